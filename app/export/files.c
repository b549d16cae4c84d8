/* files.c: encoders' options, links and paths by the settings of exports. */
#include "app/export/files.h"

#include "app/file_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

SaveOptions export_save_options(const ExportSettings *settings) {
    const Format *format = export_format(settings);
    const OptionTable all = save_options_table(0);
    SaveOptions save = {0};
    for (size_t i = 0; i < format->options.count; i++)
        for (size_t k = 0; k < all.count; k++)
            if (strcmp(all.rows[k].name, format->options.rows[i].name) == 0)
                option_put(&all.rows[k], settings->options[i], &save);
    return save;
}

PixelType export_type_max(const ExportSettings *settings) {
    static const PixelType types[] = {PIXEL_F32, PIXEL_U8, PIXEL_U16};
    return types[(int)settings->bits];
}

PixelType export_type_min(const ExportSettings *settings) {
    const Shape deep = {1, 1, 3, PIXEL_U16};
    return export_type_max(settings) == PIXEL_U16 && format_writes(export_format(settings), deep) ? PIXEL_U16
                                                                                                  : PIXEL_U8;
}

bool export_strips(const ExportSettings *settings) {
    return settings->metadata > 0;
}

bool export_converts(const ExportSettings *settings) {
    return settings->colours > 0;
}

size_t export_links(const ExportSettings *settings, char buffer[static EXPORT_LINKS]) {
    size_t length = 0;
    buffer[0] = '\0';
    if (settings->longer > 0)
        length += (size_t)snprintf(buffer, EXPORT_LINKS, ",resize=long=%.0f", settings->longer);
    else if (settings->percent < 100 || settings->percent > 100)
        length += (size_t)snprintf(buffer, EXPORT_LINKS, ",resize=scale=%.6g", settings->percent / 100);
    if (settings->sharpen > 0)
        length += (size_t)snprintf(buffer + length, EXPORT_LINKS - length, ",sharpen=%.6g", settings->sharpen);
    return length;
}

/* ---- paths ---- */

/* The folder as a part of a template: its braces are doubled, and a relative folder lies in the picture's. */
static void write_folder(const char *folder, char to[static 2 * EXPORT_FOLDER + 16]) {
    const char *home = begins(folder, "~/") ? getenv("HOME") : NULL;
    size_t length = 0;
    const char *const parts[] = {home ? home : "", home ? folder + 1 : folder};
    if (folder[0] != '/' && !home)
        length = (size_t)snprintf(to, EXPORT_FOLDER, "{folder}%s", folder[0] ? "/" : "");
    for (size_t i = 0; i < 2; i++)
        for (const char *at = parts[i]; *at && length < 2 * (size_t)EXPORT_FOLDER; at++) {
            to[length++] = *at;
            if (*at == '{' || *at == '}')
                to[length++] = *at;
        }
    while (length > 1 && to[length - 1] == '/')
        length--;
    to[length] = '\0';
}

size_t export_template(const ExportSettings *settings, const char *folder, int number, char *buffer, size_t size) {
    char own[2 * EXPORT_FOLDER + 16], counted[16] = "";
    if (number > 0)
        snprintf(counted, sizeof counted, "-%d", number);
    write_folder(settings->folder, own);
    return (size_t)snprintf(buffer, size, "%s/%s%s.%s", folder ? folder : own, settings->name, counted,
                            export_format(settings)->name);
}

size_t export_path(const ExportSettings *settings, const char *picture, int number, char *buffer, size_t size) {
    char rule[EXPORT_TEMPLATE], *path = NULL, *here = NULL;
    (void)export_template(settings, NULL, number, rule, sizeof rule);
    const bool found = file_plan_output(rule, picture, &path) == STATUS_OK;
    const char *below = found && begins(path, "./") ? path + 2 : path;
    if (found && below[0] != '/')
        here = getcwd(NULL, 0);
    const size_t length =
        found ? (size_t)snprintf(buffer, size, "%s%s%s", here ? here : "", here ? "/" : "", below) : 0;
    if (!found)
        buffer[0] = '\0';
    free(here);
    free(path);
    return length;
}
