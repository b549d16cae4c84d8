/* file_plan.c: inputs to files to write; nothing is written here. */
#include "app/file_plan.h"

#include "app/archive/archive.h"
#include "app/cluster/cluster.h"
#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/folder.h"
#include "core/base/ledger.h"
#include "core/base/text.h"
#include "core/codec/codec.h"

#include <ctype.h>
#include <limits.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char *file_plan_holder(const BatchFile *file) {
    return file->archive ? file->archive : file->input;
}

static bool ends_with_slash(const char *path) {
    return path[0] != '\0' && path[strlen(path) - 1] == '/';
}
/* A brace that is meant as one, not as that of a field: doubled, in an output that has an opening one. */
static bool is_doubled(const char *output, const char *at) {
    return (at[0] == '{' || at[0] == '}') && at[1] == at[0] && strchr(output, '{');
}

/* The output where it has no fields: its text, doubled braces once. False where it has some. */
static bool add_plain(Text *text, const char *output) {
    for (const char *at = output; *at; at++) {
        if (is_doubled(output, at))
            at++;
        else if (*at == '{' && strchr(at, '}'))
            return false;
        text_add(text, at, 1);
    }
    return true;
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

static const char folder_field[] = "{folder}"; /* at a template's begin alone */

/* The folder of the input, as its path has it. */
static void add_folder(Text *text, const char *input) {
    const char *slash = strrchr(input, '/');
    text_add(text, slash ? input : ".", slash ? (size_t)(slash - input) : 1);
}

static void add_field(Text *text, const char *field, size_t length, const BatchFile *file, const char *folder,
                      const FileRules *rules, size_t index, bool *known) {
    const char *name = strcmp(file->input, "-") == 0 ? "stdin" : base_name(file->input);
    const char *extension = extension_of(name);
    const size_t stem = strlen(name) - (extension[0] ? strlen(extension) + 1 : 0);
    char number[32];
    *known = true;
    if (field == rules->output + 1 && strncmp(rules->output, folder_field, strlen(folder_field)) == 0) {
        add_folder(text, file_plan_holder(file));
    } else if (length == 4 && strncmp(field, "stem", 4) == 0) {
        text_add(text, name, stem);
    } else if (length == 3 && strncmp(field, "ext", 3) == 0) {
        text_add(text, extension, strlen(extension));
    } else if (length == 3 && strncmp(field, "dir", 3) == 0) {
        text_add(text, folder[0] ? folder : ".", folder[0] ? strlen(folder) : 1);
    } else if (length == 5 && strncmp(field, "shard", 5) == 0 && file->archive) {
        text_add(text, base_name(file->archive), archive_stem(base_name(file->archive)));
    } else if (length == 5 && strncmp(field, "index", 5) == 0) {
        snprintf(number, sizeof number, "%06zu", index);
        text_add(text, number, strlen(number));
    } else if (length == 5 && strncmp(field, "chain", 5) == 0) {
        for (const char *c = rules->chain; *c; c++) /* characters that file names and shells take */
            text_add(text, isalnum((unsigned char)*c) || strchr("._-=+", *c) ? c : "_", 1);
    } else {
        *known = false;
    }
}

/* Adds the part of -o from `at` to `end`. */
static Status add_template(Text *text, const char *at, const char *end, const BatchFile *file, const char *folder,
                           const FileRules *rules, size_t index) {
    const char *output = rules->output;
    for (; at < end; at++) {
        const bool doubled = is_doubled(output, at);
        const char *close = *at == '{' && !doubled ? strchr(at, '}') : NULL;
        bool known = true;
        if (close)
            add_field(text, at + 1, (size_t)(close - at) - 1, file, folder, rules, index, &known);
        else
            text_add(text, at, 1);
        if (!known)
            return fail(
                STATUS_USAGE,
                "-o %s: no field %.*s; there is {stem} {ext} {chain} {dir} {index}, {shard} of archives' members, "
                "{folder} at the begin, and {{ and }} are braces",
                output, (int)(close - at) + 1, at);
        at = close ? close : at + doubled;
    }
    return STATUS_OK;
}

/* Adds the input's name, below its folder. */
static void add_own_name(Text *text, const BatchFile *file, const char *folder) {
    const char *name = strcmp(file->input, "-") == 0 ? "stdin.png" : base_name(file->input);
    text_add(text, folder, strlen(folder));
    text_add(text, "/", folder[0] ? 1 : 0);
    text_add(text, name, strlen(name));
}

/* Gives a name that was made for a picture the extension of the input. */
static void exchange_extension(Text *text, const char *input) {
    const char *name = base_name(text->data), *dot = strrchr(name, '.'), *extension = extension_of(base_name(input));
    if (dot && dot > name)
        text->length = (size_t)(dot - text->data);
    text_add(text, ".", extension[0] ? 1 : 0);
    text_add(text, extension, strlen(extension));
}

/* A member of an archive: the part of -o that names it, then the rest, or the input's name. */
static Status add_member_output(Text *text, BatchFile *file, const char *folder, const FileRules *rules, size_t index) {
    const char *rule = rules->output, *name = rule + rules->packed, *end = rule + strlen(rule);
    TRY(add_template(text, rule, name, file, folder, rules, index));
    file->packed = text->length;
    text_add(text, "/", 1);
    if (name + 1 >= end) {
        add_own_name(text, file, folder);
        return STATUS_OK;
    }
    TRY(add_template(text, name + 1, end, file, folder, rules, index));
    if (file->state == FILE_PASSED && !text->failed)
        exchange_extension(text, file->input);
    return STATUS_OK;
}

/* `folder` is the input's folder below the folder that was named on the command line ("" for files). */
static Status expand_output(BatchFile *file, const char *folder, const FileRules *rules, size_t index) {
    Text text = {0};
    Status status = STATUS_OK;
    if (rules->packed > 0) {
        status = add_member_output(&text, file, folder, rules, index);
    } else if (!add_plain(&text, rules->output)) {
        text.length = 0;
        status = add_template(&text, rules->output, rules->output + strlen(rules->output), file, folder, rules, index);
    } else if (text.data && strcmp(text.data, "-") != 0 && (ends_with_slash(text.data) || folder_is(text.data))) {
        text_add(&text, "/", ends_with_slash(text.data) ? 0 : 1);
        add_own_name(&text, file, folder);
    }
    file->output = text.data;
    return status == STATUS_OK && (text.failed || !text.data) ? no_memory() : status;
}

size_t file_plan_packed(const char *output) {
    for (size_t end = strcspn(output, "/");; end += 1 + strcspn(output + end + 1, "/")) {
        char *path = strndup(output, end);
        const bool found = path && archive_stem(base_name(path)) > 0 && !folder_is(path);
        free(path);
        if (found || !output[end])
            return found ? end : 0;
    }
}

Status file_plan_output(const char *output, const char *input, char **path) {
    BatchFile file = {.input = (char *)(uintptr_t)input};
    const FileRules rules = {.output = output, .chain = ""};
    const Status status = expand_output(&file, "", &rules, 0);
    *path = file.output;
    if (status != STATUS_OK)
        free(file.output);
    return status;
}

static Status append_file(FilePlan *list, const char *input, BatchFile **file) {
    if (!ARRAY_ROOM(list->files, list->capacity, list->count + 1))
        return no_memory();
    *file = &list->files[list->count++];
    **file = (BatchFile){.input = strdup(input)};
    return (*file)->input ? STATUS_OK : no_memory();
}

static Status settle(BatchFile *file, FileState state, const char *reason) {
    free(file->output);
    file->output = NULL;
    file->state = state;
    file->reason = strdup(reason);
    return file->reason ? STATUS_OK : no_memory();
}

static Status add_settled(FilePlan *list, const char *input, FileState state, const char *reason) {
    BatchFile *file = NULL;
    TRY(append_file(list, input, &file));
    return settle(file, state, reason);
}

/* As long as file systems take, and each name in it. */
static bool fits(const char *path) {
    bool fit = strlen(path) < PATH_MAX;
    for (size_t length = 0; *path && fit; path += length + (path[length] == '/'))
        fit = (length = strcspn(path, "/")) <= NAME_MAX;
    return fit;
}

/* How many names between slashes are this one. */
static size_t count_names(const char *path, const char *name) {
    size_t count = 0;
    for (size_t length; *path; path += length + (path[length] == '/')) {
        length = strcspn(path, "/");
        count += length == strlen(name) && strncmp(path, name, length) == 0;
    }
    return count;
}

/* Whether an input's name leads out of where -o says: it adds a "." or ".." to the rule, ends it with a slash, or makes
 * an absolute path of it. The {dir} of files that are in no folder is ".". */
static bool strays(const char *output, const char *folder, const char *rule) {
    const size_t here = folder[0] ? 0 : count_names(rule, "{dir}");
    return count_names(output, "..") > count_names(rule, "..") ||
           count_names(output, ".") > count_names(rule, ".") + here || (output[0] == '/' && rule[0] != '/') ||
           ends_with_slash(output);
}

/* The folder of the input, where the rule begins with it, is where -o says. */
static bool leads_elsewhere(const BatchFile *file, const char *folder, const char *rule) {
    if (strncmp(rule, folder_field, strlen(folder_field)) != 0)
        return strays(file->output, folder, rule);
    const char *holder = file_plan_holder(file), *slash = strrchr(holder, '/');
    return strays(file->output + (slash ? slash - holder : 1), folder, rule + strlen(folder_field));
}

/* Takes "." and "" out of the name of a member: the {dir} of files in no folder. */
static Status tidy_member(BatchFile *file) {
    file->output[file->packed] = '\0';
    char *path = archive_member_path(file->output, file->output + file->packed + 1);
    free(file->output);
    file->output = path;
    return path ? STATUS_OK : no_memory();
}

/* Expands and checks the output of a file that was appended. */
static Status add_output(const FilePlan *list, const char *folder, const FileRules *rules) {
    BatchFile *file = &list->files[list->count - 1];
    TRY(expand_output(file, folder, rules, list->count));
    if (leads_elsewhere(file, folder, rules->output))
        return settle(file, FILE_UNREADABLE,
                      "its name, or a field of -o that is made of it, is empty, \".\" or \"..\", and leads elsewhere");
    if (file->packed > 0)
        TRY(tidy_member(file));
    return fits(file->output) ? STATUS_OK : settle(file, FILE_UNREADABLE, "its output's name is too long");
}

static Status add_file(FilePlan *list, const char *input, const char *folder, const FileRules *rules) {
    BatchFile *file = NULL;
    TRY(append_file(list, input, &file));
    return add_output(list, folder, rules);
}

/* ---- archives ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

static void keep(void *text) {
    (void)text; /* the list owns it */
}

/* A member with a picture's name, or one that goes along; `names` is a tree of those before. Takes over `path`. */
static Status add_member(FilePlan *list, const Member *member, char *path, const char *archive, void **names,
                         const FileRules *rules) {
    BatchFile *file = NULL;
    Status status = append_file(list, path, &file);
    free(path);
    TRY(status);
    file->state = member->name && !format_for_path(member->name) ? FILE_PASSED : FILE_OPEN;
    file->archive = strdup(archive);
    char *const *known = tsearch(file->input, names, by_text);
    if (!file->archive || !known)
        return no_memory();
    const char *refused = archive_refuses(member), *below = file->input + strlen(archive) + 1,
               *slash = strrchr(below, '/');
    if (refused || *known != file->input)
        return settle(file, FILE_UNREADABLE, refused ? refused : "is in the archive twice; the first one counts");
    char *folder = strndup(below, slash ? (size_t)(slash - below) : 0);
    status = folder ? add_output(list, folder, rules) : no_memory();
    free(folder);
    return status;
}

static Status add_members(FilePlan *list, Archive *archive, const char *path, void **names, const FileRules *rules) {
    Member member = {.kind = MEMBER_FILE};
    for (size_t number = 1; member.kind != MEMBER_END; number++) {
        TRY(archive_next(archive, &member));
        const bool is_other = member.name && !format_for_path(member.name);
        if (member.kind == MEMBER_FOLDER || member.kind == MEMBER_END || (is_other && rules->packed == 0))
            continue;
        char *spelled = archive_member_path(path, member.name ? member.name : "?");
        TRY(spelled ? add_member(list, &member, spelled, path, names, rules) : no_memory());
        list->files[list->count - 1].member = number;
    }
    return STATUS_OK;
}

/* An archive that is damaged further on is one failed input, behind the members before. */
static Status add_archive(FilePlan *list, const char *path, const FileRules *rules) {
    Archive *archive;
    void *names = NULL;
    const size_t before = list->count, prefix = strlen(path) + 2;
    Status status = archive_open(path, &archive);
    if (status == STATUS_OK)
        status = add_members(list, archive, path, &names, rules);
    archive_close(&archive);
    tdestroy(names, keep);
    if (status == STATUS_INPUT)
        return add_settled(list, path, FILE_UNREADABLE,
                           strlen(status_message()) > prefix ? status_message() + prefix : status_message());
    if (status == STATUS_OK && list->count == before)
        return add_settled(list, path, FILE_UNREADABLE, "has no member whose name is that of a picture");
    return status;
}

typedef struct Adding {
    FilePlan *list;
    const FileRules *rules;
} Adding;

static Status add_entry(void *context, const FolderEntry *entry) {
    const Adding *adding = context;
    if (entry->kind == ENTRY_UNREADABLE)
        return add_settled(adding->list, entry->path, FILE_UNREADABLE, entry->reason);
    if (!format_for_path(entry->path))
        return STATUS_OK;
    return entry->kind == ENTRY_STREAM ? add_settled(adding->list, entry->path, FILE_STREAM, entry->reason)
                                       : add_file(adding->list, entry->path, entry->folder, adding->rules);
}

static Status add_input(FilePlan *list, const char *input, const FileRules *rules) {
    if (archive_stem(input) > 0 && !folder_is(input))
        return add_archive(list, input, rules);
    return folder_is(input) ? folder_traverse(input, rules->recursive, add_entry, &(Adding){list, rules})
                            : add_file(list, input, "", rules);
}

/* A list is made by programs: a file that may wait for ever was hardly meant. */
static Status add_listed(FilePlan *list, const char *input, const FileRules *rules) {
    const char *stream = strcmp(input, "-") == 0 ? NULL : path_stream(input);
    return stream ? add_settled(list, input, FILE_STREAM, stream) : add_input(list, input, rules);
}

/* Lines end in LF or CRLF; with --null, names hold either. */
static Status add_line(FilePlan *list, const char *line, size_t length, size_t number, const FileRules *rules) {
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

static Status add_files_from(FilePlan *list, const FileRules *rules) {
    Bytes text;
    TRY(file_read_lines(rules->files_from, rules->null, &text));
    const size_t mark = rules->null ? 0 : text_mark(text.data, text.size);
    const char *line = (const char *)text.data + mark;
    size_t left = text.size - mark;
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

static bool in_shard(size_t index, const FileRules *rules) {
    return index % (size_t)rules->shards == (size_t)rules->shard - 1;
}

Status file_plan_claim(BatchFile *file, const FileRules *rules) {
    OutputRules output = {.writer = file->input,
                          .overwrite = rules->overwrite,
                          .skip = rules->skip_existing,
                          .advice = " or --skip-existing to leave it",
                          .place = rules->place};
    if (rules->journal)
        TRY(journal_owns(rules->journal, rules->watch ? file->input : NULL, file->output, &output.own));
    return output_claim(file->output, output, &file->claim);
}

/* The outputs of other shards are claimed as well, but only the other shards ask whether they exist. A shard
 * has every N-th archive. */
static Status claim_archives(FilePlan *list, const FileRules *rules) {
    const OutputRules output = {.writer = "-o",
                                .overwrite = rules->overwrite,
                                .skip = rules->skip_existing,
                                .advice = " or --skip-existing to leave it",
                                .place = rules->place};
    TRY(packs_create(&list->packs));
    for (size_t i = 0; i < list->count; i++) {
        BatchFile *file = &list->files[i];
        if (file->output)
            TRY(pack_add(list->packs, file->output, file->packed, file->input, file_plan_holder(file), &file->pack,
                         &file->slot));
    }
    for (size_t i = 0; i < list->count; i++) {
        const BatchFile *file = &list->files[i];
        if (!file->pack || file->slot > 0)
            continue;
        TRY(in_shard(pack_number(file->pack), rules) ? pack_claim(file->pack, output, rules->journal)
                                                     : pack_claim_for_others(file->pack));
    }
    return STATUS_OK;
}

/* All inputs are known before the first output is claimed. */
static Status claim_outputs(FilePlan *list, const FileRules *rules) {
    const char *last = "";
    for (size_t i = 0; i < list->count; i++) { /* an archive once: its members follow each other */
        const char *holder = file_plan_holder(&list->files[i]);
        if (strcmp(holder, last) != 0)
            TRY(ledger_read(holder));
        last = holder;
    }
    if (rules->packed > 0)
        return claim_archives(list, rules);
    for (size_t i = 0; i < list->count; i++) {
        BatchFile *file = &list->files[i];
        if (!file->output)
            continue;
        TRY(in_shard(i, rules) ? file_plan_claim(file, rules) : ledger_claim(file->output, file->input, NULL));
    }
    return STATUS_OK;
}

static void free_file(BatchFile *file) {
    output_destroy(&file->claim);
    free(file->input);
    free(file->output);
    free(file->reason);
    free(file->archive);
}

static void keep_shard(FilePlan *list, const FileRules *rules) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const Pack *pack = list->files[i].pack;
        if (in_shard(pack ? pack_number(pack) : i, rules))
            list->files[kept++] = list->files[i];
        else
            free_file(&list->files[i]);
    }
    list->count = kept;
}

static Status names_one_file(const char *output, bool *one) {
    Text text = {0};
    const bool plain = add_plain(&text, output), failed = text.failed;
    *one = plain && text.data && !ends_with_slash(text.data) && !folder_is(text.data);
    free(text.data);
    return failed ? no_memory() : STATUS_OK;
}

Status file_plan_make(char *const *inputs, size_t input_count, const FileRules *rules, FilePlan *list) {
    *list = (FilePlan){0};
    for (size_t i = 0; i < input_count; i++)
        TRY(add_input(list, inputs[i], rules));
    if (rules->files_from)
        TRY(add_files_from(list, rules));
    size_t outputs = 0, failed = 0, passed = 0;
    bool one;
    for (size_t i = 0; i < list->count; i++) {
        outputs += list->files[i].output != NULL;
        failed += list->files[i].state == FILE_UNREADABLE;
        passed += list->files[i].state == FILE_PASSED;
    }
    if (list->count > 0 && outputs + failed == 0)
        return fail(STATUS_INPUT, "no usable input: %s %s", list->files[0].input, list->files[0].reason);
    if (list->count == 0)
        return fail(STATUS_INPUT, "no input: name files of a known format, or folders that hold some (-r looks into "
                                  "subfolders)");
    TRY(names_one_file(rules->output, &one));
    if (passed > 0 && strstr(rules->output, "{index}"))
        return fail(STATUS_USAGE,
                    "-o %s: {index} would give pictures and the members next to them names of their own; want {stem}",
                    rules->output);
    if (outputs > 1 && one && rules->packed == 0)
        return fail(STATUS_USAGE,
                    "-o %s is one file and there are %zu inputs; end a folder's name in /, or use a "
                    "template such as 'out/{stem}.{ext}'",
                    rules->output, outputs);
    TRY(claim_outputs(list, rules));
    keep_shard(list, rules);
    return STATUS_OK;
}

/* ---- watched folders ---- */

Status file_plan_add(FilePlan *list, const char *input, const char *below, const FileRules *rules) {
    return add_file(list, input, below, rules);
}

Status file_plan_add_unreadable(FilePlan *list, const char *input, const char *reason) {
    return add_settled(list, input, FILE_UNREADABLE, reason);
}

/* The deepest folder above a path that exists, links followed; *direct: it is the path's own. To be freed; NULL. */
static char *existing_folder(const char *path, bool *direct) {
    char *cut = strdup(path), *whole = NULL;
    *direct = true;
    for (size_t length = cut ? strlen(cut) : 0; cut && !whole; *direct &= whole != NULL) {
        while (length > 0 && cut[length - 1] == '/')
            length--;
        while (length > 0 && cut[length - 1] != '/')
            length--;
        cut[length] = '\0';
        whole = realpath(length > 0 ? cut : ".", NULL);
        if (length == 0)
            break;
    }
    free(cut);
    return whole;
}

Status file_plan_check_watched(const char *folder, const FileRules *rules) {
    FilePlan list = {0};
    char *input = NULL, *watched = realpath(folder, NULL), *output = NULL;
    bool direct, one, inside = false;
    TRY(names_one_file(rules->output, &one));
    if (one)
        return fail(STATUS_USAGE,
                    "-o %s is one file, and folders are watched; end a folder's name in /, or use a template such as "
                    "'out/{stem}.{ext}'",
                    rules->output);
    Status status =
        asprintf(&input, "%s%sx.png", folder, ends_with_slash(folder) ? "" : "/") < 0 ? no_memory() : STATUS_OK;
    if (status == STATUS_OK)
        status = add_file(&list, input, "", rules);
    if (status == STATUS_OK && list.files[0].output && watched) {
        const size_t length = strlen(watched);
        output = existing_folder(list.files[0].output, &direct);
        inside = output && (strcmp(output, watched) == 0 ? direct || rules->recursive
                                                         : rules->recursive && strncmp(output, watched, length) == 0 &&
                                                               (output[length] == '/' || ends_with_slash(watched)));
    }
    if (inside)
        status = fail(STATUS_USAGE, "-o %s: outputs would come into %s, which is watched; want a folder elsewhere",
                      rules->output, folder);
    file_plan_free(&list);
    free(input);
    free(watched);
    free(output);
    return status;
}

/* ---- sharing ---- */

/* A file as bytes: its state, then its texts, each with a zero byte behind it, "" for none. */
static void pack_file(Text *packed, const BatchFile *file) {
    const char state = (char)file->state;
    char member[32] = "";
    snprintf(member, sizeof member, "%zu", file->member);
    const char *const texts[] = {file->input, file->output, file->reason, file->archive, member};
    text_add(packed, &state, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_add(packed, texts[i] ? texts[i] : "", texts[i] ? strlen(texts[i]) + 1 : 1);
}

/* NULL for "", and *failed without memory. */
static char *unpack_text(const char **at, bool *failed) {
    const char *text = *at;
    *at += strlen(text) + 1;
    char *copy = text[0] ? strdup(text) : NULL;
    *failed |= text[0] && !copy;
    return copy;
}

static Status unpack_file(FilePlan *list, const char **at) {
    BatchFile *file = NULL;
    const FileState state = (FileState)(*at)[0];
    const char *input = *at + 1;
    *at = input + strlen(input) + 1;
    TRY(append_file(list, input, &file));
    bool failed = false;
    file->state = state;
    file->output = unpack_text(at, &failed);
    file->reason = unpack_text(at, &failed);
    file->archive = unpack_text(at, &failed);
    file->member = strtoul(*at, NULL, 10);
    *at += strlen(*at) + 1;
    return failed ? no_memory() : STATUS_OK;
}

static Status unpack(FilePlan *list, const char *packed, size_t length) {
    for (const char *at = packed; at < packed + length;)
        TRY(unpack_file(list, &at));
    return STATUS_OK;
}

Status file_plan_share(FilePlan *list) {
    Text packed = {0};
    for (size_t i = 0; i < list->count; i++)
        pack_file(&packed, &list->files[i]);
    cluster_broadcast(&packed.length, sizeof packed.length);
    if (cluster_rank() > 0)
        packed.data = malloc(packed.length + 1);
    Status status = cluster_agree(packed.failed || !packed.data ? no_memory() : STATUS_OK);
    if (status == STATUS_OK) {
        cluster_broadcast(packed.data, packed.length);
        status = cluster_agree(cluster_rank() > 0 ? unpack(list, packed.data, packed.length) : STATUS_OK);
    }
    free(packed.data);
    return status;
}

void file_plan_free(FilePlan *list) {
    for (size_t i = 0; i < list->count; i++)
        free_file(&list->files[i]);
    free(list->files);
    packs_destroy(&list->packs);
    *list = (FilePlan){0};
}
