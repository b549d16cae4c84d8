/* figure_style.c: the table, and its values in other forms. */
#include "core/run/figure_style.h"

#include <stdio.h>
#include <string.h>

static const Param params[] = {
    {"background", "behind the scene; none is transparent", "white|black|none", PARAM_CHOICE,
     offsetof(FigureStyle, background), BACKGROUND_WHITE, BACKGROUND_WHITE, BACKGROUND_NONE, 1},
    {"outline", "width of black lines around objects", "pixels", PARAM_NUMBER, offsetof(FigureStyle, outline), 0, 0,
     FIGURE_OUTLINE_MAX, 0.25},
    {"crease", "degrees by which a mesh turns where a line within it is; 0: there are none", "degrees", PARAM_NUMBER,
     offsetof(FigureStyle, crease), 0, 0, 180, 5},
    {"cue", "how much of the farthest surface fades into the background", "", PARAM_NUMBER, offsetof(FigureStyle, cue),
     0, 0, 1, 0.05},
    {"shadow", "1 puts a ground below that is nothing but shadows", "", PARAM_SWITCH, offsetof(FigureStyle, shadow), 0,
     0, 1, 1},
    {"box", "1 draws the periodic box, or one around all", "", PARAM_SWITCH, offsetof(FigureStyle, box), 0, 0, 1, 1},
    {"axes", "1 draws axes along the box, with the file's numbers", "", PARAM_SWITCH, offsetof(FigureStyle, axes), 0, 0,
     1, 1},
    {"bar", "1 draws the scale of the colours", "", PARAM_SWITCH, offsetof(FigureStyle, bar), 0, 0, 1, 1},
};
const ParamTable figure_style_table = {params, sizeof params / sizeof params[0], sizeof(FigureStyle)};

FigureStyle figure_style_default(void) {
    FigureStyle style;
    params_default(figure_style_table, &style);
    return style;
}

bool figure_style_same(const FigureStyle *a, const FigureStyle *b) {
    return params_same(figure_style_table, a, b);
}

bool figure_style_is_clear(const FigureStyle *style) {
    return (int)style->background == BACKGROUND_NONE;
}

size_t figure_style_options(const FigureStyle *style, char *buffer, size_t size) {
    static const char *const backgrounds[] = {"", " --background black", " --background none"};
    char outline[40] = "", crease[40] = "", cue[40] = "", list[24] = "";
    if (style->outline > 0)
        snprintf(outline, sizeof outline, " --outline %.9g", style->outline);
    if (style->outline > 0 && style->crease >= 1)
        snprintf(crease, sizeof crease, " --crease %.9g", style->crease);
    if (style->cue > 0)
        snprintf(cue, sizeof cue, " --cue %.9g", style->cue);
    snprintf(list, sizeof list, "%s%s%s", style->box > 0 ? ",box" : "", style->axes > 0 ? ",axes" : "",
             style->bar > 0 ? ",bar" : "");
    return (size_t)snprintf(buffer, size, "%s%s%s%s%s%s%s", backgrounds[(int)style->background], outline, crease, cue,
                            style->shadow > 0 ? " --shadow" : "", list[0] ? " --annotate " : "",
                            list[0] ? list + 1 : "");
}
