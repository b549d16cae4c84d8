/* batch.h: the structs that the files of glint batch share: its options, the run, and a file on its way.
 * options.c    the command line
 * survey.*     the formats that the files' names tell
 * tasks.c      the executor's tasks: a file is opened, decoded, encoded, and gets its name
 * devices.c    which devices and codecs take part
 * film_run.c   a run whose input is a film
 * watch_run.c  a run whose inputs come into folders
 * processes.c  a run that several processes share
 * report.c     what people and --json are told
 * app/batch.c  the run itself */
#ifndef GLINT_APP_BATCH_BATCH_H
#define GLINT_APP_BATCH_BATCH_H

#include "app/archive/archive.h"
#include "app/batch/executor.h"
#include "app/batch/film.h"
#include "app/batch/message.h"
#include "app/batch/survey.h"
#include "app/common_options.h"
#include "app/export/files.h"
#include "app/file_plan.h"
#include "app/progress.h"
#include "core/base/folder_watch.h"
#include "core/codec/codec.h"
#include "core/codec/sandbox.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

enum { BATCH_QUEUES = 2 /* in flight on a device with memory of its own */ };

/* Whether the host or a device decodes and encodes. */
typedef enum CodecChoice { CODEC_AUTO, CODEC_CPU, CODEC_GPU, CODEC_CHOICES } CodecChoice;

typedef struct BatchOptions {
    CommonOptions common;
    FileRules rules;
    Pages pages; /* of each input */
    SaveOptions save;
    const char *format;  /* for stdout, or NULL */
    const char *devices; /* "all" or "0,2"; NULL: the one of --device */
    YuvMatrix matrix;    /* of y4m */
    char **arguments;    /* CHAIN INPUT... */
    int argument_count, jobs, retries;
    PixelType type_max; /* of outputs: values of more bits are narrowed */
    CodecChoice codec;
    unsigned sandbox;   /* seconds; 0: none */
    const char *spill;  /* folder for pictures that memory does not hold; or NULL */
    ExportSettings way; /* of --export, whose encoder's options and colours stand above */
    bool exports;       /* --export */
    char *chain;        /* as text, with the links; NULL until it is opened */
    char output[EXPORT_TEMPLATE], links[EXPORT_LINKS]; /* by the way: instead of -o, and behind the chain; or "" */
    bool dry_run, stop_on_error, resume, strip, srgb, hdr;
    bool reports;    /* there is --json, whichever process writes it */
    bool hushed;     /* --quiet, in every process */
    char share[256]; /* of --devices, for this process of a cluster */
    bool apart;      /* --shard: processes know nothing of each other */
} BatchOptions;

typedef enum Outcome {
    OUTCOME_DONE,
    OUTCOME_PASSED, /* no picture: a member that went from archive to archive */
    OUTCOME_SKIPPED,
    OUTCOME_PLANNED,
    OUTCOME_FAILED,
    OUTCOMES
} Outcome;

/* A file that failed, and why. */
typedef struct Failure {
    char *input, *error;
} Failure;

/* The other processes of a cluster, by their last messages. */
typedef struct Others {
    double shares[MESSAGE_SHARES];
    Status worst;
    int processes, lost;
} Others;

/* One run, shared by the executor's threads. */
typedef struct Batch {
    const BatchOptions *options;
    const Chain *chain;
    FilePlan *list;
    Survey survey; /* of the list */
    bool shared;   /* with other processes: each takes the files that it begins */
    bool straight; /* files go to the devices and back as their rows come */
    Others others;
    Device *devices[EXECUTOR_DEVICES];
    char names[EXECUTOR_DEVICES][16]; /* "cuda:0" */
    int device_count, busy_count;     /* of `devices`; of the shares in `busy` */
    atomic_uint lost;                 /* enum Extra: data that outputs could not hold */
    Busy busy;
    const DeviceCodec *codec; /* the devices', if it is used; or NULL */
    Sandbox *sandbox;         /* decodes all inputs; or NULL */
    Input input;              /* the one input, if it is open already; else its descriptor is -1 */
    Film *film;               /* read from `input`; or NULL */
    Archive *archive;         /* whose members are being read, by one thread at a time; or NULL */
    struct stat archive_info; /* its file's */
    FolderWatch *watch;       /* gives the files, which are not in the list; or NULL */
    pthread_mutex_t report;   /* guards all members behind it, and stderr */
    FILE *json;
    size_t total; /* files of the list, or of a watch so far */
    size_t counts[OUTCOMES], unreported;
    Failure *failures;   /* counts[OUTCOME_FAILED] of them, as far as memory goes */
    char full[1024];     /* the message of the output that the disk had no room for, or "" */
    Shape explained;     /* of the last picture whose plan was printed, */
    PlanOptions how;     /* and the options of that */
    Status worst;        /* of failures that are not an input's fault */
    Status watch_status; /* of a watch that ended by itself */
    char watch_why[256]; /* its message */
    Progress progress;
} Batch;

/* A file on its way. */
typedef struct Picture {
    Work work; /* first, so that a Work is a Picture */
    BatchFile *file;
    CodecFile codec;
    const Format *format; /* of the output; NULL if its name tells none */
    struct stat info;     /* of the input, for the journal */
    Bytes made;           /* of a member of an archive: its bytes, from encoding to the archive */
    int64_t changed;      /* of such a member: when its input was, s since 1970 */
    uint64_t hash;
    bool opened;    /* `info` is known */
    bool journaled; /* the journal says that it is done */
    bool fresh;     /* the input had just changed when it was opened */
    unsigned lost;  /* enum Extra: data that its output cannot hold */
    Outcome outcome;
    FilePlan own; /* of a watch: the one file */
    char *below;  /* of a watch: its folder below the watched one */
    bool again;   /* of a watch: the file changed while it was read */
} Picture;

/* ---- options.c ---- */

/* Reads the command line, or ends the program. STATUS_DEVICE if memory is short. */
Status batch_parse(int argc, char **argv, BatchOptions *options);
/* Spells the options that outputs depend on; returns the length as snprintf does. */
size_t batch_recipe(const BatchOptions *options, char *recipe, size_t size);
/* The same for reports: each with its value, also where that is the default. */
json_t *batch_options_json(const BatchOptions *options);

/* ---- tasks.c ---- */

extern const ExecutorTasks batch_tasks; /* with the Batch as context */
/* Converts the picture to sRGB. A failure begins with `name`. */
Status batch_to_srgb(Image *image, const char *name);

/* ---- devices.c ---- */

/* Tells backends, before any is opened, how many connections the run wants. */
void devices_prepare(const Batch *batch);
/* Opens the run's devices; *queues: in flight on each. Fails as common_open does; STATUS_DEVICE, too, if --codec gpu
 * asks for a codec that the backend lacks. */
Status devices_open(Batch *batch, int jobs, int *queues);
/* Closes devices whose frames lie in the host's memory. The others are left to the process's end, which frees them
 * tenths of a second faster. */
void devices_close(Batch *batch);
/* Fails early on a chain or level that suits no picture. */
Status devices_rehearse(const Batch *batch);
/* How many of `jobs` codec threads leave a core each to the threads that drive a device's codec. */
int devices_spare(const Batch *batch, int cores, int jobs);

/* ---- film_run.c ---- */

/* Opens the one input if its output may be a film's; batch->film is NULL unless it is one. */
Status film_run_open(Batch *batch);
Status film_run_conclude(Batch *batch);

/* ---- watch_run.c ---- */

/* Starts to watch the folders; batch->watch is NULL without --watch. Fails as folder_watch_open does; STATUS_USAGE if
 * an input is no folder, or outputs would come into it. */
Status watch_run_open(Batch *batch);
/* Waits for the next file, and gives it to the picture. False at the end, and on a failure, which report_conclude says.
 */
bool watch_run_next(Batch *batch, Picture *picture);
/* Whether the picture's file is still as it was when it was opened. Always, without a watch. */
bool watch_run_was_whole(const Batch *batch, const Picture *picture);
/* The picture is done with its file. */
void watch_run_done(const Batch *batch, Picture *picture);

/* ---- processes.c ---- */

/* The first process takes files as the others do, and their reports. */
Status processes_lead(Batch *batch, int jobs);
/* Any other process: whatever goes wrong is told to the first one, which says it. */
Status processes_follow(Batch *batch, int jobs);

/* ---- report.c ---- */

/* Reports once on each file; `status` is why it failed. */
void report_file(Batch *batch, const Picture *picture, Status status);
/* PackTold of an archive that was written; `context` is the Batch. */
void report_archive(void *context, const char *path, PackEnd end, size_t members, const char *why);
/* Takes a report of this process or another one. */
void report_take(Batch *batch, const Message *report);
/* ExecutorTasks.planned: explains the plan of each kind of picture that follows another kind. */
Status report_plan(void *context, const Pipeline *pipeline, const Strips *cut);
/* --dry-run explains a picture of this shape by its header alone. */
Status report_planned(Batch *batch, Shape shape, bool premultiplied);
/* Sums up the run; returns the command's status. */
Status report_conclude(Batch *batch);
void report_free(Batch *batch);
/* "; busy: decode 52 %, encode 41 %, cpu 12 %, disk 3 %", and the same as JSON. */
void report_format_busy(const Batch *batch, char *text, size_t size);
json_t *report_busy_json(const Batch *batch);

/* ---- app/batch.c ---- */

/* Carries out the run in this process. */
Status batch_process(Batch *batch, int jobs);

#endif
