// robot_camera: what the camera over the table sees: pictures with what was recognised, the corners
// of the board to be dragged to where they are, and colours to be learnt.
import { t } from './i18n.js';
import { button, clear, h, s, segments, toast } from './ui.js';

const CORNERS = ['front_left', 'front_right', 'back_right', 'back_left']; // as the arm sees them
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function cameraCard(net) {
    let table = null;
    let camera = null;
    let held = false;
    let drawn = true;
    let shown = 0; // the frame that was asked for
    let loading = false;
    let pixels = null; // of the corners while they are moved
    let saving = false;

    const picture = h('img', { class: 'robot-picture', alt: '', width: 640, height: 480, hidden: true });
    const said = h('p', { class: 'robot-seen' });
    const problem = h('p', { class: 'error-box', hidden: true });
    const outline = s('path', { class: 'robot-outline' });
    const over = s('svg', { class: 'robot-over', 'aria-hidden': 'true' }, outline);
    const handles = CORNERS.map((name, i) => h('button', {
        type: 'button', class: 'robot-corner', 'data-number': i + 1, 'aria-label': t(`robot.corner_${name}`), title: t(`robot.corner_${name}`),
        onkeydown: (event) => step(event, i), onpointerdown: (event) => drag(event, i),
    }));
    const frame = h('div', { class: 'robot-frame' }, picture, over, handles);
    const row = h('div', { class: 'row' });
    const help = h('p', { class: 'field-help' });

    picture.addEventListener('load', () => { loading = false; picture.hidden = false; next(); });
    picture.addEventListener('error', () => { loading = false; });

    // One picture after the other: the newest there is when the one before has come.
    function next() {
        if (loading || !camera?.frame || camera.frame === shown) return;
        loading = true;
        shown = camera.frame;
        picture.src = `robot/picture.jpg?drawn=${drawn && !pixels ? 1 : 0}&frame=${shown}`;
    }

    // --- corners ---

    function begin() {
        const [w, high] = [camera.width, camera.height];
        const usual = [0.2, 0.85, 0.8, 0.85, 0.8, 0.15, 0.2, 0.15].map((part, i) => part * (i % 2 ? high : w));
        pixels = (table.pixels ?? usual).map((each, i) => Math.min(i % 2 ? high : w, Math.max(0, each)));
        show();
        place();
        handles[0].focus();
    }

    function end() {
        pixels = null;
        show();
    }

    async function save() {
        saving = true;
        try {
            const { saved } = await net.ask('arm-corners', { pixels: pixels.map((each) => Math.round(each * 100) / 100) });
            toast(saved ? t('robot.cornersSaved') : t('robot.notKept'));
            end();
        } catch (error) {
            toast(error.message, 'error');
        } finally {
            saving = false;
        }
    }

    function place() {
        if (!pixels) return;
        handles.forEach((each, i) => {
            each.style.left = `${100 * pixels[2 * i] / camera.width}%`;
            each.style.top = `${100 * pixels[2 * i + 1] / camera.height}%`;
        });
        over.setAttribute('viewBox', `0 0 ${camera.width} ${camera.height}`);
        outline.setAttribute('d', `M${[0, 1, 2, 3].map((i) => `${pixels[2 * i]} ${pixels[2 * i + 1]}`).join('L')}Z`);
    }

    function moveTo(i, x, y) {
        pixels[2 * i] = Math.min(camera.width, Math.max(0, x));
        pixels[2 * i + 1] = Math.min(camera.height, Math.max(0, y));
        place();
    }

    function step(event, i) {
        const way = KEYS[event.key];
        if (!way) return;
        event.preventDefault();
        const by = event.shiftKey ? 10 : 1;
        moveTo(i, pixels[2 * i] + by * way[0], pixels[2 * i + 1] + by * way[1]);
    }

    function drag(event, i) {
        const box = frame.getBoundingClientRect();
        const move = ({ clientX, clientY }) => moveTo(i, (clientX - box.left) / box.width * camera.width, (clientY - box.top) / box.height * camera.height);
        const up = () => {
            handles[i].removeEventListener('pointermove', move);
            handles[i].removeEventListener('lostpointercapture', up);
        };
        handles[i].setPointerCapture(event.pointerId);
        handles[i].addEventListener('pointermove', move);
        handles[i].addEventListener('lostpointercapture', up);
    }

    async function learn(what, done) {
        try {
            const { saved } = await net.ask(what);
            toast(saved ? t(done) : t('robot.notKept'));
        } catch (error) {
            toast(error.message, 'error');
        }
    }

    // --- the card ---

    const look = segments(t('robot.picture'), [[true, t('robot.recognised')], [false, t('robot.plain')]], true,
        (value) => { drawn = value; shown = 0; next(); });
    const corners = button(t('robot.moveCorners'), { icon: 'edit', onclick: begin });
    const colours = button(t('robot.learn'), { icon: 'hint', onclick: () => learn('arm-learn', 'robot.learnt') });
    const tags = button(t('robot.tags'), { icon: 'search', onclick: () => learn('arm-tags', 'robot.cornersSaved') });
    const keep = button(t('robot.keepCorners'), { kind: 'main', icon: 'check', onclick: save });
    const cancel = button(t('ui.cancel'), { onclick: end });

    function seen() {
        if (!camera?.frame) return t('robot.noPicture');
        if (!table) return t('robot.chooseGame');
        if (!camera.placed) return t('robot.notPlaced');
        const kinds = table.kinds.map(({ name }, i) => [name, camera.sees[i] ?? 0]).filter(([, n]) => n > 0);
        const list = kinds.map(([name, n]) => t('robot.seenKind', { n, name })).join(', ');
        return `${list ? t('robot.seen', { list }) : t('robot.seenNothing')}${camera.hand ? ` ${t('robot.hand')}` : ''}`;
    }

    function show() {
        const text = seen();
        if (said.textContent !== text) said.textContent = text;
        picture.alt = text;
        problem.hidden = !camera?.problem;
        problem.textContent = camera?.problem ?? '';
        frame.classList.toggle('moving', !!pixels);
        for (const each of handles) each.hidden = !pixels;
        over.toggleAttribute('hidden', !pixels);
        corners.disabled = !held || !table || !camera?.frame;
        tags.disabled = corners.disabled;
        colours.disabled = corners.disabled || !camera?.placed;
        keep.disabled = saving;
        const wanted = pixels ? [keep, cancel] : [corners, tags, colours];
        if (row.firstChild !== wanted[0]) clear(row, wanted);
        help.textContent = pixels ? t('robot.cornersHelp') : t('robot.learnHelp');
    }

    const onSight = () => net.ask('arm-look', { on: !document.hidden }).catch(() => {});
    document.addEventListener('visibilitychange', onSight);
    onSight();
    show();

    return {
        element: h('section', { class: 'card robot-card' }, h('h2', null, t('robot.camera')), problem, frame, said, look, row, help,
            h('p', null, h('a', { href: 'robot/tags.svg', target: '_blank', rel: 'noopener' }, t('robot.printTags')))),
        setTable(next_) { table = next_; if (!table) pixels = null; show(); },
        show(state) {
            camera = state.camera;
            held = state.controls === 'you';
            show();
            next();
        },
        close() {
            document.removeEventListener('visibilitychange', onSight);
            net.ask('arm-look', { on: false }).catch(() => {});
        },
    };
}
