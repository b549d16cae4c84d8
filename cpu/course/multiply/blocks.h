/* blocks.h: the product by panels, block by block: the levels simd and threads share it. */
#ifndef GLINT_CPU_COURSE_MULTIPLY_BLOCKS_H
#define GLINT_CPU_COURSE_MULTIPLY_BLOCKS_H

#include "core/device/backend.h"
#include "core/ops/multiply.h"

/* Scratch of a run by so many threads, in bytes. */
size_t blocks_bytes(const Stage *stage, int threads);
/* The product, by one thread or by all of the queue's. */
Status blocks_multiply(Queue *queue, const Stage *stage, int threads);

#endif
