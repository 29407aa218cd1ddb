// robot_places: the game that lies on the table: its places are chosen, gone to, taught and tried.
import { gameText, t } from './i18n.js';
import { button, clear, field, h, toast, segments } from './ui.js';
import { fitSection } from './robot_fit.js';

const PAUSES = [0, 0.5, 1, 2, 5]; // seconds at a place

/** `pick(name)` is told which place is chosen, to be marked in the drawing. */
export function placesCard(net, send, pick) {
    let table = null;
    let chosen = null;
    let down = false;
    let ready = false;
    let games = [];
    const game = h('select', { class: 'input' });
    const pause = h('select', { class: 'input', value: '1' }, PAUSES.map((n) => h('option', { value: n }, t('robot.secondsText', { n }))));
    const list = h('div', { class: 'robot-places' });
    const problem = h('p', { class: 'error-box', hidden: true });
    const note = h('p', { class: 'field-help' });
    const go = (where) => () => chosen && send('arm-go', { place: chosen, where });
    const acts = {
        above: button(t('robot.goAbove'), { icon: 'higher', onclick: go('above') }),
        down: button(t('robot.goDown'), { icon: 'lower', onclick: go('down') }),
    };
    const records = {
        above: button(t('robot.recordAbove'), { icon: 'save', onclick: () => record('above') }),
        down: button(t('robot.recordDown'), { icon: 'save', onclick: () => record('down') }),
    };
    const forget = button(t('robot.forget'), { icon: 'close', onclick: async () => {
        if (await send('arm-forget', { place: chosen })) toast(t('robot.forgotten', { place: chosen }));
    } });
    const fit = fitSection(net, send);
    const tour = button(t('robot.tour'), { icon: 'play', onclick: () => send('arm-tour', { pause: Number(pause.value), down }) });
    game.addEventListener('change', () => {
        if (game.value) send('arm-table', { game: game.value, params: {} }).then((ok) => { if (!ok) showGame(); });
    });
    fetch('library.json').then((answer) => answer.json()).then((answer) => {
        games = answer.games;
        showGame();
    }).catch((error) => toast(error.message, 'error'));

    async function record(where) {
        if (await send('arm-record', { place: chosen, where })) toast(t(`robot.recorded_${where}`, { place: chosen }));
    }

    function showGame() {
        const known = games.some((each) => each.game === table?.game);
        clear(game, !table && h('option', { value: '' }, t('robot.chooseGame')),
            table && !known && h('option', { value: table.game }, table.game),
            games.map((each) => h('option', { value: each.game }, gameText(each, each.title))));
        game.value = table?.game ?? '';
    }

    function choose(name) {
        chosen = name;
        for (const each of list.querySelectorAll('input')) each.checked = each.value === name;
        pick(name);
        enable();
    }

    function group(label, sites) {
        return sites.length > 0 && h('fieldset', { class: 'robot-chips' }, h('legend', { class: 'field-label' }, label),
            sites.map(({ name, taught }) => h('label', { class: taught ? 'robot-chip taught' : 'robot-chip', title: taught ? t('robot.taught') : undefined },
                h('input', { type: 'radio', name: 'robot-place', value: name, onchange: () => choose(name) }),
                h('span', null, name), taught && h('span', { class: 'unseen' }, t('robot.taught')))));
    }

    function enable() {
        for (const each of Object.values(acts)) each.disabled = !ready || !chosen;
        for (const each of Object.values(records)) each.disabled = !ready || !chosen || !table?.saves;
        forget.disabled = !table?.saves || !ready || !table.sites.some(({ name, taught }) => taught && name === chosen);
        tour.disabled = !ready || !table;
        fit.show(table, ready);
    }

    function setTable(next) {
        table = next;
        if (!table?.sites.some(({ name }) => name === chosen)) chosen = null;
        showGame();
        clear(list, table && group(t('robot.onBoard'), table.sites.filter(({ cell }) => cell >= 0)),
            table && group(t('robot.beside'), table.sites.filter(({ cell }) => cell < 0)));
        if (chosen) choose(chosen);
        problem.hidden = !table?.problem;
        problem.textContent = table?.problem ?? '';
        note.hidden = !table || table.saves;
        note.textContent = table?.problem ? t('robot.otherFile') : t('robot.noFile');
        enable();
    }

    return {
        element: h('section', { class: 'card robot-card' }, h('h2', null, t('robot.places')),
            field(t('robot.game'), game), problem, list,
            h('div', { class: 'robot-acts' }, acts.above, acts.down, records.above, records.down, forget), note, fit.element,
            h('h3', null, t('robot.tryAll')), h('p', { class: 'field-help' }, t('robot.tryAllHelp')),
            h('div', { class: 'robot-tour' }, field(t('robot.pause'), pause),
                segments(t('robot.how'), [[false, t('robot.onlyAbove')], [true, t('robot.alsoDown')]], false, (value) => { down = value; }), tour)),
        setTable,
        choose,
        show(state, can) {
            ready = can && state.doing === 'idle';
            game.disabled = state.controls !== 'you' || state.doing !== 'idle';
            for (const label of list.querySelectorAll('.robot-chip'))
                label.classList.toggle('now', label.querySelector('input').value === state.place);
            enable();
        },
        close() {},
    };
}
