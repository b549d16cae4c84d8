/* unsaved.c: edits that quitting would lose. */
#include "app/view/session/keep.h"
#include "app/view/session/viewer.h"

void viewer_note_saved(Viewer *viewer) {
    request_replace(&viewer->saved, viewer->request);
}

bool viewer_has_unsaved_edits(const Viewer *viewer) {
    const Request *now = viewer->request;
    const Edits *edits = &viewer->edits;
    return !keep_holds_edits(viewer) && edits->count > 0 && now->chain->count > 0 &&
           !edits_same_work(now, edits->list[0].request) && !(viewer->saved && edits_same_work(now, viewer->saved));
}

const SceneWork *viewer_unsaved_scene(const Viewer *viewer) {
    const bool kept = viewer_scene(viewer) && keep_holds_edits(viewer);
    return scene_works_unsaved(&viewer->scenes, kept ? viewer->request->opened : "");
}
