/* packet.c: the layout of packets, one table for their types and one for drawing commands. */
#include "app/tev/packet.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

typedef struct Verb {
    unsigned char number, numbers; /* on the wire; how many follow */
    bool text;
} Verb;

static const Verb verbs[TEV_VERBS] = {
    [TEV_SAVE] = {0, 0, false},       [TEV_RESTORE] = {1, 0, false},       [TEV_FILL_COLOUR] = {2, 4, false},
    [TEV_FILL] = {3, 0, false},       [TEV_STROKE_COLOUR] = {4, 4, false}, [TEV_STROKE] = {5, 0, false},
    [TEV_BEGIN_PATH] = {6, 0, false}, [TEV_CLOSE_PATH] = {7, 0, false},    [TEV_PATH_WINDING] = {8, 1, false},
    [TEV_DUMP] = {9, 0, false},       [TEV_MOVE_TO] = {10, 2, false},      [TEV_LINE_TO] = {11, 2, false},
    [TEV_ARC_TO] = {12, 5, false},    [TEV_ARC] = {13, 6, false},          [TEV_BEZIER_TO] = {14, 6, false},
    [TEV_CIRCLE] = {15, 3, false},    [TEV_ELLIPSE] = {16, 4, false},      [TEV_QUAD_TO] = {17, 4, false},
    [TEV_RECT] = {18, 4, false},      [TEV_ROUNDED_RECT] = {19, 5, false}, [TEV_ROUNDED_CORNERS] = {20, 8, false},
    [TEV_TEXT] = {21, 2, true},       [TEV_TEXT_ALIGN] = {22, 1, false},   [TEV_FONT_FACE] = {23, 0, true},
    [TEV_FONT_SIZE] = {24, 2, false}, [TEV_STROKE_WIDTH] = {25, 2, false},
};

/* ---- reading ---- */

typedef struct Reader {
    const unsigned char *at;
    size_t left;
} Reader;

static Status ends_early(const char *what) {
    return fail(STATUS_INPUT, "a packet ends within its %s", what);
}

static Status read_bytes(Reader *reader, size_t size, const char *what, void *to) {
    if (reader->left < size)
        return ends_early(what);
    memcpy(to, reader->at, size);
    reader->at += size;
    reader->left -= size;
    return STATUS_OK;
}

static Status read_flag(Reader *reader, const char *what, bool *flag) {
    unsigned char byte = 0;
    TRY(read_bytes(reader, 1, what, &byte));
    *flag = byte != 0;
    return STATUS_OK;
}

static Status read_int(Reader *reader, const char *what, int32_t *number) {
    uint32_t bytes = 0;
    TRY(read_bytes(reader, sizeof bytes, what, &bytes));
    *number = (int32_t)le32toh(bytes);
    return STATUS_OK;
}

/* A number of pixels. */
static Status read_side(Reader *reader, const char *what, int32_t min, size_t *side) {
    int32_t number = 0;
    TRY(read_int(reader, what, &number));
    if (number < min || number > TEV_SIDE_MAX)
        return fail(STATUS_INPUT, "a packet's %s is %d, want %d to %d", what, number, min, TEV_SIDE_MAX);
    *side = (size_t)number;
    return STATUS_OK;
}

static Status read_text(Reader *reader, const char *what, const char **text) {
    const unsigned char *end = reader->left > 0 ? memchr(reader->at, 0, reader->left) : NULL;
    if (!end)
        return ends_early(what);
    const size_t length = (size_t)(end - reader->at);
    if (length > TEV_NAME_MAX)
        return fail(STATUS_INPUT, "a packet's %s has %zu bytes, want at most %d", what, length, TEV_NAME_MAX);
    *text = (const char *)reader->at;
    reader->at += length + 1;
    reader->left -= length + 1;
    return STATUS_OK;
}

static Status read_channels(Reader *reader, TevPacket *packet) {
    int32_t count = 0;
    TRY(read_int(reader, "channels", &count));
    if (count < 1 || count > TEV_CHANNELS_MAX)
        return fail(STATUS_INPUT, "a packet has %d channels, want 1 to %d", count, TEV_CHANNELS_MAX);
    packet->channel_count = count;
    for (int c = 0; c < count; c++) {
        TRY(read_text(reader, "channels", &packet->channels[c]));
        for (int before = 0; before < c; before++)
            if (strcmp(packet->channels[c], packet->channels[before]) == 0)
                return fail(STATUS_INPUT, "a packet has two channels %s", packet->channels[c]);
    }
    return STATUS_OK;
}

static Status read_part(Reader *reader, TevPacket *packet) {
    TRY(read_side(reader, "x", 0, &packet->x));
    TRY(read_side(reader, "y", 0, &packet->y));
    TRY(read_side(reader, "width", 1, &packet->width));
    return read_side(reader, "height", 1, &packet->height);
}

/* The rest of the packet is values. */
static void take_values(Reader *reader, TevPacket *packet) {
    packet->values = reader->at;
    packet->value_count = reader->left / sizeof(float);
    reader->left = 0;
}

/* Whether a channel's last pixel, and with it each of them, lies within the values. Sides below 2^20 do not overflow.
 */
static bool channel_fits(const TevPacket *packet, int channel) {
    const size_t last = packet->width * packet->height - 1, offset = packet->offsets[channel];
    const size_t stride = packet->strides[channel];
    return offset < packet->value_count && (last == 0 || stride <= (packet->value_count - 1 - offset) / last);
}

static Status check_values(const TevPacket *packet) {
    for (int c = 0; c < packet->channel_count; c++)
        if (!channel_fits(packet, c))
            return fail(STATUS_INPUT, "a packet's %zu values are fewer than its channel %s of %zux%zu pixels reaches",
                        packet->value_count, packet->channels[c], packet->width, packet->height);
    return STATUS_OK;
}

/* One channel behind the other. */
static Status read_planes(Reader *reader, TevPacket *packet) {
    for (int c = 0; c < packet->channel_count; c++) {
        packet->offsets[c] = packet->width * packet->height * (size_t)c;
        packet->strides[c] = 1;
    }
    take_values(reader, packet);
    return check_values(packet);
}

static Status read_places(Reader *reader, int count, const char *what, size_t *places) {
    for (int c = 0; c < count; c++) {
        uint64_t bytes = 0;
        TRY(read_bytes(reader, sizeof bytes, what, &bytes));
        bytes = le64toh(bytes);
        if (bytes > TEV_PACKET_MAX)
            return fail(STATUS_INPUT, "a packet's %s have %lld, want 0 to %d", what, (long long)bytes, TEV_PACKET_MAX);
        places[c] = (size_t)bytes;
    }
    return STATUS_OK;
}

static Status read_strides(Reader *reader, TevPacket *packet) {
    TRY(read_places(reader, packet->channel_count, "offsets", packet->offsets));
    TRY(read_places(reader, packet->channel_count, "strides", packet->strides));
    take_values(reader, packet);
    return check_values(packet);
}

static Status read_command(Reader *reader, TevCommand *command) {
    unsigned char number = 0;
    TRY(read_bytes(reader, 1, "drawing", &number));
    *command = (TevCommand){.verb = TEV_VERBS, .text = ""};
    for (int verb = 0; verb < TEV_VERBS; verb++)
        if (verbs[verb].number == number)
            command->verb = (TevVerb)verb;
    if (command->verb == TEV_VERBS)
        return fail(STATUS_INPUT, "a packet draws by command %u, want 0 to %d", number, TEV_VERBS - 1);
    for (int i = 0; i < verbs[command->verb].numbers; i++) {
        uint32_t bytes = 0;
        TRY(read_bytes(reader, sizeof bytes, "drawing", &bytes));
        bytes = le32toh(bytes);
        memcpy(&command->numbers[i], &bytes, sizeof bytes);
    }
    return verbs[command->verb].text ? read_text(reader, "drawing", &command->text) : STATUS_OK;
}

static Status read_commands(Reader *reader, TevPacket *packet) {
    uint32_t count = 0;
    TRY(read_flag(reader, "drawing", &packet->append));
    TRY(read_bytes(reader, sizeof count, "drawing", &count));
    const unsigned char *first = reader->at;
    packet->command_count = le32toh(count);
    for (size_t i = 0; i < packet->command_count; i++) { /* each takes a byte: it ends with the packet */
        TevCommand command;
        TRY(read_command(reader, &command));
    }
    packet->commands = (Bytes){(unsigned char *)(uintptr_t)first, (size_t)(reader->at - first)};
    return STATUS_OK;
}

static Status read_focus(Reader *reader, TevPacket *packet) {
    return read_flag(reader, "focus", &packet->focus);
}

static Status read_name(Reader *reader, TevPacket *packet) {
    return read_text(reader, "name", &packet->name);
}

static Status read_selector(Reader *reader, TevPacket *packet) {
    return read_text(reader, "channels", &packet->selector);
}

static Status read_size(Reader *reader, TevPacket *packet) {
    TRY(read_side(reader, "width", 1, &packet->width));
    return read_side(reader, "height", 1, &packet->height);
}

static Status read_channel(Reader *reader, TevPacket *packet) {
    packet->channel_count = 1;
    return read_text(reader, "channel", &packet->channels[0]);
}

/* ---- writing ---- */

typedef struct Writer {
    Bytes *bytes;
    size_t *capacity;
    bool full; /* memory was short */
} Writer;

static void write_bytes(Writer *writer, const void *data, size_t size) {
    writer->full |= !bytes_append(writer->bytes, writer->capacity, data, size);
}

static void write_flag(Writer *writer, bool flag) {
    write_bytes(writer, &(unsigned char){flag}, 1);
}

static void write_int(Writer *writer, size_t number) {
    write_bytes(writer, &(uint32_t){htole32((uint32_t)number)}, sizeof(uint32_t));
}

static void write_places(Writer *writer, int count, const size_t *places) {
    for (int c = 0; c < count; c++)
        write_bytes(writer, &(uint64_t){htole64(places[c])}, sizeof(uint64_t));
}

static void write_text(Writer *writer, const char *text) {
    write_bytes(writer, text, strlen(text) + 1);
}

static void write_focus(Writer *writer, const TevPacket *packet) {
    write_flag(writer, packet->focus);
}

static void write_name(Writer *writer, const TevPacket *packet) {
    write_text(writer, packet->name);
}

static void write_selector(Writer *writer, const TevPacket *packet) {
    write_text(writer, packet->selector ? packet->selector : "");
}

static void write_size(Writer *writer, const TevPacket *packet) {
    write_int(writer, packet->width);
    write_int(writer, packet->height);
}

static void write_channels(Writer *writer, const TevPacket *packet) {
    write_int(writer, (size_t)packet->channel_count);
    for (int c = 0; c < packet->channel_count; c++)
        write_text(writer, packet->channels[c]);
}

static void write_part(Writer *writer, const TevPacket *packet) {
    write_int(writer, packet->x);
    write_int(writer, packet->y);
    write_size(writer, packet);
}

static void write_strides(Writer *writer, const TevPacket *packet) {
    write_places(writer, packet->channel_count, packet->offsets);
    write_places(writer, packet->channel_count, packet->strides);
    write_bytes(writer, packet->values, packet->value_count * sizeof(float));
}

static void write_commands(Writer *writer, const TevPacket *packet) {
    write_flag(writer, packet->append);
    write_int(writer, packet->command_count);
    write_bytes(writer, packet->commands.data, packet->commands.size);
}

/* ---- packets ---- */

/* Members of one type, or of several. Nothing writes members of old types alone. */
typedef struct Member {
    Status (*read)(Reader *reader, TevPacket *packet);
    void (*write)(Writer *writer, const TevPacket *packet);
} Member;

typedef enum MemberName {
    END,
    FOCUS,
    NAME,
    SELECTOR,
    SIZE,
    CHANNEL,
    CHANNELS,
    PART,
    PLANES,
    STRIDES,
    COMMANDS
} MemberName;

static const Member members[] = {[FOCUS] = {read_focus, write_focus},
                                 [NAME] = {read_name, write_name},
                                 [SELECTOR] = {read_selector, write_selector},
                                 [SIZE] = {read_size, write_size},
                                 [CHANNEL] = {read_channel, NULL},
                                 [CHANNELS] = {read_channels, write_channels},
                                 [PART] = {read_part, write_part},
                                 [PLANES] = {read_planes, NULL},
                                 [STRIDES] = {read_strides, write_strides},
                                 [COMMANDS] = {read_commands, write_commands}};

enum { MEMBERS_MAX = 6 /* with END behind the last */ };

typedef struct Type {
    unsigned char number; /* on the wire */
    TevKind kind;
    MemberName members[MEMBERS_MAX]; /* in their order on the wire */
} Type;

/* The newest type of each kind comes first: that one is written. */
static const Type types[] = {
    {7, TEV_OPEN, {FOCUS, NAME, SELECTOR}},
    {0, TEV_OPEN, {FOCUS, NAME}},
    {1, TEV_RELOAD, {FOCUS, NAME}},
    {2, TEV_CLOSE, {NAME}},
    {4, TEV_CREATE, {FOCUS, NAME, SIZE, CHANNELS}},
    {6, TEV_UPDATE, {FOCUS, NAME, CHANNELS, PART, STRIDES}},
    {5, TEV_UPDATE, {FOCUS, NAME, CHANNELS, PART, PLANES}},
    {3, TEV_UPDATE, {FOCUS, NAME, CHANNEL, PART, PLANES}},
    {8, TEV_DRAW, {FOCUS, NAME, COMMANDS}},
};

Status tev_length(const unsigned char *head, size_t *length) {
    uint32_t bytes;
    memcpy(&bytes, head, sizeof bytes);
    *length = le32toh(bytes);
    if (*length <= TEV_HEAD || *length > TEV_PACKET_MAX)
        return fail(STATUS_INPUT, "a packet of %zu bytes, want %d to %d", *length, TEV_HEAD + 1, TEV_PACKET_MAX);
    return STATUS_OK;
}

static Status find_type(unsigned char number, const Type **type) {
    for (*type = types; *type < types + sizeof types / sizeof types[0]; ++*type)
        if ((*type)->number == number)
            return STATUS_OK;
    return fail(STATUS_INPUT, "a packet of type %u, want 0 to 8", number);
}

Status tev_check_type(unsigned char type) {
    const Type *found;
    return find_type(type, &found);
}

Status tev_read(Bytes bytes, TevPacket *packet) {
    size_t length;
    if (bytes.size <= TEV_HEAD)
        return ends_early("length");
    TRY(tev_length(bytes.data, &length));
    if (length != bytes.size)
        return fail(STATUS_INPUT, "a packet states %zu bytes, and has %zu", length, bytes.size);
    const Type *type;
    TRY(find_type(bytes.data[TEV_HEAD], &type));
    Reader reader = {bytes.data + TEV_HEAD + 1, length - TEV_HEAD - 1};
    *packet = (TevPacket){.kind = type->kind, .name = "", .selector = ""};
    for (const MemberName *member = type->members; *member != END; member++)
        TRY(members[*member].read(&reader, packet));
    return packet->name[0] ? STATUS_OK : fail(STATUS_INPUT, "a packet names no picture");
}

float tev_value(const TevPacket *packet, int channel, size_t pixel) {
    uint32_t bytes;
    float value;
    const size_t number = packet->offsets[channel] + pixel * packet->strides[channel];
    memcpy(&bytes, packet->values + number * sizeof bytes, sizeof bytes);
    bytes = le32toh(bytes);
    memcpy(&value, &bytes, sizeof value);
    return value;
}

bool tev_next_command(Bytes drawing, size_t *at, TevCommand *command) {
    if (*at == drawing.size) /* a packet without commands has no bytes to point at */
        return false;
    Reader reader = {drawing.data + *at, drawing.size - *at};
    if (read_command(&reader, command) != STATUS_OK)
        return false;
    *at = drawing.size - reader.left;
    return true;
}

Status tev_write(const TevPacket *packet, Bytes *bytes, size_t *capacity) {
    Writer writer = {bytes, capacity, false};
    const Type *type = types;
    TevPacket read;
    while (type->kind != packet->kind)
        type++;
    bytes->size = 0;
    write_int(&writer, 0); /* the length, once it is known */
    write_bytes(&writer, &type->number, 1);
    for (const MemberName *member = type->members; *member != END; member++)
        members[*member].write(&writer, packet);
    if (writer.full)
        return fail(STATUS_DEVICE, "no memory for a packet");
    const uint32_t length = htole32((uint32_t)bytes->size);
    memcpy(bytes->data, &length, sizeof length);
    return bytes->size <= TEV_PACKET_MAX && tev_read(*bytes, &read) == STATUS_OK
               ? STATUS_OK
               : fail(STATUS_USAGE, "no packet of tev's protocol has these members");
}
