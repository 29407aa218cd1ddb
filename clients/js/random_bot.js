#!/usr/bin/env node
// Plays any legal move.
"use strict";
const { Bot } = require("./ludens.js");

class RandomBot extends Bot {
  async move(position) {
    const moves = await position.moves();
    return moves[this.random(moves.length)];
  }
}

new RandomBot("Random in JavaScript").run();
