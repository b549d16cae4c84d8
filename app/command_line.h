/* command_line.h: a command's line, read by the rows of its options (core/param/option.h).
 * argp's table, and with it --help, the man pages and the completions (tools/pages), are made of the rows. */
#ifndef GLINT_APP_COMMAND_LINE_H
#define GLINT_APP_COMMAND_LINE_H

#include "core/param/option.h"

#include <jansson.h>

enum { LINE_TABLES = 5 };

typedef struct CommandLine {
    const char *arguments; /* "CHAIN INPUT... -o OUTPUT" */
    const char *help;      /* argp's doc */
    OptionTable tables[LINE_TABLES];
    size_t common; /* which of the tables stands under "Common options:" */
    /* NULL, or takes the `count` arguments that are no options; then `check` looks at all together. STATUS_USAGE. */
    Status (*arguments_read)(void *values, char **arguments, size_t count);
    Status (*check)(void *values);
    char *(*help_filter)(int key, const char *text, void *input); /* argp's; or NULL */
} CommandLine;

/* Reads a command's arguments into `values`, or ends the program with status 2. STATUS_DEVICE if memory is short. */
Status command_line_read(const CommandLine *line, int argc, char **argv, void *values);
/* The options that results depend on, for reports: {"border": "clamp", "linear": false, "quality": 92, "filter": null}.
 * An option without a value is null. NULL if memory is short. */
json_t *command_line_json(const CommandLine *line, const void *values);

#endif
