/* fixture.h: calls of libglint that must succeed or be refused, and what its tests begin with: devices, plans, pixels.
 */
#ifndef GLINT_TESTS_LIBRARY_FIXTURE_H
#define GLINT_TESTS_LIBRARY_FIXTURE_H

#include <glint.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static GlintError error;

#define GOOD(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != GLINT_OK)                                                                                        \
            fail_msg("%s: %s", #call, error.sentence);                                                                 \
        assert_string_equal(error.sentence, "");                                                                       \
        assert_int_equal(error.status, GLINT_OK);                                                                      \
    } while (0)

/* The call fails with this status, and its sentence has these words. */
#define REFUSED(call, as, words)                                                                                       \
    do {                                                                                                               \
        assert_int_equal((call), (as));                                                                                \
        assert_int_equal(error.status, (as));                                                                          \
        if (!strstr(error.sentence, (words)))                                                                          \
            fail_msg("%s: says \"%s\", not \"%s\"", #call, error.sentence, (words));                                   \
    } while (0)

static inline GlintDevice *open_cpu(int threads) {
    GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
    GlintDevice *device = NULL;
    options.backend = "cpu";
    options.threads = threads;
    GOOD(glint_open(&options, &device, &error));
    return device;
}

static inline GlintPlan *plan_of(GlintDevice *device, const char *text, GlintShape shape,
                                 const GlintPlanOptions *options) {
    GlintChain *chain;
    GlintPlan *plan;
    GOOD(glint_chain(text, &chain, &error));
    GOOD(glint_plan(device, chain, &shape, options, &plan, &error));
    glint_chain_free(chain); /* the plan stays */
    return plan;
}

/* Some bytes that no two pictures share. */
static inline void scribble(unsigned char *bytes, size_t count, unsigned seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(seed >> 24);
    }
}

static inline GlintCopied copied_by(GlintPlan *plan) {
    GlintCopied copied = GLINT_COPIED;
    GOOD(glint_copied(plan, &copied, &error));
    return copied;
}

#endif
