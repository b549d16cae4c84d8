/* codes.c: codes of spheres, and a radix sort by them that threads share. */
#include "cpu/trace/codes.h"

#include "core/math/morton.h"
#include "cpu/team.h"
#include "cpu/trace/box.h"

#include <string.h>

enum { AXIS_BITS = 10 /* of a code, on each axis */ };

static Box centres_of(const Sequence *sequence, size_t first, size_t last) {
    Box box = nowhere;
    for (size_t i = first; i < last; i++) {
        const Sphere *s = &sequence->scene->spheres[sequence->coded[i].index];
        const float centre[3] = {s->x, s->y, s->z};
        box_add(&box, centre, centre);
    }
    return box;
}

/* All axes have cells of the same size, so that codes cut long sides more often. */
static void code(Sequence *sequence, size_t first, size_t last, const Box *box) {
    const int longest = longest_side(box);
    const float side = box->max[longest] - box->min[longest];
    const float cells = side > 0 ? ((1 << AXIS_BITS) - 0.01f) / side : 0;
    for (size_t i = first; i < last; i++) {
        const Sphere *s = &sequence->scene->spheres[sequence->coded[i].index];
        sequence->coded[i].code =
            morton_code((uint32_t)((s->x - box->min[0]) * cells), (uint32_t)((s->y - box->min[1]) * cells),
                        (uint32_t)((s->z - box->min[2]) * cells));
    }
}

static void count_digits(const Coded *coded, size_t first, size_t last, int shift, uint32_t *counts) {
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t i = first; i < last; i++)
        counts[coded[i].code >> shift & (DIGITS - 1)]++;
}

/* Where each part of each digit goes. */
static void place_digits(uint32_t (*counts)[DIGITS], size_t parts) {
    uint32_t next = 0;
    for (size_t digit = 0; digit < DIGITS; digit++)
        for (size_t part = 0; part < parts; part++) {
            const uint32_t here = counts[part][digit];
            counts[part][digit] = next;
            next += here;
        }
}

/* A sequence that is sorted part by part. */
typedef struct Sorting {
    Sequence *sequence;
    size_t parts;
    uint32_t (*counts)[DIGITS]; /* of each part */
    Box *boxes;                 /* around the centres of each */
    Box box;                    /* around all of them */
    int shift;
} Sorting;

static size_t part_begins(const Sorting *sorting, size_t part) {
    return sorting->sequence->count * part / sorting->parts;
}

static void bound_part(const void *job, size_t part, size_t thread) {
    const Sorting *sorting = job;
    (void)thread;
    sorting->boxes[part] = centres_of(sorting->sequence, part_begins(sorting, part), part_begins(sorting, part + 1));
}

static void code_part(const void *job, size_t part, size_t thread) {
    const Sorting *sorting = job;
    (void)thread;
    code(sorting->sequence, part_begins(sorting, part), part_begins(sorting, part + 1), &sorting->box);
}

static void count_part(const void *job, size_t part, size_t thread) {
    const Sorting *sorting = job;
    (void)thread;
    count_digits(sorting->sequence->coded, part_begins(sorting, part), part_begins(sorting, part + 1), sorting->shift,
                 sorting->counts[part]);
}

static void scatter_part(const void *job, size_t part, size_t thread) {
    const Sorting *sorting = job;
    const Coded *coded = sorting->sequence->coded;
    uint32_t *next = sorting->counts[part];
    (void)thread;
    for (size_t i = part_begins(sorting, part); i < part_begins(sorting, part + 1); i++)
        sorting->sequence->scratch[next[coded[i].code >> sorting->shift & (DIGITS - 1)]++] = coded[i];
}

/* `queue` NULL: there is one part, and no other thread helps. */
static void do_parts(Queue *queue, TeamWork *work, const Sorting *sorting) {
    if (queue)
        cpu_share(queue, sorting->parts, work, sorting);
    else
        work(sorting, 0, 0);
}

void codes_sort(Queue *queue, Sequence *sequence, uint32_t (*counts)[DIGITS], size_t parts) {
    if (parts == 0)
        return;
    Box boxes[CODES_PARTS_MAX];
    for (size_t i = 0; i < parts; i++)
        boxes[i] = nowhere;
    Sorting sorting = {sequence, parts, counts, boxes, nowhere, 0};
    do_parts(queue, bound_part, &sorting);
    for (size_t i = 0; i < parts; i++)
        box_add(&sorting.box, boxes[i].min, boxes[i].max);
    do_parts(queue, code_part, &sorting);
    for (; sorting.shift < 3 * AXIS_BITS; sorting.shift += DIGIT_BITS) {
        do_parts(queue, count_part, &sorting);
        place_digits(counts, parts);
        do_parts(queue, scatter_part, &sorting);
        Coded *sorted = sequence->scratch;
        sequence->scratch = sequence->coded;
        sequence->coded = sorted;
    }
}
