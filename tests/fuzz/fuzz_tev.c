/* fuzz_tev.c: libFuzzer's entry into the packets of tev's protocol. Any bytes are packets, or refused with a reason. A
 * packet that is read says the same once it is written and read again. The table of live pictures takes it or refuses
 * it, and its pictures stay within half of the budget.
 *
 * The input is packets, one behind the other, as a connection brings them. tests/fuzz/packets.py makes the seeds. */
#include "app/tev/drawing.h"
#include "app/tev/live.h"
#include "core/base/memory.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    return setenv("GLINT_MEMORY", "4M", 1) || live_begin() != STATUS_OK;
}

static void check_refused(Status status) {
    check((status == STATUS_INPUT || status == STATUS_DEVICE) && status_message()[0] != '\0');
}

/* Every value, so that a sanitizer sees each. */
static void read_values(const TevPacket *packet) {
    enum { PIXELS = 1 << 12 };
    const size_t pixels = packet->width * packet->height, step = pixels / PIXELS + 1;
    for (int c = 0; c < packet->channel_count; c++) {
        for (size_t i = 0; i < pixels; i += step)
            (void)tev_value(packet, c, i);
        (void)tev_value(packet, c, pixels - 1);
    }
}

static Bytes copy_of(Bytes commands) {
    Bytes copy = {0};
    size_t capacity = 0;
    check(bytes_append(&copy, &capacity, commands.data, commands.size));
    return copy;
}

static void read_commands(const TevPacket *packet) {
    TevCommand command;
    size_t at = 0, count = 0;
    for (; tev_next_command(packet->commands, &at, &command); count++)
        check(command.verb < TEV_VERBS && strlen(command.text) <= TEV_NAME_MAX);
    check(count == packet->command_count && at == packet->commands.size);
}

static void there_and_back(const TevPacket *packet) {
    Bytes bytes = {0};
    size_t capacity = 0;
    TevPacket again;
    check(tev_write(packet, &bytes, &capacity) == STATUS_OK && tev_read(bytes, &again) == STATUS_OK);
    check(again.kind == packet->kind && strcmp(again.name, packet->name) == 0 && again.focus == packet->focus);
    check(again.channel_count == packet->channel_count && again.value_count == packet->value_count);
    check(again.width == packet->width && again.height == packet->height && again.x == packet->x);
    check(again.command_count == packet->command_count && again.commands.size == packet->commands.size);
    bytes_free(&bytes);
}

/* Takes the commands over, and draws them in a small window. Every box lies within it, every mark has its boxes. */
static void draw(Bytes commands) {
    const DrawingPlace place = {{{1.5, 0.25, -2, 0.125, 2, 3, 0, 0.0078125, 1}}, 1.75, 48, 32};
    Drawing drawing;
    check(drawing_make(commands, &place, &drawing) != STATUS_USAGE);
    for (size_t i = 0; i < drawing.fill.box_count; i++) {
        const FillBox *box = &drawing.fill.boxes[i];
        check(box->x >= 0 && box->width > 0 && box->x + box->width <= place.width && box->share > 0);
        check(box->y >= 0 && box->height > 0 && box->y + box->height <= place.height);
    }
    for (size_t i = 0; i < drawing.count; i++)
        check(drawing.marks[i].first + drawing.marks[i].count <= drawing.fill.box_count);
    drawing_free(&drawing);
}

/* As the window would: takes each wish, and copies the pictures that are to be shown. */
static void take_wishes(void) {
    for (LiveEvent event; live_take(&event); free(event.text)) {
        Image *image;
        Bytes drawing;
        unsigned changes;
        if (event.wish != LIVE_SHOW || live_copy(event.text, &image, &changes) != STATUS_OK)
            continue;
        check(changes > 0 && shape_bytes(image->view.shape) <= memory_budget() / 2);
        check(live_drawing(event.text, &drawing, &changes) == STATUS_OK);
        bytes_free(&drawing);
        image_destroy(&image);
    }
}

/* More wishes of one packet than may wait would wait for a window that does not come. A creation also ends pictures of
 * the one before. */
static bool is_quick(const TevPacket *packet) {
    return packet->kind != TEV_CREATE || packet->channel_count <= LIVE_WISHES / 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned char *copy = malloc(size + 1);
    size_t length;
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    for (size_t at = 0; at + TEV_HEAD <= size; at += length) {
        TevPacket packet;
        Status status = tev_length(copy + at, &length);
        if (status == STATUS_OK && length > size - at)
            break;
        if (status == STATUS_OK)
            status = tev_read((Bytes){copy + at, length}, &packet);
        if (status != STATUS_OK) {
            check_refused(status);
            break;
        }
        if (packet.kind == TEV_UPDATE)
            read_values(&packet);
        if (packet.kind == TEV_DRAW) {
            read_commands(&packet);
            draw(copy_of(packet.commands));
        }
        there_and_back(&packet);
        status = is_quick(&packet) ? live_apply(&packet) : STATUS_OK;
        if (status != STATUS_OK)
            check_refused(status);
        take_wishes();
    }
    free(copy);
    return 0;
}
