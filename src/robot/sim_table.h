// sim_table: a table with an arm, pieces and a camera that are not there.
//
// The arm is a SimBoard on a pseudo-terminal: whoever moves it writes SSC-32U commands to its port.
// Pieces stand on sites or lie anywhere; fingers that close round the top piece of a pile lift it,
// fingers that open drop it where they are; a hand or a piece in the hand that passes through a
// standing piece knocks it over and counts as a collision. The camera sees it all in perspective,
// with noise and uneven light. A person's hand can be asked to move pieces too.
// It has a thread of its own; all functions may be called by any thread.
#ifndef LUDENS_SIM_TABLE_H
#define LUDENS_SIM_TABLE_H

#include "robot/sim_board.h"
#include "robot/table.h"
#include "vision/camera.h"

typedef struct SimTable SimTable;

typedef struct SimLook {
    int width, height; // of pictures; 0: 640 x 480
    double noise;      // standard deviation of a colour, of 255
    double light;      // how uneven: 0 even, 1 one side is black
    double tilt;       // degrees of the camera from straight down
    double shake;      // pixels that the picture shifts from frame to frame, at most
    bool tags;         // AprilTags lie at the corners
} SimLook;

typedef enum SimTrouble { // what can be made to happen once, at a random moment of the next motions
    SIM_DROP,             // the fingers lose the piece on the way
    SIM_MISS,             // the fingers close beside the piece
    SIM_STUCK,            // a joint does not move until sim_table_repair
    SIM_LOSE,             // bytes on the line are lost
    SIM_PULL,             // the cable is pulled; sim_table_repair plugs it in again
    SIM_TROUBLES
} SimTrouble;

// `rate` as of sim_board_new. NULL with the reason.
SimTable *sim_table_new(const Table *t, const SimLook *look, double rate, uint64_t seed, Text *why);
void sim_table_free(SimTable *s);
// The measures that the arm really has, if they are not those of the table's arm. Before it moves.
void sim_table_real(SimTable *s, const Arm *arm);
const char *sim_table_port(SimTable *s); // of the arm; another one after SIM_PULL
SimBoard *sim_table_board(SimTable *s);
Camera *sim_table_camera(SimTable *s); // belongs to the caller, who closes it before the table
void sim_table_view(const SimTable *s, View *v); // as a calibration would have found it
// Somebody pushes the camera; as sim_eye_push. False when out of memory.
bool sim_table_push(SimTable *s, double degrees, double right, double down);

void sim_table_set(SimTable *s, const Scene *scene); // pieces stand so
void sim_table_get(SimTable *s, Scene *scene);       // where they really stand
// A person takes the top piece of a site and puts it on another; a hand is over the board for so
// many simulated seconds. False if there is none.
bool sim_table_person(SimTable *s, int from, int to, double seconds);
void sim_table_trouble(SimTable *s, SimTrouble trouble);
void sim_table_repair(SimTable *s); // joints free, cable in; pieces that lie beside go to stores
const char *sim_trouble_word(SimTrouble t); // "drop"

typedef struct SimTold {
    int64_t picked, placed;
    int collisions; // a hand or a piece went through a standing piece
    int fallen;     // pieces that lie beside all sites
    int troubles;   // that have happened
} SimTold;
void sim_table_told(SimTable *s, SimTold *told);

#endif
