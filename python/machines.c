/* machines.c: the devices that work runs on, opened at their first use.
 * Owns the table of open devices, which the GIL guards. */
#include "python/module.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINES = 64 };

static Machine machines[MACHINES];
static int machine_count, threads_wanted;

static void begin_again(void) {
    machine_count = 0;
    plans_forget();
}

void machines_begin(void) {
    pthread_atfork(NULL, NULL, begin_again);
}

void machines_set_threads(int threads) {
    threads_wanted = threads;
}

/* "cuda:1" is the backend cuda's device 1. */
static bool read_name(const char *asked, char backend[16], int *index) {
    const char *colon = strchr(asked, ':');
    const size_t length = colon ? (size_t)(colon - asked) : strlen(asked);
    char *end = NULL;
    *index = 0;
    if (length == 0 || length >= 16)
        return raise_usage("device \"%s\": want \"cpu\", \"cuda\", \"cuda:1\" or \"auto\"", asked);
    memcpy(backend, asked, length);
    backend[length] = '\0';
    if (!colon)
        return true;
    const long number = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end || number < 0 || number > 1023)
        return raise_usage("device \"%s\": want a number from 0 on behind the colon", asked);
    *index = (int)number;
    return true;
}

static Machine *find_open(const char *backend, int index, int threads) {
    for (int i = 0; i < machine_count; i++)
        if (machines[i].index == index && machines[i].threads == threads && strcmp(machines[i].backend, backend) == 0)
            return &machines[i];
    return NULL;
}

static bool open_one(const char *backend, int index, int threads, const Machine **machine) {
    GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
    GlintDevice *device;
    GlintError error;
    GlintStatus status;
    options.backend = backend;
    options.index = index;
    options.threads = threads;
    Py_BEGIN_ALLOW_THREADS;
    status = glint_open(&options, &device, &error);
    Py_END_ALLOW_THREADS;
    if (status) {
        raise_error(&error);
        return false;
    }
    *machine = find_open(backend, index, threads); /* another thread may have been here meanwhile */
    if (*machine || machine_count == MACHINES) {
        glint_close(device);
        return *machine || raise_usage("%d devices are open, want no more", MACHINES);
    }
    Machine *made = &machines[machine_count++];
    *made = (Machine){.index = index, .threads = threads, .device = device};
    strcpy(made->backend, backend);
    *machine = made;
    return true;
}

bool machine_find(const char *asked, int gpu, const Machine **machine) {
    char backend[16] = "cpu";
    int index = 0;
    if (asked && !read_name(asked, backend, &index))
        return false;
    if (gpu >= 0) {
        if (asked && (strcmp(backend, "cuda") != 0 || index != gpu))
            return raise_usage("device \"%s\": the pixels are on cuda:%d, where their filters run", asked, gpu);
        strcpy(backend, "cuda");
        index = gpu;
    }
    *machine = find_open(backend, index, threads_wanted);
    return *machine || open_one(backend, index, threads_wanted, machine);
}
