/* emulated.c: the module's backend, with its own name, and without all that asks for times. A module that was built
 * without nvcc has the interpreter alone: kernel files run on it, and frames are the processor's. */
#include "app/emulated/emulated.h"

#include "core/base/module.h"
#include "core/base/stop.h"
#include "core/device/backend.h"
#include "emulator/emulator.h"

#include <dlfcn.h>
#include <stdio.h>

static Status count_devices(int *count);
static Status open_device(int index, int threads, Device **device);

/* Its levels and functions are the module's once that is loaded. */
static Backend emulated = {.name = "emulated",
                           .help = "a GPU that is emulated: it checks each access, and has no times",
                           .timeless = true,
                           .device_count = count_devices,
                           .open = open_device};
static const Backend *loaded; /* NULL: it is not there */
static char why_not[512];

/* Registers, and so occupancy, are the business of a GPU's compiler; the rest that is left out wants a clock. */
static void take_over(const Backend *module) {
    const Backend own = emulated;
    emulated = *module;
    emulated.name = own.name;
    emulated.help = own.help;
    emulated.timeless = own.timeless;
    emulated.device_count = own.device_count;
    emulated.open = own.open;
    emulated.prepare = NULL;
    emulated.telemetry = NULL;
    emulated.gl = NULL;
    emulated.experiments = NULL;
    emulated.codec = NULL;
    loaded = module;
}

static void load(void) {
    void *module = module_open("glint-emulated.so", false);
    const Backend *backend = module ? dlsym(module, "cuda_backend") : NULL;
    const Emulator *emulator = module ? dlsym(module, "glint_emulator") : NULL;
    if (!module) {
        snprintf(why_not, sizeof why_not, "its module does not load: %s", dlerror());
        return;
    }
    if (!emulator || emulator->version != EMULATOR_VERSION) {
        snprintf(why_not, sizeof why_not, "its module is of another version");
        return;
    }
    emulator->heed(stop_asked);
    take_over(backend ? backend : backend_by_name("cpu"));
    if (!backend)
        emulated.level_count = 0;
}

static Status need_module(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return loaded ? STATUS_OK : fail(STATUS_DEVICE, "the emulated GPU is not here: %s", why_not);
}

static Status count_devices(int *count) {
    *count = 0;
    TRY(need_module());
    return loaded->device_count(count);
}

static Status open_device(int index, int threads, Device **device) {
    *device = NULL;
    TRY(need_module());
    TRY(loaded->open(index, threads, device));
    (*device)->backend = &emulated;
    if (emulated.level_count == 0)
        snprintf((*device)->name, sizeof(*device)->name, "emulated GPU, for kernel files alone: built without nvcc");
    return STATUS_OK;
}

Status emulated_register(void) {
    return backend_register(&emulated);
}
