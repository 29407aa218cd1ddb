// play_moves: the list of moves, and a slider over the game.
import { t } from './i18n.js';
import { button, clear, h } from './ui.js';

export function createMoves(game, { onPly }) {
    const list = h('ol', { class: 'move-list', 'aria-label': t('play.moves') });
    const slider = h('input', {
        type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': t('play.slider'),
        oninput: () => onPly(Number(slider.value)),
    });
    const at = (text, icon, to) => button(text, { icon, bare: true, kind: 'quiet', onclick: () => onPly(to()) });
    const none = h('p', { class: 'soft move-none' }, t('play.nomoves'));
    let plies = 0, view = 0;
    const steps = {
        first: at(t('play.first'), 'first', () => 0),
        back: at(t('play.back'), 'back', () => Math.max(0, view - 1)),
        forward: at(t('play.forward'), 'forward', () => Math.min(plies, view + 1)),
        last: at(t('play.last'), 'last', () => plies),
    };
    const el = h('section', { class: 'moves panel' },
        h('h2', { class: 'unseen' }, t('play.moves')),
        h('div', { class: 'move-scroll', tabindex: 0, role: 'group', 'aria-label': t('play.moves') }, none, list),
        h('div', { class: 'move-steps' }, steps.first, steps.back, slider, steps.forward, steps.last));
    const scroll = el.querySelector('.move-scroll');
    let drawn = []; // texts and players that the list shows

    function line(move, ply) {
        return h('button', {
            type: 'button', class: 'move', 'data-ply': ply, title: move.seconds ? `${move.seconds.toFixed(1)} s` : undefined,
            onclick: () => onPly(ply),
        }, move.text);
    }

    // Moves of one round stand in one line: a round ends when a player comes up who had a move in it.
    function rounds(moves) {
        const all = [];
        let players = [];
        moves.forEach((move, i) => {
            if (!all.length || game.players.length < 2 || (move.player <= (players.at(-1) ?? -1) && move.player !== players.at(-1)) || all.at(-1).length >= 2 * game.players.length) {
                all.push([]);
                players = [];
            }
            all.at(-1).push([move, i + 1]);
            players.push(move.player);
        });
        return all;
    }

    function draw(room, ply) {
        plies = room.moves.length;
        none.hidden = plies > 0;
        view = ply;
        const keys = room.moves.map((m) => `${m.player} ${m.text}`);
        if (keys.join() !== drawn.join()) {
            drawn = keys;
            clear(list, game.players.length < 2
                ? room.moves.map((move, i) => h('li', { class: 'single' }, line(move, i + 1)))
                : rounds(room.moves).map((round, i) => h('li', null, h('span', { class: 'round', 'aria-hidden': 'true' }, `${i + 1}.`), round.map(([move, n]) => line(move, n)))));
            list.classList.toggle('puzzle', game.players.length < 2);
        }
        let marked = null;
        for (const each of list.querySelectorAll('.move')) {
            const here = Number(each.dataset.ply) === ply;
            if (here) marked = each;
            if (here) each.setAttribute('aria-current', 'true');
            else each.removeAttribute('aria-current');
        }
        if (marked) scroll.scrollTop = Math.max(0, marked.offsetTop - scroll.offsetTop - scroll.clientHeight / 2);
        else scroll.scrollTop = 0;
        slider.max = plies;
        slider.value = ply;
        slider.disabled = plies === 0;
        slider.setAttribute('aria-valuetext', t('play.plyof', { ply, plies }));
        steps.first.disabled = steps.back.disabled = ply <= 0;
        steps.last.disabled = steps.forward.disabled = ply >= plies;
    }

    return { el, draw };
}
