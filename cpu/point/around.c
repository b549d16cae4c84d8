/* around.c: the points that go along with another operation. */
#include "cpu/point/around.h"

#include "core/stage/op.h"

/* A row of a picture, from x on. */
static Frame row_of(Frame frame, size_t x, size_t y, size_t count) {
    return frame.pixels ? view_crop(frame, x, y, count, 1) : frame;
}

static Stage row_stage(const Stage *stage, size_t x, size_t y, size_t count) {
    Stage row = *stage;
    for (int k = 0; k < STAGE_INPUTS; k++)
        row.in[k] = row_of(stage->in[k], x, y, count);
    row.out = row_of(stage->out, x, y, count);
    return row;
}

/* A row of its own, of pixels of this shape. */
static Frame row_at(void *pixels, Shape shape, size_t count) {
    shape.width = count;
    shape.height = 1;
    return (Frame){shape, shape_row_bytes(shape), pixels};
}

Status points_around_create(Queue *queue, const Stage *stage, PointsAround *around) {
    const StagePoints *const with = stage->points;
    *around = (PointsAround){.row = point_row_vectors()};
    if (with->before) {
        around->before = (Stage){.op = &op_point, .job = with->before, .out.shape = with->in};
        for (int k = 0; k < op_inputs(&op_point, with->before); k++)
            around->before.in[k] = stage->in[k];
        TRY(point_program(queue, &around->before, true, &around->before_program));
    } else {
        around->before.in[0] = stage->in[0];
    }
    around->after.out = stage->out;
    if (!with->after)
        return STATUS_OK;
    around->after.op = &op_point;
    around->after.job = with->after;
    for (int k = 0; k < op_inputs(&op_point, with->after); k++)
        if (with->reads[k] == STAGE_MADE) {
            around->made = k;
            around->after.in[k].shape = with->out;
        } else {
            around->after.in[k] = stage->in[with->reads[k]];
        }
    return point_program(queue, &around->after, true, &around->after_program);
}

static void run_row(const PointsAround *around, const Stage *row, const PointProgram *program) {
    PointScratch scratch;
    around->row(row, program, 0, &scratch);
}

const void *points_around_read(const PointsAround *around, size_t x, size_t y, size_t count, void *room) {
    Stage row = row_stage(&around->before, x, y, count);
    if (!around->before.job)
        return row.in[0].pixels;
    row.out = row_at(room, around->before.out.shape, count);
    run_row(around, &row, around->before_program);
    return room;
}

void points_around_write(const PointsAround *around, size_t x, size_t y, size_t count, void *made) {
    Stage row = row_stage(&around->after, x, y, count);
    row.in[around->made] = row_at(made, around->after.in[around->made].shape, count);
    run_row(around, &row, around->after_program);
}
