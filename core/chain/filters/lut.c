/* lut.c: colours by a table in a file. */
#include "core/codec/cube.h"

#include "core/chain/filters/filters.h"
#include "core/ops/cube.h"

typedef struct Values {
    char *file;
} Values;

static const Param params[] = {
    {"file", "a .cube file, of one dimension or of three; without it, the picture stays as it is", "", PARAM_CUBE,
     offsetof(Values, file), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    CubeJob job = {.white = plan_value_white(to, in)};
    int table;
    *out = in;
    if (!v->file)
        return STATUS_OK;
    TRY(plan_table(to, v->file, &table));
    if (!cube_of_shape(plan_value_shape(to, table), &job.side, &job.dimensions))
        return fail(STATUS_INPUT, "lut: %s is no table of colours", v->file);
    return plan_append(to, &op_cube, &job, (const int[STAGE_INPUTS]){in, table, PLAN_NONE},
                       plan_value_shape(to, in).type, out);
}

const Filter filter_lut = {
    .name = "lut",
    .category = FILTER_POINT,
    .help = "Changes colours by a table in a file, as colour grading programs write it.",
    .definition =
        "Adobe's Cube LUT Specification 1.0; between the entries of a cube by J. Kasson's tetrahedra (1993), as "
        "OpenColorIO has it.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
