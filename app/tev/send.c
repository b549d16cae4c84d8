/* send.c: pictures as packets of some rows each, in one buffer. */
#include "app/tev/send.h"

#include "app/tev/address.h"
#include "app/tev/packet.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/math/tone.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BAND_BYTES = 1 << 20 /* of a packet's values, or one row */, LOOK_MS = 100, PATIENCE_MS = 10000, CODES = 256 };

struct Sender {
    int descriptor;
    char *name, *address;
    Shape shape;           /* of the picture that was created last */
    float light[CODES];    /* of values of u8 */
    Bytes packets, packet; /* on their way; the one that is made */
    size_t packets_capacity, packet_capacity, sent;
};

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "--send: no memory for a picture");
}

/* ---- packets ---- */

static Status add(Sender *sender, const TevPacket *packet) {
    TRY(tev_write(packet, &sender->packet, &sender->packet_capacity));
    return bytes_append(&sender->packets, &sender->packets_capacity, sender->packet.data, sender->packet.size)
               ? STATUS_OK
               : no_memory();
}

static void name_channels(TevPacket *packet, int count) {
    static const char *const names[][4] = {{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
    packet->channel_count = count;
    for (int c = 0; c < count; c++) {
        packet->channels[c] = names[count - 1][c];
        packet->offsets[c] = (size_t)c;
        packet->strides[c] = (size_t)count;
    }
}

static float light_of(const Sender *sender, ImageView picture, size_t x, size_t y, int c) {
    const double value = view_value(picture, x, y, c);
    if (picture.shape.type == PIXEL_U8)
        return sender->light[(int)value];
    return (float)(picture.shape.type == PIXEL_F32 ? value : srgb_decode(value / pixel_type_white(picture.shape.type)));
}

/* A row of values, little endian as the machine's. */
static void put_row(const Sender *sender, ImageView picture, size_t y, float *row) {
    const int channels = picture.shape.channels, colours = channels - shape_has_alpha(picture.shape);
    for (size_t x = 0; x < picture.shape.width; x++, row += channels) {
        double alpha = 1;
        if (colours < channels)
            alpha = view_value(picture, x, y, colours) / pixel_type_white(picture.shape.type);
        for (int c = 0; c < colours; c++)
            row[c] = light_of(sender, picture, x, y, c) * (float)alpha;
        if (colours < channels)
            row[colours] = (float)alpha;
    }
}

static Status add_rows(Sender *sender, ImageView picture, size_t first, size_t count, float *values) {
    const size_t row = picture.shape.width * (size_t)picture.shape.channels;
    TevPacket packet = {.kind = TEV_UPDATE,
                        .name = sender->name,
                        .y = first,
                        .width = picture.shape.width,
                        .height = count,
                        .values = (const unsigned char *)values,
                        .value_count = row * count};
    name_channels(&packet, picture.shape.channels);
    for (size_t y = 0; y < count; y++)
        put_row(sender, picture, first + y, values + y * row);
    return add(sender, &packet);
}

static Status add_picture(Sender *sender, ImageView picture) {
    const size_t height = picture.shape.height, row = picture.shape.width * (size_t)picture.shape.channels;
    const size_t band = BAND_BYTES / (row * sizeof(float)) > 0 ? BAND_BYTES / (row * sizeof(float)) : 1;
    float *values = malloc(row * band * sizeof *values);
    Status status = values ? STATUS_OK : no_memory();
    for (size_t y = 0; y < height && status == STATUS_OK; y += band)
        status = add_rows(sender, picture, y, height - y < band ? height - y : band, values);
    free(values);
    return status;
}

static Status add_creation(Sender *sender, Shape shape) {
    TevPacket packet = {
        .kind = TEV_CREATE, .focus = true, .name = sender->name, .width = shape.width, .height = shape.height};
    if (shape_equal(shape, sender->shape))
        return STATUS_OK;
    name_channels(&packet, shape.channels);
    sender->shape = shape;
    return add(sender, &packet);
}

size_t sender_memory(Shape shape) {
    return memory_sum(memory_product(shape_bytes(shape_with_type(shape, PIXEL_F32)), 2), 2 * BAND_BYTES);
}

/* ---- the connection ---- */

Status sender_go_on(Sender *sender, bool *ready) {
    Bytes *packets = &sender->packets;
    while (sender->sent < packets->size) {
        const ssize_t done =
            send(sender->descriptor, packets->data + sender->sent, packets->size - sender->sent, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno != EAGAIN)
            return fail(STATUS_DEVICE, "--send %s: %m", sender->address);
        if (done < 0)
            break;
        sender->sent += (size_t)done;
    }
    *ready = sender->sent == packets->size;
    if (*ready)
        packets->size = sender->sent = 0;
    return STATUS_OK;
}

Status sender_put(Sender *sender, ImageView picture) {
    bool ready;
    TRY(add_creation(sender, picture.shape));
    TRY(add_picture(sender, picture));
    return sender_go_on(sender, &ready);
}

Status sender_finish(Sender *sender) {
    bool ready = false;
    for (int waited = 0; !ready;) {
        const size_t before = sender->sent;
        struct pollfd room = {sender->descriptor, POLLOUT, 0};
        TRY(sender_go_on(sender, &ready));
        if (ready)
            break;
        if (interrupted())
            return STATUS_INTERRUPTED;
        waited = sender->sent > before ? 0 : waited + LOOK_MS;
        if (waited > PATIENCE_MS)
            return fail(STATUS_DEVICE, "--send %s: nothing is taken there any more", sender->address);
        (void)poll(&room, 1, LOOK_MS);
    }
    return STATUS_OK;
}

static Status begin(Sender *made, const char *address, const char *token, const char *name) {
    bool ready;
    *made = (Sender){.descriptor = -1, .name = strdup(name), .address = strdup(address)};
    if (!made->name || !made->address)
        return no_memory();
    for (int code = 0; code < CODES; code++)
        made->light[code] = (float)srgb_decode(code / (CODES - 1.0));
    TRY(address_connect("send", address, &made->descriptor));
    const TevPacket opened = {.kind = TEV_OPEN, .name = "token", .selector = token};
    if (token)
        TRY(add(made, &opened));
    return sender_go_on(made, &ready);
}

Status sender_open(const char *address, const char *token, const char *name, Sender **sender) {
    Sender *made = *sender = malloc(sizeof *made);
    if (!made)
        return no_memory();
    const Status status = begin(made, address, token, name);
    if (status != STATUS_OK)
        sender_close(sender);
    return status;
}

void sender_close(Sender **sender) {
    Sender *old = *sender;
    if (!old)
        return;
    if (old->descriptor >= 0)
        close(old->descriptor);
    bytes_free(&old->packets);
    bytes_free(&old->packet);
    free(old->name);
    free(old->address);
    free(old);
    *sender = NULL;
}
