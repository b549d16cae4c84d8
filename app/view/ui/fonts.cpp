/* fonts.cpp: faces, sizes, letters. */
#include <math.h>

#include "app/view/ui/fonts.hpp"

#ifdef GLINT_HAS_FREETYPE
#    include <imgui_freetype.h>
#endif

#ifdef GLINT_HAS_FONTCONFIG
#    include <fontconfig/fontconfig.h>
#endif

#include <new>
#include <string>
#include <unistd.h>

namespace {

/* Families by their names; the first that is there counts. `line` is the height from the lowest descender to the
 * highest ascender, in ems (the face's table hhea). Dear ImGui takes sizes as such heights. */
struct Family {
    const char *name;
    float line;
};
constexpr Family texts[] = {{"Inter", 1.21f},
                            {"Noto Sans", 1.362f},
                            {"DejaVu Sans", 1.164f},
                            {"Liberation Sans", 1.149f}},
                 codes[] = {{"DejaVu Sans Mono", 1.164f}, {"Noto Sans Mono", 1.362f}, {"Liberation Mono", 1.133f}},
                 many_signs[] = {{"DejaVu Sans", 1.164f}}; /* it has arrows and blocks, which others lack */

/* A face on the disk. */
struct Face {
    std::string path; /* "": none */
    int index;        /* within the file */
    float line;
};

#ifdef GLINT_HAS_FONTCONFIG
/* The best match of fontconfig always is a face; it counts if it is of the family. */
bool find_family(const Family &family, int weight, Face *face) {
    FcPattern *wanted = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family.name, FC_WEIGHT, FcTypeInteger, weight,
                                       FC_SLANT, FcTypeInteger, FC_SLANT_ROMAN, FC_VARIABLE, FcTypeBool, FcFalse,
                                       FC_SCALABLE, FcTypeBool, FcTrue, nullptr);
    FcResult result = FcResultNoMatch;
    FcChar8 *name = nullptr, *path = nullptr;
    int index = 0;
    if (!wanted)
        return false;
    FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcPattern *match = FcFontMatch(nullptr, wanted, &result);
    const bool found = match && FcPatternGetString(match, FC_FAMILY, 0, &name) == FcResultMatch &&
                       FcPatternGetString(match, FC_FILE, 0, &path) == FcResultMatch &&
                       FcPatternGetInteger(match, FC_INDEX, 0, &index) == FcResultMatch &&
                       FcStrCmpIgnoreCase(name, reinterpret_cast<const FcChar8 *>(family.name)) == 0;
    if (found)
        *face = {reinterpret_cast<const char *>(path), index, family.line};
    if (match)
        FcPatternDestroy(match);
    FcPatternDestroy(wanted);
    return found;
}
constexpr int regular_weight = FC_WEIGHT_REGULAR, bold_weight = FC_WEIGHT_DEMIBOLD;
#else
bool find_family(const Family &, int, Face *) {
    return false;
}
constexpr int regular_weight = 0, bold_weight = 0;
#endif

template <size_t count> Face find_face(const Family (&families)[count], int weight) {
    Face face = {"", 0, 1.2f};
    for (const Family &family : families)
        if (find_family(family, weight, &face))
            break;
    return face;
}

bool add_face(ImFontAtlas *atlas, const Face &face, ImFontConfig *config) {
    static const ImWchar ranges[] = {0x20,   0x24f,  0x370,  0x3ff,  0x400,  0x4ff,  0x2010, 0x203a,
                                     0x2190, 0x21ff, 0x2200, 0x22ff, 0x2580, 0x25ff, 0};
    config->FontNo = face.index;
    return access(face.path.c_str(), R_OK) == 0 &&
           atlas->AddFontFromFileTTF(face.path.c_str(), config->SizePixels, config, ranges);
}

constexpr float line_ems = 1.21f; /* from line to line, whichever face there is: panels are as high with all */

/* A face rasterised with an em of `em` pixels; signs that it lacks come from the other one. */
ImFont *load_font(ImFontAtlas *atlas, const Face &face, const Face &others, float em) {
    ImFontConfig config;
    config.SizePixels = roundf(em * face.line);
    config.GlyphOffset.y = roundf((roundf(em * line_ems) - config.SizePixels) / 2);
    if (!add_face(atlas, face, &config))
        return atlas->AddFontDefault(&config);
    ImFont *font = atlas->Fonts.back();
    config.MergeMode = true;
    if (others.path != face.path)
        (void)add_face(atlas, others, &config);
    return font;
}

/* All figures of a face get the room of the widest, each in its middle. Columns of numbers stand, and changing values
 * do not jump. */
void make_tabular(ImFont *font) {
    const auto figure = [font](int value) {
        return const_cast<ImFontGlyph *>(font->FindGlyph((ImWchar)('0' + value)));
    };
    float widest = 0;
    for (int i = 0; i < 10; i++)
        widest = fmaxf(widest, figure(i)->AdvanceX);
    for (int i = 0; i < 10; i++) {
        const float aside = roundf((widest - figure(i)->AdvanceX) / 2);
        figure(i)->X0 += aside;
        figure(i)->X1 += aside;
        figure(i)->AdvanceX = font->IndexAdvanceX['0' + i] = widest;
    }
}

/* The replacements of signs that a face lacks: a machine may have no fonts, and Dear ImGui's own face ends with
 * Latin-1. tests/view/test_letters.sh asks for a row for each sign in the texts of the window. */
struct Sign {
    ImWchar sign, instead;
};
constexpr Sign signs[] = {
    {u'×', 'x'}, {u'·', '-'}, {u'°', 'o'}, {u'±', '~'}, {u'µ', 'u'}, {u'–', '-'}, {u'−', '-'}, {u'…', '.'}, {u'⋯', '.'},
    {u'←', '<'}, {u'→', '>'}, {u'↑', '^'}, {u'↓', 'v'}, {u'↔', '-'}, {u'↕', '|'}, {u'≈', '~'}, {u'≠', '!'}, {u'Σ', 'S'},
    {u'▏', '|'}, {u'□', 'o'}, {u'▸', '>'}, {u'▾', 'v'}, {u'“', '"'}, {u'”', '"'}, {u'À', 'A'}, {u'é', 'e'}, {u'æ', 'a'},
};

/* Replaces the signs that built faces lack. */
void replace_missing(ImFontAtlas *atlas) {
    for (ImFont *font : atlas->Fonts)
        for (const Sign &each : signs)
            if (!font->FindGlyphNoFallback(each.sign))
                font->AddRemapChar(each.sign, each.instead);
}

void make(Fonts *fonts) {
    ImFontAtlas *atlas = &fonts->atlas;
#ifdef GLINT_HAS_FREETYPE
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas->FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
    const Face regular = find_face(texts, regular_weight), bold = find_face(texts, bold_weight),
               code = find_face(codes, regular_weight), others = find_face(many_signs, regular_weight);
    const float scale = fonts->scale;
    unsigned char *pixels;
    int width, height;
    const struct {
        ImFont *Faces::*font;
        const Face &face;
        float em;
    } rows[] = {{&Faces::regular, regular, text_em}, {&Faces::bold, bold, text_em},
                {&Faces::small, regular, small_em},  {&Faces::mono, code, text_em},
                {&Faces::title, bold, title_em},     {&Faces::figure, bold, figure_em}};
    for (const auto &row : rows)
        fonts->*row.font = load_font(atlas, row.face, others, row.em * scale);
    atlas->GetTexDataAsAlpha8(&pixels, &width, &height); /* builds the atlas, and keeps the pixels for OpenGL */
    for (const auto &row : rows) {
        make_tabular(fonts->*row.font);
        (fonts->*row.font)->FontSize = roundf(row.em * scale * line_ems);
    }
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
