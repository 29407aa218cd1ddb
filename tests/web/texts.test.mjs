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
