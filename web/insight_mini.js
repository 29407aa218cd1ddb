// On a phone the panel is below the board: what it marks would be out of sight. So a small copy of
// the board goes along, at the top of the panel.

import { h } from './ui.js';
import { t } from './i18n.js';
import { createBoard } from './board.js';

const NARROW = '(max-width: 60rem)';

/** What the panel draws on: the board of the page, and the copy where there is one. */
export function createMini(root, api) {
    const narrow = matchMedia(NARROW);
    const still = h('div', { inert: true });
    const holder = h('div', { class: 'insight-mini', role: 'img', 'aria-label': t('insight.mini') }, still);
    root.append(holder);
    let copy = null;

    function show() {
        if (narrow.matches && !copy) copy = createBoard(still, api.game, { flipped: api.board.flipped });
        holder.hidden = !narrow.matches;
        copy?.flip(api.board.flipped);
        if (api.position()) copy?.show(api.position());
    }
    const both = (name) => (...what) => {
        api.board[name](...what);
        copy?.[name](...what);
    };
    narrow.addEventListener('change', show);
    show();
    return {
        board: { mark: both('mark'), arrows: both('arrows'), heat: both('heat') },
        show,
        close() {
            narrow.removeEventListener('change', show);
            copy?.close();
        },
    };
}
