/* blas.c: cuBLAS, loaded at run time: of its interface, four functions and a few constants are enough. */
#include "gpu/course/multiply/blas.h"

#include "core/device/cache.h"
#include "gpu/library.h"
#include "gpu/note.h"

#include <pthread.h>

/* cublas_api.h and library_types.h */
enum { SUCCESS = 0, OP_N = 0, REAL_32F = 0, REAL_16BF = 14, COMPUTE_32F = 68, COMPUTE_TF32 = 77, ALGORITHM = -1 };

typedef struct Library {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, cudaStream_t stream);
    int (*multiply)(void *handle, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a, int type_a,
                    int pitch_a, const void *b, int type_b, int pitch_b, const void *beta, void *c, int type_c,
                    int pitch_c, int compute, int algorithm);
    bool loaded;
} Library;

static Library library; /* stays loaded, for all devices */

static void load(void) {
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so", NULL};
    library.loaded = library_load(names, (LibrarySymbol[]){{"cublasCreate_v2", &library.create},
                                                           {"cublasDestroy_v2", &library.destroy},
                                                           {"cublasSetStream_v2", &library.set_stream},
                                                           {"cublasGemmEx", &library.multiply},
                                                           {0}});
}

bool blas_is_there(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library.loaded;
}

static Status check(int result, const char *what) {
    return result == SUCCESS ? STATUS_OK
                             : fail(STATUS_DEVICE, "cuBLAS cannot %s (error %d); take another level", what, result);
}

typedef struct Handle {
    void *handle;
} Handle;

static void drop(Device *device, void *entry) {
    Handle *kept = entry;
    if (kept->handle) {
        cudaSetDevice(gpu_of(device)->index);
        cudaDeviceSynchronize();
        library.destroy(kept->handle);
    }
    kept->handle = NULL;
}

static Status make(Queue *queue, const void *from, void *entry) {
    (void)from;
    drop(queue->device, entry);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    return check(library.create(&((Handle *)entry)->handle), "begin");
}

/* A product writes to memory of its handle. */
static const CacheKind kind = {.bytes = sizeof(Handle), .max = 1, .make = make, .drop = drop, .changes = true};

/* A product that cuBLAS is asked for, with its handle there. */
typedef struct Request {
    const BlasProduct *product;
    void *handle;
} Request;

/* cuBLAS has matrices in column order: a row here is a column there, so that C' = B' A'. */
static Status enqueue(cudaStream_t stream, void *job) {
    const Request *request = job;
    const BlasProduct *p = request->product;
    const float one = 1, zero = 0;
    const int type = p->precision == PRECISION_BF16 ? REAL_16BF : REAL_32F;
    const int compute = p->precision == PRECISION_TF32 ? COMPUTE_TF32 : COMPUTE_32F;
    TRY(check(library.set_stream(request->handle, stream), "use the stream"));
    return check(library.multiply(request->handle, OP_N, OP_N, p->columns, p->rows, p->terms, &one, p->b, type,
                                  (int)p->b_pitch, p->a, type, (int)p->a_pitch, &zero, p->c, REAL_32F, (int)p->c_pitch,
                                  compute, ALGORITHM),
                 "multiply these matrices");
}

Status blas_multiply(Queue *queue, const BlasProduct *product) {
    void *found;
    TRY(cache_get(queue, &kind, 1, NULL, &found));
    Request request = {product, ((Handle *)found)->handle};
    TRY(enqueue(gpu_queue(queue)->stream, &request));
    gpu_note_library(queue, enqueue, &request);
    return STATUS_OK;
}
