/* launch_levels.c: `launch_levels OPERATION/LEVEL...` runs levels on the GPU as glint explain does, for a profiler that
 * looks on: tools/compare-counters. It counts each level's second run, behind a launch of mark_level with as many
 * blocks as levels have begun. A level that fails says so, and the next one follows. */
#include "app/backends.h"
#include "app/explain/job.h"

#include <stdio.h>

void mark_level(unsigned number);
void mark_end(void);

static unsigned number; /* of the level */

static void mark(void) {
    mark_level(number);
}

int main(int argc, char **argv) {
    if (backends_register() != STATUS_OK)
        return STATUS_DEVICE;
    const Backend *cuda = backend_by_name("cuda");
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        const ExplainJob job = {.target = argv[i], .plan = common_defaults.plan, .backend = cuda, .counted = mark};
        Explained explained;
        number = (unsigned)i;
        const bool ran = explain_run(&job, &explained) == STATUS_OK;
        mark_end();
        if (!ran)
            printf("%s: %s\n", argv[i], status_message());
        failed += !ran;
    }
    return failed > 0;
}
