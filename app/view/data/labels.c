/* labels.c: filters and parameters whose names say too little where they stand alone. */
#include "app/view/data/labels.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const Label labels[] = {
    {"rotate", "by", "Interpolation"},
    {"straighten", "by", "Interpolation"},
    {"perspective", "by", "Interpolation"},
    {"warp", "by", "Interpolation"},
    {"distort", "by", "Interpolation"},
    {"lens", "by", "Interpolation"},
    {"lens", "name", "Lens"},
    {"lens", "focal", "Focal length"},
    {"lens", "fringes", "Colour fringes"},
    {"resize", "by", "Interpolation"},
    {"resize", "long", "Long side"},
    {"", "long", "Long side"}, /* of an export */
    {"", "existing", "Existing"},
    {"*", "by", "Counted"}, /* values of a histogram */
    {"crop", "in", "Unit"},
    {"crop", "x", "Left"},
    {"crop", "y", "Top"},
    {"distort", "x", "Centre across"},
    {"distort", "y", "Centre down"},
    {"channelmixer", "rr", "Red from red"},
    {"channelmixer", "rg", "Red from green"},
    {"channelmixer", "rb", "Red from blue"},
    {"channelmixer", "gr", "Green from red"},
    {"channelmixer", "gg", "Green from green"},
    {"channelmixer", "gb", "Green from blue"},
    {"channelmixer", "br", "Blue from red"},
    {"channelmixer", "bg", "Blue from green"},
    {"channelmixer", "bb", "Blue from blue"},
    {"splittone", "dark", "Strength in shadows"},
    {"splittone", "bright", "Strength in highlights"},
    {"expr", "p1", "Slider 1"},
    {"expr", "p2", "Slider 2"},
    {"expr", "p3", "Slider 3"},
    {"expr", "p4", "Slider 4"},
    {"expr", "p5", "Slider 5"},
    {"expr", "p6", "Slider 6"},
    {"expr", "p7", "Slider 7"},
    {"expr", "p8", "Slider 8"},
    {"expr", "p9", "Slider 9"},
    {"whitebalance", "at", "Place"},
    {"distort", "k1", "Radial k1"},
    {"distort", "k2", "Radial k2"},
    {"distort", "k3", "Radial k3"},
    {"distort", "p1", "Tangential p1"},
    {"distort", "p2", "Tangential p2"},
    {"gaussian", "sigma_y", "Vertical"},
    {"contrast", "factor", "Amount"},
    {"saturation", "factor", "Amount"},
    {"temperature", "kelvin", "Temperature"},
    {"nlmeans", "h", "Amount"},
    {"denoise", "colour", "Colours"},
    {"rendernoise", "light", "Strength"},
    {"rendernoise", "normal", "At bends"},
    {"rendernoise", "depth", "At depths"},
    {"rotate", "size", "Canvas"},
    {"straighten", "crop", "Result"},
    {"perspective", "size", "Result"},
    {"tophat", "of", "Parts"},
    {"*", "colour", "Outside"},
    {"*", "within", "Mask"},
};
const size_t label_count = sizeof labels / sizeof labels[0];

const Title titles[] = {
    {"autolevels", "Auto levels"},
    {"clahe", "Local contrast"},
    {"rendernoise", "Render noise"},
    {"dog", "Difference of Gaussians"},
    {"expr", "Formula"},
    {"log", "Laplacian of Gaussian"},
    {"lut", "Table of colours"},
    {"nlmeans", "Noise"},
    {"saturation", "Colours"},
    {"sharpen", "Sharpen 3×3"},
    {"temperature", "Warmth"},
    {"tonemap", "Tone map"},
    {"unsharp", "Sharpen"},
    {"channelmixer", "Channel mixer"},
    {"haldclut", "Hald picture"},
    {"splittone", "Split toning"},
    {"whitebalance", "White balance"},
};
const size_t title_count = sizeof titles / sizeof titles[0];

static const char *const of_colour[] = {"defringe", "grayscale", "hue", "saturation", "temperature", "whitebalance"};

/* "focus_distance" as "Focus distance". */
static void make_word(const char *name, char buffer[LABEL_MAX]) {
    snprintf(buffer, LABEL_MAX, "%s", name);
    for (char *at = buffer; (at = strchr(at, '_'));)
        *at = ' ';
    buffer[0] = (char)toupper((unsigned char)buffer[0]);
}

const char *word_for_zero(const Param *param) {
    static const char before[] = "; 0: ";
    const char *at = strstr(param->help, before), *word = at ? at + strlen(before) : NULL;
    return word && strlen(word) < ZERO_WORD_MAX ? word : NULL;
}

const char *title_of_filter(const char *name, char buffer[LABEL_MAX]) {
    make_word(name, buffer);
    for (size_t i = 0; i < title_count; i++)
        if (strcmp(titles[i].filter, name) == 0)
            snprintf(buffer, LABEL_MAX, "%s", titles[i].title);
    return buffer;
}

const char *name_with_title(const char *name) {
    char title[LABEL_MAX];
    const char *at = name;
    for (const char *letter = title_of_filter(name, title); *letter; letter++)
        if (*letter != ' ' && *at++ != (char)tolower((unsigned char)*letter))
            return name;
    return "";
}

bool filter_needs_colours(const char *name) {
    bool needs = false;
    for (size_t i = 0; i < sizeof of_colour / sizeof of_colour[0]; i++)
        needs |= strcmp(of_colour[i], name) == 0;
    return needs;
}

const char *label_of_param(const char *filter, const char *name, char buffer[LABEL_MAX]) {
    const Label *found = NULL;
    for (size_t i = 0; i < label_count; i++)
        if (strcmp(labels[i].param, name) == 0 &&
            (strcmp(labels[i].filter, filter) == 0 || (!found && filter[0] && labels[i].filter[0] == '*')))
            found = &labels[i];
    make_word(found ? found->label : name, buffer);
    return buffer;
}
