/* test_nvjpeg.c: JPEG by nvJPEG, on a machine that has neither that nor a GPU. A library that decodes and encodes by
 * libjpeg takes its place, and "device" memory is the host's. The CUDA runtime has only the functions that codec.c
 * calls. Every call of the library fails once: the picture is then the host's to decode or encode, and nothing is
 * lost. */
#include "gpu/jpeg/codec.h"

#include "core/codec/codec.h"
#include "gpu/gpu.h"
#include "gpu/jpeg/cuvid.h"
#include "gpu/jpeg/nvjpeg.h"
#include "gpu/pinned.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

/* ---- the runtime ---- */

static int streams;

cudaError_t cudaSetDevice(int device) {
    assert_int_equal(device, 3);
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    (void)flags;
    *stream = (cudaStream_t)&streams;
    streams++;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    assert_ptr_equal(stream, &streams);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    assert_ptr_equal(stream, &streams);
    streams--;
    return cudaSuccess;
}
Status pinned_create(size_t bytes, void **memory) {
    *memory = malloc(bytes);
    return *memory ? STATUS_OK : (fail)(STATUS_DEVICE, "no memory");
}

void pinned_destroy(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

cudaError_t cudaGetLastError(void) {
    return cudaSuccess;
}
Status gpu_fail(cudaError_t error, const char *where) {
    return (fail)(STATUS_DEVICE, "error %d in %s", (int)error, where);
}

void cuvid_stay_open(void) {}

/* ---- the library ---- */

/* The object behind a handle. */
typedef struct Object {
    int batch, quality, subsampling;
    Bytes made;
} Object;

static size_t calls, fails_at, objects, batches, singles;
static bool hardware, absent;

/* Error 6, a kernel failed. */
static int result(void) {
    return ++calls == fails_at ? 6 : NVJPEG_SUCCESS;
}

static int make(void **object) {
    const int failed = result();
    *object = failed ? NULL : calloc(1, sizeof(Object));
    objects += !failed;
    return failed;
}

static int drop(void *object) {
    bytes_free(&((Object *)object)->made);
    free(object);
    objects--;
    return NVJPEG_SUCCESS;
}

static int get_property(int property, int *value) {
    *value = property == NVJPEG_MAJOR ? 13 : 1;
    return NVJPEG_SUCCESS;
}
static int create(int backend, void *device, void *pinned, unsigned flags, void **handle) {
    (void)flags;
    assert_true(!device && !pinned);
    return backend == NVJPEG_HARDWARE && !hardware ? 7 : make(handle);
}
static int state_create(void *handle, void **state) {
    assert_non_null(handle);
    return make(state);
}
static int create_with_stream(void *handle, void **object, cudaStream_t stream) {
    assert_ptr_equal(stream, &streams);
    return state_create(handle, object);
}

static void decode_to(const unsigned char *data, size_t size, int format, const NvjpegImage *to) {
    Image *image = NULL;
    REQUIRE(format_by_name("jpg")->load((Bytes){(unsigned char *)data, size}, &image));
    assert_int_equal(format, image->view.shape.channels == 1 ? NVJPEG_OUTPUT_Y : NVJPEG_OUTPUT_RGBI);
    for (size_t y = 0; y < image->view.shape.height; y++)
        memcpy(to->channel[0] + y * to->pitch[0], view_row(image->view, y), shape_row_bytes(image->view.shape));
    image_destroy(&image);
}

static int decode(void *handle, void *state, const unsigned char *data, size_t size, int format, NvjpegImage *to,
                  cudaStream_t stream) {
    assert_true(handle && state && stream);
    singles++;
    const int failed = result();
    if (!failed)
        decode_to(data, size, format, to);
    return failed;
}
static int batch_begin(void *handle, void *state, int count, int threads, int format) {
    assert_true(handle && threads == 1 && (format == NVJPEG_OUTPUT_Y || format == NVJPEG_OUTPUT_RGBI));
    const int failed = result();
    ((Object *)state)->batch = failed ? 0 : count;
    ((Object *)state)->subsampling = format;
    return failed;
}
static int batch_decode(void *handle, void *state, const unsigned char *const *data, const size_t *sizes,
                        NvjpegImage *to, cudaStream_t stream) {
    const Object *object = state;
    assert_true(handle && stream && object->batch > 0);
    batches++;
    const int failed = result();
    for (int i = 0; i < object->batch && !failed; i++)
        decode_to(data[i], sizes[i], object->subsampling, &to[i]);
    return failed;
}

static int params_quality(void *params, int quality, cudaStream_t stream) {
    assert_non_null(stream);
    ((Object *)params)->quality = quality;
    return result();
}
static int params_sampling(void *params, int subsampling, cudaStream_t stream) {
    assert_non_null(stream);
    ((Object *)params)->subsampling = subsampling;
    return result();
}

/* At 91 with half of the chroma. */
static SaveOptions options_at(int quality) {
    SaveOptions options = save_with("quality", quality);
    if (quality == 91)
        save_put("sampling", SAVE_422, &options);
    return options;
}

static int encode(Object *encoder, const Object *params, const NvjpegImage *from, int channels, int width, int height) {
    const Shape shape = {(size_t)width, (size_t)height, channels, PIXEL_U8};
    Image *image = NULL;
    const int failed = result();
    assert_int_equal(params->subsampling, channels == 1           ? NVJPEG_CSS_GRAY
                                          : params->quality == 91 ? NVJPEG_CSS_422
                                          : params->quality >= 90 ? NVJPEG_CSS_444
                                                                  : NVJPEG_CSS_420);
    if (failed)
        return failed;
    REQUIRE(image_clone((ImageView){shape, from->pitch[0], from->channel[0]}, &image));
    bytes_free(&encoder->made);
    REQUIRE(codec_encode(format_by_name("jpg"), image, options_at(params->quality), &encoder->made));
    image_destroy(&image);
    return NVJPEG_SUCCESS;
}
static int encode_image(void *handle, void *encoder, const void *params, const NvjpegImage *from, int format, int width,
                        int height, cudaStream_t stream) {
    assert_true(handle && stream && format == NVJPEG_INPUT_RGBI);
    return encode(encoder, params, from, 3, width, height);
}
static int encode_yuv(void *handle, void *encoder, const void *params, const NvjpegImage *from, int subsampling,
                      int width, int height, cudaStream_t stream) {
    assert_true(handle && stream && subsampling == NVJPEG_CSS_GRAY);
    return encode(encoder, params, from, 1, width, height);
}
static int encode_retrieve(void *handle, void *encoder, unsigned char *data, size_t *size, cudaStream_t stream) {
    const Bytes *made = &((Object *)encoder)->made;
    assert_true(handle && stream);
    const int failed = result();
    if (!failed && data)
        memcpy(data, made->data, made->size);
    if (!failed)
        *size = made->size;
    return failed;
}

const Nvjpeg *nvjpeg_load(void) {
    static const Nvjpeg library = {get_property,
                                   create,
                                   drop,
                                   state_create,
                                   drop,
                                   decode,
                                   batch_begin,
                                   batch_decode,
                                   create_with_stream,
                                   drop,
                                   create_with_stream,
                                   drop,
                                   params_quality,
                                   params_sampling,
                                   encode_image,
                                   encode_yuv,
                                   encode_retrieve};
    return absent ? NULL : &library;
}

/* ---- the tests ---- */

enum { PICTURES = 21, WIDE = 37, HIGH = 21, STRIDE = 512 };

static GpuDevice gpu = {.index = 3};

/* Every third one is gray. */
static Shape shape_at(size_t i) {
    return (Shape){WIDE + i, HIGH, i % 3 == 0 ? 1 : 3, PIXEL_U8};
}

static void make_pictures(EncodedPicture *pictures, Image **images, Frame *frames) {
    for (size_t i = 0; i < PICTURES; i++) {
        REQUIRE(image_create(shape_at(i), &images[i]));
        view_fill_random(images[i]->view, i);
        pictures[i] = (EncodedPicture){.shape = shape_at(i)};
        REQUIRE(codec_encode(format_by_name("jpg"), images[i], (SaveOptions){0}, &pictures[i].bytes));
        image_destroy(&images[i]);
        REQUIRE(codec_decode(pictures[i].bytes, &images[i])); /* the expected picture */
        frames[i] = (Frame){shape_at(i), STRIDE, calloc(STRIDE, HIGH)};
        assert_non_null(frames[i].pixels);
    }
}

static void free_pictures(EncodedPicture *pictures, Image **images, Frame *frames) {
    for (size_t i = 0; i < PICTURES; i++) {
        bytes_free(&pictures[i].bytes);
        image_destroy(&images[i]);
        free(frames[i].pixels);
    }
}

static bool is_alike(ImageView a, ImageView b) {
    bool alike = shape_equal(a.shape, b.shape);
    for (size_t y = 0; y < a.shape.height && alike; y++)
        alike = memcmp(view_row(a, y), view_row(b, y), shape_row_bytes(a.shape)) == 0;
    return alike;
}

/* All that a coder does, once; how much it could not. */
static size_t pass(void) {
    EncodedPicture pictures[PICTURES];
    Image *images[PICTURES] = {NULL};
    Frame frames[PICTURES];
    bool decoded[PICTURES] = {false};
    DeviceCoder *coder;
    size_t refused = 0;
    make_pictures(pictures, images, frames);
    if (cuda_jpeg.open(&gpu.device, false, &coder) == STATUS_OK) {
        REQUIRE(cuda_jpeg.decode(coder, pictures, frames, decoded, PICTURES));
        for (size_t i = 0; i < PICTURES; i++) {
            Bytes file, want;
            refused += !decoded[i];
            assert_true(!decoded[i] || is_alike(images[i]->view, frames[i]));
            const SaveOptions options = options_at((const int[]){0, 60, 91, 95}[i % 4]);
            const Status status = cuda_jpeg.encode(
                coder, (Frame){shape_at(i), images[i]->view.stride, images[i]->view.pixels}, options, &file);
            assert_true(status == STATUS_OK || (status == STATUS_INPUT && !file.data));
            refused += status != STATUS_OK;
            if (status != STATUS_OK)
                continue;
            REQUIRE(codec_encode(format_by_name("jpg"), images[i], options, &want));
            assert_int_equal(file.size, want.size);
            assert_memory_equal(file.data, want.data, want.size);
            bytes_free(&file);
            bytes_free(&want);
        }
    } else {
        assert_null(coder);
        refused = 1;
    }
    cuda_jpeg.close(&coder);
    jpeg_retire(gpu.index);
    assert_int_equal(objects, 0);
    assert_int_equal(streams, 0);
    free_pictures(pictures, images, frames);
    return refused;
}

static void pictures_go_there_and_back(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        hardware = with;
        calls = fails_at = batches = singles = 0;
        assert_int_equal(pass(), 0);
        assert_int_equal(singles, with ? 0 : PICTURES);
        assert_true((batches > 0) == hardware);
    }
}

/* A batch that fails is decoded one by one; a decoder that then fails, and an encoder that does, lose one picture. */
static void a_call_that_fails_loses_one_picture_at_most(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        hardware = with;
        calls = fails_at = 0;
        assert_int_equal(pass(), 0);
        const size_t all = calls;
        for (size_t k = 1; k <= all; k++) {
            calls = 0;
            fails_at = k;
            assert_in_range(pass(), 0, 1);
        }
    }
}

/* Handles are the device's: a second coder makes none, and the first one's handles serve on, also a third. */
static void coders_share_handles(void **state) {
    (void)state;
    DeviceCoder *one, *two;
    calls = fails_at = 0;
    hardware = true;
    REQUIRE(cuda_jpeg.open(&gpu.device, false, &one));
    assert_int_equal(objects, 1);
    REQUIRE(cuda_jpeg.open(&gpu.device, true, &two));
    assert_int_equal(objects, 1);
    cuda_jpeg.close(&one);
    jpeg_retire(gpu.index);
    assert_int_equal(objects, 1);
    assert_int_equal(streams, 1);
    cuda_jpeg.close(&two);
    const size_t before = calls;
    REQUIRE(cuda_jpeg.open(&gpu.device, false, &one));
    assert_int_equal(calls, before);
    assert_int_equal(streams, 1);
    cuda_jpeg.close(&one);
    assert_int_equal(objects, 1);
    jpeg_retire(gpu.index);
    jpeg_retire(gpu.index);
    assert_int_equal(objects, 0);
    assert_int_equal(streams, 0);
}

static void kernels_may_not_be_wanted(void **state) {
    (void)state;
    DeviceCoder *coder;
    calls = fails_at = 0;
    hardware = false;
    assert_int_equal(cuda_jpeg.open(&gpu.device, true, &coder), STATUS_DEVICE);
    assert_null(coder);
    assert_non_null(strstr(status_message(), "hardware"));
    jpeg_retire(gpu.index);
    assert_int_equal(objects, 0);
    assert_int_equal(streams, 0);
}

static void without_the_library_it_says_so(void **state) {
    (void)state;
    DeviceCoder *coder;
    absent = true;
    assert_int_equal(cuda_jpeg.open(&gpu.device, false, &coder), STATUS_DEVICE);
    assert_null(coder);
    assert_non_null(strstr(status_message(), "libnvjpeg"));
    absent = false;
}

static void it_says_what_it_is(void **state) {
    (void)state;
    DeviceCoder *coder;
    char text[128];
    fails_at = 0;
    hardware = true;
    REQUIRE(cuda_jpeg.open(&gpu.device, false, &coder));
    cuda_jpeg.describe(coder, text, sizeof text);
    assert_string_equal(text, "nvJPEG 13.1, decoding by hardware");
    cuda_jpeg.close(&coder);
    jpeg_retire(gpu.index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_go_there_and_back),     cmocka_unit_test(a_call_that_fails_loses_one_picture_at_most),
        cmocka_unit_test(coders_share_handles),           cmocka_unit_test(kernels_may_not_be_wanted),
        cmocka_unit_test(without_the_library_it_says_so), cmocka_unit_test(it_says_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
