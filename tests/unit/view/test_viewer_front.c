/* test_viewer_front.c: the frame in front of the links that are edited: its results are those of the whole chain, and
 * its links run once. */
#include "app/backends.h"
#include "app/view/session/front.h"
#include "core/chain/chain_cut.h"

#include "tests/unit/view/fixture.h"

#define FRONT "box=79" /* states more than a GFLOP for 48000 pixels of two channels, and takes less */

enum { LARGE_WIDTH = 240, LARGE_HEIGHT = 200 };

static Viewer *make_linear(bool linear) {
    return make_viewer_with("", "best", (PlanOptions){.border = {BORDER_CLAMP, 0}, .linear = linear});
}

static int open_with(bool linear, void **state) {
    Viewer *viewer = make_linear(linear);
    save_random("one.png", LARGE_WIDTH, LARGE_HEIGHT, 5);
    assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
    *state = viewer;
    return 0;
}

static int open_large(void **state) {
    return open_with(false, state);
}

static int open_in_linear_light(void **state) {
    return open_with(true, state);
}

static void write_picture(const char *path, Shape shape, unsigned long seed) {
    Image *image;
    assert_int_equal(image_create(shape, &image), STATUS_OK);
    view_fill_random(image->view, seed);
    write_image(path, image);
    image_destroy(&image);
}

/* The shown result is that of the whole chain, by a pipeline of its own. */
static void is_the_whole_chains(Viewer *viewer) {
    const Session *session = viewer->session;
    const ImageView picture = viewer_picture(viewer)->view;
    Plan *plan;
    Pipeline *pipeline;
    Image *want;
    Spans spans = {0};
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_int_equal(
        chain_plan(session->chain, picture.shape, request_options(session->request, session->subject), &plan),
        STATUS_OK);
    assert_int_equal(pipeline_create(session->device, plan, "best", &pipeline), STATUS_OK);
    assert_int_equal(image_create(pipeline_result_shape(pipeline), &want), STATUS_OK);
    assert_int_equal(pipeline_process(pipeline, picture, want->view, &spans), STATUS_OK);
    const ImageView got = session->result->view;
    assert_true(shape_equal(got.shape, want->view.shape));
    for (size_t y = 0; y < got.shape.height; y++)
        assert_memory_equal(view_row(got, y), view_row(want->view, y), shape_row_bytes(got.shape));
    image_destroy(&want);
    pipeline_destroy(&pipeline);
}

static void shows_chain(Viewer *viewer, const char *chain, unsigned runs) {
    if (viewer_set_chain(viewer, chain, FALLBACK_BEST) != STATUS_OK)
        fail_msg("%s", status_message());
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    if (viewer->session->front.runs != runs)
        fail_msg("%s: the links in front have run %u times, want %u", chain, viewer->session->front.runs, runs);
    is_the_whole_chains(viewer);
}

static void links_in_front_run_once(void **state) {
    Viewer *viewer = *state;
    shows_chain(viewer, FRONT ",curves=0 0;50 55;100 100", 1);
    shows_chain(viewer, FRONT ",curves=0 0;50 60;100 100", 1);
    shows_chain(viewer, FRONT ",curves=0 0;50 60;100 100,sepia", 1);
    shows_chain(viewer, FRONT ",~curves=0 0;50 60;100 100,~sepia", 1); /* the frame itself */
    shows_chain(viewer, "box=81,curves=0 0;50 60;100 100", 2);
    shows_chain(viewer, "box=81,gaussian=2,gaussian=3", 2);
}

/* Times and counts are those of the whole chain. */
static void runs_have_the_times_of_all_links(void **state) {
    Viewer *viewer = *state;
    shows_chain(viewer, FRONT ",curves=0 0;50 55;100 100", 1);
    const double first = viewer_span(viewer, "box")->history.values[0];
    shows_chain(viewer, FRONT ",curves=0 0;50 60;100 100", 1);
    assert_true(near(history_latest(&viewer_span(viewer, "box")->history), first));
    assert_true(history_latest(&viewer->session->totals) > first);
    assert_true(viewer->session->run_count == 2);
    assert_true(viewer_set_chain(viewer, FRONT ",curves=0 0;50 65;100 100", FALLBACK_BEST) == STATUS_OK);
    assert_true(front_spares_ms(viewer->session) > 0); /* that part is there */
}

/* A result is the frame in front of a link that comes, once hands rest. */
static void a_result_is_kept_for_the_next_link(void **state) {
    Viewer *viewer = *state;
    shows_chain(viewer, FRONT, 0);
    viewer->session->measure_at = INFINITY;
    while (viewer_work(viewer))
        continue;
    assert_null(viewer->session->front.image);
    viewer->session->measure_at = 0;
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    assert_non_null(viewer->session->front.image);
    shows_chain(viewer, FRONT ",invert", 0);
    shows_chain(viewer, FRONT ",box=83", 0);
    /* a frame further behind is made of the one that is there */
    shows_chain(viewer, FRONT ",box=83,invert", 1);
    assert_int_equal(viewer->session->front.links, 2);
    shows_chain(viewer, FRONT ",box=83,~invert,sepia", 1);
}

/* Filters that read the picture as it was part no chain; results stay right all the same. */
static void chains_are_parted_where_values_allow_it(void **state) {
    Viewer *viewer = *state;
    static const struct {
        const char *chain;
        size_t from;
        bool parts;
    } rows[] = {
        {"gaussian,curves=0 0;50 55;100 100", 1, true},
        {"gaussian,blend=mode=multiply", 1, false}, /* with the picture before the chain */
        {"gaussian,difference", 1, false},
        {"gaussian,box=3:within=20x20+3+3,rotate=3", 1, true},
        {"crop=40:30:2:2,gaussian,sobel,median", 2, true},
        {"gaussian,~invert", 1, true},
        {"~gaussian,invert", 1, false}, /* nothing lies in front */
    };
    const Shape shape = {64, 48, 3, PIXEL_U8};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        Chain *chain;
        Plan *plan;
        if (chain_parse(rows[i / 2].chain, &chain) != STATUS_OK)
            fail_msg("%s", status_message());
        const PlanOptions options = {.border = {BORDER_CLAMP, 0}, .linear = i % 2};
        assert_int_equal(chain_plan_links(chain, rows[i / 2].from, chain->count, shape, options, &plan), STATUS_OK);
        if ((plan != NULL) != rows[i / 2].parts)
            fail_msg("%s", rows[i / 2].chain);
        plan_destroy(&plan);
        chain_destroy(&chain);
    }
    shows_chain(viewer, FRONT ",blend=mode=multiply", 0);
    shows_chain(viewer, FRONT ",blend=mode=screen", 0);
}

/* Pixels of all types, with alpha and without; stages that would be fused with the ones in front. */
static void make_the_bits_of_the_whole(bool linear) {
    static const char *const tails[] = {"curves=0 0;50 60;100 100", "sepia,levels=0.1:0.9,gamma=1.3",
                                        "gaussian=2,curves=0 4;50 60;100 100", "sharpen,crop=99:70:7:5", "clahe"};
    static const Shape shapes[] = {{LARGE_WIDTH, LARGE_HEIGHT, 3, PIXEL_U8},
                                   {LARGE_WIDTH, LARGE_HEIGHT, 4, PIXEL_U8},
                                   {LARGE_WIDTH, LARGE_HEIGHT, 2, PIXEL_U16},
                                   {LARGE_WIDTH, LARGE_HEIGHT, 4, PIXEL_U16}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Viewer *viewer = make_linear(linear);
        write_picture("one.png", shapes[i], 9 + i);
        assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
        for (size_t k = 0; k < sizeof tails / sizeof tails[0]; k++) {
            char chain[256];
            snprintf(chain, sizeof chain, "%s,%s", FRONT, tails[k]);
            shows_chain(viewer, chain, 1);
        }
        viewer_destroy(&viewer);
    }
}

static void parts_make_the_bits_of_the_whole(void **state) {
    (void)state;
    make_the_bits_of_the_whole(false);
}

/* The kept frame is light: no link in front runs again, and none is decoded twice. */
static void parts_make_the_bits_of_the_whole_in_linear_light(void **state) {
    (void)state;
    make_the_bits_of_the_whole(true);
}

/* Links that are switched off, that come, and that go: the light behind the first link stays. */
static void light_is_kept(void **state) {
    Viewer *viewer = *state;
    shows_chain(viewer, FRONT, 0);
    assert_int_equal(viewer_finish(viewer), STATUS_OK);
    shows_chain(viewer, FRONT ",invert", 1);
    assert_true(front_spares_ms(viewer->session) > 0);
    assert_int_equal(viewer->session->front.image->view.shape.type, PIXEL_F32);
    shows_chain(viewer, FRONT ",~invert", 1); /* light alone is encoded */
    shows_chain(viewer, FRONT ",invert,sepia", 1);
    shows_chain(viewer, FRONT ",box=83,invert", 2); /* of the light that is there */
    assert_int_equal(viewer->session->front.links, 2);
    shows_chain(viewer, FRONT ",box=83,sepia", 2);
}

/* Light with alpha, as a file has it: premultiplied between all links. */
static void premultiplied_light_is_kept(void **state) {
    (void)state;
    Viewer *viewer = make_viewer("", "best");
    write_picture("one.exr", (Shape){LARGE_WIDTH, LARGE_HEIGHT, 4, PIXEL_F32}, 9);
    assert_int_equal(viewer_open(viewer, "one.exr"), STATUS_OK);
    shows_chain(viewer, FRONT ",curves=0 0;50 60;100 100", 1);
    shows_chain(viewer, FRONT ",gaussian=2,sepia", 1);
    shows_chain(viewer, FRONT ",~invert", 1);
    viewer_destroy(&viewer);
    assert_int_equal(remove("one.exr"), 0);
}

static void set_aside(Viewer *viewer, size_t number) {
    Request next = viewer_request(viewer);
    next.set_aside = number;
    assert_int_equal(viewer_ask(viewer, next, FALLBACK_BEST), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
}

/* A crop is set aside while its handles are drawn; the frame of then is none of later. */
static void the_frame_is_of_what_is_carried_out(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "flip," FRONT ",invert", FALLBACK_BEST), STATUS_OK);
    set_aside(viewer, 1);
    assert_int_equal(viewer->session->front.runs, 1);
    set_aside(viewer, 0);
    assert_int_equal(viewer->session->front.runs, 2);
    is_the_whole_chains(viewer);
    set_aside(viewer, 3); /* behind the frame */
    set_aside(viewer, 0);
    assert_int_equal(viewer->session->front.runs, 2);
    is_the_whole_chains(viewer);
}

/* Another level, another picture and a lost selection begin anew. */
static void the_frame_is_of_its_picture_and_level(void **state) {
    Viewer *viewer = *state;
    shows_chain(viewer, FRONT ",invert", 1);
    assert_int_equal(viewer_set_level(viewer, "naive"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->front.runs, 2);
    assert_int_equal(viewer_set_level(viewer, "best"), STATUS_OK);
    write_picture("two.png", (Shape){LARGE_WIDTH, LARGE_HEIGHT, 3, PIXEL_U8}, 77);
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer->session->front.runs, 3);
    is_the_whole_chains(viewer);
    viewer->selected = 0; /* the links behind it stay behind the frame, too */
    shows_chain(viewer, FRONT ",sepia", 3);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_BEST), STATUS_OK);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_null(viewer->session->front.image); /* nothing takes long */
}

#define WITH_LARGE(test) cmocka_unit_test_setup_teardown(test, open_large, close_viewer)

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        WITH_LARGE(links_in_front_run_once),
        WITH_LARGE(runs_have_the_times_of_all_links),
        WITH_LARGE(a_result_is_kept_for_the_next_link),
        WITH_LARGE(chains_are_parted_where_values_allow_it),
        cmocka_unit_test(parts_make_the_bits_of_the_whole),
        cmocka_unit_test(parts_make_the_bits_of_the_whole_in_linear_light),
        cmocka_unit_test_setup_teardown(light_is_kept, open_in_linear_light, close_viewer),
        cmocka_unit_test(premultiplied_light_is_kept),
        WITH_LARGE(the_frame_is_of_what_is_carried_out),
        WITH_LARGE(the_frame_is_of_its_picture_and_level),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
