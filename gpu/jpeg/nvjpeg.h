/* nvjpeg.h: the used part of nvJPEG's interface, which is the same in its versions 11 to 13. */
#ifndef GLINT_GPU_JPEG_NVJPEG_H
#define GLINT_GPU_JPEG_NVJPEG_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

enum { NVJPEG_SUCCESS = 0, NVJPEG_COMPONENTS = 4 };
enum {
    NVJPEG_GPU_HYBRID = 2,
    NVJPEG_HARDWARE = 3
};                                                    /* nvjpegBackend_t: the decoder of Huffman's
                                                         code */
enum { NVJPEG_INTERPOLATE = 1 << 5 };                 /* flag: chroma between its samples */
enum { NVJPEG_OUTPUT_Y = 2, NVJPEG_OUTPUT_RGBI = 5 }; /* nvjpegOutputFormat_t; I: interleaved */
enum { NVJPEG_INPUT_RGBI = 5 };                       /* nvjpegInputFormat_t */
enum {
    NVJPEG_CSS_444 = 0,
    NVJPEG_CSS_422 = 1,
    NVJPEG_CSS_420 = 2,
    NVJPEG_CSS_GRAY = 6
};                                           /* nvjpegChromaSubsampling_t */
enum { NVJPEG_MAJOR = 0, NVJPEG_MINOR = 1 }; /* libraryPropertyType */

/* nvjpegImage_t */
typedef struct NvjpegImage {
    unsigned char *channel[NVJPEG_COMPONENTS];
    size_t pitch[NVJPEG_COMPONENTS];
} NvjpegImage;

/* The library's functions return nvjpegStatus_t; handles are pointers to structs that only nvJPEG knows. */
typedef struct Nvjpeg {
    int (*get_property)(int property, int *value);
    int (*create)(int backend, void *device_allocator, void *pinned_allocator, unsigned flags, void **handle);
    int (*destroy)(void *handle);
    int (*state_create)(void *handle, void **state);
    int (*state_destroy)(void *state);
    int (*decode)(void *handle, void *state, const unsigned char *data, size_t size, int format, NvjpegImage *to,
                  cudaStream_t stream);
    int (*batch_begin)(void *handle, void *state, int count, int threads, int format);
    int (*batch_decode)(void *handle, void *state, const unsigned char *const *data, const size_t *sizes,
                        NvjpegImage *to, cudaStream_t stream);
    int (*encoder_create)(void *handle, void **encoder, cudaStream_t stream);
    int (*encoder_destroy)(void *encoder);
    int (*params_create)(void *handle, void **params, cudaStream_t stream);
    int (*params_destroy)(void *params);
    int (*params_quality)(void *params, int quality, cudaStream_t stream);
    int (*params_sampling)(void *params, int subsampling, cudaStream_t stream);
    int (*encode_image)(void *handle, void *encoder, const void *params, const NvjpegImage *from, int format, int width,
                        int height, cudaStream_t stream);
    int (*encode_yuv)(void *handle, void *encoder, const void *params, const NvjpegImage *from, int subsampling,
                      int width, int height, cudaStream_t stream);
    int (*encode_retrieve)(void *handle, void *encoder, unsigned char *data, size_t *size, cudaStream_t stream);
} Nvjpeg;

/* NULL if the library is not there, or lacks something. */
const Nvjpeg *nvjpeg_load(void);

#endif
