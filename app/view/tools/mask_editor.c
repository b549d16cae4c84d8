/* mask_editor.c: from the chain's text to a mask, and back. */
#include "app/view/tools/mask_editor.h"

#include "app/view/session/mask_response.h"
#include "app/view/session/viewer.h"
#include "core/image/colour_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct MaskEditor {
    MaskBrush brush;
    MaskCell last; /* of the stroke that is going on */
    char *source;  /* the texts that `mask` was made of */
    Mask *mask;    /* with the filter's scale as its divisor; NULL: none */
    char trouble[256];
} MaskEditor;

static MaskEditor *editor_of(const Viewer *viewer) {
    return tool_of(viewer, &mask_editor_tool);
}

static void forget_mask(MaskEditor *editor) {
    free(editor->source);
    mask_destroy(&editor->mask);
    editor->source = NULL;
}

/* ---- the mask ---- */

/* The filter's other parameters: of a file in the place of the text, and of a factor. */
static const Param *file_param(ParamTable table) {
    return param_by_name(table, "file");
}
static const Param *scale_param(ParamTable table) {
    return param_by_name(table, "scale");
}

static ParamTable selected_table(const Viewer *viewer) {
    const Chain *chain = viewer->request->chain;
    return chain->links[viewer_selected(viewer)].filter->table;
}

/* The parameters that a mask follows from. */
typedef struct Source {
    const char *text, *file; /* or NULL */
    double scale;
} Source;

static Source source_of(const ChainLink *link, const Param *param) {
    const ParamTable table = link->filter->table;
    const Param *file = file_param(table), *scale = scale_param(table);
    return (Source){param_text(param, link->values), file ? param_text(file, link->values) : NULL,
                    scale ? param_number(scale, link->values) : 1};
}

/* As one text. */
static char *format_source(Source source) {
    const char *format = "%s\n%s\n%.17g", *text = source.text ? source.text : "",
               *file = source.file ? source.file : "";
    const int length = snprintf(NULL, 0, format, text, file, source.scale);
    char *formatted = malloc((size_t)length + 1);
    if (formatted)
        snprintf(formatted, (size_t)length + 1, format, text, file, source.scale);
    return formatted;
}

static Status make_mask(Source source, Mask **mask) {
    *mask = NULL;
    if (!source.text && !source.file)
        return fail(STATUS_USAGE, "there is no mask yet: a preset is one");
    TRY(source.text ? mask_parse(source.text, mask) : mask_load(source.file, mask));
    if (source.scale != 0)
        (*mask)->divisor = (float)(1 / source.scale);
    return STATUS_OK;
}

bool mask_editor_follow(Viewer *viewer) {
    MaskEditor *editor = editor_of(viewer);
    size_t link;
    const Param *param = viewer_selected_param(viewer, PARAM_MASK, &link);
    if (!param) {
        forget_mask(editor);
        return false;
    }
    const Source source = source_of(&viewer->request->chain->links[link], param);
    char *formatted = format_source(source);
    if (formatted && editor->source && strcmp(formatted, editor->source) == 0) {
        free(formatted);
        return true;
    }
    free(editor->source);
    editor->source = formatted;
    mask_destroy(&editor->mask);
    editor->trouble[0] = '\0';
    if (make_mask(source, &editor->mask) != STATUS_OK)
        snprintf(editor->trouble, sizeof editor->trouble, "%s", status_message());
    return true;
}

const Mask *mask_editor_mask(const Viewer *viewer) {
    return editor_of(viewer)->mask;
}

const char *mask_editor_trouble(const Viewer *viewer) {
    return editor_of(viewer)->trouble;
}

MaskCell mask_editor_last(const Viewer *viewer) {
    return editor_of(viewer)->last;
}

MaskBrush mask_editor_brush(const Viewer *viewer) {
    return editor_of(viewer)->brush;
}

void mask_editor_choose(Viewer *viewer, MaskBrush brush) {
    editor_of(viewer)->brush = brush;
}

/* ---- its response ---- */

static void wish(const Viewer *viewer, Wishes *wishes) {
    wishes->response = viewer->editing;
}

/* The selected filter of the session's chain, and its mask's parameter; NULL if it has none. */
static const Param *carried_out(const Session *session, size_t *link) {
    const Chain *chain = session->chain;
    const size_t selected = session->wishes.selected;
    if (!session->subject || chain->count == 0)
        return NULL;
    *link = selected < chain->count ? selected : chain->count - 1;
    return chain->links[*link].off ? NULL : param_by_unit(chain->links[*link].filter->table, PARAM_MASK);
}

/* Whether the response is of another mask, and is to be seen. */
static bool due(const Session *session) {
    const Response *response = &session->response;
    size_t link;
    return session->wishes.response && carried_out(session, &link) &&
           !(response->known && response->job == session->job_serial && response->link == link);
}

static void paint_response(const Response *response, const double *magnitude) {
    const double most = fmax(response->largest, 1e-12);
    for (size_t i = 0; i < (size_t)RESPONSE_SIDE * RESPONSE_SIDE; i++) {
        double rgb[3];
        false_colour(magnitude[i] / most, rgb);
        for (int c = 0; c < 3; c++)
            view_set_value(response->picture->view, i % RESPONSE_SIDE, i / RESPONSE_SIDE, c, 255 * rgb[c]);
    }
}

static void take_response(Response *response, const double *magnitude) {
    enum { MIDDLE = RESPONSE_SIDE / 2 };
    response->largest = 0;
    for (int i = 0; i < RESPONSE_SIDE * RESPONSE_SIDE; i++)
        response->largest = fmax(response->largest, magnitude[i]);
    response->at_rest = magnitude[MIDDLE * RESPONSE_SIDE + MIDDLE];
    response->half_x = magnitude[MIDDLE * RESPONSE_SIDE];
    response->half_y = magnitude[MIDDLE];
    paint_response(response, magnitude);
    response->serial++;
}

static Status make_response(Source source, Response *response) {
    double magnitude[RESPONSE_SIDE * RESPONSE_SIDE];
    Mask *mask;
    TRY(make_mask(source, &mask));
    Status status = mask_response(mask, RESPONSE_SIDE, magnitude);
    mask_destroy(&mask);
    image_destroy(&response->picture); /* others may look at it */
    if (status == STATUS_OK)
        status = image_create((Shape){RESPONSE_SIDE, RESPONSE_SIDE, 3, PIXEL_U8}, &response->picture);
    if (status == STATUS_OK)
        take_response(response, magnitude);
    return status;
}

static Status measure(Session *session) {
    Response *response = &session->response;
    size_t link = 0;
    const Param *param = carried_out(session, &link);
    if (make_response(source_of(&session->chain->links[link], param), response) != STATUS_OK)
        response_free(response); /* the editor says why there is no mask */
    response->known = true;
    response->job = session->job_serial;
    response->link = link;
    return STATUS_OK;
}

static void begin(void *tool) {
    ((MaskEditor *)tool)->brush.weight = 1;
}

static void end(void *tool) {
    forget_mask(tool);
}

const ToolKind mask_editor_tool = {.begin = begin,
                                   .end = end,
                                   .size = sizeof(MaskEditor),
                                   .name = "mask editor",
                                   .wish = wish,
                                   .due = due,
                                   .soon = due,
                                   .measure = measure};

/* ---- changes ---- */

/* A copy of the mask, which may be changed. */
static Status copy_mask(Viewer *viewer, Mask **mask) {
    if (!mask_editor_follow(viewer))
        return fail(STATUS_USAGE, "the selected filter has no mask: add convolve");
    if (!editor_of(viewer)->mask)
        return fail(STATUS_USAGE, "%s", editor_of(viewer)->trouble);
    return mask_clone(editor_of(viewer)->mask, mask);
}

/* Puts the mask, which is taken over, into the chain; with another scale if that is not 0. */
static Status put_mask(Viewer *viewer, Mask *mask, double scale) {
    size_t link;
    const Param *param = viewer_selected_param(viewer, PARAM_MASK, &link);
    const ParamTable table = selected_table(viewer);
    const Param *file = file_param(table), *factor = scale_param(table);
    ParamChange changes[3];
    size_t count = 0;
    const size_t size = mask_format(mask, NULL, 0) + 1;
    char *text = malloc(size);
    if (text)
        mask_format(mask, text, size);
    mask_destroy(&mask);
    if (!text)
        return fail(STATUS_DEVICE, "no memory for the text of a mask");
    changes[count++] = (ParamChange){.param = param, .text = text};
    if (file)
        changes[count++] = (ParamChange){.param = file};
    if (factor && scale != 0)
        changes[count++] = (ParamChange){.param = factor, .number = scale};
    const Status status = viewer_set_params(viewer, link, changes, count);
    free(text);
    return status;
}

Status mask_editor_paint(Viewer *viewer, int x, int y, double weight, bool begins) {
    MaskEditor *editor = editor_of(viewer);
    const MaskCell to = {x, y, 1}, from = begins ? to : editor->last;
    Mask *mask;
    TRY(copy_mask(viewer, &mask));
    mask_stroke(mask, editor->brush.symmetry, editor->brush.opposite, from, to, weight);
    editor->last = to;
    return put_mask(viewer, mask, 0);
}

Status mask_editor_grow(Viewer *viewer, int cells) {
    Mask *mask, *resized;
    TRY(copy_mask(viewer, &mask));
    const int width = mask->width + cells, height = mask->height + cells;
    const int most = width > height ? width : height, least = width < height ? width : height;
    Status status = STATUS_OK;
    if (least < 1 || (cells > 0 && most > MASK_PAINTED_MAX))
        status = fail(STATUS_USAGE, "masks that are painted have 1 to %d cells a side; larger ones come from files",
                      MASK_PAINTED_MAX);
    if (status == STATUS_OK)
        status = mask_resize(mask, width, height, &resized);
    mask_destroy(&mask);
    return status == STATUS_OK ? put_mask(viewer, resized, 0) : status;
}

Status mask_editor_change(Viewer *viewer, void (*change)(Mask *mask)) {
    Mask *mask;
    TRY(copy_mask(viewer, &mask));
    change(mask);
    return put_mask(viewer, mask, 0);
}

Status mask_editor_preset(Viewer *viewer, const MaskPreset *preset) {
    Mask *mask;
    if (!mask_editor_follow(viewer))
        return fail(STATUS_USAGE, "the selected filter has no mask: add convolve");
    const Mask *now = editor_of(viewer)->mask;
    const int side = !now ? 3 : now->width > now->height ? now->width : now->height;
    TRY(mask_preset_make(preset, side < MASK_PAINTED_MAX ? side : MASK_PAINTED_MAX, &mask));
    const double scale = mask_normalizer(mask);
    return put_mask(viewer, mask, scale);
}

Status mask_editor_normalize(Viewer *viewer) {
    Mask *mask;
    TRY(copy_mask(viewer, &mask));
    const double scale = mask_normalizer(mask);
    if (scale != 0)
        return put_mask(viewer, mask, scale);
    mask_destroy(&mask);
    return fail(STATUS_USAGE, "all weights are 0: no factor makes their sum 1");
}
