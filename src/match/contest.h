// contest: what is to be played: who takes part, in which games, by which schedule. Matches,
// tournaments and studies are contests; files and command lines become one (contest.c,
// contest_file.c).
//
// A Contest is immutable once it is made. Everything that happens in it follows from it and its
// seed: the same contest gives the same pairings, openings and random numbers, whatever else runs.
#ifndef LUDENS_CONTEST_H
#define LUDENS_CONTEST_H

#include "game/game.h"

#define CONTEST_ENTRANTS 256
#define CONTEST_GAMES 64 // kinds of games
#define CONTEST_PLIES 1000

typedef struct TimeControl {
    double move;      // seconds for each move; 0: no limit
    double game;      // seconds for all moves of a game; 0: no limit
    double increment; // more of them for each move
    double margin;    // seconds that a move may take longer
    int64_t nodes;    // limits that are told to the player, 0: none
    int depth;
} TimeControl;

typedef struct Entrant {
    const char *name; // in tables; no two are the same
    const char *text; // a player as search.h names them, or `bot:COMMAND`
    TimeControl time; // its own, or the contest's
} Entrant;

typedef struct ContestGame {
    const char *name; // of the library, or a path
    const char **params;
    int param_count;
} ContestGame;

typedef enum ContestKind { MATCH, ROUND_ROBIN, GAUNTLET, KNOCKOUT, SWISS } ContestKind;

typedef struct Sprt { // stops a match early; `on` is false unless asked for
    bool on;
    double elo0, elo1, alpha, beta;
} Sprt;

typedef struct Contest {
    ContestKind kind;
    const char *title;
    uint64_t seed;
    Entrant *entrant; // of a gauntlet the first plays all others
    int entrants;
    ContestGame *game;
    int games;
    int64_t each; // games of a pair (match: in all) in each kind of game and round
    int rounds;   // Swiss; 0: as many as are needed
    bool swap;    // the games of a pair of numbers 2n, 2n+1 have the same opening, seats changed
    int opening_plies; // random moves at the beginning
    int plies;         // longer games are drawn
    Sprt sprt;
    Arena arena;
} Contest;

// A game that is to be played. Its number tells it apart for ever.
typedef struct Pairing {
    int64_t number;
    int round;
    int game;                 // of Contest.game
    int seat[IR_MAX_PLAYERS]; // the entrant that plays each player; -1: no such player
    uint64_t opening;         // seed of the opening; both games of a pair have the same
    uint64_t seed;            // of everything else by chance in this game
} Pairing;

// How a game came to its end.
typedef enum Ending {
    END_RULES,    // the rules say so, repetition included
    END_LENGTH,   // too long: drawn
    END_TIME,     // somebody overstepped the time
    END_ILLEGAL,  // played a move that is none
    END_NONSENSE, // answered something that is no answer
    END_SILENCE,  // did not answer at all
    END_CRASH,    // ended, or could not be started
    END_LIMIT,    // used more memory or processes than allowed, or flooded its output
    END_FAULT,    // the rules failed: nobody's fault, no result
    END_STOPPED,  // interrupted: does not count and is played again
} Ending;
const char *ending_name(Ending e); // one word, as in the database
bool ending_is_offence(Ending e);  // somebody lost the game by it

typedef struct PlayedMove { // what is known about a move that was played
    double seconds;
    int64_t nodes;
    int32_t value; // for the player who moved; search.h
    int16_t depth;
    bool known; // value, nodes and depth were told
} PlayedMove;

typedef struct Played { // a game that was played; owns its texts
    Pairing pairing;
    Ending ending;
    int result;  // RESULT_OVER | winners
    int culprit; // the seat that the ending is due to, -1
    Text reason; // in words
    Text record; // of record_save: replays
    Text log;    // of a failed bot: last protocol lines, signal, tail of its standard error
    PlayedMove *move;
    int moves, openings; // all moves; those of the opening come first
    double seconds[IR_MAX_PLAYERS];
    double began, ended; // Unix time
} Played;
void played_free(Played *p);

#endif
