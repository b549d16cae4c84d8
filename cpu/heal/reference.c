/* reference.c: the definition of a spot that is filled in. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/heal.h"

static double read(ImageView in, int x, int y, int c) {
    return view_value(in, (size_t)heal_nearest(x, (int)in.shape.width), (size_t)heal_nearest(y, (int)in.shape.height),
                      c);
}

static double healed(ImageView in, const HealSpot *spot, int x, int y, int c) {
    const bool patched = spot->across != 0 || spot->down != 0;
    const int count = heal_rim(spot);
    double sum = 0, weights = 0;
    for (int k = 0; k < count; k++) {
        double u, v;
        heal_place(spot, k, count, &u, &v);
        const int column = heal_nearest(u, (int)in.shape.width), row = heal_nearest(v, (int)in.shape.height);
        const double weight = heal_weight(x, y, u, v);
        const double patch = patched ? read(in, column + spot->across, row + spot->down, c) : 0;
        sum += weight * (read(in, column, row, c) - patch);
        weights += weight;
    }
    return (patched ? read(in, x + spot->across, y + spot->down, c) : 0) + sum / weights;
}

static Status run(Queue *queue, const Stage *stage) {
    const HealJob *job = heal_job(stage);
    const ImageView in = stage->in[0];
    (void)queue;
    for (size_t y = 0; y < in.shape.height; y++)
        for (size_t x = 0; x < in.shape.width; x++) {
            const int spot = heal_spot(job, (int)x, (int)y);
            for (int c = 0; c < in.shape.channels; c++)
                view_set_value(stage->out, x, y, c,
                               spot < 0 ? view_value(in, x, y, c) : healed(in, &job->spots[spot], (int)x, (int)y, c));
        }
    return STATUS_OK;
}

const Level cpu_heal_reference = {
    .op = &op_heal,
    .name = "reference",
    .idea = "every place on the rim for every pixel; every other level is checked against it",
    .run = run,
};
