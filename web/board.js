// board: a board to look at and to point at, drawn from the JSON of docs/web-protocol.md.
//
//     const board = createBoard(root, game);
//     board.show(position, { animate: true });
//     board.on('choose', ({ cell, level, pointer }) => …);
//
// It knows no rules. Who uses it says which cells may be chosen (choices) and hears of cells that were
// pointed at (choose: click, touch, Enter) or dragged onto another (drop).
import { h, s, style } from './ui.js';
import { t } from './i18n.js';
import { animate, get, watch } from './settings.js';
import { layoutOf } from './board_layout.js';
import { around, drawGround } from './board_ground.js';
import { createMarks } from './board_marks.js';
import { createPieces } from './board_motion.js';
import { handleDrag } from './board_drag.js';
import { handleKeys } from './board_keys.js';
import { attributesAt, pieceName } from './board_piece.js';

export function createBoard(root, game, { label = '', flipped = false } = {}) {
    style('board.css');
    const watchers = new Map();
    const layers = Object.fromEntries(['ground', 'under', 'pieces', 'over', 'hits'].map((name) =>
        [name, s('g', { class: name })]));
    const svg = s('svg', { class: 'board', role: 'group', 'aria-label': label || t('board.label'), focusable: 'false' },
        layers.ground, layers.under, layers.pieces, layers.over, layers.hits);
    const holder = h('div', { class: 'board-holder' }, svg);
    const narrow = matchMedia('(max-width: 46rem)');
    let layout = layoutOf(game, flipped, narrow.matches);
    let position = null;
    let can = new Map(); // cell -> what choosing it means, or ''
    let hits = [];
    let twins = []; // lists of cells that lie in one place: places of a store

    // Pictures may be larger than what marks a cell: there, marks lie above the pieces.
    const marks = createMarks(game.look ? layers.over : layers.under, layers.over, () => layout);
    const pieces = createPieces(layers.pieces, game, () => layout);

    function on(name, watcher) {
        if (!watchers.has(name)) watchers.set(name, new Set());
        watchers.get(name).add(watcher);
        return () => watchers.get(name).delete(watcher);
    }
    function tell(name, what) {
        for (const watcher of [...watchers.get(name) ?? []]) watcher(what);
    }

    function see(area) {
        svg.setAttribute('viewBox', [area.x, area.y, area.w, area.h].map((n) => n.toFixed(1)).join(' '));
        root.style.setProperty('--ratio', (area.w / area.h).toFixed(4));
    }

    function drawAll() {
        layers.ground.replaceChildren();
        let seen = drawGround(layers.ground, layout, game, {
            coordinates: get('coordinates'),
            grow(area) {
                seen = around(seen, area);
                svg.classList.add('painted');
                see(seen);
            },
        });
        see(seen);
        hits = layout.cells.map((c, cell) => s('path', {
            class: 'hit', d: c.hit, role: 'button', tabindex: -1, 'data-cell': cell,
            'data-name': game.board.cells[cell].name,
        }));
        // Lines lie above the boxes that they border on.
        layers.hits.replaceChildren(...[...hits].sort((a, b) =>
            layout.cells[a.dataset.cell].line - layout.cells[b.dataset.cell].line));
        if (hits.length) hits[0].setAttribute('tabindex', 0);
        const places = new Map();
        layout.cells.forEach((c, cell) => places.set(c.hit, [...places.get(c.hit) ?? [], cell]));
        twins = [...places.values()].filter((cells) => cells.length > 1);
        nameAll();
    }

    // What a screen reader says of a cell: `b4, White man, can be chosen`.
    function nameOf(cell) {
        const parts = [game.board.cells[cell].name];
        const on = position?.cells[cell];
        if (Array.isArray(on) && on.length) {
            parts.push(t('board.stack', { n: on.length }), on.map((p) => pieceName(game, p)).join(', '));
        } else if (typeof on === 'number') {
            parts.push(pieceName(game, on));
            for (const a of attributesAt(game, position, cell)) parts.push(`${a.name} ${a.value}`);
        } else parts.push(t('board.empty'));
        if (can.has(cell)) parts.push(t('board.can'));
        return parts.join(', ');
    }
    function nameAll() {
        hits.forEach((hit, cell) => {
            hit.setAttribute('aria-label', nameOf(cell));
            hit.classList.toggle('can', can.has(cell));
        });
        // Of cells in one place whoever points there means one that may be chosen.
        for (const cells of twins) {
            const some = cells.some((cell) => can.has(cell));
            for (const cell of cells) hits[cell].classList.toggle('covered', some && !can.has(cell));
        }
    }

    function show(next, { animate: moving = false } = {}) {
        position = next;
        pieces.show(next, moving && animate());
        nameAll();
    }

    /** Cells that may be chosen now: a list. They light up if marks are wanted. */
    function choices(cells) {
        can = new Map(cells.map((c) => [c, '']));
        nameAll();
        const full = (c) => {
            const on = position?.cells[c];
            return Array.isArray(on) ? on.length > 0 : on !== null && on !== undefined;
        };
        const seen = get('marks') ? cells : [];
        marks.mark('choosable', seen.filter(full)); // around pieces
        marks.mark('options', seen.filter((cell) => !full(cell)));
    }

    /** A cell that cannot be chosen says so. */
    function shake(cell) {
        const c = layout.cells[cell];
        if (!c) return;
        const no = s('path', { class: 'refused', d: c.outline });
        layers.over.append(no);
        setTimeout(() => no.remove(), 700);
        if (!animate()) return;
        for (const el of [no, ...pieces.elements(cell).map((e) => e.firstElementChild)])
            el?.animate([0, -7, 7, -5, 5, 0].map((x) => ({ transform: `translate(${x}px)` })), { duration: 320 });
    }

    function flip(to = !layout.flipped) {
        if (to === layout.flipped) return;
        layout = layoutOf(game, to, narrow.matches);
        redraw();
    }
    function turn() {
        if (layout.tall === narrow.matches) return;
        layout = layoutOf(game, layout.flipped, narrow.matches);
        redraw();
    }
    function redraw() {
        drawAll();
        pieces.reset();
        if (position) pieces.show(position, false);
        marks.redraw();
    }

    /** The keyboard's cursor goes there. */
    function focus(cell) {
        for (const hit of hits) hit.setAttribute('tabindex', -1);
        hits[cell]?.setAttribute('tabindex', 0);
        hits[cell]?.focus({ preventScroll: true });
    }

    const board = {
        svg, game, on, show, choices, can: (cell) => can.has(cell), shake, flip, focus, nameOf,
        mark: marks.mark, arrows: marks.arrows, heat: marks.heat,
        get layout() { return layout; },
        get position() { return position; },
        get flipped() { return layout.flipped; },
        cells: () => game.board.cells,
        elements: pieces.elements,
        levelAt: (cell, y) => (game.board.stack > 1 ? pieces.levelAt(cell, y) : null),
        /** Which pieces may be dragged; whoever handles drops says so. */
        mayDrag: () => false,
        close() {
            offs.forEach((off) => off());
            holder.remove();
        },
    };
    const offs = [
        handleDrag(board, layers, tell), handleKeys(board, tell),
        watch('coordinates', redraw), watch('marks', () => choices([...can.keys()])),
    ];
    narrow.addEventListener('change', turn);
    offs.push(() => narrow.removeEventListener('change', turn));
    drawAll();
    root.append(holder);
    return board;
}
