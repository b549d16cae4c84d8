/* canvas_program.c: the canvas's programs, made of one shader by definitions. */
#include "render/canvas_program.h"

#include "render/gl.h"
#include "render/shaders.h"

#include <stdio.h>

static const struct {
    int mode;
    const char *define;
} defines[] = {
    {MAGNIFIED, "#define MAGNIFIED\n"}, {REDUCED, "#define REDUCED\n"},         {DIFFERENCE, "#define DIFFERENCE\n"},
    {LINEAR, "#define LINEAR\n"},       {TRANSPARENT, "#define TRANSPARENT\n"}, {GRADED, "#define GRADED\n"},
};

Status canvas_program_make(Program *program, int mode) {
    char text[192] = "";
    size_t length = 0;
    if (program->name)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof defines / sizeof defines[0]; i++)
        if (mode & defines[i].mode)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s", defines[i].define);
    TRY(gl_program_create("the canvas", text, shader_canvas_vert, shader_canvas_frag, &program->name));
    const struct {
        const char *name;
        GLint *at;
    } uniforms[] = {
        {"first", &program->first},     {"second", &program->second},
        {"window", &program->window},   {"corner", &program->corner},
        {"scale", &program->scale},     {"gain", &program->gain},
        {"board", &program->board},     {"checker", &program->checker},
        {"channel", &program->channel}, {"false_colour", &program->false_colour},
        {"gamma", &program->gamma},     {"zebra", &program->zebra},
    };
    for (size_t i = 0; i < sizeof uniforms / sizeof uniforms[0]; i++)
        *uniforms[i].at = glGetUniformLocation(program->name, uniforms[i].name);
    return STATUS_OK;
}
