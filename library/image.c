/* image.c: picture files, and images in memory. */
#include "library/library.h"

#include "core/base/draft.h"
#include "core/base/memory.h"
#include "core/codec/save.h"
#include "core/image/about.h"
#include "core/run/rendering.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

/* A library keeps no ledger of the files that it reads, and leaves the descriptor when it returns. */
static Status read_all(int file, const char *path, Bytes *bytes) {
    enum { FIRST = 1 << 16 };
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    if (S_ISDIR(facts.st_mode))
        return fail(STATUS_INPUT, "%s: is a folder; want a file", path);
    const size_t max = memory_budget();
    size_t capacity = S_ISREG(facts.st_mode) && facts.st_size > 0 ? (size_t)facts.st_size + 1 : FIRST;
    for (;; capacity *= 2) {
        if (capacity > max)
            return memory_lacks(capacity, max, "reading it");
        unsigned char *grown = realloc(bytes->data, capacity);
        if (!grown)
            return fail(STATUS_DEVICE, "%s: no memory to read it", path);
        bytes->data = grown;
        while (bytes->size < capacity) {
            const ssize_t got = read(file, bytes->data + bytes->size, capacity - bytes->size);
            if (got < 0 && errno != EINTR)
                return fail(STATUS_INPUT, "%s: cannot be read: %m", path);
            if (got == 0)
                return STATUS_OK;
            bytes->size += got > 0 ? (size_t)got : 0;
        }
    }
}

static Status read_file(const char *path, Bytes *bytes) {
    *bytes = (Bytes){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    const Status status = read_all(file, path, bytes);
    close(file);
    if (status != STATUS_OK)
        bytes_free(bytes);
    return status;
}

static Status wrap(Image *pictures, GlintImage **image) {
    *image = malloc(sizeof **image);
    if (!*image) {
        image_destroy(&pictures);
        return fail(STATUS_DEVICE, "no memory for an image");
    }
    (*image)->image = pictures;
    return STATUS_OK;
}

/* Takes the bytes over. */
static Status decode(CodecBox *box, const char *name, Bytes bytes, GlintImage **image) {
    CodecFile file;
    Image *pictures;
    Input input = input_own(name, bytes);
    TRY(codec_adopt(&input, (Pages){0}, box, &file));
    const size_t needed = codec_memory(&file), budget = memory_budget();
    if (needed > budget) {
        codec_close(&file);
        (void)memory_lacks(needed, budget, "decoding it");
        return fail_within(STATUS_INPUT, "%s: ", name);
    }
    TRY(codec_read(&file, budget, &pictures));
    return wrap(pictures, image);
}

Status library_read(const char *function, CodecBox *box, const char *path, GlintImage **image) {
    Bytes bytes;
    TRY(library_given(function, "image", image));
    *image = NULL;
    TRY(library_given(function, "path", path));
    TRY(library_begin());
    TRY(read_file(path, &bytes));
    return decode(box, path, bytes, image);
}

GlintStatus glint_read(const char *path, GlintImage **image, GlintError *error) {
    return library_settle(library_read("glint_read", NULL, path, image), error);
}

Status library_decode(const char *function, CodecBox *box, const void *bytes, size_t size, GlintImage **image) {
    TRY(library_given(function, "image", image));
    *image = NULL;
    TRY(library_given(function, "bytes", bytes));
    TRY(library_begin());
    Bytes copy = {malloc(size + 1), size};
    if (!copy.data)
        return fail(STATUS_DEVICE, "no memory for %zu bytes", size);
    memcpy(copy.data, bytes, size);
    return decode(box, "the bytes", copy, image);
}

GlintStatus glint_decode(const void *bytes, size_t size, GlintImage **image, GlintError *error) {
    return library_settle(library_decode("glint_decode", NULL, bytes, size, image), error);
}

/* ---- writing ---- */

static const Option *find_option(const Format *format, const char *name, size_t length) {
    const OptionTable all = save_options_table(0);
    for (size_t i = 0; i < format->options.count; i++)
        for (size_t k = 0; k < all.count; k++)
            if (strcmp(format->options.rows[i].name, all.rows[k].name) == 0 && strlen(all.rows[k].name) == length &&
                strncmp(all.rows[k].name, name, length) == 0)
                return &all.rows[k];
    return NULL;
}

/* One item: "quality=90" or "progressive". */
static Status read_option(const Format *format, char *item, SaveOptions *how) {
    char *sign = strchr(item, '=');
    const Option *option = find_option(format, item, sign ? (size_t)(sign - item) : strlen(item));
    if (!option)
        return fail(STATUS_USAGE, "option \"%s\": %s has no such option (glint batch --help)", item, format->title);
    if (option->kind == OPTION_SWITCH ? sign != NULL : !sign && !option->optional)
        return fail(STATUS_USAGE, "option \"%s\": want %s%s%s", item, option->name, sign ? "" : "=",
                    sign ? "" : option->value);
    return option_read(option, sign ? sign + 1 : NULL, how);
}

static Status read_options(const Format *format, const char *text, SaveOptions *how) {
    *how = (SaveOptions){0};
    Status status = STATUS_OK;
    char *copy = strdup(text ? text : ""), *rest = copy;
    if (!copy)
        return fail(STATUS_DEVICE, "no memory for options");
    for (char *item; status == STATUS_OK && (item = strsep(&rest, ","));)
        status = *item || (rest && *rest) ? read_option(format, item, how) : STATUS_OK;
    free(copy);
    return status;
}

/* Whether the format takes the pictures as they are. */
static bool is_ready(const Format *format, const Image *first) {
    bool ready = true;
    for (const Image *image = first; image && ready; image = image->next)
        ready = format_writes(format, image->view.shape) && !image->gain_map && !image->rendered;
    return ready;
}

static Status encode(const GlintImage *image, const Format *format, const char *options, Bytes *file) {
    SaveOptions how;
    Image *fitted = NULL;
    if (format->lacks || !format->writes)
        return fail(STATUS_USAGE, "%s cannot be written%s%s; `glint list formats` shows all formats", format->title,
                    format->lacks ? ": glint was built without " : "", format->lacks ? format->lacks : "");
    TRY(read_options(format, options, &how));
    if (is_ready(format, image->image))
        return codec_encode(format, image->image, how, file);
    TRY(image_copy(image->image, &fitted));
    Status status = rendering_fit(format, &how, &fitted);
    if (status == STATUS_OK)
        status = picture_fit_channels(format, &fitted);
    if (status == STATUS_OK)
        status = codec_encode(format, fitted, how, file);
    image_destroy(&fitted);
    return status;
}

static Status put_file(const char *path, Bytes file) {
    Draft *draft;
    bool taken;
    TRY(draft_begin(NULL, path, true, &draft));
    const Status status = draft_append(draft, file.data, file.size);
    if (status == STATUS_OK)
        return draft_finish(&draft, true, &taken);
    draft_drop(&draft);
    return status;
}

static Status write_image(const GlintImage *image, const char *path, const char *options) {
    Bytes file;
    TRY(library_given("glint_write", "image", image));
    TRY(library_given("glint_write", "path", path));
    const Format *format = format_for_path(path);
    if (!format)
        return fail(STATUS_USAGE, "%s: its extension names no format; `glint list formats` shows all formats", path);
    const Status encoded = encode(image, format, options, &file);
    if (encoded != STATUS_OK)
        return fail_within(encoded, "%s: ", path);
    const Status status = put_file(path, file);
    bytes_free(&file);
    return status;
}

GlintStatus glint_write(const GlintImage *image, const char *path, const char *options, GlintError *error) {
    return library_settle(write_image(image, path, options), error);
}

static Status encode_image(const GlintImage *image, const char *name, const char *options, void **bytes, size_t *size) {
    Bytes file;
    TRY(library_given("glint_encode", "bytes", bytes));
    *bytes = NULL;
    TRY(library_given("glint_encode", "size", size));
    *size = 0;
    TRY(library_given("glint_encode", "image", image));
    TRY(library_given("glint_encode", "format", name));
    const Format *format = format_by_name(name);
    if (!format)
        return fail(STATUS_USAGE, "no format \"%s\"; `glint list formats` shows all formats", name);
    TRY(encode(image, format, options, &file));
    *bytes = file.data;
    *size = file.size;
    return STATUS_OK;
}

GlintStatus glint_encode(const GlintImage *image, const char *format, const char *options, void **bytes, size_t *size,
                         GlintError *error) {
    return library_settle(encode_image(image, format, options, bytes, size), error);
}

/* ---- in memory ---- */

static Status make_image(const GlintShape *shape, const GlintPixels *pixels, GlintImage **image) {
    Shape core;
    Pictures from;
    Image *made;
    TRY(library_given("glint_image", "image", image));
    *image = NULL;
    TRY(library_begin());
    TRY(library_shape(shape, &core));
    if (pixels)
        TRY(library_pictures("pixels", core, 1, pixels, false, &from));
    if (pixels && from.on_device)
        return fail(STATUS_USAGE, "pixels: images lie in the host's memory; want GLINT_HOST");
    TRY(image_create(core, &made));
    if (pixels)
        places_copy(core, from.first, places_of(made->view));
    return wrap(made, image);
}

GlintStatus glint_image(const GlintShape *shape, const GlintPixels *pixels, GlintImage **image, GlintError *error) {
    return library_settle(make_image(shape, pixels, image), error);
}

size_t glint_image_count(const GlintImage *image) {
    return image ? image_count(image->image) : 0;
}

static Status look_up(const GlintImage *image, size_t index, GlintShape *shape, GlintPixels *pixels) {
    TRY(library_given("glint_image_pixels", "image", image));
    const Image *picture = image->image;
    for (size_t i = 0; i < index && picture; i++)
        picture = picture->next;
    if (!picture)
        return fail(STATUS_USAGE, "picture %zu: the image has %zu, counted from 0", index, glint_image_count(image));
    const Places places = places_of(picture->view);
    if (shape)
        *shape = library_shape_back(picture->view.shape);
    if (pixels)
        *pixels = (GlintPixels){.pixels = places.first,
                                .picture = (ptrdiff_t)shape_bytes(picture->view.shape),
                                .row = places.row,
                                .pixel = places.pixel,
                                .channel = places.channel,
                                .place = GLINT_HOST};
    return STATUS_OK;
}

GlintStatus glint_image_pixels(GlintImage *image, size_t index, GlintShape *shape, GlintPixels *pixels,
                               GlintError *error) {
    return library_settle(look_up(image, index, shape, pixels), error);
}

void glint_image_free(GlintImage *image) {
    if (!image)
        return;
    image_destroy(&image->image);
    free(image);
}
