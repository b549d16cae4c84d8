/* param.c: parameters by table. */
#include "core/param/param.h"

#include "core/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const param_kinds[] = {
    [PARAM_NUMBER] = "number", [PARAM_WHOLE] = "whole", [PARAM_SWITCH] = "switch", [PARAM_CHOICE] = "choice",
    [PARAM_TEXT] = "text",     [PARAM_IMAGE] = "image", [PARAM_CUBE] = "cube",
};

static double *number_at(const Param *param, void *values) {
    return (double *)(void *)((char *)values + param->offset);
}
static char **text_at(const Param *param, void *values) {
    return (char **)(void *)((char *)values + param->offset);
}

double param_number(const Param *param, const void *values) {
    return *(const double *)(const void *)((const char *)values + param->offset);
}

const char *param_text(const Param *param, const void *values) {
    return *(char *const *)(const void *)((const char *)values + param->offset);
}

void param_set_number(const Param *param, void *values, double number) {
    number = param->kind == PARAM_NUMBER ? number : nearbyint(number);
    *number_at(param, values) = fmin(fmax(number, param->min), param->max);
}

Status param_set_text(const Param *param, void *values, const char *text) {
    char *copy = text && text[0] ? strdup(text) : NULL, **slot = text_at(param, values);
    if (text && text[0] && !copy)
        return fail(STATUS_DEVICE, "no memory for %s", param->name);
    free(*slot);
    *slot = copy;
    return STATUS_OK;
}

bool param_same(const Param *param, const void *a, const void *b) {
    if (!param_is_text(param))
        return !(param_number(param, a) < param_number(param, b) || param_number(param, a) > param_number(param, b));
    const char *one = param_text(param, a), *other = param_text(param, b);
    return strcmp(one ? one : "", other ? other : "") == 0;
}

const Param *param_by_name(ParamTable table, const char *name) {
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.params[i].name, name) == 0)
            return &table.params[i];
    return NULL;
}

const Param *param_by_unit(ParamTable table, const char *unit) {
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.params[i].unit, unit) == 0)
            return &table.params[i];
    return NULL;
}

double param_stepped(const Param *param, double number, int steps) {
    const double moved =
        nearbyint(number / param->step + steps) * param->step; /* on the grid: no 0.30000000000000004 */
    return fmin(fmax(moved, param->min), param->max);
}

const char *param_choice(const Param *param, size_t index, size_t *length) {
    const char *word = param->unit;
    for (; index > 0 && word; index--) {
        word = strchr(word, '|');
        if (word)
            word++;
    }
    *length = word ? strcspn(word, "|") : 0;
    return word;
}

Param param_for_white(const Param *param, double white) {
    Param fitted = *param;
    if (strcmp(param->unit, PARAM_STORED) != 0)
        return fitted;
    fitted.min = fmax(param->min, -white);
    fitted.max = fmin(param->max, white);
    fitted.step = exp2(round(log2(white))) / 32; /* 8 of 255, 2048 of 65535 */
    return fitted;
}

bool params_in_percent(ParamTable table, const void *values) {
    const Param *measure = param_by_unit(table, PARAM_MEASURE);
    return measure && param_number(measure, values) > 0;
}

/* By unit: whether it counts along the height, and the smallest value. */
static const struct Lines {
    const char *unit;
    bool down;
    double min;
} lines[] = {{PARAM_COLUMN, false, 0}, {PARAM_ROW, true, 0}, {PARAM_COLUMNS, false, 1}, {PARAM_ROWS, true, 1}};

static const struct Lines *lines_of(const Param *param) {
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(param->unit, lines[i].unit) == 0)
            return &lines[i];
    return NULL;
}

bool param_counts_lines(const Param *param) {
    return lines_of(param) != NULL;
}

Param param_for_size(ParamTable table, const Param *param, const void *values, size_t width, size_t height) {
    Param fitted = *param;
    const struct Lines *of = lines_of(param);
    if (!of)
        return fitted;
    if (params_in_percent(table, values)) {
        fitted.unit = PARAM_SHARE;
        fitted.min = 0;
        fitted.max = 100;
        fitted.step = 0.5;
        return fitted;
    }
    fitted.kind = param_by_unit(table, PARAM_MEASURE) ? PARAM_WHOLE : param->kind;
    fitted.min = of->min;
    fitted.max = fmin((double)(of->down ? height : width) + of->min - 1, param->max);
    return fitted;
}

void params_default(ParamTable table, void *values) {
    for (size_t i = 0; i < table.count; i++)
        if (!param_is_text(&table.params[i]))
            *number_at(&table.params[i], values) = table.params[i].default_value;
}

bool params_same(ParamTable table, const void *a, const void *b) {
    bool same = true;
    for (size_t i = 0; i < table.count; i++)
        same &= param_same(&table.params[i], a, b);
    return same;
}

Status params_create(ParamTable table, void **values) {
    *values = calloc(1, table.size ? table.size : 1);
    if (!*values)
        return fail(STATUS_DEVICE, "no memory for parameters");
    params_default(table, *values);
    return STATUS_OK;
}

Status params_clone(ParamTable table, const void *from, void **values) {
    TRY(params_create(table, values));
    for (size_t i = 0; i < table.count; i++) {
        const Param *param = &table.params[i];
        if (!param_is_text(param))
            *number_at(param, *values) = param_number(param, from);
        else if (param_text(param, from) && !(*text_at(param, *values) = strdup(param_text(param, from)))) {
            params_destroy(table, values);
            return fail(STATUS_DEVICE, "no memory for parameters");
        }
    }
    return STATUS_OK;
}

void params_destroy(ParamTable table, void **values) {
    if (!*values)
        return;
    for (size_t i = 0; i < table.count; i++)
        if (param_is_text(&table.params[i]))
            free(*text_at(&table.params[i], *values));
    free(*values);
    *values = NULL;
}

static Status set_number(const Param *param, const char *owner, const char *text, size_t length, void *values) {
    const char *end;
    double number;
    const int shown = (int)length;
    if (!text_number(text, &end, &number) || end != text + length)
        return fail(STATUS_USAGE, "%s: %s is \"%.*s\", want a number", owner, param->name, shown, text);
    if (param->kind != PARAM_NUMBER && nearbyint(number) != number)
        return fail(STATUS_USAGE, "%s: %s is %.*s, want a whole number", owner, param->name, shown, text);
    if (number < param->min || number > param->max)
        return fail(STATUS_USAGE, "%s: %s is %.*s, want %g to %g%s%s", owner, param->name, shown, text, param->min,
                    param->max, param->unit[0] ? " " : "", param->unit);
    *number_at(param, values) = number;
    return STATUS_OK;
}

static Status set_choice(const Param *param, const char *owner, const char *text, size_t length, void *values) {
    const char *word;
    size_t word_length;
    for (size_t i = 0; (word = param_choice(param, i, &word_length)); i++)
        if (word_length == length && strncmp(word, text, length) == 0) {
            *number_at(param, values) = (double)i;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "%s: %s is \"%.*s\", want one of %s", owner, param->name, (int)length, text, param->unit);
}

/* Quoted text may hold every separator; a quote in it is written twice. */
static Status set_text(const Param *param, const char *owner, const char *text, size_t length, void *values) {
    char *copy = malloc(length + 1), *to = copy;
    if (!copy)
        return fail(STATUS_DEVICE, "%s: no memory for %s", owner, param->name);
    bool quoted = false;
    for (const char *at = text; at < text + length; at++) {
        if (*at != '\'')
            *to++ = *at;
        else if (quoted && at + 1 < text + length && at[1] == '\'')
            *to++ = *at++;
        else
            quoted = !quoted;
    }
    *to = '\0';
    if (quoted) {
        free(copy);
        return fail(STATUS_USAGE, "%s: %s ends before its quote is closed", owner, param->name);
    }
    char **slot = text_at(param, values);
    free(*slot);
    *slot = copy;
    return STATUS_OK;
}

/* The end of a value: the next ':' outside quotes, or `end`. */
static const char *value_end(const char *text, const char *end) {
    bool quoted = false;
    for (; text < end && (quoted || *text != ':'); text++)
        quoted ^= *text == '\'';
    return text;
}

static const char *skip_spaces(const char *text, const char *end) {
    while (text < end && *text == ' ')
        text++;
    return text;
}

/* The length of the name that an assignment begins with, and where its value begins; 0 for a value alone. */
static size_t name_length(const char *text, const char *end, const char **value) {
    const char *at = text;
    *value = text;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_' || *at == '-'))
        at++;
    const char *sign = skip_spaces(at, end);
    if (sign == end || *sign != '=' || !isalpha((unsigned char)*text))
        return 0;
    *value = skip_spaces(sign + 1, end);
    return (size_t)(at - text);
}

static Status no_such_param(ParamTable table, const char *owner, const char *name, size_t length) {
    char known[512] = "";
    for (size_t i = 0; i < table.count; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", table.params[i].name);
    }
    if (table.count == 0)
        return fail(STATUS_USAGE, "%s takes no parameters", owner);
    return fail(STATUS_USAGE, "%s: no parameter \"%.*s\"; there is %s", owner, (int)length, name, known);
}

/* Names of earlier versions, which are still accepted. */
static const struct Former {
    const char *owner, *former, *name;
} former_names[] = {{"spheres", "least", "minimum"}, {"spheres", "most", "maximum"}};

static bool is_name(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

static bool has_name(const Param *param, const char *owner, const char *text, size_t length) {
    for (size_t i = 0; i < sizeof former_names / sizeof former_names[0]; i++)
        if (strcmp(former_names[i].owner, owner) == 0 && strcmp(former_names[i].name, param->name) == 0 &&
            is_name(former_names[i].former, text, length))
            return true;
    return is_name(param->name, text, length);
}

Status params_parse(ParamTable table, const char *owner, const char *text, const char *end, void *values,
                    const char **at) {
    size_t next = 0;
    for (;; text++) {
        const char *stop = value_end(text, end), *value;
        *at = text = skip_spaces(text, stop);
        const size_t name = name_length(text, stop, &value);
        size_t index = next;
        if (name > 0)
            for (index = 0; index < table.count; index++)
                if (has_name(&table.params[index], owner, text, name))
                    break;
        if (index >= table.count)
            return name > 0 || table.count == 0
                       ? no_such_param(table, owner, text, name)
                       : fail(STATUS_USAGE, "%s: more values than its %zu parameters", owner, table.count);
        const Param *param = &table.params[index];
        *at = value;
        size_t length = (size_t)(stop - value);
        while (length > 0 && value[length - 1] == ' ')
            length--;
        if (length == 0)
            return fail(STATUS_USAGE, "%s: %s has no value", owner, param->name);
        TRY(param_is_text(param)          ? set_text(param, owner, value, length, values)
            : param->kind == PARAM_CHOICE ? set_choice(param, owner, value, length, values)
                                          : set_number(param, owner, value, length, values));
        next = index + 1;
        if (stop == end)
            return STATUS_OK;
        text = stop;
    }
}

/* A number as people write it: the shortest decimal that reads back equal, without an exponent below a million. */
static void shortest(double number, char *buffer, size_t size) {
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, number);
        if (strtod(buffer, NULL) == number && (fabs(number) >= 1e6 || !strstr(buffer, "e+")))
            return;
    }
}

/* Numbers that are not the default, as params_parse takes them; else an empty text. */
static void spell(const Param *param, double number, char *buffer, size_t size) {
    size_t length;
    buffer[0] = '\0';
    if (number == param->default_value)
        return;
    if (param->kind != PARAM_CHOICE)
        shortest(number, buffer, size);
    else {
        const char *word = param_choice(param, (size_t)number, &length);
        snprintf(buffer, size, "%.*s", (int)length, word);
    }
}

/* Appends `text` behind the `length` characters that buffer has, as far as it fits; returns the new length. */
static size_t append(char *buffer, size_t size, size_t length, const char *text) {
    for (; *text; text++, length++)
        if (length + 1 < size) {
            buffer[length] = *text;
            buffer[length + 1] = '\0';
        }
    return length;
}

static size_t append_quoted(char *buffer, size_t size, size_t length, const char *text) {
    length = append(buffer, size, length, "'");
    for (const char *at = text; *at; at++)
        length = append(buffer, size, length, *at == '\'' ? "''" : (const char[]){*at, '\0'});
    return append(buffer, size, length, "'");
}

static bool needs_quotes(const char *text) {
    return strpbrk(text, ":,'=") != NULL || isspace((unsigned char)text[0]) ||
           isspace((unsigned char)text[strlen(text) - 1]);
}

size_t params_format(ParamTable table, const void *values, char *buffer, size_t size) {
    size_t length = 0, next = 0;
    if (size > 0)
        buffer[0] = '\0';
    for (size_t i = 0; i < table.count; i++) {
        const Param *param = &table.params[i];
        char number[40] = "";
        const char *value = number;
        if (param_is_text(param))
            value = param_text(param, values);
        else
            spell(param, param_number(param, values), number, sizeof number);
        if (!value || !value[0])
            continue;
        length = append(buffer, size, length, length ? ":" : "");
        if (i != next) {
            length = append(buffer, size, length, param->name);
            length = append(buffer, size, length, "=");
        }
        length = needs_quotes(value) ? append_quoted(buffer, size, length, value) : append(buffer, size, length, value);
        next = i + 1;
    }
    return length;
}
