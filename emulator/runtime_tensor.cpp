/* runtime_tensor.cpp: cuTensorMapEncodeTiled of the emulated driver. */
#include "emulator/tensor_map.hpp"

#include <cstring>
#include <cuda.h>

using ptx::SWIZZLE_ROW;
using ptx::TensorMap;

static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap), "");

extern "C" CUresult emulated_tensor_map(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *values,
                                        const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                        const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle swizzle,
                                        CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
    const uint32_t value_bytes = type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 ? 2 : 4;
    const TensorMap made = {(uint64_t)(uintptr_t)values, sizes[0], sizes[1], strides[0], box[0], box[1], value_bytes};
    if (type != CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 && type != CU_TENSOR_MAP_DATA_TYPE_FLOAT32)
        return CUDA_ERROR_INVALID_VALUE;
    if (rank != 2 || swizzle != CU_TENSOR_MAP_SWIZZLE_128B || made.values % 16 || made.pitch % 16 ||
        box[0] * value_bytes > SWIZZLE_ROW || box[1] > 256)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}
