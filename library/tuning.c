/* tuning.c: measured tables as files. */
#include "library/tuning.h"

#include "core/base/file.h"
#include "core/base/output.h"
#include "core/ops/ops.h"
#include "library/json.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 4 << 20 }; /* bytes; a table for a device has a hundredth of that */

/* The folder for files that programs may lose; NULL: there is none. */
static char *cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder = NULL;
    int length = -1;
    if (cache && cache[0] == '/') /* the specification has relative paths ignored */
        length = asprintf(&folder, "%s/glint", cache);
    else if (home && home[0] == '/')
        length = asprintf(&folder, "%s/.cache/glint", home);
    return length < 0 ? NULL : folder;
}

Status tuning_path(const Device *device, char **path) {
    char name[sizeof device->id], *folder = cache_folder();
    *path = NULL;
    if (!folder)
        return fail(STATUS_DEVICE, "tune: no folder for measurements: XDG_CACHE_HOME and HOME are no absolute paths");
    snprintf(name, sizeof name, "%s", device->id);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '-';
    const int length = asprintf(path, "%s/%s-%s.json", folder, device->backend->name, name);
    free(folder);
    if (length >= 0)
        return STATUS_OK;
    *path = NULL;
    return fail(STATUS_DEVICE, "no memory for a path");
}

static Status wrong(const char *what) {
    return fail(STATUS_INPUT, "a table of times: %s", what);
}

/* Whether the text under this key is that one. */
static bool says(const json_t *object, const char *key, const char *text) {
    const char *found = json_string_value(json_object_get(object, key));
    return found && strcmp(found, text) == 0;
}

static Status parse_point(const Device *device, const json_t *entry, TunedPoint *point) {
    const char *op = json_string_value(json_object_get(entry, "op"));
    const char *kind = json_string_value(json_object_get(entry, "kind"));
    const json_t *axes = json_object_get(entry, "axes"), *value;
    json_t *times = json_object_get(entry, "ms");
    const char *name;
    *point = (TunedPoint){.op = op ? op_by_name(op) : NULL};
    if (!point->op || !kind || strlen(kind) >= sizeof point->features.kind || json_array_size(axes) != FEATURE_AXES ||
        json_object_size(times) > TUNED_LEVELS)
        return wrong("a point is damaged");
    memcpy(point->features.kind, kind, strlen(kind) + 1);
    for (size_t i = 0; i < FEATURE_AXES; i++) {
        if (!json_is_number(json_array_get(axes, i)))
            return wrong("a point is damaged");
        point->features.axes[i] = json_number_value(json_array_get(axes, i));
    }
    json_object_foreach(times, name, value) point->times[point->count++] =
        (TunedTime){level_by_name(device->backend, point->op, name), json_number_value(value)};
    return STATUS_OK;
}

static Status parse_points(const Device *device, const json_t *points, Tuned *tuned) {
    TunedPoint point;
    for (size_t i = 0; i < json_array_size(points); i++) {
        TRY(parse_point(device, json_array_get(points, i), &point));
        TRY(tuned_add(tuned, &point));
    }
    return tuned->count > 0 ? STATUS_OK : wrong("there is nothing in it");
}

Status tuning_parse(const Device *device, const char *text, size_t size, Tuned **tuned) {
    json_error_t error;
    *tuned = NULL;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    const char *date = json_string_value(json_object_get(root, "date"));
    Status status = STATUS_OK;
    if (!root)
        status = wrong(error.text);
    else if (!says(root, "glint", "tune") || !date || !date[0] || date[strspn(date, "0123456789-")] != '\0')
        status = wrong("it is something else");
    else if (!says(root, "version", GLINT_VERSION) || !says(root, "backend", device->backend->name) ||
             !says(root, "device", device->id) || !says(root, "driver", device->driver))
        status = wrong("it is about another version, device or driver");
    if (status == STATUS_OK)
        status = tuned_create(date, tuned);
    if (status == STATUS_OK)
        status = parse_points(device, json_object_get(root, "points"), *tuned);
    if (status != STATUS_OK)
        tuned_destroy(tuned);
    json_decref(root);
    return status;
}

/* A regular file of a sensible size; NULL for all else. It is no input of the command: core/base/ledger.h need not
 * know. */
static char *read_whole(const char *path, size_t *size) {
    struct stat facts;
    char *text = NULL;
    *size = 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return NULL;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0 && facts.st_size <= FILE_MAX)
        text = malloc((size_t)facts.st_size);
    while (text && *size < (size_t)facts.st_size) {
        const ssize_t got = read(file, text + *size, (size_t)facts.st_size - *size);
        if (got <= 0)
            break;
        *size += (size_t)got;
    }
    close(file);
    return text;
}

void tuning_load(Device *device) {
    char *path = NULL;
    size_t size = 0;
    tuned_destroy(&device->tuned);
    char *text = tuning_path(device, &path) == STATUS_OK ? read_whole(path, &size) : NULL;
    if (text)
        (void)tuning_parse(device, text, size, &device->tuned);
    free(text);
    free(path);
}

static json_t *point_json(const TunedPoint *point) {
    json_t *times = json_object();
    for (size_t i = 0; i < point->count; i++)
        json_object_set_new(times, point->times[i].level->name, json_real(point->times[i].ms));
    return json_pack("{s:s, s:s, s:[f,f], s:o}", "op", point->op->name, "kind", point->features.kind, "axes",
                     point->features.axes[0], point->features.axes[1], "ms", times);
}

json_t *tuning_json(const Device *device, const Tuned *tuned) {
    json_t *points = json_array();
    for (size_t i = 0; i < tuned->count; i++)
        if (json_array_append_new(points, point_json(&tuned->points[i])) != 0) {
            json_decref(points);
            return NULL;
        }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "glint", "tune", "version", GLINT_VERSION, "backend",
                     device->backend->name, "device", device->id, "driver", device->driver, "date", tuned->date,
                     "points", points);
}

static Status write_table(const char *path, json_t *table) {
    Output *output;
    FILE *file;
    TRY(output_claim(path, (OutputRules){.writer = "tune", .overwrite = true, .replaces_links = true}, &output));
    Status status = output_stream(output, &file);
    if (status == STATUS_OK && !json_put(file, json_incref(table), JSON_COMPACT))
        status = fail(STATUS_DEVICE, "no memory for the table of times");
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    output_destroy(&output);
    return status;
}

Status tuning_save(const Device *device, const Tuned *tuned) {
    char *path;
    TRY(tuning_path(device, &path));
    json_t *table = tuning_json(device, tuned);
    Status status =
        table ? place_make_folders(NULL, path, 0700) : fail(STATUS_DEVICE, "no memory for the table of times");
    if (status == STATUS_OK)
        status = write_table(path, table);
    json_decref(table);
    free(path);
    return status;
}

void tuning_describe(const Device *device, char *text, size_t size) {
    const Backend *backend = device->backend;
    const char *from = NULL;
    size_t length = 0;
    if (device->tuned) {
        snprintf(text, size, "tuned on %s", device->tuned->date);
        return;
    }
    snprintf(text, size, "order of the ladder");
    for (size_t i = 0; i < backend->level_count && length < size; i++) {
        const Predictor *predictor = backend->levels[i]->predictor;
        if (!predictor || (from && strcmp(from, predictor->device) == 0))
            continue;
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", from ? ", " : "predictions of ", predictor->device);
        from = predictor->device;
    }
}
