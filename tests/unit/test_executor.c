/* test_executor.c: pictures through codecs and devices. All come out, right, once, and one that fails loses only
 * itself. After a while nothing is allocated, and memory stays within its bounds. On the cpu, and on two fake
 * devices. */
#include "app/backends.h"
#include "app/batch/executor.h"
#include "core/codec/formats.h"
#include "tests/levels/fake.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "tests/check.h"

enum { PICTURES_MAX = 2000, SHAPES = 7, NEVER = PICTURES_MAX };

static size_t pictures(void) {
    return PICTURES_MAX / check_every(5);
}

/* A run of the executor, and how its pictures behave. */
typedef struct Run {
    size_t count, fails_at[5]; /* the picture that fails to open, decode, encode, commit; is settled at once */
    size_t stops_at;
    bool drops;
    Shape odd;                /* the shape of one picture, or 0 */
    size_t expected;          /* value of every pixel of a result, less that of the picture */
    const DeviceCodec *codec; /* NULL: the fake device's */
    bool codec_or_none;
    int spared; /* codec threads */
    atomic_size_t opened, done[6], wrong, bytes, bytes_max, commits;
    atomic_bool seen[PICTURES_MAX];
} Run;

typedef struct Item {
    Work work;
    int at; /* the last task */
    bool passed;
} Item;

enum { OPENS, DECODES, ENCODES, COMMITS, SETTLES };

static Run run_of(size_t count) {
    return (Run){.count = count, .fails_at = {NEVER, NEVER, NEVER, NEVER, NEVER}, .stops_at = NEVER};
}

static Shape shape_at(const Run *run, size_t number) {
    if (run->odd.width > 0 && number == run->count / 2)
        return run->odd;
    const size_t k = number % SHAPES;
    return (Shape){40 + 7 * k, 60 - 5 * k, k % 2 ? 3 : 4, PIXEL_U8};
}

static unsigned char value_at(size_t number) {
    return (unsigned char)(number * 37 % 200);
}

static Status maybe_fail(const Run *run, Work *work, int task) {
    ((Item *)work)->at = task;
    return work->number == run->fails_at[task] ? (fail)(STATUS_INPUT, "picture %zu: on purpose", work->number)
                                               : STATUS_OK;
}

static Status open_item(void *context, Work *work, Opened *opened) {
    Run *run = context;
    *opened =
        work->number < run->count ? work->number == run->fails_at[SETTLES] ? OPENED_SETTLED : OPENED_WORK : OPENED_END;
    if (*opened == OPENED_END)
        return STATUS_OK;
    atomic_fetch_add(&run->opened, 1);
    work->name = "a picture";
    work->shape = shape_at(run, work->number);
    work->decoding = shape_bytes(work->shape);
    return maybe_fail(run, work, OPENS);
}

static Status decode_item(void *context, Work *work, size_t max) {
    Run *run = context;
    TRY(maybe_fail(run, work, DECODES));
    if (max < work->decoding)
        atomic_fetch_add(&run->wrong, 1);
    if (work->number == run->stops_at)
        executor_stop(work, run->drops);
    TRY(image_create_unfilled(work->shape, &work->image));
    memset(work->image->view.pixels, value_at(work->number), shape_bytes(work->shape));
    return STATUS_OK;
}

static Status encode_item(void *context, Work *work) {
    Run *run = context;
    const ImageView view = work->image->view;
    TRY(maybe_fail(run, work, ENCODES));
    const unsigned char want = (unsigned char)(255 - value_at(work->number)), *pixels = view.pixels;
    bool right = shape_equal(view.shape, shape_at(run, work->number));
    for (size_t i = 0; i < shape_bytes(view.shape) && right; i++)
        right = pixels[i] == (view.shape.channels == 4 && i % 4 == 3 ? value_at(work->number) : want);
    if (!right)
        atomic_fetch_add(&run->wrong, 1);
    return STATUS_OK;
}

static Status commit_item(void *context, Work *work) {
    Run *run = context;
    if (work->image)
        atomic_fetch_add(&run->wrong, 1);
    atomic_fetch_add(&run->commits, 1);
    return maybe_fail(run, work, COMMITS);
}

enum { DONE, FAILED, DROPPED };

static void item_done(void *context, Work *work, Status status) {
    Run *run = context;
    if (atomic_exchange(&run->seen[work->number], true) ||
        (status == STATUS_INPUT && !strstr(status_message(), "on purpose") && !strstr(status_message(), "a picture: ")))
        atomic_fetch_add(&run->wrong, 1);
    atomic_fetch_add(&run->done[status == STATUS_OK ? DONE : status == STATUS_INTERRUPTED ? DROPPED : FAILED], 1);
}

static const ExecutorTasks tasks = {.work_bytes = sizeof(Item),
                                    .open = open_item,
                                    .decode = decode_item,
                                    .encode = encode_item,
                                    .commit = commit_item,
                                    .done = item_done};

/* ---- pictures that a device decodes and encodes ---- */

/* Gray ones the fake device does not decode, narrow ones it does not encode; every fourth one is to be turned. */
static Shape encoded_shape(size_t number) {
    return (Shape){number % 5 == 1 ? FAKE_ENCODES - 6 : 48, 40 - number % 3, number % 7 == 2 ? 1 : 3, PIXEL_U8};
}

static bool is_turned(size_t number) {
    return number % 4 == 3;
}

static Status open_encoded(void *context, Work *work, Opened *opened) {
    TRY(open_item(context, work, opened));
    const Shape shape = encoded_shape(work->number);
    work->shape = is_turned(work->number) ? (Shape){shape.height, shape.width, shape.channels, shape.type} : shape;
    work->decoding = 4 * shape_bytes(shape);
    work->wishes = WISH_DEVICE_DECODE | WISH_DEVICE_ENCODE;
    return STATUS_OK;
}

/* The left half is darker than the right one. */
static Status paint(Shape shape, size_t number, Image **image) {
    TRY(image_create_unfilled(shape, image));
    unsigned char *pixels = (*image)->view.pixels;
    for (size_t i = 0; i < shape_bytes(shape); i++)
        pixels[i] =
            (unsigned char)(value_at(number) + (i % shape_row_bytes(shape) * 2 < shape_row_bytes(shape) ? 0 : 40));
    return STATUS_OK;
}

static Status decode_encoded(void *context, Work *work, size_t max) {
    Image *image = NULL;
    (void)context;
    (void)max;
    const Shape shape = encoded_shape(work->number);
    TRY(paint(shape, work->number, &image));
    const Status status = codec_encode(format_by_name("jpg"), image, save_with("quality", 100), &work->encoded.bytes);
    image_destroy(&image);
    TRY(status);
    work->encoded.shape = shape;
    work->encoded.orientation = is_turned(work->number) ? 6 : 1;
    return image_create_about(work->shape, &work->image);
}

static Status unpack_encoded(void *context, Work *work) {
    (void)context;
    image_destroy(&work->image);
    TRY(codec_decode(work->encoded.bytes, &work->image));
    return image_orient(&work->image, work->encoded.orientation);
}

/* Orientation 6: the left side becomes the top. */
static Status check_encoded(void *context, Work *work) {
    Run *run = context;
    Image *image = NULL;
    const bool there = work->encoded.bytes.data != NULL;
    if (there)
        TRY(codec_decode(work->encoded.bytes, &image));
    const ImageView view = there ? image->view : work->image->view;
    const double dark = 255 - value_at(work->number);
    const size_t right = view.shape.width - 1, bottom = view.shape.height - 1;
    const size_t x = is_turned(work->number) ? 0 : right, y = is_turned(work->number) ? bottom : 0;
    const bool good = shape_equal(work->image->view.shape, work->shape) && shape_equal(view.shape, work->shape) &&
                      fabs(view_value(view, 0, 0, 0) - dark) < 4 && fabs(view_value(view, x, y, 0) - dark + 40) < 4 &&
                      (run->drops || there == (work->shape.width >= FAKE_ENCODES));
    if (!good)
        atomic_fetch_add(&run->wrong, 1);
    image_destroy(&image);
    return STATUS_OK;
}

static const ExecutorTasks encoded_tasks = {.work_bytes = sizeof(Item),
                                            .open = open_encoded,
                                            .decode = decode_encoded,
                                            .unpack = unpack_encoded,
                                            .encode = check_encoded,
                                            .commit = commit_item,
                                            .done = item_done};

/* ---- pictures that go straight ---- */

typedef struct Rows {
    union {
        RowSource source;
        RowSink sink;
    } end; /* first, so that it is ours */
    Run *run;
    Work *work;
    size_t next;
} Rows;

static Status open_straight(void *context, Work *work, Opened *opened) {
    TRY(open_item(context, work, opened));
    work->wishes = WISH_ROWS;
    work->by_rows = 1000;
    return STATUS_OK;
}

static Status read_straight(RowSource *source, ImageView rows) {
    Rows *from = (Rows *)source;
    if (from->next <= 20 && from->next + rows.shape.height > 20) /* in the middle of it */
        TRY(maybe_fail(from->run, from->work, DECODES));
    for (size_t y = 0; y < rows.shape.height; y++)
        memset(view_row(rows, y), value_at(from->work->number) + (int)(from->next++ % 2), shape_row_bytes(rows.shape));
    return STATUS_OK;
}

static Status write_straight(RowSink *sink, ImageView rows) {
    Rows *to = (Rows *)sink;
    for (size_t y = 0; y < rows.shape.height; y++, to->next++) {
        const unsigned char value = (unsigned char)(value_at(to->work->number) + to->next % 2),
                            *row = view_row(rows, y);
        for (size_t i = 0; i < shape_row_bytes(rows.shape); i++)
            if (row[i] != (rows.shape.channels == 4 && i % 4 == 3 ? value : 255 - value))
                atomic_fetch_add(&to->run->wrong, 1);
    }
    return maybe_fail(to->run, to->work, ENCODES);
}

static Status finish_straight(RowSink *sink) {
    const Rows *to = (const Rows *)sink;
    if (to->next != shape_at(to->run, to->work->number).height)
        atomic_fetch_add(&to->run->wrong, 1);
    return STATUS_OK;
}

static void close_source(RowSource *source) {
    free(source);
}

static void close_sink(RowSink *sink) {
    free(sink);
}

static Rows *rows_of(void *context, Work *work) {
    Rows *rows = calloc(1, sizeof *rows);
    assert_non_null(rows);
    rows->run = context;
    rows->work = work;
    return rows;
}

static Status open_source(void *context, Work *work, RowSource **from) {
    Rows *rows = rows_of(context, work);
    rows->end.source = (RowSource){.shape = work->shape, .read = read_straight, .close = close_source};
    *from = &rows->end.source;
    return image_create_about(work->shape, &work->image);
}

static Status open_sink(void *context, Work *work, RowSink **to) {
    Rows *rows = rows_of(context, work);
    rows->end.sink = (RowSink){
        .shape = work->image->view.shape, .write = write_straight, .finish = finish_straight, .close = close_sink};
    *to = &rows->end.sink;
    return STATUS_OK;
}

static void pass_straight(void *context, Work *work) {
    (void)context;
    ((Item *)work)->passed = true;
}

static Status commit_straight(void *context, Work *work) {
    Run *run = context;
    if (!((const Item *)work)->passed)
        atomic_fetch_add(&run->wrong, 1);
    return commit_item(context, work);
}

static const ExecutorTasks straight_tasks = {.work_bytes = sizeof(Item),
                                             .open = open_straight,
                                             .open_source = open_source,
                                             .open_sink = open_sink,
                                             .passed = pass_straight,
                                             .commit = commit_straight,
                                             .done = item_done};

/* `run.drops` then says that calls fail, so that anything may be encoded by the host. */
static Status try_tasks(const ExecutorTasks *tasks_here, const char *backend, int devices, int queues, int codecs,
                        size_t memory, Run *run, Busy *busy);

static Status try_on(const char *backend, int devices, int queues, int codecs, size_t memory, Run *run, Busy *busy) {
    return try_tasks(&tasks, backend, devices, queues, codecs, memory, run, busy);
}

static Status try_tasks(const ExecutorTasks *tasks_here, const char *backend, int devices, int queues, int codecs,
                        size_t memory, Run *run, Busy *busy) {
    static const char *const names[] = {"one", "two"};
    Device *opened[2] = {NULL, NULL};
    Chain *chain = NULL;
    for (int i = 0; i < devices; i++)
        REQUIRE(backend_by_name(backend)->open(i, 1, &opened[i]));
    REQUIRE(chain_open("invert", &chain));
    const ExecutorOptions options = {.tasks = tasks_here,
                                     .context = run,
                                     .chain = chain,
                                     .plan = {.border = {BORDER_CLAMP, 0}},
                                     .level = "best",
                                     .devices = opened,
                                     .names = names,
                                     .device_count = devices,
                                     .queues = queues,
                                     .shares = queues,
                                     .codec = tasks_here != &encoded_tasks ? NULL
                                              : run->codec                 ? run->codec
                                                                           : &fake_codec,
                                     .codec_or_none = run->codec_or_none,
                                     .save = save_with("quality", 100),
                                     .codecs = codecs,
                                     .spared = run->spared,
                                     .committers = 3,
                                     .memory = memory};
    const Status status = executor_run(&options, busy);
    chain_destroy(&chain);
    for (int i = 0; i < devices; i++)
        device_close(&opened[i]);
    assert_int_equal(run->wrong, 0);
    return status;
}

static Busy run_on(const char *backend, int devices, int queues, int codecs, size_t memory, Run *run) {
    Busy busy;
    REQUIRE(try_on(backend, devices, queues, codecs, memory, run, &busy));
    return busy;
}

static const struct {
    const char *backend;
    int devices, queues;
} places[] = {{"cpu", 1, 2}, {"fake", 1, 2}, {"fake", 2, 2}};

#define EACH_PLACE for (size_t p = 0; p < sizeof places / sizeof *places; p++)

static void all_come_out_once_and_right(void **state) {
    (void)state;
    EACH_PLACE {
        Run run = run_of(pictures());
        const Busy busy = run_on(places[p].backend, places[p].devices, places[p].queues, 3, 64 << 20, &run);
        assert_int_equal(run.done[DONE], pictures());
        assert_int_equal(run.commits, pictures());
        assert_true(busy.decode >= 0 && busy.decode + busy.encode <= 1 && busy.devices[0] > 0 && busy.devices[0] <= 1);
    }
}

/* A run's allocations do not depend on how many pictures there are. */
static void after_a_while_nothing_is_allocated(void **state) {
    (void)state;
    EACH_PLACE {
        Run run = run_of(pictures());
        const Busy busy = run_on(places[p].backend, places[p].devices, places[p].queues, 2, 64 << 20, &run);
        const size_t workers = (size_t)places[p].devices * (size_t)places[p].queues;
        const size_t pictures_at_once = (4 + 2) * workers + (4 + 1) * 2; /* queues, and the threads that take from
                                                                            them */
        assert_in_range(busy.blocks, 1, SHAPES * pictures_at_once);
        assert_in_range(busy.frames, 1, 4 * SHAPES * workers);
    }
}

static void what_fails_loses_only_itself(void **state) {
    (void)state;
    EACH_PLACE {
        Run run = run_of(pictures());
        for (size_t i = 0; i < 5; i++)
            run.fails_at[i] = 10 * i + 3;
        run_on(places[p].backend, places[p].devices, places[p].queues, 3, 64 << 20, &run);
        assert_int_equal(run.done[FAILED], 4);
        assert_int_equal(run.done[DONE], pictures() - 4);
        assert_int_equal(run.commits, pictures() - 4); /* one of these fails, and one was settled */
    }
}

static void devices_decode_and_encode_what_they_can(void **state) {
    (void)state;
    for (int devices = 1; devices <= 2; devices++) {
        enum { SOME = 200 };
        Run run = run_of(SOME);
        Busy busy;
        run.spared = 2 * (devices - 1);
        REQUIRE(try_tasks(&encoded_tasks, "fake", devices, 2, 3, 64 << 20, &run, &busy));
        assert_int_equal(run.done[DONE], SOME);
        assert_true(busy.device_decode[0] > 0 && busy.device_encode[0] > 0);
    }
}

static Status open_nothing(Device *device, bool hardware_only, DeviceCoder **coder) {
    (void)device, (void)hardware_only;
    *coder = NULL;
    return (fail)(STATUS_DEVICE, "it has none");
}

static void close_nothing(DeviceCoder **coder) {
    assert_null(*coder);
}

/* Threads that were spared then work. Only the owner of a work learns whether it is lost. */
static void without_a_coder_the_host_does_it_or_the_run_fails(void **state) {
    enum { SOME = 200 };
    (void)state;
    DeviceCodec none = fake_codec;
    none.open = open_nothing;
    none.close = close_nothing;
    for (int i = 0; i < 4; i++) {
        const bool required = i % 2;
        Run run = run_of(SOME);
        Busy busy;
        run.codec = &none;
        run.spared = i < 2 ? 0 : 3;
        run.codec_or_none = !required;
        run.drops = true; /* the host encodes */
        const Status status = try_tasks(&encoded_tasks, "fake", 2, 2, 3, 64 << 20, &run, &busy);
        assert_int_equal(status, required ? STATUS_DEVICE : STATUS_OK);
        assert_true(!required || strcmp(status_message(), "--codec gpu: it has none") == 0);
        assert_int_equal(run.done[required ? DROPPED : DONE] + run.done[DONE] * (size_t)required, run.opened);
        assert_int_equal(run.done[FAILED], 0);
    }
}

/* Every call of the device fails once, those of its codec among them. One picture is lost at most, or as many as are
 * decoded at once; without a coder the host does all. */
static void what_a_codec_refuses_loses_only_itself(void **state) {
    enum { FEW = 12, AT_ONCE = 3 };
    (void)state;
    Run whole = run_of(FEW);
    Busy busy;
    atomic_store(&fake_fails_at, 0);
    atomic_store(&fake_calls, 0);
    REQUIRE(try_tasks(&encoded_tasks, "fake", 1, 2, 2, 64 << 20, &whole, &busy));
    const size_t calls = atomic_load(&fake_calls);
    for (size_t k = 1; k <= calls; k++) {
        Run run = run_of(FEW);
        run.drops = true;
        atomic_store(&fake_fails_at, k);
        atomic_store(&fake_calls, 0);
        const Status status = try_tasks(&encoded_tasks, "fake", 1, 2, 2, 64 << 20, &run, &busy);
        assert_true(status == STATUS_OK || (status == STATUS_DEVICE && status_message()[0] != '\0'));
        assert_int_equal(run.done[DONE] + run.done[FAILED] + run.done[DROPPED], run.opened);
        assert_in_range(run.done[FAILED], 0, status == STATUS_OK ? AT_ONCE : FEW);
    }
    atomic_store(&fake_fails_at, 0);
}

/* Every call of the device fails once. A failure loses one picture, or one worker, and the rest comes out right. Only a
 * device that nobody can work on ends the run. */
static void what_the_device_refuses_loses_only_itself(void **state) {
    enum { FEW = 12 };
    (void)state;
    for (int devices = 1; devices <= 2; devices++) {
        Run whole = run_of(FEW);
        Busy busy;
        atomic_store(&fake_fails_at, 0);
        atomic_store(&fake_calls, 0);
        REQUIRE(try_on("fake", devices, 2, 2, 64 << 20, &whole, &busy));
        const size_t calls = atomic_load(&fake_calls);
        assert_in_range(calls, (size_t)5 * FEW, (size_t)100 * FEW);
        for (size_t k = 1; k <= calls; k++) {
            Run run = run_of(FEW);
            atomic_store(&fake_fails_at, k);
            atomic_store(&fake_calls, 0);
            const Status status = try_on("fake", devices, 2, 2, 64 << 20, &run, &busy);
            assert_true(status == STATUS_OK || (status == STATUS_DEVICE && status_message()[0] != '\0'));
            assert_int_equal(run.done[DONE] + run.done[FAILED] + run.done[DROPPED], run.opened);
            assert_in_range(run.done[FAILED], 0, status == STATUS_OK ? 1 : FEW);
            assert_true(status != STATUS_OK || run.done[DONE] + run.done[FAILED] == FEW);
        }
        atomic_store(&fake_fails_at, 0);
    }
}

/* A picture of which no strip fits on a fake device, and one that the budget does not hold. */
static void one_too_large_loses_only_itself(void **state) {
    (void)state;
    EACH_PLACE {
        const bool fake = strcmp(places[p].backend, "fake") == 0;
        Run run = run_of(pictures());
        run.odd = fake ? (Shape){1500000, 2, 3, PIXEL_U8} : (Shape){4000, 3000, 3, PIXEL_U8};
        run_on(places[p].backend, places[p].devices, places[p].queues, 2, fake ? 256 << 20 : 48 << 20, &run);
        assert_int_equal(run.done[FAILED], 1);
        assert_int_equal(run.done[DONE], pictures() - 1);
    }
}

/* No picture is decoded or encoded: there are no tasks for that. */
static void straight_ones_pass_row_by_row(void **state) {
    (void)state;
    EACH_PLACE {
        Run run = run_of(pictures());
        Busy busy;
        run.fails_at[DECODES] = 30;
        run.fails_at[ENCODES] = 31;
        run.fails_at[COMMITS] = 32;
        REQUIRE(try_tasks(&straight_tasks, places[p].backend, places[p].devices, 3, 2, 64 << 20, &run, &busy));
        assert_int_equal(run.done[DONE], pictures() - 3);
        assert_int_equal(run.done[FAILED], 3);
        assert_int_equal(run.commits, pictures() - 2);
    }
}

static void straight_ones_lose_only_themselves(void **state) {
    (void)state;
    Busy busy;
    atomic_store(&fake_calls, 0);
    Run run = run_of(40);
    REQUIRE(try_tasks(&straight_tasks, "fake", 2, 2, 2, 64 << 20, &run, &busy));
    const size_t calls = atomic_load(&fake_calls);
    assert_true(calls > 200);
    for (size_t k = 1; k <= calls; k += 7 * check_every(5)) {
        atomic_store(&fake_calls, 0);
        atomic_store(&fake_fails_at, k);
        run = run_of(40);
        const Status status = try_tasks(&straight_tasks, "fake", 2, 2, 2, 64 << 20, &run, &busy);
        atomic_store(&fake_fails_at, 0);
        assert_true(status == STATUS_DEVICE ? run.opened == 0 : run.done[DONE] >= 39);
    }
}

/* Input and result of this picture do not fit on a fake device together. */
static void larger_than_the_device_passes_in_strips(void **state) {
    (void)state;
    for (int queues = 1; queues <= 2; queues++) {
        Run run = run_of(pictures());
        run.odd = (Shape){2048, 1500, 3, PIXEL_U8};
        run_on("fake", 1, queues, 2, 256 << 20, &run);
        assert_int_equal(run.done[DONE], pictures());
    }
}

static void little_memory_is_enough_for_one_at_a_time(void **state) {
    (void)state;
    EACH_PLACE {
        Run run = run_of(pictures());
        run_on(places[p].backend, places[p].devices, places[p].queues, 4, 5 << 20, &run);
        assert_int_equal(run.done[DONE], pictures());
    }
}

static void stopping_finishes_or_drops_what_is_under_way(void **state) {
    (void)state;
    EACH_PLACE {
        for (int drops = 0; drops < 2; drops++) {
            Run run = run_of(pictures());
            run.stops_at = 20;
            run.drops = drops;
            run_on(places[p].backend, places[p].devices, places[p].queues, 2, 64 << 20, &run);
            assert_in_range(run.opened, 21, pictures() - 1);
            assert_int_equal(run.done[DONE] + run.done[DROPPED], run.opened);
            assert_int_equal(run.done[FAILED], 0);
            assert_true(drops ? run.done[DROPPED] > 0 : run.done[DROPPED] == 0);
        }
    }
}

static void no_pictures_are_no_work(void **state) {
    (void)state;
    Run run = run_of(0);
    run_on("cpu", 1, 2, 2, 64 << 20, &run);
    assert_int_equal(run.opened, 0);
}

/* The run may be over before any thread, or only one, has come to the decoder. */
static void no_pictures_need_no_decoder(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        Run run = run_of(0);
        Busy busy;
        REQUIRE(try_tasks(&encoded_tasks, "fake", 1 + i % 2, 2, 3, 64 << 20, &run, &busy));
        assert_int_equal(run.opened, 0);
    }
}

static int prepare(void **state) {
    (void)state;
    return backends_register() == STATUS_OK && fake_register() == STATUS_OK ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests_here[] = {
        cmocka_unit_test(devices_decode_and_encode_what_they_can),
        cmocka_unit_test(without_a_coder_the_host_does_it_or_the_run_fails),
        cmocka_unit_test(what_a_codec_refuses_loses_only_itself),
        cmocka_unit_test(no_pictures_are_no_work),
        cmocka_unit_test(no_pictures_need_no_decoder),
        cmocka_unit_test(all_come_out_once_and_right),
        cmocka_unit_test(after_a_while_nothing_is_allocated),
        cmocka_unit_test(what_fails_loses_only_itself),
        cmocka_unit_test(what_the_device_refuses_loses_only_itself),
        cmocka_unit_test(one_too_large_loses_only_itself),
        cmocka_unit_test(straight_ones_pass_row_by_row),
        cmocka_unit_test(straight_ones_lose_only_themselves),
        cmocka_unit_test(larger_than_the_device_passes_in_strips),
        cmocka_unit_test(little_memory_is_enough_for_one_at_a_time),
        cmocka_unit_test(stopping_finishes_or_drops_what_is_under_way),
    };
    return cmocka_run_group_tests(tests_here, prepare, NULL);
}
