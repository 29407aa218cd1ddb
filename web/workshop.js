// The workshop: rules are written at the left, checked as one types; what they make stands at the
// right, to be tried, counted, studied and played at once.
//
// The server checks the text and keeps nothing of it. Only Play and Save hand it over.

import { announce, button, dialog, h, style, toast } from './ui.js';
import { t } from './i18n.js';
import { levelPlayer } from './players.js';
import { createEditor } from './workshop_editor.js';
import { createPreview } from './workshop_preview.js';
import { createProblems } from './workshop_problems.js';
import { createRuns } from './workshop_runs.js';
import * as files from './workshop_files.js';

const PAUSE = 350; // milliseconds without a key before the text is checked

export function openWorkshop(root, net, params) {
    style('workshop.css');
    style('board.css');
    let work = files.kept();
    let good = false; // the text as it stands has no errors
    let timer = 0;
    let turn = 0; // counts checks, so that a late answer does not come over a newer one
    let closed = false;
    let players = 2; // of the game as it was checked last

    const name = h('span', { class: 'workshop-name' });
    const tool = (key, icon, onclick, more) => button(t(`workshop.${key}`), { icon, onclick, ...more });
    const play = tool('play', 'play', playIt, { kind: 'main' });
    const bar = h('div', { class: 'workshop-bar', role: 'toolbar', 'aria-label': t('workshop.title') },
        tool('new', 'edit', () => replace(() => ({ ...files.EMPTY }))),
        tool('library', 'games', () => replace(files.pickGame)),
        tool('open', 'open', () => replace(files.pickFile)),
        tool('format', 'menu', format),
        tool('save', 'save', save, { 'aria-keyshortcuts': 'Control+S' }),
        play);
    const left = h('section', { class: 'workshop-left', 'aria-label': t('workshop.rules') });
    const right = h('section', { class: 'workshop-right', 'aria-label': t('workshop.result') });
    const below = h('div', { class: 'workshop-problems' });
    const seen = h('div', { class: 'workshop-preview card' });
    const runs = h('div', { class: 'workshop-runs card' });
    const page = h('div', { class: 'workshop' },
        h('header', { class: 'workshop-head' }, h('h1', null, t('workshop.title')), name, bar),
        h('div', { class: 'workshop-both' }, left, right));
    root.append(page);

    const editor = createEditor(left, {
        text: work.text, label: t('workshop.rules'),
        oninput: (text) => {
            work.text = text;
            changed();
        },
        oncaret: (caret) => problems.at(caret),
    });
    left.append(below, editor.keys(), h('p', { class: 'workshop-private' }, t('workshop.private')));
    right.append(seen, runs);
    const problems = createProblems(below, (p) => editor.goto(p.at));
    const preview = createPreview(seen, (values) => {
        work.params = values;
        changed(true);
    });
    const current = () => ({ title: work.name, text: work.text, params: work.params });
    const running = createRuns(runs, net, () => (good ? current() : null));

    function showName() {
        name.textContent = work.name;
        name.classList.toggle('unsaved', work.text !== work.saved);
        name.title = work.text !== work.saved ? t('workshop.unsaved') : '';
    }

    function changed(soon) {
        files.keep(work);
        showName();
        problems.working();
        clearTimeout(timer);
        timer = setTimeout(check, soon ? 0 : PAUSE);
    }

    async function check() {
        const mine = ++turn;
        let answer;
        try {
            answer = await net.ask('compile', current());
        } catch (error) {
            if (mine !== turn || closed) return;
            good = false;
            problems.failed(error.message);
            if (error.code === 'offline' || error.code === 'busy') timer = setTimeout(check, 2000);
            return;
        }
        if (mine !== turn || closed) return;
        // Values that were tried may be those of a parameter that the text had before.
        if (!answer.game && Object.keys(work.params).length && answer.diagnostics?.some((each) => !each.line)) {
            work.params = {};
            preview.usual();
            changed(true);
            return;
        }
        good = answer.game && !answer.diagnostics?.some((each) => each.severity === 'error');
        problems.show(editor.show(answer.diagnostics ?? []));
        problems.at(editor.caret());
        if (answer.game) {
            players = answer.game.players.length;
            preview.show(answer);
        } else {
            preview.old();
        }
        play.disabled = !good;
    }

    // Another text takes the place of this one, if the person wants that.
    async function replace(get) {
        if (!await files.mayReplace(work)) return;
        let next;
        try {
            next = await get();
        } catch (error) {
            toast(error.message, 'error');
            return;
        }
        if (next && !closed) take(next);
    }

    function take(next) {
        work = { name: next.name, text: next.text, saved: next.text, params: {} };
        editor.set(next.text);
        editor.area.setSelectionRange(0, 0);
        changed(true);
        announce(t('workshop.opened', { name: next.name }));
    }

    async function format() {
        try {
            const { text } = await net.ask('format', { text: work.text });
            if (text !== work.text) editor.set(text, true);
            work.text = editor.text();
            changed(true);
            announce(t('workshop.formatted'));
        } catch (error) {
            toast(error.message, 'error');
        }
    }

    async function save() {
        const wish = await files.askSave(work, net.greeting?.allows?.save);
        if (!wish) return;
        work.name = wish.name;
        try {
            if (wish.how === 'server') {
                const { path } = await net.ask('save', { name: wish.name, text: work.text });
                toast(t('workshop.savedTo', { path: path ?? wish.name }));
            } else {
                files.download(work);
            }
            work.saved = work.text;
        } catch (error) {
            toast(error.message, 'error');
        }
        files.keep(work);
        showName();
    }

    // Uploads the rules under a name that nobody can guess, and opens a game.
    async function playIt() {
        const seats = await askSeats();
        if (!seats) return;
        try {
            const { game, diagnostics } = await net.ask('upload', current());
            if (!game) {
                problems.show(editor.show(diagnostics ?? []));
                return;
            }
            await net.openRoom({ game, params: work.params, seats, title: work.name });
        } catch (error) {
            toast(error.message, 'error');
        }
    }

    async function askSeats() {
        const how = await dialog({
            title: t('workshop.play'),
            body: h('p', null, t('workshop.playText')),
            buttons: [
                ['watch', t('workshop.playWatch'), ''],
                ['people', t('workshop.playPeople'), ''],
                ['computer', players > 1 ? t('workshop.playComputer') : t('workshop.playAlone'), 'main'],
            ].filter(([value]) => players > 1 || value !== 'people'),
        });
        if (!how) return null;
        return Array.from({ length: players }, (_, seat) => (
            how === 'people' || (how === 'computer' && seat === 0)
                ? { kind: 'person', name: '' } : { kind: 'computer', player: levelPlayer(4) }));
    }

    function onkeydown(event) {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
            event.preventDefault();
            save();
        } else if (event.key === 'F8') {
            event.preventDefault();
            const next = problems.next(editor.caret(), event.shiftKey);
            if (next) editor.goto(next.at);
        }
    }
    page.addEventListener('keydown', onkeydown);

    // Files may be dropped onto the whole page.
    page.addEventListener('dragover', (event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
    page.addEventListener('drop', (event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        event.stopPropagation();
        replace(() => files.readFile(file));
    });

    showName();
    check();
    if (params.draft) replace(() => files.draft());
    if (params.game) replace(() => files.fetchRules(params.game));

    return {
        close() {
            closed = true;
            clearTimeout(timer);
            running.close();
            preview.close();
            editor.close();
            page.remove();
        },
    };
}
