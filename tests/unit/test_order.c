/* test_order.c: NaN, infinity and zeros of both signs in order statistics: every level does as the reference does. */
#include "app/backends.h"
#include "core/chain/chain.h"
#include "core/plan/pipeline.h"
#include "core/stage/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"

static const char *const isas[] = {"portable", "avx2", "avx512"};

/* Noise around 0 in which every fifth value or so is no plain number. */
static Image *odd_picture(Shape shape) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0F, -0.0F, -NAN, NAN};
    Image *image = NULL;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, 17);
    float *values = image->view.pixels;
    for (size_t i = 0; i < shape.width * shape.height * (size_t)shape.channels; i++) {
        values[i] -= 0.5F;
        if (i * 2654435761U % 5 == 0)
            values[i] = odd[i / 5 % (sizeof odd / sizeof odd[0])];
    }
    return image;
}

static Image *filtered(Device *device, const char *text, const char *level, ImageView picture) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Image *result = NULL;
    Spans spans = {0};
    REQUIRE(chain_parse(text, &chain));
    REQUIRE(chain_plan(chain, picture.shape, (PlanOptions){.border = {BORDER_CLAMP, 0}}, &plan));
    const Stage *stage = &plan_stage(plan, 0)->stage;
    const char *why_not = NULL;
    if (level_accepts(level_by_name(device->backend, stage->op, level), device, stage, &why_not)) {
        REQUIRE(pipeline_create(device, plan, level, &pipeline));
        plan = NULL; /* the pipeline has it */
        REQUIRE(image_create(pipeline_result_shape(pipeline), &result));
        REQUIRE(pipeline_process(pipeline, picture, result->view, &spans));
    }
    pipeline_destroy(&pipeline);
    plan_destroy(&plan);
    chain_destroy(&chain);
    return result;
}

static const Op *op_of(const char *text, Shape shape) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    REQUIRE(chain_parse(text, &chain));
    REQUIRE(chain_plan(chain, shape, (PlanOptions){0}, &plan));
    const Op *op = plan_stage(plan, 0)->stage.op;
    plan_destroy(&plan);
    chain_destroy(&chain);
    return op;
}

static void levels_order_alike(void **state) {
    static const char *const chains[] = {"median",      "median=2", "median=3", "percentile=90:radius=2",
                                         "erode",       "dilate=3", "erode=7",  "dilate=9",
                                         "erode=4:disk"};
    (void)state;
    const Shape shape = {61, 37, 3, PIXEL_F32};
    Image *picture = odd_picture(shape);
    Device *cpu = NULL;
    REQUIRE(backend_by_name("cpu")->open(0, 2, &cpu));
    for (size_t b = 0; b < backend_count(); b++) {
        Device *device = NULL;
        if (backend_at(b)->open(0, 2, &device) != STATUS_OK)
            continue;
        for (size_t c = 0; c < sizeof chains / sizeof chains[0]; c++) {
            const Op *op = op_of(chains[c], shape);
            Image *want = filtered(cpu, chains[c], "reference", picture->view);
            for (size_t l = 0; l < ladder_count(backend_at(b), op); l++)
                for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
                    const char *level = ladder_level(backend_at(b), op, l)->name;
                    setenv("GLINT_ISA", isas[i], 1);
                    Image *got = filtered(device, chains[c], level, picture->view);
                    if (got && verdict_count(want->view, got->view).differing > 0)
                        fail_msg("%s by %s %s (%s): %zu values differ", chains[c], backend_at(b)->name, level, isas[i],
                                 verdict_count(want->view, got->view).differing);
                    image_destroy(&got);
                }
            image_destroy(&want);
        }
        device_close(&device);
    }
    unsetenv("GLINT_ISA");
    device_close(&cpu);
    image_destroy(&picture);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_order_alike)};
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
