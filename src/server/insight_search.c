// insight_search: hints and analyses: searches that tell how they go.
#include "server/insight.h"

#include "base/mem.h"
#include "base/now.h"
#include "game/movetext.h"
#include "search/player.h"
#include "search/trace.h"

#define HINT_SECONDS 1.0
#define ANALYSE_SECONDS 5.0
#define BEST_USUAL 3
#define LINE_SHOWN 12     // moves
#define NEWS_SECONDS 0.08 // between two pieces of news, at least

typedef struct Asking {
    Question question;
    Task *task;
    Text player;
    bool hint;
    double seconds;
    int best;
    bool visits; // those of all moves are wanted
    SearchVisits tried;
    double told; // when there was news
    bool found;
    SearchResult result;
    Text out, why;
} Asking;

static void free_asking(Hub *hub, Asking *a) {
    question_drop(hub, &a->question);
    text_free(&a->player);
    text_free(&a->out);
    text_free(&a->why);
    mem_free(a);
}

// --- what is told ---

static void add_words(const SearchResult *result, Text *out) {
    Text words = {0};
    result_describe(result, &words);
    text_f(out, "\"value\":%d,\"words\":", result->value);
    text_json(out, text_c(&words));
    text_f(out, ",\"proven\":%s",
           result->exact || value_is_proven(result->value) ? "true" : "false");
    text_free(&words);
}

static void add_scored(const Asking *a, const SearchResult *result, const Scored *s, Text *out) {
    Runner *r = a->question.runner;
    const uint8_t *now = record_now(a->question.record);
    bool best = move_equal(s->move, result->move);
    const Move *line = best && result->line_length > 1 ? result->line : s->line;
    int length = best && result->line_length > 1 ? result->line_length : s->line_length;
    Text words = {0};
    text_char(out, '{');
    insight_move(r, now, s->move, out);
    if (best && result->exact)
        result_describe(result, &words);
    else
        value_describe(s->value, &words);
    text_f(out, ",\"value\":%d,\"words\":", s->value);
    text_json(out, text_c(&words));
    text_f(out, ",\"atMost\":%s,\"visits\":%lld,\"line\":", s->at_most ? "true" : "false",
           (long long)s->visits);
    insight_line(r, now, length ? line : &s->move,
                 length ? length < LINE_SHOWN ? length : LINE_SHOWN : 1, out);
    text_char(out, '}');
    text_free(&words);
}

// Players that know nothing of other moves have the best alone.
static void add_best(const Asking *a, const SearchResult *result, Text *out) {
    Scored only = {.move = result->move, .value = result->value};
    text_add(out, ",\"best\":[");
    for (int i = 0; i < result->best_count; i++) {
        text_add(out, i ? "," : "");
        add_scored(a, result, &result->best[i], out);
    }
    if (!result->best_count)
        add_scored(a, result, &only, out);
    text_char(out, ']');
}

static void add_tried(const Asking *a, Text *out) {
    Runner *r = a->question.runner;
    const uint8_t *now = record_now(a->question.record);
    text_add(out, ",\"tried\":[");
    for (int i = 0; i < a->tried.count; i++) {
        text_add(out, i ? ",{" : "{");
        insight_move(r, now, a->tried.move[i], out);
        text_f(out, ",\"visits\":%lld}", (long long)a->tried.visits[i]);
    }
    text_char(out, ']');
}

static void write_analysis(Asking *a, const SearchResult *result) {
    Text *out = &a->out;
    text_clear(out);
    text_f(out, "\"depth\":%d,\"nodes\":%lld,\"seconds\":%.3f,\"playouts\":%lld,", result->depth,
           (long long)result->nodes, result->seconds, (long long)result->playouts);
    add_words(result, out);
    add_best(a, result, out);
    if (a->visits)
        add_tried(a, out);
}

static void tell(void *with, const SearchResult *so_far) {
    Asking *a = with;
    double now = now_seconds();
    if (!so_far->found || now - a->told < NEWS_SECONDS)
        return;
    a->told = now;
    write_analysis(a, so_far);
    task_news(a->task, text_c(&a->out));
}

// `a1 (+120; then b2 c3)`
static void write_hint(Asking *a) {
    const SearchResult *result = &a->result;
    Runner *r = a->question.runner;
    const uint8_t *now = record_now(a->question.record);
    int length = result->line_length < LINE_SHOWN ? result->line_length : LINE_SHOWN;
    Text text = {0}, *out = &a->out;
    insight_move(r, now, result->move, out);
    text_char(out, ',');
    add_words(result, out);
    move_text(r, now, result->move, &text);
    text_add(&text, " (");
    result_describe(result, &text);
    text_char(&text, ')');
    text_add(out, ",\"text\":");
    text_json(out, text_c(&text));
    text_add(out, ",\"line\":");
    insight_line(r, now, result->line, length, out);
    text_free(&text);
}

// --- in the thread ---

static void say_over(Asking *a) {
    int over = record_result(a->question.record);
    if (over > 0) {
        text_add(&a->why, "the game is over: ");
        game_result_text(a->question.past.game, over, &a->why);
    } else {
        text_add(&a->why, runner_error(a->question.runner));
    }
    if (!a->why.n)
        text_add(&a->why, "no move was found");
}

static void search(Asking *a) {
    Player *p = think_make(a->task, a->question.past.game, text_c(&a->player), &a->why);
    if (!p)
        return;
    SearchTask search = {.record = a->question.record,
                         .limits = {.seconds = a->seconds, .memory = (size_t)TASK_MEMORY_MB << 20},
                         .stop = task_stop(a->task),
                         .best = a->best,
                         .tried = a->visits ? &a->tried : NULL,
                         .tell = a->hint ? NULL : tell,
                         .with = a};
    a->found = player_search(p, &search, &a->result);
    if (!a->found)
        say_over(a);
    else if (a->hint)
        write_hint(a);
    else
        write_analysis(a, &a->result);
    player_free(p);
}

static void run_asking(Task *task, void *with) {
    Asking *a = with;
    a->task = task;
    if (question_open(&a->question, &a->why))
        search(a);
    question_close(&a->question);
}

// --- in the loop ---

static void end_asking(Hub *hub, Task *task, void *with) {
    Asking *a = with;
    if (a->found)
        insight_remember(hub, a->question.key, &a->result);
    if (!a->found || a->out.failed)
        task_failed(task, a->why.n ? text_c(&a->why) : "stopped before it began");
    else
        task_done(task, text_c(&a->out));
    free_asking(hub, a);
}

static void begin_asking(Hub *hub, Client *c, const cJSON *in, int64_t id, bool hint) {
    Asking *a = mem_alloc(sizeof *a);
    double seconds = hint ? HINT_SECONDS : ANALYSE_SECONDS, best = hint ? 1 : BEST_USUAL;
    if (!a) {
        client_error(c, id, "failed", NULL, "out of memory");
        return;
    }
    bool ok = question_read(&a->question, c, in, id) &&
              question_player(c, in, id, player_usual(), &a->player) &&
              question_number(c, in, id, "seconds", 0.01, TASK_SECONDS, &seconds) &&
              question_number(c, in, id, "best", 1, SEARCH_MAX_BEST, &best);
    a->hint = hint;
    a->visits = !hint && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(in, "visits"));
    a->seconds = seconds;
    a->best = (int)best;
    if (!ok ||
        !question_task(c, id, task_begin(hub_think(hub), c, TASK_ASKED, run_asking, end_asking, a)))
        free_asking(hub, a);
}

void hub_do_hint(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    begin_asking(hub, client, in, id, true);
}

void hub_do_analyse(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    begin_asking(hub, client, in, id, false);
}
