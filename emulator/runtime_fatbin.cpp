/* runtime_fatbin.cpp: finds PTX in fat binaries and unpacks it. NVIDIA documents neither; the offsets are those that
 * fatbinary(1) of CUDA 11 to 13 writes. */
#include "emulator/runtime_fatbin.hpp"

#include "emulator/ptx.hpp"

#ifdef GLINT_WITH_LZ4
#    include <lz4.h>
#endif
#ifdef GLINT_WITH_ZSTD
#    include <zstd.h>
#endif

namespace ptx {

enum : uint64_t { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
enum { KIND_PTX = 1, ENTRY_BYTES = 64 };

/* A number of `bytes` at an offset of a header. */
template <typename T> static T number(const uint8_t *header, size_t offset) {
    T value;
    memcpy(&value, header + offset, sizeof value);
    return value;
}

PackedText find_text(const void *fatbin) {
    const uint8_t *header = (const uint8_t *)fatbin;
    const uint8_t *entry = header + number<uint16_t>(header, 6), *end = entry + number<uint64_t>(header, 8);
    PackedText newest;
    while (end - entry >= ENTRY_BYTES) {
        const uint32_t header_bytes = number<uint32_t>(entry, 4), packed_bytes = number<uint32_t>(entry, 16);
        const uint64_t bytes = number<uint64_t>(entry, 8), flags = number<uint64_t>(entry, 40);
        const int capability = number<int32_t>(entry, 28);
        if (header_bytes < ENTRY_BYTES || bytes > (uint64_t)(end - entry) - header_bytes)
            break;
        if (number<uint16_t>(entry, 0) == KIND_PTX && capability >= newest.capability) {
            const auto packing = flags & FLAG_ZSTD  ? PackedText::ZSTD
                                 : flags & FLAG_LZ4 ? PackedText::LZ4
                                                    : PackedText::PLAIN;
            const bool plain = packing == PackedText::PLAIN;
            newest = {entry + header_bytes, plain ? bytes : packed_bytes, plain ? bytes : number<uint64_t>(entry, 56),
                      capability, packing};
        }
        entry += header_bytes + bytes;
    }
    return newest;
}

static bool unpack_lz4([[maybe_unused]] const PackedText &text, [[maybe_unused]] std::string &into) {
#ifdef GLINT_WITH_LZ4
    return LZ4_decompress_safe((const char *)text.data, into.data(), (int)text.bytes, (int)into.size()) ==
           (int)into.size();
#else
    throw Fault("the kernels' PTX is packed by LZ4, and this glint was built without liblz4");
#endif
}

static bool unpack_zstd([[maybe_unused]] const PackedText &text, [[maybe_unused]] std::string &into) {
#ifdef GLINT_WITH_ZSTD
    return ZSTD_decompress(into.data(), into.size(), text.data, text.bytes) == into.size();
#else
    throw Fault("the kernels' PTX is packed by Zstandard, and this glint was built without libzstd");
#endif
}

std::string unpack(const PackedText &text) {
    if (!text.data)
        throw Fault("this glint was built without the kernel's PTX");
    std::string into(text.text_bytes, '\0');
    bool whole = true;
    switch (text.packing) {
    case PackedText::PLAIN:
        memcpy(into.data(), text.data, text.bytes);
        break;
    case PackedText::LZ4:
        whole = unpack_lz4(text, into);
        break;
    case PackedText::ZSTD:
        whole = unpack_zstd(text, into);
        break;
    }
    if (!whole)
        throw Fault("the kernels' PTX is damaged");
    into.resize(strnlen(into.data(), into.size()));
    return into;
}

} // namespace ptx
