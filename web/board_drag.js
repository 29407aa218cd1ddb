// board_drag: pointing at cells with a mouse or a finger, and dragging pieces.

const FAR = 6; // pixels after which a press is a drag

/** A place of the window in the board's units. */
export function toBoard(svg, event) {
    const m = svg.getScreenCTM();
    return m ? new DOMPoint(event.clientX, event.clientY).matrixTransform(m.inverse()) : { x: 0, y: 0 };
}

function cellAt(svg, event) {
    const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('.hit');
    return hit && svg.contains(hit) ? Number(hit.dataset.cell) : null;
}

export function handleDrag(board, layers, tell) {
    const { svg } = board;
    let press = null; // {cell, level, id, x, y, at, lifted}
    let silent = false; // a drag has just ended: the click that follows it means nothing
    let pointer = 'mouse';

    function down(event) {
        pointer = event.pointerType || 'mouse';
        if (event.button !== 0 || !event.isPrimary) return;
        const cell = cellAt(svg, event);
        if (cell === null) return;
        const at = toBoard(svg, event);
        press = { cell, level: board.levelAt(cell, at.y), id: event.pointerId, x: event.clientX, y: event.clientY, at, lifted: null };
    }

    function move(event) {
        if (!press || event.pointerId !== press.id) return;
        if (!press.lifted) {
            if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
            if (!board.mayDrag(press.cell, press.level)) {
                press = null;
                return;
            }
            svg.setPointerCapture(press.id);
            // The board may say that more or less is lifted than what was pressed.
            tell('lift', { cell: press.cell, level: press.level, pointer });
            press.lifted = board.elements(press.cell, press.level ?? 0);
            for (const el of press.lifted) {
                layers.pieces.append(el);
                el.classList.add('lifted');
            }
            svg.classList.add('dragging');
        }
        const at = toBoard(svg, event);
        for (const el of press.lifted)
            el.firstElementChild.setAttribute('transform', `translate(${(at.x - press.at.x).toFixed(1)} ${(at.y - press.at.y).toFixed(1)})`);
        event.preventDefault();
    }

    function let_go(event, dropped) {
        if (!press || event.pointerId !== press.id) return;
        const { lifted, cell, level } = press;
        press = null;
        if (!lifted) return;
        for (const el of lifted) {
            el.classList.remove('lifted');
            el.firstElementChild.removeAttribute('transform');
        }
        svg.classList.remove('dragging');
        silent = true;
        setTimeout(() => { silent = false; }, 0);
        const to = dropped ? cellAt(svg, event) : null;
        if (to !== null && to !== cell) tell('drop', { from: cell, level, to, pointer });
        else tell('release', { cell, level, pointer });
    }
    const up = (event) => let_go(event, true);
    const cancel = (event) => let_go(event, false);

    function click(event) {
        if (silent) {
            event.stopPropagation();
            return;
        }
        const hit = event.target.closest?.('.hit');
        if (!hit) {
            tell('away', {});
            return;
        }
        const cell = Number(hit.dataset.cell);
        // A click without a place comes from the keyboard or a screen reader.
        const placed = event.detail > 0 || event.clientX || event.clientY;
        const level = placed ? board.levelAt(cell, toBoard(svg, event).y) : null;
        tell('choose', { cell, level, pointer: placed ? pointer : 'keyboard' });
    }

    const pairs = [['pointerdown', down], ['pointermove', move], ['pointerup', up], ['pointercancel', cancel], ['click', click]];
    for (const [name, f] of pairs) svg.addEventListener(name, f);
    return () => { for (const [name, f] of pairs) svg.removeEventListener(name, f); };
}
