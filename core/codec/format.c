/* format.c: formats looked up by name, and described. */
#include "core/codec/format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const Format *format_by_name(const char *name) {
    for (size_t i = 0; i < format_count; i++) {
        const char *list = formats[i]->extensions;
        while (*list) {
            const size_t length = strcspn(list, " ");
            if (strlen(name) == length && strncasecmp(list, name, length) == 0)
                return formats[i];
            list += length + (list[length] == ' ');
        }
    }
    return NULL;
}

bool format_recognizes(const Format *format, Input *file) {
    return format->recognize_in ? format->recognize_in(file) : format->recognize(file->bytes);
}

const Format *format_for_path(const char *path) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? format_by_name(dot + 1) : NULL;
}

bool format_writes(const Format *format, Shape shape) {
    const size_t side = shape.width > shape.height ? shape.width : shape.height;
    return format->writes >> (4 * (int)shape.type + shape.channels - 1) & 1 &&
           (format->side_max == 0 || side <= format->side_max);
}

size_t format_shapes(unsigned shapes, char *buffer, size_t size) {
    static const char *const channels[16] = {"",  "1",   "2",   "1,2",   "3",   "1,3",   "2,3", "1-3",
                                             "4", "1,4", "2,4", "1,2,4", "3,4", "1,3,4", "2-4", "1-4"};
    size_t length = 0;
    buffer[0] = '\0';
    for (int type = 0; type < PIXEL_TYPES; type++)
        if (shapes >> 4 * type & 15 && length < size)
            length += (size_t)snprintf(buffer + length, size - length, "%s%sx%s", length ? " " : "",
                                       pixel_type_name((PixelType)type), channels[shapes >> 4 * type & 15]);
    return length;
}

size_t format_describe(const Format *format, char *buffer, size_t size) {
    char loads[64], saves[64];
    if (format->lacks)
        return (size_t)snprintf(buffer, size, "not in this build, which lacks %s", format->lacks);
    format_shapes(format->reads, loads, sizeof loads);
    format_shapes(format->writes, saves, sizeof saves);
    const bool alike = format->reads == format->writes;
    return (size_t)snprintf(buffer, size, "%s %s%s%s%s%s", alike ? "loads and saves" : "loads", loads,
                            alike || !saves[0] ? "" : ", saves ", alike ? "" : saves, format->remark ? "; " : "",
                            format->remark ? format->remark : "");
}
