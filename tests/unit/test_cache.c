/* test_cache.c: entries that a device keeps, and which go when room is needed. */
#include "core/device/backend.h"
#include "core/device/cache.h"
#include "core/param/mask.h"

#include "tests/check.h"

/* Remembers the number that it was made of, and takes as many bytes. */
typedef struct Kept {
    int of;
    size_t bytes;
} Kept;

static int made, dropped, last_dropped;

static Status make(Queue *queue, const void *from, void *entry) {
    Kept *kept = entry;
    kept->of = *(const int *)from;
    if (kept->of < 0)
        return (fail)(STATUS_DEVICE, "no room");
    cache_release(queue->device, kept->bytes);
    kept->bytes = (size_t)kept->of;
    cache_reserve(queue->device, kept->bytes);
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
                       one = {.bytes = sizeof(Kept), .max = 1, .make = make, .drop = drop},
                       changing = {.bytes = sizeof(Kept), .max = 1, .make = make, .drop = drop, .changes = true};

/* A device with two queues, whose backend has nothing but a count of the queues waited for. */
static Device device;
static Queue queue, neighbour;
static int waited[2];

static Status wait_for(Queue *which) {
    waited[which == &neighbour]++;
    return STATUS_OK;
}

static const Backend backend = {.name = "none", .host_frames = true, .sync = wait_for};

static Kept *get_by(Queue *by, const CacheKind *kind, uint64_t key, int of) {
    void *kept;
    assert_int_equal(cache_get(by, kind, key, &of, &kept), STATUS_OK);
    assert_int_equal(((Kept *)kept)->of, of);
    return kept;
}

static Kept *get(const CacheKind *kind, uint64_t key, int of) {
    return get_by(&queue, kind, key, of);
}

static void next_call(void) {
    if (queue.call)
        cache_end(&queue);
    cache_begin(&queue);
}

static int begin(void **state) {
    (void)state;
    made = dropped = last_dropped = waited[0] = waited[1] = 0;
    device = (Device){0};
    device_init(&device, &backend);
    queue = (Queue){.device = &device};
    neighbour = (Queue){.device = &device, .next = &queue};
    device.queues = &neighbour;
    return 0;
}

static void clear(void) {
    if (queue.call)
        cache_end(&queue);
    cache_free(&device);
}

static void equal_things_are_made_once(void **state) {
    (void)state;
    Kept *first = get(&several, 1, 10);
    assert_ptr_equal(get(&several, 1, 10), first);
    assert_ptr_equal(get(&several, 2, 10), first); /* another key of an equal thing */
    assert_ptr_equal(get(&several, 0, 10), first);
    assert_int_equal(made, 1);
    assert_true(get(&several, 3, 11) != first);
    assert_true(get(&one, 1, 10) != first); /* another owner's */
    assert_int_equal(made, 3);
    assert_int_equal(device.cache.bytes, 31);
    clear();
    assert_int_equal(dropped, 3);
    assert_int_equal(device.cache.bytes, 0);
}

static void what_was_not_used_for_longest_goes_at_the_budget(void **state) {
    (void)state;
    device.cache.budget = 100;
    get(&several, 1, 40);
    next_call();
    get(&several, 2, 30);
    next_call();
    get(&several, 1, 40);
    next_call();
    get(&several, 3, 50); /* 120 bytes: the 30 go, and with them that is enough */
    assert_int_equal(dropped, 1);
    assert_int_equal(last_dropped, 30);
    assert_int_equal(device.cache.bytes, 90);
    next_call();
    get(&several, 4, 200); /* more than the budget: alone */
    assert_int_equal(dropped, 3);
    assert_int_equal(device.cache.bytes, 200);
    clear();
}

static void what_a_call_uses_stays(void **state) {
    (void)state;
    device.cache.budget = 100;
    next_call();
    Kept *first = get(&one, 1, 80), *second = get(&one, 2, 90), *third = get(&several, 1, 70);
    assert_int_equal(dropped, 0);
    assert_true(first->of == 80 && second->of == 90 && third->of == 70);
    assert_false(cache_evict(&device));
    next_call();
    assert_true(cache_evict(&device));
    assert_int_equal(last_dropped, 80);
    clear();
}

static void a_place_is_used_again(void **state) {
    (void)state;
    Kept *first = get(&one, 1, 10);
    next_call();
    assert_ptr_equal(get(&one, 2, 20), first);
    assert_int_equal(dropped, 0);
    assert_int_equal(device.cache.bytes, 20);
    next_call();
    void *again;
    const int of = 20;
    assert_int_equal(cache_remake(&queue, &one, 2, &of, &again), STATUS_OK);
    assert_ptr_equal(again, first);
    assert_int_equal(made, 3);
    clear();
    assert_int_equal(dropped, 1);
}

static void what_cannot_be_made_is_not_kept(void **state) {
    (void)state;
    void *kept;
    const int bad = -1;
    get(&one, 1, 10);
    next_call();
    assert_int_equal(cache_get(&queue, &one, 2, &bad, &kept), STATUS_DEVICE);
    assert_null(kept);
    assert_null(device.cache.newest);
    assert_int_equal(device.cache.bytes, 0);
    clear();
}

static bool is_odd(const void *entry, const void *context) {
    (void)context;
    return ((const Kept *)entry)->of % 2 == 1;
}

static void entries_can_be_forgotten(void **state) {
    (void)state;
    for (int i = 1; i <= 4; i++)
        get(&several, (uint64_t)i, i);
    get(&one, 1, 5);
    cache_forget(&device, &several, is_odd, NULL);
    assert_int_equal(dropped, 2);
    assert_int_equal(device.cache.bytes, 2 + 4 + 5);
    clear();
}

static void what_a_call_of_another_queue_uses_stays(void **state) {
    (void)state;
    cache_begin(&neighbour);
    get_by(&neighbour, &several, 1, 10);
    next_call();
    get(&several, 1, 10);
    get(&several, 2, 20);
    cache_end(&queue);
    assert_false(cache_evict(&device)); /* the other call is older than both */
    cache_end(&neighbour);
    assert_true(cache_evict(&device));
    assert_int_equal(last_dropped, 10);
    cache_begin(&neighbour); /* nor does a call that is over hold entries made before */
    assert_true(cache_evict(&device));
    cache_end(&neighbour);
    clear();
}

/* Where the work may only be enqueued: one queue's does not begin before the other's. */
static void a_queue_waits_for_what_another_one_makes(void **state) {
    (void)state;
    get(&several, 1, 10);
    get(&several, 1, 10);
    assert_int_equal(waited[0] + waited[1], 0);
    get_by(&neighbour, &several, 1, 10);
    assert_int_equal(waited[0], 1);
    get_by(&neighbour, &several, 1, 10);
    get(&several, 1, 10);
    assert_int_equal(waited[0] + waited[1], 1); /* it is made */
    get(&changing, 1, 10);
    get_by(&neighbour, &changing, 1, 10);
    get(&changing, 1, 10);
    assert_int_equal(waited[0], 2);
    assert_int_equal(waited[1], 1);
    cache_leave(&queue);
    get_by(&neighbour, &changing, 1, 10);
    assert_int_equal(waited[0], 2); /* a queue that has left has no work left */
    get(&one, 1, 10);
    get(&one, 2, 20); /* in the place of the first, which the other queue may still read */
    assert_int_equal(waited[0], 2);
    assert_int_equal(waited[1], 2);
    clear();
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
        cmocka_unit_test_setup(what_a_call_of_another_queue_uses_stays, begin),
        cmocka_unit_test_setup(a_queue_waits_for_what_another_one_makes, begin),
        cmocka_unit_test(masks_have_serials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
