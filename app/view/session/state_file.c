/* state_file.c: the states that are kept between runs; the table is at the bottom. */
#include "app/view/session/state_file.h"

#include "app/view/session/viewer.h"
#include "core/base/file.h"
#include "core/base/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE_MIN = 200, SIZE_MAX_KEPT = 16384 };

typedef struct Kept {
    const char *key;
    bool (*format)(const Viewer *viewer, char *buffer, size_t size); /* false: there is nothing to keep now */
    void (*take)(Viewer *viewer, const char *value);                 /* one that makes no sense changes nothing */
} Kept;

extern const Kept kept_states[];
extern const size_t kept_state_count;

/* ---- files ---- */

void state_file_take(StateFile *file, Viewer *viewer) {
    char *text = NULL;
    file->path = file_state_path("state");
    if (!file->path || access(file->path, F_OK) != 0)
        return;
    file->foreign =
        file_read_text(file->path, &text) != STATUS_OK || saved_state_parse(text, &file->state) != STATUS_OK;
    file->written = text;
    for (size_t i = 0; i < kept_state_count && !file->foreign; i++) {
        const char *value = saved_state_value(&file->state, kept_states[i].key);
        if (value)
            kept_states[i].take(viewer, value);
    }
}

bool state_file_follow(StateFile *file, const Viewer *viewer) {
    char value[SAVED_VALUE];
    bool changed = false;
    for (size_t i = 0; i < kept_state_count; i++) {
        const char *key = kept_states[i].key, *was = saved_state_value(&file->state, key);
        if (!kept_states[i].format(viewer, value, sizeof value) || (was && strcmp(was, value) == 0))
            continue;
        saved_state_set(&file->state, key, value);
        changed = true;
    }
    return changed;
}

Status state_file_write(StateFile *file) {
    char *there = NULL;
    SavedState others = {0};
    if (!file->path || file->foreign)
        return STATUS_OK;
    if (access(file->path, F_OK) == 0 && file_read_text(file->path, &there) == STATUS_OK)
        file->foreign = saved_state_parse(there, &others) != STATUS_OK;
    for (size_t i = 0; i < others.recent_count; i++)
        saved_state_put_recent(&file->state, others.recent[i], false);
    saved_state_free(&others);
    char *text = file->foreign ? NULL : saved_state_format(&file->state);
    const bool same = !text || (there && strcmp(there, text) == 0);
    const Status status = same ? STATUS_OK : rewrite_text(file->path, text, NULL);
    free(there);
    free(file->written);
    file->written = text;
    return status;
}

void state_file_free(StateFile *file) {
    saved_state_free(&file->state);
    free(file->path);
    free(file->written);
    *file = (StateFile){0};
}

/* ---- the states ---- */

static bool format_word(const char *word, char *buffer, size_t size) {
    snprintf(buffer, size, "%s", word);
    return true;
}

static bool format_window(const Viewer *viewer, char *buffer, size_t size) {
    snprintf(buffer, size, "%dx%d", viewer->width, viewer->height);
    return !viewer->full_screen;
}

static void take_window(Viewer *viewer, const char *value) {
    int width, height;
    if (sscanf(value, "%5dx%5d", &width, &height) == 2 && width >= SIZE_MIN && height >= SIZE_MIN &&
        width <= SIZE_MAX_KEPT && height <= SIZE_MAX_KEPT)
        viewer_resize(viewer, width, height);
}

static bool format_theme(const Viewer *viewer, char *buffer, size_t size) {
    return format_word(theme_infos[viewer->ui->theme].name, buffer, size);
}

static void take_theme(Viewer *viewer, const char *value) {
    for (int i = 0; i < THEMES; i++)
        if (strcmp(value, theme_infos[i].name) == 0)
            viewer->ui->theme = (ThemeName)i;
}

static bool format_ground(const Viewer *viewer, char *buffer, size_t size) {
    return format_word(ground_infos[viewer->ui->ground].name, buffer, size);
}

static void take_ground(Viewer *viewer, const char *value) {
    for (int i = 0; i < GROUNDS; i++)
        if (strcmp(value, ground_infos[i].name) == 0)
            viewer->ui->ground = (GroundName)i;
}

static const char *const modes[] = {[MODE_PICTURE] = "picture", [MODE_SPEED] = "speed"};

static bool format_mode(const Viewer *viewer, char *buffer, size_t size) {
    return viewer->mode != MODE_UNDECIDED && format_word(modes[viewer->mode], buffer, size);
}

static void take_mode(Viewer *viewer, const char *value) {
    for (int i = MODE_PICTURE; i <= MODE_SPEED; i++)
        if (strcmp(value, modes[i]) == 0)
            viewer->mode = (ViewMode)i;
}

static const char *const columns[OVERLAY_MODES] = {
    [OVERLAY_OFF] = "off", [OVERLAY_COMPACT] = "strip", [OVERLAY_FULL] = "full"};

static bool format_column(const Viewer *viewer, char *buffer, size_t size) {
    return format_word(columns[viewer->overlay], buffer, size);
}

static void take_column(Viewer *viewer, const char *value) {
    for (int i = 0; i < OVERLAY_MODES; i++)
        if (strcmp(value, columns[i]) == 0)
            viewer->overlay = (OverlayMode)i;
}

static bool format_flag(bool flag, char *buffer, size_t size) {
    return format_word(flag ? "yes" : "no", buffer, size);
}

static bool is_yes(const char *value) {
    return strcmp(value, "yes") == 0;
}

static bool format_facts(const Viewer *viewer, char *buffer, size_t size) {
    return viewer->ui->facts_asked && format_flag(viewer->facts, buffer, size);
}

static void take_facts(Viewer *viewer, const char *value) {
    viewer->ui->facts_asked = true;
    viewer->facts = is_yes(value);
}

static const char *const strips[] = {[STRIP_CLOSED] = "closed", [STRIP_OPENED] = "open"};

static bool format_strip(const Viewer *viewer, char *buffer, size_t size) {
    return viewer->strip != STRIP_UNDECIDED && format_word(strips[viewer->strip], buffer, size);
}

static void take_strip(Viewer *viewer, const char *value) {
    for (int i = STRIP_CLOSED; i <= STRIP_OPENED; i++)
        if (strcmp(value, strips[i]) == 0)
            viewer->strip = (StripChoice)i;
}

static bool format_menus(const Viewer *viewer, char *buffer, size_t size) {
    return format_flag(!viewer->ui->no_bar, buffer, size);
}

static void take_menus(Viewer *viewer, const char *value) {
    viewer->ui->no_bar = strcmp(value, "no") == 0;
}

const Kept kept_states[] = {{"window", format_window, take_window}, {"theme", format_theme, take_theme},
                            {"ground", format_ground, take_ground}, {"mode", format_mode, take_mode},
                            {"column", format_column, take_column}, {"second-column", format_facts, take_facts},
                            {"strip", format_strip, take_strip},    {"menus", format_menus, take_menus}};
const size_t kept_state_count = sizeof kept_states / sizeof kept_states[0];
