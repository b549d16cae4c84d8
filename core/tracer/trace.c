/* trace.c: the cost of a trace, and the tolerance between levels. */
#include "core/tracer/trace.h"

#include "core/math/triangle.h"
#include "core/scene/camera.h"
#include "core/scene/look.h"
#include "core/scene/scene.h"
#include "core/scene/scene_open.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>

static void job_free(void *job) {
    scene_destroy(&((TraceJob *)job)->owned);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const TraceJob *trace = job;
    const bool light = look_is_light(trace->look);
    (void)in;
    if (type != (light ? PIXEL_F32 : PIXEL_U8) || trace->channels < (light ? 4 : 3) || trace->channels > 4)
        return fail(STATUS_USAGE, "trace draws u8x3 or u8x4, and gathers light as f32x4, not %sx%d",
                    pixel_type_name(type), trace->channels);
    *out = (Shape){trace->width, trace->height, trace->channels, type};
    return STATUS_OK;
}

/* One test a ray and sphere: two differences, two products, a sum, a comparison; and as much for what is around. One a
 * ray and triangle: nine differences, six slants, three areas. One a ray and cylinder: six differences, nine products
 * of each of a cross and two inner products, and what they are compared with. */
static Cost cost(const Stage *stage) {
    const TraceJob *job = trace_job(stage);
    const double spheres = (double)job->scene->count, triangles = (double)job->scene->triangle_count,
                 cylinders = (double)job->scene->cylinder_count;
    const double rays = (double)stage->out.shape.width * (double)stage->out.shape.height *
                        (look_is_light(job->look) ? (double)job->sampling.samples : 1);
    return (Cost){(double)shape_bytes(stage->out.shape) + spheres * (double)sizeof(Sphere) +
                      triangles * (double)sizeof(Triangle) + cylinders * (double)sizeof(Cylinder),
                  (6 * (spheres + 1) + 30 * triangles + 40 * cylinders) * rays};
}

/* The ways of rays of light, and so their cost, show as they are traced. */
static bool cost_is_open(const Stage *stage) {
    return look_is_light(trace_job(stage)->look);
}

Part trace_part(const Stage *stage) {
    const Part whole = {0, 0, stage->out.shape.width, stage->out.shape.height, 1};
    Part part = trace_job(stage)->part.width > 0 ? trace_job(stage)->part : whole;
    part.coarseness = part.coarseness > 0 ? part.coarseness : 1;
    return part;
}

/* How near the ray comes to the side from a to b of a triangle that it sees. */
static double side_distance(const Outline *outline, int a, int b) {
    const double x = outline->x[b] - outline->x[a], y = outline->y[b] - outline->y[a], square = x * x + y * y;
    const double along = -(outline->x[a] * x + outline->y[a] * y) / (square > 0 ? square : 1);
    const double share = fmin(fmax(along, 0), 1);
    return hypot(outline->x[a] + share * x, outline->y[a] + share * y);
}

/* Whether the ray passes a side of the triangle by a hair: by its size, or by where in the world it is. */
static bool grazes(const Triangle *triangle, Ray ray, double close) {
    const Outline outline = triangle_outline(triangle, ray);
    const double world = fmax(fabs((double)ray.origin.x), fmax(fabs((double)ray.origin.y), fabs((double)ray.origin.z)));
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const double side = hypot(outline.x[b] - outline.x[a], outline.y[b] - outline.y[a]);
        const double far = fmax(world, fmax(fabs(outline.z[a]), fabs(outline.z[b])));
        if (side_distance(&outline, a, b) <= close * side + close / 100 * far)
            return true;
    }
    return false;
}

/* Whether the ray passes the outline of the cylinder by a hair. Then a cylinder that is a hair thicker and longer is
 * hit otherwise than a thinner and shorter one, or an edge is near. */
static bool grazes_cylinder(const Cylinder *cylinder, Ray ray, double close) {
    CylinderAxis axis;
    if (!cylinder_axis(cylinder, &axis))
        return false;
    const AxialRay axial = ray_axial(ray, &axis);
    const double world = fmax(fabs((double)ray.origin.x), fmax(fabs((double)ray.origin.y), fabs((double)ray.origin.z)));
    const double radius = (double)cylinder->radius, hair = close * (radius + axis.half) + close / 100 * world;
    const CylinderSpan more = cylinder_span(&axial, axis.half > 0 ? axis.half + hair : 0, radius + hair);
    const CylinderSpan less =
        cylinder_span(&axial, fmax(axis.half - hair, 0), radius > hair ? radius - hair : 0.5 * radius);
    const bool hit = more.enter <= more.leave, surely = less.enter <= less.leave;
    return hit && (!surely || more.enters_flat != less.enters_flat || more.leaves_flat != less.leaves_flat ||
                   more.leave - more.enter < sqrt(close) * radius);
}

/* Where single precision may see something else, or nothing: where two surfaces lie nearly equally far away, or the
 * nearest is just grazed. */
static bool trace_may_differ(const Stage *stage, size_t px, size_t py) {
    const double close = 1e-4;
    const Scene *scene = trace_job(stage)->scene;
    const Ray ray = camera_ray(trace_job(stage)->camera, px, py, stage->out.shape.width, stage->out.shape.height);
    double nearest = INFINITY, second = INFINITY, root = 0;
    for (size_t i = 0; i < scene->count; i++) {
        Sphere sphere = scene->spheres[i];
        const double distance = sphere_distance(&sphere, ray, &root);
        if (distance < INFINITY && root < sqrt(close) * (double)sphere.radius)
            return true;
        sphere.radius *= 1 + (float)close / 2;
        if (!(distance < INFINITY) && sphere_distance(&sphere, ray, &root) < INFINITY)
            return true;
        second = fmin(second, fmax(nearest, distance));
        nearest = fmin(nearest, distance);
    }
    for (size_t i = 0; i < scene->triangle_count; i++) {
        const double distance = triangle_distance(&scene->triangles[i], ray);
        if (grazes(&scene->triangles[i], ray, close))
            return true;
        second = fmin(second, fmax(nearest, distance));
        nearest = fmin(nearest, distance);
    }
    for (size_t i = 0; i < scene->cylinder_count; i++) {
        const double distance = cylinder_distance(&scene->cylinders[i], ray);
        if (grazes_cylinder(&scene->cylinders[i], ray, close))
            return true;
        second = fmin(second, fmax(nearest, distance));
        nearest = fmin(nearest, distance);
    }
    return second < INFINITY && second - nearest <= close * fmax(fabs(nearest), fabs(second));
}

/* Ways of light part where one of two surfaces is hit by a hair; the mean must agree: within five standard errors of
 * the differences. */
static Verdict compare_light(ImageView want, ImageView got) {
    Verdict verdict = {.worst = 0};
    double sum = 0, squares = 0;
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++)
            for (int c = 0; c < 3; c++) {
                const double a = view_value(want, x, y, c) / view_value(want, x, y, 3);
                const double b = view_value(got, x, y, c) / view_value(got, x, y, 3);
                verdict.values++;
                verdict.differing += !(fabs(a - b) <= 1.0 / 255);
                sum += b - a;
                squares += (b - a) * (b - a);
            }
    const double count = (double)verdict.values;
    verdict.worst = isnan(sum) ? INFINITY : fabs(sum) / count;
    verdict.allowed = 5 * sqrt(squares) / count + 1e-3;
    verdict.agrees = verdict.worst <= verdict.allowed;
    return verdict;
}

/* Within 1, all pixels but one in 10000, and those only where they may. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)max_in;
    if (look_is_light(trace_job(stage)->look))
        return compare_light(want, got);
    const double allowed = trace_job(stage)->look == LOOK_SPHERES ? 0 : 1;
    Verdict verdict = {.allowed = allowed};
    size_t astray = 0;
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++) {
            const Verdict found = verdict_count(view_crop(want, x, y, 1, 1), view_crop(got, x, y, 1, 1));
            verdict.values += found.values;
            if (found.worst > allowed && ++astray <= 1 + want.shape.width * want.shape.height / 10000 &&
                trace_may_differ(stage, x, y))
                continue;
            verdict.differing += found.differing;
            verdict.worst = fmax(verdict.worst, found.worst);
        }
    verdict.agrees = verdict.worst <= allowed;
    return verdict;
}

/* Twenty spheres seen from the front, as the course shows them. */
static Status example(size_t index, Shape in, void *job) {
    TraceJob *trace = job;
    (void)index;
    *trace = (TraceJob){.camera = camera_default(), .width = in.width, .height = in.height, .channels = in.channels};
    if (in.type != PIXEL_U8 || in.channels < 3)
        return fail(STATUS_USAGE, "trace draws u8x3 or u8x4, not %sx%d", pixel_type_name(in.type), in.channels);
    TRY(scene_open("spheres", &trace->owned));
    trace->scene = trace->owned;
    return STATUS_OK;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const TraceJob *trace = job;
    char count[64];
    scene_count_text(trace->scene, count, sizeof count);
    return (size_t)snprintf(buffer, size, "%s, %s, %s", count, cameras[trace->camera.kind].name,
                            looks[trace->look].name);
}

static void features(const Stage *stage, Features *features) {
    const TraceJob *job = trace_job(stage);
    snprintf(features->kind, sizeof features->kind, "%s%s",
             look_is_nearest(job->look) ? cameras[job->camera.kind].name : looks[job->look].name,
             job->scene->cylinder_count > 0   ? " cylinders"
             : job->scene->triangle_count > 0 ? " triangles"
                                              : "");
    features->axes[1] = log2((double)(job->scene->count + job->scene->cylinder_count) + 1);
}

const Op op_trace = {
    .name = "trace",
    .help = "each pixel takes the colour of the first surface that its ray hits",
    .inputs = 0,
    .job_bytes = sizeof(TraceJob),
    .accumulates = true,
    .job_free = job_free,
    .shape = shape,
    .cost = cost,
    .cost_is_open = cost_is_open,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 1,
    .features = features,
};
