/* codes.c: a few programs and their code, the one used last in front. */
#include "cpu/formula/codes.h"

#include "core/ops/formula.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
    FormulaProgram program;
    FormulaCode code;
} Entry;

struct FormulaCodes {
    int count;
    Entry *entries[FORMULA_CODES];
};

/* Constants behind the last have no meaning. */
static bool same_program(const FormulaProgram *a, const FormulaProgram *b) {
    return formula_same_steps(a, b) &&
           memcmp(a->constant, b->constant, (size_t)a->constants * sizeof a->constant[0]) == 0;
}

static int index_of(const FormulaCodes *codes, const FormulaProgram *program) {
    int i = 0;
    while (i < codes->count && !same_program(&codes->entries[i]->program, program))
        i++;
    return i;
}

static void move_to_front(FormulaCodes *codes, int index) {
    Entry *entry = codes->entries[index];
    memmove(codes->entries + 1, codes->entries, (size_t)index * sizeof codes->entries[0]);
    codes->entries[0] = entry;
}

/* Makes the code in an entry that is free, or in the last one. Returns its index, -1 if memory is short. */
static int make(FormulaCodes *codes, const FormulaProgram *program) {
    const bool room = codes->count < FORMULA_CODES;
    if (room && !(codes->entries[codes->count] = malloc(sizeof(Entry))))
        return -1;
    codes->count += room;
    Entry *entry = codes->entries[codes->count - 1];
    if (!room)
        formula_code_free(&entry->code);
    entry->program = *program;
    formula_code_make(program, &entry->code);
    return codes->count - 1;
}

const FormulaCode *formula_codes_find(FormulaCodes **codes, const FormulaProgram *program) {
    if (!*codes && !(*codes = calloc(1, sizeof **codes)))
        return NULL;
    int index = index_of(*codes, program);
    if (index == (*codes)->count && (index = make(*codes, program)) < 0)
        return NULL;
    move_to_front(*codes, index);
    return &(*codes)->entries[0]->code;
}

void formula_codes_free(FormulaCodes **codes) {
    if (!*codes)
        return;
    for (int i = 0; i < (*codes)->count; i++) {
        formula_code_free(&(*codes)->entries[i]->code);
        free((*codes)->entries[i]);
    }
    free(*codes);
    *codes = NULL;
}
