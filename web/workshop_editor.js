// An editor for rules files: a plain textarea, so that the browser's own undo, selection, spelling
// of screen readers and phone keyboards work, over a layer that shows the same text in colour.
//
// The layer gives both their size; the box around them scrolls. Tab leaves the field as everywhere;
// Ctrl+] and Ctrl+[ indent. All changes go through insertText, so that undo knows them.

import { h, clear, marked } from './ui.js';
import {t} from './i18n.js';
import { cutLine, opensBlock, placeOf } from './workshop_colour.js';

const INDENT = 4;

export function createEditor(root, {text = '', label, oninput, oncaret}) {
    const gutter = h('div', {class: 'editor-gutter', 'aria-hidden': 'true'});
    const layer = h('div', {class: 'editor-layer', 'aria-hidden': 'true'});
    const area = h('textarea', {
        class: 'editor-area', id: 'editor-area', spellcheck: 'false', autocapitalize: 'off',
        autocomplete: 'off', wrap: 'off', 'aria-label': label, 'aria-describedby': 'editor-keys',
    });
    const box = h('div', {class: 'editor-box'}, gutter, h('div', {class: 'editor-both'}, layer, area));
    root.append(box);

    let lines = [];        // as drawn
    let diagnostics = [];  // of the server, each with {line, from, to} in UTF-16 units
    let byLine = new Map();

    function drawLine(number) {
        const marks = byLine.get(number) || [];
        const worst = marks.some(m => m.severity === 'error') ? 'error' : marks.length ? 'warning' : '';
        const row = h('div', {class: 'editor-line' + (worst ? ' has-' + worst : '')});
        for (const piece of cutLine(lines[number], marks)) {
            const kind = [piece.kind && 'c-' + piece.kind, piece.mark && 'u-' + piece.mark.severity];
            row.append(h('span', {class: kind.filter(Boolean).join(' ')}, piece.text));
        }
        if (!lines[number]) row.append('\u200b');
        if (marks.length) row.append(h('span', {class: 'editor-note'}, marked(marks[0].message)));
        return row;
    }

    function drawGutter(number) {
        const marks = byLine.get(number) || [];
        const worst = marks.some(m => m.severity === 'error') ? 'error' : marks.length ? 'warning' : '';
        return h('div', {class: worst ? 'has-' + worst : null}, String(number + 1));
    }

    // Only lines that changed are drawn anew: those between the beginning and the end both have.
    function draw(all) {
        const next = area.value.split('\n');
        let top = 0, bottom = 0;
        if (!all) {
            const least = Math.min(lines.length, next.length);
            while (top < least && lines[top] === next[top]) top++;
            while (bottom < least - top &&
                          lines[lines.length - 1 - bottom] === next[next.length - 1 - bottom]) bottom++;
        }
        const old = lines.length - top - bottom;
        lines = next;
        if (all) {
            clear(layer);
            clear(gutter);
        } else {
            for (let i = 0; i < old; i++) layer.children[top].remove();
        }
        const after = layer.children[top] || null;
        for (let i = top; i < next.length - bottom; i++) layer.insertBefore(drawLine(i), after);
        while (gutter.children.length > next.length) gutter.lastChild.remove();
        while (gutter.children.length < next.length) gutter.append(drawGutter(gutter.children.length));
    }

    // Errors stay where they were until the next answer; those of lines that went are dropped.
    function indexDiagnostics() {
        byLine = new Map();
        for (const d of diagnostics) {
            if (d.at.line < 0 || d.at.line >= area.value.split('\n').length) continue;
            if (!byLine.has(d.at.line)) byLine.set(d.at.line, []);
            byLine.get(d.at.line).push({...d.at, severity: d.severity, message: d.message, help: d.help});
        }
    }

    // Where a line begins in the text.
    const startOf = line => lines.slice(0, line).reduce((sum, l) => sum + l.length + 1, 0);

    function caret() {
        const before = area.value.slice(0, area.selectionStart);
        const line = before.split('\n').length - 1;
        return {line, column: area.selectionStart - (before.lastIndexOf('\n') + 1)};
    }

    function insert(value) {
        if (!document.execCommand('insertText', false, value)) {
            area.setRangeText(value, area.selectionStart, area.selectionEnd, 'end');
            area.dispatchEvent(new Event('input'));
        }
    }

    function shiftLines(by) {
        const value = area.value;
        const from = value.lastIndexOf('\n', area.selectionStart - 1) + 1;
        let to = value.indexOf('\n', Math.max(area.selectionEnd - 1, from));
        if (to < 0) to = value.length;
        const block = value.slice(from, to).split('\n').map(line => {
            if (by > 0) return line ? ' '.repeat(by) + line : line;
            return line.replace(new RegExp(`^ {1,${-by}}`), '');
        }).join('\n');
        if (block === value.slice(from, to)) return;
        area.setSelectionRange(from, to);
        insert(block);
        area.setSelectionRange(from, from + block.length);
    }

    function onkeydown(event) {
        const only = area.selectionStart === area.selectionEnd;
        if ((event.ctrlKey || event.metaKey) && (event.key === ']' || event.key === '[')) {
            event.preventDefault();
            shiftLines(event.key === ']' ? INDENT : -INDENT);
        } else if (event.key === 'Enter' && !event.ctrlKey && !event.altKey && !event.isComposing) {
            event.preventDefault();
            const line = area.value.slice(area.value.lastIndexOf('\n', area.selectionStart - 1) + 1,
                                                                        area.selectionStart);
            const deep = line.match(/^ */)[0].length + (opensBlock(line) ? INDENT : 0);
            insert('\n' + ' '.repeat(deep));
        } else if (event.key === 'Backspace' && only && !event.ctrlKey && !event.altKey) {
            const {column} = caret();
            const before = area.value.slice(area.selectionStart - column, area.selectionStart);
            if (column > 1 && /^ +$/.test(before)) {
                event.preventDefault();
                area.setSelectionRange(area.selectionStart - ((column - 1) % INDENT + 1), area.selectionStart);
                document.execCommand('delete') || insert('');
            }
        }
    }

    const tellCaret = () => oncaret && oncaret(caret());
    area.addEventListener('keydown', onkeydown);
    area.addEventListener('input', () => {
        draw(false);
        oninput(area.value);
        tellCaret();
    });
    for (const name of ['keyup', 'click', 'focus']) area.addEventListener(name, tellCaret);

    function set(value, keepUndo) {
        if (keepUndo) {
            area.focus();
            area.select();
            insert(value);
            area.setSelectionRange(0, 0);
        } else {
            area.value = value;
        }
        diagnostics = [];
        byLine = new Map();
        draw(true);
    }
    set(text);

    return {
        text: () => area.value,
        set,
        area,
        caret,
        // What the server said about the text as it is now.
        show(list) {
            diagnostics = list.map(d => {
                const line = (d.line || 0) - 1;
                const at = line >= 0 && line < lines.length ? placeOf(lines[line], d) : {from: 0, to: 1};
                return {...d, at: {line, ...at}};
            });
            indexDiagnostics();
            draw(true);
            area.setAttribute('aria-invalid', String(list.some(d => d.severity === 'error')));
            return diagnostics;
        },
        at: line => byLine.get(line) || [],
        goto({line, from = 0, to = from}) {
            area.focus();
            const start = startOf(Math.max(0, Math.min(line, lines.length - 1)));
            area.setSelectionRange(start + from, start + to);
            const row = layer.children[line];
            if (row) row.scrollIntoView({block: 'center', inline: 'nearest'});
            tellCaret();
        },
        focus: () => area.focus(),
        keys: () => h('p', {class: 'editor-keys', id: 'editor-keys'}, t('workshop.keys')),
        close: () => box.remove(),
    };
}
