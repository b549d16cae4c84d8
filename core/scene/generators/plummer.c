/* plummer.c: Plummer's sphere in equilibrium, drawn as Aarseth, Henon and Wielen do (Astron. Astrophys. 37, 1974), in
 * units in which mass and G are 1 and the energy is -1/4 (Heggie and Mathieu, 1986). */
#include "core/scene/generators/bodies.h"
#include "core/scene/generators/scenes.h"

enum { STREAM = 8 };

#define SIZE (3 * 3.14159265358979323846 / 16) /* the scale length in these units */
#define END  10.0                              /* how far it reaches, in scale lengths */

typedef struct Values {
    double count, seed;
} Values;

static const Param params[] = {
    {"count", "number of bodies", "", PARAM_WHOLE, offsetof(Values, count), 1, 10000, 1e7, 1000},
    {"seed", "seed of the random scenes", "", PARAM_WHOLE, offsetof(Values, seed), 0, 1, 4294967295, 1},
};

static Status count(const void *values, size_t *spheres) {
    *spheres = (size_t)((const Values *)values)->count;
    return STATUS_OK;
}

/* By the escape speed: its density is q^2 (1 - q^2)^(7/2), at most 0.092. */
static double random_speed(Pcg *pcg) {
    double q, density;
    do {
        q = random_share(pcg);
        density = q * q * pow(1 - q * q, 3.5);
    } while (0.1 * random_share(pcg) > density);
    return q;
}

/* The tighter bound the redder, as in old clusters, whose heavy stars have sunk and swollen. */
static Colour colour_of(double r, Pcg *pcg) {
    const double cold = fmin(fmax(1.1 - 0.45 * r + 0.3 * random_normal(pcg), 0), 1);
    const double bright = 0.45 + 0.55 * random_share(pcg);
    return (Colour){(float)(bright * (0.62 + 0.38 * cold)), (float)(bright * (0.78 - 0.02 * cold)),
                    (float)(bright * (1 - 0.55 * cold))};
}

static Status generate(const void *values, Scene *scene) {
    const Gravity gravity = {.constant = 1, .softening = 0.02f, .theta = 0.7f, .step = 0.005f, .substeps = 1};
    Pcg pcg = pcg_seed((uint64_t)((const Values *)values)->seed, STREAM);
    TRY(bodies_begin(scene, 500, gravity));
    for (size_t i = 0; i < scene->count; i++) {
        double r;
        do
            r = 1 / sqrt(pow(random_share(&pcg), -2.0 / 3) - 1);
        while (r > END);
        const double escape = sqrt(2 / SIZE) * pow(1 + r * r, -0.25);
        OneBody body = {.at = random_direction(&pcg, r * SIZE), .mass = 1 / (double)scene->count};
        const double speed = random_speed(&pcg) * escape;
        body.velocity = random_direction(&pcg, speed);
        body.colour = colour_of(r, &pcg);
        body.radius = galaxy_radius(scene->count, 3) * (0.6 + 0.8 * random_share(&pcg));
        bodies_put(scene, i, &body);
    }
    bodies_centre(scene);
    bodies_look_from(scene, (Point){0, 0.6, 4}, 45);
    return STATUS_OK;
}

const SceneGenerator scene_plummer = {"plummer",
                                      "A round cluster of bodies that attract each other, in equilibrium.",
                                      {params, sizeof params / sizeof params[0], sizeof(Values)},
                                      count,
                                      generate};
