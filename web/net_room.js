// net_room: one room as the server tells it. The server is the only truth: a snapshot replaces what
// was there, an older one is dropped, and whoever acted on an old one hears of it and gets the new.

export function follow(net, id, keys, send, gone) {
    const watchers = new Set();
    const refused = new Set(); // keys that are not of the room
    let left = false;

    const room = {
        id, keys,
        now: null, // the last snapshot
        state: 'joining', // 'here'; 'behind': catching up; 'away': no line; 'gone': there is no such room
        error: null, // of 'gone'
        watch, ask, take, joinAgain, refresh, leave,
    };

    function tell() {
        for (const watcher of [...watchers]) watcher(room.now, room);
    }

    function setState(state) {
        if (room.state === state) return;
        room.state = state;
        tell();
    }

    /** Calls back with each snapshot and each change of state, also with what is there now. */
    function watch(watcher) {
        watchers.add(watcher);
        if (room.now || room.state === 'gone') watcher(room.now, room);
        return () => watchers.delete(watcher);
    }

    function take(snapshot) {
        if (left || snapshot.seq === undefined || snapshot.seq < (room.now?.seq ?? -1)) return;
        room.now = snapshot;
        room.state = 'here';
        room.error = null;
        tell();
    }

    // A key is void once its seat has gone to the computer or to somebody else: it is forgotten.
    function forgetKey(key) {
        refused.add(key);
        keys.splice(keys.indexOf(key), 1);
        const kept = net.kept()[id]?.keys ?? [];
        if (kept.includes(key)) net.keep(id, { keys: kept.filter((each) => each !== key) });
    }

    async function joinWith(key) {
        try {
            return await send('join', { room: id, key });
        } catch (error) {
            if (error.code !== 'denied') throw error;
            forgetKey(key);
            return null;
        }
    }

    // With all keys that hold: those of the address, or else those of this browser, or as a watcher.
    async function enter() {
        let answer = null;
        for (const key of [...keys]) answer = await joinWith(key) ?? answer;
        const own = (net.kept()[id]?.keys ?? []).filter((key) => !refused.has(key));
        if (answer || own.length === 0) return answer ?? send('join', { room: id });
        keys.push(...own);
        return enter();
    }

    async function join() {
        try {
            const answer = await enter();
            room.now = null; // after a restart of the server its numbers count, not ours
            take(answer);
        } catch (error) {
            if (left) return;
            if (error.code === 'offline') {
                setState('away');
                return;
            }
            room.error = error;
            room.state = 'gone';
            tell();
        }
    }

    function joinAgain() {
        if (!left) join();
    }

    /** Asks for the whole room again. */
    async function refresh() {
        setState('behind');
        await join();
    }

    /** A question about the room as we see it; if that is old, we catch up and it fails with `behind`. */
    async function ask(what, members = {}) {
        try {
            return await net.ask(what, { room: id, seq: room.now?.seq, ...members });
        } catch (error) {
            if (error.code === 'behind') {
                setState('behind');
                if (error.answer.room?.position) take(error.answer.room);
                else await join();
            }
            throw error;
        }
    }

    function leave() {
        if (left) return;
        left = true;
        offState();
        gone();
        if (net.state === 'open') send('leave', { room: id }).catch(() => {});
    }

    const offState = net.watchState((state) => {
        if (state !== 'open' && room.state !== 'gone') setState('away');
    });
    if (net.state === 'open') join();
    return room;
}
