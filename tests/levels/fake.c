/* fake.c: the backend of fake.h. Its memory is protected but while one of its functions works there. Code that takes a
 * frame's pixels for the host's is ended by the system. */
#include "tests/levels/fake.h"

#include "core/base/timing.h"
#include "core/codec/formats.h"
#include "core/device/device_codec.h"
#include "core/ops/ops.h"
#include "core/stage/op.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    FRAMES_MAX = 64,
    ALIGNMENT = 32,
    LEVELS_MAX = 64, /* one an operation */
    PIECE = 2048     /* bytes */
};

typedef struct Block {
    size_t begin, end;
} Block;

typedef struct FakeDevice {
    Device device;        /* first, so that a Device * is ours */
    pthread_mutex_t lock; /* of a call that works in the memory, or changes the list */
    unsigned char *memory;
    size_t count;
    Block blocks[FRAMES_MAX]; /* taken, in ascending order */
} FakeDevice;

/* A copy that was enqueued, and is done as late as can be. */
typedef struct Enqueued {
    bool due, sends;
    int piece;
    Frame frame;
} Enqueued;

typedef struct FakeQueue {
    Queue queue;
    double marks[BACKEND_MARKS];
    Enqueued enqueued[STAGING_PIECES]; /* in this order */
    unsigned char pieces[STAGING_PIECES][PIECE];
    Device *host; /* of the backend that has the references, */
    Queue *lent;  /* and its queue, from which they take scratch memory */
} FakeQueue;

atomic_size_t fake_calls, fake_fails_at;

/* Each function that can fail asks this first. */
static Status may_fail(const char *what) {
    return atomic_fetch_add(&fake_calls, 1) + 1 == atomic_load(&fake_fails_at)
               ? fail(STATUS_DEVICE, "the fake device fails on purpose: %s", what)
               : STATUS_OK;
}

static FakeDevice *fake_of(Device *device) {
    return (FakeDevice *)device;
}

/* Between the two calls the memory is one thread's. */
static void show(Device *device, bool shown) {
    if (shown)
        pthread_mutex_lock(&fake_of(device)->lock);
    mprotect(fake_of(device)->memory, FAKE_BYTES, shown ? PROT_READ | PROT_WRITE : PROT_NONE);
    if (!shown)
        pthread_mutex_unlock(&fake_of(device)->lock);
}

/* A frame around some rows (frame_around) has only these rows in the device's memory. */
static Status check_frame(Device *device, Frame frame) {
    const uintptr_t memory = (uintptr_t)fake_of(device)->memory, pixels = (uintptr_t)frame.pixels;
    return pixels + frame.shape.height * frame.stride > memory && pixels < memory + FAKE_BYTES
               ? STATUS_OK
               : fail(STATUS_DEVICE, "%s: a frame that lies elsewhere", device->name);
}

static Status count_devices(int *count) {
    *count = FAKE_DEVICES;
    return STATUS_OK;
}

static Status open_fake(int index, int threads, Device **device) {
    *device = NULL;
    if (index < 0 || index >= FAKE_DEVICES)
        return fail(STATUS_DEVICE, "the fake backend has devices 0 to %d, not %d", FAKE_DEVICES - 1, index);
    FakeDevice *made = calloc(1, sizeof *made);
    void *memory = mmap(NULL, FAKE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!made || memory == MAP_FAILED) {
        free(made);
        return fail(STATUS_DEVICE, "no memory for a fake device");
    }
    made->memory = memory;
    pthread_mutex_init(&made->lock, NULL);
    device_init(&made->device, &fake_backend);
    made->device.threads = threads > 0 ? threads : 1;
    snprintf(made->device.name, sizeof made->device.name, "fake device %d", index);
    snprintf(made->device.id, sizeof made->device.id, "fake-%d", index);
    *device = &made->device;
    return STATUS_OK;
}

static void close_fake(Device **device) {
    if (*device)
        pthread_mutex_destroy(&fake_of(*device)->lock);
    if (*device)
        munmap(fake_of(*device)->memory, FAKE_BYTES);
    free(*device);
    *device = NULL;
}

static Status wait_asleep(Device *device) {
    (void)device;
    return may_fail("wait asleep");
}

static Status measure_memory(Device *device, size_t *available, size_t *total) {
    const FakeDevice *fake = fake_of(device);
    *available = *total = FAKE_BYTES;
    for (size_t i = 0; i < fake->count; i++)
        *available -= fake->blocks[i].end - fake->blocks[i].begin;
    return STATUS_OK;
}

static Status queue_create(Device *device, Queue **queue) {
    TRY(may_fail("queue"));
    (void)device;
    FakeQueue *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a queue");
    *queue = &made->queue;
    TRY(backend_of_reference(ops[0])->open(0, 1, &made->host));
    return queue_open(made->host, &made->lent);
}

static void queue_destroy(Queue **queue) {
    FakeQueue *fake = (FakeQueue *)*queue;
    if (fake->lent)
        queue_close(&fake->lent);
    device_close(&fake->host);
    free(fake);
    *queue = NULL;
}

/* Rows are padded by an odd number of alignments. */
static size_t frame_stride(Shape shape) {
    return (shape_row_bytes(shape) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
}

static Status frame_clear(Device *device, Frame frame) {
    TRY(may_fail("clear"));
    show(device, true);
    memset(frame.pixels, 0, frame.stride * frame.shape.height);
    show(device, false);
    return STATUS_OK;
}

/* In the first gap that is large enough. */
static Status place_frame(Device *device, Shape shape, Frame *frame) {
    FakeDevice *fake = fake_of(device);
    const size_t stride = frame_stride(shape);
    const size_t bytes = shape.height <= FAKE_BYTES / stride ? stride * shape.height : FAKE_BYTES + 1;
    size_t at = 0, begin = 0;
    while (at < fake->count && fake->blocks[at].begin - begin < bytes)
        begin = fake->blocks[at++].end;
    if (bytes > FAKE_BYTES - begin || fake->count == FRAMES_MAX)
        return fail(STATUS_DEVICE, "%s has no room for a frame of %zu x %zu pixels", device->name, shape.width,
                    shape.height);
    memmove(&fake->blocks[at + 1], &fake->blocks[at], (fake->count - at) * sizeof(Block));
    fake->blocks[at] = (Block){begin, begin + bytes};
    fake->count++;
    *frame = (Frame){shape, stride, fake->memory + begin};
    memset(frame->pixels, 0, bytes);
    return STATUS_OK;
}

static Status frame_create(Device *device, Shape shape, Frame *frame) {
    *frame = (Frame){0};
    TRY(shape_check(shape));
    TRY(may_fail("frame"));
    show(device, true);
    const Status status = place_frame(device, shape, frame);
    show(device, false);
    return status;
}

static void frame_destroy(Device *device, Frame *frame) {
    FakeDevice *fake = fake_of(device);
    show(device, true);
    for (size_t i = 0; i < fake->count; i++)
        if (fake->memory + fake->blocks[i].begin == (unsigned char *)frame->pixels) {
            memmove(&fake->blocks[i], &fake->blocks[i + 1], (fake->count - i - 1) * sizeof(Block));
            fake->count--;
            break;
        }
    show(device, false);
    *frame = (Frame){0};
}

static Status copy_rows(Queue *queue, ImageView from, ImageView to) {
    show(queue->device, true);
    for (size_t y = 0; y < from.shape.height; y++)
        memcpy(view_row(to, y), view_row(from, y), shape_row_bytes(from.shape));
    show(queue->device, false);
    return STATUS_OK;
}

/* ---- pieces of the host's memory ---- */

/* Does the enqueued work, up to the last copy of that piece. */
static Status catch_up(Queue *queue, int piece) {
    FakeQueue *fake = (FakeQueue *)queue;
    const bool second = fake->enqueued[1].due && fake->enqueued[1].piece == piece;
    for (int i = 0; i < STAGING_PIECES; i++) {
        Enqueued *next = &fake->enqueued[i];
        if (!next->due || (i == 0 && next->piece != piece && !second) || (i == 1 && !second))
            continue;
        const ImageView rows = {next->frame.shape, shape_row_bytes(next->frame.shape), fake->pieces[next->piece]};
        next->due = false;
        TRY(next->sends ? copy_rows(queue, rows, next->frame) : copy_rows(queue, next->frame, rows));
    }
    return STATUS_OK;
}

static Status catch_up_all(Queue *queue) {
    TRY(catch_up(queue, 0));
    return catch_up(queue, 1);
}

static Status take_piece(Queue *queue, int piece, void **memory) {
    TRY(may_fail("take"));
    *memory = ((FakeQueue *)queue)->pieces[piece];
    return catch_up(queue, piece);
}

static Status enqueue(Queue *queue, Enqueued next) {
    FakeQueue *fake = (FakeQueue *)queue;
    TRY(check_frame(queue->device, next.frame));
    if (next.frame.shape.height * shape_row_bytes(next.frame.shape) > PIECE)
        return fail(STATUS_DEVICE, "%s: more rows than a piece holds", queue->device->name);
    for (int i = 0; i < STAGING_PIECES && next.sends; i++)
        if (fake->enqueued[i].due && fake->enqueued[i].piece == next.piece)
            return fail(STATUS_DEVICE, "%s: a piece whose copy nobody has waited for", queue->device->name);
    TRY(catch_up(queue, next.piece)); /* copies are done in order */
    if (!fake->enqueued[0].due) {
        fake->enqueued[0] = fake->enqueued[1];
        fake->enqueued[1].due = false;
    }
    fake->enqueued[fake->enqueued[0].due] = next;
    return STATUS_OK;
}

static Status send_piece(Queue *queue, int piece, Frame to) {
    TRY(may_fail("send"));
    return enqueue(queue, (Enqueued){true, true, piece, to});
}

static Status receive_piece(Queue *queue, Frame from, int piece) {
    TRY(may_fail("receive"));
    return enqueue(queue, (Enqueued){true, false, piece, from});
}

static const Staging fake_staging = {PIECE, take_piece, send_piece, receive_piece};

static Status upload(Queue *queue, ImageView from, Frame to) {
    TRY(may_fail("upload"));
    TRY(check_frame(queue->device, to));
    TRY(catch_up_all(queue));
    return copy_rows(queue, from, to);
}
static Status download(Queue *queue, Frame from, ImageView to) {
    TRY(may_fail("download"));
    TRY(check_frame(queue->device, from));
    TRY(catch_up_all(queue));
    return copy_rows(queue, from, to);
}
static Status copy(Queue *queue, Frame from, Frame to) {
    TRY(may_fail("copy"));
    TRY(catch_up_all(queue));
    TRY(check_frame(queue->device, from));
    TRY(check_frame(queue->device, to));
    return copy_rows(queue, from, to);
}

static Status mark(Queue *queue, int number) {
    TRY(may_fail("mark"));
    ((FakeQueue *)queue)->marks[number] = clock_ms();
    return STATUS_OK;
}
static Status elapsed(Queue *queue, int from, int to, double *ms) {
    TRY(may_fail("elapsed"));
    *ms = ((FakeQueue *)queue)->marks[to] - ((FakeQueue *)queue)->marks[from];
    return STATUS_OK;
}
static Status sync_fake(Queue *queue) {
    TRY(may_fail("sync"));
    return catch_up_all(queue);
}

static Status run(Queue *queue, const Stage *stage) {
    TRY(may_fail("run"));
    TRY(catch_up_all(queue));
    if (stage->op->of_host) /* frames that everybody sees */
        return level_reference(stage->op)->run(((FakeQueue *)queue)->lent, stage);
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->in[k].pixels)
            TRY(check_frame(queue->device, stage->in[k]));
    TRY(check_frame(queue->device, stage->out));
    show(queue->device, true);
    const Status status = level_reference(stage->op)->run(((FakeQueue *)queue)->lent, stage);
    show(queue->device, false);
    return status;
}

/* ---- a codec ---- */

typedef struct FakeCoder {
    DeviceCoder coder; /* first, so that a DeviceCoder * is ours */
    atomic_flag busy;  /* one thread at a time */
} FakeCoder;

static Status open_coder(Device *device, bool hardware_only, DeviceCoder **coder) {
    (void)hardware_only;
    *coder = NULL;
    TRY(may_fail("coder"));
    FakeCoder *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a coder");
    *made = (FakeCoder){{device}, ATOMIC_FLAG_INIT};
    *coder = &made->coder;
    return STATUS_OK;
}

static void close_coder(DeviceCoder **coder) {
    free(*coder);
    *coder = NULL;
}

static void copy_view(Device *device, ImageView from, ImageView to) {
    show(device, true);
    view_copy(from, to);
    show(device, false);
}

/* Gray ones it refuses. */
static Status decode_all(DeviceCoder *coder, const EncodedPicture *pictures, const Frame *frames, bool *decoded,
                         size_t count) {
    TRY(may_fail("decode"));
    for (size_t i = 0; i < count; i++) {
        Image *image = NULL;
        TRY(check_frame(coder->device, frames[i]));
        decoded[i] =
            pictures[i].shape.channels == 3 && format_by_name("jpg")->load(pictures[i].bytes, &image) == STATUS_OK;
        if (decoded[i])
            copy_view(coder->device, image->view, frames[i]);
        image_destroy(&image);
    }
    return STATUS_OK;
}

static Status decode(DeviceCoder *coder, const EncodedPicture *pictures, const Frame *frames, bool *decoded,
                     size_t count) {
    atomic_flag *busy = &((FakeCoder *)coder)->busy;
    if (atomic_flag_test_and_set(busy))
        return fail(STATUS_DEVICE, "%s: its decoder has two threads at once", coder->device->name);
    const Status status = decode_all(coder, pictures, frames, decoded, count);
    atomic_flag_clear(busy);
    return status;
}

/* Narrow ones it refuses. */
static Status encode(DeviceCoder *coder, Frame frame, SaveOptions options, Bytes *file) {
    Image *image = NULL;
    TRY(may_fail("encode"));
    TRY(check_frame(coder->device, frame));
    if (frame.shape.width < FAKE_ENCODES)
        return fail(STATUS_INPUT, "the fake device encodes nothing so narrow");
    TRY(image_create_unfilled(frame.shape, &image));
    copy_view(coder->device, frame, image->view);
    const Status status = codec_encode(format_by_name("jpg"), image, options, file);
    image_destroy(&image);
    return status;
}

const DeviceCodec fake_codec = {.format = &format_jpeg,
                                .shapes = U8X1 | U8X3,
                                .batch = 3,
                                .open = open_coder,
                                .close = close_coder,
                                .decode = decode,
                                .encode = encode};

static Level levels[LEVELS_MAX];
static const Level *ladder[LEVELS_MAX];

Status fake_register(void) {
    if (op_count > LEVELS_MAX)
        return fail(STATUS_DEVICE, "the fake backend has room for %d operations", LEVELS_MAX);
    for (size_t i = 0; i < op_count; i++) {
        if (!level_reference(ops[i]))
            return fail(STATUS_DEVICE, "%s has no reference", ops[i]->name);
        levels[i] = *level_reference(ops[i]);
        levels[i].run = run;
        ladder[i] = &levels[i];
    }
    fake_backend.level_count = op_count;
    return backend_register(&fake_backend);
}

Backend fake_backend = {
    .name = "fake",
    .help = "two devices of 8 MiB, for tests",
    .levels = ladder,
    .device_count = count_devices,
    .open = open_fake,
    .close = close_fake,
    .memory = measure_memory,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .frame_create = frame_create,
    .frame_destroy = frame_destroy,
    .frame_stride = frame_stride,
    .frame_clear = frame_clear,
    .wait_asleep = wait_asleep,
    .upload = upload,
    .download = download,
    .copy = copy,
    .mark = mark,
    .elapsed = elapsed,
    .sync = sync_fake,
    .staging = &fake_staging,
};
