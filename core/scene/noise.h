/* noise.h: how far a picture of light still is from the one without noise.
 * The estimate goes by halves. Each time the samples have doubled, it compares the mean of the first half with that of
 * the second. They differ by twice the standard error of all. Samples of a pixel are spread evenly
 * (core/math/sampler.h), so that halves differ a little more from the truth than the picture of all. With few samples,
 * the estimate is therefore too high. It is too low for light that few paths find, as through glass or from small
 * lamps. Neither half has light that no sample has seen. Between two doublings it falls by the power of the samples by
 * which it fell from one doubling to the next. */
#ifndef GLINT_CORE_SCENE_NOISE_H
#define GLINT_CORE_SCENE_NOISE_H

#include "core/device/backend.h"
#include "core/image/image.h"

typedef struct Noise {
    float *film;      /* some rows of it, four floats a pixel, as they were with `samples`; owned */
    size_t pixels;    /* of those rows */
    uint32_t samples; /* 0: nothing is known of the picture */
    double error;     /* in per cent of white, of `measured` samples; below 0: not known */
    uint32_t measured;
    double falls; /* the error as a power of the number of samples: 0.5 for independent ones */
    double at;    /* clock_ms of that, and how long each sample took before */
    double sample_ms;
} Noise;

void noise_begin(Noise *noise); /* of another picture */
void noise_free(Noise *noise);  /* accepts a zeroed one */
/* Whether the picture has so many samples that the next estimate is due. */
bool noise_due(const Noise *noise, uint32_t samples);
/* Takes it, from a film of a device of which all pixels have so many samples; `exposure` is the factor by which it is
 * shown. Fails as downloads do, and with STATUS_DEVICE if memory is short. */
Status noise_measure(Noise *noise, Queue *queue, Frame film, uint32_t samples, double exposure);
/* The error of so many samples, in per cent of white; below 0: not known yet. */
double noise_of(const Noise *noise, uint32_t samples);
/* How many ms more it takes to come down to `error`, from `samples` on; below 0: not known. */
double noise_wait_ms(const Noise *noise, uint32_t samples, double error);

#endif
