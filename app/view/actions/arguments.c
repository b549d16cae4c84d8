/* arguments.c: how arguments begin, when they make sense, and their choices; the table is at the bottom. */
#include "app/view/actions/arguments.h"

#include "app/view/actions/dispatch.h"
#include "app/view/data/film.h"
#include "app/view/session/paths.h"
#include "app/view/tools/every_tool.h"
#include "core/chain/preset.h"
#include "core/chain/within.h"
#include "core/codec/codec.h"
#include "core/scene/generators/scenes.h"
#include "core/scene/look.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* choices_add copies constants of tables. */
static char *borrowed(const char *text) {
    return (char *)(uintptr_t)text;
}

static Status add(Choices *choices, const char *name, Choice choice) {
    choice.text = choice.label = borrowed(name);
    return choices_add(choices, choice);
}

/* ---- chains, filters, presets ---- */

static size_t format_chain(const Viewer *viewer, char *buffer, size_t size) {
    return chain_format(viewer->request->chain, buffer, size);
}

static Status check_chain(const char *text) {
    Chain *parsed;
    TRY(chain_parse(text, &parsed));
    chain_destroy(&parsed);
    return STATUS_OK;
}

static Status choose_filter(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < filter_count; i++)
        TRY(add(choices, filters[i]->name,
                (Choice){.help = borrowed(filters[i]->help), .group = filter_categories[filters[i]->category]}));
    return STATUS_OK;
}

/* The chain with this filter behind it. */
static size_t preview_filter(const Viewer *viewer, const char *choice, char *buffer, size_t size) {
    const Filter *filter = filter_by_name(choice, strlen(choice));
    char example[ENTRY_MAX];
    size_t length = chain_format(viewer->request->chain, buffer, size);
    filter_format_example(filter, example, sizeof example);
    length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, "%s%s",
                               length > 0 ? "," : "", example);
    return length;
}

static size_t preview_preset(const Viewer *viewer, const char *choice, char *buffer, size_t size) {
    (void)viewer;
    return (size_t)snprintf(buffer, size, "@%s", choice);
}

static Status check_preset_name(const char *text) {
    return text[preset_name_length(text)] ? fail(STATUS_USAGE, "want a name of letters, digits, '-' and '_'")
                                          : STATUS_OK;
}

static Status choose_preset(const Viewer *viewer, const char *text, Choices *choices) {
    Presets *presets;
    (void)viewer;
    TRY(presets_load(&presets));
    Status status = STATUS_OK;
    choices->wanted = text[0] == '@' ? text + 1 : text;
    for (size_t i = 0; i < presets->count && status == STATUS_OK; i++)
        status = add(choices, presets->list[i].name, (Choice){.help = borrowed(presets->list[i].help)});
    presets_destroy(&presets);
    return status;
}

/* Adds a choice for the part of `text` from `last` on, behind the text before it. */
static Status add_part(Choices *choices, const char *text, const char *last, const char *label, size_t length,
                       const char *behind, const char *help) {
    char line[2 * ENTRY_MAX], name[ENTRY_MAX];
    snprintf(name, sizeof name, "%.*s", (int)length, label);
    snprintf(line, sizeof line, "%.*s%s%s", (int)(last - text), text, name, behind);
    return choices_add(choices, (Choice){.text = line, .label = name, .help = borrowed(help), .goes_on = true});
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

/* The filter or preset that is typed last, as far as its name goes; behind that its parameters. */
static Status choose_link(const Viewer *viewer, const char *text, Choices *choices) {
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

static Status choose_mask(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < mask_preset_count; i++)
        TRY(add(choices, mask_presets[i].name, (Choice){.help = borrowed(mask_presets[i].help)}));
    return STATUS_OK;
}

/* A value of the selected filter. */
static Status choose_value(const Viewer *viewer, const char *text, Choices *choices) {
    const Chain *chain = viewer->request->chain;
    const ParamTable none = {0};
    return choose_assignment(chain->count > 0 ? chain->links[viewer_selected(viewer)].filter->table : none, text, text,
                             choices);
}

/* The part that is marked, or where the filter is confined to. */
static size_t format_place(const Viewer *viewer, char *buffer, size_t size) {
    const Marked part = viewer->tools->histogram->part;
    if (histogram_marked(viewer))
        return within_format((Region){(ptrdiff_t)part.x, (ptrdiff_t)part.y, part.width, part.height}, buffer, size);
    const char *within = viewer_within(viewer);
    return (size_t)snprintf(buffer, size, "%s", within ? within : "");
}

/* Masks: the open pictures. */
static Status choose_place(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < viewer->pictures.count; i++)
        TRY(choices_add(choices, (Choice){.text = viewer->pictures.paths[i], .label = viewer->pictures.paths[i]}));
    return STATUS_OK;
}

/* ---- pictures ---- */

static Status choose_picture(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < viewer->pictures.count; i++) {
        const char *path = viewer->pictures.paths[i], *slash = strrchr(path, '/');
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        TRY(choices_add(choices, (Choice){.text = number,
                                          .label = borrowed(slash ? slash + 1 : path),
                                          .current = i == viewer->pictures.current}));
    }
    return STATUS_OK;
}

/* Offers the open pictures, and files. */
static Status choose_image(const Viewer *viewer, const char *text, Choices *choices) {
    size_t link;
    const Param *param = viewer_image_param(viewer, &link);
    const bool cube = param && param->kind == PARAM_CUBE;
    choices->wanted = text;
    for (size_t i = 0; i < viewer->pictures.count && !cube; i++)
        TRY(choices_add(
            choices,
            (Choice){.text = viewer->pictures.paths[i], .label = viewer->pictures.paths[i], .group = "open here"}));
    return paths_choose(text, cube ? PATHS_CUBES : PATHS_PICTURES, choices);
}

static Status choose_edit(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < viewer->edits.count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        TRY(choices_add(choices, (Choice){.text = number,
                                          .label = borrowed(viewer->edits.list[i].words),
                                          .current = i == viewer->edits.at}));
    }
    return STATUS_OK;
}

/* ---- border, level, backend, route, look ---- */

static size_t format_border(const Viewer *viewer, char *buffer, size_t size) {
    return strlen(border_format(viewer->request->options.border, buffer, size));
}

static Status check_border(const char *text) {
    Border parsed;
    return border_parse(text, &parsed);
}

static Status choose_border(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < border_count; i++) {
        char line[64];
        border_format(viewer_default_border(viewer, borders[i].mode), line, sizeof line);
        TRY(choices_add(choices, (Choice){.text = line,
                                          .label = borrowed(borders[i].name),
                                          .help = borrowed(borders[i].help),
                                          .current = viewer->request->options.border.mode == borders[i].mode}));
    }
    return STATUS_OK;
}

static Status choose_level(const Viewer *viewer, const char *text, Choices *choices) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    choices->wanted = text;
    TRY(add(choices, "best", (Choice){.help = borrowed("the fastest one that can do the job")}));
    for (size_t i = 0; i < count; i++) {
        Choice choice = {
            .help = borrowed(rungs[i].level->idea), .why_not = borrowed(rungs[i].why_not), .current = rungs[i].current};
        snprintf(choice.keys, sizeof choice.keys, "%d", rungs[i].number);
        TRY(add(choices, rungs[i].level->name, choice));
    }
    return STATUS_OK;
}

static Status choose_backend(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < backend_count(); i++)
        TRY(add(choices, backend_at(i)->name, (Choice){.current = backend_at(i) == viewer->session->device->backend}));
    return STATUS_OK;
}

static Status choose_device(const Viewer *viewer, const char *text, Choices *choices) {
    const Backend *backend = viewer->session->device->backend;
    int count = 1;
    choices->wanted = text;
    if (!backend->host_frames && backend->device_count(&count) != STATUS_OK)
        return STATUS_OK;
    for (int i = 0; i < count; i++) {
        char number[16], label[64];
        const bool current = backend->host_frames || i == viewer->request->device;
        snprintf(number, sizeof number, "%d", i);
        snprintf(label, sizeof label, "%s %d", backend->name, i);
        TRY(choices_add(choices, (Choice){.text = number,
                                          .label = label,
                                          .help = current ? borrowed(viewer->session->device->name) : NULL,
                                          .current = current}));
    }
    return STATUS_OK;
}

static Status choose_route(const Viewer *viewer, const char *text, Choices *choices) {
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(viewer->present, viewer->session->device->backend, rungs);
    choices->wanted = text;
    TRY(add(choices, "best", (Choice){.help = borrowed("the fastest one that works")}));
    for (size_t i = 0; i < count; i++)
        TRY(add(choices, rungs[i].route->name,
                (Choice){.help = borrowed(rungs[i].route->idea),
                         .why_not = borrowed(rungs[i].why_not),
                         .current = rungs[i].current}));
    return STATUS_OK;
}

const ThemeInfo theme_infos[THEMES] = {[THEME_DARK] = {"dark", "white on dark glass"},
                                       [THEME_LIGHT] = {"light", "black on light paper"},
                                       [THEME_CONTRAST] = {"contrast", "white and yellow on black, for all light"}};

static Status choose_theme(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < THEMES; i++)
        TRY(add(choices, theme_infos[i].name,
                (Choice){.help = borrowed(theme_infos[i].help), .current = (int)viewer->ui->theme == i}));
    return STATUS_OK;
}

/* As the headings of panels spell them. */
static const char *const sections[] = {
    "filter",   "edits",     "compare",  "levels",     "race",  "time",      "spans",    "latency",
    "roofline", "kernel",    "tile",     "job",        "rays",  "power",     "backends", "into the window",
    "pixel",    "histogram", "waveform", "arithmetic", "mask",  "response",  "curve",    "scene",
    "surface",  "light",     "sun",      "sky",        "lamps", "gathering", "camera"};

const char *section_by_name(const char *name) {
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strcasecmp(sections[i], name) == 0)
            return sections[i];
    return NULL;
}

static Status choose_section(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        TRY(add(choices, sections[i], (Choice){.help = NULL}));
    return STATUS_OK;
}

static Status check_look(const char *text) {
    Look parsed;
    return look_parse(text, &parsed);
}

static Status choose_look(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < LOOKS; i++)
        TRY(add(choices, looks[i].name,
                (Choice){.help = borrowed(looks[i].help), .current = (int)viewer->request->look == i}));
    return STATUS_OK;
}

/* ---- files and scenes ---- */

static size_t format_scene(const Viewer *viewer, char *buffer, size_t size) {
    const Subject *scene = viewer->open[SUBJECT_SCENE];
    return (size_t)snprintf(buffer, size, "%s", scene ? scene->name : "");
}

static Status choose_scene(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < scene_generator_count; i++)
        TRY(add(choices, scene_generators[i]->name, (Choice){.help = borrowed(scene_generators[i]->help)}));
    choices_sort(choices);
    return paths_choose(text, PATHS_SCENES, choices);
}

/* All parts, and the generator's own parameters. */
static Status choose_change(const Viewer *viewer, const char *text, Choices *choices) {
    const char *comma = strrchr(text, ','), *last = comma ? comma + 1 : text;
    const SceneGenerator *generator = scene_text_generator(viewer->request->scene);
    char line[2 * ENTRY_MAX];
    choices->wanted = last;
    for (size_t i = 0; i < scene_part_count + (generator != NULL); i++) {
        const bool part = i < scene_part_count;
        const char *name = part ? scene_parts[i].name : generator->name;
        const char *help = part ? scene_parts[i].help : generator->help;
        snprintf(line, sizeof line, "%.*s%s=", (int)(last - text), text, name);
        if (!strpbrk(last, "=:") && (!part || scene_parts[i].count(viewer_scene(viewer)) > 0))
            TRY(choices_add(choices,
                            (Choice){.text = line, .label = borrowed(name), .help = borrowed(help), .goes_on = true}));
    }
    return STATUS_OK;
}

/* The parameters of a table, behind those that are typed. */
static Status choose_param(ParamTable table, const char *text, Choices *choices) {
    const char *colon = strrchr(text, ':'), *last = colon ? colon + 1 : text;
    char line[2 * ENTRY_MAX];
    choices->wanted = last;
    for (size_t i = 0; i < table.count && !strchr(last, '='); i++) {
        snprintf(line, sizeof line, "%.*s%s=", (int)(last - text), text, table.params[i].name);
        TRY(choices_add(choices, (Choice){.text = line,
                                          .label = borrowed(table.params[i].name),
                                          .help = borrowed(table.params[i].help),
                                          .goes_on = true}));
    }
    return STATUS_OK;
}

static Status choose_camera(const Viewer *viewer, const char *text, Choices *choices) {
    return choose_param(cameras[viewer->request->orbit_camera.camera.kind].table, text, choices);
}

static Status choose_gathering(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return choose_param(gathering_table, text, choices);
}

static Status choose_tone(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return choose_param(tone_table, text, choices);
}

/* Next to it, or here. */
static size_t format_scene_file(const Viewer *viewer, char *buffer, size_t size) {
    const char *title = viewer_title(viewer), *slash = strrchr(title, '/'), *name = slash ? slash + 1 : title;
    return (size_t)snprintf(buffer, size, "%.*s-changed.scene", (int)(strcspn(name, ".=,") + (size_t)(name - title)),
                            title);
}

/* The folder of the open picture or scene. */
static size_t format_path(const Viewer *viewer, char *buffer, size_t size) {
    const char *title = viewer_title(viewer), *slash = strrchr(title, '/');
    return (size_t)snprintf(buffer, size, "%.*s", slash ? (int)(slash + 1 - title) : 0, title);
}

static Status choose_path(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return paths_choose(text, PATHS_ALL, choices);
}

static Status choose_folder(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return paths_choose(text, PATHS_FOLDERS, choices);
}

/* The picture's name and the chain's, next to the picture. */
static size_t format_file(const Viewer *viewer, char *buffer, size_t size) {
    const char *title = viewer_title(viewer), *slash = strrchr(title, '/'), *name = slash ? slash + 1 : title;
    return (size_t)snprintf(buffer, size, "%.*s-result.%s", (int)(strcspn(name, ".=") + (size_t)(name - title)), title,
                            viewer_result_format(viewer));
}

/* An animation next to the picture; or in the working folder. */
static size_t format_recording(const Viewer *viewer, char *buffer, size_t size) {
    const char *title = viewer_title(viewer), *slash = strrchr(title, '/'), *name = slash ? slash + 1 : title;
    return (size_t)snprintf(buffer, size, "%.*s-recording.apng", (int)(strcspn(name, ".=") + (size_t)(name - title)),
                            title);
}

static Status check_file(const char *text) {
    const Format *format = format_for_path(text);
    if (format && format->writes)
        return STATUS_OK;
    return fail(STATUS_USAGE, "want a name with the extension of a format that can be written, as in .png");
}

/* ---- commands ---- */

static Status choose_values(const Viewer *viewer, const Action *action, Choices *choices) {
    Choices values = {0};
    char name[64], text[2 * ENTRY_MAX], label[2 * ENTRY_MAX];
    Status status = action->argument->choose(viewer, "", &values);
    for (size_t i = 0; i < values.count && status == STATUS_OK; i++) {
        Choice choice = values.list[i];
        snprintf(text, sizeof text, "%s %s", action->name, choice.text);
        snprintf(label, sizeof label, "%s %s", action_label(action, name, sizeof name), choice.label);
        choice.text = text;
        choice.label = label;
        choice.current = false;
        status = choices_add(choices, choice);
    }
    choices_clear(&values);
    return status;
}

/* All actions, then all that may be picked by its name. */
static Status choose_command(const Viewer *viewer, const char *text, Choices *choices) {
    char label[64];
    choices->wanted = text;
    for (size_t i = 0; i < action_count; i++) {
        Choice choice = {.text = borrowed(actions[i].name),
                         .label = borrowed(action_label(&actions[i], label, sizeof label)),
                         .help = borrowed(actions[i].help)};
        if (!action_is_here(viewer, &actions[i]) || actions[i].argument == &argument_command)
            continue;
        if (!actions[i].texts)
            action_keys_here(viewer, &actions[i], choice.keys);
        TRY(choices_add(choices, choice));
    }
    for (size_t i = 0; i < action_count; i++)
        if (actions[i].argument && actions[i].argument->listed && action_is_here(viewer, &actions[i]) &&
            actions[i].argument != &argument_command)
            TRY(choose_values(viewer, &actions[i], choices));
    return STATUS_OK;
}

const Argument argument_chain = {.name = "[CHAIN]",
                                 .words = "filters in sequence, as in gaussian=2,sharpen",
                                 .format = format_chain,
                                 .check = check_chain,
                                 .choose = choose_link};
const Argument argument_border = {.name = "MODE",
                                  .words = "a border, as in constant=128",
                                  .format = format_border,
                                  .check = check_border,
                                  .choose = choose_border,
                                  .listed = true};
const Argument argument_level = {
    .name = "NAME", .words = "a level, its digit, or best", .choose = choose_level, .listed = true};
const Argument argument_device = {
    .name = "NUMBER", .words = "a device of this backend", .choose = choose_device, .listed = true};
const Argument argument_backend = {.name = "NAME", .words = "a backend", .choose = choose_backend, .listed = true};
const Argument argument_recording = {.name = "FILE",
                                     .words = "a FOLDER/ for PNG files, or a file: .apng, .mp4, .webm, .gif ...",
                                     .format = format_recording,
                                     .check = film_check,
                                     .choose = choose_folder};
const Argument argument_route = {
    .name = "NAME", .words = "a route into the window", .choose = choose_route, .listed = true};
const Argument argument_look = {
    .name = "NAME", .words = "the shading mode", .check = check_look, .choose = choose_look, .listed = true};
const Argument argument_filter = {.name = "FILTER",
                                  .words = "a filter, to be added to the chain",
                                  .choose = choose_filter,
                                  .listed = true,
                                  .preview = preview_filter};
const Argument argument_preset = {.name = "NAME",
                                  .words = "a preset, in place of the chain",
                                  .choose = choose_preset,
                                  .listed = true,
                                  .preview = preview_preset};
const Argument argument_path = {.name = "PATH",
                                .words = "a picture, a folder of pictures or a scene",
                                .format = format_path,
                                .choose = choose_path};
const Argument argument_scene = {.name = "SCENE",
                                 .words = "a generator, as in cloud=1000, or a file",
                                 .format = format_scene,
                                 .choose = choose_scene};
const Argument argument_file = {.name = "FILE",
                                .words = "a file for the result; its extension says the format",
                                .format = format_file,
                                .check = check_file,
                                .choose = choose_folder};
const Argument argument_picture = {.name = "NUMBER", .words = "one of the opened files", .choose = choose_picture};
const Argument argument_edit = {.name = "NUMBER", .words = "one of the changes", .choose = choose_edit, .listed = true};
const Argument argument_command = {.name = "[COMMAND]", .words = "an action", .choose = choose_command, .listed = true};
const Argument argument_theme = {
    .name = "NAME", .words = "colours of the panels", .choose = choose_theme, .listed = true};
const Argument argument_mask = {
    .name = "NAME", .words = "a mask, in place of the one that is there", .choose = choose_mask, .listed = true};
const Argument argument_section = {
    .name = "SECTION", .words = "a section of the columns", .choose = choose_section, .listed = true};
const Argument argument_preset_name = {
    .name = "NAME", .words = "a name for this chain: letters, digits, - and _", .check = check_preset_name};
const Argument argument_image = {
    .name = "[PATH]", .words = "the filter's second picture, a file; nothing: none", .choose = choose_image};
const Argument argument_values = {.name = "PARAM=VALUE",
                                  .words = "a value of the selected filter, as in sigma=2.5; several with : between",
                                  .choose = choose_value};
const Argument argument_place = {.name = "[PLACE]",
                                 .words = "a rectangle, as in 640x360+100+80, a mask's file, or nothing: everywhere",
                                 .format = format_place,
                                 .choose = choose_place};
const Argument argument_changes = {
    .name = "CHANGES", .words = "changes of the scene, as in sun=altitude=20", .choose = choose_change};
const Argument argument_camera = {
    .name = "VALUES", .words = "values of the camera, as in angle=30:lens=2", .choose = choose_camera};
const Argument argument_gathering = {
    .name = "VALUES", .words = "how light is gathered, as in samples=64", .choose = choose_gathering};
const Argument argument_tone = {
    .name = "VALUES", .words = "how it is shown, as in exposure=1.5:gamma=1.2", .choose = choose_tone};
const Argument argument_scene_file = {
    .name = "FILE", .words = "a file for the scene, NAME.scene", .format = format_scene_file, .choose = choose_folder};
