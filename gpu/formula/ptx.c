/* ptx.c: writes the PTX of formulas: loads, the steps for each pixel, stores. Registers that the code declares:
 *     %in2_1_7    input 2, channel 1, pixel 7, as stored
 *     %g5_7       the formula's register 5 of pixel 7
 *     %n3         constant 3
 *     %out1_7     the bits of channel 1 of pixel 7, as stored
 *     %there7     whether pixel 7 lies within the row
 * Whole values pass between integers and floats as the low bits of 2^23 + v, by additions. A multiprocessor does four
 * times as many of these a cycle as conversions. */
#include "gpu/formula/ptx.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIXELS_MAX = 16,
    BYTES_MAX = 32,    /* of a thread, of a picture: two of the longest accesses */
    LINES_MANY = 3000, /* of a thread's steps: fewer pixels have them compiled in a tenth of a second */
    LINES_MAX = 12000, /* of a pixel's steps: the driver compiles them in half a second */
    ACCESS_MAX = 16,
    NAME = 32,
};

typedef struct Writer {
    FILE *to;
    const FormulaPtx *code;
} Writer;

#define EMIT(writer, ...) fprintf((writer)->to, __VA_ARGS__)

/* ---- operations, as the compiler wrote them ---- */

typedef struct Operation {
    const char *declarations, *operands, *code, *result; /* where they begin; lists are "%f1, %f2, %f3;" */
    int declarations_length, code_length, lines;
} Operation;

static Operation operations[FORMULA_OPERATIONS];

static const char *behind(const char *text, const char *mark) {
    return strstr(text, mark) + strlen(mark);
}

/* Comments around marks end the declarations and the code. */
static Operation read_operation(const char *name) {
    static const char end[] = "// end inline asm\n", begin[] = "// begin inline asm";
    char entry[64];
    Operation found;
    snprintf(entry, sizeof entry, ".entry formula_%s(", name);
    found.declarations = behind(strstr(formula_operations_ptx, entry), "{");
    found.declarations_length = (int)(strstr(found.declarations, begin) - found.declarations);
    found.operands = behind(found.declarations, "formula_operands ");
    found.code = behind(found.operands, end);
    found.code_length = (int)(strstr(found.code, begin) - found.code);
    found.result = behind(found.code, "formula_result ");
    found.lines = 0;
    for (int i = 0; i < found.code_length; i++)
        found.lines += found.code[i] == '\n';
    return found;
}

static void read_operations(void) {
    static const char *const names[FORMULA_OPERATIONS] = {
#define FORMULA(name, operands, spelled, body) #name,
#include "core/math/formula.def"
#undef FORMULA
    };
    for (int i = 0; i < FORMULA_OPERATIONS; i++)
        operations[i] = read_operation(names[i]);
}

static const Operation *operation_of(const FormulaStep *step) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_operations);
    return &operations[step->operation];
}

/* ---- what the code depends on ---- */

static size_t pixel_bytes(FormulaPlane plane) {
    return (size_t)plane.channels * pixel_type_size(plane.type);
}

static FormulaPlane plane_of_shape(Shape shape, float white) {
    const FormulaScale scale = white == 1 ? FORMULA_SCALE_NONE
                               : shape.type != PIXEL_F32 && (double)white == pixel_type_white(shape.type)
                                   ? FORMULA_SCALE_WHOLE
                                   : FORMULA_SCALE_OTHER;
    return (FormulaPlane){shape.type, shape.channels, scale};
}

static int pixels_of(const FormulaPtx *code) {
    const size_t in = pixel_bytes(code->in[0]), out = pixel_bytes(code->out), bytes = in > out ? in : out;
    const size_t most =
        ACCESS_MAX % bytes == 0 ? ACCESS_MAX : BYTES_MAX; /* one access, which touches the next thread's */
    int pixels = PIXELS_MAX, lines = 0;
    for (int i = 0; i < code->program.steps; i++)
        lines += operation_of(&code->program.step[i])->lines;
    while (pixels > 1 && (size_t)pixels * bytes > most)
        pixels /= 2;
    while (pixels > 1 && pixels * lines > LINES_MANY)
        pixels /= 2;
    return lines > LINES_MAX ? 0 : pixels;
}

FormulaPtx formula_ptx_of(const Stage *stage) {
    const FormulaJob *job = formula_job(stage);
    FormulaPtx code = {.program = job->program, .out = plane_of_shape(stage->out.shape, job->white[0])};
    for (int k = 0; k < job->inputs; k++)
        code.in[k] = plane_of_shape(stage->in[k].shape, job->white[k]);
    if (stage->out.shape.type != stage->in[0].shape.type && code.in[0].scale == FORMULA_SCALE_WHOLE)
        code.out.scale = FORMULA_SCALE_OTHER;
    code.pixels = pixels_of(&code);
    return code;
}

static bool same_plane(FormulaPlane a, FormulaPlane b) {
    return a.type == b.type && a.channels == b.channels && a.scale == b.scale;
}

bool formula_ptx_same(const FormulaPtx *a, const FormulaPtx *b) {
    bool same = same_plane(a->out, b->out) && formula_same_steps(&a->program, &b->program);
    for (int k = 0; k < FORMULA_INPUTS; k++)
        same &= same_plane(a->in[k], b->in[k]);
    return same;
}

/* ---- names ---- */

static const char *operand_name(int operand, int pixel, char name[NAME]) {
    if (operand >= FORMULA_REGISTERS)
        snprintf(name, NAME, "%%n%d", operand - FORMULA_REGISTERS);
    else
        snprintf(name, NAME, "%%g%d_%d", operand, pixel);
    return name;
}

/* A float as PTX writes it. */
static uint32_t float_bits(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* ---- accesses: the longest that divide what a thread has of a row ---- */

static size_t access_bytes(const FormulaPtx *code, FormulaPlane plane) {
    size_t bytes = ACCESS_MAX;
    while ((size_t)code->pixels * pixel_bytes(plane) % bytes != 0)
        bytes /= 2;
    return bytes;
}

/* A register holds a word of an access, or all of a shorter one. */
static size_t word_bytes(const FormulaPtx *code, FormulaPlane plane) {
    const size_t bytes = access_bytes(code, plane);
    return bytes < 4 ? bytes : 4;
}

static int words_of(const FormulaPtx *code, FormulaPlane plane) {
    return (int)((size_t)code->pixels * pixel_bytes(plane) / word_bytes(code, plane));
}

static const char *type_of_bytes(size_t bytes) {
    return bytes == 1 ? "u8" : bytes == 2 ? "u16" : "b32";
}

/* ld or st of all words, named `%wordK_I`. */
static void write_accesses(const Writer *writer, const char *instruction, FormulaPlane plane, int k) {
    const size_t each = access_bytes(writer->code, plane), word = word_bytes(writer->code, plane);
    const int together = (int)(each / word);
    for (int first = 0; first < words_of(writer->code, plane); first += together) {
        char names[4 * NAME] = "", address[NAME];
        for (int i = 0, at = 0; i < together; i++)
            at += snprintf(names + at, sizeof names - (size_t)at, "%s%%word%d_%d", i > 0 ? ", " : "", k, first + i);
        snprintf(address, sizeof address, "[%%row%d+%zu]", k, (size_t)first * word);
        const bool load = instruction[0] == 'l';
        EMIT(writer, "\t%s.global%s.%s \t", instruction,
             together == 4   ? ".v4"
             : together == 2 ? ".v2"
                             : "",
             type_of_bytes(word));
        if (load)
            EMIT(writer, "{%s}, %s;\n", names, address);
        else
            EMIT(writer, "%s, {%s};\n", address, names);
    }
}

/* ---- the parts of the kernel ---- */

enum { OUT = FORMULA_INPUTS }; /* the number of the result among the pictures */

static void write_head(const Writer *writer) {
    EMIT(writer,
         ".version 6.4\n.target sm_75\n.address_size 64\n\n"
         ".visible .entry formula(.param .align 8 .b8 arguments[%zu])\n.maxntid %d, %d, 1\n{\n",
         sizeof(FormulaArguments), FORMULA_ACROSS, FORMULA_DOWN);
    EMIT(writer, "\t.reg .pred \t%%outside, %%part, %%there<%d>;\n\t.reg .b32 \t%%x, %%y, %%u, %%v, %%w;\n",
         PIXELS_MAX);
    EMIT(writer, "\t.reg .b64 \t%%stride, %%wide, %%row<%d>;\n\t.reg .f32 \t%%top, %%line, %%f, %%n<%d>;\n", OUT + 1,
         FORMULA_CONSTANTS);
    for (int k = 0; k < FORMULA_INPUTS; k++)
        EMIT(writer, "\t.reg .f32 \t%%white%d;\n", k);
}

/* The thread's first pixel, and its place in a picture. */
static void write_place(const Writer *writer) {
    EMIT(writer,
         "\tmov.u32 \t%%u, %%ctaid.x;\n\tmov.u32 \t%%v, %%tid.x;\n\tmad.lo.s32 \t%%x, %%u, %d, %%v;\n"
         "\tmul.lo.s32 \t%%x, %%x, %d;\n\tmov.u32 \t%%u, %%ctaid.y;\n\tmov.u32 \t%%v, %%tid.y;\n"
         "\tmad.lo.s32 \t%%y, %%u, %d, %%v;\n",
         FORMULA_ACROSS, writer->code->pixels, FORMULA_DOWN);
    EMIT(writer,
         "\tld.param.u32 \t%%w, [arguments+%zu];\n\tld.param.u32 \t%%v, [arguments+%zu];\n"
         "\tsetp.ge.s32 \t%%outside, %%x, %%w;\n\tsetp.ge.or.s32 \t%%outside, %%y, %%v, %%outside;\n"
         "\t@%%outside ret;\n\tadd.s32 \t%%u, %%x, %d;\n\tsetp.gt.s32 \t%%part, %%u, %%w;\n",
         offsetof(FormulaArguments, width), offsetof(FormulaArguments, height), writer->code->pixels);
    for (int p = 0; p < writer->code->pixels; p++)
        EMIT(writer, "\tadd.s32 \t%%u, %%x, %d;\n\tsetp.lt.s32 \t%%there%d, %%u, %%w;\n", p, p);
}

static void write_row(const Writer *writer, FormulaPlane plane, int k) {
    const size_t at = k == OUT ? offsetof(FormulaArguments, out)
                               : offsetof(FormulaArguments, in) + (size_t)k * sizeof(((FormulaArguments *)0)->in[0]);
    EMIT(writer,
         "\tld.param.u64 \t%%row%d, [arguments+%zu];\n\tld.param.u64 \t%%stride, [arguments+%zu];\n"
         "\tcvt.u64.u32 \t%%wide, %%y;\n\tmad.lo.u64 \t%%row%d, %%stride, %%wide, %%row%d;\n"
         "\tmul.wide.u32 \t%%wide, %%x, %zu;\n\tadd.u64 \t%%row%d, %%row%d, %%wide;\n",
         k, at, at + sizeof(void *), k, k, pixel_bytes(plane), k, k);
    EMIT(writer, "\t.reg .b32 \t%%word%d_<%d>;\n", k, words_of(writer->code, plane));
}

/* The value of a word's bytes from `byte` on, as stored. */
static void write_unpacked(const Writer *writer, PixelType type, const char *in, int k, size_t word, size_t byte) {
    if (type == PIXEL_F32) {
        EMIT(writer, "\tmov.b32 \t%s, %%word%d_%zu;\n", in, k, word);
        return;
    }
    const size_t second = type == PIXEL_U8 ? 4 : byte + 1; /* bytes 4 to 7 are those of 2^23 */
    EMIT(writer,
         "\tprmt.b32 \t%%u, %%word%d_%zu, 0x4B000000, 0x74%zu%zu;\n\tmov.b32 \t%%f, %%u;\n"
         "\tadd.rn.f32 \t%s, %%f, 0fCB000000;\n",
         k, word, second, byte, in);
}

static bool is_read(const FormulaPtx *code, int k, int c) {
    const bool alpha =
        k == 0 && c == code->in[0].channels - 1 && code->program.results[code->out.channels - 1] == FORMULA_NONE;
    return code->program.values[k][c] != FORMULA_NONE || alpha;
}

/* Where a row ends within a thread's pixels, values come one by one. */
static void write_part_loads(const Writer *writer, FormulaPlane plane, int k) {
    const size_t bytes = pixel_type_size(plane.type);
    for (int p = 0; p < writer->code->pixels; p++)
        for (int c = 0; c < plane.channels; c++) {
            if (!is_read(writer->code, k, c))
                continue;
            EMIT(writer, "\tmov.b32 \t%%u, 0;\n\t@%%there%d ld.global.%s \t%%u, [%%row%d+%zu];\n", p,
                 type_of_bytes(bytes), k, ((size_t)p * (size_t)plane.channels + (size_t)c) * bytes);
            EMIT(writer, "\t%s \t%%in%d_%d_%d, %%u;\n", plane.type == PIXEL_F32 ? "mov.b32" : "cvt.rn.f32.u32", k, c,
                 p);
        }
}

static void write_whole_loads(const Writer *writer, FormulaPlane plane, int k) {
    const size_t bytes = pixel_type_size(plane.type), word = word_bytes(writer->code, plane);
    write_accesses(writer, "ld", plane, k);
    for (int p = 0; p < writer->code->pixels; p++)
        for (int c = 0; c < plane.channels; c++) {
            const size_t at = ((size_t)p * (size_t)plane.channels + (size_t)c) * bytes;
            char in[NAME];
            snprintf(in, sizeof in, "%%in%d_%d_%d", k, c, p);
            if (is_read(writer->code, k, c))
                write_unpacked(writer, plane.type, in, k, at / word, at % word);
        }
}

static void write_loads(const Writer *writer) {
    const FormulaPtx *code = writer->code;
    for (int k = 0; k < FORMULA_INPUTS; k++) {
        if (code->in[k].channels == 0)
            continue;
        write_row(writer, code->in[k], k);
        for (int c = 0; c < code->in[k].channels; c++)
            EMIT(writer, "\t.reg .f32 \t%%in%d_%d_<%d>;\n", k, c, code->pixels);
    }
    EMIT(writer, "\t@%%part bra \tload_part;\n");
    for (int k = 0; k < FORMULA_INPUTS; k++)
        if (code->in[k].channels > 0)
            write_whole_loads(writer, code->in[k], k);
    EMIT(writer, "\tbra \tloaded;\nload_part:\n");
    for (int k = 0; k < FORMULA_INPUTS; k++)
        if (code->in[k].channels > 0)
            write_part_loads(writer, code->in[k], k);
    EMIT(writer, "loaded:\n");
}

/* Constants, and full intensity. */
static void write_numbers(const Writer *writer) {
    for (int i = 0; i < writer->code->program.constants; i++)
        EMIT(writer, "\tld.param.f32 \t%%n%d, [arguments+%zu];\n", i,
             offsetof(FormulaArguments, constant) + (size_t)i * sizeof(float));
    for (int k = 0; k < FORMULA_INPUTS; k++)
        EMIT(writer, "\tld.param.f32 \t%%white%d, [arguments+%zu];\n", k,
             offsetof(FormulaArguments, white) + (size_t)k * sizeof(float));
}

static void write_scaled(const Writer *writer, int k, int c, int to, int pixel) {
    float high, low;
    switch (writer->code->in[k].scale) {
    case FORMULA_SCALE_NONE:
        EMIT(writer, "\tmov.f32 \t%%g%d_%d, %%in%d_%d_%d;\n", to, pixel, k, c, pixel);
        break;
    case FORMULA_SCALE_WHOLE:
        formula_reciprocal((float)pixel_type_white(writer->code->in[k].type), &high, &low);
        EMIT(writer, "\tmul.rn.f32 \t%%f, %%in%d_%d_%d, 0f%08X;\n", k, c, pixel, float_bits(low));
        EMIT(writer, "\tfma.rn.f32 \t%%g%d_%d, %%in%d_%d_%d, 0f%08X, %%f;\n", to, pixel, k, c, pixel, float_bits(high));
        break;
    case FORMULA_SCALE_OTHER:
        EMIT(writer, "\tdiv.rn.f32 \t%%g%d_%d, %%in%d_%d_%d, %%white%d;\n", to, pixel, k, c, pixel, k);
        break;
    }
}

/* The formula's registers before its first step. */
static void write_values(const Writer *writer) {
    const FormulaPtx *code = writer->code;
    const FormulaProgram *program = &code->program;
    for (int i = 0; i < program->registers; i++)
        EMIT(writer, "\t.reg .f32 \t%%g%d_<%d>;\n", i, code->pixels);
    for (int k = 0; k < FORMULA_INPUTS; k++)
        for (int c = 0; c < code->in[k].channels; c++)
            for (int p = 0; p < code->pixels && program->values[k][c] != FORMULA_NONE; p++)
                write_scaled(writer, k, c, program->values[k][c], p);
    for (int p = 0; p < code->pixels && program->x != FORMULA_NONE; p++)
        EMIT(writer, "\tadd.s32 \t%%u, %%x, %d;\n\tcvt.rn.f32.s32 \t%%g%d_%d, %%u;\n", p, program->x, p);
    if (program->y == FORMULA_NONE)
        return;
    EMIT(writer,
         "\tld.param.f32 \t%%top, [arguments+%zu];\n\tcvt.rn.f32.s32 \t%%line, %%y;\n"
         "\tadd.rn.f32 \t%%line, %%line, %%top;\n",
         offsetof(FormulaArguments, top));
    for (int p = 0; p < code->pixels; p++)
        EMIT(writer, "\tmov.f32 \t%%g%d_%d, %%line;\n", program->y, p);
}

/* The register that stands at `at`, in a list that commas part and a semicolon ends. */
static int word_length(const char *at) {
    return (int)strcspn(at, ",;");
}

static void write_step(const Writer *writer, const FormulaStep *step, int pixel) {
    const Operation *operation = operation_of(step);
    const char *at = operation->operands;
    char name[NAME];
    EMIT(writer, "\t{%.*s", operation->declarations_length, operation->declarations);
    for (int k = 0; k < 3; k++, at += word_length(at) + 2)
        if (step->operands[k] != FORMULA_NONE)
            EMIT(writer, "mov.f32 \t%.*s, %s;\n\t", word_length(at), at, operand_name(step->operands[k], pixel, name));
    EMIT(writer, "\n%.*smov.f32 \t%s, %.*s;\n\t}\n", operation->code_length, operation->code,
         operand_name(step->to, pixel, name), word_length(operation->result), operation->result);
}

/* ---- results ---- */

/* A result as its picture stores it: alpha that stays, or a formula's. */
static void write_result(const Writer *writer, int c, int pixel) {
    const FormulaPlane out = writer->code->out;
    const int operand = writer->code->program.results[c];
    const bool whole = out.scale == FORMULA_SCALE_WHOLE;
    const uint32_t white = float_bits((float)pixel_type_white(out.type));
    char name[NAME];
    if (operand == FORMULA_NONE)
        EMIT(writer, "\tmov.f32 \t%%f, %%in0_%d_%d;\n", writer->code->in[0].channels - 1, pixel);
    else if (whole) /* clamps, NaN to 0, in the instruction that makes the value */
        EMIT(writer, "\tcvt.sat.f32.f32 \t%%f, %s;\n\tmul.rn.f32 \t%%f, %%f, 0f%08X;\n",
             operand_name(operand, pixel, name), white);
    else
        EMIT(writer, out.scale == FORMULA_SCALE_NONE ? "\tmov.f32 \t%%f, %s;\n" : "\tmul.rn.f32 \t%%f, %s, %%white0;\n",
             operand_name(operand, pixel, name));
    if (out.type != PIXEL_F32) {
        if (operand != FORMULA_NONE && !whole)
            EMIT(writer, "\tmax.f32 \t%%f, %%f, 0f00000000;\n\tmin.f32 \t%%f, %%f, 0f%08X;\n", white);
        EMIT(writer, "\tadd.rn.f32 \t%%f, %%f, 0f4B000000;\n");
    }
    EMIT(writer, "\tmov.b32 \t%%out%d_%d, %%f;\n", c, pixel);
}

/* The name of a row's i-th value of the thread. */
static const char *value_name(FormulaPlane out, int i, char name[NAME]) {
    snprintf(name, NAME, "%%out%d_%d", i % out.channels, i / out.channels);
    return name;
}

/* Words of the values' low bytes. */
static void write_packed(const Writer *writer) {
    const FormulaPlane out = writer->code->out;
    const int each = (int)(word_bytes(writer->code, out) / pixel_type_size(out.type));
    const char *pair = out.type == PIXEL_U8 ? "0x0040" : "0x5410";
    char a[NAME], b[NAME], c[NAME], d[NAME];
    for (int i = 0; i < words_of(writer->code, out); i++) {
        value_name(out, i * each, a);
        if (each == 1) {
            EMIT(writer, "\tmov.b32 \t%%word%d_%d, %s;\n", OUT, i, a);
            continue;
        }
        EMIT(writer, "\tprmt.b32 \t%%word%d_%d, %s, %s, %s;\n", OUT, i, a, value_name(out, i * each + 1, b), pair);
        if (each == 4)
            EMIT(writer, "\tprmt.b32 \t%%u, %s, %s, %s;\n\tprmt.b32 \t%%word%d_%d, %%word%d_%d, %%u, 0x5410;\n",
                 value_name(out, i * each + 2, c), value_name(out, i * each + 3, d), pair, OUT, i, OUT, i);
    }
}

static void write_stores(const Writer *writer) {
    const FormulaPlane out = writer->code->out;
    const size_t bytes = pixel_type_size(out.type);
    char name[NAME];
    write_row(writer, out, OUT);
    for (int c = 0; c < out.channels; c++)
        EMIT(writer, "\t.reg .b32 \t%%out%d_<%d>;\n", c, writer->code->pixels);
    for (int p = 0; p < writer->code->pixels; p++)
        for (int c = 0; c < out.channels; c++)
            write_result(writer, c, p);
    EMIT(writer, "\t@%%part bra \tstore_part;\n");
    write_packed(writer);
    write_accesses(writer, "st", out, OUT);
    EMIT(writer, "\tret;\nstore_part:\n");
    for (int i = 0; i < writer->code->pixels * out.channels; i++)
        EMIT(writer, "\t@%%there%d st.global.%s \t[%%row%d+%zu], %s;\n", i / out.channels, type_of_bytes(bytes), OUT,
             (size_t)i * bytes, value_name(out, i, name));
    EMIT(writer, "\tret;\n}\n");
}

Status formula_ptx_write(const FormulaPtx *code, char **ptx) {
    size_t size;
    *ptx = NULL;
    const Writer writer = {open_memstream(ptx, &size), code};
    if (!writer.to)
        return fail(STATUS_DEVICE, "no memory for the code of a formula");
    write_head(&writer);
    write_place(&writer);
    write_loads(&writer);
    write_numbers(&writer);
    write_values(&writer);
    for (int i = 0; i < code->program.steps; i++)
        for (int p = 0; p < code->pixels; p++)
            write_step(&writer, &code->program.step[i], p);
    write_stores(&writer);
    const bool failed = ferror(writer.to);
    if (fclose(writer.to) == 0 && !failed)
        return STATUS_OK;
    free(*ptx);
    *ptx = NULL;
    return fail(STATUS_DEVICE, "no memory for the code of a formula");
}
