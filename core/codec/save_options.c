/* save_options.c: the options of encoders, gathered from the formats' rows. */
#include "core/codec/format.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { HELP = 256 };

static Option gathered[SAVE_OPTIONS];
static char helps[SAVE_OPTIONS][HELP];
static size_t gathered_count;

static const Option *find(const char *name) {
    for (size_t i = 0; i < gathered_count; i++)
        if (strcmp(gathered[i].name, name) == 0)
            return &gathered[i];
    return NULL;
}

/* The titles of all formats that have the option, and its own help: "WebP, JPEG XL: keep every value". */
static void write_help(const Option *option, char *help) {
    size_t length = 0;
    for (size_t f = 0; f < format_count; f++)
        for (size_t i = 0; i < formats[f]->options.count; i++)
            if (strcmp(formats[f]->options.rows[i].name, option->name) == 0 && length < HELP)
                length += (size_t)snprintf(help + length, HELP - length, "%s%s", length ? ", " : "", formats[f]->title);
    if (length < HELP)
        snprintf(help + length, HELP - length, ": %s", option->help);
}

static void add(const Option *option) {
    if (find(option->name) || gathered_count == SAVE_OPTIONS)
        return;
    Option *row = &gathered[gathered_count];
    *row = *option;
    row->offset = offsetof(SaveOptions, values) + gathered_count * sizeof((SaveOptions *)0)->values[0];
    row->size = sizeof((SaveOptions *)0)->values[0];
    write_help(option, helps[gathered_count]);
    row->help = helps[gathered_count++];
}

static void gather(void) {
    for (size_t f = 0; f < format_count; f++)
        for (size_t i = 0; i < formats[f]->options.count; i++)
            add(&formats[f]->options.rows[i]);
}

OptionTable save_options_table(size_t offset) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, gather);
    return (OptionTable){gathered, gathered_count, offset};
}

static const Option *row_of(const char *name) {
    (void)save_options_table(0);
    return find(name);
}

double save_value(const SaveOptions *options, const char *name) {
    const Option *row = row_of(name);
    return row ? option_value(row, options) : 0;
}

SaveChroma save_chroma(const SaveOptions *options) {
    enum { FULL_CHROMA = 90 /* the quality from which on chroma of every pixel shows */ };
    const double said = save_value(options, "sampling");
    return said > 0 ? (SaveChroma)said : save_value(options, "quality") >= FULL_CHROMA ? SAVE_444 : SAVE_420;
}

void save_put(const char *name, double value, SaveOptions *options) {
    const Option *row = row_of(name);
    if (row)
        option_put(row, value, options);
}

SaveOptions save_with(const char *name, double value) {
    SaveOptions options = {0};
    save_put(name, value, &options);
    return options;
}
