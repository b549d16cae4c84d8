/* power.c: the device's power, from NVML, loaded at run time: of its interface, five functions are enough. */
#include "gpu/power.h"

#include "gpu/library.h"

#include <pthread.h>

enum { SUCCESS = 0, BUS_ID_LENGTH = 32 }; /* nvml.h: NVML_SUCCESS, NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE */

typedef struct Library {
    int (*init)(void);
    int (*by_bus_id)(const char *bus_id, void **handle);
    int (*milliwatts)(void *handle, unsigned *milliwatts);
    int (*millijoules)(void *handle, unsigned long long *millijoules);
    bool loaded;
} Library;

static Library library; /* stays loaded, for all devices */

static void load(void) {
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
    library.loaded =
        library_load(names, (LibrarySymbol[]){{"nvmlInit_v2", &library.init},
                                              {"nvmlDeviceGetHandleByPciBusId_v2", &library.by_bus_id},
                                              {"nvmlDeviceGetPowerUsage", &library.milliwatts},
                                              {"nvmlDeviceGetTotalEnergyConsumption", &library.millijoules},
                                              {0}}) &&
        library.init() == SUCCESS;
}

/* CUDA and NVML number devices differently; the bus is the same. */
static void *find(int index) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char bus_id[BUS_ID_LENGTH];
    void *handle;
    pthread_once(&once, load);
    if (!library.loaded || cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, index) != cudaSuccess ||
        library.by_bus_id(bus_id, &handle) != SUCCESS)
        return NULL;
    return handle;
}

Power cuda_power(Device *device) {
    GpuDevice *gpu = gpu_of(device);
    unsigned milliwatts;
    unsigned long long millijoules;
    Power power = {-1, -1};
    if (!gpu->nvml_tried)
        gpu->nvml = find(gpu->index);
    gpu->nvml_tried = true;
    if (gpu->nvml && library.milliwatts(gpu->nvml, &milliwatts) == SUCCESS)
        power.watts = milliwatts / 1e3;
    if (gpu->nvml && library.millijoules(gpu->nvml, &millijoules) == SUCCESS)
        power.joules = (double)millijoules / 1e3;
    return power;
}
