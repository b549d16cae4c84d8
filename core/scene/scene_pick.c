/* scene_pick.c: one ray against all there is. */
#include "core/scene/scene_pick.h"

#include <string.h>

Hit scene_closest_hit(const Scene *scene, Ray ray) {
    Hit hit = hit_start(ray);
    double nearest = (double)hit.distance;
    for (size_t i = 0; i < scene->count; i++) {
        double root = 0;
        if (i == ray.left)
            continue;
        const double distance = sphere_distance(&scene->spheres[i], ray, &root);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, (float)root, (uint32_t)i};
        }
    }
    for (size_t i = 0; i < scene->triangle_count; i++) {
        if (scene->count + i == ray.left)
            continue;
        const double distance = triangle_distance(&scene->triangles[i], ray);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, 0, (uint32_t)(scene->count + i)};
        }
    }
    const size_t before = scene->count + scene->triangle_count;
    for (size_t i = 0; i < scene->cylinder_count; i++) {
        if (before + i == ray.left)
            continue;
        const double distance = cylinder_distance(&scene->cylinders[i], ray);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, 0, (uint32_t)(before + i)};
        }
    }
    return hit;
}

static const ScenePart *part(const char *name) {
    return scene_part_by_name(name, strlen(name));
}

ScenePick scene_pick(const Scene *scene, Ray ray, bool shows_ground) {
    const Hit hit = scene_closest_hit(scene, ray);
    const float down = (scene->ground.height - ray.origin.y) / ray.direction.y; /* NaN along it */
    const bool on_ground = shows_ground && scene->has_ground && down > 0 && down < hit.distance;
    const float distance = on_ground ? down : hit.distance;
    const Vec at = vec_along(ray.origin, distance, ray.direction);
    if (on_ground)
        return (ScenePick){part("ground"), 0, at, distance};
    if (hit.index == HIT_NONE)
        return (ScenePick){.part = NULL};
    if (hit.index < scene->count)
        return (ScenePick){part("sphere"), hit.index, at, distance};
    const size_t index = hit.index - scene->count;
    return index < scene->triangle_count ? (ScenePick){part("triangle"), index, at, distance}
                                         : (ScenePick){part("cylinder"), index - scene->triangle_count, at, distance};
}
