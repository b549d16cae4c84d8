/* Rays and spheres: one pixel after the other, whose ray is tested against every sphere. */
#include <glint/kernel.h>

/* How far along the ray it hits the sphere, and half of the way through it; 0: it passes by. */
static int hit(Ray ray, Sphere sphere, float *distance, float *half) {
    const Vec to = {sphere.x - ray.origin.x, sphere.y - ray.origin.y, sphere.z - ray.origin.z};
    const float along = vec_dot(to, ray.direction);
    const Vec aside = vec_along(to, -along, ray.direction);
    const float rest = sphere.radius * sphere.radius - vec_dot(aside, aside);
    if (!(rest > 0))
        return 0;
    *half = sqrtf(rest);
    *distance = along - *half < ray.nearest ? along + *half : along - *half;
    return *distance >= ray.nearest;
}

KERNEL(trace, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++) {
            const Ray ray = camera_ray(camera, x, y);
            float nearest = INFINITY, cosine = 0, distance, half;
            int found = -1;
            for (int i = 0; i < spheres.count; i++)
                if (hit(ray, spheres.list[i], &distance, &half) && distance < nearest) {
                    nearest = distance;
                    cosine = half / spheres.list[i].radius;
                    found = i;
                }
            store(out, x, y, 0, found < 0 ? 0 : 255 * spheres.list[found].red * cosine);
            store(out, x, y, 1, found < 0 ? 0 : 255 * spheres.list[found].green * cosine);
            store(out, x, y, 2, found < 0 ? 0 : 255 * spheres.list[found].blue * cosine);
            if (CHANNELS == 4)
                store(out, x, y, 3, 255);
        }
}
