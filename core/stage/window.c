/* window.c: the part of a picture that the windows of another part read. */
#include "core/stage/window.h"

/* From `low` to `high`, grown by the window: the ones of `count` coordinates that the window reads. */
static void grow(BorderMode mode, ptrdiff_t count, int before, int behind, ptrdiff_t *low, ptrdiff_t *high) {
    *low -= before;
    *high += behind;
    if (mode == BORDER_WRAP)
        return;
    if (mode == BORDER_MIRROR) { /* coordinates beyond an edge are read as far within */
        const ptrdiff_t first = *low, last = *high;
        *high = first < 0 && *high < -first ? -first : *high;
        *low = last > count - 1 && *low > 2 * (count - 1) - last ? 2 * (count - 1) - last : *low;
    }
    *low = *low < 0 ? 0 : *low > count - 1 ? count - 1 : *low;
    *high = *high > count - 1 ? count - 1 : *high < 0 ? 0 : *high;
}

Region window_needs(BorderMode mode, Region out, Shape in, int width, int height) {
    ptrdiff_t left = out.left, right = out.left + (ptrdiff_t)out.width - 1;
    ptrdiff_t top = out.top, bottom = out.top + (ptrdiff_t)out.height - 1;
    grow(mode, (ptrdiff_t)in.width, width / 2, width - 1 - width / 2, &left, &right);
    grow(mode, (ptrdiff_t)in.height, height / 2, height - 1 - height / 2, &top, &bottom);
    return (Region){left, top, (size_t)(right - left + 1), (size_t)(bottom - top + 1)};
}
