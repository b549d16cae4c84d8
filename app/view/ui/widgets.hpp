/* widgets.hpp: what panels are made of: colours, texts, headings, rows of facts, pills.
 * Sizes are in ems of the text (16 pixels at scale 1), so that all of it grows with the window. */
#ifndef GLINT_APP_VIEW_UI_WIDGETS_HPP
#define GLINT_APP_VIEW_UI_WIDGETS_HPP

#include <math.h>
#include <stdint.h>

#include "app/view/ui/overlay.h"

#include "app/view/ui/fonts.hpp"
#include "app/view/ui/theme.hpp"

extern "C" {
#include "app/tev/drawing.h"
#include "app/view/data/terms.h"
#include "render/mesh.h"
}

enum Column {
    COLUMN_LEFT,
    COLUMN_RIGHT,
    COLUMN_LOOK,
    COLUMN_FILES,
    COLUMN_BAR,
    COLUMN_TOUR,
    COLUMN_BOX,  /* of the line that is typed */
    COLUMN_CROP, /* of the ratios of a part */
    COLUMN_SIGN, /* that the window is being recorded */
    COLUMN_SAVE, /* of a picture that waits for its samples */
    COLUMNS
};
enum { SLIDERS_MAX = 64, FOLDS_MAX = 48, PANELS_MAX = 64 };

/* Where a parameter's slider was built. */
struct Slider {
    const char *param;
    Area area;
};

/* A section that may be folded away, by its heading. */
struct Fold {
    const char *words;
    bool open;
};

/* The roofline's dot on its way from one level's place to another's. */
struct Glide {
    const Level *level;     /* that it goes to */
    double from[2], now[2]; /* decades */
    double began;           /* clock_ms */
};

/* The drawing of another program over its picture, as it lies in the window. */
struct ShownDrawing {
    unsigned changes; /* of the picture, by which it is known; 0: none is */
    DrawingPlace place;
    Drawing drawing;
};

struct Overlay : Faces {
    ImGuiContext *context;
    float scale;            /* that the fonts are made for; 0: none yet */
    Fonts *fonts, *coming;  /* in use, and on their way; nullptr: none */
    ImFontAtlas blank;      /* that the context begins with, before there are fonts */
    Mesh mesh;              /* of what was drawn last */
    bool built;             /* panels were, since then */
    unsigned letters;       /* the texture of the fonts in use */
    const Theme *theme;     /* that the style is made for */
    float top;              /* pixels that the bar takes */
    Area columns[COLUMNS];  /* that are open; width 0: none; the strip lies where the left one does */
    float heights[COLUMNS]; /* of what their last build put into them */
    float needs[COLUMNS];   /* how wide their widest rows were since the fonts were made */
    Column building;        /* the one that rows are put into */
    bool settled;           /* no column wants another size than the last time */
    bool close;             /* an open menu closes */
    bool scripted;          /* clicks are a script's */
    ImDrawList *sign;       /* drawn apart, since films have none; nullptr: none is shown */
    bool hit;               /* a heading was clicked, which is no item of Dear ImGui */
    bool still, moves;      /* nothing shall move by itself; something does */
    Glide dot;
    ShownDrawing drawing;
    bool menu, all;                             /* a menu is open; nothing beneath reacts at all */
    struct Gallery *gallery;                    /* of thumbnails, once they are shown */
    struct Effects *effects;                    /* the same of what chains would make */
    size_t strip_of;                            /* the file that was current when the strip was last centred */
    unsigned strip_serial;                      /* of what was shown then */
    long strip_first;                           /* the first file that it shows */
    int strip_hidden;                           /* the ratings that it did not have then */
    bool strip_control, strip_shift;            /* keys that were down when a thumbnail was pressed */
    bool strip_menu;                            /* the menu of a thumbnail is to open at the pointer */
    unsigned wave_texture, wave_serial;         /* of the waveform, and what it shows */
    unsigned response_texture, response_serial; /* the same of a mask's response */
    float panel_heights[SUBJECTS][PANELS_MAX];  /* of what each panel put into its column when it had figures: of
                                                   pictures and of scenes, which have others */
    bool opened[PANELS_MAX];                    /* of those that hands open: were there when last built */
    bool unfolds;                               /* the section that is being built was opened just now */
    size_t seen_link, seen_links;               /* the selected filter of the last build, and how many there were */
    Fold folds[FOLDS_MAX];
    size_t fold_count;
    Slider sliders[SLIDERS_MAX];
    size_t slider_count;
    bool typed_in_place;      /* the line that is typed stands in its slider */
    const struct Term *asked; /* the word of the glossary that was clicked; nullptr: none */
};

constexpr ImGuiWindowFlags box_flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

/* The next lower whole number, within a million either way: "no mouse" of Dear ImGui lies at -FLT_MAX. */
inline int floor_int(float number) {
    return (int)floorf(fmaxf(fminf(number, 1e6f), -1e6f));
}

/* Pixels of so many ems. */
float em(const Overlay *overlay, float ems);
float column_width(const Overlay *overlay, Column which);
/* The column that is being built will be so wide that what ends at `right`, in the window's coordinates, fits. */
void need_up_to(Overlay *overlay, float right);

void text(ImU32 tint, const char *format, ...) IM_FMTARGS(2);
void wrapped(ImU32 tint, const char *words);
/* Ends at the right edge of the column, which grows until there is room for it behind what stands on the line. */
void text_right(Overlay *overlay, ImU32 tint, const char *words);
/* How far to the right what stands in the strip may go. */
float go_on_until();
/* Goes on behind what was put last, after a gap; stays below it, false, if `width` pixels would lead beyond that. */
bool go_on(float gap, float width);
/* A column for `widest` with a gap behind it, `min` ems at least. */
float column(const Overlay *overlay, float min, float widest);
void gap(const Overlay *overlay, float ems);
/* A heading with a hair line above, unless it is the first of its column. A click on it folds what
 * stands below, and again shows it: false if that is folded away. `words` are static. */
bool heading(Overlay *overlay, const char *words, const char *right, bool open_at_first = true);
/* Scrolls the column so that what was put from `top` on, in the window's coordinates, is in sight, its top at least. */
void scroll_to(float top);
/* Whether what stands below that heading, which was built already, is shown. */
bool section_open(const Overlay *overlay, const char *words);
/* A tip at the pointer, wrapped. */
__attribute__((format(printf, 1, 2))) void say_tip(const char *format, ...);
/* The same, and below it keys in letters that are told apart: I, l, 1. */
void say_keys(const Overlay *overlay, const char *words, const char *keys);
/* Explains the figure under the pointer; names without an explanation have none. */
void tip(const char *name, ImVec2 from, ImVec2 to);
/* The explanation, or nullptr (tips.cpp). */
const char *tip_of(const char *name);
/* Pixels, in one line. */
float width_of(const ImFont *font, const char *words);
/* Cuts words that are wider than `room` pixels, with "…" at their end. */
void shorten(const ImFont *font, float room, char *words, size_t size);
/* Where words along the picture's top begin that begin at `left`: below the strip, if that reaches so far. */
float words_top(const Overlay *overlay, const Viewer *viewer, float left);
/* Words on a pill over the picture; `x` is its middle. */
void pill(const Overlay *overlay, float x, float y, ImU32 tint, const char *words);
/* A name at the left, a value at the right. */
void fact(Overlay *overlay, ImU32 tint, const char *name, const char *format, ...) IM_FMTARGS(4);

enum TermWays : unsigned { TERM_TIP = 1, TERM_CLICK = 2 };

/* Words of the glossary in texts (terms.cpp, app/view/data/terms.def); a click on one opens the glossary. */
/* Underlines those in a line of the current font that begins at `at`, each once: `seen` has a bit for each. */
void mark_terms(Overlay *overlay, ImVec2 at, const char *line, const char *end, unsigned ways, uint64_t *seen);
/* A word that stands alone, and is one of them. */
void term(Overlay *overlay, ImU32 tint, const char *name);
/* A text of several lines, with its terms. */
void marked(Overlay *overlay, ImU32 tint, const char *words);
/* Shows the glossary if a term was clicked. */
void open_term(Overlay *overlay, Viewer *viewer);

/* Words that show, at a click, what stands below them, and fold it away again: at first it is. */
bool fold_chip(Overlay *overlay, const char *words);
/* Words that can be clicked; `on`: they are what is chosen. True if they were. */
bool chip(const Overlay *overlay, const char *words, bool on);

const char *base_name(const char *path);
void format_ms(double ms, char *buffer, size_t size); /* three significant digits */
void format_rate(double rate, char *buffer, size_t size);
void format_count(double value, char *buffer, size_t size); /* three digits and a prefix: "13.1 M" */
void format_speedup(const Viewer *viewer, const Figures &figures, char *buffer, size_t size);
void format_copies(const Figures &figures, char *buffer, size_t size);

/* Whether the pointer is on a column or the strip. */
bool on_column(const Overlay *overlay, double x, double y);
/* Remembers where the box that is being built lies, and whether it will be as large again. */
void note_box(Overlay *overlay, Column column);
/* Within a menu: closes it if that is asked for. */
void close_menu(const Overlay *overlay);
/* Says why a request of a panel failed. */
void report(Viewer *viewer, Status status);

#endif
