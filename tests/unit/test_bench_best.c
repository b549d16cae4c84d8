/* test_bench_best.c: the levels that best takes, on a backend whose levels take as long as they are told.
 * Owns that backend: a level's run does nothing, and its clock says the milliseconds that the level has. */
#include "app/bench/ladder.h"
#include "core/tracer/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

enum { SIDE = 4096 };

/* A level's time on a picture of SIDE x SIDE; on others in proportion to the pixels, and its start besides. */
typedef struct Pace {
    double ms, start;
    double caches; /* how many times as fast it is on narrower pictures; 0: as fast */
    int runs;      /* on the whole picture, so far */
} Pace;

typedef struct Fake {
    Queue queue;
    Device device;
    Pace paces[3];
    double last; /* ms of the last run */
} Fake;

static Status run_at(Queue *queue, const Stage *stage, size_t i) {
    Fake *fake = (Fake *)queue;
    const Shape shape = stage->out.shape;
    fake->paces[i].runs += shape.width == SIDE;
    fake->last = fake->paces[i].start + fake->paces[i].ms * (double)(shape.width * shape.height) / SIDE / SIDE;
    if (shape.width < SIDE && fake->paces[i].caches > 0)
        fake->last /= fake->paces[i].caches;
    return STATUS_OK;
}
static Status run_first(Queue *queue, const Stage *stage) {
    return run_at(queue, stage, 0);
}
static Status run_second(Queue *queue, const Stage *stage) {
    return run_at(queue, stage, 1);
}
static Status run_third(Queue *queue, const Stage *stage) {
    return run_at(queue, stage, 2);
}

static const Level first = {.op = &op_trace, .name = "first", .run = run_first},
                   second = {.op = &op_trace, .name = "second", .run = run_second},
                   third = {.op = &op_trace, .name = "third", .run = run_third};
static const Level *const levels[] = {&first, &second, &third};

static Status frame_create(Device *device, Shape shape, Frame *frame) {
    static char pixels[1];
    (void)device;
    *frame = (Frame){shape, 0, pixels};
    return STATUS_OK;
}
static void frame_destroy(Device *device, Frame *frame) {
    (void)device;
    *frame = (Frame){0};
}
static Status upload(Queue *queue, ImageView from, Frame to) {
    (void)queue, (void)from, (void)to;
    return STATUS_OK;
}
static Status mark(Queue *queue, int number) {
    (void)queue, (void)number;
    return STATUS_OK;
}
static Status fake_sync(Queue *queue) {
    (void)queue;
    return STATUS_OK;
}
static Status elapsed(Queue *queue, int from, int to, double *ms) {
    (void)from, (void)to;
    *ms = ((Fake *)queue)->last;
    return STATUS_OK;
}

/* best takes the last level of this ladder. */
static const Backend backend = {.name = "fake",
                                .levels = levels,
                                .level_count = 3,
                                .frame_create = frame_create,
                                .frame_destroy = frame_destroy,
                                .upload = upload,
                                .mark = mark,
                                .elapsed = elapsed,
                                .sync = fake_sync};

static Status check_best(Fake *fake, char *line, size_t size, json_t *list) {
    Stage stage = {.op = &op_trace}, sample = {.op = &op_trace};
    Frames frames = {0};
    Ladder ladder = {
        .queue = &fake->queue, .stage = &stage, .count = 3, .results = calloc(LADDER_MAX, sizeof(LevelResult))};
    FILE *to = fmemopen(line, size, "w");
    assert_non_null(ladder.results);
    assert_non_null(to);
    device_init(&fake->device, &backend);
    fake->queue.device = &fake->device;
    stage.out.shape = (Shape){SIDE, SIDE, 4, PIXEL_U8};
    sample.out.shape = sample_shape(stage.out.shape);
    assert_true(sample.out.shape.width < SIDE);
    for (size_t i = 0; i < 3; i++)
        ladder.results[i].level = levels[i];
    assert_int_equal(frames_bind(&fake->queue, &frames, &stage), STATUS_OK);
    const Status status = ladder_check_best(&ladder, &sample, 5, to, list, "a job");
    frames_free(&fake->device, &frames);
    fclose(to);
    free(ladder.results);
    return status;
}

static void expect(Fake fake, Status want, const char *says) {
    char line[512] = "";
    json_t *list = json_array();
    assert_int_equal(check_best(&fake, line, sizeof line, list), want);
    assert_non_null(strstr(want == STATUS_OK ? line : status_message(), says));
    json_decref(list);
}

static void test_fastest_is_best(void **state) {
    (void)state;
    expect((Fake){.paces = {{.ms = 3}, {.ms = 2}, {.ms = 1}}}, STATUS_OK,
           "a job: best takes third, 1.000 ms; the fastest is third, 1.000 ms");
}

/* A tenth is allowed, more is not. */
static void test_a_tenth_is_allowed(void **state) {
    (void)state;
    expect((Fake){.paces = {{.ms = 3}, {.ms = 1}, {.ms = 1.09}}}, STATUS_OK, "the fastest is second");
    expect((Fake){.paces = {{.ms = 3}, {.ms = 1}, {.ms = 1.11}}}, STATUS_PARTIAL,
           "a job: best takes third, 1.110 ms, but second takes 1.000: best is 1.11 times slower");
}

/* A level that takes more than twenty times as long is not run on the whole picture. A long start alone does not make a
 * level hopeless where the best is slow. On the sample the second takes 0.6 ms, of which 0.5 are its start. */
static void test_hopeless_levels(void **state) {
    (void)state;
    Fake fake = {.paces = {{.ms = 900}, {.ms = 5, .start = 0.5}, {.ms = 20}}};
    char line[512] = "";
    json_t *list = json_array();
    assert_int_equal(check_best(&fake, line, sizeof line, list), STATUS_PARTIAL);
    assert_non_null(strstr(line, "the fastest is second, 5.500 ms"));
    assert_int_equal(fake.paces[0].runs, 0);
    assert_true(fake.paces[1].runs > 0);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "name")), "trace/fake/third");
    assert_true(json_boolean_value(json_object_get(json_array_get(list, 1), "best")));
    assert_false(json_boolean_value(json_object_get(json_array_get(list, 0), "best")));
    json_decref(list);
}

static Cost cost_of_pixels(const Stage *stage) {
    return (Cost){.flops = (double)stage->out.shape.width * (double)stage->out.shape.height};
}

/* The first would take 100 s, the second 19, and the third 110 ms, most of which any job takes. */
static void test_slow_levels_are_estimated(void **state) {
    (void)state;
    static const Op op = {.name = "fake", .cost = cost_of_pixels};
    static LevelResult results[LADDER_MAX];
    Fake fake = {.paces = {{.ms = 100000}, {.ms = 19000}, {.ms = 10, .start = 100}}};
    const Stage stage = {.op = &op, .out.shape = {SIDE, SIDE, 4, PIXEL_U8}};
    const Stage sample = {.op = &op, .out.shape = {SIDE / 64, SIDE / 64, 4, PIXEL_U8}};
    const Stage smaller = {.op = &op, .out.shape = {SIDE / 128, SIDE / 128, 4, PIXEL_U8}};
    Ladder ladder = {.queue = &fake.queue, .stage = &stage, .cost = stage_cost(&stage), .count = 3, .results = results};
    device_init(&fake.device, &backend);
    fake.queue.device = &fake.device;
    for (size_t i = 0; i < 3; i++)
        results[i] = (LevelResult){.level = levels[i], .check_ms = 100};
    assert_int_equal(ladder_estimate_slow(&ladder, &sample, &smaller), STATUS_OK);
    assert_int_equal(ladder_time(&ladder, 5, 1e9), STATUS_OK);
    assert_true(results[0].estimated && fabs(results[0].median - 100000) < 1);
    assert_int_equal(fake.paces[0].runs, 0);
    assert_true(!results[1].estimated && fabs(results[1].median - 19000) < 1);
    assert_true(!results[2].estimated && fabs(results[2].median - 110) < 1);
}

static Status same_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job, (void)type;
    *out = in[0];
    return STATUS_OK;
}
static Region rows_around(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job, (void)k, (void)in;
    return (Region){out.left - 2, out.top, out.width + 4, out.height};
}

/* Narrow pictures fit the caches, and a few rows of the whole one do not. */
static void test_rows_tell_better(void **state) {
    (void)state;
    static const Op op = {
        .name = "fake", .inputs = 1, .cost = cost_of_pixels, .shape = same_shape, .needs = rows_around};
    static LevelResult results[LADDER_MAX];
    Fake fake = {.paces = {{.ms = 100000, .caches = 4}}};
    static const size_t sides[] = {SIDE, SIDE / 64, SIDE / 128};
    Stage stages[3];
    for (size_t i = 0; i < 3; i++) {
        const Shape shape = {sides[i], sides[i], 4, PIXEL_U8};
        stages[i] = (Stage){.op = &op, .in[0].shape = shape, .out.shape = shape};
    }
    Ladder ladder = {
        .queue = &fake.queue, .stage = &stages[0], .cost = stage_cost(&stages[0]), .count = 1, .results = results};
    device_init(&fake.device, &backend);
    fake.queue.device = &fake.device;
    results[0] = (LevelResult){.level = levels[0], .check_ms = 100};
    assert_int_equal(ladder_estimate_slow(&ladder, &stages[1], &stages[2]), STATUS_OK);
    assert_true(results[0].estimated && fabs(results[0].median - 100000) < 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fastest_is_best),  cmocka_unit_test(test_a_tenth_is_allowed),
        cmocka_unit_test(test_hopeless_levels),  cmocka_unit_test(test_slow_levels_are_estimated),
        cmocka_unit_test(test_rows_tell_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
