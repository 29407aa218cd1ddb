// board_piece: pieces as drawings. What a piece looks like follows from its kind, its owner and its
// symbol; nothing is known about games. Every shape is drawn around 0,0 in a cell of 100 units.
//
// Owners differ by more than colour: each has a motif of its own on discs (ring, dot, triangle,
// square), and other pieces differ by shape or letter.

import { s } from './ui.js';
import { gameText } from './i18n.js';
import { CHESS_SHAPES } from './board_chess.js';
import { FIGURES } from './board_figures.js';

const COLOURS = [
    'white',
    'black',
    'red',
    'blue',
    'yellow',
    'green',
    'brown',
    'orange',
    'purple',
    'grey',
    'gray',
    'pink',
];
const CHESS_KINDS = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];

const colourWord = (text) => {
    const low = text.toLowerCase();
    const found = COLOURS.find((c) => low === c || low.startsWith(c) || low.endsWith(c));
    return found === 'gray' ? 'grey' : found;
};

// A class of board.css: the colour that the owner's name or the piece's own says, else the owner's
// place in the list.
export function playerColour(game, player) {
    return colourWord(game.players[player] ?? '') ?? 'p' + (player % 6);
}
// Whose a piece looks: its owner's, or the player's that it is called like. In S3 files the owner may be
// only who its rules are written for.
function sideOf(game, piece) {
    const called = game.players.findIndex((name) => name.toLowerCase() === piece.kind.toLowerCase());
    return called >= 0 ? called : piece.owner ?? null;
}
export function pieceColour(game, piece) {
    const side = sideOf(game, piece);
    if (side === null || game.players.length === 1)
        return colourWord(piece.kind) ?? NOBODY[piece.kind] ?? (side === 0 ? 'p0' : 'nobody');
    const name = colourWord(game.players[side] ?? '');
    return name ?? NATURAL[piece.kind] ?? colourWord(piece.kind) ?? 'p' + (side % 6);
}
const NATURAL = { fox: 'orange', hound: 'brown' };
const NOBODY = {
    rock: 'grey',
    match: 'wood',
    peg: 'p0',
    tile: 'wood',
    stroke: 'ink',
    arrow: 'ink',
    wolf: 'grey',
    goat: 'white',
    cabbage: 'green',
    farmer: 'blue',
};

// Which drawing a piece gets.
export function formOf(game, piece) {
    const { kind, symbol } = piece;
    const chess = symbol ? '♔♕♖♗♘♙'.indexOf(symbol) : -1;
    if (chess >= 0) return CHESS_KINDS[chess];
    const black = symbol ? '♚♛♜♝♞♟'.indexOf(symbol) : -1;
    if (black >= 0) return CHESS_KINDS[black];
    if (symbol === '⛁' || symbol === '⛃') return 'crowned';
    if (symbol === '×' || symbol === '✕') return piece.owner === null ? 'burnt' : 'cross';
    if (symbol === '○' && game.pieces.some((p) => p.kind === kind && p.symbol === '×')) return 'ring';
    if (symbol === '┃') return 'upright';
    if (symbol === '━') return 'flat';
    if (symbol === '█') return 'fill';
    if (symbol === '❙') return 'match';
    if (symbol === '▲') return 'rock';
    if (/frog|toad/i.test(kind + ' ' + game.title)) return 'frog';
    if (symbol === '▶' || symbol === '◀' || symbol === '▼') return 'wedge';
    if (FIGURES[kind]) return kind;
    if (kind === 'tile') return 'tile';
    if (kind === 'peg') return 'ball';
    if (kind === 'fighter' || kind === 'soldier') return 'shield';
    if ('●○◯⬤⛀⛂'.includes(symbol || '-')) return 'disc';
    if (CHESS_KINDS.includes(kind) && kind !== 'king') return kind;
    if (kind === 'king' && game.pieces.some((p) => p.kind === 'queen' || p.kind === 'rook')) return kind;
    if (/^(man|stone|disc|checker|(white|black|red|blue|green)(_\d+)?)$/.test(kind)) return 'disc';
    if (kind === 'box') return 'claim';
    return 'token';
}

const shadow = (r, y = 4) => s('circle', { class: 'shade', cx: 0, cy: y, r });
const MOTIFS = [
    () => [s('circle', { class: 'motif', r: 24 })],
    () => [s('circle', { class: 'motif', r: 27 }), s('circle', { class: 'motif full', r: 9 })],
    () => [s('path', { class: 'motif', d: 'M0-26L23 14H-23z' })],
    () => [s('path', { class: 'motif', d: 'M-18-18h36v36h-36z' })],
    () => [s('path', { class: 'motif', d: 'M0-26L26 0L0 26L-26 0z' })],
    () => [s('path', { class: 'motif', d: 'M-24 0H24M0-24V24' })],
];
const motif = (owner) => MOTIFS[(owner ?? 0) % MOTIFS.length]();

const text = (content, size, y = 0, cls = 'letter', x = 0) => {
    const el = s('text', {
        class: cls,
        x,
        y,
        'font-size': size,
        'dominant-baseline': 'central',
        'text-anchor': 'middle',
    });
    el.textContent = content;
    return el;
};
const path = (d, cls = 'body') => s('path', { class: cls, d });

// Turned the way its symbol shows, or to the right for the first of two.
function faces(game, piece) {
    if (piece.symbol === '◀') return -1;
    if (piece.symbol === '▶') return 1;
    const kinds = game.pieces.map((p) => p.kind);
    return kinds.indexOf(piece.kind) % 2 ? -1 : 1;
}

const FORMS = {
    disc: (piece, game) => [shadow(40), s('circle', { class: 'body', r: 39 }), ...motif(sideOf(game, piece))],
    crowned: () => [
        shadow(40, 8),
        s('circle', { class: 'body', r: 39, cy: 4 }),
        s('circle', { class: 'body', r: 39, cy: -5 }),
        path('M-22 10l-5-27 13 11 14-17 14 17 13-11-5 27z', 'motif full'),
    ],
    ball: () => [
        shadow(34, 5),
        s('circle', { class: 'body', r: 33 }),
        s('ellipse', { class: 'shine', cx: -10, cy: -13, rx: 10, ry: 7 }),
    ],
    cross: () => [path('M-27-27L27 27M27-27L-27 27', 'stroke')],
    ring: () => [s('circle', { class: 'stroke', r: 29 })],
    burnt: () => [
        s('rect', { class: 'body burnt', x: -46, y: -46, width: 92, height: 92, rx: 10 }),
        path('M-18-18L18 18M18-18L-18 18', 'scar'),
    ],
    upright: () => [
        s('rect', { class: 'body', x: -32, y: -44, width: 64, height: 88, rx: 14 }),
        path('M0-20V20', 'motif'),
    ],
    flat: () => [
        s('rect', { class: 'body', x: -44, y: -32, width: 88, height: 64, rx: 14 }),
        path('M-20 0H20', 'motif'),
    ],
    fill: () => [],
    match: () => [
        path('M-6-26h12v66h-12z', 'body'),
        s('ellipse', { class: 'tip', cx: 0, cy: -30, rx: 10, ry: 13 }),
    ],
    rock: () => [
        path('M-36 30c-10-10-8-22 0-30 2-18 16-30 32-28 18-2 26 12 30 24 14 6 18 22 8 34z'),
        path('M-14 2l10-14 14 4M8 20l12-12', 'crack'),
    ],
    wedge: (piece, game) => [path(faces(game, piece) > 0 ? 'M-26-32L36 0L-26 32z' : 'M26-32L-36 0L26 32z')],
    tile: () => [s('rect', { class: 'body', x: -46, y: -46, width: 92, height: 92, rx: 12 })],
    shield: () => [
        path('M0-44c12 8 24 11 36 11v30c0 24-16 39-36 47-20-8-36-23-36-47v-30c12 0 24-3 36-11z', 'shade low'),
        path('M0-46c12 8 24 11 36 11v30c0 24-16 39-36 47-20-8-36-23-36-47v-30c12 0 24-3 36-11z'),
    ],
    claim: ({ letter, owner }) => [
        s('rect', { class: 'body flat', x: -48, y: -48, width: 96, height: 96, rx: 6 }),
        text(letter || String((owner ?? 0) + 1), 46),
    ],
    token: ({ letter, kind, owner }) => [
        shadow(40),
        s('circle', { class: 'body', r: 39 }),
        s('circle', { class: 'motif thin', r: owner ? 33 : 34 }),
        text(letter || kind.slice(0, 1).toUpperCase(), 40),
    ],
    frog: (piece, game) => {
        const g = s('g', faces(game, piece) < 0 ? { transform: 'scale(-1 1)' } : {});
        g.append(...FIGURES.frog());
        return [g];
    },
};

// The words on a piece: attributes that are no quantities, such as a fighter's number.
function marked(form, attributes) {
    const parts = [];
    for (const a of attributes) {
        if (a.bar || a.value === null || a.value === undefined || a.value === false) continue;
        parts.push(a.value === true ? a.name.slice(0, 1) : String(a.value));
    }
    if (!parts.length) return [];
    const word = parts.join(' ').slice(0, 5);
    if (form === 'tile') return [text(word, word.length > 2 ? 40 : 54)];
    if (form === 'shield') return [text(word, word.length > 2 ? 26 : 36, -12)];
    return [s('circle', { class: 'badge', cx: 28, cy: -28, r: 15 }), text(word, 20, -28, 'badge-text', 28)];
}

// Quantities, such as hit points: bars with the number, below the piece.
function bars(attributes) {
    const quantities = attributes.filter((a) => a.bar && typeof a.value === 'number');
    return quantities.flatMap((a, i) => {
        const share = Math.max(0, Math.min(1, (a.value - a.low) / (a.high - a.low || 1)));
        const y = 35 - 19 * i,
            cls = share > 0.6 ? 'good' : share > 0.3 ? 'fair' : 'poor';
        return [
            s('rect', { class: 'bar', x: -43, y: y - 10, width: 86, height: 20, rx: 10 }),
            s('rect', {
                class: 'level ' + cls,
                x: -41,
                y: y - 8,
                width: Math.max(16, 82 * share),
                height: 16,
                rx: 8,
            }),
            text(String(a.value), 19, y + 0.5, 'bar-text'),
        ];
    });
}

// The element of one piece. `attributes`: [{name, value, bar, low, high}].
export function drawPiece(game, number, attributes = []) {
    const piece = game.pieces[number];
    const form = formOf(game, piece);
    const g = s('g', { class: `piece ${form} c-${pieceColour(game, piece)}` });
    const chess = CHESS_SHAPES[form];
    if (chess) g.append(...chess());
    else if (FORMS[form]) g.append(...FORMS[form](piece, game));
    else if (FIGURES[form]) g.append(...FIGURES[form]());
    const state = /_([2-9])$/.exec(piece.kind); // of S3 files: a piece in another state than its first
    const marks = state ? [{ name: 'state', value: state[1] }, ...attributes] : attributes;
    g.append(...marked(form, marks), ...bars(attributes));
    return g;
}

// A piece of a stack, seen from the side and a little from above: chips on each other.
export function drawChip(game, number, thickness) {
    const piece = game.pieces[number],
        side = sideOf(game, piece) ?? 0,
        t = thickness;
    const g = s('g', { class: `piece chip c-${pieceColour(game, piece)}` });
    g.append(
        path(`M-38 0v${-t}a38 13 0 0 1 76 0v${t}a38 13 0 0 1-76 0z`, 'body'),
        path(`M-38 ${-t}a38 13 0 0 0 76 0`, 'rim'),
        s('ellipse', { class: 'body top', cx: 0, cy: -t, rx: 38, ry: 13 }),
    );
    g.append(
        side % 2 === 0
            ? s('ellipse', { class: 'motif', cx: 0, cy: -t, rx: 24, ry: 7.4 })
            : s('ellipse', { class: 'motif full', cx: 0, cy: -t, rx: 10, ry: 3.6 }),
    );
    if (side % 2)
        g.append(
            path(`M-26 ${9.5 - t}v${t}M-9 ${12.6 - t}v${t}M9 ${12.6 - t}v${t}M26 ${9.5 - t}v${t}`, 'notch'),
        );
    return g;
}

// Attributes of the piece on a cell, ready for drawPiece.
export function attributesAt(game, position, cell) {
    const out = [];
    for (const a of game.attributes ?? []) {
        let value = position.attributes?.[a.name]?.[cell];
        if (Array.isArray(value)) value = value[value.length - 1];
        if (value === null || value === undefined) continue;
        out.push({
            name: a.name,
            value,
            low: a.low ?? 0,
            high: a.high ?? 0,
            bar: a.kind === 'number' && a.low === 0 && a.high > 1,
        });
    }
    return out;
}

/** A player's name in the language of the page, where the rules have it. */
export function playerName(game, player) {
    return gameText(game, game.players[player]);
}

// How a piece is called: `White man`.
export function pieceName(game, number) {
    const piece = game.pieces[number];
    const side = sideOf(game, piece);
    const owner = side === null ? '' : playerName(game, side);
    const own = gameText(game, piece.kind);
    const kind = own !== piece.kind ? own : own
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replace(/_/g, ' ')
        .toLowerCase();
    return game.players.length > 1 && owner && owner.toLowerCase() !== kind ? `${owner} ${kind}` : kind;
}
