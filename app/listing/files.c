/* files.c: texts of sources, cut into lines. */
#include "app/listing/parts.h"
#include "app/listing/source.h"
#include "core/base/file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void listing_add(EmulatorCount *to, const EmulatorCount *count) {
    uint64_t sums[sizeof *to / sizeof(uint64_t)], more[sizeof *to / sizeof(uint64_t)];
    memcpy(sums, to, sizeof sums);
    memcpy(more, count, sizeof more);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        sums[i] += more[i];
    memcpy(to, sums, sizeof sums);
}

/* The last line may end without a line break. */
static Status cut_lines(ListingFile *file) {
    size_t lines = 0, room = 1;
    for (const char *at = file->text; (at = strchr(at, '\n')); at++)
        room++;
    file->lines = calloc(room, sizeof *file->lines);
    if (!file->lines)
        return fail(STATUS_DEVICE, "no memory for the text of %s", file->name);
    for (char *at = file->text; *at;) {
        char *end = at + strcspn(at, "\n");
        const bool more = *end == '\n';
        file->lines[lines++].text = at;
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
        at = more ? end + 1 : end;
    }
    file->count = (int)lines;
    return STATUS_OK;
}

static Status add_file(Listing *listing, const char *name, const char *path) {
    ListingFile *grown = realloc(listing->files, (listing->file_count + 1) * sizeof *grown);
    if (!grown)
        return fail(STATUS_DEVICE, "no memory for the text of %s", name);
    listing->files = grown;
    ListingFile *file = &grown[listing->file_count++];
    *file = (ListingFile){.name = strdup(name)};
    if (!file->name)
        return fail(STATUS_DEVICE, "no memory for the text of %s", name);
    TRY(file_read_text(path, &file->text));
    return cut_lines(file);
}

Status listing_file(Listing *listing, const char *path, const char *own, int *index) {
    char name[PATH_MAX], found[PATH_MAX];
    *index = LISTING_NONE;
    if (own) {
        snprintf(name, sizeof name, "%s", own);
        snprintf(found, sizeof found, "%s", own);
    } else if (!source_find(path, name, found)) {
        return STATUS_OK;
    }
    for (size_t i = 0; i < listing->file_count; i++)
        if (strcmp(listing->files[i].name, name) == 0) {
            *index = (int)i;
            return STATUS_OK;
        }
    TRY(add_file(listing, name, found));
    *index = (int)listing->file_count - 1;
    return STATUS_OK;
}

/* A mangled name begins with _Z, or with _ZN where it stands in a namespace. The length of each part stands in front of
 * it, and the last part is the function's. */
void listing_function_name(const char *symbol, char *name, size_t size) {
    const char *at = symbol;
    snprintf(name, size, "%s", symbol);
    if (strncmp(at, "_Z", 2) != 0)
        return;
    at += at[2] == 'N' ? 3 : 2;
    while (isdigit((unsigned char)*at)) {
        char *part;
        const size_t length = (size_t)strtoul(at, &part, 10);
        if (length > strlen(part))
            return;
        snprintf(name, size, "%.*s", (int)length, part);
        at = part + length;
        if (*at == 'I' || symbol[2] != 'N') /* arguments of a template, or of the function */
            return;
    }
}
