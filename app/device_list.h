/* device_list.h: the devices of --devices. */
#ifndef GLINT_APP_DEVICE_LIST_H
#define GLINT_APP_DEVICE_LIST_H

#include "core/device/backend.h"

enum { DEVICE_LIST_MAX = 64 };

/* Whether the text is "all", or numbers, each once, as in "0,2". STATUS_USAGE if it is neither. */
Status device_list_check(const char *text);
/* The number of the first; that of "all" is 0. */
int device_list_first(const char *text);
/* The numbers of a list that was checked, for devices of this backend; returns how many they are. Fails as
 * Backend.device_count. */
Status device_list_numbers(const char *text, const Backend *backend, int numbers[DEVICE_LIST_MAX], int *count);

#endif
