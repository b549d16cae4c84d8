/* jxl.h: the parts that reading (jxl.c) and writing (jxl_save.c) of JPEG XL share. */
#ifndef GLINT_CORE_CODEC_JXL_H
#define GLINT_CORE_CODEC_JXL_H

#include "core/codec/format.h"

#include <jxl/parallel_runner.h>
#include <jxl/types.h>

Status jxl_load(Bytes file, Pages pages, Image **image);
Status jxl_save(const Image *image, SaveOptions options, Bytes *file);

/* STATUS_DEVICE: no memory to `task` ("decode"). */
Status jxl_no_memory(const char *task);
/* The values of a picture as the library is told of them. */
JxlPixelFormat jxl_format_of(Shape shape);
/* libjxl's work in this thread, as it does it by itself, group by group, but for signals: a large picture takes long.
 */
JxlParallelRetCode jxl_run_until_signal(void *unused, void *work, JxlParallelRunInit init, JxlParallelRunFunction group,
                                        uint32_t start, uint32_t end);

#endif
