/* test_card.c: a block's loads, for masks and launches whose tiles are known. */
#include "app/view/data/card.h"
#include "core/ops/convolve.h"
#include "core/ops/resample.h"
#include "core/tracer/trace.h"

#include "tests/check.h"

static const Shape full_hd = {1920, 1080, 3, PIXEL_U8};

/* As the level halo launches it: 32 x 16 threads, a pixel each. */
static Partition blocks(size_t across, size_t down) {
    return (Partition){.launches = 1, .grid = {across, down}, .block = {32, 16}};
}

static Card card_for(int width, int height, Shape shape, Partition partition) {
    ConvolveJob job = {.border = {BORDER_CLAMP, 0}};
    Card card;
    REQUIRE(mask_box(width, height, &job.mask));
    const Stage stage = {.op = &op_convolve, .in = {{.shape = shape}}, .out = {.shape = shape}, .job = &job};
    assert_true(card_of(&stage, partition, &card));
    mask_destroy(&job.mask);
    return card;
}

/* There are 60 x 68 blocks of 32 x 16, and a mask of 13 x 13 has a halo of 6. A block reads 44 x 28 pixels; in the
 * corner 38 x 22 of them are of the picture. */
static void tile_halo_and_ghosts(void **state) {
    (void)state;
    const Card card = card_for(13, 13, full_hd, blocks(60, 68));
    assert_true(card.across == 60 && card.down == 68);
    assert_true(card.width == 32 && card.height == 16);
    assert_true(card.left == 6 && card.top == 6 && card.right == 6 && card.bottom == 6);
    assert_int_equal(card.reads, 44 * 28);
    assert_int_equal(card.ghosts, 44 * 28 - 38 * 22);
    assert_int_equal(card.tile_bytes, 32 * 16 * 3);
    assert_int_equal(card.bytes, 44 * 28 * 3);
}

/* The anchor of even masks is (w / 2, h / 2): more lies before it than behind. */
static void even_masks_have_uneven_halos(void **state) {
    (void)state;
    const Card card = card_for(4, 2, (Shape){1920, 1080, 1, PIXEL_F32}, blocks(60, 68));
    assert_true(card.left == 2 && card.right == 1 && card.top == 1 && card.bottom == 0);
    assert_int_equal(card.bytes, 35 * 17 * 4);
}

/* The launch tells how many blocks there are, not how large; sides are round numbers. */
static void tiles_are_round(void **state) {
    static const struct {
        size_t size, blocks, want;
    } cases[] = {{33, 2, 32}, {1281, 41, 32}, {1280, 10, 128}, {1000, 8, 128}, {100, 1, 128}, {97, 97, 1}, {61, 4, 16}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Shape shape = {cases[i].size, 64, 1, PIXEL_U8};
        const Card card = card_for(3, 3, shape, blocks(cases[i].blocks, 4));
        assert_int_equal(card.width, cases[i].want);
        assert_int_equal(card.height, 16);
    }
}

/* Strips of rows, as the CPU's threads take them: no halo is loaded twice at their sides, but for the ghosts. */
static void strips_are_as_wide_as_the_picture(void **state) {
    (void)state;
    const Card card = card_for(5, 5, full_hd, (Partition){.launches = 1, .tile = {0, 16}});
    assert_true(card.width == 1920 && card.height == 16 && card.across == 1 && card.down == 68);
    assert_int_equal(card.reads, 1924 * 20);
    assert_int_equal(card.ghosts, 1924 * 20 - 1920 * 18);
    const Card tiles = card_for(5, 5, full_hd, (Partition){.launches = 1, .tile = {1024, 96}});
    assert_true(tiles.width == 1024 && tiles.across == 2 && tiles.down == 12);
    const Card small = card_for(5, 5, (Shape){9, 7, 1, PIXEL_U8}, (Partition){.launches = 1, .tile = {1024, 96}});
    assert_true(small.width == 9 && small.height == 7 && small.reads == 13 * 11 && small.ghosts == 13 * 11 - 63);
}

/* A figure that is not known is not made up. */
static void what_is_not_told_stays_open(void **state) {
    (void)state;
    const Card line = card_for(3, 3, full_hd, blocks(8100, 1)); /* blocks in a line */
    assert_true(line.width == 0 && line.reads == 0 && line.left == 1);
    const Card passes = card_for(3, 3, full_hd, (Partition){.launches = 2, .grid = {60, 68}, .block = {32, 16}});
    assert_true(passes.width == 0 && passes.left == 1);
    const Card alone = card_for(3, 3, full_hd, (Partition){.launches = 0});
    assert_true(alone.width == 0 && alone.across == 0);
}

/* A trace has tiles, but reads no picture. */
static void traces_have_tiles_without_halo(void **state) {
    TraceJob job = {.width = 1920, .height = 1080, .channels = 4};
    const Stage stage = {.op = &op_trace, .out = {.shape = {1920, 1080, 4, PIXEL_U8}}, .job = &job};
    const Partition partition = {.launches = 1, .tile = {64, 16}};
    Card card;
    (void)state;
    assert_true(card_of(&stage, partition, &card));
    assert_true(card.width == 64 && card.height == 16 && card.across == 30 && card.down == 68);
    assert_true(card.left == 0 && card.right == 0 && card.reads == 0 && card.bytes == 0 && card.ghosts == 0);
}

/* A resized picture is made of other places. */
static void other_places_are_no_surroundings(void **state) {
    ResampleJob job;
    const Shape large = {64, 48, 1, PIXEL_U8}, small = {32, 24, 1, PIXEL_U8};
    Card card;
    (void)state;
    REQUIRE(op_resample.example(0, large, &job));
    const Stage stage = {.op = &op_resample, .in = {{.shape = large}}, .out = {.shape = small}, .job = &job};
    assert_false(card_of(&stage, blocks(1, 2), &card));
    op_job_free(&op_resample, &job);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tile_halo_and_ghosts),
        cmocka_unit_test(even_masks_have_uneven_halos),
        cmocka_unit_test(tiles_are_round),
        cmocka_unit_test(strips_are_as_wide_as_the_picture),
        cmocka_unit_test(what_is_not_told_stays_open),
        cmocka_unit_test(traces_have_tiles_without_halo),
        cmocka_unit_test(other_places_are_no_surroundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
