/* text.c: nearest names and numbers. */
#include "core/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH_MAX = 64 };

size_t text_distance(const char *a, size_t a_length, const char *b) {
    const size_t b_length = strlen(b);
    if (a_length > NAME_LENGTH_MAX || b_length > NAME_LENGTH_MAX)
        return SIZE_MAX;
    size_t row[NAME_LENGTH_MAX + 1];
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
    const char *digits = text + (text[0] == '-' || text[0] == '+');
    if (!isdigit((unsigned char)digits[0]) && digits[0] != '.') /* keeps out "inf", "nan" and leading blanks */
        return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) /* hexadecimal to strtod */
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

/* The bytes of the UTF-8 character at `text`, or 0 (RFC 3629: none longer than it must be, no surrogates). */
static size_t character_length(const unsigned char *text) {
    static const struct {
        unsigned char first, last; /* first byte */
        unsigned char low, high;   /* second byte */
        size_t length;
    } forms[] = {
        {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    size_t i = 0;
    while (i < sizeof forms / sizeof forms[0] && (text[0] < forms[i].first || text[0] > forms[i].last))
        i++;
    if (i == sizeof forms / sizeof forms[0])
        return 0;
    if (forms[i].length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
        return 0;
    for (size_t k = 2; k < forms[i].length; k++)
        if (text[k] < 0x80 || text[k] > 0xBF)
            return 0;
    return forms[i].length;
}

static bool is_control(const unsigned char *text) {
    return text[0] < ' ' || text[0] == 0x7F || (text[0] == 0xC2 && text[1] < 0xA0);
}

size_t text_escape(const char *text, TextKept kept, char *to, size_t size) {
    static const char digits[] = "0123456789abcdef";
    size_t length = 0, capacity = size; /* `capacity` is 0 once something did not fit */
    if (size > 0)
        to[0] = '\0';
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t whole = character_length(at);
        const bool keep = whole > 0 && !(kept == TEXT_PRINTABLE && is_control(at));
        const size_t bytes = keep ? whole : 1, grown = keep ? whole : 4;
        if (length + grown < capacity) {
            if (keep)
                memcpy(to + length, at, whole);
            else
                memcpy(to + length, (const char[]){'\\', 'x', digits[*at >> 4], digits[*at & 15]}, 4);
            to[length + grown] = '\0';
        } else {
            capacity = 0;
        }
        length += grown;
        at += bytes;
    }
    return length;
}

char *text_escaped(const char *text, TextKept kept) {
    const size_t size = text_escape(text, kept, NULL, 0) + 1;
    char *copy = malloc(size);
    if (copy)
        text_escape(text, kept, copy, size);
    return copy;
}

bool text_bytes(const char *text, double *bytes) {
    static const char suffixes[] = "KMGT";
    const char *end;
    if (!text_number(text, &end, bytes) || strchr(text, '/'))
        return false;
    const char *suffix = *end ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
    for (int i = 0; suffix && i <= suffix - suffixes; i++)
        *bytes *= 1024;
    return *bytes >= 1 && end[suffix != NULL] == '\0';
}

size_t text_mark(const void *text, size_t size) {
    static const char mark[3] = {'\xEF', '\xBB', '\xBF'};
    return size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

int text_order(const char *a, const char *b) {
    const char *const whole[2] = {a, b};
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            const size_t length = strspn(a, "0123456789"), other = strspn(b, "0123456789");
            const int order = length != other ? (length < other ? -1 : 1) : strncmp(a, b, length);
            if (order != 0)
                return order;
            a += length;
            b += length;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    const int order = strcmp(a, b);
    return order != 0 ? order : strcmp(whole[0], whole[1]);
}
