/* operations.cu: the operations of formulas as PTX text. The compiler stops there (gpu/CMakeLists.txt), and nothing
 * launches these kernels: gpu/formula/ptx.c copies what stands between their two marks. */
#include "core/math/formula.h"

/* Marks are no instructions. They name the registers of the operands, and that of the result. */
#define FORMULA(name, operands, spelled, body)                                                                         \
    extern "C" __global__ void formula_##name() {                                                                      \
        float v[3];                                                                                                    \
        asm volatile("formula_operands %0, %1, %2;" : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]));                             \
        const float a = v[0], b = v[1], c = v[2];                                                                      \
        (void)b, (void)c;                                                                                              \
        asm volatile("formula_result %0;" : : "f"((float)(body)));                                                     \
    }
#include "core/math/formula.def"
#undef FORMULA
