/* texture.cu: a picture read once, by warps whose lanes lie in a row, in a column, or in a rectangle between these. */
#include "gpu/course/machine/machine.cuh"

enum { SIDE = 4096, THREADS = 256 };

/* Where this thread's pixel lies if a warp covers `rows` rows. */
static __device__ __forceinline__ int2 pixel_of(int rows) {
    const int warp = (int)((blockIdx.x * THREADS + threadIdx.x) / WARP), lane = (int)(threadIdx.x % WARP);
    const int columns = WARP / rows, across = SIDE / columns;
    return make_int2(warp % across * columns + lane % columns, warp / across * rows + lane / columns);
}

__global__ void machine_plain(const float *picture, int rows, float *out) {
    const int2 at = pixel_of(rows);
    const float value = picture[(size_t)at.y * SIDE + at.x];
    if (value == 1) /* never: all are 0 */
        *out = value;
}

__global__ void machine_texture(cudaTextureObject_t picture, int rows, float *out) {
    const int2 at = pixel_of(rows);
    const float value = tex2D<float>(picture, (float)at.x, (float)at.y);
    if (value == 1) /* never: all are 0 */
        *out = value;
}

/* The picture as textures have it: in an array, whose rows do not lie one behind the other. */
typedef struct Picture {
    cudaArray_t array;
    cudaTextureObject_t texture;
} Picture;

static Status make_picture(Queue *queue, const void *pixels, Picture *picture) {
    const struct cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    struct cudaResourceDesc resource = {};
    struct cudaTextureDesc reading = {};
    CUDA_TRY(cudaMallocArray(&picture->array, &format, SIDE, SIDE, 0));
    CUDA_TRY(cudaMemcpy2DToArrayAsync(picture->array, 0, 0, pixels, SIDE * sizeof(float), SIDE * sizeof(float), SIDE,
                                      cudaMemcpyDeviceToDevice, gpu_queue(queue)->stream));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = picture->array;
    reading.filterMode = cudaFilterModePoint;
    reading.readMode = cudaReadModeElementType;
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeClamp;
    CUDA_TRY(cudaCreateTextureObject(&picture->texture, &resource, &reading, NULL));
    return STATUS_OK;
}

static void drop_picture(Picture *picture) {
    if (picture->texture)
        (void)cudaDestroyTextureObject(picture->texture);
    if (picture->array)
        (void)cudaFreeArray(picture->array);
    (void)cudaGetLastError();
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    int rows = (int)x;
    void *pixels;
    double ms = 1;
    Picture picture = {};
    TRY(machine_memory(queue, (size_t)SIDE * SIDE * sizeof(float), &pixels));
    Status status = series == 0 ? make_picture(queue, pixels, &picture) : STATUS_OK;
    void *from_texture[] = {&picture.texture, &rows, &pixels}, *from_memory[] = {&pixels, &rows, &pixels};
    KernelRun run = {"machine texture",
                     series == 0 ? (const void *)machine_texture : (const void *)machine_plain,
                     {dim3(SIDE / THREADS * SIDE), dim3(THREADS), 0},
                     series == 0 ? from_texture : from_memory};
    if (status == STATUS_OK)
        status = experiment_time(queue, run_kernel, &run, &ms);
    drop_picture(&picture);
    *y = (double)SIDE * SIDE * sizeof(float) / ms / 1e6;
    return status;
}

extern "C" const Experiment cuda_machine_texture = {
    .name = "texture",
    .title = "Textures and plain loads",
    .idea = "warps that cover so many rows (1: a row, 32: a column of pixels) read 4096 x 4096 floats, through a "
            "texture or by plain loads",
    .advice = "Read rows by plain loads, and take a texture where lanes read their surroundings in two dimensions: its "
              "memory keeps neighbours above and below near.",
    .x = {"of a warp", "rows", false},
    .y = {"rate", "GB/s", false},
    .more_is_better = true,
    .series = {"texture", "plain loads"},
    .points = {1, 2, 4, 8, 16, 32},
    .measure = measure,
};
