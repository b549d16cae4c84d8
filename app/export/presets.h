/* presets.h: settings of exports under names, in $XDG_CONFIG_HOME/glint/exports.txt or
 * ~/.config/glint/exports.txt. Owns the format: a line is "NAME: SETTINGS", the settings as export_settings_take has
 * them; '#' begins lines that are comments. Lines of other presets stay as they are when one is saved or removed. */
#ifndef GLINT_APP_EXPORT_PRESETS_H
#define GLINT_APP_EXPORT_PRESETS_H

#include "app/export/settings.h"

typedef struct ExportPreset {
    const char *name, *settings;
} ExportPreset;

typedef struct ExportPresets {
    ExportPreset *list;
    size_t count;
    char *text; /* that the strings are parts of */
} ExportPresets;

/* Reads the file; no file is no preset. STATUS_USAGE: "FILE:LINE: want NAME: SETTINGS"; STATUS_INPUT if it cannot be
 * read; STATUS_DEVICE if memory is short. */
Status export_presets_load(ExportPresets *presets);
void export_presets_free(ExportPresets *presets);
/* The settings of that name, or NULL. */
const char *export_presets_find(const ExportPresets *presets, const char *name);
/* Reads the settings of that name; those that its line leaves out get their defaults. STATUS_USAGE without a preset of
 * the name; fails as export_presets_load and export_settings_take do, with nothing changed. */
Status export_presets_settings(const char *name, ExportSettings *settings);
/* Saves settings in the place of those that have the name, or behind all others. STATUS_USAGE for a name with other
 * characters than letters, digits, '-' and '_', and for a file as above; STATUS_DEVICE if it cannot be written. */
Status export_presets_save(const char *name, const char *settings);
/* STATUS_USAGE if there is none of the name; else fails as export_presets_save. */
Status export_presets_remove(const char *name);

#endif
