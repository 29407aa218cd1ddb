// The forms that start something to watch: a game of computers, or a small tournament.

import { button, clear, field, h, toast } from './ui.js';
import { gameText, t } from './i18n.js';
import { fetchJson, gameAddress } from './library.js';
import { levelPlayer, playerName } from './players.js';
import { recall, remember } from './settings.js';
import { paramsForm } from './params.js';

const KEY = 'ludens.watch';
// Who can be picked: levels, and the players of the course from the simplest to the strongest.
const STYLES = ['random', 'greedy', 'minimax:depth=2', 'minimax:depth=4', 'plain-alphabeta:depth=4',
    'table-alphabeta:depth=5', 'montecarlo:iterations=2k', 'mcts:nodes=20k', 'alphabeta:nodes=20k'];
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(levelPlayer);

function playerSelect(value) {
    const option = (player) => h('option', { value: player }, playerName(player));
    return h('select', { class: 'input', value },
        h('optgroup', { label: t('watch.levels') }, LEVELS.map(option)),
        h('optgroup', { label: t('watch.styles') }, STYLES.map(option)));
}

// A game with its parameters: {element, game(), params()}; `changed(card)` after another game. `go`
// is the button that begins: not with parameters that are not possible.
function gamePicker(games, chosen, go, changed) {
    const pick = h('select', { class: 'input', value: chosen }, games.map((g) => h('option', { value: g.game }, gameText(g, g.title))));
    const place = h('div');
    const params = h('details', { class: 'watch-params' }, h('summary', null, t('watch.params')), place);
    let form = null;
    let turn = 0;
    async function load() {
        const mine = ++turn;
        params.hidden = true;
        form = null;
        go.disabled = false;
        changed(games.find((g) => g.game === pick.value));
        const game = await fetchJson(gameAddress(pick.value)).catch(() => null); // usual rules can be played all the same
        if (mine !== turn || !game) return;
        clear(place);
        form = paramsForm(place, game, {}, (values) => { go.disabled = values === null; });
        params.hidden = game.parameters.length === 0;
    }
    pick.addEventListener('change', load);
    return {
        element: h('div', null, field(t('watch.game'), pick), params),
        game: () => pick.value,
        params: () => form?.values() ?? {},
        load,
    };
}

/** A game of computers against each other. */
export function gameForm(root, net, games) {
    const last = { game: 'mill', players: [levelPlayer(5), levelPlayer(7)], ...recall(KEY, {}) };
    const seats = h('div', { class: 'watch-seats' });
    let selects = [];
    const go = button(t('watch.begin'), { icon: 'play', kind: 'main', onclick: begin });
    const picker = gamePicker(games, games.some((g) => g.game === last.game) ? last.game : games[0].game, go, (card) => {
        selects = card.players.map((_, i) => playerSelect(last.players[i] ?? levelPlayer(5)));
        clear(seats, card.players.map((name, i) => field(gameText(card, name), selects[i])));
    });
    root.append(h('h2', null, t('watch.computers')), h('p', { class: 'field-help' }, t('watch.computersHelp')),
        picker.element, seats, go);
    picker.load();

    async function begin() {
        const players = selects.map((s) => s.value);
        remember(KEY, { game: picker.game(), players });
        go.disabled = true;
        try {
            const { room } = await net.ask('open', {
                game: picker.game(), params: picker.params(),
                seats: players.map((player) => ({ kind: 'computer', player, name: playerName(player) })),
            });
            location.hash = `#/watch?room=${encodeURIComponent(room)}`;
        } catch (error) {
            toast(error.message, 'error');
            go.disabled = false;
        }
    }
}

/** A small tournament, everybody against everybody. */
export function tournamentForm(root, net, games) {
    const two = games.filter((g) => g.players.length === 2);
    const go = button(t('watch.start'), { icon: 'play', kind: 'main', onclick: begin });
    const picker = gamePicker(two, two.some((g) => g.game === 'tic-tac-toe') ? 'tic-tac-toe' : two[0].game, go, () => {});
    const entrants = [levelPlayer(1), levelPlayer(3), 'random', 'greedy'];
    const list = h('ul', { class: 'watch-entrants' });
    const who = playerSelect(levelPlayer(5));
    who.setAttribute('aria-label', t('watch.player'));
    const rounds = h('select', { class: 'input', value: '4' }, [2, 4, 10, 20, 50].map((n) => h('option', { value: n }, String(n))));
    const seconds = h('select', { class: 'input', value: '0.2' },
        [0.05, 0.2, 0.5, 1, 2].map((n) => h('option', { value: n }, t('watch.secondsText', { n }))));
    const more = button(t('watch.add'), { icon: 'add', onclick: () => {
        if (!entrants.includes(who.value)) entrants.push(who.value);
        draw();
    } });
    root.append(h('h2', null, t('watch.small')), h('p', { class: 'field-help' }, t('watch.smallHelp')), picker.element,
        h('p', { class: 'field-label' }, t('watch.entrants')), list,
        h('div', { class: 'watch-row' }, who, more),
        h('div', { class: 'watch-row' }, field(t('watch.each'), rounds), field(t('watch.perMove'), seconds)), go);
    picker.load();
    draw();

    function draw() {
        clear(list, entrants.map((player) => h('li', null, playerName(player),
            button(t('watch.remove', { name: playerName(player) }), { icon: 'close', bare: true, kind: 'quiet small',
                disabled: entrants.length <= 2, onclick: () => {
                    entrants.splice(entrants.indexOf(player), 1);
                    draw();
                } }))));
    }

    async function begin() {
        go.disabled = true;
        try {
            const { title } = await net.ask('tournament', {
                game: picker.game(), params: picker.params(), players: entrants,
                games: Number(rounds.value), seconds: Number(seconds.value),
            });
            location.hash = `#/watch/${encodeURIComponent(title)}`;
        } catch (error) {
            toast(error.message, 'error');
            go.disabled = false;
        }
    }
}
