/* runtime.hpp: the state of the emulated device that all calls of the CUDA runtime share. Calls stand in the file of
 * the calls that they make: to a call from another file, the linker could give a failure (calls.def). */
#ifndef GLINT_EMULATOR_RUNTIME_HPP
#define GLINT_EMULATOR_RUNTIME_HPP

#include "emulator/ptx.hpp"

#include <cuda_runtime_api.h>

#include <mutex>

namespace ptx {

enum { SHARED_DEFAULT = 49152, MULTIPROCESSORS = 4 };
constexpr size_t DEVICE_BYTES = (size_t)2 << 30;

extern std::recursive_mutex lock;
extern cudaError_t sticky, last; /* of a lost device, of any call */

/* The device is as capable as the most demanding module wants: `.target sm_80` is 80. */
extern int capability;

/* Notes a failure for cudaGetLastError, and returns it. */
cudaError_t result(cudaError_t error);

/* The variable of a module that the host knows by this address, or NULL. */
const Variable *variable_of(const void *symbol);

} // namespace ptx

#endif
