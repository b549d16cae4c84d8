/* mesh.c: two buffers, and one call for all triangles with the same texture and clip rectangle. */
#include "render/mesh.h"

#include "render/gl.h"
#include "render/shaders.h"

#include <epoxy/gl.h>

enum { VERTICES, INDICES };

/* Where the shader has its inputs. */
static void describe(GLuint location, GLint count, GLenum type, size_t offset) {
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, count, type, type == GL_UNSIGNED_BYTE, sizeof(MeshVertex),
                          (const void *)offset); // NOLINT(performance-no-int-to-ptr): an offset in the buffer
}

Status mesh_create(Mesh *mesh) {
    *mesh = (Mesh){0};
    TRY(gl_program_create("the panels", "", shader_mesh_vert, shader_mesh_frag, &mesh->program));
    mesh->window = glGetUniformLocation(mesh->program, "window");
    glGenVertexArrays(1, &mesh->vertices);
    glGenBuffers(2, mesh->buffers);
    glBindVertexArray(mesh->vertices); /* the array then remembers both buffers */
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[VERTICES]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->buffers[INDICES]);
    describe(0, 2, GL_FLOAT, offsetof(MeshVertex, x));
    describe(1, 2, GL_FLOAT, offsetof(MeshVertex, u));
    describe(2, 4, GL_UNSIGNED_BYTE, offsetof(MeshVertex, colour));
    glBindVertexArray(0);
    return gl_check("making the panels' buffers");
}

void mesh_destroy(Mesh *mesh) {
    glDeleteProgram(mesh->program);
    glDeleteVertexArrays(1, &mesh->vertices);
    glDeleteBuffers(2, mesh->buffers);
    *mesh = (Mesh){0};
}

void mesh_reserve(const Mesh *mesh, size_t vertices, size_t indices) {
    glBindVertexArray(mesh->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[VERTICES]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(vertices * sizeof(MeshVertex)), NULL, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(indices * sizeof(MeshIndex)), NULL, GL_STREAM_DRAW);
}

void mesh_fill(const Mesh *mesh, size_t first_vertex, const MeshVertex *vertices, size_t vertex_count,
               size_t first_index, const MeshIndex *indices, size_t index_count) {
    glBindVertexArray(mesh->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->buffers[VERTICES]);
    glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)(first_vertex * sizeof *vertices),
                    (GLsizeiptr)(vertex_count * sizeof *vertices), vertices);
    glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, (GLintptr)(first_index * sizeof *indices),
                    (GLsizeiptr)(index_count * sizeof *indices), indices);
}

void mesh_begin(const Mesh *mesh, int width, int height) {
    glViewport(0, 0, width, height);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(mesh->program);
    glUniform2f(mesh->window, (float)width, (float)height);
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(mesh->vertices);
}

void mesh_draw(unsigned texture, size_t first_index, size_t count, size_t base) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glDrawElementsBaseVertex(
        GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_SHORT,
        (const void *)(first_index * sizeof(MeshIndex)), // NOLINT(performance-no-int-to-ptr): an offset in the buffer
        (GLint)base);
}

void mesh_end(void) {
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}
