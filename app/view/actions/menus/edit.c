/* edit.c: the chain: its filters, their values, masks, and changes to go back to; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/menus/choosing.h"
#include "app/view/data/labels.h"
#include "app/view/data/synonyms.h"
#include "app/view/session/paths.h"
#include "app/view/tools/brush.h"
#include "app/view/tools/curve_editor.h"
#include "app/view/tools/formula.h"
#include "app/view/tools/handles.h"
#include "app/view/tools/histogram.h"
#include "app/view/tools/mask_editor.h"
#include "app/view/tools/perspective.h"
#include "app/view/tools/point_picker.h"
#include "app/view/tools/straighten.h"
#include "core/base/text.h"
#include "core/chain/preset.h"
#include "core/chain/within.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATIO_MIN 0.01
#define RATIO_MAX 100.0

/* The selected filter's number in the list, counted from 1; 0 is no filter. */
static size_t filter_number(const Viewer *viewer) {
    for (size_t i = 0; i < filter_count; i++)
        if (viewer->request->chain->count > 0 &&
            viewer->request->chain->links[viewer_selected(viewer)].filter == filters[i])
            return i + 1;
    return 0;
}

/* Puts another filter in the place of the selected one. No filter is among them where that would leave none; one that
 * cannot do its work here is passed over. */
static Status pick_filter(Viewer *viewer, Call call) {
    const size_t count = filter_count + 1;
    size_t number = filter_number(viewer);
    Status status = STATUS_OK;
    for (size_t tried = 1; tried < count; tried++) {
        number = (number + (call.step > 0 ? 1 : count - 1)) % count;
        char text[PATH_CAPACITY] = "";
        if (number == 0 && viewer->request->chain->count > 1)
            continue;
        if (number > 0)
            filter_format_example(filters[number - 1], text, sizeof text);
        status = viewer_replace_link(viewer, viewer_selected(viewer), text);
        if (status == STATUS_OK)
            break;
    }
    return status;
}

static Status select_filter(Viewer *viewer) {
    if (viewer->request->chain->count < 2)
        return fail(STATUS_USAGE, "there is no other filter to select");
    viewer->selected = (viewer_selected(viewer) + 1) % viewer->request->chain->count;
    viewer_say(viewer, false, "Selected: %s", viewer->request->chain->links[viewer->selected].filter->name);
    return STATUS_OK;
}

/* A script gets the level that it asks for, or a failure. */
static Fallback fallback_of(Call call) {
    return call.strict ? FALLBACK_NONE : FALLBACK_BEST;
}

/* Whether the filter makes no sense by its name alone, on any picture: a value must be given. */
static bool wants_value(const Filter *filter) {
    const Shape any = {64, 64, 3, PIXEL_U8};
    Chain *alone;
    Plan *plan = NULL;
    if (chain_parse(filter->name, &alone) != STATUS_OK)
        return true;
    const Status status = chain_plan(alone, any, (PlanOptions){.border = {.mode = BORDER_CLAMP}}, &plan);
    plan_destroy(&plan);
    chain_destroy(&alone);
    return status == STATUS_USAGE;
}

/* Gives filters that stand alone, and want a value, the one that a window adds them with: "convolve" gets its mask. A
 * text that is too long stays as it is. */
static const char *complete_chain(const char *text, char buffer[ENTRY_MAX]) {
    size_t length = 0;
    for (const char *at = text; *at && length < ENTRY_MAX;) {
        const size_t part = strcspn(at, ","), whole = part + (at[part] == ',');
        const Filter *filter = filter_by_name(at, part);
        if (filter && wants_value(filter)) {
            length += filter_format_begin(filter, buffer + length, ENTRY_MAX - length);
            at += part;
        } else {
            length += (size_t)snprintf(buffer + length, ENTRY_MAX - length, "%.*s", (int)whole, at);
            at += whole;
        }
    }
    return *text && length < ENTRY_MAX ? buffer : text;
}

/* Scripts say all values. */
static Status set_filter(Viewer *viewer, Call call) {
    char whole[ENTRY_MAX];
    return viewer_set_chain(viewer, call.strict ? call.text : complete_chain(call.text, whole), fallback_of(call));
}

/* Adds the filter at the chain's end, with the values that it begins with; or the filters of "@" and a preset. */
static Status add_filter(Viewer *viewer, const char *text) {
    char begin[ENTRY_MAX];
    const Filter *filter = filter_by_name(text, strlen(text));
    if (text[0] == '@')
        return viewer_replace_link(viewer, viewer->request->chain->count, text);
    if (!filter)
        return fail(STATUS_USAGE, "no filter \"%s\"; `glint list filters` shows them", text);
    filter_format_begin(filter, begin, sizeof begin);
    return handles_add(viewer, begin);
}

static Status set_preset(Viewer *viewer, Call call) {
    char chain[ENTRY_MAX];
    snprintf(chain, sizeof chain, "@%s", call.text + (call.text[0] == '@'));
    return viewer_set_chain(viewer, chain, fallback_of(call));
}

static Status set_image(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    size_t link;
    const Param *param = viewer_image_param(viewer, &link);
    if (!param)
        return fail(STATUS_USAGE, "the selected filter reads no second picture, as blend, difference and lut do");
    TRY(viewer_set_params(viewer, link, &(ParamChange){.param = param, .text = path_expand(text, path, sizeof path)},
                          1));
    viewer->ui->image_param = NULL;
    return STATUS_OK;
}

/* Saves the whole chain, with paths that hold in every folder; a preset of this name is replaced. */
static Status save_preset(Viewer *viewer, const char *text) {
    char chain[4 * ENTRY_MAX];
    Chain *saved;
    TRY(brush_keep(viewer));
    TRY(chain_copy(viewer->request->chain, &saved));
    const Status status = chain_make_paths_whole(saved);
    const size_t length = chain_format(saved, chain, sizeof chain);
    chain_destroy(&saved);
    TRY(status);
    if (length >= sizeof chain)
        return fail(STATUS_USAGE, "the chain has %zu characters, want at most %zu", length, sizeof chain - 1);
    TRY(presets_save(text, chain));
    viewer_note_saved(viewer);
    viewer_say(viewer, false, "Saved the preset @%s", text);
    return STATUS_OK;
}

/* ---- parameters ---- */

/* Numeric parameter `which` of the selected filter. */
static const Param *numeric_param(const Viewer *viewer, int which) {
    if (viewer->request->chain->count == 0)
        return NULL;
    const ParamTable table = viewer->request->chain->links[viewer_selected(viewer)].filter->table;
    for (size_t i = 0; i < table.count; i++)
        if (!param_is_text(&table.params[i]) && which-- == 0)
            return &table.params[i];
    return NULL;
}

/* Step: +-1 moves the first parameter by a step, +-2 the second. */
static Status step_param(Viewer *viewer, Call call) {
    const int which = call.step == 2 || call.step == -2;
    const Param *param = numeric_param(viewer, which);
    if (!param)
        return fail(STATUS_USAGE, "the selected filter has no %s parameter to change", which ? "second" : "main");
    return viewer_step_param(viewer, viewer_selected(viewer), param, call.step > 0 ? 1 : -1);
}

static Status set_values(Viewer *viewer, const char *text) {
    return viewer_set_values(viewer, viewer_selected(viewer), text);
}

static bool types_a_row(const Viewer *viewer) {
    return viewer->ui->typed_row.row != 0 && viewer->ui->typed_param;
}

/* The row asks for the change itself, as for one by its slider. */
static Status set_row(Viewer *viewer, const char *text) {
    const Param *param = viewer->ui->typed_param;
    if (!types_a_row(viewer))
        return fail(STATUS_USAGE, "no figure of a panel is typed: click one first");
    const char *figure = strchr(text, '=') ? strchr(text, '=') + 1 : text;
    char *end;
    const double number = strtod(figure, &end);
    if (end == figure || *end || !(number >= param->min && number <= param->max))
        return fail(STATUS_USAGE, "%s \"%s\", want a number from %.9g to %.9g", param->name, figure, param->min,
                    param->max);
    viewer->ui->typed_row.number = param->kind == PARAM_WHOLE ? round(number) : number;
    viewer->ui->typed_row.ready = true;
    return STATUS_OK;
}

static Status confine(Viewer *viewer, const char *text) {
    return viewer_confine(viewer, viewer_selected(viewer), text);
}

static Status next_border(Viewer *viewer) {
    const int next = ((int)viewer->request->options.border.mode + 1) % border_count;
    TRY(viewer_set_border(viewer, viewer_default_border(viewer, borders[next].mode), FALLBACK_BEST));
    viewer_say(viewer, false, "Border %s: %s", borders[next].name, borders[next].help);
    return STATUS_OK;
}

static Status set_border(Viewer *viewer, Call call) {
    Border border;
    TRY(border_parse(call.text, &border));
    return viewer_set_border(viewer, border, fallback_of(call));
}

/* ---- masks and handles ---- */

static Status begin_editor(Viewer *viewer) {
    size_t link;
    if (!viewer->editing && !viewer_selected_param(viewer, PARAM_MASK, &link) &&
        !viewer_selected_param(viewer, PARAM_CURVE, &link))
        return fail(STATUS_USAGE, "the selected filter has neither mask nor curve, as convolve and curves have");
    viewer->ui->looks_since = viewer->session->result_serial;
    return STATUS_OK;
}

static Status draw_curve(Viewer *viewer, const char *text) {
    viewer->ui->looks_since = viewer->session->result_serial;
    return curve_editor_choose(viewer, text);
}

static Status choose_curve(const Viewer *viewer, const char *text, Choices *choices) {
    size_t link;
    const Param *drawn = curve_editor_param(viewer, &link), *param;
    choices->wanted = text;
    for (size_t i = 0; (param = curve_editor_curve(viewer, i)); i++)
        TRY(choose_word(choices, param->name,
                        (Choice){.help = choice_borrows(param->help), .current = param == drawn}));
    return STATUS_OK;
}

static bool has_curve(const Viewer *viewer) {
    return curve_editor_curve(viewer, 0) != NULL;
}

static bool has_formula(const Viewer *viewer) {
    size_t link;
    return formula_selected(viewer, &link) != NULL;
}

static Status set_mask_preset(Viewer *viewer, const char *text) {
    const MaskPreset *preset = mask_preset_by_name(text);
    return preset ? mask_editor_preset(viewer, preset) : fail(STATUS_USAGE, "no mask \"%s\"", text);
}

static Status grow_mask(Viewer *viewer, Call call) {
    return mask_editor_grow(viewer, call.step);
}

/* ---- crop ---- */

/* "3:2", "3/2" or "1.5"; 0 of "free", -1 of "original". */
static Status parse_ratio(const char *text, double *ratio) {
    double width = 0, height = 1;
    const char *at = text;
    *ratio = strcmp(text, "original") == 0 ? -1 : 0;
    if (*ratio < 0 || strcmp(text, "free") == 0)
        return STATUS_OK;
    bool read = text_number(at, &at, &width);
    if (read && *at == ':')
        read = text_number(at + 1, &at, &height);
    *ratio = width / height;
    if (!read || *at || !(width > 0 && height > 0) || !(*ratio >= RATIO_MIN && *ratio <= RATIO_MAX))
        return fail(STATUS_USAGE, "ratio \"%s\", want width by height, as in 3:2, or original, or free", text);
    return STATUS_OK;
}

static Status set_crop_ratio(Viewer *viewer, const char *text) {
    double ratio;
    TRY(parse_ratio(text, &ratio));
    const Shape shape = viewer_shape(viewer);
    return handles_set_ratio(viewer, ratio < 0 ? (double)shape.width / (double)shape.height : ratio);
}

/* ---- changes ---- */

static Status go_to_change(Viewer *viewer, const char *text) {
    char *end;
    const size_t count = viewer->edits.count;
    const unsigned long number = strtoul(text, &end, 10);
    if (*end || number < 1 || number > count)
        return fail(STATUS_USAGE, "change \"%s\", want a number from 1 to %zu", text, count);
    return viewer_go_to_edit(viewer, number - 1);
}

static Status reset_all(Viewer *viewer) {
    return viewer->request->chain->count > 0 ? viewer_reset_links(viewer, 0, viewer->request->chain->count)
                                             : fail(STATUS_USAGE, "there is no filter: pick one");
}

enum { EDIT_SWITCH, EDIT_DUPLICATE, EDIT_RESET, EDIT_REMOVE, EDIT_EARLIER, EDIT_LATER };

/* Something with the selected filter. */
static Status edit_link(Viewer *viewer, Call call) {
    static Status (*const edits[])(Viewer * viewer, size_t link) = {[EDIT_SWITCH] = viewer_toggle_link,
                                                                    [EDIT_DUPLICATE] = viewer_duplicate_link,
                                                                    [EDIT_RESET] = viewer_reset_link,
                                                                    [EDIT_REMOVE] = viewer_remove_link};
    const size_t link = viewer_selected(viewer), count = viewer->request->chain->count;
    if (count == 0)
        return fail(STATUS_USAGE, "there is no filter: pick one");
    if (call.step < EDIT_EARLIER)
        return edits[call.step](viewer, link);
    const bool later = call.step == EDIT_LATER;
    if (later ? link + 1 >= count : link == 0)
        return fail(STATUS_USAGE, "%s is the %s filter", viewer->request->chain->links[link].filter->name,
                    later ? "last" : "first");
    return viewer_move_link(viewer, link, later ? link + 1 : link - 1);
}

/* ---- what can be done now ---- */

static bool can_undo(const Viewer *viewer) {
    return viewer->edits.at > 0;
}

static bool can_redo(const Viewer *viewer) {
    return viewer->edits.at + 1 < viewer->edits.count;
}

static bool has_edits(const Viewer *viewer) {
    return viewer->edits.count > 1;
}

static bool has_filter(const Viewer *viewer) {
    return viewer->request->chain->count > 0;
}

static bool has_mask(const Viewer *viewer) {
    size_t link;
    return viewer_selected_param(viewer, PARAM_MASK, &link);
}

static bool can_draw(const Viewer *viewer) {
    size_t link;
    return viewer->editing || has_mask(viewer) || viewer_selected_param(viewer, PARAM_CURVE, &link);
}

static bool has_handles(const Viewer *viewer) {
    return handles_kind(viewer) != HANDLES_NONE;
}

static bool reads_picture(const Viewer *viewer) {
    size_t link;
    return viewer_image_param(viewer, &link);
}

/* ---- arguments ---- */

static size_t format_chain(const Viewer *viewer, char *buffer, size_t size) {
    return chain_format(viewer->request->chain, buffer, size);
}

static Status check_chain(const char *text) {
    char whole[ENTRY_MAX];
    Chain *parsed;
    TRY(chain_parse(complete_chain(text, whole), &parsed));
    chain_destroy(&parsed);
    return STATUS_OK;
}

/* The presets, each as the prefix and its name. */
static Status list_presets(const char *prefix, const char *group, Choices *choices) {
    Presets *presets;
    TRY(presets_load(&presets));
    Status status = STATUS_OK;
    for (size_t i = 0; i < presets->count && status == STATUS_OK; i++) {
        char name[ENTRY_MAX];
        snprintf(name, sizeof name, "@%s", presets->list[i].name);
        status = choose_word(
            choices, *prefix ? name : name + 1,
            (Choice){.help = choice_borrows(presets->list[i].help), .also = synonyms_of(name), .group = group});
    }
    presets_destroy(&presets);
    return status;
}

static Status choose_filter(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < filter_count; i++) {
        char title[LABEL_MAX], label[2 * LABEL_MAX];
        const char *name = filters[i]->name, *chained = name_with_title(name);
        snprintf(label, sizeof label, "%s%s%s", title_of_filter(name, title), chained[0] ? " · " : "", chained);
        TRY(choices_add(choices, (Choice){.text = choice_borrows(name),
                                          .label = label,
                                          .help = choice_borrows(filters[i]->help),
                                          .why_not = choice_borrows(viewer_idle_words(viewer, filters[i])),
                                          .also = synonyms_of(name),
                                          .group = filter_categories[filters[i]->category]}));
    }
    return list_presets("@", "Presets", choices);
}

/* The chain with this filter, or preset, behind it. */
static size_t preview_filter(const Viewer *viewer, const char *choice, char *buffer, size_t size) {
    const Filter *filter = filter_by_name(choice, strlen(choice));
    char example[ENTRY_MAX];
    size_t length = chain_format(viewer->request->chain, buffer, size);
    if (filter)
        filter_format_example(filter, example, sizeof example);
    else
        snprintf(example, sizeof example, "%s", choice);
    length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, "%s%s",
                               length > 0 ? "," : "", example);
    return length;
}

static size_t preview_preset(const Viewer *viewer, const char *choice, char *buffer, size_t size) {
    (void)viewer;
    return (size_t)snprintf(buffer, size, "@%s", choice);
}

static Status check_preset_name(const char *text) {
    return text[preset_name_length(text)] ? fail(STATUS_USAGE, "want a name of letters, digits, '-' and '_'")
                                          : STATUS_OK;
}

static Status choose_preset(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text[0] == '@' ? text + 1 : text;
    return list_presets("", NULL, choices);
}

static Status check_ratio(const char *text) {
    double ratio;
    return parse_ratio(text, &ratio);
}

static Status choose_ratio(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < crop_ratio_count; i++)
        TRY(choose_word(choices, crop_ratios[i].name, (Choice){.help = choice_borrows(crop_ratios[i].help)}));
    return STATUS_OK;
}

static Status choose_mask(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    choices->wanted = text;
    for (size_t i = 0; i < mask_preset_count; i++)
        TRY(choose_word(choices, mask_presets[i].name, (Choice){.help = choice_borrows(mask_presets[i].help)}));
    return STATUS_OK;
}

/* The part that is marked, in shares of the picture, or where the filter is confined to. */
static size_t format_place(const Viewer *viewer, char *buffer, size_t size) {
    const Marked part = histogram_choices(viewer)->part;
    if (histogram_marked(viewer))
        return within_format_shares((Region){(ptrdiff_t)part.x, (ptrdiff_t)part.y, part.width, part.height},
                                    viewer_shown_shape(viewer), buffer, size);
    const char *within = viewer_within(viewer);
    return (size_t)snprintf(buffer, size, "%s", within ? within : "");
}

/* Masks: the open pictures. */
static Status choose_place(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < viewer->pictures.count; i++)
        if (!viewer->pictures.marks[i].scene)
            TRY(choices_add(choices, (Choice){.text = viewer->pictures.paths[i], .label = viewer->pictures.paths[i]}));
    return STATUS_OK;
}

/* Offers the open pictures, and files. */
static Status choose_image(const Viewer *viewer, const char *text, Choices *choices) {
    size_t link;
    const Param *param = viewer_image_param(viewer, &link);
    const bool cube = param && param->kind == PARAM_CUBE;
    choices->wanted = text;
    for (size_t i = 0; i < viewer->pictures.count && !cube; i++)
        if (!viewer->pictures.marks[i].scene)
            TRY(choices_add(
                choices,
                (Choice){.text = viewer->pictures.paths[i], .label = viewer->pictures.paths[i], .group = "open here"}));
    return paths_choose(text, cube ? PATHS_CUBES : PATHS_PICTURES, choices);
}

static Status choose_edit(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (size_t i = 0; i < viewer->edits.count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        TRY(choices_add(choices, (Choice){.text = number,
                                          .label = choice_borrows(viewer->edits.list[i].words),
                                          .current = i == viewer->edits.at}));
    }
    return STATUS_OK;
}

static size_t format_border(const Viewer *viewer, char *buffer, size_t size) {
    return strlen(border_format(viewer->request->options.border, buffer, size));
}

static Status check_border(const char *text) {
    Border parsed;
    return border_parse(text, &parsed);
}

static Status choose_border(const Viewer *viewer, const char *text, Choices *choices) {
    choices->wanted = text;
    for (int i = 0; i < border_count; i++) {
        char line[64];
        border_format(viewer_default_border(viewer, borders[i].mode), line, sizeof line);
        TRY(choices_add(choices, (Choice){.text = line,
                                          .label = choice_borrows(borders[i].name),
                                          .help = choice_borrows(borders[i].help),
                                          .current = viewer->request->options.border.mode == borders[i].mode}));
    }
    return STATUS_OK;
}

static const Argument argument_chain = {.name = "[CHAIN]",
                                        .words = "filters in sequence, as in gaussian=2,sharpen",
                                        .format = format_chain,
                                        .check = check_chain,
                                        .choose = choose_link};
static const Argument argument_filter = {.name = "FILTER",
                                         .words = "a filter or a preset, to be added to the chain",
                                         .choose = choose_filter,
                                         .listed = true,
                                         .preview = preview_filter};
static const Argument argument_preset = {.name = "NAME",
                                         .words = "a preset, in place of the chain",
                                         .choose = choose_preset,
                                         .listed = true,
                                         .preview = preview_preset};
static const Argument argument_preset_name = {
    .name = "NAME", .words = "a name for this chain: letters, digits, - and _", .check = check_preset_name};
static const Argument argument_mask = {
    .name = "NAME", .words = "a mask, in place of the one that is there", .choose = choose_mask, .listed = true};
static const Argument argument_ratio = {.name = "RATIO",
                                        .words = "width by height of the part, as in 3:2; original, or free",
                                        .check = check_ratio,
                                        .choose = choose_ratio};
static const Argument argument_values = {.name = "PARAM=VALUE",
                                         .words =
                                             "a value of the selected filter, as in sigma=2.5; several with : between",
                                         .choose = choose_value};
static const Argument argument_row = {.name = "NUMBER", .words = "a number in the range of the row's slider"};
static const Argument argument_curve = {
    .name = "NAME", .words = "the curve that is drawn", .choose = choose_curve, .listed = true};
static const Argument argument_formula = {
    .name = "FORMULA",
    .words = "a formula of r g b a, v, luma, x, y, w, h and the sliders p1 to p9, as in mix(v, luma, p1)",
    .format = formula_format,
    .check = formula_check};
static const Argument argument_place = {.name = "[PLACE]",
                                        .words =
                                            "a rectangle, as in 640x360+100+80, a mask's file, or nothing: everywhere",
                                        .format = format_place,
                                        .choose = choose_place};
static const Argument argument_image = {
    .name = "[PATH]", .words = "the filter's second picture, a file; nothing: none", .choose = choose_image};
static const Argument argument_edit = {
    .name = "NUMBER", .words = "one of the changes", .choose = choose_edit, .listed = true};
static const Argument argument_border = {.name = "MODE",
                                         .words = "a border, as in constant=128",
                                         .format = format_border,
                                         .check = check_border,
                                         .choose = choose_border,
                                         .listed = true};

static const Action rows[] = {
    {"undo", "Ctrl+Z u", "undoes the last change", .act = viewer_undo, .can = can_undo},
    {"redo", "Ctrl+Y U Ctrl+Shift+Z", "redoes the last undone change", .act = viewer_redo, .can = can_redo},
    {"go-to-change", "F12", "goes to any step of the list of edits, by its number", .label = "go to step",
     .take = go_to_change, .argument = &argument_edit, .flags = ACTION_RARE, .can = has_edits},
    {"list-edits", "Ctrl+U", "shows all edits; a click goes to any of them", .toggle = OF_VIEWER(edits_listed),
     .reveals = OVERLAY_FULL, .can = has_edits},
    {"filter", "Return", "edits the whole chain as text, as in gaussian=2,sharpen", .label = "edit the chain",
     .run = set_filter, .argument = &argument_chain, .flags = ACTION_CONTEXT, .menu = "Filter"},
    {"add", "A", "adds a filter or a preset behind the chain", .label = "add filter", .take = add_filter,
     .argument = &argument_filter, .flags = ACTION_CONTEXT, .menu = "Filter"},
    {"preset", "@", "puts a preset in place of the chain", .run = set_preset, .argument = &argument_preset,
     .menu = "Filter"},
    {"second-picture", "Q", "picks the selected filter's second picture: a file, or an open one", .take = set_image,
     .argument = &argument_image, .flags = ACTION_RARE, .menu = "Filter", .can = reads_picture},
    {"save-preset", "Ctrl+P", "saves the chain as a preset of your own", .take = save_preset,
     .argument = &argument_preset_name, .menu = "Filter", .can = has_filter},
    {"editor", "M", "opens the selected filter's mask or curve, to draw it", .label = "edit mask or curve",
     .act = begin_editor, .toggle = OF_VIEWER(editing), .flags = ACTION_RULE, .reveals = OVERLAY_COMPACT,
     .menu = "Filter", .can = can_draw},
    {"curve", "Ctrl+3", "draws a curve of the selected filter: of all colours, of one, or of luma", .take = draw_curve,
     .argument = &argument_curve, .flags = ACTION_RARE, .reveals = OVERLAY_COMPACT, .menu = "Filter", .can = has_curve},
    {"formula", "Ctrl+4", "types the formula of the selected filter", .take = formula_put,
     .argument = &argument_formula, .flags = ACTION_RARE, .menu = "Filter", .can = has_formula},
    {"handles", "Ctrl+T", "shows handles for the selected filter's rectangle, place, angle or corners",
     .label = "handles on the picture", .act = handles_toggle, .flags = ACTION_CONTEXT, .on = handles_on,
     .menu = "Filter", .can = has_handles},
    {"crop", "Ctrl+Shift+X", "draws on the picture the part to keep; Return ends that", .act = handles_crop,
     .flags = ACTION_CONTEXT | ACTION_RULE, .on = handles_cropping},
    {"crop-ratio", "Ctrl+Shift+A", "keeps the part to a ratio: 3:2, original, free", .take = set_crop_ratio,
     .argument = &argument_ratio, .flags = ACTION_RARE, .menu = "Filter", .can = has_filter},
    {"flip-crop", "Ctrl+Shift+T", "turns the part upright or lying; X does while it is drawn", .act = handles_flip,
     .flags = ACTION_RARE, .menu = "Filter", .can = has_filter},
    {"straighten", "Ctrl+Shift+H", "turns the picture so that a line drawn along the horizon is level",
     .place = IN_PICTURES, .act = straighten_toggle, .flags = ACTION_CONTEXT, .on = straighten_on},
    {"perspective", "Ctrl+Shift+K", "makes a thing upright whose four corners are clicked, such as a wall or a page",
     .place = IN_PICTURES, .act = perspective_toggle, .flags = ACTION_CONTEXT, .on = perspective_on, .menu = "Filter"},
    {"pick-white", "Ctrl+1", "takes the colour of the light away: click a thing that is gray or white",
     .label = "white from a point", .place = IN_PICTURES, .act = point_picker_white, .flags = ACTION_RARE,
     .on = point_picker_on_white, .menu = "Filter"},
    {"heal-spots", "Ctrl+2", "removes spots: a click each, or a drag from the middle to the rim; Return ends that",
     .label = "heal spots", .place = IN_PICTURES, .act = point_picker_spots, .flags = ACTION_RARE,
     .on = point_picker_on_spots, .menu = "Filter"},
    {"mask-preset", "R", "puts a named mask of the same size in place of this one", .take = set_mask_preset,
     .argument = &argument_mask, .flags = ACTION_RARE, .menu = "Filter", .can = has_mask},
    {"larger-mask", "Ctrl+]", "grows the mask by two cells a side", .run = grow_mask, .step = 2, .flags = ACTION_RARE,
     .menu = "Filter", .can = has_mask},
    {"smaller-mask", "Ctrl+[", "shrinks the mask by two cells a side", .run = grow_mask, .step = -2,
     .flags = ACTION_RARE, .menu = "Filter", .can = has_mask},
    {"normalize-mask", "Ctrl+N", "scales the mask so that its weights sum to 1 and brightness stays",
     .act = mask_editor_normalize, .flags = ACTION_RARE, .menu = "Filter", .can = has_mask},
    {"next-filter", ". PageDown", "replaces the selected filter by the list's next one", .run = pick_filter, .step = 1,
     .flags = ACTION_RULE | ACTION_RARE, .menu = "Filter"},
    {"previous-filter", ", PageUp",
     "replaces the selected filter by the list's previous one; before the first, by none", .run = pick_filter,
     .step = -1, .flags = ACTION_RARE, .menu = "Filter"},
    {"select-filter", ";", "selects the chain's next filter, for these keys and [ ] { }", .act = select_filter,
     .flags = ACTION_RARE, .menu = "Filter", .can = has_filter},
    {"switch-filter", "~", "turns the selected filter off, and on again", .label = "turn filter off", .run = edit_link,
     .step = EDIT_SWITCH, .flags = ACTION_RULE, .menu = "Filter", .can = has_filter},
    {"duplicate-filter", "Ctrl+D", "inserts a copy of the selected filter behind it", .run = edit_link,
     .step = EDIT_DUPLICATE, .flags = ACTION_RARE, .menu = "Filter", .can = has_filter},
    {"reset-filter", "Ctrl+R", "puts the selected filter back to the values that it began with", .run = edit_link,
     .step = EDIT_RESET, .menu = "Filter", .can = has_filter},
    {"reset-filters", "Ctrl+Shift+R", "puts all filters back to the values that they began with", .act = reset_all,
     .flags = ACTION_RARE, .menu = "Filter", .can = has_filter},
    {"remove-filter", "Delete", "removes the selected filter", .run = edit_link, .step = EDIT_REMOVE, .menu = "Filter",
     .can = has_filter},
    {"move-filter-earlier", "<", "moves the selected filter before the one before it", .run = edit_link,
     .step = EDIT_EARLIER, .flags = ACTION_RARE, .menu = "Filter"},
    {"move-filter-later", ">", "moves the selected filter behind the next one", .run = edit_link, .step = EDIT_LATER,
     .flags = ACTION_RARE, .menu = "Filter"},
    {"confine", "$", "confines the selected filter to a part marked by a drag with Ctrl, or to a mask's",
     .label = "confine filter to a part", .take = confine, .argument = &argument_place, .flags = ACTION_CONTEXT,
     .menu = "Filter", .can = has_filter},
    {"paint-mask", "Ctrl+J", "paints where the selected filter acts; again ends painting and saves the mask",
     .act = brush_toggle, .on = brush_on, .menu = "Filter", .can = has_filter},
    {"set", "V", "sets a value of the selected filter by text, as in sigma=2.5; a double click on a slider does, too",
     .label = "set a value", .take = set_values, .argument = &argument_values, .flags = ACTION_RULE | ACTION_RARE,
     .menu = "Filter", .can = has_filter},
    {"set-row", "Ctrl+Shift+N", "sets the value whose figure in a panel was clicked", .take = set_row,
     .argument = &argument_row, .flags = ACTION_RARE | ACTION_UNWRITTEN, .menu = "Filter", .can = types_a_row},
    {"more", "]", "increases the selected filter's main parameter", .label = "increase", .run = step_param, .step = 1,
     .flags = ACTION_RARE, .menu = "Filter", .can = has_filter},
    {"less", "[", "decreases the selected filter's main parameter", .label = "decrease", .run = step_param, .step = -1,
     .flags = ACTION_RARE, .menu = "Filter", .can = has_filter},
    {"more-of-second", "}", "increases the selected filter's second parameter", .label = "increase second parameter",
     .run = step_param, .step = 2, .flags = ACTION_RARE, .menu = "Filter"},
    {"less-of-second", "{", "decreases the selected filter's second parameter", .label = "decrease second parameter",
     .run = step_param, .step = -2, .flags = ACTION_RARE, .menu = "Filter"},
    {"border", "B", "sets the values beyond the picture's edge, as in constant=128", .run = set_border,
     .argument = &argument_border, .flags = ACTION_RULE | ACTION_RARE, .menu = "Filter"},
    {"next-border", "b", "goes to the next border: the values beyond the edge", .act = next_border,
     .flags = ACTION_RARE, .menu = "Filter"},
};

const Menu edit_menu = {"Edit", rows, sizeof rows / sizeof rows[0]};
