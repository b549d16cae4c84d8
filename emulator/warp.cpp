/* warp.cpp: instructions of the emulated GPU that the lanes of a warp carry out together. The lanes have met before
 * (Flow::CONVERGE). */
#include "emulator/execute.hpp"

#include <algorithm>
#include <bit>

namespace ptx {

/* The lane that a lane of a shuffle reads, and whether it is in range. */
struct From {
    int lane;
    bool there;
};
enum Shuffle { UP, DOWN, BUTTERFLY, INDEX };
template <Shuffle HOW> static From shuffled(int l, uint32_t b, uint32_t c) {
    const int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31), apart = (int)(b & 31);
    const int most = (l & segment) | (clamp & ~segment);
    const int from = HOW == UP          ? l - apart
                     : HOW == DOWN      ? l + apart
                     : HOW == BUTTERFLY ? l ^ apart
                                        : (l & segment) | (apart & ~segment);
    const bool there = HOW == UP ? from >= most : from <= most;
    return {there ? from : l, there};
}
template <Shuffle HOW> static void shuffle(Warp &w, const Instruction &i, uint32_t lanes) {
    const int a = i.outputs;
    const uint32_t *b = w.to(i.r[a + 1]), *c = w.to(i.r[a + 2]);
    uint32_t *d = w.to(i.r[0]), there = 0, value[LANES];
    memcpy(value, w.to(i.r[a]), sizeof value);
    EACH_LANE(l) {
        const From from = shuffled<HOW>(l, b[l], c[l]);
        if (!(lanes >> from.lane & 1))
            throw Fault("shfl.sync reads lane " + std::to_string(from.lane) + ", which does not take part",
                        EMULATOR_OTHER, l);
        d[l] = value[from.lane];
        there |= (uint32_t)from.there << l;
    }
    if (i.outputs > 1)
        set_predicate(w, i.r[1], there, lanes);
}
static void ballot(Warp &w, const Instruction &i, uint32_t lanes) {
    const uint32_t yes = predicate(w, i, 1) & lanes;
    EACH_LANE(l) w.to(i.r[0])[l] = yes;
}
enum Vote { EVERY, ANY, UNANIMOUS };
template <Vote HOW> static void vote(Warp &w, const Instruction &i, uint32_t lanes) {
    const uint32_t yes = predicate(w, i, 1) & lanes;
    const bool result = HOW == EVERY ? yes == lanes : HOW == ANY ? yes != 0 : yes == 0 || yes == lanes;
    set_predicate(w, i.r[0], result ? ALL : 0, lanes);
}
template <typename T> static void match_any(Warp &w, const Instruction &i, uint32_t lanes) {
    const T *value = w.to<T>(i.r[1]);
    uint32_t same[LANES] = {};
    EACH_LANE(l)
    for (int k = 0; k < LANES; k++)
        same[l] |= (uint32_t)((lanes >> k & 1) && value[k] == value[l]) << k;
    EACH_LANE(l) w.to(i.r[0])[l] = same[l];
}
template <typename T, auto F> static void reduce(Warp &w, const Instruction &i, uint32_t lanes) {
    const uint32_t *a = w.to(i.r[1]);
    const int first = std::countr_zero(lanes);
    T v = get<T>(a[first]);
    EACH_LANE(l) v = l > first ? (T)F(v, get<T>(a[l])) : v;
    EACH_LANE(l) w.to(i.r[0])[l] = put(v);
}
static void active_mask(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = lanes;
}
static void converge(Warp &, const Instruction &, uint32_t) {}

/* The lanes meet for this one; the last operand says which. */
static Execute together(Execute e, Draft &i) {
    i.flow = Flow::CONVERGE;
    i.members = (int16_t)(i.operands - 1);
    return e;
}
static Execute shuffles(const Words &words, Draft &i) {
    i.kinds = i.outputs > 1 ? "wpw" : "w";
    return together(is(words, "up")     ? shuffle<UP>
                    : is(words, "down") ? shuffle<DOWN>
                    : is(words, "bfly") ? shuffle<BUTTERFLY>
                                        : shuffle<INDEX>,
                    i);
}
static Execute votes(const Words &words, Draft &i) {
    const bool counts = is(words, "ballot");
    i.kinds = counts ? "wpw" : "ppw";
    return together(counts             ? ballot
                    : is(words, "all") ? vote<EVERY>
                    : is(words, "any") ? vote<ANY>
                                       : vote<UNANIMOUS>,
                    i);
}
static Execute matches(const Words &words, Draft &i) {
    if (!is(words, "any"))
        return nullptr;
    i.kinds = "wtw";
    return together(bytes_of(words.back()) == 8 ? match_any<uint64_t> : match_any<uint32_t>, i);
}
template <typename T> static Execute reduction(const Words &words) {
    return is(words, "min")   ? reduce<T, [](T a, T b) { return std::min(a, b); }>
           : is(words, "max") ? reduce<T, [](T a, T b) { return std::max(a, b); }>
           : is(words, "and") ? reduce<T, [](T a, T b) { return a & b; }>
           : is(words, "or")  ? reduce<T, [](T a, T b) { return a | b; }>
           : is(words, "xor") ? reduce<T, [](T a, T b) { return a ^ b; }>
                              : reduce<T, [](T a, T b) { return wrapped(a) + wrapped(b); }>;
}
static Execute reductions(const Words &words, Draft &i) {
    i.kinds = "w";
    return together(words.back() == "s32" ? reduction<int32_t>(words) : reduction<uint32_t>(words), i);
}
static Execute meetings(const Words &words, Draft &i) { /* bar.warp.sync */
    i.kinds = "w";
    return is(words, "warp") ? together(converge, i) : nullptr;
}
static Execute masks(const Words &, Draft &i) {
    i.kinds = "w";
    return active_mask;
}

const Row warp_rows[] = {
    {"shfl", shuffles},    {"vote", votes},   {"match", matches},    {"redux", reductions},
    {"activemask", masks}, {"bar", meetings}, {"barrier", meetings}, {},
};

} // namespace ptx
