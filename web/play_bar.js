// play_bar: below the board: whose turn it is, the help text of the choice, choices that are not
// cells, and why something was refused.
import { gameText, t } from './i18n.js';
import { button, clear, h, marked, s } from './ui.js';
import { buttonsOf } from './play_choose.js';
import { drawPiece } from './board_piece.js';
import { inWords } from './said.js';

const WAYS = { n: '↑', ne: '↗', e: '→', se: '↘', s: '↓', sw: '↙', w: '←', nw: '↖' };

export function createBar(game, { onItem, onConfirm, onBack, onLive, onFork }) {
    const turn = h('p', { class: 'bar-turn' });
    const help = h('p', { class: 'bar-help' });
    const refusal = h('p', { class: 'bar-refusal', role: 'alert' });
    const row = h('div', { class: 'bar-row' });
    const el = h('section', { class: 'play-bar', 'aria-label': t('play.choices') },
        h('div', { class: 'bar-words' }, turn, help, refusal), row);
    let timer = 0, last = '';

    function face(item, options, position) {
        const piece = options.kind === 'kind' && game.pieces.findIndex((p) =>
            p.kind === item.text && (p.owner === position.player || p.owner === null));
        if (piece !== false && piece >= 0)
            return s('svg', { class: 'token', viewBox: '-52 -52 104 104', 'aria-hidden': 'true' }, drawPiece(game, piece));
        return null;
    }

    function words(item, options) {
        const site = game.sites?.[options.site];
        const text = item.text || gameText(game, item.say ?? '') || (item.ends ? t('play.stop') : String(item.value));
        if (options.kind === 'direction' && WAYS[item.text]) return `${WAYS[item.text]} ${item.text}`;
        if (options.kind === 'flag') return t(item.value ? 'ui.yes' : 'ui.no');
        if (options.kind === 'number' && site?.labels?.[item.value]) return gameText(game, site.labels[item.value]);
        return gameText(game, text);
    }

    function itemButton(item, options, position) {
        const b = button(words(item, options), { class: 'button choice', 'data-value': item.value, onclick: () => onItem(item.value) });
        const drawing = face(item, options, position);
        if (drawing) b.prepend(drawing);
        return b;
    }

    /** state: {turn, over, options, depth, position, confirm: text|null, past: bool, past words} */
    function draw(state) {
        turn.textContent = state.turn;
        const options = state.options;
        help.textContent = state.past ? t('play.past', { ply: state.ply, plies: state.plies })
            : state.confirm ? t('play.confirm', { move: state.confirm })
                : options?.pass ? t('play.mustpass') : options ? inWords(options.say ?? '', game) : state.help ?? '';
        // Why something was refused stays until something else is asked for.
        if (last !== turn.textContent + help.textContent) say('');
        last = turn.textContent + help.textContent;
        const items = [];
        if (state.past) {
            items.push(button(t('play.live'), { icon: 'last', kind: 'main', onclick: onLive }),
                button(t('play.fork'), { icon: 'play', onclick: onFork }));
        } else if (state.confirm) {
            items.push(button(t('play.playit'), { icon: 'check', kind: 'main', onclick: () => onConfirm(true) }),
                button(t('ui.cancel'), { icon: 'close', onclick: () => onConfirm(false) }));
        } else if (options) {
            if (options.pass) items.push(button(t('play.pass'), { icon: 'forward', kind: 'main', onclick: () => onItem(null) }));
            for (const item of buttonsOf(options)) items.push(itemButton(item, options, state.position));
            if (state.depth > 0) items.push(button(t('play.takechoice'), { icon: 'undo', kind: 'quiet', onclick: onBack }));
        }
        clear(row, items);
    }

    /** Why not; or, as a `note`, what was asked for. It goes away by itself. */
    function say(text, note = false) {
        clearTimeout(timer);
        refusal.classList.toggle('note', note);
        refusal.setAttribute('role', note ? 'status' : 'alert');
        clear(refusal, marked(inWords(text, game)));
        refusal.hidden = !text;
        help.hidden = Boolean(text);
        if (text) timer = setTimeout(() => say(''), 6000);
    }

    return { el, draw, say, close: () => clearTimeout(timer) };
}
