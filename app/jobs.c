/* jobs.c: inputs to jobs; nothing is written here. */
#include "app/jobs.h"

#include "core/codec.h"
#include "core/file.h"
#include "core/folder.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Text that grows; `failed` is set once memory ran out. */
typedef struct Text {
    char *data;
    size_t length;
    bool failed;
} Text;

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for the list of files");
}

static void text_add(Text *text, const char *more, size_t length) {
    char *grown = text->failed ? NULL : realloc(text->data, text->length + length + 1);
    if (!grown) {
        text->failed = true;
        return;
    }
    memcpy(grown + text->length, more, length);
    text->data = grown;
    text->length += length;
    grown[text->length] = '\0';
}

static bool ends_with_slash(const char *path) {
    return path[0] != '\0' && path[strlen(path) - 1] == '/';
}
static bool is_template(const char *output) {
    return strchr(output, '{') != NULL;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The extension without its dot, or "" (also for names that begin with their only dot). */
static const char *extension_of(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

static void add_field(Text *text, const char *field, size_t length, const Job *job, const char *folder,
                      const JobRules *rules, size_t index, bool *known) {
    const char *name = strcmp(job->input, "-") == 0 ? "stdin" : base_name(job->input);
    const char *extension = extension_of(name);
    const size_t stem = strlen(name) - (extension[0] ? strlen(extension) + 1 : 0);
    char number[32];
    *known = true;
    if (length == 4 && strncmp(field, "stem", 4) == 0) {
        text_add(text, name, stem);
    } else if (length == 3 && strncmp(field, "ext", 3) == 0) {
        text_add(text, extension, strlen(extension));
    } else if (length == 3 && strncmp(field, "dir", 3) == 0) {
        text_add(text, folder[0] ? folder : ".", folder[0] ? strlen(folder) : 1);
    } else if (length == 5 && strncmp(field, "index", 5) == 0) {
        snprintf(number, sizeof number, "%06zu", index);
        text_add(text, number, strlen(number));
    } else if (length == 5 && strncmp(field, "chain", 5) == 0) {
        for (const char *c = rules->chain; *c; c++) /* what file names and shells take */
            text_add(text, isalnum((unsigned char)*c) || strchr("._-=+", *c) ? c : "_", 1);
    } else {
        *known = false;
    }
}

/* `folder` is the input's folder below the folder that was named on the command line ("" for files). */
static Status expand_output(Job *job, const char *folder, const JobRules *rules, size_t index) {
    Text text = {0};
    const char *output = rules->output;
    if (strcmp(output, "-") == 0 || (!is_template(output) && !ends_with_slash(output) && !folder_is(output))) {
        text_add(&text, output, strlen(output));
    } else if (!is_template(output)) {
        text_add(&text, output, strlen(output));
        if (!ends_with_slash(output))
            text_add(&text, "/", 1);
        if (folder[0]) {
            text_add(&text, folder, strlen(folder));
            text_add(&text, "/", 1);
        }
        const char *name = strcmp(job->input, "-") == 0 ? "stdin.png" : base_name(job->input);
        text_add(&text, name, strlen(name));
    } else {
        for (const char *at = output; *at;) {
            const char *close = *at == '{' ? strchr(at, '}') : NULL;
            bool known = true;
            if (close)
                add_field(&text, at + 1, (size_t)(close - at) - 1, job, folder, rules, index, &known);
            else
                text_add(&text, at, 1);
            if (!known) {
                free(text.data);
                return fail(STATUS_USAGE, "-o %s: no field %.*s; there is {stem} {ext} {chain} {dir} {index}", output,
                            (int)(close - at) + 1, at);
            }
            at = close ? close + 1 : at + 1;
        }
    }
    job->output = text.data;
    return text.failed || !text.data ? no_memory() : STATUS_OK;
}

static Status append_job(JobList *list, const char *input, Job **job) {
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        Job *grown = realloc(list->jobs, room * sizeof *grown);
        if (!grown)
            return no_memory();
        list->jobs = grown;
        list->room = room;
    }
    *job = &list->jobs[list->count++];
    **job = (Job){.input = strdup(input)};
    return (*job)->input ? STATUS_OK : no_memory();
}

static Status settle(Job *job, JobState state, const char *reason) {
    free(job->output);
    job->output = NULL;
    job->state = state;
    job->reason = strdup(reason);
    return job->reason ? STATUS_OK : no_memory();
}

static Status add_settled(JobList *list, const char *input, JobState state, const char *reason) {
    Job *job = NULL;
    TRY(append_job(list, input, &job));
    return settle(job, state, reason);
}

static Status add_job(JobList *list, const char *input, const char *folder, const JobRules *rules) {
    Job *job = NULL;
    TRY(append_job(list, input, &job));
    TRY(expand_output(job, folder, rules, list->count));
    return strlen(job->output) < PATH_MAX ? STATUS_OK : settle(job, JOB_UNREADABLE, "its output's path is too long");
}

typedef struct Adding {
    JobList *list;
    const JobRules *rules;
} Adding;

static Status add_entry(void *context, const FolderEntry *entry) {
    const Adding *adding = context;
    if (entry->kind == ENTRY_UNREADABLE)
        return add_settled(adding->list, entry->path, JOB_UNREADABLE, entry->reason);
    if (!format_for_path(entry->path))
        return STATUS_OK;
    return entry->kind == ENTRY_STREAM ? add_settled(adding->list, entry->path, JOB_STREAM, entry->reason)
                                       : add_job(adding->list, entry->path, entry->folder, adding->rules);
}

static Status add_input(JobList *list, const char *input, const JobRules *rules) {
    return folder_is(input) ? folder_traverse(input, rules->recursive, add_entry, &(Adding){list, rules})
                            : add_job(list, input, "", rules);
}

/* A list is made by programs: what may wait for ever was hardly meant. */
static Status add_listed(JobList *list, const char *input, const JobRules *rules) {
    const char *stream = strcmp(input, "-") == 0 ? NULL : path_stream(input);
    return stream ? add_settled(list, input, JOB_STREAM, stream) : add_input(list, input, rules);
}

/* Lines end in LF or CRLF; with --null, names hold either. */
static Status add_line(JobList *list, const char *line, size_t length, size_t number, const JobRules *rules) {
    if (!rules->null && memchr(line, '\0', length))
        return fail(STATUS_USAGE,
                    "%s: a zero byte in line %zu; want a name a line, or --null for lists of find -print0",
                    rules->files_from, number);
    if (!rules->null && length > 0 && line[length - 1] == '\r')
        length--;
    if (length == 0)
        return STATUS_OK;
    char *name = strndup(line, length);
    const Status status = name ? add_listed(list, name, rules) : no_memory();
    free(name);
    return status;
}

static Status add_files_from(JobList *list, const JobRules *rules) {
    Bytes text;
    TRY(file_read(rules->files_from, &text));
    const char *line = (const char *)text.data;
    size_t left = text.size;
    Status status = STATUS_OK;
    for (size_t number = 1; left > 0 && status == STATUS_OK; number++) {
        const char *end = memchr(line, rules->null ? '\0' : '\n', left);
        const size_t length = end ? (size_t)(end - line) : left, step = length + (end != NULL);
        status = add_line(list, line, length, number, rules);
        line += step;
        left -= step;
    }
    bytes_free(&text);
    return status;
}

/* What a path names, whatever its spelling: the file's own path if it exists, else its folder's and its name. */
static char *canonical(const char *path) {
    char *whole = realpath(path, NULL);
    if (whole)
        return whole;
    char folder[PATH_MAX];
    const char *name = base_name(path);
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    char *above = realpath(folder[0] ? folder : ".", NULL);
    char *joined = NULL;
    if (above && asprintf(&joined, "%s/%s", above, name) < 0)
        joined = NULL;
    if (!above) /* the folder is yet to be made: its spelling must do, but for doubled slashes */
        joined = strdup(path);
    for (char *c = joined; !above && c && *c;)
        if (c[0] == '/' && c[1] == '/')
            memmove(c, c + 1, strlen(c));
        else
            c++;
    free(above);
    return joined;
}

typedef struct Named {
    char *path; /* canonical */
    size_t job;
    bool is_output;
} Named;

static int by_path(const void *a, const void *b) {
    const Named *x = a, *y = b;
    const int order = strcmp(x->path, y->path);
    return order ? order : (x->job > y->job) - (x->job < y->job);
}

typedef struct FileId {
    dev_t device;
    ino_t inode;
    size_t job;
} FileId;

static int by_id(const void *a, const void *b) {
    const FileId *x = a, *y = b;
    return x->device != y->device ? (x->device > y->device) - (x->device < y->device)
                                  : (x->inode > y->inode) - (x->inode < y->inode);
}

/* The input that is the same file as `path`, or NULL. */
static const FileId *find_id(const FileId *ids, size_t count, const char *path) {
    struct stat info;
    if (strcmp(path, "-") == 0 || stat(path, &info) != 0)
        return NULL;
    const FileId wanted = {info.st_dev, info.st_ino, 0};
    return bsearch(&wanted, ids, count, sizeof *ids, by_id);
}

/* Two jobs, one output: nothing may depend on which comes last. */
static Status check_collisions(const JobList *list) {
    Named *named = calloc(list->count, sizeof *named);
    Status status = named ? STATUS_OK : no_memory();
    size_t count = 0;
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++) {
        if (!list->jobs[i].output)
            continue;
        named[count] = (Named){canonical(list->jobs[i].output), i, true};
        if (!named[count++].path)
            status = no_memory();
    }
    if (status == STATUS_OK)
        qsort(named, count, sizeof *named, by_path);
    for (size_t i = 1; i < count && status == STATUS_OK; i++)
        if (strcmp(named[i - 1].path, named[i].path) == 0)
            status = fail(
                STATUS_USAGE, "%s and %s would both write %s; use fields such as {stem}, {dir} or {ext} in -o",
                list->jobs[named[i - 1].job].input, list->jobs[named[i].job].input, list->jobs[named[i].job].output);
    for (size_t i = 0; i < count; i++)
        free(named[i].path);
    free(named);
    return status;
}

/* An input is never written to, under whatever name: files are compared by device and inode. */
static Status check_inputs_safe(const JobList *list, const char *report) {
    FileId *ids = calloc(list->count, sizeof *ids);
    if (!ids)
        return no_memory();
    struct stat info;
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->jobs[i].input, "-") != 0 && stat(list->jobs[i].input, &info) == 0)
            ids[count++] = (FileId){info.st_dev, info.st_ino, i};
    qsort(ids, count, sizeof *ids, by_id);
    Status status = STATUS_OK;
    const FileId *found;
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++)
        if (list->jobs[i].output && (found = find_id(ids, count, list->jobs[i].output)))
            status = fail(STATUS_USAGE, "%s is an input and would be written to (by %s); choose another -o",
                          list->jobs[found->job].input, list->jobs[i].input);
    if (status == STATUS_OK && report && (found = find_id(ids, count, report)))
        status = fail(STATUS_USAGE, "%s is an input and would be written to; choose another --json",
                      list->jobs[found->job].input);
    free(ids);
    return status;
}

static Status check_existing(const JobList *list, const JobRules *rules) {
    struct stat info;
    for (size_t i = 0; i < list->count; i++) {
        Job *job = &list->jobs[i];
        if (!job->output || strcmp(job->output, "-") == 0 || lstat(job->output, &info) != 0)
            continue;
        job->state = rules->skip_existing ? JOB_EXISTS : JOB_OPEN;
        if (!rules->skip_existing && !rules->overwrite)
            return fail(STATUS_USAGE, "%s exists; say --overwrite to replace it or --skip-existing to leave it",
                        job->output);
    }
    return STATUS_OK;
}

static void free_job(Job *job) {
    free(job->input);
    free(job->output);
    free(job->reason);
}

static void keep_shard(JobList *list, const JobRules *rules) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (i % (size_t)rules->shards == (size_t)rules->shard - 1)
            list->jobs[kept++] = list->jobs[i];
        else
            free_job(&list->jobs[i]);
    }
    list->count = kept;
}

Status jobs_collect(char *const *inputs, size_t input_count, const JobRules *rules, JobList *list) {
    *list = (JobList){0};
    for (size_t i = 0; i < input_count; i++)
        TRY(add_input(list, inputs[i], rules));
    if (rules->files_from)
        TRY(add_files_from(list, rules));
    size_t outputs = 0, failed = 0;
    for (size_t i = 0; i < list->count; i++) {
        outputs += list->jobs[i].output != NULL;
        failed += list->jobs[i].state == JOB_UNREADABLE;
    }
    if (list->count > 0 && outputs + failed == 0)
        return fail(STATUS_INPUT, "no usable input: %s %s", list->jobs[0].input, list->jobs[0].reason);
    if (list->count == 0)
        return fail(STATUS_INPUT, "no input: name files of a known format, or folders that hold some (-r looks into "
                                  "subfolders)");
    const bool one_file = !is_template(rules->output) && !ends_with_slash(rules->output) && !folder_is(rules->output);
    if (outputs > 1 && one_file)
        return fail(STATUS_USAGE,
                    "-o %s is one file and there are %zu inputs; end a folder's name in /, or use a "
                    "template such as 'out/{stem}.{ext}'",
                    rules->output, outputs);
    TRY(check_collisions(list));
    TRY(check_inputs_safe(list, rules->report));
    keep_shard(list, rules);
    return check_existing(list, rules);
}

void jobs_free(JobList *list) {
    for (size_t i = 0; i < list->count; i++)
        free_job(&list->jobs[i]);
    free(list->jobs);
    *list = (JobList){0};
}

Status jobs_make_folders(const char *path) {
    char folder[PATH_MAX];
    if (strlen(path) >= sizeof folder)
        return fail(STATUS_DEVICE, "%s: the path is too long", path);
    strcpy(folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return fail(STATUS_DEVICE, "%s: the folder cannot be made: %m", folder);
        *slash = '/';
    }
    return STATUS_OK;
}
