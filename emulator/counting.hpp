/* counting.hpp: counts what the instructions of a launch do (counters.h). Nothing is counted where nobody asked. */
#ifndef GLINT_EMULATOR_COUNTING_HPP
#define GLINT_EMULATOR_COUNTING_HPP

#include "emulator/counters.h"
#include "emulator/emulator.h"
#include "emulator/ptx.hpp"

#include <unordered_set>

struct EmulatorCounters {
    std::vector<EmulatorRow> rows; /* one an instruction */
    EmulatorWatch watch = {};
    std::vector<EmulatorAccess> accesses; /* of the watched warps */

    void begin(const ptx::Grid &grid);
    /* Lanes come to an instruction, of which some carry it out. */
    void executed(const ptx::Instruction &i, uint32_t came, uint32_t lanes);
    /* These lanes access `bytes` at each address, in a space that is not generic. */
    void accessed(const ptx::Warp &warp, const ptx::Instruction &i, ptx::Space space,
                  const uint64_t addresses[ptx::LANES], size_t bytes, uint32_t lanes, bool write);

  private:
    const ptx::Instruction *code = nullptr;
    ptx::Extent watched = {};
    std::vector<uint32_t> kept;           /* how often, of each instruction by each watched warp */
    std::unordered_set<uint64_t> touched; /* sectors, by loads of the watched block */
    EmulatorCount &of(const ptx::Instruction &i) { return rows[(size_t)(&i - code)].count; }
    bool is_watched(const ptx::Warp &warp) const;
    void keep(const EmulatorAccess &access);
    void touch(const EmulatorAccess &access);
};

namespace ptx {

/* Who is told of this thread's launches through the runtime, or NULL. */
const EmulatorObserver *observer();

/* How many sectors of 32 bytes the lanes touch. */
uint64_t sectors_of(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes);
/* The same of an atomic: lanes that meet at an address go one after the other, each in a pass of its own. */
struct Passes {
    uint64_t all, sectors;
};
Passes atomic_passes(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes);
/* The passes over the banks of shared memory, and how many of them would do if no two lanes met in a bank. */
struct Wavefronts {
    uint64_t all, ideal;
};
Wavefronts wavefronts_of(const uint64_t addresses[LANES], size_t bytes, uint32_t lanes, bool write);

} // namespace ptx

#endif
