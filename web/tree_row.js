// One line of the tree: the move, whose choice it is, the value, the window, what was cut and why.

import { h } from './ui.js';
import { known, t } from './i18n.js';
import { short, valueShort, valueWords } from './insight_value.js';

const ENDLESS = 1900000; // alpha and beta beyond this are no bound at all

/** '[−∞, +12]' of a node, or nothing. */
export function windowText(about) {
    if (typeof about.alpha !== 'number' || typeof about.beta !== 'number') return '';
    const side = (value) => (value <= -ENDLESS ? '−∞' : value >= ENDLESS ? '+∞' : valueShort(value));
    return `[${side(about.alpha)}, ${side(about.beta)}]`;
}

// Why nothing more was looked at below a node; of these something was cut off.
const CUTS = new Set(['alpha', 'beta', 'guess', 'table', 'far', 'seen']);

/** In words why there is nothing below a node, or less than there could be; '' if all was seen. */
export function whyText(about) {
    const key = `tree.why_${about.why}`;
    return about.why && known(key) ? t(key) : about.cut || '';
}

export const isCut = (about) => CUTS.has(about.why);

/** `best`: the parent's value comes from here; `total`: visits of all sisters. */
export function nodeRow(game, about, { best, total }) {
    const value = about.words || valueWords(about.value);
    const cut = isCut(about);
    const why = whyText(about);
    const name = about.move || (about.depth && !about.visits ? t('tree.toDepth', { n: about.depth }) : t('tree.root'));
    const bar = h('span', { class: 'tree-visits' });
    const row = h('span', { class: `tree-row${cut ? ' cut' : ''}${best ? ' best' : ''}` },
        h('span', { class: 'tree-twisty', 'aria-hidden': 'true' }),
        h('span', { class: 'tree-move' }, name),
        typeof about.max === 'boolean' && h('span', { class: `tree-who ${about.max ? 'max' : 'min'}` }, about.max ? 'max' : 'min'),
        typeof about.value === 'number' && h('span', {
            class: `insight-chip${about.value > 0 ? ' good' : about.value < 0 ? ' bad' : ''}`, title: value,
        }, valueShort(about.value)),
        h('span', { class: 'tree-window' }, windowText(about)),
        about.visits > 0 && [bar, h('span', { class: 'tree-count' }, short(about.visits))],
        best && h('span', { class: 'tree-best' }, t('tree.chosen')),
        why && about.why !== 'trials' && h('span', { class: 'tree-why' }, why));
    if (about.visits > 0) bar.style.setProperty('--share', String(total > 0 ? about.visits / total : 0));
    return row;
}

/** Below what was looked at: how many moves were not, and why. */
export function leftRow(about) {
    return h('li', { role: 'none', class: 'tree-left' },
        h('span', { class: 'tree-row cut' }, h('span', { class: 'tree-twisty', 'aria-hidden': 'true' }, '✂'),
            h('span', { class: 'tree-why' }, `${t('tree.left', { n: about.left })}: ${whyText(about)}`)));
}
