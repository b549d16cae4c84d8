/* run.c: levels run on the emulated GPU with an observer of their launches; kernel files bring records with them. */
#include "app/listing/listing.h"

#include "core/base/module.h"
#include "core/stage/op.h"
#include "kernel/rungs.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 32 }; /* of a level's run; more are left out */

/* The launches of a level so far, by kernel. */
typedef struct Gathered {
    const Emulator *emulator;
    ListingRun runs[KERNELS];
    KernelRecord *records[KERNELS];
    char *symbols[KERNELS];
    size_t count;
    bool failed; /* memory was short */
} Gathered;

static KernelRecord *record_of(Gathered *gathered, const EmulatorObserved *observed) {
    for (size_t i = 0; i < gathered->count; i++)
        if (gathered->runs[i].ptx == observed->ptx && strcmp(gathered->symbols[i], observed->kernel) == 0)
            return gathered->records[i];
    if (gathered->count == KERNELS)
        return NULL;
    KernelRecord *record = calloc(1, sizeof *record);
    char *symbol = strdup(observed->kernel);
    if (!record || !symbol) {
        free(record);
        free(symbol);
        gathered->failed = true;
        return NULL;
    }
    gathered->records[gathered->count] = record;
    gathered->symbols[gathered->count] = symbol;
    gathered->runs[gathered->count++] = (ListingRun){.record = record, .symbol = symbol, .ptx = observed->ptx};
    return record;
}

static void gather(void *own, const EmulatorObserved *observed) {
    Gathered *gathered = own;
    KernelRecord *record = record_of(gathered, observed);
    if (record)
        kernel_record_add(record, gathered->emulator, observed->counters, observed->grid, observed->block,
                          observed->shared_bytes);
}

static void drop(Gathered *gathered) {
    for (size_t i = 0; i < gathered->count; i++) {
        free(gathered->records[i]);
        free(gathered->symbols[i]);
    }
}

/* Runs the level; its launches end before it returns. */
static Status run(const Level *level, Queue *queue, const Stage *stage) {
    TRY(level_run(level, queue, stage));
    return queue->device->backend->sync(queue);
}

/* The first run fills the cache: with a mask, a BVH. */
static Status of_own_level(const Level *level, Queue *queue, const Stage *stage, const EmulatorWatch *watch,
                           Listing **listing) {
    void *module = module_open("glint-emulated.so", false);
    Gathered gathered = {.emulator = module ? dlsym(module, "glint_emulator") : NULL};
    const EmulatorObserver observer = {*watch, gather, &gathered};
    if (!gathered.emulator || gathered.emulator->version != EMULATOR_VERSION)
        return fail(STATUS_DEVICE, "the module glint-emulated.so is not next to the program");
    TRY(run(level, queue, stage));
    gathered.emulator->observe(&observer);
    Status status = run(level, queue, stage);
    gathered.emulator->observe(NULL);
    if (status == STATUS_OK && gathered.failed)
        status = fail(STATUS_DEVICE, "no memory for the records of kernels");
    if (status == STATUS_OK && gathered.count == 0)
        status = fail(STATUS_DEVICE, "level %s launches no kernel for this job", level->name);
    if (status == STATUS_OK)
        status = listing_of_runs(gathered.runs, gathered.count, watch, listing);
    drop(&gathered);
    return status;
}

static Status of_kernel_file(const Level *level, Queue *queue, const Stage *stage, const EmulatorWatch *watch,
                             Listing **listing) {
    ListingRun of = {0};
    const char *name = "";
    kernel_rungs_record(watch);
    const Status status = run(level, queue, stage);
    kernel_rungs_record(NULL);
    TRY(status);
    of.record = kernel_rung_record(level, &of.ptx);
    if (!of.record || !of.ptx || of.record->launches == 0)
        return fail(STATUS_DEVICE, "the run of kernel %s left no record", level->name);
    kernel_rung(level, &of.path, &name);
    of.symbol = name;
    return listing_of_runs(&of, 1, watch, listing);
}

Status listing_of_level(const Level *level, Queue *queue, const Stage *stage, const EmulatorWatch *watch,
                        Listing **listing) {
    const char *path, *name, *why_not = "";
    *listing = NULL;
    if (!level_accepts(level, queue->device, stage, &why_not))
        return fail(STATUS_USAGE, "level %s cannot do %s: %s", level->name,
                    stage->label ? stage->label : stage->op->name, why_not);
    return kernel_rung(level, &path, &name) ? of_kernel_file(level, queue, stage, watch, listing)
                                            : of_own_level(level, queue, stage, watch, listing);
}
