/* batch.c: glint batch: a chain over files, one file a thread. */
#include "app/batch/batch.h"
#include "app/cluster/cluster.h"
#include "app/command.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/share.h"
#include "core/chain/sidecar.h"

#include <dirent.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    PIXELS_MAPPED = 128 << 10, /* larger blocks go back to the system when they are freed; */
    FILES_MAPPED = 16 << 20,   /* where devices decode, blocks that are larger than most encoded files */
    FILES_KEPT = 256 << 20,    /* bytes, or a share of the budget, may then be idle in an arena */
    ARENAS_BUDGET = 1 << 30,   /* with less, all threads share one arena: each reserves 64 MiB of addresses */
    COMMITTERS = 8, /* threads that wait: a file system's journal writes changes together that come together */
};

/* Where a device decodes and encodes, malloc serves encoded files for the most part, a thousand a second. New pages for
 * each would take a fifth of the host's time. Therefore each thread's arena keeps what its jobs have freed. */
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

/* Descriptors that the process holds; *most: how many it may hold, once the limit is as high as the system allows. */
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

/* How many works at once there are descriptors for. Each has an input, a draft and the draft's folder; a thread that
 * looks into folders or decodes in a sandbox has some more. */
static size_t works_at_once(int threads) {
    enum { EACH = 3, THREAD = 8, OTHERS = 16 };
    size_t most;
    const size_t taken = count_descriptors(&most) + OTHERS + THREAD * (size_t)threads;
    return most > taken + EACH ? (most - taken) / EACH : 1;
}

/* A film is read and written in order, by one thread at a time. */
static ExecutorOptions executor_options(Batch *batch, int jobs, int queues) {
    const BatchOptions *options = batch->options;
    ExecutorOptions how = {.tasks = &batch_tasks,
                           .context = batch,
                           .chain = batch->chain,
                           .plan = options->common.plan,
                           .level = options->common.level,
                           .devices = batch->devices,
                           .device_count = batch->device_count,
                           .queues = queues,
                           .shares = batch->straight ? BATCH_QUEUES : queues,
                           .codec = batch->codec,
                           .codec_or_none = options->codec == CODEC_AUTO,
                           .save = options->save,
                           .codecs = jobs,
                           .committers = batch->total < COMMITTERS ? (int)batch->total : COMMITTERS,
                           .in_flight = works_at_once(jobs),
                           .memory = memory_budget(),
                           .spill = options->spill,
                           .profile_trace = options->common.profile_trace,
                           .timed = options->reports || options->common.verbose || options->common.profile_trace};
    for (size_t i = 0; i < batch->list->count && !how.serial; i++)
        how.serial = batch->list->files[i].archive != NULL; /* members are read in their order */
    if (batch->watch || batch->list->packs) {               /* one thread waits for the next file, the others work */
        how.serial = true;
        how.codecs = jobs + 1;
        how.committers = COMMITTERS;
    }
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

Status batch_process(Batch *batch, int jobs) {
    const char *names[EXECUTOR_DEVICES];
    const int cores = jobs;
    int queues;
    TRY(batch->options->rules.watch ? STATUS_OK : film_run_open(batch));
    jobs = batch->film || batch->options->rules.watch || (size_t)jobs <= batch->total ? jobs : (int)batch->total;
    TRY(devices_open(batch, jobs, &queues));
    TRY(devices_rehearse(batch));
    set_up_malloc(batch, jobs);
    interrupts_catch(); /* files in flight end */
    TRY(watch_run_open(batch));
    for (int i = 0; i < batch->device_count; i++)
        names[i] = batch->names[i];
    ExecutorOptions how = executor_options(batch, jobs, queues);
    how.names = names;
    how.spared = devices_spare(batch, cores, jobs);
    batch->busy_count = batch->device_count;
    return executor_run(&how, &batch->busy);
}

static Status run_batch(Batch *batch, int jobs) {
    const bool alone = cluster_size() == 1;
    TRY(cluster_agree(common_open_json(&batch->options->common, &batch->json)));
    batch->progress = progress_begin(&batch->options->common);
    batch->progress.shown &= batch->total > 1;
    cluster_go_apart();
    if (cluster_rank() > 0)
        return processes_follow(batch, jobs);
    TRY(alone ? batch_process(batch, jobs) : processes_lead(batch, jobs));
    return batch->film ? film_run_conclude(batch) : report_conclude(batch);
}

/* The recipe of each output stands in the journal, so that an output of other options is made again. */
static Status open_journal(BatchOptions *options, const Chain *chain) {
    char text[1024];
    if (batch_recipe(options, text, sizeof text) >= sizeof text)
        return fail(STATUS_USAGE, "--resume: the options are longer than a journal can hold");
    char *recipe = journal_recipe(chain, text);
    if (!recipe)
        return fail(STATUS_DEVICE, "no memory for the journal");
    const Status status = journal_open(options->rules.place, recipe, &options->rules.journal);
    free(recipe);
    return status;
}

/* The first of several processes makes the list. */
static Status list_files(const BatchOptions *options, FilePlan *list) {
    const bool shared = cluster_size() > 1;
    Status status = STATUS_OK;
    if (options->rules.watch)
        return STATUS_OK;
    if (cluster_rank() == 0)
        status = file_plan_make(options->arguments + 1, (size_t)options->argument_count - 1, &options->rules, list);
    for (size_t i = 0; shared && status == STATUS_OK && list->count > 1 && i < list->count; i++)
        if (strcmp(list->files[i].input, "-") == 0)
            status = fail(STATUS_USAGE, "-: standard input is one process's, and several share these inputs");
    TRY(cluster_agree(status));
    return shared ? file_plan_share(list) : STATUS_OK;
}

/* The chain of the argument, or of the sidecar that it names, with the links of --export behind it. */
static Status open_chain(BatchOptions *options, Chain **chain) {
    const char *text = options->arguments[0];
    char *kept = NULL;
    TRY(sidecar_take(text, &options->common.plan, &kept));
    const char *own = kept ? kept : text, *links = options->links + (own[0] == '\0' && options->links[0]);
    Status status = asprintf(&options->chain, "%s%s", own, links) < 0 ? fail(STATUS_DEVICE, "no memory for the chain")
                                                                      : chain_open(options->chain, chain);
    if (status != STATUS_OK && kept)
        status = fail_within(status, "%s: ", text + 1);
    free(kept);
    return status;
}

/* An archive lies in the folder of outputs. */
static Status hold_place(FileRules *rules) {
    char *rule = rules->packed > 0 ? strndup(rules->output, rules->packed) : strdup(rules->output);
    const Status status =
        rule ? place_hold(rule, &rules->place) : fail(STATUS_DEVICE, "no memory for the list of files");
    free(rule);
    return status;
}

static Status batch_files(BatchOptions *options) {
    Chain *chain = NULL;
    FilePlan list = {0};
    options->rules.chain = options->arguments[0];
    options->rules.overwrite = options->common.overwrite;
    Status status = survey_check_output(&options->rules, options->format);
    if (status == STATUS_OK && options->rules.packed > 0 && cluster_size() > 1)
        status = fail(STATUS_USAGE,
                      "-o %s: several processes cannot write one archive; --shard gives each archives of its own",
                      options->rules.output);
    if (status == STATUS_OK)
        status = open_chain(options, &chain);
    for (size_t i = 0; status == STATUS_OK && options->srgb && i < chain->image_count; i++)
        status = batch_to_srgb(chain->images[i].image, chain->images[i].path);
    if (status == STATUS_OK && strcmp(options->rules.output, "-") != 0)
        status = hold_place(&options->rules);
    if (status == STATUS_OK && options->resume)
        status = open_journal(options, chain);
    status = cluster_agree(status);
    if (status == STATUS_OK)
        status = list_files(options, &list);
    const bool together = cluster_size() > 1;
    const int jobs = options->jobs ? options->jobs : together ? options->common.threads : (int)share_cores();
    if (status == STATUS_OK && (list.count > 0 || options->rules.watch)) {
        Batch batch = {.options = options,
                       .chain = chain,
                       .list = &list,
                       .total = list.count,
                       .survey = survey_files(&list),
                       .shared = together && list.count > 1,
                       .report = PTHREAD_MUTEX_INITIALIZER,
                       .input = {.descriptor = -1}};
        if (list.packs && !options->dry_run)
            packs_tell(list.packs, report_archive, &batch);
        if (options->sandbox > 0)
            status = sandbox_open(options->sandbox, options->srgb, &batch.sandbox);
        if (options->codec == CODEC_AUTO && !together) /* each of several processes has counted devices by now */
            devices_prepare(&batch);
        if (status == STATUS_OK)
            status = run_batch(&batch, jobs);
        sandbox_close(&batch.sandbox);
        devices_close(&batch);
        film_destroy(&batch.film);
        folder_watch_close(&batch.watch);
        archive_close(&batch.archive);
        input_close(&batch.input);
        report_free(&batch);
    }
    file_plan_free(&list);
    journal_close(&options->rules.journal);
    place_release(&options->rules.place);
    chain_destroy(&chain);
    free(options->chain);
    return status;
}

Status batch_command(int argc, char **argv) {
    BatchOptions options;
    TRY(batch_parse(argc, argv, &options));
    if (options.codec != CODEC_AUTO) /* before a cluster counts devices, and has threads; auto has to see the list */
        devices_prepare(&(Batch){.options = &options});
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
