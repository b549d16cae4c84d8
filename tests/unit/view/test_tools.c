/* test_tools.c: the mouse's events among the window's tools: the order in which they are offered, and who takes them.
 */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"

#include "tests/unit/view/fixture.h"

/* At a place of the picture. */
static ToolEvent event_at(const Viewer *viewer, ToolEventKind kind, double x, double y) {
    const Viewport at = viewer_viewport(viewer);
    return (ToolEvent){
        .kind = kind, .x = at.x + x * at.scale, .y = at.y + y * at.scale, .result_x = at.x + x * at.scale};
}

static const ToolKind *press(Viewer *viewer, MouseButton button, bool shift, bool ctrl) {
    ToolEvent event = event_at(viewer, TOOL_PRESS, 10.5, 12.5);
    event.button = button;
    event.shift = shift;
    event.ctrl = ctrl;
    return tools_take(viewer, &event);
}

static const ToolKind *tell(Viewer *viewer, ToolEventKind kind) {
    return tools_take(viewer, &(ToolEvent){.kind = kind});
}

/* Ctrl marks a part even while the brush is on. */
static void the_first_tool_takes_a_press(void **state) {
    Viewer *viewer = *state;
    assert_null(press(viewer, MOUSE_LEFT, false, false));
    assert_ptr_equal(press(viewer, MOUSE_LEFT, false, true), &histogram_tool);
    assert_null(press(viewer, MOUSE_RIGHT, false, true));
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    assert_ptr_equal(press(viewer, MOUSE_LEFT, false, true), &histogram_tool);
    assert_ptr_equal(press(viewer, MOUSE_LEFT, true, false), &brush_tool);
    assert_true(brush_view(viewer).erases);
    assert_ptr_equal(press(viewer, MOUSE_LEFT, false, false), &brush_tool);
    assert_false(brush_view(viewer).erases);
    assert_null(tell(viewer, TOOL_RELEASE));
    assert_true(viewer_asks(viewer)); /* the stroke counts */
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
}

static void handles_take_what_they_are_under(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "crop=x=5:y=6:width=20:height=20", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(handles_toggle(viewer), STATUS_OK);
    assert_null(press(viewer, MOUSE_LEFT, true, false));
    assert_null(press(viewer, MOUSE_RIGHT, false, false));
    assert_ptr_equal(press(viewer, MOUSE_LEFT, false, false), &handles_tool); /* within the rectangle */
    const ToolEvent move = event_at(viewer, TOOL_MOVE, 13.5, 10.5);
    assert_true(handles_tool.event(viewer, &move));
    const HandleValues values = handles_values(viewer);
    assert_true(near(values.rectangle.x, 8) && near(values.rectangle.y, 4));
}

/* The column opens when the button is let go: before, the picture would move beneath the pointer. Another button ends
 * the marking. */
static void a_marked_part_opens_the_histogram(void **state) {
    Viewer *viewer = *state;
    const HistogramChoices *choices = histogram_choices(viewer);
    const ToolEvent move = event_at(viewer, TOOL_MOVE, 20.5, 30.5);
    assert_ptr_equal(press(viewer, MOUSE_LEFT, false, true), &histogram_tool);
    assert_true(histogram_tool.event(viewer, &move));
    assert_true(choices->part.x == 10 && choices->part.y == 12 && choices->part.width == 11);
    assert_int_equal(choices->part.height, 19);
    assert_false(choices->open);
    assert_null(tell(viewer, TOOL_DOWN));
    assert_null(tell(viewer, TOOL_RELEASE));
    assert_false(choices->open);
    assert_ptr_equal(press(viewer, MOUSE_LEFT, false, true), &histogram_tool);
    assert_int_equal(choices->part.width, 0);
    assert_null(tell(viewer, TOOL_RELEASE));
    assert_true(choices->open);
}

/* By hand: the crop's part begins at (5, 7), and its first 10 x 9 pixels are those from there on. A flip takes them to
 * the other end of 61 columns. */
static void the_histogram_of_the_original_is_of_the_same_place(void **state) {
    static const struct {
        const char *chain;
        size_t x, y;
    } rows[] = {{"crop=30:20:5:7", 5, 7}, {"flip", 51, 0}, {"invert", 0, 0}};
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(viewer_set_chain(viewer, rows[i].chain, FALLBACK_NONE), STATUS_OK);
        assert_int_equal(viewer_finish(viewer), STATUS_OK);
        histogram_choose(viewer, (HistogramChoices){.open = true, .before = true, .part = {0, 0, 10, 9}});
        assert_int_equal(viewer_finish(viewer), STATUS_OK);
        while (histogram_tool.due(viewer->session))
            assert_int_equal(histogram_tool.measure(viewer->session), STATUS_OK);
        const Counted *counted = &viewer->session->counted;
        const ImageView picture = session_picture(viewer->session)->view;
        double sum = 0;
        assert_true(counted->known && counted->shape.width == 10 && counted->shape.height == 9);
        for (size_t k = 0; k < 90; k++)
            sum += view_value(picture, rows[i].x + k % 10, rows[i].y + k / 10, 0);
        assert_float_equal(counted->stats[0].mean, sum / 90, 1e-6);
    }
}

/* A step of the wheel makes the brush a quarter wider; without Ctrl, or without the brush, the wheel zooms. */
static void the_wheel_widens_the_brush(void **state) {
    Viewer *viewer = *state;
    const ToolEvent zoom = {.kind = TOOL_WHEEL, .direction = 1},
                    widen = {.kind = TOOL_WHEEL, .ctrl = true, .direction = 1};
    assert_null(tools_take(viewer, &widen));
    assert_int_equal(brush_toggle(viewer), STATUS_OK);
    const double radius = brush_view(viewer).radius;
    assert_null(tools_take(viewer, &zoom));
    assert_ptr_equal(tools_take(viewer, &widen), &brush_tool);
    assert_true(near(brush_view(viewer).radius, 1.25 * radius));
}

static void a_click_freezes_the_pixel(void **state) {
    Viewer *viewer = *state;
    const InspectorView *inspector = inspector_view(viewer);
    const ToolEvent click = event_at(viewer, TOOL_CLICK, 20.5, 30.5);
    assert_null(tools_take(viewer, &click));
    inspector_toggle(viewer);
    assert_ptr_equal(tools_take(viewer, &click), &inspector_tool);
    assert_true(inspector->frozen && inspector->x == 20 && inspector->y == 30);
    assert_ptr_equal(tools_take(viewer, &click), &inspector_tool);
    assert_false(inspector->frozen);
}

/* With inertia; a button that goes down anywhere ends it. */
static void a_flung_camera_goes_on(void **state) {
    Viewer *viewer = *state;
    const ToolEvent fling = {.kind = TOOL_FLING, .dx = 100, .dy = 50};
    assert_int_equal(viewer_open_scene(viewer, "cloud=10"), STATUS_OK);
    assert_int_equal(viewer_switch_camera(viewer), STATUS_OK); /* to perspective */
    assert_ptr_equal(tools_take(viewer, &fling), &walk_tool);
    assert_false(tools_move(viewer));
    walk_toggle_inertia(viewer);
    assert_ptr_equal(tools_take(viewer, &fling), &walk_tool);
    assert_true(tools_move(viewer));
    const float before = viewer->request->orbit_camera.camera.from.x;
    tools_go_on(viewer, walk_from(viewer) + 20);
    assert_true(fabsf(viewer->request->orbit_camera.camera.from.x - before) > 0);
    assert_null(tell(viewer, TOOL_DOWN));
    assert_false(tools_move(viewer));
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(the_first_tool_takes_a_press),
        WITH_VIEWER(handles_take_what_they_are_under),
        WITH_VIEWER(a_marked_part_opens_the_histogram),
        WITH_VIEWER(the_histogram_of_the_original_is_of_the_same_place),
        WITH_VIEWER(the_wheel_widens_the_brush),
        WITH_VIEWER(a_click_freezes_the_pixel),
        WITH_VIEWER(a_flung_camera_goes_on),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
