/* test_core_alone.c: core as a library of its own: this program is linked with no other part of glint. */
#include "core/chain/chain.h"
#include "core/device/backend.h"
#include "core/ops/ops.h"
#include "core/plan/plan.h"

#include <string.h>

#include "tests/check.h"

static void a_chain_becomes_a_plan(void **state) {
    (void)state;
    Chain *chain = NULL;
    Plan *plan = NULL;
    const Shape shape = {64, 48, 3, PIXEL_U8};
    REQUIRE(chain_parse("gaussian=2,invert", &chain));
    REQUIRE(chain_plan(chain, shape, (PlanOptions){.border = {BORDER_CLAMP, 0}}, &plan));
    assert_int_equal(plan_stage_count(plan), 2);
    assert_string_equal(plan_stage(plan, 0)->stage.op->name, "convolve");
    assert_string_equal(plan_stage(plan, 1)->stage.op->name, "point");
    assert_true(shape_equal(plan_value_shape(plan, plan_result(plan)), shape));
    assert_true(stage_cost(&plan_stage(plan, 0)->stage).flops > 0);
    plan_destroy(&plan);
    chain_destroy(&chain);
}

static void what_nobody_registered_is_not_there(void **state) {
    (void)state;
    Device *device = NULL;
    const char *passed_over;
    assert_int_equal(backend_count(), 0);
    assert_int_equal(backend_open("cpu", 0, 0, &device, &passed_over), STATUS_USAGE);
    assert_string_equal(status_message(), "backend \"cpu\": want auto");
    assert_int_equal(backend_open("auto", 0, 0, &device, &passed_over), STATUS_DEVICE);
    assert_string_equal(status_message(), "no backend works here: none is registered");
    assert_null(device);
    assert_null(level_reference(op_by_name("convolve")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_becomes_a_plan),
        cmocka_unit_test(what_nobody_registered_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
