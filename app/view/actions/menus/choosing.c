/* choosing.c: choices that several arguments share. */
#include "app/view/actions/menus/choosing.h"

#include "app/view/session/paths.h"
#include "core/chain/preset.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

char *choice_borrows(const char *text) {
    return (char *)(uintptr_t)text;
}

Status choose_word(Choices *choices, const char *name, Choice choice) {
    choice.text = choice.label = choice_borrows(name);
    return choices_add(choices, choice);
}

/* Adds a choice for the part of `text` from `last` on, behind the text before it. */
static Status add_part(Choices *choices, const char *text, const char *last, const char *label, size_t length,
                       const char *behind, const char *help) {
    char line[2 * ENTRY_MAX], name[ENTRY_MAX];
    snprintf(name, sizeof name, "%.*s", (int)length, label);
    snprintf(line, sizeof line, "%.*s%s%s", (int)(last - text), text, name, behind);
    return choices_add(choices, (Choice){.text = line, .label = name, .help = choice_borrows(help), .goes_on = true});
}

/* Names of parameters, and the words that one may have. */
static Status choose_assignment(ParamTable table, const char *text, const char *first, Choices *choices) {
    const char *colon = strrchr(first, ':'), *last = colon ? colon + 1 : first, *equals = strchr(last, '=');
    choices->wanted = equals ? equals + 1 : last;
    for (size_t i = 0; !strchr(first, '\'') && i < table.count; i++) {
        const Param *param = &table.params[i];
        size_t length = strlen(param->name);
        if (!equals)
            TRY(add_part(choices, text, last, param->name, length, "=", param->help));
        else if (param->kind == PARAM_CHOICE && length == (size_t)(equals - last) &&
                 strncmp(last, param->name, length) == 0)
            for (size_t k = 0; param_choice(param, k, &length); k++)
                TRY(add_part(choices, text, equals + 1, param_choice(param, k, &length), length, "", NULL));
    }
    choices_sort(choices);
    return STATUS_OK;
}

static Status choose_preset_of_chain(const char *text, const char *last, Choices *choices) {
    Presets *presets;
    TRY(presets_load(&presets));
    Status status = STATUS_OK;
    for (size_t i = 0; i < presets->count && status == STATUS_OK; i++)
        if (strcmp(last, presets->list[i].name) != 0)
            status = add_part(choices, text, last, presets->list[i].name, strlen(presets->list[i].name), "",
                              presets->list[i].help);
    choices_sort(choices);
    presets_destroy(&presets);
    return status;
}

Status choose_link(const Viewer *viewer, const char *text, Choices *choices) {
    const char *comma = strrchr(text, ','), *last = comma ? comma + 1 : text;
    last += *last == '~';
    const char *equals = strchr(last, '=');
    const Filter *filter = equals ? filter_by_name(last, (size_t)(equals - last)) : NULL;
    (void)viewer;
    if (filter)
        return choose_assignment(filter->table, text, equals + 1, choices);
    choices->wanted = last + (*last == '@');
    if (*last == '@')
        return choose_preset_of_chain(text, last + 1, choices);
    for (size_t i = 0; last[0] && !equals && i < filter_count; i++) {
        char example[ENTRY_MAX];
        const size_t length = strlen(filters[i]->name);
        filter_format_example(filters[i], example, sizeof example);
        if (strcmp(last, filters[i]->name) != 0)
            TRY(add_part(choices, text, last, filters[i]->name, length, example + length, filters[i]->help));
    }
    choices_sort(choices);
    return STATUS_OK;
}

Status choose_value(const Viewer *viewer, const char *text, Choices *choices) {
    const Chain *chain = viewer->request->chain;
    const ParamTable none = {0};
    return choose_assignment(chain->count > 0 ? chain->links[viewer_selected(viewer)].filter->table : none, text, text,
                             choices);
}

Status choose_params(ParamTable table, const char *text, Choices *choices) {
    const char *colon = strrchr(text, ':'), *last = colon ? colon + 1 : text;
    char line[2 * ENTRY_MAX];
    choices->wanted = last;
    for (size_t i = 0; i < table.count && !strchr(last, '='); i++) {
        snprintf(line, sizeof line, "%.*s%s=", (int)(last - text), text, table.params[i].name);
        TRY(choices_add(choices, (Choice){.text = line,
                                          .label = choice_borrows(table.params[i].name),
                                          .help = choice_borrows(table.params[i].help),
                                          .goes_on = true}));
    }
    return STATUS_OK;
}

Status choose_folder(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return paths_choose(text, PATHS_FOLDERS, choices);
}

size_t format_beside(const Viewer *viewer, const char *ending, char *buffer, size_t size) {
    char file[PATH_CAPACITY] = "";
    if (viewer->session->subject)
        (void)subject_file(viewer->session->subject, file, sizeof file);
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return (size_t)snprintf(buffer, size, "%.*s%s", (int)(strcspn(name, ".=") + (size_t)(name - file)), file, ending);
}
