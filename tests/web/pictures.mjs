// pictures: draws the pictures of docs/pictures anew, from the real program.
//
//     node tests/web/pictures.mjs build/ludens [FOLDER [NAME…]]      all of them if no NAME is given
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { World, launch, root, serve } from './harness.mjs';
import { here, machine, sit } from './table.mjs';

const [, , program, folder = join(root, 'docs', 'pictures'), ...names] = process.argv;
if (!program) {
    console.error('usage: node tests/web/pictures.mjs build/ludens [FOLDER [NAME…]]');
    process.exit(2);
}

const wide = { width: 1120, height: 760 };
const two = [here('Ana'), here('Ben')];

// name: [game, look of the page, what the room begins with, cells that are clicked then]
const PICTURES = {
    mill: ['mill', { size: wide }, { moves: ['d6', 'b4', 'd7', 'f4', 'd5xb4', 'e4', 'g7', 'a7', 'b2', 'c3'] }, []],
    'mill-phone-dark': ['mill', { size: 'phone', dark: true }, { moves: ['d6', 'b4', 'd7', 'f4', 'd5xb4', 'e4', 'g7', 'a7'] }, []],
    byte: ['byte', { size: wide }, { start: '1[BW]2/B[WBW]1B/W2[BBWWBWB]/[WB]1BB/1W[WWB]W/B1BB/[BWBWB]W1W/4 b bytes=1,0' }, ['C7']],
    'byte-phone': ['byte', { size: 'phone' }, { start: '1[BW]2/B[WBW]1B/W2[BBWWBWB]/[WB]1BB/1W[WWB]W/B1BB/[BWBWB]W1W/4 b bytes=1,0' }, []],
    domineering: ['domineering', { size: wide, dark: true }, { start: '8/2HH4/V2HH3/V5V1/2HHHHV1/1V6/1VV5/2V5 v' }, []],
    'domineering-phone': ['domineering', { size: 'phone' }, { start: '8/2HH4/V2HH3/V5V1/2HHHHV1/1V6/1VV5/2V5 v' }, []],
    skirmish: ['skirmish', { size: wide, dark: true }, { params: { rocks: '5' }, start: '10/1R(3,10)6B(3,10)1/4O5/3R(2,7)B(2,3)1O1B(1,6)1/10/1R(1,10)6O1/4O5 r acted=1' }, []],
    'skirmish-phone': ['skirmish', { size: 'phone' }, { params: { rocks: '5' }, start: '10/1R(3,10)6B(3,10)1/4O5/3R(2,7)B(2,3)1O1B(1,6)1/10/1R(1,10)6O1/4O5 r acted=1' }, []],
    hex: ['hex', { size: wide }, { moves: ['f6', 'd8', 'e8', 'd7', 'd9', 'g5', 'g4', 'f5', 'e6', 'h3', 'e5', 'f4'] }, []],
    'hex-phone-dark': ['hex', { size: 'phone', dark: true }, { moves: ['f6', 'd8', 'e8', 'd7', 'd9', 'g5', 'g4', 'f5'] }, []],
    chess: ['chess', { size: wide }, { moves: ['e2-e4', 'e7-e5', 'g1-f3', 'b8-c6', 'f1-b5', 'a7-a6'] }, ['b5']],
    'chess-phone-dark': ['chess', { size: 'phone', dark: true }, { moves: ['e2-e4', 'e7-e5', 'g1-f3', 'b8-c6', 'f1-b5', 'a7-a6'] }, []],
    frogs: ['frogs', { size: wide }, { moves: ['c1-d1', 'e1-c1', 'f1-e1'] }, []],
    'frogs-phone-dark': ['frogs', { size: 'phone', dark: true }, { moves: ['c1-d1'] }, []],
    alquerque: ['alquerque', { size: wide }, { moves: [] }, []],
    'dots-and-boxes': ['dots-and-boxes', { size: wide }, { moves: ['b1', 'a2', 'b3', 'c2', 'c4'] }, []],
};
const KEPT = ['mill', 'byte', 'skirmish', 'hex-phone-dark', 'chess-phone-dark', 'frogs-phone-dark', 'domineering-phone'];

const browser = await launch();
const server = await serve(resolve(program));
mkdirSync(folder, { recursive: true });
let failed = false;
for (const name of names.length ? names : folder.endsWith('pictures') ? KEPT : Object.keys(PICTURES)) {
    const [game, look, begin, clicks] = PICTURES[name];
    const world = new World(resolve(program), browser, server);
    try {
        const page = await world.page('#/', look);
        await sit(world, page, game, game === 'frogs' ? [here('Ana')] : game === 'mill' ? [here('Ana'), machine('auto:level=3')] : two, begin);
        for (const cell of clicks) await page.locator(`.board .hit[data-name="${cell}"]`).click();
        await page.mouse.move(2, 2);
        await page.waitForTimeout(500);
        await page.screenshot({ path: join(folder, `${name}.png`), scale: 'css' });
    } catch (error) {
        console.error(`${name}: ${error.message}`);
        failed = true;
    }
    for (const fault of world.faults) console.error(`${name}: ${fault}`);
    await world.end();
}
await browser.close();
await server.end();
process.exit(failed ? 1 : 0);
