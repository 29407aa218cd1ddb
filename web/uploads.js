// uploads: rules files of the person's own. Their text goes to the server; pictures that an S3 file
// names stay in the browser, by the file's name, and the board asks here for them.
import { t } from './i18n.js';
import { recall, remember } from './settings.js';

const RULES_MOST = 200 << 10; // bytes; the server takes messages of 256 KB
const PICTURE_MOST = 4 << 20;
const KEPT = 'ludens.uploads'; // [{game, title, name, when}]
const KEPT_MOST = 30;
const PICTURE = /\.(png|jpe?g|gif|bmp|webp|svg)$/i;

function decoded(bytes) {
    // Notepad marks UTF-16 by its first two bytes.
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
        return new TextDecoder('windows-1250').decode(bytes);
    }
}

/**
 * Text of a file: UTF-8, UTF-16 with its mark, or what old Windows programs wrote. Throws a RulesError
 * if it is no text: the server refuses a NUL.
 */
export async function readText(file) {
    const text = decoded(new Uint8Array(await file.arrayBuffer()));
    if (text.includes('\0')) throw new RulesError(t('library.nottext', { name: file.name }));
    return text;
}

/** What looks like rules: by the name, or as the server tells S3 files (a [SECTION] comes first). */
export function looksLikeRules(name, text) {
    if (/\.game$/i.test(name)) return true;
    // Blank lines, comments and fields may come before the section. Line by line: one pattern for the
    // whole text would try all ways to share the blanks out, more than a browser ever gets through.
    for (const line of text.split(/\r\n?|\n/)) {
        const words = line.trim();
        if (/^\[[A-Za-z ]+\]/.test(words)) return true;
        if (words && !words.startsWith('//') && (words.startsWith('#') || !words.includes('='))) return false;
    }
    return false;
}

export class RulesError extends Error {
    constructor(message, { name, text, diagnostics = [] } = {}) {
        super(message);
        Object.assign(this, { file: name, text, diagnostics });
    }
}

/**
 * Sends the rules among `files` to the server and keeps the pictures. The result is the last game's
 * name, @HASH. Throws a RulesError that a person can read.
 */
export async function upload(net, files) {
    const pictures = [...files].filter((file) => PICTURE.test(file.name) && file.size <= PICTURE_MOST);
    const rules = [];
    for (const file of [...files].filter((each) => !PICTURE.test(each.name))) {
        if (file.size > RULES_MOST) {
            if (files.length > 1) continue;
            throw new RulesError(t('library.toolarge', {
                name: file.name, size: Math.ceil(file.size / 1024), most: RULES_MOST >> 10,
            }));
        }
        const text = await readText(file).catch((error) => {
            if (files.length === 1 || /\.game$/i.test(file.name)) throw error;
            return ''; // something else that lies beside the rules
        });
        if (looksLikeRules(file.name, text)) rules.push({ name: file.name, text });
    }
    if (rules.length === 0) throw new RulesError(t('library.norules'));
    let game = null;
    for (const { name, text } of rules) {
        const answer = await net.ask('upload', { title: name, text, params: {} });
        const errors = (answer.diagnostics ?? []).filter((each) => each.severity === 'error');
        if (!answer.game)
            throw new RulesError(t('library.broken', { name }), { name, text, diagnostics: errors });
        game = answer.game;
        await keepPictures(game, pictures);
        const others = recall(KEPT, []).filter((each) => each.game !== game);
        remember(KEPT, [{ game, name, when: Date.now() }, ...others].slice(0, KEPT_MOST));
    }
    return game;
}

/** Games that this browser uploaded: [{game, name, when}], the newest first. */
export function uploads() {
    return recall(KEPT, []);
}

export function forgetUpload(game) {
    remember(KEPT, uploads().filter((each) => each.game !== game));
}

// --- pictures, in the browser's own database ---

function database() {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open('ludens', 1);
        request.onupgradeneeded = () => request.result.createObjectStore('pictures');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

// S3 files name pictures with or without folders, in any case.
function plain(name) {
    return name.split(/[\\/]/).pop().toLowerCase();
}

async function keepPictures(game, files) {
    if (files.length === 0) return;
    const db = await database();
    const store = db.transaction('pictures', 'readwrite').objectStore('pictures');
    const all = Object.fromEntries(files.map((file) => [plain(file.name), file]));
    await new Promise((resolve, reject) => {
        const request = store.put(all, game);
        request.onsuccess = resolve;
        request.onerror = () => reject(request.error);
    });
    db.close();
    sources.delete(game);
}

const sources = new Map(); // game -> Promise of {file: URL}

async function kept(game) {
    if (!game.startsWith('@')) return {};
    try {
        const db = await database();
        const all = await new Promise((resolve, reject) => {
            const request = db.transaction('pictures').objectStore('pictures').get(game);
            request.onsuccess = () => resolve(request.result ?? {});
            request.onerror = () => reject(request.error);
        });
        db.close();
        return Object.fromEntries(Object.entries(all).map(([name, file]) => [name, URL.createObjectURL(file)]));
    } catch {
        return {}; // a browser without a database: the board is drawn without pictures
    }
}

/** A function from the name of a picture to its address, or null: the board then draws by itself. */
export async function pictureSource(game) {
    if (!sources.has(game)) sources.set(game, kept(game));
    const own = await sources.get(game);
    if (game.startsWith('@')) return (file) => own[plain(file)] ?? null;
    return (file) => `/picture?game=${encodeURIComponent(game)}&file=${encodeURIComponent(file)}`;
}
