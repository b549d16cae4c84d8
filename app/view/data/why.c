/* why.c: the rows of why.def and ladders.def. */
#include "app/view/data/why.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const Why whys[] = {
#define WHY(backend, operation, below, level, words) {#backend, #operation, #below, #level, words},
#include "app/view/data/why.def"
#undef WHY
};
const size_t why_count = sizeof whys / sizeof whys[0];

static const struct {
    const char *operation, *page, *heading;
} ladders[] = {
#define LADDER(operation, page, heading) {#operation, page, heading},
#include "app/view/data/ladders.def"
#undef LADDER
};

/* Rows have the names of files, with _ where a level's name has -. */
static bool same(const char *row, const char *name) {
    for (; *row && *name; row++, name++)
        if (*row != (*name == '-' ? '_' : *name))
            return false;
    return *row == *name;
}

const Why *why_of(const char *backend, const char *operation, const char *level) {
    for (size_t i = 0; i < why_count; i++)
        if (same(whys[i].backend, backend) && same(whys[i].operation, operation) && same(whys[i].level, level))
            return &whys[i];
    return NULL;
}

static void put_name(const char *row, char *name, size_t size) {
    snprintf(name, size, "%s", row);
    for (char *at = name; (at = strchr(at, '_'));)
        *at = '-';
}

const char *why_format(const Why *why, char *buffer, size_t size) {
    char below[32] = "";
    if (why)
        put_name(why->below, below, sizeof below);
    snprintf(buffer, size, "%s%s%s%s", below[0] ? "Over " : "", below, below[0] ? ": " : "", why ? why->words : "");
    return buffer;
}

const char *why_format_page(const Why *why, char *buffer, size_t size) {
    char level[32];
    buffer[0] = '\0';
    for (size_t i = 0; why && i < sizeof ladders / sizeof ladders[0]; i++) {
        if (strcmp(ladders[i].operation, why->operation) != 0)
            continue;
        put_name(why->level, level, sizeof level);
        if (ladders[i].heading[0])
            snprintf(buffer, size, "docs/%s, %s", ladders[i].page, ladders[i].heading);
        else
            snprintf(buffer, size, "docs/%s, %s: %s", ladders[i].page, why->backend, level);
    }
    return buffer;
}
