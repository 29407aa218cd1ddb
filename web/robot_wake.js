// robot_wake: the first movement behind power-on. The controller does not know where the arm stands:
// each joint jumps to its place. So a person says yes to one after the other, and stands clear.
import { t } from './i18n.js';
import { button, clear, h } from './ui.js';

export function wakeCard(arm, send) {
    const joints = [...arm.joints.map(({ name }) => name), 'fingers'];
    const steps = h('ol', { class: 'robot-steps' });
    const row = h('div', { class: 'row' });
    let shown = '';

    function draw(state, held) {
        const at = state.doing !== 'waking' ? -1 : state.asking ? joints.indexOf(state.asking) : null;
        const key = `${held} ${state.doing} ${state.asking} ${state.stopped} ${state.there}`;
        if (key === shown) return;
        const focus = row.contains(document.activeElement);
        shown = key;
        clear(steps, joints.map((name, i) => h('li', { class: at !== null && i < at ? 'done' : i === at ? 'now' : '', 'aria-current': i === at ? 'step' : undefined },
            t(`robot.joint_${name}`))));
        clear(row, state.doing === 'waking'
            ? [button(state.asking ? t('robot.wakeJoint', { joint: t(`robot.joint_${state.asking}`) }) : t('robot.waking'), {
                kind: 'main', icon: 'check', disabled: !held || !state.asking,
                onclick: (event) => { // once: a second click is not for the next joint
                    event.currentTarget.disabled = true;
                    send('arm-wake', { joint: state.asking, yes: true });
                },
            }), button(t('robot.breakOff'), { disabled: !held, onclick: () => send('arm-break') })]
            : button(t('robot.wake'), { kind: 'main', icon: 'play', disabled: !held || state.stopped || !state.there || state.doing !== 'idle', onclick: () => send('arm-wake') }));
        if (focus) row.querySelector('button:not(:disabled)')?.focus();
    }

    return {
        element: h('section', { class: 'card robot-card robot-wake' }, h('h2', null, t('robot.wakeTitle')),
            h('p', null, t('robot.wakeHelp')), steps, row),
        show: draw,
        close() {},
    };
}
