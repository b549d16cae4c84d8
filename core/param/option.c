/* option.c: options from rows: values read, and spelled for recipes. */
#include "core/param/option.h"

#include "core/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

static void put_whole(const Option *option, void *values, long number) {
    void *place = (char *)values + option->offset;
    switch (option->size) {
    case 1:
        *(uint8_t *)place = (uint8_t)number;
        break;
    case 4:
        *(uint32_t *)place = (uint32_t)number;
        break;
    default:
        *(int64_t *)place = number;
    }
}

static long whole_at(const Option *option, const void *values) {
    const void *place = (const char *)values + option->offset;
    return option->size == 1   ? *(const uint8_t *)place
           : option->size == 4 ? *(const int32_t *)place
                               : (long)*(const int64_t *)place;
}

static void put_number(const Option *option, void *values, double number) {
    void *place = (char *)values + option->offset;
    if (option->size == sizeof(float))
        *(float *)place = (float)number;
    else
        *(double *)place = number;
}

static double number_at(const Option *option, const void *values) {
    const void *place = (const char *)values + option->offset;
    return option->size == sizeof(float) ? (double)*(const float *)place : *(const double *)place;
}

static const char *text_at(const Option *option, const void *values) {
    return *(const char *const *)((const char *)values + option->offset);
}

double option_value(const Option *option, const void *values) {
    if (option->kind == OPTION_TEXT || option->kind == OPTION_OWN)
        return 0;
    const double value = option->kind == OPTION_NUMBER ? number_at(option, values) : (double)whole_at(option, values);
    return option_counts(option) && (value < option->min || value > option->max) ? option->otherwise : value;
}

void option_put(const Option *option, double value, void *values) {
    if (option->kind == OPTION_NUMBER)
        put_number(option, values, value);
    else if (option->kind != OPTION_TEXT && option->kind != OPTION_OWN)
        put_whole(option, values, (long)value);
}

/* ---- words ---- */

static const char *words_of(const Option *option) {
    return option->words ? option->words : option->value;
}

/* The word of this index; NULL if there is none. */
static const char *word_at(const Option *option, long index, size_t *length) {
    const char *word = words_of(option);
    for (; index > 0 && word; index--)
        word = (word = strchr(word, '|')) ? word + 1 : NULL;
    *length = word ? strcspn(word, "|") : 0;
    return word;
}

/* "auto, cpu or gpu" */
static void list_words(const Option *option, char *list, size_t size) {
    size_t used = 0, length;
    const char *word;
    list[0] = '\0';
    for (long i = 0; (word = word_at(option, i, &length)) && used < size; i++) {
        const char *between = i == 0 ? "" : word[length] == '|' ? ", " : " or ";
        used += (size_t)snprintf(list + used, size - used, "%s%.*s", between, (int)length, word);
    }
}

/* ---- reading ---- */

Status option_whole(const char *name, const char *text, long min, long max, long *number) {
    char *end;
    *number = strtol(text, &end, 10);
    return end != text && *end == '\0' && *number >= min && *number <= max
               ? STATUS_OK
               : fail(STATUS_USAGE, "--%s is \"%s\", want a whole number from %ld to %ld", name, text, min, max);
}

Status option_number(const char *name, const char *text, double min, double max, double *number) {
    const char *end;
    return text_number(text, &end, number) && *end == '\0' && *number >= min && *number <= max
               ? STATUS_OK
               : fail(STATUS_USAGE, "--%s is \"%s\", want a number from %g to %g", name, text, min, max);
}

static Status read_choice(const Option *option, const char *text, long *index) {
    char list[256];
    const char *word;
    size_t length;
    for (*index = 0; (word = word_at(option, *index, &length)); ++*index)
        if (strlen(text) == length && strncmp(text, word, length) == 0)
            return STATUS_OK;
    list_words(option, list, sizeof list);
    return fail(STATUS_USAGE, "--%s is \"%s\", want %s", option->name, text, list);
}

Status option_read(const Option *option, const char *text, void *values) {
    double number;
    long whole = (long)option->otherwise;
    switch (option->kind) {
    case OPTION_SWITCH:
        put_whole(option, values, 1);
        return STATUS_OK;
    case OPTION_TEXT:
        *(const char **)((char *)values + option->offset) = text;
        return STATUS_OK;
    case OPTION_CHOICE:
        TRY(read_choice(option, text, &whole));
        put_whole(option, values, whole);
        return STATUS_OK;
    case OPTION_WHOLE:
        if (text)
            TRY(option_whole(option->name, text, (long)option->min, (long)option->max, &whole));
        put_whole(option, values, whole);
        return STATUS_OK;
    case OPTION_BYTES:
        if (!text_bytes(text, &number) || number < option->min || number > option->max)
            return fail(STATUS_USAGE, "--%s is \"%s\", want bytes, or a number with K, M or G, as in 200K",
                        option->name, text);
        put_whole(option, values, (long)number);
        return STATUS_OK;
    case OPTION_NUMBER:
        TRY(option_number(option->name, text, option->min, option->max, &number));
        put_number(option, values, number);
        return STATUS_OK;
    default:
        return option->read(text, values);
    }
}

/* ---- recipes ---- */

const char *option_spell(const Option *option, const void *values, char *buffer, size_t size) {
    const char *text;
    size_t length;
    if (option->spell) {
        (void)option->spell(values, buffer, size);
        return buffer;
    }
    switch (option->kind) {
    case OPTION_TEXT:
        text = text_at(option, values);
        return text ? text : "";
    case OPTION_CHOICE:
        text = word_at(option, whole_at(option, values), &length);
        (void)snprintf(buffer, size, "%.*s", (int)length, text ? text : "");
        return buffer;
    case OPTION_NUMBER:
        (void)snprintf(buffer, size, "%.17g", number_at(option, values));
        return buffer;
    default:
        (void)snprintf(buffer, size, "%ld", whole_at(option, values));
        return buffer;
    }
}

size_t options_recipe(const OptionTable *tables, size_t count, const void *values, const void *defaults, char *buffer,
                      size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t].count; i++) {
            const Option *option = &tables[t].rows[i];
            char now[256] = "", before[256] = "";
            if (option->neutral)
                continue;
            const char *is = option_spell(option, (const char *)values + tables[t].offset, now, sizeof now);
            const char *was = option_spell(option, (const char *)defaults + tables[t].offset, before, sizeof before);
            if (strcmp(is, was) != 0)
                length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0,
                                           " %s=%s", option->name, is);
        }
    return length;
}
