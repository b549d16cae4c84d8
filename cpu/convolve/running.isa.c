/* running.isa.c: running sums of each type of values, in one instruction set. */
#include "cpu/convolve/running.h"
#include "cpu/isa.h"

#include <math.h>
#include <string.h>

#define IN       uint8_t
#define SUM      uint32_t
#define NAME(of) of##_u8
#include "cpu/convolve/running_sums.h"

#define IN       uint16_t
#define SUM      uint32_t
#define NAME(of) of##_u16
#include "cpu/convolve/running_sums.h"

#define IN       float
#define SUM      double
#define NAME(of) of##_f32
#include "cpu/convolve/running_sums.h"

static bool strip(const RunningJob *job, size_t first, void *scratch) {
    const PixelType type = job->stage->in[0].shape.type;
    return type == PIXEL_U8    ? strip_u8(job, first, scratch)
           : type == PIXEL_U16 ? strip_u16(job, first, scratch)
                               : strip_f32(job, first, scratch);
}

RunningStrip *const ISA_NAME(running_strip) = strip;
