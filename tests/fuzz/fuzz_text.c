/* fuzz_text.c: libFuzzer's entry into texts: chains, masks, cameras, borders, sizes, pixel types, presets and
 * formulas, and the edits of pictures.
 *
 *   cmake --preset sanitize && cmake --build --preset sanitize --target fuzzers
 *   mkdir -p build-sanitize/texts
 *   build-sanitize/fuzz_text -max_len=256 -timeout=5 -rss_limit_mb=1024 build-sanitize/texts SAMPLES
 *
 * The first byte chooses the kind, by its place in `kinds` below; the text follows: SAMPLES is a folder of such files.
 * A finding is a crash, a leak, a hang of 5 s, a refusal without a reason, or a number that is not finite. So is a text
 * that means something else once it is written and read again. */
#include "core/chain/chain.h"
#include "core/chain/sidecar.h"
#include "core/codec/cube.h"
#include "core/ops/convolve.h"
#include "core/param/formula.h"
#include "core/scene/camera.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

enum { ROOM = 16384 }; /* of the text written; more than comes of 256 letters */

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    return setenv("GLINT_MEMORY", "16M", 1) || setenv("XDG_CONFIG_HOME", "/nowhere", 1); /* no presets of the user's */
}

static bool accepted(Status status) {
    check(status == STATUS_OK || (status == STATUS_USAGE && status_message()[0] != '\0'));
    return status == STATUS_OK;
}

static void check_mask(const Mask *mask) {
    check(mask->width >= 1 && mask->width <= MASK_MAX && mask->height >= 1 && mask->height <= MASK_MAX);
    for (int i = 0; i < mask->width * mask->height; i++)
        check(isfinite(mask->weights[i]));
    if (mask->width * mask->height > 64)
        return;
    const int rank = mask_rank(mask);
    check(rank >= 0 && rank <= mask->width && rank <= mask->height);
    check(mask_separable(mask) == (rank <= 1));
}

static void check_plan(const Chain *chain, Shape shape) {
    const PlanOptions options = {.border = {BORDER_MIRROR, 0}};
    Plan *plan = NULL;
    const Status status = chain_plan(chain, shape, options, &plan);
    if (status == STATUS_INPUT && status_message()[0] != '\0') /* not of this picture: crop=32:32 */
        return;
    if (!accepted(status))
        return;
    const Shape result = plan_value_shape(plan, plan_result(plan)); /* of any size */
    check(result.width >= 1 && result.height >= 1 && result.type == shape.type);
    check(result.channels == shape.channels || result.channels == 1); /* bank */
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Stage *stage = &plan_stage(plan, i)->stage;
        if (stage->op == &op_convolve)
            check(isfinite(mask_absolute_sum(convolve_job(stage)->mask)) && isfinite(convolve_job(stage)->bias));
    }
    plan_destroy(&plan);
}

static void try_chain(const char *text) {
    static char once[ROOM], twice[ROOM];
    Chain *chain = NULL, *again = NULL;
    if (!accepted(chain_parse(text, &chain))) {
        check(chain == NULL);
        return;
    }
    check(chain_format(chain, once, sizeof once) < sizeof once);
    check(chain_parse(once, &again) == STATUS_OK && again->count == chain->count);
    check(chain_format(again, twice, sizeof twice) < sizeof twice && strcmp(once, twice) == 0);
    if (!strstr(text, "file") && chain->count <= 4) { /* a file's contents are not of this text */
        check_plan(chain, (Shape){16, 9, 3, PIXEL_U8});
        check_plan(chain, (Shape){16, 9, 4, PIXEL_F32});
    }
    chain_destroy(&again);
    chain_destroy(&chain);
}

static void try_mask(const char *text) {
    Mask *mask = NULL;
    if (accepted(mask_parse(text, &mask)))
        check_mask(mask);
    mask_destroy(&mask);
}

/* The first line is a chain, the others are the user's presets. */
static void try_presets(const char *text) {
    static char once[ROOM];
    const char *own = strchr(text, '\n');
    char *chain_text = strndup(text, own ? (size_t)(own - text) : strlen(text));
    Presets *presets = NULL;
    Chain *chain = NULL;
    check(chain_text != NULL);
    if (accepted(presets_parse(presets_shipped, own, "own.txt", &presets))) {
        for (size_t i = 0; i < presets->count; i++) {
            const Preset *preset = &presets->list[i];
            check(preset_name_length(preset->name) == strlen(preset->name) && preset->name[0] && preset->chain[0]);
            check(presets_find(presets, preset->name, strlen(preset->name)) == preset);
        }
        if (accepted(chain_parse_with(chain_text, presets, &chain)))
            check(chain_format(chain, once, sizeof once) < sizeof once);
    }
    chain_destroy(&chain);
    presets_destroy(&presets);
    free(chain_text);
}

static void check_finite(Vec v) {
    check(isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
}

/* A camera that is written and read again sees the same, but for rounding. */
static void try_camera(const char *text) {
    static char written[ROOM];
    Camera camera, again;
    if (!accepted(camera_parse(text, &camera)))
        return;
    const Ray ray = camera_ray(camera, 5, 7, 16, 9);
    check_finite(ray.origin);
    check_finite(ray.direction);
    check(camera_format(&camera, written, sizeof written) < sizeof written);
    check(camera_parse(written, &again) == STATUS_OK && again.kind == camera.kind);
}

static void try_border(const char *text) {
    char written[64];
    Border border, again;
    if (!accepted(border_parse(text, &border)))
        return;
    check(isfinite(border.value));
    check(border_parse(border_format(border, written, sizeof written), &again) == STATUS_OK);
    check(again.mode == border.mode && !(again.value < border.value) && !(again.value > border.value));
}

/* Every size that is accepted is one that shape_check can judge. */
static void try_size(const char *text) {
    Shape shape = {1, 1, 4, PIXEL_F32};
    if (accepted(shape_parse_size(text, &shape)))
        check(shape.width >= 1 && shape.height >= 1);
    const Status status = shape_check(shape);
    check(status == STATUS_OK || status == STATUS_INPUT);
}

static void try_type(const char *text) {
    Shape shape = {16, 9, 3, PIXEL_U8};
    if (accepted(shape_parse_type(text, &shape)))
        check(shape.channels >= 1 && shape.channels <= 4 && shape.type < PIXEL_TYPES && shape.width == 16);
}

/* A table of colours in a file. */
static void try_cube(const char *text) {
    Image *table = NULL;
    int side, dimensions;
    const Status status = cube_parse(text, &table);
    check(status == STATUS_OK || (status == STATUS_INPUT && status_message()[0] != '\0'));
    check((status == STATUS_OK) == (table != NULL));
    check(!table || cube_of_shape(table->view.shape, &side, &dimensions));
    image_destroy(&table);
}

/* The edits of a picture. */
static void try_sidecar(const char *text) {
    Sidecar *sidecar = NULL, *again = NULL;
    const Status status = sidecar_parse(text, &sidecar);
    check(status == STATUS_OK || (status == STATUS_INPUT && status_message()[0] != '\0'));
    check((status == STATUS_OK) == (sidecar != NULL));
    if (!sidecar)
        return;
    char *written = sidecar_format(sidecar);
    check(written && sidecar_parse(written, &again) == STATUS_OK);
    check(again->count == sidecar->count && again->shown == sidecar->shown && again->linear == sidecar->linear);
    check(again->rating == sidecar->rating && again->other_count == sidecar->other_count);
    for (size_t i = 0; i < sidecar->count; i++)
        check(strcmp(again->edits[i].words, sidecar->edits[i].words) == 0 &&
              strcmp(again->edits[i].chain, sidecar->edits[i].chain) == 0);
    free(written);
    sidecar_destroy(&again);
    sidecar_destroy(&sidecar);
}

/* A formula, computed for a pixel: every register and constant that it names is there. */
static void try_formula(const char *text) {
    static const FormulaName names[] = {{"p1", 0.5}, {"w", 16}};
    static const float values[FORMULA_INPUTS][FORMULA_CHANNELS] = {{0.25F, 0.5F, 0.75F, 1}};
    const FormulaPicture picture = {.colours = {3}, .alpha = true, .results = 3, .names = names, .name_count = 2};
    float results[FORMULA_CHANNELS];
    FormulaProgram program;
    if (!accepted(formula_parse(text, &picture, &program)))
        return;
    check(program.steps <= FORMULA_STEPS && program.registers <= FORMULA_REGISTERS);
    for (int i = 0; i < program.steps; i++)
        for (int k = 0; k < 3; k++) {
            const int operand = program.step[i].operands[k];
            check(operand == FORMULA_NONE || operand < program.registers ||
                  (operand >= FORMULA_REGISTERS && operand < FORMULA_REGISTERS + program.constants));
            check(operand != program.step[i].to && program.step[i].to < program.registers);
        }
    formula_pixel(&program, values, 3, 7, 4, results);
}

static void (*const kinds[])(const char *) = {try_chain, try_mask,    try_camera, try_border,  try_size,
                                              try_type,  try_presets, try_cube,   try_sidecar, try_formula};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    char *text = malloc(size); /* of this size exactly, so that a step beyond the end is seen */
    check(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    kinds[data[0] % (sizeof kinds / sizeof kinds[0])](text);
    free(text);
    return 0;
}
