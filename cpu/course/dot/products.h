/* products.h: dot products by the runs and pieces of the operation reduce (cpu/course/reduce/pieces.h). */
#ifndef GLINT_CPU_COURSE_DOT_PRODUCTS_H
#define GLINT_CPU_COURSE_DOT_PRODUCTS_H

#include "core/ops/dot.h"
#include "cpu/course/reduce/pieces.h"

/* Stored, on one thread or shared out among all. Its workspace is pieces_workspace's. */
Status products_add(Queue *queue, const Stage *stage, bool shared);

#endif
