/* scene.c: traces spheres that the program has as arrays: scene OUTPUT-FILE */
#include <glint.h>

#include <math.h>
#include <stdio.h>

enum { COUNT = 200, SIDE = 256 };

/* Called between steps: returning 1 would end the trace early. */
static int show(void *context, double share) {
    *(double *)context = share;
    return 0;
}

int main(int argc, char **argv) {
    static float places[COUNT][3], radii[COUNT], colours[COUNT][3];
    static uint32_t finish[COUNT];
    static const char *const materials[] = {"metal", "material=diffuse:diffuse=1"};
    double share = 0;
    GlintError error;
    GlintDevice *device;
    GlintScene *scene;
    GlintImage *image;
    GlintPixels pixels;

    /* A helix, every tenth sphere of metal. */
    for (int i = 0; i < COUNT; i++) {
        const float turn = 0.3f * (float)i;
        places[i][0] = 10 * cosf(turn);
        places[i][1] = 0.2f * (float)(i - COUNT / 2);
        places[i][2] = 10 * sinf(turn);
        radii[i] = 1.5f;
        colours[i][0] = 0.9f;
        colours[i][1] = (float)i / COUNT;
        colours[i][2] = 0.3f;
        finish[i] = i % 10 == 0 ? 1 : 0; /* the first of `materials`, or plain */
    }

    GlintSpheres spheres = GLINT_SPHERES;
    spheres.count = COUNT;
    spheres.xyz = &places[0][0];
    spheres.radius = radii;
    spheres.colour = &colours[0][0];
    spheres.material = finish;
    spheres.materials = materials;
    spheres.material_count = 2;
    spheres.changes = "sun=altitude=50";

    GlintTraceOptions options = GLINT_TRACE_OPTIONS;
    options.width = options.height = SIDE;
    options.look = "whitted";
    options.progress = show;
    options.context = &share;

    const GlintShape shape = {SIDE, SIDE, 3, GLINT_U8};
    if (glint_open(NULL, &device, &error) || glint_spheres(&spheres, &scene, &error) ||
        glint_image(&shape, NULL, &image, &error) || glint_image_pixels(image, 0, NULL, &pixels, &error) ||
        glint_trace(device, scene, &options, &pixels, &error) ||
        glint_write(image, argc > 1 ? argv[1] : "scene.png", NULL, &error)) {
        fprintf(stderr, "scene: %s\n", error.sentence);
        return error.status;
    }
    printf("%d spheres, %.0f %%\n", COUNT, 100 * share);
    glint_image_free(image);
    glint_scene_free(scene);
    glint_close(device);
    return 0;
}
