/* ptx.hpp: PTX as the emulator has it (PTX ISA 9.0): modules as the compiler embeds them, functions as lists of decoded
 * instructions, and warps that execute them. It is for tests: kernels run on any machine, slowly, and every access is
 * checked. */
#ifndef GLINT_TESTS_EMULATOR_PTX_HPP
#define GLINT_TESTS_EMULATOR_PTX_HPP

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace ptx {

enum { LANES = 32 };

/* A kernel's fault; where() is added as it is caught. */
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class Space : uint8_t { GENERIC, GLOBAL, SHARED, LOCAL, CONSTANT, PARAM };

/* Generic addresses of shared and local memory lie where no pointer of the host does. */
constexpr uint64_t SHARED_WINDOW = 1ull << 60, LOCAL_WINDOW = 2ull << 60, WINDOW_MASK = 15ull << 60;

struct Warp;
struct Function;
struct Instruction;
typedef void (*Execute)(Warp &, const Instruction &, uint32_t lanes);

/* How control goes on. */
enum class Flow : uint8_t {
    NEXT,
    BRANCH,
    TABLE,
    CALL,
    RETURN,
    EXIT,
    BARRIER,
    ARRIVE,
    CLUSTER_ARRIVE,
    CLUSTER_WAIT,
    CONVERGE,
    YIELD,
    TRAP
};

struct Instruction {
    Execute execute = nullptr;
    Flow flow = Flow::NEXT;
    Space space = Space::GENERIC;
    bool guarded = false, inverted = false, negated[4] = {};
    int guard = 0;
    std::vector<int> r;      /* operands in the order of the text, vectors one by one; below 0: a constant */
    std::vector<int> groups; /* how many registers each operand of the text has */
    int64_t offset = 0;      /* of the address */
    int bytes = 0, count = 1, variant = 0;
    int members = -1; /* the operand that says which lanes take part; below 0: all */
    uint32_t target = 0;
    std::vector<uint32_t> targets;
    const Function *callee = nullptr;
    int line = 0; /* of the module */
};

struct Parameter {
    std::string name;
    size_t offset, bytes;
    uint64_t local; /* of a .func's: where in local memory it is */
};

struct Function {
    std::string name;
    std::vector<Instruction> code;
    std::vector<Parameter> parameters, results;
    size_t parameter_bytes = 0, shared_bytes = 0, local_bytes = 0;
    uint32_t registers = 0, max_threads = 1024, cluster = 1;
    std::deque<uint64_t> constants;            /* a value each; index ~r */
    std::vector<uint64_t> broadcast;           /* the same, for all lanes */
    std::vector<std::pair<int, int>> specials; /* register, which */
    std::vector<size_t> dynamic;               /* constants that are the offset of dynamic shared memory */
};

struct Variable {
    size_t bytes = 0;
    uint8_t *memory = nullptr;
};

struct Module {
    std::string text;
    bool read = false;
    std::unordered_map<std::string, std::pair<size_t, size_t>> bodies; /* of functions not parsed yet: from, to */
    std::unordered_map<std::string, Function> functions;
    std::map<std::string, Variable> variables;               /* .const and .global */
    std::map<std::string, std::pair<size_t, size_t>> shared; /* bytes (0: dynamic), alignment */
};

/* Finds the functions and variables of a module's text, once. */
void read_module(Module &module);
/* The kernel `name`, parsed when it is first asked for; throws Fault where it has something that this emulator does not
 * know. */
const Function &kernel_of(Module &module, const std::string &name);
/* The function that carries out this opcode, cut at its dots; fills in the parts of the instruction that depend on
 * it. */
Execute execute_of(const std::vector<std::string> &opcode, Instruction &instruction);
Execute execute_of_hopper(const std::vector<std::string> &opcode, Instruction &instruction);

enum Special {
    TID_X,
    TID_Y,
    TID_Z,
    NTID_X,
    NTID_Y,
    NTID_Z,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    LANEID,
    WARPID,
    LANEMASK_EQ,
    LANEMASK_LT,
    LANEMASK_LE,
    LANEMASK_GT,
    LANEMASK_GE,
    SMID,
    NSMID,
    DYNAMIC_SMEM,
    CLOCK,
    CLUSTER_CTARANK,
    SPECIALS
};

struct Extent {
    uint32_t x = 1, y = 1, z = 1;
    size_t count() const { return (size_t)x * y * z; }
};

/* A launch of a kernel. */
struct Grid {
    const Function &kernel;
    Extent grid, block;
    size_t dynamic_bytes;
    const uint8_t *parameters;
    mutable uint64_t events; /* at barriers in memory and of clusters: where there are none any more, nothing goes on */
};

/* The threads that touched a byte of shared memory last, and the barrier since when: for races. */
struct Touch {
    uint32_t writer = 0, reader = 0;                  /* threads, from 1 */
    uint32_t write_time = 0, read_time = 0;           /* block barriers */
    uint32_t write_warp_time = 0, read_warp_time = 0; /* and those of the warp */
    bool many_readers = false, atomic = false;
};

struct Barrier {
    uint32_t arrived = 0, expected = 0, yes = 0;
};

/* An mbarrier: the arrivals and bytes that a phase still waits for. */
struct MemoryBarrier {
    int64_t count, pending, bytes;
    uint32_t phase;
};

struct Block {
    const Grid &grid;
    Extent index = {};
    std::vector<uint8_t> shared;
    std::vector<Touch> touches;
    std::vector<Warp> warps;
    Barrier barriers[16];
    uint32_t running = 0, time = 1;
    std::vector<Block *> cluster; /* the blocks of this one's cluster; the first holds the memory that they share */
    uint32_t cluster_arrived = 0, cluster_phase = 0;
    std::map<uint32_t, MemoryBarrier> memory_barriers;
    explicit Block(const Grid &grid);
    void begin(Extent at);
    bool run(); /* a while; false: nothing could */
    bool done() const { return running == 0; }
    void release();
};

/* Copies of cp.async that have not been waited for. */
struct PendingCopy {
    uint8_t *to;
    const uint8_t *from;
    uint32_t bytes, there;
    uint32_t group;
};

struct Warp {
    Block *block;
    uint32_t first; /* thread */
    std::vector<uint64_t> registers;
    const uint64_t *constants;
    std::vector<uint8_t> local;
    size_t local_bytes;
    uint32_t pc[LANES] = {};
    uint32_t exited = 0, parked = 0, waiting = 0; /* at a barrier of the warp, at one of the block */
    uint8_t barrier[LANES] = {};
    const Instruction *reducing[LANES] = {}; /* bar.red that waits */
    uint32_t time = 1;
    std::vector<uint32_t> returns[LANES];
    std::vector<PendingCopy> copies[LANES];
    uint32_t copy_group[LANES] = {};
    bool fair = false, idle = false; /* it waited in vain: others first */
    uint32_t cluster_phase[LANES] = {};

    uint64_t *to(int r) { return &registers[(size_t)r * LANES]; }
    const uint64_t *of(int r) const { return r >= 0 ? &registers[(size_t)r * LANES] : constants + (size_t)~r * LANES; }
    /* The memory behind an address; throws a Fault if it is not there, or not aligned. */
    uint8_t *at(const Instruction &i, int lane, uint64_t address, size_t bytes, bool write, bool atomic = false);
    void begin();
    bool run(int turns);

  private:
    uint32_t pick() const;
    void touch(size_t offset, size_t bytes, int lane, bool write, bool atomic);
};

/* A texture object: a pointer to this. Coordinates are texels, values as they are stored. */
struct Texture {
    const uint8_t *memory;
    size_t width, height, pitch; /* height 0: linear memory */
    int channels, bits, kind;    /* kind: 0 unsigned, 1 signed, 2 float */
    bool normalized_values, zero_outside;
};

/* Runs a grid to its end. Throws Fault. */
void run_grid(const Grid &grid, bool together);

/* Memory of the device: its allocations. Throws Fault for a range that does not lie in one piece of it. */
void check_device_memory(uint64_t address, size_t bytes);
void add_device_memory(void *memory, size_t bytes);
bool drop_device_memory(void *memory);
size_t blocks_left(); /* added ones that were not dropped */

/* The runtime's next question for the last error finds this one; a lost device answers all calls with it (runtime.cpp).
 */
void fail_call(int error, bool lost);

} // namespace ptx

#endif
