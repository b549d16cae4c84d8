/* before_link.c: the geometry of the links behind a link. */
#include "app/view/tools/before_link.h"

#include "core/chain/filters/filters.h"

size_t link_before_crop(const Chain *chain) {
    size_t link = 0;
    while (link < chain->count && chain->links[link].filter != &filter_crop)
        link++;
    return link;
}

Status insert_link_before_crop(Viewer *viewer, size_t link, const char *text) {
    const size_t selected = viewer_selected(viewer);
    const bool behind = link < viewer->request->chain->count && selected >= link;
    TRY(viewer_insert_link(viewer, link, text));
    viewer->selected = behind ? selected + 1 : link;
    return STATUS_OK;
}

Status points_before_link(const Viewer *viewer, size_t link, double (*places)[2], size_t count, Shape *in) {
    const Session *session = viewer->session;
    const PlanOptions options = session->request->options;
    const Chain carried = session_carried(session);
    Geometry before, behind;
    if (link > carried.count)
        return fail(STATUS_USAGE, "%s", session->misfit > 0 ? session->misfit_words : "the picture is not there yet");
    TRY(chain_geometry(&carried, 0, link, viewer_shape(viewer), options, &before));
    TRY(chain_geometry(&carried, link, carried.count - link, before.result, options, &behind));
    if (behind.origin == ORIGIN_NONE)
        return fail(STATUS_USAGE, "%s has no place for each pixel: switch it off first",
                    carried.links[behind.link - 1].filter->name);
    for (size_t i = 0; i < count; i++)
        homography_apply(&behind.to_picture, places[i][0], places[i][1], &places[i][0], &places[i][1]);
    *in = before.result;
    return STATUS_OK;
}
