/* backend.c: the registry of backends. */
#include "core/device/backend.h"

#include <stdio.h>
#include <string.h>

/* The backends that the program registers when it starts; nothing changes them afterwards. */
static const Backend *registered[BACKENDS_MAX];
static size_t registered_count;
static struct { const char *name, *why; } absent[BACKENDS_MAX];
static size_t absent_count;

size_t backend_count(void) {
    return registered_count;
}
const Backend *backend_at(size_t index) {
    return registered[index];
}

const Backend *backend_by_name(const char *name) {
    for (size_t i = 0; i < registered_count; i++)
        if (strcmp(registered[i]->name, name) == 0)
            return registered[i];
    return NULL;
}

Status backend_register(const Backend *backend) {
    if (backend_by_name(backend->name) || strcmp(backend->name, "auto") == 0)
        return fail(STATUS_USAGE, "backend %s: there is one of that name", backend->name);
    if (registered_count == BACKENDS_MAX)
        return fail(STATUS_USAGE, "backend %s: no more than %d can be registered", backend->name, BACKENDS_MAX);
    registered[registered_count++] = backend;
    return STATUS_OK;
}

void backend_note_absent(const char *name, const char *why) {
    if (absent_count == BACKENDS_MAX)
        return;
    absent[absent_count].name = name;
    absent[absent_count++].why = why;
}

size_t backend_names(char *buffer, size_t size) {
    size_t length = (size_t)snprintf(buffer, size, "auto");
    const size_t count = registered_count + absent_count;
    for (size_t i = 0; i < count; i++) {
        const size_t at = length < size ? length : size;
        length += (size_t)snprintf(buffer + at, size - at, "%s%s", i + 1 < count ? ", " : " or ",
                                   i < registered_count ? registered[i]->name : absent[i - registered_count].name);
    }
    return length;
}

const Telemetry *backend_telemetry(const Backend *backend) {
    static const Telemetry none;
    return backend->telemetry ? backend->telemetry : &none;
}

/* A line of the list of those that "auto" passed over. */
static void pass_over(char *lines, size_t size, const char *name, const char *why) {
    const size_t length = strlen(lines);
    snprintf(lines + length, size - length, "%s%s: %s", length > 0 ? "\n" : "", name, why);
}

static Status open_best(int index, int threads, Device **device, char *lines, size_t size) {
    for (size_t i = absent_count; i-- > 0;)
        pass_over(lines, size, absent[i].name, absent[i].why);
    for (size_t i = registered_count; i-- > 0;) {
        const Backend *backend = registered[i];
        if (backend->timeless)
            continue;
        const Status status = backend->open(backend->host_frames ? 0 : index, threads, device);
        if (status != STATUS_DEVICE)
            return status;
        pass_over(lines, size, backend->name, status_message());
    }
    return fail(STATUS_DEVICE, "no backend works here: %s", lines[0] ? lines : "none is registered");
}

void backends_prepare(int connections) {
    for (size_t i = 0; i < registered_count; i++)
        if (registered[i]->prepare)
            registered[i]->prepare(connections);
}

Status backend_open(const char *name, int index, int threads, Device **device, const char **passed_over) {
    static _Thread_local char lines[1024];
    char names[256];
    *device = NULL;
    *passed_over = NULL;
    lines[0] = '\0';
    if (strcmp(name, "auto") == 0) {
        TRY(open_best(index, threads, device, lines, sizeof lines));
        *passed_over = lines[0] ? lines : NULL;
        return STATUS_OK;
    }
    const Backend *backend = backend_by_name(name);
    if (backend)
        return backend->open(index, threads, device);
    for (size_t i = 0; i < absent_count; i++)
        if (strcmp(absent[i].name, name) == 0)
            return fail(STATUS_DEVICE, "backend %s: %s", name, absent[i].why);
    backend_names(names, sizeof names);
    return fail(STATUS_USAGE, "backend \"%s\": want %s", name, names);
}
