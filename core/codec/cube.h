/* cube.h: .cube files: tables of colours (Adobe, Cube LUT Specification 1.0, 2013), of one dimension or of three.
 * Owns the reader, and the image that a table travels in: f32x3, as wide as the table's side. Row 0 has the domain, its
 * minimum and its maximum. Then follows a row for a table of one dimension, or for each of green and blue, green
 * first. */
#ifndef GLINT_CORE_CODEC_CUBE_H
#define GLINT_CORE_CODEC_CUBE_H

#include "core/image/image.h"

enum { CUBE_SIDE_MAX = 256, CUBE_LINE_MAX = 65536 }; /* of three dimensions, of one */

/* Parses a text. STATUS_INPUT with the line, the text there and the text expected. */
Status cube_parse(const char *text, Image **table);
/* Reads a file; messages begin with the path. Fails as file_read_text and cube_parse do. */
Status cube_load(const char *path, Image **table);

/* Whether the shape is that of a table; *side is its side, *dimensions 1 or 3. */
bool cube_of_shape(Shape shape, int *side, int *dimensions);

#endif
