/* nvrtc.h: the process that NVRTC runs in. */
#ifndef GLINT_KERNEL_COMPILE_NVRTC_H
#define GLINT_KERNEL_COMPILE_NVRTC_H

/* NVRTC is a library, which runs in a process of its own: this program, started again. Then the call does NVRTC's work
 * and does not return. Each main() calls it first. */
void nvrtc_serve_if_asked(char **argv);

#endif
