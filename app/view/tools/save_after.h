/* save_after.h: a scene's picture that is saved once it has so many samples, no more and no fewer.
 * Owns the file's name and the number; light is gathered by the session, up to there. */
#ifndef GLINT_APP_VIEW_TOOLS_SAVE_AFTER_H
#define GLINT_APP_VIEW_TOOLS_SAVE_AFTER_H

#include "app/view/session/tool.h"

/* Begins, by "64 out.png" or "64" for a free name; without a folder, next to the scene's file. Light with more samples
 * begins again. STATUS_USAGE if the text makes no sense, nothing is gathered (pictures, other looks, motion), or the
 * file exists and may not be replaced. */
Status save_after_begin(Viewer *viewer, const char *text, bool overwrite);
/* STATUS_USAGE, with the words to say, if a text for save_after_begin makes no sense. */
Status save_after_check(const char *text);
/* Gathers what is missing, and saves. Fails as viewer_save_result does; nothing waits any more in any case. */
Status save_after_await(Viewer *viewer);
typedef struct SaveProgress {
    uint32_t done, samples;
    const char *path; /* of the file to come */
    double share;     /* with the samples under way, 0 to 1 */
    double seconds;   /* that are left, as far as is known; negative: not */
} SaveProgress;
/* False if no save waits. */
bool save_after_waits(const Viewer *viewer, SaveProgress *progress);
extern const ToolKind save_after_tool;

#endif
