/* codec.c: JPEG on the device: by the hardware's decoder where it has one, else by kernels, and an encoder of kernels.
 * nvJPEG's handles take a tenth of a second to make. They are the device's, and all its coders share them, as nvJPEG
 * allows (its documentation, Thread Safety). Streams, and states of decoders and encoders, are a coder's own, and made
 * when something is first to be decoded or encoded. States also take a tenth of a second, to make and to free. A coder
 * that is closed therefore waits for the next to be opened, or for the device to be closed. */
#include "gpu/jpeg/codec.h"

#include "core/codec/formats.h"
#include "gpu/gpu.h"
#include "gpu/jpeg/cuvid.h"
#include "gpu/jpeg/nvjpeg.h"
#include "gpu/pinned.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decoders by hardware have a stream each. Work that shares a connection with one of them waits until it has decoded a
 * picture (6 ms), although nothing depends on it. Twelve connections serve seven decoders, four encoders and the
 * filters. */
enum { CONNECTIONS = 12 };
enum { BATCH = 35 /* a multiple of an H100's and H200's seven decoders */ };

/* How pictures are decoded, by the number of channels. */
typedef struct Decoder {
    void *state;
    int batch; /* of the state; 0: none */
} Decoder;

enum { GRAY, COLOUR, KINDS };

static const int output_formats[KINDS] = {NVJPEG_OUTPUT_Y, NVJPEG_OUTPUT_RGBI};

typedef struct Coder Coder;

/* A device's handles, once it has had a coder. */
typedef struct Handles Handles;
struct Handles {
    Handles *next;
    int device, users;        /* users: coders that are open */
    Coder *idle;              /* closed ones */
    pthread_mutex_t lock;     /* guards the members below */
    bool tried;               /* to find its hardware's decoder */
    void *hardware, *kernels; /* by the JPEGs they decode; NULL: not there, or not needed yet */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards `all`, users and idle */
static Handles *all;

typedef struct Coding {
    int quality, subsampling; /* quality 0: not set */
} Coding;

struct Coder {
    DeviceCoder coder; /* first, so that a DeviceCoder * is ours */
    Coder *next;       /* idle, too */
    const Nvjpeg *library;
    cudaStream_t stream;
    Handles *handles;
    Decoder batches[KINDS]; /* of the handle that decodes */
    Decoder singles[KINDS]; /* of the one of kernels */
    void *encoder, *params[KINDS];
    Coding codings[KINDS]; /* of the params */
    void *pinned;          /* encoded files come home here; NULL: nowhere yet */
    size_t pinned_bytes;
};

static int kind_of(Shape shape) {
    return shape.channels == 1 ? GRAY : COLOUR;
}

/* The names of nvJPEG's errors, by the numbers in the documentation of nvjpegStatus_t. */
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

/* Where the device's are listed, or would be. */
static Handles **place_of(int device) {
    Handles **at = &all;
    while (*at && (*at)->device != device)
        at = &(*at)->next;
    return at;
}

/* Counts one more user of the device and takes a coder for it: one that was closed, or a new one with nothing but
 * handles. NULL without memory. */
static Coder *take_coder(int device) {
    pthread_mutex_lock(&lock);
    Handles **const at = place_of(device), *handles = *at;
    if (!handles && (handles = *at = calloc(1, sizeof *handles))) {
        pthread_mutex_init(&handles->lock, NULL);
        handles->device = device;
    }
    Coder *coder = handles ? handles->idle : NULL;
    if (coder)
        handles->idle = coder->next;
    else if (handles && (coder = calloc(1, sizeof *coder)))
        coder->handles = handles;
    if (coder)
        handles->users++;
    pthread_mutex_unlock(&lock);
    return coder;
}

/* The handle of the hardware's decoder; NULL: it has none. */
static void *hardware_handle(const Coder *coder) {
    Handles *handles = coder->handles;
    pthread_mutex_lock(&handles->lock);
    if (!handles->tried) {
        cuvid_stay_open();
        const int result = coder->library->create(NVJPEG_HARDWARE, NULL, NULL, NVJPEG_INTERPOLATE, &handles->hardware);
        if (result != NVJPEG_SUCCESS)
            handles->hardware = NULL;
        handles->tried = true;
    }
    void *const handle = handles->hardware;
    pthread_mutex_unlock(&handles->lock);
    return handle;
}

/* The handle of a decoder made of kernels. */
static Status kernels_handle(const Coder *coder, void **handle) {
    Handles *handles = coder->handles;
    int result = NVJPEG_SUCCESS;
    pthread_mutex_lock(&handles->lock);
    if (!handles->kernels)
        result = coder->library->create(NVJPEG_GPU_HYBRID, NULL, NULL, NVJPEG_INTERPOLATE, &handles->kernels);
    if (result != NVJPEG_SUCCESS)
        handles->kernels = NULL;
    *handle = handles->kernels;
    pthread_mutex_unlock(&handles->lock);
    return check(result, STATUS_DEVICE, "begin");
}

static Status start(Coder *coder, bool hardware_only) {
    CUDA_TRY(cudaSetDevice(gpu_of(coder->coder.device)->index));
    if (!coder->stream)
        CUDA_TRY(cudaStreamCreateWithFlags(&coder->stream, cudaStreamNonBlocking));
    if (hardware_handle(coder))
        return STATUS_OK;
    void *handle;
    return hardware_only ? fail(STATUS_DEVICE, "the GPU has no decoder for JPEG in hardware")
                         : kernels_handle(coder, &handle);
}

static void destroy(Coder *coder) {
    const Nvjpeg *library = coder->library;
    if (coder->encoder)
        library->encoder_destroy(coder->encoder);
    for (int i = 0; i < KINDS; i++) {
        if (coder->params[i])
            library->params_destroy(coder->params[i]);
        if (coder->batches[i].state)
            library->state_destroy(coder->batches[i].state);
        if (coder->singles[i].state)
            library->state_destroy(coder->singles[i].state);
    }
    pinned_destroy(coder->pinned, coder->pinned_bytes);
    if (coder->stream)
        cudaStreamDestroy(coder->stream);
    free(coder);
}

static void destroy_handles(Handles *handles) {
    if (handles->hardware)
        nvjpeg_load()->destroy(handles->hardware);
    if (handles->kernels)
        nvjpeg_load()->destroy(handles->kernels);
    pthread_mutex_destroy(&handles->lock);
    free(handles);
}

void jpeg_retire(int device) {
    pthread_mutex_lock(&lock);
    Handles **const at = place_of(device), *const handles = *at;
    Coder *idle = handles ? handles->idle : NULL;
    const bool last = handles && handles->users == 0;
    if (handles)
        handles->idle = NULL;
    if (last)
        *at = handles->next;
    pthread_mutex_unlock(&lock);
    for (Coder *next; idle; idle = next) {
        next = idle->next;
        destroy(idle);
    }
    if (last)
        destroy_handles(handles);
}

static void close_coder(DeviceCoder **opened) {
    Coder *coder = (Coder *)*opened;
    *opened = NULL;
    if (!coder)
        return;
    pthread_mutex_lock(&lock);
    coder->next = coder->handles->idle;
    coder->handles->idle = coder;
    coder->handles->users--;
    pthread_mutex_unlock(&lock);
}

static Status open_coder(Device *device, bool hardware_only, DeviceCoder **opened) {
    *opened = NULL;
    if (!nvjpeg_load())
        return fail(STATUS_DEVICE, "nvJPEG (libnvjpeg.so.13 or .12, part of the CUDA toolkit) is not here");
    Coder *coder = take_coder(gpu_of(device)->index);
    if (!coder)
        return fail(STATUS_DEVICE, "no memory for a codec");
    coder->coder.device = device;
    coder->library = nvjpeg_load();
    *opened = &coder->coder;
    const Status status = start(coder, hardware_only);
    if (status != STATUS_OK)
        close_coder(opened); /* its handles and states serve the next */
    return status;
}

static size_t describe(const DeviceCoder *opened, char *text, size_t size) {
    const Coder *coder = (const Coder *)opened;
    int major = 0, minor = 0;
    coder->library->get_property(NVJPEG_MAJOR, &major);
    coder->library->get_property(NVJPEG_MINOR, &minor);
    return (size_t)snprintf(text, size, "nvJPEG %d.%d, decoding by %s", major, minor,
                            hardware_handle(coder) ? "hardware" : "kernels");
}

static NvjpegImage image_of(Frame frame) {
    return (NvjpegImage){.channel = {frame.pixels}, .pitch = {frame.stride}};
}

static bool make_state(const Coder *coder, void *handle, Decoder *decoder) {
    if (!decoder->state && coder->library->state_create(handle, &decoder->state) != NVJPEG_SUCCESS)
        decoder->state = NULL;
    return decoder->state != NULL;
}

/* Pictures of a kind at once. False if any could not be decoded: nobody knows which. */
static bool decode_batch(Coder *coder, int kind, const EncodedPicture *pictures, const Frame *frames,
                         const size_t *which, size_t count) {
    const Nvjpeg *library = coder->library;
    void *const handle = hardware_handle(coder);
    Decoder *decoder = &coder->batches[kind];
    const unsigned char *data[BATCH];
    size_t sizes[BATCH];
    NvjpegImage images[BATCH];
    if (!handle || !make_state(coder, handle, decoder))
        return false;
    for (size_t i = 0; i < count; i++) {
        data[i] = pictures[which[i]].bytes.data;
        sizes[i] = pictures[which[i]].bytes.size;
        images[i] = image_of(frames[which[i]]);
    }
    const bool begun = decoder->batch == (int)count;
    decoder->batch = 0; /* after a failure the next batch begins again, which resets the state */
    if (!begun && library->batch_begin(handle, decoder->state, (int)count, 1, output_formats[kind]) != NVJPEG_SUCCESS)
        return false;
    const bool good =
        library->batch_decode(handle, decoder->state, data, sizes, images, coder->stream) == NVJPEG_SUCCESS &&
        cudaStreamSynchronize(coder->stream) == cudaSuccess;
    if (good)
        decoder->batch = (int)count;
    return good;
}

static bool decode_one(Coder *coder, int kind, const EncodedPicture *picture, Frame frame) {
    NvjpegImage image = image_of(frame);
    Decoder *decoder = &coder->singles[kind];
    void *handle;
    return kernels_handle(coder, &handle) == STATUS_OK && make_state(coder, handle, decoder) &&
           coder->library->decode(handle, decoder->state, picture->bytes.data, picture->bytes.size,
                                  output_formats[kind], &image, coder->stream) == NVJPEG_SUCCESS &&
           cudaStreamSynchronize(coder->stream) == cudaSuccess;
}

/* Pictures that a batch does not decode are decoded one by one. */
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
            const bool good = size > 0 && decode_batch(coder, kind, pictures, frames, which, size);
            for (size_t i = 0; i < size; i++)
                decoded[which[i]] = good || decode_one(coder, kind, &pictures[which[i]], frames[which[i]]);
        }
    }
    CUDA_TRY(cudaStreamSynchronize(coder->stream)); /* errors that leave no device */
    return STATUS_OK;
}

/* The handle that encodes: whichever is there. */
static Status encoding_handle(const Coder *coder, void **handle) {
    *handle = hardware_handle(coder);
    return *handle ? STATUS_OK : kernels_handle(coder, handle);
}

/* As core/codec/jpeg_save.c samples. */
static int subsampling_of(int kind, const SaveOptions *options) {
    static const int colour[] = {[SAVE_444] = NVJPEG_CSS_444, [SAVE_422] = NVJPEG_CSS_422, [SAVE_420] = NVJPEG_CSS_420};
    return kind == GRAY ? NVJPEG_CSS_GRAY : colour[save_chroma(options)];
}

/* The encoder, and how it encodes pictures of this kind. */
static Status set_coding(Coder *coder, void *handle, int kind, const SaveOptions *options) {
    const Nvjpeg *library = coder->library;
    const Coding coding = {(int)save_value(options, "quality"), subsampling_of(kind, options)};
    Coding *const is = &coder->codings[kind];
    if (!coder->encoder)
        TRY(check(library->encoder_create(handle, &coder->encoder, coder->stream), STATUS_INPUT, "begin to encode"));
    if (!coder->params[kind])
        TRY(check(library->params_create(handle, &coder->params[kind], coder->stream), STATUS_INPUT,
                  "begin to encode"));
    if (is->quality == coding.quality && is->subsampling == coding.subsampling)
        return STATUS_OK;
    is->quality = 0;
    TRY(check(library->params_sampling(coder->params[kind], coding.subsampling, coder->stream), STATUS_INPUT,
              "begin to encode"));
    TRY(check(library->params_quality(coder->params[kind], coding.quality, coder->stream), STATUS_INPUT,
              "set the quality"));
    *is = coding;
    return STATUS_OK;
}

/* Room for files of a size, and somewhat larger ones, as the next may be. */
static Status reserve_pinned(Coder *coder, size_t bytes) {
    if (bytes <= coder->pinned_bytes)
        return STATUS_OK;
    pinned_destroy(coder->pinned, coder->pinned_bytes);
    coder->pinned = NULL;
    coder->pinned_bytes = 0;
    TRY(pinned_create(bytes + bytes / 2, &coder->pinned));
    coder->pinned_bytes = bytes + bytes / 2;
    return STATUS_OK;
}

/* Into pageable memory the driver would copy in small pieces, one after the other. */
static Status retrieve(Coder *coder, void *handle, Bytes *file) {
    const Nvjpeg *library = coder->library;
    TRY(check(library->encode_retrieve(handle, coder->encoder, NULL, &file->size, coder->stream), STATUS_INPUT,
              "encode"));
    CUDA_TRY(cudaStreamSynchronize(coder->stream));
    TRY(reserve_pinned(coder, file->size));
    TRY(check(library->encode_retrieve(handle, coder->encoder, coder->pinned, &file->size, coder->stream), STATUS_INPUT,
              "encode"));
    CUDA_TRY(cudaStreamSynchronize(coder->stream));
    file->data = malloc(file->size);
    if (!file->data)
        return fail(STATUS_DEVICE, "no memory to encode JPEG");
    memcpy(file->data, coder->pinned, file->size);
    return STATUS_OK;
}

static Status encode(DeviceCoder *opened, Frame frame, SaveOptions options, Bytes *file) {
    Coder *coder = (Coder *)opened;
    const Nvjpeg *library = coder->library;
    const int kind = kind_of(frame.shape), width = (int)frame.shape.width, height = (int)frame.shape.height;
    const NvjpegImage image = image_of(frame);
    void *handle;
    *file = (Bytes){0};
    CUDA_TRY(cudaSetDevice(gpu_of(opened->device)->index));
    TRY(encoding_handle(coder, &handle));
    TRY(set_coding(coder, handle, kind, &options));
    void *const params = coder->params[kind];
    TRY(check(kind == GRAY ? library->encode_yuv(handle, coder->encoder, params, &image, NVJPEG_CSS_GRAY, width, height,
                                                 coder->stream)
                           : library->encode_image(handle, coder->encoder, params, &image, NVJPEG_INPUT_RGBI, width,
                                                   height, coder->stream),
              STATUS_INPUT, "encode"));
    const Status status = retrieve(coder, handle, file);
    if (status != STATUS_OK)
        bytes_free(file);
    return status;
}

const DeviceCodec cuda_jpeg = {.format = &format_jpeg,
                               .shapes = U8X1 | U8X3,
                               .batch = BATCH,
                               .connections = CONNECTIONS,
                               .open = open_coder,
                               .close = close_coder,
                               .describe = describe,
                               .decode = decode,
                               .encode = encode};
