// format: canonical layout of a rules file (format.h).
// The tree tells what the tokens alone do not (which `-` is a sign, which `(` belongs to a call);
// then every source line becomes a FormatLine, neighbouring lines are aligned, and all is written.
#include "lang/format.h"

#include "lang/lex.h"
#include "lang/parse.h"

#include <limits.h>
#include <string.h>

#define FORMAT_INDENT 4
// Help texts and comments behind code begin here or, after longer lines, at the next multiple of
// four that leaves two blanks.
#define FORMAT_ASIDE 40
#define FORMAT_SPREAD 16 // names that differ more in length are not aligned with each other

// What a token is, as far as blanks around it go.
enum {
    MARK_CALL = 1,  // a name whose `(` follows at once
    MARK_SIGN = 2,  // a minus sign of one operand
    MARK_TIGHT = 4, // the `..` of a type, the `/` of a priority
    MARK_HEAD = 8,  // what follows the head of a line of knowledge
    MARK_HELP = 16, // the first of a line that may end with a text of its own
};

typedef struct FormatLine {
    int indent;
    bool blank_before;
    const char *head;    // of a `let` before `=`, of a `piece` before `of`, a fact; NULL otherwise
    char kind;           // of the head: only those of one kind are aligned
    const char *code;    // the rest; "" if there is only a comment
    const char *help;    // the text at the end of a parameter, rule or judgement, or NULL
    const char *comment; // NULL if there is none
    int head_column;     // what the alignment decides: where `code` goes after `head`,
    int help_column;     // and where the other two go on the line
    int comment_column;
} FormatLine;

typedef struct Formatter {
    Arena *arena;
    const Source *source;
    Tokens tokens;
    unsigned char *marks; // one per token
    FormatLine *lines;
    int count;
    int cap;
    int *levels; // source indentation of the open blocks
    int depth;
    int level_cap;
    int continued; // how much deeper the logical line goes on
} Formatter;

// ---- Marks ----------------------------------------------------------------------------------

// The token that begins at a place, or -1.
static int format_find_token(const Formatter *f, Span at) {
    int low = 0;
    int high = f->tokens.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        Span span = f->tokens.items[middle].span;
        if (span.line < at.line || (span.line == at.line && span.column < at.column))
            low = middle + 1;
        else
            high = middle;
    }
    // Tokens without text (indentation) may stand at the same place.
    for (; low < f->tokens.count; low++) {
        const Token *token = &f->tokens.items[low];
        if (token->span.line != at.line || token->span.column != at.column)
            return -1;
        if (token->kind == TOK_NAME || token->kind == TOK_SYMBOL || token->kind == TOK_INT)
            return low;
    }
    return -1;
}

static void format_mark(Formatter *f, Span at, unsigned char mark) {
    int i = format_find_token(f, at);
    if (i >= 0)
        f->marks[i] |= mark;
}

static bool format_is(const Token *token, const char *symbols) {
    return token->kind == TOK_SYMBOL && token->text[1] == '\0' && strchr(symbols, *token->text);
}

static bool format_is_simple(const Node *node) {
    if (node->kind == N_UNARY && strcmp(node->word, "-") == 0)
        node = node->kids[0];
    return node->kind == N_INT || node->kind == N_NAME;
}

// `0..9` in a type, but `0 .. 2 * size`.
static void format_mark_range(Formatter *f, const Node *type) {
    if (!format_is_simple(type->kids[0]) || !format_is_simple(type->kids[1]))
        return;
    int high = format_find_token(f, type->kids[1]->span);
    if (high > 0 && strcmp(f->tokens.items[high - 1].text, "..") == 0)
        f->marks[high - 1] |= MARK_TIGHT;
}

// Where the head of a line of knowledge ends: after a relation and its arguments, or before `if`.
static void format_mark_line(Formatter *f, const Node *node) {
    const Token *items = f->tokens.items;
    int at = format_find_token(f, node->span), open = 0;
    if (at < 0)
        return;
    if (node->extra)
        f->marks[at] |= MARK_HELP;
    bool times = node->kind == N_TIMES;
    for (at++; items[at].kind >= TOK_NAME; at++) {
        bool opens = format_is(&items[at], "([{");
        if (open == 0 && (times ? strcmp(items[at].text, "if") == 0 : !opens))
            break;
        if (times && open == 0 && format_is(&items[at], "/"))
            f->marks[at] |= MARK_TIGHT;
        open += opens ? 1 : format_is(&items[at], ")]}") ? -1 : 0;
        if (!times && open == 0) {
            at++;
            break;
        }
    }
    f->marks[at] |= MARK_HEAD;
}

static void format_mark_tree(Formatter *f, const Node *node) {
    if (!node)
        return;
    if (node->kind == N_CALL || (node->kind == N_ATOM && node->number))
        format_mark(f, node->span, MARK_CALL);
    else if (node->kind == N_LET && node->number)
        format_mark(f, node->extra_span, MARK_CALL);
    else if (node->kind == N_UNARY && strcmp(node->word, "-") == 0)
        format_mark(f, node->span, MARK_SIGN);
    else if (node->kind == N_TYPE_RANGE || node->kind == N_TYPE_LIST_OF)
        format_mark_range(f, node);
    else if (node->kind == N_RULE && node->extra)
        format_mark(f, node->span, MARK_HELP);
    else if (node->kind == N_FACT || node->kind == N_CLAUSE || node->kind == N_WORTH_LINE ||
             node->kind == N_WORTH_OPPONENT || node->kind == N_TIMES)
        format_mark_line(f, node);
    for (int i = 0; i < node->count; i++)
        format_mark_tree(f, node->kids[i]);
}

// ---- Blanks between tokens ------------------------------------------------------------------

static bool format_blank_between(const Formatter *f, int left) {
    const Token *a = &f->tokens.items[left];
    const Token *b = a + 1;
    if (format_is(a, "([{") || format_is(b, ")]},["))
        return false;
    if ((f->marks[left] & (MARK_SIGN | MARK_TIGHT)) || (f->marks[left + 1] & MARK_TIGHT))
        return false;
    if (!format_is(b, "(") || !(f->marks[left] & MARK_CALL))
        return true;
    // `row (n - 1)`, the cells there, and `row(c)`, the number, are the same to the parser.
    bool apart = b->offset > a->offset + (size_t)a->span.length;
    return apart && (strcmp(a->text, "row") == 0 || strcmp(a->text, "column") == 0);
}

// The tokens from `first` to before `end`, as text.
static const char *format_code(const Formatter *f, int first, int end) {
    size_t most = 1;
    for (int i = first; i < end; i++)
        most += (size_t)f->tokens.items[i].span.length + 1;
    char *code = arena_alloc(f->arena, most);
    char *to = code;
    for (int i = first; i < end; i++) {
        const Token *token = &f->tokens.items[i];
        memcpy(to, f->source->text + token->offset, (size_t)token->span.length);
        to += token->span.length;
        if (i + 1 < end && format_blank_between(f, i))
            *to++ = ' ';
    }
    return code;
}

// ---- Lines ----------------------------------------------------------------------------------

static FormatLine *format_add_line(Formatter *f, int indent, bool blank_before) {
    ARENA_GROW(f->arena, FormatLine, f->lines, f->count, f->cap);
    FormatLine *line = &f->lines[f->count++];
    *line = (FormatLine){.indent = indent, .code = "", .blank_before = blank_before};
    return line;
}

// Where the `=` of a `let` or the `of` of a `piece` stands among the tokens, or what follows the
// head of a line of knowledge; -1 if there is none.
static int format_find_sign(const Formatter *f, int first, int end) {
    const Token *items = f->tokens.items;
    for (int i = first + 1; i < end; i++)
        if (f->marks[i] & MARK_HEAD)
            return i;
    if (items[first].kind != TOK_NAME)
        return -1;
    bool let = strcmp(items[first].text, "let") == 0;
    if (!let && strcmp(items[first].text, "piece") != 0)
        return -1;
    for (int i = first + 1; i < end; i++)
        if (items[i].kind != TOK_STRING && strcmp(items[i].text, let ? "=" : "of") == 0)
            return i;
    return -1;
}

static bool format_has_help(const Formatter *f, int first, int end) {
    const Token *items = f->tokens.items;
    return end - first > 1 && items[end - 1].kind == TOK_STRING && items[end].kind == TOK_NEWLINE &&
           items[first].kind == TOK_NAME &&
           (strcmp(items[first].text, "parameter") == 0 || (f->marks[first] & MARK_HELP));
}

// The first physical line of a logical one.
static void format_first_line(Formatter *f, FormatLine *line, int first, int end) {
    if (format_has_help(f, first, end)) {
        line->help = format_code(f, end - 1, end);
        end--;
    }
    int sign = format_find_sign(f, first, end);
    if (sign >= 0) {
        line->head = format_code(f, first, sign);
        line->kind = f->marks[sign] & MARK_HEAD ? 'k' : *line->head;
    }
    line->code = format_code(f, sign >= 0 ? sign : first, end);
}

// Before a block, the rest of a line is indented more than the block, so that the two do not
// look alike.
static int format_continuation(const Formatter *f, int first) {
    const Token *token = &f->tokens.items[first];
    while (token->kind >= TOK_NAME)
        token++;
    bool opens = token->kind == TOK_NEWLINE && token[1].kind == TOK_INDENT;
    return opens ? 2 * FORMAT_INDENT : FORMAT_INDENT;
}

static const char *format_comment(const Formatter *f, int i) {
    const Comment *comment = &f->tokens.comments[i];
    return arena_text(f->arena, f->source->text + comment->offset, (size_t)comment->span.length);
}

// The level of a comment on a line of its own, between the line before (all of f->levels) and
// the line after (the tokens at `next`): the deepest that is not indented more than the comment.
static int format_comment_level(const Formatter *f, int next, int column) {
    const Token *items = f->tokens.items;
    if (items[next].kind == TOK_INDENT)
        return column >= items[next].span.length ? f->depth : f->depth - 1;
    int lowest = f->depth - 1;
    for (; items[next].kind == TOK_DEDENT; next++)
        lowest--;
    int level = f->depth - 1;
    while (level > lowest && f->levels[level] > column)
        level--;
    return level;
}

static void format_comment_line(Formatter *f, int i, int next, bool in_line, bool blank_before) {
    int column = f->tokens.comments[i].span.column - 1;
    int indent = in_line ? (f->depth - 1) * FORMAT_INDENT + f->continued
                         : format_comment_level(f, next, column) * FORMAT_INDENT;
    format_add_line(f, indent, blank_before)->comment = format_comment(f, i);
}

// Follows the tokens that open and close blocks; returns the first token after them.
static int format_levels(Formatter *f, int at) {
    for (;; at++) {
        const Token *token = &f->tokens.items[at];
        if (token->kind == TOK_INDENT) {
            ARENA_GROW(f->arena, int, f->levels, f->depth, f->level_cap);
            f->levels[f->depth++] = token->span.length;
        } else if (token->kind == TOK_DEDENT) {
            f->depth--;
        } else {
            return at;
        }
    }
}

// One source line that has tokens; returns the first token after it.
static int format_code_line(Formatter *f, int at, bool in_line, bool blank_before) {
    const Token *items = f->tokens.items;
    at = format_levels(f, at);
    int end = at;
    while (items[end].kind >= TOK_NAME && items[end].span.line == items[at].span.line)
        end++;
    if (!in_line)
        f->continued = format_continuation(f, at);
    bool continued = in_line && !format_is(&items[at], ")]}");
    int indent = (f->depth - 1) * FORMAT_INDENT + (continued ? f->continued : 0);
    FormatLine *line = format_add_line(f, indent, blank_before);
    if (in_line)
        line->code = format_code(f, at, end);
    else
        format_first_line(f, line, at, end);
    return end;
}

#define NO_LINE INT_MAX // nothing more comes

// The source line of the next token that is written.
static int format_next_code(const Formatter *f, int at) {
    const Token *token = &f->tokens.items[at];
    while (token->kind == TOK_INDENT || token->kind == TOK_DEDENT)
        token++;
    return token->kind == TOK_END ? NO_LINE : token->span.line;
}

static int format_next_comment(const Formatter *f, int i) {
    return i < f->tokens.comment_count ? f->tokens.comments[i].span.line : NO_LINE;
}

// Goes through tokens and comments in the order of the source.
static void format_read(Formatter *f) {
    int at = 0;
    int comment = 0;
    int last_line = 0; // of the source
    bool in_line = false;
    for (;;) {
        int code_line = format_next_code(f, at);
        int comment_line = format_next_comment(f, comment);
        int line = code_line < comment_line ? code_line : comment_line;
        if (line == NO_LINE)
            return;
        bool blank_before = last_line > 0 && line > last_line + 1;
        last_line = line;
        if (comment_line < code_line) {
            format_comment_line(f, comment++, at, in_line, blank_before);
            continue;
        }
        at = format_code_line(f, at, in_line, blank_before);
        if (comment_line == line)
            f->lines[f->count - 1].comment = format_comment(f, comment++);
        in_line = f->tokens.items[at].kind != TOK_NEWLINE;
        at += in_line ? 0 : 1;
    }
}

// ---- Alignment ------------------------------------------------------------------------------

static int format_width(const FormatLine *line, bool with_help) {
    int width = line->indent + text_columns(line->code);
    if (line->head)
        width += line->head_column;
    if (with_help && line->help)
        width = line->help_column + text_columns(line->help);
    return width;
}

// Where help or a comment goes behind code of this width.
static int format_aside(int width) {
    int column = (width + 2 + 3) / 4 * 4;
    return column > FORMAT_ASIDE ? column : FORMAT_ASIDE;
}

static bool format_has_head(const FormatLine *line) {
    return line->head;
}

static bool format_has_text(const FormatLine *line) {
    return line->help;
}

static bool format_has_comment(const FormatLine *line) {
    return line->comment && *line->code;
}

// Lines of one kind whose names are about as long; returns how many were aligned.
static int format_align_heads(FormatLine *lines, int n) {
    int least = text_columns(lines[0].head);
    int most = least;
    int end = 1;
    for (; end < n && lines[end].kind == lines[0].kind; end++) {
        int width = text_columns(lines[end].head);
        if (width - least > FORMAT_SPREAD || most - width > FORMAT_SPREAD)
            break;
        least = width < least ? width : least;
        most = width > most ? width : most;
    }
    for (int i = 0; i < end; i++)
        lines[i].head_column = most + 1;
    return end;
}

static int format_align_help(FormatLine *lines, int n) {
    int most = 0;
    for (int i = 0; i < n; i++)
        most = format_width(&lines[i], false) > most ? format_width(&lines[i], false) : most;
    for (int i = 0; i < n; i++)
        lines[i].help_column = format_aside(most);
    return n;
}

static int format_align_comments(FormatLine *lines, int n) {
    int most = 0;
    for (int i = 0; i < n; i++)
        most = format_width(&lines[i], true) > most ? format_width(&lines[i], true) : most;
    for (int i = 0; i < n; i++)
        lines[i].comment_column = format_aside(most);
    return n;
}

// How many lines from `i` on are neighbours with the same indentation that all `have` it.
static int format_run(const Formatter *f, int i, bool (*have)(const FormatLine *)) {
    int end = i;
    while (end < f->count && have(&f->lines[end]) && f->lines[end].indent == f->lines[i].indent &&
           (end == i || !f->lines[end].blank_before))
        end++;
    return end - i;
}

static void format_align(Formatter *f, bool (*have)(const FormatLine *),
                         int (*align)(FormatLine *, int)) {
    int i = 0;
    while (i < f->count) {
        int n = format_run(f, i, have);
        int end = n > 0 ? i + n : i + 1;
        while (i < end)
            i += n > 0 ? align(&f->lines[i], end - i) : 1;
    }
}

// ---- Writing --------------------------------------------------------------------------------

static void format_pad(Text *out, int *column, int to) {
    for (; *column < to; ++*column)
        text_char(out, ' ');
}

static void format_write_part(Text *out, int *column, const char *part) {
    text_add(out, part);
    *column += text_columns(part);
}

static void format_write_line(const FormatLine *line, Text *out) {
    int column = 0;
    if (line->blank_before)
        text_char(out, '\n');
    format_pad(out, &column, line->indent);
    if (line->head) {
        format_write_part(out, &column, line->head);
        format_pad(out, &column, line->indent + line->head_column);
    }
    format_write_part(out, &column, line->code);
    if (line->help) {
        format_pad(out, &column, line->help_column);
        format_write_part(out, &column, line->help);
    }
    if (line->comment) {
        format_pad(out, &column, line->comment_column);
        text_add(out, line->comment);
    }
    text_char(out, '\n');
}

// ---- The whole ------------------------------------------------------------------------------

// A formatter that changed a game would be worse than none: what is written must read the same.
static bool format_reads_same(Formatter *f, const Text *out) {
    Diags diags = {0};
    Source written = {.name = "formatted", .text = text_c(out), .size = out->n};
    Tokens again = lex_file(f->arena, &written, &diags);
    bool same = diags.errors == 0 && again.count == f->tokens.count &&
                again.comment_count == f->tokens.comment_count;
    for (int i = 0; same && i < again.count; i++) {
        const Token *a = &f->tokens.items[i];
        const Token *b = &again.items[i];
        same = a->kind == b->kind && a->number == b->number && strcmp(a->text, b->text) == 0;
    }
    diag_free(&diags);
    return same;
}

static bool format_all(Formatter *f, Diags *diags, Text *out) {
    int before = diags->errors;
    Node *file = parse_file(f->arena, f->source, diags);
    if (diags->errors > before)
        return false;
    f->tokens = lex_file(f->arena, f->source, diags);
    f->marks = ARENA_ARRAY(f->arena, unsigned char, f->tokens.count + 1);
    ARENA_GROW(f->arena, int, f->levels, f->depth, f->level_cap);
    f->depth = 1;
    format_mark_tree(f, file);
    format_read(f);
    format_align(f, format_has_head, format_align_heads);
    format_align(f, format_has_text, format_align_help);
    format_align(f, format_has_comment, format_align_comments);
    for (int i = 0; i < f->count; i++)
        format_write_line(&f->lines[i], out);
    if (!out->failed && format_reads_same(f, out))
        return true;
    diag_error(diags, (Span){0}, "the file cannot be formatted without changing it");
    diag_help(diags, "please report this");
    return false;
}

// Apart from format_file, so that the arena outlives the jump.
static bool format_guarded(Formatter *f, jmp_buf *recovery, Diags *diags, Text *out) {
    if (setjmp(*recovery)) {
        diag_error(diags, (Span){0}, "out of memory");
        return false;
    }
    return format_all(f, diags, out);
}

bool format_file(const Source *source, Diags *diags, Text *out) {
    jmp_buf recovery;
    Arena arena;
    arena_init(&arena, &recovery);
    Formatter f = {.arena = &arena, .source = source};
    text_clear(out);
    bool done = format_guarded(&f, &recovery, diags, out);
    if (!done)
        text_clear(out);
    arena_free(&arena);
    return done;
}
