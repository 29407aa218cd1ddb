// ui: making elements, and the few things every part shows: buttons, dialogs, short notices.
import { t } from './i18n.js';
import { shapes } from './icons.js';

const SVG = 'http://www.w3.org/2000/svg';

function fill(el, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
        else if (name === 'value' && 'value' in el) el.value = value;
        else el.setAttribute(name, value === true ? '' : value);
    }
    add(el, children);
    return el;
}

function add(el, children) {
    for (const child of children) {
        if (Array.isArray(child)) add(el, child);
        else if (child !== undefined && child !== null && child !== false) el.append(child);
    }
}

/** An HTML element: h('button', {class: 'x', onclick: f}, 'text', child, [children]…). */
export function h(tag, attributes, ...children) {
    const el = document.createElement(tag);
    fill(el, attributes, children);
    // The value of a select is one of its options, which are only there now.
    if (tag === 'select' && attributes?.value !== undefined) el.value = attributes.value;
    return el;
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function clear(el, ...children) {
    el.replaceChildren();
    add(el, children);
    return el;
}

/** Sentences have code, such as a line of the rules, between back quotes. */
export const marked = (text) => String(text).split('`').map((part, i) => (i % 2 ? h('code', null, part) : part));

const styles = new Map();

/** Loads the style of a part once; the promise is kept when it is there (or failed to come). */
export function style(file) {
    if (document.querySelector(`link[data-holds~="${file}"]`)) return Promise.resolve();
    if (!styles.has(file)) {
        styles.set(file, new Promise((done) => {
            const link = h('link', { rel: 'stylesheet', href: file, onload: done, onerror: done });
            document.head.append(link);
        }));
    }
    return styles.get(file);
}

/** A part that is only now loaded, by its import; null, and a notice, if it cannot be had. */
export async function fetched(part) {
    try {
        return await part;
    } catch {
        toast(t('ui.notfetched'), 'error');
        return null;
    }
}

/** A drawing of icons.js; it says nothing to screen readers. */
export function icon(name) {
    return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
        (shapes[name] ?? shapes.dot).map((d) => s('path', { d })));
}

/** kind: 'main', 'quiet', 'danger' or none; `bare`: only the icon is seen, the text is read. */
export function button(text, { icon: shape, kind, bare, onclick, ...rest } = {}) {
    return h('button', {
        type: 'button', class: ['button', kind, bare && 'bare'].filter(Boolean).join(' '),
        'aria-label': bare ? text : undefined, title: bare ? text : undefined, onclick, ...rest,
    }, shape && icon(shape), bare ? null : h('span', null, text));
}

/**
 * A dialog over the page. `buttons` are [value, text, kind]; the promise is kept with the value, or
 * with null if it was dismissed. `body` is an element; `ready(dialog)` may look at it once shown.
 */
export function dialog({ title, body, buttons = [['', t('ui.close'), 'main']], kind = '', ready }) {
    return new Promise((done) => {
        const id = `dialog-${Math.random().toString(36).slice(2)}`;
        const before = document.activeElement;
        const box = h('dialog', { class: `dialog ${kind}`, 'aria-labelledby': id },
            h('header', { class: 'dialog-head' },
                h('h2', { id }, title),
                button(t('ui.close'), { icon: 'close', bare: true, kind: 'quiet', onclick: () => box.close() })),
            h('div', { class: 'dialog-body' }, body),
            buttons.length > 0 && h('footer', { class: 'dialog-foot' },
                buttons.map(([value, text, look]) => button(text, {
                    kind: look, onclick: () => { answer = value; box.close(); },
                }))));
        let answer = null;
        box.addEventListener('click', (event) => { if (event.target === box) box.close(); });
        box.addEventListener('close', () => {
            box.remove();
            // A field that the browser gave the focus back to while it was inert takes no keys.
            before?.blur?.();
            if (before?.isConnected) before.focus({ preventScroll: true });
            done(answer);
        });
        document.body.append(box);
        box.showModal();
        ready?.(box);
    });
}

/** A short notice at the edge of the page; errors stay until they are closed. */
export function toast(text, kind = 'info', seconds = 5) {
    const el = h('div', { class: `toast ${kind}` }, icon(kind === 'error' ? 'warn' : 'info'),
        h('p', null, marked(text)),
        button(t('ui.close'), { icon: 'close', bare: true, kind: 'quiet', onclick: () => el.remove() }));
    const toasts = document.getElementById('toasts');
    while (toasts.childElementCount > 3) toasts.firstElementChild.remove();
    toasts.append(el);
    if (kind !== 'error') setTimeout(() => el.remove(), seconds * 1000);
    return el;
}

/** Said by screen readers when they are done with what they say now. */
export function announce(text) {
    const live = document.getElementById('live');
    // Equal texts one after the other would not be said again.
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** A label with its control below; `help` is described to screen readers, too. */
export function field(label, control, help) {
    const id = control.id || (control.id = `field-${Math.random().toString(36).slice(2)}`);
    if (help) control.setAttribute('aria-describedby', `${id}-help`);
    return h('div', { class: 'field' },
        h('label', { for: id, class: 'field-label' }, label),
        control,
        help && h('p', { class: 'field-help', id: `${id}-help` }, marked(help)));
}

/** A switch: a checkbox that looks like one. */
export function toggle(label, on, onchange, help) {
    const id = `toggle-${Math.random().toString(36).slice(2)}`;
    const input = h('input', {
        type: 'checkbox', role: 'switch', class: 'switch', id,
        'aria-describedby': help ? `${id}-help` : undefined,
        onchange: (event) => onchange(event.target.checked),
    });
    input.checked = on;
    return h('div', { class: 'field toggle' },
        h('label', { for: id, class: 'field-label' }, label), input,
        help && h('p', { class: 'field-help', id: `${id}-help` }, marked(help)));
}

/** A choice among a few, all of them seen: [value, text, icon]. */
export function segments(label, choices, value, onchange) {
    const name = `segments-${Math.random().toString(36).slice(2)}`;
    return h('fieldset', { class: 'segments' }, h('legend', { class: 'field-label' }, label),
        h('div', { class: 'segments-row' }, choices.map(([each, text, shape]) => {
            const input = h('input', { type: 'radio', name, value: each, onchange: () => onchange(each) });
            input.checked = each === value;
            return h('label', { class: 'segment' }, input, shape && icon(shape), h('span', null, text));
        })));
}
