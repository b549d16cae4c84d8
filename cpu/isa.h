/* isa.h: one source, three instruction sets.
 * Owns the names that *.isa.c files define. Each is compiled for portable, avx2 and avx512 (CMakeLists.txt), writes its
 * vectors with GCC's vector extension, and exports one constant table named ISA_NAME(table). The portable set assumes
 * nothing beyond the compiler's baseline. */
#ifndef GLINT_CPU_ISA_H
#define GLINT_CPU_ISA_H

#include "core/base/status.h"

#define ISA_JOIN_(a, b) a##_##b
#define ISA_JOIN(a, b)  ISA_JOIN_(a, b)
#define ISA_NAME(name)  ISA_JOIN(name, ISA)

#if defined(ISA_avx512)
#    define VECTOR_BYTES 64
#elif defined(ISA_avx2)
#    define VECTOR_BYTES 32
#else
#    define VECTOR_BYTES 16
#endif

/* A function that becomes part of its callers, so that what they know for certain is known within. */
#define INLINE static inline __attribute__((always_inline, unused))

/* The widest set that this processor runs. The environment variable GLINT_ISA (portable, avx2, avx512) asks for a
 * narrower one, so that tests cover all three on one machine. */
typedef enum Isa { ISA_LEVEL_PORTABLE, ISA_LEVEL_AVX2, ISA_LEVEL_AVX512, ISA_LEVELS } Isa;
Isa isa_detect(void);
/* STATUS_USAGE where GLINT_ISA names no set: the program would measure another than its user believes. */
Status isa_check(void);
const char *isa_label(Isa isa);

#endif
