# test_architectures.sh: kernels are built for the GPUs that are here, without one PTX alone, for all on request.
# A stand-in for nvidia-smi says which GPUs are here.
tree=$(realpath "$(dirname "$0")/../..")
source "$(dirname "$0")/lib.sh"
cmake=$(command -v cmake) || { echo "skipped: cmake is not on the PATH"; exit 77; }
mkdir bin
unset GLINT_CUDA_ARCH

# expect WANT [VARIABLE=VALUE]...: the architectures that are built for.
expect() {
    local want=$1
    shift
    last="cmake -P architectures.cmake $*"
    env "$@" PATH="$work/bin:/usr/bin:/bin" "$cmake" -P "$tree/gpu/architectures.cmake" >.out 2>.err
    tells "^-- CUDA kernels for compute capability $want: "
}

# gpus STATUS CAPABILITY...: the answer of nvidia-smi.
gpus() {
    { echo '#!/bin/sh'; printf 'echo "%s"\n' "${@:2}"; echo "exit $1"; } >bin/nvidia-smi
    chmod +x bin/nvidia-smi
}

gpus 0 9.0
expect 90
gpus 0 9.0 12.0 9.0
expect '90;120'
expect '75-real;90' 'GLINT_CUDA_ARCH=75-real;90'
expect '75-real;.*;90-real;.*' GLINT_CUDA_ARCH=all
gpus 9 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver 580.65'
expect '80-virtual'
gpus 0 'No devices were found'
expect '80-virtual'
expect 75 GLINT_CUDA_ARCH=75
finish
