/* test_viewer_scenes.c: scenes in the window, and filters on traced pictures. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/command_line.h"
#include "core/base/stop.h"

#include "tests/unit/view/fixture.h"

/* ---- scenes ---- */

static void scene_and_picture_change_places(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_ptr_equal(viewer_kind(viewer), &subject_scene);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result->view.shape.width, 640);
    assert_int_equal(viewer->session->result->view.shape.height, 480);
    viewer_resize(viewer, 320, 200);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result->view.shape.width, 320);
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result->view.shape.width, WIDTH);
}

static void a_level_of_another_ladder_gives_way(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_level(viewer, "separable"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_true(viewer_scene(viewer) && viewer->toast.error);
    assert_string_equal(viewer->request->level, "best");
    assert_string_equal(viewer->toast.text, "trace on cpu has no level separable; taking the best, sorted");
    assert_int_equal(viewer_set_level(viewer, "tiles"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=1", FALLBACK_NONE), STATUS_OK); /* trace has that level */
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_non_null(strstr(viewer->toast.text, "convolve on cpu has no level tiles"));
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK); /* both ladders have it */
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_string_equal(viewer->request->level, "naive");

    Viewer *fresh = make_viewer("gaussian=1", "tiles"); /* asked for on the command line */
    assert_int_equal(viewer_open(fresh, "one.png"), STATUS_USAGE);
    assert_string_equal(status_message(), "level \"tiles\": convolve on cpu has no such level, only reference, naive, "
                                          "interior, threads, simd, fft, separable, running");
    viewer_destroy(&fresh);
}

static void scenes_of_light_open_in_light(void **state) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    write_text("lit.scene", "glint-scene 2\nlight point 0 0 9 5 5 5\nsphere 0 0 0 1 1 1 1\n");
    assert_int_equal(viewer_open(viewer, "lit.scene"), STATUS_OK);
    assert_int_equal(viewer->request->look, LOOK_PATHS);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_int_equal(viewer->request->look, LOOK_CLASSIC);
    assert_int_equal(viewer_set_look(viewer, LOOK_WHITTED), STATUS_OK); /* chosen by hand: it stays */
    assert_int_equal(viewer_open(viewer, "lit.scene"), STATUS_OK);
    assert_int_equal(viewer->request->look, LOOK_WHITTED);
    assert_int_equal(viewer_set_look(viewer, LOOK_NORMALS), STATUS_OK);
    assert_int_equal(action_press(viewer, "F5", true), STATUS_OK);
    assert_int_equal(viewer->request->look, LOOK_NORMALS);
    remove("lit.scene");
}

/* Every pixel sees one radiance, that of the sky all around; a middle grey is 0.18. */
static void exposure_suits_the_light(void **state) {
    static const struct {
        const char *radiance;
        double stops;
    } cases[] = {{"18", -6.5}, /* log2(0.01) is -6.64 */ {"0.0225", 3}, {"0.25", 0}, {"1e-9", 12}};
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        const char *r = cases[i].radiance;
        snprintf(text, sizeof text,
                 "glint-scene 2\ncamera 0 0 9 0 0 0 0 1 0 40\nsky gradient %s %s %s %s %s %s\n"
                 "sphere 0 0 900 1 1 1 1\n",
                 r, r, r, r, r, r);
        write_text("sky.scene", text);
        assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
        assert_int_equal(viewer_open(viewer, "sky.scene"), STATUS_OK);
        assert_true(near(viewer_exposure(viewer), cases[i].stops));
        assert_int_equal(action_press(viewer, "e", true), STATUS_OK);
        assert_int_equal(action_press(viewer, "r", true), STATUS_OK); /* back to that */
        assert_true(near(viewer_exposure(viewer), cases[i].stops));
    }
    remove("sky.scene");
}

/* ---- filters on a traced picture ---- */

/* A small scene, with the chain that is there. */
static Viewer *trace_small(void **state, Look look) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "packed=30"), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "samples=4"), STATUS_OK);
    assert_int_equal(viewer_set_look(viewer, look), STATUS_OK);
    return viewer;
}

static void assert_same_pixels(const Image *got, const Image *want) {
    assert_true(shape_equal(got->view.shape, want->view.shape));
    assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(want->view.shape));
}

/* The result of a chain for a picture. */
static Image *filter_picture(const Viewer *viewer, const char *text, ImageView picture) {
    Chain *chain;
    Plan *plan;
    Pipeline *pipeline;
    Image *made;
    Spans spans = {0};
    assert_int_equal(chain_parse(text, &chain), STATUS_OK);
    assert_int_equal(chain_plan(chain, picture.shape, viewer->request->options, &plan), STATUS_OK);
    assert_int_equal(pipeline_create(viewer->session->device, plan, "best", &pipeline), STATUS_OK);
    assert_int_equal(image_create(pipeline_result_shape(pipeline), &made), STATUS_OK);
    assert_int_equal(pipeline_process(pipeline, picture, made->view, &spans), STATUS_OK);
    pipeline_destroy(&pipeline);
    chain_destroy(&chain);
    return made;
}

/* The scene of trace_small in a viewer of its own, without a chain. */
static Image *trace_without_chain(Look look) {
    Viewer *plain = make_viewer("", "best");
    void *state = plain;
    (void)trace_small(&state, look);
    assert_int_equal(viewer_finish(plain), STATUS_OK);
    assert_int_equal(viewer_fetch(plain), STATUS_OK);
    Image *traced = image_retain(plain->session->result);
    viewer_destroy(&plain);
    return traced;
}

static void filters_act_on_what_is_traced(void **state) {
    static const Look kinds[] = {LOOK_CLASSIC, LOOK_PATHS};
    static const char *const chains[] = {"gaussian=1", "sharpen,median=1,invert", "gaussian=2,~invert,difference",
                                         "crop=20:10:3:4"};
    for (size_t k = 0; k < 2; k++) {
        Viewer *viewer = trace_small(state, kinds[k]);
        Image *plain = trace_without_chain(kinds[k]);
        for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
            assert_int_equal(viewer_set_chain(viewer, chains[i], FALLBACK_NONE), STATUS_OK);
            assert_int_equal(viewer_finish(viewer), STATUS_OK);
            assert_int_equal(viewer_fetch(viewer), STATUS_OK);
            assert_null(viewer->session->unfiltered); /* nobody compares */
            Image *want = filter_picture(viewer, chains[i], plain->view);
            assert_same_pixels(viewer->session->result, want);
            image_destroy(&want);
        }
        assert_int_equal(viewer_undo(viewer), STATUS_OK);
        assert_int_equal(viewer_finish(viewer), STATUS_OK);
        assert_true(shape_equal(viewer_shown_shape(viewer), plain->view.shape));
        assert_string_equal(viewer->request->chain->links[2].filter->name, "difference");
        image_destroy(&plain);
    }
}

/* A filter that moves begins no light again; its result is of the same samples. */
static void light_goes_on_behind_other_filters(void **state) {
    Viewer *viewer = trace_small(state, LOOK_PATHS);
    const Progressive *light = &viewer->session->progressive;
    assert_int_equal(viewer_change_gathering(viewer, "samples=4096"), STATUS_OK);
    while (light->done < 2 || light->row > 0)
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    const unsigned shown = viewer->session->result_serial, done = light->done;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(viewer_set_chain(viewer, i == 1 ? "" : "invert,gaussian=1", FALLBACK_NONE), STATUS_OK);
        assert_true(viewer->session->stale);
        if (i == 1) /* nothing was shown between */
            continue;
        assert_int_equal(viewer_run(viewer), STATUS_OK);
        assert_int_equal(light->done, done);
    }
    assert_int_equal(viewer->session->result_serial, shown + 2);
    assert_string_equal(viewer->session->spans[0].name, "trace");
    assert_non_null(viewer_span(viewer, "gaussian"));
    assert_true(history_latest(&viewer_span(viewer, "trace")->history) > 0);
    while (light->row > 0 || light->done < 100 + done) /* more than a step has time for */
        assert_int_equal(viewer_run(viewer), STATUS_OK);

    /* a camera that moves begins it again */
    viewer_orbit(viewer, 9, 0);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_false(viewer->session->keeps_light);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(light->done < done + 100);
}

/* The denoiser comes and goes behind the light, which has as many samples, and shows the same without it. */
static void light_outlives_the_denoiser(void **state) {
    Viewer *viewer = trace_small(state, LOOK_PATHS);
    const Progressive *light = &viewer->session->progressive;
    assert_int_equal(viewer_change_gathering(viewer, "samples=4096"), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "denoise=0"), STATUS_OK);
    while (light->done < 8 || light->row > 0)
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    Image *noisy;
    assert_int_equal(image_create(viewer->session->result->view.shape, &noisy), STATUS_OK);
    view_copy(viewer->session->result->view, noisy->view);
    const unsigned done = light->done;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(viewer_change_gathering(viewer, i % 2 ? "denoise=0" : "denoise=1"), STATUS_OK);
        assert_int_equal(viewer_run(viewer), STATUS_OK);
        assert_int_equal(light->done, done);
        assert_int_equal(viewer_fetch(viewer), STATUS_OK);
        assert_int_equal(shows(viewer, noisy), i % 2);
    }
    image_destroy(&noisy);

    /* so it does a picture that was stopped on its way */
    atomic_store(&viewer->session->stop->asked, true);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=3", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_INTERRUPTED);
    atomic_store(&viewer->session->stop->asked, false);
    assert_int_equal(viewer_set_chain(viewer, "sepia", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(light->done, done);
}

/* The setting waits for the look paths: a picture of another look is as it was. */
static void other_looks_do_not_run_for_the_denoiser(void **state) {
    static const Look others[] = {LOOK_CLASSIC, LOOK_WHITTED};
    for (size_t i = 0; i < 2; i++) {
        Viewer *viewer = trace_small(state, others[i]);
        do
            assert_int_equal(viewer_run(viewer), STATUS_OK);
        while (viewer->session->progressive.row > 0);
        const unsigned job = viewer->session->job_serial, result = viewer->session->result_serial;
        for (int on = 0; on < 3; on++) {
            assert_int_equal(viewer_change_gathering(viewer, on % 2 ? "denoise=1" : "denoise=0"), STATUS_OK);
            assert_int_equal(viewer->session->job_serial, job);
            assert_int_equal(viewer->session->result_serial, result);
            assert_false(viewer->session->stale && others[i] == LOOK_CLASSIC);
        }
    }
}

/* Exposure and gamma look at the light that is there, and so does a filter that maps its tones. */
static void light_outlives_its_tone(void **state) {
    Viewer *viewer = trace_small(state, LOOK_PATHS);
    const Progressive *light = &viewer->session->progressive;
    assert_int_equal(viewer_change_gathering(viewer, "samples=4096"), STATUS_OK);
    while (light->done < 8 || light->row > 0)
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    unsigned done = light->done;
    static const char *const tones[] = {"exposure=1", "exposure=-2:gamma=1.4", "gamma=1", "exposure=0"};
    for (size_t i = 0; i < sizeof tones / sizeof tones[0]; i++) {
        assert_int_equal(viewer_change_tone(viewer, tones[i]), STATUS_OK);
        assert_true(light->done >= done);
        assert_int_equal(viewer_run(viewer), STATUS_OK);
        assert_true(light->done >= done);
        done = light->done;
    }
    assert_int_equal(viewer_set_chain(viewer, "levels=0.1:0.8,curves=0 0;50 60;100 100", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "denoise=1"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(light->done >= done);
}

/* "decode upload gaussian draw swap" */
static const char *span_names(const Viewer *viewer, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < viewer->session->span_count; i++)
        length +=
            (size_t)snprintf(buffer + length, size - length, "%s%s", i ? " " : "", viewer->session->spans[i].name);
    return buffer;
}

static void spans_of_the_window_keep_their_place(void **state) {
    Viewer *viewer = *state;
    char names[256];
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    viewer_record(viewer, "draw", 1);
    viewer_record(viewer, "swap", 2);
    assert_string_equal(span_names(viewer, names, sizeof names), "decode upload gaussian download draw swap");
    assert_int_equal(viewer_set_chain(viewer, "box,invert", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(span_names(viewer, names, sizeof names), "decode upload download draw swap");
    assert_true(near(history_latest(&viewer_span(viewer, "swap")->history), 2));
    assert_true(near(viewer_span(viewer, "swap")->at, 0));
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_string_equal(span_names(viewer, names, sizeof names), "decode upload box invert download draw swap");
    assert_int_equal(viewer_set_level(viewer, "best"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "resize=5:4", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(span_names(viewer, names, sizeof names), "decode upload"); /* of another shape */
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);                   /* takes another time to draw */
    assert_string_equal(span_names(viewer, names, sizeof names), "decode");
}

static void the_traced_frame_is_there_to_be_compared_with(void **state) {
    Viewer *viewer = trace_small(state, LOOK_PATHS);
    Image *plain = trace_without_chain(LOOK_PATHS);
    unsigned serial, again;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_null(viewer_source(viewer, &serial));
    assert_int_equal(action_press(viewer, "|", true), STATUS_OK);
    assert_int_equal(viewer->compare, COMPARE_SPLIT);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_same_pixels(viewer_source(viewer, &serial), plain);
    const Difference *difference = viewer_difference(viewer);
    assert_non_null(difference);
    Image *want = filter_picture(viewer, "gaussian=1", plain->view);
    Difference counted = {0};
    (void)difference_go_on(&counted, plain->view, want->view, want->view.shape.height);
    assert_true(near(difference->max, counted.max) && counted.max > 0);
    char words[SIDE_WORDS];
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "original");
    assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), "gaussian=1");

    /* the frame of a session that another thread runs may be replaced meanwhile */
    Session *lent = viewer_lend(viewer);
    lent->stale = true;
    assert_int_equal(session_run(lent), STATUS_OK);
    assert_same_pixels(viewer_source(viewer, &serial), plain);
    viewer_take_back(viewer);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_same_pixels(viewer_source(viewer, &again), plain);
    assert_int_not_equal(again, serial);

    /* a key that is held, in the place of Space */
    assert_int_equal(action_press(viewer, "|", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "\\", true), STATUS_OK);
    assert_true(viewer->unfiltered && viewer_source(viewer, &serial));
    assert_int_equal(action_press(viewer, "\\", false), STATUS_OK);
    assert_false(viewer->unfiltered || viewer_source(viewer, &serial));
    image_destroy(&plain);
    image_destroy(&want);
}

/* Thumbnails are of the frame as it was when the box opened. */
static void thumbnails_are_of_the_traced_frame(void **state) {
    Viewer *viewer = trace_small(state, LOOK_PATHS);
    unsigned first, serial;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(action_press(viewer, "A", true), STATUS_OK);
    assert_null(viewer_unfiltered(viewer, &first));
    assert_true(viewer_work(viewer));
    assert_true(shape_equal(viewer_unfiltered(viewer, &first)->view.shape, viewer_shape(viewer)));
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_non_null(viewer_unfiltered(viewer, &serial));
    assert_int_equal(serial, first);
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_null(viewer_unfiltered(viewer, &serial));
}

static void a_frame_of_another_size_lies_in_the_middle(void **state) {
    Viewer *viewer = trace_small(state, LOOK_CLASSIC);
    assert_int_equal(viewer_set_chain(viewer, "resize=scale=0.5", FALLBACK_NONE), STATUS_OK);
    const Viewport half = viewer_viewport(viewer);
    assert_true(near(half.x, 16) && near(half.y, 12) && near(half.scale, 1));
    assert_int_equal(action_command(viewer, "pick", true), STATUS_USAGE);
    assert_int_equal(viewer_set_chain(viewer, "crop=60:40", FALLBACK_NONE), STATUS_OK);
    viewer_resize(viewer, 48, 64); /* the chain cannot: the earlier result stays, with the reason */
    assert_true(viewer->toast.error);
    assert_int_equal(viewer_shown_shape(viewer).width, 60);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_shown_shape(viewer).width, 48);
    assert_true(near(viewer_viewport(viewer).x, 0) && near(viewer_viewport(viewer).y, 0));
}

static void camera_zoom_keeps_the_point_under_the_pointer(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres"), STATUS_OK);
    const double x = 100, y = 77;
    const double wx = (double)camera_x(viewer->request->orbit_camera.camera, 100, 640),
                 wy = (double)camera_y(viewer->request->orbit_camera.camera, 77, 480);
    const float unit = viewer->request->orbit_camera.camera.unit;
    viewer_zoom(viewer, 2, x, y);
    assert_true(near((double)viewer->request->orbit_camera.camera.unit, (double)unit / 2));
    assert_true(fabs((double)camera_x(viewer->request->orbit_camera.camera, 100, 640) - wx) < 1e-2);
    assert_true(fabs((double)camera_y(viewer->request->orbit_camera.camera, 77, 480) - wy) < 1e-2);
    viewer_pan(viewer, 10, -20);
    assert_true(fabs((double)camera_x(viewer->request->orbit_camera.camera, 110, 640) - wx) < 1e-2);
    assert_true(fabs((double)camera_y(viewer->request->orbit_camera.camera, 57, 480) - wy) < 1e-2);
    viewer_reset_view(viewer);
    assert_true(near((double)viewer->request->orbit_camera.camera.unit, 1));
}

static void fitted_camera_sees_every_sphere(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres"), STATUS_OK);
    viewer_set_area(viewer, (Area){200, 0, 440, 480});
    const Camera camera = viewer->request->orbit_camera.camera;
    const double left = (double)camera_x(camera, 200, 640), right = (double)camera_x(camera, 639, 640);
    const double top = (double)camera_y(camera, 0, 480), bottom = (double)camera_y(camera, 479, 480);
    for (size_t i = 0; i < viewer_scene(viewer)->count; i++) {
        const Sphere sphere = viewer_scene(viewer)->spheres[i];
        assert_true((double)(sphere.x - sphere.radius) > left && (double)(sphere.x + sphere.radius) < right);
        assert_true((double)(sphere.y - sphere.radius) > bottom && (double)(sphere.y + sphere.radius) < top);
    }
}

static void perspective_orbits_about_the_scene(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres"), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "sorted"), STATUS_OK);
    assert_int_equal(action_press(viewer, "v", true), STATUS_OK); /* sorted cannot: the best takes over */
    assert_int_equal(viewer->request->orbit_camera.camera.kind, CAMERA_PERSPECTIVE);
    assert_string_equal(viewer->request->level, "best");
    const Vec target = viewer->request->orbit_camera.target, from = viewer->request->orbit_camera.camera.from;
    const float distance = viewer->request->orbit_camera.distance;
    viewer_orbit(viewer, 240, 60); /* half the window's height is a quarter turn */
    assert_true(fabsf(viewer->request->orbit_camera.yaw + 1.5707963f) < 1e-5f &&
                viewer->request->orbit_camera.distance == distance);
    const Vec before = vec_minus(from, target), after = vec_minus(viewer->request->orbit_camera.camera.from, target);
    assert_true(fabsf(vec_dot(before, after)) < 1e-3f * distance * distance);
    assert_true(fabsf(vec_dot(vec_unit(after), viewer->request->orbit_camera.camera.forward) + 1) <
                1e-5f);           /* still looking at it */
    viewer_orbit(viewer, 0, 1e6); /* never over the top */
    assert_true(viewer->request->orbit_camera.camera.up.y > 0);
    viewer_zoom(viewer, 2, 0, 0);
    assert_true(viewer->request->orbit_camera.distance == distance / 2);
    assert_int_equal(action_press(viewer, "n", true), STATUS_OK);
    assert_int_equal(viewer->request->look, LOOK_NORMALS);
    char command[512], text[256];
    command_line_format(viewer, command, sizeof command);
    assert_non_null(strstr(command, "--camera perspective="));
    assert_non_null(strstr(command, "--look normals"));
    Camera again;
    camera_format(&viewer->request->orbit_camera.camera, text, sizeof text);
    assert_int_equal(camera_parse(text, &again), STATUS_OK);
    const Vec apart = vec_minus(again.forward, viewer->request->orbit_camera.camera.forward);
    assert_true(vec_dot(apart, apart) < 1e-8f &&
                fabsf(again.tangent - viewer->request->orbit_camera.camera.tangent) < 1e-5f);
    assert_int_equal(action_press(viewer, "r", true), STATUS_OK);
    assert_true(viewer->request->orbit_camera.yaw == 0 && viewer->request->orbit_camera.distance == distance);
    assert_int_equal(action_press(viewer, "v", true), STATUS_OK);
    assert_int_equal(viewer->request->orbit_camera.camera.kind, CAMERA_ORTHOGRAPHIC);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
}

static void the_clock_of_motion_never_leaps(void **state) {
    (void)state;
    Motion motion = {.on = false};
    assert_true(near(motion_time(&motion, 1000), 0) && near(motion_time(&motion, 1050), 0)); /* it stands */
    motion_toggle(&motion);
    assert_true(near(motion_time(&motion, 9000), 0)); /* begins with the first frame, whenever that is */
    assert_true(near(motion_time(&motion, 9020), 0.02));
    assert_true(near(motion_time(&motion, 19000), 0.02 + MOTION_STEP_MAX / 1e3)); /* a long run */
    motion_toggle(&motion);
    motion_toggle(&motion);
    assert_true(near(motion_time(&motion, 90000), 0.02 + MOTION_STEP_MAX / 1e3)); /* a pause takes no time */
    assert_true(near(motion_time(&motion, 90030), 0.05 + MOTION_STEP_MAX / 1e3));
}

static Image *clone_result(const Viewer *viewer) {
    Image *copy;
    assert_int_equal(image_create(viewer->session->result->view.shape, &copy), STATUS_OK);
    memcpy(copy->view.pixels, viewer->session->result->view.pixels, shape_bytes(copy->view.shape));
    return copy;
}

static void space_lets_spheres_move_and_stops_them(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(viewer_work(viewer) || viewer_moves(viewer));
    Image *rest = clone_result(viewer);
    assert_false(action_lets_go(viewer, "Space"));
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Space", false), STATUS_OK); /* it is not held */
    assert_true(viewer_moves(viewer));
    assert_int_equal(viewer->session->totals.count, 0); /* figures are of moving spheres from here on */
    while (viewer->session->motion.time < 0.3)
        assert_true(viewer_work(viewer)); /* without end */
    assert_false(shows(viewer, rest));
    assert_false(viewer_span(viewer, "move")->stage);
    assert_true(viewer_span(viewer, "trace")->stage && viewer->session->totals.count > 1);
    const double time = viewer->session->motion.time;
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK); /* a picture stands still */
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(viewer_work(viewer) || viewer_moves(viewer));
    assert_true(near(viewer->session->motion.time, time));
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(viewer_moves(viewer) && viewer->session->motion.time <= time + MOTION_STEP_MAX / 1e3 + 1e-9);
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    Image *stopped = clone_result(viewer);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(viewer_work(viewer));
    assert_true(shows(viewer, stopped));
    assert_null(viewer_span(viewer, "move"));
    assert_int_equal(action_press(viewer, "F5", true), STATUS_OK); /* at rest again */
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(shows(viewer, rest) && near(viewer->session->motion.time, 0));
    image_destroy(&rest);
    image_destroy(&stopped);
}

static void hands_move_the_camera_while_spheres_move(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "cloud=500"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(action_press(viewer, "v", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    for (int i = 0; i < 20; i++) {
        const uint64_t moves = viewer_scene(viewer)->moves;
        viewer_orbit(viewer, 3, 1);
        assert_true(viewer_work(viewer));
        assert_true(viewer_scene(viewer)->moves == moves + 1); /* nothing is repeated for the sake of medians */
        assert_false(viewer->session->stale);
    }
}

/* Light is begun again for each of its places, coarsely at first: that is not work that ends. */
static void light_follows_spheres_that_move(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "packed=60"), STATUS_OK);
    viewer_resize(viewer, 1600, 1200);
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        const uint64_t moves = viewer_scene(viewer)->moves;
        const unsigned shown = viewer->session->result_serial;
        assert_true(viewer_work(viewer));
        assert_true(viewer_scene(viewer)->moves == moves + 1 && viewer->session->result_serial != shown);
    }
}

/* Longer than any path: users change the other filters all the same, and no part of the mask is taken for it. */
static void long_masks_stay_whole(void **state) {
    enum { WEIGHTS = 41 * 41 };
    Viewer *viewer = *state;
    static char text[WEIGHTS * 9 + 32], now[sizeof text];
    size_t length = (size_t)snprintf(text, sizeof text, "convolve=0.00125");
    for (int i = 1; i < WEIGHTS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " 0.00125");
    snprintf(text + length, sizeof text - length, ",gaussian=1");
    assert_int_equal(viewer_set_chain(viewer, text, FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "]", true), STATUS_OK);
    chain_format(viewer->request->chain, now, sizeof now);
    assert_memory_equal(now, text, length);
    assert_string_equal(now + length, ",gaussian=1.1");
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_false(viewer->typing);
    assert_non_null(strstr(viewer->toast.text, "want at most 1023"));
    assert_int_equal(viewer_replace_link(viewer, 1, "sharpen"), STATUS_OK);
    assert_int_equal(viewer_replace_link(viewer, 2, "invert"), STATUS_OK);
    chain_format(viewer->request->chain, now, sizeof now);
    assert_memory_equal(now, text, length);
    assert_string_equal(now + length, ",sharpen,invert");
    assert_int_equal(viewer_remove_link(viewer, 0), STATUS_OK);
    chain_format(viewer->request->chain, now, sizeof now);
    assert_string_equal(now, "sharpen,invert");
}

static void the_picture_is_uploaded_once(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2", FALLBACK_NONE), STATUS_OK);
    assert_true(viewer->session->uploaded);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2,invert", FALLBACK_NONE), STATUS_OK);
    assert_true(viewer->session->uploaded);
    result_is_what_a_pipeline_of_its_own_makes(state);
    save_random("else.png", WIDTH, HEIGHT, 77); /* of the same shape */
    assert_int_equal(viewer_open(viewer, "else.png"), STATUS_OK);
    assert_false(viewer->session->uploaded);
    result_is_what_a_pipeline_of_its_own_makes(state);
    assert_int_equal(viewer_open(viewer, "bad.png"), STATUS_INPUT);
    assert_true(viewer->session->uploaded);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_show(viewer, SUBJECT_PICTURE), STATUS_OK);
    assert_false(viewer->session->uploaded);
    result_is_what_a_pipeline_of_its_own_makes(state);
    unlink("else.png");
}

/* The pixels of the result that show something, in the window's coordinates. */
static Area seen_in_window(const Viewer *viewer) {
    const ImageView view = viewer->session->result->view;
    const Viewport at = viewer_viewport(viewer);
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (size_t y = 0; y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++)
            if (view_value(view, x, y, 0) > 0) {
                left = fmin(left, (double)x);
                right = fmax(right, (double)x + 1);
                top = fmin(top, (double)y);
                bottom = fmax(bottom, (double)y + 1);
            }
    return (Area){at.x + left * at.scale, at.y + top * at.scale, right - left, bottom - top};
}

/* One ball, fitted: it lies in the middle of what panels leave free, and within it. Areas are those of a column at the
 * left, of two columns, and of files below. */
static void scenes_lie_in_the_free_area(void **state) {
    static const struct {
        int width, height;
        Area free;
    } cases[] = {{1280, 800, {365, 23, 915, 777}},
                 {1280, 800, {365, 23, 915, 620}},
                 {2560, 1440, {500, 31, 1640, 1409}},
                 {2560, 1440, {500, 31, 2060, 1409}}};
    Viewer *viewer = *state;
    write_text("ball.scene", "glint-scene 2\nsphere 30 40 50 200 1 1 1\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int perspective = 0; perspective < 2; perspective++) {
            const Area free = cases[i].free;
            viewer_resize(viewer, cases[i].width, cases[i].height);
            viewer_set_area(viewer, free);
            assert_int_equal(viewer_open(viewer, "ball.scene"), STATUS_OK);
            if (viewer->request->orbit_camera.orbits != perspective)
                assert_int_equal(viewer_switch_camera(viewer), STATUS_OK);
            viewer_fit(viewer);
            assert_int_equal(viewer_run(viewer), STATUS_OK);
            assert_int_equal(viewer_fetch(viewer), STATUS_OK);
            const Area ball = seen_in_window(viewer);
            assert_true(fabs(ball.x + ball.width / 2 - free.x - free.width / 2) <= 2);
            assert_true(fabs(ball.y + ball.height / 2 - free.y - free.height / 2) <= 2);
            assert_true(ball.x >= free.x && ball.y >= free.y && ball.width <= free.width);
            assert_true(ball.height <= free.height && ball.height > free.height / 3);
        }
    remove("ball.scene");
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(scene_and_picture_change_places),
        WITH_VIEWER(a_level_of_another_ladder_gives_way),
        WITH_VIEWER(filters_act_on_what_is_traced),
        WITH_VIEWER(light_goes_on_behind_other_filters),
        WITH_VIEWER(light_outlives_the_denoiser),
        WITH_VIEWER(other_looks_do_not_run_for_the_denoiser),
        WITH_VIEWER(light_outlives_its_tone),
        WITH_VIEWER(the_traced_frame_is_there_to_be_compared_with),
        WITH_VIEWER(thumbnails_are_of_the_traced_frame),
        WITH_VIEWER(a_frame_of_another_size_lies_in_the_middle),
        WITH_VIEWER(scenes_of_light_open_in_light),
        WITH_VIEWER(exposure_suits_the_light),
        WITH_VIEWER(camera_zoom_keeps_the_point_under_the_pointer),
        WITH_VIEWER(fitted_camera_sees_every_sphere),
        WITH_VIEWER(scenes_lie_in_the_free_area),
        WITH_VIEWER(perspective_orbits_about_the_scene),
        cmocka_unit_test(the_clock_of_motion_never_leaps),
        WITH_VIEWER(space_lets_spheres_move_and_stops_them),
        WITH_VIEWER(hands_move_the_camera_while_spheres_move),
        WITH_VIEWER(light_follows_spheres_that_move),
        WITH_VIEWER(long_masks_stay_whole),
        WITH_VIEWER(the_picture_is_uploaded_once),
        WITH_VIEWER(spans_of_the_window_keep_their_place),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
