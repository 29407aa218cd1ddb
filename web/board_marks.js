// board_marks: what is laid over or under cells for a while: last move, choices, captures, arrows,
// heat. Marks are in named layers; setting a layer replaces what it had.
import { s } from './ui.js';

// Layers that lie under the pieces, in order; all others lie above them.
const UNDER = ['heat', 'last', 'facts', 'captures', 'selected', 'hint', 'choosable'];

export function createMarks(under, over, getLayout) {
    const kept = new Map(); // layer -> how to draw it again

    function group(layer) {
        const into = UNDER.includes(layer) ? under : over;
        let g = into.querySelector(`:scope > [data-layer="${layer}"]`);
        if (!g) {
            g = s('g', { 'data-layer': layer, class: `layer ${layer}`, 'aria-hidden': 'true' });
            const rank = UNDER.indexOf(layer);
            const after = rank < 0 ? null
                : [...into.children].find((e) => UNDER.indexOf(e.dataset.layer) > rank);
            into.insertBefore(g, after ?? null);
        }
        return g;
    }

    function set(layer, draw) {
        const g = group(layer);
        g.replaceChildren();
        if (draw) {
            kept.set(layer, draw);
            draw(g, getLayout());
        } else kept.delete(layer);
    }

    /** Marks cells, or [{cell, kind}]; `kind` is a further class. Options are dots, all else outlines. */
    function mark(layer, cells, kind) {
        set(layer, cells?.length && ((g, layout) => {
            for (const each of cells) {
                const cell = typeof each === 'number' ? each : each.cell;
                const cls = typeof each === 'number' ? kind : each.kind ?? kind;
                const c = layout.cells[cell];
                if (!c) continue;
                if (layer === 'options')
                    g.append(s('circle', { class: 'can', cx: c.x, cy: c.y, r: c.line ? 11 : 13 }));
                else g.append(s('path', { class: `mark ${cls ?? ''}`, d: c.outline }));
            }
        }));
    }

    /** Arrows: [{from, to, weight 0..1, kind}]; without `from` a ring at `to`. */
    function arrows(layer, list) {
        set(layer, list?.length && ((g, layout) => {
            for (const { from, to, weight = 1, kind = '' } of list) {
                const b = layout.cells[to];
                if (!b) continue;
                const width = 6 + 10 * weight;
                if (from === undefined || from === null || from === to || !layout.cells[from]) {
                    g.append(s('circle', { class: `arrow ring ${kind}`, cx: b.x, cy: b.y, r: 40, 'stroke-width': width }));
                    continue;
                }
                const a = layout.cells[from];
                const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
                const ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
                const head = 22 + 12 * weight;
                const tip = { x: b.x - ux * 12, y: b.y - uy * 12 };
                const neck = { x: tip.x - ux * head, y: tip.y - uy * head };
                const w = width / 2;
                const side = (p, k) => `${(p.x - uy * k).toFixed(1)} ${(p.y + ux * k).toFixed(1)}`;
                const start = { x: a.x + ux * 16, y: a.y + uy * 16 };
                g.append(s('path', {
                    class: `arrow ${kind}`,
                    d: `M${side(start, w)}L${side(neck, w)}L${side(neck, head * 0.6)}L${tip.x.toFixed(1)} ` +
                        `${tip.y.toFixed(1)}L${side(neck, -head * 0.6)}L${side(neck, -w)}L${side(start, -w)}z`,
                }));
            }
        }));
    }

    /** Heat: [{cell, share 0..1, text}]. */
    function heat(list) {
        set('heat', list?.length && ((g, layout) => {
            for (const { cell, share } of list) {
                const c = layout.cells[cell];
                if (c) g.append(s('path', { class: 'warm', d: c.outline, 'fill-opacity': (0.12 + 0.75 * share).toFixed(2) }));
            }
        }));
        set('heat-text', list?.some((e) => e.text) && ((g, layout) => {
            for (const { cell, text } of list) {
                const c = layout.cells[cell];
                if (!c || !text) continue;
                const el = s('text', { class: 'heat-text', x: c.x, y: c.y + 34, 'text-anchor': 'middle', 'font-size': 20 });
                el.textContent = text;
                g.append(el);
            }
        }));
    }

    /** After the board was turned. */
    function redraw() {
        for (const [layer, draw] of kept) {
            const g = group(layer);
            g.replaceChildren();
            draw(g, getLayout());
        }
    }

    return { mark, arrows, heat, redraw };
}
