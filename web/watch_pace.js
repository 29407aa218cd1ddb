// How fast computers play each other: pause, one move, and a slider from slow to as fast as it goes.

import { button, h, icon, toast } from './ui.js';
import { t } from './i18n.js';

const PACES = [5, 2, 1, 0.5, 0.2, 0]; // seconds between moves, by place of the slider

/** For a room whose seats are all computers; the server lets whoever opened it. */
export function createPace(root, net, room) {
    let place = 2;
    let paused = false;
    const words = h('output', { class: 'pace-words' });
    const slider = h('input', { type: 'range', min: '0', max: String(PACES.length - 1), step: '1', value: String(place), 'aria-label': t('watch.speed') });
    const pause = button(t('watch.pause'), { icon: 'pause', kind: 'main', onclick: () => set(place, !paused) });
    const step = button(t('watch.step'), { icon: 'step', onclick: one });
    const element = h('div', { class: 'pace', role: 'group', 'aria-label': t('watch.speed') },
        pause, step, h('label', { class: 'pace-slider' }, h('span', { 'aria-hidden': 'true' }, t('watch.slow')), slider,
            h('span', { 'aria-hidden': 'true' }, t('watch.fast'))), words);
    root.append(element);
    slider.addEventListener('input', () => set(Number(slider.value), paused));

    function draw() {
        const seconds = PACES[place];
        const text = seconds ? t('watch.paceText', { n: seconds }) : t('watch.fastest');
        words.textContent = paused ? t('watch.paused') : text;
        slider.setAttribute('aria-valuetext', text);
        pause.replaceChildren(icon(paused ? 'play' : 'pause'), h('span', null, t(paused ? 'watch.go' : 'watch.pause')));
        step.disabled = !paused;
    }

    async function set(nextPlace, nextPaused) {
        place = nextPlace;
        paused = nextPaused;
        draw();
        try {
            await net.ask('pace', { room, seconds: paused ? null : PACES[place] });
        } catch (error) {
            if (error.code === 'denied') element.hidden = true;
            else toast(error.message, 'error');
        }
    }

    async function one() {
        try {
            await net.ask('step', { room });
        } catch (error) {
            toast(error.message, 'error');
        }
    }

    draw();
    return {
        begin: () => set(place, false),
        toggle: () => set(place, !paused),
        step: () => (paused ? one() : set(place, true)),
        hide: (yes) => { element.hidden = yes; },
    };
}
