/* rows.c: rows on all cores; a row reads each rim once. */
#include "core/device/backend.h"
#include "core/ops/heal.h"
#include "cpu/team.h"

#include <string.h>

enum { RIM_MAX = 3217 /* places on the largest rim */, CHANNELS_MAX = 4 };

typedef struct Rim {
    int count;
    double x[RIM_MAX], y[RIM_MAX], differences[RIM_MAX][CHANNELS_MAX];
} Rim;

static size_t nearest(int at, size_t count) {
    return (size_t)heal_nearest(at, (int)count);
}

static double patch_value(ImageView in, const HealSpot *spot, int x, int y, int c) {
    return spot->across == 0 && spot->down == 0
               ? 0
               : view_value(in, nearest(x + spot->across, in.shape.width), nearest(y + spot->down, in.shape.height), c);
}

static void read_rim(ImageView in, const HealSpot *spot, Rim *rim) {
    rim->count = heal_rim(spot);
    for (int k = 0; k < rim->count; k++) {
        heal_place(spot, k, rim->count, &rim->x[k], &rim->y[k]);
        const int x = heal_nearest(rim->x[k], (int)in.shape.width), y = heal_nearest(rim->y[k], (int)in.shape.height);
        for (int c = 0; c < in.shape.channels; c++)
            rim->differences[k][c] = view_value(in, (size_t)x, (size_t)y, c) - patch_value(in, spot, x, y, c);
    }
}

static void heal_pixel(const Stage *stage, const HealSpot *spot, const Rim *rim, int x, int y) {
    const int channels = stage->out.shape.channels;
    double sums[CHANNELS_MAX] = {0}, weights = 0;
    for (int k = 0; k < rim->count; k++) {
        const double weight = heal_weight(x, y, rim->x[k], rim->y[k]);
        for (int c = 0; c < channels; c++)
            sums[c] += weight * rim->differences[k][c];
        weights += weight;
    }
    for (int c = 0; c < channels; c++)
        view_set_value(stage->out, (size_t)x, (size_t)y, c,
                       patch_value(stage->in[0], spot, x, y, c) + sums[c] / weights);
}

static void row(const Stage *stage, size_t at) {
    const HealJob *job = heal_job(stage);
    const Shape shape = stage->out.shape;
    const int y = (int)at;
    Rim rim;
    memcpy(view_row(stage->out, at), view_row(stage->in[0], at), shape_row_bytes(shape));
    for (int i = 0; i < job->count; i++) {
        const HealSpot *spot = &job->spots[i];
        if (!(fabs(y - spot->y) < spot->radius))
            continue;
        const int last = heal_nearest(spot->x + spot->radius, (int)shape.width);
        rim.count = 0; /* not read yet */
        for (int x = heal_nearest(spot->x - spot->radius, (int)shape.width); x <= last; x++) {
            if (heal_spot(job, x, y) != i)
                continue;
            if (rim.count == 0)
                read_rim(stage->in[0], spot, &rim);
            heal_pixel(stage, spot, &rim, x, y);
        }
    }
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, row);
    return STATUS_OK;
}

const Level cpu_heal_rows = {
    .op = &op_heal,
    .name = "rows",
    .idea = "rows on all cores, copied but for the spots; a row reads each rim once",
    .run = run,
};
