// play_sound: short sounds made on the spot, no files. Browsers allow sound only after somebody has
// touched the page, so the first ones may stay silent.
import { get } from './settings.js';

let context = null;

function begin() {
    if (!get('sound') || get('volume') <= 0) return null;
    try {
        context ??= new AudioContext();
        if (context.state === 'suspended') context.resume();
        return context.state === 'running' || context.state === 'suspended' ? context : null;
    } catch {
        return null; // a browser without sound
    }
}

function tone(audio, { at = 0, from, to = from, length, loud = 1, type = 'sine' }) {
    const start = audio.currentTime + at;
    const source = audio.createOscillator();
    const level = audio.createGain();
    source.type = type;
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + length);
    level.gain.setValueAtTime(0, start);
    level.gain.linearRampToValueAtTime(0.35 * loud * get('volume'), start + 0.006);
    level.gain.exponentialRampToValueAtTime(0.0001, start + length);
    source.connect(level).connect(audio.destination);
    source.start(start);
    source.stop(start + length + 0.02);
}

// A knock on wood: noise that dies quickly.
function knock(audio, { at = 0, pitch, length = 0.07, loud = 1 }) {
    const start = audio.currentTime + at;
    const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 4;
    const source = audio.createBufferSource();
    source.buffer = buffer;
    const filter = audio.createBiquadFilter();
    filter.type = 'bandpass';
    filter.frequency.value = pitch;
    filter.Q.value = 1.4;
    const level = audio.createGain();
    level.gain.value = 1.6 * loud * get('volume');
    source.connect(filter).connect(level).connect(audio.destination);
    source.start(start);
}

const SOUNDS = {
    choose: (a) => knock(a, { pitch: 2400, length: 0.03, loud: 0.35 }),
    move: (a) => { knock(a, { pitch: 950 }); tone(a, { from: 190, to: 120, length: 0.07, loud: 0.5 }); },
    take: (a) => { knock(a, { pitch: 700 }); knock(a, { at: 0.07, pitch: 420, length: 0.1 }); },
    no: (a) => tone(a, { from: 150, to: 105, length: 0.16, loud: 0.6, type: 'triangle' }),
    won: (a) => [523, 659, 784, 1047].forEach((f, i) => tone(a, { at: i * 0.11, from: f, length: 0.3, loud: 0.6 })),
    lost: (a) => [392, 330, 262].forEach((f, i) => tone(a, { at: i * 0.16, from: f, length: 0.35, loud: 0.5 })),
    drawn: (a) => [440, 440].forEach((f, i) => tone(a, { at: i * 0.18, from: f, length: 0.25, loud: 0.5 })),
    low: (a) => tone(a, { from: 880, length: 0.09, loud: 0.4 }),
};

/** choose, move, take, no, won, lost, drawn, low (little time left). */
export function play(name) {
    const audio = begin();
    if (audio) SOUNDS[name]?.(audio);
}
