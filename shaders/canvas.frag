#version 330 core
/* A picture, or the difference of two, laid on the window. Defined by canvas.c, so that a program does only what its
 * mode needs:
 * MAGNIFIED or REDUCED: texture pixels are larger or smaller than window pixels; neither: a window pixel shows a single
 * one, since they are the same, or larger and end where window pixels do;
 * DIFFERENCE: of `first` and `second`; LINEAR: linear light, to be encoded for the screen; TRANSPARENT: has alpha;
 * GRADED: a channel alone, false colour, gamma or stripes; PLACED: the picture lies where `to_texels` says, or the other side of
 * a difference does; SMOOTH: magnified texels stand for several pixels each, so that they are no squares; ERRORS: 0 to 1, and no colours;
 * PROFILED: colours become the monitor's; EXPORTED: stripes are over what an export clips.
 * Coordinates have their origin at the top left. */

uniform sampler2D first, second;
uniform vec2 corner;   /* the texture's top left on the window */
uniform float scale;   /* window pixels a texture pixel */
uniform float side;    /* 1 / scale: divisions take time where Mesa draws in software */
uniform vec2 texel;    /* 1 / the texture's width and height, that of both textures */
uniform float gain;    /* exposure */
uniform vec2 board;    /* the checkerboard's top left on the window */
uniform float checker; /* window pixels a square */

/* Rather than gl_FragCoord: what Mesa 22 makes of that stays upside down for screenshots after a draw to the window. */
noperspective in vec2 place;

out vec4 colour;

vec4 premultiplied(vec4 c) { return vec4(c.rgb * c.a, c.a); }
vec4 straight(vec4 c) { return c.a > 0.0 ? vec4(c.rgb / c.a, c.a) : vec4(0.0); }

#ifdef PLACED
uniform mat3 to_texels; /* from the window to texels of `first`; of a difference to pixels of the other side */
uniform vec2 begins, ends; /* the ends of the picture there */
uniform float size;      /* window pixels a texel */

vec3 through(vec2 at) { return to_texels * vec3(at, 1.0); }

/* How much of a window pixel lies on the picture. */
float coverage(vec2 centre) {
    vec3 p = through(centre);
    vec2 at = p.xy / p.z, share = clamp(min(at - begins, ends - at) * size + 0.5, 0.0, 1.0);
    return p.z > 0.0 ? share.x * share.y : 0.0;
}
#endif

#if defined PLACED && !defined DIFFERENCE
/* Four texels mixed; as in pictures that lie straight, magnified pixels are squares. With alpha, it is premultiplied. */
vec4 tap(sampler2D from, vec2 at) {
    vec3 through_map = through(at);
    vec2 p = through_map.xy / through_map.z - 0.5, base = floor(p), f = p - base;
#    if defined MAGNIFIED && !defined SMOOTH
    f = clamp((f - 0.5) * size + 0.5, 0.0, 1.0);
#    endif
#    ifdef TRANSPARENT
    ivec2 least = ivec2(base), most = textureSize(from, 0) - 1;
    ivec2 a = clamp(least, ivec2(0), most), b = clamp(least + 1, ivec2(0), most);
    vec4 top = mix(premultiplied(texelFetch(from, a, 0)), premultiplied(texelFetch(from, ivec2(b.x, a.y), 0)), f.x);
    vec4 bottom = mix(premultiplied(texelFetch(from, ivec2(a.x, b.y), 0)), premultiplied(texelFetch(from, b, 0)), f.x);
    return mix(top, bottom, f.y);
#    else
    return textureLod(from, (base + f + 0.5) * texel, 0.0);
#    endif
}

/* Where texels are smaller than window pixels, two by two of them make a pixel. */
vec4 look_up(sampler2D from, vec2 centre) {
#    ifdef MAGNIFIED
    vec4 sum = tap(from, centre);
#    else
    vec4 sum = 0.25 * (tap(from, centre + vec2(-0.25, -0.25)) + tap(from, centre + vec2(0.25, -0.25)) +
                       tap(from, centre + vec2(-0.25, 0.25)) + tap(from, centre + vec2(0.25, 0.25)));
#    endif
#    ifdef TRANSPARENT
    sum = straight(sum);
#    endif
    return sum;
}
#elif defined MAGNIFIED
/* Pixels stay squares of one colour; only their edges, one window pixel wide, are mixed, so that they are equally
 * large at every scale. */
vec4 look_up(sampler2D from, vec2 centre) {
    vec2 p = (centre - corner) * side - 0.5, base = floor(p), f = p - base;
#    ifndef SMOOTH
    f = clamp((f - 0.5) * scale + 0.5, 0.0, 1.0);
#    endif
#    ifdef TRANSPARENT
    ivec2 least = ivec2(base), most = textureSize(from, 0) - 1;
    ivec2 a = clamp(least, ivec2(0), most), b = clamp(least + 1, ivec2(0), most);
    vec4 top = mix(premultiplied(texelFetch(from, a, 0)), premultiplied(texelFetch(from, ivec2(b.x, a.y), 0)), f.x);
    vec4 bottom = mix(premultiplied(texelFetch(from, ivec2(a.x, b.y), 0)), premultiplied(texelFetch(from, b, 0)), f.x);
    return straight(mix(top, bottom, f.y));
#    else
    return textureLod(from, (base + f + 0.5) * texel, 0.0);
#    endif
}
#elif defined REDUCED
/* What two texels in sequence from `at` on share of the way from `low` to `high`, and where the texture's filter mixes
 * them so. */
vec2 pair(float at, float low, float high) {
    float next = clamp(high - (at + 1.0), 0.0, 1.0), both = min(high, at + 1.0) - max(low, at) + next;
    return vec2(both, at + 0.5 + next / both);
}

/* The average over the window pixel's area, texture pixels at its edge by their share. A picture of n pixels takes
 * about n reads in all, however small it is shown, or a quarter of that if it is opaque. Fragments are what GPUs for
 * computing have few units for: arithmetic counts as much as look-ups do. */
vec4 look_up(sampler2D from, vec2 centre) {
    vec2 size = vec2(textureSize(from, 0)), begin = (centre - corner - 0.5) * side;
    vec2 low = clamp(begin, vec2(0.0), size - 1e-3), high = clamp(begin + side, low + 1e-3, size), first = floor(low);
    vec4 sum = vec4(0.0);
#    ifdef TRANSPARENT
    for (float y = first.y; y < high.y; y++)
        for (float x = first.x; x < high.x; x++) {
            vec2 at = vec2(x, y), share = min(high, at + 1.0) - max(low, at);
            sum += share.x * share.y * premultiplied(texelFetch(from, ivec2(at), 0));
        }
#    else
    for (float y = first.y; y < high.y; y += 2.0) { /* two by two at once, which the filter mixes by their shares */
        vec2 down = pair(y, low.y, high.y);
        vec4 row = vec4(0.0);
        for (float x = first.x; x < high.x; x += 2.0) {
            vec2 across = pair(x, low.x, high.x);
            row += across.x * textureLod(from, vec2(across.y, down.y) * texel, 0.0);
        }
        sum += down.x * row;
    }
#    endif
    sum *= 1.0 / ((high.x - low.x) * (high.y - low.y));
#    ifdef TRANSPARENT
    sum = straight(sum);
#    endif
    return sum;
}
#else
vec4 look_up(sampler2D from, vec2 centre) { return texelFetch(from, ivec2((centre - corner) * side), 0); }
#endif

#ifdef LINEAR
vec3 encode(vec3 light) {
    light = max(light, vec3(0.0));
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}
#else
vec3 encode(vec3 encoded) { return encoded; }
#endif

#if defined PROFILED || defined EXPORTED
/* A row of a table's curves (core/image/display.h), straight between its numbers. */
vec3 along(sampler2D curves, int row, vec3 value) {
    float last = float(textureSize(curves, 0).x - 1);
    vec3 at = clamp(value, 0.0, 1.0) * last, base = min(floor(at), last - 1.0);
    ivec3 i = ivec3(base);
    vec3 low = vec3(texelFetch(curves, ivec2(i.r, row), 0).r, texelFetch(curves, ivec2(i.g, row), 0).g,
                    texelFetch(curves, ivec2(i.b, row), 0).b);
    vec3 high = vec3(texelFetch(curves, ivec2(i.r + 1, row), 0).r, texelFetch(curves, ivec2(i.g + 1, row), 0).g,
                     texelFetch(curves, ivec2(i.b + 1, row), 0).b);
    return mix(low, high, at - base);
}

/* The number at a place of a grid, by tetrahedra (Kasson et al. 1995): the diagonal, where grays are, is an edge of all
 * six. */
vec3 number_at(sampler3D grid, vec3 place) {
    vec3 last = vec3(textureSize(grid, 0) - 1), at = place * last, base = min(floor(at), last - 1.0), f = at - base;
    ivec3 low = ivec3(base);
    ivec3 first_axis = f.x >= f.y && f.x >= f.z ? ivec3(1, 0, 0) : f.y >= f.z ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
    ivec3 last_axis = f.z <= f.x && f.z <= f.y ? ivec3(0, 0, 1) : f.y <= f.x ? ivec3(0, 1, 0) : ivec3(1, 0, 0);
    float most = max(f.x, max(f.y, f.z)), least = min(f.x, min(f.y, f.z)), middle = f.x + f.y + f.z - most - least;
    return (1.0 - most) * texelFetch(grid, low, 0).rgb + (most - middle) * texelFetch(grid, low + first_axis, 0).rgb +
           (middle - least) * texelFetch(grid, low + 1 - last_axis, 0).rgb + least * texelFetch(grid, low + 1, 0).rgb;
}
#endif

#ifdef PROFILED
uniform sampler3D grid;
uniform sampler2D curves;
vec3 on_monitor(vec3 value) {
    vec3 number = number_at(grid, along(curves, 0, value));
    return along(curves, 1, sqrt(clamp(number, 0.0, 1.0)));
}
#else
vec3 on_monitor(vec3 value) { return value; }
#endif

#ifdef GRADED
uniform int channel;       /* 0: all; 1 to 3: red, green, blue; 4: alpha; 5: luma */
uniform bool false_colour; /* by brightness; of differences by the largest of the channels */
uniform float gamma;       /* the exponent */
uniform float zebra;       /* window pixels a stripe; 0: none */

float luma(vec3 c) { return dot(c, vec3(0.2126, 0.7152, 0.0722)); }

/* Of opaque colours what is chosen, as gray. */
vec4 choose(vec4 c) {
    return channel == 0   ? c
           : channel == 4 ? vec4(vec3(c.a), 1.0)
           : channel == 5 ? vec4(vec3(luma(c.rgb)), c.a)
                          : vec4(vec3(c[channel - 1]), c.a);
}

/* Viridis and, for differences and errors, inferno, whose zero is black (van der Walt and Smith 2015), by Zucker's polynomials
 * (2018), as in core/image/colour_map.c. */
#    if defined DIFFERENCE || defined ERRORS
const vec3 fit[7] = vec3[](vec3(0.0002189404, 0.001651005, -0.01948090), vec3(0.1065134, 0.5639564, 3.9327124),
                           vec3(11.6024931, -3.9728540, -15.9423941), vec3(-41.7039961, 17.4363989, 44.3541452),
                           vec3(77.1629357, -33.4023589, -81.8073093), vec3(-71.3194282, 32.6260643, 73.2095199),
                           vec3(25.1311262, -12.2426690, -23.0703250));
#    else
const vec3 fit[7] = vec3[](vec3(0.2777273, 0.005407345, 0.3340998), vec3(0.1050930, 1.4046135, 1.3845902),
                           vec3(-0.3308618, 0.2148476, 0.09509516), vec3(-4.6342305, -5.7991010, -19.3324410),
                           vec3(6.2282699, 14.1799334, 56.6905526), vec3(4.7763850, -13.7451454, -65.3530326),
                           vec3(-5.4354559, 4.6458526, 26.3124352));
#    endif
vec3 map(float t) {
    vec3 sum = fit[6];
    for (int i = 5; i >= 0; i--)
        sum = sum * t + fit[i];
    return clamp(sum, 0.0, 1.0);
}

#    ifdef EXPORTED
uniform sampler3D exported; /* to light of the exported colours */
uniform sampler2D exported_curves;

/* A conversion clips what lies beyond black and white, by more than a step of 8 bits in sRGB's shadows,
 * 1 / (255 * 12.92); half of that is black, or white. */
void clip(vec3 stored, out bool lights, out bool shadows) {
    vec3 light = number_at(exported, along(exported_curves, 0, stored));
    lights = any(greaterThanEqual(light, vec3(1.0 - 1.5e-4))) || any(greaterThan(stored, vec3(1.0)));
    shadows = all(lessThanEqual(light, vec3(1.5e-4))) || any(lessThan(light, vec3(-3.0e-4)));
}
#    else
void clip(vec3 stored, out bool lights, out bool shadows) {
    lights = any(greaterThanEqual(stored, vec3(1.0)));
    shadows = all(lessThanEqual(stored, vec3(0.0)));
}
#    endif

/* `shown` as the screen shall show it; `stored` is the pixel itself. A channel alone is no colour of the picture. */
vec3 finish(vec3 shown, vec3 stored, vec2 centre) {
    bool lights, shadows;
    clip(stored, lights, shadows);
    shown = pow(shown, vec3(gamma));
    if (false_colour)
        shown = map(luma(shown));
    else if (channel == 0)
        shown = on_monitor(shown);
    if (zebra > 0.0 && (lights || shadows) && mod(floor((centre.x + centre.y) / zebra), 2.0) < 0.5)
        shown = lights ? vec3(1.0, 0.25, 0.2) : vec3(0.2, 0.45, 1.0);
    return shown;
}
#endif

void main() {
    vec2 centre = floor(place) + 0.5;
    float covered = 1.0;
#ifdef PLACED
    covered = coverage(centre);
    if (covered <= 0.0)
        discard;
#endif
    vec4 c = look_up(first, centre);
#ifdef DIFFERENCE
    c = vec4(abs(c.rgb - look_up(second, centre).rgb), 1.0);
#endif
#ifdef GRADED
    vec3 stored = c.rgb;
    bool coded = channel == 4; /* alpha is a share, not light, and has no exposure */
    c = choose(c);
#    if defined DIFFERENCE || defined ERRORS
    if (false_colour)
        c.rgb = map(min(gain * max(c.r, max(c.g, c.b)), 1.0)); /* as the legend has it, whatever else is asked for */
    else
#    endif
        c.rgb = finish(clamp(coded ? c.rgb : encode(c.rgb * gain), 0.0, 1.0), stored, centre);
#else
    c.rgb = on_monitor(clamp(encode(c.rgb * gain), 0.0, 1.0));
#endif
#ifdef TRANSPARENT
    vec2 square = floor((centre - board) / checker);
    c.rgb = mix(vec3(mod(square.x + square.y, 2.0) < 0.5 ? 0.46 : 0.36), c.rgb, c.a);
#endif
    colour = vec4(c.rgb, covered);
}
