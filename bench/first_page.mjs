// first_page: how soon the first page can be used after the start of the program, and what it weighs.
//
//     node bench/first_page.mjs build/ludens [--runs N] [--json]
//
// A browser is there already, as it is for a user. Then the program is started and its page opened;
// it is usable when all games of the library are shown and one can be clicked. The weight is what came
// through the network: headers, compressed files, the list of games, the socket's handshake. Each of N
// runs (9) has a browser profile and a store of its own. Other work on the machine only makes it
// slower, so the best run counts; the middle one is printed too, and so is what the browser takes
// for a page with one link that a script of one line makes, measured in turns with the real one.
import { createServer } from 'node:http';

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
const runs = options.includes('--runs') ? Number(options[options.indexOf('--runs') + 1]) : 9;

// The page that does nothing, from a server that is there already.
const files = {
    '/': ['text/html', '<!doctype html><title>-</title><link rel="icon" href="data:,"><body><script type="module" src="one.js"></script>'],
    '/one.js': ['text/javascript', "document.body.innerHTML = '<a href=\"#/setup/mill\">Mill</a>';"],
};
const nothing = createServer((request, answer) => {
    const [type, text] = files[request.url] ?? ['text/plain', ''];
    answer.setHeader('content-type', type);
    answer.end(text);
});

async function once(browser, start) {
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
    const server = await start();
    result.listening_ms = performance.now() - begin;
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.locator('a[href="#/setup/mill"]').first().waitFor({ state: 'visible' });
    result.usable_ms = performance.now() - begin;
    await page.waitForLoadState('networkidle');
    await context.close();
    await server.end();
    return result;
}

await new Promise((listens) => nothing.listen(0, 'localhost', listens));
const address = `http://localhost:${nothing.address().port}/`;
const real = () => serve(program);
const empty = () => ({ url: address, end() {} });
const browser = await launch();
await once(browser, real); // files of the browser itself come from the disk the first time
const all = [], base = [];
for (let i = 0; i < runs; i++) {
    base.push(await once(browser, empty));
    all.push(await once(browser, real));
}
await browser.close();
nothing.close();

for (const each of [all, base]) each.sort((a, b) => a.usable_ms - b.usable_ms);
const best = all[0], middle = all[runs >> 1];
const figures = {
    runs,
    listening_ms: Math.round(best.listening_ms),
    usable_ms: Math.round(best.usable_ms),
    middle_ms: Math.round(middle.usable_ms),
    empty_ms: Math.round(base[0].usable_ms),
    empty_middle_ms: Math.round(base[runs >> 1].usable_ms),
    kilobytes: Math.round(middle.bytes / 1024),
    requests: middle.requests,
};
if (options.includes('--json'))
    console.log(JSON.stringify(figures));
else
    console.log(`listens after ${figures.listening_ms} ms, first page usable after ${figures.usable_ms} ms `
        + `(middle ${figures.middle_ms}; an empty page ${figures.empty_ms}, middle ${figures.empty_middle_ms}), `
        + `${figures.kilobytes} KB in ${figures.requests} requests`);
process.exit(figures.usable_ms < AIMS.usable_ms && figures.kilobytes < AIMS.kilobytes ? 0 : 1);
