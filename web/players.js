// players: the computer players of the page, in words for people.
import { known, t } from './i18n.js';

/** Strength 1..10; names are those of `ludens players`. */
export const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export function levelName(level) {
    return t(`players.level${level}`);
}

export function levelPlayer(level) {
    return `auto:level=${level}`;
}

export function timePlayer(seconds) {
    return `auto:time=${seconds}s`;
}

// 'minimax:depth=2' -> 'minimax, 2 moves ahead'; what has no words stays as it is.
function styleName(text) {
    const [, name, params = ''] = /^([\w-]+)(?::(.*))?$/.exec(text) ?? [];
    const key = `players.by_${(name ?? '').replaceAll('-', '_')}`;
    if (!name || !known(key)) return text;
    const words = params.split(',').filter(Boolean).map((param) => {
        const [what, value] = param.split('=');
        return known(`players.with_${what}`) ? t(`players.with_${what}`, { value }) : param;
    });
    return [t(key), ...words].join(', ');
}

/** 'auto:level=3' -> 'Level 3: easy', 'auto:time=5s' -> '5 s per move', others as they think. */
export function playerName(text) {
    const level = /^auto:level=(\d+)$/.exec(text ?? '');
    if (level && levels.includes(Number(level[1])))
        return t('players.level', { n: Number(level[1]), name: levelName(Number(level[1])) });
    const time = /^auto:time=([\d.]+)s$/.exec(text ?? '');
    if (time) return t('players.time', { n: Number(time[1]) });
    return styleName(text ?? '');
}
