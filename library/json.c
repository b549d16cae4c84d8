/* json.c: pieces of JSON. */
#include "library/json.h"

#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>

json_t *json_text(const char *text) {
    if (!text)
        return json_null();
    char *valid = text_escaped(text, TEXT_UTF8);
    json_t *string = json_string(valid ? valid : "(no memory for a text)");
    free(valid);
    return string;
}

json_t *json_figure(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

bool json_put(FILE *to, json_t *record, size_t flags) {
    char *text = record ? json_dumps(record, flags) : NULL;
    json_decref(record);
    if (!text)
        return false;
    fprintf(to, "%s\n", text);
    fflush(to);
    free(text);
    return true;
}
