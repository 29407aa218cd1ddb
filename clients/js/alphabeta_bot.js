#!/usr/bin/env node
// Looks ahead with alpha-beta, deeper and deeper, as long as there is time.
//
// It knows no rules: it asks Ludens for the moves and for the positions behind them. What it knows is
// who has won. Yours could know more: `value` is the place for it.
"use strict";
const { Bot } = require("./ludens.js");

const WIN = 1000000;
const INFINITE = 2 * WIN;

// What a position is worth to a player before anybody has won: nothing is known here.
function value(state, player) {
  return 0;
}

function valueOfResult(result, player, ply) {
  if (result.split("+").includes("p" + player + "win")) return WIN - ply;
  return result === "draw" ? 0 : ply - WIN;
}

class TimeIsUp extends Error {}

class AlphaBetaBot extends Bot {
  async move(position, limits) {
    this.limits = limits;
    this.nodes = 0;
    this.me = await position.player();
    this.seconds = 0.8 * limits.seconds(this.me);
    const successors = await position.successors();
    let best = successors[this.random(successors.length)];
    for (let depth = 1; depth <= (limits.numbers.depth || 100); depth++) {
      // The best move of a depth is looked at first in the next.
      successors.sort((a, b) => (b === best) - (a === best));
      let score;
      try {
        [score, best] = await this.root(successors, depth);
      } catch (error) {
        if (error instanceof TimeIsUp) break;
        throw error;
      }
      this.say(`info depth ${depth} nodes ${this.nodes} score cp ${Math.trunc(score / 10)}`);
      if (Math.abs(score) > WIN / 2) break;
    }
    return best.move;
  }

  async root(successors, depth) {
    let score = -INFINITE;
    let best = successors[0];
    for (const s of successors) {
      const v = await this.search(s, depth - 1, score, INFINITE, 1);
      if (v > score) [score, best] = [v, s];
    }
    return [score, best];
  }

  // The value for `me` of a position that was reached, inside a window.
  async search(reached, depth, alpha, beta, ply) {
    this.nodes++;
    if (this.limits.over(this.seconds)) throw new TimeIsUp();
    if (reached.result !== "none") return valueOfResult(reached.result, this.me, ply);
    if (depth <= 0) return value(reached.state, this.me);
    const mine = reached.player === this.me;
    let best = mine ? -INFINITE : INFINITE;
    for (const s of await reached.position.successors()) {
      const v = await this.search(s, depth - 1, alpha, beta, ply + 1);
      best = mine ? Math.max(best, v) : Math.min(best, v);
      if (mine) alpha = Math.max(alpha, best);
      else beta = Math.min(beta, best);
      if (alpha >= beta) break;
    }
    return best;
  }
}

new AlphaBetaBot("Alpha-beta in JavaScript").run();
