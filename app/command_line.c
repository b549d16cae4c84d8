/* command_line.c: argp by the rows of options. */
#include "app/command_line.h"

#include "app/say.h"

#include <argp.h>
#include <string.h>

enum { ROWS_MAX = 64, KEYS = 0x1000 /* of options without a letter: their place behind it */, COMMON_GROUP = 10 };

typedef struct Reading {
    const CommandLine *line;
    void *values;
    struct {
        const Option *option;
        size_t offset;
    } rows[ROWS_MAX];
    size_t count;
} Reading;

static int key_of(const Reading *reading, size_t row) {
    const char letter = reading->rows[row].option->letter;
    return letter ? letter : KEYS + (int)row;
}

static bool has_row(const Reading *reading, const char *name) {
    bool has = false;
    for (size_t i = 0; i < reading->count; i++)
        has |= strcmp(reading->rows[i].option->name, name) == 0;
    return has;
}

/* The rows of all tables, and argp's option for each. A command's own row stands for a common one of its name. */
static void list_rows(Reading *reading, struct argp_option *options) {
    const CommandLine *line = reading->line;
    size_t next = 0;
    for (size_t t = 0; t < LINE_TABLES; t++) {
        const int group = t == line->common ? COMMON_GROUP : 0;
        if (group)
            options[next++] = (struct argp_option){.doc = "Common options:", .group = group};
        for (size_t i = 0; i < line->tables[t].count && reading->count < ROWS_MAX; i++) {
            const Option *option = &line->tables[t].rows[i];
            if (has_row(reading, option->name))
                continue;
            reading->rows[reading->count].option = option;
            reading->rows[reading->count].offset = line->tables[t].offset;
            options[next++] = (struct argp_option){
                option->name,  key_of(reading, reading->count++),
                option->value, (option->optional ? OPTION_ARG_OPTIONAL : 0) | (option->help ? 0 : OPTION_HIDDEN),
                option->help,  group};
        }
    }
    options[next] = (struct argp_option){0};
}

static void complain(struct argp_state *state, Status status) {
    if (status == STATUS_DEVICE)
        argp_failure(state, (int)status, 0, "%s", status_message());
    else if (status != STATUS_OK)
        say_usage(state, "%s", status_message());
}

static error_t read_key(int key, char *text, struct argp_state *state) {
    Reading *reading = state->input;
    const CommandLine *line = reading->line;
    switch (key) {
    case ARGP_KEY_ARGS:
        complain(state,
                 line->arguments_read(reading->values, state->argv + state->next, (size_t)(state->argc - state->next)));
        return 0;
    case ARGP_KEY_END:
        if (line->check)
            complain(state, line->check(reading->values));
        return 0;
    default:
        break;
    }
    for (size_t i = 0; i < reading->count; i++)
        if (key_of(reading, i) == key) {
            complain(state,
                     option_read(reading->rows[i].option, text, (char *)reading->values + reading->rows[i].offset));
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

Status command_line_read(const CommandLine *line, int argc, char **argv, void *values) {
    Reading reading = {.line = line, .values = values};
    struct argp_option options[ROWS_MAX + 2];
    list_rows(&reading, options);
    const struct argp parser = {options, read_key, line->arguments, line->help, NULL, line->help_filter, NULL};
    return argp_parse(&parser, argc, argv, 0, NULL, &reading) == 0
               ? STATUS_OK
               : fail(STATUS_DEVICE, "no memory to read the arguments");
}

static json_t *value_json(const Option *option, const void *values) {
    char buffer[4096];
    const double value = option_value(option, values);
    const bool counts = option_counts(option);
    if (counts && (value < option->min || value > option->max))
        return json_null();
    if (option->kind == OPTION_SWITCH)
        return json_boolean(value != 0);
    if (counts)
        return option->kind == OPTION_NUMBER ? json_real(value) : json_integer((json_int_t)value);
    const char *text = option_spell(option, values, buffer, sizeof buffer);
    return text[0] ? json_text(text) : json_null();
}

json_t *command_line_json(const CommandLine *line, const void *values) {
    json_t *object = json_object();
    for (size_t t = 0; t < LINE_TABLES; t++)
        for (size_t i = 0; i < line->tables[t].count; i++) {
            const Option *option = &line->tables[t].rows[i];
            if (!option->neutral && !json_object_get(object, option->name))
                json_object_set_new(object, option->name,
                                    value_json(option, (const char *)values + line->tables[t].offset));
        }
    return object;
}
