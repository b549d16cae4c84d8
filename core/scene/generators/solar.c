/* solar.c: the sun, its planets where they were at noon of 1 January 2000, and asteroids without mass.
 * Lengths in astronomical units, times in Julian years, masses in suns. Orbits: E. M. Standish and J. G. Williams,
 * Approximate Positions of the Planets, Jet Propulsion Laboratory, table 1 (J2000.0, mean ecliptic); masses: the
 * International Astronomical Union's of 2009, each with its moons. */
#include "core/scene/generators/bodies.h"
#include "core/scene/generators/scenes.h"

enum { STREAM = 9 };

#define RADIANS  (3.14159265358979323846 / 180)
#define CONSTANT 39.4769264 /* (0.01720209895 * 365.25)^2: Gauss' */

typedef struct Values {
    double asteroids, seed;
} Values;

static const Param params[] = {
    {"asteroids", "number of asteroids between Mars and Jupiter", "", PARAM_WHOLE, offsetof(Values, asteroids), 0, 3000,
     1e6, 1000},
    {"seed", "seed of the random scenes", "", PARAM_WHOLE, offsetof(Values, seed), 0, 1, 4294967295, 1},
};

/* An ellipse: half its long axis, eccentricity, inclination; the longitudes of the body, of its perihelion and of its
 * ascending node. Degrees. */
typedef struct Orbit {
    double axis, eccentricity, inclination, longitude, nearest, node;
} Orbit;

static const struct {
    const char *name;
    Orbit orbit;
    double suns;   /* that have its mass, one over it */
    double radius; /* as it is drawn: hundreds of times too large, or nothing would be seen */
    Colour colour;
} planets[] = {
    {"Mercury",
     {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593},
     6023600,
     0.035,
     {0.72f, 0.66f, 0.6f}},
    {"Venus",
     {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255},
     408523.71,
     0.055,
     {1, 0.86f, 0.58f}},
    {"Earth", {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0}, 328900.56, 0.058, {0.35f, 0.6f, 1}},
    {"Mars",
     {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891},
     3098708,
     0.045,
     {1, 0.42f, 0.25f}},
    {"Jupiter",
     {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909},
     1047.3486,
     0.22,
     {0.95f, 0.76f, 0.56f}},
    {"Saturn",
     {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448},
     3497.898,
     0.2,
     {0.98f, 0.86f, 0.62f}},
    {"Uranus",
     {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503},
     22902.98,
     0.16,
     {0.6f, 0.9f, 0.95f}},
    {"Neptune",
     {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574},
     19412.24,
     0.16,
     {0.35f, 0.5f, 1}},
};
enum { PLANETS = sizeof planets / sizeof planets[0] };

static Status count(const void *values, size_t *spheres) {
    *spheres = 1 + PLANETS + (size_t)((const Values *)values)->asteroids;
    return STATUS_OK;
}

/* From the frame of an orbit, whose x points to its nearest place, to the scene's frame. There, the ecliptic is the
 * plane of x and z, with the equinox at x. Planets go round against the clock as y sees them. */
static Point from_orbit(const Orbit *orbit, double x, double y) {
    const double node = orbit->node * RADIANS, tilt = orbit->inclination * RADIANS,
                 turn = (orbit->nearest - orbit->node) * RADIANS;
    const double u = x * cos(turn) - y * sin(turn), v = x * sin(turn) + y * cos(turn);
    const double east = u * cos(node) - v * cos(tilt) * sin(node), north = u * sin(node) + v * cos(tilt) * cos(node);
    return (Point){east, v * sin(tilt), -north};
}

/* Kepler's equation by Newton's method; then where the body is, and how fast, around a sun and a mass like this. */
static void follow(const Orbit *orbit, double mass, OneBody *body) {
    const double mean = (orbit->longitude - orbit->nearest) * RADIANS, e = orbit->eccentricity;
    double anomaly = mean + e * sin(mean);
    for (int i = 0; i < 20; i++)
        anomaly -= (anomaly - e * sin(anomaly) - mean) / (1 - e * cos(anomaly));
    const double narrow = sqrt(1 - e * e), motion = sqrt(CONSTANT * (1 + mass) / pow(orbit->axis, 3)),
                 rate = orbit->axis * motion / (1 - e * cos(anomaly));
    body->at = from_orbit(orbit, orbit->axis * (cos(anomaly) - e), orbit->axis * narrow * sin(anomaly));
    body->velocity = from_orbit(orbit, -rate * sin(anomaly), rate * narrow * cos(anomaly));
}

static void put_asteroid(Scene *scene, size_t index, Pcg *pcg) {
    Orbit orbit = {.axis = 2.75 + 0.27 * random_normal(pcg)};
    orbit.eccentricity = 0.15 * random_share(pcg);
    orbit.inclination = 6 * fabs(random_normal(pcg));
    orbit.longitude = 360 * random_share(pcg);
    orbit.nearest = 360 * random_share(pcg);
    orbit.node = 360 * random_share(pcg);
    const float bright = (float)(0.25 + 0.4 * random_share(pcg));
    OneBody body = {.radius = 0.008, .colour = {bright, bright * 0.9f, bright * 0.8f}};
    follow(&orbit, 0, &body);
    bodies_put(scene, index, &body);
}

static Status generate(const void *values, Scene *scene) {
    const Gravity gravity = {.constant = (float)CONSTANT, .theta = 0.5f, .step = 0.002f, .substeps = 4};
    const OneBody sun = {.mass = 1, .radius = 0.14, .colour = {1, 0.92f, 0.7f}};
    Pcg pcg = pcg_seed((uint64_t)((const Values *)values)->seed, STREAM);
    TRY(bodies_begin(scene, 100, gravity));
    bodies_put(scene, 0, &sun);
    for (size_t i = 0; i < PLANETS; i++) {
        OneBody body = {.mass = 1 / planets[i].suns, .radius = planets[i].radius, .colour = planets[i].colour};
        follow(&planets[i].orbit, body.mass, &body);
        bodies_put(scene, 1 + i, &body);
    }
    for (size_t i = 1 + PLANETS; i < scene->count; i++)
        put_asteroid(scene, i, &pcg);
    bodies_centre(scene);
    bodies_look_from(scene, (Point){0, 4.2, 8.5}, 45);
    return STATUS_OK;
}

const SceneGenerator scene_solar = {"solar",
                                    "The sun, its planets on their orbits, and asteroids without mass.",
                                    {params, sizeof params / sizeof params[0], sizeof(Values)},
                                    count,
                                    generate};
