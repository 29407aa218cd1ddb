// play_share: links to a game and to a position, and the game as a text.
import { t } from './i18n.js';
import { button, dialog, h, toast } from './ui.js';

/** The address of a new game that begins with this position; no parameter has a dot in its name. */
export function positionLink(game, params, state) {
    const query = new URLSearchParams({ '.start': state, ...params });
    return `${location.origin}${location.pathname}#/setup/${encodeURIComponent(game)}?${query}`;
}

function linkField(label, address) {
    const input = h('input', { type: 'text', readonly: true, value: address, 'aria-label': label, onfocus: () => input.select() });
    return h('div', { class: 'field' }, h('span', { class: 'field-label' }, label),
        h('div', { class: 'share-row' }, input, button(t('ui.copy'), {
            icon: 'copy',
            onclick: async () => {
                try {
                    await navigator.clipboard.writeText(address);
                    toast(t('ui.copied'));
                } catch {
                    input.focus();
                    toast(t('ui.notcopied'));
                }
            },
        })));
}

export function openShare(room, position) {
    return dialog({
        title: t('play.share'),
        body: h('div', { class: 'fields' },
            linkField(t('play.sharestate'), positionLink(room.game, room.params, position.text)),
            linkField(t('play.sharewatch'), `${location.origin}${location.pathname}#/room/${room.room}`),
            linkField(t('play.statetext'), position.text),
            h('p', null, h('a', { href: `/record/${room.room}`, download: `${room.game.replace('@', '')}.txt` }, t('play.record')))),
    });
}
