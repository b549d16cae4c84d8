/* fft.h: cuFFT, loaded at run time, so that the program runs without it. */
#ifndef GLINT_GPU_CONVOLVE_FFT_H
#define GLINT_GPU_CONVOLVE_FFT_H

#include "gpu/gpu.h"

/* Whether cuFFT can be loaded here. */
bool fft_is_there(void);
/* The smallest product of 2, 3, 5 and 7 that is at least n and even: lengths that cuFFT is fast for. */
int fft_length(int n);
/* cuFFT's plans for a size: forward and inverse. */
typedef struct FftPlans {
    int width, height, count, plans[2];
} FftPlans;

/* Finds or makes plans for real planes of width x height values (fft_length of both); they stay for this call. The
 * spectra have width / 2 + 1 complex numbers a row. STATUS_DEVICE if cuFFT cannot. */
Status fft_plans(Queue *queue, int width, int height, const FftPlans **plans);
/* Transforms a plane of that size: real rows of width values, and back, without scaling; on the device's stream. */
Status fft_forward(const FftPlans *plans, void *plane, void *spectrum);
Status fft_inverse(const FftPlans *plans, void *spectrum, void *plane);

#endif
