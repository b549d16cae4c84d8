/* page.c: the report goes into the page as it is; the page's own script draws it. */
#include "app/explain/page.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char title_mark[] = "@TITLE@", report_mark[] = "@REPORT@";

/* Writes a text whose letters that HTML has for itself are spelled by names. */
static void put_escaped(FILE *to, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        default:
            fputc(*text, to);
        }
}

/* In a script no text may look like its end. */
static void put_script(FILE *to, const char *json) {
    for (; *json; json++)
        if (*json == '<')
            fputs("\\u003c", to);
        else
            fputc(*json, to);
}

/* Without the blanks in front of lines, which nobody reads there. */
static void put_flat(FILE *to, const char *text, size_t length) {
    bool begins = false;
    for (size_t i = 0; i < length; i++) {
        begins = text[i] == '\n' || (begins && text[i] == ' ');
        if (!begins || text[i] == '\n')
            fputc(text[i], to);
    }
}

static void put_page(FILE *to, const char *title, const char *json) {
    const char *at = explain_page, *mark;
    while ((mark = strchr(at, '@'))) {
        put_flat(to, at, (size_t)(mark - at));
        if (strncmp(mark, title_mark, strlen(title_mark)) == 0) {
            put_escaped(to, title);
            at = mark + strlen(title_mark);
        } else if (strncmp(mark, report_mark, strlen(report_mark)) == 0) {
            put_script(to, json);
            at = mark + strlen(report_mark);
        } else {
            fputc('@', to);
            at = mark + 1;
        }
    }
    put_flat(to, at, strlen(at));
}

Status page_make(const json_t *report, Bytes *page) {
    char *json = json_dumps(report, JSON_COMPACT), *text = NULL;
    FILE *to = json ? open_memstream(&text, &page->size) : NULL;
    const char *title = json_string_value(json_object_get(report, "title"));
    *page = (Bytes){0};
    if (to)
        put_page(to, title ? title : "glint explain", json);
    const bool made = to && fclose(to) == 0;
    free(json);
    page->data = (unsigned char *)text;
    if (made)
        return STATUS_OK;
    bytes_free(page);
    return fail(STATUS_DEVICE, "no memory for the page");
}
