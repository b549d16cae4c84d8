/* glint/kernel.h: all that a kernel file of yours needs: in CUDA C (mine.cu), or in C for the CPU (mine.c).
 *
 * glint compiles the file for the pixels that it shall work on. `Value` and CHANNELS are therefore constants. It then
 * copies the pictures, launches the kernel over all pixels of the result, and compares the result with its own. */
#ifndef GLINT_KERNEL_H
#define GLINT_KERNEL_H

/* ---- pixels ---- */

typedef unsigned char u8;
typedef unsigned short u16;
typedef float f32;

#ifndef GLINT_TYPE /* for editors, and compilers without glint */
#    define GLINT_TYPE u8
#endif
#ifndef GLINT_CHANNELS
#    define GLINT_CHANNELS 3
#endif

typedef GLINT_TYPE Value;           /* as stored: u8, u16 or f32 */
enum { CHANNELS = GLINT_CHANNELS }; /* values a pixel: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha */

/* Value c of pixel (x, y) is values[y * stride + x * CHANNELS + c]. */
typedef struct Picture {
    Value *values;
    int width, height; /* pixels */
    int stride;        /* values from one row to the next */
    int border;        /* a BorderMode: the values beyond the edge */
    float outside;     /* the value there, of BORDER_CONSTANT; else 0 */
} Picture;

/* ---- the other parameters ---- */

/* The result of a convolution is (sum of weight * value) / divisor + bias. Weight (i, j) is weights[j * width + i]. Its
 * pixel is (x + i - width / 2, y + j - height / 2). */
typedef struct Mask {
    const float *weights;
    const float *across, *down; /* if separable: weight (i, j) is across[i] * down[j]; else NULL */
    int width, height;
    float divisor, bias;
    int separable;
} Mask;

/* scale * value + offset, in stored values. */
typedef struct Point {
    float scale, offset;
} Point;

typedef struct Vector {
    const float *values;
    int count;
} Vector;

/* The element in row y, column x is values[y * stride + x]. */
typedef struct Matrix {
    float *values;
    int width, height, stride;
} Matrix;

typedef struct Vec {
    float x, y, z;
} Vec;

/* A pixel shows the sphere that its ray hits first: 255 * red, green and blue, each times |cosine|. The angle is that
 * between the ray and the sphere's normal there. A pixel without a sphere is 0. Channel 3 is 255.
 * Spheres lie at multiples of 16 bytes: compilers make one load of a place with its radius. */
typedef struct __attribute__((aligned(16))) Sphere {
    float x, y, z, radius;  /* of radius 0: never hit */
    float red, green, blue; /* 0 to 1 */
    int material;
} Sphere;

typedef struct Spheres {
    const Sphere *list;
    int count;
} Spheres;

/* The ray of pixel (x, y) is camera_ray(camera, x, y). */
typedef struct Camera {
    float x, y;        /* the middle of the picture, in pixels */
    Vec from, forward; /* the ray there */
    Vec right, up;     /* its change from a pixel to the next */
    int parallel;      /* that change moves the ray; else it turns the ray */
    float nearest;     /* a ray sees nothing before this distance */
} Camera;

typedef struct Ray {
    Vec origin, direction; /* the direction has length 1 */
    float nearest;
} Ray;

/* CPU: rows y of the result with first <= y < last. For reduce and dot: elements of the vectors; for histogram, rows of
 * the picture. The call does this part, and other threads do the others. */
typedef struct Part {
    int first, last;
} Part;

/* ---- what a kernel does: KERNEL's first word, the parameters that come with it, and the result ---- */

/* clang-format off */
#define PARAMETERS_convolve  Picture in, Picture out, Mask mask              /* see Mask */
#define PARAMETERS_point     Picture in, Picture out, Point point            /* see Point */
#define PARAMETERS_reduce    Vector in, float *out                           /* a block's, or a part's, sum of values */
#define PARAMETERS_dot       Vector a, Vector b, float *out                  /* its sum of a.values[i] * b.values[i] */
#define PARAMETERS_blend     Picture a, Picture b, Picture out, float weight /* (1 - weight) * a + weight * b */
#define PARAMETERS_multiply  Matrix a, Matrix b, Matrix c                    /* c = a * b */
#define PARAMETERS_move      Picture in, Picture out                         /* transposed: out(x, y) = in(y, x) */
#define PARAMETERS_histogram Picture in, unsigned *counts                    /* u8: counts[256 * c + value], 0 at first */
#define PARAMETERS_trace     Spheres spheres, Camera camera, Picture out     /* see Sphere */
/* clang-format on */

/* clang-format off */
enum { GLINT_convolve, GLINT_point, GLINT_reduce, GLINT_dot, GLINT_blend, GLINT_multiply, GLINT_move, GLINT_histogram,
       GLINT_trace, GLINT_OPERATIONS };
/* clang-format on */
enum { GLINT_KERNEL_VERSION = 1, GLINT_KERNEL_WORDS = 8 };

#ifndef GLINT_KERNEL_TYPES_ONLY

/* KERNEL(operation, name, ...) opens a kernel: the next line is its body in braces. In C for the CPU nothing follows
 * the name, and the body has `part`. In CUDA these five numbers follow:
 *   - the threads of a block, in x and in y
 *   - the pixels of a thread, in x and in y
 *   - the bytes of dynamic shared memory, or HALO(bytes for each pixel of a block and each neighbour under the mask) */
/* There are enough blocks for all pixels of the result, all elements of reduce and dot, and all pixels of a histogram's
 * picture. */
/* A file with the line `__constant__ float constant_weights[N];` has the weights there, too. One with the line
 * `__constant__ Sphere constant_spheres[N];` has the spheres. */
#    if defined(__CUDACC__) || defined(__CUDA__)
#        define GLINT_INLINE static __device__ __forceinline__
#        define KERNEL(operation, name, block_x, block_y, pixels_x, pixels_y, shared)                                  \
            __constant__ int glint_kernel_##name[] =                                                                   \
                {GLINT_KERNEL_VERSION, GLINT_##operation, block_x, block_y, pixels_x, pixels_y,                        \
                 (int)(shared),        __LINE__};                                                                      \
            extern "C" __global__ void name(PARAMETERS_##operation)
#        define HALO(bytes) (-(int)(bytes))

#        ifndef INFINITY
#            define INFINITY __int_as_float(0x7f800000)
#        endif

/* The thread's place among all threads; with one pixel a thread, its pixel. */
GLINT_INLINE int column() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
GLINT_INLINE int row() {
    return blockIdx.y * blockDim.y + threadIdx.y;
}
#    else
#        include <math.h>
#        include <stddef.h>
#        define GLINT_INLINE static inline __attribute__((unused))
#        define KERNEL(operation, name)                                                                                \
            void name(PARAMETERS_##operation, Part part);                                                              \
            const int glint_kernel_##name[] = {GLINT_KERNEL_VERSION, GLINT_##operation, 1, 1, 1, 1, 0, __LINE__};      \
            void name(PARAMETERS_##operation, Part part)
#    endif

/* ---- reading and writing pixels ---- */

typedef enum BorderMode { BORDER_ZERO, BORDER_CONSTANT, BORDER_CLAMP, BORDER_MIRROR, BORDER_WRAP } BorderMode;

/* The type to add in. It is double for u16, of which sums in float would round differently. */
#    define GLINT_SUM_u8         float
#    define GLINT_SUM_u16        double
#    define GLINT_SUM_f32        float
#    define GLINT_PASTE(a, b)    a##b
#    define GLINT_OF(name, type) GLINT_PASTE(name, type)
typedef GLINT_OF(GLINT_SUM_, GLINT_TYPE) Sum;

/* Rounded to the nearest whole number, halves to the even one, within 0 to white; f32 stays as it is. NaN becomes 0. */
GLINT_INLINE Value glint_rounded(Sum v, Sum white) {
    v = v > 0 ? v : 0;
    v = v < white ? v : white;
    return (Value)(int)(sizeof v == sizeof(float) ? rintf((float)v) : rint((double)v));
}
#    define GLINT_STORED_u8(v)  glint_rounded(v, 255)
#    define GLINT_STORED_u16(v) glint_rounded(v, 65535)
#    define GLINT_STORED_f32(v) (v)

GLINT_INLINE void store(Picture out, int x, int y, int c, Sum v) {
    out.values[(long long)y * out.stride + x * CHANNELS + c] = GLINT_OF(GLINT_STORED_, GLINT_TYPE)(v);
}

/* A value inside the picture. */
GLINT_INLINE Value at(Picture in, int x, int y, int c) {
    return in.values[(long long)y * in.stride + x * CHANNELS + c];
}

/* Coordinate i, which may lie outside, within 0 to n - 1; -1: the value is in.outside. */
GLINT_INLINE int border_index(int mode, int i, int n) {
    if (i >= 0 && i < n)
        return i;
    if (mode == BORDER_CLAMP)
        return i < 0 ? 0 : n - 1;
    if (mode == BORDER_WRAP)
        return i % n < 0 ? i % n + n : i % n;
    if (mode == BORDER_MIRROR) { /* about the edge pixel, which is not repeated */
        const int period = n > 1 ? 2 * n - 2 : 1, r = i % period < 0 ? i % period + period : i % period;
        return r < n ? r : period - r;
    }
    return -1;
}

/* Any value: beyond the edge, as the picture's border says. */
GLINT_INLINE float load(Picture in, int x, int y, int c) {
    x = border_index(in.border, x, in.width);
    y = border_index(in.border, y, in.height);
    return x < 0 || y < 0 ? in.outside : (float)at(in, x, y, c);
}

/* ---- rays ---- */

GLINT_INLINE Vec vec_along(Vec a, float t, Vec b) { /* a + t * b */
    Vec v;
    v.x = a.x + t * b.x;
    v.y = a.y + t * b.y;
    v.z = a.z + t * b.z;
    return v;
}
GLINT_INLINE float vec_dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

GLINT_INLINE Ray camera_ray(Camera camera, int x, int y) {
    const Vec zero = {0, 0, 0}, base = camera.parallel ? camera.from : camera.forward;
    const Vec moved = vec_along(vec_along(base, (float)x - camera.x, camera.right), camera.y - (float)y, camera.up);
    Ray ray;
    ray.origin = camera.parallel ? moved : camera.from;
    ray.direction = camera.parallel ? camera.forward : vec_along(zero, 1 / sqrtf(vec_dot(moved, moved)), moved);
    ray.nearest = camera.nearest;
    return ray;
}

#endif
#endif
