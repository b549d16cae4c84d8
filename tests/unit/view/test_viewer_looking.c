/* test_viewer_looking.c: keys, the inspector and the histogram. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/data/key_names.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/command_line.h"
#include "core/base/file.h"

#include "tests/unit/view/fixture.h"

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
    const Action *action, *other;
    (void)state;
    for (size_t i = 0; (action = action_at(action_table, i)); i++) {
        assert_true(action->name[0] && action->help[0]);
        char keys[64], *rest = NULL;
        assert_true(strlen(action->keys) < sizeof keys);
        strcpy(keys, action->keys);
        for (const char *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
            for (size_t k = 0; (other = action_at(action_table, k)); k++)
                if (k != i && other->place == action->place &&
                    (other->flags & ACTION_OF_SPEED) == (action->flags & ACTION_OF_SPEED))
                    assert_false(has_key(other, key));
        for (int place = 0; place < SUBJECTS; place++) { /* every action has one wherever it is, in one of the modes */
            Image picture = {.view = {.shape = {1, 1, 1, PIXEL_U8}}};
            Subject subject = {.kind = subject_kinds[place], .picture = &picture};
            Session session = {.subject = &subject};
            Interface ui = {.keymap = NULL};
            Viewer viewer = {.session = &session, .ui = &ui, .pictures = {.count = 2}, .mode = MODE_SPEED};
            char here[ACTION_KEYS], key[KEY_MAX];
            action_keys_here(&viewer, action, here);
            if (here[0] == '\0')
                viewer.mode = MODE_PICTURE;
            action_keys_here(&viewer, action, here);
            if (here[0] == '\0')
                print_error("%s\n", action->name);
            assert_true(here[0] != '\0');
            here[strcspn(here, " ")] = '\0';
            if (action_is_here(&viewer, action))
                assert_ptr_equal(action_for_key(&viewer, key_of_shown(here, key)), action);
        }
        assert_ptr_equal(action_by_name(action->name), action);
        assert_int_equal(strspn(action->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(action->name));
    }
}

/* Capitals look like letters and signs of other keys: I like l, O like 0. */
static void capitals_are_shown_with_shift(void **state) {
    static const struct {
        const char *key, *shown;
    } cases[] = {{"I", "Shift+I"}, {"i", "i"},   {"1", "1"},  {"Ctrl+I", "Ctrl+I"}, {"Ctrl+Shift+I", "Ctrl+Shift+I"},
                 {"|", "|"},       {"F1", "F1"}, {"Up", "Up"}};
    Viewer *viewer = *state;
    char shown[KEY_MAX], key[KEY_MAX], keys[ACTION_KEYS];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(key_shown(cases[i].key, strlen(cases[i].key), shown), cases[i].shown);
        assert_string_equal(key_of_shown(cases[i].shown, key), cases[i].key);
    }
    assert_string_equal(key_of_shown("shift+i", key), "I");
    assert_string_equal(action_keys_here(viewer, action_by_name("redo"), keys), "Ctrl+Y Shift+U Ctrl+Shift+Z");
    assert_string_equal(action_key_here(viewer, action_by_name("redo"), keys), "Ctrl+Y");
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
    const InspectorView *inspector = inspector_view(viewer);
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
    const InspectorView *inspector = inspector_view(viewer);
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
    const HistogramChoices *histogram = histogram_choices(viewer);
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
    HistogramChoices choices = *histogram;
    choices.before = true;
    histogram_choose(viewer, choices);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[2].mean, mean_of(viewer_picture(viewer)->view, 9, 12, 12, 19, 2)));
    assert_null(counted->waveform);
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK); /* without a filter, too */
    choices.before = false;
    choices.part = (Marked){0};
    histogram_choose(viewer, choices);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_true(near(counted->stats[0].mean, mean_of(viewer_picture(viewer)->view, 0, 0, WIDTH, HEIGHT, 0)));
    choices.part = (Marked){9, 12, 12, 19};
    histogram_choose(viewer, choices);
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
        {"z", "false colour, gamma 0.9, clipping shown"},
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
    static const char *const commands[] = {"measure", "measure", "difference-view", "difference-view"};
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        viewer->toast.text[0] = '\0';
        assert_int_equal(action_command(viewer, commands[i], true), STATUS_OK);
        assert_true(strlen(viewer->toast.text) > 0);
    }
    assert_int_equal(action_command(viewer, "let-go", true), STATUS_USAGE);
    assert_string_equal(status_message(), "no snapshot was taken");
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
                              "--level best --border clamp --precision stored");
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
    assert_string_equal(viewer->toast.text, with_folder("Saved %s/glint-result-001.pfm"));
    assert_int_equal(codec_load("glint-result-001.pfm", &image), STATUS_OK);
    assert_true(shows(viewer, image));
    image_destroy(&image);
    command_line_format(viewer, line, sizeof line);
    assert_string_equal(line,
                        "glint batch gaussian=1 ./-light.pfm -o out.pfm --backend cpu --level best --border clamp "
                        "--precision stored");
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
        WITH_VIEWER(capitals_are_shown_with_shift),
        WITH_VIEWER(the_inspector_explains_the_result),
        WITH_VIEWER(the_inspector_goes_through_the_stages),
        WITH_VIEWER(the_histogram_follows_what_is_shown),
        WITH_VIEWER(the_response_is_of_what_is_carried_out),
        WITH_VIEWER(grades_are_said_and_reset),
        cmocka_unit_test(files_are_taken_once_they_rest),
        WITH_VIEWER(space_shows_the_source_while_held),
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
