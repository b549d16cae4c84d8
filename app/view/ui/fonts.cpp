/* fonts.cpp: faces, sizes, letters. */
#include <math.h>

#include "app/view/ui/fonts.hpp"

#ifdef GLINT_HAS_FREETYPE
#    include <imgui_freetype.h>
#endif

#include <new>
#include <unistd.h>

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

ImFont *load_font(ImFontAtlas *atlas, const char *path, float pixels) {
    static const ImWchar ranges[] = {0x20,   0x24f,  0x370,  0x3ff,  0x400,  0x4ff,  0x2010, 0x203a,
                                     0x2190, 0x21ff, 0x2200, 0x22ff, 0x2580, 0x25ff, 0};
    ImFontConfig config;
    if (path && access(path, R_OK) == 0)
        return atlas->AddFontFromFileTTF(path, pixels, &config, ranges);
    config.SizePixels = pixels;
    return atlas->AddFontDefault(&config);
}

/* The replacements of signs that a face lacks: a machine may have no fonts, and Dear ImGui's own face ends with
 * Latin-1. tests/view/test_letters.sh asks for a row for each sign in the texts of the window. */
struct Sign {
    ImWchar sign, instead;
};
constexpr Sign signs[] = {
    {u'×', 'x'}, {u'·', '-'}, {u'°', 'o'}, {u'±', '~'}, {u'µ', 'u'}, {u'–', '-'}, {u'−', '-'}, {u'…', '.'},
    {u'⋯', '.'}, {u'←', '<'}, {u'→', '>'}, {u'↑', '^'}, {u'↓', 'v'}, {u'↔', '-'}, {u'↕', '|'}, {u'≈', '~'},
    {u'≠', '!'}, {u'Σ', 'S'}, {u'▏', '|'}, {u'□', 'o'}, {u'▸', '>'}, {u'▾', 'v'}, {u'À', 'A'},
};

/* Replaces the signs that built faces lack. */
void replace_missing(ImFontAtlas *atlas) {
    for (ImFont *font : atlas->Fonts)
        for (const Sign &each : signs)
            if (!font->FindGlyphNoFallback(each.sign))
                font->AddRemapChar(each.sign, each.instead);
}

void make(Fonts *fonts) {
    const Face *face = nullptr;
    for (const Face &candidate : faces)
        if (!face && access(candidate.regular, R_OK) == 0)
            face = &candidate;
    ImFontAtlas *atlas = &fonts->atlas;
#ifdef GLINT_HAS_FREETYPE
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
    const char *regular = face ? face->regular : nullptr, *bold = face ? face->bold : nullptr;
    const float scale = fonts->scale;
    unsigned char *pixels;
    int width, height;
    fonts->regular = load_font(atlas, regular, roundf(text_pixels * scale));
    fonts->bold = load_font(atlas, bold, roundf(text_pixels * scale));
    fonts->small = load_font(atlas, regular, roundf(small_pixels * scale));
    fonts->mono = load_font(atlas, face ? face->mono : nullptr, roundf(text_pixels * scale));
    fonts->title = load_font(atlas, bold, roundf(title_pixels * scale));
    fonts->figure = load_font(atlas, bold, roundf(figure_pixels * scale));
    atlas->GetTexDataAsAlpha8(&pixels, &width, &height); /* builds the atlas, and keeps the pixels for OpenGL */
    replace_missing(atlas);
    fonts->ready.store(true, std::memory_order_release);
}

void *make_task(void *fonts) {
    make(static_cast<Fonts *>(fonts));
    return nullptr;
}

} // namespace

Fonts *fonts_begin(float scale) {
    Fonts *fonts = new (std::nothrow) Fonts();
    if (!fonts)
        return nullptr;
    fonts->scale = scale;
    fonts->threaded = pthread_create(&fonts->thread, nullptr, make_task, fonts) == 0;
    if (!fonts->threaded)
        make(fonts);
    return fonts;
}

void fonts_await(Fonts *fonts) {
    if (fonts->threaded)
        pthread_join(fonts->thread, nullptr);
    fonts->threaded = false;
}

void fonts_destroy(Fonts *fonts) {
    if (!fonts)
        return;
    fonts_await(fonts);
    delete fonts;
}
