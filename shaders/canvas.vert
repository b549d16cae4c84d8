#version 330 core
/* One triangle that covers the window; the scissor leaves the picture's rectangle of it. `place` is where a fragment
 * lies, counted from the top left. */

uniform vec2 window; /* its size, pixels */

noperspective out vec2 place;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    place = vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y) * window;
    gl_Position = vec4(corner, 0.0, 1.0);
}
