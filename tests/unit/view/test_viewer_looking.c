/* test_viewer_looking.c: comparing, keys, the inspector and the histogram. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/command_line.h"
#include "core/base/file.h"

#include "tests/unit/view/fixture.h"

/* ---- comparing ---- */

/* The folders tell two files with one name apart. */
static void labels_tell_files_apart(void **state) {
    static const struct {
        const char *left, *right, *words, *other;
    } cases[] = {{"a/one.ppm", "b/two.ppm", "one.ppm", "two.ppm"},
                 {"x/a/one.ppm", "x/b/one.ppm", "a/one.ppm", "b/one.ppm"},
                 {"/x/c/d/one.ppm", "/y/c/d/one.ppm", "x/c/d/one.ppm", "y/c/d/one.ppm"},
                 {"one.ppm", "b/one.ppm", "one.ppm", "b/one.ppm"}};
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    Subject *subject = viewer->session->request.subject;
    char *name = subject->name;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char left[32], right[32];
        snprintf(left, sizeof left, "%s", cases[i].left);
        snprintf(right, sizeof right, "%s", cases[i].right);
        subject->name = left;
        assert_int_equal(viewer_pin(viewer), STATUS_OK);
        subject->name = right;
        assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), cases[i].words);
        assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), cases[i].other);
    }
    subject->name = name;
}

static void what_has_no_name_is_left_out_of_labels(void **state) {
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "no filter"); /* no level did that */
    assert_ptr_equal(strstr(viewer_side_words(viewer, false, words, sizeof words), "invert \u00b7 "), words);
}

/* The kept picture stays through all changes, and the differences are those of the shown picture from it. */
static void any_two_results_are_compared(void **state) {
    Viewer *viewer = *state;
    char words[4 * SIDE_WORDS];
    unsigned serial, kept;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    const Image *picture = viewer_picture(viewer);
    assert_ptr_equal(viewer_source(viewer, &serial), picture);
    assert_int_equal(viewer_pin(viewer), STATUS_OK);
    const Image *image = viewer_source(viewer, &kept);
    assert_true(image != picture && kept != serial);
    for (size_t x = 0; x < 5; x++)
        assert_true(near(view_value(image->view, x, 3, 1), 255 - view_value(picture->view, x, 3, 1)));
    assert_int_equal(viewer_set_chain(viewer, "invert,brightness=40", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(viewer_side_words(viewer, true, words, sizeof words), "invert");
    assert_string_equal(viewer_side_words(viewer, false, words, sizeof words), "invert,brightness=40");
    assert_true(viewer_side_ms(viewer, true) > 0);
    viewer->compare = COMPARE_SPLIT;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    const Difference *difference = &viewer->session->difference;
    assert_int_equal(difference->row, HEIGHT);
    double largest = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                largest = fmax(largest, fabs(view_value(image->view, x, y, c) -
                                             view_value(viewer->session->result->view, x, y, c)));
    assert_true(largest > 0 && near(difference->max, largest));
    assert_int_equal(viewer_show_worst(viewer), STATUS_OK);
    size_t x, y;
    const Area area = viewer->area;
    assert_true(viewport_pixel(viewer_viewport(viewer), area.x + area.width / 2, area.y + area.height / 2, WIDTH,
                               HEIGHT, &x, &y));
    assert_true(x == difference->x && y == difference->y);
    viewer_unpin(viewer);
    assert_ptr_equal(viewer_source(viewer, &kept), picture);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(viewer->session->difference_of_source, serial);
}

/* Next to each other, both sides are as large, and fit their halves. */
static void sides_have_halves(void **state) {
    Viewer *viewer = *state;
    const Viewport whole = viewer_viewport(viewer);
    viewer->compare = COMPARE_SIDES;
    const Viewport half = viewer_viewport(viewer);
    const Area right = viewer_result_area(viewer), area = viewer->area;
    assert_true(near(right.x + right.width, area.x + area.width) && near(2 * right.width, area.width));
    assert_true(half.x >= right.x && half.x + WIDTH * half.scale <= right.x + right.width + 1e-6);
    assert_true(half.scale <= whole.scale);
}

/* ---- keys ---- */

static bool has_key(const Action *action, const char *wanted) {
    char keys[64], *rest = NULL;
    snprintf(keys, sizeof keys, "%s", action->keys);
    bool has = false;
    for (const char *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
        has |= strcmp(key, wanted) == 0;
    return has;
}

static void no_key_does_two_things(void **state) {
    (void)state;
    for (size_t i = 0; i < action_count; i++) {
        assert_true(actions[i].name[0] && actions[i].help[0] && actions[i].group[0]);
        char keys[64], *rest = NULL;
        assert_true(strlen(actions[i].keys) < sizeof keys);
        strcpy(keys, actions[i].keys);
        for (const char *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
            for (size_t other = 0; other < action_count; other++)
                if (other != i && actions[other].place == actions[i].place)
                    assert_false(has_key(&actions[other], key));
        for (int place = 0; place < SUBJECTS; place++) { /* every action has one wherever it is */
            Subject subject = {.kind = subject_kinds[place]};
            Session session = {.request = {.subject = &subject}};
            Interface ui = {.keymap = NULL};
            const Viewer viewer = {.session = &session, .ui = &ui};
            char here[ACTION_KEYS];
            action_keys_here(&viewer, &actions[i], here);
            if (here[0] == '\0')
                print_error("%s\n", actions[i].name);
            assert_true(here[0] != '\0');
            here[strcspn(here, " ")] = '\0';
            if (action_is_here(&viewer, &actions[i]))
                assert_ptr_equal(action_for_key(&viewer, here), &actions[i]);
        }
        assert_ptr_equal(action_by_name(actions[i].name), &actions[i]);
        assert_int_equal(strspn(actions[i].name, "abcdefghijklmnopqrstuvwxyz-"), strlen(actions[i].name));
    }
}

static void escape_closes_what_is_on_top_then_quits(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "h", true), STATUS_OK);
    assert_true(viewer->help);
    assert_int_equal(action_press(viewer, "esc", true), STATUS_OK);
    assert_false(viewer->help || viewer->requests->quit);
    assert_int_equal(action_press(viewer, "s", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "q", true), STATUS_OK);
    assert_true(viewer->compare == COMPARE_NONE && !viewer->requests->quit);
    viewer->menu = true; /* as the panels say when one is open */
    assert_int_equal(action_press(viewer, "Down", true), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(viewer->menu || viewer->requests->quit);
    assert_int_equal(action_press(viewer, "q", true), STATUS_OK);
    assert_true(viewer->requests->quit);
}

/* ---- looking closely ---- */

/* The window's point in the middle of a pixel of the picture. */
static void point_at_pixel(Viewer *viewer, size_t x, size_t y) {
    const Viewport at = viewer_viewport(viewer);
    inspector_point_at(viewer, at.x + ((double)x + 0.5) * at.scale, at.y + ((double)y + 0.5) * at.scale);
}

static double result_at(const Viewer *viewer, size_t x, size_t y, int c) {
    double room[4];
    const ImageView pixel = {{1, 1, 3, PIXEL_U8}, sizeof room, room};
    assert_true(viewer_pixels(viewer, x, y, pixel));
    return view_value(pixel, 0, 0, c);
}

static void the_inspector_explains_the_result(void **state) {
    Viewer *viewer = *state;
    const Inspector *inspector = viewer->tools->inspector;
    assert_int_equal(action_press(viewer, "X", true), STATUS_USAGE); /* nothing to freeze */
    assert_int_equal(action_press(viewer, "x", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    for (size_t y = 0; y < HEIGHT; y += 23)
        for (size_t x = 0; x < WIDTH; x += 12) {
            point_at_pixel(viewer, x, y);
            inspector_update(viewer);
            assert_true(inspector->x == x && inspector->y == y && inspector->current && inspector->has_result);
            assert_int_equal(inspector->inspection.kind, INSPECT_SUM);
            assert_true(near(inspector->inspection.stored, result_at(viewer, x, y, inspector->channel)));
        }
    assert_int_equal(action_press(viewer, "X", true), STATUS_OK);
    point_at_pixel(viewer, 3, 4);
    assert_true(inspector->x == 60 && inspector->y == 46); /* frozen */
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_false(inspector->open || viewer->requests->quit);
}

/* The input and the result of a stage in the middle of a chain are computed ahead. */
static void the_inspector_goes_through_the_stages(void **state) {
    Viewer *viewer = *state;
    const Inspector *inspector = viewer->tools->inspector;
    assert_int_equal(viewer_set_chain(viewer, "median=1,gaussian=2,invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "x", true), STATUS_OK);
    point_at_pixel(viewer, 20, 30);
    inspector_update(viewer);
    assert_true(inspector->shown_stage == 1 && !inspector->current &&
                inspector_tool.due(viewer_session(viewer))); /* the most arithmetic */
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    double blurred = 0;
    const InspectKind kinds[] = {INSPECT_SUM, INSPECT_POINT, INSPECT_RANK};
    for (size_t i = 0; i < 3; i++) {
        inspector_update(viewer);
        assert_true(inspector->current && inspector->has_result && inspector->inspection.kind == kinds[i]);
        assert_true(near(inspector->inspection.stored, inspector->stage_value));
        if (kinds[i] == INSPECT_SUM)
            blurred = inspector->stage_value;
        if (kinds[i] == INSPECT_POINT) {
            assert_true(near(inspector->inspection.steps[0].in[0][0], blurred));
            assert_true(near(inspector->stage_value, result_at(viewer, 20, 30, 0)));
        }
        inspector_step(viewer, 1);
        inspector_update(viewer);
        assert_int_equal(viewer_finish(viewer), STATUS_OK);
    }
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK); /* of which (20, 30) is no pixel */
    inspector_update(viewer);
    assert_false(inspector->has_pixel || inspector->current);
}

/* The mean of a channel over a rectangle. */
static double mean_of(ImageView view, size_t x, size_t y, size_t width, size_t height, int c) {
    double sum = 0;
    for (size_t j = y; j < y + height; j++)
        for (size_t i = x; i < x + width; i++)
            sum += view_value(view, i, j, c);
    return sum / (double)(width * height);
}

static void the_histogram_follows_what_is_shown(void **state) {
    Viewer *viewer = *state;
    const Histogram *histogram = viewer->tools->histogram;
    const Counted *counted = &viewer->session->counted;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(counted->known);
    assert_int_equal(action_press(viewer, "H", true), STATUS_OK);
    assert_true(histogram_tool.due(viewer_session(viewer)));
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(counted->known && !histogram_tool.due(viewer_session(viewer)) && counted->rows == 4);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_true(near(counted->stats[1].mean, mean_of(viewer->session->result->view, 0, 0, WIDTH, HEIGHT, 1)));
    const Viewport at = viewer_viewport(viewer);
    histogram_mark(viewer, at.x + 20.5 * at.scale, at.y + 30.5 * at.scale, at.x + 9.5 * at.scale,
                   at.y + 12.5 * at.scale);
    assert_true(histogram->part.x == 9 && histogram->part.y == 12 && histogram->part.width == 12);
    assert_int_equal(histogram->part.height, 19);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[2].mean, mean_of(viewer->session->result->view, 9, 12, 12, 19, 2)));
    assert_true(near(counted->stats[0].count, 12 * 19));
    viewer->tools->histogram->before = true;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[2].mean, mean_of(viewer_picture(viewer)->view, 9, 12, 12, 19, 2)));
    assert_null(counted->waveform);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK); /* without a filter, too */
    viewer->tools->histogram->before = false;
    viewer->tools->histogram->part = (Marked){0};
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[0].mean, mean_of(viewer_picture(viewer)->view, 0, 0, WIDTH, HEIGHT, 0)));
    viewer->tools->histogram->part = (Marked){9, 12, 12, 19};
    assert_int_equal(action_press(viewer, "W", true), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_int_equal(counted->waveform->view.shape.width, 12);
    assert_int_equal(action_press(viewer, "W", true), STATUS_OK);
    assert_false(histogram->open || histogram_tool.due(viewer_session(viewer)));
}

/* A mask of three across passes flat areas half as bright again, and leaves a half of stripes of single columns. A
 * chain that is asked for meanwhile is the window's. */
static void the_response_is_of_what_is_carried_out(void **state) {
    Viewer *viewer = *state;
    const Response *response = &viewer->session->response;
    viewer->editing = true;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=1", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_false(response->known);
    assert_int_equal(viewer_set_chain(viewer, "convolve=1 1 1;:0.5,invert", FALLBACK_NONE), STATUS_OK);
    viewer->selected = 1;
    assert_false(mask_editor_tool.due(viewer_session(viewer)));
    viewer->selected = 0;
    assert_true(mask_editor_tool.due(viewer_session(viewer)));
    Session *lent = viewer_lend(viewer);
    viewer->postpones = true;
    assert_int_equal(viewer_set_chain(viewer, "convolve=1 2 1;:0.5,invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(session_finish(lent), STATUS_OK);
    assert_false(viewer->session->response.known);
    viewer_take_back(viewer);
    viewer->postpones = false;
    assert_true(response->known && response->picture && !mask_editor_tool.due(viewer_session(viewer)));
    assert_true(near(response->at_rest, 1.5) && near(response->half_x, 0.5) && near(response->half_y, 1.5));
    assert_int_equal(viewer_settle(viewer), STATUS_OK);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(response->at_rest, 2) && near(response->half_x, 0) && near(response->largest, 2));
    assert_int_equal(viewer_set_chain(viewer, "convolve", FALLBACK_NONE), STATUS_USAGE); /* no mask, no response */
}

static void grades_are_said_and_reset(void **state) {
    Viewer *viewer = *state;
    char words[160];
    const struct {
        const char *key, *words;
    } steps[] = {
        {"C", "red channel"},
        {"C", "green channel"},
        {"C", "blue channel"},
        {"C", "luma"}, /* there is no alpha */
        {"F", "luma, false colour"},
        {"C", "false colour"},
        {"y", "false colour, gamma 1.1"},
        {"Y", "false colour"},
        {"Y", "false colour, gamma 0.9"},
        {"z", "false colour, gamma 0.9, black and white striped"},
        {"r", ""},
    };
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        assert_int_equal(action_press(viewer, steps[i].key, true), STATUS_OK);
        viewer_describe(viewer, true, words, sizeof words);
        assert_string_equal(words, steps[i].words);
    }
    assert_int_equal(grade_next_channel(GRADE_ALL, (Shape){1, 1, 2, PIXEL_U8}), GRADE_ALPHA);
    assert_int_equal(grade_next_channel(GRADE_BLUE, (Shape){1, 1, 4, PIXEL_U8}), GRADE_ALPHA);
    assert_true(near(grade_step_gamma(10, 1), 10) && near(grade_step_gamma(0.1, -1), 0.1));
}

/* A look, now, at a file from which the shown picture was read long ago. */
static bool look(Watch *watch, unsigned serial) {
    watch->looked = 0;
    return watch_look(watch, "watched.txt", serial, -1);
}

static void files_are_taken_once_they_rest(void **state) {
    (void)state;
    Watch watch = {.on = true};
    write_text("watched.txt", "one");
    assert_false(look(&watch, 1) || look(&watch, 1) || look(&watch, 1));
    write_text("watched.txt", "half");
    assert_false(look(&watch, 1)); /* is it whole? */
    write_text("watched.txt", "both halves");
    assert_false(look(&watch, 1));
    assert_true(look(&watch, 1)); /* it rests */
    assert_false(look(&watch, 1) || look(&watch, 1));
    assert_false(look(&watch, 2) || look(&watch, 2)); /* it was read again */
    remove("watched.txt");
    assert_false(look(&watch, 2) || watch_lost(&watch)); /* perhaps it is about to be replaced */
    write_text("watched.txt", "as saved by another program");
    assert_false(look(&watch, 2) || watch_lost(&watch));
    assert_true(look(&watch, 2));
    watch.looked = 0; /* written while it was read, perhaps: once more */
    assert_false(watch_look(&watch, "watched.txt", 3, 3600));
    assert_true(look(&watch, 3));
    remove("watched.txt");
    assert_false(look(&watch, 3) || watch_lost(&watch));
    assert_true(!look(&watch, 3) && watch_lost(&watch)); /* it is not */
    assert_false(watch_lost(&watch) || look(&watch, 3) || watch_lost(&watch));
    watch.on = false;
    write_text("watched.txt", "unseen");
    assert_false(look(&watch, 3) || look(&watch, 3));
    assert_true(watch_waits_ms(&watch) < 0);
    remove("watched.txt");
}

static void space_shows_the_source_while_held(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_true(viewer->unfiltered);
    assert_int_equal(action_press(viewer, "Space", false), STATUS_OK);
    assert_false(viewer->unfiltered);
    assert_int_equal(action_press(viewer, "Tab", false), STATUS_OK); /* letting other keys go does nothing */
    assert_int_equal(action_press(viewer, "Space", true), STATUS_OK);
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK); /* let go in the box that was opened meanwhile */
    assert_int_equal(action_press(viewer, "Space", false), STATUS_OK);
    assert_false(viewer->unfiltered);
    assert_int_equal(action_press(viewer, "Esc", true), STATUS_OK);
    assert_int_equal(viewer->overlay, OVERLAY_FULL);
}

/* An opened panel is seen: an overlay that was off comes back, as much of it as the panel takes. */
static void what_is_opened_is_seen(void **state) {
    static const struct {
        const char *command;
        OverlayMode least;
    } opened[] = {{"histogram", OVERLAY_COMPACT},  {"inspector", OVERLAY_COMPACT}, {"editor", OVERLAY_COMPACT},
                  {"thumbnails", OVERLAY_COMPACT}, {"race", OVERLAY_FULL},         {"list-edits", OVERLAY_FULL},
                  {"facts", OVERLAY_FULL}};
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_NONE), STATUS_OK);
    for (size_t i = 0; i < sizeof opened / sizeof opened[0]; i++) {
        viewer->overlay = OVERLAY_OFF;
        assert_int_equal(action_command(viewer, opened[i].command, true), STATUS_OK);
        assert_int_equal(viewer->overlay, opened[i].least);
        viewer->overlay = OVERLAY_OFF;
        assert_int_equal(action_command(viewer, opened[i].command, true), STATUS_OK); /* and closed */
        assert_int_equal(viewer->overlay, OVERLAY_OFF);
    }
}

/* Where nothing can be seen to happen, words name the effect, or the reason why there is none. */
static void no_action_is_silent(void **state) {
    static const char *const commands[] = {"measure", "measure", "heat-map", "heat-map"};
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        viewer->toast.text[0] = '\0';
        assert_int_equal(action_command(viewer, commands[i], true), STATUS_OK);
        assert_true(strlen(viewer->toast.text) > 0);
    }
    assert_int_equal(action_command(viewer, "let-go", true), STATUS_USAGE);
    assert_string_equal(status_message(), "nothing is kept");
}

/* The two sides never meet beneath a column, where no hand could take them apart. A split that would begin there begins
 * in the middle of the free part. */
static void a_split_lies_where_it_can_be_taken(void **state) {
    Viewer *viewer = *state;
    viewer->width = 640;
    viewer->height = 400;
    viewer_set_area(viewer, (Area){360, 20, 280, 380});
    viewer->split = 0.5;
    assert_true(near(viewer_split_x(viewer), 360));
    assert_int_equal(action_command(viewer, "split", true), STATUS_OK);
    assert_true(near(viewer_split_x(viewer), 500));
    viewer->split = 0.75;
    assert_true(near(viewer_split_x(viewer), 480));
    assert_int_equal(action_command(viewer, "split", true), STATUS_OK);
    assert_int_equal(action_command(viewer, "split", true), STATUS_OK);
    assert_true(near(viewer_split_x(viewer), 480));
    viewer->split = 0;
    assert_true(near(viewer_split_x(viewer), 360));
    viewer->split = 1;
    assert_true(near(viewer_split_x(viewer), 640));
}

static void letters_mean_other_things_in_scenes(void **state) {
    Viewer *viewer = *state;
    assert_string_equal(action_for_key(viewer, "s")->name, "split");
    assert_int_equal(viewer_show(viewer, SUBJECT_SCENE), STATUS_OK);
    assert_string_equal(action_for_key(viewer, "s")->name, "move-back");
    assert_string_equal(action_for_key(viewer, "|")->name, "split");
    assert_string_equal(action_for_key(viewer, "Delete")->name, "remove-filter");
    char keys[ACTION_KEYS];
    assert_string_equal(action_keys_here(viewer, action_by_name("split"), keys), "|");
    assert_string_equal(action_keys_here(viewer, action_by_name("next-filter"), keys), ".");
    assert_int_equal(action_press(viewer, "~", true), STATUS_OK); /* the filter that is there */
}

static void command_line_is_quoted_for_a_shell(void **state) {
    Viewer *viewer = *state;
    char line[1024];
    save_random("it's one.png", 5, 5, 1);
    assert_int_equal(viewer_open(viewer, "it's one.png"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 1 0 1 1 1 0 1 0", FALLBACK_NONE), STATUS_OK);
    command_line_format(viewer, line, sizeof line);
    assert_string_equal(line, "glint batch 'convolve=0 1 0 1 1 1 0 1 0' 'it'\\''s one.png' -o out.png --backend cpu "
                              "--level best --border clamp");
    assert_int_equal(remove("it's one.png"), 0);
}

static void floats_are_saved_as_floats(void **state) {
    Viewer *viewer = *state;
    Image *image;
    char line[1024];
    assert_int_equal(image_create((Shape){5, 4, 3, PIXEL_F32}, &image), STATUS_OK);
    view_fill_random(image->view, 3);
    write_image("-light.pfm", image);
    image_destroy(&image);
    assert_int_equal(viewer_open(viewer, "-light.pfm"), STATUS_OK);
    assert_int_equal(action_press(viewer, "P", true), STATUS_OK);
    assert_string_equal(viewer->toast.text, "the result is in glint-result-001.pfm");
    assert_int_equal(codec_load("glint-result-001.pfm", &image), STATUS_OK);
    assert_true(shows(viewer, image));
    image_destroy(&image);
    command_line_format(viewer, line, sizeof line);
    assert_string_equal(line,
                        "glint batch gaussian=1 ./-light.pfm -o out.pfm --backend cpu --level best --border clamp");
    remove("glint-result-001.pfm");
    remove("-light.pfm");
}

static void cameras_are_written_as_people_write_them(void **state) {
    Viewer *viewer = *state;
    char line[1024];
    viewer_resize(viewer, 64, 48);
    write_text("up.scene", "glint-scene 2\ncamera 0.1 -4 0.3 0.1 0.2 0.3 0 0 1 40\nsphere 0 0 0 1 1 1 1\n");
    assert_int_equal(viewer_open(viewer, "up.scene"), STATUS_OK);
    command_line_format(viewer, line, sizeof line);
    const char *at = strstr(line, "perspective=");
    assert_non_null(at);
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, " "), at);
    Camera again;
    assert_int_equal(camera_parse(text, &again), STATUS_OK);
    const Camera camera = viewer->request->orbit_camera.camera;
    const Vec apart = vec_minus(again.up, camera.up), off = vec_minus(again.from, camera.from);
    assert_true(vec_dot(apart, apart) < 1e-10f && !(vec_dot(off, off) > 0)); /* z is up here, and stays it */
    assert_null(strstr(text, "0000000"));                                    /* no 0.30000001192092896 */
    remove("up.scene");
}

static size_t occurrences(const char *path, const char *word) {
    Bytes bytes = {0};
    size_t count = 0;
    assert_int_equal(file_read(path, &bytes), STATUS_OK);
    for (size_t i = 0; i + strlen(word) <= bytes.size; i++)
        count += memcmp(bytes.data + i, word, strlen(word)) == 0;
    bytes_free(&bytes);
    return count;
}

static void a_trace_has_what_happened_and_no_more(void **state) {
    Viewer *viewer = *state;
    ProfileTrace *profile_trace;
    assert_int_equal(profile_trace_open("trace.json", false, &profile_trace), STATUS_OK);
    viewer->profile_trace = profile_trace;
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    for (int i = 0; i < 5; i++) { /* as a slider is dragged */
        assert_int_equal(action_press(viewer, "]", true), STATUS_OK);
        assert_int_equal(viewer_run(viewer), STATUS_OK);
    }
    viewer->profile_trace = NULL;
    assert_int_equal(profile_trace_close(&profile_trace, true), STATUS_OK);
    assert_int_equal(occurrences("trace.json", "\"decode\""), 1);
    assert_int_equal(occurrences("trace.json", "\"upload\""), 1);
    remove("trace.json");
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_key_does_two_things),
        WITH_VIEWER(escape_closes_what_is_on_top_then_quits),
        WITH_VIEWER(the_inspector_explains_the_result),
        WITH_VIEWER(the_inspector_goes_through_the_stages),
        WITH_VIEWER(the_histogram_follows_what_is_shown),
        WITH_VIEWER(the_response_is_of_what_is_carried_out),
        WITH_VIEWER(grades_are_said_and_reset),
        cmocka_unit_test(files_are_taken_once_they_rest),
        WITH_VIEWER(space_shows_the_source_while_held),
        WITH_VIEWER(any_two_results_are_compared),
        WITH_VIEWER(labels_tell_files_apart),
        WITH_VIEWER(what_has_no_name_is_left_out_of_labels),
        WITH_VIEWER(sides_have_halves),
        WITH_VIEWER(what_is_opened_is_seen),
        WITH_VIEWER(no_action_is_silent),
        WITH_VIEWER(a_split_lies_where_it_can_be_taken),
        WITH_VIEWER(letters_mean_other_things_in_scenes),
        WITH_VIEWER(command_line_is_quoted_for_a_shell),
        WITH_VIEWER(floats_are_saved_as_floats),
        WITH_VIEWER(cameras_are_written_as_people_write_them),
        WITH_VIEWER(a_trace_has_what_happened_and_no_more),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
