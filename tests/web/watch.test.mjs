// Watching: computers against each other, and a tournament from its start to its end.
import { BARE, assert, test } from './harness.mjs';
import { machine } from './table.mjs';

test('computers play; pause, one move, speed, to the end', async (w) => {
    const page = await w.page('#/watch');
    await page.getByLabel('Game', { exact: true }).first().selectOption('tic-tac-toe');
    const form = page.locator('.watch-card', { hasText: 'A game of computers' });
    await form.getByLabel('Cross').selectOption('minimax:depth=2');
    await form.getByLabel('Nought').selectOption('random');
    await w.axe(page);
    await w.shot(page, 'watch');
    await form.getByRole('button', { name: 'Begin', exact: true }).click();
    await page.waitForURL('**/#/watch?room=*');
    await page.locator('svg.board').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused').waitFor();
    const moves = page.locator('.stage-moves li');
    let before = -1;
    for (let i = 0; i < 3 && before !== await moves.count(); i++) { // a move was being made, perhaps slowly
        before = await moves.count();
        await page.waitForTimeout(1500);
    }
    assert.equal(await moves.count(), before);
    await page.getByRole('button', { name: 'One move' }).click();
    await moves.nth(before).waitFor();
    assert.equal(await moves.count(), before + 1);
    await w.axe(page);
    await w.shot(page, 'watch-game');
    await page.getByRole('slider', { name: 'Speed' }).fill('5');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('.stage-said').getByText(/wins|draw/i).waitFor();
    await page.getByRole('button', { name: 'Once more' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.stage-moves li').length < 4);
});

test('parameters that are not possible are not played without', async (w) => {
    const page = await w.page('#/watch');
    const form = page.locator('.watch-card', { hasText: 'A game of computers' });
    const begin = form.getByRole('button', { name: 'Begin', exact: true });
    await form.getByText('Settings of the game').click();
    await form.getByRole('spinbutton', { name: 'Men' }).fill('99');
    assert.ok(await begin.isDisabled());
    await form.getByRole('spinbutton', { name: 'Men' }).fill('5');
    assert.ok(await begin.isEnabled());
});

test('pause and speed are those of the room, on every page that shows it', async (w) => {
    const page = await w.page(BARE);
    const { room } = await w.openRoom(page, { game: 'mill', params: {}, seats: [machine('random'), machine('random')] });
    const pace = page.getByRole('group', { name: 'Speed' });
    const words = page.locator('.pace-words');
    await words.getByText('a move every 1 s').waitFor();
    await pace.getByRole('button', { name: 'Pause' }).click();
    await pace.getByRole('button', { name: 'Go on' }).waitFor();
    await page.goto(`${w.server.url}#/watch?room=${room}`);
    await pace.getByRole('button', { name: 'Go on' }).waitFor();
    await words.getByText('paused').waitFor();
    await page.locator('.stage-said:not(:empty)').waitFor();
    const count = await page.locator('.stage-moves li').count();
    await page.waitForTimeout(1500);
    assert.equal(await page.locator('.stage-moves li').count(), count, 'it stays paused');
    await pace.getByRole('slider').fill('4');
    await pace.getByRole('button', { name: 'Go on' }).click();
    await page.locator('.stage-moves li').nth(count).waitFor();
    await page.reload();
    await words.getByText('a move every 0.2 s').waitFor();
    assert.equal(await pace.getByRole('slider').inputValue(), '4');
    // Somebody else only watches.
    const other = await w.page(`#/watch?room=${room}`);
    await other.locator('.stage-moves li').first().waitFor();
    assert.equal(await other.locator('.pace').isVisible(), false);
});

test('a game that is not there has no speed', async (w) => {
    const page = await w.page('#/watch?room=nope');
    await page.locator('.stage-said').getByText('there is no such room').waitFor();
    assert.equal(await page.locator('.pace').isVisible(), false);
    await page.keyboard.press(' ');
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(300);
    assert.equal(await page.locator('.toast').count(), 0);
});

test('a small tournament is started and watched to its end', async (w) => {
    const page = await w.page('#/watch');
    const form = page.locator('.watch-card', { hasText: 'A small tournament' });
    await form.getByLabel('Game', { exact: true }).selectOption('tic-tac-toe');
    await form.getByRole('button', { name: /Remove Level 3/ }).click();
    await form.getByLabel('Player').selectOption('minimax:depth=2');
    await form.getByRole('button', { name: 'Add' }).click();
    assert.equal(await form.locator('.watch-entrants li').count(), 4);
    await form.getByLabel('Time for a move').selectOption('0.05');
    await form.getByRole('button', { name: 'Start the tournament' }).click();
    await page.waitForURL('**/#/watch/*');
    await page.locator('.contest-table tbody tr').nth(3).waitFor();
    await page.getByRole('heading', { level: 1, name: /^Tic-tac-toe, 4 players, [^.]+$/ }).waitFor();
    await page.getByText(/24 games, all played/).waitFor({ timeout: 50000 });
    assert.equal(await page.locator('.plot-dot').count(), 4);
    assert.ok(await page.locator('.plot-bar').count() > 0);
    const points = await page.locator('.contest-table .points').allTextContents();
    assert.equal(points.map(Number).reduce((a, b) => a + b), 24);
    await w.axe(page);
    await w.shot(page, 'tournament', { fullPage: true });
    // Another page, on a phone, finds it in the list.
    const phone = await w.page('#/watch', { size: 'phone', dark: true });
    await phone.locator('.watch-contest', { hasText: 'Tic-tac-toe, 4 players, ' }).first().waitFor();
    await phone.locator('.watch-seats select').first().waitFor();
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'nothing sticks out');
    await w.shot(phone, 'watch-phone', { fullPage: true });
    await phone.locator('.watch-contest').first().click();
    await phone.locator('.contest-table tbody tr').nth(3).waitFor();
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'nothing sticks out');
    await w.axe(phone);
    await w.shot(phone, 'tournament-phone', { fullPage: true });
}, { seconds: 240 });

test('one tournament after the other is looked at', async (w) => {
    const page = await w.page('#/watch');
    await page.waitForFunction(() => document.documentElement.dataset.line === 'open');
    const titles = await page.evaluate(async () => {
        const { net } = await import('./main.js');
        const all = [];
        while (all.length < 10)
            try {
                const { title } = await net.ask('tournament', { game: 'tic-tac-toe', params: {}, players: ['random', 'greedy'], games: 1, seconds: 0.05 });
                all.push(title);
            } catch (error) {
                if (error.code !== 'busy') throw error;
                await new Promise((go) => { setTimeout(go, 200); }); // those before are being played
            }
        return all;
    });
    for (const title of titles) {
        await page.evaluate((to) => { location.hash = `#/watch/${encodeURIComponent(to)}`; }, title);
        await page.locator('.contest-table tbody tr').nth(1).waitFor();
    }
});

test('a tournament goes on without its page, which stops it when it is back', async (w) => {
    const page = await w.page('#/watch');
    const form = page.locator('.watch-card', { hasText: 'A small tournament' });
    await form.getByLabel('Game', { exact: true }).selectOption('hex');
    await form.getByLabel('Games of each pair').selectOption('50');
    await form.getByLabel('Player').selectOption('mcts:nodes=20k');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByRole('button', { name: 'Start the tournament' }).click();
    await page.waitForURL('**/#/watch/*');
    const other = await w.page('#/');
    await other.goto(page.url());
    await other.locator('.contest-table tbody tr').nth(4).waitFor();
    await page.reload();
    await page.locator('.contest-table tbody tr').nth(4).waitFor();
    const before = await other.locator('.contest-count').textContent();
    await other.waitForFunction((text) => document.querySelector('.contest-count').textContent !== text, before);
    assert.match(await other.locator('.contest-count').textContent(), /^\d+ of 500 games$/);
    assert.equal(await other.getByRole('button', { name: 'Stop' }).count(), 0); // it is not its own
    await page.getByRole('button', { name: 'Stop' }).click();
    await other.getByText(/^Stopped after \d+ of 500 games$/).waitFor();
    await page.getByText(/^Stopped after \d+ of 500 games$/).waitFor();
    assert.equal(await other.locator('.contest progress').isHidden(), true);
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
}, { seconds: 120 });
