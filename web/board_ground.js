// board_ground: what lies under the pieces: frame, cells, lines, labels, pictures of S3 files.
import { s } from './ui.js';
import { hexagon } from './board_layout.js';
import { playerColour } from './board_piece.js';
import { pictureBox, pictureOf } from './board_pictures.js';

function frame(layout, game) {
    const { area, style } = layout;
    const g = s('g', { class: 'frame' });
    if (style === 'hexes') {
        layout.sides.forEach((side, player) => {
            for (const p of side)
                g.append(s('path', {
                    class: `side c-${playerColour(game, player)}`, d: hexagon(p.x, p.y, 56),
                }));
        });
        for (const c of layout.cells) g.append(s('path', { class: 'base', d: hexagon(c.x, c.y, 62) }));
        return g;
    }
    const out = layout.frame;
    g.append(s('rect', {
        class: 'base', x: area.x - out, y: area.y - out, width: area.w + 2 * out,
        height: area.h + 2 * out, rx: style === 'squares' ? layout.frame : 2.2 * layout.frame,
    }));
    return g;
}

function ground(layout) {
    const g = s('g', { class: `ground ${layout.style}${layout.bold ? ' plain' : ''}` });
    for (const p of layout.fillers)
        g.append(p.dot ? s('circle', { class: 'dot', cx: p.x, cy: p.y, r: 13 })
            : s('path', { class: 'cell tone0', d: layout.fillerOutline(p) }));
    if (layout.style === 'points') {
        let d = '';
        for (const [a, b] of layout.lines) d += `M${a.x} ${a.y}L${b.x} ${b.y}`;
        g.append(s('path', { class: 'line', d }));
        for (const c of layout.cells) g.append(s('circle', { class: 'point', cx: c.x, cy: c.y, r: layout.cells.length > 60 ? 4 : 9 }));
        return g;
    }
    for (const c of layout.cells)
        g.append(s('path', { class: `cell tone${c.tone}${c.line ? ' gap' : ''}`, d: c.outline }));
    return g;
}

function labels(layout) {
    const g = s('g', { class: 'labels', 'aria-hidden': 'true' });
    for (const each of layout.labels) {
        const text = s('text', {
            class: each.inside ? 'inside' : undefined, x: each.x, y: each.y, 'text-anchor': 'middle', 'dominant-baseline': 'central',
            'font-size': each.inside ? 20 : layout.labelSize.toFixed(1),
        });
        text.textContent = each.text;
        g.append(text);
    }
    return g;
}

// The picture of an S3 board; the places lie on it in its own pixels.
function picture(layout, game, grow) {
    const g = s('g', { class: 'picture' });
    const sign = layout.flipped ? -1 : 1;
    pictureOf(game, game.look.board).then((found) => {
        if (!found) return;
        const w = found.width * layout.scale, h = found.height * layout.scale;
        g.append(s('image', {
            href: found.url, x: sign > 0 ? 0 : -w, y: sign > 0 ? 0 : -h, width: w, height: h,
        }));
        grow({ x: sign > 0 ? 0 : -w, y: sign > 0 ? 0 : -h, w, h });
    });
    return g;
}

// Pictures of places, such as a stack beside the board.
function placePictures(layout, game) {
    const g = s('g', { class: 'picture' });
    game.look.places?.forEach((place, cell) => {
        if (!place?.picture) return;
        const at = layout.cells[cell];
        const spot = g.appendChild(s('g', { transform: `translate(${at.x} ${at.y})` }));
        pictureOf(game, place.picture.file).then((found) => {
            if (found) spot.append(s('image', {
                href: found.url, ...pictureBox(found, place.picture, layout.scale),
            }));
        });
    });
    return g;
}

/** An area that has room for both. */
export function around(a, b) {
    const x = Math.min(a.x, b.x), y = Math.min(a.y, b.y);
    return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}

/** Draws it all; gives back the area that is to be seen: {x, y, w, h}. `grow` tells of a larger one. */
export function drawGround(into, layout, game, { coordinates = true, grow = () => {} } = {}) {
    const { area } = layout;
    into.append(frame(layout, game));
    if (layout.scale && game.look?.board) into.append(picture(layout, game, grow));
    into.append(ground(layout));
    if (layout.scale && game.look) into.append(placePictures(layout, game));
    const shown = coordinates && layout.labels.length > 0;
    if (shown) into.append(labels(layout));
    const edge = layout.style === 'hexes' ? 46 : layout.frame + 6;
    const side = !shown || layout.labels.some((l) => l.inside) ? 0
        : layout.style === 'hexes' ? layout.labelSize : layout.labelSize * 1.4;
    return {
        x: area.x - edge - side, y: area.y - edge, w: area.w + 2 * edge + side, h: area.h + 2 * edge + side,
    };
}
