/* tile.cu: a block makes a tile of the result. It brings the part of the picture that the tile lies on to shared
 * memory, with the border around it. A pixel takes a word or more there, whatever its type. Pixels are gathered from
 * there: threads of a warp find their neighbours in different banks, and none tests for the border. A place is one
 * number of 52 bits. Adding 1.5 * 2^20 in double leaves the pixel in its upper word. The lower word has 32 bits behind
 * the point. Neither needs a conversion. */
#include "gpu/warp/weighed.cuh"

enum { THREADS = 256, WARPS = THREADS / 32, GROUP = 4, SHARED_MAX = 96 << 10, CORNERS = 4 };
enum { ROWS_AT_ONCE = 2, STEP = WARPS * ROWS_AT_ONCE }; /* a warp's */
enum { LANES = 16, LINES = THREADS / LANES };           /* threads along a row as it is brought, and rows at once */
enum { LINES_MAX = 8 << 10 };                           /* bytes at most of results in shared memory */

/* Columns and rows of a tile: fewer where a pixel in shared memory is large. */
static __host__ __device__ constexpr int across_of(int words) {
    return words == 1 ? 64 : 32;
}
static __host__ __device__ constexpr int down_of(int words) {
    return words <= 2 ? 64 : 32;
}

/* The kinds of maps. AFFINE has 1 in the corner of its matrix, LENS neither tangential distortion nor terms beyond the
 * first. Kernels of bytes know the kind when they are compiled, others ask. */
typedef enum MapKind { MAP_AFFINE, MAP_HOMOGRAPHY, MAP_LENS, MAP_LENS_ANY, MAP_KINDS } MapKind;

typedef struct WarpTile {
    Warp warp;
    MapKind kind;
    double by_focal; /* 1 / focal */
    double shift;    /* to whole numbers: with it, the lower word of a place is the part behind the point */
    /* An affine map's way from a row to a warp's next, and from a tile's first place to its ends. */
    double row_u, row_v, min_u, max_u, min_v, max_v;
    int pitch, rows;   /* of shared memory, in pixels */
    int margin;        /* how far a tile's places may lie beyond those of its corners */
    bool outside_fits; /* the border's value is one that pixels in shared memory can have */
} WarpTile;

/* The part of the picture that a tile's places lie in. */
typedef struct Box {
    int left, top, width, height;
} Box;

/* A place, shifted: its upper word less UPPER is the pixel, its lower word the way to the next in 2^-32. */
typedef struct Place {
    double u, v;
} Place;

enum { UPPER = 0x41380000 }; /* of 1.5 * 2^20 */

static __device__ __forceinline__ int pixel_of(double place) {
    return __double2hiint(place);
}

/* 1 / w, from twenty bits by the first three terms of a geometric series. */
static __device__ __forceinline__ double inverse(double w) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(w));
    const double rest = fma(-w, r, 1.0);
    return fma(r, fma(rest, rest, rest), r);
}

/* The places of EACH pixels of row y, 32 apart from x on. */
template <int EACH>
static __device__ __forceinline__ void places(const WarpTile &job, MapKind kind, double x, double y,
                                              Place (&to)[EACH]) {
    const WarpMap &map = job.warp.map;
    const double *m = map.matrix;
    if (kind == MAP_AFFINE) {
        const double u = fma(m[1], y, m[2]) + job.shift, v = fma(m[4], y, m[5]) + job.shift;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            to[i] = {fma(m[0], x + 32 * i, u), fma(m[3], x + 32 * i, v)};
    } else if (kind == MAP_HOMOGRAPHY) {
        const double u = fma(m[1], y, m[2]), v = fma(m[4], y, m[5]), w = fma(m[7], y, m[8]);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const double by = inverse(fma(m[6], x + 32 * i, w));
            to[i] = {fma(fma(m[0], x + 32 * i, u), by, job.shift), fma(fma(m[3], x + 32 * i, v), by, job.shift)};
        }
    } else {
        const double to_row = y - map.centre_y, b = to_row * job.by_focal, b2 = b * b;
        const double centre_x = map.centre_x + job.shift, centre_y = map.centre_y + job.shift;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const double to_column = x + 32 * i - map.centre_x, a = to_column * job.by_focal, r2 = fma(a, a, b2);
            const bool is_plain = kind == MAP_LENS;
            const double radial = fma(r2, is_plain ? map.k1 : fma(r2, fma(r2, map.k3, map.k2), map.k1), 1.0);
            to[i] = {fma(to_column, radial, centre_x), fma(to_row, radial, centre_y)};
            if (!is_plain) {
                to[i].u = fma(fma(2 * map.p1 * b, a, map.p2 * fma(2 * a, a, r2)), map.focal, to[i].u);
                to[i].v = fma(fma(2 * map.p2 * b, a, map.p1 * fma(2 * b, b, r2)), map.focal, to[i].v);
            }
        }
    }
}

/* The minimum and maximum upper words of a tile's corners, for all threads of a warp. False: they say nothing,
 * as the map leads to the horizon. */
template <int ACROSS, int DOWN>
static __device__ __forceinline__ bool corners_of(const WarpTile &job, MapKind kind, int left, int top, int4 *box) {
    const WarpMap &map = job.warp.map;
    if (kind == MAP_AFFINE) {
        Place at[1];
        places<1>(job, kind, left, top, at);
        *box = make_int4(pixel_of(at[0].u + job.min_u), pixel_of(at[0].v + job.min_v), pixel_of(at[0].u + job.max_u),
                         pixel_of(at[0].v + job.max_v));
        return true;
    }
    const double x = left + (int)threadIdx.x % 2 * (ACROSS - 1), y = top + (int)threadIdx.x / 2 % 2 * (DOWN - 1);
    double u, v;
    warp_place(&map, x, y, &u, &v);
    *box = make_int4(pixel_of(u + job.shift), pixel_of(v + job.shift), 0, 0);
    box->z = box->x, box->w = box->y;
#pragma unroll
    for (int step = 1; step < CORNERS; step *= 2) {
        box->x = min(box->x, __shfl_xor_sync(0xffffffffU, box->x, step));
        box->y = min(box->y, __shfl_xor_sync(0xffffffffU, box->y, step));
        box->z = max(box->z, __shfl_xor_sync(0xffffffffU, box->z, step));
        box->w = max(box->w, __shfl_xor_sync(0xffffffffU, box->w, step));
    }
    const double w = map.is_lens ? 1 : map.matrix[6] * x + map.matrix[7] * y + map.matrix[8];
    return __all_sync(0xffffffffU, w > 1e-100) || __all_sync(0xffffffffU, w < -1e-100);
}

/* The part of the picture that a tile needs. False: none that fits into shared memory. */
template <int TAPS, int ACROSS, int DOWN>
static __device__ __forceinline__ bool box_of(const WarpTile &job, MapKind kind, int left, int top, Box *box) {
    const int limit = 1 << 19; /* beyond, the upper words say nothing */
    int4 at;
    const bool finite = corners_of<ACROSS, DOWN>(job, kind, left, top, &at);
    if (!finite || min(at.x, at.y) < UPPER - limit || max(at.z, at.w) >= UPPER + limit)
        return false;
    box->left = (at.x - UPPER - job.margin - (TAPS == 4)) & -GROUP;
    box->top = at.y - UPPER - job.margin - (TAPS == 4);
    box->width = (at.z - UPPER + job.margin + (TAPS + 2) / 2 - box->left + GROUP - 1) & -GROUP;
    box->height = at.w - UPPER + job.margin + (TAPS + 2) / 2 - box->top;
    return box->width <= job.pitch && box->height <= job.rows;
}

/* Word i of four pixels in shared memory, made of four in the picture. Bytes behind a pixel's may be the next one's. */
template <typename In, int C> static __device__ __forceinline__ uint32_t texel_word(const uint32_t *words, int i) {
    constexpr int BYTES = C * (int)sizeof(In), WORDS = Texel<In, C>::WORDS;
    const int at = i / WORDS * BYTES + i % WORDS * 4, next = at / 4 + 1 < BYTES ? at / 4 + 1 : 0;
    if (BYTES == 1)
        return __byte_perm(words[0], exponent(), 0x7440 + i);
    return at % 4 == 0 ? words[at / 4] : __funnelshift_r(words[at / 4], words[next], at % 4 * 8);
}

static __device__ __noinline__ int index_beyond(BorderMode mode, int i, int n) {
    return (int)border_index(mode, i, n);
}
static __device__ __forceinline__ int index_of(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : index_beyond(mode, i, n);
}

/* Four pixels of which some lie beyond a side, in each of a thread's rows. */
template <typename In, int C>
static __device__ __noinline__ void bring_side(const Plane &in, const Warp &warp, Box box, int column, uint32_t *to,
                                               int pitch) {
    enum { WORDS = Texel<In, C>::WORDS };
    int columns[GROUP];
#pragma unroll
    for (int i = 0; i < GROUP; i++)
        columns[i] = index_of(warp.border, column + i, in.width);
    for (int row = threadIdx.x / LANES; row < box.height; row += LINES) {
        const int line = index_of(warp.border, box.top + row, in.height);
        uint32_t texels[GROUP * WORDS];
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            In values[C];
#pragma unroll
            for (int c = 0; c < C; c++)
                values[c] = (columns[i] | line) < 0 ? (In)warp.outside[c] : row_of<In>(in, line)[columns[i] * C + c];
            Texel<In, C>::pack(values, texels + i * WORDS);
        }
        write<GROUP * WORDS, GROUP>(to + row * pitch * WORDS, texels);
    }
}

/* Four pixels of a row, from column on, made of the four of the picture that are nearest: beyond the sides there is the
 * border. */
template <typename In, int C>
static __device__ __forceinline__ void complete(const Warp &warp, bool outside, int column, int nearest, int width,
                                                uint32_t *texels) {
    enum { WORDS = Texel<In, C>::WORDS };
    uint32_t picture[GROUP * WORDS], beyond[WORDS];
    In values[C];
#pragma unroll
    for (int c = 0; c < C; c++)
        values[c] = (In)warp.outside[c];
    Texel<In, C>::pack(values, beyond);
#pragma unroll
    for (int i = 0; i < GROUP * WORDS; i++)
        picture[i] = texels[i];
#pragma unroll
    for (int i = 0; i < GROUP; i++) {
        const int at = min(max(column + i, 0), width - 1) - nearest;
        const bool is_beyond = outside || (warp.border != BORDER_CLAMP && (unsigned)(column + i) >= (unsigned)width);
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            const uint32_t low = at == 0 ? picture[w] : picture[WORDS + w];
            const uint32_t high = at == 2 ? picture[2 * WORDS + w] : picture[3 * WORDS + w];
            texels[i * WORDS + w] = is_beyond ? beyond[w] : at < 2 ? low : high;
        }
    }
}

/* Brings a box to shared memory: a thread four pixels of every 16th row. */
template <typename In, int C>
static __device__ __forceinline__ void bring(const Plane &in, const Warp &warp, const Box &box, uint32_t *tile,
                                             int pitch) {
    enum { BYTES = C * sizeof(In), WORDS = Texel<In, C>::WORDS, AHEAD = BYTES <= 8 ? 2 : 1 };
    const bool folds = warp.border == BORDER_MIRROR || warp.border == BORDER_WRAP;
    for (int group = threadIdx.x % LANES; group < box.width / GROUP; group += LANES) {
        const int column = box.left + group * GROUP, nearest = min(max(column, 0), (in.width - 1) & -GROUP);
        const bool is_side = column < 0 || column + GROUP > in.width;
        const unsigned char *from = in.pixels + (size_t)nearest * BYTES;
        uint32_t *to = tile + group * GROUP * WORDS;
        if (is_side && (folds || (size_t)(nearest + GROUP) * BYTES > in.stride)) {
            bring_side<In, C>(in, warp, box, column, to, pitch);
            continue;
        }
        for (int first = threadIdx.x / LANES; first < box.height; first += AHEAD * LINES) {
            uint32_t words[AHEAD][BYTES], texels[GROUP * WORDS];
            int lines[AHEAD];
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
                const int row = first + k * LINES, line = box.top + row;
                lines[k] = row < box.height ? index_of(warp.border, line, in.height) : -1;
                if (lines[k] >= 0)
                    read<BYTES, BYTES>((const uint32_t *)(from + (size_t)lines[k] * in.stride), words[k]);
            }
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
                const int row = first + k * LINES;
#pragma unroll
                for (int i = 0; i < GROUP * WORDS; i++)
                    texels[i] = texel_word<In, C>(words[k], i);
                if (is_side || lines[k] < 0)
                    complete<In, C>(warp, lines[k] < 0, column, nearest, in.width, texels);
                if (row < box.height)
                    write<GROUP * WORDS, GROUP>(to + row * pitch * WORDS, texels);
            }
        }
    }
}

/* Brings a box inside the picture. Loops have the same bounds for all threads. */
template <typename In, int C>
static __device__ __forceinline__ void bring_inside(const Plane &in, const Box &box, uint32_t *tile, int pitch,
                                                    int rows) {
    enum { BYTES = C * sizeof(In), WORDS = Texel<In, C>::WORDS, AHEAD = BYTES <= 4 ? 5 : BYTES <= 8 ? 2 : 1 };
    const int line = threadIdx.x / LANES;
    int column = threadIdx.x % LANES * GROUP;
    const unsigned char *from = in.pixels + (size_t)(box.top + line) * in.stride + (size_t)(box.left + column) * BYTES;
    uint32_t *to = tile + (line * pitch + column) * WORDS;
    for (int across = 0; across < pitch; across += LANES * GROUP) {
#pragma unroll 1
        for (int down = 0; down < rows; down += AHEAD * LINES) {
            uint32_t words[AHEAD][BYTES], texels[GROUP * WORDS];
#pragma unroll
            for (int k = 0; k < AHEAD; k++)
                if (column < box.width && line + down + k * LINES < box.height)
                    read<BYTES, BYTES>((const uint32_t *)(from + (size_t)(down + k * LINES) * in.stride), words[k]);
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
#pragma unroll
                for (int i = 0; i < GROUP * WORDS; i++)
                    texels[i] = texel_word<In, C>(words[k], i);
                if (column < box.width && line + down + k * LINES < box.height)
                    write<GROUP * WORDS, GROUP>(to + (down + k * LINES) * pitch * WORDS, texels);
            }
        }
        column += LANES * GROUP;
        from += LANES * GROUP * BYTES;
        to += LANES * GROUP * WORDS;
    }
}

template <typename In, int C, int TAPS, bool WEIGHED>
static __device__ __noinline__ void straight(const Plane &in, const Plane &out, const Warp &warp, int left, int top,
                                             int right, int bottom) {
    for (int y = top + (int)threadIdx.x / 32; y <= bottom; y += WARPS)
        for (int x = left + (int)threadIdx.x % 32; x <= right; x += 32)
            warp_pixel<In, C, TAPS, WEIGHED>(in, out, warp, x, y);
}

/* Whether pixels leave through shared memory: three values that are no bytes. */
template <typename In, int C> static __host__ __device__ constexpr bool lines_up() {
    return C == 3 && sizeof(In) > 1;
}

/* Rows of pixels of three bytes. A thread stores a word: the first of four takes a byte of the next one's pixel, the
 * second two, the third three. */
template <int EACH>
static __device__ __forceinline__ void store_words(const Result<uint8_t, 3> (&results)[ROWS_AT_ONCE][EACH],
                                                   const Plane &out, uint8_t *to) {
    const int lane = threadIdx.x % 32, part = lane % 4, bytes = part == 0 ? 0x4210 : part == 1 ? 0x5421 : 0x6542;
    uint32_t words[ROWS_AT_ONCE][EACH];
#pragma unroll
    for (int i = 0; i < ROWS_AT_ONCE * EACH; i++) {
        const uint32_t word = results[i / EACH][i % EACH].word;
        words[i / EACH][i % EACH] = __byte_perm(word, __shfl_down_sync(0xffffffffU, word, 1), bytes);
    }
    to += lane / 4 * 12 + part * 4;
#pragma unroll
    for (int r = 0; r < ROWS_AT_ONCE; r++, to += out.stride)
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (part < 3)
                *(uint32_t *)(to + i * 96) = words[r][i];
}

/* A warp's results, EACH of each of its ROWS_AT_ONCE rows a lane; `to` is the first row. `whole`: so is the tile. */
template <typename In, int C, int EACH>
static __device__ __forceinline__ void store(const Result<In, C> (&results)[ROWS_AT_ONCE][EACH], const Plane &out,
                                             In *to, bool whole, int columns, int rows, In *line) {
    const int lane = threadIdx.x % 32;
    if constexpr (lines_up<In, C>()) {
        constexpr int WORDS = EACH * 32 * C * (int)sizeof(In) / 4, ALL = ROWS_AT_ONCE * WORDS;
#pragma unroll
        for (int r = 0; r < ROWS_AT_ONCE; r++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int c = 0; c < C; c++)
                    line[(lane + 32 * i + 32 * EACH * r) * C + c] = results[r][i].values[c];
        __syncwarp();
        if (whole) {
#pragma unroll
            for (int i = 0; i < ALL; i += 32) {
                const int at = i + lane, row = at / WORDS;
                ((uint32_t *)((unsigned char *)to + row * out.stride))[at - row * WORDS] = ((const uint32_t *)line)[at];
            }
        } else
            for (int r = 0; r < min(ROWS_AT_ONCE, rows); r++)
                for (int i = lane; i < columns * C; i += 32)
                    ((In *)((unsigned char *)to + r * out.stride))[i] = line[32 * EACH * C * r + i];
        __syncwarp();
    } else {
        if constexpr (C == 3)
            if (whole) {
                store_words(results, out, to);
                return;
            }
#pragma unroll
        for (int r = 0; r < ROWS_AT_ONCE; r++)
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                In *row = (In *)((unsigned char *)to + r * out.stride);
                const Result<In, C> &result = results[r][i];
                const int at = lane + 32 * i;
                const bool inside = at < columns && r < rows;
                if constexpr (sizeof(In) > 1) {
                    struct __align__(C * sizeof(In)) Pixel {
                        Result<In, C> values;
                    };
                    if (inside)
                        ((Pixel *)row)[at].values = result;
                } else if (inside) {
                    if constexpr (C == 1)
                        row[at] = (uint8_t)result.word;
                    else if constexpr (C == 2)
                        ((uint16_t *)row)[at] = (uint16_t)result.word;
                    else if constexpr (C == 3)
#pragma unroll
                        for (int c = 0; c < C; c++)
                            row[at * C + c] = (uint8_t)(result.word >> 8 * c);
                    else
                        ((uint32_t *)row)[at] = result.word;
                }
            }
    }
}

/* The same answer of all threads, as the compiler sees, too: it then addresses memory by registers of the warp. */
static __device__ __forceinline__ bool agreed(bool answer) {
    return __all_sync(0xffffffffU, answer);
}

/* KIND: MAP_KINDS is any. WEIGHED: points go along, which make a pixel C values of f32; tiles are cut as for these. */
template <typename In, int C, int TAPS, int KIND, bool WEIGHED = false>
__global__ void __launch_bounds__(THREADS, KIND == MAP_KINDS ? 4 : 5)
    warp_tile(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
              const __grid_constant__ WarpTile job) {
    enum { WORDS = Texel<In, C>::WORDS, MADE = WEIGHED ? C : WORDS };
    enum { ACROSS = across_of(MADE), DOWN = down_of(MADE), EACH = ACROSS / 32 };
    extern __shared__ uint4 shared[];
    uint32_t *tile = (uint32_t *)shared;
    In *line = (In *)(tile + job.pitch * job.rows * WORDS) + threadIdx.x / 32 * (ROWS_AT_ONCE * ACROSS * C);
    const Warp &warp = job.warp;
    const MapKind kind = KIND == MAP_KINDS ? job.kind : (MapKind)KIND;
    const int left = blockIdx.x * ACROSS, top = blockIdx.y * DOWN;
    const int right = min(left + ACROSS, out.width) - 1, bottom = min(top + DOWN, out.height) - 1;
    const bool has_value = warp.border == BORDER_ZERO || warp.border == BORDER_CONSTANT;
    Box box;
    const bool fits = agreed(box_of<TAPS, ACROSS, DOWN>(job, kind, left, top, &box));
    const bool inside =
        agreed(box.left >= 0 && box.top >= 0 && box.left + box.width <= in.width && box.top + box.height <= in.height);
    if (!fits || (!inside && has_value && !job.outside_fits)) {
        straight<In, C, TAPS, WEIGHED>(in, out, warp, left, top, right, bottom);
        return;
    }
    const bool beyond = has_value && agreed(box.left >= in.width || box.top >= in.height || box.left + box.width <= 0 ||
                                            box.top + box.height <= 0);
    if (inside)
        bring_inside<In, C>(in, box, tile, job.pitch, job.rows);
    else if (!beyond)
        bring<In, C>(in, warp, box, tile, job.pitch);
    __syncthreads();
    const int lane = threadIdx.x % 32, pitch = job.pitch;
    constexpr unsigned begin = UPPER + (TAPS == 4); /* of a place's upper words, the first pixel around is at 0 */
    unsigned origin = (begin + (unsigned)box.top) * (unsigned)pitch + begin + (unsigned)box.left;
    asm("" : "+r"(origin)); /* else each pixel subtracts its parts */
    const double x = left + lane;
    int y = top + (int)threadIdx.x / 32 * ROWS_AT_ONCE;
    In *to = row_to<In>(out, y) + left * C;
    Result<In, C> results[ROWS_AT_ONCE][EACH];
    if (beyond) {
        In outside[C];
#pragma unroll
        for (int c = 0; c < C; c++)
            outside[c] = (In)warp.outside[c];
#pragma unroll
        for (int i = 0; i < ROWS_AT_ONCE * EACH; i++)
            put(outside, &results[i / EACH][i % EACH]);
    }
    Place at[ROWS_AT_ONCE][EACH];
#pragma unroll
    for (int r = 0; r < ROWS_AT_ONCE; r++)
        places<EACH>(job, kind, x, y + r, at[r]);
    const bool whole = right - left + 1 == ACROSS && bottom - top + 1 == DOWN;
    for (int down = top; down <= bottom;
         down += STEP, y += STEP, to = (In *)((unsigned char *)to + STEP * out.stride)) {
        if (!beyond)
#pragma unroll
            for (int i = 0; i < ROWS_AT_ONCE * EACH; i++) {
                const Place &place = at[i / EACH][i % EACH];
                const unsigned pixel = (unsigned)pixel_of(place.v) * (unsigned)pitch + (unsigned)pixel_of(place.u);
                const uint32_t *from = tile + (pixel - origin) * WORDS;
                const uint32_t across = __double2loint(place.u), behind = __double2loint(place.v);
                if constexpr (WEIGHED)
                    linear_weighed<C>(from, pitch, across, behind, &results[i / EACH][i % EACH]);
                else
                    sample<In, C, TAPS>(from, pitch * WORDS, across, behind, warp.bias, &results[i / EACH][i % EACH]);
            }
        store<In, C, EACH>(results, out, to, whole, right - left + 1, bottom - y + 1, line);
#pragma unroll
        for (int r = 0; r < ROWS_AT_ONCE; r++)
            if (kind != MAP_AFFINE)
                places<EACH>(job, kind, x, y + STEP + r, at[r]);
            else
#pragma unroll
                for (int i = 0; i < EACH; i++)
                    at[r][i] = {at[r][i].u + job.row_u, at[r][i].v + job.row_v};
    }
}

/* How many pixels a tile's places may lie beyond those of its corners. One is for rounding. A lens bends a tile by at
 * most an eighth of the second derivatives by the squares of the sides. The term p |p|^2n has at most 2n (2n + 1)
 * |p|^(2n-1).
 */
static int margin_of(const WarpMap *map, int across, int down, Shape out) {
    if (!map->is_lens)
        return 1;
    const double x = fmax(map->centre_x, (double)out.width - map->centre_x);
    const double y = fmax(map->centre_y, (double)out.height - map->centre_y), r = hypot(x, y) / map->focal;
    const double bend = 6 * fabs(map->k1) * r + 20 * fabs(map->k2) * pow(r, 3) + 42 * fabs(map->k3) * pow(r, 5) +
                        6 * (fabs(map->p1) + fabs(map->p2));
    return (int)fmin(ceil(bend / map->focal * (across * across + down * down) / 8), 1000) + 1;
}

/* The pitch from `least` on for which neighbours at steps of (u, v) pixels share the fewest banks. */
static int best_pitch(int least, int words, double u, double v) {
    const int lanes = words == 2 ? 16 : words == 4 ? 8 : 32, step = words == 4 ? 1 : words == 2 ? 2 : 4;
    int best = least, fewest = 1 << 30;
    for (int pitch = (least + step - 1) / step * step; pitch < least + 32; pitch += step) {
        int shared = 0, taken[32] = {};
        long long last[32];
        for (int lane = 0; lane < lanes; lane++) {
            const long long at = (long long)floor(lane * v + 0.3) * pitch + (long long)floor(lane * u + 0.6);
            const int bank = (int)((at * (words == 3 ? 3 : 1) % lanes + lanes) % lanes);
            taken[bank] += taken[bank] == 0 || last[bank] != at;
            last[bank] = at;
            shared += taken[bank] * taken[bank];
        }
        if (shared < fewest) {
            fewest = shared;
            best = pitch;
        }
    }
    return best;
}

typedef struct Extent {
    double width, height;
} Extent;

/* How much of the picture a tile of so many pixels at (x, y) lies on. */
static Extent extent_of(const WarpMap *map, double x, double y, int across, int down) {
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    for (int i = 0; i < CORNERS; i++) {
        double u, v;
        warp_place(map, x + i % 2 * (across - 1), y + i / 2 * (down - 1), &u, &v);
        left = fmin(left, u);
        right = fmax(right, u);
        top = fmin(top, v);
        bottom = fmax(bottom, v);
    }
    return (Extent){right - left, bottom - top};
}

/* Plans shared memory for the largest of some tiles all over the result; false if none fits. */
static bool plan_tiles(const Stage *stage, size_t room, int words, WarpTile *job, size_t *bytes) {
    const WarpMap *map = &job->warp.map;
    const Shape out = stage->out.shape;
    const int across = across_of(words), down = down_of(words), taps = warp_taps(warp_job(stage)->kernel);
    const double x = fmax((double)out.width - across, 0) / 4, y = fmax((double)out.height - down, 0) / 4;
    double u0, v0, u1, v1;
    *bytes = 0;
    job->margin = margin_of(map, across, down, out);
    for (int i = 0; i < 25; i++) {
        const Extent extent = extent_of(map, i % 5 * x, i / 5 * y, across, down);
        if (!(extent.width < 4096 && extent.height < 4096))
            continue;
        const int beyond = 2 * job->margin + taps + 1;
        const int wide = (int)fmax(job->pitch, ceil(extent.width) + beyond + 2 * GROUP);
        const int high = (int)fmax(job->rows, ceil(extent.height) + beyond);
        const size_t needed = (size_t)(wide + 32) * (size_t)high * (size_t)words * 4;
        if (needed > room)
            continue;
        job->pitch = wide;
        job->rows = high;
        *bytes = needed;
    }
    if (*bytes == 0)
        return false;
    warp_place(map, 2 * x, 2 * y, &u0, &v0);
    warp_place(map, 2 * x + 1, 2 * y, &u1, &v1);
    job->pitch = best_pitch(job->pitch, words, u1 - u0, v1 - v0);
    *bytes = (size_t)job->pitch * (size_t)job->rows * (size_t)words * 4;
    if (out.channels == 3 && out.type != PIXEL_U8)
        *bytes += (size_t)(WARPS * ROWS_AT_ONCE * across) * 3 * pixel_type_size(out.type);
    return true;
}

/* Words of a pixel in shared memory. */
static int words_of(Shape shape) {
    if (shape.type == PIXEL_U8)
        return 1;
    return shape.type == PIXEL_U16 ? (shape.channels + 1) / 2 : shape.channels;
}

static bool plan_warp(const Device *device, const Stage *stage, WarpTile *job, size_t *bytes) {
    const Shape shape = stage->out.shape;
    const double white = pixel_type_white(shape.type), nearest = 0.5 + WARP_TIE;
    const size_t most = SHARED_MAX, there = ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
    const size_t lines = LINES_MAX, room = there > lines ? there - lines : 0;
    *job = WarpTile{warp_of(stage)};
    WarpMap *map = &job->warp.map;
    job->by_focal = 1 / map->focal;
    job->shift = 3 << 19;
    job->shift += warp_job(stage)->kernel == WARP_NEAREST ? nearest : 0;
    const bool is_plain = !(fabs(map->k2) > 0 || fabs(map->k3) > 0 || fabs(map->p1) > 0 || fabs(map->p2) > 0);
    const bool is_affine = !(fabs(map->matrix[6]) > 0 || fabs(map->matrix[7]) > 0) && fabs(map->matrix[8]) > 0;
    job->kind = map->is_lens ? is_plain ? MAP_LENS : MAP_LENS_ANY : is_affine ? MAP_AFFINE : MAP_HOMOGRAPHY;
    for (int i = 0; i < 9 && job->kind == MAP_AFFINE; i++)
        map->matrix[i] /= warp_job(stage)->map.matrix[8];
    const double across = across_of(words_of(shape)) - 1, down = down_of(words_of(shape)) - 1;
    job->row_u = STEP * map->matrix[1];
    job->row_v = STEP * map->matrix[4];
    job->min_u = fmin(map->matrix[0] * across, 0) + fmin(map->matrix[1] * down, 0);
    job->max_u = fmax(map->matrix[0] * across, 0) + fmax(map->matrix[1] * down, 0);
    job->min_v = fmin(map->matrix[3] * across, 0) + fmin(map->matrix[4] * down, 0);
    job->max_v = fmax(map->matrix[3] * across, 0) + fmax(map->matrix[4] * down, 0);
    job->outside_fits = true;
    for (int c = 0; c < shape.channels && shape.type != PIXEL_F32; c++) {
        const double value = (double)job->warp.outside[c];
        job->outside_fits = job->outside_fits && !(fabs(rint(value) - value) > 0) && value >= 0 && value <= white;
    }
    return plan_tiles(stage, room < most ? room : most, words_of(shape), job, bytes);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    WarpTile job;
    size_t bytes;
    *why_not = "its tiles lie on parts of the picture that are too large for shared memory";
    return plan_warp(device, stage, &job, &bytes);
}

/* The kernel for means of four; those of bytes are in a table by kinds of maps. */
template <typename In, int C> static const void *linear_kernel() {
    if constexpr (sizeof(In) == 1)
        return NULL;
    else
        return (const void *)warp_tile<In, C, 2, MAP_KINDS>;
}

#define BY_TAPS(In, C)                                                                                                 \
    {                                                                                                                  \
        (const void *)warp_tile<In, C, 1, MAP_KINDS>, linear_kernel<In, C>(),                                          \
            (const void *)warp_tile<In, C, 4, MAP_KINDS>                                                               \
    }
#define BY_CHANNELS(In)                                                                                                \
    { BY_TAPS(In, 1), BY_TAPS(In, 2), BY_TAPS(In, 3), BY_TAPS(In, 4) }
#define BY_KIND(C)                                                                                                     \
    {                                                                                                                  \
        (const void *)warp_tile<uint8_t, C, 2, MAP_AFFINE>, (const void *)warp_tile<uint8_t, C, 2, MAP_HOMOGRAPHY>,    \
            (const void *)warp_tile<uint8_t, C, 2, MAP_LENS>, (const void *)warp_tile<uint8_t, C, 2, MAP_LENS_ANY>     \
    }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4][WARP_KERNELS] = {BY_CHANNELS(uint8_t), BY_CHANNELS(uint16_t),
                                                                      BY_CHANNELS(float)};
    static const void *const of_kind[][MAP_KINDS] = {BY_KIND(1), BY_KIND(2), BY_KIND(3), BY_KIND(4)};
    const Stage alone = stage_alone(stage);
    const Shape shape = alone.out.shape;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    WarpTile job;
    size_t bytes;
    if (!plan_warp(queue->device, &alone, &job, &bytes))
        return fail(STATUS_DEVICE, "no room in shared memory for tiles of a warp");
    const int words = words_of(shape);
    if (stage->points)
        job.pitch &= -GROUP; /* a pixel takes a word, and the same boxes fit, whose widths are multiples of this */
    const Launch launch = {dim3(blocks_for(out.width, across_of(words)), blocks_for(out.height, down_of(words))),
                           dim3(THREADS), stage->points ? bytes / (size_t)words : bytes};
    void *arguments[] = {&in, &out, &job};
    const WarpKernel by = warp_job(stage)->kernel;
    const void *kernel = shape.type == PIXEL_U8 && by == WARP_LINEAR ? of_kind[shape.channels - 1][job.kind]
                         : !stage->points                            ? kernels[shape.type][shape.channels - 1][by]
                         : shape.channels == 2 ? (const void *)warp_tile<uint8_t, 2, 2, MAP_KINDS, true>
                                               : (const void *)warp_tile<uint8_t, 4, 2, MAP_KINDS, true>;
    return gpu_launch(queue, "warp tile", kernel, launch, arguments);
}

extern "C" const Level cuda_warp_tile = {
    .op = &op_warp,
    .name = "tile",
    .idea = "a tile's part of the picture in shared memory, border and all, where pixels are gathered; a place is one "
            "sum, its halves pixel and fraction",
    .accepts = accepts,
    .predictor = &warp_measured,
    .points_ms = warp_points_ms,
    .run = run,
};
