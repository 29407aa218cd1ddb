// play_choose: making a move, choice by choice. The server says what may come next (OPTIONS of
// docs/web-protocol.md); here is only the trail of choices made so far.
//
// Steps run one after the other, however fast somebody clicks. A step that the server refuses leaves
// the trail as it was.

/** Cells that may be chosen: cell -> values that choosing it adds. A branch may be chosen by its cell. */
export function cellsOf(options) {
    const cells = new Map();
    for (const item of options?.items ?? []) {
        if (item.cell !== undefined && item.cell !== null) cells.set(item.cell, [item.value]);
        else for (const cell of item.cells ?? []) if (!cells.has(cell)) cells.set(cell, [item.value, cell]);
    }
    return cells;
}

/** Items that need a button: what is not a cell. */
export function buttonsOf(options) {
    return (options?.items ?? []).filter((item) => (item.cell === undefined || item.cell === null) &&
        !(item.text === '' && item.cells?.length));
}

/**
 * `ask(what, members)` is that of the room; `changed(chooser)` is told after each step; `refused(cell,
 * text)` says why not; `play(values, text, pointer)` gets a whole move.
 */
export function createChooser({ ask, changed, refused, play }) {
    let trail = []; // [{options, auto, cell}], the first before any choice
    let line = Promise.resolve();
    let turn = 0; // grows when another position comes: steps of the old one end there

    const chooser = {
        get options() { return trail.at(-1)?.options ?? null; },
        get depth() { return trail.filter((step, i) => i > 0 && !step.auto).length; },
        get chosen() { return trail.slice(1); },
        reset, cell, item, back, clear, idle: () => line,
    };

    const step = (run) => {
        const mine = turn;
        line = line.then(() => (mine === turn ? run(() => mine === turn) : undefined)).catch((error) => {
            if (mine === turn && error.code !== 'behind') refused(null, error.message);
        });
        return line;
    };

    /** A new position; options may be null: it is not our turn. */
    function reset(options) {
        turn++;
        trail = options ? [{ options, auto: false, cell: null }] : [];
        changed(chooser);
        if (options) step((live) => skip(live));
    }

    // Choices without an alternative are made by themselves, but never the last one of a move, and no
    // cell once somebody has begun to point: a piece goes where it was told to.
    async function skip(live) {
        while (trail.length) {
            const { options } = trail.at(-1);
            if (options.items.length !== 1 || options.pass) return;
            if (options.kind === 'cell' && chooser.depth > 0) return;
            const only = options.items[0];
            const next = await ask('options', { values: [...options.values, only.value] });
            if (!live() || next.move !== null) return;
            trail.push({ options: next, auto: true, cell: only.cell ?? null });
            changed(chooser);
        }
    }

    // Adds values; tells whether the move is whole.
    async function take(values, live, pointer, cell = null) {
        const before = trail.at(-1).options;
        const all = [...before.values, ...values];
        const next = await ask('options', { values: all });
        if (!live()) return true;
        if (next.move !== null) {
            trail.push({ options: next, auto: false, cell });
            changed(chooser);
            await play(next.values, next.move, pointer);
            return true;
        }
        trail.push({ options: next, auto: false, cell });
        changed(chooser);
        return false;
    }

    // Whether choosing this cell there makes a whole move.
    async function wouldEnd(options, cell) {
        const next = await ask('options', { values: [...options.values, ...cellsOf(options).get(cell)] });
        return next.move !== null;
    }

    async function choose(cell, level, live, pointer) {
        const here = cellsOf(chooser.options).get(cell);
        if (!here) return false;
        if (await take(here, live, pointer, cell)) return true;
        // Pointing at a piece in a stack chooses its height, too.
        const { options } = chooser;
        if (options.kind === 'number' && level !== null && options.items.length > 1 &&
            options.items.some((each) => each.value === level)) {
            if (await take([level], live, pointer)) return true;
        }
        await skip(live);
        return true;
    }

    /** Somebody points at a cell. */
    function cell(at, { level = null, pointer = 'mouse', drop = false } = {}) {
        return step(async (live) => {
            const { options } = chooser;
            if (!options) return;
            if (await choose(at, level, live, pointer)) return;
            const last = trail.findLast((each) => each.cell !== null);
            if (last && last.cell === at && !drop) {
                if (options.kind === 'number' && options.items.some((each) => each.value === level)) {
                    if (!await take([level], live, pointer)) await skip(live);
                } else undo();
                return;
            }
            // Another piece instead of the one chosen: go back to where it could be. A slip is not to
            // play another move, such as a man put elsewhere in place of one that takes.
            if (!drop)
                for (let i = trail.length - 2; i >= 0; i--)
                    if (cellsOf(trail[i].options).has(at)) {
                        if (await wouldEnd(trail[i].options, at)) break;
                        if (!live()) return;
                        trail = trail.slice(0, i + 1);
                        changed(chooser);
                        await choose(at, level, live, pointer);
                        return;
                    }
            let text = '';
            try {
                text = (await ask('why', { values: [...options.values, at] })).why;
            } catch (error) {
                text = error.message;
            }
            if (live()) refused(at, text);
        });
    }

    /** A button was pressed. */
    function item(value, pointer = 'mouse') {
        return step(async (live) => {
            const { options } = chooser;
            if (options?.pass) await play([], 'pass', pointer);
            // A second click on a button that is about to go means nothing.
            else if (buttonsOf(options).some((each) => each.value === value) && !await take([value], live, pointer))
                await skip(live);
        });
    }

    function undo() {
        if (chooser.depth === 0) return false;
        while (trail.length > 1 && trail.at(-1).auto) trail.pop();
        trail.pop();
        while (trail.length > 1 && trail.at(-1).auto && trail.at(-1).options.items.length === 1) trail.pop();
        changed(chooser);
        return true;
    }

    /** Takes the last choice back; false: there was none. */
    function back() {
        const done = undo();
        if (done) step((live) => skip(live));
        return done;
    }

    function clear() {
        if (trail.length > 1) trail = trail.slice(0, 1);
        changed(chooser);
        step((live) => skip(live));
    }

    return chooser;
}

/**
 * What the position looks like half-way through a move, as far as one can tell without rules: the piece
 * that was chosen first stands where it goes to. `steps` are chooser.chosen with cells.
 */
export function preview(game, position, steps) {
    const cells = steps.filter((each) => each.cell !== null);
    if (game.board.stack > 1 || !cells.length) return position;
    const next = { ...position, cells: [...position.cells], attributes: { ...position.attributes } };
    const first = cells[0].cell;
    if (next.cells[first] === null) {
        // A piece is placed: which one is clear if there is only one sort.
        const mine = game.pieces.map((p, i) => [p, i]).filter(([p]) => p.owner === position.player);
        if (mine.length === 1 && cells.length >= 1) next.cells[first] = mine[0][1];
        return next;
    }
    const names = new Set();
    let at = first;
    for (const { cell, name } of cells.slice(1)) {
        // `from`, `to`: it goes; a further cell of another name means something else.
        if (names.size && !names.has(name)) break;
        names.add(name);
        if (cell === at) continue;
        next.cells[cell] = next.cells[at];
        next.cells[at] = null;
        for (const [name_, values] of Object.entries(next.attributes)) {
            const moved = [...values];
            moved[cell] = values[at];
            moved[at] = null;
            next.attributes[name_] = moved;
        }
        at = cell;
    }
    return next;
}
