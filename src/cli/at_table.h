// at_table: what the files of the command `table` share.
#ifndef LUDENS_AT_TABLE_H
#define LUDENS_AT_TABLE_H

#include "cli/cli.h"
#include "cli/seats.h"
#include "cli/table_talk.h"
#include "robot/robot.h"
#include "robot/sim_table.h"

typedef enum AskWhen { ASK_EACH, ASK_FIRST, ASK_FREE } AskWhen;

typedef struct TableFigures {
    int games, moves, persons; // moves of persons among them
    int steps;                 // of the arm
    int reads, misread;        // of the whole table; in a simulation the truth is known
    int wrong;                 // moves of persons that were taken for others
    int refused;               // boards that were no legal move
    int asked;                 // moves that a person had to name
    int lost;                  // pieces that stood nowhere when a game was over
    int happened, noticed;     // faults; those that were not had no effect
    int failed, helped;        // what it noticed; how often a person helped
    int wins[IR_MAX_PLAYERS], draws;
} TableFigures;

typedef struct AtTable {
    const Cli *cli;
    Desk desk;
    Seats seats;
    Arm arm;
    Table *table;
    View view;
    Camera *camera;
    bool tags; // it has found the board by them
    Controller *controller;
    Robot *robot;
    Record *record;
    Sight sight;
    Talk *talk;
    AskWhen ask;
    int asked; // how often the arm has been let go
    bool json;
    uint64_t seed;
    TableFigures figures;
    // --- of a simulation ---
    SimTable *sim; // NULL: everything is real
    double rate;
    uint32_t faults; // a bit for each SimTrouble
    bool mistakes;   // persons make illegal moves, too
    Rng rng;
    Scene truth;
    Plan plan;
    Player *person; // who decides for simulated persons
    uint8_t *meant; // the state that a simulated person has in mind
    Move meant_move;
    double busy_until; // simulated time: until then a person's hand moves
    bool mistaken;     // the person has made an illegal move and was not yet told
    bool turn;         // it is a person's: what lies below a pile is not known until it is over
    int mistake_from, mistake_to;
} AtTable;

#define TABLE_GO_ON (-1) // no exit status: the game goes on

// --- table_turns.c ---
// One game from its start to its end; an exit status.
int table_game(AtTable *a);
// What the robot tells; for RobotOptions.
bool table_tell(void *with, RobotNews news, const char *line);
// Asks for a line until one of the words (separated by blanks) comes; its number, or -1: nobody
// answers any more. Enter alone is the first of them.
int table_ask(AtTable *a, const char *question, const char *words);

// --- table_sim.c ---
// A simulated table instead of the real one; an exit status.
int table_sim_open(AtTable *a);
void table_sim_close(AtTable *a);
const char *table_sim_port(void *with);        // for RobotOptions
void table_sim_set(AtTable *a);                // the pieces stand as in the record
bool table_sim_person(AtTable *a);             // a person moves; false: reported
void table_sim_told(AtTable *a);               // the person was told that the move is not legal
bool table_sim_answer(AtTable *a, Move *move); // what the person says the move was
void table_sim_check(AtTable *a);              // what was read against the truth
void table_sim_help(AtTable *a);               // does what the robot asks a person to do
void table_sim_trouble(AtTable *a);            // perhaps something goes wrong in the next motions
void table_sim_count(AtTable *a, int news, int repeats); // faults that happened since

#endif
