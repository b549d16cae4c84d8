/* jobs.h: which files batch reads and which it writes.
 * Owns expanding inputs and output templates; all outputs are claimed (core/output.h) before work starts. */
#ifndef GLINT_APP_JOBS_H
#define GLINT_APP_JOBS_H

#include "core/output.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum JobState {
    JOB_OPEN,
    JOB_STREAM,     /* to be skipped: no regular file, and not named on the command line */
    JOB_UNREADABLE, /* failed already: a folder, a name that is too long */
} JobState;

typedef struct Job {
    char *input, *output; /* "-": standard input, standard output; output is NULL unless JOB_OPEN */
    Output *claim;        /* of the output; NULL likewise */
    JobState state;
    char *reason; /* "is a FIFO"; NULL for JOB_OPEN */
} Job;

typedef struct JobList {
    Job *jobs;
    size_t count, room;
} JobList;

typedef struct JobRules {
    const char *output;     /* -o: FILE, DIR/ or a template with {stem} {ext} {chain} {dir} {index} */
    const char *chain;      /* for {chain} */
    const char *files_from; /* a file with an input a line, "-": stdin, or NULL */
    bool null;              /* zero bytes separate its inputs, not line breaks */
    bool recursive;         /* folders include their subfolders */
    bool overwrite, skip_existing;
    long shard, shards; /* 1 of 1: all; jobs whose number is shard - 1 modulo shards */
} JobRules;

/* Expands the inputs (files, folders, "-") into jobs in a stable order and claims their outputs: STATUS_USAGE if -o
 * names one file for several inputs, a list of lines has a zero byte, or as output_claim says; STATUS_INPUT if there is
 * no input at all, or the list cannot be read. A folder that cannot be read is a job that failed, beside others. The
 * list is to be freed in any case. */
Status jobs_collect(char *const *inputs, size_t input_count, const JobRules *rules, JobList *list);
void jobs_free(JobList *list);

/* Creates the folders above `path`. STATUS_DEVICE if one cannot be made. */
Status jobs_make_folders(const char *path);

#endif
