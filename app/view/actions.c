/* actions.c: what keys do; the table is at the bottom. */
#include "app/view/actions.h"
#include "core/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ZOOM_STEP 1.25
#define PAN_STEP  0.1 /* of the window's height */

static Status open_next(Viewer *viewer, int steps, const char *key, bool pressed) {
    (void)key, (void)pressed;
    return viewer_step_picture(viewer, steps);
}

static Status toggle_scene(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    return viewer_show(viewer, viewer_kind(viewer)->place == SUBJECT_SCENE ? SUBJECT_PICTURE : SUBJECT_SCENE);
}

static Status reload(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    TRY(viewer_reload(viewer));
    viewer_say(viewer, false, "loaded again");
    return STATUS_OK;
}

/* ---- filter ---- */

/* The selected filter's number in the list, counted from 1; 0 is no filter. */
static size_t filter_number(const Viewer *viewer) {
    for (size_t i = 0; i < filter_count; i++)
        if (viewer->request.chain->count > 0 &&
            viewer->request.chain->links[viewer_selected(viewer)].filter == filters[i])
            return i + 1;
    return 0;
}

/* Puts another filter in the place of the selected one. No filter is among them where that would leave none; one that
 * cannot do its work here is passed over. */
static Status pick_filter(Viewer *viewer, int steps, const char *key, bool pressed) {
    (void)key, (void)pressed;
    const size_t count = filter_count + 1;
    size_t number = filter_number(viewer);
    Status status = STATUS_OK;
    for (size_t tried = 1; tried < count; tried++) {
        number = (number + (steps > 0 ? 1 : count - 1)) % count;
        char text[PATH_CAPACITY] = "";
        if (number == 0 && viewer->request.chain->count > 1)
            continue;
        if (number > 0)
            filter_format_example(filters[number - 1], text, sizeof text);
        status = viewer_replace_link(viewer, viewer_selected(viewer), text);
        if (status == STATUS_OK)
            break;
    }
    return status;
}

static Status select_filter(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    if (viewer->request.chain->count < 2)
        return fail(STATUS_USAGE, "there is no other filter to select");
    viewer->selected = (viewer_selected(viewer) + 1) % viewer->request.chain->count;
    viewer_say(viewer, false, "%s is selected", viewer->request.chain->links[viewer->selected].filter->name);
    return STATUS_OK;
}

static Status type_chain(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer_begin_entry(viewer, ENTRY_CHAIN);
    return STATUS_OK;
}

/* Numeric parameter `which` of the selected filter. */
static const Param *numeric_param(const Viewer *viewer, int which) {
    if (!viewer_kind(viewer)->filtered || viewer->request.chain->count == 0)
        return NULL;
    const ParamTable table = viewer->request.chain->links[viewer_selected(viewer)].filter->table;
    for (size_t i = 0; i < table.count; i++)
        if (!param_is_text(&table.params[i]) && which-- == 0)
            return &table.params[i];
    return NULL;
}

/* Argument: +-1 moves the first parameter by a step, +-2 the second. */
static Status step_param(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)key, (void)pressed;
    const int which = argument == 2 || argument == -2;
    const Param *param = numeric_param(viewer, which);
    if (!param)
        return fail(STATUS_USAGE, "this has no %s parameter to change", which ? "second" : "main");
    const size_t link = viewer_selected(viewer);
    const Param fitted = viewer_param(viewer, param);
    const double number = param_number(param, viewer->request.chain->links[link].values);
    return viewer_set_param(viewer, link, &fitted, param_stepped(&fitted, number, argument > 0 ? 1 : -1));
}

static Status next_border(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    const int next = ((int)viewer->request.options.border.mode + 1) % border_count;
    TRY(viewer_set_border(viewer, viewer_default_border(viewer, borders[next].mode), FALLBACK_BEST));
    viewer_say(viewer, false, "border %s: %s", borders[next].name, borders[next].help);
    return STATUS_OK;
}

static Status type_border(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer_begin_entry(viewer, ENTRY_BORDER);
    return STATUS_OK;
}

static Status hold_unfiltered(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key;
    viewer->unfiltered = pressed;
    return STATUS_OK;
}

static Status toggle_compare(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)key, (void)pressed;
    viewer->compare = (int)viewer->compare == argument ? COMPARE_NONE : (Compare)argument;
    return STATUS_OK;
}

static Status expose(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)key, (void)pressed;
    const double exposure = viewer_exposure(viewer) + argument / 2.0;
    TRY(viewer_set_exposure(viewer, fmax(fmin(exposure, EXPOSURE_MAX), -EXPOSURE_MAX)));
    viewer_say(viewer, false, "exposure %+.1f stops%s", viewer_exposure(viewer),
               viewer_gathers(viewer) ? "" : " (on the screen, not in the result)");
    return STATUS_OK;
}

/* ---- levels ---- */

static Status climb(Viewer *viewer, int steps, const char *key, bool pressed) {
    (void)key, (void)pressed;
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    for (size_t i = 0; i < count; i++)
        if (rungs[i].current) {
            if ((steps < 0 && i == 0) || (steps > 0 && i + 1 == count))
                return fail(STATUS_USAGE, "%s is the %s rung", rungs[i].level->name, steps < 0 ? "lowest" : "highest");
            return viewer_set_level(viewer, rungs[steps < 0 ? i - 1 : i + 1].level->name);
        }
    return fail(STATUS_USAGE, "nothing here has levels: pick a filter");
}

static Status pick_level(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)pressed;
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    for (size_t i = 0; i < count; i++)
        if (rungs[i].number == key[0] - '0')
            return viewer_set_level(viewer, rungs[i].level->name);
    return fail(STATUS_USAGE, "there is no level %s here", key);
}

static Status best_level(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    return viewer_set_level(viewer, "best");
}

static Status next_backend(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    const char *name = viewer->session.device->backend->name;
    for (size_t i = 0; i < backend_count(); i++)
        if (strcmp(backend_at(i)->name, name) == 0 && backend_count() > 1)
            return viewer_set_backend(viewer, backend_at((i + 1) % backend_count())->name);
    viewer_say(viewer, false, "this glint has one backend: %s", name);
    return STATUS_OK;
}

static Status next_route(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(&viewer->present, viewer->session.device->backend, rungs);
    size_t next = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i].route->name, viewer->present.wanted) == 0 ||
            (rungs[i].current && strcmp(viewer->present.wanted, "best") == 0))
            next = (i + 1) % count;
    TRY(viewer_set_route(viewer, rungs[next].route->name));
    viewer_say(viewer, false, "route %s: %s", rungs[next].route->name, rungs[next].route->idea);
    return STATUS_OK;
}

static Status toggle_facts(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->facts = !viewer->facts;
    return STATUS_OK;
}

static Status toggle_race(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->racing = !viewer->racing;
    viewer->session.measured.race.count = 0; /* each race is run again */
    return STATUS_OK;
}

static Status toggle_measuring(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->measuring = !viewer->measuring;
    return STATUS_OK;
}

/* ---- view and window ---- */

static Status zoom(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)key, (void)pressed;
    const Area area = viewer->area;
    viewer_zoom(viewer, argument > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, area.x + area.width / 2, area.y + area.height / 2);
    return STATUS_OK;
}

static Status fit(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer_fit(viewer);
    return STATUS_OK;
}

static Status reset_view(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer_reset_view(viewer);
    viewer->grade = grade_default();
    return STATUS_OK;
}

static Status move(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)pressed;
    const double step = PAN_STEP * viewer->height;
    const char which = key[0];
    viewer_pan(viewer, which == 'a' ? step : which == 'd' ? -step : 0, which == 'w' ? step : which == 's' ? -step : 0);
    return STATUS_OK;
}

static Status switch_camera(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    TRY(viewer_switch_camera(viewer));
    viewer_say(viewer, false, "camera: %s", cameras[viewer->request.orbit_camera.camera.kind].name);
    return STATUS_OK;
}

static Status toggle_motion(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer_toggle_motion(viewer);
    return STATUS_OK;
}

static Status next_look(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    TRY(viewer_set_look(viewer, (Look)((viewer->request.look + 1) % LOOKS)));
    viewer_say(viewer, false, "look: %s: %s", looks[viewer->request.look].name, looks[viewer->request.look].help);
    return STATUS_OK;
}

static Status toggle_inspector(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    inspector_toggle(viewer);
    return STATUS_OK;
}

static Status freeze_pixel(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    return inspector_freeze(viewer);
}

static Status toggle_histogram(Viewer *viewer, int form, const char *key, bool pressed) {
    (void)key, (void)pressed;
    histogram_toggle(viewer, (HistogramForm)form);
    return STATUS_OK;
}

static Status next_scale(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    if (!viewer->histogram.open || viewer->histogram.form != FORM_HISTOGRAM)
        return fail(STATUS_USAGE, "no histogram is open: H opens it");
    viewer->histogram.scale = (HistogramScale)((viewer->histogram.scale + 1) % SCALES);
    return STATUS_OK;
}

static Status next_channel(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->grade.channel = grade_next_channel(viewer->grade.channel, viewer_shown_shape(viewer));
    return STATUS_OK;
}

static Status step_gamma(Viewer *viewer, int steps, const char *key, bool pressed) {
    (void)key, (void)pressed;
    viewer->grade.gamma = grade_step_gamma(viewer->grade.gamma, steps);
    return STATUS_OK;
}

static Status toggle_false_colour(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->grade.false_colour = !viewer->grade.false_colour;
    return STATUS_OK;
}

static Status toggle_zebra(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->grade.zebra = !viewer->grade.zebra;
    return STATUS_OK;
}

static Status next_overlay(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->overlay = (OverlayMode)((viewer->overlay + 1) % OVERLAY_MODES);
    return STATUS_OK;
}

static Status toggle_help(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->help = !viewer->help;
    return STATUS_OK;
}

static Status fullscreen(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->requests.toggle_fullscreen = true;
    return STATUS_OK;
}

static Status screenshot(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    return viewer_fresh_name("glint-window", "png", viewer->requests.screenshot, sizeof viewer->requests.screenshot);
}

static Status save_result(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    char path[PATH_CAPACITY];
    TRY(viewer_fresh_name("glint-result", viewer_result_format(viewer), path, sizeof path));
    TRY(viewer_save_result(viewer, path, false));
    viewer_say(viewer, false, "the result is in %s", path);
    return STATUS_OK;
}

static Status copy_command(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    viewer->requests.copy_command = true;
    return STATUS_OK;
}

/* Closes what lies on top, then the program. */
static Status escape(Viewer *viewer, int argument, const char *key, bool pressed) {
    (void)argument, (void)key, (void)pressed;
    bool *const open[] = {&viewer->menu, &viewer->help, &viewer->inspector.open, &viewer->histogram.open,
                          &viewer->racing}; /* from the top */
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        if (*open[i]) {
            *open[i] = false;
            return STATUS_OK;
        }
    if (viewer->compare == COMPARE_NONE)
        viewer->requests.quit = true;
    viewer->compare = COMPARE_NONE;
    return STATUS_OK;
}

static bool has_key(const Action *action, const char *key) {
    const size_t wanted = strlen(key);
    for (const char *at = action->keys; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (wanted == length && (length == 1 ? *at == *key : strncasecmp(at, key, length) == 0))
            return true;
        at += length;
    }
    return false;
}

const Action *action_for_key(const Viewer *viewer, const char *key) {
    for (size_t i = 0; i < action_count; i++) {
        const bool here = actions[i].place == ANYWHERE || (SubjectPlace)actions[i].place == viewer_kind(viewer)->place;
        if (here && has_key(&actions[i], key))
            return &actions[i];
    }
    return NULL;
}

/* Pages down that keys scroll the help page by. */
static const struct {
    const char *key;
    double pages;
} scroll_keys[] = {{"PageDown", 0.9}, {"PageUp", -0.9}, {"Down", 0.1}, {"Up", -0.1}, {"End", 1e3}, {"Home", -1e3}};

static bool scrolls(Viewer *viewer, const char *key) {
    for (size_t i = 0; viewer->help && i < sizeof scroll_keys / sizeof scroll_keys[0]; i++)
        if (strcasecmp(key, scroll_keys[i].key) == 0) {
            viewer->scroll += scroll_keys[i].pages;
            return true;
        }
    return false;
}

/* What a key that is let go did while it was held ends, whatever has the keys by now. */
static Status let_go(Viewer *viewer, const char *key) {
    for (size_t i = 0; i < action_count; i++)
        if (actions[i].held && has_key(&actions[i], key))
            return actions[i].run(viewer, actions[i].argument, key, false);
    return STATUS_OK;
}

Status action_press(Viewer *viewer, const char *key, bool pressed) {
    const Action *action = action_for_key(viewer, key);
    if (!pressed)
        return let_go(viewer, key);
    if (viewer->typing)
        return viewer_type_key(viewer, key);
    if (viewer->menu && !(action && action->run == escape))
        return STATUS_OK;
    if (scrolls(viewer, key))
        return STATUS_OK;
    if (!action)
        return fail(STATUS_USAGE, "key %s does nothing here; h shows what there is", key);
    return action->run(viewer, action->argument, key, true);
}

static const char filter_group[] = "Filter", level_group[] = "Levels", look_group[] = "Look closely",
                  picture_group[] = "Pictures and scenes", view_group[] = "View", window_group[] = "Window";

const Action actions[] = {
    {filter_group, ". PageDown", "next filter", "in the place of the selected one", IN_PICTURES, false, pick_filter, 1},
    {filter_group, ", PageUp", "previous filter", "the one before; none stands before the first", IN_PICTURES, false,
     pick_filter, -1},
    {filter_group, ";", "select", "the chain's next filter, for these keys and [ ] { }", IN_PICTURES, false,
     select_filter, 0},
    {filter_group, "Return", "type a chain", "filters in sequence, as in gaussian=2,sharpen", IN_PICTURES, false,
     type_chain, 0},
    {filter_group, "]", "more", "more of the main parameter", IN_PICTURES, false, step_param, 1},
    {filter_group, "[", "less", "less of the main parameter", IN_PICTURES, false, step_param, -1},
    {filter_group, "}", "more of the second", "more of the second parameter", IN_PICTURES, false, step_param, 2},
    {filter_group, "{", "less of the second", "less of the second parameter", IN_PICTURES, false, step_param, -2},
    {filter_group, "b", "border", "what stands beyond the picture's edge", IN_PICTURES, false, next_border, 0},
    {filter_group, "B", "type a border", "with its value, as in constant=128", IN_PICTURES, false, type_border, 0},
    {filter_group, "Space", "unfiltered", "the picture before filtering, while held", IN_PICTURES, true,
     hold_unfiltered, 0},
    {filter_group, "s", "split", "before on the left, after on the right; drag the handle", IN_PICTURES, false,
     toggle_compare, COMPARE_SPLIT},
    {filter_group, "d", "difference", "how far the result is from the picture; e brightens it", IN_PICTURES, false,
     toggle_compare, COMPARE_DIFFERENCE},

    {level_group, "1 2 3 4 5 6 7 8 9 0", "level", "that rung of the ladder; 0 is the reference", ANYWHERE, false,
     pick_level, 0},
    {level_group, "Up", "next level", "one rung up: the next idea", ANYWHERE, false, climb, 1},
    {level_group, "Down", "previous level", "one rung down", ANYWHERE, false, climb, -1},
    {level_group, "End", "best level", "the fastest rung that can do the job", ANYWHERE, false, best_level, 0},
    {level_group, "l", "race", "times every rung on this job", ANYWHERE, false, toggle_race, 0},
    {level_group, "m", "measure", "runs without end, for steady figures", ANYWHERE, false, toggle_measuring, 0},
    {level_group, "g", "backend", "the next backend, on the same job", ANYWHERE, false, next_backend, 0},
    {level_group, "o", "route", "the next way of results into the window", ANYWHERE, false, next_route, 0},
    {level_group, "k", "facts", "the kernel, the job and the roofline, at the right", ANYWHERE, false, toggle_facts, 0},

    {picture_group, "Right", "next picture", "the next file", ANYWHERE, false, open_next, 1},
    {picture_group, "Left", "previous picture", "the file before", ANYWHERE, false, open_next, -1},
    {picture_group, "i", "picture or scene", "between pictures and the ray traced scene", ANYWHERE, false, toggle_scene,
     0},
    {picture_group, "Space", "motion", "lets the spheres move, and stops them", IN_SCENES, false, toggle_motion, 0},
    {picture_group, "F5", "reload", "reads the file again", ANYWHERE, false, reload, 0},

    {view_group, "+ =", "zoom in", "closer; the wheel does it about the pointer", ANYWHERE, false, zoom, 1},
    {view_group, "-", "zoom out", "farther", ANYWHERE, false, zoom, -1},
    {view_group, "f", "fit", "all of it, in the middle", ANYWHERE, false, fit, 0},
    {view_group, "r", "reset", "one to one; the default camera, exposure and colours", ANYWHERE, false, reset_view, 0},
    {view_group, "w a s d", "move", "moves the camera, as dragging with shift does", IN_SCENES, false, move, 0},
    {view_group, "v", "camera", "orthographic, or perspective: dragging turns it", IN_SCENES, false, switch_camera, 0},
    {view_group, "n", "look", "what pixels show: the next look", IN_SCENES, false, next_look, 0},
    {view_group, "e", "brighter", "half a stop more exposure on the screen", ANYWHERE, false, expose, 1},
    {view_group, "E", "darker", "half a stop less", ANYWHERE, false, expose, -1},

    {look_group, "x", "inspector", "the pixel under the pointer, and the arithmetic behind it", IN_PICTURES, false,
     toggle_inspector, 0},
    {look_group, "X", "freeze", "stays at the pixel, or follows again; a click does, too", IN_PICTURES, false,
     freeze_pixel, 0},
    {look_group, "H", "histogram", "of all, or of the part that a drag with Ctrl marks; with figures", ANYWHERE, false,
     toggle_histogram, FORM_HISTOGRAM},
    {look_group, "W", "waveform", "the same by the picture's columns", ANYWHERE, false, toggle_histogram,
     FORM_WAVEFORM},
    {look_group, "C", "channel", "red, green, blue, alpha or luma alone, as gray", ANYWHERE, false, next_channel, 0},
    {look_group, "F", "false colour", "by brightness: from violet over green to yellow", ANYWHERE, false,
     toggle_false_colour, 0},
    {look_group, "y", "more gamma", "middle tones brighter on the screen", ANYWHERE, false, step_gamma, 1},
    {look_group, "Y", "less gamma", "darker", ANYWHERE, false, step_gamma, -1},
    {look_group, "z", "zebra", "stripes where values are black or white, or beyond", ANYWHERE, false, toggle_zebra, 0},
    {look_group, "L", "scale", "of the histogram: linear, logarithmic or cumulative", ANYWHERE, false, next_scale, 0},

    {window_group, "Tab", "overlay", "compact, full or off", ANYWHERE, false, next_overlay, 0},
    {window_group, "h ? F1", "help", "this page", ANYWHERE, false, toggle_help, 0},
    {window_group, "F11", "full screen", "the whole screen, and back", ANYWHERE, false, fullscreen, 0},
    {window_group, "p", "screenshot", "saves the window as PNG in the working folder", ANYWHERE, false, screenshot, 0},
    {window_group, "P", "save the result", "saves the result's own pixels", ANYWHERE, false, save_result, 0},
    {window_group, "c", "command line", "prints and copies the command that makes this", ANYWHERE, false, copy_command,
     0},
    {window_group, "Esc q", "close", "what lies on top, then the window", ANYWHERE, false, escape, 0},
};
const size_t action_count = sizeof actions / sizeof actions[0];
