/* test_viewer_edits.c: the stack of filters, undo, and handles on the picture. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"

#include "tests/unit/view/fixture.h"

/* ---- the stack, and undo ---- */

static void assert_chain(const Viewer *viewer, const char *text) {
    char chain[256];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, text);
    chain_format(viewer->session->chain, chain, sizeof chain);
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
    const char *const words[] = {"Invert off", "Border mirror", "Level naive"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(viewer->edits.list[last - 2 + i].words, words[i]);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_string_equal(viewer->toast.text, "Undo: Level naive");
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
        {"gaussian=4,invert", "Other filters"},
        {"gaussian=4,box=3,invert", "Add Box"},
        {"gaussian=4,invert", "Remove Box"},
        {"invert,gaussian=4", "Other order"},
        {"invert,gaussian=5", "Gaussian Sigma 4 → 5"},
        {"invert,box=3", "Box for Gaussian"},
        {"invert,box=3:within=3x2+1+1", "Box within 3x2+1+1"},
        {"invert,box=3", "Box everywhere"},
        {"median,sharpen", "Other filters"},
        {"median=3,sharpen", "Median Radius 1 → 3"},
        {"median=2,sharpen=2", "Values of several filters"},
        {"median=2,nlmeans=0.05", "Noise for Sharpen 3×3"},
        {"median=2,nlmeans=0.02", "Noise Amount 0.05 → 0.02"},
        {"grayscale", "Other filters"},
        {"", "Remove Grayscale"},
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
    assert_string_equal(viewer->edits.list[before].words, "Crop Width, Left");
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
    assert_true(handles_press(viewer, from_x, from_y, false));
    assert_int_equal(handles_drag(viewer, (from_x + to_x) / 2, (from_y + to_y) / 2), STATUS_OK);
    assert_int_equal(handles_drag(viewer, to_x, to_y), STATUS_OK);
}

/* By hand: 40 of 61 columns are 65.5738 percent, 45 are 73.7705, 5 are 8.1967. 30, 33 and 3 of 47 rows are 63.8298,
 * 70.2128 and 6.383. */
static void a_rectangle_of_shares_stays_one(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "crop=100:100:0:0:percent", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    drag_pixels(viewer, WIDTH - 0.5, HEIGHT - 0.5, -21, -17);
    assert_chain(viewer, "crop=65.5738:63.8298:0:0:percent");
    drag_pixels(viewer, 20, 20, 5, 3);
    assert_chain(viewer, "crop=65.5738:63.8298:8.1967:6.383:percent");
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
    assert_true(handles_follow(viewer) && handles_view(viewer).in.width == WIDTH &&
                handles_view(viewer).in.height == HEIGHT);
    drag_pixels(viewer, 24.5, 12.5, 4, -2); /* the corner at the bottom right, between pixels */
    assert_chain(viewer, "invert,crop=24:8:5:3,resize=30:15");
    drag_pixels(viewer, 15, 5, -3, 0);
    assert_chain(viewer, "invert,crop=24:8:2:3,resize=30:15");
    drag_pixels(viewer, 1.5, 7, 3, 0);
    assert_chain(viewer, "invert,crop=21:8:5:3,resize=30:15");
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(handles_on(viewer), true);
    assert_int_equal(viewer_save_result(viewer, "part.png", true), STATUS_OK);
    assert_int_equal(viewer->request->set_aside, 0);
    assert_false(handles_on(viewer));
    assert_int_equal(codec_load("part.png", &saved), STATUS_OK);
    assert_int_equal(saved->view.shape.width, 30);
    image_destroy(&saved);
    assert_int_equal(unlink("part.png"), 0);
}

/* The chain behind does not run: neither while the rectangle moves, nor where a crop is added with its handles. */
static void a_filter_that_is_set_aside_makes_no_job(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "crop=100:100:0:0:percent,invert,~gaussian=1", FALLBACK_NONE), STATUS_OK);
    viewer->selected = 0;
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const unsigned job = viewer->session->job_serial, result = viewer->session->result_serial;
    drag_pixels(viewer, WIDTH - 0.5, HEIGHT - 0.5, -21, -17);
    assert_int_equal(viewer_set_values(viewer, 2, "sigma=3"), STATUS_OK); /* of a filter that is off */
    assert_chain(viewer, "crop=65.5738:63.8298:0:0:percent,invert,~gaussian=3");
    assert_false(viewer->session->stale);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(viewer->session->job_serial, job);
    assert_int_equal(viewer->session->result_serial, result);
    assert_true(tools_close(viewer, false));
    assert_false(handles_follow(viewer));
    assert_true(viewer->session->stale);
    assert_int_equal(viewer_shown_shape(viewer).width, 40);
}

/* A crop begins as all of the picture, with its handles and without a run. By hand: 60 x 40 from (1, 4) is the largest
 * 3:2 in the middle of 61 x 47. 40 x 27 is as wide as the pointer asks. 27 x 40 has about the same area and middle, as
 * far as there is room. Edges in percent are 1/61, 61/61, 4/47, 44/47, ... */
static void a_crop_keeps_its_ratio(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const unsigned job = viewer->session->job_serial;
    assert_int_equal(handles_crop(viewer), STATUS_OK);
    assert_true(handles_cropping(viewer) && handles_follow(viewer));
    assert_chain(viewer, "gaussian=1,crop=100:100:0:0:percent");
    assert_int_equal(handles_set_ratio(viewer, 1.5), STATUS_OK);
    assert_chain(viewer, "gaussian=1,crop=98.3607:85.1064:1.6393:8.5106:percent:1.5");
    drag_pixels(viewer, 60.5, 43.5, -20, -10);
    assert_chain(viewer, "gaussian=1,crop=65.5738:57.4468:1.6393:8.5106:percent:1.5");
    assert_string_equal(tools_action(viewer, "X"), "flip-crop");
    assert_int_equal(action_press(viewer, "x", true), STATUS_OK);
    assert_chain(viewer, "gaussian=1,crop=44.2622:85.1064:13.1148:0:percent:0.666666666667");
    assert_int_equal(viewer->session->job_serial, job);
    assert_false(viewer->session->stale);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_false(handles_cropping(viewer) || viewer->typing);
    assert_null(tools_action(viewer, "x"));
    const Shape part = viewer_shown_shape(viewer); /* nothing is trimmed from it */
    assert_true(part.width == 27 && part.height == 40);
    assert_int_equal(handles_crop(viewer), STATUS_OK); /* the same again */
    assert_int_equal(viewer->request->chain->count, 2);
    assert_int_equal(action_command(viewer, "crop-ratio free", true), STATUS_OK);
    assert_chain(viewer, "gaussian=1,crop=44.2622:85.1064:13.1148:0:percent");
    assert_int_equal(action_command(viewer, "crop-ratio original", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "crop-ratio 5:4", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "crop-ratio 3:0", true), STATUS_USAGE);
    assert_int_equal(action_command(viewer, "crop-ratio wide", true), STATUS_USAGE);
    viewer->selected = 0;
    assert_int_equal(handles_set_ratio(viewer, 1), STATUS_USAGE); /* of gaussian */
}

/* The picture fills the area's width or height, and its handles would be cut by the window's edge. With them it leaves
 * 16 pixels, more than the 12 around a handle that take a press; without them it is as large as before. */
static void handles_lie_within_the_window(void **state) {
    Viewer *viewer = *state;
    Handle handles[HANDLES_MAX];
    const Viewport before = viewer_viewport(viewer);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(handles_crop(viewer), STATUS_OK);
    assert_true(handles_follow(viewer));
    assert_int_equal(handles_list(viewer, handles), HANDLES_MAX);
    const Area area = viewer->area;
    for (int i = 0; i < HANDLES_MAX; i++) {
        assert_true(handles[i].x - area.x >= 15 && area.x + area.width - handles[i].x >= 15);
        assert_true(handles[i].y - area.y >= 15 && area.y + area.height - handles[i].y >= 15);
    }
    assert_true(viewer_viewport(viewer).scale < before.scale);
    assert_int_equal(handles_crop(viewer), STATUS_OK);
    assert_float_equal(viewer_viewport(viewer).scale, before.scale, 0);
}

/* Shift at a corner keeps the ratio of that moment: 30 x 20 to 45 x 30. */
static void shift_locks_the_ratio(void **state) {
    Viewer *viewer = *state;
    double from_x, from_y, to_x, to_y;
    assert_int_equal(viewer_set_chain(viewer, "crop=30:20:5:5", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    handles_place(viewer, 34.5, 24.5, &from_x, &from_y);
    handles_place(viewer, 49.5, 26.5, &to_x, &to_y);
    const ToolEvent press = {.kind = TOOL_PRESS, .shift = true, .x = from_x, .y = from_y};
    const ToolEvent move = {.kind = TOOL_MOVE, .x = to_x, .y = to_y};
    assert_ptr_equal(tools_take(viewer, &press), &handles_tool);
    assert_true(handles_tool.event(viewer, &move));
    assert_chain(viewer, "crop=45:30:5:5");
    handles_place(viewer, 20, 15, &from_x, &from_y);
    const ToolEvent inside = {.kind = TOOL_PRESS, .shift = true, .x = from_x, .y = from_y};
    assert_null(tools_take(viewer, &inside)); /* there a drag with Shift moves the picture */
}

/* Each takes drags of the picture: two at once would ask for two things. But straightening is a step of cropping. */
static void one_tool_of_drags_is_open(void **state) {
    Viewer *viewer = *state;
    REQUIRE(straighten_toggle(viewer));
    REQUIRE(handles_crop(viewer));
    assert_true(handles_on(viewer) && !straighten_on(viewer));
    REQUIRE(straighten_toggle(viewer));
    assert_true(handles_on(viewer) && straighten_on(viewer));
    REQUIRE(perspective_toggle(viewer));
    assert_true(perspective_on(viewer) && !handles_on(viewer) && !straighten_on(viewer));
    REQUIRE(handles_crop(viewer));
    assert_true(handles_on(viewer) && !perspective_on(viewer));
    REQUIRE(handles_toggle(viewer));
    REQUIRE(viewer_set_chain(viewer, "invert", FALLBACK_NONE));
    REQUIRE(straighten_toggle(viewer));
    REQUIRE(brush_toggle(viewer));
    assert_true(brush_on(viewer) && !straighten_on(viewer));
}

static void draw_line(Viewer *viewer, double x, double y, double to_x, double to_y) {
    const ToolEvent press = {.kind = TOOL_PRESS, .x = x, .y = y, .result_x = x};
    const ToolEvent move = {.kind = TOOL_MOVE, .x = to_x, .y = to_y, .result_x = to_x};
    assert_int_equal(straighten_toggle(viewer), STATUS_OK);
    assert_ptr_equal(tools_take(viewer, &press), &straighten_tool);
    assert_true(straighten_tool.event(viewer, &move));
    (void)tools_take(viewer, &(ToolEvent){.kind = TOOL_RELEASE});
}

/* Presses on the middle of pixels of the shown result. */
static void press_pixels(Viewer *viewer, const double (*pixels)[2], int count) {
    for (int i = 0; i < count; i++) {
        const Viewport at = viewer_viewport(viewer);
        const double x = at.x + (pixels[i][0] + 0.5) * at.scale, y = at.y + (pixels[i][1] + 0.5) * at.scale;
        const ToolEvent press = {.kind = TOOL_PRESS, .x = x, .y = y, .result_x = x};
        assert_ptr_equal(tools_take(viewer, &press), &perspective_tool);
    }
}

/* A drag on the shown result, from pixel to pixel, which the picker takes; from a pixel to itself, a click. */
static void pick_pixels(Viewer *viewer, const double from[2], const double to[2]) {
    const Viewport at = viewer_viewport(viewer);
    const double *const ends[] = {from, to};
    for (int i = 0; i < 2; i++) {
        const double x = at.x + (ends[i][0] + 0.5) * at.scale, y = at.y + (ends[i][1] + 0.5) * at.scale;
        const ToolEvent event = {.kind = i ? TOOL_MOVE : TOOL_PRESS, .x = x, .y = y, .result_x = x};
        assert_true(i > 0 || tools_take(viewer, &event) == &point_picker_tool);
        assert_true(i == 0 || point_picker_tool.event(viewer, &event));
    }
    (void)tools_take(viewer, &(ToolEvent){.kind = TOOL_RELEASE});
}

/* By hand: pixel 15 of 61 is a quarter of the way from the first to the last, pixel 23 of 47 half of it. */
static void a_click_makes_a_thing_gray(void **state) {
    static const double gray[2] = {15, 23}, other[2] = {30, 46}, beside[2] = {-3, 5};
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    REQUIRE(point_picker_white(viewer));
    pick_pixels(viewer, beside, beside);
    assert_true(point_picker_on_white(viewer));
    assert_chain(viewer, "gaussian=1");
    pick_pixels(viewer, gray, gray);
    assert_chain(viewer, "gaussian=1,whitebalance=at=25%x50%");
    assert_false(point_picker_on_white(viewer));
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    REQUIRE(viewer_insert_link(viewer, 2, "crop=30:40:5:5"));
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    REQUIRE(point_picker_white(viewer));
    pick_pixels(viewer, (const double[2]){other[0] - 5, other[1] - 5 - 2}, (const double[2]){25, 39});
    assert_chain(viewer, "gaussian=1,whitebalance=at=50%x95.6522%,crop=30:40:5:5");
}

/* By hand: the middle of pixel (30, 23) is half of both sides; (33, 27) is 5 pixels away, 8.197 percent of 61. Pixel
 * (6, 4) lies at 6.5 of 61 and 4.5 of 47. */
static void spots_are_healed_one_by_one(void **state) {
    static const double spot[2] = {30, 23}, rim[2] = {33, 27}, second[2] = {6, 4};
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    REQUIRE(point_picker_spots(viewer));
    pick_pixels(viewer, spot, rim);
    assert_chain(viewer, "gaussian=1,heal=50 50 8.197 0 0:yes");
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(point_picker_on_spots(viewer));
    pick_pixels(viewer, second, second); /* as large as the last */
    assert_chain(viewer, "gaussian=1,heal=50 50 8.197 0 0; 10.656 9.5745 8.197 0 0:yes");
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    REQUIRE(viewer_undo(viewer));
    assert_chain(viewer, "gaussian=1,heal=50 50 8.197 0 0:yes");
    assert_string_equal(tools_action(viewer, "Return"), "heal-spots");
    REQUIRE(straighten_toggle(viewer)); /* takes drags, too */
    assert_false(point_picker_on_spots(viewer));
}

/* By hand: 10.5 of 61 columns are 17.2131 percent, 5.5 of 47 rows 11.7021; the crop's part begins at (5, 5). */
static void four_corners_make_a_rectangle(void **state) {
    static const double places[4][2] = {{55, 44}, {10, 5}, {5, 40}, {50, 3}}; /* in any sequence */
    static const double dented[4][2] = {{5, 5}, {50, 5}, {20, 15}, {5, 40}};
    static const double within[4][2] = {{5, 0}, {25, 2}, {28, 18}, {0, 15}};
    Viewer *viewer = *state;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(perspective_toggle(viewer), STATUS_OK);
    press_pixels(viewer, dented, 4);
    assert_chain(viewer, "gaussian=1");
    assert_true(perspective_on(viewer));
    press_pixels(viewer, places, 3);
    assert_chain(viewer, "gaussian=1");
    press_pixels(viewer, places + 3, 1);
    assert_chain(viewer, "gaussian=1,perspective=17.2131 11.7021; 82.7869 7.4468; 90.9836 94.6809; 9.0164 86.1702");
    assert_false(perspective_on(viewer));
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Shape shown = viewer_shown_shape(viewer);
    assert_true(shown.width == 61 && shown.height == 47);
    assert_int_equal(perspective_toggle(viewer), STATUS_OK); /* it is there: handles on its corners */
    assert_false(perspective_on(viewer));
    assert_true(handles_follow(viewer));
    assert_int_equal(handles_kind(viewer), HANDLES_THING);
    const HandleValues values = handles_values(viewer);
    assert_float_equal(values.corners[2][0], 55, 1e-3);
    assert_float_equal(values.corners[2][1], 44, 1e-3);
    drag_pixels(viewer, 55, 44, 3, 1); /* 3 / 61 and 1 / 47 more */
    assert_chain(viewer, "gaussian=1,perspective=17.2131 11.7021; 82.7869 7.4468; 95.9016 96.8086; 9.0164 86.1702");
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_chain(viewer, "gaussian=1");
    assert_int_equal(viewer_set_chain(viewer, "crop=30:20:5:5", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(perspective_toggle(viewer), STATUS_OK);
    press_pixels(viewer, within, 4);
    assert_chain(viewer, "perspective=17.2131 11.7021; 50 15.9574; 54.918 50; 9.0164 43.617,crop=30:20:5:5");
}

/* By hand: atan(10 / 200) is 2.8624 degrees. */
static void a_line_becomes_level(void **state) {
    Viewer *viewer = *state;
    assert_true(fabs(straighten_angle(200, 10) + 2.8624) < 1e-4);
    assert_true(fabs(straighten_angle(-200, -10) + 2.8624) < 1e-4);
    assert_true(fabs(straighten_angle(10, 200) - 2.8624) < 1e-4);
    draw_line(viewer, 200, 200, 400, 210);
    assert_false(straighten_on(viewer));
    assert_chain(viewer, "gaussian=1,rotate=-2.86:inside");
    draw_line(viewer, 200, 200, 400, 190); /* more of the same filter */
    assert_chain(viewer, "gaussian=1,rotate=0:inside");
    assert_int_equal(viewer_set_chain(viewer, "gaussian=1,crop=50:50:25:25:percent", FALLBACK_NONE), STATUS_OK);
    draw_line(viewer, 200, 200, 400, 210);
    assert_chain(viewer, "gaussian=1,rotate=-2.86:inside,crop=50:50:25:25:percent");
    assert_int_equal(viewer_selected(viewer), 2);
    assert_int_equal(viewer_set_chain(viewer, "rotate=1,flip", FALLBACK_NONE), STATUS_OK); /* seen in a mirror */
    draw_line(viewer, 200, 200, 400, 210);
    assert_chain(viewer, "rotate=3.86:inside,flip");
    draw_line(viewer, 200, 200, 203, 200); /* a click */
    assert_true(straighten_on(viewer));
    assert_true(tools_close(viewer, false));
    assert_false(straighten_on(viewer));
    assert_chain(viewer, "rotate=3.86:inside,flip");
}

static void a_turn_that_straightens_lies_about_a_quarter(void **state) {
    static const struct {
        const char *chain;
        double min, max;
    } rows[] = {{"rotate=0:inside", -45, 45}, {"rotate=92:inside", 45, 135}, {"rotate=0", -360, 360}};
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(viewer_set_chain(viewer, rows[i].chain, FALLBACK_NONE), STATUS_OK);
        const Param *degrees = viewer->request->chain->links[0].filter->table.params;
        const Param fitted = viewer_param(viewer, 0, degrees);
        assert_true(near(fitted.min, rows[i].min) && near(fitted.max, rows[i].max));
    }
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
    assert_false(handles_on(viewer) || viewer->asks);
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
    assert_true(handles_press(viewer, handles[0].x, handles[0].y, false));
    assert_int_equal(handles_drag(viewer, middle_x + radius / 2, middle_y - sqrt(0.75) * radius), STATUS_OK);
    assert_chain(viewer, "rotate=30:keep");
    assert_int_equal(handles_drag(viewer, handles[0].x + 1e-3, handles[0].y), STATUS_OK);
    assert_int_equal(handles_drag(viewer, handles[0].x - 1e-3, handles[0].y), STATUS_OK);
    assert_chain(viewer, "rotate=0:keep"); /* not -0 */
    assert_int_equal(viewer_set_chain(viewer, "motion=10:90", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(handles_view(viewer).of_job, viewer->session->job_serial); /* before any draw asks */
    assert_true(handles_follow(viewer));
    handles_list(viewer, handles);
    assert_true(handles_press(viewer, handles[0].x, handles[0].y, false));
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
    assert_true(tools_close(viewer, false));
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
    assert_string_equal(viewer->edits.list[before].words, "Blend File");
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
    assert_int_equal(viewer->session->request->options.border.mode, BORDER_MIRROR);
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

/* The latest request, the session's and that of an edit are one: an undone one comes back as it was made. */
static void requests_are_shared(void **state) {
    Viewer *viewer = *state;
    const Request *first = viewer->edits.list[viewer->edits.at].request;
    assert_ptr_equal(viewer->request, first);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=4", FALLBACK_NONE), STATUS_OK);
    const Request *second = viewer->request;
    assert_ptr_not_equal(second, first);
    assert_ptr_equal(viewer->session->request, second);
    assert_ptr_equal(viewer->edits.list[viewer->edits.at].request, second);
    assert_int_equal(viewer_set_border(viewer, (Border){BORDER_MIRROR, 0}, FALLBACK_NONE), STATUS_OK);
    assert_ptr_equal(viewer->request->chain, second->chain);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_ptr_equal(viewer->session->request, second);
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_ptr_equal(viewer->session->request, first);
    assert_int_equal(viewer_redo(viewer), STATUS_OK);
    assert_ptr_equal(viewer->session->request, second);
    assert_int_equal(viewer_set_level(viewer, "fastest"), STATUS_USAGE);
    assert_ptr_equal(viewer->session->request, second);
    assert_ptr_equal(viewer->request, second);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(the_stack_is_edited),
        WITH_VIEWER(edits_are_undone),
        WITH_VIEWER(edits_are_called_what_they_are),
        cmocka_unit_test(the_list_of_edits_has_the_current_one),
        WITH_VIEWER(a_drag_is_one_edit),
        WITH_VIEWER(a_drag_of_several_parameters_is_one_edit),
        WITH_VIEWER(a_rectangle_is_dragged_on_what_it_is_cut_from),
        WITH_VIEWER(a_rectangle_of_shares_stays_one),
        WITH_VIEWER(a_filter_that_is_set_aside_makes_no_job),
        WITH_VIEWER(a_crop_keeps_its_ratio),
        WITH_VIEWER(handles_lie_within_the_window),
        WITH_VIEWER(shift_locks_the_ratio),
        WITH_VIEWER(one_tool_of_drags_is_open),
        WITH_VIEWER(a_line_becomes_level),
        WITH_VIEWER(four_corners_make_a_rectangle),
        WITH_VIEWER(a_click_makes_a_thing_gray),
        WITH_VIEWER(spots_are_healed_one_by_one),
        WITH_VIEWER(a_turn_that_straightens_lies_about_a_quarter),
        WITH_VIEWER(a_filter_that_cannot_be_set_aside_stays),
        WITH_VIEWER(angles_places_and_corners_are_dragged),
        WITH_VIEWER(texts_are_set),
        WITH_VIEWER(postponed_requests_are_carried_out_later),
        WITH_VIEWER(postponed_requests_are_undone_one_by_one),
        WITH_VIEWER(requests_are_shared),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
