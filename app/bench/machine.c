/* machine.c: curves and occupancy, for people and for programs. */
#include "app/bench/machine.h"

#include "app/bench/plot.h"
#include "app/say.h"
#include "core/device/occupancy.h"

#include <math.h>
#include <string.h>

enum { BAR = 16, BAR_NARROW = 8, LINE = 120, TEXT_MAX = 512 };

/* ---- curves as text ---- */

static void find_range(const Curve *curve, double *least, double *most) {
    *least = INFINITY;
    *most = 0;
    for (size_t s = 0; s < experiment_series(curve->experiment); s++)
        for (size_t i = 0; i < experiment_points(curve->experiment); i++)
            if (curve_has(curve, s, i)) {
                *least = fmin(*least, curve->y[s][i]);
                *most = fmax(*most, curve->y[s][i]);
            }
}

/* At the right of so many columns; µ is two bytes. */
static void print_right(FILE *to, int columns, const char *text) {
    for (const char *at = text; *at; at++)
        columns += (*at & 0xC0) == 0x80;
    fprintf(to, "%*s", columns, text);
}

/* A figure and a bar, which is as long as the figure is large; by factors, unless the axis is linear. The last of a
 * line has nothing behind it. */
static void print_figure(FILE *to, const Curve *curve, size_t series, size_t point, int bar) {
    static const char bars[] = "################";
    const Axis axis = curve->experiment->y;
    const bool last = series + 1 == experiment_series(curve->experiment);
    char text[48];
    double least, most;
    find_range(curve, &least, &most);
    const double y = curve_has(curve, series, point) ? curve->y[series][point] : NAN;
    const double share = axis.linear ? y / most : most > least ? log(y / least) / log(most / least) : 1;
    print_right(to, 17, axis_format(axis, y, text, sizeof text));
    fprintf(to, " %-*.*s", last ? 0 : bar, isnan(y) ? 0 : 1 + (int)lrint(share * (bar - 1)), bars);
}

/* A sentence behind its name, in lines that are not too long. */
static void print_sentence(FILE *to, const char *name, const char *text) {
    int column = fprintf(to, "    %-8s", name);
    for (; *text; text += strspn(text, " ")) {
        const int word = (int)strcspn(text, " ");
        if (column + word >= LINE)
            column = fprintf(to, "\n%12s", "") - 1;
        column += fprintf(to, " %.*s", word, text);
        text += word;
    }
    fputc('\n', to);
}

static void print_curve(FILE *to, const Curve *curve) {
    const Experiment *experiment = curve->experiment;
    const size_t series = experiment_series(experiment), points = experiment_points(experiment);
    const int bar = series > 2 ? BAR_NARROW : BAR;
    char text[TEXT_MAX];
    fprintf(to, "\n%s: %s\n%20s", experiment->name, experiment->title, experiment->x.what);
    for (size_t s = 0; s < series; s++)
        fprintf(to, " %16s %-*s", experiment->series[s], s + 1 < series ? bar : 0, "");
    fputc('\n', to);
    for (size_t i = 0; i < points; i++) {
        print_right(to, 20, axis_format(experiment->x, experiment->points[i], text, sizeof text));
        for (size_t s = 0; s < series; s++)
            print_figure(to, curve, s, i, bar);
        fputc('\n', to);
    }
    curve_tell(curve, text, sizeof text);
    print_sentence(to, "what:", experiment->idea);
    print_sentence(to, "found:", text);
    print_sentence(to, "advice:", experiment->advice);
    fflush(to);
}

/* ---- curves as JSON ---- */

static json_t *points_of(const Curve *curve, size_t series) {
    json_t *list = json_array();
    for (size_t i = 0; i < experiment_points(curve->experiment); i++)
        if (curve_has(curve, series, i))
            json_array_append_new(list, json_pack("[f, f]", curve->experiment->points[i], curve->y[series][i]));
    return list;
}

static json_t *axis_of(Axis axis) {
    return json_pack("{s:s, s:s, s:b}", "what", axis.what, "unit", axis.unit, "linear", axis.linear);
}

static void add_curve(json_t *list, const Device *device, const Curve *curve) {
    const Experiment *experiment = curve->experiment;
    json_t *series = json_array();
    char found[TEXT_MAX];
    curve_tell(curve, found, sizeof found);
    for (size_t s = 0; s < experiment_series(experiment); s++)
        json_array_append_new(series,
                              json_pack("{s:s, s:o}", "name", experiment->series[s], "points", points_of(curve, s)));
    json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:b, s:o}", "experiment",
                                          experiment->name, "backend", device->backend->name, "device",
                                          json_text(device->name), "title", experiment->title, "idea", experiment->idea,
                                          "advice", experiment->advice, "found", found, "x", axis_of(experiment->x),
                                          "y", axis_of(experiment->y), "more_is_better", experiment->more_is_better,
                                          "series", series));
}

/* ---- measuring ---- */

static Status measure(Queue *queue, const Experiment *experiment, FILE *to, json_t *list) {
    Curves curves;
    curves_begin(&curves, queue->device, experiment);
    while (!curves_complete(&curves))
        TRY(curves_measure(&curves, queue));
    print_curve(to, &curves.curves[0]);
    add_curve(list, queue->device, &curves.curves[0]);
    return STATUS_OK;
}

static Status no_such_experiment(const Backend *backend, const char *name) {
    char known[TEXT_MAX] = "";
    for (size_t i = 0, length = 0; i < backend->experiments->count && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "",
                                   backend->experiments->list[i]->name);
    return fail(STATUS_USAGE, "bench: %s has no experiment \"%s\"; want %s", backend->name, name, known);
}

/* The experiments that `names` names, or all of them. */
static Status choose(const Backend *backend, const char *names, const Experiment *chosen[EXPERIMENTS_MAX],
                     size_t *count) {
    *count = 0;
    for (size_t i = 0; !names && i < backend->experiments->count; i++)
        chosen[(*count)++] = backend->experiments->list[i];
    for (const char *at = names; at && *count < EXPERIMENTS_MAX; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        chosen[*count] = experiment_by_name(backend, name);
        if (!chosen[(*count)++])
            return no_such_experiment(backend, name);
    }
    return STATUS_OK;
}

Status machine_measure(Queue *queue, const char *names, FILE *to, json_t *list) {
    const Backend *backend = queue->device->backend;
    const Experiment *chosen[EXPERIMENTS_MAX];
    size_t count;
    if (!backend->experiments)
        return fail(STATUS_USAGE, "bench: %s has no experiments", backend->name);
    TRY(choose(backend, names, chosen, &count));
    say(to, "%s: %s", backend->name, queue->device->name);
    for (size_t i = 0; i < count; i++)
        TRY(measure(queue, chosen[i], to, list));
    return STATUS_OK;
}

/* ---- occupancy ---- */

static void print_occupancy(FILE *to, const Multiprocessor *multiprocessor, const Occupancy *occupancy) {
    fprintf(to, "%4d.%d %8d %8d %9.0f%%", multiprocessor->major, multiprocessor->minor, occupancy->blocks,
            occupancy->warps, 100 * occupancy->share);
    for (OccupancyLimit i = 0; i < OCCUPANCY_LIMITS; i++)
        if (occupancy->allowed[i] > multiprocessor->threads)
            fprintf(to, " %13s", "any");
        else
            fprintf(to, " %13d", occupancy->allowed[i]);
    fprintf(to, "  %s\n", occupancy_limit_names[occupancy->limit]);
}

static void add_occupancy(json_t *list, const Multiprocessor *multiprocessor, const Occupancy *occupancy) {
    char name[16];
    snprintf(name, sizeof name, "%d.%d", multiprocessor->major, multiprocessor->minor);
    json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:f, s:s}", "compute_capability", name, "blocks",
                                          occupancy->blocks, "warps", occupancy->warps, "occupancy", occupancy->share,
                                          "limit", occupancy_limit_names[occupancy->limit]));
}

/* The demands of a block. */
typedef struct Block {
    int registers, threads;
    long shared;
} Block;

static Status parse_block(const char *text, Block *block, const Multiprocessor **only) {
    int major, minor, end = 0;
    const int fields = sscanf(text, "%d,%ld,%d%n,%d.%d%n", &block->registers, &block->shared, &block->threads, &end,
                              &major, &minor, &end);
    if ((fields != 3 && fields != 5) || text[end] || block->shared < 0)
        return fail(STATUS_USAGE,
                    "--occupancy is \"%s\", want REGISTERS,SHARED,BLOCK or REGISTERS,SHARED,BLOCK,CC, as in "
                    "40,0,512,9.0",
                    text);
    *only = fields == 5 ? multiprocessor_find(major, minor) : NULL;
    return fields == 3 || *only ? STATUS_OK
                                : fail(STATUS_USAGE,
                                       "--occupancy: compute capability %d.%d is not in the table; without one, all "
                                       "that are there are told",
                                       major, minor);
}

static void print_head(FILE *to, const Block *block) {
    fprintf(to, "%d registers a thread, %ld bytes of shared memory and %d threads a block\n%6s %8s %8s %10s",
            block->registers, block->shared, block->threads, "CC", "blocks", "warps", "occupancy");
    for (OccupancyLimit i = 0; i < OCCUPANCY_LIMITS; i++)
        fprintf(to, " %13s", occupancy_limit_names[i]);
    fputs("  limited by\n", to);
}

Status machine_occupancy(const char *text, FILE *to, json_t *list) {
    const Multiprocessor *only;
    Block block;
    Occupancy occupancy;
    TRY(parse_block(text, &block, &only));
    for (size_t i = 0; i < multiprocessor_count; i++) {
        const Multiprocessor *multiprocessor = &multiprocessors[i];
        if ((only && multiprocessor != only) ||
            occupancy_of(multiprocessor, block.registers, (size_t)block.shared, block.threads, &occupancy) != STATUS_OK)
            continue;
        if (json_array_size(list) == 0)
            print_head(to, &block);
        print_occupancy(to, multiprocessor, &occupancy);
        add_occupancy(list, multiprocessor, &occupancy);
    }
    return json_array_size(list) > 0 ? STATUS_OK : fail(STATUS_USAGE, "--occupancy: %s", status_message());
}

/* ---- plots ---- */

enum { PLOTS_ACROSS = 3, PLOT_WIDTH = 460, PLOT_HEIGHT = 330 };

static const char *text_at(json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void put_axis(FILE *script, const char *which, json_t *axis) {
    char label[128];
    const char *unit = text_at(axis, "unit");
    snprintf(label, sizeof label, "%s%s%s", text_at(axis, "what"), unit[0] ? ", " : "", unit);
    fprintf(script, "set %slabel ", which);
    plot_put_quoted(script, label);
    fprintf(script, json_is_true(json_object_get(axis, "linear")) ? "\nunset logscale %s\n" : "\nset logscale %s 2\n",
            which);
    fprintf(script, "set format %s '%s'\n", which, strcmp(unit, "B") == 0 ? "%.0b%B" : "%g");
}

static void put_curve(FILE *script, json_t *curve) {
    size_t index, point;
    json_t *series, *pair;
    fputs("set title ", script);
    plot_put_quoted(script, text_at(curve, "title"));
    fputc('\n', script);
    put_axis(script, "x", json_object_get(curve, "x"));
    put_axis(script, "y", json_object_get(curve, "y"));
    json_array_foreach(json_object_get(curve, "series"), index, series) {
        fprintf(script, "$d%zu << E\n", index);
        json_array_foreach(json_object_get(series, "points"), point, pair) fprintf(
            script, "%g %g\n", json_real_value(json_array_get(pair, 0)), json_real_value(json_array_get(pair, 1)));
        fputs("E\n", script);
    }
    fputs("plot", script);
    json_array_foreach(json_object_get(curve, "series"), index, series) {
        fprintf(script, "%s $d%zu with linespoints pt 7 ps 0.5 lw 2 title ", index > 0 ? "," : "", index);
        plot_put_quoted(script, text_at(series, "name"));
    }
    fputc('\n', script);
}

void machine_plot(FILE *script, json_t *list) {
    const size_t rows = (json_array_size(list) + PLOTS_ACROSS - 1) / PLOTS_ACROSS;
    size_t index;
    json_t *curve;
    fprintf(script, "set terminal svg noenhanced size %d,%zu font 'sans,12' background 'white'\n",
            PLOTS_ACROSS * PLOT_WIDTH, 40 + rows * PLOT_HEIGHT);
    fprintf(script, "set multiplot layout %zu,%d title ", rows, PLOTS_ACROSS);
    plot_put_quoted(script, text_at(json_array_get(list, 0), "device"));
    fputs(" font 'sans,16'\nset grid\nset key above horizontal\nset autoscale xfix\n", script);
    json_array_foreach(list, index, curve) put_curve(script, curve);
    fputs("unset multiplot\n", script);
}
