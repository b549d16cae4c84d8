/* jobs.c: inputs to jobs; nothing is written here. */
#include "app/jobs.h"

#include "core/codec.h"

#include <ctype.h>
#include <dirent.h>
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

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
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
    if (strcmp(output, "-") == 0 || (!is_template(output) && !ends_with_slash(output) && !is_folder(output))) {
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
    return text.failed || !text.data ? fail(STATUS_DEVICE, "no memory for the list of files") : STATUS_OK;
}

static Status add_job(JobList *list, const char *input, const char *folder, const JobRules *rules) {
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        Job *grown = realloc(list->jobs, room * sizeof *grown);
        if (!grown)
            return fail(STATUS_DEVICE, "no memory for the list of files");
        list->jobs = grown;
        list->room = room;
    }
    Job *job = &list->jobs[list->count++];
    *job = (Job){strdup(input), NULL, false};
    if (!job->input)
        return fail(STATUS_DEVICE, "no memory for the list of files");
    return expand_output(job, folder, rules, list->count);
}

static Status add_folder(JobList *list, const char *path, const char *folder, const JobRules *rules) {
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    Status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char inside[PATH_MAX], below[PATH_MAX];
        const bool fits =
            snprintf(inside, sizeof inside, "%s%s%s", path, ends_with_slash(path) ? "" : "/", name) <
                (int)sizeof inside &&
            snprintf(below, sizeof below, "%s%s%s", folder, folder[0] ? "/" : "", name) < (int)sizeof below;
        struct stat info;
        if (status == STATUS_OK && name[0] != '.' && fits && lstat(inside, &info) == 0) {
            if (S_ISDIR(info.st_mode) && rules->recursive)
                status = add_folder(list, inside, below, rules);
            else if (format_for_path(inside) && is_folder(inside) == false)
                status = add_job(list, inside, folder, rules);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

static Status add_input(JobList *list, const char *input, const JobRules *rules) {
    return is_folder(input) ? add_folder(list, input, "", rules) : add_job(list, input, "", rules);
}

static Status add_files_from(JobList *list, const JobRules *rules) {
    FILE *file = strcmp(rules->files_from, "-") == 0 ? stdin : fopen(rules->files_from, "r");
    if (!file)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", rules->files_from);
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    Status status = STATUS_OK;
    while (status == STATUS_OK && (length = getline(&line, &room, file)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (line[0] != '\0')
            status = add_input(list, line, rules);
    }
    free(line);
    if (file != stdin)
        fclose(file);
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
    Status status = named ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the list of files");
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++) {
        named[i] = (Named){canonical(list->jobs[i].output), i, true};
        if (!named[i].path)
            status = fail(STATUS_DEVICE, "no memory for the list of files");
    }
    if (status == STATUS_OK)
        qsort(named, list->count, sizeof *named, by_path);
    for (size_t i = 1; i < list->count && status == STATUS_OK; i++)
        if (strcmp(named[i - 1].path, named[i].path) == 0)
            status = fail(
                STATUS_USAGE, "%s and %s would both write %s; use fields such as {stem}, {dir} or {ext} in -o",
                list->jobs[named[i - 1].job].input, list->jobs[named[i].job].input, list->jobs[named[i].job].output);
    for (size_t i = 0; named && i < list->count; i++)
        free(named[i].path);
    free(named);
    return status;
}

/* An input is never written to, under whatever name: files are compared by device and inode. */
static Status check_inputs_safe(const JobList *list, const char *report) {
    FileId *ids = calloc(list->count, sizeof *ids);
    if (!ids)
        return fail(STATUS_DEVICE, "no memory for the list of files");
    struct stat info;
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->jobs[i].input, "-") != 0 && stat(list->jobs[i].input, &info) == 0)
            ids[count++] = (FileId){info.st_dev, info.st_ino, i};
    qsort(ids, count, sizeof *ids, by_id);
    Status status = STATUS_OK;
    const FileId *found;
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++)
        if ((found = find_id(ids, count, list->jobs[i].output)))
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
        if (strcmp(job->output, "-") == 0 || lstat(job->output, &info) != 0)
            continue;
        job->done_before = rules->skip_existing;
        if (!rules->skip_existing && !rules->overwrite)
            return fail(STATUS_USAGE, "%s exists; say --overwrite to replace it or --skip-existing to leave it",
                        job->output);
    }
    return STATUS_OK;
}

static void keep_shard(JobList *list, const JobRules *rules) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (i % (size_t)rules->shards == (size_t)rules->shard - 1) {
            list->jobs[kept++] = list->jobs[i];
        } else {
            free(list->jobs[i].input);
            free(list->jobs[i].output);
        }
    }
    list->count = kept;
}

Status jobs_collect(char *const *inputs, size_t input_count, const JobRules *rules, JobList *list) {
    *list = (JobList){0};
    for (size_t i = 0; i < input_count; i++)
        TRY(add_input(list, inputs[i], rules));
    if (rules->files_from)
        TRY(add_files_from(list, rules));
    if (list->count == 0)
        return fail(STATUS_INPUT, "no input: name files of a known format, or folders that hold some (-r looks into "
                                  "subfolders)");
    const bool one_file = !is_template(rules->output) && !ends_with_slash(rules->output) && !is_folder(rules->output);
    if (list->count > 1 && one_file)
        return fail(STATUS_USAGE,
                    "-o %s is one file and there are %zu inputs; end a folder's name in /, or use a "
                    "template such as 'out/{stem}.{ext}'",
                    rules->output, list->count);
    TRY(check_collisions(list));
    TRY(check_inputs_safe(list, rules->report));
    keep_shard(list, rules);
    return check_existing(list, rules);
}

void jobs_free(JobList *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->jobs[i].input);
        free(list->jobs[i].output);
    }
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
