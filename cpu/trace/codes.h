/* codes.h: spheres sorted along a space-filling curve: by Morton codes of their centres. */
#ifndef GLINT_CPU_TRACE_CODES_H
#define GLINT_CPU_TRACE_CODES_H

#include "core/device/backend.h"
#include "core/scene/scene.h"

#include <stddef.h>
#include <stdint.h>

enum {
    DIGIT_BITS = 10, /* of a code, for each pass of sorting */
    DIGITS = 1 << DIGIT_BITS,
    CODES_PARTS_MAX = 256,
};

/* A sphere by its code. */
typedef struct Coded {
    uint32_t code, index;
} Coded;

/* A code for each sphere of a sequence, and memory to sort. */
typedef struct Sequence {
    const Scene *scene;
    Coded *coded, *scratch;
    size_t count;
} Sequence;

/* Codes the spheres by their places in their box and sorts them, least significant digit first. Once the queue stops,
 * they are in no order, and some may be missing. `queue` NULL: there is one part, and no other thread helps. `parts` is
 * at most CODES_PARTS_MAX. */
void codes_sort(Queue *queue, Sequence *sequence, uint32_t (*counts)[DIGITS], size_t parts);

#endif
