/* test_verify.c: the findings of verification: levels that are wrong, that write where they must not, that fail. */
#include "app/backends.h"
#include "core/ops/convolve.h"
#include "core/run/verify.h"

#include <string.h>

#include "tests/check.h"

static Status right(Queue *queue, const Stage *stage) {
    return level_reference(&op_convolve)->run(queue, stage);
}

/* One tap of the mask is off. */
static Status wrong(Queue *queue, const Stage *stage) {
    ConvolveJob job = *convolve_job(stage);
    Stage changed = *stage;
    TRY(mask_clone(convolve_job(stage)->mask, &job.mask));
    job.mask->weights[1] += 0.25F;
    changed.job = &job;
    const Status status = right(queue, &changed);
    op_job_free(&op_convolve, &job);
    return status;
}

static Status beyond(Queue *queue, const Stage *stage) {
    TRY(right(queue, stage));
    ((unsigned char *)view_row(stage->out, stage->out.shape.height - 1))[shape_row_bytes(stage->out.shape)] ^= 1;
    return STATUS_OK;
}

static Status above(Queue *queue, const Stage *stage) {
    TRY(right(queue, stage));
    ((unsigned char *)view_row(stage->out, 0))[-(ptrdiff_t)stage->out.stride] ^= 1;
    return STATUS_OK;
}

static Status broken(Queue *queue, const Stage *stage) {
    (void)queue, (void)stage;
    return (fail)(STATUS_DEVICE, "broken"); /* cmocka has a macro of that name */
}

static void verification_finds_what_is_wrong(void **state) {
    (void)state;
    const struct {
        Status (*run)(Queue *queue, const Stage *stage);
        Status status;
        bool agrees;
        const char *says;
    } rows[] = {{right, STATUS_OK, true, ""},
                {wrong, STATUS_OK, false, ""},
                {beyond, STATUS_DEVICE, false, "outside its frame, in row 8"},
                {above, STATUS_DEVICE, false, "outside its frame, in row -1"},
                {broken, STATUS_DEVICE, false, "broken"}};
    Device *device = NULL;
    Queue *queue = NULL;
    ConvolveJob job = {.border = {BORDER_CLAMP, 0}};
    const Shape shape = {13, 9, 3, PIXEL_U8};
    Verification verification;
    assert_int_equal(backend_by_name("cpu")->open(0, 1, &device), STATUS_OK);
    assert_int_equal(queue_open(device, &queue), STATUS_OK);
    assert_int_equal(mask_box(3, 3, &job.mask), STATUS_OK);
    const Stage stage = {.op = &op_convolve, .in = {{.shape = shape}}, .out = {.shape = shape}, .job = &job};
    assert_int_equal(verify_begin(queue, &stage, VERIFY_NOISE, &verification), STATUS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Level level = *level_reference(&op_convolve);
        Verdict verdict = {0};
        char text[200];
        level.name = "tried";
        level.run = rows[i].run;
        assert_int_equal(verify_level(&verification, queue, &level, &verdict), rows[i].status);
        assert_int_equal(verdict.agrees, rows[i].agrees);
        assert_non_null(strstr(status_message(), rows[i].says));
        verify_describe(&stage, &level, "cpu", text, sizeof text);
        assert_string_equal(text, "cpu/convolve/tried 13x9 u8x3 -> u8, 3x3, border clamp");
    }
    verify_end(&verification);
    op_job_free(&op_convolve, &job);
    queue_close(&queue);
    device_close(&device);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(verification_finds_what_is_wrong)};
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
