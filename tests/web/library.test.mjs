// The first page: all games, search, files of one's own.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert, root, test } from './harness.mjs';

const cards = (page) => page.locator('.games article');

/** Drops files onto the page as a person would: [{name, text}]. */
async function drop(page, files) {
    const transfer = await page.evaluateHandle((all) => {
        const data = new DataTransfer();
        for (const { name, text, bytes } of all)
            data.items.add(new File([bytes ? Uint8Array.from(bytes) : text], name));
        return data;
    }, files);
    await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
    await page.locator('.drop-over').waitFor();
    await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

test('every game has a card with its board', async (w) => {
    const page = await w.page();
    const library = await (await page.request.get(`${w.server.url}library.json`)).json();
    assert.ok(library.games.length > 20);
    await page.waitForFunction((n) => document.querySelectorAll('.games article').length === n, library.games.length);
    for (const { game, title, about, length } of library.games) {
        // Equals can go round each other for ever in a skirmish.
        assert.ok(length > 0 || game === 'skirmish', `how long is ${title}? tools/lengths.py measures it`);
        const card = cards(page).filter({ has: page.getByRole('link', { name: title, exact: true }) });
        assert.equal(await card.count() >= 1, true, title);
        assert.ok((await card.first().textContent()).includes(about), title);
    }
    await page.locator('.games article svg.board').first().waitFor();
    assert.ok(await page.locator('.games svg.board').count() < library.games.length, 'boards are drawn when they are seen');
    await page.keyboard.press('End');
    await page.waitForFunction((n) => {
        scrollBy(0, innerHeight);
        if (scrollY + innerHeight >= document.body.scrollHeight - 5) scrollTo(0, 0);
        return document.querySelectorAll('.games svg.board').length === n;
    }, library.games.length, { polling: 100, timeout: 30000 });
    await page.evaluate(() => scrollTo(0, 0));
    await w.axe(page);
    await w.shot(page, 'library');
});

test('the library fits the narrowest phones', async (w) => {
    const page = await w.page('#/', { size: { width: 320, height: 640 } });
    await cards(page).first().waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 320);
});

test('search and filter', async (w) => {
    const page = await w.page();
    await cards(page).first().waitFor();
    const all = await cards(page).count();
    const search = page.getByRole('searchbox');
    await search.fill('muhle');
    assert.equal(await page.getByRole('link', { name: "Nine Men's Morris", exact: true }).count(), 1);
    assert.ok(await cards(page).count() < 5);
    assert.match(await page.locator('.library-count').innerText(), /^\d game/);
    await search.fill('no such thing at all');
    assert.equal(await cards(page).count(), 0);
    await page.getByRole('button', { name: 'Show all games' }).click();
    assert.equal(await cards(page).count(), all);
    await page.getByRole('radio', { name: 'Puzzles' }).check();
    const puzzles = await cards(page).count();
    assert.ok(puzzles > 2 && puzzles < all);
    assert.equal(await page.getByRole('link', { name: 'Chess', exact: true }).count(), 0);
    await page.getByRole('radio', { name: 'For two' }).check();
    assert.equal(await cards(page).count() + puzzles <= all, true);
    assert.equal(await page.getByRole('link', { name: 'Chess', exact: true }).count(), 1);
});

test('the keyboard leads from search to a game', async (w) => {
    const page = await w.page();
    await cards(page).first().waitFor();
    await page.getByRole('searchbox').fill('reversi');
    await page.getByRole('link', { name: 'Reversi', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/setup/reversi');
    await page.getByRole('heading', { level: 1, name: 'Reversi' }).waitFor();
    await page.goBack();
    await page.getByRole('searchbox').fill('morris'); // several: Enter would have to guess
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox').fill('amazons');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Amazons' }).waitFor();
});

test('a .game file dropped onto the page is opened', async (w) => {
    const page = await w.page();
    const text = readFileSync(join(root, 'games', 'tic-tac-toe.game'), 'utf8')
        .replaceAll('"Tic-tac-toe"', '"Noughts of my own"');
    await cards(page).first().waitFor();
    await drop(page, [{ name: 'own.game', text }]);
    await page.waitForURL(/#\/setup\/%40/);
    await page.getByRole('heading', { level: 1, name: 'Noughts of my own' }).waitFor();
    await page.locator('.setup-board svg').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Your own rules' }).waitFor();
    await page.getByRole('link', { name: 'own.game' }).click();
    await page.getByRole('heading', { level: 1, name: 'Noughts of my own' }).waitFor();
});

test('of a large folder that is dropped all is read', async (w) => {
    const page = await w.page();
    await cards(page).first().waitFor();
    await page.evaluate((text) => {
        const file = (name, words) => ({ isFile: true, file: (done) => done(new File([words], name)) });
        const all = [...Array.from({ length: 150 }, (_, i) => file(`${i}.png`, 'x')), file('rules.game', text)];
        // As browsers do: a hundred at a time, then none.
        const folder = { isDirectory: true, createReader: () => ({ readEntries: (done) => done(all.splice(0, 100)) }) };
        const event = new Event('drop');
        event.dataTransfer = { types: ['Files'], files: [], items: [{ webkitGetAsEntry: () => folder }] };
        window.dispatchEvent(event);
    }, readFileSync(join(root, 'games', 'tic-tac-toe.game'), 'utf8'));
    await page.waitForURL(/#\/setup\/%40/);
});

test('games that go on are named in the language of the page', async (w) => {
    const page = await w.page('#/nothing', { lang: 'de' });
    await w.openRoom(page, { game: 'mill', params: {}, seats: [{ kind: 'person' }, { kind: 'person' }] });
    await page.locator('.play .board .hit').first().waitFor(); // its title is known
    await page.goto(`${w.server.url}#/`);
    await page.locator('.shelf').getByRole('link', { name: 'Mühle' }).waitFor();
});

test('an S3 file with its pictures is opened; the pictures are used', async (w) => {
    const page = await w.page();
    const text = readFileSync(join(root, 'games', 's3', 'Frogs'), 'utf8');
    await cards(page).first().waitFor();
    // A picture of one point; the names are those that the file asks for.
    const png = [...Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')];
    const names = [...new Set(text.match(/[\w ./\\-]+\.(png|bmp|jpg|gif)/gi) ?? [])].map((name) => name.trim());
    await drop(page, [{ name: 'Frogs', text }, ...names.map((name) => ({ name: name.split(/[\\/]/).pop(), bytes: png }))]);
    await page.waitForURL(/#\/setup\/%40/);
    await page.getByRole('heading', { level: 1, name: /Frogs/i }).waitFor();
    if (names.length) await page.locator('.setup-board svg image').first().waitFor({ state: 'attached' });
    // With a picture of the board no places are drawn over it.
    if (names.length) await page.locator('.setup-board svg.painted').waitFor({ state: 'attached' });
});

test('a file picked with the button; faults are shown with their lines', async (w) => {
    const page = await w.page();
    await cards(page).first().waitFor();
    const pick = async (name, text) => {
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Open a rules file' }).click();
        await (await chooser).setFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(text) }]);
    };
    await pick('broken.game', readFileSync(join(root, 'games', 'tic-tac-toe.game'), 'utf8').replace('empty', 'emptyy'));
    const dialog = page.getByRole('dialog', { name: /broken\.game/ });
    await dialog.locator('.fault').first().waitFor();
    assert.match(await dialog.innerText(), /line \d+, column \d+/);
    assert.match(await dialog.locator('mark').first().innerText(), /emptyy/);
    await w.axe(page);
    await w.shot(page, 'library-faults');
    await page.keyboard.press('Escape');
    await pick('letter.txt', 'Dear Sir or Madam');
    await page.locator('.toast.error').waitFor();
    assert.match(await page.locator('.toast.error').innerText(), /no rules file/);
    await page.locator('.toast.error').getByRole('button', { name: 'Close' }).click();
    await pick('large.game', 'x'.repeat(300000));
    await page.locator('.toast.error').waitFor();
    assert.match(await page.locator('.toast.error').innerText(), /too large/);
});

test('a file with many fields is no rules file, and is told so at once', async (w) => {
    const page = await w.page();
    await cards(page).first().waitFor();
    await drop(page, [{ name: 'settings.ini', text: `${'        key = value\n'.repeat(400)}the end\n` }]);
    await page.locator('.toast.error', { hasText: 'no rules file' }).waitFor({ timeout: 15000 });
});

test('S3 files are told from others as the server tells them', async (w) => {
    const page = await w.page();
    const isRules = (name, text) => page.evaluate(async ([file, content]) =>
        (await import('./uploads.js')).looksLikeRules(file, content), [name, text]);
    const folder = join(root, 'games', 's3');
    for (const name of readdirSync(folder))
        assert.equal(await isRules(name, readFileSync(join(folder, name), 'utf8')), true, name);
    for (const text of ['[BOARD]', '\r\n// by me\r\nname=[x]\r\n  [BOARD]   \r\n', 'a = b\r[Board]'])
        assert.equal(await isRules('x', text), true, text);
    for (const text of ['', 'Dear Sir\n[BOARD]', '# a comment\n[BOARD]', '[1]', '\n'.repeat(5000)])
        assert.equal(await isRules('x', text), false, text);
    assert.equal(await isRules('x.game', ''), true);
});

test('rules that Notepad saved as UTF-16 are read; what is no text is refused', async (w) => {
    const page = await w.page();
    const text = readFileSync(join(root, 'games', 'tic-tac-toe.game'), 'utf8').replaceAll('"Tic-tac-toe"', '"Križić"');
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(`\ufeff${text}`)]) {
        await cards(page).first().waitFor();
        await drop(page, [{ name: 'notepad.game', bytes: [...bytes] }]);
        await page.waitForURL(/#\/setup\/%40/);
        await page.getByRole('heading', { level: 1, name: 'Križić' }).waitFor();
        await page.goto(`${w.server.url}#/`);
    }
    await cards(page).first().waitFor();
    await drop(page, [{ name: 'program.game', bytes: [71, 0, 65, 0] }]);
    await page.locator('.toast.error', { hasText: 'program.game is not a text' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.line), 'open');
    // Beside rules it is left alone.
    await drop(page, [{ name: 'program.bin', bytes: [71, 0, 65, 0] }, { name: 'own.game', text }]);
    await page.getByRole('heading', { level: 1, name: 'Križić' }).waitFor();
});
