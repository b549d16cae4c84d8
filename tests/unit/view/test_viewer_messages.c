/* test_viewer_messages.c: what the window says: errors, explanations, exposure, edit boxes. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/pin.h"
#include "core/image/icc.h"

#include "tests/unit/view/fixture.h"

static void errors_go_when_they_are_mended(void **state) {
    Viewer *viewer = *state;
    viewer_answer(viewer, TOAST_REQUEST, viewer_set_chain(viewer, "gausian", FALLBACK_NONE));
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "gausian"));
    viewer_answer(viewer, TOAST_WORK, STATUS_OK); /* work goes on meanwhile */
    assert_true(viewer->toast.text[0]);
    viewer_answer(viewer, TOAST_REQUEST, viewer_set_chain(viewer, "gaussian", FALLBACK_NONE));
    assert_string_equal(viewer->toast.text, "");
    viewer_say(viewer, false, "the result is in a.png");
    viewer_answer(viewer, TOAST_REQUEST, STATUS_OK); /* not an error: it stays for its time */
    assert_string_equal(viewer->toast.text, "the result is in a.png");
}

/* PQ, the curve of HDR video, has no like on monitors. */
static void colours_that_cannot_be_shown_are_told(void **state) {
    Viewer *viewer = *state;
    char words[128];
    if (!icc_available())
        return;
    assert_int_equal(viewer_open(viewer, GLINT_SOURCE_DIR "/tests/formats/icc-pq.png"), STATUS_OK);
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "icc-pq.png: glint cannot show the colours"));
    assert_null(viewer->session->subject->colours.space);
    assert_int_equal(viewer_open(viewer, GLINT_SOURCE_DIR "/tests/formats/icc-cicp.png"), STATUS_OK);
    viewer_kind(viewer)->format_shape(viewer, words, sizeof words);
    assert_string_equal(words, "24 × 16 · 8-bit RGB · Display P3");
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_non_null(viewer_pin_colours(viewer).space); /* the kept result has its own */
    viewer_unpin(viewer);
    assert_null(viewer_pin_colours(viewer).space);
}

/* Two rows of three are there, and a half; the whole file then takes their place, but they do not take its. */
static void files_that_end_early_say_so(void **state) {
    static const char says[] = "cut.ppm ends early: 2 of 3 rows are there";
    Viewer *viewer = *state;
    write_text("cut.ppm", "P6\n2 3\n255\nabcdefABCDEFgh");
    assert_int_equal(viewer_open(viewer, "cut.ppm"), STATUS_OK);
    assert_true(viewer->toast.error);
    assert_string_equal(viewer->toast.text, says);
    assert_string_equal(viewer->session->subject->ends_early, says);
    assert_int_equal(view_value(viewer->session->subject->picture->view, 1, 2, 0), 128);
    assert_int_equal(action_press(viewer, "P", true), STATUS_OK);
    assert_true(strncmp(viewer->toast.text, "Saved ", 6) == 0 && strstr(viewer->toast.text, says));
    write_text("cut.ppm", "P6\n2 3\n255\nabcdefABCDEFghijkl");
    assert_int_equal(viewer_reload(viewer), STATUS_OK);
    assert_string_equal(viewer->session->subject->ends_early, "");
    write_text("cut.ppm", "P6\n2 3\n255\nabcdefABCDEFgh");
    assert_int_equal(viewer_reload(viewer), STATUS_INPUT);
    assert_string_equal(status_message(), says);
    assert_string_equal(viewer->session->subject->ends_early, "");
    remove("cut.ppm");
    remove("glint-result-001.png");
}

static void what_is_shown_is_said(void **state) {
    Viewer *viewer = *state;
    char words[96];
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "original, until there is a result");
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_describe(viewer, true, words, sizeof words), 0);
    assert_string_equal(words, "");
    assert_int_equal(action_press(viewer, "d", true), STATUS_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(action_press(viewer, "e", true), STATUS_OK); /* two stops: four times as bright */
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "difference × 4");
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    viewer_describe(viewer, false, words, sizeof words);
    assert_string_equal(words, "original"); /* differences have a gain of their own */
    assert_true(action_lets_go(viewer, "Space") && !action_lets_go(viewer, "e"));
    assert_int_equal(action_press(viewer, "Space", false), STATUS_OK);
    assert_false(action_lets_go(viewer, "Space"));
    assert_int_equal(action_press(viewer, "d", true), STATUS_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(action_press(viewer, "e", true), STATUS_OK);
    assert_int_equal(viewer_describe(viewer, true, words, 5), strlen("exposure +2.0"));
    assert_string_equal(words, "expo"); /* as much as there is room for */
    viewer_resize(viewer, 64, 48);
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "classic");
    assert_int_equal(viewer_set_look(viewer, LOOK_PATHS), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    viewer_describe(viewer, true, words, sizeof words);
    assert_string_equal(words, "paths, 16 samples");
    assert_int_equal(viewer_describe(viewer, false, words, sizeof words), 0);
}

/* White is 255: of a largest difference of 50, 5 is as much as half stops allow: 2^2 = 4, 2^2.5 = 5.7 is too much. */
static void the_gain_fits_the_largest_difference(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_USAGE);
    viewer->compare = COMPARE_DIFFERENCE;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    viewer->session->difference.max = 50;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_OK);
    assert_true(near(viewer->gain, 2));
    viewer->session->difference.max = 255;
    assert_int_equal(action_command(viewer, "fit-gain", true), STATUS_OK);
    assert_true(near(viewer->gain, 0));
    viewer->session->difference.max = INFINITY;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_USAGE);
    viewer->session->difference.max = 0;
    assert_int_equal(viewer_fit_gain(viewer), STATUS_USAGE);
    assert_true(near(viewer->gain, 0));
}

static void exposure_goes_with_its_picture(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "e", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "F5", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0.5)); /* the same picture */
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0));
    assert_int_equal(action_press(viewer, "E", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0.5));
    assert_int_equal(viewer_open(viewer, "bad.png"), STATUS_INPUT);
    assert_true(near(viewer_exposure(viewer), 0.5));
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0));
    assert_int_equal(action_press(viewer, "i", true), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), -0.5));
    assert_int_equal(viewer_open_scene(viewer, "spheres=count=9:seed=3"), STATUS_OK);
    assert_true(near(viewer_exposure(viewer), 0));
}

/* Keys with names belong to the box, too: arrows move its caret, and change no picture and no chain beneath. */
static void keys_stay_in_the_box_that_has_them(void **state) {
    static const char *const keys[] = {"Home", "Right", "Left",  "x", "Delete", "End",       "Left", "Backspace",
                                       "3",    "Up",    "Right", "q", "Space",  "Backspace", "h",    "PageUp"};
    Viewer *viewer = *state;
    assert_int_equal(viewer_open(viewer, "."), STATUS_OK);
    char title[64];
    snprintf(title, sizeof title, "%s", viewer_title(viewer));
    assert_int_equal(viewer_set_chain(viewer, "gaussian=12", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_int_equal(action_press(viewer, keys[i], true), STATUS_OK);
    assert_string_equal(viewer->entry, "xaussian=32qh");
    assert_string_equal(viewer_title(viewer), title);
    assert_false(viewer->requests->quit || viewer->help);
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(viewer->typing || viewer->requests->quit);
    char chain[64];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=12");
}

/* A marked text goes with the first character, and no other key takes it away but those that delete. */
static void what_is_typed_replaces_what_is_marked(void **state) {
    static const struct {
        const char *keys[4], *entry;
    } cases[] = {
        {{"7", ".", "5"}, "sigma=7.5"}, {{"Backspace", "Backspace"}, "sigma"}, {{"Delete", "8"}, "sigma=8"},
        {{"Left", "7"}, "sigma=1.72"},  {{"End", "7"}, "sigma=1.27"},          {{"Ctrl+A", "x", "y"}, "xy"},
    };
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        viewer_begin_entry(viewer, action_by_name("set"));
        viewer_set_entry(viewer, "sigma=1.2");
        viewer_mark_entry(viewer, 6);
        for (int k = 0; k < 4 && cases[i].keys[k]; k++)
            assert_int_equal(action_press(viewer, cases[i].keys[k], true), STATUS_OK);
        assert_string_equal(viewer->entry, cases[i].entry);
    }
    assert_int_equal(action_command(viewer, "close", true), STATUS_OK); /* the box lies on top */
    assert_false(viewer->typing || viewer->requests->quit);
}

/* Names that are pasted have letters of several bytes, which are one step of the caret and go at once. */
static void letters_of_several_bytes_stay_whole(void **state) {
    static const char *const keys[] = {"Backspace", "Left",   "Left", "Backspace", "Left",
                                       "Right",     "Delete", "Home", "Right",     "Delete"};
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    viewer_set_entry(viewer, "");
    assert_int_equal(action_paste(viewer, "föß→.aé"), STATUS_OK);
    assert_string_equal(viewer->entry, "föß→.aé");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_int_equal(action_press(viewer, keys[i], true), STATUS_OK);
    assert_string_equal(viewer->entry, "fßa");
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
}

static void filter_keys_change_the_selected_filter_alone(void **state) {
    Viewer *viewer = *state;
    char chain[128];
    assert_int_equal(viewer_set_chain(viewer, "gaussian=3,invert,sharpen=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, ";", true), STATUS_OK); /* from the last round to the first */
    assert_int_equal(viewer_selected(viewer), 0);
    assert_int_equal(action_press(viewer, "]", true), STATUS_OK);
    assert_int_equal(action_press(viewer, ";", true), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_true(strcmp(chain, "gaussian=3,invert,sharpen=2") != 0);
    assert_true(strncmp(chain, "gaussian=3.", 11) == 0 && strstr(chain, ",invert,sharpen=2"));
    for (size_t i = 0; i <= filter_count; i++) { /* once round: none is not among them here */
        assert_int_equal(action_press(viewer, i % 2 ? "." : "PageDown", true), STATUS_OK);
        assert_int_equal(viewer->request->chain->count, 3);
        assert_string_equal(viewer->request->chain->links[0].filter->name, "gaussian");
        assert_string_equal(viewer->request->chain->links[2].filter->name, "sharpen");
    }
    assert_int_equal(action_press(viewer, ",", true), STATUS_OK);
    assert_int_equal(viewer->request->chain->count, 3);
    assert_int_equal(viewer_selected(viewer), 1);
    assert_int_equal(viewer_remove_link(viewer, 1), STATUS_OK);
    assert_int_equal(viewer_selected(viewer), 1); /* the last */
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, ";", true), STATUS_USAGE);
}

static void links_are_removed_one_by_one(void **state) {
    Viewer *viewer = *state;
    char chain[64];
    assert_int_equal(viewer_set_chain(viewer, "gaussian=3,invert,sharpen=2", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_remove_link(viewer, 1), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=3,sharpen=2");
}

static void no_filter_shows_the_picture_itself(void **state) {
    Viewer *viewer = *state;
    LadderRow rungs[RUNGS_MAX];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const ImageView picture = viewer_picture(viewer)->view;
    assert_memory_equal(viewer->session->result->view.pixels, picture.pixels, shape_bytes(picture.shape));
    assert_int_equal(viewer_rungs(viewer, rungs), 0);
    assert_true(near(viewer_figures(viewer).ms, 0));
    assert_int_equal(action_press(viewer, "Up", true), STATUS_USAGE);
    assert_int_equal(viewer_set_level(viewer, "fastest"), STATUS_USAGE);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
}

static void border_key_goes_round(void **state) {
    Viewer *viewer = *state;
    for (int i = 0; i < border_count; i++)
        assert_int_equal(action_press(viewer, "b", true), STATUS_OK);
    assert_int_equal(viewer->request->options.border.mode, BORDER_CLAMP);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(errors_go_when_they_are_mended),
        WITH_VIEWER(colours_that_cannot_be_shown_are_told),
        WITH_VIEWER(files_that_end_early_say_so),
        WITH_VIEWER(what_is_shown_is_said),
        WITH_VIEWER(the_gain_fits_the_largest_difference),
        WITH_VIEWER(exposure_goes_with_its_picture),
        WITH_VIEWER(keys_stay_in_the_box_that_has_them),
        WITH_VIEWER(what_is_typed_replaces_what_is_marked),
        WITH_VIEWER(letters_of_several_bytes_stay_whole),
        WITH_VIEWER(filter_keys_change_the_selected_filter_alone),
        WITH_VIEWER(links_are_removed_one_by_one),
        WITH_VIEWER(no_filter_shows_the_picture_itself),
        WITH_VIEWER(border_key_goes_round),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
