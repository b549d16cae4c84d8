/* measured.c: which level finds ranks fastest, by window and type.
 * Measured with 1920 x 1080 pixels of noise, in ns of one thread and value. */
#include "cpu/rank/measured.h"

#include "cpu/rank/narrow.h"

#include <math.h>
#include <string.h>

static double network(const Mask *window, double bytes) {
    return 0.02 * element_count(window) * bytes;
}

/* 9 x 9, and how the time grows with the cells. */
static double tiled(const Mask *window, double bytes) {
    return 2.9 * pow(element_count(window) / 81.0, 1.07) * bytes;
}

static double windows(const Mask *window, double bytes) {
    (void)bytes;
    return windows_are_narrow(window) ? 3.5 : 5 + 0.085 * window->width;
}

static double histogram(const Mask *window, double bytes) {
    (void)window, (void)bytes;
    return 13;
}

static double moving(const Mask *window, double bytes) {
    (void)bytes;
    return 55 + 2.7 * window->height;
}

static double threads(const Mask *window, double bytes) {
    (void)bytes;
    return 20.0 * element_count(window);
}

static const struct {
    const char *level;
    double (*ns)(const Mask *window, double bytes); /* of a value */
} measured[] = {{"network", network},     {"tiled", tiled},   {"windows", windows},
                {"histogram", histogram}, {"moving", moving}, {"threads", threads}};

static double predict(const Level *level, const Stage *stage) {
    const Shape shape = stage->out.shape;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
        if (strcmp(level->name, measured[i].level) == 0)
            return (double)(shape.width * shape.height) * shape.channels *
                   measured[i].ns(rank_job(stage)->window, (double)pixel_type_size(shape.type));
    return INFINITY;
}

const Predictor cpu_rank_measured = {"Intel Xeon (Sapphire Rapids), AVX-512", predict};
