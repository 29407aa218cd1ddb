// reader: what the files of the S3 reader share.
//
// A file is read line by line; a line is a section header, a line of a named expression, or a
// field: key=value. A field goes to the function of its key in the table of its section. Records
// are opened by one key (`name`, `situation`) and filled by the others; they are kept as indices,
// since the arrays grow.
#ifndef LUDENS_S3_READER_H
#define LUDENS_S3_READER_H

#include "s3/s3.h"

// Far more than any game has, and few enough that looking through all of them is quick.
#define S3_MAX_ELEMENTS 1024
#define S3_MAX_FUNCTIONS 1024
#define S3_MAX_RULES 1024 // and scorings, and conditions of the end
#define S3_MAX_TYPES 256  // of elements, of locations, for the camera
#define S3_MAX_PARAMS 32
#define S3_MAX_STATES 255 // a state is kept in a byte
#define S3_MAX_NAME 100   // bytes
#define S3_MAX_LINE 10000 // bytes: the longest of the old games has 200
#define S3_MAX_WARNINGS 20

typedef enum S3SectionId {
    S3_BOARD,
    S3_CAMERA_TYPES,
    S3_ELEMENT_TYPES,
    S3_LOCATION_TYPES,
    S3_LOCATIONS,
    S3_PLAYER_NAMES,
    S3_MOVABLE_ELEMENTS,
    S3_EXPRESSIONS,
    S3_SCORINGS,
    S3_END_OF_GAME,
    S3_GAME_RULES,
    S3_SECTIONS, // how many there are; as a section: what is passed over
} S3SectionId;

typedef struct Field {
    const char *key, *value; // not trimmed: the value may begin with blanks
    Span key_span, value_span;
} Field;

// Players and scores as they come, paired when the record is closed.
typedef struct S3Pairs {
    S3Node **player, **score;
    int players, scores;
    int player_cap, score_cap;
    int player_lines, score_lines; // also those that could not be read
    Span last;
} S3Pairs;

typedef struct Reader {
    Arena *arena;
    Diags *diags;
    S3File *file;
    Look *look;
    S3SectionId section;
    int warnings;
    uint32_t given[S3_SECTIONS]; // which keys the open record has, by place in the table
    // The open record, -1 if there is none.
    int colour, piece, place_type, location, element, function, scoring, end, rule;
    int colour_cap, piece_cap, place_type_cap, location_cap, place_cap, element_cap, function_cap,
        scoring_cap, end_cap, rule_cap, player_cap, line_cap;
    LookPicture piece_image, place_image; // the last `image`, for the next `point`
    int piece_points;                     // of the open type
    bool end_has_winner;
    bool element_again, location_again; // the open record has replaced another
    S3Element old_element;
    LookPlace old_place;
    S3Pairs scoring_pairs, rule_pairs;
} Reader;

typedef enum S3KeyFlags {
    S3_KEY_OPENS = 1,   // begins a record
    S3_KEY_REPEATS = 2, // may stand several times in a record
    S3_KEY_ALONE = 4,   // belongs to no record
    S3_KEY_EXACT = 8,   // in lower case only
} S3KeyFlags;

typedef struct S3Key {
    const char *name; // NULL ends the table
    int flags;
    void (*take)(Reader *r, const Field *field);
} S3Key;

// read_look.c
extern const S3Key s3_board_keys[], s3_camera_keys[], s3_element_type_keys[],
    s3_location_type_keys[];
void s3_close_piece(Reader *r);
// read_setup.c
extern const S3Key s3_location_keys[], s3_player_keys[], s3_element_keys[];
bool s3_take_player(Reader *r, const Field *field); // N=name; false if it is no such field
void s3_close_location(Reader *r);
void s3_close_element(Reader *r);
// read_rules.c
extern const S3Key s3_scoring_keys[], s3_end_keys[], s3_rule_keys[];
void s3_close_scoring(Reader *r);
void s3_close_end(Reader *r);
void s3_close_rule(Reader *r);
// read_function.c
void s3_take_function_line(Reader *r, const char *text, Span at);
void s3_close_function(Reader *r);

// read_value.c: what values are made of. On failure an error is reported.
void s3_warn(Reader *r, Span at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void s3_warn_help(Reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool s3_read_int(Reader *r, const Field *field, int32_t *value);
bool s3_read_double(Reader *r, const Field *field, double *value);
// Numbers between commas; -1 on failure, otherwise how many, at most `most`.
int s3_read_list(Reader *r, const Field *field, double *value, int most);
bool s3_read_point(Reader *r, const Field *field, int *x, int *y);
// The value as a name. It is always usable; what is odd about it is reported.
const char *s3_read_name(Reader *r, const Field *field);
// Reports and returns false if `count` has reached `most`.
bool s3_has_room(Reader *r, Span at, int count, int most, const char *what);
// The nearest of some names for the help of a warning; NULL if that warning is not shown.
const char *s3_nearest(const Reader *r, const char *word, const char *const *words, int n);
Span s3_span_at(Span span, size_t from, size_t length); // part of a span

// check_file.c: what can only be seen when everything is read.
void s3_check_file(Reader *r);
// check_calls.c
void s3_bind_calls(Reader *r);
// check_look.c
void s3_check_look(Reader *r);
// pictures.c: warns about pictures that are not there.
void s3_check_pictures(Reader *r);

#endif
