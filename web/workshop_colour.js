// The colours of the rules language: a line of text to pieces with a class each. Lines stand for
// themselves, as no text or comment goes over the end of one.

const RESERVED = new Set(
    `and or not in within where if then else some all no count sum min max union the of yes true false
      none it me opponent mine theirs empty occupied cells lines players directions`.split(/\s+/));

// Words that begin a section at the left edge, and those that begin a statement or a line of one.
const SECTIONS = new Set(
    `game players parameter require board piece var clock let setup turn end when notation input facts
      rules worth prefer knowledge words table`.split(/\s+/));
const STATEMENTS = new Set(
    `also about source language lines cells directions stacks symmetry coordinates point say choose
      either or require if else for while let var place move remove clear change again scatter scramble
      diagram read answer draw most least pass times middle pitch surface store colour`.split(/\s+/));
// Words with a meaning in the middle of a line.
const INNER = new Set(
    `wins loses when stuck repeated without moves with at to above on by up of through from until while
      square hex rhombus hexagon triangle bool player cell direction one list`.split(/\s+/));

const TOKEN = /(#.*)|("(?:\\.|[^"\\])*"?)|([A-Za-z_]\w*)|(\d+)|([-+*/%&|=<>!:.]+)|(\s+)|(.)/gu;

// [{from, to, kind}…] in UTF-16 units; kind is '' or a class: comment, text, section, word, known,
// number, sign.
export function colourLine(line) {
    const parts = [];
    let first = true;
    for (const m of line.matchAll(TOKEN)) {
        const [all, comment, text, word, number, sign, blank] = m;
        let kind = '';
        if (comment) kind = 'comment';
        else if (text) kind = 'text';
        else if (number) kind = 'number';
        else if (sign) kind = 'sign';
        else if (word) {
            if (first && m.index === 0 && SECTIONS.has(word)) kind = 'section';
            else if (first && m.index > 0 && STATEMENTS.has(word)) kind = 'word';
            else if (RESERVED.has(word)) kind = 'known';
            else if (INNER.has(word) && !first) kind = 'inner';
        }
        if (!blank) first = false;
        parts.push({from: m.index, to: m.index + all.length, kind});
    }
    return parts;
}

// Where a diagnostic stands in its line: {from, to}. Nothing is shorter than one letter; behind the
// end of the line it is the last one.
export function placeOf(line, { column = 1, length = 1 }) {
    let from = Math.max(0, column - 1);
    if (from >= line.length) from = Math.max(0, line.length - 1);
    const to = Math.max(from + 1, Math.min(line.length, column - 1 + length));
    return { from, to };
}

// The pieces of a line cut where marks begin and end: [{text, kind, mark}…], mark being one of
// `marks` ({from, to, severity}) or null.
export function cutLine(line, marks) {
    const edges = [...new Set(marks.flatMap(m => [m.from, m.to]))].sort((a, b) => a - b);
    const out = [];
    for (const part of colourLine(line)) {
        let from = part.from;
        for (const edge of [...edges, part.to]) {
            const to = Math.min(edge, part.to);
            if (to <= from) continue;
            const mark = marks.find(m => m.from <= from && to <= m.to) || null;
            out.push({text: line.slice(from, to), kind: part.kind, mark});
            from = to;
        }
    }
    return out;
}

// Whether a line opens a block, so that the next one is indented: sections and statements that have
// something below them and end without an open operator.
export function opensBlock(line) {
    const text = line.replace(/#.*/, '').trimEnd();
    return /^\s*(game ".*"|board\b.*|lines|setup|turn|end|when (all )?stuck|notation|input|table|facts|rules|worth|prefer|if .*|else|else if .*|for .*|while .*|either\b.*|or\b.*|diagram)$/
        .test(text) && !/\bthen\b/.test(text);
}
