/* states.c: states as text; the table is at the bottom. */
#include "app/view/actions/states.h"
#include "app/view/tools/every_tool.h"

#include "core/base/text.h"
#include "core/scene/look.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT = 32 };

/* The shortest spelling that is read as this number again. */
static const char *exact(double number, char text[NUMBER_TEXT]) {
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, number);
        const double again = strtod(text, NULL);
        if (!(again < number || again > number))
            break;
    }
    return text;
}

/* All that the text has, which is no more than numbers with blanks between. */
static bool numbers(const char *text, double *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        text += strspn(text, " \t");
        if (!text_number(text, &text, &list[i]) || !(*text == '\0' || strchr(" \t", *text)))
            return false;
    }
    return text[strspn(text, " \t")] == '\0';
}

static bool whole(const double *list, size_t count) {
    bool all = true;
    for (size_t i = 0; i < count; i++)
        all &= list[i] >= 0 && list[i] < 1e9 && !(floor(list[i]) < list[i]);
    return all;
}

/* ---- states that actions and other commands set ---- */

static size_t format_size(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%dx%d", viewer->width, viewer->height);
}

static size_t format_scene(const Viewer *viewer, char *buffer, size_t size) {
    return viewer_scene(viewer) ? (size_t)snprintf(buffer, size, "%s", viewer_title(viewer)) : STATE_NONE;
}

static size_t format_gathering(const Viewer *viewer, char *buffer, size_t size) {
    const Gathering *g = &viewer->request->gathering;
    return viewer_scene(viewer) ? (size_t)snprintf(buffer, size, "samples=%.0f:depth=%.0f:seed=%.0f:noise=%.9g",
                                                   g->samples, g->depth, g->seed, g->noise)
                                : STATE_NONE;
}

static size_t format_style(const Viewer *viewer, char *buffer, size_t size) {
    const FigureStyle *s = &viewer->request->style;
    size_t length;
    const char *background = param_choice(&figure_style_table.params[0], (size_t)s->background, &length);
    return viewer_scene(viewer)
               ? (size_t)snprintf(
                     buffer, size,
                     "background=%.*s:outline=%.9g:crease=%.9g:cue=%.9g:shadow=%.0f:box=%.0f:axes=%.0f:bar=%.0f",
                     (int)length, background, s->outline, s->crease, s->cue, s->shadow, s->box, s->axes, s->bar)
               : STATE_NONE;
}

static size_t format_tone(const Viewer *viewer, char *buffer, size_t size) {
    const Tone tone = viewer_tone(viewer);
    return (size_t)snprintf(buffer, size, "exposure=%.9g:gamma=%.9g", tone.exposure, tone.gamma);
}

static size_t format_level(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s", viewer->request->level);
}

static size_t format_chain(const Viewer *viewer, char *buffer, size_t size) {
    return chain_format(viewer->request->chain, buffer, size);
}

static size_t format_border(const Viewer *viewer, char *buffer, size_t size) {
    char text[64];
    return (size_t)snprintf(buffer, size, "%s", border_format(viewer->request->options.border, text, sizeof text));
}

static size_t format_backend(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s", viewer->session->device->backend->name);
}

static size_t format_device(const Viewer *viewer, char *buffer, size_t size) {
    return viewer->session->device->backend->host_frames
               ? STATE_NONE
               : (size_t)snprintf(buffer, size, "%d", viewer->request->device);
}

static size_t format_look(const Viewer *viewer, char *buffer, size_t size) {
    return viewer_scene(viewer) ? (size_t)snprintf(buffer, size, "%s", request_look(viewer->request)) : STATE_NONE;
}

static size_t format_route(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s", viewer->present->wanted);
}

/* ---- the selected filter ---- */

static size_t format_selected(const Viewer *viewer, char *buffer, size_t size) {
    return viewer->request->chain->count > 1 ? (size_t)snprintf(buffer, size, "%zu", viewer_selected(viewer) + 1)
                                             : STATE_NONE;
}

static Status select_filter(Viewer *viewer, const char *text) {
    const size_t count = viewer->request->chain->count;
    double number;
    if (count == 0)
        return fail(STATUS_USAGE, "there is no filter to select: pick one");
    if (!numbers(text, &number, 1) || !whole(&number, 1) || number < 1 || number > (double)count)
        return fail(STATUS_USAGE, "select \"%s\", want a filter of the chain, from 1 to %zu", text, count);
    viewer->selected = (size_t)number - 1;
    return STATUS_OK;
}

/* ---- where it lies ---- */

static size_t format_view(const Viewer *viewer, char *buffer, size_t size) {
    const Viewport at = viewer_viewport(viewer);
    char x[NUMBER_TEXT], y[NUMBER_TEXT], scale[NUMBER_TEXT];
    if (!viewer_picture(viewer))
        return STATE_NONE;
    return (size_t)(at.fitted
                        ? snprintf(buffer, size, "fit")
                        : snprintf(buffer, size, "%s %s %s", exact(at.x, x), exact(at.y, y), exact(at.scale, scale)));
}

static Status set_view(Viewer *viewer, const char *text) {
    double at[3];
    if (!viewer_picture(viewer))
        return fail(STATUS_USAGE, "view is for pictures; look-from is for scenes");
    if (strcmp(text, "fit") == 0) {
        viewer_fit(viewer);
        return STATUS_OK;
    }
    if (!numbers(text, at, 3) || at[2] < VIEWPORT_SCALE_MIN || at[2] > VIEWPORT_SCALE_MAX)
        return fail(STATUS_USAGE, "view \"%s\", want fit, or X Y SCALE with a scale from %g to %g", text,
                    VIEWPORT_SCALE_MIN, VIEWPORT_SCALE_MAX);
    const Shape shown = viewer_shown_shape(viewer);
    viewer->viewport = (Viewport){.x = at[0], .y = at[1], .scale = at[2], .width = shown.width, .height = shown.height};
    return STATUS_OK;
}

static size_t format_camera(const Viewer *viewer, char *buffer, size_t size) {
    return viewer_scene(viewer) ? orbit_camera_format(&viewer->request->orbit_camera, buffer, size) : STATE_NONE;
}

static Status set_camera(Viewer *viewer, const char *text) {
    Request next = viewer_request(viewer);
    if (!viewer_scene(viewer))
        return fail(STATUS_USAGE, "look-from is for scenes; view is for pictures");
    if (strcmp(text, "fit") == 0) {
        viewer_fit(viewer);
        return STATUS_OK;
    }
    TRY(orbit_camera_parse(text, &next.orbit_camera));
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

static size_t format_split(const Viewer *viewer, char *buffer, size_t size) {
    char share[NUMBER_TEXT];
    return (size_t)snprintf(buffer, size, "%s", exact(viewer->split, share));
}

static Status set_split(Viewer *viewer, const char *text) {
    double share;
    if (!numbers(text, &share, 1) || share < 0 || share > 1)
        return fail(STATUS_USAGE, "split-at \"%s\", want a share of the window's width, from 0 to 1", text);
    viewer->split = share;
    return STATUS_OK;
}

/* ---- the inspector, the histogram, the mark ---- */

static size_t format_part(const Viewer *viewer, char *buffer, size_t size) {
    const Marked part = histogram_choices(viewer)->part;
    return (size_t)(part.width == 0
                        ? snprintf(buffer, size, "all")
                        : snprintf(buffer, size, "%zu %zu %zu %zu", part.x, part.y, part.width, part.height));
}

static Status set_part(Viewer *viewer, const char *text) {
    double at[4];
    const bool all = strcmp(text, "all") == 0;
    if (!all && (!numbers(text, at, 4) || !whole(at, 4) || at[2] < 1 || at[3] < 1))
        return fail(STATUS_USAGE, "part \"%s\", want all, or X Y WIDTH HEIGHT in pixels of the picture", text);
    HistogramChoices choices = *histogram_choices(viewer);
    choices.part = all ? (Marked){0} : (Marked){(size_t)at[0], (size_t)at[1], (size_t)at[2], (size_t)at[3]};
    choices.open |= !all;
    histogram_choose(viewer, choices);
    return STATUS_OK;
}

static size_t format_pixel(const Viewer *viewer, char *buffer, size_t size) {
    const InspectorView *inspector = inspector_view(viewer);
    return inspector->open && inspector->has_pixel ? (size_t)snprintf(buffer, size, "%zu %zu%s", inspector->x,
                                                                      inspector->y, inspector->frozen ? " frozen" : "")
                                                   : STATE_NONE;
}

static Status set_pixel(Viewer *viewer, const char *text) {
    const Shape shown = viewer_shown_shape(viewer);
    char place[2 * NUMBER_TEXT];
    double at[2];
    const char *word = strstr(text, " frozen");
    const bool frozen = word && word[strlen(" frozen")] == '\0';
    snprintf(place, sizeof place, "%.*s", frozen ? (int)(word - text) : (int)sizeof place - 1, text);
    if (!viewer_picture(viewer) || !numbers(place, at, 2) || !whole(at, 2) || at[0] >= (double)shown.width ||
        at[1] >= (double)shown.height)
        return fail(STATUS_USAGE, "pixel \"%s\", want X Y or X Y frozen, within the picture", text);
    inspector_look_at(viewer, (size_t)at[0], (size_t)at[1], frozen);
    return STATUS_OK;
}

const State states[] = {
    {"size", "1280x800", format_size, NULL, NULL, NULL},
    {"backend", NULL, format_backend, NULL, NULL, NULL},
    {"device", NULL, format_device, NULL, NULL, NULL},
    {"level", "best", format_level, NULL, NULL, NULL},
    {"border", "clamp", format_border, NULL, NULL, NULL},
    {"filter", "", format_chain, NULL, NULL, NULL},
    {"scene", "", format_scene, NULL, NULL, NULL},
    {"look", NULL, format_look, NULL, NULL, NULL},
    {"change-light", "samples=4096:depth=0:seed=1:noise=0", format_gathering, NULL, NULL, NULL},
    {"change-figure", "background=white:outline=0:crease=0:cue=0:shadow=0:box=0:axes=0:bar=0", format_style, NULL, NULL,
     NULL},
    {"change-tone", "exposure=0:gamma=1", format_tone, NULL, NULL, NULL},
    {"route", NULL, format_route, NULL, NULL, NULL},
    {"select", NULL, format_selected, select_filter, "NUMBER", "selects a filter of the chain, counted from 1"},
    {"view", "fit", format_view, set_view, "X Y SCALE",
     "puts the picture's corner there in the window, and sets its scale"},
    {"look-from", NULL, format_camera, set_camera, "CAMERA", "sets a scene's camera, as transcripts have it"},
    {"split-at", "0.5", format_split, set_split, "SHARE",
     "has the two sides meet there, from 0 to 1 of the window's width"},
    {"part", "all", format_part, set_part, "X Y W H", "counts this part of the picture alone; or all"},
    {"pixel", "", format_pixel, set_pixel, "X Y [frozen]", "opens the inspector at this pixel"},
};
const size_t state_count = sizeof states / sizeof states[0];
