// play_seats: who plays: name, colour, what they hold, clock, whether they think.
import { gameText, t, number } from './i18n.js';
import { button, clear, h, s } from './ui.js';
import { playerName } from './players.js';
import { drawPiece, playerColour, playerName as playerWord } from './board_piece.js';
import { play as sound } from './play_sound.js';

const LOW = 10000; // milliseconds: from here on tenths are shown, and a sound warns once

export function clockText(left) {
    const rest = Math.max(0, left);
    if (rest < LOW) return number(rest / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const seconds = Math.ceil(rest / 1000);
    const two = (n) => String(n).padStart(2, '0');
    const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The name of a person, if there is one: who gave none has that of the player, which says nothing. */
export function ownName(game, seat, player) {
    return seat.name !== game.players[player] ? seat.name : '';
}

/** Who has a seat: `Ana`. `many`: several persons sit here, and none of them is `you`. */
function seatName(game, seat, player, many) {
    if (seat.kind === 'computer') return playerName(seat.player) || seat.name;
    return ownName(game, seat, player) || (!seat.you ? t('play.person') : many ? '' : t('play.you'));
}

// A drawing of the first piece of a player, so that everybody finds their own.
export function token(game, player) {
    const number_ = game.pieces.findIndex((p) => p.owner === player);
    const svg = s('svg', { class: 'token', viewBox: '-52 -52 104 104', 'aria-hidden': 'true' });
    svg.append(number_ < 0
        ? s('g', { class: `piece c-${playerColour(game, player)}` }, s('circle', { class: 'body', r: 36 }))
        : drawPiece(game, number_));
    return svg;
}

// Variables that each player has: men in hand, stacks won.
const HELD = /^(hand|reserve|stock|pool|left)$/;
function holdings(game, position, player) {
    const out = [];
    for (const v of game.variables ?? []) {
        const values = position.variables?.[v.name];
        if (v.by !== 'player' || !Array.isArray(values)) continue;
        const value = values[player];
        const words = gameText(game, v.name).replace(/_/g, ' ');
        if (HELD.test(v.name) && typeof value === 'number' && value <= 12) {
            const row = h('span', { class: 'held', role: 'img', 'aria-label': `${words}: ${value}`, title: `${words}: ${value}` });
            for (let i = 0; i < value; i++) row.append(token(game, player));
            out.push(row);
        } else out.push(h('span', { class: 'holding' }, `${words} `, h('b', null, String(value ?? '–'))));
    }
    return out;
}

/** One card per player; draw(room, position) each time something changed. */
export function createSeats(game, { onSeat, onRename }) {
    const cards = game.players.map((_, player) => {
        const parts = {
            who: h('span', { class: 'seat-who' }), held: h('span', { class: 'seat-held' }),
            clock: h('span', { class: 'seat-clock', role: 'timer' }), state: h('span', { class: 'seat-state' }),
            tools: h('span', { class: 'seat-tools' }),
        };
        const card = h('div', { class: 'seat', 'data-player': player }, token(game, player),
            h('span', { class: 'seat-names' }, h('b', null, playerWord(game, player)), parts.who, parts.state), parts.held, parts.clock, parts.tools);
        return { card, parts };
    });
    let now = null, since = 0, warned = false, timer = 0;

    function tick() {
        if (!now) return;
        const passed = performance.now() - since;
        cards.forEach(({ parts }, player) => {
            if (now.clock) {
                const running = now.clock.running === player;
                const left = now.clock.left[player] - (running ? passed : 0);
                parts.clock.textContent = clockText(left);
                parts.clock.classList.toggle('low', left < LOW);
                if (running && left < LOW && left > 0 && now.seats[player]?.you && !warned) {
                    warned = true;
                    sound('low');
                }
            }
            if (now.thinking?.seat === player) {
                const spent = now.thinking.seconds + passed / 1000;
                const one = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
                parts.state.textContent = now.thinking.limit
                    ? t('play.thinkingof', { seconds: number(spent, one), limit: number(now.thinking.limit, one) })
                    : t('play.thinking', { seconds: number(spent, one) });
            }
        });
    }

    function draw(room, position) {
        // The same news drawn again, as when somebody looks back, are not newer by that.
        if (room !== now) since = performance.now();
        now = room;
        if (room.clock?.running === null) warned = false;
        const over = Boolean(room.ended) || position.over;
        const many = room.seats.filter((seat) => seat.you && seat.kind === 'person').length > 1;
        // Nobody else plays: the computer's seats may be taken.
        const alone = room.can.includes('seat') && room.seats.every((seat) => seat.kind === 'computer' || seat.you);
        cards.forEach(({ card, parts }, player) => {
            const seat = room.seats[player] ?? { kind: 'person', name: '', you: false };
            const turn = !over && position.player === player;
            card.classList.toggle('turn', turn);
            card.classList.toggle('you', Boolean(seat.you));
            card.toggleAttribute('aria-current', turn);
            if (turn) card.setAttribute('aria-current', 'true');
            card.classList.toggle('won', Boolean(room.ended?.winners?.includes(player)));
            parts.who.textContent = seatName(game, seat, player, many);
            card.dataset.kind = seat.kind;
            parts.clock.hidden = !room.clock;
            clear(parts.held, holdings(game, position, player));
            const thinks = room.thinking?.seat === player;
            card.classList.toggle('thinks', thinks);
            if (!thinks) parts.state.textContent = !seat.online && seat.kind !== 'computer'
                ? t(seat.kind === 'open' ? 'play.awaited' : 'play.away') : '';
            clear(parts.tools, seat.you && seat.kind === 'person' &&
                button(t('play.rename'), { icon: 'edit', bare: true, kind: 'quiet small', onclick: () => onRename(player) }),
            !over && seat.you && seat.kind === 'person' &&
                button(t('play.handover'), { icon: 'computer', bare: true, kind: 'quiet small', onclick: () => onSeat(player, 'computer') }),
            !over && alone && seat.kind === 'computer' &&
                button(t('play.takeover'), { icon: 'person', bare: true, kind: 'quiet small', onclick: () => onSeat(player, 'person') }));
        });
        clearInterval(timer);
        if (!over && (room.clock?.running !== undefined && room.clock?.running !== null || room.thinking))
            timer = setInterval(tick, 100);
        tick();
    }

    return { cards: cards.map((each) => each.card), draw, close: () => clearInterval(timer) };
}
