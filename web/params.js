// params: a form for the parameters of a game, each with the control that fits its kind and range.
import { gameText, t } from './i18n.js';
import { inWords } from './said.js';
import { clear, field, h, segments, toggle } from './ui.js';

const SLIDER_MOST = 60; // steps that can still be hit on a slider

/** 'mills_are_safe' -> 'Mills are safe', or what the rules file has for it in the person's language. */
export function paramLabel(game, name) {
    const words = gameText(game, name).replaceAll('_', ' ');
    return words[0].toUpperCase() + words.slice(1);
}

function numberControl(game, param, value, onchange) {
    const { low, high } = param;
    const input = h('input', {
        type: 'number', min: low, max: high, step: 1, value, inputmode: 'numeric',
        oninput: (event) => change(event.target.value, input),
    });
    const slider = high - low <= SLIDER_MOST && h('input', {
        type: 'range', min: low, max: high, step: 1, value, 'aria-label': paramLabel(game, param.name),
        oninput: (event) => change(event.target.value, slider),
    });
    const error = h('p', { class: 'field-error', role: 'alert', hidden: true });

    function change(text, from) {
        const fits = /^-?\d+$/.test(text.trim()) && Number(text) >= low && Number(text) <= high;
        input.setAttribute('aria-invalid', String(!fits));
        error.hidden = fits;
        error.textContent = fits ? '' : t('setup.notnumber', { low, high });
        if (fits && from !== input) input.value = text;
        if (fits && slider && from !== slider) slider.value = text;
        onchange(fits ? String(Number(text)) : null);
    }
    return { control: slider ? h('div', { class: 'with-number' }, slider, input) : input, input, error };
}

function listControl(param, value, onchange) {
    const error = h('p', { class: 'field-error', role: 'alert', hidden: true });
    const input = h('input', {
        type: 'text', value, inputmode: 'text', autocomplete: 'off', spellcheck: 'false',
        oninput: () => {
            const fits = /^\s*-?\d+\s*(,\s*-?\d+\s*)*$/.test(input.value);
            input.setAttribute('aria-invalid', String(!fits));
            error.hidden = fits;
            error.textContent = fits ? '' : t('setup.notlist');
            onchange(fits ? input.value.replace(/\s+/g, '') : null);
        },
    });
    return { control: input, input, error };
}

function control(game, param, value, onchange) {
    const label = paramLabel(game, param.name);
    const help = param.help ? inWords(param.help, game) : '';
    if (param.kind === 'flag')
        return toggle(label, value === 'yes', (on) => onchange(on ? 'yes' : 'no'), help);
    if (param.kind === 'word' && param.choices?.length <= 5) {
        const all = segments(label, param.choices.map((each) => [each, each]), value, onchange);
        return h('div', { class: 'field' }, all, help && h('p', { class: 'field-help' }, help));
    }
    if (param.kind === 'word')
        return field(label, h('select', { value, onchange: (event) => onchange(event.target.value) },
            (param.choices ?? []).map((each) => h('option', { value: each }, each))), help);
    const made = param.kind === 'number' ? numberControl(game, param, value, onchange) : listControl(param, value, onchange);
    const id = `param-${param.name}`;
    made.input.id = id;
    made.input.setAttribute('aria-describedby', `${id}-help`);
    const range = param.kind === 'number' ? t('setup.range', { low: param.low, high: param.high })
        : t('setup.list_help', { low: param.low ?? '', high: param.high ?? '' });
    return h('div', { class: 'field' }, h('label', { for: id, class: 'field-label' }, label), made.control,
        h('p', { class: 'field-help', id: `${id}-help` }, [help, range].filter(Boolean).join('; ')), made.error);
}

/**
 * Draws the form into `root`. `game` is a GAME; values of `chosen` (by name) come before those of the
 * game. `onchange(values)` is called after each change, with null while something is wrong.
 */
export function paramsForm(root, game, chosen = {}, onchange = () => {}) {
    let values = {};
    const form = h('div', { class: 'fields params' });

    function draw(from) {
        values = {};
        clear(form, (game.parameters ?? []).map((param) => {
            values[param.name] = allowed(param, from[param.name]) ? from[param.name] : param.value ?? param.initial;
            return control(game, param, values[param.name], (value) => {
                values[param.name] = value;
                onchange(valid() ? { ...values } : null);
            });
        }));
    }

    function valid() {
        return Object.values(values).every((value) => value !== null);
    }

    draw(chosen);
    root.append(form);
    return {
        element: form,
        /** By name, as texts; null while something is wrong. */
        values: () => (valid() ? { ...values } : null),
        set(next) {
            draw(next);
            onchange({ ...values });
        },
        /** What the rules file says. */
        usual() {
            this.set(Object.fromEntries((game.parameters ?? []).map((param) => [param.name, param.initial])));
        },
    };
}

// Values that were kept may be of older rules.
function allowed(param, value) {
    if (typeof value !== 'string') return false;
    if (param.kind === 'flag') return value === 'yes' || value === 'no';
    if (param.kind === 'word') return param.choices?.includes(value) ?? false;
    if (param.kind === 'number') return /^-?\d+$/.test(value) && Number(value) >= param.low && Number(value) <= param.high;
    return /^-?\d+(,-?\d+)*$/.test(value);
}
