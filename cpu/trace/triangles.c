/* triangles.c: the hierarchy over a scene's triangles: that over the spheres around them. */
#include "core/bounds.h"
#include "cpu/trace/hierarchy.h"

Status hierarchy_over_triangles(Device *device, const Scene *scene, const Hierarchy **hierarchy) {
    Hierarchy *kept = cpu_hierarchy_of_triangles(device);
    Scene bounds;
    *hierarchy = scene->triangle_count > 0 ? kept : NULL;
    if (scene->triangle_count == 0 || (kept->serial == scene->serial && kept->leaves))
        return STATUS_OK;
    TRY(bounds_create(scene, &bounds));
    const Status status = hierarchy_build(device, &bounds, kept);
    bounds_free(&bounds);
    return status;
}
