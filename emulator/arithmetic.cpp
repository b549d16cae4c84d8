/* arithmetic.cpp: instructions of the emulated GPU that calculate with numbers. */
#include "emulator/execute.hpp"
#include "emulator/half.hpp"

#include <bit>
#include <cmath>

namespace ptx {

template <typename T> struct Wider;
template <> struct Wider<uint16_t> { typedef uint32_t Type; };
template <> struct Wider<int16_t> { typedef int32_t Type; };
template <> struct Wider<uint32_t> { typedef uint64_t Type; };
template <> struct Wider<int32_t> { typedef int64_t Type; };
template <> struct Wider<uint64_t> { typedef unsigned __int128 Type; };
template <> struct Wider<int64_t> { typedef __int128 Type; };

static constexpr auto add = [](auto a, auto b) { return wrapped(a) + wrapped(b); };
static constexpr auto subtract = [](auto a, auto b) { return wrapped(a) - wrapped(b); };
/* A product, which wraps, of 16 bits too. */
template <typename T> static auto product(T a, T b) {
    typedef std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>> U;
    return (U)a * (U)b;
}
static constexpr auto multiply = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return a * b;
    else
        return product(a, b);
};
static constexpr auto multiply_add = [](auto a, auto b, auto c) { return product(a, b) + wrapped(c); };
static constexpr auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
template <typename T> static T high(T a, T b) {
    typedef typename Wider<T>::Type W;
    return (T)(((W)a * (W)b) >> (8 * sizeof(T)));
}
static constexpr auto multiply_high = [](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
        return high(a, b);
    else
        return a;
};
static constexpr auto multiply_add_high = [](auto a, auto b, auto c) {
    if constexpr (std::is_integral_v<decltype(a)>)
        return wrapped(high(a, b)) + wrapped(c);
    else
        return a;
};
static constexpr auto divide = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return a / b;
    else if (b == 0)
        return (decltype(a))-1;
    else if (std::is_signed_v<decltype(a)> && b == (decltype(b))-1)
        return (decltype(a))(0 - wrapped(a));
    else
        return (decltype(a))(a / b);
};
static constexpr auto remainder = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return a;
    else if (b == 0)
        return a;
    else if (std::is_signed_v<decltype(a)> && b == (decltype(b))-1)
        return (decltype(a))0;
    else
        return (decltype(a))(a % b);
};
/* The less, or the greater; a NaN gives way to a number, and 0 is above -0. */
template <bool GREATEST, typename T> static T extreme(T a, T b) {
    T r = (GREATEST ? b > a : b < a) ? b : a;
    r = std::isnan(a) ? b : r;
    return a == b ? get<T>(GREATEST ? put(a) & put(b) : put(a) | put(b)) : r;
}
static constexpr auto least = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return extreme<false>(a, b);
    else
        return a < b ? a : b;
};
static constexpr auto greatest = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return extreme<true>(a, b);
    else
        return a > b ? a : b;
};
static constexpr auto negate = [](auto a) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return -a;
    else
        return 0 - wrapped(a);
};
static constexpr auto absolute = [](auto a) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return std::fabs(a);
    else
        return a < 0 ? 0 - wrapped(a) : wrapped(a);
};

/* mul.wide, mad.wide: the product is twice as wide. */
template <typename T, bool ADD> VECTOR void wide(Warp &w, const Instruction &i, uint32_t lanes) {
    typedef typename Wider<T>::Type W;
    Result<W> result(w, i.r[0], lanes);
    Slot<W> *d = result.all();
    const Slot<T> *a = w.to<T>(i.r[1]), *b = w.to<T>(i.r[2]);
    const Slot<W> *c = w.to<W>(i.r[ADD ? 3 : 0]);
    ALL_LANES(l) {
        const W v = (W)get<T>(a[l]) * (W)get<T>(b[l]);
        d[l] = ADD ? (Slot<W>)v + c[l] : (Slot<W>)v;
    }
    result.keep();
}
template <bool ADD> static Execute wides(const Words &words, Draft &i) {
    const std::string &t = words.back();
    i.kinds = t == "u32" || t == "s32" ? "lwwl" : "w";
    return t == "u16"   ? wide<uint16_t, ADD>
           : t == "s16" ? wide<int16_t, ADD>
           : t == "u32" ? wide<uint32_t, ADD>
           : t == "s32" ? wide<int32_t, ADD>
                        : (Execute) nullptr;
}

/* dp4a, dp2a; the upper half of b where HIGH. */
template <typename A, typename B> static uint32_t dot4(uint32_t a, uint32_t b, uint32_t c) {
    for (int k = 0; k < 32; k += 8)
        c += (uint32_t)((int)(A)(a >> k) * (int)(B)(b >> k));
    return c;
}
template <typename A, typename B, bool HIGH> static uint32_t dot2(uint32_t a, uint32_t b, uint32_t c) {
    for (int k = 0; k < 2; k++)
        c += (uint32_t)((int)(A)(a >> 16 * k) * (int)(B)(b >> (8 * k + 16 * HIGH)));
    return c;
}
static constexpr auto difference = [](auto a, auto b, auto c) { /* sad */
                                                                return wrapped(c) + (a > b ? wrapped(a) - wrapped(b)
                                                                                           : wrapped(b) - wrapped(a));
};
static uint32_t byte_differences(uint32_t a, uint32_t b, uint32_t c) { /* vabsdiff4.u32.u32.u32.add */
    for (int k = 0; k < 32; k += 8)
        c += (uint32_t)std::abs((int)(a >> k & 255) - (int)(b >> k & 255));
    return c;
}
/* Two halves of a word. */
template <typename T, auto F> static uint32_t halves(uint32_t a, uint32_t b) {
    uint32_t v = 0;
    for (int k = 0; k < 32; k += 16)
        v |= (put((T)F(get<T>(a >> k), get<T>(b >> k))) & 0xFFFF) << k;
    return v;
}
static constexpr auto subtract_half = [](Half a, Half b) { return Half::rounded((double)a - (double)b); };
static constexpr auto add_half = [](Half a, Half b) { return Half::rounded((double)a + (double)b); };
static constexpr auto multiply_half = [](Half a, Half b) { return Half::rounded((double)a * (double)b); };
static uint32_t fused_halves(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t v = 0;
    for (int k = 0; k < 32; k += 16) {
        const auto of = [&](uint32_t word) { return (double)get<Half>(word >> k); };
        v |= put(Half::rounded(std::fma(of(a), of(b), of(c)))) << k;
    }
    return v;
}
static constexpr auto sign_of = [](auto a, auto b) { /* copysign d, a, b: b with the sign of a */
                                                     return std::copysign(b, a);
};
template <typename T, auto F> VECTOR void test(Warp &w, const Instruction &i, uint32_t lanes) {
    const Slot<T> *a = w.to<T>(i.r[1]);
    uint32_t yes = 0;
    EACH_LANE(l) yes |= (uint32_t)F(get<T>(a[l])) << l;
    set_predicate(w, i.r[0], yes, lanes);
}
static constexpr auto is_finite = [](auto a) { return std::isfinite(a); };
static constexpr auto is_infinite = [](auto a) { return std::isinf(a); };
static constexpr auto is_number = [](auto a) { return !std::isnan(a); };
static constexpr auto is_no_number = [](auto a) { return std::isnan(a); };
static constexpr auto is_normal = [](auto a) { return std::isnormal(a); };
static constexpr auto is_subnormal = [](auto a) { return std::fpclassify(a) == FP_SUBNORMAL; };

/* Approximations, by the double that is nearest. */
static constexpr auto ex2 = [](auto a) { return (decltype(a))std::exp2((double)a); };
static constexpr auto lg2 = [](auto a) { return (decltype(a))std::log2((double)a); };
static constexpr auto sine = [](auto a) { return (decltype(a))std::sin((double)a); };
static constexpr auto cosine = [](auto a) { return (decltype(a))std::cos((double)a); };
static constexpr auto tanh_ = [](auto a) { return (decltype(a))std::tanh((double)a); };
static constexpr auto root = [](auto a) { return std::sqrt(a); };
static constexpr auto inverse_root = [](auto a) { return (decltype(a))(1 / std::sqrt((double)a)); };
static constexpr auto reciprocal = [](auto a) { return (decltype(a))1 / a; };
static constexpr auto add_saturated = [](auto a, auto b) { return saturated(a + b); };
static constexpr auto multiply_saturated = [](auto a, auto b) { return saturated(a * b); };
static constexpr auto fused_saturated = [](auto a, auto b, auto c) { return saturated(std::fma(a, b, c)); };

template <auto F, int N> static Execute words_of(const Words &, Draft &i) {
    i.kinds = "w";
    return map<uint32_t, uint32_t, F, N>;
}
static bool is_real(const Words &words) {
    return words.back() == "f32" || words.back() == "f64";
}
static Execute adds(const Words &words, Draft &i) {
    return words.back() == "f16x2" ? words_of<halves<Half, add_half>, 2>(words, i)
           : !is_real(words)       ? whole<add, 2>(words, i)
           : is(words, "sat")      ? real<add_saturated, 2>(words, i)
                                   : real<add, 2>(words, i);
}
static Execute subtracts(const Words &words, Draft &i) {
    return words.back() == "f16x2" ? words_of<halves<Half, subtract_half>, 2>(words, i) : any<subtract, 2>(words, i);
}
static Execute multiplies(const Words &words, Draft &i) {
    return words.back() == "f16x2"              ? words_of<halves<Half, multiply_half>, 2>(words, i)
           : is(words, "wide")                  ? wides<false>(words, i)
           : is(words, "hi")                    ? whole<multiply_high, 2>(words, i)
           : is_real(words) && is(words, "sat") ? real<multiply_saturated, 2>(words, i)
                                                : any<multiply, 2>(words, i);
}
/* mad of real numbers is fma. */
static Execute multiply_adds(const Words &words, Draft &i) {
    if (is_real(words))
        return is(words, "sat") ? real<fused_saturated, 3>(words, i) : real<fused, 3>(words, i);
    if (words[0] == "fma")
        return words.back() == "f16x2" ? words_of<fused_halves, 3>(words, i) : nullptr;
    return is(words, "wide") ? wides<true>(words, i)
           : is(words, "hi") ? whole<multiply_add_high, 3>(words, i)
                             : whole<multiply_add, 3>(words, i);
}
static Execute divisions(const Words &words, Draft &i) {
    const Execute found =
        for_whole(words.back(), []<typename T>() -> Execute { return map_one_by_one<T, T, divide, 2>; });
    return found ? found : real<divide, 2>(words, i);
}
static Execute remainders(const Words &words, Draft &) {
    return for_whole(words.back(), []<typename T>() -> Execute { return map_one_by_one<T, T, remainder, 2>; });
}
template <auto F> static Execute choices(const Words &words, Draft &i) { /* min, max */
    const std::string &t = words.back();
    return t == "u16x2"   ? words_of<halves<uint16_t, F>, 2>(words, i)
           : t == "s16x2" ? words_of<halves<int16_t, F>, 2>(words, i)
                          : any<F, 2>(words, i);
}
static Execute four_products(const Words &words, Draft &i) {
    const bool signed_a = words[1] != "u32", signed_b = words[2] != "u32";
    return signed_a
               ? signed_b ? words_of<dot4<int8_t, int8_t>, 3>(words, i) : words_of<dot4<int8_t, uint8_t>, 3>(words, i)
           : signed_b ? words_of<dot4<uint8_t, int8_t>, 3>(words, i)
                      : words_of<dot4<uint8_t, uint8_t>, 3>(words, i);
}
static Execute two_products(const Words &words, Draft &i) {
    const bool low = words[1] == "lo";
    if (words[2] == "u32")
        return low ? words_of<dot2<uint16_t, uint8_t, false>, 3>(words, i)
                   : words_of<dot2<uint16_t, uint8_t, true>, 3>(words, i);
    if (words.back() == "s32")
        return low ? words_of<dot2<int16_t, int8_t, false>, 3>(words, i)
                   : words_of<dot2<int16_t, int8_t, true>, 3>(words, i);
    return nullptr;
}
static Execute kinds_of_numbers(const Words &words, Draft &i) {
    i.kinds = "pt";
    return for_real(words.back(), [&]<typename T>() -> Execute {
        const std::string &kind = words[1];
        return kind == "finite"       ? test<T, is_finite>
               : kind == "infinite"   ? test<T, is_infinite>
               : kind == "number"     ? test<T, is_number>
               : kind == "notanumber" ? test<T, is_no_number>
               : kind == "normal"     ? test<T, is_normal>
                                      : test<T, is_subnormal>;
    });
}
/* Functions of the library of C. */
template <auto F> static Execute function(const Words &words, Draft &) {
    return for_real(words.back(), []<typename T>() -> Execute { return map_one_by_one<T, T, F, 1>; });
}

const Row arithmetic_rows[] = {
    {"add", adds},
    {"sub", subtracts},
    {"mul", multiplies},
    {"mad", multiply_adds},
    {"fma", multiply_adds},
    {"div", divisions},
    {"rem", remainders},
    {"min", choices<least>},
    {"max", choices<greatest>},
    {"neg", any<negate, 1>},
    {"abs", any<absolute, 1>},
    {"sad", whole<difference, 3>},
    {"vabsdiff4", words_of<byte_differences, 3>},
    {"dp4a", four_products},
    {"dp2a", two_products},
    {"copysign", real<sign_of, 2>},
    {"testp", kinds_of_numbers},
    {"ex2", function<ex2>},
    {"lg2", function<lg2>},
    {"sin", function<sine>},
    {"cos", function<cosine>},
    {"tanh", function<tanh_>},
    {"sqrt", real<root, 1>},
    {"rsqrt", real<inverse_root, 1>},
    {"rcp", real<reciprocal, 1>},
    {},
};

} // namespace ptx
