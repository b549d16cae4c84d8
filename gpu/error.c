/* error.c: CUDA's errors, explained to a user. */
#include "gpu/gpu.h"

typedef struct Hint {
    cudaError_t error;
    const char *text;
} Hint;

static const Hint hints[] = {
    {cudaErrorMemoryAllocation, "free memory on the device, take a smaller picture, or use --backend cpu"},
    {cudaErrorInsufficientDriver, "install or update the NVIDIA driver, or use --backend cpu"},
    {cudaErrorNoDevice, "there is no NVIDIA GPU that this process may use; use --backend cpu"},
    {cudaErrorInvalidDevice, "`nvidia-smi -L` lists the devices, from 0"},
    {cudaErrorNoKernelImageForDevice, "this glint was built for other GPUs; configure it with GLINT_CUDA_ARCH=native"},
    {cudaErrorUnsupportedPtxVersion, "the driver is older than the toolkit that built glint; update the driver"},
    {cudaErrorDevicesUnavailable, "another program has the device for itself; wait for it, or choose another --device"},
    {cudaErrorLaunchTimeout, "the display's watchdog stopped it; take a faster level or a smaller picture"},
    {cudaErrorECCUncorrectable, "the device's memory is damaged; have it looked at"},
};

/* After a sticky error every call fails until the process ends; a call that asks for nothing tells. */
static bool is_sticky(void) {
    (void)cudaGetLastError();
    return cudaFree(NULL) != cudaSuccess;
}

Status gpu_fail(cudaError_t error, const char *where) {
    const char *hint = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        hint = hints[i].error == error ? hints[i].text : hint;
    const bool sticky = is_sticky();
    if (!hint)
        hint = sticky ? "the device is lost to this process; start glint again" : "glint can go on";
    return fail(STATUS_DEVICE, "CUDA: %s (%s) at %s; %s", cudaGetErrorName(error), cudaGetErrorString(error), where,
                hint);
}
