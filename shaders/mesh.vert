#version 330 core
/* Triangles of panels, in pixels from the top left. */

uniform vec2 window; /* its size, pixels */

layout(location = 0) in vec2 place;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 colour;

out vec2 at;
out vec4 tint;

void main() {
    at = texel;
    tint = colour;
    gl_Position = vec4(2.0 * place.x / window.x - 1.0, 1.0 - 2.0 * place.y / window.y, 0.0, 1.0);
}
