/* jpeg_scan.c: walking a scan takes a tenth of the time of decoding it: coefficients are not made, but for the means of
 * blocks. A step waits for the entry that the step before looks up. A long scan is therefore walked from its start and,
 * at the same time, from its middle (S. T. Klein and Y. Wiseman, The Computer Journal 46(5), 2003). In the middle
 * nobody knows which code begins at a byte, but a walk that begins anywhere soon falls into step. Where the first walk
 * comes to an MCU at which the second one has also begun an MCU, the two are one. */
#include "core/codec/jpeg_scan.h"

#include <string.h>

/* WINDOW: bytes of a scan that are looked at as a piece. CHUNK: MCUs that are walked as a piece. MARKS: those of the
 * second walk at which the first may meet it. HALVES_MIN: bytes of a scan that is walked from its middle, too. LEFT:
 * bytes at its end before which the second walk waits, since it does not know yet how many MCUs are left. A test has
 * smaller ones, so that small files come to all ends. */
#if !defined(JPEG_SCAN_SIZES)
#    define JPEG_SCAN_SIZES WINDOW = 4096, CHUNK = 32, MARKS = 256, HALVES_MIN = 1024, LEFT = 16
#endif

enum {
    JPEG_SCAN_SIZES,
    BLOCK_LAST = 63,  /* values of a block behind the mean */
    BLOCK_ENDS = 128, /* added to these by the code that ends a block */
    LOST = 64,        /* or by bits that no code of JPEG_PEEK bits or fewer begins: then a block does not end */
    DC_SIZE_MAX = 11, /* bits of a difference of means, and of any other value, of 8-bit samples */
    AC_SIZE_MAX = 10,
    MEAN_MAX = 2047,
    HELD = 56,      /* bits that are at hand for two steps: a code and its value take 27 at most */
    ZEROS = 64,     /* bytes behind the last one of the window */
    BLOCKS_MAX = 6, /* of an MCU */
    PARTS_MAX = 2 * BLOCKS_MAX * CHUNK
};

enum { MARKER_RST0 = 0xD0, MARKER_EOI = 0xD9 };

/* ---- tables ---- */

static JpegStep make_step(unsigned bits, unsigned advance) {
    return (JpegStep)(bits + JPEG_ADVANCE * advance);
}

static inline unsigned bits_of(JpegStep step) {
    return step % JPEG_ADVANCE;
}

static inline unsigned advance_by(JpegStep step) {
    return step / JPEG_ADVANCE;
}

/* The advance of a symbol of an AC table, or 0 for symbols that 8-bit samples do not have. */
static unsigned advance_of(unsigned symbol) {
    const unsigned run = symbol >> 4, size = symbol & 15;
    if (size == 0)
        return run == 0 ? BLOCK_ENDS : run == 15 ? 16 : 0;
    return size <= AC_SIZE_MAX ? run + 1 : 0;
}

static JpegStep step_of(unsigned length, unsigned symbol, bool is_dc) {
    return is_dc ? make_step(length, symbol) : make_step(length + (symbol & 15), advance_of(symbol));
}

/* Each code's step at all places that begin with it. No code is all ones (T.81, C.2): libjpeg refuses such a table. */
static bool fill_single(JpegTable *table, bool is_dc) {
    unsigned code = 0, next = 0;
    for (unsigned i = 0; i < 1u << JPEG_PEEK; i++)
        table->single[i] = make_step(0, LOST);
    for (unsigned length = 1; length <= JPEG_CODE_MAX; length++, code <<= 1)
        for (unsigned i = 0; i < table->count[length]; i++, code++, next++) {
            const unsigned symbol = table->symbols[next];
            if ((code + 1) >> length != 0 || (is_dc ? symbol > DC_SIZE_MAX : advance_of(symbol) == 0))
                return false;
            const unsigned places = length <= JPEG_PEEK ? 1u << (JPEG_PEEK - length) : 0;
            for (unsigned k = 0; k < places; k++)
                table->single[code * places + k] = step_of(length, symbol, is_dc);
        }
    return true;
}

/* A mean is all of a part, with the bits that follow its code. */
static JpegStep whole_mean(JpegStep code) {
    return bits_of(code) > 0 ? make_step(bits_of(code) + advance_by(code), BLOCK_ENDS) : code;
}

/* Codes must be in sight as a whole: their meaning then does not depend on the bits behind. */
static JpegStep join_codes(const JpegTable *table, unsigned sight) {
    JpegStep all = table->single[sight];
    while (bits_of(all) > 0 && bits_of(all) < JPEG_PEEK && advance_by(all) < BLOCK_ENDS) {
        const JpegStep next = table->single[sight << bits_of(all) & ((1u << JPEG_PEEK) - 1)];
        if (bits_of(next) == 0 || bits_of(all) + bits_of(next) > JPEG_PEEK ||
            advance_by(all) + advance_by(next) % BLOCK_ENDS > BLOCK_LAST)
            break;
        all += next;
    }
    return all;
}

bool jpeg_table_fill(JpegTables *tables, int which) {
    const bool is_dc = which < JPEG_DC_TABLES;
    JpegTable *table = &tables->of[which];
    if (!fill_single(table, is_dc))
        return false;
    JpegStep *several = tables->several + ((size_t)which << JPEG_PEEK);
    for (unsigned i = 0; i < 1u << JPEG_PEEK; i++)
        several[i] = is_dc ? whole_mean(table->single[i]) : join_codes(table, i);
    return true;
}

/* ---- bits ---- */

/* The next bits, in registers while a chunk is walked. */
typedef struct Ahead {
    uint64_t bits;           /* the first one highest; behind those that are held, the same as in memory, or zeros */
    int held;                /* of these, those that count */
    const unsigned char *at; /* the first byte that is not held */
} Ahead;

typedef struct Reader {
    const unsigned char *from, *end, *last; /* of the file, behind the bytes in the window; end: where a fill stops */
    Ahead ahead;
    size_t filled; /* bytes of the window */
    size_t taken;  /* into it so far, */
    size_t passed; /* and when it came to `end`, and went on to `last`; 0: it has not */
    unsigned char window[WINDOW + ZEROS];
} Reader;

/* Whether the window holds all, up to the end or a marker. */
static bool has_all(const Reader *reader) {
    return reader->filled < WINDOW;
}

/* Takes bytes in, without the zero that follows each FF, until the window is full or a marker, or the end, stands
 * there. Zeros behind that let steps be taken without asking where it ends. */
static void fill_window(Reader *reader) {
    const size_t kept = reader->filled - (size_t)(reader->ahead.at - reader->window);
    memmove(reader->window, reader->ahead.at, kept);
    reader->ahead.at = reader->window;
    reader->filled = kept;
    while (reader->filled < WINDOW && reader->from < reader->end) {
        const size_t left = (size_t)(reader->end - reader->from), room = WINDOW - reader->filled;
        const size_t most = left < room ? left : room;
        const unsigned char *ff = memchr(reader->from, 0xFF, most);
        const size_t plain = ff ? (size_t)(ff - reader->from) : most;
        memcpy(reader->window + reader->filled, reader->from, plain);
        reader->filled += plain;
        reader->from += plain;
        if (!ff)
            continue;
        if (left - plain < 2 || ff[1] != 0)
            break;
        reader->window[reader->filled++] = 0xFF;
        reader->from += 2;
    }
    reader->taken += reader->filled - kept;
    if (has_all(reader))
        memset(reader->window + reader->filled, 0, ZEROS);
}

static void begin_reader(Reader *reader, const unsigned char *from, const unsigned char *end,
                         const unsigned char *last) {
    reader->from = from;
    reader->end = end;
    reader->last = last;
    reader->ahead = (Ahead){.at = reader->window};
    reader->filled = reader->taken = reader->passed = 0;
    fill_window(reader);
}

/* The place up to which steps may read before the window must be filled. Where no byte is left, the place behind which
 * bits are missing for certain. */
static const unsigned char *limit_of(const Reader *reader) {
    const size_t ahead = sizeof(uint64_t), filled = reader->filled;
    if (has_all(reader) && reader->end == reader->last)
        return reader->window + filled + ahead + 1;
    return reader->window + (filled > ahead ? filled - ahead : 0);
}

/* More bytes behind the limit: false if there are none. A fill may find no byte before the reader's end, and the window
 * was full. The limit is then where it was, and the next call goes on to the last bytes. */
static bool look_further(Reader *reader, Ahead *ahead, const unsigned char **limit) {
    if (has_all(reader)) {
        if (reader->end == reader->last)
            return false;
        reader->passed = reader->from == reader->end ? reader->taken : 0; /* a marker may stand before it */
        reader->end = reader->last;
    }
    reader->ahead = *ahead;
    fill_window(reader);
    *ahead = reader->ahead;
    *limit = limit_of(reader);
    return true;
}

/* Bits behind those that were dropped; negative: more were dropped than there are. */
static long bits_left(const Reader *reader) {
    return 8 * (reader->window + reader->filled - reader->ahead.at) + reader->ahead.held;
}

/* Bits that were dropped since the reader took its byte number `since`. */
static long position(const Reader *reader, size_t since) {
    return 8 * ((long)reader->taken - (long)since) - bits_left(reader);
}

/* Eight bytes, the first one highest. */
static uint64_t load(const unsigned char *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_bswap64(bytes);
}

/* To HELD or more. There is no branch in it: whether one is due nobody could predict. */
static inline void refill(Ahead *ahead) {
    ahead->bits |= load(ahead->at) >> ahead->held;
    ahead->at += (63 - ahead->held) >> 3;
    ahead->held |= HELD;
}

static inline void drop(Ahead *ahead, unsigned bits) {
    ahead->bits <<= bits;
    ahead->held -= (int)bits;
}

static inline size_t sight(uint64_t bits) {
    return bits >> (64 - JPEG_PEEK);
}

/* ---- steps ---- */

/* Parts of a chunk's blocks in turn: of each its mean, then its other values. */
typedef struct Plan {
    const JpegTables *tables;
    size_t first[PARTS_MAX + 1];       /* step of the table that a part is read by; of the next chunk's, too */
    size_t begin[JPEG_COMPONENTS + 1]; /* where a component's parts begin in an MCU */
    int count;                         /* of components */
    size_t parts;                      /* of an MCU */
} Plan;

static inline const JpegTable *table_at(const Plan *plan, size_t first) {
    return &plan->tables->of[first >> JPEG_PEEK];
}

/* How far means have gone, and where they are. */
typedef struct Means {
    int64_t at[JPEG_COMPONENTS], low[JPEG_COMPONENTS], high[JPEG_COMPONENTS];
} Means;

typedef struct Place {
    size_t first; /* step of the table that reads the next symbol */
    unsigned k;   /* in the block */
    size_t part;  /* of the chunk */
} Place;

typedef struct Stream {
    Reader reader;
    Place place;
    uint64_t bits[PARTS_MAX]; /* where a mean begins */
    Means means;
    size_t mcus; /* walked so far */
} Stream;

/* The step of one code, however long; one of 0 bits if there is none. */
static inline JpegStep find_step(const JpegTable *table, uint64_t bits, bool is_dc) {
    const JpegStep step = table->single[sight(bits)];
    if (bits_of(step) > 0)
        return step;
    unsigned first = 0, next = 0;
    for (unsigned length = 1; length <= JPEG_CODE_MAX; length++, first <<= 1) {
        const unsigned code = (unsigned)(bits >> (64 - length)), count = table->count[length];
        if (code - first < count)
            return step_of(length, table->symbols[next + code - first], is_dc);
        first += count;
        next += count;
    }
    return 0;
}

/* Whether a block ends here: with its last value, or by the code for that before it. */
static bool ends_block(unsigned k) {
    return k == BLOCK_LAST || (k >= BLOCK_ENDS && k < BLOCK_ENDS + BLOCK_LAST);
}

/* A step where those of `several` lead nowhere: codes are long, or the last value is among them. 0: there is none. */
static __attribute__((noinline)) JpegStep find_end(const JpegTable *table, unsigned k, uint64_t bits, bool is_dc) {
    const JpegStep step = find_step(table, bits, is_dc);
    const unsigned reached = k + advance_by(step);
    if (step == 0 || is_dc)
        return step == 0 ? 0 : whole_mean(step);
    if (ends_block(reached))
        return make_step(bits_of(step), BLOCK_ENDS);
    return reached < BLOCK_LAST ? step : 0;
}

/* Nearly all time is spent here. The end of a part is no branch, since nobody could predict it, but a choice of the
 * next step's table. False if there is no step. */
static inline bool step_on(const Plan *plan, uint64_t *began, Place *place, Ahead *ahead) {
    JpegStep step = plan->tables->several[place->first + sight(ahead->bits)];
    if (__builtin_expect((place->k + advance_by(step)) % BLOCK_ENDS >= BLOCK_LAST, 0)) {
        step = find_end(table_at(plan, place->first), place->k, ahead->bits, place->part % 2 == 0);
        if (step == 0)
            return false;
    }
    const size_t ends = (size_t)((int16_t)step >> 15); /* all bits if it ends one, else none */
    began[place->part] = ahead->bits;
    drop(ahead, bits_of(step));
    place->k = (place->k + advance_by(step)) & (unsigned)~ends;
    place->first ^= (place->first ^ plan->first[place->part + 1]) & ends;
    place->part -= ends;
    return true;
}

static inline void save(Stream *stream, Place place, Ahead ahead) {
    stream->place = place;
    stream->reader.ahead = ahead;
}

/* Walks the chunk's first parts to their ends. */
static bool walk_one(const Plan *plan, Stream *stream, size_t parts) {
    Place place = stream->place;
    Ahead ahead = stream->reader.ahead;
    const unsigned char *limit = limit_of(&stream->reader);
    while (place.part != parts) {
        while (ahead.at >= limit)
            if (!look_further(&stream->reader, &ahead, &limit))
                return false;
        refill(&ahead);
        if (!step_on(plan, stream->bits, &place, &ahead) ||
            (place.part != parts && !step_on(plan, stream->bits, &place, &ahead)))
            return false;
    }
    save(stream, place, ahead);
    return bits_left(&stream->reader) >= 0;
}

typedef enum Pair { PAIR_WALKS, FIRST_FAILS, SECOND_FAILS, SECOND_RESTS } Pair;

/* A step of each. */
static inline Pair step_both(const Plan *plan, Stream *first, Place *a, Ahead *to_a, Stream *second, Place *b,
                             Ahead *to_b) {
    if (!step_on(plan, first->bits, a, to_a))
        return FIRST_FAILS;
    return step_on(plan, second->bits, b, to_b) ? PAIR_WALKS : SECOND_FAILS;
}

/* Walks two streams at once: each works in the time that the other waits. It ends when one has walked its parts, or the
 * second rests, since nothing more comes before its reader's end or a marker. */
static Pair walk_two(const Plan *plan, Stream *first, size_t first_parts, Stream *second, size_t second_parts) {
    Place a = first->place, b = second->place;
    Ahead to_a = first->reader.ahead, to_b = second->reader.ahead;
    const unsigned char *limit_a = limit_of(&first->reader), *limit_b = limit_of(&second->reader);
    Pair pair = PAIR_WALKS;
    while (pair == PAIR_WALKS && a.part != first_parts && b.part != second_parts) {
        while (to_a.at >= limit_a)
            if (!look_further(&first->reader, &to_a, &limit_a))
                return FIRST_FAILS;
        while (to_b.at >= limit_b && pair == PAIR_WALKS)
            if (has_all(&second->reader) || !look_further(&second->reader, &to_b, &limit_b))
                pair = SECOND_RESTS;
        if (pair == SECOND_RESTS)
            break;
        refill(&to_a);
        refill(&to_b);
        pair = step_both(plan, first, &a, &to_a, second, &b, &to_b);
        if (pair == PAIR_WALKS && a.part != first_parts && b.part != second_parts)
            pair = step_both(plan, first, &a, &to_a, second, &b, &to_b);
    }
    save(first, a, to_a);
    save(second, b, to_b);
    return pair;
}

/* ---- chunks ---- */

static void make_plan(const JpegScan *scan, Plan *plan) {
    size_t part = 0;
    *plan = (Plan){.tables = scan->tables, .count = scan->count};
    for (int mcu = 0; mcu < CHUNK; mcu++) {
        for (int i = 0; i < scan->count; i++) {
            const JpegComponent *component = &scan->components[i];
            if (mcu == 0)
                plan->begin[i] = part;
            for (int k = component->across * component->down; k > 0; k--) {
                plan->first[part++] = (size_t)component->dc << JPEG_PEEK;
                plan->first[part++] = (size_t)component->ac << JPEG_PEEK;
            }
        }
        if (mcu == 0)
            plan->begin[scan->count] = plan->parts = part;
    }
    plan->first[part] = plan->first[0];
}

/* The difference that follows a mean's code; it is negative if its first bit is 0 (T.81, F.2.2.1). */
static inline int read_difference(const JpegTable *table, uint64_t bits) {
    const JpegStep step = find_step(table, bits, true);
    const unsigned size = advance_by(step);
    bits <<= bits_of(step);
    const int positive = (int)(bits >> 63); /* no branch: nobody could predict it */
    return (int)(bits >> 1 >> (63 - size)) - (((1 << size) - 1) & (positive - 1));
}

/* The parts that were walked are done with. */
static void finish_parts(const Plan *plan, Stream *stream, size_t parts) {
    for (int i = 0; i < plan->count; i++) {
        const JpegTable *table = table_at(plan, plan->first[plan->begin[i]]);
        int64_t at = stream->means.at[i], low = stream->means.low[i], high = stream->means.high[i];
        for (size_t mcu = 0; mcu < parts; mcu += plan->parts)
            for (size_t part = mcu + plan->begin[i]; part < mcu + plan->begin[i + 1]; part += 2) {
                at += read_difference(table, stream->bits[part]);
                low = at < low ? at : low;
                high = at > high ? at : high;
            }
        stream->means.at[i] = at;
        stream->means.low[i] = low;
        stream->means.high[i] = high;
    }
    stream->place.part -= parts;
    stream->mcus += parts / plan->parts;
}

static bool means_fit(const Means *means, const int64_t *offset) {
    for (int i = 0; i < JPEG_COMPONENTS; i++)
        if (means->low[i] + offset[i] < -MEAN_MAX || means->high[i] + offset[i] > MEAN_MAX)
            return false;
    return true;
}

static const int64_t from_zero[JPEG_COMPONENTS]; /* means are counted from these */

static void begin_stream(const Plan *plan, Stream *stream) {
    stream->place = (Place){.first = plan->first[0]};
    stream->mcus = 0;
    memset(&stream->means, 0, sizeof stream->means);
}

/* Means are `offset` more than the stream knows. */
static bool walk_mcus(const Plan *plan, Stream *stream, size_t count, const int64_t *offset) {
    for (size_t left = count; left > 0;) {
        const size_t mcus = left < CHUNK ? left : CHUNK;
        if (!walk_one(plan, stream, mcus * plan->parts))
            return false;
        finish_parts(plan, stream, mcus * plan->parts);
        if (!means_fit(&stream->means, offset))
            return false;
        left -= mcus;
    }
    return true;
}

/* Expects the rest of a byte, and then this marker; *at is behind it. */
static bool end_interval(const Stream *stream, unsigned marker, const unsigned char **at) {
    const Reader *reader = &stream->reader;
    if (bits_left(reader) < 0 || bits_left(reader) >= 8 || !has_all(reader) || reader->last - reader->from < 2 ||
        reader->from[1] != marker)
        return false;
    *at = reader->from + 2;
    return true;
}

/* ---- from the start ---- */

static bool walk_whole(const JpegScan *scan, const Plan *plan, Stream *stream, const unsigned char *from,
                       const unsigned char **end, const unsigned char *last) {
    const size_t interval = scan->interval > 0 ? scan->interval : scan->mcus;
    unsigned restarts = 0;
    for (size_t left = scan->mcus;; left -= interval) {
        begin_reader(&stream->reader, from, last, last);
        begin_stream(plan, stream);
        if (!walk_mcus(plan, stream, left < interval ? left : interval, from_zero))
            return false;
        if (left <= interval)
            return end_interval(stream, MARKER_EOI, end);
        if (!end_interval(stream, MARKER_RST0 + restarts++ % 8, &from))
            return false;
    }
}

/* ---- from the middle, too ---- */

/* Where the second walk has begun an MCU. */
typedef struct Mark {
    long position;
    Means means; /* there, and how far they go in this MCU */
} Mark;

typedef struct Second {
    Stream stream;
    Mark marks[MARKS];
    size_t marked; /* MCUs that are walked; if there is room, one more is begun */
} Second;

static void begin_mark(Second *second) {
    Means *means = &second->stream.means;
    memcpy(means->low, means->at, sizeof means->low);
    memcpy(means->high, means->at, sizeof means->high);
    if (second->marked < MARKS)
        second->marks[second->marked] = (Mark){position(&second->stream.reader, 0), *means};
}

static void finish_second(const Plan *plan, Second *second, size_t parts) {
    const Means *means = &second->stream.means;
    finish_parts(plan, &second->stream, parts);
    if (second->marked == MARKS)
        return;
    Mark *mark = &second->marks[second->marked++];
    memcpy(mark->means.low, means->low, sizeof means->low);
    memcpy(mark->means.high, means->high, sizeof means->high);
    begin_mark(second);
}

static void begin_second(const Plan *plan, Second *second) {
    begin_stream(plan, &second->stream);
    second->marked = 0;
    begin_mark(second);
}

/* Parts of the chunk that is begun, but not of an MCU that the scan does not have. */
static size_t parts_of(const JpegScan *scan, const Plan *plan, const Stream *stream) {
    const size_t left = scan->mcus - stream->mcus;
    return plan->parts * (left < CHUNK ? left : CHUNK);
}

static bool finish_chunk(const Plan *plan, Stream *stream, size_t parts) {
    if (stream->place.part != parts)
        return true;
    finish_parts(plan, stream, parts);
    return means_fit(&stream->means, from_zero);
}

/* Until the first walk has passed the middle, or the second one rests. */
static bool walk_pair(const JpegScan *scan, const Plan *plan, Stream *first, Second *second) {
    for (Pair pair = PAIR_WALKS; pair != SECOND_RESTS && first->reader.passed == 0 && first->mcus < scan->mcus;) {
        const size_t parts = parts_of(scan, plan, first), due = plan->parts * (second->marked < MARKS ? 1 : CHUNK);
        pair = walk_two(plan, first, parts, &second->stream, due);
        if (pair == FIRST_FAILS || !finish_chunk(plan, first, parts))
            return false;
        if (second->stream.place.part == due)
            finish_second(plan, second, due);
        if (pair != SECOND_FAILS)
            continue;
        /* no code begins here: again at the next byte; it is held, as a failed step leaves 29 bits or more */
        Ahead *ahead = &second->stream.reader.ahead;
        drop(ahead, (unsigned)(ahead->held + 7) % 8 + 1);
        begin_second(plan, second);
    }
    return true;
}

/* The first walk alone, past the middle and to the end of an MCU. */
static bool pass_middle(const JpegScan *scan, const Plan *plan, Stream *first) {
    while (first->reader.passed == 0 && first->mcus < scan->mcus) {
        const size_t parts = parts_of(scan, plan, first);
        if (!walk_one(plan, first, parts) || !finish_chunk(plan, first, parts))
            return false;
    }
    const size_t parts = (first->place.part + plan->parts - 1) / plan->parts * plan->parts;
    return walk_one(plan, first, parts) && finish_chunk(plan, first, parts);
}

/* MCU by MCU, until the first walk comes to a mark; NULL if it comes to none. */
static bool find_mark(const JpegScan *scan, const Plan *plan, Stream *first, const Second *second, const Mark **mark) {
    const Mark *next = second->marks, *end = second->marks + second->marked;
    *mark = NULL;
    while (first->reader.passed > 0 && first->mcus < scan->mcus) {
        const long at = position(&first->reader, first->reader.passed);
        while (next < end && next->position < at)
            next++;
        if (next == end)
            return true;
        if (next->position == at) {
            *mark = next;
            return true;
        }
        if (!walk_mcus(plan, first, 1, from_zero))
            return false;
    }
    return true;
}

/* From the mark on, the second walk's MCUs are the scan's. */
static bool walk_on(const JpegScan *scan, const Plan *plan, const Stream *first, Second *second, const Mark *mark) {
    int64_t offset[JPEG_COMPONENTS];
    for (int i = 0; i < JPEG_COMPONENTS; i++)
        offset[i] = first->means.at[i] - mark->means.at[i];
    for (const Mark *at = mark; at < second->marks + second->marked; at++)
        if (!means_fit(&at->means, offset))
            return false;
    const size_t wanted = scan->mcus - first->mcus + (size_t)(mark - second->marks), walked = second->stream.mcus;
    return walked <= wanted && second->stream.place.part <= (wanted - walked) * plan->parts &&
           walk_mcus(plan, &second->stream, wanted - walked, offset) && means_fit(&second->stream.means, offset);
}

static bool walk_halves(const JpegScan *scan, const Plan *plan, Stream *first, const unsigned char *from,
                        const unsigned char **end, const unsigned char *last) {
    const unsigned char *middle = from + (last - from) / 2;
    const Mark *mark;
    Second second;
    while (middle < last - LEFT && middle[-1] == 0xFF)
        middle++;
    begin_reader(&first->reader, from, middle, last);
    begin_stream(plan, first);
    begin_reader(&second.stream.reader, middle, last - LEFT, last);
    begin_second(plan, &second);
    if (!walk_pair(scan, plan, first, &second) || !pass_middle(scan, plan, first) ||
        !find_mark(scan, plan, first, &second, &mark))
        return false;
    if (mark)
        return walk_on(scan, plan, first, &second, mark) && end_interval(&second.stream, MARKER_EOI, end);
    return walk_mcus(plan, first, scan->mcus - first->mcus, from_zero) && end_interval(first, MARKER_EOI, end);
}

bool jpeg_scan_walk(const JpegScan *scan, Bytes file, size_t at, size_t *end) {
    const unsigned char *from = file.data + at, *last = file.data + file.size, *behind = file.data;
    Plan plan;
    Stream stream;
    make_plan(scan, &plan);
    const bool whole = scan->interval == 0 && last - from >= HALVES_MIN
                           ? walk_halves(scan, &plan, &stream, from, &behind, last)
                           : walk_whole(scan, &plan, &stream, from, &behind, last);
    *end = (size_t)(behind - file.data);
    return whole;
}
