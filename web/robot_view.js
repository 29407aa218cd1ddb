// robot_view: the arm in three dimensions, drawn as SVG. Points are in cm, x to the right of the
// arm, y forward, z up; one looks at the table from a distance, at an angle that dragging changes.
import { t } from './i18n.js';
import { button, clear, h, s, segments } from './ui.js';

const WIDTH = 640;
const HEIGHT = 440;
const FAR = 110; // cm from the eye to the middle of what is looked at
const MIDDLE = [0, 17, 7];
const GROUND = { left: -36, right: 36, front: -12, back: 42, step: 6 };
const VIEWS = { slant: [-145, 26], front: [180, 12], side: [90, 8], above: [0, 89] };
const ROUND = 20; // corners of a circle

const radians = (degrees) => degrees * Math.PI / 180;
const add = (a, b, k = 1) => a.map((each, i) => each + k * b[i]);

/** Where the joints are: base, shoulder, elbow, wrist, fingers; and which way the fingers spread. */
export function armPoints(arm, [base, shoulder, elbow, wrist, hand]) {
    const across = [Math.sin(radians(base)), Math.cos(radians(base)), 0];
    const e1 = radians(90 + shoulder);
    const e2 = e1 + radians(elbow - 90);
    const pitch = e2 + radians(wrist);
    const along = (e) => [across[0] * Math.cos(e), across[1] * Math.cos(e), Math.sin(e)];
    const [x, y] = arm.base;
    const points = [[x, y, 0], [x, y, arm.shoulder]];
    for (const [length, e] of [[arm.upper, e1], [arm.fore, e2], [arm.hand, pitch]])
        points.push(add(points[points.length - 1], along(e), length));
    const side = [across[1], -across[0], 0];
    const up = along(pitch + Math.PI / 2);
    const turn = radians(hand);
    return { points, spread: add(side.map((each) => each * Math.cos(turn)), up, Math.sin(turn)) };
}

/** What turns points of the table into points of the drawing: [x, y, distance, cm to pixels]. */
export function projection(turn, tilt, zoom) {
    const [ct, st, cp, sp] = [Math.cos(radians(turn)), Math.sin(radians(turn)), Math.cos(radians(tilt)), Math.sin(radians(tilt))];
    return (point) => {
        const [x, y, z] = add(point, MIDDLE, -1);
        const right = x * ct + y * st;
        const away = -x * st + y * ct;
        const depth = FAR + away * cp - z * sp;
        const scale = zoom * 900 / Math.max(depth, 20);
        return [WIDTH / 2 + right * scale, HEIGHT / 2 - (away * sp + z * cp) * scale, depth, scale];
    };
}

const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;

/** `pick(name)` is told which place was clicked. */
export function openView(root, pick) {
    let arm = null;
    let table = null;
    let pose = null;
    let fingers = null;
    let known = true;
    let chosen = null;
    let turn = VIEWS.slant[0];
    let tilt = VIEWS.slant[1];
    let zoom = 1;
    let waiting = 0;

    const ground = s('g');
    const things = s('g');
    const drawing = s('svg', { class: 'robot-view', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', tabindex: '0', 'aria-label': t('robot.view') }, ground, things);
    const views = segments(t('robot.from'), [['slant', t('robot.slant')], ['front', t('robot.front')], ['side', t('robot.side')], ['above', t('robot.above_view')]],
        'slant', (name) => { [turn, tilt] = VIEWS[name]; zoom = 1; draw(); });
    root.append(h('div', { class: 'robot-stage' }, drawing,
        h('div', { class: 'robot-zoom' },
            button(t('robot.nearer'), { icon: 'add', bare: true, kind: 'small', onclick: () => scale(1.2) }),
            button(t('robot.farther'), { icon: 'minus', bare: true, kind: 'small', onclick: () => scale(1 / 1.2) }))), views);

    function scale(by) {
        zoom = Math.min(4, Math.max(0.5, zoom * by));
        draw();
    }

    function rotate(right, up) {
        turn = ((turn + right + 540) % 360) - 180;
        tilt = Math.min(89, Math.max(2, tilt + up));
        for (const each of views.querySelectorAll('input')) each.checked = false;
        draw();
    }

    drawing.addEventListener('pointerdown', (event) => {
        drawing.setPointerCapture(event.pointerId);
        let [x, y] = [event.clientX, event.clientY];
        let still = true;
        const move = (next) => {
            still &&= Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) < 5;
            if (still) return;
            rotate((x - next.clientX) * 0.4, (next.clientY - y) * 0.3);
            [x, y] = [next.clientX, next.clientY];
        };
        const up = (last) => {
            const place = document.elementsFromPoint(last.clientX, last.clientY).find((each) => each.dataset.site);
            if (still && place && last.type === 'pointerup') pick(place.dataset.site);
            drawing.removeEventListener('pointermove', move);
            drawing.removeEventListener('pointerup', up);
            drawing.removeEventListener('pointercancel', up);
        };
        drawing.addEventListener('pointermove', move);
        drawing.addEventListener('pointerup', up);
        drawing.addEventListener('pointercancel', up);
    });
    drawing.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: [10, 0], ArrowRight: [-10, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] }[event.key];
        if (step) rotate(...step);
        else if (event.key === '+') scale(1.2);
        else if (event.key === '-') scale(1 / 1.2);
        else return;
        event.preventDefault();
    });

    function circle(project, [x, y, z], radius) {
        return path(Array.from({ length: ROUND }, (_, i) => project([
            x + radius * Math.cos(2 * Math.PI * i / ROUND), y + radius * Math.sin(2 * Math.PI * i / ROUND), z])));
    }

    function drawGround(project) {
        const { left, right, front, back, step } = GROUND;
        const lines = [];
        const line = (a, b) => lines.push(`M${project(a).slice(0, 2).join(' ')}L${project(b).slice(0, 2).join(' ')}`);
        for (let x = left; x <= right; x += step) line([x, front, 0], [x, back, 0]);
        for (let y = front; y <= back; y += step) line([left, y, 0], [right, y, 0]);
        const corner = table?.corner;
        const height = table?.surface ?? 0;
        clear(ground,
            s('path', { class: 'robot-table', d: path([[left, front, 0], [right, front, 0], [right, back, 0], [left, back, 0]].map(project)) }),
            s('path', { class: 'robot-grid', d: lines.join('') }),
            corner && s('path', { class: 'robot-board', d: path([0, 2, 4, 6].map((i) => project([corner[i], corner[i + 1], height]))) }),
            (table?.sites ?? []).map(({ at, cell, name }) => s('path', {
                class: `${cell < 0 ? 'robot-store' : 'robot-cell'}${name === chosen ? ' chosen' : ''}`, 'data-site': name,
                d: circle(project, [at[0], at[1], height], table.mark ?? 0.9),
            })));
    }

    // Pieces and parts of the arm, the farther ones first: [distance, element].
    function pieces(project) {
        const found = [];
        for (const [site, ...kinds] of table?.pieces ?? []) {
            const [x, y] = table.sites[site].at;
            let z = table.surface;
            for (const kind of kinds) {
                const { paint, radius, height } = table.kinds[kind];
                const fill = `rgb(${paint.join(' ')})`;
                const [, , depth] = project([x, y, z]);
                found.push([depth, s('g', { class: 'robot-piece' },
                    [0, 0.25, 0.5, 0.75].map((part) => s('path', { class: part > 0 ? 'side' : '', d: circle(project, [x, y, z + part * height], radius), fill })),
                    s('path', { d: circle(project, [x, y, z + height], radius), fill }))]);
                z += height;
            }
        }
        return found;
    }

    function bone(project, a, b, width, kind) {
        const [p, q] = [project(a), project(b)];
        return [(p[2] + q[2]) / 2, s('line', {
            class: `robot-bone ${kind}`, x1: p[0].toFixed(1), y1: p[1].toFixed(1), x2: q[0].toFixed(1), y2: q[1].toFixed(1),
            'stroke-width': (width * (p[3] + q[3]) / 2).toFixed(1),
        })];
    }

    function joint(project, at, radius, kind = '') {
        const [x, y, depth, size] = project(at);
        return [depth - 0.5, s('circle', { class: `robot-joint ${kind}`, cx: x.toFixed(1), cy: y.toFixed(1), r: (radius * size).toFixed(1) })];
    }

    function armParts(project) {
        const { points, spread } = armPoints(arm, pose);
        const [base, shoulder, elbow, wrist, tip] = points;
        const palm = add(wrist, add(tip, wrist, -1), 0.55);
        const half = fingers === 'closed' ? 0.6 : 1.6;
        const parts = [bone(project, base, shoulder, 5, 'base'), bone(project, shoulder, elbow, 2.6, 'upper'),
            bone(project, elbow, wrist, 2.2, 'fore'), bone(project, wrist, palm, 1.8, 'hand'),
            joint(project, shoulder, 1.7), joint(project, elbow, 1.4), joint(project, wrist, 1.2)];
        for (const side of [-1, 1])
            parts.push(bone(project, add(palm, spread, side * half), add(tip, spread, side * half), 0.6, 'finger'));
        parts.push(bone(project, add(palm, spread, -half), add(palm, spread, half), 0.7, 'hand'));
        return { parts, tip };
    }

    function draw() {
        waiting = 0;
        if (!arm) return;
        const project = projection(turn, tilt, zoom);
        drawGround(project);
        const { parts, tip } = armParts(project);
        const all = [...pieces(project), ...parts].sort((a, b) => b[0] - a[0]).map(([, element]) => element);
        const [p, q] = [project(tip), project([tip[0], tip[1], 0])];
        clear(things,
            s('path', { class: 'robot-shadow', d: circle(project, [tip[0], tip[1], 0], 0.8) }),
            s('line', { class: 'robot-plumb', x1: p[0], y1: p[1], x2: q[0], y2: q[1] }), all,
            s('circle', { class: 'robot-tip', cx: p[0].toFixed(1), cy: p[1].toFixed(1), r: 3 }));
        drawing.classList.toggle('unsure', !known);
        drawing.dataset.tip = tip.map((each) => each.toFixed(1)).join(' ');
    }

    const soon = () => { waiting ||= requestAnimationFrame(draw); };

    return {
        set(next) {
            if (next.arm !== undefined) arm = next.arm;
            if (next.table !== undefined) table = next.table;
            if (next.pose !== undefined) pose = next.pose ?? arm?.home ?? null;
            if (next.chosen !== undefined) chosen = next.chosen;
            known = next.known ?? known;
            fingers = next.fingers ?? fingers;
            soon();
        },
        close() { cancelAnimationFrame(waiting); },
    };
}
