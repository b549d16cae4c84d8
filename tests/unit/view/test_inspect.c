/* test_inspect.c: the parts of a stage's value come to the value that the stage stores. */
#include "app/backends.h"
#include "app/view/data/inspect.h"
#include "core/device/backend.h"
#include "core/ops/bilateral.h"
#include "core/ops/convolve.h"
#include "core/ops/derivative.h"
#include "core/ops/gaussian.h"
#include "core/ops/morphology.h"
#include "core/ops/point.h"
#include "core/ops/rank.h"
#include "core/ops/resample.h"
#include "core/stage/op.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

static Image *random_image(Shape shape, unsigned long seed) {
    Image *image;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, seed);
    return image;
}

/* Whether each value of the stage's result is that of its inspection; `exactly`: to the last bit. */
static void check_stage(const Stage *stage, double max_in, bool exactly) {
    Image *got;
    Inspection *inspection = malloc(sizeof *inspection);
    assert_non_null(inspection);
    REQUIRE(image_create(stage->out.shape, &got));
    for (size_t y = 0; y < got->view.shape.height; y++)
        for (size_t x = 0; x < got->view.shape.width; x++)
            for (int c = 0; c < got->view.shape.channels; c++) {
                REQUIRE(inspect_stage(stage, x, y, c, inspection));
                assert_int_not_equal(inspection->kind, INSPECT_OPAQUE);
                view_set_value(got->view, x, y, c, inspection->stored);
            }
    const Verdict verdict = stage_compare(stage, max_in, stage->out, got->view);
    if (!verdict.agrees || (exactly && verdict.differing > 0))
        fail_msg("%s of %sx%d: %zu values differ", stage->op->name, pixel_type_name(stage->in[0].shape.type),
                 stage->in[0].shape.channels, verdict.differing);
    image_destroy(&got);
    free(inspection);
}

static void check_example(Queue *queue, const Op *op, size_t index, Shape shape) {
    unsigned char job[sizeof(PointJob) + 64] = {0};
    Image *in[STAGE_INPUTS] = {NULL}, *out = NULL;
    Shape shapes[STAGE_INPUTS] = {{0}}, result;
    assert_true(op->job_bytes <= sizeof job);
    if (op->example(index, shape, job) != STATUS_OK)
        return;
    Stage stage = {.op = op, .label = op->name, .job = job};
    for (int k = 0; k < op_inputs(op, job); k++) {
        shapes[k] = op->example_input ? op->example_input(index, k, shape) : shape;
        in[k] = random_image(shapes[k], 5 + (unsigned long)k);
        stage.in[k] = in[k]->view;
    }
    REQUIRE(op->shape(job, shapes, shape.type, &result));
    REQUIRE(image_create(result, &out));
    stage.out = out->view;
    REQUIRE(level_run(level_reference(op), queue, &stage));
    check_stage(&stage, pixel_type_white(shape.type),
                op != &op_gaussian && op != &op_derivative); /* their sums or arc tangents differ */
    for (int k = 0; k < STAGE_INPUTS; k++)
        image_destroy(&in[k]);
    image_destroy(&out);
    op_job_free(op, job);
}

static void arithmetic_comes_to_what_is_stored(void **state) {
    (void)state;
    const Op *const all[] = {&op_convolve,   &op_gaussian, &op_bilateral, &op_rank,
                             &op_morphology, &op_point,    &op_derivative};
    const Shape shapes[] = {{17, 13, 3, PIXEL_U8}, {9, 14, 1, PIXEL_U16}, {8, 7, 4, PIXEL_F32}, {1, 1, 2, PIXEL_U8}};
    Device *device;
    Queue *queue;
    const char *passed_over;
    REQUIRE(backend_open("cpu", 0, 1, &device, &passed_over));
    REQUIRE(queue_open(device, &queue));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (size_t index = s % check_every(11); index < all[i]->example_count; index += check_every(11))
                check_example(queue, all[i], index, shapes[s]);
    queue_close(&queue);
    device_close(&device);
}

/* A row of five pixels. */
static Stage row_stage(const Op *op, const void *job, uint8_t *values) {
    const Shape shape = {5, 1, 1, PIXEL_U8};
    return (Stage){.op = op, .job = job, .in = {{shape, 5, values}}, .out = {shape, 5, NULL}};
}

static void a_sum_worked_out_by_hand(void **state) {
    (void)state;
    uint8_t values[] = {10, 20, 40, 80, 160};
    Mask *mask;
    Inspection made;
    REQUIRE(mask_create(3, 1, &mask));
    mask->weights[0] = 1;
    mask->weights[1] = -2;
    mask->weights[2] = 4;
    mask->divisor = 2;
    const ConvolveJob job = {mask, {BORDER_CLAMP, 0}, 5};
    const Stage stage = row_stage(&op_convolve, &job, values);
    REQUIRE(inspect_stage(&stage, 1, 0, 0, &made));
    assert_int_equal(made.kind, INSPECT_SUM);
    assert_true(made.width == 3 && made.height == 1 && made.columns == 3 && made.rows == 1 && made.summed);
    assert_true(made.cells[0].value == 10 && made.cells[0].product == 10);
    assert_true(made.cells[1].value == 20 && made.cells[1].product == -40);
    assert_true(made.cells[2].value == 40 && made.cells[2].product == 160 && made.heaviest == 4);
    assert_true(made.sum == 130 && made.divisor == 2 && made.bias == 5 && made.result == 70 && made.stored == 70);
    REQUIRE(inspect_stage(&stage, 4, 0, 0, &made)); /* 80 - 320 + 640, the last beyond the edge */
    assert_true(!made.cells[1].beyond && made.cells[2].beyond && made.cells[2].value == 160);
    assert_true(made.result == 205 && made.stored == 205);
    mask_destroy(&mask);
}

static void of_large_masks_the_middle_is_listed(void **state) {
    (void)state;
    uint8_t values[] = {1, 2, 3, 4, 5};
    Mask *mask;
    Inspection made;
    REQUIRE(mask_box(31, 3, &mask));
    const ConvolveJob job = {mask, {BORDER_ZERO, 0}, 0};
    const Stage stage = row_stage(&op_convolve, &job, values);
    REQUIRE(inspect_stage(&stage, 2, 0, 0, &made));
    assert_true(made.width == 31 && made.columns == INSPECT_SIDE && made.left == 10 && made.rows == 3 && made.top == 0);
    assert_true(made.sum == 15 && made.sum_of_cells == 15 && made.cells[INSPECT_SIDE + 5].value == 3);
    mask_destroy(&mask);
}

static void ranks_are_sorted(void **state) {
    (void)state;
    uint8_t values[] = {50, 10, 40, 20, 30};
    Mask *window;
    Inspection made;
    REQUIRE(mask_create(5, 1, &window));
    for (int i = 0; i < 5; i++)
        window->weights[i] = i != 2; /* all but the middle */
    const RankJob job = {window, 1, {BORDER_CLAMP, 0}};
    const Stage stage = row_stage(&op_rank, &job, values);
    REQUIRE(inspect_stage(&stage, 2, 0, 0, &made));
    assert_int_equal(made.kind, INSPECT_RANK);
    assert_true(made.count == 4 && made.listed == 4 && made.first == 0 && made.rank == 1);
    const double want[] = {10, 20, 30, 50};
    assert_memory_equal(made.sorted, want, sizeof want);
    assert_true(made.stored == 20 && !made.cells[2].counts && made.cells[3].counts);
    mask_destroy(&window);
}

static void points_show_their_formula(void **state) {
    (void)state;
    uint8_t values[] = {0, 100, 200, 255, 7};
    Inspection made;
    const PointJob job = point_single(POINT_linear, 255, (const double[]){2, -0.1}, 2, PIXEL_U8);
    const Stage stage = row_stage(&op_point, &job, values);
    REQUIRE(inspect_stage(&stage, 1, 0, 0, &made));
    assert_true(made.kind == INSPECT_POINT && made.step_count == 1 && made.stored == 174); /* 174.5 to even */
    assert_string_equal(made.steps[0].formula, "p[0] * v + p[1] * w");
    assert_true(made.steps[0].parameter_count == 2 && made.steps[0].parameters[0] == 2 &&
                made.steps[0].in[0][0] == 100 && made.result == 174.5);
}

static void other_operations_stay_closed(void **state) {
    (void)state;
    uint8_t values[5] = {0};
    Inspection made;
    const Stage stage = row_stage(&op_resample, NULL, values);
    REQUIRE(inspect_stage(&stage, 0, 0, 0, &made));
    assert_int_equal(made.kind, INSPECT_OPAQUE);
}

static void values_are_compared_in_eight_bits_and_light(void **state) {
    (void)state;
    assert_int_equal(inspect_value(188, PIXEL_U8, false).eight, 188);
    assert_true(fabs(inspect_value(188, PIXEL_U8, false).linear - 0.5029) < 1e-4); /* IEC 61966-2-1 */
    assert_int_equal(inspect_value(257 * 77, PIXEL_U16, false).eight, 77);
    assert_int_equal(inspect_value(0.5, PIXEL_F32, false).eight, 188); /* light is encoded */
    assert_true(inspect_value(0.5, PIXEL_F32, false).linear == 0.5);
    assert_int_equal(inspect_value(0.5, PIXEL_F32, true).eight, 128);
    assert_true(inspect_value(51, PIXEL_U8, true).linear == 0.2); /* alpha is a share */
    assert_int_equal(inspect_value(7, PIXEL_F32, false).eight, 255);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_comes_to_what_is_stored),
        cmocka_unit_test(a_sum_worked_out_by_hand),
        cmocka_unit_test(of_large_masks_the_middle_is_listed),
        cmocka_unit_test(ranks_are_sorted),
        cmocka_unit_test(points_show_their_formula),
        cmocka_unit_test(other_operations_stay_closed),
        cmocka_unit_test(values_are_compared_in_eight_bits_and_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
