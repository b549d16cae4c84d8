/* harness.c: the loop over backends, ladders and instruction sets. */
#include "tests/levels/harness.h"

#include "cpu/isa.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 3 };

const char *const isas[ISAS] = {"portable", "avx2", "avx512"};

/* The linker puts this in the place of isa_detect (tests/CMakeLists.txt). A level that does not ask for the instruction
 * set is the same code in all of them. */
Isa __real_isa_detect(void);
Isa __wrap_isa_detect(void);
static bool asked_for_isa;

Isa __wrap_isa_detect(void) {
    asked_for_isa = true;
    return __real_isa_detect();
}

bool is_quick(void) {
    return getenv("GLINT_TEST_QUICK") != NULL;
}

size_t draw(Pcg *pcg, size_t count) {
    return pcg_next(pcg) % count;
}

Plan *plan_for(Shape shape, Border border) {
    Plan *plan;
    int picture;
    REQUIRE(plan_create((PlanOptions){.border = border, .alpha = ALPHA_IGNORE}, &plan));
    REQUIRE(plan_source(plan, shape, &picture));
    assert_int_equal(picture, 0);
    return plan;
}

size_t first_rung(const Backend *backend, const Op *op, const char *lowest) {
    const Level *level;
    size_t i = 0;
    while (lowest && (level = ladder_level(backend, op, i)) && strcmp(level->name, lowest) != 0)
        i++;
    return i;
}

Image *run_level(Queue *queue, const Level *level, const Stage *stage) {
    Image *result = NULL;
    char what[400];
    if (verify_run(queue, level, stage, VERIFY_NOISE, &result) != STATUS_OK) {
        verify_describe(stage, level, queue->device->backend->name, what, sizeof what);
        fail_msg("%s: %s", what, status_message());
    }
    return result;
}

/* A transform mixes all values of a picture: one that is not finite spoils them all (docs/convolve.md, fft), unless its
 * tile is summed. */
static bool spreads(const Backend *backend, const Level *level) {
    return strcmp(level->name, "fft") == 0 && !backend->host_frames;
}

/* One level, by every instruction set that its backend has, if it asks for one. */
static void check_level(Bench *bench, const Verification *verification, const Level *level, size_t sets) {
    const Stage *stage = verification->stage;
    const char *why_not = NULL;
    char what[400];
    verify_describe(stage, level, bench->device->backend->name, what, sizeof what);
    if (spreads(bench->device->backend, level) && verification->inputs == VERIFY_NOT_FINITE)
        return;
    if (!level_accepts(level, bench->device, stage, &why_not)) {
        assert_non_null(why_not);
        return;
    }
    asked_for_isa = false;
    for (size_t set = 0; set < sets && (set == 0 || asked_for_isa); set++) {
        Verdict verdict;
        setenv("GLINT_ISA", isas[set], 1);
        if (verify_level(verification, bench->queue, level, &verdict) != STATUS_OK)
            fail_msg("%s (%s): %s", what, isas[set], status_message());
        if (!verdict.agrees)
            print_error("%s (%s): %zu of %zu values differ, by up to %g; %g is allowed\n", what, isas[set],
                        verdict.differing, verdict.values, verdict.worst, verdict.allowed);
        bench->sums.broken += !verdict.agrees;
        bench->sums.cases++;
        if (stage->out.shape.type != PIXEL_F32 && !stage->op->accumulates) {
            bench->sums.values += verdict.values;
            bench->sums.differing += verdict.differing;
        }
    }
    unsetenv("GLINT_ISA");
}

static void check_inputs(Bench *benches, const Stage *stage, VerifyInputs inputs, const char *lowest) {
    Verification verification;
    REQUIRE(verify_begin(benches[0].queue, stage, inputs, &verification));
    for (size_t b = 0; b < backend_count(); b++) {
        const Level *level;
        if (!benches[b].device || benches[b].left_out)
            continue;
        for (size_t i = first_rung(backend_at(b), stage->op, lowest);
             (level = ladder_level(backend_at(b), stage->op, i)); i++)
            if (level != level_reference(stage->op))
                check_level(&benches[b], &verification, level, backend_at(b)->host_frames ? ISAS : 1);
    }
    verify_end(&verification);
}

void check_from(Bench *benches, const Stage *stage, const char *lowest) {
    check_inputs(benches, stage, VERIFY_NOISE, lowest);
}

void check_case(Bench *benches, const Stage *stage) {
    check_from(benches, stage, NULL);
}

void check_not_finite(Bench *benches, const Stage *stage) {
    check_inputs(benches, stage, VERIFY_NOT_FINITE, NULL);
}

void check_plan(Bench *benches, Plan *plan) {
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        check_case(benches, &plan_stage(plan, i)->stage);
    plan_destroy(&plan);
}

void rule_holds_overall(void **state) {
    const Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++) {
        if (benches[b].left_out)
            continue;
        if (!benches[b].device) {
            print_message("%s: no device, its levels were not run\n", backend_at(b)->name);
            continue;
        }
        const Sums sums = benches[b].sums;
        print_message("%s: %zu runs of levels, %zu of %zu whole values off by one\n", backend_at(b)->name, sums.cases,
                      sums.differing, sums.values);
        assert_true(sums.cases > 0);
        assert_int_equal(sums.broken, 0);
        assert_true(sums.differing <= sums.values / 1000);
    }
}

int open_devices(void **state) {
    Bench *benches = calloc(backend_count(), sizeof *benches);
    const char *only = getenv("GLINT_TEST_BACKEND"); /* the CPU is always opened, for its references */
    for (size_t b = 0; b < backend_count(); b++)
        if (backend_at(b)->open(0, b == 0 ? THREADS : 0, &benches[b].device) == STATUS_OK)
            REQUIRE(queue_open(benches[b].device, &benches[b].queue));
        else
            benches[b].device = NULL;
    for (size_t b = 0; only && b < backend_count(); b++)
        benches[b].left_out = strcmp(backend_at(b)->name, only) != 0;
    *state = benches;
    return benches[0].device ? 0 : -1;
}

int close_devices(void **state) {
    Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++) {
        queue_close(&benches[b].queue);
        device_close(&benches[b].device);
    }
    free(benches);
    return 0;
}
