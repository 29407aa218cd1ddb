// invite: links for those who are to play or to watch.
import { gameText, t } from './i18n.js';
import { button, dialog, field, h, toast } from './ui.js';

function link(id, key) {
    return `${location.origin}${location.pathname}#/room/${id}${key ? `?key=${key}` : ''}`;
}

async function copy(input) {
    try {
        await navigator.clipboard.writeText(input.value);
        toast(t('ui.copied'));
    } catch {
        input.select();
        toast(t('ui.notcopied'), 'error');
    }
}

function linkRow(label, address) {
    const input = h('input', { type: 'url', readonly: true, value: address, onfocus: () => input.select() });
    return h('div', { class: 'invite-link' }, field(label, input),
        button(t('ui.copy'), { icon: 'copy', kind: 'main', onclick: () => copy(input), 'aria-label': `${t('ui.copy')}: ${label}` }));
}

/** Whether there are seats that this browser can invite to and that nobody took yet. */
export function openSeats(net, room) {
    const keys = net.kept()[room.room]?.invitations ?? {};
    return Object.keys(keys).map(Number).filter((seat) => room.seats[seat]?.kind === 'open');
}

/** The dialog: a link for each seat elsewhere, and one for watchers. */
export function openInvite(net, room, game) {
    const keys = net.kept()[room.room]?.invitations ?? {};
    const seats = Object.keys(keys).map(Number);
    return dialog({
        title: t('invite.title'),
        body: h('div', null,
            seats.map((seat) => {
                const name = gameText(game, game.players[seat]);
                return [h('p', null, t('invite.text', { name })), linkRow(t('invite.link', { name }), link(room.room, keys[seat]))];
            }),
            h('p', { class: 'soft' }, t('invite.watch')), linkRow(t('invite.watch_name'), link(room.room))),
        buttons: [['', t('ui.done'), 'main']],
    });
}
