/* test_cache.c: what a device keeps, and what goes when room is needed. */
#include "core/backend.h"
#include "core/mask.h"

#include "tests/check.h"

/* Remembers the number that it was made of, and takes as many bytes. */
typedef struct Kept {
    int of;
    size_t bytes;
} Kept;

static int made, dropped, last_dropped;

static Status make(Device *device, const void *from, void *entry) {
    Kept *kept = entry;
    kept->of = *(const int *)from;
    if (kept->of < 0)
        return (fail)(STATUS_DEVICE, "no room");
    cache_release(device, kept->bytes);
    kept->bytes = (size_t)kept->of;
    cache_reserve(device, kept->bytes);
    made++;
    return STATUS_OK;
}
static bool same(const void *entry, const void *from) {
    return ((const Kept *)entry)->of == *(const int *)from;
}
static void drop(Device *device, void *entry) {
    cache_release(device, ((Kept *)entry)->bytes);
    last_dropped = ((Kept *)entry)->of;
    dropped++;
}

static const CacheKind several = {.bytes = sizeof(Kept), .max = 4, .make = make, .same = same, .drop = drop},
                       one = {.bytes = sizeof(Kept), .max = 1, .make = make, .drop = drop};

static Kept *get(Device *device, const CacheKind *kind, uint64_t key, int of) {
    void *kept;
    assert_int_equal(cache_get(device, kind, key, &of, &kept), STATUS_OK);
    assert_int_equal(((Kept *)kept)->of, of);
    return kept;
}

static int begin(void **state) {
    (void)state;
    made = dropped = last_dropped = 0;
    return 0;
}

static void equal_things_are_made_once(void **state) {
    (void)state;
    Device device = {0};
    Kept *first = get(&device, &several, 1, 10);
    assert_ptr_equal(get(&device, &several, 1, 10), first);
    assert_ptr_equal(get(&device, &several, 2, 10), first); /* another key of an equal thing */
    assert_ptr_equal(get(&device, &several, 0, 10), first);
    assert_int_equal(made, 1);
    assert_true(get(&device, &several, 3, 11) != first);
    assert_true(get(&device, &one, 1, 10) != first); /* another owner's */
    assert_int_equal(made, 3);
    assert_int_equal(device.cache.bytes, 31);
    cache_clear(&device);
    assert_int_equal(dropped, 3);
    assert_int_equal(device.cache.bytes, 0);
}

static void what_was_not_used_for_longest_goes_at_the_budget(void **state) {
    (void)state;
    Device device = {.cache.budget = 100};
    get(&device, &several, 1, 40);
    cache_begin(&device);
    get(&device, &several, 2, 30);
    cache_begin(&device);
    get(&device, &several, 1, 40);
    cache_begin(&device);
    get(&device, &several, 3, 50); /* 120 bytes: the 30 go, and with them that is enough */
    assert_int_equal(dropped, 1);
    assert_int_equal(last_dropped, 30);
    assert_int_equal(device.cache.bytes, 90);
    cache_begin(&device);
    get(&device, &several, 4, 200); /* more than the budget: alone */
    assert_int_equal(dropped, 3);
    assert_int_equal(device.cache.bytes, 200);
    cache_clear(&device);
}

static void what_a_call_uses_stays(void **state) {
    (void)state;
    Device device = {.cache.budget = 100};
    cache_begin(&device);
    Kept *first = get(&device, &one, 1, 80), *second = get(&device, &one, 2, 90),
         *third = get(&device, &several, 1, 70);
    assert_int_equal(dropped, 0);
    assert_true(first->of == 80 && second->of == 90 && third->of == 70);
    assert_false(cache_evict(&device));
    cache_begin(&device);
    assert_true(cache_evict(&device));
    assert_int_equal(last_dropped, 80);
    cache_clear(&device);
}

static void a_place_is_used_again(void **state) {
    (void)state;
    Device device = {0};
    Kept *first = get(&device, &one, 1, 10);
    cache_begin(&device);
    assert_ptr_equal(get(&device, &one, 2, 20), first);
    assert_int_equal(dropped, 0);
    assert_int_equal(device.cache.bytes, 20);
    cache_begin(&device);
    void *again;
    const int of = 20;
    assert_int_equal(cache_remake(&device, &one, 2, &of, &again), STATUS_OK);
    assert_ptr_equal(again, first);
    assert_int_equal(made, 3);
    cache_clear(&device);
    assert_int_equal(dropped, 1);
}

static void what_cannot_be_made_is_not_kept(void **state) {
    (void)state;
    Device device = {0};
    void *kept;
    const int bad = -1;
    get(&device, &one, 1, 10);
    cache_begin(&device);
    assert_int_equal(cache_get(&device, &one, 2, &bad, &kept), STATUS_DEVICE);
    assert_null(kept);
    assert_null(device.cache.newest);
    assert_int_equal(device.cache.bytes, 0);
}

static bool is_odd(const void *entry, const void *context) {
    (void)context;
    return ((const Kept *)entry)->of % 2 == 1;
}

static void entries_can_be_forgotten(void **state) {
    (void)state;
    Device device = {0};
    for (int i = 1; i <= 4; i++)
        get(&device, &several, (uint64_t)i, i);
    get(&device, &one, 1, 5);
    cache_forget(&device, &several, is_odd, NULL);
    assert_int_equal(dropped, 2);
    assert_int_equal(device.cache.bytes, 2 + 4 + 5);
    cache_clear(&device);
}

static void masks_have_serials(void **state) {
    (void)state;
    Mask *mask = NULL, *other = NULL;
    assert_int_equal(mask_box(3, 3, &mask), STATUS_OK);
    assert_int_equal(mask_clone(mask, &other), STATUS_OK);
    assert_true(mask->serial != 0 && other->serial != 0 && mask->serial != other->serial);
    assert_true(mask_equal(mask, other));
    other->weights[8] = 2;
    assert_false(mask_equal(mask, other));
    assert_false(mask_equal(NULL, other));
    mask_destroy(&mask);
    mask_destroy(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(equal_things_are_made_once, begin),
        cmocka_unit_test_setup(what_was_not_used_for_longest_goes_at_the_budget, begin),
        cmocka_unit_test_setup(what_a_call_uses_stays, begin),
        cmocka_unit_test_setup(a_place_is_used_again, begin),
        cmocka_unit_test_setup(what_cannot_be_made_is_not_kept, begin),
        cmocka_unit_test_setup(entries_can_be_forgotten, begin),
        cmocka_unit_test(masks_have_serials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
