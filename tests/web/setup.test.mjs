// Set-up: every control, what is sent, what is remembered.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, root, test } from './harness.mjs';

/** What the page asks the server for when a game is started. */
function asked(page) {
    const found = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => {
        const message = JSON.parse(payload);
        if (message.do === 'open') found.push(message);
    }));
    return found;
}

async function setup(w, hash, options) {
    const context = options?.context ?? await w.context(options);
    const page = await w.page('', { context, server: { url: 'about:blank' } });
    const opened = asked(page);
    await page.goto(`${(options?.server ?? w.server).url}${hash}`);
    await page.getByRole('button', { name: 'Start the game' }).waitFor();
    return { page, opened, context };
}

async function start(page, opened) {
    const before = opened.length;
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.waitForURL(/#\/room\/\w+/);
    assert.equal(opened.length, before + 1);
    return opened[before];
}

const seat = (page, name) => page.getByRole('region', { name: `${name} plays` });

test('parameters of all kinds have fitting controls', async (w) => {
    const { page, opened } = await setup(w, '#/setup/mill');
    const men = page.getByRole('spinbutton', { name: 'Men' });
    assert.equal(await men.inputValue(), '9');
    await page.getByRole('slider', { name: 'Men' }).fill('6');
    assert.equal(await men.inputValue(), '6');
    await men.fill('99');
    await page.getByText('Please give a whole number from 3 to 12.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start the game' }).isDisabled(), true);
    await men.fill('5');
    assert.equal(await page.getByText('Please give a whole number').isVisible(), false);
    await page.getByRole('switch', { name: 'Flying' }).uncheck();
    await page.getByRole('switch', { name: 'Mills are safe' }).check();
    await w.axe(page);
    assert.deepEqual((await start(page, opened)).params, { men: '5', flying: 'no', mills_are_safe: 'yes' });
});

test('words, lists and large numbers', async (w) => {
    const byte = await setup(w, '#/setup/byte');
    await byte.page.getByRole('radio', { name: '10', exact: true }).check();
    await byte.page.waitForResponse(/game\.json\?.*size=10/);
    assert.equal((await start(byte.page, byte.opened)).params.size, '10');
    const nim = await setup(w, '#/setup/nim');
    await nim.page.getByRole('textbox', { name: 'Heaps' }).fill('1, x');
    await nim.page.getByText('Please give numbers with commas').waitFor();
    await nim.page.getByRole('textbox', { name: 'Heaps' }).fill('2, 2');
    assert.equal((await start(nim.page, nim.opened)).params.heaps, '2,2');
    const puzzle = await setup(w, '#/setup/eight-puzzle');
    await puzzle.page.getByRole('spinbutton', { name: 'Seed' }).fill('77');
    assert.doesNotMatch(await puzzle.page.locator('#main').innerText(), /\b(false|null|undefined)\b/);
    const request = await start(puzzle.page, puzzle.opened);
    assert.equal(request.params.seed, '77');
    assert.equal(request.seats.length, 1);
    assert.equal(request.seats[0].kind, 'person');
});

test('who plays: people, computers by level, time and text', async (w) => {
    const { page, opened } = await setup(w, '#/setup/tic-tac-toe');
    const first = seat(page, 'Cross');
    const second = seat(page, 'Nought');
    await first.getByRole('textbox', { name: 'Name' }).fill('Ana');
    await second.getByRole('slider', { name: 'Strength' }).fill('7');
    assert.match(await second.innerText(), /7: hard/);
    assert.deepEqual((await start(page, opened)).seats, [{ kind: 'person', name: 'Ana' }, { kind: 'computer', player: 'auto:level=7' }]);

    await page.goBack();
    assert.equal(await first.getByRole('textbox', { name: 'Name' }).inputValue(), 'Ana', 'the last choice is remembered');
    assert.equal(await second.getByRole('slider', { name: 'Strength' }).inputValue(), '7');
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await second.getByRole('radio', { name: 'A person here' }).waitFor();
    assert.equal(await second.getByRole('radio', { name: 'A person here' }).isChecked(), true);
    await first.getByRole('radio', { name: 'By time' }).check();
    await first.getByRole('spinbutton', { name: 'Seconds for each move' }).fill('0.2');
    assert.deepEqual((await start(page, opened)).seats, [{ kind: 'computer', player: 'auto:time=0.2s' }, { kind: 'person', name: 'Ana' }]);

    await page.goBack();
    await first.getByRole('radio', { name: 'Own player' }).check();
    await first.getByRole('textbox', { name: 'Player' }).fill('');
    assert.equal(await page.getByRole('button', { name: 'Start the game' }).isDisabled(), true);
    await first.getByRole('textbox', { name: 'Player' }).fill('no-such-player');
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.locator('.setup-start [role=alert]').filter({ hasText: /player/ }).waitFor();
    await first.getByRole('textbox', { name: 'Player' }).fill('greedy:seed=3');
    await second.getByRole('radio', { name: 'The computer' }).check();
    assert.deepEqual((await start(page, opened)).seats.map((each) => each.player), ['greedy:seed=3', 'auto:level=3']);
});

test('sides by lot come out both ways', async (w) => {
    const { page, opened } = await setup(w, '#/setup/tic-tac-toe');
    await page.getByRole('switch', { name: 'Draw lots for the sides' }).check();
    const seen = new Set();
    for (let i = 0; i < 30 && seen.size < 2; i++) {
        if (i) await page.goBack();
        const { seats } = await start(page, opened);
        seen.add(seats[0].kind);
        // Who gave no name has that of the side they got.
        const me = seats.findIndex(({ kind }) => kind === 'person');
        assert.equal(seats[me].name, ['Cross', 'Nought'][me]);
    }
    assert.deepEqual([...seen].sort(), ['computer', 'person']);
});

test('a clock', async (w) => {
    const { page, opened } = await setup(w, '#/setup/reversi');
    assert.equal((await start(page, opened)).clock, undefined);
    await page.goBack();
    await page.getByRole('radio', { name: 'With a clock' }).check();
    await page.getByRole('spinbutton', { name: 'Minutes for each player' }).fill('0');
    assert.ok(await page.getByRole('button', { name: 'Start the game' }).isDisabled());
    await page.getByRole('radio', { name: 'Without a clock' }).check();
    assert.ok(await page.getByRole('button', { name: 'Start the game' }).isEnabled());
    await page.getByRole('radio', { name: 'With a clock' }).check();
    await page.getByRole('spinbutton', { name: 'Minutes for each player' }).fill('3');
    await page.getByRole('spinbutton', { name: 'Seconds more for each move' }).fill('2');
    assert.deepEqual((await start(page, opened)).clock, { minutes: 3, increment: 2 });
});

test('parameters and a position from the address', async (w) => {
    const { page, opened } = await setup(w, '#/setup/mill?men=4');
    assert.equal(await page.getByRole('spinbutton', { name: 'Men' }).inputValue(), '4');
    await page.getByRole('button', { name: 'Usual rules' }).click();
    assert.equal(await page.getByRole('spinbutton', { name: 'Men' }).inputValue(), '9');
    const state = 'W2/3/3/6/3/3/3 b hand=8,9 quiet=0';
    await page.goto(`${w.server.url}#/setup/mill?start=${encodeURIComponent(state)}`);
    await page.getByText('The game begins with the position of the link.').waitFor();
    await page.locator('.setup-board .piece').waitFor({ state: 'attached' });
    await page.getByRole('region', { name: 'Black plays' }).getByText('begins').waitFor();
    assert.equal(await page.getByText('begins', { exact: true }).filter({ visible: true }).count(), 1);
    assert.equal((await start(page, opened)).start, state);
    await page.goBack();
    await page.getByRole('button', { name: 'Begin from the start instead' }).click();
    await page.locator('.setup-board .piece').waitFor({ state: 'detached' });
    assert.equal((await start(page, opened)).start, undefined);
});

test('a position and a parameter of the name `start` go through one link', async (w) => {
    const { page, opened } = await setup(w, '#/setup/fox-and-hounds?start=3');
    const columns = page.getByRole('radiogroup', { name: 'Start' }).or(page.getByRole('group', { name: 'Start' }));
    assert.equal(await columns.getByRole('radio', { name: '3', exact: true }).isChecked(), true);
    assert.equal(await page.getByText('the position of the link').count(), 0);
    assert.equal((await start(page, opened)).params.start, '3');
    await page.locator('.play .board .hit.can').first().click();
    await page.locator('.play .board .hit.can').first().click();
    await page.locator('.play .move[data-ply="1"]').waitFor();
    await page.locator('.play [data-do="share"]').click();
    const link = await page.getByRole('textbox', { name: 'A new game from this position' }).inputValue();
    const state = await page.getByRole('textbox', { name: 'The position as a text' }).inputValue();
    await page.goto(link);
    await page.getByText('The game begins with the position of the link.').waitFor();
    const again = await start(page, opened);
    assert.equal(again.start, state);
    assert.equal(again.params.start, '3');
});

test('parameters may be called as the page calls things', async (w) => {
    const rules = readFileSync(join(root, 'games', 'tic-tac-toe.game'), 'utf8');
    for (const name of ['game', 'key', 'start', 'room', 'title']) {
        const { page, opened } = await setup(w, '#/setup/tic-tac-toe');
        const { game } = await page.evaluate(async (text) => {
            const { net } = await import('./main.js');
            return net.ask('upload', { title: 'rules', text, params: {} });
        }, rules.replace('\nboard ', `\nparameter ${name} : 1..3 = 1 "nothing"\n\nboard `));
        await page.goto(`${w.server.url}#/setup/${encodeURIComponent(game)}?${name}=2`);
        await page.getByRole('spinbutton', { name: new RegExp(name, 'i') }).waitFor();
        assert.equal((await start(page, opened)).params[name], '2', name);
        await page.locator('.play .board .hit').first().waitFor();
    }
});

test('bots only where the server allows them', async (w) => {
    const { page } = await setup(w, '#/setup/tic-tac-toe');
    assert.equal(await seat(page, 'Cross').getByRole('radio', { name: 'A bot' }).count(), 0);
    const server = await w.serve({ args: ['--allow-bots'] });
    const other = await setup(w, '#/setup/tic-tac-toe', { server });
    await seat(other.page, 'Nought').getByRole('radio', { name: 'A bot' }).check();
    assert.equal(await other.page.getByRole('button', { name: 'Start the game' }).isDisabled(), true);
    await seat(other.page, 'Nought').getByRole('textbox', { name: 'Command of the bot' }).fill('bot:./x');
    assert.equal(await other.page.getByRole('button', { name: 'Start the game' }).isDisabled(), false);
});

test('a game that is not there is said so', async (w) => {
    w.allow(/game\.json/);
    const page = await w.page('#/setup/nonsense');
    await page.getByText('There is no such game').waitFor();
    await page.getByRole('button', { name: 'To the games' }).click();
    await page.getByRole('heading', { name: 'What shall we play?' }).waitFor();
});

test('set-up on a phone and in the dark', async (w) => {
    for (const [name, options] of [['setup', {}], ['setup-phone', { size: 'phone' }], ['setup-dark', { dark: true }]]) {
        const { page } = await setup(w, '#/setup/mill', options);
        await page.locator('.setup-board svg').waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} points too wide`);
        await w.axe(page);
        await w.shot(page, name);
    }
});
