/* export.h: pictures of the window as files: how and where they are written, and the export that goes on.
 * Owns the settings (app/export/settings.h), which people set by a panel and scripts by texts, the choice of pictures,
 * and the exporter (app/batch/exporter.h). */
#ifndef GLINT_APP_VIEW_TOOLS_EXPORT_H
#define GLINT_APP_VIEW_TOOLS_EXPORT_H

#include "app/export/settings.h"
#include "app/view/session/tool.h"

/* An export meets a file of its name: people are asked, the new one gets a number, takes its place, or is left out.
 * Scripts are not asked: EXISTING_ASK gives numbers there. */
typedef enum Existing { EXISTING_ASK, EXISTING_RENAME, EXISTING_REPLACE, EXISTING_SKIP } Existing;

/* The shown picture, those that are selected in the strip, or those of a rule by ratings: from RULE_UNREJECTED on
 * (app/view/session/strip.h). */
enum { CHOSEN_THIS, CHOSEN_SELECTED, CHOSEN_BY_RULE };

/* Settings that presets do not have, by the rows of export_choice_table(). */
typedef struct ExportChoice {
    double pictures; /* CHOSEN_THIS ... */
    double existing; /* enum Existing */
} ExportChoice;

ParamTable export_choice_table(void);
const ExportSettings *export_settings(const Viewer *viewer);
const ExportChoice *export_choice(const Viewer *viewer);
/* Sets by assignments, of settings and of the choice, as export_settings_take does. STATUS_USAGE, with nothing
 * changed. */
Status export_set(Viewer *viewer, const char *text);
Status export_set_name(Viewer *viewer, const char *name);
Status export_set_folder(Viewer *viewer, const char *folder);
/* Puts the settings of a preset (app/export/presets.h) in the place of these. Fails as export_presets_settings does. */
Status export_use(Viewer *viewer, const char *preset);
/* The preset that was used or saved last, if no setting has changed since; else "". */
const char *export_preset(const Viewer *viewer);
Status export_save(Viewer *viewer, const char *preset); /* the settings, under this name */

/* How many pictures a choice means: CHOSEN_THIS ... */
size_t export_means(const Viewer *viewer, int pictures);
/* The word and the label of a choice, as in "unrejected" and "all but rejected ones"; false behind the last. */
bool export_choice_words(int pictures, const char **word, const char **label);
size_t export_count(const Viewer *viewer); /* the pictures of the choice that holds */
/* How many of their files are there already, by the names without numbers; the first one's path, if there is one. */
size_t export_taken(const Viewer *viewer, char *first, size_t size);
/* The whole path of the first file that an export would write now; the length as snprintf does, 0: none. */
size_t export_first(const Viewer *viewer, char *buffer, size_t size);

/* Exports by the settings. STATUS_USAGE if an export goes on, or no picture is open or chosen. */
Status export_begin(Viewer *viewer);
void export_cancel(Viewer *viewer);
/* Waits for the end, and says its outcome. Fails as the first picture that failed did. */
Status export_await(Viewer *viewer);

/* An export that goes on or, without `share`, the last one; all 0: there was none. */
typedef struct ExportProgress {
    bool goes_on;
    double share;
    size_t done, count; /* pictures that are written, and all of them */
    const char *path;   /* of the file that is written now, or was written last; NULL: none */
} ExportProgress;
ExportProgress export_progress(const Viewer *viewer);

bool export_runs(const Viewer *viewer);    /* one goes on */
bool export_is_open(const Viewer *viewer); /* its panel */
void export_open(Viewer *viewer, bool open);
extern const ToolKind export_tool;

#endif
