/* choices.c: matching words, and lists of matches. */
#include "app/view/data/choices.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { IN_NAME = 1, IN_WORDS = 3, IN_LETTERS = 6, IN_HELP = 12, WORD_IN_HELP = 3 /* letters at least */ };

static const char *find(const char *text, const char *word, size_t length) {
    for (; *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return text;
    return NULL;
}

/* The number of letters between the word's letters in the label; negative if these do not stand there in order. */
static int score_letters(const char *label, const char *word, size_t length) {
    int between = 0;
    size_t found = 0;
    for (const char *at = label; *at && found < length; at++)
        if (tolower((unsigned char)*at) == tolower((unsigned char)word[found]))
            found++;
        else
            between += found > 0;
    return found == length && between <= 3 * (int)length ? IN_LETTERS + between : -1;
}

/* The place among words that people type for it of the first that is this one, or begins with it; negative: none. */
static int score_synonyms(const char *also, const char *word, size_t length) {
    int place = 0;
    for (const char *at = also; *at; at += strspn(at, " "), place++) {
        const size_t whole = strcspn(at, " ");
        if (whole >= length && (whole == length || length >= WORD_IN_HELP) && strncasecmp(at, word, length) == 0)
            return place;
        at += whole;
    }
    return -1;
}

static int score_name(const char *label, const char *help, const char *word, size_t length) {
    const char *at = find(label, word, length);
    if (at == label)
        return 0;
    if (at)
        return isalnum((unsigned char)at[-1]) ? IN_WORDS : IN_NAME;
    const int letters = score_letters(label, word, length);
    if (letters >= 0)
        return letters;
    return help && length >= WORD_IN_HELP && find(help, word, length) ? IN_HELP : -1;
}

static int score_word(const Choice *choice, const char *word, size_t length) {
    const int name = score_name(choice->label, choice->help, word, length);
    const int synonym = choice->also ? score_synonyms(choice->also, word, length) : -1;
    return synonym >= 0 && (name < 0 || synonym < name) ? synonym : name;
}

int choice_score(const char *wanted, const Choice *choice) {
    int score = 0;
    for (const char *at = wanted + strspn(wanted, " "); *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const int word = score_word(choice, at, length);
        if (word < 0)
            return -1;
        score += word;
        at += length;
    }
    return score;
}

Status choices_add(Choices *choices, Choice choice) {
    const char *wanted = choices->wanted ? choices->wanted : "";
    choice.score = choice_score(wanted, &choice);
    const Choice group = {.label = (char *)(uintptr_t)choice.group};
    if (choice.score < 0 && choice.group && choice_score(wanted, &group) >= 0)
        choice.score = IN_HELP;
    choice.place = choices->count;
    if (choice.score < 0)
        return STATUS_OK;
    if (!ARRAY_ROOM(choices->list, choices->capacity, choices->count + 1))
        return fail(STATUS_DEVICE, "no memory for a list of choices");
    bool short_of_memory = false;
    char **const texts[] = {&choice.text, &choice.label, &choice.help, &choice.why_not};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (*texts[i]) {
            *texts[i] = strdup(*texts[i]);
            short_of_memory |= !*texts[i];
        }
    choices->list[choices->count++] = choice;
    return short_of_memory ? fail(STATUS_DEVICE, "no memory for a list of choices") : STATUS_OK;
}

static void make_small(const char *text, size_t length, char *small, size_t size) {
    snprintf(small, size, "%.*s", (int)length, text);
    for (; *small; small++)
        *small = (char)tolower((unsigned char)*small);
}

/* Capitals do not count. */
static bool closer(const char *typed, const char *text, size_t length, size_t *best) {
    char wanted[128], small[128];
    make_small(typed, strlen(typed), wanted, sizeof wanted);
    make_small(text, length, small, sizeof small);
    return text_closer(wanted, strlen(wanted), small, best);
}

/* The words of a text that blanks separate, each closer than *best to the typed ones. */
static bool closer_word(const char *typed, const char *words, size_t *best) {
    bool found = false;
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        found |= closer(typed, at, length, best);
        at += length;
    }
    return found;
}

const Choice *choices_closest(const Choices *choices, const char *typed) {
    const Choice *closest = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < choices->count; i++) {
        const Choice *choice = &choices->list[i];
        const bool whole = closer(typed, choice->label, strlen(choice->label), &best);
        const bool word = closer_word(typed, choice->label, &best);
        if ((choice->also && closer_word(typed, choice->also, &best)) || word || whole)
            closest = choice;
    }
    return closest;
}

static int compare(const void *a, const void *b) {
    const Choice *left = a, *right = b;
    if (left->score != right->score)
        return left->score < right->score ? -1 : 1;
    return left->place < right->place ? -1 : left->place > right->place;
}

void choices_sort(Choices *choices) {
    if (choices->count > 0)
        qsort(choices->list, choices->count, sizeof *choices->list, compare);
}

void choices_clear(Choices *choices) {
    for (size_t i = 0; i < choices->count; i++) {
        free(choices->list[i].text);
        free(choices->list[i].label);
        free(choices->list[i].help);
        free(choices->list[i].why_not);
    }
    free(choices->list);
    *choices = (Choices){0};
}
