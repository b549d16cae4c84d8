/* device_list.c: lists of devices as users write them. */
#include "app/device_list.h"

#include <stdlib.h>
#include <string.h>

static bool is_all(const char *text) {
    return strcmp(text, "all") == 0;
}

Status device_list_check(const char *text) {
    bool good = is_all(text), seen[DEVICE_LIST_MAX] = {false};
    for (const char *at = text; !good; at++) {
        char *end;
        const long index = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        if (index < 0 || index >= DEVICE_LIST_MAX || seen[index] || (*end != ',' && *end != '\0'))
            break;
        seen[index] = true;
        good = *end == '\0';
        at = end;
    }
    return good ? STATUS_OK
                : fail(STATUS_USAGE, "--devices is \"%s\", want all, or numbers from 0 to %d, each once, as in 0,2",
                       text, DEVICE_LIST_MAX - 1);
}

int device_list_first(const char *text) {
    return atoi(text); /* "all": 0 */
}

Status device_list_numbers(const char *text, const Backend *backend, int numbers[DEVICE_LIST_MAX], int *count) {
    int devices = 0;
    *count = 0;
    if (is_all(text))
        TRY(backend->device_count(&devices));
    for (int i = 0; i < devices && i < DEVICE_LIST_MAX; i++)
        numbers[(*count)++] = i;
    for (const char *at = is_all(text) ? NULL : text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        numbers[(*count)++] = atoi(at);
    return STATUS_OK;
}
