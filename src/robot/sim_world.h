// sim_world: the pieces of a simulated table and what a hand does to them. No threads, no time: it
// is told where the hand is, as often as it moved.
//
// Fingers that close round the top piece of a pile hold it; fingers that open let it go. What is
// let go on a site, not far off and not far above what stands there, stands; else it lies beside.
// What the hand, or the piece in it, goes through falls over, and what stood on it too.
#ifndef LUDENS_SIM_WORLD_H
#define LUDENS_SIM_WORLD_H

#include "robot/table.h"

typedef enum SimPlace {
    SIM_STANDS, // on a site
    SIM_LIES,   // beside all sites, or askew
    SIM_HELD,   // in the arm's fingers
    SIM_LIFTED, // in a person's hand
} SimPlace;

typedef struct SimPiece {
    int kind;
    SimPlace place;
    int site, level; // SIM_STANDS
    Point at;        // the middle of its bottom
} SimPiece;

typedef struct SimHand {
    bool known;       // the arm was woken
    Point joint[4];   // shoulder, elbow, wrist, between the tips of the fingers
    double opened;    // 0 closed .. 1 open
    double direction; // degrees of the fingers on the table
} SimHand;

typedef struct SimWorld {
    const Table *table;
    SimPiece *piece; // owned
    int pieces;
    double grip;   // cm over the bottom of a piece: where fingers hold it
    double finger; // cm that open fingers stand out over the piece between them
    SimHand hand;
    bool open;  // the fingers, as the pieces feel it
    int held;   // a piece, or -1
    int spared; // a site where the fingers have just closed in vain: they leave it in peace; or -1
    bool miss;  // the next time that fingers would hold something they do not
    bool below; // the hand is in the table
    int missed, dropped;
    int64_t picked, placed;
    int collisions;
} SimWorld;

bool sim_world_init(SimWorld *w, const Table *t); // an empty table; false when out of memory
void sim_world_free(SimWorld *w);
void sim_world_set(SimWorld *w, const Scene *scene); // everything else is gone, also what is held
void sim_world_get(const SimWorld *w, Scene *scene); // what stands
int sim_world_top(const SimWorld *w, int site);      // a piece, or -1
// Where the bottom of the next piece on a site would be.
double sim_world_floor(const SimWorld *w, int site);

// The hand where servos stand, in microseconds by channel.
void sim_hand_at(const Arm *arm, const double *pulse, SimHand *hand);
// The hand has moved there on a straight way.
void sim_world_move(SimWorld *w, const SimHand *to);
void sim_world_drop(SimWorld *w); // what is held falls

// A person: takes the top piece of a site, and puts it on another; -1: there was none.
int sim_world_lift(SimWorld *w, int site);
void sim_world_put(SimWorld *w, int piece, int site);
void sim_world_tidy(SimWorld *w); // what lies goes to stores
int sim_world_fallen(const SimWorld *w);

#endif
