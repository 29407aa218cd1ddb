// play_actions: the buttons beside the board, and the keys that do the same.
import { t } from './i18n.js';
import { button, clear, h, icon } from './ui.js';
import { get, set } from './settings.js';

// name, icon, key; those with `can` are there only where the server allows them.
const ACTIONS = [
    ['undo', 'undo', 'u', 'can'], ['redo', 'redo', 'y', 'can'], ['hint', 'hint', 'h', 'can'],
    ['takeback', 'undo', '', 'can'], ['draw', 'hand', '', 'can'], ['resign', 'flag', '', 'can'],
    ['restart', 'restart', 'r', 'can'],
    ['flip', 'flip', 'f'], ['threats', 'warn', 't'], ['edit', 'edit', ''], ['share', 'share', ''], ['insight', 'chart', 'i'],
];

/** `run(name)` does it. draw(room, {threats, insight}) says what is possible and what is switched on. */
export function createActions({ run }) {
    const el = h('section', { class: 'actions', 'aria-label': t('play.actions') });
    const typed = h('input', {
        type: 'text', class: 'typed', placeholder: t('play.typemove'), 'aria-label': t('play.typemove'),
        autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 200,
    });
    const form = h('form', {
        class: 'typed-form',
        onsubmit: async (event) => {
            event.preventDefault();
            const text = typed.value.trim();
            if (text && await run('type', text)) typed.value = '';
        },
    }, typed, button(t('play.playit'), { icon: 'check', bare: true, type: 'submit' }));
    const volume = h('input', {
        type: 'range', min: 0, max: 1, step: 0.05, value: get('volume'), 'aria-label': t('settings.volume'), class: 'volume',
        oninput: () => { set('volume', Number(volume.value)); set('sound', Number(volume.value) > 0); drawSound(); },
        onchange: () => run('sound'),
    });
    const mute = button(t('settings.sound'), {
        icon: 'sound', bare: true, kind: 'quiet',
        onclick: () => { set('sound', !get('sound')); drawSound(); },
    });
    function drawSound() {
        const on = get('sound') && get('volume') > 0;
        mute.querySelector('.icon').replaceWith(icon(on ? 'sound' : 'mute'));
        mute.setAttribute('aria-pressed', String(on));
    }
    drawSound();
    const sounds = h('div', { class: 'sounds' }, mute, volume);
    let drawn = '';

    function possible(room, name) {
        return room.can.includes(name);
    }

    function draw(room, on) {
        const here = ACTIONS.filter(([name, , , can]) => !can || possible(room, name));
        const mine = room.seats.some((seat) => seat.you);
        form.hidden = !mine || Boolean(room.ended);
        const key = here.map(([name]) => name).join() + JSON.stringify(on);
        if (key === drawn) return;
        drawn = key;
        const focused = el.contains(document.activeElement) ? document.activeElement.dataset.do : null;
        clear(el, here.map(([name, shape, letter]) => button(t(`play.${name}`), {
            icon: shape, 'data-do': name, kind: 'small', onclick: () => run(name),
            'aria-pressed': name in on ? String(Boolean(on[name])) : undefined,
            'aria-keyshortcuts': letter ? letter.toUpperCase() : undefined,
            title: letter ? t('play.key', { key: letter.toUpperCase() }) : undefined,
        })));
        if (focused) el.querySelector(`[data-do="${focused}"]`)?.focus({ preventScroll: true });
    }

    let last = null;
    /** Keys of the whole page, except while somebody types or a dialog is open. */
    function key(event) {
        if (event.defaultPrevented || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
        const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'range';
        if (event.key === 'Escape') {
            if (typing) event.target.blur();
            else run('escape');
            event.preventDefault();
            return;
        }
        if (typing) return;
        if (event.ctrlKey) {
            const letter = event.key.toLowerCase();
            const name = letter === 'y' || (letter === 'z' && event.shiftKey) ? 'redo' : letter === 'z' ? 'undo' : '';
            if (name && last && possible(last, name)) {
                run(name);
                event.preventDefault();
            }
            return;
        }
        if (event.target.type === 'range') return;
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
            run(event.key === 'ArrowLeft' ? 'earlier' : 'later');
            event.preventDefault();
            return;
        }
        const found = ACTIONS.find(([, , letter]) => letter && letter === event.key.toLowerCase());
        if (found && last && (!found[3] || possible(last, found[0]))) run(found[0]);
        else if (event.key === '/' || event.key === 'm') {
            typed.focus();
            event.preventDefault();
        }
    }
    document.addEventListener('keydown', key);

    return {
        el, form, sounds, draw(room, on) { last = room; draw(room, on); },
        close: () => document.removeEventListener('keydown', key),
    };
}
