#version 330 core
/* A picture laid on the window: magnified with sharp pixels, reduced by averaging, over a checkerboard where it is
 * transparent. Coordinates have their origin at the top left; one picture pixel is one unit of `picture`. */

const int SHOW_RESULT = 0, SHOW_SOURCE = 1, SHOW_DIFFERENCE = 2; /* CanvasShow */
const int TAPS_MOST = 8; /* samples a side when the picture is reduced */

uniform sampler2D result, source;
uniform vec2 window;      /* pixels */
uniform vec2 picture;     /* pixels */
uniform vec2 corner;      /* the picture's top left on the window */
uniform float scale;      /* window pixels a picture pixel */
uniform float split;      /* left of this window x the source is shown; negative: nowhere */
uniform int show;         /* CanvasShow */
uniform float gain;       /* exposure */
uniform bool result_linear, source_linear; /* linear light, to be encoded for the screen */
uniform vec3 background;
uniform float checker;    /* window pixels a square */

out vec4 colour;

vec4 premultiplied(vec4 c) { return vec4(c.rgb * c.a, c.a); }

vec4 texel(sampler2D from, vec2 at) {
    return premultiplied(texelFetch(from, ivec2(clamp(at, vec2(0.0), picture - 1.0)), 0));
}

/* Pixels stay squares of one colour; only their edges, one window pixel wide, are mixed, so that they are equally
 * large at every scale. */
vec4 magnified(sampler2D from, vec2 at) {
    vec2 p = at - 0.5, base = floor(p);
    vec2 f = clamp((p - base - 0.5) * scale + 0.5, 0.0, 1.0);
    vec4 top = mix(texel(from, base), texel(from, base + vec2(1.0, 0.0)), f.x);
    vec4 bottom = mix(texel(from, base + vec2(0.0, 1.0)), texel(from, base + vec2(1.0, 1.0)), f.x);
    return mix(top, bottom, f.y);
}

/* The average over the window pixel's area; each sample is itself the average of up to 2 x 2 picture pixels. */
vec4 reduced(sampler2D from, vec2 at) {
    float side = 1.0 / scale;
    int taps = min(int(ceil(side * 0.5)) + 1, TAPS_MOST);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < taps; j++)
        for (int i = 0; i < taps; i++) {
            vec2 offset = (vec2(i, j) + 0.5) / float(taps) - 0.5;
            sum += premultiplied(texture(from, (at + offset * side) / picture));
        }
    return sum / float(taps * taps);
}

/* Straight colour and coverage of the picture at `at`. */
vec4 look_up(sampler2D from, vec2 at) {
    vec4 c = scale >= 1.0 ? magnified(from, at) : reduced(from, at);
    return c.a > 0.0 ? vec4(c.rgb / c.a, c.a) : vec4(0.0);
}

vec3 encode(vec3 light) {
    light = max(light, vec3(0.0));
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}

vec3 shown(vec4 c, bool linear) { return linear ? encode(c.rgb * gain) : c.rgb * gain; }

void main() {
    vec2 place = vec2(gl_FragCoord.x, window.y - gl_FragCoord.y);
    vec2 at = (place - corner) / scale;
    colour = vec4(background, 1.0);
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, picture)))
        return;
    vec4 c;
    vec3 rgb;
    if (show == SHOW_DIFFERENCE && place.x >= split) {
        c = vec4(abs(look_up(result, at).rgb - look_up(source, at).rgb), 1.0);
        rgb = shown(c, result_linear);
    } else if (show == SHOW_SOURCE || place.x < split) {
        c = look_up(source, at);
        rgb = shown(c, source_linear);
    } else {
        c = look_up(result, at);
        rgb = shown(c, result_linear);
    }
    vec2 square = floor((place - floor(corner)) / checker);
    float board = mod(square.x + square.y, 2.0) < 0.5 ? 0.46 : 0.36;
    colour = vec4(mix(vec3(board), clamp(rgb, 0.0, 1.0), c.a), 1.0);
}
