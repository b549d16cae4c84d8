/* say.c: lines and texts, escaped where they have to be. */
#include "app/say.h"

#include "core/base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* The line as `to` may have it, to be freed. */
static char *line_for(FILE *to, const char *format, va_list arguments) {
    char *line = NULL;
    if (vasprintf(&line, format, arguments) < 0)
        return NULL;
    if (!isatty(fileno(to)))
        return line;
    char *safe = text_escaped(line, TEXT_PRINTABLE);
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
