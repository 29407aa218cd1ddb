// sandbox: what holds a bot back. Limits of the system for each process; bubblewrap, where it
// works, for no network and no writing outside its folder; and a look now and then at how many
// processes there are and how much memory they use together.
//
// What this machine can do is found out once, by trying it.
#ifndef LUDENS_SANDBOX_H
#define LUDENS_SANDBOX_H

#include "base/text.h"

#include <stdint.h>

// A bot is a program of a student on a machine that plays several games at once: enough for
// Python, Node and Java with tables, and little enough for eight of them.
#define SANDBOX_MEMORY ((size_t)1 << 30) // resident, all its processes together
#define SANDBOX_DATA ((size_t)3 << 29)   // of one process: asked for, not only used
#define SANDBOX_PROCESSES 64             // Node has a dozen threads, which count as one
#define SANDBOX_TASKS 1024               // more tasks than there are now
#define SANDBOX_FILE ((size_t)64 << 20)  // a file that it writes
#define SANDBOX_CPU_SECONDS 7200         // of one process
#define SANDBOX_TOKEN "LUDENS_BOT"       // a variable that all its processes have

// LUDENS_SANDBOX=none does without bubblewrap and SANDBOX_DATA.
typedef struct Sandbox {
    bool bubblewrap;
    bool proc; // bubblewrap can give it a /proc of its own
    char words[160];
} Sandbox;
const Sandbox *sandbox_here(void);

// The words in front of a command, NULL-terminated; NULL when out of memory. `folder` NULL: it may
// write nowhere. Everything in `needed` (ended by NULL) stays visible. Freed by sandbox_free.
char **sandbox_wrap(const Sandbox *s, char *const *command, const char *folder,
                    const char *const *needed);
void sandbox_free(char **words);

// How many processes and threads a bot's user may have when it is started now: a brake for those
// that multiply faster than they are looked at.
size_t sandbox_tasks(void);
bool sandbox_data(void); // whether SANDBOX_DATA holds
// In the child, after fork: only calls that are safe there.
void sandbox_limit(size_t tasks, bool data);

typedef struct SandboxUse {
    int processes;
    size_t memory; // resident bytes
} SandboxUse;
// The processes that have the variable SANDBOX_TOKEN=token.
void sandbox_look(const char *token, SandboxUse *use);
void sandbox_kill(const char *token);

#endif
