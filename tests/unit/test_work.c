/* test_work.c: the stages of a work follow each other as the diagram in app/batch/work.h says, and a work's holdings go
 * with its stage and road. */
#include "app/batch/work.h"

#include <string.h>

#include "tests/check.h"

/* The arrows of the diagram; besides, every stage but DONE may go to DONE. */
static const WorkStage arrows[][2] = {
    {WORK_OPENING, WORK_PENDING},    {WORK_PENDING, WORK_DECODING},  {WORK_DECODING, WORK_READY},
    {WORK_DECODING, WORK_PACKED},    {WORK_PACKED, WORK_READY},      {WORK_PACKED, WORK_REFUSED},
    {WORK_REFUSED, WORK_READY},      {WORK_READY, WORK_FILTERING},   {WORK_READY, WORK_PASSING},
    {WORK_FILTERING, WORK_FILTERED}, {WORK_FILTERED, WORK_ENCODING}, {WORK_ENCODING, WORK_WRITTEN},
    {WORK_PASSING, WORK_WRITTEN},
};

static bool is_arrow(WorkStage from, WorkStage to) {
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (arrows[i][0] == from && arrows[i][1] == to)
            return true;
    return to == WORK_DONE && from != WORK_DONE;
}

static void stages_follow_the_arrows(void **state) {
    (void)state;
    for (WorkStage from = WORK_OPENING; from < WORK_STAGES; from++)
        for (WorkStage to = WORK_OPENING; to < WORK_STAGES; to++)
            assert_int_equal(work_may_move(from, to), is_arrow(from, to));
}

/* By stage, the holdings of a work that passes whole, and of one that passes by rows. A holding is nothing (-), pixels
 * (p), an encoded picture (e), or its frame (f). */
static const struct {
    WorkStage stage;
    const char *whole, *rows;
} held[] = {
    {WORK_OPENING, "-", "-"},  {WORK_PENDING, "-", "-"},  {WORK_DECODING, "-", "-"},  {WORK_PACKED, "e", ""},
    {WORK_REFUSED, "e", ""},   {WORK_READY, "pf", "-"},   {WORK_FILTERING, "pf", ""}, {WORK_PASSING, "", "-"},
    {WORK_FILTERED, "pe", ""}, {WORK_ENCODING, "pe", ""}, {WORK_WRITTEN, "-", "-"},   {WORK_DONE, "-pe", "-pe"},
};

static void holdings_go_with_the_stage(void **state) {
    Image image = {0};
    unsigned char bytes[1], pixels[1];
    (void)state;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        for (Road road = ROAD_WHOLE; road < ROADS; road++)
            for (const char *holding = "-pef"; *holding; holding++) {
                Work work = {.stage = held[i].stage, .road = road, .image = *holding == '-' ? NULL : &image};
                if (*holding == 'e' || *holding == 'f')
                    work.encoded.bytes = (Bytes){bytes, 1};
                if (*holding == 'f')
                    work.frame.pixels = pixels;
                const char *allowed = road == ROAD_WHOLE ? held[i].whole : held[i].rows;
                assert_int_equal(work_check(&work), strchr(allowed, *holding) != NULL);
            }
}

/* A frame never stands alone. */
static void odd_holdings_are_found(void **state) {
    unsigned char pixels[1];
    (void)state;
    for (WorkStage stage = WORK_OPENING; stage < WORK_DONE; stage++) {
        const Work work = {.stage = stage, .frame.pixels = pixels};
        assert_false(work_check(&work));
    }
}

static void pixels_count_where_they_lie_in_memory(void **state) {
    const Shape shape = {10, 20, 3, PIXEL_U8};
    (void)state;
    const struct {
        WorkStage stage;
        Road road;
        unsigned wishes;
        size_t bytes;
    } rows[] = {{WORK_PENDING, ROAD_WHOLE, 0, 600},
                {WORK_PENDING, ROAD_WHOLE, WISH_DEVICE_DECODE, 0},
                {WORK_PENDING, ROAD_ROWS, 0, 0},
                {WORK_PACKED, ROAD_WHOLE, WISH_DEVICE_DECODE, 0},
                {WORK_REFUSED, ROAD_WHOLE, WISH_DEVICE_DECODE, 0},
                {WORK_READY, ROAD_WHOLE, WISH_DEVICE_DECODE, 600},
                {WORK_READY, ROAD_SPILLED, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Work work = {.stage = rows[i].stage, .road = rows[i].road, .wishes = rows[i].wishes, .shape = shape};
        assert_int_equal(work_picture_bytes(&work), rows[i].bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_follow_the_arrows),
        cmocka_unit_test(holdings_go_with_the_stage),
        cmocka_unit_test(odd_holdings_are_found),
        cmocka_unit_test(pixels_count_where_they_lie_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
