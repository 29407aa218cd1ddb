// Insight beside the board, and the tree of a search.
import { BARE, assert, test } from './harness.mjs';

const two = [{ kind: 'person', name: 'Ana' }, { kind: 'person', name: 'Ivo' }];

// A room with the panel open, after moves or from a position.
async function open(w, game, from, options) {
    const page = await w.page(BARE, options);
    await w.openRoom(page, { game, seats: two, ...from });
    await page.locator('svg.board').first().waitFor();
    await page.getByRole('button', { name: /Insight|Analysis/ }).first().click();
    await page.locator('.insight').waitFor();
    return page;
}

test('mill: bar, lines, arrows, numbers, graph, words', async (w) => {
    const page = await open(w, 'mill', { moves: ['d2', 'a7', 'f2', 'g4'] });
    const line = page.locator('.insight-move').first();
    await line.waitFor({ timeout: 40000 });
    await page.locator('.insight-numbers dt', { hasText: 'Positions' }).waitFor();
    await page.locator('svg.board [data-layer="arrows"] .arrow').first().waitFor();
    // White has two in a line: b2 closes a mill and takes a man.
    await page.locator('.insight-line strong').first().getByText(/^b2x/).waitFor();
    assert.match(await page.locator('.insight-bar').getAttribute('aria-label'), /White/);
    await w.axe(page);
    await w.shot(page, 'insight-mill');

    // One line alone while one looks at it.
    await line.hover();
    assert.equal(await page.locator('svg.board [data-layer="arrows"] .arrow').count(), 1);

    await page.getByRole('button', { name: 'This position' }).click();
    await page.locator('.explain-line').first().waitFor();
    const fact = page.locator('.explain-facts .fact', { hasText: 'pair(White' }).first();
    await fact.hover();
    assert.equal(await page.locator('svg.board [data-layer="facts"] .mark').count(), 3);
    await w.shot(page, 'insight-explain');
    await page.mouse.move(0, 0);
    await fact.focus();
    assert.equal(await page.locator('svg.board [data-layer="facts"] .mark').count(), 3);
    await page.getByRole('button', { name: 'All facts' }).click();
    await page.locator('.fact-group').first().waitFor();
    await page.getByRole('button', { name: 'The last move' }).click();
    await page.getByRole('heading', { name: 'The move g4' }).waitFor();

    // The whole game, then a jump by the graph: with the keyboard and with the pointer.
    await page.getByRole('button', { name: 'Look at the whole game' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.graph-point').length === 5, null, { timeout: 30000 });
    const graph = page.getByRole('slider', { name: 'Over the game' });
    await graph.press('Home');
    await page.waitForFunction(() => document.querySelector('.insight-graph').getAttribute('aria-valuenow') === '0');
    const box = await graph.boundingBox();
    await page.mouse.click(box.x + box.width * 0.5, box.y + 10);
    await page.waitForFunction(() => document.querySelector('.insight-graph').getAttribute('aria-valuenow') === '2');
}, { seconds: 240 });

test('a proven win is shown as one', async (w) => {
    const page = await open(w, 'tic-tac-toe', { moves: ['a1', 'a2', 'b1', 'b2'] });
    await page.locator('.insight-bar.proven').waitFor();
    assert.match(await page.locator('.insight-bar').getAttribute('aria-label'), /Cross wins in 1 move/);
    await page.locator('.insight-line strong').first().getByText('c1').waitFor();
});

test('hex: all moves that were tried are warm', async (w) => {
    const page = await open(w, 'hex', { moves: [] });
    await page.locator('.insight-options > summary').click();
    await page.getByLabel('Where the search went').check();
    await page.waitForFunction(() => document.querySelectorAll('svg.board [data-layer="heat"] .warm').length > 40, null, { timeout: 30000 });
});

test('byte: visits as heat, on a phone', async (w) => {
    const page = await open(w, 'byte', { moves: [] }, { size: 'phone' });
    await page.locator('.insight-options > summary').click();
    await page.getByLabel('Where the search went').check();
    await page.locator('svg.board [data-layer="heat"] .warm').first().waitFor({ timeout: 30000 });
    await page.locator('.insight-visits').first().waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'nothing sticks out');
    await w.axe(page);
    await w.shot(page, 'insight-byte-phone', { fullPage: true });
    // Far down a small board stays in sight; it shows the same arrows.
    await page.getByRole('button', { name: 'This position' }).click();
    await page.locator('.explain-line').last().scrollIntoViewIfNeeded();
    await page.locator('.insight-mini svg [data-layer="arrows"] .arrow').first().waitFor();
    // The dialog of the tree goes with the page.
    await page.getByRole('button', { name: 'Search tree' }).click();
    await page.locator('.tree').waitFor();
    await page.evaluate(() => { location.hash = '#/watch'; });
    await page.locator('.watch-seats').waitFor();
    assert.equal(await page.locator('dialog').count(), 0);
});

test('the tree of plain alpha-beta is walked with the keyboard', async (w) => {
    const page = await open(w, 'tic-tac-toe', { start: 'XOX/OXO/3 n' });
    await page.getByRole('button', { name: 'Search tree' }).click();
    await page.getByLabel('Who searches').selectOption('plain-alphabeta');
    await page.locator('.tree').getByLabel('Depth').selectOption('2');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const items = page.locator('.tree-list [role=treeitem]');
    await items.nth(3).waitFor();
    const root = items.first();
    await root.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.locator('[aria-level="3"]').first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('[aria-level="3"][aria-selected=true]').waitFor();
    await page.locator('.tree-board svg.board').waitFor();
    await page.locator('.tree-way').getByText(/^\w\d \w\d$/).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[aria-level="2"][aria-selected=true]').waitFor();
    // The second move, with what was left out below it and why.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.tree-left').getByText(/1 move left out: at most alpha/).waitFor();
    assert.equal(await page.locator('.tree-row.cut .tree-move').first().textContent(), 'b1');
    // In the order of the search, then down the best line: a1 c1 loses.
    await page.getByRole('button', { name: 'The next position looked at' }).click();
    await page.locator('.tree-order').getByText('6 of 8').waitFor();
    await page.getByRole('button', { name: 'The position looked at before' }).click();
    await page.locator('.tree-order').getByText('5 of 8').waitFor();
    await page.locator('.tree-list [role=treeitem]').first().press('Home');
    await page.getByRole('button', { name: 'Follow the best line' }).click();
    await page.locator('.tree-way').getByText('a1 c1').waitFor();
    await page.locator('.tree-facts').getByText('loses in 2').waitFor();
    await w.axe(page);
    await w.shot(page, 'tree');
});

test('trees of minimax, the strong alpha-beta and the tree of random games', async (w) => {
    const page = await open(w, 'mill', { moves: ['d2', 'd6', 'f4', 'b4'] }, { dark: true });
    await page.getByRole('button', { name: 'Search tree' }).click();
    await page.locator('.tree').getByLabel('Depth').selectOption('2');
    for (const player of ['minimax', 'plain-alphabeta', 'alphabeta', 'mcts']) {
        await page.getByLabel('Who searches').selectOption(player);
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await page.locator('.tree-note', { hasText: /looked at/ }).waitFor();
        await page.locator('.tree-list [role=treeitem][aria-level="2"]').first().waitFor();
        const cuts = await page.locator('.tree-row.cut').count();
        if (player === 'minimax') assert.equal(cuts, 0);
        if (player === 'plain-alphabeta') assert.ok(cuts > 0, 'alpha-beta cuts');
        if (player === 'mcts') await page.locator('.tree-count').first().waitFor();
        await w.shot(page, `tree-${player}`);
    }
    await w.axe(page);
});

test('the analysis goes on when the line is back', async (w) => {
    w.allow(/WebSocket|ERR_/);
    const server = await w.serve();
    const page = await open(w, 'mill', { moves: ['d2', 'a7'] }, { server });
    await page.locator('.insight-move').first().waitFor({ timeout: 40000 });
    await server.stop('SIGKILL');
    await page.locator('.insight-note').getByText('The line to the server broke.').waitFor();
    await server.start();
    await page.locator('.insight-note').getByText('The line').waitFor({ state: 'detached' });
    await page.locator('.insight.thinking').waitFor();
    await page.locator('.insight-move').first().waitFor({ timeout: 40000 });
});
