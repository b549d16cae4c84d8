/* running.c: boxes, along the rows and then down the columns; cpu/morphology/tile_keys.h does it. */
#include "cpu/morphology/tile.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the element is not a box";
    return element_is_box(morphology_job(stage)->element);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return morphology_workspace(device, stage, running_rows(morphology_job(stage)->element));
}

static Status run(Queue *queue, const Stage *stage) {
    return morphology_run(queue, (MorphologyTile){.stage = stage}, MORPHOLOGY_RUNNING,
                          running_rows(morphology_job(stage)->element));
}

const Level cpu_morphology_running = {
    .op = &op_morphology,
    .name = "running",
    .idea = "boxes: along the rows, then down the columns, where three comparisons do whatever the height (van Herk; "
            "Gil and Werman)",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
