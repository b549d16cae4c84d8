/* nbody.c: bodies that fill no vector, several groups, several blocks of sources; and the laws of physics for them. */
#include "core/ops/nbody.h"
#include "core/scene/scene_open.h"
#include "tests/levels/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static Stage stage_over(const NbodyJob *job, size_t bodies) {
    Stage stage = {.op = &op_nbody, .label = "bodies", .job = job};
    stage.in[0].shape = nbody_shape(bodies);
    REQUIRE(op_nbody.shape(job, &stage.in[0].shape, PIXEL_F32, &stage.out.shape));
    return stage;
}

static void many_and_few(void **state) {
    static const size_t counts[] = {1, 2, 15, 16, 17, 31, 33, 63, 65, 129, 1025, 2500};
    static const float thetas[] = {0, 0.5f, 1};
    for (size_t i = is_quick() ? 5 : 0; i < (is_quick() ? 9 : sizeof counts / sizeof counts[0]); i++)
        for (int t = 0; t < 3; t++) {
            const NbodyJob job = {.steps = (unsigned)t,
                                  .potential = t != 2,
                                  .step = 0.005f,
                                  .gravity = 1 / (float)counts[i],
                                  .softening = 0.03f,
                                  .theta = thetas[t]};
            const Stage stage = stage_over(&job, counts[i]);
            check_case(*state, &stage);
        }
}

/* ---- states of our own, on every level ---- */

typedef struct Run {
    Queue *queue;
    const Level *level;
} Run;

/* The state that a level makes of another one; the caller frees it. */
static Image *moved(Run run, ImageView from, NbodyJob job) {
    const Backend *backend = run.queue->device->backend;
    Stage stage = stage_over(&job, from.shape.width);
    Image *result;
    REQUIRE(backend->frame_create(run.queue->device, from.shape, &stage.in[0]));
    REQUIRE(backend->frame_create(run.queue->device, from.shape, &stage.out));
    REQUIRE(backend->upload(run.queue, from, stage.in[0]));
    REQUIRE(level_run(run.level, run.queue, &stage));
    REQUIRE(image_create(from.shape, &result));
    REQUIRE(backend->download(run.queue, stage.out, result->view));
    REQUIRE(backend->sync(run.queue));
    backend->frame_destroy(run.queue->device, &stage.in[0]);
    backend->frame_destroy(run.queue->device, &stage.out);
    return result;
}

typedef void Check(Run run);

static void on_every_level(void **state, const char *lowest, Check *check) {
    Bench *benches = *state;
    for (size_t b = 0; b < backend_count(); b++) {
        const Level *level;
        if (!benches[b].queue)
            continue;
        for (size_t i = first_rung(backend_at(b), &op_nbody, lowest);
             (level = ladder_level(backend_at(b), &op_nbody, i)); i++)
            check((Run){benches[b].queue, level});
    }
}

static Image *state_of(size_t count, const Body *places, const Body *velocities) {
    Image *made;
    REQUIRE(image_create(nbody_shape(count), &made));
    memcpy(nbody_row(made->view, NBODY_PLACES), places, count * sizeof *places);
    if (velocities)
        memcpy(nbody_row(made->view, NBODY_VELOCITIES), velocities, count * sizeof *velocities);
    return made;
}

#define NEAR(a, b, within)                                                                                             \
    do {                                                                                                               \
        if (!(fabs((double)(a) - (double)(b)) <= (within)))                                                            \
            fail_msg("%s: %s is %.9g, want %.9g", run.level->name, #a, (double)(a), (double)(b));                      \
    } while (0)

/* By hand: masses 3 and 4 at a distance of 2, e 0, G 2: 2 * 4 / 4 and 2 * 3 / 4; potentials -2 * 4 / 2, -2 * 3 / 2. */
static void two_bodies_pull(Run run) {
    const Body places[] = {{0, 0, 0, 3}, {0, 2, 0, 4}};
    Image *before = state_of(2, places, NULL);
    Image *after = moved(run, before->view, (NbodyJob){.potential = true, .gravity = 2, .theta = 0.5f});
    const Body *a = nbody_row(after->view, NBODY_ACCELERATIONS);
    NEAR(a[0].y, 2, 2e-6);
    NEAR(a[1].y, -1.5, 2e-6);
    NEAR(a[0].x, 0, 0);
    NEAR(a[0].w, -4, 4e-6);
    NEAR(a[1].w, -3, 3e-6);
    image_destroy(&before);
    image_destroy(&after);
}

/* Three bodies are at one place, one of them without mass, and a fourth is apart. With e 0.5, each of the two has the
 * potential of the other, m / e. */
static void bodies_at_one_place(Run run) {
    const Body places[] = {{1, 1, 1, 2}, {1, 1, 1, 5}, {1, 1, 1, 0}, {1, 1, 4, 1}};
    const double away = sqrt(9 + 0.25), cube = away * away * away;
    Image *before = state_of(4, places, NULL);
    Image *after =
        moved(run, before->view, (NbodyJob){.potential = true, .gravity = 1, .softening = 0.5f, .theta = 0.5f});
    const Body *a = nbody_row(after->view, NBODY_ACCELERATIONS);
    NEAR(a[0].z, 3 / cube, 1e-6);
    NEAR(a[2].z, 3 / cube, 1e-6);
    NEAR(a[3].z, -7 * 3 / cube, 4e-6);
    NEAR(a[0].w, -(5 / 0.5 + 1 / away), 2e-5);
    NEAR(a[1].w, -(2 / 0.5 + 1 / away), 2e-5);
    NEAR(a[2].w, -(7 / 0.5 + 1 / away), 3e-5);
    NEAR(a[3].w, -7 / away, 1e-5);
    image_destroy(&before);
    image_destroy(&after);
}

/* Without softening, too, nothing becomes infinite; one alone goes straight on. */
static void bodies_without_forces(Run run) {
    const Body places[] = {{1, 2, 3, 7}, {1, 2, 3, 7}}, velocities[] = {{4, 0, -8, 0.5f}, {4, 0, -8, 2}};
    for (size_t count = 1; count <= 2; count++) {
        Image *before = state_of(count, places, velocities);
        Image *after = moved(run, before->view, (NbodyJob){.steps = 2, .step = 0.125f, .gravity = 1, .theta = 0.5f});
        const Body *x = nbody_row(after->view, NBODY_PLACES), *v = nbody_row(after->view, NBODY_VELOCITIES);
        NEAR(x[count - 1].x, 2, 0);
        NEAR(x[count - 1].z, 1, 0);
        NEAR(v[0].x, 4, 0);
        NEAR(v[0].w, 0.5, 0);
        NEAR(x[0].w, 7, 0);
        image_destroy(&before);
        image_destroy(&after);
    }
}

/* A circle of two masses of 0.5 at a distance of 1, G 1: Kepler's period is 2 pi (r^3 / (G M))^(1/2) = 2 pi. After it
 * they are where they were, but for (2 pi)^3 / (3 n^2) radians that leapfrog falls behind in n steps. */
static void a_circle_takes_keplers_period(Run run) {
    enum { STEPS = 500 };
    const Body places[] = {{0.5f, 0, 0, 0.5f}, {-0.5f, 0, 0, 0.5f}}, velocities[] = {{0, 0.5f, 0, 0}, {0, -0.5f, 0, 0}};
    NbodyJob job = {.gravity = 1, .theta = 0.3f};
    Image *before = state_of(2, places, velocities), *known = moved(run, before->view, job);
    job.steps = STEPS;
    job.step = (float)(2 * PI / STEPS);
    Image *after = moved(run, known->view, job);
    const Body *x = nbody_row(after->view, NBODY_PLACES);
    NEAR(x[0].x, 0.5, 1e-4);
    NEAR(x[0].y, -0.5 * pow(2 * PI, 3) / (3.0 * STEPS * STEPS), 3e-5);
    NEAR(x[1].x, -x[0].x, 1e-5);
    image_destroy(&before);
    image_destroy(&known);
    image_destroy(&after);
}

/* A Plummer sphere of the scene, forwards and back: leapfrog is its own inverse but for rounding. */
static void leapfrog_goes_back(Run run) {
    Scene *scene;
    REQUIRE(scene_open("plummer=200:seed=3", &scene));
    NbodyJob job = {.gravity = 1, .softening = 0.05f, .theta = 0};
    Image *begun = moved(run, scene->bodies->state->view, job);
    job.steps = 100;
    job.step = 0.01f;
    Image *there = moved(run, begun->view, job);
    job.step = -0.01f;
    Image *back = moved(run, there->view, job);
    double farthest = 0, moved_by = 0;
    for (size_t i = 0; i < 200; i++)
        for (int c = 0; c < 3; c++) {
            const double was = view_value(begun->view, i, NBODY_PLACES, c);
            farthest = fmax(farthest, fabs(view_value(back->view, i, NBODY_PLACES, c) - was));
            moved_by = fmax(moved_by, fabs(view_value(there->view, i, NBODY_PLACES, c) - was));
        }
    assert_true(moved_by > 0.5);
    NEAR(farthest, 0, 2e-4);
    image_destroy(&begun);
    image_destroy(&there);
    image_destroy(&back);
    scene_destroy(&scene);
}

static void physics_by_hand(void **state) {
    on_every_level(state, NULL, two_bodies_pull);
    on_every_level(state, NULL, bodies_at_one_place);
    on_every_level(state, NULL, bodies_without_forces);
    if (is_quick()) /* some thousand launches more of the same kernels */
        return;
    on_every_level(state, NULL, a_circle_takes_keplers_period);
    on_every_level(state, "simd", leapfrog_goes_back);
}

/* ---- against a sum of our own ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How far off the acceleration of a body is from `sum`, the right one. */
static double error_of(ImageView state, size_t i, double softening, double sum[3]) {
    const Body *x = nbody_row(state, NBODY_PLACES), *a = &nbody_row(state, NBODY_ACCELERATIONS)[i];
    sum[0] = sum[1] = sum[2] = 0;
    for (size_t j = 0; j < state.shape.width; j++) {
        const double d[3] = {(double)x[j].x - (double)x[i].x, (double)x[j].y - (double)x[i].y,
                             (double)x[j].z - (double)x[i].z};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening * softening;
        for (int c = 0; c < 3; c++)
            sum[c] += (double)x[j].w * d[c] * pow(square, -1.5);
    }
    return hypot(hypot((double)a->x - sum[0], (double)a->y - sum[1]), (double)a->z - sum[2]);
}

/* The median of the accelerations' errors, each by its own size. */
static double median_error(ImageView state, double softening) {
    const size_t count = state.shape.width;
    double *errors = malloc(count * sizeof *errors);
    assert_non_null(errors);
    for (size_t i = 0; i < count; i++) {
        double sum[3];
        const double apart = error_of(state, i, softening, sum);
        errors[i] = apart / hypot(hypot(sum[0], sum[1]), sum[2]);
    }
    qsort(errors, count, sizeof *errors, by_size);
    const double median = errors[count / 2];
    free(errors);
    return median;
}

/* Barnes and Hut, Nature 324, 1986, and Hernquist, ApJS 64, 1987: about 1 % by monopoles at theta 1, and less as the
 * square of it. */
static void trees_err_as_published(Run run) {
    static const struct {
        float theta;
        double most;
    } rows[] = {{0, 2e-6}, {0.3f, 1e-3}, {0.5f, 3e-3}, {0.8f, 8e-3}, {1, 1.5e-2}};
    Scene *scene;
    double last = 0;
    REQUIRE(scene_open("plummer=3000:seed=2", &scene));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const NbodyJob job = {.gravity = 1, .softening = 0.02f, .theta = rows[i].theta};
        Image *after = moved(run, scene->bodies->state->view, job);
        const double error = median_error(after->view, (double)0.02f);
        NEAR(error, 0, rows[i].most);
        if (strcmp(run.level->name, "barnes-hut") == 0) {
            print_message("%s/%s theta %g: median error %.2g\n", run.queue->device->backend->name, run.level->name,
                          (double)rows[i].theta, error);
            assert_true(error > last); /* the tree is at work */
        }
        last = error;
        image_destroy(&after);
    }
    scene_destroy(&scene);
}

static void forces_are_the_sum_over_all(void **state) {
    on_every_level(state, is_quick() ? "barnes-hut" : "simd", trees_err_as_published);
}

/* ---- where bodies stand in rows ---- */

/* Places of `side` bodies a row, `rows` rows and `layers` layers, 1 apart; or turned, so that no row is along an axis.
 */
typedef struct Lattice {
    size_t side, rows, layers;
    bool turned;
} Lattice;

static Image *lattice_of(const Lattice *lattice) {
    const size_t count = lattice->side * lattice->rows * lattice->layers;
    Body *places = calloc(count, sizeof *places);
    assert_non_null(places);
    for (size_t i = 0; i < count; i++) {
        const float x = (float)(i % lattice->side), y = (float)(i / lattice->side % lattice->rows),
                    z = (float)(i / lattice->side / lattice->rows);
        places[i] = lattice->turned ? (Body){0.6f * x - 0.64f * y + 0.48f * z, 0.8f * x + 0.48f * y - 0.36f * z,
                                             0.6f * y + 0.8f * z, 1}
                                    : (Body){x, y, z, 1};
    }
    Image *state = state_of(count, places, NULL);
    free(places);
    return state;
}

/* The errors' mean square by the accelerations', and the largest by the largest. */
typedef struct Errors {
    double rms, worst;
} Errors;

static Errors errors_of(ImageView state, double softening) {
    const size_t count = state.shape.width;
    double squares = 0, off = 0, largest = 0, worst = 0;
    for (size_t i = 0; i < count; i++) {
        double sum[3];
        const double apart = error_of(state, i, softening, sum);
        const double size = hypot(hypot(sum[0], sum[1]), sum[2]);
        squares += size * size, off += apart * apart;
        largest = fmax(largest, size), worst = fmax(worst, apart);
    }
    return (Errors){sqrt(off / squares), worst / largest};
}

/* A cell of bodies in a row has a quadrupole that no neighbour's makes up for. By it alone, a rod pulls up to theta^2 /
 * 4 too much along itself. */
static void rows_err_as_their_quadrupoles(Run run) {
    static const Lattice lattices[] = {{64, 1, 1, false},  {64, 1, 1, true},  {500, 1, 1, false}, {500, 1, 1, true},
                                       {24, 24, 1, false}, {24, 24, 1, true}, {8, 8, 8, false},   {5, 5, 5, true}};
    static const float thetas[] = {0.5f, 0.8f, 1};
    for (size_t i = 0; i < sizeof lattices / sizeof lattices[0]; i++)
        for (size_t t = 0; t < sizeof thetas / sizeof thetas[0]; t++) {
            const Lattice *lattice = &lattices[i];
            const double squared = (double)thetas[t] * (double)thetas[t];
            Image *state = lattice_of(lattice);
            Image *after = moved(run, state->view, (NbodyJob){.gravity = 1, .softening = 0.02f, .theta = thetas[t]});
            const Errors errors = errors_of(after->view, (double)0.02f);
            if (!(errors.rms <= 0.2 * squared + 1e-6 && errors.worst <= 0.08 * squared + 1e-6))
                fail_msg("%s, %zux%zux%zu%s, theta %g: off by %g (rms), %g at worst", run.level->name, lattice->side,
                         lattice->rows, lattice->layers, lattice->turned ? " turned" : "", (double)thetas[t],
                         errors.rms, errors.worst);
            image_destroy(&after);
            image_destroy(&state);
        }
}

static void rows_of_bodies(void **state) {
    on_every_level(state, "barnes-hut", rows_err_as_their_quadrupoles);
}

/* ---- conservation ---- */

static void a_cluster_keeps_energy_and_momentum(Run run) {
    const unsigned steps = is_quick() ? 20 : 1000;
    Scene *scene;
    REQUIRE(scene_open("plummer=500:seed=5", &scene));
    Bodies *bodies = scene->bodies;
    NbodyJob job = {.potential = true, .gravity = 1, .softening = 0.05f, .theta = 0.4f};
    Image *begun = moved(run, bodies->state->view, job);
    image_destroy(&bodies->state);
    bodies->state = begun;
    bodies->begun = bodies_totals(bodies);
    NEAR(bodies_energy(&bodies->begun), -0.25, 0.05);                    /* in these units, less the effect of
                                                                            softening */
    NEAR(-2 * bodies->begun.kinetic / bodies->begun.potential, 1, 0.15); /* the virial theorem */
    job.steps = steps;
    job.step = 0.005f;
    Image *end = moved(run, bodies->state->view, job);
    image_destroy(&bodies->state);
    bodies->state = end;
    const BodiesTotals now = bodies_totals(bodies);
    const bool tree = strcmp(run.level->name, "barnes-hut") == 0;
    NEAR(bodies_energy_drift(bodies, &now), 0, tree ? 5e-3 : 1e-3);
    NEAR(bodies_momentum_drift(bodies, &now), 0, tree ? 5e-3 : 1e-5);
    scene_destroy(&scene);
}

static void much_is_conserved(void **state) {
    on_every_level(state, is_quick() ? "barnes-hut" : "simd", a_cluster_keeps_energy_and_momentum);
}

int levels_nbody(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_and_few),
        cmocka_unit_test(physics_by_hand),
        cmocka_unit_test(forces_are_the_sum_over_all),
        cmocka_unit_test(rows_of_bodies),
        cmocka_unit_test(much_is_conserved),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, nbody", tests, open_devices, close_devices);
}
