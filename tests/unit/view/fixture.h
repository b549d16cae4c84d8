/* fixture.h: a viewer without a window, and a folder with pictures, for all tests of the viewer (test_viewer_*.c). */
#ifndef GLINT_TESTS_UNIT_VIEW_FIXTURE_H
#define GLINT_TESTS_UNIT_VIEW_FIXTURE_H

#include "app/view/session/viewer.h"
#include "core/codec/codec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

enum { WIDTH = 61, HEIGHT = 47 };

/* As another program writes it: a file that the viewer reads may change. */
static inline void write_bytes(const char *path, Bytes bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
}

static inline void write_image(const char *path, const Image *image) {
    Bytes bytes;
    assert_int_equal(codec_encode_for(path, image, (SaveOptions){0}, &bytes), STATUS_OK);
    write_bytes(path, bytes);
    bytes_free(&bytes);
}

static inline void save_random(const char *path, size_t width, size_t height, unsigned long seed) {
    Image *image;
    assert_int_equal(image_create((Shape){width, height, 3, PIXEL_U8}, &image), STATUS_OK);
    view_fill_random(image->view, seed);
    write_image(path, image);
    image_destroy(&image);
}

static inline void write_text(const char *path, const char *text) {
    write_bytes(path, (Bytes){(unsigned char *)(uintptr_t)text, strlen(text)});
}

/* The words with the working folder in them, which is no home folder here. */
static inline const char *with_folder(const char *words) {
    static char text[PATH_CAPACITY + 128];
    char folder[PATH_CAPACITY];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(text, sizeof text, words, folder);
    return text;
}

static inline Viewer *make_viewer_with(const char *chain, const char *level, PlanOptions options) {
    Device *device;
    Viewer *viewer;
    const char *passed_over;
    assert_int_equal(backend_open("cpu", 0, 1, &device, &passed_over), STATUS_OK);
    assert_int_equal(viewer_create(device, 0, chain, level, options, &viewer), STATUS_OK);
    viewer_resize(viewer, 640, 480);
    return viewer;
}

static inline Viewer *make_viewer(const char *chain, const char *level) {
    return make_viewer_with(chain, level, (PlanOptions){.border = {BORDER_CLAMP, 0}});
}

/* A viewer with one.png open; the folder of the tests has two.png and a damaged bad.png as well. */
static inline int open_viewer(void **state) {
    Viewer *viewer = make_viewer("gaussian=1", "best");
    assert_int_equal(viewer_open(viewer, "one.png"), STATUS_OK);
    *state = viewer;
    return 0;
}

static inline int close_viewer(void **state) {
    Viewer *viewer = *state;
    viewer_destroy(&viewer);
    assert_null(viewer);
    return 0;
}

static inline bool near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

static inline void result_is_what_a_pipeline_of_its_own_makes(void **state) {
    Viewer *viewer = *state;
    Plan *plan;
    Pipeline *pipeline;
    Image *want;
    Spans spans = {0};
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(
        chain_plan(viewer->request->chain, viewer_picture(viewer)->view.shape, viewer->request->options, &plan),
        STATUS_OK);
    assert_int_equal(pipeline_create(viewer->session->device, plan, "best", &pipeline), STATUS_OK);
    assert_int_equal(image_create(viewer_picture(viewer)->view.shape, &want), STATUS_OK);
    assert_int_equal(pipeline_process(pipeline, viewer_picture(viewer)->view, want->view, &spans), STATUS_OK);
    assert_memory_equal(want->view.pixels, viewer->session->result->view.pixels, shape_bytes(want->view.shape));
    image_destroy(&want);
    pipeline_destroy(&pipeline);
}

static inline bool shows(const Viewer *viewer, const Image *image) {
    return memcmp(viewer->session->result->view.pixels, image->view.pixels, shape_bytes(image->view.shape)) == 0;
}

/* The tests run in a folder of their own with pictures that they make. */
static inline int make_folder(void **state) {
    static char folder[] = "test_viewer.XXXXXX";
    *state = folder;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    save_random("one.png", WIDTH, HEIGHT, 1);
    save_random("two.png", 9, 8, 2);
    write_text("bad.png", "\x89PNG\r\n\x1a\nand no more");
    return system("mkdir empty");
}

static inline int remove_folder(void **state) {
    static const char *const names[] = {"one.png", "two.png", "bad.png", "script.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(names[i]);
    return rmdir("empty") != 0 || chdir("..") != 0 || rmdir(*state) != 0;
}

#define WITH_VIEWER(test) cmocka_unit_test_setup_teardown(test, open_viewer, close_viewer)

#endif
