// board_layout: where things are on the screen. From the board of a GAME to outlines, lines and
// labels, in units of which a cell has 100; y grows downwards, as in SVG.
//
// The look is derived from the geometry and the names of pieces alone: no game is known here.

const UNIT = 100;

// How the cells of this board look.
//   squares  outlined cells            points  lines and points
//   hexes    hexagons                  places  discs on a table
//   boxes    lines, dots and boxes between them (narrow and wide rows by turns)
function styleOf(game) {
    const { shape, edges, cells, width, height } = game.board;
    if (edges?.length) return 'points';
    if (shape === 'lines') return 'points';
    if (shape === 'places') return 'places';
    if (shape !== 'square') return 'hexes';
    if ((height === 1 || width === 1) && !game.pieces.some((p) => p.kind === 'domino')) return 'places';
    if (isBoxes(game.board)) return 'boxes';
    if (game.pieces.every((p) => p.kind === 'stone') && width >= 9) return 'points';
    if (game.pieces.some((p) => p.kind === 'peg') && cells.length < width * height) return 'holes';
    return 'squares';
}

// Every crossing of odd column and odd row is missing and nothing else.
function isBoxes({ cells, width, height }) {
    if (width < 3 || width % 2 === 0 || height % 2 === 0) return false;
    const missing = ((width + 1) / 2) * ((height + 1) / 2);
    return (
        cells.length === width * height - missing && cells.every((c) => c.column % 2 === 0 || c.row % 2 === 0)
    );
}

// Only every other cell exists, as on a draughts board.
function isHalved({ cells, width, height }) {
    return (
        cells.length > 4 &&
        cells.length <= Math.ceil((width * height) / 2) &&
        cells.every((c) => (c.column + c.row) % 2 === (cells[0].column + cells[0].row) % 2)
    );
}

const CHESS = /[\u2654-\u265f]/;
function isCheckered(game) {
    const { width, height, cells } = game.board;
    if (width < 4 || height < 4 || cells.length < width * height) return false;
    return game.pieces.some((p) => CHESS.test(p.symbol ?? '') || /^(man|pawn|king)$/.test(p.kind));
}

function nearest(points) {
    let least = Infinity;
    for (let i = 0; i < points.length; i++)
        for (let j = 0; j < i; j++) {
            const d = Math.hypot(points[i].x - points[j].x, points[i].y - points[j].y);
            if (d > 1e-6 && d < least) least = d;
        }
    return Number.isFinite(least) ? least : 1;
}

// Centres of the lines-and-boxes board: odd ones are narrow.
const THIN = 26,
    WIDE = 100;
const boxAt = (n) => Math.floor(n / 2) * (THIN + WIDE) + (n % 2 ? THIN / 2 : -WIDE / 2);

function centres(game, style) {
    const { cells, matrix } = game.board;
    if (style === 'boxes')
        return cells.map((c) => ({ x: boxAt(c.column), y: (matrix ? 1 : -1) * boxAt(c.row) }));
    const look = game.look?.places;
    if (style === 'places' && look?.length === cells.length && look.every((p) => p)) {
        const k = UNIT / Math.min(nearest(look), 2 * Math.max(...look.map((p) => p.width ?? 30)) * 1.25);
        return cells.map((_, i) => ({ x: look[i].x * k, y: look[i].y * k, scale: k }));
    }
    const k = style === 'points' || style === 'places' ? UNIT / nearest(cells) : UNIT;
    return cells.map((c) => ({ x: c.x * k, y: -c.y * k }));
}

const box = (x, y, w, h, r = 0) =>
    r
        ? `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}` +
          `h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}z`
        : `M${x} ${y}h${w}v${h}h${-w}z`;
const round = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
export function hexagon(x, y, r) {
    const point = (i) => {
        const a = (Math.PI / 3) * i + Math.PI / 6;
        return `${(x + r * Math.cos(a)).toFixed(2)} ${(y + r * Math.sin(a)).toFixed(2)}`;
    };
    return 'M' + [0, 1, 2, 3, 4, 5].map(point).join('L') + 'z';
}

function outlineOf(style, cell, p) {
    if (style === 'hexes') return hexagon(p.x, p.y, UNIT / Math.sqrt(3));
    if (style === 'points') return round(p.x, p.y, 46);
    if (style === 'places' || style === 'holes') return round(p.x, p.y, 43);
    if (style === 'boxes') {
        const w = cell.column % 2 ? THIN : WIDE,
            h = cell.row % 2 ? THIN : WIDE;
        return box(p.x - w / 2, p.y - h / 2, w, h);
    }
    return box(p.x - 50, p.y - 50, 100, 100);
}

// Where one may point: thin lines are made wide for fingers.
function hitOf(style, cell, p) {
    if (style !== 'boxes' || (cell.column + cell.row) % 2 === 0) return outlineOf(style, cell, p);
    return cell.column % 2 ? box(p.x - 30, p.y - 46, 60, 92) : box(p.x - 46, p.y - 30, 92, 60);
}

// Letters and numbers along the sides, if names are made of them; else a name at each cell.
function labelsOf(game, style, points, area, size, frame) {
    const { cells, matrix } = game.board;
    const parts = cells.map((c) => /^([a-zA-Z]{1,2})(\d{1,2})$/.exec(c.name));
    if (parts.some((p) => !p)) {
        if (style === 'places' && cells.length <= 40)
            return points.map((p, i) => ({ x: p.x, y: p.y + 58, text: cells[i].name, inside: true }));
        return [];
    }
    const labels = [];
    // Of lines and boxes only the wide rows are named, there is no room for the others.
    const wide = (i) => style !== 'boxes' || (cells[i].column % 2 === 0 && cells[i].row % 2 === 0);
    const groups = (key, label) => {
        const of = new Map(); // name -> the first cell that has it
        cells.forEach((_, i) => {
            if (wide(i) && !of.has(key(i))) of.set(key(i), i);
        });
        for (const i of of.values()) labels.push(label(i));
    };
    const column = (i) => parts[i][matrix ? 2 : 1],
        row = (i) => parts[i][matrix ? 1 : 2];
    if (style === 'hexes') {
        // Beyond the lower end of a column, and beyond the left end of a row.
        const ends = (key, first, inwards) => {
            const of = new Map();
            cells.forEach((_, i) => of.set(key(i), [...(of.get(key(i)) ?? []), points[i]]));
            for (const [name, line] of of) {
                const end = line.reduce((a, b) => (first(a, b) ? a : b));
                const other = line.find((p) => p !== end) ?? { x: end.x + inwards.x, y: end.y + inwards.y };
                const far = Math.hypot(end.x - other.x, end.y - other.y);
                const away = 104 / far;
                labels.push({ x: end.x + (end.x - other.x) * away, y: end.y + (end.y - other.y) * away, text: name });
            }
        };
        ends(column, (a, b) => a.y > b.y, { x: 0.5, y: -1 });
        ends(row, (a, b) => a.x < b.x, { x: 1, y: 0 });
        return labels;
    }
    const left = area.x - frame - size * 0.75,
        low = area.y + area.h + frame + size * 0.75;
    groups(column, (i) => ({ x: points[i].x, y: low, text: column(i) }));
    groups(row, (i) => ({ x: left, y: points[i].y, text: row(i) }));
    return labels;
}

// Lines to be drawn: those given, or between neighbours of a board of stones.
function linesOf(game, style, points) {
    if (style !== 'points') return [];
    const { edges, cells, width, height } = game.board;
    if (edges?.length) return edges.map(([a, b]) => [points[a], points[b]]);
    const at = new Map(cells.map((c, i) => [c.column + ' ' + c.row, i]));
    const lines = [];
    const join = (a, b) => {
        if (a !== undefined && b !== undefined) lines.push([points[a], points[b]]);
    };
    for (let c = 1; c <= width; c++) join(at.get(c + ' 1'), at.get(c + ' ' + height));
    for (let r = 1; r <= height; r++) join(at.get('1 ' + r), at.get(width + ' ' + r));
    return lines;
}

// Cells that the board does not have but that make the picture: light squares of a draughts board,
// the dots between lines.
function fillersOf(game, style, points) {
    const { cells, width, height } = game.board;
    if (style === 'boxes') {
        const dots = [],
            sign = Math.sign(points[0].y) || 1;
        for (let c = 1; c <= width; c += 2)
            for (let r = 1; r <= height; r += 2) dots.push({ x: boxAt(c), y: sign * boxAt(r), dot: true });
        return dots;
    }
    if (style !== 'squares' || !isHalved(game.board)) return [];
    const is = new Set(cells.map((c) => c.column + ' ' + c.row)),
        out = [];
    const origin = { x: points[0].x - cells[0].column * 100, y: 0 };
    const way = game.board.matrix ? 1 : -1;
    origin.y = points[0].y - way * cells[0].row * 100;
    for (let c = 1; c <= width; c++)
        for (let r = 1; r <= height; r++)
            if (!is.has(c + ' ' + r)) out.push({ x: origin.x + c * 100, y: origin.y + way * r * 100 });
    return out;
}

// Sides of a rhombus that are a player's own by the rules: whole rows or whole columns at the edge. For
// each player the middles of the hexagons that show it, half hidden behind the board.
function sidesOf(game, points) {
    const { cells, width, height } = game.board;
    const find = (column, row) => points[cells.findIndex((c) => c.column === column && c.row === row)];
    if (game.board.shape !== 'rhombus' || width < 2 || height < 2) return [];
    const origin = find(1, 1), far = find(width, height);
    const middle = { x: (origin.x + far.x) / 2, y: (origin.y + far.y) / 2 };
    // Half a cell outwards, at a right angle to a side that leads from the origin to `to`.
    const out = (p, to) => {
        const n = { x: to.y - origin.y, y: origin.x - to.x };
        const k = (Math.sign((p.x - middle.x) * n.x + (p.y - middle.y) * n.y) * 26) / Math.hypot(n.x, n.y);
        return { x: p.x + k * n.x, y: p.y + k * n.y };
    };
    return (game.aims ?? []).map((aims) => {
        const own = aims.map((aim) => new Set(aim));
        const side = (on, to) =>
            own.some((aim) => cells.every((c, i) => !on(c) || aim.has(i)))
                ? cells.flatMap((c, i) => (on(c) ? [out(points[i], to)] : []))
                : [];
        const rows = [1, height].flatMap((r) => side((c) => c.row === r, find(2, 1)));
        const columns = [1, width].flatMap((n) => side((c) => c.column === n, find(1, 2)));
        return [...rows, ...columns];
    });
}

// A rhombus that stands on its point is narrow enough for a phone; hexagons stay what they are.
const stand = (p) => ({ ...p, x: p.x / 2 + p.y * Math.sqrt(0.75), y: p.y / 2 - p.x * Math.sqrt(0.75) });

// All of it. `flipped` turns the board by half; `tall`: the screen is higher than wide.
export function layoutOf(game, flipped, tall = false) {
    const style = styleOf(game);
    let points = centres(game, style);
    let fillers = fillersOf(game, style, points);
    if (flipped) {
        points = points.map((p) => ({ ...p, x: -p.x, y: -p.y }));
        fillers = fillers.map((p) => ({ ...p, x: -p.x, y: -p.y }));
    }
    if (tall && game.board.shape === 'rhombus') points = points.map(stand);
    const checkered = style === 'squares' && isCheckered(game);
    const halved = style === 'squares' && isHalved(game.board);
    const cells = game.board.cells.map((c, i) => ({
        ...points[i],
        outline: outlineOf(style, c, points[i]),
        hit: hitOf(style, c, points[i]),
        tone: halved
            ? 1
            : checkered
              ? (c.column + c.row + 1) % 2
              : style === 'hexes'
                ? (((c.column - c.row) % 3) + 3) % 3
                : 0,
        line: style === 'boxes' && (c.column + c.row) % 2 === 1,
    }));
    const all = [...cells, ...fillers];
    const margin = style === 'boxes' ? 60 : 50;
    const xs = all.map((p) => p.x),
        ys = all.map((p) => p.y);
    const area = { x: Math.min(...xs) - margin, y: Math.min(...ys) - margin };
    area.w = Math.max(...xs) + margin - area.x;
    area.h = Math.max(...ys) + margin - area.y;
    if (style === 'hexes') {
        area.y -= 8;
        area.h += 16;
    }
    if (style === 'places' && !/^[a-zA-Z]{1,2}\d{1,2}$/.test(game.board.cells[0].name)) area.h += 26; // names below
    // About the same on the screen whatever the board.
    const span = Math.max(area.w, area.h);
    const size = Math.max(10, Math.min(46, span * 0.028));
    const frame = Math.max(6, Math.min(16, span * 0.017));
    const labels = labelsOf(game, style, points, area, size, frame);
    return {
        style,
        cells,
        labels,
        labelSize: size,
        frame,
        fillers,
        area,
        flipped,
        tall,
        sides: sidesOf(game, cells),
        fillerOutline: (p) => box(p.x - 50, p.y - 50, 100, 100),
        lines: linesOf(game, style, points),
        scale: points[0]?.scale ?? null,
        bold: style === 'squares' && !checkered && !halved,
    };
}

// The cell to which an arrow key leads: the nearest that lies more or less that way; -1: none.
/** `prefers(cell)`: of cells in one place, which one is meant. */
export function neighbour(layout, from, dx, dy, prefers) {
    const a = layout.cells[from];
    // Lines lead straight on; rows of hexagons are shifted by half a cell.
    const slant = layout.style === 'hexes' ? 1.6 : 3;
    let best = -1,
        least = Infinity;
    layout.cells.forEach((b, i) => {
        const along = (b.x - a.x) * dx + (b.y - a.y) * dy;
        const aside = Math.abs((b.x - a.x) * dy - (b.y - a.y) * dx);
        if (i === from || along < 10 || aside > along * 1.3) return;
        const cost = along + slant * aside;
        if (cost < least || (cost === least && prefers(i) && !prefers(best))) [least, best] = [cost, i];
    });
    return best;
}
