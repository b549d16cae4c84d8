/* noise.c: rows of a film, and the picture of each half of its samples. */
#include "core/scene/noise.h"

#include "core/base/timing.h"
#include "core/math/tone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, FILM = 4 /* floats a pixel */ };

#define INDEPENDENT 0.5 /* the power by which the error of independent samples falls */
#define STEEPEST    0.9

void noise_begin(Noise *noise) {
    noise->samples = noise->measured = 0;
    noise->error = -1;
    noise->falls = INDEPENDENT;
    noise->at = clock_ms();
    noise->sample_ms = 0;
}

void noise_free(Noise *noise) {
    free(noise->film);
    *noise = (Noise){0};
}

bool noise_due(const Noise *noise, uint32_t samples) {
    return samples >= 1 && samples >= 2 * noise->samples;
}

/* As screens show it. */
static double shown(double light, double exposure) {
    return srgb_encode(film_curve(exposure * light));
}

/* The mean square of the change that a standard error of light makes on the screen. The error is that of all samples.
 * The mean of the first `a` and that of the `b` behind them differ by sqrt(1/a + 1/b) times the deviation of one
 * sample. The error is taken off the mean, for screens show dark tones in more detail: there it changes more. Films
 * hold red, green, blue and the number of samples (core/math/film.h). */
static double mean_square(const float *first, const float *all, size_t pixels, double exposure) {
    double sum = 0;
    for (size_t i = 0; i < pixels; i++, first += FILM, all += FILM)
        for (int c = 0; c < 3; c++) {
            const double a = (double)first[3], b = (double)all[3] - a, mean = (double)all[c] / (a + b);
            const double difference = (double)first[c] / a - ((double)all[c] - (double)first[c]) / b;
            const double error = fabs(difference) * sqrt(a * b) / (a + b);
            const double change = shown(mean, exposure) - shown(mean - error, exposure);
            sum += change * change / 3;
        }
    return sum / (double)pixels;
}

static void estimate(Noise *noise, const float *now, size_t pixels, uint32_t samples, double exposure) {
    const double error = 100 * sqrt(mean_square(noise->film, now, pixels, exposure));
    if (noise->error > 0 && error > 0)
        noise->falls =
            fmin(fmax(log(noise->error / error) / log((double)samples / noise->measured), INDEPENDENT), STEEPEST);
    noise->error = error;
    noise->measured = samples;
}

static Status download(Queue *queue, Frame film, float *to) {
    const size_t rows = film.shape.height < ROWS ? film.shape.height : ROWS, width = film.shape.width;
    for (size_t i = 0; i < rows; i++) {
        const size_t y = (2 * i + 1) * film.shape.height / (2 * rows);
        const Shape shape = {width, 1, film.shape.channels, film.shape.type};
        const ImageView row = {.pixels = to + FILM * i * width, .stride = FILM * width * sizeof *to, .shape = shape};
        TRY(queue->device->backend->download(queue, view_crop(film, 0, y, width, 1), row));
    }
    return STATUS_OK;
}

Status noise_measure(Noise *noise, Queue *queue, Frame film, uint32_t samples, double exposure) {
    const size_t rows = film.shape.height < ROWS ? film.shape.height : ROWS, pixels = rows * film.shape.width;
    const double now = clock_ms();
    float *taken = calloc(pixels, FILM * sizeof *taken);
    Status status = taken ? download(queue, film, taken) : fail(STATUS_DEVICE, "no memory to estimate the noise");
    if (status != STATUS_OK) {
        free(taken);
        return status;
    }
    if (noise->samples > 0 && noise->pixels == pixels)
        estimate(noise, taken, pixels, samples, exposure);
    noise->sample_ms = (now - noise->at) / ((double)samples - noise->samples);
    noise->at = now;
    free(noise->film);
    noise->film = taken;
    noise->pixels = pixels;
    noise->samples = samples;
    return STATUS_OK;
}

double noise_of(const Noise *noise, uint32_t samples) {
    return noise->measured > 0 ? noise->error * pow((double)noise->measured / samples, noise->falls) : -1;
}

double noise_wait_ms(const Noise *noise, uint32_t samples, double error) {
    if (noise->measured == 0)
        return -1;
    const double needed = noise->measured * pow(noise->error / error, 1 / noise->falls);
    return fmax(needed - samples, 0) * noise->sample_ms;
}
