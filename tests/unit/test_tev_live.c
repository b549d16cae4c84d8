/* test_tev_live.c: live pictures: layers of channels as pictures, wishes in order, packets that fit nothing. Also the
 * listener, by clients that send packets over sockets while the pictures are read. */
#include "app/tev/address.h"
#include "app/tev/listen.h"
#include "app/tev/live.h"

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/tev_fixture.h"

enum { PATIENCE_MS = 20000 };

static Status apply(const char *name) {
    Bytes bytes = load(name);
    TevPacket packet;
    REQUIRE(tev_read(bytes, &packet));
    const Status status = live_apply(&packet);
    bytes_free(&bytes);
    return status;
}

/* The next wish is this one. */
static void wished(LiveWish wish, bool focus, const char *text) {
    LiveEvent event;
    assert_true(live_take(&event));
    assert_string_equal(event.text, text);
    assert_int_equal(event.wish, wish);
    assert_int_equal(event.focus, focus);
    free(event.text);
}

static void wished_nothing(void) {
    LiveEvent event;
    assert_false(live_take(&event));
}

static Image *copy(const char *path, int channels) {
    Image *image;
    unsigned changes;
    REQUIRE(live_copy(path, &image, &changes));
    assert_int_equal(changes, live_changes(path));
    assert_int_equal(image->view.shape.channels, channels);
    assert_int_equal(image->view.shape.type, PIXEL_F32);
    return image;
}

static void has(const Image *image, size_t x, size_t y, int c, double value) {
    assert_float_equal((float)view_value(image->view, x, y, c), (float)value, 0);
}

static int begin(void **state) {
    (void)state;
    return live_begin() == STATUS_OK ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    live_end();
    return 0;
}

static void test_updates(void **state) {
    (void)state;
    assert_int_equal(live_changes("tev:render"), 0);
    REQUIRE(apply("create"));
    wished(LIVE_SHOW, true, "tev:render");
    const unsigned before = live_changes("tev:render");
    REQUIRE(apply("update")); /* 3 x 2 pixels at 1, 2: 100 y + 10 x + c */
    assert_true(live_changes("tev:render") > before);
    Image *image = copy("tev:render", 4);
    assert_int_equal(image->view.shape.width, 5);
    assert_int_equal(image->view.shape.height, 4);
    assert_true(image->premultiplied);
    has(image, 1, 2, 0, 0);
    has(image, 3, 3, 2, 122);
    has(image, 3, 3, 3, 123);
    has(image, 0, 0, 0, 0);
    has(image, 4, 3, 1, 0);
    image_destroy(&image);
    wished_nothing();
    REQUIRE(apply("update-one")); /* G alone, at 0, 0; the picture is to be shown */
    wished(LIVE_SHOW, true, "tev:render");
    REQUIRE(apply("update-oldest"));  /* B, at 1, 0 */
    REQUIRE(apply("update-strides")); /* R: 1, 4, 7, 10 ... */
    image = copy("tev:render", 4);
    has(image, 2, 1, 1, 120);
    has(image, 1, 0, 2, 0); /* B: 0, 2, 4 ... came last */
    has(image, 2, 0, 2, 2);
    has(image, 1, 1, 0, 10);
    has(image, 1, 2, 0, 0);
    image_destroy(&image);
    REQUIRE(apply("close"));
    wished(LIVE_LEAVE, false, "tev:render");
    assert_int_equal(live_changes("tev:render"), 0);
    assert_int_equal(live_copy("tev:render", &image, NULL), STATUS_INPUT);
}

static void test_layers(void **state) {
    (void)state;
    REQUIRE(apply("create-layers"));
    wished(LIVE_SHOW, false, "tev:layers:uv");
    wished(LIVE_SHOW, false, "tev:layers:depth");
    wished(LIVE_SHOW, false, "tev:layers:albedo");
    wished(LIVE_SHOW, false, "tev:layers");
    const unsigned untouched = live_changes("tev:layers");
    REQUIRE(apply("update-layers")); /* albedo.G is c = 0, depth.Z is 1, uv.V is 2 */
    assert_int_equal(live_changes("tev:layers"), untouched);
    Image *first = copy("tev:layers", 3), *albedo = copy("tev:layers:albedo", 3);
    Image *depth = copy("tev:layers:depth", 1), *uv = copy("tev:layers:uv", 3);
    has(first, 4, 3, 1, 0);
    has(albedo, 4, 3, 1, 340);
    has(albedo, 4, 3, 0, 0);
    has(depth, 4, 3, 0, 341);
    has(uv, 4, 3, 1, 342);
    has(uv, 4, 3, 2, 0);
    image_destroy(&first);
    image_destroy(&albedo);
    image_destroy(&depth);
    image_destroy(&uv);
}

/* Three colours a picture; alpha goes with the first. */
static void test_many_channels(void **state) {
    (void)state;
    REQUIRE(apply("create-many"));
    wished(LIVE_SHOW, false, "tev:many:spectrum.6");
    wished(LIVE_SHOW, false, "tev:many:spectrum.3");
    wished(LIVE_SHOW, false, "tev:many:spectrum");
    Image *first = copy("tev:many:spectrum", 4), *last = copy("tev:many:spectrum.6", 3);
    image_destroy(&first);
    image_destroy(&last);
}

static TevPacket create_of(const char *name, size_t side) {
    return (TevPacket){
        .kind = TEV_CREATE, .name = name, .width = side, .height = side, .channel_count = 1, .channels = {"Y"}};
}

static void test_refused(void **state) {
    (void)state;
    const TevPacket huge = create_of("huge", TEV_SIDE_MAX);
    assert_int_equal(apply("update"), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "was not created"));
    assert_int_equal(live_apply(&huge), STATUS_INPUT);
    const TevPacket small = create_of("render", 2);
    REQUIRE(live_apply(&small));
    wished(LIVE_SHOW, false, "tev:render");
    assert_int_equal(apply("update"), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "not within"));
    TevPacket other = small;
    other.kind = TEV_UPDATE;
    other.channels[0] = "Z";
    other.values = (const unsigned char[16]){0};
    other.value_count = 4;
    other.strides[0] = 1;
    assert_int_equal(live_apply(&other), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "no channel Z"));
    wished_nothing();
}

/* A name goes to a terminal and to a panel: control characters do not. */
static void test_names(void **state) {
    (void)state;
    const TevPacket strange = create_of("a\033[2J\n/b\xff", 2);
    REQUIRE(live_apply(&strange));
    wished(LIVE_SHOW, false, "tev:a\\x1b[2J\\x0a/b\\xff");
}

/* A picture that is made anew leaves the list where its layers did: the others are listed first. */
static void test_made_anew(void **state) {
    (void)state;
    TevPacket packet = create_of("render", 2);
    packet.channel_count = 2;
    packet.channels[1] = "depth.Z";
    REQUIRE(live_apply(&packet));
    wished(LIVE_SHOW, false, "tev:render:depth");
    wished(LIVE_SHOW, false, "tev:render");
    packet.focus = true;
    packet.channels[1] = "normal.X";
    REQUIRE(live_apply(&packet));
    wished(LIVE_SHOW, false, "tev:render:normal");
    wished(LIVE_SHOW, true, "tev:render");
    wished(LIVE_LEAVE, false, "tev:render:depth");
    wished_nothing();
}

/* The fourth colour of layer a is a picture a.b, and so is layer a.b. */
static void test_same_paths(void **state) {
    (void)state;
    TevPacket packet = create_of("render", 2);
    const char *const channels[] = {"a.R", "a.G", "a.B", "a.b", "a.b.Y"};
    packet.channel_count = 5;
    memcpy(packet.channels, channels, sizeof channels);
    assert_int_equal(live_apply(&packet), STATUS_INPUT);
    assert_string_equal(status_message(), "tev:render:a.b is another picture already");
    wished_nothing();
}

/* The layers of all pictures are counted, and drawings belong to the budget. */
static void test_bounds(void **state) {
    (void)state;
    static char names[TEV_CHANNELS_MAX][8];
    TevPacket packet = create_of("layers", 1);
    packet.channel_count = LIVE_WISHES / 2;
    for (int c = 0; c < packet.channel_count; c++) {
        snprintf(names[c], sizeof names[c], "%d.Y", c);
        packet.channels[c] = names[c];
    }
    LiveEvent event;
    char name[16];
    packet.name = name;
    for (int i = 0; i < LIVE_MAX / packet.channel_count; i++) {
        snprintf(name, sizeof name, "layers%d", i);
        REQUIRE(live_apply(&packet));
        while (live_take(&event))
            free(event.text);
    }
    REQUIRE(live_apply(&packet)); /* once more the last one */
    while (live_take(&event))
        free(event.text);
    const TevPacket more = create_of("more", 1);
    assert_int_equal(live_apply(&more), STATUS_INPUT);
    assert_string_equal(status_message(), "with more there would be 1025 pictures; want at most 1024");
    static unsigned char saves[1 << 20];
    const TevPacket drawing = {
        .kind = TEV_DRAW, .name = name, .commands = {saves, sizeof saves}, .command_count = sizeof saves};
    assert_int_equal(setenv("GLINT_MEMORY", "1M", 1), 0);
    const Status status = live_apply(&drawing);
    assert_int_equal(unsetenv("GLINT_MEMORY"), 0);
    assert_int_equal(status, STATUS_INPUT);
    assert_non_null(strstr(status_message(), "of the budget"));
    wished_nothing();
}

static void test_files(void **state) {
    (void)state;
    REQUIRE(apply("open"));
    REQUIRE(apply("reload"));
    wished(LIVE_OPEN, true, "/a folder/photo.exr");
    wished(LIVE_RELOAD, false, "photo.exr");
}

static void test_drawings(void **state) {
    (void)state;
    Bytes commands;
    unsigned changes;
    REQUIRE(apply("create"));
    REQUIRE(live_drawing("tev:render", &commands, &changes));
    assert_int_equal(commands.size, 0);
    REQUIRE(apply("draw")); /* it appends */
    REQUIRE(live_drawing("tev:render", &commands, &changes));
    const size_t once = commands.size;
    assert_true(once > 0);
    bytes_free(&commands);
    REQUIRE(apply("draw"));
    REQUIRE(live_drawing("tev:render", &commands, &changes));
    assert_int_equal(commands.size, 2 * once);
    bytes_free(&commands);
}

/* ---- the listener ---- */

static void send_bytes(int descriptor, const void *data, size_t size) {
    for (size_t sent = 0; sent < size;) {
        struct pollfd wait = {descriptor, POLLOUT, 0};
        assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
        const ssize_t done = send(descriptor, (const char *)data + sent, size - sent, MSG_NOSIGNAL);
        if (done < 0)
            return; /* it was closed, as may be wanted */
        sent += (size_t)done;
    }
}

static void send_file(int descriptor, const char *name) {
    Bytes bytes = load(name);
    send_bytes(descriptor, bytes.data, bytes.size);
    bytes_free(&bytes);
}

/* Whether the other end closes the connection. */
static bool is_closed(int descriptor) {
    struct pollfd wait = {descriptor, POLLIN, 0};
    char byte;
    return poll(&wait, 1, PATIENCE_MS) == 1 && recv(descriptor, &byte, 1, 0) <= 0;
}

static void await_wish(LiveWish wish, const char *text) {
    LiveEvent event;
    struct pollfd wait = {live_descriptor(), POLLIN, 0};
    while (!live_take(&event)) {
        assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
        live_hear();
    }
    assert_string_equal(event.text, text);
    assert_int_equal(event.wish, wish);
    free(event.text);
}

static Listener *listen_with(const char *token, char name[static 64]) {
    Listener *listener;
    REQUIRE(listener_begin("127.0.0.1:0", token, name, 64, &listener));
    return listener;
}

static int connect_to(const char *name) {
    int descriptor;
    REQUIRE(address_connect("send", name, &descriptor));
    return descriptor;
}

enum { SENDERS = 4, ROUNDS = 200 };

typedef struct Sender {
    pthread_t thread;
    const char *name;
    unsigned first;
} Sender;

/* Creates a picture of its own and fills it again and again. */
static void *send_rounds(void *argument) {
    const Sender *sender = argument;
    char own[16];
    float values[64 * 64];
    Bytes bytes = {0};
    size_t capacity = 0;
    const int descriptor = connect_to(sender->name);
    snprintf(own, sizeof own, "own %u", sender->first);
    TevPacket packet = create_of(own, 64);
    REQUIRE(tev_write(&packet, &bytes, &capacity));
    send_bytes(descriptor, bytes.data, bytes.size);
    packet.kind = TEV_UPDATE;
    packet.strides[0] = 1;
    packet.values = (const unsigned char *)values;
    packet.value_count = 64 * 64;
    for (int round = 1; round <= ROUNDS; round++) {
        for (size_t i = 0; i < packet.value_count; i++)
            values[i] = (float)round;
        REQUIRE(tev_write(&packet, &bytes, &capacity));
        send_bytes(descriptor, bytes.data, bytes.size / 2); /* in two parts */
        send_bytes(descriptor, bytes.data + bytes.size / 2, bytes.size - bytes.size / 2);
    }
    bytes_free(&bytes);
    close(descriptor);
    return NULL;
}

/* A copy is of one update, never of two; the last one arrives. */
static void test_senders(void **state) {
    (void)state;
    char name[64], path[32];
    Listener *listener = listen_with(NULL, name);
    Sender senders[SENDERS];
    for (unsigned i = 0; i < SENDERS; i++) {
        senders[i] = (Sender){.name = name, .first = i};
        assert_int_equal(pthread_create(&senders[i].thread, NULL, send_rounds, &senders[i]), 0);
    }
    for (unsigned done = 0; done < SENDERS;) {
        done = 0;
        for (LiveEvent event; live_take(&event);)
            free(event.text);
        for (unsigned i = 0; i < SENDERS; i++) {
            Image *image;
            snprintf(path, sizeof path, "tev:own %u", i);
            if (live_changes(path) == 0)
                continue;
            REQUIRE(live_copy(path, &image, NULL));
            const double value = view_value(image->view, 0, 0, 0);
            has(image, 63, 63, 0, value);
            done += value >= ROUNDS;
            image_destroy(&image);
        }
    }
    for (unsigned i = 0; i < SENDERS; i++)
        pthread_join(senders[i].thread, NULL);
    listener_end(&listener);
}

static void test_tokens(void **state) {
    (void)state;
    char name[64];
    Listener *listener;
    assert_int_equal(listener_begin("0.0.0.0:0", NULL, name, sizeof name, &listener), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "token"));
    assert_int_equal(listener_begin("127.0.0.1:0", "short", name, sizeof name, &listener), STATUS_USAGE);
    REQUIRE(listener_begin("0.0.0.0:0", "a secret word", name, sizeof name, &listener));
    listener_end(&listener);
    listener = listen_with("a secret word", name);
    int stranger = connect_to(name), other = connect_to(name), friend = connect_to(name), large = connect_to(name);
    send_file(stranger, "create");
    assert_true(is_closed(stranger));
    await_wish(LIVE_SAY, "a program without the token wanted to show pictures");
    Bytes bytes = {0};
    size_t capacity = 0;
    TevPacket packet = {.kind = TEV_OPEN, .name = "token", .selector = "a secret worD"};
    REQUIRE(tev_write(&packet, &bytes, &capacity));
    send_bytes(other, bytes.data, bytes.size);
    assert_true(is_closed(other));
    await_wish(LIVE_SAY, "a program without the token wanted to show pictures");
    send_bytes(large, (const unsigned char[]){0, 0, 1, 0}, 4);
    assert_true(is_closed(large));
    await_wish(LIVE_SAY, "a program without the token wanted to show pictures");
    packet.selector = "a secret word";
    REQUIRE(tev_write(&packet, &bytes, &capacity));
    send_bytes(friend, bytes.data, bytes.size);
    send_file(friend, "create");
    await_wish(LIVE_SHOW, "tev:render");
    int crowd[LISTEN_CONNECTIONS]; /* strangers that say nothing give way to others, and friends do not */
    for (int i = 0; i < LISTEN_CONNECTIONS; i++)
        crowd[i] = connect_to(name);
    assert_true(is_closed(crowd[0]));
    const int another = connect_to(name);
    send_bytes(another, bytes.data, bytes.size);
    send_file(another, "close");
    await_wish(LIVE_LEAVE, "tev:render");
    send_file(friend, "create");
    await_wish(LIVE_SHOW, "tev:render");
    bytes_free(&bytes);
    for (int i = 0; i < LISTEN_CONNECTIONS; i++)
        close(crowd[i]);
    close(another);
    close(stranger);
    close(other);
    close(friend);
    close(large);
    listener_end(&listener);
}

/* A packet that cannot be read ends its connection alone; one that is cut short says so. Too many do not get in. */
static void test_hostile(void **state) {
    (void)state;
    char name[64];
    Listener *listener = listen_with(NULL, name);
    int good = connect_to(name), bad = connect_to(name), huge = connect_to(name), half = connect_to(name);
    const int page = connect_to(name); /* its first bytes are a length that may be */
    send_bytes(page, "GET / HTTP/1.1\r\n", 16);
    assert_true(is_closed(page));
    await_wish(LIVE_SAY, "a packet of type 47, want 0 to 8");
    close(page);
    send_bytes(bad, (const unsigned char[]){6, 0, 0, 0, 99, 1}, 6);
    assert_true(is_closed(bad));
    await_wish(LIVE_SAY, "a packet of type 99, want 0 to 8");
    send_bytes(huge, (const unsigned char[]){255, 255, 255, 255}, 4);
    assert_true(is_closed(huge));
    await_wish(LIVE_SAY, "a packet of 4294967295 bytes, want 5 to 1073741824");
    send_bytes(half, (const unsigned char[]){255, 0, 0, 0, 4}, 5);
    close(half);
    await_wish(LIVE_SAY, "a connection ends within a packet");
    send_file(good, "update");
    await_wish(LIVE_SAY, "render was not created: nothing of it can be changed");
    send_file(good, "create");
    await_wish(LIVE_SHOW, "tev:render");
    int crowd[LISTEN_CONNECTIONS];
    for (int i = 0; i < LISTEN_CONNECTIONS; i++)
        crowd[i] = connect_to(name);
    assert_true(is_closed(crowd[LISTEN_CONNECTIONS - 1]));
    await_wish(LIVE_SAY, "more programs want to show pictures than there may be at once: 16");
    send_file(good, "close");
    await_wish(LIVE_LEAVE, "tev:render");
    for (int i = 0; i < LISTEN_CONNECTIONS; i++)
        close(crowd[i]);
    close(good);
    close(bad);
    close(huge);
    listener_end(&listener);
}

/* A program that comes while there are no descriptors is taken in later. */
static void test_no_descriptors(void **state) {
    (void)state;
    char name[64];
    struct rlimit limit;
    Listener *listener = listen_with(NULL, name);
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(descriptor >= 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)descriptor + 1, limit.rlim_max}), 0);
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)strtoul(strchr(name, ':') + 1, NULL, 10)),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int connected = connect(descriptor, (const struct sockaddr *)(const void *)&at, sizeof at);
    usleep(100000);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(connected, 0);
    send_file(descriptor, "create");
    await_wish(LIVE_SHOW, "tev:render");
    close(descriptor);
    listener_end(&listener);
}

/* Wishes that nobody takes hold their sender up, and no longer than the listener is there. */
static void test_end_of_waits(void **state) {
    (void)state;
    char name[64];
    Listener *listener = listen_with(NULL, name);
    const int descriptor = connect_to(name);
    for (int i = 0; i < 2 * LIVE_WISHES; i++)
        send_file(descriptor, i % 2 ? "open" : "reload");
    struct pollfd wait = {live_descriptor(), POLLIN, 0};
    assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
    listener_end(&listener);
    close(descriptor);
}

static void test_addresses(void **state) {
    (void)state;
    static const char *const wrong[] = {"127.0.0.1:",       "127.0.0.1:x", "::1:14158",      "[::1]x",
                                        "127.0.0.1:123456", "[::1:7",      "127.0.0.1:65536"};
    int descriptor;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(address_connect("send", wrong[i], &descriptor), STATUS_USAGE);
        assert_int_equal(descriptor, -1);
    }
    assert_int_equal(address_connect("send", "127.0.0.1:1", &descriptor), STATUS_DEVICE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_updates, begin, end),
        cmocka_unit_test_setup_teardown(test_layers, begin, end),
        cmocka_unit_test_setup_teardown(test_many_channels, begin, end),
        cmocka_unit_test_setup_teardown(test_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_names, begin, end),
        cmocka_unit_test_setup_teardown(test_made_anew, begin, end),
        cmocka_unit_test_setup_teardown(test_same_paths, begin, end),
        cmocka_unit_test_setup_teardown(test_bounds, begin, end),
        cmocka_unit_test_setup_teardown(test_files, begin, end),
        cmocka_unit_test_setup_teardown(test_drawings, begin, end),
        cmocka_unit_test(test_senders),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_no_descriptors),
        cmocka_unit_test(test_end_of_waits),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
