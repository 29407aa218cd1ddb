// The chosen node of the tree: its position on a small board, and its numbers in words.

import { clear, h } from './ui.js';
import { number, t } from './i18n.js';
import { createBoard } from './board.js';
import { valueWords } from './insight_value.js';
import { whyText, windowText } from './tree_row.js';

export function createDetail(root, game) {
    const way = h('p', { class: 'tree-way' });
    const still = h('div', { inert: true }); // a picture: one cannot choose anything here
    const place = h('div', { class: 'tree-board', role: 'img', 'aria-label': t('tree.board') }, still);
    const facts = h('dl', { class: 'tree-facts' });
    root.append(way, place, facts);
    let board = null;

    function show(node, moves) {
        way.textContent = moves.length ? moves.join(' ') : t('tree.root');
        if (node.position) {
            board ??= createBoard(still, game);
            board.show(node.position);
        }
        const entries = [
            ['value', node.words || valueWords(node.value)],
            ['kind', typeof node.max === 'boolean' ? t(node.max ? 'tree.isMax' : 'tree.isMin') : ''],
            ['window', windowText(node)],
            ['scout', node.scout ? t('tree.isScout') : ''],
            ['visitsName', node.visits > 0 ? number(node.visits) : ''],
            ['leftName', node.left > 0 ? number(node.left) : ''],
            ['why', whyText(node)],
            ['children', node.children?.length ? number(node.children.length) : ''],
        ];
        clear(facts, entries.filter(([, text]) => text).map(([key, text]) => {
            const wide = ['kind', 'why', 'children'].includes(key) ? 'wide' : null;
            return [h('dt', { class: wide }, t(`tree.${key}`)), h('dd', { class: wide }, text)];
        }));
    }

    return { show, close: () => board?.close() };
}
