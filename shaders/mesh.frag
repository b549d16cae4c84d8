#version 330 core
/* What a texture has there, tinted. */

uniform sampler2D image;

in vec2 at;
in vec4 tint;

layout(location = 0) out vec4 colour;

void main() {
    colour = tint * texture(image, at);
}
