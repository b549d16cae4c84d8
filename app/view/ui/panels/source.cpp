/* source.cpp: the text of a kernel file. The words of the compiler, and of a fault, stand at their lines; without any,
 * the section shows the kernel of the shown level. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/lanes.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/session/structure.h"
#include "app/view/tools/kernel_files.h"
}

namespace {

constexpr int around = 4;         /* lines before and behind one with words */
constexpr float code_ems = 34.0f; /* of the widest line that the column grows for */

bool visible(const Viewer *viewer) {
    const KernelSource *source = kernel_files_shown(viewer);
    return (source && source->why[0]) || (kernel_files_section(viewer) && viewer_level(viewer));
}

/* Whether words stand near the line. */
bool is_near(const KernelSource *source, int line) {
    for (size_t i = 0; i < source->note_count; i++)
        if (source->notes[i].line > 0 && line >= source->notes[i].line - around &&
            line <= source->notes[i].line + around)
            return true;
    return false;
}

bool has_note(const KernelSource *source, int line, bool *error) {
    bool has = false;
    *error = false;
    for (size_t i = 0; i < source->note_count; i++)
        if (source->notes[i].line == line) {
            has = true;
            *error |= source->notes[i].error;
        }
    return has;
}

float number_width(const Overlay *overlay) {
    return overlay->mono->CalcTextSizeA(overlay->small->FontSize, 1e6f, 0, "0000 ").x;
}

/* Tabs as four blanks. */
void expand(const char *words, char *shown, size_t size) {
    size_t length = 0;
    for (const char *from = words; *from && length + 5 < size; from++)
        if (*from == '\t')
            length += (size_t)snprintf(shown + length, 5, "    ");
        else
            shown[length++] = *from;
    shown[length] = '\0';
}

/* A line's number and text, up to `right`; the column grows for it, up to a width. True if it is cut. */
bool draw_code(Overlay *overlay, int line, const char *words, ImVec2 at, float right, ImU32 tint) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float size = overlay->small->FontSize, high = roundf(size * 1.3f), left = at.x + number_width(overlay);
    char number[16], shown[512];
    expand(words, shown, sizeof shown);
    const float wide = overlay->mono->CalcTextSizeA(size, 1e6f, 0, shown).x;
    snprintf(number, sizeof number, "%4d", line);
    list->AddText(overlay->mono, size, ImVec2(at.x + em(overlay, 0.25f), at.y + (high - size) / 2), faint, number);
    list->PushClipRect(ImVec2(left, at.y), ImVec2(right, at.y + high), true);
    list->AddText(overlay->mono, size, ImVec2(left + em(overlay, 0.25f), at.y + (high - size) / 2), tint, shown);
    list->PopClipRect();
    need_up_to(overlay, fminf(left + wide + em(overlay, 0.5f) - ImGui::GetWindowPos().x, em(overlay, code_ems)));
    return left + wide > right;
}

/* A line with words has a bar at its left and a ground. */
void draw_line(Overlay *overlay, const KernelSource *source, int line) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float high = roundf(overlay->small->FontSize * 1.3f), width = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + width, at.y + high);
    bool error;
    if (has_note(source, line, &error)) {
        list->AddRectFilled(at, end, veil(26));
        list->AddRectFilled(at, ImVec2(at.x + em(overlay, 0.18f), end.y), error ? bad : warm);
    }
    const bool cut = draw_code(overlay, line, source->lines[line - 1], at, end.x, ink);
    ImGui::Dummy(ImVec2(1, high));
    if (cut && ImGui::IsMouseHoveringRect(at, end))
        say_tip("%s", source->lines[line - 1]);
}

/* The words about a line below it, the column marked by where they begin. */
void draw_notes(Overlay *overlay, const KernelSource *source, int line) {
    for (size_t i = 0; i < source->note_count; i++) {
        const KernelNote *note = &source->notes[i];
        char words[KERNEL_NOTE_TEXT + 16];
        if (note->line != line)
            continue;
        snprintf(words, sizeof words, "%s%s", note->error ? "" : "warning: ", note->text);
        ImGui::PushFont(overlay->small);
        ImGui::Indent(number_width(overlay));
        wrapped(note->error ? bad : warm, words);
        ImGui::Unindent(number_width(overlay));
        ImGui::PopFont();
    }
}

void draw_lines(Overlay *overlay, const KernelSource *source, bool all) {
    bool gap_due = false, any = false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    for (int line = 1; line <= (int)source->line_count; line++) {
        const bool shown = all || is_near(source, line);
        gap_due |= !shown && any;
        if (!shown)
            continue;
        if (gap_due)
            text(faint, "   ⋯");
        gap_due = false;
        any = true;
        draw_line(overlay, source, line);
        draw_notes(overlay, source, line);
    }
    ImGui::PopStyleVar();
}

/* ---- the listing of an emulated level ---- */

/* The listing of the shown level, if it was made. */
const Listing *listing_of(const Viewer *viewer) {
    const Session *session = viewer->session;
    const bool current = session->listing && session->listing_of == viewer_level(viewer) &&
                         session->listing_job == session->job_serial && session->listing->file_count > 0;
    return current ? session->listing : nullptr;
}

/* The three bars before a line. Functions that are inlined into it count for the line. */
constexpr struct {
    const char *column;
    Tint tint;
} bars[] = {{"instructions", accent}, {"global_sectors", warm}, {"conflicts", {SHADE_RED}}};
constexpr size_t bar_count = sizeof bars / sizeof bars[0];
constexpr float bar_ems = 1.5f;

double value_of(const ListingColumn *column, const ListingLine &line) {
    const double own = column->value(&line.count), called = column->value(&line.called);
    return (isnan(own) ? 0 : own) + (isnan(called) ? 0 : called);
}

void tell_line(const ListingLine &line, bool cut) {
    char words[900] = "";
    size_t length = cut ? (size_t)snprintf(words, sizeof words, "%.280s\n", line.text + strspn(line.text, " \t")) : 0;
    for (size_t i = 0; i < listing_column_count && length < sizeof words; i++) {
        const ListingColumn &column = listing_columns[i];
        const double value = column.ratio || column.share ? column.value(&line.count) : value_of(&column, line);
        const char *format = column.share ? "%s%s %.0f %%" : value == floor(value) ? "%s%s %.0f" : "%s%s %.4g";
        if (!isnan(value) && value != 0)
            length += (size_t)snprintf(words + length, sizeof words - length, format, length > 0 ? "\n" : "",
                                       column.title, column.share ? 100 * value : value);
    }
    say_tip("%s", words[0] ? words : "no instruction was made of this line");
}

void draw_bars(const Overlay *overlay, const ListingFile &file, const ListingLine &line, ImVec2 at, float high) {
    for (size_t b = 0; b < bar_count; b++) {
        const ListingColumn *column = listing_column(bars[b].column);
        double most = 0;
        for (int i = 0; i < file.count; i++)
            most = fmax(most, value_of(column, file.lines[i]));
        const float wide = em(overlay, bar_ems), x = at.x + (float)b * em(overlay, bar_ems + 0.2f);
        const float share = most > 0 ? (float)(value_of(column, line) / most) : 0;
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, at.y + 0.25f * high),
                                                  ImVec2(x + wide * share, at.y + 0.75f * high), bars[b].tint);
    }
}

void listing_line(Overlay *overlay, const Listing *listing, int number, PickedLine *picked) {
    const ListingFile &file = listing->files[0];
    const ListingLine &line = file.lines[number - 1];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = roundf(overlay->small->FontSize * 1.3f), width = ImGui::GetContentRegionAvail().x;
    const bool worst = listing->offence.file == 0 && listing->offence.line == number;
    ImGui::PushID(number);
    const bool clicked = ImGui::InvisibleButton("line", ImVec2(width, high));
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (picked->line == number || hovered)
        list->AddRectFilled(at, ImVec2(at.x + width, at.y + high),
                            picked->line == number ? accent_veil : ImU32(veil(18)));
    if (worst)
        list->AddRectFilled(at, ImVec2(at.x + em(overlay, 0.18f), at.y + high), warm);
    draw_bars(overlay, file, line, ImVec2(at.x + em(overlay, 0.3f), at.y), high);
    const ImVec2 text_at(at.x + (float)bar_count * em(overlay, bar_ems + 0.2f) + em(overlay, 0.3f), at.y);
    const bool cut =
        draw_code(overlay, number, line.text, text_at, at.x + width, line.instructions > 0 ? ImU32(ink) : ImU32(dim));
    if (hovered)
        tell_line(line, cut);
    if (clicked)
        *picked = {number, 0, picked->ptx, picked->sass, picked->barriers};
}

/* The sentence at the worst line, and a close look at the picked one. */
void listing_below(Overlay *overlay, const Session *session, int number, PickedLine *picked) {
    const Listing *listing = session->listing;
    const bool asked = session->code_job == session->job_serial;
    if (listing->offence.file == 0 && listing->offence.line == number) {
        ImGui::PushFont(overlay->small);
        wrapped(warm, listing->offence.text);
        ImGui::PopFont();
    }
    if (picked->line != number)
        return;
    draw_lanes(overlay, listing, picked);
    if (chip(overlay, "PTX", picked->ptx))
        picked->ptx = !picked->ptx;
    ImGui::SameLine(0, em(overlay, 0.4f));
    if (chip(overlay, "SASS", picked->sass))
        picked->sass = !picked->sass;
    if (ImGui::IsItemHovered())
        say_tip("The machine code of a Hopper GPU, by ptxas and nvdisasm of the CUDA toolkit");
    if (picked->ptx)
        draw_ptx(overlay, listing, number);
    if (picked->sass)
        draw_sass(overlay, listing, number,
                  !asked                ? "The machine code is being made."
                  : session->no_code[0] ? session->no_code
                                        : "No machine code was made of this line alone.");
}

void draw_listing(Overlay *overlay, Viewer *viewer, const Listing *listing) {
    const ListingFile &file = listing->files[0];
    PickedLine *picked = kernel_files_picked(viewer);
    const int first = file.first > 3 ? file.first - 2 : 1,
              last = file.last + 2 < file.count ? file.last + 2 : file.count;
    ImGui::PushFont(overlay->small);
    wrapped(dim, "Bars: instructions, sectors of global memory, bank conflicts. A click on a line shows its lanes.");
    ImGui::PopFont();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    for (int number = first; number <= last; number++) {
        listing_line(overlay, listing, number, picked);
        listing_below(overlay, viewer->session, number, picked);
    }
    draw_tile(overlay, listing, picked);
    ImGui::PopStyleVar();
}

void draw_source(Overlay *overlay, Viewer *viewer, const KernelSource *source) {
    bool placed = false;
    for (size_t i = 0; i < source->note_count; i++)
        placed |= source->notes[i].line > 0;
    if (!source->compiled)
        marked(overlay, bad, "It does not compile; the next save that does is shown.");
    else if (source->why[0])
        marked(overlay, bad, "A run failed.");
    if (source->why[0] && !placed)
        wrapped(ink, source->why);
    draw_notes(overlay, source, 0);
    draw_lines(overlay, source, !placed || kernel_files_section(viewer));
}

void draw(Overlay *overlay, Viewer *viewer) {
    const KernelSource *source = kernel_files_shown(viewer);
    const Listing *listing = listing_of(viewer);
    const bool lists = listing && !(source && source->why[0]);
    char name[96];
    snprintf(name, sizeof name, "%s",
             lists    ? base_name(listing->files[0].name)
             : source ? base_name(source->path)
                      : "");
    shorten(overlay->regular, em(overlay, 12), name, sizeof name);
    if (!heading(overlay, "Source", name))
        return;
    if (lists)
        draw_listing(overlay, viewer, listing);
    else if (source)
        draw_source(overlay, viewer, source);
    else
        wrapped(dim, "The emulated GPU shows the text of its levels, with counts (g).");
}

} // namespace

const Panel panel_source = {"source", PLACE_LOOK, visible, draw, false, false, true};
