/* test_cluster_share.c: the share of one process of several, by numbers alone. */
#include "app/backends.h"
#include "app/cluster/cluster.h"
#include "tests/levels/fake.h"

#include <string.h>

#include "tests/check.h"

static void processes_of_a_machine_share_its_devices(void **state) {
    static const struct {
        const char *wanted, *list;
        int index, count;
    } cases[] = {{"fake", "0,1", 0, 1}, {"fake", "0", 0, 2}, {"fake", "1", 1, 2}, {"fake", "0", 2, 4},
                 {"fake", "1", 3, 4},   {"auto", "1", 1, 2}, {"cpu", "", 0, 2},   {"nonsense", "", 0, 1}};
    char list[64];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cluster_devices(cases[i].wanted, cases[i].index, cases[i].count, list, sizeof list);
        assert_string_equal(list, cases[i].list);
    }
}

static void one_process_is_alone(void **state) {
    CommonOptions options = {.backend = "auto"};
    char devices[8] = "?", *arguments[] = {NULL};
    (void)state;
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("PMI_SIZE");
    unsetenv("PMIX_RANK");
    REQUIRE(cluster_begin(0, arguments, &options, devices, sizeof devices));
    assert_string_equal(devices, "");
    assert_true(cluster_size() == 1 && cluster_rank() == 0 && !options.quiet);
    assert_int_equal(cluster_agree(STATUS_INPUT), STATUS_INPUT);
    assert_int_equal(cluster_min(7), 7);
    assert_int_equal(cluster_end(STATUS_PARTIAL), STATUS_PARTIAL);
}

static int register_backends(void **state) {
    (void)state;
    return backends_register() == STATUS_OK && fake_register() == STATUS_OK ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(processes_of_a_machine_share_its_devices),
                                       cmocka_unit_test(one_process_is_alone)};
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
