/* options.h: the options of glint bench, and the lists of jobs that they name.
 * Owns their reading, and which of them go together. */
#ifndef GLINT_APP_BENCH_OPTIONS_H
#define GLINT_APP_BENCH_OPTIONS_H

#include "app/bench/bench_job.h"
#include "app/command_line.h"
#include "app/common_options.h"
#include "app/progress.h"
#include "app/scene_options.h"

/* Strings one after the other, as glibc's argz functions keep them. */
typedef struct List {
    char *items;
    size_t bytes;
} List;

/* Every type is combined with every mask, filter, scene or precision. */
typedef struct Options {
    CommonOptions common;
    SceneOptions scene_options;
    Progress *progress;
    const char *operation, *plot, *experiments, *occupancy;
    Shape shape; /* width and height */
    bool sized;  /* they were asked for */
    List types, masks, filters, scenes, precisions;
    int runs;
    bool top;         /* only the level that best takes */
    bool times;       /* neither caches nor energy, nor samples of light */
    bool check_best;  /* only whether that is the fastest */
    bool check_steps; /* only whether larger jobs take longer */
    bool course;      /* of reduce: the course's tables */
} Options;

/* The defaults; bench_options_free frees the lists. */
Options bench_options(void);
void bench_options_free(Options *options);
/* Its check also sets lists that were left out. */
CommandLine bench_command_line(void);

bool bench_is_chain(const Options *options);   /* no operation of its own, but all that a chain lowers to */
bool bench_is_machine(const Options *options); /* no operation at all: the costs of the device */
/* The entry behind this one, or the first behind NULL; NULL behind the last. */
char *bench_list_next(List list, const char *entry);
/* The number of a precision of multiply, which is that of its example; of other names, PRECISIONS. */
size_t bench_precision(const char *name);

#endif
