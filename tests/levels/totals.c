/* totals.c: totals of values: sums, counts, extrema, dot products. */
#include "core/ops/dot.h"
#include "core/ops/histogram.h"
#include "core/ops/reduce.h"
#include "tests/levels/harness.h"

#include "tests/chains.h"

#include <stdlib.h>
#include <string.h>

/* A stage over inputs of this shape, whose job and output are given their room. */
static Stage stage_over(const Op *op, Shape shape, const void *job, int inputs) {
    Stage stage = {.op = op, .label = op->name, .job = job};
    Shape in[STAGE_INPUTS] = {{0}};
    for (int k = 0; k < inputs; k++)
        stage.in[k].shape = in[k] = shape;
    REQUIRE(op->shape(job, in, shape.type, &stage.out.shape));
    return stage;
}

/* Narrow ones, whose rows end within a vector; one of a single row; one in several pieces. */
static const struct {
    size_t width, height;
} sizes[] = {{1, 1}, {3, 2}, {63, 9}, {129, 70}, {1030, 3}, {20011, 1}, {1, 3000}, {401, 211}};

static void every_shape_type_and_job(void **state) {
    static const ReduceJob jobs[] = {{.what = REDUCE_SUM},
                                     {.what = REDUCE_EXTREMA},
                                     {.what = REDUCE_SUM | REDUCE_COUNT},
                                     {.what = REDUCE_SUM | REDUCE_COUNT | REDUCE_EXTREMA, .difference = true},
                                     {.what = REDUCE_ALL},
                                     {.what = REDUCE_ALL, .difference = true}};
    const DotJob dot = {false};
    const size_t last = is_quick() ? 6 : sizeof sizes / sizeof sizes[0];
    for (size_t i = 0; i < last; i++)
        for (int type = 0; type <= PIXEL_TYPES; type++)
            for (int channels = 1; channels <= 4; channels++) {
                const Shape shape = {sizes[i].width, sizes[i].height, channels, (PixelType)type};
                for (size_t j = 0; j < sizeof jobs / sizeof jobs[0]; j++)
                    if (type != PIXEL_U32 || !(jobs[j].what & REDUCE_SQUARES)) {
                        const Stage stage = stage_over(&op_reduce, shape, &jobs[j], jobs[j].difference ? 2 : 1);
                        check_case(*state, &stage);
                    }
                const Stage stage = stage_over(&op_dot, shape, &dot, 2);
                if (type != PIXEL_U32)
                    check_case(*state, &stage);
            }
}

/* The result of a level for frames that are packed and full of `value`. */
static void reduce_full(Bench *bench, const Level *level, Shape shape, double value, void *result) {
    const ReduceJob all = {.what = REDUCE_ALL};
    const DotJob dot = {false};
    const bool reduces = level->op == &op_reduce;
    Stage stage = stage_over(level->op, shape, reduces ? (const void *)&all : &dot, reduces ? 1 : 2);
    const Backend *backend = bench->device->backend;
    const char *why_not;
    Image *full;
    if (!level_accepts(level, bench->device, &stage, &why_not)) {
        memset(result, 0, shape_bytes(stage.out.shape));
        return;
    }
    REQUIRE(image_create(shape, &full));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(full->view, x, y, c, value);
    const Shape out = stage.out.shape;
    for (int k = 0; k < (reduces ? 1 : 2); k++) {
        REQUIRE(backend->frame_create(bench->device, shape, &stage.in[k]));
        REQUIRE(backend->upload(bench->queue, full->view, stage.in[k]));
    }
    REQUIRE(backend->frame_create(bench->device, out, &stage.out));
    REQUIRE(level_run(level, bench->queue, &stage));
    REQUIRE(backend->download(bench->queue, stage.out, (ImageView){out, shape_row_bytes(out), result}));
    REQUIRE(backend->sync(bench->queue));
    for (int k = 0; k < (reduces ? 1 : 2); k++)
        backend->frame_destroy(bench->device, &stage.in[k]);
    backend->frame_destroy(bench->device, &stage.out);
    image_destroy(&full);
}

static void check_full(Bench *bench, const Level *level, Shape shape, double value) {
    const double count = (double)shape.width * (double)shape.height, squares = count * value * value;
    Reduction all[REDUCE_CHANNELS] = {0};
    double products[DOT_CHANNELS] = {0};
    reduce_full(bench, level, shape, value, level->op == &op_reduce ? (void *)all : products);
    for (int c = 0; c < shape.channels && level->op == &op_dot; c++)
        assert_true(products[c] == squares);
    for (int c = 0; c < shape.channels && level->op == &op_reduce; c++)
        assert_true((all[c].count == count && all[c].sum == count * value && all[c].squares == squares &&
                     all[c].minimum == value && all[c].maximum == value) ||
                    all[c].count == 0); /* it takes no such job */
}

/* Pictures full of the largest value: no lane, no register is too narrow. 2^17 pixels: the products are exact. */
static void the_largest_values_do_not_overflow(void **state) {
    Bench *benches = *state;
    const Op *const ops_[] = {&op_reduce, &op_dot};
    for (int i = 0; i < 2; i++)
        for (size_t b = 0; b < backend_count(); b++)
            for (int type = 0; type < PIXEL_TYPES; type++)
                for (int channels = 1; channels <= 4; channels++) {
                    const Shape shape = {1024, is_quick() ? 16 : 128, channels, (PixelType)type};
                    const Level *level;
                    for (size_t l = 0;
                         benches[b].device && !benches[b].left_out && (level = ladder_level(backend_at(b), ops_[i], l));
                         l++)
                        if (level != level_reference(ops_[i]))
                            check_full(&benches[b], level, shape, pixel_type_white((PixelType)type));
                }
}

/* Results have equal bits in every run, and on the CPU by every instruction set. */
static void the_bits_are_the_same_every_time(void **state) {
    static const ReduceJob job = {.what = REDUCE_ALL}, sum = {.what = REDUCE_SUM};
    Bench *benches = *state;
    for (int channels = 1; channels <= 4; channels++)
        for (size_t b = 0; b < backend_count(); b++) {
            const Shape shape = {613, is_quick() ? 20 : 170, channels, PIXEL_F32};
            const Level *level;
            for (size_t l = 0;
                 benches[b].device && !benches[b].left_out && (level = ladder_level(backend_at(b), &op_reduce, l));
                 l++) {
                Stage stage = stage_over(&op_reduce, shape, &job, 1);
                const char *why_not;
                if (!level_accepts(level, benches[b].device, &stage, &why_not))
                    stage = stage_over(&op_reduce, shape, &sum, 1);
                Image *first = run_level(benches[b].queue, level, &stage);
                for (int run = 0; run < ISAS; run++) {
                    setenv("GLINT_ISA", isas[run], 1);
                    Image *again = run_level(benches[b].queue, level, &stage);
                    assert_memory_equal(first->view.pixels, again->view.pixels, shape_bytes(first->view.shape));
                    image_destroy(&again);
                }
                unsetenv("GLINT_ISA");
                image_destroy(&first);
            }
        }
}

/* Noise from a fifth of white to 0.7 of it. */
static Image *dull_noise(Shape shape) {
    Image *image = NULL;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, 7);
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(image->view, x, y, c,
                               0.2 * pixel_type_white(shape.type) + view_value(image->view, x, y, c) / 2);
    return image;
}

/* Stages that read totals, which no example can give them: the best levels agree with the references. */
static void pictures_change_by_their_totals(void **state) {
    static const char *const chains[] = {"normalize", "normalize=0.1:0.8:channel", "autolevels=0:0",
                                         "tonemap=key=0.18"};
    const Bench *benches = *state;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        for (int type = 0; type < PIXEL_TYPES; type++)
            for (int channels = 1; channels <= 4; channels++) {
                Image *in = dull_noise((Shape){131, 37, channels, (PixelType)type});
                const PlanOptions options = {.alpha = ALPHA_IGNORE};
                Image *want = filter_by(benches[0].device, chains[i], in, "reference", options);
                assert_false(verdict_count(in->view, want->view).differing == 0);
                for (size_t b = 0; b < backend_count(); b++)
                    if (benches[b].device && !benches[b].left_out) {
                        Image *got = filter_by(benches[b].device, chains[i], in, "best", options);
                        const Verdict verdict =
                            verdict_of(want->view, got->view, 2e-6 * pixel_type_white((PixelType)type));
                        if (!verdict.agrees)
                            fail_msg("%s, %s %sx%d: %zu values differ, by up to %g", backend_at(b)->name, chains[i],
                                     pixel_type_name((PixelType)type), channels, verdict.differing, verdict.worst);
                        image_destroy(&got);
                    }
                image_destroy(&want);
                image_destroy(&in);
            }
}

/* f32 values that bins would not tell apart, and some below 0 and far above white: by hand, from their extrema. */
static void f32_is_stretched_from_its_extrema(void **state) {
    static const struct { double first, step; } ramps[] = {{1000, 0x1p-12}, {-3, 0.25}, {0.125, 0x1p-22}};
    enum { WIDE = 61, HIGH = 7, LAST = WIDE * HIGH - 1 };
    const Bench *benches = *state;
    for (size_t i = 0; i < 2 * sizeof ramps / sizeof ramps[0]; i++) {
        const double first = ramps[i / 2].first, step = ramps[i / 2].step;
        Image *in = NULL;
        REQUIRE(image_create((Shape){WIDE, HIGH, 1, PIXEL_F32}, &in));
        for (size_t k = 0; k <= LAST; k++)
            view_set_value(in->view, k % WIDE, k / WIDE, 0, first + (double)(k * 38 % (LAST + 1)) * step);
        view_set_value(in->view, 5, 3, 0, NAN);
        for (size_t b = 0; b < backend_count(); b++)
            if (benches[b].device && !benches[b].left_out) {
                Image *got = filter_by(benches[b].device, i % 2 ? "autolevels=0:0" : "normalize=0.25:0.75", in, "best",
                                       (PlanOptions){0});
                for (size_t k = 0; k <= LAST; k++) {
                    const double share = (double)(k * 38 % (LAST + 1)) / LAST, want = i % 2 ? share : 0.25 + share / 2,
                                 value = view_value(got->view, k % WIDE, k / WIDE, 0);
                    if (k == 5 + 3 * WIDE)
                        assert_true(isnan(value));
                    else if (!(fabs(value - want) <= (share > 0 && share < 1 ? 1.2e-7 : 0)))
                        fail_msg("%s: %.9g became %.9g, want %.9g", backend_at(b)->name, first + share * LAST * step,
                                 value, want);
                }
                image_destroy(&got);
            }
        image_destroy(&in);
    }
}

/* A row of values that come again every 16 pixels, counted by a level, must have these counts. */
static void check_counts(Bench *bench, const Level *level, Image *in, const uint32_t *want) {
    const HistogramJob job = {.bins = bins_of(in->view.shape.type, 1)};
    Stage stage = stage_over(&op_histogram, in->view.shape, &job, 1);
    const Backend *backend = bench->device->backend;
    const char *why_not;
    Image *counts;
    if (!level_accepts(level, bench->device, &stage, &why_not))
        return;
    REQUIRE(backend->frame_create(bench->device, in->view.shape, &stage.in[0]));
    REQUIRE(backend->frame_create(bench->device, stage.out.shape, &stage.out));
    REQUIRE(image_create(stage.out.shape, &counts));
    REQUIRE(backend->upload(bench->queue, in->view, stage.in[0]));
    REQUIRE(level_run(level, bench->queue, &stage));
    REQUIRE(backend->download(bench->queue, stage.out, counts->view));
    REQUIRE(backend->sync(bench->queue));
    const uint32_t *got = (const uint32_t *)(const void *)counts->view.pixels;
    for (size_t bin = 0; bin < stage.out.shape.width; bin++)
        if (got[bin] != want[bin])
            fail_msg("%s of %s: %u times %zu, not %u", level->name, backend->name, got[bin], bin, want[bin]);
    backend->frame_destroy(bench->device, &stage.in[0]);
    backend->frame_destroy(bench->device, &stage.out);
    image_destroy(&counts);
}

/* Counts past 65535, one block's and of neighbours, where a level keeps 16 bits of them: pixels 8 apart make pairs. */
static void counts_go_past_16_bits(void **state) {
    static const uint8_t patterns[][16] = {
        {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
        {5, 5, 5, 5, 5, 5, 5, 5, 5, 133, 5, 133, 5, 133, 5, 133},
        {200, 200, 200, 200, 200, 200, 200, 200, 133, 5, 5, 5, 133, 5, 5, 5},
        {4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5},
        {5, 133, 5, 133, 5, 133, 5, 133, 7, 7, 7, 7, 7, 7, 7, 9},
    };
    enum { WIDTH = 300000 };
    Bench *benches = *state;
    uint32_t *want = malloc(65536 * sizeof *want);
    for (int type = PIXEL_U8; type <= PIXEL_U16; type++)
        for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
            Image *in;
            REQUIRE(image_create((Shape){WIDTH, 1, 1, (PixelType)type}, &in));
            memset(want, 0, 65536 * sizeof *want);
            for (size_t x = 0; x < WIDTH; x++) {
                view_set_value(in->view, x, 0, 0, patterns[p][x % 16]);
                want[patterns[p][x % 16]]++;
            }
            for (size_t b = 0; b < backend_count(); b++) {
                const Level *level;
                for (size_t l = 0; benches[b].device && !benches[b].left_out &&
                                   (level = ladder_level(backend_at(b), &op_histogram, l));
                     l++)
                    check_counts(&benches[b], level, in, want);
            }
            image_destroy(&in);
        }
    free(want);
}

int levels_totals(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_type_and_job),
        cmocka_unit_test(the_largest_values_do_not_overflow),
        cmocka_unit_test(the_bits_are_the_same_every_time),
        cmocka_unit_test(pictures_change_by_their_totals),
        cmocka_unit_test(f32_is_stretched_from_its_extrema),
        cmocka_unit_test(counts_go_past_16_bits),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, totals", tests, open_devices, close_devices);
}
