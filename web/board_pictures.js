// board_pictures: pictures that S3 files name. They come from the server's disk, or from files that
// were dropped onto the page together with the rules; those are kept as blobs while the page lives.

const dropped = new Map(); // name of a file, small letters -> address of a blob
const found = new Map(); // address -> promise of {url, width, height} or null

const nameOf = (file) => file.split(/[\\/]/).pop().toLowerCase();

/** Files that were dropped: the pictures among them will be used by name. How many there were. */
export function takePictures(files) {
    let count = 0;
    for (const file of files) {
        if (!file.type.startsWith('image/')) continue;
        const before = dropped.get(nameOf(file.name));
        if (before) URL.revokeObjectURL(before);
        dropped.set(nameOf(file.name), URL.createObjectURL(file));
        count++;
    }
    return count;
}

/** A promise of the picture, or of null if there is none: then things are drawn instead. */
export function pictureOf(game, file) {
    if (!file) return Promise.resolve(null);
    const blob = dropped.get(nameOf(file));
    // Rules from a browser have no folder on the server.
    if (!blob && game.game.startsWith('@')) return Promise.resolve(null);
    const url = blob ?? `/picture?${new URLSearchParams({ game: game.game, file })}`;
    if (!found.has(url))
        found.set(url, new Promise((done) => {
            const image = new Image();
            image.onload = () => done({ url, width: image.naturalWidth, height: image.naturalHeight });
            image.onerror = () => done(null);
            image.src = url;
        }));
    return found.get(url);
}
