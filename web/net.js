// net: the one socket of the page. Questions and their answers, news, and what happens when the line
// breaks: it is tried again, slower each time, and rooms that are open are joined again.
import { language } from './i18n.js';
import { get, recall, remember } from './settings.js';
import { follow } from './net_room.js';
import { inWords } from './said.js';

const FIRST_WAIT = 250; // milliseconds before the line is tried again; doubles up to
const LONGEST_WAIT = 8000;
const PATIENCE = 20000; // for an answer; long work answers at once with a task
const KEPT = 'ludens.rooms'; // room -> {keys, title, game, when}
const KEPT_MOST = 60;

export class NetError extends Error {
    constructor(message, code, answer) {
        super(inWords(message));
        this.code = code; // of docs/web-protocol.md, or 'offline'
        this.answer = answer;
    }
}

function pageWord() {
    let word = recall('ludens.page', '');
    if (!word) {
        word = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => (b % 36).toString(36)).join('');
        remember('ludens.page', word);
    }
    return word;
}

// Halves of characters, which a cut in the middle of one leaves, are no Unicode: the server would
// refuse the whole message.
function wellFormed(name, value) {
    if (typeof value !== 'string') return value;
    return value.toWellFormed?.() ?? value.replace(/\p{Surrogate}/gu, '\ufffd');
}

export function connect(address) {
    const watchers = new Map(); // name of a push -> functions
    const waiting = new Map(); // id -> {resolve, reject, timer}
    const stateWatchers = new Set();
    const rooms = new Map(); // id -> follow()
    const tasks = new Map(); // number -> {news, resolve, reject}
    const early = new Map(); // number -> news that came before we knew the task
    let socket = null;
    let nextId = 1;
    let wait = FIRST_WAIT;
    let timer = 0;
    let closed = false;

    const net = {
        state: 'connecting', // 'open', or 'lost': the line broke and is tried again
        greeting: null, // the answer to hello
        ask, on, task, room, openRoom, keep, kept, forget, watchState, retry, close,
    };

    function setState(state) {
        if (net.state === state) return;
        net.state = state;
        for (const watcher of [...stateWatchers]) watcher(state);
    }

    function start() {
        clearTimeout(timer);
        const mine = new WebSocket(address);
        socket = mine;
        mine.onmessage = (event) => { if (socket === mine) receive(event.data); };
        mine.onopen = () => { if (socket === mine) greet(); };
        mine.onclose = () => { if (socket === mine) lost(); };
    }

    async function greet() {
        try {
            net.greeting = await send('hello', { page: pageWord(), name: get('name'), lang: language() });
        } catch {
            socket?.close();
            return;
        }
        wait = FIRST_WAIT;
        setState('open');
        for (const each of rooms.values()) each.joinAgain();
    }

    function lost() {
        socket = null;
        rejectAll(new NetError('The line to the server broke.', 'offline'));
        for (const each of tasks.values()) each.reject(new NetError('The line to the server broke.', 'offline'));
        tasks.clear();
        early.clear();
        if (closed) return;
        setState('lost');
        timer = setTimeout(start, wait * (0.75 + Math.random() / 2));
        wait = Math.min(2 * wait, LONGEST_WAIT);
    }

    function rejectAll(error) {
        const all = [...waiting.values()];
        waiting.clear();
        for (const { reject, timer: each } of all) {
            clearTimeout(each);
            reject(error);
        }
    }

    function receive(text) {
        let message;
        try {
            message = JSON.parse(text);
        } catch {
            return;
        }
        if (message.re === null) { // it could not be read, so nobody knows which one it was
            rejectAll(new NetError(message.error, message.code, message));
            return;
        }
        if (message.re !== undefined) {
            const question = waiting.get(message.re);
            if (!question) return;
            waiting.delete(message.re);
            clearTimeout(question.timer);
            if (message.error === undefined) question.resolve(message);
            else question.reject(new NetError(message.error, message.code, message));
            return;
        }
        if (message.on === 'task') taskNews(message);
        if (message.on === 'room') rooms.get(message.room)?.take(message);
        for (const watcher of [...watchers.get(message.on) ?? []]) watcher(message);
    }

    function send(what, members) {
        return new Promise((resolve, reject) => {
            if (socket?.readyState !== WebSocket.OPEN) {
                reject(new NetError('There is no line to the server now.', 'offline'));
                return;
            }
            const id = nextId++;
            const late = setTimeout(() => {
                waiting.delete(id);
                reject(new NetError('The server does not answer.', 'offline'));
                socket?.close(); // a line that is dead without knowing it
            }, PATIENCE);
            waiting.set(id, { resolve, reject, timer: late });
            socket.send(JSON.stringify({ ...members, id, do: what }, wellFormed));
        });
    }

    /** Asks once the line is there; rejects with a NetError. */
    async function ask(what, members = {}) {
        if (net.state === 'connecting') await new Promise((go) => {
            const off = watchState(() => { off(); go(); });
        });
        return send(what, members);
    }

    /** News without being asked for; the result ends it. */
    function on(name, watcher) {
        if (!watchers.has(name)) watchers.set(name, new Set());
        watchers.get(name).add(watcher);
        return () => watchers.get(name).delete(watcher);
    }

    function taskNews(message) {
        const each = tasks.get(message.task);
        if (!each) {
            if (!early.has(message.task)) early.set(message.task, []);
            early.get(message.task).push(message);
            if (early.size > 100) early.delete(early.keys().next().value);
            return;
        }
        if (!message.done) {
            each.news?.(message);
            return;
        }
        tasks.delete(message.task);
        if (message.error !== undefined) each.reject(new NetError(message.error, message.code, message));
        else each.resolve(message);
    }

    /** Long work: `news` gets each report, `done` is kept with the last one; stop() ends it early. */
    function task(what, members, news) {
        let number = null;
        let stopped = false;
        const done = new Promise((resolve, reject) => {
            ask(what, members).then((answer) => {
                number = answer.task;
                tasks.set(number, { news, resolve, reject });
                if (stopped) send('stop', { task: number }).catch(() => {});
                for (const message of early.get(number) ?? []) taskNews(message);
                early.delete(number);
            }, reject);
        });
        done.catch(() => {}); // whoever cares waits for it
        return {
            done,
            get number() { return number; },
            stop() {
                stopped = true;
                if (number !== null && tasks.has(number)) send('stop', { task: number }).catch(() => {});
            },
        };
    }

    /** A room to be followed: see net_room.js. Without a key those that this browser keeps are used. */
    function room(id, key) {
        const keys = key ? [key] : kept()[id]?.keys ?? [];
        if (key && !kept()[id]) keep(id, { keys });
        rooms.get(id)?.leave();
        const each = follow(net, id, keys, send, () => { if (rooms.get(id) === each) rooms.delete(id); });
        rooms.set(id, each);
        each.watch((now) => {
            const about = kept()[id];
            if (now && about && !about.title) keep(id, { title: now.title || now.game, game: now.game });
        });
        return each;
    }

    /** Opens a room and goes there. Keys of seats elsewhere are kept to be shown as invitations. */
    async function openRoom(request) {
        const answer = await ask('open', request);
        const seats = request.seats ?? [];
        const mine = [];
        const others = {};
        for (const [seat, key] of Object.entries(answer.keys ?? {})) {
            if (seats[seat]?.kind === 'open') others[seat] = key;
            else mine.push(key);
        }
        keep(answer.room, { keys: mine, invitations: others, title: request.title, game: request.game });
        location.hash = `#/room/${answer.room}`;
        return answer;
    }

    function kept() {
        return recall(KEPT, {});
    }

    function keep(id, about) {
        const all = kept();
        all[id] = { ...all[id], ...about, when: Date.now() };
        const oldest = Object.entries(all).sort((a, b) => b[1].when - a[1].when).slice(0, KEPT_MOST);
        remember(KEPT, Object.fromEntries(oldest));
    }

    function forget(id) {
        const all = kept();
        delete all[id];
        remember(KEPT, all);
    }

    function watchState(watcher) {
        stateWatchers.add(watcher);
        return () => stateWatchers.delete(watcher);
    }

    /** Tries again now, as a person asked for it. */
    function retry() {
        wait = FIRST_WAIT;
        if (!socket) start();
    }

    function close() {
        closed = true;
        clearTimeout(timer);
        socket?.close();
    }

    // A laptop that wakes up, a phone that finds its network again: do not wait out the pause.
    addEventListener('online', retry);
    document.addEventListener('visibilitychange', () => { if (!document.hidden && !socket) retry(); });
    start();
    return net;
}
