/* shaders.h: the texts of shaders/, embedded when the program is built (tools/embed.cmake).
 * Owns their declarations. */
#ifndef GLINT_RENDER_SHADERS_H
#define GLINT_RENDER_SHADERS_H

extern const char shader_canvas_vert[], shader_canvas_frag[];
extern const char shader_mesh_vert[], shader_mesh_frag[];

#endif
