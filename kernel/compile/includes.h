/* includes.h: a kernel's file with the files that it includes. */
#ifndef GLINT_KERNEL_COMPILE_INCLUDES_H
#define GLINT_KERNEL_COMPILE_INCLUDES_H

#include "kernel/compile/cache.h"

/* Adds the contents of a file, and of every file that it includes, to a name. Files lie next to it, or in folders that
 * the user names: by -I, -isystem or -iquote in CC, CFLAGS and NVCC's flags, and in CPATH. Headers of the system, and
 * files that a macro names, are not followed: a change in them is not noticed. STATUS_INPUT if the file itself cannot be
 * read. */
Status includes_name(const char *path, CacheName *name);

/* The folder that a path names a file in: "." or all before the last slash. */
const char *path_folder(const char *path, char *folder, size_t size);

#endif
