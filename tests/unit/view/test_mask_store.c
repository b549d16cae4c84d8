/* test_mask_store.c: painted masks go once nothing names them any more, and they are old. */
#include "app/view/session/mask_store.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tests/check.h"

#define DAY ((time_t)24 * 60 * 60)

static char home[PATH_MAX];
static time_t now;

static const char *at(const char *name) {
    static char paths[4][PATH_MAX + 256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", home, name);
    return path;
}

static void folder(const char *name) {
    assert_int_equal(mkdir(at(name), 0700), 0);
}

/* A file that was changed so many days ago. */
static void put(const char *name, const char *text, int days) {
    const struct timespec times[2] = {{.tv_sec = now - days * DAY}, {.tv_sec = now - days * DAY}};
    FILE *file = fopen(at(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(utimensat(AT_FDCWD, at(name), times, 0), 0);
}

static void age(const char *name, int days) {
    const struct timespec times[2] = {{.tv_sec = now - days * DAY}, {.tv_sec = now - days * DAY}};
    assert_int_equal(utimensat(AT_FDCWD, at(name), times, 0), 0);
}

static bool is_there(const char *name) {
    return access(at(name), F_OK) == 0;
}

/* A new state: the folders of glint, with two old strokes and a new one. */
static int begin(void **state) {
    static int count;
    (void)state;
    char name[32];
    snprintf(name, sizeof name, "state%d", ++count);
    if (!realpath(".", home) || strlen(home) + sizeof name + 2 > sizeof home)
        return -1;
    snprintf(home + strlen(home), sizeof name + 1, "/%s", name);
    now = time(NULL);
    if (mkdir(home, 0700) != 0)
        return -1;
    setenv("XDG_STATE_HOME", home, 1);
    setenv("XDG_CONFIG_HOME", home, 1);
    folder("glint");
    folder("glint/masks");
    folder("glint/edits");
    folder("glint/masks/AbCdEf");
    put("glint/masks/AbCdEf/1.png", "1", 40);
    put("glint/masks/AbCdEf/2.png", "2", 31);
    put("glint/masks/AbCdEf/3.png", "3", 29);
    put("photo.png", "picture", 40);
    return 0;
}

static void note(const char *sidecar, const char *text) {
    put(sidecar, text, 40);
    mask_store_note(at(sidecar), text);
}

#define NAMES_1 "filter = gaussian=9:within=/state/glint/masks/AbCdEf/1.png\n"

static void old_strokes_without_a_name_go(void **state) {
    (void)state;
    mask_store_clean(now);
    assert_false(is_there("glint/masks/AbCdEf/1.png"));
    assert_false(is_there("glint/masks/AbCdEf/2.png"));
    assert_true(is_there("glint/masks/AbCdEf/3.png"));
    mask_store_clean(now + 2 * DAY);
    assert_false(is_there("glint/masks/AbCdEf"));
}

static void strokes_that_a_sidecar_names_stay(void **state) {
    (void)state;
    note("photo.png.glint", NAMES_1);
    mask_store_clean(now); /* it was named today */
    assert_true(is_there("glint/masks/AbCdEf/2.png"));
    age("glint/masks/AbCdEf/sidecars", 31);
    mask_store_clean(now);
    assert_true(is_there("glint/masks/AbCdEf/1.png"));
    assert_false(is_there("glint/masks/AbCdEf/2.png"));
    put("photo.png.glint", "filter = invert\n", 0); /* the edit is gone */
    mask_store_clean(now + 40 * DAY);
    assert_false(is_there("glint/masks/AbCdEf"));
}

static void a_sidecar_that_was_removed_names_nothing(void **state) {
    (void)state;
    note("photo.png.glint", NAMES_1);
    age("glint/masks/AbCdEf/sidecars", 31);
    unlink(at("photo.png.glint"));
    mask_store_clean(now);
    assert_false(is_there("glint/masks/AbCdEf/1.png"));
}

/* Then the picture may have moved, and its sidecar with it. */
static void strokes_of_a_picture_that_is_gone_stay(void **state) {
    (void)state;
    note("photo.png.glint", NAMES_1);
    age("glint/masks/AbCdEf/sidecars", 31);
    rename(at("photo.png.glint"), at("moved.png.glint"));
    rename(at("photo.png"), at("moved.png"));
    mask_store_clean(now);
    assert_true(is_there("glint/masks/AbCdEf/1.png"));
    assert_true(is_there("glint/masks/AbCdEf/2.png"));
}

static void sidecars_in_the_state_and_presets_count(void **state) {
    (void)state;
    put("glint/edits/1f0a-photo.png.glint", NAMES_1, 40);
    put("glint/chains.txt", "mine = box:within=/state/glint/masks/AbCdEf/2.png\n", 40);
    mask_store_clean(now + 100 * DAY);
    assert_true(is_there("glint/masks/AbCdEf/1.png"));
    assert_true(is_there("glint/masks/AbCdEf/2.png"));
    assert_false(is_there("glint/masks/AbCdEf/3.png"));
}

static void a_file_that_cannot_be_read_leaves_all(void **state) {
    (void)state;
    folder("glint/edits/2a-photo.png.glint");
    mask_store_clean(now);
    assert_true(is_there("glint/masks/AbCdEf/1.png"));
}

static void what_a_transcript_names_stays(void **state) {
    (void)state;
    put("glint/masks/AbCdEf/" MASK_KEPT_NAME, "", 40);
    mask_store_clean(now + 100 * DAY);
    assert_true(is_there("glint/masks/AbCdEf/1.png"));
    assert_true(is_there("glint/masks/AbCdEf/3.png"));
}

static void a_sidecar_is_listed_once_and_only_where_it_names_masks(void **state) {
    char text[PATH_MAX + 64] = "";
    (void)state;
    folder("glint/masks/GhIjKl");
    note("photo.png.glint", NAMES_1);
    note("photo.png.glint", NAMES_1);
    assert_false(is_there("glint/masks/GhIjKl/sidecars"));
    FILE *file = fopen(at("glint/masks/AbCdEf/sidecars"), "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    text[strcspn(text, "\n")] = '\0';
    assert_string_equal(text, at("photo.png.glint"));
    assert_null(fgets(text, sizeof text, file));
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(old_strokes_without_a_name_go, begin),
        cmocka_unit_test_setup(strokes_that_a_sidecar_names_stay, begin),
        cmocka_unit_test_setup(a_sidecar_that_was_removed_names_nothing, begin),
        cmocka_unit_test_setup(strokes_of_a_picture_that_is_gone_stay, begin),
        cmocka_unit_test_setup(sidecars_in_the_state_and_presets_count, begin),
        cmocka_unit_test_setup(a_file_that_cannot_be_read_leaves_all, begin),
        cmocka_unit_test_setup(what_a_transcript_names_stays, begin),
        cmocka_unit_test_setup(a_sidecar_is_listed_once_and_only_where_it_names_masks, begin),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
