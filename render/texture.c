/* texture.c: a texture of its own for a picture. */
#include "render/texture.h"

#include "render/gl.h"

#include <epoxy/gl.h>

Status texture_fill(unsigned *name, ImageView picture) {
    const Shape shape = picture.shape;
    static const GLint colours[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA}, letters[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    const bool opacity = shape.channels == 1;
    const GLenum format = opacity ? GL_RED : shape.channels == 3 ? GL_RGB : GL_RGBA;
    if (!*name)
        glGenTextures(1, name);
    glBindTexture(GL_TEXTURE_2D, *name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, opacity ? letters : colours);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(picture.stride / (size_t)shape.channels));
    glTexImage2D(GL_TEXTURE_2D, 0, opacity ? GL_R8 : GL_RGBA8, (GLsizei)shape.width, (GLsizei)shape.height, 0, format,
                 GL_UNSIGNED_BYTE, picture.pixels);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    return gl_check("making a texture for a panel");
}

void texture_free(unsigned *name) {
    glDeleteTextures(1, name);
    *name = 0;
}
