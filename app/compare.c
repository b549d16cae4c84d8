/* compare.c: glint compare: how far two pictures are apart, as figures, as an exit status, and as a heat map. */
#include "app/command.h"
#include "app/common_options.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/codec/codec.h"
#include "core/codec/save.h"
#include "core/image/colour_map.h"
#include "core/image/difference.h"
#include "core/image/opaque.h"
#include "core/run/likeness.h"
#include "cpu/flip/flip.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The results for two pictures of this shape. */
typedef struct Findings {
    Shape shape;
    Difference difference;
    Likeness likeness;
    FlipFigures flip;
    Image *errors; /* FLIP's map, owned */
} Findings;

/* A figure that limits can be set to. */
typedef struct Figure {
    const char *name, *help, *unit;
    bool higher_is_nearer;
    double (*of)(const Findings *findings);
} Figure;

static double psnr(const Findings *findings) {
    return findings->likeness.psnr;
}
static double ssim(const Findings *findings) {
    return difference_ssim(&findings->difference);
}
static double ncc(const Findings *findings) {
    return findings->likeness.ncc;
}
static double most(const Findings *findings) {
    return findings->difference.max;
}
static double mean(const Findings *findings) {
    return findings->likeness.mean;
}
static double flip(const Findings *findings) {
    return findings->flip.mean;
}
static double flip_median(const Findings *findings) {
    return findings->flip.median;
}
static double flip_p95(const Findings *findings) {
    return findings->flip.p95;
}
static double flip_max(const Findings *findings) {
    return findings->flip.max;
}
static double differing(const Findings *findings) {
    const Shape shape = findings->shape;
    return 100 * (double)findings->difference.differing / ((double)shape.width * (double)shape.height);
}

static const Figure figures[] = {
    {"psnr", "peak signal-to-noise ratio", " dB", true, psnr},
    {"ssim", "structural similarity", "", true, ssim},
    {"ncc", "normalized cross-correlation", "", true, ncc},
    {"max", "largest difference", "", false, most},
    {"mean", "mean difference", "", false, mean},
    {"differing", "pixels that differ", " %", false, differing},
    {"flip", "mean error by FLIP", "", false, flip},
    {"flip_median", "median error by FLIP", "", false, flip_median},
    {"flip_p95", "its 95th percentile", "", false, flip_p95},
    {"flip_max", "largest error by FLIP", "", false, flip_max},
};
enum { FIGURES = sizeof figures / sizeof figures[0], FIGURE_TEXT = 40 };

typedef enum Map { MAP_DIFFERENCE, MAP_FLIP } Map;

typedef struct Options {
    CommonOptions common;
    const char *paths[2], *output;
    int pictures;
    double least[FIGURES], most[FIGURES]; /* limits; NaN: none */
    int map;                              /* of enum Map: what -o shows */
    double gain;                          /* stops; NaN: the map's own */
    double ppd;                           /* FLIP's pixels a degree */
    RawWay raw;
} Options;

/* ---- options ---- */

static size_t figure_named(const char *name, size_t length) {
    size_t i = 0;
    while (i < FIGURES && (strlen(figures[i].name) != length || strncmp(figures[i].name, name, length) != 0))
        i++;
    return i;
}

/* All of the text up to `end`. Pictures that are the same have an infinite PSNR. */
static bool parse_number(const char *text, const char *end, double *number) {
    const char *stopped;
    if (end - text == 3 && strncmp(text, "inf", 3) == 0) {
        *number = INFINITY;
        return true;
    }
    return text_number(text, &stopped, number) && stopped == end;
}

static Status read_limit(const char *option, const char *name, size_t length, double limits[FIGURES]) {
    const char *sign = memchr(name, '=', length);
    const size_t i = figure_named(name, sign ? (size_t)(sign - name) : length);
    if (i == FIGURES)
        return fail(STATUS_USAGE,
                    "--%s: \"%.*s\" is no figure, want psnr, ssim, ncc, max, mean, differing, flip, flip_median, "
                    "flip_p95 or flip_max",
                    option, (int)length, name);
    if (!parse_number(sign ? sign + 1 : name + length, name + length, &limits[i]))
        return fail(STATUS_USAGE, "--%s is \"%.*s\", want a number, as in %s=%s", option, (int)length, name,
                    figures[i].name, figures[i].higher_is_nearer ? "0.98" : "2");
    return STATUS_OK;
}

static Status read_limits(const char *option, const char *text, double limits[FIGURES]) {
    for (size_t length; length = strcspn(text, ","), true; text += length + 1) {
        TRY(read_limit(option, text, length, limits));
        if (text[length] == '\0')
            return STATUS_OK;
    }
}

static Status read_lower(const char *text, void *values) {
    return read_limits("at-least", text, ((Options *)values)->least);
}

static Status read_upper(const char *text, void *values) {
    return read_limits("at-most", text, ((Options *)values)->most);
}

static const Option option_rows[] = {
    {"output", "FILE", "write a heat map of the differences: of a pixel's colours the one that differs most",
     OPTION_TEXT, OPTION_AT(Options, output), .letter = 'o'},
    {"map", "KIND", "what the heat map shows: values that differ, or FLIP's errors", OPTION_CHOICE,
     OPTION_AT(Options, map), .words = "difference|flip"},
    {"at-least", "LIMITS", "exit status 1 below one of these, as in psnr=40,ssim=0.98,ncc=0.99", OPTION_OWN,
     .read = read_lower},
    {"at-most", "LIMITS", "exit status 1 above one of these, as in max=2,mean=0.1,differing=5 (percent),flip=0.05",
     OPTION_OWN, .read = read_upper},
    {"gain", "STOPS", "brighten the heat map (until the largest difference is as bright as can be; FLIP's: 0)",
     OPTION_NUMBER, OPTION_AT(Options, gain), .max = 32},
    {"ppd", "PIXELS", "of a degree of the view, for FLIP (67: a 4K screen of 0.7 m, from 0.7 m)", OPTION_NUMBER,
     OPTION_AT(Options, ppd), .min = FLIP_PPD_MIN, .max = FLIP_PPD_MAX},
};

static Status take_arguments(void *values, char **arguments, size_t count) {
    Options *options = values;
    if (count > 2)
        return fail(STATUS_USAGE, "more than two pictures: \"%s\", too", arguments[2]);
    for (options->pictures = 0; options->pictures < (int)count; options->pictures++)
        options->paths[options->pictures] = arguments[options->pictures];
    return STATUS_OK;
}

static Status check(void *values) {
    const Options *options = values;
    if (options->pictures < 2)
        return fail(STATUS_USAGE, "want two pictures, as in glint compare before.png after.png");
    if (!options->output && (options->map != MAP_DIFFERENCE || !isnan(options->gain)))
        return fail(STATUS_USAGE, "--%s: want -o FILE, where the heat map goes",
                    options->map != MAP_DIFFERENCE ? "map" : "gain");
    return strcmp(options->paths[0], "-") != 0 || strcmp(options->paths[1], "-") != 0
               ? STATUS_OK
               : fail(STATUS_USAGE, "stdin holds one picture; want a file as the other one");
}

/* ---- pictures ---- */

/* Next to another one that takes its part of the budget, or NULL. */
static Status read_picture(const Options *options, const char *path, const Image *other, Image **image) {
    const size_t taken = other ? shape_bytes(other->view.shape) : 0;
    const size_t budget = memory_budget(), left = budget > taken ? budget - taken : 0;
    CodecFile file;
    TRY(codec_open(path, (Pages){.count = 2, .raw = options->raw}, &file));
    if (file.measure.count > 1 || (file.measure.extras & EXTRA_FRAMES))
        common_say(&options->common, "%s holds several pictures: the first is compared", path);
    file.measure.pages.count = file.measure.count = 1;
    file.measure.further = 0;
    const size_t needed = codec_memory(&file);
    if (needed > left && needed != SIZE_MAX) { /* SIZE_MAX: a stream, of unknown length */
        codec_close(&file);
        (void)memory_lacks(needed, left, "comparing");
        return fail_within(STATUS_INPUT, "%s: ", path);
    }
    return codec_read(&file, left, image);
}

/* Makes a picture of 8 bits one of 16: 255 becomes 65535, and nothing is rounded. */
static Status widen(Image **image) {
    const ImageView from = (*image)->view;
    Image *wide;
    TRY(image_create(shape_with_type(from.shape, PIXEL_U16), &wide));
    const size_t values = from.shape.width * (size_t)from.shape.channels;
    for (size_t y = 0; y < from.shape.height; y++)
        for (size_t i = 0; i < values; i++)
            ((uint16_t *)view_row(wide->view, y))[i] = (uint16_t)(257 * ((const uint8_t *)view_row(from, y))[i]);
    image_destroy(image);
    *image = wide;
    return STATUS_OK;
}

/* Two of one type and size; bytes next to 16 bits are widened, which is said. */
static Status match(const Options *options, Image *pictures[2]) {
    const char *const *paths = options->paths;
    const Shape a = pictures[0]->view.shape, b = pictures[1]->view.shape;
    if (a.width != b.width || a.height != b.height)
        return fail(STATUS_INPUT, "%s is %zux%zu, %s %zux%zu; want pictures of one size", paths[0], a.width, a.height,
                    paths[1], b.width, b.height);
    if (a.channels != b.channels || (a.type != b.type && (a.type == PIXEL_F32 || b.type == PIXEL_F32)))
        return fail(STATUS_INPUT,
                    "%s is %sx%d, %s %sx%d; want pictures of one type, or u8 and u16 with the same channels", paths[0],
                    pixel_type_name(a.type), a.channels, paths[1], pixel_type_name(b.type), b.channels);
    if (pictures[0]->premultiplied != pictures[1]->premultiplied) {
        image_make_straight(pictures[0]);
        image_make_straight(pictures[1]);
    }
    if (a.type == b.type)
        return STATUS_OK;
    const int narrow = a.type == PIXEL_U8 ? 0 : 1;
    common_say(&options->common, "%s is u8, %s u16: compared in 16 bits, the former times 257", paths[narrow],
               paths[1 - narrow]);
    return widen(&pictures[narrow]);
}

static Status read_pictures(const Options *options, Image *pictures[2]) {
    TRY(read_picture(options, options->paths[0], NULL, &pictures[0]));
    TRY(read_picture(options, options->paths[1], pictures[0], &pictures[1]));
    return match(options, pictures);
}

/* ---- the heat map ---- */

typedef struct Heat {
    const Options *options;
    ImageView a, b, errors;
    double gain; /* stops */
} Heat;

static double heat_at(const Heat *heat, size_t x, size_t y) {
    return heat->options->map == MAP_FLIP ? view_value(heat->errors, x, y, 0) : difference_at(heat->a, heat->b, x, y);
}

/* The value that is 1 before the gain. */
static double heat_white(const Heat *heat) {
    return heat->options->map == MAP_FLIP ? 1 : pixel_type_white(heat->a.shape.type);
}

static Status draw_heat(const Heat *heat, Image **drawn) {
    const Shape shape = {heat->a.shape.width, heat->a.shape.height, 3, PIXEL_U8};
    const double scale = exp2(heat->gain) / heat_white(heat);
    TRY(memory_fits(memory_sum(memory_product(2, shape_bytes(heat->a.shape)), shape_bytes(shape)), "the heat map"));
    TRY(image_create(shape, drawn));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++) {
            double rgb[3];
            heat_colour(fmin(scale * heat_at(heat, x, y), 1), rgb);
            for (int c = 0; c < 3; c++)
                view_set_value((*drawn)->view, x, y, c, 255 * rgb[c]);
        }
    return STATUS_OK;
}

static double heat_gain(const Options *options, const Findings *findings) {
    if (!isnan(options->gain))
        return options->gain;
    return options->map == MAP_FLIP ? 0 : difference_gain(&findings->difference, findings->shape);
}

static Status write_heat(const Options *options, Output *output, Image *const pictures[2], const Findings *findings) {
    const Heat heat = {options, pictures[0]->view, pictures[1]->view, findings->errors->view,
                       heat_gain(options, findings)};
    const Format *format = output_is_stdout(output) ? format_default : NULL;
    Image *drawn = NULL;
    Status status = draw_heat(&heat, &drawn);
    if (status == STATUS_OK)
        status = output_append_picture(output, format, drawn, (SaveOptions){0});
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    image_destroy(&drawn);
    TRY(status);
    common_say(&options->common, "%s: the brightest stands for %s of %g or more", options->output,
               options->map == MAP_FLIP ? "an error" : "a difference", heat_white(&heat) / exp2(heat.gain));
    return STATUS_OK;
}

/* ---- figures ---- */

static Status write_json(const Options *options, FILE *file, const Findings *findings, bool passed) {
    const Difference *difference = &findings->difference;
    const Shape shape = findings->shape;
    char type[8];
    snprintf(type, sizeof type, "%sx%d", pixel_type_name(shape.type), shape.channels);
    json_t *record =
        json_pack("{s:s, s:o, s:o, s:I, s:I, s:s, s:b, s:b}", "glint", "compare", "a", json_text(options->paths[0]),
                  "b", json_text(options->paths[1]), "width", (json_int_t)shape.width, "height",
                  (json_int_t)shape.height, "type", type, "equal", difference->differing == 0, "passed", passed);
    for (size_t i = 0; i < FIGURES; i++)
        json_object_set_new(record, figures[i].name, json_figure(figures[i].of(findings)));
    if (difference->differing > 0)
        json_object_set_new(record, "at", json_pack("[I, I]", (json_int_t)difference->x, (json_int_t)difference->y));
    return json_put(file, record, JSON_COMPACT) ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the report");
}

/* "22.4 dB" */
static const char *format_figure(size_t i, double value, char text[static FIGURE_TEXT]) {
    if (isnan(value))
        return "undefined";
    snprintf(text, FIGURE_TEXT, "%.6g%s", value, figures[i].unit);
    return text;
}

static void print_figures(FILE *to, const Findings *findings) {
    const Difference *difference = &findings->difference;
    char text[FIGURE_TEXT];
    for (size_t i = 0; i < FIGURES; i++) {
        fprintf(to, "%-28s  %-11s  %s", figures[i].help, figures[i].name,
                format_figure(i, figures[i].of(findings), text));
        if (figures[i].of == most && difference->differing > 0)
            fprintf(to, " at %zu, %zu", difference->x, difference->y);
        fputc('\n', to);
    }
}

/* Whether a figure keeps its limits, or has none; a broken one is said. An undefined figure breaks all. */
static bool keeps(const Options *options, size_t i, double value) {
    const bool low = !isnan(options->least[i]) && !(value >= options->least[i]);
    const bool high = !isnan(options->most[i]) && !(value <= options->most[i]);
    char text[FIGURE_TEXT];
    if (low || high)
        say(stderr, "glint: %s is %s, want %g or %s", figures[i].name, format_figure(i, value, text),
            low ? options->least[i] : options->most[i], low ? "more" : "less");
    return !low && !high;
}

static bool judge(const Options *options, const Findings *findings) {
    bool passed = true;
    for (size_t i = 0; i < FIGURES; i++)
        passed &= keeps(options, i, figures[i].of(findings));
    return passed;
}

/* FLIP's map and figures; the map counts in the budget. */
static Status find_flip(const Options *options, Image *const pictures[2], Findings *findings) {
    const ImageView a = pictures[0]->view;
    const FlipView view = {.ppd = options->ppd, .premultiplied = pictures[0]->premultiplied};
    const Shape errors = {a.shape.width, a.shape.height, 1, PIXEL_F32};
    TRY(memory_fits(memory_sum(memory_product(2, shape_bytes(a.shape)), memory_product(2, shape_bytes(errors))),
                    "FLIP"));
    TRY(flip_map(a, pictures[1]->view, &view, &findings->errors));
    findings->flip = flip_figures(findings->errors->view);
    return STATUS_OK;
}

/* By the processor, unless another backend is named: to start a GPU takes longer. */
static Status find_likeness(const CommonOptions *common, Image *const pictures[2], Findings *findings) {
    CommonOptions own = *common;
    Device *device;
    Queue *queue;
    own.backend = strcmp(common->backend, "auto") == 0 ? "cpu" : common->backend;
    TRY(common_open(&own, &device));
    Status status = queue_open(device, &queue);
    if (status == STATUS_OK) {
        status = likeness_of(queue, pictures[0]->view, pictures[1]->view, &findings->likeness);
        queue_close(&queue);
    }
    device_close(&device);
    return status;
}

static Status find(const Options *options, Image *const pictures[2], Findings *findings) {
    const ImageView a = pictures[0]->view, b = pictures[1]->view;
    *findings = (Findings){.shape = a.shape};
    TRY(find_likeness(&options->common, pictures, findings));
    findings->difference = difference_of(a, b);
    return find_flip(options, pictures, findings);
}

static Status report(const Options *options, FILE *json, Output *output, Image *const pictures[2],
                     const Findings *findings) {
    print_figures(common_results(&options->common), findings);
    if (output)
        TRY(write_heat(options, output, pictures, findings));
    const bool passed = judge(options, findings);
    if (json)
        TRY(write_json(options, json, findings, passed));
    return passed ? STATUS_OK : STATUS_PARTIAL;
}

static Status compare(const Options *options, FILE *json, Output *output, Image *const pictures[2]) {
    Findings findings;
    Status status = find(options, pictures, &findings);
    if (status == STATUS_OK)
        status = report(options, json, output, pictures, &findings);
    image_destroy(&findings.errors);
    return status;
}

/* Refuses a path whose format cannot hold a heat map, which is u8x3 of any size, before pictures are read. */
static Status check_heat(const char *path) {
    const Shape heat = {1, 1, 3, PIXEL_U8};
    return strcmp(path, "-") == 0 || codec_check(path, heat) == STATUS_OK ? STATUS_OK
                                                                          : fail_within(STATUS_USAGE, "-o ");
}

static Status compare_files(const Options *options) {
    const OutputRules rules = {.writer = "-o", .overwrite = options->common.overwrite};
    Image *pictures[2] = {NULL, NULL};
    Output *output = NULL;
    FILE *json;
    if (options->output)
        TRY(check_heat(options->output));
    TRY(common_open_json(&options->common, &json));
    Status status = options->output ? output_claim(options->output, rules, &output) : STATUS_OK;
    if (status == STATUS_OK)
        status = read_pictures(options, pictures);
    if (status == STATUS_OK)
        status = compare(options, json, output, pictures);
    output_destroy(&output);
    image_destroy(&pictures[0]);
    image_destroy(&pictures[1]);
    return status;
}

Status compare_command(int argc, char **argv) {
    Options options = {.common = common_defaults, .gain = NAN, .ppd = FLIP_PPD};
    for (size_t i = 0; i < FIGURES; i++)
        options.least[i] = options.most[i] = NAN;
    const CommandLine line = {
        .arguments = "A B",
        .help =
            "Tells how far two pictures are apart.\v"
            "Values are compared as stored, alpha with the colours; the largest difference "
            "has its place behind it (column, row). FLIP takes bytes and 16 bits as sRGB, f32 as light. Examples:\n\n"
            "  glint compare before.png after.png -o heat.png\n"
            "  glint compare want.png got.png --at-least psnr=40,ssim=0.98 --at-most max=8",
        .tables = {{OPTION_ROWS(option_rows), 0}, raw_way_table(offsetof(Options, raw)), common_options},
        .common = 2,
        .arguments_read = take_arguments,
        .check = check};
    TRY(command_line_read(&line, argc, argv, &options));
    options.common.stdout_taken = options.output && strcmp(options.output, "-") == 0;
    backends_prepare(FEW_CONNECTIONS);
    Status status = common_start(&options.common, "compare");
    if (status == STATUS_OK)
        status = compare_files(&options);
    return common_finish(&options.common, status);
}
