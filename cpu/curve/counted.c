/* counted.c: a curve from the facts that its kind asks for, and a loop for each kind and type. Results are the
 * reference's to the last bit. */
#include "core/device/backend.h"
#include "core/ops/curve.h"
#include "cpu/isa.h"

/* The rows of the histogram that a row of results is made of: one, or all. */
typedef struct Counts {
    const uint32_t *rows[CURVE_ROWS];
    int count;
} Counts;

static Counts counts_of(const Stage *stage, int row) {
    const ImageView in = stage->in[0];
    const bool merge = curve_job(stage)->merge;
    Counts counts = {.rows = {view_row(in, merge ? 0 : (size_t)row)}, .count = 1};
    for (; merge && counts.count < (int)in.shape.height; counts.count++)
        counts.rows[counts.count] = view_row(in, (size_t)counts.count);
    return counts;
}

INLINE uint64_t count_at(const Counts *counts, int bin) {
    uint64_t count = counts->rows[0][bin];
    for (int i = 1; i < counts->count; i++)
        count += counts->rows[i][bin];
    return count;
}

static void find_totals(const Counts *counts, int bins, CurveFacts *facts) {
    for (int i = 0; i < bins; i++) {
        const uint64_t count = count_at(counts, i);
        facts->total += count;
        facts->sum += (uint64_t)i * count;
    }
    for (int i = 0; i < bins && facts->first_count == 0; i++)
        facts->first_count = count_at(counts, i);
}

/* From both ends, up to the bins where more than a fraction of all values lies. */
static void find_ends(const Counts *counts, int bins, const double *fractions, CurveFacts *facts) {
    uint64_t below = 0, above = 0;
    facts->darkest = bins - 1;
    for (int i = 0; i < bins; i++) {
        below += count_at(counts, i);
        if (curve_exceeds(below, fractions[0], facts->total)) {
            facts->darkest = i;
            break;
        }
    }
    for (int i = bins - 1; i > 0; i--) {
        above += count_at(counts, i);
        if (curve_exceeds(above, fractions[1], facts->total)) {
            facts->brightest = i;
            break;
        }
    }
}

static void find_threshold(const Counts *counts, int bins, CurveFacts *facts) {
    uint64_t count = 0, sum = 0;
    double most = 0;
    for (int i = 0; i < bins; i++) {
        const uint64_t here = count_at(counts, i);
        if (here == 0) /* the classes are those of the bin before */
            continue;
        count += here;
        sum += (uint64_t)i * here;
        const double variance = curve_variance(count, sum, facts->total, facts->sum);
        if (variance > most) {
            most = variance;
            facts->threshold = i;
        }
    }
}

static CurveFacts facts_of(const Stage *stage, int row) {
    const CurveJob *job = curve_job(stage);
    const Counts counts = counts_of(stage, row);
    CurveFacts facts = {0};
    find_totals(&counts, job->bins.count, &facts);
    if (job->kind == CURVE_stretch || job->kind == CURVE_patch)
        find_ends(&counts, job->bins.count, job->parameters, &facts);
    if (job->kind == CURVE_otsu)
        find_threshold(&counts, job->bins.count, &facts);
    return facts;
}

/* As view_set_value rounds: adding and taking away 1.5 times 2^52 rounds halves to even. */
INLINE double rounded(double value, double white) {
    const double low = value > 0 ? value : 0; /* NaN is 0, too */
    return (low < white ? low : white) + 0x1.8p52 - 0x1.8p52;
}

/* The results of a row: `factor` is that of gray and patch. `kind` and `type` are constants. */
INLINE void results_of(const Stage *stage, const CurveFacts *facts, int row, double factor, CurveKind kind,
                       PixelType type) {
    const CurveJob *job = curve_job(stage);
    const CurveFacts *f = &facts[row];
    const Counts counts = counts_of(stage, row);
    void *to = view_row(stage->out, (size_t)row);
    uint64_t count = 0;
    for (int i = 0; i < job->bins.count; i++) {
        const double v = bin_value(job->bins, i);
        double value = v * factor;
        if (kind == CURVE_equalize) {
            count += count_at(&counts, i);
            value = curve_equalize(f, count, v, job->white);
        } else if (kind == CURVE_stretch) {
            value = curve_stretch(f, job->parameters, i, v);
        } else if (kind == CURVE_otsu) {
            value = i > f->threshold ? job->white : 0;
        }
        if (type == PIXEL_U8)
            ((uint8_t *)to)[i] = (uint8_t)(int)rounded(value, 255);
        else if (type == PIXEL_U16)
            ((uint16_t *)to)[i] = (uint16_t)(int)rounded(value, 65535);
        else
            ((float *)to)[i] = (float)value;
    }
}

static void make_row(const Stage *stage, const CurveFacts *facts, int rows, int row) {
    const CurveJob *job = curve_job(stage);
    const PixelType type = stage->out.shape.type;
    const bool any = facts[row].total > 0; /* else values stay: the factor 1 leaves them */
    double factor = 1;
    if (any && job->kind == CURVE_gray)
        factor = curve_gray(&facts[row], facts, rows, job->bins);
    else if (any && job->kind == CURVE_patch)
        factor = curve_patch(&facts[row], facts, rows, job->bins);
#define RESULTS(kind)                                                                                                  \
    type == PIXEL_U8    ? results_of(stage, facts, row, factor, kind, PIXEL_U8)                                        \
    : type == PIXEL_U16 ? results_of(stage, facts, row, factor, kind, PIXEL_U16)                                       \
                        : results_of(stage, facts, row, factor, kind, PIXEL_F32)
    if (any && job->kind == CURVE_equalize)
        RESULTS(CURVE_equalize);
    else if (any && job->kind == CURVE_stretch)
        RESULTS(CURVE_stretch);
    else if (any && job->kind == CURVE_otsu)
        RESULTS(CURVE_otsu);
    else
        RESULTS(CURVE_gray);
#undef RESULTS
}

static Status run(Queue *queue, const Stage *stage) {
    const int rows = (int)stage->out.shape.height;
    CurveFacts facts[CURVE_ROWS];
    (void)queue;
    for (int row = 0; row < rows; row++)
        facts[row] = facts_of(stage, row);
    for (int row = 0; row < rows; row++)
        make_row(stage, facts, rows, row);
    return STATUS_OK;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "there is no histogram: the reference has little to do by extrema";
    return curve_job(stage)->extrema == 0;
}

const Level cpu_curve_counted = {
    .op = &op_curve,
    .name = "counted",
    .idea = "the facts that the kind of curve asks for and no others, and a loop for each kind and type",
    .accepts = accepts,
    .run = run,
};
