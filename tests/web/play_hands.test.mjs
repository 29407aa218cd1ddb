// Making moves by hand: clicking, dragging, touching, the keyboard, typing.
import { BARE, assert, test } from './harness.mjs';
import { act, afterPly, cell, here, machine, plies, sit } from './table.mjs';

const two = [here('Ana'), here('Ben')];
const choosable = (page) => page.locator('.board .hit.can').evaluateAll((all) => all.map((hit) => hit.dataset.name).sort());
const selected = (page) => page.locator('.layer.selected .mark').count();

test('choices light up one after the other, and are taken back', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'chess', two);
    assert.equal((await choosable(page)).length, 10);
    assert.match(await page.locator('.bar-help').textContent(), /Choose one of your men/);
    await cell(page, 'e2').click();
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 2);
    assert.deepEqual(await choosable(page), ['e3', 'e4']);
    assert.equal(await selected(page), 1);
    assert.match(await page.locator('.bar-help').textContent(), /cell that it can reach/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 10);
    await cell(page, 'e2').click();
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 2);
    await page.locator('.bar-turn').click(); // elsewhere
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 10);
    // Another piece instead of the chosen one, and the chosen one again to let it go.
    await cell(page, 'e2').click();
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 2);
    await cell(page, 'g1').click();
    await page.waitForFunction(() => document.querySelector('.board .hit[data-name="f3"]').classList.contains('can'));
    await cell(page, 'g1').click();
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 10);
    await cell(page, 'g1').click();
    await cell(page, 'f3').click();
    await afterPly(page, 1);
    assert.equal(await page.locator('.layer.last .mark').count(), 2);
});

test('what is not allowed shakes and says why', async (w) => {
    const page = await w.page(BARE, { motion: true });
    await sit(w, page, 'tic-tac-toe', two);
    await cell(page, 'b2').click();
    await afterPly(page, 1);
    await cell(page, 'b2').click();
    await page.locator('.board .refused').waitFor();
    assert.notEqual((await page.locator('.bar-refusal').textContent()).trim(), '');
    assert.equal(await plies(page), 1);
});

test('a slip does not play another move than the one that was begun', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'mill', two, { moves: ['d6', 'b4', 'd7', 'f4'] });
    await cell(page, 'd5').click(); // a mill, and a man is to be taken
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 2);
    await cell(page, 'a1').click(); // which could have been chosen in place of d5
    await page.waitForFunction(() => document.querySelector('.bar-refusal').textContent);
    assert.equal(await plies(page), 4);
    assert.deepEqual(await choosable(page), ['b4', 'f4']);
    await cell(page, 'b4').click();
    await afterPly(page, 5);
});

async function dragTo(page, from, to) {
    const a = await cell(page, from).boundingBox(), b = await cell(page, to).boundingBox();
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move((a.x + b.x) / 2 + 10, (a.y + b.y) / 2 + 10, { steps: 3 });
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 3 });
    await page.mouse.up();
}

test('pieces are dragged', async (w) => {
    const page = await w.page(BARE, { motion: true });
    await sit(w, page, 'chess', two);
    await dragTo(page, 'e2', 'e4');
    await afterPly(page, 1);
    await dragTo(page, 'd7', 'd6');
    await afterPly(page, 2);
    await dragTo(page, 'f1', 'f4');
    await page.locator('.board .refused').waitFor();
    assert.equal(await plies(page), 2);
    await dragTo(page, 'f1', 'b5');
    await afterPly(page, 3);
    assert.equal(await page.locator('.move[data-ply="3"]').textContent(), 'f1-b5');
});

test('a finger drags, and is asked before a move is sent', async (w) => {
    const page = await w.page(BARE, { size: 'phone' });
    await sit(w, page, 'tic-tac-toe', two);
    await cell(page, 'a1').tap();
    await page.locator('.bar-help', { hasText: 'a1' }).waitFor();
    assert.equal(await plies(page), 0);
    await page.locator('.play-bar .button', { hasText: 'Cancel' }).tap();
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length === 9);
    await cell(page, 'b2').tap();
    await page.locator('.play-bar .button.main').tap();
    await afterPly(page, 1);
    assert.equal(await page.locator('.move[data-ply="1"]').textContent(), 'b2');
});

test('stacks: a checker is chosen by pointing at it or by its height', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'byte', two);
    await cell(page, 'F4').click(); // lonely checkers on one cell: the height goes without saying
    await page.waitForFunction(() => document.querySelectorAll('.board .hit.can').length > 0 &&
        document.querySelectorAll('.layer.selected .mark').length === 1);
    await page.locator('.board .hit.can').first().click();
    await afterPly(page, 1);
    const chips = await page.evaluate(() => document.querySelectorAll('.board .pieces .chip').length);
    assert.equal(chips, 24);
});

test('a pawn becomes what is chosen from buttons', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'chess', two, { start: '7k/P7/8/8/8/8/8/K7 w - - 0 1' });
    await cell(page, 'a7').click();
    await cell(page, 'a8').click();
    const choices = page.locator('.play-bar .choice');
    await choices.first().waitFor();
    assert.equal(await choices.count(), 4);
    assert.equal(await choices.locator('svg .piece').count(), 4);
    await choices.filter({ hasText: 'rook' }).click();
    await afterPly(page, 1);
    assert.match(await page.locator('.move[data-ply="1"]').textContent(), /=rook|=R/i);
});

test('a chain of hops goes on by its cell or ends by a button', async (w) => {
    const page = await w.page(BARE);
    const begin = { params: { compulsory: 'no' }, start: '4B/5/5/5/WB1B1 w' };
    for (const [ending, move] of [[page.locator('.play-bar .choice'), 1], [cell(page, 'e1'), 1]]) {
        await sit(w, page, 'alquerque', two, begin);
        await cell(page, 'a1').click();
        await cell(page, 'c1').click();
        await page.locator('.play-bar .choice').waitFor();
        await page.locator('.board .hit.can[data-name="e1"]').waitFor();
        await ending.click();
        await afterPly(page, move);
    }
    assert.match(await page.locator('.move[data-ply="1"]').textContent(), /e1/);
});

test('the keyboard plays a whole game, and every cell has a name', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'tic-tac-toe', two);
    await cell(page, 'a1').focus();
    assert.equal(await cell(page, 'a1').getAttribute('aria-label'), 'a1, empty, can be chosen');
    // Cross fills the first column, Nought the second.
    for (const [ply, keys] of [['Enter'], ['ArrowRight', 'Enter'], ['ArrowLeft', 'ArrowUp', 'Enter'],
        ['ArrowRight', 'Enter'], ['ArrowLeft', 'ArrowUp', ' ']].entries()) {
        for (const key of keys) await page.keyboard.press(key);
        await afterPly(page, ply + 1);
    }
    await page.locator('.end-panel').waitFor();
    assert.equal(await cell(page, 'a3').getAttribute('aria-label'), 'a3, Cross mark');
    assert.match(await page.locator('#live').textContent(), /Cross/);
});

test('moves are typed, and wrong ones are explained', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'chess', two);
    const field = page.locator('.typed');
    await field.fill('e2-e4');
    await field.press('Enter');
    await afterPly(page, 1);
    await page.waitForFunction(() => document.querySelector('.typed').value === ''); // once it is confirmed
    await field.fill('e2-e4');
    await field.press('Enter');
    await page.locator('.bar-refusal', { hasText: /\w/ }).waitFor();
    assert.equal(await field.inputValue(), 'e2-e4');
    assert.equal(await plies(page), 1);
});

test('fighters with one choice are chosen by themselves', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'skirmish', two);
    await page.waitForFunction(() => document.querySelectorAll('.layer.selected .mark').length === 1);
    assert.equal((await choosable(page)).length, 4);
    await page.locator('.board .hit.can').first().click();
    await afterPly(page, 1);
});

test('threats are marked at a wish', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'chess', two);
    for (const [ply, [from, to]] of [['e2', 'e4'], ['d7', 'd5']].entries()) {
        await cell(page, from).click();
        await cell(page, to).click();
        await afterPly(page, ply + 1);
    }
    await act(page, 'threats').click();
    await page.locator('.layer.captures .mark').waitFor();
    assert.equal(await page.locator('.layer.captures .mark').count(), 1);
    await act(page, 'threats').click();
    await page.waitForFunction(() => !document.querySelector('.layer.captures .mark'));
});

test('the computer answers, and pieces move smoothly unless somebody does not want that', async (w) => {
    for (const motion of [false, true]) {
        const page = await w.page(BARE, { motion });
        await sit(w, page, 'breakthrough', [here('Ana'), machine()]);
        await page.evaluate(() => {
            const before = Element.prototype.animate;
            globalThis.moving = 0;
            Element.prototype.animate = function animate(...how) {
                if (this.closest('.pieces')) globalThis.moving++;
                return before.apply(this, how);
            };
        });
        await cell(page, 'd2').click();
        await cell(page, 'd3').click();
        await afterPly(page, 2);
        assert.equal(await page.evaluate(() => globalThis.moving > 1), motion);
        assert.equal(await page.locator('.seat[data-kind="computer"]').count(), 1);
    }
});
