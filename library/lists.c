/* lists.c: a row for each topic, and the JSON of its table. */
#include "library/lists.h"

#include "core/chain/filter.h"
#include "core/chain/preset.h"
#include "core/codec/format.h"
#include "core/device/backend.h"
#include "core/image/border.h"
#include "core/ops/ops.h"
#include "core/scene/camera.h"
#include "core/scene/generators/scenes.h"
#include "core/scene/look.h"
#include "library/json.h"

#include <stdio.h>
#include <string.h>

/* ---- parameters ---- */

static json_t *choices_of(const Param *param) {
    json_t *words = json_array();
    const char *word;
    size_t length;
    for (size_t i = 0; (word = param_choice(param, i, &length)); i++)
        json_array_append_new(words, json_stringn(word, length));
    return words;
}

static json_t *param_json(const Param *param) {
    const bool choice = param->kind == PARAM_CHOICE, number = !choice && !param_is_text(param);
    size_t length = 0;
    const char *word = choice ? param_choice(param, (size_t)param->default_value, &length) : "";
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", param->name, "help", param->help, "unit",
                     choice ? "" : param->unit, "kind", param_kinds[param->kind], "minimum",
                     number ? json_real(param->min) : json_null(), "default",
                     choice   ? json_stringn(word, length)
                     : number ? json_real(param->default_value)
                              : json_null(),
                     "maximum", number ? json_real(param->max) : json_null(), "step",
                     number ? json_real(param->step) : json_null(), "choices",
                     choice ? choices_of(param) : json_null());
}

static json_t *params_json(ParamTable table) {
    json_t *list = json_array();
    for (size_t i = 0; i < table.count; i++)
        json_array_append_new(list, param_json(&table.params[i]));
    return list;
}

/* ---- tables ---- */

static Status filters_json(json_t *list) {
    char example[512];
    for (size_t i = 0; i < filter_count; i++) {
        const Filter *filter = filters[i];
        filter_format_example(filter, example, sizeof example);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", filter->name, "category",
                                              filter_categories[filter->category], "help", filter->help, "definition",
                                              filter->definition, "example", example, "parameters",
                                              params_json(filter->table)));
    }
    return STATUS_OK;
}

static Status presets_json(json_t *list) {
    Presets *presets;
    TRY(presets_load(&presets));
    for (size_t i = 0; i < presets->count; i++) {
        const Preset *preset = &presets->list[i];
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o, s:b}", "name", json_text(preset->name), "chain",
                                        json_text(preset->chain), "help", json_text(preset->help), "own", preset->own));
    }
    presets_destroy(&presets);
    return STATUS_OK;
}

static Status levels_json(json_t *list) {
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t o = 0; o < op_count; o++) {
            const Level *level;
            for (size_t i = 0; (level = ladder_level(backend_at(b), ops[o], i)); i++)
                json_array_append_new(list,
                                      json_pack("{s:s, s:s, s:s, s:s}", "backend", backend_at(b)->name, "operation",
                                                ops[o]->name, "name", level->name, "idea", level->idea));
        }
    return STATUS_OK;
}

static json_t *row(const char *name, const char *help) {
    return json_pack("{s:s, s:s}", "name", name, "help", help);
}

static Status borders_json(json_t *list) {
    for (int i = 0; i < border_count; i++) {
        json_t *border = row(borders[i].name, borders[i].help);
        json_object_set_new(border, "alias", json_text(borders[i].alias));
        json_object_set_new(border, "takes_value", json_boolean(borders[i].takes_value));
        json_array_append_new(list, border);
    }
    return STATUS_OK;
}

/* Devices are counted, and none is opened. */
static Status backends_json(json_t *list) {
    for (size_t i = 0; i < backend_count(); i++) {
        int count = 0;
        const bool works = backend_at(i)->device_count(&count) == STATUS_OK;
        json_t *backend = row(backend_at(i)->name, backend_at(i)->help);
        json_object_set_new(backend, "devices", json_integer(works ? count : 0));
        json_object_set_new(backend, "why_not", works ? json_null() : json_text(status_message()));
        json_array_append_new(list, backend);
    }
    return STATUS_OK;
}

static json_t *shapes_json(unsigned shapes) {
    char text[128];
    format_shapes(shapes, text, sizeof text);
    return json_text(text);
}

static Status formats_json(json_t *list) {
    for (size_t i = 0; i < format_count; i++) {
        const Format *format = formats[i];
        const bool here = !format->lacks;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:o}", "name", format->name, "title",
                                              format->title, "extensions", format->extensions, "reads",
                                              shapes_json(here ? format->reads : 0), "writes",
                                              shapes_json(here ? format->writes : 0), "several", format->saves_several,
                                              "lacks", json_text(format->lacks)));
    }
    return STATUS_OK;
}

static Status scenes_json(json_t *list) {
    for (size_t i = 0; i < scene_generator_count; i++) {
        json_t *scene = row(scene_generators[i]->name, scene_generators[i]->help);
        json_object_set_new(scene, "parameters", params_json(scene_generators[i]->table));
        json_array_append_new(list, scene);
    }
    return STATUS_OK;
}

static Status cameras_json(json_t *list) {
    for (size_t i = 0; i < camera_count; i++) {
        json_t *camera = row(cameras[i].name, cameras[i].help);
        json_object_set_new(camera, "parameters", params_json(cameras[i].table));
        json_array_append_new(list, camera);
    }
    return STATUS_OK;
}

static Status looks_json(json_t *list) {
    for (int i = 0; i < LOOKS; i++)
        json_array_append_new(list, row(looks[i].name, looks[i].help));
    return STATUS_OK;
}

static Status operations_json(json_t *list) {
    for (size_t i = 0; i < op_count; i++)
        json_array_append_new(list, row(ops[i]->name, ops[i]->help));
    return STATUS_OK;
}

static const struct {
    const char *name;
    Status (*append)(json_t *list);
} topics[] = {
    {"filters", filters_json},   {"presets", presets_json},       {"levels", levels_json}, {"borders", borders_json},
    {"backends", backends_json}, {"formats", formats_json},       {"scenes", scenes_json}, {"cameras", cameras_json},
    {"looks", looks_json},       {"operations", operations_json},
};
enum { TOPICS = sizeof topics / sizeof topics[0] };

static Status no_such_topic(const char *topic) {
    char known[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < TOPICS; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                   i == 0           ? ""
                                   : i + 1 < TOPICS ? ", "
                                                    : " or ",
                                   topics[i].name);
    return fail(STATUS_USAGE, "list %s: there is no JSON of these; want %s", topic, known);
}

Status lists_json(const char *topic, json_t **record) {
    size_t i = 0;
    *record = NULL;
    while (i < TOPICS && strcmp(topics[i].name, topic) != 0)
        i++;
    if (i == TOPICS)
        return no_such_topic(topic);
    json_t *list = json_array();
    const Status status = list ? topics[i].append(list) : fail(STATUS_DEVICE, "list: no memory for %s", topic);
    *record = status == STATUS_OK ? json_pack("{s:s, s:o}", "glint", topic, topic, list) : NULL;
    if (status != STATUS_OK)
        json_decref(list);
    return status != STATUS_OK || *record ? status : fail(STATUS_DEVICE, "list: no memory for %s", topic);
}
