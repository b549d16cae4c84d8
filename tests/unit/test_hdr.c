/* test_hdr.c: values that Radiance HDR cannot hold. */
#include "core/codec/codec.h"
#include "core/math/pcg.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

static void what_hdr_cannot_hold_is_clamped(void **state) {
    (void)state;
    const float given[12] = {NAN, 1, -1, INFINITY, 0, 0, -INFINITY, -0.f, 1e-40f, 3e38f, 1, -2300.27f};
    Image *image, *back;
    Bytes file;
    assert_int_equal(image_create((Shape){4, 1, 3, PIXEL_F32}, &image), STATUS_OK);
    memcpy(image->view.pixels, given, sizeof given);
    assert_int_equal(codec_encode(format_by_name("hdr"), image, (SaveOptions){0}, &file), STATUS_OK);
    assert_memory_equal(image->view.pixels, given, sizeof given); /* the picture itself stays */
    assert_int_equal(codec_decode(file, &back), STATUS_OK);
    const float *got = back->view.pixels;
    for (int i = 0; i < 12; i++) {
        assert_true(isfinite(got[i]) && got[i] >= 0);
        assert_true(given[i] > 0 || got[i] <= 0); /* nothing, of negatives and of NaN */
    }
    assert_true(fabsf(got[1] - 1) <= 1 / 128.f); /* eight bits next to the pixel's largest value */
    assert_true(got[3] > 1e38f && got[9] > 1e38f);
    bytes_free(&file);
    image_destroy(&back);
    image_destroy(&image);
}

/* Rounded, not cut: errors are even, and values that were written once stay as they are. */
static void light_is_kept(void **state) {
    (void)state;
    Image *image, *back, *again;
    Bytes file, twin;
    Pcg random = pcg_seed(7, 1);
    double sum = 0, kept = 0;
    REQUIRE(image_create((Shape){100, 100, 3, PIXEL_F32}, &image));
    float *values = image->view.pixels;
    for (int i = 0; i < 30000; i++) /* of all sizes that there are, down to the smallest */
        values[i] =
            ldexpf(1 + (float)pcg_next(&random) * 0x1p-32F, i < 15000 ? (int)(pcg_next(&random) % 3) : i % 250 - 134);
    REQUIRE(codec_encode(format_by_name("hdr"), image, (SaveOptions){0}, &file));
    REQUIRE(codec_decode(file, &back));
    const float *got = back->view.pixels;
    for (int i = 0; i < 30000; i++) {
        const int first = i / 3 * 3;
        const float largest = fmaxf(values[first], fmaxf(values[first + 1], values[first + 2]));
        const double rounded = (double)largest * 256 / 255.5; /* it may need the next exponent */
        const double step = ldexp(1, (int)fmax(floor(log2(rounded)), -128)) / 128;
        sum += i < 15000 ? values[i] : 0;
        kept += i < 15000 ? got[i] : 0;
        if (!(fabs((double)got[i] - values[i]) <= step / 2))
            fail_msg("%g becomes %g; a step is %g", values[i], got[i], step);
    }
    assert_true(fabs(kept / sum - 1) < 1e-4);
    REQUIRE(codec_encode(format_by_name("hdr"), back, (SaveOptions){0}, &twin));
    REQUIRE(codec_decode(twin, &again));
    assert_int_equal(twin.size, file.size);
    assert_memory_equal(twin.data, file.data, file.size);
    image_destroy(&image);
    image_destroy(&back);
    image_destroy(&again);
    bytes_free(&file);
    bytes_free(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_hdr_cannot_hold_is_clamped),
                                       cmocka_unit_test(light_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
