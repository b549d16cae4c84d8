/* wavefront.h: paths of light in batches.
 * For light.isa.c. All paths of a batch take a step at once. They are intersected one by one, sorted by their hits, and
 * shaded with one of a group in each lane. Rays to lights wait in a queue and are traced together (Laine, Karras and
 * Aila, Megakernels Considered Harmful: Wavefront Path Tracing on GPUs, High-Performance Graphics 2013).
 * A path's light is the same whatever else is in its batch. No lane reads another, and the light of a path is added in
 * its own order. */
#ifndef GLINT_CPU_TRACE_WAVEFRONT_H
#define GLINT_CPU_TRACE_WAVEFRONT_H

#include "cpu/trace/shade.h"
#include "cpu/trace/shade_pixel.h"
#include "cpu/trace/single_ray.h"
#include "cpu/trace/wide.h"

enum {
    BATCH = 1024,   /* paths */
    SHADOWS = 1024, /* rays to lights that wait */
    GROUPS = MATERIAL_KINDS + 1,
    GROUP_SKY = MATERIAL_KINDS, /* paths that hit nothing; the others by material */
};

/* Two records (cpu/trace/records.h): the ray, and the state of its path. */
typedef struct Path {
    _Alignas(64) float origin[3];
    float direction[3];
    uint32_t left;
    float far;
    float through[3];      /* of the light that it finds */
    uint32_t seed, sample; /* of its random points; the sample's bits reversed */
    uint32_t slot;         /* of its light in Batch.light */
    float scattered;       /* the density with which its direction was; 0: nothing was aimed at where it comes from */
    uint32_t unused;
} Path;

/* A ray to a light source, and the light that comes if nothing is in between. */
typedef struct Shadow {
    _Alignas(64) float origin[3];
    float direction[3];
    uint32_t left;
    float distance;
    float light[3];
    uint32_t slot;
    float unused[4];
} Shadow;

_Static_assert(sizeof(Path) == 2 * RECORD_BYTES && sizeof(Shadow) == 2 * RECORD_BYTES, "two records each");

/* Ray.t_min of rays from surface_leave(). */
#define RAY_T_MIN 0x1p-100f

typedef float Light4 __attribute__((vector_size(16)));

typedef struct Batch {
    const Bvh16 *bvh;
    const ShadingContext *context;
    uint32_t bounce, depth;
    uint32_t alive_count, group_counts[GROUPS], shadow_count;
    uint32_t alive[BATCH + LANES];          /* paths that go on; the numbers behind the last one are paths, too */
    uint32_t groups[GROUPS][BATCH + LANES]; /* the paths alive, by the kind of their hits */
    float distance[BATCH];                  /* of the hit */
    uint32_t index[BATCH];                  /* HIT_NONE, HIT_GROUND, or a sphere */
    Light4 light[BATCH];
    Path paths[BATCH];
    Shadow shadows[SHADOWS + LANES];
} Batch;

/* ---- intersection ---- */

static inline RayLanes lanes_of(const Records *ray) {
    return ray_lanes((Floats3){ray->field[0], ray->field[1], ray->field[2]},
                     (Floats3){ray->field[3], ray->field[4], ray->field[5]}, (Ints)ray->field[6]);
}

/* ground_distance */
static inline Floats to_ground(const ShadingContext *context, Floats height, Floats upward, Ints left) {
    if (!context->has_ground)
        return spread(INFINITY);
    const Floats distance = (context->ground.height - height) / upward;
    const Which hits = less(spread(0), distance) & ~same_int(left, spread_int((int32_t)HIT_GROUND));
    return blend(hits, distance, spread(INFINITY));
}

/* Fills in the paths' hits, and sorts the paths by them. */
static void intersect(Batch *batch, float t_min) {
    const ShadingContext *context = batch->context;
    memset(batch->group_counts, 0, sizeof batch->group_counts);
    for (uint32_t k = 0; k < batch->alive_count; k += LANES) {
        const Records ray = load_records(batch->paths, sizeof(Path), batch->alive + k);
        const RayLanes rays = lanes_of(&ray);
        const Floats ground = to_ground(context, ray.field[1], ray.field[4], (Ints)ray.field[6]);
        float limits[LANES], grounds[LANES];
        store(grounds, ground);
        store(limits, lesser(ray.field[7], ground));
        for (int lane = 0; lane < LANES && k + (uint32_t)lane < batch->alive_count; lane++) {
            const uint32_t path = batch->alive[k + (uint32_t)lane];
            const SingleRay single = ray_of_lane(&rays, lane, t_min);
            const Hit hit = closest_hit(batch->bvh, &single, limits[lane]);
            uint32_t index = hit.index, group;
            if (index == HIT_NONE && hit.distance < INFINITY)
                index = hit.distance == grounds[lane] ? HIT_GROUND : rays.left[lane];
            batch->distance[path] = hit.distance;
            batch->index[path] = index;
            if (index == HIT_NONE)
                group = GROUP_SKY;
            else
                group =
                    context
                        ->materials[index == HIT_GROUND ? context->ground.material : context->spheres[index].material]
                        .kind;
            batch->groups[group][batch->group_counts[group]++] = path;
        }
    }
    for (int group = 0; group < GROUPS; group++) /* full vectors: the last path stands for those that are missing */
        for (uint32_t i = 0; i < LANES && batch->group_counts[group] > 0; i++)
            batch->groups[group][batch->group_counts[group] + i] = batch->groups[group][batch->group_counts[group] - 1];
}

static void trace_shadows(Batch *batch) {
    uint32_t indices[LANES];
    for (uint32_t k = 0; k < batch->shadow_count; k += LANES) {
        for (uint32_t lane = 0; lane < LANES; lane++)
            indices[lane] = k + lane;
        const Records ray = load_records(batch->shadows, sizeof(Shadow), indices);
        const RayLanes rays = lanes_of(&ray);
        for (int lane = 0; lane < LANES && k + (uint32_t)lane < batch->shadow_count; lane++) {
            const Shadow *shadow = &batch->shadows[k + (uint32_t)lane];
            const SingleRay single = ray_of_lane(&rays, lane, RAY_T_MIN);
            if (!any_hit(batch->bvh, &single, shadow->distance))
                batch->light[shadow->slot] += (Light4){shadow->light[0], shadow->light[1], shadow->light[2], 0};
        }
    }
    batch->shadow_count = 0;
}

/* ---- shading ---- */

/* A vector of paths of one group. */
typedef struct Group {
    const uint32_t *paths; /* LANES of them */
    unsigned lanes;        /* a bit each: the others are there for the sake of full vectors */
    Rays rays;
    Floats3 through;
    UInts seed, sample;
    Ints slot;
    Floats scattered, distance;
    Ints index;
} Group;

static Group load_group(const Batch *batch, int group, uint32_t first) {
    Group loaded;
    const uint32_t left = batch->group_counts[group] - first;
    loaded.paths = batch->groups[group] + first;
    loaded.lanes = left < LANES ? (1u << left) - 1 : (unsigned)((1ull << LANES) - 1);
    const Records ray = load_records(batch->paths, sizeof(Path), loaded.paths);
    const Records rest = load_records(&batch->paths[0].through, sizeof(Path), loaded.paths);
    loaded.rays = (Rays){{ray.field[0], ray.field[1], ray.field[2]},
                         {ray.field[3], ray.field[4], ray.field[5]},
                         (Ints)ray.field[6],
                         ray.field[7]};
    loaded.through = (Floats3){rest.field[0], rest.field[1], rest.field[2]};
    loaded.seed = (UInts)rest.field[3];
    loaded.sample = (UInts)rest.field[4];
    loaded.slot = (Ints)rest.field[5];
    loaded.scattered = rest.field[6];
    for (int lane = 0; lane < LANES; lane++) {
        loaded.distance[lane] = batch->distance[loaded.paths[lane]];
        loaded.index[lane] = (int32_t)batch->index[loaded.paths[lane]];
    }
    return loaded;
}

static inline void add_light(Batch *batch, const Group *group, unsigned lanes, Floats3 light) {
    const Records records = {{light.x, light.y, light.z, spread(0)}};
    const Rows rows = rows_of(&records);
    for (; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        Light4 *sum = &batch->light[(uint32_t)group->slot[lane]];
        *sum += (Light4){rows.lane[lane][0], rows.lane[lane][1], rows.lane[lane][2], 0};
    }
}

/* path_escapes */
static void shade_sky(Batch *batch, const Group *group) {
    const ShadingContext *context = batch->context;
    Floats3 light = sky_gradient(context, group->rays.direction);
    for (uint32_t i = 0; i < context->direct_light_count; i++) {
        const Light *sun = &context->lights[context->direct_lights[i]];
        const float wide = sun->kind == LIGHT_SUN ? sun_spread(sun) : 0;
        const Floats3 chord = minus3(group->rays.direction, lanes3(vec_unit(sun->at)));
        const Which holds = less(dot(chord, chord), spread(2 * wide));
        if (!bits_of(holds))
            continue;
        const Floats shared = weight_of(group->scattered, spread(cone_density(wide)));
        const Floats weight = blend(less(spread(0), group->scattered), shared, spread(1));
        light = along3(light, blend(holds, weight * sun_radiance(wide), spread(0)), lanes3(colour_of(sun->colour)));
    }
    add_light(batch, group, group->lanes, each3(group->through, light));
}

/* PathState.normal of a ray that has left a surface. */
static Vec normal_left(const ShadingContext *context, uint32_t left, Vec origin, Vec direction) {
    const bool ground = left == HIT_GROUND;
    const uint32_t material = ground ? context->ground.material : context->spheres[left].material;
    const Vec outward = ground ? vec(0, 1, 0) : vec_unit(vec_minus(origin, sphere_centre(&context->spheres[left])));
    if (material_is_rough_glass(&context->materials[material]))
        return vec(0, 0, 0);
    return vec_times(outward, vec_dot(outward, direction) < 0 ? -1 : 1);
}

/* path_shines */
static void shade_lamps(Batch *batch, const Group *group) {
    const Surfaces surfaces = surfaces_hit(batch->context, &group->rays, group->distance, group->index);
    Floats weight = spread(1);
    unsigned shared = bits_of(less(spread(0), group->scattered)) & group->lanes;
    for (; shared; shared &= shared - 1) {
        const int lane = __builtin_ctz(shared);
        const Vec origin = lane_of(group->rays.origin, lane), direction = lane_of(group->rays.direction, lane);
        const Surface target = {.at = lane_of(surfaces.at, lane), .index = (uint32_t)group->index[lane]};
        const Vec normal = normal_left(batch->context, (uint32_t)group->rays.left[lane], origin, direction);
        weight[lane] =
            power_heuristic(group->scattered[lane], emitter_density(batch->context, &target, origin, normal));
    }
    add_light(batch, group, group->lanes, each3(group->through, scale3(surfaces.colour, surfaces.emission * weight)));
}

/* Queues rays to a light source; `light` comes through them and is sent on along the path. */
static inline void cast_shadows(Batch *batch, const Group *group, unsigned lanes, const Rays *rays, Floats distance,
                                Floats3 light) {
    const Floats ground = to_ground(batch->context, rays->origin.y, rays->direction.y, rays->left);
    lanes &= bits_of(at_most(distance, lesser(rays->far, ground)));
    if (!lanes)
        return;
    if (batch->shadow_count + LANES > SHADOWS)
        trace_shadows(batch);
    const Records ray = {{rays->origin.x, rays->origin.y, rays->origin.z, rays->direction.x, rays->direction.y,
                          rays->direction.z, (Floats)rays->left, distance}};
    const Records rest = {{light.x, light.y, light.z, (Floats)group->slot}};
    const Rows first = rows_of(&ray), second = rows_of(&rest);
    for (; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        Shadow *shadow = &batch->shadows[batch->shadow_count++];
        memcpy(shadow, first.lane[lane], RECORD_BYTES);
        memcpy((char *)shadow + RECORD_BYTES, second.lane[lane], RECORD_BYTES);
    }
}

/* To a sun of a size, by the cone that it fills. */
static inline void cast_to_sun(Batch *batch, const Group *group, const Surfaces *surfaces, const Lobes *lobes,
                               unsigned lanes, Floats3 carried, const Light *sun, UInts seed) {
    const float wide = sun_spread(sun), density = cone_density(wide);
    Floats u, v;
    Floats3 share;
    random_point(group->sample, seed, &u, &v);
    const Rays rays = leaving(surfaces, cone_direction(lanes3(vec_unit(sun->at)), spread(wide), u, v));
    const Which facing = sends_to(surfaces, lobes, rays.direction);
    const Floats scattered = scattered_to(surfaces, group->rays.direction, lobes, rays.direction, &share);
    const Floats factor = weight_of(spread(density), scattered) * (sun_radiance(wide) / (PI_F * density));
    const Floats3 light = scale3(each3(lanes3(colour_of(sun->colour)), share), factor);
    cast_shadows(batch, group, lanes & bits_of(facing), &rays, spread(INFINITY), each3(carried, light));
}

/* path_direct, of the lights that every surface asks. */
static inline void cast_to_lights(Batch *batch, const Group *group, const Surfaces *surfaces, const Lobes *lobes,
                                  unsigned lanes, Floats3 carried) {
    const UInts seed = hash(hash(group->seed, 4 * batch->bounce + 3), 5);
    for (uint32_t i = 0; i < batch->context->direct_light_count; i++) {
        const Light *source = &batch->context->lights[batch->context->direct_lights[i]];
        const bool sun = source->kind == LIGHT_SUN;
        if (sun && source->angle > 0) {
            cast_to_sun(batch, group, surfaces, lobes, lanes, carried, source, hash(seed, i));
            continue;
        }
        const Floats3 way = sun ? lanes3(source->at) : minus3(lanes3(source->at), surfaces->at);
        const Rays rays = leaving(surfaces, unit3(way));
        const Floats distance = sun ? spread(INFINITY) : dot(minus3(lanes3(source->at), rays.origin), rays.direction);
        const Floats fade = source->kind == LIGHT_POINT ? 1.0f / (PI_F * dot(way, way)) : spread(sun ? 1 / PI_F : 1);
        const Which facing = sends_to(surfaces, lobes, rays.direction);
        Floats3 share;
        (void)scattered_to(surfaces, group->rays.direction, lobes, rays.direction, &share);
        const Floats3 light = scale3(each3(lanes3(colour_of(source->colour)), share), fade);
        cast_shadows(batch, group, lanes & bits_of(facing), &rays, distance, each3(carried, light));
    }
}

/* emitter_importance of spheres and points, of a node a lane. */
static inline Floats importance(const EmitterNode *nodes, Ints node, Floats3 at, Floats3 normal) {
    uint32_t places[LANES];
    for (int lane = 0; lane < LANES; lane++)
        places[lane] = (uint32_t)node[lane];
    const Records read = load_records(nodes, sizeof(EmitterNode), places);
    const Floats3 to = minus3((Floats3){read.field[0], read.field[1], read.field[2]}, at);
    const Floats size = greater(read.field[3], spread(1e-12f)), square = dot(to, to);
    const Floats above = greater(dot(to, normal) + size, spread(0)) / (root_above_0(square) + size);
    const Floats seen = blend(less(spread(0), dot(normal, normal)), above, spread(1));
    return seen * (read.field[7] / (size * (size * (1.0f / 12)) + square));
}

/* emitter_pick: a leaf a lane, the first where the chance is 0. */
static inline Ints picked_leaves(const ShadingContext *context, Floats3 at, Floats3 normal, Floats u, Floats *chance) {
    const EmitterNode *nodes = context->nodes;
    Ints node = spread_int(1);
    *chance = spread(1);
    for (uint32_t below = context->leaf_count; below > 1;) {
        const uint32_t ways = emitter_ways(below);
        below >>= ways / 2;
        node *= (int32_t)ways;
        const Floats a = importance(nodes, node, at, normal), b = importance(nodes, node + 1, at, normal);
        const Floats c = ways == 4 ? importance(nodes, node + 2, at, normal) : spread(0);
        const Floats d = ways == 4 ? importance(nodes, node + 3, at, normal) : spread(0);
        const Floats left = a + b, sum = left + (c + d), scaled = u * sum;
        const Which in_first = less(scaled, left);
        const Floats rest = blend(in_first, scaled, scaled - left), first = blend(in_first, a, c);
        const Which is_first = less(rest, first);
        const Floats drawn = blend(is_first, first, blend(in_first, b, d));
        node += blend_int(in_first, spread_int(0), spread_int(2)) + blend_int(is_first, spread_int(0), spread_int(1));
        u = blend(is_first, rest, rest - first) / drawn;
        *chance = blend(less(spread(0), drawn), *chance * (drawn / sum), spread(0));
    }
    const Ints leaf = node - (int32_t)context->leaf_count;
    return blend_int(less(spread(0), *chance), leaf, spread_int(0));
}

/* path_direct, of one of the spheres that shine. */
static inline void cast_to_emitter(Batch *batch, const Group *group, const Surfaces *surfaces, const Lobes *lobes,
                                   unsigned lanes, Floats3 carried) {
    const ShadingContext *context = batch->context;
    const UInts seed = hash(group->seed, 4 * batch->bounce + 2);
    Floats pick, unused, u, v, chance;
    uint32_t places[LANES], kinds[LANES];
    random_point(group->sample, seed, &pick, &unused);
    random_point(group->sample, hash(seed, 3), &u, &v);
    const Floats3 side = lobes->glass ? lanes3(vec(0, 0, 0)) : surfaces->normal; /* as in path_direct */
    const Ints leaf = picked_leaves(context, surfaces->at, side, pick, &chance);
    for (int lane = 0; lane < LANES; lane++)
        places[lane] = context->emitters[context->leaves[leaf[lane]]].index;
    const Records sphere = load_records(context->spheres, sizeof(Sphere), places);
    const Floats3 centre = {sphere.field[0], sphere.field[1], sphere.field[2]};
    const Floats radius = sphere.field[3];
    const Floats3 to = minus3(centre, surfaces->at);
    const Floats sine = radius * radius / dot(to, to);
    const Which outside = less(sine, spread(1)) & less(spread(0), chance);
    const Floats wide = sine / (1.0f + root_above_0(1.0f - sine));
    const Rays rays = leaving(surfaces, cone_direction(unit3(to), wide, u, v));
    const Floats distance = distance_before(centre, radius, &rays);
    for (int lane = 0; lane < LANES; lane++)
        kinds[lane] = (uint32_t)((Ints)sphere.field[7])[lane];
    const Records material = load_records(context->materials, sizeof(Material), kinds);
    const Which facing = sends_to(surfaces, lobes, rays.direction);
    Floats3 share;
    const Floats scattered = scattered_to(surfaces, group->rays.direction, lobes, rays.direction, &share);
    const Floats density = chance / (2 * PI_F * wide);
    const Floats power = material.field[7] * weight_of(density, scattered) / (PI_F * density);
    const Floats3 light = scale3((Floats3){sphere.field[4], sphere.field[5], sphere.field[6]}, power);
    cast_shadows(batch, group, lanes & bits_of(outside & facing), &rays, distance, each3(carried, each3(light, share)));
}

/* path_direct */
static inline void cast_to_all(Batch *batch, const Group *group, const Surfaces *surfaces, const Lobes *lobes,
                               unsigned lanes, Floats3 carried) {
    cast_to_lights(batch, group, surfaces, lobes, lanes, carried);
    if (batch->context->leaf_count > 0)
        cast_to_emitter(batch, group, surfaces, lobes, lanes, carried);
}

/* Sends the paths in `lanes` on, but for those that roulette ends; `compressed` as in path_step. */
static inline void go_on(Batch *batch, const Group *group, unsigned lanes, Floats roulette, const Rays *rays,
                         Floats3 through, Floats compressed, Floats scattered) {
    if (batch->bounce >= PATH_SURE) {
        const Floats most = greater(through.x, greater(through.y, through.z));
        const Floats survival = lesser(most * compressed, spread(0.95f));
        lanes &= bits_of(less(roulette, survival));
        through = scale3(through, 1.0f / survival);
    }
    const Records ray = {{rays->origin.x, rays->origin.y, rays->origin.z, rays->direction.x, rays->direction.y,
                          rays->direction.z, (Floats)rays->left, rays->far}};
    const Records rest = {
        {through.x, through.y, through.z, (Floats)group->seed, (Floats)group->sample, (Floats)group->slot, scattered}};
    const Rows first = rows_of(&ray), second = rows_of(&rest);
    for (; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        Path *path = &batch->paths[group->paths[lane]];
        memcpy(path, first.lane[lane], RECORD_BYTES);
        memcpy((char *)path + RECORD_BYTES, second.lane[lane], RECORD_BYTES);
        batch->alive[batch->alive_count++] = group->paths[lane];
    }
}

static inline void shade_scattering(Batch *batch, const Group *group, bool metal) {
    const ShadingContext *context = batch->context;
    Surfaces surfaces = surfaces_hit(context, &group->rays, group->distance, group->index);
    const UInts seed = hash(group->seed, 4 * batch->bounce);
    const bool roulette = batch->bounce >= PATH_SURE;
    Floats u, v, chance = spread(0), lives = spread(0), share = spread(1), on_coat = spread(1);
    random_point(group->sample, seed, &u, &v);
    if (metal || roulette || context->rich)
        random_point(group->sample, hash(group->seed, 4 * batch->bounce + 1), &chance, &lives);
    const Floats cosine = -dot(surfaces.normal, group->rays.direction);
    Which coats = less(spread(1), spread(0));
    Floats3 regained = lanes3(vec(1, 1, 1));
    if (context->rich)
        coats = draw_coats(context, &surfaces, cosine, &chance, &on_coat);
    const Films films = films_of(context, &surfaces, metal ? coats : less(spread(0), spread(1)));
    Which mirrors = coats;
    if (metal) { /* path_mirrors */
        const Floats all = surfaces.diffuse + surfaces.specular;
        const Floats part = blend(less(spread(0), all), surfaces.specular / all, spread(1));
        mirrors = less(chance, part);
        share = 1.0f / (blend(mirrors, part, 1.0f - part) * greater(all, spread(1)));
        const Which facets = at_most(spread(MATERIAL_ROUGH), surfaces.roughness) & ~coats;
        if (bits_of(mirrors & facets))
            regained = light_regained(context, &surfaces, &films, facets, cosine);
    }
    const Which rough = ~mirrors | at_most(spread(MATERIAL_ROUGH), surfaces.roughness);
    share *= on_coat;
    Floats3 weight = scale3(surfaces.colour, surfaces.diffuse), direction = cosine_direction(surfaces.normal, u, v);
    Floats3 carried = scale3(group->through, share);
    carried = each3(carried, blend3(mirrors, regained, weight));
    unsigned lanes = group->lanes;
    const Lobes lobes = {mirrors, false, films};
    cast_to_all(batch, group, &surfaces, &lobes, lanes & bits_of(rough), carried);
    if (bits_of(mirrors)) {
        Floats3 mirrored, reflected;
        const Which above = metal_direction(&surfaces, &films, group->rays.direction, u, v, &mirrored, &reflected);
        direction = blend3(mirrors, mirrored, direction);
        weight = blend3(mirrors, each3(reflected, regained), weight);
        lanes &= bits_of(above | ~mirrors);
    }
    const Rays rays = leaving(&surfaces, unit3(direction));
    Floats3 unused;
    const Floats density = scattered_to(&surfaces, group->rays.direction, &lobes, direction, &unused);
    const Floats scattered = blend(rough, density, spread(0));
    go_on(batch, group, lanes, lives, &rays, scale3(each3(group->through, weight), share), spread(1), scattered);
}

static void shade_diffuse(Batch *batch, const Group *group) {
    shade_scattering(batch, group, false);
}

static void shade_metal(Batch *batch, const Group *group) {
    shade_scattering(batch, group, true);
}

static void shade_rough_glass(Batch *batch, const Group *group, const Surfaces *surfaces, unsigned lanes) {
    const ShadingContext *context = batch->context;
    const Which all = less(spread(0), spread(1));
    const Films films = films_of(context, surfaces, ~all);
    const Lobes lobes = {~all, true, films};
    const UInts seed = hash(group->seed, 4 * batch->bounce);
    const Ints side = blend_int(surfaces->inside, spread_int(ALBEDO_ROW), spread_int(0));
    const Ints rows = rows_in(context, surfaces, refracting_facets(surfaces)) + side;
    const Floats cosine = -dot(surfaces->normal, group->rays.direction);
    const Floats plain = 1.0f / share_at(context->albedos, rows, cosine, alpha_of(surfaces));
    Floats3 regained = {plain, plain, plain};
    if (films.any) { /* path_regained */
        const Ints green = rows + blend_int(films.on, spread_int(2 * ALBEDO_ROW), spread_int(0));
        const Ints blue = rows + blend_int(films.on, spread_int(4 * ALBEDO_ROW), spread_int(0));
        regained.y = 1.0f / share_at(context->albedos, green, cosine, alpha_of(surfaces));
        regained.z = 1.0f / share_at(context->albedos, blue, cosine, alpha_of(surfaces));
    }
    Floats u, v, chance, lives;
    Floats3 direction, weight, unused;
    Which passes;
    random_point(group->sample, seed, &u, &v);
    random_point(group->sample, hash(group->seed, 4 * batch->bounce + 1), &chance, &lives);
    cast_to_all(batch, group, surfaces, &lobes, lanes, each3(group->through, regained));
    lanes &=
        bits_of(glass_direction(surfaces, &films, group->rays.direction, u, v, chance, &direction, &weight, &passes));
    const Floats compressed = blend(surfaces->inside ^ passes, surfaces->refraction * surfaces->refraction, spread(1));
    const Rays rays = leaving(surfaces, direction);
    const Floats density = scattered_to(surfaces, group->rays.direction, &lobes, direction, &unused);
    go_on(batch, group, lanes, lives, &rays, each3(each3(group->through, weight), regained), compressed, density);
}

static void shade_clear_glass(Batch *batch, const Group *group, const Surfaces *surfaces, unsigned lanes) {
    const Floats3 way = group->rays.direction, normal = surfaces->normal;
    const Films films = films_of(batch->context, surfaces, less(spread(1), spread(0)));
    Floats u, unused, lives = spread(0), onward, mirrored;
    random_point(group->sample, hash(group->seed, 4 * batch->bounce), &u, &unused);
    if (batch->bounce >= PATH_SURE)
        random_point(group->sample, hash(group->seed, 4 * batch->bounce + 1), &unused, &lives);
    const Floats eta = eta_of(surfaces), cosine = -dot(normal, way);
    const Floats3 shares = mirrored_by_glass(&films, cosine, eta, &onward, &mirrored);
    const Which mirrors = less(u, mirrored);
    const Floats3 refracted = along3(scale3(way, eta), eta * cosine - onward, normal);
    const Floats3 direction = blend3(mirrors, mirror3(way, normal), refracted);
    const Floats3 weight = each3(blend3(mirrors, lanes3(vec(1, 1, 1)), coming_through(surfaces, eta)),
                                 split_colours(&films, shares, mirrored, ~mirrors));
    const Floats dense = surfaces->refraction * surfaces->refraction;
    const Floats compressed = blend(surfaces->inside ^ mirrors, spread(1), dense);
    const Rays rays = leaving(surfaces, unit3(direction));
    go_on(batch, group, lanes, lives, &rays, each3(group->through, weight), compressed, spread(0));
}

static void shade_glass(Batch *batch, const Group *group) {
    const Surfaces surfaces = surfaces_hit(batch->context, &group->rays, group->distance, group->index);
    const unsigned rough = batch->context->rich ? bits_of(refracting_facets(&surfaces)) & group->lanes : 0;
    if (rough)
        shade_rough_glass(batch, group, &surfaces, rough);
    if (group->lanes & ~rough)
        shade_clear_glass(batch, group, &surfaces, group->lanes & ~rough);
}

typedef void Shade(Batch *batch, const Group *group);
static Shade *const shades[GROUPS] = {
    [MATERIAL_DIFFUSE] = shade_diffuse, [MATERIAL_METAL] = shade_metal, [MATERIAL_GLASS] = shade_glass,
    [MATERIAL_LIGHT] = shade_lamps,     [GROUP_SKY] = shade_sky,
};

static void follow(Batch *batch, float t_min) {
    for (batch->bounce = 0; batch->alive_count > 0; batch->bounce++) {
        for (uint32_t i = 0; i < LANES; i++)
            batch->alive[batch->alive_count + i] = batch->alive[batch->alive_count - 1];
        intersect(batch, batch->bounce == 0 ? t_min : RAY_T_MIN);
        batch->alive_count = 0;
        for (int group = batch->bounce < batch->depth ? 0 : MATERIAL_LIGHT; group < GROUPS; group++)
            for (uint32_t first = 0; first < batch->group_counts[group]; first += LANES) {
                const Group loaded = load_group(batch, group, first);
                shades[group](batch, &loaded);
            }
        trace_shadows(batch);
    }
}

/* ---- pictures ---- */

/* Where a row of a part is: sample after sample of pixel after pixel. */
typedef struct Cursor {
    size_t px;
    uint32_t sample; /* beyond sampling.first */
} Cursor;

static inline void advance(Cursor *cursor, Part part, Sampling sampling) {
    if (++cursor->sample < sampling.samples)
        return;
    cursor->sample = 0;
    cursor->px += part.coarseness;
}

/* film_ray for a pinhole: the rays' directions. */
static inline Floats3 pinhole_rays(Camera camera, Shape shape, Floats px, float py, UInts sample, UInts seed) {
    const float pixel = camera_pixel(camera, shape.height);
    const float wide = (float)(uint32_t)shape.width, high = (float)(uint32_t)shape.height;
    Floats x, y;
    random_point(sample, hash(seed, 0x51u), &x, &y);
    const Floats across = (px + 0.5f - 0.5f * wide + (x - 0.5f)) * pixel;
    const Floats upward = (0.5f * high - py - 0.5f - (y - 0.5f)) * pixel;
    return unit3(along3(along3(lanes3(camera.forward), across, lanes3(camera.right)), upward, lanes3(camera.up)));
}

/* Begins paths for the next pixels and samples of the row; returns how many. */
static uint32_t begin_paths(Batch *batch, const Stage *stage, Part part, size_t py, Cursor *cursor) {
    const TraceJob *job = trace_job(stage);
    const Shape shape = stage->out.shape;
    const Camera camera = job->camera;
    const bool pinhole = camera.kind == CAMERA_PERSPECTIVE && !(camera.lens > 0);
    uint32_t count = 0;
    for (; count < BATCH && cursor->px < part.left + part.width; advance(cursor, part, job->sampling), count++) {
        const uint32_t sample = job->sampling.first + cursor->sample;
        const uint32_t seed = sampler_hash(sampler_hash(job->sampling.seed, (uint32_t)cursor->px), (uint32_t)py);
        Ray ray = ray_from(camera.from, vec((float)(uint32_t)cursor->px, 0, 0)); /* the pixel, for below */
        if (!pinhole)
            ray = film_ray(camera, LOOK_PATHS, cursor->px, py, shape.width, shape.height, sample, seed);
        batch->paths[count] = (Path){{ray.origin.x, ray.origin.y, ray.origin.z},
                                     {ray.direction.x, ray.direction.y, ray.direction.z},
                                     ray.left,
                                     ray.far,
                                     {1, 1, 1},
                                     seed,
                                     sampler_reverse(sample),
                                     count,
                                     0,
                                     0};
        batch->alive[count] = count;
        batch->light[count] = (Light4){0, 0, 0, 0};
    }
    for (uint32_t k = 0; pinhole && k < count; k += LANES) {
        UInts seed, sample;
        Floats px;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const Path *path = &batch->paths[k + lane < count ? k + lane : count - 1];
            px[lane] = path->direction[0];
            seed[lane] = path->seed;
            sample[lane] = path->sample;
        }
        const Floats3 direction = pinhole_rays(camera, shape, px, (float)(uint32_t)py, sample, seed);
        for (uint32_t lane = 0; lane < LANES && k + lane < count; lane++) {
            batch->paths[k + lane].direction[0] = direction.x[lane];
            batch->paths[k + lane].direction[1] = direction.y[lane];
            batch->paths[k + lane].direction[2] = direction.z[lane];
        }
    }
    batch->alive_count = count;
    return count;
}

/* Adds the light of `count` paths to the pixels that they are of. */
static void gather(const Batch *batch, FilmPixel *pixels, Part part, Sampling sampling, Cursor cursor, uint32_t count) {
    for (uint32_t i = 0; i < count; i++, advance(&cursor, part, sampling)) {
        FilmPixel *pixel = &pixels[cursor.px];
        if (sampling.first + cursor.sample == 0)
            *pixel = (FilmPixel){0, 0, 0, 0};
        pixel->red += batch->light[i][0];
        pixel->green += batch->light[i][1];
        pixel->blue += batch->light[i][2];
        pixel->samples += 1;
    }
}

/* Whether these functions know the light of the job's scene: no pictures of skies, no points in the tree. */
static bool wavefront_takes(const WideJob *job, const ShadingContext *context) {
    const uint32_t count = context->emitter_count;
    return trace_job(job->stage)->look == LOOK_PATHS && context->sky.kind != SKY_IMAGE &&
           (count == 0 || context->emitters[count - 1].index < context->sphere_count);
}

/* LightTable.gather_row */
static void wavefront_gather(const WideJob *job, const ShadingContext *context, size_t row) {
    const Part part = job->part;
    const Sampling sampling = trace_job(job->stage)->sampling;
    const size_t py = part.top + row * part.coarseness;
    const bool orthographic = trace_job(job->stage)->camera.kind == CAMERA_ORTHOGRAPHIC;
    Batch batch;
    batch.bvh = job->bvh;
    batch.context = context;
    batch.depth = sampling.depth;
    batch.shadow_count = 0;
    for (Cursor cursor = {part.left, 0}; sampling.samples > 0 && cursor.px < part.left + part.width;) {
        const Cursor first = cursor;
        const uint32_t count = begin_paths(&batch, job->stage, part, py, &cursor);
        follow(&batch, orthographic ? -INFINITY : 0);
        gather(&batch, view_row(job->stage->out, py), part, sampling, first, count);
    }
    for (size_t px = part.left; part.coarseness > 1 && px < part.left + part.width; px += part.coarseness)
        fill_block(job->stage->out, part, px, py);
}

#endif
