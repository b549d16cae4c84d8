/* strangers.c: the size of a picture that came from anywhere: strangers FILE...
 * Processes that reach nothing decode the files. The server that makes these processes is this program, executed once
 * more. */
#include <glint.h>

#include <stdio.h>
#include <string.h>

static int print_sizes(char **paths, int count) {
    static const char *const server[] = {"/proc/self/exe", "--serve", NULL};
    GlintError error;
    GlintSandbox *sandbox;
    GlintImage *image;
    GlintShape shape;
    int failures = 0;
    if (glint_sandbox(server, 60, &sandbox, &error)) {
        fprintf(stderr, "strangers: %s\n", error.sentence);
        return error.status;
    }
    for (int i = 0; i < count; i++) {
        if (glint_sandbox_read(sandbox, paths[i], &image, &error) ||
            glint_image_pixels(image, 0, &shape, NULL, &error)) {
            fprintf(stderr, "strangers: %s\n", error.sentence);
            failures++;
        } else {
            printf("%s: %zu x %zu\n", paths[i], shape.width, shape.height);
        }
        glint_image_free(image);
    }
    glint_sandbox_free(sandbox);
    return failures > 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--serve") == 0)
        glint_sandbox_serve();
    if (argc < 2) {
        fprintf(stderr, "strangers FILE...\n");
        return GLINT_USAGE;
    }
    return print_sizes(argv + 1, argc - 1);
}
