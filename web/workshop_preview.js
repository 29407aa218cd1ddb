// What the rules make: the board as the game begins, its parameters to try, its legal moves.

import { clear, h } from './ui.js';
import { gameText, t } from './i18n.js';
import { createBoard } from './board.js';
import { paramsForm } from './params.js';

/** `onparams(values)` is called when a parameter was changed. */
export function createPreview(root, onparams) {
    const title = h('h2', { class: 'preview-title' });
    const about = h('p', { class: 'preview-about' });
    const note = h('p', { class: 'preview-note' }, t('workshop.old'));
    const place = h('div', { class: 'preview-board' });
    const form = h('div', { class: 'preview-params' });
    const params = h('details', { class: 'preview-part' }, h('summary', null, t('workshop.params')), form);
    const count = h('summary', null);
    const list = h('ul', { class: 'preview-moves' });
    const moves = h('details', { class: 'preview-part', open: true }, count, list);
    const players = h('p', { class: 'preview-players' });
    root.append(title, about, note, place, players, params, moves);
    params.hidden = moves.hidden = true;

    let board = null;
    let look = '';   // of the board on the page: game and parameters as text
    let fields = ''; // of the form

    function show({ game, position, moves: texts = [], count: all = texts.length }) {
        root.classList.remove('old');
        title.textContent = gameText(game, game.title);
        about.textContent = gameText(game, game.about ?? '');
        players.textContent = t('workshop.players', { list: game.players.map((name) => gameText(game, name)).join(', ') });
        // A board is only made anew when it is another one: then pieces and marks do not flicker.
        const next = JSON.stringify([game.board, game.pieces, game.players, game.look]);
        if (next !== look) {
            board?.close();
            clear(place);
            board = createBoard(place, game, { label: t('workshop.board', { title: game.title }) });
            look = next;
        }
        if (position) board.show(position, { animate: false });
        const shape = JSON.stringify(game.parameters.map(({ value, ...rest }) => rest));
        if (shape !== fields) {
            clear(form);
            paramsForm(form, game, {}, (values) => { if (values) onparams(values); });
            fields = shape;
        }
        params.hidden = game.parameters.length === 0;
        moves.hidden = all < 0; // the rules fail, as the list of errors says
        count.textContent = t('workshop.moves', { n: all });
        clear(list, texts.map((text) => h('li', null, text)),
            all > texts.length && h('li', { class: 'more' }, t('workshop.more', { n: all - texts.length })));
    }

    return {
        show,
        /** The text has errors: what is seen belongs to an older one. */
        old() {
            root.classList.add('old');
            if (!look) title.textContent = t('workshop.noGame');
        },
        /** Parameters have the values of the text again, which the form shows as soon as it can. */
        usual() {
            fields = '';
        },
        close: () => board?.close(),
    };
}
