/* blend_real.h: blends in one type of reals, for core/math/blend.h, which includes this for each: hence no guard.
 * BLEND_REAL is the type, BLEND_AS(name) a name in it, BLEND_ROUNDING its rounding error. BLEND_HALVES rounds halves;
 * BLEND_ROOT and BLEND_INVERSE are functions. All are undefined at the end. Values are 0 to w, v is 1 / w. */
#define hard BLEND_AS(blend_hard)
#define soft BLEND_AS(blend_soft)

GLINT_HD BLEND_REAL hard(BLEND_REAL b, BLEND_REAL s, BLEND_REAL w, BLEND_REAL v) {
    const BLEND_REAL twice = 2 * s, more = twice - w;
    return twice <= w ? b * twice * v : b + more - b * more * v;
}
GLINT_HD BLEND_REAL soft(BLEND_REAL b, BLEND_REAL s, BLEND_REAL w, BLEND_REAL v) {
    if (2 * s <= w)
        return b - (w - 2 * s) * b * v * (w - b) * v;
    const BLEND_REAL d = 4 * b <= w ? ((16 * b * v - 12) * b * v + 4) * b : (BLEND_REAL)BLEND_ROOT(b * w);
    return b + (2 * s - w) * v * (d - b);
}

/* The blended colour where both pictures are opaque. */
GLINT_HD BLEND_REAL BLEND_AS(blend_mixed)(BlendMode mode, BLEND_REAL b, BLEND_REAL s, BLEND_REAL w, BLEND_REAL v) {
    switch (mode) {
#define BLEND(name, help, whole, body)                                                                                 \
    case BLEND_##name:                                                                                                 \
        return body;
#include "core/math/blend.def"
#undef BLEND
    default:
        return s;
    }
}

/* The weights of the sums that give a pixel's colours, and its alpha: one division a pixel. */
typedef struct BLEND_AS(BlendShares) {
    BLEND_REAL backdrop, source, mixed, normal, alpha; /* normal: source and mixed together */
    bool valid;                                        /* alphas and opacity are within their ranges */
    bool opaque, opaque_source;
} BLEND_AS(BlendShares);

/* With o the source's opacity times its alpha, and a the backdrop's alpha, blend_pixel's formula is
 * (o (w - a) s + o a mixed + a (w - o) b) / (o w + a (w - o)). */
GLINT_HD BLEND_AS(BlendShares) BLEND_AS(blend_shares)(BLEND_REAL backdrop_alpha, BLEND_REAL source_alpha,
                                                      BLEND_REAL opacity, BLEND_REAL w, BLEND_REAL v) {
    const BLEND_REAL a = backdrop_alpha, o = opacity * source_alpha, c = a * (w - o), all = o * w + c;
    const BLEND_REAL r = BLEND_INVERSE(all > 0 ? all : 1), most = w * (1 + 4 * (BLEND_REAL)BLEND_ROUNDING);
    const bool opaque_source = source_alpha == w, opaque = (a == w) & opaque_source,
               valid = (o >= 0) & (o <= most) & (a >= 0) & (a <= w);
    const BLEND_AS(BlendShares) shares = {opaque ? 1 - opacity : c * r,
                                          opaque ? 0 : o * (w - a) * r,
                                          opaque ? opacity : o * a * r,
                                          opaque ? opacity : o * w * r,
                                          a + (opaque_source ? opacity : o * v) * (w - a),
                                          valid,
                                          opaque,
                                          opaque_source};
    return shares;
}

/* A value between black and white, NaN as it is, and the whole number next to it, the even one of two. */
GLINT_HD BLEND_REAL BLEND_AS(blend_clamp)(BLEND_REAL value, BLEND_REAL w) {
    return value < 0 ? 0 : value > w ? w : value;
}
GLINT_HD BLEND_REAL BLEND_AS(blend_whole)(BLEND_REAL value) {
    return value + BLEND_HALVES - BLEND_HALVES;
}
/* Whether a value, clamped, that is off by less than `error` rounds as the true one does. */
GLINT_HD bool BLEND_AS(blend_certain)(BLEND_REAL value, BLEND_REAL error) {
    const BLEND_REAL apart = value - BLEND_AS(blend_whole)(value), room = (BLEND_REAL)0.5 - error;
    return (apart < room) & (apart > -room);
}

#undef hard
#undef soft
#undef BLEND_REAL
#undef BLEND_AS
#undef BLEND_ROUNDING
#undef BLEND_HALVES
#undef BLEND_ROOT
#undef BLEND_INVERSE
