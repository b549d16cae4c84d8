/* includes.h: a kernel's file with the files that it includes. */
#ifndef GLINT_KERNEL_COMPILE_INCLUDES_H
#define GLINT_KERNEL_COMPILE_INCLUDES_H

#include "kernel/compile/cache.h"

/* Adds the contents of a file, and of every file that it includes, to a name. These lie next to it, or in folders that
 * CPATH names, or -I, -isystem and -iquote in CC, CFLAGS and NVCC's flags. Headers of the system
 * are not followed, nor files that a macro names: nobody notices a change in them. STATUS_INPUT if the file itself
 * cannot be read. */
Status includes_name(const char *path, CacheName *name);

/* The folder that a path names a file in: "." or all before the last slash. */
const char *path_folder(const char *path, char *folder, size_t size);

#endif
