/* figure_light.c: sky, key and ground. */
#include "core/scene/figure_light.h"

#include "core/math/tone.h"

#include <math.h>

#define SKY       0.6F
#define KEY       0.4F  /* what a white surface facing it sends on */
#define KEY_ANGLE 15.0F /* degrees: shadows have soft edges */
#define PI_OF_KEY 3.14159265F

static float light_of(float value) {
    return (float)srgb_decode((double)value);
}

static Colour colour_light(Colour colour) {
    return (Colour){light_of(colour.red), light_of(colour.green), light_of(colour.blue)};
}

static Vec key_from(const Camera *camera) {
    const bool placed = camera->kind == CAMERA_PERSPECTIVE;
    const Vec right = placed ? camera->right : vec(1, 0, 0), up = placed ? camera->up : vec(0, 1, 0),
              forward = placed ? camera->forward : vec(0, 0, -1);
    return vec_unit(vec_along(vec_along(vec_times(right, -0.5F), 0.9F, up), -0.8F, forward));
}

Status figure_light(Scene *scene, const Camera *camera) {
    const Colour even = {SKY, SKY, SKY}, key = {KEY * PI_OF_KEY, KEY * PI_OF_KEY, KEY * PI_OF_KEY};
    for (size_t i = 0; i < scene->count; i++) {
        Sphere *s = &scene->spheres[i];
        const Colour colour = colour_light((Colour){s->red, s->green, s->blue});
        s->red = colour.red;
        s->green = colour.green;
        s->blue = colour.blue;
    }
    for (size_t i = 0; i < scene->triangle_count; i++)
        scene->triangles[i].colour = colour_light(scene->triangles[i].colour);
    for (size_t i = 0; i < scene->cylinder_count; i++)
        for (int k = 0; k < 2; k++)
            scene->cylinders[i].colours[k] = colour_light(scene->cylinders[i].colours[k]);
    scene->ground.even = colour_light(scene->ground.even);
    scene->ground.odd = colour_light(scene->ground.odd);
    scene->sky = (Sky){.kind = SKY_GRADIENT, .horizon = even, .zenith = even};
    scene->light_count = 0;
    return scene_add_light(scene, (Light){LIGHT_SUN, key_from(camera), key, KEY_ANGLE});
}

void figure_turn(Scene *scene, const Camera *camera) {
    scene->lights[0].at = key_from(camera);
}

float figure_sky(void) {
    return SKY;
}

bool figure_bounds(const Scene *scene, Vec *min, Vec *max) {
    *min = vec(INFINITY, INFINITY, INFINITY);
    *max = vec(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = 0; i < scene->count; i++) {
        const Sphere *s = &scene->spheres[i];
        const float r = s->radius;
        if (!(r > 0))
            continue;
        *min = vec(fminf(min->x, s->x - r), fminf(min->y, s->y - r), fminf(min->z, s->z - r));
        *max = vec(fmaxf(max->x, s->x + r), fmaxf(max->y, s->y + r), fmaxf(max->z, s->z + r));
    }
    for (size_t i = 0; i < scene->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const Vec p = scene->triangles[i].points[k];
            *min = vec(fminf(min->x, p.x), fminf(min->y, p.y), fminf(min->z, p.z));
            *max = vec(fmaxf(max->x, p.x), fmaxf(max->y, p.y), fmaxf(max->z, p.z));
        }
    for (size_t i = 0; i < scene->cylinder_count; i++) {
        Vec low, high;
        cylinder_bounds(&scene->cylinders[i], &low, &high);
        *min = vec(fminf(min->x, low.x), fminf(min->y, low.y), fminf(min->z, low.z));
        *max = vec(fmaxf(max->x, high.x), fmaxf(max->y, high.y), fmaxf(max->z, high.z));
    }
    return min->x <= max->x;
}

void figure_ground(Scene *scene) {
    const Colour white = {1, 1, 1};
    Vec min, max;
    if (!scene->has_ground)
        scene->ground.height = figure_bounds(scene, &min, &max) ? min.y : 0;
    scene->has_ground = true;
    scene->ground.even = scene->ground.odd = white;
    scene->ground.side = 1;
    scene->ground.material = 0;
}

Vec figure_open(const Scene *scene) {
    const Vec way = vec_unit(scene->lights[0].at);
    const float all = SKY + KEY * fmaxf(way.y, 0);
    return vec(all, all, all);
}
