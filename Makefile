# The front door of glint. The build itself is described in CMakeLists.txt and CMakePresets.json.
# `make help` prints the targets: the lines below that have a comment of two #.

PREFIX ?= /usr/local
# Whether warnings end the build in build/. test, lint and all that is only for developers set it; it counts when build/
# is made.
WERROR ?= OFF
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

MAKEFLAGS += --no-print-directory

.PHONY: build help demo test debug bench fuzz check-best gpu-check gallery lint format deps install release clean
.NOTPARALLEL:

# What is about to be built or run, and CMake's progress below it.
say = @echo "== $(1)"

build: build/Makefile ## build build/glint (the default)
	$(call say,building glint in build/)
	@cmake --build --preset release --target pages

help: ## print this
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r target text; do \
	    printf 'make %-11s %s\n' "$$target" "$$text"; done
	@echo "Variables: PREFIX and DESTDIR (install), CUDA=OFF (release), FUZZ_SECONDS (fuzz), WERROR=ON (a warning ends the build);"
	@echo "GLINT_CUDA_ARCH names the GPUs that kernels are built for (docs/guide.md, \"CUDA\")."

build/Makefile: CMakePresets.json tools/packages
	@tools/packages build
	$(call say,configuring build/)
	@cmake --preset release -DGLINT_WERROR=$(WERROR)
	@touch $@

build-asan/Makefile: CMakePresets.json
	$(call say,configuring build-asan/)
	@cmake --preset asan
	@touch $@

build-tsan/Makefile: CMakePresets.json
	$(call say,configuring build-tsan/)
	@cmake --preset tsan
	@touch $@

demo: build ## build, then filter a picture, trace a scene, time a ladder; results in demo-out/
	@tools/demo build/glint demo-out

test: WERROR = ON
test: build/Makefile build-tsan/Makefile build-asan/Makefile ## build, then run every test, and again under sanitizers
	@tools/packages test
	$(call say,building glint and its tests in build/)
	@cmake --build --preset release
	$(call say,running the tests)
	@ctest --preset release
	$(call say,building what has threads again with ThreadSanitizer in build-tsan/)
	@cmake --build --preset tsan
	$(call say,running the tests of threads)
	@ctest --preset tsan
	$(call say,building both again with AddressSanitizer and UndefinedBehaviorSanitizer in build-asan/)
	@cmake --build --preset asan
	$(call say,running the tests with sanitizers)
	@ctest --preset asan

debug: ## build build-debug/glint: no optimization, assertions, a warning ends the build
	@cmake --preset dev
	@cmake --build --preset dev --target glint

bench: build ## time the ladders of convolve and trace on this machine (a minute)
	@build/glint bench convolve --mask 5
	@build/glint bench trace --size 1024x1024

FUZZ_SECONDS ?= 60
fuzz: ## run each fuzzer for FUZZ_SECONDS (60) seconds; with clang
	@tools/packages build fuzz
	$(call say,building the fuzzers in build-fuzz/)
	@cmake --preset fuzz
	@cmake --build --preset fuzz
	$(call say,running each fuzzer for $(FUZZ_SECONDS) seconds)
	@tools/fuzz build-fuzz $(FUZZ_SECONDS)

check-best: build ## on a quiet machine: does best take the fastest level of the CPU's ladders?
	@tools/check-best build

gpu-check: build/Makefile ## on a machine with an NVIDIA GPU: test the kernels, write tests/gpu/record.json and the tables of docs/
	$(call say,building glint and the test of its levels in build/)
	@cmake --build --preset release --target glint test_levels test_light
	@tools/gpu-check build && tools/doc-tables

gallery: build ## write docs/filters.md and its pictures from the program's tables
	@tools/gallery build/glint

lint: WERROR = ON
lint: build/Makefile ## check format, words, static analysis and the direction of includes
	@tools/packages lint
	@tools/lint build

format: ## format the sources as `make lint` wants them
	@tools/lint --format

deps: ## install the Debian packages that are missing (as root; demo, test, lint and fuzz do so, too)
	@tools/packages build test lint fuzz

install: build ## install below PREFIX (/usr/local), with DESTDIR put before it
	@cmake --install build --prefix $(PREFIX)

CUDA ?= AUTO
release: ## build Debian packages in build-package/ (CUDA=OFF leaves the kernels out)
	@tools/packages build release
	$(call say,building glint and its packages in build-package/)
	@cmake --preset package -DGLINT_CUDA=$(CUDA)
	@cmake --build --preset package
	@cd build-package && cpack -G DEB && lintian --fail-on error *.deb

clean: ## remove everything that was built
	rm -rf build build-asan build-tsan build-debug build-fuzz build-coverage build-package demo-out
