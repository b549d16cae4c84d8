/* threads.c: the value of a rank found without sorting, rows shared among threads.
 * C. A. R. Hoare, Algorithm 65: Find, Comm. ACM 4(7), 1961. */
#include "core/device/backend.h"
#include "core/ops/rank.h"
#include "cpu/keys.h"
#include "cpu/rank/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

/* The key that sorting would bring to `rank`. Parts the keys that may hold it around a pivot, until it is the pivot. */
static int32_t find(int32_t *keys, ptrdiff_t count, ptrdiff_t rank) {
    ptrdiff_t first = 0, last = count - 1;
    while (first < last) {
        const int32_t pivot = keys[rank];
        ptrdiff_t i = first, j = last;
        while (i <= j) {
            while (keys[i] < pivot)
                i++;
            while (pivot < keys[j])
                j--;
            if (i <= j) {
                const int32_t key = keys[i];
                keys[i++] = keys[j];
                keys[j--] = key;
            }
        }
        first = rank > j ? i : first;
        last = rank < i ? j : last;
        if (j < rank && rank < i)
            break;
    }
    return keys[rank];
}

static void find_row(const void *of, size_t x0, size_t y, void *scratch) {
    const Stage *stage = of;
    const RankJob *job = rank_job(stage);
    const Mask *window = job->window;
    int32_t *keys = scratch;
    for (size_t x = x0; x < stage->out.shape.width; x++)
        for (int c = 0; c < stage->out.shape.channels; c++) {
            ptrdiff_t count = 0;
            for (int j = 0; j < window->height; j++)
                for (int i = 0; i < window->width; i++)
                    if (element_has(window, i, j))
                        keys[count++] = keys_value(stage->in[0], job->border, (ptrdiff_t)x + i - window->width / 2,
                                                   (ptrdiff_t)y + j - window->height / 2, c);
            keys_set(stage->out, x, y, c, find(keys, count, job->rank));
        }
}

/* The window's bytes, for a thread. */
static size_t window_bytes(const Stage *stage) {
    return (size_t)element_count(rank_job(stage)->window) * sizeof(int32_t);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return window_bytes(stage) * (size_t)device->threads;
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, shape.width, 1, scratch, window_bytes(stage)},
                    find_row, stage);
    return STATUS_OK;
}

const Level cpu_rank_threads = {
    .op = &op_rank,
    .name = "threads",
    .idea = "the value of the rank found by parting the window around pivots, with no need to sort it; rows shared "
            "among threads",
    .workspace = workspace,
    .predictor = &cpu_rank_measured,
    .run = run,
};
