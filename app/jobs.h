/* jobs.h: which files batch reads and which it writes.
 * Owns expanding inputs, output templates, and the rules that keep files safe, all decided before work starts. */
#ifndef GLINT_APP_JOBS_H
#define GLINT_APP_JOBS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum JobState {
    JOB_OPEN,
    JOB_EXISTS,     /* to be skipped: the output exists */
    JOB_STREAM,     /* to be skipped: no regular file, and not named on the command line */
    JOB_UNREADABLE, /* failed already: a folder, a name that is too long */
} JobState;

typedef struct Job {
    char *input, *output; /* "-": standard input, standard output; output is NULL for JOB_STREAM and JOB_UNREADABLE */
    JobState state;
    char *reason; /* "is a FIFO"; NULL for JOB_OPEN and JOB_EXISTS */
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
    const char *report;     /* the file of --json, or NULL */
    bool recursive;         /* folders include their subfolders */
    bool overwrite, skip_existing;
    long shard, shards; /* 1 of 1: all; jobs whose number is shard - 1 modulo shards */
} JobRules;

/* Expands the inputs (files, folders, "-") into jobs in a stable order and applies the rules:
 * STATUS_USAGE if two inputs would write one output, an output or the report is one of the inputs, -o names one file
 * for several inputs, an output exists without overwrite or skip_existing, or a list of lines has a zero byte;
 * STATUS_INPUT if there is no input at all, or the list cannot be read. A folder that cannot be read is a job that
 * failed, beside others. */
Status jobs_collect(char *const *inputs, size_t input_count, const JobRules *rules, JobList *list);
void jobs_free(JobList *list);

/* Creates the folders above `path`. STATUS_DEVICE if one cannot be made. */
Status jobs_make_folders(const char *path);

#endif
