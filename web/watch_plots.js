// Drawings of a tournament: strength with errors, lengths of games.

import { s } from './ui.js';
import { number, t } from './i18n.js';

const WIDTH = 640;

// Round steps, so that about `most` of them cover a range.
function stepFor(range, most) {
    const raw = range / most || 1;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((f) => f * power).find((step) => step >= raw);
}

/** Elo of each entrant with its error at 95 %: [{name, elo, error}]. */
export function eloPlot(list) {
    const row = 30, left = 190, right = 56, top = 8;
    const shown = list.slice(0, 40);
    const height = top + row * shown.length + 26;
    // The weak prior of those who lost or won all makes errors of thousands: bounds come from values.
    const low = Math.min(-50, ...shown.map((e) => e.elo - Math.min(e.error, 400)));
    const high = Math.max(50, ...shown.map((e) => e.elo + Math.min(e.error, 400)));
    const x = (elo) => left + ((Math.max(low, Math.min(high, elo)) - low) / (high - low)) * (WIDTH - left - right);
    const step = stepFor(high - low, 6);
    const lines = [];
    for (let at = Math.ceil(low / step) * step; at <= high; at += step) {
        lines.push(s('line', { class: at === 0 ? 'plot-zero' : 'plot-grid', x1: x(at), x2: x(at), y1: top, y2: height - 22 }),
            s('text', { class: 'plot-number', x: x(at), y: height - 6, 'text-anchor': 'middle' }, number(at)));
    }
    const label = t('watch.eloLabel', { list: shown.map((e) => `${e.name} ${Math.round(e.elo)}`).join(', ') });
    return s('svg', { class: 'plot', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': label },
        lines, shown.map((e, i) => {
            const y = top + row * (i + 0.5);
            const name = e.name.length > 24 ? `${e.name.slice(0, 23)}…` : e.name;
            return s('g', null,
                s('text', { class: 'plot-name', x: left - 10, y: y + 5, 'text-anchor': 'end' }, name, s('title', null, e.name)),
                s('line', { class: 'plot-error', x1: x(e.elo - e.error), x2: x(e.elo + e.error), y1: y, y2: y }),
                [-1, 1].map((side) => s('line', { class: 'plot-error', x1: x(e.elo + side * e.error), x2: x(e.elo + side * e.error), y1: y - 5, y2: y + 5 })),
                s('circle', { class: 'plot-dot', cx: x(e.elo), cy: y, r: 6 }),
                s('text', { class: 'plot-value', x: WIDTH - 4, y: y + 5, 'text-anchor': 'end' }, number(Math.round(e.elo), { signDisplay: 'exceptZero' })));
        }));
}

/** How many games had how many moves: [{length, games}]. */
export function lengthPlot(list) {
    const height = 180, left = 40, bottom = 34;
    const least = Math.min(...list.map((e) => e.length));
    const most = Math.max(...list.map((e) => e.length));
    const wide = Math.max(1, Math.ceil((most - least + 1) / 30));
    const bins = Array.from({ length: Math.ceil((most - least + 1) / wide) }, () => 0);
    for (const e of list) bins[Math.floor((e.length - least) / wide)] += e.games;
    const top = Math.max(1, ...bins);
    const slot = (WIDTH - left - 8) / Math.max(bins.length, 8);
    const y = (games) => height - bottom - (games / top) * (height - bottom - 14);
    const label = t('watch.lengthLabel', { least, most });
    const every = Math.ceil(bins.length / 8);
    return s('svg', { class: 'plot', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': label },
        [0, top].map((games) => [
            s('line', { class: 'plot-grid', x1: left, x2: WIDTH - 8, y1: y(games), y2: y(games) }),
            s('text', { class: 'plot-number', x: left - 8, y: y(games) + 4, 'text-anchor': 'end' }, number(games))]),
        bins.map((games, i) => [
            s('rect', { class: 'plot-bar', x: left + i * slot + 2, width: Math.max(1, slot - 4), y: y(games), height: Math.max(0, height - bottom - y(games)), rx: 2 },
                s('title', null, t('watch.lengthBar', { n: games, length: least + i * wide }))),
            i % every === 0 && s('text', { class: 'plot-number', x: left + (i + 0.5) * slot, y: height - bottom + 16, 'text-anchor': 'middle' }, number(least + i * wide))]),
        s('text', { class: 'plot-number', x: WIDTH - 8, y: height - 2, 'text-anchor': 'end' }, t('watch.lengthAxis')));
}
