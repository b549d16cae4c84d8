/* work.c: the order of a work's stages, and its contents in each. */
#include "app/batch/work.h"

#include <assert.h>

/* The contents of a work. */
typedef enum Holding {
    HOLDS_NOTHING,
    HOLDS_PIXELS,  /* `image` */
    HOLDS_ENCODED, /* `encoded`, and an `image` without pixels */
    HOLDS_FRAME,   /* `encoded`, an `image` without pixels, and the `frame` that a device has decoded it into */
    HOLDS_ODD      /* anything else */
} Holding;

#define BIT(of) (1U << (of))

enum {
    EMPTY = BIT(HOLDS_NOTHING),
    PICTURE = BIT(HOLDS_PIXELS) | BIT(HOLDS_FRAME),
    RESULT = BIT(HOLDS_PIXELS) | BIT(HOLDS_ENCODED)
};

/* By stage, the bits of the stages before it, and of the holdings of a work that passes whole, or by rows. 0: it never
 * is there. DONE follows every stage; all but a frame is freed
 * there. */
static const struct {
    unsigned after, whole, by_rows;
} rules[WORK_STAGES] = {
    [WORK_OPENING] = {0, EMPTY, EMPTY},
    [WORK_PENDING] = {BIT(WORK_OPENING), EMPTY, EMPTY},
    [WORK_DECODING] = {BIT(WORK_PENDING), EMPTY, EMPTY},
    [WORK_PACKED] = {BIT(WORK_DECODING), BIT(HOLDS_ENCODED), 0},
    [WORK_REFUSED] = {BIT(WORK_PACKED), BIT(HOLDS_ENCODED), 0},
    [WORK_READY] = {BIT(WORK_DECODING) | BIT(WORK_PACKED) | BIT(WORK_REFUSED), PICTURE, EMPTY},
    [WORK_FILTERING] = {BIT(WORK_READY), PICTURE, 0},
    [WORK_PASSING] = {BIT(WORK_READY), 0, EMPTY},
    [WORK_FILTERED] = {BIT(WORK_FILTERING), RESULT, 0},
    [WORK_ENCODING] = {BIT(WORK_FILTERED), RESULT, 0},
    [WORK_WRITTEN] = {BIT(WORK_ENCODING) | BIT(WORK_PASSING), EMPTY, EMPTY},
    [WORK_DONE] = {BIT(WORK_DONE) - 1, ~BIT(HOLDS_FRAME), ~BIT(HOLDS_FRAME)},
};

static Holding holding(const Work *work) {
    const bool image = work->image != NULL, encoded = work->encoded.bytes.data != NULL,
               frame = work->frame.pixels != NULL;
    if (!image)
        return encoded || frame ? HOLDS_ODD : HOLDS_NOTHING;
    if (!encoded)
        return frame ? HOLDS_ODD : HOLDS_PIXELS;
    return frame ? HOLDS_FRAME : HOLDS_ENCODED;
}

bool work_may_move(WorkStage from, WorkStage to) {
    return (rules[to].after & BIT(from)) != 0;
}

bool work_check(const Work *work) {
    return ((work->road == ROAD_WHOLE ? rules[work->stage].whole : rules[work->stage].by_rows) & BIT(holding(work))) !=
           0;
}

void work_move(Work *work, WorkStage to) {
    assert(work_may_move(work->stage, to));
    work->stage = to;
    assert(work_check(work));
}

size_t work_picture_bytes(const Work *work) {
    const bool packed = work->stage <= WORK_DECODING ? work->wishes & WISH_DEVICE_DECODE
                                                     : work->stage == WORK_PACKED || work->stage == WORK_REFUSED;
    return work->road != ROAD_WHOLE || packed ? 0 : shape_bytes(work->shape);
}
