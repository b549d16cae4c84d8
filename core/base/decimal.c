/* decimal.c: digits as a whole number of 64 bits, divided or multiplied by a power of five in 128 bits. Both are exact,
 * and one rounding remains. All else goes to strtod. */
#include "core/base/decimal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS_MAX = 19 /* fit 64 bits */, POWER_MAX = 27 /* 5^27 fits 63 bits */, EXACT_POWER = 22, LITERAL_MAX = 800 };

__extension__ typedef unsigned __int128 Wide;

/* 5^0 to 5^27. */
static const uint64_t fives[POWER_MAX + 1] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* Powers of ten that f64 has exactly. */
static const double tens[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int bits_of(Wide value) {
    const uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* value * 2^power, rounded to nearest even; `more`: a little more than that. */
static double rounded(Wide value, bool more, int power) {
    const int bits = bits_of(value), drop = bits > 54 ? bits - 54 : 0; /* 53, and one that decides */
    more |= (value & (((Wide)1 << drop) - 1)) != 0;
    uint64_t kept = (uint64_t)(value >> drop);
    if (drop > 0) {
        kept = (kept >> 1) + (kept & 1 & (more | kept >> 1));
        return ldexp((double)kept, power + drop + 1);
    }
    return ldexp((double)kept, power); /* at most 54 bits, all of them here */
}

/* digits * 10^power; power within +-POWER_MAX. */
static inline double scaled(uint64_t digits, int power) {
    if (digits <= UINT64_C(1) << 53 && power >= -EXACT_POWER && power <= EXACT_POWER) /* Clinger 1990 */
        return power < 0 ? (double)(int64_t)digits / tens[-power] : (double)(int64_t)digits * tens[power];
    if (power >= 0)
        return rounded((Wide)digits * fives[power], false, power);
    const int shift = __builtin_clzll(digits);
    const Wide dividend = (Wide)(digits << shift) << 63; /* so that the quotient has 64 bits or more */
    const Wide quotient = dividend / fives[-power];
    return rounded(quotient, quotient * fives[-power] != dividend, power - shift - 63);
}

/* The rare ones: many digits, extreme powers. `end` is behind the number. */
static double by_strtod(const char *text, const char *end) {
    char copy[LITERAL_MAX + 1];
    const size_t length = (size_t)(end - text);
    if (length > LITERAL_MAX) /* no hexadecimal number: those end behind their 0 */
        return strtod(text, NULL);
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (char *at = copy; *at; at++)
        if (*at == 'd' || *at == 'D')
            *at = 'e';
    return strtod(copy, NULL);
}

static bool read_word(const char **at, const char *word, double value, bool minus, double *number) {
    const size_t length = strlen(word);
    if (strncasecmp(*at, word, length) != 0)
        return false;
    *at += length;
    *number = minus ? -value : value;
    return true;
}

static inline bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* Adds the digits that begin there. */
static inline const char *take_digits(const char *at, uint64_t *digits) {
    uint64_t sum = *digits;
    for (; is_digit(*at); at++)
        sum = sum * 10 + (uint64_t)(*at - '0');
    *digits = sum;
    return at;
}

/* ---- short numbers: eight digits at once ---- */

/* Eight characters, the first in the lowest byte, with digits as their values. */
static inline uint64_t load_values(const char *at) {
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        bytes = __builtin_bswap64(bytes);
    return bytes ^ UINT64_C(0x3030303030303030);
}

/* The bits before the first byte that is no digit's value; 64: all are digits. */
static inline int bits_of_digits(uint64_t values) {
    const uint64_t others = ((values + UINT64_C(0x7676767676767676)) | values) & UINT64_C(0x8080808080808080);
    return others ? __builtin_ctzll(others) & ~7 : 64;
}

/* The values as a number: pairs, then fours, then all. */
static inline uint64_t number_of_eight(uint64_t values) {
    values = values * 10 + (values >> 8);
    const uint64_t first = values & UINT64_C(0x000000FF000000FF);
    const uint64_t second = values >> 16 & UINT64_C(0x000000FF000000FF);
    return (first * UINT64_C(0x000F424000000064) + second * UINT64_C(0x0000271000000001)) >> 32;
}

enum { SHORT_BYTES = 10 /* that read_short reads: eight digits, the point, what follows */, MORE_DIGITS = 7 };

/* At most eight digits, or 15 with a point among the first nine characters, and no exponent. False for others. The
 * point is taken out, so that where a number ends is known after two steps, whatever digits it has. */
static inline bool read_short(const char **at, const char *first, bool minus, double *number) {
    uint64_t values = load_values(first);
    const int whole = bits_of_digits(values);
    int all = whole;
    const char *stop = first + whole / 8;
    const bool has_point = whole < 64 && *stop == '.';
    if (has_point) {
        const uint64_t before = (UINT64_C(1) << whole) - 1;
        values = (values & before) | (load_values(first + 1) & ~before);
        all = bits_of_digits(values);
        stop = first + 1 + all / 8;
    }
    if (all == 0 || (all == 64 && !has_point))
        return false;
    uint64_t digits = number_of_eight(values << (64 - all));
    const char *const more = all == 64 ? take_digits(stop, &digits) : stop;
    if (more - stop > MORE_DIGITS || (*more | 32) == 'e' || (*more | 32) == 'd')
        return false;
    const double size = (double)(int64_t)digits / tens[(all - whole) / 8 + (more - stop)];
    *number = copysign(size, minus ? -1.0 : 1.0); /* a branch would be taken at random */
    *at = more;
    return true;
}

/* ---- all numbers ---- */

/* The power behind an e; no digits: the e is no part of the number. */
static const char *take_power(const char *at, int *power) {
    const char *sign = at + 1, *digit = sign + (*sign == '-' || *sign == '+');
    int given = 0;
    if (!is_digit(*digit))
        return at;
    for (; is_digit(*digit); digit++)
        given = given < 100000 ? given * 10 + (*digit - '0') : given;
    *power += *sign == '-' ? -given : given;
    return digit;
}

/* Numbers of any length; `first` is behind the sign. */
__attribute__((noinline)) static bool read_long(const char **at, const char *first, bool minus, double *number) {
    const char *const text = *at;
    uint64_t digits = 0;
    const char *behind = take_digits(first, &digits), *stop = behind;
    int power = 0;
    if (*behind == '.') {
        stop = take_digits(behind + 1, &digits);
        power = (int)(behind + 1 - stop);
    }
    const long count = stop - first - (*behind == '.');
    if (count == 0) {
        *at = first;
        const bool is_word = read_word(at, "nan", NAN, minus, number) || read_word(at, "inf", INFINITY, minus, number);
        if (!is_word)
            *at = text;
        return is_word;
    }
    if ((*stop | 32) == 'e' || (*stop | 32) == 'd')
        stop = take_power(stop, &power);
    *at = stop;
    if (count > DIGITS_MAX || power < -POWER_MAX || power > POWER_MAX) {
        *number = by_strtod(text, stop);
        return true;
    }
    const double size = digits == 0 ? 0 : scaled(digits, power);
    *number = copysign(size, minus ? -1.0 : 1.0);
    return true;
}

bool decimal_read(const char **at, const char *end, double *number) {
    const bool minus = **at == '-';
    const char *const first = *at + (minus | (**at == '+'));
    return (end - first >= SHORT_BYTES && read_short(at, first, minus, number)) || read_long(at, first, minus, number);
}
