// A game of computers: the board, who plays, the moves, and how fast.

import { button, clear, h, marked, style, toast } from './ui.js';
import { gameText, t } from './i18n.js';
import { gameAddress } from './library.js';
import { createBoard } from './board.js';
import { playerColour } from './board_piece.js';
import { playerName } from './players.js';
import { createPace } from './watch_pace.js';
import { endWords } from './play_end.js';

export function openStage(root, net, id) {
    style('board.css');
    const heading = h('h1', null, t('watch.title'));
    const place = h('div', { class: 'stage-board' });
    const seats = h('ul', { class: 'stage-seats' });
    const moves = h('ol', { class: 'stage-moves', 'aria-label': t('watch.moves'), tabindex: '0' });
    const said = h('p', { class: 'stage-said', role: 'status' });
    const bar = h('div');
    const after = h('div', { class: 'stage-after' });
    root.append(h('div', { class: 'stage' }, h('div', { class: 'stage-left' }, heading, place, bar),
        h('aside', { class: 'stage-right', 'aria-label': t('watch.moves') }, seats, said, moves, after)));
    const pace = createPace(bar, net, id);
    const follow = net.room(id);
    let board = null;
    let game = null;
    let asked = false;
    let closed = false;

    async function load(room) {
        asked = true;
        try {
            const answer = await fetch(gameAddress(room.game, room.params));
            game = await answer.json();
            if (!answer.ok) throw new Error(game.error);
        } catch (error) {
            toast(error.message, 'error');
            return;
        }
        if (closed) return;
        heading.textContent = gameText(game, game.title);
        board = createBoard(place, game, { label: t('watch.board', { title: game.title }) });
        draw(follow.now);
    }

    function draw(room) {
        if (!room) {
            if (follow.state === 'gone') said.textContent = follow.error?.message ?? t('watch.gone');
            return;
        }
        if (!asked) load(room);
        pace.follow(room);
        if (!board) return;
        const last = room.moves.at(-1);
        board.show(room.position, { animate: true });
        board.mark('last', last?.cells ?? []);
        const over = room.ended || room.position.over;
        clear(seats, room.seats.map((seat, i) => h('li', {
            class: `${!over && room.position.player === i ? 'now' : ''}${over && winners(room).includes(i) ? ' won' : ''}`,
        }, h('span', { class: `stage-dot c-${playerColour(game, i)}` }), h('strong', null, gameText(game, game.players[i])),
        h('span', null, seat.kind === 'computer' ? playerName(seat.player) : seat.name))));
        drawMoves(room.moves);
        clear(said, marked(over ? endWords(game, room).join(': ')
            : last ? t('watch.lastMove', { player: gameText(game, game.players[last.player]), move: last.text }) : t('watch.beginning')));
        clear(after, over && button(t('watch.again'), { icon: 'restart', kind: 'main', onclick: () => again(room) }),
            button(t('watch.insight'), { icon: 'hint', onclick: () => { location.hash = `#/room/${id}`; } }));
    }

    // Moves are only added, as long as none was taken back.
    function drawMoves(list) {
        while (moves.childElementCount > list.length) moves.lastChild.remove();
        for (let i = moves.childElementCount; i < list.length; i++) {
            moves.append(h('li', { class: `p${list[i].player}` }, list[i].text));
        }
        moves.scrollTop = moves.scrollHeight;
    }

    const winners = (room) => room.ended?.winners ?? room.position.winners ?? [];

    async function again(room) {
        try {
            const { room: next } = await net.ask('open', {
                game: room.game, params: room.params,
                seats: room.seats.map((s) => ({ kind: 'computer', player: s.player, name: s.name })),
            });
            location.hash = `#/watch?room=${encodeURIComponent(next)}`;
        } catch (error) {
            toast(error.message, 'error');
        }
    }

    function onkeydown(event) {
        if (event.target.closest?.('input, select, button, textarea, a')) return;
        if (event.key === ' ') pace.toggle();
        else if (event.key === 'ArrowRight') pace.step();
        else return;
        event.preventDefault();
    }
    document.addEventListener('keydown', onkeydown);
    const off = follow.watch(draw);

    return {
        close() {
            closed = true;
            document.removeEventListener('keydown', onkeydown);
            off();
            follow.leave();
            board?.close();
        },
    };
}
