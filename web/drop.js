// drop: rules files dropped onto the page or picked from the disk, sent to the server, and opened.
import { t } from './i18n.js';
import { remember } from './settings.js';
import { upload } from './uploads.js';
import { dialog, h, marked, toast } from './ui.js';

export async function openFiles(net, files) {
    if (files.length === 0) return;
    const note = toast(t('library.uploading', { name: files[0].name }), 'info', 20);
    try {
        const game = await upload(net, files);
        location.hash = `#/setup/${encodeURIComponent(game)}`;
    } catch (error) {
        if (error.diagnostics?.length) showFaults(error);
        else toast(error.message, 'error');
    } finally {
        note.remove();
    }
}

/** What is wrong with the rules, with the lines they are in. */
async function showFaults(error) {
    const lines = (error.text ?? '').split(/\r?\n/);
    const answer = await dialog({
        title: error.message,
        body: h('ul', { class: 'faults' }, error.diagnostics.slice(0, 20).map((each) => h('li', { class: 'fault' },
            h('p', { class: 'place-of' }, t('library.brokenplace', { line: each.line, column: each.column })),
            h('p', null, marked(each.message)),
            quote(lines[each.line - 1], each),
            each.help && h('p', { class: 'soft' }, marked(each.help))))),
        buttons: [['edit', t('library.edit'), ''], ['', t('ui.close'), 'main']],
    });
    if (answer !== 'edit') return;
    remember('ludens.draft', { title: error.file, text: error.text });
    location.hash = '#/workshop?draft=1';
}

function quote(line, { column, length }) {
    if (line === undefined) return null;
    const from = Math.max(0, column - 1);
    const to = from + Math.max(1, length ?? 1);
    return h('pre', { tabindex: 0 }, line.slice(0, from), h('mark', null, line.slice(from, to) || ' '), line.slice(to));
}

/** A file picker, as if files were dropped. */
export function pickFiles(net) {
    const input = h('input', { type: 'file', multiple: true, class: 'unseen', tabindex: -1, 'aria-hidden': 'true' });
    input.addEventListener('change', () => {
        openFiles(net, input.files);
        input.remove();
    });
    input.addEventListener('cancel', () => input.remove());
    document.body.append(input);
    input.click();
}

/** Files may be dropped anywhere on the page until the result is called. */
export function acceptDrops(net) {
    const over = h('div', { class: 'drop-over' }, t('library.drop'));
    const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes('Files');
    const enter = (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        if (!over.isConnected) document.body.append(over);
    };
    const leave = (event) => { if (!event.relatedTarget) over.remove(); };
    const drop = async (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        over.remove();
        try {
            await openFiles(net, await filesOf(event.dataTransfer));
        } catch (error) {
            toast(error.message, 'error'); // a file of the folder that cannot be read
        }
    };
    addEventListener('dragover', enter);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
        over.remove();
        removeEventListener('dragover', enter);
        removeEventListener('dragleave', leave);
        removeEventListener('drop', drop);
    };
}

const FILES_MOST = 200; // of a dropped folder

// A folder with an S3 file and its pictures may be dropped as a whole.
async function filesOf(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
    const files = [];
    while (entries.length > 0 && files.length < FILES_MOST) {
        const entry = entries.shift();
        if (entry.isFile) files.push(await new Promise((done, failed) => entry.file(done, failed)));
        else entries.push(...await entriesOf(entry.createReader()));
    }
    return files;
}

// Browsers tell of a hundred at a time, and of none when there are no more.
async function entriesOf(reader) {
    const all = [];
    for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (some.length === 0 || all.length >= FILES_MOST) return all;
        all.push(...some);
    }
}
