/* fft.c: cuFFT, loaded at run time: of its interface, six functions and two constants are enough. */
#include "gpu/convolve/fft.h"

#include <dlfcn.h>
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

static Library library; /* what is loaded stays loaded, for all devices */

static void load(void) {
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so"};
    void *handle = NULL;
    for (size_t i = 0; !handle && i < sizeof names / sizeof names[0]; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return;
    const struct {
        const char *name;
        void *slot;
    } functions[] = {{"cufftPlan2d", &library.plan_2d},
                     {"cufftDestroy", &library.destroy},
                     {"cufftSetStream", &library.set_stream},
                     {"cufftExecR2C", &library.forward},
                     {"cufftExecC2R", &library.inverse}};
    library.loaded = true;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        *(void **)functions[i].slot = dlsym(handle, functions[i].name);
        library.loaded &= *(void **)functions[i].slot != NULL;
    }
}

bool fft_is_there(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library.loaded;
}

int fft_length(int n) {
    for (;; n++) {
        int rest = n;
        for (int factor = 2; factor <= 7; factor += factor == 2 ? 1 : 2)
            while (rest % factor == 0)
                rest /= factor;
        if (rest == 1 && n % 2 == 0)
            return n;
    }
}

static Status check(int result, const char *what) {
    return result == SUCCESS ? STATUS_OK
                             : fail(STATUS_DEVICE, "cuFFT cannot %s (error %d); take another level", what, result);
}

void fft_close(GpuDevice *gpu) {
    for (int i = 0; i < gpu->fft.plan_count; i++)
        library.destroy(gpu->fft.plans[i]);
    gpu->fft = (GpuFft){0};
}

static Status add_plan(GpuDevice *gpu, int type, int width, int height) {
    GpuFft *fft = &gpu->fft;
    TRY(check(library.plan_2d(&fft->plans[fft->plan_count], height, width, type), "plan a transform of this size"));
    fft->plan_count++;
    return check(library.set_stream(fft->plans[fft->plan_count - 1], gpu->stream), "use the stream");
}

Status fft_prepare(Device *device, int width, int height) {
    GpuDevice *gpu = gpu_of(device);
    if (gpu->fft.plan_count == 2 && gpu->fft.width == width && gpu->fft.height == height)
        return STATUS_OK;
    CUDA_TRY(cudaStreamSynchronize(gpu->stream));
    fft_close(gpu);
    TRY(add_plan(gpu, REAL_TO_COMPLEX, width, height));
    TRY(add_plan(gpu, COMPLEX_TO_REAL, width, height));
    gpu->fft.width = width;
    gpu->fft.height = height;
    return STATUS_OK;
}

Status fft_forward(Device *device, void *plane, void *spectrum) {
    return check(library.forward(gpu_of(device)->fft.plans[0], plane, spectrum), "transform");
}

Status fft_inverse(Device *device, void *spectrum, void *plane) {
    return check(library.inverse(gpu_of(device)->fft.plans[1], spectrum, plane), "transform back");
}
