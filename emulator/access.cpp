/* access.cpp: where the accesses of a warp's lanes find their memory: each is checked, in shared memory for races, too.
 */
#include "emulator/counting.hpp"
#include "emulator/execute.hpp"

#include <algorithm>
#include <bit>

namespace ptx {

/* Lanes that meet know all that any of them did or knew before. A meeting of all lanes is a single number. */
void Warp::meet(uint32_t lanes) {
    time++;
    if (lanes == ~exited) {
        all_met = time;
        return;
    }
    uint32_t known[LANES] = {};
    met.resize((size_t)LANES * LANES);
    EACH_LANE(l) {
        for (uint32_t other = 0; other < LANES; other++)
            known[other] = std::max(known[other], met[l * LANES + other]);
    }
    EACH_LANE(l) known[l] = time;
    EACH_LANE(l) std::copy_n(known, LANES, &met[l * LANES]);
}

/* Whether a thread's access may be at the same time as one of this lane. */
bool Warp::at_once(const Access &of, uint32_t lane) const {
    const uint32_t thread = of.thread - 1;
    if (!of.thread || thread == first + lane || of.time != block->time)
        return false;
    return thread / LANES != first / LANES ||
           std::max(all_met, met.empty() ? 0 : met[lane * LANES + thread % LANES]) <= of.warp_time;
}

/* Two readers are kept. One is of another warp, if there is one since the barrier. */
static void keep_reader(Touch &t, const Access &reader) {
    const auto other_warp = [&](const Access &of) {
        return of.thread && of.time == reader.time && (of.thread - 1) / LANES != (reader.thread - 1) / LANES;
    };
    if (t.reader.thread != reader.thread && (other_warp(t.reader) || !other_warp(t.reader_before)))
        t.reader_before = t.reader;
    t.reader = reader;
}

/* Two threads of a block may touch the same byte of shared memory only with a barrier between, if one of them writes.
 */
void Warp::touch(const Instruction &i, size_t offset, size_t bytes, int lane, bool write, bool atomic) {
    const Access access = {first + (uint32_t)lane + 1, block->time, time};
    for (size_t b = offset; b < offset + bytes; b++) {
        Touch &t = block->touches[b];
        const Access *other = nullptr;
        if (at_once(t.writer, (uint32_t)lane) && !(atomic && t.atomic))
            other = &t.writer;
        for (const Access *reader : {&t.reader, &t.reader_before})
            if (write && !atomic && !other && at_once(*reader, (uint32_t)lane))
                other = reader;
        if (other) {
            const char *what = !write               ? "written by one thread and read by another"
                               : other == &t.writer ? "written by two threads"
                                                    : "read by one thread and written by another";
            throw Fault("shared memory at " + std::to_string(b) + " is " + what + " with no barrier between: threads " +
                            std::to_string(other->thread - 1) + " and " + std::to_string(access.thread - 1),
                        EMULATOR_RACE, lane, b);
        }
        if ((!write || atomic) && !t.writer.thread && !block->grid.no_value)
            tell_no_value(i, b, lane);
        if (write)
            t.writer = access, t.atomic = atomic;
        else
            keep_reader(t, access);
    }
}

/* The first read of shared memory that has no value yet. It ends nothing: nobody may use the value. */
void Warp::tell_no_value(const Instruction &i, uint64_t address, int lane) {
    Fault fault("shared memory at " + std::to_string(address) + " is read before it has a value", EMULATOR_NO_VALUE,
                lane, address);
    locate(fault, 1u << lane, UINT32_MAX);
    fault.source = i.source, fault.line = i.line;
    block->grid.no_value = fault;
}

static Space space_at(uint64_t address) {
    return (address & WINDOW_MASK) == SHARED_WINDOW  ? Space::SHARED
           : (address & WINDOW_MASK) == LOCAL_WINDOW ? Space::LOCAL
                                                     : Space::GLOBAL;
}

uint8_t *Warp::at(const Instruction &i, int lane, uint64_t address, size_t bytes, bool write, bool atomic) {
    Space space = i.space;
    if (space == Space::GENERIC)
        space = space_at(address);
    address &= space == Space::SHARED || space == Space::LOCAL ? ~WINDOW_MASK : ~0ull;
    if (address % bytes && std::has_single_bit(bytes))
        throw Fault("address " + std::to_string(address) + " is not a multiple of " + std::to_string(bytes),
                    EMULATOR_MISALIGNED, lane, address);
    switch (space) {
    case Space::SHARED:
        if (address + bytes > block->shared.size())
            throw Fault("shared memory at " + std::to_string((int32_t)address) + ": a block has " +
                            std::to_string(block->shared.size()) + " bytes",
                        EMULATOR_OUT_OF_BOUNDS, lane, address);
        if (!block->touches.empty())
            touch(i, address, bytes, lane, write, atomic);
        return &block->shared[address];
    case Space::LOCAL:
        if (address + bytes > local_bytes)
            throw Fault("local memory at " + std::to_string((int32_t)address) + ": a thread has " +
                            std::to_string(local_bytes) + " bytes",
                        EMULATOR_OUT_OF_BOUNDS, lane, address);
        return &local[(size_t)lane * local_bytes + address];
    case Space::PARAM:
        if (address + bytes > block->grid.kernel.parameter_bytes)
            throw Fault("parameters end before " + std::to_string(address), EMULATOR_OUT_OF_BOUNDS, lane, address);
        return const_cast<uint8_t *>(block->grid.parameters) + address;
    default:
        if (const uint64_t into = address - (uint64_t)(uintptr_t)block->grid.parameters;
            into < block->grid.kernel.parameter_bytes && bytes <= block->grid.kernel.parameter_bytes - into && !write)
            return (uint8_t *)(uintptr_t)address;
        try {
            check_device_memory(address, bytes);
        } catch (Fault &fault) {
            fault.lane = lane, fault.writes = write;
            throw;
        }
        return (uint8_t *)(uintptr_t)address;
    }
}

/* The range of the addresses of an access, and all of their bits. */
struct Range {
    uint64_t low, high, bits;
};
template <typename T> VECTOR Range addresses_of(const T *from, T offset, uint32_t lanes, uint64_t addresses[LANES]) {
    const uint64_t any = (T)(from[std::countr_zero(lanes)] + offset); /* for lanes that take no part */
    Range range = {any, any, any};
    ALL_LANES(l) {
        const uint64_t a = lanes >> l & 1 ? (T)(from[l] + offset) : any;
        addresses[l] = a;
        range.low = a < range.low ? a : range.low;
        range.high = a > range.high ? a : range.high;
        range.bits |= a;
    }
    return range;
}
VECTOR static void move_places(const uint64_t addresses[LANES], uint64_t base, uint64_t apart, uint8_t *at[LANES]) {
    uint64_t to[LANES];
    ALL_LANES(l) to[l] = base + addresses[l] + (uint64_t)l * apart;
    memcpy(at, to, sizeof to);
}

static void count_access(const Warp &warp, const Instruction &i, const uint64_t addresses[LANES], size_t bytes,
                         uint32_t lanes, bool write) {
    EmulatorCounters &counters = *warp.block->grid.counters;
    if (i.passes)
        return;
    if (i.space != Space::GENERIC)
        return counters.accessed(warp, i, i.space, addresses, bytes, lanes, write);
    for (const Space space : {Space::GLOBAL, Space::SHARED, Space::LOCAL}) {
        uint32_t here = 0;
        EACH_LANE(l) here |= (uint32_t)(space_at(addresses[l]) == space) << l;
        if (here)
            counters.accessed(warp, i, space, addresses, bytes, here, write);
    }
}

void Warp::count(const Instruction &i, int operand, size_t bytes, uint32_t lanes) {
    if (!block->grid.counters)
        return;
    uint64_t addresses[LANES] = {};
    EACH_LANE(l) addresses[l] = address(i, operand, l);
    count_access(*this, i, addresses, bytes, lanes, i.atomic);
}

/* cp.async reads global memory and writes shared memory. */
void Warp::count_copy(const Instruction &i, uint32_t lanes) {
    EmulatorCounters *counters = block->grid.counters;
    if (!counters)
        return;
    uint64_t from[LANES] = {}, into[LANES] = {};
    uint32_t reading = 0;
    size_t bytes = 0, there = 0;
    EACH_LANE(l) {
        bytes = to(i.r[2])[l], there = i.operands > 3 ? to(i.r[3])[l] : bytes;
        from[l] = to<uint64_t>(i.r[1])[l] + (uint64_t)i.source_offset, into[l] = address(i, 0, l);
        reading |= (uint32_t)(there > 0) << l;
    }
    if (reading)
        counters->accessed(*this, i, Space::GLOBAL, from, bytes, reading, false);
    counters->accessed(*this, i, Space::SHARED, into, bytes, lanes, true);
}

/* One check for all lanes where they access one piece of memory; else one by one. */
void Warp::reach(const Instruction &i, int operand, size_t bytes, bool write, uint32_t lanes, Places &places) {
    alignas(64) uint64_t addresses[LANES];
    const int r = i.r[operand];
    Range range = i.long_address ? addresses_of(to<uint64_t>(r), (uint64_t)i.offset, lanes, addresses)
                                 : addresses_of(to(r), (uint32_t)i.offset, lanes, addresses);
    if (block->grid.counters)
        count_access(*this, i, addresses, bytes, lanes, write);
    const Space space = i.space == Space::GENERIC ? space_at(range.low) : i.space;
    const bool in_window = space == Space::SHARED || space == Space::LOCAL;
    const uint64_t window = in_window ? range.low & WINDOW_MASK : 0, end = range.high - window + bytes;
    places.one = range.low == range.high && space != Space::LOCAL;
    if (!(range.bits & (bytes - 1)) && range.high >= window && range.high - window < SHARED_WINDOW) {
        switch (space) {
        case Space::SHARED:
            if (end <= block->shared.size() && block->touches.empty())
                return move_places(addresses, (uint64_t)(uintptr_t)block->shared.data() - window, 0, places.at);
            break;
        case Space::LOCAL:
            if (end <= local_bytes)
                return move_places(addresses, (uint64_t)(uintptr_t)local.data() - window, local_bytes, places.at);
            break;
        case Space::PARAM:
            if (end <= block->grid.kernel.parameter_bytes)
                return move_places(addresses, (uint64_t)(uintptr_t)block->grid.parameters, 0, places.at);
            break;
        default:
            if (in_device_memory(range.low, end - range.low))
                return move_places(addresses, 0, 0, places.at);
        }
    }
    EACH_LANE(l) places.at[l] = at(i, l, addresses[l], bytes, write);
}

} // namespace ptx
