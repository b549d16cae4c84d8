/* tensor_map.c: one function of the driver, found at run time. */
#include "gpu/course/multiply/tensor_map.h"

#include "gpu/library.h"

#include <pthread.h>
#include <stdint.h>

typedef CUresult Encode(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *values,
                        const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                        const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                        CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
static Encode *encode;

static void load(void) {
    static const char *const names[] = {"libcuda.so.1", NULL};
    (void)library_load(names, (LibrarySymbol[]){{"cuTensorMapEncodeTiled", &encode}, {0}});
}

bool tensor_maps_are_there(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return encode != NULL;
}

Status tensor_map(void *values, size_t value_bytes, size_t width, size_t height, size_t pitch, unsigned box_width,
                  unsigned box_height, CUtensorMap *map) {
    const CUtensorMapDataType type =
        value_bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    const cuuint64_t sizes[] = {width, height}, strides[] = {pitch * value_bytes};
    const cuuint32_t box[] = {box_width, box_height}, steps[] = {1, 1};
    const CUresult result =
        encode(map, type, 2, values, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS
               ? STATUS_OK
               : fail(STATUS_DEVICE, "the driver makes no tensor map (error %d); take another level", (int)result);
}
