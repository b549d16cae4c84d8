/* batch.c: glint batch: a chain over files, one file a thread.
 * What may be read and written is decided in file_plan.c before work starts; here each job is decoded, filtered and
 * saved.
 */
#include "app/admission.h"
#include "app/command.h"
#include "app/common_options.h"
#include "app/explain.h"
#include "app/file_plan.h"
#include "app/progress.h"
#include "core/chain.h"
#include "core/codec.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/strips.h"

#include <execinfo.h>
#include <jansson.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Options {
    CommonOptions common;
    FileRules rules;
    SaveOptions save;
    const char *format; /* for stdout, or NULL */
    char **arguments;   /* CHAIN INPUT... */
    int argument_count, jobs;
    bool dry_run, fail_fast;
} Options;

typedef enum Outcome { OUTCOME_DONE, OUTCOME_SKIPPED, OUTCOME_PLANNED, OUTCOME_FAILED, OUTCOMES } Outcome;

static const char *const outcome_names[OUTCOMES] = {"done", "skipped", "planned", "failed"};

/* What the workers share. */
typedef struct Batch {
    const Options *options;
    const Chain *chain;
    const FilePlan *list;
    Device *device; /* shared: each worker's pipeline has a queue of its own */
    atomic_size_t next;
    atomic_bool stop;
    atomic_uint lost;       /* of enum Extra: what outputs could not hold */
    Budget budget;          /* of memory */
    pthread_mutex_t report; /* guards what follows, and stderr */
    FILE *json;
    size_t counts[OUTCOMES], unreported;
    Shape explained; /* the last picture whose plan was */
    Status worst;    /* of failures that are not an input's fault */
    Progress progress;
} Batch;

typedef struct Worker {
    Batch *batch;
    int number;
    Pipeline *pipeline; /* for strips of pictures of one shape */
    Strips strips;
    Admission admission;
    pthread_t thread;
} Worker;

enum { KEY_SKIP = 0x2000, KEY_DRY, KEY_FAST, KEY_QUALITY, KEY_LOSSLESS, KEY_HALF, KEY_SHARD, KEY_FROM, KEY_FORMAT };

static const struct argp_option argp_options[] = {
    {"output", 'o', "OUTPUT", 0,
     "FILE, DIR/ (keeps names) or a template: 'DIR/{stem}-{chain}.{ext}'; also {dir}, {index}; "
     "- is stdout",
     0},
    {"skip-existing", KEY_SKIP, NULL, 0, "leave outputs that exist, and their inputs alone", 0},
    {"recursive", 'r', NULL, 0, "look into subfolders", 0},
    {"files-from", KEY_FROM, "FILE", 0, "read inputs from FILE, one a line; - is stdin", 0},
    {"null", '0', NULL, 0, "zero bytes separate the inputs of --files-from, as find -print0 writes them", 0},
    {"dry-run", KEY_DRY, NULL, 0, "say what would be written, and write nothing", 0},
    {"fail-fast", KEY_FAST, NULL, 0, "stop at the first bad file", 0},
    {"jobs", 'j', "N", 0, "files at a time (as many as cores)", 0},
    {"quality", KEY_QUALITY, "N", 0, "quality of JPEG and WebP, 1 to 100 (92)", 0},
    {"lossless", KEY_LOSSLESS, NULL, 0, "WebP keeps every value", 0},
    {"format", KEY_FORMAT, "NAME", 0, "format of a picture on stdout (the input's, else png)", 0},
    {"half", KEY_HALF, NULL, 0, "OpenEXR with 16 bits a value, not 32", 0},
    {"shard", KEY_SHARD, "I/N", 0, "take every N-th input, beginning with the I-th", 0},
    {0},
};

static void parse_shard(struct argp_state *state, const char *text, FileRules *rules) {
    int end = 0;
    if (sscanf(text, "%ld/%ld%n", &rules->shard, &rules->shards, &end) != 2 || text[end] != '\0' || rules->shard < 1 ||
        rules->shard > rules->shards)
        say_usage(state, "--shard is \"%s\", want I/N with I from 1 to N, as in 1/4", text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case 'o':
        options->rules.output = text;
        return 0;
    case KEY_SKIP:
        options->rules.skip_existing = true;
        return 0;
    case 'r':
        options->rules.recursive = true;
        return 0;
    case KEY_FROM:
        options->rules.files_from = text;
        return 0;
    case '0':
        options->rules.null = true;
        return 0;
    case KEY_DRY:
        options->dry_run = true;
        return 0;
    case KEY_FAST:
        options->fail_fast = true;
        return 0;
    case 'j':
        options->jobs = (int)common_whole(state, "jobs", text, 1, 256);
        return 0;
    case KEY_QUALITY:
        options->save.quality = (int)common_whole(state, "quality", text, 1, 100);
        return 0;
    case KEY_LOSSLESS:
        options->save.lossless = true;
        return 0;
    case KEY_HALF:
        options->save.half = true;
        return 0;
    case KEY_FORMAT:
        if (!format_by_name(text) || !format_by_name(text)->save)
            say_usage(state, "--format is \"%s\", want a format that can be written (glint list formats)", text);
        options->format = text;
        return 0;
    case KEY_SHARD:
        parse_shard(state, text, &options->rules);
        return 0;
    case ARGP_KEY_ARGS:
        options->arguments = state->argv + state->next;
        options->argument_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (options->argument_count < 1 || (options->argument_count < 2 && !options->rules.files_from))
            say_usage(state, "want a chain and inputs, as in glint batch gaussian=2 photo.jpg -o out/");
        if (!options->rules.output)
            say_usage(state, "want -o OUTPUT: a file, a folder ending in /, or a template");
        if (options->common.overwrite && options->rules.skip_existing)
            say_usage(state, "--overwrite and --skip-existing exclude each other");
        if (options->rules.null && !options->rules.files_from)
            say_usage(state, "--null is about the list of --files-from, and there is none");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void draw_progress(Batch *batch) {
    size_t finished = 0;
    for (int i = 0; i < OUTCOMES; i++)
        finished += batch->counts[i];
    progress_draw(&batch->progress, (double)finished / (double)batch->list->count, "%zu/%zu", finished,
                  batch->list->count);
}

static bool write_json(FILE *stream, const BatchFile *file, Outcome outcome, const char *error, Shape shape,
                       const Spans *spans) {
    json_t *record = json_pack("{s:s, s:o, s:o, s:s}", "glint", "batch", "input", json_text(file->input), "output",
                               json_text(file->output), "status", outcome_names[outcome]);
    if (outcome == OUTCOME_FAILED)
        json_object_set_new(record, "error", json_text(error));
    if (outcome == OUTCOME_SKIPPED)
        json_object_set_new(record, "reason", json_text(file->reason ? file->reason : "exists"));
    if (outcome == OUTCOME_DONE) {
        char type[8];
        snprintf(type, sizeof type, "%sx%d", pixel_type_name(shape.type), shape.channels);
        json_object_set_new(record, "width", json_integer((json_int_t)shape.width));
        json_object_set_new(record, "height", json_integer((json_int_t)shape.height));
        json_object_set_new(record, "type", json_string(type));
        json_t *ms = json_object();
        for (size_t i = 0; i < spans->count; i++)
            json_object_set_new(ms, spans->spans[i].name, json_real(spans->spans[i].ms));
        json_object_set_new(record, "ms", ms);
    }
    return json_put(stream, record, JSON_COMPACT);
}

static void report(Batch *batch, const BatchFile *file, Outcome outcome, Status status, Shape shape,
                   const Spans *spans) {
    const CommonOptions *common = &batch->options->common;
    pthread_mutex_lock(&batch->report);
    batch->counts[outcome]++;
    progress_wipe(&batch->progress);
    if (outcome == OUTCOME_FAILED) {
        say(stderr, "glint: %s", status_message());
        if (status == STATUS_DEVICE)
            batch->worst = status;
    } else if (outcome == OUTCOME_PLANNED) {
        say(common_results(common), "%s -> %s", file->input, file->output);
    } else if (common->verbose && outcome == OUTCOME_DONE) {
        char times[512] = "";
        for (size_t i = 0, used = 0; i < spans->count && used < sizeof times; i++)
            used += (size_t)snprintf(times + used, sizeof times - used, " %s %.2f", spans->spans[i].name,
                                     spans->spans[i].ms);
        say(stderr, "%s -> %s %s ms", file->input, file->output, times);
    } else if (file->state == FILE_STREAM) {
        common_say(common, "%s: %s, skipped", file->input, file->reason);
    } else if (common->verbose) {
        say(stderr, "%s: %s exists, skipped", file->input, file->output);
    }
    if (batch->json && !write_json(batch->json, file, outcome, status_message(), shape, spans))
        batch->unreported++;
    draw_progress(batch);
    pthread_mutex_unlock(&batch->report);
}

/* Once for each shape of picture that follows another one. */
static Status explain_pipeline(const Worker *worker) {
    Batch *batch = worker->batch;
    const Shape shape = worker->strips.picture, strip = {shape.width, worker->strips.rows, shape.channels, shape.type};
    PlanOptions options = batch->options->common.plan;
    Plan *apart;
    char title[400], strips[64] = "";
    options.unfused = true;
    options.part = strip.height < shape.height;
    TRY(chain_plan(batch->chain, strip, options, &apart));
    if (options.part)
        snprintf(strips, sizeof strips, ", in strips of %zu rows", strip.height);
    snprintf(title, sizeof title, "%.200s of %zux%zu %sx%d%s", batch->options->arguments[0], shape.width, shape.height,
             pixel_type_name(shape.type), shape.channels, strips);
    pthread_mutex_lock(&batch->report);
    if (!shape_equal(batch->explained, shape)) {
        batch->explained = shape;
        progress_wipe(&batch->progress);
        explain(common_results(&batch->options->common), title, worker->pipeline, apart);
    }
    pthread_mutex_unlock(&batch->report);
    plan_destroy(&apart);
    return STATUS_OK;
}

/* Makes the worker's pipeline fit pictures of this shape; folders of equal pictures make it once. */
static Status fit_pipeline(Worker *worker, Shape shape) {
    const Options *options = worker->batch->options;
    if (worker->pipeline && shape_equal(worker->strips.picture, shape))
        return STATUS_OK;
    pipeline_destroy(&worker->pipeline);
    Plan *plan;
    TRY(strips_plan(worker->batch->chain, shape, options->common.plan, worker->batch->device->backend, STRIP_BYTES,
                    &worker->strips, &plan));
    TRY(pipeline_create(worker->batch->device, plan, options->common.level, &worker->pipeline));
    return options->common.explain ? explain_pipeline(worker) : STATUS_OK;
}

static Status save(Batch *batch, const BatchFile *file, const Image *image, bool *skipped) {
    const Options *options = batch->options;
    unsigned lost = 0;
    const SaveOptions how = {options->save.quality, options->save.lossless, options->save.half, &lost};
    const Format *format = NULL; /* the path's */
    if (interrupted())
        return fail(STATUS_INTERRUPTED, "interrupted");
    if (output_is_stdout(file->claim)) {
        format = options->format ? format_by_name(options->format) : format_for_path(file->input);
        if (!format || !format->save)
            format = format_by_name("png");
    } else {
        TRY(file_make_folders(file->output, 0777));
    }
    TRY(output_append_picture(file->claim, format, image, how));
    TRY(output_finish(file->claim, skipped));
    if (!*skipped)
        atomic_fetch_or(&batch->lost, lost);
    return STATUS_OK;
}

/* What is not pixels goes with the picture. */
static void move_rest(Image *from, Image *to) {
    to->profile = from->profile;
    to->profile_size = from->profile_size;
    to->extras = from->extras;
    from->profile = NULL;
    from->profile_size = 0;
}

/* Takes the picture over: it is not needed any more once the result is there. */
static Status filter(Worker *worker, Image **image, Image **result, Spans *spans) {
    TRY(fit_pipeline(worker, (*image)->view.shape));
    TRY(image_create(strips_result(&worker->strips, pipeline_result_shape(worker->pipeline)), result));
    TRY(strips_process(&worker->strips, worker->pipeline, (*image)->view, (*result)->view, spans));
    move_rest(*image, *result);
    image_destroy(image);
    return STATUS_OK;
}

/* Sets memory aside for the whole job before anything of its picture is held. */
static Status admit(Worker *worker, const CodecFile *file) {
    const Batch *batch = worker->batch;
    bool admitted;
    TRY(admission_try(&worker->admission, file, batch->chain, batch->options->common.plan,
                      worker->batch->device->backend, &admitted));
    if (!admitted || !shape_equal(worker->strips.picture, codec_shape(file)))
        pipeline_destroy(&worker->pipeline);
    if (!admitted)
        TRY(admission_wait(&worker->admission, file));
    return interrupted() ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

static Status load(Worker *worker, const BatchFile *file, Image **image) {
    CodecFile codec;
    TRY(codec_open(file->input, &codec));
    const Status status = admit(worker, &codec);
    if (status == STATUS_OK)
        return codec_read(&codec, admission_decoding(&worker->admission), image);
    codec_close(&codec);
    return fail_within(status, "%s: ", file->input);
}

static Status process(Worker *worker, const BatchFile *file, Shape *shape, Spans *spans, bool *skipped) {
    Image *image = NULL, *result = NULL;
    const double start = clock_ms();
    Status status = load(worker, file, &image);
    if (status == STATUS_OK) {
        *shape = image->view.shape;
        spans_add(spans, "decode", start, clock_ms());
        status = filter(worker, &image, &result, spans);
        if (status != STATUS_OK)
            status = fail_within(status, "%s: ", file->input);
    }
    if (status == STATUS_OK) {
        const double filtered = clock_ms();
        status = save(worker->batch, file, result, skipped);
        spans_add(spans, "encode", filtered, clock_ms());
    }
    image_destroy(&image);
    image_destroy(&result);
    return status;
}

static void *work(void *argument) {
    Worker *worker = argument;
    Batch *batch = worker->batch;
    for (;;) {
        const size_t index = atomic_fetch_add(&batch->next, 1);
        if (index >= batch->list->count || interrupted() || atomic_load(&batch->stop))
            break;
        const BatchFile *file = &batch->list->files[index];
        Shape shape = {0};
        Spans spans = {.profile_trace = batch->options->common.profile_trace, .track = worker->number};
        Status status = STATUS_OK;
        bool skipped = file->state != FILE_OPEN || (batch->options->rules.skip_existing && output_exists(file->claim));
        Outcome outcome = skipped ? OUTCOME_SKIPPED : OUTCOME_PLANNED;
        if (file->state == FILE_UNREADABLE) {
            status = fail(STATUS_INPUT, "%s: %s", file->input, file->reason);
            outcome = OUTCOME_FAILED;
        } else if (!skipped && !batch->options->dry_run) {
            status = process(worker, file, &shape, &spans, &skipped);
            outcome = status != STATUS_OK ? OUTCOME_FAILED : skipped ? OUTCOME_SKIPPED : OUTCOME_DONE;
        }
        if (status == STATUS_INTERRUPTED)
            break;
        if (outcome == OUTCOME_FAILED && batch->options->fail_fast)
            atomic_store(&batch->stop, true);
        report(batch, file, outcome, status, shape, &spans);
    }
    pipeline_destroy(&worker->pipeline);
    admission_end(&worker->admission);
    return NULL;
}

/* Fails early on what no file can change: a chain or level that makes no sense, whatever the picture. What this one
 * picture is too small or too large for, others may not be. */
static Status rehearse(const Options *options, const Chain *chain, Device *device) {
    Plan *plan;
    Pipeline *pipeline;
    const Shape small = {16, 16, 3, PIXEL_U8}; /* or one that goes with the images that the chain reads */
    const Status status = chain_plan(chain, chain->image_count > 0 ? chain->images[0].image->view.shape : small,
                                     options->common.plan, &plan);
    if (status != STATUS_OK)
        return status == STATUS_INPUT ? STATUS_OK : status;
    TRY(pipeline_create(device, plan, options->common.level, &pipeline));
    pipeline_destroy(&pipeline);
    return STATUS_OK;
}

/* A thread that ends unwinds by libgcc, which libc loads then, and aborts the process if memory is short by that time.
 * backtrace loads it now (backtrace(3), Notes). */
static bool load_unwinder(void) {
    void *address;
    return backtrace(&address, 1) > 0;
}

static Status run_workers(Batch *batch, int count) {
    Worker *workers = calloc((size_t)count, sizeof *workers);
    if (!workers || !load_unwinder()) {
        free(workers);
        return fail(STATUS_DEVICE, "no memory for %d workers", count);
    }
    int started = 0;
    for (; started < count; started++) {
        workers[started] = (Worker){.batch = batch, .number = started, .admission = {.budget = &batch->budget}};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    return started > 0 ? STATUS_OK : fail(STATUS_DEVICE, "no thread could be started");
}

/* The host's cores are shared out: as many files at a time as cores, and what is left over goes into each file. */
static Status open_device(const Options *options, int workers, Device **device) {
    CommonOptions common = options->common;
    TRY(common_open(&common, device));
    if (workers == 1 || !(*device)->backend->host_frames)
        return STATUS_OK;
    common.backend = (*device)->backend->name;
    common.threads = ((*device)->threads + workers - 1) / workers;
    device_close(device);
    return common_open(&common, device);
}

/* Once a run, not once a file. */
static void say_lost(const Batch *batch) {
    char names[160];
    if (atomic_load(&batch->lost) && image_extras_format(atomic_load(&batch->lost), names, sizeof names) > 0)
        common_say(&batch->options->common, "not in all outputs, though in their inputs: %s", names);
}

static Status conclude(Batch *batch) {
    const size_t failed = batch->counts[OUTCOME_FAILED], total = batch->list->count;
    const CommonOptions *common = &batch->options->common;
    progress_wipe(&batch->progress);
    if (!common->quiet && (total > 1 || failed > 0))
        say(stderr, "glint: %zu of %zu done, %zu skipped, %zu failed, %.2f s",
            batch->counts[OUTCOME_DONE] + batch->counts[OUTCOME_PLANNED], total, batch->counts[OUTCOME_SKIPPED], failed,
            (clock_ms() - batch->progress.start) / 1e3);
    say_lost(batch);
    if (interrupted())
        return fail(STATUS_INTERRUPTED, "interrupted: every output that is there is whole");
    if (batch->unreported > 0)
        return fail(STATUS_DEVICE, "no memory for %zu lines of the report", batch->unreported);
    if (failed == 0)
        return STATUS_OK;
    if (batch->worst == STATUS_DEVICE)
        return fail(STATUS_DEVICE, "the device or the environment failed; see above");
    return failed == total ? fail(STATUS_INPUT, "no usable input") : STATUS_PARTIAL;
}

enum { PIXELS_MAPPED = 128 << 10 }; /* larger blocks go back to the system when they are freed */

static Status run_batch(Batch *batch, int jobs) {
    const Options *options = batch->options;
    TRY(open_device(options, jobs, &batch->device));
    TRY(rehearse(options, batch->chain, batch->device));
    TRY(common_open_json(&options->common, &batch->json));
    budget_init(&batch->budget, memory_budget());
    mallopt(M_MMAP_THRESHOLD, PIXELS_MAPPED); /* or each thread's arena keeps what its jobs have freed */
    interrupts_catch();                       /* files in flight end */
    batch->progress = progress_begin(&options->common);
    batch->progress.shown &= batch->list->count > 1;
    Status status = run_workers(batch, jobs);
    if (status == STATUS_OK)
        status = conclude(batch);
    budget_destroy(&batch->budget);
    return status;
}

static Status batch_files(Options *options) {
    Chain *chain = NULL;
    FilePlan list = {0};
    const char *text = options->arguments[0];
    options->rules.chain = text;
    options->rules.overwrite = options->common.overwrite;
    TRY(chain_open(text, &chain));
    Status status = file_plan_make(options->arguments + 1, (size_t)options->argument_count - 1, &options->rules, &list);
    long jobs = options->jobs ? options->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    jobs = jobs > (long)list.count ? (long)list.count : jobs;
    if (status == STATUS_OK && list.count > 0) {
        Batch batch = {.options = options, .chain = chain, .list = &list, .report = PTHREAD_MUTEX_INITIALIZER};
        status = run_batch(&batch, (int)jobs);
        device_close(&batch.device);
    }
    file_plan_free(&list);
    chain_destroy(&chain);
    return status;
}

Status batch_command(int argc, char **argv) {
    Options options = {.common = common_defaults, .rules = {.shard = 1, .shards = 1}};
    const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
    const struct argp parser = {argp_options,
                                parse,
                                "CHAIN INPUT... -o OUTPUT",
                                "Filters files with CHAIN (as in gaussian=2,sharpen=amount=0.8).",
                                children,
                                NULL,
                                NULL};
    TRY(common_parse(&parser, argc, argv, &options));

    Status status = common_start(&options.common, "batch");
    if (status == STATUS_OK)
        status = batch_files(&options);
    return common_finish(&options.common, status);
}
