// The list of errors and warnings below the editor, and the line that tells of the one at the caret.

import { clear, h, icon, marked } from './ui.js';
import { t } from './i18n.js';

/** `jump(problem)` goes to one. Problems are those that the editor's show() returns. */
export function createProblems(root, jump) {
    const state = h('p', { class: 'problems-state', role: 'status' });
    const here = h('p', { class: 'problems-here', id: 'problems-here' });
    const list = h('ol', { class: 'problems-list', 'aria-label': t('workshop.problems') });
    root.append(state, here, list);
    let problems = [];

    function show(next) {
        problems = next;
        const errors = next.filter((p) => p.severity === 'error').length;
        const warnings = next.length - errors;
        const words = errors || warnings
            ? [errors && t('workshop.errors', { n: errors }), warnings && t('workshop.warnings', { n: warnings })]
                .filter(Boolean).join(', ')
            : t('workshop.fine');
        // Said again only when it changed: nobody wants to hear it after each key.
        if (state.dataset.words !== words) {
            state.dataset.words = words;
            clear(state, icon(errors || warnings ? 'warn' : 'check'), h('span', null, words));
        }
        state.className = `problems-state ${errors ? 'error' : warnings ? 'warning' : 'fine'}`;
        clear(list, next.map((p) => h('li', { class: p.severity },
            h('button', { type: 'button', onclick: () => jump(p) },
                h('span', { class: 'problem-place' }, p.at.line >= 0
                    ? t('workshop.place', { line: p.at.line + 1, column: p.at.from + 1 }) : t('workshop.parameter')),
                h('span', { class: 'problem-text' }, marked(p.message)),
                p.help && h('span', { class: 'problem-help' }, marked(t('workshop.help', { text: p.help })))))));
        list.hidden = next.length === 0;
    }

    return {
        show,
        working() {
            state.classList.add('working');
        },
        failed(text) {
            delete state.dataset.words;
            state.className = 'problems-state error';
            clear(state, icon('warn'), h('span', null, text));
        },
        /** The caret came to a line: what is wrong with it. */
        at({ line, column }) {
            const found = problems.filter((p) => p.at.line === line);
            const one = found.find((p) => p.at.from <= column && column <= p.at.to) ?? found[0];
            clear(here, one && marked([one.message, one.help && t('workshop.help', { text: one.help })]
                .filter(Boolean).join('. ')));
            here.hidden = !one;
        },
        /** The next one behind a place, or before it; all around. */
        next({ line, column }, back) {
            const placed = problems.filter((p) => p.at.line >= 0)
                .sort((a, b) => a.at.line - b.at.line || a.at.from - b.at.from);
            if (!placed.length) return null;
            const after = (p) => p.at.line > line || (p.at.line === line && p.at.from > column);
            const before = (p) => p.at.line < line || (p.at.line === line && p.at.from < column);
            return back ? placed.filter(before).at(-1) ?? placed.at(-1) : placed.find(after) ?? placed[0];
        },
    };
}
