/* icc_library.c: the memory that Little CMS takes. */
#include "core/image/icc_library.h"

#ifdef GLINT_WITH_LCMS
#    include <lcms2_plugin.h>
#    include <malloc.h>
#    include <stdlib.h>
#    include <string.h>

/* The library does not survive every allocation that fails: then its last ones come from a reserve, and its result is
 * thrown away. */
enum { RESERVE = 1 << 20, RESERVE_STEP = 16 };

static void *reserved(cmsContext context, size_t size) {
    Colours *colours = cmsGetContextUserData(context);
    if (!colours)
        return NULL;
    colours->out_of_memory = true;
    const size_t step = (size + 2 * RESERVE_STEP - 1) / RESERVE_STEP * RESERVE_STEP; /* with its size before it */
    if (step > RESERVE - colours->used)
        return NULL;
    unsigned char *block = colours->reserve + colours->used + RESERVE_STEP;
    colours->used += step;
    memcpy(block - RESERVE_STEP, &size, sizeof size);
    return block;
}

static bool is_reserved(cmsContext context, const void *memory) {
    const Colours *colours = cmsGetContextUserData(context);
    const unsigned char *at = memory;
    return colours && at >= colours->reserve && at < colours->reserve + RESERVE;
}

static void *on_malloc(cmsContext context, cmsUInt32Number size) {
    void *memory = malloc(size);
    return memory ? memory : reserved(context, size);
}

static void on_free(cmsContext context, void *memory) {
    if (!is_reserved(context, memory))
        free(memory);
}

static void *on_realloc(cmsContext context, void *memory, cmsUInt32Number size) {
    void *grown = is_reserved(context, memory) ? NULL : realloc(memory, size);
    if (grown)
        return grown;
    size_t old = 0;
    if (is_reserved(context, memory))
        memcpy(&old, (unsigned char *)memory - RESERVE_STEP, sizeof old);
    else
        old = malloc_usable_size(memory);
    grown = reserved(context, size);
    if (grown && old > 0)
        memcpy(grown, memory, old < size ? old : size);
    if (grown)
        on_free(context, memory);
    return grown;
}

Status colours_begin(Colours *colours) {
    static cmsPluginMemHandler plugin = {
        {cmsPluginMagicNumber, 2000, cmsPluginMemHandlerSig, NULL}, on_malloc, on_free, on_realloc, NULL, NULL, NULL};
    *colours = (Colours){.reserve = malloc(RESERVE)};
    colours->context = colours->reserve ? cmsCreateContext(&plugin, colours) : NULL;
    if (colours->context)
        return STATUS_OK;
    free(colours->reserve);
    return fail(STATUS_DEVICE, "no memory to convert colours");
}

Status colours_end(Colours *colours) {
    cmsDeleteContext(colours->context);
    free(colours->reserve);
    return colours->out_of_memory ? fail(STATUS_DEVICE, "no memory to convert colours") : STATUS_OK;
}

#endif
