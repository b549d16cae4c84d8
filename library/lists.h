/* lists.h: the tables of filters, levels, scenes and so on as JSON, for glint_list and `glint list`. */
#ifndef GLINT_LIBRARY_LISTS_H
#define GLINT_LIBRARY_LISTS_H

#include "core/base/status.h"

#include <jansson.h>

/* {"glint": TOPIC, TOPIC: [...]}. STATUS_USAGE for a topic that has no JSON, with those that have. STATUS_DEVICE
 * without memory; presets fail as presets_load does. */
Status lists_json(const char *topic, json_t **record);

#endif
