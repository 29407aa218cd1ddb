// main: the frame of the page. Finds the part that the address names, opens it, closes it.
import { connect } from './net.js';
import { load, t, wanted } from './i18n.js';
import { get, watch } from './settings.js';
import { button, clear, h, marked } from './ui.js';
import { drawTop } from './top.js';

// Address -> the part: how its module comes, its function, and what the word behind the name means.
const parts = {
    '': { load: () => import('./library.js'), open: 'openLibrary', title: 'library.title' },
    setup: { load: () => import('./setup.js'), open: 'openSetup', word: '.game', title: 'setup.title' },
    room: { load: () => import('./play.js'), open: 'openPlay', word: 'id', title: 'play.title' },
    workshop: { load: () => import('./workshop.js'), open: 'openWorkshop', word: 'game', title: 'workshop.title' },
    robot: { load: () => import('./robot.js'), open: 'openRobot', title: 'robot.title' },
    watch: { load: () => import('./watch.js'), open: 'openWatch', word: 'title', title: 'watch.title' },
};

const main = document.getElementById('main');
export const net = connect(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`);
let current = null; // what the part gave back
let turn = 0; // counts openings, so that a slow part does not come over a later one

/** '#/room/abc?key=x' -> {name: 'room', params: {id: 'abc', key: 'x'}}. */
export function route(hash) {
    const [path, query] = hash.replace(/^#\/?/, '').split('?', 2);
    const [name, word] = path.split('/').map(decodeURIComponent);
    const part = Object.hasOwn(parts, name) ? parts[name] : null;
    const params = Object.fromEntries(new URLSearchParams(query));
    if (part?.word && word) params[part.word] = word;
    return { name, part, params };
}

async function open() {
    const mine = ++turn;
    let found;
    try {
        found = route(location.hash);
    } catch {
        found = { part: null }; // a broken % in the address
    }
    current?.close?.();
    current = null;
    drawTop(found.name);
    if (!found.part) {
        failed(t('ui.nopage'), false);
        return;
    }
    document.title = found.name ? `${t(found.part.title)} · Ludens` : 'Ludens';
    main.className = `part-${found.name || 'library'}`;
    try {
        const module = await found.part.load();
        if (mine !== turn) return;
        clear(main);
        if (mine > 1) scrollTo(0, 0); // it would have the page laid out, which is empty at first
        current = module[found.part.open](main, net, found.params);
    } catch (error) {
        console.error(error);
        if (mine === turn) failed(String(error.message ?? error), true);
    }
}

function failed(text, again) {
    main.className = 'part-failed';
    clear(main, h('section', { class: 'card failed' },
        h('h1', null, t('ui.failed')), h('p', null, marked(text)),
        h('p', { class: 'row' },
            again && button(t('ui.again'), { kind: 'main', icon: 'restart', onclick: () => location.reload() }),
            button(t('ui.tolibrary'), { onclick: () => { location.hash = '#/'; } }))));
}

function setTheme() {
    const theme = get('theme');
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
}

async function setLanguage() {
    try {
        await load(wanted());
    } catch {
        // Without the file of the language the page stays as it is.
    }
    document.getElementById('skip').textContent = t('ui.skip');
    await open();
    document.dispatchEvent(new Event('ludens-language'));
}

// A dialog belongs to the page it was opened on.
function turnPage() {
    for (const box of document.querySelectorAll('dialog[open]')) box.close();
    open();
}

function showLine(state) {
    const bar = document.getElementById('link-state');
    bar.hidden = state !== 'lost';
    clear(bar, state === 'lost' && [
        h('span', null, t('ui.lost')),
        button(t('ui.retry'), { kind: 'small', icon: 'restart', onclick: net.retry })]);
    document.documentElement.dataset.line = state;
}

document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault(); // the address belongs to the router
    main.focus();
});
addEventListener('hashchange', turnPage);
setTheme();
watch('theme', setTheme);
watch('language', setLanguage);
net.watchState(showLine);
document.documentElement.dataset.line = net.state;
setLanguage();
