/* tuning.h: the files in which `glint tune` keeps its measurements, and their search.
 * Owns the files below $XDG_CACHE_HOME/glint, one a device. A file counts only if it is whole, and about this device,
 * its driver and this version of the program. */
#ifndef GLINT_LIBRARY_TUNING_H
#define GLINT_LIBRARY_TUNING_H

#include "core/device/tuned.h"

#include <jansson.h>

/* The device's file. STATUS_DEVICE if neither XDG_CACHE_HOME nor HOME is an absolute path. Free *path with free. */
Status tuning_path(const Device *device, char **path);
/* Gives the device the table that is kept for it; a file that is not there, damaged or about something else leaves it
 * without. */
void tuning_load(Device *device);
/* The table as JSON, as tuning_load reads it; NULL without memory. */
json_t *tuning_json(const Device *device, const Tuned *tuned);
/* Reads the table. STATUS_INPUT, with the fault, if it is damaged; *tuned is then NULL. */
Status tuning_parse(const Device *device, const char *text, size_t size, Tuned **tuned);
/* Keeps the table, in place of the one before. STATUS_DEVICE if it cannot be written. */
Status tuning_save(const Device *device, const Tuned *tuned);
/* The source of `best`'s choice on this device: "tuned on 2026-01-31", "predictions of NVIDIA H200", "order of the
 * ladder". */
void tuning_describe(const Device *device, char *text, size_t size);

#endif
