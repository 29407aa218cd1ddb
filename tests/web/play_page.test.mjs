// What is beside the board: every button, the slider, the editor, offers, watchers, a line that breaks.
import { BARE, assert, test } from './harness.mjs';
import { act, afterPly, cell, clickOn, here, machine, plies, sit, table, upload } from './table.mjs';

const two = [here('Ana'), here('Ben')];
const textOf = (page, selector) => page.locator(selector).textContent();
const dialogButton = (page, name) => page.locator('dialog[open] .dialog-foot').getByRole('button', { name, exact: true });

async function playTwo(w, game, more) {
    const first = await w.page(BARE);
    const { room, keys } = await sit(w, first, game, [here('Ana'), { kind: 'open' }], more);
    const second = await w.page(`#/room/${room}?key=${keys[1]}`);
    await table(second);
    return { first, second, room };
}

test('undo, redo, restart and turning the board', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'tic-tac-toe', two);
    await cell(page, 'b2').click();
    await afterPly(page, 1);
    await cell(page, 'a1').click();
    await afterPly(page, 2);
    await act(page, 'undo').click();
    await page.waitForFunction(() => document.querySelectorAll('.play .move').length === 1);
    await act(page, 'redo').click();
    await afterPly(page, 2);
    for (const key of ['Control+Shift+Z', 'Control+Y']) {
        await page.keyboard.press('Control+Z');
        await page.waitForFunction(() => document.querySelectorAll('.play .move').length === 1);
        await page.keyboard.press(key);
        await afterPly(page, 2);
    }
    const before = await cell(page, 'a1').boundingBox();
    await act(page, 'flip').click();
    const after = await cell(page, 'a1').boundingBox();
    assert.ok(after.x > before.x && after.y < before.y);
    await page.keyboard.press('f');
    assert.deepEqual(await cell(page, 'a1').boundingBox(), before);
    await page.keyboard.press('r');
    await dialogButton(page, 'Restart').click();
    await page.waitForFunction(() => document.querySelectorAll('.play .move').length === 0);
    assert.equal(await page.locator('.board .pieces .piece').count(), 0);
});

test('the slider goes over the game, and one goes on from there in a new game', async (w) => {
    const page = await w.page(BARE);
    const { room } = await sit(w, page, 'tic-tac-toe', two);
    await clickOn(page, { seed: 3, most: 4 });
    await page.locator('.move-steps input').fill('2');
    await page.locator('.bar-help', { hasText: '2' }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.board .pieces .at:not(.gone)').length === 2);
    assert.equal(await page.locator('.board .hit.can').count(), 0);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('.board .pieces .at:not(.gone)').length === 4);
    await page.locator('.board').evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.querySelector('.play').dataset.ply === '3');
    await page.locator('.move[data-ply="1"]').click();
    await page.waitForFunction(() => document.querySelector('.play').dataset.ply === '1');
    await page.getByRole('button', { name: 'To the present' }).last().click();
    await page.waitForFunction(() => document.querySelector('.play').dataset.ply === '4');
    await page.locator('.move[data-ply="3"]').click();
    await page.getByRole('button', { name: 'Go on from here' }).click();
    await page.waitForURL((url) => url.hash.startsWith('#/room/') && !url.hash.includes(room));
    await page.waitForFunction(() => document.querySelectorAll('.play .move').length === 3);
    await page.locator('.board .hit.can').first().click();
    await afterPly(page, 4);
});

test('a hint is shown on the board', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'breakthrough', two);
    await act(page, 'hint').click();
    await page.locator('.bar-refusal', { hasText: 'A good move' }).waitFor();
    await page.locator('.layer.hint-arrow .arrow').waitFor({ timeout: 100000 }); // it may learn to play first
});

test('a hint belongs to one position; a piece that is laid comes from nowhere', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'reversi', two);
    assert.equal(await clickOn(page, { seed: 1, most: 2 }), 2);
    await act(page, 'hint').click();
    await page.locator('.layer.hint-arrow .arrow.ring').waitFor({ timeout: 100000 });
    assert.equal(await page.locator('.bar-refusal').getAttribute('role'), 'status', 'a hint is no refusal');
    await act(page, 'threats').click();
    await page.waitForFunction(() => document.querySelectorAll('.layer.captures .mark').length > 0);
    await page.locator('.board').evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.querySelector('.play').dataset.ply === '1');
    assert.equal(await page.locator('.layer.hint-arrow .arrow, .layer.captures .mark').count(), 0);
    assert.match(await textOf(page, '.bar-turn'), /White/); // who was on move then
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('.play').dataset.ply === '2');
    assert.match(await textOf(page, '.bar-turn'), /Black/);
});

test('who moves while a hint is looked for is not told about the position before', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'chess', two);
    await act(page, 'hint').click();
    await cell(page, 'e2').click();
    await cell(page, 'e4').click();
    await afterPly(page, 1);
    await page.waitForTimeout(2500); // a hint takes one second
    assert.equal(await page.locator('.layer.hint-arrow .arrow').count(), 0);
    assert.doesNotMatch(await textOf(page, '.bar-refusal'), /good move/);
});

test('insight that cannot be loaded is told so, and tried again', async (w) => {
    const page = await w.page(BARE);
    w.allow(/insight\.js/);
    await sit(w, page, 'tic-tac-toe', two);
    await page.route('**/insight.js', (route) => route.abort());
    await act(page, 'insight').click();
    await page.getByText('could not be loaded').waitFor();
    assert.equal(await act(page, 'insight').getAttribute('aria-pressed'), 'false');
    await page.unroute('**/insight.js');
    await act(page, 'insight').click();
    await page.locator('.insight').waitFor();
});

test('the end is on the screen of a phone, and so is a hint', async (w) => {
    const page = await w.page(BARE, { size: { width: 390, height: 700 } });
    await sit(w, page, 'tic-tac-toe', two);
    const seen = (selector) => page.waitForFunction((which) => {
        const box = document.querySelector(which)?.getBoundingClientRect();
        return box && box.bottom > 0 && box.top < innerHeight && box.height > 0;
    }, selector);
    await act(page, 'hint').scrollIntoViewIfNeeded();
    await act(page, 'hint').click();
    await page.locator('.layer.hint-arrow .arrow').waitFor({ timeout: 100000 });
    await seen('.layer.hint-arrow .arrow');
    await act(page, 'resign').scrollIntoViewIfNeeded();
    await act(page, 'resign').click();
    await dialogButton(page, 'Resign').click();
    await page.locator('.end-panel').waitFor();
    await seen('.end-panel');
});

test('what happens elsewhere does not scroll to the button that was used last', async (w) => {
    const { first, second } = await playTwo(w, 'tic-tac-toe');
    await second.setViewportSize({ width: 390, height: 600 });
    await act(second, 'share').focus();
    await second.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await act(first, 'resign').click();
    await dialogButton(first, 'Resign').click();
    await second.locator('.end-panel').waitFor();
    const top = await second.locator('.end-panel h2').evaluate((el) => el.getBoundingClientRect().top);
    assert.ok(top > 0, `the heading is at ${top}`);
});

test('a position is shared by a link, which leads to the set-up', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'tic-tac-toe', two);
    await cell(page, 'b2').click();
    await afterPly(page, 1);
    await act(page, 'share').click();
    const link = await page.locator('dialog[open] input').first().inputValue();
    assert.match(link, /#\/setup\/tic-tac-toe\?\.start=/);
    const href = await page.locator('dialog[open] a').getAttribute('href');
    const record = await page.evaluate(async (address) => (await fetch(address)).text(), href);
    assert.match(record, /b2/);
    await page.keyboard.press('Escape');
    const other = await w.page(new URL(link).hash);
    await other.locator('#main svg .piece').first().waitFor();
});

test('any position can be put together, and played', async (w) => {
    const page = await w.page(BARE);
    const { room } = await sit(w, page, 'mill', two);
    await act(page, 'edit').click();
    const editor = page.locator('dialog[open]');
    await editor.locator('.editor-problem', { hasText: '24' }).waitFor();
    await editor.locator('.palette-piece[data-piece="1"]').click();
    for (const name of ['a1', 'd1']) {
        await editor.locator(`.hit[data-name="${name}"]`).click();
        await editor.locator(`.hit[data-name="${name}"][aria-label*="Black man"]`).waitFor();
    }
    await editor.locator('select').first().selectOption('1');
    await editor.locator('.editor-problem', { hasText: '22' }).waitFor();
    await editor.locator('.palette-piece[data-piece="-1"]').click();
    await editor.locator('.hit[data-name="d1"]').click();
    await editor.locator('.hit[data-name="d1"][aria-label*="empty"]').waitFor();
    await editor.locator('input[type="number"]').first().fill('3');
    await editor.locator('input[type="number"]').first().press('Enter');
    await editor.locator('.editor-problem', { hasText: '23' }).waitFor();
    await w.axe(page);
    await dialogButton(page, 'Play from here').click();
    await page.waitForURL((url) => url.hash.startsWith('#/room/') && !url.hash.includes(room));
    await page.locator('.board .hit[data-name="a1"][aria-label*="Black man"]').waitFor();
    assert.match(await textOf(page, '.bar-turn'), /Black/);
    assert.equal(await page.locator('.seat[data-player="0"] .held .token').count(), 3);
});

test('hit points are set in the editor', async (w) => {
    const page = await w.page('#/');
    await sit(w, page, 'skirmish', two);
    await act(page, 'edit').click();
    const editor = page.locator('dialog[open]');
    await editor.locator('.palette-piece[data-piece="-2"]').click();
    await editor.locator('.hit[aria-label*="hp 10"]').first().click();
    const points = editor.getByLabel(/: hp$/);
    assert.equal(await points.inputValue(), '10');
    await points.fill('2');
    await points.press('Enter');
    await editor.locator('.hit[aria-label*="hp 2"]').waitFor();
    await points.fill('99');
    await points.press('Enter');
    await editor.locator('.editor-problem.bad').waitFor();
    await w.axe(page);
    await w.shot(page, 'editor-skirmish');
    await dialogButton(page, 'Play from here').click();
    await page.locator('.play .board .hit[aria-label*="hp 2"]').waitFor();
});

test('seats are named by a dialog', async (w) => {
    const page = await w.page('#/');
    await sit(w, page, 'tic-tac-toe', two);
    await page.locator('.seat[data-player="1"]').getByRole('button', { name: 'Change the name' }).click();
    const field = page.locator('dialog[open] input');
    assert.equal(await field.inputValue(), 'Ben');
    await field.fill('Borna');
    await field.press('Enter');
    await page.locator('.seat[data-player="1"] .seat-who', { hasText: 'Borna' }).waitFor();
    assert.equal(await textOf(page, '.seat[data-player="0"] .seat-who'), 'Ana');
    await page.reload();
    await page.locator('.seat[data-player="1"] .seat-who', { hasText: 'Borna' }).waitFor();
    await sit(w, page, 'tic-tac-toe', [here('Cross'), machine()]);
    await page.locator('.seat[data-player="0"] .seat-who', { hasText: /^you$/ }).waitFor();
});

test('resigning ends the game, with a reason, and one plays again', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'breakthrough', [here('Ana'), machine()]);
    await cell(page, 'd2').click();
    await cell(page, 'd3').click();
    await afterPly(page, 2);
    await act(page, 'resign').click();
    await dialogButton(page, 'Resign').click();
    await page.locator('.end-panel.lost').waitFor();
    assert.notEqual(await page.locator('.end-panel p').count(), 0);
    await w.axe(page);
    await page.locator('.end-panel').getByRole('button', { name: 'Play again' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.play .move').length === 0);
    await page.locator('.board .hit.can').first().waitFor();
});

// In `from`, which a file may be written in.
for (const [code, why, from] of [['en', 'three in a line'], ['hu', 'három egy sorban'], ['en', 'three in a row', 'hu']])
    test(`the end panel tells why in ${code}${from ? ', of a file in another language' : ''}`, async (w) => {
        const page = await w.page(BARE, { lang: code });
        const game = from ? await upload(page, 'games/tic-tac-toe.game', (text) => text.replace(/\nwords [^]*/, '\n')
            .replace('"three in a line"', '"három egy sorban"')
            .concat('words en\n    "három egy sorban" = "three in a row"\n')) : 'tic-tac-toe';
        await sit(w, page, game, two, { moves: ['a1', 'b1', 'a2', 'b2'] });
        await cell(page, 'a3').click();
        await page.locator('.end-panel p', { hasText: new RegExp(`^${why}$`) }).waitFor();
        assert.doesNotMatch(await textOf(page, '.end-panel'), /`/);
    });

test('the rule that ended a game is set as a line of rules', async (w) => {
    const page = await w.page(BARE);
    const game = await upload(page, 'games/tic-tac-toe.game', (text) => text.replace(/ +"three in a line"\n/, '\n'));
    await sit(w, page, game, two, { moves: ['a1', 'b1', 'a2', 'b2'] });
    await cell(page, 'a3').click();
    await page.locator('.end-panel code', { hasText: 'me wins when some l in lines' }).waitFor();
    assert.doesNotMatch(await textOf(page, '.end-panel'), /`/);
});

test('a draw is offered and accepted, a takeback is declined and accepted', async (w) => {
    const { first, second } = await playTwo(w, 'breakthrough');
    await cell(first, 'd2').click();
    await cell(first, 'd3').click();
    await afterPly(second, 1);
    await act(first, 'takeback').click();
    await second.locator('.banner').getByRole('button', { name: 'Decline' }).click();
    await second.waitForFunction(() => !document.querySelector('.banner'));
    await first.getByText('Your offer was declined.').waitFor();
    assert.equal(await plies(first), 1);
    await act(first, 'takeback').click();
    await second.locator('.banner').getByRole('button', { name: 'Accept' }).click();
    await first.waitForFunction(() => document.querySelectorAll('.play .move').length === 0);
    await act(first, 'draw').click();
    await second.locator('.banner').getByRole('button', { name: 'Accept' }).click();
    await first.locator('.end-panel.drawn').waitFor();
    await second.locator('.end-panel.drawn').waitFor();
});

test('who wants to play again asks the other, and both go on', async (w) => {
    const { first, second } = await playTwo(w, 'breakthrough');
    await cell(first, 'd2').click();
    await cell(first, 'd3').click();
    await afterPly(second, 1);
    await act(second, 'resign').click();
    await dialogButton(second, 'Resign').click();
    const again = (page) => page.locator('.end-panel').getByRole('button', { name: 'Play again' });
    const room = new URL(first.url()).hash;
    await again(first).click();
    await first.locator('.banner').getByText('You have asked to play again.').waitFor();
    await second.locator('.banner').getByText('would like to play again').waitFor();
    await w.axe(second);
    await w.shot(second, 'play-again');
    await second.locator('.banner').getByRole('button', { name: 'Decline' }).click();
    await first.waitForFunction(() => !document.querySelector('.banner'));
    await again(second).click();
    await second.locator('.banner').getByText('You have asked to play again.').waitFor();
    await again(second).click(); // asking twice is no consent
    await first.locator('.banner').getByRole('button', { name: 'Accept' }).click();
    for (const page of [first, second]) {
        await page.locator('.end-panel').waitFor({ state: 'detached' });
        assert.equal(await plies(page), 0);
    }
    await cell(first, 'e2').click();
    await cell(first, 'e3').click();
    await afterPly(second, 1);
    assert.equal(new URL(first.url()).hash, room);
});

test('a watcher sees the game and cannot move', async (w) => {
    const { first, room } = await playTwo(w, 'tic-tac-toe');
    const third = await w.page(`#/room/${room}`);
    await table(third);
    await cell(first, 'b2').click();
    await afterPly(third, 1);
    assert.equal(await third.locator('.board .hit.can').count(), 0);
    assert.match(await textOf(third, '.play-head .badge'), /You watch/);
    await first.locator('.play-head .badge', { hasText: '1' }).waitFor();
});

test('clocks run', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'tic-tac-toe', two, { clock: { minutes: 1, increment: 2 } });
    await cell(page, 'b2').click();
    await afterPly(page, 1);
    assert.match(await textOf(page, '.seat.turn .seat-clock'), /^(1:00|0:5\d)$/);
    await page.waitForFunction(() => document.querySelector('.seat.turn .seat-clock').textContent === '0:59');
    // Who looks back has no more time by that.
    await page.getByRole('button', { name: 'One move back' }).click();
    await page.getByText('To the present').waitFor();
    assert.match(await textOf(page, '.seat[data-player="1"] .seat-clock'), /^0:5\d$/);
});

test('the computer takes a seat over and gives it back', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'breakthrough', two);
    await page.locator('.seat[data-player="1"] .seat-tools button').last().click();
    await page.locator('.seat[data-player="1"][data-kind="computer"]').waitFor();
    await cell(page, 'd2').click();
    await cell(page, 'd3').click();
    await afterPly(page, 2);
    await page.locator('.seat[data-player="1"] .seat-tools button').last().click();
    await page.locator('.seat[data-player="1"][data-kind="person"]').waitFor();
});

test('Escape opens the menu, which leads to the games', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'tic-tac-toe', two);
    await page.keyboard.press('Escape');
    await dialogButton(page, 'Go on').click();
    await page.keyboard.press('Escape');
    await dialogButton(page, 'To the games').click();
    await page.waitForURL((url) => url.hash === '#/');
});

test('sounds have a volume', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'tic-tac-toe', two);
    await page.locator('.volume').fill('0.2');
    assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('ludens.settings')).volume), 0.2);
    await page.locator('.sounds button').click();
    assert.equal(await page.locator('.sounds button').getAttribute('aria-pressed'), 'false');
});

test('a line that breaks is shown, and the game goes on', async (w) => {
    const server = await w.serve();
    w.allow(/WebSocket/);
    const page = await w.page(BARE, { server });
    await sit(w, page, 'tic-tac-toe', two);
    await cell(page, 'b2').click();
    await afterPly(page, 1);
    await server.stop('SIGKILL');
    await page.locator('.banner.warn').waitFor();
    assert.equal(await page.locator('.banner.warn button').count(), 0);
    await server.start();
    await page.waitForFunction(() => !document.querySelector('.banner.warn'));
    assert.equal(await plies(page), 1);
    await cell(page, 'a1').click();
    await afterPly(page, 2);
});

test('the play page is accessible, on a phone and in the dark', async (w) => {
    for (const options of [{}, { size: 'phone', dark: true }]) {
        const page = await w.page(BARE, options);
        await sit(w, page, 'mill', [here('Ana'), machine()]);
        await page.locator('.board .hit.can').first().waitFor();
        await w.axe(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
    }
});

test('with clocks and men in hand the seats fit a phone', async (w) => {
    const page = await w.page(BARE, { size: 'phone' });
    await sit(w, page, 'mill', [here('Maximiliane Wolkenstein'), here('Ben')], { clock: { minutes: 600, increment: 0 } });
    const faults = await page.locator('.play .seat').evaluateAll((cards) => cards.flatMap((card) => {
        const all = card.getBoundingClientRect();
        const parts = [...card.children].filter((each) => each.getClientRects().length).map((each) => [each, each.getBoundingClientRect()]);
        return parts.flatMap(([part, a], i) => [
            ...(a.right > all.right + 1 ? [`${part.className} is not inside`] : []),
            ...parts.slice(i + 1).filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
                .map(([other]) => `${part.className} lies on ${other.className}`),
            ...(part.scrollWidth > part.clientWidth + 1 && part.clientWidth ? [`${part.className} is cut`] : []),
        ]);
    }));
    assert.deepEqual(faults, []);
});

test('board, seats and help are seen without scrolling', async (w) => {
    for (const size of [{ width: 1280, height: 800 }, { width: 1024, height: 700 }, { width: 1920, height: 1080 }]) {
        const page = await w.page(BARE, { size });
        await sit(w, page, 'chess', two);
        const bar = await page.locator('.play-bar').boundingBox();
        assert.ok(bar.y + bar.height <= size.height, `the help ends at ${bar.y + bar.height} of ${size.height}`);
        const board = await page.locator('.board').boundingBox();
        assert.ok(board.height > size.height * 0.5, `the board is ${board.height} high`);
    }
});

test('computers among themselves can be paused', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'connect-four', [machine('random'), machine('random')]);
    await page.locator('.pace-place button').first().click();
    await page.locator('.pace-words', { hasText: /\w/ }).waitFor();
});

test('insight opens beside the board and closes', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'breakthrough', two);
    await act(page, 'insight').click();
    await page.locator('.insight-place > *').first().waitFor();
    await act(page, 'insight').click();
    await page.waitForFunction(() => document.querySelector('.insight-place').hidden);
});
