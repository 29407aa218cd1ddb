// table_view: what a camera has to know about a table.
#include "robot/table.h"

void table_view(const Table *t, View *v) {
    *v = (View){.kinds = t->kinds, .places = t->sites, .plane = t->surface};
    for (int k = 0; k < t->kinds; k++)
        v->kind[k] =
            (ViewKind){t->kind[k].colours, t->kind[k].radius, t->kind[k].height, t->kind[k].name};
    for (int i = 0; i < t->sites; i++) {
        const Site *s = &t->site[i];
        v->place[i] =
            (ViewPlace){s->at.x, s->at.y, t->surface, s->seen, s->picture_x, s->picture_y, s->room};
    }
    view_by_pixels(v, 0, 0);
}
