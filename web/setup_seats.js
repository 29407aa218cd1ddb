// setup_seats: who plays each side of a game.
import { gameText, t } from './i18n.js';
import { playerColour } from './board_piece.js';
import { playerPicker } from './player_picker.js';
import { levelPlayer } from './players.js';
import { get } from './settings.js';
import { button, clear, field, h, icon, toggle } from './ui.js';

const kindIcons = { person: 'person', open: 'link', computer: 'computer', bot: 'bot' };
const kindTexts = { person: 'setup.here', open: 'setup.elsewhere', computer: 'setup.computer', bot: 'setup.bot' };

/** A puzzle is for a person; else a person begins against the computer. */
export function usualSeats(players) {
    return players.map((_, i) => (i === 0 ? { kind: 'person' } : { kind: 'computer', player: levelPlayer(3) }));
}

/** Whether what was kept still fits the game. */
export function fittingSeats(kept, players, bots) {
    return Array.isArray(kept) && kept.length === players.length
        && kept.every((seat) => kindTexts[seat?.kind] && (seat.kind !== 'bot' || bots));
}

/**
 * The seats of `game` as a form in `root`. `seats` are [{kind, player, name}], changed in place;
 * `chance.lots` says whether the sides are drawn by lot. `onchange(ok)` after each change. Who begins
 * is told by begin(player).
 */
export function seatsForm(root, game, seats, chance, bots, onchange) {
    const row = h('div', { class: 'seats' });
    const badges = game.players.map(() => h('span', { class: 'badge', hidden: true }, t('setup.begins')));
    const kinds = ['person', 'open', 'computer', ...(bots ? ['bot'] : [])];

    function ok() {
        return seats.every((seat) => (seat.kind !== 'computer' && seat.kind !== 'bot') || seat.player);
    }

    function tell() {
        onchange(ok());
    }

    function draw() {
        clear(row, seats.map(drawSeat));
    }

    function drawSeat(seat, i) {
        const name = gameText(game, game.players[i]);
        const more = h('div', { class: 'seat-more' });
        const box = h('section', { class: 'seat', 'aria-label': t('setup.seat', { name }) },
            h('h3', null, h('span', { class: `disc c-${playerColour(game, i)}`, 'aria-hidden': 'true' }), name,
                badges[i]),
            h('fieldset', { class: 'kinds' }, h('legend', { class: 'unseen' }, t('setup.seat', { name })),
                kinds.map((kind) => {
                    const input = h('input', {
                        type: 'radio', name: `seat-${i}`, value: kind, onchange: () => {
                            seat.kind = kind;
                            if (kind === 'computer' && !seat.player) seat.player = levelPlayer(3);
                            if (kind === 'bot' && !/^bot:/.test(seat.player ?? '')) seat.player = '';
                            if (kind === 'computer' && /^bot:/.test(seat.player)) seat.player = levelPlayer(3);
                            drawMore();
                            tell();
                        },
                    });
                    input.checked = seat.kind === kind;
                    return h('label', { class: 'kind' }, input, icon(kindIcons[kind]), h('span', null, t(kindTexts[kind])));
                })), more);

        function drawMore() {
            clear(more);
            if (seat.kind === 'computer') playerPicker(more, seat.player, (player) => {
                seat.player = player;
                tell();
            });
            if (seat.kind === 'person') more.append(field(t('setup.name'), h('input', {
                type: 'text', maxlength: 40, autocomplete: 'off', value: seat.name ?? '', placeholder: get('name') || name,
                oninput: (event) => { seat.name = event.target.value.trim(); },
            })));
            if (seat.kind === 'open') more.append(h('p', { class: 'field-help' }, t('setup.elsewhere_help')));
            if (seat.kind === 'bot') {
                const input = h('input', {
                    type: 'text', class: 'mono', maxlength: 400, spellcheck: 'false', autocomplete: 'off', value: seat.player ?? '',
                    oninput: () => {
                        seat.player = input.value.trim();
                        tell();
                    },
                });
                more.append(field(t('setup.bot_text'), input, t('setup.bot_help')));
            }
        }

        drawMore();
        return box;
    }

    draw();
    root.append(h('h2', null, h('span', null, t('setup.players')),
        seats.length > 1 && button(t('setup.swap'), {
            icon: 'swap', kind: 'small', onclick: () => {
                seats.push(seats.shift());
                draw();
                tell();
            },
        })), row);
    if (seats.length > 1) root.append(toggle(t('setup.lots'), chance.lots, (on) => {
        chance.lots = on;
        tell();
    }));
    function begin(player) {
        badges.forEach((badge, i) => { badge.hidden = i !== player || seats.length < 2; });
    }

    begin(game.start.player);
    return { ok, begin };
}

/** The seats as `open` of the protocol wants them; by lot they are turned round by chance. */
export function seatsToOpen(seats, game, lots) {
    const turn = lots ? crypto.getRandomValues(new Uint32Array(1))[0] % seats.length : 0;
    // Who gives no name is called as the side is, so the sides come first.
    return [...seats.slice(turn), ...seats.slice(0, turn)].map((seat, i) => {
        if (seat.kind === 'open') return { kind: 'open' };
        if (seat.kind === 'computer' || seat.kind === 'bot') return { kind: 'computer', player: seat.player };
        const others = seats.filter((each) => each.kind === 'person').length > 1;
        return { kind: 'person', name: seat.name || (others ? '' : get('name')) || game.players[i] };
    });
}
