/* dear_imgui.cpp: the life of Dear ImGui: its context, fonts, style, input and draws. */
#include <math.h>

#include "app/view/dear_imgui.hpp"

#include <backends/imgui_impl_opengl3.h>
#ifdef GLINT_HAS_FREETYPE
#    include <imgui_freetype.h>
#endif

extern "C" {
#include "app/view/effects.h"
#include "app/view/gallery.h"
#include "render/texture.h"
}

#include <new>
#include <unistd.h>

namespace {

/* Fonts that read veil(20) on screens, the first that is there; DejaVu comes with nearly every desktop. */
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
        {ImGuiCol_MenuBarBg, solid_glass},
        {ImGuiCol_Border, edge},
        {ImGuiCol_FrameBg, veil(20)},
        {ImGuiCol_FrameBgHovered, veil(34)},
        {ImGuiCol_FrameBgActive, veil(44)},
        {ImGuiCol_SliderGrab, knob},
        {ImGuiCol_SliderGrabActive, knob},
        {ImGuiCol_Button, veil(20)},
        {ImGuiCol_ButtonHovered, veil(40)},
        {ImGuiCol_ButtonActive, accent_deep},
        {ImGuiCol_Header, accent_veil},
        {ImGuiCol_HeaderHovered, veil(28)},
        {ImGuiCol_HeaderActive, accent_deep},
        {ImGuiCol_ScrollbarBg, rgba(0, 0, 0, 0)},
        {ImGuiCol_ScrollbarGrab, veil(50)},
        {ImGuiCol_Separator, edge},
        {ImGuiCol_CheckMark, accent},
        {ImGuiCol_DragDropTarget, accent},
    };
    for (const auto &entry : colours)
        style.Colors[entry.which] = colour(entry.value);
    ImGui::GetStyle() = style;
}

/* Fonts and style for that scale and theme, where one has changed. */
void fit_style(Overlay *overlay, float scale, ThemeName name) {
    const Theme *theme = &themes[name];
    const bool scaled = fabsf(scale - overlay->scale) >= 0.01f;
    if (!scaled && theme == overlay->theme)
        return;
    overlay->scale = scale;
    overlay->theme = theme;
    ImGui::GetIO().UserData = const_cast<Theme *>(theme);
    apply_style(scale);
    if (!scaled)
        return;
    for (float &need : overlay->needs)
        need = 0;
    load_fonts(overlay, scale);
}

} // namespace

Status overlay_create(Overlay **overlay) {
    Overlay *made = *overlay = new (std::nothrow) Overlay();
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the overlay");
    made->context = ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext(made->context);
        delete made;
        *overlay = nullptr;
        return fail(STATUS_DEVICE, "OpenGL: the overlay cannot be drawn");
    }
    return STATUS_OK;
}

void overlay_destroy(Overlay **overlay) {
    if (!*overlay)
        return;
    gallery_destroy(&(*overlay)->gallery);
    effects_destroy(&(*overlay)->effects);
    texture_free(&(*overlay)->wave_texture);
    texture_free(&(*overlay)->response_texture);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext((*overlay)->context);
    delete *overlay;
    *overlay = nullptr;
}

void begin_frame(Overlay *overlay, const Viewer *viewer, const OverlayInput *input) {
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize = ImVec2((float)viewer->width, (float)viewer->height);
    io.DeltaTime = (float)fmax(input->seconds, 1e-4);
    io.MousePos = input->x < 0 ? ImVec2(-FLT_MAX, -FLT_MAX) : ImVec2((float)input->x, (float)input->y);
    for (int i = 0; i < OVERLAY_BUTTONS; i++)
        io.MouseDown[i] = input->buttons[i] || input->clicked[i];
    io.MouseWheel = (float)input->wheel;
    io.KeyCtrl = input->coarse;
    fit_style(overlay, (float)viewer->scale, viewer->ui.theme);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
}

bool overlay_waits(Overlay *overlay, bool *news) {
    bool of_files = false, of_effects = false;
    const bool files = overlay->gallery && gallery_works(overlay->gallery, &of_files);
    const bool effects = overlay->effects && effects_work(overlay->effects, &of_effects);
    *news = of_files || of_effects || overlay->moves;
    return files || effects;
}

void overlay_draw(Overlay *overlay) {
    (void)overlay;
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
