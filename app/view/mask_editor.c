/* mask_editor.c: from the chain's text to a mask, and back. */
#include "app/view/mask_editor.h"

#include "app/view/mask_response.h"
#include "app/view/viewer.h"
#include "core/colour_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mask_editor_free(MaskEditor *editor) {
    free(editor->source);
    mask_destroy(&editor->mask);
    image_destroy(&editor->response);
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
    const Chain *chain = viewer->request.chain;
    return chain->links[viewer_selected(viewer)].filter->table;
}

/* All that the mask follows from, as one text. */
static char *make_source(const char *text, const char *file, double scale) {
    const char *format = "%s\n%s\n%.17g";
    const int length = snprintf(NULL, 0, format, text ? text : "", file ? file : "", scale);
    char *source = malloc((size_t)length + 1);
    if (source)
        snprintf(source, (size_t)length + 1, format, text ? text : "", file ? file : "", scale);
    return source;
}

static void read_mask(MaskEditor *editor, const char *text, const char *file, double scale) {
    Status status = fail(STATUS_USAGE, "there is no mask yet: a preset is one");
    mask_destroy(&editor->mask);
    editor->serial++;
    editor->trouble[0] = '\0';
    if (text)
        status = mask_parse(text, &editor->mask);
    else if (file)
        status = mask_load(file, &editor->mask);
    if (status != STATUS_OK)
        snprintf(editor->trouble, sizeof editor->trouble, "%s", status_message());
    else if (scale != 0)
        editor->mask->divisor = (float)(1 / scale);
}

bool mask_editor_follow(Viewer *viewer) {
    MaskEditor *editor = &viewer->mask_editor;
    size_t link;
    const Param *param = viewer_selected_param(viewer, PARAM_MASK, &link);
    if (!param) {
        mask_editor_free(editor);
        return false;
    }
    const ParamTable table = selected_table(viewer);
    const void *values = viewer->request.chain->links[link].values;
    const Param *file = file_param(table), *scale = scale_param(table);
    const char *text = param_text(param, values), *path = file ? param_text(file, values) : NULL;
    const double factor = scale ? param_number(scale, values) : 1;
    char *source = make_source(text, path, factor);
    if (source && editor->source && strcmp(source, editor->source) == 0) {
        free(source);
        return true;
    }
    free(editor->source);
    editor->source = source;
    read_mask(editor, text, path, factor);
    return true;
}

/* ---- its response ---- */

static void paint_response(MaskEditor *editor, const double *magnitude) {
    const double most = fmax(editor->largest, 1e-12);
    for (size_t i = 0; i < (size_t)RESPONSE_SIDE * RESPONSE_SIDE; i++) {
        double rgb[3];
        false_colour(magnitude[i] / most, rgb);
        for (int c = 0; c < 3; c++)
            view_set_value(editor->response->view, i % RESPONSE_SIDE, i / RESPONSE_SIDE, c, 255 * rgb[c]);
    }
}

Status mask_editor_respond(Viewer *viewer) {
    enum { MIDDLE = RESPONSE_SIDE / 2 };
    MaskEditor *editor = &viewer->mask_editor;
    if (!editor->mask || (editor->response && editor->response_of == editor->serial))
        return STATUS_OK;
    if (!editor->response)
        TRY(image_create((Shape){.width = RESPONSE_SIDE, .height = RESPONSE_SIDE, .channels = 3, .type = PIXEL_U8},
                         &editor->response));
    double *magnitude = malloc(sizeof(double) * RESPONSE_SIDE * RESPONSE_SIDE);
    Status status = magnitude ? mask_response(editor->mask, RESPONSE_SIDE, magnitude)
                              : fail(STATUS_DEVICE, "no memory for the response of a mask");
    if (status == STATUS_OK) {
        editor->largest = 0;
        for (int i = 0; i < RESPONSE_SIDE * RESPONSE_SIDE; i++)
            editor->largest = fmax(editor->largest, magnitude[i]);
        editor->at_rest = magnitude[MIDDLE * RESPONSE_SIDE + MIDDLE];
        editor->half_x = magnitude[MIDDLE * RESPONSE_SIDE];
        editor->half_y = magnitude[MIDDLE];
        paint_response(editor, magnitude);
        editor->response_of = editor->serial;
    }
    free(magnitude);
    return status;
}

/* ---- changes ---- */

/* A copy of the mask, which may be changed. */
static Status copy_mask(Viewer *viewer, Mask **mask) {
    if (!mask_editor_follow(viewer))
        return fail(STATUS_USAGE, "the selected filter has no mask: add convolve");
    if (!viewer->mask_editor.mask)
        return fail(STATUS_USAGE, "%s", viewer->mask_editor.trouble);
    return mask_clone(viewer->mask_editor.mask, mask);
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
    MaskEditor *editor = &viewer->mask_editor;
    const MaskCell to = {x, y, 1}, from = begins ? to : editor->last;
    Mask *mask;
    TRY(copy_mask(viewer, &mask));
    mask_stroke(mask, editor->symmetry, editor->opposite, from, to, weight);
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
    const Mask *now = viewer->mask_editor.mask;
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
