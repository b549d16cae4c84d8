/* galaxies.c: a galaxy near equilibrium. It has an exponential disc, a bulge and a halo, with velocities from Jeans'
 * equations (Hernquist, N-body realizations of compound galaxies, ApJS 86, 1993). */
#include "core/scene/generators/bodies.h"

#define TURN 6.283185307179586476925

/* By disc: of the bulge and the halo the mass and the scale length; of all bodies the share. */
#define BULGE_MASS  0.3
#define BULGE_SIZE  0.25
#define BULGE_END   2.0 /* how far it reaches, in scale lengths of the disc */
#define BULGE_SHARE 0.15
#define HALO_MASS   6.0
#define HALO_SIZE   4.0
#define HALO_SHARE  0.25
#define HALO_END    12.0
#define DISC_END    5.0
#define DISC_HEIGHT 0.08
#define STABILITY   1.2  /* Toomre's Q */
#define ARM_SHIFT   0.55 /* radians that bodies are moved towards the arms at most */
#define ARM_WINDING 2.6  /* the cotangent of the arms' pitch */

enum { RADII = 400 };
#define RADIUS_MIN 1e-3
#define RADIUS_MAX 60.0

/* At radii whose logarithms are evenly spaced: speeds in the galaxy's field, taken for a round one. */
typedef struct Field {
    double mass[RADII], escape[RADII], bulge[RADII], halo[RADII]; /* speed; deviations along an axis */
} Field;

/* The mass within r of a sphere of density ~ 1 / (r (r + a)^3) (Hernquist, ApJ 356, 1990), and that density. */
static double round_mass(double mass, double size, double r) {
    return mass * r * r / ((r + size) * (r + size));
}
static double round_density(double size, double r) {
    return 1 / (r * pow(r + size, 3));
}
static double disc_mass(double r) {
    return 1 - (1 + r) * exp(-r);
}
static double mass_within(double r) {
    return disc_mass(fmin(r, DISC_END)) + round_mass(BULGE_MASS, BULGE_SIZE, fmin(r, BULGE_END)) +
           round_mass(HALO_MASS, HALO_SIZE, fmin(r, HALO_END));
}

static double radius_at(double i) {
    return RADIUS_MIN * pow(RADIUS_MAX / RADIUS_MIN, i / (RADII - 1));
}

/* From the outside in: escape from infinity, pressures from where there are bodies. */
static void make_field(Field *field) {
    double depth = mass_within(RADIUS_MAX) / RADIUS_MAX, bulge = 0, halo = 0;
    for (int i = RADII; i-- > 0;) {
        const double r = radius_at(i), wide = radius_at(i + 0.5) - radius_at(i - 0.5);
        const double pull = mass_within(r) / (r * r) * wide;
        depth += pull;
        bulge += r < BULGE_END ? pull * round_density(BULGE_SIZE, r) : 0;
        halo += r < HALO_END ? pull * round_density(HALO_SIZE, r) : 0;
        field->mass[i] = mass_within(r);
        field->escape[i] = sqrt(2 * depth);
        field->bulge[i] = sqrt(bulge / round_density(BULGE_SIZE, r));
        field->halo[i] = sqrt(halo / round_density(HALO_SIZE, r));
    }
}

static double look_up(const double *table, double r) {
    const double at = log(fmax(r, RADIUS_MIN) / RADIUS_MIN) / log(RADIUS_MAX / RADIUS_MIN) * (RADII - 1);
    const int i = at < RADII - 2 ? (int)at : RADII - 2;
    const double share = fmin(at - i, 1);
    return table[i] * (1 - share) + table[i + 1] * share;
}

/* Turns a point of the disc's own frame into the scene's. */
static Point tilted(const GalaxyPlan *plan, Point p) {
    const double c = cos(plan->node), s = sin(plan->node), ct = cos(plan->tilt), st = sin(plan->tilt);
    const double along = p.x * c + p.z * s, across = -p.x * s + p.z * c;
    const double turned = across * ct - p.y * st, up = across * st + p.y * ct;
    return (Point){along * c - turned * s, up, along * s + turned * c};
}

/* Puts a body of a galaxy of size 1 and mass 1 into the scene, as the plan scales, tilts and moves it. */
static void put(Scene *scene, const GalaxyPlan *plan, size_t index, OneBody body) {
    const double speed = sqrt(plan->mass / plan->size);
    const Point at = tilted(plan, body.at), velocity = tilted(plan, body.velocity);
    body.at = (Point){plan->at.x + at.x * plan->size, plan->at.y + at.y * plan->size, plan->at.z + at.z * plan->size};
    body.velocity = (Point){plan->velocity.x + velocity.x * speed, plan->velocity.y + velocity.y * speed,
                            plan->velocity.z + velocity.z * speed};
    body.mass *= plan->mass;
    bodies_put(scene, index, &body);
}

static double clamped(double value) {
    return fmin(fmax(value, 0), 1);
}

/* Between two colours, and brighter or darker. */
static Colour mixed(Colour a, Colour b, double share, double brightness) {
    const double s = clamped(share);
    return (Colour){(float)clamped(((double)a.red * (1 - s) + (double)b.red * s) * brightness),
                    (float)clamped(((double)a.green * (1 - s) + (double)b.green * s) * brightness),
                    (float)clamped(((double)a.blue * (1 - s) + (double)b.blue * s) * brightness)};
}

/* A body of the bulge or the halo: a random one of those within `end`, with speeds as normal as escape allows. */
static OneBody round_body(const Field *field, const double *deviation, double size, double end, Pcg *pcg) {
    const double share = end / (end + size), root = sqrt(random_share(pcg)) * share, r = size * root / (1 - root);
    const double spread = look_up(deviation, r), most = 0.95 * look_up(field->escape, r);
    OneBody body = {.at = random_direction(pcg, r)};
    do
        body.velocity = random_normals(pcg, spread);
    while (hypot(hypot(body.velocity.x, body.velocity.y), body.velocity.z) > most);
    return body;
}

/* So that disc_mass(r) is `share` of all. */
static double disc_radius(double share) {
    double low = 0, high = DISC_END;
    const double mass = share * disc_mass(DISC_END);
    for (int i = 0; i < 50; i++) {
        const double middle = (low + high) / 2;
        *(disc_mass(middle) < mass ? &low : &high) = middle;
    }
    return high;
}

/* Squares of the circular speed, and of the frequency of small radial swings. */
static double circular2(const Field *field, double r) {
    return look_up(field->mass, r) / r;
}
static double epicyclic2(const Field *field, double r) {
    const double step = 0.02 * r, slope = (circular2(field, r + step) - circular2(field, r - step)) / (2 * step);
    return 2 * circular2(field, r) / (r * r) + slope / r;
}

static OneBody disc_body(const Field *field, const GalaxyPlan *plan, Pcg *pcg) {
    const double r = fmax(disc_radius(random_share(pcg)), 0.02), angle = TURN * random_share(pcg);
    const double up = DISC_HEIGHT * atanh(1.98 * random_share(pcg) - 0.99);
    const double phase = 2 * (angle + ARM_WINDING * log(r)), fade = r * r / (0.5 + r * r);
    const double at = angle - ARM_SHIFT / 2 * fade * sin(phase),
                 near_arm = 0.5 + 0.5 * cos(2 * (at + ARM_WINDING * log(r)));
    const double density = exp(-r) / TURN, swing2 = fmax(epicyclic2(field, r), 1e-9), speed2 = circular2(field, r);
    const double radial = fmin(STABILITY * 3.36 * density / sqrt(swing2), 0.5 * sqrt(speed2));
    const double around = radial * sqrt(swing2 * r * r / (4 * speed2));
    const double drift2 = speed2 + radial * radial * (1 - swing2 * r * r / (4 * speed2) - 2 * r);
    const double out = radial * random_normal(pcg), along = sqrt(fmax(drift2, 0)) + around * random_normal(pcg);
    OneBody body = {.at = {r * cos(at), up, r * sin(at)}};
    body.velocity =
        (Point){out * cos(at) - along * sin(at), sqrt(TURN / 2 * density * DISC_HEIGHT) * random_normal(pcg),
                out * sin(at) + along * cos(at)};
    const double young = clamped(near_arm * fade + 0.25 * random_normal(pcg));
    const double brightness = 0.35 + 0.65 * random_share(pcg) * (0.5 + 0.5 * young);
    body.colour = mixed(plan->disc, plan->arms, young, brightness);
    body.radius = plan->radius * (young > 0.8 && random_share(pcg) < 0.06 ? 2.2 : 0.7 + 0.6 * random_share(pcg));
    if (young > 0.85 && random_share(pcg) < 0.05) /* where stars are born, hydrogen shines red */
        body.colour = (Colour){1, 0.32f, 0.42f};
    return body;
}

double galaxy_radius(size_t count, double wide) {
    return 0.3 * wide / sqrt((double)count * TURN / 2);
}

void galaxy_put(Scene *scene, const GalaxyPlan *plan, Pcg *pcg) {
    static const Colour pale = {1, 1, 1};
    Field field;
    const size_t bulge = (size_t)(BULGE_SHARE * (double)plan->count), halo = (size_t)(HALO_SHARE * (double)plan->count),
                 disc = plan->count - bulge - halo;
    make_field(&field);
    for (size_t i = 0; i < plan->count; i++) {
        OneBody body;
        if (i < disc) {
            body = disc_body(&field, plan, pcg);
            body.mass = disc_mass(DISC_END) / (double)disc;
        } else if (i < disc + bulge) {
            body = round_body(&field, field.bulge, BULGE_SIZE, BULGE_END, pcg);
            body.mass = round_mass(BULGE_MASS, BULGE_SIZE, BULGE_END) / (double)bulge;
            const double paler = 0.3 * random_share(pcg), brightness = 0.5 + 0.5 * random_share(pcg);
            body.colour = mixed(plan->bulge, pale, paler, brightness);
            body.radius = plan->radius * (0.6 + 0.5 * random_share(pcg));
        } else {
            body = round_body(&field, field.halo, HALO_SIZE, HALO_END, pcg);
            body.mass = round_mass(HALO_MASS, HALO_SIZE, HALO_END) / (double)halo;
        }
        put(scene, plan, plan->first + i, body);
    }
}
