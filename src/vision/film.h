// film: uncompressed films, Y4M files (YUV4MPEG2): 4:2:0, 4:2:2, 4:4:4 and grey, 8 bits a colour.
//
// A Film owns its file and reads one frame at a time, so a film may be long.
#ifndef LUDENS_FILM_H
#define LUDENS_FILM_H

#include "vision/picture.h"

#include <stdio.h>

typedef struct Film Film;

// Takes `file`, also on failure. NULL with the reason.
Film *film_open(FILE *file, Text *why);
void film_close(Film *f);
typedef enum FilmRead { FILM_FRAME, FILM_END, FILM_DAMAGED } FilmRead;
FilmRead film_next(Film *f, Picture *picture, Text *why); // *picture is as it was without a frame

#endif
