/* mesh.h: triangles with textures, as panels are made of.
 * Owns their buffers, which are filled once and drawn as often as the window is, and the program. Needs a current
 * OpenGL 3.3 core context. */
#ifndef GLINT_RENDER_MESH_H
#define GLINT_RENDER_MESH_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct MeshVertex {
    float x, y;        /* pixels from the window's top left */
    float u, v;        /* of the texture, 0 to 1 */
    uint8_t colour[4]; /* red, green, blue, opacity, straight */
} MeshVertex;

typedef uint16_t MeshIndex;

typedef struct Mesh {
    unsigned program, vertices, buffers[2]; /* OpenGL's names; the buffers: of vertices and of indices */
    int window;                             /* the uniform */
} Mesh;

/* STATUS_DEVICE with OpenGL's reason. */
Status mesh_create(Mesh *mesh);
void mesh_destroy(Mesh *mesh); /* accepts a zeroed one */

/* Takes the old triangles away and makes room for so many vertices and indices; mesh_fill then fills a part of it. */
void mesh_reserve(const Mesh *mesh, size_t vertices, size_t indices);
void mesh_fill(const Mesh *mesh, size_t first_vertex, const MeshVertex *vertices, size_t vertex_count,
               size_t first_index, const MeshIndex *indices, size_t index_count);

/* Blends over the pixels drawn already, in a window of this size; mesh_end leaves neither blending nor a scissor. */
void mesh_begin(const Mesh *mesh, int width, int height);
/* Triangles of `count` indices, which count vertices from `base` on, with this texture. */
void mesh_draw(unsigned texture, size_t first_index, size_t count, size_t base);
void mesh_end(void);

#endif
