/* blocks.c: the order of blocks: terms by terms, all panels of B for them, then blocks of A's rows, shared out. */
#include "cpu/course/multiply/blocks.h"

#include "cpu/course/multiply/panels.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

/* A panel of B of so many terms stays in the first cache. A block of A stays in the second, and a part of B in the
 * third. */
enum { TERMS = 256, PANELS_A = 12, COLUMNS = 4096 };

const Panels *panels_here(void) {
    static const Panels *const panels[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &panels_portable,
        [ISA_LEVEL_AVX2] = &panels_avx2,
        [ISA_LEVEL_AVX512] = &panels_avx512,
    };
    return panels[isa_detect()];
}

/* A round multiplies one part of the terms with one part of the columns. */
typedef struct Round {
    const Stage *stage;
    const Panels *panels;
    MultiplySize size;
    int dropped;
    size_t k, terms, x, columns;
    float *b, *a; /* panels of B; room for blocks of A, one a thread */
} Round;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}
static size_t parts(size_t whole, size_t part) {
    return (whole + part - 1) / part;
}

static void pack_panel(const void *job, size_t piece, size_t thread) {
    const Round *round = job;
    const size_t x = piece * round->panels->columns;
    (void)thread;
    round->panels->pack_b((Part){(const char *)view_row(round->stage->in[1], round->k) + (round->x + x) * sizeof(float),
                                 round->stage->in[1].stride, round->terms,
                                 smaller(round->columns - x, round->panels->columns), round->dropped},
                          round->b + x * round->terms);
}

/* A block of A's rows with all panels of B. */
static void multiply_block(const void *job, size_t piece, size_t thread) {
    const Round *round = job;
    const Panels *panels = round->panels;
    const size_t first = piece * PANELS_A * panels->rows;
    const size_t rows = smaller(round->size.rows - first, PANELS_A * panels->rows);
    float *a = round->a + thread * PANELS_A * panels->rows * TERMS;
    const ImageView from = round->stage->in[0], to = round->stage->out;
    for (size_t y = 0; y < rows; y += panels->rows)
        panels->pack_a((Part){(const char *)view_row(from, first + y) + round->k * sizeof(float), from.stride,
                              smaller(rows - y, panels->rows), round->terms, round->dropped},
                       a + y * round->terms);
    for (size_t x = 0; x < round->columns; x += panels->columns)
        for (size_t y = 0; y < rows; y += panels->rows)
            panels->tile(round->terms, a + y * round->terms, round->b + x * round->terms,
                         (TileOut){(char *)view_row(to, first + y) + (round->x + x) * sizeof(float), to.stride,
                                   smaller(rows - y, panels->rows), smaller(round->columns - x, panels->columns),
                                   round->k > 0});
}

/* The values of all panels of B. */
static size_t values_of_b(const Panels *panels, size_t columns) {
    return parts(smaller(columns, COLUMNS), panels->columns) * panels->columns * TERMS;
}

size_t blocks_bytes(const Stage *stage, int threads) {
    const Panels *panels = panels_here();
    return sizeof(float) *
           (values_of_b(panels, stage->out.shape.width) + (size_t)threads * PANELS_A * panels->rows * TERMS);
}

static void share(Queue *queue, int threads, size_t pieces, TeamWork *work, const Round *round) {
    if (threads > 1)
        cpu_share(queue, pieces, work, round);
    else
        for (size_t piece = 0; piece < pieces; piece++)
            work(round, piece, 0);
}

Status blocks_multiply(Queue *queue, const Stage *stage, int threads) {
    void *scratch;
    Round round = {.stage = stage,
                   .panels = panels_here(),
                   .size = multiply_size(stage),
                   .dropped = precision_dropped(multiply_job(stage)->precision)};
    TRY(cpu_scratch(queue, blocks_bytes(stage, threads), &scratch));
    round.b = scratch;
    round.a = round.b + values_of_b(round.panels, round.size.columns);
    for (round.x = 0; round.x < round.size.columns; round.x += COLUMNS)
        for (round.k = 0; round.k < round.size.terms; round.k += TERMS) {
            round.columns = smaller(round.size.columns - round.x, COLUMNS);
            round.terms = smaller(round.size.terms - round.k, TERMS);
            share(queue, threads, parts(round.columns, round.panels->columns), pack_panel, &round);
            share(queue, threads, parts(round.size.rows, PANELS_A * round.panels->rows), multiply_block, &round);
        }
    return STATUS_OK;
}
