/* plain.h: rows added pixel by pixel, without vectors. */
#ifndef GLINT_CPU_COURSE_REDUCE_PLAIN_H
#define GLINT_CPU_COURSE_REDUCE_PLAIN_H

#include "cpu/course/reduce/totals.h"

enum { PLAIN_TURNS = 4 };

/* Adds all rows: `turns` neighbouring pixels, 1 or PLAIN_TURNS, each to totals of its own. */
void plain_reduce(const Stage *stage, int turns);

#endif
