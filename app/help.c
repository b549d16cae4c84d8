/* help.c: glint help: subcommands, filters and levels from their tables. */
#include "app/command.h"
#include "core/backend.h"
#include "core/filter.h"

#include <stdio.h>
#include <string.h>

static void overview(void) {
    puts("glint filters images and ray traces spheres, and shows what each optimization buys.\n");
    for (size_t i = 0; i < command_count; i++)
        printf("  glint %-6s %-58s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
    puts(
        "\n`glint help NAME` explains a subcommand, a filter or a level; `glint SUBCOMMAND --help` lists its options.");
    puts("Try: glint batch gaussian=2,sharpen photo.jpg -o out/");
}

static bool explain_command(const char *name) {
    const Command *command = command_by_name(name);
    if (!command)
        return false;
    printf("glint %s %s\n    %s\n    `glint %s --help` lists its options.\n", command->name, command->arguments,
           command->help, command->name);
    return true;
}

void help_params(ParamTable table, int indent) {
    for (size_t i = 0; i < table.count; i++) {
        const Param *param = &table.params[i];
        printf("%*s%-8s %s", indent, "", param->name, param->help);
        size_t length = 0;
        if (param->kind == PARAM_CHOICE) {
            const char *word = param_choice(param, (size_t)param->default_value, &length);
            printf("; %s, default %.*s", param->unit, (int)length, word);
        } else if (!param_is_text(param))
            printf("; %g to %g%s%s, default %g", param->min, param->max, param->unit[0] ? " " : "", param->unit,
                   param->default_value);
        putchar('\n');
    }
}

static bool explain_filter(const char *name) {
    const Filter *filter = filter_by_name(name, strlen(name));
    if (!filter)
        return false;
    printf("%s (filter)\n    %s\n", filter->name, filter->help);
    printf("    Category: %s. Definition: %s\n", filter_categories[filter->category], filter->definition);
    help_params(filter->table, 4);
    if (filter->table.count > 0)
        printf("    The first parameter needs no name: %s=VALUE; others follow behind ':', as NAME=VALUE.\n",
               filter->name);
    return true;
}

static bool explain_level(const char *name) {
    bool found = false;
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t i = 0; i < backend_at(b)->level_count; i++) {
            const Level *level = backend_at(b)->levels[i];
            if (strcmp(level->name, name) != 0)
                continue;
            printf("%s (level of %s on %s)\n    %s\n", name, level->op->name, backend_at(b)->name, level->idea);
            found = true;
        }
    return found;
}

Status help_command(int argc, char **argv) {
    if (argc < 2 || argv[1][0] == '-') {
        overview();
        return STATUS_OK;
    }
    const bool command = explain_command(argv[1]), filter = explain_filter(argv[1]), level = explain_level(argv[1]);
    if (command || filter || level)
        return STATUS_OK;
    return fail(STATUS_USAGE, "help: \"%s\" is no subcommand, filter or level; `glint list` shows what there is",
                argv[1]);
}
