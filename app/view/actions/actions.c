/* actions.c: the functions of actions; the table is at the bottom. */
#include "app/view/actions/arguments.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/tour.h"
#include "app/view/actions/transcript.h"
#include "app/view/data/film.h"
#include "app/view/session/links.h"
#include "app/view/session/paths.h"
#include "app/view/tools/every_tool.h"
#include "core/scene/look.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { DEVICES_MAX = 1024 };
#define ZOOM_STEP   1.25
#define SCALE_STEP  1.125
#define EDGE_SHARE  0.05   /* of the width that columns leave */
#define FACTS_WIDTH 1600.0 /* pixels at scale 1: wider windows have room for a second column */

/* Shows a panel that was opened: hidden panels come back, and the column if the panel stands there. */
static Status reveal(Viewer *viewer, bool open, OverlayMode least) {
    viewer->overlay = open && viewer->overlay < least ? least : viewer->overlay;
    viewer->column_asked |= open && least == OVERLAY_FULL;
    return STATUS_OK;
}

static Status open_path(Viewer *viewer, Call call) {
    char path[PATH_CAPACITY];
    return viewer_open(viewer, path_expand(call.text, path, sizeof path));
}

static Status open_scene(Viewer *viewer, Call call) {
    viewer->ui->welcome = false;
    return viewer_open_scene(viewer, call.text);
}

static Status open_next(Viewer *viewer, Call call) {
    return viewer_step_picture(viewer, call.step);
}

static Status toggle_scene(Viewer *viewer, Call call) {
    (void)call;
    return viewer_show(viewer, viewer_kind(viewer)->place == SUBJECT_SCENE ? SUBJECT_PICTURE : SUBJECT_SCENE);
}

static Status reload(Viewer *viewer, Call call) {
    (void)call;
    TRY(viewer_reload(viewer));
    viewer_say(viewer, false, "loaded again");
    return STATUS_OK;
}

/* ---- filter ---- */

/* The selected filter's number in the list, counted from 1; 0 is no filter. */
static size_t filter_number(const Viewer *viewer) {
    for (size_t i = 0; i < filter_count; i++)
        if (viewer->request->chain->count > 0 &&
            viewer->request->chain->links[viewer_selected(viewer)].filter == filters[i])
            return i + 1;
    return 0;
}

/* Puts another filter in the place of the selected one. No filter is among them where that would leave none; one that
 * cannot do its work here is passed over. */
static Status pick_filter(Viewer *viewer, Call call) {
    const size_t count = filter_count + 1;
    size_t number = filter_number(viewer);
    Status status = STATUS_OK;
    for (size_t tried = 1; tried < count; tried++) {
        number = (number + (call.step > 0 ? 1 : count - 1)) % count;
        char text[PATH_CAPACITY] = "";
        if (number == 0 && viewer->request->chain->count > 1)
            continue;
        if (number > 0)
            filter_format_example(filters[number - 1], text, sizeof text);
        status = viewer_replace_link(viewer, viewer_selected(viewer), text);
        if (status == STATUS_OK)
            break;
    }
    return status;
}

static Status select_filter(Viewer *viewer, Call call) {
    (void)call;
    if (viewer->request->chain->count < 2)
        return fail(STATUS_USAGE, "there is no other filter to select");
    viewer->selected = (viewer_selected(viewer) + 1) % viewer->request->chain->count;
    viewer_say(viewer, false, "%s is selected", viewer->request->chain->links[viewer->selected].filter->name);
    return STATUS_OK;
}

/* A script gets the level that it asks for, or a failure. */
static Fallback fallback_of(Call call) {
    return call.strict ? FALLBACK_NONE : FALLBACK_BEST;
}

static Status set_filter(Viewer *viewer, Call call) {
    return viewer_set_chain(viewer, call.text, fallback_of(call));
}

/* Numeric parameter `which` of the selected filter. */
static const Param *numeric_param(const Viewer *viewer, int which) {
    if (viewer->request->chain->count == 0)
        return NULL;
    const ParamTable table = viewer->request->chain->links[viewer_selected(viewer)].filter->table;
    for (size_t i = 0; i < table.count; i++)
        if (!param_is_text(&table.params[i]) && which-- == 0)
            return &table.params[i];
    return NULL;
}

/* Step: +-1 moves the first parameter by a step, +-2 the second. */
static Status step_param(Viewer *viewer, Call call) {
    const int which = call.step == 2 || call.step == -2;
    const Param *param = numeric_param(viewer, which);
    if (!param)
        return fail(STATUS_USAGE, "the selected filter has no %s parameter to change", which ? "second" : "main");
    return viewer_step_param(viewer, viewer_selected(viewer), param, call.step > 0 ? 1 : -1);
}

static Status confine(Viewer *viewer, Call call) {
    return viewer_confine(viewer, viewer_selected(viewer), call.text);
}

static Status paint(Viewer *viewer, Call call) {
    (void)call;
    return brush_toggle(viewer);
}

static bool is_painting(const Viewer *viewer) {
    return viewer->tools->brush->on;
}

static Status set_values(Viewer *viewer, Call call) {
    return viewer_set_values(viewer, viewer_selected(viewer), call.text);
}

static Status next_border(Viewer *viewer, Call call) {
    (void)call;
    const int next = ((int)viewer->request->options.border.mode + 1) % border_count;
    TRY(viewer_set_border(viewer, viewer_default_border(viewer, borders[next].mode), FALLBACK_BEST));
    viewer_say(viewer, false, "border %s: %s", borders[next].name, borders[next].help);
    return STATUS_OK;
}

static Status set_border(Viewer *viewer, Call call) {
    Border border;
    TRY(border_parse(call.text, &border));
    return viewer_set_border(viewer, border, fallback_of(call));
}

/* Adds the filter at the chain's end; a filter whose example is to be edited is opened for typing. */
static Status add_filter(Viewer *viewer, Call call) {
    char example[ENTRY_MAX];
    const Filter *filter = filter_by_name(call.text, strlen(call.text));
    if (!filter)
        return fail(STATUS_USAGE, "no filter \"%s\"; `glint list filters` shows them", call.text);
    filter_format_example(filter, example, sizeof example);
    return viewer_replace_link(viewer, viewer->request->chain->count, example);
}

static Status set_preset(Viewer *viewer, Call call) {
    char chain[ENTRY_MAX];
    snprintf(chain, sizeof chain, "@%s", call.text + (call.text[0] == '@'));
    return viewer_set_chain(viewer, chain, fallback_of(call));
}

static Status set_image(Viewer *viewer, Call call) {
    char path[PATH_CAPACITY];
    size_t link;
    const Param *param = viewer_image_param(viewer, &link);
    if (!param)
        return fail(STATUS_USAGE, "the selected filter reads no second picture, as blend, difference and lut do");
    TRY(viewer_set_params(viewer, link,
                          &(ParamChange){.param = param, .text = path_expand(call.text, path, sizeof path)}, 1));
    viewer->ui->image_param = NULL;
    return STATUS_OK;
}

/* Saves the whole chain, with paths that hold in every folder; a preset of this name is replaced. */
static Status save_preset(Viewer *viewer, Call call) {
    char chain[4 * ENTRY_MAX];
    Chain *saved;
    TRY(brush_keep(viewer));
    TRY(links_copy(viewer->request->chain, &saved));
    const Status status = chain_make_paths_whole(saved);
    const size_t length = chain_format(saved, chain, sizeof chain);
    chain_destroy(&saved);
    TRY(status);
    if (length >= sizeof chain)
        return fail(STATUS_USAGE, "the chain has %zu characters, want at most %zu", length, sizeof chain - 1);
    TRY(presets_save(call.text, chain));
    viewer_say(viewer, false, "@%s is a preset now", call.text);
    return STATUS_OK;
}

static Status toggle_editor(Viewer *viewer, Call call) {
    size_t link;
    (void)call;
    if (!viewer->editing && !viewer_selected_param(viewer, PARAM_MASK, &link) &&
        !viewer_selected_param(viewer, PARAM_CURVE, &link))
        return fail(STATUS_USAGE, "the selected filter has neither mask nor curve, as convolve and curves have");
    viewer->ui->looks_since = viewer->session->result_serial;
    viewer->editing = !viewer->editing;
    return reveal(viewer, viewer->editing, OVERLAY_COMPACT);
}

static Status toggle_handles(Viewer *viewer, Call call) {
    (void)call;
    return handles_toggle(viewer);
}

static Status set_mask_preset(Viewer *viewer, Call call) {
    const MaskPreset *preset = mask_preset_by_name(call.text);
    return preset ? mask_editor_preset(viewer, preset) : fail(STATUS_USAGE, "no mask \"%s\"", call.text);
}

static Status grow_mask(Viewer *viewer, Call call) {
    return mask_editor_grow(viewer, call.step);
}

static Status normalize_mask(Viewer *viewer, Call call) {
    (void)call;
    return mask_editor_normalize(viewer);
}

static Status undo(Viewer *viewer, Call call) {
    (void)call;
    return viewer_undo(viewer);
}

static Status redo(Viewer *viewer, Call call) {
    (void)call;
    return viewer_redo(viewer);
}

static Status go_to_change(Viewer *viewer, Call call) {
    char *end;
    const size_t count = viewer->edits.count;
    const unsigned long number = strtoul(call.text, &end, 10);
    if (*end || number < 1 || number > count)
        return fail(STATUS_USAGE, "change \"%s\", want a number from 1 to %zu", call.text, count);
    return viewer_go_to_edit(viewer, number - 1);
}

static Status list_edits(Viewer *viewer, Call call) {
    (void)call;
    viewer->edits_listed = !viewer->edits_listed;
    return reveal(viewer, viewer->edits_listed, OVERLAY_FULL);
}

static Status reset_all(Viewer *viewer, Call call) {
    (void)call;
    return viewer->request->chain->count > 0 ? viewer_reset_links(viewer, 0, viewer->request->chain->count)
                                             : fail(STATUS_USAGE, "there is no filter: pick one");
}

enum { EDIT_SWITCH, EDIT_DUPLICATE, EDIT_RESET, EDIT_REMOVE, EDIT_EARLIER, EDIT_LATER };

/* Something with the selected filter. */
static Status edit_link(Viewer *viewer, Call call) {
    static Status (*const edits[])(Viewer * viewer, size_t link) = {[EDIT_SWITCH] = viewer_toggle_link,
                                                                    [EDIT_DUPLICATE] = viewer_duplicate_link,
                                                                    [EDIT_RESET] = viewer_reset_link,
                                                                    [EDIT_REMOVE] = viewer_remove_link};
    const size_t link = viewer_selected(viewer), count = viewer->request->chain->count;
    if (count == 0)
        return fail(STATUS_USAGE, "there is no filter: pick one");
    if (call.step < EDIT_EARLIER)
        return edits[call.step](viewer, link);
    const bool later = call.step == EDIT_LATER;
    if (later ? link + 1 >= count : link == 0)
        return fail(STATUS_USAGE, "%s is the %s filter", viewer->request->chain->links[link].filter->name,
                    later ? "last" : "first");
    return viewer_move_link(viewer, link, later ? link + 1 : link - 1);
}

static Status hold_unfiltered(Viewer *viewer, Call call) {
    viewer->unfiltered = call.pressed;
    return STATUS_OK;
}

static Status pin(Viewer *viewer, Call call) {
    (void)call;
    TRY(viewer_pin(viewer));
    viewer->compare = viewer->compare == COMPARE_NONE ? COMPARE_SPLIT : viewer->compare;
    viewer_say(viewer, false, "kept: change anything, and compare");
    return STATUS_OK;
}

static Status unpin(Viewer *viewer, Call call) {
    (void)call;
    if (!viewer->tools->pin->image)
        return fail(STATUS_USAGE, "nothing is kept");
    viewer_unpin(viewer);
    return STATUS_OK;
}

/* Scripts wait until the sides are compared. */
static Status show_worst(Viewer *viewer, Call call) {
    if (call.strict && viewer->compare != COMPARE_NONE)
        TRY(viewer_finish(viewer));
    return viewer_show_worst(viewer);
}

/* A split that lies at the picture's edge, or beneath a column, begins in the middle. */
static Status toggle_compare(Viewer *viewer, Call call) {
    const Area area = viewer->area;
    const double share = (viewer->split * viewer->width - area.x) / area.width;
    if (call.step == COMPARE_SPLIT && (share < EDGE_SHARE || share > 1 - EDGE_SHARE))
        viewer->split = (area.x + area.width / 2) / viewer->width;
    viewer->compare = (int)viewer->compare == call.step ? COMPARE_NONE : (Compare)call.step;
    return STATUS_OK;
}

static Status toggle_heat(Viewer *viewer, Call call) {
    (void)call;
    viewer->plain_difference = !viewer->plain_difference;
    if (!viewer_shows_difference(viewer))
        viewer_say(viewer, false, "differences will be %s",
                   viewer->plain_difference ? "in their own colours" : "heat maps");
    return STATUS_OK;
}

static Status fit_gain(Viewer *viewer, Call call) {
    if (call.strict && viewer->compare != COMPARE_NONE)
        TRY(viewer_finish(viewer));
    return viewer_fit_gain(viewer);
}

/* Differences have a gain of their own. */
static Status expose(Viewer *viewer, Call call) {
    if (viewer_shows_difference(viewer)) {
        viewer->gain = fmax(fmin(viewer->gain + call.step / 2.0, EXPOSURE_MAX), 0);
        return STATUS_OK;
    }
    const double exposure = viewer_exposure(viewer) + call.step / 2.0;
    TRY(viewer_set_exposure(viewer, fmax(fmin(exposure, EXPOSURE_MAX), -EXPOSURE_MAX)));
    viewer_say(viewer, false, "exposure %+.1f stops%s", viewer_exposure(viewer),
               viewer_gathers(viewer) ? "" : " (on the screen, not in the result)");
    return STATUS_OK;
}

/* ---- levels ---- */

static Status climb(Viewer *viewer, Call call) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    for (size_t i = 0; i < count; i++)
        if (rungs[i].current) {
            if ((call.step < 0 && i == 0) || (call.step > 0 && i + 1 == count))
                return fail(STATUS_USAGE, "%s is the %s rung", rungs[i].level->name,
                            call.step < 0 ? "lowest" : "highest");
            return viewer_set_level(viewer, rungs[call.step < 0 ? i - 1 : i + 1].level->name);
        }
    return fail(STATUS_USAGE, "nothing here has levels: pick a filter");
}

/* By its name, or by the digit that the ladder shows. */
static Status set_level(Viewer *viewer, Call call) {
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    const bool digit = call.text[0] >= '0' && call.text[0] <= '9' && call.text[1] == '\0';
    for (size_t i = 0; digit && i < count; i++)
        if (rungs[i].number == call.text[0] - '0')
            return viewer_set_level(viewer, rungs[i].level->name);
    return digit ? fail(STATUS_USAGE, "there is no level %s here", call.text) : viewer_set_level(viewer, call.text);
}

static Status best_level(Viewer *viewer, Call call) {
    (void)call;
    return viewer_set_level(viewer, "best");
}

static Status next_backend(Viewer *viewer, Call call) {
    (void)call;
    const char *name = viewer->session->device->backend->name;
    for (size_t i = 0; i < backend_count(); i++)
        if (strcmp(backend_at(i)->name, name) == 0 && backend_count() > 1)
            return viewer_set_backend(viewer, backend_at((i + 1) % backend_count())->name);
    viewer_say(viewer, false, "this glint has one backend: %s", name);
    return STATUS_OK;
}

static Status next_route(Viewer *viewer, Call call) {
    (void)call;
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(viewer->present, viewer->session->device->backend, rungs);
    size_t next = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i].route->name, viewer->present->wanted) == 0 ||
            (rungs[i].current && strcmp(viewer->present->wanted, "best") == 0))
            next = (i + 1) % count;
    TRY(viewer_set_route(viewer, rungs[next].route->name));
    viewer_say(viewer, false, "route %s: %s", rungs[next].route->name, rungs[next].route->idea);
    return STATUS_OK;
}

static Status set_backend(Viewer *viewer, Call call) {
    return viewer_set_backend(viewer, call.text);
}

static Status set_device(Viewer *viewer, Call call) {
    char *end;
    const long number = strtol(call.text, &end, 10);
    if (call.text[0] == '\0' || *end || number < 0 || number > DEVICES_MAX)
        return fail(STATUS_USAGE, "device \"%s\", want a number, counted from 0", call.text);
    return viewer_set_device(viewer, (int)number);
}

static Status next_device(Viewer *viewer, Call call) {
    const Backend *backend = viewer->session->device->backend;
    int count = 1;
    (void)call;
    if (!backend->host_frames)
        TRY(backend->device_count(&count));
    if (count < 2)
        return fail(STATUS_USAGE, "%s has one device", backend->name);
    return viewer_set_device(viewer, (viewer->request->device + 1) % count);
}

static Status set_route(Viewer *viewer, Call call) {
    return viewer_set_route(viewer, call.text);
}

bool action_shows_facts(const Viewer *viewer) {
    return viewer->ui->facts_asked ? viewer->facts : viewer->width >= FACTS_WIDTH * viewer->scale;
}

static Status toggle_facts(Viewer *viewer, Call call) {
    (void)call;
    viewer->facts = !action_shows_facts(viewer);
    viewer->ui->facts_asked = true;
    if (viewer->facts && !viewer_level(viewer))
        viewer_say(viewer, false, "facts are about a job: pick a filter");
    else if (viewer->facts && viewer->ui->crowded)
        viewer_say(viewer, false,
                   "facts come once there is room for them: the window is too narrow, or other panels stand there");
    return reveal(viewer, viewer->facts, OVERLAY_FULL);
}

static Status toggle_race(Viewer *viewer, Call call) {
    (void)call;
    viewer->racing = !viewer->racing;
    viewer->session->measured.race.count = 0; /* each race is run again */
    return reveal(viewer, viewer->racing, OVERLAY_FULL);
}

static Status toggle_measuring(Viewer *viewer, Call call) {
    (void)call;
    viewer->measuring = !viewer->measuring;
    viewer_say(viewer, false, viewer->measuring ? "measuring without end" : "measuring only after changes");
    return STATUS_OK;
}

static Status forget_latency(Viewer *viewer, Call call) {
    (void)call;
    viewer->requests->forget_latency = true;
    viewer_say(viewer, false, "the times from input to swap are forgotten");
    return STATUS_OK;
}

/* ---- view and window ---- */

static Status zoom(Viewer *viewer, Call call) {
    const Area area = viewer->area;
    viewer_zoom(viewer, call.step > 0 ? ZOOM_STEP : 1 / ZOOM_STEP, area.x + area.width / 2, area.y + area.height / 2);
    return STATUS_OK;
}

static Status fit(Viewer *viewer, Call call) {
    (void)call;
    viewer_fit(viewer);
    return STATUS_OK;
}

static Status reset_view(Viewer *viewer, Call call) {
    (void)call;
    viewer_reset_view(viewer);
    viewer->grade = grade_default();
    viewer->gain = 0;
    return STATUS_OK;
}

static Status walk(Viewer *viewer, Call call) {
    walk_press(viewer, (WalkWay)call.step, call.pressed, call.held);
    return STATUS_OK;
}

static Status toggle_walk(Viewer *viewer, Call call) {
    (void)call;
    viewer->tools->walk->on = !viewer->tools->walk->on;
    viewer_say(viewer, false,
               viewer->tools->walk->on ? "dragging looks around: w a s d walk, PageUp and PageDown go up and down"
                                       : "dragging turns about the middle");
    return STATUS_OK;
}

static Status toggle_inertia(Viewer *viewer, Call call) {
    (void)call;
    walk_stop(viewer);
    viewer->tools->walk->inertia = !viewer->tools->walk->inertia;
    viewer_say(viewer, false, viewer->tools->walk->inertia ? "movements end slowly" : "movements end at once");
    return STATUS_OK;
}

static Status pick(Viewer *viewer, Call call) {
    (void)call;
    return pick_at(viewer, viewer->pointer_x, viewer->pointer_y);
}

static Status aim(Viewer *viewer, Call call) {
    (void)call;
    return pick_aim(viewer, viewer->pointer_x, viewer->pointer_y);
}

static Status focus(Viewer *viewer, Call call) {
    (void)call;
    return pick_focus(viewer, viewer->pointer_x, viewer->pointer_y);
}

static Status change_scene(Viewer *viewer, Call call) {
    return viewer_change_scene(viewer, call.text);
}

static Status change_camera(Viewer *viewer, Call call) {
    return viewer_change_camera(viewer, call.text);
}

static Status change_gathering(Viewer *viewer, Call call) {
    return viewer_change_gathering(viewer, call.text);
}

static Status reset_scene(Viewer *viewer, Call call) {
    (void)call;
    return viewer_reset_scene(viewer, NULL, 0);
}

static Status save_scene(Viewer *viewer, Call call) {
    char path[PATH_CAPACITY];
    TRY(viewer_save_scene(viewer, path_expand(call.text, path, sizeof path), viewer->overwrite));
    viewer_say(viewer, false, "the scene is in %s", path);
    return STATUS_OK;
}

static Status switch_camera(Viewer *viewer, Call call) {
    (void)call;
    TRY(viewer_switch_camera(viewer));
    viewer_say(viewer, false, "camera: %s", cameras[viewer->request->orbit_camera.camera.kind].name);
    return STATUS_OK;
}

static Status toggle_motion(Viewer *viewer, Call call) {
    (void)call;
    viewer_toggle_motion(viewer);
    return STATUS_OK;
}

static Status next_look(Viewer *viewer, Call call) {
    (void)call;
    TRY(viewer_set_look(viewer, (Look)((viewer->request->look + 1) % LOOKS)));
    viewer_say(viewer, false, "look: %s: %s", looks[viewer->request->look].name, looks[viewer->request->look].help);
    return STATUS_OK;
}

/* Other looks take this setting once they gather light along paths. */
static Status toggle_denoise(Viewer *viewer, Call call) {
    (void)call;
    TRY(viewer_change_gathering(viewer, viewer->request->gathering.denoise > 0 ? "denoise=0" : "denoise=1"));
    viewer_say(viewer, false, "%s%s", viewer->request->gathering.denoise > 0 ? "denoised" : "with its noise",
               viewer->request->look == LOOK_PATHS ? "" : ", once the look is paths");
    return STATUS_OK;
}

static Status show_picture(Viewer *viewer, Call call) {
    char *end;
    const size_t count = viewer->pictures.count;
    const unsigned long number = strtoul(call.text, &end, 10);
    if (*end || number < 1 || number > count)
        return fail(STATUS_USAGE, "picture \"%s\", want a number from 1 to %zu", call.text, count);
    return viewer_open_picture(viewer, number - 1);
}

static Status toggle_thumbnails(Viewer *viewer, Call call) {
    (void)call;
    viewer->thumbnails = !viewer->thumbnails;
    return reveal(viewer, viewer->thumbnails, OVERLAY_COMPACT);
}

static Status toggle_watch(Viewer *viewer, Call call) {
    (void)call;
    viewer->watch = (Watch){.on = !viewer->watch.on};
    viewer_say(viewer, false,
               viewer->watch.on ? "the file is watched: it is read again when it changes"
                                : "the file is not watched any more");
    return STATUS_OK;
}

static Status toggle_inspector(Viewer *viewer, Call call) {
    (void)call;
    inspector_toggle(viewer);
    return reveal(viewer, viewer->tools->inspector->open, OVERLAY_COMPACT);
}

static Status freeze_pixel(Viewer *viewer, Call call) {
    (void)call;
    return inspector_freeze(viewer);
}

static Status toggle_histogram(Viewer *viewer, Call call) {
    histogram_toggle(viewer, (HistogramForm)call.step);
    return reveal(viewer, viewer->tools->histogram->open, OVERLAY_COMPACT);
}

static Status next_scale(Viewer *viewer, Call call) {
    (void)call;
    if (!viewer->tools->histogram->open || viewer->tools->histogram->form != FORM_HISTOGRAM)
        return fail(STATUS_USAGE, "no histogram is open: H opens it");
    viewer->tools->histogram->scale = (HistogramScale)((viewer->tools->histogram->scale + 1) % SCALES);
    return STATUS_OK;
}

static Status next_channel(Viewer *viewer, Call call) {
    (void)call;
    const GradeChannel before = viewer->grade.channel;
    viewer->grade.channel = grade_next_channel(before, viewer_shown_shape(viewer));
    return viewer->grade.channel != before ? STATUS_OK : fail(STATUS_USAGE, "the result has one channel alone");
}

static Status step_gamma(Viewer *viewer, Call call) {
    viewer->grade.gamma = grade_step_gamma(viewer->grade.gamma, call.step);
    return STATUS_OK;
}

static Status change_tone(Viewer *viewer, Call call) {
    return viewer_change_tone(viewer, call.text);
}

static Status toggle_false_colour(Viewer *viewer, Call call) {
    (void)call;
    viewer->grade.false_colour = !viewer->grade.false_colour;
    return STATUS_OK;
}

static Status toggle_zebra(Viewer *viewer, Call call) {
    (void)call;
    viewer->grade.zebra = !viewer->grade.zebra;
    return STATUS_OK;
}

static Status set_look(Viewer *viewer, Call call) {
    Look look;
    TRY(look_parse(call.text, &look));
    return viewer_set_look(viewer, look);
}

static Status next_overlay(Viewer *viewer, Call call) {
    (void)call;
    viewer->overlay = (OverlayMode)((viewer->overlay + 1) % OVERLAY_MODES);
    viewer->column_asked = true;
    return STATUS_OK;
}

/* A command as scripts have it; without one the box of all of them opens. */
static Status palette(Viewer *viewer, Call call) {
    if (call.text[0])
        return action_command(viewer, call.text, call.strict);
    viewer_begin_entry(viewer, action_by_name("palette"));
    return STATUS_OK;
}

static Status toggle_bar(Viewer *viewer, Call call) {
    (void)call;
    viewer->ui->no_bar = !viewer->ui->no_bar;
    if (viewer->ui->no_bar) {
        const char *keys = action_keys(viewer, action_by_name("menu-bar"));
        viewer_say(viewer, false, "%.*s or the right button brings the menus back", (int)strcspn(keys, " "), keys);
    }
    return STATUS_OK;
}

static Status open_photograph(Viewer *viewer, Call call) {
    static const char *const places[] = {"../share/glint/photo.jpg", "../assets/photo.jpg"}; /* from the program */
    char program[PATH_CAPACITY], path[PATH_CAPACITY + 64];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    (void)call;
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - program), program, places[i]);
        if (access(path, R_OK) == 0)
            return viewer_open(viewer, path);
    }
    return fail(STATUS_INPUT, "the photograph is not in share/glint, where it is installed; open another picture");
}

static Status tour(Viewer *viewer, Call call) {
    (void)call;
    if (viewer->ui->tour.on)
        tour_go(viewer, 1);
    else
        tour_begin(viewer);
    return STATUS_OK;
}

static Status tour_on(Viewer *viewer, Call call) {
    if (!viewer->ui->tour.on)
        return fail(STATUS_USAGE, "there is no tour under way");
    if (call.step < 0)
        tour_go(viewer, -1);
    else
        tour_leave(viewer);
    return STATUS_OK;
}

static Status toggle_welcome(Viewer *viewer, Call call) {
    (void)call;
    viewer->ui->welcome = !viewer->ui->welcome;
    return STATUS_OK;
}

static Status fold(Viewer *viewer, Call call) {
    viewer->ui->fold = section_by_name(call.text);
    return viewer->ui->fold ? STATUS_OK
                            : fail(STATUS_USAGE, "no section \"%s\"; want levels, time, roofline ...", call.text);
}

static Status set_theme(Viewer *viewer, Call call) {
    for (int i = 0; i < THEMES; i++)
        if (strcmp(theme_infos[i].name, call.text) == 0) {
            viewer->ui->theme = (ThemeName)i;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "theme \"%s\", want dark, light or contrast", call.text);
}

/* Scales by steps; 0 goes back to the scale that suits the window. */
static Status scale_texts(Viewer *viewer, Call call) {
    const double scale = viewer->scale * (call.step > 0 ? SCALE_STEP : 1 / SCALE_STEP);
    viewer->ui->scale = call.step == 0 ? 0 : fmax(fmin(scale, SCALE_MAX), SCALE_MIN);
    return STATUS_OK;
}

static Status toggle_help(Viewer *viewer, Call call) {
    (void)call;
    viewer->help = !viewer->help;
    return STATUS_OK;
}

static Status toggle_machine(Viewer *viewer, Call call) {
    (void)call;
    machine_page_toggle(viewer);
    return STATUS_OK;
}

static Status fullscreen(Viewer *viewer, Call call) {
    (void)call;
    viewer->requests->toggle_fullscreen = true;
    return STATUS_OK;
}

static Status screenshot(Viewer *viewer, Call call) {
    (void)call;
    return viewer_fresh_name("glint-window", "png", viewer->requests->screenshot, sizeof viewer->requests->screenshot);
}

static Status save_result(Viewer *viewer, Call call) {
    (void)call;
    char path[PATH_CAPACITY];
    TRY(viewer_fresh_name("glint-result", viewer_result_format(viewer), path, sizeof path));
    TRY(viewer_save_result(viewer, path, false));
    viewer_say(viewer, false, "the result is in %s", path);
    return STATUS_OK;
}

static Status save_as(Viewer *viewer, Call call) {
    char path[PATH_CAPACITY];
    TRY(viewer_save_result(viewer, path_expand(call.text, path, sizeof path), viewer->overwrite));
    viewer_say(viewer, false, "the result is in %s", path);
    return STATUS_OK;
}

/* The window has it done. */
static Status record(Viewer *viewer, Call call) {
    char path[PATH_CAPACITY];
    path_expand(call.text, path, sizeof path);
    TRY(film_check(path));
    snprintf(viewer->requests->record, sizeof viewer->requests->record, "%s", path);
    viewer->requests->wipe = call.step;
    return STATUS_OK;
}

static Status stop_recording(Viewer *viewer, Call call) {
    (void)call;
    if (!viewer->recording)
        return fail(STATUS_USAGE, "nothing is recorded");
    viewer->requests->stop_recording = true;
    return STATUS_OK;
}

static Status copy_command(Viewer *viewer, Call call) {
    (void)call;
    viewer->requests->copy_command = true;
    return STATUS_OK;
}

/* Under a name that is free, and again: it is complete. */
static Status record_session(Viewer *viewer, Call call) {
    char path[PATH_CAPACITY];
    (void)call;
    if (viewer->transcript) {
        TRY(transcript_end(viewer));
        viewer_say(viewer, false, "the session is written");
        return STATUS_OK;
    }
    TRY(viewer_fresh_name("glint-session", "script", path, sizeof path));
    TRY(transcript_begin(viewer, path));
    viewer_say(viewer, false, "your actions from now on will be in %s", path);
    return STATUS_OK;
}

static Status copy_image(Viewer *viewer, Call call) {
    (void)call;
    viewer->requests->copy_image = true;
    return STATUS_OK;
}

static Status quit(Viewer *viewer, Call call) {
    (void)call;
    viewer->requests->quit = true;
    return STATUS_OK;
}

static Status paste(Viewer *viewer, Call call) {
    (void)call;
    viewer->requests->paste = true;
    return STATUS_OK;
}

static Status close_top(Viewer *viewer, Call call) {
    (void)call;
    bool *const open[] = {&viewer->menu,
                          &viewer->typing,
                          &viewer->help,
                          &viewer->tools->machine->open,
                          &viewer->ui->welcome,
                          &viewer->ui->tour.on,
                          &viewer->tools->handles->on,
                          &viewer->editing,
                          &viewer->tools->inspector->open,
                          &viewer->tools->histogram->open,
                          &viewer->edits_listed,
                          &viewer->thumbnails,
                          &viewer->racing}; /* from the top */
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        if (*open[i]) {
            *open[i] = false;
            return STATUS_OK;
        }
    if (viewer->compare == COMPARE_NONE)
        viewer->requests->quit = true;
    viewer->compare = COMPARE_NONE;
    return STATUS_OK;
}

/* ---- states of toggles ---- */

static bool is_scene(const Viewer *viewer) {
    return viewer_kind(viewer)->place == SUBJECT_SCENE;
}
static bool is_walking(const Viewer *viewer) {
    return viewer->tools->walk->on;
}
static bool has_inertia(const Viewer *viewer) {
    return viewer->tools->walk->inertia;
}
static bool is_split(const Viewer *viewer) {
    return viewer->compare == COMPARE_SPLIT;
}
static bool is_difference(const Viewer *viewer) {
    return viewer->compare == COMPARE_DIFFERENCE;
}
static bool is_sides(const Viewer *viewer) {
    return viewer->compare == COMPARE_SIDES;
}
static bool is_flicker(const Viewer *viewer) {
    return viewer->compare == COMPARE_FLICKER;
}
static bool has_heat(const Viewer *viewer) {
    return !viewer->plain_difference;
}
static bool has_pin(const Viewer *viewer) {
    return viewer->tools->pin->image != NULL;
}
static bool is_unfiltered(const Viewer *viewer) {
    return viewer->unfiltered;
}
static bool has_edits(const Viewer *viewer) {
    return viewer->edits_listed;
}
static bool has_handles(const Viewer *viewer) {
    return viewer->tools->handles->on;
}
static bool is_editing(const Viewer *viewer) {
    return viewer->editing;
}
static bool has_facts(const Viewer *viewer) {
    return action_shows_facts(viewer);
}
static bool is_racing(const Viewer *viewer) {
    return viewer->racing;
}
static bool is_measuring(const Viewer *viewer) {
    return viewer->measuring;
}
static bool has_thumbnails(const Viewer *viewer) {
    return viewer->thumbnails;
}

static bool is_recording(const Viewer *viewer) {
    return viewer->recording;
}

static bool is_written(const Viewer *viewer) {
    return viewer->transcript != NULL;
}

static bool is_watching(const Viewer *viewer) {
    return viewer->watch.on;
}

static bool has_inspector(const Viewer *viewer) {
    return viewer->tools->inspector->open;
}
static bool has_false_colour(const Viewer *viewer) {
    return viewer->grade.false_colour;
}
static bool has_zebra(const Viewer *viewer) {
    return viewer->grade.zebra;
}
static bool has_machine(const Viewer *viewer) {
    return viewer->tools->machine->open;
}
static bool has_help(const Viewer *viewer) {
    return viewer->help;
}
static bool is_touring(const Viewer *viewer) {
    return viewer->ui->tour.on;
}
static bool is_welcome(const Viewer *viewer) {
    return viewer->ui->welcome;
}
static bool is_denoised(const Viewer *viewer) {
    return viewer->request->gathering.denoise > 0;
}
static bool has_bar(const Viewer *viewer) {
    return !viewer->ui->no_bar;
}

static const char file_menu[] = "File", edit_menu[] = "Edit", view_menu[] = "View", look_menu[] = "Look",
                  scene_menu[] = "Scene", levels_menu[] = "Levels", help_menu[] = "Help";

const Action actions[] = {
    {file_menu, "open", "Ctrl+O", "a picture, a folder of pictures or a scene", ANYWHERE, open_path, 0, &argument_path,
     NULL, ACTION_CONTEXT, NULL},
    {file_menu, "scene", "Ctrl+E", "a scene: a generator, as in cloud=1000, or a file", ANYWHERE, open_scene, 0,
     &argument_scene, NULL, 0, NULL},
    {file_menu, "next-picture", "Right", "the next file", ANYWHERE, open_next, 1, NULL, NULL, ACTION_RULE, NULL},
    {file_menu, "previous-picture", "Left", "the file before", ANYWHERE, open_next, -1, NULL, NULL, 0, NULL},
    {file_menu, "picture", "j", "one of the opened files, by its number", ANYWHERE, show_picture, 0, &argument_picture,
     NULL, 0, NULL},
    {file_menu, "thumbnails", "I", "the opened files, as a strip below the picture", ANYWHERE, toggle_thumbnails, 0,
     NULL, NULL, 0, has_thumbnails},
    {file_menu, "picture-or-scene", "i", "goes from pictures to the ray traced scene, or back", ANYWHERE, toggle_scene,
     0, NULL, NULL, 0, is_scene},
    {file_menu, "reload", "F5", "reads the file again", ANYWHERE, reload, 0, NULL, NULL, 0, NULL},
    {file_menu, "watch", "T", "reads the file again whenever it changes", ANYWHERE, toggle_watch, 0, NULL, NULL, 0,
     is_watching},
    {file_menu, "save-as", "Ctrl+S", "saves the result's own pixels in a file that you name", ANYWHERE, save_as, 0,
     &argument_file, NULL, ACTION_RULE | ACTION_CONTEXT, NULL},
    {file_menu, "save-result", "P", "saves the result's own pixels in the working folder", ANYWHERE, save_result, 0,
     NULL, NULL, 0, NULL},
    {file_menu, "save-window", "p", "saves the window as PNG in the working folder", ANYWHERE, screenshot, 0, NULL,
     NULL, 0, NULL},
    {file_menu, "copy-command", "c", "prints and copies the command line that makes this", ANYWHERE, copy_command, 0,
     NULL, NULL, 0, NULL},
    {file_menu, "record", "Ctrl+F9", "the window, draw by draw: a FOLDER/ of PNGs, FILE.apng, or FILE.mp4 by ffmpeg",
     ANYWHERE, record, 0, &argument_recording, NULL, ACTION_RULE | ACTION_UNWRITTEN, is_recording},
    {file_menu, "stop-recording", "Ctrl+F10", "ends the recording", ANYWHERE, stop_recording, 0, NULL, NULL,
     ACTION_UNWRITTEN, NULL},
    {file_menu, "before-and-after", "Ctrl+F11", "records the split as it moves over the picture and back", ANYWHERE,
     record, 1, &argument_recording, NULL, ACTION_UNWRITTEN, NULL},
    {file_menu, "record-session", "F9", "writes your actions as a script that replays them; again ends that", ANYWHERE,
     record_session, 0, NULL, NULL, ACTION_UNWRITTEN, is_written},
    {file_menu, "copy-image", "Ctrl+C", "copies the result's own pixels, for other programs to paste", ANYWHERE,
     copy_image, 0, NULL, NULL, ACTION_CONTEXT, NULL},
    {file_menu, "paste", "Ctrl+V", "opens the path that was copied, or puts the text into the line that is typed",
     ANYWHERE, paste, 0, NULL, NULL, ACTION_TYPING | ACTION_UNWRITTEN, NULL},
    {file_menu, "quit", "Ctrl+Q", "ends the program", ANYWHERE, quit, 0, NULL, NULL, ACTION_RULE | ACTION_TYPING, NULL},

    {edit_menu, "undo", "Ctrl+Z u", "takes the last change back", ANYWHERE, undo, 0, NULL, NULL, 0, NULL},
    {edit_menu, "redo", "Ctrl+Y U Ctrl+Shift+Z", "redoes the last undone change", ANYWHERE, redo, 0, NULL, NULL, 0,
     NULL},
    {edit_menu, "go-to-change", "F12", "back or forth to any change, by its number", ANYWHERE, go_to_change, 0,
     &argument_edit, NULL, 0, NULL},
    {edit_menu, "list-edits", "Ctrl+U", "all changes, to go back to any", ANYWHERE, list_edits, 0, NULL, NULL, 0,
     has_edits},
    {edit_menu, "filter", "Return", "filters in sequence, as in gaussian=2,sharpen", ANYWHERE, set_filter, 0,
     &argument_chain, NULL, ACTION_CONTEXT, NULL},
    {edit_menu, "add", "A", "another filter behind the chain", ANYWHERE, add_filter, 0, &argument_filter, NULL,
     ACTION_CONTEXT, NULL},
    {edit_menu, "preset", "@", "a chain with a name, in place of the current one", ANYWHERE, set_preset, 0,
     &argument_preset, NULL, 0, NULL},
    {edit_menu, "second-picture", "Q", "the selected filter's second picture: a file, or an open one", ANYWHERE,
     set_image, 0, &argument_image, NULL, 0, NULL},
    {edit_menu, "save-preset", "Ctrl+P", "the chain under a name, among your own presets", ANYWHERE, save_preset, 0,
     &argument_preset_name, NULL, 0, NULL},
    {edit_menu, "editor", "M", "draws the selected filter's mask or curve", ANYWHERE, toggle_editor, 0, NULL, NULL,
     ACTION_RULE, is_editing},
    {edit_menu, "handles", "Ctrl+T", "the selected filter's rectangle, place, angle or corners, on the picture",
     ANYWHERE, toggle_handles, 0, NULL, NULL, ACTION_CONTEXT, has_handles},
    {edit_menu, "mask-preset", "R", "another mask of the same size, by its name", ANYWHERE, set_mask_preset, 0,
     &argument_mask, NULL, 0, NULL},
    {edit_menu, "larger-mask", "Ctrl+]", "two cells more a side", ANYWHERE, grow_mask, 2, NULL, NULL, 0, NULL},
    {edit_menu, "smaller-mask", "Ctrl+[", "two cells less a side", ANYWHERE, grow_mask, -2, NULL, NULL, 0, NULL},
    {edit_menu, "normalize-mask", "Ctrl+N", "a factor that makes the weights' sum 1, so that brightness stays",
     ANYWHERE, normalize_mask, 0, NULL, NULL, 0, NULL},
    {edit_menu, "next-filter", ". PageDown", "the list's next filter, in place of the selected one", ANYWHERE,
     pick_filter, 1, NULL, NULL, ACTION_RULE, NULL},
    {edit_menu, "previous-filter", ", PageUp", "the list's filter before the selected one; before the first, none",
     ANYWHERE, pick_filter, -1, NULL, NULL, 0, NULL},
    {edit_menu, "select-filter", ";", "the chain's next filter, for these keys and [ ] { }", ANYWHERE, select_filter, 0,
     NULL, NULL, 0, NULL},
    {edit_menu, "switch-filter", "~", "the selected filter off, and on again", ANYWHERE, edit_link, EDIT_SWITCH, NULL,
     NULL, ACTION_RULE, NULL},
    {edit_menu, "duplicate-filter", "Ctrl+D", "the selected filter once more, behind itself", ANYWHERE, edit_link,
     EDIT_DUPLICATE, NULL, NULL, 0, NULL},
    {edit_menu, "reset-filter", "Ctrl+R", "the selected filter to the values that it began with", ANYWHERE, edit_link,
     EDIT_RESET, NULL, NULL, 0, NULL},
    {edit_menu, "reset-filters", "Ctrl+Shift+R", "all filters to the values that they began with", ANYWHERE, reset_all,
     0, NULL, NULL, 0, NULL},
    {edit_menu, "remove-filter", "Delete", "takes the selected filter away", ANYWHERE, edit_link, EDIT_REMOVE, NULL,
     NULL, 0, NULL},
    {edit_menu, "move-filter-earlier", "<", "the selected filter before the one before it", ANYWHERE, edit_link,
     EDIT_EARLIER, NULL, NULL, 0, NULL},
    {edit_menu, "move-filter-later", ">", "the selected filter behind the next one", ANYWHERE, edit_link, EDIT_LATER,
     NULL, NULL, 0, NULL},
    {edit_menu, "confine", "$", "the selected filter to a part: one marked by a drag with Ctrl, or a mask's", ANYWHERE,
     confine, 0, &argument_place, NULL, ACTION_CONTEXT, NULL},
    {edit_menu, "paint-mask", "Ctrl+J", "paints where the selected filter acts; again: ends that, and saves the mask",
     ANYWHERE, paint, 0, NULL, NULL, 0, is_painting},
    {edit_menu, "set", "V",
     "a value of the selected filter, to be typed, as in sigma=2.5; or a double click on a slider", ANYWHERE,
     set_values, 0, &argument_values, NULL, ACTION_RULE, NULL},
    {edit_menu, "more", "]", "more of the main parameter", ANYWHERE, step_param, 1, NULL, NULL, 0, NULL},
    {edit_menu, "less", "[", "less of the main parameter", ANYWHERE, step_param, -1, NULL, NULL, 0, NULL},
    {edit_menu, "more-of-second", "}", "more of the second parameter", ANYWHERE, step_param, 2, NULL, NULL, 0, NULL},
    {edit_menu, "less-of-second", "{", "less of the second parameter", ANYWHERE, step_param, -2, NULL, NULL, 0, NULL},
    {edit_menu, "border", "B", "the values beyond the edge, as in constant=128", ANYWHERE, set_border, 0,
     &argument_border, NULL, ACTION_RULE, NULL},
    {edit_menu, "next-border", "b", "the next border: the values beyond the edge", ANYWHERE, next_border, 0, NULL, NULL,
     0, NULL},

    {view_menu, "split", "s |", "before on the left, after on the right; drag the handle", ANYWHERE, toggle_compare,
     COMPARE_SPLIT, NULL, NULL, ACTION_CONTEXT, is_split},
    {view_menu, "difference", "d /", "how far the result is from the picture; e brightens it, Ctrl+G as far as can be",
     ANYWHERE, toggle_compare, COMPARE_DIFFERENCE, NULL, NULL, ACTION_CONTEXT, is_difference},
    {view_menu, "side-by-side", "S", "before at the left, after at the right, the same part of both", ANYWHERE,
     toggle_compare, COMPARE_SIDES, NULL, NULL, 0, is_sides},
    {view_menu, "flicker", "t", "before and after in turns, in one place", ANYWHERE, toggle_compare, COMPARE_FLICKER,
     NULL, NULL, 0, is_flicker},
    {view_menu, "heat-map", "D", "differences by how large they are, or in their own colours", ANYWHERE, toggle_heat, 0,
     NULL, NULL, 0, has_heat},
    {view_menu, "fit-gain", "Ctrl+G", "brightens differences until the largest is as bright as can be", ANYWHERE,
     fit_gain, 0, NULL, NULL, 0, NULL},
    {view_menu, "worst-pixel", "n !", "where the two sides differ most", ANYWHERE, show_worst, 0, NULL, NULL, 0, NULL},
    {view_menu, "keep", "K", "this result, to compare it with any other chain, level, backend, device, file or look",
     ANYWHERE, pin, 0, NULL, NULL, ACTION_CONTEXT, has_pin},
    {view_menu, "let-go", "J", "the kept result, to compare with the picture again", ANYWHERE, unpin, 0, NULL, NULL, 0,
     NULL},
    {view_menu, "unfiltered", "Space \\", "the picture before filtering, while held", ANYWHERE, hold_unfiltered, 0,
     NULL, NULL, ACTION_HELD | ACTION_CONTEXT, is_unfiltered},
    {view_menu, "motion", "Space", "lets the spheres move, or bodies attract each other, and stops them", IN_SCENES,
     toggle_motion, 0, NULL, NULL, ACTION_CONTEXT, viewer_moves},
    {view_menu, "zoom-in", "+ =", "closer; the wheel does it about the pointer", ANYWHERE, zoom, 1, NULL, NULL,
     ACTION_RULE, NULL},
    {view_menu, "zoom-out", "-", "farther", ANYWHERE, zoom, -1, NULL, NULL, 0, NULL},
    {view_menu, "fit", "f", "the whole picture or scene, in the middle", ANYWHERE, fit, 0, NULL, NULL, ACTION_CONTEXT,
     NULL},
    {view_menu, "reset-view", "r", "one to one; the default camera, exposure and colours", ANYWHERE, reset_view, 0,
     NULL, NULL, ACTION_CONTEXT, NULL},
    {view_menu, "camera", "v", "orthographic, or perspective: dragging turns it", IN_SCENES, switch_camera, 0, NULL,
     NULL, ACTION_RULE, NULL},
    {view_menu, "look", "N", "the shading mode, by its name", IN_SCENES, set_look, 0, &argument_look, NULL,
     ACTION_CONTEXT, NULL},
    {view_menu, "next-look", "n", "the next shading mode", IN_SCENES, next_look, 0, NULL, NULL, 0, NULL},
    {view_menu, "denoise", "x", "paths without the remaining noise, by the visible surfaces", IN_SCENES, toggle_denoise,
     0, NULL, NULL, ACTION_CONTEXT, is_denoised},
    {view_menu, "brighter", "e", "half a stop more exposure on the screen", ANYWHERE, expose, 1, NULL, NULL,
     ACTION_RULE, NULL},
    {view_menu, "darker", "E", "half a stop less exposure on the screen", ANYWHERE, expose, -1, NULL, NULL, 0, NULL},
    {view_menu, "overlay", "Tab", "compact, full or off", ANYWHERE, next_overlay, 0, NULL, NULL, ACTION_RULE, NULL},
    {view_menu, "facts", "k", "the kernel, the job and the roofline, at the right", ANYWHERE, toggle_facts, 0, NULL,
     NULL, 0, has_facts},
    {view_menu, "fold", "Z", "folds a section of the columns, or shows it again", ANYWHERE, fold, 0, &argument_section,
     NULL, 0, NULL},
    {view_menu, "theme", "F8", "colours of the panels: dark, light or contrast", ANYWHERE, set_theme, 0,
     &argument_theme, NULL, 0, NULL},
    {view_menu, "larger-texts", "Ctrl+= Ctrl++ Ctrl+Shift++", "larger texts and panels", ANYWHERE, scale_texts, 1, NULL,
     NULL, 0, NULL},
    {view_menu, "smaller-texts", "Ctrl+-", "smaller texts and panels", ANYWHERE, scale_texts, -1, NULL, NULL, 0, NULL},
    {view_menu, "default-texts", "Ctrl+0", "texts and panels as large as suits the window and the display", ANYWHERE,
     scale_texts, 0, NULL, NULL, 0, NULL},
    {view_menu, "menu-bar", "F10", "this bar; the right button has the menus, too", ANYWHERE, toggle_bar, 0, NULL, NULL,
     0, has_bar},
    {view_menu, "full-screen", "F11", "the whole screen, and back", ANYWHERE, fullscreen, 0, NULL, NULL,
     ACTION_UNWRITTEN, NULL},

    {scene_menu, "change", "Ctrl+Shift+C", "surfaces and light, as in sun=altitude=20,sphere=7:red=1:material=metal",
     IN_SCENES, change_scene, 0, &argument_changes, NULL, ACTION_UNWRITTEN, NULL},
    {scene_menu, "change-camera", "Ctrl+Shift+V", "the camera, as in angle=30:lens=2", IN_SCENES, change_camera, 0,
     &argument_camera, NULL, ACTION_UNWRITTEN, NULL},
    {scene_menu, "change-light", "Ctrl+Shift+L", "how light is gathered, as in samples=64:depth=3", IN_SCENES,
     change_gathering, 0, &argument_gathering, NULL, ACTION_UNWRITTEN, NULL},
    {scene_menu, "reset-scene", "Ctrl+Delete", "the scene without any changes of surfaces and light", IN_SCENES,
     reset_scene, 0, NULL, NULL, ACTION_UNWRITTEN, NULL},
    {scene_menu, "save-scene", "Ctrl+Shift+S", "saves the scene with its changes, as it is seen now", IN_SCENES,
     save_scene, 0, &argument_scene_file, NULL, 0, NULL},
    {scene_menu, "pick", "Ctrl+F", "the surface under the pointer, to change it; a click picks it, too", IN_SCENES,
     pick, 0, NULL, NULL, ACTION_RULE | ACTION_CONTEXT | ACTION_UNWRITTEN, NULL},
    {scene_menu, "aim", "X", "turns towards the surface under the pointer, to orbit about it; a double click does, too",
     IN_SCENES, aim, 0, NULL, NULL, ACTION_CONTEXT | ACTION_UNWRITTEN, NULL},
    {scene_menu, "focus", "Ctrl+Shift+F", "the thin lens is sharp at the surface under the pointer", IN_SCENES, focus,
     0, NULL, NULL, ACTION_CONTEXT | ACTION_UNWRITTEN, NULL},
    {scene_menu, "walk", "Ctrl+W", "dragging looks around, instead of turning about the middle", IN_SCENES, toggle_walk,
     0, NULL, NULL, ACTION_RULE, is_walking},
    {scene_menu, "inertia", "Ctrl+Shift+W", "movements of the camera end slowly", IN_SCENES, toggle_inertia, 0, NULL,
     NULL, 0, has_inertia},
    {scene_menu, "move-ahead", "w", "the camera goes ahead, while held", IN_SCENES, walk, WALK_AHEAD, NULL, NULL,
     ACTION_HELD | ACTION_RULE | ACTION_UNWRITTEN, NULL},
    {scene_menu, "move-back", "s", "the camera goes back, while held", IN_SCENES, walk, WALK_BACK, NULL, NULL,
     ACTION_HELD | ACTION_UNWRITTEN, NULL},
    {scene_menu, "move-left", "a", "the camera goes left, while held", IN_SCENES, walk, WALK_LEFT, NULL, NULL,
     ACTION_HELD | ACTION_UNWRITTEN, NULL},
    {scene_menu, "move-right", "d", "the camera goes right, while held", IN_SCENES, walk, WALK_RIGHT, NULL, NULL,
     ACTION_HELD | ACTION_UNWRITTEN, NULL},
    {scene_menu, "move-up", "PageUp", "the camera goes up, while held", IN_SCENES, walk, WALK_UP, NULL, NULL,
     ACTION_HELD | ACTION_UNWRITTEN, NULL},
    {scene_menu, "move-down", "PageDown", "the camera goes down, while held", IN_SCENES, walk, WALK_DOWN, NULL, NULL,
     ACTION_HELD | ACTION_UNWRITTEN, NULL},

    {look_menu, "inspector", "x", "the pixel under the pointer, and the arithmetic behind it", IN_PICTURES,
     toggle_inspector, 0, NULL, NULL, ACTION_CONTEXT, has_inspector},
    {look_menu, "freeze", "X", "the inspector stays at the pixel, or follows again; a click does so, too", IN_PICTURES,
     freeze_pixel, 0, NULL, NULL, 0, NULL},
    {look_menu, "histogram", "H", "how often values occur, in all or in the part that a drag with Ctrl marks", ANYWHERE,
     toggle_histogram, FORM_HISTOGRAM, NULL, NULL, ACTION_RULE | ACTION_CONTEXT, NULL},
    {look_menu, "waveform", "W", "how often values occur, by the picture's columns", ANYWHERE, toggle_histogram,
     FORM_WAVEFORM, NULL, NULL, 0, NULL},
    {look_menu, "next-scale", "L", "the histogram linear, logarithmic or cumulative", ANYWHERE, next_scale, 0, NULL,
     NULL, 0, NULL},
    {look_menu, "channel", "C", "red, green, blue, alpha or luma alone, as gray", ANYWHERE, next_channel, 0, NULL, NULL,
     ACTION_RULE, NULL},
    {look_menu, "false-colour", "F", "colours by brightness: from violet over green to yellow", ANYWHERE,
     toggle_false_colour, 0, NULL, NULL, 0, has_false_colour},
    {look_menu, "zebra", "z", "stripes where values are black or white, or beyond", ANYWHERE, toggle_zebra, 0, NULL,
     NULL, 0, has_zebra},
    {look_menu, "more-gamma", "y", "middle tones brighter on the screen", ANYWHERE, step_gamma, 1, NULL, NULL,
     ACTION_RULE, NULL},
    {look_menu, "less-gamma", "Y", "middle tones darker on the screen", ANYWHERE, step_gamma, -1, NULL, NULL, 0, NULL},
    {look_menu, "change-tone", "Ctrl+Shift+E",
     "exposure and gamma, as in exposure=1.5:gamma=1.2; sliders have them, too", ANYWHERE, change_tone, 0,
     &argument_tone, NULL, ACTION_UNWRITTEN, NULL},

    {levels_menu, "level", "1 2 3 4 5 6 7 8 9 0", "a rung of the ladder, by its digit; 0 is the reference", ANYWHERE,
     set_level, 0, &argument_level, "1 2 3 4 5 6 7 8 9 0", ACTION_CONTEXT, NULL},
    {levels_menu, "next-level", "Up", "one rung up: the next idea", ANYWHERE, climb, 1, NULL, NULL, 0, NULL},
    {levels_menu, "previous-level", "Down", "one rung down", ANYWHERE, climb, -1, NULL, NULL, 0, NULL},
    {levels_menu, "best-level", "End", "the fastest rung that can do the job", ANYWHERE, best_level, 0, NULL, NULL, 0,
     NULL},
    {levels_menu, "race", "l", "times every rung on this job", ANYWHERE, toggle_race, 0, NULL, NULL,
     ACTION_RULE | ACTION_CONTEXT, is_racing},
    {levels_menu, "measure", "m", "runs without end, for steady figures", ANYWHERE, toggle_measuring, 0, NULL, NULL, 0,
     is_measuring},
    {levels_menu, "forget-latency", "Ctrl+L", "forgets the times from input to swap so far", ANYWHERE, forget_latency,
     0, NULL, NULL, 0, NULL},
    {levels_menu, "machine", "F2", "the costs of this device: strides, caches, branches, atomics, launches, as curves",
     ANYWHERE, toggle_machine, 0, NULL, NULL, 0, has_machine},
    {levels_menu, "backend", "G", "a backend, by its name", ANYWHERE, set_backend, 0, &argument_backend, NULL,
     ACTION_RULE, NULL},
    {levels_menu, "next-backend", "g", "the next backend, on the same job", ANYWHERE, next_backend, 0, NULL, NULL, 0,
     NULL},
    {levels_menu, "device", "Ctrl+B", "one of several devices of this backend, by its number from 0", ANYWHERE,
     set_device, 0, &argument_device, NULL, 0, NULL},
    {levels_menu, "next-device", "Ctrl+Shift+B", "the next device of this backend, on the same job", ANYWHERE,
     next_device, 0, NULL, NULL, 0, NULL},
    {levels_menu, "route", "O", "how results reach the window: copy, pbo, surface or best", ANYWHERE, set_route, 0,
     &argument_route, NULL, 0, NULL},
    {levels_menu, "next-route", "o", "the next way of results into the window", ANYWHERE, next_route, 0, NULL, NULL, 0,
     NULL},

    {help_menu, "help", "h ? F1", "all keys", ANYWHERE, toggle_help, 0, NULL, NULL, 0, has_help},
    {help_menu, "palette", "Ctrl+K :", "a list of everything that can be done, to be searched by words", ANYWHERE,
     palette, 0, &argument_command, NULL, ACTION_UNWRITTEN, NULL},
    {help_menu, "tour", "F3", "ten steps through the program; goes on to the next one", ANYWHERE, tour, 0, NULL, NULL,
     ACTION_RULE, is_touring},
    {help_menu, "tour-back", "Ctrl+F3", "one step of the tour back", ANYWHERE, tour_on, -1, NULL, NULL, 0, NULL},
    {help_menu, "tour-leave", "F4", "ends the tour", ANYWHERE, tour_on, 0, NULL, NULL, 0, NULL},
    {help_menu, "photograph", "F6", "opens the photograph that comes with glint", ANYWHERE, open_photograph, 0, NULL,
     NULL, 0, NULL},
    {help_menu, "welcome", "F7", "first steps, where nothing is open", IN_SCENES, toggle_welcome, 0, NULL, NULL, 0,
     is_welcome},
    {help_menu, "close", "Esc q", "closes the topmost panel, then the window", ANYWHERE, close_top, 0, NULL, NULL,
     ACTION_CLOSES, NULL},
};
const size_t action_count = sizeof actions / sizeof actions[0];

const Action *action_by_name(const char *name) {
    for (size_t i = 0; i < action_count; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}
