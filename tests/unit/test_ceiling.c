/* test_ceiling.c: rates that a device reaches at best. */
#include "app/backends.h"
#include "core/device/ceiling.h"

#include "tests/check.h"

static int open_cpu(void **state) {
    Device *device;
    const char *passed_over;
    assert_int_equal(backend_open("cpu", 0, 1, &device, &passed_over), STATUS_OK);
    assert_int_equal(queue_open(device, (Queue **)state), STATUS_OK);
    return 0;
}

static int close_cpu(void **state) {
    Queue *queue = *state;
    Device *device = queue->device;
    queue_close(&queue);
    device_close(&device);
    return 0;
}

static void the_best_measurement_stays(void **state) {
    Queue *queue = *state;
    Ceiling copies = {0}, flops = {0};
    assert_int_equal(ceiling_measure_copies(queue, (Shape){640, 480, 3, PIXEL_U8}, &copies), STATUS_OK);
    assert_true(copies.rate > 0 && copies.tries == 1);
    copies.rate = 1e30;
    assert_int_equal(ceiling_measure_copies(queue, (Shape){640, 480, 3, PIXEL_U8}, &copies), STATUS_OK);
    assert_true(copies.rate >= 1e30 && copies.tries == 2);
    assert_int_equal(ceiling_measure_flops(queue, &flops), STATUS_OK);
    assert_true(flops.rate > 0 && flops.tries == 1);
}

static void large_pictures_are_copied_in_part(void **state) {
    Ceiling copies = {0};
    assert_int_equal(ceiling_measure_copies(*state, (Shape){1 << 20, 1 << 20, 4, PIXEL_F32}, &copies), STATUS_OK);
    assert_true(copies.rate > 0); /* 16 TiB as a whole */
}

static void no_arithmetic_is_no_failure(void **state) {
    Queue *queue = *state;
    Device *device = queue->device;
    Backend mute = *device->backend;
    const Backend *before = device->backend;
    Ceiling flops = {0};
    mute.telemetry = NULL;
    device->backend = &mute;
    assert_int_equal(ceiling_measure_flops(queue, &flops), STATUS_OK);
    device->backend = before;
    assert_true(!(flops.rate > 0) && !ceiling_doubtful(&flops, 1e12));
}

static void doubts_are_measured_again(void **state) {
    (void)state;
    assert_true(ceiling_doubtful(&(Ceiling){0}, 0)); /* never measured */
    assert_false(ceiling_doubtful(&(Ceiling){.rate = 100, .tries = 1}, 99));
    assert_true(ceiling_doubtful(&(Ceiling){.rate = 100, .tries = 1}, 101));
    assert_true(ceiling_doubtful(&(Ceiling){.rate = 100, .tries = 1, .busy = true}, 0));
    assert_false(ceiling_doubtful(&(Ceiling){.rate = 100, .tries = CEILING_TRIES, .busy = true}, 101));
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_measurement_stays),
        cmocka_unit_test(large_pictures_are_copied_in_part),
        cmocka_unit_test(no_arithmetic_is_no_failure),
        cmocka_unit_test(doubts_are_measured_again),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
