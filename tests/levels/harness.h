/* harness.h: the one harness over all tables: every level of every backend against the float64 reference
 * (core/run/verify.h), in awkward cases from fixed seeds. A new level, or a new operation, is tested without a change
 * here. GLINT_TEST_BACKEND names one backend; GLINT_TEST_QUICK leaves out tests that take long, for sanitizers. */
#ifndef GLINT_TESTS_LEVELS_HARNESS_H
#define GLINT_TESTS_LEVELS_HARNESS_H

#include "core/math/pcg.h"
#include "core/plan/lower.h"
#include "core/run/verify.h"
#include "core/tracer/plan_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define REQUIRE(expression)                                                                                            \
    do {                                                                                                               \
        if ((expression) != STATUS_OK)                                                                                 \
            fail_msg("%s: %s", #expression, status_message());                                                         \
    } while (0)

/* Sums over all cases of a level: the rule allows one value in a thousand to be off by one. `broken`: cases that break
 * the rule, each of which was printed; rule_holds_overall fails for them, so that one run shows them all. */
typedef struct Sums {
    size_t values, differing, cases, broken;
} Sums;

/* One backend's device. The tests' state is an array of them, one a backend, the CPU's first. */
typedef struct Bench {
    Device *device; /* NULL: it has none */
    Queue *queue;
    bool left_out; /* GLINT_TEST_BACKEND names another */
    Sums sums;
} Bench;

/* The instruction sets to go through; one that the machine lacks runs as the widest that it has. */
enum { ISAS = 3 };
extern const char *const isas[ISAS];

/* For the sanitizers, under which everything takes ten to a hundred times as long. */
bool is_quick(void);
size_t draw(Pcg *pcg, size_t count); /* 0 to count - 1 */

/* A plan whose value 0 is an image of this shape. */
Plan *plan_for(Shape shape, Border border);
/* The place of the level `lowest` on its ladder; 0 if that is NULL. */
size_t first_rung(const Backend *backend, const Op *op, const char *lowest);
/* Runs one case on every level of every backend; of their ladders only from level `lowest` on, if that is not NULL. */
void check_from(Bench *benches, const Stage *stage, const char *lowest);
void check_case(Bench *benches, const Stage *stage);
void check_not_finite(Bench *benches, const Stage *stage); /* with NaN and infinity among the values of f32 inputs */
/* Every stage of the plan, which it destroys. */
void check_plan(Bench *benches, Plan *plan);
/* The result of a stage by a level, through verify_run. */
Image *run_level(Queue *queue, const Level *level, const Stage *stage);

/* Open and close the devices. The last test of a group: over all its cases, at most one u8 or u16 value in a thousand
 * is off. */
int open_devices(void **state);
int close_devices(void **state);
void rule_holds_overall(void **state);

/* The groups of groups.def, one a file: they run their tests and return how many failed. */
#define GROUP(name) int levels_##name(void);
#include "tests/levels/groups.def"
#undef GROUP

#endif
