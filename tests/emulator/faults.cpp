/* faults.cpp: calls of the CUDA runtime that fail. The linker puts these in the place of those of calls.def (--wrap).
 * Environment variables say which:
 *   GLINT_EMULATOR_FAULT=K      the K-th call fails; 0, or nothing: none
 *   GLINT_EMULATOR_ERROR=N      with this cudaError_t (999, cudaErrorUnknown)
 *   GLINT_EMULATOR_LOST=1       from then on, the device is lost, and every call fails
 *   GLINT_EMULATOR_COUNT=FILE   gets the number of calls, and that of blocks of memory that are not freed, at the end
 */
#include "emulator/ptx.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

static std::atomic<long> calls;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

/* The error that this call fails with, or cudaSuccess. */
static cudaError_t strike() {
    static const long at = number("GLINT_EMULATOR_FAULT", 0), lost = number("GLINT_EMULATOR_LOST", 0);
    static const cudaError_t error = (cudaError_t)number("GLINT_EMULATOR_ERROR", cudaErrorUnknown);
    const long call = ++calls;
    if (at == 0 || (lost ? call < at : call != at))
        return cudaSuccess;
    ptx::fail_call(error, lost != 0);
    return error;
}

/* A function of the runtime that may fail instead. */
template <auto real> struct Failing;
template <class... Arguments, cudaError_t (*real)(Arguments...)> struct Failing<real> {
    static cudaError_t call(Arguments... arguments) {
        const cudaError_t error = strike();
        return error != cudaSuccess ? error : real(arguments...);
    }
};

extern "C" {
/* The symbol stands for an instance of a template: which, is asked when the program is loaded. */
#define CALL(name)                                                                                                     \
    decltype(name) __real_##name;                                                                                      \
    decltype(name) *failing_##name(void) {                                                                             \
        return Failing<&__real_##name>::call;                                                                          \
    }                                                                                                                  \
    __attribute__((ifunc("failing_" #name))) decltype(name) __wrap_##name;
#include "tests/emulator/calls.def"
#undef CALL
}

__attribute__((destructor)) static void report() {
    const char *path = getenv("GLINT_EMULATOR_COUNT");
    FILE *file = path ? fopen(path, "w") : nullptr;
    if (!file)
        return;
    fprintf(file, "%ld %zu\n", calls.load(), ptx::blocks_left());
    fclose(file);
}
