/* image.h: pixels in host memory.
 * Owns views on pixels and the images that own them. */
#ifndef GLINT_CORE_IMAGE_IMAGE_H
#define GLINT_CORE_IMAGE_IMAGE_H

#include "core/image/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Borrows pixels, is passed by value, is never freed. Rows are `stride` bytes apart (>= shape_row_bytes). */
typedef struct ImageView {
    Shape shape;
    size_t stride;
    void *pixels;
} ImageView;

/* Facts that a file states about its picture and an Image does not carry on. */
enum Extra {
    EXTRA_GAMMA = 1,        /* PNG gAMA and cHRM: how values stand for light, and the primaries */
    EXTRA_CICP = 2,         /* PNG cICP: coding-independent code points, as of HDR video */
    EXTRA_RESOLUTION = 4,   /* pixels per metre or inch */
    EXTRA_TEXT = 256,       /* comments, titles, names */
    EXTRA_ALPHA = 512,      /* alpha between none and all */
    EXTRA_COLOURS = 1024,   /* more colours than a palette */
    EXTRA_FRAMES = 8,       /* all but the first */
    EXTRA_TIMES = 2048,     /* how long each picture of an animation is shown */
    EXTRA_BESIDE = 8192,    /* pictures and films that go with it: gain maps, depths, motion */
    EXTRA_PLACE = 4096,     /* where the picture lies in a larger one, or on the earth */
    EXTRA_CHANNELS = 32,    /* more channels than an image has */
    EXTRA_EXIF = 64,        /* Exif */
    EXTRA_XMP = 128,        /* XMP */
    EXTRA_GAIN_MAP = 16384, /* by how much pixels are brighter in HDR */
    EXTRA_PROFILE = 16, /* an ICC profile of colours that were converted, or one that the file's format cannot hold */
    EXTRAS = 32767,     /* all of these */
};

/* Where pixels come from, and go back to: memory on a boundary of 64 bytes. */
typedef struct PixelSource PixelSource;
struct PixelSource {
    Status (*take)(PixelSource *source, size_t bytes, bool zeroed, void **memory);
    void (*give)(PixelSource *source, void *memory);
};

/* A block of a file that is no pixels, byte for byte; from malloc. */
typedef struct ImageBlock {
    unsigned char *data;
    size_t size;
} ImageBlock;

/* Pixels per metre; 0: not known. */
typedef struct Resolution {
    double x, y;
} Resolution;

/* The colour chunks of a PNG besides its profile: their data, byte for byte. */
typedef struct ColourChunks {
    bool has_gama, has_chrm, has_cicp;
    unsigned char gama[4], chrm[32], cicp[4];
} ColourChunks;

enum { GAIN_CHANNELS = 3 };

/* The meaning of a gain map's values, 0 to 1: core/image/gain_map.h. Headrooms are those from which on the map acts,
 * and acts fully: log2 of a display's peak by its white. */
typedef struct GainCurve {
    double min[GAIN_CHANNELS], max[GAIN_CHANNELS], gamma[GAIN_CHANNELS];
    double offset[GAIN_CHANNELS], offset_hdr[GAIN_CHANNELS];
    double headroom_min, headroom_max;
} GainCurve;

/* Owns pixels (64-byte aligned, rows packed) and the data that travel with them from file to file. */
typedef struct Image {
    ImageView view;
    unsigned char *profile; /* ICC profile as stored in the file, or NULL */
    size_t profile_size;    /* bytes */
    ImageBlock exif;        /* a TIFF block (Exif 2.32): upright, without a thumbnail */
    ImageBlock xmp;         /* a packet */
    ImageBlock text;        /* keywords and their texts, each with a zero behind, in UTF-8: codec/notes.h */
    Resolution resolution;
    ColourChunks colours;
    struct Image *gain_map; /* gray or RGB, u8 or f32, of any size, which nobody changes once it is shared; or NULL */
    GainCurve gain_curve;   /* of it */
    bool rendered;          /* f32, the HDR rendering: light, in the profile's primaries; the gain map was applied */
    unsigned extras;        /* of enum Extra: the file's other data */
    bool premultiplied;     /* f32: the colours are multiplied by alpha, as the file has them; where that is 0, light */
    double seconds;         /* a picture of an animation is shown so long; 0: it is none */
    unsigned plays;         /* of an animation's first: how often it runs; 0: for ever */
    struct Image *next;     /* the picture behind it in a file of several, owned; or NULL */
    void *memory;           /* holds the pixels */
    PixelSource *source;    /* where it goes back to; NULL: the heap */
    int references;         /* how many more owners it has than one */
} Image;

/* Fails as shape_check does, or with STATUS_DEVICE if memory is short. The pixels are zeroed. */
Status image_create(Shape shape, Image **image);
/* Creates as image_create does, but with any pixels: for callers that write all of them, or give the image up. */
Status image_create_unfilled(Shape shape, Image **image);
/* An image without pixels: until there are some, or where a picture never has them in one place. STATUS_DEVICE. */
Status image_create_about(Shape shape, Image **about);
/* From now on the images that this thread creates take their pixels there (borrowed), NULL: from the heap. Returns the
 * one before. */
PixelSource *image_source_set(PixelSource *source);
/* A copy of the view's pixels, packed. Fails as image_create does. */
Status image_clone(ImageView from, Image **image);
/* Adds an owner to the image, which from now on nobody changes; each owner calls image_destroy. */
Image *image_retain(Image *image);
void image_destroy(Image **image);      /* with those behind it; accepts NULL, nulls the pointer */
size_t image_count(const Image *first); /* it, and those behind it */
/* A copy. STATUS_DEVICE without memory. */
Status image_block_set(ImageBlock *block, const void *data, size_t size);
void image_block_free(ImageBlock *block);
/* Bytes of profiles, Exif, XMP, text and gain maps, of the picture and those behind it. */
size_t image_carried_bytes(const Image *first);
/* The bits of enum Extra for the image's data besides pixels. */
unsigned image_carries(const Image *image);
/* Forgets data that say nothing about colours, of the images behind it, too: Exif, XMP, text, resolution, and the
 * files' other data. */
void image_strip(Image *first);
/* All that is not pixels goes from a picture to the one that was made of it; pictures behind it stay. */
void image_pass_on(Image *from, Image *to);
/* The picture made of a list's first takes its place and gets all of it that is not pixels; pictures behind it stay. */
void image_replace(Image **first, Image *made);
/* Makes RGB of gray, of the picture and all behind it: three times the same value; alpha stays. Leaves colours. A
 * profile of gray goes with it, and counts as lost. Fails as image_create does. */
Status image_make_rgb(Image **image);

/* The turn that makes a picture upright whose file has this orientation (TIFF 6.0, section 8). It maps pixel (x, y) of
 * the turned picture to its source. */
enum { TURN_MIRROR_X = 1, TURN_MIRROR_Y = 2, TURN_SWAP = 4 /* x and y, before they are mirrored */ };
unsigned orientation_turn(int orientation);

/* "ICC profiles, resolutions": these bits of enum Extra in words; returns the length. */
size_t image_extras_format(unsigned extras, char *buffer, size_t size);

static inline void *view_row(ImageView view, size_t y) {
    return (char *)view.pixels + y * view.stride;
}
/* The w x h pixels of `view` from (x, y) on; the caller keeps them inside. */
ImageView view_crop(ImageView view, size_t x, size_t y, size_t w, size_t h);
void view_copy(ImageView from, ImageView to); /* same shape */
/* One stored value, as a double. Inline: the references read every tap by it. */
static inline double view_value(ImageView view, size_t x, size_t y, int c) {
    const size_t i = x * (size_t)view.shape.channels + (size_t)c;
    const void *row = view_row(view, y);
    switch (view.shape.type) {
    case PIXEL_U8:
        return ((const uint8_t *)row)[i];
    case PIXEL_U16:
        return ((const uint16_t *)row)[i];
    case PIXEL_U32:
        return ((const uint32_t *)row)[i];
    default:
        return (double)((const float *)row)[i];
    }
}
void view_set_value(ImageView view, size_t x, size_t y, int c, double value); /* rounded to even and clamped */
/* Fills with PCG32 noise over the type's whole range (f32: [0, 1); counts: up to 4095, every other one 0). The same
 * seed gives the same values on every machine. */
void view_fill_random(ImageView view, unsigned long seed);

#endif
