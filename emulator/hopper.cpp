/* hopper.cpp: the additions of compute capability 9.0. These are clusters of blocks, barriers in shared memory that
 * count bytes, the copy engine for boxes of tensors, and products of warp groups. PTX ISA 9.0 has them in 9.7.13,
 * 9.7.9.27 and 9.7.15. Copies and products are done at once. Use of one before it was waited for does not show; a wait
 * in vain does. */
#include "emulator/execute.hpp"
#include "emulator/tensor_map.hpp"

namespace ptx {

enum { RANK_SHIFT = 24 };

/* An address of the cluster's shared memory has the block's number, from 1, above that of its own block. */
static Block &block_of(Warp &w, uint32_t *address) {
    const uint32_t rank = *address >> RANK_SHIFT;
    *address &= (1u << RANK_SHIFT) - 1;
    return rank ? *w.block->cluster.at(rank - 1) : *w.block;
}

static MemoryBarrier &barrier_at(Block &block, uint32_t address) {
    const auto found = block.memory_barriers.find(address);
    if (found == block.memory_barriers.end())
        throw Fault("no mbarrier was initialized at " + std::to_string(address));
    return found->second;
}

/* A phase ends when all have arrived and all bytes are there. */
static void advance(Warp &w, MemoryBarrier &barrier) {
    w.block->grid.events++;
    if (barrier.pending < 0)
        throw Fault("more threads arrive at an mbarrier than it was initialized for");
    if (barrier.pending == 0 && barrier.bytes == 0) {
        barrier.phase ^= 1;
        barrier.pending = barrier.count;
    }
}

static void initialize(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        const int64_t count = w.to(i.r[1])[l];
        const uint64_t address = w.address(i, 0, l);
        w.at(i, l, address, 8, true, true);
        w.block->memory_barriers[(uint32_t)address] = {count, count, 0, 0};
    }
}
static void arrive(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        uint32_t address = (uint32_t)w.address(i, 1, l);
        Block &block = block_of(w, &address);
        MemoryBarrier &barrier = barrier_at(block, address);
        if (i.variant)
            barrier.bytes += w.to(i.r[2])[l];
        barrier.pending--;
        advance(w, barrier);
    }
}
static void try_wait(Warp &w, const Instruction &i, uint32_t lanes) {
    uint32_t yes = 0;
    EACH_LANE(l) {
        const bool done = barrier_at(*w.block, (uint32_t)w.address(i, 1, l)).phase != (w.to(i.r[2])[l] & 1);
        yes |= (uint32_t)done << l;
    }
    set_predicate(w, i.r[0], yes, lanes);
    w.idle |= yes != lanes;
}
static void map_address(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) w.to(i.r[0])[l] = (w.to(i.r[1])[l] & 0xFFFFFF) | (w.to(i.r[2])[l] + 1) << RANK_SHIFT;
}

/* Sixteen bytes of a row of 128 are exchanged with others, by the row's number in eight. */
static uint32_t swizzled(uint32_t address) {
    return address ^ (address >> 7 & 7) << 4;
}

/* One thread has a box brought to shared memory; outside of the tensor there are zeros. */
static void copy_box(Warp &w, const Instruction &i, uint32_t lanes) {
    EACH_LANE(l) {
        TensorMap map;
        memcpy(&map, (const void *)(uintptr_t)w.to<uint64_t>(i.r[1])[l], sizeof map);
        const int64_t left = (int32_t)w.to(i.r[2])[l], top = (int32_t)w.to(i.r[3])[l];
        const uint32_t to = (uint32_t)w.address(i, 0, l), arrived = w.to(i.r[4])[l];
        const uint32_t blocks = i.operands > 5 ? w.to(i.r[5])[l] : 0;
        const uint32_t bytes = map.box_width * map.box_height * map.value_bytes;
        if (to % SWIZZLE_ROW)
            throw Fault("a box is brought to an address that is not a multiple of 128");
        for (uint32_t rank = 0; rank < 16; rank++) {
            if (blocks ? !(blocks >> rank & 1) : rank > 0)
                continue;
            Block &block = blocks ? *w.block->cluster.at(rank) : *w.block;
            if (to + bytes > block.shared.size())
                throw Fault("a box is brought beyond the end of shared memory");
            for (uint32_t y = 0; y < map.box_height; y++)
                for (uint32_t x = 0; x < map.box_width; x++) {
                    const int64_t column = left + x, row = top + y;
                    uint32_t value = 0;
                    if (column >= 0 && row >= 0 && column < (int64_t)map.width && row < (int64_t)map.height) {
                        const uint64_t from =
                            map.values + (uint64_t)row * map.pitch + (uint64_t)column * map.value_bytes;
                        check_device_memory(from, map.value_bytes);
                        memcpy(&value, (const void *)(uintptr_t)from, map.value_bytes);
                    }
                    memcpy(&block.shared[swizzled(to + (y * map.box_width + x) * map.value_bytes)], &value,
                           map.value_bytes);
                }
            MemoryBarrier &barrier = barrier_at(block, arrived);
            barrier.bytes -= bytes;
            advance(w, barrier);
        }
    }
}

/* The last 13 bits of tf32 do not count. */
static float value_at(const Block &block, uint32_t address, uint32_t bytes) {
    const uint32_t at = swizzled(address);
    if (at + bytes > block.shared.size())
        throw Fault("wgmma reads beyond the end of shared memory");
    uint32_t bits = 0;
    memcpy((char *)&bits + 4 - bytes, &block.shared[at], bytes);
    bits &= bytes == 2 ? 0xFFFF0000u : 0xFFFFE000u;
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

/* wgmma m64nNk16 of bf16, k8 of tf32: a warp has 16 rows of the 64. A has rows of terms; B of bf16 rows of columns, of
 * tf32 a row of terms for each column; all with pieces exchanged. */
template <uint32_t COLUMNS, uint32_t BYTES> static void multiply_group(Warp &w, const Instruction &i, uint32_t lanes) {
    enum { TERMS = 32 / BYTES, SUMS = COLUMNS / 2 };
    if (lanes != ALL)
        throw Fault("wgmma needs all lanes");
    struct Tile {
        uint32_t start, leading, stride;
    };
    const auto tile_of = [&](int operand) {
        const uint64_t bits = w.to<uint64_t>(i.r[operand])[0];
        if (bits >> 62 != 1)
            throw Fault("wgmma is emulated for pieces exchanged over 128 bytes alone");
        return Tile{(uint32_t)(bits & 0x3FFF) << 4, (uint32_t)(bits >> 16 & 0x3FFF) << 4,
                    (uint32_t)(bits >> 32 & 0x3FFF) << 4};
    };
    const Tile a = tile_of(SUMS), b = tile_of(SUMS + 1);
    const bool add = w.mask(i.r[SUMS + 2]) & 1;
    if (BYTES == 2 && (w.to(i.r[SUMS + 5])[0] != 0 || w.to(i.r[SUMS + 6])[0] != 1))
        throw Fault("wgmma is emulated for rows of terms by rows of columns alone");
    const auto row_at = [](const Tile &tile, uint32_t row) {
        return tile.start + row / 8 * tile.stride + row % 8 * SWIZZLE_ROW;
    };
    const uint32_t top = w.first / LANES % 4 * 16;
    static thread_local float columns[COLUMNS][TERMS];
    for (uint32_t n = 0; n < COLUMNS; n++)
        for (uint32_t k = 0; k < TERMS; k++)
            columns[n][k] = BYTES == 2 ? value_at(*w.block, row_at(b, k) + n / 64 * b.leading + n % 64 * 2, 2)
                                       : value_at(*w.block, row_at(b, n) + k * 4, 4);
    float rows[16][TERMS];
    for (uint32_t m = 0; m < 16; m++)
        for (uint32_t k = 0; k < TERMS; k++)
            rows[m][k] = value_at(*w.block, row_at(a, top + m) + k * BYTES, BYTES);
    for (uint32_t s = 0; s < SUMS; s++)
        for (uint32_t l = 0; l < LANES; l++) {
            const float *row = rows[l / 4 + 8 * (s / 2 % 2)], *column = columns[s / 4 * 8 + l % 4 * 2 + s % 2];
            uint32_t &sum = w.to(i.r[s])[l];
            double exact = add ? (double)get<float>(sum) : 0;
            for (uint32_t k = 0; k < TERMS; k++)
                exact += (double)row[k] * (double)column[k];
            sum = put((float)exact);
        }
}

static Execute memory_barriers(const Words &words, Draft &i) {
    i.kinds = words[1] == "init" ? "aw" : words[1] == "arrive" ? "law" : "paw";
    if (words[1] == "init")
        return initialize;
    if (words[1] == "arrive") {
        i.variant = words[2] == "expect_tx";
        return arrive;
    }
    return words[1] == "try_wait" && words[2] == "parity" ? try_wait : nullptr;
}
static Execute box_copies(const Words &words, Draft &i) {
    i.kinds = "alw";
    return words[1] == "async" && words[2] == "bulk" && words[3] == "tensor" && words[4] == "2d" ? copy_box : nullptr;
}
static Execute mapped_addresses(const Words &, Draft &i) {
    i.kinds = "w";
    return map_address;
}
static Execute group_products(const Words &words, Draft &i) {
    if (words[1] != "mma_async")
        return nothing;
    i.flow = Flow::CONVERGE;
    i.kinds = "wllpw", i.first = i.outputs;
    if (words[6] == "bf16")
        return words[4] == "m64n256k16"   ? multiply_group<256, 2>
               : words[4] == "m64n128k16" ? multiply_group<128, 2>
                                          : nullptr;
    return words[4] == "m64n256k8" && words[6] == "tf32" ? multiply_group<256, 4> : nullptr;
}

const Row hopper_rows[] = {
    {"mbarrier", memory_barriers}, {"mapa", mapped_addresses}, {"cp", box_copies}, {"wgmma", group_products}, {},
};

} // namespace ptx
