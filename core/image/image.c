/* image.c: pixels in host memory. */
#include "core/image/image.h"

#include "core/base/share.h"
#include "core/image/icc_header.h"
#include "core/math/pcg.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_PIECE = 1 << 20 }; /* values that one thread makes: for fewer, another takes too long to start */

static _Thread_local PixelSource *current_source;

PixelSource *image_source_set(PixelSource *source) {
    PixelSource *before = current_source;
    current_source = source;
    return before;
}

enum { PIXEL_ALIGNMENT = 64 };

/* Leaves errno as it was: malloc that finds room in another arena leaves ENOMEM of the first one there. */
static void *take_zeroed(size_t bytes) {
    const int before = errno;
    void *memory = calloc(1, bytes);
    if (memory)
        errno = before;
    return memory;
}

/* calloc takes large memory zeroed from the system, page by page as it is touched. A header that promises a vast
 * picture costs nothing until its pixels come. */
static Status take_pixels(Image *image, Shape shape, bool zeroed) {
    const size_t bytes = shape_bytes(shape);
    void *pixels = NULL;
    image->source = current_source;
    if (image->source) {
        const int before = errno; /* a source that has it at its second try leaves ENOMEM of the first */
        TRY(image->source->take(image->source, bytes, zeroed, &image->memory));
        errno = before;
        pixels = image->memory;
    } else {
        image->memory = take_zeroed(bytes + PIXEL_ALIGNMENT);
        if (!image->memory)
            return fail(STATUS_DEVICE, "no memory for an image of %zu x %zu pixels (%zu MiB)", shape.width,
                        shape.height, bytes >> 20);
        pixels =
            (char *)image->memory + (PIXEL_ALIGNMENT - (uintptr_t)image->memory % PIXEL_ALIGNMENT) % PIXEL_ALIGNMENT;
    }
    image->view = (ImageView){shape, shape_row_bytes(shape), pixels};
    return STATUS_OK;
}

static Status create(Shape shape, bool zeroed, Image **image) {
    *image = NULL;
    TRY(shape_check(shape));
    Image *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for an image");
    const Status status = take_pixels(made, shape, zeroed);
    if (status == STATUS_OK)
        *image = made;
    else
        free(made);
    return status;
}

Status image_create(Shape shape, Image **image) {
    return create(shape, true, image);
}

Status image_create_unfilled(Shape shape, Image **image) {
    return create(shape, false, image);
}

Status image_create_about(Shape shape, Image **about) {
    *about = calloc(1, sizeof **about);
    if (!*about)
        return fail(STATUS_DEVICE, "no memory for a picture's metadata");
    (*about)->view.shape = shape;
    return STATUS_OK;
}

Status image_clone(ImageView from, Image **image) {
    TRY(image_create_unfilled(from.shape, image));
    view_copy(from, (*image)->view);
    return STATUS_OK;
}

Image *image_retain(Image *image) {
    __atomic_add_fetch(&image->references, 1, __ATOMIC_RELAXED);
    return image;
}

void image_destroy(Image **image) {
    Image *old = *image;
    *image = NULL;
    if (!old || __atomic_fetch_sub(&old->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (Image *next; old; old = next) {
        next = old->next;
        if (old->source)
            old->source->give(old->source, old->memory);
        else
            free(old->memory);
        free(old->profile);
        image_block_free(&old->exif);
        image_block_free(&old->xmp);
        image_block_free(&old->text);
        image_destroy(&old->gain_map);
        free(old);
    }
}

Status image_block_set(ImageBlock *block, const void *data, size_t size) {
    image_block_free(block);
    block->data = malloc(size + 1);
    if (!block->data)
        return fail(STATUS_DEVICE, "no memory for a picture's metadata");
    memcpy(block->data, data, size);
    block->size = size;
    return STATUS_OK;
}

void image_block_free(ImageBlock *block) {
    free(block->data);
    *block = (ImageBlock){0};
}

size_t image_carried_bytes(const Image *first) {
    size_t bytes = 0;
    for (; first; first = first->next)
        bytes += first->profile_size + first->exif.size + first->xmp.size + first->text.size +
                 (first->gain_map ? shape_bytes(first->gain_map->view.shape) : 0);
    return bytes;
}

unsigned image_carries(const Image *image) {
    return (image->profile ? EXTRA_PROFILE : 0u) | (image->exif.data ? EXTRA_EXIF : 0u) |
           (image->xmp.data ? EXTRA_XMP : 0u) | (image->text.data ? EXTRA_TEXT : 0u) |
           (image->resolution.x > 0 ? EXTRA_RESOLUTION : 0u) |
           (image->colours.has_gama || image->colours.has_chrm ? EXTRA_GAMMA : 0u) |
           (image->colours.has_cicp ? EXTRA_CICP : 0u) | (image->gain_map ? EXTRA_GAIN_MAP : 0u) |
           (image->next && image->seconds > 0 ? EXTRA_TIMES : 0u);
}

void image_strip(Image *first) {
    for (; first; first = first->next) {
        image_block_free(&first->exif);
        image_block_free(&first->xmp);
        image_block_free(&first->text);
        first->resolution = (Resolution){0};
        first->extras &= EXTRA_PROFILE | EXTRA_GAMMA | EXTRA_CICP | EXTRA_CHANNELS | EXTRA_FRAMES | EXTRA_BESIDE;
    }
}

size_t image_count(const Image *first) {
    size_t count = 0;
    for (; first; first = first->next)
        count++;
    return count;
}

void image_pass_on(Image *from, Image *to) {
    to->profile = from->profile;
    to->profile_size = from->profile_size;
    to->exif = from->exif;
    to->xmp = from->xmp;
    to->text = from->text;
    to->resolution = from->resolution;
    to->colours = from->colours;
    image_destroy(&to->gain_map);
    to->gain_map = from->gain_map;
    to->gain_curve = from->gain_curve;
    to->rendered = from->rendered;
    to->extras = from->extras;
    to->premultiplied = from->premultiplied;
    to->seconds = from->seconds;
    to->plays = from->plays;
    from->profile = NULL;
    from->profile_size = 0;
    from->gain_map = NULL;
    from->exif = from->xmp = from->text = (ImageBlock){0};
}

void image_replace(Image **first, Image *made) {
    image_pass_on(*first, made);
    made->next = (*first)->next;
    (*first)->next = NULL;
    image_destroy(first);
    *first = made;
}

static void widen(ImageView from, ImageView to) {
    const size_t value = pixel_type_size(from.shape.type), pixel = value * (size_t)from.shape.channels;
    for (size_t y = 0; y < from.shape.height; y++) {
        const unsigned char *gray = view_row(from, y);
        unsigned char *colour = view_row(to, y);
        for (size_t x = 0; x < from.shape.width; x++, gray += pixel)
            for (int c = 0; c < to.shape.channels; c++, colour += value)
                memcpy(colour, c < 3 ? gray : gray + value, value);
    }
}

static void drop_gray_profile(Image *image) {
    if (!icc_is_gray(image->profile, image->profile_size))
        return;
    free(image->profile);
    image->profile = NULL;
    image->profile_size = 0;
    image->extras |= EXTRA_PROFILE;
}

Status image_make_rgb(Image **image) {
    for (Image **each = image; *each; each = &(*each)->next) {
        Shape shape = (*each)->view.shape;
        Image *made;
        if (shape.channels > 2)
            continue;
        shape.channels += 2;
        TRY(image_create_unfilled(shape, &made));
        widen((*each)->view, made->view);
        image_replace(each, made);
        drop_gray_profile(made);
    }
    return STATUS_OK;
}

unsigned orientation_turn(int orientation) {
    static const unsigned char turns[9] = {0, 0, 1, 3, 2, 4, 6, 7, 5};
    return orientation >= 1 && orientation <= 8 ? turns[orientation] : 0;
}

size_t image_extras_format(unsigned extras, char *buffer, size_t size) {
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{EXTRA_PROFILE, "ICC profiles"},
                 {EXTRA_EXIF, "Exif"},
                 {EXTRA_XMP, "XMP"},
                 {EXTRA_TEXT, "text"},
                 {EXTRA_GAMMA, "gamma and primaries (gAMA, cHRM)"},
                 {EXTRA_CICP, "colour code points (cICP)"},
                 {EXTRA_RESOLUTION, "resolutions"},
                 {EXTRA_ALPHA, "partial alpha"},
                 {EXTRA_COLOURS, "more than 255 colours"},
                 {EXTRA_GAIN_MAP, "HDR gain maps"},
                 {EXTRA_CHANNELS, "further channels"},
                 {EXTRA_FRAMES, "further frames"},
                 {EXTRA_TIMES, "times of frames"},
                 {EXTRA_BESIDE, "data that goes with the picture (gain maps, films)"},
                 {EXTRA_PLACE, "places (display windows, GeoTIFF)"}};
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names && length < size; i++)
        if (extras & names[i].bit)
            length += (size_t)snprintf(buffer + length, size - length, "%s%s", length ? ", " : "", names[i].name);
    return length;
}

ImageView view_crop(ImageView view, size_t x, size_t y, size_t w, size_t h) {
    const size_t pixel = (size_t)view.shape.channels * pixel_type_size(view.shape.type);
    if (view.pixels) /* a view without pixels tells a plan a shape and a stride */
        view.pixels = (char *)view_row(view, y) + x * pixel;
    view.shape.width = w;
    view.shape.height = h;
    return view;
}

void view_copy(ImageView from, ImageView to) {
    for (size_t y = 0; y < from.shape.height; y++)
        memcpy(view_row(to, y), view_row(from, y), shape_row_bytes(from.shape));
}

void view_set_value(ImageView view, size_t x, size_t y, int c, double value) {
    const size_t i = x * (size_t)view.shape.channels + (size_t)c;
    void *row = view_row(view, y);
    const double white = pixel_type_white(view.shape.type);
    const double rounded = value >= white ? white : value > 0 ? nearbyint(value) : 0; /* NaN becomes 0 */
    switch (view.shape.type) {
    case PIXEL_U8:
        ((uint8_t *)row)[i] = (uint8_t)rounded;
        break;
    case PIXEL_U16:
        ((uint16_t *)row)[i] = (uint16_t)rounded;
        break;
    case PIXEL_U32:
        ((uint32_t *)row)[i] = (uint32_t)rounded;
        break;
    default:
        ((float *)row)[i] = (float)value;
    }
}

/* Values from the sequence's next numbers on, one each; a loop for each type, since there are hundreds of millions. */
static void fill_random(void *row, size_t values, PixelType type, Pcg pcg) {
    switch (type) {
    case PIXEL_U8:
        for (size_t i = 0; i < values; i++)
            ((uint8_t *)row)[i] = (uint8_t)(pcg_next(&pcg) >> 24);
        break;
    case PIXEL_U16:
        for (size_t i = 0; i < values; i++)
            ((uint16_t *)row)[i] = (uint16_t)(pcg_next(&pcg) >> 16);
        break;
    case PIXEL_U32:
        for (size_t i = 0; i < values; i++) {
            const uint32_t bits = pcg_next(&pcg);
            ((uint32_t *)row)[i] = bits & 1 ? bits >> 20 : 0;
        }
        break;
    default:
        for (size_t i = 0; i < values; i++)
            ((float *)row)[i] = pcg_float(&pcg);
    }
}

typedef struct RandomRows {
    ImageView view;
    Pcg pcg;
    size_t values, rows; /* values of a row, rows of a piece */
} RandomRows;

static void fill_rows(const void *job, size_t piece) {
    const RandomRows *random = job;
    const size_t begin = piece * random->rows, height = random->view.shape.height;
    for (size_t y = begin; y < height && y < begin + random->rows; y++)
        fill_random(view_row(random->view, y), random->values, random->view.shape.type,
                    pcg_skip(random->pcg, y * random->values));
}

void view_fill_random(ImageView view, unsigned long seed) {
    const size_t values = view.shape.width * (size_t)view.shape.channels, rows = RANDOM_PIECE / values + 1;
    share_pieces((view.shape.height + rows - 1) / rows, fill_rows,
                 &(RandomRows){view, pcg_seed(seed, 1), values, rows});
}
