// person_why: words about a board that is no move of the rules, or half of one; see robot.h.
#include "robot/person_parts.h"

#include "game/movetext.h"
#include "game/statetext.h"

#include <string.h>

#define NAMED_MOST 4 // differences that are listed
#define HALF_MOST 8  // cells at which a move may go on

// --- words for cells ---

static void add_piece(const Person *p, uint8_t kind, Text *out) {
    const char *name = p->table->kind[kind].name;
    text_f(out, "%s %s", strchr("aeiouAEIOU", name[0]) ? "an" : "a", name);
}

static const char *cell_name(const Person *p, int cell) {
    return p->table->site[cell].name;
}

// "a white man stands on d3, where nothing stood"
static void add_difference(const Person *p, int cell, Text *out) {
    uint8_t now = p->seen[cell], was = p->before[cell];
    if (now == SCENE_NOTHING) {
        text_f(out, "%s is empty, where ", cell_name(p, cell));
        add_piece(p, was, out);
        text_add(out, " stood");
        return;
    }
    add_piece(p, now, out);
    text_f(out, " stands on %s, where ", cell_name(p, cell));
    if (was == SCENE_NOTHING)
        text_add(out, "nothing");
    else
        add_piece(p, was, out);
    text_add(out, " stood");
}

static void add_differences(const Person *p, Text *out) {
    int n = 0;
    for (int c = 0; c < p->cells; c++) {
        if (p->seen[c] == p->before[c])
            continue;
        if (n < NAMED_MOST) {
            text_add(out, n ? "; " : "");
            add_difference(p, c, out);
        }
        n++;
    }
    if (n > NAMED_MOST)
        text_f(out, "; and %d more cells are not as before", n - NAMED_MOST);
}

// --- why it cannot be ---

typedef struct Changes {
    int left, came, other; // how many cells: emptied, filled, with another piece than before
    int from, to;          // the last of them
} Changes;

static Changes changes_of(const Person *p) {
    Changes c = {.from = -1, .to = -1};
    for (int i = 0; i < p->cells; i++) {
        if (p->seen[i] == p->before[i])
            continue;
        if (p->seen[i] == SCENE_NOTHING) {
            c.left++;
            c.from = i;
        } else {
            p->before[i] == SCENE_NOTHING ? c.came++ : c.other++;
            c.to = i;
        }
    }
    return c;
}

// Whether the choice after these values is a cell.
static bool asks_for_cell(const Person *p, const int64_t *values, int count) {
    MoveOptions o;
    return move_options(p->runner, p->state, values, count, &o) && !o.complete &&
           p->game->ir->site[o.site].type.kind == TY_CELL;
}

// Which choices the person seems to have made, if that is plain: one piece moved, or one came.
static int choices_of(const Person *p, int64_t values[2]) {
    Changes c = changes_of(p);
    bool moved = c.left == 1 && c.came + c.other == 1 && p->seen[c.to] == p->before[c.from];
    bool came = c.left == 0 && c.came == 1 && c.other == 0;
    int n = 0;
    if (!asks_for_cell(p, values, 0))
        return 0;
    if (moved)
        values[n++] = c.from;
    if (moved || came)
        values[n++] = c.to;
    return n;
}

static void add_rule(const Person *p, Text *out) {
    int64_t values[2];
    int n = choices_of(p, values);
    Text said = {0};
    // What is wrong with the first choice is said first.
    bool found = n > 0 && move_why(p->runner, p->state, values, 1, &said);
    if (!found && n > 1)
        found = move_why(p->runner, p->state, values, n, &said);
    // Conditions in the words of the rules file are for who writes rules; players get its help.
    MoveOptions o;
    if (found && strchr(text_c(&said), '`') && move_options(p->runner, p->state, values, 0, &o) &&
        o.say) {
        text_clear(&said);
        text_add(&said, o.say);
    }
    if (found) {
        text_stop(&said);
        text_f(out, ". The rules say: %s", text_c(&said));
    }
    text_free(&said);
}

// The legal move that needs the fewest cells to be put right, if they are few.
static bool add_nearest(Person *p, Text *out) {
    if (p->moves == 0)
        return true;
    Move move = p->move[0].move;
    if (!person_play(p, move)) {
        text_add(out, runner_error(p->runner));
        return false;
    }
    int n = 0;
    for (int c = 0; c < p->cells; c++)
        n += p->seen[c] != p->after[c];
    if (n == 0 || n > 2)
        return true;
    text_stop(out);
    text_add(out, " Nearest is the move ");
    move_text(p->runner, p->state, move, out);
    text_add(out, ": then ");
    for (int c = 0, i = 0; c < p->cells; c++) {
        if (p->seen[c] == p->after[c])
            continue;
        text_add(out, i++ ? " and " : "");
        if (p->after[c] == SCENE_NOTHING) {
            text_f(out, "%s would be empty", cell_name(p, c));
        } else {
            add_piece(p, p->after[c], out);
            text_f(out, " would stand on %s", cell_name(p, c));
        }
    }
    return true;
}

bool person_wrong(Person *p, Text *why) {
    add_differences(p, why);
    add_rule(p, why);
    return add_nearest(p, why);
}

// --- half a move ---

// Cells that a move names on its way: where a man lands between two hops.
static void mark_way(const Person *p, Move move, uint8_t *way) {
    VmChoice choice[VM_MAX_CHOICES];
    int n = runner_choices(p->runner, p->state, move, choice, VM_MAX_CHOICES);
    memset(way, 0, (size_t)p->cells);
    for (int i = 0; i < n; i++)
        if (p->game->ir->site[choice[i].site].type.kind == TY_CELL && choice[i].value >= 0 &&
            choice[i].value < p->cells)
            way[choice[i].value] = 1;
}

static uint8_t under_top(const Person *p, int cell) {
    int height = state_height(p->game, p->state, cell);
    return height > 1 ? (uint8_t)state_plane(p->game, p->state, cell, height - 2) : SCENE_NOTHING;
}

// A piece of the player on move, or of nobody.
static bool may_move(const Person *p, uint8_t kind) {
    const IrGame *ir = p->game->ir;
    int owner = kind == SCENE_NOTHING ? -1 : ir->plane[kind].owner;
    return owner == ir->players || owner == game_player(p->game, p->state);
}

// Whether what is seen lies between the board before and the one behind this move (in `after`).
static bool between(const Person *p, const uint8_t *way) {
    for (int c = 0; c < p->cells; c++) {
        uint8_t now = p->seen[c];
        if (now == p->before[c] || now == p->after[c])
            continue;
        bool changes = p->before[c] != p->after[c];
        bool lifted = changes && (now == SCENE_NOTHING || now == under_top(p, c));
        bool landed = !changes && way[c] && may_move(p, now);
        if (!lifted && !landed)
            return false;
    }
    return true;
}

bool person_half(Person *p, Text *why) {
    uint8_t way[BOARD_MAX_CELLS];
    uint8_t open[BOARD_MAX_CELLS] = {0}; // still to be changed, for some move
    int ways = 0, cells = 0;
    for (int i = 0; i < p->moves; i++) {
        if (!person_play(p, p->move[i].move))
            return false;
        mark_way(p, p->move[i].move, way);
        if (!between(p, way))
            continue;
        ways++;
        for (int c = 0; c < p->cells; c++) {
            cells += p->seen[c] != p->after[c] && !open[c];
            open[c] |= p->seen[c] != p->after[c];
        }
    }
    if (ways == 0)
        return false;
    text_add(why, "the move is not finished yet");
    for (int c = 0, n = 0; c < p->cells && cells <= HALF_MOST; c++) {
        if (!open[c])
            continue;
        n++;
        const char *comma = n == 1       ? ": go on at "
                            : n == cells ? (ways > 1 ? " or " : " and ")
                                         : ", ";
        text_f(why, "%s%s", comma, cell_name(p, c));
    }
    return true;
}
