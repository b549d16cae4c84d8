/* border.c: border modes by name. */
#include "core/image/border.h"

#include "core/base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const BorderInfo borders[] = {
    [BORDER_ZERO] = {"zero", "ghost", "0 beyond the edge: the textbook's ghost elements", BORDER_ZERO, false},
    [BORDER_CONSTANT] = {"constant", NULL, "a value of your choice beyond the edge: constant=128", BORDER_CONSTANT,
                         true},
    [BORDER_CLAMP] = {"clamp", NULL, "the nearest pixel of the edge goes on", BORDER_CLAMP, false},
    [BORDER_MIRROR] = {"mirror", NULL, "the picture mirrored at its edge pixel, which is not repeated", BORDER_MIRROR,
                       false},
    [BORDER_WRAP] = {"wrap", NULL, "the picture tiles the plane", BORDER_WRAP, false},
};
const int border_count = sizeof borders / sizeof borders[0];

static bool is_name(const char *name, const char *text, size_t length) {
    return name && strlen(name) == length && strncmp(name, text, length) == 0;
}

Status border_parse(const char *text, Border *border) {
    const size_t length = strcspn(text, "=");
    for (int i = 0; i < border_count; i++) {
        if (!is_name(borders[i].name, text, length) && !is_name(borders[i].alias, text, length))
            continue;
        Border parsed = {borders[i].mode, 0};
        const char *end = text + length;
        double value = 0;
        if (borders[i].takes_value && (*end != '=' || !text_number(end + 1, &end, &value) || *end != '\0'))
            return fail(STATUS_USAGE, "border \"%s\": want a number, as in %s=128", text, borders[i].name);
        if (*end != '\0')
            return fail(STATUS_USAGE, "border \"%s\": %s takes no value", text, borders[i].name);
        if (fabs(value) > (double)FLT_MAX)
            return fail(STATUS_USAGE, "border \"%s\": want a number of at most %g, the range of f32", text,
                        (double)FLT_MAX);
        parsed.value = (float)value;
        *border = parsed;
        return STATUS_OK;
    }
    return fail(STATUS_USAGE, "border \"%s\": want zero (or ghost), constant=VALUE, clamp, mirror or wrap", text);
}

const char *border_format(Border border, char *buffer, size_t size) {
    const BorderInfo *info = &borders[border.mode];
    if (info->takes_value)
        snprintf(buffer, size, "%s=%.9g", info->name, (double)border.value);
    else
        snprintf(buffer, size, "%s", info->name);
    return buffer;
}
