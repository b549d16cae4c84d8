/* trace_output.c: numbers in names. */
#include "app/trace_output.h"

#include <stdio.h>
#include <string.h>

Status trace_output_name(const char *output, long frame, long frames, char path[static PATH_MAX]) {
    const char *field = strstr(output, "{frame}"), *slash = strrchr(output, '/');
    const char *dot = strrchr(output, '.'), *name = slash ? slash + 1 : output;
    const char *before = field ? field : dot && dot > name ? dot : output + strlen(output);
    const char *behind = field ? field + strlen("{frame}") : before;
    int digits = 4;
    for (long max = 10000; max <= frames; max *= 10)
        digits++;
    const int length = frames == 0 ? snprintf(path, PATH_MAX, "%s", output)
                                   : snprintf(path, PATH_MAX, "%.*s%s%0*ld%s", (int)(before - output), output,
                                              field ? "" : "-", digits, frame + 1, behind);
    return length < PATH_MAX ? STATUS_OK : fail(STATUS_DEVICE, "%s: the path is too long", output);
}
