/* test_emulator.c: the emulated GPU works as a GPU does, and tells a kernel's faults. A wrong kernel's process has no
 * device any more, so each runs in a child. */
#include "emulator/emulator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

cudaError_t run_block_sum(uint32_t *out, bool barriers);
cudaError_t run_sum_of(const uint32_t *in, unsigned count, unsigned beyond, uint32_t *out);
cudaError_t run_half_comes(uint32_t *out);
cudaError_t run_lanes(uint32_t *out);
cudaError_t run_absent_lane(uint32_t *out);
cudaError_t run_count_atomically(uint32_t *out);
cudaError_t run_copy_late(const void *in, void *out, bool waits);
cudaError_t run_endless(uint32_t *out);
cudaError_t run_too_large(uint32_t *out);
cudaError_t run_halves(uint32_t a, uint32_t b, uint32_t c, uint32_t *out);

enum { WORDS = 256 };

static uint32_t *device_words(void) {
    void *memory;
    assert_int_equal(cudaMalloc(&memory, WORDS * sizeof(uint32_t)), cudaSuccess);
    assert_int_equal(cudaMemset(memory, 0, WORDS * sizeof(uint32_t)), cudaSuccess);
    return memory;
}

static void fetch(uint32_t *words, uint32_t *memory) {
    assert_int_equal(cudaMemcpy(words, memory, WORDS * sizeof *words, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

static void threads_add_up(void **state) {
    (void)state;
    uint32_t words[WORDS], *memory = device_words();
    assert_int_equal(run_block_sum(memory, true), cudaSuccess);
    fetch(words, memory);
    assert_int_equal(words[0], 255 * 256 / 2);
    assert_int_equal(words[1], 255 * 256 / 2);
}

/* Blocks in braces have registers of their own, of the same names. */
static const char threads_in_ptx[] = ".version 6.4\n.target sm_75\n.address_size 64\n"
                                     ".visible .entry number(.param .u64 out, .param .u32 first)\n"
                                     "{\n"
                                     ".reg .b32 %n, %t;\n.reg .b64 %to, %at;\n"
                                     "mov.u32 %t, %tid.x;\n"
                                     "{\n.reg .b32 %r;\nld.param.u32 %r, [first];\nadd.s32 %n, %t, %r;\n}\n"
                                     "{\n.reg .b64 %r;\ncvt.u64.u32 %r, %t;\nshl.b64 %at, %r, 2;\n}\n"
                                     "ld.param.u64 %to, [out];\nadd.s64 %to, %to, %at;\n"
                                     "st.global.u32 [%to], %n;\nret;\n"
                                     "}\n";

static void code_may_come_at_run_time(void **state) {
    (void)state;
    uint32_t words[WORDS], *memory = device_words(), first = 5;
    void *arguments[] = {&memory, &first};
    cudaLibrary_t library;
    cudaKernel_t kernel;
    assert_int_equal(cudaLibraryLoadData(&library, "no code", NULL, NULL, 0, NULL, NULL, 0), cudaErrorInvalidPtx);
    assert_int_equal(cudaLibraryLoadData(&library, threads_in_ptx, NULL, NULL, 0, NULL, NULL, 0), cudaSuccess);
    assert_int_equal(cudaLibraryGetKernel(&kernel, library, "letter"), cudaErrorSymbolNotFound);
    assert_int_equal(cudaLibraryGetKernel(&kernel, library, "number"), cudaSuccess);
    assert_int_equal(cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1}, (dim3){WORDS, 1, 1}, arguments, 0, NULL),
                     cudaSuccess);
    fetch(words, memory);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(words[i], i + 5);
    assert_int_equal(cudaLibraryUnload(library), cudaSuccess);
    assert_int_equal(cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1}, (dim3){WORDS, 1, 1}, arguments, 0, NULL),
                     cudaErrorInvalidDeviceFunction);
    (void)cudaGetLastError();
}

static int questions;
static bool asked_later(void) {
    return ++questions > 100;
}

/* No later launch is at fault. */
static void a_launch_ends_when_asked_to(void **state) {
    (void)state;
    uint32_t words[WORDS], *memory = device_words();
    emulator_heed(asked_later);
    assert_int_equal(run_endless(memory), cudaErrorNotReady);
    assert_int_equal(questions, 101);
    emulator_heed(NULL);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(run_block_sum(memory, true), cudaSuccess);
    fetch(words, memory);
    assert_int_equal(words[0], 255 * 256 / 2);
}

static void lanes_exchange(void **state) {
    (void)state;
    uint32_t words[WORDS], *memory = device_words();
    assert_int_equal(run_lanes(memory), cudaSuccess);
    fetch(words, memory);
    for (uint32_t lane = 0; lane < 32; lane++) {
        static const uint32_t kinds[] = {0x49249249, 0x92492492, 0x24924924};
        assert_int_equal(words[lane], 31 * 32 / 2);
        assert_int_equal(words[32 + lane], 16);
        assert_int_equal(words[64 + lane], lane ? lane - 1 : 0);
        assert_int_equal(words[96 + lane], kinds[lane % 3]);
        assert_int_equal(words[128 + lane], lane % 2 ? 5 : 4);
    }
}

static void atomics_add_up(void **state) {
    (void)state;
    uint32_t words[WORDS], *memory = device_words();
    assert_int_equal(run_count_atomically(memory), cudaSuccess);
    fetch(words, memory);
    assert_int_equal(words[0], 3 * (63 * 64 / 2));
    assert_int_equal(words[1], 191);
    assert_int_equal(words[2], 7);
}

/* In IEEE 754's binary16, by hand: -0.5 and 1.5, 4 and 2, 1 and 1. */
static void halves_of_words_are_numbers(void **state) {
    (void)state;
    uint32_t words[WORDS], *memory = device_words();
    assert_int_equal(run_halves(0xB8003E00, 0x44004000, 0x3C003C00, memory), cudaSuccess);
    fetch(words, memory);
    assert_int_equal(words[0], 0x43004300); /* 3.5, 3.5 */
    assert_int_equal(words[1], 0xC480B800); /* -4.5, -0.5 */
    assert_int_equal(words[2], 0xC0004200); /* -2, 3 */
    assert_int_equal(words[3], 0xBC004400); /* -1, 4 */
}

/* Words that the kernel reads too early have not arrived yet. */
static void copies_arrive_when_waited_for(void **state) {
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        uint32_t words[WORDS], *in = device_words(), *out = device_words();
        for (uint32_t i = 0; i < WORDS; i++)
            words[i] = i + 1;
        assert_int_equal(cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice), cudaSuccess);
        assert_int_equal(run_copy_late(in, out, waits), cudaSuccess);
        fetch(words, out);
        assert_int_equal(cudaFree(in), cudaSuccess);
        assert_int_equal(words[0] == 1 && words[127] == 128, waits);
    }
}

static void a_launch_that_cannot_be_is_refused(void **state) {
    (void)state;
    uint32_t *memory = device_words();
    assert_int_equal(run_too_large(memory), cudaErrorInvalidConfiguration);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidConfiguration);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

/* The call's message on stderr holds these words, and every later call fails. */
typedef cudaError_t (*Wrong)(uint32_t *memory);
static void tells(Wrong wrong, const char *words) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        void *memory;
        dup2(ends[1], STDERR_FILENO);
        const bool lost = cudaMalloc(&memory, WORDS * sizeof(uint32_t)) == cudaSuccess &&
                          wrong(memory) != cudaSuccess && cudaMalloc(&memory, 1) != cudaSuccess;
        _exit(lost ? 0 : 1);
    }
    close(ends[1]);
    char said[1000];
    const ssize_t length = read(ends[0], said, sizeof said - 1);
    said[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_non_null(strstr(said, words));
    assert_int_equal(status, 0);
}

static cudaError_t without_barriers(uint32_t *memory) {
    return run_block_sum(memory, false);
}
static cudaError_t beyond_the_end(uint32_t *memory) {
    return run_sum_of(memory, WORDS, 1, memory);
}
static cudaError_t from_null(uint32_t *memory) {
    return run_sum_of(NULL, WORDS, 0, memory);
}
static void faults_are_told(void **state) {
    (void)state;
    tells(without_barriers, "with no barrier between");
    tells(beyond_the_end, "4 bytes after the end of 1024 bytes");
    tells(from_null, "are not the device's");
    tells(run_half_comes, "a barrier waits for threads that do not come");
    tells(run_absent_lane, "reads lane 0, which does not take part");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_add_up),
        cmocka_unit_test(code_may_come_at_run_time),
        cmocka_unit_test(a_launch_ends_when_asked_to),
        cmocka_unit_test(lanes_exchange),
        cmocka_unit_test(atomics_add_up),
        cmocka_unit_test(halves_of_words_are_numbers),
        cmocka_unit_test(copies_arrive_when_waited_for),
        cmocka_unit_test(a_launch_that_cannot_be_is_refused),
        cmocka_unit_test(faults_are_told),
    };
    setenv("GLINT_EMULATOR_RACES", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
