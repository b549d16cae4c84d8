/* strip_fixture.h: a viewer with eight open pictures, with sidecars or without, for tests of the strip. */
#ifndef GLINT_TESTS_UNIT_VIEW_STRIP_FIXTURE_H
#define GLINT_TESTS_UNIT_VIEW_STRIP_FIXTURE_H

#include "app/view/actions/dispatch.h"
#include "app/view/session/keep.h"
#include "core/chain/sidecar.h"
#include "tests/unit/view/fixture.h"

enum { PICTURES = 8 };

static inline const char *name_of(int number) {
    static char name[16];
    snprintf(name, sizeof name, "p%d.png", number);
    return name;
}

/* Eight pictures in a folder of their own, of which the first is shown. */
static inline int open_strip(void **state) {
    Viewer *viewer = make_viewer("", "best");
    char *paths[PICTURES];
    for (int i = 0; i < PICTURES; i++) {
        save_random(name_of(i + 1), 9, 7, (unsigned long)i + 1);
        paths[i] = strdup(name_of(i + 1));
    }
    REQUIRE(viewer_open_all(viewer, paths, PICTURES));
    for (int i = 0; i < PICTURES; i++)
        free(paths[i]);
    *state = viewer;
    return 0;
}

/* The same with sidecars, none of which is there yet. */
static inline int open_kept_strip(void **state) {
    char path[32];
    for (int i = 0; i < PICTURES; i++) {
        snprintf(path, sizeof path, "%s.glint", name_of(i + 1));
        remove(path);
    }
    char here[1024], folder[1100];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(folder, sizeof folder, "%s/state", here); /* relative ones are passed over */
    assert_int_equal(setenv("XDG_STATE_HOME", folder, 1), 0);
    remove("state/glint/state");
    Viewer *viewer = make_viewer("", "best");
    *state = viewer;
    REQUIRE(keep_begin(viewer, true));
    for (int i = 0; i < PICTURES; i++) {
        save_random(name_of(i + 1), 9, 7, (unsigned long)i + 1);
        REQUIRE(file_list_add(&viewer->pictures, name_of(i + 1), NULL));
    }
    REQUIRE(viewer_show_first(viewer, 0));
    return 0;
}

#define WITH_STRIP(test)      cmocka_unit_test_setup_teardown(test, open_strip, close_viewer)
#define WITH_KEPT_STRIP(test) cmocka_unit_test_setup_teardown(test, open_kept_strip, close_viewer)

static inline void command(Viewer *viewer, const char *line) {
    if (action_command(viewer, line, true) != STATUS_OK)
        fail_msg("%s: %s", line, status_message());
}

/* NULL: the picture has none. */
static inline Sidecar *sidecar_of(int number) {
    char path[32];
    Sidecar *sidecar = NULL;
    snprintf(path, sizeof path, "%s.glint", name_of(number));
    if (access(path, F_OK) == 0)
        REQUIRE(sidecar_load(path, &sidecar));
    return sidecar;
}

#endif
