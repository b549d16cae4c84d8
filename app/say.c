/* say.c: lines and texts, escaped where they have to be. */
#include "app/say.h"

#include "core/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* The escaped text, to be freed; NULL without memory. */
static char *escaped(const char *text, TextKept kept) {
    const size_t size = text_escape(text, kept, NULL, 0) + 1;
    char *copy = malloc(size);
    if (copy)
        text_escape(text, kept, copy, size);
    return copy;
}

/* The line as `to` may have it, to be freed. */
static char *line_for(FILE *to, const char *format, va_list arguments) {
    char *line = NULL;
    if (vasprintf(&line, format, arguments) < 0)
        return NULL;
    if (!isatty(fileno(to)))
        return line;
    char *safe = escaped(line, TEXT_PRINTABLE);
    free(line);
    return safe;
}

void say(FILE *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *line = line_for(to, format, arguments);
    va_end(arguments);
    fprintf(to, "%s\n", line ? line : "(no memory for a line)");
    free(line);
}

void say_usage(struct argp_state *state, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *line = line_for(stderr, format, arguments);
    va_end(arguments);
    argp_error(state, "%s", line ? line : "(no memory for a line)");
    free(line);
}

json_t *json_text(const char *text) {
    if (!text)
        return json_null();
    char *valid = escaped(text, TEXT_UTF8);
    json_t *string = json_string(valid ? valid : "(no memory for a text)");
    free(valid);
    return string;
}

json_t *json_figure(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

bool json_put(FILE *to, json_t *record, size_t flags) {
    char *text = record ? json_dumps(record, flags) : NULL;
    json_decref(record);
    if (!text)
        return false;
    fprintf(to, "%s\n", text);
    fflush(to);
    free(text);
    return true;
}
