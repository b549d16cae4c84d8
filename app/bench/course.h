/* course.h: the course's table of reductions: sums of integers, rung by rung, next to the course's published ones. */
#ifndef GLINT_APP_BENCH_COURSE_H
#define GLINT_APP_BENCH_COURSE_H

#include "app/bench/ladder.h"
#include "core/ops/reduce.h"

/* So many integers, and those that every rung is checked with. */
typedef struct CourseSize {
    size_t width, height;
    const char *name;
} CourseSize;
enum { COURSE_SIZES = 2 };
extern const CourseSize course_sizes[COURSE_SIZES], course_checked;

extern const ReduceJob course_job;
/* The sum of so many integers, without frames. */
Stage course_stage(CourseSize size);
/* The ladder's times of that, and their steps. */
void course_print(FILE *to, const Ladder *ladder, CourseSize size);

#endif
