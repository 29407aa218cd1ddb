// settings: what a person chose once for all games, kept by the browser.
const HOME = 'ludens.settings';
const usual = {
    language: 'auto', // or a code of i18n.js
    theme: 'auto', // or 'light', 'dark'
    sound: true,
    volume: 0.5, // 0..1
    coordinates: true,
    confirm: 'touch', // or 'always', 'never': a move is asked for again before it is sent
    animation: true,
    marks: true, // choices and the last move are shown on the board
    name: '',
};

const watchers = new Map();
let now = read();

function read() {
    try {
        return { ...usual, ...JSON.parse(localStorage.getItem(HOME) ?? '{}') };
    } catch {
        return { ...usual }; // a browser that keeps nothing, or nonsense in its store
    }
}

export function get(name) {
    return now[name];
}

export function set(name, value) {
    if (now[name] === value) return;
    now = { ...now, [name]: value };
    remember(HOME, now);
    for (const watcher of watchers.get(name) ?? []) watcher(value);
}

/** Calls back when a setting changed; the result ends that. */
export function watch(name, watcher) {
    if (!watchers.has(name)) watchers.set(name, new Set());
    watchers.get(name).add(watcher);
    return () => watchers.get(name).delete(watcher);
}

/** Whether things may move on the page: the person's wish here and in the system. */
export function animate() {
    return now.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Whether a move is to be confirmed, made with this kind of pointer. */
export function confirms(pointer) {
    return now.confirm === 'always' || (now.confirm === 'touch' && pointer === 'touch');
}

/** Anything else that parts want to keep: recall(name, usual) and remember(name, value). */
export function remember(name, value) {
    try {
        localStorage.setItem(name, JSON.stringify(value));
    } catch {
        // Nothing is lost but convenience.
    }
}

export function recall(name, otherwise) {
    try {
        return JSON.parse(localStorage.getItem(name)) ?? otherwise;
    } catch {
        return otherwise;
    }
}

// Other tabs of the same browser change settings, too.
addEventListener('storage', (event) => {
    if (event.key !== HOME) return;
    const before = now;
    now = read();
    for (const [name, all] of watchers)
        if (before[name] !== now[name]) for (const watcher of all) watcher(now[name]);
});
