/* keep.h: what outlasts the window: the edits of each picture and scene, and the window's own state.
 * Owns the sidecars (core/chain/sidecar.h), each next to its picture ("photo.jpg.glint") or scene. Where that folder
 * cannot be written to, and of generated scenes, they are in $XDG_STATE_HOME/glint/edits/. Owns also the file
 * $XDG_STATE_HOME/glint/state (app/view/data/saved_state.h). Neither takes the place of a file that is not glint's, is
 * of a newer glint, or was changed since it was read. */
#ifndef GLINT_APP_VIEW_SESSION_KEEP_H
#define GLINT_APP_VIEW_SESSION_KEEP_H

#include "app/view/session/request.h"

#define KEEP_MS 1000.0 /* that hands rest before a change is written */

typedef struct Keep Keep;
typedef struct SidecarGroup SidecarGroup;

/* From now on the viewer keeps its state, and with `sidecars` the edits of pictures and scenes, too. Takes the state of
 * the last run. A picture without a sidecar begins with the chain and options that the viewer has now. STATUS_DEVICE if
 * memory is short. */
Status keep_begin(Viewer *viewer, bool sidecars);
/* Writes what is due, and keeps no more; nothing where keep_begin was not called. Fails as keep_write does. */
Status keep_end(Viewer *viewer);

/* Whether hands have rested for so long since a change that is not written yet. */
bool keep_due(Viewer *viewer, double rest_ms);
/* In how many ms a change is to be written; negative if nothing is. */
double keep_waits_ms(const Viewer *viewer);
/* Writes the changes since the last time, if there are some. STATUS_DEVICE or STATUS_INPUT with why they are not kept;
 * for the same reason, it fails once. */
Status keep_write(Viewer *viewer);

/* Writes the edits of the shown picture, before another one or a scene takes its place; a toast says why they are not
 * kept. */
void keep_write_before(Viewer *viewer);

/* Whether the edits of the shown picture or scene are written by themselves, so that quitting loses none. */
bool keep_holds_edits(const Viewer *viewer);

/* Whether edits and ratings of pictures are kept. */
bool keep_has_sidecars(const Viewer *viewer);
/* The rating of a picture (core/chain/sidecar.h) by its sidecar; 0 if it has none that can be used. */
int keep_rating(const Viewer *viewer, const char *picture);
/* Has a picture rated. The shown one is written at once; others are changed by the group (sidecar_file.h), whose
 * outcome *waits is for. STATUS_INPUT or STATUS_DEVICE with why it is not kept. */
Status keep_rate(Viewer *viewer, const char *picture, int rating, SidecarGroup *group, size_t number, bool *waits);

/* Makes another chain and border of those of a picture, which may be read. */
typedef Status EditMaker(void *context, const char *picture, const Chain *now, Chain **next, Border *border);
/* An edit, which `words` name, for pictures that are not shown. */
typedef struct EditOfOthers {
    const char *words;
    EditMaker *make;
    void *context;
} EditOfOthers;
/* Adds it to the sidecar of a picture, by the group. One that changes nothing, or is of the shown picture, is left out.
 * STATUS_USAGE without sidecars; fails as sidecar_group_change and `make` do. */
Status keep_edit_other(Viewer *viewer, const char *picture, EditOfOthers edit, SidecarGroup *group, size_t number,
                       bool *waits);

/* Shows a picture that was opened, which is taken over, with the edits of its sidecar or with none. Where they cannot
 * be used, a toast says why, and the picture is shown without them. Fails as viewer_ask_of does. */
Status keep_show(Viewer *viewer, Subject *opened, Fallback fallback);
/* Opens the scene of this text, with the edits of its sidecar or with none. Sidecars are kept, and another scene or a
 * picture is shown. Fails as viewer_open_scene does. */
Status keep_open_scene(Viewer *viewer, const char *opened, Fallback fallback);
/* Shows the open picture or scene again that the other one hid; with sidecars, with its own edits. Fails as
 * viewer_ask_of does. */
Status keep_go_back(Viewer *viewer, Subject *subject, Fallback fallback);
/* The request that a picture of this name is shown with, now or as soon as it is: with its edits or with none. *request
 * gets an owner more, the caller. STATUS_INPUT if its sidecar cannot be used, with why; STATUS_DEVICE if memory is
 * short. */
Status keep_request(const Viewer *viewer, const char *picture, const Request **request);
/* Picture `index` of the list is shown, or a scene: it comes first among the recent files. */
void keep_note_picture(Viewer *viewer, size_t index);
void keep_note_scene(Viewer *viewer);

/* The files that were opened last, as whole paths; NULL behind the last. */
const char *keep_recent(const Viewer *viewer, size_t index);
/* Opens a recent file; where its folder was opened as a whole, with all of that in the list. Fails as viewer_open
 * does. */
Status viewer_open_recent(Viewer *viewer, const char *path);
/* The template for a folder of painted masks that chains go on naming; false where nothing is kept. */
bool keep_mask_folder(const Viewer *viewer, char *buffer, size_t size);

#endif
