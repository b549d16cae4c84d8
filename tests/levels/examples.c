/* examples.c: the examples of every operation (core/op.h), also of one that no other file here knows. */
#include "tests/levels/harness.h"

/* The examples of every operation, also of one that this file does not know. */
static void examples_of_every_operation(void **state) {
    const Shape sizes[] = {{1, 1, 0, 0}, {67, 41, 0, 0}};
    for (size_t o = 0; o < op_count; o++)
        for (size_t e = 0; e < ops[o]->example_count; e++)
            for (int type = 0; type < PIXEL_TYPES; type++)
                for (int channels = is_quick() ? 3 : 1; channels <= (is_quick() ? 3 : 4); channels++)
                    for (size_t i = is_quick() ? 1 : 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                        const Shape shape = {sizes[i].width, sizes[i].height, channels, (PixelType)type};
                        Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
                        int out;
                        if (plan_example(plan, ops[o], e, shape, &out) == STATUS_OK)
                            check_plan(*state, plan);
                        else
                            plan_destroy(&plan);
                    }
}

/* What NaN and infinity become is a part of each operation's meaning. */
static void examples_with_values_that_are_not_finite(void **state) {
    for (size_t o = 0; o < op_count; o++)
        for (size_t e = 0; e < ops[o]->example_count; e++)
            for (int channels = is_quick() ? 4 : 1; channels <= 4; channels++) {
                const Shape shape = {67, 41, channels, PIXEL_F32};
                Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
                int out;
                if (plan_example(plan, ops[o], e, shape, &out) == STATUS_OK)
                    for (size_t i = 0; i < plan_stage_count(plan); i++)
                        check_not_finite(*state, &plan_stage(plan, i)->stage);
                plan_destroy(&plan);
            }
}

int levels_examples(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_every_operation),
        cmocka_unit_test(examples_with_values_that_are_not_finite),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, examples", tests, open_devices, close_devices);
}
