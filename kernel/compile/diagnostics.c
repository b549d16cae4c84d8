/* diagnostics.c: lines of a log, two spellings of a place, and carets. */
#include "kernel/compile/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIAGNOSTICS_MAX = 1000 };

/* A part of the log. */
typedef struct Span {
    const char *text;
    size_t length;
} Span;

/* How a line begins its text: a word and a colon, with a number between of NVIDIA's ("warning #177-D:"). */
static const struct {
    const char *word;
    bool error;
} kinds[] = {{"error", true}, {"fatal error", true}, {"catastrophic error", true}, {"warning", false}};

/* The text behind "error: " at the beginning of a part; false if there is none. */
static bool take_kind(Span at, KernelDiagnostic *found, Span *text) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i].word);
        if (at.length <= length || strncmp(at.text, kinds[i].word, length) != 0)
            continue;
        const char *colon = memchr(at.text + length, ':', at.length - length);
        if (!colon || (at.text[length] != ':' && strncmp(at.text + length, " #", 2) != 0))
            continue;
        const char *begin = colon + 1 + strspn(colon + 1, " ");
        *text = (Span){begin, (size_t)(at.text + at.length - begin)};
        found->error = kinds[i].error;
        return true;
    }
    return false;
}

/* A number with this mark behind it; 0 if there is none. */
static int take_number(Span *at, const char *mark) {
    char *end;
    if (at->length == 0 || !isdigit((unsigned char)at->text[0]))
        return 0;
    const unsigned long number = strtoul(at->text, &end, 10);
    const size_t length = (size_t)(end - at->text) + strlen(mark);
    if (length > at->length || strncmp(end, mark, strlen(mark)) != 0 || number > 1000000000)
        return 0;
    *at = (Span){at->text + length, at->length - length};
    return (int)number;
}

/* "FILE(12): error: TEXT", "FILE:12:5: error: TEXT", "FILE:12: error: TEXT", "PROGRAM: error: TEXT". */
static bool take_line(Span line, KernelDiagnostic *found, Span *file, Span *text) {
    for (size_t i = 1; i < line.length; i++) {
        if (line.text[i] != '(' && line.text[i] != ':')
            continue;
        const bool bracket = line.text[i] == '(';
        Span rest = {line.text + i + 1, line.length - i - 1};
        found->line = take_number(&rest, bracket ? "): " : ":");
        found->column = bracket ? 0 : take_number(&rest, ":");
        if ((bracket && found->line == 0) || rest.length == 0)
            continue;
        if (rest.text[0] == ' ')
            rest = (Span){rest.text + 1, rest.length - 1};
        *file = (Span){line.text, i};
        if (take_kind(rest, found, text))
            return true;
    }
    return false;
}

/* A linker names places in objects. */
static bool take_linker(Span line, KernelDiagnostic *found, Span *file, Span *text) {
    static const char words[] = "undefined reference to ";
    const char *at = memmem(line.text, line.length, words, sizeof words - 1);
    *found = (KernelDiagnostic){.error = true};
    *file = (Span){line.text, 0};
    *text = (Span){at, at ? (size_t)(line.text + line.length - at) : 0};
    return at != NULL;
}

/* NVIDIA's compilers show the line, indented by two blanks, and below it a caret. */
static int caret_column(const char *behind) {
    const char *line = strchr(behind, '\n');
    if (!line)
        return 0;
    line++;
    const size_t blanks = strspn(line, " ");
    return line[blanks] == '^' && blanks >= 2 && blanks < 10000 ? (int)blanks - 1 : 0;
}

static bool append(KernelDiagnostic **list, size_t *count, KernelDiagnostic found, Span file, Span text) {
    KernelDiagnostic *grown = realloc(*list, (*count + 1) * sizeof **list);
    if (!grown)
        return false;
    *list = grown;
    found.file = strndup(file.text, file.length);
    found.text = strndup(text.text, text.length);
    grown[(*count)++] = found;
    return found.file && found.text;
}

Status diagnostics_parse(const char *log, KernelDiagnostic **list, size_t *count) {
    *list = NULL;
    *count = 0;
    for (size_t length; *log && *count < DIAGNOSTICS_MAX; log += length + (log[length] != '\0')) {
        length = strcspn(log, "\n");
        const Span line = {log, length};
        KernelDiagnostic found = {0};
        Span file, text;
        if (!take_line(line, &found, &file, &text) && !take_linker(line, &found, &file, &text))
            continue;
        if (found.column == 0 && found.line > 0 && log[length])
            found.column = caret_column(log + length + 1);
        if (!append(list, count, found, file, text))
            return fail(STATUS_DEVICE, "no memory for a compiler's words");
    }
    return STATUS_OK;
}

void diagnostics_free(KernelDiagnostic *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(list[i].file);
        free(list[i].text);
    }
    free(list);
}

const KernelDiagnostic *diagnostics_error(const KernelDiagnostic *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i].error)
            return &list[i];
    return NULL;
}
