/* test_block_pool.c: pools of blocks of memory. A block that was given back serves again, of its class and within the
 * pool's limit. */
#include "core/base/block_pool.h"

#include "tests/check.h"

static Status make_block(void *context, size_t bytes, void **memory) {
    size_t *left = context;
    if (bytes > *left)
        return (fail)(STATUS_DEVICE, "no more");
    *left -= bytes;
    *memory = calloc(1, bytes);
    return STATUS_OK;
}

static void drop_block(void *context, void *memory, size_t bytes) {
    *(size_t *)context += bytes;
    free(memory);
}

static void classes_waste_an_eighth_at_most(void **state) {
    (void)state;
    for (size_t bytes = 1; bytes < 50 << 20; bytes += bytes / 13 + 1) {
        assert_true(block_class(bytes) >= bytes);
        assert_true(bytes <= 4096 || block_class(bytes) <= bytes + bytes / 8);
        assert_int_equal(block_class(block_class(bytes)), block_class(bytes));
    }
}

static void blocks_serve_again_within_the_limit(void **state) {
    (void)state;
    size_t left = 100000;
    BlockPool pool = {.make = make_block, .drop = drop_block, .context = &left};
    void *a, *b, *c;
    bool fresh;
    block_pool_init(&pool, 50000);
    REQUIRE(block_pool_take(&pool, 40000, &a, &fresh));
    assert_true(fresh);
    REQUIRE(block_pool_take(&pool, 40000, &b, &fresh));
    block_pool_give(&pool, a);
    REQUIRE(block_pool_take(&pool, 39999, &c, &fresh));
    assert_false(fresh);
    assert_ptr_equal(a, c);
    block_pool_give(&pool, c);
    block_pool_give(&pool, b); /* both are more than the limit */
    assert_int_equal(pool.idle_bytes, block_class(40000));
    REQUIRE(block_pool_take(&pool, 90000, &a, &fresh)); /* makes room by dropping idle blocks */
    assert_int_equal(pool.idle_bytes, 0);
    assert_int_equal(block_pool_take(&pool, 90000, &b, &fresh), STATUS_DEVICE);
    block_pool_give(&pool, a);
    assert_int_equal(block_pool_made(&pool), 3);
    block_pool_free(&pool);
    assert_int_equal(left, 100000);
}

/* As many as a picture file has pages at most. A list that is searched from one end for each takes thousands of times
 * as long. */
static void very_many_blocks_come_back(void **state) {
    enum { COUNT = 65536 };
    (void)state;
    size_t left = SIZE_MAX;
    BlockPool pool = {.make = make_block, .drop = drop_block, .context = &left};
    void **blocks = calloc(COUNT, sizeof *blocks);
    bool fresh;
    assert_non_null(blocks);
    block_pool_init(&pool, SIZE_MAX);
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < COUNT; i++) {
            REQUIRE(block_pool_take(&pool, 1, &blocks[i], &fresh));
            assert_int_equal(fresh, turn == 0);
            assert_int_equal(*(size_t *)blocks[i],
                             turn == 0 ? 0 : COUNT - i); /* the last one given is the first taken */
            *(size_t *)blocks[i] = i + 1;
        }
        for (size_t i = 0; i < COUNT; i++)
            block_pool_give(&pool, blocks[i]);
    }
    assert_int_equal(block_pool_made(&pool), COUNT);
    block_pool_free(&pool);
    assert_true(left == SIZE_MAX);
    free(blocks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_waste_an_eighth_at_most),
        cmocka_unit_test(blocks_serve_again_within_the_limit),
        cmocka_unit_test(very_many_blocks_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
