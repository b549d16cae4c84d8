/* boxes.c: from box to box. */
#include "core/codec/boxes.h"

#include <string.h>

uint64_t box_number(Input *file, size_t at, size_t bytes) {
    unsigned char data[8];
    uint64_t value = 0;
    if (bytes > sizeof data || !input_peek(file, at, data, bytes))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | data[i];
    return value;
}

bool box_at(Input *file, size_t at, size_t end, Box *box) {
    enum { HEAD = 8, LONG_HEAD = 16 };
    char head[HEAD];
    if (at >= end || end - at < HEAD || !input_peek(file, at, head, HEAD))
        return false;
    const uint64_t stated = box_number(file, at, 4);
    const size_t used = stated == 1 ? LONG_HEAD : HEAD;
    const uint64_t size = stated == 1 ? box_number(file, at + HEAD, 8) : stated == 0 ? end - at : stated;
    *box = (Box){.at = at, .data = at + used, .end = size < SIZE_MAX - at ? at + size : SIZE_MAX, .plain = stated > 1};
    memcpy(box->type, head + 4, 4);
    return size >= used;
}

bool box_find(Input *file, size_t at, size_t end, const char *type, Box *box) {
    for (; box_at(file, at, end, box); at = box->end)
        if (memcmp(box->type, type, 4) == 0)
            return true;
    return false;
}
