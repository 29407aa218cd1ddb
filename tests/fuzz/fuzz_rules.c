// fuzz_rules: rules made at random that are right most of the time, for what comes after the
// checker: both readings of the IR must agree on every move, and values stay in their bounds.

#include "random_rules.h"
#include "try_game.h"

#define LARGEST 600

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > LARGEST)
        return -1;
    Text text = {0};
    Maker m = {.bytes = data, .size = size, .out = &text};
    make_game(&m);
    Source source = {"random.game", text_c(&text), text.n};
    Diags diags = {.source = &source};
    // What the maker gets wrong is not tried again and again.
    bool right = try_rules(&source, &diags);
    if (getenv("SHOW")) {
        fputs(text_c(&text), stderr);
        Text out = {0};
        diag_print(&diags, &out, false);
        fputs(text_c(&out), stderr);
        text_free(&out);
    }
    diag_free(&diags);
    text_free(&text);
    return right ? 0 : -1;
}
