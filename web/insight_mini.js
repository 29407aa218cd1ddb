// On a phone the panel is below the board: what it marks would be out of sight. So while the board is,
// a small copy stays in a corner.

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
    holder.hidden = true;
    let copy = null;
    let seen = true; // the board of the page

    function show() {
        if (narrow.matches && !copy) copy = createBoard(still, api.game, { flipped: api.board.flipped });
        holder.hidden = !narrow.matches || seen;
        copy?.flip(api.board.flipped);
        if (api.position()) copy?.show(api.position());
    }
    const both = (name) => (...what) => {
        api.board[name](...what);
        copy?.[name](...what);
    };
    const observer = new IntersectionObserver(([entry]) => {
        seen = entry.intersectionRatio > 0.4;
        holder.hidden = !narrow.matches || seen;
    }, { threshold: 0.4 });
    observer.observe(api.board.svg);
    narrow.addEventListener('change', show);
    show();
    return {
        board: { mark: both('mark'), arrows: both('arrows'), heat: both('heat') },
        show,
        close() {
            observer.disconnect();
            narrow.removeEventListener('change', show);
            copy?.close();
        },
    };
}
