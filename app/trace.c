/* trace.c: glint trace: a scene to a file, or to many around it, without a window.
 * Gathers in short steps, so that it can say how far it is, and leave off when the time is up or on a signal. */
#include "core/tracer/trace.h"
#include "app/cluster/cluster.h"
#include "app/command.h"
#include "app/common_options.h"
#include "app/explain.h"
#include "app/progress.h"
#include "app/scene_options.h"
#include "app/trace_cameras.h"
#include "app/trace_devices.h"
#include "app/trace_output.h"
#include "app/trace_rows.h"
#include "app/trace_strips.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/chain/chain.h"
#include "core/codec/codec.h"
#include "core/codec/encoding.h"
#include "core/codec/save.h"
#include "core/plan/frame_map.h"
#include "core/run/simulation.h"
#include "core/scene/look.h"
#include "core/scene/scene_text.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define STEP_MS 50.0

typedef struct Options {
    CommonOptions common;
    const char *scene, *output, *filter, *cameras;
    Shape shape;
    SceneOptions scene_options;
    double time;      /* ms to gather for; 0: until all samples are there */
    long orbit;       /* frames around the scene; 0: one picture from where the camera is */
    long along;       /* instead: frames along kept cameras */
    double simulated; /* seconds in which the bodies move on */
    bool denoise;
    const char *devices; /* "all" or "0,2"; NULL: the one of --device */
} Options;

/* The common parts of all frames, and the frame under way. */
typedef struct Tracing {
    const Options *options;
    Scene *scene;
    Chain *chain;
    Device *device; /* the first, which has the picture */
    TraceDevices devices;
    Crew *crew;         /* the other ones */
    Pipeline *pipeline; /* in strips: that of `strips.rows` */
    Image *image;       /* in strips: NULL */
    bool in_strips;
    TraceStrips strips;
    Shape made;
    FILE *json;
    TraceJob job;
    Vec target; /* of the orbit */
    TraceCameras cameras;
    Progress progress;
    Progressive progressive;
    long frame;             /* from 0 on */
    Place *place;           /* of the outputs, or NULL */
    Output **outputs;       /* of all frames */
    Simulation *simulation; /* of the scene's bodies; NULL: none runs */
    unsigned long steps;    /* of the bodies, done */
} Tracing;

#define SIMULATED_MAX 86400.0

enum { FRAMES_MAX = 100000 };

/* 0: it is one picture. */
static long frame_count(const Options *options) {
    return options->orbit > 0 ? options->orbit : options->along;
}

static Status read_size(const char *text, void *values) {
    return shape_parse_size(text, &((Options *)values)->shape);
}

static Status read_time(const char *text, void *values) {
    Options *options = values;
    TRY(option_number("time", text, 0.01, 1e6, &options->time));
    options->time *= 1e3;
    return STATUS_OK;
}

/* "10" or "10s". */
static Status read_simulated(const char *text, void *values) {
    char number[64];
    const size_t length = strlen(text), digits = length > 1 && text[length - 1] == 's' ? length - 1 : length;
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    return option_number("simulate", number, 0, SIMULATED_MAX, &((Options *)values)->simulated);
}

static Status read_devices(const char *text, void *values) {
    ((Options *)values)->devices = text;
    return device_list_check(text);
}

static int spell_size(const void *values, char *buffer, size_t size) {
    const Shape shape = ((const Options *)values)->shape;
    return snprintf(buffer, size, "%zux%zu", shape.width, shape.height);
}

static int spell_positive(double number, char *buffer, size_t size) {
    return number > 0 ? snprintf(buffer, size, "%.17g", number) : snprintf(buffer, size, "%s", "");
}

static int spell_time(const void *values, char *buffer, size_t size) {
    return spell_positive(((const Options *)values)->time / 1e3, buffer, size);
}

static int spell_simulated(const void *values, char *buffer, size_t size) {
    return spell_positive(((const Options *)values)->simulated, buffer, size);
}

#define AT(member) OPTION_AT(Options, member)

static const Option option_rows[] = {
    {"output", "FILE",
     "the picture to write; its extension chooses the format (.hdr, .exr and .pfm get linear light); - is stdout, as "
     "PNG",
     OPTION_TEXT, AT(output), .letter = 'o', .neutral = true},
    {"size", "WxH", "size in pixels (1024x1024)", OPTION_OWN, .letter = 's', .read = read_size, .spell = spell_size},
    {"filter", "CHAIN", "filters behind the trace: gaussian=2,sharpen", OPTION_TEXT, AT(filter), .letter = 'F'},
    {"time", "S", "gather light for S seconds, or until there are --samples; each pixel gets at least one", OPTION_OWN,
     .read = read_time, .spell = spell_time},
    {"denoise", NULL, "remove the noise of the look paths, by normals, depth and albedo of the visible surfaces",
     OPTION_SWITCH, AT(denoise)},
    {"devices", "LIST", "devices of the backend that share the rows of a picture: all, or numbers as in 0,2",
     OPTION_OWN, .read = read_devices, .neutral = true},
    {"orbit", "N", "N frames, once around the point in the middle: out-0001.png and so on, or -o with {frame} in it",
     OPTION_WHOLE, AT(orbit), .min = 1, .max = FRAMES_MAX},
    {"along", "N", "N frames along the cameras that the window keeps for the scene, named as those of --orbit",
     OPTION_WHOLE, AT(along), .min = 2, .max = FRAMES_MAX},
    {"cameras", "FILE", "a file of kept cameras for --along, in place of the window's ($XDG_STATE_HOME/glint/cameras)",
     OPTION_TEXT, AT(cameras)},
    {"simulate", "S[s]",
     "move the bodies of the scene on for S seconds: before the picture, or from frame to frame of --orbit or --along",
     OPTION_OWN, .read = read_simulated, .spell = spell_simulated},
};

#undef AT

static Status take_arguments(void *values, char **arguments, size_t count) {
    ((Options *)values)->scene = arguments[0];
    return count == 1 ? STATUS_OK
                      : fail(STATUS_USAGE, "more than one scene: \"%s\" and \"%s\"", arguments[0], arguments[1]);
}

static Status check(void *values) {
    const Options *options = values;
    const Look look = options->scene_options.look;
    if (!options->scene || !options->output)
        return fail(STATUS_USAGE, "want a scene and -o FILE, as in glint trace spheres -o spheres.png");
    if (options->time > 0 && !look_is_light(look))
        return fail(STATUS_USAGE,
                    "--time: the look %s gathers no light, one ray a pixel is all; want --look whitted or paths",
                    looks[look].name);
    if (options->denoise && look != LOOK_PATHS)
        return fail(STATUS_USAGE, "--denoise: the look %s has no noise; want --look paths", looks[look].name);
    TRY(trace_cameras_check(options->along, options->orbit, options->scene_options.chosen, options->cameras));
    return strcmp(options->output, "-") != 0 || frame_count(options) == 0
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s: stdout takes one picture; want -o FILE",
                      options->orbit > 0 ? "--orbit" : "--along");
}

static CommandLine command_line(void) {
    return (CommandLine){
        .arguments = "SCENE",
        .help = "Ray traces SCENE (a generator such as spheres=count=2000:seed=7, or a file).\vThe looks whitted and "
                "paths gather light: interrupted (Ctrl-C), they write the light gathered so far. Examples:\n\n  glint "
                "trace packed --look paths --time 60 -o packed.png\n  glint trace packed --look paths --filter "
                "gaussian=2 -o soft.hdr\n  glint trace cloud --camera perspective --orbit 120 -o cloud.png",
        .tables = {{OPTION_ROWS(option_rows), 0},
                   scene_options_table(offsetof(Options, scene_options)),
                   common_options},
        .common = 2,
        .arguments_read = take_arguments,
        .check = check};
}

/* ---- outputs ---- */

static long output_count(const Options *options) {
    return frame_count(options) > 0 ? frame_count(options) : 1;
}

static Status claim_outputs(Tracing *tracing) {
    const Options *options = tracing->options;
    OutputRules rules = {.writer = "-o", .overwrite = options->common.overwrite};
    char path[PATH_MAX];
    if (strcmp(options->output, "-") != 0)
        TRY(place_hold(options->output, &tracing->place));
    rules.place = tracing->place;
    tracing->outputs = calloc((size_t)output_count(options), sizeof *tracing->outputs);
    if (!tracing->outputs)
        return fail(STATUS_DEVICE, "no memory for the names of %ld frames", output_count(options));
    for (long frame = 0; frame < output_count(options); frame++) {
        TRY(trace_output_name(options->output, frame, frame_count(options), path));
        TRY(output_claim(path, rules, &tracing->outputs[frame]));
    }
    return STATUS_OK;
}

/* Whether the folder and the format can take the outputs. */
static Status check_writable(const Tracing *tracing) {
    Output *first = tracing->outputs[0];
    if (!output_is_stdout(first))
        TRY(codec_check(output_path(first), tracing->made));
    return output_begin(first);
}

static const char *output_name(const Tracing *tracing) {
    const Output *output = tracing->outputs[tracing->frame];
    return output_is_stdout(output) ? "stdout" : output_path(output);
}

/* Formats of linear light get it; the others get the values that a screen shows. */
static PixelType type_for(const Options *options) {
    const Format *format = format_for_path(options->output);
    const bool linear = format && format->writes & F32X3 && !(format->writes & U8X3);
    return linear && look_is_light(options->scene_options.look) ? PIXEL_F32 : PIXEL_U8;
}

/* ---- before the first ray ---- */

static TraceOptions light_of(const Options *options) {
    return (TraceOptions){options->scene_options.exposure, options->denoise};
}

static Status plan_scene(const Tracing *tracing, Plan *plan) {
    const Options *options = tracing->options;
    int picture;
    TRY(plan_trace(plan, tracing->job, light_of(options), options->shape, &picture));
    return chain_append(tracing->chain, plan, picture);
}

static PlanOptions plan_behind(const Tracing *tracing) {
    const Options *options = tracing->options;
    PlanOptions behind = options->common.plan;
    behind.device = tracing->device;
    if (options->shape.type == PIXEL_F32)
        behind.linear = false; /* as it is, it is linear */
    return behind;
}

static const Format *output_format(const Tracing *tracing) {
    const Output *output = tracing->outputs ? tracing->outputs[0] : NULL;
    return !output || output_is_stdout(output) ? format_default : format_for_path(output_path(output));
}

/* The host's memory for the whole picture and its file, besides the pipeline. */
static size_t memory_behind(const Tracing *tracing, Shape shape) {
    return memory_sum(memory_sum(shape_bytes(shape), codec_encoding_memory(shape, 1)),
                      encoding_working(output_format(tracing), shape, &(SaveOptions){0}));
}

/* Bytes that the whole takes of the host's memory, and, where that is another, of the device's. */
static Status estimate(const Tracing *tracing, const Plan *plan, size_t *host, size_t *device) {
    FrameMap map;
    TRY(frame_map_create(plan, &map));
    const size_t frames = memory_sum(frame_map_bytes(&map), plan_workspace(plan, tracing->device));
    const bool host_frames = tracing->device->backend->host_frames;
    frame_map_free(&map);
    *host = memory_sum(host_frames ? frames : 0, memory_behind(tracing, plan_value_shape(plan, plan_result(plan))));
    *device = host_frames ? 0 : frames;
    return STATUS_OK;
}

/* NULL if the picture can be traced in strips. */
static const char *why_whole(const Tracing *tracing, Shape made) {
    const Options *options = tracing->options;
    const Format *format = output_format(tracing);
    if (options->denoise)
        return "--denoise looks at all of the picture";
    if (options->time > 0)
        return "--time spreads light over all of the picture";
    if (cluster_size() > 1 || tracing->devices.count > 1)
        return cluster_size() > 1 ? "several processes share its rows" : "several devices share its rows";
    return format && codec_takes_rows(format, made, !output_is_stdout(tracing->outputs[0]))
               ? NULL
               : "its format is written as a whole; TIFF, PNG, PPM and PGM are not";
}

/* Whether the whole is too much, and strips will do. */
static Status decide_strips(Tracing *tracing, const Plan *plan) {
    size_t host, device;
    StripRoom room;
    const char *why = why_whole(tracing, plan_value_shape(plan, plan_result(plan)));
    TRY(estimate(tracing, plan, &host, &device));
    TRY(strips_room(tracing->device, 1, &room));
    tracing->in_strips = !why && (host > memory_budget() || device > room.max);
    if (why && memory_fits(host, "tracing") != STATUS_OK)
        return fail(STATUS_INPUT, "%s, and in strips it cannot be done: %s", status_message(), why);
    return STATUS_OK;
}

static void explain_strips(const Tracing *tracing) {
    const Options *options = tracing->options;
    const Strips *strips = &tracing->strips.strips;
    char title[300];
    snprintf(title, sizeof title, "%.200s, in bands of %zu rows", options->scene,
             tracing->strips.rows.band->view.shape.height);
    explain(common_results(&options->common), title, tracing->pipeline, NULL);
    snprintf(title, sizeof title, "%.200s, in strips of %zu rows%s", options->filter ? options->filter : "no filter",
             strips->rows, strips->passes > 1 ? ", more than once" : "");
    explain(common_results(&options->common), title, tracing->strips.filters, NULL);
}

static Status make_strips(Tracing *tracing) {
    const Options *options = tracing->options;
    const TraceWork work = {.device = tracing->device,
                            .job = tracing->job,
                            .exposure = options->scene_options.exposure,
                            .shape = options->shape,
                            .options = plan_behind(tracing),
                            .chain = tracing->chain,
                            .level = options->common.level};
    TRY(trace_strips_open(&work, &tracing->strips));
    tracing->pipeline = tracing->strips.rows.pipeline;
    tracing->made = tracing->strips.made;
    if (options->common.explain)
        explain_strips(tracing);
    return STATUS_OK;
}

static Status make_whole(Tracing *tracing, Plan *plan) {
    const Options *options = tracing->options;
    TRY(pipeline_create(tracing->device, plan, options->common.level, &tracing->pipeline));
    if (options->common.explain)
        explain(common_results(&options->common), options->scene, tracing->pipeline, NULL);
    tracing->made = pipeline_result_shape(tracing->pipeline);
    TRY(memory_fits(memory_sum(pipeline_memory(tracing->pipeline), memory_behind(tracing, tracing->made)), "tracing"));
    return image_create(tracing->made, &tracing->image);
}

static Status make_pipeline(Tracing *tracing) {
    Plan *plan;
    TRY(plan_create(plan_behind(tracing), &plan));
    Status status = plan_scene(tracing, plan);
    if (status == STATUS_OK)
        status = decide_strips(tracing, plan);
    if (status == STATUS_OK && !tracing->in_strips)
        return make_whole(tracing, plan);
    plan_destroy(&plan);
    return status == STATUS_OK ? make_strips(tracing) : status;
}

/* The first of --devices, or the one of --device. */
static Status open_first(Tracing *tracing) {
    const Options *options = tracing->options;
    CommonOptions common = options->common;
    TraceDevices *devices = &tracing->devices;
    TRY(crew_create(&tracing->crew));
    if (options->devices)
        common.device = device_list_first(options->devices);
    TRY(common_open(&common, &tracing->device));
    devices->threads = common.threads;
    if (options->devices)
        TRY(device_list_numbers(options->devices, tracing->device->backend, devices->numbers, &devices->count));
    return devices->count > 1 && cluster_size() > 1
               ? fail(STATUS_USAGE, "--devices: several processes share the devices by themselves")
               : STATUS_OK;
}

/* By the first one's level, so that all make the same bits. */
static Status join_others(Tracing *tracing) {
    const Options *options = tracing->options;
    return trace_devices_join(&tracing->devices, tracing->device->backend, &tracing->job, light_of(options),
                              options->shape, plan_behind(tracing), pipeline_level(tracing->pipeline, 0)->name,
                              tracing->crew);
}

/* All that can be refused is, before work starts. */
static Status prepare(Tracing *tracing) {
    const Options *options = tracing->options;
    const bool writes = cluster_rank() == 0;
    if (writes)
        TRY(claim_outputs(tracing));
    TRY(chain_open(options->filter ? options->filter : "", &tracing->chain));
    TRY(scene_text_open(options->scene, &tracing->scene));
    if (options->simulated > 0 && !tracing->scene->bodies)
        return fail(STATUS_USAGE,
                    "--simulate: %s has no bodies that attract each other; want galaxy, plummer, "
                    "collision or solar",
                    options->scene);
    if (options->simulated > 0 && options->devices)
        return fail(STATUS_USAGE, "--simulate: bodies are moved by one device; want --device N, not --devices");
    if (options->simulated > 0 && cluster_size() > 1)
        return fail(STATUS_USAGE, "--simulate: bodies are moved by one process; want glint trace without mpirun");
    tracing->job = scene_options_job(tracing->scene, &options->scene_options);
    if (options->time > 0 && options->scene_options.sampling.samples == 0)
        tracing->job.sampling.samples = SAMPLES_MAX;
    if (options->along > 0) {
        TRY(trace_cameras_read(options->scene, options->cameras, &tracing->cameras));
        tracing->job.camera = trace_cameras_at(&tracing->cameras, 0, options->along);
    }
    if (options->orbit > 0) {
        Camera ignored;
        Status status = camera_orbit(&tracing->job.camera, tracing->target, 0, &ignored);
        if (status == STATUS_OK)
            status = scene_options_target(tracing->scene, &options->scene_options, &tracing->target);
        if (status != STATUS_OK)
            return fail_within(status, "--orbit: ");
    }
    TRY(open_first(tracing));
    TRY(make_pipeline(tracing));
    TRY(join_others(tracing));
    if (writes)
        TRY(check_writable(tracing));
    return common_open_json(&options->common, &tracing->json);
}

/* ---- one frame ---- */

/* `gathered` is for how long, in ms. */
static void draw_progress(Tracing *tracing, double gathered) {
    const Options *options = tracing->options;
    const Progressive *progressive = &tracing->progressive;
    double share = tracing->in_strips ? trace_strips_share(&tracing->strips) : progressive_share(progressive);
    if (options->time > 0)
        share = fmin(fmax(share, gathered / options->time), 1);
    if (frame_count(options) > 0) {
        share = ((double)tracing->frame + share) / (double)frame_count(options);
        progress_draw(&tracing->progress, share, "%3.0f %%  frame %ld of %ld", 100 * share, tracing->frame + 1,
                      frame_count(options));
    } else if (progressive->samples < SAMPLES_MAX) {
        progress_draw(&tracing->progress, share, "%3.0f %%  %u of %u samples", 100 * share, progressive->done,
                      progressive->samples);
    } else {
        progress_draw(&tracing->progress, share, "%3.0f %%  %u samples", 100 * share, progressive->done);
    }
}

/* The time begins behind the first step, which builds the BVH if it takes one. */
static Status gather_own(Tracing *tracing, Spans *spans) {
    const double limit = tracing->options->time;
    Progressive *progressive = &tracing->progressive;
    TRY(progressive_step(progressive, STEP_MS, spans));
    const double start = clock_ms();
    for (double gathered = 0; !progressive_complete(progressive) && !interrupted(); gathered = clock_ms() - start) {
        draw_progress(tracing, gathered);
        if (limit > 0 && gathered >= limit && progressive->done > 0)
            break;
        TRY(progressive_step(progressive, limit > 0 ? fmin(STEP_MS, fmax(limit - gathered, 1)) : STEP_MS, spans));
    }
    return STATUS_OK;
}

/* The rows of this process, by its devices. */
static Status gather(Tracing *tracing, Spans *spans) {
    Progressive *progressive = &tracing->progressive;
    const Frame traced = pipeline_stage(tracing->pipeline, pipeline_find_stage(tracing->pipeline, &op_trace))->out;
    progressive_begin(progressive, tracing->pipeline);
    progressive->stripes = trace_rows_own(traced.shape.height, shape_row_bytes(traced.shape));
    if (stripes_rows(progressive->stripes, traced.shape.height) == 0) { /* more processes than rows */
        progressive->done = progressive->samples;
        return STATUS_OK;
    }
    TRY(crew_start(tracing->crew, progressive));
    const Status status = gather_own(tracing, spans);
    if (status != STATUS_OK || interrupted())
        crew_stop(tracing->crew, CREW_STOP_AT_ONCE);
    else if (!progressive_complete(progressive))
        crew_stop(tracing->crew, CREW_STOP_WITH_SAMPLES);
    const Status finished = crew_finish(tracing->crew, progressive);
    return status != STATUS_OK ? status : finished;
}

static Status save(Tracing *tracing, Spans *spans) {
    Output *output = tracing->outputs[tracing->frame];
    const Format *format = output_is_stdout(output) ? format_default : NULL;
    const double start = clock_ms();
    TRY(pipeline_download(tracing->pipeline, tracing->image->view));
    const double downloaded = clock_ms();
    spans_add(spans, "download", start, downloaded);
    TRY(output_append_picture(output, format, tracing->image, (SaveOptions){0}));
    TRY(output_finish(output, NULL));
    spans_add(spans, "encode", downloaded, clock_ms());
    return STATUS_OK;
}

static Status write_json(const Tracing *tracing, const Spans *spans) {
    const Progressive *progressive = &tracing->progressive;
    const Shape shape = tracing->made;
    if (!tracing->json)
        return STATUS_OK;
    json_t *timings = json_object();
    for (size_t i = 0; i < spans->count; i++)
        json_object_set_new(timings, spans->spans[i].name, json_figure(spans->spans[i].ms));
    const CommandLine line = command_line();
    json_t *record = json_pack(
        "{s:s, s:o, s:o, s:I, s:I, s:I, s:s, s:s, s:I, s:b, s:o, s:o}", "glint", "trace", "scene",
        json_text(tracing->options->scene), "output", json_text(output_path(tracing->outputs[tracing->frame])),
        "spheres", (json_int_t)tracing->scene->count, "width", (json_int_t)shape.width, "height",
        (json_int_t)shape.height, "look", looks[tracing->job.look].name, "level",
        pipeline_level(tracing->pipeline, 0)->name, "samples", (json_int_t)progressive->done, "complete",
        progressive_complete(progressive), "ms", timings, "options", command_line_json(&line, tracing->options));
    return json_put(tracing->json, record, JSON_COMPACT) ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the report");
}

static void say_frame(Tracing *tracing, const Spans *spans) {
    const bool light = look_is_light(tracing->job.look);
    char count[80], samples[128], time[40] = "emulated: no time";
    const double ms = spans_total(spans);
    if (!isnan(ms))
        snprintf(time, sizeof time, "%.3f ms", ms);
    scene_count_text(tracing->scene, count, sizeof count);
    trace_output_samples(&tracing->progressive, tracing->options->shape.height, samples, sizeof samples);
    progress_wipe(&tracing->progress);
    common_say(&tracing->options->common, "%s: %s, level %s, %s%s%s -> %s", tracing->options->scene, count,
               pipeline_level(tracing->pipeline, 0)->name, light ? samples : "", light ? ", " : "", time,
               output_name(tracing));
}

/* Interrupted, glint writes a picture of light as far as it is. A drawn look has nothing to show before it is done, and
 * a film wants whole frames. */
static Status gather_frame(Tracing *tracing, Spans *spans) {
    TRY(gather(tracing, spans));
    const bool partly = interrupted() && !progressive_complete(&tracing->progressive);
    if (partly && frame_count(tracing->options) > 0)
        return STATUS_INTERRUPTED;
    return interrupted() && !look_is_light(tracing->job.look) ? STATUS_INTERRUPTED : STATUS_OK;
}

/* By all processes; the first one makes a picture of it. */
static Status trace_whole(Tracing *tracing, Spans *spans) {
    TRY(cluster_agree(gather_frame(tracing, spans)));
    TRY(trace_rows_gather(&tracing->progressive));
    if (cluster_rank() > 0)
        return STATUS_OK;
    TRY(progressive_show(&tracing->progressive, spans));
    return save(tracing, spans);
}

static void note_step(void *context, const TracedRows *rows) {
    Tracing *tracing = context;
    tracing->progressive = rows->progressive;
    draw_progress(tracing, 0);
}

static Status trace_in_strips(Tracing *tracing, Spans *spans) {
    Output *output = tracing->outputs[tracing->frame];
    tracing->strips.rows.step = note_step;
    tracing->strips.rows.context = tracing;
    TRY(trace_strips_write(&tracing->strips, output_format(tracing), output, spans));
    return output_finish(output, NULL);
}

static Status trace_frame(Tracing *tracing) {
    const Options *options = tracing->options;
    const Progressive *progressive = &tracing->progressive;
    Spans spans = {.profile_trace = options->common.profile_trace};
    TRY(tracing->in_strips ? trace_in_strips(tracing, &spans) : trace_whole(tracing, &spans));
    if (cluster_rank() > 0)
        return STATUS_OK;
    TRY(write_json(tracing, &spans));
    if (interrupted() && !progressive_complete(progressive)) {
        char samples[128];
        trace_output_samples(&tracing->progressive, tracing->options->shape.height, samples, sizeof samples);
        return fail(STATUS_INTERRUPTED, "interrupted: %s -> %s", samples, output_name(tracing));
    }
    if (frame_count(options) == 0 || options->common.verbose)
        say_frame(tracing, &spans);
    if (frame_count(options) > 0)
        draw_progress(tracing, options->time);
    return STATUS_OK;
}

/* ---- bodies ---- */

enum { STEPS_TOGETHER = 16 }; /* between looks for a signal */

/* Where the bodies are so many seconds after the beginning; their BVH is built again. */
static Status simulate_until(Tracing *tracing, double seconds) {
    Scene *scene = tracing->scene;
    const unsigned long wanted = (unsigned long)llround(seconds * 60 * scene->gravity.substeps);
    size_t bytes;
    if (tracing->options->simulated <= 0)
        return STATUS_OK;
    TRY(simulation_begin(&tracing->simulation, scene->bodies, pipeline_queue(tracing->pipeline)));
    while (tracing->steps < wanted) {
        const unsigned long rest = wanted - tracing->steps, steps = rest < STEPS_TOGETHER ? rest : STEPS_TOGETHER;
        if (interrupted())
            return STATUS_INTERRUPTED;
        TRY(simulation_advance(tracing->simulation, &scene->gravity, (unsigned)steps));
        tracing->steps += steps;
        progress_draw(&tracing->progress,
                      (double)tracing->steps / (tracing->options->simulated * 60 * scene->gravity.substeps), "step %lu",
                      tracing->steps);
    }
    TRY(simulation_show(tracing->simulation, scene));
    return tracing->device->backend->trace->build(pipeline_queue(tracing->pipeline), scene, &bytes);
}

static Status set_camera(Tracing *tracing, double turn) {
    Camera camera;
    if (tracing->options->along > 0)
        camera = trace_cameras_at(&tracing->cameras, tracing->frame, tracing->options->along);
    else
        TRY(camera_orbit(&tracing->job.camera, tracing->target, turn, &camera));
    progressive_set_camera(tracing->pipeline, camera);
    return STATUS_OK;
}

static Status trace_film(Tracing *tracing) {
    const Options *options = tracing->options;
    for (tracing->frame = 0; tracing->frame < frame_count(options); tracing->frame++) {
        const double turn = (double)tracing->frame / (double)frame_count(options);
        TRY(set_camera(tracing, turn));
        Status status = simulate_until(tracing, options->simulated * turn);
        if (status == STATUS_OK && interrupted())
            status = STATUS_INTERRUPTED;
        status = cluster_agree(status);
        if (status == STATUS_OK)
            status = trace_frame(tracing);
        if (status == STATUS_INTERRUPTED)
            return fail(status, "interrupted: %ld of %ld frames are done", tracing->frame, frame_count(options));
        TRY(status);
    }
    progress_wipe(&tracing->progress);
    common_say(&options->common, "%s: %ld frame%s, level %s, %.2f s -> %s", options->scene, frame_count(options),
               frame_count(options) == 1 ? "" : "s", pipeline_level(tracing->pipeline, 0)->name,
               (clock_ms() - tracing->progress.start) / 1e3,
               tracing->outputs ? output_path(tracing->outputs[frame_count(options) - 1]) : "another process");
    return STATUS_OK;
}

static Status trace_picture(Tracing *tracing) {
    Status status = simulate_until(tracing, tracing->options->simulated);
    if (status == STATUS_INTERRUPTED)
        return fail(status, "interrupted: nothing is written");
    if (status == STATUS_OK)
        status = trace_frame(tracing);
    return status == STATUS_INTERRUPTED && (tracing->in_strips || !look_is_light(tracing->job.look))
               ? fail(status, "interrupted: nothing is written")
               : status;
}

static Status trace_scene(const Options *options) {
    Tracing tracing = {.options = options};
    const Status prepared = prepare(&tracing);
    Status status = cluster_agree(prepared);
    if (prepared == STATUS_OK && status == STATUS_OK) {
        interrupts_catch();
        tracing.progress = progress_begin(&options->common);
        status = frame_count(options) > 0 ? trace_film(&tracing) : trace_picture(&tracing);
        progress_wipe(&tracing.progress);
        if (options->simulated > 0)
            trace_output_totals(&options->common, tracing.simulation, tracing.scene->bodies, tracing.steps);
    }
    for (long frame = 0; tracing.outputs && frame < output_count(options); frame++)
        output_destroy(&tracing.outputs[frame]);
    free(tracing.outputs);
    place_release(&tracing.place);
    image_destroy(&tracing.image);
    (void)simulation_close(&tracing.simulation);
    if (tracing.in_strips)
        trace_strips_close(&tracing.strips);
    else
        pipeline_destroy(&tracing.pipeline);
    crew_destroy(&tracing.crew);
    device_close(&tracing.device);
    scene_destroy(&tracing.scene);
    chain_destroy(&tracing.chain);
    return status;
}

Status trace_command(int argc, char **argv) {
    Options options = {
        .common = common_defaults, .shape = {1024, 1024, 3, PIXEL_U8}, .scene_options = scene_options_defaults};
    const CommandLine line = command_line();
    TRY(command_line_read(&line, argc, argv, &options));
    options.common.stdout_taken = strcmp(options.output, "-") == 0;

    options.shape.type = type_for(&options);
    char devices[256];
    backends_prepare(FEW_CONNECTIONS);
    Status status = cluster_begin(argc, argv, &options.common, devices, sizeof devices);
    if (devices[0] && options.common.device == 0)
        options.common.device = atoi(devices);
    if (status == STATUS_OK)
        status = cluster_agree(common_start(&options.common, "trace"));
    if (status == STATUS_OK)
        status = trace_scene(&options);
    return cluster_end(common_finish(&options.common, status));
}
