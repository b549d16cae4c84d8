/* test_denoise.c: things that denoising must leave as they are, and things that it must not, in films by every level of
 * the CPU. tests/definitions/denoise.txt has pictures as numpy computes them; films, which no chain has, are here. */
#include "app/backends.h"
#include "core/device/backend.h"
#include "core/math/pcg.h"
#include "core/ops/denoise.h"
#include "core/stage/op.h"

#include <math.h>

#include "tests/check.h"

enum { WIDTH = 37, HEIGHT = 21, SAMPLES = 8, FEWER = 4 };

/* As FilmPixel (core/math/film.h), or four values of the shown picture. */
typedef struct Pixel {
    float red, green, blue, samples;
} Pixel;

/* A film, the picture that it shows, the film when it had fewer samples, and the result. */
typedef struct Film {
    Image *film, *surfaces, *less, *out;
} Film;

static Pixel *film_at(Image *image, size_t x, size_t y) {
    return (Pixel *)view_row(image->view, y) + x;
}

/* A plane that looks along z, of albedo 0.5, in darkness. */
static Film film_create(void) {
    const Shape shape = {WIDTH, HEIGHT, 4, PIXEL_F32};
    Film film;
    REQUIRE(image_create(shape, &film.film));
    REQUIRE(image_create((Shape){WIDTH, 2 * HEIGHT, 4, PIXEL_F32}, &film.surfaces));
    REQUIRE(image_create(shape, &film.less));
    REQUIRE(image_create(shape, &film.out));
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            *film_at(film.surfaces, x, y) = (Pixel){0, 0, 1, 0.01F};
            *film_at(film.surfaces, x, HEIGHT + y) = (Pixel){0.5F, 0.5F, 0.5F, 1};
        }
    return film;
}

static void film_destroy(Film *film) {
    image_destroy(&film->film);
    image_destroy(&film->surfaces);
    image_destroy(&film->less);
    image_destroy(&film->out);
}

/* The light that reaches the pixel, by the mean of all samples and by that of the first ones. */
static void set_light(Film *film, size_t x, size_t y, float all, float first) {
    const Pixel albedo = *film_at(film->surfaces, x, HEIGHT + y);
    const float colours[3] = {albedo.red, albedo.green, albedo.blue}, sums[2] = {all * SAMPLES, first * FEWER};
    for (int c = 0; c < 3; c++) {
        ((float *)film_at(film->film, x, y))[c] = sums[0] * colours[c];
        ((float *)film_at(film->less, x, y))[c] = sums[1] * colours[c];
    }
    film_at(film->film, x, y)->samples = SAMPLES;
    film_at(film->less, x, y)->samples = FEWER;
}

/* The light of a pixel of the result, in red. */
static double light_of(const Film *film, size_t x, size_t y) {
    return view_value(film->out->view, x, y, 0) / view_value(film->surfaces->view, x, HEIGHT + y, 0);
}

typedef void Check(const Film *film, const Level *level);

static void check_levels(Film film, Check *check) {
    DenoiseJob job = denoise_film_job();
    const Stage stage = {.op = &op_denoise,
                         .in = {film.film->view, film.surfaces->view, film.less->view},
                         .out = film.out->view,
                         .job = &job};
    Device *device;
    Queue *queue;
    const char *passed_over;
    REQUIRE(backend_open("cpu", 0, 2, &device, &passed_over));
    REQUIRE(queue_open(device, &queue));
    assert_true(ladder_count(device->backend, &op_denoise) >= 3);
    for (size_t i = 0; i < ladder_count(device->backend, &op_denoise); i++) {
        const Level *level = ladder_level(device->backend, &op_denoise, i);
        REQUIRE(level_run(level, queue, &stage));
        check(&film, level);
    }
    queue_close(&queue);
    device_close(&device);
    film_destroy(&film);
}

static void is_of_one_light(const Film *film, const Level *level) {
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            if (!(fabs(light_of(film, x, y) - 3) < 1e-5) || view_value(film->out->view, x, y, 3) != 1)
                fail_msg("%s: (%zu, %zu) has the light %g of %g samples, want 3 of 1", level->name, x, y,
                         light_of(film, x, y), view_value(film->out->view, x, y, 3));
}

/* However surfaces are painted and however they lie. */
static void even_light_stays(void **state) {
    (void)state;
    Film film = film_create();
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            const float share = 0.05F + (float)((x * 7 + y * 3) % 13) / 14, turn = (float)(x / 9);
            *film_at(film.surfaces, x, HEIGHT + y) = (Pixel){share, 1 - share, share / 2, 1};
            *film_at(film.surfaces, x, y) = (Pixel){sinf(turn), 0, cosf(turn), 0.01F * turn};
            set_light(&film, x, y, 3, y % 2 ? 2 : 4); /* noise that happens to be none in all */
        }
    check_levels(film, is_of_one_light);
}

static void has_a_sharp_shadow(const Film *film, const Level *level) {
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            if (!(fabs(light_of(film, x, y) - (x < WIDTH / 2 ? 1 : 0.9)) < 1e-5))
                fail_msg("%s: (%zu, %zu) has the light %g", level->name, x, y, light_of(film, x, y));
}

/* Where both parts of the samples agree, nothing is smoothed: the edge of a faint shadow on a plane. */
static void what_has_no_noise_stays(void **state) {
    (void)state;
    Film film = film_create();
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            set_light(&film, x, y, x < WIDTH / 2 ? 1 : 0.9F, x < WIDTH / 2 ? 1 : 0.9F);
    check_levels(film, has_a_sharp_shadow);
}

static void is_parted(const Film *film, const Level *level) {
    double squares = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            squares += pow(light_of(film, x, y) - (x < WIDTH / 2 ? 1 : 5), 2);
    if (!(squares / (WIDTH * HEIGHT) < 0.04))
        fail_msg("%s: the mean square of the noise is %g, want less than 1/25 of what it was", level->name,
                 squares / (WIDTH * HEIGHT));
}

/* Noise of +-1 goes, and none of the light of a surface that faces elsewhere, or that lies behind, comes instead. */
static void noise_goes_and_edges_stay(void **state) {
    for (int behind = 0; behind < 2; behind++) {
        Film film = film_create();
        Pcg pcg = pcg_seed(4, 1);
        (void)state;
        for (size_t y = 0; y < HEIGHT; y++)
            for (size_t x = 0; x < WIDTH; x++) {
                const float noise = pcg_float(&pcg) < 0.5F ? -1 : 1, other = pcg_float(&pcg) < 0.5F ? -1 : 1;
                const float light = x < WIDTH / 2 ? 1 : 5;
                set_light(&film, x, y, light + noise, light + noise + other);
                if (x < WIDTH / 2)
                    *film_at(film.surfaces, x, y) = behind ? (Pixel){0, 0, 1, 0.02F} : (Pixel){1, 0, 0, 0.01F};
            }
        check_levels(film, is_parted);
    }
}

static void is_nearly_even(const Film *film, const Level *level) {
    double squares = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            squares += pow(light_of(film, x, y) - 1, 2);
    if (!(squares / (WIDTH * HEIGHT) < 7 / 36.0))
        fail_msg("%s: the mean square of the error is %g, want less than 7/36", level->name,
                 squares / (WIDTH * HEIGHT));
}

/* Each pixel has one sample. One in eight finds the lamp, eight times as bright as the mean: a variance of 7. A mean
 * over 6 x 6 pixels has a 36th of that. */
static void rare_light_is_shared(void **state) {
    (void)state;
    Film film = film_create();
    Pcg pcg = pcg_seed(4, 1);
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            set_light(&film, x, y, pcg_float(&pcg) < 0.125F ? 8 : 0, 0);
            *film_at(film.less, x, y) = (Pixel){0, 0, 0, 0};
        }
    check_levels(film, is_nearly_even);
}

static void keeps_one_pixel(const Film *film, const Level *level) {
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            const double light = light_of(film, x, y);
            if (x == 5 && y == 6 ? !isnan(light) : !(fabs(light - 3) < 1e-5))
                fail_msg("%s: (%zu, %zu) has the light %g", level->name, x, y, light);
        }
}

/* A pixel that is not finite stays, and spoils no other. */
static void what_is_not_finite_stays_alone(void **state) {
    (void)state;
    Film film = film_create();
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            set_light(&film, x, y, 3, 3);
    film_at(film.film, 5, 6)->red = NAN;
    check_levels(film, keeps_one_pixel);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_light_stays),
        cmocka_unit_test(what_has_no_noise_stays),
        cmocka_unit_test(noise_goes_and_edges_stay),
        cmocka_unit_test(rare_light_is_shared),
        cmocka_unit_test(what_is_not_finite_stays_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
