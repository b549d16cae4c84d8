/* test_tev_packet.c: packets that tevclient has made (tests/fuzz/packets.py), whose contents stand there, older types
 * and damaged ones. */
#include "app/tev/packet.h"

#include <string.h>

#include "tests/unit/tev_fixture.h"

static TevPacket read_packet(Bytes bytes) {
    TevPacket packet;
    REQUIRE(tev_read(bytes, &packet));
    return packet;
}

static void test_files(void **state) {
    (void)state;
    static const struct {
        const char *file;
        TevKind kind;
        bool focus;
        const char *name, *selector;
    } rows[] = {
        {"open", TEV_OPEN, true, "/a folder/photo.exr", "R,G"},
        {"open-oldest", TEV_OPEN, true, "photo.exr:R", ""},
        {"reload", TEV_RELOAD, false, "photo.exr", ""},
        {"close", TEV_CLOSE, false, "render", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Bytes bytes = load(rows[i].file);
        const TevPacket packet = read_packet(bytes);
        assert_int_equal(packet.kind, rows[i].kind);
        assert_int_equal(packet.focus, rows[i].focus);
        assert_string_equal(packet.name, rows[i].name);
        assert_string_equal(packet.selector, rows[i].selector);
        bytes_free(&bytes);
    }
}

static void test_create(void **state) {
    (void)state;
    static const char *const names[] = {"R", "G", "B", "A"};
    Bytes bytes = load("create");
    const TevPacket packet = read_packet(bytes);
    assert_int_equal(packet.kind, TEV_CREATE);
    assert_true(packet.focus);
    assert_int_equal(packet.width, 5);
    assert_int_equal(packet.height, 4);
    assert_int_equal(packet.channel_count, 4);
    for (int c = 0; c < 4; c++)
        assert_string_equal(packet.channels[c], names[c]);
    bytes_free(&bytes);
}

/* Value c of pixel x, y is 100 y + 10 x + c. */
static void check_values(const TevPacket *packet) {
    for (int c = 0; c < packet->channel_count; c++)
        for (size_t y = 0; y < packet->height; y++)
            for (size_t x = 0; x < packet->width; x++)
                assert_float_equal(tev_value(packet, c, y * packet->width + x), (float)(100 * y + 10 * x + (size_t)c),
                                   0);
}

static void check_part(const TevPacket *packet, size_t x, size_t y, const char *const *channels, int count) {
    assert_int_equal(packet->kind, TEV_UPDATE);
    assert_string_equal(packet->name, "render");
    assert_int_equal(packet->x, x);
    assert_int_equal(packet->y, y);
    assert_int_equal(packet->width, 3);
    assert_int_equal(packet->height, 2);
    assert_int_equal(packet->channel_count, count);
    for (int c = 0; c < count; c++)
        assert_string_equal(packet->channels[c], channels[c]);
}

static void test_updates(void **state) {
    (void)state;
    static const struct {
        const char *file;
        size_t x, y;
        const char *channels[4];
        int count;
    } rows[] = {{"update", 1, 2, {"R", "G", "B", "A"}, 4},
                {"update-one", 0, 0, {"G"}, 1},
                {"update-oldest", 1, 0, {"B"}, 1},
                {"update-older", 1, 0, {"G", "R"}, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Bytes bytes = load(rows[i].file);
        const TevPacket packet = read_packet(bytes);
        check_part(&packet, rows[i].x, rows[i].y, rows[i].channels, rows[i].count);
        check_values(&packet);
        bytes_free(&bytes);
    }
}

/* R begins at value 1 and goes on by threes, B at 0 by twos; values are their own numbers. */
static void test_strides(void **state) {
    (void)state;
    static const char *const channels[] = {"R", "B"};
    Bytes bytes = load("update-strides"), still = load("update-still");
    const TevPacket packet = read_packet(bytes), one = read_packet(still);
    check_part(&packet, 1, 0, channels, 2);
    for (size_t i = 0; i < 6; i++) {
        assert_float_equal(tev_value(&packet, 0, i), (float)(1 + 3 * i), 0);
        assert_float_equal(tev_value(&packet, 1, i), (float)(2 * i), 0);
        assert_float_equal(tev_value(&one, 0, i), 0.5, 0);
    }
    bytes_free(&bytes);
    bytes_free(&still);
}

static void test_drawing(void **state) {
    (void)state;
    static const struct {
        TevVerb verb;
        int count;
        float numbers[TEV_NUMBERS_MAX];
        const char *text;
    } rows[] = {
        {TEV_SAVE, 0, {0}, ""},
        {TEV_FILL_COLOUR, 4, {1, 0.5f, 0.25f, 0.75f}, ""},
        {TEV_STROKE_COLOUR, 4, {0, 1, 0, 1}, ""},
        {TEV_STROKE_WIDTH, 2, {3, 1}, ""},
        {TEV_BEGIN_PATH, 0, {0}, ""},
        {TEV_MOVE_TO, 2, {1, 2}, ""},
        {TEV_LINE_TO, 2, {3, 4}, ""},
        {TEV_ARC_TO, 5, {5, 6, 7, 8, 9}, ""},
        {TEV_ARC, 6, {10, 11, 12, 0, 1.5f, 2}, ""},
        {TEV_BEZIER_TO, 6, {1, 2, 3, 4, 5, 6}, ""},
        {TEV_QUAD_TO, 4, {1, 2, 3, 4}, ""},
        {TEV_CLOSE_PATH, 0, {0}, ""},
        {TEV_PATH_WINDING, 1, {2}, ""},
        {TEV_CIRCLE, 3, {8, 9, 2}, ""},
        {TEV_ELLIPSE, 4, {8, 9, 2, 3}, ""},
        {TEV_RECT, 4, {1, 2, 3, 4}, ""},
        {TEV_ROUNDED_RECT, 5, {1, 2, 3, 4, 1}, ""},
        {TEV_ROUNDED_CORNERS, 8, {1, 2, 3, 4, 0.25f, 0.5f, 0.75f, 1}, ""},
        {TEV_FILL, 0, {0}, ""},
        {TEV_STROKE, 0, {0}, ""},
        {TEV_DUMP, 0, {0}, ""},
        {TEV_FONT_FACE, 0, {0}, "sans"},
        {TEV_FONT_SIZE, 2, {12, 0}, ""},
        {TEV_TEXT_ALIGN, 1, {10}, ""},
        {TEV_TEXT, 2, {4, 5}, "größer"},
        {TEV_RESTORE, 0, {0}, ""},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    Bytes bytes = load("draw");
    const TevPacket packet = read_packet(bytes);
    TevCommand command;
    size_t at = 0;
    assert_true(packet.append);
    assert_int_equal(packet.command_count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(tev_next_command(packet.commands, &at, &command));
        assert_int_equal(command.verb, rows[i].verb);
        assert_memory_equal(command.numbers, rows[i].numbers, sizeof rows[i].numbers);
        assert_string_equal(command.text, rows[i].text);
    }
    assert_false(tev_next_command(packet.commands, &at, &command));
    at = 0;
    assert_false(tev_next_command((Bytes){0}, &at, &command));
    assert_int_equal(at, 0);
    bytes_free(&bytes);
}

/* The newest type of each kind is the bytes that tevclient makes. */
static void test_written(void **state) {
    (void)state;
    static const char *const files[] = {"open",   "reload",     "close",         "create", "create-layers",
                                        "update", "update-one", "update-layers", "draw",   "update-strides"};
    Bytes written = {0};
    size_t capacity = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        Bytes bytes = load(files[i]);
        const TevPacket packet = read_packet(bytes);
        REQUIRE(tev_write(&packet, &written, &capacity));
        assert_int_equal(written.size, bytes.size);
        assert_memory_equal(written.data, bytes.data, bytes.size);
        bytes_free(&bytes);
    }
    const TevPacket nameless = {.kind = TEV_CLOSE, .name = ""};
    assert_int_equal(tev_write(&nameless, &written, &capacity), STATUS_USAGE);
    const TevPacket twice = {
        .kind = TEV_CREATE, .name = "twice", .width = 1, .height = 1, .channel_count = 2, .channels = {"Y", "Y"}};
    assert_int_equal(tev_write(&twice, &written, &capacity), STATUS_USAGE);
    bytes_free(&written);
}

/* Every packet that is cut short is refused, whatever length it states. */
static void test_short(void **state) {
    (void)state;
    static const char *const files[] = {"open", "close", "create", "update", "update-oldest", "update-older", "draw"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        Bytes bytes = load(files[i]);
        TevPacket packet;
        for (size_t size = 0; size < bytes.size; size++) {
            unsigned char *part = malloc(size + 1);
            memcpy(part, bytes.data, size);
            assert_int_equal(tev_read((Bytes){part, size}, &packet), STATUS_INPUT);
            if (size >= TEV_HEAD)
                memcpy(part, &(uint32_t){(uint32_t)size}, sizeof(uint32_t));
            assert_int_equal(tev_read((Bytes){part, size}, &packet), STATUS_INPUT);
            free(part);
        }
        bytes_free(&bytes);
    }
}

/* Puts a number at a place of a packet; the reading must say so. */
static void refused(const char *file, size_t at, const void *number, size_t size, const char *says) {
    Bytes bytes = load(file);
    TevPacket packet;
    memcpy(bytes.data + at, number, size);
    assert_int_equal(tev_read(bytes, &packet), STATUS_INPUT);
    if (!strstr(status_message(), says))
        fail_msg("%s, want %s", status_message(), says);
    bytes_free(&bytes);
}

static void test_numbers(void **state) {
    (void)state;
    enum { WIDTH = 13, COUNT = 21, X = 25, PART_WIDTH = 33, OFFSETS = 41, STRIDES = 73 };
    refused("create", 4, &(unsigned char){9}, 1, "type 9");
    refused("create", 4, &(unsigned char){255}, 1, "type 255");
    refused("create", WIDTH, &(int32_t){0}, 4, "width is 0");
    refused("create", WIDTH, &(int32_t){-1}, 4, "width is -1");
    refused("create", WIDTH, &(int32_t){INT32_MAX}, 4, "width is 2147483647");
    refused("create", COUNT, &(int32_t){-1}, 4, "-1 channels");
    refused("create", COUNT, &(int32_t){257}, 4, "257 channels");
    refused("update", X, &(int32_t){-1}, 4, "x is -1");
    refused("update", PART_WIDTH, &(int32_t){1 << 20}, 4, "fewer");
    refused("update", OFFSETS, &(int64_t){-1}, 8, "offsets have -1");
    refused("update", OFFSETS, &(int64_t){24}, 8, "fewer");
    refused("update", OFFSETS, &(int64_t){INT64_MAX}, 8, "offsets");
    refused("update", STRIDES, &(int64_t){-4}, 8, "strides have -4");
    refused("update", STRIDES, &(int64_t){5}, 8, "fewer");
    refused("update", STRIDES, &(int64_t){INT64_MIN}, 8, "strides");
    refused("draw", 14, &(uint32_t){UINT32_MAX}, 4, "ends within its drawing");
    refused("draw", 18, &(unsigned char){26}, 1, "command 26");
}

static void test_lengths(void **state) {
    (void)state;
    size_t length;
    static const unsigned char none[] = {0, 0, 0, 0}, least[] = {5, 0, 0, 0}, most[] = {255, 255, 255, 255};
    assert_int_equal(tev_length(none, &length), STATUS_INPUT);
    assert_int_equal(tev_length(most, &length), STATUS_INPUT);
    REQUIRE(tev_length(least, &length));
    assert_int_equal(length, 5);
    REQUIRE(tev_check_type(8));
    assert_int_equal(tev_check_type(9), STATUS_INPUT);
    assert_int_equal(tev_check_type(' '), STATUS_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),   cmocka_unit_test(test_create),  cmocka_unit_test(test_updates),
        cmocka_unit_test(test_strides), cmocka_unit_test(test_drawing), cmocka_unit_test(test_written),
        cmocka_unit_test(test_short),   cmocka_unit_test(test_numbers), cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
