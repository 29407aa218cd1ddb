// Watching: computers that play each other, with a speed and a pause; tournaments while they are
// played; starting either.
//
// #/watch is where one begins, #/watch?room=ID shows a game, #/watch/TITLE a tournament.

import { button, clear, h, style } from './ui.js';
import { t } from './i18n.js';
import { fetchLibrary } from './library.js';
import { openStage } from './watch_stage.js';
import { contestName, openContest } from './watch_contest.js';
import { gameForm, tournamentForm } from './watch_start.js';

const AGAIN = 3000; // milliseconds between looks at the list of tournaments

export function openWatch(root, net, params) {
    style('watch.css');
    const page = h('div', { class: 'watch' });
    root.append(page);
    let part = null;
    if (params.room || params.title) {
        page.append(h('p', { class: 'watch-back' },
            button(t('watch.back'), { icon: 'back', kind: 'quiet', onclick: () => { location.hash = '#/watch'; } })));
        part = params.room ? openStage(page, net, params.room) : openContest(page, net, params.title);
    } else {
        part = openStart(page, net);
    }
    return {
        close() {
            part?.close();
            page.remove();
        },
    };
}

function openStart(page, net) {
    let closed = false;
    let timer = 0;
    let games = [];
    let known = []; // tournaments
    const list = h('ul', { class: 'watch-contests' });
    const none = h('p', { class: 'field-help' }, t('watch.noContests'));
    const form = h('section', { class: 'card watch-card' });
    const start = h('section', { class: 'card watch-card' });
    page.append(h('h1', null, t('watch.title')),
        h('p', { class: 'watch-intro' }, t('watch.intro')),
        h('div', { class: 'watch-cards' }, form,
            h('div', { class: 'watch-column' },
                h('section', { class: 'card watch-card' }, h('h2', null, t('watch.contests')), none, list), start)));

    function show(contests) {
        known = contests;
        none.hidden = contests.length > 0;
        const focus = document.activeElement?.closest('.watch-contest')?.getAttribute('href');
        clear(list, contests.map((c) => h('li', null,
            h('a', { class: 'watch-contest', href: `#/watch/${encodeURIComponent(c.title)}` },
                h('span', { class: 'watch-contest-name' }, contestName(c.title, games)),
                h('span', { class: 'watch-contest-games' }, t('watch.gamesOf', { n: c.games, of: c.of || c.games })),
                h('progress', { max: String(c.of || c.games || 1), value: String(c.games), 'aria-label': t('watch.progress') }),
                c.running && h('span', { class: 'watch-live' }, t('watch.running'))))));
        if (focus) list.querySelector(`[href="${CSS.escape(focus)}"]`)?.focus();
    }

    async function look() {
        try {
            const { contests } = await net.ask('contests');
            if (!closed) show(contests ?? []);
        } catch { /* the line is broken, which the page says elsewhere */ }
        if (!closed) timer = setTimeout(look, AGAIN);
    }
    look();

    fetchLibrary().then((library) => {
        if (closed) return;
        ({ games } = library);
        show(known);
        gameForm(form, net, games);
        tournamentForm(start, net, games);
    }).catch((error) => { form.append(h('p', { class: 'watch-error' }, error.message)); });

    return {
        close() {
            closed = true;
            clearTimeout(timer);
        },
    };
}
