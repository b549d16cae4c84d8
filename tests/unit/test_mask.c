/* test_mask.c: masks from text and formulas, and their rank and terms against matrices worked out by hand. */
#include "core/math/pcg.h"
#include "core/param/mask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

static Mask *parse(const char *text) {
    Mask *mask = NULL;
    if (mask_parse(text, &mask) != STATUS_OK)
        fail_msg("mask \"%s\": %s", text, status_message());
    return mask;
}

static double weight(const Mask *mask, int i, int j) {
    return (double)mask->weights[j * mask->width + i];
}

static double term_weight(const Mask *mask, const MaskTerms *terms, int i, int j) {
    double sum = 0;
    for (int t = 0; t < terms->count; t++)
        sum += (double)terms->columns[t * mask->height + j] * (double)terms->rows[t * mask->width + i];
    return sum;
}

static void sides_have_limits(void **state) {
    (void)state;
    const int wrong[][2] = {{0, 3}, {3, 0}, {-1, 3}, {MASK_MAX + 1, 1}, {1, MASK_MAX + 1}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Mask *mask = (Mask *)&mask;
        assert_int_equal(mask_create(wrong[k][0], wrong[k][1], &mask), STATUS_USAGE);
        assert_null(mask);
    }
    Mask *mask = NULL;
    assert_int_equal(mask_create(MASK_MAX, 1, &mask), STATUS_OK);
    for (int i = 0; i < MASK_MAX; i++)
        assert_true(weight(mask, i, 0) == 0);
    assert_true(mask->divisor == 1);
    mask_destroy(&mask);
    assert_null(mask);
    mask_destroy(&mask);
}

static void text_is_read_row_by_row(void **state) {
    (void)state;
    const struct {
        const char *text;
        int width, height;
    } rows[] = {
        {"1 2 3 4", 2, 2},    {"1,2,3,4", 2, 2},        {"1 2; 3 4", 2, 2},
        {"1 2\n3 4\n", 2, 2}, {" 1\t2 ,3 , 4 ", 2, 2},  {"1;2;3;4", 1, 4},
        {"1 2 3 4;", 4, 1},   {"\n\n1 2 3 4;\n", 4, 1}, {"1 2 # one\n# none\n3 4", 2, 2},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Mask *mask = parse(rows[k].text);
        if (mask->width != rows[k].width || mask->height != rows[k].height)
            fail_msg("\"%s\" gave %d x %d", rows[k].text, mask->width, mask->height);
        for (int i = 0; i < 4; i++)
            assert_true(mask->weights[i] == (float)(i + 1));
        mask_destroy(&mask);
    }
}

static void weights_may_be_fractions(void **state) {
    (void)state;
    Mask *mask = parse("1/4 -1/2 .5 -2e-1");
    assert_true(mask->weights[0] == 0.25f && mask->weights[1] == -0.5f && mask->weights[2] == 0.5f &&
                mask->weights[3] == -0.2f);
    mask_destroy(&mask);
}

static void wrong_text_is_refused_where_it_is_wrong(void **state) {
    (void)state;
    const struct {
        const char *text, *says;
    } rows[] = {
        {"", "no weights"},         {" ;\n; ", "no weights"},   {"1 2 3", "3 weights"},   {"1 2; 3", "row 2"},
        {"1 2\n3 4\n5\n", "row 3"}, {"1 2 x 4", "weight 3"},    {"1 2 x 4", "\"x\""},     {"1 nan 1 1", "weight 2"},
        {"1 inf 1 1", "weight 2"},  {"1 1 1 1e39", "weight 4"}, {"1 2 3 4x", "weight 4"}, {"1/0 1 1 1", "weight 1"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Mask *mask = NULL;
        if (mask_parse(rows[k].text, &mask) != STATUS_USAGE)
            fail_msg("mask \"%s\" was not refused", rows[k].text);
        assert_null(mask);
        if (!strstr(status_message(), rows[k].says))
            fail_msg("mask \"%s\": \"%s\" does not say \"%s\"", rows[k].text, status_message(), rows[k].says);
    }
}

static void too_many_weights_are_refused(void **state) {
    (void)state;
    const size_t count = (size_t)MASK_MAX * MASK_MAX + 1;
    char *text = malloc(2 * count + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + 2 * i, "1 ", 3);
    Mask *mask = NULL;
    assert_int_equal(mask_parse(text, &mask), STATUS_USAGE);
    text[2 * (MASK_MAX + 1)] = ';';
    assert_int_equal(mask_parse(text, &mask), STATUS_USAGE);
    assert_null(mask);
    free(text);
}

static Status load_text(const void *text, size_t size, Mask **mask) {
    char path[] = "mask-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, size), size);
    close(file);
    const Status status = mask_load(path, mask);
    unlink(path);
    if (status != STATUS_OK)
        assert_memory_equal(status_message(), path, strlen(path));
    return status;
}

static void files_hold_masks(void **state) {
    (void)state;
    Mask *mask = NULL;
    const char good[] = "# emboss\n-2 -1 0\n-1  1 1 # middle\n 0  1 2\n";
    assert_int_equal(load_text(good, sizeof good - 1, &mask), STATUS_OK);
    assert_int_equal(mask->width, 3);
    assert_int_equal(mask->height, 3);
    assert_true(weight(mask, 0, 0) == -2 && weight(mask, 2, 1) == 1 && weight(mask, 2, 2) == 2);
    mask_destroy(&mask);

    /* A line is a row: nine numbers in one are no square, and four lines of one number a column. */
    const char *const row = "1 2 3 4 5 6 7 8 9\n", *const column = "1\n2\r\n3\n4";
    assert_int_equal(load_text(row, strlen(row), &mask), STATUS_OK);
    assert_true(mask->width == 9 && mask->height == 1 && weight(mask, 8, 0) == 9);
    mask_destroy(&mask);
    assert_int_equal(load_text(column, strlen(column), &mask), STATUS_OK);
    assert_true(mask->width == 1 && mask->height == 4 && weight(mask, 0, 3) == 4);
    mask_destroy(&mask);

    assert_int_equal(load_text("1 2\n3 four\n", 11, &mask), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "four"));
    assert_int_equal(load_text("1 2 3 4\0 5", 10, &mask), STATUS_INPUT);
    assert_int_equal(load_text("", 0, &mask), STATUS_INPUT);
    assert_int_equal(mask_load("there-is-no-such-file", &mask), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "there-is-no-such-file"));
    assert_null(mask);
}

static void box_is_the_mean(void **state) {
    (void)state;
    Mask *mask = NULL;
    assert_int_equal(mask_box(5, 2, &mask), STATUS_OK);
    assert_int_equal(mask->width, 5);
    assert_int_equal(mask->height, 2);
    assert_true(mask->divisor == 10);
    for (int i = 0; i < 10; i++)
        assert_true(mask->weights[i] == 1);
    assert_true(mask_sum(mask) == 1 && mask_absolute_sum(mask) == 1);
    mask_destroy(&mask);
}

static void gaussian_is_the_bell_curve(void **state) {
    (void)state;
    const double sigmas[] = {0.3, 0.5, 1, 2, 7.3, 42};
    for (size_t k = 0; k < sizeof sigmas / sizeof *sigmas; k++) {
        const double sigma = sigmas[k];
        Mask *mask = NULL;
        assert_int_equal(mask_gaussian(sigma, 0, &mask), STATUS_OK);
        const int radius = (int)ceil(3 * sigma);
        assert_int_equal(mask->width, 2 * radius + 1);
        assert_int_equal(mask->height, 2 * radius + 1);
        assert_true(fabs(mask_sum(mask) - 1) < 1e-5);
        const double middle = weight(mask, radius, radius);
        for (int j = -radius; j <= radius; j++)
            for (int i = -radius; i <= radius; i++) {
                const double want = middle * exp(-(i * i + j * j) / (2 * sigma * sigma));
                assert_true(fabs(weight(mask, i + radius, j + radius) - want) <= 2e-7 * middle);
            }
        assert_int_equal(mask_rank(mask), 1);
        mask_destroy(&mask);
    }
    Mask *mask = NULL;
    assert_int_equal(mask_gaussian(2, 3, &mask), STATUS_OK); /* a radius of one's own */
    assert_int_equal(mask->width, 7);
    assert_true(fabs(mask_sum(mask) - 1) < 1e-5);
    mask_destroy(&mask);
    assert_int_equal(mask_gaussian(100, 0, &mask), STATUS_USAGE);
}

static void flip_turns_by_180_degrees(void **state) {
    (void)state;
    Mask *mask = parse("1 2 3; 4 5 6");
    const float want[9] = {0, 0, 0, 6, 5, 4, 3, 2, 1}; /* the anchor stays on the 5 */
    mask->divisor = 3;
    REQUIRE(mask_flip(&mask));
    assert_int_equal(mask->width, 3);
    assert_int_equal(mask->height, 3);
    assert_memory_equal(mask->weights, want, sizeof want);
    assert_true(mask->divisor == 3);
    mask_destroy(&mask);
}

static void sums_heed_the_divisor(void **state) {
    (void)state;
    Mask *mask = parse("1 -2; 3 -4");
    mask->divisor = -4;
    assert_true(mask_sum(mask) == 0.5);
    assert_true(mask_absolute_sum(mask) == 2.5);
    Mask *clone = NULL;
    assert_int_equal(mask_clone(mask, &clone), STATUS_OK);
    mask->weights[0] = 9;
    assert_true(clone->weights[0] == 1 && clone->divisor == -4 && clone->width == 2 && clone->height == 2);
    mask_destroy(&mask);
    mask_destroy(&clone);
}

static void ranks_of_known_masks(void **state) {
    (void)state;
    const struct {
        const char *text;
        int rank;
    } rows[] = {
        {"0 0 0 0", 0},
        {"5", 1},
        {"1 2 1; 2 4 2; 1 2 1", 1},         /* binomial */
        {"-1 0 1; -2 0 2; -1 0 1", 1},      /* Sobel */
        {"0 1 0; 1 -4 1; 0 1 0", 2},        /* Laplacian */
        {"0 -1 0; -1 5 -1; 0 -1 0", 2},     /* sharpen */
        {"-1 -1 -1; -1 8 -1; -1 -1 -1", 2}, /* ones, but for the middle */
        {"-2 -1 0; -1 1 1; 0 1 2", 3},      /* emboss: determinant -1 */
        {"1 2 3; 4 5 6; 7 8 9", 2},
        {"1 0 0; 0 1 0; 0 0 1", 3},
        {"1 2 3 4 5;", 1},
        {"1;0;3", 1},
        {"1 2 3 4; 2 4 6 8; 1 1 1 1", 2},
        {"0 0 0; 0 0 7; 0 0 0", 1},
        {"1e-20 0; 0 1e-20", 2}, /* small is not zero */
        {"1e20 0; 0 1e20", 2},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Mask *mask = parse(rows[k].text);
        if (mask_rank(mask) != rows[k].rank)
            fail_msg("the rank of \"%s\" is %d, got %d", rows[k].text, rows[k].rank, mask_rank(mask));
        assert_int_equal(mask_separable(mask), rows[k].rank <= 1);
        mask_destroy(&mask);
    }
}

/* A sum of `rank` outer products of small random whole numbers; of that rank almost surely, never of a higher one. */
static Mask *random_mask(Pcg *pcg, int width, int height, int rank) {
    Mask *mask = NULL;
    assert_int_equal(mask_create(width, height, &mask), STATUS_OK);
    for (int t = 0; t < rank; t++) {
        float row[32], column[32];
        for (int i = 0; i < width; i++)
            row[i] = (float)(pcg_next(pcg) % 19) - 9;
        for (int j = 0; j < height; j++)
            column[j] = (float)(pcg_next(pcg) % 19) - 9;
        for (int k = 0; k < width * height; k++)
            mask->weights[k] += column[k / width] * row[k % width];
    }
    return mask;
}

static void terms_add_up_to_the_mask(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(11, 1);
    const int sizes[][2] = {{3, 3}, {5, 7}, {8, 4}, {15, 15}, {31, 31}, {1, 9}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int rank = 1; rank <= 4; rank++) {
            Mask *mask = random_mask(&pcg, sizes[k][0], sizes[k][1], rank);
            const int found = mask_rank(mask);
            const int max = sizes[k][0] < sizes[k][1] ? sizes[k][0] : sizes[k][1];
            assert_int_equal(found, rank < max ? rank : max);
            MaskTerms terms = {0};
            assert_int_equal(mask_factor(mask, found, &terms), STATUS_OK);
            assert_int_equal(terms.count, found);
            const double allowed = MASK_RESIDUAL * mask_absolute_sum(mask);
            for (int j = 0; j < mask->height; j++)
                for (int i = 0; i < mask->width; i++)
                    assert_true(fabs(term_weight(mask, &terms, i, j) - weight(mask, i, j)) <= allowed);
            mask_terms_free(&terms);
            assert_null(terms.rows);
            if (found > 1) {
                assert_int_equal(mask_factor(mask, found - 1, &terms), STATUS_USAGE);
                assert_null(terms.rows);
            }
            mask_destroy(&mask);
        }
}

static void terms_of_binomials_are_exact(void **state) {
    (void)state;
    const char *const texts[] = {"1 2 1; 2 4 2; 1 2 1", "1 1 1; 1 1 1", "-1 0 1; -2 0 2; -1 0 1",
                                 "0 1 0; 1 -4 1; 0 1 0"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Mask *mask = parse(texts[k]);
        MaskTerms terms = {0};
        assert_int_equal(mask_factor(mask, 2, &terms), STATUS_OK);
        for (int j = 0; j < mask->height; j++)
            for (int i = 0; i < mask->width; i++)
                assert_true(term_weight(mask, &terms, i, j) == weight(mask, i, j));
        mask_terms_free(&terms);
        mask_destroy(&mask);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_have_limits),
        cmocka_unit_test(text_is_read_row_by_row),
        cmocka_unit_test(weights_may_be_fractions),
        cmocka_unit_test(wrong_text_is_refused_where_it_is_wrong),
        cmocka_unit_test(too_many_weights_are_refused),
        cmocka_unit_test(files_hold_masks),
        cmocka_unit_test(box_is_the_mean),
        cmocka_unit_test(gaussian_is_the_bell_curve),
        cmocka_unit_test(flip_turns_by_180_degrees),
        cmocka_unit_test(sums_heed_the_divisor),
        cmocka_unit_test(ranks_of_known_masks),
        cmocka_unit_test(terms_add_up_to_the_mask),
        cmocka_unit_test(terms_of_binomials_are_exact),
    };
    return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}
