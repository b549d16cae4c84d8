#version 330 core
/* A picture, or the difference of two, laid on the window. Defined by canvas.c, so that a program does only what its
 * mode needs:
 * MAGNIFIED or REDUCED: texture pixels are larger or smaller than window pixels; neither: they are the same;
 * DIFFERENCE: of `first` and `second`; LINEAR: linear light, to be encoded for the screen; TRANSPARENT: has alpha.
 * Coordinates have their origin at the top left. */

uniform sampler2D first, second;
uniform vec2 corner;   /* the texture's top left on the window */
uniform float scale;   /* window pixels a texture pixel */
uniform float gain;    /* exposure */
uniform vec2 board;    /* the checkerboard's top left on the window */
uniform float checker; /* window pixels a square */

/* Rather than gl_FragCoord: what Mesa 22 makes of that stays upside down for screenshots after a draw to the window. */
noperspective in vec2 place;

out vec4 colour;

vec4 premultiplied(vec4 c) { return vec4(c.rgb * c.a, c.a); }
vec4 straight(vec4 c) { return c.a > 0.0 ? vec4(c.rgb / c.a, c.a) : vec4(0.0); }

#if defined MAGNIFIED
/* Pixels stay squares of one colour; only their edges, one window pixel wide, are mixed, so that they are equally
 * large at every scale. */
vec4 look_up(sampler2D from, vec2 centre) {
    vec2 p = (centre - corner) / scale - 0.5, base = floor(p);
    vec2 f = clamp((p - base - 0.5) * scale + 0.5, 0.0, 1.0);
#    ifdef TRANSPARENT
    ivec2 least = ivec2(base), most = textureSize(from, 0) - 1;
    ivec2 a = clamp(least, ivec2(0), most), b = clamp(least + 1, ivec2(0), most);
    vec4 top = mix(premultiplied(texelFetch(from, a, 0)), premultiplied(texelFetch(from, ivec2(b.x, a.y), 0)), f.x);
    vec4 bottom = mix(premultiplied(texelFetch(from, ivec2(a.x, b.y), 0)), premultiplied(texelFetch(from, b, 0)), f.x);
    return straight(mix(top, bottom, f.y));
#    else
    return textureLod(from, (base + f + 0.5) / vec2(textureSize(from, 0)), 0.0);
#    endif
}
#elif defined REDUCED
const int TAPS_MAXIMUM = 8; /* samples a side */

/* The average over the window pixel's area; each sample is itself the average of up to 2 x 2 texture pixels. */
vec4 look_up(sampler2D from, vec2 centre) {
    vec2 at = (centre - corner) / scale, size = vec2(textureSize(from, 0));
    float side = 1.0 / scale;
    int taps = min(int(ceil(side * 0.5)) + 1, TAPS_MAXIMUM);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < taps; j++)
        for (int i = 0; i < taps; i++) {
            vec2 offset = (vec2(i, j) + 0.5) / float(taps) - 0.5;
            sum += premultiplied(textureLod(from, (at + offset * side) / size, 0.0));
        }
    return straight(sum / float(taps * taps));
}
#else
vec4 look_up(sampler2D from, vec2 centre) { return texelFetch(from, ivec2(centre - corner), 0); }
#endif

#ifdef LINEAR
vec3 encode(vec3 light) {
    light = max(light, vec3(0.0));
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}
#else
vec3 encode(vec3 encoded) { return encoded; }
#endif

void main() {
    vec2 centre = floor(place) + 0.5;
    vec4 c = look_up(first, centre);
#ifdef DIFFERENCE
    c = vec4(abs(c.rgb - look_up(second, centre).rgb), 1.0);
#endif
    c.rgb = clamp(encode(c.rgb * gain), 0.0, 1.0);
#ifdef TRANSPARENT
    vec2 square = floor((centre - board) / checker);
    c.rgb = mix(vec3(mod(square.x + square.y, 2.0) < 0.5 ? 0.46 : 0.36), c.rgb, c.a);
#endif
    colour = vec4(c.rgb, 1.0);
}
