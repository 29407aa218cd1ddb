// Where the workshop's text comes from and goes to: kept in this browser as one types, read from a
// file or the library, saved to a file, or on the server where that is allowed. Nothing is sent
// anywhere else.

import { dialog, field, h, toast } from './ui.js';
import { gameText, t } from './i18n.js';
import { inWords } from './said.js';
import { recall, remember } from './settings.js';
import { readText } from './uploads.js';

const KEY = 'ludens.workshop';
const MOST = 200000; // bytes; the server takes messages up to 256 KB

export const BEGINNING = `game "My game"
    about "Three in a row wins."

players Cross, Nought

parameter size : 3..6 = 3    "cells along a side"

board square size x size
    lines of 3

piece mark of Cross "X ×", Nought "O ○"

turn
    say "Put your mark on an empty cell."
    choose to in empty
    place mark at to

end
    me wins when some l in lines : l within mine
    draw when no empty
`;

export const EMPTY = { name: 'my-game.game', text: BEGINNING, saved: BEGINNING, params: {} };

/** What was being written here, {name, text, saved, params}. */
export function kept() {
    const found = recall(KEY, null);
    if (typeof found?.text !== 'string' || typeof found.name !== 'string') return { ...EMPTY };
    return { ...EMPTY, ...found, params: found.params ?? {} };
}

export function keep(work) {
    remember(KEY, work);
}

/** Rules that another part of the page hands over, since they have errors. */
export function draft() {
    const found = recall('ludens.draft', null);
    return typeof found?.text === 'string' ? { name: found.title || EMPTY.name, text: plain(found.text) } : null;
}

// As a textarea has it, so that a text that was not changed is the same.
const plain = (text) => text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');

/** A file the person picked, {name, text}, or null with a notice that it is too large. */
export async function readFile(file) {
    if (file.size > MOST) {
        toast(t('workshop.tooLarge', { name: file.name }), 'error');
        return null;
    }
    return { name: file.name, text: plain(await readText(file)) };
}

/** Asks for a file of this machine. Rejects with a sentence if it is no text. */
export function pickFile() {
    return new Promise((done) => {
        const input = h('input', { type: 'file', accept: '.game,.rules,.txt,text/plain' });
        input.addEventListener('change', () => done(input.files[0] ? readFile(input.files[0]) : null));
        input.addEventListener('cancel', () => done(null));
        input.click();
    });
}

/** Lets the person pick a game of the library to start from. */
export async function pickGame() {
    const { games } = await (await fetch('library.json')).json();
    let chosen = null;
    const list = h('ul', { class: 'workshop-games' });
    const search = h('input', { type: 'search', class: 'input', autocomplete: 'off' });
    const show = (box) => {
        const words = search.value.trim().toLowerCase();
        list.replaceChildren(...games
            .filter((g) => [g.game, g.title, gameText(g, g.title), ...(g.also ?? [])].join(' ').toLowerCase().includes(words))
            .map((g) => h('li', null, h('button', {
                type: 'button', class: 'workshop-game',
                onclick: () => { chosen = g.game; box.close(); },
            }, h('strong', null, gameText(g, g.title)), h('span', null, gameText(g, g.about ?? ''))))));
    };
    await dialog({
        title: t('workshop.library'),
        body: h('div', null, field(t('workshop.find'), search), list),
        buttons: [],
        ready: (box) => {
            show(box);
            search.addEventListener('input', () => show(box));
            search.focus();
        },
    });
    return chosen && fetchRules(chosen);
}

// Refusals are JSON; what stands between page and server may say something else.
function reason(text) {
    try {
        return JSON.parse(text).error;
    } catch {
        return '';
    }
}

/** The text of a game that the server has. Rejects with the server's sentence. */
export async function fetchRules(chosen) {
    const answer = await fetch(`rules?game=${encodeURIComponent(chosen)}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(inWords(reason(text) || `${answer.status} ${answer.statusText}`));
    return { name: `${chosen.replace(/[^\w-]/g, '')}.game`, text: plain(text) };
}

/** As a file into the browser's folder of downloads. */
export function download({ name, text }) {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = h('a', { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Whether what is not saved may go; asks only if there is something. */
export async function mayReplace(work) {
    if (work.text === work.saved) return true;
    return await dialog({
        title: t('workshop.unsavedTitle'),
        body: h('p', null, t('workshop.unsavedText', { name: work.name })),
        buttons: [['', t('workshop.keepIt'), ''], ['replace', t('workshop.replaceIt'), 'danger']],
    }) === 'replace';
}

/** Asks how to save: {how: 'file' | 'server', name} or null. */
export async function askSave(work, server) {
    const name = h('input', { class: 'input', value: work.name, autocomplete: 'off', maxlength: '80' });
    const buttons = [['file', t('workshop.toFile'), 'main']];
    if (server) buttons.unshift(['server', t('workshop.toServer'), '']);
    const how = await dialog({
        title: t('workshop.save'),
        body: h('div', null, field(t('workshop.name'), name, server ? t('workshop.serverHelp') : null)),
        buttons,
        ready: () => name.select(),
    });
    if (!how) return null;
    const clean = name.value.trim().replace(/[^\p{L}\p{N} ._-]/gu, '').replace(/^\.+/, '') || work.name;
    return { how, name: /\.\w+$/.test(clean) ? clean : `${clean}.game` };
}
