/* separable.c: a result row at a time: the input's rows weighed into one, then that along itself. */
#include "cpu/resample/tables.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

static size_t row_bytes(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    return (in.width * (size_t)in.channels * sizeof(double) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return row_bytes(stage) * (size_t)device->threads;
}

static void add_row(ImageView in, size_t y, double weight, double *sums) {
    const size_t values = in.shape.width * (size_t)in.shape.channels;
    const void *row = view_row(in, y);
    switch (in.shape.type) {
    case PIXEL_U8:
        for (size_t i = 0; i < values; i++)
            sums[i] += weight * (double)((const uint8_t *)row)[i];
        break;
    case PIXEL_U16:
        for (size_t i = 0; i < values; i++)
            sums[i] += weight * (double)((const uint16_t *)row)[i];
        break;
    default:
        for (size_t i = 0; i < values; i++)
            sums[i] += weight * (double)((const float *)row)[i];
    }
}

static void process_row(const Stage *stage, const ResampleTables *tables, size_t y, double *sums) {
    const ResampleTable *across = tables->x, *down = tables->y;
    const ImageView in = stage->in[0];
    const size_t channels = (size_t)in.shape.channels, taps = (size_t)across->taps;
    const double bias = stage->out.shape.type == PIXEL_F32 ? 0 : TIE_BIAS;
    for (size_t i = 0; i < in.shape.width * channels; i++)
        sums[i] = 0;
    for (int j = 0; j < down->taps; j++)
        add_row(in, (size_t)down->first[y] + (size_t)j, down->weights[y * (size_t)down->taps + (size_t)j], sums);
    for (size_t x = 0; x < stage->out.shape.width; x++)
        for (size_t c = 0; c < channels; c++) {
            const double *from = sums + (size_t)across->first[x] * channels + c, *weights = across->weights + x * taps;
            double sum = 0;
            for (size_t i = 0; i < taps; i++)
                sum += weights[i] * from[i * channels];
            view_set_value(stage->out, x, y, (int)c, sum + bias);
        }
}

typedef struct Shared {
    const Stage *stage;
    const ResampleTables *tables;
} Shared;

enum { ROWS = 4 }; /* taken by a thread together */

static void process_rows(const void *job, size_t x, size_t y, void *scratch) {
    const Shared *shared = job;
    const size_t height = shared->stage->out.shape.height;
    (void)x;
    for (size_t row = y; row < y + ROWS && row < height; row++)
        process_row(shared->stage, shared->tables, row, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    ResampleTables tables;
    char *scratch;
    const size_t bytes = row_bytes(stage);
    TRY(resample_tables(queue, stage, &tables));
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&scratch));
    const Shape shape = stage->out.shape;
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, shape.width, ROWS, scratch, bytes}, process_rows,
                    &(Shared){stage, &tables});
    return STATUS_OK;
}

const Level cpu_resample_separable = {
    .op = &op_resample,
    .name = "separable",
    .idea = "two passes: down the columns into one row, then along it: a window of w x h takes w + h products; cores "
            "share rows",
    .workspace = workspace,
    .run = run,
};
