// play_end: the panel when a game is over: who won, why, and what next.
import { t } from './i18n.js';
import { button, h, marked } from './ui.js';
import { playerName } from './board_piece.js';
import { token } from './play_seats.js';
import { inWords } from './said.js';

/** What a result means for whoever looks at it: 'won', 'lost', 'drawn', or 'over' for watchers. */
export function verdict(room) {
    const winners = room.ended?.winners ?? [];
    const mine = room.seats.map((seat, player) => (seat.you ? player : -1)).filter((player) => player >= 0);
    if (!mine.length || (mine.length > 1 && mine.length === room.seats.length))
        return winners.length || room.seats.length === 1 ? 'over' : 'drawn';
    if (mine.some((player) => winners.includes(player))) return 'won';
    return winners.length || room.seats.length === 1 ? 'lost' : 'drawn';
}

/** Who has won, for whoever only watches. */
function outcome(game, room) {
    const winners = room.ended.winners ?? [];
    if (winners.length === 1) return t('said.wins', { player: playerName(game, winners[0]) });
    return inWords(room.position.result, game) || t('play.over');
}

/** How it ended, one sentence after the other: 'White wins', 'Black cannot move'. */
export function endWords(game, room) {
    const words = [room.ended?.text || room.position.result, room.position.reason].filter(Boolean);
    return [...new Set(words)].map((text) => inWords(text, game));
}

export function endPanel(game, room, { onAgain, onMenu, onLook }) {
    const how = room.seats.length === 1
        ? (room.ended.winners?.length ? 'won' : 'lost') : verdict(room);
    const heading = room.seats.length === 1
        ? t(how === 'won' ? 'play.solved' : 'play.unsolved')
        : how === 'won' ? t('play.youwon') : how === 'lost' ? t('play.youlost') : how === 'drawn' ? t('play.drawn') : outcome(game, room);
    return h('section', { class: `end-panel ${how}`, role: 'dialog', 'aria-labelledby': 'end-title' },
        button(t('ui.close'), { icon: 'close', bare: true, kind: 'quiet end-close', onclick: onLook }),
        h('div', { class: 'end-tokens' }, (room.ended.winners ?? []).map((player) => token(game, player))),
        h('h2', { id: 'end-title' }, heading),
        endWords(game, room).filter((text) => text.toLowerCase() !== heading.toLowerCase()).map((text) => h('p', null, marked(text))),
        h('div', { class: 'row end-row' },
            button(t('play.again'), { icon: 'restart', kind: 'main', onclick: onAgain }),
            button(t('play.look'), { icon: 'search', onclick: onLook }),
            button(t('play.menu'), { icon: 'games', onclick: onMenu })));
}
