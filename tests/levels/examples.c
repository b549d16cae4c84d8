/* examples.c: the examples of every operation (core/stage/op.h), also of one that no other file here knows. */
#include "tests/levels/harness.h"

#include "core/base/stop.h"
#include "core/ops/denoise.h"
#include "core/ops/ops.h"
#include "cpu/scratch.h"

#include <string.h>

/* The examples of every operation, also of one that this file does not know. */
static void examples_of_every_operation(void **state) {
    const Shape sizes[] = {{1, 1, 0, 0}, {67, 41, 0, 0}};
    for (size_t o = 0; o < op_count; o++)
        for (size_t e = 0; e < ops[o]->example_count; e++)
            for (int type = 0; type < PIXEL_TYPES; type++)
                for (int channels = is_quick() ? 3 : 1; channels <= (is_quick() ? 3 : 4); channels++)
                    for (size_t i = is_quick() ? 1 : 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                        const Shape shape = {sizes[i].width, sizes[i].height, channels, (PixelType)type};
                        Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
                        int out;
                        if (plan_example(plan, ops[o], e, shape, &out) == STATUS_OK)
                            check_plan(*state, plan);
                        else
                            plan_destroy(&plan);
                    }
}

/* Blocks of the CUDA level `columns` that have all of their neighbours. */
static void denoises_far_from_the_sides(void **state) {
    const Shape shape = {200, 101, 3, PIXEL_F32};
    Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
    int out;
    REQUIRE(plan_example(plan, &op_denoise, 1, shape, &out));
    check_plan(*state, plan);
}

/* Each operation defines its results for NaN and infinity. */
static void examples_with_values_that_are_not_finite(void **state) {
    for (size_t o = 0; o < op_count; o++)
        for (size_t e = 0; e < ops[o]->example_count; e++)
            for (int channels = is_quick() ? 4 : 1; channels <= 4; channels++) {
                const Shape shape = {67, 41, channels, PIXEL_F32};
                Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
                int out;
                if (plan_example(plan, ops[o], e, shape, &out) == STATUS_OK)
                    for (size_t i = 0; i < plan_stage_count(plan); i++)
                        check_not_finite(*state, &plan_stage(plan, i)->stage);
                plan_destroy(&plan);
            }
}

/* Fills the scratch as earlier work would leave it. */
static void litter_scratch(Queue *queue, const Level *level, const Stage *stage) {
    const size_t bytes = level_workspace(level, queue->device, stage);
    void *scratch;
    REQUIRE(cpu_scratch(queue, bytes, &scratch));
    if (bytes > 0)
        memset(scratch, 2, bytes);
}

/* With frames of their own, which a sanitizer watches. */
static void run_stopped(Queue *queue, const Level *level, const Stage *unbound) {
    Stop stop = {.asked = true};
    Stage stage = *unbound;
    Image *in[STAGE_INPUTS] = {NULL}, *out = NULL;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage.in[k].shape.width > 0) {
            REQUIRE(image_create_unfilled(stage.in[k].shape, &in[k]));
            view_fill_random(in[k]->view, 5);
            stage.in[k] = in[k]->view;
        }
    REQUIRE(image_create(stage.out.shape, &out));
    stage.out = out->view;
    litter_scratch(queue, level, &stage);
    queue->stop = &stop;
    const Status status = level_run(level, queue, &stage);
    queue->stop = NULL;
    assert_true(status == STATUS_OK || status == STATUS_INTERRUPTED);
    for (int k = 0; k < STAGE_INPUTS; k++)
        image_destroy(&in[k]);
    image_destroy(&out);
}

/* Pieces of work that were not done, since the queue was asked to stop, have left no memory that others trust. */
static void stopped_levels_stay_in_their_memory(void **state) {
    const Bench *cpu = *state;
    const Shape shape = {67, 41, 3, PIXEL_U8};
    for (size_t o = 0; o < op_count; o++)
        for (size_t e = 0; e < ops[o]->example_count; e++) {
            Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
            const Level *level;
            int out;
            if (plan_example(plan, ops[o], e, shape, &out) == STATUS_OK)
                for (size_t i = 0; (level = ladder_level(backend_at(0), ops[o], i)); i++) {
                    const char *why_not;
                    if (level_accepts(level, cpu->device, &plan_stage(plan, 0)->stage, &why_not))
                        run_stopped(cpu->queue, level, &plan_stage(plan, 0)->stage);
                }
            plan_destroy(&plan);
        }
}

int levels_examples(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_levels_stay_in_their_memory), /* first: their cached entries serve those that follow */
        cmocka_unit_test(examples_of_every_operation),
        cmocka_unit_test(denoises_far_from_the_sides),
        cmocka_unit_test(examples_with_values_that_are_not_finite),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, examples", tests, open_devices, close_devices);
}
