/* test_task_worker.c: tasks end once, with their status and sentence, and a sleeping thread is told, by a byte that
 * nobody finds later. */
#include "app/view/window/worker.h"
#include "core/base/timing.h"

#include <poll.h>

#include "tests/check.h"

static Status do_nothing(Viewer *viewer, void *count) {
    (void)viewer;
    ++*(int *)count;
    return STATUS_OK;
}

static Status take_long(Viewer *viewer, void *count) {
    (void)viewer;
    poll(NULL, 0, 20);
    ++*(int *)count;
    return STATUS_OK;
}

static Status go_wrong(Viewer *viewer, void *unused) {
    (void)viewer;
    (void)unused;
    return (fail)(STATUS_INPUT, "the task went wrong");
}

/* Whether its descriptor is readable within this time. */
static bool tells(const Worker *worker, int ms) {
    struct pollfd end = {worker_descriptor(worker), POLLIN, 0};
    return poll(&end, 1, ms) == 1;
}

static int open_worker(void **state) {
    Worker *worker;
    const Status status = worker_create(&worker);
    *state = worker;
    return status == STATUS_OK ? 0 : -1;
}

static int close_worker(void **state) {
    Worker *worker = *state;
    worker_destroy(&worker);
    return 0;
}

static void who_sleeps_is_told(void **state) {
    Worker *worker = *state;
    Status status = STATUS_DEVICE;
    int count = 0;
    for (int i = 1; i <= 3; i++) {
        worker_begin(worker, NULL, take_long, &count);
        assert_false(worker_end(worker, 0, &status));
        assert_true(tells(worker, 10000));
        assert_true(worker_end(worker, 0, &status));
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(count, i);
        assert_false(tells(worker, 0));
    }
}

static void who_does_not_listen_is_not(void **state) {
    Worker *worker = *state;
    Status status = STATUS_DEVICE;
    int count = 0;
    worker_begin(worker, NULL, do_nothing, &count);
    assert_false(tells(worker, 50));
    assert_true(worker_end(worker, -1, &status));
    assert_int_equal(count, 1);
    assert_false(tells(worker, 0));
}

static void no_byte_is_left(void **state) {
    Worker *worker = *state;
    Status status = STATUS_DEVICE;
    int count = 0;
    for (int i = 0; i < 20000; i++) { /* more than a pipe holds, if each left one, at all moments of waiting */
        worker_begin(worker, NULL, do_nothing, &count);
        if (i % 3 == 0)
            worker_rouse(worker);
        const double wait = i % 4 == 0 ? 0 : i % 4 == 1 ? 0.005 : i % 4 == 2 ? 5 : -1;
        if (i % 5 == 0)
            worker_await(worker);
        while (!worker_end(worker, wait, &status))
            continue;
        worker_rouse(worker);
    }
    assert_int_equal(count, 20000);
    assert_false(tells(worker, 20));
}

static void what_went_wrong_is_said_here(void **state) {
    Worker *worker = *state;
    Status status = STATUS_OK;
    worker_begin(worker, NULL, go_wrong, NULL);
    assert_true(worker_end(worker, -1, &status));
    assert_int_equal(status, STATUS_INPUT);
    assert_string_equal(status_message(), "the task went wrong");
    assert_true(worker_busy_ms(worker) <= 0);
}

static void a_task_under_way_is_waited_for(void **state) {
    Worker *worker;
    int count = 0;
    (void)state;
    assert_int_equal(worker_create(&worker), STATUS_OK);
    worker_begin(worker, NULL, take_long, &count);
    worker_destroy(&worker);
    assert_int_equal(count, 1);
    assert_null(worker);
    worker_destroy(&worker);
    worker_await(worker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_sleeps_is_told, open_worker, close_worker),
        cmocka_unit_test_setup_teardown(who_does_not_listen_is_not, open_worker, close_worker),
        cmocka_unit_test_setup_teardown(no_byte_is_left, open_worker, close_worker),
        cmocka_unit_test_setup_teardown(what_went_wrong_is_said_here, open_worker, close_worker),
        cmocka_unit_test(a_task_under_way_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
