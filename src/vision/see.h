// see: what stands on the board, read from pictures.
//
// Each pixel belongs to at most one kind (a table of 32,768 colours says which), pixels that touch
// make a blob, and a blob of the right size belongs to the place it lies on. What a place holds
// comes with a confidence. A *Watcher* looks at several frames: it waits while something moves or
// a hand is over the board, and answers when the frames agree. If five times as many frames as have
// to agree never do, it answers, too; but places that they read in two ways are as unsure as the
// frames are divided: nothing is 20 times likelier than another content that some frame saw there.
#ifndef LUDENS_SEE_H
#define LUDENS_SEE_H

#include "vision/view.h"

#define SEE_NOTHING 255

typedef struct Seen {
    uint8_t kind;                  // on top, or SEE_NOTHING
    float sure;                    // 0..1 that this is right
    float support[VIEW_KINDS + 1]; // log-likelihood of each kind, the last of nothing
} Seen;

typedef struct Blob {
    int kind;
    int size;                     // pixels
    double x, y;                  // the middle, in pixels
    int left, top, right, bottom; // the box
    int place;                    // it lies on; -1: beside all places
} Blob;

#define SEE_BLOBS 1024
typedef struct Sight {
    Seen seen[VIEW_PLACES];
    int places;
    Blob blob[SEE_BLOBS];
    int blobs;
    bool hand;     // something large that is no piece covers places
    double spread; // of brightness against the picture the colours were learnt from
} Sight;

typedef struct Eye Eye;      // working memory for one View, and its colour table
Eye *eye_new(const View *v); // the view is copied; NULL when out of memory
void eye_free(Eye *e);
// One picture. False if it is not of the view's size or the view is not placed.
bool eye_look(Eye *e, const Picture *p, Sight *sight);
// The picture with places, blobs and what was recognised drawn over it.
void eye_draw(const Eye *e, const Sight *sight, Picture *p);

typedef struct Watcher Watcher;
// So many frames in a row have to agree.
Watcher *watcher_new(const View *v, int frames);
void watcher_free(Watcher *w);
typedef enum Watched {
    WATCH_MORE,   // another frame is needed
    WATCH_MOVING, // something moves
    WATCH_HAND,   // a hand is over the board
    WATCH_STILL,  // *sight is what stands there
} Watched;
Watched watcher_look(Watcher *w, const Picture *p, Sight *sight);

#endif
