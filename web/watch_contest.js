// A tournament while it is played: everybody against everybody as a table, strength, lengths of
// games, and the last results.

import { announce, button, clear, h, toast } from './ui.js';
import { gameText, number, t } from './i18n.js';
import { fetchLibrary } from './library.js';
import { playerName } from './players.js';
import { eloPlot, lengthPlot } from './watch_plots.js';

const RECENT = 10; // games that are listed
const TRIES = 40; // looks for a tournament that is not known yet, two a second

// Titles that the server makes for tournaments of its own, the time in UTC.
const OWN = /^(.+), (\d+) players, (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\.\d{3}$/;

/** A title as people read it: the game by its name, the time here and now. `games` are those of the library. */
export function contestName(title, games) {
    const [, game, n, day, time] = OWN.exec(title) ?? [];
    if (!game) return title;
    const card = games.find((each) => each.game === game);
    const when = new Date(`${day}T${time}Z`).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'medium' });
    return `${gameText(card, card?.title ?? game)}, ${t('library.players', { n: Number(n) })}, ${when}`;
}

export function openContest(root, net, title) {
    const heading = h('h1', null, contestName(title, []));
    const count = h('p', { class: 'contest-count', role: 'status' });
    const bar = h('progress', { max: '1', value: '0', 'aria-label': t('watch.progress') });
    const stop = button(t('watch.stop'), { icon: 'stop', onclick: end });
    const table = h('div', { class: 'contest-table', role: 'region', tabindex: '0', 'aria-label': t('watch.table') });
    const plots = h('div', { class: 'contest-plots' });
    const recent = h('div', { class: 'contest-recent' });
    root.append(h('section', { class: 'contest' }, heading,
        h('div', { class: 'watch-row' }, count, bar, stop), table,
        h('p', { class: 'field-help' }, t('watch.eloHelp')), plots, recent));
    stop.hidden = true;
    let ended = false;
    let closed = false;
    let tries = 0;
    let timer = 0;
    fetchLibrary().then(({ games }) => { heading.textContent = contestName(title, games); }).catch(() => {}); // the game's short name does

    async function end() {
        try {
            await net.ask('stop', { title });
        } catch (error) {
            toast(error.message, 'error');
        }
    }

    // How far it is. Without a table nothing was played yet: it waits, or came to nothing.
    function showCount(m) {
        const of = m.of || m.games || 1;
        const stopped = !m.over && !m.running;
        if (m.error) count.textContent = m.error;
        else if (!m.table) count.textContent = t('watch.soon');
        else if (m.over) count.textContent = t('watch.allGames', { n: m.games });
        else count.textContent = t(stopped && m.of ? 'watch.stoppedAfter' : 'watch.gamesOf', { n: m.games, of });
        bar.max = of;
        bar.value = m.games;
        bar.hidden = m.over || stopped;
        stop.hidden = m.over || stopped || !m.yours;
    }

    function show(m) {
        showCount(m);
        if (!m.table) return;
        const contest = Array.isArray(m.table) ? m.table.find((c) => c.title === title) ?? m.table[0] : m.table;
        const entrants = contest?.entrants ?? [];
        const left = table.scrollLeft;
        clear(table, crossTable(entrants));
        table.scrollLeft = left;
        const elo = (m.elo?.length ? m.elo : entrants).filter((e) => Number.isFinite(e.elo))
            .map((e) => ({ name: playerName(e.name), elo: e.elo, error: e.error ?? 0 })).sort((a, b) => b.elo - a.elo);
        const lengths = (m.lengths ?? []).map((e) => (typeof e === 'number' ? { length: e, games: 1 } : e));
        clear(plots,
            elo.length > 0 && h('figure', null, h('figcaption', null, t('watch.elo')), eloPlot(elo)),
            lengths.length > 0 && h('figure', null, h('figcaption', null, t('watch.lengths')), lengthPlot(lengths)));
        clear(recent, m.recent?.length > 0 && [h('h2', null, t('watch.recent')),
            h('ul', null, m.recent.slice(0, RECENT).map((g) => h('li', null,
                h('span', { class: 'contest-seats' }, (g.seats ?? []).map(playerName).join(' – ')),
                h('span', { class: 'contest-points' }, (g.points ?? []).map((p) => number(p)).join(' : ')),
                h('span', { class: 'contest-length' }, t('watch.movesText', { n: g.moves ?? 0 })))))]);
        if (m.over && !ended) {
            ended = true;
            announce(t('watch.overText', { name: playerName(entrants[0]?.name ?? '') }));
        }
    }

    function crossTable(entrants) {
        const points = (r) => (r ? number(r.won + r.drawn / 2) : '');
        return h('table', null,
            h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('watch.place')), h('th', { scope: 'col', class: 'name' }, t('watch.player')),
                h('th', { scope: 'col' }, t('watch.points')), h('th', { scope: 'col' }, t('watch.eloShort')),
                h('th', { scope: 'col' }, t('watch.wdl')),
                entrants.map((e, i) => h('th', { scope: 'col', title: e.name, 'aria-label': e.name }, String(i + 1))))),
            h('tbody', null, entrants.map((e, i) => h('tr', null,
                h('td', null, String(i + 1)), h('th', { scope: 'row', class: 'name' }, playerName(e.name)),
                h('td', { class: 'points' }, number(e.points ?? 0)),
                h('td', null, Number.isFinite(e.elo) ? h('span', null, number(Math.round(e.elo), { signDisplay: 'exceptZero' }),
                    h('small', null, ` ± ${number(Math.round(e.error ?? 0))}`)) : ''),
                h('td', null, e.score ? `${e.score.won}–${e.score.drawn}–${e.score.lost}` : ''),
                entrants.map((o) => (o === e ? h('td', { class: 'self', 'aria-label': '–' }, '·')
                    : h('td', null, points(e.against?.[o.name]))))))));
    }

    const off = net.on('contest', (m) => { if (m.title === title) show(m); });
    async function begin() {
        try {
            await net.ask('contest', { title }); // what is known comes as news
        } catch (error) {
            // One that has just begun is known in a moment.
            count.textContent = error.code === 'gone' && tries < TRIES ? t('watch.looking') : error.message;
            if (error.code === 'gone' && tries++ < TRIES && !closed) timer = setTimeout(begin, 500);
        }
    }
    begin();
    const offState = net.watchState((state) => { if (state === 'open') begin(); });

    return {
        close() {
            closed = true;
            clearTimeout(timer);
            off();
            offState();
            // The server tells a page of a few tournaments at a time only.
            if (net.state === 'open') net.ask('contest', { title, on: false }).catch(() => {});
        },
    };
}
