/* files.h: files by the settings of exports: how they are encoded, the links that their chains end with, their paths.
 */
#ifndef GLINT_APP_EXPORT_FILES_H
#define GLINT_APP_EXPORT_FILES_H

#include "app/export/settings.h"
#include "core/codec/format.h"

enum { EXPORT_LINKS = 128, EXPORT_TEMPLATE = EXPORT_NAME + 2 * EXPORT_FOLDER + 64 };

SaveOptions export_save_options(const ExportSettings *settings);
PixelType export_type_max(const ExportSettings *settings); /* values of more bits are narrowed */
PixelType export_type_min(const ExportSettings *settings); /* those of fewer widened, where the format holds more */
bool export_strips(const ExportSettings *settings);        /* metadata is left out */
bool export_converts(const ExportSettings *settings);      /* colours become sRGB's */
/* Writes the links behind a picture's chain, ",resize=long=2048,sharpen=0.5", or ""; the length. */
size_t export_links(const ExportSettings *settings, char buffer[static EXPORT_LINKS]);
/* The template of files as glint batch -o takes it: "{folder}/{stem}-web.jpg"; with "-2" behind the name for a `number`
 * of 2, none for 0. Without a folder of theirs, files go to `folder`, a template, or to that of the picture if it is
 * NULL. The length as snprintf does. */
size_t export_template(const ExportSettings *settings, const char *folder, int number, char *buffer, size_t size);
/* Writes the whole path of the file that a picture becomes; the length as snprintf does, 0 if memory is short. */
size_t export_path(const ExportSettings *settings, const char *picture, int number, char *buffer, size_t size);

#endif
