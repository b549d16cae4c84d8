/* cull.cu: for cameras whose rays stay together. A warp first finds the spheres that its 8 x 16 pixels can see at all,
 * 32 spheres at a time, one a lane. It tests only these.
 * The warp's rays lie within a cone about the middle one, or within a cylinder; a sphere is taken if its ball reaches
 * it (Amanatides, Ray Tracing with Cones, SIGGRAPH 1984). */
#include "gpu/trace/trace.cuh"

extern "C" {
#include "gpu/trace/accepts.h"
#include "gpu/trace/measured.h"
}

/* All of a warp's rays: their points lie within radius + slope * distance of the axis. */
typedef struct Bundle {
    Ray axis;
    float radius, slope;
} Bundle;

enum {
    EACH = 4,                    /* pixels of a thread, one above the other: one question for all; even */
    HEIGHT = EACH * TILE_HEIGHT, /* of a warp's pixels */
    MIDDLE_X = TILE_WIDTH / 2,
    MIDDLE_Y = HEIGHT / 2, /* the first of the lower half */
};

/* About the ray in the middle. Between two pixels of a perspective camera lies the greatest angle in the picture's
 * middle, where its tangent is their distance there. 2 % and a little more are room for rounding. */
static __device__ __forceinline__ Bundle bundle_of(const Ray &ray, const View &view) {
    const float farthest = 1.02f * sqrtf(MIDDLE_X * MIDDLE_X + MIDDLE_Y * MIDDLE_Y); /* pixels */
    const bool parallel = view.camera.kind == CAMERA_ORTHOGRAPHIC;
    Bundle bundle;
    bundle.axis = ray;
    if (parallel) {
        bundle.axis.origin.x = __shfl_sync(~0U, ray.origin.x, MIDDLE_X);
        bundle.axis.origin.y = __shfl_sync(~0U, ray.origin.y, MIDDLE_X);
    } else {
        bundle.axis.direction.x = __shfl_sync(~0U, ray.direction.x, MIDDLE_X);
        bundle.axis.direction.y = __shfl_sync(~0U, ray.direction.y, MIDDLE_X);
        bundle.axis.direction.z = __shfl_sync(~0U, ray.direction.z, MIDDLE_X);
    }
    bundle.radius = parallel ? farthest * view.camera.unit : 0;
    bundle.slope = parallel ? 0 : farthest * view.pixel + 1e-6f;
    return bundle;
}

/* Whether a ray of the bundle may hit the ball. Its centre then lies within the bundle grown by its radius, measured at
 * right angles to the bundle's side. A ball about the origin always may be hit. */
static __device__ __forceinline__ bool intersects(const Bundle &bundle, float4 ball) {
    const Vec to = vec_minus(vec(ball.x, ball.y, ball.z), bundle.axis.origin);
    const float along = vec_dot(to, bundle.axis.direction);
    const Vec aside = vec_along(to, -along, bundle.axis.direction);
    const float grown = ball.w * (1 + bundle.slope); /* more than by the slope's secant */
    const float reach = 1.0001f * (bundle.radius + grown) + bundle.slope * fmaxf(along, 0) + 1e-6f * fabsf(along);
    return vec_dot(aside, aside) <= reach * reach && along >= bundle.axis.t_min - 1.0001f * ball.w;
}

__global__ void __launch_bounds__(TRACE_THREADS)
    trace_cull(const __grid_constant__ View view, const float4 *__restrict__ balls, unsigned count) {
    const int2 place = place_of();
    const int top = place.y / TILE_HEIGHT * HEIGHT + place.y % TILE_HEIGHT;
    Pixel pixels[EACH];
    Hit hits[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        pixels[i] = pixel_at(view, make_int2(place.x, top + i * TILE_HEIGHT));
        hits[i] = hit_none();
    }
    const Bundle bundle = bundle_of(pixels[EACH / 2].ray, view);
    const unsigned lane = threadIdx.x % 32;
    for (unsigned first = 0; first < count; first += 32) {
        const bool wanted = first + lane < count && intersects(bundle, balls[first + lane]);
        for (unsigned left = __ballot_sync(~0U, wanted); left; left &= left - 1) {
            const unsigned index = first + (unsigned)__ffs((int)left) - 1;
            const float4 ball = balls[index];
#pragma unroll
            for (int i = 0; i < EACH; i++)
                offer_ball(&hits[i], ball, index, pixels[i].ray);
        }
    }
#pragma unroll
    for (int i = 0; i < EACH; i++)
        show(view, pixels[i], hits[i]);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_nearest(device, stage, why_not))
        return false;
    *why_not = "the camera's rays have nothing in common";
    return trace_job(stage)->camera.kind != CAMERA_RANDOM;
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->balls, &scene->count};
    return gpu_launch(queue, "trace cull", (const void *)trace_cull,
                      launch_over(view.right - view.left, (view.bottom - view.top + EACH - 1) / EACH), arguments);
}

extern "C" const Level cuda_trace_cull = {
    .op = &op_trace,
    .name = "cull",
    .idea = "each warp culls the spheres against its 8 x 16 pixel tile, one sphere a lane, and intersects only the "
            "survivors",
    .accepts = accepts,
    .predictor = &trace_measured,
    .run = run,
};
