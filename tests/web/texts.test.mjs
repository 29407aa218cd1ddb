// The languages of the page: the same keys everywhere, the same words to fill in, every key used.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert, root, test } from './harness.mjs';
import { languages } from './languages.mjs';

const web = join(root, 'web');

function flat(table, before = '') {
    return Object.entries(table).flatMap(([name, value]) => {
        const key = before ? `${before}.${name}` : name;
        return isText(value) ? [[key, value]] : flat(value, key);
    });
}

// A text, or one with forms by plural.
function isText(value) {
    return typeof value === 'string' || typeof value.other === 'string';
}

function holes(value) {
    const all = typeof value === 'string' ? [value] : Object.values(value);
    return [...new Set(all.flatMap((each) => each.match(/\{\w+\}/g) ?? []))].sort().join(' ');
}

async function language(code) {
    return new Map(flat((await import(join(web, 'lang', `${code}.js`))).default));
}

for (const code of Object.keys(languages).filter((each) => each !== 'en'))
    test(`${code} has what en has`, async () => {
        const en = await language('en');
        const other = await language(code);
        assert.deepEqual([...other.keys()].filter((key) => !en.has(key)), [], 'unknown keys');
        assert.deepEqual([...en.keys()].filter((key) => !other.has(key)), [], 'missing keys');
        for (const [key, value] of en) {
            assert.equal(holes(other.get(key)), holes(value), `words to fill in of ${key}`);
            if (typeof value === 'string') assert.equal(typeof other.get(key), 'string', key);
            else assert.deepEqual(Object.keys(other.get(key)).sort(), languages[code].slice().sort(), `forms of ${key}`);
        }
    });

test('what a study found is said in all languages', async (w) => {
    const page = await w.page('#/');
    const say = (code, study) => page.evaluate(async ([lang, found]) => {
        const { load } = await import('./i18n.js');
        const { sentencesOf } = await import('./workshop_study.js');
        await load(lang);
        return sentencesOf(found);
    }, [code, study]);
    const share = (value, games) => ({ share: value, error: 0.05, games });
    const study = {
        games: 40, random_games: 20, length: { min: 5, median: 7, mean: 7, max: 9 }, random: { length: 7.53 },
        branching: { mean: 4.9, max: 9, forced: 0.12 }, first: share(0.8, 40), draws: share(0.6, 40),
        hard_beginner: share(0.9, 40), hard_casual: share(0.7, 40), casual_beginner: share(0.8, 40),
        comebacks: share(0.1, 30), lead_changes: 1.25, unused: [{ what: 'the piece `x`', line: 7 }, { what: 'y', line: 0 }],
    };
    for (const code of Object.keys(languages)) {
        const rows = await say(code, study);
        assert.equal(rows.length, 7, code);
        for (const [head, text] of rows) {
            assert.ok(head && !/[{}]|undefined|NaN/.test(head + text), `${code}: ${text}`);
            assert.match(text, /[.]$/, `${code}: ${text}`);
        }
        assert.match(rows[5][1], /10 % \(± 5\).*1[.,]3/, code);
        assert.ok(rows[6][1].includes('the piece `x`'), code);
    }
    assert.deepEqual(await say('en', { games: 0 }), []);
    assert.match((await say('en', { first: share(0.52, 5) }))[0][1], /52 % \(± 5\).*too few games/);
    assert.match((await say('en', { first: share(0.44, 500) }))[0][1], /small disadvantage/);
    assert.match((await say('en', { games: 3, unused: [] }))[0][1], /All choices/);
});

test('what the server says is said in the language of the page', async (w) => {
    const page = await w.page('#/');
    const mill = { players: ['White', 'Black'], texts: { de: { White: 'Weiß', Black: 'Schwarz', 'Take a man.': 'Nimm einen Stein.' } } };
    const say = (code, text) => page.evaluate(async ([lang, sentence, game]) => {
        const { load } = await import('./i18n.js');
        const { inWords } = await import('./said.js');
        await load(lang);
        return inWords(sentence, game);
    }, [code, text, mill]);
    for (const [text, german] of [
        ['White wins', 'Weiß gewinnt'],
        ['White and Black win', 'Weiß und Schwarz gewinnen'],
        ['the game is over: Black wins', 'die Partie ist zu Ende: Schwarz gewinnt'],
        ['Black cannot move: `me loses when check(me)`', 'Schwarz kann nicht ziehen: `me loses when check(me)`'],
        ['the position occurred 3 times', 'die Stellung kam 3 Mal vor'],
        ['d6 cannot be chosen: it is not empty', 'd6 ist nicht wählbar: dort ist nicht frei'],
        ['`d6` is not allowed for `to`: not in `empty` (mill.game:47)', '`d6` ist für `to` nicht erlaubt: nicht in `empty` (mill.game:47)'],
        ['`to`: there is no cell `z9`', '`to`: es gibt kein Feld `z9`'],
        ['Take a man.', 'Nimm einen Stein.'],
        ['the place it goes to', 'wohin gezogen wird'],
        ['who has three in a row wins', 'who has three in a row wins'],
        ['what nobody has foreseen', 'what nobody has foreseen'],
    ]) {
        assert.equal(await say('de', text), german);
        assert.equal(await say('en', text), text);
    }
    // Each is put as the program or the page puts it, or it would never be found.
    const folders = ['src/game', 'src/s3', 'src/server', 'web'].map((name) => join(root, name));
    const sources = folders.flatMap((folder) => readdirSync(folder).filter((name) => /\.(c|js)$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8'))).join('\n').replace(/"\s*\n\s*"/g, '')
        .replace('there is no %s ', 'there is no cell ');
    const { said } = (await import(join(web, 'lang', 'en.js'))).default;
    for (const sentence of Object.values(said))
        for (const part of (sentence.other ?? sentence).split(/\{\w+\}|`/))
            assert.ok(part.split(': ').every((each) => sources.includes(each.trim())), `nobody says: ${part}`);
});

test('every text is used, every used text is there', async () => {
    const en = await language('en');
    const files = readdirSync(web).filter((name) => name.endsWith('.js'));
    const source = files.map((name) => readFileSync(join(web, name), 'utf8')).join('\n');
    const named = [...source.matchAll(/\bt\('([a-z]+\.\w+)'/g)].map((found) => found[1]);
    assert.deepEqual(named.filter((key) => !en.has(key)), [], 'texts that are not there');
    const unused = [...en.keys()].filter((key) => {
        if (source.includes(`'${key}'`)) return false;
        // Names made of parts: t(`players.level${n}`).
        return ![...source.matchAll(/`([a-z]+\.\w*)\$\{[^}]*\}(\w*)`/g)].some(([, head, tail]) =>
            key.startsWith(head) && key.endsWith(tail));
    });
    assert.deepEqual(unused, [], 'texts that nobody uses');
});
