/* test_listing.c: a kernel's lines with counts that are worked out by hand. Two blocks of two warps have few enough
 * sectors and banks for that. */
#include "app/listing/listing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

/* The kernel's file, as its PTX tells of it. Line 3 loads, line 4 stores into shared memory, line 5 waits, line 7 adds
 * in half of the lanes, line 8 stores. The header's lines are inlined into line 4. */
static const char source[] = "// a kernel\n"
                             "KERNEL(...) {\n"
                             "    const float v = in[2 * thread];\n"
                             "    keep(column, v);\n"
                             "    __syncthreads();\n"
                             "    if (thread < 16)\n"
                             "        sum += 1;\n"
                             "    out[thread] = sum;\n"
                             "}";
static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry _Z4mineIfLi1EEvPf(.param .u64 in, .param .u64 out)\n{\n"
                           ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 16 .b8 tile[8192];\n"
                           ".loc 1 2 1\n"
                           "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
                           ".loc 1 3 5\n"
                           "mul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r2, [%rd4];\n"
                           ".loc 2 40 5, function_name $L__info_string0, inlined_at 1 4 5\n"
                           "shl.b32 %r3, %r1, 7;\nmov.u32 %r4, tile;\nadd.u32 %r3, %r3, %r4;\n"
                           ".loc 2 41 5, function_name $L__info_string0, inlined_at 1 4 5\n"
                           "st.shared.u32 [%r3], %r2;\n"
                           ".loc 1 5 5\n"
                           "bar.sync 0;\n"
                           ".loc 1 6 5\n"
                           "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra LATER;\n"
                           ".loc 1 7 9\n"
                           "add.u32 %r2, %r2, 1;\n"
                           "LATER:\n"
                           ".loc 1 8 5\n"
                           "mul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd6, %rd2, %rd5;\nst.global.u32 [%rd6], %r2;\n"
                           ".loc 1 9 1\n"
                           "ret;\n}\n"
                           ".file 1 \"/somewhere/mine.cu\"\n.file 2 \"/somewhere/include/header.h\"\n";

enum { BLOCKS = 2, THREADS = 64, BYTES = 4096 };

typedef struct Fixture {
    char path[64];
    KernelRecord *record;
    Listing *listing;
} Fixture;

static void record(const char *ptx, const char *kernel, const EmulatorWatch *watch, unsigned launches,
                   KernelRecord *to) {
    const unsigned grid[3] = {BLOCKS, 1, 1}, block[3] = {THREADS, 1, 1};
    EmulatorFault fault;
    EmulatorModule *module = glint_emulator.module(ptx, strlen(ptx), &fault);
    if (!module)
        fail_msg("%s (line %d)", fault.text, fault.ptx_line);
    void *in = glint_emulator.memory(BYTES, 0), *out = glint_emulator.memory(BYTES, 0);
    EmulatorCounters *counters = glint_emulator.counters();
    void *arguments[] = {&in, &out};
    const EmulatorLaunch launch = {.module = module,
                                   .kernel = kernel,
                                   .grid = {BLOCKS, 1, 1},
                                   .block = {THREADS, 1, 1},
                                   .arguments = arguments,
                                   .counters = counters};
    glint_emulator.counters_watch(counters, watch);
    for (unsigned i = 0; i < launches; i++) {
        if (!glint_emulator.launch(&launch, &fault))
            fail_msg("%s (line %d)", fault.text, fault.ptx_line);
        kernel_record_add(to, &glint_emulator, counters, grid, block, 8192);
    }
    glint_emulator.counters_free(counters);
    glint_emulator.memory_free(in);
    glint_emulator.memory_free(out);
    glint_emulator.module_free(module);
}

static int set_up(void **state) {
    static Fixture fixture;
    const EmulatorWatch watch = {{9, 0, 0}, 1, 8}; /* there is no block 9: it is the last */
    fixture = (Fixture){.path = "/tmp/test_listing_XXXXXX.cu", .record = calloc(1, sizeof(KernelRecord))};
    const int file = mkstemps(fixture.path, 3);
    assert_true(file >= 0);
    assert_int_equal(write(file, source, strlen(source)), (ssize_t)strlen(source));
    close(file);
    record(text, "_Z4mineIfLi1EEvPf", &watch, 2, fixture.record);
    const ListingRun run = {fixture.record, "_Z4mineIfLi1EEvPf", text, fixture.path};
    assert_int_equal(listing_of_runs(&run, 1, &watch, &fixture.listing), STATUS_OK);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    unlink(fixture->path);
    free(fixture->record);
    listing_free(&fixture->listing);
    return 0;
}

static const ListingLine *line_of(const Fixture *fixture, int line) {
    return &fixture->listing->files[0].lines[line - 1];
}

/* Eight warps: two launches of two blocks of two. */
static void lines_have_the_counts_of_their_instructions(void **state) {
    const Fixture *fixture = *state;
    const Listing *listing = fixture->listing;
    assert_int_equal(listing->file_count, 1);
    assert_int_equal(listing->files[0].count, 9);
    assert_string_equal(line_of(fixture, 3)->text, "    const float v = in[2 * thread];");
    assert_string_equal(line_of(fixture, 9)->text, "}");
    assert_int_equal(line_of(fixture, 1)->instructions, 0);
    assert_int_equal(line_of(fixture, 3)->instructions, 3);
    assert_int_equal(line_of(fixture, 3)->count.warps, 8 * 3);
    assert_int_equal(line_of(fixture, 3)->count.global_requests, 8);
    assert_int_equal(line_of(fixture, 3)->count.global_sectors, 8 * 8); /* 8 bytes a lane, of which it loads 4 */
    assert_int_equal(line_of(fixture, 3)->count.global_used, 8 * 128);
    assert_int_equal(line_of(fixture, 8)->count.global_sectors, 8 * 4);
    assert_int_equal(line_of(fixture, 5)->count.barriers, 8);
    assert_int_equal(line_of(fixture, 6)->count.threads_on, 8 * 2 * 32); /* a branch, too, has all of its lanes */
    assert_int_equal(line_of(fixture, 7)->count.warps, 4);               /* only a block's first warp has such lanes */
    assert_int_equal(line_of(fixture, 7)->count.threads_on, 4 * 16);
    assert_int_equal(listing->files[0].first, 2);
    assert_int_equal(listing->files[0].last, 9);
    assert_int_equal(listing->elsewhere.warps, 0);
}

/* The header is no file of the listing: its code counts to the line that it was inlined into. */
static void inlined_code_counts_to_its_call(void **state) {
    const Fixture *fixture = *state;
    assert_int_equal(line_of(fixture, 4)->instructions, 4);
    assert_int_equal(line_of(fixture, 4)->count.shared_requests, 8);
    assert_int_equal(line_of(fixture, 4)->count.shared_wavefronts, 8 * 32); /* all lanes in one bank */
    assert_int_equal(line_of(fixture, 4)->count.shared_conflicts, 8 * 31);
    assert_int_equal(line_of(fixture, 4)->called.warps, 0);
}

static void a_kernel_has_its_launches(void **state) {
    const Fixture *fixture = *state;
    const ListingKernel *kernel = fixture->listing->kernels;
    assert_int_equal(fixture->listing->kernel_count, 1);
    assert_string_equal(kernel->name, "mine");
    assert_int_equal(kernel->launches, 2);
    assert_int_equal(kernel->grid[0], BLOCKS);
    assert_int_equal(kernel->block[0], THREADS);
    assert_int_equal(kernel->watched[0], 1);
    assert_int_equal(kernel->line, 2);
    assert_int_equal(kernel->sum.barriers, 8);
    assert_false(kernel->cut);
}

/* The conflicts cost 248 passes; the bytes that are not used 16 slots; the idle lanes, half of four instructions. */
static void the_worst_line_has_advice(void **state) {
    const Fixture *fixture = *state;
    const ListingOffence *offence = &fixture->listing->offence;
    assert_int_equal(offence->file, 0);
    assert_int_equal(offence->line, 4);
    assert_int_equal(offence->reason, LISTING_CONFLICTS);
    assert_non_null(strstr(offence->text, "31.0 passes too many a request"));
    assert_string_equal(fixture->listing->instructions[offence->instruction].text, "st.shared.u32 [%r3], %r2;");
}

static const EmulatorAccess *access_of(const Fixture *fixture, const char *instruction, size_t *count) {
    for (size_t i = 0; i < fixture->listing->instruction_count; i++) {
        const ListingInstruction *of = &fixture->listing->instructions[i];
        if (strncmp(of->text, instruction, strlen(instruction)) == 0) {
            *count = of->accesses;
            assert_int_equal(fixture->listing->accesses[of->access].row, i);
            return &fixture->listing->accesses[of->access];
        }
    }
    fail_msg("no instruction %s", instruction);
    return NULL;
}

static void watched_warps_have_their_lanes(void **state) {
    const Fixture *fixture = *state;
    ListingLayout layout = {0};
    size_t count = 0;
    const EmulatorAccess *access = access_of(fixture, "ld.global", &count);
    assert_int_equal(count, 1); /* of one warp, in the first launch */
    assert_int_equal(access->bytes, 4);
    assert_int_equal(access->lanes, 0xFFFFFFFF);
    assert_int_equal(access->address[31] - access->address[0], 31 * 8);
    assert_int_equal(access->barriers, 0);
    listing_layout(access, &layout);
    assert_false(layout.banks);
    assert_int_equal(layout.parts, 8);
    assert_int_equal(layout.ideal, 4);
    assert_int_equal(layout.part[7] - layout.part[0], 7);
    assert_int_equal(layout.used[3], 0x0F0F0F0F);
    assert_int_equal(layout.place[9], 2); /* byte 72 */
    assert_int_equal(layout.offset[9], 8);
    access = access_of(fixture, "st.shared", &count);
    listing_layout(access, &layout);
    assert_true(layout.banks);
    assert_int_equal(layout.passes, 32);
    assert_int_equal(layout.ideal, 1);
    assert_int_equal(layout.place[5], 0);
    assert_int_equal(layout.pass[5], 5);
    assert_int_equal(layout.offset[5], 5);
    access = access_of(fixture, "st.global", &count);
    assert_int_equal(access->barriers, 1);
    assert_true(access->writes);
}

/* A block's second load of the same sectors finds nothing new. */
static void sectors_that_were_loaded_before_are_told(void **state) {
    static const char again[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                ".visible .entry again(.param .u64 in, .param .u64 out)\n{\n"
                                ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                                ".loc 1 2 1\nld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\n"
                                "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
                                ".loc 1 3 1\nld.global.u32 %r2, [%rd4];\n"
                                ".loc 1 4 1\nld.global.u32 %r3, [%rd4+4];\n"
                                ".loc 1 9 1\nret;\n}\n.file 1 \"mine.cu\"\n";
    const Fixture *fixture = *state;
    const ListingRun run = {calloc(1, sizeof(KernelRecord)), "again", again, fixture->path};
    Listing *listing;
    record(again, "again", &listing_watch_default, 1, (KernelRecord *)run.record);
    assert_int_equal(listing_of_runs(&run, 1, &listing_watch_default, &listing), STATUS_OK);
    const ListingLine *first = &listing->files[0].lines[2], *second = &listing->files[0].lines[3];
    assert_int_equal(first->block_sectors, 8);
    assert_int_equal(first->block_fresh, 7);     /* the second warp begins in a sector that the first has had */
    assert_int_equal(second->block_sectors, 10); /* a word further on: five a warp */
    assert_int_equal(second->block_fresh, 2);    /* the last of each */
    listing_free(&listing);
    free((void *)run.record);
}

/* clang has no calls of inlined code in its PTX: that counts to the line before. */
static void code_of_headers_counts_to_the_line_before(void **state) {
    static const char plain[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                ".visible .entry plain(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<9>;\n"
                                ".loc 1 3 1\nmov.u32 %r1, %tid.x;\n.loc 2 77 1\nadd.u32 %r1, %r1, 1;\n"
                                ".loc 2 78 1\nadd.u32 %r1, %r1, 1;\n.loc 1 4 1\nadd.u32 %r1, %r1, 2;\nret;\n}\n"
                                ".file 1 \"/somewhere\" \"mine.cu\"\n.file 2 \"/somewhere/kernel.h\"\n";
    const Fixture *fixture = *state;
    const ListingRun run = {calloc(1, sizeof(KernelRecord)), "plain", plain, fixture->path};
    Listing *listing;
    record(plain, "plain", &listing_watch_default, 1, (KernelRecord *)run.record);
    assert_int_equal(listing_of_runs(&run, 1, &listing_watch_default, &listing), STATUS_OK);
    assert_int_equal(listing->files[0].lines[2].instructions, 3);
    assert_int_equal(listing->files[0].lines[3].instructions, 3); /* with ret, and the end of the function */
    assert_int_equal(listing->elsewhere.warps, 0);
    listing_free(&listing);
    free((void *)run.record);
}

/* Layouts by hand; the emulator counts the same passes (test_emulator_counters). */
typedef struct Layout {
    unsigned bytes, stride, parts, passes, ideal;
    bool shared, writes;
} Layout;

static void layouts_are_as_counted(void **state) {
    static const Layout rows[] = {
        {4, 4, 4, 1, 4, false, false},     {4, 128, 32, 1, 4, false, false}, {4, 0, 1, 1, 1, false, false},
        {16, 16, 16, 1, 16, false, false}, {4, 4, 32, 1, 1, true, false},    {4, 8, 32, 2, 1, true, false},
        {4, 132, 32, 1, 1, true, false},   {8, 8, 32, 2, 2, true, false},    {8, 16, 32, 4, 2, true, false},
        {8, 256, 32, 32, 2, true, false},  {8, 0, 32, 1, 1, true, false},    {16, 16, 32, 4, 4, true, true},
        {16, 32, 32, 8, 4, true, true},    {16, 0, 32, 2, 2, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        EmulatorAccess access = {.lanes = 0xFFFFFFFF,
                                 .bytes = (uint8_t)rows[i].bytes,
                                 .writes = rows[i].writes,
                                 .space = rows[i].shared ? EMULATOR_SHARED : EMULATOR_GLOBAL};
        ListingLayout layout;
        for (unsigned lane = 0; lane < 32; lane++)
            access.address[lane] = 4096 + lane * rows[i].stride;
        listing_layout(&access, &layout);
        assert_int_equal(layout.parts, rows[i].parts);
        assert_int_equal(layout.passes, rows[i].passes);
        assert_int_equal(layout.ideal, rows[i].ideal);
    }
}

/* All lanes add to one counter, or to counters in one bank: one after the other. In pairs, and without a bank in
 * common, they take two passes. */
static void atomics_meet(void **state) {
    static const unsigned strides[][3] = {{0, 1, 32}, {128, 1, 32}, {4, 2, 2}, {4, 1, 1}}; /* lanes alike; passes */
    (void)state;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        EmulatorAccess access = {
            .lanes = 0xFFFFFFFF, .bytes = 4, .writes = true, .atomic = true, .space = EMULATOR_SHARED};
        ListingLayout layout;
        for (unsigned lane = 0; lane < 32; lane++)
            access.address[lane] = lane / strides[i][1] * strides[i][0];
        listing_layout(&access, &layout);
        assert_int_equal(layout.passes, strides[i][2]);
        assert_int_equal(layout.ideal, 1);
    }
}

static void columns_are_shares_of_counts(void **state) {
    const Fixture *fixture = *state;
    const EmulatorCount *count = &line_of(fixture, 3)->count;
    assert_true(listing_column("used")->value(count) == 0.5);
    assert_true(listing_column("sectors_per_request")->value(count) == 8);
    assert_true(listing_column("lanes")->value(count) == 1);
    assert_true(isnan(listing_column("conflicts")->value(count)));
    assert_true(listing_has(fixture->listing, listing_column("conflicts")));
    assert_false(listing_has(fixture->listing, listing_column("local_requests")));
    assert_null(listing_column("milliseconds"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_the_counts_of_their_instructions),
        cmocka_unit_test(inlined_code_counts_to_its_call),
        cmocka_unit_test(a_kernel_has_its_launches),
        cmocka_unit_test(the_worst_line_has_advice),
        cmocka_unit_test(watched_warps_have_their_lanes),
        cmocka_unit_test(sectors_that_were_loaded_before_are_told),
        cmocka_unit_test(code_of_headers_counts_to_the_line_before),
        cmocka_unit_test(layouts_are_as_counted),
        cmocka_unit_test(atomics_meet),
        cmocka_unit_test(columns_are_shares_of_counts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
