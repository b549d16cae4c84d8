/* test_actions.c: the table of actions, and the box that arguments are typed in, without a window. */
#include "app/backends.h"
#include "app/view/actions/keymap.h"
#include "app/view/data/synonyms.h"
#include "app/view/session/paths.h"
#include "core/base/timing.h"
#include "core/chain/preset.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/view/pressing.h"

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

static int score(const char *wanted, const char *label, const char *help, const char *also) {
    return choice_score(wanted,
                        &(Choice){.label = (char *)(uintptr_t)label, .help = (char *)(uintptr_t)help, .also = also});
}

static void words_match_in_any_order_and_letters_in_theirs(void **state) {
    (void)state;
    assert_int_equal(score("", "next level", NULL, NULL), 0);
    assert_true(score("level next", "next level", NULL, NULL) >= 0);
    assert_true(score("NXL", "next level", NULL, NULL) > 0);
    assert_true(score("lxn", "next level", NULL, NULL) < 0);
    assert_true(score("blur", "add gaussian", "Blurs softly.", NULL) > 0);
    assert_true(score("blur level", "add gaussian", "Blurs softly.", NULL) < 0);
}

static void synonyms_match_from_their_beginnings(void **state) {
    (void)state;
    assert_int_equal(score("straighten", "rotate", NULL, "straighten horizon bw"), 0);
    assert_int_equal(score("Hori", "rotate", NULL, "straighten horizon bw"), 1);
    assert_int_equal(score("bw", "rotate", NULL, "straighten horizon bw"), 2);
    assert_true(score("raig", "rotate", NULL, "straighten horizon bw") < 0);
    assert_true(score("st", "rotate", NULL, "straighten horizon bw") < 0);
}

static void better_matches_stand_first(void **state) {
    static const char *const ranked[] = {"level fft", "next level", "sublevel", "lens veil", "other"};
    (void)state;
    for (size_t i = 1; i < 4; i++)
        assert_true(score("level", ranked[i - 1], NULL, NULL) < score("level", ranked[i], NULL, NULL) ||
                    score("level", ranked[i], NULL, NULL) < 0);
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
        const Action *action;
        for (size_t i = 0; (action = action_at(action_table, i)); i++) {
            bool found = false;
            for (size_t c = 0; c < viewer->ui->choices.count; c++)
                found |= strcmp(viewer->ui->choices.list[c].text, action->name) == 0;
            const bool palette = action->argument == &argument_command;
            if (found != (action_is_here(viewer, action) && !palette))
                print_error("%s\n", action->name);
            assert_int_equal(found, action_is_here(viewer, action) && !palette);
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

/* The first choices for words that people type. */
static void the_search_knows_what_people_type(void **state) {
    static const struct {
        const char *typed, *first;
    } cases[] = {{"straighten", "straighten"},
                 {"horizon", "straighten"},
                 {"shadows", "shadows"},
                 {"highlights", "curves"},
                 {"warm", "temperature"},
                 {"cool", "temperature"},
                 {"noise", "nlmeans"},
                 {"vignette", "vignette"},
                 {"HDR", "tonemap"},
                 {"exposure", "brightness"},
                 {"bw", "grayscale"},
                 {"black and white", "grayscale"},
                 {"white balance", "whitebalance"},
                 {"soften", "gaussian"},
                 {"sharpen", "sharpen"},
                 {"contrast", "contrast"},
                 {"blur", "gaussian"},
                 {"noir", "@noir"},
                 {"vintage", "@faded"}};
    Viewer *viewer = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        press_all(viewer, "A");
        viewer_set_entry(viewer, cases[i].typed);
        assert_true(viewer->ui->choices.count > 0);
        assert_string_equal(viewer->ui->choices.list[0].text, cases[i].first);
        press_all(viewer, "Esc Ctrl+K");
        viewer_set_entry(viewer, cases[i].typed);
        bool found = false;
        for (size_t c = 0; c < viewer->ui->choices.count; c++)
            found |= strncmp(viewer->ui->choices.list[c].text, "add ", 4) == 0 &&
                     strcmp(viewer->ui->choices.list[c].text + 4, cases[i].first) == 0;
        assert_true(found);
        press_all(viewer, "Esc");
    }
}

/* Boxes show the label and the words behind it. */
static void no_box_says_its_label_twice(void **state) {
    const Action *action;
    char label[64];
    (void)state;
    for (size_t i = 0; (action = action_at(action_table, i)); i++) {
        const char *words = action->argument ? action->argument->words : NULL;
        action_label(action, label, sizeof label);
        const size_t length = strlen(label), end = words ? strlen(words) : 0;
        if (words && end <= length && strcmp(label + length - end, words) == 0)
            fail_msg("%s: \"%s %s\"", action->name, label, words);
    }
}

/* Where there is no GPU, too: the tour's chapter tells of its levels. */
static void the_search_finds_levels_of_the_gpu(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Ctrl+K");
    viewer_set_entry(viewer, "shared");
    bool found = false;
    for (size_t c = 0; c < viewer->ui->choices.count; c++)
        found |= strcmp(viewer->ui->choices.list[c].text, "tour-chapter The GPU") == 0;
    assert_true(found);
    press_all(viewer, "Esc");
}

static void every_synonym_is_one_of_a_thing(void **state) {
    Presets *presets;
    (void)state;
    assert_int_equal(presets_load(&presets), STATUS_OK);
    for (size_t i = 0; i < synonym_count; i++) {
        const char *name = synonyms[i].name;
        const bool known = name[0] == '@' ? presets_find(presets, name + 1, strlen(name + 1)) != NULL
                                          : filter_by_name(name, strlen(name)) || action_by_name(name);
        if (!known)
            print_error("%s\n", name);
        assert_true(known);
    }
    presets_destroy(&presets);
}

/* The panel's row takes the number when it is drawn next; a number beyond its slider, or a word, is none. */
static void a_row_takes_a_number_that_was_typed(void **state) {
    static const Param quality = {.name = "quality", .kind = PARAM_WHOLE, .min = 1, .max = 100, .step = 1};
    static const char *const refused[] = {"quality=", "quality=0", "quality=101", "quality=nan", "quality=7x"};
    Viewer *viewer = *state;
    const Action *set = action_by_name("set-row");
    assert_false(set->can(viewer));
    assert_int_equal(set->take(viewer, "quality=75"), STATUS_USAGE);
    viewer_begin_entry(viewer, set);
    viewer->typing = false;
    viewer->ui->typed_param = &quality;
    viewer->ui->typed_row.row = 1;
    assert_true(set->can(viewer));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(set->take(viewer, refused[i]), STATUS_USAGE);
        assert_false(viewer->ui->typed_row.ready);
    }
    assert_int_equal(set->take(viewer, "quality=75.4"), STATUS_OK);
    assert_true(viewer->ui->typed_row.ready);
    assert_float_equal(viewer->ui->typed_row.number, 75, 0);
    viewer_begin_entry(viewer, set); /* another line: the row waits no more */
    assert_false(set->can(viewer));
}

static void a_preset_is_added_behind_the_chain(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "A b l e a c h Return");
    assert_chain(viewer, "gaussian=1,saturation=0.4,contrast=1.4");
}

static void no_match_says_what_is_like_it(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "A");
    viewer_set_entry(viewer, "rotaet");
    assert_string_equal(viewer->ui->no_match, "No match for \"rotaet\". Try \"Rotate\".");
    viewer_set_entry(viewer, "straihgten");
    assert_string_equal(viewer->ui->no_match, "No match for \"straihgten\". Try \"Straighten\".");
    viewer_set_entry(viewer, "horizno");
    assert_string_equal(viewer->ui->no_match, "No match for \"horizno\". Try \"Straighten\".");
    viewer_set_entry(viewer, "qqqqqqqqqq");
    assert_int_equal(action_press(viewer, "Return", true), STATUS_USAGE);
    assert_string_equal(status_message(), "No match for \"qqqqqqqqqq\".");
    assert_true(viewer->typing);
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
    press_all(viewer, "Ctrl+O n o / n o");
    assert_int_equal(viewer->ui->choices.count, 0);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_INPUT);
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, ASSETS "no/no");
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
    press_all(viewer, "Right Backspace");
    assert_int_equal(viewer_check_entry(viewer), STATUS_USAGE);
}

/* A name takes the proposed one's place, a path the folder's, too. Arrows keep both; a box for a folder marks none. */
static void typed_names_replace_proposed_ones(void **state) {
    Viewer *viewer = *state;
    press_all(viewer, "Ctrl+S a . p n g");
    assert_string_equal(viewer->entry, ASSETS "a.png");
    press_all(viewer, "Esc Ctrl+S / t m p / a . p n g");
    assert_string_equal(viewer->entry, "/tmp/a.png");
    press_all(viewer, "Esc Ctrl+S Right x");
    assert_string_equal(viewer->entry, ASSETS "spark-result.pngx");
    press_all(viewer, "Esc Ctrl+S Left / x");
    assert_string_equal(viewer->entry, ASSETS "spark-result.pn/xg");
    press_all(viewer, "Esc Ctrl+O / t");
    assert_string_equal(viewer->entry, "/t");
    press_all(viewer, "Esc Ctrl+O a / b /");
    assert_string_equal(viewer->entry, ASSETS "a/b/");
    press_all(viewer, "Esc");
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

static void filters_begin_without_an_effect_if_they_are_set_by_eye(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_command(viewer, "add crop", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "add sepia", true), STATUS_OK);
    assert_chain(viewer, "crop=100:100:0:0:percent,sepia");
    assert_int_equal(viewer_set_values(viewer, 0, "50:50"), STATUS_OK);
    assert_int_equal(viewer_reset_link(viewer, 0), STATUS_OK);
    assert_chain(viewer, "crop=100:100:0:0:percent,sepia");
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

/* ---- files of keys ---- */

static void a_file_gives_keys_and_takes_them_from_others(void **state) {
    Viewer *viewer = *state;
    Keymap *keymap;
    assert_int_equal(keymap_parse(action_table,
                                  "# mine\nrace = g Ctrl+R   # was l\n\nsplit=\n\tzoom-in = = +\r\nmotion = Shift+q\n",
                                  "keys", &keymap),
                     STATUS_OK);
    viewer->ui->keymap = keymap;
    viewer->mode = MODE_SPEED;
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
    assert_int_equal(keymap_parse(action_table, "level = F1 F2\n", "keys", &keymap), STATUS_OK);
    viewer->ui->keymap = keymap;
    assert_string_equal(action_for_key(viewer, "F1")->name, "help"); /* in the mode Picture, as before */
    viewer->mode = MODE_SPEED;
    press_all(viewer, "F1");
    assert_string_equal(viewer_level(viewer)->name, "naive"); /* rung 1 */
    assert_string_equal(action_keys_here(viewer, action_by_name("help"), (char[ACTION_KEYS]){""}), "h ?");
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
        {"race = g\n#\nmeasure = s g\n", "keys:3: g is the key of race already, on line 1"},
        {"race = g\nrace = l\n", "keys:2: race has keys already, on line 1"},
    };
    (void)state;
    Keymap *keymap;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(keymap_parse(action_table, cases[i].text, "keys", &keymap), STATUS_USAGE);
        assert_null(keymap);
        assert_memory_equal(status_message(), cases[i].message, strlen(cases[i].message));
    }
}

/* ---- tables ---- */

static const Action two[] = {{.name = "one", .keys = "a b", .help = "first"},
                             {.name = "two", .keys = "c", .help = "second", .place = IN_SCENES}};
static const Action third[] = {{.name = "three", .keys = "b d", .help = "third", .place = IN_SCENES}};
static const Menu of_two = {"Two", two, 2}, of_none = {"None", NULL, 0}, of_one = {"One", third, 1};
static const Menu *const three_menus[] = {&of_two, &of_none, &of_one};
static const ActionTable small_table = {three_menus, 3};

static void actions_are_counted_through_all_menus(void **state) {
    const Action *const all[] = {&two[0], &two[1], &third[0]};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_ptr_equal(action_at(small_table, i), all[i]);
        assert_int_equal(action_place(small_table, all[i]), i);
        assert_ptr_equal(action_named(small_table, all[i]->name), all[i]);
    }
    assert_null(action_at(small_table, 3));
    assert_int_equal(action_count(small_table), 3);
    assert_null(action_named(small_table, "split"));
    size_t best = SIZE_MAX;
    assert_ptr_equal(action_closest(small_table, "threw", 5, &best), &third[0]);
    assert_null(action_closest(small_table, "zzzzzz", 6, &(size_t){0}));
}

/* Two actions of scenes cannot share a key. */
static void a_file_gives_keys_of_any_table(void **state) {
    Keymap *keymap;
    (void)state;
    assert_int_equal(keymap_parse(small_table, "two = d F1\n", "keys", &keymap), STATUS_OK);
    assert_string_equal(keymap_keys(keymap, &two[0]), "a b");
    assert_string_equal(keymap_keys(keymap, &two[1]), "d F1");
    assert_string_equal(keymap_keys(keymap, &third[0]), "b");
    keymap_close(&keymap);
    assert_int_equal(keymap_parse(small_table, "split = d\n", "keys", &keymap), STATUS_USAGE);
    assert_string_equal(keymap_keys(NULL, &third[0]), "b d");
}

/* A menu is read at a glance: 12 rows at most. Each row is in one of the bar's menus. */
static void menus_are_short(void **state) {
    size_t rows[MENUS] = {0}, all = 0;
    (void)state;
    for (size_t m = 0; m < action_table.count; m++)
        for (size_t i = 0; i < action_table.menus[m]->count; i++) {
            const Action *action = &action_table.menus[m]->actions[i];
            for (size_t k = 0; k < MENUS; k++)
                if (strcmp(menu_names[k], action_menu(action_table.menus[m], action)) == 0) {
                    rows[k] += !(action->flags & ACTION_RARE);
                    all++;
                }
        }
    assert_int_equal(all, action_count(action_table));
    for (size_t k = 0; k < MENUS; k++)
        assert_in_range(rows[k], 1, 12);
}

/* Rows that would do nothing are gray: nothing is there to undo, nothing is recorded, the CPU is one device. */
static void rows_that_cannot_act_say_so(void **state) {
    Viewer *viewer = *state;
    static const char *const nothing[] = {"stop-recording", "next-device",   "let-go", "tour-back",
                                          "worst-pixel",    "switch-filter", "motion"};
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_BEST), STATUS_OK);
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        if (action_can(viewer, action_by_name(nothing[i])))
            fail_msg("%s", nothing[i]);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_BEST), STATUS_OK);
    assert_true(action_can(viewer, action_by_name("undo")));
    assert_false(action_can(viewer, action_by_name("redo")));
    assert_true(action_can(viewer, action_by_name("switch-filter")));
    assert_int_equal(viewer_undo(viewer), STATUS_OK);
    assert_true(action_can(viewer, action_by_name("redo")));
}

/* ---- toggles and requests ---- */

static void run_row(Viewer *viewer, const char *name) {
    const Action *action = action_by_name(name);
    assert_int_equal(action_run(viewer, action, (Call){.step = action->step, .pressed = true}), STATUS_OK);
}

/* The tick follows from the member that the row names; panels come into view when they open, not when they close. */
static void a_toggle_flips_its_member_and_has_a_tick(void **state) {
    Viewer *viewer = *state;
    const struct {
        const char *name;
        const bool *member;
        OverlayMode shows;
    } cases[] = {{"watch", &viewer->watch.on, OVERLAY_OFF},    {"list-edits", &viewer->edits_listed, OVERLAY_FULL},
                 {"race", &viewer->racing, OVERLAY_FULL},      {"measure", &viewer->measuring, OVERLAY_OFF},
                 {"zebra", &viewer->grade.zebra, OVERLAY_OFF}, {"false-colour", &viewer->grade.false_colour, 0},
                 {"help", &viewer->help, OVERLAY_OFF},         {"welcome", &viewer->ui->welcome, OVERLAY_OFF}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Action *action = action_by_name(cases[i].name);
        viewer->overlay = OVERLAY_OFF;
        run_row(viewer, cases[i].name);
        assert_true(*cases[i].member && action_is_on(viewer, action));
        assert_int_equal(viewer->overlay, cases[i].shows);
        viewer->overlay = OVERLAY_OFF;
        run_row(viewer, cases[i].name);
        assert_false(*cases[i].member || action_is_on(viewer, action));
        assert_int_equal(viewer->overlay, OVERLAY_OFF);
    }
}

static void one_comparison_takes_the_place_of_another(void **state) {
    static const struct {
        const char *name;
        Compare compare;
    } cases[] = {{"split", COMPARE_SPLIT},
                 {"difference", COMPARE_DIFFERENCE},
                 {"side-by-side", COMPARE_SIDES},
                 {"flicker", COMPARE_FLICKER}};
    Viewer *viewer = *state;
    for (size_t i = 0; i < 4; i++) {
        run_row(viewer, cases[i].name);
        assert_int_equal(viewer->compare, cases[i].compare);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(action_is_on(viewer, action_by_name(cases[k].name)), k == i);
    }
    run_row(viewer, "flicker");
    assert_int_equal(viewer->compare, COMPARE_NONE);
}

static void a_held_toggle_is_as_its_key(void **state) {
    Viewer *viewer = *state;
    const Action *action = action_by_name("unfiltered");
    for (int pressed = 1; pressed >= 0; pressed--)
        for (int time = 0; time < 2; time++) {
            assert_int_equal(action_run(viewer, action, (Call){.pressed = pressed}), STATUS_OK);
            assert_int_equal(viewer->unfiltered, pressed);
        }
}

/* It waits for the window; asking again is the same request. */
static void a_request_is_set_and_has_no_tick(void **state) {
    Viewer *viewer = *state;
    const struct {
        const char *name;
        const bool *member;
    } cases[] = {{"quit", &viewer->requests->quit},
                 {"paste", &viewer->requests->paste},
                 {"copy-image", &viewer->requests->copy_image},
                 {"copy-command", &viewer->requests->copy_command},
                 {"full-screen", &viewer->requests->toggle_fullscreen},
                 {"forget-latency", &viewer->requests->forget_latency}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int time = 0; time < 2; time++) {
            run_row(viewer, cases[i].name);
            assert_true(*cases[i].member);
            assert_false(action_is_on(viewer, action_by_name(cases[i].name)));
        }
}

/* A function that refuses keeps the toggle: gaussian has neither mask nor curve. */
static void a_refused_toggle_stays(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "M", true), STATUS_USAGE);
    assert_false(viewer->editing);
}

static int register_backends(void **state) {
    (void)state;
    return backends_register() == STATUS_OK ? 0 : -1;
}

/* The page of keys opens with the glossary's rows alone; Esc leaves the search, then the page. */
static void the_glossary_is_searched_on_the_page_of_keys(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_command(viewer, "glossary", true), STATUS_OK);
    assert_true(viewer->help);
    assert_string_equal(viewer->ui->help_wanted, "glossary");
    press_all(viewer, "Esc");
    assert_string_equal(viewer->ui->help_wanted, "");
    press_all(viewer, "Esc");
    assert_false(viewer->help);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lose_their_middle),
        cmocka_unit_test(words_match_in_any_order_and_letters_in_theirs),
        cmocka_unit_test(better_matches_stand_first),
        cmocka_unit_test(synonyms_match_from_their_beginnings),
        cmocka_unit_test(every_synonym_is_one_of_a_thing),
        WITH_SPARK(the_search_knows_what_people_type),
        WITH_SPARK(the_search_finds_levels_of_the_gpu),
        cmocka_unit_test(no_box_says_its_label_twice),
        WITH_SPARK(a_row_takes_a_number_that_was_typed),
        WITH_SPARK(a_preset_is_added_behind_the_chain),
        WITH_SPARK(no_match_says_what_is_like_it),
        WITH_SPARK(the_palette_has_every_action_that_is_here),
        WITH_SPARK(the_palette_does_what_is_chosen),
        WITH_SPARK(the_palette_leads_to_the_next_box),
        WITH_SPARK(a_path_is_completed_folder_by_folder),
        WITH_SPARK(a_path_that_leads_nowhere_says_so_and_stays),
        WITH_SPARK(a_chain_is_completed_link_by_link),
        WITH_SPARK(a_name_to_save_under_wants_an_extension),
        WITH_SPARK(typed_names_replace_proposed_ones),
        WITH_SPARK(commands_say_what_is_wrong_with_them),
        WITH_SPARK(filters_begin_without_an_effect_if_they_are_set_by_eye),
        WITH_SPARK(what_panels_ask_for_waits_until_the_window_takes_it),
        WITH_SPARK(a_file_gives_keys_and_takes_them_from_others),
        WITH_SPARK(digits_of_a_file_pick_the_rungs_in_their_order),
        cmocka_unit_test(actions_are_counted_through_all_menus),
        cmocka_unit_test(a_file_gives_keys_of_any_table),
        cmocka_unit_test(menus_are_short),
        WITH_SPARK(the_glossary_is_searched_on_the_page_of_keys),
        WITH_SPARK(rows_that_cannot_act_say_so),
        WITH_SPARK(a_toggle_flips_its_member_and_has_a_tick),
        WITH_SPARK(one_comparison_takes_the_place_of_another),
        WITH_SPARK(a_held_toggle_is_as_its_key),
        WITH_SPARK(a_request_is_set_and_has_no_tick),
        WITH_SPARK(a_refused_toggle_stays),
        cmocka_unit_test(a_bad_file_of_keys_says_where_and_what_would_be_right),
    };
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
