// rules: plays by priorities alone (`prefer`), without search; of equally good moves any.
#include "search/player.h"

bool rules_begin(Player *p, Text *why) {
    if (!p->knowledge || knowledge_ir(p->knowledge)->prefers == 0) {
        text_f(why, "`%s` plays by `prefer`, and ", p->kind->name);
        if (p->options.knowledge)
            text_f(why, "neither `%s` nor the rules of %s say what it prefers",
                   p->options.knowledge, p->game->name);
        else
            text_f(why,
                   "the rules of %s do not say what it prefers; a file can, `%s:knowledge=FILE`",
                   p->game->name, p->kind->name);
        return false;
    }
    p->own = reasoner_new(p->knowledge);
    if (!p->own)
        text_add(why, "out of memory");
    return p->own != NULL;
}

void rules_end(Player *p) {
    reasoner_free(p->own);
}

// Which lines speak for the move, or against it, as the file says it.
static void say_why(Player *p, const uint8_t *before, Move move, const uint8_t *after) {
    const IrKnowledge *k = knowledge_ir(p->knowledge);
    bool *holds = mem_alloc(sizeof *holds * (size_t)k->prefers);
    text_clear(&p->why);
    if (!holds || !reference_prefer(p->own, before, move, after, holds))
        text_add(&p->why, holds ? reasoner_error(p->own) : "");
    for (int i = 0; holds && i < k->prefers && !reasoner_error(p->own); i++) {
        const IrPrefer *line = &k->prefer[i];
        if (!holds[i])
            continue;
        text_add(&p->why, p->why.n ? "; " : "");
        if (!line->sentence) {
            text_add(&p->why, line->text);
            continue;
        }
        text_f(&p->why, "times %lld", (long long)line->times);
        if (line->over != 1)
            text_f(&p->why, "/%lld", (long long)line->over);
        text_f(&p->why, ": %s", line->sentence);
    }
    if (!p->why.n)
        text_add(&p->why, "nothing speaks for or against it");
    mem_free(holds);
}

bool search_rules(Player *p, const SearchTask *task, SearchResult *result) {
    const uint8_t *now = record_now(task->record);
    Clock clock;
    clock_start(&clock, p, task);
    Rng rng;
    player_random(p, task, &rng);
    const Move *moves;
    int n = runner_moves(p->runner, now, &moves);
    Move *list = n > 0 ? mem_alloc(sizeof *list * (size_t)n) : NULL;
    uint8_t *after = mem_alloc((size_t)game_state_size(p->game));
    for (int i = 0; list && i < n; i++)
        list[i] = moves[i];
    int64_t most = -1;
    uint64_t equal = 0; // moves of the highest priority: each is taken with the same chance
    for (int i = 0; list && after && i < n && !clock_over(&clock); i++) {
        if (!runner_apply(p->runner, now, list[i], after))
            break;
        int64_t priority = reasoner_priority(p->own, now, list[i], after);
        equal = priority > most ? 1 : equal + (priority == most);
        if (priority > most || (priority == most && rng_below(&rng, equal) == 0)) {
            result->found = true;
            result->move = list[i];
            most = priority;
        }
    }
    if (result->found && runner_apply(p->runner, now, result->move, after))
        say_why(p, now, result->move, after);
    result->nodes = clock.nodes;
    result->depth = 1;
    mem_free(list);
    mem_free(after);
    return result->found;
}
