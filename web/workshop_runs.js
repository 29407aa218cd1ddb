// Perft and a quick study of the game in the workshop, at a click, with progress and a way to stop.

import { announce, button, clear, field, h } from './ui.js';
import { number, t } from './i18n.js';
import { studyTable } from './workshop_study.js';

/** `game()` is {title, text, params} as it stands, or null while it has errors. */
export function createRuns(root, net, game) {
    let task = null;
    const stopper = button(t('workshop.stop'), { icon: 'stop', onclick: () => task?.stop() });
    stopper.hidden = true;
    const depth = h('select', { class: 'input' },
        [1, 2, 3, 4, 5, 6, 7, 8].map((d) => h('option', { value: d }, String(d))));
    depth.value = '4';
    const games = h('select', { class: 'input' },
        [12, 24, 60, 120, 300].map((n) => h('option', { value: n }, String(n))));
    games.value = '24';
    const bar = h('progress', { class: 'run-bar', max: '1', value: '0', 'aria-label': t('workshop.progress') });
    bar.hidden = true;
    const out = h('div', { class: 'run-out' });
    const perftButton = button(t('workshop.perft'), { icon: 'chart', onclick: perft });
    const studyButton = button(t('workshop.study'), { icon: 'chart', onclick: study });
    root.append(
        h('h2', null, t('workshop.try')),
        h('div', { class: 'run-row' }, field(t('workshop.depth'), depth), perftButton),
        h('p', { class: 'field-help' }, t('workshop.perftHelp')),
        h('div', { class: 'run-row' }, field(t('workshop.games'), games), studyButton),
        h('p', { class: 'field-help' }, t('workshop.studyHelp')),
        h('div', { class: 'run-row' }, bar, stopper), out);

    function busy(on) {
        stopper.hidden = !on;
        bar.hidden = !on;
        perftButton.disabled = on;
        studyButton.disabled = on;
    }

    // Runs one task at a time; `news` gets each message.
    async function run(name, members, news) {
        const what = game();
        if (!what) {
            clear(out, h('p', { class: 'run-error' }, t('workshop.fixFirst')));
            announce(t('workshop.fixFirst'));
            return null;
        }
        busy(true);
        try {
            task = net.task(name, { ...what, ...members }, news);
            const last = await task.done;
            return last;
        } catch (error) {
            clear(out, h('p', { class: 'run-error' }, error.message));
            announce(error.message);
            return null;
        } finally {
            task = null;
            busy(false);
        }
    }

    async function perft() {
        const rows = h('tbody');
        const most = Number(depth.value);
        let shown = -1;
        bar.removeAttribute('value');
        const add = (m) => {
            if (typeof m.depth !== 'number' || m.depth <= shown || typeof m.nodes !== 'number') return;
            shown = m.depth;
            rows.append(h('tr', null, h('th', { scope: 'row' }, String(m.depth)),
                h('td', null, number(m.nodes)),
                h('td', null, t('workshop.seconds', { n: number(m.seconds ?? 0, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) }))));
            bar.value = shown / most;
        };
        clear(out, h('table', { class: 'run-table' },
            h('caption', null, t('workshop.perftCaption')),
            h('thead', null, h('tr', null, ['depth', 'positions', 'time'].map((key) =>
                h('th', { scope: 'col' }, t(`workshop.${key}`))))), rows));
        const last = await run('perft', { depth: most }, add);
        if (!last) return;
        add(last);
        if (last.why) out.append(h('p', { class: 'run-error' }, last.why));
        announce(t('workshop.perftDone', { depth: shown, n: last.nodes ?? 0 }));
    }

    async function study() {
        const wanted = Number(games.value);
        const line = h('p', { class: 'run-progress' }, t('workshop.studying', { n: 0, of: wanted }));
        clear(out, line);
        bar.value = 0;
        const last = await run('study', { games: wanted }, (m) => {
            if (typeof m.games !== 'number') return;
            const of = m.of || wanted;
            line.textContent = t('workshop.studying', { n: m.games, of });
            bar.value = m.games / of;
        });
        if (!last) return;
        clear(out, studyTable(last.study ?? {}));
        announce(t('workshop.studyDone'));
    }

    return { close: () => task?.stop() };
}
