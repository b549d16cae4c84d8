/* test_strips.c: pictures that pass a chain in strips are those that pass it whole, bit for bit. */
#include "app/backends.h"
#include "core/base/stop.h"
#include "core/math/pcg.h"
#include "core/ops/reduce.h"
#include "core/plan/frame_map.h"
#include "core/run/strips.h"
#include "tests/levels/fake.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"

enum { FRAMES_BYTES = 64 << 10, TILES_BYTES = 768 << 10 }; /* so that the pictures here are cut */

static Device *open_cpu(int threads) {
    Device *device = NULL;
    const char *passed_over = NULL;
    assert_int_equal(backend_open("cpu", 0, threads, &device, &passed_over), STATUS_OK);
    return device;
}

/* Takes rows as a file does: in their order, once. */
typedef struct Rows {
    RowSink sink;
    ImageView view;
    size_t next;
} Rows;

static Status take_rows(RowSink *sink, ImageView rows) {
    Rows *to = (Rows *)sink;
    assert_true(to->next + rows.shape.height <= to->view.shape.height);
    view_copy(rows, view_crop(to->view, 0, to->next, rows.shape.width, rows.shape.height));
    to->next += rows.shape.height;
    return STATUS_OK;
}

/* As if neither end were in memory. */
static void pass_rows(const Strips *strips, Pipeline *pipeline, ImageView in, ImageView out) {
    ViewSource from;
    Rows to = {.sink = {.shape = out.shape, .write = take_rows}, .view = out};
    Spans spans = {0};
    view_source_init(&from, in);
    from.source.all = NULL;
    REQUIRE(strips_run(strips, pipeline, &from.source, &to.sink, &spans));
    assert_int_equal(to.next, out.shape.height);
}

typedef enum Way { IN_MEMORY, BY_ROWS } Way;

/* Runs the chain over noise, with frames of `bytes`; tells how it was cut. */
static Strips filter(Device *device, const char *text, const char *level, PlanOptions options, ImageView picture,
                     size_t bytes, Way way, Image **result) {
    Chain *chain = NULL;
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Strips strips;
    Spans spans = {0};
    assert_int_equal(chain_parse(text, &chain), STATUS_OK);
    if (strstr(text, "=noise") || strstr(text, "=small")) {
        Image *noise = NULL;
        const Shape small = {17, 41, 3, PIXEL_U8};
        assert_int_equal(image_create(strstr(text, "=small") ? small : picture.shape, &noise), STATUS_OK);
        view_fill_random(noise->view, 91);
        chain->images[chain->image_count++] = (PlanImage){strdup(strstr(text, "=small") ? "small" : "noise"), noise};
    }
    if (strips_plan(chain, picture.shape, options, (StripRoom){bytes, SIZE_MAX, NULL}, &strips, &plan) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    assert_true(shape_equal(strips.picture, picture.shape));
    assert_int_equal(plan_value_shape(plan, 0).height, strips.rows);
    assert_int_equal(pipeline_create(device, plan, level, &pipeline), STATUS_OK);
    assert_int_equal(image_create(strips_result(&strips, pipeline_result_shape(pipeline)), result), STATUS_OK);
    if (way == BY_ROWS)
        pass_rows(&strips, pipeline, picture, (*result)->view);
    else
        REQUIRE(strips_process(&strips, pipeline, picture, (*result)->view, &spans));
    pipeline_destroy(&pipeline);
    chain_destroy(&chain);
    return strips;
}

static void check_equal(ImageView want, ImageView got, const char *what) {
    assert_true(shape_equal(want.shape, got.shape));
    for (size_t y = 0; y < want.shape.height; y++)
        if (memcmp(view_row(want, y), view_row(got, y), shape_row_bytes(want.shape)) != 0) {
            fail_msg("%s: row %zu of %zu differs", what, y, want.shape.height);
        }
}

static void strips_join(void **state) {
    (void)state;
    static const struct {
        const char *chain, *level, *border;
        Shape shape;
        bool whole; /* pixels far away are asked for */
    } cases[] = {
        {"gaussian=2", "best", "clamp", {60, 700, 4, PIXEL_U8}, false},
        {"gaussian=2", "best", "mirror", {60, 701, 4, PIXEL_F32}, false},
        {"gaussian=2", "threads", "constant=40", {60, 702, 2, PIXEL_U16}, false},
        {"gaussian=2", "simd", "zero", {60, 703, 3, PIXEL_F32}, false},
        {"gaussian=12", "best", "clamp", {60, 1399, 3, PIXEL_F32}, false}, /* sums in groups of taps */
        {"gaussian=9", "simd", "mirror", {60, 1333, 1, PIXEL_F32}, false},
        {"sobel,gaussian=1.5,invert,box=4,sharpen", "best", "mirror", {60, 1234, 4, PIXEL_U8}, false},
        {"grayscale,emboss", "best", "clamp", {60, 1235, 4, PIXEL_U16}, false},
        {"gaussian=2,difference", "best", "clamp", {60, 700, 4, PIXEL_U8}, false},
        {"gaussian=2,difference=noise,box=3", "best", "mirror", {60, 777, 3, PIXEL_U16}, false},
        {"gaussian=2:within=31x300+10+200,invert=within=9x9999+50+3", "best", "clamp", {60, 700, 3, PIXEL_U8}, false},
        {"gaussian=2:within=50%x40%+10%+33%,sobel", "best", "clamp", {60, 700, 3, PIXEL_U8}, false},
        {"box=5:within=small,emboss", "best", "mirror", {60, 777, 3, PIXEL_U16}, false},
        {"box=5:within=noise,emboss", "best", "mirror", {60, 777, 3, PIXEL_U16}, false},
        {"vignette=-40,grain=20", "best", "clamp", {60, 701, 3, PIXEL_U8}, false}, /* they count rows from the top */
        {"expr='noise(2) * v + y / h'", "best", "clamp", {100, 901, 4, PIXEL_F32}, false},
        {"shadows=70:radius=4", "best", "mirror", {60, 777, 4, PIXEL_U8}, false},
        {"curves=red=0 10; 100 90:luma=0 0; 50 60; 100 100", "best", "clamp", {100, 901, 3, PIXEL_U8}, false},
        {"disk=4", "best", "clamp", {24, 4801, 3, PIXEL_F32}, false}, /* transformed in tiles */
        {"disk=4,box=3,disk=5", "best", "mirror", {24, 9500, 1, PIXEL_F32}, false},
        {"disk=4", "fft", "zero", {24, 4500, 1, PIXEL_U16}, false},
        {"invert", "best", "clamp", {300, 301, 3, PIXEL_U8}, false},
        {"", "best", "clamp", {100, 999, 3, PIXEL_U8}, false},
        {"gaussian=2", "best", "wrap", {60, 700, 4, PIXEL_U8}, false},   /* the last rows come before the first */
        {"gaussian=25", "best", "clamp", {100, 300, 3, PIXEL_U8}, true}, /* strips would be mostly halo */
        {"box=3", "best", "clamp", {7000, 2, 3, PIXEL_U8}, true},
        {"flip", "best", "clamp", {61, 700, 3, PIXEL_U8}, false},
        {"crop=20:x=7,gaussian=2,pad=5:top=0:bottom=0", "best", "clamp", {60, 700, 3, PIXEL_U8}, false},
        {"resize=97:700", "best", "clamp", {60, 700, 3, PIXEL_U8}, false},
        {"resize=97:700:by=mitchell,gaussian=1", "best", "mirror", {60, 700, 3, PIXEL_U16}, false},
        {"crop=20:700", "best", "clamp", {60, 700, 3, PIXEL_U8}, false},
        {"flip,gaussian=2", "best", "wrap", {61, 700, 3, PIXEL_U8}, false},
        {"whitebalance=at=30x600", "best", "clamp", {60, 700, 3, PIXEL_U8}, true},
        {"flip=vertical", "best", "clamp", {60, 700, 4, PIXEL_U8}, true}, /* only the middle stays where it is */
    };
    for (int threads = 1; threads <= 3; threads += 2) {
        Device *device = open_cpu(threads);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            PlanOptions options = {.border = {BORDER_CLAMP, 0}};
            Image *picture = NULL, *want = NULL, *got = NULL;
            assert_int_equal(border_parse(cases[i].border, &options.border), STATUS_OK);
            assert_int_equal(image_create(cases[i].shape, &picture), STATUS_OK);
            view_fill_random(picture->view, 7 + i);
            const size_t height = cases[i].shape.height;
            const char *chain = cases[i].chain, *level = cases[i].level;
            assert_int_equal(filter(device, chain, level, options, picture->view, SIZE_MAX, IN_MEMORY, &want).rows,
                             height);
            for (Way way = IN_MEMORY; way <= BY_ROWS; way++) {
                const size_t rows = filter(device, chain, level, options, picture->view, FRAMES_BYTES, way, &got).rows;
                if (cases[i].whole)
                    assert_int_equal(rows, height);
                else
                    assert_true(rows < height);
                check_equal(want->view, got->view, chain);
                image_destroy(&got);
            }
            image_destroy(&picture);
            image_destroy(&want);
        }
        device_close(&device);
    }
}

/* Pictures whose height changes: the rows of a strip are those that make some of the result. */
static void heights_join(void **state) {
    (void)state;
    static const struct {
        const char *chain, *border;
        Shape shape;
        bool whole;
    } cases[] = {
        {"resize=scale=0.5", "clamp", {60, 1400, 4, PIXEL_U8}, false},
        {"resize=scale=0.5:by=box", "clamp", {60, 1400, 3, PIXEL_U8}, false},
        {"resize=scale=0.25:by=box", "clamp", {60, 1400, 1, PIXEL_U16}, false},
        {"resize=scale=0.2:by=box", "clamp", {60, 3000, 3, PIXEL_F32}, false},
        {"resize=31:300", "clamp", {60, 1401, 3, PIXEL_U8}, false},
        {"resize=20:811:by=cubic", "clamp", {60, 1401, 2, PIXEL_F32}, false},
        {"resize=61:701:by=linear", "clamp", {60, 1401, 1, PIXEL_U16}, false},
        {"resize=61:701:by=nearest", "clamp", {60, 1401, 4, PIXEL_U8}, false},
        {"resize=scale=1.7", "clamp", {60, 701, 3, PIXEL_U8}, false},
        {"resize=scale=3:by=cubic", "clamp", {60, 701, 3, PIXEL_U16}, false},
        {"resize=scale=2.3:by=mitchell", "clamp", {60, 701, 4, PIXEL_F32}, false},
        {"resize=scale=2:by=nearest", "clamp", {60, 701, 1, PIXEL_U8}, false},
        {"gaussian=2,resize=scale=0.4,sharpen", "mirror", {60, 2001, 3, PIXEL_U8}, false},
        {"median=2,resize=scale=0.4:by=linear,gaussian=1.5,resize=scale=1.9,box=3",
         "clamp",
         {60, 2001, 3, PIXEL_U16},
         false},
        {"resize=scale=0.9,resize=scale=0.9,resize=scale=0.9,resize=scale=0.9",
         "clamp",
         {30, 3001, 1, PIXEL_U8},
         false},
        {"resize=scale=0.9,resize=scale=0.9,resize=scale=0.9,resize=scale=0.9,resize=scale=0.9",
         "clamp",
         {30, 3001, 1, PIXEL_U8},
         true},
        {"crop=40:500:y=0", "clamp", {60, 1400, 3, PIXEL_U8}, false},
        {"crop=40:501:y=800,gaussian=2", "mirror", {60, 1400, 3, PIXEL_U8}, false},
        {"gaussian=2,crop=40:700:y=700", "clamp", {60, 1400, 4, PIXEL_F32}, false},
        {"crop=0:700:y=701,resize=scale=0.5", "clamp", {60, 1403, 4, PIXEL_U8}, false},
        {"pad=30", "clamp", {60, 700, 4, PIXEL_U8}, false},
        {"resize=200:1001", "clamp", {100, 1000, 1, PIXEL_U16}, false}, /* some phases have weights of more bits */
        {"resize=35:1401:by=box,gaussian=2", "wrap", {60, 1401, 3, PIXEL_U8}, false},
        {"gaussian=2,resize=90:1401:by=nearest", "wrap", {60, 1401, 3, PIXEL_U8}, false},
        {"gaussian=2,resize=90:1401:by=linear", "wrap", {60, 1401, 3, PIXEL_U8}, true},
        {"resize=60:50", "clamp", {60, 1400, 3, PIXEL_U8}, false},
        {"crop=0:1:0:900", "clamp", {60, 1400, 3, PIXEL_U8}, false},
        {"resize=scale=0.013:by=linear,invert", "clamp", {60, 9000, 3, PIXEL_F32}, false},
        {"pad=0:top=300:bottom=5,gaussian=2", "zero", {60, 700, 3, PIXEL_U16}, false},
        {"pad=30:colour=10 200 3,box=5", "mirror", {60, 700, 3, PIXEL_U8}, false},
        {"pad=30,crop=60:700,invert", "constant=40", {60, 700, 4, PIXEL_U8}, false},
        {"pad=30", "mirror", {60, 700, 4, PIXEL_U8}, true}, /* rows beyond the edge may be those of the other one */
        {"pad=30", "wrap", {60, 700, 4, PIXEL_U8}, true},
        {"resize=scale=0.5,equalize", "clamp", {60, 1400, 3, PIXEL_U8}, true},
        {"rotate=90", "clamp", {700, 710, 3, PIXEL_U8}, true},
        {"resize=scale=0.5,flip=vertical", "clamp", {60, 1400, 4, PIXEL_U8}, true},
    };
    for (int linear = 0; linear < 2; linear++) {
        Device *device = open_cpu(1 + 2 * linear);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            PlanOptions options = {.border = {BORDER_CLAMP, 0}, .linear = linear};
            Image *picture = NULL, *want = NULL, *got = NULL;
            REQUIRE(border_parse(cases[i].border, &options.border));
            REQUIRE(image_create(cases[i].shape, &picture));
            view_fill_random(picture->view, 7 + i);
            const size_t height = cases[i].shape.height;
            const char *chain = cases[i].chain;
            filter(device, chain, "best", options, picture->view, SIZE_MAX, IN_MEMORY, &want);
            for (Way way = IN_MEMORY; way <= BY_ROWS; way++) {
                const size_t rows =
                    filter(device, chain, "best", options, picture->view, FRAMES_BYTES << linear, way, &got).rows;
                if ((rows < height) == cases[i].whole)
                    fail_msg("%s: strips of %zu rows", chain, rows);
                check_equal(want->view, got->view, chain);
                image_destroy(&got);
            }
            image_destroy(&picture);
            image_destroy(&want);
        }
        device_close(&device);
    }
}

/* Every height has a last strip that fits. */
static void all_heights_join(void **state) {
    (void)state;
    const PlanOptions options = {.border = {BORDER_MIRROR, 0}};
    Device *device = open_cpu(1);
    for (size_t height = 1; height < 700; height += height < 210 || height > 240 ? 23 : 3) {
        Image *picture = NULL, *want = NULL, *got = NULL;
        assert_int_equal(image_create((Shape){7, height, 1, PIXEL_U8}, &picture), STATUS_OK);
        view_fill_random(picture->view, height);
        filter(device, "box=5", "best", options, picture->view, SIZE_MAX, IN_MEMORY, &want);
        filter(device, "box=5", "best", options, picture->view, 1, IN_MEMORY, &got);
        check_equal(want->view, got->view, "box=5");
        image_destroy(&picture);
        image_destroy(&want);
        image_destroy(&got);
    }
    device_close(&device);
}

/* Sums over the picture come from passes of their own; so do pixels on its other side. */
static void passes_join(void **state) {
    (void)state;
    static const struct {
        const char *chain;
        Shape shape;
        size_t passes;
    } cases[] = {
        {"equalize", {61, 701, 3, PIXEL_U8}, 2},
        {"normalize", {61, 701, 4, PIXEL_U8}, 2},
        {"normalize=by=channel", {60, 1402, 1, PIXEL_U16}, 2},
        {"autolevels", {61, 901, 2, PIXEL_F32}, 2},
        {"autolevels=0:0", {61, 901, 1, PIXEL_F32}, 2},
        {"gaussian=2,otsu", {64, 999, 3, PIXEL_U8}, 2},
        {"whitebalance", {61, 9001, 3, PIXEL_U16}, 2},
        {"whitebalance", {61, 9001, 3, PIXEL_F32}, 2},
        {"tonemap=key=0.18", {61, 901, 3, PIXEL_U8}, 2},
        {"tonemap=filmic:key=0.4,box=3", {61, 1301, 4, PIXEL_U16}, 2},
        {"gaussian=1,tonemap=key=0.18:encode=1", {61, 901, 3, PIXEL_F32}, 2},
        {"gaussian=1.5,normalize,sharpen,equalize,box=3", {61, 1301, 3, PIXEL_U8}, 3},
        {"sobel,gaussian=1.5", {61, 1301, 3, PIXEL_U8}, 1},
        {"median=2,unsharp", {33, 997, 4, PIXEL_U16}, 1},
        {"erode=3,bilateral", {33, 997, 1, PIXEL_F32}, 1},
        {"invert,gaussian=4,gamma=0.5", {33, 997, 3, PIXEL_U8}, 1},
    };
    static const char *const modes[] = {"clamp", "wrap", "mirror", "zero", "constant=0.25"};
    Device *device = open_cpu(2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += check_every(2))
        for (size_t b = i % check_every(5); b < sizeof modes / sizeof *modes; b += check_every(5))
            for (int linear = (int)((i + b) % check_every(2)); linear < 2; linear += (int)check_every(2)) {
                PlanOptions options = {
                    .border = {BORDER_CLAMP, 0}, .linear = linear, .precision = !linear && i % 3 == 1};
                Image *picture = NULL, *want = NULL, *got = NULL;
                REQUIRE(border_parse(modes[b], &options.border));
                REQUIRE(image_create(cases[i].shape, &picture));
                view_fill_random(picture->view, 31 + i);
                filter(device, cases[i].chain, "best", options, picture->view, SIZE_MAX, IN_MEMORY, &want);
                for (Way way = IN_MEMORY; way <= BY_ROWS; way++) {
                    const Strips strips =
                        filter(device, cases[i].chain, "best", options, picture->view, FRAMES_BYTES, way, &got);
                    if (!strips_are_cut(&strips) || strips.passes != cases[i].passes)
                        fail_msg("%s, border %s: strips of %zu rows, %zu passes", cases[i].chain, modes[b], strips.rows,
                                 strips.passes);
                    check_equal(want->view, got->view, cases[i].chain);
                    image_destroy(&got);
                }
                image_destroy(&picture);
                image_destroy(&want);
            }
    device_close(&device);
}

/* A line, there and back across all cuts, that is weak but at its end. */
static void draw_meander(ImageView picture) {
    const size_t width = picture.shape.width, height = picture.shape.height;
    for (size_t x = 0; x < width; x++)
        for (size_t y = 0; y < height; y++) {
            const bool end = y == (x / 12 % 2 ? 3 : height - 4), along = x % 12 == 5 && y >= 3 && y < height - 3;
            const bool strong = x + 20 > width && y > height - 20;
            for (int c = 0; c < picture.shape.channels; c++)
                view_set_value(picture, x, y, c, along || (end && x % 12 != 5 && x > 5) ? (strong ? 200 : 60) : 10);
        }
}

/* Edges are those of the picture, wherever the pixels lie on which they hang. */
static void edges_join(void **state) {
    (void)state;
    static const struct {
        const char *chain, *level, *border;
        Shape shape;
        size_t passes;
        bool noise;
    } cases[] = {
        {"canny=high=2:low=0.3:sigma=0", "best", "clamp", {127, 1501, 1, PIXEL_U8}, 2, false},
        {"canny=high=2:low=0.3:sigma=0", "reference", "mirror", {61, 901, 3, PIXEL_U8}, 2, false},
        {"canny=high=2:low=0.3:sigma=0,gaussian=2", "best", "mirror", {127, 1502, 3, PIXEL_U8}, 2, false},
        {"box=3,canny=high=2:low=0.1:sigma=0,dilate=5,box=7", "best", "zero", {127, 1503, 4, PIXEL_U8}, 2, false},
        {"canny=high=3.5:low=0.1:sigma=0", "best", "clamp", {127, 1504, 1, PIXEL_U8}, 2, true},
        {"canny=high=3.2:low=0.1:sigma=0", "best", "constant=0.5", {127, 1505, 1, PIXEL_F32}, 2, true},
        {"canny", "best", "clamp", {127, 1506, 4, PIXEL_U16}, 2, true},
        {"canny=high=2:low=0.5:sigma=0.5,invert,canny,box=3", "best", "mirror", {127, 1507, 2, PIXEL_U8}, 3, true},
        {"gaussian=1.5,canny=low=0.05:high=0.3,equalize,median=2", "best", "clamp", {61, 3001, 3, PIXEL_U8}, 3, true},
    };
    for (int threads = 1; threads <= 3; threads += 2) {
        Device *device = open_cpu(threads);
        for (size_t i = (size_t)threads / 2; i < sizeof cases / sizeof *cases; i += check_every(2)) {
            const char *chain = cases[i].chain, *level = cases[i].level;
            PlanOptions options = {.border = {BORDER_CLAMP, 0}};
            Image *picture = NULL, *want = NULL, *got = NULL;
            REQUIRE(border_parse(cases[i].border, &options.border));
            REQUIRE(image_create(cases[i].shape, &picture));
            if (cases[i].noise)
                view_fill_random(picture->view, 77 + i);
            else
                draw_meander(picture->view);
            filter(device, chain, level, options, picture->view, SIZE_MAX, IN_MEMORY, &want);
            for (size_t bytes = FRAMES_BYTES; bytes <= 4 * FRAMES_BYTES; bytes *= 2)
                for (Way way = (Way)(i % check_every(2)); way <= BY_ROWS; way += (Way)check_every(2)) {
                    const Strips strips = filter(device, chain, level, options, picture->view, bytes, way, &got);
                    if (!strips_are_cut(&strips) || strips.passes != cases[i].passes)
                        fail_msg("%s: strips of %zu rows, %zu passes", chain, strips.rows, strips.passes);
                    check_equal(want->view, got->view, chain);
                    image_destroy(&got);
                }
            image_destroy(&picture);
            image_destroy(&want);
        }
        device_close(&device);
    }
}

/* Rows are at the place that they have in the picture, and its tiles are those of all of it. Tiles that reach beyond it
 * count its last rows twice, wherever they are cut. */
static void tiles_join(void **state) {
    (void)state;
    static const struct {
        const char *chain, *level;
        Shape shape;
        size_t passes;
    } cases[] = {
        {"clahe", "best", {201, 1501, 3, PIXEL_U8}, 2},
        {"clahe=3:tiles=5", "reference", {333, 2999, 1, PIXEL_U8}, 2},
        {"clahe=0:tiles=20", "best", {20001, 41, 1, PIXEL_U8}, 2}, /* the last tile lies beyond the picture */
        {"clahe=by=channel:tiles=3", "threads", {64, 6007, 4, PIXEL_U8}, 2},
        {"gaussian=2,clahe=tiles=2,sharpen", "best", {64, 6007, 3, PIXEL_U8}, 2},
        {"clahe=tiles=2:by=channel", "best", {99, 4001, 2, PIXEL_U16}, 2},
        {"clahe=tiles=2,clahe=9:tiles=3", "threads", {99, 4001, 3, PIXEL_U16}, 3},
        {"tonemap=key=0.2,clahe=tiles=3", "best", {61, 4003, 3, PIXEL_U8}, 3},
        {"clahe=tiles=3:range=0.7,tonemap=key=0.2,equalize", "best", {61, 4003, 3, PIXEL_F32}, 4},
    };
    const PlanOptions options = {.border = {BORDER_MIRROR, 0}};
    Device *device = open_cpu(3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Image *picture = NULL, *want = NULL, *got = NULL;
        REQUIRE(image_create(cases[i].shape, &picture));
        view_fill_random(picture->view, 57 + i);
        filter(device, cases[i].chain, cases[i].level, options, picture->view, SIZE_MAX, IN_MEMORY, &want);
        for (Way way = IN_MEMORY; way <= BY_ROWS; way++) {
            const Strips strips =
                filter(device, cases[i].chain, cases[i].level, options, picture->view, TILES_BYTES, way, &got);
            if (!strips_are_cut(&strips) || strips.passes != cases[i].passes)
                fail_msg("%s: strips of %zu rows, %zu passes", cases[i].chain, strips.rows, strips.passes);
            check_equal(want->view, got->view, cases[i].chain);
            image_destroy(&got);
        }
        image_destroy(&picture);
        image_destroy(&want);
    }
    device_close(&device);
}

/* Light of any brightness, much of it so near to white that its logarithms have many small bits. */
static void fill_light(ImageView view, bool backwards) {
    Pcg pcg = pcg_seed(5, 0);
    const size_t height = view.shape.height;
    for (size_t row = 0; row < height; row++) {
        float *values = view_row(view, backwards ? height - 1 - row : row);
        for (size_t x = 0; x < view.shape.width; x++) {
            const double random = (double)pcg_next(&pcg) / UINT32_MAX;
            values[x] = (float)(x % 5 == 0 ? 1e37 * random : x % 5 == 1 ? 0 : exp(1e-3 * random));
        }
    }
}

/* Sums of logarithms are the same bits in any order, so that they may be joined. */
static void logarithms_add_up_in_any_order(void **state) {
    (void)state;
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    const Shape shape = {1009, 701, 1, PIXEL_F32};
    Device *device = open_cpu(2);
    Chain *chain = NULL;
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Image *light = NULL;
    Spans spans = {0};
    double sums[2];
    REQUIRE(chain_parse("tonemap=key=0.18", &chain));
    REQUIRE(chain_plan(chain, shape, options, &plan));
    REQUIRE(pipeline_create(device, plan, "best", &pipeline));
    REQUIRE(image_create(shape, &light));
    const Stage *reduce = pipeline_stage(pipeline, pipeline_find_stage(pipeline, &op_reduce));
    for (int backwards = 0; backwards < 2; backwards++) {
        fill_light(light->view, backwards);
        REQUIRE(pipeline_upload(pipeline, PIPELINE_PICTURE, light->view));
        REQUIRE(pipeline_run(pipeline, &spans));
        sums[backwards] = reduction_of(reduce->out, 0).sum;
    }
    assert_true(sums[0] > 1e5);
    assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    image_destroy(&light);
    pipeline_destroy(&pipeline);
    chain_destroy(&chain);
    device_close(&device);
}

/* Has the queue's work stopped once it has given all rows. */
typedef struct StopsAtEnd {
    RowSource source;
    ViewSource view;
    Stop *stop;
    size_t left;
} StopsAtEnd;

static Status read_to_the_end(RowSource *source, ImageView rows) {
    StopsAtEnd *from = (StopsAtEnd *)source;
    TRY(from->view.source.read(&from->view.source, rows));
    from->left -= rows.shape.height;
    if (from->left == 0)
        atomic_store(&from->stop->asked, true);
    return STATUS_OK;
}

/* Rows that are not whole, since copies and levels were stopped, are not handed on. */
static void stopped_rows_are_not_written(void **state) {
    (void)state;
    static const char *const chains[] = {"", "invert", "gaussian=2"};
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    const Shape shape = {60, 1400, 3, PIXEL_U8};
    Device *device = open_cpu(2);
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        Chain *chain = NULL;
        Plan *plan = NULL;
        Pipeline *pipeline = NULL;
        Image *picture = NULL, *got = NULL;
        Stop stop = {0};
        Strips strips;
        Spans spans = {0};
        REQUIRE(chain_parse(chains[i], &chain));
        REQUIRE(strips_plan(chain, shape, options, (StripRoom){FRAMES_BYTES, SIZE_MAX, NULL}, &strips, &plan));
        assert_true(strips_are_cut(&strips));
        REQUIRE(pipeline_create(device, plan, "best", &pipeline));
        REQUIRE(image_create(shape, &picture));
        REQUIRE(image_create(shape, &got));
        StopsAtEnd from = {.stop = &stop, .left = shape.height};
        Rows to = {.sink = {.shape = shape, .write = take_rows}, .view = got->view};
        view_source_init(&from.view, picture->view);
        from.source = (RowSource){.shape = shape, .read = read_to_the_end};
        pipeline_queue(pipeline)->stop = &stop;
        assert_int_equal(strips_run(&strips, pipeline, &from.source, &to.sink, &spans), STATUS_INTERRUPTED);
        assert_true(to.next < shape.height);
        pipeline_destroy(&pipeline);
        chain_destroy(&chain);
        image_destroy(&picture);
        image_destroy(&got);
    }
    device_close(&device);
}

/* Strips keep within their room. If even strips of a few rows are too large for it, the whole is one strip. */
static void room_is_kept(void **state) {
    (void)state;
    static const struct {
        const char *chain;
        StripRoom room;
        size_t least, most; /* rows */
        size_t passes;
    } cases[] = {
        {"gaussian=5,sharpen", {SIZE_MAX, SIZE_MAX, NULL}, 1, 5000, 1},
        {"gaussian=5,sharpen", {1 << 20, SIZE_MAX, NULL}, 1, 24 * 18 + 8, 1}, /* no more is done twice than an eighth */
        {"gaussian=5,sharpen", {1 << 20, 2 << 20, NULL}, 1, 240, 1},          /* unless there is no room */
        {"gaussian=5,sharpen", {100000, 100000, NULL}, 1, 5000, 1},           /* not even for two halos */
        {"equalize,normalize", {4 << 20, 4 << 20, NULL}, 1, 700, 3},
        {"canny", {4 << 20, 4 << 20, NULL}, 1, 700, 2},
        {"clahe", {4 << 20, 4 << 20, NULL}, 1, 700, 2},
        {"clahe,clahe=4:tiles=4", {4 << 20, 4 << 20, NULL}, 1, 700, 3},
        {"clahe,tonemap=key=0.18", {4 << 20, 4 << 20, NULL}, 1, 700, 3},
        {"clahe=tiles=64:by=channel",
         {4 << 20, SIZE_MAX, NULL},
         2000,
         3000,
         2}, /* no strip of a few rows passes 16 MB */
    };
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Chain *chain = NULL;
        Plan *plan = NULL;
        Strips strips;
        FrameMap map;
        REQUIRE(chain_parse(cases[i].chain, &chain));
        REQUIRE(strips_plan(chain, (Shape){1000, 5000, 3, PIXEL_U8}, options, cases[i].room, &strips, &plan));
        REQUIRE(frame_map_create(plan, &map));
        if (strips.rows > cases[i].most || strips.rows < cases[i].least || strips.passes != cases[i].passes ||
            strips_are_cut(&strips) != (cases[i].most < 5000))
            fail_msg("%s within %zu bytes: strips of %zu rows, %zu passes", cases[i].chain, cases[i].room.max,
                     strips.rows, strips.passes);
        if (strips_are_cut(&strips))
            assert_true(frame_map_bytes(&map) <= cases[i].room.max);
        frame_map_free(&map);
        plan_destroy(&plan);
        chain_destroy(&chain);
    }
}

/* A device whose memory holds only strips, with the levels' further memory: the picture is the one of another
 * device. */
static void devices_of_little_memory_do(void **state) {
    (void)state;
    const PlanOptions options = {.border = {BORDER_MIRROR, 0}};
    Device *device = NULL, *cpu = open_cpu(1);
    Chain *chain = NULL;
    Strips strips;
    StripRoom room;
    Pipeline *pipeline = NULL;
    Image *picture = NULL, *want = NULL, *got = NULL;
    REQUIRE(fake_backend.open(0, 1, &device));
    REQUIRE(strips_room(device, 2, &room));
    assert_int_equal(room.max, FAKE_BYTES / 4);
    REQUIRE(image_create((Shape){700, 2001, 3, PIXEL_U8}, &picture));
    view_fill_random(picture->view, 5);
    REQUIRE(chain_parse("box=3,equalize", &chain));
    REQUIRE(strips_open(chain, picture->view.shape, options, device, "best", room, &strips, &pipeline));
    assert_true(strips_are_cut(&strips));
    assert_true(pipeline_bytes(pipeline) <= room.max);
    REQUIRE(image_create(picture->view.shape, &got));
    pass_rows(&strips, pipeline, picture->view, got->view);
    filter(cpu, "box=3,equalize", "reference", options, picture->view, SIZE_MAX, IN_MEMORY, &want);
    check_equal(want->view, got->view, "box=3,equalize");
    pipeline_destroy(&pipeline);
    chain_destroy(&chain);
    image_destroy(&picture);
    image_destroy(&want);
    image_destroy(&got);
    device_close(&device);
    device_close(&cpu);
}

/* Through pieces of a queue's own memory, of whose copies the fake device does none before it must. */
static void whole_pictures_pass_in_pieces(void **state) {
    (void)state;
    static const struct {
        const char *chain;
        Shape shape;
        bool staged;
    } cases[] = {
        {"gaussian=1.5,equalize", {90, 71, 3, PIXEL_U8}, true},
        {"gaussian=1", {90, 7, 3, PIXEL_U8}, true}, /* one piece */
        {"invert", {341, 33, 3, PIXEL_U16}, true},  /* 2046 of 2048 bytes */
        {"invert", {512, 5, 4, PIXEL_U8}, true},
        {"invert", {513, 5, 4, PIXEL_U8}, false}, /* a row is larger than a piece */
        {"rotate=90", {40, 300, 3, PIXEL_U8}, true},
        {"rotate=90", {40, 700, 3, PIXEL_U8}, false}, /* a row of the result is */
        {"resize=13:211", {90, 71, 1, PIXEL_U16}, true},
        {"blend=noise", {60, 50, 3, PIXEL_U8}, true},
        {"", {60, 50, 3, PIXEL_U8}, true},
    };
    const PlanOptions options = {.border = {BORDER_MIRROR, 0}};
    Device *device = NULL, *cpu = open_cpu(1);
    REQUIRE(fake_backend.open(0, 1, &device));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Shape shape = cases[i].shape;
        const Strips strips = {.picture = shape, .rows = shape.height};
        Image *picture = NULL, *want = NULL, *got = NULL;
        REQUIRE(image_create(shape, &picture));
        view_fill_random(picture->view, 7 + (unsigned)i);
        filter(cpu, cases[i].chain, "reference", options, picture->view, SIZE_MAX, IN_MEMORY, &want);
        assert_int_equal(strips_pass_staged(&strips, device->backend, want->view.shape), cases[i].staged);
        assert_false(strips_pass_staged(&strips, cpu->backend, want->view.shape));
        filter(device, cases[i].chain, "best", options, picture->view, SIZE_MAX, BY_ROWS, &got);
        check_equal(want->view, got->view, cases[i].chain);
        image_destroy(&picture);
        image_destroy(&want);
        image_destroy(&got);
    }
    device_close(&device);
    device_close(&cpu);
}

/* A picture of 300 MB through f32 intermediates: its frames take not many times the memory asked for. */
static void frames_stay_small(void **state) {
    (void)state;
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    Chain *chain = NULL;
    Plan *plan = NULL;
    Strips strips;
    FrameMap map;
    assert_int_equal(chain_parse("gaussian=2,sobel,gaussian=2", &chain), STATUS_OK);
    assert_int_equal(strips_plan(chain, (Shape){8000, 10000, 4, PIXEL_U8}, options,
                                 (StripRoom){STRIP_BYTES, SIZE_MAX, NULL}, &strips, &plan),
                     STATUS_OK);
    assert_int_equal(frame_map_create(plan, &map), STATUS_OK);
    assert_true(frame_map_bytes(&map) <= 4 * STRIP_BYTES);
    frame_map_free(&map);
    plan_destroy(&plan);
    chain_destroy(&chain);
}

int main(void) {
    if (backends_register() != STATUS_OK || fake_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(strips_join),
                                       cmocka_unit_test(heights_join),
                                       cmocka_unit_test(all_heights_join),
                                       cmocka_unit_test(passes_join),
                                       cmocka_unit_test(tiles_join),
                                       cmocka_unit_test(edges_join),
                                       cmocka_unit_test(stopped_rows_are_not_written),
                                       cmocka_unit_test(logarithms_add_up_in_any_order),
                                       cmocka_unit_test(room_is_kept),
                                       cmocka_unit_test(devices_of_little_memory_do),
                                       cmocka_unit_test(whole_pictures_pass_in_pieces),
                                       cmocka_unit_test(frames_stay_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
