/* tensor_map.hpp: the emulated driver's description of a tensor, which programs hand to kernels as a CUtensorMap.
 * runtime_tensor.cpp makes it, hopper.cpp reads it. */
#ifndef GLINT_EMULATOR_TENSOR_MAP_HPP
#define GLINT_EMULATOR_TENSOR_MAP_HPP

#include <cstdint>

namespace ptx {

enum { SWIZZLE_ROW = 128 }; /* bytes of a row that exchanges its parts */

/* As far as glint uses it: rows of values of two or four bytes; sizes are values, and the pitch is bytes. */
struct TensorMap {
    uint64_t values, width, height, pitch;
    uint32_t box_width, box_height, value_bytes;
};

} // namespace ptx

#endif
