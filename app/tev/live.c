/* live.c: the table. Pixels have a lock of their own, which packets hold for long. The table's other lock is held
 * briefly: the window's thread takes that one alone. */
#include "app/tev/live.h"

#include "core/base/memory.h"
#include "core/base/text.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { COLOURS = 3, PATH_MAX_BYTES = 4 * TEV_NAME_MAX + 2 * TEV_NAME_MAX, DRAWING_MAX = 1 << 22 /* bytes */ };

typedef struct LivePicture {
    char *path;
    Image *image; /* f32 */
    unsigned changes;
} LivePicture;

/* Where the values of a channel go. */
typedef struct LiveChannel {
    char *name;
    int picture, component;
} LiveChannel;

typedef struct LiveImage {
    char *name;
    int channel_count, picture_count;
    LiveChannel channels[TEV_CHANNELS_MAX];
    LivePicture *pictures; /* as many as channels at most */
    Bytes drawing;         /* commands */
    size_t drawing_capacity;
} LiveImage;

static struct {
    pthread_mutex_t pixels; /* taken before `table` */
    pthread_mutex_t table;
    pthread_cond_t taken; /* a wish was, or the end has come */
    bool open;
    int news;                    /* an eventfd */
    LiveImage *images[LIVE_MAX]; /* each is one picture at least */
    size_t count, bytes;
    unsigned changes;
    LiveEvent wishes[LIVE_WISHES];
    size_t first, waiting;
} live = {.pixels = PTHREAD_MUTEX_INITIALIZER,
          .table = PTHREAD_MUTEX_INITIALIZER,
          .taken = PTHREAD_COND_INITIALIZER,
          .news = -1};

static Status short_of_memory(void) {
    return fail(STATUS_DEVICE, "no memory for a picture that another program sends");
}

/* ---- news ---- */

/* Under the lock of the table. */
static void tell(void) {
    const uint64_t one = 1;
    if (live.news >= 0 && write(live.news, &one, sizeof one) < 0)
        return; /* it is readable anyway */
}

/* Whether the last one that waits is the same. */
static bool wished(LiveEvent event) {
    const LiveEvent *last = &live.wishes[(live.first + live.waiting + LIVE_WISHES - 1) % LIVE_WISHES];
    return live.waiting > 0 && last->wish == event.wish && last->focus == event.focus &&
           strcmp(last->text, event.text) == 0;
}

/* Takes the text over. Waits for the window, which may wait for the pixels: nobody may hold them here. */
static Status wish(LiveEvent event) {
    if (!event.text)
        return short_of_memory();
    pthread_mutex_lock(&live.table);
    if (wished(event)) {
        pthread_mutex_unlock(&live.table);
        free(event.text);
        return STATUS_OK;
    }
    while (live.open && live.waiting == LIVE_WISHES)
        pthread_cond_wait(&live.taken, &live.table);
    const bool open = live.open;
    if (open) {
        live.wishes[(live.first + live.waiting++) % LIVE_WISHES] = event;
        tell();
    }
    pthread_mutex_unlock(&live.table);
    if (open)
        return STATUS_OK;
    free(event.text);
    return STATUS_INTERRUPTED;
}

void live_say(const char *sentence) {
    bool says = false;
    pthread_mutex_lock(&live.table);
    for (size_t i = 0; i < live.waiting; i++)
        says |= live.wishes[(live.first + i) % LIVE_WISHES].wish == LIVE_SAY;
    says |= live.waiting == LIVE_WISHES;
    pthread_mutex_unlock(&live.table);
    if (!says)
        (void)wish((LiveEvent){LIVE_SAY, false, text_escaped(sentence, TEXT_PRINTABLE)});
}

bool live_take(LiveEvent *event) {
    pthread_mutex_lock(&live.table);
    const bool there = live.waiting > 0;
    if (there) {
        *event = live.wishes[live.first];
        live.first = (live.first + 1) % LIVE_WISHES;
        live.waiting--;
        pthread_cond_broadcast(&live.taken);
    }
    pthread_mutex_unlock(&live.table);
    return there;
}

int live_descriptor(void) {
    return live.news;
}

void live_hear(void) {
    uint64_t count;
    if (live.news >= 0 && read(live.news, &count, sizeof count) < 0)
        return; /* nothing is new */
}

/* ---- the table ---- */

static LiveImage *find_image(const char *name) {
    for (size_t i = 0; i < live.count; i++)
        if (strcmp(live.images[i]->name, name) == 0)
            return live.images[i];
    return NULL;
}

static LivePicture *find_picture(const char *path, LiveImage **of) {
    for (size_t i = 0; i < live.count; i++)
        for (int p = 0; p < live.images[i]->picture_count; p++)
            if (strcmp(live.images[i]->pictures[p].path, path) == 0) {
                *of = live.images[i];
                return &live.images[i]->pictures[p];
            }
    return NULL;
}

unsigned live_changes(const char *path) {
    LiveImage *of;
    pthread_mutex_lock(&live.table);
    const LivePicture *picture = find_picture(path, &of);
    const unsigned changes = picture ? picture->changes : 0;
    pthread_mutex_unlock(&live.table);
    return changes;
}

static size_t image_bytes(const LiveImage *image) {
    size_t bytes = image->drawing_capacity;
    for (int p = 0; p < image->picture_count; p++)
        bytes += image->pictures[p].image ? shape_bytes(image->pictures[p].image->view.shape) : 0;
    return bytes;
}

static void free_image(LiveImage *image) {
    if (!image)
        return;
    for (int p = 0; image->pictures && p < image->picture_count; p++) {
        free(image->pictures[p].path);
        image_destroy(&image->pictures[p].image);
    }
    for (int c = 0; c < image->channel_count; c++)
        free(image->channels[c].name);
    free(image->pictures);
    bytes_free(&image->drawing);
    free(image->name);
    free(image);
}

/* Under both locks. */
static void remove_image(const LiveImage *image) {
    size_t at = 0;
    while (at < live.count && live.images[at] != image)
        at++;
    if (at == live.count)
        return;
    live.bytes -= image_bytes(image);
    live.images[at] = live.images[--live.count];
}

/* ---- channels as pictures ---- */

/* The characters of the layer's name, with its dot. */
static size_t layer_length(const char *channel) {
    const char *dot = strrchr(channel, '.');
    return dot ? (size_t)(dot + 1 - channel) : 0;
}

static bool same_layer(const char *a, const char *b) {
    const size_t length = layer_length(a);
    return layer_length(b) == length && strncmp(a, b, length) == 0;
}

/* Red, green and blue are 0 to 2, others 3, alpha 4. */
static int rank(const char *channel) {
    static const char *const names[] = {"R", "G", "B"};
    const char *name = channel + layer_length(channel);
    for (int i = 0; i < COLOURS; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return strcmp(name, "A") == 0 ? COLOURS + 1 : COLOURS;
}

/* The channels of a picture of glint; `alpha` may be -1. */
typedef struct Group {
    int colours[COLOURS], count, alpha;
} Group;

static Status make_picture(LiveImage *image, const TevPacket *packet, Group group, bool first_of_layer) {
    const char *leader = packet->channels[group.count > 0 ? group.colours[0] : group.alpha];
    const size_t layer = layer_length(leader);
    const int colours = group.count > 1 ? COLOURS : 1;
    const Shape shape = {packet->width, packet->height, colours + (group.alpha >= 0 && group.count > 0), PIXEL_F32};
    LivePicture *picture = &image->pictures[image->picture_count];
    char *part = first_of_layer ? strndup(leader, layer > 0 ? layer - 1 : 0) : strdup(leader);
    char *path = NULL, *escaped = NULL;
    const int length = part ? asprintf(&path, "tev:%s%s%s", packet->name, part[0] ? ":" : "", part) : -1;
    if (length >= 0)
        escaped = text_escaped(path, TEXT_PRINTABLE);
    free(part);
    free(length >= 0 ? path : NULL);
    if (!escaped)
        return short_of_memory();
    *picture = (LivePicture){.path = escaped};
    image->picture_count++;
    TRY(image_create(shape, &picture->image));
    picture->image->premultiplied = shape_has_alpha(shape);
    for (int i = 0; i < group.count; i++)
        image->channels[group.colours[i]] =
            (LiveChannel){image->channels[group.colours[i]].name, image->picture_count - 1, i};
    if (group.alpha >= 0) {
        image->channels[group.alpha].picture = image->picture_count - 1;
        image->channels[group.alpha].component = shape.channels - 1;
    }
    return STATUS_OK;
}

/* The pictures of one layer, that of channel `first`. */
static Status make_layer(LiveImage *image, const TevPacket *packet, int first) {
    Group group = {.alpha = -1};
    bool first_of_layer = true;
    for (int c = first; c < packet->channel_count; c++)
        if (rank(packet->channels[c]) > COLOURS && same_layer(packet->channels[c], packet->channels[first]))
            group.alpha = c;
    for (int at = 0; at <= COLOURS; at++)
        for (int c = first; c < packet->channel_count; c++) {
            if (rank(packet->channels[c]) != at || !same_layer(packet->channels[c], packet->channels[first]))
                continue;
            if (group.count == COLOURS) {
                TRY(make_picture(image, packet, group, first_of_layer));
                group = (Group){.alpha = -1};
                first_of_layer = false;
            }
            group.colours[group.count++] = c;
        }
    return make_picture(image, packet, group, first_of_layer);
}

static Status make_pictures(LiveImage *image, const TevPacket *packet) {
    for (int c = 0; c < packet->channel_count; c++) {
        image->channels[c].name = strdup(packet->channels[c]);
        image->channel_count++;
        if (!image->channels[c].name)
            return short_of_memory();
    }
    for (int c = 0; c < packet->channel_count; c++) {
        bool first = true;
        for (int before = 0; before < c && first; before++)
            first = !same_layer(packet->channels[c], packet->channels[before]);
        if (first)
            TRY(make_layer(image, packet, c));
    }
    return STATUS_OK;
}

/* ---- packets ---- */

/* All pictures together take half of the budget: the window needs as much again to show one. */
static Status check_room(const TevPacket *packet, size_t freed) {
    const size_t pixels = memory_product(packet->width, packet->height), max = memory_budget() / 2;
    const size_t channels = (size_t)packet->channel_count,
                 most = channels + channels / 2; /* two colours become three */
    const size_t bytes = memory_sum(live.bytes - freed, memory_product(memory_product(pixels, most), sizeof(float)));
    return bytes <= max ? STATUS_OK : memory_lacks(bytes, max, packet->name);
}

static Status check_paths(const LiveImage *made, const LiveImage *before) {
    LiveImage *of;
    for (int p = 0; p < made->picture_count; p++) {
        bool taken = find_picture(made->pictures[p].path, &of) && of != before;
        for (int other = 0; other < p; other++)
            taken |= strcmp(made->pictures[other].path, made->pictures[p].path) == 0;
        if (taken)
            return fail(STATUS_INPUT, "%s is another picture already", made->pictures[p].path);
    }
    return STATUS_OK;
}

/* The window lists each of them. */
static Status check_count(const LiveImage *made, const LiveImage *before) {
    int count = made->picture_count - (before ? before->picture_count : 0);
    for (size_t i = 0; i < live.count; i++)
        count += live.images[i]->picture_count;
    return count <= LIVE_MAX
               ? STATUS_OK
               : fail(STATUS_INPUT, "with %s there would be %d pictures; want at most %d", made->name, count, LIVE_MAX);
}

/* Under the lock of the pixels. */
static Status put_image(LiveImage *made, LiveImage *before) {
    TRY(check_paths(made, before));
    TRY(check_count(made, before));
    pthread_mutex_lock(&live.table);
    if (before)
        remove_image(before);
    for (int p = 0; p < made->picture_count; p++)
        made->pictures[p].changes = ++live.changes;
    live.images[live.count++] = made;
    live.bytes += image_bytes(made);
    pthread_mutex_unlock(&live.table);
    free_image(before);
    return STATUS_OK;
}

static Status create(const TevPacket *packet) {
    LiveImage *before = find_image(packet->name), *made = calloc(1, sizeof *made);
    Status status = made ? check_room(packet, before ? image_bytes(before) : 0) : short_of_memory();
    if (status == STATUS_OK) {
        made->name = strdup(packet->name);
        made->pictures = calloc((size_t)packet->channel_count, sizeof *made->pictures);
        status = made->name && made->pictures ? make_pictures(made, packet) : short_of_memory();
    }
    if (status == STATUS_OK)
        status = put_image(made, before);
    if (status != STATUS_OK)
        free_image(made);
    return status;
}

static Status find_created(const TevPacket *packet, LiveImage **image) {
    *image = find_image(packet->name);
    return *image ? STATUS_OK : fail(STATUS_INPUT, "%s was not created: nothing of it can be changed", packet->name);
}

static const LiveChannel *find_channel(const LiveImage *image, const char *name) {
    for (int c = 0; c < image->channel_count; c++)
        if (strcmp(image->channels[c].name, name) == 0)
            return &image->channels[c];
    return NULL;
}

static void copy_channel(const TevPacket *packet, int c, ImageView view, int component) {
    const size_t channels = (size_t)view.shape.channels;
    size_t pixel = 0;
    for (size_t y = 0; y < packet->height; y++) {
        float *row = (float *)view_row(view, packet->y + y) + packet->x * channels + (size_t)component;
        for (size_t x = 0; x < packet->width; x++)
            row[x * channels] = tev_value(packet, c, pixel++);
    }
}

static Status update(const TevPacket *packet) {
    LiveImage *image;
    TRY(find_created(packet, &image));
    const Shape shape = image->pictures[0].image->view.shape;
    if (packet->width > shape.width || packet->x > shape.width - packet->width || packet->height > shape.height ||
        packet->y > shape.height - packet->height)
        return fail(STATUS_INPUT, "%s has %zux%zu pixels: %zux%zu at %zu, %zu are not within", packet->name,
                    shape.width, shape.height, packet->width, packet->height, packet->x, packet->y);
    for (int c = 0; c < packet->channel_count; c++)
        if (!find_channel(image, packet->channels[c]))
            return fail(STATUS_INPUT, "%s has no channel %s", packet->name, packet->channels[c]);
    bool changed[TEV_CHANNELS_MAX] = {false};
    for (int c = 0; c < packet->channel_count; c++) {
        const LiveChannel *channel = find_channel(image, packet->channels[c]);
        copy_channel(packet, c, image->pictures[channel->picture].image->view, channel->component);
        changed[channel->picture] = true;
    }
    pthread_mutex_lock(&live.table);
    for (int p = 0; p < image->picture_count; p++)
        if (changed[p])
            image->pictures[p].changes = ++live.changes;
    tell();
    pthread_mutex_unlock(&live.table);
    return STATUS_OK;
}

static Status draw(const TevPacket *packet) {
    LiveImage *image;
    TRY(find_created(packet, &image));
    if (packet->commands.size > DRAWING_MAX - (packet->append ? image->drawing.size : 0))
        return fail(STATUS_INPUT, "%s has more than %d bytes of drawings", packet->name, DRAWING_MAX);
    const size_t max = memory_budget() / 2, bytes = memory_sum(live.bytes, 2 * packet->commands.size); /* it doubles */
    if (bytes > max)
        return memory_lacks(bytes, max, packet->name);
    pthread_mutex_lock(&live.table);
    live.bytes -= image->drawing_capacity;
    image->drawing.size = packet->append ? image->drawing.size : 0;
    const bool done =
        bytes_append(&image->drawing, &image->drawing_capacity, packet->commands.data, packet->commands.size);
    live.bytes += image->drawing_capacity;
    for (int p = 0; p < image->picture_count; p++)
        image->pictures[p].changes = ++live.changes;
    tell();
    pthread_mutex_unlock(&live.table);
    return done ? STATUS_OK : short_of_memory();
}

/* The wishes that the window gets for a packet, once the pixels are free again. */
typedef struct Wishes {
    LiveEvent list[2 * TEV_CHANNELS_MAX];
    int count;
} Wishes;

static Status add_wish(Wishes *wishes, LiveWish kind, bool focus, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return short_of_memory();
    wishes->list[wishes->count++] = (LiveEvent){kind, focus, copy};
    return STATUS_OK;
}

/* For each picture, from the last to the first: the first is shown in the end. */
static Status add_all(Wishes *wishes, LiveWish kind, bool focus, const LiveImage *image) {
    for (int p = image->picture_count; p-- > 0;)
        TRY(add_wish(wishes, kind, focus && p == 0, image->pictures[p].path));
    return STATUS_OK;
}

/* Pictures of the one before, whose layers are not there any more, leave once the others are listed. */
static Status apply_create(const TevPacket *packet, Wishes *wishes) {
    const LiveImage *before = find_image(packet->name);
    Wishes old = {.count = 0};
    LiveImage *of;
    Status status = before ? add_all(&old, LIVE_LEAVE, false, before) : STATUS_OK;
    if (status == STATUS_OK)
        status = create(packet);
    if (status == STATUS_OK)
        status = add_all(wishes, LIVE_SHOW, packet->focus, find_image(packet->name));
    for (int i = 0; i < old.count; i++) {
        if (status == STATUS_OK && !find_picture(old.list[i].text, &of))
            wishes->list[wishes->count++] = old.list[i];
        else
            free(old.list[i].text);
    }
    return status;
}

/* A picture that is not in the table is a file. */
static Status apply_close(const TevPacket *packet, Wishes *wishes) {
    LiveImage *image = find_image(packet->name);
    if (!image)
        return add_wish(wishes, LIVE_LEAVE, false, packet->name);
    const Status status = add_all(wishes, LIVE_LEAVE, false, image);
    pthread_mutex_lock(&live.table);
    remove_image(image);
    pthread_mutex_unlock(&live.table);
    free_image(image);
    return status;
}

/* Pictures of the table are always as they were sent last. */
static Status apply_reload(const TevPacket *packet, Wishes *wishes) {
    const LiveImage *image = find_image(packet->name);
    return image ? add_wish(wishes, LIVE_SHOW, packet->focus, image->pictures[0].path)
                 : add_wish(wishes, LIVE_RELOAD, packet->focus, packet->name);
}

static Status apply_open(const TevPacket *packet, Wishes *wishes) {
    return add_wish(wishes, LIVE_OPEN, packet->focus, packet->name);
}

static Status show_changed(const TevPacket *packet, Wishes *wishes) {
    return packet->focus ? add_wish(wishes, LIVE_SHOW, true, find_image(packet->name)->pictures[0].path) : STATUS_OK;
}

static Status apply_update(const TevPacket *packet, Wishes *wishes) {
    TRY(update(packet));
    return show_changed(packet, wishes);
}

static Status apply_draw(const TevPacket *packet, Wishes *wishes) {
    TRY(draw(packet));
    return show_changed(packet, wishes);
}

static Status (*const rows[TEV_KINDS])(const TevPacket *packet, Wishes *wishes) = {
    [TEV_OPEN] = apply_open,     [TEV_RELOAD] = apply_reload, [TEV_CLOSE] = apply_close,
    [TEV_CREATE] = apply_create, [TEV_UPDATE] = apply_update, [TEV_DRAW] = apply_draw,
};

Status live_apply(const TevPacket *packet) {
    Wishes wishes = {.count = 0};
    pthread_mutex_lock(&live.pixels);
    Status status = live.open ? rows[packet->kind](packet, &wishes) : STATUS_INTERRUPTED;
    pthread_mutex_unlock(&live.pixels);
    for (int i = 0; i < wishes.count; i++) {
        if (status == STATUS_OK)
            status = wish(wishes.list[i]);
        else
            free(wishes.list[i].text);
    }
    return status;
}

/* ---- the window ---- */

Status live_copy(const char *path, Image **image, unsigned *changes) {
    LiveImage *of;
    Status status = STATUS_OK;
    pthread_mutex_lock(&live.pixels);
    const LivePicture *picture = find_picture(path, &of);
    if (!picture)
        status = fail(STATUS_INPUT, "%s: the program that sent it has closed it", path);
    else if (image)
        status = image_clone(picture->image->view, image);
    if (status == STATUS_OK && image)
        (*image)->premultiplied = picture->image->premultiplied;
    if (status == STATUS_OK && changes)
        *changes = picture->changes;
    pthread_mutex_unlock(&live.pixels);
    return status;
}

Status live_drawing(const char *path, Bytes *commands, unsigned *changes) {
    LiveImage *of;
    size_t capacity = 0;
    bool done = true;
    *commands = (Bytes){0};
    pthread_mutex_lock(&live.table);
    const LivePicture *picture = find_picture(path, &of);
    if (picture && of->drawing.size > 0)
        done = bytes_append(commands, &capacity, of->drawing.data, of->drawing.size);
    *changes = picture ? picture->changes : 0;
    pthread_mutex_unlock(&live.table);
    return done ? STATUS_OK : short_of_memory();
}

/* ---- begin and end ---- */

Status live_begin(void) {
    live.news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    live.open = live.news >= 0;
    return live.open ? STATUS_OK : fail(STATUS_DEVICE, "no descriptor for pictures of other programs: %m");
}

void live_end(void) {
    LiveEvent event;
    pthread_mutex_lock(&live.pixels);
    pthread_mutex_lock(&live.table);
    live.open = false;
    pthread_cond_broadcast(&live.taken);
    pthread_mutex_unlock(&live.table);
    while (live_take(&event))
        free(event.text);
    pthread_mutex_lock(&live.table);
    while (live.count > 0) {
        LiveImage *image = live.images[live.count - 1];
        remove_image(image);
        free_image(image);
    }
    if (live.news >= 0)
        close(live.news);
    live.news = -1;
    pthread_mutex_unlock(&live.table);
    pthread_mutex_unlock(&live.pixels);
}
