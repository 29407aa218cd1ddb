// board_thumb: a small board to look at only, as in the library.
import { s, style } from './ui.js';
import { layoutOf } from './board_layout.js';
import { around, drawGround } from './board_ground.js';
import { createPieces } from './board_motion.js';

/** Draws a position into an element (or into an SVG element); it says nothing to screen readers. */
export function drawThumbnail(element, game, position) {
    style('board.css');
    const own = element instanceof SVGSVGElement;
    const svg = own ? element : s('svg');
    svg.replaceChildren();
    svg.classList.add('board', 'thumb');
    svg.classList.remove('painted');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('focusable', 'false');
    const layout = layoutOf(game, false);
    const ground = s('g', { class: 'ground' }), pieces = s('g', { class: 'pieces' });
    const show = (area) => svg.setAttribute('viewBox', `${area.x} ${area.y} ${area.w} ${area.h}`);
    const area = drawGround(ground, layout, game, {
        coordinates: false,
        grow(picture) {
            show(around(area, picture));
            svg.classList.add('painted');
        },
    });
    show(area);
    if (position) createPieces(pieces, game, () => layout).show(position, false);
    svg.append(ground, pieces);
    if (!own) element.replaceChildren(svg);
    return svg;
}
