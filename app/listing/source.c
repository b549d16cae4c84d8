/* source.c: names are cut at the project's folders that have code for kernels. */
#include "app/listing/source.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The last of the project's folders in a path; NULL: there is none. */
static const char *in_project(const char *path) {
    static const char *const folders[] = {"/gpu/", "/core/"};
    const char *last = NULL;
    if (strstr(path, "/include/")) /* of a toolkit */
        return NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        for (const char *at = path; (at = strstr(at, folders[i])); at++)
            last = !last || at > last ? at : last;
    return last ? last + 1 : NULL;
}

bool source_find(const char *path, char name[PATH_MAX], char found[PATH_MAX]) {
    static const char *const places[] = {"../share/glint/sources", ".."}; /* installed, or a folder of builds */
    char program[PATH_MAX] = "";
    const char *own = in_project(path);
    if (!own)
        return false;
    snprintf(name, PATH_MAX, "%s", own);
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? strrchr(program, '/') : NULL;
    if (slash)
        slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(found, PATH_MAX, "%s%s/%s", program, places[i], own) < PATH_MAX && access(found, R_OK) == 0)
            return true;
    snprintf(found, PATH_MAX, "%s", path);
    return access(found, R_OK) == 0;
}
