/* rungs.h: kernel files as levels, behind those that glint has.
 * Owns the kernels that the program was given. Each runs in a process of its own. A kernel's level has its name, or its
 * file's besides where another level has that: "naive:mine.cu". Best takes it
 * only where no other level can do the job. */
#ifndef GLINT_KERNEL_RUNGS_H
#define GLINT_KERNEL_RUNGS_H

#include "core/device/backend.h"
#include "kernel/compile/compile.h"
#include "kernel/host/task.h"

enum { KERNEL_FILES_MAX = 16, KERNEL_RUNGS_MAX = 32 };

/* Compiles a file and adds its kernels to ladders: a .c file's to those of cpu, a .cu file's to those of cuda and
 * emulated. `seconds`: after which a run is ended. A compiler's words go to stderr. STATUS_INPUT with the
 * first error if it does not compile. STATUS_USAGE if there are too many. STATUS_DEVICE if no backend or no compiler is
 * there for it. After STATUS_INPUT and STATUS_DEVICE the file is in the list all the same, and may compile later. A
 * file that was closed is opened again. By one thread. */
Status kernel_rungs_add(const char *path, double seconds);
/* From now on runs on the emulated GPU count what kernels do (kernel_rung_answer), which takes several times as long.
 */
void kernel_rungs_count(void);

/* From now on, this thread's runs on the emulated GPU record each instruction, and the accesses of the watched warps;
 * NULL: they do not. The watch is borrowed until then. */
void kernel_rungs_record(const EmulatorWatch *watch);

/* The files that were given, in their order, closed ones too; NULL behind the last. */
const char *kernel_file_at(size_t index);
/* The place of the file of this path; that behind the last if there is none. */
size_t kernel_file_find(const char *path);
/* Closes a file: its levels stay on their ladders, run no more, and it is not watched. */
void kernel_file_close(size_t index);
bool kernel_file_closed(size_t index);

/* The last compilation of a file, and the last fault of its kernels since. */
typedef struct KernelReport {
    unsigned serial; /* changes with all this */
    bool compiled;
    KernelDiagnostic *diagnostics; /* errors and warnings */
    size_t count;
    char why[TASK_TEXT + 64]; /* not compiled: the first error; else the fault; or "" */
    int fault_line;           /* of the file; 0: not known */
} KernelReport;
/* Copies the report, which kernel_report_free frees. STATUS_DEVICE if memory is short. Any thread may call these. */
Status kernel_file_report(size_t index, KernelReport *report);
void kernel_report_free(KernelReport *report);
unsigned kernel_file_serial(size_t index);
/* Whether a file is another one than that which was compiled last, and whole: two calls have found it alike. */
bool kernel_file_changed(size_t index);
/* Compiles a file again, and adds kernels that are new in it. Fails as kernel_rungs_add does; the code before then
 * stays. Waits for its kernels' runs. */
Status kernel_file_reload(size_t index);

/* The kernels that were added, in their order; NULL behind the last. */
const Level *kernel_rung_at(size_t index, const Backend **backend);
/* Whether a level is a kernel's; if so, the path of its file and its name there. */
bool kernel_rung(const Level *level, const char **path, const char **name);
/* Whether it is a kernel's whose file was closed. */
bool kernel_rung_closed(const Level *level);
/* The answer of the last run of a kernel's level. While it does not run. */
const KernelAnswer *kernel_rung_answer(const Level *level);
/* The last record of a kernel's level, and the PTX that ran, ended by a zero; NULL: there is none. While it does not
 * run, and until its file is compiled again. */
const KernelRecord *kernel_rung_record(const Level *level, const char **ptx);

#endif
