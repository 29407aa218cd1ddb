// Insight: what the computer sees in the position on view. A bar and a graph of who is ahead, the
// best lines as they are found, arrows and visits on the board, reasons in words, the search's tree.

import { button, clear, dialog, fetched, field, h, marked, style, toggle } from './ui.js';
import { gameText, number, t } from './i18n.js';
import { playerName } from './players.js';
import { recall, remember } from './settings.js';
import { playerColour } from './board_piece.js';
import { inWords } from './said.js';
import { createExplain } from './insight_explain.js';
import { createGraph } from './insight_graph.js';
import { createLines } from './insight_lines.js';
import { createMini } from './insight_mini.js';
import { aheadWords, forFirst, isSure, share, short, valueShort, valueWords } from './insight_value.js';

const KEY = 'ludens.insight';
const PAUSE = 200;     // milliseconds on a position before it is analysed
const QUICK = 0.4;     // seconds for each move when a whole game is looked at
const PLAYERS = ['auto', 'alphabeta', 'mcts', 'plain-alphabeta:depth=4', 'minimax:depth=3'];

/** `api` is the play page's: room(), ply(), position(), game, board, on(), goto(). */
export function openInsight(root, net, api) {
    style('insight.css');
    const { game } = api;
    const prefs = { on: true, player: 'auto', best: 3, seconds: 30, arrows: true, heat: false, ...recall(KEY, {}) };
    let task = null;
    let sweep = null; // a walk over the whole game
    let turn = 0;
    let timer = 0;
    let values = []; // by ply, for the first player
    let looked = ''; // room, number and ply that the analysis is about
    let broken = false; // the line broke off an analysis
    let closed = false;
    let treeBox = null; // the dialog with the tree, while it is there

    const bar = createBar(game);
    const numbers = h('dl', { class: 'insight-numbers' });
    const note = h('p', { class: 'insight-note', role: 'status' });
    const miniPlace = h('div', { class: 'insight-mini-place' });
    const graphPlace = h('div');
    const linesPlace = h('div');
    const explainPlace = h('section', { class: 'insight-part' });
    const whole = button(t('insight.whole'), { icon: 'chart', onclick: wholeGame });
    const panel = h('div', { class: 'insight' }, miniPlace,
        h('div', { class: 'insight-top' },
            toggle(t('insight.live'), prefs.on, (on) => { set('on', on); restart(); }),
            options()),
        bar.element, numbers, note, linesPlace,
        h('section', { class: 'insight-part' }, h('h3', null, t('insight.graph')), graphPlace,
            h('div', { class: 'explain-row' }, whole,
                button(t('insight.tree'), { icon: 'tree', onclick: showTree }))),
        explainPlace);
    root.append(panel);
    const mini = createMini(miniPlace, api);
    const drawn = { ...api, board: mini.board };
    const explain = createExplain(explainPlace, net, drawn);
    const graph = createGraph(graphPlace, game, (ply) => api.goto(ply));
    const lines = createLines(linesPlace, drawn, prefs, (move) => explain.explain(move));

    function set(name, value) {
        prefs[name] = value;
        remember(KEY, prefs);
    }

    function options() {
        const pick = (name, label, choices) => {
            const control = h('select', { class: 'input', value: String(prefs[name]),
                onchange: () => {
                    set(name, typeof choices[0][0] === 'number' ? Number(control.value) : control.value);
                    restart();
                } }, choices.map(([value, text]) => h('option', { value }, text)));
            return field(label, control);
        };
        const wanted = PLAYERS.includes(prefs.player) ? PLAYERS : [...PLAYERS, prefs.player];
        return h('details', { class: 'insight-options' }, h('summary', null, t('insight.options')),
            pick('player', t('insight.player'), wanted.map((p) => [p, p === 'auto' ? t('insight.auto') : playerName(p)])),
            pick('best', t('insight.best'), [1, 2, 3, 4, 5].map((n) => [n, String(n)])),
            pick('seconds', t('insight.seconds'), [5, 30, 120, 600].map((n) => [n, t('insight.secondsText', { n })])),
            toggle(t('insight.arrows'), prefs.arrows, (on) => { set('arrows', on); restart(); }),
            toggle(t('insight.heat'), prefs.heat, (on) => {
                set('heat', on);
                restart();
            }, t('insight.heatHelp')));
    }

    // Visits are counted by tree searches only; who wants to see them gets one.
    const playerNow = () => (prefs.heat && !prefs.player.startsWith('mcts') ? 'mcts' : prefs.player);

    function showGraph() {
        graph.show({ last: api.room().moves.length, ply: api.ply(), values });
    }

    function showNumbers(m) {
        const speed = m?.seconds > 0 ? m.nodes / m.seconds : 0;
        const entries = m ? [['depth', m.depth ? number(m.depth) : ''], ['nodes', short(m.nodes ?? 0)],
            ['speed', speed ? t('insight.perSecond', { n: short(speed) }) : ''],
            ['time', t('insight.timeText', { n: number(m.seconds ?? 0, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) })]] : [];
        clear(numbers, entries.filter(([, text]) => text).map(([key, text]) =>
            h('div', null, h('dt', null, t(`insight.${key}`)), h('dd', null, text))));
    }

    function news(m, ply, player) {
        if (typeof m.value === 'number') {
            values[ply] = forFirst(game, player, m.value);
            bar.show(values[ply], m.proven);
            showGraph();
        }
        showNumbers(m);
        if (Array.isArray(m.best)) lines.show(m.best, m.playouts > 0, m.tried);
    }

    function stop() {
        turn++;
        clearTimeout(timer);
        task?.stop();
        task = null;
    }

    function restart() {
        stop();
        broken = false;
        lines.clear();
        showNumbers(null);
        note.textContent = '';
        const position = api.position();
        const ply = api.ply();
        bar.show(values[ply] ?? null, false);
        showGraph();
        if (!position) return;
        if (position.over) {
            clear(note, marked([position.result, position.reason].filter(Boolean).map((text) => inWords(text, game)).join(': ')));
            return;
        }
        if (!prefs.on || sweep) return;
        const mine = turn;
        timer = setTimeout(() => analyse(mine, ply, position.player), PAUSE);
    }

    async function analyse(mine, ply, player) {
        const wanted = playerNow();
        task = net.task('analyse', {
            room: api.room().room, ply, best: prefs.best, seconds: prefs.seconds, visits: prefs.heat,
            ...(wanted === 'auto' ? {} : { player: wanted }),
        }, (m) => { if (mine === turn) news(m, ply, player); });
        panel.classList.add('thinking');
        try {
            const last = await task.done;
            if (mine !== turn) return;
            news(last, ply, player);
            note.textContent = last.proven ? t('insight.proven') : '';
        } catch (error) {
            if (mine !== turn || closed) return;
            broken = error.code === 'offline';
            note.textContent = error.message;
        } finally {
            if (mine === turn) panel.classList.remove('thinking');
        }
    }

    // Looks at each ply that nothing is known about, from the end: there it matters most.
    async function wholeGame() {
        if (sweep) {
            sweep.ended = true;
            sweep.task?.stop();
            return;
        }
        stop();
        const mine = sweep = { ended: false, task: null };
        const words = whole.querySelector('span');
        words.textContent = t('insight.stop');
        try {
            for (let ply = api.room().moves.length; ply >= 0 && !mine.ended; ply--) {
                if (typeof values[ply] === 'number') continue;
                note.textContent = t('insight.looking', { n: ply });
                mine.task = net.task('analyse', { room: api.room().room, ply, best: 1, seconds: QUICK });
                const last = await mine.task.done.catch((error) => {
                    if (error.code === 'illegal' || error.code === 'bad') return {}; // over: nothing to search
                    throw error;
                });
                if (closed) return;
                if (typeof last.value === 'number') {
                    const player = last.player ?? (game.players.length === 2 ? playerAt(ply) : 0);
                    values[ply] = forFirst(game, player, last.value);
                }
                showGraph();
            }
            note.textContent = '';
        } catch (error) {
            note.textContent = error.message;
        } finally {
            sweep = null;
            words.textContent = t('insight.whole');
            if (!closed) restart();
        }
    }

    // Who is on move at a ply: who made the move there, or at the end the one on move now.
    const playerAt = (ply) => api.room().moves[ply]?.player ?? api.room().position.player;

    async function showTree() {
        const tree = await fetched(import('./tree.js'));
        if (!tree) return;
        let part = null;
        const body = h('div');
        stop();
        await dialog({ title: t('tree.title'), body, buttons: [], kind: 'wide',
            ready: (box) => {
                treeBox = box;
                part = tree.openTree(body, net, api);
            } });
        treeBox = null;
        part?.close();
        if (!closed) restart();
    }

    async function knownValues() {
        try {
            const { values: known } = await net.ask('graph', { room: api.room().room });
            known.forEach((value, ply) => { if (typeof value === 'number') values[ply] ??= value; });
            if (!closed) {
                showGraph();
                bar.show(values[api.ply()] ?? null, false);
            }
        } catch { /* a graph without a past is still one */ }
    }

    // The same ply is another position after undo or another move.
    function viewed() {
        const room = api.room();
        const ply = api.ply();
        const line = room.moves.slice(0, ply).map((m) => m.text).join(' ');
        const now = `${room.room} ${room.start} ${line}`;
        if (now === looked) {
            // The room is joined again: what broke off is begun anew.
            if (broken && net.state === 'open') restart();
            else showGraph();
            return;
        }
        looked = now;
        mini.show();
        explain.reset();
        restart();
    }
    let history = [];
    function roomChanged() {
        const moves = api.room().moves.map((m) => m.text);
        let same = 0;
        while (same < history.length && history[same] === moves[same]) same++;
        if (same < history.length) values.length = Math.min(values.length, same + 1);
        history = moves;
        viewed();
    }

    const offs = [api.on('room', roomChanged), api.on('view', viewed)];
    roomChanged();
    knownValues();
    panel.scrollIntoView({ block: 'nearest' });

    return {
        close() {
            closed = true;
            stop();
            treeBox?.close();
            if (sweep) {
                sweep.ended = true;
                sweep.task?.stop();
            }
            offs.forEach((off) => off?.());
            lines.close();
            explain.close();
            mini.close();
            panel.remove();
        },
    };
}

// Who is ahead as a bar from one player to the other.
function createBar(game) {
    const full = h('div', { class: `insight-full c-${playerColour(game, 0)}` });
    const text = h('b');
    const two = game.players.length === 2;
    const element = h('div', { class: `insight-bar${two ? '' : ' one'}`, role: 'img' },
        two && h('span', { class: 'insight-side' }, gameText(game, game.players[0])),
        h('div', { class: `insight-track c-${playerColour(game, 1)}` }, full, h('span', { class: 'insight-value' }, text)),
        two && h('span', { class: 'insight-side' }, gameText(game, game.players[1])));
    return {
        element,
        show(value, proven) {
            const known = typeof value === 'number';
            full.style.width = `${(known ? share(value) : 0.5) * 100}%`;
            text.textContent = known ? valueShort(value) : '';
            text.title = known ? valueWords(value) : '';
            element.classList.toggle('unknown', !known);
            element.classList.toggle('proven', known && (proven || isSure(value)));
            const words = two ? aheadWords(game, known ? value : null) : valueWords(value);
            element.setAttribute('aria-label', proven && known ? `${words}, ${t('insight.proven')}` : words || t('insight.unknown'));
        },
    };
}
