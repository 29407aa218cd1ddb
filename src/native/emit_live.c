// What the rest of a turn can still see. When moves are found, a change that no later choice or
// requirement depends on is left out; when one is played, only unused locals are.
#include "native/emitter.h"

bool emit_chooses(const IrStmt *list) {
    for (; list; list = list->next)
        if (list->chooses)
            return true;
    return false;
}

EmitLive emit_live_all(void) {
    return (EmitLive){.slots = 0, .vars = ~(uint64_t)0, .attrs = ~(uint64_t)0, .board = true};
}

static void add(EmitLive *to, EmitLive from) {
    to->slots |= from.slots;
    to->vars |= from.vars;
    to->attrs |= from.attrs;
    to->board |= from.board;
}

// --- reading ---

// The locals of a definition are its own: only what it reads of the state counts.
static void body_reads(Emitter *em, int id, EmitLive *live) {
    if (!em->func_reads[id].done) {
        em->func_reads[id].done = true; // definitions do not call themselves
        EmitLive inner = {0};
        emit_reads(em, em->g->func[id]->body, &inner);
        inner.slots = 0;
        em->func_reads[id].live = inner;
    }
    add(live, em->func_reads[id].live);
}

void emit_domain_reads(Emitter *em, const IrDomain *d, EmitLive *live) {
    if (!d)
        return;
    emit_reads(em, d->a, live);
    emit_reads(em, d->b, live);
    EmitLive inner = {0};
    emit_reads(em, d->where, &inner);
    if (d->slot < 63)
        inner.slots &= ~emit_bit(d->slot);
    add(live, inner);
}

void emit_reads(Emitter *em, const IrExpr *e, EmitLive *live) {
    if (!e)
        return;
    switch (e->op) {
    case IR_LOCAL: live->slots |= emit_bit(e->id); break;
    case IR_VAR: live->vars |= emit_bit(e->id); break;
    case IR_ATTR: live->attrs |= emit_bit(e->id); break;
    case IR_CALL:
        body_reads(em, e->id, live);
        for (int n = 0; n < em->g->func[e->id]->params; n++)
            emit_reads(em, e->args[n], live);
        break;
    default: live->board |= ir_reads_board(e->op);
    }
    EmitLive inner = {0};
    for (int n = 0; n < 3; n++)
        emit_reads(em, e->kid[n], &inner);
    if (e->domain && e->domain->slot < 63)
        inner.slots &= ~emit_bit(e->domain->slot);
    add(live, inner);
    emit_domain_reads(em, e->domain, live);
}

// --- backwards through statements ---

static bool is_board_change(const IrStmt *s) {
    return (s->kind >= ST_PLACE && s->kind <= ST_CHANGE) || s->kind == ST_SCATTER;
}

bool emit_writes(const IrStmt *s) {
    if (s->kind == ST_ASSIGN || s->kind == ST_SET_ATTR || s->kind == ST_CALL || is_board_change(s))
        return true;
    for (const IrStmt *b = s->body; b; b = s->kind == ST_EITHER ? b->sibling : b->next)
        if (emit_writes(b))
            return true;
    for (const IrStmt *b = s->other; b; b = b->next)
        if (emit_writes(b))
            return true;
    return false;
}

static EmitLive before_list(Emitter *em, const IrStmt *list, EmitLive after, bool *matters);

// Everything read anywhere in a loop may be read again in its next round.
static void all_reads(Emitter *em, const IrStmt *list, EmitLive *live) {
    for (; list; list = list->next) {
        if (list->kind == ST_CALL)
            add(live, emit_live_all());
        for (int n = 0; n < 3; n++)
            emit_reads(em, list->e[n], live);
        emit_domain_reads(em, list->domain, live);
        if (list->kind == ST_EITHER)
            for (const IrStmt *b = list->body; b; b = b->sibling)
                all_reads(em, b->body, live);
        else
            all_reads(em, list->body, live);
        all_reads(em, list->other, live);
    }
}

// What is read at the beginning of a round of a loop, or after its last.
EmitLive emit_loop_live(Emitter *em, const IrStmt *s, EmitLive after) {
    EmitLive head = after;
    all_reads(em, s->body, &head);
    for (int n = 0; n < 3; n++)
        emit_reads(em, s->e[n], &head);
    emit_domain_reads(em, s->domain, &head);
    return head;
}

static EmitLive before_either(Emitter *em, const IrStmt *s, EmitLive live) {
    EmitLive sum = {0};
    bool any = false;
    for (const IrStmt *b = s->body; b; b = b->sibling)
        add(&sum, before_list(em, b->body, live, &any));
    return sum;
}

static EmitLive before_if(Emitter *em, const IrStmt *s, EmitLive live, bool *matters) {
    bool any = s->chooses;
    EmitLive sum = before_list(em, s->body, live, &any);
    add(&sum, before_list(em, s->other, live, &any));
    *matters |= any;
    if (any)
        emit_reads(em, s->e[0], &sum);
    return any ? sum : live;
}

static EmitLive before_loop(Emitter *em, const IrStmt *s, EmitLive live, bool *matters) {
    // A loop that writes nothing that is read behind it does not matter, whatever its rounds read
    // of each other.
    bool any = s->chooses;
    before_list(em, s->body, live, &any);
    *matters |= any;
    return any ? emit_loop_live(em, s, live) : live;
}

static bool has_effect(const Emitter *em, const IrStmt *s, const EmitLive *after) {
    switch (s->kind) {
    case ST_CHOOSE:
    case ST_REQUIRE: return true;
    case ST_LET: return after->slots & emit_bit(s->id);
    case ST_ASSIGN: return after->vars & emit_bit(s->id);
    case ST_SET_ATTR: return after->attrs & emit_bit(s->id);
    case ST_AGAIN:
    case ST_NEXT: return em->stream == EMIT_APPLY;
    case ST_FAIL:
    case ST_CALL: return true;
    default: return is_board_change(s) && (after->board || after->attrs);
    }
}

static EmitLive before(Emitter *em, const IrStmt *s, EmitLive live, bool *matters) {
    switch (s->kind) {
    case ST_EITHER: *matters = true; return before_either(em, s, live);
    case ST_IF: return before_if(em, s, live, matters);
    case ST_FOR:
    case ST_WHILE: return before_loop(em, s, live, matters);
    default: break;
    }
    if (!has_effect(em, s, &live))
        return live;
    *matters = true;
    if (s->kind == ST_CALL) // a procedure may read and write everything but the locals
        add(&live, emit_live_all());
    if (s->kind == ST_CHOOSE && s->domain->slot < 63)
        live.slots &= ~emit_bit(s->domain->slot);
    else if (s->kind == ST_LET && s->id < 63)
        live.slots &= ~emit_bit(s->id);
    else if (s->kind == ST_ASSIGN && !em->g->var[s->id].indexed && s->id < 63)
        live.vars &= ~emit_bit(s->id);
    else if (s->kind == ST_SET_ATTR || is_board_change(s))
        live.board = true; // what stands there decides, and the rest of the board stays
    for (int n = 0; n < 3; n++)
        emit_reads(em, s->e[n], &live);
    emit_domain_reads(em, s->domain, &live);
    return live;
}

static EmitLive before_list(Emitter *em, const IrStmt *list, EmitLive after, bool *matters) {
    if (!list)
        return after;
    return before(em, list, before_list(em, list->next, after, matters), matters);
}

EmitLive emit_live_before(Emitter *em, const IrStmt *list, EmitLive after) {
    bool matters = false;
    return before_list(em, list, after, &matters);
}

bool emit_matters(Emitter *em, const IrStmt *s, EmitLive after) {
    bool matters = false;
    before(em, s, after, &matters);
    return matters;
}
