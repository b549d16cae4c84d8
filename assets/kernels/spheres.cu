/* spheres.cu: one ray a pixel, and all spheres: from global memory, from constant memory, and in shared memory. */
#include <glint/kernel.h>

enum { BLOCK_X = 32, BLOCK_Y = 8, THREADS = BLOCK_X * BLOCK_Y };

__constant__ Sphere constant_spheres[1024];

/* The nearest sphere so far: how far along the ray, the cosine and the colour there. */
typedef struct Nearest {
    float distance, cosine, red, green, blue;
} Nearest;

static __device__ Nearest nothing() {
    const Nearest none = {INFINITY, 0, 0, 0, 0};
    return none;
}

static __device__ void offer(Nearest *nearest, Ray ray, Sphere sphere) {
    const Vec to = {sphere.x - ray.origin.x, sphere.y - ray.origin.y, sphere.z - ray.origin.z};
    const float along = vec_dot(to, ray.direction);
    const Vec aside = vec_along(to, -along, ray.direction);
    const float rest = sphere.radius * sphere.radius - vec_dot(aside, aside);
    if (!(rest > 0))
        return;
    const float half = sqrtf(rest);
    const float distance = along - half < ray.nearest ? along + half : along - half;
    if (distance < ray.nearest || distance >= nearest->distance)
        return;
    nearest->distance = distance;
    nearest->cosine = half / sphere.radius;
    nearest->red = sphere.red;
    nearest->green = sphere.green;
    nearest->blue = sphere.blue;
}

static __device__ void show(Picture out, int x, int y, Nearest nearest) {
    store(out, x, y, 0, 255 * nearest.red * nearest.cosine);
    store(out, x, y, 1, 255 * nearest.green * nearest.cosine);
    store(out, x, y, 2, 255 * nearest.blue * nearest.cosine);
    if (CHANNELS == 4)
        store(out, x, y, 3, 255);
}

KERNEL(trace, global, BLOCK_X, BLOCK_Y, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    const Ray ray = camera_ray(camera, x, y);
    Nearest nearest = nothing();
    for (int i = 0; i < spheres.count; i++)
        offer(&nearest, ray, spheres.list[i]);
    show(out, x, y, nearest);
}

/* ---- constant: all threads of a warp want the same sphere ---- */

KERNEL(trace, constant, BLOCK_X, BLOCK_Y, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    const Ray ray = camera_ray(camera, x, y);
    Nearest nearest = nothing();
    for (int i = 0; i < spheres.count; i++)
        offer(&nearest, ray, constant_spheres[i]);
    show(out, x, y, nearest);
}

/* ---- shared: a block reads spheres together, as many as it has threads, and goes through them. There is no limit ----
 */

KERNEL(trace, shared, BLOCK_X, BLOCK_Y, 1, 1, 0) {
    __shared__ Sphere some[THREADS];
    const int x = column(), y = row(), thread = threadIdx.y * BLOCK_X + threadIdx.x;
    const Ray ray = camera_ray(camera, x, y);
    Nearest nearest = nothing();
    for (int first = 0; first < spheres.count; first += THREADS) {
        if (first + thread < spheres.count)
            some[thread] = spheres.list[first + thread];
        __syncthreads();
        for (int i = 0; i < THREADS && first + i < spheres.count; i++)
            offer(&nearest, ray, some[i]);
        __syncthreads();
    }
    if (x < out.width && y < out.height)
        show(out, x, y, nearest);
}
