// table: playing by clicks, for tests of the play page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, root } from './harness.mjs';

export const here = (name = '') => ({ kind: 'person', name });
export const machine = (player = 'auto:level=1') => ({ kind: 'computer', player });

/** The board is there. */
export async function table(page) {
    await page.locator('.play .board .hit').first().waitFor();
}

/** A room opened from this page, seen on it. */
export async function sit(w, page, game, seats, more = {}) {
    const answer = await w.openRoom(page, { game, params: {}, seats, ...more });
    await table(page);
    return answer;
}

export const cell = (page, name) => page.locator(`.play .board .hit[data-name="${name}"]`);
export const act = (page, name) => page.locator(`.play [data-do="${name}"]`);
export const plies = (page) => page.locator('.play .move').count();

export async function afterPly(page, ply) {
    await page.locator(`.play .move[data-ply="${ply}"]`).waitFor();
}

/** Rules of a file, perhaps changed, as if dropped onto the page: its name @HASH. */
export async function upload(page, path, change = (text) => text) {
    const text = change(readFileSync(join(root, path), 'utf8'));
    await page.waitForFunction(() => document.documentElement.dataset.line === 'open');
    const answer = await page.evaluate(async (rules) => {
        const { net } = await import('./main.js');
        return net.ask('upload', { title: 'rules', text: rules, params: {} });
    }, text);
    assert.ok(answer.game, JSON.stringify(answer.diagnostics));
    return answer.game;
}

/**
 * Clicks anything that may be chosen until the game is over or has `most` moves, as fast as the server
 * answers. What is clicked follows from `seed`. The number of moves is given back.
 */
export function clickOn(page, { seed = 1, most = 1000 } = {}) {
    return page.evaluate(async ([from, limit]) => {
        let state = from;
        const random = (n) => {
            state = (state * 1103515245 + 12345) % 2147483648;
            return Math.floor(state / 65536) % n;
        };
        const el = document.querySelector('.play');
        const targets = () => [...document.querySelectorAll('.play .board .hit.can, .play-bar .choice, .play-bar .button.main')];
        const sign = () => `${el.dataset.seq} ${targets().map((t) => t.dataset.cell ?? t.textContent).join()}`;
        const soon = () => new Promise((go) => { setTimeout(go, 2); });
        const start = performance.now();
        for (;;) {
            if (el.dataset.over === 'true' || Number(el.dataset.ply) >= limit) return Number(el.dataset.ply);
            if (performance.now() - start > 240000) throw new Error(`no end in sight: ${sign()}; ${document.querySelector('.play-bar').innerText + el.dataset.player + [...document.querySelectorAll('.seat-state')].map((e) => e.textContent) + [...document.querySelectorAll('.move')].at(-1)?.textContent}`);
            const all = targets();
            if (!all.length) {
                await soon();
                continue;
            }
            const before = sign();
            all[random(all.length)].dispatchEvent(new MouseEvent('click', { bubbles: true }));
            const since = performance.now();
            // Some choices lead to the same targets again; the next click is then another try.
            while (sign() === before && performance.now() - since < 250) await soon();
        }
    }, [seed, most]);
}
