// board_chess: silhouettes of the men of chess, around 0,0 in a cell of 100 units.

import { s } from './ui.js';

const body = (d) => s('path', { class: 'body', d });
const line = (d) => s('path', { class: 'detail', d });
const dot = (cx, cy, r) => s('circle', { class: 'body', cx, cy, r });

export const CHESS_SHAPES = {
    pawn: () => [
        body(
            'M0-31a13.5 13.5 0 0 1 8 24h6v6h-7c1 12 6 20 16 26v10h-46v-10c10-6 15-14 16-26h-7v-6h6a13.5 13.5 0 0 1 8-24z',
        ),
        line('M-20 26h40'),
    ],
    rook: () => [
        body('M-25-36h12v9h7v-9h12v9h7v-9h12v20l-8 7 3 29 7 6v11h-54v-11l7-6 3-29-8-7z'),
        line('M-17-9h34M-20 20h40'),
    ],
    bishop: () => [
        body(
            'M0-33c12 9 19 20 16 32-1 5-4 8-7 11l2 4h6v6h-6c1 6 4 9 12 11v8h-46v-8c8-2 11-5 12-11h-6v-6h6l2-4c-3-3-6-6-7-11-3-12 4-23 16-32z',
        ),
        dot(0, -36, 5),
        line('M5-17L-3-5M-9 12h18M-20 31h40'),
    ],
    knight: () => [
        body(
            'M-18 39h45c4-31-3-58-26-67l-3-9-7 9c-10 6-19 19-22 29-2 8 4 14 11 11l11-7c5 1 9-1 12-5 0 12-21 16-21 39z',
        ),
        s('circle', { class: 'eye', cx: -9, cy: -13, r: 3 }),
        line('M-25 3l3 1M8-20c9 10 12 24 12 42M-17 30h43'),
    ],
    queen: () => [
        body('M-21 25l-11-37 14 15 3-26 15 22 15-22 3 26 14-15-11 37c-14-4-28-4-42 0z'),
        dot(-33, -16, 5),
        dot(-15, -27, 5),
        dot(0, -10, 0.1),
        dot(15, -27, 5),
        dot(33, -16, 5),
        body('M-23 29c15-4 31-4 46 0v10h-46z'),
        line('M-18 15c12-3 24-3 36 0'),
    ],
    king: () => [
        body('M-3.5-45h7v6h7v7h-7v9h-7v-9h-7v-7h7z'),
        body(
            'M-19 25l-6-15c-9-9-11-25 2-30 10-3 19 2 23 10 4-8 13-13 23-10 13 5 11 21 2 30l-6 15c-12-4-26-4-38 0z',
        ),
        body('M-23 29c15-4 31-4 46 0v10h-46z'),
        line('M0-10v24M-17 14c11-3 23-3 34 0'),
    ],
};
