/* canvas_program.c: the canvas's programs, made of one shader by definitions. */
#include "render/canvas_program.h"

#include "render/gl.h"
#include "render/shaders.h"

#include <math.h>
#include <stdio.h>

static const struct {
    int mode;
    const char *define;
} defines[] = {
    {MAGNIFIED, "#define MAGNIFIED\n"}, {REDUCED, "#define REDUCED\n"},         {DIFFERENCE, "#define DIFFERENCE\n"},
    {LINEAR, "#define LINEAR\n"},       {TRANSPARENT, "#define TRANSPARENT\n"}, {GRADED, "#define GRADED\n"},
    {PLACED, "#define PLACED\n"},       {PROFILED, "#define PROFILED\n"},       {EXPORTED, "#define EXPORTED\n"},
    {SMOOTH, "#define SMOOTH\n"},       {ERRORS, "#define ERRORS\n"},
};

/* Units of textures besides those of pictures. */
enum { GRID_UNIT = 2, CURVES_UNIT, EXPORTED_UNIT, EXPORTED_CURVES_UNIT };

Status canvas_program_make(Program *program, int mode) {
    char text[256] = "";
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
        {"first", &program->first},         {"second", &program->second},
        {"window", &program->window},       {"corner", &program->corner},
        {"scale", &program->scale},         {"side", &program->side},
        {"texel", &program->texel},         {"gain", &program->gain},
        {"board", &program->board},         {"checker", &program->checker},
        {"channel", &program->channel},     {"false_colour", &program->false_colour},
        {"gamma", &program->gamma},         {"zebra", &program->zebra},
        {"to_texels", &program->to_texels}, {"begins", &program->begins},
        {"ends", &program->ends},           {"size", &program->size},
        {"grid", &program->grid},           {"curves", &program->curves},
        {"exported", &program->exported},   {"exported_curves", &program->exported_curves},
    };
    for (size_t i = 0; i < sizeof uniforms / sizeof uniforms[0]; i++)
        *uniforms[i].at = glGetUniformLocation(program->name, uniforms[i].name);
    return STATUS_OK;
}

void canvas_program_set_look(const Program *program, CanvasLook look) {
    glUniform1f(program->gain, (float)exp2(look.exposure));
    glUniform1f(program->checker, (float)look.checker);
    glUniform1i(program->channel, look.channel);
    glUniform1i(program->false_colour, look.false_colour);
    glUniform1f(program->gamma, (float)(1 / look.gamma));
    glUniform1f(program->zebra, (float)look.zebra);
}

void canvas_program_set_placed(const Program *program, const Placed *placed) {
    float map[9];
    for (int i = 0; i < 9; i++)
        map[i] = (float)placed->map.m[i];
    glUniformMatrix3fv(program->to_texels, 1, GL_TRUE, map);
    glUniform2f(program->begins, (float)placed->begins[0], (float)placed->begins[1]);
    glUniform2f(program->ends, (float)placed->ends[0], (float)placed->ends[1]);
    glUniform1f(program->size, (float)placed->size);
}

static void bind(GLenum unit, GLenum target, GLuint name, GLint sampler) {
    if (sampler < 0)
        return;
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, name);
    glUniform1i(sampler, (GLint)unit);
    glActiveTexture(GL_TEXTURE0);
}

void canvas_program_set_colours(const Program *program, CanvasColours colours) {
    bind(GRID_UNIT, GL_TEXTURE_3D, colours.display.grid, program->grid);
    bind(CURVES_UNIT, GL_TEXTURE_2D, colours.display.curves, program->curves);
    bind(EXPORTED_UNIT, GL_TEXTURE_3D, colours.exported.grid, program->exported);
    bind(EXPORTED_CURVES_UNIT, GL_TEXTURE_2D, colours.exported.curves, program->exported_curves);
}
