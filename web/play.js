// play: the page of a room: the board, and everything beside it. It shows what the server says and
// asks the server for everything; see docs/web-protocol.md.
import { gameText, t } from './i18n.js';
import { announce, button, clear, fetched, h, marked, style, toast } from './ui.js';
import { confirms } from './settings.js';
import { gameAddress } from './library.js';
import { createBoard } from './board.js';
import { playerName } from './board_piece.js';
import { createChooser, cellsOf, preview } from './play_choose.js';
import { createSeats } from './play_seats.js';
import { createMoves } from './play_moves.js';
import { createBar } from './play_bar.js';
import { createActions } from './play_actions.js';
import { endPanel, endWords, verdict } from './play_end.js';
import { createDeeds } from './play_deeds.js';
import { drawBanner } from './play_banner.js';
import { play as sound } from './play_sound.js';

export function openPlay(root, net, params) {
    style('play.css');
    const room = net.room(params.id, params.key);
    const waiting = h('p', { class: 'soft play-wait', role: 'status' }, t('ui.loading'));
    clear(root, waiting);
    let table = null, loading = false, closed = false;

    async function load(snapshot) {
        loading = true;
        try {
            const answer = await fetch(gameAddress(snapshot.game, snapshot.params));
            const game = await answer.json();
            if (!answer.ok) throw new Error(game.error);
            if (closed) return;
            table = openTable(root, net, room, game, params);
            table.take(room.now, room);
        } catch (error) {
            if (!closed) failed(error.message);
        }
    }

    function failed(text) {
        clear(root, h('section', { class: 'card failed' }, h('h1', null, t('play.gone')), h('p', null, marked(text)),
            button(t('ui.tolibrary'), { kind: 'main', onclick: () => { location.hash = '#/'; } })));
    }

    const off = room.watch((snapshot) => {
        if (room.state === 'gone') failed(room.error?.message ?? '');
        else if (table) table.take(snapshot, room);
        else if (snapshot && !loading) load(snapshot);
    });
    return {
        close() {
            closed = true;
            off();
            room.leave();
            table?.close();
        },
    };
}

function openTable(root, net, room, game, params) {
    const watchers = new Map();
    let now = null; // the newest snapshot
    let view = null; // {ply, position, cells} of the past, or null: the present
    let pending = null; // a whole move that waits to be confirmed: {values, text}
    let threats = false, insight = null, wanted = null, pace = false, pacing = null;

    const area = h('div', { class: 'board-area' });
    const banner = h('div', { class: 'banners' });
    const above = h('div', { class: 'seats above' }), below = h('div', { class: 'seats below' });
    const endPlace = h('div', { class: 'end-place' });
    const insightPlace = h('section', { class: 'insight-place', hidden: true, 'aria-label': t('play.insight') });
    const pacePlace = h('div', { class: 'pace-place' });
    const title = h('h1', { class: 'play-title' }, gameText(game, game.title));
    const watching = h('span', { class: 'badge' });

    const board = createBoard(area, game, { label: t('play.boardof', { game: gameText(game, game.title) }) });
    const seats = createSeats(game, { onSeat: (player, kind) => deeds.seat(player, kind), onRename: (player) => deeds.rename(player) });
    const moves = createMoves(game, { onPly: goto });
    const bar = createBar(game, {
        onItem: (value) => chooser.item(value), onBack: () => chooser.back(),
        onConfirm: confirm, onLive: () => goto(now.moves.length), onFork: () => deeds.fork(view?.ply ?? now.moves.length),
    });
    const actions = createActions({ run });
    const chooser = createChooser({
        ask: patiently,
        changed: drawChoices,
        refused(cell, text) {
            if (cell !== null) board.shake(cell);
            sound('no');
            bar.say(text);
        },
        play: whole,
    });
    const api = {
        room: () => now, ply: () => view?.ply ?? now.moves.length, position: () => view?.position ?? now.position,
        game, board, goto, on,
    };
    const deeds = createDeeds({ net, room, game, api, bar, board });

    const el = h('div', { class: 'play' },
        h('div', { class: 'play-main' }, banner, above, h('div', { class: 'board-frame' }, area, endPlace), below, bar.el, pacePlace),
        h('aside', { class: 'play-side' }, h('header', { class: 'play-head' }, title, watching),
            moves.el, actions.form, actions.el, actions.sounds, insightPlace));
    clear(root, el);
    document.title = `${gameText(game, game.title)} · Ludens`;

    function on(name, watcher) {
        if (!watchers.has(name)) watchers.set(name, new Set());
        watchers.get(name).add(watcher);
        return () => watchers.get(name).delete(watcher);
    }
    function tell(name) {
        for (const watcher of [...watchers.get(name) ?? []]) watcher(api);
    }

    const samePosition = (a, b) => a.start === b.start && a.moves.length === b.moves.length && a.position.text === b.position.text;

    // Who clicks faster than the server likes waits a moment. If somebody sat down just then, or a clock
    // was set right, the position is the same, and what was asked about it is asked again.
    async function patiently(what, members) {
        const asked = now;
        for (let tries = 0; ; tries++)
            try {
                return await room.ask(what, members);
            } catch (error) {
                const same = error.code === 'behind' && samePosition(asked, now);
                if (error.code === 'behind' && !same) bar.say(t('play.behind'));
                if ((error.code !== 'busy' && !same) || tries >= 5) throw error;
                if (!same) await new Promise((go) => { setTimeout(go, 150); });
            }
    }

    const mine = () => (now.seats[now.position.player]?.you ? now.options : null);

    function take(snapshot) {
        drawBanner(banner, snapshot, room, game, deeds);
        if (!snapshot || snapshot === now) return;
        const before = now;
        now = snapshot;
        const first = before === null;
        if (first) {
            const sits = now.seats.map((seat) => Boolean(seat.you));
            if (sits.filter(Boolean).length === 1 && sits[1] && sits.length === 2) board.flip(true);
            placeSeats();
            if (params.ply !== undefined) goto(Number(params.ply));
        }
        const stepped = before && now.moves.length !== before.moves.length;
        const other = !before || !samePosition(now, before);
        if (before && other) {
            pending = null;
            if (view && !isPast(view.ply, before)) view = null;
            threats = false;
            board.arrows('hint-arrow', []);
        }
        if (before && now.moves.length > before.moves.length) heard(before);
        if (before && isDeclined(before)) toast(t('play.declined'));
        // Somebody came to watch, a clock was set right: choices made so far stay.
        if (other || !mine() || !chooser.options) {
            drawPosition(!first);
            chooser.reset(view ? null : mine());
        }
        if (now.ended && (first || !before.ended)) ended(!first);
        if (!now.ended) clear(endPlace);
        draw();
        tell('room');
        if (stepped) tell('view');
    }

    // Who looks back goes on looking, as long as the game came along there and is not over just now.
    function isPast(ply, before) {
        const same = (move, i) => move.text === before.moves[i]?.text;
        return ply < now.moves.length && now.start === before.start && now.moves.slice(0, ply).every(same)
            && (!now.ended || before.ended);
    }

    // An offer of mine is gone, and nothing else has happened.
    function isDeclined({ offer, moves, ended: over, start }) {
        return offer && !now.offer && now.seats[offer.by]?.you && now.start === start
            && now.moves.length === moves.length && Boolean(now.ended) === Boolean(over);
    }

    // What happened is heard and said.
    function heard(before) {
        const fresh = now.moves.slice(before.moves.length);
        const count = (p) => p.cells.reduce((sum, c) => sum + (Array.isArray(c) ? c.length : c === null ? 0 : 1), 0);
        if (!now.ended) sound(count(now.position) < count(before.position) ? 'take' : 'move');
        announce(fresh.map((move) => t('play.said', { player: playerName(game, move.player), move: move.text })).join(' ') +
            (mine() && now.seats.some((seat) => !seat.you) ? ` ${t('play.yourturn')}` : ''));
    }

    function ended(fresh) {
        clear(endPlace, endPanel(game, now, { onAgain: deeds.again, onMenu: () => { location.hash = '#/'; }, onLook: () => clear(endPlace) }));
        if (!fresh) return;
        // The keyboard goes on with what comes next, unless it is busy elsewhere.
        const busy = document.activeElement;
        if (!busy || busy === document.body || area.contains(busy)) endPlace.querySelector('.button.main')?.focus({ preventScroll: true });
        const how = now.seats.length === 1 ? (now.ended.winners?.length ? 'won' : 'lost') : verdict(now);
        endPlace.scrollIntoView({ block: 'nearest' });
        sound(how === 'over' ? 'won' : how);
        announce(endWords(game, now).join('. '));
    }

    function placeSeats() {
        const { cards } = seats;
        const order = board.flipped ? [...cards].reverse() : cards;
        below.replaceChildren(order[0]);
        above.replaceChildren(...order.slice(1));
    }

    function drawPosition(moving) {
        const position = api.position();
        board.show(position, { animate: moving });
        const ply = api.ply();
        board.mark('last', view ? view.cells : now.moves[ply - 1]?.cells ?? []);
        if (!threats) board.mark('captures', []);
    }

    function turnText() {
        if (view && !view.position.over) return now.seats.length === 1 ? '' : t('play.turn', { player: playerName(game, view.position.player) });
        if (now.ended) return endWords(game, now)[0] ?? t('play.over');
        const player = now.position.player, seat = now.seats[player];
        if (now.seats.length === 1) return seat?.you ? t('play.yourturn') : '';
        const name = playerName(game, player);
        const others = now.seats.some((each) => !each.you);
        return seat?.you && others && now.seats.filter((each) => each.you).length === 1
            ? t('play.yourturnas', { player: name }) : t('play.turn', { player: name });
    }

    function draw() {
        const ply = api.ply();
        Object.assign(el.dataset, { seq: now.seq, ply, player: now.position.player, over: Boolean(now.ended) });
        seats.draw(now, api.position());
        moves.draw(now, ply);
        actions.draw(now, { threats, insight: insight !== null });
        watching.hidden = !now.watchers && now.seats.some((seat) => seat.you);
        watching.textContent = now.seats.some((seat) => seat.you) ? t('play.watchers', { n: now.watchers }) : t('play.youwatch');
        showPace();
        drawBar();
    }
    function drawBar() {
        const options = view ? null : chooser.options;
        bar.draw({
            turn: turnText(), options: options?.move === null || options?.pass ? options : null, depth: chooser.depth,
            position: now.position, confirm: pending?.text ?? null, past: view !== null, ply: api.ply(), plies: now.moves.length,
            help: now.ended ? '' : now.seats[now.position.player]?.kind === 'computer' ? t('play.wait') : mine() ? '' : t('play.waitperson'),
        });
    }

    function drawChoices() {
        if (!now) return;
        const options = view ? null : chooser.options;
        const steps = chooser.chosen.map((step, i) => ({ ...step, name: i ? chooser.chosen[i - 1].options.name : mine()?.name }));
        board.choices(options && !pending ? [...cellsOf(options).keys()] : []);
        const cells = steps.map((step) => step.cell).filter((cell) => cell !== null);
        board.mark('selected', cells.slice(-1));
        if (!view) board.show(cells.length > 1 || pending || (cells.length && options?.items.length) ? preview(game, now.position, steps) : now.position, { animate: true });
        drawBar();
    }

    // A whole move: sent, or first asked for again.
    async function whole(values, text, pointer) {
        if (confirms(pointer)) {
            pending = { values, text };
            drawChoices();
            return;
        }
        await send({ values });
    }
    async function confirm(yes) {
        const { values } = pending;
        pending = null;
        if (yes) await send({ values });
        else chooser.clear();
    }
    async function send(members) {
        try {
            await patiently('move', members);
            return true;
        } catch (error) {
            if (error.code === 'behind') return false;
            sound('no');
            chooser.clear();
            bar.say(error.message);
            return false;
        }
    }

    /** Shows the position after so many moves. */
    async function goto(ply) {
        if (!now) return;
        const last = now.moves.length;
        wanted = Math.max(0, Math.min(last, Math.round(ply) || 0));
        if (wanted === last) {
            if (!view) return;
            view = null;
            chooser.reset(mine());
        } else {
            const asked = wanted;
            try {
                const answer = await net.ask('goto', { room: room.id, ply: asked });
                if (wanted !== asked || asked >= now.moves.length) return; // either is elsewhere by now
                view = { ply: asked, position: answer.position, cells: answer.cells ?? now.moves[asked - 1]?.cells ?? [] };
            } catch (error) {
                toast(error.message, 'error');
                return;
            }
            pending = null;
            chooser.reset(null);
            clear(endPlace);
        }
        threats = false; // what was marked belongs to another position
        board.arrows('hint-arrow', []);
        drawPosition(true);
        draw();
        tell('view');
    }

    // Computers among themselves: how fast.
    async function showPace() {
        const due = now.can.includes('pace') && !now.ended;
        pacing?.follow(now);
        if (due === pace) return;
        pacePlace.replaceChildren();
        pacing = null;
        pace = due;
        if (!due) return;
        style('watch.css');
        const part = await fetched(import('./watch_pace.js'));
        pace = pace && part !== null; // tried again with the next news
        if (!pace || pacePlace.firstChild) return;
        pacing = part.createPace(pacePlace, net, room.id);
        pacing.follow(now);
    }

    async function showThreats() {
        threats = !threats;
        let cells = [];
        if (threats)
            try {
                cells = (await room.ask('captures')).cells;
                if (cells.length) area.scrollIntoView({ block: 'nearest' });
                else bar.say(t('play.nothreats'), true);
            } catch (error) {
                bar.say(error.message);
            }
        board.mark('captures', threats ? cells : []);
        draw();
    }

    async function showInsight() {
        if (insight) {
            insight.close?.();
            insight = null;
            insightPlace.hidden = true;
            insightPlace.replaceChildren();
            board.heat([]);
            board.mark('facts', []);
        } else {
            insightPlace.hidden = false;
            insight = { close() {} };
            const part = await fetched(import('./insight.js'));
            if (insight && part) insight = part.openInsight(insightPlace, net, api);
            else if (insight) return showInsight();
        }
        return draw();
    }

    async function run(name, text) {
        const ply = api.ply();
        if (['type', 'undo', 'redo', 'threats'].includes(name)) goto(now.moves.length); // that happens in the present
        switch (name) {
        case 'type': return send({ text });
        case 'sound': return sound('move');
        case 'flip':
            board.flip();
            return placeSeats();
        case 'threats': return showThreats();
        case 'insight': return showInsight();
        case 'earlier': return goto(ply - 1);
        case 'later': return goto(ply + 1);
        case 'escape':
            if (pending) return confirm(false);
            if (chooser.back()) return undefined;
            if (view) return goto(now.moves.length);
            return deeds.menu();
        default: return deeds[name]();
        }
    }

    board.mayDrag = (cell) => !view && !pending && (cellsOf(chooser.options).has(cell) || chooser.chosen.at(-1)?.cell === cell);
    board.on('choose', ({ cell, level, pointer }) => {
        if (view || pending || !mine()) return;
        sound('choose');
        bar.say('');
        chooser.cell(cell, { level, pointer });
    });
    board.on('lift', ({ cell, level, pointer }) => {
        if (chooser.chosen.at(-1)?.cell !== cell) chooser.cell(cell, { level, pointer });
    });
    board.on('drop', ({ to, pointer }) => chooser.cell(to, { pointer, drop: true }));
    const away = () => { if (!view && !pending) chooser.back(); };
    board.on('away', away);
    el.addEventListener('click', (event) => {
        if (!event.target.closest('.board, button, a, input, select, label, .insight-place')) away();
    });

    return {
        take,
        close() {
            tell('close');
            insight?.close?.();
            for (const part of [seats, actions, bar, board]) part.close();
        },
    };
}
