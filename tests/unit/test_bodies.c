/* test_bodies.c: scenes of bodies that attract each other: their first state, and that they keep to it. */
#include "app/backends.h"
#include "core/base/stop.h"
#include "core/device/backend.h"
#include "core/ops/nbody.h"
#include "core/run/simulation.h"
#include "core/scene/scene_text.h"
#include "core/stage/op.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/check.h"

typedef struct Host {
    Device *device;
    Queue *queue;
} Host;

static Host open_host(int threads) {
    Host host;
    assert_int_equal(backend_by_name("cpu")->open(0, threads, &host.device), STATUS_OK);
    assert_int_equal(queue_open(host.device, &host.queue), STATUS_OK);
    return host;
}

static void close_host(Host *host) {
    queue_close(&host->queue);
    device_close(&host->device);
}

static Scene *open_scene(const char *text) {
    Scene *scene;
    if (scene_text_open(text, &scene) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return scene;
}

static const Body *row_of(const Scene *scene, size_t row) {
    return nbody_row(scene->bodies->state->view, row);
}

static void advance(Scene *scene, unsigned steps, Host host) {
    Simulation *simulation = NULL;
    assert_int_equal(simulation_begin(&simulation, scene->bodies, host.queue), STATUS_OK);
    assert_int_equal(simulation_advance(simulation, &scene->gravity, steps), STATUS_OK);
    assert_int_equal(simulation_close(&simulation), STATUS_OK);
}

static bool same_state(const Scene *a, const Scene *b) {
    const Shape shape = a->bodies->state->view.shape;
    return shape_equal(shape, b->bodies->state->view.shape) &&
           memcmp(a->bodies->state->view.pixels, b->bodies->state->view.pixels, shape_bytes(shape)) == 0;
}

static void seeds_give_equal_scenes(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"plummer=300", "plummer=300:seed=2"},
                                           {"galaxy=500", "galaxy=500:seed=2"},
                                           {"collision=500", "collision=500:seed=2"},
                                           {"solar=50", "solar=50:seed=2"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        Scene *one = open_scene(pairs[i][0]), *same = open_scene(pairs[i][0]), *other = open_scene(pairs[i][1]);
        assert_true(same_state(one, same));
        assert_memory_equal(one->spheres, same->spheres, one->count * sizeof *one->spheres);
        assert_false(same_state(one, other));
        scene_destroy(&one);
        scene_destroy(&same);
        scene_destroy(&other);
    }
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const char *const scenes[] = {"plummer=0",
                                         "galaxy=0",
                                         "collision=1",
                                         "solar=-1",
                                         "spheres,gravity=theta=1",
                                         "galaxy,gravity=theta=-1",
                                         "galaxy,gravity=substeps=0"};
    Scene *scene;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        assert_int_equal(scene_text_open(scenes[i], &scene), STATUS_USAGE);
    const Shape good = nbody_shape(3);
    Shape in[STAGE_INPUTS] = {good}, out;
    NbodyJob job = {.gravity = 1};
    assert_int_equal(op_nbody.shape(&job, in, PIXEL_F32, &out), STATUS_OK);
    assert_true(shape_equal(out, good));
    assert_int_equal(op_nbody.shape(&job, in, PIXEL_U8, &out), STATUS_USAGE);
    in[0].height = 2;
    assert_int_equal(op_nbody.shape(&job, in, PIXEL_F32, &out), STATUS_USAGE);
    in[0] = (Shape){3, NBODY_ROWS, 3, PIXEL_F32};
    assert_int_equal(op_nbody.shape(&job, in, PIXEL_F32, &out), STATUS_USAGE);
    in[0] = good;
    job.softening = -1;
    assert_int_equal(op_nbody.shape(&job, in, PIXEL_F32, &out), STATUS_USAGE);
    job = (NbodyJob){.gravity = 1, .theta = NAN};
    assert_int_equal(op_nbody.shape(&job, in, PIXEL_F32, &out), STATUS_USAGE);
    job = (NbodyJob){.gravity = 1, .step = INFINITY};
    assert_int_equal(op_nbody.shape(&job, in, PIXEL_F32, &out), STATUS_USAGE);
}

static void gravity_is_a_part_of_the_scene(void **state) {
    (void)state;
    Scene *scene = open_scene("galaxy=200,gravity=theta=0.25:step=0.01:softening=0.125:substeps=3");
    assert_true(scene->gravity.theta == 0.25f && scene->gravity.step == 0.01f && scene->gravity.softening == 0.125f);
    assert_int_equal(scene->gravity.substeps, 3);
    assert_true(scene->gravity.constant == 1);
    scene_destroy(&scene);
}

/* Second moments of the textbooks, length 2: a rod along a diagonal, two bodies, a cube that is filled. */
static void cells_are_as_wide_as_their_quadrupoles(void **state) {
    (void)state;
    const float rod = 4 / 12.0f / 3, ends = 1, cube = 4 / 12.0f;
    const Spread diagonal = {rod, rod, rod, rod, rod, -rod}, two = {.yy = ends}, filled = {cube, cube, cube, 0, 0, 0};
    assert_true(fabsf(gravity_width(diagonal) - 2) < 1e-4f);
    assert_true(fabsf(gravity_width(two) - 2 * sqrtf(3)) < 1e-4f);
    assert_true(fabsf(gravity_width(filled) - 2) < 1e-6f);
    assert_true(gravity_width((Spread){0}) == 0);
}

/* Half of the bodies that are seen are nearer to the axis of the disc than that. */
static double median_radius(const Scene *scene) {
    double low = 0, high = 100;
    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2;
        size_t inside = 0, seen = 0;
        for (size_t k = 0; k < scene->count; k++) {
            const Body *place = &row_of(scene, NBODY_PLACES)[k];
            seen += scene->spheres[k].radius > 0;
            inside += scene->spheres[k].radius > 0 && hypot((double)place->x, (double)place->z) < middle;
        }
        *(2 * inside < seen ? &low : &high) = middle;
    }
    return high;
}

/* Twice the kinetic energy and the potential one add up to nothing (the virial theorem). Nothing falls in or flies
 * apart while the disc turns. */
static void a_galaxy_is_near_equilibrium(void **state) {
    (void)state;
    Host host = open_host(2);
    Scene *scene = open_scene("galaxy=4000");
    advance(scene, 0, host);
    const BodiesTotals begun = bodies_totals(scene->bodies);
    const double radius = median_radius(scene);
    assert_true(fabs(-2 * begun.kinetic / begun.potential - 1) < 0.15);
    assert_true(begun.angular[1] < 0); /* from x towards z */
    advance(scene, 150, host);
    const BodiesTotals now = bodies_totals(scene->bodies);
    assert_true(fabs(median_radius(scene) / radius - 1) < 0.15);
    assert_true(fabs(bodies_energy_drift(scene->bodies, &now)) < 0.02);
    assert_true(bodies_momentum_drift(scene->bodies, &now) < 0.01);
    scene_destroy(&scene);
    close_host(&host);
}

/* Distances from the sun at J2000.0 by the Jet Propulsion Laboratory's Horizons: Earth 0.98333, Jupiter 4.9654, Neptune
 * 30.1206. A year later the Earth is where it was. */
static void planets_are_where_they_were(void **state) {
    (void)state;
    Host host = open_host(1);
    Scene *scene = open_scene("solar=20,gravity=step=0.002");
    const struct {
        size_t number;
        double distance, within;
    } rows[] = {{3, 0.98333, 2e-4}, {5, 4.9654, 3e-3}, {8, 30.1206, 2e-2}};
    const Body *x = row_of(scene, NBODY_PLACES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Body *planet = &x[rows[i].number];
        const double away =
            hypot(hypot((double)(planet->x - x[0].x), (double)(planet->y - x[0].y)), (double)(planet->z - x[0].z));
        if (!(fabs(away - rows[i].distance) < rows[i].within))
            fail_msg("planet %zu is %.6f away, want %g", rows[i].number, away, rows[i].distance);
    }
    const Body earth = x[3];
    assert_true(x[9].w == 0); /* an asteroid */
    advance(scene, 500, host);
    x = row_of(scene, NBODY_PLACES);
    assert_true(hypot((double)(x[3].x - earth.x), (double)(x[3].z - earth.z)) < 0.03);
    assert_true(hypot((double)x[0].x, (double)x[0].z) < 0.02); /* the sun */
    scene_destroy(&scene);
    close_host(&host);
}

static void threads_change_no_bit(void **state) {
    (void)state;
    Host one = open_host(1), three = open_host(3);
    Scene *a = open_scene("galaxy=9000"), *b = open_scene("galaxy=9000");
    advance(a, 2, one);
    advance(b, 2, three);
    assert_true(same_state(a, b));
    Simulation *simulation = NULL;
    assert_int_equal(simulation_begin(&simulation, a->bodies, one.queue), STATUS_OK);
    assert_int_equal(simulation_show(simulation, a), STATUS_OK);
    assert_int_equal(simulation_close(&simulation), STATUS_OK);
    assert_true(a->moves > b->moves);
    assert_true(a->spheres[7].x == row_of(a, NBODY_PLACES)[7].x * a->bodies->scale);
    scene_destroy(&a);
    scene_destroy(&b);
    close_host(&one);
    close_host(&three);
}

static void a_stop_leaves_them_where_they_were(void **state) {
    (void)state;
    Host host = open_host(1);
    Scene *scene = open_scene("plummer=100"), *same = open_scene("plummer=100");
    Stop stop;
    atomic_init(&stop.asked, true);
    host.queue->stop = &stop;
    Simulation *simulation = NULL;
    assert_int_equal(simulation_begin(&simulation, scene->bodies, host.queue), STATUS_OK);
    assert_int_equal(simulation_advance(simulation, &scene->gravity, 3), STATUS_INTERRUPTED);
    assert_int_equal(simulation_close(&simulation), STATUS_OK);
    assert_memory_equal(row_of(scene, NBODY_PLACES), row_of(same, NBODY_PLACES), 100 * sizeof(Body));
    assert_true(scene->bodies->time <= 0 && !scene->bodies->known);
    host.queue->stop = NULL;
    advance(scene, 3, host);
    assert_true(scene->bodies->time > 0);
    scene_destroy(&scene);
    scene_destroy(&same);
    close_host(&host);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_give_equal_scenes),        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(gravity_is_a_part_of_the_scene), cmocka_unit_test(cells_are_as_wide_as_their_quadrupoles),
        cmocka_unit_test(a_galaxy_is_near_equilibrium),   cmocka_unit_test(planets_are_where_they_were),
        cmocka_unit_test(threads_change_no_bit),          cmocka_unit_test(a_stop_leaves_them_where_they_were),
    };
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
