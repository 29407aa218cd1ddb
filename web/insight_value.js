// What values of positions mean: who is ahead, by how much, whether it is proven.

import { gameText, number, t } from './i18n.js';

const WIN = 1000000; // as in src/search/search.h: a win in n moves is WIN - n
const SURE = 900000; // from here on a value is proven
const HALF = 400;    // an estimate that fills half of the way from even to won

export const isSure = (value) => Math.abs(value) >= SURE;

/** 0..1: how full the bar of the player is for whom the value is. */
export function share(value) {
    if (isSure(value)) return value > 0 ? 1 : 0;
    return 0.5 + 0.47 * (value / (Math.abs(value) + HALF));
}

/** A value as people read it: '+120', 'wins in 5', 'even'. */
export function valueWords(value) {
    if (value === null || value === undefined) return '';
    if (value >= SURE) return t('insight.wins', { n: WIN - value });
    if (value <= -SURE) return t('insight.loses', { n: WIN + value });
    if (value === 0) return t('insight.even');
    return number(value, { signDisplay: 'always' });
}

/** The same in little room: '+120', '#5', '-#4'. */
export function valueShort(value) {
    if (value === null || value === undefined) return '';
    if (isSure(value)) return `${value < 0 ? '−' : ''}#${WIN - Math.abs(value)}`;
    return value === 0 ? '0' : number(value, { signDisplay: 'always' });
}

/** Who is ahead, for the first of two players: 'White is ahead: +120'. */
export function aheadWords(game, value) {
    if (value === null || value === undefined) return t('insight.unknown');
    if (game.players.length !== 2) return valueWords(value);
    if (value === 0) return t('insight.even');
    const name = gameText(game, game.players[value > 0 ? 0 : 1]);
    const size = Math.abs(value);
    return isSure(size) ? t('insight.winsFor', { name, n: WIN - size }) : t('insight.ahead', { name, n: number(size) });
}

/** From the player on move to the first player; with one or many players there is no such thing. */
export const forFirst = (game, player, value) =>
    (game.players.length === 2 && player === 1 && typeof value === 'number' ? -value : value);

/** 12345678 -> '12.3 M'. */
export const short = (count) => number(count, { notation: 'compact', maximumSignificantDigits: 3 });

// The names of cells of a game, the longest first, as one pattern.
const patterns = new WeakMap();

function cellPattern(game) {
    if (!patterns.has(game)) {
        const numbers = new Map(game.board.cells.map((cell, i) => [cell.name, i]));
        const names = [...numbers.keys()].sort((a, b) => b.length - a.length)
            .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        const pattern = names.length ? new RegExp(`(?<![A-Za-z0-9])x?(${names.join('|')})(?![0-9])`, 'g') : null;
        patterns.set(game, { numbers, pattern });
    }
    return patterns.get(game);
}

/**
 * The cells that a move names, in its order: 'b2-c2xa1' is b2, c2, a1. Where its text names none,
 * those it changes.
 */
function moveCells(game, move) {
    const { numbers, pattern } = cellPattern(game);
    const named = pattern ? [...move.move.matchAll(pattern)].map((m) => numbers.get(m[1])) : [];
    return named.length ? named : move.cells ?? [];
}

/**
 * The arrow of a move in a position: {from, to}; `from` is null where nothing goes elsewhere: one cell
 * is touched, or the first one is empty.
 */
export function moveArrow(game, move, position) {
    const [first, second] = moveCells(game, move);
    if (first === undefined) return null;
    const on = position.cells[first];
    const empty = Array.isArray(on) ? on.length === 0 : on === null;
    return second === undefined || second === first || empty ? { from: null, to: first } : { from: first, to: second };
}
