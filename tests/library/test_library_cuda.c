/* test_library_cuda.c: libglint on a GPU's memory and on streams of the caller's. The same plan on pixels of the host
 * says what is right. Without a GPU the test is skipped. */
#include "fixture.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

static GlintDevice *device;

#define CUDA(call) assert_int_equal((call), cudaSuccess)

static GlintPlan *plan_of_batch(const char *text, GlintShape shape, size_t pictures) {
    GlintPlanOptions options = GLINT_PLAN_OPTIONS;
    options.pictures = pictures;
    return plan_of(device, text, shape, &options);
}

/* Pixels in the host's memory and on the device, a result on each. */
typedef struct Bed {
    size_t bytes;
    unsigned char *in, *want, *got;
    void *on_device, *result;
} Bed;

static Bed bed_of(GlintShape shape, size_t pictures) {
    Bed bed = {.bytes = pictures * shape.width * shape.height * (size_t)shape.channels *
                        (shape.type == GLINT_U8    ? 1
                         : shape.type == GLINT_U16 ? 2
                                                   : 4)};
    bed.in = malloc(bed.bytes);
    bed.want = calloc(1, bed.bytes);
    bed.got = calloc(1, bed.bytes);
    CUDA(cudaMalloc(&bed.on_device, bed.bytes));
    CUDA(cudaMalloc(&bed.result, bed.bytes));
    for (size_t i = 0; i < bed.bytes; i++)
        bed.in[i] = (unsigned char)(i * 2654435761u >> 24);
    for (size_t i = 0; shape.type == GLINT_F32 && i < bed.bytes / 4; i++)
        ((float *)(void *)bed.in)[i] = (float)(i * 7919 % 1000) / 1000;
    CUDA(cudaMemcpy(bed.on_device, bed.in, bed.bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(bed.result, 0, bed.bytes));
    return bed;
}

static void check_bed(Bed *bed) {
    CUDA(cudaMemcpy(bed->got, bed->result, bed->bytes, cudaMemcpyDeviceToHost));
    assert_memory_equal(bed->got, bed->want, bed->bytes);
    CUDA(cudaFree(bed->on_device));
    CUDA(cudaFree(bed->result));
    free(bed->in);
    free(bed->want);
    free(bed->got);
}

/* Rows of 640 floats are multiples of 512 bytes; those of 641 pixels of three bytes are not. */
static void test_device_memory(void **state) {
    (void)state;
    static const GlintShape shapes[] = {{640, 480, 1, GLINT_F32}, {641, 480, 3, GLINT_U8}};
    for (int i = 0; i < 2; i++) {
        GlintPlan *plan = plan_of_batch("gaussian=2,median=3,invert", shapes[i], 1);
        Bed bed = bed_of(shapes[i], 1);
        const GlintPixels in = {.pixels = bed.in}, want = {.pixels = bed.want};
        const GlintPixels there = {.pixels = bed.on_device, .place = GLINT_ON_DEVICE};
        const GlintPixels result = {.pixels = bed.result, .place = GLINT_ON_DEVICE};
        GOOD(glint_run(plan, &in, &want, NULL, &error));
        assert_int_equal(copied_by(plan).to_device, bed.bytes);
        assert_int_equal(copied_by(plan).from_device, bed.bytes);
        GOOD(glint_run(plan, &there, &result, NULL, &error));
        assert_int_equal(copied_by(plan).to_device, bed.bytes);
        assert_int_equal(copied_by(plan).from_device, bed.bytes);
        assert_int_equal(copied_by(plan).rearranged, i == 0 ? 0 : 2 * bed.bytes);
        check_bed(&bed);
        glint_plan_free(plan);
    }
}

/* Three planes of each picture of a batch, where they lie; then by a chain that mixes colours. */
static void test_planes(void **state) {
    (void)state;
    enum { PICTURES = 3 };
    const GlintShape shape = {256, 100, 3, GLINT_F32};
    static const char *const chains[] = {"gaussian=2,invert", "grayscale,gaussian=2"};
    for (int i = 0; i < 2; i++) {
        GlintPlan *plan = plan_of_batch(chains[i], shape, PICTURES);
        Bed bed = bed_of(shape, PICTURES);
        const GlintPixels in = glint_planar(&shape, bed.in, GLINT_HOST);
        const GlintPixels want = glint_planar(&shape, bed.want, GLINT_HOST);
        const GlintPixels there = glint_planar(&shape, bed.on_device, GLINT_ON_DEVICE);
        const GlintPixels result = glint_planar(&shape, bed.result, GLINT_ON_DEVICE);
        GOOD(glint_run(plan, &in, &want, NULL, &error));
        const uint64_t before = copied_by(plan).rearranged;
        GOOD(glint_run(plan, &there, &result, NULL, &error));
        assert_int_equal(copied_by(plan).rearranged - before, i == 0 ? 0 : 2 * bed.bytes);
        check_bed(&bed);
        glint_plan_free(plan);
    }
}

/* Between a copy to the device and one back, on one stream, without a wait. */
static void test_stream(void **state) {
    (void)state;
    const GlintShape shape = {1920, 1080, 1, GLINT_F32};
    cudaStream_t stream;
    int current = -1;
    unsigned char *pinned, *back;
    GlintPlan *plan = plan_of_batch("gaussian=3,median=3", shape, 1);
    Bed bed = bed_of(shape, 1);
    const GlintPixels in = {.pixels = bed.in}, want = {.pixels = bed.want};
    const GlintPixels there = {.pixels = bed.on_device, .place = GLINT_ON_DEVICE};
    const GlintPixels result = {.pixels = bed.result, .place = GLINT_ON_DEVICE};
    GOOD(glint_run(plan, &in, &want, NULL, &error));
    CUDA(cudaMallocHost((void **)&pinned, bed.bytes));
    CUDA(cudaMallocHost((void **)&back, bed.bytes));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    memcpy(pinned, bed.in, bed.bytes);
    for (int i = 0; i < 20; i++) {
        const GlintStream on = {stream};
        CUDA(cudaMemsetAsync(bed.on_device, 0, bed.bytes, stream));
        CUDA(cudaMemsetAsync(bed.result, 0, bed.bytes, stream));
        CUDA(cudaMemcpyAsync(bed.on_device, pinned, bed.bytes, cudaMemcpyHostToDevice, stream));
        GOOD(glint_run(plan, &there, &result, &on, &error));
        CUDA(cudaMemcpyAsync(back, bed.result, bed.bytes, cudaMemcpyDeviceToHost, stream));
        CUDA(cudaMemsetAsync(bed.on_device, 255, bed.bytes, stream)); /* behind the run, which has read it */
        CUDA(cudaStreamSynchronize(stream));
        assert_memory_equal(back, bed.want, bed.bytes);
    }
    GOOD(glint_wait(plan, &error));
    CUDA(cudaGetDevice(&current));
    assert_int_equal(current, 0);
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFreeHost(pinned));
    CUDA(cudaFreeHost(back));
    check_bed(&bed);
    glint_plan_free(plan);
}

static void test_wrong_place(void **state) {
    (void)state;
    static unsigned char host[64 * 64];
    const GlintShape shape = {64, 64, 1, GLINT_U8};
    const GlintPixels claimed = {.pixels = host, .place = GLINT_ON_DEVICE}, here = {.pixels = host};
    GlintPlan *plan = plan_of_batch("invert", shape, 1);
    assert_int_equal(glint_run(plan, &claimed, &here, NULL, &error), GLINT_USAGE);
    assert_non_null(strstr(error.sentence, "in: this address is not in the memory of"));
    glint_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_device_memory), cmocka_unit_test(test_planes),
                                       cmocka_unit_test(test_stream), cmocka_unit_test(test_wrong_place)};
    GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
    options.backend = "cuda";
    if (glint_open(&options, &device, &error) != GLINT_OK) {
        printf("skipped: %s\n", error.sentence);
        return 77;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    glint_close(device);
    return failed;
}
