# The front door of glint. The build itself is described in CMakeLists.txt and CMakePresets.json.
# `make help` prints the targets: the lines below that have a comment of two #.

PREFIX ?= /usr/local
# Whether warnings end the build in build/. test, lint and all that is only for developers set it; it counts when build/
# is made.
WERROR ?= OFF
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

MAKEFLAGS += --no-print-directory

.PHONY: build help demo test nightly weekly threads debug bench fuzz check-best check-steps gpu-check aarch64 gallery levels lint format deps install release wheel clean
.NOTPARALLEL:

# $(call stage,NAME,COMMAND): runs it, and says how many seconds it took.
stage = @tools/stage "$(1)" $(2)

build: build/build.ninja ## build build/glint (the default)
	$(call stage,building glint in build/,cmake --build --preset release --target installed)

help: ## print this
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r target text; do \
	    printf 'make %-11s %s\n' "$$target" "$$text"; done
	@echo "Variables: PREFIX and DESTDIR (install), CUDA=OFF (release, wheel), FUZZ_SECONDS (fuzz), WERROR=ON (a warning ends the build),"
	@echo "PIECE=2/8 (aarch64: every eighth test from the second on; PIECE=1/8 to 8/8 are all);"
	@echo "GLINT_CUDA_ARCH names the GPUs that kernels are built for (docs/guide.md, \"CUDA\")."

build/build.ninja: CMakePresets.json tools/packages
	@tools/packages build
	$(call stage,configuring build/,cmake --preset release -DGLINT_WERROR=$(WERROR))
	@touch $@

build-%/build.ninja: CMakePresets.json tools/packages
	@tools/packages build sanitize
	$(call stage,configuring build-$*/,cmake --preset $*)
	@touch $@

demo: build ## build, then filter a picture, trace a scene, time a ladder; results in demo-out/
	@tools/demo build/glint demo-out

# The parts are tested with sanitizers, the program without: each test runs once. The kernels of the CPU come from build/.
test: WERROR = ON
test: build/build.ninja build-sanitize/build.ninja ## build, then run the tests: of the parts with sanitizers, of the program
	@tools/packages test
	$(call stage,building glint and its tests in build/,cmake --build --preset change)
	$(call stage,building the tests of parts with AddressSanitizer and UBSan in build-sanitize/,cmake --build --preset sanitize)
	$(call stage,testing the parts,ctest --preset sanitize)
	@tools/stage
	$(call stage,testing the program,ctest --preset change)

threads: build/build.ninja build-tsan/build.ninja ## run the tests of threads with ThreadSanitizer
	@tools/packages test
	$(call stage,building the kernels of the CPU in build/,cmake --build --preset release --target glint_isa)
	$(call stage,building what has threads with ThreadSanitizer in build-tsan/,cmake --build --preset tsan)
	$(call stage,testing threads,ctest --preset tsan)

# What a change leaves out: all of lint, every test in build/ and most of them with sanitizers, a minute of each fuzzer.
nightly: WERROR = ON
nightly: build/build.ninja build-asan/build.ninja ## everything that a change leaves out (an hour on two cores)
	@tools/packages test lint
	$(call stage,linting every file,env LINT_SINCE= tools/lint build)
	@$(MAKE) fuzz threads
	$(call stage,building everything in build/,cmake --build --preset release)
	$(call stage,building everything with sanitizers in build-asan/,cmake --build --preset asan)
	$(call stage,every test with sanitizers,ctest --preset asan)
	@tools/stage
	$(call stage,every test,ctest --preset release)

weekly: ## the tests in configurations that no change builds: without CUDA, kernels for two architectures
	@tools/packages build test
	@tools/weekly build-weekly

PIECE ?= 1/1
comma := ,
aarch64: ## build glint for 64-bit ARM in build-aarch64/, and test its parts and levels under QEMU (an hour)
	@tools/packages build aarch64
	@[ -d build-aarch64/root ] || tools/stage "gathering the libraries of arm64" tools/sysroot arm64 build-aarch64/root
	cmake --preset aarch64
	$(call stage,building glint and its tests in build-aarch64/,cmake --build --preset aarch64)
	$(call stage,testing them under QEMU,ctest --preset aarch64 -I $(subst /,$(comma)$(comma),$(PIECE)))

debug: ## build build-debug/glint: no optimization, assertions, a warning ends the build
	@cmake --preset dev
	@cmake --build --preset dev --target glint

bench: build ## time the ladders of convolve and trace on this machine (a minute)
	@build/glint bench convolve --mask 5
	@build/glint bench trace --size 1024x1024

FUZZ_SECONDS ?= 60
fuzz: build/build.ninja build-sanitize/build.ninja ## run each fuzzer for FUZZ_SECONDS (60) seconds; with clang
	$(call stage,building the kernels of the CPU in build/,cmake --build --preset release --target glint_isa)
	$(call stage,building the fuzzers in build-sanitize/,cmake --build --preset sanitize --target fuzzers)
	$(call stage,running each fuzzer for $(FUZZ_SECONDS) seconds,tools/fuzz build-sanitize $(FUZZ_SECONDS))

check-best: build ## on a quiet machine: does best take the fastest level of the CPU's ladders?
	@tools/check-best build

check-steps: build ## on a quiet machine: does a larger radius, type or picture ever take less time than a smaller one?
	@tools/check-steps build cpu

gpu-check: build/build.ninja ## on a machine with an NVIDIA GPU: test the kernels, write tests/gpu/record.json and the tables of docs/
	$(call stage,building glint and the tests of its levels in build/,cmake --build --preset release --target glint test_levels test_light launch_levels)
	@tools/gpu-check build && tools/doc-tables
	@if command -v ncu >/dev/null; then tools/compare-counters measure build && tools/compare-counters check build; fi

gallery: build ## write docs/filters.md and its pictures from the program's tables
	@tools/gallery build/glint

levels: build ## write docs/levels.md and its pages, of the CUDA levels line by line (needs nvcc)
	@tools/level-pages build/glint

lint: WERROR = ON
lint: build/build.ninja ## check format, words, the direction of includes; static analysis of what changed in a day
	@tools/packages lint
	@tools/lint build

format: ## format the sources as `make lint` wants them
	@tools/lint --format

deps: ## install the Debian packages that are missing (as root; the other targets do so, too)
	@tools/packages build sanitize test lint

install: build ## install below PREFIX (/usr/local), with DESTDIR put before it
	@cmake --install build --prefix $(PREFIX)

CUDA ?= AUTO
release: ## build Debian packages, and the source package, in build-package/ (CUDA=OFF leaves the kernels out)
	@tools/packages build release
	@rm -rf build-package && mkdir -p build-package/glint
	@git ls-files -z | tar -c --null -T - | tar -x -C build-package/glint
	$(call stage,building glint and its packages in build-package/,env -C build-package/glint GLINT_CUDA=$(CUDA) dpkg-buildpackage -us -uc)
	@lintian --allow-root --fail-on error build-package/*.changes

wheel: ## build a wheel for Python, dist/glint_image-*.whl, in build-wheel/ (CUDA=OFF leaves the kernels out)
	@tools/packages build
	@cmake --preset wheel -DGLINT_CUDA=$(CUDA)
	$(call stage,building glint for Python in build-wheel/,cmake --build --preset wheel)
	@tools/wheel build-wheel dist

clean: ## remove everything that was built
	rm -rf build build-aarch64 build-asan build-coverage build-debug build-package build-sanitize build-tsan build-weekly build-wheel demo-out dist
