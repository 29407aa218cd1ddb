// anchor: the tags at the corners of a board, looked for again while a game is played: a camera
// that was pushed is followed, or it is known that it no longer sees where the board is.
#ifndef LUDENS_ANCHOR_H
#define LUDENS_ANCHOR_H

#include "vision/view.h"

typedef struct Anchor Anchor;
// `corner` as of Table; copied. NULL with the reason.
Anchor *anchor_new(const double corner[8], Text *why);
void anchor_free(Anchor *a);

typedef enum Anchored {
    ANCHOR_HOLDS, // the tags that are seen are where the view has them
    ANCHOR_MOVED, // they are all elsewhere: now the view has them there
    ANCHOR_LOST,  // they are not where they were, and too few are seen to say where the board is
} Anchored;
// Takes as long as tags_find, so not for each picture. A hand may hide some of the tags, and one
// tag alone may be pushed: then those that are where they should be count. ANCHOR_LOST comes with
// the reason.
Anchored anchor_look(Anchor *a, const Picture *p, View *v, Text *why);

#endif
