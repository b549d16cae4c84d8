/* trace_rows.c: rows from all processes into one frame. */
#include "app/trace_rows.h"

#include "app/cluster/cluster.h"
#include "core/ops/keep.h"
#include "core/tracer/trace.h"

enum { ROUNDS = 4 }; /* stripes of a process: parts of a picture take different times */

static const size_t message_max = 1 << 30; /* bytes */

static Stripes rows_of(int rank, size_t height, size_t bytes) {
    const size_t count = (size_t)cluster_size(), even = (height + ROUNDS * count - 1) / (ROUNDS * count);
    const size_t max = bytes < message_max ? message_max / bytes : 1;
    return (Stripes){.height = even < max ? even : max, .index = (size_t)rank, .count = count};
}

Stripes trace_rows_own(size_t height, size_t bytes) {
    return cluster_size() > 1 ? rows_of(cluster_rank(), height, bytes) : (Stripes){0};
}

/* Sends the stripes of this process, or receives those of another one. */
static void pass_rows(ImageView view, int rank) {
    const size_t height = view.shape.height;
    const Stripes stripes = rows_of(rank, height, view.stride);
    for (size_t row = 0, left; row < stripes_rows(stripes, height); row += left) {
        unsigned char *rows = (unsigned char *)view.pixels + stripes_find(stripes, height, row, &left) * view.stride;
        if (cluster_rank() > 0)
            cluster_send(rows, left * view.stride);
        else
            cluster_receive(rank, rows, left * view.stride);
    }
}

/* In the stage's own frame. */
static Status gather_stage(const Pipeline *pipeline, size_t index) {
    const Backend *backend = pipeline_device(pipeline)->backend;
    Queue *queue = pipeline_queue(pipeline);
    const Frame frame = pipeline_stage(pipeline, index)->out;
    Image *image = NULL;
    Status status = image_create(frame.shape, &image);
    if (status == STATUS_OK)
        status = backend->download(queue, frame, image->view);
    if (status == STATUS_OK)
        status = backend->sync(queue);
    status = cluster_agree(status);
    if (status == STATUS_OK && cluster_rank() > 0)
        pass_rows(image->view, cluster_rank());
    for (int rank = 1; status == STATUS_OK && cluster_rank() == 0 && rank < cluster_size(); rank++)
        pass_rows(image->view, rank);
    if (status == STATUS_OK && cluster_rank() == 0)
        status = backend->upload(queue, image->view, frame);
    if (status == STATUS_OK)
        status = backend->sync(queue);
    image_destroy(&image);
    return cluster_agree(status);
}

Status trace_rows_gather(Progressive *progressive) {
    const Pipeline *pipeline = progressive->pipeline;
    const Op *const gathered[] = {&op_trace, &op_keep};
    if (cluster_size() == 1)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof gathered / sizeof *gathered; i++) {
        const size_t index = pipeline_find_stage(pipeline, gathered[i]);
        if (index < pipeline_stage_count(pipeline))
            TRY(gather_stage(pipeline, index));
    }
    progressive->done = (uint32_t)cluster_min((int)progressive->done);
    return STATUS_OK;
}
