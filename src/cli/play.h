// play: a game in the terminal, as cmd_play.c and play_commands.c share it.
#ifndef LUDENS_PLAY_H
#define LUDENS_PLAY_H

#include "cli/seats.h"
#include "game/movetext.h"
#include "game/record.h"

// X(name, letter, arguments, help)
#define PLAY_COMMANDS(X)                                                                           \
    X(help, 'h', "", "this list")                                                                  \
    X(moves, 'm', "", "the legal moves")                                                           \
    X(board, 'b', "", "the board again")                                                           \
    X(back, 0, "", "give up the last choice of a move begun; so does Enter")                       \
    X(hint, 0, "", "what the program would play here")                                             \
    X(history, 0, "", "the moves so far")                                                          \
    X(undo, 'u', "", "take back, up to your own last move")                                        \
    X(redo, 0, "", "play again what was taken back")                                               \
    X(restart, 0, "", "begin again")                                                               \
    X(save, 0, "FILE", "write the game to a file")                                                 \
    X(load, 0, "FILE", "go on with a saved game")                                                  \
    X(quit, 'q', "", "leave")

typedef struct Play {
    const Cli *cli;
    const Game *game;
    Runner *runner;
    Record *record;
    const char *const *params; // as given, for saving
    int param_count;
    Seats seats;
    uint64_t seed;
    Player *adviser; // who gives hints; NULL until one is wanted
    bool terminal;   // a person types; otherwise lines come from a pipe
    int line_number; // of the pipe
    bool shown;      // the position is on the screen
    bool done;
    MoveBegun begun; // a move that is made choice by choice; without words: none is
    int begun_line;  // of the pipe
    DrawStyle style;
    Text out;
} Play;

// What a line is: nothing that can be played, choices that begin a move (or continue the one that
// is begun: then in `part`), or the whole or the rest of a move. Otherwise `why` says why not.
typedef enum PlayTyped { TYPED_NOTHING, TYPED_PART, TYPED_MOVE } PlayTyped;
PlayTyped play_read(Play *p, const char *line, Move *move, MoveBegun *part, Text *why);
static inline bool play_has_begun(const Play *p) {
    return p->begun.words.n > 0;
}
void play_add_next(Play *p); // what the next choice of the move begun is

// Runs a line that is a command (`undo`, `/undo`, `u`). `*ok` is false if it could not be done;
// the reason is then in p->out. Returns false if the line is no command.
bool play_command(Play *p, const char *line, bool *ok);
// The command that a word which is neither a move nor a command may be meant for; NULL if none.
const char *play_near_command(const char *line);
// Adds the names of commands that begin with `typed`, a line each.
void play_complete_commands(const char *typed, Text *out);

void play_add_board(Play *p);       // the board, changed cells marked, to p->out
void play_add_status(Play *p);      // who is on move and what to do, or who has won
bool play_is_person(const Play *p); // whether the player on move is one

#endif
