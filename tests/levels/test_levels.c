/* test_levels.c: runs the groups that are named, or all. */
#include "app/backends.h"
#include "tests/levels/fake.h"
#include "tests/levels/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **names) {
    static const struct {
        const char *name;
        int (*run)(void);
    } groups[] = {
#define GROUP(name) {#name, levels_##name},
#include "tests/levels/groups.def"
#undef GROUP
    };
    const char *only = getenv("GLINT_TEST_BACKEND");
    int failed = 0, found = 0;
    if (backends_register() != STATUS_OK)
        return 2;
    if (only && strcmp(only, fake_backend.name) == 0 && fake_register() != STATUS_OK)
        return 2;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        bool named = count == 1;
        for (int k = 1; k < count; k++)
            named |= strcmp(names[k], groups[i].name) == 0;
        found += named;
        if (named)
            failed += groups[i].run();
    }
    if (found < count - 1) {
        fprintf(stderr, "test_levels: want groups of tests/levels/groups.def\n");
        return 2;
    }
    return failed > 0;
}
