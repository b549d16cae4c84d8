/* terms.c: the rows of terms.def, and their words in a text. */
#include "app/view/data/terms.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const Term terms[] = {
#define TERM(name, forms, words) {name, forms, words},
#include "app/view/data/terms.def"
#undef TERM
};
const size_t term_count = sizeof terms / sizeof terms[0];

/* The bytes of the longest of the term's forms that the text begins with, if a word ends there; 0: none. */
static size_t matched(const Term *term, const char *text) {
    const char *forms[] = {term->name, term->forms};
    size_t longest = 0;
    for (size_t i = 0; i < 2; i++)
        for (const char *form = forms[i]; *form; form += strspn(form, "|")) {
            const size_t length = strcspn(form, "|");
            const unsigned char behind = strncasecmp(text, form, length) == 0 ? (unsigned char)text[length] : 'x';
            if (length > longest && !isalnum(behind) && behind != '-' && behind != '_')
                longest = length;
            form += length;
        }
    return longest;
}

const Term *term_of(const char *name) {
    for (size_t i = 0; i < term_count; i++)
        if (matched(&terms[i], name) == strlen(name) && name[0])
            return &terms[i];
    return NULL;
}

const char *term_find(const char *from, size_t *length, const Term **term) {
    for (const char *at = from; *at; at++) {
        const unsigned char before = at > from ? (unsigned char)at[-1] : ' ';
        *length = 0;
        if (isalnum(before) || before == '-' || before == '_' || before >= 0x80)
            continue;
        for (size_t i = 0; i < term_count; i++) {
            const size_t found = matched(&terms[i], at);
            if (found > *length) {
                *length = found;
                *term = &terms[i];
            }
        }
        if (*length > 0)
            return at;
    }
    return NULL;
}
