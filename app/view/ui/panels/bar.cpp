/* bar.cpp: the menus along the top, and the tools that people look for first at their right. */
#include <math.h>

#include "app/view/ui/controls.hpp"
#include "app/view/ui/menus.hpp"
#include "app/view/ui/panels/panel.hpp"

namespace {

constexpr float gap_ems = 0.4f, below_ems = 3.2f; /* tips: below the pills of a split */

/* How much of the bar has words: with less room, icons stand alone. The menus are the last that fold, into one. */
enum Words { WORDS_NONE, WORDS_OF_TOOLS, WORDS_ALL };
struct Form {
    bool folded; /* the menus */
    Words words;
};
constexpr Form forms[] = {{false, WORDS_ALL}, {false, WORDS_OF_TOOLS}, {false, WORDS_NONE},
                          {true, WORDS_ALL},  {true, WORDS_OF_TOOLS},  {true, WORDS_NONE}};

bool visible(const Viewer *viewer) {
    return !viewer->ui->no_bar && viewer->overlay != OVERLAY_OFF;
}

/* Below the bar, its right end there. */
void tool_tip(const Overlay *overlay, const Viewer *viewer, const Action &action) {
    char keys[ACTION_KEYS];
    const ImVec2 end = ImGui::GetItemRectMax();
    if (viewer->typing || viewer->menu)
        return;
    ImGui::SetNextWindowPos(ImVec2(end.x, end.y + em(overlay, below_ems)), 0, ImVec2(1, 0));
    say_keys(overlay, action.help, action_keys_here(viewer, &action, keys));
}

/* ---- comparing ---- */

/* The first one is no action: it ends the other that goes on. */
constexpr struct {
    const char *icon, *words, *action;
    Compare compare;
} comparisons[] = {{"alone", "Off", nullptr, COMPARE_NONE},
                   {"split", "Split", "split", COMPARE_SPLIT},
                   {"side-by-side", "Sides", "side-by-side", COMPARE_SIDES},
                   {"flicker", "Flicker", "flicker", COMPARE_FLICKER},
                   {"difference", "Difference", "difference", COMPARE_DIFFERENCE}};
constexpr size_t comparison_count = sizeof comparisons / sizeof comparisons[0];

size_t comparison_of(const Viewer *viewer) {
    size_t i = 0;
    while (i + 1 < comparison_count && comparisons[i].compare != viewer->compare)
        i++;
    return i;
}

void fill_comparisons(Words words, Segment *list) {
    for (size_t i = 0; i < comparison_count; i++)
        list[i] = {comparisons[i].icon, words == WORDS_ALL ? comparisons[i].words : nullptr};
}

float compare_width(const Overlay *overlay, Words words) {
    Segment list[comparison_count];
    fill_comparisons(words, list);
    return segments_width(overlay, list, comparison_count);
}

void draw_compare(Overlay *overlay, Viewer *viewer, Words words) {
    Segment list[comparison_count];
    const size_t now = comparison_of(viewer);
    fill_comparisons(words, list);
    const Segments state = segments(overlay, "compare", list, comparison_count, now);
    const size_t of = state.clicked == 0 ? now : state.clicked;
    if (state.clicked != now && state.clicked < comparison_count)
        action_ask(viewer, action_by_name(comparisons[of].action), nullptr);
    if (state.hovered > 0 && state.hovered < comparison_count)
        tool_tip(overlay, viewer, *action_by_name(comparisons[state.hovered].action));
}

/* ---- the two modes ---- */

void fill_modes(Words words, Segment *list) {
    list[0] = {"photograph", words == WORDS_NONE ? nullptr : "Picture"};
    list[1] = {"gauge", words == WORDS_NONE ? nullptr : "Speed"};
}

float mode_width(const Overlay *overlay, Words words) {
    Segment list[2];
    fill_modes(words, list);
    return segments_width(overlay, list, 2);
}

void draw_mode(Overlay *overlay, Viewer *viewer, Words words) {
    Segment list[2];
    const size_t now = viewer_shows_speed(viewer) ? 1 : 0;
    const Action *action = action_by_name("speed");
    fill_modes(words, list);
    const Segments state = segments(overlay, "mode", list, 2, now);
    if (state.clicked < 2 && state.clicked != now)
        action_ask(viewer, action, nullptr);
    if (state.hovered < 2)
        tool_tip(overlay, viewer, *action);
}

/* ---- the ground ---- */

float ground_width(const Overlay *overlay, Words) {
    return button_width(overlay, "ground", nullptr);
}

/* One of the greys; the theme's own has a dark and a light half. */
void swatch(const Overlay *overlay, Viewer *viewer, GroundName ground) {
    const float side = ImGui::GetFrameHeight(), line = fmaxf(1, roundf(overlay->scale));
    const unsigned grey = (unsigned)ground_grey(ground, viewer->ui->theme);
    const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + side, at.y + side);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (ImGui::InvisibleButton(ground_infos[ground].name, ImVec2(side, side))) {
        action_ask(viewer, action_by_name("ground"), ground_infos[ground].name);
        ImGui::CloseCurrentPopup();
    }
    list->AddRectFilled(at, end, rgba(grey, grey, grey), em(overlay, 0.2f));
    if (ground == GROUND_THEME) {
        const unsigned dark = (unsigned)ground_grey(ground, THEME_DARK),
                       light = (unsigned)ground_grey(ground, THEME_LIGHT);
        list->AddTriangleFilled(at, ImVec2(end.x, at.y), ImVec2(at.x, end.y), rgba(dark, dark, dark));
        list->AddTriangleFilled(ImVec2(end.x, at.y), end, ImVec2(at.x, end.y), rgba(light, light, light));
    }
    const bool chosen = viewer->ui->ground == ground;
    list->AddRect(at, end, chosen ? ImU32(accent) : veil(80), em(overlay, 0.2f), 0, chosen ? 2 * line : line);
    if (ImGui::IsItemHovered())
        say_tip("%s: %s", ground_infos[ground].name, ground_infos[ground].help);
}

void draw_ground(Overlay *overlay, Viewer *viewer, Words) {
    if (button(overlay, BUTTON_PLAIN, "ground", "ground", nullptr))
        ImGui::OpenPopup("grounds");
    if (ImGui::IsItemHovered())
        tool_tip(overlay, viewer, *action_by_name("ground"));
    if (!ImGui::BeginPopup("grounds"))
        return;
    close_menu(overlay);
    for (int i = 0; i < GROUNDS; i++) {
        if (i > 0)
            ImGui::SameLine(0, em(overlay, gap_ems));
        swatch(overlay, viewer, (GroundName)i);
    }
    ImGui::EndPopup();
}

/* ---- actions ---- */

float word_width(const Overlay *overlay, const char *action, const char *word, Words words) {
    return button_width(overlay, action, words == WORDS_NONE ? nullptr : word);
}

void draw_word(Overlay *overlay, Viewer *viewer, ButtonKind kind, const char *name, const char *word, Words words) {
    const Action *action = action_by_name(name);
    if (button(overlay, kind, name, name, words == WORDS_NONE ? nullptr : word))
        action_ask(viewer, action, nullptr);
    if (ImGui::IsItemHovered())
        tool_tip(overlay, viewer, *action);
}

float race_width(const Overlay *overlay, Words words) {
    return word_width(overlay, "race", "Race", words);
}
void draw_race(Overlay *overlay, Viewer *viewer, Words words) {
    draw_word(overlay, viewer, BUTTON_PLAIN, "race", "Race", words);
}
float open_width(const Overlay *overlay, Words words) {
    return word_width(overlay, "open", "Open", words);
}
void draw_open(Overlay *overlay, Viewer *viewer, Words words) {
    draw_word(overlay, viewer, BUTTON_PLAIN, "open", "Open", words);
}
float save_width(const Overlay *overlay, Words words) {
    return word_width(overlay, "save-as", "Save", words);
}
void draw_save(Overlay *overlay, Viewer *viewer, Words words) {
    draw_word(overlay, viewer, BUTTON_PRIMARY, "save-as", "Save", words);
}
float help_width(const Overlay *overlay, Words) {
    return word_width(overlay, "help", nullptr, WORDS_NONE);
}
void draw_help(Overlay *overlay, Viewer *viewer, Words) {
    draw_word(overlay, viewer, BUTTON_PLAIN, "help", nullptr, WORDS_NONE);
}

/* ---- the row ---- */

constexpr struct {
    float (*width)(const Overlay *overlay, Words words);
    void (*draw)(Overlay *overlay, Viewer *viewer, Words words);
    bool (*shown)(const Viewer *viewer); /* nullptr: always */
} tools[] = {{race_width, draw_race, viewer_shows_speed},
             {mode_width, draw_mode, nullptr},
             {compare_width, draw_compare, nullptr},
             {ground_width, draw_ground, nullptr},
             {open_width, draw_open, nullptr},
             {save_width, draw_save, nullptr},
             {help_width, draw_help, nullptr}};
constexpr size_t tool_count = sizeof tools / sizeof tools[0];

/* With a gap before each, and one behind the last. The race keeps its place where it is not shown. */
float tools_width(const Overlay *overlay, Words words) {
    float width = em(overlay, gap_ems);
    for (const auto &tool : tools)
        width += em(overlay, gap_ems) + tool.width(overlay, words);
    return width;
}

/* The first form that fits, or the smallest. */
Form form_for(const Overlay *overlay, const Viewer *viewer, float room) {
    for (const Form &form : forms)
        if (bar_menus_width(overlay, viewer, form.folded) + tools_width(overlay, form.words) <= room)
            return form;
    return forms[sizeof forms / sizeof forms[0] - 1];
}

/* As many tools, from the right, as there is room for behind the menus. */
void tool_row(Overlay *overlay, Viewer *viewer, float left, Words words) {
    float x = (float)viewer->width - em(overlay, gap_ems);
    for (size_t i = tool_count; i-- > 0;) {
        const auto &tool = tools[i];
        if (tool.shown && !tool.shown(viewer))
            continue;
        x -= tool.width(overlay, words);
        if (x < left)
            return;
        ImGui::SetCursorPosX(x);
        tool.draw(overlay, viewer, words);
        x -= em(overlay, gap_ems);
    }
}

void draw(Overlay *overlay, Viewer *viewer) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    if (ImGui::BeginMainMenuBar()) {
        const Form form = form_for(overlay, viewer, (float)viewer->width);
        bar_menus(overlay, viewer, form.folded);
        tool_row(overlay, viewer, ImGui::GetCursorPosX(), form.words);
        const ImVec2 size = ImGui::GetWindowSize();
        overlay->columns[COLUMN_BAR] = {0, 0, (double)size.x, (double)size.y};
        ImGui::EndMainMenuBar();
    }
    ImGui::PopStyleVar();
}

} // namespace

const Panel panel_bar = {"bar", PLACE_BAR, visible, draw};
