/* fft.c: cuFFT, loaded at run time: of its interface, six functions and two constants are enough. */
#include "gpu/convolve/fft.h"

#include "core/device/cache.h"
#include "gpu/library.h"

#include <pthread.h>

enum { SUCCESS = 0, REAL_TO_COMPLEX = 0x2a, COMPLEX_TO_REAL = 0x2c }; /* cufft.h: CUFFT_SUCCESS, CUFFT_R2C, CUFFT_C2R */

typedef struct Library {
    int (*plan_2d)(int *plan, int rows, int columns, int type);
    int (*destroy)(int plan);
    int (*set_stream)(int plan, cudaStream_t stream);
    int (*forward)(int plan, void *plane, void *spectrum);
    int (*inverse)(int plan, void *spectrum, void *plane);
    bool loaded;
} Library;

static Library library; /* stays loaded, for all devices */

static void load(void) {
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so", NULL};
    library.loaded = library_load(names, (LibrarySymbol[]){{"cufftPlan2d", &library.plan_2d},
                                                           {"cufftDestroy", &library.destroy},
                                                           {"cufftSetStream", &library.set_stream},
                                                           {"cufftExecR2C", &library.forward},
                                                           {"cufftExecC2R", &library.inverse},
                                                           {0}});
}

bool fft_is_there(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library.loaded;
}

/* A power of two takes four fifths of the time of other lengths. */
int fft_length(int n) {
    int power = 2;
    while (power < n)
        power *= 2;
    for (; n <= power - power / 6; n++) {
        int rest = n;
        for (int factor = 2; factor <= 7; factor += factor == 2 ? 1 : 2)
            while (rest % factor == 0)
                rest /= factor;
        if (rest == 1 && n % 2 == 0)
            return n;
    }
    return power;
}

static Status check(int result, const char *what) {
    return result == SUCCESS ? STATUS_OK
                             : fail(STATUS_DEVICE, "cuFFT cannot %s (error %d); take another level", what, result);
}

static void drop(Device *device, void *entry) {
    FftPlans *plans = entry;
    if (plans->count > 0) {
        cudaSetDevice(gpu_of(device)->index);
        cudaDeviceSynchronize();
    }
    for (int i = 0; i < plans->count; i++)
        library.destroy(plans->plans[i]);
    *plans = (FftPlans){0};
}

static Status add_plan(FftPlans *plans, int type) {
    TRY(check(library.plan_2d(&plans->plans[plans->count], plans->height, plans->width, type),
              "plan a transform of this size"));
    plans->count++;
    return STATUS_OK;
}

static Status make(Queue *queue, const void *size, void *entry) {
    FftPlans *plans = entry;
    drop(queue->device, plans);
    plans->width = ((const FftPlans *)size)->width;
    plans->height = ((const FftPlans *)size)->height;
    TRY(add_plan(plans, REAL_TO_COMPLEX));
    return add_plan(plans, COMPLEX_TO_REAL);
}

/* One size at a time: plans take as much memory as a picture. A transform writes to memory of its plan. */
static const CacheKind kind = {.bytes = sizeof(FftPlans), .max = 1, .make = make, .drop = drop, .changes = true};

Status fft_plans(Queue *queue, int width, int height, const FftPlans **plans) {
    const FftPlans size = {.width = width, .height = height};
    void *found;
    TRY(cache_get(queue, &kind, (uint64_t)width << 32 | (uint64_t)height, &size, &found));
    *plans = found;
    for (int i = 0; i < (*plans)->count; i++)
        TRY(check(library.set_stream((*plans)->plans[i], gpu_queue(queue)->stream), "use the stream"));
    return STATUS_OK;
}

Status fft_forward(const FftPlans *plans, void *plane, void *spectrum) {
    return check(library.forward(plans->plans[0], plane, spectrum), "transform");
}

Status fft_inverse(const FftPlans *plans, void *spectrum, void *plane) {
    return check(library.inverse(plans->plans[1], spectrum, plane), "transform back");
}
