// How fast computers play each other: pause, one move, and a slider from slow to as fast as it goes.

import { button, h, icon, toast } from './ui.js';
import { t } from './i18n.js';

const PACES = [5, 2, 1, 0.5, 0.2, 0]; // seconds between moves, by place of the slider

// The place of the slider that is nearest to so many seconds.
function nearest(seconds) {
    const distances = PACES.map((each) => Math.abs(each - seconds));
    return distances.indexOf(Math.min(...distances));
}

/**
 * For a room whose seats are all computers; the server lets whoever opened it. Hidden until
 * follow(snapshot) tells how fast it goes and that this page may say so.
 */
export function createPace(root, net, room) {
    let place = 2;
    let paused = false;
    let asking = 0; // wishes on their way: until then snapshots have what was before
    const words = h('output', { class: 'pace-words' });
    const slider = h('input', { type: 'range', min: '0', max: String(PACES.length - 1), step: '1', value: String(place), 'aria-label': t('watch.speed') });
    const pause = button(t('watch.pause'), { icon: 'pause', kind: 'main', onclick: () => set(place, !paused) });
    const step = button(t('watch.step'), { icon: 'step', onclick: one });
    const element = h('div', { class: 'pace', hidden: true, role: 'group', 'aria-label': t('watch.speed') },
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
        asking++;
        try {
            await net.ask('pace', { room, seconds: paused ? null : PACES[place] });
        } catch (error) {
            if (error.code === 'denied') element.hidden = true;
            else toast(error.message, 'error');
        } finally {
            asking--;
        }
    }

    function follow(now) {
        element.hidden = Boolean(now.ended) || !now.can.includes('pace');
        if (asking) return;
        paused = now.pace === null;
        if (!paused) place = nearest(now.pace);
        slider.value = String(place);
        draw();
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
        follow,
        toggle: () => element.hidden || set(place, !paused),
        step: () => element.hidden || (paused ? one() : set(place, true)),
    };
}
