/* places.c: variables, PATH and patterns of file names. */
#include "kernel/compile/places.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path, int mode) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, mode) == 0;
}

/* The last by name: of several versions the newest, in most cases. */
static bool find_pattern(const char *pattern, char path[PATH_MAX]) {
    glob_t found;
    bool here = false;
    if (glob(pattern, 0, NULL, &found) != 0)
        return false;
    for (size_t i = found.gl_pathc; i-- > 0 && !here;)
        here = is_file(found.gl_pathv[i], R_OK) && snprintf(path, PATH_MAX, "%s", found.gl_pathv[i]) < PATH_MAX;
    globfree(&found);
    return here;
}

bool places_find(const SearchPlace *places, size_t count, char path[PATH_MAX]) {
    char pattern[PATH_MAX];
    for (size_t i = 0; i < count; i++) {
        const char *list = places[i].variable ? getenv(places[i].variable) : "";
        for (size_t length; list; list = list[length] ? list + length + 1 : NULL) {
            length = strcspn(list, ":");
            if ((length > 0 || !places[i].variable) &&
                snprintf(pattern, sizeof pattern, "%.*s%s", (int)length, list, places[i].pattern) < PATH_MAX &&
                find_pattern(pattern, path))
                return true;
        }
    }
    return false;
}

bool program_find(const char *name, char path[PATH_MAX]) {
    const char *list = strchr(name, '/') ? NULL : getenv("PATH");
    if (strchr(name, '/'))
        return is_file(name, X_OK) && snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    for (size_t length; list; list = list[length] ? list + length + 1 : NULL) {
        length = strcspn(list, ":");
        if (length > 0 && snprintf(path, PATH_MAX, "%.*s/%s", (int)length, list, name) < PATH_MAX &&
            is_file(path, X_OK))
            return true;
    }
    return false;
}
