/* codec.c: JPEG on the device: by the hardware's decoder where it has one, else by kernels, and an encoder of kernels.
 * All that a coder has is its own: its stream, and nvJPEG's handles. */
#include "gpu/jpeg/codec.h"

#include "gpu/gpu.h"
#include "gpu/jpeg/nvjpeg.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 8, CODERS = 6, QUALITY_DEFAULT = 92 };

/* How pictures are decoded, by the number of channels. */
typedef struct Decoder {
    void *state;
    int batch; /* that the state is made for; 0: none */
} Decoder;

enum { GRAY, COLOUR, KINDS };

static const int output_formats[KINDS] = {NVJPEG_OUTPUT_Y, NVJPEG_OUTPUT_RGBI};
static const int subsamplings[KINDS] = {NVJPEG_CSS_GRAY, NVJPEG_CSS_420};

typedef struct Coder {
    DeviceCoder coder; /* first, so that a DeviceCoder * is ours */
    const Nvjpeg *library;
    cudaStream_t stream;
    void *decoding, *encoding; /* handles; `encoding` also decodes by kernels what the hardware does not */
    bool hardware;
    Decoder decoders[KINDS]; /* of `decoding` */
    Decoder others[KINDS];   /* of `encoding` */
    void *encoder, *params[KINDS];
    int quality; /* that they are set to; 0: none, or different ones */
} Coder;

static int kind_of(Shape shape) {
    return shape.channels == 1 ? GRAY : COLOUR;
}

/* Its numbers are in the documentation of nvjpegStatus_t. */
static Status check(int result, Status status, const char *what) {
    static const char *const reasons[] = {"",
                                          "not initialized",
                                          "invalid parameter",
                                          "bad JPEG",
                                          "JPEG not supported",
                                          "memory is short",
                                          "a kernel failed",
                                          "not for this device",
                                          "internal error",
                                          "not implemented",
                                          "the file ends early"};
    const bool known = result > 0 && result < (int)(sizeof reasons / sizeof *reasons);
    return result == NVJPEG_SUCCESS ? STATUS_OK
                                    : fail(status, "nvJPEG cannot %s: %s (error %d); --codec cpu needs none", what,
                                           known ? reasons[result] : "?", result);
}

static Status start(Coder *coder) {
    const Nvjpeg *library = coder->library;
    CUDA_TRY(cudaSetDevice(gpu_of(coder->coder.device)->index));
    CUDA_TRY(cudaStreamCreateWithFlags(&coder->stream, cudaStreamNonBlocking));
    TRY(check(library->create(NVJPEG_GPU_HYBRID, NULL, NULL, NVJPEG_INTERPOLATE, &coder->encoding), STATUS_DEVICE,
              "begin"));
    coder->hardware =
        library->create(NVJPEG_HARDWARE, NULL, NULL, NVJPEG_INTERPOLATE, &coder->decoding) == NVJPEG_SUCCESS;
    for (int i = 0; i < KINDS; i++) {
        if (coder->hardware)
            TRY(check(library->state_create(coder->decoding, &coder->decoders[i].state), STATUS_DEVICE,
                      "begin to decode"));
        TRY(check(library->state_create(coder->encoding, &coder->others[i].state), STATUS_DEVICE, "begin to decode"));
        TRY(check(library->params_create(coder->encoding, &coder->params[i], coder->stream), STATUS_DEVICE,
                  "begin to encode"));
        TRY(check(library->params_sampling(coder->params[i], subsamplings[i], coder->stream), STATUS_DEVICE,
                  "begin to encode"));
    }
    return check(library->encoder_create(coder->encoding, &coder->encoder, coder->stream), STATUS_DEVICE,
                 "begin to encode");
}

static void close_coder(DeviceCoder **opened) {
    Coder *coder = (Coder *)*opened;
    *opened = NULL;
    if (!coder)
        return;
    const Nvjpeg *library = coder->library;
    cudaSetDevice(gpu_of(coder->coder.device)->index);
    if (coder->encoder)
        library->encoder_destroy(coder->encoder);
    for (int i = 0; i < KINDS; i++) {
        if (coder->params[i])
            library->params_destroy(coder->params[i]);
        if (coder->decoders[i].state)
            library->state_destroy(coder->decoders[i].state);
        if (coder->others[i].state)
            library->state_destroy(coder->others[i].state);
    }
    if (coder->hardware)
        library->destroy(coder->decoding);
    if (coder->encoding)
        library->destroy(coder->encoding);
    if (coder->stream)
        cudaStreamDestroy(coder->stream);
    (void)cudaGetLastError();
    free(coder);
}

static Status open_coder(Device *device, DeviceCoder **opened) {
    *opened = NULL;
    if (!nvjpeg_load())
        return fail(STATUS_DEVICE, "nvJPEG (libnvjpeg.so.13 or .12, part of the CUDA toolkit) is not here");
    Coder *coder = calloc(1, sizeof *coder);
    if (!coder)
        return fail(STATUS_DEVICE, "no memory for a codec");
    coder->coder.device = device;
    coder->library = nvjpeg_load();
    *opened = &coder->coder;
    const Status status = start(coder);
    if (status != STATUS_OK)
        close_coder(opened);
    return status;
}

static size_t describe(const DeviceCoder *opened, char *text, size_t size) {
    const Coder *coder = (const Coder *)opened;
    int major = 0, minor = 0;
    coder->library->get_property(NVJPEG_MAJOR, &major);
    coder->library->get_property(NVJPEG_MINOR, &minor);
    return (size_t)snprintf(text, size, "nvJPEG %d.%d, decoding by %s", major, minor,
                            coder->hardware ? "hardware" : "kernels");
}

static NvjpegImage image_of(Frame frame) {
    return (NvjpegImage){.channel = {frame.pixels}, .pitch = {frame.stride}};
}

/* Pictures of a kind at once. False if any could not be decoded: nobody knows which. */
static bool decode_batch(Coder *coder, int kind, const EncodedPicture *pictures, const Frame *frames,
                         const size_t *which, size_t count) {
    const Nvjpeg *library = coder->library;
    Decoder *decoder = &coder->decoders[kind];
    const unsigned char *data[BATCH];
    size_t sizes[BATCH];
    NvjpegImage images[BATCH];
    for (size_t i = 0; i < count; i++) {
        data[i] = pictures[which[i]].bytes.data;
        sizes[i] = pictures[which[i]].bytes.size;
        images[i] = image_of(frames[which[i]]);
    }
    if (decoder->batch != (int)count &&
        library->batch_begin(coder->decoding, decoder->state, (int)count, 1, output_formats[kind]) != NVJPEG_SUCCESS)
        return false;
    decoder->batch = (int)count;
    const bool good =
        library->batch_decode(coder->decoding, decoder->state, data, sizes, images, coder->stream) == NVJPEG_SUCCESS &&
        cudaStreamSynchronize(coder->stream) == cudaSuccess;
    if (!good)
        decoder->batch = 0; /* also resets what failed */
    return good;
}

static bool decode_one(Coder *coder, int kind, const EncodedPicture *picture, Frame frame) {
    NvjpegImage image = image_of(frame);
    return coder->library->decode(coder->encoding, coder->others[kind].state, picture->bytes.data, picture->bytes.size,
                                  output_formats[kind], &image, coder->stream) == NVJPEG_SUCCESS &&
           cudaStreamSynchronize(coder->stream) == cudaSuccess;
}

/* What does not go in a batch goes by itself. */
static Status decode(DeviceCoder *opened, const EncodedPicture *pictures, const Frame *frames, bool *decoded,
                     size_t count) {
    Coder *coder = (Coder *)opened;
    CUDA_TRY(cudaSetDevice(gpu_of(opened->device)->index));
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t next = 0, size = 0; next < count; size = 0) {
            size_t which[BATCH];
            for (; next < count && size < BATCH; next++)
                if (kind_of(pictures[next].shape) == kind)
                    which[size++] = next;
            const bool good = size > 0 && coder->hardware && decode_batch(coder, kind, pictures, frames, which, size);
            for (size_t i = 0; i < size; i++)
                decoded[which[i]] = good || decode_one(coder, kind, &pictures[which[i]], frames[which[i]]);
        }
    }
    CUDA_TRY(cudaStreamSynchronize(coder->stream)); /* errors that leave no device */
    return STATUS_OK;
}

static Status set_quality(Coder *coder, int quality) {
    if (quality == coder->quality)
        return STATUS_OK;
    coder->quality = 0;
    for (int i = 0; i < KINDS; i++)
        TRY(check(coder->library->params_quality(coder->params[i], quality, coder->stream), STATUS_INPUT,
                  "set the quality"));
    coder->quality = quality;
    return STATUS_OK;
}

static Status retrieve(Coder *coder, Bytes *file) {
    const Nvjpeg *library = coder->library;
    TRY(check(library->encode_retrieve(coder->encoding, coder->encoder, NULL, &file->size, coder->stream), STATUS_INPUT,
              "encode"));
    CUDA_TRY(cudaStreamSynchronize(coder->stream));
    file->data = malloc(file->size);
    if (!file->data)
        return fail(STATUS_DEVICE, "no memory to encode JPEG");
    TRY(check(library->encode_retrieve(coder->encoding, coder->encoder, file->data, &file->size, coder->stream),
              STATUS_INPUT, "encode"));
    CUDA_TRY(cudaStreamSynchronize(coder->stream));
    return STATUS_OK;
}

static Status encode(DeviceCoder *opened, Frame frame, SaveOptions options, Bytes *file) {
    Coder *coder = (Coder *)opened;
    const Nvjpeg *library = coder->library;
    const int kind = kind_of(frame.shape), width = (int)frame.shape.width, height = (int)frame.shape.height;
    const NvjpegImage image = image_of(frame);
    void *const params = coder->params[kind];
    *file = (Bytes){0};
    CUDA_TRY(cudaSetDevice(gpu_of(opened->device)->index));
    TRY(set_quality(coder, options.quality > 0 ? options.quality : QUALITY_DEFAULT));
    TRY(check(kind == GRAY ? library->encode_yuv(coder->encoding, coder->encoder, params, &image, NVJPEG_CSS_GRAY,
                                                 width, height, coder->stream)
                           : library->encode_image(coder->encoding, coder->encoder, params, &image, NVJPEG_INPUT_RGBI,
                                                   width, height, coder->stream),
              STATUS_INPUT, "encode"));
    const Status status = retrieve(coder, file);
    if (status != STATUS_OK)
        bytes_free(file);
    return status;
}

const DeviceCodec cuda_jpeg = {.format = "jpg",
                               .shapes = U8X1 | U8X3,
                               .batch = BATCH,
                               .coders = CODERS,
                               .open = open_coder,
                               .close = close_coder,
                               .describe = describe,
                               .decode = decode,
                               .encode = encode};
