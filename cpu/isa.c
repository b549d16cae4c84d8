/* isa.c: which instruction set this processor runs. */
#include "cpu/isa.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[ISA_LEVELS] = {"portable", "avx2", "avx512"};
static const char *const labels[ISA_LEVELS] = {"portable vectors", "AVX2", "AVX-512"};

static Isa widest(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return ISA_LEVEL_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return ISA_LEVEL_AVX2;
#endif
    return ISA_LEVEL_PORTABLE;
}

/* ISA_LEVELS where it names none. */
static Isa named(const char *name) {
    int isa = 0;
    while (isa < ISA_LEVELS && strcmp(name, names[isa]) != 0)
        isa++;
    return (Isa)isa;
}

Status isa_check(void) {
    const char *wanted = getenv("GLINT_ISA");
    return !wanted || !*wanted || named(wanted) < ISA_LEVELS
               ? STATUS_OK
               : fail(STATUS_USAGE, "GLINT_ISA is \"%s\", want %s, %s or %s", wanted, names[0], names[1], names[2]);
}

Isa isa_detect(void) {
    const Isa max = widest();
    const char *wanted = getenv("GLINT_ISA");
    const Isa asked = wanted ? named(wanted) : max;
    return asked < max ? asked : max;
}

const char *isa_label(Isa isa) {
    return labels[isa];
}
