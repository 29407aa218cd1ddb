// workshop_study: what a study of a game found, in sentences of the person's language. The numbers are
// those of `ludens study --json`; what follows from them is what study_text.c says in English.
import { h, marked } from './ui.js';
import { number, t } from './i18n.js';
import { levelName } from './players.js';

const FEW = 10; // games from which nothing follows
const LEVELS = { beginner: 1, casual: 4, hard: 7 };

const percent = (share) => `${Math.round(share * 100)} %`;
const withError = (x) => `${percent(x.share)} (± ${Math.round((x.error ?? 0) * 100)})`;
const one = (value) => number(value, { maximumFractionDigits: 1 });

function length({ length: all, random }) {
    return [all && t(all.min === all.max ? 'study.same' : 'study.length', all), random && t('study.chance', { mean: one(random.length) }),
        all?.max <= 3 && t('study.short')];
}

function choice({ branching: b }) {
    if (!b) return [];
    const word = b.forced > 0.4 ? 'forced' : b.mean > 150 ? 'many' : null;
    return [t('study.choice', { mean: one(b.mean), max: b.max, forced: percent(b.forced) }), word && t(`study.${word}`)];
}

function advantage({ share, error, games }) {
    const off = Math.abs(share - 0.5);
    if (games < FEW) return 'few';
    if (off <= error) return error < 0.06 ? 'even' : 'unclear';
    return (off < 0.1 ? 'small' : 'large') + (share > 0.5 ? '' : 'Against');
}

function first({ first: x }) {
    return x?.games ? [t('study.first', { share: withError(x), verdict: t(`study.${advantage(x)}`) })] : [];
}

function draws({ draws: x }) {
    if (!x?.games) return [];
    const word = x.share > 0.5 ? 'drawn' : x.share > 0.2 ? null : 'won';
    return [t('study.draws', { share: withError(x) }), word && t(`study.${word}`)];
}

function strength({ hard_beginner: most, hard_casual: up, casual_beginner: low }) {
    if (!most?.games) return [];
    const word = most.games < FEW ? 'few' : most.share - most.error < 0.5 ? 'luck' : most.share < 0.75 ? 'little'
        : up.share - up.error > 0.5 ? 'much' : 'soon';
    const names = Object.fromEntries(Object.entries(LEVELS).map(([name, level]) => [name, levelName(level)]));
    return [t('study.strength', {
        ...names, most: withError(most), up: withError(up), low: withError(low), verdict: t(`study.${word}`),
    })];
}

function comebacks({ comebacks: x, lead_changes: times }) {
    if (!(x?.games >= FEW)) return [];
    const word = x.share < 0.05 ? 'stays' : x.share > 0.5 ? 'late' : 'back';
    return [t('study.comebacks', { share: withError(x), times: one(times ?? 0) }), t(`study.${word}`)];
}

function unused({ unused: all, games = 0, random_games: chance = 0 }) {
    const n = games + chance;
    if (!all || n === 0) return [];
    if (all.length === 0) return [t('study.used', { n })];
    const list = all.map(({ what, line }) => (line ? `${what} (${t('study.line', { n: line })})` : what)).join('; ');
    return [t('study.unused', { n, list })];
}

const parts = { length, choice, first, draws, strength, comebacks, unused };

/** [[heading, sentences]…]; what nothing is known about is left out. */
export function sentencesOf(study) {
    return Object.entries(parts)
        .map(([name, say]) => [t(`workshop.${name}`), say(study).filter(Boolean).join(' ')])
        .filter(([, text]) => text);
}

/** All of it as an element, with a bar for the balance. */
export function studyTable(study) {
    return h('div', { class: 'study' },
        typeof study.first?.share === 'number' && balance(study.first.share, study.first.error ?? 0),
        h('dl', { class: 'study-list' }, sentencesOf(study).map(([name, text]) => [h('dt', null, name), h('dd', null, marked(text))])),
        h('p', { class: 'field-help' }, t('workshop.studyError')));
}

// A bar from 0 to 100 % with the first player's share and its error.
function balance(share, error) {
    const low = Math.max(0, share - error), high = Math.min(1, share + error);
    const mark = h('span', { class: 'balance-mark' });
    const range = h('span', { class: 'balance-range' });
    mark.style.left = `${share * 100}%`;
    range.style.left = `${low * 100}%`;
    range.style.width = `${(high - low) * 100}%`;
    const label = t('workshop.balance', { share: percent(share) });
    return h('div', null, h('p', { class: 'balance-text' }, label), h('div', { class: 'balance', 'aria-hidden': 'true' },
        h('span', { class: 'balance-middle' }), range, mark));
}
