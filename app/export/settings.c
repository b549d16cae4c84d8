/* settings.c: the settings of exports as tables and as texts. */
#include "app/export/settings.h"

#include "core/codec/format.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 256 };

_Static_assert((int)EXPORT_OPTIONS == (int)SAVE_OPTIONS, "a value for each option of a format");

/* ---- tables ---- */

#define AT(member) offsetof(ExportSettings, member)

static char format_words[WORDS];

/* The first row's words are this build's formats. */
static const Param params[] = {
    {"format", "the kind of file", format_words, PARAM_CHOICE, AT(format), 0, 0, SAVE_OPTIONS, 1},
    {"bits", "values of more bits are rounded to so many", "as they are|8|16", PARAM_CHOICE, AT(bits), 0, 0, 2, 1},
    {"long", "the longer side at most; smaller pictures stay; 0: as it is", "pixels", PARAM_WHOLE, AT(longer), 0, 0,
     20000, 16},
    {"percent", "of the result's size", "percent", PARAM_NUMBER, AT(percent), 1, 100, 400, 5},
    {"sharpen", "for the new size", "", PARAM_NUMBER, AT(sharpen), 0, 0, 3, 0.1},
    {"metadata", "camera, date, place, copyright: kept, or left out", "keep|none", PARAM_CHOICE, AT(metadata), 0, 0, 1,
     1},
    {"colours", "as they are, with their profile, or converted to sRGB; stripes of \"show clipping\" follow",
     "keep|srgb", PARAM_CHOICE, AT(colours), 0, 0, 1, 1},
};

static const Format *writable(size_t index) {
    for (size_t i = 0; i < format_count; i++)
        if (formats[i]->writes && index-- == 0)
            return formats[i];
    return NULL;
}

static void write_words(void) {
    const Format *format;
    for (size_t i = 0, length = 0; (format = writable(i)) && length < WORDS; i++)
        length += (size_t)snprintf(format_words + length, WORDS - length, "%s%s", length > 0 ? "|" : "", format->name);
}

ParamTable export_table(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, write_words);
    return (ParamTable){params, sizeof params / sizeof params[0], sizeof(ExportSettings)};
}

const Format *export_format(const ExportSettings *settings) {
    return writable((size_t)settings->format);
}

/* A format's option as a parameter, so that one kind of row serves both. */
static Param param_of(const Option *option, size_t place) {
    Param param = {option->name, option->help, "", PARAM_SWITCH, place * sizeof(double), 0, 0, 1, 1};
    if (option->kind == OPTION_CHOICE) {
        param.kind = PARAM_CHOICE;
        param.unit = option->words ? option->words : option->value;
        for (const char *at = param.unit; (at = strchr(at, '|')); at++)
            param.max = at == strchr(param.unit, '|') ? 1 : param.max + 1;
    } else if (option->kind != OPTION_SWITCH) {
        param.kind = option->kind == OPTION_NUMBER ? PARAM_NUMBER : PARAM_WHOLE;
        param.min = option->otherwise < option->min ? option->otherwise : option->min; /* none, too */
        param.max = option->max;
        param.default_value = option->otherwise;
        param.step = option->kind != OPTION_NUMBER ? 1 : (option->max - option->min) / 100;
    }
    return param;
}

ParamTable export_options_table(const ExportSettings *settings) {
    static Param rows[SAVE_OPTIONS];
    const Format *format = export_format(settings);
    const size_t count = format ? format->options.count : 0;
    for (size_t i = 0; i < count; i++)
        rows[i] = param_of(&format->options.rows[i], i);
    return (ParamTable){rows, count, sizeof settings->options};
}

static void default_options(ExportSettings *settings) {
    const ParamTable table = export_options_table(settings);
    for (size_t i = 0; i < SAVE_OPTIONS; i++)
        settings->options[i] = i < table.count ? table.params[i].default_value : 0;
}

ExportSettings export_defaults(void) {
    ExportSettings settings = {.percent = 100, .name = "{stem}-export"};
    const Format *format;
    for (size_t i = 0; (format = writable(i)); i++)
        if (strcmp(format->name, "jpg") == 0)
            settings.format = (double)i;
    default_options(&settings);
    return settings;
}

bool export_settings_same(const ExportSettings *a, const ExportSettings *b) {
    return params_same(export_table(), a, b) && params_same(export_options_table(a), a->options, b->options) &&
           strcmp(a->folder, b->folder) == 0 && strcmp(a->name, b->name) == 0;
}

/* ---- as text ---- */

static const char folder_row[] = "folder=", name_row[] = "name=";

/* "{stem}" is the one field; doubled braces are braces. */
static Status check_name(const char *name) {
    for (const char *at = name; (at = strchr(at, '{')); at++) {
        if (at[1] != '{' && strncmp(at, "{stem}", strlen("{stem}")) != 0)
            return fail(STATUS_USAGE, "the name \"%.80s\" has a field other than {stem}; {{ is a brace", name);
        at += at[1] == '{';
    }
    if (!name[0] || name[0] == '/' || strncmp(name, "~/", 2) == 0)
        return fail(STATUS_USAGE, "the name is \"%.80s\", want one that lies in the folder, as in {stem}-web", name);
    return STATUS_OK;
}

static Status take_text(const char *what, const char *text, size_t length, char *to, size_t size) {
    if (length >= size)
        return fail(STATUS_USAGE, "the %s has %zu characters, want at most %zu", what, length, size - 1);
    memcpy(to, text, length);
    to[length] = '\0';
    return STATUS_OK;
}

static Status take_name(ExportSettings *settings, const char *name) {
    TRY(check_name(name));
    return take_text("name", name, strlen(name), settings->name, EXPORT_NAME);
}

/* The folder ends at ":name=". */
static Status take_folder(ExportSettings *settings, const char *text, const char **end) {
    const char *behind = strstr(text, ":name=");
    const size_t length = behind ? (size_t)(behind - text) : strlen(text);
    *end = text + length + (behind ? 1 : 0);
    TRY(take_text("folder", text, length, settings->folder, EXPORT_FOLDER));
    if (strcmp(settings->folder, EXPORT_OWN) == 0)
        settings->folder[0] = '\0';
    return STATUS_OK;
}

static Status take_one(ExportSettings *settings, ExportExtras extras, const char *text, const char *end) {
    const char *equals = memchr(text, '=', (size_t)(end - text)), *at;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)((equals ? equals : end) - text), text);
    const Format *before = export_format(settings);
    const ParamTable options = export_options_table(settings);
    if (param_by_name(options, name))
        return params_parse(options, before->name, text, end, settings->options, &at);
    if (equals && param_by_name(extras.table, name))
        return params_parse(extras.table, "export", text, end, extras.values, &at);
    if (!equals || !param_by_name(export_table(), name))
        return fail(STATUS_USAGE, "export: \"%s\" is no setting of %s", name, before->title);
    TRY(params_parse(export_table(), "export", text, end, settings, &at));
    if (export_format(settings) != before)
        default_options(settings);
    return STATUS_OK;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

Status export_settings_take(ExportSettings *settings, ExportExtras extras, const char *text) {
    for (const char *at = text; *at;) {
        if (begins(at, name_row))
            return take_name(settings, at + strlen(name_row));
        if (begins(at, folder_row)) {
            TRY(take_folder(settings, at + strlen(folder_row), &at));
            continue;
        }
        const char *end = at + strcspn(at, ":");
        TRY(take_one(settings, extras, at, end));
        at = *end ? end + 1 : end;
    }
    return STATUS_OK;
}

/* Appends ":name=value" for each value that differs from its default. */
static void put_values(ParamTable table, const void *values, char *buffer, size_t size) {
    char value[WORDS];
    for (size_t i = 0; i < table.count; i++) {
        const size_t length = strlen(buffer);
        if (params_format((ParamTable){&table.params[i], 1, table.size}, values, value, sizeof value) > 0)
            snprintf(buffer + length, size - length, ":%s=%s", table.params[i].name, value);
    }
}

size_t export_settings_text(const ExportSettings *settings, char *buffer, size_t size) {
    char values[EXPORT_TEXT / 2] = "";
    const ParamTable all = export_table(), others = {all.params + 1, all.count - 1, all.size};
    put_values(export_options_table(settings), settings->options, values, sizeof values);
    put_values(others, settings, values, sizeof values);
    return (size_t)snprintf(buffer, size, "format=%s%s%s%s%s:%s%s", export_format(settings)->name, values,
                            settings->folder[0] ? ":" : "", settings->folder[0] ? folder_row : "", settings->folder,
                            name_row, settings->name);
}
