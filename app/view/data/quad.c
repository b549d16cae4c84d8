/* quad.c: corners as percent, and in their sequence. */
#include "app/view/data/quad.h"

#include "core/chain/filters/filters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 1e4 /* of a percent */

void quad_read(const char *text, Shape picture, double corners[4][2]) {
    static const double whole[8] = {0, 0, 100, 0, 100, 100, 0, 100};
    double numbers[8];
    if (!text || filter_numbers(text, numbers, 8) != 8)
        memcpy(numbers, whole, sizeof numbers);
    for (int i = 0; i < 4; i++) {
        corners[i][0] = numbers[2 * i] / 100 * (double)picture.width - 0.5;
        corners[i][1] = numbers[2 * i + 1] / 100 * (double)picture.height - 0.5;
    }
}

static double percent(double at, size_t side) {
    return round((at + 0.5) * 100 * STEPS / (double)side) / STEPS;
}

const char *quad_format(double corners[4][2], Shape picture, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int i = 0; i < 4 && length < size; i++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%.8g %.8g", i > 0 ? "; " : "",
                                   percent(corners[i][0], picture.width), percent(corners[i][1], picture.height));
    return buffer;
}

void quad_sort(double corners[4][2]) {
    double sorted[4][2], angles[4], middle[2] = {0, 0};
    int first = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            middle[k] += corners[i][k] / 4;
    for (int i = 0; i < 4; i++)
        angles[i] = atan2(corners[i][1] - middle[1], corners[i][0] - middle[0]);
    for (int i = 0; i < 4; i++) { /* clockwise, y being down */
        int place = 0;
        for (int k = 0; k < 4; k++)
            place += angles[k] < angles[i] || (k < i && !(angles[k] > angles[i]));
        memcpy(sorted[place], corners[i], sizeof sorted[0]);
    }
    for (int i = 1; i < 4; i++)
        if (sorted[i][0] + sorted[i][1] < sorted[first][0] + sorted[first][1])
            first = i;
    for (int i = 0; i < 4; i++)
        memcpy(corners[i], sorted[(first + i) % 4], sizeof sorted[0]);
}
