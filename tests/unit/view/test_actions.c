/* test_actions.c: the table of actions, and the box that arguments are typed in, without a window. */
#include "app/backends.h"
#include "app/view/actions/arguments.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/keymap.h"
#include "app/view/actions/tour.h"
#include "app/view/session/paths.h"
#include "core/base/timing.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

#define ASSETS GLINT_SOURCE_DIR "/assets/"

static int open_viewer(void **state) {
    Device *device;
    Viewer *viewer;
    const char *passed_over;
    assert_int_equal(backend_open("cpu", 0, 1, &device, &passed_over), STATUS_OK);
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    assert_int_equal(viewer_create(device, "gaussian=1", "best", options, &viewer), STATUS_OK);
    viewer_resize(viewer, 640, 480);
    assert_int_equal(viewer_open(viewer, ASSETS "spark.png"), STATUS_OK);
    *state = viewer;
    return 0;
}

static int close_viewer(void **state) {
    Viewer *viewer = *state;
    viewer_destroy(&viewer);
    return 0;
}

static void press_all(Viewer *viewer, const char *keys) {
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", keys);
    for (const char *key = strtok_r(copy, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
        assert_int_equal(action_press(viewer, key, true), STATUS_OK);
}

static void assert_chain(Viewer *viewer, const char *want) {
    char chain[256];
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, want);
}

/* ---- words ---- */

/* From both ends, and between characters: an e with its accent has two bytes. */
static void names_lose_their_middle(void **state) {
    static const struct {
        const char *name;
        size_t keep;
        const char *words;
    } cases[] = {{"one.ppm", 7, "one.ppm"},
                 {"one.ppm", 90, "one.ppm"},
                 {"one.ppm", 6, "one…ppm"},
                 {"é1é2.ppm", 9, "é1….ppm"},
                 {"ééé.ppm", 6, "é…ppm"},
                 {"ééé.éé", 6, "é…é"},
                 {"", 0, ""}};
    char words[32];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(path_cut_middle(cases[i].name, cases[i].keep, words, sizeof words), cases[i].words);
}

static void words_match_in_any_order_and_letters_in_theirs(void **state) {
    (void)state;
    assert_int_equal(choice_score("", "next level", NULL), 0);
    assert_true(choice_score("level next", "next level", NULL) >= 0);
    assert_true(choice_score("NXL", "next level", NULL) > 0);
    assert_true(choice_score("lxn", "next level", NULL) < 0);
    assert_true(choice_score("blur", "add gaussian", "Blurs softly.") > 0);
    assert_true(choice_score("blur level", "add gaussian", "Blurs softly.") < 0);
}

static void better_matches_stand_first(void **state) {
    static const char *const ranked[] = {"level fft", "next level", "sublevel", "lens veil", "other"};
    (void)state;
    for (size_t i = 1; i < 4; i++)
        assert_true(choice_score("level", ranked[i - 1], NULL) < choice_score("level", ranked[i], NULL) ||
                    choice_score("level", ranked[i], NULL) < 0);
    Choices choices = {.wanted = "level"};
    for (size_t i = 5; i-- > 0;)
        assert_int_equal(
            choices_add(&choices, (Choice){.text = (char *)(uintptr_t) "", .label = (char *)(uintptr_t)ranked[i]}),
            STATUS_OK);
    choices_sort(&choices);
    assert_true(choices.count >= 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(choices.list[i].label, ranked[i]);
    choices_clear(&choices);
    assert_int_equal(choices.count, 0);
}

/* ---- the list of all actions ---- */

static void the_palette_has_every_action_that_is_here(void **state) {
    Viewer *viewer = *state;
    for (int round = 0; round < 2; round++) {
        press_all(viewer, "Ctrl+K");
        assert_true(viewer->typing);
        for (size_t i = 0; i < action_count; i++) {
            bool found = false;
            for (size_t c = 0; c < viewer->ui->choices.count; c++)
                found |= strcmp(viewer->ui->choices.list[c].text, actions[i].name) == 0;
            const bool palette = actions[i].argument == &argument_command;
            if (found != (action_is_here(viewer, &actions[i]) && !palette))
                print_error("%s\n", actions[i].name);
            assert_int_equal(found, action_is_here(viewer, &actions[i]) && !palette);
        }
        press_all(viewer, "Esc");
        assert_false(viewer->typing || viewer->requests->quit);
        assert_int_equal(action_command(viewer, "scene spheres=count=9:seed=3", true), STATUS_OK);
    }
}

static void the_palette_does_what_is_chosen(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Ctrl+K s p l i t Return");
    assert_false(viewer->typing);
    assert_int_equal(viewer->compare, COMPARE_SPLIT);
    press_all(viewer, "Ctrl+K a d d Space i n v e r t Return");
    assert_chain(viewer, "gaussian=1,invert");
    press_all(viewer, "Ctrl+K l e v e l Space n a i v e Return");
    assert_string_equal(viewer_level(viewer)->name, "naive");
    press_all(viewer, "Ctrl+K Down Up b o r d e r Space m i r Return");
    assert_int_equal(viewer->request->options.border.mode, BORDER_MIRROR);
    press_all(viewer, "Ctrl+K z z z z");
    assert_int_equal(viewer->ui->choices.count, 0);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_USAGE);
    assert_true(viewer->typing); /* to be mended */
}

/* An action whose argument is no list opens its own box. */
static void the_palette_leads_to_the_next_box(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Ctrl+K o p e n Return");
    assert_true(viewer->typing);
    assert_ptr_equal(viewer->ui->entry_for, action_by_name("open"));
}

/* ---- completion ---- */

static void a_path_is_completed_folder_by_folder(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Ctrl+O");
    assert_string_equal(viewer->entry, ASSETS);
    assert_true(viewer->ui->choices.count > 5);
    press_all(viewer, "s c e n Tab");
    assert_string_equal(viewer->entry, ASSETS "scenes/");
    press_all(viewer, "w a t Tab");
    assert_string_equal(viewer->entry, ASSETS "scenes/water.xyz");
    press_all(viewer, "Return");
    assert_false(viewer->typing);
    assert_string_equal(viewer_title(viewer), ASSETS "scenes/water.xyz");
    press_all(viewer, "Ctrl+O Down Return"); /* into the folder above, by the list alone */
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, ASSETS "scenes/../");
    press_all(viewer, "c h a r Down Return");
    assert_string_equal(viewer_title(viewer), ASSETS "scenes/../chart.png");
}

static void a_path_that_leads_nowhere_says_so_and_stays(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Ctrl+O / n o");
    assert_int_equal(viewer->ui->choices.count, 0);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_INPUT);
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, ASSETS "/no");
}

static void a_chain_is_completed_link_by_link(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Return , i n v e Tab Return");
    assert_chain(viewer, "gaussian=1,invert");
    press_all(viewer, "Return , s o b e Down Return"); /* marked: it becomes the line */
    assert_true(viewer->typing);
    press_all(viewer, "Return");
    assert_chain(viewer, "gaussian=1,invert,sobel");
}

static void a_name_to_save_under_wants_an_extension(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Ctrl+S");
    assert_string_equal(viewer->entry, ASSETS "spark-result.png");
    assert_int_equal(viewer_check_entry(viewer), STATUS_OK);
    press_all(viewer, "Backspace");
    assert_int_equal(viewer_check_entry(viewer), STATUS_USAGE);
}

/* ---- commands ---- */

static void commands_say_what_is_wrong_with_them(void **state) {
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"jump", "no action \"jump\"; `glint view --help` lists them"},
        {"split now", "split takes nothing behind it"},
        {"open", "want open PATH"},
        {"level fastest", "level \"fastest\""},
        {"add gausian", "no filter \"gausian\"; `glint list filters` shows them"},
        {"preset nothing", "chain: column 1: no preset \"@nothing\""},
    };
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(action_command(viewer, cases[i].line, true), STATUS_USAGE);
        assert_memory_equal(status_message(), cases[i].message, strlen(cases[i].message));
    }
    assert_int_equal(action_command(viewer, "open", false), STATUS_OK); /* a hand is asked */
    assert_true(viewer->typing);
}

static void what_panels_ask_for_waits_until_the_window_takes_it(void **state) {
    Viewer *viewer = *state;
    action_ask(viewer, action_by_name("add"), "invert");
    assert_chain(viewer, "gaussian=1");
    action_ask(viewer, action_by_name("duplicate-filter"), NULL);
    viewer->held = true; /* a slider */
    viewer->movement = 3;
    action_ask(viewer, action_by_name("change-tone"), "exposure=1");
    action_ask(viewer, action_by_name("change-tone"), "exposure=2");
    assert_int_equal(viewer->ui->asked_count, 3);
    for (int i = 0; i < 4; i++)
        assert_int_equal(action_do_asked(viewer), STATUS_OK);
    assert_chain(viewer, "gaussian=1,invert,invert");
    assert_true(fabs(viewer_exposure(viewer) - 2) < 1e-9);
    viewer->held = false;
    for (int i = 0; i <= ASKED_MAX; i++)
        action_ask(viewer, action_by_name("undo"), NULL);
    assert_true(viewer->toast.error); /* rather than to forget any */
    viewer->ui->asked_count = 0;
}

/* ---- the tour ---- */

/* As each draw does, with the requests carried out by the window. */
static void follow(Viewer *viewer) {
    for (int i = 0; i < 4; i++) {
        tour_follow(viewer);
        assert_int_equal(action_do_asked(viewer), STATUS_OK);
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    }
}

/* Each step does the thing it asks for, and nothing else leads on. */
static void the_tour_waits_for_each_step(void **state) {
    static const char *const does[] = {"",           "add gaussian",    "more", "split",
                                       "level 1",    "level separable", "race", "facts",
                                       "difference", "picture-or-scene"};
    Viewer *viewer = *state;
    assert_int_equal(tour_step_count, sizeof does / sizeof does[0]);
    assert_int_equal(action_command(viewer, "filter", true), STATUS_OK);
    press_all(viewer, "F3");
    assert_true(viewer->ui->tour.was_done); /* a picture is open */
    press_all(viewer, "F3");
    for (size_t i = 1; i < tour_step_count; i++) {
        follow(viewer);
        assert_int_equal(viewer->ui->tour.step, i);
        if (viewer->ui->tour.was_done)
            print_error("%s\n", tour_steps[i].title);
        assert_false(viewer->ui->tour.was_done);
        assert_int_equal(action_command(viewer, does[i], true), STATUS_OK);
        follow(viewer);
    }
    assert_null(tour_step(viewer));
}

static void the_tour_goes_back_and_provides_what_a_step_needs(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "Ctrl+F3", true), STATUS_USAGE);
    assert_int_equal(action_command(viewer, "filter", true), STATUS_OK);
    press_all(viewer, "F3 F3 F3 F3");
    assert_string_equal(tour_step(viewer)->title, "Before and after");
    follow(viewer);
    assert_chain(viewer, "gaussian"); /* 2 is the default; nobody has added it */
    assert_string_equal(tour_step(viewer)->title, "Before and after");
    press_all(viewer, "Ctrl+F3");
    assert_string_equal(tour_step(viewer)->title, "More of it");
    press_all(viewer, "F3 F3 F3 F3 F4");
    assert_null(tour_step(viewer));
    press_all(viewer, "F2 Esc"); /* as all that lies on top */
    assert_null(tour_step(viewer));
    assert_false(viewer->requests->quit);
}

/* Every step names actions that there are, with keys. */
static void steps_name_actions(void **state) {
    Viewer *viewer = *state;
    char keys[96];
    tour_begin(viewer);
    for (size_t i = 0; i < tour_step_count; i++) {
        viewer->ui->tour.step = i;
        tour_keys(viewer, keys, sizeof keys);
        assert_true(keys[0] != '\0' && tour_steps[i].title[0] && tour_steps[i].words[0]);
    }
}

static int register_backends(void **state) {
    (void)state;
    return backends_register() == STATUS_OK ? 0 : -1;
}

/* ---- files of keys ---- */

static void a_file_gives_keys_and_takes_them_from_others(void **state) {
    Viewer *viewer = *state;
    Keymap *keymap;
    assert_int_equal(
        keymap_parse("# mine\nrace = g Ctrl+R   # was l\n\nsplit=\n\tzoom-in = = +\r\nmotion = Q\n", "keys", &keymap),
        STATUS_OK);
    viewer->ui->keymap = keymap;
    assert_string_equal(action_for_key(viewer, "g")->name, "race");
    assert_string_equal(action_for_key(viewer, "ctrl+r")->name, "race");
    assert_null(action_for_key(viewer, "l"));
    assert_null(action_for_key(viewer, "s"));
    assert_string_equal(action_keys(viewer, action_by_name("next-backend")), "");
    assert_string_equal(action_for_key(viewer, "=")->name, "zoom-in");
    assert_string_equal(action_for_key(viewer, "Q")->name, "second-picture"); /* a scene's key is no picture's */
    assert_int_equal(viewer_show(viewer, SUBJECT_SCENE), STATUS_OK);
    assert_string_equal(action_for_key(viewer, "Q")->name, "motion");
    assert_string_equal(action_for_key(viewer, "Space")->name, "unfiltered");
    press_all(viewer, "g");
    assert_true(viewer->racing);
    viewer->ui->keymap = NULL;
    keymap_close(&keymap);
}

static void digits_of_a_file_pick_the_rungs_in_their_order(void **state) {
    Viewer *viewer = *state;
    Keymap *keymap;
    assert_int_equal(keymap_parse("level = F1 F2\n", "keys", &keymap), STATUS_OK);
    viewer->ui->keymap = keymap;
    press_all(viewer, "F1");
    assert_string_equal(viewer_level(viewer)->name, "naive"); /* rung 1 */
    assert_string_equal(action_keys(viewer, action_by_name("help")), "h ?");
    viewer->ui->keymap = NULL;
    keymap_close(&keymap);
}

static void a_bad_file_of_keys_says_where_and_what_would_be_right(void **state) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"\nnext-level Up\n", "keys:2: want ACTION = KEY KEY, as in next-level = Up k"},
        {"nextlevel = Up\n", "keys:1: no action \"nextlevel\"; did you mean \"next-level\"?"},
        {"zzz = Up\n", "keys:1: no action \"zzz\"; `glint view --list-actions` prints them"},
        {"race = PgeUp\n", "keys:1: no key \"PgeUp\"; did you mean \"PageUp\"?"},
        {"race = Ctrl+\n", "keys:1: no key \"Ctrl+\"; want a character, Ctrl+K, "},
        {"race = g\n#\nsplit = s g\n", "keys:3: g is the key of race already, on line 1"},
        {"race = g\nrace = l\n", "keys:2: race has keys already, on line 1"},
    };
    (void)state;
    Keymap *keymap;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(keymap_parse(cases[i].text, "keys", &keymap), STATUS_USAGE);
        assert_null(keymap);
        assert_memory_equal(status_message(), cases[i].message, strlen(cases[i].message));
    }
}

#define WITH_VIEWER(test) cmocka_unit_test_setup_teardown(test, open_viewer, close_viewer)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lose_their_middle),
        cmocka_unit_test(words_match_in_any_order_and_letters_in_theirs),
        cmocka_unit_test(better_matches_stand_first),
        WITH_VIEWER(the_palette_has_every_action_that_is_here),
        WITH_VIEWER(the_palette_does_what_is_chosen),
        WITH_VIEWER(the_palette_leads_to_the_next_box),
        WITH_VIEWER(a_path_is_completed_folder_by_folder),
        WITH_VIEWER(a_path_that_leads_nowhere_says_so_and_stays),
        WITH_VIEWER(a_chain_is_completed_link_by_link),
        WITH_VIEWER(a_name_to_save_under_wants_an_extension),
        WITH_VIEWER(commands_say_what_is_wrong_with_them),
        WITH_VIEWER(what_panels_ask_for_waits_until_the_window_takes_it),
        WITH_VIEWER(a_file_gives_keys_and_takes_them_from_others),
        WITH_VIEWER(digits_of_a_file_pick_the_rungs_in_their_order),
        WITH_VIEWER(the_tour_waits_for_each_step),
        WITH_VIEWER(the_tour_goes_back_and_provides_what_a_step_needs),
        WITH_VIEWER(steps_name_actions),
        cmocka_unit_test(a_bad_file_of_keys_says_where_and_what_would_be_right),
    };
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
