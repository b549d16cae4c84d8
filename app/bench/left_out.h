/* left_out.h: kernel files that the wanted backends cannot run. */
#ifndef GLINT_APP_BENCH_LEFT_OUT_H
#define GLINT_APP_BENCH_LEFT_OUT_H

#include "app/common_options.h"
#include "kernel/rungs.h"

/* Marks the files that have kernels for this backend, by their places in the list of files. */
void left_out_note(const Backend *backend, bool ran[KERNEL_FILES_MAX + 1]);
/* Says in a sentence each which files have none for any of the backends; the levels of glint run all the same. */
void left_out_say(const CommonOptions *common, const bool ran[KERNEL_FILES_MAX + 1]);

#endif
