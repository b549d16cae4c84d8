/* module.c: modules are looked for next to the program, then in the folder that they are installed in. */
#include "core/base/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *module_open(const char *name, bool global) {
    static const char *const places[] = {"", "../" GLINT_LIBDIR "/glint/"};
    char program[PATH_MAX] = "", path[PATH_MAX + 128];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? strrchr(program, '/') : NULL;
    if (slash)
        slash[1] = '\0';
    size_t i = 0;
    do /* dlerror() speaks of the module that is there, or of the last place */
        snprintf(path, sizeof path, "%s%s%s", program, places[i], name);
    while (access(path, F_OK) != 0 && ++i < sizeof places / sizeof *places);
    return dlopen(path, RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
}
