/* bits.cpp: instructions of the emulated GPU that take values as bits or bytes. */
#include "emulator/execute.hpp"

#include <bit>

namespace ptx {

static constexpr auto bit_and = [](auto a, auto b) { return a & b; };
static constexpr auto bit_or = [](auto a, auto b) { return a | b; };
static constexpr auto bit_xor = [](auto a, auto b) { return a ^ b; };
static constexpr auto bit_not = [](auto a) { return ~a; };
static constexpr auto population = [](auto a) { return std::popcount(wrapped(a)); };
static constexpr auto leading = [](auto a) { return std::countl_zero(wrapped(a)); };
static constexpr auto reversed = [](auto a) {
    decltype(wrapped(a)) bits = wrapped(a), out = 0;
    for (size_t k = 0; k < 8 * sizeof a; k++)
        out = (decltype(out))(out << 1 | (bits >> k & 1));
    return out;
};

/* Logic of predicates, which may be negated. */
template <auto F> static void predicates(Warp &w, const Instruction &i, uint32_t lanes) {
    set_predicate(w, i.r[0], F(predicate(w, i, 1), predicate(w, i, 2)), lanes);
}
static void not_predicate(Warp &w, const Instruction &i, uint32_t lanes) {
    set_predicate(w, i.r[0], ~predicate(w, i, 1), lanes);
}

/* A shift by the width or more gives 0, or the sign. The amount is 32 bits. */
template <bool LEFT, typename T> static T shifted(T a, uint32_t n) {
    constexpr uint32_t width = 8 * sizeof(T);
    if (LEFT)
        return n >= width ? (T)0 : (T)((std::make_unsigned_t<T>)a << (n & (width - 1)));
    if (std::is_signed_v<T>)
        return (T)(a >> (n >= width ? width - 1 : n));
    return n >= width ? (T)0 : (T)(a >> (n & (width - 1)));
}
template <typename T, bool LEFT> VECTOR void shift(Warp &w, const Instruction &i, uint32_t lanes) {
    Result<T> result(w, i.r[0], lanes);
    Slot<T> *d = result.all();
    const Slot<T> *a = w.to<T>(i.r[1]);
    const uint32_t *n = w.to(i.r[2]);
    ALL_LANES(l) d[l] = put(shifted<LEFT>(get<T>(a[l]), n[l]));
    result.keep();
}
template <bool LEFT> static Execute shifts(const Words &words, Draft &i) {
    i.kinds = "ttw";
    return for_whole(words.back(), []<typename T>() -> Execute { return shift<T, LEFT>; });
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector) { /* prmt */
    const uint64_t both = a | (uint64_t)b << 32;
    uint32_t v = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t s = selector >> (4 * k), byte = (uint32_t)(both >> (8 * (s & 7)) & 255);
        v |= (s & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * k);
    }
    return v;
}
static constexpr auto highest_bit = [](auto a) { /* bfind */
                                                 const auto bits = wrapped((decltype(a))(a < 0 ? ~a : a));
                                                 return bits == 0 ? -1
                                                                  : (int)(8 * sizeof a) - 1 - std::countl_zero(bits);
};
static constexpr auto highest_shift = [](auto a) { /* bfind.shiftamt */
                                                   const auto bits = wrapped((decltype(a))(a < 0 ? ~a : a));
                                                   return bits == 0 ? -1 : std::countl_zero(bits);
};
/* The highest of `n` bits from `at` on is the sign of those above. */
template <typename T> static T extracted(T a, uint32_t at, uint32_t n) {
    constexpr uint32_t width = 8 * sizeof(T);
    typedef std::make_unsigned_t<T> U;
    at &= 255, n &= 255;
    if (n == 0)
        return 0;
    const bool sign = std::is_signed_v<T> && ((U)a >> std::min(at + n - 1, width - 1) & 1);
    const uint32_t there = at >= width ? 0 : std::min(n, width - at);
    const U mask = there >= width ? (U)-1 : ((U)1 << there) - 1, bits = there ? (U)a >> at & mask : 0;
    return (T)(sign ? bits | ~mask : bits);
}
template <typename T> VECTOR void extract(Warp &w, const Instruction &i, uint32_t lanes) {
    Result<T> result(w, i.r[0], lanes);
    Slot<T> *d = result.all();
    const Slot<T> *a = w.to<T>(i.r[1]);
    const uint32_t *at = w.to(i.r[2]), *n = w.to(i.r[3]);
    ALL_LANES(l) d[l] = put(extracted(get<T>(a[l]), at[l], n[l]));
    result.keep();
}
template <typename T> VECTOR void insert(Warp &w, const Instruction &i, uint32_t lanes) {
    constexpr uint32_t width = 8 * sizeof(T);
    Slot<T> *d = w.to<T>(i.r[0]);
    const Slot<T> *a = w.to<T>(i.r[1]), *b = w.to<T>(i.r[2]);
    const uint32_t *ats = w.to(i.r[3]), *ns = w.to(i.r[4]);
    EACH_LANE(l) {
        const uint32_t at = ats[l] & 255, n = ns[l] & 255;
        const T ones = n >= width ? (T)-1 : (T)(((T)1 << n) - 1), mask = at >= width ? (T)0 : (T)(ones << at);
        d[l] = (b[l] & ~mask) | ((at >= width ? 0 : (T)(a[l] << at)) & mask);
    }
}
VECTOR static void lookup3(Warp &w, const Instruction &i,
                           uint32_t lanes) { /* lop3: a bit of the table for each triple */
    Result<uint32_t> result(w, i.r[0], lanes);
    uint32_t *d = result.all();
    const uint32_t *a = w.to(i.r[1]), *b = w.to(i.r[2]), *c = w.to(i.r[3]), *table = w.to(i.r[4]);
    ALL_LANES(l) {
        uint32_t v = 0;
        for (int k = 0; k < 8; k++)
            v |= (0 - (table[l] >> k & 1)) & (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? c[l] : ~c[l]);
        d[l] = v;
    }
    result.keep();
}
template <bool LEFT, bool WRAP> static uint32_t funnel(uint32_t a, uint32_t b, uint32_t c) { /* shf */
    const uint64_t both = a | (uint64_t)b << 32;
    const uint32_t n = WRAP ? c & 31 : std::min(c, 32u);
    return (uint32_t)(LEFT ? both << n >> 32 : both >> n);
}
static void nth_set(Warp &w, const Instruction &i, uint32_t lanes) { /* fns, upwards */
    EACH_LANE(l) {
        const uint32_t mask = w.to(i.r[1])[l], base = w.to(i.r[2])[l];
        int32_t n = get<int32_t>(w.to(i.r[3])[l]);
        if (n < 0)
            throw Fault("fns downwards is not emulated");
        uint32_t found = 0xFFFFFFFF;
        for (uint32_t k = base; k < 32; k++)
            if ((mask >> k & 1) && (n == 0 ? k == base : --n == 0)) {
                found = k;
                break;
            } else if (n == 0)
                break;
        w.to(i.r[0])[l] = found;
    }
}
static uint32_t bit_mask(uint32_t at, uint32_t n) { /* bmsk.clamp */
    const uint32_t ones = n >= 32 ? 0xFFFFFFFF : (1u << n) - 1;
    return at >= 32 ? 0 : ones << at;
}

template <auto F, int N> static Execute words_of(const Words &, Draft &i) {
    i.kinds = "w";
    return map<uint32_t, uint32_t, F, N>;
}
/* A count of the bits of a type is a word. */
template <auto F> static Execute counts(const Words &words, Draft &i) {
    i.kinds = "wt";
    return for_whole(words.back(), []<typename T>() -> Execute { return map<uint32_t, T, F, 1>; });
}
template <auto F> static Execute logic(const Words &words, Draft &i) {
    return words.back() == "pred" ? predicates<F> : whole<F, 2>(words, i);
}
static Execute complements(const Words &words, Draft &i) {
    return words.back() == "pred" ? not_predicate : whole<bit_not, 1>(words, i);
}
static Execute highest_bits(const Words &words, Draft &i) {
    return is(words, "shiftamt") ? counts<highest_shift>(words, i) : counts<highest_bit>(words, i);
}
static Execute extracts(const Words &words, Draft &i) {
    i.kinds = "ttww";
    const std::string &t = words.back();
    return t == "u32"   ? extract<uint32_t>
           : t == "s32" ? extract<int32_t>
           : t == "u64" ? extract<uint64_t>
                        : extract<int64_t>;
}
static Execute inserts(const Words &words, Draft &i) {
    i.kinds = "tttww";
    return words.back() == "b32" ? insert<uint32_t> : insert<uint64_t>;
}
static Execute funnels(const Words &words, Draft &i) {
    return is(words, "wrap") ? words[1] == "l" ? words_of<funnel<true, true>, 3>(words, i)
                                               : words_of<funnel<false, true>, 3>(words, i)
           : words[1] == "l" ? words_of<funnel<true, false>, 3>(words, i)
                             : words_of<funnel<false, false>, 3>(words, i);
}

const Row bit_rows[] = {
    {"and", logic<bit_and>},  {"or", logic<bit_or>},
    {"xor", logic<bit_xor>},  {"not", complements},
    {"shl", shifts<true>},    {"shr", shifts<false>},
    {"shf", funnels},         {"popc", counts<population>},
    {"clz", counts<leading>}, {"brev", whole<reversed, 1>},
    {"bfind", highest_bits},  {"bfe", extracts},
    {"bfi", inserts},         {"bmsk", words_of<bit_mask, 2>},
    {"fns", only<nth_set>},   {"prmt", words_of<permuted, 3>},
    {"lop3", only<lookup3>},  {},
};

} // namespace ptx
