/* reaches.c: a structuring element as runs of power-of-two length, in the device's cache. */
#include "gpu/morphology/reaches.h"

#include "gpu/cache.h"

#include <stdlib.h>

static int power_of(int count) {
    int power = 0;
    while (2 << power <= count)
        power++;
    return power;
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Mask *element = from;
    const size_t cells = (size_t)element_count(element);
    ElementChord *chords = malloc(cells * sizeof *chords);
    int *list = malloc((REACH_POWERS + 1 + 2 * cells) * sizeof *list), count = 0, powers = 0;
    const int all = chords ? element_chords(element, chords) : 0;
    for (int power = 0; list && power < REACH_POWERS; power++) {
        list[power] = count;
        for (int i = 0; i < all; i++) {
            const int rest = chords[i].count - (1 << power);
            if (power_of(chords[i].count) != power)
                continue;
            list[REACH_POWERS + 1 + count++] = chords[i].y << 16 | chords[i].x;
            if (rest > 0)
                list[REACH_POWERS + 1 + count++] = chords[i].y << 16 | (chords[i].x + rest);
            powers = power + 1;
        }
    }
    Status status = chords && list ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the element's chords");
    if (status == STATUS_OK) {
        list[REACH_POWERS] = count;
        status = gpu_keep(queue, entry, element, list, (size_t)(REACH_POWERS + 1 + count) * sizeof *list,
                          (const int[KEPT_FACTS]){powers});
    }
    free(chords);
    free(list);
    return status;
}

static const CacheKind kind = GPU_KEPT(make);

Status gpu_reaches(Queue *queue, const Mask *element, Reaches *reaches) {
    const GpuKept *kept;
    TRY(gpu_kept(queue, &kind, element, &kept));
    *reaches = (Reaches){kept->memory.memory, kept->facts[0]};
    return STATUS_OK;
}
