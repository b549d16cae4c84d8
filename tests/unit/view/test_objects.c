/* test_objects.c: spheres and lamps that hands add, move and remove. Places are those of a pinhole: half of the
 * picture's height is tan(angle / 2) times the distance. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/data/projection.h"
#include "app/view/tools/every_tool.h"
#include "core/scene/scene_open.h"

#include "tests/unit/view/fixture.h"

enum { WIDE = 64, HIGH = 48 };

static const char scene_text[] = "glint-scene 2\ncamera 0 0 10  0 0 0  0 1 0  90\nlight sun 0 1 0 3 3 3\n"
                                 "light point 5 0 0 9 9 9\nsphere 0 0 0 1 1 1 1\nsphere 0 0 4 1 1 0 0\n";

static int open_objects(void **state) {
    Viewer *viewer = make_viewer("", "best");
    viewer_resize(viewer, WIDE, HIGH);
    write_text("objects.scene", scene_text);
    assert_int_equal(viewer_open_scene(viewer, "objects.scene"), STATUS_OK);
    *state = viewer;
    return 0;
}

static int close_objects(void **state) {
    remove("objects.scene");
    return close_viewer(state);
}

/* f32 has seven digits. */
static bool at(Vec place, double x, double y, double z) {
    return fabs((double)place.x - x) < 1e-4 && fabs((double)place.y - y) < 1e-4 && fabs((double)place.z - z) < 1e-4;
}

static Vec sphere_at(const Viewer *viewer, size_t index) {
    assert_true(index < viewer_scene(viewer)->count);
    return sphere_centre(&viewer_scene(viewer)->spheres[index]);
}

/* A drag of the left button in two steps, as one movement; false if no tool of objects takes it. */
static bool drag(Viewer *viewer, double x, double y, double dx, double dy) {
    ToolEvent event = {.kind = TOOL_PRESS, .button = MOUSE_LEFT, .x = x, .y = y, .result_x = x};
    viewer->held = true;
    viewer->movement++;
    const bool taken = tools_take(viewer, &event) == &objects_tool;
    for (int step = 1; step <= 2 && taken; step++) {
        event = (ToolEvent){.kind = TOOL_MOVE, .x = x + dx * step / 2, .y = y + dy * step / 2};
        event.result_x = event.x;
        assert_true(objects_tool.event(viewer, &event));
    }
    (void)tools_take(viewer, &(ToolEvent){.kind = TOOL_RELEASE});
    viewer->held = false;
    return taken;
}

static void click(Viewer *viewer, double x, double y) {
    viewer->pointer_x = x;
    viewer->pointer_y = y;
    assert_int_equal(action_command(viewer, "pick", true), STATUS_OK);
}

/* Sphere 2 is 6 ahead: half of the height, 24 pixels, is 6, and a pixel is 0.25. */
static void a_drag_moves_what_was_clicked(void **state) {
    Viewer *viewer = *state;
    const size_t before = viewer->edits.at;
    assert_false(drag(viewer, WIDE / 2.0, HIGH / 2.0, 12, -6)); /* nothing is picked: the camera turns */
    click(viewer, WIDE / 2.0, HIGH / 2.0);
    assert_int_equal(picked(viewer)->pick.index, 1);
    assert_false(drag(viewer, 2, 2, 12, -6)); /* next to it */
    assert_true(drag(viewer, WIDE / 2.0, HIGH / 2.0, 12, -6));
    assert_true(at(sphere_at(viewer, 1), 3, 1.5, 4) && at(sphere_at(viewer, 0), 0, 0, 0));
    assert_true(at(picked(viewer)->place[0], 3, 1.5, 4));
    assert_int_equal(viewer->edits.at, before + 1); /* both steps are one edit */
    assert_string_equal(viewer->edits.list[viewer->edits.at].words, "Sphere 2: to 3, 1.5, 4");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(action_press(viewer, "u", true), STATUS_OK);
    assert_true(at(sphere_at(viewer, 1), 0, 0, 4) && at(picked(viewer)->place[0], 0, 0, 4));
    assert_string_equal(viewer_title(viewer), "objects.scene");
}

/* The lamp is 12 pixels right of the middle, sphere 2 in it: neither has to be clicked before its drag, once one is
 * picked. After Esc drags turn the camera again. */
static void a_drag_picks_another_object(void **state) {
    Viewer *viewer = *state;
    click(viewer, WIDE / 2.0 + 12, HIGH / 2.0);
    assert_string_equal(picked(viewer)->pick.part->name, "lamp");
    const size_t before = viewer->edits.at;
    assert_true(drag(viewer, WIDE / 2.0, HIGH / 2.0, 12, -6));
    assert_true(at(sphere_at(viewer, 1), 3, 1.5, 4));
    assert_string_equal(picked(viewer)->pick.part->name, "sphere");
    assert_int_equal(picked(viewer)->pick.index, 1);
    assert_int_equal(viewer->edits.at, before + 1);
    assert_true(drag(viewer, WIDE / 2.0 + 12, HIGH / 2.0, 0, -12)); /* the mark is smaller than the sphere there */
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_null(picked(viewer));
    assert_false(drag(viewer, WIDE / 2.0, HIGH / 2.0, 12, -6));
}

/* From +x, right is -z: the plane that faces the camera is that of y and z. Sphere 1 is 10 ahead, and so a pixel is
 * 2 * 10 / 48. Parallel rays see the camera's unit everywhere. */
static void the_plane_faces_the_camera(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_change_scene(viewer, "sphere=2:z=300,lamp=1:y=300"), STATUS_OK);
    assert_int_equal(viewer_change_camera(viewer, "angle=90:x=10:y=0:z=0:to_x=0:to_y=0:to_z=0"), STATUS_OK);
    click(viewer, WIDE / 2.0, HIGH / 2.0);
    assert_int_equal(picked(viewer)->pick.index, 0);
    assert_true(drag(viewer, WIDE / 2.0, HIGH / 2.0, 12, 24));
    assert_true(at(sphere_at(viewer, 0), 0, -10, -5));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_switch_camera(viewer), STATUS_OK);
    assert_int_equal(viewer_change_camera(viewer, "unit=0.5:x=0:y=0"), STATUS_OK);
    assert_int_equal(viewer_change_scene(viewer, "sphere=2:radius=0"), STATUS_OK);
    click(viewer, WIDE / 2.0, HIGH / 2.0);
    assert_true(drag(viewer, WIDE / 2.0, HIGH / 2.0, 12, -6));
    assert_true(at(sphere_at(viewer, 0), 6, 3, 0));
}

/* The lamp is 10 ahead and 5 to the right: 12 pixels from the middle. */
static void a_lamp_is_clicked_by_its_mark(void **state) {
    Viewer *viewer = *state;
    LampMark marks[LAMP_MARKS];
    assert_int_equal(pick_lamps(viewer, marks, LAMP_MARKS), 1);
    assert_true(near(marks[0].x, WIDE / 2.0 + 12) && near(marks[0].y, HIGH / 2.0));
    click(viewer, WIDE / 2.0 + 15, HIGH / 2.0 + 3);
    assert_string_equal(picked(viewer)->pick.part->name, "lamp");
    assert_true(drag(viewer, WIDE / 2.0 + 15, HIGH / 2.0 + 3, 0, -12));
    assert_true(at(viewer_scene(viewer)->lights[1].at, 5, 5, 0));
    assert_int_equal(action_press(viewer, "Delete", true), STATUS_OK);
    assert_true(viewer_scene(viewer)->lights[1].colour.red <= 0);
    assert_null(picked(viewer));
    assert_int_equal(pick_lamps(viewer, marks, LAMP_MARKS), 0);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(pick_lamps(viewer, marks, LAMP_MARKS), 1);
    assert_int_equal(viewer_set_look(viewer, LOOK_NORMALS), STATUS_OK); /* which shows no light */
    assert_int_equal(pick_lamps(viewer, marks, LAMP_MARKS), 0);
}

/* The ray next to the middle hits sphere 2 at 5 ahead: half of the height is 5 there, the radius 1. */
static void a_new_sphere_stands_before_what_is_seen(void **state) {
    Viewer *viewer = *state;
    viewer_set_area(viewer, (Area){0, 0, WIDE, HIGH});
    assert_int_equal(action_command(viewer, "add-sphere", true), STATUS_OK);
    const Scene *scene = viewer_scene(viewer);
    assert_int_equal(scene->count, 3);
    assert_true(fabs((double)scene->spheres[2].radius - 1) < 0.01 && fabs((double)scene->spheres[2].z - 6) < 0.02);
    assert_true(picked(viewer) && picked(viewer)->pick.index == 2 && objects_is_new(viewer));
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(action_command(viewer, "add-sphere", true), STATUS_OK);
    assert_int_equal(viewer_scene(viewer)->count, 4);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_scene(viewer)->count, 3);
    assert_null(picked(viewer)); /* number 4 */
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_scene(viewer)->count, 2);
    assert_int_equal(viewer_redo(viewer), STATUS_OK);
    assert_int_equal(viewer_scene(viewer)->count, 3);
}

static void look_from_far(Viewer *viewer) {
    assert_int_equal(viewer_set_look(viewer, LOOK_CLASSIC), STATUS_OK);
    if (viewer->request->orbit_camera.orbits)
        assert_int_equal(viewer_switch_camera(viewer), STATUS_OK);
    assert_int_equal(viewer_change_camera(viewer, "unit=8:x=0:y=0"), STATUS_OK);
}

/* Levels plan for as many spheres as there will be: the picture is that of a scene which begins with them. */
static void every_level_sees_it(void **state) {
    static const char *const levels[] = {"reference", "naive", "tiles", "best"};
    Viewer *viewer = *state;
    Viewer *other = make_viewer("", "best");
    viewer_resize(other, WIDE, HIGH);
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
        look_from_far(viewer);
        assert_int_equal(viewer_set_level(viewer, levels[i]), STATUS_OK);
        assert_int_equal(viewer_run(viewer), STATUS_OK);
        for (int k = 0; k < 40; k++) {
            char text[80];
            snprintf(text, sizeof text, "sphere=%d:x=%d:z=%d:radius=9", 10 + k, k - 20, 900 + k);
            assert_int_equal(viewer_change_scene(viewer, text), STATUS_OK);
        }
        assert_int_equal(viewer_run(viewer), STATUS_OK);
        assert_int_equal(viewer_fetch(viewer), STATUS_OK);
        assert_int_equal(viewer_open_scene(other, viewer_title(viewer)), STATUS_OK);
        look_from_far(other);
        assert_int_equal(viewer_run(other), STATUS_OK);
        assert_int_equal(viewer_fetch(other), STATUS_OK);
        assert_true(shows(viewer, other->session->result));
    }
    viewer_destroy(&other);
}

static void a_lamp_lights_what_the_sun_did(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_int_equal(action_command(viewer, "add-lamp", true), STATUS_OK);
    const Scene *scene = viewer_scene(viewer);
    const Sphere *lamp = &scene->spheres[9];
    assert_int_equal(scene->count, 10);
    assert_int_equal(scene->materials[lamp->material].kind, MATERIAL_LIGHT);
    assert_true(scene->light_count == 1 && scene->lights[0].kind == LIGHT_SUN && scene->sky.kind == SKY_GRADIENT);
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
}

static void what_was_clicked_is_removed(void **state) {
    Viewer *viewer = *state;
    Scene *saved;
    assert_int_equal(objects_remove(viewer), STATUS_USAGE);
    assert_string_equal(status_message(), "nothing is picked: click a sphere or a lamp first");
    click(viewer, WIDE / 2.0, HIGH / 2.0);
    assert_int_equal(action_press(viewer, "Delete", true), STATUS_OK);
    assert_true(viewer_scene(viewer)->count == 2 && viewer_scene(viewer)->spheres[1].radius <= 0);
    assert_string_equal(viewer->edits.list[viewer->edits.at].words, "Sphere 2: removed");
    assert_null(picked(viewer));
    click(viewer, WIDE / 2.0, HIGH / 2.0);
    assert_int_equal(picked(viewer)->pick.index, 0); /* that was behind it */
    assert_int_equal(action_command(viewer, "add-sphere", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "add-sphere", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Delete", true), STATUS_OK); /* a new one leaves no change behind */
    assert_int_equal(viewer_scene(viewer)->count, 3);
    assert_int_equal(viewer_save_scene(viewer, "saved.scene", true), STATUS_OK);
    assert_int_equal(scene_open("saved.scene", &saved), STATUS_OK);
    assert_true(saved->count == 2 && at(sphere_centre(&saved->spheres[0]), 0, 0, 0) && saved->light_count == 2);
    scene_destroy(&saved);
    remove("saved.scene");
}

static void bodies_are_where_gravity_has_them(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "solar"), STATUS_OK);
    const size_t count = viewer_scene(viewer)->count;
    assert_int_equal(viewer_change_scene(viewer, "sphere=2:x=1e6"), STATUS_USAGE);
    assert_string_equal(status_message(), "sphere 2: gravity moves it; want a sphere that is no body");
    assert_int_equal(viewer_change_scene(viewer, "sphere=2:red=1"), STATUS_OK);
    assert_int_equal(action_command(viewer, "add-sphere", true), STATUS_OK);
    assert_int_equal(viewer_scene(viewer)->count, count + 1);
    const Vec made = sphere_at(viewer, count);
    viewer_toggle_motion(viewer);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(at(sphere_at(viewer, count), (double)made.x, (double)made.y, (double)made.z));
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
#define WITH_OBJECTS(test) cmocka_unit_test_setup_teardown(test, open_objects, close_objects)
        WITH_OBJECTS(a_drag_moves_what_was_clicked),
        WITH_OBJECTS(a_drag_picks_another_object),
        WITH_OBJECTS(the_plane_faces_the_camera),
        WITH_OBJECTS(a_lamp_is_clicked_by_its_mark),
        WITH_OBJECTS(a_new_sphere_stands_before_what_is_seen),
        WITH_OBJECTS(every_level_sees_it),
        WITH_OBJECTS(a_lamp_lights_what_the_sun_did),
        WITH_OBJECTS(what_was_clicked_is_removed),
        WITH_OBJECTS(bodies_are_where_gravity_has_them),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
