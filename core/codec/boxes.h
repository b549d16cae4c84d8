/* boxes.h: files that consist of boxes (ISO/IEC 14496-12, 4.2): HEIF, AVIF, JPEG XL. */
#ifndef GLINT_CORE_CODEC_BOXES_H
#define GLINT_CORE_CODEC_BOXES_H

#include "core/base/input.h"

#include <stdbool.h>

/* A box: where it begins, where its contents begin, and where they end, which may be beyond the file. */
typedef struct Box {
    size_t at, data, end;
    char type[5];
    bool plain; /* its size stands in 32 bits */
} Box;

/* The box at `at`, whose size may stand in 64 bits, or reach to `end`, where its container ends. False where none
 * is. */
bool box_at(Input *file, size_t at, size_t end, Box *box);
/* The first box of a type from `at` on. */
bool box_find(Input *file, size_t at, size_t end, const char *type, Box *box);
/* A number of up to 8 bytes, the first one highest; 0 beyond the end of the file. */
uint64_t box_number(Input *file, size_t at, size_t bytes);

#endif
