/* test_emulator_counters.c: the emulated GPU counts accesses as they are worked out by hand: 32 lanes, sectors of 32
 * bytes, 32 banks of 4 bytes. Nsight Compute counts the same on an H200, also where hands alone would not know: pairs
 * of lanes, and atomics at one address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "emulator/emulator.h"

/* A kernel whose lanes have a place each: base + offset + stride * lane in %rd1, and offset + stride * lane in %r3. */
#define HEAD                                                                                                           \
    ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 4 .b8 table[64];\n"                                  \
    ".func (.param .b32 result) twice(.param .b32 given)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [given];\n"           \
    "add.u32 %r2, %r1, %r1;\nst.param.b32 [result], %r2;\nret;\n}\n"                                                   \
    ".visible .entry kernel(.param .u64 base, .param .u32 stride, .param .u32 offset)\n{\n"                            \
    ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n"                                                         \
    ".shared .align 16 .b8 here[32768];\n"                                                                             \
    "ld.param.u64 %rd2, [base];\nld.param.u32 %r1, [stride];\nld.param.u32 %r4, [offset];\n"                           \
    "mov.u32 %r2, %tid.x;\nmad.lo.u32 %r3, %r1, %r2, %r4;\ncvt.u64.u32 %rd3, %r3;\nadd.s64 %rd1, %rd2, %rd3;\n"        \
    "mov.u32 %r5, here;\nadd.u32 %r3, %r3, %r5;\n"
#define TAIL "ret;\n}\n"

enum { BYTES = 32768 };

/* The counts of an instruction of the source's line, or of all for line 0, after one warp. */
static EmulatorCount counted(const char *body, unsigned stride, unsigned offset, int line) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    EmulatorFault fault;
    EmulatorModule *module = glint_emulator.module(text, strlen(text), &fault);
    if (!module)
        fail_msg("%s (line %d)", fault.text, fault.ptx_line);
    void *memory = glint_emulator.memory(BYTES, 0);
    assert_non_null(memory);
    EmulatorCounters *counters = glint_emulator.counters();
    void *arguments[] = {&memory, &stride, &offset};
    const EmulatorLaunch launch = {.module = module,
                                   .kernel = "kernel",
                                   .grid = {1, 1, 1},
                                   .block = {32, 1, 1},
                                   .arguments = arguments,
                                   .counters = counters};
    if (!glint_emulator.launch(&launch, &fault))
        fail_msg("%s (line %d)", fault.text, fault.ptx_line);
    EmulatorCount sum = {0};
    EmulatorRow row;
    for (size_t i = 0; glint_emulator.counters_row(counters, i, &row); i++)
        if (!line || row.line == line)
            for (size_t k = 0; k < sizeof sum / sizeof(uint64_t); k++)
                ((uint64_t *)&sum)[k] += ((const uint64_t *)&row.count)[k];
    glint_emulator.counters_free(counters);
    glint_emulator.memory_free(memory);
    glint_emulator.module_free(module);
    return sum;
}

static void global(const char *body, unsigned stride, unsigned offset, uint64_t sectors, uint64_t bytes) {
    const EmulatorCount count = counted(body, stride, offset, 0);
    assert_int_equal(count.global_requests, 1);
    assert_int_equal(count.global_sectors, sectors);
    assert_int_equal(count.global_bytes, bytes);
    assert_int_equal(count.shared_requests + count.local_requests + count.constant_requests, 0);
}
/* Lane i goes i times through a loop. The store behind it stands in front of it in the text, and is one request. */
static void lanes_that_leave_a_loop_wait(void **state) {
    (void)state;
    static const char loop[] = "mov.u32 %r6, 0;\nbra TEST;\n"
                               "OUT:\nst.global.u32 [%rd1], %r2;\nret;\n"
                               "TEST:\nsetp.ge.u32 %p1, %r6, %r2;\n@%p1 bra OUT;\n"
                               "add.u32 %r6, %r6, 1;\nbra TEST;\n";
    global(loop, 4, 0, 4, 128);
}

static void sectors_of_global_accesses(void **state) {
    (void)state;
    static const char load[] = "ld.global.u32 %r6, [%rd1];\n", store[] = "st.global.u32 [%rd1], %r2;\n";
    static const char byte[] = "ld.global.u8 %r6, [%rd1];\n", wide[] = "ld.global.v4.u32 {%r5,%r6,%r7,%r8}, [%rd1];\n";
    static const char generic[] = "ld.u32 %r6, [%rd1];\n";
    global(load, 4, 0, 4, 128);
    global(store, 4, 0, 4, 128);
    global(generic, 4, 0, 4, 128);
    global(load, 8, 0, 8, 128);
    global(load, 128, 0, 32, 128);
    global(load, 4, 4, 5, 128); /* 128 bytes from the middle of a sector on */
    global(load, 4, 16, 5, 128);
    global(load, 4, 32, 4, 128);
    global(load, 0, 64, 1, 128); /* all want the same */
    global(byte, 1, 0, 1, 32);
    global(byte, 1, 1, 2, 32);
    global(wide, 16, 0, 16, 512);
    global(wide, 32, 0, 32, 512); /* half of each sector */
}

static void shared(const char *body, unsigned stride, uint64_t wavefronts, uint64_t conflicts) {
    const EmulatorCount count = counted(body, stride, 0, 0);
    assert_int_equal(count.shared_requests, 1);
    assert_int_equal(count.shared_wavefronts, wavefronts);
    assert_int_equal(count.shared_conflicts, conflicts);
    assert_int_equal(count.global_requests, 0);
}
static void banks_of_shared_accesses(void **state) {
    (void)state;
    static const char load[] = "ld.shared.u32 %r6, [%r3];\n", store[] = "st.shared.u32 [%r3], %r2;\n";
    static const char quad[] = "ld.shared.v4.u32 {%r5,%r6,%r7,%r8}, [%r3];\n";
    static const char two[] = "ld.shared.v2.u32 {%r5,%r6}, [%r3];\n";
    static const char four[] = "st.shared.v4.u32 [%r3], {%r5,%r6,%r7,%r8};\n", byte[] = "ld.shared.u8 %r6, [%r3];\n";
    shared(load, 4, 1, 0);
    shared(store, 4, 1, 0);
    shared(load, 8, 2, 1);
    shared(load, 128, 32, 31); /* a column of a tile of 32 words */
    shared(load, 132, 1, 0);   /* with a word more a row */
    shared(load, 0, 1, 0);     /* one word for all */
    shared(byte, 1, 1, 0);     /* four lanes a word */
    shared(two, 8, 2, 0);      /* a half of the warp after the other */
    shared(two, 16, 4, 2);
    shared(two, 256, 32, 30);
    shared(two, 0, 1, 0);   /* pairs of lanes share a word: both halves at once */
    shared(four, 16, 4, 0); /* a quarter after the other */
    shared(four, 32, 8, 4);
    shared(four, 512, 32, 28);
    shared(four, 528, 4, 0);
    shared(quad, 0, 2, 0);
}

static void lanes_that_are_active(void **state) {
    (void)state;
    static const char branch[] = "setp.ge.u32 %p1, %r2, 16;\n@%p1 bra LATER;\n.loc 1 7 1\nadd.u32 %r6, %r2, 1;\n"
                                 ".loc 1 9 1\nLATER:\nadd.u32 %r6, %r2, 2;\n";
    EmulatorCount count = counted(branch, 0, 0, 7);
    assert_int_equal(count.warps, 1);
    assert_int_equal(count.threads, 16);
    assert_int_equal(count.threads_on, 16);
    static const char guard[] = "setp.lt.u32 %p1, %r2, 8;\n.loc 1 7 1\n@%p1 ld.global.u32 %r6, [%rd1];\n.loc 1 8 1\n";
    count = counted(guard, 4, 0, 7);
    assert_int_equal(count.warps, 1);
    assert_int_equal(count.threads, 32);
    assert_int_equal(count.threads_on, 8);
    assert_int_equal(count.global_sectors, 1);
    assert_int_equal(count.global_bytes, 32);
}

static void lanes_that_meet_at_an_address(void **state) {
    (void)state;
    static const char add[] = "red.global.add.u32 [%rd1], 1;\nbar.sync 0;\n";
    EmulatorCount count = counted(add, 0, 0, 0);
    assert_int_equal(count.atomic_lanes, 32);
    assert_int_equal(count.atomic_conflicts, 31);
    assert_int_equal(count.global_sectors, 32); /* one after the other */
    assert_int_equal(count.barriers, 1);
    count = counted(add, 4, 0, 0);
    assert_int_equal(count.atomic_conflicts, 0);
    assert_int_equal(count.global_sectors, 4);
}

static void bytes_of_constant_and_local_memory(void **state) {
    (void)state;
    static const char local[] = ".local .align 4 .b8 mine[16];\nst.local.u32 [mine+4], %r2;\n";
    EmulatorCount count = counted(local, 0, 0, 0);
    assert_int_equal(count.local_requests, 1);
    assert_int_equal(count.local_bytes, 128);
    assert_int_equal(count.global_requests + count.constant_requests, 0);
    count = counted("ld.const.u32 %r6, [table+4];\n", 0, 0, 0);
    assert_int_equal(count.constant_requests, 1);
    assert_int_equal(count.constant_bytes, 128);
    assert_int_equal(count.global_requests + count.local_requests, 0);
}

/* A GPU passes a function's parameters in registers. Its lanes come back before the others go on. */
static void functions_are_called(void **state) {
    (void)state;
    static const char call[] =
        "setp.lt.u32 %p1, %r2, 8;\n@!%p1 bra LATER;\n{\n.param .b32 given;\n.param .b32 result;\n"
        "st.param.b32 [given], %r2;\ncall.uni (result), twice, (given);\n"
        "ld.param.b32 %r2, [result];\n}\nLATER:\n.loc 1 7 1\nst.global.u32 [%rd1], %r2;\n"
        ".loc 1 8 1\n";
    EmulatorCount count = counted(call, 4, 0, 7);
    assert_int_equal(count.warps, 1);
    assert_int_equal(count.threads, 32);
    assert_int_equal(count.global_sectors, 4);
    count = counted(call, 4, 0, 0);
    assert_int_equal(count.local_requests, 0);
    assert_int_equal(count.global_requests, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_leave_a_loop_wait),       cmocka_unit_test(sectors_of_global_accesses),
        cmocka_unit_test(banks_of_shared_accesses),           cmocka_unit_test(lanes_that_are_active),
        cmocka_unit_test(lanes_that_meet_at_an_address),      cmocka_unit_test(functions_are_called),
        cmocka_unit_test(bytes_of_constant_and_local_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
