// robot_fit: the arm measured by the places that were recorded, and random places to see whether it is right.
import { t } from './i18n.js';
import { button, clear, h, toast } from './ui.js';

const LEAST = 5; // places: the corners and the middle
const SHOWN = 3; // random places
const PAUSE = 3; // seconds at each

/** A part of the card of places. */
export function fitSection(net, send) {
    let table = null;
    const said = h('p', { class: 'field-help' });
    const found = h('div', { class: 'robot-fit', role: 'status' });
    const fit = button(t('robot.fit'), { icon: 'check', onclick: measure });
    const random = button(t('robot.random'), { icon: 'play', onclick: showRandom });

    async function measure() {
        fit.disabled = true;
        try {
            show(await net.ask('arm-fit'));
        } catch (error) {
            clear(found, h('p', { class: 'error-box' }, error.message));
        } finally {
            fit.disabled = false;
        }
    }

    function show({ places, told }) {
        const mm = Math.max(...places.map((each) => each.left_out)).toFixed(1);
        const row = ({ name, before, now, left_out: alone }) => h('tr', null, h('th', { scope: 'row' }, name),
            [before, now, alone].map((each) => h('td', null, each.toFixed(1))));
        clear(found, h('p', null, t('robot.fitDone', { mm })), told && h('p', null, told),
            h('table', null, h('caption', null, t('robot.fitTitle')),
                h('thead', null, h('tr', null, ['fitPlace', 'fitBefore', 'fitNow', 'fitLeftOut'].map((each) => h('th', { scope: 'col' }, t(`robot.${each}`))))),
                h('tbody', null, places.map(row))));
    }

    function showRandom() {
        const left = table.sites.filter(({ cell }) => cell >= 0).map(({ name }) => name);
        const places = [];
        while (places.length < SHOWN && left.length > 0) places.push(...left.splice(Math.floor(Math.random() * left.length), 1));
        toast(places.join(', '));
        send('arm-tour', { places, pause: PAUSE, down: true });
    }

    return {
        element: h('div', null, h('h3', null, t('robot.measure')), h('p', { class: 'field-help' }, t('robot.measureHelp')), said,
            h('div', { class: 'robot-acts' }, fit, random), found),
        show(next, ready) {
            if (next?.game !== table?.game) clear(found);
            table = next;
            const n = table?.sites.filter(({ taught }) => taught).length ?? 0;
            said.textContent = table && !table.measures ? t('robot.noArmFile') : t('robot.recordedCount', { n, least: LEAST });
            fit.disabled = !ready || !table?.measures || n < LEAST;
            random.disabled = !ready || !table;
        },
    };
}
