/* gl.c: shader programs and error flags. */
#include "render/gl.h"

#include <epoxy/gl.h>
#include <string.h>

enum { LOG_MAX = 400 };

static Status compile(const char *name, GLenum stage, const char *defines, const char *text, GLuint *shader) {
    const size_t version = strcspn(text, "\n") + 1; /* the version has to be the first line */
    const char *const parts[] = {text, defines, text + version};
    const GLint lengths[] = {(GLint)version, -1, -1}; /* -1: up to the zero */
    *shader = glCreateShader(stage);
    glShaderSource(*shader, 3, parts, lengths);
    glCompileShader(*shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled);
    if (compiled)
        return STATUS_OK;
    char log[LOG_MAX] = "";
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    return fail(STATUS_DEVICE, "OpenGL: the %s shader of %s does not compile: %s",
                stage == GL_VERTEX_SHADER ? "vertex" : "fragment", name, log);
}

Status gl_program_create(const char *name, const char *defines, const char *vertex, const char *fragment,
                         unsigned *program) {
    GLuint shaders[2] = {0, 0};
    *program = 0;
    Status status = compile(name, GL_VERTEX_SHADER, defines, vertex, &shaders[0]);
    if (status == STATUS_OK)
        status = compile(name, GL_FRAGMENT_SHADER, defines, fragment, &shaders[1]);
    if (status != STATUS_OK)
        goto done;
    *program = glCreateProgram();
    glAttachShader(*program, shaders[0]);
    glAttachShader(*program, shaders[1]);
    glLinkProgram(*program);
    GLint linked = GL_FALSE;
    glGetProgramiv(*program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[LOG_MAX] = "";
        glGetProgramInfoLog(*program, sizeof log, NULL, log);
        status = fail(STATUS_DEVICE, "OpenGL: the shaders of %s do not link: %s", name, log);
        glDeleteProgram(*program);
        *program = 0;
    }
done:
    glDeleteShader(shaders[0]);
    glDeleteShader(shaders[1]);
    return status;
}

Status gl_check(const char *doing) {
    static const struct {
        GLenum code;
        const char *meaning;
    } meanings[] = {
        {GL_INVALID_ENUM, "invalid enumerator"},     {GL_INVALID_VALUE, "invalid value"},
        {GL_INVALID_OPERATION, "invalid operation"}, {GL_INVALID_FRAMEBUFFER_OPERATION, "invalid framebuffer"},
        {GL_OUT_OF_MEMORY, "out of memory"},
    };
    const GLenum code = glGetError();
    if (code == GL_NO_ERROR)
        return STATUS_OK;
    while (glGetError() != GL_NO_ERROR) /* several flags may be up; the first one tells */
        continue;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].code == code)
            return fail(STATUS_DEVICE, "OpenGL: %s: %s", doing, meanings[i].meaning);
    return fail(STATUS_DEVICE, "OpenGL: %s: error %#x", doing, code);
}
