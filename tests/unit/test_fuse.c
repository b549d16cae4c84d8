/* test_fuse.c: point stages that are joined give the results of separate stages, bit for bit; and only those are joined
 * that may be. */
#include "app/backends.h"
#include "core/ops/convolve.h"
#include "core/ops/point.h"
#include "core/plan/fuse.h"

#include <math.h>

#include "tests/check.h"

#include "tests/chains.h"

static size_t count_stages(const char *text, Shape shape, bool linear, bool unfused) {
    Plan *plan = plan_of_chain(text, shape, (PlanOptions){.linear = linear, .unfused = unfused});
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
    /* a joined program reads the picture twice */
    assert_int_equal(count_stages("invert,difference", rgb, false, false), 1);
    /* so is it in linear light, but the second input's stage stays apart */
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

/* The result of one stage for the picture by a level. */
static Image *carried_out(Device *device, PointFunction function, Image *in, PixelType type, const char *level) {
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Image *out = NULL;
    Spans spans = {0};
    int value = 0;
    REQUIRE(plan_create((PlanOptions){.linear = false}, &plan));
    REQUIRE(plan_source(plan, in->view.shape, &value));
    PointJob job = point_single(function, 255, NULL, 0, type);
    REQUIRE(plan_append(plan, &op_point, &job, (const int[STAGE_INPUTS]){value, PLAN_NONE, PLAN_NONE}, type, &value));
    REQUIRE(pipeline_create(device, plan, level, &pipeline));
    REQUIRE(image_create(pipeline_result_shape(pipeline), &out));
    REQUIRE(pipeline_process(pipeline, in->view, out->view, &spans));
    pipeline_destroy(&pipeline);
    return out;
}

static void same_by(Device *cpu, PointFunction function, Image *in, PixelType type, const char *level) {
    Image *want = carried_out(cpu, function, in, type, "reference"), *got = carried_out(cpu, function, in, type, level);
    assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(want->view.shape));
    image_destroy(&want);
    image_destroy(&got);
}

/* Shortcuts in f32 round as double does. This holds for every u8 with every alpha, for quotients that end in a half,
 * and for light on both sides of an 8-bit step. */
static void shortcuts_round_as_the_reference_does(void **state) {
    (void)state;
    Device *cpu = NULL;
    const char *passed_over = NULL;
    Image *bytes = NULL, *colours = NULL, *light = NULL;
    REQUIRE(backend_open("cpu", 0, 2, &cpu, &passed_over));
    REQUIRE(image_create((Shape){256, 256, 2, PIXEL_U8}, &bytes));
    REQUIRE(image_create((Shape){521, 256, 2, PIXEL_F32}, &colours));
    REQUIRE(image_create((Shape){512, 257, 1, PIXEL_F32}, &light));
    for (size_t y = 0; y < 256; y++)
        for (size_t x = 0; x < 521; x++) {
            const double alpha = (double)y + (x % 3 == 1 ? 0.5 : 0);
            view_set_value(colours->view, x, y, 0, x == 520 ? (double)NAN : alpha * (double)x / 510);
            view_set_value(colours->view, x, y, 1, alpha);
            view_set_value(bytes->view, x % 256, y, 0, (double)(x % 256));
            view_set_value(bytes->view, x % 256, y, 1, (double)y);
        }
    for (size_t y = 0; y < 257; y++)
        for (size_t x = 0; x < 512; x++) {
            const double step = 255 * srgb_decode(((double)y - 0.5) / 255);
            view_set_value(light->view, x, y, 0, x == 511 ? (double)NAN : step * (1 + ((double)x - 255) * 0x1p-24));
        }
    same_by(cpu, POINT_premultiply, bytes, PIXEL_F32, "rows");
    same_by(cpu, POINT_unpremultiply, colours, PIXEL_U8, "rows");
    same_by(cpu, POINT_from_linear, light, PIXEL_U8, "table");
    image_destroy(&bytes);
    image_destroy(&colours);
    image_destroy(&light);
    device_close(&cpu);
}

/* p / alpha to the nearest, halves to even, at most 255; by whole numbers. */
static uint8_t by_whole_numbers(unsigned p, unsigned alpha) {
    if (alpha == 0)
        return 0;
    const unsigned twice = 2 * p + alpha, whole = twice / (2 * alpha);
    const unsigned even = twice % (2 * alpha) == 0 ? whole & ~1U : whole;
    return (uint8_t)(even < 255 ? even : 255);
}

enum { ALPHAS = 16, PRODUCTS = 65536 };

/* All u16 by some alphas, in every colour. */
static void all_quotients(Device *cpu, int channels, unsigned first) {
    static uint8_t wanted[PRODUCTS];
    Image *in = NULL;
    REQUIRE(image_create((Shape){PRODUCTS + 5, ALPHAS, channels, PIXEL_U16}, &in));
    for (size_t y = 0; y < ALPHAS; y++) {
        uint16_t *row = view_row(in->view, y);
        for (size_t i = 0; i < (PRODUCTS + 5) * (size_t)channels; i++) {
            const unsigned c = (unsigned)(i % (size_t)channels), x = (unsigned)(i / (size_t)channels);
            row[i] = (uint16_t)(c == (unsigned)channels - 1 ? first + y : x + 21845 * c);
        }
    }
    Image *out = carried_out(cpu, POINT_by_alpha, in, PIXEL_U8, "rows");
    for (size_t y = 0; y < ALPHAS; y++) {
        const uint16_t *from = view_row(in->view, y);
        const uint8_t *to = view_row(out->view, y);
        size_t wrong = 0;
        for (unsigned p = 0; p < PRODUCTS; p++)
            wanted[p] = by_whole_numbers(p, first + (unsigned)y);
        for (size_t i = 0; i < (PRODUCTS + 5) * (size_t)channels; i++)
            wrong += to[i] != (i % (size_t)channels == (size_t)channels - 1 ? first + y : wanted[from[i]]);
        assert_int_equal(wrong, 0);
    }
    image_destroy(&in);
    image_destroy(&out);
}

/* Every u8 times every alpha. */
static void all_products(Device *cpu, int channels) {
    Image *in = NULL;
    size_t wrong = 0;
    REQUIRE(image_create((Shape){261, 256, channels, PIXEL_U8}, &in));
    for (size_t y = 0; y < 256; y++)
        for (size_t x = 0; x < 261; x++)
            for (int c = 0; c < channels; c++)
                view_set_value(in->view, x, y, c, c == channels - 1 ? (double)y : (double)((x + 85 * (size_t)c) % 256));
    Image *out = carried_out(cpu, POINT_times_alpha, in, PIXEL_U16, "rows");
    for (size_t y = 0; y < 256; y++)
        for (size_t x = 0; x < 261; x++)
            for (int c = 0; c < channels; c++) {
                const double alpha = c == channels - 1 ? 1 : (double)y;
                wrong += fabs(view_value(out->view, x, y, c) - view_value(in->view, x, y, c) * alpha) > 0;
            }
    assert_int_equal(wrong, 0);
    image_destroy(&in);
    image_destroy(&out);
}

/* Ranks and morphology of bytes next to alpha: all products and quotients by every instruction set, and differences of
 * products. */
static void bytes_go_times_alpha_and_back(void **state) {
    (void)state;
    static const char *const isas[] = {"portable", "avx2", "avx512"}, *const chains[] = {"gradient=1", "tophat=2"};
    Device *cpu = NULL;
    const char *passed_over = NULL;
    REQUIRE(backend_open("cpu", 0, 2, &cpu, &passed_over));
    for (size_t set = 0; set < sizeof isas / sizeof isas[0]; set++) {
        setenv("GLINT_ISA", isas[set], 1);
        for (int channels = 2; channels <= 4; channels += 2) {
            Image *in = NULL;
            all_products(cpu, channels);
            for (unsigned alpha = 0; alpha < 256; alpha += check_quick() ? 5 * ALPHAS : ALPHAS)
                all_quotients(cpu, channels, alpha);
            REQUIRE(image_create((Shape){91, 33, channels, PIXEL_U8}, &in));
            view_fill_random(in->view, 5);
            for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
                Image *want = filter_by(cpu, chains[i], in, "reference", (PlanOptions){.linear = false});
                Image *got = filter_by(cpu, chains[i], in, "best", (PlanOptions){.linear = false});
                assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(want->view.shape));
                image_destroy(&want);
                image_destroy(&got);
            }
            image_destroy(&in);
        }
    }
    unsetenv("GLINT_ISA");
    device_close(&cpu);
}

static void run(Pipeline *pipeline, Image *out) {
    Spans spans = {0};
    REQUIRE(pipeline_run(pipeline, &spans));
    REQUIRE(pipeline_download(pipeline, out->view));
}

/* Stages that run together change with the level; the picture stays, and results are those of a new pipeline. */
static void levels_take_points_in(void **state) {
    (void)state;
    static const struct {
        const char *level;
        size_t stages;
    } cases[] = {{"separable", 2}, {"naive", 5}, {"simd", 2}, {"interior", 5}, {"separable", 2}};
    const Shape shape = {91, 33, 4, PIXEL_U8};
    const char *chain = "gaussian=1,difference=other,gaussian=2,grayscale";
    Device *cpu = NULL;
    const char *passed_over = NULL;
    Pipeline *pipeline = NULL;
    Image *in = NULL, *out = NULL;
    REQUIRE(backend_open("cpu", 0, 2, &cpu, &passed_over));
    REQUIRE(image_create(shape, &in));
    REQUIRE(image_create(shape, &out));
    view_fill_random(in->view, 3);
    REQUIRE(pipeline_create(cpu, plan_of_chain(chain, shape, (PlanOptions){.fused = true}), "naive", &pipeline));
    REQUIRE(pipeline_upload(pipeline, PIPELINE_PICTURE, in->view));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        REQUIRE(pipeline_set_level(pipeline, cases[i].level));
        assert_int_equal(pipeline_stage_count(pipeline), cases[i].stages);
        assert_string_equal(pipeline_level(pipeline, pipeline_main_stage(pipeline))->name, cases[i].level);
        run(pipeline, out);
        Image *want = filter_by(cpu, chain, in, cases[i].level, (PlanOptions){.unfused = true});
        assert_memory_equal(out->view.pixels, want->view.pixels, shape_bytes(shape));
        image_destroy(&want);
    }
    assert_int_equal(pipeline_set_level(pipeline, "no-such-level"), STATUS_USAGE);
    assert_int_equal(pipeline_stage_count(pipeline), 2);
    pipeline_destroy(&pipeline);
    image_destroy(&in);
    image_destroy(&out);
    device_close(&cpu);
}

/* ---- a device whose levels take as long as they are told ---- */

static double step_ms, around_ms; /* of a point stage for each step and more for every further one; of points around */

static double predict_points(const Level *level, const Stage *stage) {
    const int steps = point_job(stage)->count;
    (void)level;
    return 10 + step_ms * steps * steps;
}
static double predict_around(const Stage *stage) {
    return around_ms * ((stage->points->before != NULL) + (stage->points->after != NULL));
}

static const Predictor told = {"a test", predict_points};
static const Level told_points = {.op = &op_point, .name = "points", .predictor = &told},
                   told_convolve = {.op = &op_convolve, .name = "convolve", .points_ms = predict_around};
static const Level *const told_levels[] = {&told_points, &told_convolve};
static const Backend told_backend = {.name = "told", .levels = told_levels, .level_count = 2};
static const Device told_device = {.backend = &told_backend};

static size_t count_planned(const char *chain, PlanOptions options) {
    Plan *plan = plan_of_chain(chain, (Shape){64, 64, 3, PIXEL_U8}, options);
    const size_t count = plan_stage_count(plan);
    plan_destroy(&plan);
    return count;
}

/* Two stages of one step take 2 * (10 + s) ms, one of two steps 10 + 4 s: together pays up to 5 ms a step. */
static void points_join_where_it_pays(void **state) {
    (void)state;
    const char *chain = "invert,grayscale";
    step_ms = 4.9;
    assert_int_equal(count_planned(chain, (PlanOptions){.device = &told_device}), 1);
    step_ms = 5.1;
    assert_int_equal(count_planned(chain, (PlanOptions){.device = &told_device}), 2);
    assert_int_equal(count_planned(chain, (PlanOptions){.device = &told_device, .fused = true}), 1);
    assert_int_equal(count_planned(chain, (PlanOptions){.device = NULL}), 1);
}

static size_t count_fused(const char *chain, PlanOptions options) {
    const Level *levels[3] = {NULL};
    FusedStage fused[3];
    options.device = &told_device;
    Plan *plan = plan_of_chain(chain, (Shape){64, 64, 3, PIXEL_U8}, options);
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        levels[i] = plan_stage(plan, i)->stage.op == &op_point ? &told_points : &told_convolve;
    const size_t count = fuse_around(plan, &told_device, levels, fused);
    plan_destroy(&plan);
    return count;
}

/* Alone, a point stage takes 10 ms here. */
static void points_go_along_where_it_pays(void **state) {
    (void)state;
    step_ms = 0;
    around_ms = 9;
    assert_int_equal(count_fused("invert,gaussian=1,invert", (PlanOptions){.linear = false}), 1);
    around_ms = 11;
    assert_int_equal(count_fused("invert,gaussian=1,invert", (PlanOptions){.linear = false}), 3);
    assert_int_equal(count_fused("invert,gaussian=1,invert", (PlanOptions){.fused = true}), 1);
    around_ms = -1; /* it cannot carry them out */
    assert_int_equal(count_fused("invert,gaussian=1,invert", (PlanOptions){.fused = true}), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortcuts_round_as_the_reference_does),
        cmocka_unit_test(bytes_go_times_alpha_and_back),
        cmocka_unit_test(levels_take_points_in),
        cmocka_unit_test(points_join_where_it_pays),
        cmocka_unit_test(points_go_along_where_it_pays),
        cmocka_unit_test(chains_come_to_few_stages),
        cmocka_unit_test(long_chains_come_to_several_stages),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests_name("fuse", tests, NULL, NULL);
}
