/* backend.c: the CPU as a backend: frames are host memory, the queue is the program itself. */
#include "cpu/backend.h"

#include "core/base/memory.h"
#include "core/base/pages.h"
#include "core/base/share.h"
#include "core/base/timing.h"
#include "core/device/experiment.h"
#include "core/device/guests.h"
#include "cpu/device.h"
#include "cpu/formula/codes.h"
#include "cpu/isa.h"
#include "cpu/peak.h"
#include "cpu/team.h"
#include "cpu/trace/bvh16.h"
#include "cpu/trace/ray_counters.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = SHARE_CORES_MAX };

/* The processor's name as /proc/cpuinfo gives it; "CPU" where it does not. */
static void processor_name(char *name, size_t size) {
    snprintf(name, size, "CPU");
    FILE *info = fopen("/proc/cpuinfo", "r");
    if (!info)
        return;
    char line[256];
    while (fgets(line, sizeof line, info))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            const char *value = strchr(line, ':') + 1;
            value += strspn(value, " \t");
            snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
            break;
        }
    fclose(info);
}

static Status count_devices(int *count) {
    *count = 1;
    return STATUS_OK;
}

static Status open_cpu(int index, int threads, Device **device) {
    *device = NULL;
    if (index != 0)
        return fail(STATUS_DEVICE, "the cpu backend has device 0 only, not %d", index);
    if (threads < 0 || threads > THREADS_MAX)
        return fail(STATUS_USAGE, "threads: %d, want 1 to %d, or 0 for all cores", threads, THREADS_MAX);
    Device *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a device");
    device_init(made, &cpu_backend);
    made->threads = threads > 0 ? threads : (int)share_cores();
    char name[80];
    processor_name(name, sizeof name);
    snprintf(made->name, sizeof made->name, "%s, %d thread%s, %s", name, made->threads, made->threads == 1 ? "" : "s",
             isa_label(isa_detect()));
    snprintf(made->id, sizeof made->id, "%s", made->name);
    *device = made;
    return STATUS_OK;
}

static void close_cpu(Device **device) {
    free(*device);
    *device = NULL;
}

static Status measure_memory(Device *device, size_t *available, size_t *total) {
    (void)device;
    const long page = sysconf(_SC_PAGESIZE), free_pages = sysconf(_SC_AVPHYS_PAGES), pages = sysconf(_SC_PHYS_PAGES);
    if (page < 0 || free_pages < 0 || pages < 0)
        return fail(STATUS_DEVICE, "the system does not tell how much memory it has: %m");
    *available = (size_t)free_pages * (size_t)page;
    *total = (size_t)pages * (size_t)page;
    return STATUS_OK;
}

static Status queue_create(Device *device, Queue **queue) {
    (void)device;
    CpuQueue *made = calloc(1, sizeof *made);
    *queue = (Queue *)made;
    return made ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a queue");
}

static void queue_destroy(Queue **queue) {
    team_free(&((CpuQueue *)*queue)->team);
    formula_codes_free(&((CpuQueue *)*queue)->formulas);
    pages_destroy(((CpuQueue *)*queue)->scratch, ((CpuQueue *)*queue)->scratch_bytes);
    free(*queue);
    *queue = NULL;
}

/* Rows begin on 64-byte boundaries. */
static size_t frame_stride(Shape shape) {
    return (shape_row_bytes(shape) + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
}

static Status frame_clear(Device *device, Frame frame) {
    (void)device;
    memset(frame.pixels, 0, frame.stride * frame.shape.height);
    return STATUS_OK;
}

static Status frame_create(Device *device, Shape shape, Frame *frame) {
    (void)device;
    *frame = (Frame){0};
    TRY(shape_check(shape));
    const size_t stride = frame_stride(shape);
    void *pixels;
    TRY(pages_create(memory_product(stride, shape.height), &pixels));
    *frame = (Frame){shape, stride, pixels};
    return STATUS_OK;
}

static void frame_destroy(Device *device, Frame *frame) {
    (void)device;
    pages_destroy(frame->pixels, frame->stride * frame->shape.height);
    *frame = (Frame){0};
}

typedef struct Copy {
    Frame from, to;
} Copy;

static void copy_row(const void *copy, size_t y) {
    const Copy *frames = copy;
    memcpy(view_row(frames->to, y), view_row(frames->from, y), shape_row_bytes(frames->from.shape));
}

/* Copies are whole: they are short, and callers keep what they copied although the run that follows is stopped. */
static Status copy_rows(Queue *queue, size_t rows, TeamRow *work, const void *job) {
    const Stop *const stop = queue->stop;
    queue->stop = NULL;
    cpu_share_rows(queue, rows, work, job);
    queue->stop = stop;
    return STATUS_OK;
}

static Status copy(Queue *queue, Frame from, Frame to) {
    return copy_rows(queue, from.shape.height, copy_row, &(Copy){from, to});
}

typedef struct Arranging {
    Shape shape;
    Places from, to;
} Arranging;

static void arrange_row(const void *arranging, size_t y) {
    const Arranging *all = arranging;
    places_copy_row(all->shape, places_from(all->from, y, 0), places_from(all->to, y, 0));
}

static Status arrange(Queue *queue, Shape shape, Places from, Places to) {
    return copy_rows(queue, shape.height, arrange_row, &(Arranging){shape, from, to});
}

static Status mark(Queue *queue, int number) {
    ((CpuQueue *)queue)->marks[number] = clock_ms();
    return STATUS_OK;
}

static Status elapsed(Queue *queue, int from, int to, double *ms) {
    const double *marks = ((CpuQueue *)queue)->marks;
    *ms = marks[to] - marks[from];
    return STATUS_OK;
}

static Status sync_cpu(Queue *queue) {
    (void)queue;
    return STATUS_OK;
}

#define LEVEL(operation, name) extern const Level cpu_##operation##_##name;
#include "cpu/levels.def"
#undef LEVEL

static const Level *const levels[] = {
#define LEVEL(operation, name) &cpu_##operation##_##name,
#include "cpu/levels.def"
#undef LEVEL
};

#define EXPERIMENT(name) extern const Experiment cpu_machine_##name;
#include "cpu/course/machine/experiments.def"
#undef EXPERIMENT

static const Experiment *const experiment_list[] = {
#define EXPERIMENT(name) &cpu_machine_##name,
#include "cpu/course/machine/experiments.def"
#undef EXPERIMENT
};
static const Experiments experiments = {experiment_list, sizeof experiment_list / sizeof experiment_list[0]};

static const TraceTools trace_tools = {.build = cpu_build, .refit = cpu_refit, .count_rays = cpu_count_rays};
static const Telemetry telemetry = {.peak = cpu_peak};
static const Guests guests = {.arrange = arrange};

const Backend cpu_backend = {
    .name = "cpu",
    .help = "the processor's cores and vector units",
    .levels = levels,
    .level_count = sizeof levels / sizeof levels[0],
    .host_frames = true,
    .device_count = count_devices,
    .open = open_cpu,
    .close = close_cpu,
    .memory = measure_memory,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .frame_create = frame_create,
    .frame_destroy = frame_destroy,
    .frame_stride = frame_stride,
    .frame_clear = frame_clear,
    .upload = copy,
    .download = copy,
    .copy = copy,
    .mark = mark,
    .elapsed = elapsed,
    .sync = sync_cpu,
    .trace = &trace_tools,
    .telemetry = &telemetry,
    .experiments = &experiments,
    .guests = &guests,
};
