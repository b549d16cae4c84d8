/* list.c: glint list: every table of the program, as text. */
#include "app/command.h"
#include "app/say.h"
#include "core/chain/filter.h"
#include "core/chain/preset.h"
#include "core/codec/codec.h"
#include "core/device/backend.h"
#include "core/device/device_codec.h"
#include "core/device/experiment.h"
#include "core/ops/ops.h"
#include "core/scene/files/formats.h"
#include "core/scene/generators/scenes.h"
#include "core/scene/look.h"
#include "core/scene/scene_parts.h"
#include "kernel/compile/compile.h"
#include "library/lists.h"
#include "library/tuning.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void print_with_params(const char *name, const char *help, ParamTable table) {
    printf("%-12s  %s\n", name, help);
    help_params(table, 14);
}

static Status list_filters(void) {
    for (int category = 0; category < FILTER_CATEGORIES; category++) {
        size_t shown = 0;
        for (size_t i = 0; i < filter_count; i++)
            if ((int)filters[i]->category == category) {
                const char *title = filter_categories[category];
                if (shown++ == 0)
                    printf("%s%c%s:\n", category > 0 ? "\n" : "", toupper((unsigned char)title[0]), title + 1);
                printf("%-13s %s\n", filters[i]->name, filters[i]->help);
            }
    }
    printf("\n`glint help FILTER` explains one and its parameters.\n");
    return STATUS_OK;
}

static Status list_presets(void) {
    Presets *presets;
    TRY(presets_load(&presets));
    for (size_t i = 0; i < presets->count; i++) {
        const Preset *preset = &presets->list[i];
        char name[80];
        snprintf(name, sizeof name, "@%s", preset->name);
        say(stdout, "%-18s %s%s", name, preset->help, preset->own ? " (your own)" : "");
        say(stdout, "%18s %s", "", preset->chain);
    }
    putchar('\n');
    say(stdout, "Your own: NAME: CHAIN  # SENTENCE in %s",
        presets->path ? presets->path : "~/.config/glint/chains.txt");
    presets_destroy(&presets);
    return STATUS_OK;
}

static Status list_levels(void) {
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t o = 0; o < op_count; o++) {
            const Level *level;
            if (ladder_count(backend_at(b), ops[o]) > 0)
                printf("%s %s\n", backend_at(b)->name, ops[o]->name);
            for (size_t i = 0; (level = ladder_level(backend_at(b), ops[o], i)); i++)
                printf("  %2zu %-12s %s\n", i, level->name, level->idea);
        }
    return STATUS_OK;
}

static Status list_borders(void) {
    for (int i = 0; i < border_count; i++)
        printf("%-9s %s%s%s\n", borders[i].name, borders[i].help, borders[i].alias ? "; also called " : "",
               borders[i].alias ? borders[i].alias : "");
    return STATUS_OK;
}

/* Prints the codec of a device. It opens the codec, since nothing else tells whether it works. */
static void list_codec(Device *device) {
    const DeviceCodec *codec = device->backend->codec;
    DeviceCoder *coder = NULL;
    char text[128];
    if (!codec)
        return;
    if (codec->open(device, false, &coder) == STATUS_OK)
        codec->describe(coder, text, sizeof text);
    else
        snprintf(text, sizeof text, "not here: %s", status_message());
    printf("         %s: %s\n", codec->format->name, text);
    codec->close(&coder);
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
    list_codec(device);
    device_close(&device);
}

static Status list_backends(void) {
    backends_prepare(FEW_CONNECTIONS); /* every device is opened, and does nothing */
    for (size_t i = 0; i < backend_count(); i++) {
        const Backend *backend = backend_at(i);
        int count = 0;
        const bool works = backend->device_count(&count) == STATUS_OK;
        printf("%-5s %s%s%s\n", backend->name, backend->help, works ? "" : ": ", works ? "" : status_message());
        for (int k = 0; k < count; k++)
            list_device(backend, k);
    }
    return STATUS_OK;
}

static Status list_scenes(void) {
    for (size_t i = 0; i < scene_generator_count; i++)
        print_with_params(scene_generators[i]->name, scene_generators[i]->help, scene_generators[i]->table);
    printf("%-12s  %s\n", "FILE", "a scene file:");
    for (size_t i = 0; i < scene_format_count; i++)
        printf("              *.%-6s %s\n", scene_formats[i]->name, scene_formats[i]->help);
    print_with_params("FILE:OPTIONS",
                      "of particles, as in run.dump:radius=mass:color=speed:range=0:4:", particle_options);
    puts("\nchanges behind a comma each, as in spheres,sun=altitude=20,sphere=7:red=1; all other values stay as they "
         "are:");
    for (size_t i = 0; i < scene_part_count; i++)
        print_with_params(scene_parts[i].name, scene_parts[i].help, scene_parts[i].table);
    return STATUS_OK;
}

static Status list_cameras(void) {
    for (size_t i = 0; i < camera_count; i++)
        print_with_params(cameras[i].name, cameras[i].help, cameras[i].table);
    return STATUS_OK;
}

static Status list_looks(void) {
    for (int i = 0; i < LOOKS; i++)
        printf("%-8s %s\n", looks[i].name, looks[i].help);
    printf("%-8s %s\n", "figure", "for glint trace: paths under an even white sky and a soft key light, on white");
    return STATUS_OK;
}

static Status list_formats(void) {
    for (size_t i = 0; i < format_count; i++) {
        char text[256];
        format_describe(formats[i], text, sizeof text);
        printf("%-5s %-18s %s\n", formats[i]->name, formats[i]->extensions, text);
    }
    for (size_t i = 0; i < scene_format_count; i++) {
        char names[64];
        snprintf(names, sizeof names, "%s%s", scene_formats[i]->name, scene_formats[i]->more);
        printf("%-5s %-18s a scene: %s\n", scene_formats[i]->name, names, scene_formats[i]->help);
    }
    return STATUS_OK;
}

static Status list_operations(void) {
    for (size_t i = 0; i < op_count; i++)
        printf("%-14s %s\n", ops[i]->name, ops[i]->help);
    return STATUS_OK;
}

static Status list_experiments(void) {
    for (size_t b = 0; b < backend_count(); b++) {
        const Experiments *all = backend_at(b)->experiments;
        for (size_t i = 0; all && i < all->count; i++)
            printf("%-5s %-11s %s\n", backend_at(b)->name, all->list[i]->name, all->list[i]->title);
    }
    return STATUS_OK;
}

/* A compiler that is found is asked for its version. */
static Status list_compilers(void) {
    for (size_t i = 0; i < kernel_compiler_count(); i++) {
        KernelCompilerInfo info;
        kernel_compiler_info(i, &info);
        printf("%-6s %s\n", info.name, info.help);
        say(stdout, "       %s: %s", info.found ? info.version : "not here", info.where);
    }
    return STATUS_OK;
}

static const struct {
    const char *name;
    Status (*list)(void);
} topics[] = {
    {"filters", list_filters},         {"presets", list_presets},
    {"levels", list_levels},           {"borders", list_borders},
    {"backends", list_backends},       {"scenes", list_scenes},
    {"cameras", list_cameras},         {"looks", list_looks},
    {"formats", list_formats},         {"operations", list_operations},
    {"experiments", list_experiments}, {"compilers", list_compilers},
};

static Status put(const char *topic) {
    json_t *record;
    TRY(lists_json(topic, &record));
    return json_put(stdout, record, JSON_INDENT(2) | JSON_REAL_PRECISION(15))
               ? STATUS_OK
               : fail(STATUS_DEVICE, "list: no memory for the JSON of the %s", topic);
}

Status list_command(int argc, char **argv) {
    const bool json = argc == 3 && strcmp(argv[2], "--json") == 0;
    for (size_t i = 0; (argc == 2 || json) && i < sizeof topics / sizeof topics[0]; i++)
        if (strcmp(argv[1], topics[i].name) == 0)
            return json ? put(topics[i].name) : topics[i].list();
    const Command *list = command_by_name("list");
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0)) {
        printf("Usage: glint list %s\n       glint list TOPIC --json\n", list->arguments);
        return STATUS_OK;
    }
    return fail(STATUS_USAGE, "list: want one of %s", list->arguments);
}
