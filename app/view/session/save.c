/* save.c: results as files. */
#include "app/view/session/viewer.h"

#include "app/view/session/tool.h"

#include "core/codec/save.h"
#include "core/image/opaque.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { FILES_MAX = 999 };

/* Brings the result of the latest request to the host. */
static Status bring_result(Viewer *viewer) {
    if (!viewer->session->pipeline)
        return fail(STATUS_USAGE, "nothing is open");
    for (size_t i = 0; i < tool_count; i++)
        if (tool_kinds[i]->leave)
            TRY(tool_kinds[i]->leave(viewer));
    Session *session = viewer_session(viewer);
    if (session_gathers(session))
        TRY(session_gather_enough(session));
    else if (session->stale || !session->has_result)
        TRY(session_run(session));
    return session_fetch(session);
}

/* Saves the shown picture as its file has it: colours times alpha, and light where that is 0. */
static Status save_premultiplied(const char *path, OutputRules rules, Image *shown) {
    Image *image;
    TRY(image_clone(shown->view, &image));
    view_scale_by_alpha(image->view, false);
    image_pass_on(shown, image);
    image->premultiplied = true;
    const Status status = output_save_picture(path, rules, image, (SaveOptions){0});
    image->premultiplied = false;
    image_pass_on(image, shown);
    image_destroy(&image);
    return status;
}

Status viewer_save_result(Viewer *viewer, const char *path, bool overwrite) {
    TRY(bring_result(viewer));
    const OutputRules rules = {.writer = "frame", .overwrite = overwrite};
    Image *result = viewer->session->result;
    const Subject *subject = viewer->session->request.subject;
    const bool lit = subject->tone.premultiplied && result->view.shape.type == PIXEL_F32;
    return lit && shape_has_alpha(result->view.shape) ? save_premultiplied(path, rules, result)
                                                      : output_save_picture(path, rules, result, (SaveOptions){0});
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
    Image *converted = NULL;
    TRY(bring_result(viewer));
    const Image *result = viewer->session->result;
    if (result->view.shape.type == PIXEL_F32)
        TRY(as_u16(result->view, &converted));
    const Status status = codec_encode(format_by_name("png"), converted ? converted : result, (SaveOptions){0}, png);
    image_destroy(&converted);
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

Status viewer_fresh_name(const char *stem, const char *format, char *path, size_t size) {
    for (int number = 1; number <= FILES_MAX; number++) {
        snprintf(path, size, "%s-%03d.%s", stem, number, format);
        if (access(path, F_OK) != 0)
            return STATUS_OK;
    }
    return fail(STATUS_INPUT, "there are %d files named %s-*.%s already", FILES_MAX, stem, format);
}
