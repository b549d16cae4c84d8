/* command_line.c: words as a shell reads them. */
#include "app/view/window/command_line.h"
#include "app/view/session/figure_view.h"
#include "core/plan/precision.h"
#include "core/scene/look.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that grows in a buffer of fixed size, cut off where that ends. */
typedef struct Text {
    char *buffer;
    size_t size, length;
} Text;

__attribute__((format(printf, 2, 3))) static void append(Text *text, const char *format, ...) {
    const size_t capacity = text->length < text->size ? text->size - text->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(capacity ? text->buffer + text->length : NULL, capacity, format, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
}

/* One word of a shell's command line; a file's name that looks like an option gets a folder. */
static void append_word(Text *text, const char *word) {
    bool plain = word[0] != '\0';
    for (const char *at = word; *at; at++)
        plain &= isalnum((unsigned char)*at) || strchr("_-./=:,+@%", *at);
    append(text, "%s%s", plain ? " " : " '", word[0] == '-' ? "./" : "");
    for (const char *at = word; *at; at++)
        append(text, *at == '\'' ? "'\\''" : "%c", *at);
    append(text, plain ? "" : "'");
}

static void append_style(Text *text, const Viewer *viewer) {
    char options[200];
    const FigureStyle style = figure_view_style(viewer->subject, viewer->request->style);
    figure_style_options(&style, options, sizeof options);
    append(text, "%s", options);
}

void command_line_format(const Viewer *viewer, char *buffer, size_t size) {
    Text text = {buffer, size, 0};
    char chain[PATH_CAPACITY], border[64], raw[64];
    const PlanOptions *options = &viewer->request->options;
    const bool traces = viewer_scene(viewer), chained = !traces || viewer->request->chain->count > 0;
    chain_format(viewer->request->chain, chain, sizeof chain);
    append(&text, "glint %s", viewer_kind(viewer)->command);
    if (!traces)
        append_word(&text, chain);
    append_word(&text, viewer_title(viewer));
    if (traces && chained) {
        append(&text, " --filter");
        append_word(&text, chain);
    }
    append(&text, " -o out.%s --backend %s --level %s", viewer_result_format(viewer),
           viewer->session->device->backend->name, viewer->request->level);
    if (!viewer->session->device->backend->host_frames && viewer->request->device > 0)
        append(&text, " --device %d", viewer->request->device);
    if (traces) {
        char camera[640];
        orbit_camera_option(&viewer->request->orbit_camera, camera, sizeof camera);
        append(&text, " --size %dx%d --camera %s --look %s", viewer->width, viewer->height, camera,
               request_look(viewer->request));
        if (viewer->request->figure)
            append_style(&text, viewer);
        const Gathering *gathering = &viewer->request->gathering, standard = gathering_default();
        if (viewer_gathers(viewer) && gathering->depth > 0)
            append(&text, " --depth %.0f", gathering->depth);
        if (viewer_gathers(viewer) && (uint32_t)gathering->seed != (uint32_t)standard.seed)
            append(&text, " --seed %.0f", gathering->seed);
        if (viewer_gathers(viewer))
            append(&text, "%s --samples %u --exposure %.9g", viewer_denoises(viewer) ? " --denoise" : "",
                   viewer->session->progressive.done > 0 ? viewer->session->progressive.done : 1,
                   exp2(viewer_exposure(viewer)));
    }
    if (!traces && viewer->subject && viewer->subject->develops && raw_way_spell(viewer->raw, raw, sizeof raw) > 0)
        append(&text, " --raw %s", raw);
    if (chained)
        append(&text, " --border %s%s%s%s%s", border_format(options->border, border, sizeof border),
               options->alpha == ALPHA_IGNORE ? " --alpha ignore" : "", options->linear ? " --linear" : "",
               options->precision == PRECISION_AUTO ? "" : " --precision ",
               options->precision == PRECISION_AUTO ? "" : precision_name(options->precision));
}
