/* glint lab: spheres-shared */
#include <glint/kernel.h>

/* Whether the ray hits the sphere nearer than before; if so, how far along it, and half of the way through the sphere. */
static __device__ bool hit(Ray ray, Sphere sphere, float *nearest, float *chord) {
    const Vec to = {sphere.x - ray.origin.x, sphere.y - ray.origin.y, sphere.z - ray.origin.z};
    const float along = vec_dot(to, ray.direction);
    const Vec aside = vec_along(to, -along, ray.direction);
    const float rest = sphere.radius * sphere.radius - vec_dot(aside, aside);
    if (!(rest > 0))
        return false;
    const float half = sqrtf(rest), distance = along - half < ray.nearest ? along + half : along - half;
    if (!(distance >= ray.nearest && distance < *nearest))
        return false;
    *nearest = distance;
    *chord = half;
    return true;
}

enum { BLOCK_X = 32, BLOCK_Y = 8, AT_ONCE = 128 };

KERNEL(trace, mine, BLOCK_X, BLOCK_Y, 1, 1, 0) {
    __shared__ float4 list[AT_ONCE]; /* middles and radii */
    const int x = column(), y = row(), thread = threadIdx.y * BLOCK_X + threadIdx.x;
    const Ray ray = camera_ray(camera, x, y);
    float nearest = INFINITY, chord = 0;
    int found = -1;
    for (int first = 0; first < spheres.count; first += AT_ONCE) {
        const int count = min(AT_ONCE, spheres.count - first);
        __syncthreads();
        if (thread < count) {
            const Sphere sphere = spheres.list[first + thread];
            list[thread] = make_float4(sphere.x, sphere.y, sphere.z, sphere.radius);
        }
        __syncthreads();
        for (int i = 0; i < count; i++) {
            const float4 ball = list[i];
            const Sphere sphere = {ball.x, ball.y, ball.z, ball.w};
            if (hit(ray, sphere, &nearest, &chord))
                found = first + i;
        }
    }
    if (x >= out.width || y >= out.height)
        return;
    const Sphere none = {0}, sphere = found < 0 ? none : spheres.list[found];
    const float cosine = found < 0 ? 0 : chord / sphere.radius;
    store(out, x, y, 0, 255 * sphere.red * cosine);
    store(out, x, y, 1, 255 * sphere.green * cosine);
    store(out, x, y, 2, 255 * sphere.blue * cosine);
}
