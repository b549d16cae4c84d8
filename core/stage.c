/* stage.c: what each operation costs and how its results are compared. */
#include "core/stage.h"

#include "core/hd/triangle.h"

#include <math.h>

static double frame_bytes(Frame frame) {
    return (double)shape_bytes(frame.shape);
}
static double frame_pixels(Frame frame) {
    return (double)frame.shape.width * (double)frame.shape.height;
}

static Cost convolve_cost(const Stage *stage) {
    const Mask *mask = stage->convolve.mask;
    const double values = frame_pixels(stage->out) * stage->out.shape.channels;
    return (Cost){frame_bytes(stage->in[0]) + frame_bytes(stage->out), 2.0 * mask->width * mask->height * values};
}

static Cost point_cost(const Stage *stage) {
    const double second = stage->in[1].shape.width ? frame_bytes(stage->in[1]) : 0;
    return (Cost){frame_bytes(stage->in[0]) + second + frame_bytes(stage->out),
                  frame_pixels(stage->out) * stage->out.shape.channels};
}

/* One test a ray and sphere: two differences, two products, a sum, a comparison; and as much for what is around. One a
 * ray and triangle: nine differences, six slants, three areas. */
static Cost trace_cost(const Stage *stage) {
    const TraceJob *job = &stage->trace;
    const double spheres = (double)job->scene->count, triangles = (double)job->scene->triangle_count;
    const double rays = frame_pixels(stage->out) * (look_is_light(job->look) ? (double)job->sampling.samples : 1);
    return (Cost){frame_bytes(stage->out) + spheres * (double)sizeof(Sphere) + triangles * (double)sizeof(Triangle),
                  (6 * (spheres + 1) + 30 * triangles) * rays};
}

Part trace_part(const Stage *stage) {
    const Part whole = {0, 0, stage->out.shape.width, stage->out.shape.height, 1};
    Part part = stage->trace.part.width > 0 ? stage->trace.part : whole;
    part.coarseness = part.coarseness > 0 ? part.coarseness : 1;
    return part;
}

typedef struct Differences {
    size_t values, differing;
    double worst;
} Differences;

static Differences count_differences(ImageView want, ImageView got) {
    Differences found = {0};
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++)
            for (int c = 0; c < want.shape.channels; c++) {
                const double a = view_value(want, x, y, c), b = view_value(got, x, y, c);
                const double difference = a == b || (isnan(a) && isnan(b)) ? 0 : fabs(a - b);
                found.values++;
                found.differing += !(difference <= 0);
                if (!(difference <= found.worst)) /* NaN counts as the worst */
                    found.worst = isnan(difference) ? INFINITY : difference;
            }
    return found;
}

/* u8, u16: within 1 on at most 0.1 % of the values (one value always may), exactly elsewhere. f32: within `allowed`. */
static Verdict judge(ImageView want, ImageView got, double allowed) {
    const Differences found = count_differences(want, got);
    const bool whole = want.shape.type != PIXEL_F32;
    Verdict verdict = {false, found.values, found.differing, found.worst, whole ? 1 : allowed};
    verdict.agrees = found.worst <= verdict.allowed && (!whole || found.differing <= 1 + found.values / 1000);
    return verdict;
}

static Verdict convolve_compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const ConvolveJob *job = &stage->convolve;
    const double most = fmax(max_in, fabs((double)job->border.value));
    return judge(want, got, 2e-6 * (mask_absolute_sum(job->mask) * most + fabs((double)job->bias)));
}

static Verdict point_compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return judge(want, got, 2e-6 * fmax(max_in, (double)stage->point.white));
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

/* Where single precision may see something else, or nothing: where two surfaces lie nearly equally far away, or the
 * nearest is just grazed. */
static bool trace_may_differ(const Stage *stage, size_t px, size_t py) {
    const double close = 1e-4;
    const Scene *scene = stage->trace.scene;
    const Ray ray = camera_ray(stage->trace.camera, px, py, stage->out.shape.width, stage->out.shape.height);
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
    return second < INFINITY && second - nearest <= close * fmax(fabs(nearest), fabs(second));
}

/* Ways of light part where one of two surfaces is met by a hair; what must agree is the mean: within five standard
 * errors of what differs. */
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
static Verdict trace_compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)max_in;
    if (look_is_light(stage->trace.look))
        return compare_light(want, got);
    const double allowed = stage->trace.look == LOOK_SPHERES ? 0 : 1;
    Verdict verdict = {.allowed = allowed};
    size_t astray = 0;
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++) {
            const Differences found = count_differences(view_crop(want, x, y, 1, 1), view_crop(got, x, y, 1, 1));
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

const OperationInfo operations[OPERATIONS] = {
    [OPERATION_CONVOLVE] = {"convolve", "each pixel becomes a weighted sum of its neighbours", convolve_cost,
                            convolve_compare},
    [OPERATION_POINT] = {"point", "each pixel becomes a function of itself", point_cost, point_compare},
    [OPERATION_TRACE] = {"trace", "each pixel takes the colour of what its ray meets first", trace_cost, trace_compare},
};
