/* test_team.c: every piece is carried out once, by whichever thread, turn after turn. */
#include "core/base/stop.h"
#include "cpu/backend.h"
#include "cpu/team.h"

#include <stdatomic.h>
#include <string.h>

#include "tests/check.h"

enum { THREADS = 5, PIECES = 1000, TURNS = 3000 };

typedef struct Counts {
    atomic_int done[PIECES];
    atomic_int inside[THREADS]; /* pieces that a thread is at */
    atomic_bool twice, beyond;
} Counts;

static void count(const void *job, size_t piece, size_t thread) {
    Counts *counts = *(Counts *const *)job;
    if (piece >= PIECES || thread >= THREADS) {
        atomic_store(&counts->beyond, true);
        return;
    }
    if (atomic_fetch_add(&counts->inside[thread], 1) != 0)
        atomic_store(&counts->twice, true);
    atomic_fetch_add(&counts->done[piece], 1);
    atomic_fetch_sub(&counts->inside[thread], 1);
}

static void count_row(const void *job, size_t y) {
    atomic_fetch_add(&(*(Counts *const *)job)->done[y], 1);
}

static void count_tile(const void *job, size_t x, size_t y, void *scratch) {
    atomic_fetch_add(&(*(Counts *const *)job)->done[x + 40 * y], 1);
    atomic_fetch_add((atomic_int *)scratch, 1);
}

typedef struct Fixture {
    Device *device;
    Queue *queue;
} Fixture;

static Fixture open_queue(int threads) {
    Fixture made;
    REQUIRE(cpu_backend.open(0, threads, &made.device));
    REQUIRE(queue_open(made.device, &made.queue));
    return made;
}
static void close_queue(Fixture *made) {
    queue_close(&made->queue);
    device_close(&made->device);
}

static void every_piece_is_done_once(void **state) {
    static Counts counts;
    Counts *at = &counts;
    (void)state;
    for (int threads = 1; threads <= THREADS; threads += 2) {
        Fixture made = open_queue(threads);
        for (size_t turn = 0; turn < TURNS; turn++) {
            const size_t pieces = turn % 7 == 0 ? turn % PIECES : turn % 5;
            memset(&counts, 0, sizeof counts);
            cpu_share(made.queue, pieces, count, &at);
            assert_false(atomic_load(&counts.beyond));
            assert_false(atomic_load(&counts.twice));
            for (size_t i = 0; i < PIECES; i++)
                assert_int_equal(atomic_load(&counts.done[i]), i < pieces);
        }
        close_queue(&made);
    }
}

static void rows_and_tiles_are_covered(void **state) {
    static Counts counts;
    Counts *at = &counts;
    _Alignas(64) atomic_int scratch[THREADS][16] = {{0}};
    Fixture made = open_queue(THREADS);
    (void)state;
    for (size_t rows = 0; rows < 300; rows++) {
        memset(&counts, 0, sizeof counts);
        cpu_share_rows(made.queue, rows, count_row, &at);
        for (size_t i = 0; i < PIECES; i++)
            assert_int_equal(atomic_load(&counts.done[i]), i < rows);
    }
    memset(&counts, 0, sizeof counts);
    cpu_share_tiles(made.queue, &(TeamTiles){33, 17, 8, 4, scratch, sizeof scratch[0]}, count_tile, &at);
    int tiles = 0, worked = 0;
    for (size_t i = 0; i < PIECES; i++) {
        const bool begins = i % 40 % 8 == 0 && i % 40 < 33 && i / 40 % 4 == 0 && i / 40 < 17;
        assert_int_equal(atomic_load(&counts.done[i]), begins);
        tiles += begins;
    }
    for (int i = 0; i < THREADS; i++)
        worked += atomic_load(&scratch[i][0]);
    assert_int_equal(worked, tiles);
    close_queue(&made);
}

typedef struct Stopping {
    Stop stop;
    atomic_int done;
} Stopping;

static void stop_soon(const void *job, size_t y) {
    Stopping *stopping = *(Stopping *const *)job;
    (void)y;
    if (atomic_fetch_add(&stopping->done, 1) == 0)
        atomic_store(&stopping->stop.asked, true);
}

/* Each thread may be at one row when it is asked to stop. */
static void work_stops_when_asked(void **state) {
    (void)state;
    for (int threads = 1; threads <= THREADS; threads += 2) {
        Fixture made = open_queue(threads);
        Stopping stopping = {0}, *at = &stopping;
        made.queue->stop = &stopping.stop;
        cpu_share_rows(made.queue, PIECES, stop_soon, &at);
        assert_in_range(atomic_load(&stopping.done), 1, threads);
        stopping = (Stopping){0};
        made.queue->stop = NULL;
        cpu_share_rows(made.queue, PIECES, stop_soon, &at);
        assert_int_equal(atomic_load(&stopping.done), PIECES);
        close_queue(&made);
    }
}

/* Half an upload would be missing in all runs that follow. */
static void copies_are_whole_though_asked_to_stop(void **state) {
    enum { WIDTH = 64, HEIGHT = 300 };
    const Shape shape = {WIDTH, HEIGHT, 1, PIXEL_U8};
    static unsigned char there[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
    Fixture made = open_queue(THREADS);
    Stop stop = {.asked = true};
    Frame frame;
    (void)state;
    memset(there, 7, sizeof there);
    REQUIRE(cpu_backend.frame_create(made.device, shape, &frame));
    made.queue->stop = &stop;
    REQUIRE(cpu_backend.upload(made.queue, (ImageView){shape, WIDTH, there}, frame));
    REQUIRE(cpu_backend.download(made.queue, frame, (ImageView){shape, WIDTH, back}));
    assert_memory_equal(back, there, sizeof there);
    assert_ptr_equal(made.queue->stop, &stop);
    cpu_backend.frame_destroy(made.device, &frame);
    close_queue(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_is_done_once),
        cmocka_unit_test(rows_and_tiles_are_covered),
        cmocka_unit_test(work_stops_when_asked),
        cmocka_unit_test(copies_are_whole_though_asked_to_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
