/* moves.cpp: instructions of the emulated GPU that compare, choose and move values. */
#include "emulator/execute.hpp"

#include <cmath>

namespace ptx {

/* setp: CMP of T, p or p|q, perhaps combined with a third predicate. A NaN is in no relation, but unequal to all where
 * the comparison is unordered. */
static constexpr auto equal = [](auto a, auto b) { return a == b; };
static constexpr auto unequal = [](auto a, auto b) {
    if constexpr (std::is_floating_point_v<decltype(a)>)
        return a < b || a > b;
    else
        return a != b;
};
static constexpr auto less = [](auto a, auto b) { return a < b; };
static constexpr auto less_equal = [](auto a, auto b) { return a <= b; };
static constexpr auto greater = [](auto a, auto b) { return a > b; };
static constexpr auto greater_equal = [](auto a, auto b) { return a >= b; };
static constexpr auto numbers = [](auto a, auto b) { return !std::isnan(a) && !std::isnan(b); };
template <auto F> static constexpr auto negated = [](auto a, auto b) { return !F(a, b); };

template <typename T, auto F> VECTOR void compare(Warp &w, const Instruction &i, uint32_t lanes) {
    const Slot<T> *a = w.to<T>(i.r[i.outputs]), *b = w.to<T>(i.r[i.outputs + 1]);
    uint32_t yes = 0;
    ALL_LANES(l) yes |= F(get<T>(a[l]), get<T>(b[l])) ? 1u << l : 0;
    uint32_t no = ~yes;
    if (i.count > 1) { /* .and, .or, .xor with the predicate at the end */
        const uint32_t c = predicate(w, i, i.outputs + 2);
        const auto with = [&](uint32_t x) { return i.count == 2 ? x & c : i.count == 3 ? x | c : x ^ c; };
        yes = with(yes), no = with(no);
    }
    set_predicate(w, i.r[0], yes, lanes);
    if (i.outputs > 1)
        set_predicate(w, i.r[1], no, lanes);
}
template <typename T> static Execute comparison(const std::string &how) {
    if constexpr (std::is_floating_point_v<T>) {
        const Execute of_numbers = how == "num"   ? compare<T, numbers>
                                   : how == "nan" ? compare<T, negated<numbers>>
                                   : how == "equ" ? compare<T, negated<unequal>>
                                   : how == "neu" ? compare<T, negated<equal>>
                                   : how == "ltu" ? compare<T, negated<greater_equal>>
                                   : how == "leu" ? compare<T, negated<greater>>
                                   : how == "gtu" ? compare<T, negated<less_equal>>
                                   : how == "geu" ? compare<T, negated<less>>
                                                  : (Execute) nullptr;
        if (of_numbers)
            return of_numbers;
    }
    return how == "eq"                  ? compare<T, equal>
           : how == "ne"                ? compare<T, unequal>
           : how == "lt" || how == "lo" ? compare<T, less>
           : how == "le" || how == "ls" ? compare<T, less_equal>
           : how == "gt" || how == "hi" ? compare<T, greater>
           : how == "ge" || how == "hs" ? compare<T, greater_equal>
                                        : (Execute) nullptr;
}
static Execute compares(const Words &words, Draft &i) {
    i.kinds = i.outputs > 1 ? "ppttp" : "pttp";
    i.count = words[2] == "and" ? 2 : words[2] == "or" ? 3 : words[2] == "xor" ? 4 : 1;
    return for_any(words.back(), [&]<typename T>() -> Execute { return comparison<T>(words[1]); });
}

template <typename T> VECTOR void select(Warp &w, const Instruction &i, uint32_t lanes) {
    Result<T> result(w, i.r[0], lanes);
    Slot<T> *d = result.all();
    const Slot<T> *a = w.to<T>(i.r[1]), *b = w.to<T>(i.r[2]);
    const uint32_t p = predicate(w, i, 3);
    ALL_LANES(l) d[l] = p >> l & 1 ? a[l] : b[l];
    result.keep();
}
static Execute selects(const Words &words, Draft &i) {
    i.kinds = "tttp";
    return bytes_of(words.back()) == 8 ? select<uint64_t> : select<uint32_t>;
}

/* mov, also of vectors into one register and back. */
static constexpr auto same = [](auto a) { return a; };
template <typename T> static void join(Warp &w, const Instruction &i, uint32_t lanes) {
    const int from = i.operands - 1, each = 8 * i.bytes / from;
    EACH_LANE(l) {
        Slot<T> v = 0;
        for (int k = 0; k < from; k++)
            v |= (Slot<T>)(w.to(i.r[1 + k])[l] & (uint32_t)((1ull << each) - 1)) << (k * each);
        w.to<T>(i.r[0])[l] = v;
    }
}
template <typename T> static void part(Warp &w, const Instruction &i, uint32_t lanes) {
    const int into = i.outputs, each = 8 * i.bytes / into;
    EACH_LANE(l) {
        const uint64_t v = w.to<T>(i.r[into])[l];
        for (int k = 0; k < into; k++)
            w.to(i.r[k])[l] = (uint32_t)(v >> (k * each) & ((1ull << each) - 1));
    }
}
static void move_predicate(Warp &w, const Instruction &i, uint32_t lanes) {
    set_predicate(w, i.r[0], predicate(w, i, 1), lanes);
}
static Execute moves(const Words &words, Draft &i) {
    i.bytes = (uint8_t)bytes_of(words.back());
    const bool is_long = i.bytes == 8;
    if (words.back() == "pred")
        return move_predicate;
    if (i.outputs > 1) {
        i.kinds = "wt", i.first = i.outputs;
        return is_long ? part<uint64_t> : part<uint32_t>;
    }
    if (i.groups.at(1) > 1) {
        i.kinds = "tw";
        return is_long ? join<uint64_t> : join<uint32_t>;
    }
    return is_long        ? map<uint64_t, uint64_t, same, 1>
           : i.bytes == 4 ? map<uint32_t, uint32_t, same, 1>
                          : map<uint16_t, uint16_t, same, 1>;
}

/* Addresses: generic ones of shared and local memory have a window of their own. */
template <uint64_t WINDOW, bool INTO> static uint64_t converted(uint64_t a) {
    return INTO ? a & ~(WINDOW ? WINDOW_MASK : 0) : a | WINDOW;
}
static void parameter_address(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l)
    w.to<uint64_t>(i.r[0])[l] = (uint64_t)(uintptr_t)w.block->grid.parameters + w.to<uint64_t>(i.r[1])[l];
}
template <uint64_t WINDOW> static Execute window(bool into) {
    return into ? map<uint64_t, uint64_t, converted<WINDOW, true>, 1>
                : map<uint64_t, uint64_t, converted<WINDOW, false>, 1>;
}
static Execute addresses(const Words &words, Draft &i) {
    i.kinds = "l";
    if (words[1] == "param")
        return parameter_address;
    const bool into = words[1] == "to";
    const std::string &space = words[into ? 2 : 1];
    return space.starts_with("shared") ? window<SHARED_WINDOW>(into)
           : space == "local"          ? window<LOCAL_WINDOW>(into)
                                       : window<0>(true);
}

const Row move_rows[] = {
    {"setp", compares}, {"selp", selects}, {"mov", moves}, {"cvta", addresses}, {"pmevent", only<nothing>}, {},
};

} // namespace ptx
