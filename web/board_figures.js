// board_figures: animals and people that puzzles and chases like, by their names, around 0,0 in a
// cell of 100 units.

import { s } from './ui.js';

const body = (d) => s('path', { class: 'body', d });
const soft = (d) => s('path', { class: 'soft', d });
const line = (d) => s('path', { class: 'detail', d });
const eye = (cx, cy, r = 3.6) => s('circle', { class: 'eye', cx, cy, r });
const snout = (cx, cy) => s('ellipse', { class: 'eye', cx, cy, rx: 5.5, ry: 4 });

export const FIGURES = {
    // From above, looking to the right: legs, body, head, eyes that stand out.
    frog: () => {
        const legs = 'M-18-14L-38-22L-16-37L-26-43M-18 14L-38 22L-16 37L-26 43M12-17L18-35L30-37M12 17L18 35L30 37';
        return [
            s('path', { class: 'limb-edge', d: legs }),
            s('path', { class: 'limb', d: legs }),
            body('M-38 0c0-14 12-23 28-23 9 0 15 2 21 4 16-2 29 7 29 19s-13 21-29 19c-6 2-12 4-21 4-16 0-28-9-28-23z'),
            soft('M-26-9c9-6 22-6 31 0M-26 9c9 6 22 6 31 0M-29 0h30'),
            s('circle', { class: 'white', cx: 22, cy: -17, r: 9 }),
            s('circle', { class: 'white', cx: 22, cy: 17, r: 9 }),
            eye(25, -17, 4.6),
            eye(25, 17, 4.6),
        ];
    },
    fox: () => [
        body('M-38-38c12 2 20 9 24 17h28c4-8 12-15 24-17 3 20-1 36-9 46L0 40-29 8c-8-10-12-26-9-46z'),
        s('path', { class: 'white', d: 'M0 40L-25 6c10-4 19 2 25 14 6-12 15-18 25-14z' }),
        eye(-13, -3),
        eye(13, -3),
        snout(0, 33),
    ],
    hound: () => [
        body(
            'M-22-30c12-7 32-7 44 0 14 0 20 14 18 36-2 10-10 10-14 2-1 16-8 30-26 30s-25-14-26-30c-4 8-12 8-14-2-2-22 4-36 18-36z',
        ),
        soft('M-23-28c-6 12-6 24-3 36M23-28c6 12 6 24 3 36'),
        eye(-11, -6),
        eye(11, -6),
        snout(0, 16),
        line('M0 20v6M-9 28c6 4 12 4 18 0'),
    ],
    wolf: () => [
        body(
            'M-34-42l18 16h32l18-16c4 18 2 34-5 46l6 8-13 2-10 16-12 10-12-10-10-16-13-2 6-8c-7-12-9-28-5-46z',
        ),
        line('M-19-4l12 4M19-4L7 0'),
        eye(-11, 4, 3),
        eye(11, 4, 3),
        snout(0, 27),
    ],
    goat: () => [
        body(
            'M-14-24c-6-12-14-18-24-20 6 8 8 14 10 24l-14 2c2 8 10 12 18 12 0 14 6 28 12 34l4 14 8-6 8 6 4-14' +
                'c6-6 12-20 12-34 8 0 16-4 18-12l-14-2c2-10 4-16 10-24-10 2-18 8-24 20-8-4-20-4-28 0z',
        ),
        eye(-11, -5),
        eye(11, -5),
        line('M-5 18h10M0 18v6'),
    ],
    cabbage: () => [
        body(
            'M0-40c14 0 20 6 22 14 12 2 18 12 16 22 4 14-4 26-14 28-6 12-18 16-24 14-6 2-18-2-24-14-10-2-18-14-14-28-2-10 4-20 16-22 2-8 8-14 22-14z',
        ),
        line('M0 36V-24M0 20c-10-4-18-14-20-28M0 20c10-4 18-14 20-28M0 0c-6-4-9-10-10-18M0 0c6-4 9-10 10-18'),
    ],
    farmer: () => [
        body('M-34 40c0-20 12-30 34-30s34 10 34 30z'),
        s('circle', { class: 'skin', cx: 0, cy: -8, r: 19 }),
        s('path', {
            class: 'straw',
            d: 'M-36-16c10-4 14-5 18-6 0-14 6-20 18-20s18 6 18 20c4 1 8 2 18 6-20 6-52 6-72 0z',
        }),
        eye(-7, -5, 2.6),
        eye(7, -5, 2.6),
        line('M-7 4c4 4 10 4 14 0'),
    ],
};
