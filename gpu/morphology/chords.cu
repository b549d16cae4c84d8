/* chords.cu: any element, as runs of cells of power-of-two length, of which two that overlap make any chord
 * (E. R. Urbach and M. H. F. Wilkinson, Efficient 2-D grayscale morphological transformations with arbitrary flat
 * structuring elements, IEEE Trans. Image Processing 17(1), 2008). A block has its part of the picture in shared memory
 * as extrema of runs of 1, 2, 4, ... pixels, one length after the other in the same place. A thread keeps eight words
 * of results, which meet the runs of that length. All are minima: for maxima, bits are turned over. */
#include "gpu/morphology/row.cuh"
#include "gpu/morphology/words.cuh"

extern "C" {
#include "core/ops/morphology.h"
#include "gpu/morphology/reaches.h"
}

enum {
    FETCHED = 6, /* rows that a thread has on their way */
    WARPS = 8,
    THREADS = 32 * WARPS,
    OWN = 8 /* rows of a thread */,
    ACROSS = 32 * 4 /* bytes */,
    DOWN = WARPS * OWN
};

typedef struct Chords {
    Reaches reaches;
    int pixel, left, above; /* bytes of a pixel; those before, and rows above, the block's results */
    int words, rows;        /* in shared memory */
    uint32_t flip;
} Chords;

/* The word `bytes` % 4 bytes behind the beginning of *low, which *high follows. */
template <typename T>
static __device__ __forceinline__ uint32_t word_behind(const uint32_t *low, const uint32_t *high, int bytes) {
    return sizeof(T) == 4 ? *low : __funnelshift_r(*low, *high, bytes % 4 * 8);
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    morphology_chords(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ Edges edges, const __grid_constant__ Chords job) {
    extern __shared__ uint32_t tile[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int begin = blockIdx.x * ACROSS - job.left, top = blockIdx.y * DOWN;
    const int channels = job.pixel / (int)sizeof(T);
    for (int w = lane; w < job.words; w += 32)
        for (int first = warp; first < job.rows; first += WARPS * FETCHED) {
            Arrival arrivals[FETCHED];
#pragma unroll
            for (int i = 0; i < FETCHED; i++)
                arrivals[i] = fetch_word<T>(in, channels, top - job.above + first + i * WARPS, begin + 4 * w);
#pragma unroll
            for (int i = 0; i < FETCHED; i++) {
                const int row = first + i * WARPS;
                if (row < job.rows)
                    tile[row * job.words + w] =
                        arrived<T>(arrivals[i], in, edges, channels, top - job.above + row, begin + 4 * w) ^ job.flip;
            }
        }
    __syncthreads();
    Row<T, OWN> results;
#pragma unroll
    for (int i = 0; i < OWN; i++)
        results.put(i, sizeof(T) == 4 ? (uint32_t)INT_MAX : ~0U);
    const uint32_t *own = tile + warp * OWN * job.words;
    for (int power = 0; power < job.reaches.powers; power++) {
        if (power > 0) {
            const int bytes = job.pixel << (power - 1);
            __syncthreads();
            for (int y = warp; y < job.rows; y += WARPS) {
                uint32_t *row = tile + y * job.words;
                for (int begins = 0; begins < job.words; begins += 32) {
                    const int w = min(begins + lane, job.words - 1);
                    Row<T, 1> run, other;
                    run.put(0, row[w]);
                    const int at = min(w + bytes / 4, job.words - 1); /* behind the row's end is nothing that counts */
                    other.put(0, word_behind<T>(row + at, row + min(at + 1, job.words - 1), bytes));
                    run.template meet<false>(0, other, 0);
                    __syncwarp();
                    if (w == begins + lane)
                        row[w] = run.word(0);
                    __syncwarp();
                }
            }
            __syncthreads();
        }
        const int *list = job.reaches.list, end = list[power + 1];
        for (int i = list[power]; i < end; i++) {
            const int reach = __ldg(list + REACH_POWERS + 1 + i), bytes = (reach & 0xffff) * job.pixel;
            const uint32_t *from = own + (reach >> 16) * job.words + bytes / 4 + lane;
#pragma unroll
            for (int y = 0; y < OWN; y++) {
                Row<T, 1> other;
                other.put(0, word_behind<T>(from + y * job.words, from + y * job.words + 1, bytes));
                results.template meet<false>(y, other, 0);
            }
        }
    }
    const int byte = blockIdx.x * ACROSS + 4 * lane, count = out.width * job.pixel - byte;
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        const int y = top + warp * OWN + i;
        if (y < out.height)
            store_word(row_to<uint8_t>(out, y) + byte, count, unkeyed<T>(results.word(i) ^ job.flip));
    }
}

/* The part of the picture that a block has. */
static Chords chords_of(const Stage *stage) {
    const MorphologyJob *job = morphology_job(stage);
    const Mask *element = job->element;
    const int pixel = stage->out.shape.channels * (int)pixel_type_size(stage->out.shape.type);
    Chords chords = {};
    chords.pixel = pixel;
    chords.left = element->width / 2 * pixel;
    chords.above = element->height / 2;
    chords.words = (ACROSS + (element->width - 1) * pixel + 3) / 4 + 1;
    chords.rows = DOWN + element->height - 1;
    chords.flip = job->maximum ? ~0U : 0;
    return chords;
}

static size_t shared_bytes(const Chords &chords) {
    return (size_t)chords.words * (size_t)chords.rows * sizeof(uint32_t);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "the pixels under the element and its neighbours do not fit into a block's shared memory";
    return shared_bytes(chords_of(stage)) <= gpu_of((Device *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    const MorphologyJob *job = morphology_job(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(job->border, stage->out.shape.type);
    Chords chords = chords_of(stage);
    TRY(gpu_reaches(queue, job->element, &chords.reaches));
    const Launch launch = {dim3(blocks_for(out.width * chords.pixel, ACROSS), blocks_for(out.height, DOWN)),
                           dim3(THREADS), shared_bytes(chords)};
    void *arguments[] = {&in, &out, &edges, &chords};
    return gpu_launch(queue, "morphology chords",
                      for_keys(stage, (const void *)morphology_chords<uint8_t>,
                               (const void *)morphology_chords<uint16_t>, (const void *)morphology_chords<float>),
                      launch, arguments);
}

extern "C" const Level cuda_morphology_chords = {
    .op = &op_morphology,
    .name = "chords",
    .idea = "the element as runs of 1, 2, 4, ... cells in shared memory, two a chord: a disk costs its height, not its "
            "area",
    .accepts = accepts,
    .run = run,
};
