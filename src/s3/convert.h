// convert: an S3 file as a `.game` file that a person can read.
//
//     S3File --convert_place.c--> which places are the board, hands, stacks, switches
//            --convert_eval.c, convert_call.c, convert_loop.c--> conditions as expressions (Gx)
//            --convert_do.c, convert_turn.c--> the turn       --convert.c--> the whole text
//
// Conditions are worked out symbolically: an assignment is remembered, a loop becomes a quantifier,
// a named expression becomes a `let` whose parameters are the variables that it needs.
#ifndef LUDENS_S3_CONVERT_H
#define LUDENS_S3_CONVERT_H

#include "s3/s3.h"

// Where the fingers of an arm are that stands as `robot` lines say (3, 5 or 10 numbers), in cm.
typedef void S3Reach(const double *robot, int count, double at[3]);

// Adds the `.game` text to `out`, with a table section as far as places and colours can be said in
// one; without `reach` (NULL) places cannot. False if a construct is not recognised: then each
// reason is an error in `diags` with its line, and `out` is as it was.
bool s3_convert(Arena *arena, const S3File *file, S3Reach *reach, Text *out, Diags *diags);

#endif
