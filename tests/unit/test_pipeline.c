/* test_pipeline.c: backends by name, the choice of levels, and plans run on a device. */
#include "app/backends.h"
#include "core/chain/chain.h"
#include "core/ops/ops.h"
#include "core/plan/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static const PlanOptions default_options = {.border = {BORDER_CLAMP, 0}};

static Device *open_cpu(void) {
    Device *device = NULL;
    const char *passed_over = NULL;
    assert_int_equal(backend_open("cpu", 0, 2, &device, &passed_over), STATUS_OK);
    assert_string_equal(device->backend->name, "cpu");
    assert_int_equal(device->threads, 2);
    return device;
}

static Plan *lower(const char *text, Shape shape) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    assert_int_equal(chain_parse(text, &chain), STATUS_OK);
    assert_int_equal(chain_plan(chain, shape, default_options, &plan), STATUS_OK);
    chain_destroy(&chain);
    return plan;
}

static void backends_open_by_name(void **state) {
    (void)state;
    Device *device = NULL;
    const char *passed_over = NULL;
    assert_int_equal(backend_open("opencl", 0, 0, &device, &passed_over), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "opencl"));
    assert_null(device);
    assert_int_equal(backend_open("cpu", 7, 0, &device, &passed_over), STATUS_DEVICE);
    assert_null(device);
    assert_int_equal(backend_open("auto", 0, 0, &device, &passed_over), STATUS_OK);
    /* auto tells its reason against CUDA exactly where it did not take it */
    assert_int_equal(passed_over == NULL, strcmp(device->backend->name, "cuda") == 0);
    assert_true(device->name[0] != '\0');
    device_close(&device);
    assert_null(device);
    device_close(&device);
}

static void ladders_begin_at_the_reference(void **state) {
    (void)state;
    const Backend *cpu = backend_by_name("cpu");
    assert_non_null(cpu);
    for (size_t o = 0; o < op_count; o++) {
        const Op *op = ops[o];
        const size_t count = ladder_count(cpu, op);
        assert_true(count >= 1); /* a curve of 256 entries has the reference alone */
        assert_string_equal(ladder_level(cpu, op, 0)->name, "reference");
        assert_ptr_equal(level_reference(op), ladder_level(cpu, op, 0));
        assert_null(ladder_level(cpu, op, count));
        for (size_t i = 0; i < count; i++) {
            const Level *level = ladder_level(cpu, op, i);
            assert_ptr_equal(level->op, op);
            assert_ptr_equal(level_by_name(cpu, op, level->name), level); /* names are unique */
            assert_true(strlen(level->idea) > 10);
        }
        assert_null(level_by_name(cpu, op, "no-such-level"));
    }
}

static void levels_are_chosen_or_refused(void **state) {
    (void)state;
    const Shape shape = {16, 16, 1, PIXEL_U8};
    Device *device = open_cpu();
    Pipeline *pipeline = NULL;
    assert_int_equal(pipeline_create(device, lower("gaussian", shape), "no-such-level", &pipeline), STATUS_USAGE);
    assert_null(pipeline);
    assert_int_equal(pipeline_create(device, lower("gaussian", shape), "separabel", &pipeline), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "did you mean \"separable\"?"));

    /* the wanted name is on a ladder of this plan; another operation's level is no typing error */
    assert_int_equal(pipeline_create(device, lower("gaussian", shape), "tiles", &pipeline), STATUS_USAGE);
    assert_string_equal(status_message(), "level \"tiles\": convolve on cpu has no such level, only reference, naive, "
                                          "interior, threads, simd, fft, separable, running");

    const char *dense = "convolve=1 2 3 4 5 7 7 8 0";
    assert_int_equal(pipeline_create(device, lower(dense, shape), "separable", &pipeline), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "level separable cannot do convolve: "));
    assert_int_equal(pipeline_create(device, lower(dense, shape), "naive", &pipeline), STATUS_OK);
    assert_string_equal(pipeline_level(pipeline, 0)->name, "naive");
    assert_int_equal(pipeline_set_level(pipeline, "separable"), STATUS_USAGE);
    assert_string_equal(pipeline_level(pipeline, 0)->name, "naive"); /* the old choice stays */
    assert_int_equal(pipeline_set_level(pipeline, "best"), STATUS_OK);
    assert_ptr_equal(pipeline_level(pipeline, 0), level_best(device, pipeline_stage(pipeline, 0)));
    pipeline_destroy(&pipeline);

    /* a stage whose ladder has no level of that name takes its best */
    assert_int_equal(pipeline_create(device, lower("gaussian,median", shape), "separable", &pipeline), STATUS_OK);
    assert_string_equal(pipeline_level(pipeline, 0)->name, "separable");
    assert_ptr_equal(pipeline_level(pipeline, 1), level_best(device, pipeline_stage(pipeline, 1)));
    assert_int_equal(pipeline_main_stage(pipeline), 0);
    pipeline_destroy(&pipeline);
    assert_null(pipeline);
    pipeline_destroy(&pipeline);
    device_close(&device);
}

static void frames_are_lent_on(void **state) {
    (void)state;
    const Shape shape = {16, 16, 3, PIXEL_U8};
    Device *device = open_cpu();
    Pipeline *pipeline = NULL;
    assert_int_equal(pipeline_create(device, lower("box,box,box,box,box,box,box,box", shape), "best", &pipeline),
                     STATUS_OK);
    const void *seen[16];
    size_t distinct = 0;
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++) {
        const Stage *stage = pipeline_stage(pipeline, i);
        assert_ptr_not_equal(stage->in[0].pixels, stage->out.pixels); /* never in place */
        size_t k = 0;
        while (k < distinct && seen[k] != stage->out.pixels)
            k++;
        seen[k] = stage->out.pixels;
        distinct += k == distinct;
    }
    assert_int_equal(pipeline_stage_count(pipeline), 8);
    assert_true(distinct <= 3);
    pipeline_destroy(&pipeline);
    device_close(&device);
}

/* Runs `text` over one picture of noise. */
static Image *filtered(Device *device, const char *text, Image *picture, Spans *spans) {
    Pipeline *pipeline = NULL;
    Image *result = NULL;
    assert_int_equal(pipeline_create(device, lower(text, picture->view.shape), "best", &pipeline), STATUS_OK);
    assert_int_equal(image_create(pipeline_result_shape(pipeline), &result), STATUS_OK);
    assert_int_equal(pipeline_process(pipeline, picture->view, result->view, spans), STATUS_OK);
    pipeline_destroy(&pipeline);
    return result;
}

static void a_run_in_two_steps_is_a_run(void **state) {
    (void)state;
    Device *device = open_cpu();
    Image *picture = NULL, *results[2] = {0};
    Pipeline *pipeline = NULL;
    assert_int_equal(image_create((Shape){37, 23, 3, PIXEL_U8}, &picture), STATUS_OK);
    view_fill_random(picture->view, 3);
    assert_int_equal(pipeline_create(device, lower("gaussian=1,median", picture->view.shape), "best", &pipeline),
                     STATUS_OK);
    assert_true(pipeline_can_start(pipeline));
    assert_int_equal(pipeline_upload(pipeline, PIPELINE_PICTURE, picture->view), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        Spans spans = {0};
        if (i == 0) {
            assert_int_equal(pipeline_run(pipeline, &spans), STATUS_OK);
        } else {
            assert_int_equal(pipeline_start(pipeline), STATUS_OK);
            assert_int_equal(spans.count, 0);
            assert_int_equal(pipeline_end(pipeline, &spans), STATUS_OK);
        }
        assert_int_equal(spans.count, 2);
        assert_string_equal(spans.spans[0].name, "gaussian");
        assert_string_equal(spans.spans[1].name, "median");
        assert_int_equal(image_create(pipeline_result_shape(pipeline), &results[i]), STATUS_OK);
        assert_int_equal(pipeline_download(pipeline, results[i]->view), STATUS_OK);
    }
    assert_memory_equal(results[0]->view.pixels, results[1]->view.pixels, shape_bytes(results[0]->view.shape));
    pipeline_destroy(&pipeline);
    image_destroy(&results[0]);
    image_destroy(&results[1]);
    image_destroy(&picture);
    device_close(&device);
}

static void chains_run_link_after_link(void **state) {
    (void)state;
    Device *device = open_cpu();
    Image *picture = NULL;
    assert_int_equal(image_create((Shape){37, 23, 3, PIXEL_U16}, &picture), STATUS_OK);
    view_fill_random(picture->view, 3);
    Spans spans = {0};
    Image *at_once = filtered(device, "gaussian=1,median,sobel", picture, &spans);
    const char *const names[] = {"gaussian", "median", "sobel"}; /* of the images as they lie */
    assert_int_equal(spans.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(spans.spans[i].name, names[i]);
        assert_true(spans.spans[i].ms >= 0);
    }
    Image *first = filtered(device, "gaussian=1", picture, &spans), *second = filtered(device, "median", first, &spans),
          *third = filtered(device, "sobel", second, &spans);
    assert_memory_equal(at_once->view.pixels, third->view.pixels, shape_bytes(third->view.shape));
    Image *unchanged = filtered(device, "", picture, &spans);
    assert_memory_equal(unchanged->view.pixels, picture->view.pixels, shape_bytes(picture->view.shape));
    Image *const images[] = {picture, at_once, first, second, third, unchanged};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        Image *image = images[i];
        image_destroy(&image);
    }
    device_close(&device);
}

static void replaced_pipelines_keep_frames_and_input(void **state) {
    (void)state;
    Device *device = open_cpu();
    Pipeline *pipeline = NULL;
    Image *picture = NULL, *result = NULL;
    Spans spans = {0};
    const Shape shape = {37, 23, 3, PIXEL_U8};
    assert_int_equal(image_create(shape, &picture), STATUS_OK);
    assert_int_equal(image_create(shape, &result), STATUS_OK);
    view_fill_random(picture->view, 3);
    assert_int_equal(pipeline_create(device, lower("gaussian=2", shape), "best", &pipeline), STATUS_OK);
    assert_false(pipeline_uploaded(pipeline, PIPELINE_PICTURE));
    assert_int_equal(pipeline_upload(pipeline, PIPELINE_PICTURE, picture->view), STATUS_OK);
    assert_true(pipeline_uploaded(pipeline, PIPELINE_PICTURE));
    const void *input = pipeline_stage(pipeline, 0)->in[0].pixels, *output = pipeline_stage(pipeline, 0)->out.pixels;

    const char *const chains[] = {"gaussian=1", "sobel,invert", "", "box=9,sharpen", "gaussian=1"};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        assert_int_equal(pipeline_replace(&pipeline, lower(chains[i], shape), "best"), STATUS_OK);
        assert_true(pipeline_uploaded(pipeline, PIPELINE_PICTURE));
        assert_int_equal(pipeline_run(pipeline, &spans), STATUS_OK);
        assert_int_equal(pipeline_download(pipeline, result->view), STATUS_OK);
        Image *want = filtered(device, chains[i], picture, &spans);
        assert_memory_equal(result->view.pixels, want->view.pixels, shape_bytes(shape));
        image_destroy(&want);
        if (i == 0)
            assert_ptr_equal(pipeline_stage(pipeline, 0)->out.pixels, output);
    }
    assert_ptr_equal(pipeline_stage(pipeline, 0)->in[0].pixels, input);

    /* a failure changes nothing */
    const Pipeline *before = pipeline;
    assert_int_equal(pipeline_replace(&pipeline, lower("invert", shape), "no-such-level"), STATUS_USAGE);
    assert_ptr_equal(pipeline, before);
    assert_ptr_equal(pipeline_stage(pipeline, 0)->in[0].pixels, input);

    /* a picture of another shape comes again */
    assert_int_equal(pipeline_replace(&pipeline, lower("gaussian=1", (Shape){23, 37, 3, PIXEL_U8}), "best"), STATUS_OK);
    assert_false(pipeline_uploaded(pipeline, PIPELINE_PICTURE));
    pipeline_destroy(&pipeline);
    image_destroy(&picture);
    image_destroy(&result);
    device_close(&device);
}

/* The CPU, short of memory: frames are refused once `frames_left` were made. */
static int frames_left;
static Status refuse_frames(Device *device, Shape shape, Frame *frame) {
    *frame = (Frame){0};
    return frames_left-- > 0 ? backend_at(0)->frame_create(device, shape, frame) : (fail)(STATUS_DEVICE, "no memory");
}

/* The picture and its inverse as f32, and the length of both: two frames that a chain of u8 does not have. */
static Plan *with_two_floats(Shape shape) {
    Plan *plan = NULL;
    int in, as_float, inverse, out;
    assert_int_equal(plan_create(default_options, &plan), STATUS_OK);
    assert_int_equal(plan_source(plan, shape, &in), STATUS_OK);
    assert_int_equal(plan_point(plan, POINT_convert, in, PLAN_NONE, PIXEL_F32, &as_float), STATUS_OK);
    assert_int_equal(plan_point(plan, POINT_invert, in, PLAN_NONE, PIXEL_F32, &inverse), STATUS_OK);
    assert_int_equal(plan_point(plan, POINT_magnitude, as_float, inverse, PIXEL_U8, &out), STATUS_OK);
    return plan;
}

static void frames_go_back_where_others_are_refused(void **state) {
    (void)state;
    Device *device = open_cpu();
    Backend tight = *device->backend;
    Pipeline *pipeline = NULL;
    Image *picture = NULL, *result = NULL;
    Spans spans = {0};
    const Shape shape = {37, 23, 3, PIXEL_U8};
    tight.frame_create = refuse_frames;
    device->backend = &tight;
    assert_int_equal(image_create(shape, &picture), STATUS_OK);
    assert_int_equal(image_create(shape, &result), STATUS_OK);
    view_fill_random(picture->view, 3);
    frames_left = 3;
    assert_int_equal(pipeline_create(device, lower("box=3,invert", shape), "best", &pipeline), STATUS_OK);
    assert_int_equal(frames_left, 0);
    assert_int_equal(pipeline_upload(pipeline, PIPELINE_PICTURE, picture->view), STATUS_OK);
    assert_int_equal(pipeline_run(pipeline, &spans), STATUS_OK);
    const Frame before = pipeline_result(pipeline);
    for (int made = 0; made < 2; made++) {
        frames_left = made;
        assert_int_equal(pipeline_replace(&pipeline, with_two_floats(shape), "best"), STATUS_DEVICE);
    }
    assert_ptr_equal(pipeline_result(pipeline).pixels, before.pixels);
    assert_true(pipeline_uploaded(pipeline, PIPELINE_PICTURE));
    assert_int_equal(pipeline_run(pipeline, &spans), STATUS_OK);
    assert_int_equal(pipeline_download(pipeline, result->view), STATUS_OK);
    device->backend = backend_at(0);
    Image *want = filtered(device, "box=3,invert", picture, &spans);
    assert_memory_equal(result->view.pixels, want->view.pixels, shape_bytes(shape));
    image_destroy(&want);
    device->backend = &tight;
    pipeline_destroy(&pipeline);
    device->backend = backend_at(0);
    image_destroy(&picture);
    image_destroy(&result);
    device_close(&device);
}

/* ---- several sources ---- */

/* An image of one value everywhere. */
static Image *flat(Shape shape, double value) {
    Image *image;
    assert_int_equal(image_create(shape, &image), STATUS_OK);
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(image->view, x, y, c, value);
    return image;
}

/* The chain's result in the middle of a flat picture next to the image "other". */
static double beside(const char *text, Image *picture, Image *other, bool linear) {
    Device *device = open_cpu();
    Chain *chain = NULL;
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Spans spans = {0};
    PlanOptions options = default_options;
    options.linear = linear;
    assert_int_equal(chain_parse(text, &chain), STATUS_OK);
    chain->images[chain->image_count++] = (PlanImage){strdup("other"), image_retain(other)};
    if (chain_plan(chain, picture->view.shape, options, &plan) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    chain_destroy(&chain); /* plans keep the images they read */
    assert_int_equal(pipeline_create(device, plan, "best", &pipeline), STATUS_OK);
    Image *result = flat(pipeline_result_shape(pipeline), 0);
    assert_int_equal(pipeline_process(pipeline, picture->view, result->view, &spans), STATUS_OK);
    const double value = view_value(result->view, 3, 2, 0);
    image_destroy(&result);
    pipeline_destroy(&pipeline);
    device_close(&device);
    return value;
}

/* Differences worked out by hand: white of u16 is 257 times that of u8, of f32 it is 1. */
static void images_of_different_depth_are_compared_by_their_white(void **state) {
    (void)state;
    const Shape shape = {7, 5, 3, PIXEL_U8};
    const struct {
        PixelType type, other;
        double value, other_value, want;
    } rows[] = {{PIXEL_U8, PIXEL_U8, 100, 30, 70},      {PIXEL_U8, PIXEL_U16, 100, 30 * 257, 70},
                {PIXEL_U8, PIXEL_F32, 100, 0.2, 49},    {PIXEL_U16, PIXEL_U8, 1000, 3, 229},
                {PIXEL_F32, PIXEL_U8, 0.25, 51, 0.05},  {PIXEL_U16, PIXEL_U16, 9, 65535, 65526},
                {PIXEL_F32, PIXEL_U16, 0.5, 65535, 0.5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Image *picture = flat(shape_with_type(shape, rows[i].type), rows[i].value);
        Image *other = flat(shape_with_type(shape, rows[i].other), rows[i].other_value);
        const double got = beside("difference=other", picture, other, false);
        if (fabs(got - rows[i].want) > (rows[i].type == PIXEL_F32 ? 1e-6 : 0))
            fail_msg("row %zu: %g, want %g", i, got, rows[i].want);
        image_destroy(&picture);
        image_destroy(&other);
    }
}

/* In linear light both are decoded before: 188 of 255 is 0.5029, 0 is 0, and 0.5029 is encoded as 188. */
static void images_beside_the_picture_are_linear_as_well(void **state) {
    (void)state;
    const Shape shape = {7, 5, 1, PIXEL_U8};
    Image *picture = flat(shape, 188), *black = flat(shape, 0),
          *same = flat(shape_with_type(shape, PIXEL_U16), 188 * 257);
    assert_true(beside("difference=other", picture, black, true) == 188);
    assert_true(beside("difference=other", picture, same, true) == 0);
    /* the picture as it was, also behind other filters: |67 - 188| as stored */
    assert_true(beside("invert,difference", picture, black, false) == 121);
    image_destroy(&picture);
    image_destroy(&black);
    image_destroy(&same);
}

static void an_image_is_one_source_however_often_it_is_read(void **state) {
    (void)state;
    const Shape shape = {7, 5, 1, PIXEL_U8};
    Chain *chain = NULL;
    Plan *plan = NULL;
    assert_int_equal(chain_parse("difference=other,invert,difference=other,difference=another", &chain), STATUS_OK);
    chain->images[0] = (PlanImage){strdup("other"), flat(shape, 1)};
    chain->images[1] = (PlanImage){strdup("another"), flat(shape, 2)};
    chain->image_count = 2;
    PlanOptions options = default_options;
    options.unfused = true;
    assert_int_equal(chain_plan(chain, shape, options, &plan), STATUS_OK);
    assert_int_equal(plan_source_count(plan), 3);
    assert_int_equal(plan_stage_count(plan), 4);
    plan_destroy(&plan);
    const Shape wider = {8, 5, 1, PIXEL_U8};
    assert_int_equal(chain_plan(chain, wider, default_options, &plan), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "7x5"));
    chain->image_count = 0;
    assert_int_equal(chain_plan(chain, shape, default_options, &plan), STATUS_USAGE);
    chain->image_count = 2;
    chain_destroy(&chain);
}

enum { CANARY = 0xA5, MARGIN = 5 }; /* bytes behind each row, which make all but the first begin anywhere */

/* A view whose rows are that far apart, of memory that is full of canaries. */
static ImageView loose_view(Shape shape) {
    const size_t stride = shape_row_bytes(shape) + MARGIN * pixel_type_size(shape.type);
    void *pixels = malloc(stride * shape.height);
    assert_non_null(pixels);
    memset(pixels, CANARY, stride * shape.height);
    return (ImageView){shape, stride, pixels};
}

static void check_margins(ImageView view, const char *what) {
    const size_t row = shape_row_bytes(view.shape);
    for (size_t y = 0; y < view.shape.height; y++)
        for (size_t i = row; i < view.stride; i++)
            if (((unsigned char *)view_row(view, y))[i] != CANARY)
                fail_msg("%s: byte %zu behind row %zu is written", what, i - row, y);
}

/* By frames of the pipeline's own, and where the images lie: `text` by a level; false if it does not do that. */
static bool both_ways(Device *device, const char *text, const char *level, const Image *picture) {
    Pipeline *pipeline = NULL;
    Spans spans = {0};
    Image *want = NULL;
    if (pipeline_create(device, lower(text, picture->view.shape), level, &pipeline) != STATUS_OK)
        return false;
    const ImageView in = loose_view(picture->view.shape), out = loose_view(pipeline_result_shape(pipeline));
    view_copy(picture->view, in);
    REQUIRE(image_create(out.shape, &want));
    REQUIRE(pipeline_process(pipeline, in, out, &spans));
    assert_false(pipeline_uploaded(pipeline, PIPELINE_PICTURE));
    REQUIRE(pipeline_upload(pipeline, PIPELINE_PICTURE, picture->view));
    REQUIRE(pipeline_run(pipeline, &spans));
    REQUIRE(pipeline_download(pipeline, want->view));
    for (size_t y = 0; y < out.shape.height; y++)
        if (memcmp(view_row(out, y), view_row(want->view, y), shape_row_bytes(out.shape)) != 0)
            fail_msg("%s by %s: row %zu differs", text, level, y);
    check_margins(in, text);
    check_margins(out, text);
    free(in.pixels);
    free(out.pixels);
    image_destroy(&want);
    pipeline_destroy(&pipeline);
    return true;
}

/* By all levels of the operation that does most. */
static size_t by_all_levels(Device *device, const char *text, const Image *picture) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    size_t done = 0;
    if (chain_parse(text, &chain) == STATUS_OK &&
        chain_plan(chain, picture->view.shape, default_options, &plan) == STATUS_OK && plan_stage_count(plan) > 0) {
        const Op *op = plan_stage(plan, plan_main_stage(plan))->stage.op;
        const Level *level;
        for (size_t i = 1; (level = ladder_level(device->backend, op, i)); i++)
            done += both_ways(device, text, level->name, picture);
        done += both_ways(device, text, "best", picture);
    }
    plan_destroy(&plan);
    chain_destroy(&chain);
    return done;
}

/* Levels write their own pixels alone, wherever rows begin. */
static void images_are_filtered_where_they_lie(void **state) {
    (void)state;
    static const Shape shapes[] = {{67, 41, 3, PIXEL_U8},  {150, 70, 4, PIXEL_U8}, {67, 41, 1, PIXEL_U8},
                                   {67, 41, 3, PIXEL_U16}, {67, 41, 1, PIXEL_F32}, {67, 41, 4, PIXEL_F32}};
    Device *device = open_cpu();
    size_t done = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Image *picture = NULL;
        REQUIRE(image_create(shapes[i], &picture));
        view_fill_random(picture->view, i);
        for (size_t f = i % check_every(7); f < filter_count; f += check_every(7))
            done += by_all_levels(device, filters[f]->name, picture);
        image_destroy(&picture);
    }
    assert_true(done > 500 / check_every(7));
    device_close(&device);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backends_open_by_name),
        cmocka_unit_test(ladders_begin_at_the_reference),
        cmocka_unit_test(levels_are_chosen_or_refused),
        cmocka_unit_test(frames_are_lent_on),
        cmocka_unit_test(a_run_in_two_steps_is_a_run),
        cmocka_unit_test(chains_run_link_after_link),
        cmocka_unit_test(images_are_filtered_where_they_lie),
        cmocka_unit_test(replaced_pipelines_keep_frames_and_input),
        cmocka_unit_test(frames_go_back_where_others_are_refused),
        cmocka_unit_test(images_of_different_depth_are_compared_by_their_white),
        cmocka_unit_test(images_beside_the_picture_are_linear_as_well),
        cmocka_unit_test(an_image_is_one_source_however_often_it_is_read),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
