/* test_blend.c: blends by shares, held against those of blend_pixel: values that they call certain are equal. */
#include "core/ops/blend.h"

#include <stdlib.h>

#include "tests/check.h"

static const double opacities[] = {1, 0.5, 0.7, 0.0625, 1.0 / 3, 0.001, 0};
enum { OPACITIES = sizeof opacities / sizeof *opacities };

static double rounded(double value, double white) {
    return rint(fmin(fmax(value, 0), white));
}

/* A pixel of one colour, its alphas and its opacity. */
typedef struct Pixel {
    double b, s, under, over;
} Pixel;

/* How far a value by shares is off, before it is clamped; values that they call certain have to be right. */
static double off_in_double(const BlendJob *job, Pixel p) {
    const double w = job->white, error = blend_error(job, BLEND_ERROR);
    const BlendShares shares = blend_shares(p.under, p.over, job->opacity, w, 1 / w);
    const double made =
        shares.backdrop * p.b + shares.source * p.s + shares.mixed * blend_mixed(job->mode, p.b, p.s, w, 1 / w);
    const bool dyadic = blend_is_dyadic(job);
    double want, alpha;
    blend_pixel(job, 1, &p.b, p.under, &p.s, p.over, job->opacity, &want, &alpha);
    const double value = blend_clamp(made, w), over = blend_clamp(shares.alpha, w);
    if ((dyadic && blend_is_whole(job->mode) && shares.opaque) || blend_certain(value, error))
        assert_true(blend_whole(value) == rounded(want, w));
    if ((dyadic && shares.opaque_source) || blend_certain(over, error))
        assert_true(blend_whole(over) == rounded(alpha, w));
    assert_true(shares.valid);
    return fmax(fabs(made - want), fabs(shares.alpha - alpha));
}
static double off_in_single(const BlendJob *job, Pixel p) {
    const float w = (float)job->white, v = 1 / w, b = (float)p.b, s = (float)p.s;
    const float error = (float)blend_error(job, (double)BLEND_ERROR_SINGLE);
    const BlendShares_single shares = blend_shares_single((float)p.under, (float)p.over, (float)job->opacity, w, v);
    const float shown = job->mode == BLEND_normal
                            ? shares.normal * s
                            : shares.source * s + shares.mixed * blend_mixed_single(job->mode, b, s, w, v);
    const float made = shares.backdrop * b + shown;
    const bool dyadic = blend_is_dyadic(job);
    double want, alpha;
    blend_pixel(job, 1, &p.b, p.under, &p.s, p.over, job->opacity, &want, &alpha);
    const float value = blend_clamp_single(made, w), over = blend_clamp_single(shares.alpha, w);
    if ((dyadic && blend_is_whole(job->mode) && shares.opaque) || blend_certain_single(value, error))
        assert_true((double)blend_whole_single(value) == rounded(want, job->white));
    if ((dyadic && shares.opaque_source) || blend_certain_single(over, error))
        assert_true((double)blend_whole_single(over) == rounded(alpha, job->white));
    assert_true(shares.valid);
    return fmax(fabs((double)made - want), fabs((double)shares.alpha - alpha));
}

/* blend.h's bound of the error: opaque bytes, all pairs. */
static void modes_of_f32_are_off_by_little(void **state) {
    (void)state;
    double most = 0;
    for (int mode = 0; mode < BLEND_MODES; mode++)
        for (int b = 0; b < 256; b++)
            for (int s = 0; s < 256; s++) {
                const double want = blend_mixed((BlendMode)mode, b, s, 255, 1.0 / 255);
                const float made = blend_mixed_single((BlendMode)mode, (float)b, (float)s, 255, 1.0F / 255);
                assert_true(!blend_is_whole((BlendMode)mode) || (double)made == want);
                most = fmax(most, fabs((double)made - want));
            }
    print_message("modes of f32 are off by up to %g, %g are allowed\n", most, 0x1p-14);
    assert_true(most < 0x1p-14);
}

/* Every backdrop with every source, of some alphas. */
static void all_bytes_blend_alike_in_every_mode(void **state) {
    static const double alphas[][2] = {{255, 255}, {255, 128}, {255, 1}, {0, 255},   {0, 77}, {128, 255},
                                       {1, 1},     {200, 3},   {3, 254}, {254, 254}, {91, 0}, {0, 0}};
    (void)state;
    double most = 0;
    for (int mode = 0; mode < BLEND_MODES; mode++)
        for (size_t k = 0; k < sizeof alphas / sizeof *alphas; k++)
            for (int o = 0; o < OPACITIES; o++) {
                const BlendJob job = {.mode = (BlendMode)mode, .opacity = opacities[o], .white = 255, .scale = 1};
                for (int b = 0; b < 256; b++)
                    for (int s = 0; s < 256; s++)
                        most = fmax(most, off_in_single(&job, (Pixel){b, s, alphas[k][0], alphas[k][1]}));
            }
    print_message("bytes of f32 are off by up to %g, %g are allowed\n", most, (double)BLEND_ERROR_SINGLE);
    assert_true(most < (double)BLEND_ERROR_SINGLE / 2);
}

/* Every alpha over every alpha. A result is a linear function of its colours, so that corners are the extremes. */
static void all_alphas_blend_alike(void **state) {
    static const double colours[][2] = {{0, 255},   {255, 0}, {255, 255}, {1, 254},
                                        {128, 127}, {3, 200}, {77, 78},   {0, 1}};
    (void)state;
    double most = 0;
    for (int o = 0; o < OPACITIES; o++) {
        const BlendJob job = {.mode = BLEND_normal, .opacity = opacities[o], .white = 255, .scale = 1};
        for (int under = 0; under < 256; under++)
            for (int over = 0; over < 256; over++)
                for (size_t k = 0; k < sizeof colours / sizeof *colours; k++)
                    most = fmax(most, off_in_single(&job, (Pixel){colours[k][0], colours[k][1], under, over}));
    }
    print_message("bytes of f32 are off by up to %g, %g are allowed\n", most, (double)BLEND_ERROR_SINGLE);
    assert_true(most < (double)BLEND_ERROR_SINGLE / 2);
}

/* In double there is room for a thousand times the error; of u16, samples do. */
static void words_blend_alike(void **state) {
    (void)state;
    double most = 0;
    srand(7);
    for (int mode = 0; mode < BLEND_MODES; mode++)
        for (int o = 0; o < OPACITIES; o++) {
            const BlendJob job = {.mode = (BlendMode)mode, .opacity = opacities[o], .white = 65535, .scale = 1};
            for (int i = 0; i < 40000; i++) {
                Pixel p = {rand() % 65536, rand() % 65536, rand() % 65536, rand() % 65536};
                p.under = i % 3 == 0 ? 65535 : i % 7 == 0 ? 0 : i % 11 == 0 ? 1 : p.under;
                p.over = i % 4 == 0 ? 65535 : i % 5 == 0 ? 0 : i % 13 == 0 ? 1 : p.over;
                p.s = i % 17 == 0 ? 65535 - p.b : p.s;
                most = fmax(most, off_in_double(&job, p));
            }
        }
    print_message("words of double are off by up to %g, %g are allowed\n", most, BLEND_ERROR);
    assert_true(most < BLEND_ERROR / 4);
}

/* Opacities at which inverses overflow leave nothing certain. */
static void next_to_no_opacity_is_never_certain(void **state) {
    (void)state;
    const BlendJob job = {.mode = BLEND_normal, .opacity = 1e-30, .white = 255, .scale = 1};
    assert_false(blend_certain(0, blend_error(&job, BLEND_ERROR)));
    assert_false(blend_certain_single(7, (float)blend_error(&job, (double)BLEND_ERROR_SINGLE)));
    assert_false(blend_certain_single(7.5F, BLEND_ERROR_SINGLE) || blend_certain_single(NAN, BLEND_ERROR_SINGLE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_of_f32_are_off_by_little),
        cmocka_unit_test(all_bytes_blend_alike_in_every_mode),
        cmocka_unit_test(all_alphas_blend_alike),
        cmocka_unit_test(words_blend_alike),
        cmocka_unit_test(next_to_no_opacity_is_never_certain),
    };
    return cmocka_run_group_tests_name("blend", tests, NULL, NULL);
}
