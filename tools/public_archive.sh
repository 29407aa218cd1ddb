#!/bin/sh
# Makes a static library that shows only ludens_*: public_archive.sh INSIDE.a PUBLIC.a
# All objects become one, whose other names are local.
set -eu
one="$2.o"
ld -r --whole-archive "$1" -o "$one"
objcopy --wildcard --keep-global-symbol='ludens_*' "$one"
rm -f "$2"
ar rcs "$2" "$one"
rm -f "$one"
