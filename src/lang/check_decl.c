// check_decl: parameters, players, pieces and variables. See checker.h.

#include "lang/checker.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

// A list of values longer than this is a mistake.
#define LIST_MAX 64

// --- parameters ---

static bool is_allowed(const IrParameter *p, const Node *type, int64_t lo, int64_t hi, int64_t v) {
    (void)p;
    if (type->kind != N_TYPE_ONE_OF)
        return v >= lo && v <= hi;
    for (int i = 0; i < type->count; i++)
        if (type->kids[i]->number == v)
            return true;
    return false;
}

// "8, 10 or 16"
static const char *one_of_text(Checker *c, const Node *type) {
    char *s = arena_printf(c->arena, "%" PRId64, type->kids[0]->number);
    for (int i = 1; i < type->count; i++)
        s = arena_printf(c->arena, "%s%s%" PRId64, s, i == type->count - 1 ? " or " : ", ",
                         type->kids[i]->number);
    return s;
}

// Finds what a parameter may be: its bounds and the words for them.
static bool parameter_type(Checker *c, IrParameter *p, const Node *type, int64_t *lo, int64_t *hi) {
    if (type->kind == N_TYPE_NAME) {
        if (strcmp(type->word, "bool") != 0) {
            diag_error(c->diags, type->span, "a parameter cannot be `%s`", type->word);
            diag_help(c->diags, "it can be `bool`, a range such as `1..16`, `one of 8, 10` or "
                                "`list of 1..9`");
            return false;
        }
        p->boolean = true;
        *lo = 0, *hi = 1;
        p->allowed = "yes or no";
        return true;
    }
    if (type->kind == N_TYPE_ONE_OF) {
        if (type->count > LIST_MAX) {
            diag_error(c->diags, type->span, "`one of` can name at most %d values", LIST_MAX);
            return false;
        }
        for (int i = 0; i < type->count; i++) {
            if (type->kids[i]->kind != N_INT) {
                diag_error(c->diags, type->kids[i]->span, "the values of `one of` are numbers");
                return false;
            }
        }
        p->allowed = one_of_text(c, type);
        return true;
    }
    if (!check_constant(c, type->kids[0], lo) || !check_constant(c, type->kids[1], hi))
        return false;
    if (*lo > *hi) {
        diag_error(c->diags, type->span, "the range %" PRId64 "..%" PRId64 " holds no number", *lo,
                   *hi);
        return false;
    }
    p->list = type->kind == N_TYPE_LIST_OF;
    p->allowed = p->list ? arena_printf(c->arena,
                                        "numbers %" PRId64 "..%" PRId64
                                        " separated by commas, at most %d of them",
                                        *lo, *hi, LIST_MAX)
                         : arena_printf(c->arena, "%" PRId64 "..%" PRId64, *lo, *hi);
    return true;
}

// One value of a parameter as a person gives it on the command line.
static bool read_value(const IrParameter *p, const char *text, int64_t *value) {
    if (p->boolean) {
        *value = !strcmp(text, "yes") || !strcmp(text, "true");
        return *value || !strcmp(text, "no") || !strcmp(text, "false");
    }
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '-')
        return false;
    long long v = strtoll(text, &end, 10);
    *value = v;
    return *end == 0 && v >= -1000000000 && v <= 1000000000;
}

static const char *values_text(Checker *c, const IrParameter *p) {
    const char *s = "";
    for (int i = 0; i < p->count; i++) {
        const char *sep = i ? "," : "";
        s = p->boolean ? (p->values[i] ? "yes" : "no")
                       : arena_printf(c->arena, "%s%s%" PRId64, s, sep, p->values[i]);
    }
    return s;
}

static void report_value(Checker *c, const IrParameter *p, const char *text) {
    diag_error(c->diags, (Span){0}, "`%s=%s` is not possible", p->name, text);
    diag_help(c->diags, "%s can be %s", p->name, p->allowed);
}

// Binds a parameter from the command line.
static bool bind(Checker *c, IrParameter *p, const Node *type, int64_t lo, int64_t hi,
                 const char *text) {
    int64_t *values = ARENA_ARRAY(c->arena, int64_t, LIST_MAX);
    int count = 0;
    char *copy = arena_text(c->arena, text, strlen(text)), *rest = copy;
    do {
        char *word = rest;
        rest = p->list ? strchr(rest, ',') : NULL;
        if (rest)
            *rest++ = 0;
        if (count == LIST_MAX || !read_value(p, word, &values[count]) ||
            !is_allowed(p, type, lo, hi, values[count])) {
            report_value(c, p, text);
            return false;
        }
        count++;
    } while (rest);
    p->values = values;
    p->count = count;
    return true;
}

// The defaults in the file.
static bool parameter_default(Checker *c, IrParameter *p, const Node *node, int64_t lo,
                              int64_t hi) {
    p->count = node->count - 1;
    p->values = ARENA_ARRAY(c->arena, int64_t, p->count);
    if (p->count > (p->list ? LIST_MAX : 1)) {
        diag_error(c->diags, node->kids[2]->span, "too many values for `%s`", p->name);
        return false;
    }
    for (int i = 0; i < p->count; i++) {
        const Node *value = node->kids[i + 1];
        IrExpr *e = check_typed(c, value, type_plain(p->boolean ? TY_BOOL : TY_INT));
        if (!e)
            return false;
        if (!expr_is_constant(e, &p->values[i]) ||
            !is_allowed(p, node->kids[0], lo, hi, p->values[i])) {
            diag_error(c->diags, value->span, "the default of `%s` is not one of its values",
                       p->name);
            diag_help(c->diags, "it can be %s", p->allowed);
            return false;
        }
    }
    p->initial = values_text(c, p);
    return true;
}

static bool check_parameter(Checker *c, const Node *node, const char *const *params, int count) {
    IrParameter *p = &c->g->parameter[c->g->parameters];
    int64_t lo = 0, hi = 0;
    *p = (IrParameter){.name = node->word, .help = node->extra, .span = node->extra_span};
    if (!parameter_type(c, p, node->kids[0], &lo, &hi) || !parameter_default(c, p, node, lo, hi))
        return false;
    if (!names_add(c, SYM_PARAMETER, c->g->parameters, node->word, node->extra_span))
        return false;
    c->g->parameters++;
    size_t n = strlen(p->name);
    for (int i = 0; i < count; i++)
        if (!strncmp(params[i], p->name, n) && params[i][n] == '=')
            return bind(c, p, node->kids[0], lo, hi, params[i] + n + 1);
    return true;
}

// Parameters on the command line that the game does not have, or has twice.
static bool unknown_parameters(Checker *c, const char *const *params, int count) {
    const char **names = ARENA_ARRAY(c->arena, const char *, c->g->parameters + 1);
    for (int i = 0; i < c->g->parameters; i++)
        names[i] = c->g->parameter[i].name;
    bool ok = true;
    for (int i = 0; i < count; i++) {
        const char *eq = strchr(params[i], '=');
        char *word =
            arena_text(c->arena, params[i], eq ? (size_t)(eq - params[i]) : strlen(params[i]));
        Symbol *s = names_find(c, word);
        if (!eq && s && s->kind == SYM_PARAMETER) {
            diag_error(c->diags, (Span){0}, "`%s` has no value", word);
            diag_help(c->diags, "write `%s=…`; it can be %s", word, c->g->parameter[s->id].allowed);
            ok = false;
        } else if (!eq || !s || s->kind != SYM_PARAMETER) {
            diag_error(c->diags, (Span){0}, "this game has no parameter `%s`", word);
            const char *near = text_nearest(word, names, c->g->parameters);
            if (near)
                diag_help(c->diags, "did you mean `%s`?", near);
            ok = false;
        }
        for (int k = 0; k < i; k++)
            if (eq && !strncmp(params[k], params[i], (size_t)(eq - params[i]) + 1)) {
                diag_error(c->diags, (Span){0}, "`%s` is given twice", word);
                ok = false;
            }
    }
    return ok;
}

static bool check_demand(Checker *c, const Node *node) {
    IrExpr *e = check_cond(c, node->kids[0]);
    int64_t holds;
    if (!e)
        return false;
    if (!expr_is_constant(e, &holds)) {
        diag_error(c->diags, node->span, "this can only speak of parameters");
        return false;
    }
    if (!holds) {
        diag_error(c->diags, node->span, "%s", node->word);
        diag_help(c->diags, "`%s` does not hold", ast_text(c->source, node->kids[0], c->arena));
    }
    return holds != 0;
}

bool check_parameters(Checker *c, const char *const *params, int count) {
    bool ok = true;
    c->place = AT_PARAMETERS;
    c->g->parameter = ARENA_ARRAY(c->arena, IrParameter, c->file->count + 1);
    for (int i = 0; i < c->file->count; i++)
        if (c->file->kids[i]->kind == N_PARAMETER)
            ok &= check_parameter(c, c->file->kids[i], params, count);
    // Only when all are known is an unknown one on the command line surely unknown.
    if (ok)
        ok = unknown_parameters(c, params, count);
    for (int i = 0; ok && i < c->file->count; i++)
        if (c->file->kids[i]->kind == N_DEMAND)
            ok = check_demand(c, c->file->kids[i]);
    return ok;
}

// --- players ---

bool check_players(Checker *c) {
    const Node *node = check_find_item(c, N_PLAYERS);
    if (!node) {
        diag_error(c->diags, (Span){1, 1, 1}, "the game has no players");
        diag_help(c->diags, "add a line such as `players White, Black`");
        return false;
    }
    if (node->count > IR_MAX_PLAYERS) {
        diag_error(c->diags, node->kids[IR_MAX_PLAYERS]->span, "there can be at most %d players",
                   IR_MAX_PLAYERS);
        return false;
    }
    c->g->players = node->count;
    c->g->player = ARENA_ARRAY(c->arena, const char *, node->count);
    c->g->player_letter = ARENA_ARRAY(c->arena, const char *, node->count);
    bool ok = true;
    for (int i = 0; i < node->count; i++) {
        const Node *p = node->kids[i];
        c->g->player[i] = p->word;
        c->g->player_letter[i] = p->count && p->kids[0] ? p->kids[0]->word : NULL;
        ok &= names_add(c, SYM_PLAYER, i, p->word, names_word(p)) != NULL;
    }
    return ok;
}

// --- types ---

bool check_type(Checker *c, const Node *node, IrType *type, int32_t *lo, int32_t *hi) {
    static const struct {
        const char *word;
        IrTypeKind kind;
    } names[] = {{"bool", TY_BOOL}, {"player", TY_PLAYER},       {"cell", TY_CELL},
                 {"cells", TY_SET}, {"direction", TY_DIRECTION}, {"piece", TY_KIND}};
    *lo = *hi = 0;
    if (node->kind == N_TYPE_RANGE) {
        int64_t a, b;
        if (!check_constant(c, node->kids[0], &a) || !check_constant(c, node->kids[1], &b))
            return false;
        if (a > b) {
            diag_error(c->diags, node->span, "the range %d..%d holds no number", (int)a, (int)b);
            return false;
        }
        *type = type_plain(TY_INT);
        *lo = (int32_t)a;
        *hi = (int32_t)b;
        return true;
    }
    if (node->kind == N_TYPE_SOME_OF) {
        if (!c->g->enums || c->place != AT_DECLARATION) {
            diag_error(c->diags, node->span, "`some of` is for variables of the game");
            return false;
        }
        if (node->count > 63) {
            diag_error(c->diags, node->span, "`some of` can name at most 63 flags");
            return false;
        }
        IrEnum *e = &c->g->enums[c->g->enum_count];
        e->count = node->count;
        e->name = ARENA_ARRAY(c->arena, const char *, node->count);
        for (int i = 0; i < node->count; i++) {
            e->name[i] = node->kids[i]->word;
            Symbol *s = names_add(c, SYM_FLAG, c->g->enum_count, e->name[i], node->kids[i]->span);
            if (!s)
                return false;
            s->sub = i;
        }
        *type = (IrType){.kind = TY_MASK, .of = TY_FLAG, .of_enum = c->g->enum_count++};
        return true;
    }
    for (int i = 0; i < 6; i++) {
        if (strcmp(node->word, names[i].word) != 0)
            continue;
        *type = type_plain(names[i].kind);
        type->optional = node->number != 0;
        bool can = type->kind == TY_PLAYER || type->kind == TY_CELL || type->kind == TY_KIND;
        if (type->optional && !can) {
            diag_error(c->diags, node->span, "`%s` cannot be `none`", node->word);
            diag_help(c->diags, "`or none` goes with player, cell and piece");
            return false;
        }
        if (type->kind == TY_SET)
            return true;
        int size = ir_domain_size(c->g, *type, 0, 0);
        if (!size) {
            diag_error(c->diags, node->span, "this game has no %ss", node->word);
            return false;
        }
        *hi = size - (type->optional ? 0 : 1);
        return true;
    }
    diag_error(c->diags, node->span, "there is no type `%s`", node->word);
    return false;
}

// --- pieces ---

static bool add_attribute(Checker *c, const Node *node, uint64_t *attributes) {
    if (c->g->attrs == 60) {
        diag_error(c->diags, node->span, "pieces can have at most 60 attributes");
        return false;
    }
    IrAttr *a = &c->g->attr[c->g->attrs];
    int32_t lo, hi;
    *a = (IrAttr){.name = node->word, .span = node->extra_span};
    if (!check_type(c, node->kids[0], &a->type, &lo, &hi))
        return false;
    if (a->type.kind != TY_BOOL && a->type.kind != TY_INT) {
        diag_error(c->diags, node->kids[0]->span, "an attribute is a number or yes/no");
        diag_help(c->diags, "for example `with hp : 0..9` or `with ready : bool`");
        return false;
    }
    a->lo = lo;
    a->hi = hi;
    a->initial = lo > 0 ? lo : hi < 0 ? hi : 0;
    if (node->count > 1 && node->kids[1]) {
        IrExpr *e = check_typed(c, node->kids[1], a->type);
        int64_t v;
        if (!e)
            return false;
        if (!expr_is_constant(e, &v) || v < lo || v > hi) {
            diag_error(c->diags, node->kids[1]->span, "`%s` begins outside its range %d..%d",
                       a->name, lo, hi);
            return false;
        }
        a->initial = (int32_t)v;
    }
    if (!names_add(c, SYM_ATTR, c->g->attrs, a->name, node->extra_span))
        return false;
    *attributes |= (uint64_t)1 << c->g->attrs++;
    return true;
}

static bool add_owners(Checker *c, const Node *owners, uint32_t *mask) {
    for (int i = 0; i < owners->count; i++) {
        const Node *o = owners->kids[i];
        Symbol *s = names_find(c, o->word);
        if (!s || s->kind != SYM_PLAYER) {
            diag_error(c->diags, o->span, "there is no player `%s`", o->word);
            const char *near = text_nearest(o->word, c->g->player, c->g->players);
            if (near)
                diag_help(c->diags, "did you mean `%s`?", near);
            return false;
        }
        if (*mask & (1u << s->id)) {
            diag_error(c->diags, o->span, "`%s` is named twice", o->word);
            return false;
        }
        *mask |= 1u << s->id;
    }
    return true;
}

// Whether a symbol begins with a character that takes two columns: East Asian letters and emoji,
// by the first byte or two of their UTF-8 form.
static bool is_wide(const char *s) {
    const unsigned char *b = (const unsigned char *)s;
    if (b[0] == 0xE1)
        return b[1] >= 0x84 && b[1] <= 0x85; // Hangul Jamo
    if (b[0] == 0xE2)
        return b[1] >= 0xBA; // CJK radicals
    return (b[0] >= 0xE3 && b[0] <= 0xED) || (b[0] == 0xEF && b[1] >= 0xA4) ||
           (b[0] == 0xF0 && b[1] == 0x9F && b[2] >= 0x8C) || (b[0] == 0xF0 && b[1] >= 0xA0);
}

// "K ♔": the letter for texts, then perhaps a symbol for boards.
static bool read_look(Checker *c, IrPlane *p, const Node *look) {
    const char *s = look->word;
    int n = *s ? text_utf8(s, strlen(s)) : 0;
    const char *rest = s + n;
    bool plain = n == 1 && isalpha((unsigned char)*s);
    if (n < 1 || n > 7 || (n == 1 && !plain && strchr("0123456789/()[],.-+= \t", *s)) ||
        (*rest && *rest != ' ')) {
        diag_error(c->diags, look->span,
                   "a look is one letter, and perhaps a symbol after a blank");
        diag_help(c->diags, "for example \"K ♔\"; digits and `/ ( ) [ ] , . - + =` are taken");
        return false;
    }
    memcpy(p->letter, s, (size_t)n);
    while (*rest == ' ')
        rest++;
    if (is_wide(rest)) {
        diag_error(c->diags, look->span, "the symbol takes two columns on a terminal");
        diag_help(c->diags, "choose a narrow one, such as ♔ ● ○ ▲");
        return false;
    }
    if (strlen(rest) >= sizeof p->symbol || text_columns(rest) > 1) {
        diag_error(c->diags, look->span, "the symbol is longer than one character");
        return false;
    }
    memcpy(p->symbol, rest, strlen(rest));
    return true;
}

static void add_plane(Checker *c, int kind, int owner, const Node *look, bool *ok) {
    IrPlane *p = &c->g->plane[c->g->planes];
    *p = (IrPlane){.kind = kind, .owner = owner};
    c->g->kind[kind].plane[owner] = c->g->planes++;
    if (look)
        *ok &= read_look(c, p, look);
}

static bool add_kind(Checker *c, const Node *piece, const Node *name, uint32_t owners,
                     uint64_t attributes) {
    if (c->g->kinds == IR_MAX_KINDS) {
        diag_error(c->diags, name->span, "there can be at most %d kinds of piece", IR_MAX_KINDS);
        return false;
    }
    const Node *owner_list = piece->kids[1];
    IrKind *k = &c->g->kind[c->g->kinds];
    *k = (IrKind){
        .name = name->word, .owners = owners, .attributes = attributes, .span = name->span};
    for (int i = 0; i <= IR_MAX_PLAYERS; i++)
        k->plane[i] = -1;
    bool ok = names_add(c, SYM_KIND, c->g->kinds, name->word, names_word(name)) != NULL;
    const Node *look = name->count ? name->kids[0] : NULL;
    if (look && owners) {
        diag_error(c->diags, look->span, "`%s` has owners: give each owner its look", name->word);
        return false;
    }
    if (!owners)
        add_plane(c, c->g->kinds, c->g->players, look, &ok);
    for (int p = 0; p < c->g->players; p++) {
        if (!(owners & (1u << p)))
            continue;
        for (int i = 0; i < owner_list->count; i++) {
            const Node *o = owner_list->kids[i];
            if (strcmp(o->word, c->g->player[p]) != 0)
                continue;
            look = o->count ? o->kids[0] : NULL;
            if (look && name != piece->kids[0]->kids[0]) {
                diag_error(c->diags, look->span, "this look would be that of several kinds");
                diag_help(c->diags, "declare the kinds one by one");
                return false;
            }
            add_plane(c, c->g->kinds, p, look, &ok);
        }
    }
    c->g->kinds++;
    return ok;
}

// Letters that the rules do not give: with one kind of owned piece the player's initial, else the
// kind's, capital for the first player, small for the second.
static void default_letters(Checker *c) {
    int owned = 0;
    for (int i = 0; i < c->g->kinds; i++)
        owned += c->g->kind[i].owners != 0;
    for (int i = 0; i < c->g->planes; i++) {
        IrPlane *p = &c->g->plane[i];
        bool mine = p->owner < c->g->players;
        char letter = mine && owned == 1 ? c->g->player[p->owner][0] : c->g->kind[p->kind].name[0];
        bool small = mine && owned > 1 && p->owner > 0;
        if (!p->letter[0])
            p->letter[0] =
                (char)(small ? tolower((unsigned char)letter) : toupper((unsigned char)letter));
        if (!p->symbol[0])
            memcpy(p->symbol, p->letter, sizeof p->letter);
    }
}

static bool letters_differ(Checker *c) {
    for (int i = 0; i < c->g->planes; i++)
        for (int k = 0; k < i; k++) {
            const IrPlane *a = &c->g->plane[i], *b = &c->g->plane[k];
            if (strcmp(a->letter, b->letter) != 0)
                continue;
            const IrKind *kind = &c->g->kind[a->kind];
            diag_error(c->diags, kind->span, "two pieces have the letter `%s`: %s and %s",
                       a->letter, c->g->kind[b->kind].name, kind->name);
            if (kind->owners)
                diag_help(c->diags, "give letters: `piece %s of %s \"X\", …`", kind->name,
                          c->g->player[0]);
            else
                diag_help(c->diags, "give a letter: `piece %s \"x\"`", kind->name);
            return false;
        }
    return true;
}

bool check_pieces(Checker *c) {
    int kinds = 0, attrs = 0;
    for (int i = 0; i < c->file->count; i++) {
        const Node *n = c->file->kids[i];
        if (n->kind == N_PIECE) {
            kinds += n->kids[0]->count;
            attrs += n->kids[2]->count;
        }
    }
    c->g->kind = ARENA_ARRAY(c->arena, IrKind, kinds + 1);
    c->g->plane = ARENA_ARRAY(c->arena, IrPlane, (kinds + 1) * IR_MAX_PLAYERS);
    c->g->attr = ARENA_ARRAY(c->arena, IrAttr, attrs + 1);
    bool ok = true;
    for (int i = 0; i < c->file->count; i++) {
        const Node *n = c->file->kids[i];
        uint32_t owners = 0;
        uint64_t attributes = 0;
        if (n->kind != N_PIECE)
            continue;
        if (!add_owners(c, n->kids[1], &owners)) {
            ok = false;
            continue;
        }
        if (n->kids[2]->count && c->g->board->stack > 1) {
            diag_error(c->diags, n->kids[2]->kids[0]->span, "pieces in stacks have no attributes");
            ok = false;
        }
        for (int k = 0; k < n->kids[2]->count; k++)
            ok &= add_attribute(c, n->kids[2]->kids[k], &attributes);
        for (int k = 0; k < n->kids[0]->count; k++)
            ok &= add_kind(c, n, n->kids[0]->kids[k], owners, attributes);
    }
    default_letters(c);
    return ok && letters_differ(c);
}

// --- variables ---

static bool var_initial(Checker *c, IrVar *v, const Node *node, const Node *value, int entry) {
    IrType want = v->type;
    IrExpr *e = check_expr(c, value);
    // `= K` is short for `= {K}`.
    if (e && want.kind == TY_MASK && e->type.kind == want.of)
        e = expr_unary(c, IR_MASK_OF, want, value, e);
    e = check_convert(c, e, want, value);
    if (!e)
        return false;
    if (want.kind == TY_SET) {
        if (e->op != IR_SET) {
            diag_error(c->diags, value->span, "this must be known before the game begins");
            return false;
        }
        memcpy(v->initial_sets + entry * c->g->board->words, e->set,
               8 * (size_t)c->g->board->words);
        return true;
    }
    if (!expr_is_constant(e, &v->initial[entry])) {
        diag_error(c->diags, value->span, "this must be known before the game begins");
        return false;
    }
    if (want.kind != TY_MASK && (v->initial[entry] < v->lo || v->initial[entry] > v->hi)) {
        if (want.kind == TY_INT)
            diag_error(c->diags, value->span, "`%s` begins with %d, outside its range %d..%d",
                       node->word, (int)v->initial[entry], v->lo, v->hi);
        else
            diag_error(c->diags, value->span, "`%s` cannot be none", node->word);
        if (want.kind != TY_INT)
            diag_help(c->diags, "declare it as `%s or none`",
                      ast_text(c->source, node->kids[1], c->arena));
        return false;
    }
    return true;
}

static bool var_index(Checker *c, IrVar *v, const Node *index) {
    int32_t lo = 0, hi = 0;
    v->count = 1;
    if (!index)
        return true;
    if (!check_type(c, index, &v->index, &lo, &hi))
        return false;
    if (v->index.kind == TY_SET || v->index.kind == TY_MASK || v->index.optional) {
        diag_error(c->diags, index->span, "an index is player, cell, direction, piece or a range");
        return false;
    }
    if ((int64_t)hi - lo + 1 > IR_MAX_STATE) {
        diag_error(c->diags, index->span, "a variable can have at most %d values", IR_MAX_STATE);
        return false;
    }
    v->indexed = true;
    v->index_base = lo;
    v->count = hi - lo + 1;
    return true;
}

// Variables of flags: several initial values are one set.
static bool flags_initial(Checker *c, IrVar *v, const Node *node) {
    for (int i = 2; i < node->count; i++) {
        int64_t so_far = v->initial[0];
        if (!var_initial(c, v, node, node->kids[i], 0))
            return false;
        v->initial[0] |= so_far;
    }
    for (int i = 1; i < v->count; i++)
        v->initial[i] = v->initial[0];
    return true;
}

static bool add_var(Checker *c, const Node *node) {
    IrVar *v = &c->g->var[c->g->vars];
    *v = (IrVar){.name = node->word, .clock = node->number != 0, .span = node->extra_span};
    if (!var_index(c, v, node->kids[0]) || !check_type(c, node->kids[1], &v->type, &v->lo, &v->hi))
        return false;
    v->initial = ARENA_ARRAY(c->arena, int64_t, v->count);
    v->initial_sets = ARENA_ARRAY(c->arena, uint64_t, v->count * c->g->board->words);
    int given = node->count - 2;
    for (int i = 0; i < v->count; i++)
        v->initial[i] = v->type.optional ? v->hi : v->lo > 0 ? v->lo : v->hi < 0 ? v->hi : 0;
    if (v->type.kind == TY_MASK) {
        if (!flags_initial(c, v, node))
            return false;
    } else {
        if (given > 1 && given != v->count) {
            const Node *at = node->kids[given > v->count ? 2 + v->count : node->count - 1];
            diag_error(c->diags, at->span, "`%s` has %d value%s, %d are given", v->name, v->count,
                       v->count == 1 ? "" : "s", given);
            return false;
        }
        for (int i = 0; given && i < v->count; i++)
            if (!var_initial(c, v, node, node->kids[given == 1 ? 2 : i + 2], i))
                return false;
    }
    if (!names_add(c, SYM_VAR, c->g->vars, node->word, node->extra_span))
        return false;
    c->g->vars++;
    return true;
}

bool check_vars(Checker *c) {
    int n = 0;
    for (int i = 0; i < c->file->count; i++)
        n += c->file->kids[i]->kind == N_VAR;
    c->g->var = ARENA_ARRAY(c->arena, IrVar, n + 2); // and the quiet clock
    c->g->enums = ARENA_ARRAY(c->arena, IrEnum, 2 * n + 1);
    bool ok = true;
    for (int i = 0; i < c->file->count; i++)
        if (c->file->kids[i]->kind == N_VAR)
            ok &= add_var(c, c->file->kids[i]);
    return ok;
}
