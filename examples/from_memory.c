/* from_memory.c: filters a picture that the program has in memory.
 * Build: cc from_memory.c -o from_memory $(pkg-config --cflags --libs glint) */
#include <glint.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 480, CHANNELS = 3 };

static int failed(const GlintError *error) {
    fprintf(stderr, "from_memory: %s\n", error->sentence);
    return error->status;
}

int main(void) {
    static unsigned char picture[HEIGHT][WIDTH][CHANNELS], result[HEIGHT][WIDTH][CHANNELS];
    const GlintShape shape = {WIDTH, HEIGHT, CHANNELS, GLINT_U8};
    const GlintPixels in = {.pixels = picture}, out = {.pixels = result}; /* strides of 0: packed */
    GlintError error;
    GlintDevice *device;
    GlintChain *chain;
    GlintPlan *plan;

    /* A white square on black. */
    for (int y = HEIGHT / 4; y < HEIGHT * 3 / 4; y++)
        for (int x = WIDTH / 4; x < WIDTH * 3 / 4; x++)
            picture[y][x][0] = picture[y][x][1] = picture[y][x][2] = 255;

    if (glint_open(NULL, &device, &error) || glint_chain("gaussian=4,invert", &chain, &error) ||
        glint_plan(device, chain, &shape, NULL, &plan, &error) || glint_run(plan, &in, &out, NULL, &error))
        return failed(&error);

    printf("outside %d, at the edge %d, inside %d\n", result[0][0][0], result[HEIGHT / 4][WIDTH / 2][0],
           result[HEIGHT / 2][WIDTH / 2][0]);
    glint_plan_free(plan);
    glint_chain_free(chain);
    glint_close(device);
    return 0;
}
