/* chords.c: an element as runs of cells of power-of-two length, of which two that overlap make any chord.
 * E. R. Urbach and M. H. F. Wilkinson, Efficient 2-D grayscale morphological transformations with arbitrary flat
 * structuring elements, IEEE Trans. Image Processing 17(1), 2008. */
#include "cpu/morphology/tile.h"

#include <stdlib.h>

static int log2_of(int count) {
    int power = 0;
    while (2 << power <= count)
        power++;
    return power;
}

static int powers_of(const Mask *element) {
    int longest = 0;
    for (int y = 0; y < element->height; y++)
        for (int x = 0, run = 0; x < element->width; x++) {
            run = element_has(element, x, y) ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    return log2_of(longest) + 1;
}

static size_t rows_held(const Mask *element) {
    return (size_t)element->height * (size_t)powers_of(element) + 1;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const Mask *element = morphology_job(stage)->element;
    return morphology_workspace(device, stage, rows_held(element));
}

static Status run(Queue *queue, const Stage *stage) {
    const Mask *element = morphology_job(stage)->element;
    const size_t cells = (size_t)element_count(element);
    ElementChord *chords = malloc(cells * sizeof *chords);
    Reach *reaches = malloc(2 * cells * sizeof *reaches);
    int count = 0;
    Status status = chords && reaches ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the element's chords");
    for (int i = 0, all = status == STATUS_OK ? element_chords(element, chords) : 0; i < all; i++) {
        const int power = log2_of(chords[i].count), rest = chords[i].count - (1 << power);
        reaches[count++] = (Reach){chords[i].y, power, chords[i].x};
        if (rest > 0)
            reaches[count++] = (Reach){chords[i].y, power, chords[i].x + rest};
    }
    if (status == STATUS_OK)
        status = morphology_run(
            queue,
            (MorphologyTile){.stage = stage, .reaches = reaches, .reach_count = count, .powers = powers_of(element)},
            MORPHOLOGY_CHORDS, rows_held(element));
    free(chords);
    free(reaches);
    return status;
}

const Level cpu_morphology_chords = {
    .op = &op_morphology,
    .name = "chords",
    .idea = "the element as runs of 1, 2, 4, ... cells, whose extrema vectors keep for each row: a disk costs its "
            "height, not its area",
    .workspace = workspace,
    .run = run,
};
