/* test_crew.c: pictures that several devices trace together. */
#include "app/backends.h"
#include "core/scene/camera.h"
#include "core/scene/scene.h"
#include "core/scene/scene_open.h"
#include "core/tracer/crew.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

enum { SAMPLES = 5, THREADS = 2 };

typedef struct Work {
    Scene *scene;
    TraceJob job;
    TraceOptions light;
    Shape shape;
} Work;

static Work work_of(const char *scene, Look look, Shape shape, bool denoise) {
    Work work = {.light = {1, denoise}, .shape = shape};
    work.job = (TraceJob){.look = look, .sampling = {.samples = SAMPLES, .seed = 3, .depth = 4}};
    REQUIRE(scene_open(scene, &work.scene));
    if (look_is_light(look)) /* other scenes are seen from the front */
        REQUIRE(camera_from(work.scene->viewpoint, &work.job.camera));
    work.job.scene = work.scene;
    return work;
}

static Plan *plan_of(const Work *work) {
    Plan *plan;
    int result;
    REQUIRE(plan_create((PlanOptions){.linear = false}, &plan));
    REQUIRE(plan_trace(plan, work->job, work->light, work->shape, &result));
    return plan;
}

static Status plan_other(const void *work, Device *device, Plan **plan) {
    (void)device;
    *plan = plan_of(work);
    return STATUS_OK;
}

static Device *open_device(void) {
    const char *passed_over;
    Device *device;
    REQUIRE(backend_open("cpu", 0, THREADS, &device, &passed_over));
    return device;
}

/* The picture by one device and so many others. */
static Image *trace_with(const Work *work, size_t others) {
    Device *device = open_device();
    Pipeline *pipeline;
    Progressive progressive;
    Spans spans = {0};
    Crew *crew;
    Image *image;
    REQUIRE(pipeline_create(device, plan_of(work), "best", &pipeline));
    REQUIRE(crew_create(&crew));
    for (size_t i = 0; i < others; i++)
        REQUIRE(crew_add(crew, open_device()));
    REQUIRE(crew_plan(crew, plan_other, work, "best"));
    assert_int_equal(crew_count(crew), others);
    progressive_begin(&progressive, pipeline);
    REQUIRE(crew_start(crew, &progressive));
    while (!progressive_complete(&progressive))
        REQUIRE(progressive_step(&progressive, 10, &spans));
    REQUIRE(crew_finish(crew, &progressive));
    assert_int_equal(progressive.done, progressive.samples);
    REQUIRE(progressive_show(&progressive, &spans));
    REQUIRE(image_create(work->shape, &image));
    REQUIRE(pipeline_download(pipeline, image->view));
    crew_destroy(&crew);
    assert_null(crew);
    pipeline_destroy(&pipeline);
    device_close(&device);
    return image;
}

static void devices_make_the_picture_of_one(void **state) {
    static const struct {
        const char *scene;
        Look look;
        bool denoise;
        Shape shape;
    } cases[] = {{"spheres=20", LOOK_CLASSIC, false, {61, 53, 3, PIXEL_U8}},
                 {"sphereflake=2", LOOK_WHITTED, false, {40, 30, 4, PIXEL_U8}},
                 {"packed=20", LOOK_PATHS, false, {40, 31, 3, PIXEL_F32}},
                 {"packed=20", LOOK_PATHS, true, {40, 30, 3, PIXEL_U8}},
                 {"packed=20", LOOK_PATHS, false, {700, 2, 3, PIXEL_U8}}}; /* fewer rows than devices */
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Work work = work_of(cases[i].scene, cases[i].look, cases[i].shape, cases[i].denoise);
        Image *one = trace_with(&work, 0), *three = trace_with(&work, 2);
        assert_memory_equal(three->view.pixels, one->view.pixels, shape_bytes(work.shape));
        image_destroy(&one);
        image_destroy(&three);
        scene_destroy(&work.scene);
    }
}

/* Stopped early, each pixel has a sample, and the first counts those that all have. */
static void devices_leave_off_with_samples(void **state) {
    (void)state;
    Work work = work_of("packed=20", LOOK_PATHS, (Shape){64, 64, 3, PIXEL_U8}, false);
    Device *device = open_device();
    Pipeline *pipeline;
    Progressive progressive;
    Spans spans = {0};
    Crew *crew;
    Image *film;
    work.job.sampling.samples = 1u << 20;
    REQUIRE(pipeline_create(device, plan_of(&work), "best", &pipeline));
    REQUIRE(crew_create(&crew));
    REQUIRE(crew_add(crew, open_device()));
    REQUIRE(crew_plan(crew, plan_other, &work, "best"));
    progressive_begin(&progressive, pipeline);
    REQUIRE(crew_start(crew, &progressive));
    while (progressive.done == 0)
        REQUIRE(progressive_step(&progressive, 10, &spans));
    crew_stop(crew, CREW_STOP_WITH_SAMPLES);
    REQUIRE(crew_finish(crew, &progressive));
    assert_true(progressive.done >= 1);
    const Frame frame = pipeline_stage(pipeline, pipeline_find_stage(pipeline, &op_trace))->out;
    REQUIRE(image_create(frame.shape, &film));
    REQUIRE(device->backend->download(pipeline_queue(pipeline), frame, film->view));
    for (size_t y = 0; y < frame.shape.height; y++)
        for (size_t x = 0; x < frame.shape.width; x++)
            assert_true(view_value(film->view, x, y, 3) >= progressive.done);
    image_destroy(&film);
    crew_destroy(&crew);
    pipeline_destroy(&pipeline);
    device_close(&device);
    scene_destroy(&work.scene);
}

/* One device's film and picture, or those of a crew that joins it after so many samples, in steps of so many ms. */
static Image *trace_in_steps(const Work *work, size_t others, uint32_t joins, double ms, Image **film) {
    Device *device = open_device();
    Pipeline *pipeline;
    Progressive progressive;
    Spans spans = {0};
    Crew *crew;
    Image *image;
    REQUIRE(pipeline_create(device, plan_of(work), "best", &pipeline));
    REQUIRE(crew_create(&crew));
    for (size_t i = 0; i < others; i++)
        REQUIRE(crew_add(crew, open_device()));
    REQUIRE(crew_plan(crew, plan_other, work, "best"));
    progressive_begin(&progressive, pipeline);
    while (!progressive_even(&progressive) || progressive.done < joins)
        REQUIRE(progressive_step(&progressive, 0, &spans));
    if (others > 0)
        REQUIRE(crew_join(crew, &progressive));
    for (uint32_t done = progressive.done; !progressive_complete(&progressive); done = progressive.done) {
        REQUIRE(others > 0 ? crew_step(crew, &progressive, ms, &spans) : progressive_step(&progressive, ms, &spans));
        assert_true(progressive_even(&progressive) ? progressive.done > done : progressive.done == done);
        assert_true(progressive_share(&progressive) <= 1);
        if (progressive_even(&progressive)) /* as the window does */
            REQUIRE(progressive_show(&progressive, &spans));
    }
    const Frame frame = pipeline_stage(pipeline, pipeline_find_stage(pipeline, &op_trace))->out;
    REQUIRE(image_create(frame.shape, film));
    REQUIRE(device->backend->download(pipeline_queue(pipeline), frame, (*film)->view));
    REQUIRE(image_create(work->shape, &image));
    REQUIRE(pipeline_download(pipeline, image->view));
    crew_destroy(&crew);
    pipeline_destroy(&pipeline);
    device_close(&device);
    return image;
}

static void a_picture_that_is_looked_at_is_that_of_one(void **state) {
    static const struct {
        size_t others;
        uint32_t joins;
        double ms;
        Shape shape;
        bool denoise;
    } cases[] = {{1, 0, 0, {40, 31, 3, PIXEL_U8}, false},    {2, 1, 1, {40, 31, 3, PIXEL_F32}, false},
                 {2, 3, 1000, {33, 40, 3, PIXEL_U8}, false}, {1, 0, 1, {40, 30, 3, PIXEL_U8}, true},
                 {2, 2, 0, {40, 30, 3, PIXEL_U8}, true},     {3, 0, 1, {700, 2, 3, PIXEL_U8}, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Image *film, *want_film;
        Work work = work_of("packed=20", LOOK_PATHS, cases[i].shape, cases[i].denoise);
        Image *want = trace_in_steps(&work, 0, 0, cases[i].ms, &want_film);
        Image *got = trace_in_steps(&work, cases[i].others, cases[i].joins, cases[i].ms, &film);
        assert_memory_equal(film->view.pixels, want_film->view.pixels, shape_bytes(film->view.shape));
        assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(work.shape));
        image_destroy(&film);
        image_destroy(&want_film);
        image_destroy(&got);
        image_destroy(&want);
        scene_destroy(&work.scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_make_the_picture_of_one),
        cmocka_unit_test(devices_leave_off_with_samples),
        cmocka_unit_test(a_picture_that_is_looked_at_is_that_of_one),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests_name("crew", tests, NULL, NULL);
}
