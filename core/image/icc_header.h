/* icc_header.h: the header of an ICC profile (ICC.1:2022, 7.2), without the library that reads the rest. */
#ifndef GLINT_CORE_IMAGE_ICC_HEADER_H
#define GLINT_CORE_IMAGE_ICC_HEADER_H

#include "core/image/shape.h"

#include <string.h>

enum { ICC_HEADER = 128, ICC_SPACE_AT = 16, ICC_SIGNATURE_AT = 36 }; /* bytes */

/* Whether its colour space is gray; a profile that ends before it says so has none. */
static inline bool icc_is_gray(const unsigned char *profile, size_t size) {
    return size >= ICC_SPACE_AT + 4 && memcmp(profile + ICC_SPACE_AT, "GRAY", 4) == 0;
}

/* Whether a profile's header says that it is one, and for colours of such pictures: gray, or RGB. */
static inline bool icc_fits(const unsigned char *profile, size_t size, Shape shape) {
    return size >= ICC_HEADER && memcmp(profile + ICC_SIGNATURE_AT, "acsp", 4) == 0 &&
           memcmp(profile + ICC_SPACE_AT, shape.channels < 3 ? "GRAY" : "RGB ", 4) == 0;
}

#endif
