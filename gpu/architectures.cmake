# architectures.cmake: sets CMAKE_CUDA_ARCHITECTURES, the GPUs that the kernels are built for: those in this machine.
# Without one it is PTX of compute capability 8.0 alone, so that kernels are compiled and checked. The driver of a GPU
# that runs them then makes the machine code, which takes a third of the time. GLINT_CUDA_ARCH, here or in the
# environment, says otherwise. "all" serves every GPU since compute capability 7.5; the presets package and wheel have it.
# A GPU runs machine code of a lower minor version: one of 8.6 or 8.9 that of 8.0. Later GPUs take the PTX (CUDA C++
# Programming Guide, "Binary Compatibility"). Else it is as CMAKE_CUDA_ARCHITECTURES ("90", "75-real;90"). `cmake -P` on
# this file prints its choice.
set(GLINT_CUDA_ARCH "$ENV{GLINT_CUDA_ARCH}" CACHE STRING "compute capabilities to build for, or all; empty: the GPUs that are here")
set(why "as GLINT_CUDA_ARCH says")
if(GLINT_CUDA_ARCH STREQUAL "all")
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90-real 100-real 120)
elseif(GLINT_CUDA_ARCH)
    set(CMAKE_CUDA_ARCHITECTURES ${GLINT_CUDA_ARCH})
elseif(NOT CMAKE_CUDA_ARCHITECTURES)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
        OUTPUT_VARIABLE found RESULT_VARIABLE failed ERROR_QUIET)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" found "${found}")
    list(REMOVE_DUPLICATES found)
    string(REPLACE "." "" CMAKE_CUDA_ARCHITECTURES "${found}")
    set(why "the GPUs that are here")
    if(failed OR NOT CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES 80-virtual)
        set(why "PTX alone, since no GPU is here; GLINT_CUDA_ARCH=all builds for all")
    endif()
endif()
message(STATUS "CUDA kernels for compute capability ${CMAKE_CUDA_ARCHITECTURES}: ${why}")

# Where there is PTX, tests run on an emulated GPU (emulator/); a package has no need of that.
set(emulate OFF)
string(REGEX REPLACE "[0-9a-z]+-real" "" ptx "${CMAKE_CUDA_ARCHITECTURES}")
if(ptx MATCHES "[0-9]" AND NOT GLINT_CUDA_ARCH STREQUAL "all")
    set(emulate ON)
endif()
option(GLINT_EMULATE "test CUDA levels on an emulated GPU" ${emulate})
