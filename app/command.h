/* command.h: a subcommand's row in main's table. */
#ifndef GLINT_APP_COMMAND_H
#define GLINT_APP_COMMAND_H

#include "core/param/param.h"

typedef struct Command {
    const char *name, *arguments, *help;
    Status (*run)(int argc, char **argv); /* argv[0] is "glint NAME" */
} Command;

extern const Command commands[];
extern const size_t command_count;
const Command *command_by_name(const char *name);

/* Prints a line for each parameter, `indent` blanks deep: its meaning, range and default. */
void help_params(ParamTable table, int indent);

Status batch_command(int argc, char **argv);
Status bench_command(int argc, char **argv);
Status compare_command(int argc, char **argv);
Status explain_command(int argc, char **argv);
Status help_command(int argc, char **argv);
Status kernel_command(int argc, char **argv);
Status lab_command(int argc, char **argv);
Status list_command(int argc, char **argv);
Status serve_command(int argc, char **argv);
Status trace_command(int argc, char **argv);
Status tune_command(int argc, char **argv);
Status view_command(int argc, char **argv);

#endif
