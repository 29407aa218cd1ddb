// robot_joints: moving by hand: a slider for each joint, steps along x, y and z, the fingers.
import { number, t } from './i18n.js';
import { button, h, icon, segments } from './ui.js';

const PAUSE = 120; // milliseconds between two targets of a slider that is dragged
const STEPS = [1, 5, 10, 30]; // mm
// key -> direction, and the place of its button in the pad
const WAYS = [
    ['y', 1, 'ArrowUp', 'up', 'forward'], ['y', -1, 'ArrowDown', 'down', 'backward'],
    ['x', -1, 'ArrowLeft', 'back', 'left'], ['x', 1, 'ArrowRight', 'forward', 'right'],
    ['z', 1, 'PageUp', 'higher', 'higher'], ['z', -1, 'PageDown', 'lower', 'lower'],
];

const degrees = (value) => `${number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}°`;

/** `send(what, members)` asks the server and shows what is wrong; it is kept with true if it went well. */
export function jointsCard(arm, send) {
    let held = -1; // the joint whose slider a person holds
    let sent = 0;
    let timer = 0;
    let pose = [...arm.home];
    const wanted = [...arm.home];
    const rows = arm.joints.map(({ name, low, high }, i) => {
        const id = `robot-${name}`;
        const slider = h('input', { type: 'range', id, min: low, max: high, step: '0.5', value: arm.home[i] });
        const text = h('output', { for: id, class: 'robot-angle' });
        slider.addEventListener('input', () => { held = i; wanted[i] = Number(slider.value); aim(); });
        slider.addEventListener('change', () => { wanted[i] = Number(slider.value); aim(true); held = -1; });
        return {
            slider, text,
            element: h('div', { class: 'robot-joint-row' }, h('label', { for: id }, t(`robot.joint_${name}`)), text, slider,
                h('span', { class: 'robot-limits', 'aria-hidden': 'true' }, h('span', null, degrees(low)), h('span', null, degrees(high)))),
        };
    });

    // The newest target, but not more often than the arm can make use of.
    function aim(now = false) {
        clearTimeout(timer);
        const wait = now ? 0 : Math.max(0, sent + PAUSE - Date.now());
        timer = setTimeout(() => {
            sent = Date.now();
            send('arm-joints', { pose: [...wanted] }).then((ok) => { if (!ok && held < 0) show(); });
        }, wait);
    }

    function show() {
        rows.forEach(({ slider, text }, i) => {
            text.textContent = degrees(pose[i]);
            if (i !== held) slider.value = pose[i];
            slider.setAttribute('aria-valuetext', degrees(Number(slider.value)));
        });
    }

    return {
        element: h('section', { class: 'card robot-card' }, h('h2', null, t('robot.joints')), rows.map((row) => row.element)),
        show(state, ready) {
            pose = state.pose ?? arm.home;
            if (held < 0) state.goal.forEach((each, i) => { wanted[i] = each; });
            for (const { slider } of rows) slider.disabled = !ready;
            show();
        },
        close() { clearTimeout(timer); },
    };
}

export function jogCard(send) {
    let step = 10;
    let busy = false;
    let ready = false;

    async function go(axis, sign) {
        if (busy || !ready) return;
        busy = true;
        await send('arm-jog', { x: 0, y: 0, z: 0, [axis]: sign * step });
        busy = false;
    }

    const buttons = WAYS.map(([axis, sign, , shape, name]) => h('button', {
        type: 'button', class: `button robot-way ${name}`, onclick: () => go(axis, sign),
        'aria-label': `${t(`robot.jog_${name}`)}, ${axis}${sign > 0 ? '+' : '−'}`, title: t(`robot.jog_${name}`),
    }, icon(shape), h('span', null, `${axis}${sign > 0 ? '+' : '−'}`)));
    const pad = h('div', { class: 'robot-pad', role: 'group', tabindex: '0', 'aria-label': t('robot.jog'), 'aria-describedby': 'robot-jog-help' }, buttons);
    pad.addEventListener('keydown', (event) => {
        const way = WAYS.find(([, , key]) => key === event.key);
        if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        go(way[0], way[1]);
    });
    const open = button(t('robot.open'), { onclick: () => send('arm-fingers', { open: true }) });
    const close = button(t('robot.close'), { onclick: () => send('arm-fingers', { open: false }) });
    const home = button(t('robot.home'), { icon: 'home', onclick: () => send('arm-home') });
    const point = h('dl', { class: 'robot-point' });

    return {
        element: h('section', { class: 'card robot-card' }, h('h2', null, t('robot.jog')), point,
            segments(t('robot.step'), STEPS.map((n) => [n, t('robot.mm', { n })]), step, (n) => { step = n; }),
            pad, h('p', { class: 'field-help', id: 'robot-jog-help' }, t('robot.jogHelp')),
            h('div', { class: 'row' }, open, close, home)),
        show(state, can) {
            ready = can;
            for (const each of [...buttons, open, close, home]) each.disabled = !can || state.doing !== 'idle';
            point.replaceChildren(...['x', 'y', 'z'].flatMap((axis, i) => [h('dt', null, axis),
                h('dd', null, state.point ? t('robot.cm', { n: Math.round(state.point[i] * 10) / 10 }) : '–')]));
            open.setAttribute('aria-pressed', String(state.fingers === 'open'));
            close.setAttribute('aria-pressed', String(state.fingers === 'closed'));
        },
        close() {},
    };
}
