/* layout.c: lanes on sectors and on banks, by the same rules as the counters (emulator/counters.h). */
#include "app/listing/listing.h"

#include <string.h>

static bool takes_part(const EmulatorAccess *access, int lane) {
    return access->lanes >> lane & 1;
}

/* ---- sectors ---- */

/* The place of a sector among those so far, which it takes if it is another one; they stay in order. */
static void add_sector(ListingLayout *layout, uint64_t sector) {
    size_t at = 0;
    while (at < layout->parts && layout->part[at] < sector)
        at++;
    if ((at < layout->parts && layout->part[at] == sector) || layout->parts == LISTING_PARTS)
        return;
    memmove(&layout->part[at + 1], &layout->part[at], (layout->parts - at) * sizeof *layout->part);
    layout->part[at] = sector;
    layout->parts++;
}

static size_t sector_index(const ListingLayout *layout, uint64_t sector) {
    size_t at = 0;
    while (at + 1 < layout->parts && layout->part[at] != sector)
        at++;
    return at;
}

/* Lanes at one address go one after the other in an atomic. */
static size_t meetings(const EmulatorAccess *access) {
    size_t most = 1;
    for (int lane = 0; lane < EMULATOR_LANES; lane++) {
        size_t here = 0;
        for (int other = 0; other < EMULATOR_LANES; other++)
            here += takes_part(access, lane) && takes_part(access, other) &&
                    access->address[other] == access->address[lane];
        most = here > most ? here : most;
    }
    return most;
}

static void lay_on_sectors(const EmulatorAccess *access, ListingLayout *layout) {
    size_t used = 0;
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        for (uint64_t b = 0; takes_part(access, lane) && b < access->bytes; b++)
            add_sector(layout, (access->address[lane] + b) / EMULATOR_SECTOR_BYTES);
    for (int lane = 0; lane < EMULATOR_LANES; lane++) {
        if (!takes_part(access, lane))
            continue;
        for (uint64_t b = access->address[lane]; b < access->address[lane] + access->bytes; b++)
            layout->used[sector_index(layout, b / EMULATOR_SECTOR_BYTES)] |= 1U << b % EMULATOR_SECTOR_BYTES;
        layout->place[lane] = (int)sector_index(layout, access->address[lane] / EMULATOR_SECTOR_BYTES);
        layout->offset[lane] = (int)(access->address[lane] % EMULATOR_SECTOR_BYTES);
    }
    for (size_t i = 0; i < layout->parts; i++)
        used += (size_t)__builtin_popcount(layout->used[i]);
    layout->ideal = (used + EMULATOR_SECTOR_BYTES - 1) / EMULATOR_SECTOR_BYTES;
    layout->passes = access->atomic ? meetings(access) : 1;
}

/* ---- banks ---- */

/* Each lane has the address of the one `apart` from it. */
static bool in_pairs(const EmulatorAccess *access, int apart) {
    bool same = true;
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        same &= !takes_part(access, lane) || !takes_part(access, lane ^ apart) ||
                access->address[lane] == access->address[lane ^ apart];
    return same;
}

/* How many lanes go together: all of a warp, a half for 8 bytes, a quarter for 16; loads in pairs twice as many. */
static int lanes_together(const EmulatorAccess *access) {
    if (access->bytes <= EMULATOR_BANK_BYTES)
        return EMULATOR_LANES;
    const int most = EMULATOR_BANKS * EMULATOR_BANK_BYTES / access->bytes;
    return (most > 0 ? most : 1) << (!access->writes && (in_pairs(access, 1) || in_pairs(access, 2)));
}

/* The words of a bank that were asked for, in the order of lanes. */
typedef struct Bank {
    uint64_t word[LISTING_PARTS];
    int count;
} Bank;

static int word_order(Bank *bank, uint64_t word) {
    int at = 0;
    while (at < bank->count && bank->word[at] != word)
        at++;
    if (at == bank->count && at < LISTING_PARTS)
        bank->word[bank->count++] = word;
    return at;
}

/* The passes that these lanes need, from pass `first` on. */
static size_t lay_together(const EmulatorAccess *access, int from, int to, size_t first, ListingLayout *layout) {
    Bank banks[EMULATOR_BANKS] = {0};
    size_t passes = 0;
    for (int lane = from; lane < to; lane++) {
        if (!takes_part(access, lane))
            continue;
        const uint64_t begin = access->address[lane] / EMULATOR_BANK_BYTES,
                       end = (access->address[lane] + access->bytes - 1) / EMULATOR_BANK_BYTES;
        int last = 0;
        for (uint64_t word = begin; word <= end; word++) {
            const int order = word_order(&banks[word % EMULATOR_BANKS], word);
            last = order > last ? order : last;
        }
        layout->place[lane] = (int)(begin % EMULATOR_BANKS);
        layout->pass[lane] = (int)first + last;
        passes = (size_t)last + 1 > passes ? (size_t)last + 1 : passes;
    }
    return passes;
}

static void lay_by_banks(const EmulatorAccess *access, ListingLayout *layout) {
    const int together = lanes_together(access);
    for (int from = 0; from < EMULATOR_LANES; from += together) {
        const int to = from + together < EMULATOR_LANES ? from + together : EMULATOR_LANES;
        const size_t passes = lay_together(access, from, to, layout->passes, layout);
        layout->passes += passes;
        layout->ideal += passes > 0;
    }
}

/* Lanes that meet at an address in an atomic come one after the other: a round for each, over the banks. */
static void lay_by_meetings(const EmulatorAccess *access, ListingLayout *layout) {
    EmulatorAccess round = *access;
    for (uint32_t left = access->lanes; left; left &= ~round.lanes) {
        round.lanes = 0;
        for (int lane = 0; lane < EMULATOR_LANES; lane++) {
            bool met = false;
            for (int other = 0; other < lane; other++)
                met |= (round.lanes >> other & 1) && access->address[other] == access->address[lane];
            round.lanes |= (uint32_t)((left >> lane & 1) && !met) << lane;
        }
        lay_by_banks(&round, layout);
    }
    layout->ideal = 1;
}

static void lay_on_banks(const EmulatorAccess *access, ListingLayout *layout) {
    uint64_t lowest = UINT64_MAX;
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        if (takes_part(access, lane) && access->address[lane] < lowest)
            lowest = access->address[lane];
    const uint64_t row_bytes = EMULATOR_BANKS * EMULATOR_BANK_BYTES, lowest_row = lowest / row_bytes;
    layout->banks = true;
    layout->parts = EMULATOR_BANKS;
    if (access->atomic)
        lay_by_meetings(access, layout);
    else
        lay_by_banks(access, layout);
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        if (takes_part(access, lane))
            layout->offset[lane] = (int)(access->address[lane] / row_bytes - lowest_row);
}

void listing_layout(const EmulatorAccess *access, ListingLayout *layout) {
    *layout = (ListingLayout){0};
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        layout->place[lane] = LISTING_NONE;
    if (access->space == EMULATOR_SHARED)
        lay_on_banks(access, layout);
    else
        lay_on_sectors(access, layout);
}
