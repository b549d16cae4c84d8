/* memory.cpp: instructions of the emulated GPU that load, store and copy. */
#include "emulator/execute.hpp"

#include <cmath>

namespace ptx {

/* Loads and stores: `count` values of type V. A signed one fills the register, of type R, with its sign. Addresses are
 * aligned to the whole. */
template <typename V, typename R> static Slot<R> value_at(const uint8_t *from) {
    V v;
    memcpy(&v, from, sizeof v);
    if constexpr (std::is_signed_v<V>)
        return (Slot<R>)(std::make_signed_t<Slot<R>>)v;
    else
        return v;
}
template <typename V, typename R> static void load(Warp &w, const Instruction &i, uint32_t lanes) {
    Warp::Places places;
    w.reach(i, i.count, sizeof(V) * i.count, false, lanes, places);
    for (int k = 0; k < i.count; k++) {
        Slot<R> *d = w.to<R>(i.r[k]);
        const size_t at = (size_t)k * sizeof(V);
        if (lanes != ALL) {
            EACH_LANE(l) d[l] = value_at<V, R>(places.at[l] + at);
        } else if (places.one)
            std::fill_n(d, LANES, value_at<V, R>(places.at[0] + at));
        else
            for (int lane = 0; lane < LANES; lane++)
                d[lane] = value_at<V, R>(places.at[lane] + at);
    }
}
template <typename V, typename R> static void store(Warp &w, const Instruction &i, uint32_t lanes) {
    Warp::Places places;
    w.reach(i, 0, sizeof(V) * i.count, true, lanes, places);
    for (int k = 0; k < i.count; k++) {
        const Slot<R> *from = w.to<R>(i.r[1 + k]);
        EACH_LANE(l) {
            const V v = (V)from[l];
            memcpy(places.at[l] + (size_t)k * sizeof(V), &v, sizeof v);
        }
    }
}
/* A register may be wider than a value. */
template <typename V> static Execute access(bool storing, bool into_long) {
    if (storing)
        return into_long ? store<V, uint64_t> : store<V, uint32_t>;
    return into_long ? load<V, uint64_t> : load<V, uint32_t>;
}
template <bool STORING> static Execute loads(const Words &words, Draft &i) {
    const std::string &t = words.back();
    i.bytes = (uint8_t)bytes_of(t);
    i.count = (uint8_t)i.groups.at(STORING ? 1 : 0);
    const bool into_long = i.bytes == 8 || i.takes_long;
    i.kinds = STORING ? into_long ? "al" : "aw" : into_long ? "la" : "wa";
    i.first = STORING ? 1 : i.count;
    switch (t[0] == 's' ? -i.bytes : i.bytes) {
    case 1:
        return access<uint8_t>(STORING, into_long);
    case -1:
        return access<int8_t>(STORING, into_long);
    case 2:
        return access<uint16_t>(STORING, into_long);
    case -2:
        return access<int16_t>(STORING, into_long);
    case 4:
        return access<uint32_t>(STORING, into_long);
    case -4:
        return access<int32_t>(STORING, into_long);
    case 8:
    case -8:
        return STORING ? store<uint64_t, uint64_t> : load<uint64_t, uint64_t>;
    default:
        return nullptr;
    }
}

/* Atomics: lane by lane. red has no result. */
template <typename T, auto F> static void atomic(Warp &w, const Instruction &i, uint32_t lanes) {
    const int first = i.count ? 1 : 0; /* has a result */
    w.count(i, first, sizeof(T), lanes);
    EACH_LANE(l) {
        uint8_t *at = w.at(i, l, w.address(i, first, l), sizeof(T), true, true);
        const auto operand = [&](int k) { return get<T>(w.to<T>(i.r[first + k])[l]); };
        T old;
        memcpy(&old, at, sizeof old);
        const T v = (T)F(old, operand(1), operand(i.operands > first + 2 ? 2 : 1));
        memcpy(at, &v, sizeof v);
        if (first)
            w.to<T>(i.r[0])[l] = put(old);
    }
}
static constexpr auto added = [](auto a, auto b, auto) { return wrapped(a) + wrapped(b); };
static constexpr auto least = [](auto a, auto b, auto) { return a < b ? a : b; };
static constexpr auto greatest = [](auto a, auto b, auto) { return a > b ? a : b; };
static constexpr auto exchanged = [](auto, auto b, auto) { return b; };
static constexpr auto swapped = [](auto a, auto b, auto c) { return a == b ? c : a; };
static constexpr auto both = [](auto a, auto b, auto) { return a & b; };
static constexpr auto either = [](auto a, auto b, auto) { return a | b; };
static constexpr auto one_of = [](auto a, auto b, auto) { return a ^ b; };
static constexpr auto increased = [](auto a, auto b, auto) { return a >= b ? 0 : wrapped(a) + 1; };
static constexpr auto decreased = [](auto a, auto b, auto) { return a == 0 || a > b ? wrapped(b) : wrapped(a) - 1; };
template <typename T> static Execute atomic_of(const Words &words) {
    if constexpr (std::is_integral_v<T>)
        for (const auto &[name, execute] : {std::pair<const char *, Execute>{"and", atomic<T, both>},
                                            {"or", atomic<T, either>},
                                            {"xor", atomic<T, one_of>},
                                            {"inc", atomic<T, increased>},
                                            {"dec", atomic<T, decreased>}})
            if (is(words, name))
                return execute;
    return is(words, "add")    ? atomic<T, added>
           : is(words, "min")  ? atomic<T, least>
           : is(words, "max")  ? atomic<T, greatest>
           : is(words, "exch") ? atomic<T, exchanged>
           : is(words, "cas")  ? atomic<T, swapped>
                               : (Execute) nullptr;
}
template <bool RESULT> static Execute atomics(const Words &words, Draft &i) {
    i.count = RESULT;
    i.atomic = true;
    i.kinds = RESULT ? "tat" : "at";
    return for_any(words.back(),
                   [&]<typename T>() -> Execute { return sizeof(T) < 4 ? nullptr : atomic_of<T>(words); });
}

/* cp.async: copied as late as allowed, when it is waited for, so that a missing wait shows. */
static void copy_async(Warp &w, const Instruction &i, uint32_t lanes) {
    Instruction from = i;
    from.space = Space::GLOBAL;
    w.count_copy(i, lanes);
    EACH_LANE(l) {
        const uint32_t bytes = w.to(i.r[2])[l], there = i.operands > 3 ? w.to(i.r[3])[l] : bytes;
        uint8_t *to = w.at(i, l, w.address(i, 0, l), bytes, true);
        const uint64_t source = w.to<uint64_t>(i.r[1])[l] + (uint64_t)i.source_offset;
        const uint8_t *at = there ? w.at(from, l, source, there, false) : nullptr;
        memset(to, 0xA5, bytes); /* until it arrives */
        w.copies[l].push_back({to, at, bytes, there, w.copy_group[l]});
    }
}
static void commit_copies(Warp &w, const Instruction &, uint32_t lanes) {
    EACH_LANE(l) w.copy_group[l]++;
}
static void wait_copies(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const int64_t pending = i.variant ? 0 : (int64_t)w.to(i.r[0])[l];
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

/* tex: objects that the runtime made (runtime_memory.cpp). */
static uint32_t texel(const Texture &t, int64_t x, int64_t y, int c, bool as_float) {
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
    uint32_t v = 0;
    memcpy(&v, at, (size_t)t.bits / 8);
    if (t.normalized_values)
        return put((float)v / (float)((1u << t.bits) - 1));
    const int unused = 32 - t.bits;
    return t.kind == 1 ? (uint32_t)((int32_t)(v << unused) >> unused) : v;
}
static void texture(Warp &w, const Instruction &i, uint32_t lanes) {
    const int n = i.outputs; /* then the object, then x, or x and y */
    EACH_LANE(l) {
        const Texture &t = *(const Texture *)(uintptr_t)w.to<uint64_t>(i.r[n])[l];
        const auto coordinate = [&](int k) {
            const uint32_t bits = w.to(i.r[n + 1 + k])[l];
            return i.bytes ? (int64_t)std::floor(get<float>(bits)) : (int64_t)get<int32_t>(bits);
        };
        const int64_t x = coordinate(0), y = i.variant == 2 ? coordinate(1) : 0;
        for (int c = 0; c < n; c++)
            w.to(i.r[c])[l] = texel(t, x, y, c, i.count);
    }
}

static Execute copies(const Words &words, Draft &i) {
    if (words[1] != "async")
        return nullptr;
    i.kinds = "w";
    if (words[2] == "commit_group")
        return commit_copies;
    i.variant = words[2] == "wait_all";
    if (i.variant || words[2] == "wait_group")
        return wait_copies;
    i.kinds = "alw";
    return words[2] == "ca" || words[2] == "cg" ? copy_async : nullptr;
}
static Execute textures(const Words &words, Draft &i) {
    i.kinds = "wlw", i.first = i.outputs;
    i.variant = words[1] == "2d" ? 2 : 1;
    i.bytes = words.back() == "f32"; /* coordinates */
    i.count = words[words.size() - 2] == "f32";
    return texture;
}

const Row memory_rows[] = {
    {"ld", loads<false>},    {"ldu", loads<false>}, {"st", loads<true>}, {"atom", atomics<true>},
    {"red", atomics<false>}, {"cp", copies},        {"tex", textures},   {},
};

} // namespace ptx
