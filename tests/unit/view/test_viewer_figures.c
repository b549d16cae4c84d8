/* test_viewer_figures.c: the look "figure", and particles that frames move. tests/view/test_figure_look.sh compares
 * the pictures with those of glint trace. */
#include "app/backends.h"
#include "app/view/session/figure_view.h"
#include "core/scene/particles/trajectory.h"
#include "core/scene/scene_parts.h"
#include "tests/unit/view/fixture.h"

#define DUMP GLINT_SOURCE_DIR "/tests/particles/run.dump:radius=mass"

static const char ball[] = "glint-scene 2\ncamera 0 0 10  0 0 0  0 1 0  40\nsphere 0 0 0 2  0.9 0.4 0.1\n"
                           "triangle -4 -2 -1  4 -2 -1  0 -1 -1  0.2 0.2 0.9\n";

static Viewer *open_figure(void **state) {
    Viewer *viewer = *state;
    write_text("ball.scene", ball);
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_open_scene(viewer, "ball.scene"), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "samples=2"), STATUS_OK);
    assert_int_equal(viewer_take_look(viewer, "figure"), STATUS_OK);
    return viewer;
}

static const unsigned char *pixel(const Viewer *viewer, size_t x, size_t y) {
    const ImageView view = viewer->session->result->view;
    return (const unsigned char *)view_row(view, y) + x * (size_t)view.shape.channels;
}

static void finish(Viewer *viewer) {
    assert_int_equal(session_finish(viewer_session(viewer)), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
}

static void a_figure_has_a_plain_background_or_none(void **state) {
    Viewer *viewer = open_figure(state);
    finish(viewer);
    assert_int_equal(viewer->session->result->view.shape.channels, 3);
    for (int c = 0; c < 3; c++)
        assert_int_equal(pixel(viewer, 1, 1)[c], 255);
    assert_true(pixel(viewer, 32, 24)[0] > pixel(viewer, 32, 24)[2]); /* the ball is orange */
    assert_int_equal(viewer_change_style(viewer, "background=black"), STATUS_OK);
    finish(viewer);
    assert_int_equal(pixel(viewer, 1, 1)[0], 0);
    assert_int_equal(viewer_change_style(viewer, "background=none"), STATUS_OK);
    finish(viewer);
    assert_int_equal(viewer->session->result->view.shape.channels, 4);
    assert_int_equal(pixel(viewer, 1, 1)[3], 0);
    assert_int_equal(pixel(viewer, 32, 24)[3], 255);
    assert_non_null(strstr(viewer->edits.list[viewer->edits.at].words, "Figure Background"));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    finish(viewer);
    assert_int_equal(viewer->session->result->view.shape.channels, 3);
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK); /* its own light is another one */
    finish(viewer);
    assert_false(viewer->request->figure);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_true(viewer->request->figure);
    assert_int_equal(viewer_take_look(viewer, "figures"), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "paths, figure"));
    remove("ball.scene");
}

/* Lines and words are drawn on the light that is there; shadows are other light. */
static void lines_keep_the_light(void **state) {
    Viewer *viewer = open_figure(state);
    finish(viewer);
    const unsigned job = viewer->session->job_serial;
    const uint32_t done = viewer->session->progressive.done;
    Image *before;
    assert_int_equal(image_clone(viewer->session->result->view, &before), STATUS_OK);
    assert_int_equal(viewer_change_style(viewer, "outline=2:box=1"), STATUS_OK);
    assert_true(viewer->session->stale && viewer->session->keeps_light);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_true(viewer->session->job_serial == job && viewer->session->progressive.done == done);
    assert_false(shows(viewer, before));
    assert_int_equal(viewer_change_style(viewer, "outline=0:box=0"), STATUS_OK);
    finish(viewer);
    assert_true(shows(viewer, before));
    assert_int_equal(viewer_change_style(viewer, "shadow=1"), STATUS_OK);
    assert_true(viewer->session->stale && !viewer->session->keeps_light);
    finish(viewer);
    assert_false(shows(viewer, before));
    assert_int_equal(viewer_change_style(viewer, "bar=1"), STATUS_USAGE); /* no colours of a map */
    assert_int_equal(viewer_change_style(viewer, "outline=9"), STATUS_USAGE);
    image_destroy(&before);
    remove("ball.scene");
}

/* While hands move, a draft has no lines; it is not what is saved. */
static void drafts_are_not_saved(void **state) {
    Viewer *viewer = open_figure(state);
    assert_int_equal(viewer_change_gathering(viewer, "samples=64"), STATUS_OK);
    assert_int_equal(viewer_change_style(viewer, "outline=4"), STATUS_OK);
    session_delay(viewer->session, 1e6);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(figure_view_is_draft(viewer->session) && !viewer->session->shown);
    assert_int_equal(viewer_save_result(viewer, "saved.png", true), STATUS_OK);
    assert_false(figure_view_is_draft(viewer->session));
    remove("saved.png");
    remove("ball.scene");
}

static void assert_same_places(const Scene *got, const char *text) {
    Scene *want = NULL;
    assert_int_equal(trajectory_open_scene(text, &want), STATUS_OK);
    assert_int_equal(got->count, want->count);
    assert_memory_equal(got->spheres, want->spheres, want->count * sizeof *want->spheres);
    scene_destroy(&want);
}

static Status go_to(Viewer *viewer, double place) {
    Request next = viewer_request(viewer);
    char text[SCENE_TEXT_MAX];
    TRY(trajectory_set_place(next.scene, place, text));
    snprintf(next.scene, sizeof next.scene, "%s", text);
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

/* The same particles move, so that boxes are refitted; others are another scene. */
static void frames_move_the_particles(void **state) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, DUMP), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    const unsigned job = viewer->session->job_serial;
    const Scene *first = viewer_scene(viewer);
    const uint64_t geometry = scene_geometry(first);
    assert_int_equal(go_to(viewer, 2), STATUS_OK);
    assert_true(viewer_scene(viewer) == first && viewer->session->job_serial == job && viewer->session->stale);
    assert_same_places(first, DUMP ":frame=2");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(go_to(viewer, 2.5), STATUS_OK);
    assert_same_places(viewer_scene(viewer), DUMP ":frame=2.5");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_same_places(viewer_scene(viewer), DUMP ":frame=2");
    assert_int_equal(viewer_change_scene(viewer, "sphere=1:red=0.25"), STATUS_OK); /* a copy with the same geometry */
    assert_int_equal(go_to(viewer, 3), STATUS_OK);
    assert_true(scene_geometry(viewer_scene(viewer)) == geometry && viewer->session->job_serial == job);
    assert_same_places(viewer_scene(viewer), DUMP ":frame=3,sphere=1:red=0.25");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(go_to(viewer, 4), STATUS_OK); /* it has seven of nine */
    assert_true(viewer_scene(viewer) != first && scene_geometry(viewer_scene(viewer)) != geometry);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(go_to(viewer, 1), STATUS_OK);
    assert_same_places(viewer_scene(viewer), DUMP ":frame=1,sphere=1:red=0.25");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
}

/* Boxes grow while particles go: every eighth time the BVH is built again. */
static void frames_build_the_bvh_now_and_then(void **state) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, DUMP), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    const uint64_t begun = viewer->session->built_moves;
    for (int i = 0; i < 7; i++) {
        assert_int_equal(go_to(viewer, 1 + (i + 1) % 3), STATUS_OK);
        assert_int_equal(viewer_run(viewer), STATUS_OK);
        assert_true(viewer->session->built_moves == begun);
    }
    assert_int_equal(go_to(viewer, 2.25), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(viewer->session->built_moves == viewer_scene(viewer)->moves);
}

/* A frame that cannot be read leaves all as it is. */
static void a_damaged_frame_moves_nothing(void **state) {
    Viewer *viewer = *state;
    write_text("bad.xyz", "1\n\nC 0 0 0\n1\n\nC oops 0 0\n1\n\nC 2 0 0\n");
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "bad.xyz"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(go_to(viewer, 2), STATUS_INPUT);
    assert_string_equal(viewer_title(viewer), "bad.xyz");
    assert_same_places(viewer_scene(viewer), "bad.xyz");
    assert_int_equal(go_to(viewer, 3), STATUS_OK);
    assert_same_places(viewer_scene(viewer), "bad.xyz:frame=3");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    remove("bad.xyz");
}

/* A figure of particles follows their frames, and its camera. */
static void figures_follow_frames(void **state) {
    Viewer *viewer = *state;
    Image *second;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_open_scene(viewer, DUMP ":frame=2"), STATUS_OK);
    assert_int_equal(viewer_change_gathering(viewer, "samples=2"), STATUS_OK);
    assert_int_equal(viewer_take_look(viewer, "figure"), STATUS_OK);
    assert_int_equal(viewer_change_style(viewer, "axes=1:outline=1"), STATUS_OK);
    finish(viewer);
    assert_int_equal(image_clone(viewer->session->result->view, &second), STATUS_OK);
    assert_int_equal(go_to(viewer, 3), STATUS_OK);
    finish(viewer);
    assert_false(shows(viewer, second));
    assert_int_equal(go_to(viewer, 2), STATUS_OK);
    finish(viewer);
    assert_true(shows(viewer, second));
    image_destroy(&second);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {WITH_VIEWER(a_figure_has_a_plain_background_or_none),
                                       WITH_VIEWER(lines_keep_the_light),
                                       WITH_VIEWER(drafts_are_not_saved),
                                       WITH_VIEWER(frames_move_the_particles),
                                       WITH_VIEWER(frames_build_the_bvh_now_and_then),
                                       WITH_VIEWER(a_damaged_frame_moves_nothing),
                                       WITH_VIEWER(figures_follow_frames)};
    return cmocka_run_group_tests_name("viewer figures", tests, make_folder, remove_folder);
}
