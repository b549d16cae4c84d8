/* boxes.h: files of boxes (ISO/IEC 14496-12), as HEIF's, under construction, for tests. Included last, as tests/check.h
 * is, which it brings. */
#ifndef GLINT_TESTS_BOXES_H
#define GLINT_TESTS_BOXES_H

#include "core/base/bytes.h"

#include "tests/check.h"

/* A file that grows. */
typedef struct Made {
    Bytes file;
    size_t capacity;
} Made;

/* A number of so many bytes, the highest first. */
static inline void put(Made *made, size_t value, size_t bytes) {
    for (size_t i = bytes; i-- > 0;) {
        const unsigned char byte = (unsigned char)(value >> 8 * i);
        assert_true(bytes_append(&made->file, &made->capacity, &byte, 1));
    }
}

/* Begins a box, and returns where, for end_box. A full one has its version and flags. */
static inline size_t begin_box(Made *made, const char *type, bool full) {
    const size_t at = made->file.size;
    put(made, 0, 4);
    assert_true(bytes_append(&made->file, &made->capacity, type, 4));
    put(made, 0, full ? 4 : 0);
    return at;
}

/* Writes the size of the box that begins there; `beyond` bytes of it are still to come. */
static inline void end_box(const Made *made, size_t at, size_t beyond) {
    const size_t size = made->file.size - at + beyond;
    for (size_t i = 0; i < 4; i++)
        made->file.data[at + i] = (unsigned char)(size >> 8 * (3 - i));
}

#endif
