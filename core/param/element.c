/* element.c: building, parsing and taking apart structuring elements. */
#include "core/param/element.h"

#include <string.h>

Status element_box(int radius, Mask **element) {
    TRY(mask_create(2 * radius + 1, 2 * radius + 1, element));
    for (int i = 0; i < (*element)->width * (*element)->height; i++)
        (*element)->weights[i] = 1;
    return STATUS_OK;
}

Status element_disk(int radius, Mask **element) {
    TRY(mask_create(2 * radius + 1, 2 * radius + 1, element));
    for (int y = -radius; y <= radius; y++)
        for (int x = -radius; x <= radius; x++)
            (*element)->weights[(y + radius) * (*element)->width + x + radius] =
                x * x + y * y <= radius * radius ? 1 : 0;
    return STATUS_OK;
}

Status element_parse(const char *text, Mask **element) {
    static const char between[] = " \t\r\n,;";
    int width = 0, height = 0;
    bool some = false;
    *element = NULL;
    for (const char *at = text + strspn(text, between); *at; at += strspn(at, between), height++) {
        const size_t length = strspn(at, "01");
        if (at[length] && !strchr(between, at[length]))
            return fail(STATUS_USAGE, "element: row %d has a '%c'; want rows of 0 and 1, as in 010 111 010", height + 1,
                        at[length]);
        if (length > MASK_MAX || height == MASK_MAX)
            return fail(STATUS_USAGE, "element: more than %d cells a side", MASK_MAX);
        if (height > 0 && (int)length != width)
            return fail(STATUS_USAGE, "element: row %d has %zu cells, the rows before it have %d", height + 1, length,
                        width);
        width = (int)length;
        some |= memchr(at, '1', length) != NULL;
        at += length;
    }
    if (!some)
        return fail(STATUS_USAGE, "element: no cell is set; want rows of 0 and 1, as in 010 111 010");
    TRY(mask_create(width, height, element));
    float *weight = (*element)->weights;
    for (const char *at = text; *at; at++)
        if (*at == '0' || *at == '1')
            *weight++ = *at == '1' ? 1 : 0;
    return STATUS_OK;
}

Status element_reflect(const Mask *from, Mask **element) {
    const int width = from->width / 2 * 2 + 1, height = from->height / 2 * 2 + 1;
    TRY(mask_create(width, height, element));
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++)
            (*element)->weights[(height - 1 - y) * width + width - 1 - x] = from->weights[y * from->width + x];
    return STATUS_OK;
}

int element_count(const Mask *element) {
    int count = 0;
    for (int i = 0; i < element->width * element->height; i++)
        count += element->weights[i] > 0;
    return count;
}

bool element_is_box(const Mask *element) {
    return element_count(element) == element->width * element->height;
}

int element_chords(const Mask *element, ElementChord *chords) {
    int count = 0;
    for (int y = 0; y < element->height; y++)
        for (int x = 0; x < element->width; x++)
            if (element_has(element, x, y)) {
                const bool goes_on = x > 0 && element_has(element, x - 1, y);
                if (!goes_on)
                    chords[count++] = (ElementChord){x, y, 0};
                chords[count - 1].count++;
            }
    return count;
}
