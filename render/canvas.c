/* canvas.c: textures, and the programs that lay them on the window: one for each mode, made when it is first needed. */
#include "render/canvas.h"

#include "core/math/texel.h"
#include "render/canvas_program.h"
#include "render/canvas_table.h"
#include "render/gl.h"
#include "render/placing.h"
#include "render/reduce.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A slot's texture: a part of a picture, at its full size or reduced. */
typedef struct Texture {
    GLuint name;
    Shape shape;      /* of the texture; width 0: none */
    Shape picture;    /* of the whole picture; width 0: the slot is empty */
    double scale;     /* texture pixels a picture pixel, at most 1 */
    size_t x, y;      /* the texture's top left corner in the whole picture at this scale */
    unsigned serial;  /* of the pixels; 0: none that canvas_fill knows */
    unsigned version; /* changes with the pixels */
} Texture;

/* A magnified texture that is not just pixels: a texture as a look shows it, or the difference of two. */
typedef struct Developed {
    Texture made;
    const Texture *texture, *second;
    unsigned version, second_version; /* of these; 0: it holds nothing */
    CanvasLook look;
    Rectangle part; /* of the texture */
} Developed;

/* A pixel buffer that others fill, from which a texture is updated. */
typedef struct Buffer {
    GLuint name;
    size_t bytes;
} Buffer;

struct Canvas {
    GLuint vertices;
    Program programs[MODES];
    Texture textures[CANVAS_SLOTS];
    Texture parts;                     /* of a picture that is being made */
    GLuint framebuffer;                /* to draw into textures; 0: not made yet */
    Developed developed[CANVAS_SLOTS]; /* of the source and of the result */
    unsigned versions;                 /* of textures, so far */
    Image *part;                       /* one of them reduced, or NULL */
    Buffer buffer;
    Image *reduced[CANVAS_SLOTS];     /* before it is copied into a texture; or NULL */
    Texture reduced_of[CANVAS_SLOTS]; /* the texture that it is for; serial 0: none */
    GLint side_maximum;
};

/* Where a picture lies on the framebuffer. */
typedef struct Place {
    double width, height; /* of that; negative: its rows are counted from the bottom */
    double left, top;     /* of the texture */
    double size;          /* pixels a texture pixel */
    double x, y;          /* of the picture */
} Place;

/* How pixels come, by channels. */
static const struct {
    GLenum format;
    GLint swizzle[4];
} layouts[] = {
    {GL_RED, {GL_RED, GL_RED, GL_RED, GL_ONE}},
    {GL_RG, {GL_RED, GL_RED, GL_RED, GL_GREEN}},
    {GL_RGB, {GL_RED, GL_GREEN, GL_BLUE, GL_ONE}},
    {GL_RGBA, {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA}},
};
/* OpenGL's formats for textures, by the values of a texel and by type; normalised integers keep every value. */
static const GLint kept[][PIXEL_TYPES] = {
    [1] = {GL_R8, GL_R16, GL_R32F},
    [2] = {GL_RG8, GL_RG16, GL_RG32F},
    [4] = {GL_RGBA8, GL_RGBA16, GL_RGBA32F},
};
static const GLenum types[PIXEL_TYPES] = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_FLOAT};

static const float bar[3] = {0.31f, 0.76f, 0.97f};

/* A picture is copied whole, so that it can be moved without another copy, up to so many windows' pixels. */
enum { WHOLE_WINDOWS = 4 };

Status canvas_create(Canvas **canvas) {
    Canvas *made = *canvas = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the canvas");
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &made->side_maximum);
    glGenVertexArrays(1, &made->vertices);
    const Status status = gl_check("making the canvas");
    if (status != STATUS_OK)
        canvas_destroy(canvas);
    return status;
}

void canvas_destroy(Canvas **canvas) {
    if (!*canvas)
        return;
    for (int i = 0; i < CANVAS_SLOTS; i++)
        glDeleteTextures(1, &(*canvas)->textures[i].name);
    glDeleteTextures(1, &(*canvas)->parts.name);
    for (int i = 0; i < CANVAS_SLOTS; i++)
        glDeleteTextures(1, &(*canvas)->developed[i].made.name);
    glDeleteFramebuffers(1, &(*canvas)->framebuffer);
    for (int i = 0; i < MODES; i++)
        glDeleteProgram((*canvas)->programs[i].name);
    glDeleteBuffers(1, &(*canvas)->buffer.name);
    glDeleteVertexArrays(1, &(*canvas)->vertices);
    for (int i = 0; i < CANVAS_SLOTS; i++)
        image_destroy(&(*canvas)->reduced[i]);
    image_destroy(&(*canvas)->part);
    free(*canvas);
    *canvas = NULL;
}

/* ---- textures ---- */

bool canvas_holds(const Canvas *canvas, Shape shape) {
    return shape.width <= (size_t)canvas->side_maximum && shape.height <= (size_t)canvas->side_maximum;
}

/* Makes the slot's texture again for another shape; its pixels come later. */
static Status reshape(Canvas *canvas, Texture *texture, Shape shape) {
    if (shape_equal(texture->shape, shape))
        return STATUS_OK;
    texture->shape = texture->picture = (Shape){0};
    if (!canvas_holds(canvas, shape))
        return fail(STATUS_DEVICE, "cannot show %zux%zu pixels: this OpenGL's textures end at %d a side", shape.width,
                    shape.height, canvas->side_maximum);
    if (!texture->name)
        glGenTextures(1, &texture->name);
    glBindTexture(GL_TEXTURE_2D, texture->name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, layouts[shape.channels - 1].swizzle);
    glTexImage2D(GL_TEXTURE_2D, 0, kept[TEXEL_CHANNELS(shape.channels)][shape.type], (GLsizei)shape.width,
                 (GLsizei)shape.height, 0, layouts[shape.channels - 1].format, types[shape.type], NULL);
    TRY(gl_check("making a texture"));
    texture->shape = shape;
    return STATUS_OK;
}

Status canvas_reserve(Canvas *canvas, CanvasSlot slot, Shape shape, unsigned *name) {
    Texture *texture = &canvas->textures[slot];
    TRY(reshape(canvas, texture, shape));
    *texture =
        (Texture){.name = texture->name, .shape = shape, .picture = shape, .scale = 1, .version = ++canvas->versions};
    *name = texture->name;
    return STATUS_OK;
}

Status canvas_reserve_buffer(Canvas *canvas, Shape shape, unsigned *buffer) {
    Buffer *own = &canvas->buffer;
    if (!own->name)
        glGenBuffers(1, &own->name);
    if (own->bytes != shape_bytes(shape)) {
        own->bytes = 0;
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, own->name);
        glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)shape_bytes(shape), NULL, GL_STREAM_DRAW);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        TRY(gl_check("making a pixel buffer"));
        own->bytes = shape_bytes(shape);
    }
    *buffer = own->name;
    return STATUS_OK;
}

Status canvas_update(Canvas *canvas, CanvasSlot slot) {
    const Shape shape = canvas->textures[slot].shape;
    glBindTexture(GL_TEXTURE_2D, canvas->textures[slot].name);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, canvas->buffer.name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)shape.width, (GLsizei)shape.height,
                    layouts[shape.channels - 1].format, types[shape.type], NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return gl_check("updating the texture from its buffer");
}

/* Copies pixels into the texture, from its pixel (x, y) on. */
static Status copy_into(const Texture *texture, size_t x, size_t y, ImageView pixels) {
    const Shape shape = pixels.shape;
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    const GLenum format = layouts[shape.channels - 1].format, type = types[shape.type];
    glBindTexture(GL_TEXTURE_2D, texture->name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (pixels.stride % pixel == 0) {
        glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(pixels.stride / pixel));
        glTexSubImage2D(GL_TEXTURE_2D, 0, (GLint)x, (GLint)y, (GLsizei)shape.width, (GLsizei)shape.height, format, type,
                        pixels.pixels);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    } else {
        for (size_t row = 0; row < shape.height; row++)
            glTexSubImage2D(GL_TEXTURE_2D, 0, (GLint)x, (GLint)(y + row), (GLsizei)shape.width, 1, format, type,
                            view_row(pixels, row));
    }
    return gl_check("copying the picture into its texture");
}

/* Copies pixels into the texture, which gets their shape. */
static Status upload(Canvas *canvas, Texture *texture, ImageView pixels) {
    TRY(reshape(canvas, texture, pixels.shape));
    return copy_into(texture, 0, 0, pixels);
}

/* Whether a texture may have all of its picture at its scale. */
static bool fits_whole(const Canvas *canvas, const Texture *want, CanvasLook look) {
    const double pixels = (double)want->shape.width * (double)want->shape.height;
    return canvas_holds(canvas, want->shape) && pixels <= WHOLE_WINDOWS * (double)look.width * (double)look.height;
}

/* Cuts a texture of the whole picture to a part of it, and a pixel more to each side, which edges are mixed with. If
 * nothing is left, it has no size. */
static void take_sight(Texture *want, Limits sight) {
    const double left = fmax(floor(sight.left) - 1, 0), top = fmax(floor(sight.top) - 1, 0);
    const double right = fmin(ceil(sight.right) + 1, (double)want->shape.width);
    const double bottom = fmin(ceil(sight.bottom) + 1, (double)want->shape.height);
    const bool any = right > left && bottom > top;
    want->x = any ? (size_t)left : 0;
    want->y = any ? (size_t)top : 0;
    want->shape.width = any ? (size_t)(right - left) : 0;
    want->shape.height = any ? (size_t)(bottom - top) : 0;
}

/* The texture that a look needs of a picture of this shape: all but its name; without a size if nothing is in sight. */
static Texture needed(const Canvas *canvas, Shape picture, unsigned serial, CanvasLook look) {
    Texture want = {.shape = picture, .picture = picture, .scale = fmin(look.scale, 1), .serial = serial};
    const double size = look.scale / want.scale; /* window pixels a texture pixel */
    const double corner_x = want.scale < 1 ? round(look.x) : look.x, corner_y = want.scale < 1 ? round(look.y) : look.y;
    want.shape.width = reduced_length(picture.width, want.scale);
    want.shape.height = reduced_length(picture.height, want.scale);
    if (!fits_whole(canvas, &want, look))
        take_sight(&want, (Limits){-corner_x / size, -corner_y / size, (look.width - corner_x) / size,
                                   (look.height - corner_y) / size});
    return want;
}

/* The texture for a source that has a place of its own: twice as fine as the window, for the sake of turned pictures.
 */
static Texture needed_placed(const Canvas *canvas, Shape picture, unsigned serial, CanvasLook look) {
    const Homography map = placing_from_window(look);
    const Limits on = placing_limits(look);
    const double wide = (double)picture.width, high = (double)picture.height;
    const Limits sight = placing_sight(&map, on, wide, high);
    Texture want = {.picture = picture, .scale = fmin(2 * placing_finest(&map, on), 1), .serial = serial};
    const bool seen = on.right > on.left && on.bottom > on.top && sight.right > sight.left &&
                      sight.bottom > sight.top && want.scale > 0;
    for (; seen; want.scale /= 2) {
        want.shape = picture;
        want.shape.width = reduced_length(picture.width, want.scale);
        want.shape.height = reduced_length(picture.height, want.scale);
        want.x = want.y = 0;
        if (!fits_whole(canvas, &want, look))
            take_sight(&want, (Limits){sight.left * want.scale, sight.top * want.scale, sight.right * want.scale,
                                       sight.bottom * want.scale});
        if (canvas_holds(canvas, want.shape))
            break;
    }
    return want;
}

/* Whether a texture holds, but for its name, the content that another one shall have. */
static bool same_content(const Texture *a, const Texture *b) {
    return a->serial == b->serial && shape_equal(a->shape, b->shape) && shape_equal(a->picture, b->picture) &&
           a->x == b->x && a->y == b->y && !(a->scale < b->scale || a->scale > b->scale);
}

static Status reduce(Canvas *canvas, CanvasSlot slot, ImageView picture, const Texture *want) {
    Image **reduced = &canvas->reduced[slot];
    if (same_content(&canvas->reduced_of[slot], want))
        return STATUS_OK;
    canvas->reduced_of[slot].serial = 0;
    if (!*reduced || !shape_equal((*reduced)->view.shape, want->shape)) {
        image_destroy(reduced);
        TRY(image_create(want->shape, reduced));
    }
    TRY(reduce_part(picture, want->scale, want->x, want->y, (*reduced)->view));
    canvas->reduced_of[slot] = *want;
    return STATUS_OK;
}

static Status fill(Canvas *canvas, CanvasSlot slot, ImageView picture, Texture want) {
    Texture *texture = &canvas->textures[slot];
    if (same_content(texture, &want))
        return STATUS_OK;
    if (want.shape.width == 0) { /* out of sight; whatever the texture holds stays for another time */
        texture->picture = (Shape){0};
        texture->serial = 0;
        return STATUS_OK;
    }
    if (want.scale < 1)
        TRY(reduce(canvas, slot, picture, &want));
    TRY(upload(canvas, texture,
               want.scale < 1 ? canvas->reduced[slot]->view
                              : view_crop(picture, want.x, want.y, want.shape.width, want.shape.height)));
    want.name = texture->name;
    want.version = ++canvas->versions;
    *texture = want;
    return STATUS_OK;
}

/* Where the slot's picture lies. */
static CanvasLook look_of(CanvasSlot slot, CanvasLook look) {
    look.x -= slot == CANVAS_SOURCE ? look.shift : 0;
    return look;
}

static Texture needed_in(const Canvas *canvas, CanvasSlot slot, Shape picture, unsigned serial, CanvasLook look) {
    const CanvasLook own = look_of(slot, look);
    const bool placed = slot == CANVAS_SOURCE && look.placed && look.show != CANVAS_SHOW_DIFFERENCE;
    return placed ? needed_placed(canvas, picture, serial, own) : needed(canvas, picture, serial, own);
}

Status canvas_fill(Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial, CanvasLook look) {
    return fill(canvas, slot, picture, needed_in(canvas, slot, picture.shape, serial, look));
}

double canvas_reduces(const Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial, CanvasLook look) {
    const Texture want = needed_in(canvas, slot, picture.shape, serial, look);
    const bool there = same_content(&canvas->textures[slot], &want) || same_content(&canvas->reduced_of[slot], &want);
    return there || want.scale >= 1 ? 0
                                    : (double)want.shape.width * (double)want.shape.height / (want.scale * want.scale);
}

Status canvas_reduce(Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial, CanvasLook look) {
    const Texture want = needed_in(canvas, slot, picture.shape, serial, look);
    return canvas_reduces(canvas, slot, picture, serial, look) > 0 ? reduce(canvas, slot, picture, &want) : STATUS_OK;
}

Status canvas_fill_whole(Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial) {
    const Texture want = {.shape = picture.shape, .picture = picture.shape, .scale = 1, .serial = serial};
    return fill(canvas, slot, picture, want);
}

Status canvas_fill_small(Canvas *canvas, CanvasSlot slot, Shape picture, ImageView small, unsigned serial) {
    Texture want = {.shape = small.shape,
                    .picture = picture,
                    .scale = (double)small.shape.width / (double)picture.width,
                    .serial = serial};
    Texture *texture = &canvas->textures[slot];
    if (same_content(texture, &want))
        return STATUS_OK;
    TRY(upload(canvas, texture, small));
    want.name = texture->name;
    want.version = ++canvas->versions;
    *texture = want;
    return STATUS_OK;
}

void canvas_clear(Canvas *canvas, CanvasSlot slot) {
    canvas->textures[slot].picture = (Shape){0};
    canvas->textures[slot].serial = 0;
}

/* ---- parts of a result in the making ---- */

Status canvas_begin_parts(Canvas *canvas, Shape picture, unsigned serial, CanvasLook look, bool *fresh) {
    Texture *parts = &canvas->parts, want = needed(canvas, picture, serial, look);
    *fresh = !same_content(parts, &want);
    if (!*fresh)
        return STATUS_OK;
    parts->serial = 0;
    if (want.shape.width > 0)
        TRY(reshape(canvas, parts, want.shape));
    want.name = parts->name;
    if (want.shape.width == 0) /* out of sight; the texture stays for another time */
        want.picture = (Shape){0};
    *parts = want;
    return STATUS_OK;
}

/* The part that the texture has room for, in pixels of the picture at its scale. */
static Rectangle on_texture(const Texture *texture, ImagePart part) {
    const Shape all = texture->picture;
    const size_t left = reduced_first(part.x, all.width, texture->scale);
    const size_t top = reduced_first(part.y, all.height, texture->scale);
    const size_t right = reduced_first(part.x + part.width, all.width, texture->scale);
    const size_t bottom = reduced_first(part.y + part.height, all.height, texture->scale);
    const size_t end_x = texture->x + texture->shape.width, end_y = texture->y + texture->shape.height;
    return (Rectangle){(int)(left > texture->x ? left : texture->x), (int)(top > texture->y ? top : texture->y),
                       (int)(right < end_x ? right : end_x), (int)(bottom < end_y ? bottom : end_y)};
}

Status canvas_add_part(Canvas *canvas, ImageView picture, ImagePart part, double *pixels) {
    const Texture *parts = &canvas->parts;
    const Rectangle on = on_texture(parts, part);
    if (parts->picture.width == 0 || on.right <= on.left || on.bottom <= on.top)
        return STATUS_OK;
    const size_t x = (size_t)on.left, y = (size_t)on.top;
    Shape shape = picture.shape;
    shape.width = (size_t)(on.right - on.left);
    shape.height = (size_t)(on.bottom - on.top);
    *pixels += (double)shape.width * (double)shape.height / (parts->scale * parts->scale);
    if (parts->scale >= 1)
        return copy_into(parts, x - parts->x, y - parts->y, view_crop(picture, x, y, shape.width, shape.height));
    if (!canvas->part || !shape_equal(canvas->part->view.shape, shape)) {
        image_destroy(&canvas->part);
        TRY(image_create(shape, &canvas->part));
    }
    TRY(reduce_known(picture, parts->scale, part, x, y, canvas->part->view));
    return copy_into(parts, x - parts->x, y - parts->y, canvas->part->view);
}

/* ---- draws ---- */

static bool has_alpha(Shape shape) {
    return shape.channels == 2 || shape.channels == 4;
}

static bool is_whole(double number) {
    return !(floor(number) < number);
}

/* How a texture's colours are shown: a developed one has those of the screen already. */
static CanvasColours colours_of(const Canvas *canvas, const Texture *texture, CanvasLook look) {
    const bool source = texture == &canvas->textures[CANVAS_SOURCE];
    const bool errors = source && look.show == CANVAS_SHOW_ERRORS;
    const bool result = texture == &canvas->textures[CANVAS_RESULT] || texture == &canvas->parts;
    return errors   ? (CanvasColours){.coded = true}
           : source ? look.colours[CANVAS_SOURCE]
           : result ? look.colours[CANVAS_RESULT]
                    : (CanvasColours){0};
}

/* The properties that follow from pixels and their colours; differences are no colours. */
static int mode_of_pixels(const Canvas *canvas, const Texture *texture, bool difference, CanvasLook look) {
    const CanvasColours colours = colours_of(canvas, texture, look);
    int mode = look.graded ? GRADED : 0;
    mode |= look.show == CANVAS_SHOW_ERRORS && texture == &canvas->textures[CANVAS_SOURCE] ? ERRORS : 0;
    mode |= texture->shape.type == PIXEL_F32 && !colours.coded ? LINEAR : 0;
    mode |= has_alpha(texture->shape) && !difference ? TRANSPARENT : 0;
    mode |= colours.display.serial > 0 && !difference ? PROFILED : 0;
    mode |= colours.exported.serial > 0 && !difference && look.graded && look.zebra > 0 ? EXPORTED : 0;
    return mode;
}

/* Whether a texel stands for several pixels of its picture; developed textures have no scale. */
static bool is_small(const Texture *texture) {
    return texture->scale > 0 && texture->scale < 1;
}

static int mode_of(const Canvas *canvas, const Texture *texture, Place place, bool difference, CanvasLook look) {
    const bool ends_alike = is_whole(place.size) && is_whole(place.left) && is_whole(place.top);
    const bool small = is_small(texture) && place.size > 1;
    const int mode = place.size < 1 ? REDUCED : small ? MAGNIFIED | SMOOTH : ends_alike ? 0 : MAGNIFIED;
    return mode | (difference ? DIFFERENCE : 0) | mode_of_pixels(canvas, texture, difference, look);
}

static void bind(GLenum unit, const Texture *texture, GLint sampler) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture->name);
    glUniform1i(sampler, (GLint)unit);
}

static bool alike(const Texture *a, const Texture *b) {
    return a->picture.width == b->picture.width && a->picture.height == b->picture.height && a->x == b->x &&
           a->y == b->y && a->shape.width == b->shape.width && a->shape.height == b->shape.height &&
           !(a->scale < b->scale || a->scale > b->scale);
}

/* Draws by a program of this mode, within the scissor; `placed` for those that are PLACED. */
static Status draw_by(Canvas *canvas, int mode, const Texture *texture, const Texture *second, CanvasLook look,
                      Place place, const Placed *placed) {
    Program *program = &canvas->programs[mode];
    TRY(canvas_program_make(program, mode));
    glUseProgram(program->name);
    if (placed) { /* the ground is seen through ends that are no whole pixels */
        canvas_program_set_placed(program, placed);
        glEnable(GL_BLEND);
        glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    }
    if (second)
        bind(1, second, program->second);
    bind(0, texture, program->first);
    glUniform2f(program->window, (float)place.width, (float)place.height);
    glUniform2f(program->corner, (float)place.left, (float)place.top);
    glUniform1f(program->scale, (float)place.size);
    glUniform1f(program->side, (float)(1 / place.size));
    glUniform2f(program->texel, (float)(1 / (double)texture->shape.width), (float)(1 / (double)texture->shape.height));
    glUniform2f(program->board, (float)floor(place.x), (float)floor(place.y));
    canvas_program_set_look(program, look);
    canvas_program_set_colours(program, colours_of(canvas, texture, look));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
    return STATUS_OK;
}

/* Draws a picture, or its difference from `second` (else NULL), within the scissor: where that has a place of its own,
 * only on it. */
static Status draw_on(Canvas *canvas, const Texture *texture, const Texture *second, CanvasLook look, Place place) {
    const int mode = mode_of(canvas, texture, place, second != NULL, look);
    if (!second || !look.placed)
        return draw_by(canvas, mode, texture, second, look, place, NULL);
    const Homography map = placing_from_window(look);
    const Placed placed = {.map = map,
                           .ends = {(double)look.source_width, (double)look.source_height},
                           .size = placing_size(&map, placing_limits(look))};
    return draw_by(canvas, mode | PLACED, texture, second, look, place, &placed);
}

/* Draws the source in its own place, left of a column of the window. */
static Status draw_placed(Canvas *canvas, const Texture *texture, CanvasLook look, double to) {
    const Homography map = placing_from_window(look);
    const Limits limits = placing_within_part(look, placing_limits(look));
    const Rectangle on = placing_pixels(look, (Limits){limits.left, limits.top, fmin(limits.right, to), limits.bottom});
    const double left = (double)texture->x, top = (double)texture->y, scale = texture->scale;
    Placed placed = {
        .map = placing_in_texels(&map, scale, left, top),
        .begins = {-left, -top},
        .ends = {(double)texture->picture.width * scale - left, (double)texture->picture.height * scale - top}};
    placed.size = placing_size(&placed.map, limits);
    if (on.right <= on.left || on.bottom <= on.top)
        return STATUS_OK;
    const Place place = {look.width, look.height, 0, 0, 1, look.x, look.y};
    const int mode = PLACED | (placed.size >= 1 - 1e-6 ? MAGNIFIED : 0) |
                     (is_small(texture) && placed.size > 1 ? SMOOTH : 0) | mode_of_pixels(canvas, texture, false, look);
    glScissor(on.left, look.height - on.bottom, on.right - on.left, on.bottom - on.top);
    return draw_by(canvas, mode, texture, NULL, look, place, &placed);
}

/* Work beyond a look-up is done for each pixel of the texture, not for each pixel of the window that it is magnified
 * to. A table of colours is such work at one to one as well: the next draw of these pixels finds it done. Figures that
 * count pixels of the window are excepted, and so is mixing with the background. */
static bool develops(const Canvas *canvas, const Texture *texture, const Texture *second, CanvasLook look,
                     double size) {
    const bool profiled = colours_of(canvas, texture, look).display.serial > 0;
    const bool plain = !second && !look.graded && !profiled && texture->shape.type != PIXEL_F32;
    const bool placed = second && look.placed; /* which ends where window pixels do */
    return (profiled ? size >= 1 : size > 1) && !plain && !placed && !(look.graded && look.zebra > 0) &&
           (second || !has_alpha(texture->shape));
}

static Status begin_develop(Canvas *canvas, const Texture *made) {
    if (!canvas->framebuffer)
        glGenFramebuffers(1, &canvas->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->framebuffer);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, made->name, 0);
    return glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE
               ? STATUS_OK
               : fail(STATUS_DEVICE, "OpenGL: cannot draw into a texture of %zux%zu pixels", made->shape.width,
                      made->shape.height);
}

static bool equal(double a, double b) {
    return !(a < b || a > b);
}

/* Whether `developed` holds that part already; parts of a result in the making have no versions. */
static bool holds(const Developed *developed, const Texture *texture, const Texture *second, CanvasLook look,
                  Rectangle part) {
    const CanvasLook *had = &developed->look;
    const Rectangle *there = &developed->part;
    return developed->version > 0 && developed->texture == texture && developed->version == texture->version &&
           developed->second == second && (!second || developed->second_version == second->version) &&
           equal(had->exposure, look.exposure) && had->graded == look.graded && had->channel == look.channel &&
           had->false_colour == look.false_colour && equal(had->gamma, look.gamma) && equal(had->zebra, look.zebra) &&
           canvas_colours_equal(had->colours, look.colours) && there->left <= part.left && there->top <= part.top &&
           there->right >= part.right && there->bottom >= part.bottom;
}

/* Draws the part of the texture that these pixels of the window show, and the neighbours that edges mix it with, unless
 * it is there. */
static Status develop(Canvas *canvas, const Texture *texture, const Texture *second, CanvasLook look, Place place,
                      Rectangle on, Developed *developed) {
    const Shape shape = {texture->shape.width, texture->shape.height, 3, PIXEL_U8};
    const double wide = (double)shape.width, high = (double)shape.height;
    const Rectangle part = {(int)fmax(floor((on.left - place.left) / place.size) - 1, 0),
                            (int)fmax(floor((on.top - place.top) / place.size) - 1, 0),
                            (int)fmin(ceil((on.right - place.left) / place.size) + 1, wide),
                            (int)fmin(ceil((on.bottom - place.top) / place.size) + 1, high)};
    GLint was;
    if (holds(developed, texture, second, look, part))
        return STATUS_OK;
    developed->version = 0;
    TRY(reshape(canvas, &developed->made, shape));
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &was);
    Status status = begin_develop(canvas, &developed->made);
    if (status == STATUS_OK) {
        glViewport(0, 0, (GLsizei)shape.width, (GLsizei)shape.height);
        glScissor(part.left, part.top, part.right - part.left, part.bottom - part.top);
        status = draw_on(canvas, texture, second, look, (Place){wide, -high, 0, -high, 1, 0, 0});
    }
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)was);
    glViewport(0, 0, look.width, look.height);
    if (status == STATUS_OK)
        *developed =
            (Developed){developed->made, texture, second, texture->version, second ? second->version : 0, look, part};
    return status;
}

/* Draws a picture, or its difference from `second` (else NULL), as far as it lies within these limits of the window. */
static Status draw_within(Canvas *canvas, const Texture *texture, const Texture *second, CanvasLook look,
                          Limits within) {
    const double size = look.scale / texture->scale; /* window pixels a texture pixel */
    const bool exact = !(size < 1 || size > 1);
    const double x = exact ? round(look.x) : look.x, y = exact ? round(look.y) : look.y;
    const double left = x + (double)texture->x * size, top = y + (double)texture->y * size;
    const double right = left + (double)texture->shape.width * size,
                 bottom = top + (double)texture->shape.height * size;
    within = placing_within_part(look, within);
    const Rectangle on = placing_pixels(look, (Limits){fmax(left, within.left), fmax(top, within.top),
                                                       fmin(right, within.right), fmin(bottom, within.bottom)});
    const Place place = {look.width, look.height, left, top, size, x, y};
    if (texture->picture.width == 0 || on.right <= on.left || on.bottom <= on.top)
        return STATUS_OK;
    if (develops(canvas, texture, second, look, size)) {
        Developed *developed =
            &canvas->developed[texture == &canvas->textures[CANVAS_SOURCE] ? CANVAS_SOURCE : CANVAS_RESULT];
        TRY(develop(canvas, texture, second, look, place, on, developed));
        texture = &developed->made;
        second = NULL;
        look.exposure = 0;
        look.graded = false;
    }
    glScissor(on.left, look.height - on.bottom, on.right - on.left, on.bottom - on.top);
    return draw_on(canvas, texture, second, look, place);
}

/* Between two columns of the window. */
static Status draw_part(Canvas *canvas, const Texture *texture, const Texture *second, CanvasLook look, double from,
                        double to) {
    return draw_within(canvas, texture, second, look, (Limits){from, 0, to, look.height});
}

void canvas_draw_bar(int width, int height, int thickness, double share) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, height - thickness, (int)(share * width), thickness);
    glClearColor(bar[0], bar[1], bar[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

/* Left of this column of the window the source is shown. */
static double source_ends(const Canvas *canvas, CanvasLook look) {
    const bool there = canvas->textures[CANVAS_SOURCE].picture.width > 0;
    const bool alone = look.show == CANVAS_SHOW_SOURCE || look.show == CANVAS_SHOW_ERRORS;
    return !there ? 0 : alone ? look.width : fmax(look.split, 0);
}

static void begin_draw(const Canvas *canvas) {
    glEnable(GL_SCISSOR_TEST);
    glBindVertexArray(canvas->vertices);
}

static Status end_draw(Status status) {
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_SCISSOR_TEST);
    return status == STATUS_OK ? gl_check("drawing the canvas") : status;
}

void canvas_draw_background(CanvasLook look) {
    const float ground = (float)look.ground;
    glViewport(0, 0, look.width, look.height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(ground, ground, ground, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

Status canvas_draw(Canvas *canvas, CanvasLook look) {
    const Texture *result = &canvas->textures[CANVAS_RESULT], *source = &canvas->textures[CANVAS_SOURCE];
    const bool difference = look.show == CANVAS_SHOW_DIFFERENCE && alike(result, source);
    const CanvasLook own = look_of(CANVAS_SOURCE, look);
    const double split = source_ends(canvas, look);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    canvas_draw_background(look);
    begin_draw(canvas);
    Status status = STATUS_OK;
    if (split > 0)
        status = look.placed ? draw_placed(canvas, source, own, split) : draw_part(canvas, source, NULL, own, 0, split);
    if (status == STATUS_OK)
        status = draw_part(canvas, result, difference ? source : NULL, look, split, look.width);
    return end_draw(status);
}

Status canvas_draw_parts(Canvas *canvas, const ImagePart *parts, size_t count, CanvasLook look) {
    const Texture *texture = &canvas->parts;
    const double size = look.scale / texture->scale, split = source_ends(canvas, look);
    const bool exact = !(size < 1 || size > 1);
    const double x = exact ? round(look.x) : look.x, y = exact ? round(look.y) : look.y;
    Status status = STATUS_OK;
    if (texture->picture.width == 0 || look.show != CANVAS_SHOW_RESULT)
        return STATUS_OK;
    begin_draw(canvas);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const Rectangle on = on_texture(texture, parts[i]);
        const Limits within = {fmax(x + on.left * size, split), y + on.top * size, x + on.right * size,
                               y + on.bottom * size};
        if (on.right > on.left && on.bottom > on.top)
            status = draw_within(canvas, texture, NULL, look, within);
    }
    return end_draw(status);
}
