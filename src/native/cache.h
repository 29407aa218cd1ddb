// cache: where compiled games are kept, and whether an entry can be trusted.
#ifndef LUDENS_NATIVE_CACHE_H
#define LUDENS_NATIVE_CACHE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A 64-bit content hash; `h` chains several texts.
uint64_t cache_hash(uint64_t h, const void *data, size_t size);

// The user's folder for compiled games, made if need be, closed to others. False with a reason.
bool cache_folder(Text *out, Text *why);

// Removes a folder of `cache_folder` in which a game was being compiled, and the files in it.
void cache_remove(const char *folder);
// Removes those that were left behind: a program that is killed cannot do it itself. `seconds`
// is how old they have to be, longer than any compilation takes.
void cache_sweep(const char *cache, int seconds);

// What of this machine decides the code a compiler makes: its processor's features.
uint64_t cache_machine(void);

// Ends a finished file with its checksum, which holds for this key alone. False if that cannot be
// written.
bool cache_seal(const char *path, uint64_t key);
// Whether the file is whole, made for this key, and this user's own.
bool cache_is_sound(const char *path, uint64_t key);

#endif
