/* test_hdr.c: values that Radiance HDR cannot hold. */
#include "core/codec.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_hdr_cannot_hold_is_clamped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
