/* test_thumbnails.c: thumbnails come by themselves, one by one, as large as they may be. */
#include "app/backends.h"
#include "app/view/ui/effects.h"
#include "core/base/timing.h"
#include "core/chain/chain.h"
#include "core/codec/codec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"

#define PATIENCE_MS 20000.0

static void save(const char *path, Shape shape, double value) {
    Image *image;
    Bytes bytes;
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(image->view, x, y, c, value);
    REQUIRE(codec_encode_for(path, image, (SaveOptions){0}, &bytes));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
    bytes_free(&bytes);
    image_destroy(&image);
}

static void rest(void) {
    usleep(2000);
}

/* A file's thumbnail, once it is there or has failed. */
static const Thumbnail *await(Gallery *gallery, const char *path) {
    const double start = clock_ms();
    const Thumbnail *thumbnail = gallery_thumbnail(gallery, path);
    while (thumbnail && !thumbnail->image && !thumbnail->failed && clock_ms() - start < PATIENCE_MS) {
        rest();
        thumbnail = gallery_thumbnail(gallery, path);
    }
    assert_non_null(thumbnail);
    return thumbnail;
}

static int create(void **state) {
    Gallery *gallery;
    REQUIRE(gallery_create(thumbnail_of_file, NULL, &gallery));
    *state = gallery;
    return 0;
}

static int destroy(void **state) {
    Gallery *gallery = *state;
    gallery_destroy(&gallery);
    assert_null(gallery);
    return 0;
}

static void pictures_are_made_smaller(void **state) {
    const struct {
        const char *path;
        Shape shape;
        double value, shown;
        size_t width, height;
    } cases[] = {
        {"wide.png", {720, 100, 3, PIXEL_U8}, 77, 77, 240, 33},
        {"high.png", {100, 640, 1, PIXEL_U16}, 257 * 90, 90, 25, 160},
        {"small.png", {7, 5, 3, PIXEL_U8}, 12, 12, 7, 5},
        {"light.pfm", {480, 320, 3, PIXEL_F32}, 0.5, 188, 240, 160}, /* IEC 61966-2-1 */
        {"clear.png", {10, 10, 4, PIXEL_U8}, 0, 102, 10, 10},        /* over the gray */
    };
    gallery_begin_round(*state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        save(cases[i].path, cases[i].shape, cases[i].value);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Thumbnail *thumbnail = await(*state, cases[i].path);
        assert_non_null(thumbnail->image);
        const ImageView view = thumbnail->image->view;
        assert_int_equal(view.shape.width, cases[i].width);
        assert_int_equal(view.shape.height, cases[i].height);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(view_value(view, view.shape.width / 2, view.shape.height / 2, c) - cases[i].shown) <= 1);
    }
}

static void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static double middle(const Thumbnail *thumbnail, int channel) {
    assert_non_null(thumbnail->image);
    return view_value(thumbnail->image->view, THUMBNAIL_WIDTH / 2, THUMBNAIL_HEIGHT / 2, channel);
}

/* A scene of plain colours, one of light that a lamp a hundred times too bright for the screen lights, and a generator.
 */
static void scenes_are_traced(void **state) {
    put_text("plain.scene", "glint-scene 2\nsphere 500 0 0 300 1 0 0\n");
    put_text("lit.scene", "glint-scene 2\ncamera 0 0 9 0 0 0 0 1 0 40\nsky gradient 100 100 100 100 100 100\n"
                          "sphere 0 0 0 2 0.1 0.8 0.1\n");
    put_text("bad.scene", "glint-scene 2\nsphere 0 0 0\n");
    gallery_begin_round(*state);
    const Thumbnail *plain = await(*state, "plain.scene");
    assert_true(middle(plain, 0) > 100 && middle(plain, 1) < 20 && middle(plain, 2) < 20);
    assert_true(view_value(plain->image->view, 2, 2, 0) < 1);
    const Thumbnail *lit = await(*state, "lit.scene");
    assert_true(middle(lit, 1) > 1.5 * middle(lit, 0) && middle(lit, 1) < 250 && middle(lit, 0) < 200);
    assert_non_null(await(*state, "spheres=count=9")->image);
    const Thumbnail *bad = await(*state, "bad.scene");
    assert_true(bad->failed && strstr(bad->why, "bad.scene:2"));
}

static void what_cannot_be_read_says_why(void **state) {
    gallery_begin_round(*state);
    const Thumbnail *thumbnail = await(*state, "missing.png");
    assert_true(thumbnail->failed && !thumbnail->image);
    assert_non_null(strstr(thumbnail->why, "missing.png"));
}

/* A black picture whose last row is not there: the corner is no longer black. */
static void files_that_end_early_are_marked(void **state) {
    enum { SIDE = 100, HEAD = 15 };
    Gallery *gallery = *state;
    save("cut.ppm", (Shape){SIDE, SIDE, 3, PIXEL_U8}, 0);
    const Thumbnail *thumbnail = await(gallery, "cut.ppm");
    assert_int_equal(view_value(thumbnail->image->view, SIDE - 1, 0, 0), 0);
    gallery_forget(gallery, "cut.ppm");
    assert_int_equal(truncate("cut.ppm", HEAD + 3 * SIDE * (SIDE - 1)), 0);
    thumbnail = await(gallery, "cut.ppm");
    assert_true(view_value(thumbnail->image->view, SIDE - 1, 0, 0) > 200);
    assert_int_equal(view_value(thumbnail->image->view, 0, 0, 0), 0);
    assert_int_equal(view_value(thumbnail->image->view, 0, SIDE - 1, 0), 128);
}

static void forgotten_files_are_read_again(void **state) {
    gallery_begin_round(*state);
    save("other.png", (Shape){8, 8, 3, PIXEL_U8}, 10);
    assert_true(view_value(await(*state, "other.png")->image->view, 0, 0, 0) < 11);
    save("other.png", (Shape){8, 8, 3, PIXEL_U8}, 200);
    assert_true(view_value(await(*state, "other.png")->image->view, 0, 0, 0) < 11);
    gallery_forget(*state, "other.png");
    assert_true(view_value(await(*state, "other.png")->image->view, 0, 0, 0) > 199);
}

/* A file that no round asks for any more is not read; news come once. */
static void rounds_drop_what_is_out_of_sight(void **state) {
    bool news;
    save("one.png", (Shape){8, 8, 3, PIXEL_U8}, 10);
    gallery_begin_round(*state);
    (void)await(*state, "one.png");
    (void)gallery_works(*state, &news);
    assert_true(news);
    assert_false(gallery_works(*state, &news));
    assert_false(news);
    gallery_thumbnail(*state, "never.png");
    gallery_begin_round(*state);
    (void)await(*state, "one.png");
    assert_false(gallery_works(*state, &news));
}

static void there_is_room_for_many(void **state) {
    char path[32];
    gallery_begin_round(*state);
    for (int i = 0; i < 2 * GALLERY_MAX; i++) {
        snprintf(path, sizeof path, "no-%d.png", i);
        assert_non_null(gallery_thumbnail(*state, path));
    }
    save("last.png", (Shape){8, 8, 3, PIXEL_U8}, 10);
    assert_non_null(await(*state, "last.png")->image);
}

/* ---- effects ---- */

static Image *flat(Shape shape, double value) {
    Image *image;
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(image->view, x, y, c, value);
    return image;
}

static const Thumbnail *await_effect(Effects *effects, const char *chain) {
    const double start = clock_ms();
    const Thumbnail *thumbnail = effects_thumbnail(effects, chain);
    while (thumbnail && !thumbnail->image && !thumbnail->failed && clock_ms() - start < PATIENCE_MS) {
        rest();
        thumbnail = effects_thumbnail(effects, chain);
    }
    assert_non_null(thumbnail);
    return thumbnail;
}

static double shown(Effects *effects, const char *chain) {
    const Thumbnail *thumbnail = await_effect(effects, chain);
    if (!thumbnail->image)
        fail_msg("%s: %s", chain, thumbnail->why);
    return view_value(thumbnail->image->view, 3, 2, 1);
}

/* A black border of a constant darkens the blurred corner; another picture has other thumbnails. */
static void effects_are_of_the_picture(void **state) {
    Effects *effects;
    const PlanOptions clamp = {.border = {BORDER_CLAMP, 0}}, black = {.border = {BORDER_CONSTANT, 0}};
    Image *gray = flat((Shape){480, 320, 3, PIXEL_U8}, 60), *bright = flat((Shape){16, 12, 1, PIXEL_U16}, 257 * 200);
    (void)state;
    REQUIRE(effects_create(&effects));
    effects_begin_round(effects, gray, 1, clamp);
    assert_true(fabs(shown(effects, "") - 60) < 0.5);
    assert_true(fabs(shown(effects, "invert") - 195) < 0.5);
    assert_true(fabs(shown(effects, "gaussian=4") - 60) < 0.5);
    assert_int_equal(await_effect(effects, "invert")->image->view.shape.width, THUMBNAIL_WIDTH);
    assert_int_equal(await_effect(effects, "crop=120:80")->image->view.shape.width, 120);
    effects_begin_round(effects, gray, 1, black);
    assert_true(shown(effects, "gaussian=4") < 50);
    effects_begin_round(effects, bright, 2, black);
    image_destroy(&bright); /* it is theirs, too */
    assert_true(fabs(shown(effects, "invert") - 55) < 0.5);
    const Thumbnail *none = await_effect(effects, "blend=missing.png");
    assert_true(none->failed);
    assert_non_null(strstr(none->why, "missing.png"));
    effects_destroy(&effects);
    image_destroy(&gray);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pictures_are_made_smaller, create, destroy),
        cmocka_unit_test_setup_teardown(scenes_are_traced, create, destroy),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_says_why, create, destroy),
        cmocka_unit_test_setup_teardown(files_that_end_early_are_marked, create, destroy),
        cmocka_unit_test_setup_teardown(forgotten_files_are_read_again, create, destroy),
        cmocka_unit_test_setup_teardown(rounds_drop_what_is_out_of_sight, create, destroy),
        cmocka_unit_test_setup_teardown(there_is_room_for_many, create, destroy),
        cmocka_unit_test(effects_are_of_the_picture),
    };
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
