/* look.c: looking closely: pixels, counts, channels and tones; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/tools/histogram.h"
#include "app/view/tools/inspector.h"

static bool has_inspector(const Viewer *viewer) {
    return inspector_view(viewer)->open;
}

static Status toggle_inspector(Viewer *viewer) {
    inspector_toggle(viewer);
    return STATUS_OK;
}

static Status toggle_histogram(Viewer *viewer, Call call) {
    histogram_toggle(viewer, (HistogramForm)call.step);
    return action_reveal(viewer, histogram_choices(viewer)->open, OVERLAY_COMPACT);
}

static Status next_scale(Viewer *viewer) {
    HistogramChoices choices = *histogram_choices(viewer);
    char key[ACTION_KEYS];
    if (!choices.open || choices.form != FORM_HISTOGRAM)
        return fail(STATUS_USAGE, "no histogram is open: %s opens it",
                    action_key_here(viewer, action_by_name("histogram"), key));
    choices.scale = (HistogramScale)((choices.scale + 1) % SCALES);
    histogram_choose(viewer, choices);
    return STATUS_OK;
}

static Status next_channel(Viewer *viewer) {
    const GradeChannel before = viewer->grade.channel;
    viewer->grade.channel = grade_next_channel(before, viewer_shown_shape(viewer));
    return viewer->grade.channel != before ? STATUS_OK : fail(STATUS_USAGE, "the result has one channel alone");
}

static Status step_gamma(Viewer *viewer, Call call) {
    viewer->grade.gamma = grade_step_gamma(viewer->grade.gamma, call.step);
    return STATUS_OK;
}

static bool has_gain_map(const Viewer *viewer) {
    const Image *picture = viewer_picture(viewer);
    return picture && picture->gain_map;
}

static bool shows_hdr(const Viewer *viewer) {
    return viewer->hdr;
}

/* Edits stay, and act on that. */
static Status toggle_hdr(Viewer *viewer) {
    if (!viewer->hdr && !has_gain_map(viewer))
        return fail(STATUS_USAGE, "no picture with a gain map (Ultra HDR) is shown");
    viewer->hdr = !viewer->hdr;
    return has_gain_map(viewer) ? viewer_reload(viewer) : STATUS_OK;
}

/* ---- arguments ---- */

static Status choose_tone(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return choose_params(tone_table, text, choices);
}

static const Argument argument_tone = {
    .name = "VALUES", .words = "how it is shown, as in exposure=1.5:gamma=1.2", .choose = choose_tone};

static const Action rows[] = {
    {"inspector", "x", "shows the pixel under the pointer, and the arithmetic behind it", .place = IN_PICTURES,
     .act = toggle_inspector, .flags = ACTION_CONTEXT, .on = has_inspector, .reveals = OVERLAY_COMPACT},
    {"freeze", "X", "holds the inspector at its pixel, or lets it follow; a click does, too",
     .label = "hold the inspector", .place = IN_PICTURES, .act = inspector_freeze, .flags = ACTION_RARE},
    {"histogram", "H", "counts the values in all of the picture, or in a part marked by a drag with Ctrl",
     .run = toggle_histogram, .step = FORM_HISTOGRAM, .flags = ACTION_RULE | ACTION_CONTEXT},
    {"waveform", "W", "counts the values by the picture's columns", .run = toggle_histogram, .step = FORM_WAVEFORM,
     .flags = ACTION_RARE},
    {"next-scale", "L", "draws the histogram linear, logarithmic or cumulative", .label = "next scale of the histogram",
     .act = next_scale, .flags = ACTION_RARE},
    {"channel", "C", "shows red, green, blue, alpha or luma alone, as gray", .label = "next channel",
     .act = next_channel, .flags = ACTION_RULE | ACTION_RARE},
    {"false-colour", "F", "colours by brightness: from violet over green to yellow",
     .toggle = OF_VIEWER(grade.false_colour), .flags = ACTION_RARE},
    {"zebra", "z", "stripes values that are clipped: black, white, and what exports as sRGB cut off",
     .label = "show clipping", .toggle = OF_VIEWER(grade.zebra)},
    {"hdr", "&", "opens pictures with a gain map as their HDR rendering: exposure shows it, filters act on it",
     .label = "HDR rendering", .place = IN_PICTURES, .act = toggle_hdr, .on = shows_hdr, .flags = ACTION_RARE},
    {"more-gamma", "y", "brightens middle tones on the screen", .label = "raise gamma", .run = step_gamma, .step = 1,
     .flags = ACTION_RULE | ACTION_RARE},
    {"less-gamma", "Y", "darkens middle tones on the screen", .label = "lower gamma", .run = step_gamma, .step = -1,
     .flags = ACTION_RARE},
    {"change-tone", "Ctrl+Shift+E", "sets exposure and gamma, as in exposure=1.5:gamma=1.2; sliders do, too",
     .label = "exposure and gamma", .take = viewer_change_tone, .argument = &argument_tone,
     .flags = ACTION_UNWRITTEN | ACTION_RARE},
};

const Menu look_menu = {"View", rows, sizeof rows / sizeof rows[0]};
