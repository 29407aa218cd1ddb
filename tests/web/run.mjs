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
const again = []; // tests that failed beside others: once more, each alone

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

function report(test, faults, seconds, server) {
    console.log(`${faults.length ? 'not ok' : 'ok'} ${++count} - ${test.file.replace('.test.mjs', '')}: ${test.name}`);
    console.log(`# ${seconds.toFixed(1)} s`);
    for (const fault of faults) console.log(fault.replace(/^/gm, '# '));
    if (faults.length) console.log(server.log.slice(-4000).replace(/^/gm, '# server: '));
    failed += faults.length > 0;
}

/** The tests of a file, one after the other, with a server of their own. */
async function runFile(file) {
    const server = await serve(ludens);
    for (const test of wanted.filter((t) => t.file === file)) {
        const before = Date.now();
        const faults = await runTest(test, server);
        if (faults.length) again.push({ test, faults });
        else report(test, faults, (Date.now() - before) / 1000, server);
    }
    await server.end();
}

/** A test that failed, without others beside it; what it said the first time is told in any case. */
async function runAlone({ test, faults: first }) {
    const server = await serve(ludens);
    const before = Date.now();
    console.log(`# at the first try, ${test.name}:`);
    for (const fault of first) console.log(fault.replace(/^/gm, '#     '));
    report(test, await runTest(test, server), (Date.now() - before) / 1000, server);
    await server.end();
}

// The longest first, so that no lane is left alone at the end.
const size = (file) => wanted.filter((t) => t.file === file).length;
const left = [...new Set(wanted.map((t) => t.file))].sort((a, b) => size(b) - size(a));
await Promise.all(Array.from({ length: LANES }, async () => {
    while (left.length) await runFile(left.shift());
}));
for (const each of again) await runAlone(each);
await browser.close();
process.exit(failed ? 1 : 0);
