/* test_rank_network.c: the networks made for windows find the rank among zeros and ones.
 * A network that sorts all zeros and ones sorts all keys (the 0-1 principle). The slots are as many as promised at
 * most. */
#include "core/math/pcg.h"
#include "cpu/rank/tiled.h"

#include "tests/check.h"

enum { KEYS = 1 << 14, SLOTS = 1 << 16, TURNS = 40 };

/* Each bit is a picture of its own: the lesser of zeros and ones is AND, the greater OR. */
typedef struct Pictures {
    uint64_t keys[KEYS]; /* row by row, each as wide as the window */
    uint64_t slots[SLOTS];
} Pictures;

static void exchange(const TiledExchange *at, const TiledRuns *runs, uint64_t *slots) {
    for (size_t run = 0; run < runs->count; run++)
        for (uint16_t i = 0; i < runs->counts[run]; i++, at++) {
            const uint64_t a = slots[at->a], b = slots[at->b];
            assert_int_equal(at->low == TILED_NONE, run % TILED_KINDS == 2);
            assert_int_equal(at->high == TILED_NONE, run % TILED_KINDS == 1);
            if (at->low != TILED_NONE)
                slots[at->low] = a & b;
            if (at->high != TILED_NONE)
                slots[at->high] = a | b;
        }
}

/* The results of all pictures at once; by counting: 1 if no more than `rank` of the window's values are 0. */
static void check_results(Pictures *pictures, const TiledNetwork *network, const Mask *window, int rank) {
    const int width = window->width;
    for (int t = 0; t < network->rows; t++) {
        const uint64_t got = pictures->slots[network->results[t]];
        for (int bit = 0; bit < 64; bit++) {
            int zeros = 0;
            for (int i = 0; i < width * window->height; i++)
                zeros += element_has(window, i % width, i / width) && !(pictures->keys[t * width + i] >> bit & 1);
            assert_int_equal(got >> bit & 1, zeros <= rank);
        }
    }
}

/* Shares of ones around the rank's, where an error shows. */
static void draw_keys(Pcg *pcg, Pictures *pictures, int count, double share) {
    for (int i = 0; i < count; i++) {
        pictures->keys[i] = 0;
        for (int bit = 0; bit < 64; bit++)
            pictures->keys[i] |= (uint64_t)(pcg_float(pcg) < (float)share) << bit;
    }
}

static void check_window(Pictures *pictures, Pcg *pcg, const Mask *window, int rank) {
    const int cells = element_count(window), width = window->width;
    TiledNetwork network;
    REQUIRE(tiled_network_create(window, rank, &network));
    assert_true(network.slots <= tiled_slots(window));
    const int rows = window->height + network.rows - 1;
    for (int turn = 0; turn < TURNS / (int)check_every(4); turn++) {
        draw_keys(pcg, pictures, rows * width, 1 - (rank + 0.5) / cells);
        for (int j = 0; j < rows; j++) {
            for (int i = 0; i < width; i++)
                pictures->slots[j * width + i] = pictures->keys[j * width + i];
            exchange(network.sorting, &network.sorting_runs, pictures->slots + (ptrdiff_t)j * width);
        }
        exchange(network.exchanges, &network.runs, pictures->slots);
        check_results(pictures, &network, window, rank);
    }
    tiled_network_free(&network);
}

static Mask *box(int width, int height) {
    Mask *window;
    REQUIRE(mask_create(width, height, &window));
    for (int i = 0; i < width * height; i++)
        window->weights[i] = 1;
    return window;
}

static void every_rank_of_small_boxes(void **state) {
    Pcg pcg = pcg_seed(1, 1);
    for (int width = 1; width <= 5; width++)
        for (int height = 1; height <= 5; height++) {
            Mask *window = box(width, height);
            for (int rank = 0; rank < width * height; rank++)
                check_window(*state, &pcg, window, rank);
            mask_destroy(&window);
        }
}

static void boxes_up_to_the_largest(void **state) {
    static const int sizes[][2] = {{7, 7}, {9, 9}, {15, 15}, {31, 33}, {4, 255}, {255, 4}, {1, 200}, {200, 1}, {16, 8}};
    Pcg pcg = pcg_seed(1, 2);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Mask *window = box(sizes[i][0], sizes[i][1]);
        const int count = element_count(window), ranks[] = {0, count / 5, count / 2, count - 1};
        for (size_t k = 0; k < sizeof ranks / sizeof ranks[0]; k++)
            check_window(*state, &pcg, window, ranks[k]);
        mask_destroy(&window);
    }
}

static void windows_with_holes(void **state) {
    static const char *const texts[] = {"010 111 010", "1",         "101",
                                        "1 0 1",       "1101 0111", "10001 00000 00100 00000 10001"};
    Pcg pcg = pcg_seed(1, 3);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Mask *window;
        REQUIRE(element_parse(texts[i], &window));
        for (int rank = 0; rank < element_count(window); rank++)
            check_window(*state, &pcg, window, rank);
        mask_destroy(&window);
    }
    for (int radius = 2; radius <= 17; radius += 5) {
        Mask *window;
        REQUIRE(element_disk(radius, &window));
        check_window(*state, &pcg, window, element_count(window) / 2);
        check_window(*state, &pcg, window, element_count(window) / 9);
        mask_destroy(&window);
    }
}

static int open_pictures(void **state) {
    return (*state = test_calloc(1, sizeof(Pictures))) ? 0 : -1;
}
static int close_pictures(void **state) {
    test_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_of_small_boxes),
        cmocka_unit_test(boxes_up_to_the_largest),
        cmocka_unit_test(windows_with_holes),
    };
    return cmocka_run_group_tests(tests, open_pictures, close_pictures);
}
