/* test_viewer_chain.c: filters, levels, borders and parameters as the window takes them. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "core/ops/convolve.h"

#include "tests/unit/view/fixture.h"

static void digits_and_arrows_climb_the_ladder(void **state) {
    Viewer *viewer = *state;
    LadderRow rungs[RUNGS_MAX];
    const size_t count = viewer_rungs(viewer, rungs);
    assert_true(count >= 2);
    assert_ptr_equal(rungs[0].level, level_reference(&op_convolve));
    viewer->mode = MODE_SPEED;
    assert_int_equal(action_press(viewer, "1", true), STATUS_OK);
    assert_string_equal(viewer_level(viewer)->name, "naive");
    assert_int_equal(action_press(viewer, "Down", true), STATUS_OK);
    assert_string_equal(viewer_level(viewer)->name, "reference");
    assert_int_equal(action_press(viewer, "Down", true), STATUS_USAGE);
    assert_string_equal(viewer_level(viewer)->name, "reference");
    for (size_t i = 1; i < count && !rungs[i].why_not; i++) {
        assert_int_equal(action_press(viewer, "Up", true), STATUS_OK);
        assert_ptr_equal(viewer_level(viewer), rungs[i].level);
    }
    assert_int_equal(action_press(viewer, "End", true), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
}

static void a_level_that_cannot_says_why_and_the_old_one_stays(void **state) {
    Viewer *viewer = *state;
    LadderRow rungs[RUNGS_MAX];
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_NONE),
                     STATUS_OK); /* of rank 2 */
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    const size_t count = viewer_rungs(viewer, rungs);
    bool refused = false;
    for (size_t i = 0; i < count; i++) {
        if (!rungs[i].why_not)
            continue;
        refused = true;
        assert_int_equal(viewer_set_level(viewer, rungs[i].level->name), STATUS_USAGE);
        assert_non_null(strstr(status_message(), rungs[i].why_not));
        assert_string_equal(viewer_level(viewer)->name, "naive");
        assert_string_equal(viewer->request->level, "naive");
    }
    assert_true(refused);
}

static void picking_a_filter_gives_up_a_level_that_cannot(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_level(viewer, "separable"), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_NONE), STATUS_USAGE);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_BEST), STATUS_OK);
    assert_string_equal(viewer->request->level, "best");
    assert_true(viewer->toast.error && strstr(viewer->toast.text, "separable"));
    assert_int_equal(viewer_set_chain(viewer, "nothing of the kind", FALLBACK_BEST), STATUS_USAGE);
}

static void keys_step_parameters_on_their_grid(void **state) {
    Viewer *viewer = *state;
    const Param *sigma = &viewer->request->chain->links[0].filter->table.params[0];
    assert_int_equal(action_press(viewer, "]", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 1 + sigma->step));
    for (int i = 0; i < 20; i++)
        assert_int_equal(action_press(viewer, "[", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), sigma->min));
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, "]", true), STATUS_USAGE);
}

/* The result is fitted, and the pointer reads it. */
static void results_of_another_size_are_fitted(void **state) {
    Viewer *viewer = *state;
    double values[4];
    const ImageView pixel = {{1, 1, 3, PIXEL_U8}, sizeof values, values};
    assert_int_equal(viewer_set_chain(viewer, "resize=scale=3", FALLBACK_NONE), STATUS_OK);
    const Shape shape = viewer_shown_shape(viewer);
    assert_int_equal(shape.width, 3 * WIDTH);
    assert_int_equal(shape.height, 3 * HEIGHT);
    const Viewport fitted = viewport_fit(viewer->area, shape.width, shape.height);
    assert_true(near(viewer_viewport(viewer).scale, fitted.scale) && near(viewer_viewport(viewer).x, fitted.x));
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_true(viewer_pixels(viewer, 3 * WIDTH - 1, 3 * HEIGHT - 1, pixel));
    unsigned char block[2][3][3];
    const ImageView part = {{3, 2, 3, PIXEL_U8}, sizeof block[0], block};
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_true(viewer_pixels(viewer, 4, 5, part));
    for (size_t y = 0; y < 2; y++)
        assert_memory_equal(block[y], (const char *)view_row(viewer->session->result->view, 5 + y) + 4 * 3,
                            sizeof block[y]);
    assert_false(viewer_pixels(viewer, 3 * WIDTH - 2, 0, part));
    assert_int_equal(viewer_set_chain(viewer, "crop=5:4", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_false(viewer_pixels(viewer, 5, 3, pixel));
    assert_int_equal(viewer_set_chain(viewer, "crop=500:4", FALLBACK_NONE), STATUS_INPUT);
    assert_int_equal(viewer_shown_shape(viewer).width, 5); /* all stays as it was */
}

static void filter_keys_go_round_the_list(void **state) {
    Viewer *viewer = *state;
    char first[256], chain[256];
    assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(action_press(viewer, ".", true), STATUS_OK);
    chain_format(viewer->request->chain, first, sizeof first);
    assert_int_not_equal(viewer->request->chain->count, 0);
    size_t steps = 0;
    for (; viewer->request->chain->count > 0 && steps <= filter_count; steps++)
        assert_int_equal(action_press(viewer, "PageDown", true), STATUS_OK);
    assert_true(steps > 2 && steps <= filter_count);
    assert_int_equal(action_press(viewer, ".", true), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, first);
    assert_int_equal(action_press(viewer, ",", true), STATUS_OK);
    assert_int_equal(viewer->request->chain->count, 0);
}

static void type_text(Viewer *viewer, const char *text) {
    for (; *text; text++)
        assert_int_equal(viewer_type(viewer, *text), STATUS_OK);
}

static void a_chain_can_be_typed(void **state) {
    Viewer *viewer = *state;
    char chain[64];
    assert_int_equal(action_press(viewer, "Return", true), STATUS_OK);
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, "gaussian=1");
    type_text(viewer, "\b3,invertt\t");
    assert_string_equal(viewer->entry, "gaussian=3,invertt");
    assert_int_equal(viewer_type(viewer, '\r'), STATUS_USAGE);
    assert_true(viewer->typing); /* to be mended */
    type_text(viewer, "\177\r");
    assert_false(viewer->typing);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=3,invert");
    viewer_begin_entry(viewer, action_by_name("filter"));
    type_text(viewer, ",box\033");
    assert_false(viewer->typing);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=3,invert");
    viewer_begin_entry(viewer, action_by_name("filter"));
    for (int i = 0; i < 2 * ENTRY_MAX; i++)
        type_text(viewer, "x");
    assert_int_equal(strlen(viewer->entry), ENTRY_MAX - 1);
}

/* Tab takes names that begin like the word: filters with their example, parameters, words of a parameter, presets. */
static void a_chain_is_completed(void **state) {
    Viewer *viewer = *state;
    static const struct {
        const char *typed, *completed;
    } rows[] = {
        {"invert,gray", "invert,grayscale"},
        {"~gray", "~grayscale"},
        {"blend=op", "blend=opacity="},
        {"blend=opacity=50:mo", "blend=opacity=50:mode="},
        {"invert,blend=mode=mul", "invert,blend=mode=multiply"},
        {"blend=mode=nosuch", "blend=mode=nosuch"},
        {"box,@noi", "box,@noir"},
        {"convolve=file='a:s", "convolve=file='a:s"}, /* within quotes is no name */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        viewer_begin_entry(viewer, action_by_name("filter"));
        viewer_set_entry(viewer, rows[i].typed);
        assert_int_equal(viewer_type(viewer, '\t'), STATUS_OK);
        assert_string_equal(viewer->entry, rows[i].completed);
    }
}

static void values_can_be_typed(void **state) {
    Viewer *viewer = *state;
    char chain[64];
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2,invert", FALLBACK_NONE), STATUS_OK);
    viewer->selected = 0;
    assert_int_equal(action_press(viewer, "V", true), STATUS_OK);
    type_text(viewer, "rad\t9:sigma=2.25\r");
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=2.25:9,invert");
    assert_int_equal(viewer_set_values(viewer, 0, "sigma=2.5:radius=x"), STATUS_USAGE); /* all or nothing */
    assert_int_equal(viewer_set_values(viewer, 2, "sigma=2.5"), STATUS_USAGE);
    assert_int_equal(viewer_set_values(viewer, 1, "within=9x8+1+2"), STATUS_OK);
    assert_string_equal(chain_within(&viewer->request->chain->links[1]), "9x8+1+2");
    assert_int_equal(viewer_confine(viewer, 1, ""), STATUS_OK);
    chain_format(viewer->request->chain, chain, sizeof chain);
    assert_string_equal(chain, "gaussian=2.25:9,invert");
}

static void keys_move_the_slider_that_was_clicked(void **state) {
    Viewer *viewer = *state;
    const double y = viewer->viewport.y;
    assert_int_equal(viewer_set_chain(viewer, "gaussian=2,invert", FALLBACK_NONE), STATUS_OK);
    const Param *sigma = &viewer->request->chain->links[0].filter->table.params[0];
    viewer->ui->focused = (FocusedSlider){0, sigma};
    assert_int_equal(action_press(viewer, "Up", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 2 + sigma->step));
    assert_int_equal(action_press(viewer, "Ctrl+Right", true), STATUS_OK);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 2 + 11 * sigma->step));
    viewer->ui->focused.link = 2; /* gone by now */
    const size_t index = viewer->pictures.current;
    (void)action_press(viewer, "Ctrl+Right", true);
    assert_true(near(param_number(sigma, viewer->request->chain->links[0].values), 2 + 11 * sigma->step));
    assert_int_equal(viewer->pictures.current, index);
    assert_true(near(viewer->viewport.y, y));
}

static void a_border_can_be_typed_with_its_value(void **state) {
    Viewer *viewer = *state;
    char border[64];
    assert_int_equal(action_press(viewer, "B", true), STATUS_OK);
    assert_true(viewer->typing);
    assert_string_equal(viewer->entry, "clamp");
    assert_int_equal(viewer_check_entry(viewer), STATUS_OK);
    type_text(viewer, "\b\b\b\b\bconstant=");
    assert_int_equal(viewer_check_entry(viewer), STATUS_USAGE);
    type_text(viewer, "12.5\r");
    assert_false(viewer->typing);
    assert_string_equal(border_format(viewer->request->options.border, border, sizeof border), "constant=12.5");
}

static void keys_and_menus_take_the_same_border(void **state) {
    Viewer *viewer = *state;
    while (viewer->request->options.border.mode != BORDER_CONSTANT)
        assert_int_equal(action_press(viewer, "b", true), STATUS_OK);
    const float by_key = viewer->request->options.border.value;
    assert_true(near((double)by_key, 127.5)); /* half of 255 */
    assert_int_equal(viewer_set_border(viewer, (Border){BORDER_CLAMP, 0}, FALLBACK_BEST), STATUS_OK);
    assert_true(near((double)viewer_default_border(viewer, BORDER_CONSTANT).value, (double)by_key));
    assert_int_equal(viewer_set_border(viewer, (Border){BORDER_CONSTANT, 3}, FALLBACK_BEST), STATUS_OK);
    assert_true(near((double)viewer_default_border(viewer, BORDER_CONSTANT).value, 3)); /* it keeps the value it has */
    assert_true(near((double)viewer_default_border(viewer, BORDER_WRAP).value, 0));
}

static void every_filter_of_the_menu_can_be_picked(void **state) {
    Viewer *viewer = *state;
    char text[256];
    for (size_t i = 0; i < filter_count; i++) {
        if (filters[i]->reads_shot) /* the picture does not tell its lens */
            continue;
        filter_format_example(filters[i], text, sizeof text);
        assert_int_equal(viewer_set_chain(viewer, text, FALLBACK_BEST), STATUS_OK);
        assert_ptr_equal(viewer->request->chain->links[0].filter, filters[i]);
    }
}

static void ranges_follow_the_pixels(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "laplacian", FALLBACK_NONE), STATUS_OK);
    const Param *bias = &viewer->request->chain->links[0].filter->table.params[1];
    assert_string_equal(bias->name, "bias");
    const Param fitted = viewer_param(viewer, 0, bias);
    assert_true(near(fitted.min, -255) && near(fitted.max, 255));
    assert_int_equal(action_press(viewer, "}", true), STATUS_OK);
    assert_true(near(param_number(bias, viewer->request->chain->links[0].values), 8));
}

/* The picture before the crop counts: turned by a quarter, and smaller. */
static void ranges_follow_the_size(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "rotate=90,crop=20:10:5:3", FALLBACK_NONE), STATUS_OK);
    const ParamTable table = viewer->request->chain->links[1].filter->table;
    const Param width = viewer_param(viewer, 1, param_by_unit(table, PARAM_COLUMNS));
    const Param y = viewer_param(viewer, 1, param_by_unit(table, PARAM_ROW));
    assert_true(near(width.min, 1) && near(width.max, HEIGHT));
    assert_true(near(y.min, 0) && near(y.max, WIDTH - 1));
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_VIEWER(digits_and_arrows_climb_the_ladder),
        WITH_VIEWER(a_level_that_cannot_says_why_and_the_old_one_stays),
        WITH_VIEWER(picking_a_filter_gives_up_a_level_that_cannot),
        WITH_VIEWER(keys_step_parameters_on_their_grid),
        WITH_VIEWER(results_of_another_size_are_fitted),
        WITH_VIEWER(filter_keys_go_round_the_list),
        WITH_VIEWER(a_chain_can_be_typed),
        WITH_VIEWER(a_chain_is_completed),
        WITH_VIEWER(values_can_be_typed),
        WITH_VIEWER(keys_move_the_slider_that_was_clicked),
        WITH_VIEWER(a_border_can_be_typed_with_its_value),
        WITH_VIEWER(keys_and_menus_take_the_same_border),
        WITH_VIEWER(every_filter_of_the_menu_can_be_picked),
        WITH_VIEWER(ranges_follow_the_pixels),
        WITH_VIEWER(ranges_follow_the_size),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
