// web: the files of the page, inside the program or (for those who work on it) in a folder; and
// what was worked out about the games of the library when the program was built: "library.json" and
// "game/NAME.json".
#ifndef LUDENS_WEB_H
#define LUDENS_WEB_H

#include "server/pages.h"

typedef struct WebFile {
    const char *name; // "lang/de.js"
    const char *tag;  // says whether the content is the same
    const char *data;
    size_t size;
    const char *packed; // by gzip
    size_t packed_size; // 0: it would not be smaller
} WebFile;

extern const WebFile web_files[]; // web_data.c; the last has no name

// The file for a path such as "/net.js"; "/" is index.html. `folder` NULL: those of the program.
// 404 if there is none, which includes every path that would lead out of the folder.
void web_answer(const char *folder, const char *path, bool packed, Answer *out);
// One that is inside, by its name as in the table; false, and nothing is answered, without.
bool web_inside(const char *name, bool packed, Answer *out);
// By the ending of a file's name; NULL: not one that is given out.
const char *web_type(const char *name);

#endif
