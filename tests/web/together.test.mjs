// Playing together: invitations, watchers, a server that goes away and comes back.
import { assert, test } from './harness.mjs';

const cell = (page, name) => page.locator(`.board .hit[data-name="${name}"]`);
const move = (page, ply) => page.locator(`.move[data-ply="${ply}"]`);

const watch = (link) => link.replace(/\?key=.*/, '');

async function play(page, name, ply) {
    await page.locator(`.board .hit.can[data-name="${name}"]`).click();
    await move(page, ply).waitFor();
}

/** A game of tic-tac-toe from the set-up page, the second seat for somebody elsewhere. */
async function invite(w, options = {}) {
    const page = await w.page('#/setup/tic-tac-toe', { settings: { name: 'Ana', confirm: 'never' }, ...options });
    await page.getByRole('region', { name: 'Nought plays' }).getByRole('radio', { name: 'A person elsewhere' }).check();
    await page.getByRole('button', { name: 'Start the game' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.waitFor();
    const link = await dialog.getByRole('textbox', { name: 'Link for Nought' }).inputValue();
    assert.equal(await dialog.getByRole('textbox', { name: 'Link for watchers' }).inputValue(), watch(link));
    return { page, dialog, link };
}

test('an invitation, copied and followed; somebody watches', async (w) => {
    const { page, dialog, link } = await invite(w);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: /Copy: Link for Nought/ }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    await w.axe(page);
    await w.shot(page, 'invitation');
    await dialog.getByRole('button', { name: 'Done' }).click();

    const there = { server: { url: '' }, settings: { name: 'Ben', confirm: 'never' } };
    const other = await w.page(link, there);
    const third = await w.page(watch(link), there);
    await cell(other, 'b2').waitFor();
    await cell(third, 'b2').waitFor();
    await play(page, 'b2', 1);
    await move(other, 1).waitFor();
    await move(third, 1).waitFor();
    assert.equal(await page.locator('.board .hit.can').count(), 0, 'not on move');
    assert.equal(await third.locator('.board .hit.can').count(), 0, 'watchers choose nothing');
    await play(other, 'a1', 2);
    await play(page, 'a2', 3);
    await play(other, 'a3', 4);
    await play(page, 'c2', 5);
    for (const each of [page, other, third]) {
        await move(each, 5).waitFor();
        await each.locator('.end-panel').waitFor();
    }
});

test('both seats in two tabs of one browser', async (w) => {
    const { page, link } = await invite(w);
    await page.keyboard.press('Escape');
    const other = await w.page(link, { server: { url: '' }, context: page.context() });
    await cell(other, 'b2').waitFor();
    await play(page, 'a1', 1);
    await play(other, 'b2', 2);
    await move(page, 2).waitFor();
});

test('the server stops and starts again: the game goes on', async (w) => {
    w.allow(/WebSocket|ERR_/);
    const server = await w.serve();
    const { page, link } = await invite(w, { server });
    await page.keyboard.press('Escape');
    const other = await w.page(link, { server: { url: '' }, settings: { confirm: 'never' } });
    await play(page, 'a1', 1);
    await play(other, 'b2', 2);
    await server.stop();
    await page.locator('#link-state').getByText('The line to the server is broken').waitFor();
    await server.start();
    for (const each of [page, other]) {
        await each.waitForFunction(() => document.documentElement.dataset.line === 'open');
        await move(each, 2).waitFor();
    }
    await play(page, 'c3', 3);
    await move(other, 3).waitFor();
    await server.restart('SIGKILL');
    for (const each of [page, other]) await each.waitForFunction(() => document.documentElement.dataset.line === 'open');
    await play(other, 'a3', 4);
    await move(page, 4).waitFor();
    // And with a page that is opened anew.
    await other.reload();
    await move(other, 4).waitFor();
    await play(page, 'c1', 5);
    await play(other, 'b1', 6);
});

test('a game is found again on the first page', async (w) => {
    const { page } = await invite(w);
    await page.keyboard.press('Escape');
    await play(page, 'b2', 1);
    await page.goto(`${w.server.url}#/`);
    await page.getByRole('heading', { name: 'Your games' }).waitFor();
    await page.locator('.shelf').getByRole('link').first().click();
    await move(page, 1).waitFor();
    await page.goto(`${w.server.url}#/`);
    await page.getByRole('button', { name: /Remove from the list/ }).click();
    assert.equal(await page.getByRole('heading', { name: 'Your games' }).count(), 0);
});

test('a page out of step is told so and catches up', async (w) => {
    const { page } = await invite(w);
    await page.keyboard.press('Escape');
    await cell(page, 'b2').waitFor();
    // Another tab of the same person moves while this one hears nothing: a question with an old number.
    const answer = await page.evaluate(async () => {
        const { net } = await import('./main.js');
        const id = location.hash.split('/')[2].split('?')[0];
        const room = net.room(id);
        await new Promise((go) => { const off = room.watch((now) => { if (now) { off?.(); go(); } }); });
        const old = room.now.seq;
        await room.ask('move', { text: 'b2' });
        const states = [];
        room.watch((now, each) => states.push(each.state));
        let code = '';
        try {
            await room.ask('move', { text: 'a1', seq: old });
        } catch (error) {
            code = error.code;
        }
        return { code, states, state: room.state, newer: room.now.seq > old };
    });
    assert.equal(answer.code, 'behind');
    assert.ok(answer.states.includes('behind'), answer.states.join());
    assert.equal(answer.state, 'here');
    assert.equal(answer.newer, true);
});

test('a move made while somebody sits down is not lost', async (w) => {
    const { page, link } = await invite(w);
    await page.addInitScript(() => {
        const Real = WebSocket;
        window.WebSocket = class extends Real {
            set onmessage(hear) {
                super.onmessage = (event) => { if (!window.deaf || !event.data.includes('"on":"room"')) hear(event); };
            }
        };
    });
    await page.reload();
    await cell(page, 'a1').waitFor();
    await page.evaluate(() => { window.deaf = true; });
    const other = await w.page(link, { server: { url: '' }, settings: { confirm: 'never' } });
    await cell(other, 'a1').waitFor();
    await page.evaluate(() => { window.deaf = false; });
    await play(page, 'a1', 1);
    await move(other, 1).waitFor();
});

test('who looks back is left there while the game goes on', async (w) => {
    const { page, link } = await invite(w);
    await page.keyboard.press('Escape');
    const other = await w.page(link, { server: { url: '' }, settings: { name: 'Ben', confirm: 'never' } });
    await cell(other, 'b2').waitFor();
    await page.locator('.banner', { hasText: 'A seat is still free' }).waitFor({ state: 'detached' });
    const ply = () => other.locator('.play').getAttribute('data-ply');
    await play(page, 'b2', 1);
    await play(other, 'a1', 2);
    await other.locator('.move[data-ply="1"]').click();
    await other.getByText('after move 1 of 2').waitFor();
    await play(page, 'c1', 3);
    await other.getByText('after move 1 of 3').waitFor();
    assert.equal(await ply(), '1');
    assert.equal(await other.locator('.board .piece').count(), 1);
    await other.getByRole('button', { name: 'To the present' }).last().click();
    await play(other, 'a3', 4);
    // What one does oneself happens in the present, and so does the end of the game.
    await play(page, 'c3', 5);
    await other.locator('.move[data-ply="1"]').click();
    await other.getByText('after move 1 of 5').waitFor();
    await other.getByRole('textbox', { name: 'Type a move' }).fill('b1');
    await other.keyboard.press('Enter');
    await move(other, 6).waitFor();
    assert.equal(await ply(), '6');
    await other.locator('.move[data-ply="2"]').click();
    await other.getByText('after move 2 of 6').waitFor();
    await play(page, 'c2', 7);
    await other.locator('.end-panel').waitFor();
    assert.equal(await ply(), '7');
});

test('who has only an old key watches; with another one they sit', async (w) => {
    const { page, link } = await invite(w);
    await page.keyboard.press('Escape');
    const other = await w.page(link, { server: { url: '' }, settings: { name: 'Ben', confirm: 'never' } });
    await cell(other, 'b2').waitFor();
    await page.locator('.banner', { hasText: 'A seat is still free' }).waitFor({ state: 'detached' });
    await play(page, 'b2', 1);
    await play(other, 'a1', 2);
    // Ana lets the computer play and leaves; Ben, who is alone then, takes the seat: its key is a new one.
    await page.getByRole('button', { name: 'Let the computer play for me' }).click();
    await move(other, 3).waitFor();
    await page.goto(`${w.server.url}#/nothing`);
    await other.getByRole('button', { name: 'Play myself again' }).click();
    await other.locator('.seat[data-kind=computer]').waitFor({ state: 'detached' });
    await page.goto(watch(link));
    await page.getByText('You watch').waitFor();
    await move(page, 3).waitFor();
    // The address has an old key, the browser a good one.
    await other.goto(`${w.server.url}#/nothing`);
    await other.goto(`${watch(link)}?key=old`);
    await move(other, 3).waitFor();
    await other.locator('.board .hit.can').first().waitFor();
});

test('a room that is not there is said so', async (w) => {
    const page = await w.page('#/room/nosuchroom');
    await page.getByRole('button', { name: 'To the games' }).click();
    await page.getByRole('heading', { name: 'What shall we play?' }).waitFor();
});
