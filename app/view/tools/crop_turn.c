/* crop_turn.c: width and height change places, and so does the ratio. */
#include "app/view/tools/crop_turn.h"

#include <math.h>
#include <string.h>

#define STEPS 1e4 /* of a percent */

enum { SIDES = 2 };

static const char *const places[SIDES] = {"x", "y"}, *const lengths[SIDES] = {"width", "height"};

static const Param *param_of(const ChainLink *link, const char *name) {
    const ParamTable *table = &link->filter->table;
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->params[i].name, name) == 0)
            return &table->params[i];
    return NULL;
}

static double value_of(const ChainLink *link, const char *name) {
    return param_number(param_of(link, name), link->values);
}

static void set(ChainLink *link, const char *name, double value) {
    param_set_number(param_of(link, name), link->values, value);
}

static double rounded(double percent) {
    return round(percent * STEPS) / STEPS;
}

/* 1: the longer side is the lower one; -1: it stands; 0: neither. */
static int kind_of(double width, double height) {
    return (width > height) - (width < height);
}

void crop_turn(ChainLink *crop, Shape from, Shape to) {
    const double ratio = value_of(crop, "ratio");
    const int kind = ratio > 0 ? kind_of(ratio, 1) : 0, of_to = kind_of((double)to.width, (double)to.height);
    double at[SIDES], length[SIDES];
    if (kind == 0 || kind != kind_of((double)from.width, (double)from.height) || of_to != -kind)
        return;
    set(crop, "ratio", 1 / ratio);
    if (!params_in_percent(crop->filter->table, crop->values))
        return;
    for (int i = 0; i < SIDES; i++) {
        at[i] = value_of(crop, places[i]);
        length[i] = value_of(crop, lengths[i]);
        length[i] = length[i] > 0 ? length[i] : 100 - fmax(at[i], 0);
    }
    for (int i = 0; i < SIDES; i++) {
        const double turned = length[1 - i], begin = at[i] + (length[i] - turned) / 2;
        set(crop, lengths[i], turned);
        set(crop, places[i], at[i] < 0 ? -1 : rounded(fmin(fmax(begin, 0), 100 - turned)));
    }
}
