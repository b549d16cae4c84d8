/* test_strip.c: the strip of open pictures: selecting several of them, ratings, and the pictures that it has for them.
 */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/session/strip.h"

#include "tests/unit/view/strip_fixture.h"

enum { MANY = 2000 };

/* ---- selecting ---- */

/* The numbers of the pictures that actions are for, in one word: "2456". */
static const char *selected(const Viewer *viewer) {
    static char numbers[PICTURES + 1];
    size_t count = 0;
    for (size_t i = 0; i < viewer->pictures.count; i++)
        if (strip_selected(viewer, i))
            numbers[count++] = (char)('1' + i);
    numbers[count] = '\0';
    return numbers;
}

static void numbers_and_ranges_select(void **state) {
    Viewer *viewer = *state;
    static const struct {
        const char *text, *want;
        size_t count;
    } steps[] = {{"2 4-6", "2456", 4},   {"7,8", "78", 2}, {"+1", "178", 3}, {"-7-8", "1", 1},
                 {"all", "12345678", 8}, {"-2-8", "1", 1}, {"none", "1", 0}, {"+3", "13", 2},
                 {"-1", "3", 1},         {"none", "1", 0}, {"-4", "1", 1},   {" 5  6 ", "56", 2},
                 {"+all", "12345678", 8}};
    assert_string_equal(selected(viewer), "1"); /* the shown one stands for itself */
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        REQUIRE(strip_select(viewer, steps[i].text));
        assert_string_equal(selected(viewer), steps[i].want);
        assert_int_equal(strip_selection(viewer), steps[i].count);
    }
}

static void other_texts_select_nothing(void **state) {
    Viewer *viewer = *state;
    static const char *const texts[] = {"",  "0",   "9",  "2 9",   "4-",   "6-4",   "-",
                                        "+", "1-9", "2x", "every", "1--2", "1 all", "99999999999999999999"};
    REQUIRE(strip_select(viewer, "2 3"));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(strip_select(viewer, texts[i]), STATUS_USAGE);
        assert_non_null(strstr(status_message(), "want numbers from 1 to 8, as in 2 4-6, or all, or none"));
        assert_string_equal(selected(viewer), "23");
    }
}

/* Ctrl+A, the command of scripts, Esc. The strip comes, so that the selection is seen. */
static void actions_select(void **state) {
    Viewer *viewer = *state;
    REQUIRE(action_press(viewer, "Ctrl+A", true));
    assert_int_equal(strip_selection(viewer), PICTURES);
    assert_true(strip_is_open(viewer));
    REQUIRE(action_press(viewer, "Esc", true));
    assert_int_equal(strip_selection(viewer), 0);
    REQUIRE(action_press(viewer, "Esc", true));
    assert_true(strip_is_open(viewer)); /* it is no tool that Esc puts away */
    command(viewer, "select-pictures 2 4-6");
    assert_string_equal(selected(viewer), "2456");
    assert_string_equal(viewer->toast.text, "4 of 8 pictures selected");
    assert_int_equal(action_command(viewer, "select-pictures 12", true), STATUS_USAGE);
}

/* A picture of the selection is looked at within it; another one ends it, and begins the next range. */
static void opening_another_ends_the_selection(void **state) {
    Viewer *viewer = *state;
    REQUIRE(strip_select(viewer, "2 4-6"));
    command(viewer, "picture 5");
    assert_string_equal(selected(viewer), "2456");
    assert_int_equal(viewer->pictures.anchor, 4);
    REQUIRE(viewer_reload(viewer));
    assert_string_equal(selected(viewer), "2456");
    REQUIRE(action_press(viewer, "Right", true));
    REQUIRE(action_press(viewer, "Right", true));
    assert_string_equal(selected(viewer), "7");
    assert_int_equal(strip_selection(viewer), 0);
    assert_int_equal(viewer->pictures.anchor, 6);
}

/* Pictures that join the list are not selected; in a scene none stands for itself. */
static void the_list_grows_and_hides(void **state) {
    Viewer *viewer = *state;
    save_random("p9.png", 9, 7, 9);
    REQUIRE(strip_select(viewer, "all"));
    REQUIRE(viewer_open(viewer, "p9.png"));
    assert_int_equal(viewer->pictures.count, PICTURES + 1);
    assert_int_equal(strip_selection(viewer), 0);
    assert_true(strip_selected(viewer, PICTURES));
    REQUIRE(viewer_open_scene(viewer, "spheres=2"));
    assert_false(strip_selected(viewer, PICTURES));
    assert_false(strip_selected(viewer, PICTURES + 1));
}

/* Every name of a file that is open leads to its entry: another path to it, a link, its folder. */
static void a_file_is_in_the_list_once(void **state) {
    char whole[PATH_CAPACITY];
    Viewer *viewer = *state;
    assert_non_null(realpath("p3.png", whole));
    remove("link.png");
    assert_int_equal(symlink("p5.png", "link.png"), 0);
    const struct {
        const char *path, *title;
    } names[] = {{"p3.png", "p3.png"}, {"./p7.png", "p7.png"}, {whole, "p3.png"}, {"link.png", "p5.png"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        REQUIRE(viewer_open(viewer, names[i].path));
        assert_int_equal(viewer->pictures.count, PICTURES);
        assert_string_equal(viewer_title(viewer), names[i].title);
        assert_string_equal(viewer->pictures.paths[viewer->pictures.current], names[i].title);
    }
    char *const both[] = {(char[]){"p2.png"}, (char[]){"./p2.png"}};
    REQUIRE(viewer_open_all(viewer, both, 2));
    assert_int_equal(viewer->pictures.count, PICTURES);
    char *const mixed[] = {(char[]){"p4.png"}, (char[]){"p9.png"}};
    save_random("p9.png", 9, 7, 9);
    REQUIRE(viewer_open_all(viewer, mixed, 2)); /* the first one is shown, though it is not new */
    assert_int_equal(viewer->pictures.count, PICTURES + 1);
    assert_string_equal(viewer_title(viewer), "p4.png");
    remove("link.png");
}

/* It comes with the edits that were made since; a new file next to it does not take its place. */
static void a_file_that_is_opened_again_has_its_edits(void **state) {
    char chain[64];
    Viewer *viewer = *state;
    command(viewer, "filter gaussian=3");
    command(viewer, "picture 2");
    assert_int_equal(viewer->request->chain->count, 0);
    REQUIRE(viewer_open(viewer, "./p1.png"));
    assert_int_equal(viewer->pictures.count, PICTURES);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=3");
    REQUIRE(viewer_open(viewer, "./p1.png"));
    assert_int_equal(viewer->request->chain->count, 1);
    assert_int_equal(link("p1.png", "hard.png"), 0);
    REQUIRE(viewer_open(viewer, "hard.png"));
    assert_int_equal(viewer->pictures.count, PICTURES + 1);
    assert_int_equal(viewer->request->chain->count, 0);
    remove("hard.png");
}

/* It comes with the second picture, where nobody has said otherwise; a choice by hand holds for all that follows. */
static void the_strip_opens_with_several_pictures(void **state) {
    Viewer *viewer = *state;
    assert_true(strip_is_open(viewer));
    viewer->mode = MODE_SPEED;
    assert_false(strip_is_open(viewer));
    viewer->mode = MODE_PICTURE;
    REQUIRE(viewer_open_scene(viewer, "spheres=2")); /* none of the list */
    assert_false(strip_is_open(viewer));
    command(viewer, "picture 2");
    REQUIRE(action_press(viewer, "I", true));
    assert_false(strip_is_open(viewer));
    command(viewer, "picture 3");
    assert_false(strip_is_open(viewer));
    REQUIRE(action_press(viewer, "I", true));
    viewer->mode = MODE_SPEED;
    assert_true(strip_is_open(viewer));
    viewer->strip = STRIP_UNDECIDED;
    viewer->mode = MODE_UNDECIDED;
    file_list_shorten(&viewer->pictures, 1);
    viewer->pictures.current = 0;
    assert_false(strip_is_open(viewer));
}

/* Closed by hand, it stays closed in the next run; opened by itself, it is no choice that is kept. */
static void a_closed_strip_stays_closed(void **state) {
    static const StripChoice choices[] = {STRIP_UNDECIDED, STRIP_CLOSED, STRIP_OPENED};
    Viewer *viewer = *state;
    for (size_t i = 0; i < 3; i++) {
        viewer->strip = choices[i];
        REQUIRE(keep_end(viewer));
        viewer->strip = STRIP_UNDECIDED;
        REQUIRE(keep_begin(viewer, true));
        assert_int_equal(viewer->strip, choices[i]);
    }
}

/* ---- rating ---- */

/* The rating that its file has; -9: there is none. */
static int rating_of(int number) {
    Sidecar *sidecar = sidecar_of(number);
    const int rating = sidecar ? sidecar->rating : -9;
    sidecar_destroy(&sidecar);
    return rating;
}

static size_t edits_of(int number) {
    Sidecar *sidecar = sidecar_of(number);
    const size_t count = sidecar ? sidecar->count : 0;
    sidecar_destroy(&sidecar);
    return count;
}

/* As a photographer does: a digit, the next picture, a digit. */
static void digits_rate_several_pictures(void **state) {
    Viewer *viewer = *state;
    REQUIRE(action_press(viewer, "4", true));
    assert_string_equal(viewer->toast.text, "p1.png: 4 stars");
    assert_int_equal(rating_of(1), 4);
    assert_int_equal(edits_of(1), 0);
    REQUIRE(action_press(viewer, "Right", true));
    REQUIRE(action_press(viewer, "Ctrl+X", true));
    assert_int_equal(rating_of(2), RATING_REJECTED);
    REQUIRE(action_press(viewer, "Ctrl+X", true));
    assert_int_equal(rating_of(2), 0);
    assert_int_equal(rating_of(3), -9);
    command(viewer, "select-pictures 4-6");
    command(viewer, "rate 2");
    assert_string_equal(viewer->toast.text, "3 pictures: 2 stars");
    for (int i = 4; i <= 6; i++)
        assert_int_equal(rating_of(i), 2);
    assert_int_equal(rating_of(2), 0);
    assert_int_equal(strip_rating(viewer, 4), 2);
    assert_int_equal(action_command(viewer, "rate 6", true), STATUS_USAGE);
    assert_int_not_equal(viewer->mode, MODE_SPEED);
}

static const char *name_of_key(const Viewer *viewer, const char *key) {
    const Action *action = action_for_key(viewer, key);
    return action ? action->name : "";
}

/* A key belongs to the mode whose panels have its thing: digits and arrows are levels in Speed alone. */
static void keys_belong_to_modes(void **state) {
    static const struct {
        const char *key, *picture, *speed;
    } keys[] = {{"0", "rate", "level"},
                {"5", "rate", "level"},
                {"6", "", "level"},
                {"9", "", "level"},
                {"Up", "previous-picture", "next-level"},
                {"Down", "next-picture", "previous-level"},
                {"Left", "previous-picture", "previous-picture"},
                {"Home", "first-picture", "first-picture"},
                {"End", "last-picture", "best-level"},
                {"l", "", "race"},
                {"F2", "", "machine"},
                {"k", "", "facts"}};
    Viewer *viewer = *state;
    for (int several = 1; several >= 0; several--) {
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            viewer->mode = MODE_PICTURE;
            assert_string_equal(name_of_key(viewer, keys[i].key), keys[i].picture);
            viewer->mode = MODE_SPEED;
            assert_string_equal(name_of_key(viewer, keys[i].key), keys[i].speed);
        }
        file_list_shorten(&viewer->pictures, 1);
    }
    viewer->mode = MODE_PICTURE;
    assert_int_equal(action_press(viewer, "7", true), STATUS_USAGE);
    assert_string_equal(status_message(), "7 (level) is a key of the mode Speed, which Ctrl+Tab shows");
    assert_string_equal(viewer->request->level, "best");
    assert_int_equal(viewer->mode, MODE_PICTURE);
    REQUIRE(action_press(viewer, "3", true)); /* a single picture, too */
    assert_int_equal(strip_rating(viewer, 0), 3);
    command(viewer, "level naive"); /* asked for by its name, it shows its panels */
    assert_int_equal(viewer->mode, MODE_SPEED);
}

/* Past those that the strip hides. */
static void home_and_end_go_to_the_ends_of_the_strip(void **state) {
    Viewer *viewer = *state;
    static const struct {
        const char *key, *title;
    } presses[] = {{"End", "p8.png"}, {"End", "p8.png"}, {"Up", "p7.png"}, {"Home", "p1.png"}, {"Down", "p2.png"}};
    for (size_t i = 0; i < sizeof presses / sizeof presses[0]; i++) {
        REQUIRE(action_press(viewer, presses[i].key, true));
        assert_string_equal(viewer_title(viewer), presses[i].title);
    }
    command(viewer, "select-pictures 3-6");
    command(viewer, "rate 5");
    command(viewer, "show-rated 5");
    REQUIRE(action_press(viewer, "End", true));
    assert_string_equal(viewer_title(viewer), "p6.png");
    REQUIRE(action_press(viewer, "Home", true));
    assert_string_equal(viewer_title(viewer), "p3.png");
}

/* Ratings and edits do not lose each other, nor lines of a later version. */
static void ratings_and_edits_share_a_sidecar(void **state) {
    Viewer *viewer = *state;
    write_text("p3.png.glint", "glint edits 1\nhue = 7\nrating = 5\nedit = as it began\nfilter =\nedit = add invert\n"
                               "filter = invert\nshown = 2\n");
    command(viewer, "rate 3");
    REQUIRE(viewer_set_chain(viewer, "gaussian=2", FALLBACK_BEST));
    REQUIRE(keep_write(viewer));
    assert_int_equal(rating_of(1), 3);
    assert_int_equal(edits_of(1), 2);
    command(viewer, "picture 3");
    assert_int_equal(strip_rating(viewer, 2), 5);
    assert_int_equal(viewer->request->chain->count, 1);
    command(viewer, "rate 1");
    assert_int_equal(edits_of(3), 2);
    command(viewer, "select-pictures 1");
    command(viewer, "rate rejected");
    assert_int_equal(rating_of(1), RATING_REJECTED);
    assert_int_equal(edits_of(1), 2);
    Sidecar *sidecar = sidecar_of(3);
    assert_int_equal(sidecar->rating, 1);
    assert_int_equal(sidecar->other_count, 1);
    assert_string_equal(sidecar->others[0].value, "7");
    assert_string_equal(sidecar->edits[sidecar->shown].chain, "invert");
    sidecar_destroy(&sidecar);
    command(viewer, "picture 1");
    assert_int_equal(strip_rating(viewer, 0), RATING_REJECTED);
    REQUIRE(viewer_undo(viewer));
    assert_int_equal(viewer->request->chain->count, 0);
}

/* A picture with a rating alone begins as all do: with the window's own filters, and without an edit. */
static void a_rating_is_no_edit(void **state) {
    Viewer *viewer = *state;
    write_text("p2.png.glint", "glint edits 1\nrating = 2\n");
    REQUIRE(action_press(viewer, "Right", true));
    assert_int_equal(strip_rating(viewer, 1), 2);
    assert_int_equal(viewer->edits.count, 1);
    REQUIRE(keep_write(viewer));
    assert_int_equal(edits_of(2), 0);
}

/* The others are rated all the same. */
static void what_cannot_be_rated_is_named(void **state) {
    Viewer *viewer = *state;
    static const char foreign[] = "glint edits 9\nof a later glint\n";
    write_text("p3.png.glint", foreign);
    assert_int_equal(remove("p5.png"), 0);
    command(viewer, "select-pictures 2-6");
    assert_int_equal(action_command(viewer, "rate 4", true), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "p3.png.glint: line 1: version 9 is of a newer glint"));
    assert_int_equal(rating_of(2), 4);
    assert_int_equal(rating_of(4), 4);
    assert_int_equal(rating_of(6), 4);
    assert_int_equal(strip_rating(viewer, 2), 0);
    assert_int_equal(rating_of(5), -9);
    command(viewer, "select-pictures 5");
    assert_int_equal(action_command(viewer, "rate 4", true), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "p5.png is gone"));
    char text[64] = "";
    FILE *file = fopen("p3.png.glint", "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), sizeof foreign - 1);
    fclose(file);
    assert_string_equal(text, foreign);
}

/* A name without room for an ending stands for a folder that cannot be written: the state's folder has the sidecar. */
static void ratings_find_another_place(void **state) {
    Viewer *viewer = *state;
    char name[256];
    memset(name, 'a', 250);
    snprintf(name + 246, sizeof name - 246, ".png");
    save_random(name, 9, 7, 9);
    REQUIRE(file_list_add(&viewer->pictures, name, NULL));
    command(viewer, "select-pictures 9");
    command(viewer, "rate 5");
    assert_int_equal(keep_rating(viewer, name), 5);
    remove(name);
}

/* Without sidecars a rating is the window's alone. */
static void without_sidecars_ratings_stay_in_the_window(void **state) {
    Viewer *viewer = *state;
    command(viewer, "rate 4");
    command(viewer, "picture 2");
    command(viewer, "picture 1");
    assert_int_equal(strip_rating(viewer, 0), 4);
    assert_int_equal(rating_of(1), -9);
}

/* ---- showing ---- */

/* The numbers of the pictures that the strip has. */
static const char *shown(const Viewer *viewer) {
    static char numbers[PICTURES + 1];
    size_t count = 0;
    for (size_t i = 0; i < viewer->pictures.count; i++)
        if (strip_shows(viewer, i))
            numbers[count++] = (char)('1' + i);
    numbers[count] = '\0';
    return numbers;
}

static void rate_all(Viewer *viewer, const char *ratings) {
    char line[64];
    for (int i = 0; i < PICTURES; i++) {
        snprintf(line, sizeof line, "select-pictures %d", i + 1);
        command(viewer, line);
        snprintf(line, sizeof line, "rate %s", ratings[i] == 'x' ? "rejected" : (char[]){ratings[i], '\0'});
        command(viewer, line);
    }
    command(viewer, "select-pictures none");
}

static void the_strip_has_pictures_by_stars(void **state) {
    Viewer *viewer = *state;
    static const struct {
        const char *show, *want;
    } cases[] = {{"all", "12345678"}, {"unrejected", "134567"}, {"1", "13567"}, {"3", "156"}, {"5", "6"}, {"4", "16"},
                 {"2", "1567"}};
    rate_all(viewer, "4x10352x");
    assert_string_equal(strip_showing(viewer), "all");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        REQUIRE(strip_show(viewer, cases[i].show));
        assert_string_equal(shown(viewer), cases[i].want);
        assert_string_equal(strip_showing(viewer), cases[i].show);
    }
    assert_int_equal(strip_show(viewer, "0"), STATUS_USAGE);
    assert_int_equal(strip_show(viewer, "6"), STATUS_USAGE);
    assert_int_equal(strip_show(viewer, ""), STATUS_USAGE);
    assert_string_equal(strip_showing(viewer), "2");
}

static void steps_go_through_the_strip(void **state) {
    Viewer *viewer = *state;
    static const char *const titles[] = {"p5.png", "p6.png", "p1.png", "p5.png"};
    rate_all(viewer, "4x10352x");
    command(viewer, "show-rated 3");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        REQUIRE(action_press(viewer, "Right", true));
        assert_string_equal(viewer_title(viewer), titles[i]);
    }
    REQUIRE(action_press(viewer, "Left", true));
    assert_string_equal(viewer_title(viewer), "p1.png");
    command(viewer, "picture 2"); /* by its number, whatever the strip has */
    REQUIRE(action_press(viewer, "Left", true));
    assert_string_equal(viewer_title(viewer), "p1.png");
    command(viewer, "show-rated 5");
    REQUIRE(action_press(viewer, "Right", true));
    assert_string_equal(viewer_title(viewer), "p6.png");
    assert_int_equal(action_press(viewer, "Right", true), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "their ratings keep them out of the strip"));
}

/* Nothing is done with pictures that nobody sees. */
static void hidden_pictures_are_not_selected(void **state) {
    Viewer *viewer = *state;
    rate_all(viewer, "4x10352x");
    command(viewer, "select-pictures 1-4");
    command(viewer, "show-rated unrejected");
    assert_string_equal(selected(viewer), "134");
    command(viewer, "select-all");
    assert_string_equal(selected(viewer), "134567");
    command(viewer, "select-pictures 1-3");
    assert_string_equal(selected(viewer), "13");
    command(viewer, "rate rejected");
    assert_string_equal(selected(viewer), "1"); /* the shown one */
    command(viewer, "show-rated all");
    assert_int_equal(strip_selection(viewer), 0);
}

static void thousands_of_pictures_have_room(void **state) {
    Viewer *viewer = *state;
    char path[32];
    assert_int_equal(system("mkdir many"), 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "many/%04d.png", i);
        assert_int_equal(link("p1.png", path), 0);
    }
    REQUIRE(viewer_open(viewer, "many"));
    assert_int_equal(viewer->pictures.count, MANY + PICTURES);
    command(viewer, "select-pictures 1009 2008");
    command(viewer, "rate 5");
    command(viewer, "show-rated 5");
    command(viewer, "select-all");
    assert_int_equal(strip_selection(viewer), 2);
    REQUIRE(viewer_step_picture(viewer, 1));
    assert_string_equal(viewer_title(viewer), "many/1000.png");
    REQUIRE(viewer_step_picture(viewer, 1));
    assert_string_equal(viewer_title(viewer), "many/1999.png");
    assert_int_equal(strip_selection(viewer), 2);
}

/* The paths of the strip in one word: "p1p3". */
static const char *listed(const Viewer *viewer) {
    static char names[3 * PICTURES + 1];
    names[0] = '\0';
    for (size_t i = 0; i < viewer->pictures.count; i++)
        strncat(names, viewer->pictures.paths[i], 2);
    return names;
}

/* The selected ones, or the shown one; the next that stays is shown. Files stay on the disk, and one in the strip. */
static void pictures_leave_the_strip(void **state) {
    Viewer *viewer = *state;
    REQUIRE(strip_select(viewer, "2 5-6"));
    command(viewer, "take-off-strip");
    assert_string_equal(listed(viewer), "p1p3p4p7p8");
    assert_string_equal(viewer_title(viewer), "p1.png");
    command(viewer, "picture 5");
    command(viewer, "take-off-strip");
    assert_string_equal(listed(viewer), "p1p3p4p7");
    assert_string_equal(viewer_title(viewer), "p1.png");
    command(viewer, "picture 2");
    command(viewer, "take-off-strip");
    assert_string_equal(listed(viewer), "p1p4p7");
    assert_string_equal(viewer_title(viewer), "p4.png");
    assert_int_equal(viewer->pictures.current, 1);
    assert_string_equal(selected(viewer), "2");
    REQUIRE(strip_select(viewer, "all"));
    assert_int_equal(action_command(viewer, "take-off-strip", true), STATUS_USAGE);
    assert_string_equal(listed(viewer), "p1p4p7");
    assert_int_equal(access("p2.png", F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_STRIP(numbers_and_ranges_select),
        WITH_STRIP(other_texts_select_nothing),
        WITH_STRIP(actions_select),
        WITH_STRIP(opening_another_ends_the_selection),
        WITH_STRIP(the_list_grows_and_hides),
        WITH_STRIP(the_strip_opens_with_several_pictures),
        WITH_KEPT_STRIP(a_closed_strip_stays_closed),
        WITH_STRIP(a_file_is_in_the_list_once),
        WITH_KEPT_STRIP(a_file_that_is_opened_again_has_its_edits),
        WITH_KEPT_STRIP(digits_rate_several_pictures),
        WITH_KEPT_STRIP(keys_belong_to_modes),
        WITH_STRIP(home_and_end_go_to_the_ends_of_the_strip),
        WITH_KEPT_STRIP(ratings_and_edits_share_a_sidecar),
        WITH_KEPT_STRIP(a_rating_is_no_edit),
        WITH_KEPT_STRIP(what_cannot_be_rated_is_named),
        WITH_KEPT_STRIP(ratings_find_another_place),
        WITH_STRIP(without_sidecars_ratings_stay_in_the_window),
        WITH_STRIP(the_strip_has_pictures_by_stars),
        WITH_STRIP(steps_go_through_the_strip),
        WITH_KEPT_STRIP(hidden_pictures_are_not_selected),
        WITH_STRIP(pictures_leave_the_strip),
        WITH_KEPT_STRIP(thousands_of_pictures_have_room),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
