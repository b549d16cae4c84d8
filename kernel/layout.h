/* layout.h: the types of glint/kernel.h as the host sees them, under names of their own: Picture is KernelPicture.
 * Values are pointers to bytes here, whatever their type. */
#ifndef GLINT_KERNEL_LAYOUT_H
#define GLINT_KERNEL_LAYOUT_H

#define Value    KernelValue
#define CHANNELS KERNEL_CHANNELS
#define Picture  KernelPicture
#define Mask     KernelMask
#define Point    KernelPoint
#define Vector   KernelVector
#define Matrix   KernelMatrix
#define Vec      KernelVec
#define Sphere   KernelSphere
#define Spheres  KernelSpheres
#define Camera   KernelCamera
#define Ray      KernelRay
#define Part     KernelPart
#define GLINT_KERNEL_TYPES_ONLY
#include "kernel/glint/kernel.h"
#undef Value
#undef CHANNELS
#undef Picture
#undef Mask
#undef Point
#undef Vector
#undef Matrix
#undef Vec
#undef Sphere
#undef Spheres
#undef Camera
#undef Ray
#undef Part

#endif
