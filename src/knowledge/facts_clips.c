// facts_clips: the facts of CLIPS, those of one name together; see why_clips.h.
#include "knowledge/why_clips.h"

#include <string.h>

// More of a name are only shown with --all.
#define SHOWN 60

static bool same_kind(const ClipsFact *a, const ClipsFact *b) {
    return a->given == b->given && strcmp(a->name, b->name) == 0;
}

static bool is_first(const ClipsFound *found, int fact) {
    for (int i = 0; i < fact; i++)
        if (same_kind(&found->fact[i], &found->fact[fact]))
            return false;
    return true;
}

static void add_kind(const ClipsFound *found, int first, bool all, Text *out) {
    Rows rows = {.out = out, .indent = 4};
    Text more = {0};
    int count = 0, n = 0;
    for (int i = first; i < found->facts; i++)
        count += same_kind(&found->fact[i], &found->fact[first]);
    int shown = all || count <= SHOWN ? count : SHOWN;
    text_f(out, "  %s: %d\n", found->fact[first].name, count);
    for (int i = first; i < found->facts && n < shown; i++) {
        if (!same_kind(&found->fact[i], &found->fact[first]))
            continue;
        rows_add(&rows, found->fact[i].text);
        n++;
    }
    if (shown < count) {
        text_f(&more, "and %d more", count - shown);
        rows_add(&rows, text_c(&more));
    }
    rows_end(&rows);
    text_free(&more);
}

static void add_group(const ClipsFound *found, bool given, bool all, Text *out) {
    bool any = false;
    for (int i = 0; i < found->facts; i++) {
        if (found->fact[i].given != given || !is_first(found, i))
            continue;
        if (!any)
            text_add(out, given ? "facts\n" : "rules\n");
        any = true;
        add_kind(found, i, all, out);
    }
}

static void add_printed(const char *printed, Text *out) {
    if (!printed[0])
        return;
    text_add(out, "printed\n");
    while (*printed) {
        size_t n = strcspn(printed, "\n");
        text_add(out, "    ");
        text_visible(out, printed, n);
        text_char(out, '\n');
        printed += n + (printed[n] == '\n');
    }
}

void clips_facts_text(const ClipsFound *found, bool all, Text *out) {
    add_group(found, true, all, out);
    add_group(found, false, all, out);
    add_printed(found->printed, out);
    if (!found->facts)
        text_add(out, "the rules ask for nothing: --all lists what they could ask for\n");
}

void clips_facts_json(const ClipsFound *found, Text *out) {
    text_add(out, ",\"relations\":[");
    for (int i = 0, kinds = 0; i < found->facts; i++) {
        const ClipsFact *first = &found->fact[i];
        if (!is_first(found, i))
            continue;
        text_add(out, kinds++ ? ",{\"name\":" : "{\"name\":");
        text_json(out, first->name);
        text_f(out, ",\"kind\":\"%s\",\"facts\":[", first->given ? "fact" : "rule");
        for (int j = i, n = 0; j < found->facts; j++) {
            if (!same_kind(first, &found->fact[j]))
                continue;
            text_add(out, n++ ? "," : "");
            text_json(out, found->fact[j].text);
        }
        text_add(out, "]}");
    }
    text_add(out, "],\"printed\":");
    text_json(out, found->printed);
}
