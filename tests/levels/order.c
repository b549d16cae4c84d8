/* order.c: ranks and extrema under boxes of many sizes, in pictures that several blocks of threads share. */
#include "core/ops/morphology.h"
#include "core/ops/rank.h"
#include "tests/levels/harness.h"

enum { CELLS_MAX = 3000000 }; /* for the reference in one case */

static Shape draw_shape(Pcg *pcg) {
    static const size_t sides[] = {1, 3, 16, 17, 41, 67, 131}, wide[] = {1025, 2049, 2211, 4100};
    enum { SIDES = sizeof sides / sizeof sides[0], WIDE = sizeof wide / sizeof wide[0] };
    const bool is_wide = draw(pcg, 3) > 0;
    return (Shape){is_wide ? wide[draw(pcg, WIDE)] : sides[draw(pcg, SIDES)],
                   sides[draw(pcg, is_wide ? SIDES - 2 : SIDES)], /* the fake device has little room */
                   1 + (int)draw(pcg, 4), draw(pcg, 4) ? PIXEL_U8 : (PixelType)draw(pcg, PIXEL_TYPES)};
}

/* Squares with networks or marches of their own, and others. */
static Mask *draw_box(Pcg *pcg, Shape shape) {
    static const int sides[] = {3, 5, 7, 9, 11, 13, 15, 17, 1, 2, 4, 6, 23, 31, 40, 63, 97, 127, 128};
    enum { COUNT = sizeof sides / sizeof sides[0], SQUARES = 8 };
    const int w = sides[draw(pcg, draw(pcg, 2) ? SQUARES : COUNT)], h = draw(pcg, 4) ? w : sides[draw(pcg, COUNT)];
    Mask *box;
    const size_t cells = (size_t)(w * h) * shape.width * shape.height * (size_t)shape.channels;
    REQUIRE(cells > CELLS_MAX ? element_box(1, &box) : mask_create(w, h, &box));
    for (int i = 0; i < box->width * box->height; i++)
        box->weights[i] = 1;
    return box;
}

static Border draw_border(Pcg *pcg, Shape shape) {
    Border border = {(BorderMode)draw(pcg, (size_t)border_count), 0};
    if (border.mode == BORDER_CONSTANT)
        border.value = (float)(0.9 * pixel_type_white(shape.type));
    return border;
}

static void check_order(Bench *benches, const Op *op, void *job, Shape shape) {
    Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
    int out;
    REQUIRE(plan_append(plan, op, job, (const int[STAGE_INPUTS]){0, PLAN_NONE, PLAN_NONE}, shape.type, &out));
    check_plan(benches, plan);
}

static void ranks_of_boxes(void **state) {
    Pcg pcg = pcg_seed(7, 1);
    for (int i = 0; i < (is_quick() ? 10 : 150); i++) {
        const Shape shape = draw_shape(&pcg);
        RankJob job = {.window = draw_box(&pcg, shape), .border = draw_border(&pcg, shape)};
        const int count = element_count(job.window);
        const int ranks[] = {count / 2, count / 2, 0, count - 1, (int)draw(&pcg, (size_t)count)};
        job.rank = ranks[draw(&pcg, sizeof ranks / sizeof ranks[0])];
        check_order(*state, &op_rank, &job, shape);
    }
}

static void extrema_of_boxes(void **state) {
    Pcg pcg = pcg_seed(7, 2);
    for (int i = 0; i < (is_quick() ? 10 : 150); i++) {
        const Shape shape = draw_shape(&pcg);
        MorphologyJob job = {
            .element = draw_box(&pcg, shape), .maximum = draw(&pcg, 2), .border = draw_border(&pcg, shape)};
        check_order(*state, &op_morphology, &job, shape);
    }
}

/* Disks, and cells at random. */
static Mask *draw_element(Pcg *pcg, Shape shape) {
    Mask *element;
    if (draw(pcg, 2)) {
        static const int radii[] = {1, 2, 4, 9, 20, 40};
        enum { COUNT = sizeof radii / sizeof radii[0] };
        REQUIRE(element_disk(radii[draw(pcg, shape.width * shape.height > 10000 ? COUNT / 2 : COUNT)], &element));
        return element;
    }
    REQUIRE(mask_create(1 + (int)draw(pcg, 40), 1 + (int)draw(pcg, 12), &element));
    for (int i = 0; i < element->width * element->height; i++)
        element->weights[i] = i == 0 || draw(pcg, 5) ? 1 : 0;
    return element;
}

static void extrema_of_elements(void **state) {
    Pcg pcg = pcg_seed(7, 3);
    for (int i = 0; i < (is_quick() ? 10 : 80); i++) {
        const Shape shape = draw_shape(&pcg);
        MorphologyJob job = {
            .element = draw_element(&pcg, shape), .maximum = draw(&pcg, 2), .border = draw_border(&pcg, shape)};
        check_order(*state, &op_morphology, &job, shape);
    }
}

int levels_order(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_boxes),
        cmocka_unit_test(extrema_of_boxes),
        cmocka_unit_test(extrema_of_elements),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, order", tests, open_devices, close_devices);
}
