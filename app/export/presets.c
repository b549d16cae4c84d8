/* presets.c: reading and writing the file of exports. */
#include "app/export/presets.h"

#include "core/base/file.h"
#include "core/base/rewrite.h"
#include "core/chain/preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\r"

/* A line's name and what stands behind its colon, without blanks around them; lengths in characters. */
typedef struct Line {
    const char *name, *settings;
    size_t name_length, settings_length; /* name_length 0: it is empty, or a comment */
} Line;

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for presets of exports");
}

/* False if the line of `length` characters is none of the format's. */
static bool read_line(const char *begin, size_t length, Line *line) {
    const char *end = begin + length, *at = begin + strspn(begin, BLANKS);
    *line = (Line){.name = at};
    if (at >= end || *at == '#')
        return true;
    line->name_length = preset_name_length(at);
    if (line->name_length == 0)
        return false;
    at += line->name_length;
    at += strspn(at, BLANKS);
    if (*at != ':')
        return false;
    line->settings = at + 1 + strspn(at + 1, BLANKS);
    while (end > line->settings && strchr(BLANKS, end[-1]))
        end--;
    line->settings_length = end > line->settings ? (size_t)(end - line->settings) : 0;
    return line->settings_length > 0;
}

/* The file's text; "" where there is none. */
static Status read_text(char **path, char **text) {
    *text = NULL;
    *path = file_config_path("exports.txt");
    if (!*path)
        return fail(STATUS_DEVICE, "neither XDG_CONFIG_HOME nor HOME says where presets of exports shall be");
    Status status = STATUS_OK;
    if (access(*path, F_OK) == 0)
        status = file_read_text(*path, text);
    else if (!(*text = strdup("")))
        status = no_memory();
    return status;
}

static size_t line_length(const char *at) {
    return strcspn(at, "\n");
}

/* Lists the presets of the text, whose names and settings get ends. STATUS_USAGE for the first line that makes no
 * sense. */
static Status parse(const char *path, char *text, ExportPresets *presets) {
    size_t number = 1;
    for (char *at = text, *next; *at; at = next, number++) {
        const size_t length = line_length(at);
        Line line;
        next = at + length + (at[length] == '\n');
        if (!read_line(at, length, &line))
            return fail(STATUS_USAGE, "%s:%zu: want NAME: SETTINGS, as in web: format=jpg:quality=85", path, number);
        if (line.name_length == 0)
            continue;
        ExportPreset *grown = realloc(presets->list, (presets->count + 1) * sizeof *grown);
        if (!grown)
            return no_memory();
        presets->list = grown;
        ((char *)(size_t)line.name)[line.name_length] = '\0';
        ((char *)(size_t)line.settings)[line.settings_length] = '\0';
        presets->list[presets->count++] = (ExportPreset){line.name, line.settings};
    }
    return STATUS_OK;
}

Status export_presets_load(ExportPresets *presets) {
    char *path = NULL;
    *presets = (ExportPresets){0};
    Status status = read_text(&path, &presets->text);
    if (status == STATUS_OK)
        status = parse(path, presets->text, presets);
    if (status != STATUS_OK)
        export_presets_free(presets);
    free(path);
    return status;
}

void export_presets_free(ExportPresets *presets) {
    free(presets->list);
    free(presets->text);
    *presets = (ExportPresets){0};
}

const char *export_presets_find(const ExportPresets *presets, const char *name) {
    for (size_t i = 0; i < presets->count; i++)
        if (strcmp(presets->list[i].name, name) == 0)
            return presets->list[i].settings;
    return NULL;
}

Status export_presets_settings(const char *name, ExportSettings *settings) {
    ExportPresets presets;
    ExportSettings read = export_defaults();
    TRY(export_presets_load(&presets));
    const char *text = export_presets_find(&presets, name);
    Status status = text ? export_settings_take(&read, (ExportExtras){0}, text)
                         : fail(STATUS_USAGE, "no preset of exports is called \"%s\"", name);
    if (status != STATUS_OK && text)
        status = fail_within(status, "%s: ", name);
    export_presets_free(&presets);
    TRY(status);
    *settings = read;
    return STATUS_OK;
}

static bool is_named(const Line *line, const char *name) {
    return line->name_length == strlen(name) && strncmp(line->name, name, line->name_length) == 0;
}

/* The text with these settings in the place of the name's line, or behind all; without the line if they are NULL. Free
 * with free; NULL without memory. */
static char *put_line(const char *text, const char *name, const char *settings) {
    char *made = NULL;
    size_t size = 0;
    bool due = settings != NULL;
    FILE *to = open_memstream(&made, &size);
    if (!to)
        return NULL;
    for (const char *at = text; *at;) {
        const size_t length = line_length(at);
        Line line;
        if (!read_line(at, length, &line) || !is_named(&line, name))
            fprintf(to, "%.*s\n", (int)length, at);
        else if (due)
            fprintf(to, "%s: %s\n", name, settings);
        due &= !is_named(&line, name);
        at += length + (at[length] == '\n');
    }
    if (due)
        fprintf(to, "%s: %s\n", name, settings);
    const bool failed = fclose(to) != 0;
    if (failed)
        free(made);
    return failed ? NULL : made;
}

static Status write_text(const char *path, const char *text) {
    struct stat info;
    FileIdentity own = stat(path, &info) == 0 ? file_identity(&info) : (FileIdentity){0};
    return rewrite_text(path, text, &own);
}

/* With NULL, removes it. */
static Status change(const char *name, const char *settings) {
    char *path = NULL, *text = NULL;
    Status status = read_text(&path, &text);
    char *made = status == STATUS_OK ? put_line(text, name, settings) : NULL;
    if (status == STATUS_OK)
        status = made ? write_text(path, made) : no_memory();
    free(made);
    free(text);
    free(path);
    return status;
}

Status export_presets_save(const char *name, const char *settings) {
    ExportPresets there;
    if (!name[0] || name[preset_name_length(name)])
        return fail(STATUS_USAGE, "preset \"%s\": want a name of letters, digits, '-' and '_'", name);
    TRY(export_presets_load(&there)); /* nothing is written into a file that makes no sense */
    export_presets_free(&there);
    return change(name, settings);
}

Status export_presets_remove(const char *name) {
    ExportPresets there;
    TRY(export_presets_load(&there));
    const bool found = export_presets_find(&there, name) != NULL;
    export_presets_free(&there);
    return found ? change(name, NULL) : fail(STATUS_USAGE, "no preset of exports is called \"%s\"", name);
}
