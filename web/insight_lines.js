// The best lines of an analysis: a list, arrows for them on the board, and where the player counts
// visits, how often each cell was tried.

import { button, clear, h } from './ui.js';
import { t } from './i18n.js';
import { moveArrow, short, valueShort, valueWords } from './insight_value.js';

const LAYER = 'arrows';

/** `why(move)` is called when the person asks about one; `prefs` has arrows, heat and best. */
export function createLines(root, { game, board, position }, prefs, why) {
    const list = h('ol', { class: 'insight-lines', 'aria-label': t('insight.lines') });
    root.append(list);
    let best = [];
    let tried = []; // all moves that have visits, where those are asked for
    let chosen = -1; // the line that is looked at
    let drawn = '';
    let counts = false; // visits are those of random games, not of positions behind a move

    function arrows() {
        if (!prefs.arrows) {
            board.arrows(LAYER, []);
            return;
        }
        const shown = chosen >= 0 && best[chosen] ? [best[chosen]] : best.slice(0, prefs.best);
        const top = Math.max(1, ...shown.map((m) => m.visits || 0));
        board.arrows(LAYER, shown.map((move, rank) => {
            const arrow = moveArrow(game, move, position());
            const weight = counts ? 0.35 + 0.65 * (move.visits / top) : 1 - 0.25 * Math.min(rank, 3);
            return arrow && { ...arrow, weight, kind: rank === 0 ? 'best' : 'other' };
        }).filter(Boolean));
    }

    // Visits of all moves by the cell they go to.
    function heat() {
        const all = prefs.heat && counts ? tried : [];
        const sums = new Map();
        let total = 0;
        for (const move of all) {
            const cell = moveArrow(game, move, position())?.to;
            if (cell === undefined) continue;
            sums.set(cell, (sums.get(cell) ?? 0) + move.visits);
            total += move.visits;
        }
        const most = Math.max(1, ...sums.values());
        board.heat([...sums].map(([cell, visits]) => ({
            cell, share: visits / most, text: visits / total >= 0.005 ? `${Math.round((100 * visits) / total)}%` : '',
        })));
    }

    function item(move, index) {
        const look = (on) => () => {
            chosen = on ? index : -1;
            arrows();
        };
        const line = move.line?.length ? move.line : [move.move];
        return h('li', { class: 'insight-move', onpointerenter: look(true), onpointerleave: look(false), onfocusin: look(true), onfocusout: look(false) },
            h('span', { class: `insight-chip${move.value > 0 ? ' good' : move.value < 0 ? ' bad' : ''}`, title: move.words || valueWords(move.value) },
                valueShort(move.value)),
            h('span', { class: 'insight-line' }, h('strong', null, line[0]), line.length > 1 && ` ${line.slice(1).join(' ')}`),
            counts && move.visits > 0 && h('span', { class: 'insight-visits', title: t('insight.visits', { n: move.visits }) }, short(move.visits)),
            button(t('insight.whyMove', { move: move.move }), { icon: 'info', bare: true, kind: 'quiet small', onclick: () => why(move.move) }));
    }

    return {
        show(next, visited, all) {
            best = next;
            tried = all ?? [];
            counts = visited;
            // A list that is the same stays, so that the focus does, too.
            const words = JSON.stringify(best.slice(0, prefs.best));
            if (words !== drawn) {
                const focus = [...list.children].indexOf(document.activeElement?.closest('.insight-move'));
                clear(list, best.slice(0, prefs.best).map(item));
                if (focus >= 0) list.children[focus]?.querySelector('button')?.focus({ preventScroll: true });
                drawn = words;
            }
            arrows();
            heat();
        },
        clear() {
            best = [];
            tried = [];
            chosen = -1;
            drawn = '';
            clear(list);
            arrows();
            heat();
        },
        close() {
            board.arrows(LAYER, []);
            board.heat([]);
        },
    };
}
