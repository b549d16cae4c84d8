/* particles.c: columns and boxes of particles. */
#include "core/scene/particles/particles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

size_t column_bytes(ColumnKind kind, size_t width) {
    static const unsigned char sizes[COLUMN_KINDS] = {
        [COLUMN_U8] = 1,  [COLUMN_I8] = 1,  [COLUMN_U16] = 2, [COLUMN_I16] = 2, [COLUMN_U32] = 4, [COLUMN_I32] = 4,
        [COLUMN_U64] = 8, [COLUMN_I64] = 8, [COLUMN_F16] = 2, [COLUMN_F32] = 4, [COLUMN_F64] = 8,
    };
    return kind == COLUMN_BYTES ? width : kind == COLUMN_UCS4 ? 4 * width : sizes[kind];
}

Status particles_add(Particles *particles, const char *name, size_t length, size_t index, ColumnKind kind,
                     Column **column) {
    enum { INDEX_MAX = 8 /* characters */ };
    if (!ARRAY_ROOM(particles->columns, particles->capacity, particles->count + 1))
        return fail(STATUS_DEVICE, "%s: no memory for its columns", particles->name);
    Column *made = &particles->columns[particles->count];
    *made = (Column){.kind = kind, .field = particles->count, .scale = 1};
    particles->count++;
    const size_t most = COLUMN_NAME - 1 - INDEX_MAX;
    const int shown = (int)(length < most ? length : most);
    if (index == 0)
        snprintf(made->name, sizeof made->name, "%.*s", shown, name);
    else
        snprintf(made->name, sizeof made->name, "%.*s.%zu", shown, name, index);
    if (column)
        *column = made;
    return STATUS_OK;
}

const Column *particles_column(const Particles *particles, const char *name) {
    for (size_t i = 0; i < particles->count; i++)
        if (strcmp(particles->columns[i].name, name) == 0)
            return &particles->columns[i];
    size_t number;
    if (name[0] == '#' && word_whole((Word){name + 1, name + strlen(name)}, particles->count, &number) && number > 0)
        return &particles->columns[number - 1];
    return NULL;
}

Status particles_load(const Particles *particles) {
    LateRows *late = particles->late;
    const size_t size = particles->file.size;
    if (!late || late->held == size)
        return STATUS_OK;
    if (!input_peek(late->input, late->held, particles->file.data + late->held, size - late->held)) {
        const Status shorter = fail(STATUS_INPUT, "%s: has become shorter while it was read", particles->name);
        return late->input->trouble == STATUS_OK
                   ? shorter
                   : fail_within(input_settle(late->input, shorter), "%s: ", particles->name);
    }
    late->held = size;
    return STATUS_OK;
}

void particles_clear(Particles *particles) {
    if (particles->release)
        particles->release(particles->of);
    free(particles->columns);
    lines_free(&particles->lines);
    particles->columns = NULL;
    particles->release = NULL;
    particles->count = particles->capacity = 0;
}

/* ---- boxes ---- */

Box box_along_axes(const double corner[3], const double lengths[3]) {
    Box box = {0};
    for (int i = 0; i < 3; i++) {
        box.corner[i] = corner[i];
        box.sides[i][i] = lengths[i];
    }
    return box;
}

bool box_is_solid(const Box *box) {
    const double *a = box->sides[0], *b = box->sides[1], *c = box->sides[2];
    const double volume =
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    const double corner = box->corner[0] + box->corner[1] + box->corner[2];
    return isfinite(corner) && isfinite(volume) && fabs(volume) > 0;
}

Box box_repeated(const Box *box, const double times[3]) {
    Box all = *box;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            all.sides[i][k] *= times[i];
    return all;
}

void box_invert(const Box *box, double inverse[3][3]) {
    const double(*s)[3] = box->sides;
    double volume = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse[k][i] = s[(i + 1) % 3][(k + 1) % 3] * s[(i + 2) % 3][(k + 2) % 3] -
                            s[(i + 1) % 3][(k + 2) % 3] * s[(i + 2) % 3][(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        volume += s[0][k] * inverse[k][0];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse[i][k] /= volume;
}

bool box_by_angles(const double lengths[3], const double angles[3], Box *box) {
    const double degree = 3.14159265358979323846 / 180;
    const double alpha = cos(angles[0] * degree), beta = cos(angles[1] * degree), gamma = cos(angles[2] * degree);
    const double sine = sin(angles[2] * degree), y = (alpha - beta * gamma) / sine;
    const double rest = 1 - beta * beta - y * y;
    *box = (Box){.sides = {{lengths[0], 0, 0},
                           {lengths[1] * gamma, lengths[1] * sine, 0},
                           {lengths[2] * beta, lengths[2] * y, lengths[2] * sqrt(fmax(rest, 0))}}};
    for (int i = 0; i < 3; i++) /* right angles are right */
        for (int k = 0; k < 3; k++)
            if (fabs(box->sides[i][k]) < 1e-12 * lengths[i])
                box->sides[i][k] = 0;
    return rest > 0 && box_is_solid(box);
}
