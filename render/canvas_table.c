/* canvas_table.c: a table as a grid of three dimensions and a row of curves. */
#include "render/canvas_table.h"

#include "render/gl.h"

#include <epoxy/gl.h>

Status canvas_table_create(const DisplayTable *values, CanvasTable *table) {
    static unsigned serial;
    GLuint names[2];
    glGenTextures(2, names);
    *table = (CanvasTable){names[0], names[1], ++serial};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_3D, table->grid);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA32F, DISPLAY_SIDE, DISPLAY_SIDE, DISPLAY_SIDE, 0, GL_RGB, GL_FLOAT,
                 values->grid);
    glBindTexture(GL_TEXTURE_3D, 0);
    glBindTexture(GL_TEXTURE_2D, table->curves);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, DISPLAY_CURVE, 2, 0, GL_RGB, GL_FLOAT, values->curves);
    glBindTexture(GL_TEXTURE_2D, 0);
    const Status status = gl_check("making a table of colours");
    if (status != STATUS_OK)
        canvas_table_destroy(table);
    return status;
}

void canvas_table_destroy(CanvasTable *table) {
    const GLuint names[] = {table->grid, table->curves};
    glDeleteTextures(2, names);
    *table = (CanvasTable){0};
}

bool canvas_colours_equal(const CanvasColours a[CANVAS_SLOTS], const CanvasColours b[CANVAS_SLOTS]) {
    bool same = true;
    for (int i = 0; i < CANVAS_SLOTS; i++)
        same &= a[i].display.serial == b[i].display.serial && a[i].exported.serial == b[i].exported.serial &&
                a[i].coded == b[i].coded;
    return same;
}
