/* test_fuse.c: point stages that are joined make what they make apart, bit for bit; and only those are joined that may
 * be. */
#include "app/backends.h"
#include "core/chain.h"
#include "core/pipeline.h"

#include <string.h>

#include "tests/check.h"

static Plan *lower(const char *text, Shape shape, PlanOptions options) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    REQUIRE(chain_parse(text, &chain));
    for (size_t i = 0; i < 2; i++) {
        Image *image = NULL;
        REQUIRE(image_create(shape, &image));
        view_fill_random(image->view, 5 + i);
        chain->images[i] = (PlanImage){strdup(i ? "another" : "other"), image};
    }
    chain->image_count = 2;
    if (chain_plan(chain, shape, options, &plan) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    chain_destroy(&chain);
    return plan;
}

static size_t count_stages(const char *text, Shape shape, bool linear, bool unfused) {
    Plan *plan = lower(text, shape, (PlanOptions){.linear = linear, .unfused = unfused});
    const size_t count = plan_stage_count(plan);
    for (size_t i = 0; i < count; i++) {
        const PlanStage *stage = plan_stage(plan, i);
        assert_int_equal(plan_value_stage(plan, stage->to), i);
        for (int k = 0; k < STAGE_INPUTS && stage->from[k] >= 0; k++)
            assert_true(plan_value_source(plan, stage->from[k]) >= 0 ||
                        plan_value_stage(plan, stage->from[k]) < (int)i);
    }
    plan_destroy(&plan);
    return count;
}

static void chains_come_to_few_stages(void **state) {
    (void)state;
    const Shape rgb = {9, 7, 3, PIXEL_U8}, rgba = {9, 7, 4, PIXEL_U8};
    assert_int_equal(count_stages("invert,grayscale,invert", rgb, false, true), 3);
    assert_int_equal(count_stages("invert,grayscale,invert", rgb, false, false), 1);
    assert_int_equal(count_stages("invert,grayscale", rgb, true, false), 1);
    /* premultiply, box, unpremultiply and premultiply, box, unpremultiply */
    assert_int_equal(count_stages("box,box", rgba, false, false), 5);
    assert_int_equal(count_stages("grayscale,box,invert", rgb, false, false), 3);
    /* the second image goes along; a second one too; a third needs another stage */
    assert_int_equal(count_stages("invert,difference=other,invert", rgb, false, false), 1);
    assert_int_equal(count_stages("invert,difference=other,invert,difference=another", rgb, false, false), 1);
    assert_int_equal(count_stages("difference=other,difference=another,invert,difference=other", rgb, false, false), 1);
    /* what was joined reads the picture twice */
    assert_int_equal(count_stages("invert,difference", rgb, false, false), 1);
    /* so is it in linear light, but what the second input is made of stays a stage */
    assert_int_equal(count_stages("invert,difference", rgb, true, false), 2);
}

/* More steps than a program holds. */
static void long_chains_come_to_several_stages(void **state) {
    (void)state;
    char text[9 * CHAIN_MAX] = "invert";
    for (int i = 1; i < CHAIN_MAX; i++)
        strcat(text, ",invert");
    assert_int_equal(count_stages(text, (Shape){9, 7, 3, PIXEL_U8}, false, false),
                     (CHAIN_MAX + POINT_STEPS - 1) / POINT_STEPS);
}

static Image *filtered(Device *device, const char *text, Image *in, const char *level, PlanOptions options) {
    Pipeline *pipeline = NULL;
    Image *out = NULL;
    Spans spans = {0};
    if (pipeline_create(device, lower(text, in->view.shape, options), level, &pipeline) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    REQUIRE(image_create(pipeline_result_shape(pipeline), &out));
    REQUIRE(pipeline_process(pipeline, in->view, out->view, &spans));
    pipeline_destroy(&pipeline);
    return out;
}

static void fused_is_unfused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "invert,grayscale,invert",
        "invert,box,box",
        "difference=other,invert,difference=another,grayscale",
        "invert,difference,invert,difference=other",
        "grayscale,gaussian,invert,invert,gaussian,grayscale",
    };
    static const char *const levels[] = {"best", "reference", "rows"};
    Device *cpu = NULL;
    const char *passed_over = NULL;
    REQUIRE(backend_open("cpu", 0, 2, &cpu, &passed_over));
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
        for (int kind = 0; kind < PIXEL_TYPES * 4; kind++)
            for (int linear = 0; linear < 2; linear++)
                for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
                    const Shape shape = {67, 5, 1 + kind % 4, (PixelType)(kind / 4)};
                    Image *in = NULL;
                    REQUIRE(image_create(shape, &in));
                    view_fill_random(in->view, 3);
                    Image *fused = filtered(cpu, texts[t], in, levels[k], (PlanOptions){.linear = linear});
                    Image *apart =
                        filtered(cpu, texts[t], in, levels[k], (PlanOptions){.linear = linear, .unfused = true});
                    if (memcmp(fused->view.pixels, apart->view.pixels, shape_bytes(shape)) != 0)
                        fail_msg("%s by %s: not the same, %sx%d", texts[t], levels[k], pixel_type_name(shape.type),
                                 shape.channels);
                    image_destroy(&in);
                    image_destroy(&fused);
                    image_destroy(&apart);
                }
    device_close(&cpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_come_to_few_stages),
        cmocka_unit_test(long_chains_come_to_several_stages),
        cmocka_unit_test(fused_is_unfused),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests_name("fuse", tests, NULL, NULL);
}
