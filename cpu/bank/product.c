/* product.c: masks x weights by weights x pixels, tile by tile as multiply does (cpu/course/multiply/panels.h). A panel
 * of the second matrix is read from the picture: term (i, j) of neighbouring pixels is a piece of a row. */
#include "core/device/backend.h"
#include "core/ops/bank.h"
#include "core/stage/window.h"
#include "cpu/course/multiply/panels.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <string.h>

enum { TERMS = 256 /* of a round: a panel of pixels stays in the first cache */ };

typedef struct Work {
    const Stage *stage;
    const Panels *panels;
    const BankJob *job;
    BankTiles tiles;
    size_t terms, rows; /* of the masks' matrix, the rows rounded up to panels */
    size_t pitch;       /* of the plane, in values */
    size_t each;        /* values of a thread's scratch: a panel of pixels, and the sums of all masks for it */
    float *plane, *masks, *scratch;
} Work;

static size_t round_up(size_t value, size_t to) {
    return (value + to - 1) / to * to;
}
static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static Work work_of(const Stage *stage) {
    const BankJob *job = bank_job(stage);
    const Panels *panels = panels_here();
    Work work = {.stage = stage, .panels = panels, .job = job, .tiles = bank_tiles(job, stage->in[0].shape)};
    work.terms = bank_terms(job->bank);
    work.rows = round_up((size_t)job->bank->count, panels->rows);
    work.pitch = round_up(work.tiles.width, panels->columns) * (size_t)job->step + (size_t)job->bank->width;
    work.each = round_up(panels->columns * (TERMS + work.rows), 16);
    return work;
}

static size_t plane_rows(const Work *work) {
    return work->stage->in[0].shape.height + (size_t)work->job->bank->height - 1;
}

/* The first channel with its border. */
static void fill_plane_row(const void *job, size_t y) {
    const Work *work = job;
    const Bank *bank = work->job->bank;
    const size_t there = work->stage->in[0].shape.width + (size_t)bank->width - 1;
    float *row = work->plane + y * work->pitch;
    for (size_t x = 0; x < work->pitch; x++)
        row[x] = x < there ? (float)window_value(work->stage->in[0], work->job->border, (ptrdiff_t)x - bank->width / 2,
                                                 (ptrdiff_t)y - bank->height / 2, 0)
                           : 0;
}

static void pack_masks(const Work *work) {
    const Bank *bank = work->job->bank;
    for (size_t k = 0; k < work->terms; k += TERMS)
        for (size_t row = 0; row < work->rows; row += work->panels->rows)
            work->panels->pack_a(
                (Part){(const char *)(bank->weights + row * work->terms + k), work->terms * sizeof(float),
                       smaller((size_t)bank->count - row, work->panels->rows), smaller(work->terms - k, TERMS), 0},
                work->masks + k * work->rows + row * smaller(work->terms - k, TERMS));
}

/* `terms` of them from term k on, of the pixels of a row from x on. */
static void pack_pixels(const Work *work, size_t x, size_t y, size_t k, size_t terms, float *to) {
    const size_t width = (size_t)work->job->bank->width, step = (size_t)work->job->step, count = work->panels->columns;
    for (size_t t = k; t < k + terms; t++, to += count) {
        const float *from = work->plane + (y * step + t / width) * work->pitch + x * step + t % width;
        if (step == 1)
            memcpy(to, from, count * sizeof *to);
        else
            for (size_t i = 0; i < count; i++)
                to[i] = from[i * step];
    }
}

static void store(const Work *work, size_t x, size_t y, const float *sums) {
    const size_t count = smaller(work->tiles.width - x, work->panels->columns), across = (size_t)work->job->across;
    for (size_t mask = 0; mask < (size_t)work->job->bank->count; mask++) {
        float *row = view_row(work->stage->out, mask / across * work->tiles.height + y);
        memcpy(row + mask % across * work->tiles.width + x, sums + mask * work->panels->columns, count * sizeof *row);
    }
}

/* A row of pixels of all tiles. */
static void bank_row(const void *job, size_t y, size_t thread) {
    const Work *work = job;
    const Panels *panels = work->panels;
    float *pixels = work->scratch + thread * work->each, *sums = pixels + panels->columns * TERMS;
    for (size_t x = 0; x < work->tiles.width; x += panels->columns) {
        for (size_t k = 0; k < work->terms; k += TERMS) {
            const size_t terms = smaller(work->terms - k, TERMS);
            pack_pixels(work, x, y, k, terms, pixels);
            for (size_t row = 0; row < work->rows; row += panels->rows)
                panels->tile(terms, work->masks + k * work->rows + row * terms, pixels,
                             (TileOut){(char *)(sums + row * panels->columns), panels->columns * sizeof(float),
                                       panels->rows, panels->columns, k > 0});
        }
        store(work, x, y, sums);
    }
}

/* Tiles that no mask has. */
static void clear_rest(const Work *work) {
    const size_t across = (size_t)work->job->across, used = (size_t)work->job->bank->count % across;
    const size_t last = (work->tiles.down - 1) * work->tiles.height;
    for (size_t y = 0; y < work->tiles.height && used > 0; y++)
        memset((float *)view_row(work->stage->out, last + y) + used * work->tiles.width, 0,
               (across - used) * work->tiles.width * sizeof(float));
}

/* Values of all that a run needs: plane, masks, a part for each thread. */
static size_t plane_values(const Work *work) {
    return round_up(plane_rows(work) * work->pitch, 16);
}
static size_t mask_values(const Work *work) {
    return round_up(work->rows * work->terms, 16);
}
static size_t workspace(const Device *device, const Stage *stage) {
    const Work work = work_of(stage);
    return sizeof(float) * (plane_values(&work) + mask_values(&work) + (size_t)device->threads * work.each);
}

static Status run(Queue *queue, const Stage *stage) {
    Work work = work_of(stage);
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    work.plane = scratch;
    work.masks = work.plane + plane_values(&work);
    work.scratch = work.masks + mask_values(&work);
    cpu_share_rows(queue, plane_rows(&work), fill_plane_row, &work);
    pack_masks(&work);
    clear_rest(&work);
    cpu_share(queue, work.tiles.height, bank_row, &work);
    return STATUS_OK;
}

const Level cpu_bank_product = {
    .op = &op_bank,
    .name = "product",
    .idea = "one product of matrices: the masks by all pixels' surroundings, one panel of them at a time",
    .workspace = workspace,
    .run = run,
};
