/* pressing.h: a viewer with a picture whose actions are asked for by keys, for tests of actions. */
#ifndef GLINT_TESTS_UNIT_VIEW_PRESSING_H
#define GLINT_TESTS_UNIT_VIEW_PRESSING_H

#include "app/view/actions/dispatch.h"
#include "tests/unit/view/fixture.h"

#define ASSETS GLINT_SOURCE_DIR "/assets/"

static inline int open_spark(void **state) {
    Viewer *viewer = make_viewer("gaussian=1", "best");
    assert_int_equal(viewer_open(viewer, ASSETS "spark.png"), STATUS_OK);
    *state = viewer;
    return 0;
}

static inline void press_all(Viewer *viewer, const char *keys) {
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", keys);
    for (const char *key = strtok_r(copy, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
        assert_int_equal(action_press(viewer, key, true), STATUS_OK);
}

static inline void assert_chain(Viewer *viewer, const char *want) {
    char chain[256];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, want);
}

#define WITH_SPARK(test) cmocka_unit_test_setup_teardown(test, open_spark, close_viewer)

#endif
