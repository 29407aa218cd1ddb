// read: an S3 file line by line: sections, fields, and what they may look like (s3.h, reader.h).
#include "s3/reader.h"

#include <string.h>
#include <strings.h>

typedef struct Section {
    const char *name;
    const S3Key *keys;
    bool (*other)(Reader *r, const Field *field); // for keys that are not in the table
} Section;

static const Section sections[S3_SECTIONS] = {
    [S3_BOARD] = {"BOARD", s3_board_keys, NULL},
    [S3_CAMERA_TYPES] = {"REALBOARD ELEMENT TYPES", s3_camera_keys, NULL},
    [S3_ELEMENT_TYPES] = {"ELEMENT TYPES", s3_element_type_keys, NULL},
    [S3_LOCATION_TYPES] = {"LOCATION TYPES", s3_location_type_keys, NULL},
    [S3_LOCATIONS] = {"LOCATIONS", s3_location_keys, NULL},
    [S3_PLAYER_NAMES] = {"PLAYER NAMES", s3_player_keys, s3_take_player},
    [S3_MOVABLE_ELEMENTS] = {"MOVABLE ELEMENTS", s3_element_keys, NULL},
    [S3_EXPRESSIONS] = {"EXPRESSIONS", NULL, NULL},
    [S3_SCORINGS] = {"SCORINGS", s3_scoring_keys, NULL},
    [S3_END_OF_GAME] = {"END OF GAME", s3_end_keys, NULL},
    [S3_GAME_RULES] = {"GAME RULES", s3_rule_keys, NULL},
};

// ---- Fields ----------------------------------------------------------------------------------

// The open record of the section; -1 if there is none, or if it could not be opened.
static int open_record(const Reader *r) {
    switch (r->section) {
    case S3_CAMERA_TYPES: return r->colour;
    case S3_ELEMENT_TYPES: return r->piece;
    case S3_LOCATION_TYPES: return r->place_type;
    case S3_LOCATIONS: return r->location;
    case S3_MOVABLE_ELEMENTS: return r->element;
    case S3_SCORINGS: return r->scoring;
    case S3_END_OF_GAME: return r->end;
    case S3_GAME_RULES: return r->rule;
    default: return -1;
    }
}

static void warn_unknown(Reader *r, const Field *field) {
    const S3Key *keys = sections[r->section].keys;
    const char *names[16];
    int count = 0;
    while (keys[count].name) {
        names[count] = keys[count].name;
        count++;
    }
    s3_warn(r, field->key_span, "there is no `%s` in [%s]", field->key, sections[r->section].name);
    size_t n = strlen(field->key);
    const char *near = s3_nearest(r, field->key, names, count);
    if (n > 0 && (field->key[n - 1] == ' ' || field->key[n - 1] == '\t'))
        s3_warn_help(r, "write the key without blanks before `=`");
    else if (near && r->section != S3_PLAYER_NAMES)
        s3_warn_help(r, "did you mean `%s`? This line does not count", near);
    else
        s3_warn_help(r, "this line does not count");
}

static void take_known(Reader *r, const S3Key *key, int index, const Field *field) {
    uint32_t *given = &r->given[r->section];
    uint32_t bit = (uint32_t)1 << index;
    if (key->flags & S3_KEY_OPENS) {
        *given = 0;
    } else if (!(key->flags & S3_KEY_ALONE) && open_record(r) < 0) {
        // What belongs to a record that could not be opened is passed over.
        const char *opens = sections[r->section].keys[0].name;
        if (!(*given & 1))
            diag_error(r->diags, field->key_span, "`%s` stands before the first `%s`", field->key,
                       opens);
        return;
    } else if ((*given & bit) && !(key->flags & S3_KEY_REPEATS)) {
        s3_warn(r, field->key_span, "`%s` is given twice; the later counts", field->key);
    }
    *given |= bit;
    key->take(r, field);
}

static void take_field(Reader *r, const Field *field) {
    const Section *section = &sections[r->section];
    for (int i = 0; section->keys[i].name; i++) {
        const S3Key *key = &section->keys[i];
        bool exact = key->flags & S3_KEY_EXACT;
        if (exact ? strcmp(key->name, field->key) == 0 : strcasecmp(key->name, field->key) == 0) {
            take_known(r, key, i, field);
            return;
        }
    }
    if (!section->other || !section->other(r, field))
        warn_unknown(r, field);
}

static void take_field_line(Reader *r, const char *text, Span at) {
    const char *equals = strchr(text, '=');
    if (!equals && text[1] == '\0') {
        s3_warn(r, at, "a line of one character does not count");
        return;
    }
    if (!equals) {
        diag_error(r->diags, at, "there is no `=` in this line");
        diag_help(r->diags, "[%s] has lines such as `%s=...`", sections[r->section].name,
                  sections[r->section].keys[0].name);
        return;
    }
    size_t n = (size_t)(equals - text);
    Field field = {
        .key = arena_text(r->arena, text, n),
        .value = equals + 1,
        .key_span = s3_span_at(at, 0, n ? n : 1),
        .value_span = s3_span_at(at, n + 1, strlen(equals + 1)),
    };
    take_field(r, &field);
}

// ---- Sections --------------------------------------------------------------------------------

static const char *nearest_section(const char *name) {
    const char *names[S3_SECTIONS];
    for (int i = 0; i < S3_SECTIONS; i++)
        names[i] = sections[i].name;
    return text_nearest(name, names, S3_SECTIONS);
}

// Between the first and the last character of the line, whatever that is, as in the original.
static int find_section(const char *text, size_t n) {
    for (int i = 0; i < S3_SECTIONS; i++)
        if (n >= 2 && strlen(sections[i].name) == n - 2 &&
            strncasecmp(sections[i].name, text + 1, n - 2) == 0)
            return i;
    return -1;
}

static void enter_section(Reader *r, S3SectionId section, Span at) {
    if (r->function >= 0) {
        const S3Function *function = &r->file->function[r->function];
        s3_warn(r, at, "the expression `%s` is not closed with END", function->name);
        s3_close_function(r);
    }
    r->section = section;
}

// False if the line is an expression that begins with `[`.
static bool take_header(Reader *r, const char *text, Span at) {
    size_t n = strlen(text);
    int section = find_section(text, n);
    if (section >= 0) {
        if (text[n - 1] != ']')
            s3_warn(r, s3_span_at(at, n - 1, 1), "the name of a section ends with `]`");
        enter_section(r, (S3SectionId)section, at);
        return true;
    }
    const char *end = strchr(text, ']');
    const char *name = arena_text(r->arena, text + 1, end ? (size_t)(end - text) - 1 : n - 1);
    const char *near = nearest_section(name);
    if (r->section == S3_EXPRESSIONS && r->function >= 0 && !near)
        return false;
    diag_error(r->diags, at, "there is no section `%s`", name);
    if (near && strcasecmp(near, name) == 0)
        diag_help(r->diags, "write `[%s]` and nothing else", near);
    else if (near)
        diag_help(r->diags, "did you mean `[%s]`?", near);
    else
        diag_help(r->diags, "sections are [BOARD], [LOCATIONS], [GAME RULES] and eight more");
    // Its lines would only raise follow-up errors.
    enter_section(r, S3_SECTIONS, at);
    return true;
}

// ---- Lines -----------------------------------------------------------------------------------

// Where a comment begins that follows a blank outside of quotes, or the end.
static size_t comment_start(const char *s, size_t n) {
    bool quoted = false;
    for (size_t i = 0; i + 2 < n; i++) {
        if (s[i] == '"')
            quoted = !quoted;
        if (!quoted && (s[i] == ' ' || s[i] == '\t') && s[i + 1] == '/' && s[i + 2] == '/')
            return i;
    }
    return n;
}

static void take_line(Reader *r, const char *s, size_t n, int line, int column) {
    while (n > 0 && (unsigned char)*s <= ' ')
        s++, n--, column++;
    if (n == 0 || (n >= 2 && s[0] == '/' && s[1] == '/'))
        return;
    n = comment_start(s, n);
    while (n > 0 && (unsigned char)s[n - 1] <= ' ')
        n--;
    Span at = {line, column, (int)n};
    if (memchr(s, '\0', n)) {
        diag_error(r->diags, at, "the byte 0x00 is not text");
        return;
    }
    if (n > S3_MAX_LINE) {
        diag_error(r->diags, at, "this line has more than %d bytes", S3_MAX_LINE);
        return;
    }
    const char *text = arena_text(r->arena, s, n);
    if (*text == '[' && take_header(r, text, at))
        return;
    if (r->section == S3_EXPRESSIONS)
        s3_take_function_line(r, text, at);
    else if (r->section != S3_SECTIONS)
        take_field_line(r, text, at);
}

// Lines end as for Java: with CR, LF or both. Messages count LF only, as everywhere.
static void take_lines(Reader *r, const Source *source) {
    const char *text = source->text;
    size_t size = source->size, i = 0;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        i = 3;
    int line = 1;
    size_t start_of_line = 0;
    while (i < size) {
        size_t n = 0;
        while (i + n < size && text[i + n] != '\n' && text[i + n] != '\r')
            n++;
        take_line(r, text + i, n, line, (int)(i - start_of_line) + 1);
        i += n;
        if (i < size && text[i] == '\n') {
            line++;
            start_of_line = i + 1;
        }
        i++;
    }
}

// ---- The file --------------------------------------------------------------------------------

// The file's name without folder and ending.
static const char *game_name(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_text(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static void close_records(Reader *r) {
    if (r->function >= 0) {
        const S3Function *function = &r->file->function[r->function];
        s3_warn(r, function->span, "the expression `%s` is not closed with END", function->name);
    }
    s3_close_function(r);
    s3_close_piece(r);
    s3_close_location(r);
    s3_close_element(r);
    s3_close_scoring(r);
    s3_close_end(r);
    s3_close_rule(r);
}

S3File *s3_read(Arena *arena, const Source *source, Diags *diags) {
    int errors = diags->errors;
    S3File *file = ARENA_NEW(arena, S3File);
    file->source = source;
    file->name = game_name(arena, source->name);
    file->look = ARENA_NEW(arena, Look);
    Reader *r = ARENA_NEW(arena, Reader);
    *r = (Reader){.arena = arena, .diags = diags, .file = file, .look = file->look};
    r->colour = r->piece = r->place_type = r->location = r->element = -1;
    r->function = r->scoring = r->end = r->rule = -1;
    take_lines(r, source);
    close_records(r);
    if (diags->errors == errors)
        s3_check_file(r);
    return diags->errors == errors ? file : NULL;
}
