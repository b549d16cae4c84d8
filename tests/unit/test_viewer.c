/* test_viewer.c: the viewer's state, keys and scripts, without a window. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/script.h"
#include "app/view/session/preview.h"
#include "app/view/session/timings_json.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/command_line.h"
#include "core/base/file.h"
#include "core/base/timing.h"
#include "core/codec/codec.h"
#include "core/codec/save.h"
#include "core/ops/convolve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check.h"

enum { WIDTH = 61, HEIGHT = 47 };

/* As another program writes it: a file that the viewer reads may change. */
static void write_bytes(const char *path, Bytes bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
}

static void write_image(const char *path, const Image *image) {
    Bytes bytes;
    assert_int_equal(codec_encode_for(path, image, (SaveOptions){0}, &bytes), STATUS_OK);
    write_bytes(path, bytes);
    bytes_free(&bytes);
}

static void save_random(const char *path, size_t width, size_t height, unsigned long seed) {
    Image *image;
    assert_int_equal(image_create((Shape){width, height, 3, PIXEL_U8}, &image), STATUS_OK);
    view_fill_random(image->view, seed);
    write_image(path, image);
    image_destroy(&image);
}

static void write_text(const char *path, const char *text) {
    write_bytes(path, (Bytes){(unsigned char *)(uintptr_t)text, strlen(text)});
}

static Viewer *make_viewer(const char *chain, const char *level) {
    Device *device;
    Viewer *viewer;
    const char *passed_over;
    assert_int_equal(backend_open("cpu", 0, 1, &device, &passed_over), STATUS_OK);
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    assert_int_equal(viewer_create(device, chain, level, options, &viewer), STATUS_OK);
    viewer_resize(viewer, 640, 480);
    return viewer;
}

/* A viewer with one.png open; the folder of the tests has two.png and a damaged bad.png as well. */
static int open_viewer(void **state) {
    Viewer *viewer = make_viewer("gaussian=1", "best");
    assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
    *state = viewer;
    return 0;
}

static int close_viewer(void **state) {
    Viewer *viewer = *state;
    viewer_destroy(&viewer);
    assert_null(viewer);
    return 0;
}

static bool near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

static bool same_file(const char *a, const char *b) {
    Bytes left = {0}, right = {0};
    assert_int_equal(file_read(a, &left), STATUS_OK);
    assert_int_equal(file_read(b, &right), STATUS_OK);
    const bool same = left.size == right.size && memcmp(left.data, right.data, left.size) == 0;
    bytes_free(&left);
    bytes_free(&right);
    return same;
}

/* ---- placement ---- */

static void fit_shows_all_in_the_middle(void **state) {
    (void)state;
    const Viewport wide = viewport_fit((Area){100, 0, 400, 400}, 200, 100);
    assert_true(near(wide.scale, 2) && near(wide.x, 100) && near(wide.y, 100));
    const Viewport high = viewport_fit((Area){0, 0, 400, 400}, 100, 800);
    assert_true(near(high.scale, 0.5) && near(high.x, 175) && near(high.y, 0));
    assert_true(wide.fitted && !viewport_actual((Area){0, 0, 9, 9}, 3, 3).fitted);
}

static void actual_size_lies_on_whole_pixels(void **state) {
    (void)state;
    const Viewport viewport = viewport_actual((Area){0, 0, 101, 100}, 30, 31);
    assert_true(near(viewport.scale, 1) && near(viewport.x, 35) && near(viewport.y, 34));
}

static void zoom_keeps_the_point_under_the_pointer(void **state) {
    (void)state;
    Viewport viewport = {.scale = 0.7, .x = 13, .y = -40};
    const double x = 212, y = 99, px = (x - viewport.x) / viewport.scale, py = (y - viewport.y) / viewport.scale;
    for (int i = 0; i < 30; i++) {
        viewport = viewport_zoom(viewport, i % 3 ? 1.3 : 0.4, x, y);
        assert_true(near((x - viewport.x) / viewport.scale, px) && near((y - viewport.y) / viewport.scale, py));
    }
    for (int i = 0; i < 200; i++)
        viewport = viewport_zoom(viewport, 2, x, y);
    assert_true(viewport.scale <= VIEWPORT_SCALE_MAX);
}

static void pixel_is_the_one_under_the_pointer(void **state) {
    (void)state;
    const Viewport viewport = {.scale = 4, .x = 10, .y = 20};
    size_t x, y;
    assert_true(viewport_pixel(viewport, 10, 20, 5, 5, &x, &y));
    assert_true(x == 0 && y == 0);
    assert_true(viewport_pixel(viewport, 29.9, 39.9, 5, 5, &x, &y));
    assert_true(x == 4 && y == 4);
    assert_false(viewport_pixel(viewport, 30, 39, 5, 5, &x, &y));
    assert_false(viewport_pixel(viewport, 9.9, 30, 5, 5, &x, &y));
}

/* ---- pictures ---- */

static void result_is_what_a_pipeline_of_its_own_makes(void **state) {
    Viewer *viewer = *state;
    Plan *plan;
    Pipeline *pipeline;
    Image *want;
    Spans spans = {0};
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(
        chain_plan(viewer->request->chain, viewer_picture(viewer)->view.shape, viewer->request->options, &plan),
        STATUS_OK);
    assert_int_equal(pipeline_create(viewer->session->device, plan, "best", &pipeline), STATUS_OK);
    assert_int_equal(image_create(viewer_picture(viewer)->view.shape, &want), STATUS_OK);
    assert_int_equal(pipeline_process(pipeline, viewer_picture(viewer)->view, want->view, &spans), STATUS_OK);
    assert_memory_equal(want->view.pixels, viewer->session->result->view.pixels, shape_bytes(want->view.shape));
    image_destroy(&want);
    pipeline_destroy(&pipeline);
}

static void failures_leave_what_was_shown(void **state) {
    Viewer *viewer = *state;
    const Image *picture = viewer_picture(viewer);
    const Pipeline *pipeline = viewer->session->pipeline;
    assert_int_equal(viewer_open(viewer, "missing.png"), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "missing.png"));
    assert_int_equal(viewer_open(viewer, "bad.png"), STATUS_INPUT);
    assert_int_equal(viewer_open(viewer, "empty"), STATUS_INPUT);
    assert_int_equal(viewer_set_chain(viewer, "gausian", FALLBACK_NONE), STATUS_USAGE);
    assert_int_equal(viewer_set_level(viewer, "fastest"), STATUS_USAGE);
    assert_int_equal(viewer_set_backend(viewer, "abacus"), STATUS_USAGE);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=-1"), STATUS_USAGE);
    assert_ptr_equal(viewer_picture(viewer), picture);
    assert_ptr_equal(viewer->session->pipeline, pipeline);
    assert_int_equal(viewer->pictures.count, 1);
    assert_string_equal(viewer->request->level, "best");
    assert_string_equal(viewer_title(viewer), "one.png");
    assert_ptr_equal(viewer_kind(viewer), &subject_picture);
    char chain[64];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=1");
}

static void stepping_skips_what_cannot_be_shown(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open(viewer, "."), STATUS_OK); /* bad.png, one.png, two.png behind the first */
    assert_int_equal(viewer->pictures.count, 4);
    assert_string_equal(viewer_title(viewer), "./one.png");
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "bad.png"));
    assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "./two.png");
    assert_int_equal(action_press(viewer, "Right", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "one.png");
    assert_int_equal(action_press(viewer, "Left", true), STATUS_OK);
    assert_string_equal(viewer_title(viewer), "./two.png");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result->view.shape.width, 9);
}

static void one_picture_has_no_neighbour(void **state) {
    assert_int_equal(action_press(*state, "Right", true), STATUS_USAGE);
}

/* ---- filter, level, border ---- */

static void digits_and_arrows_climb_the_ladder(void **state) {
    Viewer *viewer = *state;
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    assert_true(count >= 2);
    assert_ptr_equal(rungs[0].level, level_reference(&op_convolve));
    assert_int_equal(action_press(viewer, "1", true), STATUS_OK);
    assert_string_equal(viewer_level(viewer)->name, "naive");
    assert_int_equal(action_press(viewer, "Down", true), STATUS_OK);
    assert_string_equal(viewer_level(viewer)->name, "reference");
    assert_int_equal(action_press(viewer, "Down", true), STATUS_USAGE);
    assert_string_equal(viewer_level(viewer)->name, "reference");
    for (size_t i = 1; i < count && !rungs[i].why_not; i++) {
        assert_int_equal(action_press(viewer, "Up", true), STATUS_OK);
        assert_ptr_equal(viewer_level(viewer), rungs[i].level);
    }
    assert_int_equal(action_press(viewer, "End", true), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
}

static void a_level_that_cannot_says_why_and_the_old_one_stays(void **state) {
    Viewer *viewer = *state;
    LadderRow rungs[RUNGS_MAX];
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_NONE),
                     STATUS_OK); /* of rank 2 */
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    const size_t count = viewer_rungs(viewer, rungs);
    bool refused = false;
    for (size_t i = 0; i < count; i++) {
        if (!rungs[i].why_not)
            continue;
        refused = true;
        assert_int_equal(viewer_set_level(viewer, rungs[i].level->name), STATUS_USAGE);
        assert_non_null(strstr(status_message(), rungs[i].why_not));
        assert_string_equal(viewer_level(viewer)->name, "naive");
        assert_string_equal(viewer->request->level, "naive");
    }
    assert_true(refused);
}

static void picking_a_filter_gives_up_a_level_that_cannot(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_level(viewer, "separable"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_NONE), STATUS_USAGE);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_BEST), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "separable"));
    assert_int_equal(viewer_set_chain(viewer, "nothing of the kind", FALLBACK_BEST), STATUS_USAGE);
}

static void keys_step_parameters_on_their_grid(void **state) {
    Viewer *viewer = *state;
    const Param *sigma = &viewer->request->chain->links[0].filter->table.params[0];
    assert_int_equal(action_press(viewer, "]", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 1 + sigma->step));
    for (int i = 0; i < 20; i++)
        assert_int_equal(action_press(viewer, "[", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), sigma->min));
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "]", true), STATUS_USAGE);
}

/* The result is fitted, and the pointer reads it. */
static void results_of_another_size_are_fitted(void **state) {
    Viewer *viewer = *state;
    double values[4];
    const ImageView pixel = {{1, 1, 3, PIXEL_U8}, sizeof values, values};
    assert_int_equal(viewer_set_chain(viewer, "resize=scale=3", FALLBACK_NONE), STATUS_OK);
    const Shape shape = viewer_shown_shape(viewer);
    assert_int_equal(shape.width, 3 * WIDTH);
    assert_int_equal(shape.height, 3 * HEIGHT);
    const Viewport fitted = viewport_fit(viewer->area, shape.width, shape.height);
    assert_true(near(viewer_viewport(viewer).scale, fitted.scale) && near(viewer_viewport(viewer).x, fitted.x));
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(viewer_pixels(viewer, 3 * WIDTH - 1, 3 * HEIGHT - 1, pixel));
    unsigned char block[2][3][3];
    const ImageView part = {{3, 2, 3, PIXEL_U8}, sizeof block[0], block};
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_true(viewer_pixels(viewer, 4, 5, part));
    for (size_t y = 0; y < 2; y++)
        assert_memory_equal(block[y], (const char *)view_row(viewer->session->result->view, 5 + y) + 4 * 3,
                            sizeof block[y]);
    assert_false(viewer_pixels(viewer, 3 * WIDTH - 2, 0, part));
    assert_int_equal(viewer_set_chain(viewer, "crop=5:4", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_false(viewer_pixels(viewer, 5, 3, pixel));
    assert_int_equal(viewer_set_chain(viewer, "crop=500:4", FALLBACK_NONE), STATUS_INPUT);
    assert_int_equal(viewer_shown_shape(viewer).width, 5); /* all stays as it was */
}

static void filter_keys_go_round_the_list(void **state) {
    Viewer *viewer = *state;
    char first[256], chain[256];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, ".", true), STATUS_OK);
    chain_format(viewer->request->chain, first, sizeof first);
    assert_int_not_equal(viewer->request->chain->count, 0);
    size_t steps = 0;
    for (; viewer->request->chain->count > 0 && steps <= filter_count; steps++)
        assert_int_equal(action_press(viewer, "PageDown", true), STATUS_OK);
    assert_true(steps > 2 && steps <= filter_count);
    assert_int_equal(action_press(viewer, ".", true), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, first);
    assert_int_equal(action_press(viewer, ",", true), STATUS_OK);
    assert_int_equal(viewer->request->chain->count, 0);
}

static void type_text(Viewer *viewer, const char *text) {
    for (; *text; text++)
        assert_int_equal(viewer_type(viewer, *text), STATUS_OK);
}

static void a_chain_can_be_typed(void **state) {
    Viewer *viewer = *state;
    char chain[64];
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, "gaussian=1");
    type_text(viewer, "\b3,invertt\t");
    assert_string_equal(viewer->entry, "gaussian=3,invertt");
    assert_int_equal(viewer_type(viewer, '\r'), STATUS_USAGE);
    assert_true(viewer->typing); /* to be mended */
    type_text(viewer, "\177\r");
    assert_false(viewer->typing);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=3,invert");
    viewer_begin_entry(viewer, action_by_name("filter"));
    type_text(viewer, ",box\033");
    assert_false(viewer->typing);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=3,invert");
    viewer_begin_entry(viewer, action_by_name("filter"));
    for (int i = 0; i < 2 * ENTRY_MAX; i++)
        type_text(viewer, "x");
    assert_int_equal(strlen(viewer->entry), ENTRY_MAX - 1);
}

/* Tab takes names that begin like the word: filters with their example, parameters, words of a parameter, presets. */
static void a_chain_is_completed(void **state) {
    Viewer *viewer = *state;
    static const struct {
        const char *typed, *completed;
    } rows[] = {
        {"invert,gray", "invert,grayscale"},
        {"~gray", "~grayscale"},
        {"blend=op", "blend=opacity="},
        {"blend=opacity=50:mo", "blend=opacity=50:mode="},
        {"invert,blend=mode=mul", "invert,blend=mode=multiply"},
        {"blend=mode=nosuch", "blend=mode=nosuch"},
        {"box,@noi", "box,@noir"},
        {"convolve=file='a:s", "convolve=file='a:s"}, /* within quotes is no name */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        viewer_begin_entry(viewer, action_by_name("filter"));
        viewer_set_entry(viewer, rows[i].typed);
        assert_int_equal(viewer_type(viewer, '\t'), STATUS_OK);
        assert_string_equal(viewer->entry, rows[i].completed);
    }
}

static void values_can_be_typed(void **state) {
    Viewer *viewer = *state;
    char chain[64];
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2,invert", FALLBACK_NONE), STATUS_OK);
    viewer->selected = 0;
    assert_int_equal(action_press(viewer, "V", true), STATUS_OK);
    type_text(viewer, "rad\t9:sigma=2.25\r");
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=2.25:9,invert");
    assert_int_equal(viewer_set_values(viewer, 0, "sigma=2.5:radius=x"), STATUS_USAGE); /* all or nothing */
    assert_int_equal(viewer_set_values(viewer, 2, "sigma=2.5"), STATUS_USAGE);
    assert_int_equal(viewer_set_values(viewer, 1, "within=9x8+1+2"), STATUS_OK);
    assert_string_equal(chain_within(&viewer->request->chain->links[1]), "9x8+1+2");
    assert_int_equal(viewer_confine(viewer, 1, ""), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=2.25:9,invert");
}

static void keys_move_the_slider_under_the_pointer(void **state) {
    Viewer *viewer = *state;
    const double y = viewer->viewport.y;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2,invert", FALLBACK_NONE), STATUS_OK);
    const Param *sigma = &viewer->request->chain->links[0].filter->table.params[0];
    viewer->ui->hovered = (HoveredSlider){0, sigma};
    assert_int_equal(action_press(viewer, "Up", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 2 + sigma->step));
    assert_int_equal(action_press(viewer, "Ctrl+Right", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 2 + 11 * sigma->step));
    viewer->ui->hovered.link = 2; /* gone by now */
    const size_t index = viewer->pictures.current;
    (void)action_press(viewer, "Ctrl+Right", true);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 2 + 11 * sigma->step));
    assert_int_equal(viewer->pictures.current, index);
    assert_true(near(viewer->viewport.y, y));
}

static void a_border_can_be_typed_with_its_value(void **state) {
    Viewer *viewer = *state;
    char border[64];
    assert_int_equal(action_press(viewer, "B", true), STATUS_OK);
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, "clamp");
    assert_int_equal(viewer_check_entry(viewer), STATUS_OK);
    type_text(viewer, "\b\b\b\b\bconstant=");
    assert_int_equal(viewer_check_entry(viewer), STATUS_USAGE);
    type_text(viewer, "12.5\r");
    assert_false(viewer->typing);
    assert_string_equal(border_format(viewer->request->options.border, border, sizeof border), "constant=12.5");
}

static void keys_and_menus_take_the_same_border(void **state) {
    Viewer *viewer = *state;
    while (viewer->request->options.border.mode != BORDER_CONSTANT)
        assert_int_equal(action_press(viewer, "b", true), STATUS_OK);
    const float by_key = viewer->request->options.border.value;
    assert_true(near((double)by_key, 127.5)); /* half of 255 */
    assert_int_equal(viewer_set_border(viewer, (Border){BORDER_CLAMP, 0}, FALLBACK_BEST), STATUS_OK);
    assert_true(near((double)viewer_default_border(viewer, BORDER_CONSTANT).value, (double)by_key));
    assert_int_equal(viewer_set_border(viewer, (Border){BORDER_CONSTANT, 3}, FALLBACK_BEST), STATUS_OK);
    assert_true(near((double)viewer_default_border(viewer, BORDER_CONSTANT).value, 3)); /* it keeps the value it has */
    assert_true(near((double)viewer_default_border(viewer, BORDER_WRAP).value, 0));
}

static void every_filter_of_the_menu_can_be_picked(void **state) {
    Viewer *viewer = *state;
    char text[256];
    for (size_t i = 0; i < filter_count; i++) {
        filter_format_example(filters[i], text, sizeof text);
        assert_int_equal(viewer_set_chain(viewer, text, FALLBACK_BEST), STATUS_OK);
        assert_ptr_equal(viewer->request->chain->links[0].filter, filters[i]);
    }
}

static void ranges_follow_the_pixels(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "laplacian", FALLBACK_NONE), STATUS_OK);
    const Param *bias = &viewer->request->chain->links[0].filter->table.params[1];
    assert_string_equal(bias->name, "bias");
    const Param fitted = viewer_param(viewer, bias);
    assert_true(near(fitted.min, -255) && near(fitted.max, 255));
    assert_int_equal(action_press(viewer, "}", true), STATUS_OK);
    assert_true(near(param_number(bias, viewer->request->chain->links[0].values), 8));
}

/* ---- painted masks ---- */

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
    assert_false(viewer->tools->brush->on);
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
    viewer->tools->brush->radius = 2;
    assert_true(brush_press(viewer, at.x + 10 * at.scale, at.y + 10 * at.scale, false));
    brush_release(viewer);
    assert_true(brush_press(viewer, at.x + 30 * at.scale, at.y + 20 * at.scale, false));
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_int_equal(viewer->tools->brush->point_count, 1);
    brush_move(viewer, at.x + 40 * at.scale, at.y + 20 * at.scale);
    brush_release(viewer);
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_true(near(view_value(viewer->tools->brush->mask->view, 10, 10, 0), 255));
    assert_true(near(view_value(viewer->tools->brush->mask->view, 35, 20, 0), 255));
    assert_true(near(view_value(viewer->tools->brush->mask->view, 20, 15, 0), 0));
}

/* While its file stays as it is. */
static void a_mask_is_read_once(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    paint_at(viewer, 20, 20);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    const Chain *chain = viewer->request->chain;
    assert_int_equal(chain->image_count, 1);
    const Image *mask = chain->images[0].image;
    assert_int_equal(viewer_set_values(viewer, 0, "3"), STATUS_OK);
    chain = viewer->request->chain;
    assert_int_equal(chain->image_count, 1);
    assert_ptr_equal(chain->images[0].image, mask);
    assert_int_equal(unlink("glint-mask-001.png"), 0);
    assert_int_equal(viewer_set_values(viewer, 0, "4"), STATUS_INPUT);
    assert_int_equal(viewer_confine(viewer, 0, ""), STATUS_OK);
    assert_int_equal(viewer->request->chain->image_count, 0);
}

/* Whichever filter is selected when painting ends, and whatever is saved meanwhile. */
static void no_painted_mask_is_left_behind(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert,gaussian=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    viewer->selected = 0;
    paint_at(viewer, 20, 20);
    struct stat file; /* strokes are many, and hardly anything in them is painted */
    assert_int_equal(stat(viewer->tools->brush->path, &file), 0);
    assert_true(file.st_size < WIDTH * HEIGHT / 4);
    viewer->selected = 1;
    paint_at(viewer, 30, 20);
    assert_int_equal(brush_keep(viewer), STATUS_OK);
    assert_true(viewer->tools->brush->on);
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

/* ---- previews ---- */

static void chains_are_reduced(void **state) {
    (void)state;
    static const struct {
        const char *chain, *reduced; /* NULL: it cannot be */
    } rows[] = {
        {"gaussian=8:radius=24,box=31,invert", "gaussian=2:6,box=7,invert"},
        {"median=8,crop=100:50:10", "median=2,crop=25:12:2"},
        {"bilateral=9", "bilateral=3"}, /* the smallest */
        {"rotate=30,sobel,levels=0.1", "rotate=30,sobel,levels=0.1"},
        {"gaussian=8:within=40x44+8+80", "gaussian=within=10x11+2+20"},
        {"~convolve=0 -1 0 -1 5 -1 0 -1 0,dilate=4", "~convolve=0 -1 0 -1 5 -1 0 -1 0,dilate"},
        {"convolve=0 -1 0 -1 5 -1 0 -1 0", NULL},
        {"blend=other.png", NULL},
        {"blend=opacity=50", "blend=opacity=50"},
        {"invert,gaussian=within=mask.png", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Chain *chain, *want, *reduced;
        char text[256], wanted[256];
        if (chain_parse(rows[i].chain, &chain) != STATUS_OK)
            fail_msg("%s", status_message());
        assert_int_equal(preview_chain(chain, 0.25, &reduced), STATUS_OK);
        if (!rows[i].reduced && reduced)
            fail_msg("%s was reduced", rows[i].chain);
        if (rows[i].reduced) {
            if (chain_parse(rows[i].reduced, &want) != STATUS_OK)
                fail_msg("%s", status_message());
            chain_format(want, wanted, sizeof wanted);
            assert_non_null(reduced);
            chain_format(reduced, text, sizeof text);
            assert_string_equal(text, wanted);
            chain_destroy(&want);
            chain_destroy(&reduced);
        }
        chain_destroy(&chain);
    }
}

/* A preview is the result of the chain, reduced, for a picture that resize has reduced; it stands until there is a
 * result. */
static void a_preview_stands_for_a_result(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    viewer_zoom(viewer, 1e3, 0, 0); /* it is half as large at most */
    assert_true(preview_due(viewer->session));
    assert_null(preview_shown(viewer->session));
    assert_int_equal(preview_make(viewer->session, viewer_viewport(viewer).scale), STATUS_OK);
    const Preview *preview = preview_shown(viewer->session);
    assert_non_null(preview);
    assert_false(preview_due(viewer->session));
    assert_true(near(preview->scale, 0.5));
    assert_int_equal(preview->result.width, WIDTH);
    Image *shown = image_retain(preview->image);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_null(preview_shown(viewer->session));
    assert_false(preview_due(viewer->session));
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK); /* the same job, whose result is there */
    assert_false(preview_due(viewer->session));
    assert_int_equal(viewer_set_chain(viewer, "resize=scale=0.5:by=box,invert", FALLBACK_BEST), STATUS_OK);
    assert_true(preview_due(viewer->session));
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    const ImageView want = viewer->session->result->view;
    assert_true(shape_equal(shown->view.shape, want.shape));
    for (size_t y = 0; y < want.shape.height; y++)
        assert_memory_equal(view_row(shown->view, y), view_row(want, y), shape_row_bytes(want.shape));
    image_destroy(&shown);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_BEST), STATUS_OK);
    assert_int_equal(preview_make(viewer->session, viewer_viewport(viewer).scale), STATUS_OK);
    assert_null(preview_shown(viewer->session)); /* there is none */
    assert_false(preview_due(viewer->session));
}

/* ---- messages ---- */

static void errors_go_when_they_are_mended(void **state) {
    Viewer *viewer = *state;
    viewer_answer(viewer, TOAST_REQUEST, viewer_set_chain(viewer, "gausian", FALLBACK_NONE));
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "gausian"));
    viewer_answer(viewer, TOAST_WORK, STATUS_OK); /* work goes on meanwhile */
    assert_true(viewer->toast.text[0]);
    viewer_answer(viewer, TOAST_REQUEST, viewer_set_chain(viewer, "gaussian", FALLBACK_NONE));
    assert_string_equal(viewer->toast.text, "");
    viewer_say(viewer, false, "the result is in a.png");
    viewer_answer(viewer, TOAST_REQUEST, STATUS_OK); /* not an error: it stays for its time */
    assert_string_equal(viewer->toast.text, "the result is in a.png");
}

static void what_is_shown_is_said(void **state) {
    Viewer *viewer = *state;
    char words[96];
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "unfiltered, until there is a result");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_describe(viewer, true, words, sizeof words), 0);
    assert_string_equal(words, "");
    assert_int_equal(action_press(viewer, "d", true), STATUS_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(action_press(viewer, "e", true), STATUS_OK); /* two stops: four times as bright */
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "difference × 4");
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    viewer_describe(viewer, false, words, sizeof words);
    assert_string_equal(words, "unfiltered"); /* differences have a gain of their own */
    assert_true(action_lets_go(viewer, "Space") && !action_lets_go(viewer, "e"));
    assert_int_equal(action_press(viewer, "Space", false), STATUS_OK);
    assert_false(action_lets_go(viewer, "Space"));
    assert_int_equal(action_press(viewer, "d", true), STATUS_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(action_press(viewer, "e", true), STATUS_OK);
    assert_int_equal(viewer_describe(viewer, true, words, 5), strlen("exposure +2.0"));
    assert_string_equal(words, "expo"); /* as much as there is room for */
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "classic");
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "paths, 16 samples");
    assert_int_equal(viewer_describe(viewer, false, words, sizeof words), 0);
}

/* White is 255: of a largest difference of 50, 5 is as much as half stops allow: 2^2 = 4, 2^2.5 = 5.7 is too much. */
static void the_gain_fits_the_largest_difference(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_USAGE);
    viewer->compare = COMPARE_DIFFERENCE;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    viewer->session->difference.max = 50;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_OK);
    assert_true(near(viewer->gain, 2));
    viewer->session->difference.max = 255;
    assert_int_equal(action_command(viewer, "fit-gain", true), STATUS_OK);
    assert_true(near(viewer->gain, 0));
    viewer->session->difference.max = INFINITY;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_USAGE);
    viewer->session->difference.max = 0;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_USAGE);
    assert_true(near(viewer->gain, 0));
}

static void exposure_goes_with_its_picture(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "e", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "F5", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0.5)); /* the same picture */
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0));
    assert_int_equal(action_press(viewer, "E", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0.5));
    assert_int_equal(viewer_open(viewer, "bad.png"), STATUS_INPUT);
    assert_true(near(viewer_exposure(viewer), 0.5));
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0));
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), -0.5));
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0));
}

/* Keys with names belong to the box, too: arrows move its caret, and change no picture and no chain beneath. */
static void keys_stay_in_the_box_that_has_them(void **state) {
    static const char *const keys[] = {"Home", "Right", "Left",  "x", "Delete", "End",       "Left", "Backspace",
                                       "3",    "Up",    "Right", "q", "Space",  "Backspace", "h",    "PageUp"};
    Viewer *viewer = *state;
    assert_int_equal(viewer_open(viewer, "."), STATUS_OK);
    char title[64];
    snprintf(title, sizeof title, "%s", viewer_title(viewer));
    assert_int_equal(viewer_set_chain(viewer, "gaussian=12", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_int_equal(action_press(viewer, keys[i], true), STATUS_OK);
    assert_string_equal(viewer->entry, "xaussian=32qh");
    assert_string_equal(viewer_title(viewer), title);
    assert_false(viewer->requests->quit || viewer->help);
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(viewer->typing || viewer->requests->quit);
    char chain[64];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=12");
}

/* A marked text goes with the first character, and no other key takes it away but those that delete. */
static void what_is_typed_replaces_what_is_marked(void **state) {
    static const struct {
        const char *keys[4], *entry;
    } cases[] = {
        {{"7", ".", "5"}, "sigma=7.5"}, {{"Backspace", "Backspace"}, "sigma"}, {{"Delete", "8"}, "sigma=8"},
        {{"Left", "7"}, "sigma=1.72"},  {{"End", "7"}, "sigma=1.27"},          {{"Ctrl+A", "x", "y"}, "xy"},
    };
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        viewer_begin_entry(viewer, action_by_name("set"));
        viewer_set_entry(viewer, "sigma=1.2");
        viewer_mark_entry(viewer, 6);
        for (int k = 0; k < 4 && cases[i].keys[k]; k++)
            assert_int_equal(action_press(viewer, cases[i].keys[k], true), STATUS_OK);
        assert_string_equal(viewer->entry, cases[i].entry);
    }
    assert_int_equal(action_command(viewer, "close", true), STATUS_OK); /* the box lies on top */
    assert_false(viewer->typing || viewer->requests->quit);
}

/* Names that are pasted have letters of several bytes, which are one step of the caret and go at once. */
static void letters_of_several_bytes_stay_whole(void **state) {
    static const char *const keys[] = {"Backspace", "Left",   "Left", "Backspace", "Left",
                                       "Right",     "Delete", "Home", "Right",     "Delete"};
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    viewer_set_entry(viewer, "");
    assert_int_equal(action_paste(viewer, "föß→.aé"), STATUS_OK);
    assert_string_equal(viewer->entry, "föß→.aé");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_int_equal(action_press(viewer, keys[i], true), STATUS_OK);
    assert_string_equal(viewer->entry, "fßa");
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
}

static void filter_keys_change_the_selected_filter_alone(void **state) {
    Viewer *viewer = *state;
    char chain[128];
    assert_int_equal(viewer_set_chain(viewer, "gaussian=3,invert,sharpen=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, ";", true), STATUS_OK); /* from the last round to the first */
    assert_int_equal(viewer_selected(viewer), 0);
    assert_int_equal(action_press(viewer, "]", true), STATUS_OK);
    assert_int_equal(action_press(viewer, ";", true), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_true(strcmp(chain, "gaussian=3,invert,sharpen=2") != 0);
    assert_true(strncmp(chain, "gaussian=3.", 11) == 0 && strstr(chain, ",invert,sharpen=2"));
    for (size_t i = 0; i <= filter_count; i++) { /* once round: none is not among them here */
        assert_int_equal(action_press(viewer, i % 2 ? "." : "PageDown", true), STATUS_OK);
        assert_int_equal(viewer->request->chain->count, 3);
        assert_string_equal(viewer->request->chain->links[0].filter->name, "gaussian");
        assert_string_equal(viewer->request->chain->links[2].filter->name, "sharpen");
    }
    assert_int_equal(action_press(viewer, ",", true), STATUS_OK);
    assert_int_equal(viewer->request->chain->count, 3);
    assert_int_equal(viewer_selected(viewer), 1);
    assert_int_equal(viewer_remove_link(viewer, 1), STATUS_OK);
    assert_int_equal(viewer_selected(viewer), 1); /* the last */
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, ";", true), STATUS_USAGE);
}

static void links_are_removed_one_by_one(void **state) {
    Viewer *viewer = *state;
    char chain[64];
    assert_int_equal(viewer_set_chain(viewer, "gaussian=3,invert,sharpen=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_remove_link(viewer, 1), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=3,sharpen=2");
}

static void no_filter_shows_the_picture_itself(void **state) {
    Viewer *viewer = *state;
    LadderRow rungs[RUNGS_MAX];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const ImageView picture = viewer_picture(viewer)->view;
    assert_memory_equal(viewer->session->result->view.pixels, picture.pixels, shape_bytes(picture.shape));
    assert_int_equal(viewer_rungs(viewer, rungs), 0);
    assert_true(near(viewer_figures(viewer).ms, 0));
    assert_int_equal(action_press(viewer, "Up", true), STATUS_USAGE);
    assert_int_equal(viewer_set_level(viewer, "fastest"), STATUS_USAGE);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
}

static void border_key_goes_round(void **state) {
    Viewer *viewer = *state;
    for (int i = 0; i < border_count; i++)
        assert_int_equal(action_press(viewer, "b", true), STATUS_OK);
    assert_int_equal(viewer->request->options.border.mode, BORDER_CLAMP);
}

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
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "unfiltered");
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
    const Camera *camera = &viewer->request->orbit_camera.camera;
    assert_int_equal(camera->kind, CAMERA_PERSPECTIVE);
    assert_string_equal(viewer->request->level, "best");
    const Vec target = viewer->request->orbit_camera.target, from = camera->from;
    const float distance = viewer->request->orbit_camera.distance;
    viewer_orbit(viewer, 240, 60); /* half the window's height is a quarter turn */
    assert_true(fabsf(viewer->request->orbit_camera.yaw + 1.5707963f) < 1e-5f &&
                viewer->request->orbit_camera.distance == distance);
    const Vec before = vec_minus(from, target), after = vec_minus(camera->from, target);
    assert_true(fabsf(vec_dot(before, after)) < 1e-3f * distance * distance);
    assert_true(fabsf(vec_dot(vec_unit(after), camera->forward) + 1) < 1e-5f); /* still looking at it */
    viewer_orbit(viewer, 0, 1e6);                                              /* never over the top */
    assert_true(camera->up.y > 0);
    viewer_zoom(viewer, 2, 0, 0);
    assert_true(viewer->request->orbit_camera.distance == distance / 2);
    assert_int_equal(action_press(viewer, "n", true), STATUS_OK);
    assert_int_equal(viewer->request->look, LOOK_NORMALS);
    char command[512], text[256];
    command_line_format(viewer, command, sizeof command);
    assert_non_null(strstr(command, "--camera perspective="));
    assert_non_null(strstr(command, "--look normals"));
    Camera again;
    camera_format(camera, text, sizeof text);
    assert_int_equal(camera_parse(text, &again), STATUS_OK);
    const Vec apart = vec_minus(again.forward, camera->forward);
    assert_true(vec_dot(apart, apart) < 1e-8f && fabsf(again.tangent - camera->tangent) < 1e-5f);
    assert_int_equal(action_press(viewer, "r", true), STATUS_OK);
    assert_true(viewer->request->orbit_camera.yaw == 0 && viewer->request->orbit_camera.distance == distance);
    assert_int_equal(action_press(viewer, "v", true), STATUS_OK);
    assert_int_equal(camera->kind, CAMERA_ORTHOGRAPHIC);
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

static bool shows(const Viewer *viewer, const Image *image) {
    return memcmp(viewer->session->result->view.pixels, image->view.pixels, shape_bytes(image->view.shape)) == 0;
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

/* ---- timings ---- */

static void finishing_measures_all_that_the_overlay_shows(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "l", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Figures figures = viewer_figures(viewer);
    assert_true(figures.ms > 0 && figures.mpixels > 0 && figures.gigabytes > 0 && figures.gigaflops > 0);
    assert_true(figures.copies > 0 && figures.speedup > 0);
    assert_string_equal(viewer->session->measured.yardsticks.lowest_level->name, "naive");
    assert_non_null(viewer_span(viewer, "decode"));
    assert_non_null(viewer_span(viewer, "upload"));
    assert_non_null(viewer_span(viewer, "download"));
    assert_true(viewer_span(viewer, "gaussian")->stage);
    assert_true(viewer->session->measured.race.count >= 2);
    for (size_t i = 0; i < viewer->session->measured.race.count; i++)
        assert_true(viewer->session->measured.race.lanes[i].why_not ||
                    viewer_level_time(viewer, viewer->session->measured.race.lanes[i].level).ms > 0);
    assert_false(viewer_work(viewer));
}

/* A level that takes a tenth of a millisecond a pixel, and counts them. */
static size_t slow_pixels;
static Status run_slowly(Queue *queue, const Stage *stage) {
    const size_t pixels = stage->out.shape.width * stage->out.shape.height;
    (void)queue;
    slow_pixels += pixels;
    usleep((useconds_t)pixels * 100);
    return STATUS_OK;
}

/* A viewer with one.png open on a backend whose lowest rung is that slow, and whose other is not. The mask of 73 x 73
 * states 32 kFLOP a pixel of 3 channels: 0.11 ms at the 0.3 GFLOP/s that measurements reckon with at least. */
static Backend slow_backend;
static Level slow_levels[2];
static const Level *const slow_ladder[] = {&slow_levels[0], &slow_levels[1]};
static int open_slow(void **state) {
    open_viewer(state);
    Viewer *viewer = *state;
    slow_levels[0] = slow_levels[1] = *level_by_name(backend_at(0), &op_convolve, "naive");
    slow_levels[0].name = "slow";
    slow_levels[0].run = run_slowly;
    slow_backend = *backend_at(0);
    slow_backend.levels = slow_ladder;
    slow_backend.level_count = 2;
    slow_levels[0].predictor = slow_levels[1].predictor = NULL;
    viewer->session->device->backend = &slow_backend;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=9:radius=36", FALLBACK_NONE), STATUS_OK);
    slow_pixels = 0;
    return 0;
}

static void a_yardstick_takes_no_more_than_its_time(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_ptr_equal(viewer->session->measured.yardsticks.lowest_level, &slow_levels[0]);
    assert_true(slow_pixels >= 1 && slow_pixels <= 500); /* of 50 ms; the picture has 2867 */
    const Timing lowest = viewer_lowest_time(viewer);
    assert_true(lowest.known && lowest.estimated && lowest.ms >= WIDTH * HEIGHT / 10.0);
    assert_true(viewer_figures(viewer).speedup_estimated);
}

static void headline_and_race_have_one_estimate(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "l", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Figures figures = viewer_figures(viewer);
    assert_true(near(figures.speedup * figures.ms, viewer_level_time(viewer, &slow_levels[0]).ms));
    assert_true(near(figures.ms, viewer_level_time(viewer, viewer_level(viewer)).ms));
    assert_true(slow_pixels <= 500 + 3 * 2000); /* the race takes a closer look, for 200 ms, and two more */
    assert_int_equal(viewer->session->measured.race.lanes[0].estimates, 3);
}

/* scipy.stats.t.interval(0.95, 4, 3, sem([1, 2, 3, 4, 5])) is 1.0368, 4.9632. */
static void times_have_the_interval_of_student(void **state) {
    (void)state;
    Trials trials = {0};
    trials_add(&trials, 1);
    assert_true(isinf(trials_interval(&trials)));
    for (int ms = 2; ms <= 5; ms++)
        trials_add(&trials, ms);
    assert_true(near(trials_mean(&trials), 3));
    assert_true(fabs(trials_interval(&trials) - 1.9632) < 1e-3);
}

/* Every rung that can do the job has a time and its distance from the reference's results. */
static void rungs_are_compared_with_the_reference(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=1", FALLBACK_NONE), STATUS_OK);
    viewer->racing = true;
    viewer->comparison_ms = 1e6; /* however busy the machine is */
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const LevelRace *race = &viewer->session->measured.race;
    for (size_t i = 0; i < race->count; i++)
        assert_true(race->lanes[i].why_not || (race->lanes[i].error >= 0 && race->lanes[i].error <= 1));
}

/* The reference runs once a job, however many rungs are compared with it, and however often. */
static void races_share_the_reference(void **state) {
    Viewer *viewer = *state;
    const ReferencePart *part = &viewer->session->reference;
    assert_int_equal(action_command(viewer, "race", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(part->of, viewer->session->job_serial);
    const Image *want = part->want;
    assert_non_null(want);
    assert_int_equal(action_command(viewer, "race", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "race", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_ptr_equal(part->want, want);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=3", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(part->of, viewer->session->job_serial);
}

/* Makes the result of naive, but for one value, which is off by so much. */
static unsigned char wrong_by;
static Status run_wrongly(Queue *queue, const Stage *stage) {
    TRY(level_by_name(backend_at(0), stage->op, "naive")->run(queue, stage));
    unsigned char *value = view_row(stage->out, stage->out.shape.height / 2);
    *value = (unsigned char)(*value + (*value < 128 ? wrong_by : -wrong_by));
    return STATUS_OK;
}

static void a_wrong_level_fails(void **state) {
    Viewer *viewer = *state;
    const Judgement *judgement = &viewer->session->measured.judgement;
    viewer->comparison_ms = 1e6; /* however busy the machine is */
    slow_levels[0].run = run_wrongly;
    assert_int_equal(viewer_set_chain(viewer, "sharpen,sharpen,gaussian=1", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_null(judgement->level); /* nothing is compared: nobody asked */
    viewer->compare = COMPARE_SPLIT;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(judgement->known && judgement->verdict.agrees && judgement->verdict.worst <= 1);
    assert_int_equal(judgement->stages, 3);
    wrong_by = 1; /* one value may be off by so much */
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(judgement->known && judgement->verdict.agrees && near(judgement->verdict.worst, 1));
    wrong_by = 2;
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_ptr_equal(judgement->level, &slow_levels[0]);
    assert_true(judgement->known && !judgement->verdict.agrees && near(judgement->verdict.worst, 2));
    assert_true(near(judgement->verdict.allowed, 1));
    assert_string_equal(judgement->stage, "convolve");
}

/* As the level shared it out: rows, 16 at a time; tiles; or not at all. */
static void cards_tell_what_a_piece_takes(void **state) {
    Viewer *viewer = *state;
    const Session *session = viewer->session;
    assert_int_equal(viewer_set_chain(viewer, "invert,gaussian=1:radius=4,sepia", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "threads"), STATUS_OK);
    assert_false(session->has_card);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(session->has_card);
    assert_int_equal(session->partition.launches, 1);
    assert_true(session->card.width == WIDTH && session->card.height == HEIGHT / 8 && session->card.down == 10);
    assert_true(session->card.left == 4 && session->card.bottom == 4);
    assert_int_equal(viewer_set_level(viewer, "separable"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(session->has_card && session->partition.tile[0] > 0 && session->card.height > 0);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_BEST), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(session->card.left, 0); /* a function of single pixels has no halo */
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(session->has_card && session->partition.launches == 0 && session->card.width == 0);
}

static void slow_runs_are_expected(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_true(viewer_expected_ms(viewer) >= WIDTH * HEIGHT / 10.0);
    assert_true(slow_pixels <= 500); /* of 50 ms */
    viewer->session->stale = false;
    assert_true(near(viewer_expected_ms(viewer), 0)); /* nothing is due */
}

/* While a slider is dragged, each step is another job for the same levels, and runs without being measured before. */
static void runs_like_the_last_are_expected_to_take_as_long(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_true(viewer_expected_ms(viewer) >= WIDTH * HEIGHT / 10.0); /* the last run was on another level */
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    viewer->session->paces[0].ms = 100; /* whatever it was on a busy machine */
    slow_pixels = 0;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8", FALLBACK_NONE), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 100)); /* at most: the mask is smaller */
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8:radius=54", FALLBACK_NONE), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 100.0 * (109 * 109) / (73 * 73)));
    assert_int_equal(slow_pixels, 0);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8:radius=100", FALLBACK_NONE),
                     STATUS_OK); /* 760 ms if it grows as the mask */
    assert_true(viewer_expected_ms(viewer) > 0 && slow_pixels > 0);
}

/* The levels of several jobs are remembered, and the best of one says something of the best of another. */
static void levels_that_come_back_are_known(void **state) {
    Viewer *viewer = *state;
    Session *session = viewer->session;
    assert_int_equal(viewer_run(viewer), STATUS_OK); /* the best of gaussian */
    session->paces[0].ms = 3;
    assert_int_equal(viewer_set_level(viewer, "slow"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    session->paces[0].ms = 100;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8:radius=35", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "best"), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 3)); /* of the run before the last: the mask is smaller */
    session->paces[1].ms = 1;                         /* a hundred times that is short enough */
    assert_int_equal(viewer_set_chain(viewer, "gaussian=8:radius=35,box=3", FALLBACK_NONE), STATUS_OK);
    assert_true(near(viewer_expected_ms(viewer), 0));
    assert_false(viewer_level_time(viewer, viewer_level(viewer)).known);
    session->paces[1].ms = 4;
    assert_true(viewer_expected_ms(viewer) > 0); /* it was measured */
    assert_true(viewer_level_time(viewer, viewer_level(viewer)).known);
}

static void measurements_wait_until_hands_rest(void **state) {
    Viewer *viewer = *state;
    const double before = clock_ms();
    assert_true(viewer_waits_ms(viewer) < 0); /* a run comes first */
    assert_true(viewer_work(viewer));
    assert_true(viewer->session->measure_at > before && viewer_waits_ms(viewer) >= 0);
    viewer->session->measure_at = INFINITY;
    while (viewer_work(viewer))
        continue;
    assert_true(viewer->session->totals.count >= 3); /* a median */
    assert_int_equal(viewer->session->measured.yardsticks.copies.tries, 0);
    viewer->session->measure_at = 0;
    viewer_delay_measurements(viewer, 1e6); /* a key was pressed */
    viewer_delay_measurements(viewer, 1);   /* and the pointer moved */
    assert_true(viewer_waits_ms(viewer) > 9e5);
    assert_false(viewer_work(viewer));
    viewer->session->measure_at = 0;
    assert_true(viewer_work(viewer));
    assert_int_equal(viewer->session->measured.yardsticks.copies.tries, 1);
}

static void measurements_stop_no_motion(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_true(viewer_work(viewer));
    viewer->session->measure_at = 0;
    const uint64_t moves = viewer_scene(viewer)->moves;
    assert_true(viewer_work(viewer));
    assert_int_equal(viewer->session->measured.yardsticks.copies.tries, 1);
    assert_true(viewer_scene(viewer)->moves == moves + 1);
}

static void bodies_have_a_new_bvh_when_the_old_has_cost_as_much(void **state) {
    Viewer *viewer = *state;
    Refits *refits = &viewer->session->refits;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "galaxy=200"), STATUS_OK);
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_true(viewer_work(viewer));
    for (int due = 0; due < 2; due++) {
        const uint64_t moves = viewer_scene(viewer)->moves;
        *refits = (Refits){.build_ms = 1e9, .sample_ms = 2, .samples = 3, .known = true, .least_ms = 1};
        refits->lost = due ? 1e9 : 0;
        viewer->session->measure_at = INFINITY;
        assert_true(viewer_work(viewer));
        assert_true(viewer_scene(viewer)->moves == moves + 1 && (moves + 1) % 8 != 0);
        assert_true(due ? refits->build_ms < 1e9 : near(refits->lost, 3));
    }
}

static void light_states_no_arithmetic(void **state) {
    Viewer *viewer = *state;
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Figures figures = viewer_figures(viewer);
    assert_true(figures.ms > 0 && figures.copies > 0 && near(figures.flops, 0) && near(figures.gigaflops, 0));
    /* A ray from the eye for each pixel, whatever part of them was counted. */
    const double rays = (double)viewer->session->measured.trace_stats.counters.counts[COUNTER_CAMERA_RAYS];
    assert_true(fabs(rays - 64 * 48) < 64);
}

static void the_lowest_rung_is_not_faster_than_itself(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(viewer_figures(viewer).speedup, 1));
}

static void figures_are_of_the_last_change_on(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(viewer->session->totals.count > 0);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer->session->totals.count, 0);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->totals.count, 1);
    assert_non_null(viewer_span(viewer, "upload"));           /* of the picture, which stays */
    assert_true(viewer->session->measured.runs.ms.count > 1); /* the graph shows the step between levels */
}

static void every_timed_level_is_a_dot(void **state) {
    Viewer *viewer = *state;
    const Backend *backend = viewer->session->device->backend;
    const Level *naive = level_by_name(backend, &op_convolve, "naive");
    const Level *reference = level_reference(&op_convolve);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Level *best = viewer_level(viewer);
    assert_true(viewer_level_time(viewer, best).known && viewer_level_time(viewer, naive).known);
    assert_false(viewer_level_time(viewer, reference).known);
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(viewer_level_time(viewer, reference).known && viewer_level_time(viewer, best).known);
    assert_true(viewer->session->peak.rate > 0);
    const Figures figures = viewer_figures(viewer);
    assert_true(near(figures.bytes, 2.0 * WIDTH * HEIGHT * 3) && figures.flops > 0 && figures.bandwidth > 0);
    assert_int_equal(viewer_set_chain(viewer, "box", FALLBACK_NONE), STATUS_OK); /* another job */
    assert_false(viewer_level_time(viewer, best).known || viewer_level_time(viewer, naive).known);
}

static void each_backend_keeps_its_time_for_the_job(void **state) {
    Viewer *viewer = *state;
    assert_ptr_equal(backend_at(0), viewer->session->device->backend);
    assert_null(viewer->session->measured.sides[0].level);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_ptr_equal(viewer->session->measured.sides[0].level, viewer_level(viewer));
    assert_true(viewer->session->measured.sides[0].ms > 0);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_string_equal(viewer->session->measured.sides[0].level->name, "naive");
    assert_int_equal(viewer_set_chain(viewer, "box", FALLBACK_NONE), STATUS_OK);
    assert_null(viewer->session->measured.sides[0].level);
}

/* ---- routes into the window ---- */

/* OpenGL's object as these tests have it: a picture; object 13 is one that cannot be registered. */
struct Port {
    unsigned object;
    bool mapped;
    Image *image;
};
enum { UNLUCKY = 13 };
static int ports_open, writes;
static bool write_fails, wait_fails;

static Status fake_open(Device *device, unsigned object, Shape shape, Port **port) {
    (void)device;
    *port = NULL;
    if (object == UNLUCKY)
        return (fail)(STATUS_DEVICE, "cudaErrorUnlucky at registering");
    *port = calloc(1, sizeof **port);
    assert_non_null(*port);
    (*port)->object = object;
    assert_int_equal(image_create(shape, &(*port)->image), STATUS_OK);
    ports_open++;
    return STATUS_OK;
}

static Status fake_map(Port *port) {
    port->mapped = true;
    return STATUS_OK;
}

static void fake_release(Port *port) {
    port->mapped = false;
}

static Status fake_write(Queue *queue, Port *port, Frame frame) {
    port->mapped = false;
    if (write_fails)
        return (fail)(STATUS_DEVICE, "cudaErrorLost at mapping");
    writes++;
    return queue->device->backend->download(queue, frame, port->image->view);
}

static Status fake_wait(Port *port, Spans *spans) {
    (void)port;
    if (wait_fails)
        return (fail)(STATUS_DEVICE, "cudaErrorLost at waiting");
    spans_add(spans, "map", 0, 1);
    spans_add(spans, "write", 1, 3);
    return STATUS_OK;
}

static void fake_close(Device *device, Port **port) {
    (void)device;
    if (!*port)
        return;
    image_destroy(&(*port)->image);
    free(*port);
    *port = NULL;
    ports_open--;
}

static const Route fake_routes[] = {
    {"pbo", "by a buffer", ROUTE_BUFFER, fake_open, fake_map, fake_release, fake_write, fake_wait, fake_close},
    {"surface", "by the texture", ROUTE_TEXTURE, fake_open, fake_map, fake_release, fake_write, fake_wait, fake_close},
};
static const GlInterop fake_interop = {fake_routes, 2};
static Backend fake_backend;

/* The device, as if it were one of the backend that is made up. */
static void pretend(Viewer *viewer) {
    viewer->session->device->backend = &fake_backend;
    snprintf(viewer->request->backend, sizeof viewer->request->backend, "%s", fake_backend.name);
    viewer->session->request = viewer_request(viewer);
}

/* A viewer with one.png open on the CPU, from where there are routes as from a GPU. */
static int open_routed(void **state) {
    open_viewer(state);
    Viewer *viewer = *state;
    fake_backend = *viewer->session->device->backend;
    fake_backend.gl = &fake_interop;
    pretend(viewer);
    snprintf(viewer->renderer, sizeof viewer->renderer, "softpipe");
    ports_open = writes = 0;
    write_fails = wait_fails = false;
    return 0;
}

static const char *route_name(const Viewer *viewer) {
    return present_route(viewer->present, viewer->session->device->backend)->name;
}

static void a_cpu_has_one_route(void **state) {
    Viewer *viewer = *state;
    char trouble[64];
    assert_string_equal(route_name(viewer), "copy");
    assert_int_equal(viewer_set_route(viewer, "surface"), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "want copy"));
    assert_int_equal(viewer_set_route(viewer, "copy"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_send(viewer, 1), STATUS_USAGE);
    assert_int_equal(action_press(viewer, "o", true), STATUS_OK);
    assert_string_equal(route_name(viewer), "copy");
    viewer_route_trouble(viewer, trouble, sizeof trouble);
    assert_string_equal(trouble, "");
}

static void results_stay_on_the_device(void **state) {
    Viewer *viewer = *state;
    assert_string_equal(route_name(viewer), "surface");
    assert_int_equal(viewer_send(viewer, 1), STATUS_USAGE);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(viewer->session->has_result && viewer->session->on_device);
    assert_null(viewer->session->result);
    assert_null(viewer_span(viewer, "download"));
    double ms;
    assert_int_equal(viewer_await_sent(viewer, &ms), STATUS_OK); /* nothing is on its way */
    assert_true(near(ms, 0));
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    assert_null(viewer_span(viewer, "map"));
    assert_int_equal(viewer_await_sent(viewer, &ms), STATUS_OK);
    assert_true(near(ms, 3));
    assert_true(near(history_latest(&viewer_span(viewer, "map")->history), 1));
    assert_true(near(history_latest(&viewer_span(viewer, "write")->history), 2));
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    const ImageView result = viewer->session->result->view, sent = viewer->present->port->image->view;
    assert_memory_equal(result.pixels, sent.pixels, shape_bytes(result.shape));
    unsigned char value[4];
    const ImageView pixel = {{1, 1, 3, PIXEL_U8}, sizeof value, value};
    assert_true(viewer_pixels(viewer, 7, 5, pixel));
    assert_memory_equal(value, (const char *)view_row(result, 5) + 21, 3);
    assert_false(viewer_pixels(viewer, WIDTH, 5, pixel));
    const unsigned serial = viewer->session->result_serial;
    assert_int_equal(viewer_set_chain(viewer, "box", FALLBACK_NONE), STATUS_OK); /* its frames are empty yet */
    assert_false(viewer->session->on_device || viewer_pixels(viewer, 7, 5, pixel));
    assert_int_equal(viewer->session->result_fetched, serial);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result_fetched, viewer->session->result_serial);
}

/* Only an open one, and only where nothing is on its way. */
static void a_port_is_mapped_while_others_make_the_frame(void **state) {
    Viewer *viewer = *state;
    double ms;
    assert_null(present_ahead(viewer->present).route);
    present_map((PortAhead){0});
    present_release((PortAhead){0});
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    assert_null(present_ahead(viewer->present).route);
    assert_int_equal(viewer_await_sent(viewer, &ms), STATUS_OK);
    const PortAhead ahead = present_ahead(viewer->present);
    assert_string_equal(ahead.route->name, "surface");
    present_map(ahead);
    assert_true(viewer->present->port->mapped);
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    assert_false(viewer->present->port->mapped);
    assert_int_equal(viewer_await_sent(viewer, &ms), STATUS_OK);
    present_map(ahead);
    present_release(ahead);
    assert_false(viewer->present->port->mapped);
    viewer_release(viewer);
    assert_null(present_ahead(viewer->present).route);
}

/* Known to be quick, and shown without a way through the host: the change that it follows starts it. */
static void quick_runs_are_started_with_the_change(void **state) {
    Viewer *viewer = *state;
    Session *session = viewer->session;
    double ms;
    assert_false(viewer_start_run(viewer)); /* how long it takes is not known */
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_false(viewer_start_run(viewer)); /* nothing is due */
    session->paces[0].ms = 0.1;
    assert_int_equal(viewer_set_border(viewer, (Border){.mode = BORDER_WRAP}, FALLBACK_NONE), STATUS_OK);
    const unsigned serial = session->result_serial, count = session->run_count;
    assert_true(viewer_start_run(viewer));
    assert_true(session->runs && session->has_result && session->on_device && !session->stale);
    assert_int_equal(session->result_serial, serial + 1);
    assert_int_equal(session->run_count, count); /* its time is not known yet */
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    assert_int_equal(viewer_await_sent(viewer, &ms), STATUS_OK);
    assert_false(session->runs);
    assert_int_equal(session->run_count, count + 1);
    assert_int_equal(session->totals.count, 1);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    const Image *sent = viewer->present->port->image;
    assert_memory_equal(session->result->view.pixels, sent->view.pixels, shape_bytes(sent->view.shape));
    session->paces[0].ms = 0.1;
    assert_int_equal(viewer_set_border(viewer, (Border){.mode = BORDER_CLAMP}, FALLBACK_NONE), STATUS_OK);
    assert_true(viewer_start_run(viewer));
    assert_int_equal(viewer_set_chain(viewer, "box", FALLBACK_NONE), STATUS_OK); /* it is waited for before */
    assert_false(session->runs);
    session->paces[0].ms = 5; /* another thread runs chains that take longer */
    assert_int_equal(viewer_set_chain(viewer, "box=5", FALLBACK_NONE), STATUS_OK);
    assert_false(viewer_start_run(viewer));
    session->paces[0].ms = 0.1;
    assert_int_equal(viewer_set_route(viewer, "copy"), STATUS_OK); /* so it runs routes through the host */
    assert_false(viewer_start_run(viewer));
}

static Status fail_to_sync(Queue *queue) {
    (void)queue;
    return (fail)(STATUS_DEVICE, "cudaErrorLost at waiting for the queue");
}

static void a_run_that_was_started_fails_once_it_is_waited_for(void **state) {
    Viewer *viewer = *state;
    Session *session = viewer->session;
    double ms;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    session->paces[0].ms = 0.1;
    assert_int_equal(viewer_set_border(viewer, (Border){.mode = BORDER_WRAP}, FALLBACK_NONE), STATUS_OK);
    assert_true(viewer_start_run(viewer));
    fake_backend.sync = fail_to_sync;
    assert_int_equal(viewer_await_sent(viewer, &ms), STATUS_DEVICE);
    assert_string_equal(status_message(), "cudaErrorLost at waiting for the queue");
    assert_false(session->has_result || session->on_device || session->runs);
}

static void keys_go_round_the_routes(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "o", true), STATUS_OK);
    assert_string_equal(route_name(viewer), "copy");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->result_fetched, viewer->session->result_serial);
    assert_int_equal(action_press(viewer, "o", true), STATUS_OK);
    assert_string_equal(route_name(viewer), "pbo");
    assert_true(viewer->session->stale);
    assert_int_equal(action_press(viewer, "o", true), STATUS_OK);
    assert_string_equal(route_name(viewer), "surface");
    assert_int_equal(viewer_set_route(viewer, "best"), STATUS_OK);
    assert_string_equal(route_name(viewer), "surface");
    assert_int_equal(viewer_set_route(viewer, "bus"), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "want copy, pbo or surface"));
}

static void a_route_that_fails_gives_way_and_says_why(void **state) {
    Viewer *viewer = *state;
    char trouble[512];
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_send(viewer, UNLUCKY), STATUS_DEVICE);
    assert_string_equal(route_name(viewer), "pbo");
    write_fails = true;
    assert_int_equal(viewer_send(viewer, 1), STATUS_DEVICE);
    assert_int_equal(ports_open, 0);
    assert_string_equal(route_name(viewer), "copy");
    viewer_route_trouble(viewer, trouble, sizeof trouble);
    assert_string_equal(trouble, "copy, since OpenGL is softpipe: cudaErrorUnlucky at registering");
    write_fails = false;
    assert_int_equal(viewer_set_route(viewer, "pbo"), STATUS_OK); /* is tried again */
    assert_string_equal(route_name(viewer), "pbo");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    viewer_route_trouble(viewer, trouble, sizeof trouble);
    assert_string_equal(trouble, "");
    assert_int_equal(viewer_set_route(viewer, "surface"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_send(viewer, UNLUCKY), STATUS_DEVICE);
    assert_string_equal(route_name(viewer), "copy"); /* the route that was asked for, or the one that always works */
}

static void a_route_whose_frame_is_lost_gives_way(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    double ms;
    wait_fails = true;
    assert_int_equal(viewer_await_sent(viewer, &ms), STATUS_DEVICE);
    assert_int_equal(ports_open, 0);
    assert_string_equal(route_name(viewer), "pbo");
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    assert_int_equal(viewer_send(viewer, 1), STATUS_OK); /* the next one has waited for it */
    assert_string_equal(route_name(viewer), "copy");
}

static void ports_are_opened_once_and_closed_in_time(void **state) {
    Viewer *viewer = *state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(viewer_run(viewer), STATUS_OK);
        assert_int_equal(viewer_send(viewer, 1), STATUS_OK);
    }
    assert_int_equal(ports_open, 1);
    assert_int_equal(writes, 3);
    assert_int_equal(viewer_send(viewer, 2), STATUS_OK);
    assert_int_equal(ports_open, 1);
    assert_int_equal(viewer->present->port->object, 2);
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_send(viewer, 2), STATUS_OK);
    assert_int_equal(viewer->present->port->image->view.shape.width, 9);
    assert_int_equal(viewer_set_backend(viewer, "cpu"), STATUS_OK); /* of the same name: nothing to do */
    assert_int_equal(ports_open, 1);
    fake_backend.name = "gpu";
    assert_int_equal(viewer_set_backend(viewer, "cpu"), STATUS_OK);
    assert_string_equal(route_name(viewer), "copy");
    assert_int_equal(ports_open, 1); /* by the thread that has OpenGL's context */
    viewer_release_left(viewer);
    assert_int_equal(ports_open, 0);
}

static void costs_are_of_the_job_that_is_shown(void **state) {
    Viewer *viewer = *state;
    RouteRung rungs[ROUTES_MAX];
    present_took(viewer->present, &fake_backend, 3);
    assert_int_equal(present_rungs(viewer->present, &fake_backend, rungs), 3);
    assert_true(rungs[2].current && near(rungs[2].ms, 3) && near(rungs[0].ms, 0));
    assert_int_equal(viewer_set_route(viewer, "pbo"), STATUS_OK);
    present_took(viewer->present, &fake_backend, 4);
    present_rungs(viewer->present, &fake_backend, rungs);
    assert_true(rungs[1].current && near(rungs[1].ms, 4) && near(rungs[2].ms, 3));
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    present_rungs(viewer->present, &fake_backend, rungs);
    assert_true(near(rungs[1].ms, 0) && near(rungs[2].ms, 0));
}

/* ---- the stack, and undo ---- */

static void assert_chain(const Viewer *viewer, const char *text) {
    char chain[256];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, text);
    chain_format(viewer->session->request.chain, chain, sizeof chain);
    assert_string_equal(chain, text);
}

static void the_stack_is_edited(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=4,invert,sharpen=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_move_link(viewer, 0, 2), STATUS_OK);
    assert_chain(viewer, "invert,sharpen=2,gaussian=4");
    assert_int_equal(viewer_selected(viewer), 2);
    assert_int_equal(viewer_move_link(viewer, 2, 1), STATUS_OK);
    assert_chain(viewer, "invert,gaussian=4,sharpen=2");
    assert_int_equal(viewer_toggle_link(viewer, 1), STATUS_OK);
    assert_chain(viewer, "invert,~gaussian=4,sharpen=2");
    assert_int_equal(viewer_duplicate_link(viewer, 1), STATUS_OK);
    assert_chain(viewer, "invert,~gaussian=4,~gaussian=4,sharpen=2");
    assert_int_equal(viewer_toggle_link(viewer, 2), STATUS_OK);
    assert_int_equal(viewer_remove_link(viewer, 0), STATUS_OK);
    assert_chain(viewer, "~gaussian=4,gaussian=4,sharpen=2");
    assert_int_equal(viewer_reset_link(viewer, 1), STATUS_OK);
    assert_chain(viewer, "~gaussian=4,gaussian,sharpen=2");
    assert_int_equal(viewer_confine(viewer, 0, "3x2+1+0"), STATUS_OK);
    assert_int_equal(viewer_reset_link(viewer, 0), STATUS_OK);
    assert_chain(viewer, "~gaussian=within=3x2+1+0,gaussian,sharpen=2");
    assert_int_equal(viewer_set_values(viewer, 0, "sigma=9"), STATUS_OK);
    assert_int_equal(action_command(viewer, "reset-filters", true), STATUS_OK); /* all at once */
    assert_chain(viewer, "~gaussian=within=3x2+1+0,gaussian,sharpen");
    assert_int_equal(viewer_replace_link(viewer, 0, "box=5,invert"), STATUS_OK);
    assert_chain(viewer, "box=5,invert,gaussian,sharpen");
    for (size_t count = 4; count < CHAIN_MAX; count++)
        assert_int_equal(viewer_duplicate_link(viewer, 0), STATUS_OK);
    assert_int_equal(viewer_duplicate_link(viewer, 0), STATUS_USAGE);
    assert_string_equal(status_message(), "chain: more than 32 filters");
    assert_int_equal(viewer->request->chain->count, CHAIN_MAX);
}

static void edits_are_undone(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=4,invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_toggle_link(viewer, 1), STATUS_OK);
    assert_int_equal(viewer_set_border(viewer, (Border){BORDER_MIRROR, 0}, FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    const size_t last = viewer->edits.at;
    const char *const words[] = {"invert off", "border mirror", "level naive"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(viewer->edits.list[last - 2 + i].words, words[i]);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_string_equal(viewer->toast.text, "undone: level naive");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer->request->options.border.mode, BORDER_CLAMP);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_chain(viewer, "gaussian=4,invert");
    assert_int_equal(viewer_redo(viewer), STATUS_OK);
    assert_chain(viewer, "gaussian=4,~invert");
    assert_int_equal(viewer_go_to_edit(viewer, last), STATUS_OK);
    assert_string_equal(viewer->request->level, "naive");
    assert_int_equal(viewer_redo(viewer), STATUS_USAGE);
    assert_int_equal(viewer_go_to_edit(viewer, 0), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_USAGE);
    assert_int_equal(viewer->edits.count, last + 1);
    assert_int_equal(viewer_set_chain(viewer, "box", FALLBACK_NONE), STATUS_OK); /* the edit that was undone is gone */
    assert_int_equal(viewer->edits.count, 2);
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_int_equal(viewer->edits.count, 2);
}

/* Where more than one thing differs between two chains, words claim no less. */
static void edits_are_called_what_they_are(void **state) {
    static const struct {
        const char *chain, *words;
    } steps[] = {
        {"gaussian=4,invert", "another chain"},
        {"gaussian=4,box=3,invert", "add box"},
        {"gaussian=4,invert", "remove box"},
        {"invert,gaussian=4", "other order"},
        {"invert,gaussian=5", "gaussian: sigma 4 to 5"},
        {"invert,box=3", "box for gaussian"},
        {"invert,box=3:within=3x2+1+1", "box within 3x2+1+1"},
        {"invert,box=3", "box everywhere"},
        {"median,sharpen", "another chain"},
        {"median=3,sharpen", "median: radius 1 to 3"},
        {"median=2,sharpen=2", "values of several filters"},
        {"grayscale", "another chain"},
        {"", "remove grayscale"},
    };
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        assert_int_equal(viewer_set_chain(viewer, steps[i].chain, FALLBACK_BEST), STATUS_OK);
        assert_string_equal(viewer->edits.list[viewer->edits.at].words, steps[i].words);
    }
}

/* A drag is one edit, whatever lies between its ends; the next drag is another. */
/* The list has the state that is shown, wherever that is among them. */
static void the_list_of_edits_has_the_current_one(void **state) {
    static const struct {
        size_t count, at, rows, first;
    } cases[] = {{1, 0, 12, 0},  {5, 4, 12, 0},  {12, 11, 12, 0},  {15, 14, 12, 3},  {15, 2, 12, 0},
                 {15, 0, 12, 0}, {15, 9, 12, 3}, {40, 20, 12, 14}, {40, 39, 12, 28}, {13, 7, 12, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Edits edits = {NULL, cases[i].count, cases[i].at};
        assert_int_equal(edits_first_listed(&edits, cases[i].rows), cases[i].first);
    }
}

static void a_drag_is_one_edit(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=4", FALLBACK_NONE), STATUS_OK);
    const size_t before = viewer->edits.count;
    const Param *sigma = &viewer->request->chain->links[0].filter->table.params[0];
    for (int drag = 0; drag < 2; drag++) {
        viewer->held = true;
        viewer->movement++;
        for (int i = 1; i < 4; i++)
            assert_int_equal(viewer_set_param(viewer, 0, sigma, 4 + 10 * drag + i), STATUS_OK);
        viewer->held = false;
    }
    assert_int_equal(viewer->edits.count, before + 2);
    assert_chain(viewer, "gaussian=17");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_chain(viewer, "gaussian=7");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_chain(viewer, "gaussian=4");
    assert_int_equal(viewer_redo(viewer), STATUS_OK);
    assert_chain(viewer, "gaussian=7");
}

/* A drag may move several parameters at once, not always the same ones. */
static void a_drag_of_several_parameters_is_one_edit(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "crop=20:10:0:0", FALLBACK_NONE), STATUS_OK);
    const ParamTable table = viewer->request->chain->links[0].filter->table;
    const Param *width = param_by_unit(table, PARAM_COLUMNS), *x = param_by_unit(table, PARAM_COLUMN);
    const size_t before = viewer->edits.count;
    viewer->held = true;
    viewer->movement++;
    assert_int_equal(viewer_set_params(viewer, 0, (ParamChange[]){{width, 18, NULL}, {x, 2, NULL}}, 2), STATUS_OK);
    assert_int_equal(viewer_set_params(viewer, 0, (ParamChange[]){{width, 18, NULL}, {x, 4, NULL}}, 2), STATUS_OK);
    assert_int_equal(viewer_set_params(viewer, 0, (ParamChange[]){{width, 16, NULL}, {x, 4, NULL}}, 2), STATUS_OK);
    viewer->held = false;
    assert_chain(viewer, "crop=16:10:4:0");
    assert_int_equal(viewer->edits.count, before + 1);
    assert_string_equal(viewer->edits.list[before].words, "crop: width, x");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_chain(viewer, "crop=20:10:0:0");
}

/* ---- handles on the picture ---- */

/* Drags the handle at a place of the selected filter's result, by so many of its pixels. */
static void drag_pixels(Viewer *viewer, double x, double y, double dx, double dy) {
    double from_x, from_y, to_x, to_y;
    assert_true(handles_follow(viewer));
    handles_place(viewer, x, y, &from_x, &from_y);
    handles_place(viewer, x + dx, y + dy, &to_x, &to_y);
    assert_true(handles_press(viewer, from_x, from_y));
    assert_int_equal(handles_drag(viewer, (from_x + to_x) / 2, (from_y + to_y) / 2), STATUS_OK);
    assert_int_equal(handles_drag(viewer, to_x, to_y), STATUS_OK);
}

/* While the rectangle is drawn, the picture that it is cut from is shown whole; the saved picture is the part. */
static void a_rectangle_is_dragged_on_what_it_is_cut_from(void **state) {
    Viewer *viewer = *state;
    Image *saved;
    assert_int_equal(viewer_set_chain(viewer, "invert,crop=20:10:5:3,resize=30:15", FALLBACK_NONE), STATUS_OK);
    viewer->selected = 1;
    assert_int_equal(handles_kind(viewer), HANDLES_RECTANGLE);
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    assert_int_equal(viewer->request->set_aside, 2);
    assert_true(handles_follow(viewer) && viewer->tools->handles->in.width == WIDTH &&
                viewer->tools->handles->in.height == HEIGHT);
    drag_pixels(viewer, 24.5, 12.5, 4, -2); /* the corner at the bottom right, between pixels */
    assert_chain(viewer, "invert,crop=24:8:5:3,resize=30:15");
    drag_pixels(viewer, 15, 5, -3, 0);
    assert_chain(viewer, "invert,crop=24:8:2:3,resize=30:15");
    drag_pixels(viewer, 1.5, 7, 3, 0);
    assert_chain(viewer, "invert,crop=21:8:5:3,resize=30:15");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer->tools->handles->on, true);
    assert_int_equal(viewer_save_result(viewer, "part.png", true), STATUS_OK);
    assert_int_equal(viewer->request->set_aside, 0);
    assert_false(viewer->tools->handles->on);
    assert_int_equal(codec_load("part.png", &saved), STATUS_OK);
    assert_int_equal(saved->view.shape.width, 30);
    image_destroy(&saved);
    assert_int_equal(unlink("part.png"), 0);
}

/* The viewer says once that a chain makes no sense without the filter, and the handles go. */
static void a_filter_that_cannot_be_set_aside_stays(void **state) {
    Viewer *viewer = *state;
    save_random("small.png", 20, 10, 5);
    assert_int_equal(viewer_set_chain(viewer, "crop=20:10:5:3,blend=small.png", FALLBACK_NONE), STATUS_OK);
    viewer->selected = 0;
    viewer->postpones = true;
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    viewer->postpones = false;
    assert_int_not_equal(viewer_settle(viewer), STATUS_OK);
    assert_false(handles_follow(viewer));
    assert_false(viewer->tools->handles->on || viewer->asks);
    assert_int_equal(viewer->request->set_aside, 0);
    assert_int_equal(unlink("small.png"), 0);
}

static void angles_places_and_corners_are_dragged(void **state) {
    Viewer *viewer = *state;
    Handle handles[HANDLES_MAX];
    assert_int_equal(viewer_set_chain(viewer, "rotate=0:keep", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    assert_int_equal(viewer->request->set_aside, 0);
    assert_true(handles_follow(viewer));
    assert_int_equal(handles_list(viewer, handles), 1);
    double middle_x, middle_y;
    handles_place(viewer, (WIDTH - 1) / 2.0, (HEIGHT - 1) / 2.0, &middle_x, &middle_y);
    const double radius = middle_y - handles[0].y; /* straight up */
    assert_true(near(handles[0].x, middle_x) && radius > 10);
    assert_true(handles_press(viewer, handles[0].x, handles[0].y));
    assert_int_equal(handles_drag(viewer, middle_x + radius / 2, middle_y - sqrt(0.75) * radius), STATUS_OK);
    assert_chain(viewer, "rotate=30:keep");
    assert_int_equal(handles_drag(viewer, handles[0].x + 1e-3, handles[0].y), STATUS_OK);
    assert_int_equal(handles_drag(viewer, handles[0].x - 1e-3, handles[0].y), STATUS_OK);
    assert_chain(viewer, "rotate=0:keep"); /* not -0 */
    assert_int_equal(viewer_set_chain(viewer, "motion=10:90", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer->tools->handles->of_job, viewer->session->job_serial); /* before any draw asks */
    assert_true(handles_follow(viewer));
    handles_list(viewer, handles);
    assert_true(handles_press(viewer, handles[0].x, handles[0].y));
    const double scale = viewer_viewport(viewer).scale, length = middle_y - handles[0].y;
    assert_int_equal(handles_drag(viewer, middle_x - length - 3 * scale, middle_y), STATUS_OK);
    assert_chain(viewer, "motion=16:180");
    assert_int_equal(viewer_set_chain(viewer, "distort=-0.1", FALLBACK_NONE), STATUS_OK);
    drag_pixels(viewer, (WIDTH - 1) / 2.0, (HEIGHT - 1) / 2.0, -5.5, -2.5);
    char want[64];
    snprintf(want, sizeof want, "distort=x=%.0f:%.0f", round((WIDTH - 1) / 2.0 - 5.5), round((HEIGHT - 1) / 2.0 - 2.5));
    assert_chain(viewer, want);
    assert_int_equal(viewer_set_chain(viewer, "warp='1 0 0 0 1 0'", FALLBACK_NONE), STATUS_OK);
    drag_pixels(viewer, 10, 10, 4, 3);
    assert_chain(viewer, "warp=1 0 4  0 1 3");
    drag_pixels(viewer, 3.5, 2.5, 2, 1); /* the first corner: no parallelogram any more */
    const char *matrix = param_text(param_by_unit(viewer->request->chain->links[0].filter->table, PARAM_HOMOGRAPHY),
                                    viewer->request->chain->links[0].values);
    Homography made;
    double x, y;
    assert_int_equal(sscanf(matrix, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", &made.m[0], &made.m[1], &made.m[2],
                            &made.m[3], &made.m[4], &made.m[5], &made.m[6], &made.m[7], &made.m[8]),
                     9);
    homography_apply(&made, -0.5, -0.5, &x, &y);
    assert_true(fabs(x - 5.5) < 1e-3 && fabs(y - 3.5) < 1e-3);
    homography_apply(&made, WIDTH - 0.5, HEIGHT - 0.5, &x, &y);
    assert_true(fabs(x - WIDTH - 3.5) < 1e-3 && fabs(y - HEIGHT - 2.5) < 1e-3);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_false(handles_follow(viewer));
    viewer->tools->handles->on = false;
    assert_int_equal(handles_toggle(viewer), STATUS_USAGE);
}

static void texts_are_set(void **state) {
    Viewer *viewer = *state;
    size_t link;
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0,invert,blend", FALLBACK_NONE), STATUS_OK);
    const Param *file = viewer_image_param(viewer, &link);
    assert_string_equal(file->name, "file");
    assert_int_equal(link, 2);
    const size_t before = viewer->edits.count;
    assert_int_equal(viewer_set_params(viewer, link, &(ParamChange){file, 0, "one.png"}, 1), STATUS_OK);
    assert_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0,invert,blend=one.png");
    assert_string_equal(viewer->edits.list[before].words, "blend: file");
    assert_int_equal(viewer_set_params(viewer, link, &(ParamChange){file, 0, "missing.png"}, 1), STATUS_INPUT);
    assert_int_equal(viewer_set_params(viewer, link, &(ParamChange){file, 0, "one.png"}, 1), STATUS_OK);
    assert_int_equal(viewer->edits.count, before + 1); /* nothing has changed */
    assert_int_equal(viewer_set_params(viewer, link, &(ParamChange){file, 0, ""}, 1), STATUS_OK);
    assert_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0,invert,blend");
    assert_null(viewer_selected_param(viewer, PARAM_MASK, &link));
    viewer->selected = 0;
    assert_string_equal(viewer_selected_param(viewer, PARAM_MASK, &link)->name, "mask");
    assert_null(viewer_image_param(viewer, &link));
    assert_int_equal(viewer_toggle_link(viewer, 0), STATUS_OK);
    assert_null(viewer_selected_param(viewer, PARAM_MASK, &link));
}

/* While another thread has the session, requests wait, and the latest is carried out. */
static void postponed_requests_are_carried_out_later(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=4", FALLBACK_NONE), STATUS_OK);
    const Pipeline *pipeline = viewer->session->pipeline;
    viewer->postpones = true;
    assert_int_equal(viewer_set_chain(viewer, "box=5", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "box=7", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_border(viewer, (Border){BORDER_MIRROR, 0}, FALLBACK_NONE), STATUS_OK);
    assert_true(viewer_asks(viewer));
    assert_ptr_equal(viewer->session->pipeline, pipeline);
    viewer->postpones = false;
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_false(viewer_asks(viewer));
    assert_chain(viewer, "box=7");
    assert_int_equal(viewer->session->request.options.border.mode, BORDER_MIRROR);
    viewer->postpones = true;
    assert_int_equal(viewer_set_level(viewer, "separable"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "crop=500:4", FALLBACK_NONE), STATUS_OK);
    viewer->postpones = false;
    assert_int_equal(viewer_settle(viewer), STATUS_INPUT);
    assert_chain(viewer, "box=7");
    assert_string_equal(viewer->request->level,
                        "separable"); /* the request before the one that cannot be carried out */
}

/* Each is a change of its own, but for the steps of a drag. */
static void postponed_requests_are_undone_one_by_one(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=4,invert", FALLBACK_NONE), STATUS_OK);
    const Param *sigma = param_by_name(viewer->request->chain->links[0].filter->table, "sigma");
    const size_t before = viewer->edits.count;
    viewer->postpones = true;
    assert_int_equal(viewer_toggle_link(viewer, 1), STATUS_OK);
    viewer->held = true;
    viewer->movement++;
    for (int i = 5; i < 9; i++)
        assert_int_equal(viewer_set_param(viewer, 0, sigma, i), STATUS_OK);
    viewer->held = false;
    assert_int_equal(viewer_toggle_link(viewer, 1), STATUS_OK);
    assert_int_equal(viewer_duplicate_link(viewer, 1), STATUS_OK);
    viewer->postpones = false;
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_int_equal(viewer->edits.count, before + 4);
    const char *const chains[] = {"gaussian=8,invert,invert", "gaussian=8,invert", "gaussian=8,~invert",
                                  "gaussian=4,~invert", "gaussian=4,invert"};
    for (size_t i = 0; i < 5; i++) {
        assert_chain(viewer, chains[i]);
        assert_int_equal(viewer_undo(viewer), STATUS_OK);
    }
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    viewer->postpones = true; /* each step has a subject of its own */
    assert_int_equal(viewer_change_scene(viewer, "sun=altitude=20"), STATUS_OK);
    assert_int_equal(viewer_change_scene(viewer, "sphere=2:red=1"), STATUS_OK);
    assert_int_equal(viewer_change_camera(viewer, "unit=3"), STATUS_OK);
    viewer->postpones = false;
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_string_equal(viewer->request->scene, "spheres=count=9:seed=3,sun=altitude=20,sphere=2:1");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_string_equal(viewer->request->scene, "spheres=count=9:seed=3,sun=altitude=20");
    assert_string_equal(viewer_title(viewer), viewer->request->scene);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
}

/* ---- comparing ---- */

/* The folders tell two files with one name apart. */
static void labels_tell_files_apart(void **state) {
    static const struct {
        const char *left, *right, *words, *other;
    } cases[] = {{"a/one.ppm", "b/two.ppm", "one.ppm", "two.ppm"},
                 {"x/a/one.ppm", "x/b/one.ppm", "a/one.ppm", "b/one.ppm"},
                 {"/x/c/d/one.ppm", "/y/c/d/one.ppm", "x/c/d/one.ppm", "y/c/d/one.ppm"},
                 {"one.ppm", "b/one.ppm", "one.ppm", "b/one.ppm"}};
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    Subject *subject = viewer->session->request.subject;
    char *name = subject->name;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char left[32], right[32];
        snprintf(left, sizeof left, "%s", cases[i].left);
        snprintf(right, sizeof right, "%s", cases[i].right);
        subject->name = left;
        assert_int_equal(viewer_pin(viewer), STATUS_OK);
        subject->name = right;
        assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), cases[i].words);
        assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), cases[i].other);
    }
    subject->name = name;
}

static void what_has_no_name_is_left_out_of_labels(void **state) {
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "no filter"); /* no level did that */
    assert_ptr_equal(strstr(viewer_side_words(viewer, false, words, sizeof words), "invert \u00b7 "), words);
}

/* The kept picture stays through all changes, and the differences are those of the shown picture from it. */
static void any_two_results_are_compared(void **state) {
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    unsigned serial, kept;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    const Image *picture = viewer_picture(viewer);
    assert_ptr_equal(viewer_source(viewer, &serial), picture);
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    const Image *image = viewer_source(viewer, &kept);
    assert_true(image != picture && kept != serial);
    for (size_t x = 0; x < 5; x++)
        assert_true(near(view_value(image->view, x, 3, 1), 255 - view_value(picture->view, x, 3, 1)));
    assert_int_equal(viewer_set_chain(viewer, "invert,brightness=40", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "invert");
    assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), "invert,brightness=40");
    assert_true(viewer_side_ms(viewer, true) > 0);
    viewer->compare = COMPARE_SPLIT;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Difference *difference = &viewer->session->difference;
    assert_int_equal(difference->row, HEIGHT);
    double largest = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                largest = fmax(largest, fabs(view_value(image->view, x, y, c) -
                                             view_value(viewer->session->result->view, x, y, c)));
    assert_true(largest > 0 && near(difference->max, largest));
    assert_int_equal(viewer_show_worst(viewer), STATUS_OK);
    size_t x, y;
    const Area area = viewer->area;
    assert_true(viewport_pixel(viewer_viewport(viewer), area.x + area.width / 2, area.y + area.height / 2, WIDTH,
                               HEIGHT, &x, &y));
    assert_true(x == difference->x && y == difference->y);
    viewer_unpin(viewer);
    assert_ptr_equal(viewer_source(viewer, &kept), picture);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(viewer->session->difference_of_source, serial);
}

/* Next to each other, both sides are as large, and fit their halves. */
static void sides_have_halves(void **state) {
    Viewer *viewer = *state;
    const Viewport whole = viewer_viewport(viewer);
    viewer->compare = COMPARE_SIDES;
    const Viewport half = viewer_viewport(viewer);
    const Area right = viewer_result_area(viewer), area = viewer->area;
    assert_true(near(right.x + right.width, area.x + area.width) && near(2 * right.width, area.width));
    assert_true(half.x >= right.x && half.x + WIDTH * half.scale <= right.x + right.width + 1e-6);
    assert_true(half.scale <= whole.scale);
}

/* ---- backends ---- */

static void another_backend_keeps_the_level_if_it_has_it(void **state) {
    Viewer *viewer = *state;
    static Level other[2];
    static const Level *const others[] = {&other[0], &other[1]};
    const Backend *cpu = backend_at(0);
    other[0] = other[1] = *level_by_name(cpu, &op_convolve, "naive");
    other[1].name = "halo";
    fake_backend.name = "gpu";
    fake_backend.levels = others;
    fake_backend.level_count = 2;
    pretend(viewer);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_level(viewer, "halo"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_set_backend(viewer, "cpu"), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_string_equal(viewer->toast.text, "convolve on cpu has no level halo; taking the best, separable");
    viewer->toast.text[0] = '\0';
    pretend(viewer);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_set_backend(viewer, "cpu"), STATUS_OK);
    assert_string_equal(viewer->request->level, "naive");
    assert_string_equal(viewer->toast.text, "");
}

/* ---- keys ---- */

static bool has_key(const Action *action, const char *wanted) {
    char keys[64], *rest = NULL;
    snprintf(keys, sizeof keys, "%s", action->keys);
    bool has = false;
    for (const char *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
        has |= strcmp(key, wanted) == 0;
    return has;
}

static void no_key_does_two_things(void **state) {
    (void)state;
    for (size_t i = 0; i < action_count; i++) {
        assert_true(actions[i].name[0] && actions[i].help[0] && actions[i].group[0]);
        char keys[64], *rest = NULL;
        assert_true(strlen(actions[i].keys) < sizeof keys);
        strcpy(keys, actions[i].keys);
        for (const char *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
            for (size_t other = 0; other < action_count; other++)
                if (other != i && actions[other].place == actions[i].place)
                    assert_false(has_key(&actions[other], key));
        for (int place = 0; place < SUBJECTS; place++) { /* every action has one wherever it is */
            Subject subject = {.kind = subject_kinds[place]};
            Session session = {.request = {.subject = &subject}};
            Interface ui = {.keymap = NULL};
            const Viewer viewer = {.session = &session, .ui = &ui};
            char here[ACTION_KEYS];
            action_keys_here(&viewer, &actions[i], here);
            if (here[0] == '\0')
                print_error("%s\n", actions[i].name);
            assert_true(here[0] != '\0');
            here[strcspn(here, " ")] = '\0';
            if (action_is_here(&viewer, &actions[i]))
                assert_ptr_equal(action_for_key(&viewer, here), &actions[i]);
        }
        assert_ptr_equal(action_by_name(actions[i].name), &actions[i]);
        assert_int_equal(strspn(actions[i].name, "abcdefghijklmnopqrstuvwxyz-"), strlen(actions[i].name));
    }
}

static void escape_closes_what_is_on_top_then_quits(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "h", true), STATUS_OK);
    assert_true(viewer->help);
    assert_int_equal(action_press(viewer, "esc", true), STATUS_OK);
    assert_false(viewer->help || viewer->requests->quit);
    assert_int_equal(action_press(viewer, "s", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "q", true), STATUS_OK);
    assert_true(viewer->compare == COMPARE_NONE && !viewer->requests->quit);
    viewer->menu = true; /* as the panels say when one is open */
    assert_int_equal(action_press(viewer, "Down", true), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(viewer->menu || viewer->requests->quit);
    assert_int_equal(action_press(viewer, "q", true), STATUS_OK);
    assert_true(viewer->requests->quit);
}

/* ---- looking closely ---- */

/* The window's point in the middle of a pixel of the picture. */
static void point_at_pixel(Viewer *viewer, size_t x, size_t y) {
    const Viewport at = viewer_viewport(viewer);
    inspector_point_at(viewer, at.x + ((double)x + 0.5) * at.scale, at.y + ((double)y + 0.5) * at.scale);
}

static double result_at(const Viewer *viewer, size_t x, size_t y, int c) {
    double room[4];
    const ImageView pixel = {{1, 1, 3, PIXEL_U8}, sizeof room, room};
    assert_true(viewer_pixels(viewer, x, y, pixel));
    return view_value(pixel, 0, 0, c);
}

static void the_inspector_explains_the_result(void **state) {
    Viewer *viewer = *state;
    const Inspector *inspector = viewer->tools->inspector;
    assert_int_equal(action_press(viewer, "X", true), STATUS_USAGE); /* nothing to freeze */
    assert_int_equal(action_press(viewer, "x", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    for (size_t y = 0; y < HEIGHT; y += 23)
        for (size_t x = 0; x < WIDTH; x += 12) {
            point_at_pixel(viewer, x, y);
            inspector_update(viewer);
            assert_true(inspector->x == x && inspector->y == y && inspector->current && inspector->has_result);
            assert_int_equal(inspector->inspection.kind, INSPECT_SUM);
            assert_true(near(inspector->inspection.stored, result_at(viewer, x, y, inspector->channel)));
        }
    assert_int_equal(action_press(viewer, "X", true), STATUS_OK);
    point_at_pixel(viewer, 3, 4);
    assert_true(inspector->x == 60 && inspector->y == 46); /* frozen */
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(inspector->open || viewer->requests->quit);
}

/* The input and the result of a stage in the middle of a chain are computed ahead. */
static void the_inspector_goes_through_the_stages(void **state) {
    Viewer *viewer = *state;
    const Inspector *inspector = viewer->tools->inspector;
    assert_int_equal(viewer_set_chain(viewer, "median=1,gaussian=2,invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "x", true), STATUS_OK);
    point_at_pixel(viewer, 20, 30);
    inspector_update(viewer);
    assert_true(inspector->shown_stage == 1 && !inspector->current &&
                inspector_tool.due(viewer_session(viewer))); /* the most arithmetic */
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    double blurred = 0;
    const InspectKind kinds[] = {INSPECT_SUM, INSPECT_POINT, INSPECT_RANK};
    for (size_t i = 0; i < 3; i++) {
        inspector_update(viewer);
        assert_true(inspector->current && inspector->has_result && inspector->inspection.kind == kinds[i]);
        assert_true(near(inspector->inspection.stored, inspector->stage_value));
        if (kinds[i] == INSPECT_SUM)
            blurred = inspector->stage_value;
        if (kinds[i] == INSPECT_POINT) {
            assert_true(near(inspector->inspection.steps[0].in[0][0], blurred));
            assert_true(near(inspector->stage_value, result_at(viewer, 20, 30, 0)));
        }
        inspector_step(viewer, 1);
        inspector_update(viewer);
        assert_int_equal(viewer_finish(viewer), STATUS_OK);
    }
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK); /* of which (20, 30) is no pixel */
    inspector_update(viewer);
    assert_false(inspector->has_pixel || inspector->current);
}

/* The mean of a channel over a rectangle. */
static double mean_of(ImageView view, size_t x, size_t y, size_t width, size_t height, int c) {
    double sum = 0;
    for (size_t j = y; j < y + height; j++)
        for (size_t i = x; i < x + width; i++)
            sum += view_value(view, i, j, c);
    return sum / (double)(width * height);
}

static void the_histogram_follows_what_is_shown(void **state) {
    Viewer *viewer = *state;
    const Histogram *histogram = viewer->tools->histogram;
    const Counted *counted = &viewer->session->counted;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(counted->known);
    assert_int_equal(action_press(viewer, "H", true), STATUS_OK);
    assert_true(histogram_tool.due(viewer_session(viewer)));
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(counted->known && !histogram_tool.due(viewer_session(viewer)) && counted->rows == 4);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_true(near(counted->stats[1].mean, mean_of(viewer->session->result->view, 0, 0, WIDTH, HEIGHT, 1)));
    const Viewport at = viewer_viewport(viewer);
    histogram_mark(viewer, at.x + 20.5 * at.scale, at.y + 30.5 * at.scale, at.x + 9.5 * at.scale,
                   at.y + 12.5 * at.scale);
    assert_true(histogram->part.x == 9 && histogram->part.y == 12 && histogram->part.width == 12);
    assert_int_equal(histogram->part.height, 19);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[2].mean, mean_of(viewer->session->result->view, 9, 12, 12, 19, 2)));
    assert_true(near(counted->stats[0].count, 12 * 19));
    viewer->tools->histogram->before = true;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[2].mean, mean_of(viewer_picture(viewer)->view, 9, 12, 12, 19, 2)));
    assert_null(counted->waveform);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK); /* without a filter, too */
    viewer->tools->histogram->before = false;
    viewer->tools->histogram->part = (Marked){0};
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[0].mean, mean_of(viewer_picture(viewer)->view, 0, 0, WIDTH, HEIGHT, 0)));
    viewer->tools->histogram->part = (Marked){9, 12, 12, 19};
    assert_int_equal(action_press(viewer, "W", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(counted->waveform->view.shape.width, 12);
    assert_int_equal(action_press(viewer, "W", true), STATUS_OK);
    assert_false(histogram->open || histogram_tool.due(viewer_session(viewer)));
}

/* A mask of three across passes flat areas half as bright again, and leaves a half of stripes of single columns. A
 * chain that is asked for meanwhile is the window's. */
static void the_response_is_of_what_is_carried_out(void **state) {
    Viewer *viewer = *state;
    const Response *response = &viewer->session->response;
    viewer->editing = true;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=1", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(response->known);
    assert_int_equal(viewer_set_chain(viewer, "convolve=1 1 1;:0.5,invert", FALLBACK_NONE), STATUS_OK);
    viewer->selected = 1;
    assert_false(mask_editor_tool.due(viewer_session(viewer)));
    viewer->selected = 0;
    assert_true(mask_editor_tool.due(viewer_session(viewer)));
    Session *lent = viewer_lend(viewer);
    viewer->postpones = true;
    assert_int_equal(viewer_set_chain(viewer, "convolve=1 2 1;:0.5,invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(session_finish(lent), STATUS_OK);
    assert_false(viewer->session->response.known);
    viewer_take_back(viewer);
    viewer->postpones = false;
    assert_true(response->known && response->picture && !mask_editor_tool.due(viewer_session(viewer)));
    assert_true(near(response->at_rest, 1.5) && near(response->half_x, 0.5) && near(response->half_y, 1.5));
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(response->at_rest, 2) && near(response->half_x, 0) && near(response->largest, 2));
    assert_int_equal(viewer_set_chain(viewer, "convolve", FALLBACK_NONE), STATUS_USAGE); /* no mask, no response */
}

static void grades_are_said_and_reset(void **state) {
    Viewer *viewer = *state;
    char words[160];
    const struct {
        const char *key, *words;
    } steps[] = {
        {"C", "red channel"},
        {"C", "green channel"},
        {"C", "blue channel"},
        {"C", "luma"}, /* there is no alpha */
        {"F", "luma, false colour"},
        {"C", "false colour"},
        {"y", "false colour, gamma 1.1"},
        {"Y", "false colour"},
        {"Y", "false colour, gamma 0.9"},
        {"z", "false colour, gamma 0.9, black and white striped"},
        {"r", ""},
    };
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        assert_int_equal(action_press(viewer, steps[i].key, true), STATUS_OK);
        viewer_describe(viewer, true, words, sizeof words);
        assert_string_equal(words, steps[i].words);
    }
    assert_int_equal(grade_next_channel(GRADE_ALL, (Shape){1, 1, 2, PIXEL_U8}), GRADE_ALPHA);
    assert_int_equal(grade_next_channel(GRADE_BLUE, (Shape){1, 1, 4, PIXEL_U8}), GRADE_ALPHA);
    assert_true(near(grade_step_gamma(10, 1), 10) && near(grade_step_gamma(0.1, -1), 0.1));
}

/* A look, now, at a file from which the shown picture was read long ago. */
static bool look(Watch *watch, unsigned serial) {
    watch->looked = 0;
    return watch_look(watch, "watched.txt", serial, -1);
}

static void files_are_taken_once_they_rest(void **state) {
    (void)state;
    Watch watch = {.on = true};
    write_text("watched.txt", "one");
    assert_false(look(&watch, 1) || look(&watch, 1) || look(&watch, 1));
    write_text("watched.txt", "half");
    assert_false(look(&watch, 1)); /* is it whole? */
    write_text("watched.txt", "both halves");
    assert_false(look(&watch, 1));
    assert_true(look(&watch, 1)); /* it rests */
    assert_false(look(&watch, 1) || look(&watch, 1));
    assert_false(look(&watch, 2) || look(&watch, 2)); /* it was read again */
    remove("watched.txt");
    assert_false(look(&watch, 2) || watch_lost(&watch)); /* perhaps it is about to be replaced */
    write_text("watched.txt", "as saved by another program");
    assert_false(look(&watch, 2) || watch_lost(&watch));
    assert_true(look(&watch, 2));
    watch.looked = 0; /* written while it was read, perhaps: once more */
    assert_false(watch_look(&watch, "watched.txt", 3, 3600));
    assert_true(look(&watch, 3));
    remove("watched.txt");
    assert_false(look(&watch, 3) || watch_lost(&watch));
    assert_true(!look(&watch, 3) && watch_lost(&watch)); /* it is not */
    assert_false(watch_lost(&watch) || look(&watch, 3) || watch_lost(&watch));
    watch.on = false;
    write_text("watched.txt", "unseen");
    assert_false(look(&watch, 3) || look(&watch, 3));
    assert_true(watch_waits_ms(&watch) < 0);
    remove("watched.txt");
}

static void space_shows_the_source_while_held(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_true(viewer->unfiltered);
    assert_int_equal(action_press(viewer, "Space", false), STATUS_OK);
    assert_false(viewer->unfiltered);
    assert_int_equal(action_press(viewer, "Tab", false), STATUS_OK); /* letting other keys go does nothing */
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK); /* let go in the box that was opened meanwhile */
    assert_int_equal(action_press(viewer, "Space", false), STATUS_OK);
    assert_false(viewer->unfiltered);
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_int_equal(viewer->overlay, OVERLAY_FULL);
}

/* An opened panel is seen: an overlay that was off comes back, as much of it as the panel takes. */
static void what_is_opened_is_seen(void **state) {
    static const struct {
        const char *command;
        OverlayMode least;
    } opened[] = {{"histogram", OVERLAY_COMPACT},  {"inspector", OVERLAY_COMPACT}, {"editor", OVERLAY_COMPACT},
                  {"thumbnails", OVERLAY_COMPACT}, {"race", OVERLAY_FULL},         {"list-edits", OVERLAY_FULL},
                  {"facts", OVERLAY_FULL}};
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_NONE), STATUS_OK);
    for (size_t i = 0; i < sizeof opened / sizeof opened[0]; i++) {
        viewer->overlay = OVERLAY_OFF;
        assert_int_equal(action_command(viewer, opened[i].command, true), STATUS_OK);
        assert_int_equal(viewer->overlay, opened[i].least);
        viewer->overlay = OVERLAY_OFF;
        assert_int_equal(action_command(viewer, opened[i].command, true), STATUS_OK); /* and closed */
        assert_int_equal(viewer->overlay, OVERLAY_OFF);
    }
}

/* Where nothing can be seen to happen, words name the effect, or the reason why there is none. */
static void no_action_is_silent(void **state) {
    static const char *const commands[] = {"measure", "measure", "heat-map", "heat-map"};
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        viewer->toast.text[0] = '\0';
        assert_int_equal(action_command(viewer, commands[i], true), STATUS_OK);
        assert_true(strlen(viewer->toast.text) > 0);
    }
    assert_int_equal(action_command(viewer, "let-go", true), STATUS_USAGE);
    assert_string_equal(status_message(), "nothing is kept");
}

/* The two sides never meet beneath a column, where no hand could take them apart. A split that would begin there begins
 * in the middle of the free part. */
static void a_split_lies_where_it_can_be_taken(void **state) {
    Viewer *viewer = *state;
    viewer->width = 640;
    viewer->height = 400;
    viewer_set_area(viewer, (Area){360, 20, 280, 380});
    viewer->split = 0.5;
    assert_true(near(viewer_split_x(viewer), 360));
    assert_int_equal(action_command(viewer, "split", true), STATUS_OK);
    assert_true(near(viewer_split_x(viewer), 500));
    viewer->split = 0.75;
    assert_true(near(viewer_split_x(viewer), 480));
    assert_int_equal(action_command(viewer, "split", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "split", true), STATUS_OK);
    assert_true(near(viewer_split_x(viewer), 480));
    viewer->split = 0;
    assert_true(near(viewer_split_x(viewer), 360));
    viewer->split = 1;
    assert_true(near(viewer_split_x(viewer), 640));
}

static void letters_mean_other_things_in_scenes(void **state) {
    Viewer *viewer = *state;
    assert_string_equal(action_for_key(viewer, "s")->name, "split");
    assert_int_equal(viewer_show(viewer, SUBJECT_SCENE), STATUS_OK);
    assert_string_equal(action_for_key(viewer, "s")->name, "move-back");
    assert_string_equal(action_for_key(viewer, "|")->name, "split");
    assert_string_equal(action_for_key(viewer, "Delete")->name, "remove-filter");
    char keys[ACTION_KEYS];
    assert_string_equal(action_keys_here(viewer, action_by_name("split"), keys), "|");
    assert_string_equal(action_keys_here(viewer, action_by_name("next-filter"), keys), ".");
    assert_int_equal(action_press(viewer, "~", true), STATUS_OK); /* the filter that is there */
}

static void command_line_is_quoted_for_a_shell(void **state) {
    Viewer *viewer = *state;
    char line[1024];
    save_random("it's one.png", 5, 5, 1);
    assert_int_equal(viewer_open(viewer, "it's one.png"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 1 0 1 1 1 0 1 0", FALLBACK_NONE), STATUS_OK);
    command_line_format(viewer, line, sizeof line);
    assert_string_equal(line, "glint batch 'convolve=0 1 0 1 1 1 0 1 0' 'it'\\''s one.png' -o out.png --backend cpu "
                              "--level best --border clamp");
    assert_int_equal(remove("it's one.png"), 0);
}

static void floats_are_saved_as_floats(void **state) {
    Viewer *viewer = *state;
    Image *image;
    char line[1024];
    assert_int_equal(image_create((Shape){5, 4, 3, PIXEL_F32}, &image), STATUS_OK);
    view_fill_random(image->view, 3);
    write_image("-light.pfm", image);
    image_destroy(&image);
    assert_int_equal(viewer_open(viewer, "-light.pfm"), STATUS_OK);
    assert_int_equal(action_press(viewer, "P", true), STATUS_OK);
    assert_string_equal(viewer->toast.text, "the result is in glint-result-001.pfm");
    assert_int_equal(codec_load("glint-result-001.pfm", &image), STATUS_OK);
    assert_true(shows(viewer, image));
    image_destroy(&image);
    command_line_format(viewer, line, sizeof line);
    assert_string_equal(line,
                        "glint batch gaussian=1 ./-light.pfm -o out.pfm --backend cpu --level best --border clamp");
    remove("glint-result-001.pfm");
    remove("-light.pfm");
}

static void cameras_are_written_as_people_write_them(void **state) {
    Viewer *viewer = *state;
    char line[1024];
    viewer_resize(viewer, 64, 48);
    write_text("up.scene", "glint-scene 2\ncamera 0.1 -4 0.3 0.1 0.2 0.3 0 0 1 40\nsphere 0 0 0 1 1 1 1\n");
    assert_int_equal(viewer_open(viewer, "up.scene"), STATUS_OK);
    command_line_format(viewer, line, sizeof line);
    const char *at = strstr(line, "perspective=");
    assert_non_null(at);
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, " "), at);
    Camera again;
    assert_int_equal(camera_parse(text, &again), STATUS_OK);
    const Camera camera = viewer->request->orbit_camera.camera;
    const Vec apart = vec_minus(again.up, camera.up), off = vec_minus(again.from, camera.from);
    assert_true(vec_dot(apart, apart) < 1e-10f && !(vec_dot(off, off) > 0)); /* z is up here, and stays it */
    assert_null(strstr(text, "0000000"));                                    /* no 0.30000001192092896 */
    remove("up.scene");
}

static size_t occurrences(const char *path, const char *word) {
    Bytes bytes = {0};
    size_t count = 0;
    assert_int_equal(file_read(path, &bytes), STATUS_OK);
    for (size_t i = 0; i + strlen(word) <= bytes.size; i++)
        count += memcmp(bytes.data + i, word, strlen(word)) == 0;
    bytes_free(&bytes);
    return count;
}

static void a_trace_has_what_happened_and_no_more(void **state) {
    Viewer *viewer = *state;
    ProfileTrace *profile_trace;
    assert_int_equal(profile_trace_open("trace.json", false, &profile_trace), STATUS_OK);
    viewer->profile_trace = profile_trace;
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    for (int i = 0; i < 5; i++) { /* as a slider is dragged */
        assert_int_equal(action_press(viewer, "]", true), STATUS_OK);
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    }
    viewer->profile_trace = NULL;
    assert_int_equal(profile_trace_close(&profile_trace, true), STATUS_OK);
    assert_int_equal(occurrences("trace.json", "\"decode\""), 1);
    assert_int_equal(occurrences("trace.json", "\"upload\""), 1);
    remove("trace.json");
}

/* ---- scripts ---- */

/* A host without a window that counts its requests. */
typedef struct Counts {
    Viewer *viewer;
    int draws, screenshots, serves, drags, ways;
    MouseWay way; /* the last */
    double rested;
} Counts;

static Status count_draw(void *self) {
    return ((Counts *)self)->draws++, STATUS_OK;
}
static Status count_screenshot(void *self, const char *path) {
    (void)path;
    return ((Counts *)self)->screenshots++, STATUS_OK;
}
static Status count_serve(void *self) {
    return ((Counts *)self)->serves++, STATUS_OK;
}
static Status resize(void *self, int width, int height) {
    viewer_resize(((Counts *)self)->viewer, width, height);
    return STATUS_OK;
}

static Status drag(void *self, const char *param, double from, double to, int steps) {
    assert_string_equal(param, "sigma");
    assert_true(near(from, 0.2) && near(to, 0.45) && steps == 60);
    return ((Counts *)self)->drags++, STATUS_OK;
}

static Status work_at_once(void *self, ViewerTask *task, void *argument) {
    return task(((Counts *)self)->viewer, argument);
}

static Status move_mouse(void *self, MouseWay way) {
    Counts *counts = self;
    counts->ways++;
    counts->way = way;
    return STATUS_OK;
}

static Status rest(void *self, double ms) {
    ((Counts *)self)->rested += ms;
    return STATUS_OK;
}

static Status run_script(Viewer *viewer, const char *text, Counts *counts) {
    *counts = (Counts){.viewer = viewer};
    const ScriptHost host = {counts, count_draw,   count_screenshot, resize, count_serve,
                             drag,   work_at_once, move_mouse,       rest};
    write_text("script.txt", text);
    return script_run(viewer, &host, "script.txt");
}

static void script_runs_line_by_line(void **state) {
    Viewer *viewer = *state;
    Counts counts;
    assert_int_equal(
        run_script(
            viewer,
            "# a comment\n\n  open two.png  \r\nfilter laplacian\nlevel naive\nborder constant=12\n"
            "backend cpu\nroute copy\nsize 300x200\nframes 3\ndrag sigma 20 45 60\nwait 0.25\npointer 3 4\nmark 5 6 70 "
            "80.5\nkey s\nscreenshot a.png\ntimings t.json\n"
            "frame f.png\nquit\nnonsense behind the end\n",
            &counts),
        STATUS_OK);
    assert_int_equal(counts.draws, 3);
    assert_int_equal(counts.drags, 1);
    assert_int_equal(counts.ways, 2);
    assert_true(near(counts.rested, 250));
    assert_true(near(counts.way.from_y, 6) && near(counts.way.y, 80.5) && counts.way.presses && counts.way.control);
    assert_int_equal(counts.screenshots, 1);
    assert_int_equal(counts.serves, 8); /* after each action */
    assert_int_equal(viewer->width, 300);
    assert_true(viewer->requests->quit && viewer->compare == COMPARE_SPLIT);
    assert_string_equal(viewer_title(viewer), "two.png");
    assert_true(near((double)viewer->request->options.border.value, 12));
    write_image("want.png", viewer->session->result);
    assert_true(same_file("f.png", "want.png"));
    assert_int_equal(access("t.json", R_OK), 0);
    remove("f.png");
    remove("want.png");
    remove("t.json");
}

static void script_names_the_line_that_fails(void **state) {
    static const struct {
        const char *text, *message;
        Status status;
    } cases[] = {
        {"\nfiltre sobel\n", "script.txt:2: no command \"filtre\"; did you mean \"filter\"?", STATUS_USAGE},
        {"filter sobel\nlevel\n", "script.txt:2: want level NAME", STATUS_USAGE},
        {"quit now\n", "script.txt:1: quit takes nothing behind it", STATUS_USAGE},
        {"frames 1.5\n", "script.txt:1: frames \"1.5\"", STATUS_USAGE},
        {"frames 0\n", "script.txt:1: frames \"0\"", STATUS_USAGE},
        {"drag sigma 20 40\n", "script.txt:1: drag \"sigma 20 40\", want PARAM FROM TO STEPS", STATUS_USAGE},
        {"drag sigma 20 140 9\n", "script.txt:1: drag \"sigma 20 140 9\"", STATUS_USAGE},
        {"click 20\n", "script.txt:1: \"20\", want X Y or X Y right in pixels", STATUS_USAGE},
        {"mark 2 3 4 5 right\n", "script.txt:1: \"2 3 4 5 right\", want X Y X Y in pixels", STATUS_USAGE},
        {"size 9\n", "script.txt:1: ", STATUS_USAGE},
        {"key `\n", "script.txt:1: key ` does nothing here", STATUS_USAGE},
        {"open missing.png", "script.txt:1: missing.png: ", STATUS_INPUT},
        {"level fastest", "script.txt:1: level \"fastest\"", STATUS_USAGE},
        {"route bus", "script.txt:1: route \"bus\": from the cpu backend, want copy", STATUS_USAGE},
        {"frame f.psd", "script.txt:1: f.psd: PSD is read, but not written", STATUS_INPUT},
        {"frame one.png", "script.txt:1: one.png is an input", STATUS_USAGE},
        {"timings ./one.png", "script.txt:1: one.png is an input", STATUS_USAGE},
        {"timings script.txt", "script.txt:1: script.txt is an input", STATUS_USAGE},
        {"scene cubes", "script.txt:1: ", STATUS_INPUT},
    };
    Counts counts;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Status status = run_script(*state, cases[i].text, &counts);
        if (strncmp(status_message(), cases[i].message, strlen(cases[i].message)) != 0)
            print_error("%s\n", status_message());
        assert_memory_equal(status_message(), cases[i].message, strlen(cases[i].message));
        assert_int_equal(status, cases[i].status);
    }
}

static void nothing_open_is_not_a_crash(void **state) {
    (void)state;
    Viewer *viewer = make_viewer("", "best");
    Counts counts;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(viewer_work(viewer));
    assert_string_equal(viewer_title(viewer), "");
    assert_int_equal(
        run_script(viewer, "frames 2\nkey +\nkey f\nkey r\nkey m\nscreenshot x.png\ntimings t.json\n", &counts),
        STATUS_OK);
    assert_int_equal(run_script(viewer, "frame f.png\n", &counts), STATUS_USAGE);
    assert_int_equal(run_script(viewer, "key F5\n", &counts), STATUS_USAGE);
    remove("t.json");
    viewer_destroy(&viewer);
}

/* The tests run in a folder of their own with pictures that they make. */
static int make_folder(void **state) {
    static char folder[] = "test_viewer.XXXXXX";
    *state = folder;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    save_random("one.png", WIDTH, HEIGHT, 1);
    save_random("two.png", 9, 8, 2);
    write_text("bad.png", "\x89PNG\r\n\x1a\nand no more");
    return system("mkdir empty");
}

/* EXR holds colours times alpha, and light where alpha is 0: so it is saved, mirrored here. */
static void light_without_a_surface_is_saved(void **state) {
    static const float stored[] = {5, 3, 1, 0, 0.5f, 0.25f, 0.125f, 0.5f};
    static const float mirrored[] = {0.5f, 0.25f, 0.125f, 0.5f, 5, 3, 1, 0};
    Viewer *viewer = *state;
    Image *image = NULL;
    if (format_by_name("exr")->lacks)
        skip();
    REQUIRE(image_create((Shape){2, 1, 4, PIXEL_F32}, &image));
    memcpy(image->view.pixels, stored, sizeof stored);
    image->premultiplied = true;
    REQUIRE(output_save_picture("fire.exr", (OutputRules){.writer = "test"}, image, (SaveOptions){0}));
    image_destroy(&image);
    REQUIRE(viewer_set_chain(viewer, "flip", FALLBACK_NONE));
    REQUIRE(viewer_open(viewer, "fire.exr"));
    REQUIRE(viewer_save_result(viewer, "saved.exr", false));
    REQUIRE(codec_load("saved.exr", &image));
    assert_true(image->premultiplied);
    assert_memory_equal(image->view.pixels, mirrored, sizeof mirrored);
    image_destroy(&image);
    remove("fire.exr");
    remove("saved.exr");
}

static int remove_folder(void **state) {
    static const char *const names[] = {"one.png", "two.png", "bad.png", "script.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(names[i]);
    return rmdir("empty") != 0 || chdir("..") != 0 || rmdir(*state) != 0;
}

#define WITH_VIEWER(test) cmocka_unit_test_setup_teardown(test, open_viewer, close_viewer)
#define WITH_SLOW(test)   cmocka_unit_test_setup_teardown(test, open_slow, close_viewer)
#define WITH_ROUTES(test) cmocka_unit_test_setup_teardown(test, open_routed, close_viewer)

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_shows_all_in_the_middle),
        cmocka_unit_test(actual_size_lies_on_whole_pixels),
        cmocka_unit_test(zoom_keeps_the_point_under_the_pointer),
        cmocka_unit_test(pixel_is_the_one_under_the_pointer),
        WITH_VIEWER(result_is_what_a_pipeline_of_its_own_makes),
        WITH_VIEWER(failures_leave_what_was_shown),
        WITH_VIEWER(light_without_a_surface_is_saved),
        WITH_VIEWER(stepping_skips_what_cannot_be_shown),
        WITH_VIEWER(one_picture_has_no_neighbour),
        WITH_VIEWER(digits_and_arrows_climb_the_ladder),
        WITH_VIEWER(a_level_that_cannot_says_why_and_the_old_one_stays),
        WITH_VIEWER(picking_a_filter_gives_up_a_level_that_cannot),
        WITH_VIEWER(keys_step_parameters_on_their_grid),
        WITH_VIEWER(results_of_another_size_are_fitted),
        WITH_VIEWER(filter_keys_go_round_the_list),
        WITH_VIEWER(a_chain_can_be_typed),
        WITH_VIEWER(a_chain_is_completed),
        cmocka_unit_test(strokes_have_a_soft_rim),
        WITH_VIEWER(painting_confines_a_filter),
        WITH_VIEWER(a_stroke_outlives_the_one_before),
        WITH_VIEWER(no_painted_mask_is_left_behind),
        WITH_VIEWER(a_mask_is_read_once),
        cmocka_unit_test(chains_are_reduced),
        WITH_VIEWER(a_preview_stands_for_a_result),
        WITH_VIEWER(values_can_be_typed),
        WITH_VIEWER(keys_move_the_slider_under_the_pointer),
        WITH_VIEWER(a_border_can_be_typed_with_its_value),
        WITH_VIEWER(keys_and_menus_take_the_same_border),
        WITH_VIEWER(every_filter_of_the_menu_can_be_picked),
        WITH_VIEWER(ranges_follow_the_pixels),
        WITH_VIEWER(errors_go_when_they_are_mended),
        WITH_VIEWER(what_is_shown_is_said),
        WITH_VIEWER(the_gain_fits_the_largest_difference),
        WITH_VIEWER(exposure_goes_with_its_picture),
        WITH_VIEWER(keys_stay_in_the_box_that_has_them),
        WITH_VIEWER(what_is_typed_replaces_what_is_marked),
        WITH_VIEWER(letters_of_several_bytes_stay_whole),
        WITH_VIEWER(filter_keys_change_the_selected_filter_alone),
        WITH_VIEWER(links_are_removed_one_by_one),
        WITH_VIEWER(no_filter_shows_the_picture_itself),
        WITH_VIEWER(border_key_goes_round),
        WITH_VIEWER(scene_and_picture_change_places),
        WITH_VIEWER(a_level_of_another_ladder_gives_way),
        WITH_VIEWER(filters_act_on_what_is_traced),
        WITH_VIEWER(light_goes_on_behind_other_filters),
        WITH_VIEWER(the_traced_frame_is_there_to_be_compared_with),
        WITH_VIEWER(thumbnails_are_of_the_traced_frame),
        WITH_VIEWER(a_frame_of_another_size_lies_in_the_middle),
        WITH_VIEWER(scenes_of_light_open_in_light),
        WITH_VIEWER(exposure_suits_the_light),
        WITH_VIEWER(camera_zoom_keeps_the_point_under_the_pointer),
        WITH_VIEWER(fitted_camera_sees_every_sphere),
        WITH_VIEWER(perspective_orbits_about_the_scene),
        cmocka_unit_test(the_clock_of_motion_never_leaps),
        WITH_VIEWER(space_lets_spheres_move_and_stops_them),
        WITH_VIEWER(hands_move_the_camera_while_spheres_move),
        WITH_VIEWER(light_follows_spheres_that_move),
        WITH_VIEWER(long_masks_stay_whole),
        WITH_VIEWER(the_picture_is_uploaded_once),
        WITH_VIEWER(finishing_measures_all_that_the_overlay_shows),
        WITH_SLOW(a_yardstick_takes_no_more_than_its_time),
        WITH_SLOW(headline_and_race_have_one_estimate),
        WITH_VIEWER(races_share_the_reference),
        WITH_VIEWER(cards_tell_what_a_piece_takes),
        WITH_SLOW(a_wrong_level_fails),
        WITH_VIEWER(times_have_the_interval_of_student),
        WITH_VIEWER(rungs_are_compared_with_the_reference),
        WITH_SLOW(slow_runs_are_expected),
        WITH_SLOW(runs_like_the_last_are_expected_to_take_as_long),
        WITH_SLOW(levels_that_come_back_are_known),
        WITH_VIEWER(measurements_wait_until_hands_rest),
        WITH_VIEWER(measurements_stop_no_motion),
        WITH_VIEWER(bodies_have_a_new_bvh_when_the_old_has_cost_as_much),
        WITH_VIEWER(light_states_no_arithmetic),
        WITH_VIEWER(the_lowest_rung_is_not_faster_than_itself),
        WITH_VIEWER(figures_are_of_the_last_change_on),
        WITH_VIEWER(every_timed_level_is_a_dot),
        WITH_VIEWER(each_backend_keeps_its_time_for_the_job),
        WITH_VIEWER(spans_of_the_window_keep_their_place),
        WITH_VIEWER(a_cpu_has_one_route),
        WITH_ROUTES(results_stay_on_the_device),
        WITH_ROUTES(a_port_is_mapped_while_others_make_the_frame),
        WITH_ROUTES(quick_runs_are_started_with_the_change),
        WITH_ROUTES(a_run_that_was_started_fails_once_it_is_waited_for),
        WITH_ROUTES(keys_go_round_the_routes),
        WITH_ROUTES(a_route_that_fails_gives_way_and_says_why),
        WITH_ROUTES(a_route_whose_frame_is_lost_gives_way),
        WITH_ROUTES(ports_are_opened_once_and_closed_in_time),
        WITH_ROUTES(costs_are_of_the_job_that_is_shown),
        WITH_ROUTES(another_backend_keeps_the_level_if_it_has_it),
        cmocka_unit_test(no_key_does_two_things),
        WITH_VIEWER(escape_closes_what_is_on_top_then_quits),
        WITH_VIEWER(the_inspector_explains_the_result),
        WITH_VIEWER(the_inspector_goes_through_the_stages),
        WITH_VIEWER(the_histogram_follows_what_is_shown),
        WITH_VIEWER(the_response_is_of_what_is_carried_out),
        WITH_VIEWER(grades_are_said_and_reset),
        cmocka_unit_test(files_are_taken_once_they_rest),
        WITH_VIEWER(space_shows_the_source_while_held),
        WITH_VIEWER(any_two_results_are_compared),
        WITH_VIEWER(labels_tell_files_apart),
        WITH_VIEWER(what_has_no_name_is_left_out_of_labels),
        WITH_VIEWER(sides_have_halves),
        WITH_VIEWER(the_stack_is_edited),
        WITH_VIEWER(edits_are_undone),
        WITH_VIEWER(edits_are_called_what_they_are),
        cmocka_unit_test(the_list_of_edits_has_the_current_one),
        WITH_VIEWER(a_drag_is_one_edit),
        WITH_VIEWER(a_drag_of_several_parameters_is_one_edit),
        WITH_VIEWER(a_rectangle_is_dragged_on_what_it_is_cut_from),
        WITH_VIEWER(a_filter_that_cannot_be_set_aside_stays),
        WITH_VIEWER(angles_places_and_corners_are_dragged),
        WITH_VIEWER(texts_are_set),
        WITH_VIEWER(postponed_requests_are_carried_out_later),
        WITH_VIEWER(postponed_requests_are_undone_one_by_one),
        WITH_VIEWER(what_is_opened_is_seen),
        WITH_VIEWER(no_action_is_silent),
        WITH_VIEWER(a_split_lies_where_it_can_be_taken),
        WITH_VIEWER(letters_mean_other_things_in_scenes),
        WITH_VIEWER(command_line_is_quoted_for_a_shell),
        WITH_VIEWER(floats_are_saved_as_floats),
        WITH_VIEWER(cameras_are_written_as_people_write_them),
        WITH_VIEWER(a_trace_has_what_happened_and_no_more),
        WITH_VIEWER(script_runs_line_by_line),
        WITH_VIEWER(script_names_the_line_that_fails),
        cmocka_unit_test(nothing_open_is_not_a_crash),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
