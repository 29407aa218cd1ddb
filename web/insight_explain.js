// A position or a move in words: what the knowledge of the rules file counts, each with the facts
// behind it, which light up on the board when one looks at them.

import { announce, button, clear, h } from './ui.js';
import { gameText, number, t } from './i18n.js';

const LAYER = 'facts';
const MOST = 6; // facts of one line that are seen at once; the others open

export function createExplain(root, net, api) {
    const { game, board } = api;
    const out = h('div', { class: 'explain-out' });
    const position = button(t('insight.explainPosition'), { icon: 'info', onclick: () => explain() });
    const move = button(t('insight.explainMove'), { icon: 'info', onclick: () => explainLast() });
    const facts = button(t('insight.facts'), { icon: 'search', onclick: () => showFacts() });
    root.append(h('h3', null, t('insight.explain')));
    if (!game.knows) root.append(h('p', { class: 'field-help' }, t('insight.knowsNothing')));
    root.append(h('div', { class: 'explain-row' }, position, move, game.knows ? facts : ''), out);
    let turn = 0;

    const mark = (cells) => board.mark(LAYER, cells);
    // Looking at something marks its cells: with the pointer, with the keyboard, by touch.
    const marking = (cells) => ({
        onpointerenter: () => mark(cells), onpointerleave: () => mark([]),
        onfocus: () => mark(cells), onblur: () => mark([]), onclick: () => mark(cells),
    });
    const chip = (fact, text) => h('button', { type: 'button', class: 'fact', ...marking(fact.cells ?? []) }, text);

    async function ask(what, members, show) {
        const mine = ++turn;
        try {
            const answer = await net.ask(what, { room: api.room().room, ply: api.ply(), ...members });
            if (mine === turn) show(answer);
        } catch (error) {
            if (mine === turn) {
                clear(out, h('p', { class: 'insight-error' }, error.message));
                announce(error.message);
            }
        }
    }

    function line(each) {
        const of = each.facts ?? [];
        const cells = [...new Set(of.flatMap((f) => f.cells ?? []))];
        const changes = typeof each.before === 'number';
        const words = [gameText(game, each.sentence || each.text), changes ? `${each.before} → ${each.after}` : of.length > 1 && `× ${of.length}`]
            .filter(Boolean).join('  ');
        return h('li', { class: 'explain-line' },
            typeof each.value === 'number' && h('span', { class: `insight-chip${each.value > 0 ? ' good' : each.value < 0 ? ' bad' : ''}` },
                number(each.value, { signDisplay: game.knows ? 'exceptZero' : 'auto' })),
            h('div', { class: 'explain-words' },
                cells.length
                    ? h('button', { type: 'button', class: 'explain-sentence', ...marking(cells) }, words)
                    : h('span', { class: 'explain-sentence' }, words),
                game.knows && chips(of.filter((f) => f.cells?.length))));
    }

    // Only what is somewhere on the board: the rest would light up nothing.
    function chips(of) {
        if (!of.length) return null;
        const row = (list) => h('div', { class: 'explain-facts' }, list.map((f) => chip(f, f.text)));
        return of.length <= MOST ? row(of) : [row(of.slice(0, MOST)),
            h('details', { class: 'explain-more' }, h('summary', null, t('insight.more', { n: of.length - MOST })), row(of.slice(MOST)))];
    }

    // Lines that belong to one player stand together.
    function groups(lines) {
        const players = [...new Set(lines.map((l) => l.player))];
        return players.map((player) => [
            game.knows && game.players[player] && h('h5', null, t('insight.forPlayer', { name: gameText(game, game.players[player]) })),
            h('ul', { class: 'explain-list' }, lines.filter((l) => l.player === player).map(line))]);
    }

    function show(title, answer) {
        const lines = answer.lines ?? [];
        const prefer = (answer.prefer ?? []).map((p) => h('li', { class: 'explain-line' },
            h('span', { class: `insight-chip ${p.times >= 1 ? 'good' : 'bad'}` }, `× ${number(p.times)}`),
            h('span', { class: 'explain-words' }, gameText(game, p.sentence))));
        clear(out, h('h4', null, title),
            lines.length ? groups(lines) : !prefer.length && h('p', null, t('insight.nothing')),
            prefer.length > 0 && [h('h5', null, t('insight.prefer')), h('ul', { class: 'explain-list' }, prefer)],
            answer.words && h('p', { class: 'explain-sum' }, t('insight.together', { words: answer.words })));
        announce([title, ...lines.slice(0, 3).map((l) => gameText(game, l.sentence || l.text))].join('. '));
    }

    function explain(text) {
        return ask('explain', text ? { move: text } : {}, (answer) =>
            show(text ? t('insight.ofMove', { move: text }) : t('insight.ofPosition', { n: api.ply() }), answer));
    }

    // The move that led to the position on view.
    function explainLast() {
        const ply = api.ply();
        const last = api.room().moves[ply - 1];
        if (!last) {
            clear(out, h('p', null, t('insight.noMove')));
            return null;
        }
        return ask('explain', { ply: ply - 1, move: last.text }, (answer) =>
            show(t('insight.ofMove', { move: last.text }), answer));
    }

    function showFacts() {
        return ask('facts', {}, ({ facts: all }) => {
            const groups = new Map();
            for (const fact of all) {
                const name = fact.relation ?? fact.text.split('(')[0];
                if (!groups.has(name)) groups.set(name, []);
                groups.get(name).push(fact);
            }
            clear(out, h('h4', null, t('insight.factCount', { n: all.length })),
                [...groups].map(([name, list]) => h('details', { class: 'fact-group' },
                    h('summary', null, h('strong', null, name), ` ${number(list.length)}`),
                    h('div', { class: 'explain-facts' }, list.slice(0, 100).map((f) => chip(f, f.text))))));
            announce(t('insight.factCount', { n: all.length }));
        });
    }

    return {
        explain,
        /** The position on view is another one: the old words are of no use. */
        reset() {
            turn++;
            clear(out);
            mark([]);
        },
        close: () => mark([]),
    };
}
