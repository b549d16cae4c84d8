/* exporter.h: pictures that are filtered and written in the background, by the executor.
 * Owns a thread, its devices, and the outputs under way. Each picture has a chain; neighbours of one chain share a run.
 * A run has half of the memory's budget: the other half is the window's. A picture that is too large for that has all
 * of it, in a run of its own behind the others. One that is larger still lies in a file next to its output meanwhile.
 */
#ifndef GLINT_APP_BATCH_EXPORTER_H
#define GLINT_APP_BATCH_EXPORTER_H

#include "core/base/output.h"
#include "core/codec/format.h"
#include "core/plan/plan.h"

typedef struct Exporter Exporter;

/* A picture to export; the texts belong to the exporter once it has begun. */
typedef struct ExportFile {
    char *input, *output, *chain; /* chain: as chain_open takes it */
    char *why;                    /* it cannot be exported, for this reason; or NULL */
    PlanOptions plan;
} ExportFile;

typedef struct ExporterOptions {
    char backend[32]; /* as backend_open takes it */
    int device;
    SaveOptions save;
    PixelType type_max;   /* values of more bits are narrowed */
    RawWay raw;           /* of inputs that are RAW files */
    bool strip, srgb;     /* without Exif, XMP, text and resolution; colours in sRGB */
    bool overwrite, skip; /* of outputs that exist: replace them, or leave them alone; else the picture fails */
    int threads;          /* 0: as many as there are cores */
} ExporterOptions;

/* The pictures so far; `share` of the work, 0 to 1. The paths are good until exporter_end. */
typedef struct ExporterState {
    size_t count, done, skipped, failed;
    double share;
    const char *writing; /* the output of the picture that was begun first and is not done; NULL: none */
    const char *written; /* the output that was completed last; NULL: none */
    bool ended;          /* all of it; nothing changes any more */
    bool cancelled;      /* by exporter_cancel */
    char why[512];       /* the first failure's sentence; or "" */
    unsigned lost;       /* enum Extra: data that outputs could not hold */
    size_t partial;      /* pictures whose files end early */
} ExporterState;

void export_files_free(ExportFile *files, size_t count); /* with their texts; accepts NULL */
/* Begins; takes the files over, whatever happens. STATUS_DEVICE without memory or a thread. Other failures, also of the
 * chain or the device, are in the state. */
Status exporter_begin(const ExporterOptions *options, ExportFile *files, size_t count, Exporter **exporter);
ExporterState exporter_state(Exporter *exporter);
/* Ends it soon: outputs that are there are whole, others leave nothing behind. Returns at once. */
void exporter_cancel(Exporter *exporter);
void exporter_join(Exporter *exporter); /* waits for the end; the state is then the last one */
/* Waits for the end, and frees it. Accepts NULL there, nulls the pointer. */
void exporter_end(Exporter **exporter);

#endif
