/* narrow.h: windows of u8 whose counts are bytes. */
#ifndef GLINT_CPU_RANK_NARROW_H
#define GLINT_CPU_RANK_NARROW_H

#include "core/ops/rank.h"

enum {
    WINDOWS_NARROW = 16, /* windows as wide have counts of bytes, if these hold them */
    WINDOWS_BYTES = 255  /* the most values of a window that they hold */
};

/* Whether bytes count a window's values. */
static inline bool windows_are_narrow(const Mask *window) {
    return window->width <= WINDOWS_NARROW && window->width * window->height <= WINDOWS_BYTES;
}

#endif
