/* sidecar_edits.c: edits into texts and out of them. */
#include "app/view/session/sidecar_edits.h"

#include "core/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_KEPT = 320 /* bytes of a camera, or of the light */ };

#define FITTED "fitted " /* before a camera that follows the window's size */

/* ---- scenes ---- */

/* The scene with an edit's changes; as it was opened where the edit has none. */
static Status scene_with(const char *opened, const char *changes, char text[SCENE_TEXT_MAX]) {
    const SceneGenerator *generator = scene_text_generator(opened);
    const size_t base = generator ? 0 : scene_text_base(opened);
    if (generator && changes && scene_text_generator(changes) != generator)
        return fail(STATUS_INPUT, "changes \"%.60s\", want those of %s", changes, generator->name);
    const int length = changes ? snprintf(text, SCENE_TEXT_MAX, "%.*s%s%s", (int)base, opened,
                                          base > 0 && changes[0] ? "," : "", changes)
                               : snprintf(text, SCENE_TEXT_MAX, "%s", opened);
    return length < SCENE_TEXT_MAX ? STATUS_OK
                                   : fail(STATUS_INPUT, "want changes of less than %d bytes", SCENE_TEXT_MAX);
}

Status sidecar_edits_scene(const char *opened, const Sidecar *sidecar, char text[SCENE_TEXT_MAX]) {
    return scene_with(opened, sidecar->edits[sidecar->shown].scene.changes, text);
}

static Status take_camera(EditsOf of, const char *text, OrbitCamera *camera) {
    const size_t length = strlen(FITTED);
    const bool fitted = strncmp(text, FITTED, length) == 0;
    TRY(orbit_camera_parse(text + (fitted ? length : 0), camera));
    if (fitted)
        orbit_camera_fit(camera, of.scene, of.area, of.width, of.height);
    return STATUS_OK;
}

static Status take_scene(EditsOf of, SceneEdit from, Request *values) {
    const char *at;
    TRY(scene_with(of.opened, from.changes, values->scene));
    snprintf(values->opened, sizeof values->opened, "%s", of.opened);
    if (from.camera)
        TRY(take_camera(of, from.camera, &values->orbit_camera));
    if (from.look)
        TRY(request_take_look(values, from.look));
    values->style = figure_style_default();
    if (from.figure && from.figure[0])
        TRY(params_parse(figure_style_table, "figure", from.figure, from.figure + strlen(from.figure), &values->style,
                         &at));
    values->gathering = from.light ? gathering_default() : values->gathering;
    if (from.light && from.light[0])
        TRY(params_parse(gathering_table, "light", from.light, from.light + strlen(from.light), &values->gathering,
                         &at));
    return STATUS_OK;
}

/* The texts of a scene's edit, as long as it is written. */
typedef struct SceneTexts {
    char camera[TEXT_KEPT], light[TEXT_KEPT], figure[TEXT_KEPT];
} SceneTexts;

static SceneEdit scene_edit(const Request *request, SceneTexts *texts) {
    const bool generated = scene_text_generator(request->opened) != NULL;
    const size_t base = generated ? 0 : scene_text_base(request->scene);
    const char *changes = request->scene + base;
    OrbitCamera camera = request->orbit_camera;
    const size_t prefix = camera.fitted ? strlen(FITTED) : 0;
    memcpy(texts->camera, FITTED, sizeof FITTED);
    camera.fitted = false;
    (void)orbit_camera_format(&camera, texts->camera + prefix, sizeof texts->camera - prefix);
    (void)params_format(gathering_table, &request->gathering, texts->light, sizeof texts->light);
    (void)params_format(figure_style_table, &request->style, texts->figure, sizeof texts->figure);
    return (SceneEdit){.changes = changes + (changes[0] == ','),
                       .camera = texts->camera,
                       .look = request_look(request),
                       .light = texts->light,
                       .figure = texts->figure[0] ? texts->figure : NULL};
}

static bool camera_same(const OrbitCamera *a, const OrbitCamera *b) {
    return (a->fitted && b->fitted) || !orbit_camera_moved(a, b);
}

static bool scene_same(const Request *a, const Request *b) {
    return strcmp(a->scene, b->scene) == 0 && a->look == b->look && a->figure == b->figure &&
           figure_style_same(&a->style, &b->style) && camera_same(&a->orbit_camera, &b->orbit_camera) &&
           params_same(gathering_table, &a->gathering, &b->gathering);
}

/* ---- reading ---- */

static Status take_edit(EditsOf of, const Request *as, const SidecarEdit *from, Edit *edit) {
    Request values = *as;
    if (of.scene)
        TRY(take_scene(of, from->scene, &values));
    TRY(chain_parse(from->chain, &values.chain));
    values.options.border = from->border;
    const Status status = request_make(&values, &edit->request);
    chain_destroy(&values.chain);
    text_escape(from->words, TEXT_PRINTABLE, edit->words, sizeof edit->words);
    return status;
}

Status sidecar_edits_take(EditsOf of, Request as, const Sidecar *sidecar, Edits *edits) {
    Status status = STATUS_OK;
    as.set_aside = 0;
    as.options.linear = sidecar->linear;
    as.options.alpha = sidecar->alpha;
    *edits = (Edits){.list = calloc(sidecar->count, sizeof *edits->list), .at = sidecar->shown};
    if (!edits->list)
        return fail(STATUS_DEVICE, "no memory for edits");
    while (edits->count < sidecar->count && status == STATUS_OK) {
        status = take_edit(of, &as, &sidecar->edits[edits->count], &edits->list[edits->count]);
        edits->count += status == STATUS_OK;
    }
    if (status != STATUS_OK)
        edits_free(edits);
    return status;
}

Status sidecar_edits_take_shown(Request as, const Sidecar *sidecar, const Request **request) {
    Sidecar shown = *sidecar;
    Edits edits;
    shown.edits += shown.shown;
    shown.count = 1;
    shown.shown = 0;
    TRY(sidecar_edits_take((EditsOf){0}, as, &shown, &edits));
    *request = request_retain(edits.list[0].request);
    edits_free(&edits);
    return STATUS_OK;
}

/* ---- writing ---- */

bool sidecar_border_same(Border a, Border b) {
    return a.mode == b.mode && !(a.value < b.value) && !(a.value > b.value);
}

/* Whether a sidecar holds the same of both: levels and devices are not the picture's. */
static bool looks_same(const SidecarFile *held, const Request *a, const Request *b) {
    return chain_same(a->chain, b->chain) && sidecar_border_same(a->options.border, b->options.border) &&
           (!held->of_scene || scene_same(a, b));
}

/* The last edits, of which each changes the picture. */
static size_t choose_edits(const SidecarFile *held, const Edits *edits, const Edit *chosen[EDITS_KEPT], size_t *shown) {
    size_t count = 0, from = edits->count > EDITS_KEPT ? edits->count - EDITS_KEPT : 0;
    from = from < edits->at ? from : edits->at;
    for (size_t i = from; i < edits->count && count < EDITS_KEPT; i++) {
        const Edit *edit = &edits->list[i];
        if (count == 0 || !looks_same(held, edit->request, chosen[count - 1]->request))
            chosen[count++] = edit;
        *shown = i <= edits->at ? count - 1 : *shown;
    }
    return count;
}

/* The text of these edits with all that the sidecar has besides; NULL without memory. */
static char *format_chosen(const SidecarFile *held, const Edit *const chosen[], size_t count, size_t shown) {
    SidecarEdit edits[EDITS_KEPT];
    SceneTexts *texts = calloc(count + 1, sizeof *texts);
    const char *name = sidecar_picture_name(held->picture);
    Sidecar sidecar = {.picture = name, .scene = held->of_scene ? name : NULL, .rating = held->rating, .edits = edits};
    char *text = NULL;
    size_t made = 0;
    for (; made < count && texts; made++) {
        const Request *request = chosen[made]->request;
        edits[made] = (SidecarEdit){chosen[made]->words, chain_whole_text(request->chain), request->options.border,
                                    held->of_scene ? scene_edit(request, &texts[made]) : (SceneEdit){0}};
        if (!edits[made].chain)
            break;
    }
    if (count > 0) {
        sidecar.linear = chosen[shown]->request->options.linear;
        sidecar.alpha = chosen[shown]->request->options.alpha;
        sidecar.count = count;
        sidecar.shown = shown;
    }
    if (held->read) {
        sidecar.other_count = held->read->other_count;
        sidecar.others = held->read->others;
    }
    if (made == count)
        text = sidecar_format(&sidecar);
    while (made > 0)
        free((char *)(uintptr_t)edits[--made].chain);
    free(texts);
    return text;
}

char *sidecar_edits_format(const SidecarFile *held, const Edits *edits, bool *edited) {
    const Edit *chosen[EDITS_KEPT];
    size_t shown = 0;
    const size_t count = choose_edits(held, edits, chosen, &shown);
    *edited = count > 1 || (count == 1 && held->edited);
    return *edited || held->text || held->rating != 0 ? format_chosen(held, chosen, *edited ? count : 0, shown) : NULL;
}
