/* wide.c: builds the hierarchy if need be and shares the picture's rows out among the cores. */
#include "cpu/trace/wide.h"

#include "cpu/isa.h"
#include "cpu/levels.h"

extern const WideTable trace_wide_portable, trace_wide_avx2, trace_wide_avx512;

static const WideTable *const tables[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &trace_wide_portable,
    [ISA_LEVEL_AVX2] = &trace_wide_avx2,
    [ISA_LEVEL_AVX512] = &trace_wide_avx512,
};

Status cpu_trace_wide(Device *device, const Stage *stage) {
    const WideTable *table = tables[isa_detect()];
    const long height = (long)stage->out.shape.height;
    WideJob job = {stage, NULL};
    TRY(hierarchy_over(device, stage->trace.scene, &job.hierarchy));
#pragma omp parallel for num_threads(device->threads) schedule(dynamic)
    for (long top = 0; top < height; top += WIDE_ROWS)
        table->trace_rows(&job, (size_t)top);
    return STATUS_OK;
}
