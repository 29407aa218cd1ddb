// insight_tree: the tree that a search walked, kept for the page that asked, to walk through.
//
// Nodes are numbered from 1 in the order in which they were walked. 0 stands above all: its
// children are the trees of a search that deepens, one for each depth. A page has a few trees, the
// oldest goes first.
#include "server/insight.h"

#include "base/mem.h"
#include "search/trace.h"
#include "server/parts.h"

#include <string.h>

#define TREE_NODES 20000  // kept; the rest is counted
#define TREE_DEPTH 4      // usually
#define TREE_SECONDS 20.0 // a tree that is too large for its depth is not walked to the end
#define TREE_WALKS 20000  // down the tree of random games, which has no depth to end at
#define TREES 3           // of a page
#define CHILDREN_SHOWN 500

typedef struct Tree {
    int64_t number;
    int users; // the page, and those that look; the loop's thread
    Past past;
    Trace *trace;
    int *children; // of each node
    Text player;   // who walked
} Tree;

typedef struct Trees { // of a page
    Tree *tree[TREES]; // the youngest first
    int64_t last;
} Trees;

static void drop_tree(Hub *hub, Tree *tree) {
    if (!tree || --tree->users > 0)
        return;
    past_drop(hub, &tree->past);
    trace_free(tree->trace);
    mem_free(tree->children);
    text_free(&tree->player);
    mem_free(tree);
}

void trees_leave(Client *c) {
    void **slot = client_slot(c, PART_insight);
    Trees *trees = *slot;
    for (int i = 0; trees && i < TREES; i++)
        drop_tree(client_hub(c), trees->tree[i]);
    mem_free(trees);
    *slot = NULL;
}

// Takes over the tree; its number, or 0 when out of memory.
static int64_t keep_tree(Client *c, Tree *tree) {
    void **slot = client_slot(c, PART_insight);
    Trees *trees = *slot ? *slot : (*slot = mem_alloc(sizeof *trees));
    if (!trees) {
        drop_tree(client_hub(c), tree);
        return 0;
    }
    drop_tree(client_hub(c), trees->tree[TREES - 1]);
    memmove(trees->tree + 1, trees->tree, sizeof *trees->tree * (TREES - 1));
    trees->tree[0] = tree;
    return tree->number = ++trees->last;
}

// --- walking: in a thread ---

typedef struct Walking {
    Question question;
    Text player;
    int depth;
    Trace *trace;
    int *children;
    SearchResult result;
    bool found;
    Text why;
} Walking;

static int *count_children(const Trace *t) {
    int64_t dropped;
    int count = trace_count(t, &dropped);
    int *children = mem_alloc(sizeof *children * (size_t)(count + 1));
    for (int i = 0; children && i < count; i++)
        if (trace_node(t, i)->parent >= 0)
            children[trace_node(t, i)->parent]++;
    return children;
}

static void run_tree(Task *task, void *with) {
    Walking *w = with;
    w->trace = trace_new(TREE_NODES);
    if (!w->trace)
        text_add(&w->why, "out of memory");
    Player *p = w->trace && question_open(&w->question, &w->why)
                    ? think_make(task, w->question.past.game, text_c(&w->player), &w->why)
                    : NULL;
    SearchTask search = {.record = w->question.record,
                         .limits = {.seconds = TREE_SECONDS,
                                    .depth = w->depth,
                                    .iterations = TREE_WALKS,
                                    .memory = (size_t)TASK_MEMORY_MB << 20},
                         .stop = task_stop(task),
                         .trace = w->trace};
    w->found = p && player_search(p, &search, &w->result);
    w->children = w->found ? count_children(w->trace) : NULL;
    if (p && !w->found)
        text_add(&w->why, "there is nothing to search: the game is over");
    player_free(p);
    question_close(&w->question);
}

static void free_walking(Hub *hub, Walking *w) {
    question_drop(hub, &w->question);
    trace_free(w->trace);
    mem_free(w->children);
    text_free(&w->player);
    text_free(&w->why);
    mem_free(w);
}

static void end_tree(Hub *hub, Task *task, void *with) {
    Walking *w = with;
    Client *c = task_client(task);
    Tree *tree = c && w->children ? mem_alloc(sizeof *tree) : NULL;
    int64_t dropped = 0, number = 0;
    int nodes = w->trace ? trace_count(w->trace, &dropped) : 0;
    if (tree) {
        *tree = (Tree){.users = 1,
                       .past = w->question.past,
                       .trace = w->trace,
                       .children = w->children,
                       .player = w->player};
        w->question.past = (Past){0};
        w->trace = NULL;
        w->children = NULL;
        w->player = (Text){0};
        number = keep_tree(c, tree);
    }
    Text out = {0}, words = {0};
    if (number) {
        insight_remember(hub, w->question.key, &w->result);
        text_f(&out, "\"tree\":%lld,\"nodes\":%d,\"dropped\":%lld,\"player\":", (long long)number,
               nodes, (long long)dropped);
        text_json(&out, text_c(&tree->player));
        result_describe(&w->result, &words);
        text_f(&out, ",\"value\":%d,\"words\":", w->result.value);
        text_json(&out, text_c(&words));
        task_done(task, text_c(&out));
    } else if (c) {
        task_failed(task, w->why.n ? text_c(&w->why) : "stopped before it began");
    }
    text_free(&words);
    text_free(&out);
    free_walking(hub, w);
}

void hub_do_tree(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Walking *w = mem_alloc(sizeof *w);
    double depth = TREE_DEPTH;
    if (!w) {
        client_error(client, id, "failed", NULL, "out of memory");
        return;
    }
    bool ok = question_read(&w->question, client, in, id);
    const char *usual = ok && w->question.past.game->ir->players == 1 ? "astar" : "alphabeta";
    ok = ok && question_player(client, in, id, usual, &w->player) &&
         question_number(client, in, id, "depth", 1, 64, &depth);
    w->depth = (int)depth;
    if (!ok ||
        !question_task(client, id,
                       task_begin(hub_think(hub), client, TASK_ASKED, run_tree, end_tree, w)))
        free_walking(hub, w);
}

// --- looking: in a thread ---

typedef struct Branch {
    Tree *tree;
    int node; // -1: above all
    int64_t id;
    bool ok;
    Runner *runner;
    uint64_t state[IR_MAX_STATE / 8], root[IR_MAX_STATE / 8];
    int children; // so far
    Text text, *out;
} Branch;

static Tree *find_tree(Client *c, int64_t number) {
    const Trees *trees = *client_slot(c, PART_insight);
    for (int i = 0; trees && i < TREES; i++)
        if (trees->tree[i] && trees->tree[i]->number == number)
            return trees->tree[i];
    return NULL;
}

// Sets the state of a node, by playing the moves that lead to it again.
static bool set_state(Branch *b, int node) {
    const Trace *t = b->tree->trace;
    Record *record = past_record(&b->tree->past, b->runner);
    int count = 0, *path = NULL;
    size_t size = (size_t)game_state_size(b->tree->past.game);
    if (!record)
        return false;
    memcpy(b->root, record_now(record), size);
    memcpy(b->state, b->root, size);
    record_free(record);
    for (int i = node; i >= 0 && trace_node(t, i)->parent != TRACE_ROOT;
         i = trace_node(t, i)->parent)
        count++;
    if (!count)
        return true;
    path = mem_alloc(sizeof *path * (size_t)count);
    bool ok = path != NULL;
    for (int i = node, k = count; ok && k > 0; i = trace_node(t, i)->parent)
        path[--k] = i;
    for (int k = 0; ok && k < count; k++)
        ok = runner_apply(b->runner, (uint8_t *)b->state, trace_node(t, path[k])->move,
                          (uint8_t *)b->state);
    mem_free(path);
    return ok;
}

static void add_value(const Branch *b, const TraceNode *n) {
    Text words = {0};
    if (n->has_window)
        text_f(b->out, ",\"alpha\":%d,\"beta\":%d", n->alpha, n->beta);
    else
        text_add(b->out, ",\"alpha\":null,\"beta\":null");
    if (n->has_value && trace_has_values(b->tree->trace)) {
        value_describe(n->value, &words);
        text_f(b->out, ",\"value\":%d,\"proven\":%s,\"words\":", n->value,
               value_is_proven(n->value) ? "true" : "false");
        text_json(b->out, text_c(&words));
    } else {
        text_add(b->out, ",\"value\":null,\"words\":\"\"");
    }
    text_free(&words);
}

// What is known about a node; `from` is the position before its move, `after` the one behind it.
static void add_node(const Branch *b, int node, const uint8_t *from, const uint8_t *after) {
    const TraceNode *n = trace_node(b->tree->trace, node);
    const Game *g = b->tree->past.game;
    const char *text = trace_why_text(n->why);
    bool root = n->parent == TRACE_ROOT, trials = n->why == TRACE_TRIALS;
    text_f(b->out, "\"node\":%d,\"parent\":%d,\"depth\":%d,", node + 1, root ? 0 : n->parent + 1,
           n->depth);
    if (root)
        text_add(b->out, "\"move\":\"\",\"values\":[],\"cells\":[]");
    else
        insight_move(b->runner, from, n->move, b->out);
    text_f(b->out, ",\"max\":%s,\"player\":%d,\"scout\":%s,\"less\":%d,\"why\":\"%s\",\"cut\":",
           game_player(g, after) == game_player(g, (const uint8_t *)b->root) ? "true" : "false",
           game_player(g, after), n->scout ? "true" : "false", n->less, trace_why_name(n->why));
    if (text[0])
        text_json(b->out, text);
    else
        text_add(b->out, "null");
    text_f(b->out, ",\"left\":%lld,\"visits\":%lld", trials ? 0 : (long long)n->left_out,
           trials ? (long long)n->left_out : 0);
    if (n->to_go >= 0)
        text_f(b->out, ",\"toGo\":%d", n->to_go);
    add_value(b, n);
}

// Children of `node`, or the trees themselves (TRACE_ROOT).
static void add_children(Branch *b, int node) {
    const Trace *t = b->tree->trace;
    int64_t dropped;
    int count = trace_count(t, &dropped);
    uint64_t copy[IR_MAX_STATE / 8];
    uint8_t *after = (uint8_t *)copy;
    const uint8_t *from = (const uint8_t *)b->state;
    size_t size = (size_t)game_state_size(b->tree->past.game);
    text_add(b->out, ",\"children\":[");
    for (int i = node < 0 ? 0 : node + 1; i < count && b->children < CHILDREN_SHOWN; i++) {
        const TraceNode *n = trace_node(t, i);
        if (n->parent != node)
            continue;
        memcpy(after, from, size);
        if (node >= 0 && !runner_apply(b->runner, from, n->move, after))
            break;
        text_add(b->out, b->children++ ? ",{" : "{");
        add_node(b, i, from, after);
        text_f(b->out, ",\"children\":%d}", b->tree->children[i]);
    }
    text_char(b->out, ']');
}

// The position before the move of a node is needed for the move's text.
static bool write_branch(Branch *b, int node) {
    if (node < 0) {
        if (!set_state(b, -1))
            return false;
        text_add(b->out, "\"node\":0,\"parent\":null,\"depth\":0,\"move\":\"\",\"max\":true,"
                         "\"value\":null,\"alpha\":null,\"beta\":null,\"cut\":null,\"words\":\"\"");
    } else {
        uint64_t after[IR_MAX_STATE / 8];
        if (!set_state(b, node))
            return false;
        memcpy(after, b->state, sizeof after);
        if (!set_state(b, trace_node(b->tree->trace, node)->parent))
            return false;
        add_node(b, node, (const uint8_t *)b->state, (const uint8_t *)after);
        memcpy(b->state, after, sizeof after);
    }
    text_add(b->out, ",\"position\":");
    describe_position(b->runner, (const uint8_t *)b->state, b->out);
    add_children(b, node);
    return true;
}

static void run_branch(Task *task, void *with) {
    Branch *b = with;
    (void)task;
    b->out = &b->text;
    b->runner = runner_new(b->tree->past.game);
    b->ok = b->runner && write_branch(b, b->node) && !b->text.failed;
    runner_free(b->runner);
}

static void free_branch(Hub *hub, Branch *b) {
    drop_tree(hub, b->tree);
    text_free(&b->text);
    mem_free(b);
}

static void end_branch(Hub *hub, Task *task, void *with) {
    Branch *b = with;
    Client *c = task_client(task);
    if (c && b->ok)
        client_reply(c, b->id, text_c(&b->text));
    else if (c)
        client_error(c, b->id, "failed", NULL, "the rules failed, or out of memory");
    free_branch(hub, b);
}

void hub_do_branch(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    double number, node;
    if (!in_number(client, id, in, "tree", 1, 9e15, &number) ||
        !in_number(client, id, in, "node", 0, TREE_NODES, &node))
        return;
    Tree *tree = find_tree(client, (int64_t)number);
    int64_t dropped;
    if (!tree || node > trace_count(tree->trace, &dropped)) {
        client_error(client, id, "gone", NULL, "there is no such tree (any more), or no such node");
        return;
    }
    Branch *b = mem_alloc(sizeof *b);
    if (!b) {
        client_error(client, id, "failed", NULL, "out of memory");
        return;
    }
    tree->users++;
    *b = (Branch){.tree = tree, .node = (int)node - 1, .id = id};
    if (task_begin(hub_think(hub), client, TASK_QUICK, run_branch, end_branch, b)) {
        client_later(client, id);
        return;
    }
    client_error(client, id, "busy", NULL, "too much is going on already");
    free_branch(hub, b);
}
