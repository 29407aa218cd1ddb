// run: all browser tests in one browser, reported as TAP.
//
//     node tests/web/run.mjs build/ludens [PATTERN]      only tests whose file or name has PATTERN in it
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { World, browserPath, collect, here, launch, serve } from './harness.mjs';

const [, , program, pattern] = process.argv;
if (!program) {
    console.error('usage: node tests/web/run.mjs build/ludens [PATTERN]');
    process.exit(2);
}
const ludens = resolve(program);

function skip(why) {
    console.log(`1..0 # SKIP ${why}; tools/deps.sh test installs it`);
    process.exit(0);
}

if (!process.env.CHROMIUM && !browserPath()) skip('there is no chromium');
let browser;
try {
    browser = await launch();
} catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') skip('there is no playwright-core in tests/web');
    throw error;
}

const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs')).sort();
const wanted = (await collect(files)).filter(({ file, name }) =>
    !pattern || `${file}: ${name}`.toLowerCase().includes(pattern.toLowerCase()));
console.log(`1..${wanted.length}`);

let failed = 0;
let count = 0;
let server = null;
let serverOf = '';
for (const { file, name, run, seconds } of wanted) {
    count++;
    if (serverOf !== file) {
        await server?.end();
        server = null;
    }
    let world = null;
    const faults = [];
    const before = Date.now();
    let late = 0;
    try {
        if (!server) {
            server = await serve(ludens);
            serverOf = file;
        }
        world = new World(ludens, browser, server);
        await Promise.race([run(world), new Promise((_, reject) => {
            late = setTimeout(() => reject(new Error(`not done after ${seconds} s`)), seconds * 1000);
        })]);
    } catch (error) {
        faults.push(error.stack ?? String(error));
    } finally {
        clearTimeout(late);
    }
    if (faults.length && process.env.LUDENS_SHOTS)
        for (const [i, context] of world?.contexts.entries() ?? [])
            for (const page of context.pages())
                await page.screenshot({ path: `${process.env.LUDENS_SHOTS}/failed-${count}-${i}.png` }).catch(() => {});
    await world?.end();
    faults.push(...world?.faults ?? []);
    if (faults.length) failed++;
    console.log(`${faults.length ? 'not ok' : 'ok'} ${count} - ${file.replace('.test.mjs', '')}: ${name}`);
    console.log(`# ${((Date.now() - before) / 1000).toFixed(1)} s`);
    for (const fault of faults) console.log(fault.replace(/^/gm, '# '));
}
if (failed && server) console.log(server.log.slice(-4000).replace(/^/gm, '# server: '));
await server?.end();
await browser.close();
process.exit(failed ? 1 : 0);
