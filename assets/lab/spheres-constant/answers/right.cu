/* glint lab: spheres-constant */
#include <glint/kernel.h>

__constant__ Sphere constant_spheres[1024];

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

KERNEL(trace, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    const Ray ray = camera_ray(camera, x, y);
    float nearest = INFINITY, chord = 0;
    int found = -1;
    for (int i = 0; i < spheres.count; i++) {
        const Sphere sphere = constant_spheres[i];
        if (hit(ray, sphere, &nearest, &chord))
            found = i;
    }
    const Sphere none = {0}, sphere = found < 0 ? none : constant_spheres[found];
    const float cosine = found < 0 ? 0 : chord / sphere.radius;
    store(out, x, y, 0, 255 * sphere.red * cosine);
    store(out, x, y, 1, 255 * sphere.green * cosine);
    store(out, x, y, 2, 255 * sphere.blue * cosine);
}
