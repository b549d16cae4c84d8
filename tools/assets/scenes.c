/* scenes.c: the scenes that come with the project. */
#include "core/scene/scene_open.h"
#include "tools/assets/assets.h"
#include "tools/assets/vec.h"

#include <string.h>

Status asset_course(Scene **scene) {
    return scene_open("spheres", scene);
}

/* To hundredths: short to write. */
static float rounded(float value) {
    return roundf(value * 100) / 100;
}

static Sphere bead(float r, float turn, float z, float radius, Vec colour) {
    return (Sphere){rounded(r * cosf(turn)), rounded(r * sinf(turn)), rounded(z),        rounded(radius),
                    rounded(colour.x),       rounded(colour.y),       rounded(colour.z), 0};
}

/* Seeds on a sunflower's spiral (Vogel 1979), petals around them. */
Status asset_flower(Scene **scene) {
    enum { SEEDS = 420, PETALS = 21, BEADS = 32 };
    const float golden = 2.3999632f;
    TRY(scene_create("flower", SEEDS + PETALS * BEADS * 2, scene));
    Sphere *spheres = (*scene)->spheres;
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
    return STATUS_OK;
}

/* A flower of marbles on a chequered table: a ring of glass around a lamp, a ring of metal, and a ring of clay. */
Status asset_marbles(Scene **scene) {
    enum { RINGS = 3 };
    static const struct {
        int count;
        float radius; /* of the ring */
        Material material;
    } rings[RINGS] = {
        {6,
         2,
         {.kind = MATERIAL_GLASS, .specular = 1, .phong_exponent = 400, .refraction = 1.5f, .transmittance = 0.95f}},
        {12, 4, {.kind = MATERIAL_METAL, .diffuse = 0.1f, .specular = 0.85f, .phong_exponent = 400, .refraction = 1}},
        {18, 6, {.kind = MATERIAL_DIFFUSE, .diffuse = 0.8f, .specular = 0.3f, .phong_exponent = 60, .refraction = 1}},
    };
    const Material lamp = {.kind = MATERIAL_LIGHT, .refraction = 1, .emission = 3};
    uint32_t material;
    TRY(scene_create("marbles", 0, scene));
    Scene *made = *scene;
    TRY(scene_add_material(made, lamp, &material));
    TRY(scene_add_sphere(made, (Sphere){0, 0.9f, 0, 0.9f, 1, 0.9f, 0.7f, material}));
    for (int r = 0; r < RINGS; r++) {
        TRY(scene_add_material(made, rings[r].material, &material));
        for (int i = 0; i < rings[r].count; i++) {
            const float turn = 2 * PI * (float)i / (float)rings[r].count;
            const Vec colour = mix(vec(0.95f, 0.85f, 0.30f), vec(0.85f, 0.15f, 0.35f), 0.5f + 0.5f * cosf(turn));
            Sphere marble = bead(rings[r].radius, turn, 0, 0.9f, colour);
            marble.z = -marble.y; /* onto the table */
            marble.y = 0.9f;
            marble.material = material;
            TRY(scene_add_sphere(made, marble));
        }
    }
    TRY(scene_add_light(made, (Light){LIGHT_SUN, {-1, 2, 1}, {1.6f, 1.5f, 1.4f}, SUN_ANGLE_DEFAULT}));
    TRY(scene_add_light(made, (Light){LIGHT_POINT, {6, 8, 6}, {20, 22, 26}, 0}));
    made->ground = (Ground){0, 2, {0.8f, 0.8f, 0.78f}, {0.25f, 0.27f, 0.3f}, 0};
    made->has_ground = true;
    made->sky = (Sky){.kind = SKY_GRADIENT, .horizon = {0.85f, 0.9f, 0.95f}, .zenith = {0.25f, 0.45f, 0.85f}};
    made->viewpoint = (Viewpoint){{0, 9, 14}, {0, 0.5f, 0}, {0, 1, 0}, 35};
    made->has_viewpoint = true;
    return STATUS_OK;
}

/* Gazing globes on a terrace under the project's own sky: mirrors, rough copper, glass and clay. */
Status asset_globes(Scene **scene) {
    enum { MIRROR, COPPER, GLASS, CLAY, MATERIALS };
    static const Material materials[MATERIALS] = {
        [MIRROR] = {.kind = MATERIAL_METAL, .specular = 0.95f, .phong_exponent = 1000, .refraction = 1},
        [COPPER] =
            {.kind = MATERIAL_METAL, .specular = 0.9f, .phong_exponent = 60, .roughness = 0.35f, .refraction = 1},
        [GLASS] =
            {.kind = MATERIAL_GLASS, .specular = 1, .phong_exponent = 400, .refraction = 1.5f, .transmittance = 0.97f},
        [CLAY] = {.kind = MATERIAL_DIFFUSE, .diffuse = 0.85f, .refraction = 1},
    };
    static const struct {
        Sphere sphere;
        uint32_t material;
    } globes[] = {
        {{0, 2, -1, 2, 0.97f, 0.97f, 0.98f, 0}, MIRROR},
        {{-3.3f, 1.2f, 0.6f, 1.2f, 0.95f, 0.64f, 0.54f, 0}, COPPER},
        {{3.2f, 1.3f, 0.3f, 1.3f, 1, 1, 1, 0}, GLASS},
        {{1.5f, 0.6f, 2.2f, 0.6f, 0.85f, 0.3f, 0.15f, 0}, CLAY},
        {{-1.4f, 0.7f, 2.3f, 0.7f, 0.2f, 0.5f, 0.75f, 0}, CLAY},
        {{0.1f, 0.4f, 3.1f, 0.4f, 1, 0.78f, 0.34f, 0}, MIRROR},
        {{3.4f, 0.5f, 2.6f, 0.5f, 0.3f, 0.6f, 0.25f, 0}, CLAY},
        {{-3.6f, 0.45f, 2.6f, 0.45f, 1, 1, 1, 0}, GLASS},
    };
    TRY(scene_create("globes", 0, scene));
    Scene *made = *scene;
    uint32_t first = 0;
    for (int i = 0; i < MATERIALS; i++) {
        uint32_t material;
        TRY(scene_add_material(made, materials[i], &material));
        first = i == 0 ? material : first;
    }
    for (size_t i = 0; i < sizeof globes / sizeof globes[0]; i++) {
        Sphere globe = globes[i].sphere;
        globe.material = first + globes[i].material;
        TRY(scene_add_sphere(made, globe));
    }
    made->ground = (Ground){0, 1.5f, {0.62f, 0.58f, 0.5f}, {0.42f, 0.36f, 0.3f}, 0};
    made->has_ground = true;
    made->sky.kind = SKY_IMAGE;
    made->sky_file = strdup("../sky.hdr");
    made->viewpoint = (Viewpoint){{1, 3, 12}, {0, 1.4f, 0}, {0, 1, 0}, 34};
    made->has_viewpoint = true;
    return made->sky_file ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a scene");
}

/* The free molecule: bonds of 0.9572 Angstrom, 104.52 degrees apart (Benedict, Gailar and Plyler 1956). */
void asset_water(FILE *file) {
    const double half = 104.52 / 2 * 3.14159265358979323846 / 180, bond = 0.9572;
    fprintf(file, "3\nwater: bonds of 0.9572 Angstrom, 104.52 degrees apart\nO  0.0000  0.0000  0.0000\n");
    for (int side = -1; side <= 1; side += 2)
        fprintf(file, "H %7.4f %7.4f  0.0000\n", side * bond * sin(half), -bond * cos(half));
}

/* Buckminsterfullerene is an icosahedron whose corners are cut off. The bonds of its pentagons have 1.458 Angstrom, and
 * bonds between pentagons have 1.401 Angstrom (Hedberg et al. 1991). */
void asset_c60(FILE *file) {
    enum { CORNERS = 12 };
    const double single = 1.458, edge = 2 * single + 1.401, golden = (1 + sqrt(5)) / 2, cut = single / edge;
    double corners[CORNERS][3];
    for (int i = 0; i < CORNERS; i++) { /* (0, +-1, +-golden) and its turns, of edge 2 */
        const int axis = i / 4;
        corners[i][axis] = 0;
        corners[i][(axis + 1) % 3] = (i & 1 ? -1 : 1) * edge / 2;
        corners[i][(axis + 2) % 3] = (i & 2 ? -1 : 1) * edge / 2 * golden;
    }
    fprintf(file, "60\nC60: an icosahedron, cut so that bonds are 1.458 and 1.401 Angstrom\n");
    for (int i = 0; i < CORNERS; i++)
        for (int j = 0; j < CORNERS; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += (corners[i][k] - corners[j][k]) * (corners[i][k] - corners[j][k]);
            if (i == j || square > 1.01 * edge * edge)
                continue;
            fputs("C", file);
            for (int k = 0; k < 3; k++)
                fprintf(file, " %8.4f", corners[i][k] + cut * (corners[j][k] - corners[i][k]));
            fputs("\n", file);
        }
}
