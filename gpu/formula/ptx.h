/* ptx.h: the kernel of a formula as PTX text, which the driver compiles.
 * Code depends on the steps of a formula and on the types of its pictures alone. Its numbers are arguments, so that a
 * slider moves without another compilation. */
#ifndef GLINT_GPU_FORMULA_PTX_H
#define GLINT_GPU_FORMULA_PTX_H

#include "core/ops/formula.h"

/* A block's threads, each of which takes FormulaPtx.pixels in a row. */
enum { FORMULA_ACROSS = 32, FORMULA_DOWN = 8 };

/* How full intensity becomes 1, and 1 full intensity. */
typedef enum FormulaScale {
    FORMULA_SCALE_NONE,  /* it is 1 */
    FORMULA_SCALE_WHOLE, /* it is the largest value of the stored type */
    FORMULA_SCALE_OTHER,
} FormulaScale;

/* One of the pictures as code knows it. */
typedef struct FormulaPlane {
    PixelType type;
    int channels; /* 0: there is none */
    FormulaScale scale;
} FormulaPlane;

/* All that the code depends on. */
typedef struct FormulaPtx {
    FormulaProgram program;
    FormulaPlane in[FORMULA_INPUTS], out;
    int pixels; /* of a thread: a power of two; 0: the code would be too long for the driver to compile in a second */
} FormulaPtx;

/* The kernel's only argument, by value. */
typedef struct FormulaArguments {
    struct {
        unsigned char *pixels;
        uint64_t stride; /* bytes */
    } in[FORMULA_INPUTS], out;
    int32_t width, height;
    float white[FORMULA_INPUTS], top; /* as FormulaJob has them */
    float constant[FORMULA_CONSTANTS];
} FormulaArguments;

FormulaPtx formula_ptx_of(const Stage *stage);
bool formula_ptx_same(const FormulaPtx *a, const FormulaPtx *b);
/* Writes the text of a kernel named "formula", of which `pixels` is not 0, to be freed by free. STATUS_DEVICE if memory
 * is short. */
Status formula_ptx_write(const FormulaPtx *code, char **ptx);

/* gpu/formula/operations.cu, compiled. */
extern const char formula_operations_ptx[];

#endif
