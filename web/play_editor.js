// play_editor: any position, put together by hand. The server keeps the position right: each change is
// sent to it and comes back as a whole.
import { gameText, t } from './i18n.js';
import { button, clear, dialog, field, h, s } from './ui.js';
import { createBoard } from './board.js';
import { drawPiece, pieceName, playerName } from './board_piece.js';

const REMOVE = -1;

export function openEditor(net, game, params, state, { onPlay, onShare }) {
    let position = null, chosen = 0, line = Promise.resolve();
    const area = h('div', { class: 'editor-board' });
    const problem = h('p', { class: 'editor-problem', role: 'status' });
    const variables = h('div', { class: 'fields' });
    const board = createBoard(area, game, { label: t('play.editorboard') });
    const pieces = [...game.pieces.map((_, i) => i), REMOVE];
    const palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': t('play.palette') }, pieces.map((piece) => {
        const name = piece === REMOVE ? t('play.eraser') : pieceName(game, piece);
        const drawing = s('svg', { class: 'token', viewBox: '-52 -52 104 104', 'aria-hidden': 'true' },
            piece === REMOVE ? s('path', { class: 'eraser', d: 'M-26-26L26 26M26-26L-26 26' }) : drawPiece(game, piece));
        return h('button', {
            type: 'button', class: 'button palette-piece', role: 'radio', 'aria-label': name, title: name, 'data-piece': piece,
            'aria-checked': String(piece === chosen), onclick: () => pick(piece),
        }, drawing);
    }));
    const player = h('select', { onchange: () => change({ player: Number(player.value) }) },
        game.players.map((_, i) => h('option', { value: i }, playerName(game, i))));

    function pick(piece) {
        chosen = piece;
        for (const each of palette.children) each.setAttribute('aria-checked', String(Number(each.dataset.piece) === piece));
    }

    // One after the other: each change is made to what the one before gave.
    function change(members) {
        line = line.then(async () => {
            try {
                const answer = await net.ask('edit', { game: game.game, params, state: position?.text ?? state, ...members });
                position = answer.position;
                show(answer);
            } catch (error) {
                problem.textContent = error.message;
                problem.classList.add('bad');
            }
        });
        return line;
    }

    function show(answer) {
        board.show(position, { animate: false });
        player.value = String(position.player);
        problem.textContent = answer.problem ?? t('play.editormoves', { n: answer.moves });
        problem.classList.toggle('bad', Boolean(answer.problem));
        clear(variables, fields());
    }

    const words = (name) => gameText(game, name).replace(/_/g, ' ');

    // A field for each variable, or for each of its places if it has some of them by player.
    function fields() {
        const out = [];
        for (const v of game.variables ?? []) {
            const value = position.variables?.[v.name];
            if (v.by === 'player' && Array.isArray(value))
                value.forEach((each, i) => out.push(control(v, i, each, `${words(v.name)} ${playerName(game, i)}`)));
            else if (!v.by) out.push(control(v, 0, value, words(v.name)));
        }
        return out;
    }

    function control(v, index, value, label) {
        const send = (next) => change({ set: [v.name, index, next] });
        if (v.kind === 'flag') {
            const box = h('input', { type: 'checkbox', onchange: () => send(box.checked) });
            box.checked = Boolean(value);
            return field(label, box);
        }
        if (v.kind === 'number')
            return field(label, h('input', {
                type: 'number', min: v.low, max: v.high, value: value ?? '',
                onchange: (event) => { if (event.target.value !== '') send(Number(event.target.value)); },
            }));
        if (v.kind === 'cell')
            return field(label, h('select', {
                value: value ?? '', onchange: (event) => send(event.target.value === '' ? null : Number(event.target.value)),
            }, h('option', { value: '' }, '–'), game.board.cells.map((c, i) => h('option', { value: i }, c.name))));
        return field(label, h('input', { type: 'text', value: String(value ?? ''), onchange: (event) => send(event.target.value) }));
    }

    board.on('choose', ({ cell }) => {
        const on = position?.cells[cell];
        const same = on === chosen && game.board.stack === 1;
        change({ put: [cell, same ? REMOVE : chosen] });
    });
    board.mayDrag = (cell) => position?.cells[cell] !== null && game.board.stack === 1;
    board.on('drop', ({ from, to }) => {
        const piece = position.cells[from];
        change({ put: [from, REMOVE] }).then(() => change({ put: [to, piece] }));
    });
    change({});

    return dialog({
        title: t('play.editor'), kind: 'wide',
        body: h('div', { class: 'editor' }, area, h('div', { class: 'editor-side column' },
            h('p', { class: 'soft' }, t('play.editorhelp')), palette,
            game.players.length > 1 && field(t('play.onmove'), player), variables, problem)),
        buttons: [['play', t('play.editorplay'), 'main'], ['share', t('play.share')]],
    }).then(async (answer) => {
        await line;
        board.close();
        if (answer === 'play' && position) onPlay(position.text);
        if (answer === 'share' && position) onShare(position);
    });
}
