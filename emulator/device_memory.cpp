/* device_memory.cpp: allocations of the emulated device. Between two lie bytes that belong to neither, so that an
 * access next to one is told, and does not hit another. */
#include "emulator/ptx.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace ptx {

static std::mutex memory_lock;
static std::map<uint64_t, size_t> allocations;
static std::atomic<uint64_t> drops = 0;
constexpr uint64_t FAR = 1 << 30; /* from here on, an access has nothing to do with an allocation */
enum { GUARD = 4096, ALIGNMENT = 512 };

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

/* The sentence about an access between the allocation before `next` and that one: how far it is from the nearer. */
static std::string distance_of(std::map<uint64_t, size_t>::const_iterator next, uint64_t address, size_t bytes) {
    char text[200];
    int length =
        snprintf(text, sizeof text, "%zu bytes at 0x%llx are not the device's", bytes, (unsigned long long)address);
    const uint64_t before = next == allocations.end() ? UINT64_MAX : next->first - address;
    const auto last = next == allocations.begin() ? next : std::prev(next);
    const uint64_t behind = last == next ? UINT64_MAX : address - last->first - last->second + bytes;
    if (behind < FAR && behind <= before)
        snprintf(text + length, sizeof text - (size_t)length, ": %llu bytes after the end of %zu bytes",
                 (unsigned long long)behind, last->second);
    else if (before < FAR)
        snprintf(text + length, sizeof text - (size_t)length, ": %llu bytes before the start of %zu bytes",
                 (unsigned long long)before, next->second);
    return text;
}

bool in_device_memory(uint64_t address, size_t bytes) {
    struct Hit {
        uint64_t from = 0, to = 0;
        bool has(uint64_t at, size_t length) const { return at - from < to - from && length <= to - at; }
    };
    static thread_local Hit hits[4]; /* the last ones, and how much had been dropped then */
    static thread_local uint64_t of = 0;
    static thread_local int next_hit = 0;
    if (of != drops)
        std::fill(std::begin(hits), std::end(hits), Hit()), of = drops;
    for (const Hit &hit : hits)
        if (hit.has(address, bytes))
            return true;
    std::lock_guard<std::mutex> hold(memory_lock);
    const auto next = allocations.upper_bound(address);
    if (next == allocations.begin())
        return false;
    const auto &[begins, length] = *std::prev(next);
    const Hit found = {begins, begins + length};
    if (!found.has(address, bytes))
        return false;
    hits[next_hit++ % 4] = found;
    return true;
}

void check_device_memory(uint64_t address, size_t bytes) {
    if (in_device_memory(address, bytes))
        return;
    std::lock_guard<std::mutex> hold(memory_lock);
    throw Fault(distance_of(allocations.upper_bound(address), address, bytes), EMULATOR_OUT_OF_BOUNDS, -1, address);
}

void *take_device_memory(size_t bytes, int fill) {
    uint8_t *all = bytes > SIZE_MAX / 2
                       ? nullptr
                       : (uint8_t *)aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT + 2 * GUARD);
    if (!all)
        return nullptr;
    memset(all + GUARD, fill, bytes);
    add_device_memory(all + GUARD, bytes);
    return all + GUARD;
}

bool free_device_memory(void *memory) {
    if (!drop_device_memory(memory))
        return false;
    free((uint8_t *)memory - GUARD);
    return true;
}

} // namespace ptx
