/* ludens.h: the public library. Load a game written in the Ludens rules language, play it.
 *
 * Ownership
 *   - A LudensGame is immutable and may be shared between threads. Free it last.
 *   - A LudensRunner is one thread's working memory for one game; make one per thread.
 *   - A state is plain memory of ludens_state_size() bytes, aligned for uint64_t, that belongs to
 *     the caller: copy it, compare it, keep it on the stack or in a table. It has no pointers.
 *   - Every char * that is returned is the caller's: release it with ludens_free_text().
 *     A const char * belongs to the object it came from.
 *
 * Errors
 *   Functions that can fail return NULL, false or -1. Where a `char **error` is given it is set to
 *   a message of one or more lines, or to NULL if all is well; pass NULL if you do not care.
 *   Nothing here prints, exits or keeps global state.
 */
#ifndef LUDENS_H
#define LUDENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Programs that need this version or a later one with the same major number will go on working. */
#define LUDENS_VERSION_MAJOR 0
#define LUDENS_VERSION_MINOR 1
#define LUDENS_VERSION_PATCH 0
const char *ludens_version(void); /* of the library that is running, "0.1.0" */

typedef struct LudensGame LudensGame;
typedef struct LudensRunner LudensRunner;
typedef struct LudensMove {
    uint64_t w[2]; /* equal moves of a state have equal words */
} LudensMove;

/* --- Games --- */

/* `name` is a game of the library ("mill") or the path of a rules file (it contains a `/` or ends
 * in ".game"). `params` are `count` texts such as "rows=6"; parameters not named take their
 * defaults. */
LudensGame *ludens_load(const char *name, const char *const *params, int count, char **error);
/* The same from the text of a rules file; `title` stands for the file's name in messages. */
LudensGame *ludens_compile(const char *title, const char *text, const char *const *params,
                           int count, char **error);
void ludens_free(LudensGame *game);

/* The name of the i-th game of the library, NULL after the last. */
const char *ludens_library(int i);

const char *ludens_name(const LudensGame *game);  /* "mill" */
const char *ludens_title(const LudensGame *game); /* "Nine Men's Morris" */
int ludens_players(const LudensGame *game);       /* 1 to 7 */
const char *ludens_player_name(const LudensGame *game, int player);

/* --- States --- */

/* At most this, for states on the stack. */
#define LUDENS_STATE_MAX 4096
size_t ludens_state_size(const LudensGame *game);
void ludens_start(const LudensGame *game, void *state); /* the initial position */
/* The player on move, from 0. */
int ludens_player(const LudensGame *game, const void *state);
/* Equal positions have equal hashes; move counters are not part of a position. */
uint64_t ludens_hash(const LudensGame *game, const void *state);

/* A state as one line of text, and back. */
char *ludens_state_text(const LudensGame *game, const void *state);
bool ludens_state_read(const LudensGame *game, const char *text, void *state, char **error);

/* The board as a picture for a terminal. Flags may be added up. */
#define LUDENS_ASCII 1  /* no character outside ASCII */
#define LUDENS_COLOUR 2 /* with ANSI escapes */
char *ludens_board(const LudensGame *game, const void *state, int flags);

/* --- Play --- */

LudensRunner *ludens_runner_new(const LudensGame *game); /* NULL when out of memory */
void ludens_runner_free(LudensRunner *runner);
/* What went wrong in the call with this runner that failed last. */
const char *ludens_error(const LudensRunner *runner);

/* The legal moves; returns how many, 0 when the game is over, -1 if the rules fail. `*moves`
 * holds until the next call with this runner. */
int ludens_moves(LudensRunner *runner, const void *state, const LudensMove **moves);
/* Plays a move that ludens_moves or ludens_move_read gave for `from`; `to` may be `from`. */
bool ludens_apply(LudensRunner *runner, const void *from, LudensMove move, void *to);

/* 0 while the game goes on, LUDENS_OVER plus (1 << player) for each winner when it is over,
 * -1 if the rules fail. Draws by repetition need the history of the game: see ludens_repeated. */
#define LUDENS_OVER 0x80
int ludens_result(LudensRunner *runner, const void *state);
/* A position that occurs this often ends the game with a draw; 0 if the game has no such rule. */
int ludens_repeated(const LudensGame *game);
/* "White wins", "a draw"; for -1, that the rules fail. */
char *ludens_result_text(const LudensGame *game, int result);

char *ludens_move_text(LudensRunner *runner, const void *state, LudensMove move);
bool ludens_move_read(LudensRunner *runner, const void *state, const char *text, LudensMove *move,
                      char **error);

void ludens_free_text(char *text);

#ifdef __cplusplus
}
#endif

#endif
