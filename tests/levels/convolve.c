/* convolve.c: convolutions: masks, borders and shapes of every kind. */
#include "core/ops/convolve.h"
#include "tests/levels/harness.h"

#include <math.h>
#include <string.h>

/* Masks of every kind: dense, outer products, whole numbers whose sums tie, large, flat, lying, standing. */
static Mask *draw_mask(Pcg *pcg) {
    static const int sides[] = {1, 2, 3, 3, 3, 4, 5, 5, 6, 7, 9, 13, 15, 21, 31};
    const size_t count = sizeof sides / sizeof sides[0];
    Mask *mask = NULL;
    const int w = sides[draw(pcg, count)], h = draw(pcg, 3) ? w : sides[draw(pcg, count)];
    const size_t kind = draw(pcg, 4);
    if (kind == 0) {
        REQUIRE(mask_box(w, h, &mask));
        return mask;
    }
    if (kind == 1) {
        REQUIRE(mask_gaussian(0.3 + 0.1 * (double)draw(pcg, 50), 0, &mask));
        return mask;
    }
    REQUIRE(mask_create(w, h, &mask));
    for (int i = 0; i < w * h; i++)
        mask->weights[i] = kind == 2 ? (float)draw(pcg, 17) - 6 : pcg_float(pcg) - 0.3f;
    const double sum = fabs(mask_sum(mask));
    mask->divisor = kind == 2 ? (float)(1 + draw(pcg, 40)) : sum > 0.1 ? (float)sum : 1;
    return mask;
}

static Shape draw_shape(Pcg *pcg) {
    static const size_t sides[] = {1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 33, 61, 64, 67, 97, 131};
    const size_t count = sizeof sides / sizeof sides[0];
    return (Shape){sides[draw(pcg, count)], sides[draw(pcg, count)], 1 + (int)draw(pcg, 4),
                   (PixelType)draw(pcg, PIXEL_TYPES)};
}

static Border draw_border(Pcg *pcg, Shape shape) {
    Border border = {(BorderMode)draw(pcg, (size_t)border_count), 0};
    if (border.mode == BORDER_CONSTANT)
        border.value = (float)(0.7 * pixel_type_white(shape.type));
    return border;
}

static void convolve_random(void **state) {
    Pcg pcg = pcg_seed(2, 1);
    for (int i = 0; i < (is_quick() ? 12 : 200); i++) {
        const Shape shape = draw_shape(&pcg);
        Plan *plan;
        int out;
        plan = plan_for(shape, draw_border(&pcg, shape));
        const float bias = draw(&pcg, 3) ? 0 : (float)(0.25 * pixel_type_white(shape.type));
        REQUIRE(plan_convolve(plan, 0, draw_mask(&pcg), bias, draw(&pcg, 4) ? shape.type : PIXEL_F32, &out));
        check_plan(*state, plan);
    }
}

/* Every type, channel count and border once each, with a mask larger than the picture and one that fits. */
static void convolve_grid(void **state) {
    Pcg pcg = pcg_seed(5, 1);
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = 1; channels <= 4; channels++)
            for (int border = 0; border < border_count; border++)
                for (int large = is_quick() && border % 2; large < (is_quick() ? 1 + border % 2 : 2); large++) {
                    const Shape shape = {large ? 6 : 83, large ? 5 : 47, channels, (PixelType)type};
                    Plan *plan;
                    Mask *mask;
                    int out;
                    const Border mode = {(BorderMode)border, border == BORDER_CONSTANT ? 9 : 0};
                    plan = plan_for(shape, mode);
                    REQUIRE(mask_create(large ? 17 : 5, large ? 15 : 7, &mask));
                    for (int i = 0; i < mask->width * mask->height; i++)
                        mask->weights[i] = pcg_float(&pcg) / (large ? 128 : 16);
                    REQUIRE(plan_convolve(plan, 0, mask, 0, shape.type, &out));
                    check_plan(*state, plan);
                }
}

/* The textbook's first example: a signal is a picture of height 1. */
static void convolve_one_dimension(void **state) {
    for (int standing = 0; standing < 2; standing++)
        for (size_t length = is_quick() ? 121 : 1; length < 300; length = length * 3 + 1)
            for (int side = 1; side < 12; side += 5) {
                const Shape shape = {standing ? 1 : length, standing ? length : 1, 1, PIXEL_F32};
                Plan *plan;
                Mask *mask;
                int out;
                plan = plan_for(shape, (Border){BORDER_ZERO, 0});
                REQUIRE(mask_box(standing ? 1 : side, standing ? side : 1, &mask));
                REQUIRE(plan_convolve(plan, 0, mask, 0, PIXEL_F32, &out));
                check_plan(*state, plan);
            }
}

/* Large masks, and pictures of several strips and tiles. */
static void convolve_large(void **state) {
    const Shape shapes[] = {
        {517, 101, 3, PIXEL_U8}, {401, 99, 4, PIXEL_U8}, {300, 131, 1, PIXEL_F32}, {129, 131, 4, PIXEL_U16}};
    const int quick[] = {2, 2, 0, 1}; /* the kind of mask where each is tried once: the large ones on few pixels */
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int kind = is_quick() ? quick[i] : 0; kind < (is_quick() ? quick[i] + 1 : 3); kind++) {
            Plan *plan;
            Mask *mask;
            int out;
            Shape shape = shapes[i];
            if (kind == 0)
                shape.height = 59; /* a few tiles high: the mask is 43 x 43 */
            plan = plan_for(shape, (Border){BORDER_MIRROR, 0});
            REQUIRE(kind == 0   ? mask_gaussian(7, 0, &mask)
                    : kind == 1 ? mask_box(63, 9, &mask)
                                : mask_parse("1 2 3;4 -5 6;7 8 9.5", &mask));
            REQUIRE(plan_convolve(plan, 0, mask, 0, shapes[i].type, &out));
            check_plan(*state, plan);
        }
}

/* One weight that f32 and whole numbers only come near to: every value shows the loss. */
static void convolve_one_weight(void **state) {
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = 1; channels <= 3; channels += 2) {
            const Shape shape = {131, 67, channels, (PixelType)type};
            Plan *plan;
            Mask *mask;
            int out;
            plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
            REQUIRE(mask_create(1, 1, &mask));
            mask->weights[0] = 0.3F;
            REQUIRE(plan_convolve(plan, 0, mask, 0, shape.type, &out));
            check_plan(*state, plan);
        }
}

/* Sloping lines with few weights a row, both wide and tall ones, and dense masks, on pictures of several strips. */
static void convolve_lines(void **state) {
    static const struct {
        int width, height, taps;
    } rows[] = {{21, 21, 21}, {39, 12, 7}, {57, 24, 9}, {31, 25, 4}, {8, 17, 8}, {24, 9, 24}};
    Pcg pcg = pcg_seed(13, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int channels = 1 + (int)i % 2; channels <= 4; channels += is_quick() ? 2 : 1) {
            const int w = rows[i].width, h = rows[i].height, free = w - rows[i].taps;
            const Shape shape = {(size_t)(701 / channels), is_quick() ? 43 : 211, channels, PIXEL_U8};
            const size_t mode = (i + (size_t)channels) % (size_t)border_count;
            Plan *plan = plan_for(shape, (Border){(BorderMode)mode, mode == BORDER_CONSTANT ? 200 : 0});
            Mask *mask;
            int out;
            REQUIRE(mask_create(w, h, &mask));
            for (int j = 0; j < h; j++)
                for (int k = 0; k < rows[i].taps; k++)
                    mask->weights[j * w + (i % 2 ? j : h - 1 - j) * free / (h - 1) + k] = pcg_float(&pcg) + 0.1F;
            mask->divisor = (float)mask_sum(mask);
            REQUIRE(plan_convolve(plan, 0, mask, 0, PIXEL_U8, &out));
            check_plan(*state, plan);
        }
}

/* A disc with soft edges, whose rows are of many lengths; a line; and four weights far apart, with empty rows. */
static Mask *sparse_mask(Pcg *pcg, int kind, int width, int height) {
    Mask *mask;
    REQUIRE(mask_create(width, height, &mask));
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            const float inside = 0.5F * (float)width - hypotf((float)(i - width / 2), (float)(j - height / 2));
            const bool line = i == j * (width - 1) / (height > 1 ? height - 1 : 1);
            mask->weights[j * width + i] = kind == 0 ? fminf(fmaxf(inside, 0), 1) : line ? pcg_float(pcg) + 0.1F : 0;
        }
    if (kind == 2) {
        memset(mask->weights, 0, (size_t)(width * height) * sizeof *mask->weights);
        for (int i = 0; i < 4; i++)
            mask->weights[(i < 2 ? 0 : height - 1) * width + (i % 2 ? width - 1 : width / 3)] = 1 + (float)i;
    }
    mask->divisor = (float)mask_sum(mask);
    return mask;
}

/* Masks of which most is empty, of every type. Tiles overlap by up to half of their rows. */
static void convolve_sparse(void **state) {
    static const int sides[][2] = {{21, 21}, {29, 13}, {6, 33}, {4, 1}, {1, 19}};
    Pcg pcg = pcg_seed(14, 1);
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = 1; channels <= 4; channels++)
            for (int i = 0; i < 5; i++)
                for (int kind = 0; kind < 3; kind++) {
                    const Shape shape = {(size_t)((is_quick() ? 401 : 601) / channels), is_quick() ? 71 : 197, channels,
                                         (PixelType)type};
                    const size_t mode = (size_t)(i + channels + kind) % (size_t)border_count;
                    const double value = mode == BORDER_CONSTANT ? rint(0.7 * pixel_type_white(shape.type)) : 0;
                    Plan *plan;
                    int out;
                    if (is_quick() && (kind != (type + channels) % 3 || i != (channels < 4 ? (channels + 1) % 2 : 4)))
                        continue;
                    plan = plan_for(shape, (Border){(BorderMode)mode, (float)value});
                    REQUIRE(plan_convolve(plan, 0, sparse_mask(&pcg, kind, sides[i][0], sides[i][1]), 0,
                                          (i + kind) % 3 == 2 ? PIXEL_F32 : shape.type, &out));
                    if (type == PIXEL_F32 && sides[i][1] == 1)
                        check_not_finite(*state, &plan_stage(plan, 0)->stage);
                    check_plan(*state, plan);
                }
}

/* Halves, exactly or nearly: sums of bytes times 1/64 lie halfway between two bytes once in 64, times 0.1 once in ten.
 */
static void convolve_halves(void **state) {
    const struct {
        int side;
        float weight;
    } rows[] = {{8, 1.0F / 64}, {4, 0.125F}, {9, 0.75F / 64}, {3, 2.5F}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Shape shape = {251, 67, 3, PIXEL_U8};
        Plan *plan;
        Mask *mask;
        int out;
        plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
        REQUIRE(mask_create(rows[i].side, rows[i].side, &mask));
        for (int k = 0; k < mask->width * mask->height; k++)
            mask->weights[k] = rows[i].weight;
        REQUIRE(plan_convolve(plan, 0, mask, 0, PIXEL_U8, &out));
        check_plan(*state, plan);
    }
}

/* u16 in pictures so large that sums in single precision may round one value in a thousand differently. Dense masks,
 * outer products, and whole numbers whose sums tie have each channel count and border. */
static void convolve_wide(void **state) {
    static const int sides[] = {3, 5, 7, 9, 15};
    Pcg pcg = pcg_seed(12, 1);
    for (int channels = 1; channels <= 4; channels++)
        for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
            for (int kind = is_quick() ? channels % 3 : 0; kind < (is_quick() ? channels % 3 + 1 : 3); kind++) {
                const Shape shape = {(size_t)(2083 / channels + channels), 157, channels, PIXEL_U16};
                const size_t mode = (size_t)channels + i + (size_t)kind;
                const Border border = {(BorderMode)(mode % (size_t)border_count),
                                       mode % (size_t)border_count == BORDER_CONSTANT ? 45000.0F : 0};
                Plan *plan = plan_for(shape, border);
                Mask *mask;
                int out;
                if (kind == 1)
                    REQUIRE(mask_gaussian(0.2 * sides[i], sides[i] / 2, &mask));
                else
                    REQUIRE(mask_create(sides[i], sides[i], &mask));
                if (kind != 1) {
                    for (int k = 0; k < sides[i] * sides[i]; k++)
                        mask->weights[k] = kind == 0 ? pcg_float(&pcg) : (float)(1 + draw(&pcg, 3));
                    mask->divisor = kind == 0 ? (float)mask_sum(mask) : 512;
                }
                REQUIRE(plan_convolve(plan, 0, mask, 0, PIXEL_U16, &out));
                check_plan(*state, plan);
            }
}

/* A dense mask whose weights are 1, 0 and -1 times `unit`, or between -0.2 and 0.8 where that is 0. */
static Mask *dense_mask(Pcg *pcg, int width, int height, float unit) {
    Mask *mask;
    REQUIRE(mask_create(width, height, &mask));
    for (int i = 0; i < width * height; i++)
        mask->weights[i] = unit > 0 ? ((float)draw(pcg, 3) - 1) * unit : pcg_float(pcg) - 0.2F;
    if (!(unit > 0))
        mask->divisor = (float)fabs(mask_sum(mask));
    return mask;
}

static void check_transforms(Bench *benches, Shape shape, Mask *mask, Border border, float bias) {
    Plan *plan = plan_for(shape, border);
    int out;
    REQUIRE(plan_convolve(plan, 0, mask, bias, shape.type, &out));
    check_from(benches, &plan_stage(plan, 0)->stage, "fft");
    plan_destroy(&plan);
}

/* Transforms of every length along the rows and down the columns, by masks that leave few results of each. */
static void transforms_of_all_lengths(void **state) {
    Pcg pcg = pcg_seed(11, 1);
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int length = is_quick() ? 300 : 24; length <= 1024; length += length < 256 ? 8 : 124)
            for (int standing = 0; standing < 2; standing++) {
                const int side = length < 160 ? 19 : length < 250 ? 77 : 255, other = 2;
                const size_t count = (size_t)(length > side ? length - side + 1 : 1);
                const Shape shape = {standing ? 17 : count, standing ? count : 9, 1 + length / 8 % 4, (PixelType)type};
                const Border border = {(BorderMode)(length / 8 % border_count), 0};
                check_transforms(*state, shape, dense_mask(&pcg, standing ? other : side, standing ? side : other, 0),
                                 border, 0);
            }
}

/* Several tiles across and down, an odd number and an even one, the last of them narrow. */
static void transforms_of_several_tiles(void **state) {
    Pcg pcg = pcg_seed(11, 2);
    const int sides[] = {6, 15, 31, 63};
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = 1; channels <= 4; channels++) {
            const int side = sides[(type + channels) % 4];
            const Shape shape = {channels % 2 ? 389 : 211, is_quick() ? 9 : 127 + (size_t)type, channels,
                                 (PixelType)type};
            const Border border = {(BorderMode)((type + channels) % border_count),
                                   (type + channels) % border_count == BORDER_CONSTANT ? 0.3F : 0};
            check_transforms(*state, shape, dense_mask(&pcg, side, side, 0), border, 0);
        }
}

/* Sums that lie halfway between two whole numbers once in two or in 32. Also large ones, which only doubles keep apart,
 * and weights of the size that results are rounded by. */
static void transforms_with_halves(void **state) {
    Pcg pcg = pcg_seed(11, 3);
    const struct {
        int side;
        float unit, divisor, bias;
    } rows[] = {{7, 0.5F, 1, 100}, {21, 1.0F / 32, 1, 99.5F}, {21, 1, 32, 0}, {61, 1, 64, 127}, {9, 3, 1000, 0}};
    for (int type = 0; type < PIXEL_F32; type++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            Mask *mask = dense_mask(&pcg, rows[i].side, rows[i].side, rows[i].unit);
            mask->divisor = rows[i].divisor;
            check_transforms(*state, (Shape){150, is_quick() ? 5 : 67, 3, (PixelType)type}, mask,
                             (Border){BORDER_CLAMP, 0}, rows[i].bias * (type == PIXEL_U8 ? 1 : 256));
        }
}

/* A value that is not finite spoils the sums that it is a part of, and no others. */
static void transforms_keep_what_is_finite(void **state) {
    Bench *benches = *state;
    const Shape shape = {500, 300, 1, PIXEL_F32};
    const size_t at_x = 260, at_y = 130;
    const Level *level = level_by_name(benches[0].device->backend, &op_convolve, "fft");
    Pcg pcg = pcg_seed(11, 4);
    Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
    Image *in, *want, *got;
    int out;
    REQUIRE(plan_convolve(plan, 0, dense_mask(&pcg, 15, 15, 0), 0, PIXEL_F32, &out));
    REQUIRE(image_create(shape, &in));
    REQUIRE(image_create(shape, &want));
    REQUIRE(image_create(shape, &got));
    view_fill_random(in->view, 5);
    ((float *)view_row(in->view, at_y))[at_x] = INFINITY;
    Stage stage = plan_stage(plan, 0)->stage;
    stage.in[0] = in->view;
    stage.out = want->view;
    REQUIRE(level_run(level_reference(&op_convolve), benches[0].queue, &stage));
    stage.out = got->view;
    REQUIRE(level_run(level, benches[0].queue, &stage));
    assert_true(stage_compare(&stage, 1, want->view, got->view).agrees);
    image_destroy(&in);
    image_destroy(&want);
    image_destroy(&got);
    plan_destroy(&plan);
}

int levels_convolve(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolve_grid),
        cmocka_unit_test(convolve_random),
        cmocka_unit_test(convolve_one_dimension),
        cmocka_unit_test(convolve_large),
        cmocka_unit_test(convolve_one_weight),
        cmocka_unit_test(convolve_lines),
        cmocka_unit_test(convolve_sparse),
        cmocka_unit_test(convolve_halves),
        cmocka_unit_test(convolve_wide),
        cmocka_unit_test(transforms_of_all_lengths),
        cmocka_unit_test(transforms_of_several_tiles),
        cmocka_unit_test(transforms_with_halves),
        cmocka_unit_test(transforms_keep_what_is_finite),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, convolve", tests, open_devices, close_devices);
}
