#!/bin/sh
# fuzz.sh TARGET CORPUS: runs a fuzz target over its kept corpus, then on new inputs for
# FUZZ_SECONDS. New inputs and crashes go beside the target; the kept corpus is not changed.
set -eu
target=$1
corpus=$2
found=$target.found
mkdir -p "$found"
set -- "$found"
if [ -d "$corpus" ]; then
    set -- "$@" "$corpus"
fi
exec "$target" -max_total_time="${FUZZ_SECONDS:-5}" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$target." "$@"
