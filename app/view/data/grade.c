/* grade.c: names and steps. */
#include "app/view/data/grade.h"

#include <math.h>
#include <stdio.h>

static const char *const names[GRADES] = {
    [GRADE_RED] = "red channel", [GRADE_GREEN] = "green channel", [GRADE_BLUE] = "blue channel",
    [GRADE_ALPHA] = "alpha",     [GRADE_LUMA] = "luma",
};

static const Param tone_params[] = {
    {"exposure", "how bright it is shown; half of it, or twice, is a stop", "stops", PARAM_NUMBER,
     offsetof(Tone, exposure), -EXPOSURE_MAX, 0, EXPOSURE_MAX, 0.1},
    {"gamma", "on the screen: middle tones brighter above 1, darker below", "", PARAM_NUMBER, offsetof(Tone, gamma),
     GAMMA_MIN, 1, GAMMA_MAX, 0.1},
};
const ParamTable tone_table = {tone_params, sizeof tone_params / sizeof tone_params[0], sizeof(Tone)};

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
                            grade.false_colour ? ", false colour" : "", gamma, grade.zebra ? ", clipping shown" : "");
}
