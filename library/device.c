/* device.c: devices, and lists of all that glint knows. */
#include "library/filter.h"
#include "library/json.h"
#include "library/lists.h"
#include "library/tuning.h"

#include <stdlib.h>

Entered library_enter(const GlintDevice *device) {
    const Guests *guests = device->device->backend->guests;
    const bool enters = guests && guests->enter;
    return (Entered){enters ? guests : NULL, enters ? guests->enter(device->device) : -1};
}

void library_leave(Entered entered) {
    if (entered.guests)
        entered.guests->leave(entered.before);
}

static Status open_device(const GlintDeviceOptions *theirs, GlintDevice **device) {
    GlintDeviceOptions options = GLINT_DEVICE_OPTIONS;
    const char *passed_over;
    TRY(library_given("glint_open", "device", device));
    *device = NULL;
    TRY(library_take("device options", theirs, &options));
    TRY(library_begin());
    GlintDevice *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a device");
    *made = (GlintDevice){.life = library_life(), .index = options.index};
    Status status = backend_open(options.backend ? options.backend : "auto", options.index, options.threads,
                                 &made->device, &passed_over);
    if (status == STATUS_OK) {
        tuning_load(made->device);
        status = kept_open(made, &made->kept);
    }
    if (status == STATUS_OK)
        *device = made;
    else
        glint_close(made);
    return status;
}

GlintStatus glint_open(const GlintDeviceOptions *options, GlintDevice **device, GlintError *error) {
    return library_settle(open_device(options, device), error);
}

/* A forked process loses its parent's device: threads and drivers are the parent's. */
void glint_close(GlintDevice *device) {
    if (!device || device->life != library_life())
        return;
    if (device->device) {
        const Entered entered = library_enter(device);
        kept_close(&device->kept);
        device_close(&device->device);
        library_leave(entered);
    }
    free(device);
}

static Status describe(GlintDevice *device, char **json) {
    size_t available = 0, total = 0;
    char best[256];
    TRY(library_given("glint_describe_device", "json", json));
    *json = NULL;
    TRY(library_alive("device", device, device ? device->life : 0));
    Device *core = device->device;
    const Entered entered = library_enter(device);
    const bool known = core->backend->memory(core, &available, &total) == STATUS_OK;
    library_leave(entered);
    tuning_describe(core, best, sizeof best);
    return library_json(json_pack("{s:s, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "backend", core->backend->name,
                                  "name", json_text(core->name), "index", device->index, "threads", core->threads, "id",
                                  json_text(core->id), "driver", json_text(core->driver), "memory_total",
                                  known ? json_integer((json_int_t)total) : json_null(), "memory_free",
                                  known ? json_integer((json_int_t)available) : json_null(), "best", json_text(best)),
                        json);
}

GlintStatus glint_describe_device(GlintDevice *device, char **json, GlintError *error) {
    return library_settle(describe(device, json), error);
}

static Status list(const char *topic, char **json) {
    json_t *record;
    TRY(library_given("glint_list", "json", json));
    *json = NULL;
    TRY(library_given("glint_list", "topic", topic));
    TRY(library_begin());
    TRY(lists_json(topic, &record));
    return library_json(record, json);
}

GlintStatus glint_list(const char *topic, char **json, GlintError *error) {
    return library_settle(list(topic, json), error);
}
