// play_deeds: what the buttons do: all of it by asking the server.
import { t } from './i18n.js';
import { moveArrow, valueWords } from './insight_value.js';
import { set } from './settings.js';
import { dialog, fetched, field, h, toast } from './ui.js';
import { ownName } from './play_seats.js';
import { openShare } from './play_share.js';
import { openEditor } from './play_editor.js';

export function createDeeds({ net, room, game, api, bar, board }) {
    async function ask(what, members) {
        try {
            return await room.ask(what, members);
        } catch (error) {
            if (error.code !== 'behind') bar.say(error.message);
            return null;
        }
    }

    // Seats of a new game with the same players; persons elsewhere are invited again.
    function sameSeats(elsewhere) {
        return api.room().seats.map((seat) => {
            if (seat.kind === 'computer') return { kind: 'computer', player: seat.player };
            return seat.you || !elsewhere ? { kind: 'person', name: seat.name } : { kind: 'open' };
        });
    }

    async function open(members) {
        const { game: name, params, title } = api.room();
        try {
            await net.openRoom({ game: name, params, title, ...members });
        } catch (error) {
            toast(error.message, 'error');
        }
    }

    async function sure(title, text, yes) {
        return await dialog({ title, body: h('p', null, text), buttons: [['no', t('ui.cancel')], ['yes', yes, 'main']] }) === 'yes';
    }

    const deeds = {
        undo: () => ask('undo'),
        redo: () => ask('redo'),
        takeback: async () => { if (await ask('takeback')) toast(t('play.offeredback')); },
        draw: async () => { if (await ask('draw')) toast(t('play.offereddraw')); },
        answer: (yes) => ask('answer', { yes }),
        async resign() {
            if (await sure(t('play.resign'), t('play.resignsure'), t('play.resign'))) await ask('resign');
        },
        async restart() {
            const { moves, ended } = api.room();
            if (!moves.length) return;
            if (ended || await sure(t('play.restart'), t('play.restartsure'), t('play.restart'))) await ask('restart');
        },
        /** The same once more; who plays elsewhere is asked. A watcher opens a game of their own. */
        async again() {
            const { can, offer, seats } = api.room();
            if (can.includes('restart') || can.includes('again')) await ask('restart');
            else if (offer?.kind === 'restart' && seats.some((seat) => seat.you)) toast(t('play.offeredagain'));
            else await open({ seats: sameSeats(true), start: api.room().start });
        },
        /** A new game with the moves up to a ply. */
        fork(ply) {
            const { moves, start } = api.room();
            return open({ seats: sameSeats(false), start, moves: moves.slice(0, ply).map((move) => move.text) });
        },
        /** Hands a seat to the computer, or takes it; its new key is kept for the next visit. */
        async seat(seat, kind) {
            const answer = await ask('seat', { seat, kind, ...(kind === 'computer' ? { player: 'auto:level=3' } : {}) });
            if (!answer?.key) return;
            room.keys.push(answer.key);
            net.keep(room.id, { keys: [...net.kept()[room.id]?.keys ?? [], answer.key] });
        },
        /** What somebody is called; who has one seat is called so in other games, too. */
        async rename(seat) {
            const mine = api.room().seats.filter((each) => each.you && each.kind === 'person');
            const name = h('input', { type: 'text', maxlength: 40, autocomplete: 'nickname', value: ownName(game, api.room().seats[seat], seat) });
            const form = h('form', null, field(t('settings.name'), name, t('settings.name_help')));
            form.addEventListener('submit', (event) => {
                event.preventDefault();
                form.closest('dialog').querySelector('.dialog-foot button').click();
            });
            const answer = await dialog({
                title: t('play.rename'), body: form, buttons: [['ok', t('ui.done'), 'main']], ready: () => name.select(),
            });
            if (answer !== 'ok') return;
            if (mine.length === 1) set('name', name.value.trim());
            await ask('rename', { seat, name: name.value.trim() || game.players[seat] });
        },
        share: () => openShare(api.room(), api.position()),
        edit: () => openEditor(net, game, api.room().params, api.position().text, {
            onPlay: (start) => open({ seats: sameSeats(false), start }),
            onShare: (position) => openShare(api.room(), position),
        }),
        async hint() {
            const { text } = api.position();
            const task = net.task('hint', { room: room.id, ply: api.ply() });
            // Of another position than what is on view by then nobody wants to hear.
            const gone = () => api.position().text !== text;
            const offs = ['room', 'view', 'close'].map((name) => api.on(name, () => { if (gone() || name === 'close') task.stop(); }));
            bar.say(t('play.hinting'), true);
            try {
                const answer = await task.done;
                if (gone()) return;
                const arrow = moveArrow(game, answer, api.position());
                board.arrows('hint-arrow', arrow ? [arrow] : []);
                board.svg.scrollIntoView({ block: 'nearest' });
                const value = valueWords(answer.value);
                bar.say(value ? t('play.hintwhy', { move: answer.move, value }) : t('play.hintis', { move: answer.move }), true);
            } catch (error) {
                if (!gone()) bar.say(error.message);
            } finally {
                for (const off of offs) off();
            }
        },
        async invite() {
            const invite = await fetched(import('./invite.js'));
            invite?.openInvite(net, api.room(), game);
        },
        async menu() {
            const { can, moves } = api.room();
            const restart = can.includes('restart') && moves.length > 0;
            const answer = await dialog({
                title: t('play.menutitle'), body: h('p', { class: 'soft' }, t('play.menuhelp')),
                buttons: [restart && ['restart', t('play.restart')], ['menu', t('play.menu')], ['', t('play.goon'), 'main']].filter(Boolean),
            });
            if (answer === 'menu') location.hash = '#/';
            if (answer === 'restart') await ask('restart');
        },
    };
    return deeds;
}
