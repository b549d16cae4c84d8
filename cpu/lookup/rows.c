/* rows.c: looking up by rows, shared out among the cores. A curve of bytes that is a line is reckoned: 16 bits hold all
 * sums, and the vectors of any instruction set multiply them. */
#include "core/ops/histogram.h"
#include "cpu/isa.h"
#include "cpu/lookup/row.h"
#include "cpu/team.h"

#include <string.h>

typedef struct LineJob {
    const LookupRows *rows;
    const Stage *stage;
    LookupLine line;
} LineJob;

/* The line between the last value of the first result and the first value of the last, where it gives every result. */
static bool find_line(const LookupRows *rows, const uint8_t curve[256], LookupLine *line) {
    int from = 0, to = 255, shift = 0;
    uint8_t values[256], results[256];
    while (from < 255 && curve[from + 1] == curve[0])
        from++;
    while (to > 0 && curve[to - 1] == curve[255])
        to--;
    if (to <= from || curve[255] <= curve[0])
        return false;
    const int run = to - from;
    while (run >> (shift + 1) > 0)
        shift++;
    const int64_t inverse = (((int64_t)1 << (16 + shift)) + run - 1) / run;
    *line = (LookupLine){(uint8_t)from,
                         (uint8_t)run,
                         curve[0],
                         (uint16_t)(curve[255] - curve[0]),
                         (uint16_t)(inverse < UINT16_MAX ? inverse : UINT16_MAX),
                         shift};
    for (int v = 0; v < 256; v++)
        values[v] = (uint8_t)v;
    rows->by_line(line, values, results, sizeof values);
    return memcmp(results, curve, sizeof results) == 0;
}

static void line_row(const void *context, size_t y) {
    const LineJob *job = context;
    const Shape shape = job->stage->out.shape;
    job->rows->by_line(&job->line, view_row(job->stage->in[0], y), view_row(job->stage->out, y),
                       shape.width * (size_t)shape.channels);
}

/* A picture that already reaches from black to white is stretched so. The C library copies rows without reading what it
 * writes over. */
static bool is_identity(const uint8_t curve[256]) {
    int v = 0;
    while (v < 256 && curve[v] == v)
        v++;
    return v == 256;
}

static void copied_row(const Stage *stage, size_t y) {
    memcpy(view_row(stage->out, y), view_row(stage->in[0], y), shape_row_bytes(stage->out.shape));
}

static Status run(Queue *queue, const Stage *stage) {
    const LookupRows *const sets[ISA_LEVELS] = {&lookup_rows_portable, &lookup_rows_avx2, &lookup_rows_avx512};
    const Shape shape = stage->out.shape;
    const bool is_plain = !lookup_job(stage)->luma && !shape_has_alpha(shape) && stage->in[1].shape.height == 1;
    LineJob job = {.rows = sets[isa_detect()], .stage = stage};
    if (shape.type == PIXEL_U8 && is_plain && is_identity(view_row(stage->in[1], 0)))
        cpu_share_stage(queue, stage, copied_row);
    else if (shape.type == PIXEL_U8 && is_plain && find_line(job.rows, view_row(stage->in[1], 0), &job.line))
        cpu_share_result(queue, shape.height, line_row, &job);
    else
        cpu_share_stage(queue, stage, job.rows->by_table[shape.type][shape.channels - 1]);
    return STATUS_OK;
}

const Level cpu_lookup_rows = {
    .op = &op_lookup,
    .name = "rows",
    .idea = "rows on all cores, by loops for each type; bytes by vectors, 64 at once",
    .run = run,
};
