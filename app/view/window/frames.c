/* frames.c: three frames that change their places, and libjpeg. */
#include "app/view/window/frames.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h> /* behind stdio.h */

enum { PIXEL_BYTES = 4, QUALITY = 80, FINE_QUALITY = 95, HEADER_MAX = 4096 };

typedef struct Frame {
    unsigned char *pixels;
    size_t capacity;
    int width, height;
    unsigned serial; /* 0: nothing is in it */
} Frame;

struct Frames {
    pthread_mutex_t lock; /* of the places */
    Frame places[3];
    Frame *drawn, *newest, *encoded;
    const Frame *last; /* the window's thread kept this one last: one of the other two; or NULL */
    unsigned serial;   /* its */
    unsigned char *file;
    size_t capacity, size;
    unsigned file_serial;
    bool file_fine;
};

Status frames_create(Frames **frames) {
    Frames *made = *frames = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the frames of the window");
    pthread_mutex_init(&made->lock, NULL);
    made->drawn = &made->places[0];
    made->newest = &made->places[1];
    made->encoded = &made->places[2];
    return STATUS_OK;
}

void frames_destroy(Frames **frames) {
    Frames *old = *frames;
    if (!old)
        return;
    for (size_t i = 0; i < sizeof old->places / sizeof old->places[0]; i++)
        free(old->places[i].pixels);
    free(old->file);
    pthread_mutex_destroy(&old->lock);
    free(old);
    *frames = NULL;
}

static size_t frame_bytes(const Frame *frame) {
    return (size_t)frame->width * (size_t)frame->height * PIXEL_BYTES;
}

static bool make_room(unsigned char **room, size_t *capacity, size_t size) {
    if (size <= *capacity)
        return true;
    free(*room);
    *room = malloc(size);
    *capacity = *room ? size : 0;
    return *room != NULL;
}

/* ---- the window's thread ---- */

unsigned char *frames_room(Frames *frames, int width, int height) {
    Frame *frame = frames->drawn;
    frame->width = width;
    frame->height = height;
    return make_room(&frame->pixels, &frame->capacity, frame_bytes(frame)) ? frame->pixels : NULL;
}

bool frames_keep(Frames *frames) {
    Frame *frame = frames->drawn;
    const Frame *last = frames->last; /* stays as it is until it is drawn again */
    if (last && last->width == frame->width && last->height == frame->height &&
        memcmp(last->pixels, frame->pixels, frame_bytes(frame)) == 0)
        return false;
    frame->serial = ++frames->serial;
    pthread_mutex_lock(&frames->lock);
    frames->drawn = frames->newest;
    frames->newest = frame;
    pthread_mutex_unlock(&frames->lock);
    frames->last = frame;
    return true;
}

/* ---- the other one ---- */

unsigned frames_newest(Frames *frames) {
    pthread_mutex_lock(&frames->lock);
    const unsigned newest = frames->newest->serial, encoded = frames->encoded->serial;
    pthread_mutex_unlock(&frames->lock);
    return newest > encoded ? newest : encoded;
}

static const Frame *take_newest(Frames *frames) {
    pthread_mutex_lock(&frames->lock);
    if (frames->newest->serial > frames->encoded->serial) {
        Frame *frame = frames->newest;
        frames->newest = frames->encoded;
        frames->encoded = frame;
    }
    pthread_mutex_unlock(&frames->lock);
    return frames->encoded;
}

typedef struct Failure {
    struct jpeg_error_mgr of; /* the first */
    jmp_buf leads_to;
} Failure;

/* libjpeg would end the program. */
static void go_back(j_common_ptr encoder) {
    longjmp(((Failure *)(void *)encoder->err)->leads_to, 1);
}

/* *file is malloc's, and may become another one. */
static bool encode(const Frame *frame, bool fine, unsigned char **file, unsigned long *size) {
    struct jpeg_compress_struct encoder;
    Failure failure;
    encoder.err = jpeg_std_error(&failure.of);
    failure.of.error_exit = go_back;
    if (setjmp(failure.leads_to)) {
        jpeg_destroy_compress(&encoder);
        return false;
    }
    jpeg_create_compress(&encoder);
    jpeg_mem_dest(&encoder, file, size);
    encoder.image_width = (JDIMENSION)frame->width;
    encoder.image_height = (JDIMENSION)frame->height;
    encoder.input_components = PIXEL_BYTES;
    encoder.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, fine ? FINE_QUALITY : QUALITY, TRUE);
    encoder.comp_info[0].h_samp_factor = encoder.comp_info[0].v_samp_factor = fine ? 1 : 2;
    jpeg_start_compress(&encoder, TRUE);
    while (encoder.next_scanline < encoder.image_height) {
        const size_t from_below = encoder.image_height - 1 - encoder.next_scanline;
        JSAMPROW row = frame->pixels + from_below * encoder.image_width * PIXEL_BYTES;
        (void)jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    return true;
}

Status frames_encode(Frames *frames, bool fine, size_t lead, Bytes *jpeg, unsigned *serial) {
    const Frame *frame = take_newest(frames);
    const size_t most = lead + frame_bytes(frame) + HEADER_MAX;
    if (frames->file_serial != frame->serial || frames->file_fine != fine) {
        frames->file_serial = 0;
        if (!make_room(&frames->file, &frames->capacity, most))
            return fail(STATUS_DEVICE, "no memory to send a frame");
        unsigned char *file = frames->file + lead;
        unsigned long size = frames->capacity - lead;
        const bool done = encode(frame, fine, &file, &size), elsewhere = file != frames->file + lead;
        if (elsewhere) /* noise may take more bytes than its pixels */
            free(file);
        if (!done || elsewhere)
            return fail(STATUS_DEVICE, "a frame cannot be encoded");
        frames->size = size;
        frames->file_serial = frame->serial;
        frames->file_fine = fine;
    }
    *jpeg = (Bytes){frames->file, lead + frames->size};
    *serial = frame->serial;
    return STATUS_OK;
}
