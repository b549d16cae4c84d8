/* entries.h: the kernels of a compiled file, as the macro KERNEL describes them in it. */
#ifndef GLINT_KERNEL_COMPILE_ENTRIES_H
#define GLINT_KERNEL_COMPILE_ENTRIES_H

#include "kernel/compile/binary.h"

/* Reads the descriptions out of PTX, or out of a shared object, of which nothing runs. They come in the order of their
 * lines. STATUS_INPUT if there is none, or one that no launch can follow; the file's path is for the sentence. */
Status entries_read(const char *path, KernelKind kind, Bytes bytes, KernelEntry **entries, size_t *count);

#endif
