// A state from its text: state_read of statetext.h. Takes any bytes; whatever is wrong gets one
// line that says where and what would be right.
#include "game/state_parts.h"
#include "game/statetext.h"

#include <ctype.h>
#include <limits.h>
#include <strings.h>

// The longest line a state can need is far shorter: 512 stacks of 32 pieces are 20 KB.
#define TEXT_MAX ((size_t)1 << 18)
#define SHOWN 40

typedef struct Reader {
    const Game *g;
    const IrGame *ir;
    char *text; // a copy that is cut into words
    uint8_t *state;
    bool *seen; // per variable
    Text *error;
} Reader;

static bool fail(Reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Reader *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vf(r->error, format, args);
    va_end(args);
    return false;
}

// n bytes of what was typed, safe to show; into `shown`, which is returned.
static const char *show_n(const char *s, size_t n, char shown[4 * SHOWN + 4]) {
    Text t = {0};
    size_t cut = n < SHOWN ? n : SHOWN;
    while (cut < n && cut > SHOWN - 4 && ((unsigned char)s[cut] & 0xC0) == 0x80)
        cut--;
    text_visible(&t, s, cut);
    size_t size = t.n < 4 * SHOWN ? t.n : 4 * SHOWN;
    memcpy(shown, text_c(&t), size);
    strcpy(shown + size, cut < n ? "…" : "");
    text_free(&t);
    return shown;
}

static const char *show(const char *s, char shown[4 * SHOWN + 4]) {
    return show_n(s, strlen(s), shown);
}

// The column of a place in the text, counted in characters from 1.
static int column_of(const Reader *r, const char *at) {
    int column = 1;
    for (const char *s = r->text; s < at; s++)
        column += ((unsigned char)*s & 0xC0) != 0x80;
    return column;
}

static size_t character_size(const char *s) {
    int n = text_utf8(s, strlen(s));
    return n > 0 ? (size_t)n : 1;
}

// --- Numbers and values within their range ---

static bool in_range(Reader *r, const char *name, IrType type, int64_t lo, int64_t hi,
                     int64_t value) {
    if (type.kind != TY_INT || (value >= lo && value <= hi))
        return true;
    return fail(r, "%s: %lld is not in %lld..%lld", name, (long long)value, (long long)lo,
                (long long)hi);
}

// One value of a type; errors begin with `name`.
static bool read_value(Reader *r, const char *name, IrType type, int64_t lo, int64_t hi,
                       const char *word, int64_t *value) {
    Text why = {0};
    bool ok = value_read(r->ir, type, word, value, &why);
    if (!ok)
        fail(r, "%s: %s", name, text_c(&why));
    text_free(&why);
    return ok && in_range(r, name, type, lo, hi, *value);
}

// --- The board ---

static void add_letters(Reader *r) {
    for (int i = 0; i < r->ir->planes; i++)
        text_f(r->error, "%s%s",
               i == 0                   ? ""
               : i == r->ir->planes - 1 ? " and "
                                        : ", ",
               r->ir->plane[i].letter);
}

// The piece whose letter stands at *at; -1 (reported) if there is none.
static int read_letter(Reader *r, const char **at) {
    char shown[4 * SHOWN + 4];
    size_t n = character_size(*at);
    for (int i = 0; i < r->ir->planes; i++)
        if (strlen(r->ir->plane[i].letter) == n && memcmp(r->ir->plane[i].letter, *at, n) == 0) {
            *at += n;
            return i;
        }
    fail(r, "column %d: `%s` is not a piece", column_of(r, *at), show_n(*at, n, shown));
    if (r->ir->planes) {
        text_add(r->error, "; the pieces are ");
        add_letters(r);
    }
    return -1;
}

static int attribute_count(const IrGame *ir, int plane) {
    return __builtin_popcountll(ir->kind[ir->plane[plane].kind].attributes);
}

static bool attributes_miscounted(Reader *r, const char *at, int plane, int given) {
    const IrGame *ir = r->ir;
    uint64_t has = ir->kind[ir->plane[plane].kind].attributes;
    int count = attribute_count(ir, plane);
    const char *letter = ir->plane[plane].letter;
    if (count == 0)
        return fail(r, "column %d: %s has no values in parentheses", column_of(r, at), letter);
    fail(r, "column %d: %s has %d value%s in parentheses", column_of(r, at), letter, count,
         count == 1 ? "" : "s");
    for (int a = 0, n = 0; a < ir->attrs; a++)
        if (has >> a & 1)
            text_f(r->error, "%s%s", n++ ? "," : " (", ir->attr[a].name);
    text_f(r->error, "), not %d", given);
    return false;
}

// (1,10,yes) after a piece, if it is there. The text is cut at the commas.
static bool read_attributes(Reader *r, const char **at, int cell, int plane) {
    const IrGame *ir = r->ir;
    const char *open = *at;
    if (*open != '(')
        return true;
    size_t size = strcspn(open, ")");
    if (!open[size])
        return fail(r, "column %d: the parenthesis is not closed", column_of(r, open));
    int given = 1;
    for (size_t i = 0; i < size; i++)
        given += open[i] == ',';
    if (given != attribute_count(ir, plane))
        return attributes_miscounted(r, open, plane, given);
    uint64_t has = ir->kind[ir->plane[plane].kind].attributes;
    char *word = r->text + (open + 1 - r->text);
    for (int a = 0; a < ir->attrs; a++) {
        if (!(has >> a & 1))
            continue;
        const IrAttr *attr = &ir->attr[a];
        size_t n = strcspn(word, ",)");
        char end = word[n];
        int64_t value;
        word[n] = '\0';
        if (!read_value(r, attr->name, attr->type, attr->lo, attr->hi, word, &value))
            return false;
        word[n] = end;
        word += n + 1;
        state_set_attribute(r->g, r->state, a, cell, value);
    }
    *at = word;
    return true;
}

static bool read_piece(Reader *r, const char **at, int cell) {
    int plane = read_letter(r, at);
    if (plane < 0)
        return false;
    state_put(r->g, r->state, cell, plane);
    return read_attributes(r, at, cell, plane);
}

// [BWB], bottom first.
static bool read_stack(Reader *r, const char **at, int cell) {
    const char *open = *at;
    int most = r->ir->board->stack, height = 0;
    if (most == 1)
        return fail(r, "column %d: this board has no stacks", column_of(r, open));
    for ((*at)++; **at != ']'; height++) {
        if (!**at || **at == '/')
            return fail(r, "column %d: the bracket is not closed", column_of(r, open));
        if (height == most)
            return fail(r, "column %d: a stack has at most %d pieces", column_of(r, *at), most);
        if (!read_piece(r, at, cell))
            return false;
    }
    (*at)++;
    if (height == 0)
        return fail(r, "column %d: the stack has no pieces", column_of(r, open));
    return true;
}

// A run of empty cells; 0 (reported) if there is none.
static int read_run(Reader *r, const char **at) {
    const char *start = *at;
    int n = 0;
    for (; isdigit((unsigned char)**at); (*at)++)
        n = n < BOARD_MAX_CELLS ? n * 10 + **at - '0' : n;
    if (n == 0)
        fail(r, "column %d: 0 is not a number of empty cells", column_of(r, start));
    return n;
}

// One row up to `/` or the end; `row` counts from 1 at the top.
static bool read_row(Reader *r, const char **at, const int16_t *cells, int count, int row) {
    const char *start = *at;
    int n = 0;
    while (**at && **at != '/') {
        bool run = isdigit((unsigned char)**at);
        if (run) {
            int empty = read_run(r, at);
            if (!empty)
                return false;
            n += empty;
        }
        if (n > count || (n == count && !run))
            return fail(r, "column %d: row %d from the top has only %d cell%s", column_of(r, start),
                        row, count, count == 1 ? "" : "s");
        if (run)
            continue;
        if (!(**at == '[' ? read_stack(r, at, cells[n]) : read_piece(r, at, cells[n])))
            return false;
        n++;
    }
    if (n < count)
        return fail(r, "column %d: row %d from the top has %d cell%s, not %d", column_of(r, start),
                    row, count, count == 1 ? "" : "s", n);
    return true;
}

static bool read_board(Reader *r, const char *at) {
    StateRows rows;
    state_rows(r->ir->board, &rows);
    for (int row = 0; row < rows.rows; row++) {
        int start = rows.start[row];
        if (!read_row(r, &at, &rows.cell[start], rows.start[row + 1] - start, row + 1))
            return false;
        if (row + 1 == rows.rows)
            break;
        if (!*at)
            return fail(r, "the board has %d rows, not %d", rows.rows, row + 1);
        at++;
    }
    if (*at)
        return fail(r, "column %d: the board has only %d row%s", column_of(r, at), rows.rows,
                    rows.rows == 1 ? "" : "s");
    return true;
}

// --- The player ---

static bool letter_is(const IrGame *ir, int player, const char *word) {
    return ir->player_letter && ir->player_letter[player] &&
           strcmp(ir->player_letter[player], word) == 0;
}

// The player whose letter or name this is, or the only one whose name begins so; -1 if none.
static int find_player(const IrGame *ir, const char *word) {
    int begins = -1, found = 0;
    size_t n = strlen(word);
    for (int p = 0; p < ir->players; p++)
        if (letter_is(ir, p, word) || strcasecmp(ir->player[p], word) == 0)
            return p;
    for (int p = 0; p < ir->players; p++)
        if (n > 0 && strncasecmp(ir->player[p], word, n) == 0) {
            begins = p;
            found++;
        }
    if (found == 0 && word[0] >= '1' && word[0] < '1' + ir->players && !word[1])
        return word[0] - '1'; // players without names of their own are numbers
    return found == 1 ? begins : -1;
}

static bool read_player(Reader *r, const char *word) {
    char shown[4 * SHOWN + 4];
    const IrGame *ir = r->ir;
    int p = find_player(ir, word);
    if (p >= 0) {
        r->state[ir->layout.player] = (uint8_t)p;
        return true;
    }
    fail(r, "there is no player `%s`; the players are ", show(word, shown));
    for (p = 0; p < ir->players; p++)
        text_f(r->error, "%s%s",
               p == 0                 ? ""
               : p == ir->players - 1 ? " and "
                                      : ", ",
               ir->player[p]);
    return false;
}

// --- Variables and the result ---

// Names of cells joined by `+`; cuts the word.
static bool read_set(Reader *r, const IrVar *v, char *word, uint8_t *set) {
    IrType cell = {.kind = TY_CELL};
    if (strcmp(word, "-") == 0 || strcasecmp(word, "none") == 0)
        return true;
    for (;;) {
        size_t n = strcspn(word, "+");
        bool last = !word[n];
        int64_t c;
        word[n] = '\0';
        if (!read_value(r, v->name, cell, 0, INT_MAX, word, &c))
            return false;
        state_set_change(set, (int)c, true);
        if (last)
            return true;
        word += n + 1;
    }
}

// One entry of a variable; cuts the word.
static bool read_entry(Reader *r, const IrVar *v, int index, char *word) {
    uint8_t *at = r->state + v->offset + index * v->width;
    int64_t value;
    if (v->type.kind == TY_SET) {
        memset(at, 0, (size_t)v->width);
        return read_set(r, v, word, at);
    }
    if (!read_value(r, v->name, v->type, v->lo, v->hi, word, &value))
        return false;
    state_store(at, v->width, value);
    return true;
}

// Bytes up to the comma behind an entry: names of cells may have commas inside brackets.
static size_t entry_length(const char *word) {
    int open = 0;
    size_t n = 0;
    for (; word[n] && (word[n] != ',' || open > 0); n++)
        open += word[n] == '(' ? 1 : word[n] == ')' ? -1 : 0;
    return n;
}

// More entries than any variable has.
#define MOST_ENTRIES 100000

// The 12 of 12*0, at most `most` + 1, and `*word` behind it; 1 if there is none.
static int read_repeat(char **word, int most) {
    size_t digits = strspn(*word, "0123456789");
    if (digits == 0 || (*word)[digits] != '*')
        return 1;
    int n = 0;
    for (size_t i = 0; i < digits && n <= most; i++)
        n = n * 10 + (*word)[i] - '0';
    *word += digits + 1;
    return n > 0 && n <= most ? n : most + 1; // 0* of something cannot be meant
}

static int count_entries(char *word, int most) {
    int given = 0;
    for (;;) {
        char *entry = word;
        size_t n = entry_length(word);
        int repeat = read_repeat(&entry, most);
        given = given + repeat <= most ? given + repeat : most + 1;
        if (!word[n])
            return given;
        word += n + 1;
    }
}

static bool read_variable(Reader *r, int var, char *word) {
    const IrVar *v = &r->ir->var[var];
    if (r->seen[var])
        return fail(r, "%s is given twice", v->name);
    r->seen[var] = true;
    int given = count_entries(word, MOST_ENTRIES);
    if (given != v->count)
        return fail(r, "%s has %d value%s, not %d", v->name, v->count, v->count == 1 ? "" : "s",
                    given);
    for (int i = 0; i < v->count;) {
        size_t n = entry_length(word);
        char *next = word + n + 1;
        word[n] = '\0';
        int repeat = read_repeat(&word, v->count - i);
        if (!read_entry(r, v, i, word))
            return false;
        const uint8_t *entry = r->state + v->offset + i * v->width;
        for (int k = 1; k < repeat; k++)
            memcpy(r->state + v->offset + (i + k) * v->width, entry, (size_t)v->width);
        i += repeat;
        word = next;
    }
    return true;
}

static bool read_result(Reader *r, const char *word) {
    IrType players = {.kind = TY_MASK, .of = TY_PLAYER};
    int64_t winners;
    if (r->state[r->ir->layout.result])
        return fail(r, "result is given twice");
    if (!read_value(r, "result", players, 0, 0, word, &winners))
        return false;
    r->state[r->ir->layout.result] = (uint8_t)(RESULT_OVER | winners);
    return true;
}

static int find_variable(const IrGame *ir, const char *name) {
    for (int v = 0; v < ir->vars; v++)
        if (strcmp(ir->var[v].name, name) == 0)
            return v;
    return -1;
}

static bool unknown_field(Reader *r, const char *name) {
    char shown[4 * SHOWN + 4];
    const IrGame *ir = r->ir;
    const char **names = mem_alloc(sizeof *names * (size_t)(ir->vars + 1));
    if (!names)
        return fail(r, "out of memory");
    for (int v = 0; v < ir->vars; v++)
        names[v] = ir->var[v].name;
    names[ir->vars] = "result";
    const char *near = text_nearest(name, names, ir->vars + 1);
    fail(r, "there is no variable `%s`", show(name, shown));
    if (near)
        text_f(r->error, "; did you mean `%s`?", near);
    mem_free(names);
    return false;
}

// name=value; cuts the word.
static bool read_named(Reader *r, char *word) {
    char *value = strchr(word, '=');
    *value++ = '\0';
    int var = find_variable(r->ir, word);
    bool result = strcmp(word, "result") == 0;
    if (var >= 0 && !(result && r->seen[var]))
        return read_variable(r, var, value);
    return result ? read_result(r, value) : unknown_field(r, word);
}

// A bare value is for the first variable without one. One number more is let pass: FEN ends
// with the number of the move, which no rule asks for.
static bool read_bare(Reader *r, char *word, bool *surplus) {
    char shown[4 * SHOWN + 4];
    int var = 0;
    while (var < r->ir->vars && r->seen[var])
        var++;
    if (var < r->ir->vars)
        return read_variable(r, var, word);
    if (*surplus || strspn(word, "0123456789") != strlen(word))
        return fail(r, "`%s` is left over: every variable has a value", show(word, shown));
    *surplus = true;
    return true;
}

// --- The whole ---

// The next word, cut off at the blank after it, or NULL.
static char *next_word(char **at) {
    static const char blanks[] = " \t\r\n";
    char *word = *at + strspn(*at, blanks);
    if (!*word)
        return NULL;
    *at = word + strcspn(word, blanks);
    if (**at)
        *(*at)++ = '\0';
    return word;
}

// An empty board, the first player on move, variables as declared.
static void start_afresh(Reader *r) {
    const IrGame *ir = r->ir;
    memset(r->state, 0, (size_t)ir->layout.size);
    for (int c = 0; c < ir->board->cells; c++)
        state_put(r->g, r->state, c, -1);
    for (int i = 0; i < ir->vars; i++) {
        const IrVar *v = &ir->var[i];
        uint8_t *at = r->state + v->offset;
        if (v->type.kind == TY_SET && v->initial_sets)
            memcpy(at, v->initial_sets, (size_t)(v->width * v->count));
        for (int j = 0; j < v->count && v->type.kind != TY_SET && v->initial; j++)
            state_store(at + j * v->width, v->width, v->initial[j]);
    }
}

static bool read_words(Reader *r) {
    char *at = r->text;
    bool surplus = false;
    char *word = next_word(&at);
    if (!word)
        return fail(r, "the text is empty");
    if (!read_board(r, word))
        return false;
    word = next_word(&at);
    if (word && !strchr(word, '=')) {
        if (!read_player(r, word))
            return false;
        word = next_word(&at);
    }
    for (; word; word = next_word(&at))
        if (!(strchr(word, '=') ? read_named(r, word) : read_bare(r, word, &surplus)))
            return false;
    return true;
}

// What the text leaves out about the names of pieces.
static bool name_pieces(Reader *r) {
    int content = names_content(r->ir), at = names_at(r->ir);
    if (content >= 0 && !r->seen[content] && !names_follow_board(r->g, r->state))
        return fail(r, "out of memory");
    if (at >= 0 && !r->seen[at])
        names_follow_content(r->g, r->state);
    int misfit = names_misfit(r->g, r->state);
    if (misfit < 0)
        return true;
    const char *cell = r->ir->board->cell[misfit].name;
    if (r->seen[content])
        return fail(r, "content: what it says of %s does not fit the board", cell);
    return fail(r, "there are only %d pieces, so there is none for %s", r->ir->var[content].hi,
                cell);
}

bool state_read(const Game *g, const char *text, uint8_t *state, Text *error) {
    Reader r = {.g = g, .ir = g->ir, .error = error};
    size_t size = strlen(text);
    if (size > TEXT_MAX)
        return fail(&r, "the text is too long for a state");
    r.text = mem_alloc(size + 1);
    r.state = mem_alloc((size_t)g->ir->layout.size);
    r.seen = mem_alloc((size_t)g->ir->vars + 1);
    bool ok = r.text && r.state && r.seen;
    if (!ok)
        fail(&r, "out of memory");
    if (ok) {
        memcpy(r.text, text, size + 1);
        start_afresh(&r);
        ok = read_words(&r) && name_pieces(&r);
    }
    if (ok) // only a good text changes the caller's state
        memcpy(state, r.state, (size_t)g->ir->layout.size);
    mem_free(r.text);
    mem_free(r.state);
    mem_free(r.seen);
    return ok;
}
