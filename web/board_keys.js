// board_keys: playing with the keyboard. Arrow keys go to the cell that lies that way on the screen,
// Enter or Space chooses it. One cell at a time can be reached with Tab.
import { neighbour } from './board_layout.js';

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function handleKeys(board, tell) {
    function key(event) {
        const hit = event.target.closest?.('.hit');
        if (!hit || event.ctrlKey || event.metaKey || event.altKey) return;
        const cell = Number(hit.dataset.cell);
        const way = WAYS[event.key];
        if (way) {
            const next = neighbour(board.layout, cell, ...way, board.can);
            if (next >= 0) board.focus(next);
        } else if (event.key === 'Home') board.focus(0);
        else if (event.key === 'End') board.focus(board.layout.cells.length - 1);
        else if (event.key === 'Enter' || event.key === ' ')
            tell('choose', { cell, level: null, pointer: 'keyboard' });
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
    board.svg.addEventListener('keydown', key);
    return () => board.svg.removeEventListener('keydown', key);
}
