/* text.c: nearest names and numbers. */
#include "core/text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 64 };

size_t text_distance(const char *a, size_t a_length, const char *b) {
    const size_t b_length = strlen(b);
    if (a_length > NAME_MOST || b_length > NAME_MOST)
        return SIZE_MAX;
    size_t row[NAME_MOST + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
            const size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = substituted < shorter ? substituted : shorter;
        }
    }
    return row[b_length];
}

bool text_closer(const char *typed, size_t length, const char *candidate, size_t *best) {
    const size_t distance = text_distance(typed, length, candidate);
    if (distance >= *best || distance > (strlen(candidate) + 2) / 3)
        return false;
    *best = distance;
    return true;
}

static bool plain_number(const char *text, const char **end, double *number) {
    const char first = text[0] == '-' || text[0] == '+' ? text[1] : text[0];
    if (!isdigit((unsigned char)first) && first != '.') /* keeps out "inf", "nan" and leading blanks */
        return false;
    char *behind;
    *number = strtod(text, &behind);
    *end = behind;
    return behind != text && isfinite(*number);
}

bool text_number(const char *text, const char **end, double *number) {
    if (!plain_number(text, end, number))
        return false;
    if (**end != '/')
        return true;
    double divisor;
    if (!plain_number(*end + 1, end, &divisor) || !isfinite(*number / divisor))
        return false;
    *number /= divisor;
    return true;
}
