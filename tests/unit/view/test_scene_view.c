/* test_scene_view.c: scenes in the viewer, without a window: the camera, picked objects, changes and undo. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/command_line.h"
#include "core/scene/noise.h"
#include "core/scene/scene_open.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

enum { WIDTH = 64, HEIGHT = 48 };

static int open_scene(void **state) {
    Device *device;
    Viewer *viewer;
    const char *passed_over;
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    assert_int_equal(backend_open("cpu", 0, 1, &device, &passed_over), STATUS_OK);
    assert_int_equal(viewer_create(device, 0, "", "best", options, &viewer), STATUS_OK);
    viewer_resize(viewer, WIDTH, HEIGHT);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    *state = viewer;
    return 0;
}

static int close_scene(void **state) {
    Viewer *viewer = *state;
    viewer_destroy(&viewer);
    return 0;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-4 * fmax(1, fabs(b));
}

static bool near_vec(Vec a, Vec b) {
    return near((double)a.x, (double)b.x) && near((double)a.y, (double)b.y) && near((double)a.z, (double)b.z);
}

static void look(Viewer *viewer, const char *camera) {
    if (!viewer->request->orbit_camera.orbits)
        assert_int_equal(viewer_switch_camera(viewer), STATUS_OK);
    assert_int_equal(viewer_change_camera(viewer, camera), STATUS_OK);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* ---- the camera ---- */

static void the_camera_is_what_its_numbers_say(void **state) {
    Viewer *viewer = *state;
    look(viewer, "angle=90:x=3:y=0:z=0:to_x=0:to_y=0:to_z=0");
    assert_true(near_vec(viewer->session->request->orbit_camera.camera.from, vec(3, 0, 0)) &&
                near_vec(viewer->session->request->orbit_camera.camera.forward, vec(-1, 0, 0)));
    assert_true(near_vec(viewer->session->request->orbit_camera.camera.right, vec(0, 0, -1)) &&
                near((double)viewer->session->request->orbit_camera.camera.tangent, 1));
    assert_true(near((double)viewer->session->request->orbit_camera.camera.focus, 3) &&
                !(viewer->session->request->orbit_camera.camera.lens > 0)); /* at the point in the middle */
    assert_int_equal(viewer_change_camera(viewer, "lens=0.25:focus=2"), STATUS_OK);
    assert_true(near((double)viewer->session->request->orbit_camera.camera.lens, 0.25) &&
                near((double)viewer->session->request->orbit_camera.camera.focus, 2));
    viewer_orbit(viewer, 0, 8);
    assert_true(near((double)viewer->session->request->orbit_camera.camera.lens, 0.25) &&
                near((double)viewer->session->request->orbit_camera.camera.focus, 2)); /* whatever moves it */
    assert_int_equal(viewer_change_camera(viewer, "angle=200"), STATUS_USAGE);
    assert_int_equal(viewer_change_camera(viewer, "wide=2"), STATUS_USAGE);
}

/* Ten steps of a tenth of the distance lead to the target, which goes along. */
static void walking_leads_ahead(void **state) {
    Viewer *viewer = *state;
    look(viewer, "x=0:y=0:z=10:to_x=0:to_y=0:to_z=0");
    for (int i = 0; i < 10; i++)
        assert_int_equal(action_command(viewer, "move-ahead", true), STATUS_OK);
    assert_true(near_vec(viewer->session->request->orbit_camera.camera.from, vec(0, 0, 0)) &&
                near_vec(viewer->session->request->orbit_camera.target, vec(0, 0, -10)));
    assert_int_equal(action_command(viewer, "move-left", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "move-up", true), STATUS_OK);
    assert_true(near_vec(viewer->session->request->orbit_camera.camera.from, vec(-1, 1, 0)));
    assert_false(walk_goes(viewer)); /* nothing is held */
}

/* A key that is held goes on, without inertia until it is let go. */
static void held_keys_go_on(void **state) {
    Viewer *viewer = *state;
    look(viewer, "x=0:y=0:z=10:to_x=0:to_y=0:to_z=0");
    assert_int_equal(action_press(viewer, "w", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "w", true), STATUS_OK); /* the keyboard repeats it */
    assert_true(near((double)viewer->session->request->orbit_camera.camera.from.z, 9) && walk_goes(viewer));
    const double from = walk_from(viewer);
    walk_go_on(viewer, from + 50);
    assert_true(near((double)viewer->session->request->orbit_camera.camera.from.z, 9 - 10 * 0.6 * 0.05));
    assert_int_equal(action_press(viewer, "w", false), STATUS_OK);

    walk_go_on(viewer, from + 100);
    assert_true(near((double)viewer->session->request->orbit_camera.camera.from.z, 9 - 10 * 0.6 * 0.05) &&
                !walk_goes(viewer));

    assert_int_equal(action_command(viewer, "inertia", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "w", true), STATUS_OK);
    double now = walk_from(viewer);
    for (int i = 0; i < 30; i++)
        walk_go_on(viewer, now += 20);
    assert_int_equal(action_press(viewer, "w", false), STATUS_OK);
    const float let_go = viewer->session->request->orbit_camera.camera.from.z;
    int frames = 0;
    for (; walk_goes(viewer) && frames < 1000; frames++)
        walk_go_on(viewer, now += 20);
    assert_true(viewer->session->request->orbit_camera.camera.from.z < let_go && frames > 5 &&
                frames < 200); /* it ends slowly, and ends */
}

/* The eye stays where it is; the point in the middle follows the hand. */
static void walking_looks_around(void **state) {
    Viewer *viewer = *state;
    look(viewer, "angle=45:x=0:y=0:z=10:to_x=0:to_y=0:to_z=0");
    assert_int_equal(action_command(viewer, "walk", true), STATUS_OK);
    viewer_orbit(viewer, 6, 3);
    assert_true(near_vec(viewer->session->request->orbit_camera.camera.from, vec(0, 0, 10)));
    const double pixel = 2 * tan(45 / 2.0 * 3.14159265358979 / 180) / HEIGHT;
    assert_true(
        near((double)viewer->session->request->orbit_camera.camera.forward.x, -sin(6 * pixel) * cos(3 * pixel)));
    assert_true(near((double)viewer->session->request->orbit_camera.camera.forward.y, sin(3 * pixel)));
    const Vec seen =
        vec_minus(viewer->session->request->orbit_camera.target, viewer->session->request->orbit_camera.camera.from);
    assert_true(near((double)sqrtf(vec_dot(seen, seen)), 10)); /* and the target is as far ahead as before */
}

/* ---- picking ---- */

/* Two spheres before each other, a triangle next to them and the ground below: where rays hit them, by hand. */
static void what_is_clicked_is_what_rays_hit(void **state) {
    Viewer *viewer = *state;
    write_text("pick.scene", "glint-scene 2\ncamera 0 0 10  0 0 0  0 1 0  90\nlight sun 0 1 0 3 3 3\n"
                             "ground -5 1 1 1 1 0 0 0\nsphere 0 0 0 1 1 1 1\nsphere 0 0 4 1 1 0 0\n"
                             "triangle 3 -1 0  5 -1 0  4 2 0  0 1 0\n");
    assert_int_equal(viewer_open_scene(viewer, "pick.scene"), STATUS_OK);
    assert_int_equal(viewer->request->look, LOOK_PATHS);
    /* The middle of the picture lies between pixels: this one looks 0.5 pixels to the right and below. */
    assert_int_equal(pick_at(viewer, WIDTH / 2.0, HEIGHT / 2.0), STATUS_OK);
    const Picked *now = picked(viewer);
    assert_non_null(now);
    assert_true(strcmp(now->pick.part->name, "sphere") == 0 && now->pick.index == 1); /* the nearer one */
    const double slope = 0.5 / (HEIGHT / 2.0), square = 1 + 2 * slope * slope;        /* of the direction (s, -s, -1) */
    const double along = (6 - sqrt(36 - square * (36 - 1))) / square; /* of |way * along - (0, 0, -6)| = 1 */
    assert_true(near_vec(now->pick.at, vec((float)(slope * along), (float)(-slope * along), (float)(10 - along))));
    assert_true(near_vec(now->place[0], vec(0, 0, 4)) && near((double)now->radius, 1));
    assert_int_equal(pick_at(viewer, WIDTH / 2.0 + 9.6, HEIGHT / 2.0), STATUS_OK); /* x = 4 at z = 0 */
    now = picked(viewer);
    assert_non_null(now);
    assert_true(strcmp(now->pick.part->name, "triangle") == 0 && now->pick.index == 0);
    assert_true(near((double)now->pick.at.z, 0) && near_vec(now->place[2], vec(4, 2, 0)));
    assert_int_equal(pick_at(viewer, 10, HEIGHT - 1), STATUS_OK);
    now = picked(viewer);
    assert_true(now && strcmp(now->pick.part->name, "ground") == 0 && near((double)now->pick.at.y, -5));
    assert_int_equal(pick_at(viewer, 2, 2), STATUS_OK); /* the sky */
    assert_null(picked(viewer));
    assert_int_equal(pick_at(viewer, -1, 2), STATUS_USAGE);
    assert_int_equal(pick_aim(viewer, 2, 2), STATUS_USAGE);

    /* Focus on the far sphere's like: the plane of sharpness goes through the clicked point. */
    assert_int_equal(pick_focus(viewer, WIDTH / 2.0, HEIGHT / 2.0), STATUS_OK);
    assert_true(near((double)viewer->session->request->orbit_camera.camera.focus, along) &&
                viewer->session->request->orbit_camera.camera.lens > 0);
    assert_int_equal(pick_aim(viewer, WIDTH / 2.0 + 9.6, HEIGHT / 2.0), STATUS_OK);
    assert_true(near_vec(viewer->session->request->orbit_camera.camera.from, vec(0, 0, 10)) &&
                near((double)viewer->session->request->orbit_camera.target.z, 0));
    assert_int_equal(pick_at(viewer, WIDTH / 2.0, HEIGHT / 2.0), STATUS_OK); /* it is in the middle now */
    assert_string_equal(picked(viewer)->pick.part->name, "triangle");
    remove("pick.scene");
}

static void orthographic_cameras_pick_from_infinity(void **state) {
    Viewer *viewer = *state;
    write_text("flat.scene", "glint-scene 1\nsphere 0 0 900 2 1 1 1\nsphere 0 0 -900 9 1 1 1\n");
    assert_int_equal(viewer_open_scene(viewer, "flat.scene"), STATUS_OK);
    assert_int_equal(viewer_change_camera(viewer, "unit=1:x=0:y=0"), STATUS_OK);
    assert_int_equal(pick_at(viewer, WIDTH / 2.0, HEIGHT / 2.0), STATUS_OK);
    assert_int_equal(picked(viewer)->pick.index, 0);
    assert_true(near((double)picked(viewer)->pick.at.z, 902));
    assert_int_equal(pick_at(viewer, WIDTH / 2.0 + 5, HEIGHT / 2.0), STATUS_OK);
    assert_int_equal(picked(viewer)->pick.index, 1);
    assert_true(near((double)picked(viewer)->pick.at.z, -900 + sqrt(81 - 25)));
    assert_int_equal(pick_focus(viewer, WIDTH / 2.0, HEIGHT / 2.0), STATUS_USAGE);
    assert_int_equal(viewer_open_scene(viewer, "spheres=3"), STATUS_OK);
    assert_null(picked(viewer)); /* the pick was in another scene */
    remove("flat.scene");
}

/* ---- changes ---- */

static void changes_are_edits(void **state) {
    Viewer *viewer = *state;
    const float red = viewer_scene(viewer)->spheres[4].red;
    const size_t before = viewer->edits.at;
    assert_int_equal(viewer_change_scene(viewer, "sphere=5:red=0.125"), STATUS_OK);
    assert_true(viewer_scene(viewer)->spheres[4].red == 0.125F);
    assert_string_equal(viewer->edits.list[viewer->edits.at].words, "Sphere 5: red 0.125");
    assert_int_equal(viewer_change_scene(viewer, "spheres=count=12"), STATUS_OK);
    assert_true(viewer_scene(viewer)->count == 12 && viewer_scene(viewer)->spheres[4].red == 0.125F);
    assert_string_equal(viewer->edits.list[viewer->edits.at].words, "Spheres: count 9 → 12");
    assert_int_equal(viewer_change_gathering(viewer, "samples=64"), STATUS_OK);
    assert_int_equal(viewer->session->samples, 64);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer->session->samples, 4096);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_scene(viewer)->count, 9);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_true(viewer_scene(viewer)->spheres[4].red == red && viewer->edits.at == before);
    assert_int_equal(viewer_redo(viewer), STATUS_OK);
    assert_true(viewer_scene(viewer)->spheres[4].red == 0.125F);
    assert_int_equal(viewer_change_scene(viewer, "sphere=10:red=1"), STATUS_USAGE);
    assert_string_equal(status_message(), "sphere 10: there are 9; one that has a radius is new");
    assert_true(viewer_scene(viewer)->spheres[4].red == 0.125F); /* the sphere that was there stays */
    assert_int_equal(viewer_reset_scene(viewer, NULL, 0), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "spheres=count=9:seed=3");
}

/* As hands drag a slider: steps of one movement are one edit, and the camera stays. */
static void a_drag_of_the_sun_is_one_edit(void **state) {
    Viewer *viewer = *state;
    double azimuth, altitude;
    const OrbitCamera camera = viewer->request->orbit_camera;
    const size_t before = viewer->edits.at;
    viewer->held = true;
    viewer->movement++;
    for (int i = 1; i <= 9; i++)
        assert_int_equal(viewer_set_sun(viewer, 30 * i, 8 * i), STATUS_OK);
    viewer->held = false;
    assert_int_equal(viewer->edits.at, before + 1);
    assert_true(viewer_sun(viewer, &azimuth, &altitude) && near(azimuth, -90) && near(altitude, 72));
    assert_false(orbit_camera_moved(&camera, &viewer->request->orbit_camera));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "spheres=count=9:seed=3");
}

/* Another scene is an edit, too: undoing it loses nothing that was done before it. */
static void another_scene_is_undone(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_change_scene(viewer, "sun=altitude=20"), STATUS_OK);
    assert_int_equal(viewer_open_scene(viewer, "cloud=50"), STATUS_OK);
    assert_string_equal(viewer->edits.list[viewer->edits.at].words, "Scene cloud=50");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "spheres=count=9:seed=3,sun=altitude=20");
    assert_int_equal(viewer_scene(viewer)->count, 9);
}

static void changes_keep_what_was_measured(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    const unsigned job = viewer->session->job_serial;
    const Scene *scene = viewer_scene(viewer);
    assert_int_equal(viewer_change_scene(viewer, "sphere=5:material=metal"), STATUS_OK);
    assert_true(viewer->session->job_serial == job && viewer_scene(viewer) != scene && viewer->session->stale);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "seed=7"), STATUS_OK);
    assert_true(viewer->session->job_serial != job);
    viewer_toggle_motion(viewer); /* changes of an object that moves: at rest it is where it was */
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    viewer->session->motion.time = 1;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_change_scene(viewer, "sphere=5:red=0"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    viewer->session->motion = (Motion){.on = false};
    assert_int_equal(viewer_reset_scene(viewer, NULL, 0), STATUS_OK);
    Scene *fresh;
    assert_int_equal(scene_open("spheres=count=9:seed=3", &fresh), STATUS_OK);
    assert_int_equal(scene_move(viewer->session->subject->scene, 0), STATUS_OK);
    for (size_t i = 0; i < fresh->count; i++)
        assert_true(fresh->spheres[i].x == viewer_scene(viewer)->spheres[i].x);
    scene_destroy(&fresh);
}

/* The command line has the changes, and a file that is saved has them, too, and the camera. */
static void what_is_seen_is_made_again(void **state) {
    Viewer *viewer = *state;
    char line[2048];
    Scene *saved;
    assert_int_equal(viewer_change_scene(viewer, "sphere=5:red=0.125:material=metal,sun=altitude=20"), STATUS_OK);
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "depth=3:seed=9"), STATUS_OK);
    look(viewer, "angle=30:x=0:y=0:z=900:to_x=0:to_y=0:to_z=0");
    command_line_format(viewer, line, sizeof line);
    assert_non_null(strstr(line, "spheres=count=9:seed=3,sphere=5:0.125:material=metal,sun=altitude=20"));
    assert_non_null(strstr(line, " --depth 3 --seed 9"));
    assert_int_equal(viewer_save_scene(viewer, "saved.scene", true), STATUS_OK);
    assert_int_equal(viewer_save_scene(viewer, "saved.scene", false), STATUS_USAGE);
    assert_int_equal(scene_open("saved.scene", &saved), STATUS_OK);
    const Scene *scene = viewer_scene(viewer);
    assert_true(saved->has_viewpoint && near_vec(saved->viewpoint.from, vec(0, 0, 900)) &&
                near((double)saved->viewpoint.angle, 30));
    assert_memory_equal(saved->spheres, scene->spheres, scene->count * sizeof(Sphere));
    assert_int_equal(saved->materials[saved->spheres[4].material].kind, MATERIAL_METAL);
    assert_int_equal(saved->light_count, 1);
    scene_destroy(&saved);
    remove("saved.scene");
}

/* ---- noise ---- */

static double error_of(const unsigned char *a, const unsigned char *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pow((double)a[i] - (double)b[i], 2);
    return 100 * sqrt(sum / (double)count) / 255;
}

/* The estimate is near the picture's real noise, found from one of many more samples; it is rather too high. */
static void gather(Viewer *viewer, uint32_t samples) {
    viewer->session->samples = viewer->session->progressive.samples = samples;
    do
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    while (!progressive_complete(&viewer->session->progressive));
    assert_int_equal(viewer->session->progressive.done, samples);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
}

/* The estimate is near the picture's real noise, found from one of many more samples. */
static void the_noise_is_what_is_left(void **state) {
    Viewer *viewer = *state;
    static const char *const scenes[] = {"spheres=count=20", "sphereflake=2"};
    const uint32_t fewer = check_quick() ? 4 : 1, samples_few = 256 / fewer, many = 4096 / fewer;
    unsigned char few[WIDTH * HEIGHT * 3];
    char words[80];
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        assert_int_equal(viewer_open_scene(viewer, scenes[i]), STATUS_OK);
        assert_int_equal(viewer_describe_noise(viewer, words, sizeof words), 0);
        for (uint32_t samples = 1; samples <= samples_few; samples *= 2)
            gather(viewer, samples);
        memcpy(few, viewer->session->result->view.pixels, sizeof few);
        const double estimated = noise_of(&viewer->session->noise, samples_few);
        assert_true(viewer_describe_noise(viewer, words, sizeof words) > 0 && strncmp(words, "noise 0.", 8) == 0);
        gather(viewer, many);
        const double real = error_of(few, viewer->session->result->view.pixels, sizeof few);
        assert_true(estimated > 0.8 * real && estimated < 1.5 * real);
        assert_true(noise_wait_ms(&viewer->session->noise, many, 0.0001) > 0);
        assert_true(noise_of(&viewer->session->noise, many) < estimated / 2);
    }
}

/* Hands stop no step that adds to light: its frames would be worth nothing, and all samples gone. */
static void steps_of_light_are_known(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_true(viewer_light_ms(viewer) == 0); /* nothing is there to be lost */
    gather(viewer, 2);
    assert_true(viewer_light_ms(viewer) >= 30);
    assert_int_equal(viewer_change_gathering(viewer, "seed=7"), STATUS_OK);
    assert_true(viewer_light_ms(viewer) == 0); /* it begins again */
}

static void a_chosen_noise_ends_the_gathering(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "packed=60"), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "noise=4"), STATUS_OK);
    int runs = 0;
    do
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    while (!progressive_complete(&viewer->session->progressive) && ++runs < 5000);
    const uint32_t done = viewer->session->progressive.done;
    assert_true(done < 4096 && noise_of(&viewer->session->noise, done) <= 4);
    assert_int_equal(viewer_change_gathering(viewer, "noise=0"), STATUS_OK);
    assert_false(progressive_complete(&viewer->session->progressive)); /* it goes on */
    assert_int_equal(viewer->session->progressive.done, done);
}

#define WITH_SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

/* The reason of a level to refuse, after all that is due; NULL where it does the job. */
static const char *reason_of(Viewer *viewer, const char *level) {
    LadderRow rungs[RUNGS_MAX];
    for (int i = 0; i < 9; i++)
        (void)viewer_work(viewer);
    const size_t count = viewer_rungs(viewer, rungs);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i].level->name, level) == 0)
            return rungs[i].why_not;
    return "no such level";
}

/* A level that needs two things names the one that is missing, and the ladder says so while bodies move, too. */
static void a_rung_says_what_is_missing(void **state) {
    static const struct {
        const char *commands[2], *why_not;
    } cases[] = {{{"look classic", "camera"}, "needs the orthographic camera"},
                 {{"camera", "look paths"}, "needs the classic look"},
                 {{"look classic", NULL}, NULL}};
    Viewer *viewer = *state;
    for (int moves = 0; moves <= 1; moves++) {
        assert_int_equal(viewer_open_scene(viewer, moves ? "solar" : "spheres"), STATUS_OK);
        if (viewer->request->orbit_camera.orbits)
            assert_int_equal(action_command(viewer, "camera", true), STATUS_OK);
        if (moves)
            viewer_toggle_motion(viewer);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            for (int k = 0; k < 2 && cases[i].commands[k]; k++)
                assert_int_equal(action_command(viewer, cases[i].commands[k], true), STATUS_OK);
            const char *why_not = reason_of(viewer, "tiles");
            assert_true(cases[i].why_not ? why_not && strcmp(why_not, cases[i].why_not) == 0 : !why_not);
            if (!why_not)
                continue;
            assert_int_equal(viewer_set_level(viewer, "tiles"), STATUS_USAGE);
            assert_non_null(strstr(status_message(), why_not));
        }
    }
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_SCENE(the_camera_is_what_its_numbers_say),
        WITH_SCENE(walking_leads_ahead),
        WITH_SCENE(held_keys_go_on),
        WITH_SCENE(walking_looks_around),
        WITH_SCENE(what_is_clicked_is_what_rays_hit),
        WITH_SCENE(orthographic_cameras_pick_from_infinity),
        WITH_SCENE(changes_are_edits),
        WITH_SCENE(a_drag_of_the_sun_is_one_edit),
        WITH_SCENE(another_scene_is_undone),
        WITH_SCENE(changes_keep_what_was_measured),
        WITH_SCENE(what_is_seen_is_made_again),
        WITH_SCENE(the_noise_is_what_is_left),
        WITH_SCENE(steps_of_light_are_known),
        WITH_SCENE(a_chosen_noise_ends_the_gathering),
        WITH_SCENE(a_rung_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
