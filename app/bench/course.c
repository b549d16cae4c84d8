/* course.c: the course's figures, next to ours. */
#include "app/bench/course.h"

#include "core/stage/op.h"

#include <string.h>

const CourseSize course_sizes[COURSE_SIZES] = {{2048, 2048, "2^22"}, {16384, 16384, "2^28"}};
const CourseSize course_checked = {1024, 1024, "2^20"};
const ReduceJob course_job = {.what = REDUCE_SUM};

/* CUHK, CENG 5030, Implementation 05: CUDA, 2023, after M. Harris, Optimizing Parallel Reduction in CUDA, 2007: 2^22
 * integers on a G80, whose memory has 86.4 GB/s. */
static const struct {
    const char *level;
    double ms, gigabytes, step, total;
} published[] = {
    {"interleaved", 8.054, 2.083, 1, 1},      {"strided", 3.456, 4.854, 2.33, 2.33},
    {"sequential", 1.722, 9.741, 2.01, 4.68}, {"first-add", 0.965, 17.377, 1.78, 8.34},
    {"unrolled", 0.536, 31.289, 1.80, 15.01}, {"template", 0.381, 43.996, 1.41, 21.16},
    {"many", 0.268, 62.671, 1.42, 30.04},
};
enum { PUBLISHED = sizeof published / sizeof published[0] };

Stage course_stage(CourseSize size) {
    Stage stage = {.op = &op_reduce, .label = op_reduce.name, .job = &course_job};
    stage.in[0].shape = (Shape){size.width, size.height, 1, PIXEL_U32};
    stage.out.shape = (Shape){REDUCTION_WORDS, 1, 1, PIXEL_U32};
    return stage;
}

static void print_published(FILE *to, const Level *level) {
    for (size_t i = 0; i < PUBLISHED; i++)
        if (strcmp(published[i].level, level->name) == 0)
            fprintf(to, " | %9.3f %8.3f %7.2fx %7.2fx", published[i].ms, published[i].gigabytes, published[i].step,
                    published[i].total);
}

void course_print(FILE *to, const Ladder *ladder, CourseSize size) {
    const double bytes = (double)size.width * (double)size.height * sizeof(uint32_t);
    const bool course = !ladder->queue->device->backend->host_frames; /* which is about GPUs */
    double first = 0, last = 0;
    fprintf(to, "%s integers on %s%s\n", size.name, ladder->queue->device->name,
            course ? " | the course's, 2^22 on a G80" : "");
    fprintf(to, "%-12s %9s %8s %8s %8s", "level", "ms", "GB/s", "step", "total");
    if (course)
        fprintf(to, " | %9s %8s %8s %8s", "ms", "GB/s", "step", "total");
    fputc('\n', to);
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        if (result->why_not)
            continue;
        const double ms = result->median > 1e-6 ? result->median : 1e-6;
        first = first > 0 ? first : ms;
        fprintf(to, "%-12s %9.3f %8.1f %7.2fx %7.2fx", result->level->name, ms, bytes / ms / 1e6,
                last > 0 ? last / ms : 1, first / ms);
        if (course)
            print_published(to, result->level);
        fprintf(to, "%s\n", result->verdict.agrees ? "" : " WRONG");
        last = ms;
    }
    fflush(to);
}
