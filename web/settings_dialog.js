// settings_dialog: the settings as a dialog; each works at once.
import { languages, t } from './i18n.js';
import { get, set } from './settings.js';
import { dialog, field, h, segments, toggle } from './ui.js';

/** `again`: it was open and is drawn anew, in another language. */
export function openSettings(again = false) {
    let box = null;
    const redraw = () => {
        box.close();
        openSettings(true);
    };
    const languageChoice = h('select', { onchange: (event) => set('language', event.target.value), value: get('language') },
        h('option', { value: 'auto' }, t('settings.browser')),
        Object.entries(languages).map(([code, name]) => h('option', { value: code, lang: code }, name)));
    const name = h('input', {
        type: 'text', maxlength: 40, autocomplete: 'nickname', value: get('name'),
        onchange: (event) => set('name', event.target.value.trim()),
    });
    const volume = h('input', {
        type: 'range', min: 0, max: 1, step: 0.05, value: get('volume'),
        oninput: (event) => set('volume', Number(event.target.value)),
    });
    const confirm = h('select', { onchange: (event) => set('confirm', event.target.value), value: get('confirm') },
        ['touch', 'always', 'never'].map((each) => h('option', { value: each }, t(`settings.confirm_${each}`))));
    document.addEventListener('ludens-language', redraw, { once: true });
    return dialog({
        title: t('settings.title'),
        kind: 'settings',
        body: h('div', { class: 'fields' },
            field(t('settings.language'), languageChoice),
            field(t('settings.name'), name, t('settings.name_help')),
            segments(t('settings.theme'), [
                ['auto', t('settings.theme_auto'), 'auto'], ['light', t('settings.theme_light'), 'light'],
                ['dark', t('settings.theme_dark'), 'dark']], get('theme'), (value) => set('theme', value)),
            toggle(t('settings.sound'), get('sound'), (on) => set('sound', on)),
            field(t('settings.volume'), volume),
            toggle(t('settings.coordinates'), get('coordinates'), (on) => set('coordinates', on)),
            toggle(t('settings.marks'), get('marks'), (on) => set('marks', on), t('settings.marks_help')),
            toggle(t('settings.animation'), get('animation'), (on) => set('animation', on)),
            field(t('settings.confirm'), confirm, t('settings.confirm_help'))),
        buttons: [['', t('ui.done'), 'main']],
        ready(made) {
            box = made;
            if (again) languageChoice.focus();
        },
    }).finally(() => document.removeEventListener('ludens-language', redraw));
}
