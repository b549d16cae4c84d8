/* selection.c: the functions of strip.h that select pictures, by numbers and ranges. */
#include "app/view/session/strip.h"

#include "app/view/session/keep.h"
#include "app/view/session/viewer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of numbers ---- */

static const char blanks[] = " \t,";

/* A number from 1 to `count`; `*at` moves behind it. */
static bool take_number(const char **at, size_t count, size_t *number) {
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *number = strtoul(*at, &end, 10);
    *at = end;
    return *number >= 1 && *number <= count;
}

/* "4" or "4-6", which becomes [*from, *to), counted from 0. */
static bool take_range(const char **at, size_t count, size_t *from, size_t *to) {
    if (!take_number(at, count, from))
        return false;
    *to = *from;
    if (**at == '-') {
        ++*at;
        if (!take_number(at, count, to) || *to < *from)
            return false;
    }
    --*from;
    return **at == '\0' || strchr(blanks, **at);
}

/* Marks the pictures of the text. */
static Status read_list(const char *text, bool *listed, size_t count, size_t *last) {
    size_t from = 0, to = strcmp(text, "all") == 0 ? count : 0;
    const char *at = text + strspn(text, blanks);
    const bool word = to > 0 || strcmp(text, "none") == 0;
    for (bool first = true; first || *at; first = false) {
        if (!word && !take_range(&at, count, &from, &to))
            return fail(STATUS_USAGE, "pictures \"%.60s\", want numbers from 1 to %zu, as in 2 4-6, or all, or none",
                        text, count);
        for (size_t i = from; i < to; i++)
            listed[i] = true;
        *last = to > 0 ? to - 1 : *last;
        at = word ? "" : at + strspn(at, blanks);
    }
    return STATUS_OK;
}

/* ---- the selection ---- */

Status strip_select(Viewer *viewer, const char *text) {
    FileList *list = &viewer->pictures;
    const char sign = text[0] == '+' || text[0] == '-' ? text[0] : '\0';
    const bool adds = sign == '+';
    bool *listed = calloc(list->count + 1, sizeof *listed);
    size_t last = list->anchor;
    if (!listed)
        return fail(STATUS_DEVICE, "no memory to select pictures");
    const Status status = read_list(text + (sign ? 1 : 0), listed, list->count, &last);
    if (status == STATUS_OK && sign && strip_selection(viewer) == 0 && viewer_picture(viewer))
        list->marks[list->current].selected = true;
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++) {
        const bool was = sign && list->marks[i].selected;
        list->marks[i].selected =
            !list->marks[i].scene && (listed[i] ? (adds || !sign) && strip_shows(viewer, i) : was);
    }
    list->anchor = last;
    free(listed);
    return status;
}

size_t strip_selection(const Viewer *viewer) {
    const FileList *list = &viewer->pictures;
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->marks[i].selected;
    return count;
}

bool strip_selected(const Viewer *viewer, size_t index) {
    const FileList *list = &viewer->pictures;
    if (index >= list->count)
        return false;
    return list->marks[index].selected ||
           (index == list->current && viewer_picture(viewer) && strip_selection(viewer) == 0);
}

void strip_follow(Viewer *viewer, size_t index) {
    FileList *list = &viewer->pictures;
    const bool ends = index != list->current && !list->marks[index].selected;
    list->anchor = index;
    list->marks[index].rated &= !keep_has_sidecars(viewer); /* its sidecar was just read */
    for (size_t i = 0; i < list->count && ends; i++)
        list->marks[i].selected = false;
}
