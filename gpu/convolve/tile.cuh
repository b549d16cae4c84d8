/* tile.cuh: a tile of the picture in shared memory as f32, one plane per channel, border filled in. Also has sums on
 * their way from registers to pixels. A thread has a few rows of 4 values of one channel. */
#ifndef GLINT_GPU_CONVOLVE_TILE_CUH
#define GLINT_GPU_CONVOLVE_TILE_CUH

#include "gpu/convolve/sum.cuh"
#include "gpu/point/around.cuh"

#include <cuda_pipeline.h>

enum { ACROSS = 4 };

/* Tiles are as wide as gives all channels together 128 values, 96 for three. */
static __host__ __device__ inline int tile_width(int channels) {
    return channels == 1 ? 128 : channels == 2 ? 64 : 32;
}

typedef struct Tile {
    float *values; /* plane after plane */
    int left, top; /* in the picture */
    int rows, pitch /* columns, a multiple of 4 */;
} Tile;

#define MIDDLE 32768.0F /* of the values of u16 */

/* A value as f32. CENTRED: less the middle of u16, by way of 2^23 + value. */
template <bool CENTRED, typename In> static __device__ __forceinline__ float real_of(In value) {
    if constexpr (CENTRED)
        return __uint_as_float(0x4B000000U | value) - (0x1p23F + MIDDLE);
    else
        return (float)value;
}

/* Four pixels of C channels from aligned memory into four values a plane. */
template <typename In, int C, bool CENTRED>
static __device__ __forceinline__ void spread(const In *from, float *to, int plane) {
    enum { WORDS = 4 * C * sizeof(In) / 4 };
    union {
        uint4 quads[(WORDS + 3) / 4];
        uint32_t words[WORDS];
        In values[4 * C];
    } raw;
    if (WORDS % 4 == 0)
        for (int i = 0; i < WORDS / 4; i++)
            raw.quads[i] = ((const uint4 *)from)[i];
    else
        for (int i = 0; i < WORDS; i++)
            raw.words[i] = ((const uint32_t *)from)[i];
    for (int c = 0; c < C; c++)
        *(float4 *)&to[c * plane] =
            make_float4(real_of<CENTRED>(raw.values[c]), real_of<CENTRED>(raw.values[C + c]),
                        real_of<CENTRED>(raw.values[2 * C + c]), real_of<CENTRED>(raw.values[3 * C + c]));
}

/* A tile that lies inside the picture and begins on a multiple of 4 columns. */
template <typename In, int C, bool CENTRED>
static __device__ __forceinline__ void fetch_inside(const Plane &in, const Tile &tile) {
    const int quads = tile.pitch / 4, plane = tile.rows * tile.pitch;
    if constexpr (C == 1) { /* a warp takes a row */
        const int lane = threadIdx.x % 32;
#pragma unroll 4
        for (int y = threadIdx.x / 32; y < tile.rows; y += blockDim.x / 32) {
            const In *from = row_of<In>(in, tile.top + y) + tile.left;
            for (int q = lane; q < quads; q += 32)
                if constexpr (sizeof(In) == sizeof(float))
                    __pipeline_memcpy_async(tile.values + y * tile.pitch + 4 * q, from + 4 * q, 16);
                else
                    spread<In, C, CENTRED>(from + 4 * q, tile.values + y * tile.pitch + 4 * q, plane);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
    } else {
        for (int i = threadIdx.x; i < quads * tile.rows; i += blockDim.x) {
            const int y = i / quads, x = 4 * (i - y * quads);
            spread<In, C, CENTRED>(row_of<In>(in, tile.top + y) + (tile.left + x) * C, tile.values + y * tile.pitch + x,
                                   plane);
        }
    }
}

/* A tile that reaches beyond the picture. There are few, but one that waited for every value by itself would take as
 * long as ten others. Values of f32 go straight to shared memory; of other types several values are on their way at
 * once. */
template <typename In, bool CENTRED>
static __device__ void fetch_edge(const Plane &in, const Sum &job, int channels, const Tile &tile) {
    for (int y = threadIdx.x / 32; y < tile.rows; y += blockDim.x / 32) {
        const int sy = inside_index(job.border, tile.top + y, in.height);
        const In *row = row_of<In>(in, sy < 0 ? 0 : sy);
        for (int c = 0; c < channels; c++) {
            float *to = tile.values + (c * tile.rows + y) * tile.pitch;
#pragma unroll 4
            for (int x = threadIdx.x % 32; x < tile.pitch; x += 32) {
                const int sx = inside_index(job.border, tile.left + x, in.width);
                if (sx < 0 || sy < 0)
                    to[x] = job.outside;
                else if constexpr (sizeof(In) == sizeof(float))
                    __pipeline_memcpy_async(&to[x], &row[sx * channels + c], sizeof(float));
                else
                    to[x] = real_of<CENTRED>(row[sx * channels + c]);
            }
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

/* The types of a kernel's pixels that it looks at at run time: any where points go along; bytes or f32 where not. Long
 * kernels have one instance for both. */
struct AnyPixel;
struct PlainPixel;

/* The argument of a kernel that says so. */
struct NoPoints {};
struct PlainTypes {
    PixelType in, out;
};
template <typename In> struct PointsOf {
    typedef NoPoints Type;
    enum { BYTES = sizeof(In) /* of a value on its way out */ };
};
template <> struct PointsOf<AnyPixel> {
    typedef PointsAround Type;
    enum { BYTES = sizeof(float) };
};
template <> struct PointsOf<PlainPixel> {
    typedef PlainTypes Type;
    enum { BYTES = sizeof(float) };
};

static inline Status points_around(Queue *, const Stage *, NoPoints *) {
    return STATUS_OK;
}
static inline Status points_around(Queue *, const Stage *stage, PlainTypes *types) {
    *types = {stage->in[0].shape.type, stage->out.shape.type};
    return STATUS_OK;
}

/* Four pixels at a time of a tile of bytes that lies inside the picture. */
template <int C>
static __device__ __forceinline__ void fetch_points_inside(const PointsAround *around, const Tile &tile) {
    const Plane &in = around->in.of[0].plane;
    const int quads = tile.pitch / 4, plane = tile.rows * tile.pitch;
    for (int i = threadIdx.x; i < quads * tile.rows; i += blockDim.x) {
        const int y = i / quads, x = 4 * (i - y * quads);
        const uint8_t *from = row_of<uint8_t>(in, tile.top + y) + (tile.left + x) * C;
        PointsPlace at[4];
        float v[4][C];
        uint32_t words[C];
        if constexpr (C == 4)
            *(uint4 *)words = *(const uint4 *)from;
        else
#pragma unroll
            for (int w = 0; w < C; w++)
                words[w] = ((const uint32_t *)from)[w];
#pragma unroll
        for (int p = 0; p < 4; p++) {
            at[p].x = tile.left + x + p, at[p].y = tile.top + y, at[p].made = NULL;
#pragma unroll
            for (int c = 0; c < C; c++)
                v[p][c] = byte_value(words[(p * C + c) / 4], (p * C + c) % 4);
        }
        if (around->before)
            run_points<C, 4>(around->before, around, at, v);
#pragma unroll
        for (int c = 0; c < C; c++)
            *(float4 *)&tile.values[c * plane + y * tile.pitch + x] = make_float4(v[0][c], v[1][c], v[2][c], v[3][c]);
    }
}

/* Any tile, pixel by pixel. */
template <int C>
static __device__ __forceinline__ void fetch_points_anywhere(const PointsAround *around, const Sum *job,
                                                             const Tile &tile) {
    const Plane &in = around->in.of[0].plane;
    const int plane = tile.rows * tile.pitch;
    for (int i = threadIdx.x; i < plane; i += blockDim.x) {
        const int y = i / tile.pitch;
        const int sx = inside_index(job->border, tile.left + i - y * tile.pitch, in.width);
        const int sy = inside_index(job->border, tile.top + y, in.height);
        PointsPlace at[1];
        float v[1][C];
        at[0].x = max(sx, 0), at[0].y = max(sy, 0), at[0].made = NULL;
        points_read<C, 1>(around, at, v);
#pragma unroll
        for (int c = 0; c < C; c++)
            tile.values[c * plane + i] = sx < 0 || sy < 0 ? job->outside : v[0][c];
    }
}

/* The tile, with the points before the operation. Out of line, since kernels of all masks share it. */
template <int C>
static __device__ __noinline__ void fetch_points(const PointsAround *around, const Sum *job, Tile tile) {
    const Plane &in = around->in.of[0].plane;
    if (around->in.of[0].type == PIXEL_U8 && tile.left % 4 == 0 && tile.left >= 0 && tile.top >= 0 &&
        tile.left + tile.pitch <= in.width && tile.top + tile.rows <= in.height)
        fetch_points_inside<C>(around, tile);
    else
        fetch_points_anywhere<C>(around, job, tile);
}

static __device__ __forceinline__ void fetch_any(const PointsAround &around, const Sum &job, int channels,
                                                 const Tile &tile) {
    if (channels == 1)
        fetch_points<1>(&around, &job, tile);
    else if (channels == 2)
        fetch_points<2>(&around, &job, tile);
    else if (channels == 3)
        fetch_points<3>(&around, &job, tile);
    else
        fetch_points<4>(&around, &job, tile);
}

/* CENTRED: values of u16 less their middle, as the border's value in `job` is, too. */
template <typename In, bool CENTRED = false>
static __device__ __forceinline__ void fetch(const Plane &in, const Sum &job, int channels, const Tile &tile,
                                             const NoPoints &) {
    if (tile.left % 4 != 0 || tile.left < 0 || tile.top < 0 || tile.left + tile.pitch > in.width ||
        tile.top + tile.rows > in.height)
        fetch_edge<In, CENTRED>(in, job, channels, tile);
    else if (channels == 1)
        fetch_inside<In, 1, CENTRED>(in, tile);
    else if (channels == 2)
        fetch_inside<In, 2, CENTRED>(in, tile);
    else if (channels == 3)
        fetch_inside<In, 3, CENTRED>(in, tile);
    else
        fetch_inside<In, 4, CENTRED>(in, tile);
}
template <typename In, bool CENTRED = false>
static __device__ __forceinline__ void fetch(const Plane &in, const Sum &job, int channels, const Tile &tile,
                                             const PlainTypes &types) {
    if (types.in == PIXEL_U8)
        fetch<uint8_t>(in, job, channels, tile, NoPoints());
    else
        fetch<float>(in, job, channels, tile, NoPoints());
}
template <typename In, bool CENTRED = false>
static __device__ __forceinline__ void fetch(const Plane &, const Sum &job, int channels, const Tile &tile,
                                             const PointsAround &around) {
    fetch_any(around, job, channels, tile);
}

/* The values of the tile that a thread computes. */
typedef struct Place {
    int channel, column, row;
} Place;

template <int ROWS> static __device__ __forceinline__ Place place_of(int channels) {
    const int groups = tile_width(channels) / ACROSS, all = groups * channels;
    const int band = threadIdx.x / all, in_band = threadIdx.x - band * all, channel = in_band / groups;
    const Place place = {channel, ACROSS * (in_band - channel * groups), band * ROWS};
    return place;
}

/* Four values of one channel as stored. */
template <typename Out> union Quad {
    Out values[ACROSS];
    uint4 all;
};

template <typename Out> static __device__ __forceinline__ void store_quad(Out *to, const Quad<Out> &quad) {
    if (sizeof(Out) == 4)
        *(uint4 *)to = quad.all;
    else if (sizeof(Out) == 2)
        *(uint2 *)to = make_uint2(quad.all.x, quad.all.y);
    else
        *(uint32_t *)to = quad.all.x;
}

template <typename Out, int ROWS, typename Acc>
static __device__ __forceinline__ void store_gray(const Plane &out, int tile_rows, int left, int top,
                                                  const Place &place, const Acc (&values)[ROWS][ACROSS]) {
    const bool inside = left + tile_width(1) <= out.width && top + tile_rows <= out.height;
    const int columns = out.width - left - place.column;
    unsigned char *row = out.pixels + (size_t)(top + place.row) * out.stride + (left + place.column) * sizeof(Out);
#pragma unroll
    for (int r = 0; r < ROWS; r++, row += out.stride) {
        Quad<Out> quad;
#pragma unroll
        for (int v = 0; v < ACROSS; v++)
            quad.values[v] = Stored<Out>::from(values[r][v]);
        if (inside)
            store_quad((Out *)row, quad);
        else if (top + place.row + r < out.height)
            for (int v = 0; v < ACROSS; v++)
                if (v < columns)
                    ((Out *)row)[v] = quad.values[v];
    }
}

/* Through shared memory, where the planes meet again. */
template <typename Out, int ROWS, typename Acc>
static __device__ __forceinline__ void store_colours(const Plane &out, int channels, int tile_rows, int left, int top,
                                                     const Place &place, const Acc (&values)[ROWS][ACROSS],
                                                     void *shared) {
    const int width = tile_width(channels), columns = min(width, out.width - left);
    const int rows = min(tile_rows, out.height - top), words = width * channels * (int)sizeof(Out) / 4;
    Out *staged = (Out *)shared;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int v = 0; v < ACROSS; v++)
            staged[((place.row + r) * width + place.column + v) * channels + place.channel] =
                Stored<Out>::from(values[r][v]);
    __syncthreads();
    for (int y = threadIdx.x / 32; y < rows; y += blockDim.x / 32) {
        Out *to = row_to<Out>(out, top + y) + left * channels;
        const Out *from = staged + y * width * channels;
        if (columns == width)
            for (int i = threadIdx.x % 32; i < words; i += 32)
                ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
        else
            for (int i = threadIdx.x % 32; i < columns * channels; i += 32)
                to[i] = from[i];
    }
}

/* Passes the operation's results for a tile, pixel after pixel, through the points behind it. */
template <int C>
static __device__ __noinline__ void store_points(const PointsAround *around, const Plane *out, const float *made,
                                                 int tile_rows, int left, int top) {
    enum { P = 4, WIDTH = C == 1 ? 128 : C == 2 ? 64 : 32 };
    for (int i = threadIdx.x; i < WIDTH * tile_rows; i += P * blockDim.x) {
        PointsPlace at[P];
#pragma unroll
        for (int p = 0; p < P; p++) {
            const int place = i + p * (int)blockDim.x;
            at[p].x = left + place % WIDTH;
            at[p].y = place < WIDTH * tile_rows ? top + place / WIDTH : out->height;
            at[p].made = made + min(place, WIDTH * tile_rows - 1) * C;
        }
        points_write<C, P>(around, *out, at);
    }
}

/* Values are on their way out, as `store` says. */
template <typename Out, int ROWS, typename Acc>
static __device__ __forceinline__ void put(const Plane &out, int channels, int tile_rows, int left, int top,
                                           const Place &place, const Acc (&values)[ROWS][ACROSS], void *shared,
                                           const NoPoints &) {
    if (channels == 1)
        store_gray<Out, ROWS>(out, tile_rows, left, top, place, values);
    else
        store_colours<Out, ROWS>(out, channels, tile_rows, left, top, place, values, shared);
}
template <typename Out, int ROWS, typename Acc>
static __device__ __forceinline__ void put(const Plane &out, int channels, int tile_rows, int left, int top,
                                           const Place &place, const Acc (&values)[ROWS][ACROSS], void *shared,
                                           const PlainTypes &types) {
    if (types.out == PIXEL_U8)
        put<uint8_t, ROWS>(out, channels, tile_rows, left, top, place, values, shared, NoPoints());
    else
        put<float, ROWS>(out, channels, tile_rows, left, top, place, values, shared, NoPoints());
}
/* Where points follow, results are first rounded as if they were stored before these. */
template <typename Out, int ROWS>
static __device__ __forceinline__ void put(const Plane &out, int channels, int tile_rows, int left, int top,
                                           const Place &place, const float (&values)[ROWS][ACROSS], void *shared,
                                           const PointsAround &around) {
    float *made = (float *)shared;
    const int width = tile_width(channels);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int v = 0; v < ACROSS; v++)
            made[((place.row + r) * width + place.column + v) * channels + place.channel] =
                stored_value(values[r][v], around.made);
    __syncthreads();
    if (channels == 1)
        store_points<1>(&around, &out, made, tile_rows, left, top);
    else if (channels == 2)
        store_points<2>(&around, &out, made, tile_rows, left, top);
    else if (channels == 3)
        store_points<3>(&around, &out, made, tile_rows, left, top);
    else
        store_points<4>(&around, &out, made, tile_rows, left, top);
}

/* The sums become pixels. `shared` may hold the tile: it is not read any more. */
template <typename Out, int ROWS, typename Acc>
static __device__ __forceinline__ void store(const Plane &out, const Sum &job, int channels, int tile_rows, int left,
                                             int top, const Place &place, Acc (&sums)[ROWS][ACROSS], void *shared,
                                             const typename PointsOf<Out>::Type &around) {
    if (job.divisor != 1 || job.bias != 0)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int v = 0; v < ACROSS; v++)
                sums[r][v] = finish(job, sums[r][v]);
    put<Out, ROWS>(out, channels, tile_rows, left, top, place, sums, shared, around);
}

#endif
