// The robot arm: watching it, moving it by hand, teaching it the places of a game.
//
// One page at a time has the controls; everybody may stop the arm, with the button or the blank key.
// What the arm does comes as news from the server, and is drawn as it is told.
import { t } from './i18n.js';
import { button, clear, h, icon, style, toast } from './ui.js';
import { recall, remember } from './settings.js';
import { openView } from './robot_view.js';
import { jogCard, jointsCard } from './robot_joints.js';
import { cameraCard } from './robot_camera.js';
import { placesCard } from './robot_places.js';
import { wakeCard } from './robot_wake.js';

const KEY = 'ludens.arm'; // the token, so that it need not stay in the address

export function openRobot(root, net, params) {
    style('robot.css');
    const page = h('div', { class: 'robot' }, h('h1', null, t('robot.title')), h('p', { class: 'robot-loading' }, t('ui.loading')));
    root.append(page);
    if (params.token) {
        remember(KEY, params.token);
        history.replaceState(null, '', '#/robot');
    }
    let desk = null;
    let closed = false;

    async function look() {
        try {
            const state = await net.ask('arm', { token: recall(KEY, '') });
            if (closed) return;
            desk?.close();
            desk = state.arm ? openDesk(page, net, state) : (showNone(page), null);
        } catch (error) {
            if (!closed && error.code !== 'offline') toast(error.message, 'error');
        }
    }
    const offNews = net.on('arm', (state) => desk?.show(state));
    const offLine = net.watchState((state) => { if (state === 'open') look(); });
    if (net.state !== 'lost') look();

    return {
        close() {
            closed = true;
            offNews();
            offLine();
            desk?.close();
            if (desk?.held()) net.ask('arm-leave').catch(() => {});
            page.remove();
        },
    };
}

// Without an arm nothing is offered that would move one.
function showNone(page) {
    clear(page, h('h1', null, t('robot.title')), h('section', { class: 'card robot-none' },
        h('p', null, t('robot.none')), h('p', null, t('robot.noneReal')), h('pre', null, h('code', null, 'ludens serve --arm /dev/ttyUSB0')),
        h('p', null, t('robot.noneSim')), h('pre', null, h('code', null, 'ludens serve --arm sim'))));
}

function openDesk(page, net, first) {
    let { arm } = first; // other measures come when it is measured
    let state = first;
    const stop = h('button', { type: 'button', class: 'robot-stop', onclick: stopNow, 'aria-keyshortcuts': 'Space' },
        icon('stop'), h('span', null, t('robot.stop')));
    const status = h('p', { class: 'robot-status', role: 'status' });
    const fault = h('p', { class: 'error-box robot-fault', hidden: true });
    const row = h('div', { class: 'row' });
    const stage = h('section', { class: 'card robot-card robot-scene', 'aria-label': t('robot.view') });
    const side = h('div', { class: 'robot-column' });
    const left = h('div', { class: 'robot-column' }, stage);
    const view = openView(stage, (name) => places.choose(name));
    const wake = wakeCard(arm, send);
    const places = placesCard(net, send, (name) => view.set({ chosen: name }));
    const moving = [jointsCard(arm, send), jogCard(send)];
    const camera = first.camera && cameraCard(net);
    const cards = [...moving, places, camera].filter(Boolean);
    side.append(wake.element, ...moving.map((card) => card.element));
    left.append(places.element);
    if (camera) side.append(camera.element);
    clear(page, h('header', { class: 'robot-head' }, h('h1', null, t('robot.title')),
        h('div', { class: 'robot-bar card' }, h('div', { class: 'robot-said' }, status, fault, row), stop)),
        h('div', { class: 'robot-columns' }, left, side));
    setTable(first.table);

    function setTable(table) {
        view.set({ arm, table });
        places.setTable(table);
        camera?.setTable(table);
    }

    // The table is told only when it is asked for: it is long, and seldom changes.
    async function newTable() {
        try {
            const { arm: measured, table } = await net.ask('arm');
            arm = measured;
            setTable(table);
        } catch { /* the line is broken, which the page says elsewhere */ }
    }

    /** Kept with whether it went well. */
    async function send(what, members = {}) {
        try {
            await net.ask(what, members);
            return true;
        } catch (error) {
            toast(error.message, 'error');
            return false;
        }
    }

    // Not by way of anything that could wait or ask.
    function stopNow() {
        net.ask('arm-stop').catch((error) => toast(error.message, 'error'));
    }

    function onKey(event) {
        const typing = event.target.closest?.('textarea, input[type=text], input[type=search]');
        if (event.key !== ' ' || typing) return;
        event.preventDefault(); // a button that has the focus is not pressed by this
        if (event.type === 'keydown' && !event.repeat) stopNow();
    }
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('keyup', onKey, true);

    function statusText() {
        if (state.stopped) return t('robot.stopped');
        if (state.doing !== 'idle') return [t(`robot.doing_${state.doing}`), state.place && t('robot.atPlace', { place: state.place })].filter(Boolean).join(' ');
        if (!state.there) return t('robot.gone');
        if (!state.awake) return t('robot.asleep');
        return state.known ? t('robot.ready') : t('robot.unsure');
    }

    function buttons() {
        const held = state.controls === 'you';
        const idle = state.doing === 'idle';
        return [
            !held && state.may && button(state.controls === 'other' ? t('robot.takeOver') : t('robot.take'), {
                kind: 'main', icon: 'hand', onclick: () => send('arm-take', { over: state.controls === 'other' }),
            }),
            held && state.there && (state.stopped || (state.awake && !state.known && idle)) && button(t('robot.resume'), {
                kind: 'main', icon: 'play', disabled: !idle, onclick: () => send('arm-resume'),
            }),
            held && !state.there && button(t('robot.connect'), { kind: 'main', icon: 'restart', disabled: !idle, onclick: () => send('arm-connect') }),
            held && state.doing === 'touring' && button(t('robot.breakOff'), { onclick: () => send('arm-break') }),
            held && button(t('robot.leave'), { kind: 'quiet', onclick: () => send('arm-leave') }),
        ].filter(Boolean);
    }

    // Buttons stay what they are until others are needed: nobody shall miss one that is drawn anew.
    let shown = '';
    function showButtons() {
        const key = [state.controls, state.may, state.there, state.stopped, state.awake, state.known, state.doing].join(' ');
        if (key === shown) return;
        shown = key;
        const focus = row.contains(document.activeElement) ? document.activeElement.textContent : null;
        clear(row, buttons());
        if (focus) ([...row.children].find((each) => each.textContent === focus) ?? row.firstElementChild)?.focus();
    }

    function showBar() {
        const said = [statusText(), state.controls === 'other' && t('robot.taken'), !state.may && t('robot.watchOnly')].filter(Boolean).join(' ');
        if (status.textContent !== said) status.textContent = said; // else it would be read again
        const wrong = state.fault && state.fault.word !== 'stopped' ? state.fault.text : '';
        fault.hidden = !wrong;
        fault.textContent = wrong;
        page.dataset.doing = state.doing;
        stop.classList.toggle('latched', state.stopped);
        showButtons();
    }

    function show(next) {
        if (next.version !== undefined && next.version !== state.version) newTable();
        state = { ...state, ...next };
        const held = state.controls === 'you';
        const can = held && state.awake && !state.stopped && state.there && (state.known || state.doing !== 'idle');
        showBar();
        wake.element.hidden = state.awake;
        wake.show(state, held);
        for (const card of moving) card.element.hidden = !state.awake;
        for (const card of cards) card.show(state, can);
        view.set({ pose: state.pose, known: state.known || state.doing !== 'idle', fingers: state.fingers });
    }
    show({});

    return {
        show,
        held: () => state.controls === 'you',
        close() {
            document.removeEventListener('keydown', onKey, true);
            document.removeEventListener('keyup', onKey, true);
            view.close();
            for (const card of [wake, ...cards]) card.close();
        },
    };
}
