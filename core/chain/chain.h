/* chain.h: filters in sequence, as written on the command line: "gaussian=2,sharpen=amount=0.8".
 * Owns parsing (errors point at the column), printing and lowering to a plan. */
#ifndef GLINT_CORE_CHAIN_CHAIN_H
#define GLINT_CORE_CHAIN_CHAIN_H

#include "core/chain/filter.h"
#include "core/chain/preset.h"
#include "core/plan/geometry.h"

enum { CHAIN_MAX = 32 }; /* links of one chain */

typedef struct ChainLink {
    const Filter *filter;
    void *values;
    void *place; /* by chain_place: where it acts */
    bool off;    /* "~gaussian=2": it keeps its place and its values, and does nothing */
} ChainLink;

/* The parameters that every link takes behind its filter's own: "gaussian=8:within=640x360+100+80". */
extern const ParamTable chain_place;
/* Sets parameters by assignments, as behind the '=' of a link; as params_parse, with "within=" behind all others. */
Status chain_set_values(ChainLink *link, const char *text, const char *end, const char **at);
const char *chain_within(const ChainLink *link); /* as core/chain/within.h takes it; NULL: everywhere */

/* A file as it was when it was read: bytes, ns; zeros where that is not known. */
typedef struct ChainFile {
    int64_t size, changed;
} ChainFile;

typedef struct Chain {
    size_t count; /* 0: the picture passes unchanged */
    ChainLink links[CHAIN_MAX];
    PlanImage images[CHAIN_MAX]; /* inputs of filters besides the picture, once chain_read_images has read them */
    ChainFile files[CHAIN_MAX];  /* theirs */
    size_t image_count;
    int references; /* further owners */
} Chain;

/* STATUS_USAGE: "chain: column 10: no filter "gausian"; did you mean "gaussian"?". An empty text is an empty chain. A
 * link that begins with ~ is switched off. A link @NAME stands for the links of that preset, whose errors name its
 * file, line and column: "chain: column 10:
 * @film: assets/presets/chains.txt:7:12: no filter ...". Presets are read if the chain names one; fails as
 * presets_load. */
Status chain_parse(const char *text, Chain **chain);
/* Parses as chain_parse does, but with these presets. */
Status chain_parse_with(const char *text, const Presets *presets, Chain **chain);
void chain_destroy(Chain **chain);
/* Another owner of a chain that nobody changes from now on; each ends with chain_destroy. */
Chain *chain_retain(Chain *chain);
/* Copies the filters and their values, but no images. STATUS_DEVICE if memory is short. */
Status chain_copy(const Chain *chain, Chain **copy);
/* Whether two links, or all links of two chains, do the same at the same place: the same values of the same filters. */
bool link_same(const ChainLink *a, const ChainLink *b);
bool chain_same(const Chain *a, const Chain *b);
/* Has the files that filters name, images, tables, masks and weights, begin with "/". STATUS_INPUT if one is not there;
 * STATUS_DEVICE if memory is short. */
Status chain_make_paths_whole(Chain *chain);
/* Visits the path of each file that filters name, until a visit fails; its status is then the result. */
Status chain_files(const Chain *chain, Status (*visit)(void *context, const char *path), void *context);
/* Reads the images and tables that filters name (PARAM_IMAGE, PARAM_CUBE), each file once, so that plans can be made.
 * Fails as codec_load does; the sentence begins with the path. */
Status chain_read_images(Chain *chain);
/* Takes over, before chain_read_images, the images that another chain has read from files that are still as they
 * were. */
void chain_share_images(Chain *chain, const Chain *from);
/* chain_parse and chain_read_images. */
Status chain_open(const char *text, Chain **chain);
/* The spelling that chain_parse takes; returns the length as snprintf does. */
size_t chain_format(const Chain *chain, char *buffer, size_t size);
/* Notes in the options how a picture was taken, and the picture itself (borrowed), where a filter of the chain asks. A
 * plan that was made of a picture is for that one alone. */
void chain_note_picture(const Chain *chain, const Image *picture, PlanOptions *options);
/* Whether a filter looks at the picture's pixels while it is planned. */
bool chain_reads_picture(const Chain *chain);
/* Lowers the chain for images of this shape, the plan's first source. */
Status chain_plan(const Chain *chain, Shape input, PlanOptions options, Plan **plan);
/* Makes the decision of PRECISION_AUTO for images of this shape, unless options->precision is another, or
 * options->choice has it already. It is about chains that round more than once. Functions of single values that follow
 * one another pass f32, since they become one table, which costs nothing. All filters pass f32 where that is predicted
 * to take little longer (core/plan/precision.h), or more bits than the picture's are asked for. The predictions are
 * those for the kind of options->device; without a device nothing is known of times. Parts of a picture or of a chain,
 * and plans that are not fused, get the decision of the whole. Fails as chain_plan does. */
Status chain_choose_precision(const Chain *chain, Shape input, PlanOptions *options);
/* The geometry of `count` links from `first` on, for images of this shape before them; links that are off change
 * nothing. Fails as chain_plan does; `link` is then the link that does not fit, and the rest that of the links before
 * it. */
Status chain_geometry(const Chain *chain, size_t first, size_t count, Shape input, PlanOptions options,
                      Geometry *geometry);
/* Appends the chain to a plan, from `value` on. */
Status chain_append(const Chain *chain, Plan *plan, int value);

#endif
