/* test_op.c: a job's costs, its needs of inputs, and when a result counts as the reference's. */
#include "app/backends.h"
#include "core/device/backend.h"
#include "core/math/pcg.h"
#include "core/ops/convolve.h"
#include "core/ops/curve.h"
#include "core/ops/expose.h"
#include "core/ops/histogram.h"
#include "core/ops/lookup.h"
#include "core/ops/ops.h"
#include "core/ops/point.h"
#include "core/ops/reduce.h"
#include "core/plan/plan.h"
#include "core/stage/op.h"

#include <math.h>

#include "tests/check.h"

#include "tests/chains.h"

static Frame shaped(size_t width, size_t height, int channels, PixelType type) {
    return (Frame){{width, height, channels, type}, 0, NULL};
}

static void costs_worked_out_by_hand(void **state) {
    (void)state;
    Mask *mask = NULL;
    assert_int_equal(mask_box(5, 3, &mask), STATUS_OK);
    const ConvolveJob job = {mask, {BORDER_CLAMP, 0}, 0};
    const Stage convolve = {
        .op = &op_convolve, .in = {shaped(100, 50, 3, PIXEL_U8)}, .out = shaped(100, 50, 3, PIXEL_F32), .job = &job};
    assert_true(stage_cost(&convolve).bytes == 100 * 50 * 3 * (1 + 4));
    assert_true(stage_cost(&convolve).flops == 2.0 * 15 * 100 * 50 * 3);
    mask_destroy(&mask);

    const PointJob function = point_single(POINT_magnitude, 255, NULL, 0, PIXEL_U8);
    const Stage magnitude = {.op = &op_point,
                             .in = {shaped(10, 10, 1, PIXEL_F32), shaped(10, 10, 1, PIXEL_F32)},
                             .out = shaped(10, 10, 1, PIXEL_U8),
                             .job = &function};
    assert_true(stage_cost(&magnitude).bytes == 10 * 10 * (4 + 4 + 1));
}

/* A convolution of a 2000-value row whose result differs from the reference in `differing` values by `by`. */
static Verdict judge(PixelType type, double value, size_t differing, double by) {
    Mask *mask = NULL;
    Image *want = NULL, *got = NULL;
    const Shape shape = {2000, 1, 1, type};
    assert_int_equal(mask_box(3, 3, &mask), STATUS_OK); /* the sum of |weights| / divisor is 1 */
    assert_int_equal(image_create(shape, &want), STATUS_OK);
    assert_int_equal(image_create(shape, &got), STATUS_OK);
    for (size_t x = 0; x < shape.width; x++) {
        view_set_value(want->view, x, 0, 0, value);
        view_set_value(got->view, x, 0, 0, x < differing ? value + by : value);
    }
    const ConvolveJob job = {.mask = mask};
    const Stage stage = {.op = &op_convolve, .in = {want->view}, .out = got->view, .job = &job};
    const Verdict verdict = stage_compare(&stage, value, want->view, got->view);
    assert_int_equal(verdict.values, 2000);
    image_destroy(&want);
    image_destroy(&got);
    mask_destroy(&mask);
    return verdict;
}

static void whole_numbers_may_be_off_by_one_in_a_thousand(void **state) {
    (void)state;
    for (int type = PIXEL_U8; type <= PIXEL_U16; type++) {
        assert_true(judge((PixelType)type, 100, 0, 0).agrees);
        assert_true(judge((PixelType)type, 100, 2, 1).agrees);
        assert_int_equal(judge((PixelType)type, 100, 2, 1).differing, 2);
        assert_false(judge((PixelType)type, 100, 10, 1).agrees);
        assert_false(judge((PixelType)type, 100, 1, 2).agrees);
        assert_true(judge((PixelType)type, 100, 1, -7).worst == 7);
    }
}

static void floats_may_be_off_in_proportion(void **state) {
    (void)state;
    assert_true(judge(PIXEL_F32, 1, 2000, 1e-6).agrees);
    assert_false(judge(PIXEL_F32, 1, 1, 4e-6).agrees);
    assert_true(judge(PIXEL_F32, 1000, 2000, 1e-3).agrees);
    assert_false(judge(PIXEL_F32, 1000, 1, 4e-3).agrees);
    assert_false(judge(PIXEL_F32, 1, 1, NAN).agrees);
    assert_false(judge(PIXEL_F32, 1, 1, INFINITY).agrees);
}

/* ---- needs ---- */

static bool inside(Region region, size_t x, size_t y, Shape shape) {
    /* a region may go on beyond an edge, where the image is continued periodically */
    for (ptrdiff_t dy = -1; dy <= 1; dy++)
        for (ptrdiff_t dx = -1; dx <= 1; dx++) {
            const ptrdiff_t px = (ptrdiff_t)x + dx * (ptrdiff_t)shape.width;
            const ptrdiff_t py = (ptrdiff_t)y + dy * (ptrdiff_t)shape.height;
            if (px >= region.left && px < region.left + (ptrdiff_t)region.width && py >= region.top &&
                py < region.top + (ptrdiff_t)region.height)
                return true;
        }
    return false;
}

/* Runs the reference on `in`, in which pixels that the region does not need were overwritten, and compares the
 * region. */
static void check_needs(Queue *queue, const ConvolveJob *job, Image *in, Region region) {
    const Shape shape = in->view.shape;
    const Level *reference = level_reference(&op_convolve);
    Image *spoilt = NULL, *want = NULL, *got = NULL;
    const Region needed = op_convolve.needs(job, 0, region, &shape);
    assert_int_equal(image_create(shape, &spoilt), STATUS_OK);
    assert_int_equal(image_create(shape, &want), STATUS_OK);
    assert_int_equal(image_create(shape, &got), STATUS_OK);
    view_copy(in->view, spoilt->view);
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            if (!inside(needed, x, y, shape))
                view_set_value(spoilt->view, x, y, 0, 1e6);
    Stage stage = {.op = &op_convolve, .in = {in->view}, .out = want->view, .job = job};
    assert_int_equal(level_run(reference, queue, &stage), STATUS_OK);
    stage.in[0] = spoilt->view;
    stage.out = got->view;
    assert_int_equal(level_run(reference, queue, &stage), STATUS_OK);
    for (size_t y = 0; y < region.height; y++)
        for (size_t x = 0; x < region.width; x++) {
            const size_t px = (size_t)region.left + x, py = (size_t)region.top + y;
            if (view_value(want->view, px, py, 0) != view_value(got->view, px, py, 0))
                fail_msg("border %d, mask %dx%d: (%zu, %zu) depends on more than it needs", (int)job->border.mode,
                         job->mask->width, job->mask->height, px, py);
        }
    image_destroy(&spoilt);
    image_destroy(&want);
    image_destroy(&got);
}

static void convolutions_read_what_they_need(void **state) {
    (void)state;
    static const int sides[] = {1, 2, 3, 6, 13};
    const Shape shape = {11, 7, 1, PIXEL_F32};
    Pcg pcg = pcg_seed(31, 1);
    Device *device = NULL;
    Queue *queue = NULL;
    Image *in = NULL;
    assert_int_equal(backend_by_name("cpu")->open(0, 1, &device), STATUS_OK);
    assert_int_equal(queue_open(device, &queue), STATUS_OK);
    assert_int_equal(image_create(shape, &in), STATUS_OK);
    view_fill_random(in->view, 3);
    for (int mode = 0; mode < border_count; mode++)
        for (size_t side = 0; side < sizeof sides / sizeof sides[0]; side++)
            for (int i = 0; i < 12; i++) {
                ConvolveJob job = {.border = {(BorderMode)mode, mode == BORDER_CONSTANT ? 2 : 0}};
                assert_int_equal(mask_box(sides[side], sides[(side + (size_t)i) % 5], &job.mask), STATUS_OK);
                const size_t left = pcg_next(&pcg) % shape.width, top = pcg_next(&pcg) % shape.height;
                check_needs(queue, &job, in,
                            (Region){(ptrdiff_t)left, (ptrdiff_t)top, 1 + pcg_next(&pcg) % (shape.width - left),
                                     1 + pcg_next(&pcg) % (shape.height - top)});
                op_job_free(&op_convolve, &job);
            }
    image_destroy(&in);
    queue_close(&queue);
    device_close(&device);
}

/* A middle pixel of a large image needs the mask's pixels, and no more. */
static void needs_are_no_larger_than_the_mask(void **state) {
    (void)state;
    const Shape shape = {100, 100, 1, PIXEL_U8};
    for (int mode = 0; mode < border_count; mode++) {
        ConvolveJob job = {.border = {(BorderMode)mode, 0}};
        assert_int_equal(mask_box(4, 7, &job.mask), STATUS_OK);
        const Region needed = op_convolve.needs(&job, 0, (Region){50, 50, 1, 1}, &shape);
        assert_true(needed.left == 48 && needed.width == 4 && needed.top == 47 && needed.height == 7);
        op_job_free(&op_convolve, &job);
    }
}

/* ---- descriptors ---- */

static void every_operation_describes_itself(void **state) {
    (void)state;
    for (size_t i = 0; i < op_count; i++) {
        const Op *op = ops[i];
        assert_true(op->name && op->help && op->shape && op->cost && op->compare && op->describe);
        assert_true(op->job_bytes > 0 && op->example && op->example_count > 0);
        assert_int_equal(op->inputs > 0, op->needs != NULL);
        assert_ptr_equal(op_by_name(op->name), op);
    }
    assert_null(op_by_name("no-such-operation"));
}

/* Counts are for curves alone, and curves for counts. */
static void counts_are_no_picture(void **state) {
    (void)state;
    const Shape shape = {5, 4, 3, PIXEL_U8};
    HistogramJob histogram = {.bins = bins_of(PIXEL_U8, 1)};
    CurveJob curve = {.kind = CURVE_equalize, .bins = histogram.bins, .white = 255};
    LookupJob lookup = {.bins = histogram.bins};
    Plan *plan = NULL;
    int picture, counts, results, out;
    assert_int_equal(plan_create((PlanOptions){0}, &plan), STATUS_OK);
    assert_int_equal(plan_source(plan, shape, &picture), STATUS_OK);
    const int of_picture[STAGE_INPUTS] = {picture, PLAN_NONE, PLAN_NONE};
    assert_int_equal(plan_append(plan, &op_histogram, &histogram, of_picture, PIXEL_U32, &counts), STATUS_OK);
    assert_int_equal(plan_value_shape(plan, counts).type, PIXEL_U32);
    const int of_counts[STAGE_INPUTS] = {counts, PLAN_NONE, PLAN_NONE};
    const int both[STAGE_INPUTS] = {picture, counts, PLAN_NONE};
    assert_int_equal(plan_point(plan, POINT_invert, counts, PLAN_NONE, PIXEL_F32, &out), STATUS_USAGE);
    assert_int_equal(plan_append(plan, &op_histogram, &histogram, of_counts, PIXEL_U32, &out), STATUS_USAGE);
    assert_int_equal(plan_append(plan, &op_lookup, &lookup, both, PIXEL_U8, &out), STATUS_USAGE);
    assert_int_equal(plan_append(plan, &op_curve, &curve, of_picture, PIXEL_U8, &out), STATUS_USAGE);
    assert_int_equal(plan_append(plan, &op_curve, &curve, of_counts, PIXEL_U16, &out), STATUS_USAGE); /* of 256 bins */
    assert_int_equal(plan_append(plan, &op_curve, &curve, of_counts, PIXEL_U8, &results), STATUS_OK);
    const int looked_up[STAGE_INPUTS] = {picture, results, PLAN_NONE};
    assert_int_equal(plan_append(plan, &op_lookup, &lookup, looked_up, PIXEL_U8, &out), STATUS_OK);
    assert_true(shape_equal(plan_value_shape(plan, out), shape));
    plan_destroy(&plan);
}

/* A stretch goes by the extrema of as many channels as there are, and by nothing else of them. */
static void curves_by_extrema(void **state) {
    (void)state;
    const Bins bins = bins_of(PIXEL_U8, 1);
    const CurveJob three = {.kind = CURVE_stretch, .bins = bins, .extrema = 3, .white = 255};
    CurveJob four = three, equalize = three, share = three;
    four.extrema = 4;
    equalize.kind = CURVE_equalize;
    share.parameters[0] = 0.01;
    const Shape reductions[STAGE_INPUTS] = {{REDUCTION_WORDS, 3, 1, PIXEL_U32}},
                counts[STAGE_INPUTS] = {{256, 3, 1, PIXEL_U32}};
    Shape out;
    assert_int_equal(op_curve.shape(&three, reductions, PIXEL_U8, &out), STATUS_OK);
    assert_true(shape_equal(out, (Shape){256, 3, 1, PIXEL_U8}));
    assert_int_equal(op_curve.shape(&three, counts, PIXEL_U8, &out), STATUS_USAGE);
    assert_int_equal(op_curve.shape(&four, reductions, PIXEL_U8, &out), STATUS_USAGE);
    assert_int_equal(op_curve.shape(&equalize, reductions, PIXEL_U8, &out), STATUS_USAGE);
    assert_int_equal(op_curve.shape(&share, reductions, PIXEL_U8, &out), STATUS_USAGE);
}

/* A picture is scaled by a reduction, and becomes f32. */
static void light_is_scaled_by_a_reduction(void **state) {
    (void)state;
    const ExposeJob job = {0.18};
    const Shape reduction = {REDUCTION_WORDS, 1, 1, PIXEL_U32}, picture = {5, 4, 4, PIXEL_U8};
    const Shape right[STAGE_INPUTS] = {reduction, picture}, counts[STAGE_INPUTS] = {{256, 1, 1, PIXEL_U32}, picture};
    Shape out;
    assert_int_equal(op_expose.shape(&job, right, PIXEL_F32, &out), STATUS_OK);
    assert_true(shape_equal(out, (Shape){5, 4, 4, PIXEL_F32}));
    assert_int_equal(op_expose.shape(&job, counts, PIXEL_F32, &out), STATUS_USAGE);
}

/* Extrema are reduced where they suffice: not of luma, nor of visible pixels alone. */
static void stretches_reduce_where_they_can(void **state) {
    static const struct {
        const char *chain;
        Shape shape;
        const Op *op;
    } cases[] = {{"normalize", {5, 4, 3, PIXEL_U8}, &op_reduce},
                 {"normalize", {5, 4, 3, PIXEL_F32}, &op_reduce},
                 {"normalize=by=luma", {5, 4, 3, PIXEL_U8}, &op_histogram},
                 {"normalize=by=luma", {5, 4, 1, PIXEL_U8}, &op_reduce},
                 {"normalize", {5, 4, 4, PIXEL_U8}, &op_histogram},
                 {"autolevels=0:0", {5, 4, 3, PIXEL_U16}, &op_reduce},
                 {"autolevels", {5, 4, 3, PIXEL_U16}, &op_histogram},
                 {"equalize", {5, 4, 1, PIXEL_U8}, &op_histogram}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Plan *plan = plan_of_chain(cases[i].chain, cases[i].shape, (PlanOptions){0});
        assert_ptr_equal(plan_stage(plan, 0)->stage.op, cases[i].op);
        plan_destroy(&plan);
    }
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_worked_out_by_hand),
        cmocka_unit_test(whole_numbers_may_be_off_by_one_in_a_thousand),
        cmocka_unit_test(floats_may_be_off_in_proportion),
        cmocka_unit_test(convolutions_read_what_they_need),
        cmocka_unit_test(needs_are_no_larger_than_the_mask),
        cmocka_unit_test(every_operation_describes_itself),
        cmocka_unit_test(counts_are_no_picture),
        cmocka_unit_test(curves_by_extrema),
        cmocka_unit_test(light_is_scaled_by_a_reduction),
        cmocka_unit_test(stretches_reduce_where_they_can),
    };
    return cmocka_run_group_tests_name("op", tests, NULL, NULL);
}
