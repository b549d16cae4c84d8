/* follow.c: a walk is a queue that is never emptied: pixels that were walked stay in it. */
#include "cpu/canny_edges/follow.h"

#include "cpu/scratch.h"
#include "cpu/team.h"

#include <string.h>

/* Queues of all bands, and classes, which have a rim. A queue has room for an entry that does not count. */
size_t peaks_workspace(const Device *device, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    (void)device;
    return (shape.width * shape.height + peaks_bands(shape)) * sizeof(size_t) + (shape.width + 2) * (shape.height + 2);
}

typedef struct Copying {
    const Stage *stage;
    const Peaks *peaks;
} Copying;

static void copy_row(const void *work, size_t y) {
    const Copying *copying = work;
    const CannyJob *job = canny_job(copying->stage);
    const ImageView in = copying->stage->in[0];
    unsigned char *to = copying->peaks->classes + peaks_index(copying->peaks, 0, y);
    const unsigned char *from = view_row(in, y);
    if (y < (size_t)job->above || y + (size_t)job->below >= in.shape.height) {
        memset(to, 0, in.shape.width);
        return;
    }
    for (size_t x = 0; x < in.shape.width; x++)
        to[x] = from[x] < CANNY_WEAK ? 0 : from[x] < CANNY_STRONG ? PEAK_WEAK : PEAK_STRONG;
}

/* No walk leaves it, also where rows were not copied, since the queue was asked to stop. */
static void clear_rim(const Peaks *peaks, size_t height) {
    unsigned char *row = peaks->classes;
    memset(row, 0, peaks->pitch);
    for (size_t y = 0; y < height; y++) {
        row += peaks->pitch;
        row[0] = row[peaks->pitch - 1] = 0;
    }
    memset(row + peaks->pitch, 0, peaks->pitch);
}

Status peaks_begin(Queue *queue, const Stage *stage, Peaks *peaks) {
    const Shape shape = stage->in[0].shape;
    void *memory;
    TRY(cpu_scratch(queue, peaks_workspace(queue->device, stage), &memory));
    *peaks = (Peaks){.walked = memory, .pitch = shape.width + 2};
    peaks->classes = (unsigned char *)(peaks->walked + shape.width * shape.height + peaks_bands(shape));
    clear_rim(peaks, shape.height);
    cpu_share_rows(queue, shape.height, copy_row, &(Copying){stage, peaks});
    return STATUS_OK;
}

void peaks_start(Peaks *peaks, size_t index) {
    const unsigned char class = peaks->classes[index];
    const bool is_next = (class != 0) & !(class & PEAK_SEEN); /* no branch: neighbours differ without a rule */
    peaks->classes[index] = class | (is_next ? PEAK_SEEN : 0);
    peaks->walked[peaks->count] = index;
    peaks->count += is_next;
}

bool peaks_follow(Peaks *peaks, size_t first) {
    const size_t pitch = peaks->pitch;
    bool strong = false;
    for (; first < peaks->count; first++) {
        const size_t at = peaks->walked[first], around[] = {at - pitch - 1, at - pitch, at - pitch + 1, at - 1, at + 1,
                                                            at + pitch - 1, at + pitch, at + pitch + 1};
        strong |= peaks->classes[at] & PEAK_STRONG;
        for (size_t k = 0; k < sizeof around / sizeof *around; k++)
            peaks_start(peaks, around[k]);
    }
    return strong;
}
