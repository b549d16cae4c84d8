/* execute.cpp: each instruction's work on the lanes of a warp (PTX ISA 9.0, chapter 9). A row of the table is an opcode
 * without its modifiers; the type at its end picks the instance. */
#include "tests/emulator/ptx.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace ptx {

typedef std::vector<std::string> Words;

template <typename T> static T get(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <typename T> static uint64_t put(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

#define EACH_LANE(l)                                                                                                   \
    for (int l = 0; l < LANES; l++)                                                                                    \
        if (lanes >> l & 1)

/* r[0] = f(r[1], ...) of values T; the result is of type R. */
template <typename R, typename T, auto F, int N> static void map(Warp &w, const Instruction &i, uint32_t lanes) {
    uint64_t *d = w.to(i.r[0]);
    const uint64_t *a = w.of(i.r[1]), *b = w.of(i.r[N > 1 ? 2 : 1]), *c = w.of(i.r[N > 2 ? 3 : 1]);
    const auto one = [&](int l) {
        if constexpr (N == 1)
            d[l] = put<R>((R)F(get<T>(a[l])));
        else if constexpr (N == 2)
            d[l] = put<R>((R)F(get<T>(a[l]), get<T>(b[l])));
        else
            d[l] = put<R>((R)F(get<T>(a[l]), get<T>(b[l]), get<T>(c[l])));
    };
    if (lanes == 0xFFFFFFFF)
        for (int l = 0; l < LANES; l++)
            one(l);
    else
        EACH_LANE(l) one(l);
}

static bool is(const Words &w, const char *word) {
    return std::find(w.begin(), w.end(), word) != w.end();
}

/* The instance of F for an integer type. */
template <auto F, int N> static Execute whole(const std::string &t) {
    if (t == "u16" || t == "b16")
        return map<uint16_t, uint16_t, F, N>;
    if (t == "s16")
        return map<int16_t, int16_t, F, N>;
    if (t == "u32" || t == "b32")
        return map<uint32_t, uint32_t, F, N>;
    if (t == "s32")
        return map<int32_t, int32_t, F, N>;
    if (t == "u64" || t == "b64")
        return map<uint64_t, uint64_t, F, N>;
    if (t == "s64")
        return map<int64_t, int64_t, F, N>;
    if (t == "pred")
        return map<uint64_t, uint64_t, F, N>;
    return nullptr;
}
template <auto F, int N> static Execute real(const std::string &t) {
    if (t == "f32")
        return map<float, float, F, N>;
    if (t == "f64")
        return map<double, double, F, N>;
    return nullptr;
}
template <auto F, int N> static Execute any(const std::string &t) {
    const Execute e = whole<F, N>(t);
    return e ? e : real<F, N>(t);
}

/* Arithmetic of signed values wraps as that of unsigned ones does. */
template <typename T> static auto wrapped(T a) {
    if constexpr (std::is_floating_point_v<T>)
        return a;
    else
        return (std::make_unsigned_t<T>)a;
}
template <typename T> static T saturated(T v) {
    return v > 0 ? v < 1 ? v : (T)1 : (T)0; /* NaN: 0 */
}

template <typename T> struct Wider;
template <> struct Wider<uint16_t> { typedef uint32_t Type; };
template <> struct Wider<int16_t> { typedef int32_t Type; };
template <> struct Wider<uint32_t> { typedef uint64_t Type; };
template <> struct Wider<int32_t> { typedef int64_t Type; };
template <> struct Wider<uint64_t> { typedef unsigned __int128 Type; };
template <> struct Wider<int64_t> { typedef __int128 Type; };

static constexpr auto add = [](auto a, auto b) { return wrapped(a) + wrapped(b); };
static constexpr auto subtract = [](auto a, auto b) { return wrapped(a) - wrapped(b); };
static constexpr auto multiply = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return a * b;
    else
        return (uint64_t)a * (uint64_t)b;
};
static constexpr auto multiply_add = [](auto a, auto b, auto c) { return (uint64_t)a * (uint64_t)b + (uint64_t)c; };
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
static constexpr auto least = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return a == 0 && b == 0 ? (std::signbit(a) ? a : b) : std::fmin(a, b);
    else
        return a < b ? a : b;
};
static constexpr auto greatest = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return a == 0 && b == 0 ? (std::signbit(a) ? b : a) : std::fmax(a, b);
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
static constexpr auto bit_and = [](auto a, auto b) { return a & b; };
static constexpr auto bit_or = [](auto a, auto b) { return a | b; };
static constexpr auto bit_xor = [](auto a, auto b) { return a ^ b; };
static constexpr auto bit_not = [](auto a) { return ~a; };
static constexpr auto not_pred = [](uint64_t a) { return a ^ 1; };
static constexpr auto population = [](auto a) { return std::popcount((uint64_t)wrapped(a)); };
static constexpr auto leading = [](auto a) { return std::countl_zero(wrapped(a)); };
static constexpr auto reversed = [](auto a) {
    decltype(wrapped(a)) bits = wrapped(a), out = 0;
    for (size_t k = 0; k < 8 * sizeof a; k++)
        out = (decltype(out))(out << 1 | (bits >> k & 1));
    return out;
};

static bool pred_of(const Warp &w, const Instruction &i, int operand, int l) {
    return (w.of(i.r[(size_t)operand])[l] != 0) != (operand < 4 && i.negated[operand]);
}

/* Logic of predicates, which may be negated. */
template <auto F> static void predicates(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = F((uint64_t)pred_of(w, i, 1, l), (uint64_t)pred_of(w, i, 2, l)) & 1;
}

/* A shift by the width or more gives 0, or the sign. The amount is 32 bits. */
template <typename T, bool LEFT> static void shift(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const T a = get<T>(w.of(i.r[1])[l]);
        const uint32_t n = (uint32_t)w.of(i.r[2])[l], width = 8 * sizeof(T);
        T v;
        if (LEFT)
            v = n >= width ? 0 : (T)((uint64_t)a << n);
        else
            v = n >= width ? (T)(a < 0 ? -1 : 0) : (T)(a >> n);
        w.to(i.r[0])[l] = put(v);
    }
}
template <bool LEFT> static Execute shifts(const std::string &t) {
    if (t == "b16" || t == "u16")
        return shift<uint16_t, LEFT>;
    if (t == "s16")
        return shift<int16_t, LEFT>;
    if (t == "b32" || t == "u32")
        return shift<uint32_t, LEFT>;
    if (t == "s32")
        return shift<int32_t, LEFT>;
    if (t == "b64" || t == "u64")
        return shift<uint64_t, LEFT>;
    if (t == "s64")
        return shift<int64_t, LEFT>;
    return nullptr;
}

/* mul.wide, mad.wide: the product is twice as wide. */
template <typename T, bool ADD> static void wide(Warp &w, const Instruction &i, uint32_t lanes) {
    typedef typename Wider<T>::Type W;
    EACH_LANE(l) {
        W v = (W)get<T>(w.of(i.r[1])[l]) * (W)get<T>(w.of(i.r[2])[l]);
        if (ADD)
            v = (W)((std::make_unsigned_t<W>)v + (std::make_unsigned_t<W>)get<W>(w.of(i.r[3])[l]));
        w.to(i.r[0])[l] = put(v);
    }
}
template <bool ADD> static Execute wides(const std::string &t) {
    if (t == "u16")
        return wide<uint16_t, ADD>;
    if (t == "s16")
        return wide<int16_t, ADD>;
    if (t == "u32")
        return wide<uint32_t, ADD>;
    if (t == "s32")
        return wide<int32_t, ADD>;
    return nullptr;
}

/* setp: CMP of T, p or p|q, perhaps combined with a third predicate. */
enum Compare { EQ, NE, LT, LE, GT, GE, NUM, NAN_ };
template <typename T> static void compare(Warp &w, const Instruction &i, uint32_t lanes) {
    const int outputs = i.groups[0];
    const Compare how = (Compare)(i.variant & 15);
    const bool unordered = i.variant & 16;
    EACH_LANE(l) {
        const T a = get<T>(w.of(i.r[(size_t)outputs])[l]), b = get<T>(w.of(i.r[(size_t)outputs + 1])[l]);
        const bool nan = std::isnan((double)a) || std::isnan((double)b);
        bool v = false;
        switch (how) {
        case EQ:
            v = a == b;
            break;
        case NE:
            v = a != b && !nan;
            break;
        case LT:
            v = a < b;
            break;
        case LE:
            v = a <= b;
            break;
        case GT:
            v = a > b;
            break;
        case GE:
            v = a >= b;
            break;
        case NUM:
            v = !nan;
            break;
        case NAN_:
            v = nan;
            break;
        }
        if (unordered && nan)
            v = true;
        bool not_v = !v;
        if (i.count > 1) { /* .and, .or, .xor with the predicate at the end */
            const bool c = pred_of(w, i, outputs + 2, l);
            const auto with = [&](bool x) { return i.count == 2 ? x && c : i.count == 3 ? x || c : x != c; };
            v = with(v), not_v = with(not_v);
        }
        w.to(i.r[0])[l] = v;
        if (outputs > 1)
            w.to(i.r[1])[l] = not_v;
    }
}
static Execute compares(const Words &words, Instruction &i) {
    static const std::map<std::string, int> hows = {
        {"eq", EQ},       {"ne", NE},       {"lt", LT},       {"le", LE},       {"gt", GT},       {"ge", GE},
        {"lo", LT},       {"ls", LE},       {"hi", GT},       {"hs", GE},       {"num", NUM},     {"nan", NAN_},
        {"equ", EQ | 16}, {"neu", NE | 16}, {"ltu", LT | 16}, {"leu", LE | 16}, {"gtu", GT | 16}, {"geu", GE | 16}};
    const auto how = hows.find(words[1]);
    if (how == hows.end())
        return nullptr;
    i.variant = how->second;
    i.count = words[2] == "and" ? 2 : words[2] == "or" ? 3 : words[2] == "xor" ? 4 : 1;
    const std::string &t = words.back();
    if (t == "u16" || t == "b16")
        return compare<uint16_t>;
    if (t == "s16")
        return compare<int16_t>;
    if (t == "u32" || t == "b32")
        return compare<uint32_t>;
    if (t == "s32")
        return compare<int32_t>;
    if (t == "u64" || t == "b64")
        return compare<uint64_t>;
    if (t == "s64")
        return compare<int64_t>;
    if (t == "f32")
        return compare<float>;
    if (t == "f64")
        return compare<double>;
    return nullptr;
}

static void select(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = w.of(i.r[pred_of(w, i, 3, l) ? 1 : 2])[l];
}

/* mov, also of vectors into one register and back. */
static int bytes_of(const std::string &type) {
    if (type == "pred")
        return 1;
    const size_t digit = type.find_first_of("0123456789");
    return digit == std::string::npos ? 0 : atoi(type.c_str() + digit) / 8;
}
static void move(Warp &w, const Instruction &i, uint32_t lanes) {
    const int into = i.groups[0], from = i.groups[1];
    const uint64_t mask = i.bytes >= 8 ? ~0ull : (1ull << (8 * i.bytes)) - 1;
    EACH_LANE(l) {
        if (into == 1 && from == 1)
            w.to(i.r[0])[l] = w.of(i.r[1])[l] & mask;
        else if (into == 1) {
            const int each = 8 * i.bytes / from;
            uint64_t v = 0;
            for (int k = 0; k < from; k++)
                v |= (w.of(i.r[(size_t)(1 + k)])[l] & ((1ull << each) - 1)) << (k * each);
            w.to(i.r[0])[l] = v;
        } else {
            const int each = 8 * i.bytes / into;
            const uint64_t v = w.of(i.r[(size_t)into])[l];
            for (int k = 0; k < into; k++)
                w.to(i.r[(size_t)k])[l] = v >> (k * each) & ((1ull << each) - 1);
        }
    }
}
static void move_pred(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = pred_of(w, i, 1, l);
}

/* Addresses: generic ones of shared and local memory have a window of their own. */
template <uint64_t WINDOW, bool INTO> static void convert_address(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const uint64_t a = w.of(i.r[1])[l];
        w.to(i.r[0])[l] = INTO ? a & ~(WINDOW ? WINDOW_MASK : 0) : a | WINDOW;
    }
}
static Execute addresses(const Words &words) {
    const bool into = words[1] == "to";
    const std::string &space = words[into ? 2 : 1];
    if (space.starts_with("shared"))
        return into ? convert_address<SHARED_WINDOW, true> : convert_address<SHARED_WINDOW, false>;
    if (space == "local")
        return into ? convert_address<LOCAL_WINDOW, true> : convert_address<LOCAL_WINDOW, false>;
    return convert_address<0, true>;
}
static void parameter_address(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = (uint64_t)(uintptr_t)w.block->grid.parameters + w.of(i.r[1])[l];
}

/* Conversions. */
enum Rounding { NEAREST, ZERO, DOWN, UP };
static double rounded(double v, int how) {
    return how == NEAREST ? std::nearbyint(v)
           : how == ZERO  ? std::trunc(v)
           : how == DOWN  ? std::floor(v)
                          : std::ceil(v);
}
static float bf16_value(uint64_t bits) {
    return get<float>((bits & 0xFFFF) << 16);
}
static uint16_t bf16_of(float v) {
    const uint32_t bits = (uint32_t)put(v);
    return v != v ? 0x7FFF : (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
template <typename A> static A value_of(uint64_t bits) {
    return get<A>(bits);
}
struct Half {};
struct Brain {};
template <> Half value_of<Half>(uint64_t) = delete;

template <typename R, typename A> static void convert(Warp &w, const Instruction &i, uint32_t lanes) {
    const int how = i.variant & 3;
    const bool saturate = i.variant & 4, integral = i.variant & 8;
    EACH_LANE(l) {
        const A a = get<A>(w.of(i.r[1])[l]);
        R v;
        if constexpr (std::is_floating_point_v<A> && std::is_integral_v<R>) {
            const double x = rounded((double)a, how), low = (double)std::numeric_limits<R>::min();
            const double beyond = std::ldexp(1.0, (int)(8 * sizeof(R)) - std::is_signed_v<R>);
            if (x != x)
                v = sizeof(R) < 4                      ? 0
                    : sizeof(A) == 8 || sizeof(R) == 8 ? (sizeof(R) == 8 ? (R)(1ull << 63) : (R)0)
                                                       : (R)0;
            else
                v = x < low ? std::numeric_limits<R>::min() : x >= beyond ? std::numeric_limits<R>::max() : (R)x;
        } else if constexpr (std::is_floating_point_v<A>) {
            const double x = integral ? rounded((double)a, how) : (double)a;
            v = (R)x;
            if (!integral && sizeof(R) < sizeof(A) && how == ZERO && std::fabs((double)v) > std::fabs(x))
                v = std::nextafter(v, (R)0);
            if (saturate)
                v = saturated(v);
        } else if constexpr (std::is_floating_point_v<R>) {
            v = (R)a;
            if (how == ZERO && (long double)v > (long double)a)
                v = std::nextafter(v, (R)0);
        } else {
            v = (R)a;
            if (saturate) {
                const __int128 x = a;
                v = x < std::numeric_limits<R>::min()   ? std::numeric_limits<R>::min()
                    : x > std::numeric_limits<R>::max() ? std::numeric_limits<R>::max()
                                                        : (R)a;
            }
        }
        w.to(i.r[0])[l] = std::is_signed_v<R> && std::is_integral_v<R> ? (uint64_t)(int64_t)v : put(v);
    }
}
template <typename R> static Execute convert_from(const std::string &t) {
    if (t == "u8")
        return convert<R, uint8_t>;
    if (t == "s8")
        return convert<R, int8_t>;
    if (t == "u16")
        return convert<R, uint16_t>;
    if (t == "s16")
        return convert<R, int16_t>;
    if (t == "u32")
        return convert<R, uint32_t>;
    if (t == "s32")
        return convert<R, int32_t>;
    if (t == "u64")
        return convert<R, uint64_t>;
    if (t == "s64")
        return convert<R, int64_t>;
    if (t == "f32")
        return convert<R, float>;
    if (t == "f64")
        return convert<R, double>;
    return nullptr;
}
static void bf16_to_f32(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = put(bf16_value(w.of(i.r[1])[l]));
}
static void f32_to_bf16(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = bf16_of(get<float>(w.of(i.r[1])[l]));
}
static void f32_to_bf16x2(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l)
    w.to(i.r[0])[l] = (uint64_t)bf16_of(get<float>(w.of(i.r[1])[l])) << 16 | bf16_of(get<float>(w.of(i.r[2])[l]));
}
static void f16_to_f32(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = put((float)get<_Float16>(w.of(i.r[1])[l]));
}
static void f32_to_f16(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = put((_Float16)get<float>(w.of(i.r[1])[l]));
}
static void f32_to_tf32(Warp &w, const Instruction &i, uint32_t lanes) { /* .rna: to nearest, ties away from 0 */
    EACH_LANE(l) w.to(i.r[0])[l] = (w.of(i.r[1])[l] + 0x1000) & 0xFFFFE000;
}
/* cvt.pack.sat.TO.s32[.b32] d, a, b[, c]: two values clamped into the low half (TO of 16 bits: all) over c's. */
template <typename T> static void pack(Warp &w, const Instruction &i, uint32_t lanes) {
    const auto clamp = [](uint64_t bits) {
        const int32_t v = get<int32_t>(bits);
        return (uint64_t)(std::make_unsigned_t<T>)(v < std::numeric_limits<T>::min()   ? std::numeric_limits<T>::min()
                                                   : v > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max()
                                                                                       : (T)v);
    };
    const int bits = 8 * (int)sizeof(T);
    EACH_LANE(l) {
        uint64_t v = clamp(w.of(i.r[1])[l]) << bits | clamp(w.of(i.r[2])[l]);
        if (i.r.size() > 3)
            v |= w.of(i.r[3])[l] << (2 * bits);
        w.to(i.r[0])[l] = v & 0xFFFFFFFF;
    }
}
static Execute conversions(const Words &words, Instruction &i) {
    if (words[1] == "pack")
        return words[3] == "u8"    ? pack<uint8_t>
               : words[3] == "s8"  ? pack<int8_t>
               : words[3] == "u16" ? pack<uint16_t>
                                   : pack<int16_t>;
    const std::string &to = words[words.size() - 2], &from = words.back();
    for (const std::string &w : words) {
        if (w == "rz" || w == "rzi")
            i.variant = ZERO;
        if (w == "rm" || w == "rmi")
            i.variant = DOWN;
        if (w == "rp" || w == "rpi")
            i.variant = UP;
        if (w.size() == 3 && w[0] == 'r' && w[2] == 'i')
            i.variant |= 8;
    }
    if (is(words, "sat"))
        i.variant |= 4;
    if (to == "bf16x2")
        return f32_to_bf16x2;
    if (to == "bf16")
        return from == "f32" ? f32_to_bf16 : nullptr;
    if (from == "bf16")
        return to == "f32" ? bf16_to_f32 : nullptr;
    if (to == "tf32")
        return f32_to_tf32;
    if (to == "f16")
        return from == "f32" ? f32_to_f16 : nullptr;
    if (from == "f16")
        return to == "f32" ? f16_to_f32 : nullptr;
    if (to == "u8")
        return convert_from<uint8_t>(from);
    if (to == "s8")
        return convert_from<int8_t>(from);
    if (to == "u16")
        return convert_from<uint16_t>(from);
    if (to == "s16")
        return convert_from<int16_t>(from);
    if (to == "u32")
        return convert_from<uint32_t>(from);
    if (to == "s32")
        return convert_from<int32_t>(from);
    if (to == "u64")
        return convert_from<uint64_t>(from);
    if (to == "s64")
        return convert_from<int64_t>(from);
    if (to == "f32")
        return convert_from<float>(from);
    if (to == "f64")
        return convert_from<double>(from);
    return nullptr;
}

/* Loads and stores: `count` values of `bytes`, signed where variant is set. Addresses are aligned to the whole. */
static uint64_t sign_extended(uint64_t v, int bytes) {
    const int unused = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(v << unused) >> unused);
}
static void load(Warp &w, const Instruction &i, uint32_t lanes) {
    const size_t n = (size_t)i.count, each = (size_t)i.bytes;
    EACH_LANE(l) {
        const uint8_t *from = w.at(i, l, w.of(i.r[n])[l] + (uint64_t)i.offset, each * n, false);
        for (size_t k = 0; k < n; k++) {
            uint64_t v = 0;
            memcpy(&v, from + k * each, each);
            w.to(i.r[k])[l] = i.variant ? sign_extended(v, i.bytes) : v;
        }
    }
}
static void store(Warp &w, const Instruction &i, uint32_t lanes) {
    const size_t n = (size_t)i.count, each = (size_t)i.bytes;
    EACH_LANE(l) {
        uint8_t *into = w.at(i, l, w.of(i.r[0])[l] + (uint64_t)i.offset, each * n, true);
        for (size_t k = 0; k < n; k++)
            memcpy(into + k * each, &w.of(i.r[1 + k])[l], each);
    }
}
static Execute loads(const Words &words, Instruction &i, bool storing) {
    const std::string &t = words.back();
    i.bytes = bytes_of(t);
    i.variant = t[0] == 's';
    i.count = i.groups[storing ? 1 : 0];
    return storing ? store : load;
}

/* Atomics: lane by lane. red has no result. */
template <typename T> static void atomic(Warp &w, const Instruction &i, uint32_t lanes) {
    const size_t first = i.count ? 1 : 0; /* has a result */
    EACH_LANE(l) {
        uint8_t *at = w.at(i, l, w.of(i.r[first])[l] + (uint64_t)i.offset, sizeof(T), true, true);
        T old, b = get<T>(w.of(i.r[first + 1])[l]), v = b;
        memcpy(&old, at, sizeof old);
        switch (i.variant) {
        case 0:
            v = (T)(wrapped(old) + wrapped(b));
            break;
        case 1:
            v = old < b ? old : b;
            break;
        case 2:
            v = old > b ? old : b;
            break;
        case 3:
            break; /* exch */
        case 4:
            v = old == b ? get<T>(w.of(i.r[first + 2])[l]) : old;
            break;
        default:
            if constexpr (std::is_integral_v<T>)
                v = i.variant == 5   ? old & b
                    : i.variant == 6 ? old | b
                    : i.variant == 7 ? old ^ b
                    : i.variant == 8 ? (old >= b ? (T)0 : (T)(old + 1))
                                     : (old == 0 || old > b ? b : (T)(old - 1));
        }
        memcpy(at, &v, sizeof v);
        if (first)
            w.to(i.r[0])[l] = put(old);
    }
}
static Execute atomics(const Words &words, Instruction &i, bool result) {
    static const char *const names[] = {"add", "min", "max", "exch", "cas", "and", "or", "xor", "inc", "dec"};
    i.variant = -1;
    for (int k = 0; k < 10; k++)
        if (is(words, names[k]))
            i.variant = k;
    i.count = result;
    const std::string &t = words.back();
    if (i.variant < 0)
        return nullptr;
    if (t == "u32" || t == "b32")
        return atomic<uint32_t>;
    if (t == "s32")
        return atomic<int32_t>;
    if (t == "u64" || t == "b64")
        return atomic<uint64_t>;
    if (t == "s64")
        return atomic<int64_t>;
    if (t == "f32")
        return atomic<float>;
    if (t == "f64")
        return atomic<double>;
    return nullptr;
}

/* The instructions that the lanes of a warp carry out together: its lanes are all here (Flow::CONVERGE). */
static void shuffle(Warp &w, const Instruction &i, uint32_t lanes) {
    const int outputs = i.groups[0];
    const size_t a = (size_t)outputs;
    uint64_t value[LANES];
    memcpy(value, w.of(i.r[a]), sizeof value);
    EACH_LANE(l) {
        const uint32_t b = (uint32_t)w.of(i.r[a + 1])[l], c = (uint32_t)w.of(i.r[a + 2])[l];
        const int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31);
        const int most = (l & segment) | (clamp & ~segment), least_lane = l & segment;
        int from;
        bool there;
        switch (i.variant) {
        case 0:
            from = l - (int)(b & 31), there = from >= most;
            break; /* up */
        case 1:
            from = l + (int)(b & 31), there = from <= most;
            break; /* down */
        case 2:
            from = l ^ (int)(b & 31), there = from <= most;
            break; /* bfly */
        default:
            from = least_lane | ((int)(b & 31) & ~segment), there = from <= most;
            break; /* idx */
        }
        if (!there)
            from = l;
        if (!(lanes >> from & 1))
            throw Fault("shfl.sync reads lane " + std::to_string(from) + ", which does not take part");
        w.to(i.r[0])[l] = value[from] & 0xFFFFFFFF;
        if (outputs > 1)
            w.to(i.r[1])[l] = there;
    }
}
static void vote(Warp &w, const Instruction &i, uint32_t lanes) {
    uint32_t yes = 0;
    EACH_LANE(l) yes |= (uint32_t)pred_of(w, i, 1, l) << l;
    const uint64_t result = i.variant == 0   ? yes
                            : i.variant == 1 ? yes == lanes
                            : i.variant == 2 ? yes != 0
                                             : (yes == 0 || yes == lanes);
    EACH_LANE(l) w.to(i.r[0])[l] = result;
}
static void match_any(Warp &w, const Instruction &i, uint32_t lanes) {
    uint64_t value[LANES];
    memcpy(value, w.of(i.r[1]), sizeof value);
    EACH_LANE(l) {
        uint32_t same = 0;
        for (int k = 0; k < LANES; k++)
            same |= (uint32_t)((lanes >> k & 1) &&
                               (i.bytes == 8 ? value[k] == value[l] : (uint32_t)value[k] == (uint32_t)value[l]))
                    << k;
        w.to(i.r[0])[l] = same;
    }
}
template <typename T> static void reduce(Warp &w, const Instruction &i, uint32_t lanes) {
    T v = 0;
    bool first = true;
    EACH_LANE(l) {
        const T b = get<T>(w.of(i.r[1])[l]);
        v = first            ? b
            : i.variant == 0 ? (T)(wrapped(v) + wrapped(b))
            : i.variant == 1 ? std::min(v, b)
            : i.variant == 2 ? std::max(v, b)
            : i.variant == 3 ? (T)(v & b)
            : i.variant == 4 ? (T)(v | b)
                             : (T)(v ^ b);
        first = false;
    }
    EACH_LANE(l) w.to(i.r[0])[l] = put(v);
}
static void active_mask(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = lanes;
}

/* Bits and bytes. */
static void permute(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const uint64_t both = (w.of(i.r[1])[l] & 0xFFFFFFFF) | w.of(i.r[2])[l] << 32;
        const uint32_t selector = (uint32_t)w.of(i.r[3])[l];
        uint64_t v = 0;
        for (int k = 0; k < 4; k++) {
            const uint32_t s = selector >> (4 * k) & 15;
            uint64_t byte = both >> (8 * (s & 7)) & 255;
            if (s & 8)
                byte = byte & 128 ? 255 : 0;
            v |= byte << (8 * k);
        }
        w.to(i.r[0])[l] = v;
    }
}
template <bool SIGNED_A, bool SIGNED_B> static void dot4(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        uint32_t v = (uint32_t)w.of(i.r[3])[l];
        for (int k = 0; k < 4; k++) {
            const uint32_t a = (uint32_t)(w.of(i.r[1])[l] >> (8 * k) & 255),
                           b = (uint32_t)(w.of(i.r[2])[l] >> (8 * k) & 255);
            v += (uint32_t)((SIGNED_A ? (int8_t)a : (int)a) * (SIGNED_B ? (int8_t)b : (int)b));
        }
        w.to(i.r[0])[l] = v;
    }
}
template <typename A, typename B, bool HIGH>
static void dot2(Warp &w, const Instruction &i, uint32_t lanes) { /* dp2a */
    EACH_LANE(l) {
        uint32_t v = (uint32_t)w.of(i.r[3])[l];
        for (int k = 0; k < 2; k++)
            v += (uint32_t)get<A>(w.of(i.r[1])[l] >> (16 * k)) *
                 (uint32_t)get<B>(w.of(i.r[2])[l] >> (8 * k + 16 * HIGH));
        w.to(i.r[0])[l] = v;
    }
}
template <typename T, bool SHIFT> static void find_bit(Warp &w, const Instruction &i, uint32_t lanes) {
    typedef std::make_unsigned_t<T> U;
    EACH_LANE(l) {
        T a = get<T>(w.of(i.r[1])[l]);
        const U bits = (U)(a < 0 ? ~a : a);
        const int zeros = std::countl_zero(bits);
        w.to(i.r[0])[l] = bits == 0 ? 0xFFFFFFFF : (uint64_t)(SHIFT ? zeros : (int)(8 * sizeof(T)) - 1 - zeros);
    }
}
template <typename T> static void extract(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const T a = get<T>(w.of(i.r[1])[l]);
        const uint32_t at = (uint32_t)w.of(i.r[2])[l] & 255, n = (uint32_t)w.of(i.r[3])[l] & 255, width = 8 * sizeof(T);
        T v = 0;
        if (n) {
            const bool sign =
                std::is_signed_v<T> && (get<std::make_unsigned_t<T>>(put(a)) >> std::min(at + n - 1, width - 1) & 1);
            for (uint32_t k = 0; k < width; k++)
                if (k < n && at + k < width ? (put(a) >> (at + k) & 1) : sign)
                    v = (T)((uint64_t)v | 1ull << k);
        }
        w.to(i.r[0])[l] = put(v);
    }
}
template <typename T> static void insert(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const T a = get<T>(w.of(i.r[1])[l]), b = get<T>(w.of(i.r[2])[l]);
        const uint32_t at = (uint32_t)w.of(i.r[3])[l] & 255, n = (uint32_t)w.of(i.r[4])[l] & 255;
        T v = b;
        for (uint32_t k = 0; k < n && at + k < 8 * sizeof(T); k++)
            v = (T)((v & ~((T)1 << (at + k))) | (a >> k & 1) << (at + k));
        w.to(i.r[0])[l] = put(v);
    }
}
static void lookup3(Warp &w, const Instruction &i, uint32_t lanes) { /* lop3: a bit of the table for each triple */
    EACH_LANE(l) {
        const uint32_t a = (uint32_t)w.of(i.r[1])[l], b = (uint32_t)w.of(i.r[2])[l], c = (uint32_t)w.of(i.r[3])[l];
        const uint32_t table = (uint32_t)w.of(i.r[4])[l];
        uint32_t v = 0;
        for (int k = 0; k < 32; k++)
            v |= (table >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)) & 1) << k;
        w.to(i.r[0])[l] = v;
    }
}
template <bool LEFT> static void funnel(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const uint64_t both = (w.of(i.r[1])[l] & 0xFFFFFFFF) | w.of(i.r[2])[l] << 32;
        const uint32_t c = (uint32_t)w.of(i.r[3])[l], n = i.variant ? c & 31 : std::min(c, 32u);
        w.to(i.r[0])[l] = (LEFT ? both << n >> 32 : both >> n) & 0xFFFFFFFF;
    }
}
template <typename T> static void differences(Warp &w, const Instruction &i, uint32_t lanes) { /* sad */
    EACH_LANE(l) {
        const T a = get<T>(w.of(i.r[1])[l]), b = get<T>(w.of(i.r[2])[l]), c = get<T>(w.of(i.r[3])[l]);
        w.to(i.r[0])[l] = put((T)(wrapped(c) + (a > b ? wrapped(a) - wrapped(b) : wrapped(b) - wrapped(a))));
    }
}
static void byte_differences(Warp &w, const Instruction &i, uint32_t lanes) { /* vabsdiff4.u32.u32.u32.add */
    EACH_LANE(l) {
        uint32_t v = (uint32_t)w.of(i.r[3])[l];
        for (int k = 0; k < 4; k++)
            v += (uint32_t)std::abs((int)(w.of(i.r[1])[l] >> (8 * k) & 255) - (int)(w.of(i.r[2])[l] >> (8 * k) & 255));
        w.to(i.r[0])[l] = v;
    }
}
/* Two halves of a word. */
template <typename T, auto F> static void halves(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        uint64_t v = 0;
        for (int k = 0; k < 2; k++)
            v |= (put((T)F(get<T>(w.of(i.r[1])[l] >> (16 * k)), get<T>(w.of(i.r[2])[l] >> (16 * k)))) & 0xFFFF)
                 << (16 * k);
        w.to(i.r[0])[l] = v;
    }
}
static constexpr auto subtract_half = [](_Float16 a, _Float16 b) { return (_Float16)(a - b); };
static constexpr auto add_half = [](_Float16 a, _Float16 b) { return (_Float16)(a + b); };
static void nth_set(Warp &w, const Instruction &i, uint32_t lanes) { /* fns, upwards */
    EACH_LANE(l) {
        const uint32_t mask = (uint32_t)w.of(i.r[1])[l], base = (uint32_t)w.of(i.r[2])[l];
        int32_t n = get<int32_t>(w.of(i.r[3])[l]);
        if (n < 0)
            throw Fault("fns downwards is not emulated");
        uint64_t found = 0xFFFFFFFF;
        for (uint32_t k = base; k < 32; k++)
            if ((mask >> k & 1) && (n == 0 ? k == base : --n == 0)) {
                found = k;
                break;
            } else if (n == 0)
                break;
        w.to(i.r[0])[l] = found;
    }
}
static constexpr auto multiply_half = [](_Float16 a, _Float16 b) { return (_Float16)(a * b); };
static void fused_halves(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        uint64_t v = 0;
        for (int k = 0; k < 2; k++) {
            const auto of = [&](size_t n) { return (double)get<_Float16>(w.of(i.r[n])[l] >> (16 * k)); };
            v |= put((_Float16)std::fma(of(1), of(2), of(3))) << (16 * k);
        }
        w.to(i.r[0])[l] = v;
    }
}
static void bit_mask(Warp &w, const Instruction &i, uint32_t lanes) { /* bmsk.clamp */
    EACH_LANE(l) {
        const uint32_t at = (uint32_t)w.of(i.r[1])[l], n = (uint32_t)w.of(i.r[2])[l];
        const uint64_t ones = n >= 32 ? 0xFFFFFFFF : (1ull << n) - 1;
        w.to(i.r[0])[l] = at >= 32 ? 0 : ones << at & 0xFFFFFFFF;
    }
}
static void sign_of(Warp &w, const Instruction &i, uint32_t lanes) { /* copysign d, a, b: b with the sign of a */
    EACH_LANE(l) {
        const uint64_t top = i.bytes == 8 ? 1ull << 63 : 1ull << 31;
        w.to(i.r[0])[l] = (w.of(i.r[1])[l] & top) | (w.of(i.r[2])[l] & ~top);
    }
}
template <typename T, bool NAN_ONLY> static void test(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const T a = get<T>(w.of(i.r[1])[l]);
        const bool v = i.variant == 0   ? std::isfinite(a)
                       : i.variant == 1 ? std::isinf(a)
                       : i.variant == 2 ? !std::isnan(a)
                       : i.variant == 3 ? std::isnan(a)
                       : i.variant == 4 ? std::isnormal(a)
                                        : std::fpclassify(a) == FP_SUBNORMAL;
        w.to(i.r[0])[l] = v;
    }
}

/* Matrix products: fragments as PTX ISA 9.7.14 lays them out; A is M by K of rows, B is K by N of columns. */
template <typename T, int BITS> struct Element;
static float tf32_value(uint32_t bits) {
    return get<float>(bits & 0xFFFFE000);
}

static void mma_m16n8k16_bf16(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != 0xFFFFFFFF)
        throw Fault("mma.sync needs all lanes");
    float a[16][16], b[16][8], d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int k = 0; k < 8; k++) {
            const int row = (k < 2 || (k >= 4 && k < 6)) ? g : g + 8, col = t * 2 + (k & 1) + (k < 4 ? 0 : 8);
            a[row][col] = bf16_value(w.of(i.r[(size_t)(4 + k / 2)])[l] >> (16 * (k & 1)));
        }
        for (int k = 0; k < 4; k++)
            b[t * 2 + (k & 1) + (k < 2 ? 0 : 8)][g] = bf16_value(w.of(i.r[(size_t)(8 + k / 2)])[l] >> (16 * (k & 1)));
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = get<float>(w.of(i.r[(size_t)(10 + k)])[l]);
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++) {
            double sum = d[y][x];
            for (int k = 0; k < 16; k++)
                sum += (double)a[y][k] * b[k][x];
            d[y][x] = (float)sum;
        }
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[(size_t)k])[l] = put(d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)]);
}
static void mma_m16n8k8_tf32(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != 0xFFFFFFFF)
        throw Fault("mma.sync needs all lanes");
    float a[16][8], b[8][8], d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int k = 0; k < 4; k++)
            a[k & 1 ? g + 8 : g][k < 2 ? t : t + 4] = tf32_value((uint32_t)w.of(i.r[(size_t)(4 + k)])[l]);
        for (int k = 0; k < 2; k++)
            b[k ? t + 4 : t][g] = tf32_value((uint32_t)w.of(i.r[(size_t)(8 + k)])[l]);
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = get<float>(w.of(i.r[(size_t)(10 + k)])[l]);
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++) {
            double sum = d[y][x];
            for (int k = 0; k < 8; k++)
                sum += (double)a[y][k] * b[k][x];
            d[y][x] = (float)sum;
        }
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[(size_t)k])[l] = put(d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)]);
}
/* m16n8kK of bytes; variant: 1 if A is signed, 2 if B is. */
template <int K> static void mma_bytes(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != 0xFFFFFFFF)
        throw Fault("mma.sync needs all lanes");
    enum { A = K / 8, B = K / 16 };
    const auto byte = [](uint64_t word, int k, bool is_signed) {
        const int v = (int)(word >> (8 * k) & 255);
        return is_signed ? (int)(int8_t)v : v;
    };
    int a[16][K], b[K][8];
    uint32_t d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int r = 0; r < A; r++)
            for (int k = 0; k < 4; k++)
                a[r & 1 ? g + 8 : g][t * 4 + k + 16 * (r / 2)] = byte(w.of(i.r[(size_t)(4 + r)])[l], k, i.variant & 1);
        for (int r = 0; r < B; r++)
            for (int k = 0; k < 4; k++)
                b[t * 4 + k + 16 * r][g] = byte(w.of(i.r[(size_t)(4 + A + r)])[l], k, i.variant & 2);
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = (uint32_t)w.of(i.r[(size_t)(4 + A + B + k)])[l];
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++)
            for (int k = 0; k < K; k++)
                d[y][x] += (uint32_t)(a[y][k] * b[k][x]);
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[(size_t)k])[l] = d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)];
}
/* m16n8k256 of bits: the ones that both have. */
static void mma_bits(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != 0xFFFFFFFF)
        throw Fault("mma.sync needs all lanes");
    enum { PARTS = 8 };
    uint32_t a[16][PARTS], b[8][PARTS], d[16][8];
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int r = 0; r < 4; r++)
            a[r & 1 ? g + 8 : g][t + r / 2 * 4] = (uint32_t)w.of(i.r[(size_t)(4 + r)])[l];
        for (int r = 0; r < 2; r++)
            b[g][t + r * 4] = (uint32_t)w.of(i.r[(size_t)(8 + r)])[l];
        for (int k = 0; k < 4; k++)
            d[k < 2 ? g : g + 8][t * 2 + (k & 1)] = (uint32_t)w.of(i.r[(size_t)(10 + k)])[l];
    }
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 8; x++)
            for (int k = 0; k < PARTS; k++)
                d[y][x] += (uint32_t)__builtin_popcount(a[y][k] & b[x][k]);
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            w.to(i.r[(size_t)k])[l] = d[k < 2 ? l / 4 : l / 4 + 8][l % 4 * 2 + (k & 1)];
}
static Execute products(const Words &words, Instruction &i) {
    if (is(words, "m16n8k256") && is(words, "b1") && is(words, "and"))
        return mma_bits;
    if (is(words, "m16n8k16") && is(words, "bf16"))
        return mma_m16n8k16_bf16;
    if (is(words, "m16n8k8") && is(words, "tf32"))
        return mma_m16n8k8_tf32;
    const size_t a = words.size() - 3;
    i.variant = (words[a] == "s8" ? 1 : 0) | (words[a + 1] == "s8" ? 2 : 0);
    if (is(words, "m16n8k32"))
        return mma_bytes<32>;
    if (is(words, "m16n8k16"))
        return mma_bytes<16>;
    return nullptr;
}
/* ldmatrix: lane 8 n + r has the address of row r of matrix n. */
static void load_matrix(Warp &w, const Instruction &i, uint32_t lanes) {
    if (lanes != 0xFFFFFFFF)
        throw Fault("ldmatrix needs all lanes");
    const size_t n = (size_t)i.groups[0];
    for (size_t m = 0; m < n; m++) {
        uint16_t rows[8][8];
        for (int r = 0; r < 8; r++) {
            const int from = (int)m * 8 + r;
            memcpy(rows[r], w.at(i, from, w.of(i.r[n])[from] + (uint64_t)i.offset, 16, false), 16);
        }
        for (int l = 0; l < LANES; l++) {
            const int row = l / 4, col = l % 4 * 2;
            const uint32_t low = i.variant ? rows[col][row] : rows[row][col];
            const uint32_t top = i.variant ? rows[col + 1][row] : rows[row][col + 1];
            w.to(i.r[m])[l] = low | top << 16;
        }
    }
}

/* cp.async: copied as late as allowed, when it is waited for, so that a missing wait shows. */
static void copy_async(Warp &w, const Instruction &i, uint32_t lanes) {
    Instruction from = i;
    from.space = Space::GLOBAL;
    EACH_LANE(l) {
        const uint32_t bytes = (uint32_t)w.of(i.r[2])[l], there = i.r.size() > 3 ? (uint32_t)w.of(i.r[3])[l] : bytes;
        uint8_t *to = w.at(i, l, w.of(i.r[0])[l] + (uint64_t)i.offset, bytes, true);
        const uint8_t *source = there ? w.at(from, l, w.of(i.r[1])[l], there, false) : nullptr;
        memset(to, 0xA5, bytes); /* until it arrives */
        w.copies[l].push_back({to, source, bytes, there, w.copy_group[l]});
    }
}
static void commit_copies(Warp &w, const Instruction &, uint32_t lanes) {
    EACH_LANE(l) w.copy_group[l]++;
}
static void wait_copies(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const int64_t pending = i.variant ? 0 : (int64_t)(uint32_t)w.of(i.r[0])[l];
        auto &list = w.copies[l];
        size_t kept = 0;
        for (const PendingCopy &c : list)
            if (!i.variant && (int64_t)c.group >= (int64_t)w.copy_group[l] - pending)
                list[kept++] = c;
            else {
                if (c.there)
                    memcpy(c.to, c.from, c.there);
                memset(c.to + c.there, 0, c.bytes - c.there);
            }
        list.resize(kept);
    }
}

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

/* tex: objects that the runtime made (runtime.cpp). */
static uint64_t texel(const Texture &t, int64_t x, int64_t y, int c, bool as_float) {
    const int64_t height = t.height ? (int64_t)t.height : 1;
    if (t.zero_outside && (x < 0 || x >= (int64_t)t.width || y < 0 || y >= height))
        return 0;
    x = std::clamp<int64_t>(x, 0, (int64_t)t.width - 1);
    y = std::clamp<int64_t>(y, 0, height - 1);
    if (c >= t.channels)
        return c == 3 && as_float ? put(1.0f) : c == 3 && t.kind != 2 ? 1 : 0;
    const uint8_t *at =
        t.memory + (size_t)y * t.pitch + ((size_t)x * (size_t)t.channels + (size_t)c) * (size_t)t.bits / 8;
    check_device_memory((uint64_t)(uintptr_t)at, (size_t)t.bits / 8);
    uint64_t v = 0;
    memcpy(&v, at, (size_t)t.bits / 8);
    if (t.normalized_values)
        return put((float)v / (float)((1u << t.bits) - 1));
    return t.kind == 1 ? sign_extended(v, t.bits / 8) & 0xFFFFFFFF : v;
}
static void texture(Warp &w, const Instruction &i, uint32_t lanes) {
    const size_t n = (size_t)i.groups[0]; /* then the object, then x, or x and y */
    EACH_LANE(l) {
        const Texture &t = *(const Texture *)(uintptr_t)w.of(i.r[n])[l];
        const auto coordinate = [&](size_t k) {
            const uint64_t bits = w.of(i.r[n + 1 + k])[l];
            return i.bytes ? (int64_t)std::floor(get<float>(bits)) : (int64_t)get<int32_t>(bits);
        };
        const int64_t x = coordinate(0), y = i.variant == 2 ? coordinate(1) : 0;
        for (size_t c = 0; c < n; c++)
            w.to(i.r[c])[l] = texel(t, x, y, (int)c, i.count);
    }
}

static void nothing(Warp &, const Instruction &, uint32_t) {}

Execute execute_of(const Words &words, Instruction &i) {
    const std::string &op = words[0], &t = words.back();
    const bool f = t == "f32" || t == "f64", sat = is(words, "sat");
    const auto together = [&](Execute e, bool masked = true) {
        i.flow = Flow::CONVERGE;
        i.members = masked ? (int)i.r.size() - 1 : -1;
        return e;
    };
    if (op == "add" && t != "f16x2")
        return f ? sat ? real<add_saturated, 2>(t) : real<add, 2>(t) : whole<add, 2>(t);
    if (op == "sub" && t != "f16x2")
        return any<subtract, 2>(t);
    if (op == "mul" && is(words, "wide"))
        return wides<false>(t);
    if (op == "mul" && is(words, "hi"))
        return whole<multiply_high, 2>(t);
    if (op == "mul")
        return f && sat ? real<multiply_saturated, 2>(t) : any<multiply, 2>(t);
    if ((op == "mad" || op == "fma") && f)
        return sat ? real<fused_saturated, 3>(t) : real<fused, 3>(t);
    if (op == "mad" && is(words, "wide"))
        return wides<true>(t);
    if (op == "mad" && is(words, "hi"))
        return whole<multiply_add_high, 3>(t);
    if (op == "mad")
        return whole<multiply_add, 3>(t);
    if (op == "div")
        return any<divide, 2>(t);
    if (op == "rem")
        return whole<remainder, 2>(t);
    if (t == "u16x2" && op == "min")
        return halves<uint16_t, least>;
    if (t == "u16x2" && op == "max")
        return halves<uint16_t, greatest>;
    if (t == "s16x2" && op == "min")
        return halves<int16_t, least>;
    if (t == "s16x2" && op == "max")
        return halves<int16_t, greatest>;
    if (t == "f16x2" && op == "sub")
        return halves<_Float16, subtract_half>;
    if (t == "f16x2" && op == "add")
        return halves<_Float16, add_half>;
    if (t == "f16x2" && op == "mul")
        return halves<_Float16, multiply_half>;
    if (t == "f16x2" && op == "fma")
        return fused_halves;
    if (op == "bmsk")
        return bit_mask;
    if (op == "fns")
        return nth_set;
    if (op == "min")
        return any<least, 2>(t);
    if (op == "max")
        return any<greatest, 2>(t);
    if (op == "neg")
        return any<negate, 1>(t);
    if (op == "abs")
        return any<absolute, 1>(t);
    if (op == "and" && t == "pred")
        return predicates<bit_and>;
    if (op == "or" && t == "pred")
        return predicates<bit_or>;
    if (op == "xor" && t == "pred")
        return predicates<bit_xor>;
    if (op == "not" && t == "pred")
        return map<uint64_t, uint64_t, not_pred, 1>;
    if (op == "and")
        return whole<bit_and, 2>(t);
    if (op == "or")
        return whole<bit_or, 2>(t);
    if (op == "xor")
        return whole<bit_xor, 2>(t);
    if (op == "not")
        return whole<bit_not, 1>(t);
    if (op == "shl")
        return shifts<true>(t);
    if (op == "shr")
        return shifts<false>(t);
    if (op == "popc")
        return whole<population, 1>(t);
    if (op == "clz")
        return whole<leading, 1>(t);
    if (op == "brev")
        return whole<reversed, 1>(t);
    if (op == "bfind") {
        const bool amount = is(words, "shiftamt");
        if (t == "u32")
            return amount ? find_bit<uint32_t, true> : find_bit<uint32_t, false>;
        if (t == "s32")
            return amount ? find_bit<int32_t, true> : find_bit<int32_t, false>;
        if (t == "u64")
            return amount ? find_bit<uint64_t, true> : find_bit<uint64_t, false>;
        return nullptr;
    }
    if (op == "bfe")
        return t == "u32"   ? extract<uint32_t>
               : t == "s32" ? extract<int32_t>
               : t == "u64" ? extract<uint64_t>
                            : extract<int64_t>;
    if (op == "bfi")
        return t == "b32" ? insert<uint32_t> : insert<uint64_t>;
    if (op == "prmt")
        return permute;
    if (op == "lop3")
        return lookup3;
    if (op == "shf") {
        i.variant = is(words, "wrap");
        return words[1] == "l" ? funnel<true> : funnel<false>;
    }
    if (op == "dp4a")
        return words[1] == "u32"   ? words[2] == "u32" ? dot4<false, false> : dot4<false, true>
                 : words[2] == "u32" ? dot4<true, false>
                                   : dot4<true, true>;
    if (op == "dp2a" && words[2] == "u32")
        return words[1] == "lo" ? dot2<uint16_t, uint8_t, false> : dot2<uint16_t, uint8_t, true>;
    if (op == "dp2a" && t == "s32")
        return words[1] == "lo" ? dot2<int16_t, int8_t, false> : dot2<int16_t, int8_t, true>;
    if (op == "sad")
        return t == "u32"   ? differences<uint32_t>
               : t == "s32" ? differences<int32_t>
               : t == "u16" ? differences<uint16_t>
                            : nullptr;
    if (op == "vabsdiff4")
        return byte_differences;
    if (op == "copysign") {
        i.bytes = bytes_of(t);
        return sign_of;
    }
    if (op == "testp") {
        static const char *const tests[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
        for (int k = 0; k < 6; k++)
            if (words[1] == tests[k])
                i.variant = k;
        return t == "f32" ? test<float, false> : test<double, false>;
    }
    if (op == "set")
        return nullptr;
    if (op == "setp")
        return compares(words, i);
    if (op == "selp")
        return select;
    if (op == "mov" && t == "pred")
        return move_pred;
    if (op == "mov") {
        i.bytes = bytes_of(t);
        return move;
    }
    if (op == "cvta")
        return words[1] == "param" ? parameter_address : addresses(words);
    if (op == "cvt")
        return conversions(words, i);
    if (op == "ld" || op == "ldu")
        return loads(words, i, false);
    if (op == "st")
        return loads(words, i, true);
    if (op == "atom")
        return atomics(words, i, true);
    if (op == "red")
        return atomics(words, i, false);
    if (op == "shfl") {
        i.variant = is(words, "up") ? 0 : is(words, "down") ? 1 : is(words, "bfly") ? 2 : 3;
        return together(shuffle);
    }
    if (op == "vote") {
        i.variant = is(words, "ballot") ? 0 : is(words, "all") ? 1 : is(words, "any") ? 2 : 3;
        return together(vote);
    }
    if (op == "match" && is(words, "any")) {
        i.bytes = bytes_of(t);
        return together(match_any);
    }
    if (op == "redux") {
        static const char *const names[] = {"add", "min", "max", "and", "or", "xor"};
        for (int k = 0; k < 6; k++)
            if (is(words, names[k]))
                i.variant = k;
        return together(t == "s32" ? reduce<int32_t> : reduce<uint32_t>);
    }
    if (op == "activemask")
        return active_mask;
    if (op == "mma")
        return together(products(words, i), false);
    if (op == "ldmatrix") {
        i.variant = is(words, "trans");
        return together(load_matrix, false);
    }
    if (op == "cp" && words[1] == "async") {
        if (words[2] == "commit_group")
            return commit_copies;
        if (words[2] == "wait_group")
            return wait_copies;
        if (words[2] == "wait_all") {
            i.variant = 1;
            return wait_copies;
        }
        if (words[2] == "ca" || words[2] == "cg")
            return copy_async;
        return execute_of_hopper(words, i);
    }
    if (op == "ex2")
        return real<ex2, 1>(t);
    if (op == "lg2")
        return real<lg2, 1>(t);
    if (op == "sin")
        return real<sine, 1>(t);
    if (op == "cos")
        return real<cosine, 1>(t);
    if (op == "tanh")
        return real<tanh_, 1>(t);
    if (op == "sqrt")
        return real<root, 1>(t);
    if (op == "rsqrt")
        return real<inverse_root, 1>(t);
    if (op == "rcp")
        return real<reciprocal, 1>(t);
    if (op == "tex") {
        i.variant = words[1] == "2d" ? 2 : 1;
        i.bytes = t == "f32"; /* coordinates */
        i.count = words[words.size() - 2] == "f32";
        return texture;
    }
    if (op == "isspacep")
        return nullptr;
    if (op == "pmevent")
        return nothing;
    return execute_of_hopper(words, i);
}

} // namespace ptx
