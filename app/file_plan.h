/* file_plan.h: which files batch reads and which it writes.
 * Owns expanding inputs (folders, lists, the members of archives) and output templates. All outputs are claimed
 * (core/base/output.h) before work starts, those in archives with their archive. */
#ifndef GLINT_APP_FILE_PLAN_H
#define GLINT_APP_FILE_PLAN_H

#include "app/batch/pack.h"
#include "core/base/output.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum FileState {
    FILE_OPEN,
    FILE_STREAM,     /* to be skipped: no regular file, and not named on the command line */
    FILE_UNREADABLE, /* failed already: a folder, a name that is too long */
    FILE_PASSED,     /* a member of an archive that is no picture, and goes into another archive as it is */
} FileState;

typedef struct BatchFile {
    char *input, *output; /* "-": standard input, standard output; output is NULL unless it is to be made */
    Output *claim;        /* of the output; NULL unless FILE_OPEN, and for members of archives */
    Pack *pack;           /* the archive that the output is a member of, `slot` there; or NULL */
    size_t slot, packed;  /* length of that archive's path in `output` */
    FileState state;
    char *reason;  /* "is a FIFO"; or NULL */
    char *archive; /* of a member: the file that it is in; `input` is then its name in messages; else NULL */
    size_t member; /* its number there, from 1 */
} BatchFile;

typedef struct FilePlan {
    BatchFile *files;
    size_t count, capacity;
    Packs *packs; /* the archives of outputs; NULL: there is none */
} FilePlan;

typedef struct FileRules {
    const char
        *output;   /* -o: FILE, DIR/ or a template with {stem} {ext} {chain} {dir} {shard} {index}; first: {folder} */
    size_t packed; /* length of the part of it that names an archive; 0: outputs are files */
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

/* The length of the part of -o that names an archive: up to the first name with an archive's ending that is no folder.
 * 0: there is none. */
size_t file_plan_packed(const char *output);
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
