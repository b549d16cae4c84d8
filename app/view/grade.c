/* grade.c: names, steps and colours. */
#include "app/view/grade.h"

#include <math.h>
#include <stdio.h>

static const char *const names[GRADES] = {
    [GRADE_RED] = "red channel", [GRADE_GREEN] = "green channel", [GRADE_BLUE] = "blue channel",
    [GRADE_ALPHA] = "alpha",     [GRADE_LUMA] = "luma",
};

Grade grade_default(void) {
    return (Grade){.gamma = 1};
}

bool grade_changes(Grade grade) {
    return grade.channel != GRADE_ALL || grade.false_colour || grade.zebra || grade.gamma < 1 || grade.gamma > 1;
}

static bool has(Shape shape, GradeChannel channel) {
    return channel == GRADE_ALL || (channel == GRADE_ALPHA ? shape_has_alpha(shape) : shape.channels > 2);
}

GradeChannel grade_next_channel(GradeChannel channel, Shape shape) {
    do
        channel = (GradeChannel)((channel + 1) % GRADES);
    while (!has(shape, channel));
    return channel;
}

double grade_step_gamma(double gamma, int steps) {
    return fmin(fmax(round(10 * gamma + steps) / 10, GAMMA_MIN), GAMMA_MAX);
}

size_t grade_describe(Grade grade, char *buffer, size_t size) {
    char gamma[24] = "";
    if (fabs(grade.gamma - 1) > 1e-9)
        snprintf(gamma, sizeof gamma, ", gamma %.1f", grade.gamma);
    return (size_t)snprintf(buffer, size, "%s%s%s%s%s", grade.channel == GRADE_ALL ? "" : ", ",
                            grade.channel == GRADE_ALL ? "" : names[grade.channel],
                            grade.false_colour ? ", false colour" : "", gamma,
                            grade.zebra ? ", black and white striped" : "");
}

enum { FIT = 7 };

/* From the highest power to the lowest. */
static const double viridis[FIT][3] = {{-5.435455855934631, 4.645852612178535, 26.3124352495832},
                                       {4.776384997670288, -13.74514537774601, -65.35303263337234},
                                       {6.228269936347081, 14.17993336680509, 56.69055260068105},
                                       {-4.634230498983486, -5.799100973351585, -19.33244095627987},
                                       {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
                                       {0.1050930431085774, 1.404613529898575, 1.384590162594685},
                                       {0.2777273272234177, 0.005407344544966578, 0.3340998053353061}};
static const double inferno[FIT][3] = {{25.13112622477341, -12.24266895238567, -23.07032500287172},
                                       {-71.31942824499214, 32.62606426397723, 73.20951985803202},
                                       {77.162935699427, -33.40235894210092, -81.80730925738993},
                                       {-41.70399613139459, 17.43639888205313, 44.35414519872813},
                                       {11.60249308247187, -3.972853965665698, -15.9423941062914},
                                       {0.1065134194856116, 0.5639564367884091, 3.932712388889277},
                                       {0.0002189403691192265, 0.001651004631001012, -0.01948089843709184}};

static void map(const double fit[FIT][3], double share, double rgb[3]) {
    for (int c = 0; c < 3; c++) {
        rgb[c] = 0;
        for (size_t i = 0; i < FIT; i++)
            rgb[c] = rgb[c] * share + fit[i][c];
        rgb[c] = fmin(fmax(rgb[c], 0), 1);
    }
}

void false_colour(double share, double rgb[3]) {
    map(viridis, share, rgb);
}

void heat_colour(double share, double rgb[3]) {
    map(inferno, share, rgb);
}
