/* folder.c: filters the picture files of a folder: folder CHAIN OUTPUT-FOLDER FILE...
 * One device and one chain serve all; pictures of one shape find their plan warm. A file that cannot be used
 * costs a sentence, and the others go on. */
#include <glint.h>

#include <stdio.h>
#include <string.h>

static int filter_file(GlintDevice *device, const GlintChain *chain, const char *path, const char *folder,
                       GlintError *error) {
    char to[4096];
    const char *slash = strrchr(path, '/');
    GlintImage *image = NULL, *result = NULL;
    snprintf(to, sizeof to, "%s/%s", folder, slash ? slash + 1 : path);
    const int failed = glint_read(path, &image, error) || glint_filter(device, chain, NULL, image, &result, error) ||
                       glint_write(result, to, NULL, error);
    glint_image_free(image);
    glint_image_free(result);
    return failed;
}

int main(int argc, char **argv) {
    GlintError error;
    GlintDevice *device;
    GlintChain *chain;
    int failures = 0;
    if (argc < 4) {
        fprintf(stderr, "folder CHAIN OUTPUT-FOLDER FILE...\n");
        return GLINT_USAGE;
    }
    if (glint_open(NULL, &device, &error) || glint_chain(argv[1], &chain, &error)) {
        fprintf(stderr, "folder: %s\n", error.sentence);
        return error.status;
    }
    for (int i = 3; i < argc; i++)
        if (filter_file(device, chain, argv[i], argv[2], &error)) {
            fprintf(stderr, "folder: %s\n", error.sentence);
            failures++;
        }
    printf("%d of %d files\n", argc - 3 - failures, argc - 3);
    glint_chain_free(chain);
    glint_close(device);
    return failures > 0;
}
