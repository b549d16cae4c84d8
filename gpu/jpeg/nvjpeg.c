/* nvjpeg.c: nvJPEG, loaded at run time. */
#include "gpu/jpeg/nvjpeg.h"

#include "gpu/library.h"

#include <pthread.h>
#include <stddef.h>

static Nvjpeg library; /* stays loaded, for all devices */
static bool loaded;

static void load(void) {
    static const char *const names[] = {"libnvjpeg.so.13", "libnvjpeg.so.12", "libnvjpeg.so.11", "libnvjpeg.so", NULL};
    loaded = library_load(names, (LibrarySymbol[]){
                                     {"nvjpegGetProperty", &library.get_property},
                                     {"nvjpegCreateEx", &library.create},
                                     {"nvjpegDestroy", &library.destroy},
                                     {"nvjpegJpegStateCreate", &library.state_create},
                                     {"nvjpegJpegStateDestroy", &library.state_destroy},
                                     {"nvjpegDecode", &library.decode},
                                     {"nvjpegDecodeBatchedInitialize", &library.batch_begin},
                                     {"nvjpegDecodeBatched", &library.batch_decode},
                                     {"nvjpegEncoderStateCreate", &library.encoder_create},
                                     {"nvjpegEncoderStateDestroy", &library.encoder_destroy},
                                     {"nvjpegEncoderParamsCreate", &library.params_create},
                                     {"nvjpegEncoderParamsDestroy", &library.params_destroy},
                                     {"nvjpegEncoderParamsSetQuality", &library.params_quality},
                                     {"nvjpegEncoderParamsSetSamplingFactors", &library.params_sampling},
                                     {"nvjpegEncodeImage", &library.encode_image},
                                     {"nvjpegEncodeYUV", &library.encode_yuv},
                                     {"nvjpegEncodeRetrieveBitstream", &library.encode_retrieve},
                                     {0},
                                 });
}

const Nvjpeg *nvjpeg_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return loaded ? &library : NULL;
}
