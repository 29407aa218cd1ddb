// run: all browser tests in one browser, some at a time, reported as TAP.
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

const LANES = 2; // files at a time: a test waits for pages most of the time
let failed = 0;
let count = 0;

/** One test; gives back what was wrong. */
async function runTest({ run, seconds }, server) {
    const world = new World(ludens, browser, server);
    const faults = [];
    let late = 0;
    try {
        await Promise.race([run(world), new Promise((_, reject) => {
            late = setTimeout(() => reject(new Error(`not done after ${seconds} s`)), seconds * 1000);
        })]);
    } catch (error) {
        faults.push(error.stack ?? String(error));
    } finally {
        clearTimeout(late);
    }
    if (faults.length && process.env.LUDENS_SHOTS)
        for (const [i, context] of world.contexts.entries())
            for (const page of context.pages())
                await page.screenshot({ path: `${process.env.LUDENS_SHOTS}/failed-${count}-${i}.png` }).catch(() => {});
    await world.end();
    return [...faults, ...world.faults];
}

/** The tests of a file, one after the other, with a server of their own. */
async function runFile(file) {
    const server = await serve(ludens);
    let wrong = false;
    for (const test of wanted.filter((t) => t.file === file)) {
        const before = Date.now();
        const faults = await runTest(test, server);
        wrong ||= faults.length > 0;
        failed += faults.length > 0;
        console.log(`${faults.length ? 'not ok' : 'ok'} ${++count} - ${file.replace('.test.mjs', '')}: ${test.name}`);
        console.log(`# ${((Date.now() - before) / 1000).toFixed(1)} s`);
        for (const fault of faults) console.log(fault.replace(/^/gm, '# '));
    }
    if (wrong) console.log(server.log.slice(-4000).replace(/^/gm, '# server: '));
    await server.end();
}

// The longest first, so that no lane is left alone at the end.
const size = (file) => wanted.filter((t) => t.file === file).length;
const left = [...new Set(wanted.map((t) => t.file))].sort((a, b) => size(b) - size(a));
await Promise.all(Array.from({ length: LANES }, async () => {
    while (left.length) await runFile(left.shift());
}));
await browser.close();
process.exit(failed ? 1 : 0);
