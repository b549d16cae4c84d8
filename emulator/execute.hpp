/* execute.hpp: common to the instructions of the emulated GPU. The file of a kind of instructions has their work on the
 * lanes of a warp, and a table of opcodes. An opcode's function chooses the instance for the other words of the opcode
 * (PTX ISA 9.0, chapter 9). */
#ifndef GLINT_EMULATOR_EXECUTE_HPP
#define GLINT_EMULATOR_EXECUTE_HPP

#include "emulator/ptx.hpp"

#include <algorithm>
#include <type_traits>

/* Functions whose loops over lanes are compiled for wide vectors, too; the processor chooses. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#    define VECTOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#    define VECTOR
#endif

namespace ptx {

typedef std::vector<std::string> Words;

/* An instruction that is being read. */
struct Draft : Instruction {
    std::vector<int> groups; /* how many registers each operand of the text has */
    /* A letter for the kind of each register: t as the type says, w word, l long, p predicate, a address. An address is
     * a word or a long. The first letter holds for `first` registers, the last for the rest. */
    const char *kinds = "t";
    size_t first = 1;
    bool takes_long = false; /* a register of eight bytes is among the values */
};

/* An opcode without its modifiers. `choose` gets all words of the opcode, of which the last is the type. It fills in
 * the parts of the instruction that depend on them, and returns NULL if the emulator lacks the instance. */
struct Row {
    const char *opcode;
    Execute (*choose)(const Words &words, Draft &i);
};
/* The function that carries out this opcode, cut at its dots. */
Execute execute_of(const Words &opcode, Draft &instruction);
EmulatorWork work_of(const Words &opcode, const Draft &instruction);

/* The tables end with an empty row. An opcode may be in several. */
extern const Row arithmetic_rows[], bit_rows[], move_rows[], conversion_rows[], memory_rows[], warp_rows[],
    matrix_rows[], hopper_rows[];

/* A value of a lane's part of a register, and back. */
template <typename T, typename S> static T get(S bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <typename T> static Slot<T> put(T value) {
    Slot<T> bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

#define EACH_LANE(l)                                                                                                   \
    for (int l = 0; l < LANES; l++)                                                                                    \
        if (lanes >> l & 1)
/* All lanes at once: a register is another one, or the same. */
#if defined(__clang__)
#    define ALL_LANES(l) for (int l = 0; l < LANES; l++)
#else
#    define ALL_LANES(l) _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)
#endif

/* Where results of all lanes go, of which only some may be kept. */
template <typename T> class Result {
  public:
    Result(Warp &w, int r, uint32_t lanes_) : to(w.to<T>(r)), lanes(lanes_) {}
    Slot<T> *all() { return lanes == ALL ? to : kept; }
    void keep() {
        if (lanes != ALL)
            ALL_LANES(l) to[l] = lanes >> l & 1 ? kept[l] : to[l];
    }

  private:
    Slot<T> *to;
    uint32_t lanes;
    alignas(64) Slot<T> kept[LANES];
};

/* r[0] = f(r[1], ...) of values T; the result is of type R. */
template <typename R, typename T, auto F, int N> VECTOR void map(Warp &w, const Instruction &i, uint32_t lanes) {
    Result<R> result(w, i.r[0], lanes);
    Slot<R> *d = result.all();
    const Slot<T> *a = w.to<T>(i.r[1]), *b = w.to<T>(i.r[N > 1 ? 2 : 1]), *c = w.to<T>(i.r[N > 2 ? 3 : 1]);
    ALL_LANES(l) {
        if constexpr (N == 1)
            d[l] = put<R>((R)F(get<T>(a[l])));
        else if constexpr (N == 2)
            d[l] = put<R>((R)F(get<T>(a[l]), get<T>(b[l])));
        else
            d[l] = put<R>((R)F(get<T>(a[l]), get<T>(b[l]), get<T>(c[l])));
    }
    result.keep();
}
/* The same for what takes long, or faults: only the lanes that want it. */
template <typename R, typename T, auto F, int N> void map_one_by_one(Warp &w, const Instruction &i, uint32_t lanes) {
    Slot<R> *d = w.to<R>(i.r[0]);
    const Slot<T> *a = w.to<T>(i.r[1]), *b = w.to<T>(i.r[N > 1 ? 2 : 1]);
    EACH_LANE(l) {
        if constexpr (N == 1)
            d[l] = put<R>((R)F(get<T>(a[l])));
        else
            d[l] = put<R>((R)F(get<T>(a[l]), get<T>(b[l])));
    }
}

inline bool is(const Words &w, const char *word) {
    return std::find(w.begin(), w.end(), word) != w.end();
}

/* The instance for a type: `choose.template operator()<T>()`. */
template <typename C> static Execute for_whole(const std::string &type, C choose) {
    return type == "u16" || type == "b16"   ? choose.template operator()<uint16_t>()
           : type == "s16"                  ? choose.template operator()<int16_t>()
           : type == "u32" || type == "b32" ? choose.template operator()<uint32_t>()
           : type == "s32"                  ? choose.template operator()<int32_t>()
           : type == "u64" || type == "b64" ? choose.template operator()<uint64_t>()
           : type == "s64"                  ? choose.template operator()<int64_t>()
                                            : (Execute) nullptr;
}
template <typename C> static Execute for_real(const std::string &type, C choose) {
    return type == "f32"   ? choose.template operator()<float>()
           : type == "f64" ? choose.template operator()<double>()
                           : (Execute) nullptr;
}
template <typename C> static Execute for_any(const std::string &type, C choose) {
    const Execute found = for_whole(type, choose);
    return found ? found : for_real(type, choose);
}

/* The instance of F for an integer type, a real one, any. */
template <auto F, int N> static Execute whole(const Words &words, Draft &) {
    return for_whole(words.back(), []<typename T>() -> Execute { return map<T, T, F, N>; });
}
template <auto F, int N> static Execute real(const Words &words, Draft &) {
    return for_real(words.back(), []<typename T>() -> Execute { return map<T, T, F, N>; });
}
template <auto F, int N> static Execute any(const Words &words, Draft &i) {
    const Execute e = whole<F, N>(words, i);
    return e ? e : real<F, N>(words, i);
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

/* A predicate operand, which may be negated: a bit for each lane. */
inline uint32_t predicate(Warp &w, const Instruction &i, int operand) {
    return w.mask(i.r[operand]) ^ (operand < 4 && i.negated[operand] ? ALL : 0);
}
inline void set_predicate(Warp &w, int r, uint32_t values, uint32_t lanes) {
    uint32_t &mask = w.mask(r);
    mask = (mask & ~lanes) | (values & lanes);
}
inline int bytes_of(const std::string &type) {
    if (type == "pred")
        return 1;
    const size_t digit = type.find_first_of("0123456789");
    return digit == std::string::npos ? 0 : atoi(type.c_str() + digit) / 8;
}
inline float bf16_value(uint32_t bits) {
    return get<float>((bits & 0xFFFF) << 16);
}
/* The chooser for an opcode that has one instance. */
template <Execute E> static Execute only(const Words &, Draft &) {
    return E;
}
inline void nothing(Warp &, const Instruction &, uint32_t) {}

} // namespace ptx

#endif
