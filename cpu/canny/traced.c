/* traced.c: slopes once for each pixel, the rows shared out among the cores; then edges followed from their strong
 * pixels by a stack, which takes each pixel once. */
#include "core/backend.h"
#include "cpu/canny/slopes.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum { NOTHING, WEAK, EDGE };

/* Magnitudes and classes have a rim of one pixel: no magnitude, nothing. */
typedef struct Maps {
    double *magnitudes; /* later the stack, as size_t */
    unsigned char *directions, *classes;
    size_t pitch, rows;
} Maps;

static Maps maps_of(Shape shape, char *memory) {
    Maps maps = {.pitch = shape.width + 2, .rows = shape.height + 2};
    const size_t count = maps.pitch * maps.rows;
    maps.magnitudes = (double *)(void *)memory;
    maps.directions = (unsigned char *)(memory + count * sizeof(double));
    maps.classes = maps.directions + count;
    return maps;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return (stage->in[0].shape.width + 2) * (stage->in[0].shape.height + 2) * (sizeof(double) + 2);
}

/* Inside the picture, where no tap asks for the border. */
#define SLOPES(Type)                                                                                                   \
    static CannySlope slope_##Type(const char *pixel, size_t stride, int colours, int channels) {                      \
        CannySlope greatest = {0, 0, 0};                                                                               \
        for (int c = 0; c < colours; c++) {                                                                            \
            double values[9];                                                                                          \
            for (int j = 0; j < 3; j++) {                                                                              \
                const Type *row = (const Type *)(const void *)(pixel + (size_t)j * stride) + c;                        \
                for (int i = 0; i < 3; i++)                                                                            \
                    values[3 * j + i] = (double)row[i * channels];                                                     \
            }                                                                                                          \
            const CannySlope slope = canny_slope(values);                                                              \
            if (c == 0 || slope.magnitude > greatest.magnitude)                                                        \
                greatest = slope;                                                                                      \
        }                                                                                                              \
        return greatest;                                                                                               \
    }
SLOPES(uint8_t)
SLOPES(uint16_t)
SLOPES(float)

static void find_slopes(const Stage *stage, size_t y, const Maps *maps) {
    static CannySlope (*const slopes[PIXEL_TYPES])(const char *, size_t, int, int) = {slope_uint8_t, slope_uint16_t,
                                                                                      slope_float};
    const ImageView in = stage->in[0];
    const int channels = in.shape.channels, colours = channels - canny_job(stage)->alpha;
    const size_t size = (size_t)channels * pixel_type_size(in.shape.type), at = (y + 1) * maps->pitch + 1;
    const bool inside = y > 0 && y + 1 < in.shape.height;
    for (size_t x = 0; x < in.shape.width; x++) {
        const bool inner = inside && x > 0 && x + 1 < in.shape.width;
        const CannySlope slope = inner ? slopes[in.shape.type]((const char *)view_row(in, y - 1) + (x - 1) * size,
                                                               in.stride, colours, channels)
                                       : canny_slope_at(stage, (ptrdiff_t)x, (ptrdiff_t)y);
        maps->magnitudes[at + x] = slope.magnitude;
        maps->directions[at + x] = (unsigned char)canny_direction(slope);
    }
}

static void find_peaks(const Stage *stage, size_t y, const Maps *maps) {
    const CannyJob *job = canny_job(stage);
    for (size_t x = 0; x < stage->in[0].shape.width; x++) {
        const size_t at = (y + 1) * maps->pitch + x + 1;
        const CannyDirection direction = (CannyDirection)maps->directions[at];
        const ptrdiff_t step = canny_step_y(direction) * (ptrdiff_t)maps->pitch + canny_step_x(direction);
        const double *here = maps->magnitudes + at;
        const bool peak = *here > job->low && canny_peak(direction, *here, here[step], here[-step]);
        maps->classes[at] = !peak ? NOTHING : *here > job->high ? EDGE : WEAK;
    }
}

/* From each strong pixel to the weak ones around it, which then are as strong. */
static void trace(const Maps *maps) {
    size_t *stack = (size_t *)(void *)maps->magnitudes, height = 0;
    const ptrdiff_t pitch = (ptrdiff_t)maps->pitch;
    const ptrdiff_t around[8] = {-pitch - 1, -pitch, -pitch + 1, -1, 1, pitch - 1, pitch, pitch + 1};
    for (size_t at = 0; at < maps->pitch * maps->rows; at++)
        if (maps->classes[at] == EDGE)
            stack[height++] = at;
    while (height > 0) {
        const size_t at = stack[--height];
        for (int k = 0; k < 8; k++) {
            const size_t next = at + (size_t)around[k];
            if (maps->classes[next] == WEAK) {
                maps->classes[next] = EDGE;
                stack[height++] = next;
            }
        }
    }
}

static void clear_rim(const Maps *maps) {
    for (size_t y = 0; y < maps->rows; y++)
        for (size_t x = 0; x < maps->pitch; x += y == 0 || y == maps->rows - 1 ? 1 : maps->pitch - 1) {
            maps->magnitudes[y * maps->pitch + x] = 0;
            maps->classes[y * maps->pitch + x] = NOTHING;
        }
}

typedef struct Shared {
    const Stage *stage;
    const Maps *maps;
} Shared;

static void slopes_row(const void *work, size_t y) {
    const Shared *shared = work;
    find_slopes(shared->stage, y, shared->maps);
}
static void peaks_row(const void *work, size_t y) {
    const Shared *shared = work;
    find_peaks(shared->stage, y, shared->maps);
}
static void store_row(const void *work, size_t y) {
    const Shared *shared = work;
    const Maps *maps = shared->maps;
    for (size_t x = 0; x < shared->stage->in[0].shape.width; x++)
        canny_store(shared->stage, x, y, maps->classes[(y + 1) * maps->pitch + x + 1] == EDGE);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    char *memory;
    _Static_assert(sizeof(size_t) <= sizeof(double), "the stack has room");
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&memory));
    const Maps maps = maps_of(shape, memory);
    clear_rim(&maps);
    const Shared shared = {stage, &maps};
    cpu_share_rows(queue, shape.height, slopes_row, &shared);
    cpu_share_rows(queue, shape.height, peaks_row, &shared);
    trace(&maps);
    cpu_share_rows(queue, shape.height, store_row, &shared);
    return STATUS_OK;
}

const Level cpu_canny_traced = {
    .op = &op_canny,
    .name = "traced",
    .idea = "slopes once a pixel by all cores, then edges followed from strong pixels by a stack, each pixel once",
    .workspace = workspace,
    .run = run,
};
