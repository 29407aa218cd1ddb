// Whole games by clicks: against oneself, against the computer, against a person in another tab.
import { ALL, BARE, assert, test } from './harness.mjs';
import { clickOn, here, machine, plies, sit, table, upload } from './table.mjs';

const PATIENT = { seconds: 300 }; // two browsers and a server on a busy machine
const end = (page) => page.locator('.end-panel').waitFor();

// Random play can be long: small boards and few men are enough to see everything.
const GAMES = {
    mill: { params: { men: '3' } },
    byte: {},
    domineering: { params: { rows: '4', columns: '5' } },
    // In a pen, so that nobody runs away.
    skirmish: { params: { reds: '2', blues: '2', health: '2' }, start: '10/3OO5/2OR(1,2)B(1,2)O4/2OB(2,2)R(2,2)O4/3OO5/10/10 r acted=0' },
};

// Each game against one of both; with LUDENS_ALL against both.
for (const [i, [game, begin]] of Object.entries(GAMES).entries()) {
    if (ALL || i % 2 === 0) test(`${game}: a whole game by clicks against the computer`, async (w) => {
        const page = await w.page(BARE);
        await sit(w, page, game, [here('Ana'), machine()], begin);
        assert.ok(await clickOn(page, { seed: 3 }) > 2);
        await end(page);
        assert.equal(await plies(page), Number(await page.locator('.play').getAttribute('data-ply')));
    }, PATIENT);

    if (ALL || i % 2 === 1) test(`${game}: a whole game by clicks against a person in another tab`, async (w) => {
        const first = await w.page(BARE);
        const { room, keys } = await sit(w, first, game, [here('Ana'), { kind: 'open' }], begin);
        const second = await w.page(`#/room/${room}?key=${keys[1]}`);
        await table(second);
        const counts = await Promise.all([clickOn(first, { seed: 5 }), clickOn(second, { seed: 7 })]);
        assert.equal(counts[0], counts[1]);
        await end(first);
        await end(second);
    }, PATIENT);
}

test('frogs: the puzzle by clicks, to its end', async (w) => {
    const page = await w.page(BARE);
    await sit(w, page, 'frogs', [here()]);
    assert.ok(await clickOn(page, { seed: 2 }) >= 2);
    await end(page);
}, PATIENT);

test('an S3 file: the puzzle by clicks', async (w) => {
    const page = await w.page(BARE);
    const game = await upload(page, 'games/s3/Frogs');
    await sit(w, page, game, [here()]);
    assert.ok(await clickOn(page, { seed: 2 }) >= 2);
    await end(page);
}, PATIENT);

test('of places on top of each other the one that may be chosen is meant', async (w) => {
    const page = await w.page(BARE);
    const game = await upload(page, 'games/s3/Frogs', (text) => text.replace('point=590,120', 'point=230,120'));
    await sit(w, page, game, [here()]);
    const [below, above] = [page.locator('.hit[data-name="pad(3)"]'), page.locator('.hit[data-name="pad(7)"]')];
    const box = await below.boundingBox();
    assert.deepEqual(await above.boundingBox(), box);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('.hit.can[data-name="pad(4)"]').click();
    await page.locator('.play .move[data-ply="1"]').waitFor();
    await page.locator('.hit[data-name="pad(4)"]').focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.name), 'pad(3)');
});

test('an S3 file for two: by clicks against the computer and in another tab', async (w) => {
    const page = await w.page(BARE);
    const game = await upload(page, 'games/s3/Alquerque');
    await sit(w, page, game, [here(), machine('random')]);
    assert.ok(await clickOn(page, { seed: 4, most: 30 }) > 3);
    const { room, keys } = await sit(w, page, game, [here(), { kind: 'open' }]);
    const second = await w.page(`#/room/${room}?key=${keys[1]}`);
    await table(second);
    await Promise.all([clickOn(page, { seed: 5, most: 30 }), clickOn(second, { seed: 7, most: 30 })]);
}, PATIENT);
