/* test_snapshot.c: the values that the window shows stay as they are while a worker goes on with the session. */
#include "app/backends.h"
#include "app/view/data/shared.h"
#include "app/view/session/snapshot.h"

#include "tests/unit/view/fixture.h"

static void blocks_are_copied_before_a_change(void **state) {
    (void)state;
    char *first = shared_create(8);
    assert_non_null(first);
    assert_memory_equal(first, "\0\0\0\0\0\0\0\0", 8);
    assert_ptr_equal(shared_own(first, 8), first); /* nobody else looks */
    memcpy(first, "abcdefg", 8);
    assert_ptr_equal(shared_retain(first), first);
    char *second = shared_own(first, 3);
    assert_ptr_not_equal(second, first);
    assert_memory_equal(second, "abc", 3);
    memcpy(second, "xyzxyzx", 8);
    assert_string_equal(first, "abcdefg");
    assert_ptr_equal(shared_own(first, 8), first); /* each has one owner again */
    assert_ptr_equal(shared_own(second, 8), second);
    shared_release(first);
    shared_release(second);
    shared_release(NULL);
}

static void spans_stay_as_they_were(void **state) {
    Viewer *viewer = *state;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    const size_t count = viewer->session->span_count;
    const char *name = viewer->session->spans[0].name;
    assert_true(count > 0);
    Session *lent = viewer_lend(viewer);
    const Session *shown = viewer->session;
    const double at = shown->spans[0].at;
    session_clear_spans(lent);
    session_record_span(lent, "elsewhere", 5, true);
    session_record_span(lent, name, 7, true);
    assert_int_equal(shown->span_count, count);
    assert_string_equal(shown->spans[0].name, name);
    assert_true(near(shown->spans[0].at, at));
    assert_null(viewer_span(viewer, "elsewhere"));
    viewer_take_back(viewer);
    assert_ptr_equal(viewer->session, lent);
    assert_non_null(viewer_span(viewer, "elsewhere"));
}

/* The worker makes a new image for another picture's result. The window draws the one before meanwhile. */
static void pixels_stay_as_they_were(void **state) {
    Viewer *viewer = *state;
    Image *want;
    assert_int_equal(viewer_run(viewer), STATUS_OK);
    assert_int_equal(viewer_fetch(viewer), STATUS_OK);
    assert_int_equal(image_clone(viewer->session->result->view, &want), STATUS_OK);
    assert_int_equal(viewer_open(viewer, "two.png"), STATUS_OK);
    Session *lent = viewer_lend(viewer);
    const Session *shown = viewer->session;
    const Image *result = shown->result;
    lent->wishes.through_host = true;
    assert_int_equal(session_run(lent), STATUS_OK);
    assert_ptr_not_equal(lent->result, result);
    assert_ptr_equal(shown->result, result);
    assert_memory_equal(shown->result->view.pixels, want->view.pixels, shape_bytes(want->view.shape));
    viewer_take_back(viewer);
    assert_int_equal(viewer->session->result->view.shape.width, 9); /* two.png's */
    image_destroy(&want);
}

/* The request of a snapshot outlives one that takes its place. */
static void a_snapshot_keeps_its_request(void **state) {
    Viewer *viewer = *state;
    Session snapshot;
    snapshot_take(viewer->session, &snapshot);
    assert_int_equal(viewer_set_chain(viewer, "gaussian=4", FALLBACK_NONE), STATUS_OK);
    assert_int_equal(viewer_set_chain(viewer, "invert", FALLBACK_NONE), STATUS_OK);
    assert_string_equal(snapshot.request->chain->links[0].filter->name, "gaussian");
    assert_string_equal(snapshot.chain->links[0].filter->name, "gaussian");
    assert_string_equal(viewer->session->chain->links[0].filter->name, "invert");
    snapshot_drop(&snapshot);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_copied_before_a_change),
        WITH_VIEWER(spans_stay_as_they_were),
        WITH_VIEWER(pixels_stay_as_they_were),
        WITH_VIEWER(a_snapshot_keeps_its_request),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
