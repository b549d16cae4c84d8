/* machine.cpp: runs a grid: blocks one after the other (or all at once where they wait for each other), the warps of a
 * block in turn. Each lane has a program counter of its own; those that stand at the lowest one go on together. */
#include "tests/emulator/ptx.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <malloc.h>
#include <mutex>

namespace ptx {

static std::mutex memory_lock;
static std::map<uint64_t, size_t> allocations;
static std::atomic<uint64_t> drops = 0;

void add_device_memory(void *memory, size_t bytes) {
    std::lock_guard<std::mutex> hold(memory_lock);
    allocations[(uint64_t)(uintptr_t)memory] = bytes;
}

bool drop_device_memory(void *memory) {
    std::lock_guard<std::mutex> hold(memory_lock);
    drops++;
    return allocations.erase((uint64_t)(uintptr_t)memory) > 0;
}

size_t blocks_left() {
    std::lock_guard<std::mutex> hold(memory_lock);
    return allocations.size();
}

void check_device_memory(uint64_t address, size_t bytes) {
    static thread_local uint64_t from = 1, to = 0, of = 0; /* the last hit, and how much had been dropped then */
    if (address >= from && address + bytes <= to && of == drops)
        return;
    std::lock_guard<std::mutex> hold(memory_lock);
    auto next = allocations.upper_bound(address);
    char text[200];
    if (next != allocations.begin()) {
        --next;
        if (address + bytes <= next->first + next->second) {
            from = next->first, to = next->first + next->second, of = drops;
            return;
        }
        snprintf(text, sizeof text, "%zu bytes at 0x%llx are not the device's: %lld bytes after the end of %zu bytes",
                 bytes, (unsigned long long)address, (long long)(address + bytes - next->first - next->second),
                 next->second);
    } else
        snprintf(text, sizeof text, "%zu bytes at 0x%llx are not the device's", bytes, (unsigned long long)address);
    throw Fault(text);
}

static uint32_t since(uint32_t time, uint32_t now) {
    return time == now;
}

/* Two threads of a block may touch the same byte of shared memory only with a barrier between, if one of them writes.
 */
void Warp::touch(size_t offset, size_t bytes, int lane, bool write, bool atomic) {
    const uint32_t thread = first + (uint32_t)lane + 1;
    const auto races = [&](uint32_t other, uint32_t block_time, uint32_t warp_time) {
        if (!other || other == thread || !since(block_time, block->time))
            return false;
        return (other - 1) / LANES != first / LANES || since(warp_time, time);
    };
    for (size_t b = offset; b < offset + bytes; b++) {
        Touch &t = block->touches[b];
        const char *what = nullptr;
        if (races(t.writer, t.write_time, t.write_warp_time) && !(atomic && t.atomic))
            what = write ? "written by two threads" : "written by one thread and read by another";
        if (write && !atomic &&
            (races(t.reader, t.read_time, t.read_warp_time) ||
             (t.many_readers && since(t.read_time, block->time) && (t.reader - 1) / LANES != first / LANES)))
            what = "read by one thread and written by another";
        if (what)
            throw Fault("shared memory at " + std::to_string(b) + " is " + what + " with no barrier between: threads " +
                        std::to_string((write && t.reader && !t.writer ? t.reader : t.writer) - 1) + " and " +
                        std::to_string(thread - 1));
        if (write) {
            t.writer = thread, t.write_time = block->time, t.write_warp_time = time, t.atomic = atomic;
        } else {
            t.many_readers = since(t.read_time, block->time) && (t.many_readers || (t.reader && t.reader != thread));
            t.reader = thread, t.read_time = block->time, t.read_warp_time = time;
        }
    }
}

uint8_t *Warp::at(const Instruction &i, int lane, uint64_t address, size_t bytes, bool write, bool atomic) {
    Space space = i.space;
    if (space == Space::GENERIC)
        space = (address & WINDOW_MASK) == SHARED_WINDOW  ? Space::SHARED
                : (address & WINDOW_MASK) == LOCAL_WINDOW ? Space::LOCAL
                                                          : Space::GLOBAL;
    address &= space == Space::SHARED || space == Space::LOCAL ? ~WINDOW_MASK : ~0ull;
    if (address % bytes && std::has_single_bit(bytes))
        throw Fault("address " + std::to_string(address) + " is not a multiple of " + std::to_string(bytes));
    switch (space) {
    case Space::SHARED:
        if (address + bytes > block->shared.size())
            throw Fault("shared memory at " + std::to_string(address) + ": a block has " +
                        std::to_string(block->shared.size()) + " bytes");
        if (!block->touches.empty())
            touch(address, bytes, lane, write, atomic);
        return &block->shared[address];
    case Space::LOCAL:
        if (address + bytes > local_bytes)
            throw Fault("local memory at " + std::to_string(address) + ": a thread has " + std::to_string(local_bytes) +
                        " bytes");
        return &local[(size_t)lane * local_bytes + address];
    case Space::PARAM:
        if (address + bytes > block->grid.kernel.parameter_bytes)
            throw Fault("parameters end before " + std::to_string(address));
        return const_cast<uint8_t *>(block->grid.parameters) + address;
    default:
        if (address >= (uint64_t)(uintptr_t)block->grid.parameters &&
            address + bytes <= (uint64_t)(uintptr_t)block->grid.parameters + block->grid.kernel.parameter_bytes &&
            !write)
            return (uint8_t *)(uintptr_t)address;
        check_device_memory(address, bytes);
        return (uint8_t *)(uintptr_t)address;
    }
}

Block::Block(const Grid &grid_) : grid(grid_) {
    const Function &kernel = grid.kernel;
    static const bool races = getenv("GLINT_EMULATOR_RACES") != nullptr;
    shared.resize(kernel.shared_bytes + grid.dynamic_bytes);
    touches.resize(races ? shared.size() : 0);
    warps.resize((grid.block.count() + LANES - 1) / LANES);
    for (Warp &w : warps) {
        w.block = this;
        w.first = (uint32_t)(&w - warps.data()) * LANES;
        w.registers.assign((size_t)kernel.registers * LANES, 0xBAADF00DBAADF00D);
        w.constants = kernel.broadcast.data();
        w.local_bytes = (kernel.local_bytes + 15) / 16 * 16;
        w.local.resize(w.local_bytes * LANES);
    }
}

void Block::begin(Extent at) {
    index = at;
    running = (uint32_t)grid.block.count();
    time = 1;
    std::fill(std::begin(barriers), std::end(barriers), Barrier());
    std::fill(shared.begin(), shared.end(), (uint8_t)0xCD); /* it has no value yet, and shows that */
    std::fill(touches.begin(), touches.end(), Touch());
    for (Warp &w : warps)
        w.begin();
}

void Warp::begin() {
    const Grid &grid = block->grid;
    const uint32_t x = grid.block.x, y = grid.block.y;
    exited = parked = waiting = 0;
    fair = false;
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t t = first + l;
        pc[l] = copy_group[l] = 0;
        reducing[l] = nullptr;
        returns[l].clear(), copies[l].clear();
        if (t >= block->running)
            exited |= 1u << l;
        for (const auto &[r, which] : grid.kernel.specials) {
            const uint64_t values[SPECIALS] = {t % x,
                                               t / x % y,
                                               t / x / y,
                                               x,
                                               y,
                                               grid.block.z,
                                               block->index.x,
                                               block->index.y,
                                               block->index.z,
                                               grid.grid.x,
                                               grid.grid.y,
                                               grid.grid.z,
                                               l,
                                               first / LANES,
                                               1u << l,
                                               (1u << l) - 1,
                                               (uint32_t)((2ull << l) - 1),
                                               (uint32_t) ~((2ull << l) - 1),
                                               (uint32_t) ~((1ull << l) - 1),
                                               0,
                                               1,
                                               grid.dynamic_bytes,
                                               0,
                                               block->index.x % grid.kernel.cluster};
            to(r)[l] = values[which];
        }
    }
}

/* Lets those go on whose barrier is complete: all threads that still run have come, or as many as it says. */
void Block::release() {
    for (int b = 0; b < 16; b++) {
        Barrier &barrier = barriers[b];
        if (!barrier.arrived || barrier.arrived < (barrier.expected ? barrier.expected : running))
            continue;
        const bool all = barrier.arrived >= running;
        const uint32_t yes = barrier.yes, came = barrier.arrived;
        barrier = Barrier();
        if (all)
            time++;
        for (Warp &w : warps)
            for (int l = 0; l < LANES; l++)
                if ((w.waiting >> l & 1) && w.barrier[l] == b) {
                    w.waiting &= ~(1u << l);
                    if (const Instruction *i = w.reducing[l])
                        w.to(i->groups[0])[l] = i->variant == 1 ? yes : i->variant == 2 ? yes == came : yes > 0;
                }
    }
}

/* The lowest program counter of a lane that can go on; where a lane spins for another one, at times the highest. */
uint32_t Warp::pick() const {
    uint32_t best = UINT32_MAX;
    bool any = false;
    for (int l = 0; l < LANES; l++)
        if (!((exited | parked | waiting) >> l & 1) && (!any || (fair ? pc[l] > best : pc[l] < best)))
            best = pc[l], any = true;
    return any ? best : UINT32_MAX;
}

bool Warp::run(int turns) {
    const std::vector<Instruction> &code = block->grid.kernel.code;
    bool went = false;
    while (turns > 0) {
        uint32_t at = pick();
        if (at == UINT32_MAX)
            break;
        went = true;
        const uint32_t can = ~(exited | waiting);
        uint32_t group = 0, limit = UINT32_MAX;
        for (int l = 0; l < LANES; l++)
            if (can >> l & 1) {
                if (pc[l] == at)
                    group |= 1u << l;
                else if (pc[l] > at && !(parked >> l & 1))
                    limit = std::min(limit, pc[l]);
            }
        /* Lanes that are parked join those that come to where they stand. */
        for (int l = 0; l < LANES; l++)
            if ((parked >> l & 1) && pc[l] > at)
                limit = std::min(limit, pc[l]);
        parked &= ~group;
        const auto leave = [&](uint32_t where, uint32_t lanes) {
            for (int l = 0; l < LANES; l++)
                if (lanes >> l & 1)
                    pc[l] = where;
        };
        bool on = true;
        const Instruction *i = nullptr;
        try {
            while (on) {
                if (--turns <= 0) {
                    leave(at, group);
                    fair = !fair;
                    return true;
                }
                i = &code[at];
                uint32_t lanes = group;
                if (i->guarded) {
                    const uint64_t *p = of(i->guard);
                    for (int l = 0; l < LANES; l++)
                        if ((lanes >> l & 1) && (p[l] != 0) == i->inverted)
                            lanes &= ~(1u << l);
                }
                switch (i->flow) {
                case Flow::NEXT:
                    if (lanes)
                        i->execute(*this, *i, lanes);
                    at++;
                    if (idle) {
                        idle = false;
                        turns = turns < 10 ? turns : 10;
                    }
                    break;
                case Flow::BRANCH:
                    if (lanes == group)
                        at = i->target;
                    else if (!lanes)
                        at++;
                    else {
                        leave(i->target, lanes), leave(at + 1, group & ~lanes);
                        on = false;
                    }
                    break;
                case Flow::TABLE:
                    for (int l = 0; l < LANES; l++)
                        if (lanes >> l & 1)
                            pc[l] = i->targets.at((uint32_t)of(i->r[0])[l]);
                    leave(at + 1, group & ~lanes);
                    on = false;
                    break;
                case Flow::CALL:
                    for (int l = 0; l < LANES; l++)
                        if (lanes >> l & 1)
                            returns[l].push_back(at + 1);
                    leave(i->target, lanes), leave(at + 1, group & ~lanes);
                    on = false;
                    break;
                case Flow::RETURN:
                    leave(at + 1, group & ~lanes);
                    for (int l = 0; l < LANES; l++)
                        if (lanes >> l & 1) {
                            pc[l] = returns[l].back();
                            returns[l].pop_back();
                        }
                    on = false;
                    break;
                case Flow::EXIT:
                    leave(at + 1, group & ~lanes);
                    exited |= lanes;
                    block->running -= (uint32_t)std::popcount(lanes);
                    block->release();
                    parked = 0; /* lanes that waited for these look again */
                    on = false;
                    break;
                case Flow::BARRIER:
                case Flow::ARRIVE:
                    leave(at + 1, group);
                    for (int l = 0; l < LANES; l++)
                        if (lanes >> l & 1) {
                            const uint32_t b = (uint32_t)of(i->r[0])[l] & 15;
                            block->barriers[b].arrived++;
                            reducing[l] = i->variant ? i : nullptr;
                            if (i->variant)
                                block->barriers[b].yes += (of(i->groups[1])[l] != 0) != i->negated[0];
                            block->barriers[b].expected = i->r.size() > 1 ? (uint32_t)of(i->r[1])[l] : 0;
                            barrier[l] = (uint8_t)b;
                            if (i->flow == Flow::BARRIER)
                                waiting |= 1u << l;
                        }
                    time++;
                    block->release();
                    on = false;
                    break;
                case Flow::CLUSTER_ARRIVE: {
                    Block &first_block = *block->cluster.front();
                    uint32_t threads = 0;
                    for (const Block *b : block->cluster)
                        threads += b->running;
                    for (int l = 0; l < LANES; l++)
                        if (lanes >> l & 1)
                            cluster_phase[l] = first_block.cluster_phase;
                    first_block.cluster_arrived += (uint32_t)std::popcount(lanes);
                    if (first_block.cluster_arrived >= threads)
                        first_block.cluster_arrived = 0, first_block.cluster_phase++;
                    block->grid.events++;
                    at++;
                    break;
                }
                case Flow::CLUSTER_WAIT:
                    if (lanes && cluster_phase[std::countr_zero(lanes)] == block->cluster.front()->cluster_phase) {
                        leave(at, group);
                        return true;
                    }
                    at++;
                    break;
                case Flow::CONVERGE: {
                    uint32_t members = 0xFFFFFFFF;
                    const auto same =
                        [&](uint32_t of_these) { /* lanes with the members of the first */
                                                 uint32_t found = 0;
                                                 for (int l = 0; l < LANES; l++)
                                                     if (of_these >> l & 1)
                                                         found |=
                                                             (uint32_t)((uint32_t)of(i->r[(size_t)i->members])[l] ==
                                                                        members)
                                                             << l;
                                                 return found;
                        };
                    if (i->members >= 0 && lanes) {
                        members = (uint32_t)of(i->r[(size_t)i->members])[std::countr_zero(lanes)];
                        if (const uint32_t others = lanes & ~same(lanes)) {
                            leave(at, others);
                            group &= ~others, lanes &= ~others;
                            limit = at;
                        }
                    }
                    if (lanes & ~members)
                        throw Fault("a lane is not in the mask of those that take part");
                    if ((members & ~exited) != lanes && lanes) { /* the others will come */
                        leave(at, lanes), leave(at + 1, group & ~lanes);
                        uint32_t here = 0; /* lanes that came before: all of them look again, together */
                        for (int l = 0; l < LANES; l++)
                            here |= (uint32_t)((parked >> l & 1) && pc[l] == at) << l;
                        here = i->members >= 0 ? same(here) : here;
                        parked = here ? parked & ~here : parked | lanes;
                        on = false;
                        break;
                    }
                    if (lanes) {
                        time++;
                        if (i->execute)
                            i->execute(*this, *i, lanes);
                    }
                    at++;
                    break;
                }
                case Flow::YIELD:
                    leave(at + 1, group);
                    fair = !fair;
                    return true;
                case Flow::TRAP:
                    throw Fault("trap");
                }
                if (on && at >= limit) {
                    leave(at, group);
                    on = false;
                }
            }
        } catch (const Fault &fault) {
            throw Fault(std::string(fault.what()) + "; block (" + std::to_string(block->index.x) + ", " +
                        std::to_string(block->index.y) + "), threads from " + std::to_string(first) + ", line " +
                        std::to_string(i ? i->line : 0) + " of the PTX");
        }
    }
    return went;
}

bool Block::run() {
    bool went = false;
    for (Warp &w : warps)
        went |= w.run(5000);
    return went;
}

static Extent index_of(const Grid &grid, size_t n) {
    return {(uint32_t)(n % grid.grid.x), (uint32_t)(n / grid.grid.x % grid.grid.y),
            (uint32_t)(n / grid.grid.x / grid.grid.y)};
}

void run_grid(const Grid &grid, bool together) {
    static const int kept = mallopt(M_MMAP_THRESHOLD, 1 << 30) + mallopt(M_TRIM_THRESHOLD, 1 << 30);
    (void)kept; /* memory is not given back between launches */
    const size_t count = grid.grid.count();
    const auto stuck = [&]() { throw Fault("no thread can go on: a barrier waits for threads that do not come"); };
    if (!together) {
        Block block(grid);
        for (size_t n = 0; n < count; n++) {
            block.begin(index_of(grid, n));
            while (!block.done())
                if (!block.run())
                    stuck();
        }
        return;
    }
    std::deque<Block> blocks;
    for (size_t n = 0; n < count; n++)
        blocks.emplace_back(grid).begin(index_of(grid, n));
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; k < grid.kernel.cluster; k++)
            blocks[n].cluster.push_back(&blocks.at(n / grid.kernel.cluster * grid.kernel.cluster + k));
    uint64_t events = 0;
    for (int idle = 0, all = false; !all; idle++) {
        all = true;
        bool went = false;
        if (grid.events != events)
            events = grid.events, idle = 0;
        if (events && idle > 10000)
            stuck();
        for (Block &block : blocks) {
            went |= !block.done() && block.run();
            all &= block.done();
        }
        if (!all && !went)
            stuck();
    }
}

} // namespace ptx
