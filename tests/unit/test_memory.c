/* test_memory.c: shares of the budget: never more than there is, in order of arrival, refused where it is hopeless. */
#include "core/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

static void estimates_never_wrap(void **state) {
    (void)state;
    assert_true(memory_sum(SIZE_MAX, 1) == SIZE_MAX && memory_sum(2, 3) == 5);
    assert_true(memory_product(SIZE_MAX / 2, 3) == SIZE_MAX && memory_product(0, SIZE_MAX) == 0);
}

static void a_share_is_exchanged(void **state) {
    (void)state;
    Budget budget;
    size_t mine = 0, yours = 0;
    budget_init(&budget, 100);
    assert_true(budget_try(&budget, &mine, 60));
    assert_false(budget_try(&budget, &yours, 50));
    assert_int_equal(yours, 0);
    assert_true(budget_try(&budget, &mine, 80)); /* its own 60 count as free */
    assert_true(budget_try(&budget, &mine, 10));
    assert_true(budget_try(&budget, &yours, 90));
    budget_return(&budget, &mine);
    assert_int_equal(budget.taken, 90);
    assert_int_equal(budget_wait(&budget, &yours, 101), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "GLINT_MEMORY"));
    assert_int_equal(budget.taken, 0); /* its share was given back */
    budget_destroy(&budget);
}

enum { TOTAL = 100, WORKERS = 8, ROUNDS = 500 };

typedef struct Crowd {
    Budget budget;
    atomic_int held;
    atomic_bool exceeded;
} Crowd;

static void *take_and_return(void *argument) {
    Crowd *crowd = argument;
    size_t share = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const int bytes = 1 + i * 37 % TOTAL;
        if (!budget_try(&crowd->budget, &share, (size_t)bytes) &&
            budget_wait(&crowd->budget, &share, (size_t)bytes) != STATUS_OK)
            atomic_store(&crowd->exceeded, true);
        if (atomic_fetch_add(&crowd->held, bytes) + bytes > TOTAL)
            atomic_store(&crowd->exceeded, true);
        atomic_fetch_sub(&crowd->held, bytes);
    }
    budget_return(&crowd->budget, &share);
    return NULL;
}

static void a_crowd_never_holds_more(void **state) {
    (void)state;
    static Crowd crowd;
    pthread_t threads[WORKERS];
    budget_init(&crowd.budget, TOTAL);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_return, &crowd), 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert_false(atomic_load(&crowd.exceeded));
    assert_int_equal(crowd.budget.taken, 0);
    budget_destroy(&crowd.budget);
}

static void *wait_for_all(void *argument) {
    size_t share = 0;
    (void)!budget_wait(argument, &share, TOTAL);
    budget_return(argument, &share);
    return NULL;
}

/* While a job waits for much, no other takes a little past it. */
static void who_waits_is_not_overtaken(void **state) {
    (void)state;
    Budget budget;
    pthread_t large;
    size_t mine = 0, small = 0;
    budget_init(&budget, TOTAL);
    assert_true(budget_try(&budget, &mine, 50));
    assert_int_equal(pthread_create(&large, NULL, wait_for_all, &budget), 0);
    for (;;) { /* until it waits */
        pthread_mutex_lock(&budget.lock);
        const bool waits = budget.next_ticket > budget.serving;
        pthread_mutex_unlock(&budget.lock);
        if (waits)
            break;
        usleep(1000);
    }
    assert_false(budget_try(&budget, &small, 1));
    budget_return(&budget, &mine);
    pthread_join(large, NULL);
    assert_true(budget_try(&budget, &small, 1));
    budget_return(&budget, &small);
    budget_destroy(&budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_never_wrap),
        cmocka_unit_test(a_share_is_exchanged),
        cmocka_unit_test(a_crowd_never_holds_more),
        cmocka_unit_test(who_waits_is_not_overtaken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
