// board_motion: pieces on the board and how they go from one position to the next. What moved is
// found from the difference of the two positions; nothing waits for a movement to end.
import { s } from './ui.js';
import { attributesAt, drawChip, drawPiece, formOf } from './board_piece.js';
import { pictureBox, pictureOf } from './board_pictures.js';

const MOVE_MS = 230;
const FADE_MS = 180;

/** The pieces of a position: [{cell, level, piece, height}], stacks from the bottom. */
export function piecesOf(position) {
    const list = [];
    position.cells.forEach((on, cell) => {
        if (on === null || on === undefined) return;
        const stack = Array.isArray(on) ? on : [on];
        stack.forEach((piece, level) => list.push({ cell, level, piece, height: stack.length }));
    });
    return list;
}

/** How thick a chip is, and where the level begins above the lowest, in a stack that high. */
export function chipStep(limit, height) {
    return Math.min(10, 60 / Math.max(1, Math.max(height, Math.min(limit, 8)) - 1));
}
const CHIP_BASE = 30; // below the middle of the cell

export function createPieces(into, game, getLayout) {
    const stacked = game.board.stack > 1;
    let shown = []; // {cell, level, piece, height, el, key}

    function placeOf(layout, p) {
        const c = layout.cells[p.cell];
        if (!stacked) return { x: c.x, y: c.y };
        return { x: c.x, y: c.y + CHIP_BASE - p.level * chipStep(game.board.stack, p.height) };
    }

    // A domino lies on two cells; a run of them falls into pairs from its lower or left end.
    function joins(list) {
        const at = new Map();
        for (const p of list) {
            const form = formOf(game, game.pieces[p.piece]);
            if (game.pieces[p.piece].kind === 'domino') at.set(p.cell, form);
        }
        if (!at.size) return new Map();
        const cells = game.board.cells, by = new Map(cells.map((c, i) => [`${c.column} ${c.row}`, i]));
        const joined = new Map();
        for (const [cell, form] of [...at].sort((a, b) => a[0] - b[0])) {
            const way = form === 'upright' ? [0, 1] : [1, 0];
            const next = by.get(`${cells[cell].column + way[0]} ${cells[cell].row + way[1]}`);
            if (joined.has(cell) || at.get(next) !== form) continue;
            joined.set(cell, 'near');
            joined.set(next, 'far');
        }
        return joined;
    }

    function make(p, position, layout, join) {
        const attributes = attributesAt(game, position, p.cell);
        const g = s('g', { class: 'at' });
        if (stacked) g.append(drawChip(game, p.piece, chipStep(game.board.stack, p.height)));
        else if (layout.style === 'boxes' && layout.cells[p.cell].line) g.append(stroke(layout, p));
        else if (join) {
            if (join === 'near') g.append(domino(p, layout));
        } else g.append(drawPiece(game, p.piece, attributes));
        const look = layout.scale && game.look?.pieces?.[p.piece];
        if (look?.file) paint(g, look, layout.scale);
        return g;
    }

    // The picture of an S3 piece takes the drawing's place when it has come.
    function paint(g, picture, scale) {
        pictureOf(game, picture.file).then((found) => {
            if (!found) return;
            g.replaceChildren(s('image', { href: found.url, ...pictureBox(found, picture, scale) }));
        });
    }

    function stroke(layout, p) {
        const upright = game.board.cells[p.cell].column % 2 === 1;
        return s('rect', {
            class: 'piece stroke-line', x: upright ? -8 : -56, y: upright ? -56 : -8,
            width: upright ? 16 : 112, height: upright ? 112 : 16, rx: 8,
        });
    }

    function domino(p, layout) {
        const whole = drawPiece(game, p.piece);
        const upright = formOf(game, game.pieces[p.piece]) === 'upright';
        const turn = layout.flipped ? -1 : 1;
        const body = upright
            ? { x: -38, y: turn > 0 ? -138 : -38, width: 76, height: 176 }
            : { x: turn > 0 ? -38 : -138, y: -38, width: 176, height: 76 };
        whole.replaceChildren(s('rect', { class: 'shade', ...body, y: body.y + 4, rx: 16 }),
            s('rect', { class: 'body', ...body, rx: 16 }),
            s('path', {
                class: 'motif',
                d: upright ? `M-18 ${-50 * turn}h36M0 ${-4 * turn}v${8 * turn}M0 ${-96 * turn}v${-8 * turn}`
                    : `M${50 * turn}-18v36M${-4 * turn} 0h${8 * turn}M${96 * turn} 0h${8 * turn}`,
            }));
        return whole;
    }

    const key = (p, position, join) =>
        `${p.piece}|${stacked ? chipStep(game.board.stack, p.height) : ''}|${join ?? ''}|` +
        attributesAt(game, position, p.cell).map((a) => a.value).join();

    function put(p, layout) {
        const { x, y } = placeOf(layout, p);
        p.el.setAttribute('transform', `translate(${x} ${y})`);
        p.x = x;
        p.y = y;
    }

    // Which old piece became which new one: the same place, else the nearest of the same sort, else
    // the only one of the same owner (a promotion).
    function match(before, after) {
        const of = new Map(), used = new Set();
        const at = new Map(before.map((p) => [`${p.cell} ${p.level}`, p]));
        for (const p of after) {
            const old = at.get(`${p.cell} ${p.level}`);
            if (old && old.piece === p.piece) {
                of.set(p, old);
                used.add(old);
            }
        }
        const layout = getLayout();
        const free = () => before.filter((p) => !used.has(p));
        for (const p of after) {
            if (of.has(p)) continue;
            let best = null, least = Infinity;
            const c = layout.cells[p.cell];
            for (const old of free()) {
                if (old.piece !== p.piece) continue;
                const d = Math.hypot(layout.cells[old.cell].x - c.x, layout.cells[old.cell].y - c.y) +
                    0.01 * Math.abs(old.level - p.level);
                if (d < least) [least, best] = [d, old];
            }
            if (best) {
                of.set(p, best);
                used.add(best);
            }
        }
        const loose = after.filter((p) => !of.has(p));
        const owner = (p) => game.pieces[p.piece].owner;
        if (loose.length === 1) {
            const same = free().filter((p) => owner(p) === owner(loose[0]) && p.cell !== loose[0].cell);
            if (same.length === 1 && owner(loose[0]) !== null) {
                of.set(loose[0], same[0]);
                used.add(same[0]);
            }
        }
        return { of, gone: free() };
    }

    /** Draws a position; with `moving` pieces go there from where they are. */
    function show(position, moving) {
        const layout = getLayout();
        const before = shown;
        const after = piecesOf(position);
        const joined = joins(after);
        const { of, gone } = match(before, after);
        for (const p of after) {
            const old = of.get(p), join = joined.get(p.cell);
            p.key = key(p, position, join);
            const same = old && old.key === p.key;
            p.el = same ? old.el : make(p, position, layout, join);
            put(p, layout);
            p.el.dataset.cell = p.cell;
            if (!moving) continue;
            if (old) travel(p, old, !same);
            else appear(p, before.some((b) => b.cell === p.cell && gone.includes(b)));
        }
        // Upper pieces of a stack cover lower ones, and lower rows of the screen cover upper ones.
        after.sort((a, b) => layout.cells[a.cell].y - layout.cells[b.cell].y || a.level - b.level);
        into.replaceChildren(...gone.filter(() => moving).map((p) => vanish(p)), ...after.map((p) => p.el));
        for (const p of after) if (moving && of.get(p) && of.get(p).cell !== p.cell) into.append(p.el);
        shown = after;
    }

    function travel(p, old, changed) {
        const dx = old.x - p.x, dy = old.y - p.y;
        if (!dx && !dy) {
            if (changed && !stacked) p.el.firstElementChild?.animate(
                [{ transform: 'translate(-4px)' }, { transform: 'translate(4px)' }, { transform: 'none' }],
                { duration: 160, iterations: 2 });
            return;
        }
        p.el.firstElementChild?.animate(
            [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }],
            { duration: MOVE_MS, easing: 'cubic-bezier(.3,.1,.2,1)' });
    }

    function appear(p, turned) {
        p.el.firstElementChild?.animate(turned
            ? [{ transform: 'scale(0.05, 1)' }, { transform: 'none' }]
            : [{ transform: 'scale(0.4)', opacity: 0 }, { transform: 'none', opacity: 1 }],
        { duration: FADE_MS, easing: 'ease-out' });
    }

    function vanish(p) {
        p.el.classList.add('gone');
        const motion = p.el.firstElementChild?.animate(
            [{ opacity: 1, transform: 'none' }, { opacity: 0, transform: 'scale(0.6)' }],
            { duration: FADE_MS, easing: 'ease-in' });
        if (motion) motion.onfinish = () => p.el.remove();
        else p.el.remove();
        return p.el;
    }

    /** The elements of a cell's pieces from a level upwards: what is lifted when it is dragged. */
    function elements(cell, level = 0) {
        return shown.filter((p) => p.cell === cell && p.level >= level).map((p) => p.el);
    }

    /** Which level of a cell's stack lies at that height of the screen. */
    function levelAt(cell, y) {
        const here = shown.filter((p) => p.cell === cell);
        if (!here.length) return 0;
        const c = getLayout().cells[cell], step = chipStep(game.board.stack, here[0].height);
        return Math.max(0, Math.min(here.length - 1, Math.floor((c.y + CHIP_BASE + 8 - y) / step)));
    }

    /** Forgets what is shown: everything is drawn anew, as after the board was turned. */
    function reset() {
        shown = [];
        into.replaceChildren();
    }

    return { show, elements, levelAt, reset };
}
