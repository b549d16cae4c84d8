/* includes.c: lines that begin with #include ", without a preprocessor: too many files at worst. */
#include "kernel/compile/includes.h"

#include "core/base/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 200, DEPTH_MAX = 16 };

static const char blanks[] = " \t";

const char *path_folder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(folder, size, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    return folder[0] ? folder : "/";
}

/* The name between quotes of a line that includes a file, and its length; else NULL. */
static const char *included(const char *line, size_t *length) {
    static const char word[] = "include";
    line += strspn(line, blanks);
    if (*line != '#')
        return NULL;
    line += 1 + strspn(line + 1, blanks);
    if (strncmp(line, word, sizeof word - 1) != 0)
        return NULL;
    line += sizeof word - 1;
    line += strspn(line, blanks);
    if (*line != '"')
        return NULL;
    *length = strcspn(line + 1, "\"\n");
    return line[1 + *length] == '"' ? line + 1 : NULL;
}

static Status add_file(const char *path, int depth, int *files, CacheName *name) {
    char *text = NULL, folder[PATH_MAX], next[PATH_MAX];
    TRY(file_read_text(path, &text));
    *name = cache_name_add_text(*name, text);
    path_folder(path, folder, sizeof folder);
    for (const char *line = text, *end; line && depth < DEPTH_MAX && *files < FILES_MAX; line = end ? end + 1 : NULL) {
        size_t length;
        const char *file = included(line, &length);
        end = strchr(line, '\n');
        if (!file)
            continue;
        const bool below = file[0] != '/';
        if (snprintf(next, sizeof next, "%s%s%.*s", below ? folder : "", below ? "/" : "", (int)length, file) >=
            PATH_MAX)
            continue;
        ++*files;
        if (add_file(next, depth + 1, files, name) != STATUS_OK) /* the compiler looks for it elsewhere, or complains */
            *name = cache_name_add_text(*name, NULL);
    }
    free(text);
    return STATUS_OK;
}

Status includes_name(const char *path, CacheName *name) {
    int files = 1;
    return add_file(path, 0, &files, name);
}
