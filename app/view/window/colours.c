/* colours.c: which tables the slots need, and a few of them kept. */
#include "app/view/window/colours.h"

#include "app/export/files.h"
#include "app/view/tools/every_tool.h"

#include <stdlib.h>

static ColourPair retain(ColourPair pair) {
    return (ColourPair){colour_space_retain(pair.from), colour_space_retain(pair.to)};
}

static void release(ColourPair *pair) {
    colour_space_release(&pair->from);
    colour_space_release(&pair->to);
}

static bool same_pair(ColourPair a, ColourPair b) {
    return colour_space_equal(a.from, b.from) && colour_space_equal(a.to, b.to);
}

void colours_set_monitor(WindowColours *colours, ColourSpace *space) {
    colour_space_release(&colours->monitor);
    colours->monitor = space;
}

/* ---- the pairs ---- */

static void note(PictureColours *of, PictureColours colours, Shape shape) {
    const bool fits = colours.space && !(colours.space->gray && shape.channels > 2);
    ColourSpace *space = colour_space_retain(fits ? colours.space : NULL);
    colour_space_release(&of->space);
    *of = (PictureColours){space, fits && colours.coded};
}

/* Pairs of a slot, the monitor's first; false where colours stay as they are. */
static bool to_monitor(const WindowColours *colours, int slot, ColourPair *pair) {
    *pair = (ColourPair){colours->of[slot].space, colours->monitor};
    return !colour_space_equal(pair->from, pair->to);
}

static bool to_export(const WindowColours *colours, const Viewer *viewer, int slot, ColourPair *pair) {
    *pair = (ColourPair){colours->of[slot].space, NULL};
    return viewer->grade.zebra && export_converts(export_settings(viewer)) && pair->from && !pair->from->srgb;
}

static const ColourTable *find(const WindowColours *colours, ColourPair pair) {
    const ColourTable *found = NULL;
    for (int i = 0; i < COLOUR_TABLES && !found; i++)
        if (colours->tables[i].used > 0 && same_pair(colours->tables[i].pair, pair))
            found = &colours->tables[i];
    return found;
}

/* Notes that a draw needs the pair's table. */
static void need(WindowColours *colours, ColourPair pair) {
    bool there = false;
    for (int i = 0; i < COLOUR_TABLES && !there; i++) {
        ColourTable *table = &colours->tables[i];
        there = table->used > 0 && same_pair(table->pair, pair);
        table->used = there ? colours->uses : table->used;
    }
    for (size_t i = 0; i < colours->wish_count && !there; i++)
        there = same_pair(colours->wishes[i].pair, pair);
    if (!there)
        colours->wishes[colours->wish_count++] = (ColourWish){.pair = retain(pair)};
}

static void forget_wishes(WindowColours *colours) {
    for (size_t i = 0; i < colours->wish_count; i++) {
        release(&colours->wishes[i].pair);
        free(colours->wishes[i].values);
    }
    colours->wish_count = 0;
}

void colours_follow(WindowColours *colours, const Viewer *viewer, bool fresh) {
    const Subject *subject = viewer->session->subject;
    const PictureColours own = subject ? subject->colours : (PictureColours){0};
    unsigned serial;
    const Image *source = viewer_source(viewer, &serial);
    if (fresh)
        note(&colours->of[CANVAS_RESULT], own, viewer_shown_shape(viewer));
    note(&colours->of[CANVAS_SOURCE], viewer_has_pin(viewer) ? viewer_pin_colours(viewer) : own,
         source ? source->view.shape : (Shape){0});
    forget_wishes(colours);
    colours->uses++;
    for (int slot = 0; slot < CANVAS_SLOTS; slot++) {
        ColourPair pair;
        if (to_monitor(colours, slot, &pair))
            need(colours, pair);
        if (to_export(colours, viewer, slot, &pair))
            need(colours, pair);
    }
}

/* ---- tables ---- */

bool colours_due(const WindowColours *colours) {
    return colours->wish_count > 0;
}

Status colours_make(WindowColours *colours) {
    for (size_t i = 0; i < colours->wish_count; i++) {
        ColourWish *wish = &colours->wishes[i];
        if (!wish->values)
            TRY(display_table_make(wish->pair.from, wish->pair.to, &wish->values));
    }
    return STATUS_OK;
}

/* In the place of the table that was not used for the longest time. */
static Status keep(WindowColours *colours, const ColourWish *wish) {
    ColourTable *oldest = &colours->tables[0];
    for (int i = 1; i < COLOUR_TABLES; i++)
        if (colours->tables[i].used < oldest->used)
            oldest = &colours->tables[i];
    canvas_table_destroy(&oldest->table);
    release(&oldest->pair);
    *oldest = (ColourTable){.pair = retain(wish->pair), .used = colours->uses};
    return wish->values ? canvas_table_create(wish->values, &oldest->table) : STATUS_OK;
}

Status colours_finish(WindowColours *colours) {
    Status status = colours_make(colours);
    for (size_t i = 0; i < colours->wish_count; i++) {
        const Status kept = keep(colours, &colours->wishes[i]);
        status = status == STATUS_OK ? kept : status;
    }
    forget_wishes(colours);
    return status;
}

void colours_apply(const WindowColours *colours, const Viewer *viewer, CanvasLook *look) {
    for (int slot = 0; slot < CANVAS_SLOTS; slot++) {
        ColourPair pair;
        const ColourTable *display = to_monitor(colours, slot, &pair) ? find(colours, pair) : NULL;
        const ColourTable *export = to_export(colours, viewer, slot, &pair) ? find(colours, pair) : NULL;
        look->colours[slot] = (CanvasColours){display ? display->table : (CanvasTable){0},
                                              export ? export->table : (CanvasTable){0}, colours->of[slot].coded};
    }
}

void colours_free(WindowColours *colours) {
    forget_wishes(colours);
    for (int i = 0; i < COLOUR_TABLES; i++) {
        canvas_table_destroy(&colours->tables[i].table);
        release(&colours->tables[i].pair);
    }
    for (int slot = 0; slot < CANVAS_SLOTS; slot++)
        colour_space_release(&colours->of[slot].space);
    colour_space_release(&colours->monitor);
    *colours = (WindowColours){0};
}
