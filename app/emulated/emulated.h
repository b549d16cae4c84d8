/* emulated.h: the emulated GPU as a backend. Its module, glint-emulated.so, has the CUDA backend's levels over a CUDA
 * runtime that interprets PTX (emulator/). It is loaded when its devices are asked for. */
#ifndef GLINT_APP_EMULATED_EMULATED_H
#define GLINT_APP_EMULATED_EMULATED_H

#include "core/base/status.h"

Status emulated_register(void);

#endif
