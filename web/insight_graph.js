// The values of a game over its moves, as a drawing that is also a slider: a click or the arrow keys
// go to a move.

import { clear, h, s } from './ui.js';
import { t } from './i18n.js';
import { playerColour } from './board_piece.js';
import { aheadWords, isSure, share } from './insight_value.js';

const WIDTH = 600, HEIGHT = 120;

/** `jump(ply)` is called when the person goes elsewhere. */
export function createGraph(root, game, jump) {
    const drawing = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    const slider = h('div', {
        class: 'insight-graph', role: 'slider', tabindex: '0', 'aria-label': t('insight.graph'), 'aria-valuemin': '0',
    }, drawing);
    root.append(slider);
    let last = 0, ply = 0, values = [];

    const x = (at) => (last ? (at / last) * WIDTH : WIDTH / 2);
    const y = (value) => HEIGHT - share(value) * HEIGHT;

    function draw() {
        const known = values.map((value, at) => ({ value, at }))
            .filter(({ value, at }) => typeof value === 'number' && at <= last);
        const points = known.map(({ value, at }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
        const first = known[0], end = known.at(-1);
        clear(drawing,
            s('rect', { class: 'graph-ground', width: WIDTH, height: HEIGHT }),
            points.length > 1 && [0, HEIGHT].map((edge) => s('polygon', {
                class: `graph-area c-${playerColour(game, edge ? 0 : 1)}`,
                points: [`${x(first.at)},${edge}`, ...points, `${x(end.at)},${edge}`].join(' '),
            })),
            s('line', { class: 'graph-even', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
            s('line', { class: 'graph-here', x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }),
            points.length > 1 && s('polyline', { class: 'graph-line', points: points.join(' ') }),
            // Short strokes, as circles would be stretched with the drawing.
            known.map(({ value, at }) => s('line', {
                class: `graph-point${isSure(value) ? ' sure' : ''}${at === ply ? ' here' : ''}`,
                x1: x(at), x2: x(at), y1: y(value), y2: y(value),
            })));
        slider.setAttribute('aria-valuemax', String(last));
        slider.setAttribute('aria-valuenow', String(ply));
        slider.setAttribute('aria-valuetext', t('insight.atMove', { n: ply, words: aheadWords(game, values[ply] ?? null) }));
    }

    const go = (to) => {
        const next = Math.max(0, Math.min(last, to));
        if (next !== ply) jump(next);
    };
    const at = (event) => {
        const box = slider.getBoundingClientRect();
        return Math.round(((event.clientX - box.left) / box.width) * last);
    };
    slider.addEventListener('pointerdown', (event) => {
        slider.setPointerCapture(event.pointerId);
        go(at(event));
    });
    slider.addEventListener('pointermove', (event) => {
        if (slider.hasPointerCapture(event.pointerId)) go(at(event));
    });
    slider.addEventListener('keydown', (event) => {
        const to = { ArrowLeft: ply - 1, ArrowDown: ply - 1, ArrowRight: ply + 1, ArrowUp: ply + 1,
            PageDown: ply - 10, PageUp: ply + 10, Home: 0, End: last }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        event.stopPropagation(); // the page has arrow keys of its own
        go(to);
    });

    return {
        show(next) {
            ({ last, ply, values } = next);
            draw();
        },
    };
}
