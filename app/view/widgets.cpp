/* widgets.cpp: the pieces of the overlay, with Dear ImGui. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/widgets.hpp"

#include <backends/imgui_impl_opengl3.h>
#ifdef GLINT_HAS_FREETYPE
#    include <imgui_freetype.h>
#endif

#include <unistd.h>

float em(const Overlay *overlay, float ems) {
    return roundf(ems * text_pixels * overlay->scale);
}

constexpr float panel_ems[PANELS] = {23.0f, 17.5f}; /* if its rows do not need more */

float panel_width(const Overlay *overlay, Panel which) {
    return fmaxf(em(overlay, panel_ems[which]), overlay->needs[which]);
}

void need_up_to(Overlay *overlay, float right) {
    float *need = &overlay->needs[overlay->building];
    const float behind = ImGui::GetWindowWidth() - ImGui::GetWindowContentRegionMax().x; /* with a scroll bar or not */
    const float wanted = ceilf(right + behind);
    overlay->settled &= wanted <= fmaxf(*need, em(overlay, panel_ems[overlay->building]));
    *need = fmaxf(*need, wanted);
}

/* ---- style ---- */

namespace {

/* Fonts that read well on screens, the first that is there; DejaVu comes with nearly every desktop. */
struct Face {
    const char *regular, *bold, *mono;
};
constexpr Face faces[] = {
    {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
     "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"},
    {"/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
     "/usr/share/fonts/TTF/DejaVuSansMono.ttf"},
    {"/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf",
     "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf"},
    {"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
     "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf"},
    {"/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
     "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf",
     "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf"},
};

ImVec4 colour(ImU32 c) {
    return ImGui::ColorConvertU32ToFloat4(c);
}

ImFont *load_font(const char *path, float pixels) {
    static const ImWchar ranges[] = {0x20,   0x24f,  0x370,  0x3ff,  0x400,  0x4ff,  0x2010, 0x203a,
                                     0x2190, 0x21ff, 0x2200, 0x22ff, 0x2580, 0x25ff, 0};
    ImFontConfig config;
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    if (path && access(path, R_OK) == 0)
        return atlas->AddFontFromFileTTF(path, pixels, &config, ranges);
    config.SizePixels = pixels;
    return atlas->AddFontDefault(&config);
}

void load_fonts(Overlay *overlay, float scale) {
    const Face *face = nullptr;
    for (const Face &candidate : faces)
        if (!face && access(candidate.regular, R_OK) == 0)
            face = &candidate;
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    atlas->Clear();
#ifdef GLINT_HAS_FREETYPE
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
    const char *regular = face ? face->regular : nullptr, *bold = face ? face->bold : nullptr;
    overlay->regular = load_font(regular, roundf(text_pixels * scale));
    overlay->bold = load_font(bold, roundf(text_pixels * scale));
    overlay->small = load_font(regular, roundf(small_pixels * scale));
    overlay->mono = load_font(face ? face->mono : nullptr, roundf(text_pixels * scale));
    overlay->title = load_font(bold, roundf(title_pixels * scale));
    overlay->figure = load_font(bold, roundf(figure_pixels * scale));
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void apply_style(float scale) {
    ImGuiStyle style;
    style.WindowPadding = ImVec2(16, 14);
    style.WindowRounding = 10;
    style.FrameRounding = 5;
    style.GrabRounding = 4;
    style.PopupRounding = 7;
    style.ScrollbarRounding = 5;
    style.ScrollbarSize = 10;
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 6);
    style.GrabMinSize = 14;
    style.WindowBorderSize = 1;
    style.ScaleAllSizes(scale);
    style.AntiAliasedLinesUseTex = true;
    const struct {
        ImGuiCol_ which;
        ImU32 value;
    } colours[] = {
        {ImGuiCol_Text, ink},
        {ImGuiCol_TextDisabled, faint},
        {ImGuiCol_WindowBg, glass},
        {ImGuiCol_PopupBg, solid_glass},
        {ImGuiCol_Border, edge},
        {ImGuiCol_FrameBg, well},
        {ImGuiCol_FrameBgHovered, rgba(255, 255, 255, 34)},
        {ImGuiCol_FrameBgActive, rgba(255, 255, 255, 44)},
        {ImGuiCol_SliderGrab, knob},
        {ImGuiCol_SliderGrabActive, knob},
        {ImGuiCol_Button, well},
        {ImGuiCol_ButtonHovered, rgba(255, 255, 255, 40)},
        {ImGuiCol_ButtonActive, accent_deep},
        {ImGuiCol_Header, accent_veil},
        {ImGuiCol_HeaderHovered, rgba(255, 255, 255, 28)},
        {ImGuiCol_HeaderActive, accent_deep},
        {ImGuiCol_ScrollbarBg, rgba(0, 0, 0, 0)},
        {ImGuiCol_ScrollbarGrab, rgba(255, 255, 255, 50)},
        {ImGuiCol_Separator, edge},
        {ImGuiCol_CheckMark, accent},
    };
    for (const auto &entry : colours)
        style.Colors[entry.which] = colour(entry.value);
    ImGui::GetStyle() = style;
}

} // namespace

void fit_scale(Overlay *overlay, float scale) {
    if (fabsf(scale - overlay->scale) < 0.01f)
        return;
    overlay->scale = scale;
    overlay->needs[PANEL_LEFT] = overlay->needs[PANEL_RIGHT] = 0;
    apply_style(scale);
    load_fonts(overlay, scale);
}

/* ---- small pieces ---- */

void text(ImU32 tint, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    ImGui::PushStyleColor(ImGuiCol_Text, tint);
    ImGui::TextV(format, arguments);
    ImGui::PopStyleColor();
    va_end(arguments);
}

void wrapped(ImU32 tint, const char *words) {
    ImGui::PushStyleColor(ImGuiCol_Text, tint);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(words);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void text_right(Overlay *overlay, ImU32 tint, const char *words) {
    const float width = ImGui::CalcTextSize(words).x;
    ImGui::SameLine(0, em(overlay, 0.8f));
    need_up_to(overlay, ImGui::GetCursorPosX() + width);
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - width);
    text(tint, "%s", words);
}

float column(const Overlay *overlay, float min, float widest) {
    return fmaxf(em(overlay, min), widest + em(overlay, 0.8f));
}

void gap(const Overlay *overlay, float ems) {
    ImGui::Dummy(ImVec2(1, em(overlay, ems)));
}

void heading(Overlay *overlay, const char *words, const char *right) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = at.y + em(overlay, 0.3f);
    if (ImGui::GetCursorPosY() > ImGui::GetCursorStartPos().y) {
        ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, line), ImVec2(at.x + width, line), edge,
                                            fmaxf(1, overlay->scale));
        gap(overlay, 0.45f);
    }
    ImGui::PushFont(overlay->small);
    text(faint, "%s", words);
    if (right)
        text_right(overlay, dim, right);
    ImGui::PopFont();
}

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void format_ms(double ms, char *buffer, size_t size) {
    if (ms >= 1e6)
        snprintf(buffer, size, ms < 6e6 ? "%.1f min" : "%.0f min", ms / 60e3);
    else if (ms >= 1e4)
        snprintf(buffer, size, ms < 1e5 ? "%.1f s" : "%.0f s", ms / 1e3);
    else
        snprintf(buffer, size, ms < 1 ? "%.3f ms" : ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
}

void format_rate(double rate, char *buffer, size_t size) {
    snprintf(buffer, size, rate < 10 ? "%.2f" : rate < 100 ? "%.1f" : "%.0f", rate);
}

/* "14.2× naive", "≈ 14.2× naive", "…" while it is not known. */
void format_speedup(const Viewer *viewer, const Figures &figures, char *buffer, size_t size) {
    if (figures.speedup > 0)
        snprintf(buffer, size, figures.speedup < 10 ? "%s%.1f× %s" : "%s%.0f× %s",
                 figures.speedup_estimated ? "≈ " : "", figures.speedup, viewer->yardsticks.lowest_level->name);
    else
        snprintf(buffer, size, "%s", viewer->yardsticks.unmeasurable ? "–" : "…");
}

void format_copies(const Figures &figures, char *buffer, size_t size) {
    if (figures.copies > 0)
        snprintf(buffer, size, figures.copies < 10 ? "%.1f copies" : "%.0f copies", figures.copies);
    else
        snprintf(buffer, size, "… copies");
}

void format_shape(const Viewer *viewer, char *buffer, size_t size) {
    const Shape shape = viewer_shape(viewer);
    char count[80];
    if (viewer->in_scene) {
        scene_count_text(viewer->scene, count, sizeof count);
        snprintf(buffer, size, "%s · %zu × %zu", count, shape.width, shape.height);
    } else
        snprintf(buffer, size, "%zu × %zu · %s × %d", shape.width, shape.height, pixel_type_name(shape.type),
                 shape.channels);
}

void fact(Overlay *overlay, ImU32 tint, const char *name, const char *format, ...) {
    char value[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    text(dim, "%s", name);
    text_right(overlay, tint, value);
}

void format_count(double value, char *buffer, size_t size) {
    const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    for (; value >= 999.5 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]; prefix++)
        value /= 1000;
    snprintf(buffer, size, value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s", value, prefixes[prefix]);
}
