// whynot: why a choice is not allowed, for people who click instead of type; see movetext.h.
#include "game/move_parts.h"
#include "game/movetext.h"

#include <string.h>

// What the sets that rules mention most are in words.
static const char *set_in_words(const char *set) {
    static const struct {
        const char *set, *words;
    } known[] = {
        {"empty", "it is not empty"},
        {"mine", "no piece of yours is there"},
        {"theirs", "no piece of an opponent is there"},
        {"occupied", "nothing is there"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].set, set) == 0)
            return known[i].words;
    return NULL;
}

static void add_value(const IrGame *ir, int site, int64_t value, Text *why) {
    VmChoice c = {site, value};
    const IrSite *s = &ir->site[site];
    if (value < s->lo || value > s->hi || !move_choice_shown(ir, c))
        text_add(why, "this");
    else
        move_add_choice(ir, site, value, why);
}

static void add_refused(const IrGame *ir, VmStop stop, int64_t value, Text *why) {
    const char *words = stop.why ? set_in_words(stop.why) : NULL;
    add_value(ir, stop.site, value, why);
    text_add(why, " cannot be chosen");
    if (words)
        text_f(why, ": %s", words);
    else if (stop.why && move_is_condition(ir, stop))
        text_f(why, ": `%s` does not hold", stop.why);
    else if (stop.why)
        text_f(why, ": not in `%s`", stop.why);
}

// The values are choices of the turn, but nothing legal follows: every way on is refused later.
// If the next choices have one answer each time, the last refusal says why.
static void add_dead_end(Runner *r, const uint8_t *state, const int64_t *values, int count,
                         Text *why) {
    int64_t path[VM_MAX_CHOICES];
    memcpy(path, values, sizeof *path * (size_t)count);
    VmStop stop = vm_follow(r->vm, state, path, count);
    const IrSite *site = &r->game->ir->site[stop.site];
    const char *said = NULL;
    bool one = count < VM_MAX_CHOICES && site->hi - site->lo < BOARD_MAX_CELLS;
    for (int64_t v = site->lo; one && v <= site->hi; v++) {
        path[count] = v;
        VmStop next = vm_follow(r->vm, state, path, count + 1);
        if (next.kind != VM_FAILED || !next.why)
            continue;
        one = !said || strcmp(said, next.why) == 0;
        said = next.why;
    }
    if (one && said)
        text_add(why, said);
    else
        text_add(why, "no legal move begins like this");
}

bool move_why(Runner *r, const uint8_t *state, const int64_t *values, int count, Text *why) {
    const IrGame *ir = r->game->ir;
    MoveOptions options;
    const Move *moves;
    if (count > VM_MAX_CHOICES) {
        text_add(why, "no move has so many choices");
        return true;
    }
    int n = runner_moves(r, state, &moves);
    if (n <= 0) {
        text_add(why, n < 0 ? runner_error(r) : "the game is over");
        return true;
    }
    if (move_is_pass(moves[0])) {
        if (count > 0)
            text_f(why, "%s cannot move and has to pass", ir->player[game_player(r->game, state)]);
        return count > 0;
    }
    VmStop stop = vm_follow(r->vm, state, values, count);
    if (stop.kind == VM_REFUSED) {
        add_refused(ir, stop, values[stop.index < count ? stop.index : count - 1], why);
    } else if (stop.kind == VM_FAILED) {
        text_add(why, stop.why ? stop.why : "the rules do not allow this");
    } else if (stop.kind == VM_FAULT) {
        runner_fault(r);
        text_add(why, runner_error(r));
    } else if (stop.kind == VM_DONE) {
        if (stop.index < count)
            text_add(why, "the move is complete already");
        return stop.index < count;
    } else if (move_options(r, state, values, count, &options) && options.count > 0) {
        return false;
    } else {
        add_dead_end(r, state, values, count, why);
    }
    return true;
}
