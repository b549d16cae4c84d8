/* ptx.hpp: PTX as the emulator has it (PTX ISA 9.0). There are modules as the compiler embeds them, functions as lists
 * of decoded instructions, and warps that execute them. It is for tests: kernels run on any machine, slowly, and every
 * access is checked. */
#ifndef GLINT_EMULATOR_PTX_HPP
#define GLINT_EMULATOR_PTX_HPP

#include "emulator/counters.h"
#include "emulator/emulator.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace ptx {

enum { LANES = 32, SHARED_MAX = 232448 /* bytes a block */ };

/* A kernel's fault. Where it is thrown, the lane and the address are known; the warp adds the rest of the place. */
struct Fault : std::runtime_error {
    explicit Fault(const std::string &text, EmulatorFaultKind kind_ = EMULATOR_OTHER, int lane_ = -1,
                   uint64_t address_ = 0)
        : std::runtime_error(text), kind(kind_), lane(lane_), address(address_) {}
    EmulatorFaultKind kind;
    int lane; /* below 0: not one alone */
    uint64_t address;
    bool placed = false, writes = false;
    uint32_t block[3] = {}, thread[3] = {};
    int source = 0, line = 0;
    std::string place() const; /* "; block (1, 0, 0), thread (3, 0, 0), line 17" */
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
    POLL,
    YIELD,
    TRAP
};

/* How a register has its lanes' values: four bytes each, eight, or, of a predicate, a bit. */
enum class Kind : uint8_t { WORD, LONG, PREDICATE };
template <typename T> using Slot = std::conditional_t<(sizeof(T) > 4), uint64_t, uint32_t>;
constexpr uint32_t ALL = 0xFFFFFFFF; /* lanes */

struct Instruction {
    Execute execute = nullptr;
    const int *r = nullptr; /* operands in the order of the text, vectors one by one: where a warp has the registers */
    int64_t offset = 0, source_offset = 0; /* of the address, and of a second one */
    int guard = 0;
    uint32_t target = 0; /* the instruction, or the table of those */
    uint16_t operands = 0, outputs = 0;
    Flow flow = Flow::NEXT;
    Space space = Space::GENERIC;
    EmulatorWork work = EMULATOR_WORK_CONTROL;
    bool atomic = false, guarded = false, inverted = false, long_address = true, negated[4] = {};
    bool passes = false; /* a parameter to or from a function; a GPU has it in registers, so that nothing counts */
    uint8_t bytes = 0, count = 1;
    int8_t variant = 0;
    int16_t members = -1; /* the operand that says which lanes take part; below 0: all */
    int line = 0;         /* of the module */
    int source = 0;       /* the line of the kernel's source, by .loc; 0: not known */
};

struct Parameter {
    std::string name;
    size_t offset, bytes;
    uint64_t local; /* of a .func's: where in local memory it is */
};

struct Function {
    std::string name;
    std::vector<Instruction> code;
    std::vector<uint32_t> rank, ranked; /* of each instruction, in which parted lanes go on; the instructions in it */
    std::vector<Parameter> parameters, results;
    size_t parameter_bytes = 0, shared_bytes = 0, local_bytes = 0;
    uint32_t max_threads = 1024, cluster = 1;
    std::vector<uint32_t> registers;           /* of a warp as it begins: constants, the rest without a value */
    std::deque<std::vector<int>> operands;     /* of the instructions */
    std::vector<std::vector<uint32_t>> tables; /* of branches */
    std::vector<std::pair<int, int>> specials; /* register, which */
};

struct Variable {
    size_t bytes = 0;
    uint8_t *memory = nullptr;
};

/* A function's place in the text. */
struct Body {
    size_t from, to;
    bool entry; /* a kernel */
};

struct Module {
    std::string text;
    bool read = false;
    std::unordered_map<std::string, Body> bodies; /* of functions not parsed yet */
    std::unordered_map<std::string, Function> functions;
    std::map<std::string, Variable> variables;               /* .const and .global */
    std::map<std::string, std::pair<size_t, size_t>> shared; /* bytes (0: dynamic), alignment */
};

/* Ranks its instructions. */
void order_code(Function &kernel);
/* Finds the functions and variables of a module's text, once. */
void read_module(Module &module);
void free_variables(Module &module);
/* The kernel `name`, parsed when it is first asked for; throws Fault where it has something that this emulator does not
 * know. */
const Function &kernel_of(Module &module, const std::string &name);

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
    CLOCK64,
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
    bool races;              /* in shared memory are faults */
    double seconds;          /* that a block may take; 0: any */
    mutable uint64_t events; /* at barriers in memory and of clusters: where there are none any more, nothing goes on */
    mutable uint64_t executed = 0;              /* instructions by threads */
    EmulatorCounters *counters = nullptr;       /* NULL: nobody asked */
    mutable std::optional<Fault> no_value = {}; /* of `races`: the first read of shared memory without a value */
    bool (*stops)(void) = nullptr;              /* whether it shall end early; NULL: nobody asks */
};

/* Who touched a byte of shared memory, and when: for races. */
struct Access {
    uint32_t thread = 0;              /* from 1; 0: nobody */
    uint32_t time = 0, warp_time = 0; /* barriers of the block, and meetings of its warp's lanes, before */
};
struct Touch {
    Access writer, reader, reader_before; /* the last ones */
    bool atomic = false;                  /* the writer */
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

struct Free {
    void operator()(void *memory) const { free(memory); }
};

struct Warp {
    Block *block;
    uint32_t first; /* thread */
    std::unique_ptr<uint32_t, Free> registers;
    std::vector<uint8_t> local;
    size_t local_bytes;
    uint32_t pc[LANES] = {};
    uint32_t exited = 0, parked = 0, waiting = 0; /* at a barrier of the warp, at one of the block */
    uint8_t barrier[LANES] = {};
    const Instruction *reducing[LANES] = {}; /* bar.red that waits */
    uint32_t time = 1, all_met = 0;          /* meetings of lanes; the last one of all that run */
    std::vector<uint32_t> met; /* LANES x LANES: up to which meeting a lane knows what another one did; or empty */
    std::vector<uint32_t> returns[LANES];
    uint32_t called = 0; /* lanes that are in a function */
    std::vector<PendingCopy> copies[LANES];
    uint32_t copy_group[LANES] = {};
    bool fair = false, idle = false; /* it waited in vain: others first */
    bool spins = false;              /* it waited in vain since its last rest */
    unsigned rests = 0;
    uint32_t cluster_phase[LANES] = {};

    template <typename T = uint32_t> Slot<T> *to(int r) { return reinterpret_cast<Slot<T> *>(registers.get() + r); }
    uint32_t &mask(int r) { return registers.get()[r]; }
    /* The address of a lane in an operand, without its space. One of 32 bits wraps. */
    uint64_t address(const Instruction &i, int operand, int lane) {
        const int r = i.r[operand];
        return i.long_address ? to<uint64_t>(r)[lane] + (uint64_t)i.offset : to(r)[lane] + (uint32_t)i.offset;
    }
    /* Where an access of these lanes to addresses in an operand finds its memory. */
    struct Places {
        uint8_t *at[LANES];
        bool one; /* the same for all lanes */
    };
    /* Counts an access, where somebody asked. */
    void count(const Instruction &i, int operand, size_t bytes, uint32_t lanes);
    void count_copy(const Instruction &i, uint32_t lanes);
    void reach(const Instruction &i, int operand, size_t bytes, bool write, uint32_t lanes, Places &places);
    /* The memory behind an address; throws a Fault if it is not there, or not aligned. */
    uint8_t *at(const Instruction &i, int lane, uint64_t address, size_t bytes, bool write, bool atomic = false);
    void begin();
    bool run(int turns);
    /* Adds the place to a fault of these lanes, in the instruction at `at`. */
    void locate(Fault &fault, uint32_t lanes, uint32_t at) const;
    /* Notes that these lanes came together. */
    void meet(uint32_t lanes);

  private:
    void touch(const Instruction &i, size_t offset, size_t bytes, int lane, bool write, bool atomic);
    bool at_once(const Access &of, uint32_t lane) const;
    void tell_no_value(const Instruction &i, uint64_t address, int lane);
};

/* A texture object: a pointer to this. Coordinates are texels, values as they are stored. */
struct Texture {
    const uint8_t *memory;
    size_t width, height, pitch; /* height 0: linear memory */
    int channels, bits, kind;    /* kind: 0 unsigned, 1 signed, 2 float */
    bool normalized_values, zero_outside;
};

/* The function that emulator_heed was given; NULL without one. */
bool (*asked_to_stop())(void);

/* Throws Fault where the kernel cannot be launched so. */
void check_launch(const Grid &grid);
/* Runs a grid to its end. Throws Fault. */
void run_grid(const Grid &grid, bool together);

/* Memory of the device: its allocations. Throws Fault for a range that does not lie in one piece of it. */
void check_device_memory(uint64_t address, size_t bytes);
bool in_device_memory(uint64_t address, size_t bytes);
void add_device_memory(void *memory, size_t bytes);
bool drop_device_memory(void *memory);
/* Memory with nothing beside it, each byte `fill`; NULL: there is no room. */
void *take_device_memory(size_t bytes, int fill);
bool free_device_memory(void *memory); /* false: it was not taken */
size_t blocks_left();                  /* added ones that were not dropped */

/* The runtime's next question for the last error finds this one; a lost device answers all calls with it (runtime.cpp).
 */
void fail_call(int error, bool lost);

} // namespace ptx

#endif
