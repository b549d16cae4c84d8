/* lanes.cpp: lanes above, sectors or banks below, and a line from each lane to its place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    ImGui::SameLine(0, em(overlay, 0.3f));
    if (chip(overlay, "next", false) && picked->access + 1 < count)
        picked->access++;
    ImGui::SameLine(0, em(overlay, 0.5f));
    snprintf(number, sizeof number, "access %zu of %zu, behind barrier %u", picked->access + 1, count,
             access->barriers);
    text(dim, "%s", number);
}

namespace {

enum { BANKS = 32, WORD = 4, TILE_WORDS = 1 << 14 };
constexpr size_t rows_shown = 64;
constexpr float tile_ems = 9.0f; /* of its height at most */

/* The words of shared memory by what has happened to them. */
struct Tile {
    bool written[TILE_WORDS]; /* before these barriers, or between them */
    bool now[TILE_WORDS];     /* between them */
    bool read[TILE_WORDS];    /* the same */
    unsigned barriers;        /* the largest number of them that an access has behind it */
    size_t words;
};

bool is_shared(const Listing *listing, const EmulatorAccess &access) {
    const ListingInstruction &instruction = listing->instructions[access.row];
    return access.space == EMULATOR_SHARED && instruction.kernel == 0;
}

void note_access(Tile *tile, const EmulatorAccess &access, unsigned barriers) {
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        for (uint64_t byte = 0; access.lanes >> lane & 1 && byte < access.bytes; byte += WORD) {
            const uint64_t word = (access.address[lane] + byte) / WORD;
            if (word >= TILE_WORDS)
                continue;
            tile->words = (size_t)fmax((double)tile->words, (double)word + 1);
            tile->written[word] |= access.writes && access.barriers <= barriers;
            tile->now[word] |= access.writes && access.barriers == barriers;
            tile->read[word] |= !access.writes && access.barriers == barriers;
        }
}

void draw_words(const Overlay *overlay, const Tile &tile) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const size_t rows = (tile.words + BANKS - 1) / BANKS, shown = rows < rows_shown ? rows : rows_shown;
    const float width = fminf(ImGui::GetContentRegionAvail().x, BANKS * em(overlay, 0.8f)),
                line = fmaxf(1, overlay->scale);
    const float wide = width / BANKS, high = fminf(em(overlay, 0.6f), em(overlay, tile_ems) / (float)shown);
    for (size_t word = 0; word < tile.words && word < shown * BANKS; word++) {
        const ImVec2 from(at.x + wide * (float)(word % BANKS), at.y + high * (float)(word / BANKS));
        const ImVec2 to(from.x + wide - line, from.y + fmaxf(high - line, 1));
        const ImU32 tint = tile.now[word] ? ImU32(accent) : tile.written[word] ? thin(accent, 110) : veil(28);
        list->AddRectFilled(from, to, tint);
        if (tile.read[word])
            list->AddRectFilled(from, ImVec2(to.x, from.y + fmaxf((to.y - from.y) / 3, 1)), warm);
    }
    ImGui::Dummy(ImVec2(width, high * (float)shown + line));
}

} // namespace

void draw_tile(Overlay *overlay, const Listing *listing, PickedLine *picked) {
    static Tile tile; /* too large for a stack; one thread draws */
    char words[96];
    tile = {};
    for (size_t i = 0; i < listing->access_count; i++)
        if (is_shared(listing, listing->accesses[i]))
            tile.barriers =
                listing->accesses[i].barriers > tile.barriers ? listing->accesses[i].barriers : tile.barriers;
    picked->barriers = picked->barriers < tile.barriers ? picked->barriers : tile.barriers;
    for (size_t i = 0; i < listing->access_count; i++)
        if (is_shared(listing, listing->accesses[i]))
            note_access(&tile, listing->accesses[i], picked->barriers);
    if (tile.words == 0)
        return;
    gap(overlay, 0.3f);
    snprintf(words, sizeof words, "shared memory of the first block, behind %u of %u barriers%s", picked->barriers,
             tile.barriers, listing->kernels[0].cut ? "; some accesses were not kept" : "");
    ImGui::PushFont(overlay->small);
    wrapped(ink, words);
    ImGui::PopFont();
    draw_words(overlay, tile);
    ImGui::PushFont(overlay->small);
    wrapped(
        dim,
        "A row has the 32 banks. Blue: written, bright since the last barrier; orange: read since then; the first 8 "
        "times of each instruction count.");
    ImGui::PopFont();
    if (chip(overlay, "barrier before", false) && picked->barriers > 0)
        picked->barriers--;
    ImGui::SameLine(0, em(overlay, 0.3f));
    if (chip(overlay, "next barrier", false) && picked->barriers < tile.barriers)
        picked->barriers++;
}

/* A row of code, as small as the source's. */
template <size_t SIZE> static void code_row(Overlay *overlay, char (&words)[SIZE]) {
    const float scale = overlay->small->FontSize / overlay->mono->FontSize;
    shorten(overlay->mono, ImGui::GetContentRegionAvail().x / scale, words, SIZE);
    ImGui::PushFont(overlay->mono);
    ImGui::SetWindowFontScale(scale);
    text(dim, "%s", words);
    ImGui::SetWindowFontScale(1);
    ImGui::PopFont();
}

void draw_sass(Overlay *overlay, const Listing *listing, int line, const char *why_not) {
    size_t count = 0;
    for (size_t i = 0; i < listing->sass_count; i++) {
        char words[200];
        if (listing->sass[i].file != 0 || listing->sass[i].line != line)
            continue;
        snprintf(words, sizeof words, "%s", listing->sass[i].text);
        code_row(overlay, words);
        count++;
    }
    if (count == 0)
        wrapped(dim, why_not);
}

void draw_ptx(Overlay *overlay, const Listing *listing, int line) {
    for (size_t i = 0; i < listing->instruction_count; i++) {
        const ListingInstruction *instruction = &listing->instructions[i];
        char words[200];
        if (instruction->file != 0 || instruction->line != line)
            continue;
        snprintf(words, sizeof words, "%8.0f  %s", (double)instruction->count.warps, instruction->text);
        code_row(overlay, words);
    }
}
