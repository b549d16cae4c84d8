/* settings.h: how pictures are exported: format, size, data besides pixels, and where files go.
 * Owns the tables of these settings, their text, and the paths of exported files. The window's panel, presets of
 * exports (app/export/presets.h) and glint batch --export share them. */
#ifndef GLINT_APP_EXPORT_SETTINGS_H
#define GLINT_APP_EXPORT_SETTINGS_H

#include "core/param/param.h"

#define EXPORT_OWN "." /* a folder's name that stands for the picture's own */
enum { EXPORT_NAME = 512, EXPORT_FOLDER = 1024, EXPORT_TEXT = 4096, EXPORT_OPTIONS = 16 /* of a format, at most */ };

/* Plain values: a struct is copied by assignment. */
typedef struct ExportSettings {
    /* By the rows of export_table(). */
    double format;                  /* its place among the formats that can be written */
    double bits;                    /* 0: as the result has; 1: at most 8; 2: at most 16 */
    double longer;                  /* pixels of the longer side at most; 0: any */
    double percent;                 /* of the result's sides */
    double sharpen;                 /* behind that */
    double metadata;                /* 0: kept; 1: none but the profile */
    double colours;                 /* 0: as they are, with their profile; 1: sRGB */
    double options[EXPORT_OPTIONS]; /* by the rows of export_options_table() */
    char folder[EXPORT_FOLDER];     /* "": the picture's own; a relative one lies in there; "~/" is the home folder */
    char name[EXPORT_NAME];         /* in the folder, without extension: "{stem}" is the picture's, "{{" a brace */
} ExportSettings;

/* The rows above; the formats are those of this build. */
ParamTable export_table(void);
const struct Format *export_format(const ExportSettings *settings);
/* The chosen format's own options, as rows for `options`. The rows are good until the next call; the thread
 * that reads commands and draws panels alone calls it. */
ParamTable export_options_table(const ExportSettings *settings);
ExportSettings export_defaults(void);
bool export_settings_same(const ExportSettings *a, const ExportSettings *b);

/* Further settings that a text may have, or a zeroed one. */
typedef struct ExportExtras {
    ParamTable table;
    void *values;
} ExportExtras;

/* Sets by assignments, as in "format=jpg:quality=90:long=2048:folder=~/web:name={stem}-web". A format comes before its
 * own options. A folder ends before ":name=" alone, and a name with the text. STATUS_USAGE, and settings are then
 * changed in part. */
Status export_settings_take(ExportSettings *settings, ExportExtras extras, const char *text);
/* Writes the settings as that takes them; the length as snprintf does. */
size_t export_settings_text(const ExportSettings *settings, char *buffer, size_t size);

#endif
