/* test_viewer_previews.c: small pictures of what a change would make. */
#include "app/backends.h"
#include "app/view/session/preview.h"

#include "tests/unit/view/fixture.h"

static void chains_are_reduced(void **state) {
    (void)state;
    static const struct {
        const char *chain, *reduced; /* NULL: it cannot be */
    } rows[] = {
        {"gaussian=8:radius=24,box=31,invert", "gaussian=2:6,box=7,invert"},
        {"median=8,crop=100:50:10", "median=2,crop=25:12:2"},
        {"crop=66:64:13:12:percent,median=8", "crop=66:64:13:12:percent,median=2"},
        {"kuwahara=3", "kuwahara=1"},                  /* the smallest */
        {"bilateral=9,invert", "~bilateral=9,invert"}, /* which follows noise that is not there */
        {"denoise,rendernoise,nlmeans,sharpen,unsharp,sepia", "~denoise,~rendernoise,~nlmeans,~sharpen,~unsharp,sepia"},
        {"denoise", NULL}, /* nothing is left */
        {"~invert,sharpen", NULL},
        {"rotate=30,sobel,levels=0.1", "rotate=30,sobel,levels=0.1"},
        {"gaussian=8:within=40x44+8+80", "gaussian=within=10x11+2+20"},
        {"~convolve=0 -1 0 -1 5 -1 0 -1 0,dilate=4", "~convolve=0 -1 0 -1 5 -1 0 -1 0,dilate"},
        {"convolve=0 -1 0 -1 5 -1 0 -1 0", NULL},
        {"blend=other.png", NULL},
        {"blend=opacity=50", "blend=opacity=50"},
        {"gaussian=8:within=40%x44%+8%+80%", "gaussian=within=40%x44%+8%+80%"},
        {"invert,gaussian=8:within=mask.png", "invert,gaussian=within=mask.png"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Chain *chain, *want, *reduced;
        char text[256], wanted[256];
        if (chain_parse(rows[i].chain, &chain) != STATUS_OK)
            fail_msg("%s", status_message());
        assert_int_equal(preview_chain(chain, 0.25, &reduced), STATUS_OK);
        if (!rows[i].reduced && reduced)
            fail_msg("%s was reduced", rows[i].chain);
        if (rows[i].reduced) {
            if (chain_parse(rows[i].reduced, &want) != STATUS_OK)
                fail_msg("%s", status_message());
            chain_format(want, wanted, sizeof wanted);
            assert_non_null(reduced);
            chain_format(reduced, text, sizeof text);
            assert_string_equal(text, wanted);
            chain_destroy(&want);
            chain_destroy(&reduced);
        }
        chain_destroy(&chain);
    }
}

/* A preview is the result of the chain, reduced, for a picture that resize has reduced; it stands until there is a
 * result. */
static void a_preview_stands_for_a_result(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    viewer_zoom(viewer, 1e3, 0, 0); /* it is half as large at most */
    assert_true(preview_due(viewer->session));
    assert_null(preview_shown(viewer->session));
    assert_int_equal(preview_make(viewer->session, viewer_viewport(viewer).scale), STATUS_OK);
    const Preview *preview = preview_shown(viewer->session);
    assert_non_null(preview);
    assert_false(preview_due(viewer->session));
    assert_true(near(preview->scale, 0.5));
    assert_int_equal(preview->result.width, WIDTH);
    char words[96];
    viewer_describe(viewer, false, words, sizeof words);
    assert_string_equal(words, "preview");
    viewer->unfiltered = true; /* while Space is held */
    viewer_describe(viewer, false, words, sizeof words);
    assert_string_equal(words, "original");
    viewer->unfiltered = false;
    Image *shown = image_retain(preview->image);
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_null(preview_shown(viewer->session));
    assert_false(preview_due(viewer->session));
    assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK); /* the same job, whose result is there */
    assert_false(preview_due(viewer->session));
    assert_int_equal(viewer_set_chain(viewer, "resize=scale=0.5:by=box,invert", FALLBACK_BEST), STATUS_OK);
    assert_true(preview_due(viewer->session));
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    const ImageView want = viewer->session->result->view;
    assert_true(shape_equal(shown->view.shape, want.shape));
    for (size_t y = 0; y < want.shape.height; y++)
        assert_memory_equal(view_row(shown->view, y), view_row(want, y), shape_row_bytes(want.shape));
    image_destroy(&shown);
    assert_int_equal(viewer_set_chain(viewer, "convolve=0 -1 0 -1 5 -1 0 -1 0", FALLBACK_BEST), STATUS_OK);
    assert_int_equal(preview_make(viewer->session, viewer_viewport(viewer).scale), STATUS_OK);
    assert_null(preview_shown(viewer->session)); /* there is none */
    assert_false(preview_due(viewer->session));
}

/* Wherever a crop stands, and in which unit: a preview in the result's proportions, and an estimate, by which the
 * window announces a long run. */
static void crops_have_previews_and_estimates(void **state) {
    Viewer *viewer = *state;
    static const char *const chains[] = {"crop=40:30:8:6,invert", "invert,crop=40:30:8:6",
                                         "crop=66:64:13:12:percent,invert", "rotate=10:inside,crop=20:20:4:4,invert"};
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        assert_int_equal(viewer_set_chain(viewer, "", FALLBACK_BEST), STATUS_OK);
        assert_int_equal(viewer_set_chain(viewer, chains[i], FALLBACK_BEST), STATUS_OK);
        assert_int_equal(viewer_set_level(viewer, "reference"), STATUS_OK);
        assert_true(session_expected_ms(viewer->session) > 0);
        assert_true(preview_due(viewer->session));
        assert_int_equal(preview_make(viewer->session, 0.5), STATUS_OK);
        const Preview *preview = preview_shown(viewer->session);
        assert_non_null(preview);
        if (!preview)
            return;
        const Shape result = viewer_shown_shape(viewer), small = preview->image->view.shape;
        assert_true(shape_equal(preview->result, result));
        assert_true(fabs((double)small.width - (double)result.width / 2) <= 1);
        assert_true(fabs((double)small.height - (double)result.height / 2) <= 1);
        assert_int_equal(viewer_set_level(viewer, "best"), STATUS_OK);
    }
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_reduced),
        WITH_VIEWER(a_preview_stands_for_a_result),
        WITH_VIEWER(crops_have_previews_and_estimates),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
