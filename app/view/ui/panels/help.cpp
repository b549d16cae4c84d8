/* help.cpp: the page of keys, from the table of actions: a line that searches it, those that are wanted most, all by
 * menus. The glossary follows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/data/key_names.h"
#include "app/view/data/terms.h"
}

namespace {

constexpr float cell_min = 24.0f, keys_ems = 8.2f, gap_ems = 1.4f; /* of a row's cell, of its keys, between cells */
constexpr size_t few_keys = 6;                                     /* characters of digits that have room */
enum { COLUMNS_MAX = 4, WORD_MAX = 64 };

/* The twelve that matter: of rating and racing, each mode has one. */
constexpr const char *first[] = {"open",      "next-picture", "add",  "undo",    "unfiltered", "split", "fit",
                                 "inspector", "rate",         "race", "save-as", "palette",    "close"};

bool visible(const Viewer *viewer) {
    return viewer->help;
}

/* Whether each of the wanted words stands in the name, the sentence or the heading. */
bool matches(const char *wanted, const char *name, const char *sentence, const char *heading) {
    char word[WORD_MAX];
    bool all = true;
    for (const char *at = wanted + strspn(wanted, " "); *at && all; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        all = strcasestr(name, word) || strcasestr(sentence, word) || strcasestr(heading, word);
        at += length;
    }
    return all;
}

/* One key as a cap on the row's base line, if that ends before `right`; returns where the next one starts. */
float key_cap(const Overlay *overlay, ImVec2 at, float right, const char *key, size_t length) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    char label[KEY_MAX];
    key_shown(key, length, label);
    const struct { const char *key, *shown; } arrows[] = {{"Up", "↑"}, {"Down", "↓"}, {"Left", "←"}, {"Right", "→"}};
    for (const auto &arrow : arrows)
        if (strcmp(label, arrow.key) == 0)
            snprintf(label, sizeof label, "%s", arrow.shown);
    const ImFont *font = overlay->mono;
    const float wide = width_of(font, label), pad = em(overlay, 0.3f), high = em(overlay, 0.12f);
    const float width = fmaxf(wide + 2 * pad, em(overlay, 1.35f));
    const ImVec2 from(at.x, at.y - high), end(at.x + width, at.y + overlay->regular->FontSize + high);
    if (end.x > right)
        return right;
    list->AddRectFilled(from, ImVec2(end.x, end.y + em(overlay, 0.1f)), veil(22), em(overlay, 0.25f));
    list->AddRectFilled(from, end, veil(40), em(overlay, 0.25f));
    list->AddText(font, font->FontSize,
                  ImVec2(roundf(at.x + (width - wide) / 2), roundf(at.y + overlay->regular->Ascent - font->Ascent)),
                  ink, label);
    return end.x + em(overlay, 0.25f);
}

void key_caps(const Overlay *overlay, const Viewer *viewer, ImVec2 at, float right, const Action &action) {
    char here[ACTION_KEYS];
    const char *keys = action_keys_here(viewer, &action, here);
    if (!action_is_of_mode(viewer, &action))
        keys = action_keys(viewer, &action); /* in the other one */
    float x = at.x;
    if (strlen(keys) > few_keys && strspn(keys, "0123456789 ") == strlen(keys)) {
        const char *least = keys, *most = keys;
        for (const char *key = keys; *key; key += key[1] ? 2 : 1) {
            least = *key < *least ? key : least;
            most = *key > *most ? key : most;
        }
        x = key_cap(overlay, at, right, least, 1);
        ImGui::GetWindowDrawList()->AddText(ImVec2(x, at.y), dim, "…");
        key_cap(overlay, ImVec2(x + em(overlay, 1.1f), at.y), right, most, 1);
        return;
    }
    for (const char *key = keys; *key; key += strspn(key, " ")) {
        const size_t length = strcspn(key, " ");
        x = key_cap(overlay, ImVec2(x, at.y), right, key, length);
        key += length;
    }
}

/* Rows side by side in cells; a line of them is as high as its highest. */
struct Grid {
    const Overlay *overlay;
    int columns, filled; /* cells of the line that is begun */
    float cell, high;    /* pixels */
    ImVec2 corner;       /* of that line */

    Grid(const Overlay *of, float width)
        : overlay(of), columns((int)fminf(fmaxf(floorf(width / em(of, cell_min)), 1), COLUMNS_MAX)), filled(0),
          cell(width / (float)columns), high(0), corner(ImGui::GetCursorScreenPos()) {}

    void end_line() {
        if (filled > 0)
            corner.y += high + em(overlay, 0.45f);
        filled = 0;
        high = 0;
    }

    void heading(const char *words) {
        end_line();
        ImGui::GetWindowDrawList()->AddText(overlay->bold, overlay->bold->FontSize,
                                            ImVec2(corner.x, corner.y + em(overlay, 0.4f)), accent, words);
        corner.y += overlay->bold->FontSize + em(overlay, 0.85f);
    }

    ImVec2 place() const { return ImVec2(roundf(corner.x + (float)filled * cell), roundf(corner.y)); }

    /* A name with its sentence below, `indent` ems to the right. */
    void put(float indent, const char *name, const char *sentence) {
        ImDrawList *list = ImGui::GetWindowDrawList();
        const ImFont *font = overlay->regular;
        const ImVec2 at = place();
        const float left = roundf(at.x + em(overlay, indent)), line = font->FontSize;
        const float room = cell - em(overlay, indent + gap_ems);
        list->AddText(font, line, ImVec2(left, at.y), ink, name);
        list->AddText(font, line, ImVec2(left, at.y + line), dim, sentence, nullptr, room);
        high = fmaxf(high, line + font->CalcTextSizeA(line, 1e6f, room, sentence).y);
        if (++filled == columns)
            end_line();
    }

    void row(const Viewer *viewer, const Action &action) {
        char label[WORD_MAX];
        const ImVec2 at = place();
        key_caps(overlay, viewer, at, roundf(at.x + em(overlay, keys_ems)) - em(overlay, 0.2f), action);
        put(keys_ems, action_label(&action, label, sizeof label), action.help);
    }
};

void rows_of(Grid *grid, const Viewer *viewer, const char *name) {
    const char *wanted = viewer->ui->help_wanted;
    bool begun = false;
    for (size_t m = 0; m < action_table.count; m++)
        for (size_t i = 0; i < action_table.menus[m]->count; i++) {
            const Action &action = action_table.menus[m]->actions[i];
            char label[WORD_MAX];
            if (!wanted[0] && !action_is_of_mode(viewer, &action))
                continue; /* a search finds them */
            if (strcmp(action_menu(action_table.menus[m], &action), name) != 0 ||
                !matches(wanted, action_label(&action, label, sizeof label), action.help, name))
                continue;
            if (!begun)
                grid->heading(name);
            begun = true;
            grid->row(viewer, action);
        }
}

/* The terms that ladder, roofline, kernel and tile use. */
void rows_of_glossary(Grid *grid, const char *wanted) {
    bool begun = false;
    for (size_t i = 0; i < term_count; i++) {
        char names[2 * WORD_MAX];
        snprintf(names, sizeof names, "%s|%s", terms[i].name, terms[i].forms);
        if (!matches(wanted, names, terms[i].words, "Glossary"))
            continue;
        if (!begun)
            grid->heading("Glossary");
        begun = true;
        grid->put(0, terms[i].name, terms[i].words);
    }
}

/* The words that are looked for, or a line that says so. */
void search_line(const Overlay *overlay, const Viewer *viewer, float width) {
    const char *wanted = viewer->ui->help_wanted;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = ImGui::GetFrameHeight(), pad = em(overlay, 0.5f),
                y = roundf(at.y + (high - ImGui::GetFontSize()) / 2);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + high), veil(track_veil), em(overlay, 0.3f));
    list->AddText(ImVec2(at.x + pad, y), wanted[0] ? ink : dim, wanted[0] ? wanted : "type to search; Esc closes");
    if (wanted[0]) {
        const float x = roundf(at.x + pad + ImGui::CalcTextSize(wanted).x);
        list->AddRectFilled(ImVec2(x, y), ImVec2(x + fmaxf(1, roundf(overlay->scale)), y + ImGui::GetFontSize()), ink);
    }
    ImGui::Dummy(ImVec2(width, high));
}

void all_rows(const Overlay *overlay, const Viewer *viewer, float width) {
    Grid grid(overlay, width);
    const float top = grid.corner.y;
    if (!viewer->ui->help_wanted[0]) {
        grid.heading("The 12 that matter");
        for (const char *name : first) {
            const Action *action = action_by_name(name);
            char keys[ACTION_KEYS];
            if (!action_is_here(viewer, action) || action_keys_here(viewer, action, keys)[0])
                grid.row(viewer, *action);
        }
    }
    for (const char *name : menu_names)
        rows_of(&grid, viewer, name);
    rows_of_glossary(&grid, viewer->ui->help_wanted);
    grid.end_line();
    if (grid.corner.y <= top)
        text(dim, "No action and no term of the glossary has these words.");
    ImGui::Dummy(ImVec2(1, grid.corner.y - top));
}

/* The line stays on top; the wheel and keys scroll what stands below it. */
void draw(Overlay *overlay, Viewer *viewer) {
    const float edges = em(overlay, 0.5f), bar = ImGui::GetStyle().ScrollbarSize;
    const ImVec2 size((float)viewer->width - 2 * edges, (float)viewer->height - overlay->top - 2 * edges);
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(0, 0), ImGui::GetIO().DisplaySize, rgba(0, 0, 0, 130));
    ImGui::SetNextWindowPos(ImVec2(edges, overlay->top + edges)); /* below the bar of menus */
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, thin(solid_glass, 255));
    ImGui::Begin("help", nullptr, box_flags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    search_line(overlay, viewer, fminf(ImGui::GetContentRegionAvail().x, em(overlay, 30)));
    ImGui::BeginChild("keys", ImVec2(0, 0));
    ImGui::SetWindowFocus();
    if (viewer->scroll < 0 || viewer->scroll > 0)
        ImGui::SetScrollY(fminf(fmaxf(ImGui::GetScrollY() + (float)viewer->scroll * ImGui::GetWindowHeight(), 0),
                                ImGui::GetScrollMaxY()));
    viewer->scroll = 0;
    all_rows(overlay, viewer, ImGui::GetWindowWidth() - bar);
    ImGui::EndChild();
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_help = {"help", PLACE_TOP, visible, draw};
