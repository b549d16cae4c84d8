/* test_viewer_routes.c: ways of results into the window, by a backend that has them as a GPU does. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "core/ops/convolve.h"

#include "tests/unit/view/fixture.h"

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
    Request values = viewer_request(viewer);
    snprintf(values.backend, sizeof values.backend, "%s", fake_backend.name);
    request_release(&viewer->request);
    assert_int_equal(request_make(&values, &viewer->request), STATUS_OK);
    request_replace(&viewer->session->request, viewer->request);
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
    viewer->mode = MODE_SPEED;
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
    viewer->mode = MODE_SPEED;
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

#define WITH_ROUTES(test) cmocka_unit_test_setup_teardown(test, open_routed, close_viewer)

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
