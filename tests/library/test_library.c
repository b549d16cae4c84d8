/* test_library.c: libglint as a program sees it: devices, chains, plans and their runs, threads and processes. Expected
 * values are worked out by hand. */
#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what is what ---- */

static void test_version(void **state) {
    (void)state;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", GLINT_VERSION_MAJOR, GLINT_VERSION_MINOR, GLINT_VERSION_PATCH);
    assert_string_equal(glint_version(), version);
}

static void test_lists(void **state) {
    (void)state;
    static const char *const topics[] = {"filters", "presets", "levels",  "borders", "backends",
                                         "formats", "scenes",  "cameras", "looks",   "operations"};
    char *json;
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        char start[64];
        GOOD(glint_list(topics[i], &json, &error));
        snprintf(start, sizeof start, "{\"glint\":\"%s\",\"%s\":[{", topics[i], topics[i]);
        assert_memory_equal(json, start, strlen(start));
        glint_free(json);
    }
    GOOD(glint_list("borders", &json, &error));
    assert_non_null(strstr(json, "\"name\":\"mirror\""));
    glint_free(json);
    REFUSED(glint_list("colours", &json, &error), GLINT_USAGE, "want filters, presets");
    assert_null(json);
    REFUSED(glint_list(NULL, &json, &error), GLINT_USAGE, "NULL");
    REFUSED(glint_list("filters", NULL, &error), GLINT_USAGE, "NULL");
}

static void test_device(void **state) {
    (void)state;
    GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
    GlintDevice *device = open_cpu(3);
    char *json;
    GOOD(glint_describe_device(device, &json, &error));
    assert_non_null(strstr(json, "\"backend\":\"cpu\""));
    assert_non_null(strstr(json, "\"threads\":3"));
    glint_free(json);
    glint_close(device);
    options.backend = "abacus";
    REFUSED(glint_open(&options, &device, &error), GLINT_USAGE, "abacus");
    assert_null(device);
    options.backend = "cpu";
    options.index = 1;
    REFUSED(glint_open(&options, &device, &error), GLINT_DEVICE, "device 0 only");
    options.index = 0;
    options.threads = -1;
    REFUSED(glint_open(&options, &device, &error), GLINT_USAGE, "threads: -1");
    options.threads = 0;
    options.size = 0;
    REFUSED(glint_open(&options, &device, &error), GLINT_USAGE, "size is 0");
    REFUSED(glint_open(NULL, NULL, &error), GLINT_USAGE, "NULL");
    assert_int_equal(glint_open(&options, &device, NULL), GLINT_USAGE); /* nobody asks why */
    glint_close(NULL);
}

/* A program of a later version has more options: this library takes those that say nothing new. */
static void test_later_options(void **state) {
    (void)state;
    struct {
        GlintDeviceOptions options;
        int later;
    } more;
    GlintDevice *device;
    memset(&more, 0, sizeof more);
    more.options.size = sizeof more;
    more.options.backend = "cpu";
    GOOD(glint_open(&more.options, &device, &error));
    glint_close(device);
    more.later = 1;
    REFUSED(glint_open(&more.options, &device, &error), GLINT_USAGE, "does not know");
}

static void test_chain(void **state) {
    (void)state;
    GlintChain *chain, *again;
    GOOD(glint_chain(" gaussian = 3 , ~invert", &chain, &error));
    assert_memory_equal(glint_chain_text(chain), "gaussian=3", 10);
    assert_non_null(strstr(glint_chain_text(chain), ",~invert"));
    GOOD(glint_chain(glint_chain_text(chain), &again, &error));
    assert_string_equal(glint_chain_text(chain), glint_chain_text(again));
    glint_chain_free(chain);
    glint_chain_free(again);
    REFUSED(glint_chain("invert,gausian", &chain, &error), GLINT_USAGE, "column 8");
    assert_non_null(strstr(error.sentence, "did you mean \"gaussian\"?"));
    assert_null(chain);
    REFUSED(glint_chain(NULL, &chain, &error), GLINT_USAGE, "NULL");
    REFUSED(glint_chain("", NULL, &error), GLINT_USAGE, "NULL");
    REFUSED(glint_chain("blend=/nowhere/at/all.png", &chain, &error), GLINT_INPUT, "/nowhere/at/all.png");
    assert_null(glint_chain_text(NULL));
    glint_chain_free(NULL);
}

/* ---- values ---- */

/* 5 times the middle less its four neighbours: a spark of 20 on 10 becomes 60, its neighbours 50 - 20 - 30 = 0. */
static void test_by_hand(void **state) {
    (void)state;
    static const unsigned char in[5][5] = {
        {10, 10, 10, 10, 10}, {10, 10, 10, 10, 10}, {10, 10, 20, 10, 10}, {10, 10, 10, 10, 10}, {10, 10, 10, 10, 10}};
    static const unsigned char want[5][5] = {
        {10, 10, 10, 10, 10}, {10, 10, 0, 10, 10}, {10, 0, 60, 0, 10}, {10, 10, 0, 10, 10}, {10, 10, 10, 10, 10}};
    unsigned char out[5][5];
    GlintDevice *device = open_cpu(2);
    GlintPlan *plan = plan_of(device, "convolve=0 -1 0 -1 5 -1 0 -1 0", (GlintShape){5, 5, 1, GLINT_U8}, NULL);
    const GlintPixels from = {.pixels = (void *)in}, to = {.pixels = out};
    GOOD(glint_run(plan, &from, &to, NULL, &error));
    assert_memory_equal(out, want, sizeof out);
    assert_int_equal(copied_by(plan).runs, 1);
    assert_int_equal(copied_by(plan).rearranged, 0);
    glint_plan_free(plan);
    glint_close(device);
}

/* Beyond the edge lies 0, or the mirrored neighbour: the sum of the left and the right neighbour of 1, 2, 4. */
static void test_borders(void **state) {
    (void)state;
    static const struct {
        const char *border;
        float want[3];
    } cases[] = {
        {"zero", {2, 5, 2}}, {"clamp", {3, 5, 6}}, {"mirror", {4, 5, 4}}, {"wrap", {6, 5, 3}}, {NULL, {3, 5, 6}}};
    const float in[3] = {1, 2, 4};
    float out[3];
    GlintDevice *device = open_cpu(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GlintPlanOptions options = GLINT_PLAN_OPTIONS;
        options.border = cases[i].border;
        GlintPlan *plan = plan_of(device, "convolve=0 0 0 1 0 1 0 0 0", (GlintShape){3, 1, 1, GLINT_F32}, &options);
        const GlintPixels from = {.pixels = (void *)in}, to = {.pixels = out};
        GOOD(glint_run(plan, &from, &to, NULL, &error));
        for (int x = 0; x < 3; x++)
            assert_true(fabsf(out[x] - cases[i].want[x]) < 1e-5f);
        glint_plan_free(plan);
    }
    glint_close(device);
}

static void test_options(void **state) {
    (void)state;
    GlintDevice *device = open_cpu(1);
    const GlintShape shape = {8, 8, 3, GLINT_U8};
    GlintChain *chain;
    GlintPlan *plan;
    GOOD(glint_chain("gaussian=2,invert", &chain, &error));
    GlintPlanOptions options = GLINT_PLAN_OPTIONS;
    options.border = "moebius";
    REFUSED(glint_plan(device, chain, &shape, &options, &plan, &error), GLINT_USAGE, "moebius");
    options.border = NULL;
    options.alpha = "beta";
    REFUSED(glint_plan(device, chain, &shape, &options, &plan, &error), GLINT_USAGE, "premultiply|ignore");
    options.alpha = "ignore";
    options.precision = "low";
    REFUSED(glint_plan(device, chain, &shape, &options, &plan, &error), GLINT_USAGE, "stored|high|auto");
    options.precision = "high";
    options.level = "quantum";
    REFUSED(glint_plan(device, chain, &shape, &options, &plan, &error), GLINT_USAGE, "quantum");
    assert_null(plan);
    options.level = "separable";
    GOOD(glint_plan(device, chain, &shape, &options, &plan, &error));
    char *json;
    GOOD(glint_describe_plan(plan, &json, &error));
    assert_non_null(strstr(json, "\"level\":\"separable\""));
    assert_non_null(strstr(json, "\"width\":8,\"height\":8,\"channels\":3,\"type\":\"u8\""));
    glint_free(json);
    glint_plan_free(plan);
    glint_chain_free(chain);
    glint_close(device);
}

static void test_result_shape(void **state) {
    (void)state;
    GlintDevice *device = open_cpu(1);
    GlintPlan *plan = plan_of(device, "resize=20:10", (GlintShape){40, 30, 3, GLINT_U16}, NULL);
    const GlintShape made = glint_plan_result(plan);
    assert_int_equal(made.width, 20);
    assert_int_equal(made.height, 10);
    assert_int_equal(made.channels, 3);
    assert_int_equal(made.type, GLINT_U16);
    glint_plan_free(plan);
    glint_close(device);
}

static void test_nonsense(void **state) {
    (void)state;
    unsigned char picture[64] = {0};
    const GlintPixels pixels = {.pixels = picture};
    GlintDevice *device = open_cpu(1);
    GlintChain *chain;
    GlintPlan *plan;
    GOOD(glint_chain("invert", &chain, &error));
    static const GlintShape shapes[] = {{0, 4, 1, GLINT_U8}, {4, 0, 1, GLINT_U8},  {4, 4, 0, GLINT_U8},
                                        {4, 4, 5, GLINT_U8}, {4, 4, -1, GLINT_U8}, {4, 4, 1, 3},
                                        {4, 4, 1, -1}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        REFUSED(glint_plan(device, chain, &shapes[i], NULL, &plan, &error), GLINT_USAGE, "shape: ");
    const GlintShape vast = {SIZE_MAX / 2, SIZE_MAX / 2, 4, GLINT_F32}, large = {1 << 30, 1 << 30, 4, GLINT_F32};
    REFUSED(glint_plan(device, chain, &vast, NULL, &plan, &error), GLINT_INPUT, "");
    REFUSED(glint_plan(device, chain, &large, NULL, &plan, &error), GLINT_INPUT, "");
    const GlintShape shape = {4, 4, 3, GLINT_U8}, wide = {4, 4, 1, GLINT_U16};
    REFUSED(glint_plan(device, chain, NULL, NULL, &plan, &error), GLINT_USAGE, "NULL");
    REFUSED(glint_plan(device, NULL, &shape, NULL, &plan, &error), GLINT_USAGE, "NULL");
    REFUSED(glint_plan(NULL, chain, &shape, NULL, &plan, &error), GLINT_USAGE, "NULL");
    REFUSED(glint_plan(device, chain, &shape, NULL, NULL, &error), GLINT_USAGE, "NULL");
    GOOD(glint_plan(device, chain, &shape, NULL, &plan, &error));
    REFUSED(glint_run(NULL, &pixels, &pixels, NULL, &error), GLINT_USAGE, "NULL");
    REFUSED(glint_run(plan, NULL, &pixels, NULL, &error), GLINT_USAGE, "in: NULL");
    REFUSED(glint_run(plan, &pixels, NULL, NULL, &error), GLINT_USAGE, "out: NULL");
    const GlintPixels nowhere = {.pixels = NULL}, there = {.pixels = picture, .place = GLINT_ON_DEVICE};
    const GlintPixels elsewhere = {.pixels = picture, .place = 7};
    REFUSED(glint_run(plan, &nowhere, &pixels, NULL, &error), GLINT_USAGE, "in: NULL");
    REFUSED(glint_run(plan, &there, &pixels, NULL, &error), GLINT_USAGE, "no memory of its own");
    REFUSED(glint_run(plan, &pixels, &elsewhere, NULL, &error), GLINT_USAGE, "its place is 7");
    const GlintPixels shared = {.pixels = picture, .pixel = 1, .channel = 1, .row = 16};
    REFUSED(glint_run(plan, &pixels, &shared, NULL, &error), GLINT_USAGE, "share memory");
    const GlintPixels beyond = {.pixels = picture, .row = PTRDIFF_MAX / 2};
    REFUSED(glint_run(plan, &beyond, &pixels, NULL, &error), GLINT_USAGE, "address space");
    const GlintStream stream = {NULL};
    REFUSED(glint_run(plan, &pixels, &pixels, &stream, &error), GLINT_USAGE, "no streams");
    glint_plan_free(plan);
    GOOD(glint_plan(device, chain, &wide, NULL, &plan, &error));
    const GlintPixels odd = {.pixels = picture + 1}, odd_row = {.pixels = picture, .row = 9};
    REFUSED(glint_run(plan, &odd, &pixels, NULL, &error), GLINT_USAGE, "no multiples");
    REFUSED(glint_run(plan, &pixels, &odd_row, NULL, &error), GLINT_USAGE, "no multiples");
    GlintCopied unsized = {0};
    REFUSED(glint_copied(plan, &unsized, &error), GLINT_USAGE, "size is 0");
    glint_plan_free(plan);
    glint_plan_free(NULL);
    glint_stop(NULL);
    glint_chain_free(chain);
    glint_close(device);
}

/* ---- arrangements ---- */

enum { W = 23, H = 11, C = 3, GAP = 5, BATCH = 4 };
static const GlintShape small = {W, H, C, GLINT_U8};

/* The result of packed pixels, which the others are held against. */
static void run_packed(GlintPlan *plan, const unsigned char *in, unsigned char *out) {
    const GlintPixels from = {.pixels = (void *)in}, to = {.pixels = out};
    GOOD(glint_run(plan, &from, &to, NULL, &error));
}

static void test_rows_with_gaps(void **state) {
    (void)state;
    unsigned char packed[H][W][C], want[H][W][C], in[H][W * C + GAP], out[H][W * C + GAP];
    GlintDevice *device = open_cpu(2);
    GlintPlan *plan = plan_of(device, "gaussian=2,sharpen", small, NULL);
    scribble(&packed[0][0][0], sizeof packed, 1);
    run_packed(plan, &packed[0][0][0], &want[0][0][0]);
    memset(in, 99, sizeof in);
    memset(out, 77, sizeof out);
    for (int y = 0; y < H; y++)
        memcpy(in[y], packed[y], sizeof packed[y]);
    const GlintPixels from = {.pixels = in, .row = sizeof in[0]}, to = {.pixels = out, .row = sizeof out[0]};
    GOOD(glint_run(plan, &from, &to, NULL, &error));
    for (int y = 0; y < H; y++) {
        assert_memory_equal(out[y], want[y], sizeof want[y]);
        for (int i = 0; i < GAP; i++)
            assert_int_equal(out[y][W * C + i], 77);
    }
    assert_int_equal(copied_by(plan).rearranged, 0);
    glint_plan_free(plan);
    glint_close(device);
}

/* Three planes; then pixels of four bytes of which three count; then the rows from below. */
static void test_other_arrangements(void **state) {
    (void)state;
    unsigned char packed[H][W][C], want[H][W][C], planes[C][H][W], results[C][H][W], padded[H][W][4],
        padded_out[H][W][4];
    GlintDevice *device = open_cpu(2);
    GlintPlan *plan = plan_of(device, "grayscale,gaussian=2", small, NULL);
    scribble(&packed[0][0][0], sizeof packed, 2);
    run_packed(plan, &packed[0][0][0], &want[0][0][0]);
    memset(padded, 55, sizeof padded);
    memset(padded_out, 66, sizeof padded_out);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < C; c++)
                planes[c][y][x] = padded[H - 1 - y][x][c] = packed[y][x][c];
    const GlintPixels from = glint_planar(&small, planes, GLINT_HOST), to = glint_planar(&small, results, GLINT_HOST);
    GOOD(glint_run(plan, &from, &to, NULL, &error));
    const GlintPixels below = {.pixels = padded[H - 1], .row = -4 * W, .pixel = 4};
    const GlintPixels out = {.pixels = padded_out, .row = 4 * W, .pixel = 4};
    GOOD(glint_run(plan, &below, &out, NULL, &error));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            for (int c = 0; c < C; c++) {
                assert_int_equal(results[c][y][x], want[y][x][c]);
                assert_int_equal(padded_out[y][x][c], want[y][x][c]);
            }
            assert_int_equal(padded_out[y][x][3], 66);
        }
    assert_int_equal(copied_by(plan).rearranged, 4 * W * H * C); /* each run: the picture and the result */
    assert_int_equal(copied_by(plan).runs, 3);
    glint_plan_free(plan);
    glint_close(device);
}

/* A chain that filters each channel by itself does so with planes where they lie: each as a gray picture. */
static void check_planes(GlintDevice *device, const char *chain) {
    static float planes[BATCH][C][H][W], results[BATCH][C][H][W], want[H][W];
    const GlintShape colour = {W, H, C, GLINT_F32}, gray = {W, H, 1, GLINT_F32};
    GlintPlanOptions options = GLINT_PLAN_OPTIONS;
    options.pictures = BATCH;
    GlintPlan *plan = plan_of(device, chain, colour, &options);
    GlintPlan *single = plan_of(device, chain, gray, NULL);
    for (int i = 0; i < BATCH * C * H * W; i++)
        (&planes[0][0][0][0])[i] = (float)(i * 7919 % 1000) / 1000;
    const GlintPixels from = glint_planar(&colour, planes, GLINT_HOST), to = glint_planar(&colour, results, GLINT_HOST);
    GOOD(glint_run(plan, &from, &to, NULL, &error));
    assert_int_equal(copied_by(plan).rearranged, 0);
    for (int i = 0; i < BATCH; i++)
        for (int c = 0; c < C; c++) {
            run_packed(single, (unsigned char *)planes[i][c], (unsigned char *)want);
            assert_memory_equal(results[i][c], want, sizeof want);
        }
    GOOD(glint_run(plan, &from, &from, NULL, &error)); /* in place */
    assert_memory_equal(planes, results, sizeof results);
    glint_plan_free(plan);
    glint_plan_free(single);
}

static void test_planes(void **state) {
    (void)state;
    GlintDevice *device = open_cpu(2);
    check_planes(device, "gaussian=2,median=3,invert");
    check_planes(device, "equalize=by=channel");
    check_planes(device, "autolevels=2");
    glint_close(device);
}

/* Curves that go by all channels see them all: planes are put together, and the result is that of packed pixels. */
static void test_planes_together(void **state) {
    (void)state;
    static const char *const chains[] = {"whitebalance", "equalize=by=luma", "equalize=by=all"};
    static float planes[C][H][W], results[C][H][W], packed[H][W][C], want[H][W][C];
    const GlintShape colour = {W, H, C, GLINT_F32};
    GlintDevice *device = open_cpu(2);
    for (int i = 0; i < C * H * W; i++)
        packed[i / C % H][i / C / H][i % C] = planes[i % C][i / C % H][i / C / H] = (float)(i * 7919 % 1000) / 1000;
    const GlintPixels from = glint_planar(&colour, planes, GLINT_HOST), to = glint_planar(&colour, results, GLINT_HOST);
    for (size_t k = 0; k < sizeof chains / sizeof chains[0]; k++) {
        GlintPlan *plan = plan_of(device, chains[k], colour, NULL);
        GOOD(glint_run(plan, &from, &to, NULL, &error));
        run_packed(plan, (unsigned char *)packed, (unsigned char *)want);
        for (int i = 0; i < C * H * W; i++)
            assert_memory_equal(&results[i % C][i / C % H][i / C / H], &want[i / C % H][i / C / H][i % C],
                                sizeof(float));
        glint_plan_free(plan);
    }
    glint_close(device);
}

/* The result takes the place of its picture. */
static void test_in_place(void **state) {
    (void)state;
    unsigned char picture[H][W][C], want[H][W][C];
    GlintDevice *device = open_cpu(2);
    GlintPlan *plan = plan_of(device, "median=5", small, NULL);
    scribble(&picture[0][0][0], sizeof picture, 3);
    run_packed(plan, &picture[0][0][0], &want[0][0][0]);
    run_packed(plan, &picture[0][0][0], &picture[0][0][0]);
    assert_memory_equal(picture, want, sizeof want);
    glint_plan_free(plan);
    /* An empty chain copies. */
    plan = plan_of(device, "", small, NULL);
    memset(picture, 0, sizeof picture);
    run_packed(plan, &want[0][0][0], &picture[0][0][0]);
    assert_memory_equal(picture, want, sizeof want);
    glint_plan_free(plan);
    glint_close(device);
}

static void test_batch(void **state) {
    (void)state;
    static unsigned char in[BATCH][H][W][C], out[BATCH][H][W][C], want[H][W][C];
    GlintDevice *device = open_cpu(2);
    GlintPlanOptions options = GLINT_PLAN_OPTIONS;
    options.pictures = BATCH;
    GlintPlan *plan = plan_of(device, "median=3,gaussian=1", small, &options);
    GlintPlan *single = plan_of(device, "median=3,gaussian=1", small, NULL);
    scribble(&in[0][0][0][0], sizeof in, 4);
    run_packed(plan, &in[0][0][0][0], &out[0][0][0][0]);
    for (int i = 0; i < BATCH; i++) {
        run_packed(single, &in[i][0][0][0], &want[0][0][0]);
        assert_memory_equal(out[i], want, sizeof want);
    }
    /* A result over the picture behind its own would spoil that. */
    const GlintPixels from = {.pixels = in}, over = {.pixels = &in[0][1]};
    REFUSED(glint_run(plan, &from, &over, NULL, &error), GLINT_USAGE, "yet to be read");
    run_packed(plan, &in[0][0][0][0], &in[0][0][0][0]);
    assert_memory_equal(in, out, sizeof out);
    glint_plan_free(plan);
    glint_plan_free(single);
    glint_close(device);
}

/* ---- threads, processes, signals ---- */

typedef struct Worker {
    GlintPlan *plan;
    unsigned seed;
    unsigned char in[H][W][C], out[H][W][C];
    GlintError error;
    int failures;
} Worker;

enum { ROUNDS = 200, WORKERS = 4 };

static void *work(void *of) {
    Worker *worker = of;
    const GlintPixels from = {.pixels = worker->in}, to = {.pixels = worker->out};
    for (int i = 0; i < ROUNDS; i++)
        worker->failures += glint_run(worker->plan, &from, &to, NULL, &worker->error) != GLINT_OK;
    return NULL;
}

/* Threads in turn share a plan, and all share the device. */
static void test_threads(void **state) {
    (void)state;
    static Worker workers[WORKERS];
    unsigned char want[H][W][C];
    pthread_t threads[WORKERS];
    GlintDevice *device = open_cpu(2);
    GlintPlan *plans[] = {plan_of(device, "gaussian=2,sharpen", small, NULL), plan_of(device, "median=5", small, NULL)};
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i].plan = plans[i % 2];
        scribble(&workers[i].in[0][0][0], sizeof workers[i].in, i);
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(workers[i].failures, 0);
        run_packed(workers[i].plan, &workers[i].in[0][0][0], &want[0][0][0]);
        assert_memory_equal(workers[i].out, want, sizeof want);
    }
    assert_int_equal(copied_by(plans[0]).runs, WORKERS / 2 * (ROUNDS + 1));
    GOOD(glint_wait(plans[0], &error));
    glint_plan_free(plans[0]);
    glint_plan_free(plans[1]);
    glint_close(device);
}

typedef struct Slow {
    GlintPlan *plan;
    void *in, *out;
    GlintStatus status;
    GlintError error;
    atomic_bool ended;
} Slow;

static void *work_slowly(void *of) {
    Slow *slow = of;
    const GlintPixels from = {.pixels = slow->in}, to = {.pixels = slow->out};
    slow->status = glint_run(slow->plan, &from, &to, NULL, &slow->error);
    atomic_store(&slow->ended, true);
    return NULL;
}

/* Non-local means over these pixels by one thread takes minutes. */
static void test_stop(void **state) {
    (void)state;
    enum { SIDE = 3000 };
    Slow slow = {.in = calloc(SIDE, SIDE), .out = calloc(SIDE, SIDE)};
    pthread_t thread;
    GlintDevice *device = open_cpu(1);
    GlintPlanOptions options = GLINT_PLAN_OPTIONS;
    options.level = "reference";
    slow.plan = plan_of(device, "nlmeans", (GlintShape){SIDE, SIDE, 1, GLINT_U8}, &options);
    assert_int_equal(pthread_create(&thread, NULL, work_slowly, &slow), 0);
    while (!atomic_load(&slow.ended)) {
        glint_stop(slow.plan);
        usleep(1000);
    }
    pthread_join(thread, NULL);
    assert_int_equal(slow.status, GLINT_STOPPED);
    assert_int_equal(slow.error.status, GLINT_STOPPED);
    glint_plan_free(slow.plan);
    glint_close(device);
    free(slow.in);
    free(slow.out);
}

/* In a child of fork(): 0, or the number of the step that went wrong. */
static int check_child(GlintDevice *device, GlintPlan *plan, const unsigned char *in, const unsigned char *want) {
    static unsigned char out[H][W][C];
    const GlintPixels from = {.pixels = (void *)in}, to = {.pixels = out};
    const GlintShape shape = small;
    GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
    GlintChain *chain;
    char *json;
    if (glint_run(plan, &from, &to, NULL, &error) != GLINT_USAGE || !strstr(error.sentence, "fork()"))
        return 1;
    if (glint_describe_device(device, &json, &error) != GLINT_USAGE || glint_wait(plan, &error) != GLINT_USAGE)
        return 2;
    glint_plan_free(plan); /* these leave the parent's alone */
    glint_close(device);
    options.backend = "cpu";
    options.threads = 2;
    if (glint_open(&options, &device, &error) || glint_chain("gaussian=2", &chain, &error) ||
        glint_plan(device, chain, &shape, NULL, &plan, &error) || glint_run(plan, &from, &to, NULL, &error))
        return 3;
    if (memcmp(out, want, sizeof out) != 0)
        return 4;
    glint_plan_free(plan);
    glint_chain_free(chain);
    glint_close(device);
    return 0;
}

static void test_fork(void **state) {
    (void)state;
    unsigned char in[H][W][C], want[H][W][C];
    int status = -1;
    GlintDevice *device = open_cpu(2);
    GlintPlan *plan = plan_of(device, "gaussian=2", small, NULL);
    scribble(&in[0][0][0], sizeof in, 6);
    run_packed(plan, &in[0][0][0], &want[0][0][0]); /* its threads are there now */
    const pid_t child = fork();
    if (child == 0)
        _exit(check_child(device, plan, &in[0][0][0], &want[0][0][0]));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    run_packed(plan, &in[0][0][0], &want[0][0][0]); /* the parent goes on */
    glint_plan_free(plan);
    glint_close(device);
}

/* How many threads of the process take this signal. */
static int takers(int number) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (struct dirent *entry; (entry = readdir(tasks));) {
        char path[300], line[256];
        unsigned long long blocked = ~0ull;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL;
        while (file && fgets(line, sizeof line, file))
            if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
                break;
        count += file && !(blocked >> (number - 1) & 1);
        if (file)
            fclose(file);
    }
    closedir(tasks);
    return count;
}

/* Signals stay the program's: its handlers, and its own thread for them. */
static void test_signals(void **state) {
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGXFSZ};
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
    static unsigned char in[300][300], out[300][300];
    struct sigaction before[NUMBERS], after;
    for (size_t i = 0; i < NUMBERS; i++)
        assert_int_equal(sigaction(numbers[i], NULL, &before[i]), 0);
    GlintDevice *device = open_cpu(3);
    GlintPlan *plan = plan_of(device, "gaussian=3", (GlintShape){300, 300, 1, GLINT_U8}, NULL);
    const int took = takers(SIGTERM);
    run_packed(plan, &in[0][0], &out[0][0]);
    assert_int_equal(takers(SIGTERM), took);
    for (size_t i = 0; i < NUMBERS; i++) {
        assert_int_equal(sigaction(numbers[i], NULL, &after), 0);
        assert_true(after.sa_handler == before[i].sa_handler && after.sa_flags == before[i].sa_flags);
    }
    glint_plan_free(plan);
    glint_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_device),         cmocka_unit_test(test_later_options),
        cmocka_unit_test(test_chain),          cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_borders),        cmocka_unit_test(test_options),
        cmocka_unit_test(test_result_shape),   cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_rows_with_gaps), cmocka_unit_test(test_other_arrangements),
        cmocka_unit_test(test_planes),         cmocka_unit_test(test_planes_together),
        cmocka_unit_test(test_in_place),       cmocka_unit_test(test_batch),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_fork),           cmocka_unit_test(test_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
