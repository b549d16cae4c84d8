/* labels.h: what panels call filters and parameters, whose names are those of the command line. */
#ifndef GLINT_APP_VIEW_DATA_LABELS_H
#define GLINT_APP_VIEW_DATA_LABELS_H

#include "core/param/param.h"

#include <stdbool.h>
#include <stddef.h>

enum { LABEL_MAX = 48, ZERO_WORD_MAX = 12 };

typedef struct Label {
    const char *filter, *param, *label; /* filter: "*" of all; "" of an export */
} Label;

typedef struct Title {
    const char *filter, *title;
} Title;

extern const Label labels[];
extern const size_t label_count;
extern const Title titles[];
extern const size_t title_count;

/* "Noise" for nlmeans, "Gaussian" for gaussian: the table's words, or the name with a capital. `buffer` has room for
 * LABEL_MAX bytes, and is returned. */
const char *title_of_filter(const char *name, char buffer[LABEL_MAX]);
/* The name that chains have where the title does not show it, as it does of "White balance"; else "". */
const char *name_with_title(const char *name);
/* Whether the filter does nothing with a picture without colours. */
bool filter_needs_colours(const char *name);

/* "Interpolation" for by of rotate: the table's words, those of the filter first, else the name with a capital and
 * blanks. `filter` is "" for what is no filter's. `buffer` has room for LABEL_MAX bytes, and is returned. */
const char *label_of_param(const char *filter, const char *name, char buffer[LABEL_MAX]);
/* The end of the parameter's help that says what 0 stands for: "as it is" of "the longer side; 0: as it is". NULL:
 * there is none of fewer than ZERO_WORD_MAX bytes. The help owns it. */
const char *word_for_zero(const Param *param);

#endif
