/* save_options.c: the options of encoders. A row here and a member of SaveOptions add one. */
#include "core/codec/codec.h"

#define AT(member) OPTION_AT(SaveOptions, member)

static const Option option_rows[] = {
    {"quality", "N", "quality of JPEG, WebP and JPEG XL, 1 to 100 (92)", OPTION_WHOLE, AT(quality), .min = 1,
     .max = 100},
    {"lossless", NULL, "WebP and JPEG XL keep every value", OPTION_SWITCH, AT(lossless)},
    {"half", NULL, "OpenEXR with 16 bits a value, not 32", OPTION_SWITCH, AT(half)},
};

OptionTable save_options_table(size_t offset) {
    return (OptionTable){OPTION_ROWS(option_rows), offset};
}
