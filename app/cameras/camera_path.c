/* camera_path.c: each number of the cameras along the spline. */
#include "app/cameras/camera_path.h"

#include <math.h>

#define HALF_TURN 3.14159265358979323846

/* The two cameras around a place, one before and one behind them, and how far it is from the one to the other. */
typedef struct Span {
    const OrbitCamera *before, *from, *to, *behind;
    double share;
} Span;

/* The four weights of Catmull and Rom. */
static double spline(double before, double from, double to, double behind, double t) {
    const double slope = (to - before) / 2, next_slope = (behind - from) / 2, way = to - from;
    return from + t * (slope + t * (3 * way - 2 * slope - next_slope + t * (slope + next_slope - 2 * way)));
}

/* The same of numbers above 0, by their logarithms. */
static float scaled(float before, float from, float to, float behind, double t) {
    return (float)exp(spline(log((double)before), log((double)from), log((double)to), log((double)behind), t));
}

#define ALONG(span, member)                                                                                            \
    ((float)spline((double)(span).before->member, (double)(span).from->member, (double)(span).to->member,              \
                   (double)(span).behind->member, (span).share))
#define SCALED(span, member)                                                                                           \
    scaled((span).before->member, (span).from->member, (span).to->member, (span).behind->member, (span).share)

/* Between -pi and pi. */
static double shorter(double turn) {
    return turn - 2 * HALF_TURN * round(turn / (2 * HALF_TURN));
}

static float yaw_at(Span span) {
    const double from = (double)span.from->yaw, to = from + shorter((double)span.to->yaw - from);
    const double before = from - shorter(from - (double)span.before->yaw);
    const double behind = to + shorter((double)span.behind->yaw - (double)span.to->yaw);
    return (float)spline(before, from, to, behind, span.share);
}

/* As far ahead as all is sharp; of cameras that leave it out, the target. */
static double focus_of(const OrbitCamera *camera) {
    return (double)(camera->focus > 0 ? camera->focus : camera->distance);
}

static float focus_at(Span span) {
    if (span.from->focus <= 0 && span.to->focus <= 0)
        return 0;
    return (float)exp(spline(log(focus_of(span.before)), log(focus_of(span.from)), log(focus_of(span.to)),
                             log(focus_of(span.behind)), span.share));
}

static Span span_at(const OrbitCamera *stops, size_t count, double share) {
    const double place = fmin(fmax(share, 0), 1) * (double)(count - 1);
    const size_t from = place < (double)(count - 1) ? (size_t)place : count - 2;
    return (Span){&stops[from > 0 ? from - 1 : 0], &stops[from], &stops[from + 1],
                  &stops[from + 2 < count ? from + 2 : count - 1], place - (double)from};
}

OrbitCamera camera_path_at(const OrbitCamera *stops, size_t count, double share) {
    const Span span = span_at(stops, count, share);
    OrbitCamera made = *span.from;
    made.fitted = false;
    if (!made.orbits) {
        made.camera.centre_x = ALONG(span, camera.centre_x);
        made.camera.centre_y = ALONG(span, camera.centre_y);
        made.camera.unit = SCALED(span, camera.unit);
        return made;
    }
    made.target = vec(ALONG(span, target.x), ALONG(span, target.y), ALONG(span, target.z));
    made.up = vec_unit(vec(ALONG(span, up.x), ALONG(span, up.y), ALONG(span, up.z)));
    made.angle = fminf(fmaxf(ALONG(span, angle), (float)VIEWPOINT_ANGLE_MIN), (float)VIEWPOINT_ANGLE_MAX);
    made.distance = SCALED(span, distance);
    made.yaw = yaw_at(span);
    made.pitch = ALONG(span, pitch);
    made.lens = fmaxf(ALONG(span, lens), 0);
    made.focus = focus_at(span);
    orbit_camera_update(&made);
    return made;
}
