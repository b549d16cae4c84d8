/* lanes.cpp: lanes above, sectors or banks below, and a line from each lane to its place. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/lanes.hpp"

namespace {

constexpr float lane_ems = 0.62f, between_ems = 3.4f, part_ems = 0.75f;

/* The access of the line, counted through its instructions; *count: how many there are. */
const EmulatorAccess *access_of(const Listing *listing, int line, size_t wanted, size_t *count, const char **text) {
    const EmulatorAccess *found = nullptr;
    *count = 0;
    for (size_t i = 0; i < listing->instruction_count; i++) {
        const ListingInstruction *instruction = &listing->instructions[i];
        const bool here = (instruction->file == 0 && instruction->line == line) ||
                          (instruction->caller_file == 0 && instruction->caller_line == line);
        for (size_t k = 0; here && k < instruction->accesses; k++)
            if ((*count)++ <= wanted) {
                found = &listing->accesses[instruction->access + k];
                *text = instruction->text;
            }
    }
    return found;
}

/* "warp 0 reads 4 bytes a lane: 4 sectors, 4 would do" */
void format_access(const EmulatorAccess *access, const ListingLayout &layout, char *buffer, size_t size) {
    const char *deed = access->atomic ? "changes" : access->writes ? "writes" : "reads";
    if (layout.banks)
        snprintf(buffer, size, "warp %u %s %d bytes a lane of shared memory: %zu pass%s, %zu would do", access->warp,
                 deed, access->bytes, layout.passes, layout.passes == 1 ? "" : "es", layout.ideal);
    else
        snprintf(buffer, size, "warp %u %s %d bytes a lane: %zu sector%s, %zu would hold them", access->warp, deed,
                 access->bytes, layout.parts, layout.parts == 1 ? "" : "s", layout.ideal);
}

/* Where a lane's bytes lie on the row of parts, from 0 to the number of parts. */
float place_of_lane(const ListingLayout &layout, int lane) {
    const float within = layout.banks ? 0.5f : ((float)layout.offset[lane] + 0.5f) / 32;
    return (float)layout.place[lane] + within;
}

void draw_layout(const Overlay *overlay, const EmulatorAccess *access, const ListingLayout &layout) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = fminf(ImGui::GetContentRegionAvail().x, 32 * em(overlay, 1.0f));
    const float lane = width / EMULATOR_LANES, part = width / (float)fmax((double)layout.parts, 1);
    const float high = em(overlay, lane_ems), below = at.y + high + em(overlay, between_ems);
    const float line = fmaxf(1, overlay->scale), foot = em(overlay, part_ems);
    for (int i = 0; i < EMULATOR_LANES; i++) {
        const bool works = layout.place[i] != LISTING_NONE;
        const ImU32 tint = !works ? ImU32(faint) : layout.banks && layout.pass[i] > 0 ? ImU32(bad) : ImU32(accent);
        const ImVec2 from(at.x + lane * (float)i, at.y);
        list->AddRectFilled(from, ImVec2(from.x + lane - line, from.y + high), works ? tint : veil(30));
        if (works)
            list->AddLine(ImVec2(from.x + lane / 2, from.y + high),
                          ImVec2(at.x + part * place_of_lane(layout, i), below), thin(tint, 150), line);
    }
    for (size_t i = 0; i < layout.parts; i++) {
        const float from = at.x + part * (float)i;
        list->AddRectFilled(ImVec2(from, below), ImVec2(from + part - line, below + foot), veil(34));
        for (int byte = 0; !layout.banks && byte < 32; byte++)
            if (layout.used[i] >> byte & 1)
                list->AddRectFilled(ImVec2(from + (part - line) * (float)byte / 32, below),
                                    ImVec2(from + (part - line) * (float)(byte + 1) / 32, below + foot), accent);
    }
    (void)access;
    ImGui::Dummy(ImVec2(width, high + em(overlay, between_ems) + foot));
}

} // namespace

void draw_lanes(Overlay *overlay, const Listing *listing, PickedLine *picked) {
    size_t count;
    const char *instruction = "";
    const EmulatorAccess *access = access_of(listing, picked->line, picked->access, &count, &instruction);
    ListingLayout layout;
    char words[160], number[48];
    if (!access)
        return;
    picked->access = picked->access < count ? picked->access : count - 1;
    listing_layout(access, &layout);
    format_access(access, layout, words, sizeof words);
    ImGui::PushFont(overlay->small);
    wrapped(ink, words);
    ImGui::PopFont();
    draw_layout(overlay, access, layout);
    ImGui::PushFont(overlay->small);
    text(dim, layout.banks ? "32 lanes on 32 banks; red: served in a later pass" : "32 lanes on sectors of 32 bytes");
    ImGui::PopFont();
    if (chip(overlay, "before", false) && picked->access > 0)
        picked->access--;
    ImGui::SameLine();
    if (chip(overlay, "next", false) && picked->access + 1 < count)
        picked->access++;
    ImGui::SameLine();
    snprintf(number, sizeof number, "access %zu of %zu, behind barrier %u", picked->access + 1, count,
             access->barriers);
    text(dim, "%s", number);
}

void draw_ptx(Overlay *overlay, const Listing *listing, int line) {
    ImGui::PushFont(overlay->mono);
    for (size_t i = 0; i < listing->instruction_count; i++) {
        const ListingInstruction *instruction = &listing->instructions[i];
        char words[200];
        if (instruction->file != 0 || instruction->line != line)
            continue;
        snprintf(words, sizeof words, "%8.0f  %s", (double)instruction->count.warps, instruction->text);
        shorten(overlay->mono, ImGui::GetContentRegionAvail().x, words, sizeof words);
        text(dim, "%s", words);
    }
    ImGui::PopFont();
}
