// fuzz_s3: any text as a file of the S3Games system.
//
// Whatever it is, it is read, made into a game, compiled, printed and played for a few moves
// without a crash, a leak or a hang; what is reported agrees with what is returned.

#include "change_text.h"
#include "s3/s3.h"
#include "try_game.h"

// Long enough for the smaller of the old games.
#define LARGEST 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static IrGame *s3_front(Game *g, Diags *diags) {
    S3File *file = s3_read(&g->arena, &g->source, diags);
    if (!file != (diags->errors > 0))
        fault("errors and result of reading disagree", g->source.text, "");
    if (!file)
        return NULL;
    if (file->look->places != file->locations)
        fault("places and locations differ in number", g->source.text, "");
    IrGame *ir = s3_lower(&g->arena, file, NULL, 0, diags);
    if (!ir != (diags->errors > 0))
        fault("errors and game disagree", g->source.text, "");
    return ir;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > LARGEST)
        return -1;
    char *text = mem_alloc(size + 1);
    if (size)
        memcpy(text, data, size);
    s3_recognised(text, size);
    Source source = {"nowhere/fuzz", text, size};
    Diags diags = {.source = &source};
    try_source(&source, s3_front, &diags);
    diag_free(&diags);
    mem_free(text);
    return 0;
}

// Lines and words taken out, doubled and put elsewhere keep more files playable than bytes do.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    Rng rng;
    rng_seed(&rng, seed);
    if (size == 0 || rng_below(&rng, 3) == 0)
        return LLVMFuzzerMutate(data, size, most);
    char *s = (char *)data, copy[LARGEST];
    for (uint64_t changes = 1 + rng_below(&rng, 3); changes > 0 && size > 0; changes--) {
        bool line = rng_below(&rng, 3) == 0;
        Part from = pick(s, size, line, &rng), to = pick(s, size, line, &rng);
        if (from.length > sizeof copy)
            continue;
        memcpy(copy, s + from.from, from.length);
        uint64_t what = rng_below(&rng, 6);
        if (what == 0)
            size = replace(s, size, most, to, "", 0);
        else if (what == 1)
            size = replace(s, size, most, (Part){to.from, 0}, copy, from.length);
        else
            size = replace(s, size, most, to, copy, from.length);
    }
    return size;
}
