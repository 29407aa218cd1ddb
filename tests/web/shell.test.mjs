// The frame of the page: languages, colours, settings, addresses, phones, a line that breaks.
import { assert, test } from './harness.mjs';
import { languages } from './languages.mjs';

const heading = (page) => page.getByRole('heading', { level: 1 });

async function openSettings(page) {
    await page.locator('#top button').click();
    await page.getByRole('dialog').waitFor();
    return page.getByRole('dialog');
}

test('the languages of the browser and of the settings', async (w) => {
    const texts = {
        en: 'What shall we play?', hr: 'Što ćemo igrati?', sr: 'Šta ćemo da igramo?',
        sk: 'Čo si zahráme?', hu: 'Mit játsszunk?', de: 'Was spielen wir?',
    };
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(languages).sort());
    for (const [code, text] of Object.entries(texts)) {
        const page = await w.page('#/', { lang: code });
        await page.getByRole('heading', { level: 1, name: text }).waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.lang), code === 'sr' ? 'sr-Latn' : code);
        await page.context().close();
    }
    const page = await w.page('#/', { lang: 'fr' });
    await page.getByRole('heading', { level: 1, name: texts.en }).waitFor();
    await openSettings(page);
    for (const code of ['de', 'hu', 'sk', 'sr', 'hr']) {
        await page.getByRole('dialog').locator('select').first().selectOption(code);
        await page.locator('h1', { hasText: texts[code] }).waitFor();
    }
    await page.getByRole('dialog', { name: 'Postavke' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: texts.hr }).waitFor();
});

test('light, dark and automatic colours', async (w) => {
    const page = await w.page('#/', { dark: true });
    await heading(page).waitFor();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    const dialog = await openSettings(page);
    await w.axe(page);
    await dialog.getByRole('radio', { name: 'Light' }).check();
    const light = await ground();
    assert.notEqual(light, dark);
    await w.axe(page);
    await dialog.getByRole('radio', { name: 'Dark' }).check();
    assert.equal(await ground(), dark);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await ground(), dark);
    await dialog.getByRole('radio', { name: 'Automatic' }).check();
    assert.equal(await ground(), light);
    await page.keyboard.press('Escape');
    await page.reload();
    await heading(page).waitFor();
    assert.equal(await ground(), light);
});

test('every setting is kept', async (w) => {
    const page = await w.page();
    await heading(page).waitFor();
    const dialog = await openSettings(page);
    await dialog.getByRole('textbox', { name: 'Your name' }).fill('Ivana');
    await dialog.getByRole('textbox', { name: 'Your name' }).blur();
    for (const name of ['Sounds', 'Coordinates at the board', 'Show where one can move', 'Moving pieces'])
        await dialog.getByRole('switch', { name }).uncheck();
    await dialog.getByRole('slider', { name: 'Volume' }).fill('0.2');
    await dialog.getByRole('combobox', { name: 'Confirm moves' }).selectOption('always');
    await w.shot(page, 'settings');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await heading(page).waitFor();
    const again = await openSettings(page);
    assert.equal(await again.getByRole('textbox', { name: 'Your name' }).inputValue(), 'Ivana');
    for (const name of ['Sounds', 'Coordinates at the board', 'Show where one can move', 'Moving pieces'])
        assert.equal(await again.getByRole('switch', { name }).isChecked(), false, name);
    assert.equal(await again.getByRole('slider', { name: 'Volume' }).inputValue(), '0.2');
    assert.equal(await again.getByRole('combobox', { name: 'Confirm moves' }).inputValue(), 'always');
});

test('addresses that lead nowhere', async (w) => {
    const page = await w.page('#/nowhere');
    await page.getByText('There is no such page.').waitFor();
    await page.getByRole('button', { name: 'To the games' }).click();
    await page.getByRole('heading', { name: 'What shall we play?' }).waitFor();
    await page.goto(`${w.server.url}#/setup/%E0%A4%A`);
    await page.getByText('There is no such page.').waitFor();
    await page.goto(`${w.server.url}#/constructor`);
    await page.getByText('There is no such page.').waitFor();
});

test('what the server cannot read is told at once', async (w) => {
    const page = await w.page('#/room/%00');
    await page.getByRole('heading', { name: 'This game is not there' }).waitFor({ timeout: 15000 });
    const answers = await page.evaluate(async () => {
        const { net } = await import('./main.js');
        const ask = (text) => net.ask('compile', { title: 'x', text, params: {} }).then(() => 'read', (error) => error.code);
        // Half of a character is sent as what stands for one that is not known.
        return [await ask('// a\0b'), await ask('// a\ud83d'), net.state];
    });
    assert.deepEqual(answers, ['bad', 'read', 'open']);
});

test('on a phone nothing is wider than the screen', async (w) => {
    const page = await w.page('#/', { size: 'phone' });
    await page.locator('.games svg.board').first().waitFor();
    for (const lang of Object.keys(languages)) {
        await page.evaluate(async (code) => (await import('./settings.js')).set('language', code), lang);
        await page.waitForFunction((code) => document.documentElement.lang.startsWith(code), lang);
        await page.locator('.games svg.board').first().waitFor();
        for (const width of [320, 390]) {
            await page.setViewportSize({ width, height: 844 });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${lang} at ${width}: ${wide} points too wide`);
        }
    }
    await w.axe(page);
    await w.shot(page, 'library-phone');
});

test('the library in the dark', async (w) => {
    const page = await w.page('#/', { dark: true });
    await page.locator('.games svg.board').nth(5).waitFor();
    await w.axe(page);
    await w.shot(page, 'library-dark');
});

test('the keyboard can skip to the content', async (w) => {
    const page = await w.page();
    await heading(page).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
});

test('a broken line is shown, and mended by itself', async (w) => {
    w.allow(/WebSocket|ERR_/);
    const server = await w.serve();
    const page = await w.page('#/', { server });
    const bar = page.locator('#link-state');
    await page.locator('.games article').first().waitFor();
    await page.waitForFunction(() => document.documentElement.dataset.line === 'open');
    assert.equal(await bar.isVisible(), false);
    await server.stop();
    await bar.getByText('The line to the server is broken').waitFor();
    await page.getByRole('button', { name: 'Try now' }).click();
    assert.equal(await bar.isVisible(), true);
    await server.start();
    await page.waitForFunction(() => document.documentElement.dataset.line === 'open');
    assert.equal(await bar.isVisible(), false);
    await server.restart('SIGKILL');
    await page.waitForFunction(() => document.documentElement.dataset.line === 'open');
});
