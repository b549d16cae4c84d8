/* test_viewer_masks.c: masks that are painted in the window. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"

#include "tests/unit/view/fixture.h"

/* A radius of 6 has a rim of 2: full up to 4 from the stroke, half at 5, nothing from 6 on. */
static void strokes_have_a_soft_rim(void **state) {
    (void)state;
    Image *mask = NULL;
    assert_int_equal(image_create((Shape){40, 30, 1, PIXEL_U8}, &mask), STATUS_OK);
    for (size_t y = 0; y < 30; y++)
        memset(view_row(mask->view, y), 0, 40);
    brush_line(mask->view, (BrushPoint){10.5, 15.5}, (BrushPoint){30.5, 15.5}, 6, false);
    const struct {
        size_t x, y;
        double want;
    } painted[] = {{10, 15, 255}, {20, 15, 255}, {20, 11, 255}, {20, 10, 128}, {20, 9, 0},  {20, 20, 128},
                   {5, 15, 128},  {4, 15, 0},    {35, 15, 128}, {33, 19, 128}, {34, 20, 0}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof painted / sizeof painted[0]; i++)
        if (!near(view_value(mask->view, painted[i].x, painted[i].y, 0), painted[i].want))
            fail_msg("%zu, %zu: %g", painted[i].x, painted[i].y, view_value(mask->view, painted[i].x, painted[i].y, 0));
    brush_line(mask->view, (BrushPoint){20.5, 15.5}, (BrushPoint){20.5, 15.5}, 6, true);
    assert_true(near(view_value(mask->view, 20, 15, 0), 0));
    assert_true(near(view_value(mask->view, 25, 15, 0), 127));
    assert_true(near(view_value(mask->view, 10, 15, 0), 255));
    brush_line(mask->view, (BrushPoint){-20, -9}, (BrushPoint){3, 1}, 1e4, false); /* beyond all edges */
    for (size_t i = 0; i < 40 * 30; i++)
        assert_true(near(view_value(mask->view, i % 40, i / 40, 0), 255));
    image_destroy(&mask);
}

static void paint_at(Viewer *viewer, double x, double y) {
    const Viewport at = viewer_viewport(viewer);
    assert_true(brush_press(viewer, at.x + x * at.scale, at.y + y * at.scale, false));
    brush_release(viewer);
    assert_true(viewer_asks(viewer));
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
}

static double run_and_see(Viewer *viewer, size_t x, size_t y) {
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    return view_value(viewer->session->result->view, x, y, 0);
}

/* Each stroke is a change of its own; the mask is a file in the end, which any chain may name. */
static void painting_confines_a_filter(void **state) {
    Viewer *viewer = *state;
    const double before = view_value(viewer_picture(viewer)->view, 20, 20, 0);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_USAGE);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_false(brush_press(viewer, 0, 0, false));
    assert_int_equal(action_press(viewer, "Ctrl+J", true), STATUS_OK);
    paint_at(viewer, 40, 20);
    assert_true(near(run_and_see(viewer, 20, 20), before));
    paint_at(viewer, 20.5, 20.5);
    assert_true(near(run_and_see(viewer, 20, 20), 255 - before));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_true(near(run_and_see(viewer, 20, 20), before));
    paint_at(viewer, 50, 30); /* on the mask that undo has left */
    assert_true(near(run_and_see(viewer, 20, 20), before));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_null(chain_within(&viewer->request->chain->links[0]));
    assert_int_equal(viewer_redo(viewer), STATUS_OK);
    assert_int_equal(action_press(viewer, "Ctrl+J", true), STATUS_OK);
    assert_false(brush_on(viewer));
    assert_string_equal(chain_within(&viewer->request->chain->links[0]), "glint-mask-001.png");
    assert_true(near(run_and_see(viewer, 40, 20), 255 - view_value(viewer_picture(viewer)->view, 40, 20, 0)));
    assert_int_equal(unlink("glint-mask-001.png"), 0);
}

/* A quick hand begins a stroke before the last one is carried out: it goes on from where it is. */
static void a_stroke_outlives_the_one_before(void **state) {
    Viewer *viewer = *state;
    const Viewport at = viewer_viewport(viewer);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    assert_true(near(brush_view(viewer).radius, 2));
    assert_true(brush_press(viewer, at.x + 10 * at.scale, at.y + 10 * at.scale, false));
    brush_release(viewer);
    assert_true(brush_press(viewer, at.x + 30 * at.scale, at.y + 20 * at.scale, false));
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_int_equal(brush_view(viewer).count, 1);
    brush_move(viewer, at.x + 40 * at.scale, at.y + 20 * at.scale);
    brush_release(viewer);
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_true(near(view_value(brush_view(viewer).mask->view, 10, 10, 0), 255));
    assert_true(near(view_value(brush_view(viewer).mask->view, 35, 20, 0), 255));
    assert_true(near(view_value(brush_view(viewer).mask->view, 20, 15, 0), 0));
}

/* A mask goes along to a picture of another size, in shares of it, and is painted on there. */
static void a_mask_fits_the_next_picture(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    for (size_t i = 0; i < 40; i++)
        brush_resize(viewer, 1);
    paint_at(viewer, 0, 0); /* all of it */
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    assert_int_equal(copied_take(viewer), STATUS_OK);
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(copied_paste(viewer), STATUS_OK);
    assert_int_equal(viewer->session->misfit, 0);
    const double before = view_value(viewer_picture(viewer)->view, 8, 7, 0);
    assert_true(near(run_and_see(viewer, 8, 7), 255 - before));
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    const Viewport at = viewer_viewport(viewer);
    for (size_t i = 0; i < 60; i++)
        brush_resize(viewer, -1);
    assert_true(brush_press(viewer, at.x + 8.5 * at.scale, at.y + 7.5 * at.scale, true)); /* erases */
    brush_release(viewer);
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    const ImageView mask = brush_view(viewer).mask->view;
    assert_true(mask.shape.width == 9 && mask.shape.height == 8);
    assert_true(view_value(mask, 8, 7, 0) < 1 && near(view_value(mask, 0, 0, 0), 255));
    assert_true(near(run_and_see(viewer, 8, 7), before));
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    assert_int_equal(unlink("glint-mask-001.png"), 0);
    assert_int_equal(unlink("glint-mask-002.png"), 0);
}

/* While its file stays as it is. */
static void a_mask_is_read_once(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    paint_at(viewer, 20, 20);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    const Chain *chain = viewer->session->chain;
    assert_int_equal(chain->image_count, 1);
    const Image *mask = chain->images[0].image;
    assert_int_equal(viewer_set_values(viewer, 0, "3"), STATUS_OK);
    chain = viewer->session->chain;
    assert_int_equal(chain->image_count, 1);
    assert_ptr_equal(chain->images[0].image, mask);
    assert_int_equal(unlink("glint-mask-001.png"), 0);
    assert_int_equal(viewer_set_values(viewer, 0, "4"), STATUS_INPUT);
    assert_int_equal(viewer_confine(viewer, 0, ""), STATUS_OK);
    assert_int_equal(viewer->session->chain->image_count, 0);
}

/* Whichever filter is selected when painting ends, and whatever is saved meanwhile. */
static void no_painted_mask_is_left_behind(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert,gaussian=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    viewer->selected = 0;
    paint_at(viewer, 20, 20);
    struct stat file; /* strokes are many, and hardly anything in them is painted */
    assert_int_equal(stat(brush_view(viewer).path, &file), 0);
    assert_true(file.st_size < WIDTH * HEIGHT / 4);
    viewer->selected = 1;
    paint_at(viewer, 30, 20);
    assert_int_equal(brush_keep(viewer), STATUS_OK);
    assert_true(brush_on(viewer));
    assert_string_equal(chain_within(&viewer->request->chain->links[0]), "glint-mask-001.png");
    assert_string_equal(chain_within(&viewer->request->chain->links[1]), "glint-mask-002.png");
    viewer->selected = 0;
    paint_at(viewer, 25, 20);
    viewer->selected = 1;
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    assert_string_equal(chain_within(&viewer->request->chain->links[0]), "glint-mask-003.png");
    assert_int_equal(chain_make_paths_whole(viewer->request->chain), STATUS_OK);
    assert_int_equal(chain_within(&viewer->request->chain->links[1])[0], '/');
    assert_int_equal(access(chain_within(&viewer->request->chain->links[1]), R_OK), 0);
    assert_int_equal(unlink("glint-mask-001.png"), 0);
    assert_int_equal(unlink("glint-mask-002.png"), 0);
    assert_int_equal(unlink("glint-mask-003.png"), 0);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strokes_have_a_soft_rim),     WITH_VIEWER(painting_confines_a_filter),
        WITH_VIEWER(a_stroke_outlives_the_one_before), WITH_VIEWER(no_painted_mask_is_left_behind),
        WITH_VIEWER(a_mask_fits_the_next_picture),     WITH_VIEWER(a_mask_is_read_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
