/* ceiling.c: copies and multiply-adds, the best of many. */
#include "core/device/ceiling.h"

#include "core/base/timing.h"

#include <math.h>

enum { COPIES_FEW = 6, COPIES_MAX = 64 };
#define COPY_BYTES (64 << 20) /* more than caches hold, and quick to copy */
#define COPY_MS    25.0
#define IDLE_SHARE 0.85 /* of the processor time that its threads could have had: with less, others had the rest */

/* Whether the threads of a CPU had to wait for other programs between two moments; other devices work by themselves. */
static bool was_busy(const Device *device, double wall_ms, double used_ms) {
    return device->backend->host_frames && used_ms < IDLE_SHARE * wall_ms * device->threads;
}

static void note(Ceiling *ceiling, double rate, bool busy) {
    ceiling->rate = fmax(ceiling->rate, rate);
    ceiling->busy = busy;
    ceiling->tries++;
}

static Status time_copies(Queue *queue, Frame from, Frame to, double *min) {
    const Backend *backend = queue->device->backend;
    const double begin = clock_ms();
    *min = INFINITY; /* frames are zeroed: their memory is there */
    for (int i = 0; i < COPIES_MAX && (i == 0 || clock_ms() - begin < (i < COPIES_FEW ? 2 : 1) * COPY_MS); i++) {
        double ms;
        TRY(backend->mark(queue, 0));
        TRY(backend->copy(queue, from, to));
        TRY(backend->mark(queue, 1));
        TRY(backend->sync(queue));
        TRY(backend->elapsed(queue, 0, 1, &ms));
        *min = fmin(*min, ms);
    }
    return STATUS_OK;
}

Status ceiling_measure_copies(Queue *queue, Shape shape, Ceiling *ceiling) {
    const Backend *backend = queue->device->backend;
    const size_t rows = COPY_BYTES / shape_row_bytes(shape);
    Frame from = {0}, to = {0};
    double min = 0;
    shape.height = rows < 1 ? 1 : rows < shape.height ? rows : shape.height;
    Status status = backend->frame_create(queue->device, shape, &from);
    if (status == STATUS_OK)
        status = backend->frame_create(queue->device, shape, &to);
    const double wall = clock_ms(), used = clock_process_ms();
    if (status == STATUS_OK)
        status = time_copies(queue, from, to, &min);
    const bool busy = was_busy(queue->device, clock_ms() - wall, clock_process_ms() - used);
    backend->frame_destroy(queue->device, &from);
    backend->frame_destroy(queue->device, &to);
    if (status == STATUS_OK)
        note(ceiling, 2 * (double)shape_bytes(shape) / fmax(min, 1e-6) * 1e3, busy);
    return status;
}

Status ceiling_measure_flops(Queue *queue, Ceiling *ceiling) {
    double rate = 0;
    const double wall = clock_ms(), used = clock_process_ms();
    const Telemetry *telemetry = backend_telemetry(queue->device->backend);
    if (telemetry->peak)
        TRY(telemetry->peak(queue, &rate));
    note(ceiling, rate, telemetry->peak && was_busy(queue->device, clock_ms() - wall, clock_process_ms() - used));
    return STATUS_OK;
}

bool ceiling_doubtful(const Ceiling *ceiling, double reached) {
    const bool again = ceiling->busy || (ceiling->rate > 0 && reached > ceiling->rate);
    return ceiling->tries == 0 || (again && ceiling->tries < CEILING_TRIES);
}
