// board_pictures: pictures that S3 files name, with their sizes. Where they come from is the business
// of uploads.js: from the server's disk, or from files that were dropped together with the rules.
import { pictureSource } from './uploads.js';

const found = new Map(); // address -> promise of {url, width, height} or null

/** A promise of the picture, or of null if there is none: then things are drawn instead. */
export async function pictureOf(game, file) {
    if (!file) return null;
    const source = await pictureSource(game.game);
    const url = source(file);
    if (!url) return null;
    if (!found.has(url))
        found.set(url, new Promise((done) => {
            const image = new Image();
            image.onload = () => done({ url, width: image.naturalWidth, height: image.naturalHeight });
            image.onerror = () => done(null);
            image.src = url;
        }));
    return found.get(url);
}

/** Where it is drawn round a place: its middle is put `x` to the left of it and `y` above. */
export function pictureBox(found, picture, scale) {
    return {
        x: -(found.width / 2 + picture.x) * scale, y: -(found.height / 2 + picture.y) * scale,
        width: found.width * scale, height: found.height * scale,
    };
}
