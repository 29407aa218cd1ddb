#!/bin/sh
# fuzz.sh TARGET DICTIONARY FOLDER...: runs a fuzz target over the kept inputs in the folders, then
# on new inputs for FUZZ_SECONDS. New inputs and crashes go beside the target; the folders are not
# changed. `-` stands for no dictionary.
set -eu
target=$1
dictionary=$2
shift 2
found=$target.found
mkdir -p "$found"
set -- "$found" "$@"
if [ "$dictionary" != - ]; then
    set -- -dict="$dictionary" "$@"
fi
exec "$target" -max_total_time="${FUZZ_SECONDS:-5}" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$target." "$@"
