/* machine.cpp: runs a grid. Blocks run one after the other, or all at once where they wait for each other. The warps of
 * a block run in turn. Each lane has a program counter of its own; those that stand at the lowest one go on
 * together. */
#include "emulator/ptx.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <malloc.h>

namespace ptx {

std::string Fault::place() const {
    char text[200] = "";
    if (placed)
        snprintf(text, sizeof text, "; block (%u, %u, %u), thread (%u, %u, %u)", block[0], block[1], block[2],
                 thread[0], thread[1], thread[2]);
    const std::string in_source = source ? ", line " + std::to_string(source) : "";
    return text + in_source + (line ? ", line " + std::to_string(line) + " of the PTX" : "");
}

void Warp::locate(Fault &fault, uint32_t lanes, uint32_t at) const {
    const Extent size = block->grid.block;
    const uint32_t lane = fault.lane >= 0 ? (uint32_t)fault.lane : (uint32_t)std::countr_zero(lanes | 1u << 31);
    const uint32_t t = first + lane;
    const std::vector<Instruction> &code = block->grid.kernel.code;
    fault.placed = true;
    fault.block[0] = block->index.x, fault.block[1] = block->index.y, fault.block[2] = block->index.z;
    fault.thread[0] = t % size.x, fault.thread[1] = t / size.x % size.y, fault.thread[2] = t / size.x / size.y;
    if (at < code.size())
        fault.source = code[at].source, fault.line = code[at].line;
}

Block::Block(const Grid &grid_) : grid(grid_) {
    const Function &kernel = grid.kernel;
    shared.resize(kernel.shared_bytes + grid.dynamic_bytes);
    touches.resize(grid.races ? shared.size() : 0);
    warps.resize((grid.block.count() + LANES - 1) / LANES);
    for (Warp &w : warps) {
        w.block = this;
        w.first = (uint32_t)(&w - warps.data()) * LANES;
        const size_t bytes = kernel.registers.size() * sizeof(uint32_t);
        w.registers.reset((uint32_t *)aligned_alloc(64, (bytes + 63) / 64 * 64));
        memcpy(w.registers.get(), kernel.registers.data(), bytes);
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

/* The value of a special register of a thread. */
static uint64_t special_of(const Block &block, uint32_t thread, int which) {
    const Extent grid = block.grid.grid, size = block.grid.block;
    const uint32_t lane = thread % LANES;
    const uint64_t below = (1ull << lane) - 1, here = 1ull << lane;
    const uint64_t values[SPECIALS] = {thread % size.x,
                                       thread / size.x % size.y,
                                       thread / size.x / size.y,
                                       size.x,
                                       size.y,
                                       size.z,
                                       block.index.x,
                                       block.index.y,
                                       block.index.z,
                                       grid.x,
                                       grid.y,
                                       grid.z,
                                       lane,
                                       thread / LANES,
                                       here,
                                       below,
                                       below | here,
                                       ALL & ~(below | here),
                                       ALL & ~below,
                                       0,
                                       1,
                                       block.grid.dynamic_bytes,
                                       0,
                                       0,
                                       block.index.x % block.grid.kernel.cluster};
    return values[which];
}

void Warp::begin() {
    exited = parked = waiting = called = 0;
    fair = spins = false;
    rests = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        pc[l] = copy_group[l] = 0;
        reducing[l] = nullptr;
        returns[l].clear(), copies[l].clear();
        if (first + l >= block->running)
            exited |= 1u << l;
        for (const auto &[r, which] : block->grid.kernel.specials)
            if (which == CLOCK64)
                to<uint64_t>(r)[l] = 0;
            else
                to(r)[l] = (uint32_t)special_of(*block, first + l, which);
    }
}

static void set_bit(uint32_t &mask, int bit, bool value) {
    mask = (mask & ~(1u << bit)) | (uint32_t)value << bit;
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
                    if (const Instruction *i = w.reducing[l]) {
                        if (i->variant == 1)
                            w.to(i->r[1])[l] = yes;
                        else
                            set_bit(w.mask(i->r[1]), l, i->variant == 2 ? yes == came : yes > 0);
                    }
                }
    }
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

void check_launch(const Grid &grid) {
    const auto refuse = [](const std::string &text) { throw Fault(text, EMULATOR_TOO_LARGE); };
    const Extent &g = grid.grid, &b = grid.block;
    const size_t threads = b.count(), shared = grid.kernel.shared_bytes + grid.dynamic_bytes;
    if (!g.count() || !threads)
        refuse("a grid of no blocks, or a block of no threads, cannot be launched");
    if (threads > grid.kernel.max_threads || b.z > 64)
        refuse("a block of " + std::to_string(threads) + " threads is too large: the kernel takes " +
               std::to_string(grid.kernel.max_threads));
    if (g.x > INT32_MAX || g.y > 65535 || g.z > 65535)
        refuse("a grid has at most 65535 blocks in y and in z");
    if (shared > SHARED_MAX)
        refuse("a block wants " + std::to_string(shared) + " bytes of shared memory, and a GPU has " +
               std::to_string(SHARED_MAX));
}

static double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Ends a grid that shall stop, in which nothing goes on any more, or in which a block takes too long. The fault stands
 * where a thread does. */
class Watch {
  public:
    explicit Watch(const Grid &of) : grid(of) {}

    /* The time of a block runs from the first look at it: most are done by then. */
    void begin() { begun = 0; }

    [[noreturn]] void stuck(const Block &block) const {
        Fault fault("no thread can go on: a barrier waits for threads that do not come", EMULATOR_DIVERGENT_BARRIER);
        end(block, fault);
    }
    void look(const Block &block) {
        if (grid.stops && grid.stops())
            throw Fault("the launch was asked to stop", EMULATOR_STOPPED);
        if (grid.seconds <= 0 || block.done())
            return;
        const double now = processor_seconds();
        begun = begun > 0 ? begun : now;
        if (now - begun < grid.seconds)
            return;
        char text[100];
        snprintf(text, sizeof text, "a block has not ended after %g s", grid.seconds);
        Fault fault(text, EMULATOR_TIME);
        end(block, fault);
    }

  private:
    const Grid &grid;
    double begun = 0;

    [[noreturn]] static void end(const Block &block, Fault &fault) {
        for (const Warp &w : block.warps)
            if (const uint32_t here = ~w.exited; here && !fault.placed) {
                const uint32_t lanes = w.waiting ? w.waiting : here;
                const uint32_t at = w.pc[std::countr_zero(lanes)];
                w.locate(fault, lanes, w.waiting && at ? at - 1 : at);
            }
        throw Fault(fault);
    }
};

static void run_blocks(const Grid &grid, bool together) {
    const size_t count = grid.grid.count();
    Watch watch(grid);
    if (!together) {
        Block block(grid);
        for (size_t n = 0; n < count; n++) {
            block.begin(index_of(grid, n));
            watch.begin();
            while (!block.done()) {
                if (!block.run())
                    watch.stuck(block);
                watch.look(block);
            }
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
        const Block *left = &blocks.front();
        for (Block &block : blocks) {
            went |= !block.done() && block.run();
            all &= block.done();
            left = block.done() ? left : &block;
        }
        if (!all && (!went || (events && idle > 10000)))
            watch.stuck(*left);
        watch.look(*left);
    }
}

/* How many instructions all threads carried out, and how fast. */
static void tell_speed(const Grid &grid, double seconds) {
    fprintf(stderr, "emulated GPU: %s: %.3f million thread instructions in %.1f ms, %.0f million a second\n",
            grid.kernel.name.c_str(), (double)grid.executed * 1e-6, 1e3 * seconds,
            (double)grid.executed * 1e-6 / seconds);
}

void run_grid(const Grid &grid, bool together) {
    static const int kept = mallopt(M_MMAP_THRESHOLD, 1 << 30) + mallopt(M_TRIM_THRESHOLD, 1 << 30);
    (void)kept; /* memory is not given back between launches */
    static const bool told = getenv("GLINT_EMULATOR_SPEED") != nullptr;
    const double begun = told ? processor_seconds() : 0;
    run_blocks(grid, together);
    if (told)
        tell_speed(grid, processor_seconds() - begun);
}

} // namespace ptx
