/* op_parts.h: how an operation takes part where a picture passes in strips of rows (core/run/strips.h).
 * Owns the functions that an operation offers for that. An operation without a join, a cut or a place offers none of
 * them. A part of its input then makes the same rows of its result as all of it, as far as `Op.needs` reaches. */
#ifndef GLINT_CORE_STAGE_OP_PARTS_H
#define GLINT_CORE_STAGE_OP_PARTS_H

#include "core/stage/op.h"

/* Rows of a picture that pass by themselves; they overlap those of their neighbours. */
typedef struct PartPlace {
    size_t top, rows; /* the first in the picture, how many */
    size_t from;      /* the first of an operation's input, in the picture that this is: `top` if it has as many */
    ptrdiff_t before, after; /* where the neighbours begin, which have as many; negative: there is none */
    size_t margin;           /* rows next to a neighbour that are wrong: others, beyond, would have told them */
} PartPlace;

#define STITCH_MAX ((size_t)INT32_MAX) /* pixels of a table */

/* Every member may be NULL. */
typedef struct OpParts {
    /* Adds to the result of a part of a picture the result of another part. Bits are the same as for both at once,
     * unless `joins` (NULL: always) says no. NULL: a part tells nothing of the whole. */
    void (*join)(ImageView result, ImageView part);
    bool (*joins)(const Stage *stage);
    /* Instead of `join`: adds the result of part number `part`, from 0, to a table of the results of all, which is 0 at
     * first. Neighbouring parts have half of their rows in common. */
    void (*stitch)(ImageView table, size_t part, ImageView result); /* of a table of up to STITCH_MAX pixels */
    void (*settle)(ImageView table); /* all parts were added; each then gets its rows for its result */
    /* Makes a job for `rows` of the result out of a job for all of a picture of this shape. The whole result may have
     * more or fewer rows than the picture. `place` says which rows, unless the result has as many rows as the picture:
     * then the part is a picture by itself. NULL: parts have as many rows as their results, or there are none. */
    void (*cut)(void *job, Shape picture, size_t rows);
    /* Tells the job of a picture's part, made for the whole (plan_whole_shape), where it lies. NULL: that makes no
     * difference. */
    void (*place)(void *job, const PartPlace *part);
    /* The rows of results that a level may make at once, from the first row on. The last bits of a row depend on the
     * inputs of the others. NULL: on its own inputs alone. */
    size_t (*rows_together)(const void *job);
} OpParts;

/* The operation's parts; with all members NULL if it offers none. */
const OpParts *op_parts(const Op *op);
/* Whether the results of a picture's parts come to that of the picture. */
bool stage_gathers(const Stage *stage);
void counts_join(ImageView result, ImageView part); /* OpParts.join: counts, PIXEL_U32, added up */

#endif
