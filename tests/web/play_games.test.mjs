// Whole games by clicks: against oneself, against the computer, against a person in another tab.
import { assert, test } from './harness.mjs';
import { clickOn, here, machine, plies, sit, table, upload } from './table.mjs';

const end = (page) => page.locator('.end-panel').waitFor();

// Random play can be long: small boards and few men are enough to see everything.
const GAMES = {
    mill: { params: { men: '3' } },
    byte: {},
    domineering: { params: { rows: '4', columns: '5' } },
    skirmish: { params: { reds: '2', blues: '2', health: '1' }, start: '10/10/4R(1,1)B(1,1)4/4B(2,1)R(2,1)4/10/10/10 r acted=0' },
};

for (const [game, begin] of Object.entries(GAMES)) {
    test(`${game}: a whole game by clicks against the computer`, async (w) => {
        const page = await w.page('#/');
        await sit(w, page, game, [here('Ana'), machine()], begin);
        assert.ok(await clickOn(page, { seed: 3 }) > 2);
        await end(page);
        assert.equal(await plies(page), Number(await page.locator('.play').getAttribute('data-ply')));
    });

    test(`${game}: a whole game by clicks against a person in another tab`, async (w) => {
        const first = await w.page('#/');
        const { room, keys } = await sit(w, first, game, [here('Ana'), { kind: 'open' }], begin);
        const second = await w.page(`#/room/${room}?key=${keys[1]}`);
        await table(second);
        const counts = await Promise.all([clickOn(first, { seed: 5 }), clickOn(second, { seed: 7 })]);
        assert.equal(counts[0], counts[1]);
        await end(first);
        await end(second);
    });
}

test('frogs: the puzzle by clicks, to its end', async (w) => {
    const page = await w.page('#/');
    await sit(w, page, 'frogs', [here()]);
    assert.ok(await clickOn(page, { seed: 2 }) >= 2);
    await end(page);
});

test('an S3 file: the puzzle by clicks', async (w) => {
    const page = await w.page('#/');
    const game = await upload(page, 'games/s3/Frogs');
    await sit(w, page, game, [here()]);
    assert.ok(await clickOn(page, { seed: 2 }) >= 2);
    await end(page);
});

test('an S3 file for two: by clicks against the computer and in another tab', async (w) => {
    const page = await w.page('#/');
    const game = await upload(page, 'games/s3/Alquerque');
    await sit(w, page, game, [here(), machine('random')]);
    assert.ok(await clickOn(page, { seed: 4, most: 30 }) > 3);
    const { room, keys } = await sit(w, page, game, [here(), { kind: 'open' }]);
    const second = await w.page(`#/room/${room}?key=${keys[1]}`);
    await table(second);
    await Promise.all([clickOn(page, { seed: 5, most: 30 }), clickOn(second, { seed: 7, most: 30 })]);
});
