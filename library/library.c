/* library.c: how calls begin and end. */
#include "library/library.h"

#include "core/base/memory.h"
#include "cpu/backend.h"
#include "cpu/isa.h"
#ifdef GLINT_HAS_CUDA
#    include "gpu/backend.h"
#endif

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(GlintError) == 1024, "errors have one size for ever");
_Static_assert(GLINT_U8 == (int)PIXEL_U8 && GLINT_U16 == (int)PIXEL_U16 && GLINT_F32 == (int)PIXEL_F32, "types");
_Static_assert(GLINT_USAGE == (int)STATUS_USAGE && GLINT_INPUT == (int)STATUS_INPUT &&
                   GLINT_DEVICE == (int)STATUS_DEVICE && GLINT_STOPPED == (int)STATUS_INTERRUPTED,
               "statuses");

const char *glint_version(void) {
    return GLINT_VERSION;
}

/* ---- the beginning ---- */

static atomic_uint life = 1;
static struct {
    pthread_once_t once;
    Status status;
    char sentence[GLINT_SENTENCE];
} beginning = {.once = PTHREAD_ONCE_INIT};

static void begin_again(void) {
    atomic_fetch_add(&life, 1);
}

/* The program tries a GPU's driver in a process of its own. A library forks nobody else's process. */
static Status register_backends(void) {
    TRY(memory_check());
    TRY(isa_check());
    TRY(backend_register(&cpu_backend));
#ifdef GLINT_HAS_CUDA
    TRY(backend_register(&cuda_backend));
#else
    backend_note_absent("cuda", "this libglint was built without CUDA");
#endif
    return pthread_atfork(NULL, NULL, begin_again) == 0 ? STATUS_OK : fail(STATUS_DEVICE, "no memory to begin");
}

static void begin(void) {
    beginning.status = register_backends();
    if (beginning.status != STATUS_OK)
        snprintf(beginning.sentence, sizeof beginning.sentence, "%s", status_message());
}

Status library_begin(void) {
    pthread_once(&beginning.once, begin);
    return beginning.status == STATUS_OK ? STATUS_OK : fail(beginning.status, "%s", beginning.sentence);
}

unsigned library_life(void) {
    return atomic_load_explicit(&life, memory_order_relaxed);
}

/* ---- arguments ---- */

Status library_alive(const char *what, const void *handle, unsigned of) {
    if (!handle)
        return fail(STATUS_USAGE, "%s: NULL, want one that glint made", what);
    return of == library_life()
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s: another process made it, before fork(); want one of this process", what);
}

Status library_given(const char *function, const char *argument, const void *pointer) {
    return pointer ? STATUS_OK : fail(STATUS_USAGE, "%s: %s is NULL", function, argument);
}

enum { SIZE_LARGEST = 4096 };

static Status check_size(const char *what, size_t size) {
    return size >= sizeof(size_t) && size <= SIZE_LARGEST
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s: its size is %zu; want it begun by its initializer (glint.h)", what, size);
}

/* Members that an older program does not know keep their defaults; those that this library does not know are to be 0.
 */
Status library_take(const char *what, const void *theirs, void *mine) {
    size_t own, size;
    if (!theirs)
        return STATUS_OK;
    memcpy(&own, mine, sizeof own);
    memcpy(&size, theirs, sizeof size);
    TRY(check_size(what, size));
    for (size_t i = own; i < size; i++)
        if (((const char *)theirs)[i] != 0)
            return fail(STATUS_USAGE, "%s: it has members that glint %s does not know", what, GLINT_VERSION);
    memcpy((char *)mine + sizeof size, (const char *)theirs + sizeof size, (size < own ? size : own) - sizeof size);
    return STATUS_OK;
}

Status library_give(const char *what, const void *mine, void *theirs) {
    size_t own, size;
    memcpy(&own, mine, sizeof own);
    memcpy(&size, theirs, sizeof size);
    TRY(check_size(what, size));
    memcpy((char *)theirs + sizeof size, (const char *)mine + sizeof size, (size < own ? size : own) - sizeof size);
    return STATUS_OK;
}

/* ---- the end ---- */

GlintStatus library_settle(Status status, GlintError *error) {
    if (error) {
        error->status = (int32_t)status;
        error->sentence[0] = '\0';
        if (status != STATUS_OK)
            snprintf(error->sentence, sizeof error->sentence, "%s", status_message());
    }
    return (GlintStatus)status;
}

Status library_json(json_t *record, char **text) {
    *text = record ? json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(record);
    return *text ? STATUS_OK : fail(STATUS_DEVICE, "no memory for JSON");
}

void glint_free(void *memory) {
    free(memory);
}
