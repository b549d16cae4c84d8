/* save.c: results as files. */
#include "app/view/session/viewer.h"

#include "app/view/session/tool.h"

#include "core/base/ledger.h"
#include "core/codec/save.h"
#include "core/image/about.h"
#include "core/image/opaque.h"
#include "core/run/gain_map_move.h"
#include "core/run/rendering.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 999 };

/* Brings the result of the latest request to the host. */
static Status bring_result(Viewer *viewer) {
    if (!viewer->session->pipeline)
        return fail(STATUS_USAGE, "nothing is open");
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->leave)
            TRY(tool_kinds[i]->leave(viewer));
    TRY(tools_await(viewer));
    Session *session = viewer_session(viewer);
    if (session->misfit > 0)
        return fail(STATUS_USAGE, "%s", session->misfit_words);
    if (session_gathers(session))
        TRY(session_gather_enough(session));
    else if (session->stale || !session->has_result)
        TRY(session_run(session));
    return session_fetch(session);
}

/* The result with its picture's data besides pixels, as batch has them. The pixels stay the session's. */
static Status about_result(const Session *session, Image **whole) {
    const Image *picture = session_picture(session);
    TRY(image_create_about(session->result->view.shape, whole));
    (*whole)->view = session->result->view;
    Status status = picture ? image_copy_about(picture, *whole) : STATUS_OK;
    (*whole)->premultiplied = false;
    if (status == STATUS_OK && picture)
        status = gain_map_move(session->chain, picture->view.shape, request_options(session->request, session->subject),
                               *whole);
    if (status != STATUS_OK)
        image_destroy(whole);
    return status;
}

/* Pixels of its own, to be changed. */
static Status own_pixels(Image **whole) {
    Image *image;
    TRY(image_clone((*whole)->view, &image));
    image_replace(whole, image);
    return STATUS_OK;
}

/* Multiplies colours by alpha, as the picture's file has them: light where that is 0. */
static Status premultiply(Image **whole) {
    TRY(own_pixels(whole));
    view_scale_by_alpha((*whole)->view, false);
    (*whole)->premultiplied = true;
    return STATUS_OK;
}

static Status fit_channels(const Format *format, Image **whole) {
    if (!format || format_writes(format, (*whole)->view.shape))
        return STATUS_OK;
    TRY(own_pixels(whole));
    return picture_fit_channels(format, whole);
}

/* Files that are open stay as they are, whatever is to be replaced. */
static Status check_inputs(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && ledger_check(&info, "the result") != STATUS_OK
               ? fail(STATUS_USAGE, "%s: that is a file you opened; choose another name", path)
               : STATUS_OK;
}

Status viewer_save_result(Viewer *viewer, const char *path, bool overwrite) {
    Image *whole;
    TRY(check_inputs(path));
    TRY(bring_result(viewer));
    const Session *session = viewer->session;
    TRY(about_result(session, &whole));
    const OutputRules rules = {.writer = "the result", .overwrite = overwrite, .by_hand = !viewer->scripted};
    const Shape shape = whole->view.shape;
    const bool lit = session->subject->tone.premultiplied && shape.type == PIXEL_F32 && shape_has_alpha(shape);
    const SaveOptions how = {0};
    Status status = lit ? premultiply(&whole) : STATUS_OK;
    if (status == STATUS_OK)
        status = rendering_fit(format_for_path(path), &how, &whole);
    if (status == STATUS_OK)
        status = fit_channels(format_for_path(path), &whole);
    if (status == STATUS_OK)
        status = output_save_picture(path, rules, whole, how);
    image_destroy(&whole);
    if (status == STATUS_OK)
        viewer_note_saved(viewer);
    return status;
}

/* Floats between black and white as 16 bits; NaN is black. */
static Status as_u16(ImageView from, Image **image) {
    TRY(image_create(shape_with_type(from.shape, PIXEL_U16), image));
    for (size_t y = 0; y < from.shape.height; y++) {
        const float *values = view_row(from, y);
        uint16_t *to = view_row((*image)->view, y);
        for (size_t i = 0; i < from.shape.width * (size_t)from.shape.channels; i++)
            to[i] = (uint16_t)lrintf(65535 * fminf(fmaxf(values[i], 0), 1));
    }
    return STATUS_OK;
}

Status viewer_encode_result(Viewer *viewer, Bytes *png) {
    Image *whole, *converted = NULL;
    TRY(bring_result(viewer));
    TRY(about_result(viewer->session, &whole));
    image_strip(whole); /* a copy that is sent to others says nothing about places and people */
    Status status = whole->view.shape.type == PIXEL_F32 ? as_u16(whole->view, &converted) : STATUS_OK;
    if (converted)
        image_replace(&whole, converted);
    if (status == STATUS_OK)
        status = codec_encode(format_default, whole, (SaveOptions){0}, png);
    image_destroy(&whole);
    return status;
}

const char *viewer_result_format(const Viewer *viewer) {
    static const char *const exact[] = {"png", "pfm"};
    const size_t count = sizeof exact / sizeof exact[0];
    char name[16];
    for (size_t i = 0; viewer->session->pipeline && i < count; i++) {
        snprintf(name, sizeof name, "out.%s", exact[i]);
        if (codec_check(name, pipeline_result_shape(viewer->session->pipeline)) == STATUS_OK)
            return exact[i];
    }
    return exact[0]; /* saving says why not */
}

void viewer_path_beside(const Viewer *viewer, const char *name, char *path, size_t size) {
    const char *title = viewer_title(viewer), *slash = strrchr(title, '/');
    const bool file = slash && access(title, F_OK) == 0;
    snprintf(path, size, "%.*s%s", file ? (int)(slash + 1 - title) : 0, title, name);
}

Status viewer_fresh_name(const char *stem, const char *format, char *path, size_t size) {
    for (int number = 1; number <= FILES_MAX; number++) {
        snprintf(path, size, "%s-%03d.%s", stem, number, format);
        if (access(path, F_OK) != 0)
            return STATUS_OK;
    }
    return fail(STATUS_INPUT, "there are %d files named %s-*.%s already", FILES_MAX, stem, format);
}
