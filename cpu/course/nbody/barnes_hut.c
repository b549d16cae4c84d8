/* barnes_hut.c: cells of an octree that are far away pull as one body (Barnes and Hut, Nature 324, 1986). Bodies that
 * are neighbours walk the tree together, and meet its cells and bodies in vectors (Barnes, J. Comput. Phys. 87,
 * 1990). */
#include "core/device/backend.h"
#include "cpu/course/nbody/leap.h"
#include "cpu/course/nbody/measured.h"
#include "cpu/course/nbody/octree.h"
#include "cpu/course/nbody/pulls.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>
#include <string.h>

enum { GROUP = 32, SOURCES = 1024 }; /* bodies that walk together; sources that they meet at once */

typedef struct Walk {
    const Stage *stage;
    const Octree *octree;
    PullsRun *run;
    bool depth;
} Walk;

/* Bodies [first, first + count) along the curve, their bounding box, and the sources that wait to pull at them. */
typedef struct Group {
    const Walk *walk;
    size_t first, count;
    Body low, high;
    ptrdiff_t self; /* where its first body is among the sources */
    size_t source_count;
    Body sources[SOURCES];
    Pull sums[GROUP];
} Group;

static void pull(Group *group) {
    const PullsJob job = {.targets = group->walk->octree->bodies + group->first,
                          .sources = group->sources,
                          .target_count = group->count,
                          .source_count = group->source_count,
                          .self = group->self,
                          .softening2 = gravity_softening2(nbody_job(group->walk->stage)->softening),
                          .depth = group->walk->depth};
    group->walk->run(&job, group->sums);
    group->self -= group->self == PULLS_NOT_AMONG ? 0 : (ptrdiff_t)group->source_count;
    group->source_count = 0;
}

static void add_mass(Group *group, Body mass) {
    if (group->source_count == SOURCES)
        pull(group);
    group->sources[group->source_count++] = mass;
}

static void add_leaf(Group *group, const OctreeCell *leaf) {
    if (group->first >= leaf->first && group->first < leaf->first + leaf->count)
        group->self = (ptrdiff_t)(group->source_count + (group->first - leaf->first));
    for (size_t i = 0; i < leaf->count; i++)
        add_mass(group, group->walk->octree->bodies[leaf->first + i]);
}

static float outside(float low, float value, float high) {
    return fmaxf(fmaxf(low - value, value - high), 0);
}

/* Squared, of the cell's centre of mass from the box. */
static float distance2(const Group *group, const Body *mass) {
    const float x = outside(group->low.x, mass->x, group->high.x), y = outside(group->low.y, mass->y, group->high.y),
                z = outside(group->low.z, mass->z, group->high.z);
    return x * x + y * y + z * z;
}

static void walk_tree(Group *group) {
    const Octree *octree = group->walk->octree;
    for (size_t i = 0; i < octree->cell_count;) {
        const OctreeCell *cell = &octree->cells[i];
        const bool far = distance2(group, &cell->mass) > cell->reach2, leaf = cell->next == i + 1;
        if (far)
            add_mass(group, cell->mass);
        else if (leaf)
            add_leaf(group, cell);
        i = far ? cell->next : i + 1;
    }
    pull(group);
}

static void bound(Group *group) {
    const Body *bodies = group->walk->octree->bodies + group->first;
    group->low = group->high = bodies[0];
    for (size_t i = 1; i < group->count; i++) {
        const Body *body = &bodies[i];
        group->low =
            (Body){fminf(group->low.x, body->x), fminf(group->low.y, body->y), fminf(group->low.z, body->z), 0};
        group->high =
            (Body){fmaxf(group->high.x, body->x), fmaxf(group->high.y, body->y), fmaxf(group->high.z, body->z), 0};
    }
}

static void pull_group(const void *job, size_t piece, size_t thread) {
    const Walk *walk = job;
    const size_t first = piece * GROUP, rest = walk->octree->count - first;
    Group group;
    (void)thread;
    group.walk = walk;
    group.first = first;
    group.count = rest < GROUP ? rest : GROUP;
    group.self = PULLS_NOT_AMONG;
    group.source_count = 0;
    memset(group.sums, 0, sizeof group.sums);
    bound(&group);
    walk_tree(&group);
    Body *to = nbody_row(walk->stage->out, NBODY_ACCELERATIONS);
    for (size_t i = 0; i < group.count; i++)
        to[walk->octree->keys[first + i].body] = leap_acceleration(group.sums[i], nbody_job(walk->stage)->gravity);
}

/* All pairs give this result where one value is not finite. */
static void pull_nowhere(const Stage *stage, bool depth) {
    for (size_t i = 0; i < nbody_count(stage); i++)
        nbody_row(stage->out, NBODY_ACCELERATIONS)[i] = (Body){NAN, NAN, NAN, depth ? NAN : 0};
}

static Status accelerate(Queue *queue, const Stage *stage, bool depth, void *memory) {
    Octree octree;
    const Walk walk = {stage, &octree, pulls_here(), depth};
    if (octree_build(queue, nbody_row(stage->out, NBODY_PLACES), nbody_count(stage), nbody_job(stage)->theta, memory,
                     &octree))
        cpu_share(queue, (octree.count + GROUP - 1) / GROUP, pull_group, &walk);
    else
        pull_nowhere(stage, depth);
    return STATUS_OK;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return octree_bytes(nbody_count(stage));
}

static Status run(Queue *queue, const Stage *stage) {
    void *memory;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &memory));
    return leap_run(queue, stage, true, accelerate, memory);
}

const Level cpu_nbody_barnes_hut = {
    .op = &op_nbody,
    .name = "barnes-hut",
    .idea = "an octree over the bodies: a cell far away for its size pulls as one body, so that a body has some "
            "hundred partners",
    .workspace = workspace,
    .predictor = &cpu_nbody_measured,
    .run = run,
};
