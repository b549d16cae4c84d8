/* make_assets.c: makes the project's pictures and scenes again: make_assets FOLDER [NAME...]. */
#include "core/codec/codec.h"
#include "core/codec/save.h"
#include "core/scene/files/glint.h"
#include "core/scene/scene.h"
#include "tools/assets/assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATHS_A_PIXEL = 320 };

typedef struct Picture {
    const char *file;
    Status (*make)(int quality, Image **picture);
    int quality; /* JPEG */
} Picture;

static const Picture pictures[] = {
    {"photo.jpg", asset_photo, 95}, {"chart.png", asset_chart, 0},   {"zoneplate.png", asset_zoneplate, 0},
    {"spark.png", asset_spark, 0},  {"ramp16.png", asset_ramp16, 0}, {"sky.hdr", asset_sky, 0},
};

static const struct {
    const char *file;
    Status (*make)(Scene **scene);
} scenes[] = {
    {"scenes/course.scene", asset_course},
    {"scenes/flower.scene", asset_flower},
    {"scenes/marbles.scene", asset_marbles},
    {"scenes/globes.scene", asset_globes},
};

static const struct {
    const char *file;
    void (*make)(FILE *file);
} molecules[] = {
    {"scenes/water.xyz", asset_water},
    {"scenes/c60.xyz", asset_c60},
};

static const OutputRules rules = {.writer = "FOLDER", .overwrite = true};

static Status save(const char *path, Bytes bytes) {
    Output *output = NULL;
    TRY(output_claim(path, rules, &output));
    Status status = output_append(output, bytes);
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    output_destroy(&output);
    return status;
}

static Status make_picture(const Picture *picture, const char *path) {
    Image *image = NULL;
    TRY(picture->make(PATHS_A_PIXEL, &image));
    const Status status = output_save_picture(path, rules, image, save_with("quality", picture->quality));
    image_destroy(&image);
    return status;
}

static Status make_scene(Status (*make)(Scene **scene), const char *path) {
    Scene *scene = NULL;
    TRY(make(&scene));
    const size_t size = scene_format(scene, NULL, 0) + 1;
    Bytes text = {malloc(size), size - 1};
    Status status = fail(STATUS_DEVICE, "no memory for a scene");
    if (text.data) {
        scene_format(scene, (char *)text.data, size);
        status = save(path, text);
    }
    free(text.data);
    scene_destroy(&scene);
    return status;
}

static Status make_molecule(void (*make)(FILE *file), const char *path) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return fail(STATUS_DEVICE, "no memory for a molecule");
    make(file);
    const Status status = fclose(file) == 0 ? save(path, (Bytes){(unsigned char *)text, size})
                                            : fail(STATUS_DEVICE, "no memory for a molecule");
    free(text);
    return status;
}

static bool wanted(const char *file, int count, char **names) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], file) == 0)
            return true;
    return count == 0;
}

static Status make_all(const char *folder, int count, char **names) {
    char path[4096];
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (wanted(pictures[i].file, count, names)) {
            snprintf(path, sizeof path, "%s/%s", folder, pictures[i].file);
            TRY(make_picture(&pictures[i], path));
            puts(path);
        }
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (wanted(scenes[i].file, count, names)) {
            snprintf(path, sizeof path, "%s/%s", folder, scenes[i].file);
            TRY(make_scene(scenes[i].make, path));
            puts(path);
        }
    for (size_t i = 0; i < sizeof molecules / sizeof molecules[0]; i++)
        if (wanted(molecules[i].file, count, names)) {
            snprintf(path, sizeof path, "%s/%s", folder, molecules[i].file);
            TRY(make_molecule(molecules[i].make, path));
            puts(path);
        }
    return STATUS_OK;
}

int main(int count, char **arguments) {
    const Status status = count > 1 ? make_all(arguments[1], count - 2, arguments + 2)
                                    : fail(STATUS_USAGE, "usage: make_assets FOLDER [NAME...]");
    if (status != STATUS_OK)
        fprintf(stderr, "make_assets: %s\n", status_message());
    return (int)status;
}
