/* trace.c: glint trace: a scene to a file, without a window. */
#include "app/command.h"
#include "app/sight.h"
#include "core/codec.h"
#include "core/pipeline.h"

#include <jansson.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct Options {
    Common common;
    const char *scene, *output;
    Shape shape;
    Sight sight;
    bool overwrite;
} Options;

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "the picture to write; its extension chooses the format", 0},
    {"size", 's', "WxH", 0, "size in pixels (1024x1024)", 0},
    {"overwrite", 'f', NULL, 0, "replace an output that exists", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        state->child_inputs[1] = &options->sight;
        return 0;
    case 'o':
        options->output = text;
        return 0;
    case 's':
        if (shape_parse_size(text, &options->shape) != STATUS_OK)
            argp_error(state, "%s", status_message());
        return 0;
    case 'f':
        options->overwrite = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->scene)
            argp_error(state, "more than one scene: \"%s\" and \"%s\"", options->scene, text);
        options->scene = text;
        return 0;
    case ARGP_KEY_END:
        if (!options->scene || !options->output)
            argp_error(state, "want a scene and -o FILE, as in glint trace spheres -o spheres.png");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static Status write_json(const Options *options, const Scene *scene, const Pipeline *pipeline, const Spans *spans) {
    FILE *file;
    TRY(common_open_json(&options->common, &file));
    if (!file)
        return STATUS_OK;
    json_t *timings = json_object();
    for (size_t i = 0; i < spans->count; i++)
        json_object_set_new(timings, spans->spans[i].name, json_real(spans->spans[i].ms));
    json_t *record =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:s, s:o}", "scene", options->scene, "output", options->output, "spheres",
                  (json_int_t)scene->count, "width", (json_int_t)options->shape.width, "height",
                  (json_int_t)options->shape.height, "level", pipeline_level(pipeline, 0)->name, "ms", timings);
    json_dumpf(record, file, JSON_COMPACT);
    fputc('\n', file);
    json_decref(record);
    return common_close_json(&options->common, &file);
}

static Status download(Pipeline *pipeline, Image *image, Spans *spans) {
    const double start = clock_ms();
    TRY(pipeline_download(pipeline, image->view));
    spans_add(spans, "download", clock_ms() - start);
    return STATUS_OK;
}

static Status save(const Options *options, const Image *image, Spans *spans) {
    const double start = clock_ms();
    TRY(codec_save(options->output, image, (SaveOptions){0}, options->overwrite));
    spans_add(spans, "encode", clock_ms() - start);
    return STATUS_OK;
}

/* Formats of linear light get it; the others what a screen shows. */
static PixelType type_for(const Options *options) {
    const char *dot = strrchr(options->output, '.');
    const bool linear = dot && (strcasecmp(dot, ".hdr") == 0 || strcasecmp(dot, ".pfm") == 0);
    return linear && look_is_light(options->sight.look) ? PIXEL_F32 : PIXEL_U8;
}

static Status trace_scene(const Options *options) {
    Scene *scene = NULL;
    Device *device = NULL;
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Image *image = NULL;
    Spans spans = {.recorder = options->common.recorder};
    int result;
    Status status = scene_open(options->scene, &scene);
    if (status == STATUS_OK)
        status = common_open(&options->common, &device);
    if (status == STATUS_OK)
        status = plan_create(options->shape, options->common.plan, &plan);
    if (status == STATUS_OK) {
        plan_label(plan, "trace");
        status = plan_trace(plan, trace_job(scene, &options->sight), options->sight.exposure, options->shape, &result);
    }
    if (status == STATUS_OK) {
        status = pipeline_create(device, plan, options->common.level, &pipeline);
        plan = NULL;
    }
    if (status == STATUS_OK)
        status = image_create(options->shape, &image);
    if (status == STATUS_OK)
        status = pipeline_run(pipeline, &spans);
    if (status == STATUS_OK)
        status = download(pipeline, image, &spans);
    if (status == STATUS_OK)
        status = save(options, image, &spans);
    if (status == STATUS_OK)
        common_say(&options->common, "%s: %zu sphere%s, level %s, %.3f ms -> %s", options->scene, scene->count,
                   scene->count == 1 ? "" : "s", pipeline_level(pipeline, 0)->name, spans_total(&spans),
                   options->output);
    if (status == STATUS_OK)
        status = write_json(options, scene, pipeline, &spans);
    image_destroy(&image);
    pipeline_destroy(&pipeline);
    plan_destroy(&plan);
    device_close(&device);
    scene_destroy(&scene);
    return status;
}

Status trace_command(int argc, char **argv) {
    Options options = {.common = common_usual, .shape = {1024, 1024, 3, PIXEL_U8}, .sight = sight_usual};
    const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {&sight_argp, 0, NULL, 0}, {0}};
    const struct argp parser = {
        argp_options, parse, "SCENE", "Ray traces SCENE (a generator such as spheres=count=2000:seed=7, or a file).",
        children,     NULL,  NULL};
    argp_parse(&parser, argc, argv, 0, NULL, &options);

    if (!options.overwrite && access(options.output, F_OK) == 0)
        return fail(STATUS_USAGE, "%s exists; say --overwrite to replace it", options.output);
    options.shape.type = type_for(&options);
    TRY(common_start(&options.common));
    return common_finish(&options.common, trace_scene(&options));
}
