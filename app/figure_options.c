/* figure_options.c: reading them. */
#include "app/figure_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status read_layers(const char *text, void *values) {
    return layers_parse(text, &((FigureOptions *)values)->layers);
}

static int spell_layers(const void *values, char *buffer, size_t size) {
    return layers_spell(((const FigureOptions *)values)->layers, buffer, size);
}

/* "none", "white", "black", or six digits of sixteen. */
static Status read_background(const char *text, void *values) {
    FigureOptions *options = values;
    const char *digits = strcmp(text, "white") == 0 ? "ffffff" : strcmp(text, "black") == 0 ? "000000" : text;
    options->has_background = true;
    options->figure.transparent = strcmp(text, "none") == 0;
    if (options->figure.transparent)
        return STATUS_OK;
    if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6)
        return fail(STATUS_USAGE, "background \"%s\", want none, white, black, or a colour as in ff8800", text);
    const unsigned long colour = strtoul(digits, NULL, 16);
    for (int c = 0; c < 3; c++)
        options->figure.background[c] = (double)(colour >> (16 - 8 * c) & 255) / 255;
    return STATUS_OK;
}

static int spell_background(const void *values, char *buffer, size_t size) {
    const FigureOptions *options = values;
    unsigned bytes[3];
    for (int c = 0; c < 3; c++)
        bytes[c] = (unsigned)lrint(255 * options->figure.background[c]);
    if (!options->has_background || options->figure.transparent)
        return snprintf(buffer, size, "%s", options->has_background ? "none" : "");
    return snprintf(buffer, size, "%02x%02x%02x", bytes[0], bytes[1], bytes[2]);
}

static Status read_annotate(const char *text, void *values) {
    FigureOptions *options = values;
    options->annotate = text;
    return annotations_parse(text, &options->annotations);
}

static int spell_annotate(const void *values, char *buffer, size_t size) {
    const char *text = ((const FigureOptions *)values)->annotate;
    return snprintf(buffer, size, "%s", text ? text : "");
}

#define AT(member) OPTION_AT(FigureOptions, member)

static const Option option_rows[] = {
    {"background", "COLOUR",
     "in place of the sky behind the scene: white, black, ff8800, or none, which is transparent; for paths", OPTION_OWN,
     .read = read_background, .spell = spell_background},
    {"outline", "W", "black lines around objects, W pixels wide; for paths", OPTION_NUMBER, AT(figure.outline),
     .min = 0.25, .max = FIGURE_OUTLINE_MAX},
    {"crease", "DEGREES",
     "with --outline, lines also within meshes, where they turn by more than that, or stand before themselves",
     OPTION_NUMBER, AT(figure.crease), .min = 1, .max = 180},
    {"cue", "SHARE", "the farthest surface fades by this share into the background, nearer ones less; for paths",
     OPTION_NUMBER, AT(figure.cue), .min = 0.01, .max = 1},
    {"shadow", NULL,
     "a ground that is nothing but the shadows on it, below all, or where the scene has its own; for "
     "the look figure",
     OPTION_SWITCH, AT(figure.shadow)},
    {"annotate", "LIST", "draw box, axes, axes=UNIT, and bar or bar=TITLE, the scale of the colours of particles",
     OPTION_OWN, .read = read_annotate, .spell = spell_annotate},
    {"layers", "LIST",
     "more than colours in an .exr: depth, normal, albedo, id, objects and materials (Cryptomatte), or all", OPTION_OWN,
     .read = read_layers, .spell = spell_layers},
};

#undef AT

OptionTable figure_options_table(size_t offset) {
    return (OptionTable){OPTION_ROWS(option_rows), offset};
}
