/* occupancy.c: resident blocks of every level's last launch, by our table and by the device's runtime. */
#include "core/device/occupancy.h"
#include "core/ops/ops.h"
#include "tests/levels/harness.h"

/* How often the two were compared, and differed. */
typedef struct Agreement {
    size_t compared, differing;
} Agreement;

static void compare(Bench *bench, const Level *level, const Stage *stage, Agreement *agreement) {
    LaunchFacts facts = {0};
    Occupancy ours = {.blocks = 0};
    Image *result = run_level(bench->queue, level, stage);
    image_destroy(&result);
    REQUIRE(backend_telemetry(bench->device->backend)->facts(bench->queue, &facts));
    const Multiprocessor *multiprocessor = multiprocessor_find(facts.major, facts.minor);
    if (facts.threads == 0 || !multiprocessor) /* it launches nothing of ours, or the device is newer than the table */
        return;
    REQUIRE(occupancy_of(multiprocessor, facts.registers, facts.shared_bytes, facts.threads, &ours));
    agreement->compared++;
    agreement->differing += ours.blocks != facts.blocks;
    if (ours.blocks != facts.blocks)
        print_error("%s of %s: %d blocks, the runtime says %d (%d registers, %zu bytes, %d threads)\n", level->name,
                    stage->op->name, ours.blocks, facts.blocks, facts.registers, facts.shared_bytes, facts.threads);
}

static void compare_ladder(Bench *bench, const Stage *stage, Agreement *agreement) {
    const Level *level;
    const char *why_not;
    for (size_t i = 0; (level = ladder_level(bench->device->backend, stage->op, i)); i++)
        if (level_accepts(level, bench->device, stage, &why_not))
            compare(bench, level, stage, agreement);
}

static void compare_examples(Bench *bench, Shape shape, Agreement *agreement) {
    for (size_t o = 0; o < op_count; o++)
        for (size_t e = 0; e < ops[o]->example_count; e++) {
            Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
            int out;
            if (plan_example(plan, ops[o], e, shape, &out) == STATUS_OK)
                for (size_t i = 0; i < plan_stage_count(plan); i++)
                    compare_ladder(bench, &plan_stage(plan, i)->stage, agreement);
            plan_destroy(&plan);
        }
}

static void the_table_agrees_with_the_runtime(void **state) {
    static const Shape shapes[] = {
        {67, 41, 4, PIXEL_U8}, {512, 256, 1, PIXEL_U8}, {512, 256, 3, PIXEL_U16}, {512, 256, 1, PIXEL_F32}};
    Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++) {
        Agreement agreement = {0, 0};
        if (!benches[b].device || benches[b].left_out || !backend_telemetry(backend_at(b))->facts) {
            print_message("%s: no device that tells of its kernels\n", backend_at(b)->name);
            continue;
        }
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            compare_examples(&benches[b], shapes[i], &agreement);
        print_message("%s: %zu launches compared, %zu differ\n", backend_at(b)->name, agreement.compared,
                      agreement.differing);
        assert_int_equal(agreement.differing, 0);
    }
}

int levels_occupancy(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_agrees_with_the_runtime)};
    return cmocka_run_group_tests_name("levels, occupancy", tests, open_devices, close_devices);
}
