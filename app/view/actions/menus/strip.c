/* strip.c: pictures of the strip: selecting, rating, showing those with stars, copying edits from one to others; the
 * rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/menus/choosing.h"
#include "app/view/session/keep.h"
#include "app/view/session/strip.h"
#include "app/view/tools/bulk.h"
#include "app/view/tools/copied.h"
#include "core/chain/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- selecting ---- */

static Status select_pictures(Viewer *viewer, const char *text) {
    TRY(strip_select(viewer, text));
    const size_t count = strip_selection(viewer);
    if (count > 0)
        strip_reveal(viewer); /* nothing is done with pictures that nobody sees */
    viewer_say(viewer, false, "%zu of %zu pictures selected", count, viewer->pictures.count);
    return action_reveal(viewer, count > 0, OVERLAY_COMPACT);
}

static Status select_all(Viewer *viewer) {
    return select_pictures(viewer, "all");
}

static bool has_others(const Viewer *viewer) {
    return viewer->pictures.count > 1;
}

/* ---- rating ---- */

typedef struct RatingChange {
    int rating;
    char name[128]; /* of the one picture that is rated; or "" */
} RatingChange;

static Status rate_one(Viewer *viewer, void *what, const char *path, SidecarGroup *group, size_t number, bool *waits) {
    return keep_rate(viewer, path, ((const RatingChange *)what)->rating, group, number, waits);
}

static void note_rating(Viewer *viewer, void *what, const char *path) {
    strip_note_rating(viewer, path, ((const RatingChange *)what)->rating);
}

static void say_rating(Viewer *viewer, const void *what, size_t done, size_t count) {
    const RatingChange *change = what;
    char words[RATING_WORDS];
    strip_name_rating(change->rating, words);
    if (done < count)
        viewer_say(viewer, false, "Stopped: %zu of %zu pictures are rated: %s", done, count, words);
    else if (change->name[0])
        viewer_say(viewer, false, "%s: %s", change->name, words);
    else
        viewer_say(viewer, false, "%zu picture%s: %s", count, count == 1 ? "" : "s", words);
}

static const BulkKind rating_kind = {.doing = "Rating",
                                     .failed = "the rating is not kept",
                                     .change = rate_one,
                                     .changed = note_rating,
                                     .say = say_rating,
                                     .destroy = free};

static Status rate_as(Viewer *viewer, int rating) {
    const char *name = viewer_title(viewer), *slash = strrchr(name, '/');
    if (!viewer_picture(viewer))
        return fail(STATUS_USAGE, "no picture is open to be rated");
    RatingChange *change = calloc(1, sizeof *change);
    if (!change)
        return fail(STATUS_DEVICE, "no memory for a rating");
    change->rating = rating;
    if (strip_selection(viewer) == 0)
        snprintf(change->name, sizeof change->name, "%s", slash ? slash + 1 : name);
    return bulk_begin(viewer, &rating_kind, change);
}

/* Scripts wait for the last picture. */
static Status rate_and_await(Viewer *viewer, int rating, Call call) {
    TRY(rate_as(viewer, rating));
    return call.strict ? bulk_await(viewer) : STATUS_OK;
}

static Status rate(Viewer *viewer, Call call) {
    int rating;
    TRY(rating_parse(call.text, &rating));
    return rate_and_await(viewer, rating, call);
}

static bool changes_pictures(const Viewer *viewer) {
    const char *doing;
    size_t done, count;
    return bulk_goes_on(viewer, &doing, &done, &count);
}

static Status stop_changes(Viewer *viewer) {
    return bulk_tool.close(viewer) ? STATUS_OK : fail(STATUS_USAGE, "no pictures are being changed");
}

static bool is_rejected(const Viewer *viewer) {
    const size_t shown = viewer->pictures.current;
    return viewer_picture(viewer) && shown < viewer->pictures.count && strip_rating(viewer, shown) == RATING_REJECTED;
}

static Status reject(Viewer *viewer, Call call) {
    return rate_and_await(viewer, is_rejected(viewer) ? 0 : RATING_REJECTED, call);
}

static Status paste_edits(Viewer *viewer, Call call) {
    TRY(copied_paste(viewer));
    return call.strict ? bulk_await(viewer) : STATUS_OK;
}

/* ---- fewer files ---- */

static bool is_taken_off(const Viewer *viewer, size_t index) {
    const FileList *list = &viewer->pictures;
    return strip_selection(viewer) > 0 ? list->marks[index].selected : index == list->current;
}

/* The file that is shown then: the shown one if it stays, else the next that stays; list.count if none does. */
static size_t file_that_stays(const Viewer *viewer) {
    const FileList *list = &viewer->pictures;
    for (size_t i = 0; i < list->count; i++) {
        const size_t at = (list->current + i) % list->count;
        if (!is_taken_off(viewer, at))
            return at;
    }
    return list->count;
}

static Status take_off(Viewer *viewer) {
    FileList *list = &viewer->pictures;
    const size_t stays = file_that_stays(viewer), before = list->count;
    if (stays == list->count)
        return fail(STATUS_USAGE, "one file at least stays in the strip");
    bool *off = calloc(before, sizeof *off);
    if (!off)
        return fail(STATUS_DEVICE, "no memory for a list of files");
    for (size_t i = 0; i < before; i++)
        off[i] = is_taken_off(viewer, i);
    const Status status = stays == list->current ? STATUS_OK : viewer_open_picture(viewer, stays);
    for (size_t i = before; i-- > 0 && status == STATUS_OK;)
        if (off[i])
            file_list_remove(list, i);
    free(off);
    TRY(status);
    viewer_say(viewer, false, "%zu file%s off the strip; on the disk nothing has changed", before - list->count,
               before - list->count == 1 ? "" : "s");
    return STATUS_OK;
}

static bool has_picture(const Viewer *viewer) {
    return viewer_picture(viewer);
}

static Status show_rated(Viewer *viewer, const char *text) {
    size_t shown = 0;
    TRY(strip_show(viewer, text));
    for (size_t i = 0; i < viewer->pictures.count; i++)
        shown += strip_shows(viewer, i);
    strip_reveal(viewer);
    viewer_say(viewer, false, "The strip shows %zu of %zu pictures", shown, viewer->pictures.count);
    return action_reveal(viewer, true, OVERLAY_COMPACT);
}

/* ---- copying edits ---- */

static Status copy_edits(Viewer *viewer) {
    TRY(copied_take(viewer));
    const size_t count = copied_chain(viewer)->count;
    viewer_say(viewer, false, "Copied %zu filter%s of %s", count, count == 1 ? "" : "s", copied_from(viewer));
    return action_reveal(viewer, true, OVERLAY_FULL);
}

static bool has_copy(const Viewer *viewer) {
    return copied_chain(viewer);
}

/* ---- arguments ---- */

static Status choose_ticks(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    TRY(choose_word(choices, "all",
                    (Choice){.help = choice_borrows("the copy takes the place of a picture's filters")}));
    return choose_word(choices, "none", (Choice){.help = NULL});
}

static Status choose_rating(const Viewer *viewer, const char *text, Choices *choices) {
    char words[RATING_WORDS];
    const size_t shown = viewer->pictures.current;
    const int now = shown < viewer->pictures.count ? strip_rating(viewer, shown) : 0;
    choices->wanted = text;
    for (int rating = RATING_MAX; rating >= RATING_REJECTED; rating--) {
        Choice choice = {.text = choice_borrows(rating_format(rating)),
                         .label = choice_borrows(strip_name_rating(rating, words)),
                         .current = rating == now};
        action_key_of_text(viewer, action_by_name("rate"), rating_format(rating), choice.keys);
        if (rating == RATING_REJECTED)
            action_keys_here(viewer, action_by_name("reject"), choice.keys);
        TRY(choices_add(choices, choice));
    }
    return STATUS_OK;
}

static Status choose_shown(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < RATING_RULES; i++)
        TRY(choices_add(choices, (Choice){.text = choice_borrows(rating_rules[i].word),
                                          .label = choice_borrows(rating_rules[i].label),
                                          .current = strcmp(rating_rules[i].word, strip_showing(viewer)) == 0}));
    return STATUS_OK;
}

static Status choose_pictures(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    TRY(choose_word(choices, "all", (Choice){.help = choice_borrows("the whole strip")}));
    return choose_word(choices, "none", (Choice){.help = choice_borrows("the shown picture stands for itself")});
}

static const Argument argument_pictures = {
    .name = "PICTURES", .words = "numbers, as in 2 4-6; +3 adds, -3 takes off; all, none", .choose = choose_pictures};

static const Argument argument_rating = {
    .name = "RATING", .words = "stars from 0 to 5, or rejected", .choose = choose_rating, .listed = true};
static const Argument argument_shown = {.name = "RATING",
                                        .words = "all, unrejected, or a number of stars: so many and more",
                                        .choose = choose_shown,
                                        .listed = true};

static const Argument argument_ticks = {
    .name = "FILTERS", .words = "numbers of copied filters, as in 1 3; all, none", .choose = choose_ticks};

static const Action rows[] = {
    {"copy-edits", "Ctrl+Shift+C", "copies the filters of the shown picture, to paste them onto others",
     .place = IN_PICTURES, .act = copy_edits, .flags = ACTION_RULE | ACTION_THUMBNAIL, .can = has_picture},
    {"paste-edits", "Ctrl+Shift+V", "pastes the copied filters onto the selected pictures, or the shown one",
     .place = IN_PICTURES, .run = paste_edits, .flags = ACTION_THUMBNAIL, .can = has_copy},
    {"tick-edits", "Ctrl+Shift+D", "ticks the copied filters that are pasted, by their numbers, as in 1 3",
     .place = IN_PICTURES, .take = copied_tick, .argument = &argument_ticks, .flags = ACTION_RARE, .can = has_copy},
    {"select-all", "Ctrl+A", "selects all pictures of the strip; Ctrl and Shift with a click select some, Esc none",
     .label = "select all pictures", .place = IN_PICTURES, .act = select_all, .flags = ACTION_RULE, .can = has_others},
    {"select-pictures", "Ctrl+Shift+I", "selects pictures of the strip by their numbers, as in 2 4-6",
     .place = IN_PICTURES, .take = select_pictures, .argument = &argument_pictures, .flags = ACTION_RARE,
     .can = has_others},
    {"rate", "0 1 2 3 4 5",
     "gives the selected pictures, or the shown one, 1 to 5 stars, or none (0), in the mode Picture",
     .place = IN_PICTURES, .run = rate, .argument = &argument_rating, .texts = "0 1 2 3 4 5", .flags = ACTION_THUMBNAIL,
     .can = has_picture},
    {"reject", "Ctrl+X", "rejects the selected pictures, or the shown one; again takes that back",
     .label = "reject picture", .place = IN_PICTURES, .run = reject, .on = is_rejected,
     .flags = ACTION_RARE | ACTION_THUMBNAIL, .can = has_picture},
    {"take-off-strip", "Ctrl+Shift+Delete", "takes the selected files, or the shown one, off the strip; the files stay",
     .label = "remove from the strip", .act = take_off, .flags = ACTION_RARE | ACTION_THUMBNAIL, .can = has_others},
    {"stop-changes", "Ctrl+F2", "stops rating or pasting: pictures so far stay as they are now; Esc does, too",
     .place = IN_PICTURES, .act = stop_changes, .flags = ACTION_RARE | ACTION_UNWRITTEN, .can = changes_pictures},
    {"show-rated", "*", "has the strip show pictures with so many stars alone, or all but rejected ones",
     .label = "show rated pictures", .place = IN_PICTURES, .take = show_rated, .argument = &argument_shown,
     .can = has_others},
};

const Menu strip_menu = {"Edit", rows, sizeof rows / sizeof rows[0]};
