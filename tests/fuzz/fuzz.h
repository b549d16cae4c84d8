/* fuzz.h: the functions that libFuzzer calls, and how a finding is told to it. */
#ifndef GLINT_TESTS_FUZZ_FUZZ_H
#define GLINT_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check(bool holds) {
    if (!holds)
        abort();
}

#endif
