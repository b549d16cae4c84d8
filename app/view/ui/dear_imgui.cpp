/* dear_imgui.cpp: the life of Dear ImGui: its context, fonts, style, input and draws. */
#include <math.h>

#include "app/view/ui/dear_imgui.hpp"
#include "app/view/ui/fonts.hpp"

#include <epoxy/gl.h>

extern "C" {
#include "app/view/ui/effects.h"
#include "app/view/ui/gallery.h"
#include "render/texture.h"
}

#include <new>

namespace {

const float DOUBLE_CLICK_S = 0.3f; /* between its two clicks */

ImVec4 colour(ImU32 c) {
    return ImGui::ColorConvertU32ToFloat4(c);
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
    style.FramePadding = ImVec2(8, 4.4f); /* buttons of 24 pixels where texts have 13 */
    style.ItemSpacing = ImVec2(8, 6);
    style.GrabMinSize = 10;
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
        {ImGuiCol_FrameBg, veil(track_veil)},
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
        {ImGuiCol_ScrollbarGrab, veil(scroll_veil)},
        {ImGuiCol_Separator, edge},
        {ImGuiCol_CheckMark, accent},
        {ImGuiCol_PlotHistogram, accent_deep}, /* bars of progress */
        {ImGuiCol_DragDropTarget, accent},
    };
    for (const auto &entry : colours)
        style.Colors[entry.which] = colour(entry.value);
    ImGui::GetStyle() = style;
}

/* New fonts take the place of the old ones: a byte a pixel, for OpenGL in software copies them while the window
 * waits. */
void take_fonts(Overlay *overlay) {
    Fonts *fonts = overlay->coming;
    unsigned char *pixels;
    int width, height;
    fonts_await(fonts);
    overlay->coming = nullptr;
    fonts->atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    const Shape shape = {(size_t)width, (size_t)height, 1, PIXEL_U8};
    (void)texture_fill(&overlay->letters,
                       {shape, shape_row_bytes(shape), pixels}); /* without room there are no letters */
    fonts->atlas.SetTexID(reinterpret_cast<ImTextureID>((uintptr_t)overlay->letters));
    ImGui::GetIO().Fonts = &fonts->atlas;
    fonts_destroy(overlay->fonts);
    overlay->fonts = fonts;
    overlay->scale = fonts->scale;
    static_cast<Faces &>(*overlay) = *fonts;
    for (float &need : overlay->needs)
        need = 0;
}

bool differ(float scale, float other) {
    return fabsf(scale - other) >= 0.01f;
}

/* Fonts and style for that scale and theme, where one has changed. While fonts are made, those of the scale before
 * serve; `waits`: they do not. */
void fit_style(Overlay *overlay, float scale, ThemeName name, bool waits) {
    const Theme *theme = &themes[name];
    const float was = overlay->scale;
    for (bool fits = false; !fits;) {
        if (overlay->coming && (waits || !overlay->fonts || overlay->coming->ready.load(std::memory_order_acquire)))
            take_fonts(overlay);
        fits = !differ(scale, overlay->scale) || overlay->coming;
        if (!fits)
            overlay->coming = fonts_begin(scale);
        fits |= !overlay->coming || (overlay->fonts && !waits);
    }
    if (theme == overlay->theme && !differ(was, overlay->scale))
        return;
    overlay->theme = theme;
    ImGui::GetIO().UserData = const_cast<Theme *>(theme);
    apply_style(overlay->scale);
}

void clear(const ImDrawList *, const ImDrawCmd *command) {
    const ImVec4 on = command->ClipRect, tint = colour((ImU32) reinterpret_cast<uintptr_t>(command->UserCallbackData));
    glScissor((GLint)on.x, (GLint)(ImGui::GetDrawData()->DisplaySize.y - on.w), (GLsizei)(on.z - on.x),
              (GLsizei)(on.w - on.y));
    glClearColor(tint.x, tint.y, tint.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static_assert(sizeof(ImDrawVert) == sizeof(MeshVertex) && sizeof(ImDrawIdx) == sizeof(MeshIndex), "both are the same");

/* All lists one behind the other. */
void fill_mesh(const Mesh *mesh, const ImDrawData *data) {
    size_t vertices = 0, indices = 0;
    mesh_reserve(mesh, (size_t)data->TotalVtxCount, (size_t)data->TotalIdxCount);
    for (int i = 0; i < data->CmdListsCount; i++) {
        const ImDrawList *list = data->CmdLists[i];
        const size_t vertex_count = (size_t)list->VtxBuffer.Size, index_count = (size_t)list->IdxBuffer.Size;
        mesh_fill(mesh, vertices, reinterpret_cast<const MeshVertex *>(list->VtxBuffer.Data), vertex_count, indices,
                  list->IdxBuffer.Data, index_count);
        vertices += vertex_count;
        indices += index_count;
    }
}

/* Draws the part of a command in its clip rectangle. `vertices` and `indices` are where its list's begin. */
void draw_command(const ImDrawData *data, const ImDrawList *list, const ImDrawCmd &command, size_t vertices,
                  size_t indices) {
    const ImVec4 clip = command.ClipRect;
    if (command.UserCallback) {
        command.UserCallback(list, &command);
    } else if (clip.z > clip.x && clip.w > clip.y) {
        glScissor((GLint)clip.x, (GLint)(data->DisplaySize.y - clip.w), (GLsizei)(clip.z - clip.x),
                  (GLsizei)(clip.w - clip.y));
        mesh_draw((unsigned)reinterpret_cast<uintptr_t>(command.GetTexID()), indices + command.IdxOffset,
                  command.ElemCount, vertices + command.VtxOffset);
    }
}

/* All lists but the sign's, or that one alone. */
void draw_lists(const Overlay *overlay, bool sign) {
    const ImDrawData *data = ImGui::GetDrawData();
    size_t vertices = 0, indices = 0;
    mesh_begin(&overlay->mesh, (int)data->DisplaySize.x, (int)data->DisplaySize.y);
    for (int i = 0; i < data->CmdListsCount; i++) {
        const ImDrawList *list = data->CmdLists[i];
        for (const ImDrawCmd &command : list->CmdBuffer)
            if ((list == overlay->sign) == sign)
                draw_command(data, list, command, vertices, indices);
        vertices += (size_t)list->VtxBuffer.Size;
        indices += (size_t)list->IdxBuffer.Size;
    }
    mesh_end();
}

/* OpenGL in software compiles the program at its first draw. */
void draw_once(Overlay *overlay) {
    ImGuiIO &io = ImGui::GetIO();
    take_fonts(overlay);
    io.DisplaySize = ImVec2(1, 1);
    ImGui::NewFrame();
    ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(0, 0), ImVec2(1, 1), IM_COL32_WHITE);
    ImGui::Render();
    overlay->built = true;
    overlay_draw(overlay);
}

} // namespace

Fonts *overlay_begin_fonts(double scale) {
    return fonts_begin((float)scale);
}

void overlay_drop_fonts(Fonts *fonts) {
    fonts_destroy(fonts);
}

Status overlay_create(Fonts *fonts, Overlay **overlay) {
    Overlay *made = *overlay = fonts ? new (std::nothrow) Overlay() : nullptr;
    if (!made) {
        fonts_destroy(fonts);
        return fail(STATUS_DEVICE, "no memory for the overlay");
    }
    made->coming = fonts;
    made->context = ImGui::CreateContext(&made->blank);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    const Status status = mesh_create(&made->mesh);
    if (status != STATUS_OK) {
        overlay_destroy(overlay);
        return status;
    }
    draw_once(made);
    return STATUS_OK;
}

void overlay_destroy(Overlay **overlay) {
    if (!*overlay)
        return;
    gallery_destroy(&(*overlay)->gallery);
    effects_destroy(&(*overlay)->effects);
    drawing_free(&(*overlay)->drawing.drawing);
    texture_free(&(*overlay)->wave_texture);
    texture_free(&(*overlay)->response_texture);
    texture_free(&(*overlay)->letters);
    mesh_destroy(&(*overlay)->mesh);
    ImGui::DestroyContext((*overlay)->context);
    fonts_destroy((*overlay)->coming);
    fonts_destroy((*overlay)->fonts);
    delete *overlay;
    *overlay = nullptr;
}

void begin_frame(Overlay *overlay, const Viewer *viewer, const OverlayInput *input) {
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize = ImVec2((float)viewer->width, (float)viewer->height);
    io.DeltaTime = (float)fmax(input->seconds, 1e-4);
    io.MouseDoubleClickTime = DOUBLE_CLICK_S + io.DeltaTime; /* two clicks with one slow frame between them are one */
    io.MousePos = input->x < 0 ? ImVec2(-FLT_MAX, -FLT_MAX) : ImVec2((float)input->x, (float)input->y);
    for (int i = 0; i < OVERLAY_BUTTONS; i++)
        io.MouseDown[i] = input->buttons[i] || input->clicked[i];
    io.MouseWheel = (float)input->wheel;
    io.KeyCtrl = input->control;
    io.KeyShift = input->shift;
    overlay->scripted = input->scripted;
    fit_style(overlay, (float)viewer->scale, viewer->ui->theme, input->still);
    ImGui::NewFrame();
}

/* Dear ImGui draws its own before the ground, which covers it; where it lies and reacts is Dear ImGui's. */
void scroll_mark(ImDrawList *list, ImVec2 at, ImVec2 size) {
    const ImGuiStyle &style = ImGui::GetStyle();
    const float most = ImGui::GetScrollMaxY(), bar = style.ScrollbarSize, inset = fminf((bar - 2) / 2, 3);
    if (!(most > 0))
        return;
    const float top = at.y + style.WindowBorderSize + inset, room = size.y - 2 * (style.WindowBorderSize + inset);
    const float length = fmaxf(room * size.y / (size.y + most), style.GrabMinSize);
    const float from = top + (room - length) * ImGui::GetScrollY() / most;
    const float right = at.x + size.x - style.WindowBorderSize - inset;
    list->AddRectFilled(ImVec2(right - bar + 2 * inset, from), ImVec2(right, from + length),
                        ImGui::GetColorU32(ImGuiCol_ScrollbarGrab), style.ScrollbarRounding);
}

void box_ground(bool scrolls) {
    const ImGuiStyle &style = ImGui::GetStyle();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize(), end(at.x + size.x, at.y + size.y);
    const float round = fminf(ceilf(style.WindowRounding), size.y / 2);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 ground = thin(glass, 255);
    list->PushClipRect(ImVec2(at.x, at.y + round), ImVec2(end.x, end.y - round));
    list->AddCallback(clear, reinterpret_cast<void *>((uintptr_t)ground));
    list->PopClipRect();
    list->PushClipRect(at, end);
    list->AddRectFilled(at, ImVec2(end.x, at.y + round), ground, round, ImDrawFlags_RoundCornersTop);
    list->AddRectFilled(ImVec2(at.x, end.y - round), end, ground, round, ImDrawFlags_RoundCornersBottom);
    list->AddRect(at, end, edge, style.WindowRounding, 0, style.WindowBorderSize);
    if (scrolls)
        scroll_mark(list, at, size);
    list->PopClipRect();
}

bool overlay_makes_fonts(const Overlay *overlay) {
    return overlay->coming;
}

bool overlay_waits(Overlay *overlay, bool *news) {
    bool of_files = false, of_effects = false;
    const bool files = overlay->gallery && gallery_works(overlay->gallery, &of_files);
    const bool effects = overlay->effects && effects_work(overlay->effects, &of_effects);
    *news = of_files || of_effects || overlay->moves ||
            (overlay->coming && overlay->coming->ready.load(std::memory_order_acquire));
    return files || effects || overlay->coming;
}

void overlay_draw(Overlay *overlay) {
    if (overlay->built)
        fill_mesh(&overlay->mesh, ImGui::GetDrawData());
    overlay->built = false;
    draw_lists(overlay, false);
}

void overlay_draw_sign(Overlay *overlay) {
    if (overlay->sign)
        draw_lists(overlay, true);
}
