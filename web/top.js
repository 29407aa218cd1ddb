// top: the head of the page: where one can go, and the settings.
import { t } from './i18n.js';
import { button, clear, h, icon } from './ui.js';
import { openSettings } from './settings_dialog.js';

const places = [
    ['', '#/', 'games', 'top.games'],
    ['workshop', '#/workshop', 'workshop', 'top.workshop'],
    ['watch', '#/watch', 'watch', 'top.watch'],
    ['robot', '#/robot', 'robot', 'top.robot'],
];

export function drawTop(here) {
    clear(document.getElementById('top'),
        h('a', { class: 'brand', href: '#/', 'aria-label': t('top.home') },
            h('img', { src: 'icon.svg', alt: '', width: 30, height: 30 }), h('span', null, 'Ludens')),
        h('nav', { 'aria-label': t('top.nav') }, places.map(([name, href, shape, key]) =>
            h('a', { href, class: 'place', 'aria-current': name === here ? 'page' : undefined, title: t(key) },
                icon(shape), h('span', null, t(key))))),
        button(t('top.settings'), {
            icon: 'settings', bare: true, kind: 'quiet', onclick: () => openSettings(),
        }));
}
