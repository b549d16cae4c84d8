/* las.c: points of laser scanners: ASPRS, LAS Specification 1.4 (R15). Compressed files (LAZ) are another format. */
#include "core/base/memory.h"
#include "core/scene/files/formats.h"
#include "core/scene/particles/header.h"

/* Bytes of the header, which little-endian values follow. */
enum {
    MINOR = 25,
    POINTS_AT = 96,
    FORMAT = 104,
    LENGTH = 105,
    COUNT = 107,
    SCALES = 131,
    OFFSETS = 155,
    EXTREMES = 179, /* the highest x, the lowest x, then y, then z */
    LONG_COUNT = 247,
    HEADER = 227,
    LONG_HEADER = 375,
    FORMATS = 11,
    COMPRESSED = 0xC0, /* bits of the format that LAZ sets */
};

/* Where a point of each format has its colour and its time; 0: it has none. */
static const unsigned char lengths[FORMATS] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
static const unsigned char colour_at[FORMATS] = {0, 0, 20, 28, 0, 28, 0, 30, 30, 0, 30};
static const unsigned char time_at[FORMATS] = {0, 20, 0, 20, 20, 20, 22, 22, 22, 22, 22};

static uint64_t whole_at(const unsigned char *bytes, size_t count) {
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static double number_at(const unsigned char *bytes) {
    const uint64_t bits = whole_at(bytes, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static Status add(Particles *particles, const char *name, ColumnKind kind, const unsigned char *first, size_t step) {
    Column *column;
    TRY(particles_add(particles, name, strlen(name), 0, kind, &column));
    column->first = first;
    column->step = (ptrdiff_t)step;
    column->swapped = !is_little_endian();
    return STATUS_OK;
}

/* x, y and z are whole numbers, of which the header tells the scale and the offset. */
static Status add_places(Particles *particles, const unsigned char *points, size_t step) {
    static const char *const names[] = {"x", "y", "z"};
    for (size_t i = 0; i < 3; i++) {
        TRY(add(particles, names[i], COLUMN_I32, points + 4 * i, step));
        particles->columns[i].scale = number_at(particles->file.data + SCALES + 8 * i);
        particles->columns[i].offset = number_at(particles->file.data + OFFSETS + 8 * i);
        if (i < 2) /* heights stay as they are */
            particles->origin[i] = number_at(particles->file.data + EXTREMES + 16 * i + 8);
    }
    return STATUS_OK;
}

static Status add_others(Particles *particles, const unsigned char *points, size_t step, unsigned format) {
    static const char *const colours[] = {"red", "green", "blue"};
    TRY(add(particles, "intensity", COLUMN_U16, points + 12, step));
    TRY(add(particles, "classification", COLUMN_U8, points + (format < 6 ? 15 : 16), step));
    if (time_at[format])
        TRY(add(particles, "time", COLUMN_F64, points + time_at[format], step));
    for (size_t i = 0; i < 3 && colour_at[format]; i++)
        TRY(add(particles, colours[i], COLUMN_U16, points + colour_at[format] + 2 * i, step));
    return STATUS_OK;
}

static Status table(Particles *particles) {
    const unsigned char *file = particles->file.data;
    const size_t size = particles->file.size;
    if (size < HEADER || memcmp(file, "LASF", 4) != 0)
        return fail(STATUS_INPUT, "%s: no header of a LAS file", particles->name);
    const unsigned format = file[FORMAT];
    if (format & COMPRESSED)
        return fail(STATUS_INPUT, "%s: its points are compressed (LAZ), want LAS", particles->name);
    const size_t at = (size_t)whole_at(file + POINTS_AT, 4), step = (size_t)whole_at(file + LENGTH, 2);
    const bool is_long = file[MINOR] >= 4 && size >= LONG_HEADER;
    const uint64_t rows = is_long ? whole_at(file + LONG_COUNT, 8) : whole_at(file + COUNT, 4);
    if (format >= FORMATS || step < lengths[format])
        return fail(STATUS_INPUT, "%s: points of format %u in %zu bytes, want format 0 to 10 in its bytes",
                    particles->name, format, step);
    if (at < HEADER || at > size || rows > (size - at) / step)
        return fail(STATUS_INPUT,
                    "%s: the header promises %llu points of %zu bytes from byte %zu on, and the file has %zu "
                    "bytes",
                    particles->name, (unsigned long long)rows, step, at, size);
    particles->rows = (size_t)rows;
    TRY(add_places(particles, file + at, step));
    return add_others(particles, file + at, step, format);
}

const SceneFormat scene_format_las = {
    .name = "las",
    .more = "",
    .help = "points of laser scanners, not compressed; x and y from the lowest ones on",
    .binary = true,
    .table = table,
};
