/* test_netpbm.c: what the headers and bitmaps of the Netpbm formats may say, and what they may not. */
#include "core/codec.h"

#include <string.h>

#include "tests/check.h"

static void netpbm_headers_and_bits(void **state) {
    (void)state;
    static const struct {
        const char *file, *reason; /* NULL: a picture */
    } cases[] = {
        {"P1 3 1 0 1 2", "neither 0 nor 1"},
        {"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\nx", "largest value is 0"}, /* a PAM must name MAXVAL */
        {"P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\nENDHDR\nx", "0 channels"},
        {"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE OF MY OWN\nENDHDR\nx", NULL},
        {"P5 1 1 3 \7", "larger than 3"},
        {"P5 0 1 255 ", "no pixels"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Image *image;
        const Bytes file = {(unsigned char *)(uintptr_t)cases[i].file, strlen(cases[i].file)};
        const Status status = codec_decode(file, &image);
        assert_int_equal(status, cases[i].reason ? STATUS_INPUT : STATUS_OK);
        if (cases[i].reason)
            assert_non_null(strstr(status_message(), cases[i].reason));
        image_destroy(&image);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(netpbm_headers_and_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
