/* inspector.cpp: one pixel: its values before and after, and the arithmetic that leads from one to the other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"
#include "core/ops/point.h"

namespace {

constexpr const char *colour_names[] = {"R", "G", "B", "A"}, *gray_names[] = {"Y", "A"};

bool visible(const Viewer *viewer) {
    return inspector_view(viewer)->open && viewer_picture(viewer) && !viewer_has_page(viewer);
}

const char *channel_name(int channel, int channels) {
    return channels < 3 ? gray_names[channel] : colour_names[channel];
}

ImU32 channel_tint(int channel, int channels) {
    return channels < 3 ? ink : channel_inks[channel];
}

/* ---- values ---- */

/* A pixel before or after, read once. */
struct PixelRead {
    bool there;
    Shape shape;
    double values[4];
    InspectValue seen[4];
};

PixelRead read_pixel(ImageView view, size_t x, size_t y) {
    PixelRead pixel = {true, view.shape, {}, {}};
    for (int c = 0; c < view.shape.channels; c++) {
        pixel.values[c] = view_value(view, x, y, c);
        pixel.seen[c] = inspect_value(pixel.values[c], view.shape.type,
                                      shape_has_alpha(view.shape) && c + 1 == view.shape.channels);
    }
    return pixel;
}

/* The picture's pixel where the result's lies: none where no map leads there, or the picture has ended. */
PixelRead read_before(const Viewer *viewer) {
    const Geometry &geometry = viewer->session->place.geometry;
    const ImageView picture = viewer_picture(viewer)->view;
    double u, v;
    homography_apply(&geometry.to_picture, (double)inspector_view(viewer)->x, (double)inspector_view(viewer)->y, &u,
                     &v);
    const double x = round(u), y = round(v);
    if (geometry.origin == ORIGIN_NONE || !(x >= 0 && y >= 0) || x >= (double)picture.shape.width ||
        y >= (double)picture.shape.height)
        return {};
    return read_pixel(picture, (size_t)x, (size_t)y);
}

PixelRead read_after(Viewer *viewer) {
    ImageView pixel;
    return inspector_read_result(viewer, &pixel) ? read_pixel(pixel, 0, 0) : PixelRead{};
}

/* Text that ends at `right`. */
void put(ImFont *font, ImU32 tint, float right, float y, const char *words) {
    const float width = font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x;
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, ImVec2(roundf(right - width), y), tint, words);
}

ImU32 colour_of(const PixelRead &pixel) {
    const bool gray = pixel.shape.channels < 3;
    return rgba((unsigned)pixel.seen[0].eight, (unsigned)pixel.seen[gray ? 0 : 1].eight,
                (unsigned)pixel.seen[gray ? 0 : 2].eight);
}

/* The colour on a square, and as people write it. */
void draw_colour(const Overlay *overlay, const PixelRead &pixel, ImVec2 at) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float side = em(overlay, 1.5f);
    const ImVec2 end(at.x + side, at.y + side);
    char code[32] = "–";
    list->AddRectFilled(at, end, pixel.there ? colour_of(pixel) : veil(20), em(overlay, 0.2f));
    list->AddRect(at, end, edge, em(overlay, 0.2f));
    if (pixel.there && pixel.shape.channels < 3)
        snprintf(code, sizeof code, "#%02x", (unsigned)pixel.seen[0].eight);
    else if (pixel.there)
        snprintf(code, sizeof code, "#%02x%02x%02x", (unsigned)pixel.seen[0].eight, (unsigned)pixel.seen[1].eight,
                 (unsigned)pixel.seen[2].eight);
    list->AddText(overlay->mono, overlay->mono->FontSize,
                  ImVec2(end.x + em(overlay, 0.6f), roundf(at.y + (side - overlay->mono->FontSize) / 2)), ink, code);
}

void format_value(double value, PixelType type, char *buffer, size_t size) {
    snprintf(buffer, size, type != PIXEL_F32 ? "%.0f" : fabs(value) < 10 ? "%.5f" : "%.6g", value);
}

/* Ends of the three columns of figures, as shares of the half that they are in. */
constexpr float figure_ends[] = {0.42f, 0.62f, 0.97f};
constexpr const char *figure_names[] = {"stored", "8 bit", "linear"};

void draw_figures(const Overlay *overlay, const PixelRead &pixel, int channel, float left, float width, float y) {
    char figures[3][24] = {"–", "", ""};
    if (pixel.there && channel < pixel.shape.channels) {
        format_value(pixel.values[channel], pixel.shape.type, figures[0], sizeof figures[0]);
        snprintf(figures[1], sizeof figures[1], "%d", pixel.seen[channel].eight);
        snprintf(figures[2], sizeof figures[2], "%.4f", pixel.seen[channel].linear);
    }
    for (int i = 0; i < 3; i++)
        put(overlay->mono, i == 0 ? ink : dim, left + figure_ends[i] * width, y, figures[i]);
}

void draw_values(const Overlay *overlay, const PixelRead &before, const PixelRead &after) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float name = em(overlay, 1.4f), half = floorf((ImGui::GetContentRegionAvail().x - name) / 2);
    const float left = at.x + name, line = em(overlay, 1.45f), head = em(overlay, 2.2f), names = em(overlay, 1.15f);
    const int channels = after.there ? after.shape.channels : before.shape.channels;
    const float high = head + names + (float)channels * line - em(overlay, 0.2f);
    const PixelRead *const sides[] = {&before, &after};
    for (int side = 0; side < 2; side++) {
        const float x = left + (float)side * half;
        draw_colour(overlay, *sides[side], ImVec2(x + em(overlay, 0.5f), at.y));
        put(overlay->small, dim, x + 0.97f * half, roundf(at.y + em(overlay, 0.3f)), side ? "after" : "before");
        for (int i = 0; i < 3; i++)
            put(overlay->small, dim, x + figure_ends[i] * half, roundf(at.y + head - em(overlay, 0.2f)),
                figure_names[i]);
        ImGui::GetWindowDrawList()->AddLine(ImVec2(x, at.y), ImVec2(x, at.y + high), edge, fmaxf(1, overlay->scale));
    }
    for (int c = 0; c < channels; c++) {
        const float y = roundf(at.y + head + names + (float)c * line - em(overlay, 0.2f));
        ImGui::GetWindowDrawList()->AddText(overlay->bold, overlay->bold->FontSize, ImVec2(at.x, y),
                                            channel_tint(c, channels), channel_name(c, channels));
        draw_figures(overlay, before, c, left, half, y);
        draw_figures(overlay, after, c, left + half, half, y);
    }
    ImGui::Dummy(ImVec2(1, high));
}

/* ---- cells ---- */

/* As short as it is exact enough for a cell; three digits in narrow ones. */
void format_cell(double value, bool narrow, char *buffer, size_t size) {
    const double large = fabs(value);
    const bool whole = fabs(value - rint(value)) < 1e-9 && large < 1e5;
    snprintf(buffer, size,
             whole             ? "%.0f"
             : large >= 1000   ? "%.0f"
             : large >= 100    ? narrow ? "%.0f" : "%.1f"
             : large >= 10     ? narrow ? "%.1f" : "%.2f"
             : large >= 1      ? "%.2f"
             : large >= 0.0095 ? "%.3f"
                               : "%.0e",
             value);
    char *zero = strstr(buffer, "e-0"); /* "4e-5" */
    if (zero)
        memmove(zero + 2, zero + 3, strlen(zero + 2));
    char *point = strchr(buffer, '.'); /* ".062" is read as fast as "0.062", and narrower */
    if (point && point[-1] == '0' && (point - 1 == buffer || point[-2] == '-'))
        memmove(point - 1, point, strlen(point) + 1);
}

/* As bright as the value. Values in f32 that were made of whole numbers may have these numbers' white. */
ImU32 gray_of(double value, PixelType type, double white) {
    const PixelType as = type == PIXEL_F32 && white > 1 ? PIXEL_U8 : type;
    const unsigned level = (unsigned)inspect_value(value / white * pixel_type_white(as), as, false).eight;
    return rgba(level, level, level);
}

/* Lines of a cell, centred; the first line counts most. */
void draw_lines(const Overlay *overlay, ImVec2 from, ImVec2 to, ImU32 tint, const char (*lines)[24], int count) {
    ImFont *font = overlay->small;
    const float high = font->FontSize * (float)count;
    for (int i = 0; i < count; i++) {
        const float width = font->CalcTextSizeA(font->FontSize, 1e6f, 0, lines[i]).x;
        const float size = fminf(font->FontSize, font->FontSize * (to.x - from.x - 2) / width);
        ImGui::GetWindowDrawList()->AddText(
            font, size,
            ImVec2(roundf((from.x + to.x - width * size / font->FontSize) / 2),
                   roundf((from.y + to.y - high) / 2 + (float)i * font->FontSize + (font->FontSize - size) / 2)),
            tint, lines[i]);
    }
}

/* Where the weights are small, the cell's foot is short; of a negative one it is warm. */
void draw_weight(const Overlay *overlay, ImVec2 from, ImVec2 to, double share) {
    const float thick = fmaxf(2, em(overlay, 0.16f)), length = (float)fabs(share) * (to.x - from.x);
    if (length > 0)
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(from.x, to.y - thick), ImVec2(from.x + length, to.y),
                                                  share > 0 ? accent : warm);
}

constexpr int roomy_columns = 5; /* so many cells a row have room for value, weight and product */

void draw_cell(const Overlay *overlay, const InspectorView &inspector, const InspectCell &cell, ImU32 ground,
               ImVec2 from, ImVec2 to) {
    const Inspection &made = inspector.inspection;
    const bool sums = made.kind != INSPECT_RANK, pair = made.kind == INSPECT_PAIR;
    const bool taken = !sums && cell.counts && !(cell.value < made.result || cell.value > made.result);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const bool bright = (ground >> IM_COL32_R_SHIFT & 255) > 118;
    const ImU32 tint = bright ? rgba(0, 0, 0, cell.counts ? 235 : 110) : rgba(255, 255, 255, cell.counts ? 240 : 110);
    char lines[3][24];
    int count = 1;
    list->AddRectFilled(from, to, cell.counts ? ground : (ground & ~IM_COL32_A_MASK) | 90u << IM_COL32_A_SHIFT);
    if (pair) {
        format_cell(cell.value, false, lines[0], sizeof lines[0]);
        snprintf(lines[1], sizeof lines[1], "× %.0f", cell.weight);
        snprintf(lines[2], sizeof lines[2], "× %.0f", cell.weight_y);
        count = 3;
    } else if (sums && made.columns <= roomy_columns) {
        char weight[20];
        format_cell(cell.value, false, lines[0], sizeof lines[0]);
        format_cell(cell.weight, false, weight, sizeof weight);
        snprintf(lines[1], sizeof lines[1], "× %s", weight);
        format_cell(cell.product, false, lines[2], sizeof lines[2]);
        count = 3;
    } else {
        format_cell(!sums || inspector.cells == CELLS_VALUES ? cell.value
                    : inspector.cells == CELLS_WEIGHTS       ? cell.weight
                                                             : cell.product,
                    made.columns > roomy_columns, lines[0], sizeof lines[0]);
    }
    draw_lines(overlay, from, to, tint, lines, count);
    if (cell.beyond)
        list->AddTriangleFilled(from, ImVec2(from.x + em(overlay, 0.45f), from.y),
                                ImVec2(from.x, from.y + em(overlay, 0.45f)), bad);
    if (sums && !pair)
        draw_weight(overlay, from, to, made.heaviest > 0 ? cell.weight / made.heaviest : 0);
    else if (taken)
        list->AddRect(ImVec2(from.x + 1, from.y + 1), ImVec2(to.x - 1, to.y - 1), accent, 0, 0, em(overlay, 0.16f));
}

/* The pixels under the mask, of which the anchor has a frame. */
void draw_cells(const Overlay *overlay, const InspectorView &inspector, PixelType type, double white) {
    const Inspection &made = inspector.inspection;
    const bool roomy = made.kind != INSPECT_RANK && made.columns <= roomy_columns;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, space = fmaxf(1, roundf(em(overlay, 0.08f)));
    const float width = fminf(floorf(room / (float)made.columns), em(overlay, 5.0f)),
                height = roomy ? em(overlay, 3.1f) : em(overlay, 1.75f);
    const float left = at.x + floorf((room - width * (float)made.columns) / 2);
    for (int i = 0; i < made.rows * made.columns; i++) {
        const ImVec2 from(left + (float)(i % made.columns) * width, at.y + (float)(i / made.columns) * height);
        draw_cell(overlay, inspector, made.cells[i], gray_of(made.cells[i].value, type, white), from,
                  ImVec2(from.x + width - space, from.y + height - space));
    }
    const int x = made.width / 2 - made.left, y = made.height / 2 - made.top;
    const ImVec2 anchor(left + (float)x * width - space, at.y + (float)y * height - space);
    ImGui::GetWindowDrawList()->AddRect(anchor, ImVec2(anchor.x + width + space, anchor.y + height + space),
                                        made.kind == INSPECT_RANK ? rgba(255, 255, 255, 200) : accent, 0, 0,
                                        fmaxf(1.5f, em(overlay, 0.12f)));
    ImGui::Dummy(ImVec2(room, (float)made.rows * height));
}

/* ---- arithmetic ---- */

/* A figure of the sum, its digits below those of the line before. */
void line(Overlay *overlay, ImU32 tint, const char *name, double value) {
    char words[32];
    snprintf(words, sizeof words, fabs(value) < 1e6 ? "%.4f" : "%.7g", value);
    text(dim, "%s", name);
    ImGui::PushFont(overlay->mono);
    text_right(overlay, tint, words);
    ImGui::PopFont();
}

void draw_sum(Overlay *overlay, Viewer *viewer) {
    const InspectorView *inspector = inspector_view(viewer);
    const Inspection &made = inspector->inspection;
    char name[96];
    const bool part = made.columns < made.width || made.rows < made.height;
    if (made.columns > roomy_columns) {
        static const char *const names[CELLS_SHOWN] = {"products", "values", "weights"};
        for (int i = 0; i < CELLS_SHOWN; i++) {
            if (i > 0)
                ImGui::SameLine(0, em(overlay, 0.25f));
            if (chip(overlay, names[i], (int)inspector->cells == i))
                inspector_choose_cells(viewer, (InspectCells)i);
        }
    }
    if (part) {
        snprintf(name, sizeof name, "these %d × %d of %d × %d", made.columns, made.rows, made.width, made.height);
        line(overlay, dim, name, made.sum_of_cells);
    }
    if (!made.summed) {
        text(dim, "%s", "the mask is too large to be summed here");
        return;
    }
    snprintf(name, sizeof name, "sum of %s%d products", part ? "all " : "", made.width * made.height);
    line(overlay, ink, name, made.sum);
    if (fabs(made.divisor - 1) > 0) {
        snprintf(name, sizeof name, "divided by %.7g", made.divisor);
        line(overlay, ink, name, made.sum / made.divisor);
    }
    if (fabs(made.bias) > 0) {
        snprintf(name, sizeof name, "plus %.7g", made.bias);
        line(overlay, ink, name, made.result);
    }
}

/* Both sums, and the result of them. */
void draw_pair(Overlay *overlay, const Inspection &made) {
    char name[64];
    line(overlay, ink, "across: sum of the first weights", made.sum);
    line(overlay, ink, "down: sum of the second weights", made.sum_y);
    snprintf(name, sizeof name, fabs(made.scale - 1) > 0 ? "%s, times %.4g" : "%s", made.output, made.scale);
    line(overlay, ink, name, made.result);
}

/* The window's values in order; the one that is taken is marked. */
void draw_rank(const Overlay *overlay, const Inspection &made) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImFont *font = overlay->small;
    const float width = ImGui::GetContentRegionAvail().x, high = font->FontSize + em(overlay, 0.3f);
    float widest = em(overlay, 1.4f);
    char words[24];
    for (int i = 0; i < made.listed; i++) {
        format_cell(made.sorted[i], false, words, sizeof words);
        widest = fmaxf(widest, font->CalcTextSizeA(font->FontSize, 1e6f, 0, words).x + em(overlay, 0.5f));
    }
    const int columns = floor_int(fmaxf(width / widest, 1)), rows = (made.listed + columns - 1) / columns;
    for (int i = 0; i < made.listed; i++) {
        const bool taken = made.first + i == made.rank;
        const ImVec2 from(at.x + (float)(i % columns) * widest, at.y + (float)(i / columns) * high);
        const ImVec2 to(from.x + widest, from.y + high);
        format_cell(made.sorted[i], false, words, sizeof words);
        if (taken)
            list->AddRectFilled(from, to, accent_deep, em(overlay, 0.25f));
        put(font, taken ? ink : dim, to.x - em(overlay, 0.25f), roundf(from.y + em(overlay, 0.12f)), words);
    }
    ImGui::Dummy(ImVec2(width, (float)rows * high));
    if (made.listed < made.count)
        text(dim, "%d of %d values, in order, around number %d", made.listed, made.count, made.rank + 1);
    else
        text(dim, "%d values in order; number %d is taken", made.count, made.rank + 1);
}

void draw_point(const Overlay *overlay, const Inspection &made, int channel) {
    for (int i = 0; i < made.step_count; i++) {
        const InspectStep &step = made.steps[i];
        text(ink, "%s", step.name);
        ImGui::SameLine(0, em(overlay, 0.6f));
        wrapped(dim, step.help);
        ImGui::PushFont(overlay->mono);
        wrapped(accent, step.formula);
        text(dim, "v = %.7g", step.in[0][channel]);
        for (int k = 1; k < step.inputs; k++) {
            ImGui::SameLine(0, em(overlay, 1.0f));
            text(dim, "v%d = %.7g", k + 1, step.in[k][channel]);
        }
        ImGui::SameLine(0, em(overlay, 1.0f));
        text(dim, "w = %.7g", step.white);
        for (int p = 0; p < step.parameter_count && p < 8; p++)
            text(dim, "p[%d] = %.7g", p, step.parameters[p]);
        const double value = step.value[channel], out = step.out[channel];
        text(ink, fabs(value - out) > 0 ? "= %.7g → %.7g" : "= %.7g", value, out);
        ImGui::PopFont();
    }
}

/* The result of the arithmetic, and whether the level's result equals it. */
void draw_stored(Overlay *overlay, const InspectorView &inspector, PixelType type) {
    char stored[32], result[32], words[40];
    const Inspection &made = inspector.inspection;
    if (made.kind == INSPECT_SUM && !made.summed)
        return;
    format_value(made.stored, type, stored, sizeof stored);
    text(dim, "stored as %s", pixel_type_name(type));
    ImGui::PushFont(overlay->mono);
    text_right(overlay, ink, stored);
    ImGui::PopFont();
    if (!inspector.has_result)
        return;
    format_value(inspector.stage_value, type, result, sizeof result);
    const bool same = strcmp(stored, result) == 0;
    snprintf(words, sizeof words, same ? "= %s" : "≠ %s", result);
    text(dim, "%s", "the level's result");
    ImGui::PushFont(overlay->mono);
    text_right(overlay, same ? accent : warm, words);
    ImGui::PopFont();
    if (!same)
        text(warm, "%s", type == PIXEL_F32 ? "levels may differ in their last digits" : "levels may differ by one");
}

/* ---- the stage ---- */

void draw_stage_chips(const Overlay *overlay, Viewer *viewer, size_t count) {
    for (int step = -1; step <= 1 && count > 1; step += 2) {
        if (chip(overlay, step < 0 ? "←" : "→", false))
            inspector_step(viewer, step);
        ImGui::SameLine(0, em(overlay, 0.25f));
    }
    if (count > 1)
        ImGui::SameLine(0, em(overlay, 1.0f));
}

void draw_channel_chips(const Overlay *overlay, Viewer *viewer, int channels) {
    for (int c = 0; c < channels; c++) {
        if (c > 0)
            ImGui::SameLine(0, em(overlay, 0.25f));
        if (chip(overlay, channel_name(c, channels), c == inspector_view(viewer)->channel))
            inspector_choose_channel(viewer, c);
    }
}

void draw_stage(Overlay *overlay, Viewer *viewer) {
    const InspectorView *inspector = inspector_view(viewer);
    const size_t count = inspector->plan ? plan_stage_count(inspector->plan) : 0;
    if (count == 0)
        return;
    const PlanStage *shown = plan_stage(inspector->plan, inspector->shown_stage);
    const Stage &stage = shown->stage;
    const double white = plan_value_white(inspector->plan, shown->from[0]);
    const PixelType in = stage.in[0].shape.type, out = stage.out.shape.type;
    char job[128], place[32] = "", words[192];
    if (count > 1)
        snprintf(place, sizeof place, "stage %zu of %zu", inspector->shown_stage + 1, count);
    if (!heading(overlay, "Arithmetic", place))
        return;
    stage.op->describe(stage.job, job, sizeof job);
    ImGui::PushFont(overlay->bold);
    text(ink, "%s", stage.label);
    ImGui::PopFont();
    ImGui::SameLine(0, em(overlay, 0.6f));
    snprintf(words, sizeof words, strncmp(job, stage.op->name, strlen(stage.op->name)) == 0 ? "%s%s" : "%s %s",
             strncmp(job, stage.op->name, strlen(stage.op->name)) == 0 ? "" : stage.op->name, job);
    wrapped(dim, words);
    draw_stage_chips(overlay, viewer, count);
    draw_channel_chips(overlay, viewer, stage.out.shape.channels);
    const bool known = inspect_knows(stage.op);
    const char *trouble = inspector_trouble(viewer);
    if (!known || trouble[0]) {
        wrapped(known ? warm : dim, known ? trouble : stage.op->help);
        return;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, inspector->current ? 1.0f : 0.5f);
    const Inspection &made = inspector->inspection;
    if (made.kind == INSPECT_SUM || made.kind == INSPECT_PAIR || made.kind == INSPECT_RANK)
        draw_cells(overlay, *inspector, in, white);
    if (made.kind == INSPECT_SUM)
        draw_sum(overlay, viewer);
    else if (made.kind == INSPECT_PAIR)
        draw_pair(overlay, made);
    else if (made.kind == INSPECT_RANK)
        draw_rank(overlay, made);
    else if (made.kind == INSPECT_POINT)
        draw_point(overlay, made, inspector->channel);
    if (made.kind != INSPECT_OPAQUE)
        draw_stored(overlay, *inspector, out);
    ImGui::PopStyleVar();
}

void draw_pixel(Overlay *overlay, Viewer *viewer) {
    const InspectorView *inspector = inspector_view(viewer);
    char place[64] = "point at the picture";
    if (!heading(overlay, "Pixel", inspector->frozen ? "frozen: X or a click thaws" : "X or a click freezes"))
        return;
    if (inspector->has_pixel)
        snprintf(place, sizeof place, "x %5zu   y %5zu", inspector->x, inspector->y);
    ImGui::PushFont(overlay->mono);
    text(ink, "%s", place);
    ImGui::PopFont();
    if (inspector->has_pixel)
        draw_values(overlay, read_before(viewer), read_after(viewer));
}

void draw(Overlay *overlay, Viewer *viewer) {
    if (!on_column(overlay, viewer->pointer_x, viewer->pointer_y))
        inspector_point_at(viewer, viewer->pointer_x, viewer->pointer_y);
    inspector_update(viewer);
    draw_pixel(overlay, viewer);
    if (inspector_view(viewer)->has_pixel)
        draw_stage(overlay, viewer);
}

} // namespace

const Panel panel_inspector = {"inspector", PLACE_LOOK, visible, draw, false, false, true};
