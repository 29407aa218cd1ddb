// The tree that a search walked, to be walked again: nodes open when asked for, each with its
// window, its value, and what was left out below it and why.
//
// The server keeps the tree and numbers its nodes in the order in which the search came to them;
// node 0 stands above all. Only what is looked at is fetched.

import { announce, button, clear, field, h, style } from './ui.js';
import { t } from './i18n.js';
import { recall, remember } from './settings.js';
import { createDetail } from './tree_detail.js';
import { leftRow, nodeRow } from './tree_row.js';

const KEY = 'ludens.tree';
const PLAYERS = ['minimax', 'plain-alphabeta', 'ordered-alphabeta', 'deepening-alphabeta', 'table-alphabeta', 'alphabeta', 'mcts'];
const PUZZLERS = ['bfs', 'dfs', 'iddfs', 'astar', 'idastar', 'bestfirst'];
const MOST = 60; // children that are shown at once
const ENDLESS = new Set(['mcts']); // who has no depth

export function openTree(root, net, api) {
    style('tree.css');
    const { game } = api;
    const players = game.players.length === 1 ? PUZZLERS : PLAYERS;
    const prefs = { player: 'plain-alphabeta', depth: 3, ...recall(KEY, {}) };
    if (!players.includes(prefs.player)) prefs.player = players[0];
    let tree = null;       // number of the tree on the server
    let count = 0;         // of its nodes
    let selected = null;   // number of a node
    let task = null;
    let turn = 0;
    const nodes = new Map(); // number -> {about, answer, item, group, parent}

    const player = h('select', { class: 'input', value: prefs.player }, players.map((p) => h('option', { value: p }, p)));
    const depth = h('select', { class: 'input', value: String(prefs.depth) },
        [1, 2, 3, 4, 5, 6, 7, 8].map((d) => h('option', { value: d }, String(d))));
    const depthField = field(t('tree.depth'), depth);
    const drawDepth = () => { depthField.hidden = ENDLESS.has(player.value); };
    player.addEventListener('change', drawDepth);
    drawDepth();
    const go = button(t('tree.walk'), { icon: 'tree', kind: 'main', onclick: walk });
    const stopper = button(t('tree.stop'), { icon: 'stop', onclick: () => task?.stop() });
    stopper.hidden = true;
    const note = h('p', { class: 'tree-note', role: 'status' }, t('tree.intro'));
    const list = h('ul', { class: 'tree-list', role: 'tree', 'aria-label': t('tree.title') });
    const side = h('div', { class: 'tree-side' });
    const slider = h('input', { type: 'range', min: '1', max: '1', value: '1', class: 'tree-slider', 'aria-label': t('tree.order') });
    const order = h('span', { class: 'tree-order' });
    const tools = h('div', { class: 'tree-tools' },
        button(t('tree.back'), { icon: 'back', bare: true, onclick: () => reveal(selected - 1) }),
        slider,
        button(t('tree.next'), { icon: 'forward', bare: true, onclick: () => reveal(selected + 1) }),
        order,
        button(t('tree.best'), { icon: 'last', onclick: followBest }));
    tools.hidden = true;
    const both = h('div', { class: 'tree-both' }, h('div', { class: 'tree-scroll' }, list), side);
    both.hidden = true;
    const page = h('div', { class: 'tree' },
        h('div', { class: 'tree-form' }, field(t('tree.player'), player), depthField, go, stopper),
        note, tools, both);
    root.append(page);
    const detail = createDetail(side, game);
    slider.addEventListener('input', () => {
        order.textContent = t('tree.nth', { n: Number(slider.value), of: count });
    });
    slider.addEventListener('change', () => reveal(Number(slider.value)));

    async function walk() {
        const mine = ++turn;
        Object.assign(prefs, { player: player.value, depth: Number(depth.value) });
        remember(KEY, prefs);
        stopper.hidden = false;
        go.disabled = true;
        note.textContent = t('tree.walking');
        task = net.task('tree', { room: api.room().room, ply: api.ply(), player: prefs.player, depth: prefs.depth },
            (m) => { if (mine === turn && m.nodes) note.textContent = t('tree.walkingAt', { n: m.nodes }); });
        try {
            const done = await task.done;
            if (mine !== turn) return;
            await show(done);
        } catch (error) {
            if (mine === turn) note.textContent = error.message;
        } finally {
            if (mine === turn) {
                stopper.hidden = true;
                go.disabled = false;
                task = null;
            }
        }
    }

    async function show(done) {
        tree = done.tree;
        count = done.nodes ?? 0;
        nodes.clear();
        clear(list);
        note.textContent = [t('tree.has', { n: count }), done.dropped > 0 && t('tree.dropped', { n: done.dropped })]
            .filter(Boolean).join(' ');
        slider.max = String(Math.max(1, count));
        tools.hidden = both.hidden = false;
        const top = await fetchNode(0);
        add(list, top.children ?? [], 0);
        // The last tree of a deepening search is the one that counts.
        const last = top.children?.at(-1);
        if (last) {
            await expand(last.node);
            await select(last.node);
        }
        announce(note.textContent);
    }

    async function fetchNode(node) {
        const known = nodes.get(node);
        if (known?.answer) return known.answer;
        const answer = await net.ask('branch', { tree, node });
        const entry = nodes.get(node) ?? { about: answer, parent: answer.parent ?? null };
        entry.answer = answer;
        nodes.set(node, entry);
        return answer;
    }

    // Children into a list; more of them when asked for.
    function add(group, children, parent) {
        const best = bestOf(nodes.get(parent)?.answer);
        const total = children.reduce((sum, c) => sum + (c.visits ?? 0), 0);
        const level = group === list ? 1 : Number(group.parentElement.getAttribute('aria-level')) + 1;
        const some = (from) => {
            for (const about of children.slice(from, from + MOST)) {
                const item = h('li', { role: 'treeitem', 'aria-level': String(level), tabindex: '-1', 'data-node': String(about.node),
                    'aria-selected': 'false', 'aria-expanded': about.children > 0 ? 'false' : null },
                nodeRow(game, about, { best: about.node === best, total }));
                nodes.set(about.node, { ...nodes.get(about.node), about, item, parent });
                group.append(item);
            }
            if (from + MOST >= children.length) {
                const above = nodes.get(parent)?.answer;
                if (above?.left > 0) group.append(leftRow(above));
                return;
            }
            const more = h('li', { role: 'none', class: 'tree-more' }, button(t('tree.more', { n: children.length - from - MOST }), {
                kind: 'quiet', onclick: () => {
                    more.remove();
                    some(from + MOST);
                },
            }));
            group.append(more);
        };
        some(0);
        if (!list.querySelector('[tabindex="0"]')) list.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
    }

    // The child that the value of a node comes from.
    function bestOf(answer) {
        if (!answer?.children?.length || answer.node === 0) return null;
        const same = answer.children.filter((c) => c.value === answer.value);
        if (same.length && typeof answer.value === 'number') return same[0].node;
        if (answer.children.some((c) => c.visits > 0)) {
            return answer.children.reduce((a, c) => ((c.visits ?? 0) > (a.visits ?? 0) ? c : a)).node;
        }
        return null;
    }

    async function expand(node) {
        const entry = nodes.get(node);
        if (!entry?.item || !(entry.about.children > 0)) return;
        if (!entry.group) {
            const answer = await fetchNode(node);
            if (entry.group) return;
            entry.group = h('ul', { role: 'group' });
            entry.item.append(entry.group);
            add(entry.group, answer.children ?? [], node);
        }
        entry.group.hidden = false;
        entry.item.setAttribute('aria-expanded', 'true');
    }

    function fold(node) {
        const entry = nodes.get(node);
        if (!entry?.group) return;
        entry.group.hidden = true;
        entry.item.setAttribute('aria-expanded', 'false');
    }

    async function select(node, focus = true) {
        const entry = nodes.get(node);
        if (!entry?.item) return;
        for (const old of list.querySelectorAll('[aria-selected=true], [tabindex="0"]')) {
            old.setAttribute('aria-selected', 'false');
            old.setAttribute('tabindex', '-1');
        }
        entry.item.setAttribute('aria-selected', 'true');
        entry.item.setAttribute('tabindex', '0');
        selected = node;
        slider.value = String(node);
        order.textContent = t('tree.nth', { n: node, of: count });
        entry.item.firstElementChild.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        if (focus) entry.item.focus({ preventScroll: true });
        const answer = await fetchNode(node);
        if (selected === node) detail.show(answer, pathTo(node));
    }

    // The moves from the root to a node.
    function pathTo(node) {
        const moves = [];
        for (let at = node; at; at = nodes.get(at)?.parent) {
            const text = nodes.get(at)?.about.move;
            if (text) moves.unshift(text);
        }
        return moves;
    }

    // Opens the way to a node by its number: the next position that the search looked at.
    async function reveal(node) {
        if (node < 1 || node > count) return;
        try {
            const way = [];
            for (let at = node; at > 0; at = (await fetchNode(at)).parent ?? 0) way.unshift(at);
            for (const each of way.slice(0, -1)) {
                await expand(each);
                let more;
                const next = way[way.indexOf(each) + 1];
                while (!nodes.get(next)?.item && (more = nodes.get(each).group.querySelector(':scope > .tree-more button'))) more.click();
            }
            await select(node, false);
        } catch (error) {
            note.textContent = error.message;
        }
    }

    async function followBest() {
        let node = selected ?? 1;
        for (let deep = 0; deep < 64; deep++) {
            const next = bestOf(await fetchNode(node));
            if (next === null) break;
            await expand(node);
            node = next;
        }
        await select(node);
    }

    const visible = () => [...list.querySelectorAll('[role=treeitem]')].filter((item) => !item.closest('ul[hidden]'));

    list.addEventListener('click', async (event) => {
        const item = event.target.closest('[role=treeitem]');
        if (!item || event.target.closest('.tree-more')) return;
        const node = Number(item.dataset.node);
        await select(node);
        if (!event.target.closest('.tree-twisty') && item.getAttribute('aria-expanded') === 'true') return;
        if (item.getAttribute('aria-expanded') === 'true') fold(node);
        else await expand(node);
    });
    list.addEventListener('keydown', async (event) => {
        const item = event.target.closest('[role=treeitem]');
        if (!item || event.target.closest('button') || event.ctrlKey || event.altKey || event.metaKey) return;
        const node = Number(item.dataset.node);
        const all = visible();
        const at = all.indexOf(item);
        const open = item.getAttribute('aria-expanded');
        const to = (other) => other && select(Number(other.dataset.node));
        const keys = {
            ArrowDown: () => to(all[at + 1]),
            ArrowUp: () => to(all[at - 1]),
            Home: () => to(all[0]),
            End: () => to(all.at(-1)),
            ArrowRight: () => (open === 'false' ? expand(node) : open === 'true' && to(item.querySelector('[role=treeitem]'))),
            ArrowLeft: () => (open === 'true' ? fold(node) : to(item.parentElement.closest('[role=treeitem]'))),
            Enter: () => (open === 'true' ? fold(node) : expand(node)),
            ' ': () => (open === 'true' ? fold(node) : expand(node)),
        };
        if (!Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        await keys[event.key]();
    });

    return {
        close() {
            turn++;
            task?.stop();
            detail.close();
            page.remove();
        },
    };
}
