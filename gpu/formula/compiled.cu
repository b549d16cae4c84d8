/* compiled.cu: a formula as a kernel of its own, which the driver compiles. No step is decoded, and values stay in
 * registers. The device keeps the kernels of the last formulas. */
#include "gpu/kernel.cuh"

#include <pthread.h>
#include <stdlib.h>

extern "C" {
#include "core/device/cache.h"
#include "gpu/formula/ptx.h"
}

enum { KERNELS = 16 }; /* that a device keeps */

typedef struct FormulaKernel {
    FormulaPtx of;
    cudaLibrary_t library; /* NULL: not loaded */
    cudaKernel_t kernel;
} FormulaKernel;

static cudaError_t load(const char *ptx, FormulaKernel *kernel) {
    cudaError_t error = cudaLibraryLoadData(&kernel->library, ptx, NULL, NULL, 0, NULL, NULL, 0);
    if (error != cudaSuccess)
        kernel->library = NULL;
    else
        error = cudaLibraryGetKernel(&kernel->kernel, kernel->library, "formula");
    return error;
}

static void unload(FormulaKernel *kernel) {
    if (kernel->library)
        (void)cudaLibraryUnload(kernel->library);
    kernel->library = NULL;
}

/* ---- whether there is a compiler ---- */

static bool compiles;

static void try_compiler(void) {
    FormulaKernel nothing = {};
    compiles = load(".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry formula()\n{\n\tret;\n}\n",
                    &nothing) == cudaSuccess;
    (void)cudaGetLastError();
    unload(&nothing);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, try_compiler);
    *why_not = "this driver compiles no PTX for compute capability 7.5";
    if (!compiles || gpu_of((Device *)device)->limits.major * 10 + gpu_of((Device *)device)->limits.minor < 75)
        return false;
    *why_not = "the driver would compile this formula for seconds";
    return formula_ptx_of(stage).pixels > 0;
}

/* ---- kernels that the device keeps ---- */

static Status make(Queue *queue, const void *from, void *entry) {
    FormulaKernel *kernel = (FormulaKernel *)entry;
    char *ptx;
    unload(kernel);
    kernel->of = *(const FormulaPtx *)from;
    TRY(formula_ptx_write(&kernel->of, &ptx));
    cudaError_t error = cudaSetDevice(gpu_of(queue->device)->index);
    if (error == cudaSuccess)
        error = load(ptx, kernel);
    free(ptx);
    CUDA_TRY(error);
    return STATUS_OK;
}

static bool same(const void *entry, const void *from) {
    return formula_ptx_same(&((const FormulaKernel *)entry)->of, (const FormulaPtx *)from);
}

static void drop(Device *device, void *entry) {
    cudaSetDevice(gpu_of(device)->index);
    unload((FormulaKernel *)entry);
}

static const CacheKind kernels = {sizeof(FormulaKernel), KERNELS, make, same, drop, false};

static void set_arguments(const Stage *stage, FormulaArguments *arguments) {
    const FormulaJob *job = formula_job(stage);
    *arguments = {};
    arguments->out = {(unsigned char *)stage->out.pixels, stage->out.stride};
    arguments->width = (int32_t)stage->out.shape.width;
    arguments->height = (int32_t)stage->out.shape.height;
    arguments->top = job->top;
    for (int k = 0; k < job->inputs; k++) {
        arguments->in[k] = {(unsigned char *)stage->in[k].pixels, stage->in[k].stride};
        arguments->white[k] = job->white[k];
    }
    memcpy(arguments->constant, job->program.constant, sizeof arguments->constant);
}

static Status run(Queue *queue, const Stage *stage) {
    const FormulaPtx ptx = formula_ptx_of(stage);
    FormulaArguments arguments;
    void *found, *pointers[] = {&arguments};
    TRY(cache_get(queue, &kernels, 0, &ptx, &found));
    set_arguments(stage, &arguments);
    const FormulaKernel *kernel = (const FormulaKernel *)found;
    const Launch launch = {dim3(blocks_for(arguments.width, FORMULA_ACROSS * kernel->of.pixels),
                                blocks_for(arguments.height, FORMULA_DOWN)),
                           dim3(FORMULA_ACROSS, FORMULA_DOWN), 0};
    return gpu_launch(queue, "formula compiled", (const void *)kernel->kernel, launch, pointers);
}

extern "C" const Level cuda_formula_compiled = {
    .op = &op_formula,
    .name = "compiled",
    .idea = "PTX is written for the formula, and the driver compiles it: values stay in registers from step to step",
    .accepts = accepts,
    .run = run,
};
