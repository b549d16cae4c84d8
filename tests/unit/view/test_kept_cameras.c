/* test_kept_cameras.c: cameras that are kept, and the way along them. Places on the way are computed by hand. From A to
 * B, with both ends twice, the spline is A + (B - A) (t / 2 + 3/2 t^2 - t^3). At a quarter it has gone 13/64 of the
 * way. */
#include "app/backends.h"
#include "app/cameras/camera_path.h"
#include "app/view/actions/dispatch.h"
#include "app/view/session/keep.h"
#include "app/view/tools/every_tool.h"

#include "tests/unit/view/fixture.h"

#define TURN 3.14159265358979323846f

static OrbitCamera orbit(float yaw, float distance) {
    OrbitCamera camera = {.orbits = true, .up = {0, 1, 0}, .angle = 40, .distance = distance, .yaw = yaw};
    orbit_camera_update(&camera);
    return camera;
}

static bool at(Vec place, double x, double y, double z) {
    return fabs((double)place.x - x) < 1e-4 && fabs((double)place.y - y) < 1e-4 && fabs((double)place.z - z) < 1e-4;
}

static void the_way_goes_about_the_target(void **state) {
    const OrbitCamera two[] = {orbit(0, 10), orbit(TURN / 2, 10)};
    (void)state;
    assert_true(at(camera_path_at(two, 2, 0).camera.from, 0, 0, 10));
    assert_true(at(camera_path_at(two, 2, 1).camera.from, 10, 0, 0));
    const OrbitCamera middle = camera_path_at(two, 2, 0.5), quarter = camera_path_at(two, 2, 0.25);
    assert_true(at(middle.camera.from, 10 * sqrt(0.5), 0, 10 * sqrt(0.5)));
    assert_true(fabs((double)quarter.yaw - 13.0 / 64 * (double)TURN / 2) < 1e-6);
    assert_true(at(camera_path_at(two, 2, -1).camera.from, 0, 0, 10)); /* before the beginning is the beginning */
}

/* From 170 to -170 degrees it is 20 degrees, over the back. From 10 to 1000 away, half of the way is 100. */
static void it_is_the_shorter_way_and_even(void **state) {
    const OrbitCamera two[] = {orbit(TURN * 17 / 18, 10), orbit(-TURN * 17 / 18, 1000)};
    const OrbitCamera middle = camera_path_at(two, 2, 0.5);
    (void)state;
    assert_true(fabsf(cosf(middle.yaw) + 1) < 1e-5F && fabsf(middle.distance - 100) < 1e-2F);
    assert_true(fabs((double)middle.camera.from.z + 100) < 0.01);
}

static void it_passes_by_every_camera(void **state) {
    OrbitCamera four[] = {orbit(0, 10), orbit(1, 20), orbit(3, 5), orbit(-2, 8)};
    (void)state;
    four[2].target = vec(1, 2, 3);
    orbit_camera_update(&four[2]);
    for (size_t i = 0; i < 4; i++) {
        const OrbitCamera there = camera_path_at(four, 4, (double)i / 3);
        const Vec from = four[i].camera.from;
        assert_true(at(there.camera.from, (double)from.x, (double)from.y, (double)from.z));
    }
}

static void flat_cameras_slide(void **state) {
    OrbitCamera two[] = {orbit_camera_default(), orbit_camera_default()};
    (void)state;
    two[1].camera.centre_x = 64;
    two[1].camera.unit = 4;
    const OrbitCamera middle = camera_path_at(two, 2, 0.5), quarter = camera_path_at(two, 2, 0.25);
    assert_true(near((double)middle.camera.centre_x, 32) && near((double)middle.camera.unit, 2));
    assert_true(near((double)quarter.camera.centre_x, 13));
}

static void command(Viewer *viewer, const char *line) {
    if (action_command(viewer, line, true) != STATUS_OK)
        fail_msg("%s: %s", line, status_message());
}

static void refuses(Viewer *viewer, const char *line, const char *why) {
    assert_int_equal(action_command(viewer, line, true), STATUS_USAGE);
    assert_string_equal(status_message(), why);
}

static void cameras_are_kept_by_name(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    refuses(viewer, "go-to-camera far", "no camera is kept for this scene: keep-camera keeps one");
    assert_int_equal(viewer_switch_camera(viewer), STATUS_OK);
    assert_int_equal(viewer_change_camera(viewer, "angle=40:x=0:y=0:z=900:to_x=0:to_y=0:to_z=0"), STATUS_OK);
    command(viewer, "keep-camera");
    assert_int_equal(viewer_change_camera(viewer, "angle=40:x=500:y=0:z=0:to_x=0:to_y=0:to_z=0"), STATUS_OK);
    command(viewer, "keep-camera from the right");
    assert_int_equal(cameras_count(viewer), 2);
    assert_string_equal(cameras_name(viewer, 0), "1");
    assert_string_equal(cameras_name(viewer, 1), "from the right");
    command(viewer, "go-to-camera 1");
    assert_true(at(viewer->request->orbit_camera.camera.from, 0, 0, 900));
    assert_int_equal(viewer_change_scene(viewer, "spheres=count=12,sphere=2:red=1"), STATUS_OK);
    assert_int_equal(cameras_count(viewer), 2); /* of another size, it is the same scene */
    const OrbitCamera half = cameras_along(viewer, 0.5);
    assert_true(fabsf(half.distance - sqrtf(900.0F * 500)) < 0.1F && fabsf(half.yaw - TURN / 4) < 1e-4F);
    assert_int_equal(viewer_open_scene(viewer, "cloud=50"), STATUS_OK);
    assert_int_equal(cameras_count(viewer), 0);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    refuses(viewer, "go-to-camera 3", "no camera \"3\" is kept for this scene");
    command(viewer, "remove-camera 1");
    assert_string_equal(cameras_name(viewer, 0), "from the right");
    refuses(viewer, "film-cameras 2 a.apng",
            "a film needs two kept cameras or more, and there is one: keep-camera keeps one");
    refuses(viewer, "film-cameras a.apng", "film-cameras wants seconds, from 0.1 to 600, and a file, as in 6 film.mp4");
    command(viewer, "keep-camera");
    assert_string_equal(cameras_name(viewer, 1), "1");
    assert_int_equal(viewer_switch_camera(viewer), STATUS_OK);
    command(viewer, "keep-camera flat");
    refuses(viewer, "film-cameras 2 a.apng",
            "camera from the right is perspective and camera flat is not: a film needs cameras of one kind");
    refuses(viewer, "keep-camera 1234567890123456789012345678901234567890",
            "a camera's name has 1 to 31 characters, none of them a tab");
}

/* The next window has them, of the file by its whole path. */
static void cameras_outlast_the_window(void **state) {
    char folder[256];
    (void)state;
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(setenv("XDG_STATE_HOME", folder, 1), 0);
    write_text("kept.scene", "glint-scene 1\nsphere 0 0 0 1 1 1 1\n");
    for (int run = 0; run < 2; run++) {
        Viewer *viewer = make_viewer("", "best");
        assert_int_equal(keep_begin(viewer, false), STATUS_OK);
        assert_int_equal(viewer_open_scene(viewer, run == 0 ? "kept.scene" : "./kept.scene"), STATUS_OK);
        assert_int_equal(cameras_count(viewer), run);
        assert_int_equal(viewer_change_camera(viewer, "unit=0.125:x=3:y=4"), STATUS_OK);
        if (run == 0)
            command(viewer, "keep-camera near");
        assert_int_equal(viewer_change_camera(viewer, "unit=1:x=0:y=0"), STATUS_OK);
        command(viewer, "go-to-camera near");
        assert_true(near((double)viewer->request->orbit_camera.camera.centre_x, 3) &&
                    near((double)viewer->request->orbit_camera.camera.unit, 0.125));
        if (run == 1)
            command(viewer, "remove-camera near");
        assert_int_equal(keep_end(viewer), STATUS_OK);
        viewer_destroy(&viewer);
    }
    remove("kept.scene");
    assert_int_equal(system("rm -r glint"), 0);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_goes_about_the_target), cmocka_unit_test(it_is_the_shorter_way_and_even),
        cmocka_unit_test(it_passes_by_every_camera),     cmocka_unit_test(flat_cameras_slide),
        WITH_VIEWER(cameras_are_kept_by_name),           cmocka_unit_test(cameras_outlast_the_window),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
