/* icons.cpp: the table of drawings, and what draws them.
 * A drawing is a text of marks: "M x y x y ..." a line through these points, Z closes it; "O x y r" a circle, "D x y r"
 * a disc; "B x y x y" a filled box. Coordinates go from 0 to 16, rightwards and down. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/view/ui/icons.hpp"

namespace {

constexpr float grid = 16.0f, stroke = 1.35f; /* of the grid */

constexpr struct {
    const char *name, *marks;
} icons[] = {
    {"open", "M1.5 13 1.5 3.5 6 3.5 7.5 5.5 14.5 5.5 14.5 13 Z"},
    {"open-recent", "O8 8 6 M8 4.5 8 8 10.5 9.5"},
    {"scene", "O8 8 6 D6 6 1.4"},
    {"picture-or-scene", "O8 8 6 D6 6 1.4"},
    {"reload", "M13.5 8 12.5 11 9.5 13.3 6 13.2 3.3 11.2 2.4 8 3.4 4.8 6 2.8 9.5 2.7 12.5 4.8 M12.8 1.8 12.8 5 9.6 5"},
    {"thumbnails", "M1.5 4 14.5 4 14.5 12 1.5 12 Z M6 4 6 12 M10 4 10 12"},
    {"save-as", "M8 2 8 10 M4.5 6.5 8 10 11.5 6.5 M2 10.5 2 14 14 14 14 10.5"},
    {"export-panel", "M8 10 8 2 M4.5 5.5 8 2 11.5 5.5 M2 9.5 2 14 14 14 14 9.5"},
    {"copy-image", "M2 2 10 2 10 10 2 10 Z M12.5 6 14 6 14 14 6 14 6 12.5"},
    {"record", "O8 8 6 D8 8 2.8"},
    {"quit", "M4 4 12 12 M12 4 4 12"},
    {"undo", "M5 2.5 2 5.5 5 8.5 M2 5.5 10 5.5 12.8 6.7 14 9.5 12.8 12.3 10 13.5 6 13.5"},
    {"redo", "M11 2.5 14 5.5 11 8.5 M14 5.5 6 5.5 3.2 6.7 2 9.5 3.2 12.3 6 13.5 10 13.5"},
    {"add", "M8 3 8 13 M3 8 13 8"},
    {"editor", "M2 14 5 12.8 7.2 9.8 8.8 6.2 11 3.2 14 2"},
    {"handles", "M3 3 13 3 13 13 3 13 Z D3 3 1.7 D13 3 1.7 D13 13 1.7 D3 13 1.7"},
    {"crop", "M4 1 4 12 15 12 M1 4 12 4 12 15"},
    {"straighten", "M1.5 10.5 14.5 4.5 M1.5 13 14.5 13"},
    {"paint-mask", "M2.5 13.5 3.5 10.2 11 2.7 13.3 5 5.8 12.5 Z"},
    {"remove-filter", "M2.5 4 13.5 4 M6 4 6 2 10 2 10 4 M4 4 5 14 11 14 12 4"},
    {"duplicate-filter", "M2 2 10 2 10 10 2 10 Z M12.5 6 14 6 14 14 6 14 6 12.5"},
    {"zoom-in", "O6.8 6.8 4.8 M10.3 10.3 14.5 14.5 M4.6 6.8 9 6.8 M6.8 4.6 6.8 9"},
    {"zoom-out", "O6.8 6.8 4.8 M10.3 10.3 14.5 14.5 M4.6 6.8 9 6.8"},
    {"fit", "M2 5.5 2 2 5.5 2 M10.5 2 14 2 14 5.5 M14 10.5 14 14 10.5 14 M5.5 14 2 14 2 10.5"},
    {"inspector", "O8 8 4 M8 1 8 6 M8 10 8 15 M1 8 6 8 M10 8 15 8"},
    {"histogram", "B1.5 9 4.2 14 B5 4 7.7 14 B8.5 6.5 11.2 14 B12 11 14.7 14"},
    {"ground", "M1.5 1.5 14.5 1.5 14.5 14.5 1.5 14.5 Z B4.5 5 11.5 11"},
    {"full-screen", "M1.5 3 14.5 3 14.5 11 1.5 11 Z M5 14 11 14"},
    {"split", "M1.5 3 14.5 3 14.5 13 1.5 13 Z B8 3 14.5 13"},
    {"side-by-side", "M1.5 3.5 6.8 3.5 6.8 12.5 1.5 12.5 Z M9.2 3.5 14.5 3.5 14.5 12.5 9.2 12.5 Z B9.2 3.5 14.5 12.5"},
    {"flicker", "M1.5 2.5 10.5 2.5 10.5 9.5 1.5 9.5 Z B5.5 6.5 14.5 13.5"},
    {"difference", "M8 2 8 9 M4.5 5.5 11.5 5.5 M4.5 13 11.5 13"},
    {"keep", "M1.5 4.5 5 4.5 6 2.8 10 2.8 11 4.5 14.5 4.5 14.5 13 1.5 13 Z O8 8.6 2.6"},
    {"race", "O8 9.3 5 M8 9.3 8 6.5 M6.3 1.7 9.7 1.7"},
    {"facts", "M2 2 2 14 14 14 M3.5 11.5 8 6 13.5 6"},
    {"motion", "M4.5 3 12.5 8 4.5 13 Z"},
    {"help", "O8 8 6.5 M6 6.4 6.5 5.1 8 4.5 9.5 5.1 9.8 6.5 8 8.1 8 9.2 D8 11.5 0.9"},
    {"palette", "O6.8 6.8 4.8 M10.3 10.3 14.5 14.5"},
    {"tour", "M4 14.5 4 2 12.5 2 10.5 5 12.5 8 4 8"},
    {"photograph", "M1.5 3 14.5 3 14.5 13 1.5 13 Z M1.5 11.5 6 7 8.8 9.8 10.8 8.3 14.5 11.5 D10.8 5.8 1.2"},
    /* what no action is called */
    {"alone", "M1.5 3 14.5 3 14.5 13 1.5 13 Z"},
    {"gauge", "M2 12.5 2.3 9 4.4 5.8 8 4.4 11.6 5.8 13.7 9 14 12.5 M8 12.5 11 7.8"},
    {"menus", "M2 4 14 4 M2 8 14 8 M2 12 14 12"},
    {"more", "D3 8 1.3 D8 8 1.3 D13 8 1.3"},
    {"remove", "M4.5 4.5 11.5 11.5 M11.5 4.5 4.5 11.5"},
};

const char *marks_of(const char *name) {
    for (const auto &icon : icons)
        if (strcmp(icon.name, name) == 0)
            return icon.marks;
    return nullptr;
}

/* Reads so many numbers; `*text` moves behind them. */
bool numbers(const char **text, float *values, int count) {
    for (int i = 0; i < count; i++) {
        char *end;
        values[i] = strtof(*text, &end);
        if (end == *text)
            return false;
        *text = end;
    }
    return true;
}

struct Pen {
    ImDrawList *list;
    ImVec2 at;
    float unit, thick;
    ImU32 tint;
    ImVec2 point(float x, float y) const { return ImVec2(at.x + x * unit, at.y + y * unit); }
};

/* Draws the mark that a letter begins; `*text` moves behind it. */
void draw_mark(const Pen &pen, char letter, const char **text) {
    float values[4];
    if (letter == 'M') {
        while (numbers(text, values, 2))
            pen.list->PathLineTo(pen.point(values[0], values[1]));
        *text += strspn(*text, " ");
        const bool closed = **text == 'Z';
        *text += closed;
        pen.list->PathStroke(pen.tint, closed ? ImDrawFlags_Closed : 0, pen.thick);
    } else if (letter == 'B' && numbers(text, values, 4)) {
        pen.list->AddRectFilled(pen.point(values[0], values[1]), pen.point(values[2], values[3]), pen.tint);
    } else if (letter == 'O' && numbers(text, values, 3)) {
        pen.list->AddCircle(pen.point(values[0], values[1]), values[2] * pen.unit, pen.tint, 24, pen.thick);
    } else if (letter == 'D' && numbers(text, values, 3)) {
        pen.list->AddCircleFilled(pen.point(values[0], values[1]), values[2] * pen.unit, pen.tint, 16);
    }
}

} // namespace

bool has_icon(const char *name) {
    return marks_of(name);
}

void draw_icon(ImDrawList *list, const char *name, ImVec2 at, float side, ImU32 tint) {
    const char *marks = marks_of(name);
    const float unit = side / grid;
    const Pen pen = {list, at, unit, fmaxf(1, stroke * unit), tint};
    while (marks && *marks) {
        const char letter = *marks++;
        if (letter != ' ')
            draw_mark(pen, letter, &marks);
    }
}
