# The front door of glint. The build itself is described in CMakeLists.txt and CMakePresets.json.
#
#   make           build build/glint
#   make demo      build, then filter a picture, trace a scene, time a ladder; results in demo-out/
#   make test      build, then run every test, and most of them again under ASan and UBSan
#   make check-best on a quiet machine: does best take the fastest level of the CPU's ladders?
#   make gpu-check on a machine with an NVIDIA GPU: test the kernels there and write tests/gpu/record.json
#   make lint      check format, static analysis and the direction of includes
#   make install   install below PREFIX (default /usr/local); DESTDIR is put before it
#   make clean     remove everything that was built
#
# demo, test and lint first install the Debian packages that are missing (tools/packages).

PREFIX ?= /usr/local
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

MAKEFLAGS += --no-print-directory

.PHONY: build demo test check-best gpu-check lint install clean
.NOTPARALLEL:

build: build/Makefile
	@cmake --build --preset release

build/Makefile: CMakePresets.json tools/packages
	@tools/packages build
	@cmake --preset release
	@touch $@

build-asan/Makefile: CMakePresets.json
	@cmake --preset asan
	@touch $@

demo: build
	@tools/demo build/glint demo-out

test: build build-asan/Makefile
	@tools/packages test
	@ctest --preset release
	@cmake --build --preset asan
	@ctest --preset asan

check-best: build
	@tools/check-best build

gpu-check: build
	@tools/gpu-check build

lint: build/Makefile
	@tools/packages lint
	@tools/lint build

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-asan build-debug demo-out
