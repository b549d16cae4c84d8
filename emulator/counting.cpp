/* counting.cpp: the counts of an instruction, from the lanes and addresses of a warp. */
#include "emulator/counting.hpp"
#include "emulator/execute.hpp"

#include <algorithm>
#include <bit>

namespace ptx {

enum { SECTOR = 32, BANKS = 32, BANK_BYTES = 4, PASS_BYTES = BANKS * BANK_BYTES };

/* The different ones among some numbers. */
static size_t different(uint64_t *numbers, size_t count) {
    std::sort(numbers, numbers + count);
    return (size_t)(std::unique(numbers, numbers + count) - numbers);
}

uint64_t sectors_of(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes) {
    std::vector<uint64_t> sectors;
    EACH_LANE(l)
    for (uint64_t s = addresses[l] / SECTOR; s <= (addresses[l] + bytes - 1) / SECTOR; s++)
        sectors.push_back(s);
    return different(sectors.data(), sectors.size());
}

/* The different bytes among those that lanes touch; each lane's address is a multiple of their number. */
static uint64_t used_of(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes) {
    uint64_t touched[LANES];
    size_t count = 0;
    EACH_LANE(l) touched[count++] = addresses[l];
    return bytes * different(touched, count);
}

Passes atomic_passes(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes) {
    Passes passes = {0, 0};
    while (lanes) {
        uint32_t now = 0;
        EACH_LANE(l) {
            bool met = false;
            for (int k = 0; k < l; k++)
                met |= (now >> k & 1) && addresses[k] == addresses[l];
            now |= (uint32_t)!met << l;
        }
        passes.all++, passes.sectors += sectors_of(addresses, bytes, now);
        lanes &= ~now;
    }
    return passes;
}

/* One pass, if each bank need give one word; else as many as the bank that must give the most. */
static uint64_t passes_of(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes) {
    std::vector<uint64_t> words;
    EACH_LANE(l)
    for (uint64_t w = addresses[l] / BANK_BYTES; w <= (addresses[l] + bytes - 1) / BANK_BYTES; w++)
        words.push_back(w);
    uint64_t most = 0, in_bank[BANKS] = {};
    const size_t count = different(words.data(), words.size());
    for (size_t k = 0; k < count; k++)
        most = std::max(most, ++in_bank[words[k] % BANKS]);
    return most;
}

/* Each active lane has the same address as the one `apart` from it, if that is active. */
static bool in_pairs(const uint64_t addresses[LANES], uint32_t lanes, int apart) {
    bool same = true;
    EACH_LANE(l) same &= !(lanes >> (l ^ apart) & 1) || addresses[l] == addresses[l ^ apart];
    return same;
}

/* Loads of 8 and 16 bytes take twice as many lanes a pass if these come in pairs, next to each other or two apart. */
Wavefronts wavefronts_of(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes, bool write) {
    const bool pairs = !write && (in_pairs(addresses, lanes, 1) || in_pairs(addresses, lanes, 2));
    const int together = bytes <= BANK_BYTES ? LANES : std::max(1, PASS_BYTES / (int)bytes) << pairs;
    Wavefronts sum = {0, 0};
    for (int first = 0; first < LANES; first += together) {
        const uint32_t these = lanes & (together == LANES ? ALL : ((1u << together) - 1) << first);
        sum.all += these ? passes_of(addresses, bytes, these) : 0;
        sum.ideal += these != 0;
    }
    return sum;
}

} // namespace ptx

using namespace ptx;

void EmulatorCounters::begin(const Grid &grid) {
    code = grid.kernel.code.data();
    rows.clear();
    accesses.clear();
    touched.clear();
    for (const Instruction &i : grid.kernel.code)
        rows.push_back({i.source, i.line, i.work, {}, 0, 0});
    watched = {std::min(watch.block[0], grid.grid.x - 1), std::min(watch.block[1], grid.grid.y - 1),
               std::min(watch.block[2], grid.grid.z - 1)};
    kept.assign(watch.times > 0 ? rows.size() * watch.warps : 0, 0);
}

bool EmulatorCounters::is_watched(const Warp &warp) const {
    const Extent &at = warp.block->index;
    return !kept.empty() && at.x == watched.x && at.y == watched.y && at.z == watched.z;
}

void EmulatorCounters::touch(const EmulatorAccess &access) {
    EmulatorRow &row = rows[access.row];
    std::vector<uint64_t> sectors;
    for (int l = 0; l < LANES; l++)
        for (uint64_t s = access.address[l] / SECTOR;
             (access.lanes >> l & 1) && s <= (access.address[l] + access.bytes - 1) / SECTOR; s++)
            sectors.push_back(s);
    const size_t count = different(sectors.data(), sectors.size());
    row.block_sectors += count;
    for (size_t k = 0; k < count; k++)
        row.block_fresh += touched.insert(sectors[k]).second;
}

void EmulatorCounters::keep(const EmulatorAccess &access) {
    if (access.warp >= watch.warps)
        return;
    uint32_t &times = kept[(size_t)access.row * watch.warps + access.warp];
    if (times++ < watch.times)
        accesses.push_back(access);
}

void EmulatorCounters::executed(const Instruction &i, uint32_t came, uint32_t lanes) {
    if (i.passes)
        return;
    EmulatorCount &count = of(i);
    count.warps++;
    count.threads += (uint64_t)std::popcount(came);
    count.threads_on += (uint64_t)std::popcount(lanes);
    count.barriers += lanes && (i.flow == Flow::BARRIER || i.flow == Flow::ARRIVE);
}

static bool is_shown(Space space, EmulatorSpace *as) {
    *as = space == Space::SHARED     ? EMULATOR_SHARED
          : space == Space::LOCAL    ? EMULATOR_LOCAL
          : space == Space::CONSTANT ? EMULATOR_CONSTANT
                                     : EMULATOR_GLOBAL;
    return space != Space::PARAM;
}

void EmulatorCounters::accessed(const Warp &warp, const Instruction &i, Space space, const uint64_t addresses[LANES],
                                size_t bytes, uint32_t lanes, bool write) {
    EmulatorAccess access = {(uint32_t)(&i - code),
                             warp.first / LANES,
                             warp.block->time - 1,
                             lanes,
                             EMULATOR_GLOBAL,
                             (uint8_t)bytes,
                             write,
                             i.atomic,
                             {}};
    if (is_watched(warp) && is_shown(space, &access.space)) {
        const bool window = space == Space::SHARED || space == Space::LOCAL;
        for (int l = 0; l < LANES; l++)
            access.address[l] = window ? addresses[l] & ~WINDOW_MASK : addresses[l];
        keep(access);
        if (space == Space::GLOBAL && !write && !i.atomic)
            touch(access);
    }
    EmulatorCount &count = of(i);
    const uint64_t all = bytes * (uint64_t)std::popcount(lanes);
    const Passes passes = i.atomic ? atomic_passes(addresses, bytes, lanes) : Passes{1, 0};
    count.atomic_lanes += i.atomic ? (uint64_t)std::popcount(lanes) : 0;
    count.atomic_conflicts += passes.all - 1;
    switch (space) {
    case Space::GLOBAL:
        count.global_requests++, count.global_bytes += all;
        count.global_sectors += i.atomic ? passes.sectors : sectors_of(addresses, bytes, lanes);
        count.global_used += i.atomic ? all : used_of(addresses, bytes, lanes);
        break;
    case Space::SHARED: {
        const Wavefronts wavefronts = wavefronts_of(addresses, bytes, lanes, write);
        count.shared_requests++, count.shared_bytes += all;
        count.shared_wavefronts += wavefronts.all, count.shared_conflicts += wavefronts.all - wavefronts.ideal;
        break;
    }
    case Space::LOCAL:
        count.local_requests++, count.local_bytes += all;
        break;
    case Space::CONSTANT:
        count.constant_requests++, count.constant_bytes += all;
        break;
    case Space::PARAM:
    case Space::GENERIC:
        break;
    }
}

EmulatorCounters *emulator_counters(void) {
    return new EmulatorCounters();
}

void emulator_counters_free(EmulatorCounters *counters) {
    delete counters;
}

void emulator_counters_watch(EmulatorCounters *counters, const EmulatorWatch *watch) {
    counters->watch = *watch;
}

bool emulator_counters_access(const EmulatorCounters *counters, size_t index, EmulatorAccess *access) {
    if (index >= counters->accesses.size())
        return false;
    *access = counters->accesses[index];
    return true;
}

bool emulator_counters_row(const EmulatorCounters *counters, size_t index, EmulatorRow *row) {
    if (index >= counters->rows.size())
        return false;
    *row = counters->rows[index];
    return true;
}
