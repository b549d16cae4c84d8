/* replay.c: a main for a fuzzer without libFuzzer. It tries the files of some folders, and each of them cut short or
 * with a byte changed, once. A finding ends the program.
 *
 *   replay_NAME FOLDER... */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX = 1 << 16, CHANGES = 24 }; /* bytes of a seed; variants of each */

/* The tests of a change try few (tests/check.h): fuzzers go on from the same seeds. */
static int changes(void) {
    return getenv("GLINT_TEST_QUICK") ? CHANGES / 4 : CHANGES;
}

static uint32_t state = 1;

static uint32_t next_random(void) {
    state = state * 1664525u + 1013904223u; /* Numerical Recipes, "quick and dirty" */
    return state >> 8;
}

/* In memory of this size exactly, so that a step beyond the end is seen. */
static void try_bytes(const unsigned char *data, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    check(copy != NULL);
    memcpy(copy, data, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void try_file(const char *path) {
    static unsigned char data[MAX];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    if (file)
        fclose(file);
    try_bytes(data, size);
    for (int i = 0; size > 0 && i < changes(); i++) {
        const size_t at = next_random() % size;
        const unsigned char before = data[at];
        if (i % 2 == 0) {
            try_bytes(data, at);
            continue;
        }
        data[at] = (unsigned char)next_random();
        try_bytes(data, size);
        data[at] = before;
    }
}

static size_t try_folder(const char *folder) {
    char path[4096];
    size_t count = 0;
    struct dirent **entries;
    const int found = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < found; i++) {
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
            try_file(path);
            count++;
        }
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return count;
}

int main(int argc, char **argv) {
    size_t count = 0;
    if (LLVMFuzzerInitialize(&argc, &argv) != 0)
        return EXIT_FAILURE;
    for (int i = 1; i < argc; i++)
        count += try_folder(argv[i]);
    printf("%zu seeds, %d variants of each\n", count, changes());
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
