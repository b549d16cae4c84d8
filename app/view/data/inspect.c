/* inspect.c: the arithmetic of a result's value, by operation; the table is at the bottom. */
#include "app/view/data/inspect.h"

#include "core/ops/bilateral.h"
#include "core/ops/convolve.h"
#include "core/ops/derivative.h"
#include "core/ops/gaussian.h"
#include "core/ops/morphology.h"
#include "core/ops/point.h"
#include "core/ops/rank.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAPS_MAX = 1 << 18 }; /* products that are summed in some milliseconds */

/* ---- windows ---- */

/* The pixels around one, and their weights; (i, j) is counted from the window's top left. */
typedef struct Window {
    const Stage *stage;
    Border border;
    ptrdiff_t x, y;
    int channel, width, height;
    const Mask *mask;             /* or a set of cells; NULL: */
    const double *columns, *rows; /* the weights are products of these, or NULL */
    double (*weight)(const struct Window *window, int i, int j);
} Window;

static InspectCell cell_at(const Window *window, int i, int j) {
    const ImageView in = window->stage->in[0];
    const ptrdiff_t x = window->x + i - window->width / 2, y = window->y + j - window->height / 2;
    InspectCell cell = {.value = window_value(in, window->border, x, y, window->channel),
                        .weight = window->weight(window, i, j),
                        .counts = true,
                        .beyond = x < 0 || y < 0 || x >= (ptrdiff_t)in.shape.width || y >= (ptrdiff_t)in.shape.height};
    cell.product = cell.weight * cell.value;
    return cell;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* The cells around the anchor. */
static void take_cells(const Window *window, Inspection *made) {
    made->width = window->width;
    made->height = window->height;
    made->columns = least(window->width, INSPECT_SIDE);
    made->rows = least(window->height, INSPECT_SIDE);
    made->left = window->width / 2 - made->columns / 2;
    made->top = window->height / 2 - made->rows / 2;
    for (int j = 0; j < made->rows; j++)
        for (int i = 0; i < made->columns; i++) {
            const InspectCell cell = cell_at(window, made->left + i, made->top + j);
            made->cells[j * made->columns + i] = cell;
            made->heaviest = fmax(made->heaviest, fabs(cell.weight));
            made->sum_of_cells += cell.product;
        }
}

/* ---- sums ---- */

static double mask_weight(const Window *window, int i, int j) {
    return (double)window->mask->weights[j * window->width + i];
}

static double product_weight(const Window *window, int i, int j) {
    return window->columns[i] * window->rows[j];
}

/* As core/ops/bilateral.h has it. */
static double likeness_weight(const Window *window, int i, int j) {
    const BilateralJob *job = bilateral_job(window->stage);
    const ImageView guide = bilateral_guide(window->stage);
    const ptrdiff_t dx = i - job->radius, dy = j - job->radius, away = dx * dx + dy * dy;
    double apart = 0;
    if (away > (ptrdiff_t)job->radius * job->radius)
        return 0;
    for (int c = 0; c < guide.shape.channels; c++)
        apart += fabs(window_value(guide, job->border, window->x + dx, window->y + dy, c) -
                      window_value(guide, job->border, window->x, window->y, c));
    return exp(-(double)away / (2 * job->space * job->space)) * exp(-apart * apart / (2 * job->range * job->range));
}

static void sum_up(const Window *window, double divisor, double bias, Inspection *made) {
    take_cells(window, made);
    made->kind = INSPECT_SUM;
    made->divisor = divisor;
    made->bias = bias;
    made->summed = window->width * window->height <= TAPS_MAX;
    for (int j = 0; j < window->height && made->summed; j++)
        for (int i = 0; i < window->width; i++)
            made->sum += cell_at(window, i, j).product;
    made->result = made->sum / divisor + bias;
}

static Status of_convolve(Window window, Inspection *made) {
    const ConvolveJob *job = convolve_job(window.stage);
    window.border = job->border;
    window.width = job->mask->width;
    window.height = job->mask->height;
    window.mask = job->mask;
    window.weight = mask_weight;
    sum_up(&window, (double)job->mask->divisor, (double)job->bias, made);
    return STATUS_OK;
}

static Status of_gaussian(Window window, Inspection *made) {
    const GaussianJob *job = gaussian_job(window.stage);
    const int wide = gaussian_reach(job->sigma_x), high = gaussian_reach(job->sigma_y);
    window.border = job->border;
    window.width = 2 * wide + 1;
    window.height = 2 * high + 1;
    double *weights = malloc((size_t)(window.width + window.height) * sizeof *weights);
    if (!weights)
        return fail(STATUS_DEVICE, "no memory for the weights of a gaussian");
    gaussian_weights(job->sigma_x, wide, weights);
    gaussian_weights(job->sigma_y, high, weights + window.width);
    window.columns = weights;
    window.rows = weights + window.width;
    window.weight = product_weight;
    sum_up(&window, 1, 0, made);
    free(weights);
    return STATUS_OK;
}

/* A mean: it is divided by the sum of its own weights. */
static Status of_bilateral(Window window, Inspection *made) {
    const BilateralJob *job = bilateral_job(window.stage);
    double weights = 0;
    window.border = job->border;
    window.width = window.height = 2 * job->radius + 1;
    window.weight = likeness_weight;
    for (int j = 0; j < window.height; j++)
        for (int i = 0; i < window.width; i++)
            weights += likeness_weight(&window, i, j);
    sum_up(&window, weights, 0, made);
    return STATUS_OK;
}

/* ---- pairs of sums ---- */

static double slope_weight(const Window *window, int i, int j) {
    return derivative_weight_x(derivative_job(window->stage), i - 1, j - 1);
}

/* Colours times alpha, if the job measures them so. */
static double slope_value(const Window *window, int i, int j, double value) {
    const DerivativeJob *job = derivative_job(window->stage);
    const ImageView in = window->stage->in[0];
    const ptrdiff_t x = border_index(job->border.mode, window->x + i - 1, (ptrdiff_t)in.shape.width);
    const ptrdiff_t y = border_index(job->border.mode, window->y + j - 1, (ptrdiff_t)in.shape.height);
    if (x < 0 || y < 0)
        return derivative_outside(job);
    return job->alpha ? value * view_value(in, (size_t)x, (size_t)y, in.shape.channels - 1) : value;
}

static Status of_derivative(Window window, Inspection *made) {
    static const char *const outputs[] = {"across", "down", "length", "direction"};
    const DerivativeJob *job = derivative_job(window.stage);
    const ImageView in = window.stage->in[0];
    const double alpha = view_value(in, (size_t)window.x, (size_t)window.y, in.shape.channels - 1);
    window.border = job->border;
    window.width = window.height = 3;
    window.weight = slope_weight;
    take_cells(&window, made);
    made->kind = INSPECT_PAIR;
    made->summed = true;
    made->sum_of_cells = 0;
    for (int k = 0; k < 9; k++) {
        InspectCell *cell = &made->cells[k];
        cell->value = slope_value(&window, k % 3, k / 3, cell->value);
        cell->weight_y = derivative_weight_y(job, k % 3 - 1, k / 3 - 1);
        cell->product = cell->weight * cell->value;
        cell->product_y = cell->weight_y * cell->value;
        made->heaviest = fmax(made->heaviest, fabs(cell->weight_y));
        made->sum += fabs(cell->weight) > 0 ? cell->product : 0; /* no weight, no NaN */
        made->sum_y += fabs(cell->weight_y) > 0 ? cell->product_y : 0;
    }
    made->divisor = job->alpha ? alpha : 1;
    made->scale = job->output == DERIVATIVE_DIRECTION ? 1 : job->scale;
    made->bias = job->output == DERIVATIVE_DIRECTION ? 0 : job->bias;
    made->output = outputs[job->output];
    made->result = derivative_value(job, made->sum, made->sum_y, alpha);
    if (job->alpha && window.channel + 1 == in.shape.channels)
        made->result = alpha;
    return STATUS_OK;
}

/* ---- ranks ---- */

/* Ascending; NaN comes last. */
static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : (a > b) - (a < b);
}

/* `rank` from the first value on; negative: the last. */
static Status sort(Window window, const Mask *set, Border border, int rank, Inspection *made) {
    const int count = element_count(set);
    double *values = malloc((size_t)count * sizeof *values);
    size_t at = 0;
    if (!values)
        return fail(STATUS_DEVICE, "no memory for the values of a window");
    window.border = border;
    window.width = set->width;
    window.height = set->height;
    window.mask = set;
    window.weight = mask_weight;
    take_cells(&window, made);
    for (int i = 0; i < made->rows * made->columns; i++)
        made->cells[i].counts = made->cells[i].weight > 0;
    for (int j = 0; j < set->height; j++)
        for (int i = 0; i < set->width; i++)
            if (element_has(set, i, j))
                values[at++] = cell_at(&window, i, j).value;
    qsort(values, at, sizeof *values, compare);
    made->kind = INSPECT_RANK;
    made->count = count;
    made->rank = rank < 0 ? count - 1 : rank;
    made->listed = least(count, INSPECT_CELLS);
    made->first = made->rank - made->listed / 2;
    made->first = made->first < 0 ? 0 : least(made->first, count - made->listed);
    memcpy(made->sorted, values + made->first, (size_t)made->listed * sizeof *values);
    made->result = values[made->rank];
    free(values);
    return STATUS_OK;
}

static Status of_rank(Window window, Inspection *made) {
    const RankJob *job = rank_job(window.stage);
    return sort(window, job->window, job->border, job->rank, made);
}

static Status of_morphology(Window window, Inspection *made) {
    const MorphologyJob *job = morphology_job(window.stage);
    return sort(window, job->element, job->border, job->maximum ? -1 : 0, made);
}

/* ---- points ---- */

static const char *const formulas[POINT_FUNCTIONS] = {
#define POINT(name, inputs, reach, alpha, help, body) #body,
#include "core/stage/point.def"
#undef POINT
};

static InspectStep step_of(const PointJob *job, int index, const PointPixel *pixel, int channels, const double *v) {
    const PointStep *step = &job->steps[index];
    const PointInfo *info = &points[step->function];
    const int end = index + 1 < job->count ? job->steps[index + 1].parameters : job->pool_count;
    InspectStep made = {.name = info->name,
                        .help = info->help,
                        .formula = formulas[step->function],
                        .inputs = info->inputs,
                        .channels = channels,
                        .parameter_count = end - step->parameters,
                        .white = step->white};
    memcpy(made.parameters, job->pool + step->parameters, (size_t)made.parameter_count * sizeof(double));
    memcpy(made.in[0], v, sizeof made.in[0]);
    for (int k = 1; k < info->inputs; k++)
        point_input(step, pixel, channels, k, made.in[k]);
    return made;
}

static Status of_point(Window window, Inspection *made) {
    const Stage *stage = window.stage;
    const PointJob *job = point_job(stage);
    int channels = stage->in[0].shape.channels;
    PointPixel pixel = {0};
    double v[POINT_CHANNELS];
    for (int k = 0; k < STAGE_INPUTS && stage->in[k].pixels; k++)
        for (int c = 0; c < stage->in[k].shape.channels; c++)
            pixel.v[k][c] = view_value(stage->in[k], (size_t)window.x, (size_t)window.y, c);
    memcpy(v, pixel.v[0], sizeof v);
    made->kind = INSPECT_POINT;
    made->step_count = job->count;
    for (int i = 0; i < job->count; i++) {
        made->steps[i] = step_of(job, i, &pixel, channels, v);
        memcpy(made->steps[i].value, v, sizeof v);
        point_apply(&job->steps[i], job->pool + job->steps[i].parameters, &pixel, channels, made->steps[i].value);
        channels = point_step(job, i, &pixel, channels, v);
        memcpy(made->steps[i].out, v, sizeof v);
    }
    made->result = made->steps[job->count - 1].value[window.channel];
    return STATUS_OK;
}

/* ---- any stage ---- */

static double stored_as(double value, PixelType type) {
    double room = 0;
    const Shape shape = {1, 1, 1, type};
    const ImageView pixel = {shape, shape_row_bytes(shape), &room};
    view_set_value(pixel, 0, 0, 0, value);
    return view_value(pixel, 0, 0, 0);
}

static const struct {
    const Op *op;
    Status (*take_apart)(Window window, Inspection *made);
} kinds[] = {
    {&op_derivative, of_derivative}, {&op_convolve, of_convolve}, {&op_gaussian, of_gaussian},
    {&op_bilateral, of_bilateral},   {&op_rank, of_rank},         {&op_morphology, of_morphology},
    {&op_point, of_point},
};

bool inspect_knows(const Op *op) {
    bool knows = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        knows |= kinds[i].op == op;
    return knows;
}

Status inspect_stage(const Stage *stage, size_t x, size_t y, int channel, Inspection *inspection) {
    const Window window = {.stage = stage, .x = (ptrdiff_t)x, .y = (ptrdiff_t)y, .channel = channel};
    *inspection = (Inspection){.kind = INSPECT_OPAQUE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].op == stage->op) {
            TRY(kinds[i].take_apart(window, inspection));
            inspection->stored = stored_as(inspection->result, stage->out.shape.type);
        }
    return STATUS_OK;
}

InspectValue inspect_value(double stored, PixelType type, bool alpha) {
    const double share = stored / pixel_type_white(type);
    const bool encoded = type != PIXEL_F32;
    const double shown = encoded || alpha ? share : srgb_encode(share);
    return (InspectValue){(int)rint(255 * clamp_unit(shown)), encoded && !alpha ? srgb_decode(share) : share};
}
