/* test_partial.c: parts of a result that are seen while it is made: tiles from the middle outward. */
#include "core/base/stop.h"
#include "core/device/partial.h"
#include "cpu/backend.h"
#include "cpu/team.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

enum { WIDTH = 100, HEIGHT = 60, COLUMNS = 16, ROWS = 8, TILES = 7 * 8 };

/* The tiles that were made, one after the other. */
typedef struct Seen {
    size_t x[TILES], y[TILES];
    atomic_size_t count;
    Partial *partial;
    Stop *stop;
    size_t stop_after;
} Seen;

static void note(const void *job, size_t x, size_t y, void *scratch) {
    Seen *seen = *(Seen *const *)job;
    const size_t i = atomic_fetch_add(&seen->count, 1);
    (void)scratch;
    seen->x[i] = x;
    seen->y[i] = y;
    if (i + 1 == seen->stop_after)
        atomic_store(&seen->stop->asked, true);
}

static void note_row(const void *job, size_t y) {
    note(job, 0, y, NULL);
}

typedef struct Fixture {
    Device *device;
    Queue *queue;
    Partial partial;
    Stop stop;
    Seen seen, *at;
} Fixture;

static void begin(Fixture *made, int threads, double x, double y) {
    memset(made, 0, sizeof *made);
    REQUIRE(cpu_backend.open(0, threads, &made->device));
    REQUIRE(queue_open(made->device, &made->queue));
    made->partial.x = x;
    made->partial.y = y;
    made->queue->partial = &made->partial;
    made->queue->stop = &made->stop;
    made->seen.partial = &made->partial;
    made->seen.stop = &made->stop;
    made->at = &made->seen;
    partial_begin(&made->partial, (Frame){.shape = {WIDTH, HEIGHT, 1, PIXEL_U8}});
}

static void share(Fixture *made) {
    cpu_share_tiles(made->queue, &(TeamTiles){WIDTH, HEIGHT, COLUMNS, ROWS, NULL, 0}, note, &made->at);
}

static void end(Fixture *made) {
    queue_close(&made->queue);
    device_close(&made->device);
}

static double from_middle(const Fixture *made, size_t i) {
    const double width = made->seen.x[i] + COLUMNS < WIDTH ? COLUMNS : WIDTH - (double)made->seen.x[i];
    const double height = made->seen.y[i] + ROWS < HEIGHT ? ROWS : HEIGHT - (double)made->seen.y[i];
    return hypot((double)made->seen.x[i] + width / 2 - made->partial.x,
                 (double)made->seen.y[i] + height / 2 - made->partial.y);
}

static void tiles_go_from_the_place_outward(void **state) {
    static Fixture made;
    (void)state;
    begin(&made, 1, 70, 20);
    share(&made);
    assert_int_equal(made.seen.count, TILES);
    assert_int_equal(made.seen.x[0], 64); /* columns 64 to 79, rows 16 to 23 */
    assert_int_equal(made.seen.y[0], 16);
    for (size_t i = 1; i < TILES; i++)
        assert_true(from_middle(&made, i) >= from_middle(&made, i - 1));
    assert_true(partial_open(&made.partial));
    assert_true(made.partial.across == 7 && made.partial.down == 8);
    for (size_t i = 0; i < TILES; i++)
        assert_true(partial_has(&made.partial, i));
    assert_true(fabs(partial_progress(&made.partial) - 1) < 1e-12);
    end(&made);
}

/* Each once, by whichever thread; a picture's rows are tiles, too. */
static void threads_leave_nothing_out(void **state) {
    static Fixture made;
    (void)state;
    begin(&made, 4, 50, 30);
    share(&made);
    unsigned seen[TILES] = {0};
    for (size_t i = 0; i < TILES; i++)
        seen[made.seen.y[i] / ROWS * 7 + made.seen.x[i] / COLUMNS]++;
    for (size_t i = 0; i < TILES; i++)
        assert_int_equal(seen[i], 1);
    end(&made);
    begin(&made, 1, 50, 41);
    cpu_make_result(made.queue, 50, note_row, &made.at);
    assert_false(partial_open(&made.partial)); /* not all of the frame's rows */
    partial_begin(&made.partial, (Frame){.shape = {WIDTH, 50, 1, PIXEL_U8}});
    atomic_store(&made.seen.count, 0);
    cpu_make_result(made.queue, 50, note_row, &made.at);
    assert_true(partial_open(&made.partial));
    assert_in_range(made.seen.y[0], 41 - made.partial.rows, 41);
    end(&made);
}

/* A piece in which the run was stopped may have ended early. */
static void what_was_stopped_is_not_done(void **state) {
    static Fixture made;
    (void)state;
    begin(&made, 1, 50, 30);
    made.seen.stop_after = 5;
    share(&made);
    assert_int_equal(made.seen.count, 5);
    assert_int_equal(made.partial.count, 4);
    end(&made);
}

/* A frame that a level shares out twice is not shown: its first pixels are not the result's. */
static void only_one_launch_is_shown(void **state) {
    static Fixture made;
    (void)state;
    begin(&made, 1, 50, 30);
    share(&made);
    assert_true(partial_open(&made.partial));
    atomic_store(&made.seen.count, 0);
    share(&made);
    assert_false(partial_open(&made.partial));
    partial_begin(&made.partial, made.partial.frame);
    atomic_store(&made.seen.count, 0);
    share(&made);
    assert_true(partial_open(&made.partial));
    end(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_go_from_the_place_outward),
        cmocka_unit_test(threads_leave_nothing_out),
        cmocka_unit_test(what_was_stopped_is_not_done),
        cmocka_unit_test(only_one_launch_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
