/* places.h: where compilers and their libraries may lie. */
#ifndef GLINT_KERNEL_COMPILE_PLACES_H
#define GLINT_KERNEL_COMPILE_PLACES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* A pattern (glob) behind each of the paths that the variable lists, between colons; without a variable, as it is. */
typedef struct SearchPlace {
    const char *variable, *pattern;
} SearchPlace;

/* Finds a file that may be read: the last by name in the first place that has one. False if there is none. */
bool places_find(const SearchPlace *places, size_t count, char path[PATH_MAX]);
/* Finds a program by its name, as shells do: in PATH unless it has a slash. */
bool program_find(const char *name, char path[PATH_MAX]);

#endif
