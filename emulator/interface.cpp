/* interface.cpp: the emulator for programs in C (emulator.h): modules, memory and launches, with faults as data. */
#include "emulator/counting.hpp"
#include "emulator/emulator.h"
#include "emulator/ptx.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

struct EmulatorModule {
    ptx::Module module;
    std::vector<std::string> kernels;

    EmulatorModule() = default;
    EmulatorModule(const char *text, size_t bytes) : EmulatorModule() { /* what was read goes away with a fault */
        module.text.assign(text, strnlen(text, bytes));
        ptx::read_module(module);
        for (const auto &[name, body] : module.bodies)
            if (body.entry)
                kernels.push_back(name);
        std::sort(kernels.begin(), kernels.end());
        for (const std::string &name : kernels)
            (void)ptx::kernel_of(module, name);
    }
    EmulatorModule(const EmulatorModule &) = delete;
    ~EmulatorModule() { ptx::free_variables(module); }
    bool has(const char *name) const { return std::binary_search(kernels.begin(), kernels.end(), name); }
};

static void tell(EmulatorFault *fault, const ptx::Fault &of) {
    *fault = {};
    fault->kind = of.kind;
    snprintf(fault->text, sizeof fault->text, "%s", of.what());
    fault->placed = of.placed;
    std::copy_n(of.block, 3, fault->block);
    std::copy_n(of.thread, 3, fault->thread);
    fault->line = of.source, fault->ptx_line = of.line;
    fault->address = of.address, fault->writes = of.writes;
}

/* Carries out a function that may throw; the fault of any other exception is about a text that is not PTX. */
template <typename Work> static bool guarded(EmulatorFault *fault, Work work) {
    try {
        *fault = {};
        work();
        return true;
    } catch (const ptx::Fault &of) {
        tell(fault, of);
    } catch (const std::bad_alloc &) {
        tell(fault, ptx::Fault("there is not enough memory", EMULATOR_TOO_LARGE));
    } catch (const std::exception &) {
        tell(fault, ptx::Fault("the text is not PTX as compilers write it", EMULATOR_UNKNOWN_INSTRUCTION));
    }
    return false;
}

EmulatorModule *emulator_module(const char *ptx, size_t bytes, EmulatorFault *fault) {
    EmulatorModule *module = nullptr;
    guarded(fault, [&] { module = new EmulatorModule(ptx, bytes); });
    return module;
}

void emulator_module_free(EmulatorModule *module) {
    delete module;
}

const char *emulator_kernel(const EmulatorModule *module, size_t index) {
    return index < module->kernels.size() ? module->kernels[index].c_str() : nullptr;
}

bool emulator_facts(EmulatorModule *module, const char *kernel, EmulatorFacts *facts) {
    *facts = {};
    if (!module->has(kernel))
        return false;
    const ptx::Function &function = ptx::kernel_of(module->module, kernel);
    *facts = {function.shared_bytes, (int)function.max_threads, function.parameters.size()};
    return true;
}

void *emulator_variable(EmulatorModule *module, const char *name, size_t *bytes) {
    const auto found = module->module.variables.find(name);
    const bool there = found != module->module.variables.end();
    *bytes = there ? found->second.bytes : 0;
    return there ? found->second.memory : nullptr;
}

void *emulator_memory(size_t bytes, int fill) {
    return ptx::take_device_memory(bytes, fill);
}

void emulator_memory_free(void *memory) {
    if (memory)
        ptx::free_device_memory(memory);
}

static void run(const EmulatorLaunch &launch, EmulatorFault *fault) {
    if (!launch.module->has(launch.kernel))
        throw ptx::Fault("the module has no kernel " + std::string(launch.kernel), EMULATOR_UNKNOWN_NAME);
    const ptx::Function &kernel = ptx::kernel_of(launch.module->module, launch.kernel);
    std::vector<uint64_t> parameters(kernel.parameter_bytes / 8 + 2);
    for (size_t k = 0; k < kernel.parameters.size(); k++)
        memcpy((uint8_t *)parameters.data() + kernel.parameters[k].offset, launch.arguments[k],
               kernel.parameters[k].bytes);
    const auto extent = [](const unsigned *of) { return ptx::Extent{of[0], of[1], of[2]}; };
    const ptx::Grid grid = {kernel,
                            extent(launch.grid),
                            extent(launch.block),
                            launch.shared_bytes,
                            (const uint8_t *)parameters.data(),
                            launch.races,
                            launch.seconds,
                            0,
                            0,
                            launch.counters,
                            {},
                            nullptr};
    ptx::check_launch(grid);
    if (launch.counters)
        launch.counters->begin(grid);
    ptx::run_grid(grid, launch.cooperative || kernel.cluster > 1);
    if (grid.no_value)
        tell(fault, *grid.no_value);
}

bool emulator_launch(const EmulatorLaunch *launch, EmulatorFault *fault) {
    return guarded(fault, [&] { run(*launch, fault); });
}

static thread_local const EmulatorObserver *present_observer;

void emulator_observe(const EmulatorObserver *observer) {
    present_observer = observer;
}

const EmulatorObserver *ptx::observer() {
    return present_observer;
}

static std::atomic<bool (*)(void)> present_stop;

void emulator_heed(bool (*asked)(void)) {
    present_stop = asked;
}

bool (*ptx::asked_to_stop())(void) {
    return present_stop;
}

const Emulator glint_emulator = {
    EMULATOR_VERSION,        emulator_module,          emulator_module_free,   emulator_kernel,
    emulator_facts,          emulator_variable,        emulator_memory,        emulator_memory_free,
    emulator_launch,         emulator_counters,        emulator_counters_free, emulator_counters_row,
    emulator_counters_watch, emulator_counters_access, emulator_observe,       emulator_heed};
