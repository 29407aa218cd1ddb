// harness: the real program and a real browser for tests of the page.
//
//     import { test } from './harness.mjs';
//     test('the library shows all games', async (w) => {
//         const page = await w.page('#/');           // a browser of its own, with the page open
//         await page.getByRole('link', { name: /Chess/ }).waitFor();
//         await w.axe(page);                         // no serious fault of accessibility
//         await w.shot(page, 'library');             // kept if LUDENS_SHOTS names a folder
//     });
//
// A test fails with any exception, any error on a page's console and any exception on a page. The
// server of `w.server` is one for all tests of a file, with an empty store; w.serve() starts one more.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export { assert };
export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '..', '..');
export const ALL = Boolean(process.env.LUDENS_ALL); // also what takes long and finds little more
export const BARE = '#/nothing'; // a page with nothing on it, for tests that open a room at once
const START = 90000; // milliseconds for the server to listen
const END = 60000; // and to end
const PATIENCE = 45000; // for what a page is to show: a busy machine takes long

const tests = [];
let file = '';

/** Adds a test. `options.seconds` is for those that need more than two minutes. */
export function test(name, run, options = {}) {
    tests.push({ file, name, run, seconds: options.seconds ?? 120 });
}

/** For the runner: what the test files have added. */
export async function collect(files) {
    for (file of files) await import(join(here, file));
    return tests;
}

const running = new Set(); // servers, so that none outlives us
process.on('exit', () => { for (const child of running) child.kill('SIGKILL'); });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => process.exit(1));

/** A server on a free port with a store of its own. */
export async function serve(ludens, { args = [], home = mkdtempSync(join(tmpdir(), 'ludens-web-')) } = {}) {
    const server = { url: '', port: 0, home, store: join(home, 'rooms.db'), log: '', start, stop, restart, end };
    let child = null;

    async function start() {
        const web = process.env.LUDENS_WEB ? ['--web', resolve(process.env.LUDENS_WEB)] : [];
        child = spawn(ludens, ['serve', '--port', String(server.port), '--store', server.store, ...web, ...args], {
            stdio: ['ignore', 'pipe', 'pipe'],
            env: { ...process.env, XDG_DATA_HOME: home, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? home },
        });
        const mine = child;
        running.add(mine);
        mine.once('exit', () => running.delete(mine));
        await new Promise((resolve, reject) => {
            const late = setTimeout(() => reject(new Error(`ludens serve does not listen:\n${server.log}`)), START);
            const read = (data) => {
                server.log += data;
                const found = /http:\/\/[^\s/]+:(\d+)/.exec(server.log.slice(from));
                if (!found) return;
                clearTimeout(late);
                server.url = `${found[0]}/`;
                server.port = Number(found[1]);
                resolve();
            };
            const from = server.log.length;
            mine.stdout.on('data', read);
            mine.stderr.on('data', read);
            mine.once('exit', (status, signal) => {
                clearTimeout(late);
                reject(new Error(`ludens serve ended (${status ?? signal}):\n${server.log}`));
            });
        });
    }

    async function stop(signal = 'SIGTERM') {
        const mine = child;
        child = null;
        if (!mine || mine.exitCode !== null || mine.signalCode !== null) return;
        const ended = new Promise((done) => mine.once('exit', done));
        mine.kill(signal);
        const late = setTimeout(() => mine.kill('SIGKILL'), END);
        await ended;
        clearTimeout(late);
    }

    /** Stops it and starts it again at the same address with the same store. */
    async function restart(signal) {
        await stop(signal);
        await start();
    }

    async function end() {
        await stop();
        rmSync(home, { recursive: true, force: true });
    }

    await start();
    return server;
}

// Parts of the browser's own window that nobody sees, each with processes of its own for every new page;
// then what playwright-core leaves out, for a second list takes the place of the first.
const UNUSED = [
    'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'SpareRendererForSitePerProcess',
    'AvoidUnnecessaryBeforeUnloadCheckSync', 'BoundaryEventDispatchTracksNodeRemoval', 'DestroyProfileOnBrowserClose',
    'DialMediaRouteProvider', 'GlobalMediaControls', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'PaintHolding',
    'ThirdPartyStoragePartitioning', 'Translate', 'AutoDeElevate', 'RenderDocument', 'OptimizationHints',
];

/** Debian's browser, without a window. */
export async function launch() {
    const { chromium } = createRequire(import.meta.url)('playwright-core');
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? browserPath(),
        headless: true,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--mute-audio',
            `--disable-features=${UNUSED.join()}`],
    });
}

export function browserPath() {
    for (const folder of (process.env.PATH ?? '').split(':'))
        for (const name of ['chromium', 'chromium-browser'])
            try {
                readFileSync(join(folder, name), { flag: 'r' });
                return join(folder, name);
            } catch {
                // not there
            }
    return null;
}

// Browsers that tests have left, by kind, each with one page that shows next to nothing: who wants the
// like gets it, with nothing kept but files of the page. To begin a new one costs more than a short test
// does, and every new page a process for its blank beginning besides its own.
const left = new Map();
const LEFT = 3; // of each kind: no test has more at once
const EVENTS = ['console', 'dialog', 'download', 'filechooser', 'pageerror', 'request', 'response', 'websocket'];

const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };

/** What a test gets. */
export class World {
    constructor(ludens, browser, server) {
        Object.assign(this, { ludens, browser, server, contexts: [], servers: [], faults: [], allowed: [], kinds: new Map() });
    }

    /** Leaves a browser to others, as if it were new; or closes it if it is like no other. */
    async leave(context) {
        const { kind, viewport, colorScheme } = this.kinds.get(context);
        const [page, ...others] = context.pages();
        const same = left.get(kind) ?? [];
        if (!kind || !page || same.length >= LEFT) {
            await context.close();
            return;
        }
        for (const other of others) await other.close();
        for (const event of EVENTS) page.removeAllListeners(event);
        await page.goto(new URL('icon.svg', this.server.url).href);
        const session = await context.newCDPSession(page);
        for (const { url } of [this.server, ...this.servers])
            await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'cookies,local_storage,indexeddb' });
        await session.detach();
        await context.clearPermissions();
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.mouse.move(0, 0);
        left.set(kind, [...same, context]);
    }

    async serve(options) {
        const server = await serve(this.ludens, options);
        this.servers.push(server);
        return server;
    }

    /** A browser of its own: other pages know nothing of its settings. */
    async context({ size = 'desktop', dark = false, lang = 'en', settings, motion = false, fresh = false } = {}) {
        const kind = settings || fresh ? '' : JSON.stringify([size, dark, lang, motion]);
        const viewport = sizes[size] ?? size, colorScheme = dark ? 'dark' : 'light';
        const context = left.get(kind)?.pop() ?? await this.browser.newContext({
            viewport, colorScheme,
            hasTouch: size === 'phone', isMobile: size === 'phone',
            deviceScaleFactor: size === 'phone' ? 2 : 1,
            reducedMotion: motion ? 'no-preference' : 'reduce',
            locale: lang,
        });
        context.setDefaultTimeout(PATIENCE);
        if (settings) await context.addInitScript((all) => {
            if (!localStorage.getItem('ludens.settings')) localStorage.setItem('ludens.settings', JSON.stringify(all));
        }, settings);
        this.contexts.push(context);
        this.kinds.set(context, { kind, viewport, colorScheme });
        return context;
    }

    /**
     * A page at `hash`, BARE if it only leads to a room. Options: size ('desktop', 'phone' or
     * {width, height}), dark, lang, settings (of settings.js), motion (animations run), fresh (nothing is
     * cached), server, context (a tab beside the others in it).
     */
    async page(hash = '#/', options = {}) {
        const context = options.context ?? await this.context(options);
        const page = (options.context ? null : context.pages()[0]) ?? await context.newPage();
        page.on('pageerror', (error) => this.faults.push(`exception on the page: ${error.stack ?? error}`));
        page.on('console', (message) => {
            if (message.type() !== 'error') return;
            const text = `${message.text()} (${message.location().url})`;
            if (!this.allowed.some((each) => each.test(text))) this.faults.push(`console: ${text}`);
        });
        await page.goto((options.server ?? this.server).url + hash);
        return page;
    }

    /** Errors on the console that belong to the test, such as those of a line that breaks. */
    allow(pattern) {
        this.allowed.push(pattern);
    }

    /** A game with the given seats, opened at the set-up page's back door. The page is then there. */
    async openRoom(page, request) {
        await page.waitForFunction(() => document.documentElement.dataset.line === 'open');
        const answer = await page.evaluate(async (what) => {
            const { net } = await import('./main.js');
            return net.openRoom(what);
        }, request);
        await page.waitForURL(`**/#/room/${answer.room}*`);
        return answer;
    }

    /** No serious or critical fault of accessibility. `options` go to axe.run. */
    async axe(page, options = {}) {
        const source = readFileSync(join(here, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
        await page.evaluate(source);
        const { violations } = await page.evaluate((how) => globalThis.axe.run(document, {
            resultTypes: ['violations'], ...how,
        }), options);
        const grave = violations.filter((each) => ['serious', 'critical'].includes(each.impact));
        assert.equal(grave.map((each) => `${each.id}: ${each.help}\n${each.nodes.map((node) =>
            `    ${node.target.join(' ')}: ${node.failureSummary}`).join('\n')}`).join('\n'), '');
    }

    /** A picture of the page, NAME.png, if LUDENS_SHOTS names a folder. */
    async shot(page, name, options = {}) {
        const folder = process.env.LUDENS_SHOTS;
        if (!folder) return;
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `${name}.png`), ...options });
    }

    async end() {
        for (const context of this.contexts) await this.leave(context).catch(() => context.close().catch(() => {}));
        for (const server of this.servers) await server.end().catch(() => {});
    }
}
