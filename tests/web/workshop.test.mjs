// The workshop: rules are written, checked, mended, tried, studied, kept, saved and played.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, root, test } from './harness.mjs';

const area = (page) => page.locator('#editor-area');
const state = (page) => page.locator('.problems-state');
const fine = (page) => state(page).getByText('No errors').waitFor();

// Selects a piece of the text, as a person would with the mouse.
const select = (page, text) => area(page).evaluate((el, wanted) => {
    const at = el.value.indexOf(wanted);
    el.focus();
    el.setSelectionRange(at, at + wanted.length);
}, text);

async function open(w, options) {
    const page = await w.page('#/workshop', options);
    await fine(page);
    return page;
}

test('the beginning of a line does not stay behind the numbers', async (w) => {
    const page = await open(w, { size: 'phone' });
    await area(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(`${'# a line that is longer than a phone is wide '.repeat(4)}\n`);
    await page.keyboard.press('ArrowUp');
    const left = () => page.locator('.editor-box').evaluate((box) => box.scrollLeft);
    await page.keyboard.press('End');
    assert.ok(await left() > 100);
    await page.keyboard.press('Home');
    assert.equal(await left(), 0);
});

test('an error is underlined at its place, mended, and the game is played', async (w) => {
    const page = await open(w);
    await page.locator('.preview-board svg.board').waitFor();
    assert.equal(await page.locator('.preview-moves li').count(), 9);
    await w.axe(page);
    await w.shot(page, 'workshop');

    await select(page, 'empty\n    place');
    await page.keyboard.type('emty\n');
    await page.keyboard.type('place');
    const bad = page.locator('.u-error');
    await bad.waitFor();
    assert.equal(await bad.textContent(), 'emty');
    // Exactly over the letters of the text, which the layer shows.
    const places = await area(page).evaluate((el) => {
        const mark = document.querySelector('.u-error').getBoundingClientRect();
        const style = getComputedStyle(el), layer = getComputedStyle(document.querySelector('.editor-layer'));
        const before = el.value.slice(0, el.value.indexOf('emty')).split('\n');
        const at = el.getBoundingClientRect();
        return {
            fonts: [style.font, layer.font], line: Math.round((mark.top - at.top - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight)),
            wanted: before.length - 1, left: mark.left - at.left - parseFloat(style.paddingLeft), columns: before.at(-1).length,
        };
    });
    assert.equal(places.fonts[0], places.fonts[1]);
    assert.equal(places.line, places.wanted);
    assert.ok(Math.abs(places.left / places.columns - 9.15) < 1.5, `a column is ${places.left / places.columns} wide`);
    assert.equal(await area(page).getAttribute('aria-invalid'), 'true');
    await state(page).getByText('1 error').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Play' }).isDisabled());
    await w.axe(page);
    await w.shot(page, 'workshop-error');

    // From the list to the place; the word is selected, so that typing mends it.
    await area(page).evaluate((el) => el.setSelectionRange(0, 0));
    await page.locator('.problems-list button').click();
    assert.equal(await area(page).evaluate((el) => el.value.slice(el.selectionStart, el.selectionEnd)), 'emty');
    await page.keyboard.type('empty  # mine');
    await fine(page);
    assert.equal(await page.locator('.u-error').count(), 0);

    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'People here' }).click();
    await page.waitForURL('**/#/room/*');
    await page.locator('svg.board [data-name="b2"]').click();
    await page.locator('svg.board [data-name="b2"][aria-label*="Cross"]').waitFor();

    // The text is still there, after a reload, too.
    await page.goto(`${w.server.url}#/workshop`);
    await page.reload();
    await fine(page);
    assert.match(await area(page).inputValue(), /choose to in empty  # mine/);
    assert.match(await page.locator('.workshop-name').getAttribute('class'), /unsaved/);
});

test('places count letters, not bytes', async (w) => {
    // In the text itself ...
    const { colourLine, cutLine, placeOf } = await import(join(root, 'web/workshop_colour.js'));
    const line = '    say "Mühle: drei × in einer Reihe" 𝄞 x';
    assert.deepEqual(placeOf(line, { column: line.length, length: 1 }), { from: line.length - 1, to: line.length });
    assert.deepEqual(placeOf('ab', { column: 3, length: 1 }), { from: 1, to: 2 }, 'behind the end: the last letter');
    assert.deepEqual(placeOf('', { column: 1, length: 0 }), { from: 0, to: 1 });
    assert.equal(colourLine(line).map((p) => line.slice(p.from, p.to)).join(''), line, 'nothing is lost');
    assert.equal(cutLine(line, [{ from: 6, to: 12 }]).map((p) => p.text).join(''), line);
    // ... and on the page, behind letters of two and three bytes.
    const page = await open(w);
    await select(page, 'piece mark of Cross "X ×", Nought "O ○"');
    await page.keyboard.type('piece mark of Cross "X ×", Nougt "O ○"');
    await page.locator('.u-error').first().waitFor();
    assert.equal(await page.locator('.u-error').first().textContent(), 'Nougt');
});

test('keys indent, undo works, Tab leaves the text', async (w) => {
    const page = await open(w);
    const before = await area(page).inputValue();
    await select(page, 'draw when no empty');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('draw when repeated 3');
    await fine(page);
    assert.match(await area(page).inputValue(), /empty\n {4}draw when repeated 3\n/);
    await page.keyboard.press('Control+]');
    assert.match(await area(page).inputValue(), /\n {8}draw when repeated/);
    await page.locator('.u-error').first().waitFor();
    await page.keyboard.press('Control+[');
    await fine(page);
    // What was typed and what was indented is undone alike.
    for (let i = 0; i < 60 && await area(page).inputValue() !== before; i++) await page.keyboard.press('Control+z');
    assert.equal(await area(page).inputValue(), before);
    // A line that opens a block, then back by one level with one key.
    await select(page, 'turn');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.match(await area(page).inputValue(), /turn\n {4}\n/);
    await page.keyboard.press('Backspace');
    assert.match(await area(page).inputValue(), /turn\n\n/);
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement.id), 'editor-area');
});

test('parameters, counting, a study, and stopping it', async (w) => {
    const page = await open(w);
    await page.getByText('Parameters to try').click();
    const size = page.getByRole('spinbutton', { name: 'Size' });
    await size.fill('4');
    await page.getByText('16 legal moves').waitFor();
    await size.fill('3');
    await page.getByText('9 legal moves').waitFor();

    await page.getByLabel('Depth').selectOption('4');
    await page.getByRole('button', { name: 'Count positions' }).click();
    await page.locator('.run-table td', { hasText: '3,024' }).waitFor();
    await page.getByLabel('Games', { exact: true }).selectOption('12');
    await page.getByRole('button', { name: 'Study the balance' }).click();
    await page.locator('.study-list dt').first().waitFor({ timeout: 50000 });
    assert.ok(await page.locator('.study-list dt').count() >= 4);
    await page.locator('.study-list dd', { hasText: /^Who moves first scores \d+ % \(± \d+\) against an equal: .+\.$/ }).waitFor();
    await page.locator('.balance').waitFor();
    await w.axe(page);
    await page.locator('.workshop-runs').scrollIntoViewIfNeeded();
    await w.shot(page, 'workshop-study');

    await page.getByLabel('Games', { exact: true }).selectOption('300');
    await page.getByRole('button', { name: 'Study the balance' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
}, { seconds: 240 });

test('rules that fail in the first position have an error at its place', async (w) => {
    const page = await open(w);
    const text = await area(page).inputValue();
    const more = ['b', 'c', 'd', 'e'].map((name) => `    choose ${name} in empty\n`).join('');
    await area(page).fill(text.replace('size x size', '19 x 19').replace('    place mark', `${more}    place mark`));
    await page.locator('.problem-text', { hasText: 'there are more than a million moves' }).waitFor();
    assert.match(await page.locator('.problems-list li.error .problem-place').innerText(), /^Line \d+, column \d+$/);
    assert.match(await state(page).innerText(), /1 error/);
    assert.ok(await page.getByRole('button', { name: 'Play', exact: true }).isDisabled());
    assert.doesNotMatch(await page.locator('.workshop-preview').innerText(), /legal move/);
});

test('a parameter that was tried goes out of the text again', async (w) => {
    const page = await open(w);
    await page.getByText('Parameters to try').click();
    const size = page.getByRole('spinbutton', { name: 'Size' });
    const text = await area(page).inputValue();
    for (const other of [
        text.replace(/parameter size.*/, '').replace('size x size', '3 x 3'),
        text.replace('3..6 = 3', '3..3 = 3'),
    ]) {
        await size.fill('4');
        await page.getByText('16 legal moves').waitFor();
        await area(page).fill(other);
        await page.getByText('9 legal moves').waitFor();
        await area(page).fill(text);
        await page.waitForFunction(() => document.querySelector('.preview-params input[type=number]')?.max === '6');
        assert.equal(await size.inputValue(), '3');
    }
});

test('a game of the library is a start; tidied up, saved to a file, opened again', async (w) => {
    const page = await open(w);
    await page.getByRole('button', { name: 'From a game' }).click();
    await page.getByLabel('Search for games').fill('morris');
    await w.axe(page);
    await page.getByRole('button', { name: /^Six Men's Morris/ }).click();
    await page.getByText('16 legal moves').waitFor();
    assert.equal(await area(page).inputValue(), readFileSync(join(root, 'games/six-mens-morris.game'), 'utf8'));
    await w.shot(page, 'workshop-library');

    await select(page, 'players White, Black');
    await page.keyboard.type('players   White,Black');
    await fine(page);
    await page.getByRole('button', { name: 'Tidy up' }).click();
    await page.waitForFunction(() => document.querySelector('#editor-area').value.includes('\nplayers White, Black\n'));

    await select(page, '"Six Men\'s Morris"');
    await page.keyboard.type('"Mine"');
    await page.locator('.preview-title').getByText('Mine').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByLabel('Name of the file').fill('mine');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as a file' }).click()]);
    assert.equal(download.suggestedFilename(), 'mine.game');
    const path = await download.path();
    assert.equal(readFileSync(path, 'utf8'), await area(page).inputValue());
    assert.doesNotMatch(await page.locator('.workshop-name').getAttribute('class'), /unsaved/);

    // Something unsaved is not thrown away without asking.
    await page.keyboard.type('  # more');
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    assert.match(await page.locator('.workshop-name').textContent(), /mine\.game/);
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('9 legal moves').waitFor();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Open a file' }).click()]);
    await chooser.setFiles({ name: 'again.game', mimeType: 'text/plain', buffer: readFileSync(path) });
    await page.locator('.preview-title').getByText('Mine').waitFor();
});

test('where the server has a folder, rules are saved there', async (w) => {
    const folder = mkdtempSync(join(tmpdir(), 'ludens-save-'));
    const server = await w.serve({ args: ['--save', folder] });
    const page = await open(w, { server });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name of the file').fill('kept');
    await page.getByRole('button', { name: 'Save on the server' }).click();
    await page.locator('.toast').getByText('kept.game').waitFor();
    assert.equal(readFileSync(join(folder, 'kept.game'), 'utf8'), await area(page).inputValue());
    rmSync(folder, { recursive: true });
});

test('the workshop on a phone, in the dark', async (w) => {
    const page = await open(w, { size: 'phone', dark: true });
    await select(page, 'lines of 3');
    await page.keyboard.type('lines off 3');
    await page.locator('.problems-list li.error').first().waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'nothing sticks out');
    await w.axe(page);
    await w.shot(page, 'workshop-phone', { fullPage: true });
});

test('what is no text is refused; a zero in the text is told, and the page stays on the line', async (w) => {
    const page = await open(w);
    const before = await area(page).inputValue();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a file …' }).click();
    await (await chooser).setFiles([{ name: 'program.txt', mimeType: 'text/plain', buffer: Buffer.from('a\0b') }]);
    await page.locator('.toast.error', { hasText: 'program.txt is not a text' }).waitFor();
    assert.equal(await area(page).inputValue(), before);
    await area(page).fill(`\0${before}`);
    await page.locator('.problems-state.error', { hasNotText: 'does not answer' }).waitFor({ timeout: 15000 });
    await area(page).fill(before);
    await fine(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.line), 'open');
});

test('a game that is not there is said so in words', async (w) => {
    w.allow(/rules\?game/);
    const page = await w.page('#/workshop/nope', { lang: 'de' });
    await page.locator('.toast.error').waitFor();
    assert.equal((await page.locator('.toast.error p').innerText()).trim(), 'unter den Spielen gibt es kein nope');
});
