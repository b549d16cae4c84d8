/* wide.cu: quarter turns of whole pictures in accesses of 16 bytes, on both sides. A tile comes to shared memory in
 * chunks of 16 bytes. Pixels of whole words leave it one by one, into chunks of the result. From other pixels each
 * thread takes square blocks out, turns them in its registers, and puts them where they belong. Then the tile leaves in
 * chunks. A chunk lies where its number, by exclusive or with its row's, says. Whichever way a tile is gone through,
 * banks conflict no more than they must. */
#include "gpu/move/pixel.cuh"

enum { THREADS = 256, CHUNK = 16 /* bytes */ };

/* The tile for pixels of P bytes: its side and its rows; a block is N x N pixels, each row of it WORDS words. */
template <int P> struct Tile {
    enum {
        SIDE = P == 1 ? 128 : 64,
        N = P % 4 == 0   ? 1
            : P % 2 == 0 ? 2
                         : 4,
        WORDS = N * P / 4,
        CHUNKS = SIDE * P / CHUNK,          /* of a row */
        PITCH = (CHUNKS + 7) / 8 * 8,       /* numbers are changed within eight */
        COPIES = SIDE * CHUNKS / THREADS,   /* of a thread */
        ACROSS = SIDE / N,                  /* blocks of a tile */
        BLOCKS = ACROSS * ACROSS / THREADS, /* of a thread */
        DIRECT = P == 4,                    /* a chunk of the result is read from the tile pixel by pixel */
        TOGETHER = DIRECT ? CHUNK / P : N,  /* rows that are changed alike */
        SPREAD = DIRECT ? 1 : 2
    };
    /* Where word `word` of a row lies, in words: as the tile comes, and as it leaves. */
    static __device__ __forceinline__ int came(int row, int word) {
        return (row * PITCH + (word / 4 ^ (row / TOGETHER * SPREAD & 7))) * 4 + word % 4;
    }
    static __device__ __forceinline__ int leaves(int row, int word) {
        return (row * PITCH + (word / 4 ^ (row / N & 7))) * 4 + word % 4;
    }
};

/* Row j of a block is its column j: word `word` of it, from the words of all rows. */
template <int P> static __device__ __forceinline__ uint32_t turned(const uint32_t *block, int j, int word) {
    typedef Tile<P> T;
    if constexpr (T::N == 1)
        return block[word];
    else {
        uint32_t from[4], which[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int byte = 4 * word + i, at = j * P + byte % P; /* in row byte / P */
            from[i] = block[byte / P * T::WORDS + at / 4];
            which[i] = at % 4;
        }
        return __byte_perm(__byte_perm(from[0], from[1], which[0] | (4 + which[1]) << 4),
                           __byte_perm(from[2], from[3], which[2] | (4 + which[3]) << 4), 0x5410);
    }
}

/* From a tile in shared memory to the result. A warp has eight by four of the pieces it takes at once: its lanes meet
 * in no bank. */
template <int P> struct Way {
    typedef Tile<P> T;
    const Plane &in, &out;
    int left, top; /* of the columns, and of the result's */
    bool mirror_y;
    uint32_t *tile;

    /* Chunk `chunk` of the tile's row `row` in the result. */
    __device__ __forceinline__ void put(int row, int chunk, uint4 made) const {
        const int y = left + row, byte = top * P + chunk * CHUNK, bytes = out.width * P - byte;
        if (y >= out.height || bytes <= 0)
            return;
        uint8_t *to = row_to<uint8_t>(out, mirror_y ? out.height - 1 - y : y) + byte;
        if (bytes >= CHUNK)
            __stcs((uint4 *)to, made);
        else
#pragma unroll
            for (int b = 0; b < CHUNK - 1; b++)
                if (b < bytes)
                    to[b] = ((const uint8_t *)&made)[b];
    }
    /* Each chunk by its pixels, which are whole words. */
    __device__ __forceinline__ void store_direct() const {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
        for (int i = 0; i < T::COPIES; i++) {
            const int piece = warp + i * (THREADS / 32), chunk = piece % (T::CHUNKS / 8) * 8 + lane % 8;
            const int row = piece / (T::CHUNKS / 8) * 4 + lane / 8;
            uint32_t made[4];
#pragma unroll
            for (int w = 0; w < 4; w++)
                made[w] = tile[T::came(chunk * T::TOGETHER + w / T::WORDS, row * T::WORDS + w % T::WORDS)];
            put(row, chunk, make_uint4(made[0], made[1], made[2], made[3]));
        }
    }
    /* Through registers and once more through shared memory. */
    __device__ __forceinline__ void store_turned() const {
        uint32_t words[T::BLOCKS][T::N * T::WORDS];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, bx = lane % 8, by = lane / 8;
#pragma unroll
        for (int i = 0; i < T::BLOCKS; i++) {
            const int piece = warp + i * (THREADS / 32), x = piece % (T::ACROSS / 8) * 8 + bx;
            const int y = piece / (T::ACROSS / 8) * 4 + by;
#pragma unroll
            for (int k = 0; k < T::N; k++)
#pragma unroll
                for (int w = 0; w < T::WORDS; w++)
                    words[i][k * T::WORDS + w] = tile[T::came(y * T::N + k, x * T::WORDS + w)];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T::BLOCKS; i++) {
            const int piece = warp + i * (THREADS / 32), x = piece % (T::ACROSS / 8) * 8 + bx;
            const int y = piece / (T::ACROSS / 8) * 4 + by;
#pragma unroll
            for (int j = 0; j < T::N; j++)
#pragma unroll
                for (int w = 0; w < T::WORDS; w++)
                    tile[T::leaves(x * T::N + j, y * T::WORDS + w)] = turned<P>(words[i], j, w);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T::COPIES; i++) {
            const int at = threadIdx.x + i * THREADS, row = at / T::CHUNKS, chunk = at % T::CHUNKS;
            put(row, chunk, *(const uint4 *)&tile[T::leaves(row, chunk * 4)]);
        }
    }
};

template <int P>
__global__ void __launch_bounds__(THREADS)
    move_wide(const __grid_constant__ Plane in, const __grid_constant__ Plane out, bool mirror_x, bool mirror_y) {
    typedef Tile<P> T;
    __shared__ __align__(CHUNK) uint32_t tile[T::SIDE * T::PITCH * 4];
    const int left = blockIdx.x * T::SIDE, top = blockIdx.y * T::SIDE; /* of its columns, and of the result's */
#pragma unroll
    for (int i = 0; i < T::COPIES; i++) {
        const int at = threadIdx.x + i * THREADS, row = at / T::CHUNKS, chunk = at % T::CHUNKS;
        const int x = top + row, byte = left * P + chunk * CHUNK;
        if (x < in.height && byte < in.width * P)
            *(uint4 *)&tile[T::came(row, chunk * 4)] =
                __ldcs((const uint4 *)(row_of<uint8_t>(in, mirror_x ? in.height - 1 - x : x) + byte));
    }
    __syncthreads();
    const Way<P> way = {in, out, left, top, mirror_y, tile};
    if constexpr (T::DIRECT)
        way.store_direct();
    else
        way.store_turned();
}

static size_t pixel_bytes(Shape shape) {
    return pixel_type_size(shape.type) * (size_t)shape.channels;
}

static bool in_chunks(Frame frame) {
    return ((uintptr_t)frame.pixels | frame.stride) % CHUNK == 0;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const MoveJob *job = move_job(stage);
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    (void)device;
    *why_not = "its rows stay rows, which neighbouring threads read in one piece anyway";
    if (!job->transpose)
        return false;
    *why_not = "it turns whole pictures alone";
    if (job->left != 0 || job->top != 0 || out.width != in.height || out.height != in.width)
        return false;
    *why_not = "pixels of 8 bytes and more are wide enough for themselves";
    if (pixel_bytes(out) >= 8)
        return false;
    *why_not = "rows do not begin at multiples of 16 bytes";
    return in_chunks(stage->in[0]) && in_chunks(stage->out);
}

/* By bytes of a pixel. */
typedef struct Choice {
    const void *kernel;
    int side;
} Choice;
#define WIDE(P)                                                                                                        \
    { (const void *)move_wide<P>, Tile<P>::SIDE }

static Status run(Queue *queue, const Stage *stage) {
    static const Choice choices[] = {WIDE(1), WIDE(2), WIDE(3), WIDE(4), {NULL, 0}, WIDE(6)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    bool mirror_x = move_job(stage)->mirror_x, mirror_y = move_job(stage)->mirror_y;
    const Choice choice = choices[pixel_bytes(shape) - 1];
    const Launch launch = {dim3(blocks_for(in.width, choice.side), blocks_for(in.height, choice.side)), dim3(THREADS),
                           0};
    void *arguments[] = {&in, &out, &mirror_x, &mirror_y};
    return gpu_launch(queue, "move wide", choice.kernel, launch, arguments);
}

extern "C" const Level cuda_move_wide = {
    .op = &op_move,
    .name = "wide",
    .idea = "quarter turns in accesses of 16 bytes on both sides; blocks of pixels are turned in registers",
    .accepts = accepts,
    .run = run,
};
