// The board itself: every game of the library can be drawn, turned and walked over with arrow keys, and
// no two pieces differ by colour alone.
import { BARE, assert, test } from './harness.mjs';
import { cell, here, sit } from './table.mjs';

test('every game of the library is drawn: all cells, all pieces, both ways round', async (w) => {
    const page = await w.page(BARE);
    const faults = await page.evaluate(async () => {
        const { createBoard } = await import('./board.js');
        const { drawThumbnail } = await import('./board_thumb.js');
        const { games } = await (await fetch('/library.json')).json();
        const wrong = [];
        for (const { game } of games) {
            const how = await (await fetch(`/game.json?game=${game}`)).json();
            const root = document.createElement('div');
            document.body.append(root);
            const board = createBoard(root, how);
            board.show(how.start);
            const count = how.start.cells.reduce((sum, on) => sum + (Array.isArray(on) ? on.length : on === null ? 0 : 1), 0);
            for (const turned of [false, true]) {
                board.flip(turned);
                const hits = root.querySelectorAll('.hit').length, at = root.querySelectorAll('.pieces .at').length;
                if (hits !== how.board.cells.length || at !== count) wrong.push(`${game}: ${hits} cells, ${at} of ${count} pieces`);
                const names = new Set([...root.querySelectorAll('.hit')].map((hit) => hit.getAttribute('aria-label')));
                if (names.size !== hits) wrong.push(`${game}: cells with the same name`);
                if (/NaN|undefined|null/.test(root.innerHTML)) wrong.push(`${game}: a number is none`);
            }
            drawThumbnail(root, how, how.start);
            if (!root.querySelector('svg.thumb')) wrong.push(`${game}: no thumbnail`);
            root.remove();
        }
        if (games.length < 20) wrong.push('there are few games');
        return wrong;
    });
    assert.deepEqual(faults, []);
});

test('pieces differ by shape or letter, never by colour alone', async (w) => {
    const page = await w.page(BARE);
    const faults = await page.evaluate(async () => {
        const { drawPiece, drawChip } = await import('./board_piece.js');
        const { games } = await (await fetch('/library.json')).json();
        const wrong = [];
        // Silhouettes of chess men have the colours of their names, light against dark, as in every book.
        const known = new Set(['king', 'queen', 'rook', 'bishop', 'knight', 'pawn', 'amazon', 'domino']);
        for (const { game } of games) {
            const how = await (await fetch(`/game.json?game=${game}`)).json();
            for (const draw of how.board.stack > 1 ? [(i) => drawChip(how, i, 10)] : [(i) => drawPiece(how, i)]) {
                const seen = new Map();
                how.pieces.forEach((piece, i) => {
                    if (known.has(piece.kind) || piece.kind === 'fighter') return;
                    const shape = draw(i).innerHTML;
                    if (seen.has(shape)) wrong.push(`${game}: ${piece.kind} ${piece.owner} looks like ${seen.get(shape)}`);
                    seen.set(shape, `${piece.kind} ${piece.owner}`);
                });
            }
        }
        return wrong;
    });
    assert.deepEqual(faults, []);
});

test('a piece that is called like a player looks like theirs', async (w) => {
    const page = await w.page(BARE);
    const looks = await page.evaluate(async () => {
        const { drawPiece, pieceName } = await import('./board_piece.js');
        // As of an S3 file whose rules are all written for White.
        const game = { title: 'Mill', players: ['white', 'black'], pieces: [{ kind: 'white', owner: 0 }, { kind: 'black', owner: 0 }] };
        return game.pieces.map((_, i) => [pieceName(game, i), drawPiece(game, i).getAttribute('class'), drawPiece(game, i).innerHTML]);
    });
    assert.deepEqual(looks.map(([name, look]) => [name, look]), [['white', 'piece disc c-white'], ['black', 'piece disc c-black']]);
    assert.notEqual(looks[0][2], looks[1][2]);
});

test('arrow keys go where they point, on squares, hexagons and lines', async (w) => {
    const page = await w.page(BARE);
    const two = [here(), here()];
    const walk = async (from, keys) => {
        await cell(page, from).focus();
        for (const key of keys) await page.keyboard.press(`Arrow${key}`);
        return page.evaluate(() => document.activeElement.dataset.name);
    };
    await sit(w, page, 'chess', two);
    assert.equal(await walk('a1', ['Up', 'Right', 'Right', 'Left']), 'b2');
    assert.equal(await walk('a1', ['Left']), 'a1');
    await sit(w, page, 'mill', two);
    assert.equal(await walk('a1', ['Right', 'Up', 'Up']), 'd3');
    await sit(w, page, 'hex', two, { params: { size: '5' } });
    assert.equal(await walk('a1', ['Right', 'Right']), 'c1');
    assert.match(await walk('b1', ['Up']), /^[ab]2$/);
});

test('a checker in a stack is chosen by pointing at it', async (w) => {
    const page = await w.page(BARE);
    for (const [height, level] of [[0.84, 0], [0.6, 2]]) {
        await sit(w, page, 'byte', [here(), here()], { start: '4/4/1[BWB]2/1[WWWW]2/4/4/4/4 b bytes=0,0' });
        const box = await cell(page, 'C3').boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + height * box.height);
        await page.locator('.board .hit.can[data-name="D4"]').waitFor();
        await cell(page, 'D4').click();
        await page.locator('.move[data-ply="1"]', { hasText: `C3.${level}-D4` }).waitFor();
    }
});
