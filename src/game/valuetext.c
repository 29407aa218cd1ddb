// Values as people write them: value_text and value_read of statetext.h.
#include "base/bits.h"
#include "game/state_parts.h"
#include "game/statetext.h"

#include <stdlib.h>
#include <strings.h>

// What is shown of a word that a person typed.
#define SHOWN 40

// The i-th possible value of a type as a word; NULL after the last.
typedef const char *(*WordOf)(const IrGame *ir, IrType type, int i);

static const char *player_word(const IrGame *ir, IrType type, int i) {
    (void)type;
    return i < ir->players ? ir->player[i] : NULL;
}

static const char *cell_word(const IrGame *ir, IrType type, int i) {
    (void)type;
    return i < ir->board->cells ? ir->board->cell[i].name : NULL;
}

static const char *direction_word(const IrGame *ir, IrType type, int i) {
    (void)type;
    return i < ir->board->directions ? ir->board->direction_name[i] : NULL;
}

static const char *kind_word(const IrGame *ir, IrType type, int i) {
    (void)type;
    return i < ir->kinds ? ir->kind[i].name : NULL;
}

static const char *flag_word(const IrGame *ir, IrType type, int i) {
    const IrEnum *flags = &ir->enums[type.of_enum];
    return i < flags->count ? flags->name[i] : NULL;
}

static const char *bool_word(const IrGame *ir, IrType type, int i) {
    (void)ir, (void)type;
    static const char *const words[] = {"no", "yes", NULL};
    return words[i];
}

// How a type's words are found, and what one of them is called in messages.
static WordOf words_of(IrTypeKind kind, const char **noun) {
    switch (kind) {
    case TY_BOOL: *noun = "answer"; return bool_word;
    case TY_PLAYER: *noun = "player"; return player_word;
    case TY_CELL: *noun = "cell"; return cell_word;
    case TY_DIRECTION: *noun = "direction"; return direction_word;
    case TY_KIND: *noun = "piece"; return kind_word;
    case TY_FLAG: *noun = "word"; return flag_word;
    default: *noun = "value"; return NULL;
    }
}

bool value_flags_joined(const IrGame *ir, IrType mask) {
    if (mask.of != TY_FLAG)
        return false;
    const IrEnum *flags = &ir->enums[mask.of_enum];
    for (int i = 0; i < flags->count; i++)
        if (strlen(flags->name[i]) != 1)
            return false;
    return true;
}

// --- Writing ---

static void line_text(const Board *b, int64_t line, Text *out) {
    if (line < 0 || line >= b->lines) {
        text_char(out, '-');
        return;
    }
    for (int i = 0; i < b->line[line].count; i++)
        text_f(out, "%s%s", i ? "+" : "", b->cell[b->line[line].cells[i]].name);
}

static void mask_text(const IrGame *ir, IrType type, uint64_t mask, Text *out) {
    IrType member = {.kind = type.of, .of_enum = type.of_enum};
    bool joined = value_flags_joined(ir, type);
    if (!mask)
        text_char(out, '-');
    for (int n = 0; mask; n++) {
        text_add(out, n && !joined ? "+" : "");
        value_text(ir, member, bits_pop(&mask), out);
    }
}

void value_text(const IrGame *ir, IrType type, int64_t value, Text *out) {
    const char *noun;
    WordOf word_of = words_of(type.kind, &noun);
    if (type.kind == TY_LINE) {
        line_text(ir->board, value, out);
    } else if (type.kind == TY_MASK) {
        mask_text(ir, type, (uint64_t)value, out);
    } else if (!word_of || (type.kind == TY_PLAYER && value >= 0 && value < ir->players &&
                            !player_named(ir, (int)value))) {
        value += type.kind == TY_PLAYER;
        text_f(out, "%lld", (long long)value);
    } else {
        // A value past the last word is `none`.
        const char *word = value >= 0 && value < BOARD_MAX_CELLS ? "" : NULL;
        for (int i = 0; word && i <= value; i++)
            word = word_of(ir, type, i);
        text_add(out, word ? word : "-");
    }
}

// --- Reading ---

static void show_word(Text *error, const char *word) {
    size_t n = strlen(word), shown = n < SHOWN ? n : SHOWN;
    while (shown < n && shown > SHOWN - 4 && ((unsigned char)word[shown] & 0xC0) == 0x80)
        shown--; // not in the middle of a character
    text_char(error, '`');
    text_visible(error, word, shown);
    text_add(error, shown < n ? "…`" : "`");
}

static bool read_number(const char *word, int64_t *value, Text *error) {
    const char *digits = word + (*word == '-');
    size_t n = strspn(digits, "0123456789");
    if (n == 0 || digits[n]) {
        show_word(error, word);
        text_add(error, " is not a number");
        return false;
    }
    // Ten digits cannot overflow; larger numbers are outside every range.
    while (*digits == '0' && digits[1])
        digits++, n--;
    if (n > 10) {
        show_word(error, word);
        text_add(error, " is too large a number");
        return false;
    }
    *value = strtoll(digits, NULL, 10);
    if (*word == '-')
        *value = -*value;
    return true;
}

// Adds what could stand there: a near miss, or all if they are few.
static void add_choices(const IrGame *ir, IrType type, WordOf word_of, const char *word,
                        Text *error) {
    const char *words[BOARD_MAX_CELLS];
    int n = 0;
    for (const char *w; n < BOARD_MAX_CELLS && (w = word_of(ir, type, n)); n++)
        words[n] = w;
    const char *near = text_nearest(word, words, n);
    if (near)
        text_f(error, "; did you mean `%s`?", near);
    else if (n > 0 && n <= 12)
        for (int i = 0; i < n; i++)
            text_f(error, "%s%s",
                   i == 0       ? (n > 1 ? "; there are " : "; there is ")
                   : i == n - 1 ? " and "
                                : ", ",
                   words[i]);
}

// The value with that word: exactly, or but for upper and lower case if only one is so.
static int find_word(const IrGame *ir, IrType type, WordOf word_of, const char *word) {
    int loose = -1, found = 0;
    const char *w;
    for (int i = 0; (w = word_of(ir, type, i)); i++) {
        if (strcmp(w, word) == 0)
            return i;
        if (strcasecmp(w, word) == 0) {
            loose = i;
            found++;
        }
    }
    return found == 1 ? loose : -1;
}

static int none_of(const IrGame *ir, IrTypeKind kind) {
    switch (kind) {
    case TY_PLAYER: return ir->players;
    case TY_CELL: return ir->board->cells;
    case TY_KIND: return ir->kinds;
    case TY_DIRECTION: return ir->board->directions;
    case TY_LINE: return ir->board->lines;
    default: return 0;
    }
}

static bool read_word(const IrGame *ir, IrType type, const char *word, int64_t *value,
                      Text *error) {
    const char *noun;
    WordOf word_of = words_of(type.kind, &noun);
    int found = find_word(ir, type, word_of, word);
    if (found < 0 && type.kind == TY_PLAYER && word[0] >= '1' && word[0] < '1' + ir->players &&
        !word[1])
        found = word[0] - '1';
    if (found < 0 && type.kind == TY_BOOL)
        found = strcasecmp(word, "true") == 0 ? 1 : strcasecmp(word, "false") == 0 ? 0 : -1;
    if (found >= 0) {
        *value = found;
        return true;
    }
    if (type.kind == TY_BOOL) {
        show_word(error, word);
        text_add(error, " is neither yes nor no");
        return false;
    }
    text_f(error, "there is no %s ", noun);
    show_word(error, word);
    add_choices(ir, type, word_of, word, error);
    return false;
}

// A line as its cells in any order, joined by `+`.
static bool read_line(const IrGame *ir, const char *word, int64_t *value, Text *error) {
    const Board *b = ir->board;
    uint64_t set[BOARD_MAX_WORDS] = {0};
    const char *at = word;
    bool good = true;
    while (good) {
        size_t n = strcspn(at, "+");
        int c = 0;
        while (c < b->cells &&
               !(strlen(b->cell[c].name) == n && strncasecmp(b->cell[c].name, at, n) == 0))
            c++;
        good = c < b->cells;
        if (good)
            set[c / 64] |= (uint64_t)1 << (c % 64);
        if (!at[n])
            break;
        at += n + 1;
    }
    for (int l = 0; good && l < b->lines; l++)
        if (memcmp(&b->line_set[l * b->words], set, sizeof(uint64_t) * (size_t)b->words) == 0) {
            *value = l;
            return true;
        }
    text_add(error, "there is no line ");
    show_word(error, word);
    return false;
}

static bool read_member(const IrGame *ir, IrType member, const char *from, size_t n, uint64_t *mask,
                        Text *error) {
    char word[64];
    int64_t value;
    if (n >= sizeof word)
        n = sizeof word - 1; // no member is that long: it will be refused
    memcpy(word, from, n);
    word[n] = '\0';
    if (!value_read(ir, member, word, &value, error))
        return false;
    if (value < 0 || value > 63) {
        text_f(error, "%lld is not in 0..63", (long long)value);
        return false;
    }
    *mask |= (uint64_t)1 << value;
    return true;
}

static bool read_mask(const IrGame *ir, IrType type, const char *word, int64_t *value,
                      Text *error) {
    IrType member = {.kind = type.of, .of_enum = type.of_enum};
    uint64_t mask = 0;
    bool joined = value_flags_joined(ir, type);
    if (strcmp(word, "-") == 0 || strcasecmp(word, "none") == 0) {
        *value = 0;
        return true;
    }
    for (const char *at = word;;) {
        size_t n = joined && *at ? 1 : strcspn(at, "+");
        if (!read_member(ir, member, at, n, &mask, error))
            return false;
        at += n;
        if (*at == '+')
            at++;
        else if (!*at)
            break;
    }
    *value = (int64_t)mask;
    return true;
}

bool value_read(const IrGame *ir, IrType type, const char *word, int64_t *value, Text *error) {
    bool none = strcmp(word, "-") == 0 || strcasecmp(word, "none") == 0;
    switch (type.kind) {
    case TY_MASK: return read_mask(ir, type, word, value, error);
    case TY_INT: return read_number(word, value, error);
    case TY_LINE:
    case TY_PLAYER:
    case TY_CELL:
    case TY_KIND:
    case TY_DIRECTION:
        if (none && type.optional) {
            *value = none_of(ir, type.kind);
            return true;
        }
        return type.kind == TY_LINE ? read_line(ir, word, value, error)
                                    : read_word(ir, type, word, value, error);
    case TY_BOOL:
    case TY_FLAG: return read_word(ir, type, word, value, error);
    default: text_add(error, "a value of this type cannot be read"); return false;
    }
}
