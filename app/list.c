/* list.c: glint list: every table of the program, as text. */
#include "app/command.h"
#include "app/tuning.h"
#include "core/backend.h"
#include "core/codec.h"
#include "core/filter.h"
#include "core/look.h"
#include "core/scenefile/formats.h"

#include <stdio.h>
#include <string.h>

static void print_with_params(const char *name, const char *help, ParamTable table) {
    printf("%-12s  %s\n", name, help);
    help_params(table, 14);
}

static void list_filters(void) {
    for (size_t i = 0; i < filter_count; i++)
        print_with_params(filters[i]->name, filters[i]->help, filters[i]->table);
}

static void list_levels(void) {
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t o = 0; o < op_count; o++) {
            const Level *level;
            if (ladder_count(backend_at(b), ops[o]) > 0)
                printf("%s %s\n", backend_at(b)->name, ops[o]->name);
            for (size_t i = 0; (level = ladder_level(backend_at(b), ops[o], i)); i++)
                printf("  %2zu %-12s %s\n", i, level->name, level->idea);
        }
}

static void list_borders(void) {
    for (int i = 0; i < border_count; i++)
        printf("%-9s %s%s%s\n", borders[i].name, borders[i].help, borders[i].alias ? "; also called " : "",
               borders[i].alias ? borders[i].alias : "");
}

static void list_device(const Backend *backend, int index) {
    Device *device = NULL;
    size_t available, total;
    char source[256];
    if (backend->open(index, 0, &device) != STATUS_OK) {
        printf("      %d: %s\n", index, status_message());
        return;
    }
    printf("      %d: %s; memory: ", index, device->name);
    if (backend->memory(device, &available, &total) == STATUS_OK)
        printf("%.1f of %.1f GiB free\n", (double)available / 0x1p30, (double)total / 0x1p30);
    else
        printf("%s\n", status_message());
    tuning_load(device);
    tuning_describe(device, source, sizeof source);
    printf("         best goes by: %s\n", source);
    device_close(&device);
}

static void list_backends(void) {
    for (size_t i = 0; i < backend_count(); i++) {
        const Backend *backend = backend_at(i);
        int count = 0;
        const bool works = backend->device_count(&count) == STATUS_OK;
        printf("%-5s %s%s%s\n", backend->name, backend->help, works ? "" : ": ", works ? "" : status_message());
        for (int k = 0; k < count; k++)
            list_device(backend, k);
    }
}

static void list_scenes(void) {
    for (size_t i = 0; i < scene_generator_count; i++)
        print_with_params(scene_generators[i]->name, scene_generators[i]->help, scene_generators[i]->table);
    printf("%-12s  %s\n", "FILE", "a scene file:");
    for (size_t i = 0; i < scene_format_count; i++)
        printf("              *.%-6s %s\n", scene_formats[i].name, scene_formats[i].help);
}

static void list_cameras(void) {
    for (size_t i = 0; i < camera_count; i++)
        print_with_params(cameras[i].name, cameras[i].help, cameras[i].table);
}

static void list_looks(void) {
    for (int i = 0; i < LOOKS; i++)
        printf("%-8s %s\n", looks[i].name, looks[i].help);
}

static void list_formats(void) {
    for (size_t i = 0; i < format_count; i++)
        printf("%-5s %-18s %s\n", formats[i].name, formats[i].extensions, formats[i].holds);
    for (size_t i = 0; i < scene_format_count; i++)
        printf("%-5s %-18s a scene: %s\n", scene_formats[i].name, scene_formats[i].name, scene_formats[i].help);
}

static void list_operations(void) {
    for (size_t i = 0; i < op_count; i++)
        printf("%-9s %s\n", ops[i]->name, ops[i]->help);
}

static const struct {
    const char *name;
    void (*list)(void);
} topics[] = {
    {"filters", list_filters},   {"levels", list_levels},   {"borders", list_borders},
    {"backends", list_backends}, {"scenes", list_scenes},   {"cameras", list_cameras},
    {"looks", list_looks},       {"formats", list_formats}, {"operations", list_operations},
};

Status list_command(int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < sizeof topics / sizeof topics[0]; i++)
        if (strcmp(argv[1], topics[i].name) == 0) {
            topics[i].list();
            return STATUS_OK;
        }
    const Command *list = command_by_name("list");
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0)) {
        printf("Usage: glint list %s\n", list->arguments);
        return STATUS_OK;
    }
    return fail(STATUS_USAGE, "list: want one of %s", list->arguments);
}
