// setup: rules, seats and clock of a game before it begins. The last choice is kept for each game.
import { gameText, t } from './i18n.js';
import { fetchJson, gameAddress } from './library.js';
import { openInvite } from './invite.js';
import { paramsForm } from './params.js';
import { drawThumbnail } from './board_thumb.js';
import { recall, remember } from './settings.js';
import { fittingSeats, seatsForm, seatsToOpen, usualSeats } from './setup_seats.js';
import { button, clear, field, h, marked, segments, style } from './ui.js';

const LATER = 250; // milliseconds of rest before the board is drawn with changed rules

// Links were made with `start`, until a game came that has a parameter of this name.
function oldStart(game, { start = '' }) {
    return game.parameters?.some((each) => each.name === 'start') ? '' : start;
}

/** All of the address but what begins with a dot are parameters of the game: none is named like that. */
export function openSetup(root, net, { '.game': name, '.start': start, ...given }) {
    const styles = Promise.all([style('setup.css'), style('board.css')]);
    const home = `ludens.setup.${name}`;
    const last = recall(home, {});
    let closed = false;
    clear(root, h('p', { class: 'soft' }, t('ui.loading')));
    // A greeting says whether bots may play.
    Promise.all([fetchJson(gameAddress(name)), greeting(net), styles]).then(([game, hello]) => {
        if (closed) return;
        const from = start ?? oldStart(game, given);
        draw(root, net, { name, home, last, game, start: from, given, bots: Boolean(hello?.allows?.bots) });
    }).catch((error) => {
        if (!closed) clear(root, h('section', { class: 'card failed' }, h('h1', null, t('ui.failed')),
            h('p', null, marked(t('setup.nogame', { why: error.message }))),
            button(t('ui.tolibrary'), { kind: 'main', onclick: () => { location.hash = '#/'; } })));
    });
    return { close() { closed = true; } };
}

// Without a line the page is drawn all the same.
function greeting(net) {
    if (net.state !== 'connecting') return net.greeting;
    return new Promise((done) => {
        const off = net.watchState(() => {
            off();
            done(net.greeting);
        });
    });
}

function about(game) {
    return h('details', { class: 'more', open: innerWidth > 960 }, h('summary', null, t('setup.about')), h('dl', null,
        game.also?.length > 0 && [h('dt', null, t('setup.also')), h('dd', null, game.also.join(', '))],
        game.origin && [h('dt', null, t('setup.origin')), h('dd', null, gameText(game, game.origin))]));
}

/** `tell(ok)` after each change: whether the numbers are possible. */
function clockForm(clock, tell) {
    const numbers = h('div', { class: 'clock-fields' });
    const number = (label, which, low, high) => field(label, h('input', {
        type: 'number', min: low, max: high, step: 1, value: clock[which], oninput: (event) => {
            const value = event.target.valueAsNumber;
            const fits = value >= low && value <= high;
            event.target.setAttribute('aria-invalid', String(!fits));
            if (fits) clock[which] = value;
            tell(!numbers.querySelector('[aria-invalid=true]'));
        },
    }), t('setup.range', { low, high }));
    const draw = () => {
        clear(numbers, clock.on && [
            number(t('setup.minutes'), 'minutes', 1, 600), number(t('setup.increment'), 'increment', 0, 600)]);
        tell(true);
    };
    draw();
    return [segments(t('setup.clock'), [['off', t('setup.clock_none')], ['on', t('setup.clock_on'), 'clock']],
        clock.on ? 'on' : 'off', (value) => {
            clock.on = value === 'on';
            draw();
        }), numbers];
}

function draw(root, net, { name, home, last, game, start, given, bots }) {
    const title = gameText(game, game.title);
    const seats = fittingSeats(last.seats, game.players, bots) ? last.seats : usualSeats(game.players);
    const chance = { lots: Boolean(last.lots) };
    const clock = { on: false, minutes: 5, increment: 3, ...last.clock };
    const board = h('div', { class: 'setup-board', role: 'img', 'aria-label': t('library.thumb', { title }) });
    const rules = h('section', { class: 'card' });
    const people = h('section', { class: 'card' });
    const wrong = h('p', { class: 'error-box', role: 'alert', hidden: true });
    const go = button(t('setup.start'), { kind: 'main big', icon: 'play', onclick: begin });
    let from = start;
    let timer = 0;
    let inTime = true; // the clock's numbers are possible

    drawThumbnail(board, game, game.start);

    function check() {
        go.disabled = form.values() === null || !seating.ok() || !inTime;
    }

    // The board grows and shrinks with the parameters.
    async function redraw() {
        try {
            const params = form.values();
            const now = params && await fetchJson(gameAddress(name, params));
            if (!now || !board.isConnected) return;
            let position = now.start;
            if (from) position = (await net.ask('edit', { game: name, params, state: from })).position ?? position;
            drawThumbnail(board, now, position);
            seating.begin(position.player);
            say('');
        } catch (error) {
            say(error.message);
        }
    }

    function say(text) {
        wrong.hidden = !text;
        clear(wrong, marked(text));
    }

    async function begin() {
        const params = form.values();
        remember(home, { params, seats, lots: chance.lots, clock });
        go.disabled = true;
        say('');
        try {
            const answer = await net.openRoom({
                game: name, title, params, seats: seatsToOpen(seats, game, chance.lots),
                ...(from && { start: from }),
                ...(clock.on && { clock: { minutes: clock.minutes, increment: clock.increment } }),
            });
            // Behind the router, which closes dialogs when the page changes.
            if (seats.some((seat) => seat.kind === 'open'))
                addEventListener('hashchange', () => openInvite(net, answer, game), { once: true });
        } catch (error) {
            say(error.message);
            check();
        }
    }

    if (game.parameters?.length) rules.append(h('h2', null, h('span', null, t('setup.rules')),
        button(t('setup.usual'), { kind: 'small quiet', icon: 'restart', onclick: () => form.usual() })));
    const form = paramsForm(rules, game, { ...last.params, ...given }, () => {
        check();
        clearTimeout(timer);
        timer = setTimeout(redraw, LATER);
    });
    const seating = seatsForm(people, game, seats, chance, bots, check);
    const position = from && h('section', { class: 'card row' }, h('p', { class: 'grow' }, t('setup.position')),
        button(t('setup.position_drop'), {
            kind: 'small', onclick: () => {
                from = '';
                position.remove();
                redraw();
            },
        }));

    clear(root, h('div', { class: 'setup' },
        h('div', { class: 'setup-game' }, board, h('h1', null, title), h('p', null, gameText(game, game.about ?? '')), about(game)),
        h('div', { class: 'setup-form' }, position || null, people,
            game.parameters?.length > 0 && rules,
            game.players.length > 1 && h('section', { class: 'card' }, clockForm(clock, (ok) => {
                inTime = ok;
                check();
            })),
            h('div', { class: 'setup-start' }, wrong, go))));
    if (from || Object.keys(given).length || last.params) redraw();
    check();
}
