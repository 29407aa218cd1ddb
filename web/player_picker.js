// player_picker: which computer player: by level, by time, or by the whole text of a player.
import { t } from './i18n.js';
import { levelName, levelPlayer, levels, timePlayer } from './players.js';
import { clear, field, h, segments } from './ui.js';

const MOST_SECONDS = 60;

/** What a player's text says: {way, level, seconds, text}. */
export function readPlayer(text = '') {
    const level = /^auto:level=(\d+)$/.exec(text);
    if (level && levels.includes(Number(level[1]))) return { way: 'level', level: Number(level[1]), seconds: 2, text };
    const time = /^auto:time=([\d.]+)s$/.exec(text);
    if (time) return { way: 'time', level: 3, seconds: Number(time[1]), text };
    return text ? { way: 'text', level: 3, seconds: 2, text } : { way: 'level', level: 3, seconds: 2, text: levelPlayer(3) };
}

/**
 * Draws the choice into `root`; `onchange(text)` gets the player's text, or null while there is none.
 */
export function playerPicker(root, text, onchange = () => {}) {
    const now = readPlayer(text);
    const body = h('div', { class: 'picker-body' });

    function value() {
        if (now.way === 'level') return levelPlayer(now.level);
        if (now.way === 'time') return timePlayer(now.seconds);
        return now.text.trim() || null;
    }

    function draw() {
        clear(body, now.way === 'level' ? levelControl() : now.way === 'time' ? timeControl() : textControl());
    }

    function levelControl() {
        const name = h('output', { class: 'level-name' });
        const slider = h('input', {
            type: 'range', min: 1, max: levels.length, step: 1, value: now.level, class: 'level',
            oninput: () => {
                now.level = Number(slider.value);
                show();
                onchange(value());
            },
        });
        const show = () => {
            name.textContent = `${now.level}: ${levelName(now.level)}`;
            slider.setAttribute('aria-valuetext', name.textContent);
        };
        show();
        return h('div', { class: 'level-row' }, field(t('setup.strength'), slider), name);
    }

    function timeControl() {
        const input = h('input', {
            type: 'number', min: 0.1, max: MOST_SECONDS, step: 0.1, value: now.seconds,
            oninput: () => {
                const fits = input.valueAsNumber >= 0.1 && input.valueAsNumber <= MOST_SECONDS;
                input.setAttribute('aria-invalid', String(!fits));
                if (fits) now.seconds = input.valueAsNumber;
                onchange(fits ? value() : null);
            },
        });
        return field(t('setup.seconds'), input);
    }

    function textControl() {
        const input = h('input', {
            type: 'text', value: now.text, autocomplete: 'off', spellcheck: 'false', class: 'mono', maxlength: 400,
            oninput: () => {
                now.text = input.value;
                input.setAttribute('aria-invalid', String(!value()));
                onchange(value());
            },
        });
        return field(t('setup.text'), input, t('setup.text_help'));
    }

    draw();
    root.append(h('div', { class: 'picker' },
        segments(t('setup.computer'), [
            ['level', t('setup.strength_level')], ['time', t('setup.strength_time')], ['text', t('setup.strength_text')],
        ], now.way, (way) => {
            if (way === 'text') now.text = value() ?? '';
            now.way = way;
            draw();
            onchange(value());
        }), body));
    return { value };
}
