/* runtime_fatbin.hpp: the binaries that nvcc puts into a program. A header stands first, then an entry for each GPU,
 * with machine code or PTX, which may be compressed. */
#ifndef GLINT_EMULATOR_RUNTIME_FATBIN_HPP
#define GLINT_EMULATOR_RUNTIME_FATBIN_HPP

#include <cstddef>
#include <cstdint>
#include <string>

namespace ptx {

/* The entry of the newest PTX, packed as it is. */
struct PackedText {
    const uint8_t *data = nullptr; /* NULL: there is no PTX */
    size_t bytes = 0, text_bytes = 0;
    int capability = 0; /* that it is compiled for: 80 */
    enum { PLAIN, LZ4, ZSTD } packing = PLAIN;
};

PackedText find_text(const void *fatbin);
/* Throws Fault where this build lacks the library for the packing, and where the data are damaged. */
std::string unpack(const PackedText &text);

} // namespace ptx

#endif
