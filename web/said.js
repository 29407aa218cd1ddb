// said: sentences of the server in the person's language. How the server puts them is `said` of
// lang/en.js, a list in order: the first that fits. What is not there is shown as it came.
import en from './lang/en.js';
import { gameText, language, t } from './i18n.js';

const HOLE = /\{(\w+)\}/g;
const SHAPES = { n: '(\\d+)', more: '( \\(.*|; .*)?' }; // of holes; `more`: a place in the rules, what is possible
let patterns = null; // made when first needed

function makePatterns() {
    return Object.entries(en.said).map(([name, sentence]) => {
        const text = sentence.other ?? sentence;
        const holes = [...text.matchAll(HOLE)].map(([, hole]) => hole);
        const [first, ...others] = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        const body = others.reduce((all, part, i) => all + (SHAPES[holes[i]] ?? '(.+?)') + part, first);
        return { name, holes, fits: new RegExp(`^${body}$`, 's') };
    });
}

// 'Red, Blue and Green'
const split = (text) => text.split(/, | and /);

function names(game, text) {
    const list = split(text).map((name) => gameText(game, name));
    return new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' }).format(list);
}

function fill(hole, text, game) {
    switch (hole) {
    case 'n': return Number(text);
    case 'more': return text ?? '';
    case 'player': return gameText(game, text);
    case 'players': return names(game, text);
    case 'why': return inWords(text, game);
    default: return text;
    }
}

// A sentence of the rules may end with 'wins', too.
function isOfPlayers(game, hole, text) {
    if (!game?.players || !hole.startsWith('player')) return true;
    return (hole === 'player' ? [text] : split(text)).every((name) => game.players.includes(name));
}

/** `text` is as the server said it; `game` has words of its own for names, and for sentences of its rules. */
export function inWords(text, game) {
    if (!text) return text;
    const own = gameText(game, text); // a file may be written in another language and have English words
    if (own !== text || language() === 'en') return own;
    patterns ??= makePatterns();
    for (const { name, holes, fits } of patterns) {
        const found = fits.exec(text);
        if (found && holes.every((hole, i) => isOfPlayers(game, hole, found[i + 1])))
            return t(`said.${name}`, Object.fromEntries(holes.map((hole, i) => [hole, fill(hole, found[i + 1], game)])));
    }
    return text;
}
