/* survey.c: which formats the files of a batch have, as far as their names tell. */
#include "app/batch/survey.h"

#include "core/base/folder.h"

#include <string.h>
#include <strings.h>

Named survey_name(const char *path) {
    const char *dot = strrchr(path, '.');
    return (Named){format_for_path(path), dot && strcasecmp(dot + 1, FILM) == 0};
}

static void count(size_t counts[SURVEY_FORMATS], const Format *format) {
    for (size_t i = 0; i < format_count && i < SURVEY_FORMATS; i++)
        counts[i] += formats[i] == format;
}

Survey survey_files(const FilePlan *list) {
    Survey survey = {.raw = true};
    for (size_t i = 0; i < list->count; i++) {
        const BatchFile *file = &list->files[i];
        const Named input = survey_name(file->input), output = file->output ? survey_name(file->output) : (Named){0};
        if (i == 0) {
            survey.input = input;
            survey.output = output;
        }
        count(survey.inputs, input.format);
        count(survey.outputs, output.format);
        survey.raw &= input.format && input.format->raw && output.format && output.format->raw;
    }
    return survey;
}

size_t survey_count(const size_t counts[SURVEY_FORMATS], const Format *format) {
    for (size_t i = 0; i < format_count && i < SURVEY_FORMATS; i++)
        if (formats[i] == format)
            return counts[i];
    return 0;
}

static bool holds_films(const char *name) {
    const Format *format = format_by_name(name);
    return strcmp(name, FILM) == 0 || (format && format->streams);
}

/* A template's extension may be the input's. */
static Status check_name(const char *output, const char *format) {
    const char *end = output + strlen(output);
    const bool to_stdout = strcmp(output, "-") == 0;
    const Named name = survey_name(output);
    if (!output[0])
        return fail(STATUS_USAGE, "-o is \"\", want a file, a folder ending in /, or a template");
    if (format && !to_stdout && !holds_films(format))
        return fail(STATUS_USAGE,
                    "--format %s is for standard output; a file's format is that of its name, as in -o "
                    "'FOLDER/{stem}.%s'",
                    format, format);
    if (end[-1] == '/' || end[-1] == '}' || to_stdout || format || name.film || folder_is(output) ||
        (name.format && name.format->writes))
        return STATUS_OK;
    if (name.format && !name.format->lacks)
        return fail(STATUS_USAGE, "-o %s: %s is read, but not written; `glint list formats` shows formats that are",
                    output, name.format->title);
    return name.format ? STATUS_OK
                       : fail(STATUS_USAGE,
                              "-o %s: the extension names no format, as `glint list formats` shows them, and a "
                              "folder's name ends in /",
                              output);
}

/* Where -o names an archive, the part behind it counts, which names members; "" stands for the inputs' names. */
Status survey_check_output(const FileRules *rules, const char *format) {
    const char *name = rules->output + rules->packed;
    if (rules->packed == 0 || format)
        return check_name(rules->output, format);
    name += name[0] == '/';
    const char *refused = name[0] ? archive_refuses(&(Member){.kind = MEMBER_FILE, .name = name}) : NULL;
    if (refused)
        return fail(STATUS_USAGE, "-o %s: the name of a member %s", rules->output, refused);
    if (survey_name(name).film)
        return fail(STATUS_USAGE, "-o %s: a film is no member of an archive; want a file", rules->output);
    return name[0] ? check_name(name, format) : STATUS_OK;
}
