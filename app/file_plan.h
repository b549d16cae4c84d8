/* file_plan.h: which files batch reads and which it writes.
 * Owns expanding inputs (folders, lists, the members of archives) and output templates; all outputs are claimed
 * (core/base/output.h) before work starts. */
#ifndef GLINT_APP_FILE_PLAN_H
#define GLINT_APP_FILE_PLAN_H

#include "app/batch/journal.h"
#include "core/base/output.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum FileState {
    FILE_OPEN,
    FILE_STREAM,     /* to be skipped: no regular file, and not named on the command line */
    FILE_UNREADABLE, /* failed already: a folder, a name that is too long */
} FileState;

typedef struct BatchFile {
    char *input, *output; /* "-": standard input, standard output; output is NULL unless FILE_OPEN */
    Output *claim;        /* of the output; NULL unless FILE_OPEN */
    FileState state;
    char *reason;  /* "is a FIFO"; NULL for FILE_OPEN */
    char *archive; /* of a member: the file that it is in; `input` is then its name in messages; else NULL */
    size_t member; /* its number there, from 1 */
} BatchFile;

typedef struct FilePlan {
    BatchFile *files;
    size_t count, capacity;
} FilePlan;

typedef struct FileRules {
    const char
        *output; /* -o: FILE, DIR/ or a template with {stem} {ext} {chain} {dir} {shard} {index}; first: {folder} */
    const char *chain;      /* for {chain} */
    const char *files_from; /* a file with an input a line, "-": stdin, or NULL */
    bool null;              /* zero bytes separate its inputs, not line breaks */
    bool recursive;         /* folders include their subfolders */
    bool overwrite, skip_existing;
    bool watch;         /* inputs are folders, whose files come during the run */
    Place *place;       /* that outputs go to, or NULL */
    Journal *journal;   /* of --resume, or NULL: files that it lists may be replaced */
    long shard, shards; /* 1 of 1: all; files with the number shard - 1 modulo shards */
} FileRules;

/* Expands the inputs (files, folders, "-") into files in a stable order and claims their outputs. STATUS_USAGE if -o
 * names one file for several inputs, a list of lines has a zero byte, or output_claim refuses. STATUS_INPUT if there is
 * no input at all, or the list cannot be read. A folder that cannot be read is a file that failed, among others. The
 * list is to be freed in any case. */
Status file_plan_make(char *const *inputs, size_t input_count, const FileRules *rules, FilePlan *list);
/* The file that has the input's bytes: itself, or its archive. */
const char *file_plan_holder(const BatchFile *file);
/* Adds one file that has come into the folder `below` one that was named ("": into that itself). Its output is claimed
 * later, by file_plan_claim. STATUS_DEVICE without memory. */
Status file_plan_add(FilePlan *list, const char *input, const char *below, const FileRules *rules);
/* Adds one that cannot be read, and why. */
Status file_plan_add_unreadable(FilePlan *list, const char *input, const char *reason);
/* STATUS_USAGE if outputs of files of this folder, which is watched, would come into it and be inputs. */
Status file_plan_check_watched(const char *folder, const FileRules *rules);
/* Gives the list of the cluster's process 0, which made it, to the others. They claim outputs one by one, by
 * file_plan_claim, when their writer is known. By all processes; STATUS_DEVICE without memory. */
Status file_plan_share(FilePlan *list);
Status file_plan_claim(BatchFile *file, const FileRules *rules);
void file_plan_free(FilePlan *list);
/* The output of one input by a rule like -o, without a chain. STATUS_USAGE for a field that there is not;
 * STATUS_DEVICE. Free with free. */
Status file_plan_output(const char *output, const char *input, char **path);

#endif
