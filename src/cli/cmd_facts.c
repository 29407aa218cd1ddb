// facts: what a position says in the words of the rules: facts and the conclusions from them.
#include "cli/found.h"
#include "cli/knowing.h"
#include "knowledge/why_clips.h"

#include "base/bits.h"
#include "game/statetext.h"

// More of a relation are only shown with --all.
#define SHOWN 60

typedef struct Facts {
    const Cli *cli;
    Desk desk;
    Knowledge *k;
    const IrKnowledge *ir;
    const Relations *found;
    const ClipsFound *clips; // of a CLIPS file, in place of `found`
    int me;
    Text out;
} Facts;

static int count_of(const Facts *f, int relation) {
    int n = 0;
    for (int i = 0; i < (f->ir->relation[relation].tuples + 63) / 64; i++)
        n += bits_count(f->found->bits[relation][i]);
    return n;
}

static bool holds(const Facts *f, int relation, int tuple) {
    return f->found->bits[relation][tuple / 64] >> (tuple % 64) & 1;
}

static void add_relation(Facts *f, int relation, int count) {
    const IrRelation *r = &f->ir->relation[relation];
    int shown = f->cli->option[OPT_ALL] || count <= SHOWN ? count : SHOWN;
    text_f(&f->out, "  %s", r->name);
    if (r->of_me)
        text_f(&f->out, " for %s", f->desk.game->ir->player[f->me]);
    if (r->params || !count)
        text_f(&f->out, ": %d", count);
    text_char(&f->out, '\n');
    Rows rows = {.out = &f->out, .indent = 4};
    Text text = {0};
    for (int t = 0, n = 0; r->params && t < r->tuples && n < shown; t++) {
        if (!holds(f, relation, t))
            continue;
        n++;
        text_clear(&text);
        knowledge_tuple_text(f->k, relation, t, &text);
        rows_add(&rows, text_c(&text));
    }
    if (shown < count) {
        text_clear(&text);
        text_f(&text, "and %d more", count - shown);
        rows_add(&rows, text_c(&text));
    }
    rows_end(&rows);
    text_free(&text);
}

static bool add_group(Facts *f, bool derived) {
    bool any = false;
    for (int i = 0; i < f->ir->relations; i++) {
        int relation = f->ir->order[i], count = count_of(f, relation);
        if (f->ir->relation[relation].derived != derived || (!count && !f->cli->option[OPT_ALL]))
            continue;
        if (!any)
            text_add(&f->out, derived ? "rules\n" : "facts\n");
        any = true;
        add_relation(f, relation, count);
    }
    return any;
}

static void json_tuple(Facts *f, const IrRelation *r, int tuple) {
    int64_t value[IR_MAX_ARGS];
    Text text = {0};
    for (int i = r->params - 1; i >= 0; i--) {
        value[i] = r->lo[i] + tuple % r->size[i];
        tuple /= r->size[i];
    }
    text_char(&f->out, '[');
    for (int i = 0; i < r->params; i++) {
        text_add(&f->out, i ? "," : "");
        text_clear(&text);
        knowledge_value_text(f->k, r->type[i], value[i], &text);
        if (r->type[i].kind == TY_INT)
            text_add(&f->out, text_c(&text));
        else
            text_json(&f->out, text_c(&text));
    }
    text_char(&f->out, ']');
    text_free(&text);
}

static void json_facts(Facts *f) {
    const Game *g = f->desk.game;
    Text text = {0};
    state_text(g, f->desk.start, &text);
    text_char(&f->out, '{');
    cli_json_game(g, &f->out);
    text_add(&f->out, ",\"state\":");
    text_json(&f->out, text_c(&text));
    text_add(&f->out, ",\"player\":");
    text_json(&f->out, g->ir->player[f->me]);
    if (f->clips) {
        clips_facts_json(f->clips, &f->out);
        text_add(&f->out, "}\n");
        text_free(&text);
        return;
    }
    text_add(&f->out, ",\"relations\":[");
    for (int i = 0; i < f->ir->relations; i++) {
        int relation = f->ir->order[i], n = 0;
        const IrRelation *r = &f->ir->relation[relation];
        text_add(&f->out, i ? ",{\"name\":" : "{\"name\":");
        text_json(&f->out, r->name);
        text_f(&f->out, ",\"kind\":\"%s\",\"of_me\":%s,\"tuples\":[", r->derived ? "rule" : "fact",
               r->of_me ? "true" : "false");
        for (int t = 0; t < r->tuples; t++) {
            if (!holds(f, relation, t))
                continue;
            text_add(&f->out, n++ ? "," : "");
            json_tuple(f, r, t);
        }
        text_add(&f->out, "]}");
    }
    text_add(&f->out, "]}\n");
    text_free(&text);
}

static int print_facts(Facts *f) {
    Reasoner *r = reasoner_new(f->k);
    f->me = game_player(f->desk.game, f->desk.start);
    bool all = f->cli->option[OPT_ALL] != NULL;
    if (r && knowledge_is_clips(f->k))
        f->clips = reasoner_clips(r, f->desk.start, f->me, all ? CLIPS_ALL : CLIPS_FACTS);
    else if (r)
        f->found = reasoner_conclude(r, f->desk.start, f->me);
    int status = EXIT_OK;
    if (!f->found && !f->clips) {
        status = cli_error("%s", r ? reasoner_error(r) : "out of memory");
    } else if (f->cli->option[OPT_JSON]) {
        json_facts(f);
    } else {
        text_f(&f->out, "%s to move\n", f->desk.game->ir->player[f->me]);
        if (f->clips)
            clips_facts_text(f->clips, all, &f->out);
    }
    if (f->found && !f->cli->option[OPT_JSON]) {
        bool facts = add_group(f, false), rules = add_group(f, true);
        if (!facts && !rules)
            text_add(&f->out, "nothing holds: --all lists what could\n");
    }
    cli_print(&f->out);
    text_free(&f->out);
    reasoner_free(r);
    return status;
}

int cmd_facts(const Cli *cli) {
    Facts f = {.cli = cli};
    int status = desk_open(cli, &f.desk);
    if (status == EXIT_OK)
        status = knowing_open(cli, f.desk.game, &f.k);
    if (status == EXIT_OK) {
        f.ir = knowledge_ir(f.k);
        status = print_facts(&f);
    }
    knowledge_free(f.k);
    desk_close(&f.desk);
    return status;
}
