/* conversions.cpp: instructions of the emulated GPU that convert values from one type to another. */
#include "emulator/execute.hpp"
#include "emulator/half.hpp"

#include <cmath>
#include <limits>

namespace ptx {

enum Rounding { NEAREST, ZERO, DOWN, UP };

template <int HOW> static double rounded(double v) {
    return HOW == NEAREST ? std::nearbyint(v)
           : HOW == ZERO  ? std::trunc(v)
           : HOW == DOWN  ? std::floor(v)
                          : std::ceil(v);
}
/* A signed result fills the register with its sign. */
template <typename R> static Slot<R> kept(R v) {
    if constexpr (std::is_integral_v<R> && std::is_signed_v<R>)
        return (Slot<R>)(std::make_signed_t<Slot<R>>)v;
    else
        return put(v);
}

template <typename R, typename A> static constexpr auto between_whole = [](A a) { return (R)a; };
template <typename R, typename A>
static constexpr auto between_whole_saturated = [](A a) {
    const __int128 x = a;
    return x < std::numeric_limits<R>::min()   ? std::numeric_limits<R>::min()
           : x > std::numeric_limits<R>::max() ? std::numeric_limits<R>::max()
                                               : (R)a;
};
/* Beyond its range, an integer is its least or greatest value; of NaN it is 0, or with 64 bits the sign alone. */
template <typename R, typename A, int HOW>
static constexpr auto to_whole = [](A a) {
    constexpr double low = (double)std::numeric_limits<R>::min();
    constexpr double beyond =
        -2.0 * (double)std::numeric_limits<std::make_signed_t<R>>::min() / (std::is_signed_v<R> ? 2 : 1);
    const double x = rounded<HOW>((double)a), above = x < low ? low : x;
    const R within = (R)(above < beyond ? above : 0), v = above < beyond ? within : std::numeric_limits<R>::max();
    return !std::isnan(x) ? v : sizeof(R) == 8 ? (R)(1ull << 63) : (R)0;
};
template <typename R, typename A, int HOW>
static constexpr auto to_real = [](A a) {
    R v = (R)a;
    if (HOW == ZERO && (long double)v > (long double)a)
        v = std::nextafter(v, (R)0);
    return v;
};
template <typename R, typename A, int HOW, bool INTEGRAL, bool SATURATE>
static constexpr auto between_real = [](A a) {
    const double x = INTEGRAL ? rounded<HOW>((double)a) : (double)a;
    R v = (R)x;
    if (!INTEGRAL && sizeof(R) < sizeof(A) && HOW == ZERO && std::fabs((double)v) > std::fabs(x))
        v = std::nextafter(v, (R)0);
    return SATURATE ? saturated(v) : v;
};

template <typename R, typename A, auto F> VECTOR void convert(Warp &w, const Instruction &i, uint32_t lanes) {
    Result<R> result(w, i.r[0], lanes);
    Slot<R> *d = result.all();
    const Slot<A> *a = w.to<A>(i.r[1]);
    ALL_LANES(l) d[l] = kept<R>(F(get<A>(a[l])));
    result.keep();
}

struct How {
    Rounding rounding = NEAREST;
    bool integral = false, saturate = false;
};

template <typename R, typename A, bool SATURATE> static Execute real_from_real(How how) {
    if (how.integral)
        return how.rounding == ZERO   ? convert<R, A, between_real<R, A, ZERO, true, SATURATE>>
               : how.rounding == DOWN ? convert<R, A, between_real<R, A, DOWN, true, SATURATE>>
               : how.rounding == UP   ? convert<R, A, between_real<R, A, UP, true, SATURATE>>
                                      : convert<R, A, between_real<R, A, NEAREST, true, SATURATE>>;
    return how.rounding == ZERO ? convert<R, A, between_real<R, A, ZERO, false, SATURATE>>
                                : convert<R, A, between_real<R, A, NEAREST, false, SATURATE>>;
}
template <typename R, typename A> static Execute conversion(How how) {
    if constexpr (std::is_integral_v<R> && std::is_integral_v<A>)
        return how.saturate ? convert<R, A, between_whole_saturated<R, A>> : convert<R, A, between_whole<R, A>>;
    else if constexpr (std::is_integral_v<R>)
        return how.rounding == ZERO   ? convert<R, A, to_whole<R, A, ZERO>>
               : how.rounding == DOWN ? convert<R, A, to_whole<R, A, DOWN>>
               : how.rounding == UP   ? convert<R, A, to_whole<R, A, UP>>
                                      : convert<R, A, to_whole<R, A, NEAREST>>;
    else if constexpr (std::is_integral_v<A>)
        return how.rounding == ZERO ? convert<R, A, to_real<R, A, ZERO>> : convert<R, A, to_real<R, A, NEAREST>>;
    else
        return how.saturate ? real_from_real<R, A, true>(how) : real_from_real<R, A, false>(how);
}

/* The instance for a type of bytes, too. */
template <typename C> static Execute for_number(const std::string &t, C choose) {
    return t == "u8"   ? choose.template operator()<uint8_t>()
           : t == "s8" ? choose.template operator()<int8_t>()
                       : for_any(t, choose);
}

static uint32_t bf16_of(float v) {
    const uint32_t bits = put(v);
    return std::isnan(v) ? 0x7FFF : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 & 0xFFFF;
}
static uint32_t bf16_to_f32(uint32_t a) {
    return put(bf16_value(a));
}
static uint32_t f32_to_bf16(uint32_t a) {
    return bf16_of(get<float>(a));
}
static uint32_t f32_to_bf16x2(uint32_t a, uint32_t b) {
    return bf16_of(get<float>(a)) << 16 | bf16_of(get<float>(b));
}
static uint32_t f16_to_f32(uint32_t a) {
    return put((float)(double)get<Half>(a));
}
static uint32_t f32_to_f16(uint32_t a) {
    return put(Half::rounded((double)get<float>(a)));
}
static uint32_t f32_to_tf32(uint32_t a) { /* .rna: to nearest, ties away from 0 */
    return (a + 0x1000) & 0xFFFFE000;
}
/* cvt.pack.sat.TO.s32[.b32] d, a, b[, c]: two values clamped into the low half (TO of 16 bits: all) over c's. */
template <typename T> static uint32_t packed(uint32_t a, uint32_t b) {
    const auto clamp = [](uint32_t bits) {
        const int32_t v = std::clamp(get<int32_t>(bits), (int32_t)std::numeric_limits<T>::min(),
                                     (int32_t)std::numeric_limits<T>::max());
        return (uint32_t)(std::make_unsigned_t<T>)v;
    };
    return clamp(a) << 8 * sizeof(T) | clamp(b);
}
template <typename T> static uint32_t packed_above(uint32_t a, uint32_t b, uint32_t c) {
    return packed<T>(a, b) | (uint32_t)((uint64_t)c << 16 * sizeof(T));
}
template <typename T> static Execute pack(const Draft &i) {
    return i.operands > 3 ? map<uint32_t, uint32_t, packed_above<T>, 3> : map<uint32_t, uint32_t, packed<T>, 2>;
}
static Execute packs(const Words &words, Draft &i) {
    i.kinds = "w";
    return words[3] == "u8"    ? pack<uint8_t>(i)
           : words[3] == "s8"  ? pack<int8_t>(i)
           : words[3] == "u16" ? pack<uint16_t>(i)
                               : pack<int16_t>(i);
}
/* Between formats of 16 bits, or tf32, and f32; NULL: neither is one. */
static Execute small_conversions(const std::string &to, const std::string &from) {
    return to == "bf16x2"                  ? map<uint32_t, uint32_t, f32_to_bf16x2, 2>
           : to == "bf16" && from == "f32" ? map<uint32_t, uint32_t, f32_to_bf16, 1>
           : to == "f32" && from == "bf16" ? map<uint32_t, uint32_t, bf16_to_f32, 1>
           : to == "tf32"                  ? map<uint32_t, uint32_t, f32_to_tf32, 1>
           : to == "f16" && from == "f32"  ? map<uint32_t, uint32_t, f32_to_f16, 1>
           : to == "f32" && from == "f16"  ? map<uint32_t, uint32_t, f16_to_f32, 1>
                                           : (Execute) nullptr;
}
static Execute conversions(const Words &words, Draft &i) {
    if (words[1] == "pack")
        return packs(words, i);
    const std::string &to = words[words.size() - 2], &from = words.back();
    How how;
    for (const std::string &w : words)
        if (w.size() > 1 && w.size() < 4 && w[0] == 'r') {
            how.rounding = w[1] == 'z' ? ZERO : w[1] == 'm' ? DOWN : w[1] == 'p' ? UP : NEAREST;
            how.integral = w.size() == 3 && w[2] == 'i';
        }
    how.saturate = is(words, "sat");
    i.kinds = "w";
    if (const Execute found = small_conversions(to, from))
        return found;
    const bool from_long = bytes_of(from) == 8;
    i.kinds = bytes_of(to) == 8 ? from_long ? "l" : "lw" : from_long ? "wl" : "w";
    return for_number(to, [&]<typename R>() -> Execute {
        return for_number(from, [&]<typename A>() -> Execute { return conversion<R, A>(how); });
    });
}

const Row conversion_rows[] = {{"cvt", conversions}, {}};

} // namespace ptx
