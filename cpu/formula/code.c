/* code.c: writes machine code for the simple steps of a formula.
 * A part is a loop over vectors of eight values. Values lie in the 14 lower vector registers while they are wanted; of
 * those, the one that is wanted last gives way (L. Belady, A Study of Replacement Algorithms, 1966). Rows in memory
 * receive what is wanted behind the part, and what gave way. The encodings are those of Intel's and AMD's manuals. */
#include "cpu/formula/code.h"

#include "cpu/isa.h"

#if defined(__x86_64__)

#    include <string.h>
#    include <sys/mman.h>

enum {
    VECTORS = 14, /* that keep values; two more serve steps of several instructions */
    FIRST_SPARE = VECTORS,
    SECOND_SPARE,
    ONE = FORMULA_REGISTERS + FORMULA_CONSTANTS, /* operands behind the formula's constants */
    SIGN,
    MAGNITUDE,
    ZERO,
    NOBODY = -1,
    NEVER = FORMULA_STEPS + 1,
    CODE_BYTES = 65536,
    STEP_BYTES = 256, /* at most, of a step's code or of a part's begin or end */
};
_Static_assert((FORMULA_STEPS + FORMULA_REGISTERS) * STEP_BYTES <= CODE_BYTES, "room for all steps");

/* Instructions, as opcode maps and prefixes number them. */
typedef enum Prefix { PREFIX_NONE, PREFIX_66 } Prefix;
typedef enum Map { MAP_0F = 1, MAP_0F38, MAP_0F3A } Map;
enum { LOAD = 0x10, STORE = 0x11, AND = 0x54, OR = 0x56, COMPARE = 0xC2, FLOOR = 0x08, BLEND = 0x4A };
enum { IS_EQUAL = 0x00, IS_UNEQUAL = 0x04, IS_LESS = 0x11, IS_NOT_ABOVE = 0x12, DOWNWARD = 0x09 }; /* quiet on NaN */

/* Forms of steps. */
typedef enum Form {
    FORM_NONE,     /* no code */
    FORM_TWO,      /* a op b */
    FORM_SWAPPED,  /* b op a */
    FORM_EXTRA,    /* a op a constant */
    FORM_ALONE,    /* op a */
    FORM_FLOOR,    /* a rounded down */
    FORM_COMPARED, /* 1 where a op b, else 0 */
    FORM_LOGIC,    /* 1 where (a != 0) op (b != 0), else 0 */
    FORM_SELECT,   /* b where a != 0, else c */
} Form;

/* vminps is a < b ? a : b, and vmaxps a > b ? a : b, also for NaN and zeros. */
static const struct {
    uint8_t form, opcode, detail;
} forms[FORMULA_OPERATIONS] = {
    [FORMULA_add] = {FORM_TWO, 0x58, 0},
    [FORMULA_subtract] = {FORM_TWO, 0x5C, 0},
    [FORMULA_multiply] = {FORM_TWO, 0x59, 0},
    [FORMULA_divide] = {FORM_TWO, 0x5E, 0},
    [FORMULA_negate] = {FORM_EXTRA, 0x57, SIGN},
    [FORMULA_less] = {FORM_COMPARED, COMPARE, IS_LESS},
    [FORMULA_less_or_equal] = {FORM_COMPARED, COMPARE, IS_NOT_ABOVE},
    [FORMULA_equal] = {FORM_COMPARED, COMPARE, IS_EQUAL},
    [FORMULA_unequal] = {FORM_COMPARED, COMPARE, IS_UNEQUAL},
    [FORMULA_both] = {FORM_LOGIC, AND, 0},
    [FORMULA_either] = {FORM_LOGIC, OR, 0},
    [FORMULA_select] = {FORM_SELECT, BLEND, 0},
    [FORMULA_minimum] = {FORM_SWAPPED, 0x5D, 0},
    [FORMULA_maximum] = {FORM_SWAPPED, 0x5F, 0},
    [FORMULA_absolute] = {FORM_EXTRA, AND, MAGNITUDE},
    [FORMULA_root] = {FORM_ALONE, 0x51, 0},
    [FORMULA_below] = {FORM_FLOOR, FLOOR, DOWNWARD},
};

typedef struct Writer {
    const FormulaProgram *program;
    int end; /* the step behind the part's last */
    uint8_t *to;
    int holds[VECTORS];  /* registers of the formula, or NOBODY */
    bool fresh[VECTORS]; /* the row in memory is older */
} Writer;

/* ---- instructions ---- */

static void put(Writer *writer, const uint8_t *bytes, size_t count) {
    memcpy(writer->to, bytes, count);
    writer->to += count;
}
static void put_int(Writer *writer, int32_t value) {
    memcpy(writer->to, &value, sizeof value);
    writer->to += sizeof value;
}

/* An operand: a vector register, or, with 16 added to it, an operand of the formula in memory. */
enum { IN_MEMORY = 16 };

/* One instruction on 256 bits by VEX with three bytes. `second` is the first source; 0 where there is none. */
static void instruction(Writer *writer, Prefix prefix, Map map, int opcode, int to, int second, int operand) {
    const bool memory = operand >= IN_MEMORY;
    const int far = !memory && operand >= 8;
    const uint8_t bytes[5] = {0xC4, (uint8_t)((to < 8) << 7 | 1 << 6 | !far << 5 | (int)map),
                              (uint8_t)((~second & 15) << 3 | 1 << 2 | (int)prefix), (uint8_t)opcode,
                              (uint8_t)((memory ? 2 : 3) << 6 | (to & 7) << 3 | (memory ? 4 : operand & 7))};
    put(writer, bytes, sizeof bytes);
    if (!memory)
        return;
    const int of = operand - IN_MEMORY;
    if (of < FORMULA_REGISTERS) { /* rdi + rax + ... */
        put(writer, (const uint8_t[]){0x07}, 1);
        put_int(writer, of * FORMULA_RUN * (int)sizeof(float));
    } else { /* rsi + ... */
        put(writer, (const uint8_t[]){0x26}, 1);
        put_int(writer, (of - FORMULA_REGISTERS) * FORMULA_CODE_VALUES * (int)sizeof(float));
    }
}
static void simple(Writer *writer, int opcode, int to, int second, int operand) {
    instruction(writer, PREFIX_NONE, MAP_0F, opcode, to, second, operand);
}
static void detail(Writer *writer, int byte) {
    const uint8_t bytes[] = {(uint8_t)byte};
    put(writer, bytes, 1);
}
static void is_true(Writer *writer, int to, int vector) {
    simple(writer, COMPARE, to, vector, IN_MEMORY + ZERO);
    detail(writer, IS_UNEQUAL);
}

/* ---- values in vector registers ---- */

static bool reads(const FormulaStep *step, int value) {
    return step->operands[0] == value || step->operands[1] == value || step->operands[2] == value;
}

/* The next step from `from` on that reads this register. It is the one behind the part if a later one does, or a
 * result. NEVER: its value has no use any more. */
static int next_use(const Writer *writer, int value, int from) {
    const FormulaProgram *program = writer->program;
    for (int i = from; i < program->steps; i++) {
        if (reads(&program->step[i], value))
            return i < writer->end ? i : writer->end;
        if (program->step[i].to == value)
            return NEVER;
    }
    for (int c = 0; c < FORMULA_CHANNELS; c++)
        if (program->results[c] == value)
            return writer->end;
    return NEVER;
}

static int find(const Writer *writer, int value) {
    for (int v = 0; v < VECTORS; v++)
        if (writer->holds[v] == value)
            return v;
    return NOBODY;
}

static void save(Writer *writer, int vector) {
    if (writer->fresh[vector])
        simple(writer, STORE, vector, 0, IN_MEMORY + writer->holds[vector]);
    writer->fresh[vector] = false;
}

/* A vector register for a value: a free one, or that whose value is read last from step `from` on. None of `keep`. */
static int take(Writer *writer, int from, unsigned keep) {
    int best = NOBODY, latest = -1;
    for (int v = 0; v < VECTORS; v++) {
        if (keep >> v & 1)
            continue;
        const int use = writer->holds[v] == NOBODY ? NEVER : next_use(writer, writer->holds[v], from);
        if (use > latest)
            best = v, latest = use;
    }
    if (latest < NEVER)
        save(writer, best);
    writer->holds[best] = NOBODY;
    writer->fresh[best] = false;
    return best;
}

/* An operand of step i where an instruction finds it: its vector register, or memory if it is wanted no more. */
static int operand_of(Writer *writer, int i, int which, unsigned *keep) {
    const int value = writer->program->step[i].operands[which];
    if (value >= FORMULA_REGISTERS)
        return IN_MEMORY + value;
    int vector = find(writer, value);
    if (vector == NOBODY) {
        if (next_use(writer, value, i + 1) >= writer->end)
            return IN_MEMORY + value;
        vector = take(writer, i, *keep);
        simple(writer, LOAD, vector, 0, IN_MEMORY + value);
        writer->holds[vector] = value;
    }
    *keep |= 1U << vector;
    return vector;
}

/* The operand in a vector register; a spare one if it is in memory. */
static int in_vector(Writer *writer, int operand, int spare) {
    if (operand < IN_MEMORY)
        return operand;
    simple(writer, LOAD, spare, 0, operand);
    return spare;
}

/* ---- steps ---- */

static void write_step(Writer *writer, int i) {
    const FormulaStep *step = &writer->program->step[i];
    const int opcode = forms[step->operation].opcode, extra = forms[step->operation].detail;
    int operands[3] = {0, 0, 0};
    unsigned keep = 0;
    const int before = find(writer, step->to);
    if (before != NOBODY) { /* its value has no use any more */
        writer->holds[before] = NOBODY;
        writer->fresh[before] = false;
    }
    for (int k = 0; k < 3; k++)
        if (step->operands[k] != FORMULA_NONE)
            operands[k] = operand_of(writer, i, k, &keep);
    const int a = operands[0], b = operands[1], c = operands[2];
    /* The last instruction alone writes the result, which may therefore lie where an operand lay. */
    for (int v = 0; v < VECTORS; v++)
        if ((keep >> v & 1) && next_use(writer, writer->holds[v], i + 1) == NEVER)
            keep &= ~(1U << v);
    const int to = take(writer, i + 1, keep);
    switch ((Form)forms[step->operation].form) {
    case FORM_TWO:
        simple(writer, opcode, to, in_vector(writer, a, FIRST_SPARE), b);
        break;
    case FORM_SWAPPED:
        simple(writer, opcode, to, in_vector(writer, b, FIRST_SPARE), a);
        break;
    case FORM_EXTRA:
        simple(writer, opcode, to, in_vector(writer, a, FIRST_SPARE), IN_MEMORY + extra);
        break;
    case FORM_ALONE:
        simple(writer, opcode, to, 0, a);
        break;
    case FORM_FLOOR:
        instruction(writer, PREFIX_66, MAP_0F3A, opcode, to, 0, a);
        detail(writer, extra);
        break;
    case FORM_COMPARED:
        simple(writer, opcode, FIRST_SPARE, in_vector(writer, a, FIRST_SPARE), b);
        detail(writer, extra);
        simple(writer, AND, to, FIRST_SPARE, IN_MEMORY + ONE);
        break;
    case FORM_LOGIC:
        is_true(writer, FIRST_SPARE, in_vector(writer, a, FIRST_SPARE));
        is_true(writer, SECOND_SPARE, in_vector(writer, b, SECOND_SPARE));
        simple(writer, opcode, FIRST_SPARE, FIRST_SPARE, SECOND_SPARE);
        simple(writer, AND, to, FIRST_SPARE, IN_MEMORY + ONE);
        break;
    case FORM_SELECT:
        is_true(writer, FIRST_SPARE, in_vector(writer, a, FIRST_SPARE));
        instruction(writer, PREFIX_66, MAP_0F3A, opcode, to, in_vector(writer, c, SECOND_SPARE), b);
        detail(writer, FIRST_SPARE << 4);
        break;
    case FORM_NONE:
        break;
    }
    writer->holds[to] = step->to;
    writer->fresh[to] = true;
}

/* Steps [first, end) for rdi = rows, rsi = constants, rdx = bytes. Returns the place behind the code. */
static uint8_t *write_part(const FormulaProgram *program, int first, int end, uint8_t *to) {
    static const uint8_t begin[] = {0xF3, 0x0F, 0x1E, 0xFA /* endbr64 */, 0x31, 0xC0 /* xor eax, eax */};
    static const uint8_t next[] = {0x48,
                                   0x83,
                                   0xC0,
                                   FORMULA_CODE_VALUES * sizeof(float), /* add rax, ... */
                                   0x48,
                                   0x39,
                                   0xD0 /* cmp rax, rdx */,
                                   0x0F,
                                   0x82 /* jb */};
    static const uint8_t last[] = {0xC5, 0xF8, 0x77 /* vzeroupper */, 0xC3 /* ret */};
    Writer writer = {.program = program, .end = end, .to = to};
    for (int v = 0; v < VECTORS; v++)
        writer.holds[v] = NOBODY;
    put(&writer, begin, sizeof begin);
    const uint8_t *loop = writer.to;
    for (int i = first; i < end; i++)
        write_step(&writer, i);
    for (int v = 0; v < VECTORS; v++)
        if (writer.holds[v] != NOBODY && next_use(&writer, writer.holds[v], end) != NEVER)
            save(&writer, v);
    put(&writer, next, sizeof next);
    put_int(&writer, (int32_t)(loop - (writer.to + sizeof(int32_t))));
    put(&writer, last, sizeof last);
    return writer.to;
}

static void write_parts(const FormulaProgram *program, FormulaCode *code) {
    uint8_t *to = code->memory;
    for (int i = 0, end; i < program->steps; i = end) {
        end = i;
        while (end < program->steps && forms[program->step[end].operation].form != FORM_NONE)
            end++;
        if (end == i) {
            end++;
            continue;
        }
        memcpy(&code->parts[i], &(void *){to}, sizeof(void *)); /* C knows no way from data to code */
        code->ends[i] = end;
        to = write_part(program, i, end, to);
    }
}

/* The constants that others than the code read. */
static void find_wanted(const FormulaProgram *program, FormulaCode *code) {
    for (int i = 0; i < program->constants; i++) {
        const int operand = FORMULA_REGISTERS + i;
        for (int s = 0; s < program->steps; s++)
            code->wanted[i] |= forms[program->step[s].operation].form == FORM_NONE && reads(&program->step[s], operand);
        for (int c = 0; c < FORMULA_CHANNELS; c++)
            code->wanted[i] |= program->results[c] == operand;
    }
}

static void spread_constants(const FormulaProgram *program, FormulaCode *code) {
    static const uint32_t more[] = {0x3F800000 /* 1 */, 0x80000000, 0x7FFFFFFF, 0};
    for (int v = 0; v < FORMULA_CODE_VALUES; v++) {
        for (int i = 0; i < program->constants; i++)
            code->constants[i][v] = program->constant[i];
        for (int i = 0; i < 4; i++)
            memcpy(&code->constants[FORMULA_CONSTANTS + i][v], &more[i], sizeof(float));
    }
}

bool formula_code_possible(void) {
    return isa_detect() >= ISA_LEVEL_AVX2;
}

void formula_code_make(const FormulaProgram *program, FormulaCode *code) {
    memset(code, 0, sizeof *code);
    void *memory = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    code->memory = memory;
    spread_constants(program, code);
    find_wanted(program, code);
    write_parts(program, code);
    if (mprotect(memory, CODE_BYTES, PROT_READ | PROT_EXEC) != 0)
        formula_code_free(code);
}

void formula_code_free(FormulaCode *code) {
    if (code->memory)
        munmap(code->memory, CODE_BYTES);
    memset(code, 0, sizeof *code);
}

#else

bool formula_code_possible(void) {
    return false;
}
void formula_code_make(const FormulaProgram *program, FormulaCode *code) {
    (void)program;
    *code = (FormulaCode){.memory = NULL};
}
void formula_code_free(FormulaCode *code) {
    (void)code;
}

#endif
