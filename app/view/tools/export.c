/* export.c: the settings of the window's exports, the list of files to export, and the end of an export. */
#include "app/view/tools/export.h"

#include "app/batch/exporter.h"
#include "app/export/files.h"
#include "app/export/presets.h"
#include "app/tev/live.h"
#include "app/view/session/keep.h"
#include "app/view/session/paths.h"
#include "app/view/session/strip.h"
#include "app/view/session/viewer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXTRAS_TEXT = 512, NUMBERS_MAX = 999, PRESET_NAME = 64 };

typedef struct Export {
    bool open;
    ExportSettings settings;
    ExportChoice choice;
    char preset[PRESET_NAME]; /* with these settings; or "" */
    Exporter *exporter;
    ExportProgress last; /* of the export that has ended */
    char written[PATH_CAPACITY];
} Export;

static Export *export_of(const Viewer *viewer) {
    return tool_of(viewer, &export_tool);
}

/* ---- settings ---- */

#define AT(member) offsetof(ExportChoice, member)

/* Behind the first two words are those of rating_rules. */
static const Param params[] = {
    {"pictures",
     "the shown one, those that are selected in the strip, all but rejected ones, or those with so many "
     "stars and more",
     "this|selected|unrejected|1|2|3|4|5", PARAM_CHOICE, AT(pictures), 0, 0, 7, 1},
    {"existing", "files of that name: a question, or the new one gets a number, takes their place, or is left out",
     "ask|rename|replace|skip", PARAM_CHOICE, AT(existing), 0, 0, 3, 1},
};

ParamTable export_choice_table(void) {
    return (ParamTable){params, sizeof params / sizeof params[0], sizeof(ExportChoice)};
}

const ExportSettings *export_settings(const Viewer *viewer) {
    return &export_of(viewer)->settings;
}

const ExportChoice *export_choice(const Viewer *viewer) {
    return &export_of(viewer)->choice;
}

Status export_set(Viewer *viewer, const char *text) {
    Export *export = export_of(viewer);
    ExportSettings settings = export->settings;
    ExportChoice choice = export->choice;
    TRY(export_settings_take(&settings, (ExportExtras){export_choice_table(), &choice}, text));
    if (!export_settings_same(&settings, &export->settings))
        export->preset[0] = '\0';
    export->settings = settings;
    export->choice = choice;
    return STATUS_OK;
}

static Status set_text(Viewer *viewer, const char *row, const char *value) {
    char text[EXPORT_FOLDER + 16];
    if ((size_t)snprintf(text, sizeof text, "%s=%s", row, value) >= sizeof text)
        return fail(STATUS_USAGE, "the %s has more than %d characters", row, EXPORT_FOLDER - 1);
    return export_set(viewer, text);
}

Status export_set_name(Viewer *viewer, const char *name) {
    return set_text(viewer, "name", name);
}

Status export_set_folder(Viewer *viewer, const char *folder) {
    return set_text(viewer, "folder", folder);
}

Status export_use(Viewer *viewer, const char *preset) {
    Export *export = export_of(viewer);
    TRY(export_presets_settings(preset, &export->settings));
    snprintf(export->preset, PRESET_NAME, "%s", preset);
    return STATUS_OK;
}

const char *export_preset(const Viewer *viewer) {
    return export_of(viewer)->preset;
}

Status export_save(Viewer *viewer, const char *preset) {
    char settings[EXPORT_TEXT];
    (void)export_settings_text(export_settings(viewer), settings, sizeof settings);
    TRY(export_presets_save(preset, settings));
    snprintf(export_of(viewer)->preset, PRESET_NAME, "%s", preset);
    return STATUS_OK;
}

/* ---- pictures ---- */

/* Pictures of other programs are in no file, and exports read files. */
static bool shows_live(const Viewer *viewer) {
    return live_changes(viewer_title(viewer)) > 0;
}

/* The next of the pictures that a choice means, from *at of the list on; NULL behind the last. */
static const char *next_input(const Viewer *viewer, int chosen, size_t *at) {
    const FileList *open = &viewer->pictures;
    if (chosen == CHOSEN_THIS)
        return (*at)++ == 0 && viewer_picture(viewer) && !shows_live(viewer) ? viewer_title(viewer) : NULL;
    while (*at < open->count) {
        const size_t index = (*at)++;
        const bool fits = chosen == CHOSEN_SELECTED
                              ? strip_selected(viewer, index)
                              : strip_fits(viewer, index, chosen - CHOSEN_BY_RULE + RULE_UNREJECTED);
        if (!open->marks[index].scene && fits && live_changes(open->paths[index]) == 0)
            return open->paths[index];
    }
    return NULL;
}

static const char *next_chosen(const Viewer *viewer, size_t *at) {
    return next_input(viewer, (int)export_choice(viewer)->pictures, at);
}

size_t export_means(const Viewer *viewer, int pictures) {
    size_t count = 0, at = 0;
    while (next_input(viewer, pictures, &at))
        count++;
    return count;
}

size_t export_count(const Viewer *viewer) {
    return export_means(viewer, (int)export_choice(viewer)->pictures);
}

bool export_choice_words(int pictures, const char **word, const char **label) {
    static const RatingRule others[] = {{"this", "this picture"}, {"selected", "selected ones"}};
    const int rule = pictures - CHOSEN_BY_RULE + RULE_UNREJECTED;
    if (rule >= RATING_RULES)
        return false;
    const RatingRule words = pictures < CHOSEN_BY_RULE ? others[pictures] : rating_rules[rule];
    *word = words.word;
    *label = words.label;
    return true;
}

/* ---- names ---- */

static bool is_taken(const char *path, const ExportFile *files, size_t count) {
    bool taken = false;
    for (size_t i = 0; i < count && !taken; i++)
        taken = strcmp(files[i].output, path) == 0;
    return taken;
}

/* A name that no other picture of this export has, and no file unless files are replaced or skipped. */
static void find_path(const Export *export, const char *input, const ExportFile *files, size_t count, char *path,
                      size_t size) {
    const Existing existing = (Existing) export->choice.existing;
    const bool renames = existing == EXISTING_ASK || existing == EXISTING_RENAME;
    int number = 0;
    do {
        (void)export_path(&export->settings, input, number++, path, size);
    } while (number <= NUMBERS_MAX && (is_taken(path, files, count) || (renames && access(path, F_OK) == 0)));
}

size_t export_taken(const Viewer *viewer, char *first, size_t size) {
    char path[PATH_CAPACITY];
    size_t taken = 0, at = 0;
    for (const char *input; (input = next_chosen(viewer, &at));) {
        (void)export_path(export_settings(viewer), input, 0, path, sizeof path);
        if (access(path, F_OK) == 0 && taken++ == 0)
            snprintf(first, size, "%s", path);
    }
    return taken;
}

size_t export_first(const Viewer *viewer, char *buffer, size_t size) {
    size_t at = 0;
    const char *input = next_chosen(viewer, &at);
    buffer[0] = '\0';
    if (input)
        find_path(export_of(viewer), input, NULL, 0, buffer, size);
    return strlen(buffer);
}

/* ---- exports ---- */

/* The chain with the size and the sharpening of the export behind it; to be freed. NULL without memory. */
static char *make_chain(const ExportSettings *settings, const Chain *chain) {
    char links[EXPORT_LINKS];
    const size_t behind = export_links(settings, links), own = chain_format(chain, NULL, 0), size = own + behind + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    (void)chain_format(chain, text, size);
    snprintf(text + own, size - own, "%s", links + (own == 0 && behind > 0));
    return text;
}

/* With its own edits. A picture whose edits cannot be read fails by itself. */
static Status add_file(const Viewer *viewer, const char *input, ExportFile *files, size_t *count) {
    char path[PATH_CAPACITY];
    const Request *request = NULL;
    ExportFile *added = &files[(*count)++];
    const Status status = keep_request(viewer, input, &request);
    if (status == STATUS_DEVICE)
        return status;
    find_path(export_of(viewer), input, files, *count - 1, path, sizeof path);
    *added = (ExportFile){.input = strdup(input),
                          .output = strdup(path),
                          .chain = request ? make_chain(&export_of(viewer)->settings, request->chain) : strdup(""),
                          .why = request ? NULL : strdup(status_message())};
    if (request)
        added->plan = request->options;
    added->plan.type_min = export_type_min(&export_of(viewer)->settings);
    request_release(&request);
    return added->input && added->output && added->chain ? STATUS_OK
                                                         : fail(STATUS_DEVICE, "no memory for the list of files");
}

static Status list_files(const Viewer *viewer, ExportFile *files, size_t *count) {
    Status status = STATUS_OK;
    size_t at = 0;
    for (const char *input; status == STATUS_OK && (input = next_chosen(viewer, &at));)
        status = add_file(viewer, input, files, count);
    return status;
}

static ExporterOptions options_of(const Viewer *viewer) {
    const ExportSettings *settings = export_settings(viewer);
    const Existing existing = (Existing)export_choice(viewer)->existing;
    ExporterOptions options = {.device = viewer->request->device,
                               .save = export_save_options(settings),
                               .type_max = export_type_max(settings),
                               .raw = viewer->raw,
                               .strip = export_strips(settings),
                               .srgb = export_converts(settings),
                               .overwrite = existing == EXISTING_REPLACE,
                               .skip = existing == EXISTING_SKIP,
                               .threads = viewer->threads};
    snprintf(options.backend, sizeof options.backend, "%s", viewer->session->device->backend->name);
    return options;
}

Status export_begin(Viewer *viewer) {
    Export *export = export_of(viewer);
    size_t count = 0;
    if (export->exporter)
        return fail(STATUS_USAGE, "an export goes on; Esc ends it");
    if (!viewer_picture(viewer))
        return fail(STATUS_USAGE, "no picture is open to export");
    const size_t all = export_count(viewer);
    if (all == 0 && shows_live(viewer))
        return fail(STATUS_USAGE, "%s is in no file, and exports read files: Save (P) writes the result that is shown",
                    viewer_title(viewer));
    if (all == 0)
        return fail(STATUS_USAGE, "no picture is chosen to export: the strip has none with so many stars");
    export->last = (ExportProgress){0};
    ExportFile *files = calloc(all, sizeof *files);
    Status status = files ? list_files(viewer, files, &count) : fail(STATUS_DEVICE, "no memory for the list of files");
    const ExporterOptions options = options_of(viewer);
    if (status == STATUS_OK)
        return exporter_begin(&options, files, count, &export->exporter);
    export_files_free(files, count);
    return status;
}

void export_cancel(Viewer *viewer) {
    if (export_of(viewer)->exporter)
        exporter_cancel(export_of(viewer)->exporter);
}

static void note_last(Export *export, const ExporterState *state) {
    snprintf(export->written, sizeof export->written, "%s", state->written ? state->written : "");
    export->last = (ExportProgress){.done = state->done, .count = state->count};
}

/* Says how it ended, and where files are. */
static Status conclude(Viewer *viewer, ExporterState state) {
    char rest[64] = "", part[64] = "", lost[EXTRAS_TEXT] = "", path[PATH_CAPACITY] = "", what[64];
    if (state.failed > 0)
        return fail(STATUS_INPUT, "%zu of %zu pictures are exported: %s", state.done, state.count, state.why);
    if (state.cancelled)
        snprintf(rest, sizeof rest, " of %zu; the export was stopped", state.count);
    else if (state.skipped > 0)
        snprintf(rest, sizeof rest, "; skipped %zu that exist", state.skipped);
    const bool loses = image_extras_format(state.lost, lost, sizeof lost) > 0, one = state.done == 1 && !rest[0];
    snprintf(what, sizeof what, "%zu %s", state.done, state.done == 1 ? "picture" : "pictures");
    if (state.partial > 0)
        snprintf(part, sizeof part, "; %zu incomplete: the %s early", state.partial,
                 state.partial == 1 ? "file ends" : "files end");
    if (state.written)
        path_told(export_of(viewer)->written, path, sizeof path);
    viewer_say(viewer, false, "Exported %s%s%s%s%s%s%s", one ? path : what, rest,
               one || !path[0] ? "" : ". The last is ", one ? "" : path, part, loses ? "; left out: " : "", lost);
    return STATUS_OK;
}

Status export_await(Viewer *viewer) {
    Export *export = export_of(viewer);
    if (!export->exporter)
        return STATUS_OK;
    Exporter *ended = export->exporter;
    export->exporter = NULL;
    exporter_join(ended);
    const ExporterState state = exporter_state(ended);
    note_last(export, &state);
    const Status status = conclude(viewer, state);
    exporter_end(&ended);
    return status;
}

ExportProgress export_progress(const Viewer *viewer) {
    const Export *export = export_of(viewer);
    ExportProgress progress = export->last;
    progress.path = export->written[0] ? export->written : NULL;
    if (!export->exporter)
        return progress;
    const ExporterState state = exporter_state(export->exporter);
    return (ExportProgress){true, state.share, state.done, state.count, state.writing ? state.writing : state.written};
}

bool export_runs(const Viewer *viewer) {
    return export_of(viewer)->exporter != NULL;
}

static void notice_end(Viewer *viewer, double now) {
    Exporter *exporter = export_of(viewer)->exporter;
    (void)now;
    if (exporter && exporter_state(exporter).ended)
        viewer_answer(viewer, TOAST_WORK, export_await(viewer));
}

bool export_is_open(const Viewer *viewer) {
    return export_of(viewer)->open;
}

void export_open(Viewer *viewer, bool open) {
    export_of(viewer)->open = open;
}

/* Esc stops an export first. */
static bool close_export(Viewer *viewer) {
    Export *export = export_of(viewer);
    if (export->exporter && !exporter_state(export->exporter).cancelled) {
        export_cancel(viewer);
        return true;
    }
    const bool was = export->open;
    export->open = false;
    return was;
}

static void begin(void *tool) {
    ((Export *)tool)->settings = export_defaults();
}

static void end(void *tool) {
    Export *export = tool;
    if (export->exporter)
        exporter_cancel(export->exporter);
    exporter_end(&export->exporter);
}

const ToolKind export_tool = {
    .name = "export", .size = sizeof(Export), .begin = begin, .end = end, .go_on = notice_end, .close = close_export};
