/* help.c: glint help: subcommands, filters and levels from their tables. */
#include "app/backends.h"
#include "app/command.h"
#include "app/say.h"
#include "core/chain/filter.h"
#include "core/chain/preset.h"
#include "core/device/backend.h"
#include "core/device/experiment.h"
#include "core/ops/ops.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 32, WIDTH = 79 };

/* Puts words, which `separator` ends, from column `at` on, and further lines from `margin` on. Returns the column. */
static int put_words(const char *words, char separator, int at, int margin) {
    for (bool first = true; *words; first = false) {
        const size_t letters = strcspn(words, (const char[]){separator, '\0'});
        const int blank = !first && separator == ' ', bar = separator != ' ' && words[letters];
        const int length = (int)letters + bar;
        if (!first && at + blank + length > WIDTH)
            at = printf("\n%*s%.*s", margin, "", length, words) - 1;
        else
            at += printf("%*s%.*s", blank, "", length, words);
        words += letters + (words[letters] != '\0');
    }
    return at;
}

/* A long name pushes its text to the next line, so that the two never touch. */
static void put_row(const Command *command) {
    int at = printf("  glint %s%s", command->name, command->arguments[0] ? " " : "");
    at = put_words(command->arguments, '|', at, at);
    if (at + 2 > COLUMN) {
        putchar('\n');
        at = 0;
    }
    printf("%*s", COLUMN - at, "");
    put_words(command->help, ' ', COLUMN, COLUMN);
    putchar('\n');
}

static void overview(void) {
    puts("glint filters images and ray traces spheres, and shows the gain of each\noptimization.\n");
    for (size_t i = 0; i < command_count; i++)
        put_row(&commands[i]);
    puts("\n`glint help NAME` explains a subcommand, a filter, an operation, a level, an\nexperiment or a @PRESET; "
         "`glint "
         "SUBCOMMAND --help` lists its options.");
    puts("Try: glint batch gaussian=2,sharpen photo.jpg -o out/");
}

static bool explain_subcommand(const char *name) {
    const Command *command = command_by_name(name);
    if (!command)
        return false;
    printf("glint %s %s\n    %s\n    `glint %s --help` lists its options.\n", command->name, command->arguments,
           command->help, command->name);
    return true;
}

/* A word as shells take it. */
static void print_word(const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:,+-";
    if (word[0] && word[strspn(word, plain)] == '\0') {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, stdout);
    putchar('\'');
}

/* Prints the values that a parameter takes. */
static void print_range(const Param *param) {
    const bool has_unit = param->unit[0] && param->kind != PARAM_CHOICE;
    if (param->kind == PARAM_CHOICE) {
        size_t length, first = 1;
        for (const char *word = param->unit; *word; word += length + (word[length] == '|'), first = 0) {
            length = strcspn(word, "|");
            printf("%s%.*s", first ? "" : ", ", (int)length, word);
        }
        const char *word = param_choice(param, (size_t)param->default_value, &length);
        printf("; default %.*s", (int)length, word);
    } else if (param->kind == PARAM_TEXT) {
        printf("a text");
    } else if (param->kind == PARAM_IMAGE) {
        printf("an image file");
    } else if (param->kind == PARAM_CUBE) {
        printf("a .cube file");
    } else {
        printf("%g %s %g%s%s%s, default %g", param->min, param->kind == PARAM_SWITCH ? "or" : "to", param->max,
               has_unit ? " " : "", param->unit, param->kind == PARAM_WHOLE ? ", whole" : "", param->default_value);
    }
}

void help_params(ParamTable table, int indent) {
    size_t width = 0;
    for (size_t i = 0; i < table.count; i++)
        width = strlen(table.params[i].name) > width ? strlen(table.params[i].name) : width;
    for (size_t i = 0; i < table.count; i++) {
        printf("%*s%-*s  %s; ", indent, "", (int)width, table.params[i].name, table.params[i].help);
        print_range(&table.params[i]);
        putchar('\n');
    }
}

static bool explain_filter(const char *name) {
    const Filter *filter = filter_by_name(name, strlen(name));
    if (!filter)
        return false;
    printf("%s (filter: %s)\n    %s\n    Definition: %s\n", filter->name, filter_categories[filter->category],
           filter->help, filter->definition);
    if (filter->table.count > 0)
        printf("    Parameters, the first of which needs no name:\n");
    help_params(filter->table, 6);
    char chain[512];
    filter_format_example(filter, chain, sizeof chain);
    printf("    Example: glint batch ");
    print_word(chain);
    printf(" photo.jpg -o result.png\n");
    return true;
}

static Status explain_preset(const char *name) {
    Presets *presets;
    TRY(presets_load(&presets));
    const Preset *preset = presets_find(presets, name, strlen(name));
    if (preset) {
        say(stdout, "@%s (preset of %s)", preset->name, preset->file);
        if (preset->help[0])
            say(stdout, "    %s", preset->help);
        say(stdout, "    %s", preset->chain);
        say(stdout, "    Example: glint batch @%s photo.jpg -o result.png", preset->name);
    }
    const Status status =
        preset ? STATUS_OK
               : fail(STATUS_USAGE, "help: there is no preset \"@%s\"; `glint list presets` shows all presets", name);
    presets_destroy(&presets);
    return status;
}

/* On a line of their own, if there are any. */
static void print_levels(const Backend *backend, const Op *op) {
    size_t count = 0;
    for (size_t i = 0; i < backend->level_count; i++)
        if (backend->levels[i]->op == op) {
            if (count++ == 0)
                printf("    Levels on %s:", backend->name);
            printf("%s %s", count > 1 ? "," : "", backend->levels[i]->name);
        }
    if (count > 0)
        putchar('\n');
}

static bool explain_operation(const char *name) {
    const Op *op = op_by_name(name);
    if (!op)
        return false;
    printf("%s (operation)\n    %s\n", op->name, op->help);
    for (size_t b = 0; b < backend_count(); b++)
        print_levels(backend_at(b), op);
    printf("    Example: glint bench %s\n", op->name);
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

/* Explains levels of this name that only another build has; false if there is none. */
static bool explain_absent(const char *name) {
    bool found = false;
    const AbsentLevel *level;
    for (size_t i = 0; (level = backends_absent_level(i)); i++)
        if (strcmp(level->name, name) == 0) {
            printf("%s (level of %s on %s)\n    %s\n    Not here: %s.\n", name, level->operation, level->backend,
                   level->idea, level->why);
            found = true;
        }
    return found;
}

static bool explain_experiment(const char *name) {
    bool found = false;
    for (size_t b = 0; b < backend_count(); b++) {
        const Experiment *experiment = experiment_by_name(backend_at(b), name);
        if (!experiment)
            continue;
        printf("%s (experiment on %s: %s)\n    %s\n    %s\n    Example: glint bench machine --backend %s --experiment "
               "%s\n",
               name, backend_at(b)->name, experiment->title, experiment->idea, experiment->advice, backend_at(b)->name,
               name);
        found = true;
    }
    return found;
}

Status help_command(int argc, char **argv) {
    if (argc < 2 || argv[1][0] == '-') {
        overview();
        return STATUS_OK;
    }
    if (argv[1][0] == '@')
        return explain_preset(argv[1] + 1);
    static bool (*const explain[])(const char *name) = {explain_subcommand, explain_filter, explain_operation,
                                                        explain_level, explain_experiment};
    bool known = false;
    for (size_t i = 0; i < sizeof explain / sizeof explain[0]; i++)
        known |= explain[i](argv[1]);
    return known || explain_absent(argv[1])
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "help: \"%s\" is no subcommand, filter, operation, level or experiment; `glint list` shows "
                      "them",
                      argv[1]);
}
