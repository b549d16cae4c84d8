/* host_device.h: arithmetic shared by every backend.
 * The headers of core/math/ compile as C17 and in the dialect of C of a GPU, so that a formula exists once. The backend
 * of such a GPU defines the macros below before this header is read (gpu/host_device.h), and GLINT_ON_DEVICE where it
 * compiles for the device. */
#ifndef GLINT_CORE_MATH_HOST_DEVICE_H
#define GLINT_CORE_MATH_HOST_DEVICE_H

#ifndef GLINT_HD
#    define GLINT_HD static inline
#endif

/* Defines `name`, which reads a struct of a multiple of 16 bytes that lies at a multiple of 16. GPUs do it by a load
 * for each 16, where the compiler takes four. */
#ifndef GLINT_HD_READER
#    define GLINT_HD_READER(type, name)                                                                                \
        GLINT_HD type name(const type *from) {                                                                         \
            return *from;                                                                                              \
        }
#endif

#endif
