/* strides.c: pixels as other libraries keep them: rows with gaps, planes, a batch; and the bytes that were copied. */
#include <glint.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 60, HEIGHT = 40, GAP = 17, PICTURES = 5 };

static int failed(const GlintError *error) {
    fprintf(stderr, "strides: %s\n", error->sentence);
    return error->status;
}

static uint64_t rearranged(GlintPlan *plan) {
    GlintCopied copied = GLINT_COPIED;
    return glint_copied(plan, &copied, NULL) ? 0 : copied.rearranged;
}

int main(void) {
    static unsigned char rows[HEIGHT][WIDTH * 3 + GAP], packed[HEIGHT][WIDTH][3];
    static float planes[PICTURES][3][HEIGHT][WIDTH], results[PICTURES][3][HEIGHT][WIDTH];
    const GlintShape bytes = {WIDTH, HEIGHT, 3, GLINT_U8}, floats = {WIDTH, HEIGHT, 3, GLINT_F32};
    GlintDeviceOptions here = GLINT_DEVICE_OPTIONS;
    GlintPlanOptions batch = GLINT_PLAN_OPTIONS;
    GlintError error;
    GlintDevice *device;
    GlintChain *chain;
    GlintPlan *plan, *plans;

    here.backend = "cpu";
    batch.pictures = PICTURES;
    if (glint_open(&here, &device, &error) || glint_chain("median=5", &chain, &error) ||
        glint_plan(device, chain, &bytes, NULL, &plan, &error) ||
        glint_plan(device, chain, &floats, &batch, &plans, &error))
        return failed(&error);

    /* Rows with a gap behind each: no copy. */
    const GlintPixels gaps = {.pixels = rows, .row = sizeof rows[0]}, tight = {.pixels = packed};
    if (glint_run(plan, &gaps, &tight, NULL, &error))
        return failed(&error);
    printf("rows with gaps: %llu bytes rearranged\n", (unsigned long long)rearranged(plan));

    /* The same rows from the last to the first: a picture upside down, rearranged before it is filtered. */
    const GlintPixels turned = {.pixels = rows[HEIGHT - 1], .row = -(ptrdiff_t)sizeof rows[0]};
    if (glint_run(plan, &turned, &tight, NULL, &error))
        return failed(&error);
    printf("rows from below: %llu bytes rearranged\n", (unsigned long long)rearranged(plan));

    /* Five pictures of three planes each, as PyTorch has them. */
    const GlintPixels in = glint_planar(&floats, planes, GLINT_HOST), out = glint_planar(&floats, results, GLINT_HOST);
    for (int i = 0; i < PICTURES; i++)
        planes[i][1][HEIGHT / 2][WIDTH / 2] = 1; /* a spark, which a median removes */
    if (glint_run(plans, &in, &out, NULL, &error))
        return failed(&error);
    printf("the spark is %g\n", (double)results[PICTURES - 1][1][HEIGHT / 2][WIDTH / 2]);

    glint_plan_free(plan);
    glint_plan_free(plans);
    glint_chain_free(chain);
    glint_close(device);
    return 0;
}
