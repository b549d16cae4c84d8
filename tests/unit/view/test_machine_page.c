/* test_machine_page.c: the page of a device's costs: measured while it is open, a little at a time. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"
#include "core/base/stop.h"

#include "tests/check.h"

#include <string.h>

static int measured; /* figures */

static Status measure(Queue *queue, double x, size_t series, double *y) {
    (void)series;
    if (queue_stops(queue))
        return (fail)(STATUS_INTERRUPTED, "stopped");
    measured++;
    *y = x;
    return x > 3 ? (fail)(STATUS_DEVICE, "no room for 4") : STATUS_OK;
}

static const Experiment few = {
    .name = "few",
    .title = "Few",
    .idea = "",
    .advice = "",
    .x = {"things", "words", false},
    .y = {"time", "ns", false},
    .series = {"one"},
    .points = {1, 2, 4},
    .measure = measure,
};
static const Experiment *const list[] = {&few, &few};
static const Experiments experiments = {list, 2};
static Backend backend; /* the CPU's, with these experiments */
static const Backend *cpu;

static int open_viewer(void **state) {
    Device *device;
    Viewer *viewer;
    const char *passed_over;
    REQUIRE(backend_open("cpu", 0, 1, &device, &passed_over));
    REQUIRE(viewer_create(device, 0, "", "best", (PlanOptions){.border = {BORDER_CLAMP, 0}}, &viewer));
    REQUIRE(viewer_open_scene(viewer, "spheres=count=3"));
    viewer_resize(viewer, 64, 48);
    REQUIRE(viewer_finish(viewer));
    cpu = device->backend;
    backend = *cpu;
    backend.experiments = &experiments;
    viewer->session->device->backend = &backend;
    measured = 0;
    *state = viewer;
    return 0;
}

static int close_viewer(void **state) {
    Viewer *viewer = *state;
    viewer->session->device->backend = cpu;
    viewer_destroy(&viewer);
    return 0;
}

static void nothing_is_measured_while_it_is_closed(void **state) {
    Viewer *viewer = *state;
    REQUIRE(viewer_finish(viewer));
    assert_int_equal(measured, 0);
    assert_null(machine_page_curves(viewer));
}

static void each_opening_measures_once(void **state) {
    Viewer *viewer = *state;
    REQUIRE(action_command(viewer, "machine", true));
    assert_true(machine_page_open(viewer) && viewer_has_page(viewer) && machine_page_tool.due(viewer_session(viewer)));
    assert_true(viewer_waits_ms(viewer) >= 0);
    for (int i = 0; i < 2; i++) /* of each experiment one figure fails, which is left out */
        assert_int_equal(machine_page_tool.measure(viewer_session(viewer)), STATUS_DEVICE);
    assert_int_equal(measured, 6);
    assert_false(machine_page_tool.due(viewer_session(viewer)));
    const Curves *curves = machine_page_curves(viewer);
    assert_non_null(curves);
    assert_true(curve_has(&curves->curves[0], 0, 1) && !curve_has(&curves->curves[0], 0, 2));
    REQUIRE(action_command(viewer, "machine", true)); /* closed, and opened again */
    REQUIRE(action_command(viewer, "machine", true));
    assert_true(machine_page_tool.due(viewer_session(viewer)));
    (void)machine_page_tool.measure(viewer_session(viewer));
    assert_int_equal(measured, 9);
}

static void another_device_has_curves_of_its_own(void **state) {
    Viewer *viewer = *state;
    REQUIRE(action_command(viewer, "machine", true));
    (void)machine_page_tool.measure(viewer_session(viewer));
    (void)machine_page_tool.measure(viewer_session(viewer));
    Device other = *viewer->session->device, *own = viewer->session->device;
    viewer->session->device = &other;
    assert_null(machine_page_curves(viewer));
    assert_true(machine_page_tool.due(viewer_session(viewer)));
    viewer->session->device = own;
    assert_non_null(machine_page_curves(viewer));
}

static void what_is_stopped_is_due_again(void **state) {
    Viewer *viewer = *state;
    Stop stop = {.asked = true};
    Queue *queue = pipeline_queue(viewer->session->pipeline);
    const Stop *before = queue->stop;
    REQUIRE(action_command(viewer, "machine", true));
    queue->stop = &stop;
    assert_int_equal(machine_page_tool.measure(viewer_session(viewer)), STATUS_INTERRUPTED);
    queue->stop = before;
    assert_int_equal(measured, 0);
    assert_true(machine_page_tool.due(viewer_session(viewer)));
}

static void escape_closes_it(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "F2", true), STATUS_OK);
    assert_true(machine_page_open(viewer));
    assert_int_equal(action_press(viewer, "PageDown", true), STATUS_OK); /* scrolls */
    assert_true(viewer->scroll > 0);
    assert_int_equal(action_press(viewer, "esc", true), STATUS_OK);
    assert_false(machine_page_open(viewer) || viewer->requests->quit);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_measured_while_it_is_closed, open_viewer, close_viewer),
        cmocka_unit_test_setup_teardown(each_opening_measures_once, open_viewer, close_viewer),
        cmocka_unit_test_setup_teardown(another_device_has_curves_of_its_own, open_viewer, close_viewer),
        cmocka_unit_test_setup_teardown(what_is_stopped_is_due_again, open_viewer, close_viewer),
        cmocka_unit_test_setup_teardown(escape_closes_it, open_viewer, close_viewer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
