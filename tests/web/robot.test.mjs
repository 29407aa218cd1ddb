// The robot arm on its page: a simulated one, moved and taught in a real browser.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, test } from './harness.mjs';

const RATE = 10; // simulated seconds in a second

const armServer = (w, args = []) => w.serve({ args: ['--arm', 'sim', '--rate', String(RATE), ...args] });

/** What the server says of the arm. */
const state = (page) => page.evaluate(async () => {
    const { net } = await import('./main.js');
    return net.ask('arm');
});

const idle = (page) => page.locator('.robot[data-doing=idle]').waitFor();
const tip = async (page) => (await page.locator('.robot-view').getAttribute('data-tip')).split(' ').map(Number);

/** Does something that moves the arm, and waits until the drawing has moved and the arm rests. */
async function moved(page, act) {
    const was = (await tip(page)).join(' ');
    await act();
    await page.waitForFunction((before) => document.querySelector('.robot-view').dataset.tip.split(' ').map(Number).join(' ') !== before, was);
    await idle(page);
}

/** Takes the controls and wakes joint after joint. */
async function wake(page) {
    await page.getByRole('button', { name: 'Take the controls' }).click();
    await page.getByRole('button', { name: 'Begin' }).click();
    for (const joint of ['Base', 'Shoulder', 'Elbow', 'Wrist', 'Turn of the hand', 'Fingers'])
        await page.getByRole('button', { name: `Move now: ${joint}` }).click();
    await page.getByText('Ready.', { exact: true }).waitFor();
}

test('without an arm the page tells how to get one, and offers nothing', async (w) => {
    const page = await w.page('#/');
    await page.getByRole('link', { name: 'Robot' }).click();
    await page.getByText('ludens serve --arm sim').waitFor();
    assert.equal(await page.locator('.robot button').count(), 0);
    await w.axe(page);
});

test('the arm is woken, follows sliders, goes step by step; the drawing follows', async (w) => {
    const server = await armServer(w);
    const page = await w.page('#/robot', { server });
    await page.getByText('The arm has to be woken.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Begin' }).isDisabled(), true);
    await w.axe(page);
    await wake(page);
    const home = await tip(page);
    await page.getByRole('slider', { name: 'Base' }).fill('40');
    await page.waitForFunction(() => document.querySelector('.robot-joint-row output').textContent === '40.0°');
    await idle(page);
    const turned = await tip(page);
    assert.ok(turned[0] > home[0] + 3, `${home} -> ${turned}`);
    assert.ok(Math.abs((await state(page)).pose[0] - 40) < 0.2);
    for (const [joint, angle] of [['Shoulder', 10], ['Elbow', 0], ['Wrist', -80]])
        await moved(page, () => page.getByRole('slider', { name: joint }).fill(String(angle)));
    await page.getByRole('slider', { name: 'Elbow' }).focus();
    await moved(page, () => page.keyboard.press('ArrowLeft'));
    const before = (await state(page)).point;
    await moved(page, () => page.getByRole('button', { name: 'To the left' }).click());
    await page.locator('.robot-pad').focus();
    await moved(page, () => page.keyboard.press('PageDown'));
    const { point } = await state(page);
    assert.ok(Math.abs(point[0] - before[0] + 1) < 0.15, `${before} -> ${point}`);
    assert.ok(Math.abs(point[2] - before[2] + 1) < 0.15, `${before} -> ${point}`);
    await page.getByRole('button', { name: 'Close the fingers' }).click();
    await page.locator('button[aria-pressed=true]', { hasText: 'Close' }).waitFor();
    await w.axe(page);
    await page.evaluate(() => scrollTo(0, 0));
    await w.shot(page, 'robot');
    // Looking from elsewhere moves only the drawing.
    const where = await page.locator('.robot-tip').getAttribute('cx');
    const box = await page.locator('.robot-view').boundingBox();
    await page.mouse.move(box.x + 100, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 180);
    await page.mouse.up();
    await page.waitForFunction((was) => document.querySelector('.robot-tip').getAttribute('cx') !== was, where);
    await moved(page, () => page.getByRole('button', { name: 'To rest' }).click());
    assert.deepEqual(await tip(page), home);
});

test('stop is for everybody, stays, and is resumed by who has the controls', async (w) => {
    const server = await armServer(w);
    const page = await w.page('#/robot', { server });
    const other = await w.page('#/robot', { server });
    await wake(page);
    await other.getByText('Another page has the controls.').waitFor();
    assert.equal(await other.getByRole('slider', { name: 'Base' }).isDisabled(), true);
    await other.getByRole('button', { name: 'STOP' }).click();
    await page.getByText('Stopped. Nothing moves until you resume.').waitFor();
    assert.equal(await page.getByRole('slider', { name: 'Base' }).isDisabled(), true);
    assert.equal(await other.getByRole('button', { name: 'Resume' }).count(), 0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Ready.', { exact: true }).waitFor();
    // The blank key stops, wherever the focus is, and presses nothing else.
    await page.getByRole('button', { name: 'To rest' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Stopped. Nothing moves until you resume.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Ready.', { exact: true }).waitFor();
    // Taking over is said out loud.
    await other.getByRole('button', { name: 'Take over from the other page' }).click();
    await page.getByText('Another page has the controls.').waitFor();
    await other.getByRole('slider', { name: 'Base' }).fill('-30');
    await page.waitForFunction(() => document.querySelector('.robot-joint-row output').textContent === '-30.0°');
    // Who leaves the page leaves the controls.
    await other.goto(`${server.url}#/`);
    await page.getByRole('button', { name: 'Take the controls' }).waitFor();
});

test('from elsewhere the arm is moved only with the address that was printed', async (w) => {
    w.allow(/Cross-Origin-Opener-Policy header has been ignored/); // it is for HTTPS and localhost
    const server = await w.serve({ args: ['--host', '0.0.0.0', '--arm', 'sim', '--rate', String(RATE)] });
    const page = await w.page('#/robot', { server });
    await page.getByText('You can watch and stop.').waitFor();
    assert.equal(await page.getByRole('button', { name: /controls/ }).count(), 0);
    await page.getByRole('button', { name: 'STOP' }).click();
    await page.getByText('Stopped.').waitFor();
    const [address] = /http:\S+#\/robot\?token=\w+/.exec(server.log);
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('button', { name: 'Take the controls' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The arm has to be woken.').waitFor();
    assert.equal(await page.evaluate(() => location.hash), '#/robot'); // the word is not left in sight
});

test('places are gone to, taught and tried; what was taught is in the file', async (w) => {
    const file = join(mkdtempSync(join(tmpdir(), 'ludens-arm-')), 'taught.table');
    const server = await w.serve({ args: ['mill', '--arm', 'sim', '--rate', '20', '--table-file', file] });
    const page = await w.page('#/robot', { server });
    await page.getByRole('radio', { name: 'd3' }).waitFor();
    assert.equal(await page.getByLabel('Game', { exact: true }).inputValue(), 'mill');
    await wake(page);
    // A place is chosen in the drawing, too.
    await page.getByRole('radio', { name: 'from above' }).check();
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('[data-site=f4]').click();
    await page.waitForFunction(() => document.querySelector('.robot-chips [value=f4]').checked);
    await page.getByRole('radio', { name: 'at a slant' }).check();
    await page.getByRole('radio', { name: 'd3' }).check();
    await moved(page, () => page.getByRole('button', { name: 'Go above it' }).click());
    const { table } = await state(page);
    const site = table.sites.find((each) => each.name === 'd3');
    const above = await tip(page);
    assert.ok(Math.hypot(above[0] - site.at[0], above[1] - site.at[1]) < 0.3, `${above} is over ${site.at}`);
    await moved(page, () => page.getByRole('button', { name: 'Go down to it' }).click());
    const low = await tip(page);
    assert.ok(Math.abs(low[2] - site.at[2]) < 0.3, `${low} is at ${site.at}`);
    await page.getByRole('radio', { name: '5 mm', exact: true }).check();
    await moved(page, () => page.getByRole('button', { name: 'To the right' }).click());
    await page.getByRole('button', { name: 'Record as down' }).click();
    await page.getByText('d3: the pose down was recorded.').waitFor();
    await page.locator('.robot-chip.taught', { hasText: 'd3' }).waitFor();
    const said = readFileSync(file, 'utf8');
    assert.match(said, /game = mill/);
    assert.match(said, /\[d3\]\nabove = .*\ndown = /);
    await w.axe(page);
    await page.evaluate(() => scrollTo(0, 0));
    await w.shot(page, 'robot-places', { fullPage: true });
    await moved(page, () => page.getByRole('button', { name: 'To rest' }).click());
    await page.getByLabel('Pause at each place').selectOption('0');
    await page.getByRole('button', { name: 'Start the tour' }).click();
    await page.locator('.robot-chip.now').waitFor();
    await page.getByRole('button', { name: 'Break off' }).click();
    await idle(page);
    // Another game is another table.
    await page.getByLabel('Game', { exact: true }).selectOption('frogs');
    await page.getByText('does not fit this game').waitFor();
    assert.equal(await page.getByRole('radio', { name: 'd3' }).count(), 0);
});

/** What somebody recorded with the usual file who moved an arm that is otherwise: see tests/cli/robot_fit.session. */
const REAL = `base_x = 0.4\nbase_y = -0.3\nshoulder_height = 5.3\nupper = 14.313\nfore = 19.1\nhand = 8.4
[base]\nzero = 1545\nlow = -85\nhigh = 85\n[shoulder]\nzero = 1470\nlow = -85\nhigh = 85
[elbow]\nzero = 1825\nlow = -55\n[wrist]\nzero = 1460\nlow = -85\nhigh = 85\n`;
const RECORDED = { a1: '-34, 0.5, -39.3, -60.7', d1: '2.6, 15.8, -52, -63.3', g1: '40.6, 2.6, -41.2, -60.8', d2: '3, 1.7, -40.4, -60.8',
    b4: '-12.6, -24.4, -11.1, -64.1', f4: '19.6, -23.6, -12.1, -63.8', d6: '3.6, -42.6, 14.9, -71.8', a7: '-13, -63.3, 47.9, -84.1' };

test('the arm is measured by recorded places; one that was recorded wrongly is named, and forgotten', async (w) => {
    const folder = mkdtempSync(join(tmpdir(), 'ludens-arm-'));
    const [real, mine, file] = ['real.arm', 'my.arm', 'mill.table'].map((each) => join(folder, each));
    writeFileSync(real, REAL);
    writeFileSync(file, Object.entries({ ...RECORDED, c3: RECORDED.a7 }).map(([name, joints]) => `[${name}]\nabove = ${joints}, 85\ndown = ${joints}, 85\n`).join(''));
    const server = await w.serve({ args: ['mill', '--arm', 'sim', '--rate', '20', '--real', real, '--arm-file', mine, '--table-file', file] });
    const page = await w.page('#/robot', { server });
    await page.getByText('9 of at least 5 places are recorded.').waitFor();
    await wake(page);
    const fit = page.getByRole('button', { name: 'Measure the arm by these places' });
    await fit.click();
    await page.getByText(/by all others c3 is \d+\.\d mm elsewhere; record it again/).waitFor();
    assert.equal(existsSync(mine), false);
    await page.getByRole('radio', { name: 'c3' }).check();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('8 of at least 5 places are recorded.').waitFor();
    assert.doesNotMatch(readFileSync(file, 'utf8'), /\[c3\]/);
    await fit.click();
    await page.getByText(/The arm is measured\. At places that were not recorded it should be off by at most [01]\.\d mm\./).waitFor();
    assert.equal(await page.locator('.robot-fit tbody tr').count(), 8);
    assert.match(readFileSync(mine, 'utf8'), /\nzero = 154[45]/);
    assert.match(readFileSync(file, 'utf8'), /\[a1\]\nabove = -38\.\d/); // the same joints by the new measures
    const { arm, table } = await state(page);
    assert.ok(Math.abs(arm.base[0] - 0.4) < 0.1, `${arm.base}`);
    assert.equal(table.sites.filter(({ taught }) => taught).length, 8);
    await w.axe(page);
    await w.shot(page, 'robot-fit', { fullPage: true });
    await page.getByRole('button', { name: 'Show three random places' }).click();
    await page.locator('.robot-chip.now').waitFor();
    await page.getByRole('button', { name: 'Break off' }).click();
    await idle(page);
});

test('closed fingers do not come down on a piece', async (w) => {
    const server = await w.serve({ args: ['mill', '--arm', 'sim', '--rate', '20'] });
    const page = await w.page('#/robot', { server });
    await page.getByText('To measure the arm, start the server with --arm-file FILE').waitFor();
    await wake(page);
    await page.getByRole('radio', { name: 'store 3', exact: true }).check();
    await moved(page, () => page.getByRole('button', { name: 'Go down to it' }).click()); // open ones take it between them
    await moved(page, () => page.getByRole('button', { name: 'Go above it' }).click());
    await page.getByRole('button', { name: 'Close the fingers' }).click();
    await page.locator('button[aria-pressed=true]', { hasText: 'Close' }).waitFor();
    await idle(page);
    await page.getByRole('button', { name: 'Go down to it' }).click();
    await page.getByText('a piece stands on store 3: open the fingers first, or take it away').waitFor();
});

test('the camera shows what it recognises; corners are dragged, colours learnt', async (w) => {
    const file = join(mkdtempSync(join(tmpdir(), 'ludens-arm-')), 'taught.table');
    const server = await w.serve({ args: ['frogs', '--arm', 'sim', '--camera', 'sim', '--rate', '20', '--table-file', file] });
    const page = await w.page('#/robot', { server });
    const picture = page.locator('.robot-picture');
    await picture.waitFor();
    await page.waitForFunction(() => document.querySelector('.robot-picture').naturalWidth === 640);
    await page.getByText(/^Recognised: \d+ × /).waitFor();
    const frame = (await state(page)).camera.frame;
    await page.waitForFunction((was) => Number(new URL(document.querySelector('.robot-picture').src).searchParams.get('frame')) > was + 2, frame);
    assert.equal(await page.getByRole('button', { name: 'Move the corners' }).isDisabled(), true);
    const sheet = await page.getByRole('link', { name: 'Print tags for the corners' }).getAttribute('href');
    const tags = await (await fetch(`${server.url}${sheet}`)).text();
    assert.match(tags, /^<svg [^]*0: front left[^]*3: back left/);
    await wake(page);
    // Dragged away, nothing is where it should be.
    await page.getByRole('button', { name: 'Move the corners' }).click();
    const corner = page.getByRole('button', { name: 'Corner in front, left' });
    await corner.focus();
    await page.keyboard.press('Shift+ArrowRight');
    const from = await corner.boundingBox();
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y - 40, { steps: 4 });
    await page.mouse.up();
    await w.axe(page);
    await w.shot(page, 'robot-corners', { fullPage: true });
    const before = (await state(page)).table.pixels;
    await page.getByRole('button', { name: 'Use these corners' }).click();
    await page.getByText('The corners are kept.').waitFor();
    const after = (await state(page)).table.pixels;
    assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) > 20, `${before} -> ${after}`);
    assert.match(readFileSync(file, 'utf8'), /\[corners\]\npicture = 640, 480\nfront left = /);
    // And back, by the tags.
    await page.getByRole('button', { name: 'Find the tags' }).click();
    await page.waitForFunction(async ([x, y]) => {
        const { pixels } = (await (await import('./main.js')).net.ask('arm')).table;
        return Math.hypot(pixels[0] - x, pixels[1] - y) < 3;
    }, before, { polling: 300 });
    await page.getByText(/^Recognised: \d+ × /).waitFor();
    await page.getByRole('button', { name: 'Learn the colours' }).click();
    await page.waitForFunction(() => [...document.querySelectorAll('.toast')].some((each) => each.matches('.error') || /colours are learnt/.test(each.textContent)));
    assert.deepEqual(await page.locator('.toast.error').allTextContents(), []);
    await w.axe(page);
    await page.evaluate(() => scrollTo(0, 0));
    await w.shot(page, 'robot-camera', { fullPage: true });
    await page.getByRole('radio', { name: 'as it is' }).check();
    await page.waitForFunction(() => document.querySelector('.robot-picture').src.includes('drawn=0'));
});

test('on a phone, in the dark, in German', async (w) => {
    const server = await armServer(w);
    const page = await w.page('#/robot', { server, size: 'phone', dark: true, lang: 'de' });
    await page.getByRole('button', { name: 'Steuerung übernehmen' }).click();
    await page.getByRole('button', { name: 'Beginnen', exact: true }).click();
    for (let i = 0; i < 6; i++) await page.getByRole('button', { name: /Jetzt bewegen/ }).click();
    await page.getByText('Bereit.', { exact: true }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'nothing sticks out');
    const stop = await page.getByRole('button', { name: 'STOPP' }).boundingBox();
    assert.ok(stop.y + stop.height <= 844, 'the stop button is in sight');
    await page.getByRole('radio', { name: '30 mm' }).check({ force: true });
    const deeper = page.getByRole('button', { name: /z−/ });
    for (let i = 0; i < 4; i++) {
        if (await page.locator('.toast').count()) break;
        await deeper.click();
        await page.waitForTimeout(300);
    }
    await page.locator('.toast').first().waitFor();
    const covered = await page.evaluate(() => {
        const box = (element) => element.getBoundingClientRect();
        const at = box(document.querySelector('.robot-stop'));
        return [...document.querySelectorAll('.toast')].some((each) => {
            const it = box(each);
            return it.bottom > at.top && it.right > at.left && it.top < at.bottom;
        });
    });
    assert.ok(!covered, 'no message covers the stop button');
    await w.axe(page);
    await w.shot(page, 'robot-phone', { fullPage: true });
});
