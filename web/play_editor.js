// play_editor: any position, put together by hand. The server keeps the position right: each change is
// sent to it and comes back as a whole.
import { gameText, t } from './i18n.js';
import { button, clear, dialog, field, h, s } from './ui.js';
import { createBoard } from './board.js';
import { attributesAt, drawPiece, pieceName, playerName } from './board_piece.js';
import { inWords } from './said.js';

const REMOVE = -1;
const LOOK = -2; // a click on a piece shows its numbers and does not change it

const topOf = (on) => (Array.isArray(on) ? on.at(-1) : on);

export function openEditor(net, game, params, state, { onPlay, onShare }) {
    let position = null, chosen = 0, looked = null, line = Promise.resolve(); // looked: the cell whose piece is shown
    const area = h('div', { class: 'editor-board' });
    const problem = h('p', { class: 'editor-problem', role: 'status' });
    const variables = h('div', { class: 'fields' }), numbers = h('div', { class: 'fields' });
    const board = createBoard(area, game, { label: t('play.editorboard') });
    const pieces = [...game.pieces.map((_, i) => i), REMOVE, ...game.attributes?.length ? [LOOK] : []];
    const tools = { [REMOVE]: [t('play.eraser'), 'M-26-26L26 26M26-26L-26 26'], [LOOK]: [t('play.looker'), 'M-20-30L-20 26L-6 12L4 34L16 28L6 8L24 8Z'] };
    const palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': t('play.palette') }, pieces.map((piece) => {
        const name = tools[piece]?.[0] ?? pieceName(game, piece);
        const drawing = s('svg', { class: 'token', viewBox: '-52 -52 104 104', 'aria-hidden': 'true' },
            tools[piece] ? s('path', { class: piece === REMOVE ? 'eraser' : 'looker', d: tools[piece][1] }) : drawPiece(game, piece));
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
        problem.textContent = answer.problem ? inWords(answer.problem, game) : t('play.editormoves', { n: answer.moves });
        problem.classList.toggle('bad', Boolean(answer.problem));
        clear(variables, fields());
        showNumbers();
    }

    // What the piece on the cell that was touched last has of its own, such as hit points.
    function showNumbers() {
        const here = looked === null ? [] : attributesAt(game, position, looked);
        board.mark('selected', here.length ? [looked] : []);
        if (here.length === 0) return void clear(numbers);
        const where = `${pieceName(game, topOf(position.cells[looked]))} ${game.board.cells[looked].name}`;
        clear(numbers, here.map(({ name, value }) =>
            control(game.attributes.find((a) => a.name === name), value, `${where}: ${words(name)}`,
                (next) => change({ attribute: [name, looked, next] }))));
    }

    const words = (name) => gameText(game, name).replace(/_/g, ' ');

    // A field for each variable, or for each of its places if it has some of them by player.
    function fields() {
        const out = [];
        for (const v of game.variables ?? []) {
            const value = position.variables?.[v.name];
            if (v.by === 'player' && Array.isArray(value))
                value.forEach((each, i) => out.push(control(v, each, `${words(v.name)} ${playerName(game, i)}`, set(v, i))));
            else if (!v.by) out.push(control(v, value, words(v.name), set(v, 0)));
        }
        return out;
    }

    const set = (v, index) => (next) => change({ set: [v.name, index, next] });

    function control(v, value, label, send) {
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
        looked = cell;
        if (chosen === LOOK) return showNumbers();
        const on = position?.cells[cell];
        const same = on === chosen && game.board.stack === 1;
        return change({ put: [cell, same ? REMOVE : chosen] });
    });
    board.mayDrag = (cell) => position?.cells[cell] !== null && game.board.stack === 1;
    board.on('drop', ({ from, to }) => {
        const piece = position.cells[from];
        looked = to;
        change({ put: [from, REMOVE] }).then(() => change({ put: [to, piece] }));
    });
    change({});

    return dialog({
        title: t('play.editor'), kind: 'wide',
        body: h('div', { class: 'editor' }, area, h('div', { class: 'editor-side column' },
            h('p', { class: 'soft' }, t('play.editorhelp')), palette,
            game.players.length > 1 && field(t('play.onmove'), player), numbers, variables, problem)),
        buttons: [['play', t('play.editorplay'), 'main'], ['share', t('play.share')]],
    }).then(async (answer) => {
        await line;
        board.close();
        if (answer === 'play' && position) onPlay(position.text);
        if (answer === 'share' && position) onShare(position);
    });
}
