/* units.c: the unit tests as one program: `test_units NAME` runs the main() of tests/unit/test_NAME.c, which its
 * compilation renamed; without a name, it lists them. CMake writes units.def. */
#include "kernel/compile/nvrtc.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define UNIT(name) int test_##name(void);
#include "units.def"
#undef UNIT

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        int (*run)(void);
    } units[] = {
#define UNIT(name) {#name, test_##name},
#include "units.def"
#undef UNIT
    };
    nvrtc_serve_if_asked(arguments);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (count == 2 && strcmp(arguments[1], units[i].name) == 0)
            return units[i].run();
        if (count == 1)
            puts(units[i].name);
    }
    if (count != 1)
        fprintf(stderr, "test_units: want the name of one test of tests/unit/, without test_ and .c\n");
    return count != 1;
}
