// ludens: what a bot in JavaScript needs to play any game of Ludens. Nothing but Node is needed.
//
//     const { Bot } = require("./ludens.js");
//     class MyBot extends Bot {
//       async move(position, limits) {
//         return (await position.moves())[0];
//       }
//     }
//     new MyBot("My bot").run();
//
// A Position knows the rules because it asks the rules server of Ludens (`ludens serve-rules`), which
// Ludens names in LUDENS_RULES. The protocol is described in docs/protocol.md of Ludens.
"use strict";
const { spawn } = require("child_process");
const readline = require("readline");

// The rules server: questions about positions, answered one after the other.
class Rules {
  constructor(command = process.env.LUDENS_RULES || "ludens serve-rules") {
    this.server = spawn("exec " + command, { shell: true, stdio: ["pipe", "pipe", "inherit"] });
    this.server.unref();
    this.waiting = [];
    this.lines = [];
    readline.createInterface({ input: this.server.stdout }).on("line", (line) => {
      if (!line.startsWith("response")) return this.lines.push(line);
      const lines = this.lines;
      this.lines = [];
      this.waiting.shift()({ answer: line.slice(9), lines });
    });
  }

  setGame(text) {
    this.now = undefined;
    this.server.stdin.write("setoption name Game value " + text + "\n");
  }

  ask(position, what) {
    const set = position === this.now ? "" : "position " + position + "\n";
    this.now = position;
    this.server.stdin.write(set + "query " + what + "\n");
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

// `text` is what follows `position` in the protocol: `startpos moves a1`, `fen STATE`.
class Position {
  constructor(rules, text) {
    this.rules = rules;
    this.text = text;
  }

  async moves() {
    return (await this.rules.ask(this.text, "moves")).answer.split(" ").filter(Boolean);
  }

  async player() {
    return Number((await this.rules.ask(this.text, "player")).answer);
  }

  // `none` while the game goes on, else `p1win`, `p2win`, `draw`, ...
  async result() {
    return (await this.rules.ask(this.text, "result")).answer;
  }

  // All legal moves with what comes behind them: { move, player, result, state, position }.
  async successors() {
    const { lines } = await this.rules.ask(this.text, "successors");
    return lines.filter((line) => line.startsWith("info successor ")).map((line) => {
      const [, , move, player, result, ...rest] = line.split(" ");
      const state = rest.join(" ");
      const position = new Position(this.rules, "fen " + state);
      return { move, player: Number(player), result, state, position };
    });
  }
}

// What follows `go`; seconds(player) is the time for this move.
class Limits {
  constructor(words) {
    this.numbers = {};
    words.forEach((word, i) => (this.numbers[word] = Number(words[i + 1])));
    this.infinite = words.includes("infinite");
    this.began = Date.now();
    this.stopped = false;
  }

  seconds(player, usual = 1) {
    if (this.infinite) return 1e9;
    if (this.numbers.movetime) return this.numbers.movetime / 1000;
    const left = this.numbers["p" + player + "time"];
    return left === undefined ? usual : left / 25000 + (this.numbers["p" + player + "inc"] || 0) / 1500;
  }

  over(seconds) {
    return this.stopped || Date.now() - this.began >= seconds * 1000;
  }
}

// The protocol. A bot of yours has `move`, and perhaps `newGame`.
class Bot {
  constructor(name) {
    this.name = name;
    this.seed = 1;
  }

  newGame() {}

  // 0 to n - 1, the same numbers for the same seed.
  random(n) {
    this.seed = (this.seed * 48271) % 2147483647;
    return this.seed % n;
  }

  say(line) {
    process.stdout.write(line + "\n");
  }

  async think(position, limits) {
    const move = await this.move(position, limits);
    while (limits.infinite && !limits.stopped) await new Promise((done) => setTimeout(done, 2));
    this.say("bestmove " + move);
  }

  run() {
    const rules = new Rules();
    let position = new Position(rules, "startpos");
    let limits = new Limits([]);
    readline.createInterface({ input: process.stdin }).on("line", (line) => {
      const [command, ...words] = line.trim().split(/\s+/);
      if (command === "ugi") {
        this.say("id name " + this.name + "\noption name Game type string default tic-tac-toe");
        this.say("option name Seed type spin default 0 min 0 max 9007199254740991\nugiok");
      } else if (command === "isready") this.say("readyok");
      else if (command === "setoption" && words[1] === "Game") rules.setGame(words.slice(3).join(" "));
      else if (command === "setoption" && words[1] === "Seed")
        this.seed = 1 + (Number(words[3]) % 2147483646);
      else if (command === "uginewgame") this.newGame();
      else if (command === "position") position = new Position(rules, words.join(" "));
      else if (command === "go") {
        limits = new Limits(words);
        this.think(position, limits);
      } else if (command === "stop") limits.stopped = true;
      else if (command === "quit") process.exit(0);
    }).on("close", () => process.exit(0));
  }
}

module.exports = { Bot, Rules, Position, Limits };
