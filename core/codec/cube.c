/* cube.c: keywords, then three numbers a line. */
#include "core/codec/cube.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
    const char *at;
    size_t line;          /* from 1 */
    int side, dimensions; /* 0: not known yet */
    double domain[2][3];
    size_t read; /* colours */
    Image *table;
} Reading;

static Status wrong(const Reading *reading, const char *expected) {
    const int shown = (int)strcspn(reading->at, "\r\n");
    return shown == 0 ? fail(STATUS_INPUT, "line %zu: want %s, not the end of the line", reading->line, expected)
                      : fail(STATUS_INPUT, "line %zu: want %s, not \"%.*s\"", reading->line, expected,
                             shown < 40 ? shown : 40, reading->at);
}

static void skip_blanks(Reading *reading) {
    reading->at += strspn(reading->at, " \t");
}

static bool line_ends(const Reading *reading) {
    return strchr("\r\n#", *reading->at) != NULL; /* or the text does */
}

static Status read_numbers(Reading *reading, int count, double *numbers, const char *expected) {
    for (int i = 0; i < count; i++) {
        const char *end;
        skip_blanks(reading);
        if (!text_number(reading->at, &end, &numbers[i]) || fabs(numbers[i]) > (double)FLT_MAX ||
            !strchr(" \t\r\n#", *end))
            return wrong(reading, expected);
        reading->at = end;
    }
    skip_blanks(reading);
    return line_ends(reading) ? STATUS_OK : wrong(reading, "the end of the line");
}

static Status read_size(Reading *reading, int dimensions) {
    double side;
    const int max = dimensions == 3 ? CUBE_SIDE_MAX : CUBE_LINE_MAX;
    char expected[64];
    if (reading->side)
        return fail(STATUS_INPUT, "line %zu: a second size", reading->line);
    snprintf(expected, sizeof expected, "a size, 2 to %d", max);
    const char *begin = reading->at;
    TRY(read_numbers(reading, 1, &side, expected));
    if (side < 2 || side > max || nearbyint(side) < side || nearbyint(side) > side) {
        reading->at = begin + strspn(begin, " \t");
        return wrong(reading, expected);
    }
    reading->side = (int)side;
    reading->dimensions = dimensions;
    return STATUS_OK;
}

static Status read_size_1d(Reading *reading) {
    return read_size(reading, 1);
}
static Status read_size_3d(Reading *reading) {
    return read_size(reading, 3);
}
static Status read_minimum(Reading *reading) {
    return read_numbers(reading, 3, reading->domain[0], "three numbers, the lowest values");
}
static Status read_maximum(Reading *reading) {
    return read_numbers(reading, 3, reading->domain[1], "three numbers, the highest values");
}
/* DaVinci Resolve's spelling of both. */
static Status read_range(Reading *reading) {
    double range[2];
    TRY(read_numbers(reading, 2, range, "two numbers, the lowest and the highest value"));
    for (int c = 0; c < 3; c++) {
        reading->domain[0][c] = range[0];
        reading->domain[1][c] = range[1];
    }
    return STATUS_OK;
}
static Status skip_title(Reading *reading) {
    reading->at += strcspn(reading->at, "\r\n");
    return STATUS_OK;
}

static const struct {
    const char *name;
    Status (*read)(Reading *reading);
} keywords[] = {{"TITLE", skip_title},
                {"LUT_1D_SIZE", read_size_1d},
                {"LUT_3D_SIZE", read_size_3d},
                {"DOMAIN_MIN", read_minimum},
                {"DOMAIN_MAX", read_maximum},
                {"LUT_1D_INPUT_RANGE", read_range},
                {"LUT_3D_INPUT_RANGE", read_range}};

static Status read_keyword(Reading *reading) {
    const size_t length = strcspn(reading->at, " \t\r\n");
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strlen(keywords[i].name) == length && strncmp(keywords[i].name, reading->at, length) == 0) {
            reading->at += length;
            return keywords[i].read(reading);
        }
    return wrong(reading, reading->table ? "three numbers" : "a keyword or three numbers");
}

static size_t colours_of(const Reading *reading) {
    const size_t side = (size_t)reading->side;
    return reading->dimensions == 3 ? side * side * side : side;
}

static Status begin_table(Reading *reading) {
    if (!reading->side)
        return fail(STATUS_INPUT, "line %zu: want LUT_1D_SIZE or LUT_3D_SIZE before the first colour", reading->line);
    for (int c = 0; c < 3; c++)
        if (!(reading->domain[0][c] < reading->domain[1][c]))
            return fail(STATUS_INPUT, "line %zu: the domain goes from %g to %g, want a maximum above the minimum",
                        reading->line, reading->domain[0][c], reading->domain[1][c]);
    const size_t side = (size_t)reading->side, rows = colours_of(reading) / side;
    return image_create((Shape){side, 1 + rows, 3, PIXEL_F32}, &reading->table);
}

static Status read_colour(Reading *reading) {
    double colour[3];
    if (!reading->table)
        TRY(begin_table(reading));
    if (reading->read == colours_of(reading))
        return fail(STATUS_INPUT, "line %zu: more than the %zu colours of the table", reading->line, reading->read);
    TRY(read_numbers(reading, 3, colour, "three numbers"));
    const size_t side = (size_t)reading->side;
    for (int c = 0; c < 3; c++)
        view_set_value(reading->table->view, reading->read % side, 1 + reading->read / side, c, colour[c]);
    reading->read++;
    return STATUS_OK;
}

static Status read_line(Reading *reading) {
    skip_blanks(reading);
    if (!line_ends(reading))
        TRY(isalpha((unsigned char)*reading->at) ? read_keyword(reading) : read_colour(reading));
    reading->at += strcspn(reading->at, "\n");
    reading->at += *reading->at == '\n';
    reading->line++;
    return STATUS_OK;
}

Status cube_parse(const char *text, Image **table) {
    Reading reading = {.at = text, .line = 1, .domain = {{0, 0, 0}, {1, 1, 1}}};
    Status status = STATUS_OK;
    *table = NULL;
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) /* a byte order mark */
        reading.at += 3;
    while (status == STATUS_OK && *reading.at)
        status = read_line(&reading);
    if (status == STATUS_OK && !reading.table)
        status = fail(STATUS_INPUT, "the file ends without a table");
    else if (status == STATUS_OK && reading.read < colours_of(&reading))
        status = fail(STATUS_INPUT, "line %zu: the file ends after %zu of %zu colours", reading.line, reading.read,
                      colours_of(&reading));
    for (int k = 0; k < 2 && status == STATUS_OK; k++)
        for (int c = 0; c < 3; c++)
            view_set_value(reading.table->view, (size_t)k, 0, c, reading.domain[k][c]);
    if (status == STATUS_OK)
        *table = reading.table;
    else
        image_destroy(&reading.table);
    return status;
}

Status cube_load(const char *path, Image **table) {
    char *text;
    *table = NULL;
    TRY(file_read_text(path, &text));
    const Status status = cube_parse(text, table);
    free(text);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", path);
}

bool cube_of_shape(Shape shape, int *side, int *dimensions) {
    const size_t width = shape.width;
    *side = (int)width;
    *dimensions = shape.height == 2 ? 1 : 3;
    return shape.type == PIXEL_F32 && shape.channels == 3 && width >= 2 &&
           (*dimensions == 1 ? width <= CUBE_LINE_MAX : width <= CUBE_SIDE_MAX && shape.height == 1 + width * width);
}
