/* scenes.c: the scenes that come with the project. */
#include "tools/assets/assets.h"
#include "tools/assets/vec.h"

#include <stdlib.h>

Status asset_course(Scene **scene) {
    return scene_open("spheres", scene);
}

/* To hundredths: short to write. */
static float rounded(float value) {
    return roundf(value * 100) / 100;
}

static Sphere bead(float r, float turn, float z, float radius, Vec colour) {
    return (Sphere){rounded(r * cosf(turn)), rounded(r * sinf(turn)), rounded(z),       rounded(radius),
                    rounded(colour.x),       rounded(colour.y),       rounded(colour.z)};
}

/* Seeds on a sunflower's spiral (Vogel 1979), petals around them. */
Status asset_flower(Scene **scene) {
    enum { SEEDS = 420, PETALS = 21, BEADS = 32 };
    const float golden = 2.3999632f;
    TRY(scene_open("spheres=1", scene));
    Sphere *spheres = realloc((*scene)->spheres, (SEEDS + PETALS * BEADS * 2) * sizeof *spheres);
    if (!spheres) {
        scene_destroy(scene);
        return fail(STATUS_DEVICE, "flower: no memory");
    }
    size_t count = 0;
    for (int i = 0; i < SEEDS; i++) {
        const float t = (float)i / SEEDS, r = 205 * sqrtf(t), turn = golden * (float)i;
        const Vec colour = mix(vec(0.62f, 0.80f, 0.22f), vec(0.50f, 0.20f, 0.05f), smooth(0.05f, 0.9f, sqrtf(t)));
        spheres[count++] = bead(r, turn, 120 * (1 - t), 6.5f + 6.5f * sqrtf(t), colour);
    }
    for (int ring = 0; ring < 2; ring++)
        for (int p = 0; p < PETALS; p++) {
            const float turn = 2 * PI * ((float)p + 0.5f * (float)ring) / PETALS;
            for (int b = 0; b < BEADS; b++) {
                const float t = (float)b / (BEADS - 1), r = 205 + (ring ? 255 : 205) * t;
                const float radius = 3 + 27 * sqrtf(fmaxf(sinf(PI * (0.12f + 0.86f * t)), 0));
                const Vec colour = mix(vec(0.93f, 0.36f, 0.02f), vec(1.0f, 0.84f, 0.16f), t * (ring ? 0.75f : 1.0f));
                spheres[count++] =
                    bead(r, turn + 0.06f * t, -40 - 90 * (float)ring + 55 * sinf(PI * t), radius, colour);
            }
        }
    **scene = (Scene){spheres, count};
    return STATUS_OK;
}
