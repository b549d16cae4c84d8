/* test_bulk.c: ratings and edits for many pictures: few at once, many while the window goes on, and stopped between. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/session/keep.h"
#include "app/view/session/strip.h"
#include "app/view/tools/bulk.h"
#include "core/chain/sidecar.h"

#include "tests/unit/view/fixture.h"

enum { PICTURES = 3000 };

static void name_of(size_t number, char name[static 32]) {
    snprintf(name, 32, "many/p%04zu.ppm", number);
}

static int open_many(void **state) {
    Viewer *viewer = make_viewer("", "best");
    char *const paths[] = {"many"};
    REQUIRE(keep_begin(viewer, true));
    REQUIRE(viewer_open_all(viewer, paths, 1));
    *state = viewer;
    return 0;
}

static int close_many(void **state) {
    REQUIRE(keep_end(*state));
    return close_viewer(state) != 0 || system("rm -f many/*.glint") != 0;
}

static int rating_on_disk(size_t number) {
    char path[64], name[32];
    Sidecar *sidecar;
    name_of(number, name);
    snprintf(path, sizeof path, "%s" SIDECAR_ENDING, name);
    if (access(path, F_OK) != 0)
        return 0;
    REQUIRE(sidecar_load(path, &sidecar));
    const int rating = sidecar->rating;
    sidecar_destroy(&sidecar);
    return rating;
}

static size_t count_rated(int rating) {
    size_t count = 0;
    for (size_t i = 0; i < PICTURES; i++)
        count += rating_on_disk(i) == rating;
    return count;
}

static bool goes_on(const Viewer *viewer, size_t *done) {
    const char *doing;
    size_t count;
    return bulk_goes_on(viewer, &doing, done, &count);
}

/* Esc stops behind the pictures that are being written; the message has the number of those on the disk. */
static void esc_stops_between_pictures(void **state) {
    Viewer *viewer = *state;
    size_t done = 0;
    char want[64];
    REQUIRE(action_press(viewer, "Ctrl+A", true));
    REQUIRE(action_by_hand(viewer, action_by_name("rate"), (Call){.text = "3"}));
    assert_true(goes_on(viewer, &done) && done > 0 && done < PICTURES);
    assert_int_equal(action_by_hand(viewer, action_by_name("reject"), (Call){.pressed = true}), STATUS_USAGE);
    tools_go_on(viewer, clock_ms());
    assert_true(goes_on(viewer, &done) && done < PICTURES);
    REQUIRE(action_press(viewer, "Esc", true));
    assert_false(goes_on(viewer, &done));
    const size_t rated = count_rated(3);
    assert_true(rated > 0 && rated < PICTURES);
    snprintf(want, sizeof want, "Stopped: %zu of %d pictures are rated: 3 stars", rated, PICTURES);
    assert_string_equal(viewer->toast.text, want);
}

/* The window goes on meanwhile: each pass of its loop is short. */
static void many_are_rated_meanwhile(void **state) {
    Viewer *viewer = *state;
    size_t done;
    REQUIRE(strip_select(viewer, "all"));
    REQUIRE(action_by_hand(viewer, action_by_name("rate"), (Call){.text = "2"}));
    while (goes_on(viewer, &done))
        tools_go_on(viewer, clock_ms());
    assert_string_equal(viewer->toast.text, "3000 pictures: 2 stars");
    assert_int_equal(count_rated(2), PICTURES);
    assert_int_equal(strip_rating(viewer, PICTURES - 1), 2);
}

/* One of them is damaged, and stays as it is; all others have the rating. A script waits. */
static void a_damaged_one_is_told(void **state) {
    Viewer *viewer = *state;
    write_text("many/p0007.ppm" SIDECAR_ENDING, "no sidecar");
    REQUIRE(strip_select(viewer, "1-20"));
    assert_int_equal(action_command(viewer, "rate 5", true), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "p0007.ppm.glint"));
    for (size_t i = 0; i < 20; i++)
        if (i != 7)
            assert_int_equal(rating_on_disk(i), 5);
    FILE *file = fopen("many/p0007.ppm" SIDECAR_ENDING, "r");
    char text[32] = "";
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "no sidecar");
}

static int prepare(void **state) {
    if (backends_register() != STATUS_OK || make_folder(state) != 0 || system("mkdir many") != 0)
        return -1;
    char own[PATH_CAPACITY], name[32];
    setenv("XDG_STATE_HOME", getcwd(own, sizeof own), 1);
    for (size_t i = 0; i < PICTURES; i++) {
        name_of(i, name);
        write_text(name, "P5\n2 2\n255\nabcd");
    }
    return 0;
}

static int clean(void **state) {
    return system("rm -rf many glint") != 0 || remove_folder(state);
}

#define WITH_MANY(test) cmocka_unit_test_setup_teardown(test, open_many, close_many)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_MANY(esc_stops_between_pictures),
        WITH_MANY(many_are_rated_meanwhile),
        WITH_MANY(a_damaged_one_is_told),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
