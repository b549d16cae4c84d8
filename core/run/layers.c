/* layers.c: rays, surfaces, and the planes that they fill. */
#include "core/run/layers.h"

#include "core/base/memory.h"
#include "core/base/share.h"
#include "core/run/cryptomatte.h"
#include "core/run/traced_rows.h"
#include "core/scene/scene.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The primitive that a ray hits is known but for the bits that a colour has no room for. */
struct World {
    const Scene *scene;
    uint32_t code; /* its number from 1 on, modulo CODES; 0: none */
};

enum {
    SIDE = LAYERS_SIDE,
    RAYS = SIDE * SIDE,
    CODES = 1 << 24,
    ROWS = 16, /* of the picture at once */
    RANKS = 6, /* of Cryptomatte, two in each layer of files */
    BAND_BYTES = 8 << 20
};

#include "core/math/surface.h"

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    const Scene *scene = world->scene;
    const size_t all = scene_primitives(scene), cylinders = scene->count + scene->triangle_count;
    Hit hit = hit_start(ray);
    if (world->code == 0 && all < CODES)
        return hit;
    const Slant slant = slant_of(ray.direction);
    for (size_t number = world->code > 0 ? world->code : CODES; number <= all; number += CODES) {
        const size_t i = number - 1;
        if (i < scene->count)
            hit_offer_near(&hit, sphere_centre(&scene->spheres[i]), scene->spheres[i].radius, (uint32_t)i, ray);
        else if (i < cylinders)
            hit_offer_triangle_near(&hit, &scene->triangles[i - scene->count], (uint32_t)i, ray, slant);
        else
            hit_offer_cylinder(&hit, &scene->cylinders[i - cylinders], (uint32_t)i, ray);
    }
    return hit;
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    return world_closest_hit(world, ray).distance < distance;
}

/* ---- names ---- */

const LayerInfo layer_infos[LAYER_KINDS] = {
    [LAYER_DEPTH] = {"depth", "Z: the way to the nearest surface along the camera's axis, inf where there is none", 1},
    [LAYER_NORMAL] = {"normal", "normal.X, .Y, .Z: which way surfaces face", 3},
    [LAYER_ALBEDO] = {"albedo", "albedo.R, .G, .B: their colours without light", 3},
    [LAYER_ID] = {"id", "id: the number of the sphere, from 1 on, in 32 bits", 1},
    [LAYER_OBJECTS] = {"objects", "CryptoObject: Cryptomatte of sphere=1, triangle=1, cylinder=1, ground", 2 * RANKS},
    [LAYER_MATERIALS] = {"materials", "CryptoMaterial: Cryptomatte of the scene's materials", 2 * RANKS},
    [LAYER_RAYS] = {"", "", 2 * RAYS},
    [LAYER_TURNS] = {"", "", RAYS},
};

static Status parse_one(const char *name, size_t length, unsigned *kinds) {
    char known[128] = "";
    for (unsigned i = 0; i < LAYER_RAYS; i++) {
        if (strlen(layer_infos[i].name) == length && strncmp(layer_infos[i].name, name, length) == 0) {
            *kinds |= 1U << i;
            return STATUS_OK;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s, ", layer_infos[i].name);
    }
    if (length == 3 && strncmp(name, "all", length) == 0) {
        *kinds |= (1U << LAYER_RAYS) - 1;
        return STATUS_OK;
    }
    return fail(STATUS_USAGE, "no layer \"%.*s\"; there is %sall", (int)length, name, known);
}

Status layers_parse(const char *text, unsigned *kinds) {
    *kinds = 0;
    for (size_t length;; text += length + 1) {
        length = strcspn(text, ",");
        TRY(parse_one(text, length, kinds));
        if (text[length] == '\0')
            return STATUS_OK;
    }
}

int layers_spell(unsigned kinds, char *buffer, size_t size) {
    char text[128] = "";
    for (unsigned i = 0; i < LAYER_RAYS; i++)
        if (kinds & 1U << i)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? "," : "", layer_infos[i].name);
    return snprintf(buffer, size, "%s", text);
}

/* The text by which changes of scenes name a primitive (core/scene/scene_text.h), by its number from 1 on. */
static void name_object(const Scene *scene, size_t number, char name[CRYPTOMATTE_NAME]) {
    if (number <= scene->count)
        snprintf(name, CRYPTOMATTE_NAME, "sphere=%zu", number);
    else if (number <= scene->count + scene->triangle_count)
        snprintf(name, CRYPTOMATTE_NAME, "triangle=%zu", number - scene->count);
    else if (number <= scene_primitives(scene))
        snprintf(name, CRYPTOMATTE_NAME, "cylinder=%zu", number - scene->count - scene->triangle_count);
    else
        snprintf(name, CRYPTOMATTE_NAME, "ground");
}

static void name_material(const Scene *scene, size_t number, char name[CRYPTOMATTE_NAME]) {
    (void)scene;
    snprintf(name, CRYPTOMATTE_NAME, "material=%zu", number - 1);
}

/* The things that a Cryptomatte tells apart, numbered from 1 on. */
typedef struct Matte {
    LayerKind kind;
    const char *layer;
    void (*name)(const Scene *scene, size_t number, char name[CRYPTOMATTE_NAME]);
} Matte;

static const Matte mattes[] = {{LAYER_OBJECTS, "CryptoObject", name_object},
                               {LAYER_MATERIALS, "CryptoMaterial", name_material}};
enum { MATTES = sizeof mattes / sizeof mattes[0] };

static size_t matte_count(const Scene *scene, LayerKind kind) {
    return kind == LAYER_OBJECTS ? scene_primitives(scene) + 1 : scene->material_count;
}

/* ---- normals of rays ---- */

enum { TURN_BITS = 10, TURN_MAX = (1 << TURN_BITS) - 1 };

uint32_t layers_turn(Vec normal) {
    const float parts[3] = {normal.x, normal.y, normal.z};
    uint32_t turn = 1;
    for (int i = 0; i < 3; i++)
        turn = turn << TURN_BITS | (uint32_t)lrintf((0.5F + 0.5F * fminf(fmaxf(parts[i], -1), 1)) * TURN_MAX);
    return turn;
}

static float turned_part(uint32_t turn, int place) {
    return (float)(turn >> (TURN_BITS * place) & TURN_MAX) * 2 / TURN_MAX - 1;
}

Vec layers_turned(uint32_t turn) {
    return vec_unit(vec(turned_part(turn, 2), turned_part(turn, 1), turned_part(turn, 0)));
}

/* ---- a pixel ---- */

typedef struct Work {
    Layers *layers;
    const Scene *scene;
    ShadingContext context;
    Camera camera;                       /* of the grid of all rays */
    ImageView codes;                     /* of some of its rows */
    size_t row, rows;                    /* of the picture, that these are */
    _Atomic unsigned char *seen[MATTES]; /* by number, whether any pixel shows it */
} Work;

/* How often a pixel shows each thing. */
typedef struct Counts {
    uint32_t numbers[RAYS], counts[RAYS];
    int used;
} Counts;

static void count(Counts *counts, uint32_t number) {
    int i = 0;
    while (i < counts->used && counts->numbers[i] != number)
        i++;
    if (i == counts->used) {
        counts->numbers[counts->used++] = number;
        counts->counts[i] = 0;
    }
    counts->counts[i]++;
}

/* The one that most rays show, of equals the one that came first; it has then no rays any more. 0: there is none. */
static uint32_t take_most(Counts *counts, uint32_t *rays) {
    int most = -1;
    for (int i = 0; i < counts->used; i++)
        if (counts->counts[i] > (most < 0 ? 0 : counts->counts[most]))
            most = i;
    *rays = most < 0 ? 0 : counts->counts[most];
    if (most >= 0)
        counts->counts[most] = 0;
    return most < 0 ? 0 : counts->numbers[most];
}

typedef struct Sum {
    float depth, object_depth; /* the latter of the last ray, if it hits an object */
    uint32_t object, turn;     /* of that ray, too */
    Vec normal, albedo;
    Counts things[MATTES];
    uint32_t hits;
} Sum;

static uint32_t number_of(const Scene *scene, const Surface *surface) {
    return surface->index == HIT_GROUND ? (uint32_t)(scene_primitives(scene) + 1) : surface->index + 1;
}

static uint32_t material_number(const Scene *scene, uint32_t index) {
    const size_t cylinders = scene->count + scene->triangle_count;
    const uint32_t material = index == HIT_GROUND    ? scene->ground.material
                              : index < scene->count ? scene->spheres[index].material
                              : index < cylinders    ? scene->triangles[index - scene->count].material
                                                     : scene->cylinders[index - cylinders].material;
    return material + 1;
}

/* The colour that a surface has by itself: core/math/surfaces.h. */
static Vec albedo_of(const Surface *surface) {
    const Material *m = &surface->material;
    const float share = m->kind == MATERIAL_LIGHT   ? 1
                        : m->kind == MATERIAL_METAL ? fminf(m->diffuse + m->specular, 1)
                        : m->kind == MATERIAL_GLASS ? 1
                                                    : m->diffuse;
    return vec_times(surface->colour, share);
}

/* Rays of an orthographic camera come from infinity, and hit things at any distance, also below 0. Such a ray now
 * begins a little before the thing that it hits. */
static Ray ray_from_near(const World *world, Ray ray) {
    const Scene *scene = world->scene;
    const Hit hit = world_closest_hit(world, ray);
    if (hit.index == HIT_NONE)
        return ray;
    const float radius = hit.index < scene->count ? scene->spheres[hit.index].radius : 1;
    ray.origin = vec_along(ray.origin, hit.distance - fmaxf(radius, 1e-3F * fabsf(hit.distance)), ray.direction);
    ray.t_min = 0;
    return ray;
}

static void add_ray(const Work *work, uint32_t code, size_t px, size_t py, Sum *sum) {
    const World world = {work->scene, code};
    const size_t width = work->layers->width * SIDE, height = work->layers->height * SIDE;
    const bool flat = work->camera.kind == CAMERA_ORTHOGRAPHIC;
    const Ray from = camera_ray(work->camera, px, py, width, height), ray = flat ? ray_from_near(&world, from) : from;
    Surface surface;
    if (!surface_hit(&world, &work->context, ray, &surface))
        return;
    const float depth = flat ? -surface.at.z : vec_dot(vec_minus(surface.at, ray.origin), work->camera.forward);
    const bool away = vec_dot(surface.normal, ray.direction) > 0;
    sum->depth = fminf(sum->depth, depth);
    const size_t spheres = work->scene->count, cylinders = spheres + work->scene->triangle_count;
    const bool is_triangle = surface.index >= spheres && surface.index < cylinders;
    sum->object_depth = surface.index == HIT_GROUND ? INFINITY : depth;
    sum->object = is_triangle ? (uint32_t)(spheres + 1) : surface.index + 1;
    sum->turn = is_triangle ? layers_turn(vec_times(surface.smooth, away ? -1.0f : 1.0f)) : 0;
    sum->normal = vec_along(sum->normal, away ? -1.0f : 1.0f, surface.smooth);
    sum->albedo = vec_along(sum->albedo, 1, albedo_of(&surface));
    count(&sum->things[0], number_of(work->scene, &surface));
    count(&sum->things[1], material_number(work->scene, surface.index));
    sum->hits++;
}

/* ---- planes ---- */

static float *plane(const Layers *layers, LayerKind kind, size_t index) {
    return (float *)layers->planes[kind] + index * layers->width * layers->height;
}

static void put_matte(const Work *work, size_t m, Counts counts, size_t pixel) {
    const Matte *matte = &mattes[m];
    for (size_t rank = 0; rank < RANKS; rank++) {
        char name[CRYPTOMATTE_NAME];
        uint32_t rays = 0, hash = 0;
        const uint32_t number = take_most(&counts, &rays);
        if (number > 0) {
            matte->name(work->scene, number, name);
            hash = cryptomatte_hash(name);
            atomic_store_explicit(&work->seen[m][number - 1], 1, memory_order_relaxed);
        }
        memcpy(plane(work->layers, matte->kind, 2 * rank) + pixel, &hash, sizeof hash);
        plane(work->layers, matte->kind, 2 * rank + 1)[pixel] = (float)rays / RAYS;
    }
}

static void put_pixel(const Work *work, const Sum *sum, size_t pixel) {
    const Layers *layers = work->layers;
    const Vec means[] = {vec_times(sum->normal, 1.0f / RAYS), vec_times(sum->albedo, 1.0f / RAYS)};
    if (layers->planes[LAYER_DEPTH])
        plane(layers, LAYER_DEPTH, 0)[pixel] = sum->depth;
    for (size_t i = 0; i < 2; i++) {
        const LayerKind kind = i == 0 ? LAYER_NORMAL : LAYER_ALBEDO;
        for (size_t c = 0; c < 3 && layers->planes[kind]; c++)
            plane(layers, kind, c)[pixel] = c == 0 ? means[i].x : c == 1 ? means[i].y : means[i].z;
    }
    if (layers->planes[LAYER_ID]) {
        Counts counts = sum->things[0];
        uint32_t rays = 0;
        const uint32_t number = take_most(&counts, &rays);
        ((uint32_t *)layers->planes[LAYER_ID])[pixel] = rays >= RAYS - sum->hits ? number : 0;
    }
    for (size_t m = 0; m < MATTES; m++)
        if (layers->planes[mattes[m].kind])
            put_matte(work, m, sum->things[m], pixel);
}

static void put_ray(const Work *work, const Sum *sum, size_t ray) {
    if (work->layers->planes[LAYER_TURNS])
        ((uint32_t *)work->layers->planes[LAYER_TURNS])[ray] = sum->turn;
    if (!work->layers->planes[LAYER_RAYS])
        return;
    plane(work->layers, LAYER_RAYS, 0)[ray] = sum->object_depth;
    ((uint32_t *)(void *)plane(work->layers, LAYER_RAYS, RAYS))[ray] = sum->object;
}

/* A row of the picture. */
static void make_row(const void *job, size_t row) {
    const Work *work = job;
    const size_t width = work->layers->width, y = work->row + row;
    for (size_t x = 0; x < width; x++) {
        Sum sum = {.depth = INFINITY};
        for (size_t i = 0; i < RAYS; i++) {
            const size_t right = x * SIDE + i % SIDE, down = row * SIDE + i / SIDE;
            const unsigned char *colour = (const unsigned char *)view_row(work->codes, down) + 3 * right;
            const uint32_t mixed = (uint32_t)colour[0] << 16 | (uint32_t)colour[1] << 8 | colour[2];
            sum.object_depth = INFINITY;
            sum.turn = 0;
            add_ray(work, mixed, right, y * SIDE + i / SIDE, &sum);
            put_ray(work, &sum, (y * SIDE + i / SIDE) * width * SIDE + right);
        }
        put_pixel(work, &sum, y * width + x);
    }
}

/* ---- all of it ---- */

/* The number that core/math/look.h multiplies by 0x9E3779, modulo CODES: by the inverse of that, found as Newton does,
 * who doubles the bits that are right. */
static uint32_t unmixed(uint32_t colour) {
    const uint32_t factor = 0x9E3779U;
    uint32_t inverse = factor;
    for (int i = 0; i < 4; i++)
        inverse *= 2 - factor * inverse;
    return colour * inverse & (CODES - 1);
}

/* A camera whose pixels are the rays of the grid: 4 x 4 in each pixel of the other. */
static Camera refined(Camera camera, size_t width, size_t height) {
    if (camera.kind == CAMERA_ORTHOGRAPHIC) {
        const float off = 0.5f / SIDE - 0.5f; /* from the middle of a pixel to its first ray */
        camera.centre_x += camera.unit * (off + (width % 2 ? 0.5f : 0));
        camera.centre_y -= camera.unit * (off + (height % 2 ? 0.5f : 0));
        camera.unit /= SIDE;
    }
    return camera;
}

size_t layers_bytes(const Scene *scene, size_t width, size_t height, unsigned kinds) {
    size_t bytes = memory_product(memory_product(width, 3 * SIDE * SIDE), ROWS) + 2 * (size_t)BAND_BYTES;
    for (unsigned i = 0; i < LAYER_KINDS; i++)
        if (kinds & 1U << i)
            bytes = memory_sum(bytes, memory_product(memory_product(width, height), 4 * layer_infos[i].planes));
    for (size_t m = 0; m < MATTES; m++)
        if (kinds & 1U << mattes[m].kind) /* whether it is seen, and its line in the manifest */
            bytes = memory_sum(bytes, memory_product(matte_count(scene, mattes[m].kind), 1 + CRYPTOMATTE_NAME));
    return bytes;
}

static Status create(const Scene *scene, Work *work) {
    Layers *layers = work->layers;
    bool whole = true;
    for (unsigned i = 0; i < LAYER_KINDS; i++)
        if (layers->kinds & 1U << i) {
            layers->planes[i] = calloc(layers->width * layers->height, 4 * layer_infos[i].planes);
            whole &= layers->planes[i] != NULL;
        }
    for (size_t m = 0; m < MATTES; m++)
        if (layers->kinds & 1U << mattes[m].kind) {
            work->seen[m] = calloc(matte_count(scene, mattes[m].kind) + 1, 1);
            whole &= work->seen[m] != NULL;
        }
    return whole ? STATUS_OK
                 : fail(STATUS_DEVICE, "no memory for layers of %zu x %zu pixels", layers->width, layers->height);
}

/* The picture's rows, as many at once as there is room for. */
static Status make_rows(Work *work, RowSource *source) {
    Image *codes;
    TRY(image_create((Shape){source->shape.width, (size_t)ROWS * SIDE, 3, PIXEL_U8}, &codes));
    Status status = STATUS_OK;
    for (work->row = 0; work->row < work->layers->height && status == STATUS_OK; work->row += work->rows) {
        const size_t left = work->layers->height - work->row;
        work->rows = left < ROWS ? left : ROWS;
        work->codes = view_crop(codes->view, 0, 0, source->shape.width, work->rows * SIDE);
        status = source->read(source, work->codes);
        for (size_t y = 0; y < work->rows * SIDE && status == STATUS_OK; y++) {
            unsigned char *colours = view_row(work->codes, y);
            for (size_t x = 0; x < source->shape.width; x++, colours += 3) {
                const uint32_t code = unmixed((uint32_t)colours[0] << 16 | (uint32_t)colours[1] << 8 | colours[2]);
                colours[0] = (unsigned char)(code >> 16);
                colours[1] = (unsigned char)(code >> 8);
                colours[2] = (unsigned char)code;
            }
        }
        if (status == STATUS_OK)
            share_pieces(work->rows, make_row, work);
    }
    image_destroy(&codes);
    return status;
}

static Status list_names(const Work *work) {
    Layers *layers = work->layers;
    for (size_t m = 0; m < MATTES; m++) {
        Bytes *manifest = &layers->manifests[mattes[m].kind];
        size_t capacity = 0;
        for (size_t i = 0; work->seen[m] && i < matte_count(work->scene, mattes[m].kind); i++)
            if (work->seen[m][i]) {
                char name[CRYPTOMATTE_NAME];
                mattes[m].name(work->scene, i + 1, name);
                TRY(cryptomatte_list(manifest, &capacity, name));
            }
        if (work->seen[m])
            TRY(cryptomatte_close(manifest, &capacity));
    }
    return STATUS_OK;
}

static Status trace_codes(Device *device, TraceJob job, const Stop *stop, Work *work) {
    const Shape shape = {work->layers->width * SIDE, work->layers->height * SIDE, 3, PIXEL_U8};
    const StripRoom room = {.wanted = BAND_BYTES, .max = SIZE_MAX};
    TracedRows rows;
    Spans spans = {0};
    job.look = LOOK_SPHERES;
    job.camera = work->camera;
    TRY(traced_rows_open(device, job, 1, shape, (PlanOptions){.device = device}, "best", room, &rows));
    rows.spans = &spans;
    pipeline_queue(rows.pipeline)->stop = stop;
    Status status = rows.source.rewind(&rows.source);
    if (status == STATUS_OK)
        status = make_rows(work, &rows.source);
    traced_rows_close(&rows);
    return status;
}

Status layers_trace(Device *device, const TraceJob *job, size_t width, size_t height, unsigned kinds, const Stop *stop,
                    Layers *layers) {
    const Scene *scene = job->scene;
    *layers = (Layers){width, height, kinds, {NULL}, {{NULL, 0}}};
    Work work = {.layers = layers,
                 .scene = scene,
                 .context = {.spheres = scene->spheres,
                             .triangles = scene->triangles,
                             .cylinders = scene->cylinders,
                             .sphere_count = (uint32_t)scene->count,
                             .triangle_count = (uint32_t)scene->triangle_count,
                             .cylinder_count = (uint32_t)scene->cylinder_count,
                             .materials = scene->materials,
                             .has_ground = scene->has_ground,
                             .ground = scene->ground},
                 .camera = refined(job->camera, width, height)};
    if (job->camera.kind == CAMERA_RANDOM)
        return fail(STATUS_USAGE, "random rays make no layers; want another camera");
    Status status = create(scene, &work);
    if (status == STATUS_OK)
        status = trace_codes(device, *job, stop, &work);
    if (status == STATUS_OK)
        status = list_names(&work);
    for (size_t m = 0; m < MATTES; m++)
        free((void *)(uintptr_t)work.seen[m]);
    if (status != STATUS_OK)
        layers_free(layers);
    return status;
}

void layers_free(Layers *layers) {
    for (size_t i = 0; i < LAYER_KINDS; i++) {
        free(layers->planes[i]);
        bytes_free(&layers->manifests[i]);
    }
    *layers = (Layers){0};
}

/* ---- files ---- */

/* The names of channels by kind, and those of Cryptomattes, which have a number in them. */
static const char *const channel_names[LAYER_KINDS][3] = {[LAYER_DEPTH] = {"Z"},
                                                          [LAYER_NORMAL] = {"normal.X", "normal.Y", "normal.Z"},
                                                          [LAYER_ALBEDO] = {"albedo.R", "albedo.G", "albedo.B"},
                                                          [LAYER_ID] = {"id"}};

enum { TEXTS = 4 /* of a Cryptomatte */, TEXT_NAME = 40, CHANNEL_NAME = 24 };

typedef struct File {
    ExrChannel channels[EXR_CHANNELS_MORE];
    ExrText texts[MATTES * TEXTS];
    size_t channel_count, text_count;
    char channel_names[MATTES][2 * RANKS][CHANNEL_NAME], text_names[MATTES][TEXTS][TEXT_NAME];
} File;

/* The header's texts: under a key, which is the beginning of the layer's hash. */
static void add_matte(const Layers *layers, size_t m, File *file) {
    const Matte *matte = &mattes[m];
    static const char *const names[TEXTS] = {"name", "hash", "conversion", "manifest"};
    const char *const texts[TEXTS] = {matte->layer, "MurmurHash3_32", "uint32_to_float32",
                                      (const char *)layers->manifests[matte->kind].data};
    char key[9];
    snprintf(key, sizeof key, "%08x", (unsigned)cryptomatte_hash(matte->layer));
    for (size_t i = 0; i < TEXTS; i++) {
        snprintf(file->text_names[m][i], TEXT_NAME, "cryptomatte/%.7s/%s", key, names[i]);
        file->texts[file->text_count++] = (ExrText){file->text_names[m][i], texts[i]};
    }
    for (size_t i = 0; i < 2 * (size_t)RANKS; i++) {
        snprintf(file->channel_names[m][i], CHANNEL_NAME, "%s%02zu.%c", matte->layer, i / 4, "rgba"[i % 4]);
        file->channels[file->channel_count++] =
            (ExrChannel){file->channel_names[m][i], false, plane(layers, matte->kind, i)};
    }
}

Status layers_encode(const Layers *layers, unsigned kinds, const Image *image, Bytes *file) {
    File made = {.channel_count = 0};
    for (unsigned kind = 0; kind < LAYER_OBJECTS; kind++)
        for (size_t i = 0; (kinds & 1U << kind) && i < layer_infos[kind].planes; i++)
            made.channels[made.channel_count++] =
                (ExrChannel){channel_names[kind][i], kind == LAYER_ID, plane(layers, kind, i)};
    for (size_t m = 0; m < MATTES; m++)
        if (kinds & 1U << mattes[m].kind)
            add_matte(layers, m, &made);
    const ExrMore more = {made.channels, made.channel_count, made.texts, made.text_count};
    return exr_save_with(image, &more, (SaveOptions){0}, file);
}
