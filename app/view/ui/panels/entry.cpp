/* entry.cpp: the line that is typed, and its choices. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/thumbnail_cell.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/ui/effects.h"
}

namespace {

constexpr float width_ems = 46.0f, rows = 13.5f, pad_ems = 0.55f;
constexpr float cell_width = 8.2f, cell_height = 5.4f, cell_gap = 0.6f, cell_rows = 4.4f;

bool visible(const Viewer *viewer) {
    return viewer->typing;
}

/* Words that end in an ellipsis where they do not fit. */
void clipped(const ImFont *font, ImVec2 at, float right, ImU32 tint, const char *words) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float width = font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x;
    const float dots = font->CalcTextSizeA(font->FontSize, 1e6f, 0, "…").x;
    if (right - at.x < dots)
        return;
    const char *end = nullptr;
    if (at.x + width > right)
        (void)font->CalcTextSizeA(font->FontSize, right - at.x - dots, 0, words, nullptr, &end);
    list->AddText(font, font->FontSize, at, tint, words, end);
    if (end) {
        const float shown = font->CalcTextSizeA(font->FontSize, 1e6f, 0, words, end).x;
        list->AddText(font, font->FontSize, ImVec2(at.x + shown, at.y), tint, "…");
    }
}

/* The label, dim behind it the sentence or why not, and at the right the keys. True if it is clicked. */
bool choice_row(const Overlay *overlay, const Choice &choice, bool chosen, float left) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = em(overlay, 1.55f);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const bool clicked = ImGui::InvisibleButton("choice", ImVec2(width, height));
    const ImVec2 end(at.x + width, at.y + height);
    const float pad = em(overlay, pad_ems), line = roundf(at.y + (height - overlay->regular->FontSize) / 2);
    const float below = roundf(line + overlay->regular->Ascent - overlay->small->Ascent);
    if (chosen || ImGui::IsItemHovered())
        list->AddRectFilled(at, end, chosen ? accent_deep : veil(18), em(overlay, 0.3f));
    float right = end.x - pad;
    if (choice.keys[0]) {
        const ImFont *mono = overlay->mono;
        right -= width_of(mono, choice.keys);
        list->AddText(mono, mono->FontSize,
                      ImVec2(roundf(right), roundf(line + overlay->regular->Ascent - mono->Ascent)),
                      chosen ? ink : accent, choice.keys);
        right -= pad;
    }
    ImFont *font = choice.current ? overlay->bold : overlay->regular;
    clipped(font, ImVec2(at.x + pad, line), right, choice.why_not && !chosen ? dim : ink, choice.label);
    const char *help = choice.why_not ? choice.why_not : choice.help;
    if (help) {
        const float wide = font->CalcTextSizeA(font->FontSize, 1e6f, 0, choice.label).x;
        clipped(overlay->small, ImVec2(roundf(fmaxf(at.x + left, at.x + 2 * pad + wide)), below), right,
                choice.why_not ? warm
                : chosen       ? ink
                               : dim,
                help);
    }
    if (ImGui::IsItemHovered() && help)
        say_tip("%s", help);
    return clicked;
}

/* A choice that goes on becomes the line; the action gets any other one. */
void pick(Viewer *viewer, const Choice &choice) {
    if (choice.goes_on) {
        viewer_set_entry(viewer, choice.text);
        return;
    }
    viewer->typing = false;
    action_ask(viewer, viewer->ui->entry_for, choice.text);
}

/* Scrolls so far that the row from `top` on is in sight. */
void keep_in_sight(float top, float height, float shown) {
    const float at = ImGui::GetScrollY();
    if (top < at || top + height > at + shown)
        ImGui::SetScrollY(fmaxf(top - (shown - height) / 2, 0));
}

void choice_rows(const Overlay *overlay, Viewer *viewer) {
    Interface *ui = viewer->ui;
    const float height = em(overlay, 1.55f), count = (float)ui->choices.count;
    const float most = fmaxf((float)viewer->height - em(overlay, 8.0f), 3 * height);
    const float shown = floorf(fminf(fminf(count, rows) * height, most));
    const Choice *picked = nullptr;
    float widest = 0;
    for (size_t i = 0; i < ui->choices.count; i++)
        widest = fmaxf(
            widest, overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, 0, ui->choices.list[i].label).x);
    const float left = fminf(widest + 3 * em(overlay, pad_ems), em(overlay, 16.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild("choices", ImVec2(0, shown));
    if (ui->chosen_moved && ui->chosen < ui->choices.count) {
        keep_in_sight((float)ui->chosen * height, height, shown);
    } else if (ui->chosen_moved) {
        ImGui::SetScrollY(0);
    }
    ui->chosen_moved = false;
    ImGuiListClipper clipper;
    clipper.Begin((int)ui->choices.count, height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
            ImGui::PushID(i);
            if (choice_row(overlay, ui->choices.list[i], (size_t)i == ui->chosen, left))
                picked = &ui->choices.list[i];
            ImGui::PopID();
        }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    if (picked)
        pick(viewer, *picked);
}

/* ---- choices with thumbnails: of their effects, or of scenes ---- */

/* Whether choices have thumbnails: chains act on what is open, scenes stand for themselves. */
bool has_pictures(const Viewer *viewer) {
    const Argument *argument = viewer->ui->entry_for->argument;
    return argument->scenes || (argument->preview && viewer->session->subject);
}

/* Where its thumbnail is to come; folders have none. */
Thumbnail *thumbnail_of(Overlay *overlay, Viewer *viewer, const Choice &choice) {
    char chain[2 * ENTRY_MAX];
    const Argument *argument = viewer->ui->entry_for->argument;
    if (argument->scenes)
        return choice.goes_on ? nullptr : gallery_thumbnail(overlay->gallery, choice.text);
    const size_t length = argument->preview(viewer, choice.text, chain, sizeof chain);
    return length < sizeof chain ? effects_thumbnail(overlay->effects, chain) : nullptr;
}

/* Thumbnails that are asked for from here on are the next to be made. */
Status begin_thumbnails(Overlay *overlay, const Viewer *viewer) {
    unsigned serial;
    if (viewer->ui->entry_for->argument->scenes) {
        if (!overlay->gallery)
            TRY(gallery_create(thumbnail_of_file, nullptr, &overlay->gallery));
        gallery_begin_round(overlay->gallery);
        return STATUS_OK;
    }
    Image *unfiltered = viewer_unfiltered(viewer, &serial);
    if (!overlay->effects)
        TRY(effects_create(&overlay->effects));
    effects_begin_round(overlay->effects, unfiltered, serial, request_options(viewer->request, viewer->subject));
    return STATUS_OK;
}

bool choice_cell(Overlay *overlay, Viewer *viewer, size_t index, ImVec2 size) {
    const Choice &choice = viewer->ui->choices.list[index];
    Thumbnail *thumbnail = thumbnail_of(overlay, viewer, choice);
    const bool clicked = thumbnail_cell(overlay, size, thumbnail, choice.label, index == viewer->ui->chosen);
    if (ImGui::IsItemHovered())
        say_tip("%s", thumbnail && thumbnail->failed ? thumbnail->why : choice.help);
    return clicked;
}

/* A line about the one that is chosen: its group and its sentence. */
void describe(const Overlay *overlay, const Choice *choice) {
    char words[512] = "";
    if (choice)
        snprintf(words, sizeof words, "%s%s%s", choice->group ? choice->group : "", choice->group ? " · " : "",
                 choice->help ? choice->help : "");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    clipped(overlay->regular, at, at.x + ImGui::GetContentRegionAvail().x, dim, words);
    ImGui::Dummy(ImVec2(1, ImGui::GetTextLineHeight()));
}

/* Asks for thumbnails from the last one in sight to the first: the gallery makes the last request first. */
void choice_cells(Overlay *overlay, Viewer *viewer) {
    Interface *ui = viewer->ui;
    const float frame = fmaxf(2, em(overlay, 0.2f));
    if (begin_thumbnails(overlay, viewer) != STATUS_OK)
        return report(viewer, STATUS_DEVICE);
    const float across = ImGui::GetContentRegionAvail().x - 2 * frame - ImGui::GetStyle().ScrollbarSize;
    ui->columns = (size_t)fmaxf(roundf(across / em(overlay, cell_width + cell_gap)), 1);
    const ImVec2 pitch(floorf((across + em(overlay, cell_gap)) / (float)ui->columns),
                       em(overlay, cell_height + thumbnail_name_ems + cell_gap));
    const ImVec2 size(pitch.x - em(overlay, cell_gap), em(overlay, cell_height));
    const size_t lines = (ui->choices.count + ui->columns - 1) / ui->columns;
    const float most = fmaxf((float)viewer->height - em(overlay, 12.0f), pitch.y);
    const float shown = floorf(fminf(fminf((float)lines, cell_rows) * pitch.y, most)) + 2 * frame;
    size_t picked = ui->choices.count;
    ImGui::BeginChild("choices", ImVec2(0, shown));
    if (ui->chosen_moved && ui->chosen < ui->choices.count)
        keep_in_sight(floorf((float)ui->chosen / (float)ui->columns) * pitch.y, pitch.y, shown);
    else if (ui->chosen_moved)
        ImGui::SetScrollY(0);
    ui->chosen_moved = false;
    const ImVec2 from = ImGui::GetCursorPos();
    const float scrolled = ImGui::GetScrollY();
    const size_t first = (size_t)(scrolled / pitch.y) * ui->columns;
    const size_t behind = ((size_t)((scrolled + shown) / pitch.y) + 1) * ui->columns;
    for (size_t i = behind < ui->choices.count ? behind : ui->choices.count; i-- > first;) {
        ImGui::SetCursorPos(ImVec2(from.x + frame + (float)(i % ui->columns) * pitch.x,
                                   from.y + frame + (float)(i / ui->columns) * pitch.y));
        ImGui::PushID((int)i);
        if (choice_cell(overlay, viewer, i, size))
            picked = i;
        ImGui::PopID();
    }
    ImGui::SetCursorPos(ImVec2(from.x, from.y + 2 * frame + (float)lines * pitch.y));
    ImGui::Dummy(ImVec2(1, 1));
    ImGui::EndChild();
    describe(overlay, ui->chosen < ui->choices.count ? &ui->choices.list[ui->chosen] : nullptr);
    if (picked < ui->choices.count)
        pick(viewer, ui->choices.list[picked]);
}

/* A ground behind the marked text, if the text fits in one line. */
void draw_marked(const Viewer *viewer) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float from = ImGui::CalcTextSize(viewer->entry, viewer->entry + viewer->anchor).x;
    const float to = ImGui::CalcTextSize(viewer->entry, viewer->entry + viewer->caret).x;
    if (viewer->anchor < viewer->caret && to < ImGui::GetContentRegionAvail().x)
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + from, at.y),
                                                  ImVec2(at.x + to, at.y + ImGui::GetTextLineHeight()), accent_deep);
}

/* The line with its caret, unless it stands in a slider. Below it stands the fault of the line so far, or the argument
 * to type, then the choices. */
void draw(Overlay *overlay, Viewer *viewer) {
    const Area area = viewer->area;
    if (overlay->typed_in_place)
        return;
    const float width = fminf((float)area.width - em(overlay, 2.0f), em(overlay, width_ems));
    char label[64];
    ImGui::SetNextWindowPos(
        ImVec2(roundf((float)(area.x + area.width / 2) - width / 2), (float)area.y + em(overlay, 0.75f)));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("entry", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoScrollbar);
    const Action *action = viewer->ui->entry_for;
    const bool good = viewer_check_entry(viewer) == STATUS_OK;
    ImGui::PushFont(overlay->bold);
    text(accent, "%s", action_label(action, label, sizeof label));
    ImGui::PopFont();
    ImGui::SameLine();
    wrapped(good ? dim : warm, good ? action->argument->words : status_message());
    ImGui::PushFont(overlay->mono);
    ImGui::PushTextWrapPos(0);
    draw_marked(viewer);
    ImGui::Text("%.*s▏%s", (int)viewer->caret, viewer->entry, viewer->entry + viewer->caret);
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    if (viewer->ui->choices.count > 0 && has_pictures(viewer))
        choice_cells(overlay, viewer);
    else if (viewer->ui->choices.count > 0)
        choice_rows(overlay, viewer);
    else if (action->argument->listed && !(good && action->argument->check))
        wrapped(warm, viewer->ui->no_match);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    overlay->columns[COLUMN_BOX] = {(double)at.x, (double)at.y, (double)size.x, (double)size.y};
    ImGui::SetWindowFocus();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool outside = mouse.x < at.x || mouse.y < at.y || mouse.x >= at.x + size.x || mouse.y >= at.y + size.y;
    if (action->argument->listed && outside && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        viewer->typing = false; /* as a menu does */
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_entry = {"entry", PLACE_TOP, visible, draw};
