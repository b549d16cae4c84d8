/* diagnostics.h: the sentences of compilers about lines, as data. */
#ifndef GLINT_KERNEL_COMPILE_DIAGNOSTICS_H
#define GLINT_KERNEL_COMPILE_DIAGNOSTICS_H

#include "kernel/compile/binary.h"

/* Reads a compiler's words: "FILE(LINE): error: TEXT" of NVIDIA's compilers, whose caret below tells the column, and
 * "FILE:LINE:COLUMN: error: TEXT" of all others. Notes and hints are left out. STATUS_DEVICE if memory is short. */
Status diagnostics_parse(const char *log, KernelDiagnostic **list, size_t *count);
void diagnostics_free(KernelDiagnostic *list, size_t count);
/* The first error, or NULL. */
const KernelDiagnostic *diagnostics_error(const KernelDiagnostic *list, size_t count);

#endif
