#!/bin/sh
# deps.sh [build|test|lint|full]: installs what is missing for one job on Debian, without asking.
# Without an argument: everything but what `make test-full` needs. Silent when all is there.
set -eu

missing=
optional=
with_web=

have() {
    command -v "$1" >/dev/null 2>&1
}

# need PROGRAM PACKAGE
need() {
    have "$1" || missing="$missing $2"
}

# A compiler may be there without the C library's headers.
check_build() {
    need make make
    need gcc gcc
    need meson meson
    need ninja ninja-build
    need pkg-config pkg-config
    need python3 python3
    if ! have gcc || ! echo '#include <stdio.h>' | gcc -E - >/dev/null 2>&1; then
        missing="$missing libc6-dev"
    fi
    if ! have pkg-config || ! pkg-config --exists sqlite3; then
        missing="$missing libsqlite3-dev"
    fi
    for package in libedit:libedit-dev cmocka:libcmocka-dev libwebsockets:libwebsockets-dev \
        libcjson:libcjson-dev libpng:libpng-dev libjpeg:libjpeg-dev apriltag:libapriltag-dev; do
        if ! have pkg-config || ! pkg-config --exists "${package%%:*}"; then
            optional="$optional ${package#*:}"
        fi
    done
    if ! have gcc || ! echo '#include <clips/clips.h>' | gcc -E - >/dev/null 2>&1; then
        optional="$optional libclips-dev"
    fi
}

# Tests need cmocka, and clang with its run-time library for fuzzing; lld links them faster. Bots are tested in Node too,
# and held back by bubblewrap, contests run on several ranks, the page is tested in Chromium, where
# these can be had.
check_test() {
    check_build
    with_web=yes
    have node || optional="$optional nodejs"
    have npm || optional="$optional npm"
    have chromium || optional="$optional chromium"
    have bwrap || optional="$optional bubblewrap"
    { have mpirun && have mpicc; } || optional="$optional openmpi-bin libopenmpi-dev"
    case $optional in
    *libcmocka-dev*) missing="$missing libcmocka-dev" ;;
    esac
    need clang clang
    have ld.lld || optional="$optional lld"
    if ! have clang || ! ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*.a \
        >/dev/null 2>&1; then
        missing="$missing libclang-rt-14-dev"
    fi
}

check_lint() {
    need make make
    need python3 python3
    need clang-format clang-format
}

case ${1:-} in
build) check_build ;;
test) check_test ;;
lint) check_lint ;;
full)
    check_test
    check_lint
    need valgrind valgrind
    ;;
"")
    check_test
    check_lint
    ;;
*)
    echo "usage: tools/deps.sh [build|test|lint|full]" >&2
    exit 2
    ;;
esac

# What drives the browser is not in Debian: two packages of npm, in tests/web, as its lock file says.
# Without them the browser tests say that they were left out.
finish() {
    web=$(dirname "$0")/../tests/web
    [ -n "$with_web" ] && have npm && have chromium || exit 0
    [ "$web/node_modules/.package-lock.json" -nt "$web/package-lock.json" ] && exit 0
    echo "Installing: playwright-core axe-core (in tests/web)"
    (cd "$web" && npm ci --silent --no-progress </dev/null >&2 && touch node_modules/.package-lock.json) ||
        echo "npm could not install them: the browser tests will be left out" >&2
    exit 0
}

[ -n "$missing$optional" ] || finish

# Not being able to install is only an error when something is missing that cannot be done without.
give_up() {
    if [ -n "$missing" ]; then
        echo "Ludens needs packages that are not installed, and $1. Install them with:" >&2
    else
        echo "Ludens can do more with these packages, but $1:" >&2
    fi
    echo "    apt-get install$missing$optional" >&2
    [ -z "$missing" ] || exit 1
    finish
}

as_root=
have apt-get || give_up "this system has no apt-get"
if [ "$(id -u)" -ne 0 ]; then
    have sudo || give_up "only root may install them"
    sudo -n true 2>/dev/null || give_up "sudo would ask for a password"
    as_root="sudo -n"
fi

echo "Installing:$missing$optional"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # lists of words
{
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $missing $optional
} >&2 || give_up "apt-get could not install them"
finish
