/* emulator.h: a GPU that interprets PTX and checks each access, for programs in C. Nothing here needs CUDA.
 * A fault tells where a kernel went wrong; it ends the launch, and nothing else. One thread at a time uses a module;
 * several modules may be used at once. */
#ifndef GLINT_EMULATOR_EMULATOR_H
#define GLINT_EMULATOR_EMULATOR_H

#include "emulator/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EMULATOR_VERSION = 3, EMULATOR_TEXT = 240 };

typedef enum EmulatorFaultKind {
    EMULATOR_NO_FAULT,
    EMULATOR_OUT_OF_BOUNDS,
    EMULATOR_MISALIGNED,
    EMULATOR_RACE,
    EMULATOR_DIVERGENT_BARRIER,   /* some threads of a block wait where the others do not come */
    EMULATOR_NO_VALUE,            /* no fault of the launch: shared memory was read before it had a value */
    EMULATOR_TIME,                /* a block took longer than it may */
    EMULATOR_STOPPED,             /* no fault: the launch was asked to stop */
    EMULATOR_TOO_LARGE,           /* a block, or its shared memory */
    EMULATOR_UNKNOWN_INSTRUCTION, /* or a text that is not PTX */
    EMULATOR_TRAP,
    EMULATOR_UNKNOWN_NAME, /* of a kernel */
    EMULATOR_OTHER
} EmulatorFaultKind;

typedef struct EmulatorFault {
    EmulatorFaultKind kind;
    char text[EMULATOR_TEXT];     /* a sentence without its full stop, which does not tell the place */
    bool placed;                  /* block and thread are known */
    unsigned block[3], thread[3]; /* x, y, z */
    int line;                     /* of the kernel's source, by the line table (-lineinfo); 0: not known */
    int ptx_line;                 /* 0: not known */
    uint64_t address;             /* of the access, in its space; 0: the fault is not about one */
    bool writes;                  /* the access to global memory does */
} EmulatorFault;

typedef struct EmulatorModule EmulatorModule;

/* The facts that PTX tells about a kernel; registers are assigned by a GPU's own compiler. */
typedef struct EmulatorFacts {
    size_t shared_bytes; /* a block, without dynamic ones */
    int max_threads;     /* a block */
    size_t parameters;   /* how many */
} EmulatorFacts;

typedef struct EmulatorLaunch {
    EmulatorModule *module;
    const char *kernel;
    unsigned grid[3], block[3];
    size_t shared_bytes;        /* dynamic ones */
    void *const *arguments;     /* one a parameter */
    double seconds;             /* of the processor that a block may take, or all of them if cooperative; 0: any */
    bool races;                 /* in shared memory are faults */
    bool cooperative;           /* all blocks at once, as a barrier of the grid needs them */
    EmulatorCounters *counters; /* or NULL */
} EmulatorLaunch;

/* Reads a module, and all of its kernels; NULL with the fault. */
EmulatorModule *emulator_module(const char *ptx, size_t bytes, EmulatorFault *fault);
void emulator_module_free(EmulatorModule *module); /* accepts NULL */
/* The name of its kernel `index`, in alphabetical order; NULL behind the last. */
const char *emulator_kernel(const EmulatorModule *module, size_t index);
bool emulator_facts(EmulatorModule *module, const char *kernel, EmulatorFacts *facts);
/* A variable in constant or global memory, which may be read and written between launches; NULL: there is none. */
void *emulator_variable(EmulatorModule *module, const char *name, size_t *bytes);

/* Memory of the device, which the host may use too. Each byte is `fill`. An access outside is a fault, since nothing
 * lies next to it. NULL: there is no room. */
void *emulator_memory(size_t bytes, int fill);
void emulator_memory_free(void *memory); /* accepts NULL */

/* Runs a kernel to its end, or to its first fault. A launch that ended, and whose races were looked for, may still give
 * EMULATOR_NO_VALUE as its fault, with the first place. */
bool emulator_launch(const EmulatorLaunch *launch, EmulatorFault *fault);

/* A launch that came through the module's CUDA runtime, as those of glint's own levels do, and ended well. Borrowed. */
typedef struct EmulatorObserved {
    const char *kernel; /* its name in the PTX */
    const char *ptx;    /* the text of its module, the same address each time */
    unsigned grid[3], block[3];
    size_t shared_bytes; /* static and dynamic ones */
    const EmulatorCounters *counters;
} EmulatorObserved;

typedef struct EmulatorObserver {
    EmulatorWatch watch;
    void (*launched)(void *own,
                     const EmulatorObserved *observed); /* in the thread that launches; it launches nothing */
    void *own;
} EmulatorObserver;

/* From now on, this thread's launches through the runtime are counted and told to `observer`; NULL: they are not. It
 * lives until there is another one. */
void emulator_observe(const EmulatorObserver *observer);

/* From now on, launches through the runtime end early where `asked` says so, with an error that no later call has. It
 * is asked again and again, in the thread that launches. */
void emulator_heed(bool (*asked)(void));

/* The same functions as the module glint-emulated.so exports them, by its symbol "glint_emulator". */
typedef struct Emulator {
    int version; /* EMULATOR_VERSION */
    EmulatorModule *(*module)(const char *ptx, size_t bytes, EmulatorFault *fault);
    void (*module_free)(EmulatorModule *module);
    const char *(*kernel)(const EmulatorModule *module, size_t index);
    bool (*facts)(EmulatorModule *module, const char *kernel, EmulatorFacts *facts);
    void *(*variable)(EmulatorModule *module, const char *name, size_t *bytes);
    void *(*memory)(size_t bytes, int fill);
    void (*memory_free)(void *memory);
    bool (*launch)(const EmulatorLaunch *launch, EmulatorFault *fault);
    EmulatorCounters *(*counters)(void);
    void (*counters_free)(EmulatorCounters *counters);
    bool (*counters_row)(const EmulatorCounters *counters, size_t index, EmulatorRow *row);
    void (*counters_watch)(EmulatorCounters *counters, const EmulatorWatch *watch);
    bool (*counters_access)(const EmulatorCounters *counters, size_t index, EmulatorAccess *access);
    void (*observe)(const EmulatorObserver *observer);
    void (*heed)(bool (*asked)(void));
} Emulator;

extern const Emulator glint_emulator;

#ifdef __cplusplus
}
#endif

#endif
