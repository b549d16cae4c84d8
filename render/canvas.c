/* canvas.c: textures and the program that lays them on the window. */
#include "render/canvas.h"

#include "core/hd/texel.h"
#include "render/gl.h"
#include "render/shaders.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>

typedef struct Texture {
    GLuint name;
    Shape shape; /* width 0: empty */
} Texture;

/* A pixel buffer that others fill, from which a texture is updated. */
typedef struct Buffer {
    GLuint name;
    size_t bytes;
} Buffer;

/* The uniforms of canvas.frag, looked up once. */
typedef struct Uniforms {
    GLint result, source, window, picture, corner, scale, split, show, gain, result_linear, source_linear, background,
        checker;
} Uniforms;

struct Canvas {
    GLuint program, vertices;
    Texture textures[CANVAS_SLOTS];
    Buffer buffer;
    Uniforms at;
    GLint texture_most; /* pixels a side */
};

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
/* How they are kept, by the values of a texel and by type; normalised integers keep every value. */
static const GLint kept[][PIXEL_TYPES] = {
    [1] = {GL_R8, GL_R16, GL_R32F},
    [2] = {GL_RG8, GL_RG16, GL_RG32F},
    [4] = {GL_RGBA8, GL_RGBA16, GL_RGBA32F},
};
static const GLenum types[PIXEL_TYPES] = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_FLOAT};

static const float background[3] = {0.086f, 0.090f, 0.102f};

static void look_up_uniforms(Canvas *canvas) {
    const struct {
        const char *name;
        GLint *at;
    } names[] = {
        {"result", &canvas->at.result},
        {"source", &canvas->at.source},
        {"window", &canvas->at.window},
        {"picture", &canvas->at.picture},
        {"corner", &canvas->at.corner},
        {"scale", &canvas->at.scale},
        {"split", &canvas->at.split},
        {"show", &canvas->at.show},
        {"gain", &canvas->at.gain},
        {"result_linear", &canvas->at.result_linear},
        {"source_linear", &canvas->at.source_linear},
        {"background", &canvas->at.background},
        {"checker", &canvas->at.checker},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        *names[i].at = glGetUniformLocation(canvas->program, names[i].name);
}

Status canvas_create(Canvas **canvas) {
    Canvas *made = *canvas = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the canvas");
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &made->texture_most);
    glGenVertexArrays(1, &made->vertices);
    Status status = gl_program_create("the canvas", shader_canvas_vert, shader_canvas_frag, &made->program);
    if (status == STATUS_OK) {
        look_up_uniforms(made);
        status = gl_check("making the canvas");
    }
    if (status != STATUS_OK)
        canvas_destroy(canvas);
    return status;
}

void canvas_destroy(Canvas **canvas) {
    if (!*canvas)
        return;
    for (int i = 0; i < CANVAS_SLOTS; i++)
        glDeleteTextures(1, &(*canvas)->textures[i].name);
    glDeleteBuffers(1, &(*canvas)->buffer.name);
    glDeleteVertexArrays(1, &(*canvas)->vertices);
    glDeleteProgram((*canvas)->program);
    free(*canvas);
    *canvas = NULL;
}

/* Makes the slot's texture anew for another shape; its pixels come later. */
static Status reshape(Canvas *canvas, Texture *texture, Shape shape) {
    if (shape.width > (size_t)canvas->texture_most || shape.height > (size_t)canvas->texture_most)
        return fail(STATUS_DEVICE, "cannot show %zux%zu pixels: this OpenGL's textures end at %d a side", shape.width,
                    shape.height, canvas->texture_most);
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

Status canvas_reserve(Canvas *canvas, CanvasSlot slot, Shape shape, unsigned *texture) {
    Texture *own = &canvas->textures[slot];
    if (!shape_equal(own->shape, shape)) {
        own->shape = (Shape){0};
        TRY(reshape(canvas, own, shape));
    }
    *texture = own->name;
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

Status canvas_upload(Canvas *canvas, CanvasSlot slot, ImageView picture) {
    const Shape shape = picture.shape;
    unsigned name;
    TRY(canvas_reserve(canvas, slot, shape, &name));
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    const GLenum format = layouts[shape.channels - 1].format, type = types[shape.type];
    glBindTexture(GL_TEXTURE_2D, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (picture.stride % pixel == 0) {
        glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(picture.stride / pixel));
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)shape.width, (GLsizei)shape.height, format, type,
                        picture.pixels);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    } else {
        for (size_t y = 0; y < shape.height; y++)
            glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)y, (GLsizei)shape.width, 1, format, type, view_row(picture, y));
    }
    return gl_check("copying the picture into its texture");
}

void canvas_clear(Canvas *canvas, CanvasSlot slot) {
    canvas->textures[slot].shape = (Shape){0};
}

static void bind(const Canvas *canvas, CanvasSlot slot, GLint sampler) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)slot);
    glBindTexture(GL_TEXTURE_2D, canvas->textures[slot].name);
    glUniform1i(sampler, (GLint)slot);
}

static void set_uniforms(const Canvas *canvas, CanvasLook look) {
    const Uniforms *at = &canvas->at;
    const Shape result = canvas->textures[CANVAS_RESULT].shape, source = canvas->textures[CANVAS_SOURCE].shape;
    const bool comparable = source.width == result.width && source.height == result.height;
    glUniform2f(at->window, (float)look.width, (float)look.height);
    glUniform2f(at->picture, (float)result.width, (float)result.height);
    glUniform2f(at->corner, (float)look.x, (float)look.y);
    glUniform1f(at->scale, (float)look.scale);
    glUniform1f(at->split, comparable ? (float)look.split : -1.0f);
    glUniform1i(at->show, comparable ? (GLint)look.show : CANVAS_SHOW_RESULT);
    glUniform1f(at->gain, (float)exp2(look.exposure));
    glUniform1i(at->result_linear, result.type == PIXEL_F32);
    glUniform1i(at->source_linear, source.type == PIXEL_F32);
    glUniform3fv(at->background, 1, background);
    glUniform1f(at->checker, (float)look.checker);
}

Status canvas_draw(Canvas *canvas, CanvasLook look) {
    glViewport(0, 0, look.width, look.height);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glUseProgram(canvas->program);
    bind(canvas, CANVAS_RESULT, canvas->at.result);
    bind(canvas, CANVAS_SOURCE, canvas->at.source);
    set_uniforms(canvas, look);
    glBindVertexArray(canvas->vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
    glActiveTexture(GL_TEXTURE0);
    return gl_check("drawing the canvas");
}
