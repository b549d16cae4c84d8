/* view.c: how the picture is shown, what it is compared with, and the panels about it; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/tools/frames.h"
#include "app/view/tools/pin.h"
#include "core/scene/look.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define ZOOM_STEP   1.25
#define SCALE_STEP  1.125
#define EDGE_SHARE  0.05   /* of the width that columns leave */
#define FACTS_WIDTH 1600.0 /* pixels at scale 1: wider windows have room for a second column */

/* ---- comparing ---- */

/* A split that lies at the picture's edge, or beneath a column, begins in the middle. */
static Status centre_split(Viewer *viewer) {
    const Area area = viewer->area;
    const double share = (viewer->split * viewer->width - area.x) / area.width;
    if (share < EDGE_SHARE || share > 1 - EDGE_SHARE)
        viewer->split = (area.x + area.width / 2) / viewer->width;
    return STATUS_OK;
}

static const struct {
    const char *name, *help, *words;
} difference_views[DIFFERENCE_VIEWS] = {
    [DIFFERENCE_HEAT] = {"values", "a heat map of values: of a pixel's colours the one that differs most",
                         "as a heat map of values"},
    [DIFFERENCE_FLIP] = {"flip", "a heat map of the errors that an eye sees, by FLIP", "as FLIP's map of errors"},
    [DIFFERENCE_COLOURS] = {"colours", "their own colours", "in their own colours"}};

static Status set_difference_view(Viewer *viewer, Call call) {
    DifferenceView view = (DifferenceView)((viewer->difference_view + 1) % DIFFERENCE_VIEWS);
    if (call.text && call.text[0])
        for (view = 0; view < DIFFERENCE_VIEWS && strcmp(difference_views[view].name, call.text) != 0; view++)
            continue;
    if (view == DIFFERENCE_VIEWS)
        return fail(STATUS_USAGE, "view \"%s\", want values, flip or colours", call.text);
    viewer->difference_view = view;
    viewer_say(viewer, false, "Differences %s shown %s", viewer_asks_difference(viewer) ? "are" : "will be",
               difference_views[view].words);
    return STATUS_OK;
}

static Status fit_gain(Viewer *viewer, Call call) {
    if (call.strict && viewer->compare != COMPARE_NONE)
        TRY(viewer_finish(viewer));
    return viewer_fit_gain(viewer);
}

/* Scripts wait until the sides are compared. */
static Status show_worst(Viewer *viewer, Call call) {
    if (call.strict && viewer->compare != COMPARE_NONE)
        TRY(viewer_finish(viewer));
    return viewer_show_worst(viewer);
}

static Status pin(Viewer *viewer) {
    TRY(viewer_pin(viewer));
    viewer->compare = viewer->compare == COMPARE_NONE ? COMPARE_SPLIT : viewer->compare;
    viewer_say(viewer, false, "Snapshot taken: change anything, and compare");
    return STATUS_OK;
}

static Status unpin(Viewer *viewer) {
    if (!viewer_has_pin(viewer))
        return fail(STATUS_USAGE, "no snapshot was taken");
    viewer_unpin(viewer);
    return STATUS_OK;
}

static bool compares(const Viewer *viewer) {
    return viewer->compare != COMPARE_NONE;
}

/* ---- where it lies ---- */

static Status toggle_motion(Viewer *viewer) {
    if (frames_are_several(viewer))
        frames_toggle_play(viewer);
    else
        viewer_toggle_motion(viewer);
    return STATUS_OK;
}

static bool has_motion(const Viewer *viewer) {
    return viewer_moves(viewer) || frames_play(viewer);
}

static Status zoom(Viewer *viewer, Call call) {
    const Area area = viewer->area;
    viewer_zoom(viewer, call.step > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, area.x + area.width / 2, area.y + area.height / 2);
    return STATUS_OK;
}

static Status fit(Viewer *viewer) {
    viewer_fit(viewer);
    return STATUS_OK;
}

static Status reset_view(Viewer *viewer) {
    viewer_reset_view(viewer);
    viewer->grade = grade_default();
    viewer->gain = viewer->flip_gain = 0;
    return STATUS_OK;
}

static bool has_perspective(const Viewer *viewer) {
    return viewer->request->orbit_camera.orbits;
}

static Status switch_camera(Viewer *viewer) {
    TRY(viewer_switch_camera(viewer));
    viewer_say(viewer, false, "Camera: %s", cameras[viewer->request->orbit_camera.camera.kind].name);
    return STATUS_OK;
}

static Status next_look(Viewer *viewer) {
    const Request *request = viewer->request;
    const Look next = (Look)((request->look + 1) % LOOKS);
    TRY(viewer_take_look(viewer, request->look == LOOK_PATHS && !request->figure ? FIGURE_NAME : looks[next].name));
    request = viewer->request;
    viewer_say(viewer, false, "Look %s: %s", request_look(request),
               request->figure ? FIGURE_HELP : looks[request->look].help);
    return STATUS_OK;
}

static bool is_denoised(const Viewer *viewer) {
    return viewer->request->gathering.denoise > 0;
}

/* Other looks take this setting once they gather light along paths. */
static Status toggle_denoise(Viewer *viewer) {
    TRY(viewer_change_gathering(viewer, viewer->request->gathering.denoise > 0 ? "denoise=0" : "denoise=1"));
    viewer_say(viewer, false, "Denoiser %s%s", viewer->request->gathering.denoise > 0 ? "on" : "off",
               viewer->request->look == LOOK_PATHS ? "" : ": it acts once the look is paths");
    return STATUS_OK;
}

/* Differences have a gain of their own. */
static Status expose(Viewer *viewer, Call call) {
    if (viewer_asks_difference(viewer)) {
        double *gain = viewer_gain(viewer);
        *gain = fmax(fmin(*gain + call.step / 2.0, EXPOSURE_MAX), 0);
        return STATUS_OK;
    }
    const double exposure = viewer_exposure(viewer) + call.step / 2.0;
    TRY(viewer_set_exposure(viewer, fmax(fmin(exposure, EXPOSURE_MAX), -EXPOSURE_MAX)));
    viewer_say(viewer, false, "Exposure %+.1f stops%s", viewer_exposure(viewer),
               viewer_gathers(viewer) ? "" : " on the screen; the result keeps its own");
    return STATUS_OK;
}

/* ---- panels ---- */

static Status next_overlay(Viewer *viewer) {
    viewer->overlay = (OverlayMode)((viewer->overlay + 1) % OVERLAY_MODES);
    viewer->column_asked = true;
    return STATUS_OK;
}

bool action_shows_facts(const Viewer *viewer) {
    return viewer->ui->facts_asked ? viewer->facts : viewer->width >= FACTS_WIDTH * viewer->scale;
}

/* The tour shows panels of both modes. */
static Status toggle_speed(Viewer *viewer) {
    if (viewer->ui->tour.on)
        return fail(STATUS_USAGE, "the tour shows the panels of both modes; F4 ends it");
    viewer->mode = viewer_shows_speed(viewer) ? MODE_PICTURE : MODE_SPEED;
    return STATUS_OK;
}

static Status toggle_facts(Viewer *viewer) {
    viewer->facts = !action_shows_facts(viewer);
    viewer->ui->facts_asked = true;
    if (viewer->facts && !viewer_level(viewer))
        viewer_say(viewer, false, "Roofline and kernel need a job: pick a filter");
    else if (viewer->facts && viewer->ui->crowded)
        viewer_say(viewer, false, "No room for the roofline: widen the window, or close a panel at the right");
    return STATUS_OK;
}

/* As the headings of panels spell them. */
static const char *const sections[] = {
    "filter",   "edits",           "compare", "levels",       "race",     "time",       "spans",
    "latency",  "roofline",        "kernel",  "tile",         "job",      "rays",       "power",
    "backends", "into the window", "pixel",   "histogram",    "waveform", "arithmetic", "mask",
    "response", "curve",           "scene",   "surface",      "light",    "sun",        "sky",
    "lamps",    "gathering",       "camera",  "copied edits", "figure"};

static const char *section_named(const char *name) {
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strcasecmp(sections[i], name) == 0)
            return sections[i];
    return NULL;
}

static Status fold(Viewer *viewer, const char *text) {
    viewer->ui->fold = section_named(text);
    return viewer->ui->fold ? STATUS_OK
                            : fail(STATUS_USAGE, "no section \"%s\"; want levels, time, roofline ...", text);
}

static Status set_theme(Viewer *viewer, const char *text) {
    for (int i = 0; i < THEMES; i++)
        if (strcmp(theme_infos[i].name, text) == 0) {
            viewer->ui->theme = (ThemeName)i;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "theme \"%s\", want dark, light or contrast", text);
}

static Status set_ground(Viewer *viewer, const char *text) {
    for (int i = 0; i < GROUNDS; i++)
        if (strcmp(ground_infos[i].name, text) == 0) {
            viewer->ui->ground = (GroundName)i;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "ground \"%s\", want theme, black, 4%%, 18%%, 50%% or white", text);
}

/* Scales by steps; 0 goes back to the scale that suits the window. */
static Status scale_texts(Viewer *viewer, Call call) {
    const double scale = viewer->scale * (call.step > 0 ? SCALE_STEP : 1 / SCALE_STEP);
    viewer->ui->scale = call.step == 0 ? 0 : fmax(fmin(scale, SCALE_MAX), SCALE_MIN);
    return STATUS_OK;
}

static bool fills_screen(const Viewer *viewer) {
    return viewer->full_screen;
}

static bool has_bar(const Viewer *viewer) {
    return !viewer->ui->no_bar;
}

static Status toggle_bar(Viewer *viewer) {
    viewer->ui->no_bar = !viewer->ui->no_bar;
    if (viewer->ui->no_bar) {
        char key[ACTION_KEYS];
        viewer_say(viewer, false, "Menus hidden: %s or the right button brings them back",
                   action_key_here(viewer, action_by_name("menu-bar"), key));
    }
    return STATUS_OK;
}

/* ---- arguments ---- */

static Status check_look(const char *text) {
    Request any = {.chain = NULL};
    return request_take_look(&any, text);
}

static Status choose_look(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < LOOKS; i++)
        TRY(choose_word(choices, looks[i].name,
                        (Choice){.help = choice_borrows(looks[i].help),
                                 .current = (int)viewer->request->look == i && !viewer->request->figure}));
    return choose_word(choices, FIGURE_NAME,
                       (Choice){.help = choice_borrows(FIGURE_HELP), .current = viewer->request->figure});
}

const ThemeInfo theme_infos[THEMES] = {[THEME_DARK] = {"dark", "white on dark glass"},
                                       [THEME_LIGHT] = {"light", "black on light paper"},
                                       [THEME_CONTRAST] = {"contrast", "white and yellow on black, for all light"}};

static Status choose_theme(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < THEMES; i++)
        TRY(choose_word(choices, theme_infos[i].name,
                        (Choice){.help = choice_borrows(theme_infos[i].help), .current = (int)viewer->ui->theme == i}));
    return STATUS_OK;
}

static Status choose_ground(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < GROUNDS; i++)
        TRY(choose_word(
            choices, ground_infos[i].name,
            (Choice){.help = choice_borrows(ground_infos[i].help), .current = (int)viewer->ui->ground == i}));
    return STATUS_OK;
}

static Status choose_difference_view(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < DIFFERENCE_VIEWS; i++)
        TRY(choose_word(
            choices, difference_views[i].name,
            (Choice){.help = choice_borrows(difference_views[i].help), .current = (int)viewer->difference_view == i}));
    return STATUS_OK;
}

static Status choose_section(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        TRY(choose_word(choices, sections[i], (Choice){.help = NULL}));
    return STATUS_OK;
}

static const Argument argument_look = {
    .name = "NAME", .words = "the shading mode", .check = check_look, .choose = choose_look, .listed = true};
static const Argument argument_theme = {
    .name = "NAME", .words = "colours of the panels", .choose = choose_theme, .listed = true};
static const Argument argument_ground = {
    .name = "NAME", .words = "the grey around the picture", .choose = choose_ground, .listed = true};
static const Argument argument_difference_view = {
    .name = "[VIEW]", .words = "the view of differences", .choose = choose_difference_view, .listed = true};
static const Argument argument_section = {
    .name = "SECTION", .words = "a section of the columns", .choose = choose_section, .listed = true};

static const Action rows[] = {
    {"split", "s |", "shows before at the left and after at the right; drag the handle", .act = centre_split,
     .toggle = OF_VIEWER(compare), .step = COMPARE_SPLIT, .flags = ACTION_CONTEXT, .menu = "Compare"},
    {"difference", "d /", "shows how far the result is from the picture; e brightens it, Ctrl+G as far as can be",
     .toggle = OF_VIEWER(compare), .step = COMPARE_DIFFERENCE, .flags = ACTION_CONTEXT, .menu = "Compare"},
    {"side-by-side", "S", "shows the same part of before and after, next to each other", .toggle = OF_VIEWER(compare),
     .step = COMPARE_SIDES, .menu = "Compare"},
    {"flicker", "t", "shows before and after in turns, in one place", .toggle = OF_VIEWER(compare),
     .step = COMPARE_FLICKER, .menu = "Compare"},
    {"difference-view", "D",
     "shows differences by values, by FLIP's errors, or in their own colours: the next of these",
     .label = "next view of differences", .run = set_difference_view, .argument = &argument_difference_view,
     .menu = "Compare"},
    {"fit-gain", "Ctrl+G", "brightens differences until the largest is as bright as can be", .run = fit_gain,
     .menu = "Compare", .can = viewer_asks_difference},
    {"worst-pixel", "n !", "goes to the pixel where the two sides differ most", .run = show_worst, .menu = "Compare",
     .can = compares},
    {"keep", "K", "takes a snapshot, to compare with any other chain, level, backend, device, file or look",
     .label = "snapshot", .act = pin, .flags = ACTION_CONTEXT, .on = viewer_has_pin, .menu = "Compare"},
    {"let-go", "J", "clears the snapshot: comparisons are with the original again", .label = "clear snapshot",
     .act = unpin, .menu = "Compare", .can = viewer_has_pin},
    {"unfiltered", "Space \\", "shows the picture before filtering, while held", .label = "show original",
     .toggle = OF_VIEWER(unfiltered), .flags = ACTION_HELD | ACTION_CONTEXT, .menu = "Compare"},
    {"motion", "Space", "lets the spheres move, bodies attract each other, or frames play, and stops them",
     .label = "move the spheres", .place = IN_SCENES, .act = toggle_motion, .flags = ACTION_CONTEXT, .on = has_motion,
     .menu = "Scene"},
    {"zoom-in", "+ =", "zooms in; the wheel does it about the pointer", .run = zoom, .step = 1, .flags = ACTION_RULE},
    {"zoom-out", "-", "zooms out", .run = zoom, .step = -1},
    {"fit", "f", "fits the whole picture or scene into the window", .label = "fit to window", .act = fit,
     .flags = ACTION_CONTEXT},
    {"reset-view", "r", "shows one pixel as one; resets camera, exposure and colours", .label = "actual size (100 %)",
     .act = reset_view, .flags = ACTION_CONTEXT},
    {"camera", "v", "switches between the orthographic and the perspective camera", .label = "perspective camera",
     .place = IN_SCENES, .act = switch_camera, .flags = ACTION_RULE, .on = has_perspective, .menu = "Scene"},
    {"look", "N", "sets the shading mode by its name", .place = IN_SCENES, .take = viewer_take_look,
     .argument = &argument_look, .flags = ACTION_CONTEXT, .menu = "Scene"},
    {"next-look", "n", "goes to the next shading mode", .place = IN_SCENES, .act = next_look, .flags = ACTION_RARE,
     .menu = "Scene"},
    {"denoise", "x", "removes the noise of paths, by the visible surfaces", .place = IN_SCENES, .act = toggle_denoise,
     .flags = ACTION_CONTEXT, .on = is_denoised, .menu = "Scene"},
    {"brighter", "e", "brightens the screen by half a stop", .run = expose, .step = 1,
     .flags = ACTION_RULE | ACTION_RARE},
    {"darker", "E", "darkens the screen by half a stop", .run = expose, .step = -1, .flags = ACTION_RARE},
    {"overlay", "Tab", "shows the panels compact, full or not at all", .act = next_overlay, .flags = ACTION_RULE},
    {"facts", "k", "shows the kernel, the job and the roofline, at the right", .label = "roofline and kernel",
     .act = toggle_facts, .on = action_shows_facts, .reveals = OVERLAY_FULL, .menu = "Levels",
     .flags = ACTION_OF_SPEED},
    {"fold", "Z", "collapses a section of the columns, or opens it again", .label = "collapse section", .take = fold,
     .argument = &argument_section, .flags = ACTION_RARE},
    {"speed", "Ctrl+Tab", "shows panels about levels and times, or those for editing pictures alone",
     .act = toggle_speed, .on = viewer_shows_speed, .reveals = OVERLAY_FULL},
    {"theme", "F8", "sets the colours of the panels: dark, light or contrast", .take = set_theme,
     .argument = &argument_theme},
    {"ground", "Ctrl+Shift+F8", "sets the grey around the picture: the theme's, or one by its share of white's light",
     .take = set_ground, .argument = &argument_ground, .flags = ACTION_RARE},
    {"hide-drawings", "Ctrl+7", "hides what other programs draw over their pictures, and shows it again",
     .toggle = OF_VIEWER(hides_drawings), .flags = ACTION_RARE},
    {"larger-texts", "Ctrl+= Ctrl++ Ctrl+Shift++", "enlarges text and panels", .label = "larger text",
     .run = scale_texts, .step = 1, .flags = ACTION_RARE},
    {"smaller-texts", "Ctrl+-", "shrinks text and panels", .label = "smaller text", .run = scale_texts, .step = -1,
     .flags = ACTION_RARE},
    {"default-texts", "Ctrl+0", "sizes text and panels as suits the window and the display",
     .label = "default text size", .run = scale_texts, .flags = ACTION_RARE},
    {"menu-bar", "F10", "hides this bar, or shows it; the right button has the menus, too", .act = toggle_bar,
     .on = has_bar, .flags = ACTION_RARE},
    {"full-screen", "F11", "fills the screen, and ends that again", .asks = OF_REQUESTS(toggle_fullscreen),
     .flags = ACTION_UNWRITTEN, .on = fills_screen},
};

const Menu view_menu = {"View", rows, sizeof rows / sizeof rows[0]};
