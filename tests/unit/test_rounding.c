/* test_rounding.c: chains whose values are f32 between filters: what they round, which stages convert, and where
 * PRECISION_AUTO has them so. */
#include "app/backends.h"
#include "core/device/tuned.h"
#include "core/ops/bilateral.h"
#include "core/ops/convolve.h"
#include "core/ops/morphology.h"
#include "core/ops/move.h"
#include "core/ops/point.h"
#include "core/ops/rank.h"
#include "core/plan/precision.h"

#include <math.h>

#include "tests/check.h"

#include "tests/chains.h"

static const PlanOptions stored = {.border = {BORDER_CLAMP, 0}},
                         high = {.border = {BORDER_CLAMP, 0}, .precision = PRECISION_HIGH};

static Device *open_cpu(void) {
    Device *cpu = NULL;
    const char *passed_over = NULL;
    REQUIRE(backend_open("cpu", 0, 2, &cpu, &passed_over));
    return cpu;
}

/* All bytes, in a row. */
static Image *ramp(void) {
    Image *image = NULL;
    REQUIRE(image_create((Shape){256, 1, 1, PIXEL_U8}, &image));
    for (size_t x = 0; x < 256; x++)
        view_set_value(image->view, x, 0, 0, (double)x);
    return image;
}

static size_t count_levels(const Image *image) {
    static bool seen[65536];
    size_t count = 0;
    memset(seen, 0, sizeof seen);
    for (size_t x = 0; x < image->view.shape.width; x++) {
        const size_t value = (size_t)view_value(image->view, x, 0, 0);
        count += !seen[value];
        seen[value] = true;
    }
    return count;
}

/* Two functions that undo each other leave every level where it was, unless values are rounded between them. The power
 * 4 leaves 136 of 256 bytes apart: numpy.unique(numpy.rint(255 * (numpy.arange(256) / 255) ** 4)). */
static void a_ramp_keeps_its_levels(void **state) {
    (void)state;
    Device *cpu = open_cpu();
    Image *in = ramp();
    Image *banded = filter_by(cpu, "gamma=0.25,gamma=4", in, "best", stored);
    Image *kept = filter_by(cpu, "gamma=0.25,gamma=4", in, "best", high);
    assert_int_equal(count_levels(banded), 136);
    assert_memory_equal(kept->view.pixels, in->view.pixels, 256);
    image_destroy(&banded);
    image_destroy(&kept);
    kept = filter_by(cpu, "brightness=50,brightness=-50", in, "best", high); /* white goes beyond, and comes back */
    assert_memory_equal(kept->view.pixels, in->view.pixels, 256);
    image_destroy(&kept);
    image_destroy(&in);
    device_close(&cpu);
}

/* The same picture as floats, from 0 to 1. */
static Image *as_floats(const Image *in) {
    Image *out = NULL;
    const Shape shape = shape_with_type(in->view.shape, PIXEL_F32);
    REQUIRE(image_create(shape, &out));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(out->view, x, y, c,
                               view_value(in->view, x, y, c) / pixel_type_white(in->view.shape.type));
    return out;
}

/* Floats pass a chain without rounding. Bytes with high precision come to the byte next to that; so do 16 bits, and
 * with type_min bytes as 16 bits. The chains have filters in all orders that the places of conversions depend on. */
static void a_chain_rounds_once(void **state) {
    static const char *const chains[] = {
        "gaussian=2,sharpen",
        "median=3,gaussian=1,median=3",
        "flip,box=3,curves=0 0; 30 20; 100 100,flip",
        "gamma=0.5,resize=scale=0.7,rotate=20,sepia",
        "invert,erode=3,unsharp=2,erode=3,invert",
        "bilateral,nlmeans=0.1,guided",
        "gaussian=12,contrast=1.4,dilate=3",
        "matrix=0.5 0.25 0.25 0;0 1 0 0;0.1 0.1 0.8 0,kuwahara,gamma=2",
        "resize=scale=1,invert,anisotropic",
        "gaussian=2,difference,box=3",
        "sharpen=within=9x9+2+2,vignette,gaussian=0.5",
    };
    (void)state;
    Device *cpu = open_cpu();
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        for (int kind = 0; kind < 9; kind++) {
            const Shape shape = {23, 19,
                                 kind % 3 == 0   ? 3
                                 : kind % 3 == 1 ? 4
                                                 : 1,
                                 kind / 3 == 1 ? PIXEL_U16 : PIXEL_U8};
            PlanOptions options = high;
            options.type_min = kind / 3 == 2 ? PIXEL_U16 : PIXEL_U8;
            if (shape.channels == 1 && strstr(chains[i], "matrix"))
                continue;
            Image *in = NULL;
            REQUIRE(image_create(shape, &in));
            view_fill_random(in->view, 3 + i);
            Image *floats = as_floats(in);
            Image *got = filter_by(cpu, chains[i], in, "best", options);
            Image *want = filter_by(cpu, chains[i], floats, "best", stored);
            const Shape result = got->view.shape;
            const double white = pixel_type_white(result.type);
            assert_int_equal(result.type, kind / 3 > 0 ? PIXEL_U16 : PIXEL_U8);
            assert_int_equal(result.width, want->view.shape.width);
            for (size_t y = 0; y < result.height; y++)
                for (size_t x = 0; x < result.width; x++)
                    for (int c = 0; c < result.channels; c++) {
                        const double value = white * fmin(fmax(view_value(want->view, x, y, c), 0), 1);
                        if (fabs(view_value(got->view, x, y, c) - value) > 0.5 + 2e-5 * white)
                            fail_msg("%s, %sx%d: at %zu, %zu, %d %g, want %g", chains[i], pixel_type_name(shape.type),
                                     shape.channels, x, y, c, view_value(got->view, x, y, c), value);
                    }
            image_destroy(&in);
            image_destroy(&floats);
            image_destroy(&got);
            image_destroy(&want);
        }
    device_close(&cpu);
}

/* Where stages can read and store the picture's type themselves, none is there to convert. */
static void conversions_are_where_they_cost_least(void **state) {
    static const struct {
        const char *chain;
        size_t stages;
        const Op *first;
        PixelType between; /* that the first stage makes */
    } cases[] = {
        {"gaussian=2", 1, &op_convolve, PIXEL_U8},
        {"median=3", 1, &op_rank, PIXEL_U8},
        {"median=3,erode=3,flip", 3, &op_rank, PIXEL_U8},
        {"flip,gaussian=2,invert", 3, &op_move, PIXEL_U8},
        {"invert,gamma=2", 1, &op_point, PIXEL_U8},
        {"gaussian=2,invert", 2, &op_convolve, PIXEL_F32},
        {"gaussian=2,median=3", 3, &op_convolve, PIXEL_F32},
        {"median=3,gaussian=2,gaussian=2,invert", 4, &op_rank, PIXEL_U8},
    };
    const Shape shape = {40, 30, 3, PIXEL_U8};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Plan *plan = plan_of_chain(cases[i].chain, shape, high);
        const PlanStage *first = plan_stage(plan, 0);
        if (plan_stage_count(plan) != cases[i].stages)
            fail_msg("%s: %zu stages", cases[i].chain, plan_stage_count(plan));
        assert_ptr_equal(first->stage.op, cases[i].first);
        assert_int_equal(first->stage.out.shape.type, cases[i].between);
        assert_int_equal(plan_value_shape(plan, plan_result(plan)).type, PIXEL_U8);
        for (size_t k = 0; k < plan_stage_count(plan); k++) {
            const PlanStage *stage = plan_stage(plan, k);
            assert_true(shape_equal(stage->stage.out.shape, plan_value_shape(plan, stage->to)));
            assert_true(shape_equal(stage->stage.in[0].shape, plan_value_shape(plan, stage->from[0])));
            assert_int_equal(plan_value_stage(plan, stage->to), k);
        }
        plan_destroy(&plan);
    }
    Plan *plan = plan_of_chain("resize=scale=1", shape, high);
    assert_int_equal(plan_stage_count(plan), 0);
    plan_destroy(&plan);
}

/* Sums are double where an operation reads u16 itself, and float behind a stage that widens. In ns a value, bilateral
 * took 17 and 8.6, sharpen 0.9 and 0.56. Sums of u8 are float. Without a device nothing is known of times. */
static void values_are_widened_apart_where_that_is_faster(void **state) {
    static const struct {
        const char *chain;
        PixelType type;
        bool known;      /* times are */
        const Op *first; /* of the plan's stages */
        size_t at;       /* the operation's stage */
        PixelType reads;
    } cases[] = {
        {"bilateral,invert", PIXEL_U16, true, &op_point, 1, PIXEL_F32},
        {"bilateral,invert", PIXEL_U16, false, &op_bilateral, 0, PIXEL_U16},
        {"bilateral,invert", PIXEL_U8, true, &op_bilateral, 0, PIXEL_U8},
        {"sharpen,invert", PIXEL_U16, true, &op_convolve, 0, PIXEL_U16},
        {"invert,gamma=2", PIXEL_U16, true, &op_point, 0, PIXEL_U16}, /* points convert in passing */
    };
    (void)state;
    Device *cpu = open_cpu();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PlanOptions options = high;
        options.device = cases[i].known ? cpu : NULL;
        Plan *plan = plan_of_chain(cases[i].chain, (Shape){40, 30, 3, cases[i].type}, options);
        assert_ptr_equal(plan_stage(plan, 0)->stage.op, cases[i].first);
        assert_int_equal(plan_stage(plan, cases[i].at)->stage.in[0].shape.type, cases[i].reads);
        assert_int_equal(plan_value_shape(plan, plan_result(plan)).type, cases[i].type);
        plan_destroy(&plan);
    }
    device_close(&cpu);
}

/* How auto decides for a device, or without one. */
static PrecisionChoice choice_on(const Device *device, const char *chain, Shape shape, PixelType type_min) {
    Plan *plan =
        plan_of_chain(chain, shape, (PlanOptions){.precision = PRECISION_AUTO, .type_min = type_min, .device = device});
    const PrecisionChoice choice = plan_options(plan)->choice;
    assert_true(choice.made);
    plan_destroy(&plan);
    return choice;
}

/* Where nothing is known of times, tables of values alone pass f32. */
static void auto_takes_floats_where_they_cost_nothing(void **state) {
    static const struct {
        const char *chain;
        int channels;
        size_t roundings;
        ChainPrecision taken;
    } cases[] = {
        {"gaussian=2", 3, 1, PRECISION_STORED},
        {"gaussian=2,sharpen", 3, 2, PRECISION_STORED},
        {"invert,median=3,flip", 3, 0, PRECISION_STORED},
        {"gamma=2,contrast=1.2,gamma=0.5", 3, 3, PRECISION_POINTS},
        {"gamma=2,contrast=1.2,gaussian=2,gamma=2", 4, 4, PRECISION_POINTS},
        {"gamma=2,gaussian=2,gamma=2", 3, 3, PRECISION_STORED}, /* none follows another */
        {"sepia,grayscale", 3, 2, PRECISION_STORED},            /* of pixels: no table of values */
        {"grayscale,gamma=2", 1, 2, PRECISION_POINTS},          /* pixels of one value */
        {"temperature=5000,gamma=2", 3, 2, PRECISION_STORED},   /* its last step reads f32 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Shape shape = {64, 48, cases[i].channels, PIXEL_U8};
        const PrecisionChoice choice = choice_on(NULL, cases[i].chain, shape, PIXEL_U8);
        if (choice.roundings != cases[i].roundings || choice.taken != cases[i].taken)
            fail_msg("%s, %d channels: %zu roundings, precision %d", cases[i].chain, cases[i].channels,
                     choice.roundings, choice.taken);
        assert_int_equal(choice_on(NULL, cases[i].chain, shape_with_type(shape, PIXEL_F32), PIXEL_U8).taken,
                         PRECISION_STORED);
    }
    assert_int_equal(choice_on(NULL, "gaussian=2", (Shape){64, 48, 3, PIXEL_U8}, PIXEL_U16).taken, PRECISION_HIGH);
}

/* The rule of a tenth, by predictions that are given. */
static void auto_decides_by_roundings_and_times(void **state) {
    static const struct {
        size_t roundings, along;
        double stored, high;
        bool deeper;
        ChainPrecision taken;
    } cases[] = {
        {1, 1, 1, 1, false, PRECISION_STORED},               /* once is not too often, whatever it costs */
        {2, 2, 1, 1.09, false, PRECISION_HIGH},              /* cheap */
        {2, 2, 1, 1.11, false, PRECISION_STORED},            /* dear */
        {2, 2, 0.02, 0.01, false, PRECISION_HIGH},           /* faster */
        {3, 2, 1, 3, false, PRECISION_POINTS},               /* dear, but for tables */
        {3, 2, 1, 1, false, PRECISION_HIGH},                 /* which filters between them would round */
        {3, 3, INFINITY, INFINITY, false, PRECISION_STORED}, /* unknown */
        {2, 2, INFINITY, 1, false, PRECISION_HIGH},
        {2, 2, 1, INFINITY, false, PRECISION_STORED},
        {2, 2, 1, 5, true, PRECISION_HIGH}, /* more bits are asked for */
        {1, 1, 1, 1, true, PRECISION_STORED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PrecisionChoice choice = {.made = true,
                                  .roundings = cases[i].roundings,
                                  .along = cases[i].along,
                                  .stored_seconds = cases[i].stored,
                                  .high_seconds = cases[i].high,
                                  .deeper = cases[i].deeper};
        precision_decide(&choice);
        if (choice.taken != cases[i].taken)
            fail_msg("case %zu: precision %d, want %d", i, choice.taken, cases[i].taken);
    }
}

/* A processor takes floats along where arithmetic takes all of the time, and not where bytes or tables do. In the order
 * of the rows f32 took 1.00, 1.02, 1.8, 2.2 and 13 times as long, by `glint bench chain --precision`. Neither the
 * picture's size nor a table of `glint tune` has a say. */
static void auto_goes_by_the_kind_of_device(void **state) {
    static const struct {
        const char *chain;
        ChainPrecision taken;
    } cases[] = {
        {"gamma=0.25,gamma=4", PRECISION_HIGH},   {"nlmeans,sharpen", PRECISION_HIGH},
        {"gaussian=2,sharpen", PRECISION_STORED}, {"brightness=10,gamma=1.1,saturation=1.2,sepia", PRECISION_POINTS},
        {"gaussian=2,gamma=2", PRECISION_STORED}, {"bank,bank", PRECISION_STORED}}; /* of which no times are known */
    (void)state;
    Device *cpu = open_cpu();
    Tuned *tuned;
    const Level *slow = level_by_name(cpu->backend, &op_convolve, "separable");
    REQUIRE(tuned_create("2026-01-31", &tuned));
    REQUIRE(tuned_add(tuned, &(TunedPoint){&op_convolve, {"u8x3 product", {5, 3}}, 1, {{slow, 1e6}}}));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int way = 0; way < 4; way++) {
            const Shape shape = way % 2 ? (Shape){4000, 3000, 3, PIXEL_U8} : (Shape){64, 48, 3, PIXEL_U8};
            cpu->tuned = way < 2 ? NULL : tuned;
            const ChainPrecision taken = choice_on(cpu, cases[i].chain, shape, PIXEL_U8).taken;
            if (taken != cases[i].taken)
                fail_msg("%s, %zux%zu: precision %d", cases[i].chain, shape.width, shape.height, taken);
        }
    cpu->tuned = NULL;
    tuned_destroy(&tuned);
    device_close(&cpu);
}

/* Fused or not, values are the same: the choice is for a chain. */
static void auto_is_the_same_without_fusing(void **state) {
    (void)state;
    Device *cpu = open_cpu();
    Image *in = ramp();
    const char *chain = "gamma=0.25,gamma=4,box=3,gamma=0.25,gamma=4";
    PlanOptions options = stored;
    options.precision = PRECISION_AUTO;
    Image *fused = filter_by(cpu, chain, in, "best", options);
    options.unfused = true;
    Image *apart = filter_by(cpu, chain, in, "best", options);
    assert_memory_equal(fused->view.pixels, apart->view.pixels, 256);
    image_destroy(&apart);
    apart = filter_by(cpu, "box=3", in, "best", stored); /* the powers undo each other */
    assert_memory_equal(fused->view.pixels, apart->view.pixels, 256);
    image_destroy(&fused);
    image_destroy(&apart);
    image_destroy(&in);
    device_close(&cpu);
}

/* A byte times 257 is the same share of white in 16 bits; alpha is a value like the others there. */
static void results_of_more_bits_have_the_same_white(void **state) {
    (void)state;
    Device *cpu = open_cpu();
    PlanOptions options = stored;
    options.type_min = PIXEL_U16;
    for (int channels = 1; channels <= 4; channels++) {
        Image *in = NULL;
        REQUIRE(image_create((Shape){11, 5, channels, PIXEL_U8}, &in));
        view_fill_random(in->view, 9);
        Image *out = filter_by(cpu, "", in, "best", options);
        assert_int_equal(out->view.shape.type, PIXEL_U16);
        for (size_t y = 0; y < 5; y++)
            for (size_t x = 0; x < 11; x++)
                for (int c = 0; c < channels; c++)
                    assert_true(view_value(out->view, x, y, c) == 257 * view_value(in->view, x, y, c));
        image_destroy(&in);
        image_destroy(&out);
    }
    Image *in = ramp();
    options = high;
    options.type_min = PIXEL_U16;
    Image *out = filter_by(cpu, "resize=1024:1:by=linear,box=3", in, "best", options);
    assert_true(count_levels(out) > 512);
    image_destroy(&in);
    image_destroy(&out);
    device_close(&cpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ramp_keeps_its_levels),
        cmocka_unit_test(a_chain_rounds_once),
        cmocka_unit_test(conversions_are_where_they_cost_least),
        cmocka_unit_test(values_are_widened_apart_where_that_is_faster),
        cmocka_unit_test(auto_takes_floats_where_they_cost_nothing),
        cmocka_unit_test(auto_decides_by_roundings_and_times),
        cmocka_unit_test(auto_goes_by_the_kind_of_device),
        cmocka_unit_test(auto_is_the_same_without_fusing),
        cmocka_unit_test(results_of_more_bits_have_the_same_white),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests_name("rounding", tests, NULL, NULL);
}
