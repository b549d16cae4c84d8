/* traced.c: edges followed from their strong pixels, each pixel once. Cores follow them within bands of rows; one goes
 * on from band to band. */
#include "cpu/canny_edges/follow.h"
#include "cpu/team.h"

#include <string.h>

typedef struct Shared {
    const Stage *stage;
    const Peaks *peaks;
} Shared;

/* Pixels that were seen are edges. Channels are constants for the numbers that pictures have. */
#define STORE(Type)                                                                                                    \
    static inline __attribute__((always_inline)) void store_by_##Type(const unsigned char *classes, const void *in,    \
                                                                      void *out, size_t width, size_t channels,        \
                                                                      size_t colours, Type white) {                    \
        const Type *from = in;                                                                                         \
        Type *to = out; /* NOLINT(bugprone-macro-parentheses): a type */                                               \
        for (size_t x = 0; x < width; x++) {                                                                           \
            const Type value = classes[x] & PEAK_SEEN ? white : (Type)0;                                               \
            for (size_t c = 0; c < colours; c++)                                                                       \
                to[x * channels + c] = value;                                                                          \
            if (colours < channels)                                                                                    \
                to[x * channels + channels - 1] = from[x * channels + channels - 1];                                   \
        }                                                                                                              \
    }                                                                                                                  \
    static void store_##Type(const unsigned char *classes, const void *from, void *to, size_t width, int channels,     \
                             int colours, double white) {                                                              \
        if (channels == 1)                                                                                             \
            store_by_##Type(classes, from, to, width, 1, 1, (Type)white);                                              \
        else if (channels == 3)                                                                                        \
            store_by_##Type(classes, from, to, width, 3, 3, (Type)white);                                              \
        else                                                                                                           \
            store_by_##Type(classes, from, to, width, (size_t)channels, (size_t)colours, (Type)white);                 \
    }
STORE(uint8_t)
STORE(uint16_t)
STORE(float)

static void store_row(const void *work, size_t y) {
    static void (*const store[PIXEL_TYPES])(const unsigned char *, const void *, void *, size_t, int, int,
                                            double) = {store_uint8_t, store_uint16_t, store_float};
    const Shared *shared = work;
    const Stage *stage = shared->stage;
    const CannyJob *job = canny_job(stage);
    const Shape shape = stage->out.shape;
    store[shape.type](shared->peaks->classes + peaks_index(shared->peaks, 0, y), view_row(stage->in[1], y),
                      view_row(stage->out, y), shape.width, shape.channels, shape.channels - job->alpha, job->white);
}

/* Sees all that are connected to the peaks seen so far, within the rows between two indices of classes. */
static void follow_within(Peaks *peaks, size_t begin, size_t end) {
    const size_t pitch = peaks->pitch;
    for (size_t i = 0; i < peaks->count; i++) {
        const size_t at = peaks->walked[i];
        peaks_start(peaks, at - 1);
        peaks_start(peaks, at + 1);
        for (size_t k = 0; k < 3 && at >= begin + pitch; k++)
            peaks_start(peaks, at - pitch - 1 + k);
        for (size_t k = 0; k < 3 && at + pitch < end; k++)
            peaks_start(peaks, at + pitch - 1 + k);
    }
}

static void follow_band(const void *work, size_t band, size_t thread) {
    const Shared *shared = work;
    const Shape shape = shared->stage->out.shape;
    const size_t top = band * PEAKS_BAND, bottom = top + PEAKS_BAND < shape.height ? top + PEAKS_BAND : shape.height;
    Peaks peaks = *shared->peaks; /* a queue of the band's own */
    const size_t begin = (top + 1) * peaks.pitch, end = (bottom + 1) * peaks.pitch;
    const unsigned char *at = peaks.classes + begin, *last = peaks.classes + end;
    (void)thread;
    peaks.walked += top * shape.width + band;
    while ((at = memchr(at, PEAK_STRONG, (size_t)(last - at))))
        peaks_start(&peaks, (size_t)(at++ - peaks.classes));
    follow_within(&peaks, begin, end);
}

/* From the last row of a band to the first of the next, and the other way. */
static void start_across(Peaks *peaks, size_t y, size_t width) {
    for (size_t x = 0; x < width; x++) {
        const size_t below = peaks_index(peaks, x, y), above = below - peaks->pitch;
        for (size_t k = 0; k < 3 && peaks->classes[below] & PEAK_SEEN; k++)
            peaks_start(peaks, above - 1 + k);
        for (size_t k = 0; k < 3 && peaks->classes[above] & PEAK_SEEN; k++)
            peaks_start(peaks, below - 1 + k);
    }
}

static Status run(Queue *queue, const Stage *stage) {
    const CannyJob *job = canny_job(stage);
    const Shape shape = stage->out.shape;
    Peaks peaks;
    TRY(peaks_begin(queue, stage, &peaks));
    cpu_share(queue, peaks_bands(shape), follow_band, &(Shared){stage, &peaks});
    for (size_t y = PEAKS_BAND; y < shape.height; y += PEAKS_BAND)
        start_across(&peaks, y, shape.width);
    for (int r = 0; r < CANNY_SEAMS && job->cut; r++) {
        const uint32_t *edges = view_row(stage->in[2], (size_t)r);
        for (size_t x = 0; x < shape.width && job->seams[r] >= 0; x++)
            if (edges[x] > 0)
                peaks_start(&peaks, peaks_index(&peaks, x, (size_t)job->seams[r]));
    }
    peaks_follow(&peaks, 0);
    cpu_share_result(queue, shape.height, store_row, &(Shared){stage, &peaks});
    return STATUS_OK;
}

const Level cpu_canny_edges_traced = {
    .op = &op_canny_edges,
    .name = "traced",
    .idea = "edges followed from their strong pixels, each pixel once",
    .workspace = peaks_workspace,
    .run = run,
};
