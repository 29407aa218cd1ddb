// All pages together: what they weigh, and that everybody can use them, on desktop and phone, by day
// and by night.
import { ALL, assert, test } from './harness.mjs';

/** Address and what shows that the page is there. */
const pages = {
    library: ['#/', '.games svg.board'],
    setup: ['#/setup/mill', '.setup-board svg'],
    room: ['#/room/', '.play .board .hit'],
    workshop: ['#/workshop', 'main h1'],
    watch: ['#/watch', 'main h1'],
};
const looks = {
    desktop: {}, 'phone-dark': { size: 'phone', dark: true },
    ...(ALL ? { dark: { dark: true }, phone: { size: 'phone' } } : {}),
};

for (const [look, options] of Object.entries(looks))
    test(`every page can be used by everybody: ${look}`, async (w) => {
        const page = await w.page('#/', options);
        const { room } = await w.openRoom(page, {
            game: 'mill', params: {}, seats: [{ kind: 'person', name: 'Ana' }, { kind: 'person', name: 'Ben' }],
        });
        for (const [name, [hash, sign]] of Object.entries(pages)) {
            await page.goto(`${w.server.url}${hash}${name === 'room' ? room : ''}`);
            await page.locator(sign).first().waitFor();
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${name} is ${wide} points too wide`);
            await w.axe(page);
            await w.shot(page, `page-${name}-${look}`);
        }
    });

test('the whole page weighs less than 300 KB', async (w) => {
    const page = await w.page('about:blank', { server: { url: '' }, fresh: true });
    const session = await page.context().newCDPSession(page);
    const addresses = new Map();
    let bytes = 0;
    await session.send('Network.enable');
    session.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        // What games are and how they look is no part of the page.
        if (/\.(js|css|html|svg|json)$|\/$/.test(addresses.get(requestId) ?? '')) bytes += encodedDataLength;
    });
    await page.goto(w.server.url);
    await page.locator('.games article').first().waitFor();
    const first = bytes;
    const { room } = await w.openRoom(page, { game: 'mill', params: {}, seats: [{ kind: 'person' }, { kind: 'person' }] });
    for (const [name, [hash, sign]] of Object.entries(pages)) {
        await page.goto(`${w.server.url}${hash}${name === 'room' ? room : ''}`);
        await page.locator(sign).first().waitFor();
    }
    assert.ok(first > 10000 && first < 150 << 10, `the first page takes ${first} bytes`);
    assert.ok(bytes > first && bytes < 300 << 10, `all pages take ${bytes} bytes`);
    console.log(`# first page ${first} bytes, all pages ${bytes} bytes`);
});
