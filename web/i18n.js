// i18n: the page's texts in the language of the person.
import en from './lang/en.js';
import { get } from './settings.js';

/** Codes and the languages' own names. */
export const languages = {
    en: 'English', hr: 'Hrvatski', sr: 'Srpski', sk: 'Slovenčina', hu: 'Magyar', de: 'Deutsch',
};

let code = 'en';
let texts = en;
let plurals = null; // made when first needed: the tables of languages take long to come

/** What the setting and the browser ask for. */
export function wanted() {
    if (languages[get('language')]) return get('language');
    for (const each of navigator.languages ?? []) {
        const short = each.slice(0, 2).toLowerCase();
        if (languages[short]) return short;
        if (short === 'bs') return 'hr';
    }
    return 'en';
}

/** Fetches a language; the page then draws itself again. */
export async function load(next) {
    const module = next === 'en' ? { default: en } : await import(`./lang/${next}.js`);
    code = next;
    texts = module.default;
    plurals = null;
    if (document.documentElement.lang !== locale()) document.documentElement.lang = locale();
}

export function language() {
    return code;
}

function locale() {
    return code === 'sr' ? 'sr-Latn' : code;
}

function find(table, key) {
    return key.split('.').reduce((at, part) => at?.[part], table);
}

function form(n) {
    plurals ??= new Intl.PluralRules(locale());
    return plurals.select(n);
}

/**
 * The text of 'part.name', with {word} filled in from `values`. A text may have forms by the plural
 * of `n`: {one: '{n} move', other: '{n} moves'}.
 */
export function t(key, values = {}) {
    let text = find(texts, key) ?? find(en, key) ?? key;
    if (typeof text === 'object') text = text[form(Number(values.n))] ?? text.other;
    return text.replace(/\{(\w+)\}/g, (all, name) =>
        typeof values[name] === 'number' ? number(values[name]) : values[name] ?? all);
}

/** Whether there is such a text. */
export function known(key) {
    return typeof find(en, key) === 'string';
}

/** A number as it is written in the language. */
export function number(value, options) {
    if (!options && Number.isInteger(value) && value >= 0 && value < 1000) return String(value); // the same in all
    return value.toLocaleString(locale(), options);
}

/** A text of a rules file, in the person's language where the file has it. */
export function gameText(game, text) {
    return game?.texts?.[code]?.[text] ?? text;
}
