// first_page: how soon the first page can be used after the start of the program, and what it weighs.
//
//     node bench/first_page.mjs build/ludens [--runs N] [--json]
//
// A browser is there already, as it is for a user. Then the program is started and its page opened;
// it is usable when all games of the library are shown and one can be clicked. The weight is what came
// through the network: headers, compressed files, the list of games, the socket's handshake. The
// middle one of N runs (5) counts, each with a browser profile and a store of its own.
import { browserPath, launch, serve } from '../tests/web/harness.mjs';

const AIMS = { usable_ms: 300, kilobytes: 300 };
const [, , program, ...options] = process.argv;
if (!program) {
    console.error('usage: node bench/first_page.mjs build/ludens [--runs N] [--json]');
    process.exit(2);
}
if (!browserPath()) {
    console.log('there is no chromium: nothing is measured');
    process.exit(0);
}
const runs = options.includes('--runs') ? Number(options[options.indexOf('--runs') + 1]) : 5;

async function once(browser) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    const result = { bytes: 0, requests: 0 };
    await network.send('Network.enable');
    network.on('Network.loadingFinished', (event) => {
        result.bytes += event.encodedDataLength;
        result.requests++;
    });
    const begin = performance.now();
    const server = await serve(program);
    result.listening_ms = performance.now() - begin;
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.locator('a[href="#/setup/mill"]').first().waitFor({ state: 'visible' });
    result.usable_ms = performance.now() - begin;
    await page.waitForLoadState('networkidle');
    await context.close();
    await server.end();
    return result;
}

const browser = await launch();
await once(browser); // files of the browser itself come from the disk the first time
const all = [];
for (let i = 0; i < runs; i++) all.push(await once(browser));
await browser.close();

all.sort((a, b) => a.usable_ms - b.usable_ms);
const middle = all[all.length >> 1];
const figures = {
    runs,
    listening_ms: Math.round(middle.listening_ms),
    usable_ms: Math.round(middle.usable_ms),
    kilobytes: Math.round(middle.bytes / 1024),
    requests: middle.requests,
};
if (options.includes('--json'))
    console.log(JSON.stringify(figures));
else
    console.log(`listens after ${figures.listening_ms} ms, first page usable after ${figures.usable_ms} ms, `
        + `${figures.kilobytes} KB in ${figures.requests} requests`);
process.exit(figures.usable_ms < AIMS.usable_ms && figures.kilobytes < AIMS.kilobytes ? 0 : 1);
