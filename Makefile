# The front door of glint. The build itself is described in CMakeLists.txt and CMakePresets.json.
#
#   make           build build/glint
#   make demo      build, then filter a picture, trace a scene, time a ladder; results in demo-out/
#   make test      build, then run every test, and most of them again under ASan and UBSan
#   make check-best on a quiet machine: does best take the fastest level of the CPU's ladders?
#   make gpu-check on a machine with an NVIDIA GPU: test the kernels there and write tests/gpu/record.json
#   make lint      check format, static analysis and the direction of includes
#   make install   install below PREFIX (default /usr/local); DESTDIR is put before it; kernels are for the GPUs here
#                  unless GLINT_CUDA_ARCH=all was set when build/ was made (docs/guide.md, "CUDA")
#   make clean     remove everything that was built
#
# demo, test and lint first install the Debian packages that are missing (tools/packages).

PREFIX ?= /usr/local
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

MAKEFLAGS += --no-print-directory

.PHONY: build demo test check-best gpu-check lint install clean
.NOTPARALLEL:

# What is about to be built or run, and CMake's progress below it.
say = @echo "== $(1)"

build: build/Makefile
	$(call say,building glint in build/)
	@cmake --build --preset release --target glint

build/Makefile: CMakePresets.json tools/packages
	@tools/packages build
	$(call say,configuring build/)
	@cmake --preset release
	@touch $@

build-asan/Makefile: CMakePresets.json
	$(call say,configuring build-asan/)
	@cmake --preset asan
	@touch $@

demo: build
	@tools/demo build/glint demo-out

test: build/Makefile build-asan/Makefile
	@tools/packages test
	$(call say,building glint and its tests in build/)
	@cmake --build --preset release
	$(call say,running the tests)
	@ctest --preset release
	$(call say,building both again with AddressSanitizer and UndefinedBehaviorSanitizer in build-asan/)
	@cmake --build --preset asan
	$(call say,running the tests with sanitizers)
	@ctest --preset asan

check-best: build
	@tools/check-best build

gpu-check: build/Makefile
	$(call say,building glint and the test of its levels in build/)
	@cmake --build --preset release --target glint test_levels test_light
	@tools/gpu-check build

lint: build/Makefile
	@tools/packages lint
	@tools/lint build

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-asan build-tsan build-debug build-package demo-out
