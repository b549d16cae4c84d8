/* geometry.c: resampled and moved pictures of several tiles. */
#include "core/ops/move.h"
#include "core/ops/resample.h"
#include "core/ops/warp.h"
#include "tests/levels/harness.h"

#include <math.h>

static const int inputs[STAGE_INPUTS] = {0, PLAN_NONE, PLAN_NONE};

static void check_resample(Bench *benches, Shape shape, ResampleKernel kernel, double across, double down) {
    ResampleJob job = {kernel, resample_axis(shape.width, (size_t)fmax(across * (double)shape.width, 1)),
                       resample_axis(shape.height, (size_t)fmax(down * (double)shape.height, 1))};
    Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
    int out;
    REQUIRE(plan_append(plan, &op_resample, &job, inputs, shape.type, &out));
    check_plan(benches, plan);
}

static void check_resample_not_finite(Bench *benches, Shape shape, ResampleKernel kernel, size_t scale) {
    ResampleJob job = {kernel, resample_axis(shape.width, shape.width / scale),
                       resample_axis(shape.height, shape.height / scale)};
    Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
    int out;
    REQUIRE(plan_append(plan, &op_resample, &job, inputs, shape.type, &out));
    check_not_finite(benches, &plan_stage(plan, 0)->stage);
    plan_destroy(&plan);
}

/* Factors from a twentieth to twenty times, so that windows are longer than tiles, and tiles within one pixel. */
static void resample_tiles(void **state) {
    static const double factors[] = {0.05, 0.23, 0.5, 0.99, 1.7, 3, 20};
    Pcg pcg = pcg_seed(17, 1);
    for (int i = 0; i < (is_quick() ? 6 : 48); i++) {
        const double across = factors[draw(&pcg, 7)], down = factors[draw(&pcg, 7)];
        const Shape shape = {(size_t)(across > 2 ? 33 : 130 + draw(&pcg, 300)),
                             (size_t)(down > 2 ? 29 : 70 + draw(&pcg, 200)), 1 + (int)draw(&pcg, 4),
                             (PixelType)draw(&pcg, PIXEL_TYPES)};
        check_resample(*state, shape, (ResampleKernel)(i % RESAMPLE_KERNELS), across, down);
    }
}

/* One row, one column, one pixel, and whole ratios, whose sums often lie halfway between two numbers. */
static void resample_awkward(void **state) {
    static const Shape shapes[] = {
        {1, 1, 3, PIXEL_U8}, {1, 77, 4, PIXEL_U16}, {300, 1, 1, PIXEL_F32}, {2, 3, 2, PIXEL_U8}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int kernel = 0; kernel < RESAMPLE_KERNELS; kernel++)
            check_resample(*state, shapes[i], (ResampleKernel)kernel, kernel % 2 ? 0.4 : 13, 2.5);
    for (int kernel = RESAMPLE_BOX; kernel < RESAMPLE_KERNELS; kernel++)
        for (int factor = 2; factor <= 12; factor += 2) {
            const double by = kernel % 2 ? 1.0 / factor : factor;
            const size_t side = kernel % 2 ? 240 : 23;
            check_resample(*state, (Shape){side, side, 1 + kernel % 4, PIXEL_U8}, (ResampleKernel)kernel, by, by);
        }
}

/* Blocks of whole pixels of each type, wider than the pixels made at once, also of a part of the picture; the largest
 * sums. */
static void resample_blocks(void **state) {
    static const size_t sides[][2] = {{2, 2}, {3, 3}, {2, 5}, {7, 7}, {16, 3}, {4, 16}};
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = is_quick() ? 1 + type : 1; channels <= (is_quick() ? 1 + type : 4); channels++)
            for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
                const size_t across = sides[i][0], down = sides[i][1], columns = i < 2 ? 531 : 61, rows = 5;
                const Shape shape = {across * columns + 3, down * rows + 2, channels, (PixelType)type};
                ResampleJob job = {RESAMPLE_BOX,
                                   {.count = columns, .scale = (double)across, .offset = (double)(i % 4)},
                                   {.count = rows, .scale = (double)down, .offset = (double)(i % 3)}};
                Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
                int out;
                REQUIRE(plan_append(plan, &op_resample, &job, inputs, shape.type, &out));
                check_plan(*state, plan);
            }
}

/* Every type, number of channels and kernel enlarged, barely and much, to more columns than are made at once. */
static void resample_enlarged(void **state) {
    static const double factors[][2] = {{1.7, 1.7}, {1.01, 1}, {5, 2.2}, {1.25, 9}};
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = 1; channels <= 4; channels++)
            for (int kernel = is_quick() ? channels : 0; kernel < (is_quick() ? channels + 1 : RESAMPLE_KERNELS);
                 kernel++) {
                const double *by = factors[(type + channels + kernel) % 4];
                check_resample(*state, (Shape){by[0] > 2 ? 131 : 613, 23, channels, (PixelType)type},
                               (ResampleKernel)kernel, by[0], by[1]);
            }
}

/* Halves and quarters, by every type and number of channels. Pictures have several strips, or barely a whole window. */
static void resample_halves(void **state) {
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = is_quick() ? 3 : 1; channels <= (is_quick() ? 3 : 4); channels++)
            for (size_t scale = 2; scale <= 4; scale += 2)
                for (int i = 0; i < 4; i++) {
                    const size_t across = i < 2 ? 800 / scale / (size_t)channels + 13 : 12, down = i % 2 ? 12 : 43;
                    const Shape shape = {across * scale, down * scale, channels, (PixelType)type};
                    const ResampleKernel kernel = i % 2 ? RESAMPLE_CUBIC : RESAMPLE_LANCZOS;
                    check_resample(*state, shape, kernel, 1.0 / (double)scale, 1.0 / (double)scale);
                    if (type == PIXEL_F32)
                        check_resample_not_finite(*state, shape, kernel, scale);
                }
}

/* Whole numbers that shrink by no whole number, or by three: groups of results whose weights and windows all differ, in
 * several blocks both ways. Few pixels across have many down, and the other way round. */
static void resample_fractions(void **state) {
    static const double factors[] = {1.0 / 3, 0.3, 0.26, 0.7, 0.93, 0.17, 0.25};
    enum { FACTORS = sizeof factors / sizeof factors[0] };
    for (int i = 0; i < 8 * FACTORS; i++) {
        const int channels = 1 + i % 4, by = i / 8;
        const PixelType type = i / 4 % 2 ? PIXEL_U16 : PIXEL_U8;
        const Shape shape = {(size_t)(1100 / channels + 7 * by), 230, channels, type};
        const ResampleKernel kernel = (ResampleKernel)(RESAMPLE_KERNELS - 1 - i % 3);
        if (!is_quick() || i % 3 == 0)
            check_resample(*state, shape, kernel, factors[by], by % 3 ? factors[by] : 2.5 * factors[(by + 1) % 4]);
    }
}

/* All turns with all borders, partly beyond the edges. */
static void move_tiles(void **state) {
    Pcg pcg = pcg_seed(19, 1);
    for (int i = 0; i < 8 * 5 * (is_quick() ? 1 : 3); i++) {
        const Shape shape = {1 + draw(&pcg, 150), 1 + draw(&pcg, 120), 1 + (int)draw(&pcg, 4),
                             (PixelType)draw(&pcg, PIXEL_TYPES)};
        MoveJob job = {.width = 1 + draw(&pcg, 200),
                       .height = 1 + draw(&pcg, 200),
                       .left = (ptrdiff_t)draw(&pcg, 120) - 60,
                       .top = (ptrdiff_t)draw(&pcg, 120) - 60,
                       .transpose = i & 1,
                       .mirror_x = i & 2,
                       .mirror_y = i & 4,
                       .border = (BorderMode)(i / 8 % 5),
                       .outside = {3, 1, 4, 1.5F}};
        Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
        int out;
        REQUIRE(plan_append(plan, &op_move, &job, inputs, shape.type, &out));
        check_plan(*state, plan);
    }
}

/* Maps of each kind and their tiles: inside the picture, at its rim, and beyond it. Bytes read linearly come first. */
static void warp_tiles(void **state) {
    enum { KINDS = 4 };
    const Shape size = {210, 150, 0, PIXEL_U8};
    const double x = 104.5, y = 74.5, cosine = cos(0.3), sine = sin(0.3);
    const WarpMap lens = {.is_lens = true, .focal = 130, .centre_x = x, .centre_y = y, .k1 = -0.1};
    WarpMap maps[KINDS] = {
        {.matrix = {cosine, sine, x - cosine * x - sine * y, -sine, cosine, y + sine * x - cosine * y, 0, 0, 1}},
        {.matrix = {1.02, 0.1, -9, -0.07, 0.98, 6, 0.0002, -0.0001, 1}},
        lens,
        lens};
    maps[3].k2 = 0.02;
    maps[3].p1 = 0.01;
    Pcg pcg = pcg_seed(29, 1);
    for (int i = 0; i < KINDS * (is_quick() ? 5 : 20); i++) {
        const bool first = i < 4 * KINDS;
        Shape shape = size;
        shape.channels = first ? 1 + (i / KINDS + 2) % 4 : 1 + (int)draw(&pcg, 4);
        shape.type = first ? PIXEL_U8 : (PixelType)draw(&pcg, PIXEL_TYPES);
        WarpJob job = {.width = shape.width + 7,
                       .height = shape.height + 20,
                       .map = maps[i % KINDS],
                       .kernel = first ? WARP_LINEAR : (WarpKernel)draw(&pcg, WARP_KERNELS),
                       .border = (BorderMode)(i % 5),
                       .outside = {3, 1, 4, 1.5F}};
        Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
        int out;
        REQUIRE(plan_append(plan, &op_warp, &job, inputs, shape.type, &out));
        check_plan(*state, plan);
    }
}

int levels_geometry(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resample_tiles),    cmocka_unit_test(resample_awkward), cmocka_unit_test(resample_blocks),
        cmocka_unit_test(resample_enlarged), cmocka_unit_test(resample_halves),  cmocka_unit_test(resample_fractions),
        cmocka_unit_test(move_tiles),        cmocka_unit_test(warp_tiles),       cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, geometry", tests, open_devices, close_devices);
}
