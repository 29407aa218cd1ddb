// templates: the files of `ludens bot new`, embedded from clients by tools/embed_clients.py, sorted
// by language and name. Constant; a last entry of NULLs follows.
#ifndef LUDENS_TEMPLATES_H
#define LUDENS_TEMPLATES_H

#include <stddef.h>

typedef struct ClientFile {
    const char *language; // the folder of clients
    const char *name;
    const char *text; // NUL-terminated
    size_t size;
} ClientFile;

extern const ClientFile client_files[];

#endif
