/* test_copied.c: edits of a picture, pasted onto others: all of them or chosen ones, shown or in sidecars. */
#include "app/backends.h"
#include "app/view/session/strip.h"
#include "app/view/tools/copied.h"

#include "tests/unit/view/strip_fixture.h"

static void has_chain(const Viewer *viewer, const char *want) {
    char chain[256];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, want);
}

static void set_chain(Viewer *viewer, const char *chain) {
    REQUIRE(viewer_set_chain(viewer, chain, FALLBACK_BEST));
}

/* The chain that the file of a picture shows, and the change that led there. */
static void file_has(int number, const char *chain, const char *words, size_t count) {
    Sidecar *sidecar = sidecar_of(number);
    assert_non_null(sidecar);
    assert_int_equal(sidecar->count, count);
    assert_string_equal(sidecar->edits[sidecar->shown].chain, chain);
    assert_string_equal(sidecar->edits[sidecar->shown].words, words);
    sidecar_destroy(&sidecar);
}

/* The keys of Lightroom; one undo takes all of it back, in each picture. */
static void edits_go_to_all_selected(void **state) {
    Viewer *viewer = *state;
    set_chain(viewer, "gaussian=4,invert");
    REQUIRE(viewer_set_border(viewer, (Border){BORDER_MIRROR, 0}, FALLBACK_BEST));
    REQUIRE(action_press(viewer, "Ctrl+Shift+C", true));
    assert_string_equal(viewer->toast.text, "Copied 2 filters of p1.png");
    command(viewer, "picture 2");
    set_chain(viewer, "sharpen");
    command(viewer, "select-pictures 2 4 5");
    REQUIRE(action_press(viewer, "Ctrl+Shift+V", true));
    assert_string_equal(viewer->toast.text, "Pasted the edits of p1.png onto 3 pictures");
    has_chain(viewer, "gaussian=4,invert");
    assert_int_equal(viewer->request->options.border.mode, BORDER_MIRROR);
    assert_string_equal(viewer->edits.list[viewer->edits.at].words, "Paste edits of p1.png");
    file_has(4, "gaussian=4,invert", "Paste edits of p1.png", 2);
    file_has(5, "gaussian=4,invert", "Paste edits of p1.png", 2);
    assert_null(sidecar_of(3));
    REQUIRE(viewer_undo(viewer));
    has_chain(viewer, "sharpen");
    assert_int_equal(viewer->request->options.border.mode, BORDER_CLAMP);
    command(viewer, "picture 4");
    has_chain(viewer, "gaussian=4,invert");
    assert_int_equal(viewer->request->options.border.mode, BORDER_MIRROR);
    REQUIRE(viewer_undo(viewer));
    has_chain(viewer, "");
    assert_int_equal(viewer->request->options.border.mode, BORDER_CLAMP);
    REQUIRE(viewer_redo(viewer));
    has_chain(viewer, "gaussian=4,invert");
}

/* A ticked filter takes the place of one of its name; the others stay, and what is new goes behind. */
static void chosen_filters_join_those_that_are_there(void **state) {
    Viewer *viewer = *state;
    set_chain(viewer, "gaussian=3,sharpen,gaussian=5,invert");
    command(viewer, "copy-edits");
    command(viewer, "tick-edits 1 3 4");
    write_text("p2.png.glint", "glint edits 1\nrating = 4\nhue = 1\nlinear = yes\nedit = as it began\nfilter =\n"
                               "edit = add box\nfilter = box=7,gaussian=1,median\nborder = wrap\nshown = 2\n"
                               "edit = undone\nfilter = invert\n");
    command(viewer, "select-pictures 2");
    command(viewer, "paste-edits");
    Sidecar *sidecar = sidecar_of(2);
    assert_non_null(sidecar);
    assert_int_equal(sidecar->count, 3); /* what was undone is gone */
    assert_int_equal(sidecar->shown, 2);
    assert_string_equal(sidecar->edits[2].chain, "box=7,gaussian=3,median,gaussian=5,invert");
    assert_int_equal(sidecar->edits[2].border.mode, BORDER_WRAP);
    assert_string_equal(sidecar->edits[1].chain, "box=7,gaussian=1,median");
    assert_int_equal(sidecar->rating, 4);
    assert_int_equal(sidecar->other_count, 1);
    assert_true(sidecar->linear);
    sidecar_destroy(&sidecar);
    command(viewer, "select-pictures none");
    set_chain(viewer, "invert");
    command(viewer, "paste-edits"); /* onto the shown one */
    has_chain(viewer, "invert,gaussian=3,gaussian=5");
}

static void ticks_are_numbers(void **state) {
    Viewer *viewer = *state;
    static const char *const wrong[] = {"", "0", "3", "1,2", "1-2", "x", "1x", "-1", "99999999999999999999"};
    assert_int_equal(action_command(viewer, "paste-edits", true), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "nothing was copied"));
    assert_int_equal(copied_tick(viewer, "all"), STATUS_USAGE);
    set_chain(viewer, "gaussian=3,sharpen");
    command(viewer, "copy-edits");
    assert_true(copied_ticked(viewer, 0) && copied_ticked(viewer, 1));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(copied_tick(viewer, wrong[i]), STATUS_USAGE);
    assert_true(copied_ticked(viewer, 0) && copied_ticked(viewer, 1));
    REQUIRE(copied_tick(viewer, " 2 "));
    assert_true(!copied_ticked(viewer, 0) && copied_ticked(viewer, 1));
    REQUIRE(copied_tick(viewer, "none"));
    assert_int_equal(action_command(viewer, "paste-edits", true), STATUS_USAGE);
    assert_string_equal(status_message(), "no filter is ticked");
    assert_true(copied_is_open(viewer));
    REQUIRE(action_press(viewer, "Esc", true));
    assert_false(copied_is_open(viewer));
    assert_non_null(copied_chain(viewer));
}

/* An empty copy takes all filters away; what is pasted twice is one edit. */
static void the_same_again_is_no_edit(void **state) {
    Viewer *viewer = *state;
    command(viewer, "copy-edits");
    command(viewer, "picture 2");
    set_chain(viewer, "invert");
    command(viewer, "select-pictures 2 3");
    command(viewer, "paste-edits");
    has_chain(viewer, "");
    assert_null(sidecar_of(3));
    set_chain(viewer, "box=5");
    command(viewer, "copy-edits");
    command(viewer, "paste-edits");
    command(viewer, "paste-edits");
    file_has(3, "box=5", "Paste edits of p2.png", 2);
}

/* The list of a sidecar is as long as the window keeps it. */
static void long_lists_lose_their_first_edits(void **state) {
    Viewer *viewer = *state;
    FILE *file = fopen("p2.png.glint", "w");
    assert_non_null(file);
    fputs("glint edits 1\nshown = 300\n", file);
    for (int i = 0; i < 300; i++)
        fprintf(file, "edit = edit %d\nfilter = gaussian=%d.5\n", i, i % 9 + 1);
    assert_int_equal(fclose(file), 0);
    set_chain(viewer, "invert");
    command(viewer, "copy-edits");
    command(viewer, "select-pictures 2");
    command(viewer, "paste-edits");
    file_has(2, "invert", "Paste edits of p1.png", 256);
    Sidecar *sidecar = sidecar_of(2);
    assert_string_equal(sidecar->edits[254].words, "edit 299");
    assert_string_equal(sidecar->edits[0].words, "edit 45");
    sidecar_destroy(&sidecar);
}

/* The others get the edits all the same. */
static void pictures_that_cannot_be_edited_are_named(void **state) {
    Viewer *viewer = *state;
    set_chain(viewer, "invert");
    command(viewer, "copy-edits");
    write_text("p2.png.glint", "glint edits 1\nedit = a\nfilter = gausian\n");
    assert_int_equal(remove("p3.png"), 0);
    command(viewer, "select-pictures 2-4");
    assert_int_equal(action_command(viewer, "paste-edits", true), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "can't paste: p2.png: chain: column 1: no filter \"gausian\""));
    file_has(4, "invert", "Paste edits of p1.png", 2);
    assert_null(sidecar_of(3));
    command(viewer, "select-pictures 3");
    assert_int_equal(action_command(viewer, "paste-edits", true), STATUS_INPUT);
    assert_string_equal(status_message(), "can't paste: p3.png is gone");
}

/* A chain has room for 32 filters. */
static void a_chain_that_is_full_takes_no_more(void **state) {
    Viewer *viewer = *state;
    char chain[32 * 8] = "";
    for (int i = 0; i < 32; i++)
        snprintf(chain + strlen(chain), sizeof chain - strlen(chain), "%sbox=7", i > 0 ? "," : "");
    set_chain(viewer, "invert,box=5");
    command(viewer, "copy-edits");
    command(viewer, "tick-edits 1");
    set_chain(viewer, chain);
    assert_int_equal(action_command(viewer, "paste-edits", true), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "the chain would have more than 32 filters"));
    has_chain(viewer, chain);
    command(viewer, "tick-edits 2");
    command(viewer, "paste-edits");
    assert_int_equal(viewer->request->chain->count, 32);
}

static void without_sidecars_the_shown_one_is_edited_alone(void **state) {
    Viewer *viewer = *state;
    set_chain(viewer, "invert");
    command(viewer, "copy-edits");
    set_chain(viewer, "box=7");
    command(viewer, "select-pictures 1 2");
    assert_int_equal(action_command(viewer, "paste-edits", true), STATUS_USAGE);
    assert_string_equal(status_message(), "can't paste: the shown picture alone has edits: there are no sidecars");
    has_chain(viewer, "invert");
    assert_null(sidecar_of(2));
}

/* A ratio stands on pictures that stand: 3:2 becomes 2:3, about the same middle, and as large as there is room. */
static void crops_turn_with_the_picture(void **state) {
    static const struct {
        const char *crop, *on_standing;
        size_t width, height; /* of the standing picture's result */
    } cases[] = {{"crop=100:88.888:0:5.556:percent:1.5", "crop=88.888:100:5.556:0:percent:", 53, 80},
                 {"crop=50:40:40:30:percent:1.5", "crop=40:50:45:25:percent:", 24, 36},
                 {"crop=50:100:25:0:percent:0.5", NULL, 0, 0},
                 {"crop=50:100:25:0:percent", NULL, 0, 0},
                 {"crop=50:50:10:0:percent:1", NULL, 0, 0}};
    Viewer *viewer = *state;
    char *paths[] = {strdup("lying.png"), strdup("standing.png"), strdup("standing2.png")}, chain[256];
    save_random(paths[0], 80, 60, 1);
    save_random(paths[1], 60, 80, 2);
    save_random(paths[2], 60, 80, 3);
    REQUIRE(viewer_open_all(viewer, paths, 3));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        command(viewer, "picture 9");
        set_chain(viewer, cases[i].crop);
        chain_format(viewer->request->chain, chain, sizeof chain);
        command(viewer, "copy-edits");
        command(viewer, "picture 10");
        command(viewer, "paste-edits");
        if (!cases[i].on_standing) {
            has_chain(viewer, chain);
            continue;
        }
        chain_format(viewer->request->chain, chain, sizeof chain);
        assert_memory_equal(chain, cases[i].on_standing, strlen(cases[i].on_standing));
        assert_true(near(strtod(chain + strlen(cases[i].on_standing), NULL), 2.0 / 3));
        assert_int_equal(viewer_shown_shape(viewer).width, cases[i].width);
        assert_int_equal(viewer_shown_shape(viewer).height, cases[i].height);
        command(viewer, "copy-edits"); /* and back */
        command(viewer, "picture 9");
        command(viewer, "paste-edits");
        chain_format(viewer->request->chain, chain, sizeof chain);
        assert_memory_equal(chain, cases[i].crop, strlen(cases[i].crop) - strlen("1.5"));
    }
    for (size_t i = 0; i < 3; i++)
        free(paths[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_KEPT_STRIP(edits_go_to_all_selected),
        WITH_KEPT_STRIP(chosen_filters_join_those_that_are_there),
        WITH_KEPT_STRIP(ticks_are_numbers),
        WITH_KEPT_STRIP(the_same_again_is_no_edit),
        WITH_KEPT_STRIP(long_lists_lose_their_first_edits),
        WITH_KEPT_STRIP(pictures_that_cannot_be_edited_are_named),
        WITH_KEPT_STRIP(a_chain_that_is_full_takes_no_more),
        WITH_KEPT_STRIP(crops_turn_with_the_picture),
        WITH_STRIP(without_sidecars_the_shown_one_is_edited_alone),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
