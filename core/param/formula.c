/* formula.c: formulas from texts to programs: a graph of operations first, then steps and registers. */
#include "core/param/formula.h"

#include "core/base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    NODES_MAX = 1024,
    DEPTH_MAX = 100, /* of parts within parts */
    LOCALS_MAX = 32,
    RESULTS_MAX = 4,
    ARGUMENTS_MAX = 8,
    LEAF = FORMULA_OPERATIONS, /* kinds of nodes besides operations: a value of a pixel, a number */
    NUMBER,
    LEAF_X = FORMULA_INPUTS * FORMULA_CHANNELS, /* leaves: channels of the inputs, then places */
    LEAF_Y,
    LEAVES,
    NOTHING = -1, /* no node: the parser has failed */
};

/* Operands have lower numbers. */
typedef struct Node {
    int kind, operands[3], leaf;
    float number;
    uint32_t bits; /* of the number: -0 is another than 0, and NaN equals itself */
} Node;

typedef struct Graph {
    Node nodes[NODES_MAX];
    int count;
} Graph;

typedef struct Local {
    const char *name;
    size_t length;
    int node;
} Local;

typedef struct Parser {
    const FormulaPicture *picture;
    Graph *graph;
    const char *text, *at;
    int colour, depth;
    Local locals[LOCALS_MAX];
    int local_count, result_count, results[RESULTS_MAX];
} Parser;

/* Says what is wrong at `place` of the text; NOTHING. */
__attribute__((format(printf, 3, 4))) static int fault(const Parser *parser, const char *place, const char *format,
                                                       ...) {
    char message[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const Status status =
        fail(STATUS_USAGE, "formula \"%.60s\": column %td: %s", parser->text, place - parser->text + 1, message);
    return status == STATUS_OK ? 0 : NOTHING;
}

/* ---- the graph ---- */

static bool same_node(const Node *a, const Node *b) {
    return a->kind == b->kind && memcmp(a->operands, b->operands, sizeof a->operands) == 0 && a->leaf == b->leaf &&
           a->bits == b->bits;
}

/* An equal node, or this one as a new one. */
static int put(Parser *parser, Node node) {
    Graph *graph = parser->graph;
    for (int i = 0; i < graph->count; i++)
        if (same_node(&graph->nodes[i], &node))
            return i;
    if (graph->count == NODES_MAX)
        return fault(parser, parser->at, "more than %d operations", NODES_MAX);
    graph->nodes[graph->count] = node;
    return graph->count++;
}

static int number_node(Parser *parser, double number) {
    Node node = {.kind = NUMBER, .operands = {NOTHING, NOTHING, NOTHING}, .number = (float)number};
    memcpy(&node.bits, &node.number, sizeof node.bits);
    return put(parser, node);
}

static int leaf_node(Parser *parser, int leaf) {
    return put(parser, (Node){.kind = LEAF, .operands = {NOTHING, NOTHING, NOTHING}, .leaf = leaf});
}

static const int operand_counts[FORMULA_OPERATIONS] = {
#define FORMULA(name, operands, spelled, body) operands,
#include "core/math/formula.def"
#undef FORMULA
};

/* An operation; of numbers alone, its result. NOTHING if an operand is that. */
static int apply(Parser *parser, FormulaOperation operation, const int operands[3]) {
    Node node = {.kind = (int)operation, .operands = {NOTHING, NOTHING, NOTHING}};
    float numbers[3] = {0, 0, 0};
    bool known = true;
    for (int i = 0; i < operand_counts[operation]; i++) {
        if (operands[i] == NOTHING)
            return NOTHING;
        const Node *operand = &parser->graph->nodes[operands[i]];
        node.operands[i] = operands[i];
        known &= operand->kind == NUMBER;
        numbers[i] = operand->number;
    }
    if (known)
        return number_node(parser, (double)formula_apply(operation, numbers[0], numbers[1], numbers[2]));
    return put(parser, node);
}

static int apply_two(Parser *parser, FormulaOperation operation, int a, int b) {
    return apply(parser, operation, (const int[3]){a, b, NOTHING});
}

/* ---- words ---- */

static int parse_choice(Parser *parser);
static bool parse_parts(Parser *parser);

static void skip(Parser *parser) {
    parser->at += strspn(parser->at, " \t\n");
}

/* Whether this sign comes next, behind blanks; it is passed over then. */
static bool takes(Parser *parser, const char *sign) {
    skip(parser);
    const size_t length = strlen(sign);
    const bool is = strncmp(parser->at, sign, length) == 0;
    parser->at += is ? length : 0;
    return is;
}

static size_t word_length(const char *at) {
    size_t length = 0;
    if (isalpha((unsigned char)*at) || *at == '_')
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
    return length;
}

static bool is_word(const char *word, size_t length, const char *name) {
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

/* ---- values with names ---- */

/* The colour number `colour` of a picture; of a gray one, the only one. */
static int colour_node(Parser *parser, int input, int colour) {
    const int colours = parser->picture->colours[input];
    return leaf_node(parser, input * FORMULA_CHANNELS + (colours == 3 ? colour : 0));
}

static int alpha_node(Parser *parser) {
    return parser->picture->alpha ? leaf_node(parser, parser->picture->colours[0]) : number_node(parser, 1);
}

static int luma_of(Parser *parser, const int colours[3]) {
    static const double shares[3] = {0.2126, 0.7152, 0.0722};
    int sum = NOTHING;
    for (int c = 0; c < 3; c++) {
        const int part = apply_two(parser, FORMULA_multiply, number_node(parser, shares[c]), colours[c]);
        sum = c == 0 ? part : apply_two(parser, FORMULA_add, sum, part);
    }
    return sum;
}

static int luma_node(Parser *parser) {
    if (parser->picture->colours[0] < 3)
        return colour_node(parser, 0, 0);
    return luma_of(parser,
                   (const int[3]){colour_node(parser, 0, 0), colour_node(parser, 0, 1), colour_node(parser, 0, 2)});
}

static bool has_input(const Parser *parser, int input) {
    return parser->picture->colours[input] > 0;
}

/* The value of this name that every formula knows; NOTHING, without a fault, if there is none. */
static int known_node(Parser *parser, const char *word, size_t length) {
    static const char *const colours[] = {"r", "g", "b"};
    for (int c = 0; c < 3; c++)
        if (is_word(word, length, colours[c]))
            return colour_node(parser, 0, c);
    if (is_word(word, length, "a") || (is_word(word, length, "v") && parser->colour == 3))
        return alpha_node(parser);
    if (is_word(word, length, "v"))
        return colour_node(parser, 0, parser->colour);
    if (is_word(word, length, "v2") && has_input(parser, 1))
        return colour_node(parser, 1, parser->colour);
    if (is_word(word, length, "v3") && has_input(parser, 2))
        return colour_node(parser, 2, parser->colour);
    if (is_word(word, length, "luma"))
        return luma_node(parser);
    if (is_word(word, length, "x") || is_word(word, length, "y"))
        return leaf_node(parser, *word == 'x' ? LEAF_X : LEAF_Y);
    if (is_word(word, length, "pi"))
        return number_node(parser, 3.14159265358979323846);
    for (size_t i = 0; i < parser->picture->name_count; i++)
        if (is_word(word, length, parser->picture->names[i].name))
            return number_node(parser, parser->picture->names[i].value);
    return NOTHING;
}

static int local_node(const Parser *parser, const char *word, size_t length) {
    for (int i = 0; i < parser->local_count; i++)
        if (parser->locals[i].length == length && strncmp(parser->locals[i].name, word, length) == 0)
            return parser->locals[i].node;
    return NOTHING;
}

static int parse_name(Parser *parser, const char *word, size_t length) {
    const int local = local_node(parser, word, length);
    if (local != NOTHING)
        return local;
    const int before = parser->graph->count, known = known_node(parser, word, length);
    if (known != NOTHING || before == NODES_MAX)
        return known;
    return fault(parser, word, "no value \"%.*s\"; docs/formulas.md has the list", (int)(length < 20 ? length : 20),
                 word);
}

static bool define(Parser *parser, const char *word, size_t length, int node) {
    if (parser->local_count == LOCALS_MAX) {
        return fault(parser, word, "more than %d parts with a name", LOCALS_MAX) != NOTHING;
    }
    parser->locals[parser->local_count++] = (Local){word, length, node};
    return true;
}

/* ---- functions ---- */

/* Functions by formulas of others; their operands are A, B and C. */
static const struct Derived {
    const char *name;
    int operands;
    const char *formula;
} derived[] = {
    {"clamp", 3, "min(max(A, B), C)"},  {"mix", 3, "A + (B - A) * C"},
    {"step", 2, "B < A ? 0 : 1"},       {"smoothstep", 3, "t = clamp((C - A) / (B - A), 0, 1); t * t * (3 - 2 * t)"},
    {"mod", 2, "A - B * floor(A / B)"}, {"tan", 1, "sin(A) / cos(A)"},
    {"sign", 1, "(A > 0) - (A < 0)"},   {"noise", 1, "noise(A, x, y)"},
};

static const char *const spellings[FORMULA_OPERATIONS] = {
#define FORMULA(name, operands, spelled, body) spelled,
#include "core/math/formula.def"
#undef FORMULA
};

static int apply_derived(Parser *parser, const struct Derived *function, const int *arguments) {
    static const char *const names[] = {"A", "B", "C"};
    Parser within = {.picture = parser->picture,
                     .graph = parser->graph,
                     .text = function->formula,
                     .at = function->formula,
                     .colour = parser->colour,
                     .depth = parser->depth};
    for (int i = 0; i < 3 && i < function->operands; i++)
        define(&within, names[i], 1, arguments[i]);
    return parse_parts(&within) ? within.results[0] : NOTHING;
}

/* The operands in parentheses; how many, or NOTHING. */
static int parse_arguments(Parser *parser, int arguments[ARGUMENTS_MAX]) {
    int count = 0;
    do {
        if (count == ARGUMENTS_MAX)
            return fault(parser, parser->at, "more than %d operands", ARGUMENTS_MAX);
        arguments[count] = parse_choice(parser);
        if (arguments[count++] == NOTHING)
            return NOTHING;
    } while (takes(parser, ","));
    return takes(parser, ")") ? count
                              : fault(parser, parser->at, "want ',' or ')'; in a chain, quotes stand around a formula");
}

/* min and max take two or more. */
static int apply_row(Parser *parser, FormulaOperation operation, const int *arguments, int count) {
    int result = apply(parser, operation, arguments);
    for (int i = operand_counts[operation]; i < count; i++)
        result = apply_two(parser, operation, result, arguments[i]);
    return result;
}

static int parse_call(Parser *parser, const char *word, size_t length) {
    int arguments[ARGUMENTS_MAX] = {0}, wanted = 0;
    const int count = parse_arguments(parser, arguments);
    if (count == NOTHING)
        return NOTHING;
    for (int i = 0; i < FORMULA_OPERATIONS; i++) {
        const bool more = i == FORMULA_minimum || i == FORMULA_maximum;
        if (!is_word(word, length, spellings[i]))
            continue;
        if (count == operand_counts[i] || (more && count > operand_counts[i]))
            return apply_row(parser, (FormulaOperation)i, arguments, count);
        wanted = operand_counts[i];
    }
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++) {
        if (!is_word(word, length, derived[i].name))
            continue;
        if (count == derived[i].operands)
            return apply_derived(parser, &derived[i], arguments);
        wanted = derived[i].operands;
    }
    const int shown = (int)(length < 20 ? length : 20);
    return wanted ? fault(parser, word, "%.*s takes %d operand%s, not %d", shown, word, wanted, wanted > 1 ? "s" : "",
                          count)
                  : fault(parser, word, "no function \"%.*s\"; docs/formulas.md has the list", shown, word);
}

/* ---- expressions ---- */

/* "12", "1.5e-3", ".5", and no fraction. NOTHING, without a fault, if it is no finite number. */
static int parse_number(Parser *parser) {
    char digits[64];
    const char *at = parser->at;
    size_t length = strspn(at, "0123456789.");
    if (length > 0 && (at[length] == 'e' || at[length] == 'E')) {
        const size_t sign = at[length + 1] == '-' || at[length + 1] == '+', power = length + 1 + sign;
        length = isdigit((unsigned char)at[power]) ? power + strspn(at + power, "0123456789") : length;
    }
    const char *end = digits;
    double number;
    if (length == 0 || length >= sizeof digits)
        return NOTHING;
    memcpy(digits, at, length);
    digits[length] = '\0';
    if (!text_number(digits, &end, &number) || *end)
        return NOTHING;
    parser->at += length;
    return number_node(parser, number);
}

static int parse_primary(Parser *parser) {
    skip(parser);
    const char *at = parser->at;
    const size_t length = word_length(at);
    if (length > 0) {
        parser->at += length;
        return takes(parser, "(") ? parse_call(parser, at, length) : parse_name(parser, at, length);
    }
    if (takes(parser, "(")) {
        const int inner = parse_choice(parser);
        return inner == NOTHING || takes(parser, ")") ? inner : fault(parser, parser->at, "want ')'");
    }
    const int number = parse_number(parser);
    if (number != NOTHING)
        return number;
    return *at ? fault(parser, at, "'%c' where a number, a name or '(' would be right", *at)
               : fault(parser, at, "it ends where a number, a name or '(' would be right");
}

/* With signs before it, and a power behind it, which binds tighter than they do. */
static int parse_signed(Parser *parser) {
    if (parser->depth == DEPTH_MAX)
        return fault(parser, parser->at, "more than %d parts within each other", DEPTH_MAX);
    parser->depth++;
    int result;
    if (takes(parser, "-"))
        result = apply_two(parser, FORMULA_negate, parse_signed(parser), NOTHING);
    else if (takes(parser, "!"))
        result = apply_two(parser, FORMULA_equal, parse_signed(parser), number_node(parser, 0));
    else {
        result = parse_primary(parser);
        if (result != NOTHING && takes(parser, "^"))
            result = apply_two(parser, FORMULA_power, result, parse_signed(parser));
    }
    parser->depth--;
    return result;
}

/* Signs between two operands, a longer one before its beginning. A higher rank binds tighter. */
static const struct Sign {
    const char *sign;
    int rank;
    FormulaOperation operation;
    bool swaps;
} signs[] = {
    {"||", 1, FORMULA_either, false},
    {"&&", 2, FORMULA_both, false},
    {"==", 3, FORMULA_equal, false},
    {"!=", 3, FORMULA_unequal, false},
    {"<=", 4, FORMULA_less_or_equal, false},
    {">=", 4, FORMULA_less_or_equal, true},
    {"<", 4, FORMULA_less, false},
    {">", 4, FORMULA_less, true},
    {"+", 5, FORMULA_add, false},
    {"-", 5, FORMULA_subtract, false},
    {"*", 6, FORMULA_multiply, false},
    {"/", 6, FORMULA_divide, false},
};

static const struct Sign *next_sign(Parser *parser, int rank) {
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (signs[i].rank >= rank && takes(parser, signs[i].sign))
            return &signs[i];
    return NULL;
}

/* Signs of this rank and above. */
static int parse_ranked(Parser *parser, int rank) {
    int left = parse_signed(parser);
    const struct Sign *sign;
    while (left != NOTHING && (sign = next_sign(parser, rank))) {
        const int right = parse_ranked(parser, sign->rank + 1);
        if (right == NOTHING)
            return NOTHING;
        left = apply_two(parser, sign->operation, sign->swaps ? right : left, sign->swaps ? left : right);
    }
    return left;
}

/* CONDITION ? FORMULA : FORMULA; also without a condition. */
static int parse_choice(Parser *parser) {
    if (parser->depth == DEPTH_MAX)
        return fault(parser, parser->at, "more than %d parts within each other", DEPTH_MAX);
    parser->depth++;
    int result = parse_ranked(parser, 1);
    if (result != NOTHING && takes(parser, "?")) {
        const int yes = parse_choice(parser);
        if (yes == NOTHING)
            return NOTHING;
        if (!takes(parser, ":"))
            return fault(parser, parser->at, "want ':' and the value for when the condition does not hold");
        result = apply(parser, FORMULA_select, (const int[3]){result, yes, parse_choice(parser)});
    }
    parser->depth--;
    return result;
}

/* ---- parts ---- */

/* The length of the name in "NAME =" at this place; 0 if another thing stands there. */
static size_t defined_name(const char *at) {
    const size_t length = word_length(at);
    const char *behind = at + length + strspn(at + length, " \t\n");
    return length > 0 && behind[0] == '=' && behind[1] != '=' ? length : 0;
}

static bool parse_definition(Parser *parser, const char *word, size_t length) {
    parser->at = strchr(parser->at, '=') + 1;
    if (known_node(parser, word, length) != NOTHING || local_node(parser, word, length) != NOTHING) {
        return fault(parser, word, "%.*s is a value already; this one needs another name", (int)length, word) !=
               NOTHING;
    }
    const int node = parse_choice(parser);
    return node != NOTHING && define(parser, word, length, node);
}

static bool parse_result(Parser *parser) {
    const char *begin = parser->at;
    const int node = parse_choice(parser);
    if (node == NOTHING)
        return false;
    if (parser->result_count == RESULTS_MAX) {
        return fault(parser, begin, "a fifth result; want one, three or four") != NOTHING;
    }
    parser->results[parser->result_count++] = node;
    return true;
}

/* All parts, for the parser's colour. False if it failed. */
static bool parse_parts(Parser *parser) {
    do {
        skip(parser);
        if (!*parser->at && parser->result_count > 0)
            return true; /* a last ';' */
        const size_t length = defined_name(parser->at);
        if (!(length > 0 ? parse_definition(parser, parser->at, length) : parse_result(parser)))
            return false;
    } while (takes(parser, ";"));
    if (*parser->at) {
        return fault(parser, parser->at, "'%c' behind the end of a formula", *parser->at) != NOTHING;
    }
    if (parser->result_count != 1 && parser->result_count != 3 && parser->result_count != 4) {
        return fault(parser, parser->at, "%d results; want one, three or four", parser->result_count) != NOTHING;
    }
    return true;
}

/* ---- programs ---- */

/* The nodes that results need, and the last node that reads each. */
typedef struct Uses {
    bool used[NODES_MAX];
    int last[NODES_MAX];
} Uses;

static void find_uses(const Graph *graph, const int results[RESULTS_MAX], Uses *uses) {
    memset(uses, 0, sizeof *uses);
    for (int c = 0; c < RESULTS_MAX; c++)
        if (results[c] != NOTHING) {
            uses->used[results[c]] = true;
            uses->last[results[c]] = NODES_MAX;
        }
    for (int i = graph->count; i-- > 0;)
        for (int k = 0; k < 3 && uses->used[i]; k++) {
            const int operand = graph->nodes[i].operands[k];
            if (operand == NOTHING)
                continue;
            uses->used[operand] = true;
            uses->last[operand] = uses->last[operand] > i ? uses->last[operand] : i;
        }
}

typedef struct Places {
    bool taken[FORMULA_REGISTERS];
    int of[NODES_MAX]; /* by node: its operand number */
} Places;

/* The first free register. */
static int take_register(Places *places, FormulaProgram *program) {
    for (int i = 0; i < FORMULA_REGISTERS; i++)
        if (!places->taken[i]) {
            places->taken[i] = true;
            program->registers = i < program->registers ? program->registers : i + 1;
            return i;
        }
    return NOTHING;
}

static bool place_leaf(const Node *node, int index, Places *places, FormulaProgram *program) {
    const int at = places->of[index] = take_register(places, program);
    uint8_t *slot = node->leaf == LEAF_X ? &program->x
                    : node->leaf == LEAF_Y
                        ? &program->y
                        : &program->values[node->leaf / FORMULA_CHANNELS][node->leaf % FORMULA_CHANNELS];
    *slot = (uint8_t)at;
    return at != NOTHING;
}

static bool place_number(const Node *node, int index, Places *places, FormulaProgram *program) {
    if (program->constants == FORMULA_CONSTANTS)
        return false;
    places->of[index] = FORMULA_REGISTERS + program->constants;
    program->constant[program->constants++] = node->number;
    return true;
}

static bool place_step(const Node *node, int index, const Uses *uses, Places *places, FormulaProgram *program) {
    if (program->steps == FORMULA_STEPS)
        return false;
    FormulaStep *step = &program->step[program->steps++];
    const int to = places->of[index] = take_register(places, program);
    *step = (FormulaStep){(uint8_t)node->kind, (uint8_t)to, {FORMULA_NONE, FORMULA_NONE, FORMULA_NONE}};
    for (int k = 0; k < 3; k++) {
        const int operand = node->operands[k], at = operand == NOTHING ? FORMULA_NONE : places->of[operand];
        step->operands[k] = (uint8_t)at;
        if (at < FORMULA_REGISTERS && uses->last[operand] == index)
            places->taken[at] = false;
    }
    return to != NOTHING;
}

/* All leaves first, then steps in the order of nodes. False if the program has no room. */
static bool place_all(const Graph *graph, const Uses *uses, Places *places, FormulaProgram *program) {
    for (int i = 0; i < graph->count; i++)
        if (uses->used[i] && graph->nodes[i].kind == LEAF && !place_leaf(&graph->nodes[i], i, places, program))
            return false;
    for (int i = 0; i < graph->count; i++) {
        const Node *node = &graph->nodes[i];
        if (uses->used[i] && node->kind == NUMBER && !place_number(node, i, places, program))
            return false;
        if (uses->used[i] && node->kind < LEAF && !place_step(node, i, uses, places, program))
            return false;
    }
    return true;
}

static Status make_program(const Graph *graph, const int results[RESULTS_MAX], FormulaProgram *program) {
    Uses uses;
    Places places = {.taken = {false}};
    *program = (FormulaProgram){.steps = 0};
    memset(program->values, FORMULA_NONE, sizeof program->values);
    program->x = program->y = FORMULA_NONE;
    find_uses(graph, results, &uses);
    if (!place_all(graph, &uses, &places, program))
        return fail(STATUS_USAGE, "formula: too long; want at most %d operations, %d numbers, %d values at a time",
                    FORMULA_STEPS, FORMULA_CONSTANTS, FORMULA_REGISTERS);
    for (int c = 0; c < RESULTS_MAX; c++)
        program->results[c] = results[c] == NOTHING ? FORMULA_NONE : (uint8_t)places.of[results[c]];
    return STATUS_OK;
}

/* The results of a pass for one colour. */
static bool parse_for(const char *text, const FormulaPicture *picture, Graph *graph, int colour, Parser *parser) {
    *parser = (Parser){.picture = picture, .graph = graph, .text = text, .at = text, .colour = colour};
    return parse_parts(parser);
}

Status formula_parse(const char *text, const FormulaPicture *picture, FormulaProgram *program) {
    Graph graph = {.count = 0};
    Parser parser = {.result_count = 0};
    int results[RESULTS_MAX] = {NOTHING, NOTHING, NOTHING, NOTHING};
    const int colours = picture->results;
    for (int c = 0; c < colours; c++) {
        if (!parse_for(text, picture, &graph, c, &parser))
            return STATUS_USAGE;
        results[c] = parser.results[parser.result_count == 1 ? 0 : c];
    }
    if (colours == 1 && parser.result_count > 1)
        results[0] = luma_of(&parser, parser.results);
    if (parser.result_count == 4 && picture->alpha) {
        if (!parse_for(text, picture, &graph, 3, &parser))
            return STATUS_USAGE;
        results[colours] = parser.results[3];
    }
    return make_program(&graph, results, program);
}
