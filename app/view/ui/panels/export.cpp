/* export.cpp: how pictures are written, and the export that goes on. */
#include <stdio.h>
#include <string.h>

#include "app/view/ui/controls.hpp"
#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/param_rows.hpp"
#include "app/view/ui/table_rows.hpp"

extern "C" {
#include "app/export/presets.h"
#include "app/view/actions/dispatch.h"
#include "app/view/session/paths.h"
#include "app/view/tools/export.h"
}

namespace {

constexpr float button_ems = 1.7f;

bool visible(const Viewer *viewer) {
    return export_is_open(viewer) && viewer_picture(viewer);
}

void ask(Viewer *viewer, const Param *param, double number) {
    char line[96];
    size_t length = 0;
    const char *word = param->kind == PARAM_CHOICE ? param_choice(param, (size_t)number, &length) : nullptr;
    if (word)
        snprintf(line, sizeof line, "%s=%.*s", param->name, (int)length, word);
    else
        snprintf(line, sizeof line, "%s=%.6g", param->name, number);
    action_ask(viewer, action_by_name("export-set"), line);
}

void rows_of(Overlay *overlay, Viewer *viewer, const ParamTable &table, const void *values) {
    RowChange changes[ROW_CHANGES];
    const size_t count = table_rows(overlay, viewer, table, values, 0, changes);
    for (size_t i = 0; i < count; i++)
        ask(viewer, changes[i].param, changes[i].number);
}

void ask_of(Viewer *viewer, const char *action, const char *text) {
    action_ask(viewer, action_by_name(action), text);
}

/* The file is read while the list is open. */
void draw_presets(const Overlay *overlay, Viewer *viewer) {
    const char *now = export_preset(viewer);
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##export preset", now[0] ? now : "presets", ImGuiComboFlags_HeightLargest))
        return;
    close_menu(overlay);
    ExportPresets presets;
    if (export_presets_load(&presets) != STATUS_OK)
        text(dim, "%s", status_message());
    for (size_t i = 0; i < presets.count; i++) {
        if (ImGui::Selectable(presets.list[i].name, strcmp(presets.list[i].name, now) == 0))
            ask_of(viewer, "export-preset", presets.list[i].name);
        if (ImGui::IsItemHovered())
            say_tip("%s", presets.list[i].settings);
    }
    if (presets.count > 0)
        ImGui::Separator();
    if (ImGui::Selectable("Save these settings …"))
        ask_of(viewer, "save-export-preset", nullptr);
    if (presets.count > 0 && ImGui::Selectable("Remove a preset …"))
        ask_of(viewer, "remove-export-preset", nullptr);
    export_presets_free(&presets);
    ImGui::EndCombo();
}

float left_of_values(const Overlay *overlay) {
    return ImGui::GetStyle().WindowPadding.x + column(overlay, 5.0f, 0);
}

/* "selected ones (3)" */
void format_choice(const Viewer *viewer, int pictures, char *buffer, size_t size) {
    const char *word = "", *label = "";
    (void)export_choice_words(pictures, &word, &label);
    snprintf(buffer, size, "%s (%zu)", label, export_means(viewer, pictures));
}

/* The list says how many pictures each choice means. */
void draw_pictures(const Overlay *overlay, Viewer *viewer, const Param &param) {
    const int now = (int)export_choice(viewer)->pictures;
    const char *word, *label;
    char line[96];
    row_name("", param.name, param.help, left_of_values(overlay));
    ImGui::SetNextItemWidth(-1);
    format_choice(viewer, now, line, sizeof line);
    if (!ImGui::BeginCombo("##pictures", line, ImGuiComboFlags_HeightLargest))
        return;
    close_menu(overlay);
    for (int i = 0; export_choice_words(i, &word, &label); i++) {
        format_choice(viewer, i, line, sizeof line);
        if (ImGui::Selectable(line, i == now))
            ask(viewer, &param, i);
    }
    ImGui::EndCombo();
}

/* The format first, its own options behind it, then the others. */
void draw_settings(Overlay *overlay, Viewer *viewer) {
    const ParamTable all = export_table(), choice = export_choice_table();
    const ExportSettings *settings = export_settings(viewer);
    rows_of(overlay, viewer, {all.params, 1, all.size}, settings);
    rows_of(overlay, viewer, export_options_table(settings), settings->options);
    rows_of(overlay, viewer, {all.params + 1, all.count - 1, all.size}, settings);
    draw_pictures(overlay, viewer, choice.params[0]);
    rows_of(overlay, viewer, {choice.params + 1, choice.count - 1, choice.size}, export_choice(viewer));
}

/* A text that a click on it edits. */
void draw_text(const Overlay *overlay, Viewer *viewer, const char *row, const char *help, const char *value,
               const char *action) {
    row_name("", row, help, left_of_values(overlay));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (ImGui::GetFrameHeight() - overlay->small->FontSize) / 2 -
                         em(overlay, 0.15f));
    if (chip(overlay, value, false))
        ask_of(viewer, action, nullptr);
    if (ImGui::IsItemHovered())
        say_tip("%s", help);
}

void draw_place(const Overlay *overlay, Viewer *viewer) {
    const ExportSettings *settings = export_settings(viewer);
    draw_text(overlay, viewer, "folder", "where files go: next to each picture, or a folder that you choose",
              settings->folder[0] ? settings->folder : "next to the picture", "export-folder");
    draw_text(overlay, viewer, "name", "the name of exported files in the folder: {stem} is the picture's",
              settings->name, "export-name");
}

/* The file that was written last, or is written now; and the first one of an export that is not begun. */
void draw_files(const Overlay *overlay, Viewer *viewer) {
    char path[PATH_CAPACITY], told[PATH_CAPACITY], line[PATH_CAPACITY + 64];
    const ExportProgress progress = export_progress(viewer);
    const size_t count = export_count(viewer);
    ImGui::PushFont(overlay->small);
    if (progress.path) {
        snprintf(line, sizeof line, "%s %s",
                 progress.goes_on ? "Writing" : "Written:", path_told(progress.path, told, sizeof told));
        wrapped(progress.goes_on ? ink : dim, line);
    }
    if (!progress.goes_on && export_first(viewer, path, sizeof path) > 0) {
        snprintf(line, sizeof line, count == 1 ? "%zu file: %s" : "%zu files, the first: %s", count,
                 path_told(path, told, sizeof told));
        wrapped(dim, line);
    }
    ImGui::PopFont();
}

void draw_button(const Overlay *overlay, Viewer *viewer) {
    const ImVec2 size(-1, em(overlay, button_ems));
    char words[64];
    const ExportProgress progress = export_progress(viewer);
    if (progress.goes_on) {
        snprintf(words, sizeof words, "%zu of %zu", progress.done, progress.count);
        ImGui::ProgressBar((float)progress.share, size, words);
        if (button(overlay, BUTTON_PLAIN, "stop", nullptr, "Stop (Esc)", -1))
            ask_of(viewer, "stop-export", nullptr);
        return;
    }
    const size_t all = export_count(viewer);
    if (all == 1)
        snprintf(words, sizeof words, "Export this picture");
    else
        snprintf(words, sizeof words, "Export %zu pictures", all);
    if (button(overlay, BUTTON_PRIMARY, "export", "export-panel", words, -1))
        ask_of(viewer, "export", nullptr);
}

void draw(Overlay *overlay, Viewer *viewer) {
    if (!heading(overlay, "Export", nullptr))
        return;
    draw_settings(overlay, viewer);
    draw_place(overlay, viewer);
    draw_button(overlay, viewer);
    draw_files(overlay, viewer);
    draw_presets(overlay, viewer);
}

} // namespace

const Panel panel_export = {"export", PLACE_LOOK, visible, draw, false, false, true};
