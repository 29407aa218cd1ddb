// play_banner: notices above the board: an offer, a line that broke, an open seat.
import { t } from './i18n.js';
import { button, clear, h } from './ui.js';
import { playerName } from './board_piece.js';

// What the others read of an offer, and whoever made it.
const offered = (kind, player) => (kind === 'draw' ? t('play.offerdraw', { player })
    : kind === 'restart' ? t('play.offeragain', { player }) : t('play.offerback', { player }));
const offering = (kind) => (kind === 'draw' ? t('play.offereddraw')
    : kind === 'restart' ? t('play.offeredagain') : t('play.offeredback'));

export function drawBanner(root, now, room, game, deeds) {
    const items = [];
    const banner = (kind, text, ...buttons) => items.push(h('div', { class: `banner ${kind}`, role: 'status' }, h('p', null, text), buttons));
    // Without a line nothing can be fetched; the bar above the page has a button to try it again.
    if (room.state === 'away') banner('warn', t('play.offline'));
    if (room.state === 'behind') banner('warn', t('play.behind'),
        button(t('play.resync'), { icon: 'restart', kind: 'small', onclick: () => room.refresh() }));
    const offer = now?.offer;
    if (offer && (!now.ended || offer.kind === 'restart')) {
        const mine = now.seats[offer.by]?.you && !now.seats.some((seat, i) => seat.you && i !== offer.by);
        const who = playerName(game, offer.by);
        if (mine) banner('info', offering(offer.kind));
        else banner('info', offered(offer.kind, who),
            now.seats.some((seat) => seat.you) && [
                button(t('play.accept'), { icon: 'check', kind: 'main small', onclick: () => deeds.answer(true) }),
                button(t('play.decline'), { icon: 'close', kind: 'small', onclick: () => deeds.answer(false) })]);
    }
    if (now?.seats.some((seat) => seat.kind === 'open') && now.seats.some((seat) => seat.you) && !now.ended)
        banner('info', t('play.waitopen'), button(t('play.invite'), { icon: 'link', kind: 'small', onclick: () => deeds.invite() }));
    clear(root, items);
    root.hidden = !items.length;
}
