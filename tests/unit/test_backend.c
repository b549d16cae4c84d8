/* test_backend.c: the registry, and rules for any backend: a third one is registered here. */
#include "app/backends.h"
#include "core/chain/chain.h"
#include "core/ops/dot.h"
#include "core/plan/pipeline.h"
#include "tests/levels/fake.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static Status never(int index, int threads, Device **device) {
    (void)index, (void)threads;
    *device = NULL;
    return (fail)(STATUS_DEVICE, "it never opens"); /* cmocka has a macro of that name */
}
static int told;
static void hear(int connections) {
    told = connections;
}
static const Backend broken = {.name = "broken", .help = "never opens", .prepare = hear, .open = never};

static Device *open_fake(int index) {
    Device *device = NULL;
    REQUIRE(fake_backend.open(index, 1, &device));
    return device;
}

static void auto_takes_the_last_that_opens(void **state) {
    (void)state;
    Device *device = NULL;
    const char *passed_over;
    REQUIRE(backend_open("auto", 1, 0, &device, &passed_over));
    assert_ptr_equal(device->backend, &fake_backend);
    assert_string_equal(device->id, "fake-1");
    assert_non_null(strstr(passed_over, "broken: it never opens"));
    device_close(&device);
    REQUIRE(backend_open("cpu", 0, 1, &device, &passed_over));
    assert_null(passed_over);
    device_close(&device);
}

/* A backend whose devices have no clock is taken by its name alone. */
static void auto_passes_over_backends_without_a_clock(void **state) {
    (void)state;
    static Backend timeless;
    Device *device = NULL;
    const char *passed_over;
    timeless = fake_backend;
    timeless.name = "timeless";
    timeless.timeless = true;
    REQUIRE(backend_register(&timeless));
    REQUIRE(backend_open("auto", 0, 0, &device, &passed_over));
    assert_ptr_equal(device->backend, &fake_backend);
    device_close(&device);
    REQUIRE(backend_open("timeless", 0, 0, &device, &passed_over));
    Queue *queue = NULL;
    double ms = 0;
    device->backend = &timeless; /* the fake one says that it is its own */
    REQUIRE(queue_open(device, &queue));
    REQUIRE(queue_mark(queue, 0));
    REQUIRE(queue_mark(queue, 1));
    REQUIRE(queue_elapsed(queue, 0, 1, &ms));
    assert_true(isnan(ms));
    queue_close(&queue);
    device_close(&device);
}

static void names_come_from_the_registry(void **state) {
    (void)state;
    Device *device = NULL;
    const char *passed_over;
    char names[200];
    assert_int_equal(backend_register(&fake_backend), STATUS_USAGE); /* once is enough */
    const size_t length = backend_names(names, sizeof names);
    assert_int_equal(length, strlen(names));
    assert_non_null(strstr(names, "auto, cpu, "));
    assert_non_null(strstr(names, "fake"));
    assert_non_null(strstr(names, "cuda")); /* also where it is not built */
    assert_int_equal(backend_open("opencl", 0, 0, &device, &passed_over), STATUS_USAGE);
    assert_non_null(strstr(status_message(), names));
    assert_int_equal(backend_open("broken", 0, 0, &device, &passed_over), STATUS_DEVICE);
    assert_string_equal(status_message(), "it never opens");
    if (!backend_by_name("cuda")) {
        assert_int_equal(backend_open("cuda", 0, 0, &device, &passed_over), STATUS_DEVICE);
        assert_non_null(strstr(status_message(), "backend cuda: this glint was built without CUDA"));
    }
}

static void backends_hear_how_many_connections_do(void **state) {
    (void)state;
    static const char variable[] = "CUDA_DEVICE_MAX_CONNECTIONS";
    unsetenv(variable);
    backends_prepare(3);
    assert_int_equal(told, 3);
    if (backend_by_name("cuda"))
        assert_string_equal(getenv(variable), "3");
    else
        assert_null(getenv(variable));
    setenv(variable, "5", 1); /* by a user */
    backends_prepare(3);
    assert_string_equal(getenv(variable), "5");
    unsetenv(variable);
}

static void every_backend_counts_its_devices(void **state) {
    (void)state;
    for (size_t b = 0; b < backend_count(); b++) {
        const Backend *backend = backend_at(b);
        int count = 0;
        if (!backend->device_count || backend->device_count(&count) != STATUS_OK)
            continue;
        assert_true(count > 0);
        for (int i = 0; i <= count; i++) {
            Device *device = NULL;
            size_t available, total;
            assert_int_equal(backend->open(i, 1, &device), i < count ? STATUS_OK : STATUS_DEVICE);
            if (i == count)
                continue;
            REQUIRE(backend->memory(device, &available, &total));
            assert_true(available > 0 && available <= total);
            device_close(&device);
        }
    }
}

static void frames_have_an_end(void **state) {
    (void)state;
    Device *device = open_fake(0);
    Frame frame, other;
    size_t available, total;
    assert_int_equal(fake_backend.frame_create(device, (Shape){2048, 1024, 4, PIXEL_U8}, &frame), STATUS_DEVICE);
    assert_null(frame.pixels);
    REQUIRE(fake_backend.frame_create(device, (Shape){1024, 1024, 4, PIXEL_U8}, &frame));
    assert_int_equal(fake_backend.frame_create(device, frame.shape, &other), STATUS_DEVICE);
    REQUIRE(fake_backend.memory(device, &available, &total));
    assert_int_equal(total, FAKE_BYTES);
    assert_int_equal(available, FAKE_BYTES - frame.stride * 1024);
    fake_backend.frame_destroy(device, &frame);
    REQUIRE(fake_backend.memory(device, &available, &total));
    assert_int_equal(available, FAKE_BYTES);
    device_close(&device);
}

static Status make_pipeline(Device *device, const char *text, Shape shape, Pipeline **pipeline) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    *pipeline = NULL;
    TRY(chain_parse(text, &chain));
    Status status = chain_plan(chain, shape, (PlanOptions){.border = {BORDER_CLAMP, 0}}, &plan);
    chain_destroy(&chain);
    if (status == STATUS_OK)
        status = pipeline_create(device, plan, "best", pipeline);
    return status;
}

static void a_pipeline_that_does_not_fit_takes_nothing(void **state) {
    (void)state;
    Device *device = open_fake(1);
    Pipeline *pipeline;
    size_t available, total;
    assert_int_equal(make_pipeline(device, "box,invert", (Shape){1200, 1000, 4, PIXEL_U8}, &pipeline), STATUS_DEVICE);
    assert_non_null(strstr(status_message(), "fake device 1 has no room"));
    assert_null(pipeline);
    REQUIRE(fake_backend.memory(device, &available, &total));
    assert_int_equal(available, FAKE_BYTES);
    device_close(&device);
}

static void frames_are_of_one_device(void **state) {
    (void)state;
    Device *devices[FAKE_DEVICES];
    Queue *queues[FAKE_DEVICES];
    Frame frame;
    Image *image = NULL;
    REQUIRE(image_create((Shape){20, 10, 3, PIXEL_U8}, &image));
    for (int i = 0; i < FAKE_DEVICES; i++) {
        devices[i] = open_fake(i);
        REQUIRE(queue_open(devices[i], &queues[i]));
    }
    REQUIRE(fake_backend.frame_create(devices[0], image->view.shape, &frame));
    REQUIRE(fake_backend.upload(queues[0], image->view, frame));
    assert_int_equal(fake_backend.upload(queues[1], image->view, frame), STATUS_DEVICE);
    assert_int_equal(fake_backend.download(queues[1], frame, image->view), STATUS_DEVICE);
    assert_non_null(strstr(status_message(), "fake device 1"));
    fake_backend.frame_destroy(devices[0], &frame);
    for (int i = 0; i < FAKE_DEVICES; i++) {
        queue_close(&queues[i]);
        device_close(&devices[i]);
    }
    image_destroy(&image);
}

/* ---- queues ---- */

static void closed_queues_serve_again(void **state) {
    (void)state;
    Device *device = open_fake(0);
    Queue *first, *second, *third;
    REQUIRE(queue_open(device, &first));
    REQUIRE(queue_open(device, &second));
    assert_true(first != second && first->device == device);
    Queue *closed = first;
    queue_close(&first);
    assert_null(first);
    queue_close(&first);
    REQUIRE(queue_open(device, &third));
    assert_ptr_equal(third, closed);
    queue_close(&second);
    queue_close(&third);
    device_close(&device);
}

/* A thread that runs a pipeline of its own again and again. */
typedef struct Worker {
    Device *device;
    const char *chain;
    Image *in, *out;
    Status status;
} Worker;

enum { ROUNDS = 20 };

static void *work(void *argument) {
    Worker *worker = argument;
    for (int i = 0; i < ROUNDS && worker->status == STATUS_OK; i++) {
        Pipeline *pipeline = NULL;
        Spans spans = {0};
        worker->status = make_pipeline(worker->device, worker->chain, worker->in->view.shape, &pipeline);
        if (worker->status == STATUS_OK)
            worker->status = pipeline_process(pipeline, worker->in->view, worker->out->view, &spans);
        pipeline_destroy(&pipeline);
    }
    return NULL;
}

static void two_threads_share_a_device(void **state) {
    (void)state;
    static const char *const chains[] = {"gaussian=2,invert", "gaussian=1,sobel"};
    const Shape shape = {61, 43, 3, PIXEL_U8};
    for (size_t b = 0; b < backend_count(); b++) {
        Worker workers[4];
        pthread_t threads[2];
        Device *device = NULL;
        if (backend_at(b) == &fake_backend || backend_at(b)->open(0, 1, &device) != STATUS_OK)
            continue;                 /* the fake serves one thread */
        for (int i = 0; i < 4; i++) { /* alone first, then both at once */
            workers[i] = (Worker){.device = device, .chain = chains[i % 2]};
            REQUIRE(image_create(shape, &workers[i].in));
            REQUIRE(image_create(shape, &workers[i].out));
            view_fill_random(workers[i].in->view, 7);
            if (i < 2)
                work(&workers[i]);
            else
                assert_int_equal(pthread_create(&threads[i - 2], NULL, work, &workers[i]), 0);
        }
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < 4; i++)
            assert_int_equal(workers[i].status, STATUS_OK);
        for (int i = 0; i < 2; i++)
            assert_memory_equal(workers[i].out->view.pixels, workers[i + 2].out->view.pixels, shape_bytes(shape));
        for (int i = 0; i < 4; i++) {
            image_destroy(&workers[i].in);
            image_destroy(&workers[i].out);
        }
        device_close(&device);
    }
}

/* ---- ladders ---- */

static Status tells_its_time(Queue *queue, const Stage *stage) {
    (void)stage;
    queue_tell(queue, 3, 20);
    return STATUS_OK;
}
static Status keeps_silent(Queue *queue, const Stage *stage) {
    (void)queue, (void)stage;
    return STATUS_OK;
}

static void rungs_are_added_behind_the_own(void **state) {
    (void)state;
    static const Level added = {.op = &op_dot, .name = "added", .raced = true, .run = tells_its_time};
    const Backend *cpu = backend_by_name("cpu");
    const size_t count = ladder_count(cpu, &op_dot);
    REQUIRE(ladder_add(cpu, &added));
    assert_int_equal(ladder_add(cpu, &added), STATUS_USAGE);
    assert_string_equal(status_message(), "level added of dot on cpu: there is one of that name");
    assert_int_equal(ladder_count(cpu, &op_dot), count + 1);
    assert_ptr_equal(ladder_level(cpu, &op_dot, count), &added);
    assert_ptr_equal(level_by_name(cpu, &op_dot, "added"), &added);
    assert_null(level_by_name(&fake_backend, &op_dot, "added"));
    assert_true(ladder_knows(cpu, "added"));
    assert_false(ladder_knows(&fake_backend, "added"));
}

/* A level that told its time took that. Among others, the time that it kept the queue is taken off. No time is below 0:
 * the marks are nearer than 20 ms. */
static void levels_tell_their_time(void **state) {
    (void)state;
    static const Level teller = {.op = &op_dot, .name = "teller", .run = tells_its_time};
    static const Level other = {.op = &op_dot, .name = "other", .run = keeps_silent};
    const Stage stage = {.op = &op_dot};
    Device *device = NULL;
    Queue *queue;
    double ms, raw;
    REQUIRE(backend_by_name("cpu")->open(0, 1, &device));
    REQUIRE(queue_open(device, &queue));
    REQUIRE(queue_mark(queue, 0));
    REQUIRE(level_run(&teller, queue, &stage));
    assert_ptr_equal(queue->level, &teller);
    REQUIRE(queue_mark(queue, 1));
    REQUIRE(level_run(&other, queue, &stage));
    REQUIRE(queue_mark(queue, 2));
    REQUIRE(device->backend->sync(queue));
    REQUIRE(queue_elapsed(queue, 0, 1, &ms));
    assert_true(ms == 3);
    REQUIRE(queue_elapsed(queue, 1, 2, &ms));
    REQUIRE(device->backend->elapsed(queue, 1, 2, &raw));
    assert_true(ms == raw);
    REQUIRE(queue_elapsed(queue, 0, 2, &ms));
    REQUIRE(device->backend->elapsed(queue, 0, 2, &raw));
    assert_true(ms == fmax(raw - 20, 0) + 3);
    queue_close(&queue);
    device_close(&device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_takes_the_last_that_opens),
        cmocka_unit_test(auto_passes_over_backends_without_a_clock),
        cmocka_unit_test(names_come_from_the_registry),
        cmocka_unit_test(backends_hear_how_many_connections_do),
        cmocka_unit_test(every_backend_counts_its_devices),
        cmocka_unit_test(frames_have_an_end),
        cmocka_unit_test(a_pipeline_that_does_not_fit_takes_nothing),
        cmocka_unit_test(frames_are_of_one_device),
        cmocka_unit_test(closed_queues_serve_again),
        cmocka_unit_test(two_threads_share_a_device),
        cmocka_unit_test(rungs_are_added_behind_the_own),
        cmocka_unit_test(levels_tell_their_time),
    };
    if (backends_register() != STATUS_OK || fake_register() != STATUS_OK || backend_register(&broken) != STATUS_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
