/* trace.cuh: the parts that tracing kernels share: the pixel of each thread, its ray, and how the result is shown. */
#ifndef GLINT_GPU_TRACE_TRACE_CUH
#define GLINT_GPU_TRACE_TRACE_CUH

#include "core/math/shading_context.h"
#include "gpu/kernel.cuh"

extern "C" {
#include "core/tracer/trace.h"
}

/* A view of the scene: its camera and look, and the picture that it is drawn in. */
typedef struct View {
    Camera camera;
    float pixel; /* camera_pixel() */
    Look look;
    Plane out;                    /* of the whole picture */
    int left, top, right, bottom; /* of the part that is wanted */
    int channels;
    const Sphere *spheres; /* on the device */
} View;

/* A warp takes 8 x 4 pixels: their rays stay together for long. */
enum { TILE_WIDTH = 8, TILE_HEIGHT = 4, TILES_WIDE = 2, TILES_HIGH = 2, TRACE_THREADS = 32 * TILES_WIDE * TILES_HIGH };

static inline View view_of(const Stage *stage, const GpuScene *scene) {
    const Camera camera = trace_job(stage)->camera;
    const Part part = trace_part(stage);
    const View view = {camera,
                       camera_pixel(camera, stage->out.shape.height),
                       trace_job(stage)->look,
                       plane_of(stage->out),
                       (int)part.left,
                       (int)part.top,
                       (int)part_right(part),
                       (int)part_bottom(part),
                       stage->out.shape.channels,
                       scene->spheres};
    return view;
}

static inline Launch launch_over(int width, int height) {
    const Launch launch = {
        dim3(blocks_for(width, TILE_WIDTH * TILES_WIDE), blocks_for(height, TILE_HEIGHT * TILES_HIGH)),
        dim3(TRACE_THREADS), 0};
    return launch;
}

static inline Launch launch_of(const View &view) {
    return launch_over(view.right - view.left, view.bottom - view.top);
}

/* A thread's pixel; beyond the part's right and lower side there are some that are not seen. */
typedef struct Pixel {
    int x, y;
    bool seen;
    Ray ray;
} Pixel;

/* Where in the grid, which covers the part, a thread's pixel is. */
static __device__ __forceinline__ int2 place_of() {
    const int lane = threadIdx.x % 32, tile = threadIdx.x / 32;
    return make_int2((blockIdx.x * TILES_WIDE + tile % TILES_WIDE) * TILE_WIDTH + lane % TILE_WIDTH,
                     (blockIdx.y * TILES_HIGH + tile / TILES_WIDE) * TILE_HEIGHT + lane / TILE_WIDTH);
}

static __device__ __forceinline__ Pixel pixel_at(const View &view, int2 place) {
    Pixel pixel;
    pixel.x = view.left + place.x;
    pixel.y = view.top + place.y;
    pixel.seen = pixel.x < view.right && pixel.y < view.bottom;
    pixel.ray = camera_ray_by(view.camera, view.pixel, (size_t)pixel.x, (size_t)pixel.y, 0, 0, (size_t)view.out.width,
                              (size_t)view.out.height);
    return pixel;
}

static __device__ __forceinline__ Pixel pixel_of(const View &view) {
    return pixel_at(view, place_of());
}

static __device__ __forceinline__ void store_pixel(const View &view, const Pixel &pixel, const unsigned char *bytes) {
    unsigned char *to = row_to<unsigned char>(view.out, pixel.y) + pixel.x * view.channels;
    if (view.channels == 4)
        *(uchar4 *)to = make_uchar4(bytes[0], bytes[1], bytes[2], bytes[3]);
    else
        for (int c = 0; c < 3; c++)
            to[c] = bytes[c];
}

static __device__ __forceinline__ void show(const View &view, const Pixel &pixel, const Hit &hit) {
    unsigned char bytes[4];
    if (!pixel.seen)
        return;
    look_pixel(view.look, view.spheres + (hit.index == HIT_NONE ? 0 : hit.index), pixel.ray, hit, 4, bytes);
    store_pixel(view, pixel, bytes);
}

/* The primitives that are no spheres. */
typedef struct Others {
    const Triangle *triangles;
    const Cylinder *cylinders;
    unsigned triangle_count;
    unsigned before; /* spheres, the first indices of hits */
    bool some;       /* false: there are none, and all else may be anything */
} Others;

/* Shows a hit as `show` does, but it may be of another primitive. */
static __device__ __forceinline__ void show_hit(const View &view, const Pixel &pixel, const Hit &hit,
                                                const Others &others) {
    const Primitives primitives = {view.spheres, others.triangles, others.cylinders, others.before,
                                   others.triangle_count};
    unsigned char bytes[4];
    if (!pixel.seen)
        return;
    look_hit(view.look, primitives, pixel.ray, hit, 4, bytes);
    store_pixel(view, pixel, bytes);
}

/* A sphere as four floats: centre and radius. NEAR: for rays that may begin on a surface. */
template <bool NEAR = false>
static __device__ __forceinline__ void offer_ball(Hit *hit, float4 ball, uint32_t index, const Ray &ray) {
    if (NEAR)
        hit_offer_near(hit, vec(ball.x, ball.y, ball.z), ball.w, index, ray);
    else
        hit_offer(hit, vec(ball.x, ball.y, ball.z), ball.w, index, ray);
}

#endif
