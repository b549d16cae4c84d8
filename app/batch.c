/* batch.c: glint batch: a chain over files, one file a thread.
 * What may be read and written is decided in file_plan.c before work starts; here each job is decoded, filtered and
 * saved.
 */
#include "app/batch/executor.h"
#include "app/batch/film.h"
#include "app/batch/message.h"
#include "app/cluster/cluster.h"
#include "app/command.h"
#include "app/common_options.h"
#include "app/explain.h"
#include "app/file_plan.h"
#include "app/progress.h"
#include "app/tuning.h"
#include "core/base/file.h"
#include "core/base/folder.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/chain/chain.h"
#include "core/codec/codec.h"
#include "core/codec/sandbox.h"
#include "core/codec/save.h"
#include "core/image/icc.h"
#include "core/image/narrow.h"
#include "core/image/opaque.h"
#include "core/image/widen.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Who decodes and encodes. */
typedef enum CodecChoice { CODEC_AUTO, CODEC_CPU, CODEC_GPU, CODEC_CHOICES } CodecChoice;

static const char *const codec_choices[CODEC_CHOICES] = {"auto", "cpu", "gpu"};

typedef struct Options {
    CommonOptions common;
    FileRules rules;
    Pages pages; /* of each input */
    SaveOptions save;
    const char *format;  /* for stdout, or NULL */
    const char *devices; /* "all" or "0,2"; NULL: that of --device */
    YuvMatrix matrix;    /* of y4m */
    char **arguments;    /* CHAIN INPUT... */
    int argument_count, jobs, retries;
    const char *bits; /* of a value at most, "8" or "16"; NULL: as many as there are */
    CodecChoice codec;
    unsigned sandbox;  /* seconds; 0: none */
    const char *spill; /* folder for what memory does not hold; or NULL */
    bool dry_run, stop_on_error, resume, strip, srgb;
    bool reports;    /* --json, whichever process writes it */
    bool hushed;     /* --quiet, likewise */
    char share[256]; /* of --devices, for this process of a cluster */
    bool apart;      /* --shard: processes know nothing of each other */
} Options;

typedef enum Outcome { OUTCOME_DONE, OUTCOME_SKIPPED, OUTCOME_PLANNED, OUTCOME_FAILED, OUTCOMES } Outcome;

static const char *const outcome_names[OUTCOMES] = {"done", "skipped", "planned", "failed"};

/* A file that failed, and why. */
typedef struct Failure {
    const BatchFile *file;
    char *error;
} Failure;

/* What the other processes of a cluster said in the end. */
typedef struct Others {
    double shares[MESSAGE_SHARES];
    Status worst;
    int processes, lost;
} Others;

/* What the threads share. */
typedef struct Batch {
    const Options *options;
    const Chain *chain;
    FilePlan *list;
    bool shared;   /* with other processes: each takes the files that it begins */
    bool straight; /* files go to the devices and back as their rows come */
    Others others;
    Device *devices[EXECUTOR_DEVICES];
    char names[EXECUTOR_DEVICES][16]; /* "cuda:0" */
    int device_count, busy_count;     /* that were busy */
    atomic_uint lost;                 /* of enum Extra: what outputs could not hold */
    Busy busy;
    const DeviceCodec *codec; /* the devices', if it is used; or NULL */
    Sandbox *sandbox;         /* that decodes; or NULL */
    Input input;              /* opened to see what it is; else its descriptor is -1 */
    Film *film;               /* of it, or NULL */
    pthread_mutex_t report;   /* guards what follows, and stderr */
    FILE *json;
    size_t counts[OUTCOMES], unreported;
    Failure *failures; /* counts[OUTCOME_FAILED] of them, as far as memory goes */
    char full[1024];   /* what was said of the output that the disk had no room for, or "" */
    Measure explained; /* of the last picture whose plan was */
    Status worst;      /* of failures that are not an input's fault */
    Progress progress;
} Batch;

/* A file on its way. */
typedef struct Picture {
    Work work; /* first, so that a Work is ours */
    BatchFile *file;
    CodecFile codec;
    const Format *format; /* it is written as; or NULL */
    struct stat info;     /* of the input, for the journal */
    uint64_t hash;
    bool journaled, fresh; /* fresh: the input, when it was opened */
    unsigned lost;         /* of enum Extra: what its output cannot hold */
    Outcome outcome;
} Picture;

enum { EXTRAS_TEXT = 512 /* for all of enum Extra in words */ };

enum {
    KEY_SKIP = 0x2000,
    KEY_DRY,
    KEY_FAST,
    KEY_QUALITY,
    KEY_LOSSLESS,
    KEY_HALF,
    KEY_PAGE,
    KEY_STRIP,
    KEY_SANDBOX,
    KEY_SPILL,
    KEY_ICC,
    KEY_SHARD,
    KEY_FROM,
    KEY_FORMAT,
    KEY_DEVICES,
    KEY_RETRY,
    KEY_ON_ERROR,
    KEY_RESUME,
    KEY_MATRIX,
    KEY_CODEC,
    KEY_BITS
};

enum { QUEUES = 2, CODEC_QUEUES = 4 /* in flight on a device, and on one that encodes */, SANDBOX_SECONDS = 60 };

#define FILM          "y4m"
#define RETRY_SECONDS 1.0 /* before an input is read again; twice as long each further time */

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
    {"on-error", KEY_ON_ERROR, "skip|stop", 0, "skip: go on with the other files (skip); stop: begin no more of them",
     0},
    {"fail-fast", KEY_FAST, NULL, 0, "the same as --on-error stop", 0},
    {"resume", KEY_RESUME, NULL, 0,
     "keep a journal in the folder of the outputs (.glint-journal), and leave alone what it says is done and unchanged",
     0},
    {"retry", KEY_RETRY, "N", 0, "read an input that cannot be read again, up to N times, after 1, 2, 4, ... s (0)", 0},
    {"jobs", 'j', "N", 0, "threads that decode and encode (as many as cores, fewer where GPUs do both)", 0},
    {"devices", KEY_DEVICES, "LIST", 0, "devices of the backend that share the work: all, or numbers as in 0,2", 0},
    {"codec", KEY_CODEC, "auto|cpu|gpu", 0,
     "who decodes and encodes JPEG: the cpu, or the gpu by nvJPEG; auto: the gpu for 200 of them, if it has the "
     "hardware",
     0},
    {"quality", KEY_QUALITY, "N", 0, "quality of JPEG, WebP and JPEG XL, 1 to 100 (92)", 0},
    {"lossless", KEY_LOSSLESS, NULL, 0, "WebP and JPEG XL keep every value", 0},
    {"format", KEY_FORMAT, "NAME", 0, "format of a picture on stdout (the input's, else png), or y4m for a film", 0},
    {"matrix", KEY_MATRIX, "601|709", 0, "what y4m films mean by their colours: BT.601 or BT.709 (601)", 0},
    {"bits", KEY_BITS, "8|16", 0,
     "write at most so many bits a value: others are rounded, and floats cut off at 0 and white (tonemap first)", 0},
    {"half", KEY_HALF, NULL, 0, "OpenEXR with 16 bits a value, not 32", 0},
    {"page", KEY_PAGE, "N", 0, "only this picture of files that hold several, the first is 0; without it, all", 0},
    {"sandbox", KEY_SANDBOX, "S", OPTION_ARG_OPTIONAL,
     "decode each input in a process of its own that reaches neither files nor networks, in at most S seconds (60)", 0},
    {"spill", KEY_SPILL, "FOLDER", 0,
     "pictures that are larger than memory, and that no strips will do for, lie in files there while they are filtered",
     0},
    {"strip", KEY_STRIP, NULL, 0,
     "leave out Exif, XMP, text and resolution; ICC profiles stay, which colours depend on", 0},
    {"icc", KEY_ICC, "keep|srgb", 0,
     "colours by ICC profiles: keep them as they are, with the profile (keep), or convert them to sRGB", 0},
    {"shard", KEY_SHARD, "I/N", 0,
     "take every N-th input, beginning with the I-th; auto: as Slurm's array or the launcher numbers this process", 0},
    {0},
};

static void parse_shard(struct argp_state *state, const char *text, FileRules *rules) {
    int end = 0;
    if (strcmp(text, "auto") == 0 && cluster_shard(&rules->shard, &rules->shards) != STATUS_OK)
        say_usage(state, "%s", status_message());
    if (strcmp(text, "auto") == 0)
        return;
    if (sscanf(text, "%ld/%ld%n", &rules->shard, &rules->shards, &end) != 2 || text[end] != '\0' || rules->shard < 1 ||
        rules->shard > rules->shards)
        say_usage(state, "--shard is \"%s\", want auto, or I/N with I from 1 to N, as in 1/4", text);
}

/* "all", or numbers, each once. */
static void check_devices(struct argp_state *state, const char *text) {
    bool good = strcmp(text, "all") == 0, seen[EXECUTOR_DEVICES] = {false};
    for (const char *at = text; !good; at++) {
        char *end;
        const long index = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        if (index < 0 || index >= EXECUTOR_DEVICES || seen[index] || (*end != ',' && *end != '\0'))
            break;
        seen[index] = true;
        good = *end == '\0';
        at = end;
    }
    if (!good)
        say_usage(state, "--devices is \"%s\", want all, or numbers from 0 to %d, each once, as in 0,2", text,
                  EXECUTOR_DEVICES - 1);
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
        options->stop_on_error = true;
        return 0;
    case KEY_ON_ERROR:
        if (strcmp(text, "stop") != 0 && strcmp(text, "skip") != 0)
            say_usage(state, "--on-error is \"%s\", want stop or skip", text);
        options->stop_on_error = strcmp(text, "stop") == 0;
        return 0;
    case KEY_RESUME:
        options->resume = true;
        return 0;
    case KEY_RETRY:
        options->retries = (int)common_whole(state, "retry", text, 0, 100);
        return 0;
    case 'j':
        options->jobs = (int)common_whole(state, "jobs", text, 1, 256);
        return 0;
    case KEY_DEVICES:
        check_devices(state, text);
        options->devices = text;
        return 0;
    case KEY_CODEC:
        for (options->codec = CODEC_AUTO;
             options->codec < CODEC_CHOICES && strcmp(text, codec_choices[options->codec]) != 0;)
            options->codec++;
        if (options->codec == CODEC_CHOICES)
            say_usage(state, "--codec is \"%s\", want auto, cpu or gpu", text);
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
    case KEY_PAGE:
        options->pages = (Pages){(size_t)common_whole(state, "page", text, 0, INT_MAX), 1};
        return 0;
    case KEY_SANDBOX:
        options->sandbox = text ? (unsigned)common_whole(state, "sandbox", text, 1, 86400) : SANDBOX_SECONDS;
        return 0;
    case KEY_SPILL:
        if (!folder_is(text) || access(text, W_OK) != 0)
            say_usage(state, "--spill is \"%s\", want a folder that can be written to", text);
        options->spill = text;
        return 0;
    case KEY_STRIP:
        options->strip = true;
        return 0;
    case KEY_ICC:
        if (strcmp(text, "keep") != 0 && strcmp(text, "srgb") != 0)
            say_usage(state, "--icc is \"%s\", want keep or srgb", text);
        options->srgb = strcmp(text, "srgb") == 0;
        if (options->srgb && !icc_available())
            say_usage(state, "--icc srgb needs Little CMS (lcms2), which glint was built without");
        return 0;
    case KEY_FORMAT:
        if (strcmp(text, FILM) != 0 && (!format_by_name(text) || !format_by_name(text)->writes))
            say_usage(state, "--format is \"%s\", want a format that can be written (glint list formats)", text);
        options->format = text;
        return 0;
    case KEY_MATRIX:
        if (strcmp(text, "601") != 0 && strcmp(text, "709") != 0)
            say_usage(state, "--matrix is \"%s\", want 601 or 709", text);
        options->matrix = strcmp(text, "709") == 0 ? YUV_709 : YUV_601;
        return 0;
    case KEY_BITS:
        if (strcmp(text, "8") != 0 && strcmp(text, "16") != 0)
            say_usage(state, "--bits is \"%s\", want 8 or 16", text);
        options->bits = text;
        return 0;
    case KEY_SHARD:
        options->apart = true;
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
        if (options->resume && options->rules.output && strcmp(options->rules.output, "-") == 0)
            say_usage(
                state,
                "--resume keeps a journal in the folder of the outputs, and standard output has no place for one");
        if (options->sandbox > 0 && options->codec == CODEC_GPU)
            say_usage(state, "--sandbox decodes in processes that reach no gpu: --codec gpu excludes it");
        if (options->rules.null && !options->rules.files_from)
            say_usage(state, "--null is about the list of --files-from, and there is none");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static size_t count_reported(const Batch *batch) {
    size_t finished = 0;
    for (int i = 0; i < OUTCOMES; i++)
        finished += batch->counts[i];
    return finished;
}

/* Of a run that ended early: not begun, or given up. */
static size_t files_left(const Batch *batch) {
    const size_t count = batch->list->count, reported = count_reported(batch);
    return count > reported ? count - reported : 0;
}

static void draw_progress(Batch *batch) {
    const size_t finished = count_reported(batch);
    progress_draw(&batch->progress, (double)finished / (double)batch->list->count, "%zu/%zu", finished,
                  batch->list->count);
}

/* A line of the report, to be freed; NULL if there is none, or no memory for it. */
static char *make_record(const Options *options, const Picture *picture, const char *error, const char *reason) {
    const BatchFile *file = picture->file;
    const Shape shape = picture->work.shape;
    const Spans *spans = &picture->work.spans;
    char lost[EXTRAS_TEXT];
    if (!options->reports)
        return NULL;
    json_t *record = json_pack("{s:s, s:o, s:o, s:s}", "glint", "batch", "input", json_text(file->input), "output",
                               json_text(file->output), "status", outcome_names[picture->outcome]);
    if (picture->outcome == OUTCOME_FAILED)
        json_object_set_new(record, "error", json_text(error));
    if (picture->outcome == OUTCOME_SKIPPED)
        json_object_set_new(record, "reason", json_text(file->reason ? file->reason : reason));
    if (picture->outcome == OUTCOME_DONE) {
        char type[8];
        snprintf(type, sizeof type, "%sx%d", pixel_type_name(shape.type), shape.channels);
        json_object_set_new(record, "width", json_integer((json_int_t)shape.width));
        json_object_set_new(record, "height", json_integer((json_int_t)shape.height));
        json_object_set_new(record, "type", json_string(type));
        json_t *ms = json_object();
        for (size_t i = 0; i < spans->count; i++)
            json_object_set_new(ms, spans->spans[i].name, json_real(spans->spans[i].ms));
        json_object_set_new(record, "ms", ms);
        if (image_extras_format(picture->lost, lost, sizeof lost) > 0)
            json_object_set_new(record, "left_out", json_string(lost));
    }
    char *text = record ? json_dumps(record, JSON_COMPACT) : NULL;
    json_decref(record);
    return text;
}

static void note_failure(Batch *batch, const BatchFile *file, const char *error) {
    const size_t count = batch->counts[OUTCOME_FAILED]; /* itself included */
    Failure *grown = realloc(batch->failures, count * sizeof *grown);
    if (!grown) {
        batch->unreported++;
        return;
    }
    batch->failures = grown;
    grown[count - 1] = (Failure){file, strdup(error)};
}

static void free_failures(Batch *batch) {
    for (size_t i = 0; batch->failures && i < batch->counts[OUTCOME_FAILED]; i++)
        free(batch->failures[i].error);
    free(batch->failures);
}

/* A line for people, to be freed; NULL for none. */
static char *make_line(const Batch *batch, const Picture *picture, const char *error, const char *reason) {
    const CommonOptions *common = &batch->options->common;
    const BatchFile *file = picture->file;
    const Spans *spans = &picture->work.spans;
    char times[512] = "", lost[EXTRAS_TEXT], *line = NULL;
    int length = 0;
    switch (picture->outcome) {
    case OUTCOME_FAILED:
        length = batch->full[0] ? 0 : asprintf(&line, "glint: %s", error);
        break;
    case OUTCOME_PLANNED:
        length = asprintf(&line, "%s -> %s", file->input, file->output);
        break;
    case OUTCOME_DONE:
        for (size_t i = 0, used = 0; i < spans->count && used < sizeof times; i++)
            used += (size_t)snprintf(times + used, sizeof times - used, " %s %.2f", spans->spans[i].name,
                                     spans->spans[i].ms);
        if (common->verbose)
            length = asprintf(&line, "%s -> %s %s ms%s%s", file->input, file->output, times,
                              image_extras_format(picture->lost, lost, sizeof lost) ? "; left out: " : "", lost);
        break;
    default:
        if (file->state == FILE_STREAM && !batch->options->hushed)
            length = asprintf(&line, "glint: %s: %s, skipped", file->input, file->reason);
        else if (file->state != FILE_STREAM && common->verbose)
            length = asprintf(&line, "%s: %s %s, skipped", file->input, file->output, reason);
    }
    return length > 0 ? line : NULL;
}

/* What became of a file, of this process or another one. */
static void take_report(Batch *batch, const Message *report) {
    pthread_mutex_lock(&batch->report);
    batch->counts[report->outcome]++;
    progress_wipe(&batch->progress);
    if (report->outcome == OUTCOME_FAILED)
        note_failure(batch, &batch->list->files[report->file], report->error);
    if (report->status == STATUS_DEVICE)
        batch->worst = report->status;
    if (report->line && report->line[0])
        say(report->outcome == OUTCOME_PLANNED ? common_results(&batch->options->common) : stderr, "%s", report->line);
    if (batch->json && report->record && report->record[0]) {
        fprintf(batch->json, "%s\n", report->record);
        fflush(batch->json);
    } else if (batch->json) {
        batch->unreported++;
    }
    draw_progress(batch);
    pthread_mutex_unlock(&batch->report);
}

/* Once a file; its status is why it failed. */
static void report(Batch *batch, const Picture *picture, Status status) {
    const char *error = status_message(), *reason = picture->journaled ? "is done and unchanged" : "exists";
    char *line = make_line(batch, picture, error, reason);
    char *record = make_record(batch->options, picture, error, reason);
    const Message made = {.outcome = (int)picture->outcome,
                          .status = status,
                          .file = (size_t)(picture->file - batch->list->files),
                          .error = picture->outcome == OUTCOME_FAILED ? error : "",
                          .line = line,
                          .record = record};
    if (cluster_rank() == 0)
        take_report(batch, &made);
    else if (!message_send(&made))
        say(stderr, "glint: %s: no memory to report it", picture->file->input);
    free(line);
    free(record);
}

/* Whether a picture's plan is unlike the last one's. The caller holds `report`. */
static bool begins_explaining(Batch *batch, Shape shape, bool premultiplied) {
    Measure *last = &batch->explained;
    const bool same = shape_equal(last->shape, shape) && last->premultiplied == premultiplied;
    *last = (Measure){.shape = shape, .premultiplied = premultiplied};
    return !same;
}

/* Once for each kind of picture that follows another one. */
static Status explain_pipeline(void *context, const Pipeline *pipeline, const Strips *cut) {
    Batch *batch = context;
    const Shape shape = cut->picture, strip = {shape.width, cut->rows, shape.channels, shape.type};
    const char *twice = cut->passes > 1 ? ", more than once" : "";
    PlanOptions options = batch->options->common.plan;
    Plan *apart;
    char title[400], strips[64] = "";
    if (!batch->options->common.explain)
        return STATUS_OK;
    options.tone = plan_options(pipeline_plan(pipeline))->tone;
    options.unfused = true;
    const PlanPart part = strips_part(cut);
    if (strips_are_cut(cut))
        options.part = &part;
    TRY(chain_plan(batch->chain, strip, options, &apart));
    if (options.part)
        snprintf(strips, sizeof strips, ", in strips of %zu rows%s", strip.height, twice);
    snprintf(title, sizeof title, "%.200s of %zux%zu %sx%d%s", batch->options->arguments[0], shape.width, shape.height,
             pixel_type_name(shape.type), shape.channels, strips);
    pthread_mutex_lock(&batch->report);
    if (begins_explaining(batch, shape, options.tone.premultiplied)) {
        progress_wipe(&batch->progress);
        explain(common_results(&batch->options->common), title, pipeline, apart);
    }
    pthread_mutex_unlock(&batch->report);
    plan_destroy(&apart);
    return STATUS_OK;
}

/* ---- what the executor does with a file ---- */

/* What is known without decoding: whether there is anything to do. */
static Status settle(const Batch *batch, Picture *picture) {
    const BatchFile *file = picture->file;
    const FileRules *rules = &batch->options->rules;
    picture->outcome = OUTCOME_SKIPPED;
    if (file->state == FILE_UNREADABLE)
        return fail(STATUS_INPUT, "%s: %s", file->input, file->reason);
    if (file->state != FILE_OPEN)
        return STATUS_OK;
    if (rules->journal)
        TRY(journal_is_done(rules->journal, file->input, file->output, &picture->journaled));
    if (!picture->journaled && !(rules->skip_existing && output_exists(file->claim)))
        picture->outcome = batch->options->dry_run ? OUTCOME_PLANNED : OUTCOME_DONE;
    return STATUS_OK;
}

/* What an opened picture is to be written as; NULL if the output's path names none. */
static const Format *output_format(const Batch *batch, const Picture *picture) {
    if (!output_is_stdout(picture->file->claim))
        return format_for_path(picture->file->output);
    const char *name = batch->options->format;
    const Format *format = name ? format_by_name(name) : picture->codec.format;
    return format && format->writes ? format : format_by_name("png");
}

static bool is_raw(const Format *format) {
    return format && format->raw;
}

static bool keeps_values(const Options *options) {
    return !options->srgb && !options->bits;
}

/* Of --bits, or NULL. */
static PixelType type_max(const char *bits) {
    return !bits ? PIXEL_F32 : strcmp(bits, "8") == 0 ? PIXEL_U8 : PIXEL_U16;
}

/* What decoding and encoding row by row take, the rows aside, if both formats can. */
static size_t row_working(const Batch *batch, const Picture *picture) {
    enum { ENCODER_BYTES = 2 << 20 };
    const Format *format = picture->format;
    const bool can = format && format->write_rows && !batch->options->srgb &&
                     !(format->seeks && output_is_stdout(picture->file->claim));
    return can && codec_has_rows(&picture->codec) ? memory_sum(ENCODER_BYTES, picture->codec.measure.row_working) : 0;
}

/* Whether a file was changed so lately that another change within the clock's tick would not show: those of file
 * systems are 2 s at most. */
static bool is_fresh(const struct stat *info) {
    enum { TICK = 2 };
    return info->st_ctim.tv_sec + TICK >= time(NULL);
}

/* Where no descriptor is left, which other processes may have taken, others come free as works are done. */
static Status open_input(const char *path, Input *input) {
    enum { TRIES = 100 };
    const double pause = 0.02; /* s */
    for (int tries = 0;; tries++) {
        errno = 0;
        const Status status = input_open(path, input);
        if (status != STATUS_INPUT || (errno != EMFILE && errno != ENFILE) || tries == TRIES)
            return status;
        TRY(interruptible_sleep(pause));
    }
}

static Status open_once(Batch *batch, Picture *picture) {
    const Pages pages = batch->options->pages;
    Input opened;
    Input *input = batch->input.descriptor >= 0 ? &batch->input : &opened;
    if (input == &opened)
        TRY(open_input(picture->file->input, input));
    if (film_is_y4m(input->bytes)) {
        input_close(input);
        return fail(STATUS_INPUT,
                    "%s: is a film: one is filtered at a time, into a y4m (-o NAME.y4m) or Netpbm pictures (--format "
                    "ppm)",
                    picture->file->input);
    }
    TRY(codec_adopt(input, pages, sandbox_box(batch->sandbox), &picture->codec));
    if (batch->options->rules.journal && picture->codec.input.size < SIZE_MAX &&
        fstat(picture->codec.input.descriptor, &picture->info) == 0) {
        picture->codec.hash = &picture->hash;
        picture->fresh = is_fresh(&picture->info);
    }
    return STATUS_OK;
}

/* Waits longer each time; false once that was often enough. Files of folders in networks come and go. */
static bool try_again(const Batch *batch, Status status, int tries) {
    enum { PAUSES = 6 }; /* of which each is twice as long as the one before: up to a minute */
    if (status != STATUS_INPUT || tries >= batch->options->retries)
        return false;
    char said[1024]; /* is what failed, should the wait be interrupted */
    snprintf(said, sizeof said, "%s", status_message());
    common_say(&batch->options->common, "%s; trying again", said);
    (void)interruptible_sleep((double)(1 << (tries < PAUSES ? tries : PAUSES)) * RETRY_SECONDS);
    return !interrupted();
}

/* Whether the devices' codec may encode for this format, or NULL. */
static bool codec_makes(const Batch *batch, const Format *format) {
    return batch->codec && format && format->shell && strcmp(format->name, batch->codec->format) == 0;
}

static void choose_codec(const Batch *batch, Picture *picture) {
    const CodecFile *codec = &picture->codec;
    if (!batch->codec)
        return;
    picture->work.may_stay = codec_may_stay_encoded(codec) && strcmp(codec->format->name, batch->codec->format) == 0 &&
                             !batch->options->srgb;
    picture->work.may_be = codec_makes(batch, picture->format);
}

static bool has_extension(const char *path, const char *extension) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot + 1, extension) == 0;
}

/* --dry-run explains a picture by its header alone. */
static Status explain_planned(Batch *batch, Picture *picture) {
    const Options *options = batch->options;
    if (!options->common.explain || has_extension(picture->file->input, FILM))
        return STATUS_OK;
    TRY(open_once(batch, picture));
    const Shape shape = codec_shape(&picture->codec);
    PlanOptions plan = options->common.plan;
    Status status = STATUS_OK;
    plan.tone.premultiplied = picture->codec.measure.premultiplied;
    pthread_mutex_lock(&batch->report);
    if (begins_explaining(batch, shape, plan.tone.premultiplied))
        status = explain_chain(common_results(&options->common), batch->devices[0], options->arguments[0], shape, plan,
                               options->common.level);
    pthread_mutex_unlock(&batch->report);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", picture->file->input);
}

static Status open_file(void *context, Work *work, Opened *opened) {
    Batch *batch = context;
    Picture *picture = (Picture *)work;
    const Options *options = batch->options;
    Status status;
    *opened = OPENED_END;
    const size_t number = batch->shared ? cluster_next() : work->number;
    if (number >= batch->list->count)
        return STATUS_OK;
    *opened = OPENED_SETTLED;
    picture->file = &batch->list->files[number];
    work->name = picture->file->input;
    if (picture->file->output && !picture->file->claim)
        TRY(file_plan_claim(picture->file, &batch->options->rules));
    TRY(settle(batch, picture));
    if (picture->outcome == OUTCOME_PLANNED)
        return explain_planned(batch, picture);
    if (picture->outcome != OUTCOME_DONE)
        return STATUS_OK;
    for (int tries = 0; (status = open_once(batch, picture)) != STATUS_OK && try_again(batch, status, tries); tries++) {
    }
    if (status == STATUS_OK) {
        *opened = OPENED_WORK;
        work->shape = codec_shape(&picture->codec);
        work->further = picture->codec.measure.count - 1;
        picture->format = output_format(batch, picture);
        work->as = (Encoding){picture->format, options->save.lossless, type_max(options->bits)};
        work->decoding = codec_memory(&picture->codec);
        work->carried = picture->codec.measure.carried;
        work->by_rows = row_working(batch, picture);
        work->straight = batch->straight && is_raw(picture->codec.format);
        choose_codec(batch, picture);
    }
    return status;
}

static Status read_file(Work *work, size_t max) {
    CodecFile *codec = &((Picture *)work)->codec;
    return work->may_stay ? codec_read_encoded(codec, max, &work->encoded, &work->image)
                          : codec_read(codec, max, &work->image);
}

static Status to_srgb(Image *image, const char *name) {
    const Status status = icc_to_srgb(image);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", name);
}

static Status decode_file(void *context, Work *work, size_t max) {
    Batch *batch = context;
    Picture *picture = (Picture *)work;
    Status status = read_file(work, max);
    const bool is_file = strcmp(picture->file->input, "-") != 0; /* what was read of a stream is gone */
    for (int tries = 0; is_file && status != STATUS_OK && try_again(batch, status, tries); tries++) {
        status = open_once(batch, picture);
        if (status == STATUS_OK)
            status = read_file(work, max);
    }
    const bool converts = status == STATUS_OK && batch->options->srgb && !batch->sandbox; /* which does it, too */
    return converts ? to_srgb(work->image, picture->file->input) : status;
}

/* What the device has not decoded after all. */
static Status unpack_file(void *context, Work *work) {
    (void)context;
    image_destroy(&work->image);
    const Status status = codec_decode(work->encoded.bytes, &work->image);
    bytes_free(&work->encoded.bytes);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", work->name);
}

/* Pixels or, where a device has encoded them, what else the file says. */
static Status append_picture(Work *work, SaveOptions how) {
    Output *output = ((Picture *)work)->file->claim;
    const Format *format = ((Picture *)work)->format;
    Bytes file;
    if (!work->encoded.bytes.data)
        return output_append_picture(output, output_is_stdout(output) ? format : NULL, work->image, how);
    TRY(codec_encode_about(format, work->image, work->encoded.bytes, how, &file));
    const Status status = output_append(output, file);
    bytes_free(&file);
    return status;
}

/* Whether the format holds the picture, and all behind it, without alpha, or with gray as RGB. */
static bool fits(const Format *format, const Image *image, bool without_alpha, bool as_rgb) {
    for (; image; image = image->next) {
        Shape shape = image->view.shape;
        shape.channels -= without_alpha && shape_has_alpha(shape);
        shape.channels += as_rgb && shape.channels <= 2 ? 2 : 0;
        if (!format_writes(format, shape))
            return false;
    }
    return true;
}

/* A format that has no place for a picture's channels gets it without alpha, if that is opaque everywhere and so says
 * nothing, or gray as RGB, or both. */
static Status fit_channels(const Format *format, Work *work) {
    for (int way = 0; format && !work->encoded.bytes.data && way < 4; way++) {
        const bool without_alpha = way & 1, as_rgb = way & 2;
        if (!fits(format, work->image, without_alpha, as_rgb) || (without_alpha && !image_is_opaque(work->image)))
            continue;
        if (without_alpha)
            image_drop_alpha(work->image);
        return as_rgb ? image_make_rgb(&work->image) : STATUS_OK;
    }
    return STATUS_OK;
}

static Status encode_file(void *context, Work *work) {
    const Batch *batch = context;
    const Options *options = batch->options;
    const BatchFile *file = ((Picture *)work)->file;
    SaveOptions how = options->save;
    how.gives_up = true;
    how.lost = &((Picture *)work)->lost;
    if (options->strip)
        image_strip(work->image);
    if (!work->encoded.bytes.data)
        TRY(image_narrow(&work->image, work->as.type_max));
    TRY(output_make_folders(file->claim));
    TRY(fit_channels(((Picture *)work)->format, work));
    return append_picture(work, how);
}

/* A journal knows an input so large by its size and time alone: it would have to be read once more. */
static Status open_source(void *context, Work *work, RowSource **from) {
    const Batch *batch = context;
    TRY(codec_read_rows(&((Picture *)work)->codec, from, &work->image));
    if (batch->options->strip)
        image_strip(work->image);
    return STATUS_OK;
}

static Status open_sink(void *context, Work *work, RowSink **to) {
    const Batch *batch = context;
    const BatchFile *file = ((Picture *)work)->file;
    SaveOptions how = batch->options->save;
    ByteSink *bytes;
    how.lost = &((Picture *)work)->lost;
    TRY(output_make_folders(file->claim));
    TRY(output_byte_sink(file->claim, &bytes));
    const PixelType type = work->image->view.shape.type;
    const bool narrows = type > work->as.type_max, premultiplied = work->image->premultiplied;
    if (narrows) {
        work->image->view.shape.type = work->as.type_max;
        work->image->premultiplied = false;
    }
    TRY(codec_write_rows(((Picture *)work)->format, work->image, how, bytes, to));
    return narrows ? narrow_rows(*to, type, premultiplied, to) : STATUS_OK;
}

/* The journal knows of an output before it has its name. */
static Status note_in_journal(const Batch *batch, const Picture *picture) {
    struct stat made, from = picture->info;
    const BatchFile *file = picture->file;
    if (!picture->codec.hash || !output_stat(file->claim, &made))
        return STATUS_OK;
    if (picture->fresh && picture->hash != 0)
        from.st_ino = 0; /* it is known by its content alone */
    return journal_add(batch->options->rules.journal, file->input, &from, picture->hash, file->output, &made);
}

static Status commit_file(void *context, Work *work) {
    Picture *picture = (Picture *)work;
    bool skipped;
    TRY(note_in_journal(context, picture));
    TRY(output_finish(picture->file->claim, &skipped));
    if (skipped)
        picture->outcome = OUTCOME_SKIPPED;
    return STATUS_OK;
}

/* Here, and in the other processes as far as they have not begun. */
static void stop(const Batch *batch, Work *work, bool drop) {
    if (batch->shared)
        cluster_take_all(batch->list->count);
    executor_stop(work, drop);
}

/* The first output that finds the disk full ends the run: the others would. What ends with it is not reported. */
static Status end_if_full(Batch *batch, Work *work, Status status) {
    const Picture *picture = (const Picture *)work;
    if (status != STATUS_DEVICE || !picture->file->claim || !output_disk_is_full(picture->file->claim))
        return status;
    pthread_mutex_lock(&batch->report);
    const bool first = !batch->full[0];
    if (first)
        snprintf(batch->full, sizeof batch->full, "%s", status_message());
    pthread_mutex_unlock(&batch->report);
    if (first)
        stop(batch, work, true);
    return first ? status : STATUS_INTERRUPTED;
}

static void file_done(void *context, Work *work, Status status) {
    Batch *batch = context;
    Picture *picture = (Picture *)work;
    status = end_if_full(batch, work, status);
    if (status != STATUS_OK && picture->file->claim)
        output_give_up(picture->file->claim);
    if (status != STATUS_INTERRUPTED) {
        if (status != STATUS_OK)
            picture->outcome = OUTCOME_FAILED;
        if (status != STATUS_OK && batch->options->stop_on_error)
            stop(batch, work, false);
        if (status == STATUS_OK)
            atomic_fetch_or(&batch->lost, picture->lost);
        report(batch, picture, status);
    }
    codec_close(&picture->codec);
}

static void rows_passed(void *context, Work *work) {
    (void)context;
    codec_close(&((Picture *)work)->codec);
}

static const ExecutorTasks tasks = {.work_bytes = sizeof(Picture),
                                    .open = open_file,
                                    .decode = decode_file,
                                    .unpack = unpack_file,
                                    .encode = encode_file,
                                    .open_source = open_source,
                                    .open_sink = open_sink,
                                    .passed = rows_passed,
                                    .commit = commit_file,
                                    .done = file_done,
                                    .planned = explain_pipeline};

/* Fails early on what no file can change: a chain or level that makes no sense, whatever the picture. What this one
 * picture is too small or too large for, others may not be. */
static Status rehearse(const Options *options, const Chain *chain, Device *device) {
    Plan *plan;
    Pipeline *pipeline;
    const Shape small = {16, 16, 3, PIXEL_U8}; /* or one that goes with the images that the chain reads */
    Status status = chain_plan(chain, chain->image_count > 0 ? chain->images[0].image->view.shape : small,
                               options->common.plan, &plan);
    if (status == STATUS_OK)
        status = pipeline_create(device, plan, options->common.level, &pipeline);
    if (status == STATUS_OK)
        pipeline_destroy(&pipeline);
    return status == STATUS_INPUT ? STATUS_OK : status;
}

/* ---- devices ---- */

static Status add_device(Batch *batch, int index, int threads) {
    const Backend *backend = batch->devices[0]->backend;
    Device **device = &batch->devices[batch->device_count];
    if (batch->device_count == EXECUTOR_DEVICES)
        return fail(STATUS_USAGE, "--devices: at most %d", EXECUTOR_DEVICES);
    TRY(backend->open(index, threads, device));
    tuning_load(*device);
    snprintf(batch->names[batch->device_count++], sizeof batch->names[0], "%s:%d", backend->name, index);
    return STATUS_OK;
}

/* Those of --devices behind the first, which is open. */
static Status add_listed(Batch *batch, const char *list, int threads) {
    int count;
    if (strcmp(list, "all") != 0) {
        for (const char *at = strchr(list, ','); at; at = strchr(at + 1, ','))
            TRY(add_device(batch, atoi(at + 1), threads));
        return STATUS_OK;
    }
    TRY(batch->devices[0]->backend->device_count(&count));
    for (int i = 1; i < count; i++)
        TRY(add_device(batch, i, threads));
    return STATUS_OK;
}

/* The rule of --codec auto: a device decodes and encodes where so many JPEGs are read that its start is paid for, if
 * its hardware decodes them, which is known once it is opened. What needs pixels on the host has them decoded there. */
static bool codec_pays(const Batch *batch, const DeviceCodec *codec) {
    enum { PICTURES = 200 };
    size_t count = 0;
    for (size_t i = 0; i < batch->list->count && count < PICTURES; i++) {
        const Format *format = format_for_path(batch->list->files[i].input);
        count += format && strcmp(format->name, codec->format) == 0;
    }
    return count == PICTURES && !batch->sandbox && !batch->options->srgb;
}

/* Whether it is asked for, or pays. */
static bool codec_wanted(const Batch *batch, const DeviceCodec *codec) {
    const CodecChoice choice = batch->options->codec;
    return !batch->film && (choice == CODEC_GPU || (choice == CODEC_AUTO && codec && codec_pays(batch, codec)));
}

/* Which backend will be the run's is not known yet. */
static void prepare_backends(const Batch *batch) {
    int connections = FEW_CONNECTIONS;
    for (size_t i = 0; i < backend_count(); i++) {
        const DeviceCodec *codec = backend_at(i)->codec;
        if (codec && codec->connections > connections && codec_wanted(batch, codec))
            connections = codec->connections;
    }
    backends_prepare(connections);
}

/* The devices' codec, if it is wanted. Whether it works is known once it is opened, while files are read. */
static Status find_codec(Batch *batch) {
    const Backend *backend = batch->devices[0]->backend;
    const DeviceCodec *codec = backend->codec;
    if (!codec_wanted(batch, codec))
        return STATUS_OK;
    batch->codec = codec;
    return codec ? STATUS_OK
                 : fail(STATUS_DEVICE, "--codec gpu: the %s backend has no codec of its own", backend->name);
}

/* Whether all files hold values as they are in memory, before and behind the filter, as far as names tell, and pass row
 * by row. A journal wants a hash of each, and what is to be read again would have been written in part. */
static bool go_straight(const Batch *batch) {
    const Options *options = batch->options;
    bool all = batch->devices[0]->backend->staging && !batch->film && !batch->sandbox && !options->rules.journal &&
               options->retries == 0 && keeps_values(options);
    for (size_t i = 0; all && i < batch->list->count; i++) {
        const BatchFile *file = &batch->list->files[i];
        all = file->output && is_raw(format_for_path(file->input)) && is_raw(format_for_path(file->output));
    }
    return all;
}

/* Whether the devices' codec also encodes any. */
static bool codec_encodes(const Batch *batch) {
    for (size_t i = 0; batch->codec && i < batch->list->count; i++) {
        const char *output = batch->list->files[i].output;
        if (output && codec_makes(batch, format_for_path(output)))
            return true;
    }
    return false;
}

/* The host's cores are shared out: as many pictures at a time as codec threads, and what is left over goes into each
 * picture. Other devices have two queues each, four where each also waits for its encoder, or as many in all as there
 * are codec threads, whose work they then do, where pictures go straight. */
static Status open_devices(Batch *batch, int jobs, int *queues) {
    const Options *options = batch->options;
    CommonOptions common = options->common;
    if (options->devices)
        common.device = atoi(options->devices); /* "all": 0 */
    TRY(common_open(&common, &batch->devices[0]));
    const Backend *backend = batch->devices[0]->backend;
    batch->device_count = 1;
    TRY(find_codec(batch));
    batch->straight = go_straight(batch);
    *queues = backend->host_frames ? jobs : codec_encodes(batch) ? CODEC_QUEUES : QUEUES;
    if (backend->host_frames && jobs > 1) {
        common.backend = backend->name;
        common.threads = (batch->devices[0]->threads + jobs - 1) / jobs;
        device_close(&batch->devices[0]);
        batch->device_count = 0;
        TRY(common_open(&common, &batch->devices[0]));
        batch->device_count = 1;
    }
    snprintf(batch->names[0], sizeof batch->names[0], backend->host_frames ? "%s" : "%s:%d", backend->name,
             common.device);
    if (options->devices)
        TRY(add_listed(batch, options->devices, common.threads));
    if (batch->straight)
        *queues = (jobs + batch->device_count - 1) / batch->device_count;
    return STATUS_OK;
}

/* Devices with memory of their own are left to the process's end, which frees it tenths of a second faster. */
static void close_devices(Batch *batch) {
    for (int i = 0; i < batch->device_count; i++)
        if (batch->devices[i]->backend->host_frames)
            device_close(&batch->devices[i]);
}

/* Once a run, not once a file. */
static void say_lost(const Batch *batch) {
    char names[EXTRAS_TEXT];
    if (atomic_load(&batch->lost) && image_extras_format(atomic_load(&batch->lost), names, sizeof names) > 0)
        common_say(&batch->options->common, "not in all outputs, though in their inputs: %s", names);
}

/* "; busy: decode 52 %, encode 41 %, cpu 12 %, disk 3 %" */
static void format_busy(const Batch *batch, char *text, size_t size) {
    const Busy *busy = &batch->busy;
    size_t length =
        (size_t)snprintf(text, size, "; busy: decode %.0f %%, encode %.0f %%", 100 * busy->decode, 100 * busy->encode);
    for (int i = 0; i < batch->busy_count && length < size; i++) {
        length +=
            (size_t)snprintf(text + length, size - length, ", %s %.0f %%", batch->names[i], 100 * busy->devices[i]);
        if (batch->codec && length < size)
            length += (size_t)snprintf(text + length, size - length, " (its decoder %.0f %%, encoder %.0f %%)",
                                       100 * busy->device_decode[i], 100 * busy->device_encode[i]);
    }
    if (length < size)
        snprintf(text + length, size - length, ", disk %.0f %%", 100 * busy->disk);
}

/* Among many lines failures are easily missed: they are said again. */
static void say_failures(const Batch *batch) {
    if (!batch->options->common.verbose || batch->counts[OUTCOME_DONE] == 0)
        return;
    for (size_t i = 0; i < batch->counts[OUTCOME_FAILED]; i++)
        say(stderr, "glint: failed: %s", batch->failures && batch->failures[i].error ? batch->failures[i].error : "");
}

static json_t *failures_json(const Batch *batch) {
    json_t *list = json_array();
    for (size_t i = 0; batch->failures && i < batch->counts[OUTCOME_FAILED]; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "input", json_text(batch->failures[i].file->input), "error",
                                              json_text(batch->failures[i].error)));
    return list;
}

static json_t *busy_json(const Batch *batch) {
    const Busy *busy = &batch->busy;
    json_t *shares = json_pack("{s:f, s:f}", "decode", busy->decode, "encode", busy->encode);
    for (int i = 0; i < batch->busy_count; i++) {
        char name[40];
        json_object_set_new(shares, batch->names[i], json_real(busy->devices[i]));
        snprintf(name, sizeof name, "%s decode", batch->names[i]);
        if (batch->codec)
            json_object_set_new(shares, name, json_real(busy->device_decode[i]));
        snprintf(name, sizeof name, "%s encode", batch->names[i]);
        if (batch->codec)
            json_object_set_new(shares, name, json_real(busy->device_encode[i]));
    }
    json_object_set_new(shares, "disk", json_real(busy->disk));
    return shares;
}

/* The last line of the report: one without it was cut short. */
static bool write_summary(const Batch *batch, double seconds) {
    json_t *record =
        json_pack("{s:s, s:s, s:I}", "glint", "batch", "status", "summary", "files", (json_int_t)batch->list->count);
    for (int i = 0; i < OUTCOMES; i++)
        json_object_set_new(record, outcome_names[i], json_integer((json_int_t)batch->counts[i]));
    if (files_left(batch) > 0)
        json_object_set_new(record, "left", json_integer((json_int_t)files_left(batch)));
    if (batch->others.processes > 0)
        json_object_set_new(record, "processes", json_integer(batch->others.processes + 1));
    if (batch->others.lost > 0)
        json_object_set_new(record, "lost", json_integer(batch->others.lost));
    json_object_set_new(record, "seconds", json_real(seconds));
    json_object_set_new(record, "busy", busy_json(batch));
    json_object_set_new(record, "failures", failures_json(batch));
    return json_put(batch->json, record, JSON_COMPACT);
}

static void summarize(Batch *batch) {
    const CommonOptions *common = &batch->options->common;
    const double seconds = (clock_ms() - batch->progress.start) / 1e3;
    const size_t failed = batch->counts[OUTCOME_FAILED];
    const size_t left = files_left(batch);
    char busy[64 + 64 * EXECUTOR_DEVICES] = "", processes[32] = "", rest[32] = "";
    progress_wipe(&batch->progress);
    if (batch->others.processes > 0)
        snprintf(processes, sizeof processes, ", %d processes", batch->others.processes + 1);
    if (batch->counts[OUTCOME_DONE] > 0)
        format_busy(batch, busy, sizeof busy);
    if (left > 0)
        snprintf(rest, sizeof rest, ", %zu left", left);
    say_failures(batch);
    if (!common->quiet && (batch->list->count > 1 || failed > 0))
        say(stderr, "glint: %zu of %zu done, %zu skipped, %zu failed%s%s, %.2f s%s",
            batch->counts[OUTCOME_DONE] + batch->counts[OUTCOME_PLANNED], batch->list->count,
            batch->counts[OUTCOME_SKIPPED], failed, rest, processes, seconds, busy);
    say_lost(batch);
    if (batch->json && !write_summary(batch, seconds))
        batch->unreported++;
}

static Status conclude(Batch *batch) {
    const size_t failed = batch->counts[OUTCOME_FAILED];
    summarize(batch);
    if (interrupted())
        return fail(STATUS_INTERRUPTED, "interrupted: every output that is there is whole");
    if (batch->full[0])
        return fail(STATUS_DEVICE, "%s: the run ends here, %zu of %zu files are done", batch->full,
                    batch->counts[OUTCOME_DONE], batch->list->count);
    if (batch->unreported > 0)
        return fail(STATUS_DEVICE, "no memory for %zu lines of the report", batch->unreported);
    if (batch->others.lost > 0)
        return fail(STATUS_DEVICE, "%d of %d processes lost: of %zu of %zu files it is known what became of them",
                    batch->others.lost, batch->others.processes + 1, count_reported(batch), batch->list->count);
    if (batch->others.worst != STATUS_OK && !batch->options->stop_on_error)
        return fail(batch->others.worst, "a process ended early: of %zu of %zu files it is known what became of them",
                    count_reported(batch), batch->list->count);
    if (failed == 0)
        return files_left(batch) == 0 ? STATUS_OK
                                      : fail(STATUS_DEVICE, "%zu of %zu files are neither done nor failed",
                                             files_left(batch), batch->list->count);
    if (batch->worst == STATUS_DEVICE)
        return fail(STATUS_DEVICE, "the device or the environment failed; see above");
    return failed == batch->list->count ? fail(STATUS_INPUT, "no usable input") : STATUS_PARTIAL;
}

enum {
    PIXELS_MAPPED = 128 << 10, /* larger blocks go back to the system when they are freed, */
    FILES_MAPPED = 16 << 20,   /* or only those that are larger than most encoded files, */
    FILES_KEPT = 256 << 20,    /* of which so much may be idle in an arena, or a share of the budget */
    ARENAS_BUDGET = 1 << 30,   /* with less, all threads share one arena: each reserves 64 MiB of addresses */
    COMMITTERS = 8,            /* they wait: journals of file systems commit together what comes together */
};

/* Each thread's arena keeps what its jobs have freed, if blocks are not mapped one by one. That is wanted where a
 * device decodes and encodes: malloc then has files for the most part, by the thousand a second, and new pages for each
 * of them would take a fifth of the host's time. */
static void set_up_malloc(const Batch *batch, int jobs) {
    enum { SHARE = 8 };
    const size_t share = memory_budget() / SHARE / (size_t)jobs;
    if (memory_budget() < ARENAS_BUDGET)
        mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, batch->codec ? FILES_MAPPED : PIXELS_MAPPED);
    if (!batch->codec)
        return;
    mallopt(M_TRIM_THRESHOLD, share < FILES_KEPT ? (int)share : FILES_KEPT);
    mallopt(M_TOP_PAD, FILES_MAPPED);
}

/* ---- films ---- */

/* Whether the output is one that holds frames, and of which format: NULL for y4m. */
static bool film_format(const Options *options, const BatchFile *file, const Format **format) {
    const char *name = options->format;
    const bool to_stream = output_is_stdout(file->claim);
    const Format *by_path = to_stream ? NULL : format_for_path(file->output);
    *format = name ? format_by_name(name) : by_path;
    if (*format)
        return strcmp((*format)->name, "ppm") == 0 &&
               (to_stream || has_extension(file->input, FILM) || (name && by_path == *format));
    return name || has_extension(file->output, FILM) || (to_stream && has_extension(file->input, FILM));
}

/* Opens the one input, if what shall be made of it may be a film, and looks whether it is one. */
static Status open_film(Batch *batch) {
    const Options *options = batch->options;
    const BatchFile *file = &batch->list->files[0];
    FilmRules rules = {.matrix = options->matrix, .save = options->save, .planned = explain_pipeline, .context = batch};
    if (batch->list->count > 1 || file->state != FILE_OPEN || options->dry_run ||
        (options->rules.skip_existing && output_exists(file->claim)) || !film_format(options, file, &rules.format))
        return STATUS_OK;
    if (batch->sandbox && !rules.format)
        return fail(STATUS_USAGE, "--sandbox is for pictures: films are decoded by the process itself");
    rules.output = file->claim;
    TRY(input_open(file->input, &batch->input));
    const bool is_film = !batch->sandbox && film_begins(batch->input.bytes);
    if (is_film && (options->resume || options->pages.count > 0 || options->bits))
        return fail(STATUS_USAGE, "%s: is a film, which is filtered as a whole; --%s is for pictures",
                    batch->input.name,
                    options->resume            ? "resume"
                    : options->pages.count > 0 ? "page"
                                               : "bits");
    if (is_film)
        return film_create(&batch->input, rules, &batch->film);
    return rules.format ? STATUS_OK
                        : fail(STATUS_INPUT,
                               "%s: is no film (y4m, or pictures of the binary Netpbm formats), of which a "
                               "y4m could be made",
                               batch->input.name);
}

/* A film that is damaged is written as far as it goes; one that was interrupted is not, but for what a pipe has got. */
static Status conclude_film(Batch *batch) {
    const CommonOptions *common = &batch->options->common;
    const BatchFile *file = &batch->list->files[0];
    const double seconds = (clock_ms() - batch->progress.start) / 1e3;
    char busy[64 + 64 * EXECUTOR_DEVICES] = "";
    size_t frames;
    Status status = film_end(batch->film, &frames);
    if (status == STATUS_PARTIAL)
        say(stderr, "glint: %s", status_message());
    if (status == STATUS_OK && frames == 0)
        status = fail(STATUS_INPUT, "%s: a film without a frame", file->input);
    const Status finished = status == STATUS_OK || status == STATUS_PARTIAL ? output_finish(file->claim, NULL) : status;
    status = finished == STATUS_OK ? status : finished;
    if (batch->json)
        json_put(batch->json,
                 json_pack("{s:s, s:o, s:o, s:s, s:I, s:f, s:o}", "glint", "batch", "input", json_text(file->input),
                           "output", json_text(file->output), "status", status == STATUS_OK ? "done" : "failed",
                           "frames", (json_int_t)frames, "seconds", seconds, "busy", busy_json(batch)),
                 JSON_COMPACT);
    format_busy(batch, busy, sizeof busy);
    common_say(common, "%zu frame%s, %.2f s, %.1f a second%s", frames, frames == 1 ? "" : "s", seconds,
               (double)frames / seconds, busy);
    return status;
}

/* ---- the run ---- */

/* Of `jobs` threads, so many leave a core each to the threads that drive a device which decodes and encodes, since
 * nvJPEG waits by asking again: 1000 JPEGs take 1.75 s on 16 cores and an H100 instead of 2.15. At least half remain.
 */
static int spared_threads(const Batch *batch, int cores, int jobs) {
    enum { DRIVERS = 4 /* of a device */ };
    if (batch->options->jobs || !codec_encodes(batch))
        return 0;
    const int drivers = DRIVERS * batch->device_count, wanted = cores > 2 * drivers ? cores - drivers : (cores + 1) / 2;
    return jobs > wanted ? jobs - wanted : 0;
}

/* Descriptors that the process holds by now; those that it may hold, as many as the system lets it have. */
static size_t count_descriptors(size_t *most) {
    struct rlimit limit;
    size_t count = 0;
    *most = SIZE_MAX;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        const rlim_t given = limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max;
        *most = setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : given;
    }
    DIR *open = opendir("/proc/self/fd");
    while (open && readdir(open))
        count++;
    if (open)
        closedir(open);
    return count;
}

/* Works at once for which there are descriptors: each has an input, a draft and that one's folder; a thread that looks
 * into folders or decodes in a sandbox has some more. */
static size_t works_at_once(int threads) {
    enum { EACH = 3, THREAD = 8, OTHERS = 16 };
    size_t most;
    const size_t taken = count_descriptors(&most) + OTHERS + THREAD * (size_t)threads;
    return most > taken + EACH ? (most - taken) / EACH : 1;
}

/* A film is read and written in order, by one thread at a time: others go on meanwhile. */
static ExecutorOptions executor_options(Batch *batch, int jobs, int queues) {
    const Options *options = batch->options;
    ExecutorOptions how = {.tasks = &tasks,
                           .context = batch,
                           .chain = batch->chain,
                           .plan = options->common.plan,
                           .level = options->common.level,
                           .devices = batch->devices,
                           .device_count = batch->device_count,
                           .queues = queues,
                           .shares = batch->straight ? QUEUES : queues,
                           .codec = batch->codec,
                           .codec_or_none = options->codec == CODEC_AUTO,
                           .save = options->save,
                           .codecs = jobs,
                           .committers = batch->list->count < COMMITTERS ? (int)batch->list->count : COMMITTERS,
                           .in_flight = works_at_once(jobs),
                           .memory = memory_budget(),
                           .spill = options->spill,
                           .profile_trace = options->common.profile_trace};
    if (batch->film) {
        how.tasks = &film_tasks;
        how.context = batch->film;
        how.serial = true;
        how.codecs = jobs > 2 ? jobs : 2;
        how.committers = 2 * (how.codecs + queues * how.device_count);
        how.in_flight = (size_t)how.committers;
    }
    return how;
}

static Status process_files(Batch *batch, int jobs) {
    const Options *options = batch->options;
    const char *names[EXECUTOR_DEVICES];
    const int cores = jobs;
    int queues;
    TRY(open_film(batch));
    jobs = batch->film || (size_t)jobs <= batch->list->count ? jobs : (int)batch->list->count;
    TRY(open_devices(batch, jobs, &queues));
    TRY(rehearse(options, batch->chain, batch->devices[0]));
    set_up_malloc(batch, jobs);
    interrupts_catch(); /* files in flight end */
    for (int i = 0; i < batch->device_count; i++)
        names[i] = batch->names[i];
    ExecutorOptions how = executor_options(batch, jobs, queues);
    how.names = names;
    how.spared = spared_threads(batch, cores, jobs);
    batch->busy_count = batch->device_count;
    return executor_run(&how, &batch->busy);
}

/* ---- several processes ---- */

/* A message of another process; true if it was its last. */
static bool take_message(void *context, int from, void *data, size_t bytes) {
    Batch *batch = context;
    Message message;
    if (bytes == 0) { /* as its supervisor has said */
        batch->others.lost++;
        return true;
    }
    if (!message_read(data, bytes, &message))
        return false;
    if (!message.last) {
        take_report(batch, &message);
        return false;
    }
    atomic_fetch_or(&batch->lost, message.lost);
    pthread_mutex_lock(&batch->report);
    for (size_t i = 0; i < MESSAGE_SHARES; i++)
        batch->others.shares[i] += message.shares[i];
    if (message.status != STATUS_OK && message.status != STATUS_USAGE) { /* those are the same in all */
        progress_wipe(&batch->progress);
        say(stderr, "glint: process %d: %s", from, message.error);
        batch->others.worst = message.status;
    }
    pthread_mutex_unlock(&batch->report);
    return true;
}

static void list_shares(const Batch *batch, double shares[MESSAGE_SHARES]) {
    const Busy *busy = &batch->busy;
    double devices = 0;
    for (int i = 0; i < batch->busy_count; i++)
        devices += busy->devices[i] / batch->busy_count;
    const double all[MESSAGE_SHARES] = {busy->decode, busy->encode, devices, busy->disk};
    memcpy(shares, all, sizeof all);
}

/* The mean over all processes, of all devices of a process together. */
static void average_shares(Batch *batch) {
    double mean[MESSAGE_SHARES];
    const Others *others = &batch->others;
    list_shares(batch, mean);
    for (size_t i = 0; i < MESSAGE_SHARES; i++)
        mean[i] = (mean[i] + others->shares[i]) / (others->processes + 1);
    batch->busy.decode = mean[0];
    batch->busy.encode = mean[1];
    batch->busy.devices[0] = mean[2];
    batch->busy.disk = mean[3];
    batch->busy_count = 1;
    snprintf(batch->names[0], sizeof batch->names[0], "devices");
}

/* All but the first process: whatever went wrong is told to that one, which says it. */
static Status work_for_others(Batch *batch, int jobs) {
    const Status status = batch->shared ? process_files(batch, jobs) : STATUS_OK;
    const bool good = status == STATUS_OK && !batch->full[0] && !(interrupted() && batch->shared);
    Message end = {.last = true, .lost = atomic_load(&batch->lost)};
    end.status = good ? STATUS_OK : status != STATUS_OK ? status : batch->full[0] ? STATUS_DEVICE : STATUS_INTERRUPTED;
    end.error = batch->full[0] ? batch->full : status != STATUS_OK ? status_message() : good ? "" : "interrupted";
    list_shares(batch, end.shares);
    (void)message_send(&end);
    return STATUS_OK;
}

/* The first process takes files like the others, and their reports. What went wrong in it alone is said now: the others
 * go on. */
static Status work_with_others(Batch *batch, int jobs) {
    Listener *listener = cluster_listen(take_message, batch);
    if (!listener)
        return fail(STATUS_DEVICE, "no memory for another thread");
    batch->others.processes = cluster_size() - 1;
    const Status status = process_files(batch, jobs);
    const bool apart = status != STATUS_OK && status != STATUS_USAGE && batch->shared;
    if (apart) {
        say(stderr, "glint: process 0: %s", status_message());
        batch->others.worst = status;
    }
    cluster_listened(&listener);
    average_shares(batch);
    return apart ? STATUS_OK : status;
}

static Status run_batch(Batch *batch, int jobs) {
    const bool alone = cluster_size() == 1;
    TRY(cluster_agree(common_open_json(&batch->options->common, &batch->json)));
    batch->progress = progress_begin(&batch->options->common);
    batch->progress.shown &= batch->list->count > 1;
    cluster_go_apart();
    if (cluster_rank() > 0)
        return work_for_others(batch, jobs);
    TRY(alone ? process_files(batch, jobs) : work_with_others(batch, jobs));
    return batch->film ? conclude_film(batch) : conclude(batch);
}

/* All that shapes a result goes into the recipe; backend and level do not: they agree. */
static Status open_journal(Options *options, const Chain *chain) {
    const PlanOptions *plan = &options->common.plan;
    char border[64], text[200];
    border_format(plan->border, border, sizeof border);
    snprintf(text, sizeof text, " border=%s%s%s%s quality=%d%s%s page=%zu+%zu%s%s%s%s%s", border,
             plan->alpha == ALPHA_IGNORE ? " alpha=ignore" : "", plan->linear ? " linear" : "",
             plan->unfused ? " no-fuse" : "", options->save.quality, options->save.lossless ? " lossless" : "",
             options->save.half ? " half" : "", options->pages.first, options->pages.count,
             options->strip ? " strip" : "", options->srgb ? " icc=srgb" : "",
             options->codec == CODEC_GPU ? " codec=gpu" : "", options->bits ? " bits=" : "",
             options->bits ? options->bits : "");
    char *recipe = journal_recipe(chain, text);
    if (!recipe)
        return fail(STATUS_DEVICE, "no memory for the journal");
    const Status status = journal_open(options->rules.place, recipe, &options->rules.journal);
    free(recipe);
    return status;
}

static bool holds_films(const char *format) {
    return strcmp(format, FILM) == 0 || strcmp(format, "ppm") == 0;
}

/* What the extension in -o decides for all files is said once, before the first. A template's may be the input's. */
static Status check_extension(const Options *options) {
    const char *output = options->rules.output, *end = output + strlen(output);
    const Format *format = format_for_path(output);
    const bool named = end > output && end[-1] != '/' && end[-1] != '}' && strcmp(output, "-") != 0;
    if (!output[0])
        return fail(STATUS_USAGE, "-o is \"\", want a file, a folder ending in /, or a template");
    if (options->format && strcmp(output, "-") != 0 && !holds_films(options->format))
        return fail(STATUS_USAGE,
                    "--format %s is for standard output; a file's format is that of its name, as in -o "
                    "'FOLDER/{stem}.%s'",
                    options->format, options->format);
    if (!named || options->format || has_extension(output, FILM) || folder_is(output) || (format && format->writes))
        return STATUS_OK;
    if (format && !format->lacks)
        return fail(STATUS_USAGE, "-o %s: %s is read, but not written; `glint list formats` shows what is", output,
                    format->title);
    return format ? STATUS_OK
                  : fail(STATUS_USAGE,
                         "-o %s: the extension names no format, as `glint list formats` shows them, and a folder's "
                         "name ends in /",
                         output);
}

/* The first process of several makes the list. */
static Status list_files(const Options *options, FilePlan *list) {
    const bool shared = cluster_size() > 1;
    Status status = STATUS_OK;
    if (cluster_rank() == 0)
        status = file_plan_make(options->arguments + 1, (size_t)options->argument_count - 1, &options->rules, list);
    for (size_t i = 0; shared && status == STATUS_OK && list->count > 1 && i < list->count; i++)
        if (strcmp(list->files[i].input, "-") == 0)
            status = fail(STATUS_USAGE, "-: standard input is one process's, and several share these inputs");
    TRY(cluster_agree(status));
    return shared ? file_plan_share(list) : STATUS_OK;
}

static Status batch_files(Options *options) {
    Chain *chain = NULL;
    FilePlan list = {0};
    const char *text = options->arguments[0];
    options->rules.chain = text;
    options->rules.overwrite = options->common.overwrite;
    Status status = check_extension(options);
    if (status == STATUS_OK)
        status = chain_open(text, &chain);
    for (size_t i = 0; status == STATUS_OK && options->srgb && i < chain->image_count; i++)
        status = to_srgb(chain->images[i].image, chain->images[i].path);
    if (status == STATUS_OK && strcmp(options->rules.output, "-") != 0)
        status = place_hold(options->rules.output, &options->rules.place);
    if (status == STATUS_OK && options->resume)
        status = open_journal(options, chain);
    status = cluster_agree(status);
    if (status == STATUS_OK)
        status = list_files(options, &list);
    const bool together = cluster_size() > 1;
    long jobs = options->jobs ? options->jobs : together ? options->common.threads : sysconf(_SC_NPROCESSORS_ONLN);
    if (status == STATUS_OK && list.count > 0) {
        Batch batch = {.options = options,
                       .chain = chain,
                       .list = &list,
                       .shared = together && list.count > 1,
                       .report = PTHREAD_MUTEX_INITIALIZER,
                       .input = {.descriptor = -1}};
        if (options->sandbox > 0)
            status = sandbox_open(options->sandbox, options->srgb, &batch.sandbox);
        if (options->codec == CODEC_AUTO && !together) /* of several processes, each has counted devices by now */
            prepare_backends(&batch);
        if (status == STATUS_OK)
            status = run_batch(&batch, (int)jobs);
        sandbox_close(&batch.sandbox);
        close_devices(&batch);
        film_destroy(&batch.film);
        input_close(&batch.input);
        free_failures(&batch);
    }
    file_plan_free(&list);
    journal_close(&options->rules.journal);
    place_release(&options->rules.place);
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

    options.common.stdout_taken = strcmp(options.rules.output, "-") == 0 && !options.dry_run;
    options.reports = options.common.json != NULL;
    options.hushed = options.common.quiet;
    if (options.codec != CODEC_AUTO) /* before a cluster counts devices, and has threads; auto has to see the list */
        prepare_backends(&(Batch){.options = &options});
    Status status =
        options.apart ? STATUS_OK : cluster_begin(argc, argv, &options.common, options.share, sizeof options.share);
    if (status == STATUS_OK && options.share[0] && !options.devices && options.common.device == 0)
        options.devices = options.share;
    if (status == STATUS_OK)
        status = cluster_agree(common_start(&options.common, "batch"));
    if (status == STATUS_OK)
        status = batch_files(&options);
    return cluster_end(common_finish(&options.common, status));
}
