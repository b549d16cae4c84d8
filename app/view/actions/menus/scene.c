/* scene.c: a scene: changing it, and walking through it; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/menus/choosing.h"
#include "app/view/actions/menus/replacing.h"
#include "app/view/session/paths.h"
#include "app/view/tools/frames.h"
#include "app/view/tools/objects.h"
#include "app/view/tools/pick.h"
#include "app/view/tools/save_after.h"
#include "app/view/tools/walk.h"
#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

static Status reset_scene(Viewer *viewer) {
    return viewer_reset_scene(viewer, NULL, 0);
}

static Status save_scene(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    TRY(viewer_save_scene(viewer, path_expand(text, path, sizeof path), replacing_may(viewer, text)));
    viewer_say_file(viewer, "Saved", path, "");
    return STATUS_OK;
}

/* Scripts wait for the file. */
static Status save_after(Viewer *viewer, Call call) {
    TRY(save_after_begin(viewer, call.text, viewer->overwrite));
    return call.strict ? save_after_await(viewer) : STATUS_OK;
}

static bool waits_to_save(const Viewer *viewer) {
    SaveProgress progress;
    return save_after_waits(viewer, &progress);
}

static Status stop_save_after(Viewer *viewer) {
    return save_after_tool.close(viewer) ? STATUS_OK : fail(STATUS_USAGE, "no picture waits for its samples");
}

static Status pick(Viewer *viewer) {
    return pick_at(viewer, viewer->pointer_x, viewer->pointer_y);
}

static Status aim(Viewer *viewer) {
    return pick_aim(viewer, viewer->pointer_x, viewer->pointer_y);
}

static Status focus(Viewer *viewer) {
    return pick_focus(viewer, viewer->pointer_x, viewer->pointer_y);
}

static Status toggle_walk(Viewer *viewer) {
    walk_toggle(viewer);
    return STATUS_OK;
}

static Status toggle_inertia(Viewer *viewer) {
    walk_toggle_inertia(viewer);
    return STATUS_OK;
}

static Status step_frame(Viewer *viewer, Call call) {
    return frames_step(viewer, call.step);
}

static Status go_to_frame(Viewer *viewer, const char *text) {
    const char *end;
    double place;
    return text_number(text, &end, &place) && *end == '\0'
               ? frames_go_to(viewer, place)
               : fail(STATUS_USAGE, "the frame is \"%s\", want a number from 1 to %zu", text, frames_count(viewer));
}

static Status toggle_between(Viewer *viewer) {
    frames_toggle_between(viewer);
    return STATUS_OK;
}

static Status walk(Viewer *viewer, Call call) {
    walk_press(viewer, (WalkWay)call.step, call.pressed, call.held);
    return STATUS_OK;
}

/* ---- arguments ---- */

/* All parts, and the generator's own parameters. */
static Status choose_change(const Viewer *viewer, const char *text, Choices *choices) {
    const char *comma = strrchr(text, ','), *last = comma ? comma + 1 : text;
    const SceneGenerator *generator = scene_text_generator(viewer->request->scene);
    char line[2 * ENTRY_MAX];
    choices->wanted = last;
    for (size_t i = 0; i < scene_part_count + (generator != NULL); i++) {
        const bool part = i < scene_part_count;
        const char *name = part ? scene_parts[i].name : generator->name;
        const char *help = part ? scene_parts[i].help : generator->help;
        snprintf(line, sizeof line, "%.*s%s=", (int)(last - text), text, name);
        if (!strpbrk(last, "=:") && (!part || scene_parts[i].count(viewer_scene(viewer)) > 0))
            TRY(choices_add(
                choices,
                (Choice){.text = line, .label = choice_borrows(name), .help = choice_borrows(help), .goes_on = true}));
    }
    return STATUS_OK;
}

static Status choose_camera(const Viewer *viewer, const char *text, Choices *choices) {
    return choose_params(cameras[viewer->request->orbit_camera.camera.kind].table, text, choices);
}

static Status choose_gathering(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return choose_params(gathering_table, text, choices);
}

static Status choose_style(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return choose_params(figure_style_table, text, choices);
}

/* Next to it, or here. */
static size_t format_scene_file(const Viewer *viewer, char *buffer, size_t size) {
    return format_beside(viewer, "-changed.scene", buffer, size);
}

static size_t format_samples(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%u", looks[viewer->request->look].samples);
}

static size_t format_frame(const Viewer *viewer, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%.7g", frames_place(viewer));
}

static const Argument argument_frame = {
    .name = "FRAME", .words = "a frame's number, or 2.5 for half way from 2 to 3", .format = format_frame};
static const Argument argument_samples = {.name = "SAMPLES [FILE]",
                                          .words = "samples of a pixel, and maybe a file, as in 256 out.png",
                                          .format = format_samples,
                                          .check = save_after_check};
static const Argument argument_changes = {
    .name = "CHANGES", .words = "changes of the scene, as in sun=altitude=20", .choose = choose_change};
static const Argument argument_camera = {
    .name = "VALUES", .words = "values of the camera, as in angle=30:lens=2", .choose = choose_camera};
static const Argument argument_gathering = {
    .name = "VALUES", .words = "how light is gathered, as in samples=64", .choose = choose_gathering};
static const Argument argument_style = {
    .name = "VALUES", .words = "how figures are drawn, as in outline=2:shadow=1", .choose = choose_style};
const Argument argument_scene_file = {.name = "FILE",
                                      .words = "a file for the scene, NAME.scene",
                                      .format = format_scene_file,
                                      .choose = choose_folder,
                                      .proposes = true};

static const Action rows[] = {
    {"change", "Ctrl+Shift+C", "changes surfaces and light, as in sun=altitude=20,sphere=7:red=1:material=metal",
     .label = "type a change", .place = IN_SCENES, .take = viewer_change_scene, .argument = &argument_changes,
     .flags = ACTION_UNWRITTEN},
    {"change-camera", "Ctrl+Shift+V", "changes the camera, as in angle=30:lens=2", .place = IN_SCENES,
     .take = viewer_change_camera, .argument = &argument_camera, .flags = ACTION_UNWRITTEN | ACTION_RARE},
    {"change-light", "Ctrl+Shift+L", "changes how light is gathered, as in samples=64:depth=3", .place = IN_SCENES,
     .take = viewer_change_gathering, .argument = &argument_gathering, .flags = ACTION_UNWRITTEN | ACTION_RARE},
    {"change-figure", "Ctrl+6", "changes how the look figure is drawn, as in background=none:outline=2",
     .label = "change the figure", .place = IN_SCENES, .take = viewer_change_style, .argument = &argument_style,
     .flags = ACTION_UNWRITTEN | ACTION_RARE},
    {"reset-scene", "Ctrl+Delete", "discards all changes of surfaces and light", .label = "discard changes",
     .place = IN_SCENES, .act = reset_scene, .flags = ACTION_UNWRITTEN},
    {"save-scene", "Ctrl+Shift+S", "saves the scene with its changes, as it is seen now", .place = IN_SCENES,
     .take = save_scene, .doubts = replacing_doubts, .argument = &argument_scene_file},
    {"save-after", "Ctrl+Shift+P", "saves the picture once it has so many samples, no more and no fewer",
     .label = "save after samples", .place = IN_SCENES, .run = save_after, .argument = &argument_samples,
     .on = waits_to_save, .flags = ACTION_RARE, .can = viewer_gathers},
    {"stop-save-after", "Ctrl+F12", "gives up the picture that waits for its samples; Esc does, too",
     .place = IN_SCENES, .act = stop_save_after, .can = waits_to_save, .flags = ACTION_RARE | ACTION_UNWRITTEN},
    {"add-sphere", "Ctrl+Shift+J", "adds a sphere in the middle, to be dragged; the panel Surface changes it",
     .place = IN_SCENES, .act = objects_add_sphere, .flags = ACTION_RULE | ACTION_CONTEXT | ACTION_UNWRITTEN},
    {"add-lamp", "Ctrl+Shift+U", "adds a small sphere that shines, above the middle", .place = IN_SCENES,
     .act = objects_add_lamp, .flags = ACTION_CONTEXT | ACTION_UNWRITTEN},
    {"remove-object", "Ctrl+Shift+Y", "removes the sphere or lamp that was clicked; Delete does, too",
     .place = IN_SCENES, .act = objects_remove, .can = objects_can_remove,
     .flags = ACTION_CONTEXT | ACTION_UNWRITTEN | ACTION_RARE},
    {"pick", "Ctrl+F", "picks the surface under the pointer, to change it; a click does, too", .place = IN_SCENES,
     .act = pick, .flags = ACTION_RULE | ACTION_CONTEXT | ACTION_UNWRITTEN | ACTION_RARE},
    {"aim", "X", "turns towards the surface under the pointer, to orbit about it; a double click does, too",
     .place = IN_SCENES, .act = aim, .flags = ACTION_CONTEXT | ACTION_UNWRITTEN | ACTION_RARE},
    {"focus", "Ctrl+Shift+F", "focuses the thin lens on the surface under the pointer", .place = IN_SCENES,
     .act = focus, .flags = ACTION_CONTEXT | ACTION_UNWRITTEN | ACTION_RARE},
    {"walk", "Ctrl+W", "lets drags look around, instead of turning about the middle", .label = "walk with the keys",
     .place = IN_SCENES, .act = toggle_walk, .flags = ACTION_RULE, .on = walk_on,
     .says = {"dragging looks around: w a s d walk, PageUp and PageDown go up and down",
              "dragging turns about the middle"}},
    {"inertia", "Ctrl+Shift+W", "lets movements of the camera end slowly", .place = IN_SCENES, .act = toggle_inertia,
     .on = walk_has_inertia, .says = {"movements end slowly", "movements end at once"}, .flags = ACTION_RARE},
    {"move-ahead", "w", "moves the camera ahead, while held", .place = IN_SCENES, .run = walk, .step = WALK_AHEAD,
     .flags = ACTION_HELD | ACTION_RULE | ACTION_UNWRITTEN | ACTION_RARE},
    {"move-back", "s", "moves the camera back, while held", .place = IN_SCENES, .run = walk, .step = WALK_BACK,
     .flags = ACTION_HELD | ACTION_UNWRITTEN | ACTION_RARE},
    {"move-left", "a", "moves the camera left, while held", .place = IN_SCENES, .run = walk, .step = WALK_LEFT,
     .flags = ACTION_HELD | ACTION_UNWRITTEN | ACTION_RARE},
    {"move-right", "d", "moves the camera right, while held", .place = IN_SCENES, .run = walk, .step = WALK_RIGHT,
     .flags = ACTION_HELD | ACTION_UNWRITTEN | ACTION_RARE},
    {"move-up", "PageUp", "moves the camera up, while held", .place = IN_SCENES, .run = walk, .step = WALK_UP,
     .flags = ACTION_HELD | ACTION_UNWRITTEN | ACTION_RARE},
    {"move-down", "PageDown", "moves the camera down, while held", .place = IN_SCENES, .run = walk, .step = WALK_DOWN,
     .flags = ACTION_HELD | ACTION_UNWRITTEN | ACTION_RARE},
    {"next-frame", ")", "shows the next frame of particles; Space plays them", .place = IN_SCENES, .run = step_frame,
     .step = 1, .can = frames_are_several, .flags = ACTION_UNWRITTEN | ACTION_RARE},
    {"previous-frame", "(", "shows the frame before", .place = IN_SCENES, .run = step_frame, .step = -1,
     .can = frames_are_several, .flags = ACTION_UNWRITTEN | ACTION_RARE},
    {"go-to-frame", "Ctrl+5", "goes to a frame, as 12, or 2.5 for half way from 2 to 3", .label = "go to a frame",
     .place = IN_SCENES, .take = go_to_frame, .argument = &argument_frame, .can = frames_are_several,
     .flags = ACTION_UNWRITTEN | ACTION_RARE},
    {"between-frames", "%", "lets particles go on between frames, without leaps, while these play", .place = IN_SCENES,
     .act = toggle_between, .on = frames_go_between, .can = frames_are_several,
     .says = {"particles go on between frames", "frame by frame"}, .flags = ACTION_RARE},
};

const Menu scene_menu = {"Scene", rows, sizeof rows / sizeof rows[0]};
