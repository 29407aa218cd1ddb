// library: the first page. All games as cards; search; own rules files; games that go on.
import { gameText, language, t } from './i18n.js';
import { uploads, forgetUpload } from './uploads.js';
import { acceptDrops, pickFiles } from './drop.js';
import { drawThumbnail } from './board_thumb.js';
import { button, clear, h, icon, marked, segments, style } from './ui.js';

const THUMB_MARGIN = '300px'; // how far below the screen boards are drawn already

/** How a game looks with these parameters; the first `game` is its name, another one a parameter. */
export function gameAddress(game, params = {}) {
    return `game.json?${new URLSearchParams([['game', game], ...Object.entries(params)])}`;
}

export async function fetchJson(address) {
    const answer = await fetch(address);
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok || body.error) throw new Error(body.error ?? `${answer.status} ${answer.statusText}`);
    return body;
}

/** The list of games, which comes with the page or by itself. */
export async function fetchLibrary() {
    const block = document.getElementById('library');
    return block ? JSON.parse(block.textContent) : fetchJson('library.json');
}

/** Small letters without their marks: 'mühle' is found as 'muhle'. */
function fold(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** By the titles that are shown; the list comes in English order. */
function inOrder(games) {
    if (language() === 'en') return games;
    const { compare } = new Intl.Collator(document.documentElement.lang);
    return games.toSorted((a, b) => compare(gameText(a, a.title), gameText(b, b.title)));
}

function wordsOf(card) {
    return fold([card.game, card.title, gameText(card, card.title), ...card.also ?? [], card.about ?? '',
        ...card.players ?? []].join(' '));
}

/** Draws boards when they come into sight, one request at a time in order. */
function thumbnails() {
    let queue = Promise.resolve();
    let closed = false;
    const seen = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            if (!isIntersecting) continue;
            seen.unobserve(target);
            queue = queue.then(() => closed || draw(target)).catch(() => {});
        }
    }, { rootMargin: THUMB_MARGIN });

    async function draw(target) {
        try {
            const game = await fetchJson(gameAddress(target.dataset.game));
            clear(target);
            drawThumbnail(target, game, game.start);
        } catch {
            target.firstElementChild?.classList.add('game-board-none');
        }
    }
    return {
        watch: (el) => seen.observe(el),
        close() {
            closed = true;
            seen.disconnect();
        },
    };
}

function cardOf(card, boards) {
    const title = gameText(card, card.title);
    const board = h('div', { class: 'game-board', 'data-game': card.game, 'aria-hidden': 'true' }, h('div', { class: 'game-board-wait' }));
    boards.watch(board);
    return h('li', null, h('article', { class: 'game' }, board,
        h('div', { class: 'game-words' },
            h('h2', null, h('a', { href: `#/setup/${encodeURIComponent(card.game)}` }, title)),
            card.also?.length > 0 && h('p', { class: 'game-also' }, t('library.also', { names: card.also.slice(0, 3).join(', ') })),
            h('p', { class: 'game-about' }, gameText(card, card.about ?? '')),
            h('div', { class: 'game-facts' },
                h('span', { class: 'badge' }, icon('players'), t('library.players', { n: card.players?.length ?? 1 })),
                card.length && h('span', { class: 'badge' }, icon('clock'), t('library.length', { n: Number(card.length) }))))));
}

export function openLibrary(root, net) {
    const coming = fetchLibrary(); // while the page is drawn
    style('library.css');
    style('board.css');
    const boards = thumbnails();
    let cards = [];
    let words = '';
    let kind = 'all';
    let closed = false;

    const search = h('input', {
        type: 'search', placeholder: t('library.search'), 'aria-label': t('library.search'), autocomplete: 'off',
        oninput: () => {
            words = fold(search.value.trim());
            draw();
        },
        onkeydown: (event) => {
            const found = shown();
            if (event.key === 'Enter' && words && found.length === 1) {
                location.hash = `#/setup/${encodeURIComponent(found[0].card.game)}`;
            }
        },
    });
    const count = h('p', { class: 'library-count', role: 'status' });
    const list = h('ul', { class: 'games' });
    const shelf = h('div');

    function shown() {
        return cards.filter(({ card, text }) => (kind === 'all' || card.kind === kind)
            && words.split(/\s+/).every((word) => text.includes(word)));
    }

    function draw() {
        const found = shown();
        count.textContent = t('library.found', { n: found.length });
        // Elements are kept: what was drawn once is not drawn again.
        clear(list, found.map((each) => (each.element ??= cardOf(each.card, boards))));
        if (found.length === 0) list.append(h('li', { class: 'library-none' }, h('p', null, t('library.none')),
            button(t('library.showall'), { onclick: reset })));
    }

    function reset() {
        search.value = words = '';
        kind = 'all';
        drawTools();
        draw();
        search.focus();
    }

    const tools = h('div', { class: 'library-tools', role: 'search' });
    function drawTools() {
        const kinds = ['all', 'two', 'many', 'puzzle'].filter((each) => each === 'all' || cards.some(({ card }) => card.kind === each));
        clear(tools, h('div', { class: 'search' }, icon('search'), search),
            segments(t('library.filter'), kinds.map((each) => [each, t(`library.${each}`)]), kind, (value) => {
                kind = value;
                draw();
            }));
    }

    // Games of the library in the person's language, others as they call themselves.
    function titleOf({ game, title }) {
        return gameText(cards.find(({ card }) => card.game === game)?.card, title);
    }

    function drawShelf() {
        const rooms = Object.entries(net.kept()).filter(([, about]) => about.title)
            .sort((a, b) => b[1].when - a[1].when).slice(0, 6);
        clear(shelf,
            rooms.length > 0 && shelfOf(t('library.running'), rooms.map(([id, about]) => [`#/room/${id}`, titleOf(about), 'play', () => net.forget(id)])),
            uploads().length > 0 && shelfOf(t('library.mine'), uploads().map(({ game, name }) =>
                [`#/setup/${encodeURIComponent(game)}`, name, 'workshop', () => forgetUpload(game)])));
    }

    function shelfOf(title, entries) {
        return h('section', { class: 'shelf' }, h('h2', null, title), h('ul', null, entries.map(([href, text, shape, forget]) =>
            h('li', null, h('a', { href }, icon(shape), h('span', null, text)),
                button(`${t('library.forget')}: ${text}`, {
                    icon: 'close', bare: true, kind: 'quiet small', onclick: () => {
                        forget();
                        drawShelf();
                    },
                })))));
    }

    const closeDrops = acceptDrops(net);
    root.append(
        h('div', { class: 'library-head' },
            h('div', null, h('h1', null, t('library.heading')), h('p', null, t('library.intro'))),
            button(t('library.openfile'), { icon: 'open', onclick: () => pickFiles(net) })),
        shelf, tools, count, list, h('p', { class: 'drop-note' }, marked(t('library.dropnote'))));
    drawShelf();

    coming.then((library) => {
        if (closed) return;
        cards = inOrder(library.games).map((card) => ({ card, text: wordsOf(card) }));
        drawTools();
        drawShelf();
        draw();
    }).catch((error) => {
        if (!closed) clear(list, h('li', { class: 'error-box' }, t('library.cannot', { why: error.message })));
    });

    return {
        close() {
            closed = true;
            boards.close();
            closeDrops();
        },
    };
}
