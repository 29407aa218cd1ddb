# The front door; Meson does the work. `make help` lists what can be done.

SECONDS ?= 60
SANITIZE = -Db_sanitize=address,undefined -Db_lundef=false
# One sanitized build for unit tests and fuzz targets: few optimisations and lines only, for it is
# compiled more often than run. To look longer, better optimised and with the values of comparisons.
TEST = -Dfuzz=true $(SANITIZE) -Doptimization=1 -Dc_args=-g1
# A hundred programs of 30 MB: lld needs less than half the time for them.
LINKER = $$(command -v ld.lld >/dev/null && echo lld || echo bfd)
FUZZ = -Dfuzz=true $(SANITIZE) -Dc_args=-fsanitize=fuzzer-no-link
PLAIN = build,--suite=machine,--suite=input,--suite=program,--suite=numbers,--suite=tree,--suite=browser
THREADS = -Db_sanitize=thread -Db_lundef=false

export ASAN_OPTIONS ?= abort_on_error=0:detect_stack_use_after_return=1
export UBSAN_OPTIONS ?= print_stacktrace=1:halt_on_error=1

.NOTPARALLEL: # ninja uses all cores by itself
.PHONY: all play test test-full bench fuzz deps fmt lint install clean help

all: build/build.ninja ## build build/ludens
	@ninja -C build

play: all ## play in the browser; GAME=mill, ARGS="flying=no --port 8080"
	@build/ludens serve --open $(GAME) $(ARGS)

test: test-deps all build-test/build.ninja ## run the tests
	@tools/test.py $(PLAIN) build-test,--suite=unit,--suite=input,--suite=fuzz

# Also: everything plain and sanitized by gcc, warnings are errors with both compilers, data races,
# valgrind.
test-full: full-deps lint test build-gcc/build.ninja build-clang/build.ninja build-werror/build.ninja build-tsan/build.ninja ## run more tests
	@ninja -C build-clang
	@ninja -C build-werror
	@tools/test.py build,--suite=unit build-gcc,--suite=unit,--suite=input,--suite=program,--suite=machine build-clang,--suite=unit build-tsan,--suite=threads \
	    'build,--suite=unit,--wrap=valgrind -q --leak-check=full --error-exitcode=9'

bench: all ## measure
	@meson test -C build --benchmark --verbose

fuzz: test-deps build-fuzz/build.ninja ## look for crashes; SECONDS=60 per target
	@FUZZ_SECONDS=$(SECONDS) tools/test.py build-fuzz,--suite=fuzz,--verbose

deps: ## install what is missing (Debian)
	@tools/deps.sh

fmt: lint-deps ## format the C files
	@tools/lint.py --fix

lint: lint-deps ## check layout, dependencies and format of the sources
	@tools/lint.py

install: all ## install to /usr/local; DESTDIR is obeyed
	@meson install -C build

clean: ## remove everything built
	rm -rf build build-test build-fuzz build-gcc build-clang build-werror build-tsan

help: ## show this
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

.PHONY: build-deps test-deps lint-deps full-deps
build-deps test-deps lint-deps full-deps:
	@tools/deps.sh $(@:-deps=)

build/build.ninja: | build-deps
	@meson setup build

build-test/build.ninja: | test-deps
	@CC=clang CC_LD=$(LINKER) meson setup build-test $(TEST)

build-fuzz/build.ninja: | test-deps
	@CC=clang CC_LD=$(LINKER) meson setup build-fuzz $(FUZZ)

build-gcc/build.ninja: | full-deps
	@meson setup build-gcc $(SANITIZE)

build-clang/build.ninja: | full-deps
	@CC=clang meson setup build-clang --werror

build-werror/build.ninja: | full-deps
	@meson setup build-werror --werror

build-tsan/build.ninja: | full-deps
	@meson setup build-tsan $(THREADS)
