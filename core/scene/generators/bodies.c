/* bodies.c: putting bodies into a scene, and drawing them at random. */
#include "core/scene/generators/bodies.h"

#include "core/ops/nbody.h"

#define TURN 6.283185307179586476925

Status bodies_begin(Scene *scene, float scale, Gravity gravity) {
    const Material shine = {.kind = MATERIAL_LIGHT, .refraction = 1, .emission = 0.6f};
    uint32_t material;
    TRY(bodies_create(scene->count, scale, &scene->bodies));
    TRY(scene_add_material(scene, shine, &material));
    for (size_t i = 0; i < scene->count; i++)
        scene->spheres[i].material = material;
    scene->gravity = gravity;
    scene->sky = (Sky){.kind = SKY_GRADIENT};
    return STATUS_OK;
}

void bodies_put(Scene *scene, size_t index, const OneBody *body) {
    const ImageView state = scene->bodies->state->view;
    const float scale = scene->bodies->scale;
    Sphere *sphere = &scene->spheres[index];
    Body *place = &nbody_row(state, NBODY_PLACES)[index];
    *place = (Body){(float)body->at.x, (float)body->at.y, (float)body->at.z, (float)body->mass};
    nbody_row(state, NBODY_VELOCITIES)[index] =
        (Body){(float)body->velocity.x, (float)body->velocity.y, (float)body->velocity.z, 0};
    *sphere = (Sphere){.x = place->x * scale,
                       .y = place->y * scale,
                       .z = place->z * scale,
                       .radius = (float)body->radius * scale,
                       .red = body->colour.red,
                       .green = body->colour.green,
                       .blue = body->colour.blue,
                       .material = sphere->material};
}

/* Takes the mean, by mass, out of a row. */
static void centre_row(ImageView state, size_t row) {
    const Body *places = nbody_row(state, NBODY_PLACES);
    Body *values = nbody_row(state, row);
    double mass = 0, x = 0, y = 0, z = 0;
    for (size_t i = 0; i < state.shape.width; i++) {
        const double m = (double)places[i].w;
        mass += m;
        x += m * (double)values[i].x;
        y += m * (double)values[i].y;
        z += m * (double)values[i].z;
    }
    for (size_t i = 0; i < state.shape.width && mass > 0; i++) {
        values[i].x -= (float)(x / mass);
        values[i].y -= (float)(y / mass);
        values[i].z -= (float)(z / mass);
    }
}

void bodies_centre(Scene *scene) {
    centre_row(scene->bodies->state->view, NBODY_VELOCITIES);
    centre_row(scene->bodies->state->view, NBODY_PLACES);
    scene_count_move(scene);
    scene_place_bodies(scene);
}

void bodies_look_from(Scene *scene, Point from, float angle) {
    const float scale = scene->bodies->scale;
    scene->viewpoint =
        (Viewpoint){{(float)from.x * scale, (float)from.y * scale, (float)from.z * scale}, {0, 0, 0}, {0, 1, 0}, angle};
    scene->has_viewpoint = true;
}

double random_share(Pcg *pcg) {
    return ((double)pcg_next(pcg) + 0.5) * 0x1p-32;
}

/* Box and Muller, A Note on the Generation of Random Normal Deviates, 1958. */
double random_normal(Pcg *pcg) {
    const double length = sqrt(-2 * log(random_share(pcg)));
    return length * cos(TURN * random_share(pcg));
}

Point random_direction(Pcg *pcg, double length) {
    const double y = 2 * random_share(pcg) - 1;
    const double turn = TURN * random_share(pcg), level = length * sqrt(1 - y * y);
    return (Point){level * cos(turn), length * y, level * sin(turn)};
}

/* One after the other, so that all compilers draw alike. */
Point random_normals(Pcg *pcg, double deviation) {
    const double x = deviation * random_normal(pcg), y = deviation * random_normal(pcg),
                 z = deviation * random_normal(pcg);
    return (Point){x, y, z};
}
