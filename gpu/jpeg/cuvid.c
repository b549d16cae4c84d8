/* cuvid.c: a session of the video decoder. */
#include "gpu/jpeg/cuvid.h"

#include "gpu/library.h"

#include <pthread.h>
#include <stddef.h>

/* CUVIDDECODECREATEINFO and its constants (NVIDIA Video Codec SDK, cuviddec.h); 0 for members that are not named
 * here. */
enum { CODEC_H264 = 4, CHROMA_420 = 1, CREATE_PREFER_CUVID = 4 };

typedef struct SessionOptions {
    unsigned long width, height, surfaces;
    int codec, chroma;
    unsigned long flags, depth_minus_8, intra_only, max_width, max_height, reserved;
    short display[4];
    int format, deinterlace;
    unsigned long target_width, target_height, output_surfaces;
    void *lock;
    short target[4];
    unsigned long histogram, more_reserved[4];
} SessionOptions;

static void open_session(void) {
    static const char *const names[] = {"libnvcuvid.so.1", NULL};
    enum { SIDE = 256 /* of its pictures: above the minimum */ };
    SessionOptions options = {.width = SIDE,
                              .height = SIDE,
                              .surfaces = 1,
                              .codec = CODEC_H264,
                              .chroma = CHROMA_420,
                              .flags = CREATE_PREFER_CUVID,
                              .max_width = SIDE,
                              .max_height = SIDE,
                              .target_width = SIDE,
                              .target_height = SIDE,
                              .output_surfaces = 1};
    int (*create)(void **session, SessionOptions *options);
    void *session;
    if (library_load(names, (LibrarySymbol[]){{"cuvidCreateDecoder", &create}, {0}}))
        (void)create(&session, &options);
}

void cuvid_stay_open(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_session);
}
