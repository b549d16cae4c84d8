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
#include "app/trace_figure.h"
#include "app/trace_frames.h"
#include "app/trace_output.h"
#include "app/trace_outputs.h"
#include "app/trace_rows.h"
#include "app/trace_send.h"
#include "app/trace_settings.h"
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

/* The common parts of all frames, and the frame under way. */
typedef struct Tracing {
    const TraceSettings *options;
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
    Camera camera; /* of the frame under way */
    Vec target;    /* of the orbit */
    TraceCameras cameras;
    TraceFrames frames;
    Progress progress;
    TraceFigure figure;
    TraceSend sending;
    Progressive progressive;
    long frame;             /* from 0 on */
    TraceOutputs outputs;   /* none but in the first process */
    Simulation *simulation; /* of the scene's bodies; NULL: none runs */
    unsigned long steps;    /* of the bodies, done */
} Tracing;

static const char *output_name(const Tracing *tracing) {
    const Output *output = trace_outputs_result(&tracing->outputs, tracing->frame);
    return output_is_stdout(output) ? "stdout" : output_path(output);
}

/* ---- before the first ray ---- */

static TraceOptions light_of(const TraceSettings *options) {
    return (TraceOptions){options->scene_options.exposure, options->denoise};
}

static Status plan_scene(const Tracing *tracing, Plan *plan) {
    const TraceSettings *options = tracing->options;
    int picture;
    TRY(trace_makes_figure(options)
            ? figure_plan(plan, tracing->job, light_of(options), trace_figure_made(options), &picture)
            : plan_trace(plan, tracing->job, light_of(options), options->shape, &picture));
    return chain_append(tracing->chain, plan, picture);
}

static PlanOptions plan_behind(const Tracing *tracing) {
    const TraceSettings *options = tracing->options;
    PlanOptions behind = options->common.plan;
    behind.device = tracing->device;
    if (trace_picture_type(options) == PIXEL_F32) {
        behind.linear = false; /* as it is, it is linear, and times alpha */
        behind.tone.premultiplied = trace_makes_figure(options) && options->figure.figure.transparent;
    }
    return behind;
}

static const Format *output_format(const Tracing *tracing) {
    const Output *output = trace_outputs_at(&tracing->outputs, 0);
    return !output || output_is_stdout(output) || tracing->outputs.whole ? format_default
                                                                         : format_for_path(output_path(output));
}

/* The host's memory for the whole picture and its file, besides the pipeline. */
static size_t memory_behind(const Tracing *tracing, Shape shape) {
    const size_t sending = tracing->options->send.address ? sender_memory(shape) : 0;
    return memory_sum(memory_sum(memory_sum(memory_sum(shape_bytes(shape), sending), codec_encoding_memory(shape, 1)),
                                 encoding_working(output_format(tracing), shape, &(SaveOptions){0})),
                      trace_figure_memory(tracing->options, tracing->scene));
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
    const TraceSettings *options = tracing->options;
    const Format *format = output_format(tracing);
    if (options->denoise)
        return "--denoise looks at all of the picture";
    if (trace_has_more(options))
        return "figures, annotations and layers are made of all of the picture";
    if (options->send.address)
        return "--send shows all of the picture";
    if (options->time > 0)
        return "--time spreads light over all of the picture";
    if (cluster_size() > 1 || tracing->devices.count > 1)
        return cluster_size() > 1 ? "several processes share its rows" : "several devices share its rows";
    if (trace_makes_film(options) && trace_makes_one_file(options))
        return "a film in one file takes whole pictures";
    return format && codec_takes_rows(format, made, !output_is_stdout(trace_outputs_at(&tracing->outputs, 0)))
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
    const TraceSettings *options = tracing->options;
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
    const TraceSettings *options = tracing->options;
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
    const TraceSettings *options = tracing->options;
    TRY(pipeline_create(tracing->device, plan, options->common.level, &tracing->pipeline));
    if (options->common.explain)
        explain(common_results(&options->common), options->scene, tracing->pipeline, NULL);
    tracing->made = pipeline_result_shape(tracing->pipeline);
    TRY(trace_figure_check(options, tracing->made));
    TRY(memory_fits(memory_sum(pipeline_memory(tracing->pipeline), memory_behind(tracing, tracing->made)), "tracing"));
    TRY(image_create(tracing->made, &tracing->image));
    tracing->image->premultiplied =
        trace_makes_figure(options) && tracing->made.type == PIXEL_F32 && shape_has_alpha(tracing->made);
    return STATUS_OK;
}

static void close_pipeline(Tracing *tracing) {
    image_destroy(&tracing->image);
    if (tracing->in_strips)
        trace_strips_close(&tracing->strips);
    else
        pipeline_destroy(&tracing->pipeline);
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
    const TraceSettings *options = tracing->options;
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
    const TraceSettings *options = tracing->options;
    return trace_devices_join(&tracing->devices, tracing->device->backend, &tracing->job, light_of(options),
                              options->shape, plan_behind(tracing), pipeline_level(tracing->pipeline, 0)->name,
                              tracing->crew);
}

/* All that can be refused is, before work starts. */
static Status prepare(Tracing *tracing) {
    const TraceSettings *options = tracing->options;
    const bool writes = cluster_rank() == 0;
    if (writes)
        TRY(trace_outputs_claim(options, &tracing->outputs));
    TRY(chain_open(options->filter ? options->filter : "", &tracing->chain));
    TRY(tracing->frames.trajectory ? trace_frames_show(&tracing->frames, 0, &tracing->scene)
                                   : trajectory_open_scene(options->scene, &tracing->scene));
    if (options->simulated > 0 && !tracing->scene->bodies)
        return fail(STATUS_USAGE,
                    "--simulate: %s has no bodies that attract each other; want galaxy, plummer, "
                    "collision or solar",
                    options->scene);
    if (options->simulated > 0 && options->devices)
        return fail(STATUS_USAGE, "--simulate: bodies are moved by one device; want --device N, not --devices");
    if (options->resume && cluster_size() > 1)
        return fail(STATUS_USAGE, "--resume: one process goes on with a film; want glint trace without mpirun");
    if (options->simulated > 0 && cluster_size() > 1)
        return fail(STATUS_USAGE, "--simulate: bodies are moved by one process; want glint trace without mpirun");
    tracing->job = scene_options_job(tracing->scene, &options->scene_options);
    if (options->time > 0 && options->scene_options.sampling.samples == 0)
        tracing->job.sampling.samples = SAMPLES_MAX;
    if (options->along > 0) {
        TRY(trace_cameras_read(options->scene, options->cameras, &tracing->cameras));
        tracing->job.camera = trace_cameras_at(&tracing->cameras, 0, options->along);
    }
    tracing->camera = tracing->job.camera;
    TRY(trace_figure_light(options, tracing->scene, &tracing->camera));
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
        TRY(trace_outputs_check(&tracing->outputs, tracing->made));
    if (writes)
        TRY(trace_send_begin(&options->send, &options->common, options->output, &tracing->sending));
    return common_open_json(&options->common, &tracing->json);
}

/* ---- one frame ---- */

/* `gathered` is for how long, in ms. */
static void draw_progress(Tracing *tracing, double gathered) {
    const TraceSettings *options = tracing->options;
    const Progressive *progressive = &tracing->progressive;
    double share = tracing->in_strips ? trace_strips_share(&tracing->strips) : progressive_share(progressive);
    if (options->time > 0)
        share = fmin(fmax(share, gathered / options->time), 1);
    if (trace_frame_count(options) > 0) {
        share = ((double)tracing->frame + share) / (double)trace_frame_count(options);
        progress_draw(&tracing->progress, share, "%3.0f %%  frame %ld of %ld", 100 * share, tracing->frame + 1,
                      trace_frame_count(options));
    } else if (progressive->samples < SAMPLES_MAX) {
        progress_draw(&tracing->progress, share, "%3.0f %%  %u of %u samples", 100 * share, progressive->done,
                      progressive->samples);
    } else {
        progress_draw(&tracing->progress, share, "%3.0f %%  %u samples", 100 * share, progressive->done);
    }
}

/* Makes a picture of the light so far. */
static Status show(Tracing *tracing, bool draft, Spans *spans) {
    TraceJob job = tracing->job;
    job.camera = tracing->camera;
    return trace_makes_figure(tracing->options) ? trace_figure_show(tracing->options, tracing->device, &job, draft,
                                                                    &tracing->progressive, &tracing->figure, spans)
                                                : progressive_show(&tracing->progressive, spans);
}

static Status send_progress(Tracing *tracing, Spans *spans) {
    const double start = clock_ms();
    if (!trace_send_wants(&tracing->sending))
        return STATUS_OK;
    TRY(show(tracing, true, spans));
    TRY(pipeline_download(tracing->pipeline, tracing->image->view));
    trace_send_progress(&tracing->sending, tracing->image, start);
    return STATUS_OK;
}

/* The time begins behind the first step, which builds the BVH if it takes one. */
static Status gather_own(Tracing *tracing, Spans *spans) {
    const double limit = tracing->options->time;
    const bool shared = cluster_size() > 1 || tracing->devices.count > 1; /* others have a part of the light */
    Progressive *progressive = &tracing->progressive;
    TRY(progressive_step(progressive, STEP_MS, spans));
    const double start = clock_ms();
    for (double gathered = 0; !progressive_complete(progressive) && !interrupted(); gathered = clock_ms() - start) {
        draw_progress(tracing, gathered);
        if (!shared)
            TRY(send_progress(tracing, spans));
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

/* Draws on the picture, and adds it to the output. */
static Status append_picture(Tracing *tracing, Output *output, const Format *format) {
    const TraceSettings *options = tracing->options;
    TraceJob job = tracing->job;
    job.camera = tracing->camera;
    if (trace_has_more(options))
        TRY(trace_figure_draw(options, tracing->device, &job, &tracing->figure, tracing->image->view));
    if (tracing->outputs.film && !tracing->outputs.list)
        return trace_film_add(tracing->outputs.film, tracing->image);
    return options->figure.layers ? trace_figure_save(options, &tracing->figure, tracing->image, output)
                                  : output_append_picture(output, format, tracing->image, (SaveOptions){0});
}

static Status save(Tracing *tracing, Spans *spans) {
    Output *output = trace_outputs_at(&tracing->outputs, tracing->frame);
    const Format *format = output_is_stdout(output) ? format_default : NULL;
    const double start = clock_ms();
    TRY(pipeline_download(tracing->pipeline, tracing->image->view));
    const double downloaded = clock_ms();
    spans_add(spans, "download", start, downloaded);
    TRY(append_picture(tracing, output, format));
    TRY(trace_outputs_finish(&tracing->outputs, tracing->frame));
    spans_add(spans, "encode", downloaded, clock_ms());
    trace_send_picture(&tracing->sending, tracing->image);
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
    const CommandLine line = trace_command_line();
    json_t *record = json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:s, s:s, s:I, s:b, s:o, s:o}", "glint", "trace",
                               "scene", json_text(tracing->options->scene), "output",
                               json_text(output_path(trace_outputs_result(&tracing->outputs, tracing->frame))),
                               "spheres", (json_int_t)tracing->scene->count, "width", (json_int_t)shape.width, "height",
                               (json_int_t)shape.height, "look", looks[tracing->job.look].name, "level",
                               pipeline_level(tracing->pipeline, 0)->name, "samples", (json_int_t)progressive->done,
                               "complete", progressive_complete(progressive), "ms", timings, "options",
                               command_line_json(&line, tracing->options));
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

/* Whether a picture that is not complete is none. */
static bool leaves_nothing(const Tracing *tracing) {
    return tracing->in_strips || !look_is_light(tracing->job.look) || trace_has_more(tracing->options);
}

/* Interrupted, glint writes a picture of light as far as it is. A drawn look has nothing to show before it is done, and
 * a film wants whole frames. */
static Status gather_frame(Tracing *tracing, Spans *spans) {
    TRY(gather(tracing, spans));
    const bool partly = interrupted() && !progressive_complete(&tracing->progressive);
    if (partly && trace_frame_count(tracing->options) > 0)
        return STATUS_INTERRUPTED;
    return interrupted() && leaves_nothing(tracing) ? STATUS_INTERRUPTED : STATUS_OK;
}

/* By all processes; the first one makes a picture of it. */
static Status trace_whole(Tracing *tracing, Spans *spans) {
    TRY(cluster_agree(gather_frame(tracing, spans)));
    TRY(trace_rows_gather(&tracing->progressive));
    if (cluster_rank() > 0)
        return STATUS_OK;
    TRY(show(tracing, false, spans));
    return save(tracing, spans);
}

static void note_step(void *context, const TracedRows *rows) {
    Tracing *tracing = context;
    tracing->progressive = rows->progressive;
    draw_progress(tracing, 0);
}

static Status trace_in_strips(Tracing *tracing, Spans *spans) {
    Output *output = trace_outputs_at(&tracing->outputs, tracing->frame);
    tracing->strips.rows.step = note_step;
    tracing->strips.rows.context = tracing;
    TRY(trace_strips_write(&tracing->strips, output_format(tracing), output, spans));
    return trace_outputs_finish(&tracing->outputs, tracing->frame);
}

static Status trace_frame(Tracing *tracing) {
    const TraceSettings *options = tracing->options;
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
    if (trace_frame_count(options) == 0 || options->common.verbose)
        say_frame(tracing, &spans);
    if (trace_frame_count(options) > 0)
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

/* The `turn` is a share of a circle. */
static Status set_camera(Tracing *tracing, double turn) {
    Camera camera = tracing->job.camera;
    if (tracing->options->along > 0)
        camera = trace_cameras_at(&tracing->cameras, tracing->frame, tracing->options->along);
    else if (tracing->options->orbit > 0)
        TRY(camera_orbit(&tracing->job.camera, tracing->target, turn, &camera));
    tracing->camera = camera;
    progressive_set_camera(tracing->pipeline, camera);
    return STATUS_OK;
}

/* Another scene takes other plans. */
static Status plan_again(Tracing *tracing) {
    close_pipeline(tracing);
    crew_destroy(&tracing->crew);
    TRY(crew_create(&tracing->crew));
    tracing->job.scene = tracing->scene;
    TRY(make_pipeline(tracing));
    return join_others(tracing);
}

/* Puts the particles where they are in the picture. */
static Status move_particles(Tracing *tracing) {
    const Scene *before = tracing->scene;
    if (!tracing->frames.trajectory || tracing->frame == 0)
        return STATUS_OK;
    TRY(trace_frames_show(&tracing->frames, tracing->frame, &tracing->scene));
    TRY(trace_figure_light(tracing->options, tracing->scene, &tracing->job.camera));
    return tracing->scene == before
               ? trace_frames_settle(&tracing->frames, pipeline_queue(tracing->pipeline), tracing->scene)
               : plan_again(tracing);
}

/* A film in one file that is not to go on leaves nothing. */
static Status say_interrupted(const Tracing *tracing, long done) {
    return tracing->outputs.whole && !tracing->outputs.list
               ? fail(STATUS_INTERRUPTED, "interrupted: nothing is written")
               : fail(STATUS_INTERRUPTED, "interrupted: %ld of %ld frames are done", done,
                      trace_frame_count(tracing->options));
}

static Status trace_film(Tracing *tracing) {
    const TraceSettings *options = tracing->options;
    long lacking = 0, last = 0;
    for (tracing->frame = 0; tracing->frame < trace_frame_count(options); tracing->frame++) {
        const double turn = (double)tracing->frame / (double)trace_frame_count(options);
        if (trace_outputs_has(&tracing->outputs, tracing->frame)) {
            last = tracing->frame;
            continue;
        }
        const Status moved = cluster_agree(move_particles(tracing));
        if (moved == STATUS_INPUT) {
            progress_wipe(&tracing->progress);
            say(stderr, "glint: %s: left out", status_message());
            lacking++;
            continue;
        }
        TRY(moved);
        TRY(set_camera(tracing, options->frames.chosen ? turn * (double)options->orbit / 360 : turn));
        Status status = simulate_until(tracing, options->simulated * turn);
        if (status == STATUS_OK && interrupted())
            status = STATUS_INTERRUPTED;
        status = cluster_agree(status);
        if (status == STATUS_OK)
            status = trace_frame(tracing);
        if (status == STATUS_INTERRUPTED)
            return say_interrupted(tracing, tracing->frame - lacking);
        TRY(status);
        last = tracing->frame;
    }
    const Status ended = trace_outputs_end(&tracing->outputs);
    if (ended == STATUS_INTERRUPTED)
        return say_interrupted(tracing, tracing->frame - lacking);
    TRY(ended);
    progress_wipe(&tracing->progress);
    const long count = trace_frame_count(options) - lacking;
    common_say(&options->common, "%s: %ld frame%s, level %s, %.2f s -> %s", options->scene, count,
               count == 1 ? "" : "s", pipeline_level(tracing->pipeline, 0)->name,
               (clock_ms() - tracing->progress.start) / 1e3,
               cluster_rank() == 0 ? output_path(trace_outputs_result(&tracing->outputs, last)) : "another process");
    return lacking == 0 ? STATUS_OK : fail(STATUS_PARTIAL, "%s: %ld frames are damaged", options->scene, lacking);
}

static Status trace_picture(Tracing *tracing) {
    Status status = simulate_until(tracing, tracing->options->simulated);
    if (status == STATUS_INTERRUPTED)
        return fail(status, "interrupted: nothing is written");
    if (status == STATUS_OK)
        status = trace_frame(tracing);
    return status == STATUS_INTERRUPTED && leaves_nothing(tracing) ? fail(status, "interrupted: nothing is written")
                                                                   : status;
}

static Status trace_scene(TraceSettings *options) {
    Tracing tracing = {.options = options};
    Status prepared =
        options->frames.chosen ? trace_frames_open(options, &tracing.frames, &options->pictures) : STATUS_OK;
    if (prepared == STATUS_OK)
        prepared = prepare(&tracing);
    Status status = cluster_agree(prepared);
    if (prepared == STATUS_OK && status == STATUS_OK) {
        interrupts_catch();
        tracing.progress = progress_begin(&options->common);
        status = trace_frame_count(options) > 0 ? trace_film(&tracing) : trace_picture(&tracing);
        progress_wipe(&tracing.progress);
        if (options->simulated > 0)
            trace_output_totals(&options->common, tracing.simulation, tracing.scene->bodies, tracing.steps);
    }
    trace_outputs_free(&tracing.outputs);
    trace_figure_free(&tracing.figure);
    trace_send_end(&tracing.sending);
    (void)simulation_close(&tracing.simulation);
    close_pipeline(&tracing);
    crew_destroy(&tracing.crew);
    device_close(&tracing.device);
    scene_destroy(&tracing.scene);
    trajectory_close(&tracing.frames.trajectory);
    chain_destroy(&tracing.chain);
    return status;
}

Status trace_command(int argc, char **argv) {
    TraceSettings options = trace_settings_defaults();
    const CommandLine line = trace_command_line();
    TRY(command_line_read(&line, argc, argv, &options));
    options.common.stdout_taken = strcmp(options.output, "-") == 0;

    options.shape.type = trace_makes_figure(&options) ? PIXEL_F32 : trace_picture_type(&options);
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
